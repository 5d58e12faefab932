"""Stages in the session: found, chosen with undo, kept in a project, filtered and stepped through."""

from __future__ import annotations

from pathlib import Path

import pytest
from calls import counted

from irviewer.session.session import Session
from irviewer.session.view_models.stages import StagesViewModel
from irviewer.tables.exact import records
from tests.session.helpers import collection, session_with
from tests.session.staged import QUERIES, staged, staged_lists


@pytest.fixture
def session() -> Session:
    new_session = session_with(staged())
    new_session.evaluation.set_measure("nDCG@10")
    new_session.navigation.set_place("query")
    new_session.navigation.set_tab("query", "stages")
    return new_session


def shown(session: Session) -> StagesViewModel:
    session.compute_now()
    view_model = session.stages.stages_view_model()
    assert view_model is not None
    return view_model


def key(session: Session, name: str) -> int:
    return next(label.key for label in session.view.labels() if label.name == name)


def names(view_model: StagesViewModel) -> list[str]:
    return [run.name for run in view_model.stages]


def test_found_by_their_documents_and_counted_as_in_a_plain_loop(session: Session) -> None:
    session.runs.set_baseline(key(session, "first"))
    session.runs.set_focus(key(session, "second"))
    view_model = shown(session)
    assert names(view_model) == ["first", "second", "third"]
    assert view_model.found
    grades, first, _, third, _ = staged_lists()
    relevant = {query: {doc_id for doc_id, grade in grades[query].items() if grade >= 1} for query in QUERIES}
    in_first = {query: relevant[query] & set(first[query]) for query in QUERIES}
    in_third = {query: relevant[query] & set(third[query]) for query in QUERIES}
    in_top = {query: relevant[query] & set(third[query][:10]) for query in QUERIES}
    steps = (relevant, in_first, in_first, in_third, in_top)
    assert [bar.relevant for bar in view_model.steps] == [sum(map(len, step.values())) for step in steps]
    room = {query: min(10, len(in_third[query])) for query in QUERIES}
    assert view_model.steps[-1].lost == sum(room[query] - len(in_top[query]) for query in QUERIES)
    assert view_model.steps[-1].no_room == sum(len(in_third[query]) - room[query] for query in QUERIES)
    assert all(sum(bar.by_grade) == bar.relevant for bar in view_model.steps)

    session.stages.set_filter("lost-4")
    view_model = shown(session)
    losing = {query for query in QUERIES if room[query] > len(in_top[query])}
    assert set(view_model.query_ids) == losing
    assert view_model.by_query is not None
    assert view_model.order is not None
    assert "lost_here" in view_model.columns
    lost = view_model.by_query.column("lost_here").numbers[""][view_model.order].tolist()
    assert lost == [room[query] - len(in_top[query]) for query in view_model.query_ids]
    assert session.view.query_id in losing
    query = view_model.query_ids[0]
    session.navigation.set_query(query)
    documents = shown(session).documents
    assert documents is not None
    for row in records(documents):
        wanted = [
            ranking[query].index(row["document"]) + 1 if row["document"] in ranking[query] else None
            for ranking in (first, third)
        ]
        assert [row["first"], row["third"]] == wanted
    assert shown(session).missed == len(relevant[query]) - len(in_first[query])


def test_chosen_stages_are_undone_and_kept_in_a_project(session: Session, tmp_path: Path) -> None:
    session.runs.set_baseline(key(session, "first"))
    session.runs.set_focus(key(session, "second"))
    shown(session)
    session.stages.set_stage(1, key(session, "other"))
    assert names(shown(session)) == ["first", "other", "third"]
    session.stages.remove_stage(2)
    view_model = shown(session)
    assert names(view_model) == ["first", "other"]
    assert not view_model.found
    path = tmp_path / "kept.irviewer"
    session.autosave.save_project(str(path))
    again = Session()
    again.files.open_files([str(path)])
    assert again.view.place == "query"
    assert again.view.tab("query") == "stages"
    assert names(shown(again)) == ["first", "other"]
    again.close()
    session.history.undo()
    assert names(shown(session)) == ["first", "other", "third"]
    session.history.undo()
    assert shown(session).found
    session.history.redo()
    assert names(shown(session)) == ["first", "other", "third"]
    session.stages.find_again()
    assert shown(session).found


