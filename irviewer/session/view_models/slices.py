"""The view model of Compare › Slices: the tables of the view of slices for one run beside the baseline, the queries of
the chosen slice, and what is said around them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.statistics.intervals import INTERVALS
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS
from irviewer.model.attributes.queries import QueryAttribute, slice_text
from irviewer.model.number_text import signed_quantity
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import called
from irviewer.translation import interval, tr

if TYPE_CHECKING:
    from irviewer.analysis.slices.crossing import CrossedSlices
    from irviewer.analysis.slices.slices import SliceComparison
    from irviewer.analysis.statistics.run_values import RunValues
    from irviewer.tables.table import Table
    from irviewer.views.result import ViewResult
    from irviewer.views.slices import Slices

Parts = tuple[tuple[str, str], ...]
"""(attribute, slice) pairs: one of a slice, two of a cell or a found slice; () for all queries."""


@dataclass(frozen=True)
class SliceHeading:
    """The heading of the slices of an attribute: its title, what its values are, and the test of interaction."""

    title: str
    words: str
    interaction: str


@dataclass(frozen=True, eq=False)
class SliceQueries:
    """The queries of the chosen slice as a table, and which one is selected ("" for none of them)."""

    title: str
    note: str
    parts: Parts
    table: Table
    selected: str


@dataclass(frozen=True, eq=False)
class SlicesViewModel:
    """What the tab Slices shows; ``run`` and ``baseline`` are None without a pair, ``result`` until the comparison is
    computed.

    headings      of the attributes, in the order of the table
    chosen        the slice whose queries are listed
    attributes    (name, title) of those that can be crossed
    crossed_note  the measure and the correction of the cells
    searched      whether found slices are shown; ``search_words`` what is said of the search
    """

    title: str
    note: str
    explanation: str
    run: RunLabel | None
    baseline: RunLabel | None
    sentence: str
    legend: str
    result: ViewResult | None
    headings: tuple[SliceHeading, ...]
    chosen: Parts
    attributes: tuple[tuple[str, str], ...]
    crossed_note: str
    queries: SliceQueries | None
    searched: bool
    search_words: str
    notes: tuple[str, ...]

    def table(self, name: str) -> Table | None:
        """Return a table of the view; None while it is computed, and where it is not shown."""
        if self.result is None or name not in self.result.names:
            return None
        return self.result.table(name)


def build_slices_view_model(
    context: EvaluationContext,
    attributes: Sequence[QueryAttribute],
    result: ViewResult | None,
    inside: AbstractSet[str] | None,
    values: RunValues | None,
    query_id: str,
    explanation: str = "",
    *,
    searched: bool = False,
    search_trouble: str = "",
) -> SlicesViewModel:
    """Return the view model of the view's ``result``; ``inside`` are the queries of the chosen slice, None without
    one, ``values`` those of the baseline and the run, ``explanation`` why there is nothing, ``search_trouble`` why
    nothing could be searched."""
    from irviewer.analysis.slices.slices import LEAST_QUERIES

    run = None if context.focus is None else context.labels[context.focus]
    baseline = None if context.baseline is None else context.labels[context.baseline]
    measure = called(context, context.measure)
    slices: Slices | None = None if result is None else result.value
    comparison = None if slices is None else slices.comparisons[0]
    search = slices.searches[0] if slices is not None and slices.searches else None
    crossed = slices.crossed[0] if slices is not None and slices.crossed else None
    chosen = context.choices.slice_chosen if inside is not None else ()
    legend = tr("grey: fewer than {n} queries, without p · hollow △: exploratory, or the test shows no difference",
                n=LEAST_QUERIES)  # fmt: skip
    words = search_trouble or tr("searching …")
    if search is not None:
        words = search.note if search.found else tr("no slice has enough queries in both halves")
    return SlicesViewModel(
        title=tr("{measure} by slice", measure=measure),
        note="" if comparison is None or run is None or baseline is None else _note(comparison, run, baseline),
        explanation=explanation or ("" if comparison is not None else tr("Comparing the slices …")),
        run=run,
        baseline=baseline,
        sentence="" if comparison is None or run is None or baseline is None else _sentence(comparison, run, baseline),
        legend=legend,
        result=result,
        headings=() if comparison is None else _headings(comparison),
        chosen=chosen,
        attributes=tuple((attribute.name, attribute.shown) for attribute in attributes),
        crossed_note="" if crossed is None or comparison is None else _crossed_note(crossed, comparison, measure),
        queries=None if values is None or result is None else _queries(context, chosen, inside, values, result,
                                                                        query_id),
        searched=searched,
        search_words=words if searched else "",
        notes=() if comparison is None else (*comparison.notes, *((search.note,) if search is not None else ())),
    )  # fmt: skip


def _sentence(comparison: SliceComparison, run: RunLabel, baseline: RunLabel) -> str:
    """Return the sentences of the comparison, with the names that runs have in the window."""
    slices = comparison.runs[0]
    return replace(slices, overall=replace(slices.overall, run_name=run.name, other_name=baseline.name)).sentence


def _note(comparison: SliceComparison, run: RunLabel, baseline: RunLabel) -> str:
    options, slices = comparison.options, comparison.runs[0]
    return tr(
        "Δ is {run} − {baseline} · all queries: {test} · slices: exploratory, {family} · {interval} intervals",
        run=run.name, baseline=baseline.name, test=slices.overall.decision.in_family,
        family=_family(CORRECTIONS[options.correction], slices.family), interval=INTERVALS[options.interval],
    )  # fmt: skip


def _family(correction: str, n: int) -> str:
    if n == 1:
        return tr("one comparison")
    if not correction:
        return tr("not corrected for {n}", n=n)
    return tr("{correction} over {n}", correction=correction, n=n)


def _headings(comparison: SliceComparison) -> tuple[SliceHeading, ...]:
    return tuple(
        SliceHeading(
            slices.slicing.attribute.shown, slices.slicing.text, tr("interaction {test}", test=slices.interaction.text)
        )
        for slices in comparison.runs[0].attributes
        if slices.rows
    )


def _crossed_note(crossed: CrossedSlices, comparison: SliceComparison, measure: str) -> str:
    family = _family(CORRECTIONS[comparison.options.correction], crossed.family)
    return tr("Δ {measure} · {correction}", measure=measure, correction=tr("exploratory, {family}", family=family))


def _queries(
    context: EvaluationContext,
    chosen: Parts,
    inside: AbstractSet[str] | None,
    values: RunValues,
    result: ViewResult,
    query_id: str,
) -> SliceQueries:
    from irviewer.views.slices import queries_table

    own, texts = values, context.texts
    if context.within is not None:
        texts = tuple(compress(texts, context.within.tolist()))
    if inside is not None:
        places = np.flatnonzero([query in inside for query in values.query_ids])
        own, texts = values.at(places), tuple([texts[place] for place in places.tolist()])
    table = queries_table(own, texts)
    note = tr("Enter opens the query")
    slices = result.table("slices")
    row = next((row for row, key in enumerate(slices.keys) if parts_of(key) == chosen), -1)
    if row >= 0:
        change = next(column for column in slices.columns if column.kind == "difference")
        ends = next(column for column in slices.columns if column.kind == "interval").numbers
        delta, low, high = (float(numbers[row]) for numbers in (change.numbers[""], ends["low"], ends["high"]))
        if not math.isnan(low):
            delta_text = f"Δ {signed_quantity(delta)} {interval(signed_quantity(low), signed_quantity(high))}"
            note = f"{delta_text} · {note}"
    title = " × ".join(slice_text(*part) for part in chosen)
    title = tr("Queries of the slice: {name}", name=title) if chosen else tr("All queries")
    return SliceQueries(title, note, chosen, table, query_id if query_id in own.query_ids else "")


def parts_of(key: object) -> Parts:
    """Return the slice of a row's key in the table ``slices``: (measure, run, attribute, slice)."""
    if not isinstance(key, tuple) or key[2] is None:
        return ()
    return ((key[2], key[3]),)
