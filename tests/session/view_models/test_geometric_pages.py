"""The window under a geometric mean: ratios wherever differences stood, of the logarithms of AP, made here again."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from irviewer.measures.parser import parse_measure
from irviewer.rendering.export import figure_rows
from irviewer.session.session import Session
from tests.session.helpers import collection, session_with

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
    values = {one.key: context.values(one, parse_measure("AP")) for one in context.collection.runs}
    return {key: np.log(np.maximum(own, FLOOR)) for key, own in values.items()}


def test_systems_show_ratios_of_geometric_means(session: Session) -> None:
    """The comparison was MAP's, its interval that of a difference of MAP."""
    session.navigation.set_place("systems")
    session.catch_up()
    page, own = session.pages.systems_page(), levels(session)
    assert page is not None
    found = page.statistics
    assert found is not None
    assert page.ratio
    assert page.delta_label == "ratio gm_map"
    column = [one.chosen for one in page.columns].index(True)
    raw = {}
    for row, label in enumerate(page.runs):
        assert page.means[row, column] == pytest.approx(math.exp(own[label.key].mean()))
        if label.baseline:
            continue
        difference = own[label.key] - own[0]
        assert page.delta[row] == pytest.approx(difference.mean())
        assert found.low[row] < page.delta[row] < found.high[row]
        raw[row] = float(stats.ttest_1samp(difference, 0).pvalue)
        assert "the ratio of the geometric means ×" in found.verdicts[row]
    for row, p in raw.items():
        rank = sorted(raw.values()).index(p)
        least = max((len(raw) - place) * one for place, one in enumerate(sorted(raw.values())[: rank + 1]))
        assert found.p[row] == pytest.approx(min(1.0, least), rel=1e-6)
    assert any("Geometric means" in said for said in found.warnings)
    assert found.interval_title == "95 % interval of the ratio"
    assert found.first is not None
    drawn = np.random.default_rng(0).integers(0, 30, (20_000, 30))
    table = np.array([own[label.key] for label in page.runs])
    best = np.bincount(table[:, drawn].mean(axis=2).argmax(axis=0), minlength=5) / 20_000
    assert found.first == pytest.approx(best, abs=0.03)


def test_filters_compare_the_ratios_in_sight(session: Session) -> None:
    session.navigation.set_place("systems")
    session.catch_up()
    session.comparison.filter_systems("Δ > 1.5")
    page, own = session.pages.systems_page(), levels(session)
    assert page is not None
    expected = {key for key, one in own.items() if math.exp(one.mean() - own[0].mean()) > 1.5}
    assert {label.key for label in page.runs} == expected - {0}
    session.navigation.filter_queries("Δ > 2")
    queries, context = session.pages.queries_page(), session.view.context
    assert queries is not None
    assert context is not None
    ratio = np.exp(own[context.focus] - own[0])  # type: ignore[index]
    assert set(queries.query_ids) == {one for one, each in zip(context.query_ids, ratio, strict=True) if each > 2}


def test_queries_bars_and_plots_are_of_ratios(session: Session) -> None:
    session.navigation.set_place("queries")
    page, own, context = session.pages.queries_page(), levels(session), session.view.context
    assert page is not None
    assert context is not None
    assert page.ratio
    assert context.focus is not None
    assert page.delta_note == f"{context.labels[context.focus].name} ÷ alpha"
    expected = dict(zip(context.query_ids, own[context.focus] - own[0], strict=True))
    assert page.delta.tolist() == pytest.approx([expected[query] for query in page.query_ids])
    shown = np.array([own[label.key] for label in page.runs])
    spread = dict(zip(context.query_ids, np.ptp(shown, axis=0), strict=True))
    assert page.spread.tolist() == pytest.approx([spread[query] for query in page.query_ids])
    header, rows = figure_rows(page.bars)
    assert header == ("query", "ratio of gm_map")
    assert dict(rows) == pytest.approx({query: math.exp(each) for query, each in expected.items()})
    assert page.bars.ratios
    assert [text for _, text in page.bars.y.ticks or () if text == "×1"] == ["×1"]
    place = page.query_ids.index(context.query_ids[0])
    assert page.bars.change_text(float(page.delta[place])).startswith("×")


def test_the_pair_in_depth_says_ratios(session: Session) -> None:
    session.navigation.set_place("compare")
    session.catch_up()
    page, own, context = session.comparison.pair_page(), levels(session), session.view.context
    assert page is not None
    assert context is not None
    difference = own[context.focus] - own[0]  # type: ignore[index]
    ratio = math.exp(difference.mean())
    assert "the ratio of the geometric means ×" in page.verdict
    rows = {row.name: row for row in page.tests}
    assert rows["ratio of means"].value.startswith(f"×{ratio:.4f}"[:5])
    assert rows["interval of the ratio of means"].value.startswith("[×")
    assert rows["paired t-test"].sentence
    assert "true ratio is ×" in rows["power"].sentence
    assert page.histogram.ratios
    assert page.histogram.histogram is not None
    low, middle, high = page.histogram.histogram.interval or (0, 0, 0)
    assert low < middle < high
    assert middle == pytest.approx(difference.mean())
    session.query_sets.brush(page.query_ids[:3])
    page = session.comparison.pair_page()
    assert page is not None
    assert "mean ratio ×" in page.brushed
    session.matrices.set_matrix("difference")
    session.navigation.set_tab("compare", "matrices")
    session.catch_up()
    matrix = session.matrices.matrix_page()
    assert matrix is not None
    assert matrix.figure is not None
    assert matrix.figure.matrix is not None
    for row, one in enumerate(matrix.keys):
        for column, other in enumerate(matrix.keys):
            if one != other:
                expected = math.exp(own[one].mean() - own[other].mean())  # type: ignore[index]
                assert matrix.figure.matrix.values[row, column] == pytest.approx(expected)
                assert matrix.figure.matrix.texts[row][column].startswith("×")


def test_sets_have_geometric_means_and_their_ratio(session: Session) -> None:
    own, context = levels(session), session.view.context
    assert context is not None
    parts = {"odd": [q for q in context.query_ids if int(q) % 2], "few": ["2", "4", "6"]}
    for name, ids in parts.items():
        session.query_sets.make_query_set(name, ids)
    page = session.query_sets.sets_page()
    assert page is not None
    assert page.ratio
    rows = [row.key or row.kind for row in page.rows]
    for column, label in enumerate(page.runs):
        of_sets = [own[label.key][[context.query_index[q] for q in ids]].mean() for ids in parts.values()]
        for name, expected in zip(parts, of_sets, strict=True):
            assert page.values[rows.index(name), column] == pytest.approx(math.exp(expected))
        assert page.values[rows.index("macro"), column] == pytest.approx(math.exp(np.mean(of_sets)))
    focus = [label.focus for label in page.runs].index(True)
    base = [label.baseline for label in page.runs].index(True)
    assert page.delta == pytest.approx(np.log(page.values[:, focus] / page.values[:, base]))


def test_a_query_of_its_own_has_the_ratio_of_its_values(session: Session) -> None:
    session.navigation.set_place("query")
    page, own, context = session.pages.query_page(), levels(session), session.view.context
    assert page is not None
    assert context is not None
    row = next(one for one in page.metrics if one.chosen)
    place = context.query_index[page.query_id]
    assert row.ratio
    assert row.delta == pytest.approx(own[context.focus][place] - own[0][place])  # type: ignore[index]
    assert not any(one.ratio for one in page.metrics if one.measure != "gm_map")