def test_a_stage_that_is_chosen_twice_changes_places(session: Session) -> None:
    session.stages.set_stage(0, key(session, "second"))
    session.stages.set_stage(1, key(session, "other"))
    before = names(shown(session))
    session.stages.set_stage(0, key(session, "other"))
    assert names(shown(session))[:2] == before[1::-1]


def test_queries_are_stepped_through_as_they_are_listed(session: Session) -> None:
    session.stages.sort("lost", True)
    ids = shown(session).query_ids
    session.navigation.set_query(ids[0])
    for query in ids[1:3]:
        session.navigation.step_query(1)
        assert session.view.query_id == query
    session.navigation.set_tab("query", "rankings")
    assert session.stages.listed_queries() is None


def test_a_query_set_counts_alone(session: Session) -> None:
    session.query_sets.make_query_set("few", QUERIES[:3], looked=False)
    session.query_sets.set_query_set("few")
    assert sorted(shown(session).query_ids) == sorted(QUERIES[:3])


def test_unlike_runs_say_what_to_do(session: Session) -> None:
    unlike = session_with(collection(2))
    unlike.navigation.set_place("query")
    unlike.navigation.set_tab("query", "stages")
    view_model = shown(unlike)
    assert not view_model.steps
    assert not view_model.stages
    assert "Choose the first stage (A)" in view_model.explanation
    session.evaluation.set_measure("num_rel")
    assert "NumRel" in shown(session).explanation


def test_what_has_to_be_known_of_the_stages_is_said(session: Session) -> None:
    session.stages.set_stage(0, key(session, "first"))
    session.stages.set_stage(1, key(session, "other"))
    view_model = shown(session)
    assert any("other does not only re-rank first" in note for note in view_model.notes)
    result = session.stages.result()
    assert result is not None
    assert result.value.runs[:2] == ("first", "other")


@pytest.mark.parametrize("column", ["value", "order", "cause"])
def test_the_work_of_sorting_grows_with_the_queries_not_with_their_square(column: str) -> None:
    """The causes are found once for all queries."""
    work = []
    for queries in (20, 80):
        session = session_with(collection(3, queries=queries))
        session.navigation.set_place("query")
        session.navigation.set_tab("query", "stages")
        for place, entry in enumerate(session.view.labels()[:2]):
            session.stages.set_stage(place, entry.key)
        shown(session)
        with counted() as calls:
            session.stages.sort(column, False)
            view_model = shown(session)
        assert len(view_model.query_ids) == queries
        work.append(calls.number)
    assert work[1] < 2 * work[0]


def test_the_last_difference_has_the_p_of_systems(session: Session) -> None:
    session.runs.set_baseline(key(session, "first"))
    for test in ("t", "wilcoxon", "tukey"):
        session.protocol.set(test=test)
        shown(session)
        known, context = session.stages.known(), session.view.context
        assert known is not None
        assert context is not None
        systems = session.comparison.wanted(context, "baseline")
        assert systems is not None
        compared = systems.compute().comparison
        (pair,) = [pair for pair in compared.pairs if pair.run_name == known.stages.pair.run_name]
        assert known.stages.in_family
        assert known.stages.pair.decision == pair.decision
        assert pair.decision.comparisons > 1
    session.protocol.set(test="t")
    session.runs.set_baseline(key(session, "third"))
    shown(session)
    known = session.stages.known()
    assert known is not None
    assert not known.stages.in_family
    assert "a comparison of its own" in shown(session).ceiling_foot


def test_queries_are_sorted_by_what_the_order_loses_and_by_their_texts(session: Session) -> None:
    every = shown(session)
    assert every.by_query is not None
    losses = dict(zip(every.by_query.keys, every.by_query.column("value").numbers["lost_by_order"], strict=True))
    listed = [losses[query] for query in every.query_ids]
    assert listed == sorted(listed, reverse=True)
    assert listed[0] > listed[-1]
    session.stages.sort("query", False)
    assert list(shown(session).query_ids) == sorted(losses, key=lambda query: int(str(query)))
    session.stages.sort("no column", True)
    assert list(shown(session).query_ids) == sorted(losses, key=lambda query: int(str(query)))
    session.stages.sort("step_1", True)
    counts = dict(zip(every.by_query.keys, every.by_query.column("step_1").numbers[""], strict=True))
    assert [counts[query] for query in shown(session).query_ids] == sorted(counts.values(), reverse=True)
