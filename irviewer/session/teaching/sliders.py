"""Sliders of measure parameters, and the means of all runs along a slider.

While the sliders are in view, the means along every axis are computed in the background after the slider has been still
for a moment. The value of a slider is applied immediately; the newest value counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irviewer.evaluation.bound_measure import treat
from irviewer.evaluation.evaluation_cache import EvaluationInput
from irviewer.evaluation.parameter_sweeps import CUTOFF, LEVEL, Axis, at, axes, sweep
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.arrays import Floats
from irviewer.model.options import EvaluationOptions
from irviewer.model.workspace import RunEntry
from irviewer.session.background import BackgroundResults
from irviewer.session.changes import Change
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import ZScoreContext
from irviewer.session.judging.history import HistoryService
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.teaching.beginning import covers_values
from irviewer.session.view import View
from irviewer.translation import tr

MOST_KEPT = 60
"""The number of sweeps that are cached."""
REST = 0.12
"""Seconds that a slider must be still before the sweeps of the other axes are computed again."""

MOST_STOPS = 40
"""More stops than pixels between them are useless in a small plot."""


@dataclass(frozen=True, eq=False)
class Swept:
    """The means of the shown runs along an axis: ``means`` float64[R, V] for run ``keys`` and ``axis.values``."""

    measure: Measure
    axis: Axis
    keys: tuple[int, ...]
    means: Floats


@dataclass(frozen=True, eq=False)
class _Way:
    """The frozen inputs of a sweep along an axis; ``key`` is all that it depends on except the axis's own value."""

    key: tuple[object, ...]
    context: EvaluationContext
    axis: Axis

    def compute(self, progress: Callable[[float], None] | None = None) -> Swept:
        """Compute it; called on any thread. One stop at a time, so that it can be cancelled quickly."""
        context = self.context
        means_of = [_mean(context, entry) for entry in context.shown_runs]
        chosen = Axis(self.axis.name, self.axis.title, _some(self.axis.values))
        columns = []
        for number, stop in enumerate(chosen.values):
            if progress is not None:
                progress(number / len(chosen.values))
            columns.append(sweep(means_of, context.measure, context.options, self.axis.name, (stop,)))
        means = np.hstack(columns) if columns else np.zeros((len(means_of), 0))
        return Swept(context.measure, chosen, context.shown, means)


