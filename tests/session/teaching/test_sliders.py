"""What is dragged: a sweep has at every stop what the tables have when one stops there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import Queue
from typing import Any

import numpy as np
import pytest
from patience import deliver

from irviewer.errors import MeasureError
from irviewer.evaluation.parameter_sweeps import CUTOFF, LEVEL, at
from irviewer.session import store as core
from irviewer.session.session import Session
from tests.session.helpers import collection, session_with


@pytest.mark.parametrize(
    ("measure", "axes"),
    [
        ("P@10", ["level", "cutoff"]),
        ("AP", ["level"]),
        ("AP(rel=2)", ["level"]),
        ("nDCG@10", ["cutoff", "dcg", "base"]),
        ("RBP(p=0.8)", ["p"]),
        ("F(beta=2)@5", ["level", "cutoff", "beta"]),
    ],
)
@pytest.mark.parametrize("options", ["plain", "judged_only", "gdeval"])
def test_a_sweep_has_what_the_tables_have(measure: str, axes: list[str], options: str) -> None:
    session = session_with(collection(3))
    session.evaluation.set_measure(measure)
    if options == "judged_only":
        session.protocol.set(judged_only=True)
    elif options != "plain":
        session.protocol.set(dialect=options)
    names = [axis_row.name for axis_row in session.sliders.threshold_axes()]
    assert [name for name in names if name in axes] == axes
    for axis in axes:
        swept = session.sliders.sweep(axis)
        assert swept is not None
        assert swept.means.shape == (3, len(swept.axis.values))
        assert swept.keys == session.view.shown
        before = session.state
        for column in sorted({0, len(swept.axis.values) // 2, len(swept.axis.values) - 1}):
            session.sliders.set_threshold(axis, swept.axis.values[column])
            context = session.view.context
            assert context is not None
            means = [context.mean(entry, context.measure) for entry in context.shown_runs]
            np.testing.assert_array_equal(swept.means[:, column], means)
            session.evaluation.set_measure(measure)
            session.protocol.set(level=before.options.level)
        assert str(session.view.measure) == measure


def test_a_sweep_at_stops_of_ones_own_and_of_nothing() -> None:
    session = session_with(collection(2))
    session.evaluation.set_measure("RBP(p=0.8)")
    swept = session.sliders.sweep("p", (0.31, 0.8))
    assert swept is not None
    context = session.view.context
    assert context is not None
    assert swept.means[0, 1] == context.mean(context.shown_runs[0], context.measure)
    assert swept.means[0, 0] != swept.means[0, 1]
    assert session.sliders.sweep("cutoff") is None
    assert Session().sliders.sweep("p") is None
    assert Session().sliders.threshold_axes() == ()
    with pytest.raises(MeasureError, match="no parameter 'base'"):
        at(session.view.measure, session.state.options, "base", 2)


def test_dragging_a_parameter_or_a_level_holds_no_more_and_joins_nothing() -> None:
    session = session_with(collection(3))
    context = session.view.context
    assert context is not None
    pair = context.evaluation_input(context.collection.runs[0])
    assert pair is not None
    joined = context.evaluation.judged(pair)
    for step in range(500):
        session.evaluation.set_measure(f"RBP(p={0.2 + step / 1000:.3f})")
        assert session.view.context is not None
        session.view.context.mean(session.view.context.collection.runs[0], session.view.measure)
    assert len(context.evaluation._entries[pair.key].values) <= 200
    session.protocol.set(level=2)
    assert session.view.context is not None
    now = session.view.context.evaluation_input(session.view.context.collection.runs[0])
    assert now is not None
    assert now.key != pair.key
    assert context.evaluation.judged(now) is joined


class TestSliders:
    def test_the_ways_are_there_when_the_sliders_are(self) -> None:
        session = session_with(collection(3))
        session.evaluation.set_measure("F(beta=2)@5")
        assert not session.sliders.thresholds_open
        assert session.sliders.swept("cutoff") is None
        heard: list[frozenset[str]] = []
        session.changed.connect(heard.append)
        session.sliders.set_thresholds(True)
        assert session.sliders.thresholds_open
        assert frozenset({"lesson"}) in heard
        for axis in ("level", "cutoff", "beta"):
            swept, whole = session.sliders.swept(axis), session.sliders.sweep(axis)
            assert swept is not None
            assert whole is not None
            places = [whole.axis.values.index(value) for value in swept.axis.values]
            np.testing.assert_array_equal(swept.means, whole.means[:, places])
        assert session.sliders.threshold_at("cutoff") == 5
        assert session.sliders.threshold_at("beta") == 2
        assert session.sliders.threshold_at("level") == 1.0

    def test_a_drag_leaves_its_own_way_and_changes_the_others(self) -> None:
        session = session_with(collection(2))
        session.evaluation.set_measure("F@5")
        session.sliders.set_thresholds(True)
        own, other = session.sliders.swept("cutoff"), session.sliders.swept("beta")
        session.sliders.set_threshold("cutoff", 3)
        assert str(session.view.measure) == "F@3"
        assert session.sliders.swept("cutoff") is own
        assert session.sliders.swept("beta") is not other

    def test_a_run_that_is_hidden_leaves_the_ways(self) -> None:
        session = session_with(collection(3))
        session.evaluation.set_measure("P@5")
        session.sliders.set_thresholds(True)
        session.runs.show_run(session.view.shown[-1], False)
        swept = session.sliders.swept("cutoff")
        assert swept is not None
        assert swept.keys == session.view.shown
        assert len(swept.means) == 2

    def test_as_it_was(self) -> None:
        session = session_with(collection(2))
        session.evaluation.set_measure("P@5")
        session.protocol.set(level=2)
        session.sliders.set_thresholds(True)
        session.sliders.set_threshold("cutoff", 9)
        session.sliders.set_threshold("level", 1.0)
        assert (str(session.view.measure), session.view.cutoff, session.view.level) == ("P@9", 9, 1.0)
        session.sliders.reset_thresholds()
        assert (str(session.view.measure), session.view.cutoff, session.view.level) == ("P@5", 5, 2)
        session.sliders.set_thresholds(False)
        session.sliders.reset_thresholds()
        assert str(session.view.measure) == "P@5"

    def test_a_level_that_the_measure_says_itself(self) -> None:
        session = session_with(collection(2))
        session.evaluation.set_measure("AP(rel=2)")
        assert session.sliders.threshold_at("level") == 2.0

    def test_a_base_moves_something_only_where_the_discount_has_one(self) -> None:
        session = session_with(collection(2))
        session.evaluation.set_measure("nDCG@10")
        assert "base" not in [axis_row.name for axis_row in session.sliders.moving_axes()]
        session.evaluation.set_measure("nDCG(dcg='jk')@10")
        assert "base" in [axis_row.name for axis_row in session.sliders.moving_axes()]


class Loop:
    """The window's thread, by hand, and a session whose every change takes a task."""

    def __init__(self, runs: int = 3) -> None:
        self.queue: Queue[Callable[[], None]] = Queue()
        self.session = session_with(collection(runs), post=self.queue.put)
        self.seen: list[Any] = []
        self.session.changed.connect(self._on_changed)

    def until(self, true: Callable[[], bool]) -> None:
        deliver(self.queue, true)

    def measure(self, text: str) -> None:
        self.session.evaluation.set_measure(text)
        self.until(lambda: str(self.session.view.measure) == text and self.session.busy is None)
        self.seen.clear()

    def _on_changed(self, aspects: frozenset[str]) -> None:
        if "measure" in aspects:
            self.seen.append(self.session.view.cutoff)


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loop]:
    monkeypatch.setattr(core, "INLINE", -1.0)
    new_loop = Loop()
    new_loop.measure("P@5")
    yield new_loop
    new_loop.session.close()


