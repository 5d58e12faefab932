"""Query sets in the session: made, put in force, renamed, removed; every number of more than one query follows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from irviewer.errors import IrviewerError
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import parse_measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import QuerySetError
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.session.session import Session
from irviewer.tables.emphasis import role
from irviewer.tables.filter import reads_values
from tests.session.helpers import Announcements, collection, run_values, session_with


@pytest.fixture
def session() -> Session:
    """Three runs, eight queries of two languages and some traffic."""
    whole = collection(3)
    rows = [
        {"id": str(q), "text": "x " * q, "language": "de" if q % 2 else "en", "traffic": float(q)} for q in range(1, 9)
    ]
    return session_with(replace(whole, queries=TextTable.from_rows(rows)))


def values(session: Session) -> np.ndarray:
    context = session.view.context
    assert context is not None
    return np.array([context.values(entry, context.measure) for entry in context.collection.runs])


def test_means_tables_and_walk_are_of_the_set_in_force(session: Session) -> None:
    session.query_sets.make_sets_by("language")
    every = values(session)
    ids = session.view.context.query_ids  # type: ignore[union-attr]
    german = np.array([int(query_id) % 2 == 1 for query_id in ids])
    session.query_sets.set_query_set("language: de")
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    keys = [label.key for label in view_model.runs]
    column = [table_column.measure for table_column in view_model.columns].index(str(session.view.measure))
    np.testing.assert_allclose(view_model.means[:, column], every[keys][:, german].mean(axis=1), rtol=1e-12)
    assert "4 queries of query set language: de" in view_model.note
    queries = session.view_models.queries_view_model()
    assert queries is not None
    assert set(queries.query_ids) == {"1", "3", "5", "7"}
    assert queries.total == 4
    seen = set()
    for _ in range(9):
        session.navigation.step_query(1)
        seen.add(session.view.query_id)
    assert seen <= {"1", "3", "5", "7"}
    assert any("language: de" in line for line in session.view.caveats)
    session.query_sets.set_query_set("")
    assert session.view_models.queries_view_model().total == 8  # type: ignore[union-attr]


def test_the_sets_side_by_side(session: Session) -> None:
    session.query_sets.make_sets_by("language")
    session.query_sets.weight_by("traffic")
    view_model = session.query_sets.sets_view_model()
    assert view_model is not None
    assert [row.title for row in view_model.rows] == [
        "all queries", "language: de", "language: en", "mean of the sets", "weighted mean",
    ]  # fmt: skip
    assert [int(n) for n in view_model.table.column("n").values] == [8, 4, 4, 8, 8]
    every = values(session)
    weights = np.array([float(query_id) for query_id in session.view.context.query_ids])  # type: ignore[union-attr]
    np.testing.assert_allclose(run_values(view_model.table)[0], every.mean(axis=1), rtol=1e-12)
    np.testing.assert_allclose(
        run_values(view_model.table)[3], run_values(view_model.table)[1:3].mean(axis=0), rtol=1e-12
    )
    np.testing.assert_allclose(run_values(view_model.table)[4], np.average(every, axis=1, weights=weights), rtol=1e-12)
    runs = [label.key for label in view_model.runs]
    focus, baseline = runs.index(session.view.focus), runs.index(session.view.baseline)
    np.testing.assert_allclose(
        view_model.table.column("difference").values[0], np.mean(every[focus] - every[baseline]), rtol=0, atol=1e-12
    )


def test_a_baseline_that_is_not_shown_is_compared_with(session: Session) -> None:
    session.query_sets.make_sets_by("language")
    focus, baseline = session.view.focus, session.view.baseline
    before = session.query_sets.sets_view_model()
    session.runs.show_run(baseline, False)
    assert (session.view.focus, session.view.baseline) == (focus, baseline)
    after = session.query_sets.sets_view_model()
    assert before is not None and after is not None and len(after.runs) < len(before.runs)
    np.testing.assert_array_equal(
        after.table.column("difference").values, before.table.column("difference").values, strict=True
    )


def test_curves_are_of_the_set(session: Session) -> None:
    before = session.view_models.systems_view_model()
    session.query_sets.make_query_set("few", ["1", "2"], looked=False)
    session.query_sets.set_query_set("few")
    after = session.view_models.systems_view_model()
    assert before is not None
    assert after is not None
    curve = after.by_cutoff.curves[0]
    context = session.view.context
    assert context is not None
    entry = context.collection.run(curve.role.run)
    assert entry is not None
    assert curve.at(10.0) == pytest.approx(context.mean(entry, parse_measure("nDCG@10")))


def test_a_filter_is_kept_and_one_that_reads_values_was_chosen_after_looking(session: Session) -> None:
    session.navigation.filter_queries("relevant > 0")
    assert session.query_sets.keep_filtered("judged") == "judged"
    assert not session.query_sets.every[0].looked  # judgments only
    session.query_sets.remove_query_set("judged")
    session.navigation.filter_queries("relevant > 0 spread >= 0")
    assert session.query_sets.keep_filtered("mine") == "mine"
    assert session.query_sets.every[0].looked
    session.navigation.filter_queries('"x x x x x x"')
    session.query_sets.keep_filtered("")
    assert not session.query_sets.every[1].looked
    assert session.query_sets.every[1].query_ids == {"6", "7", "8"}
    session.query_sets.set_query_set("mine")
    assert any("chosen after looking" in line for line in session.view.caveats)


def test_names_stay_unique_and_the_set_in_force_keeps_its_place(session: Session) -> None:
    assert session.query_sets.make_query_set("a", ["1"]) == "a"
    assert session.query_sets.make_query_set("a", ["2"]) == "a (2)"
    session.query_sets.set_query_set("a (2)")
    session.query_sets.rename_query_set("a (2)", "b")
    assert session.query_sets.query_set == "b"
    assert session.view.context.n_queries == 1  # type: ignore[union-attr]
    session.query_sets.remove_query_set("b")
    assert session.query_sets.query_set == ""
    assert [query_set.name for query_set in session.query_sets.every] == ["a"]


def test_what_cannot_be_is_refused(session: Session) -> None:
    with pytest.raises(IrviewerError, match="Unknown query set"):
        session.query_sets.set_query_set("nowhere")
    with pytest.raises(IrviewerError, match="would be empty"):
        session.query_sets.make_query_set("none", [])
    with pytest.raises(QuerySetError, match="needs a name"):
        session.query_sets.make_query_set(" ", ["1"])
    with pytest.raises(QuerySetError, match="has no weights"):
        session.query_sets.weight_by("language")


def test_sets_and_weights_of_files(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "sets.tsv"
    path.write_text("1\teasy\n2\teasy\n3\thard\n99\thard\n")
    session.query_sets.open_query_sets(str(path))
    assert [query_set.name for query_set in session.query_sets.every] == ["easy", "hard"]
    assert any("99" in message.text for message in session.view.messages)
    copy = tmp_path / "copy.tsv"
    session.query_sets.save_query_sets(str(copy))
    assert copy.stat().st_mode == path.stat().st_mode  # as any other file that one saves: others may read it
    session.query_sets.open_query_sets(str(copy))
    assert [(query_set.name, len(query_set.query_ids)) for query_set in session.query_sets.every] == [
        ("easy", 2),
        ("hard", 2),
    ]
    path.write_text("1\t3\n2\t1\n")
    session.query_sets.open_query_weights(str(path))
    every = values(session)
    ids = list(session.view.context.query_ids)  # type: ignore[union-attr]
    wanted = (3 * every[:, ids.index("1")] + every[:, ids.index("2")]) / 4
    np.testing.assert_allclose(
        run_values(session.query_sets.sets_view_model().table)[-1], wanted[list(session.view.shown)], rtol=1e-12
    )  # type: ignore[union-attr]


def test_putting_a_set_in_force_announces_once(session: Session) -> None:
    session.query_sets.make_query_set("a", ["1"])
    heard = Announcements(session)
    session.query_sets.set_query_set("a")
    (aspects,) = heard.take()
    assert aspects == {"measure", "order", "runs", "statistics", "history"}
    session.query_sets.set_query_set("a")
    assert heard.take() == []


MEASURES = ("AP", "SearchLength", "NumRelRet", "NumQ", "gm_map", "AP / SearchLength", "num_nonrel_judged_ret")


@pytest.mark.parametrize("dialect", ["trec_eval", "trec_eval-9"])
@pytest.mark.parametrize("text", MEASURES)
def test_a_mean_of_a_set_is_what_evaluation_says_of_its_queries(text: str, dialect: str) -> None:
    """Evaluated once more with judgments that hold the set's queries only. A run that lacks a query has no search
    length there: then there is no mean, of a set as of all queries. trec_eval 9 leaves such queries out."""
    pair_of_runs = collection(2, queries=6)
    lists = {query: {f"d{query}": 1.0} for query in ("1", "2", "4", "5")}
    pair_of_runs = pair_of_runs.with_runs([Run.from_dict(lists, name="short")])
    session = session_with(pair_of_runs)
    session.protocol.set(dialect=dialect)
    session.evaluation.set_measure(text)
    for name, ids in (("whole", ["1", "2"]), ("lacking", ["2", "3", "4"]), ("lost", ["3", "6"])):
        session.query_sets.make_query_set(name, ids, looked=False)
    context = session.view.context
    assert context is not None
    view_model = session.query_sets.sets_view_model()
    assert view_model is not None
    runs = [entry.run for entry in context.shown_runs]
    known = {
        row.key or row.kind: values
        for row, values in zip(view_model.rows, run_values(view_model.table).tolist(), strict=True)
    }
    qrels = context.judgments.qrels  # type: ignore[union-attr]
    options = EvaluationOptions(dialect=dialect)
    for name, ids in (
        ("all", list("123456")),
        ("whole", ["1", "2"]),
        ("lacking", ["2", "3", "4"]),
        ("lost", ["3", "6"]),
    ):
        wanted = evaluate(
            Qrels.from_dict({query_id: qrels.judgments(query_id) for query_id in ids}), runs, [text], options
        ).means[0]
        np.testing.assert_allclose(known[name], wanted, rtol=1e-12)
        session.query_sets.set_query_set("" if name == "all" else name)
        context = session.view.context
        assert context is not None
        np.testing.assert_allclose([context.mean(entry, parse_measure(text)) for entry in context.shown_runs], wanted)
    short = [run.name for run in runs].index("short")
    if text == "SearchLength":
        assert np.isnan(known["lacking"][short]) == (dialect == "trec_eval")
        assert not np.isnan(known["whole"][short])
        assert np.isnan(known["macro"][short]) == (dialect == "trec_eval")


def test_weights_that_name_few_queries_or_unknown_ones_say_so(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "weights"
    path.write_text("1 2\n2 1\nzz 5\n")
    session.query_sets.open_query_weights(str(path))
    every = len(session.view.context.query_ids)  # type: ignore[union-attr]
    said = [f"2 of {every} queries have a weight; the {every - 2} others count 0.",
            "1 weight is of a query that was not evaluated: zz."]  # fmt: skip
    assert [message.text for message in session.view.messages[-2:]] == [f"weights: {sentence}" for sentence in said]
    compared = session.comparison.compared()
    assert compared is not None
    assert set(said) < set(compared.comparison.warnings)


def test_the_micro_average_is_of_the_queries_of_the_sets(session: Session) -> None:
    session.query_sets.make_query_set("few", ["1", "2", "3"], looked=False)
    session.query_sets.make_query_set("others", ["3", "5"], looked=False)
    view_model = session.query_sets.sets_view_model()
    assert view_model is not None
    rows = {row.title: place for place, row in enumerate(view_model.rows)}
    every = values(session)[:, [session.view.context.query_index[query_id] for query_id in ("1", "2", "3", "5")]]  # type: ignore[union-attr]
    assert (
        *(int(view_model.table.column("n").values[rows[name]]) for name in ("queries in sets", "all queries")),
    ) == (4, 8)
    np.testing.assert_allclose(run_values(view_model.table)[rows["queries in sets"]], every.mean(axis=1), rtol=1e-12)
    tips = {row.title: row.tip for row in view_model.rows}
    assert "micro average" in tips["queries in sets"]
    assert "micro average" not in tips["all queries"]
    session.query_sets.make_sets_by("language")
    tip_of = {row.title: row.tip for row in session.query_sets.sets_view_model().rows}  # type: ignore[union-attr]
    assert "queries in sets" not in tip_of
    assert "micro average" in tip_of["all queries"]


@pytest.mark.parametrize(
    ("text", "looked"),
    [
        ("relevant < 5", False), ("rel>=2 R != 3", False), ("id:3", False), ('"a <= b"', False), ("Δ > 0", True),
        ("spread = 0", True), ("relevant < 5 alpha > .2", True), ("word", False),
    ],
)  # fmt: skip
def test_what_a_filter_reads(text: str, looked: bool) -> None:
    assert reads_values(text, ["alpha", "beta"]) == looked
    assert reads_values("relevant < .5", ["Relevant"])


def test_only_the_difference_that_the_test_was_run_on_is_shown_as_good_or_bad(session: Session) -> None:
    """As in Systems: the row of the queries in view; single sets are not tested."""
    session.query_sets.make_sets_by("language")
    session.protocol.set(alpha=0.999)

    def shown() -> dict[str, bool]:
        view_model = session.query_sets.sets_view_model()
        assert view_model is not None
        table = view_model.table
        roles = [role(table, table.column("difference"), row) for row in range(table.n_rows)]
        return {
            row.key or row.kind: bool(each) and not each.startswith("weakly")
            for row, each in zip(view_model.rows, roles, strict=True)
        }

    assert not any(shown().values()), "no test has run"
    before = session.query_sets.sets_view_model()
    assert before is not None
    assert before.note.endswith("to the baseline ★, not tested")
    assert session.comparison.compared() is not None
    systems, sets = session.comparison.systems_view_model(), session.query_sets.sets_view_model()
    assert systems is not None
    assert systems.statistics is not None
    assert sets is not None
    focus = [label.key for label in systems.runs].index(session.view.context.focus)  # type: ignore[union-attr]
    assert systems.statistics.shown[focus], "the data of this test must differ"
    assert [key for key, is_shown in shown().items() if is_shown] == ["all"]
    assert sets.tested
    assert sets.note.endswith("to the baseline ★, tested for the queries in view only")
    session.protocol.set(alpha=1e-9)
    session.comparison.compared()
    assert not any(shown().values())
    session.protocol.set(alpha=0.999)
    most = [str(q) for q in range(1, 8)]
    for name, looked in (("most", False), ("best", True)):
        session.query_sets.make_query_set(name, most, looked=looked)
        session.query_sets.set_query_set(name)
        session.comparison.compared()
        assert [key for key, is_shown in shown().items() if is_shown] == ([] if looked else [name])
