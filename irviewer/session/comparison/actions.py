"""The comparisons of runs that views need: computed in tasks, cached, and announced when they are ready.
``analysis.statistics`` computes them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from irviewer.analysis.statistics.dependence.tests_by_unit import BY_UNIT
from irviewer.analysis.statistics.significance.resampling import SharedMeans
from irviewer.errors import IrviewerError
from irviewer.evaluation.looks import looks_trouble
from irviewer.figures.figure import Figure
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.arrays import Ints
from irviewer.model.held_bytes import held_bytes
from irviewer.model.matching.unmatched import unmatched_warnings
from irviewer.model.same import Same
from irviewer.rendering.table_files import save_tables
from irviewer.session.background import BackgroundResults
from irviewer.session.comparison.copies import CopiesRequest, copies_request
from irviewer.session.comparison.request import ComparisonRequest
from irviewer.session.comparison.result import Compared
from irviewer.session.evaluation.caveats import share_caveats
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.default_measures import systems_measures
from irviewer.session.evaluation.zscores import in_files, is_zscored, zscores_of
from irviewer.session.protocol.units import units_in_view
from irviewer.session.saving import FileSaving
from irviewer.session.store import Store
from irviewer.session.tasks import PAUSE
from irviewer.session.view import View
from irviewer.session.view_models.pair import (
    PairFigures,
    PairViewModel,
    build_pair_figures,
    build_pair_share,
    build_pair_view_model,
    pair_rows,
    untestable,
)
from irviewer.session.view_models.systems import (
    STATISTICS,
    SystemsViewModel,
    build_curves,
    build_systems_view_model,
    drawn_runs,
    lacking_curves,
)
from irviewer.tables.judgment_mark import marked_tables
from irviewer.tables.writers.registry import writer_of
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.statistics.run_comparison import RunComparison
    from irviewer.evaluation.bind import BoundProtocol, Standing
    from irviewer.model.protocol import Inference
    from irviewer.tables.table import Table


Kind = Literal["baseline", "pairs"]
KINDS: tuple[Kind, ...] = ("baseline", "pairs")
MOST_KEPT, MOST_BYTES = 12, 96 << 20
"""Results that are kept. All pairs of 500 runs take 39 MB, so those of two measures are; those of 76 runs take 1 MB."""
MOST_CURVES = 2
AT_ONCE = 0.08
"""Seconds that averaged curves may take at once. Below it nothing flickers; what takes longer stalls nothing."""
RUN_SECONDS, QUERY_SECONDS = 0.0005, 2.5e-6
"""What both averaged curves of a run take, and what each query adds."""


@dataclass(frozen=True, eq=False)
class CurvesRequest:
    """The averaged curves of the shown runs of a context."""

    context: EvaluationContext

    @property
    def key(self) -> Hashable:
        """The context itself."""
        return Same(self.context)

    def is_cheap(self) -> bool:
        """Return whether the curves that are not computed yet take less time than anybody notices."""
        of_each = RUN_SECONDS + QUERY_SECONDS * self.context.n_queries
        return any(len(runs(self.context)) * of_each < AT_ONCE for runs in (drawn_runs, lacking_curves))

    def compute(self, progress: Callable[[float], None] | None = None) -> tuple[Figure, Figure]:
        """Compute the curves that are not known, and return all; called on any thread."""
        return build_curves(self.context, progress)


class ComparisonService:
    """The comparisons of every run with the baseline, and of all pairs."""

    def __init__(self, store: Store, view: View, saving: FileSaving) -> None:
        self._store = store
        self._tasks = store.tasks
        self._settings = store.settings
        self._cache = store.cache
        self._view = view
        self._saving = saving
        self._shared = SharedMeans()
        self.results: BackgroundResults[ComparisonRequest, Compared] = BackgroundResults(
            store, "statistics", KINDS, wanted=self._wanted_of, in_view=self._comparisons_in_view, title=self._title,
            most=MOST_KEPT, size=held_bytes, most_bytes=MOST_BYTES, after=PAUSE, lasting=True,
            arrived=self._on_arrived,
        )  # fmt: skip

        self._copies: BackgroundResults[CopiesRequest, Mapping[int, RunComparison]] = BackgroundResults(
            store, "copies", ("",), wanted=lambda _: self._copies_wanted(),
            in_view=lambda: ("",) if view.place == "systems" else (),
            title=lambda _: tr("Comparing edited copies with the baseline"), most=MOST_KEPT, after=PAUSE, lasting=True,
        )  # fmt: skip
        self._curves: BackgroundResults[CurvesRequest, tuple[Figure, Figure]] = BackgroundResults(
            store, "curves", ("",), wanted=lambda _: self._curves_wanted(),
            in_view=lambda: ("",) if view.place == "systems" else (),
            title=lambda _: tr("Averaging the curves of the runs"), most=MOST_CURVES, lasting=True,
            at_once=CurvesRequest.is_cheap,
        )  # fmt: skip

    def compared(self, kind: Kind = "baseline") -> Compared | None:
        """The comparison for the view; None if there is nothing to compare, and until it is computed, which is
        announced as "statistics"."""
        context = self._view.context
        wanted = None if context is None else self.wanted(context, kind)
        if wanted is not None and not self._tasks.threaded:
            return self.results.now(wanted)
        return self.results.known(wanted)

    def known_comparison(self, kind: Kind) -> Compared | None:
        """Return the comparison if it is known. View models show what is known and are made again when more is."""
        context = self._view.context
        wanted = None if context is None else self.wanted(context, kind)
        return self.results.known(wanted)

    def systems_view_model(self) -> SystemsViewModel | None:
        """Return the view model of the Systems view with the statistics that are known; None if nothing is open."""
        context = self._view.context
        if context is None:
            return None
        measures = self.measures_shown(self._settings["table_measures"])
        hidden = frozenset(self._settings["hidden_columns"])
        known = (self.known_comparison("baseline"), self.known_comparison("pairs"))
        pending = any(
            known_result is None and self.wanted(context, kind) is not None
            for known_result, kind in zip(known, KINDS, strict=True)
        )
        # Statistics arrive after the curves; the figures of the curves are kept, so that they are drawn only once.
        curves = self._known_curves(context)
        copies = self._known_copies(context)
        key = (context, measures, hidden, *known, pending, Same(curves), self.standing, Same(copies))

        def make() -> SystemsViewModel:
            return replace(
                build_systems_view_model(
                    context, measures, *known, hidden=hidden, curves=curves, standing=self.standing, copies=copies
                ),
                pending=pending,
            )

        return self._cache.get("systems", key, make)

    def pair_view_model(self) -> PairViewModel | None:
        """Return the view model of the focus run and the baseline; None if nothing is open."""
        context = self._view.context
        if context is None:
            return None
        known, pairs = self.known_comparison("baseline"), self.known_comparison("pairs")
        query, brushed = self._view.query_id, self._brushed
        # The smallest difference that matters is one of the primary measure.
        smallest = self._store.state.protocol.inference.smallest if self.standing in ("", "primary") else None

        def make() -> PairViewModel:
            # Statistics arrive later: a million points are put in order once.
            figures = self._pair_figures()
            return build_pair_view_model(context, query, brushed, known, pairs, smallest=smallest, figures=figures)

        return self._cache.get("pair", (context, query, brushed, known, pairs, smallest), make)

    def _pair_rows(self) -> Ints | None:
        context = self._view.context
        return None if context is None else self._cache.get("pair rows", (context,), lambda: pair_rows(context))

    def _pair_share(self) -> Figure | None:
        context, query, brushed, rows = self._view.context, self._view.query_id, self._brushed, self._pair_rows()
        if context is None or rows is None:
            return None
        return self._cache.get(
            "pair share", (context, query, brushed), lambda: build_pair_share(context, query, brushed, rows)
        )

    def _pair_figures(self) -> PairFigures | None:
        context, query, brushed, rows = self._view.context, self._view.query_id, self._brushed, self._pair_rows()
        if context is None or rows is None:
            return None
        share = self._pair_share()
        return self._cache.get(
            "pair figures", (context, query, brushed),
            lambda: build_pair_figures(context, query, brushed, rows, share),
        )  # fmt: skip

    @property
    def _brushed(self) -> frozenset[str]:
        return self._store.state.chosen.brushed

    def pair_parts(self) -> tuple[Callable[[], object], ...]:
        """Return what computes the parts of the view model of the focus run and the baseline, each of which takes a
        while of very many queries."""
        return self._pair_rows, self._pair_share, self._pair_figures, self.pair_view_model

    def pair_table(self) -> Table | None:
        """Return the row of the focus run in the table ``comparison`` of the baseline, as every door has it; None until
        it is computed."""
        from irviewer.views import comparison

        context, compared = self._view.context, self.known_comparison("baseline")
        if context is None or compared is None or context.focus not in compared.keys:
            return None
        table = comparison.tables(
            comparison.Compared((compared.comparison,), standing=self.standing), self._view.protocol
        ).table("comparison")
        name = compared.comparison.names[compared.keys.index(context.focus)]
        rows = [row for row, run in enumerate(table.column("run").values) if run == name]
        return table.rows(rows) if rows else None

    @property
    def standing(self) -> Standing:
        """What the measure in view is in the protocol: only the primary one decides."""
        bound, context = self._view.protocol, self._view.context
        return "" if bound is None or context is None else bound.standing(context.measure)

    def filter_systems(self, text: str) -> None:
        """Filter the Systems table: words of names, ``Δ > 0``, ``p < .05``, ``AP > .3``."""
        self._store.choose(systems_filter=text)

    def filter_outcome(self, outcome: str) -> None:
        """Show the runs in Systems that the declared test shows to be "better" or "worse" than the baseline, the
        "same": those that it does not tell apart from it, or all (""). No family of comparisons changes by it."""
        self._store.choose(systems_outcome=outcome)

    def measures_shown(self, wanted: Sequence[str] = ()) -> tuple[Measure, ...]:
        """Return the measures of the Systems table where these are wanted, by default the usual ones."""
        context = self._view.context
        if context is None:
            return systems_measures(0, self._view.measure, wanted)
        return systems_measures(
            context.depth, context.measure, wanted, context.stored_measures, graded=context.graded
        )  # fmt: skip

    def set_column(self, name: str, shown: bool) -> None:
        """Show or hide a column of the Systems table: a measure by its text, or one of STATISTICS."""
        if name in STATISTICS:
            hidden = set(self._settings["hidden_columns"])
            self._settings["hidden_columns"] = sorted(hidden - {name} if shown else hidden | {name})
        else:
            present = [str(measure) for measure in self.measures_shown(self._settings["table_measures"])]
            wanted = [measure_name for measure_name in present if measure_name != name]
            self._settings["table_measures"] = [*present, str(parse_measure(name))] if shown else wanted
        self._store.apply_when_ready(lambda state: replace(state, columns=state.columns + 1))

    def reset_columns(self) -> None:
        """Show the default columns of the Systems table."""
        self._settings["table_measures"] = []
        self._settings["hidden_columns"] = []
        self._store.apply_when_ready(lambda state: replace(state, columns=state.columns + 1))

    # --- internal ---

    def _wanted_of(self, kind: str) -> tuple[ComparisonRequest, ...]:
        context = self._view.context
        wanted = None if context is None else self.wanted(context, "pairs" if kind == "pairs" else "baseline")
        return () if wanted is None else (wanted,)

    def _on_arrived(self, request: ComparisonRequest, _: Compared) -> None:
        if request.options["pairs"]:  # which asks last
            self._shared.forget()

    def _curves_wanted(self) -> tuple[CurvesRequest, ...]:
        context = self._view.context
        return () if context is None else (CurvesRequest(context),)

    def _copies_wanted(self) -> tuple[CopiesRequest, ...]:
        context = self._view.context
        request = None if context is None else copies_request(self.wanted(context, "baseline"))
        return () if request is None else (request,)

    def _known_copies(self, context: EvaluationContext) -> Mapping[int, RunComparison] | None:
        """Return the comparisons of edited copies with the baseline by key; None without copies, and until they are
        computed, which is announced as "statistics"."""
        request = copies_request(self.wanted(context, "baseline"))
        if request is not None and not self._tasks.threaded:
            return self._copies.now(request)
        return self._copies.known(request)

    def _known_curves(self, context: EvaluationContext) -> tuple[Figure, Figure]:
        """Return the averaged curves; only those that are known until all are, which is announced as "statistics"."""
        request = CurvesRequest(context)
        if not self._tasks.threaded:
            return self._curves.now(request)
        curves = self._curves.known(request)
        if curves is None:
            curves = self._cache.get("averaged", (context,), lambda: build_curves(context, known=True))
        return curves

    def _title(self, kind: str) -> str:
        if kind == "pairs" or self._view.collection is None:
            return tr("Comparing all pairs of runs")
        return trn("Comparing {n:,} run", "Comparing {n:,} runs", len(self._view.collection.runs))

    def _comparisons_in_view(self) -> tuple[Kind, ...]:
        if self._view.collection is None:
            return ()
        if self._view.place == "systems":
            return ("baseline", "pairs")
        return ("baseline", "pairs") if self._view.place == "compare" else ()

    def wanted(
        self, context: EvaluationContext, kind: Kind, inference: Inference | None = None
    ) -> ComparisonRequest | None:
        """Return the comparison of a context's runs with this inference, by default that of the protocol; None if
        nothing can be compared. The newest is kept: every step of progress asks for it, and its caveats read all
        runs."""
        used = self._store.state.protocol.inference if inference is None else inference
        return self._cache.get(f"wanted {kind}", (context, used), lambda: self._request(context, kind, used))

    def _request(self, context: EvaluationContext, kind: Kind, inference: Inference) -> ComparisonRequest | None:
        runs, judgments = context.decidable, context.judgments
        # A sum or a count over queries has no mean whose difference could be tested.
        if judgments is None or len(runs) < 2 or untestable(context):
            return None
        if is_zscored(context, context.measure) and context.geometric:
            return None  # it has no Z-score by query
        if not context.n_queries:
            return None
        compared = len(runs) * (len(runs) - 1) // 2 if kind == "pairs" else len(runs) - 1
        if inference.looks is not None and looks_trouble(inference, compared):
            return None  # the line of the protocol says why
        units, trouble = units_in_view(context)
        if units is not None and inference.decides not in BY_UNIT:
            return None
        baseline = None
        if kind == "baseline":
            baseline = next((place for place, entry in enumerate(runs) if entry.key == context.baseline), None)
            if baseline is None:
                return None
        from irviewer.analysis.statistics.result_comparison import comparison_options
        from irviewer.analysis.statistics.warnings import set_warning, weight_warnings

        notes = [*unmatched_warnings(tuple(context.unmatched.values())), *share_caveats(context)]
        if context.query_set is not None:
            notes.append(set_warning(context.query_set.name, context.n_queries, len(context.query_ids)))
        weights = context.weights
        if weights is not None and context.within is not None:
            weights = weights[context.within]
        if weights is not None and not weights.any():
            weights = None
            notes.append(tr("None of these queries has a weight: the comparison is not weighted."))
        if trouble:
            notes.append(tr("The queries count one by one: {reason}", reason=trouble))
        said = context.collection.weights
        if weights is not None and said is not None and not said.default:
            held = context.query_ids if context.within is None else np.array(context.query_ids)[context.within].tolist()
            unknown = sorted(said.values.keys() - context.query_index.keys())
            notes += weight_warnings(len(held), sum(query in said.values for query in held), unknown)
        key = (
            kind,
            tuple((entry.key, entry.name, Same(entry.run.scores)) for entry in runs),
            Same(judgments.qrels.grades),
            str(context.measure),
            context.options,
            context.query_set,
            baseline,
            inference,
            Same(context.collection.weights),
            zscores_of(context),
            units,
        )
        return ComparisonRequest(
            key,
            context,
            {
                "baseline": baseline,
                "pairs": kind == "pairs",
                **vars(
                    comparison_options(
                        inference,
                        units=units,
                        looked=context.looked,
                        also=[name for name in _beside(kind, inference) if units is None or name in BY_UNIT],
                        comparisons=compared,
                    )
                ),
                "weights": weights,
                "notes": notes,
                "measure": in_files(context, context.measure),
                "higher_is_better": context.measure.higher_is_better,
                "geometric": context.geometric,
            },
            self._shared,
            inference.family == "pairs",
        )

    def save_comparison(self, path: str, kind: Kind = "baseline") -> None:
        """Write the comparison in view in the background, computed first if necessary, as ``irviewer compare`` writes
        it; the file's ending selects the format. Raises IrviewerError if there is nothing to compare, or for another
        ending."""
        writer_of(path)
        context = self._view.context
        wanted = None if context is None else self.wanted(context, kind)
        if wanted is None:
            raise IrviewerError(tr("Nothing to compare. Open judgments and at least two runs."))
        known_one = self.known_comparison(kind)
        compute = wanted.compute if known_one is None else lambda: known_one
        self._saving.save_file(
            path, partial(_write, compute, self._view.protocol, self.standing, self._view.judgment_mark)
        )


def _beside(kind: Kind, inference: Inference) -> tuple[str, ...]:
    """Return the tests of a comparison besides the deciding one: with a baseline those of pairs, for all pairs Tukey's
    test."""
    if kind == "pairs":
        return (inference.computed("tukey"),)
    return (inference.computed("wilcoxon"), "sign", "randomisation")


def _write(find: Callable[[], Compared], bound: BoundProtocol | None, standing: Standing, mark: str, path: str) -> None:
    from irviewer.views import comparison

    view = comparison.tables(comparison.Compared((find().comparison,), standing=standing, further=False), bound)
    save_tables(path, marked_tables(view.tables, mark))