class TestSlowNumbers:
    """What is under way is shown, then the newest, and nothing in between."""

    def test_the_first_is_shown_then_the_newest(self, loop: Loop) -> None:
        for cutoff in (6, 7, 8, 9):
            loop.session.sliders.set_threshold(CUTOFF, cutoff)
        assert loop.seen == []
        loop.until(lambda: loop.session.view.cutoff == 9)
        assert loop.seen == [6, 9]

    def test_another_request_ends_the_drag(self, loop: Loop) -> None:
        loop.session.sliders.set_threshold(CUTOFF, 6)
        loop.session.sliders.set_threshold(CUTOFF, 7)
        loop.session.evaluation.set_measure("nDCG@3")
        loop.until(lambda: str(loop.session.view.measure) == "nDCG@3" and loop.session.busy is None)
        assert loop.seen == [3]
        loop.session.sliders.set_threshold(CUTOFF, 4)  # and another can begin
        loop.until(lambda: loop.session.view.cutoff == 4)

    def test_what_was_cancelled_delays_nothing(self, loop: Loop) -> None:
        loop.session.sliders.set_threshold(CUTOFF, 6)
        assert loop.session.busy is not None
        loop.session.busy.cancel()
        loop.session.sliders.set_threshold(CUTOFF, 7)
        loop.until(lambda: loop.session.view.cutoff == 7)
        assert loop.seen == [7]

    def test_a_stop_that_is_known_is_shown_immediately(self, loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
        loop.session.sliders.set_threshold(CUTOFF, 6)
        monkeypatch.setattr(core, "INLINE", 3600.0)
        loop.session.sliders.set_threshold(CUTOFF, 7)  # not at once: 6 is shown first
        assert loop.seen == []
        loop.until(lambda: loop.session.view.cutoff == 7)
        loop.session.sliders.set_threshold(CUTOFF, 8)
        assert loop.seen == [6, 7, 8]

    def test_the_other_places_are_ready_when_the_hand_rests(self, loop: Loop) -> None:
        loop.session.navigation.set_place("queries")
        loop.session.sliders.set_threshold(LEVEL, 2.0)
        loop.until(lambda: loop.session.view.level == 2.0)
        loop.until(lambda: loop.session.store._cost(loop.session.state) == 0.0)

    @pytest.mark.parametrize(("measure", "axis"), [("P@5", CUTOFF), ("AP", LEVEL), ("RBP(p=0.8)", "p")])
    def test_numbers_are_those_of_a_session_that_was_never_dragged(self, loop: Loop, measure: str, axis: str) -> None:
        random = np.random.default_rng(7)
        session, fresh = loop.session, session_with(collection(3))
        for place in ("verdict", "systems", "queries", "query", "compare"):
            session.navigation.set_place(place)
            loop.measure(measure)
            values = next(axis_row for axis_row in session.sliders.threshold_axes() if axis_row.name == axis).values
            stops = [values[place] for place in random.integers(0, len(values), 5).tolist()]
            for stop in stops:
                session.sliders.set_threshold(axis, stop)
            loop.until(lambda stop=stops[-1]: session.sliders.threshold_at(axis) == stop)  # type: ignore[misc]
            fresh.evaluation.set_measure(measure)
            fresh.sliders.set_threshold(axis, stops[-1])
            mine, its = session.view.context, fresh.view.context
            assert mine is not None
            assert its is not None
            for entry, other in zip(mine.collection.runs, its.collection.runs, strict=True):
                np.testing.assert_array_equal(mine.values(entry, mine.measure), its.values(other, its.measure))
                assert mine.mean(entry, mine.measure) == its.mean(other, its.measure)
            curves = [shown_session.view_models.systems_view_model() for shown_session in (session, fresh)]
            for ours, theirs in zip(curves[0].precision_recall.curves, curves[1].precision_recall.curves, strict=True):  # type: ignore[union-attr]
                np.testing.assert_array_equal(ours.y, theirs.y)
