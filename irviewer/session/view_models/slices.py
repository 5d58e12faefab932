"""The view model of Compare › Slices: one run beside the baseline by slices of the queries, two attributes crossed, and
the queries of the chosen slice."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from irviewer.analysis.statistics.intervals import INTERVALS
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS
from irviewer.figures.axes import nice_step, ticks_between
from irviewer.model.arrays import Floats, frozen
from irviewer.model.attributes.queries import QueryAttribute
from irviewer.model.number_text import p_value, percent
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import called
from irviewer.translation import decimal, tr

if TYPE_CHECKING:
    from irviewer.analysis.slices.crossing import CrossedSlices
    from irviewer.analysis.slices.interaction import Interaction
    from irviewer.analysis.slices.search import SliceSearch
    from irviewer.analysis.slices.slices import AttributeSlices, SliceComparison, SliceRow
    from irviewer.analysis.statistics.run_comparison import RunComparison

LineKind = Literal["all", "attribute", "slice", "search", "found"]
Parts = tuple[tuple[str, str], ...]
"""(attribute, slice) pairs: one of a slice, two of a cell or a found slice; () for all queries."""
MOST_REACH = 8.0
"""An interval longer than this many times the middle one goes on beyond the axis."""


@dataclass(frozen=True)
class SliceLine:
    """A row of the table of slices: all queries, an attribute, a slice, the search, or a slice that it found.

    words            what an attribute's values are; the note of a search
    base, mean       of the baseline and of the run; ``difference`` with its interval ``low`` … ``high``; NaN for none
    p, corrected     as a table writes them
    toward           1 where the run is better, -1 where it is worse, else 0
    shown            whether the test shows the difference; ``tested`` whether there are queries enough
    interaction      the test of an attribute, as a text
    """

    kind: LineKind
    name: str
    parts: Parts = ()
    words: str = ""
    n: int = 0
    base: float = math.nan
    mean: float = math.nan
    difference: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p: str = ""
    corrected: str = ""
    outcomes: str = ""
    toward: int = 0
    shown: bool = False
    tested: bool = True
    interaction: str = ""
    tip: str = ""

    @property
    def is_heading(self) -> bool:
        """Whether the row has no numbers."""
        return self.kind in ("attribute", "search")


@dataclass(frozen=True)
class SliceAxis:
    """The common axis of the intervals: its ends, ticks, and the difference over all queries."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    overall: float


@dataclass(frozen=True)
class CrossedCell:
    """A cell of two attributes crossed: n queries and the difference; ``shade`` 0..1 where the test shows it."""

    parts: Parts
    n: int
    difference: float
    toward: int
    shown: bool
    tested: bool
    shade: float
    tip: str


@dataclass(frozen=True, eq=False)
class CrossedViewModel:
    """Two attributes crossed: the title of the rows, the slices, cells by row, and the correction."""

    row_title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[CrossedCell, ...], ...]
    note: str


@dataclass(frozen=True, eq=False)
class SliceQueries:
    """The queries of the chosen slice: ids, texts, numbers of words, float64[N] values of the baseline, of the run, and
    differences, in the order of the table."""

    title: str
    note: str
    parts: Parts
    query_ids: tuple[str, ...]
    texts: tuple[str, ...]
    base: Floats
    mean: Floats
    difference: Floats
    selected: int


@dataclass(frozen=True, eq=False)
class SlicesViewModel:
    """What the tab Slices shows; ``run`` and ``baseline`` are None without a pair, ``lines`` empty until the comparison
    is computed.

    attributes   (name, title) of those that can be crossed
    p_title      the title of the corrected p
    searched     whether found slices are shown
    """

    title: str
    note: str
    explanation: str
    run: RunLabel | None
    baseline: RunLabel | None
    measure: str
    higher_is_better: bool
    sentence: str
    lines: tuple[SliceLine, ...]
    chosen: int
    axis: SliceAxis | None
    legend: str
    p_title: str
    p_tip: str
    interval_title: str
    attributes: tuple[tuple[str, str], ...]
    crossed: CrossedViewModel | None
    queries: SliceQueries | None
    searched: bool
    notes: tuple[str, ...]
    ratio: bool = False


