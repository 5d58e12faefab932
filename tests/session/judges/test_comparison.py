"""The comparison of judges in a session: computed when it is in view, with the values of the analysis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer.analysis.agreement.confusion import confusion
from irviewer.analysis.agreement.corrected import corrected_scores
from irviewer.analysis.agreement.judge_agreement import AgreementOptions, agreement
from irviewer.analysis.agreement.systems_by_judge import systems_by_judge
from irviewer.commands import run_command
from irviewer.errors import IrviewerError
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.judgments.judgment_set import JudgeFacts
from irviewer.model.judgments.panel import panel_of
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.session import Session
from irviewer.tables.exact import plain_columns
from tests.helpers.judges import judges_of, random_grades
from tests.session.helpers import collection, session_with


def judged(rows: Sequence[Sequence[float | None]], origins: Sequence[str] = ()) -> Collection:
    """A collection without runs with a judge for each row of grades."""
    sets = []
    for number, judge in enumerate(judges_of(rows)):
        judgment_set = JudgmentSet(judge.qrels, Regime.POOLED)
        if origins:
            judgment_set = replace(judgment_set, facts=JudgeFacts(origins[number]))  # type: ignore[arg-type]
        sets.append(judgment_set)
    return replace(collection(0), judgments=tuple(sets))


def comparing(tab: str, judged_collection: Collection) -> Session:
    session = session_with(judged_collection)
    session.protocol.set_number("samples", "200")
    session.judge_comparison.go_to(tab)
    session.compute_now()
    return session


def test_the_view_shows_what_the_analysis_computes() -> None:
    rows = random_grades(3, 4, 60)
    session = comparing("agreement", judged(rows))
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    expected = agreement(judges_of(rows), AgreementOptions(samples=200))
    assert view_model.places == tuple(expected.order.tolist())
    order = expected.order
    shown = expected.values["kappa_quadratic"][np.ix_(order, order)].copy()
    np.fill_diagonal(shown, np.nan)
    np.testing.assert_array_equal(view_model.values, shown)
    assert view_model.beside is not None
    for name, values in view_model.beside.items():
        np.testing.assert_array_equal(values[1:], expected.values[name][0, order[1:]])
    np.testing.assert_array_equal(view_model.low[1:], expected.low["kappa_quadratic"][0, order[1:]])
    np.testing.assert_array_equal(view_model.high[1:], expected.high["kappa_quadratic"][0, order[1:]])
    session.close()


def test_another_reference_puts_it_first_and_keeps_the_pair_with_it() -> None:
    session = comparing("agreement", judged(random_grades(3, 4, 60)))
    session.judge_comparison.set_reference(2)
    session.compute_now()
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    assert view_model.places[0] == 2
    assert 0 in view_model.pair
    assert not np.isnan(view_model.low[1:]).any()
    session.close()


def test_the_reference_is_the_first_human() -> None:
    session = session_with(judged(random_grades(3, 3, 40), ("model", "human", "model")))
    assert session.judge_comparison.reference == 1
    assert session.judge_comparison.pair == (1, 0)
    session.close()


def test_the_pair_is_that_of_every_view_and_has_intervals() -> None:
    session = comparing("agreement", judged(random_grades(3, 4, 60)))
    session.judge_comparison.set_pair(2, 3)
    session.compute_now()
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    assert [view_model.places[row] for row in view_model.pair] == [2, 3]
    expected = agreement(judges_of(random_grades(3, 4, 60)), AgreementOptions(samples=200)).pair(2, 3)
    kappa = expected["kappa_quadratic"]
    assert kappa.value is not None
    assert kappa.low is not None
    shown = next(row for row in view_model.pair_statistics if row.title == "quadratic κ")
    assert float(shown.value) == pytest.approx(kappa.value, abs=6e-4)
    assert float(shown.interval[1:].split(",")[0].replace("−", "-")) == pytest.approx(kappa.low, abs=6e-4)
    session.judge_comparison.set_pair(1, 1)
    assert session.judge_comparison.pair == (2, 3)
    session.close()


def test_near_clones_are_flagged() -> None:
    first = [float(number % 3) for number in range(120)]
    session = comparing("agreement", judged([first, [*first[:-1], 0.0], [0.0, 1.0] * 60]))
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    rows = {place: row for row, place in enumerate(view_model.places)}
    assert view_model.texts[rows[0]][rows[1]] == "≡"
    assert "nearly the same" in view_model.tip(rows[0], rows[1])
    assert "nearly the same" not in view_model.tip(rows[0], rows[2])
    session.close()


def test_a_family_is_named_as_the_ceiling() -> None:
    whole = judged(random_grades(3, 3, 60))
    sets = [replace(judgment_set, facts=JudgeFacts("model", "GPT-4")) for judgment_set in whole.judgments[1:]]
    session = comparing("agreement", replace(whole, judgments=(whole.judgments[0], *sets)))
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    assert any(line.startswith("GPT-4: judge1, judge2") for line in view_model.below)
    session.close()


def test_one_judge_and_judges_without_a_common_pair_say_so() -> None:
    session = comparing("agreement", judged(random_grades(3, 1, 20)))
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    assert "needs two judgment sets" in view_model.explanation
    confusion = session.judge_comparison.confusion_view_model()
    assert confusion is not None
    assert confusion.explanation.startswith("Confusion needs two judgment sets")
    session.close()
    session = comparing("agreement", judged([[1.0, 0.0, None, None], [None, None, 1.0, 0.0]]))
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    assert view_model.explanation.startswith("No two judges")
    session.close()


def test_the_table_has_every_pair_with_every_statistic() -> None:
    session = comparing("agreement", judged(random_grades(3, 4, 60)))
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    (table,) = view_model.tables()
    wanted = irviewer.agreement([judge.qrels for judge in session.view.collection.judgments])  # type: ignore[union-attr]
    assert table.n_rows == 6
    columns = plain_columns(table)
    theirs = wanted.to_arrow("pairs").to_pydict()
    assert {"kappa_quadratic", "alpha_ordinal", "ac1"} <= set(columns)
    for name in ("first", "second", "pairs", "kappa_quadratic", "alpha_ordinal"):
        assert columns[name].to_pylist() == theirs[name]
    session.close()


def test_an_unknown_statistic_is_refused() -> None:
    session = session_with(judged(random_grades(3, 2, 20)))
    with pytest.raises(IrviewerError):
        session.judge_comparison.set_statistic("rbo")
    session.close()


def with_runs(judged_collection: Collection) -> Collection:
    """The collection with two runs over the judged documents, in opposite orders."""
    qrels = judged_collection.judgments[0].qrels
    lists = {query: list(qrels.judgments(query)) for query in qrels.query_ids}
    runs = []
    for name, sign in (("up", 1.0), ("down", -1.0)):
        scores = {query: {doc: sign * place for place, doc in enumerate(ids)} for query, ids in lists.items()}
        runs.append(Run.from_dict(scores, name=name))
    return judged_collection.with_runs(runs)


def test_the_confusion_table_is_that_of_the_analysis_and_the_list_is_sorted_by_leverage() -> None:
    rows = random_grades(5, 3, 60, missing=0.0)
    session = comparing("confusion", with_runs(judged(rows)))
    view_model = session.judge_comparison.confusion_view_model()
    assert view_model is not None
    table = confusion(panel_of(judges_of(rows)[:2]), 0, 1, 1)
    np.testing.assert_array_equal(view_model.counts, table.counts)
    assert view_model.two_by_two == tuple(vars(table.two_by_two()).values())
    assert view_model.listed is not None
    changes = view_model.listed.column("change").numbers[""]
    assert (np.diff(np.abs(changes)) <= 1e-12).all()
    assert list(view_model.listed.keys) == [(each.query_id, each.doc_id) for each in view_model.documents]
    # The first row, by a plain evaluation with the one grade replaced.
    document, run = view_model.documents[0], view_model.listed.column("run").values[0]
    grades = {query: dict(judges_of(rows)[0].qrels.judgments(query)) for query in judges_of(rows)[0].qrels.query_ids}
    assert session.view.collection is not None
    own = next(entry.run for entry in session.view.collection.runs if entry.name == run)
    measure = str(session.view.measure)
    before = evaluate(Qrels.from_dict(grades), own, [measure]).by_query(measure)[document.query_id]
    grades[document.query_id][document.doc_id] = document.second
    after = evaluate(Qrels.from_dict(grades), own, [measure]).by_query(measure)[document.query_id]
    assert changes[0] == pytest.approx(after - before, abs=1e-12)
    session.close()


def test_chosen_cells_filter_the_list() -> None:
    rows = random_grades(5, 2, 60, missing=0.0)
    session = comparing("confusion", with_runs(judged(rows)))
    session.judge_comparison.choose_cells([(0.0, 3.0), (3.0, 0.0)])
    view_model = session.judge_comparison.confusion_view_model()
    assert view_model is not None
    pairs_of_grades = {(document.first, document.second) for document in view_model.documents}
    assert pairs_of_grades == {(0.0, 3.0), (3.0, 0.0)}
    assert len(view_model.documents) == sum(set(pair) == {0.0, 3.0} for pair in zip(*rows, strict=True))
    session.close()


def test_keys_adjudicate_as_a_judge_of_its_own_and_go_on() -> None:
    session = comparing("confusion", with_runs(judged(random_grades(5, 2, 60, missing=0.0))))
    assert not run_command(session, "grade_2")  # no document is selected
    session.judge_comparison.select(0)
    before = [dict(judgment_set.qrels.judgments("q0")) for judgment_set in session.judges.sets]
    view_model = session.judge_comparison.confusion_view_model()
    assert view_model is not None
    first, second = view_model.documents[:2]
    assert run_command(session, "grade_2")
    assert session.judge_comparison.listed == 1
    assert run_command(session, "grade_0")
    adjudicated = session.judges.sets[2]
    assert (adjudicated.name, adjudicated.facts.origin, len(adjudicated.overlay)) == ("adjudicated", "human", 2)
    assert adjudicated.qrels.judgments(first.query_id)[first.doc_id] == 2
    assert adjudicated.qrels.judgments(second.query_id)[second.doc_id] == 0
    assert [dict(judgment_set.qrels.judgments("q0")) for judgment_set in session.judges.sets[:2]] == before
    assert session.judge_comparison.pair == (0, 1)
    view_model = session.judge_comparison.confusion_view_model()
    assert view_model is not None
    assert view_model.n_adjudicated == 2
    assert session.history.undo()
    assert session.history.undo()
    assert len(session.judges.sets) == 2
    session.close()


def test_judges_without_runs_have_a_list_without_changes() -> None:
    session = comparing("confusion", judged(random_grades(5, 2, 40)))
    view_model = session.judge_comparison.confusion_view_model()
    assert view_model is not None
    assert "No runs are open" in view_model.list_note
    assert view_model.documents
    assert view_model.listed is not None
    assert "change" not in {column.key for column in view_model.listed.columns}
    assert view_model.by_query is not None
    assert view_model.by_query.column("pairs").numbers[""].sum() == sum(view_model.two_by_two)
    session.close()


def test_systems_by_judge_shows_what_the_analysis_computes() -> None:
    rows = random_grades(5, 3, 60, missing=0.0)
    with_some = with_runs(judged(rows))
    session = comparing("judges", with_some)
    view_model = session.judge_comparison.systems_view_model()
    assert view_model is not None
    expected = systems_by_judge(
        panel_of(judges_of(rows)),
        [entry.run for entry in with_some.runs],
        session.view.measure,
        AgreementOptions(samples=0),
    )
    assert [run.name for run in view_model.runs] == [expected.runs[place] for place in expected.order.tolist()]
    for column, place in zip(view_model.columns, view_model.places, strict=True):
        np.testing.assert_array_equal(column.values, expected.judges[place].values[expected.order])
        np.testing.assert_array_equal(column.ranks, expected.judges[place].ranks[expected.order])
    tau = expected.judges[1].order
    assert tau is not None
    assert tau.tau.value is not None
    assert view_model.orders is not None
    assert view_model.orders.column("tau").values[1] == tau.tau.value
    assert view_model.orders.column("same_both").values[0] is None
    assert view_model.by_judge is not None
    assert list(view_model.by_judge.column("judge1").values) == view_model.columns[1].values.tolist()
    session.close()


def test_a_run_of_the_family_of_the_judge_is_marked() -> None:
    with_some = with_runs(judged(random_grades(5, 2, 60, missing=0.0)))
    model = replace(with_some.judgments[1], facts=JudgeFacts("model", "GPT-4"))
    session = comparing("judges", replace(with_some, judgments=(with_some.judgments[0], model)))
    assert session.view.collection is not None
    session.runs.set_family(session.view.collection.runs[0].key, "GPT-4")
    session.compute_now()
    view_model = session.judge_comparison.systems_view_model()
    assert view_model is not None
    assert sorted(run.name for run in view_model.runs) == ["down", "up ◆"]
    session.close()


def test_systems_by_judge_needs_judges_and_runs() -> None:
    for lacking, words in (
        (judged(random_grades(5, 1, 20)), "two judgment sets"),
        (judged(random_grades(5, 2, 20)), "needs runs"),
    ):
        session = comparing("judges", lacking)
        view_model = session.judge_comparison.systems_view_model()
        assert view_model is not None
        assert words in view_model.explanation
        session.close()


def test_no_difference_of_grades_where_the_scales_differ() -> None:
    graded, binary = random_grades(4, 1, 60), random_grades(4, 1, 60, scale=(0, 1))
    session = comparing("agreement", judged([graded[0], binary[0]]))
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    assert view_model.beside is not None
    assert np.isnan(view_model.beside["difference"]).all()
    assert any("differs from that of" in line for line in view_model.below)
    assert (view_model.statistic, next(iter(view_model.beside))) == ("kappa_level", "kappa_level")
    assert set(view_model.withheld) == {"same_grade", "kappa_quadratic", "alpha_ordinal"}
    assert [row.value for row in view_model.pair_statistics if row.title == "largest kappa ≥1"] != []
    assert np.isnan(view_model.beside["same_grade"]).all() and np.isfinite(view_model.beside["kappa_level_max"][1])
    session.judge_comparison.go_to("confusion")
    session.compute_now()
    confusion = session.judge_comparison.confusion_view_model()
    assert confusion is not None
    assert confusion.coefficients is not None
    row = list(confusion.coefficients.keys).index("difference")
    assert np.isnan(confusion.coefficients.column("value").numbers[""][row])
    session.close()
    session = comparing("agreement", judged([graded[0], random_grades(5, 1, 60)[0]]))
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    assert view_model.beside is not None
    assert np.isfinite(view_model.beside["difference"][1])
    session.close()


def test_corrected_scores_are_those_of_the_analysis() -> None:
    model, human = random_grades(5, 2, 80, missing=0.0)
    human = [grade if place % 4 < 3 else None for place, grade in enumerate(human)]  # 3 of the 4 queries
    with_some = with_runs(judged([model, human], ("model", "human")))
    session = comparing("corrected", with_some)
    view_model = session.judge_comparison.corrected_view_model()
    assert view_model is not None
    assert not view_model.explanation
    judges = judges_of([model, human])
    expected = corrected_scores(judges[1], judges[0], [entry.run for entry in with_some.runs], session.view.measure)
    table = view_model.table
    assert table is not None
    assert [label.name for label in view_model.runs] == list(table.keys)
    for place, name in enumerate(expected.runs):
        row = list(table.keys).index(name)
        assert table.column("value").values[row] == expected.means.values[place]
        np.testing.assert_equal(table.column("interval").parts["low"][row], expected.means.low[place])
    assert np.isnan(table.column("difference").numbers[""]).sum() == 1
    run = view_model.run
    assert run is not None
    place = expected.runs.index(run.label.name)
    up, down = judges[1].qrels, judges[0].qrels
    assert len(run.query_ids) == 3
    assert len(run.unsampled) == 1
    own = [entry.run for entry in with_some.runs][place]
    for qrels, values in ((up, run.human), (down, run.model)):
        table = evaluate(qrels, [own], [session.view.measure])
        _, whole = table.of(session.view.measure)
        by_query = dict(zip(table.query_ids, whole[0].tolist(), strict=True))
        assert values.tolist() == [by_query[query] for query in run.query_ids]
    # By hand, with 3 of 4 queries: the human alone, and corrected.
    human_values, apart = run.human, run.human - run.model
    t = float(stats.t.ppf(0.975, 2))
    spread, left = float(np.var(human_values, ddof=1)), float(np.var(apart, ddof=1))
    assert run.score.alone_now == pytest.approx(t * (spread / 3) ** 0.5)
    assert run.score.corrected_now == pytest.approx(t * (spread / 4 + (1 / 3 - 1 / 4) * left) ** 0.5)
    assert run.score.queries.tolist() == [3, 4]
    assert run.shift == pytest.approx(apart.mean())
    session.close()


def test_corrected_scores_say_what_they_need() -> None:
    for lacking, words in (
        (judged(random_grades(5, 1, 20)), "need two judges"),
        (judged(random_grades(5, 2, 20)), "need runs"),
        (with_runs(judged(random_grades(5, 2, 40, missing=0.0))), "nothing to correct"),
    ):
        session = comparing("corrected", lacking)
        view_model = session.judge_comparison.corrected_view_model()
        assert view_model is not None
        assert words in view_model.explanation
        session.close()


def judged_part(run: Run, qrels: Qrels) -> Run:
    """The run without the documents that a judge did not judge, by a plain loop."""
    lists = {
        query: {doc: -float(rank) for rank, doc in enumerate(run.ranking(query)) if doc in qrels.judgments(query)}
        for query in run.query_ids
    }
    return Run.from_dict({query: ranks for query, ranks in lists.items() if ranks}, name=run.name)


@pytest.mark.parametrize("in_view", [0, 1])
def test_judged_only_every_judge_removes_what_it_did_not_judge(in_view: int) -> None:
    """Whichever judge is in view."""
    first, second = random_grades(5, 2, 80, missing=0.4)
    second = [grade if place % 4 < 3 else None for place, grade in enumerate(second)]  # 3 of the 4 queries
    session = session_with(with_all_documents(judged([first, second], ("model", "human"))))
    session.protocol.set_number("samples", "100")
    session.evaluation.set_measure("AP")
    session.protocol.set(judged_only=True)
    session.judges.choose(in_view)
    collection = session.view.collection
    assert collection is not None
    runs, judges = [entry.run for entry in collection.runs], judges_of([first, second])
    plain = [evaluate(judge.qrels, [judged_part(run, judge.qrels) for run in runs], ["AP"]) for judge in judges]

    def show(tab: str) -> None:
        session.judge_comparison.go_to(tab)
        session.compute_now()

    show("judges")
    systems = session.judge_comparison.known_systems()
    assert systems is not None
    for judge, result in zip(judges, plain, strict=True):
        own = systems[judge.name]
        for run in runs:
            values = result.by_query("AP", run=run.name)
            wanted = np.mean([values.get(query, 0.0) for query in own.queries])
            assert own.values[systems.runs.index(run.name)] == pytest.approx(wanted)
    assert any("this judge did not judge" in note for note in systems.notes)
    show("corrected")
    scores = session.judge_comparison.known_corrected()
    assert scores is not None
    for place, run in enumerate(runs):
        values = plain[0].by_query("AP", run=run.name)
        assert scores.model_values[place] == pytest.approx([values.get(query, 0.0) for query in scores.query_ids])
    assert any(note.startswith("Judged only") for note in scores.notes)
    show("confusion")
    two = session.judge_comparison.known_confusion()
    assert two is not None and two.leverage is not None
    base = judges[session.judge_comparison.pair[0]]
    assert two.leverage.condensed == base.name
    document = two.documents[0]
    grades = {query: dict(base.qrels.judgments(query)) for query in base.qrels.query_ids}
    grades[document.query_id][document.doc_id] = document.second
    for place, run in enumerate(runs):
        short = judged_part(run, base.qrels)
        after, before = (
            evaluate(qrels, [short], ["AP"]).by_query("AP").get(document.query_id, 0.0)
            for qrels in (Qrels.from_dict(grades), base.qrels)
        )
        assert two.leverage.changes[0, place] == pytest.approx(after - before)
    session.close()


def with_all_documents(judged_collection: Collection) -> Collection:
    """The collection with three runs that return every document of a query, in different orders."""
    lists: dict[str, list[str]] = {}
    for place in range(80):
        lists.setdefault(f"q{place % 4}", []).append(f"d{place}")
    dice = np.random.default_rng(2)
    runs = [
        Run.from_dict({query: {doc: float(dice.random()) for doc in ids} for query, ids in lists.items()}, name=name)
        for name in ("one", "two", "three")
    ]
    return judged_collection.with_runs(runs)
