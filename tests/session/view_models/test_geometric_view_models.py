"""The window under a geometric mean: ratios wherever differences stood, of the logarithms of AP, made here again."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from irviewer.measures.parser import parse_measure
from irviewer.rendering.export import figure_rows
from irviewer.session.session import Session
from tests.session.helpers import collection, run_values, session_with

FLOOR = 0.00001


@pytest.fixture
def session() -> Session:
    """Five runs, thirty queries. GMAP is the measure."""
    session = session_with(collection(5, queries=30))
    session.evaluation.set_measure("gm_map")
    return session


def levels(session: Session) -> dict[int, np.ndarray]:
    """Run's key -> ln max(AP, .00001) by query."""
    context = session.view.context
    assert context is not None
    values = {entry.key: context.values(entry, parse_measure("AP")) for entry in context.collection.runs}
    return {key: np.log(np.maximum(own, FLOOR)) for key, own in values.items()}


def test_systems_show_ratios_of_geometric_means(session: Session) -> None:
    """The comparison was MAP's, its interval that of a difference of MAP."""
    session.navigation.set_place("systems")
    session.compute_now()
    view_model, own = session.view_models.systems_view_model(), levels(session)
    assert view_model is not None
    statistics = view_model.statistics
    assert statistics is not None
    assert view_model.ratio
    assert view_model.delta_label == "ratio gm_map"
    column = [table_column.chosen for table_column in view_model.columns].index(True)
    raw = {}
    for row, label in enumerate(view_model.runs):
        assert view_model.means[row, column] == pytest.approx(math.exp(own[label.key].mean()))
        if label.baseline:
            continue
        difference = own[label.key] - own[0]
        assert view_model.delta[row] == pytest.approx(difference.mean())
        assert statistics.low[row] < view_model.delta[row] < statistics.high[row]
        raw[row] = float(stats.ttest_1samp(difference, 0).pvalue)
        assert "the ratio of the geometric means ×" in statistics.conclusions[row]
    for row, p in raw.items():
        rank = sorted(raw.values()).index(p)
        least = max((len(raw) - place) * value for place, value in enumerate(sorted(raw.values())[: rank + 1]))
        assert statistics.p[row] == pytest.approx(min(1.0, least), rel=1e-6)
    assert any("Geometric means" in said for said in statistics.warnings)
    assert statistics.interval_title == "95 % interval of the ratio"
    assert statistics.first is not None
    drawn = np.random.default_rng(0).integers(0, 30, (20_000, 30))
    table = np.array([own[label.key] for label in view_model.runs])
    best = np.bincount(table[:, drawn].mean(axis=2).argmax(axis=0), minlength=5) / 20_000
    assert statistics.first == pytest.approx(best, abs=0.03)


def test_filters_compare_the_ratios_in_sight(session: Session) -> None:
    session.navigation.set_place("systems")
    session.compute_now()
    session.comparison.filter_systems("Δ > 1.5")
    view_model, own = session.view_models.systems_view_model(), levels(session)
    assert view_model is not None
    expected = {key for key, values in own.items() if math.exp(values.mean() - own[0].mean()) > 1.5}
    assert {label.key for label in view_model.runs} == expected - {0}
    session.navigation.filter_queries("Δ > 2")
    queries, context = session.view_models.queries_view_model(), session.view.context
    assert queries is not None
    assert context is not None
    ratio = np.exp(own[context.focus] - own[0])  # type: ignore[index]
    assert set(queries.query_ids) == {
        query_id for query_id, each in zip(context.query_ids, ratio, strict=True) if each > 2
    }


def test_queries_bars_and_plots_are_of_ratios(session: Session) -> None:
    session.navigation.set_place("queries")
    view_model, own, context = session.view_models.queries_view_model(), levels(session), session.view.context
    assert view_model is not None
    assert context is not None
    assert view_model.ratio
    assert context.focus is not None
    assert view_model.delta_note == f"{context.labels[context.focus].name} ÷ alpha"
    expected = dict(zip(context.query_ids, own[context.focus] - own[0], strict=True))
    assert view_model.delta.tolist() == pytest.approx([expected[query] for query in view_model.query_ids])
    shown = np.array([own[label.key] for label in view_model.runs])
    spread = dict(zip(context.query_ids, np.ptp(shown, axis=0), strict=True))
    assert view_model.spread.tolist() == pytest.approx([spread[query] for query in view_model.query_ids])
    header, rows = figure_rows(view_model.bars)
    assert header == ("query", "ratio of gm_map")
    assert dict(rows) == pytest.approx({query: math.exp(each) for query, each in expected.items()})
    assert view_model.bars.ratios
    assert [text for _, text in view_model.bars.y.ticks or () if text == "×1"] == ["×1"]
    place = view_model.query_ids.index(context.query_ids[0])
    assert view_model.bars.change_text(float(view_model.delta[place])).startswith("×")


