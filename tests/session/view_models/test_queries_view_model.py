"""The Queries place's view model: one order for table, bars and map."""

from __future__ import annotations

import math

import numpy as np

from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.session import Session
from irviewer.session.view_models.queries import QueriesViewModel
from tests.session.helpers import session_with

QRELS = {"2": {"a": 1}, "10": {"a": 1, "b": 1}, "1": {"a": 2, "n": 0}, "3": {"a": 0}}
BASE = {"1": {"a": 1.0}, "2": {"x": 1.0}, "10": {"b": 2.0, "a": 1.0}}
OTHER = {"1": {"y": 2.0, "a": 1.0, "n": 0.5}, "2": {"a": 1.0}, "10": {"b": 2.0, "a": 1.0}}


def four(regime: Regime = Regime.POOLED) -> Session:
    texts = TextTable.from_rows(
        [{"id": "1", "text": "pear"}, {"id": "2", "text": "Apple"}, {"id": "10", "text": "fig"}]
    )
    collection = Collection("four", queries=texts, judgments=(JudgmentSet(Qrels.from_dict(QRELS), regime),))
    session = session_with(collection.with_runs([Run.from_dict(BASE, name="base"), Run.from_dict(OTHER, name="other")]))
    session.evaluation.set_measure("RR")
    return session


def view_model(session: Session) -> QueriesViewModel:
    found = session.view_models.queries_view_model()
    assert found is not None
    return found


def test_queries_are_counted_as_a_person_counts() -> None:
    session = four()
    session.navigation.sort_queries("query", False)
    assert view_model(session).query_ids == ("1", "2", "3", "10")
    session.navigation.sort_queries("query", True)
    assert view_model(session).query_ids == ("10", "3", "2", "1")


def test_values_deltas_and_counts_stand_in_the_order_of_the_rows() -> None:
    session = four()
    session.navigation.sort_queries("delta", True)
    found = view_model(session)
    assert found.query_ids == ("2", "3", "10", "1")
    assert found.values.tolist() == [[0, 1], [0, 0], [1, 1], [1, 0.5]]
    assert found.delta.tolist() == [1, 0, 0, -0.5]
    assert found.spread.tolist() == [1, 0, 0, 0.5]
    assert found.relevant.tolist() == [1, 0, 2, 1]
    assert found.texts == ("Apple", "", "fig", "pear")
    assert (found.better, found.equal, found.worse, found.total) == (1, 2, 1, 4)
    assert found.delta_note == "other − base"
    assert found.bars.bars is not None
    assert found.bars.bars.keys == found.query_ids
    assert found.bars.bars.heights.tolist() == found.delta.tolist()


def test_every_column_sorts_and_equal_values_keep_the_counting_order() -> None:
    session = four()
    for column, descending, wanted in (
        ("text", False, ["3", "2", "10", "1"]),
        ("relevant", True, ["10", "1", "2", "3"]),
        ("relevant", False, ["3", "1", "2", "10"]),
        ("spread", True, ["2", "1", "3", "10"]),
        ("1", True, ["2", "10", "1", "3"]),
        ("0", False, ["2", "3", "1", "10"]),
    ):
        session.navigation.sort_queries(column, descending)
        assert list(view_model(session).query_ids) == wanted, (column, descending)
        assert view_model(session).sort == (column, descending)


def test_the_map_has_a_column_a_query_in_the_same_order() -> None:
    session = four()
    session.navigation.sort_queries("delta", True)
    found = view_model(session).map
    assert found is not None
    assert found.run.name == "other"
    assert found.cells.shape == (3, 4)  # depth 3; queries 2, 3, 10, 1
    assert found.cells[:, 0].tolist() == [1, -math.inf, -math.inf]
    assert found.cells[:, 1].tolist() == [-math.inf] * 3  # the run lacks query 3
    assert found.cells[:, 2].tolist() == [1, 1, -math.inf]
    assert math.isnan(found.cells[0, 3])
    assert found.cells[1:, 3].tolist() == [2, 0]


def test_a_complete_map_has_zero_where_nothing_is_listed() -> None:
    session = four(Regime.COMPLETE)
    session.navigation.sort_queries("query", False)
    found = view_model(session).map
    assert found is not None
    assert found.cells[:, 0].tolist() == [0, 2, 0]


def test_filter_and_selection_agree() -> None:
    session = four()
    session.navigation.sort_queries("query", False)
    session.navigation.set_query("10")
    assert view_model(session).selected == 3
    session.navigation.filter_queries("Δ > 0.5")
    found = view_model(session)
    assert (found.query_ids, found.selected, found.title) == (("2",), -1, "1 of 4 queries · RR")
    assert found.map is not None
    assert found.map.cells.shape == (3, 1)
    session.navigation.step_query(1)
    assert session.view.query_id == "2"
    assert view_model(session).selected == 0


def test_a_filter_that_cannot_be_read_hides_nothing_and_says_why() -> None:
    session = four()
    session.navigation.filter_queries("Δ >")
    found = view_model(session)
    assert len(found.query_ids) == 4
    assert "needs a number" in found.filter_error
    assert found.filter == "Δ >"


def test_a_cost_is_better_when_it_is_less() -> None:
    session = four()
    higher = view_model(session)
    session.evaluation.set_measure("SearchLength")
    found = view_model(session)
    by_query = dict(zip(found.query_ids, found.delta.tolist(), strict=True))
    assert by_query["2"] < 0 < by_query["1"]  # fewer documents to read for query 2, more for query 1
    assert (found.better, found.worse) == (higher.better, higher.worse)
    session.navigation.sort_queries("query", False)
    assert view_model(session).heat[1, 1] > view_model(session).heat[1, 0]


def test_heat_is_between_0_and_1_and_follows_the_value() -> None:
    session = four()
    found = view_model(session)
    order = np.argsort(found.values, axis=None)
    assert (np.diff(found.heat.ravel()[order]) >= 0).all()
    assert found.heat.min() >= 0
    assert found.heat.max() <= 1


def test_one_run_alone_has_no_delta_and_no_spread() -> None:
    session = four()
    session.runs.show_run(1, False)
    found = view_model(session)
    assert np.isnan(found.delta).all()
    assert np.isnan(found.spread).all()
    assert (found.better, found.equal, found.worse) == (0, 0, 0)
    assert found.map is not None
    assert found.map.run.name == "base"


def test_without_judgments_there_is_a_table_without_numbers() -> None:
    session = session_with(Collection("bare").with_runs([Run.from_dict(BASE, name="base")]))
    found = view_model(session)
    assert found.query_ids == ("1", "2", "10")
    assert np.isnan(found.values).all()
    assert found.map is None
    assert found.explanation


def test_brushed_queries_are_marked_in_the_bars() -> None:
    session = four()
    before = view_model(session).bars.bars
    assert before is not None
    assert before.marked is None
    session.query_sets.brush(["2", "10"])
    found = view_model(session).bars.bars
    assert found is not None
    assert found.marked is not None
    assert {key for key, on in zip(found.keys, found.marked.tolist(), strict=True) if on} == {"2", "10"}
