"""Slices of the queries: which attributes are shown, the comparison by slice, two attributes crossed and the search,
computed in the background."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from irviewer.analysis.statistics.dependence.tests_by_unit import BY_UNIT
from irviewer.errors import IrviewerError, OptionError
from irviewer.model.attributes.queries import (
    FACET,
    LENGTH,
    QUESTION_WORD,
    Cut,
    QueryAttribute,
    Slicing,
    slice_text,
    slices_of,
)
from irviewer.model.query_units import ID_PREFIX
from irviewer.model.same import Same
from irviewer.rendering.atomic import write_atomically
from irviewer.session.attributes import AttributeService
from irviewer.session.background import BackgroundResults
from irviewer.session.comparison.facets import FacetRequest, FacetResult, facets_in_view
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import in_files, is_zscored
from irviewer.session.protocol.units import units_in_view
from irviewer.session.query_sets import QuerySetService
from irviewer.session.saving import FileSaving
from irviewer.session.store import Store
from irviewer.session.tasks import PAUSE
from irviewer.session.view import View
from irviewer.session.view_models.pair import copy_untested, untestable
from irviewer.session.view_models.slices import Parts, SlicesViewModel, build_slices_view_model
from irviewer.tables.judgment_mark import marked_tables
from irviewer.tables.writers.registry import writer_of, written
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.slices.crossing import CrossedSlices
    from irviewer.analysis.slices.search import SliceSearch
    from irviewer.analysis.slices.slices import SliceComparison
    from irviewer.analysis.statistics.result_comparison import ComparisonOptions
    from irviewer.analysis.statistics.run_values import RunValues
    from irviewer.evaluation.bind import BoundProtocol
    from irviewer.views.result import ViewResult
    from irviewer.views.slices import Slices

Kind = Literal["slices", "crossed", "search"]
KINDS: tuple[Kind, ...] = ("slices", "crossed", "search")
MOST_PRESET = 4
"""Attributes whose slices are shown before the user chooses."""


@dataclass(frozen=True, eq=False)
class SlicesResult:
    """The result of one request: one of three kinds, or the reason why there is none."""

    comparison: SliceComparison | None = None
    crossed: CrossedSlices | None = None
    search: SliceSearch | None = None
    trouble: str = ""


_NOTHING = SlicesResult()


@dataclass(frozen=True, eq=False)
class KnownSlices:
    """The results in view: the values of the baseline and the run, their comparison by slice, the crossed attributes
    and the found slices (None if they are not shown, or not computed)."""

    values: RunValues
    comparison: SliceComparison
    crossed: CrossedSlices | None
    search: SliceSearch | None


@dataclass(frozen=True, eq=False)
class SlicesRequest:
    """The frozen inputs of one result. ``key`` holds all that it depends on; ``pairs``: the declared family is all
    pairs of runs."""

    key: tuple[Hashable, ...]
    kind: Kind
    context: EvaluationContext
    slicings: tuple[Slicing, ...]
    options: ComparisonOptions
    pairs: bool = False

    def values(self) -> RunValues:
        """The values of all runs that take part over the evaluated queries."""
        return values_of_runs(self.context, [entry.key for entry in self.context.decidable])

    def pair(self) -> RunValues:
        """The values of the baseline and the run, in this order, over the evaluated queries."""
        return _pair_of(self.context)

    def compute(self, progress: Callable[[float], None] | None = None) -> SlicesResult:
        """Compute it; any thread may."""
        from irviewer.analysis.slices.crossing import cross_slices
        from irviewer.analysis.slices.search import search_slices
        from irviewer.analysis.slices.slices import compare_slices
        from irviewer.analysis.statistics.warnings import set_warning

        context = self.context
        of_set = context.query_set
        notes = () if of_set is None else (set_warning(of_set.name, context.n_queries, len(context.query_ids)),)
        try:
            if self.kind == "slices":
                places = [entry.key for entry in self.context.decidable]
                assert self.context.baseline is not None
                assert self.context.focus is not None
                return SlicesResult(
                    compare_slices(
                        self.values(), self.slicings, self.options, baseline=places.index(self.context.baseline),
                        shown=[places.index(self.context.focus)], pairs=self.pairs, notes=notes,
                        progress=progress,
                    )
                )  # fmt: skip
            values = self.pair()
            if self.kind == "crossed":
                first, second = self.slicings
                return SlicesResult(crossed=cross_slices(values, 1, 0, first, second, self.options))
            return SlicesResult(search=search_slices(values, 1, 0, self.slicings, self.options))
        except OptionError as error:
            return SlicesResult(trouble=str(error))


class SliceService:
    """The slices of the pair of runs in view."""

    def __init__(
        self,
        store: Store,
        view: View,
        saving: FileSaving,
        attributes: AttributeService,
        query_sets: QuerySetService,
    ) -> None:
        self._store = store
        self._view = view
        self._saving = saving
        self._attributes = attributes
        self._query_sets = query_sets
        self._facets: BackgroundResults[FacetRequest, FacetResult] = BackgroundResults(
            store, "slices of fields", ("facets",), wanted=lambda _: self._facets_wanted(),
            in_view=self._facets_in_view,
            title=lambda _: tr("Reading fields of the documents"), most=24, arrived=lambda *_: self._results.follow(),
        )  # fmt: skip
        self._results: BackgroundResults[SlicesRequest, SlicesResult] = (
            BackgroundResults(
                store, "slices", KINDS, wanted=self._wanted_of, in_view=self._in_view,
                title=lambda _: tr("Comparing the slices"), most=12, after=PAUSE,
            )
        )  # fmt: skip

    # --- attributes ---

    @property
    def attributes(self) -> tuple[QueryAttribute, ...]:
        """The attributes that can make slices: those of the queries, how difficult they are for the other runs, and the
        fields of their relevant documents, which have no values until they are chosen and read."""
        context = self._view.context
        if context is None:
            return ()
        own = {attribute.name for attribute in context.query_attributes}
        facets = [self._facet(asked) for asked in facets_in_view(context) if asked.attribute.name not in own]
        others = [entry.key for entry in context.decidable if entry.key not in (context.baseline, context.focus)]
        if context.judgments is None or not others or untestable(context):
            return (*context.query_attributes, *facets)
        return (*context.query_attributes, self._difficulty(context, tuple(others)), *facets)

    def _facet(self, asked: FacetRequest) -> QueryAttribute:
        facet = self._facet_result(asked)
        return asked.attribute if facet is None or facet.attribute is None else facet.attribute

    def _facet_result(self, asked: FacetRequest) -> FacetResult | None:
        chosen = self._attributes.slicing.shown or ()
        if asked.attribute.name in chosen and not self._store.tasks.threaded:
            return self._facets.now(asked)
        return self._facets.known(asked)

    def _facets_wanted(self) -> tuple[FacetRequest, ...]:
        context, chosen = self._view.context, self._attributes.slicing.shown or ()
        if context is None or not any(name.startswith(FACET) for name in chosen):
            return ()
        return tuple(asked for asked in facets_in_view(context) if asked.attribute.name in chosen)

    def _facets_in_view(self) -> tuple[str, ...]:
        return ("facets",) if self._in_view() else ()

    def _difficulty(self, context: EvaluationContext, others: tuple[int, ...]) -> QueryAttribute:
        from irviewer.analysis.slices.difficulty import difficulty

        return self._store.cache.get(
            "difficulty", (context, others), lambda: difficulty(values_of_runs(context, others))
        )

    def trouble_of(self, attribute: QueryAttribute, cut: Cut | None = None) -> str:
        """Return the reason why an attribute has no slices, "" if it has some."""
        context = self._view.context
        if context is None:
            return ""
        for asked in facets_in_view(context) if attribute.name.startswith(FACET) else ():
            if asked.attribute.name == attribute.name:
                facet = self._facet_result(asked)
                if facet is None or facet.trouble:
                    return "" if facet is None else facet.trouble
        try:
            slices_of(attribute, ids_of(context), cut)
        except OptionError as error:
            return str(error)
        return ""

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the attributes whose slices are shown."""
        context, chosen = self._view.context, self._attributes.slicing.shown
        if context is None:
            return ()
        if chosen is not None:
            names = {attribute.name for attribute in self.attributes}
            return tuple(name for name in chosen if name in names)
        return self._store.cache.get("slices-shown", (context,), lambda: self._preset(context))

    def _preset(self, context: EvaluationContext) -> tuple[str, ...]:
        """Return the default attributes: those of tables and fields, then question word and length; the number of
        relevant documents if there are no others."""
        of_tables = [attribute for attribute in context.query_attributes if not attribute.title]
        of_texts = [attribute for attribute in context.query_attributes if attribute.name in (QUESTION_WORD, LENGTH)]
        names: list[str] = []
        others = [attribute for attribute in context.query_attributes if attribute.name != ID_PREFIX]
        for attribute in (*of_tables, *of_texts, *others):
            if names and attribute not in of_tables and attribute not in of_texts:
                break
            if attribute.name not in names and len(names) < MOST_PRESET and _divides(attribute, ids_of(context)):
                names.append(attribute.name)
        return tuple(names)

    def _slicings(self, context: EvaluationContext, names: Sequence[str]) -> tuple[Slicing, ...]:
        by_name = {attribute.name: attribute for attribute in self.attributes}
        slicings = (self._slicing(context, by_name[name]) for name in names if name in by_name)
        return tuple(slicing for slicing in slicings if slicing is not None)

    def _slicing(self, context: EvaluationContext, attribute: QueryAttribute) -> Slicing | None:
        """Return the slices of an attribute, None if it has none; cached, since every change needs them."""
        cut = self._attributes.slicing.cuts.get(attribute.name)

        def make() -> Slicing | None:
            try:
                return slices_of(attribute, ids_of(context), cut)
            except OptionError:
                return None

        return self._store.cache.get(f"slicing-{attribute.name}", (context, Same(attribute.values), cut), make)

    # --- what is chosen ---

    def choose(self, parts: Parts) -> None:
        """List the queries of a slice, of a crossed cell (two parts), or of all slices ()."""
        self._store.choose(slice_chosen=tuple(parts))

    def cross(self, rows: str, columns: str) -> None:
        """Cross two attributes."""
        self._store.choose(slice_crossed=(rows, columns))

    def search(self, searched: bool) -> None:
        """Search slices where the run loses most, or hide them."""
        self._store.choose(slices_searched=searched)

    @property
    def crossed(self) -> tuple[str, str]:
        """The attributes that are crossed: the chosen ones, else the first two shown; "" where there are not two."""
        shown = self.shown
        rows, columns = self._store.state.chosen.slice_crossed
        rows = rows if rows in shown else next(iter(shown), "")
        others = [name for name in shown if name != rows]
        return rows, columns if columns in others else next(iter(others), "")

    def keep(self) -> str:
        """Make a query set of the chosen slice and return its name. Raises IrviewerError where none is chosen."""
        view_model = self.slices_view_model()
        queries = None if view_model is None else view_model.queries
        if queries is None or not queries.parts:
            raise IrviewerError(tr("Choose a slice first."))
        name = " × ".join(slice_text(*part) for part in queries.parts)
        how = " and ".join(f"{attribute}: {name}" for attribute, name in queries.parts)
        return self._query_sets.make_query_set(name, map(str, queries.table.keys), "attribute", how, looked=True)

    # --- results ---

    def slices_view_model(self) -> SlicesViewModel | None:
        """The view model; None if nothing is open."""
        context = self._view.context
        if context is None:
            return None
        explanation = self._explanation(context)
        results = [None if explanation else self._known(kind) for kind in KINDS]
        first, second, third = (_NOTHING if result is None else result for result in results)
        slicings = () if explanation else self._slicings(context, self.shown)
        result = self._tables((first, second, third))
        key = (context, Same(result), Same(third), explanation, first.trouble, self._view.query_id,
               self._attributes.slicing.shown, tuple(slicing.attribute.name for slicing in slicings))  # fmt: skip

        def make() -> SlicesViewModel:
            shown = {slicing.attribute.name for slicing in slicings}
            attributes = [attribute for attribute in self.attributes if attribute.name in shown]
            return build_slices_view_model(
                context, attributes, result, _queries_of(slicings, context.choices.slice_chosen),
                None if result is None else _pair_of(context), self._view.query_id, explanation or first.trouble,
                searched=context.choices.slices_searched, search_trouble=third.trouble,
            )  # fmt: skip

        return self._store.cache.get("slices", key, make)

    def _tables(self, results: Sequence[SlicesResult]) -> ViewResult | None:
        """Return the results as every door shows them, the same object while they are the same."""
        from irviewer.views.slices import tables

        slices, bound = _joined(results), self._view.protocol
        if slices is None:
            return None
        return self._store.cache.get("slices-tables", (*map(Same, results), Same(bound)), lambda: tables(slices, bound))

    def known(self) -> KnownSlices | None:
        """Return the results that the view shows; None until the comparison is computed."""
        context = self._view.context
        if context is None or self._explanation(context):
            return None
        request, result = next(iter(self._wanted_of("slices")), None), self._known("slices")
        if request is None or result is None or result.comparison is None:
            return None
        crossed, search = self._known("crossed"), self._known("search")
        return KnownSlices(
            request.pair(), result.comparison, None if crossed is None else crossed.crossed,
            None if search is None else search.search,
        )  # fmt: skip

    def _known(self, kind: Kind) -> SlicesResult | None:
        wanted = next(iter(self._wanted_of(kind)), None)
        if wanted is not None and not self._store.tasks.threaded:
            return self._results.now(wanted)
        return self._results.known(wanted)

    def _explanation(self, context: EvaluationContext) -> str:
        if context.explanation:
            return context.explanation
        if context.focus is None or context.baseline is None:
            return tr("Slices compare two runs. Show a run beside the baseline ★.")
        if untestable(context):
            return untestable(context)
        focus = context.collection.run(context.focus)
        if focus is not None and focus.is_copy:
            return copy_untested(context, focus)
        if {context.focus, context.baseline} & context.unmatched.keys():
            return tr("A run has no judged documents: its ids do not match the qrels.")
        if is_zscored(context, context.measure) and context.geometric:
            return tr("Z-scores of a geometric mean have no values by query.")
        if not self.shown:
            return tr(
                "The queries have no attributes that make slices. Open a table of attributes (File › Open "
                "attributes…), or the queries' texts."
            )
        return ""

    def _in_view(self) -> tuple[str, ...]:
        visible = self._view.place == "compare" and self._view.tab("compare") == "slices"
        return KINDS if visible else ()

    def _wanted_of(self, slot: str) -> tuple[SlicesRequest, ...]:
        context = self._view.context
        if context is None or self._explanation(context):
            return ()
        names: tuple[str, ...] = self.shown
        if slot == "crossed":
            names = tuple(filter(None, self.crossed))
        elif slot == "search" and not context.choices.slices_searched:
            return ()
        slicings = self._slicings(context, names)
        if not slicings or (slot == "crossed" and len(slicings) < 2):
            return ()
        from irviewer.analysis.statistics.result_comparison import comparison_options

        inference = self._store.state.protocol.inference
        units, _ = units_in_view(context)
        if inference.looks is not None:
            return ()  # they are bounds for one pair over all queries
        if units is not None and (inference.decides not in BY_UNIT or slot == "search"):
            return ()
        options = comparison_options(inference, units=units, looked=context.looked)
        pairs = inference.family == "pairs"
        cuts = self._attributes.slicing.cuts
        runs = (
            context.baseline, context.focus,
            *((entry.key, entry.name, Same(entry.run.scores)) for entry in context.decidable),
        )  # fmt: skip
        grades = None if context.judgments is None else Same(context.judgments.qrels.grades)
        key = (
            slot, runs, grades, str(context.measure), context.options, context.query_set, context.choices.zscores,
            options, pairs,
            tuple((slicing.attribute.name, Same(slicing.attribute.values), cuts.get(slicing.attribute.name))
                  for slicing in slicings),
        )  # fmt: skip
        kind: Kind = "crossed" if slot == "crossed" else "search" if slot == "search" else "slices"
        return (SlicesRequest(key, kind, context, slicings, options, pairs),)

    # --- saving ---

    def save(self, path: str) -> None:
        """Write the slices in the background in the format of the file's ending, the bytes that ``irviewer slices``
        writes: the slices, the crossed attributes, and those of a search where they are shown. Raises OptionError for
        another ending, IrviewerError where there is nothing."""
        writer_of(path)
        if not self._wanted_of("slices"):
            raise IrviewerError(tr("There are no slices to save."))
        requests = tuple(request for kind in KINDS for request in self._wanted_of(kind))
        self._saving.save_file(path, partial(_write, requests, self._view.protocol, self._view.judgment_mark))


