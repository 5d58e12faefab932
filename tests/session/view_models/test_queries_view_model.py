"""The Queries place's view model: one order for table, bars and map."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.session import Session
from irviewer.session.view_models.queries import QueriesViewModel, query_table_of
from irviewer.tables.emphasis import heat
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
    shown = session.view_models.queries_view_model()
    assert shown is not None
    return shown


def test_queries_are_counted_from_one() -> None:
    session = four()
    session.navigation.sort_queries("query", False)
    assert view_model(session).query_ids == ("1", "2", "3", "10")
    session.navigation.sort_queries("query", True)
    assert view_model(session).query_ids == ("10", "3", "2", "1")


def test_values_deltas_and_counts_are_in_the_order_of_the_rows() -> None:
    session = four()
    session.navigation.sort_queries("delta", True)
    queries = view_model(session)
    assert queries.query_ids == ("2", "3", "10", "1")
    assert queries.values.tolist() == [[0, 1], [0, 0], [1, 1], [1, 0.5]]
    assert queries.delta.tolist() == [1, 0, 0, -0.5]
    assert queries.spread.tolist() == [1, 0, 0, 0.5]
    assert queries.relevant.tolist() == [1, 0, 2, 1]
    assert queries.texts == ("Apple", "", "fig", "pear")
    assert (queries.better, queries.equal, queries.worse, queries.total) == (1, 2, 1, 4)
    assert queries.delta_note == "other − base"
    assert queries.bars.bars is not None
    assert queries.bars.bars.keys == queries.query_ids
    assert queries.bars.bars.heights.tolist() == queries.delta.tolist()


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


def test_queries_without_a_value_come_last() -> None:
    """Both runs lack query 3."""
    session = four()
    session.protocol.set(missing="intersection")
    for column, descending, wanted in (
        ("delta", True, ["2", "10", "1", "3"]),
        ("delta", False, ["1", "10", "2", "3"]),
        ("spread", True, ["2", "1", "10", "3"]),
        ("spread", False, ["10", "1", "2", "3"]),
        ("0", True, ["1", "10", "2", "3"]),
        ("0", False, ["2", "1", "10", "3"]),
    ):
        session.navigation.sort_queries(column, descending)
        assert list(view_model(session).query_ids) == wanted, (column, descending)


def test_the_map_has_a_column_a_query_in_the_same_order() -> None:
    session = four()
    session.navigation.sort_queries("delta", True)
    relevance_map = view_model(session).map
    assert relevance_map is not None
    assert relevance_map.run.name == "other"
    assert relevance_map.cells.shape == (3, 4)  # depth 3; queries 2, 3, 10, 1
    assert relevance_map.cells[:, 0].tolist() == [1, -math.inf, -math.inf]
    assert relevance_map.cells[:, 1].tolist() == [-math.inf] * 3  # the run lacks query 3
    assert relevance_map.cells[:, 2].tolist() == [1, 1, -math.inf]
    assert math.isnan(relevance_map.cells[0, 3])
    assert relevance_map.cells[1:, 3].tolist() == [2, 0]


def test_a_complete_map_has_zero_where_nothing_is_listed() -> None:
    session = four(Regime.COMPLETE)
    session.navigation.sort_queries("query", False)
    relevance_map = view_model(session).map
    assert relevance_map is not None
    assert relevance_map.cells[:, 0].tolist() == [0, 2, 0]


def test_filter_and_selection_agree() -> None:
    session = four()
    session.navigation.sort_queries("query", False)
    session.navigation.set_query("10")
    assert view_model(session).selected == 3
    session.navigation.filter_queries("Δ > 0.5")
    queries = view_model(session)
    assert (queries.query_ids, queries.selected, queries.title) == (("2",), -1, "1 of 4 queries · RR")
    assert queries.map is not None
    assert queries.map.cells.shape == (3, 1)
    session.navigation.step_query(1)
    assert session.view.query_id == "2"
    assert view_model(session).selected == 0


def test_a_filter_that_cannot_be_read_hides_nothing_and_says_why() -> None:
    session = four()
    session.navigation.filter_queries("Δ >")
    queries = view_model(session)
    assert len(queries.query_ids) == 4
    assert "needs a number" in queries.filter_error
    assert queries.filter == "Δ >"


def test_a_cost_is_better_when_it_is_less() -> None:
    session = four()
    higher = view_model(session)
    session.evaluation.set_measure("SearchLength")
    queries = view_model(session)
    by_query = dict(zip(queries.query_ids, queries.delta.tolist(), strict=True))
    assert by_query["2"] < 0 < by_query["1"]  # fewer documents to read for query 2, more for query 1
    assert (queries.better, queries.worse) == (higher.better, higher.worse)
    session.navigation.sort_queries("query", False)
    shades = [heat(column) for column in query_table_of(view_model(session)).columns if column.names == "run"]
    assert shades[1][1] > shades[0][1]


def test_heat_is_between_0_and_1_and_follows_the_value() -> None:
    session = four()
    queries = view_model(session)
    columns = [column for column in query_table_of(queries).columns if column.names == "run"]
    shades = np.stack([heat(column) for column in columns], axis=1)
    assert shades.ravel().tolist() == queries.values.ravel().tolist(), "RR is from 0 to 1"
    session.evaluation.set_measure("num_rel_ret")
    queries = view_model(session)
    columns = [column for column in query_table_of(queries).columns if column.names == "run"]
    shades = np.stack([heat(column) for column in columns], axis=1)
    assert shades == pytest.approx(queries.values / queries.values.max()), "runs have one scale"


def test_a_hidden_run_takes_part_in_the_spread() -> None:
    session = four()
    before = view_model(session)
    session.runs.show_run(1, False)
    queries = view_model(session)
    assert np.isnan(queries.delta).all()
    spread = dict(zip(before.query_ids, before.spread.tolist(), strict=True))
    assert dict(zip(queries.query_ids, queries.spread.tolist(), strict=True)) == spread
    assert (queries.better, queries.equal, queries.worse) == (0, 0, 0)
    assert queries.map is not None
    assert queries.map.run.name == "base"


def test_without_judgments_there_is_a_table_without_numbers() -> None:
    session = session_with(Collection("bare").with_runs([Run.from_dict(BASE, name="base")]))
    queries = view_model(session)
    assert queries.query_ids == ("1", "2", "10")
    assert np.isnan(queries.values).all()
    assert np.isnan(queries.relevant).all()  # 0 would say that none is relevant
    assert queries.map is None
    assert queries.explanation


def test_brushed_queries_are_marked_in_the_bars() -> None:
    session = four()
    before = view_model(session).bars.bars
    assert before is not None
    assert before.marked is None
    session.query_sets.brush(["2", "10"])
    bars = view_model(session).bars.bars
    assert bars is not None
    assert bars.marked is not None
    assert {key for key, on in zip(bars.keys, bars.marked.tolist(), strict=True) if on} == {"2", "10"}


def test_a_filter_knows_runs_by_the_names_on_screen() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1}, "2": {"a": 1}})
    runs = {
        "bm25_plain": {"1": {"a": 1.0}, "2": {"x": 1.0}},
        "bm25_plain_v2": {"1": {"x": 1.0}, "2": {"a": 1.0}},
        "bm25_PLAIN": {"1": {"x": 1.0}, "2": {"x": 1.0}},
    }
    collection = Collection("names", judgments=(JudgmentSet(qrels, Regime.POOLED),))
    session = session_with(collection.with_runs([Run.from_dict(run, name=name) for name, run in runs.items()]))
    session.evaluation.set_measure("RR")
    assert [label.name for label in session.view.labels()] == ["plain", "plain_v2", "PLAIN"]

    def kept(text: str) -> tuple[str, ...]:
        session.navigation.filter_queries(text)
        queries = view_model(session)
        assert not queries.filter_error
        return queries.query_ids

    assert kept("plain > .5") == kept("bm25_plain > .5") == ("1",)
    assert kept("plain_v2 > .5") == kept("bm25_plain_v2 > .5") == kept("v2 > .5") == ("2",)
    assert kept("PLAIN < .5") == ("1", "2")
    session.navigation.filter_queries("Plain > .5")
    assert view_model(session).filter_error == "“Plain” is ambiguous: plain, PLAIN"
    session.navigation.filter_queries("dense > .5")
    assert view_model(session).filter_error.endswith("choose one of Δ, spread, relevant, plain, plain_v2, PLAIN")
