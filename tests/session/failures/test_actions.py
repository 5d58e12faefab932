"""Failures in the session: view models against the model and loops, filters, sorts, the way to a query, what is
saved."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from typing import Any

import numpy as np
import pytest
from patience import deliver

import irviewer
from irviewer.analysis.failures.kinds import KINDS, NAMES
from irviewer.commands import every, find
from irviewer.errors import IrviewerError
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime, Workspace
from irviewer.session.files.import_result import ImportResult
from irviewer.session.session import Session
from irviewer.session.state import TABS
from irviewer.session.state_changes import Opening, with_import_result
from irviewer.session.view_models.failures import relevant_table_of
from tests.session.helpers import Announcements, cells, collection, session_with


@pytest.fixture
def session() -> Session:
    """Four runs in the Queries place; queries n have relevant documents d (found late by poor runs) and e (by none)."""
    new_session = session_with(collection(4, queries=12))
    new_session.navigation.set_place("queries")
    return new_session


def test_rows_are_the_queries_and_runs_that_fail(session: Session) -> None:
    view_model, context = session.failures.failures_view_model(), session.view.context
    assert view_model is not None
    assert context is not None
    failures = session.failures.known_found("failures").failures
    expected_words = {
        (int(q), int(r)): text for q, r, text in zip(view_model.query, view_model.run, view_model.failures, strict=True)
    }
    for place in range(12):
        for run in range(4):
            expected = [kind.word for number, kind in enumerate(KINDS) if failures.kinds[number, place, run]]
            assert (
                all(word in expected_words[place, run] for word in expected)
                if expected
                else (place, run) not in expected_words
            )
    assert list(view_model.query_ids) == [context.query_ids[place] for place in view_model.query.tolist()]
    assert [kind.count for kind in view_model.kinds] == failures.kinds.any(axis=2).sum(axis=1).tolist()
    assert view_model.by_run.tolist() == failures.counts.T.tolist()
    assert view_model.query_ids[view_model.selected] == session.view.query_id


def test_losses_of_long_runs_are_found_in_the_background() -> None:
    """Losses evaluate all lists in ideal orders: 300,000 rows take a part of a second, which the window never waits."""
    rows = {str(q): {f"d{place}": -float(place) for place in range(1000)} for q in range(150)}
    runs = [Run.from_dict(rows, name=name) for name in ("one", "two")]
    qrels = Qrels.from_dict({query: {"d3": 1} for query in rows})
    long_collection = Collection("long", judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs(runs)
    long_session = session_with(long_collection)
    long_session.evaluation.set_measure("AP")
    context = long_session.view.context
    assert context is not None
    for entry in long_collection.runs:
        context.judged(entry)
        context.values(entry, context.measure)  # what else is to be found costs next to nothing
    assert long_session.failures.known_found("failures") is None


def test_kinds_filter_and_a_second_time_lets_go(session: Session) -> None:
    everything = session.failures.failures_view_model()
    session.failures.switch_failure_kind("below")
    view_model = session.failures.failures_view_model()
    assert view_model is not None
    assert everything is not None
    failures = session.failures.known_found("failures").failures
    assert len(view_model.query) == failures.kinds[NAMES.index("below")].sum() < len(everything.query)
    assert [kind.name for kind in view_model.kinds if kind.on] == ["below"]
    session.failures.switch_failure_kind("below")
    assert len(session.failures.failures_view_model().query) == len(everything.query)  # type: ignore[union-attr]


def test_the_filter_of_the_queries_is_theirs_too(session: Session) -> None:
    session.navigation.filter_queries("3")
    view_model = session.failures.failures_view_model()
    assert view_model is not None
    assert set(view_model.query_ids) == {"3"}
    assert view_model.by_run.max() == 1
    session.navigation.filter_queries("Δ >")
    assert session.failures.failures_view_model().filter_error  # type: ignore[union-attr]


KEYS = {
    "value": "value", "baseline": "to_baseline", "median": "to_median", "first": "first_relevant",
    "above": "non_relevant_above", "unjudged": "unjudged_on_top",
}  # fmt: skip
"""The keys of columns by the names by which they are sorted."""


@pytest.mark.parametrize("column", ["run", "value", "baseline", "median", "first", "above", "unjudged", "failures"])
def test_sorting(session: Session, column: str) -> None:
    session.failures.sort_findings("failures", column, True)
    view_model = session.failures.failures_view_model()
    assert view_model is not None
    values = {
        "run": view_model.run, "failures": np.array([text.count("   ") for text in view_model.failures]),
        **{name: cells(view_model.table, key) for name, key in KEYS.items()},
    }[column].astype(float)  # fmt: skip
    known = values[~np.isnan(values)]
    assert (np.diff(known) <= 1e-12).all()
    assert np.isnan(values[len(known) :]).all()


def test_limits_move_what_a_failure_is(session: Session) -> None:
    before = session.failures.failures_view_model()
    assert session.failures.set_failure_limits(unjudged=1.0, worse=0.5)
    after = session.failures.failures_view_model()
    assert before is not None
    assert after is not None
    assert (after.limits.unjudged, after.limits.worse, after.limits.hard) == (1.0, 0.5, 0.1)
    assert after.kinds[NAMES.index("median")].count < before.kinds[NAMES.index("median")].count
    assert not session.failures.set_failure_limits(unjudged=0.0)
    assert session.view.messages


def test_going_to_a_failure_announces_once(session: Session) -> None:
    heard = Announcements(session)
    session.failures.go_to_failure("5", session.view.labels()[2].key, "d5")
    assert (session.view.query_id, session.view.document_id, session.view.place) == ("5", "d5", "query")
    assert session.view.focus == session.view.labels()[2].key
    assert len(heard.take()) == 1
    session.failures.go_to_failure("no such query")
    assert session.view.query_id == "5"


def test_relevant_documents_by_all_runs(session: Session) -> None:
    session.navigation.set_query("4")
    view_model, context = session.list_judging.relevant_view_model(), session.view.context
    assert view_model is not None
    assert context is not None
    assert view_model.doc_ids == ("d4", "e4"), "it begins where something stands"
    for column, entry in enumerate(context.collection.runs):
        ranking = entry.run.ranking("4")
        assert view_model.ranks[:, column].tolist() == [ranking.index("d4") + 1, 0]
    table = relevant_table_of(view_model)
    assert table.column("found").values.tolist() == [4, 0]
    assert cells(table, "best_rank")[0] == min(
        entry.run.ranking("4").index("d4") + 1 for entry in context.collection.runs
    )
    for entry in context.collection.runs:
        rank, missed = cells(table, entry.name)
        assert rank == entry.run.ranking("4").index("d4") + 1
        assert np.isnan(missed)
    assert table.marks == {}  # each run has d4
    session.failures.sort_findings("relevant", "grade", False)
    assert session.list_judging.relevant_view_model().doc_ids == ("d4", "e4")  # type: ignore[union-attr]
    session.failures.sort_findings("relevant", str(context.shown[0]), True)
    assert session.list_judging.relevant_view_model().doc_ids == ("d4", "e4")  # type: ignore[union-attr]  # what was missed stands last


def test_hubs_are_sorted_and_found_by_their_first_query() -> None:
    pair_of_runs = collection(2, queries=3)
    runs = [
        entry.run.from_dict(
            {q: {f"d{q}": 1.0, "hub": 3.0, **({"other": 2.0} if q != "1" else {})} for q in ("1", "2", "3")},
            name=entry.name,
        )
        for entry in pair_of_runs.runs
    ]
    session = session_with(type(pair_of_runs)("hubs", judgments=pair_of_runs.judgments).with_runs(runs))
    session.navigation.set_place("queries")
    view_model = session.list_judging.hubs_view_model()
    assert view_model is not None
    assert view_model.doc_ids == ("hub", "other")
    assert cells(view_model.table, "queries").tolist() == [3, 2]
    assert cells(view_model.table, "unjudged").tolist() == [3, 2]
    assert view_model.table.column("for_queries").show.texts == ["1, 2, 3", "2, 3"]
    assert view_model.first == ("1", "2")
    session.failures.sort_findings("hubs", "document", True)
    assert session.list_judging.hubs_view_model().doc_ids == ("other", "hub")  # type: ignore[union-attr]


def test_reading_on_says_what_stopping_means(session: Session) -> None:
    session.navigation.set_query("4")
    view_model = session.failures.recall_view_model()
    assert view_model is not None
    session.failures.set_stop(25)
    view_model = session.failures.recall_view_model()
    assert view_model is not None
    assert view_model.stopped == "25 read · 50 % found (1 of 2) · 1 missed"
    assert "not read" not in view_model.stopped_all
    assert (view_model.size, view_model.known) == (None, 27)
    assert "random order" not in [curve.label for curve in view_model.figure.curves]
    assert view_model.missed == (("e4", 0),)
    assert view_model.figure.cursor == 25.0
    assert session.failures.set_collection_size(1000)
    assert session.failures.recall_view_model().stopped.endswith("98 % of 1,000 not read")  # type: ignore[union-attr]
    sized = session.failures.recall_view_model()
    assert sized is not None
    assert "random order" in [curve.label for curve in sized.figure.curves]
    assert session.failures.recall_view_model().size_known == "as entered"  # type: ignore[union-attr]
    assert session.failures.set_collection_size(5000)  # 25 of 5,000 are .5 %
    assert session.failures.recall_view_model().stopped.endswith("99.5 % of 5,000 not read")  # type: ignore[union-attr]
    assert not session.failures.set_collection_size(20)
    assert "too few" in session.view.messages[-1].text
    assert session.failures.set_collection_size(None)
    assert session.failures.recall_view_model().size is None  # type: ignore[union-attr]
    assert len(session.failures.recall_view_model().order) == 12  # type: ignore[union-attr]


def test_ranking_vectors_of_the_shown_runs(session: Session) -> None:
    session.navigation.set_query("4")
    view_model, context = session.failures.vector_view_model(), session.view.context
    assert view_model is not None
    assert context is not None
    for row in view_model.rows:
        entry = context.collection.run(row.run.key)
        assert entry is not None
        rank = entry.run.ranking("4").index("d4") + 1
        assert row.displacement[rank - 1] == max(0, rank - 2) - (1 if rank < 2 else 0)
        assert row.missed == 1
    labels = [curve.label for curve in view_model.figure.curves]
    assert labels[1:] == ["best re-ordering", "ideal"]
    assert view_model.figure.note.startswith("values at rank ")
    run, best, ideal = (curve.y[-1] for curve in view_model.figure.curves)
    assert run <= best <= ideal


def test_the_worklist_is_made_in_its_view_and_saved_as_a_pool(session: Session, tmp_path: Path) -> None:
    assert session.list_judging.worklist_view_model().explanation.startswith("Trying")  # type: ignore[union-attr]
    session.navigation.set_tab("queries", "worklist")
    session.compute_now()
    view_model = session.list_judging.worklist_view_model()
    assert view_model is not None
    assert (np.diff(np.abs(view_model.table.column("change").values)) <= 1e-12).all()
    session.failures.save_worklist(str(tmp_path / "pool.tsv"))
    rows = list(csv.reader((tmp_path / "pool.tsv").read_text().splitlines(), delimiter="\t"))
    assert rows[0] == ["query", "document"]
    assert [tuple(row) for row in rows[1:]] == list(zip(view_model.query_ids, view_model.doc_ids, strict=True))


def test_the_worklist_is_of_the_runs_that_take_part_whichever_are_shown(session: Session) -> None:
    """It was of those shown, so that hiding a run changed what to judge next, and other doors gave another list."""
    session.navigation.set_tab("queries", "worklist")
    session.navigation.set_place("queries")
    collection = session.view.collection
    assert collection is not None
    keys = [entry.key for entry in collection.runs]

    def listed(words: str) -> list[tuple[str, str]]:
        session.compute_now()
        view_model = session.list_judging.worklist_view_model()
        assert view_model is not None and words in view_model.note
        return list(zip(view_model.query_ids, view_model.doc_ids, strict=True))

    def wanted(count: int) -> list[tuple[str, str]]:
        runs = [entry.run for entry in collection.runs[:count]]
        work = irviewer.worklist(collection.judgments[0].qrels, runs, session.view.measure)
        return [(each.query, each.document) for each in work]

    for shown in (keys[:1], keys):
        session.runs.show_runs(shown)
        assert listed("all runs") == wanted(4)
    session.protocol.set_taking_part(keys[3], False)
    assert listed(f"3 of {len(keys)} runs") == wanted(3)


def test_after_a_judgment_the_worklist_is_saved_before_its_view_was_seen_again(
    session: Session, tmp_path: Path
) -> None:
    session.navigation.set_tab("queries", "worklist")
    session.compute_now()
    view_model = session.list_judging.worklist_view_model()
    assert view_model is not None
    judged, document = view_model.query_ids[0], view_model.doc_ids[0]
    session.navigation.set_place("query")
    session.navigation.set_query(judged)
    session.judging.judge(document, 0.0)
    assert session.failures.known_found("worklist") is None
    assert find(session, "save_worklist").enabled(session)
    session.failures.save_worklist(str(tmp_path / "pool.csv"))
    rows = list(csv.reader((tmp_path / "pool.csv").read_text().splitlines()))[1:]
    assert [judged, document] not in rows
    session.navigation.set_place("queries")
    session.compute_now()
    after = session.list_judging.worklist_view_model()
    assert after is not None
    assert [tuple(row[:2]) for row in rows] == list(zip(after.query_ids, after.doc_ids, strict=True))
    assert {row[2] for row in rows} == {"with 1 changed judgment"}


def test_complete_judgments_leave_no_work(session: Session, tmp_path: Path) -> None:
    session.evaluation.set_regime(Regime.COMPLETE)
    session.navigation.set_tab("queries", "worklist")
    session.compute_now()
    explanation = session.list_judging.worklist_view_model().explanation  # type: ignore[union-attr]
    assert explanation.startswith("The judgments are read as complete")
    named = explanation.split("\N{LEFT DOUBLE QUOTATION MARK}")[1].split("\N{RIGHT DOUBLE QUOTATION MARK}")[0]
    assert named in [command.title for command in every(session)]
    assert not find(session, "save_worklist").enabled(session)
    with pytest.raises(IrviewerError):
        session.failures.save_worklist(str(tmp_path / "pool.tsv"))


TAB_NAMES = [tab for tab in TABS["queries"][1:] if tab != "attributes"]
"""The tabs of failure analysis."""


def view_model_of(session: Session, tab: str) -> Any:
    """The view model of a view of the Queries place."""
    part = session.list_judging if tab in ("relevant", "hubs", "worklist") else session.failures
    return getattr(part, f"{tab}_view_model")()


def test_without_judgments_and_without_runs_view_models_say_so(session: Session) -> None:
    for label in session.view.labels():
        session.runs.show_run(label.key, False)
    for tab in TAB_NAMES:
        view_model = view_model_of(session, tab)
        assert view_model.explanation or tab == "relevant"
    empty = session_with(type(collection())("empty").with_runs([entry.run for entry in collection(2).runs]))
    for tab in TAB_NAMES:
        empty.navigation.set_tab("queries", tab)
        empty.compute_now()
        view_model = view_model_of(empty, tab)
        assert view_model is None or "No judgments" in view_model.explanation


def test_nothing_is_there_where_nothing_is_open() -> None:
    session = Session()
    for tab in TAB_NAMES:
        assert view_model_of(session, tab) is None
    assert not session.failures.set_collection_size(5)


def test_in_the_window_the_worklist_comes_later_and_is_announced() -> None:
    queue: Queue[Callable[[], None]] = Queue()
    session = Session(post=queue.put)
    import_result = ImportResult(Workspace((collection(3, queries=12),)), new=[0], touched=[0])
    session.store.apply(
        with_import_result(session.state, import_result, Opening(), session.store.context_of, hints=False)
    )
    heard = Announcements(session)
    session.navigation.set_tab("queries", "worklist")
    assert session.list_judging.worklist_view_model().explanation.startswith("Trying")  # type: ignore[union-attr]
    session.navigation.set_place("queries")
    assert session.busy is not None
    deliver(queue, lambda: session.failures.known_found("worklist") is not None)
    assert {"statistics"} in heard.take()
    assert session.list_judging.worklist_view_model().doc_ids  # type: ignore[union-attr]
    session.evaluation.set_measure("AP")
    assert session.failures.known_found("worklist") is None
    session.navigation.set_place("systems")  # left before it was done: cancelled
    assert not session.store.tasks.under_way("finding worklist")
    session.close()