def build_slices_view_model(
    context: EvaluationContext,
    attributes: Sequence[QueryAttribute],
    comparison: SliceComparison | None,
    crossed: CrossedSlices | None,
    search: SliceSearch | None,
    members: Mapping[Parts, Sequence[str]],
    query_id: str,
    explanation: str = "",
    *,
    searched: bool = False,
    search_trouble: str = "",
) -> SlicesViewModel:
    """Return the view model; ``members`` are the queries of slices by their parts, ``explanation`` why there is
    nothing, ``search_trouble`` why nothing could be searched."""
    from irviewer.analysis.slices.slices import LEAST_QUERIES

    run = None if context.focus is None else context.labels[context.focus]
    baseline = None if context.baseline is None else context.labels[context.baseline]
    measure = called(context, context.measure)
    lines = () if comparison is None else _lines(comparison, search, searched, search_trouble)
    chosen = context.choices.slice_chosen
    position = next(
        (position for position, line in enumerate(lines) if line.parts == chosen and not line.is_heading), 0
    )
    options = None if comparison is None else comparison.options
    family = comparison.runs[0].family if comparison is not None else 0
    correction = "" if options is None else CORRECTIONS[options.correction]
    note, interval = "", tr("interval of Δ")
    if options is not None and run is not None and baseline is not None and comparison is not None:
        note = tr(
            "Δ is {run} − {baseline} · all queries: {test} · slices: exploratory, {family} · {interval} intervals",
            run=run.name, baseline=baseline.name, test=comparison.runs[0].overall.decision.in_family,
            family=_family(correction, family), interval=INTERVALS[options.interval],
        )  # fmt: skip
        interval = tr("{level} interval of Δ", level=percent(options.level))
    return SlicesViewModel(
        title=tr("{measure} by slice", measure=measure),
        note=note,
        explanation=explanation or ("" if comparison is not None else tr("Comparing the slices …")),
        run=run,
        baseline=baseline,
        measure=measure,
        higher_is_better=context.measure.higher_is_better,
        sentence="" if comparison is None else comparison.runs[0].sentence,
        lines=lines,
        chosen=position if lines else -1,
        axis=_axis(lines),
        legend=tr("grey: fewer than {n} queries, without p · hollow △: the test shows no difference", n=LEAST_QUERIES),
        p_title=tr("p corrected") if correction else tr("not corrected"),
        p_tip="" if comparison is None else "; ".join(comparison.methods),
        interval_title=interval,
        attributes=tuple((attribute.name, attribute.shown) for attribute in attributes),
        crossed=None if crossed is None else _crossed(crossed, correction),
        queries=_queries(context, chosen, members, lines[position] if lines else None, query_id),
        searched=searched,
        notes=() if comparison is None else (*comparison.notes, *((search.note,) if search is not None else ())),
        ratio=context.geometric,
    )


def _family(correction: str, n: int) -> str:
    if not correction:
        return tr("not corrected for {n}", n=n)
    return tr("{correction} over {n}", correction=correction, n=n)


def _lines(
    comparison: SliceComparison, search: SliceSearch | None, searched: bool, trouble: str
) -> tuple[SliceLine, ...]:
    run = comparison.runs[0]
    lines = [_all(run.overall)]
    for slices in run.attributes:
        lines.append(_heading(slices))
        lines += [_slice("slice", row, ((slices.name, row.name),)) for row in slices.rows]
    if searched:
        if search is None:
            lines.append(SliceLine("search", tr("found slices"), words=trouble or tr("searching …")))
        else:
            words = search.note if search.found else tr("no slice has enough queries in both halves")
            lines.append(SliceLine("search", tr("found slices"), words=words))
            lines += [
                _slice("found", found_slice.tested, found_slice.parts, found_slice.name) for found_slice in search.found
            ]
    return tuple(lines)


def _all(pair: RunComparison) -> SliceLine:
    p = "" if pair.undecided else p_value(pair.decision.p, at_most=pair.decision.at_most)
    test = pair.decision
    corrected = "" if pair.undecided else p_value(test.p_corrected, at_most=test.at_most)
    return _numbers("all", tr("all queries"), (), pair, p, corrected, shown=pair.significant, tested=True)


def _heading(slices: AttributeSlices) -> SliceLine:
    test: Interaction = slices.interaction
    return SliceLine(
        "attribute",
        slices.slicing.attribute.shown,
        words=slices.slicing.text,
        interaction=tr("interaction {test}", test=test.text),
        tip=test.method,
    )


def _slice(kind: LineKind, row: SliceRow, parts: Parts, name: str = "") -> SliceLine:
    from irviewer.analysis.slices.slices import LEAST_QUERIES

    if row.pair is None:
        return SliceLine(kind, name or row.name, parts, n=0, p=tr("no query"), tested=False)
    return _numbers(
        kind, name or row.name, parts, row.pair, row.p_shown, row.corrected_shown, shown=row.significant,
        tested=row.n >= LEAST_QUERIES,
    )  # fmt: skip