class SliderService:
    """Sliders of parameters, and sweeps over them. A finished sweep is announced as "lesson"."""

    def __init__(self, store: Store, view: View, history: HistoryService) -> None:
        self._store = store
        self._tasks = store.tasks
        self._cache = store.cache
        self._view = view
        self._history = history
        self._last: dict[str, Swept] = {}
        self.results: BackgroundResults[_Way, Swept] = BackgroundResults(
            store, "sweep", ("",), wanted=self._wanted_of, in_view=self._in_view,
            title=lambda _: tr("Computing values by threshold"),
            quiet=lambda: True, rest=REST, most=MOST_KEPT, announce=Change.LESSON, arrived=self._arrived,
            at_once=lambda _: not self._tasks.threaded,
        )  # fmt: skip

    @property
    def thresholds_open(self) -> bool:
        """True if sliders are in view. They, and the curves of runs, are hidden while judging blind, and while a
        question of a lesson asks."""
        return (
            self._store.state.thresholds is not None
            and self._view.collection is not None
            and not self._store.state.blind
            and not covers_values(self._store.state)
        )

    def set_thresholds(self, on: bool) -> None:
        """Show or hide the sliders; their values stay."""
        state = self._store.state
        kept = (state.measure, state.cutoff, state.protocol) if on else None
        if on != self.thresholds_open:
            self._store.apply(replace(state, thresholds=kept))

    def reset_thresholds(self) -> None:
        """Restore the values that the sliders had when they were shown."""
        kept = self._store.state.thresholds
        if kept is not None:
            measure, cutoff, protocol = kept

            def back(state: State) -> State:
                state = state.with_protocol(state.protocol.taking(("level",), protocol))
                return replace(state, measure=measure, cutoff=cutoff)

            self._history.do_when_ready(tr("protocol: relevance level"), back, LEVEL)

    def threshold_at(self, axis: str) -> Any:
        """Return the current value of an axis."""
        if axis == CUTOFF:
            return None if self._view.measure.cutoff is None else int(self._view.measure.cutoff)
        treated = treat(self._store.state.options.rules, self._view.measure, level=self._view.level).measure
        return float(treated.parameter("rel")) if axis == LEVEL else treated.parameter(axis)

    def moving_axes(self) -> tuple[Axis, ...]:
        """Return the axes that have an effect now: only one of the discounts has a base."""
        without_base = self._view.measure.family.parameter("dcg") is not None and self.threshold_at("dcg") != "jk"
        return tuple(axis for axis in self.threshold_axes() if axis.name != "base" or not without_base)

    def swept(self, axis: str) -> Swept | None:
        """Return the last sweep along an axis; None before the first, and if there is no such axis."""
        if axis not in {moving_axis.name for moving_axis in self.moving_axes()}:
            return None
        now = next((way for way in self._wanted_of("") if way.axis.name == axis), None)
        last_sweep = self.results.known(now) if self._in_view() else None
        last_sweep = last_sweep or self._last.get(axis)
        return None if last_sweep is None or last_sweep.keys != self._view.shown else last_sweep

    def _arrived(self, way: _Way, swept: Swept) -> None:
        self._last[way.axis.name] = swept

    def _wanted_of(self, slot: str) -> list[_Way]:
        context = self._view.context
        if context is None:
            return []
        return [_Way(self._key_of(context, axis), context, axis) for axis in self.moving_axes()]

    def _in_view(self) -> tuple[str, ...]:
        context = self._view.context
        return ("",) if self.thresholds_open and context is not None and context.judgments is not None else ()

    def _key_of(self, context: EvaluationContext, axis: Axis) -> tuple[object, ...]:
        """Return what a sweep depends on: everything except the value of its own axis."""
        measure, options = context.measure, context.options
        if axis.values:
            measure, options = at(measure, options, axis.name, axis.values[0])
        assert context.judgments is not None
        runs = tuple(entry.run for entry in context.shown_runs)
        within = (context.choices.scope.queries, context.collection.query_sets)
        return (str(measure), options, runs, context.shown, context.judgments.qrels, within, axis.values)

    def threshold_axes(self) -> tuple[Axis, ...]:
        """Return the parameters of the chosen measure that have a slider."""
        context = self._view.context
        if context is None or context.judgments is None:
            return ()
        # Called several times per frame while a slider moves; the axes do not depend on cutoff and level.
        levels = tuple(float(level) for level in context.judgments.qrels.levels if level > 0)
        measure, options = context.measure, replace(context.options, level=1.0)
        deepest = max(context.depth, int(measure.cutoff or 0))
        plain = str(measure) if measure.cutoff is None else measure.text.rpartition("@")[0]
        return self._cache.get(
            "axes", (plain, options, levels, deepest),
            lambda: tuple(
                replace(axis, values=tuple(v for v in axis.values if _can_be_said(context, axis.name, v)))
                for axis in axes(measure, levels, context.depth)
            ),
        )  # fmt: skip

    def sweep(self, axis: str, stops: Sequence[Any] | None = None) -> Swept | None:
        """Return the means of the shown runs along an axis, at some stops or all; None if there is no such axis. The
        values are not cached, since a slider passes them only once."""
        context = self._view.context
        threshold_axis = next((axis_shown for axis_shown in self.threshold_axes() if axis_shown.name == axis), None)
        if context is None or context.judgments is None or threshold_axis is None:
            return None
        chosen = Axis(
            threshold_axis.name, threshold_axis.title, threshold_axis.values if stops is None else tuple(stops)
        )
        means_of = [_mean(context, entry) for entry in context.shown_runs]
        means = sweep(means_of, context.measure, context.options, axis, chosen.values)
        return Swept(context.measure, chosen, context.shown, means)

    def set_threshold(self, axis: str, value: Any) -> None:
        """Set a parameter; all tables and curves follow."""
        if axis == LEVEL:
            label = tr("protocol: relevance level")
            self._history.do_when_ready(label, lambda state: _with_level(state, value), LEVEL, dragged=True)
            return
        measure, _ = at(self._view.measure, self._store.state.options, axis, value)
        cutoff = int(value) if axis == CUTOFF else self._view.cutoff
        self._store.apply_when_ready(lambda state: _with_measure(state, measure, cutoff), dragged=True)


def _some(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return at most MOST_STOPS of the stops, denser at the beginning, as the top of a ranking changes most."""
    if len(values) <= MOST_STOPS:
        return values
    places = np.unique(np.rint(np.geomspace(1, len(values), MOST_STOPS)).astype(int)) - 1
    return tuple(values[position] for position in places.tolist())


def _can_be_said(context: EvaluationContext, axis: str, value: Any) -> bool:
    """Return False for a parameter's default if the dialect has another one: the text of a measure omits defaults, so
    the dialect's value would be used."""
    if axis in (LEVEL, CUTOFF):
        return True
    wanted, _ = at(context.measure, context.options, axis, value)
    return bool(
        treat(context.options.rules, wanted).measure == treat(context.options.rules, parse_measure(wanted.text)).measure
    )


def _mean(context: EvaluationContext, entry: RunEntry) -> Callable[[Measure, EvaluationOptions], float]:
    assert context.judgments is not None
    qrels = context.judgments.qrels

    def mean(measure: Measure, options: EvaluationOptions) -> float:
        evaluation_input = EvaluationInput(
            entry.run, qrels, replace(options, judged_only=context.options_for(measure).judged_only)
        )
        counted = context.evaluation.counted(evaluation_input)
        counted = counted if context.within is None else counted & context.within
        passing = context.evaluation.passing(evaluation_input, measure)
        if isinstance(context, ZScoreContext):
            passing = context.scored(measure, passing)
            counted = counted & ~np.isnan(passing)
            if not counted.any():
                return float("nan")
        return context.evaluation.bound_measure(qrels, options, measure).mean(passing[counted])

    return mean


def _with_level(state: State, value: float) -> State:
    measure, options = at(state.measure, state.options, LEVEL, value)
    return replace(state, measure=measure).with_protocol(state.protocol.but(level=options.level))


def _with_measure(state: State, measure: Measure, cutoff: int) -> State:
    return replace(state, measure=measure, cutoff=cutoff)