def ids_of(context: EvaluationContext) -> tuple[str, ...]:
    """Return the evaluated queries."""
    if context.within is None:
        return context.query_ids
    return tuple(np.array(context.query_ids)[context.within].tolist())


def _pair_of(context: EvaluationContext) -> RunValues:
    """Return the values of the baseline and the run, in this order."""
    assert context.baseline is not None
    assert context.focus is not None
    return values_of_runs(context, (context.baseline, context.focus))


def values_of_runs(context: EvaluationContext, keys: Sequence[int]) -> RunValues:
    """Return the values of some runs over the evaluated queries, by the chosen measure."""
    from irviewer.analysis.statistics.run_values import RunValues

    entries = [entry for key in keys if (entry := context.collection.run(key)) is not None]
    values = np.array([context.values(entry, context.measure) for entry in entries])
    never = np.array([context.unreached[entry.key] for entry in entries])
    if context.within is not None:
        values, never = values[:, context.within], never[:, context.within]
    return RunValues(
        tuple(entry.name for entry in entries),
        ids_of(context),
        values,
        never,
        in_files(context, context.measure),
        context.measure.higher_is_better,
        context.geometric,
    )


def _divides(attribute: QueryAttribute, ids: Sequence[str]) -> bool:
    try:
        return len(slices_of(attribute, ids).slices) > 1
    except OptionError:
        return False