def _numbers(
    kind: LineKind, name: str, parts: Parts, pair: RunComparison, p: str, corrected: str, *, shown: bool, tested: bool
) -> SliceLine:
    from irviewer.analysis.slices.slices import direction

    return SliceLine(
        kind, name, parts, n=pair.n, base=pair.other_mean, mean=pair.mean, difference=pair.difference,
        low=pair.interval.low, high=pair.interval.high, p=p, corrected=corrected,
        outcomes=decimal(f"{pair.wins:,} · {pair.ties:,} · {pair.losses:,}"), toward=direction(pair), shown=shown,
        tested=tested, tip=pair.verdict,
    )  # fmt: skip


def _axis(lines: Sequence[SliceLine]) -> SliceAxis | None:
    """The axis: zero and every interval that is not far longer than the others."""
    rows = [line for line in lines if not line.is_heading and not math.isnan(line.low)]
    if not rows:
        return None
    lengths = sorted(line.high - line.low for line in rows)
    most = MOST_REACH * max(lengths[len(lengths) // 2], 1e-9)
    within = [line for line in rows if line.high - line.low <= most] or rows
    low, high = min(0.0, *(line.low for line in within)), max(0.0, *(line.high for line in within))
    if high <= low:
        return None
    step = nice_step(high - low, 6)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    return SliceAxis(low, high, ticks_between(low, high, step, signed=True), rows[0].difference)


def _crossed(crossed: CrossedSlices, correction: str) -> CrossedViewModel:
    from irviewer.analysis.slices.slices import LEAST_QUERIES

    every = [abs(cell.pair.difference) for line in crossed.cells for cell in line if cell.pair is not None]
    largest = max((size for size in every if not math.isnan(size)), default=0.0) or 1.0
    rows, columns = crossed.rows.attribute, crossed.columns.attribute
    cells = []
    for across, line in zip(crossed.rows.slices, crossed.cells, strict=True):
        row = []
        for down, cell in zip(crossed.columns.slices, line, strict=True):
            parts = ((rows.name, across.name), (columns.name, down.name))
            pair = cell.pair
            difference = math.nan if pair is None else pair.difference
            shade = min(1.0, abs(difference) / largest) if cell.significant else 0.0
            tip = tr("no query") if pair is None else f"{cell.name}: {pair.verdict}"
            row.append(
                CrossedCell(
                    parts, cell.n, difference, cell.toward, cell.significant, cell.n >= LEAST_QUERIES, shade, tip
                )
            )
        cells.append(tuple(row))
    note = tr("exploratory, {family}", family=_family(correction, crossed.family))
    return CrossedViewModel(
        rows.shown, tuple(part.name for part in crossed.rows.slices),
        tuple(part.name for part in crossed.columns.slices), tuple(cells), note,
    )  # fmt: skip


def _queries(
    context: EvaluationContext,
    chosen: Parts,
    members: Mapping[Parts, Sequence[str]],
    line: SliceLine | None,
    query_id: str,
) -> SliceQueries | None:
    if line is None or context.focus is None or context.baseline is None:
        return None
    ids = members.get(chosen)
    parts = chosen if ids is not None else ()
    if ids is None:
        ids = context.query_ids if context.within is None else np.array(context.query_ids)[context.within].tolist()
    places = np.array([context.query_index[query] for query in ids], dtype=np.int64)
    run, base = context.collection.run(context.focus), context.collection.run(context.baseline)
    assert run is not None
    assert base is not None
    delta = context.delta[places]
    better = delta if context.measure.higher_is_better else -delta
    order = np.argsort(np.where(np.isnan(better), np.inf, -better), kind="stable")
    places = places[order]
    names = tuple(context.query_ids[position] for position in places.tolist())
    note = tr("Enter opens the query")
    if line.parts == parts and not math.isnan(line.low):
        note = tr("Δ {delta:+.4f} [{low:+.4f}, {high:+.4f}]", delta=line.difference, low=line.low, high=line.high)
        note = f"{note} · {tr('Enter opens the query')}"
    title = " × ".join(name for _, name in parts) or tr("all queries")
    return SliceQueries(
        tr("Queries of the slice: {name}", name=title) if parts else tr("All queries"),
        note,
        parts,
        names,
        tuple(context.texts[position] for position in places.tolist()),
        frozen(context.values(base, context.measure)[places]),
        frozen(context.values(run, context.measure)[places]),
        frozen(context.delta[places]),
        names.index(query_id) if query_id in names else -1,
    )
