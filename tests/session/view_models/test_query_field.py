"""What all runs say of each query in the Queries place, against numpy and scipy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from irviewer.commands import run_command
from irviewer.errors import OptionError
from irviewer.session.session import Session
from irviewer.session.settings import SettingError
from irviewer.session.view_models.queries import QueriesViewModel, QueryField
from tests.session.helpers import collection, session_with


def view_model_of(session: Session) -> QueriesViewModel:
    view_model = session.view_models.queries_view_model()
    assert view_model is not None
    return view_model


def field_of(session: Session) -> QueryField:
    field = view_model_of(session).field
    assert field is not None
    return field


def values_of(session: Session) -> np.ndarray:
    """float64[R, N] in the table's order."""
    context = session.view.context
    assert context is not None
    rows = [context.query_ids.index(query_id) for query_id in view_model_of(session).query_ids]
    return np.array([context.values(entry, context.measure) for entry in context.collection.runs])[:, rows]


def test_the_columns_are_the_medians_the_means_and_the_agreement() -> None:
    session = session_with(collection(6, queries=15))
    for name in ("mean", "agreement"):
        session.columns.set_query_column(name, True)
    field, values, context = field_of(session), values_of(session), session.view.context
    assert context is not None
    assert field.columns == ("median", "mean", "agreement")
    focus = next(place for place, entry in enumerate(context.collection.runs) if entry.key == context.focus)
    assert field.median == pytest.approx(values[focus] - np.median(values, axis=0))
    assert field.mean == pytest.approx(values.mean(axis=0))
    ranks = scipy.stats.rankdata(-np.round(values.mean(axis=0), 12))
    assert field.difficulty == pytest.approx((ranks - 1) / 14)
    for query in range(15):
        rest = np.delete(values, query, axis=1).mean(axis=1)
        pairs = [(a, b) for a in range(6) for b in range(a)]
        signs = [np.sign(values[a, query] - values[b, query]) * np.sign(round(rest[a] - rest[b], 9)) for a, b in pairs]
        assert field.agreement[query] == pytest.approx(np.mean(signs))
        apart = np.mean([values[a, query] != values[b, query] for a, b in pairs])
        assert field.discriminates[query] == (apart >= 0.5 and np.mean(signs) > 0)


def test_the_median_wants_five_runs_and_is_shown_of_itself() -> None:
    assert field_of(session_with(collection(5))).columns == ("median",)
    session = session_with(collection(4))
    assert view_model_of(session).field is None
    session.columns.set_query_column("mean", True)
    assert field_of(session).columns == ("mean",)


def test_columns_sort_the_queries() -> None:
    session = session_with(collection(6, queries=15))
    session.columns.set_query_column("mean", True)
    session.columns.set_query_column("agreement", True)
    for column in ("median", "mean", "agreement"):
        session.navigation.sort_queries(column, True)
        shown = getattr(field_of(session), column)
        assert (np.diff(shown) <= 0).all()
        assert view_model_of(session).sort == (column, True)
    assert view_model_of(session).note.startswith("sorted by agreement")


def test_runs_are_compared_in_pairs_only_for_the_column_of_agreement() -> None:
    session = session_with(collection(6, queries=15))
    session.columns.set_query_column("mean", True)
    field = field_of(session)
    assert np.isnan(field.agreement).all()
    assert not field.discriminates.any()
    session.navigation.sort_queries("agreement", True)
    unshown = view_model_of(session).query_ids
    session.columns.set_query_column("agreement", True)
    assert (np.diff(field_of(session).agreement) <= 0).all()
    assert view_model_of(session).query_ids == unshown


def test_bars_against_the_median() -> None:
    session = session_with(collection(6, queries=15))
    before = view_model_of(session)
    session.columns.set_bars_against("median")
    view_model, field = view_model_of(session), field_of(session)
    assert view_model.bars.bars is not None
    assert view_model.bars.bars.heights == pytest.approx(field.median)
    assert "median of 6 runs" in view_model.bars.title
    assert view_model.better == (field.median > 1e-9).sum()
    assert view_model.delta.tolist() == before.delta.tolist(), "the table's Δ stays against the baseline"
    few = session_with(collection(4))
    few.columns.set_bars_against("median")
    assert "median" not in view_model_of(few).bars.title


def test_of_the_set_in_force() -> None:
    session = session_with(collection(6, queries=15))
    session.columns.set_query_column("mean", True)
    session.query_sets.make_query_set("few", ["1", "2", "3"])
    session.query_sets.set_query_set("few")
    field = field_of(session)
    assert field.mean == pytest.approx(values_of(session).mean(axis=0))
    assert sorted(field.difficulty.tolist()) == [0, 0.5, 1]


def test_commands_choose_and_remember() -> None:
    session = session_with(collection(6))
    run_command(session, "querycolumn mean")
    run_command(session, "querycolumn median")
    assert session.columns.query_columns == ("mean",) == tuple(session.settings["query_columns"])
    run_command(session, "bars_median")
    assert session.columns.bars_against == "median"
    run_command(session, "bars_median")
    assert session.columns.bars_against == "baseline"
    with pytest.raises(OptionError, match="Unknown column"):
        session.columns.set_query_column("colour", True)
    with pytest.raises(SettingError):
        session.columns.set_bars_against("mode")


def test_walking_the_queries_keeps_what_is_known_of_them() -> None:
    session = session_with(collection(6, queries=15))
    known = field_of(session)
    for _ in range(10):
        session.navigation.step_query(1)
        assert field_of(session).median is known.median
