"""Why a number of Collections has its value: the rows and formulas of its ledger give what the view shows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from irviewer.evaluation.evaluate import evaluate
from irviewer.session.session import Session
from irviewer.session.view_models.collections import CollectionsViewModel
from tests.session.collections_made import collections
from tests.session.helpers import session_with
from tests.session.number_ledgers import column, explained, names


@pytest.fixture
def session() -> Session:
    new_session = session_with(*collections(7, {2: ("weak",)}))
    new_session.evaluation.set_measure("RR")
    new_session.navigation.set_place("collections")
    new_session.compute_now()
    return new_session


def shown(session: Session) -> CollectionsViewModel:
    view_model = session.collections.collections_view_model()
    assert view_model is not None
    return view_model


def values_of(session: Session, place: int, system: str, measure: str = "RR") -> dict[str, float]:
    """The values of a system on a collection by query, evaluated anew."""
    opened = session.view.workspace.collections[place]
    entry = next(entry for entry in opened.runs if entry.name.lower() == system)
    return evaluate(opened.judgments[0].qrels, entry.run, [measure]).by_query(measure)


def four(value: float) -> str:
    return f"{value:.4f}".replace("-", "−")


def test_a_cell_is_the_mean_of_its_queries(session: Session) -> None:
    view_model = shown(session)
    keys = {number.key for number in session.numbers.numbers() if number.key.startswith("cell:")}
    assert len(keys) == 20
    for row, system in enumerate(view_model.systems):
        for head in view_model.heads:
            key = f"cell:{system.key}:{head.place}"
            value = view_model.means[row, head.place]
            assert (key in keys) == (not math.isnan(value))
            if key not in keys:
                continue
            ledger = explained(session, key)
            by_query = values_of(session, head.place, system.name)
            np.testing.assert_allclose(column(ledger, "value"), [by_query[query] for query in names(ledger)])
            assert set(names(ledger)) == set(by_query)
            assert ledger.worked == f"{four(sum(by_query.values()))} ÷ 12 = {four(value)}"
            assert f"{system.name} on {head.name} {four(value)}?" in ledger.title
            # Ids of other collections open nothing in the one in view.
            assert ledger.documents == (names(ledger) if head.place == session.state.current else ("",) * 12)


def test_macro_and_micro_are_means_of_collections_and_of_queries(session: Session) -> None:
    for place in range(7):
        session.collections.open_collection(place)
        chosen = [f"q{number}" for number in range(1, 6 if place else 4)]
        session.query_sets.make_query_set("few", chosen, looked=False)
        session.query_sets.set_query_set("few")
    session.navigation.set_place("collections")
    session.compute_now()
    view_model = shown(session)
    complete = [0, 1, 3, 4, 5, 6]
    for row, system in enumerate(view_model.systems):
        own = []
        for place in complete:
            values = values_of(session, place, system.name)
            own.append([value for query, value in values.items() if int(query[1:]) in range(1, 6 if place else 4)])
        macro, micro = (explained(session, f"{kind}:{system.key}") for kind in ("macro", "micro"))
        means = [sum(values) / len(values) for values in own]
        assert names(macro) == names(micro) == tuple(f"set{place}" for place in complete)
        np.testing.assert_allclose(column(macro, "mean"), means)
        assert macro.worked == f"{four(sum(means))} ÷ 6 = {four(float(view_model.macro[row]))}"
        np.testing.assert_allclose(column(micro, "n"), [3, 5, 5, 5, 5, 5])
        np.testing.assert_allclose(column(micro, "sum"), [sum(values) for values in own])
        assert micro.worked == f"{four(sum(map(sum, own)))} ÷ 28 = {four(float(view_model.micro[row]))}"
        assert any("set2 is left out" in rule for rule in macro.rules)


def test_the_mean_of_the_forest_plot_is_weighted_by_variance(session: Session) -> None:
    view_model = shown(session)
    system, other = view_model.pair
    ledger = explained(session, "mean")
    deltas, variances = [], []
    for place in range(7):
        mine, its = values_of(session, place, system), values_of(session, place, other)
        differences = np.array([mine[query] - its[query] for query in mine])
        deltas.append(differences.mean())
        variances.append(differences.var(ddof=1) / len(differences))
    y, v = np.array(deltas), np.array(variances)
    fixed = (y / v).sum() / (1 / v).sum()
    q = ((y - fixed) ** 2 / v).sum()
    spare = (1 / v).sum() - (1 / v**2).sum() / (1 / v).sum()
    tau2 = max(0.0, (q - 6) / spare)
    w = 1 / (v + tau2)
    mean = (w * y).sum() / w.sum()
    error = math.sqrt(max(1.0, (w * (y - mean) ** 2).sum() / 6) / w.sum())
    low, high = stats.t.interval(0.95, 6, mean, error)
    np.testing.assert_allclose(column(ledger, "delta"), y, atol=1e-12)
    np.testing.assert_allclose(column(ledger, "variance"), v)
    np.testing.assert_allclose(column(ledger, "weight"), w)
    assert ledger.worked == f"{four((w * y).sum())} ÷ {w.sum():,.2f} = {four(mean)}"
    said = " ".join(ledger.rules)
    assert f"τ² = max(0, (Q − 6) ÷ {spare:,.2f}) = {tau2:.4g}, with Q = {four(q)}" in said
    assert f"{four(mean)} ± {four(stats.t.ppf(0.975, 6))} × {four(error)} = [{four(low)}, {four(high)}]" in said
    line = next(line for line in view_model.forest if line.kind == "mean")
    assert (line.difference, line.low, line.high) == pytest.approx((mean, low, high))
    # The further collection, and a row of the plot with its weight.
    line = next(line for line in view_model.forest if line.kind == "new")
    assert f"[{four(line.low)}, {four(line.high)}]" in said
    row = explained(session, "forest:3")
    assert column(row, "delta").mean() == pytest.approx(y[3])
    assert f"= {w[3]:.4g}, {100 * w[3] / w.sum():.0f}" in " ".join(row.rules)
    assert four(view_model.forest[3].difference) in row.title


def test_a_geometric_mean_is_written_with_logarithms(session: Session) -> None:
    session.evaluation.set_measure("gm_map")
    session.compute_now()
    view_model = shown(session)
    for row, system in enumerate(view_model.systems):
        logs = {}
        for place in (0, 1, 3, 4, 5, 6):
            by_query = values_of(session, place, system.name, "gm_map")
            logs[place] = [math.log(max(value, 1e-5)) for value in by_query.values()]
        ledger = explained(session, f"cell:{system.key}:0")
        assert ledger.worked == f"exp({four(sum(logs[0]))} ÷ 12) = {four(float(view_model.means[row, 0]))}"
        every = [value for values in logs.values() for value in values]
        micro = explained(session, f"micro:{system.key}")
        assert micro.worked == f"exp({four(sum(every))} ÷ 72) = {four(math.exp(sum(every) / 72))}"
        macro = explained(session, f"macro:{system.key}")
        assert macro.worked.endswith(f"÷ 6) = {four(float(view_model.macro[row]))}")


def test_other_places_have_no_such_numbers(session: Session) -> None:
    assert session.numbers.is_here
    session.navigation.set_place("systems")
    assert not session.numbers.is_here
