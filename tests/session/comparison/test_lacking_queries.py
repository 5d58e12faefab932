"""Where runs lack queries that are left out, a difference is over the queries that both have, as its interval is."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.evaluation.evaluate import evaluate
from irviewer.model.query_sets import QueryWeights
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.session import Session
from irviewer.session.view_models.sets import SetsViewModel
from irviewer.session.view_models.systems import SystemsViewModel
from tests.helpers.lacking import qrels_and_runs
from tests.session.helpers import session_with

AP = "AP"


def session_of(dialect: str, measure: str = AP, *, weights: QueryWeights | None = None) -> Session:
    qrels, runs = qrels_and_runs()
    opened = Collection("made", judgments=(JudgmentSet(qrels, Regime.COMPLETE),), weights=weights).with_runs(runs)
    session = session_with(opened)
    session.evaluation.set_measure(measure)
    session.protocol.set(dialect=dialect)
    session.runs.set_baseline(0)
    session.runs.set_focus(1)
    return session


def systems(session: Session) -> SystemsViewModel:
    session.navigation.set_place("systems")
    session.comparison.compared()
    view_model = session.comparison.systems_view_model()
    assert view_model is not None
    return view_model


def sets(session: Session) -> SetsViewModel:
    session.comparison.compared()
    view_model = session.query_sets.sets_view_model()
    assert view_model is not None
    return view_model


def over_common(session: Session, queries: list[str] | None = None) -> tuple[float, float]:
    """The means of part and base over the queries that both have, by the API."""
    qrels, (base, part, _) = qrels_and_runs()
    text = str(session.view.measure)
    tables = [evaluate(qrels, run, [text]).by_query(text) for run in (part, base)]
    kept = [query for query in part.query_ids if queries is None or query in queries]
    return tuple(float(np.mean([table[query] for query in kept])) for table in tables)  # type: ignore[return-value]


@pytest.mark.parametrize("dialect", ["trec_eval-9", "gdeval"])
def test_systems(dialect: str) -> None:
    session = session_of(dialect)
    view_model = systems(session)
    row = next(place for place, label in enumerate(view_model.runs) if label.name == "part")
    base = next(place for place, label in enumerate(view_model.runs) if label.baseline)
    column = next(place for place, measure in enumerate(view_model.columns) if measure.chosen)
    part_mean, base_mean = over_common(session)
    assert view_model.means[row, column] > view_model.means[base, column]  # each over its own queries
    assert view_model.delta[row] == pytest.approx(part_mean - base_mean)
    assert view_model.delta[row] < 0
    assert view_model.statistics is not None
    assert view_model.statistics.low[row] <= view_model.delta[row] <= view_model.statistics.high[row]
    assert not view_model.best[:, column].any()  # the best mean is that of a run that is worse
    assert view_model.in_common[row] == (
        f"Over the 14 queries that both have: part {part_mean:.4f}, base {base_mean:.4f}.".replace("0.", ".")
    )
    assert [text for place, text in enumerate(view_model.in_common) if place != row] == ["", ""]
    assert "mean of 14 to 30 queries" in view_model.note


def test_the_note_of_systems_counts_runs_that_are_not_shown() -> None:
    session = session_of("trec_eval-9")
    session.runs.show_run(1, False)
    assert "mean of 14 to 30 queries" in systems(session).note


def test_a_query_set_and_a_geometric_mean() -> None:
    session = session_of("trec_eval-9", "gm_map")
    chosen = [str(number) for number in range(2, 30)]
    session.query_sets.make_query_set("some", chosen, looked=False)
    session.query_sets.set_query_set("some")
    view_model = systems(session)
    row = next(place for place, label in enumerate(view_model.runs) if label.name == "part")
    assert view_model.ratio
    assert view_model.statistics is not None
    assert view_model.statistics.low[row] <= view_model.delta[row] <= view_model.statistics.high[row]
    compared = session.comparison.compared()
    assert compared is not None
    pair = compared.pair(1)
    assert pair is not None
    qrels, (base, part, _) = qrels_and_runs()
    kept = sorted(set(part.query_ids) & set(chosen))
    assert pair.n == len(kept) == 13
    logs = [
        np.log(np.maximum([evaluate(qrels, run, ["AP"]).by_query("AP")[query] for query in kept], 1e-5)).mean()
        for run in (part, base)
    ]
    assert view_model.delta[row] == pytest.approx(logs[0] - logs[1])
    assert pair.difference == pytest.approx(logs[0] - logs[1])


def test_query_sets() -> None:
    weights = QueryWeights({str(number): float(number) for number in range(1, 31)}, "numbers")
    session = session_of("trec_eval-9", weights=weights)
    first, second = ([str(number) for number in numbers] for numbers in (range(1, 8), range(8, 25)))
    session.query_sets.make_query_set("first", first, looked=False)
    session.query_sets.make_query_set("second", second, looked=False)
    view_model = sets(session)
    change = view_model.table.column("difference")
    delta = {row.key or row.kind: float(value) for row, value in zip(view_model.rows, change.values, strict=True)}
    words = {row.key or row.kind: change.tips(place) for place, row in enumerate(view_model.rows)}  # type: ignore[misc]
    of_all, of_first, of_second = (np.subtract(*over_common(session, some)) for some in (None, first, second))
    assert delta["all"] == pytest.approx(of_all)
    assert delta["first"] == pytest.approx(of_first)
    assert delta["second"] == pytest.approx(of_second)
    assert delta["macro"] == pytest.approx((of_first + of_second) / 2)
    assert delta["micro"] == pytest.approx(of_all)
    compared = session.comparison.compared()
    assert compared is not None
    pair = compared.pair(1)
    assert pair is not None
    assert pair.weighted_difference is not None
    assert delta["weighted"] == pytest.approx(pair.weighted_difference)
    assert words["first"] == ""
    assert words["second"].startswith("Over the 7 queries that both have: part ")
    assert words["macro"] == "Over the queries that both runs have."


def test_without_common_queries_there_is_no_difference() -> None:
    session = session_of("trec_eval-9")
    session.query_sets.make_query_set("hard", ["20", "21"], looked=False)
    session.query_sets.set_query_set("hard")
    view_model = systems(session)
    row = next(place for place, label in enumerate(view_model.runs) if label.name == "part")
    assert np.isnan(view_model.delta[row])
    assert view_model.in_common[row] == "The two runs have no query in common."


def test_compare_says_over_how_many_queries() -> None:
    session = session_of("trec_eval-9")
    session.navigation.set_place("compare")
    session.comparison.compared("pairs")
    pair = session.comparison.pair_view_model()
    assert pair is not None
    assert pair.note.startswith("14 of 30 queries · ")
    session.navigation.set_tab("compare", "matrices")
    session.matrices.set_matrix("difference")
    matrix = session.matrices.matrix_view_model()
    assert matrix is not None
    assert "mean of the queries that both runs have, 14 to 30 of 30 queries" in matrix.note


def test_where_missing_queries_count_as_0_means_are_over_all() -> None:
    session = session_of("trec_eval")
    view_model = systems(session)
    assert "mean of 30 queries" in view_model.note
    assert set(view_model.in_common) == {""}
