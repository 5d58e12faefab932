"""The view model of two runs in depth: what it is of, in which order, and what the brush says."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.session.session import Session
from tests.session.helpers import Announcements, collection, session_with


@pytest.fixture
def session() -> Session:
    """Three runs, twelve queries."""
    new_session = session_with(collection(3, queries=12))
    new_session.navigation.set_place("compare")
    return new_session


def test_queries_are_in_order_of_their_gain(session: Session) -> None:
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    assert view_model.bars.bars is not None
    heights = view_model.bars.bars.heights
    assert np.all(np.diff(heights) <= 0)
    context = session.view.context
    assert context is not None
    by_id = dict(zip(context.query_ids, context.delta.tolist(), strict=True))
    assert [by_id[query_id] for query_id in view_model.query_ids] == heights.tolist()
    assert view_model.title.startswith("gamma against alpha ★")


def test_the_conclusion_comes_with_the_comparison(session: Session) -> None:
    assert session.comparison.pair_view_model().conclusion == ""  # type: ignore[union-attr]
    session.compute_now()
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    assert "gamma is better on" in view_model.conclusion
    names = [row.name for row in view_model.tests]
    assert names[0] == "paired t-test"
    assert {"Wilcoxon signed-rank test", "sign test", "Fisher's randomisation test", "can show", "effect size"} <= set(
        names
    )
    assert all(row.sentence for row in view_model.tests)
    (can_show,) = [row for row in view_model.tests if row.name == "can show"]
    assert "p < .025" in can_show.sentence  # Holm over two comparisons
    assert "alone (p < .05)" in can_show.sentence
    assert view_model.histogram.histogram is not None
    assert view_model.histogram.histogram.interval is not None


def test_figures_that_no_test_changes_are_made_once(session: Session) -> None:
    early = session.comparison.pair_view_model()
    session.compute_now()
    late = session.comparison.pair_view_model()
    assert early is not None
    assert late is not None
    assert late is not early
    assert (late.scatter, late.bars, late.share) == (early.scatter, early.bars, early.share)
    session.query_sets.brush(["1", "2"])
    brushed = session.comparison.pair_view_model()
    assert brushed is not None
    assert brushed.scatter is not late.scatter


def test_another_focus_is_another_pair(session: Session) -> None:
    session.runs.set_focus(1)
    assert session.comparison.pair_view_model().title.startswith("beta against alpha")  # type: ignore[union-attr]


def test_the_brush_is_in_every_plot_and_becomes_a_set(session: Session) -> None:
    heard = Announcements(session)
    session.query_sets.brush(["1", "2", "3"])
    assert heard.take() == [{"brush"}]
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    assert view_model.scatter.points is not None
    assert view_model.histogram.histogram is not None
    bars, share = view_model.bars.bars, view_model.share.points
    assert bars is not None
    assert bars.marked is not None
    assert share is not None
    for keys, on in (
        (view_model.scatter.points.keys, view_model.scatter.points.marked),
        (bars.keys, bars.marked),
        (share.keys, share.marked),
    ):
        assert {key for key, chosen in zip(keys, on.tolist(), strict=True) if chosen} == {"1", "2", "3"}
    assert share.keys[share.selected] == session.view.query_id
    assert view_model.brushed.startswith("3 queries brushed · ")
    assert view_model.histogram.histogram.marked.sum() <= 3
    name = session.query_sets.make_query_set("mine", sorted(session.query_sets.brushed))
    session.query_sets.set_query_set(name)
    assert set(session.comparison.pair_view_model().query_ids) == {"1", "2", "3"}  # type: ignore[union-attr]
    session.compute_now()
    assert any("chosen after looking" in warning for warning in session.comparison.pair_view_model().warnings)  # type: ignore[union-attr]
    assert "proves nothing" in session.comparison.pair_view_model().conclusion  # type: ignore[union-attr]


def test_without_a_pair_it_says_what_is_missing() -> None:
    session = session_with(collection(1))
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    assert "needs two runs" in view_model.explanation
    session = session_with(collection(3))
    session.runs.show_runs([0])
    assert "Show a run" in session.comparison.pair_view_model().explanation  # type: ignore[union-attr]
    assert Session().comparison.pair_view_model() is None


def test_axes_of_runs_that_are_not_shown_name_the_measure_alone(session: Session) -> None:
    for label in session.view.labels():
        session.runs.show_run(label.key, False)
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    assert view_model.scatter.y.label == "nDCG@10"
    assert view_model.explanation
    queries = session.view_models.queries_view_model()
    assert queries is not None
    assert queries.explanation == "No run is shown. Press R to choose runs."


def test_tukeys_test_is_listed_once_where_it_decides(session: Session) -> None:
    """Its p is corrected for all pairs: it stands there, and in one line."""
    session.protocol.set(test="tukey")
    session.compute_now()
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    (row,) = [row for row in view_model.tests if row.name.startswith("Tukey")]
    assert row.p is None
    assert row.corrected
