"""The pool's effects in the session: when they come, what the view model holds, marks and intervals in other view
models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from irviewer.analysis.pooling.bounds import bounds
from irviewer.analysis.pooling.contributions import leave_one_out
from irviewer.model.options import EvaluationOptions
from irviewer.model.workspace import Collection, Regime
from irviewer.session.session import Session
from irviewer.session.view_models.pool import MEANT
from tests.session.helpers import cells, collection, session_with


def _open(regime: Regime = Regime.POOLED, runs: int = 4) -> Session:
    whole = collection(runs)
    whole = replace(whole, judgments=(replace(whole.judgments[0], regime=regime),))
    session = session_with(whole)
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "pool")
    return session


def _collection(session: Session) -> Collection:
    assert session.view.collection is not None
    return session.view.collection


def test_it_comes_when_it_is_computed() -> None:
    session = _open()
    view_model = session.pooling.pool_view_model()
    assert view_model is not None
    assert view_model.runs == ()
    assert view_model.explanation.startswith("Computing")
    session.compute_now()
    view_model = session.pooling.pool_view_model()
    assert view_model is not None
    assert {label.name for label in view_model.runs} == {"alpha", "beta", "gamma", "delta"}
    assert view_model.explanation == ""


def test_the_best_run_comes_first_until_another_order_is_chosen() -> None:
    session = _open()
    session.compute_now()
    whole, view_model = _collection(session), session.pooling.pool_view_model()
    assert view_model is not None
    names = [entry.name for entry in whole.runs]
    means = bounds(whole.judgments[0].qrels, [entry.run for entry in whole.runs], [str(session.view.measure)])
    value = dict(zip(names, means.mean_values[0].tolist(), strict=True))
    assert [label.name for label in view_model.runs] == sorted(names, key=lambda name: -value[name]) != names
    assert view_model.sort == ("value", True)
    session.pooling.sort_pool("run", descending=False)
    view_model = session.pooling.pool_view_model()
    assert view_model is not None
    assert [label.name for label in view_model.runs] == sorted(names)


def test_it_holds_what_the_model_found() -> None:
    session = _open()
    session.evaluation.set_measure("AP")
    session.compute_now()
    view_model, whole = session.pooling.pool_view_model(), _collection(session)
    assert view_model is not None
    runs, qrels = [entry.run for entry in whole.runs], whole.judgments[0].qrels
    limits = bounds(qrels, runs, ["AP"])
    np.testing.assert_array_equal(cells(view_model.table, "least"), limits.mean_low[0])
    np.testing.assert_array_equal(cells(view_model.table, "most"), limits.mean_high[0])
    np.testing.assert_array_equal(cells(view_model.table, "value"), limits.mean_values[0])
    left = leave_one_out(qrels, runs, ["AP"])
    np.testing.assert_array_equal(cells(view_model.table, "change"), np.diagonal(left.changes[0]))
    np.testing.assert_array_equal(cells(view_model.table, "rank_change"), np.diagonal(left.rank_changes[0]))
    # Each list holds one judged document of 25; the first ten hold it where its rank is that small.
    np.testing.assert_allclose(cells(view_model.table, "unjudged"), 24 / 25)
    assert (cells(view_model.table, "unjudged_10") >= 0.9).all()
    # The same documents are found by all: they are one contribution, which has all of them.
    assert cells(view_model.table, "relevant_alone").tolist() == [8, 8, 8, 8]
    assert "one contribution, left out together: " in view_model.note
    # The baseline could be anything up to 1, so that every difference could turn round.
    assert view_model.table is not None
    assert list(view_model.table.marks) == [(1, "value"), (2, "value"), (3, "value")]
    assert MEANT in view_model.note


def test_a_query_set_is_what_it_is_of() -> None:
    session = _open()
    session.query_sets.make_query_set("two", ("1", "2"), "made", "by hand")
    session.query_sets.set_query_set("two")
    session.compute_now()
    view_model, whole = session.pooling.pool_view_model(), _collection(session)
    assert view_model is not None
    limits = bounds(whole.judgments[0].qrels, [entry.run for entry in whole.runs], ["nDCG@10"])
    inside = [limits.query_ids.index(query_id) for query_id in ("1", "2")]
    np.testing.assert_allclose(cells(view_model.table, "least"), limits.low[0][:, inside].mean(axis=1))
    np.testing.assert_allclose(cells(view_model.table, "most"), limits.high[0][:, inside].mean(axis=1))
    assert "2 queries of two" in view_model.note


def test_sparse_judgments_are_not_boundable() -> None:
    session = _open(Regime.SPARSE)
    session.compute_now()
    view_model = session.pooling.pool_view_model()
    assert view_model is not None
    assert view_model.words == "not boundable"
    assert np.isnan(cells(view_model.table, "least")).all()
    assert view_model.table is not None
    assert not view_model.table.marks
    assert "sparse" in view_model.explanation


def test_complete_judgments_leave_nothing_open() -> None:
    session = _open(Regime.COMPLETE)
    session.compute_now()
    view_model = session.pooling.pool_view_model()
    assert view_model is not None
    assert view_model.words == "all judged"
    assert cells(view_model.table, "unjudged").tolist() == [0, 0, 0, 0]
    assert session.pooling.value_intervals() == {}


def test_what_has_no_mean_has_no_interval() -> None:
    session = _open()
    session.evaluation.set_measure("NumRelRet")
    session.compute_now()
    view_model = session.pooling.pool_view_model()
    assert view_model is not None
    assert view_model.runs == ()
    assert "no mean" in view_model.explanation


@pytest.mark.parametrize(
    ("column", "key"), [("most", "most"), ("range", "value"), ("change", "change"), ("unjudged_10", "unjudged_10")]
)
def test_it_is_sorted(column: str, key: str) -> None:
    session = _open()
    session.compute_now()
    for descending in (True, False):
        session.pooling.sort_pool(column, descending)
        view_model = session.pooling.pool_view_model()
        assert view_model is not None
        values = cells(view_model.table, key)[view_model.rows]
        ordered = np.sort(values)
        np.testing.assert_array_equal(values, ordered[::-1] if descending else ordered)
    session.pooling.sort_pool("run", True)
    view_model = session.pooling.pool_view_model()
    assert view_model is not None
    assert [label.name for label in view_model.runs] == ["gamma", "delta", "beta", "alpha"]


def test_systems_marks_what_could_turn_round() -> None:
    session = _open()
    session.navigation.set_place("systems")
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    assert not view_model.open_to_judging
    session.compute_now()
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    assert view_model.open_to_judging == {1, 2, 3}
    assert view_model.note.startswith(MEANT)
    assert session.view_models.systems_view_model() is view_model


def test_a_query_says_between_what_its_value_could_be() -> None:
    session = _open()
    session.navigation.set_place("query")
    assert session.pooling.value_intervals() == {}
    session.compute_now()
    intervals = session.pooling.value_intervals()
    assert set(intervals) == {0, 1, 2, 3}
    whole = _collection(session)
    limits = bounds(whole.judgments[0].qrels, [whole.runs[1].run], ["nDCG@10"])
    place = limits.query_ids.index(session.view.query_id)
    assert f"if its {limits.unjudged[0, 0, place]} unjudged documents were judged" in intervals[1]
    assert intervals[1].startswith("between ")
    assert session.pooling.value_intervals() is intervals


@pytest.mark.parametrize("measure", ["P@5", "AP", "(P@5 + R@5) / 2"])
def test_values_are_those_of_judged_documents_where_these_alone_are_seen(measure: str) -> None:
    """The pool's table holds the same mean as the Systems table, and changes are from there."""
    session = _open()
    session.protocol.set(judged_only=True)
    session.evaluation.set_measure(measure)
    session.compute_now()
    pool, systems = session.pooling.pool_view_model(), session.view_models.systems_view_model()
    assert pool is not None
    assert systems is not None
    column = [table_column.measure for table_column in systems.columns].index(str(session.view.measure))
    means = {label.name: systems.means[row, column] for row, label in enumerate(systems.runs)}
    assert means["alpha"] > 0
    whole = _collection(session)
    left = leave_one_out(
        whole.judgments[0].qrels, [entry.run for entry in whole.runs], [measure], EvaluationOptions(judged_only=True)
    )
    for row, label in enumerate(pool.runs):
        assert cells(pool.table, "value")[pool.rows[row]] == pytest.approx(means[label.name], abs=1e-12)
        assert left.means[0, row] == pytest.approx(means[label.name], abs=1e-12)
