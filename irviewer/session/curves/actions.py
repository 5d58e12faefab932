"""Options of the averaged curves: bootstrap bands, differences of two runs, lines of equal F1, DCG instead of nDCG.
Bands are computed in a task and cached."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from irviewer.errors import OptionError
from irviewer.figures.curve_bands import BandOptions
from irviewer.figures.curve_differences import BANDS, curve_difference_figure
from irviewer.figures.figure import Band, Figure, Role
from irviewer.figures.measure_by_cutoff import by_cutoff_figure, widened
from irviewer.figures.precision_recall import iso_f_lines
from irviewer.model.arrays import Floats, frozen
from irviewer.model.protocol import Inference
from irviewer.model.same import Same
from irviewer.session.background import BackgroundResults
from irviewer.session.curves.rules import curve_rules, gain_by_cutoff, queries_counted, rows_by_query
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.store import Store
from irviewer.session.tasks import PAUSE
from irviewer.session.view import View
from irviewer.session.view_models.query import QueryViewModel
from irviewer.session.view_models.systems import SystemsViewModel, curve_depth
from irviewer.translation import tr

MOST_KEPT = 400
SWITCHES = ("curve_bands", "curve_differences", "iso_f", "pr_raw")
OF_SYSTEMS = SWITCHES[:3]
NO_BANDS = tr("no bands by unit")

Ends = tuple[Floats, Floats, Floats]
"""x, low and high of a band."""


@dataclass(frozen=True, eq=False)
class _Strip:
    """The frozen inputs of one band: that of a run's curve, or of the difference of two runs. ``key`` identifies it."""

    key: tuple[Hashable, ...]
    context: EvaluationContext
    kind: str
    run: int
    other: int | None
    inference: Inference

    def rows(self) -> tuple[Floats, Floats] | None:
        """Return x, and float64[Q, P] of the queries that count (in both runs)."""
        depth = curve_depth(self.context)
        entry = self.context.collection.run(self.run)
        x_and_rows = None if entry is None else rows_by_query(self.context, entry, self.kind, depth)
        if x_and_rows is None:
            return None
        x, rows = x_and_rows
        if self.other is not None:
            entry = self.context.collection.run(self.other)
            beside = None if entry is None else rows_by_query(self.context, entry, self.kind, depth)
            if beside is None:
                return None
            rows = rows - beside[1]
        return x, rows[~np.isnan(rows).any(axis=1)]

    def compute(self, progress: Callable[[float], object] | None = None) -> Ends | None:
        """Return the band with the kind of interval, samples and seed of the options, separately for each point. At the
        cutoff it is the interval of the table."""
        x_and_rows, inference = self.rows(), self.inference
        if x_and_rows is None or not len(x_and_rows[1]):
            return None
        options = BandOptions(inference.interval, inference.confidence, inference.samples, inference.seed)
        low, high = options.ends(x_and_rows[1])
        return x_and_rows[0], frozen(low), frozen(high)


