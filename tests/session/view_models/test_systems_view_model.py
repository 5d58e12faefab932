"""The Systems place's view model: means, the best, differences, order."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import make_weights
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.evaluation.default_measures import recall_depth
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.view_models.systems import SystemsViewModel, shade
from tests.session.helpers import collection, session_with

QRELS = {"1": {"a": 1}, "2": {"a": 1}}
RANKS = {"first": (1, 1), "second": (2, 2), "third": (4, 4), "mixed": (1, 2)}


def four(settings: Settings | None = None) -> Session:
    runs = [Run.from_dict({q: _ranking(rank) for q, rank in zip("12", ranks, strict=True)}, name=name)
            for name, ranks in RANKS.items()]  # fmt: skip
    collection = Collection("four", judgments=(JudgmentSet(Qrels.from_dict(QRELS), Regime.SPARSE),)).with_runs(runs)
    session = session_with(collection, settings=settings)
    session.evaluation.set_measure("RR")
    return session


def _ranking(rank: int) -> dict[str, float]:
    return {("a" if place == rank else f"x{place}"): -float(place) for place in range(1, 5)}


def view_model(session: Session) -> SystemsViewModel:
    systems = session.view_models.systems_view_model()
    assert systems is not None
    return systems


def column(systems: SystemsViewModel, measure: str) -> list[float]:
    place = [table_column.measure for table_column in systems.columns].index(measure)
    return list(systems.means[:, place].tolist())


def test_runs_are_in_order_of_the_chosen_measure_until_the_user_sorts() -> None:
    session = four()
    systems = view_model(session)
    assert [run.name for run in systems.runs] == ["first", "mixed", "second", "third"]
    assert systems.sort == ("RR", True)
    assert column(systems, "RR") == [1, 0.75, 0.5, 0.25]
    session.navigation.sort_systems("run", False)
    assert [run.name for run in view_model(session).runs] == ["first", "mixed", "second", "third"]
    session.navigation.sort_systems("", False)
    assert [run.name for run in view_model(session).runs] == ["first", "second", "third", "mixed"]
    session.navigation.sort_systems("delta", False)
    assert [run.name for run in view_model(session).runs] == ["third", "second", "mixed", "first"]
    session.navigation.sort_systems("AP", True)
    assert [run.name for run in view_model(session).runs] == ["first", "mixed", "second", "third"]


def test_best_marks_all_that_tie_and_nothing_where_all_are_equal() -> None:
    session = four()
    session.evaluation.set_measure("Success@2")
    systems = view_model(session)
    place = [table_column.measure for table_column in systems.columns].index("Success@2")
    assert systems.best[:, place].tolist() == [value == 1 for value in systems.means[:, place].tolist()]
    assert systems.best[:, place].sum() == 3
    place = [table_column.measure for table_column in systems.columns].index("P@10")
    assert not systems.best[:, place].any()


def test_delta_is_against_the_baseline_which_has_none() -> None:
    session = four()
    session.runs.set_baseline(1)
    systems = view_model(session)
    deltas = {run.name: delta for run, delta in zip(systems.runs, systems.delta.tolist(), strict=True)}
    assert math.isnan(deltas.pop("second"))
    assert deltas == {"first": 0.5, "third": -0.25, "mixed": 0.25}
    assert systems.delta_label == "Δ RR"
    session.navigation.sort_systems("delta", True)
    assert [run.name for run in view_model(session).runs] == ["first", "mixed", "second", "third"]


def test_the_chosen_measure_is_a_column_and_marked() -> None:
    session = four()
    session.evaluation.set_measure("Success@1")
    chosen = [table_column.measure for table_column in view_model(session).columns if table_column.chosen]
    assert chosen == ["Success@1"]
    session.evaluation.set_measure("AP")
    measures = [table_column.measure for table_column in view_model(session).columns]
    assert measures.count("AP") == 1


def test_columns_follow_the_setting_and_unknown_names_are_left_out() -> None:
    settings = Settings()
    settings["table_measures"] = ["P@1", "from_the_future", "RR"]
    session = four(settings)
    assert [table_column.measure for table_column in view_model(session).columns] == ["P@1", "RR"]


def test_curves_are_of_the_shown_runs() -> None:
    session = four()
    session.runs.show_runs([0, 3])
    systems = view_model(session)
    assert [curve.role.run for curve in systems.precision_recall.curves] == [0, 3]
    assert [curve.role.run for curve in systems.by_cutoff.curves] == [0, 3]
    assert systems.by_cutoff.x.high == 4


def test_shade_is_steepest_among_the_best() -> None:
    values = np.array([0.0, 0.5, 0.9, 1.0, np.nan])
    heat = shade(values)
    assert heat[[0, 3, 4]].tolist() == [0, 1, 0]
    assert heat[3] - heat[2] > heat[1] - heat[0]
    assert shade(values, higher_is_better=False)[[0, 3, 4]].tolist() == [1, 0, 0]
    assert shade(np.array([2.0, 2.0])).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("depth", "cutoff"), [(3, 5), (10, 10), (49, 20), (50, 50), (100, 50), (500, 100), (1000, 1000)]
)
def test_recall_is_shown_at_a_depth_that_runs_have(depth: int, cutoff: int) -> None:
    assert recall_depth(depth) == cutoff


def test_without_judgments_the_view_model_says_what_is_missing() -> None:
    session = session_with(Collection("bare").with_runs([Run.from_dict({"1": {"a": 1.0}}, name="r")]))
    systems = view_model(session)
    assert np.isnan(systems.means).all()
    assert not systems.best.any()
    assert "qrels" in systems.explanation


def test_without_runs_the_view_model_is_empty_and_explains() -> None:
    session = session_with(Collection("bare", judgments=(JudgmentSet(Qrels.from_dict(QRELS), Regime.SPARSE),)))
    systems = view_model(session)
    assert systems.runs == ()
    assert systems.means.shape == (0, len(systems.columns))
    assert "run" in systems.explanation


def test_the_weighted_mean_is_beside_the_plain_one_and_names_its_source() -> None:
    session = session_with(collection(3, queries=12))
    assert session.view_models.systems_view_model().weighted is None  # type: ignore[union-attr]
    weights = {str(query): float(query % 4) for query in range(1, 13)}
    assert session.view.collection is not None
    session.query_sets._put(
        "weights", replace(session.view.collection, weights=make_weights(weights, "column traffic"))
    )
    session.navigation.sort_systems("weighted", True)
    view_model, context = session.view_models.systems_view_model(), session.view.context
    assert view_model is not None
    assert context is not None
    assert view_model.weighted is not None
    expected = []
    for label in view_model.runs:
        values = context.values(context.collection.run(label.key), context.measure)  # type: ignore[arg-type]
        expected.append(np.average(values, weights=[weights[query] for query in context.query_ids]))
    assert view_model.weighted == pytest.approx(expected)
    assert (np.diff(view_model.weighted) <= 0).all()
    assert view_model.weighted_by == "column traffic"
    session.evaluation.set_measure("NumRelRet")
    counted = session.view_models.systems_view_model()
    assert counted is not None
    assert counted.weighted is None, "a count over queries has no weighted mean"


def test_where_no_run_has_a_value_nothing_was_tested_and_the_reason_is_said() -> None:
    """It showed p = 1 for every run, and that each lacks all queries."""
    session = four()
    session.runs.set_baseline(session.view.collection.runs[0].key)  # type: ignore[union-attr]
    session.evaluation.set_measure("Length")
    session.navigation.set_place("systems")
    session.compute_now()
    systems = view_model(session)
    assert systems.no_values.startswith("No run has a value of Length.")
    assert "this measure needs answers; give a file of answers" in systems.no_values
    assert systems.statistics is None
    session.evaluation.set_measure("RR")
    session.compute_now()
    assert view_model(session).no_values == ""
    assert view_model(session).statistics is not None