def _queries_of(slicings: Sequence[Slicing], parts: Parts) -> frozenset[str] | None:
    """Return the queries of a slice, or of two of different attributes; None where there is no such slice."""
    if not parts:
        return None
    cut: list[Slicing] = []
    inside = np.ones(len(slicings[0].query_ids) if slicings else 0, dtype=np.bool_)
    for attribute, name in parts:
        slicing = next((each for each in slicings if each.attribute.name == attribute), None)
        places = None if slicing is None else next((each.places for each in slicing.slices if each.name == name), None)
        if slicing is None or places is None or slicing in cut:
            return None
        cut.append(slicing)
        inside &= np.isin(np.arange(len(inside)), places)
    ids = slicings[0].query_ids
    return frozenset(ids[place] for place in np.flatnonzero(inside).tolist())


def _write(requests: Sequence[SlicesRequest], bound: BoundProtocol | None, mark: str, path: str) -> None:
    from irviewer.views.slices import tables

    slices = _joined([request.compute() for request in requests])
    if slices is None:
        raise IrviewerError(tr("There are no slices to save."))
    data = written(marked_tables(tables(slices, bound).tables, mark), writer_of(path).name)
    write_atomically(Path(path), lambda stream: stream.write(data))


def _joined(results: Sequence[SlicesResult]) -> Slices | None:
    """Return the results as the view describes them; None without a comparison."""
    from irviewer.views.slices import Slices

    comparisons = tuple(result.comparison for result in results if result.comparison is not None)
    if not comparisons:
        return None
    return Slices(
        comparisons, tuple(result.crossed for result in results if result.crossed is not None),
        tuple(result.search for result in results if result.search is not None),
    )  # fmt: skip