class CurveService:
    """The curves as the user chose to see them; bands are computed in the background."""

    def __init__(self, store: Store, view: View) -> None:
        self._store = store
        self._tasks = store.tasks
        self._settings = store.settings
        self._cache = store.cache
        self._view = view
        self.results: BackgroundResults[_Strip, Ends | None] = BackgroundResults(
            store, "bands", ("",), wanted=self._wanted_of, in_view=lambda: ("",) if view.place == "systems" else (),
            title=lambda _: tr("Computing bands around the curves"), most=MOST_KEPT, after=PAUSE,
        )  # fmt: skip

    def curve_look(self, name: str) -> bool:
        """Return True if an option of SWITCHES is on."""
        return bool(self._settings[name])

    def set_curve_look(self, name: str, on: bool) -> None:
        """Show or hide bands ("curve_bands"), differences ("curve_differences"), lines of equal F1 ("iso_f"), or
        precision at every rank in a query's plot ("pr_raw"). Raises OptionError for another name."""
        if name not in SWITCHES:
            raise OptionError(
                tr("Unknown option {name!r}; choose one of {names}.", name=name, names=", ".join(SWITCHES))
            )
        self._set_look(name, on)

    @property
    def curve_gain(self) -> str:
        """ "ndcg" or "dcg": what the curve by cutoff shows."""
        return str(self._settings["curve_gain"])

    def set_curve_gain(self, name: str) -> None:
        """Show nDCG or DCG ("ndcg", "dcg") by cutoff."""
        self._set_look("curve_gain", name)

    @property
    def query_gain(self) -> str:
        """ "dcg" or "cg": what the gain plot of a query shows."""
        return str(self._settings["query_gain"])

    def set_query_gain(self, name: str) -> None:
        """Show a query's gain discounted or not ("dcg", "cg")."""
        self._set_look("query_gain", name)

    def dress_systems(self, view_model: SystemsViewModel | None) -> SystemsViewModel | None:
        """Return the view model of the Systems view with the curves that the user chose."""
        context = self._view.context
        looks = (*(self.curve_look(name) for name in OF_SYSTEMS), self.curve_gain)
        if view_model is None or context is None or context.judgments is None or looks == (False, False, False, "ndcg"):
            return view_model
        strips = self._strips_wanted(context)
        known = {strip.key: self.results.known(strip) for strip in strips if self.results.has(strip)}
        return self._cache.get(
            "systems with looks",
            (view_model, looks, tuple(known), context.choices.scope.unit),
            lambda: self._dressed(view_model, context, strips, known),
        )

    def dress_query(self, view_model: QueryViewModel | None) -> QueryViewModel | None:
        """Return the view model of a query with the curves that the user chose."""
        if view_model is None or not self.curve_look("iso_f"):
            return view_model
        plain = view_model.make_precision_recall
        return self._cache.get("query with looks", (view_model,), lambda: replace(
            view_model, make_precision_recall=cache(lambda: replace(plain(), guides=iso_f_lines()))
        ))  # fmt: skip

    # --- internal ---

    def _set_look(self, name: str, value: object) -> None:
        self._settings[name] = value
        self._store.apply(replace(self._store.state, columns=self._store.state.columns + 1))

    def _wanted_of(self, slot: str) -> list[_Strip]:
        context = self._view.context
        return [] if context is None else self._strips_wanted(context)

    def _strips_wanted(self, context: EvaluationContext) -> list[_Strip]:
        """Return the bands of the shown runs, those by recall first; none if they are switched off."""
        return [] if context.choices.scope.unit else self._strips(context)  # bands draw single queries

    def _strips(self, context: EvaluationContext) -> list[_Strip]:
        judgments, inference = context.judgments, self._store.state.protocol.inference
        if judgments is None:
            return []
        difference = self._difference(context)
        if difference is None and not self.curve_look("curve_bands"):
            return []
        pairs = [difference] if difference is not None else [(entry.key, None) for entry in context.shown_runs]
        drawn = (inference.interval, inference.confidence, inference.samples, inference.seed)
        shared = (Same(judgments.qrels.grades), context.options, context.query_set, repr(curve_rules(context)), *drawn)
        strips = []
        for kind in ("pr", self.curve_gain):
            for run, other in pairs:
                runs = tuple(
                    Same(run_open.run.scores) for run_open in context.collection.runs if run_open.key in (run, other)
                )
                depth = 0 if kind == "pr" else curve_depth(context)
                strips.append(_Strip((kind, depth, run, other, runs, *shared), context, kind, run, other, inference))
        return strips

    def _difference(self, context: EvaluationContext) -> tuple[int, int] | None:
        if not self.curve_look("curve_differences") or context.focus is None or context.baseline is None:
            return None
        return context.focus, context.baseline

    def _dressed(
        self,
        view_model: SystemsViewModel,
        context: EvaluationContext,
        strips: list[_Strip],
        known: dict[tuple[Hashable, ...], Ends | None],
    ) -> SystemsViewModel:
        if context.no_curves:
            return view_model
        left, right = view_model.precision_recall, view_model.by_cutoff
        if self.curve_gain == "dcg":
            right = _gain_figure(context)
        difference = self._difference(context)
        if difference is not None:
            by_kind = {strip.kind: strip for strip in self._strips(context)}
            figures = ((left, by_kind["pr"]), (right, by_kind[self.curve_gain]))
            left, right = (_as_difference(figure, context, strip, known.get(strip.key)) for figure, strip in figures)
        else:
            left = _with_bands(left, context, [strip for strip in strips if strip.kind == "pr"], known)
            right = _with_bands(right, context, [strip for strip in strips if strip.kind != "pr"], known)
            if self.curve_look("iso_f"):
                left = replace(left, guides=iso_f_lines())
        if context.choices.scope.unit and (difference is not None or self.curve_look("curve_bands")):
            left, right = (replace(figure, note=_joined(NO_BANDS, figure.note)) for figure in (left, right))
        return replace(view_model, precision_recall=left, by_cutoff=right)


def _joined(*notes: str) -> str:
    return " · ".join(note for note in notes if note)


def _gain_figure(context: EvaluationContext) -> Figure:
    gain_curves = [(entry, gain_by_cutoff(context, entry, curve_depth(context))) for entry in context.shown_runs]
    curves = [
        (Role("run", entry.key), context.name_of(entry), *curve) for entry, curve in gain_curves if curve is not None
    ]
    return by_cutoff_figure(curves, context.cutoff, queries_counted(context), "DCG", curve_rules(context).note)


def _with_bands(
    figure: Figure, context: EvaluationContext, strips: list[_Strip], known: dict[tuple[Hashable, ...], Ends | None]
) -> Figure:
    """Return the figure with the bands that are known; the axis makes room for them."""
    bands = []
    for strip in strips:
        ends, entry = known.get(strip.key), context.collection.run(strip.run)
        if ends is not None and entry is not None:
            bands.append(Band(Role("run", strip.run), context.name_of(entry), *ends))
    if not bands:
        return figure
    figure = replace(figure, bands=tuple(bands), note=_joined(BANDS, figure.note))
    if figure.x.integer:
        figure = widened(figure)
    return figure


def _as_difference(figure: Figure, context: EvaluationContext, strip: _Strip, ends: Ends | None) -> Figure:
    x_and_rows = strip.rows()
    if x_and_rows is None or not len(x_and_rows[1]):
        return figure
    x, rows = x_and_rows
    label = context.delta_label
    between = None if ends is None else (ends[1], ends[2])
    return curve_difference_figure(figure, Role("run", strip.run), label, x, rows.mean(axis=0), between)