def test_the_pair_in_depth_says_ratios(session: Session) -> None:
    session.navigation.set_place("compare")
    session.compute_now()
    view_model, own, context = session.comparison.pair_view_model(), levels(session), session.view.context
    assert view_model is not None
    assert context is not None
    difference = own[context.focus] - own[0]  # type: ignore[index]
    ratio = math.exp(difference.mean())
    assert "the ratio of the geometric means ×" in view_model.conclusion
    rows = {row.name: row for row in view_model.tests}
    assert rows["ratio of means"].value.startswith(f"×{ratio:.4f}"[:5])
    assert rows["interval of the ratio of means"].value.startswith("[×")
    assert rows["paired t-test"].sentence
    assert "true ratio of ×" in rows["can show"].sentence
    assert view_model.histogram.ratios
    assert view_model.histogram.histogram is not None
    low, middle, high = view_model.histogram.histogram.interval or (0, 0, 0)
    assert low < middle < high
    assert middle == pytest.approx(difference.mean())
    session.query_sets.brush(view_model.query_ids[:3])
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    assert "mean ratio ×" in view_model.brushed
    session.matrices.set_matrix("difference")
    session.navigation.set_tab("compare", "matrices")
    session.compute_now()
    matrix = session.matrices.matrix_view_model()
    assert matrix is not None
    assert matrix.figure is not None
    assert matrix.figure.matrix is not None
    for row, row_key in enumerate(matrix.keys):
        for column, other in enumerate(matrix.keys):
            if row_key != other:
                expected = math.exp(own[row_key].mean() - own[other].mean())  # type: ignore[index]
                assert matrix.figure.matrix.values[row, column] == pytest.approx(expected)
                assert matrix.figure.matrix.texts[row][column].startswith("×")


def test_sets_have_geometric_means_and_their_ratio(session: Session) -> None:
    own, context = levels(session), session.view.context
    assert context is not None
    parts = {"odd": [q for q in context.query_ids if int(q) % 2], "few": ["2", "4", "6"]}
    for name, ids in parts.items():
        session.query_sets.make_query_set(name, ids)
    view_model = session.query_sets.sets_view_model()
    assert view_model is not None
    assert view_model.ratio
    rows = [row.key or row.kind for row in view_model.rows]
    for column, label in enumerate(view_model.runs):
        of_sets = [own[label.key][[context.query_index[q] for q in ids]].mean() for ids in parts.values()]
        for name, expected in zip(parts, of_sets, strict=True):
            assert run_values(view_model.table)[rows.index(name), column] == pytest.approx(math.exp(expected))
        assert run_values(view_model.table)[rows.index("macro"), column] == pytest.approx(math.exp(np.mean(of_sets)))
    focus = [label.focus for label in view_model.runs].index(True)
    base = [label.baseline for label in view_model.runs].index(True)
    values, ratio = run_values(view_model.table), view_model.table.column("difference").numbers[""]
    assert ratio == pytest.approx(np.log(values[:, focus] / values[:, base]))


def test_a_query_of_its_own_has_the_ratio_of_its_values(session: Session) -> None:
    session.navigation.set_place("query")
    view_model, own, context = session.view_models.query_view_model(), levels(session), session.view.context
    assert view_model is not None
    assert context is not None
    row = next(value_row for value_row in view_model.metrics if value_row.chosen)
    place = context.query_index[view_model.query_id]
    assert row.ratio
    assert row.delta == pytest.approx(own[context.focus][place] - own[0][place])  # type: ignore[index]
    assert not any(value_row.ratio for value_row in view_model.metrics if value_row.measure != "gm_map")
