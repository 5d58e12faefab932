"""Comparisons by slices of the queries as tables: the slices of every run, what varies between them, two attributes
crossed, and the slices that a search found."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from irviewer.analysis.slices.chosen import choose_attributes
from irviewer.analysis.slices.crossing import CrossedSlices, cross_slices
from irviewer.analysis.slices.search import FoundSlice, SliceSearch, search_slices
from irviewer.analysis.slices.slices import (
    LEAST_QUERIES,
    AttributeSlices,
    Progress,
    RunSlices,
    SliceComparison,
    SliceRow,
    compare_slices,
)
from irviewer.analysis.statistics.result_comparison import (
    ComparisonOptions,
    comparable_measures,
    comparison_options,
    testable,
)
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS
from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.model.attributes.queries import PARTS, Cut, QueryAttribute, Slicing, slice_text, slices_of
from irviewer.model.protocol_line import BY_UNIT
from irviewer.tables import column
from irviewer.tables.column import Column, ComparisonFamily
from irviewer.tables.table import Remark, Status, Statuses, Table
from irviewer.translation import tr, trn
from irviewer.views.inputs import Inputs
from irviewer.views.pairs import pair_columns
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.selection import selection_notes
from irviewer.views.view import ResultView, option, query_attribute


@dataclass(frozen=True, eq=False)
class Slices:
    """Comparisons of the same runs by slices, one for each measure, with the crossed attributes and the searches of
    those of their pairs of runs for which they were asked."""

    comparisons: tuple[SliceComparison, ...]
    crossed: tuple[CrossedSlices, ...] = ()
    searches: tuple[SliceSearch, ...] = ()

    @property
    def by(self) -> tuple[str, ...]:
        """The attributes."""
        runs = self.comparisons[0].runs if self.comparisons else ()
        return tuple(part.name for part in runs[0].attributes) if runs else ()

    @property
    def _cut(self) -> dict[str, Cut]:
        """How numbers were cut: attribute -> cut."""
        runs = self.comparisons[0].runs if self.comparisons else ()
        return {part.name: part.slicing.cut for part in (runs[0].attributes if runs else ())
                if part.slicing.attribute.kind == "number"}  # fmt: skip

    @property
    def cuts(self) -> dict[str, int | list[float]]:
        """How numbers were cut where it was not into quarters: attribute -> number of slices, or their borders."""
        return {name: list(cut.borders) or cut.parts for name, cut in self._cut.items() if cut != Cut()}

    @property
    def parts(self) -> int | None:
        """The number of slices of numbers without borders, None where it is not the same for all."""
        numbers = {cut.parts for cut in self._cut.values() if not cut.borders}
        return PARTS if not numbers else numbers.pop() if len(numbers) == 1 else None

    @property
    def borders(self) -> list[str]:
        """The borders of numbers, such as ``length=3,6``."""
        return [f"{name}={','.join(_border(each) for each in cut.borders)}" for name, cut in self._cut.items()
                if cut.borders]  # fmt: skip


def _border(border: float) -> str:
    return str(int(border)) if border.is_integer() else repr(border)


def compute(
    values: RunValues,
    slicings: Sequence[Slicing],
    options: ComparisonOptions,
    *,
    baseline: int | None,
    cross: bool = False,
    search: bool = False,
    notes: Sequence[str] = (),
    progress: Progress | None = None,
) -> Slices:
    """Compare runs by slices; with ``cross`` also by the first two attributes crossed, with ``search`` also by the
    slices where each run loses most. Without a baseline the family is all pairs. Raises OptionError."""
    compared = compare_slices(
        values, slicings, options, baseline=baseline, pairs=baseline is None, notes=notes, progress=progress
    )
    pairs = [(run.overall.run_name, run.overall.other_name) for run in compared.runs]
    crossed = [cross_slices(values, *pair, slicings[0], slicings[1], options) for pair in pairs if cross]
    searches = [search_slices(values, *pair, slicings, options, seed=options.seed) for pair in pairs if search]
    return Slices((compared,), tuple(crossed), tuple(searches))


def compute_measures(
    result: ResultTable,
    bound: BoundProtocol,
    slicings_of: Callable[[Measure], Sequence[Slicing]],
    *,
    cross: bool = False,
    search: bool = False,
    progress: Progress | None = None,
) -> Slices:
    """Compare the runs of a result by slices, by each measure that can be tested; notes name the others. Raises
    OptionError."""
    result = result.compared(bound)
    measures, left_out = testable(result.measures)
    of_bound = bound.runs_compared
    kept, lacking = comparable_measures(result, measures, deciding=bound.deciding_among(measures), **of_bound)
    notes = (*selection_notes(bound), *left_out, *lacking, *result.warnings)
    of_measures = []
    for number, (measure, own) in enumerate(kept):
        values = RunValues.of(own, measure, bound.selected)
        of_measures.append(compute(
            values, slicings_of(own.of(measure)[0]),
            comparison_options(bound.protocol.inference, units=bound.units, looked=bound.looked),
            cross=cross, search=search, notes=notes,
            baseline=None if of_bound["baseline"] is None else values.names.index(of_bound["baseline"]),
            progress=None if progress is None else _part(progress, number, len(kept)),
        ))  # fmt: skip
    return Slices(
        tuple(each for part in of_measures for each in part.comparisons),
        tuple(each for part in of_measures for each in part.crossed),
        tuple(each for part in of_measures for each in part.searches),
    )


def _part(progress: Progress, number: int, count: int) -> Progress:
    """Return the progress of one of several measures."""
    return lambda share: progress((number + share) / count)


def tables(slices: Slices, bound: BoundProtocol | None) -> ViewResult:
    """Return the tables ``slices`` and ``interactions``, and where they were asked for ``crossed`` and
    ``search``."""
    all_tables = [_slices(slices.comparisons), _interactions(slices.comparisons)]
    if slices.crossed:
        all_tables.append(_crossed(slices))
    if slices.searches:
        all_tables.append(_search(slices))
    known = {"by": slices.by, "cross": bool(slices.crossed), "search": bool(slices.searches),
             "parts": slices.parts, "borders": slices.borders}  # fmt: skip
    source = provenance(VIEW.name, bound, VIEW.record(known, cuts=slices.cuts or None))
    return ViewResult(slices, tuple(all_tables)).with_provenance(source)


@dataclass(frozen=True, eq=False)
class _Line:
    """A row of slices: the comparison and the run that it belongs to, and its attribute and slice, None of all
    queries."""

    comparison: SliceComparison
    run: RunSlices
    attribute: AttributeSlices | None = None
    slice: SliceRow | None = None

    @property
    def pair(self) -> RunComparison | None:
        return self.run.overall if self.slice is None else self.slice.pair

    @property
    def status(self) -> Status:
        if self.slice is None:
            return Status.TOTAL
        return Status.WEAK if self.slice.n < LEAST_QUERIES else Status.PLAIN


def _lines(comparisons: Sequence[SliceComparison]) -> list[_Line]:
    lines = []
    for comparison in comparisons:
        for run in comparison.runs:
            lines.append(_Line(comparison, run))
            lines += [_Line(comparison, run, part, row) for part in run.attributes for row in part.rows]
    return lines


def _slices(comparisons: Sequence[SliceComparison]) -> Table:
    lines = _lines(comparisons)
    pairs = [line.pair for line in lines]
    first = comparisons[0]
    family = _family("slices", max((run.family for each in comparisons for run in each.runs), default=0), first)
    tests = [line.run.overall.decision if line.slice is None else None for line in lines]
    alone = len({(line.comparison.measure, line.run.overall.run_name) for line in lines}) < 2
    names = [line.slice.name if line.slice else None for line in lines]
    shown = [slice_text(line.attribute.name, line.slice.name) if line.attribute and line.slice else tr("all queries")
             for line in lines]  # fmt: skip
    return Table("slices", _title(comparisons), (
        *_heads([(line.comparison.measure, line.run.overall) for line in lines], alone=alone),
        column.text("attribute", tr("attribute"), [line.attribute.name if line.attribute else None for line in lines],
                    texts=[line.attribute.slicing.attribute.shown if line.attribute else "" for line in lines]),
        column.text("slice", tr("slice"), names, texts=shown),
        *_bounds([line.slice for line in lines]),
        *_means(pairs, alone=alone),
        *_with_families(pair_columns(
            pairs, family,
            p=[test.p if test else line.slice.p if line.slice else math.nan
               for line, test in zip(lines, tests, strict=True)],
            corrected=[test.p_corrected if test else line.slice.corrected if line.slice else math.nan
                       for line, test in zip(lines, tests, strict=True)],
            explained=True,
        ), first),
    ), keys=[(line.comparison.measure, line.run.overall.run_name, line.attribute and line.attribute.name, name)
             for line, name in zip(lines, names, strict=True)],
        status=Status.of(*(line.status for line in lines)), opens="queries",
        notes=_notes(comparisons))  # fmt: skip


def _with_families(columns: Sequence[Column], comparison: SliceComparison) -> tuple[Column, ...]:
    """Return the columns, those of p with the families that they were corrected in: that of all queries is the declared
    one."""
    families = "; ".join(comparison.methods)
    return tuple(replace(column, tip=families) if column.kind == "p" else column for column in columns)


def _title(comparisons: Sequence[SliceComparison]) -> str:
    measures = ", ".join(comparison.measure for comparison in comparisons)
    runs = comparisons[0].runs
    if len(runs) != 1:
        return tr("{measure} by slices, against {baseline}", measure=measures, baseline=comparisons[0].baseline)
    return tr("{measure} by slices: {run} against {other}", measure=measures, run=runs[0].overall.run_name,
              other=runs[0].overall.other_name)  # fmt: skip


def _notes(comparisons: Sequence[SliceComparison]) -> tuple[Remark, ...]:
    notes = [Remark("summary", run.sentence, warns=False) for comparison in comparisons for run in comparison.runs]
    for comparison in comparisons:
        notes += [Remark("slices", text) for text in comparison.notes]
        notes.append(Remark("methods", tr("Tests: {methods}.", methods="; ".join(comparison.methods)), warns=False))
    return tuple({note.text: note for note in notes if note.text}.values())


def _heads(pairs: Sequence[tuple[str, RunComparison]], *, alone: bool) -> tuple[Column, ...]:
    """Return the measures and runs of rows, which people see in the title where there is one of them."""
    return (
        column.measures("measure", tr("measure"), [measure for measure, _ in pairs], names="",
                    detail=len({measure for measure, _ in pairs}) < 2),
        column.run("run", tr("run"), [pair.run_name for _, pair in pairs], detail=alone),
        column.run("against", tr("against"), [pair.other_name for _, pair in pairs], detail=True),
    )  # fmt: skip


def _bounds(rows: Sequence[SliceRow | None]) -> tuple[Column, Column]:
    """Return the borders of slices of numbers."""
    return (
        column.number("from", tr("from"), [row.low if row else math.nan for row in rows], detail=True),
        column.number("to", tr("to"), [row.high if row else math.nan for row in rows], detail=True),
    )


def _means(pairs: Sequence[RunComparison | None], *, alone: bool) -> tuple[Column, ...]:
    """Return the number of queries, and the means of both runs."""
    known = next((pair for pair in pairs if pair is not None), None)
    baseline, run = (known.other_name, known.run_name) if known is not None and alone else (tr("baseline"), tr("mean"))
    return (
        column.count("n", tr("n"), [pair.n if pair else 0 for pair in pairs]),
        column.number("baseline_mean", baseline, [pair.other_mean if pair else math.nan for pair in pairs]),
        column.number("mean", run, [pair.mean if pair else math.nan for pair in pairs]),
    )


def _family(name: str, n: int, comparison: SliceComparison) -> ComparisonFamily:
    return ComparisonFamily(
        name, n, CORRECTIONS[comparison.options.correction], comparison.options.alpha, exploratory=True
    )


def _interactions(comparisons: Sequence[SliceComparison]) -> Table:
    rows = [(comparison, run, part) for comparison in comparisons for run in comparison.runs for part in run.attributes]
    tests = [part.interaction for _, _, part in rows]
    family = _family("interactions", max((test.family for test in tests), default=0), comparisons[0])
    alone = len({(comparison.measure, run.overall.run_name) for comparison, run, _ in rows}) < 2
    bounds = [test.at_most for test in tests]
    meanings = dict.fromkeys(
        tr("{attribute}: {meaning}.", attribute=part.slicing.attribute.shown, meaning=part.slicing.text)
        for _, _, part in rows
        if part.slicing.text
    )
    methods = [*dict.fromkeys(test.method for test in tests if test.method)]
    return Table("interactions", tr("Does the difference vary between the slices?"), (
        *_heads([(comparison.measure, run.overall) for comparison, run, _ in rows], alone=alone),
        column.text("attribute", tr("attribute"), [part.name for _, _, part in rows],
                    texts=[part.slicing.attribute.shown for _, _, part in rows]),
        column.text("kind", tr("kind"), [part.slicing.attribute.kind for _, _, part in rows], detail=True),
        column.count("without", tr("without a value"), [len(part.without) for _, _, part in rows]),
        column.number("f", "F", [test.f for test in tests]),
        column.count("df1", tr("df 1"), [test.between for test in tests]),
        column.count("df2", tr("df 2"), [test.within for test in tests]),
        column.p_value("p", "p", [test.p for test in tests], None, at_most=bounds),
        column.p_value("p_corrected", tr("p {correction}", correction=family.correction),
                       [test.corrected for test in tests], family, at_most=bounds,
                       detail=not family.correction or family.n < 2),
        column.count("samples", tr("samples"), [test.samples for test in tests], detail=True),
    ), notes=(
        *(Remark("attribute", text, warns=False) for text in meanings),
        *(Remark("methods", f"{method[:1].upper()}{method[1:]}.", warns=False) for method in methods),
    ))  # fmt: skip


def _crossed(slices: Slices) -> Table:
    cells = [
        (crossed, across.name, down.name, cell)
        for crossed in slices.crossed
        for across, line in zip(crossed.rows.slices, crossed.cells, strict=True)
        for down, cell in zip(crossed.columns.slices, line, strict=True)
    ]
    first = slices.crossed[0]
    across, down = first.rows.attribute, first.columns.attribute
    measures = [comparison.measure for comparison in slices.comparisons for _ in comparison.runs]
    of_cell = [measures[slices.crossed.index(crossed)] for crossed, *_ in cells]
    rows = [cell for *_, cell in cells]
    names, others = [name for _, name, _, _ in cells], [name for _, _, name, _ in cells]
    family = _family("cells", first.family, slices.comparisons[0])
    alone = len(slices.crossed) < 2
    return Table("crossed", tr("{across} × {down}", across=across.shown, down=down.shown), (
        column.measures("measure", tr("measure"), of_cell, detail=len(set(measures)) < 2),
        column.run("run", tr("run"), [crossed.run for crossed, *_ in cells], detail=alone),
        column.run("against", tr("against"), [crossed.baseline for crossed, *_ in cells], detail=True),
        column.text("attribute", tr("attribute"), [across.name] * len(cells), detail=True),
        column.text("slice", across.shown, names, texts=[slice_text(across.name, name) for name in names]),
        column.text("attribute_2", tr("attribute"), [down.name] * len(cells), detail=True),
        column.text("slice_2", down.shown, others, texts=[slice_text(down.name, name) for name in others]),
        *_means([row.pair for row in rows], alone=alone),
        *_tested(rows, family),
    ), keys=[(crossed.run, (across.name, name), (down.name, other))
             for (crossed, *_), name, other in zip(cells, names, others, strict=True)],
        opens="queries", status=_statuses(rows), notes=() if not first.family else (
        Remark("exploratory", trn(
            "Exploratory: p of one cell.",
            "Exploratory: p corrected over {n} cells.",
            first.family,
        )),
    ))  # fmt: skip


def _tested(rows: Sequence[SliceRow], family: ComparisonFamily) -> tuple[Column, ...]:
    """Return the comparisons of slices."""
    return pair_columns(
        [row.pair for row in rows], family, p=[row.p for row in rows], corrected=[row.corrected for row in rows]
    )


def _statuses(rows: Sequence[SliceRow]) -> Statuses:
    return Status.of(*(Status.WEAK if row.n < LEAST_QUERIES else Status.PLAIN for row in rows))


def _search(slices: Slices) -> Table:
    measures = [comparison.measure for comparison in slices.comparisons for _ in comparison.runs]
    losses: list[tuple[str, SliceSearch, FoundSlice]] = [
        (measure, search, loss)
        for measure, search in zip(measures, slices.searches, strict=True)
        for loss in search.found
    ]
    rows = [loss.tested for _, _, loss in losses]
    tests = [loss.elsewhere for _, _, loss in losses]
    family = _family("found slices", len(slices.searches[0].found), slices.comparisons[0])
    bounds = [test.at_most for test in tests]
    alone = len(slices.searches) < 2
    run = slices.searches[0]
    title = tr("Where {run} loses most against {other} (exploratory)", run=run.run, other=run.baseline)
    return Table("search", title if alone else tr("Where runs lose most against {other} (exploratory)",
                                                  other=run.baseline), (
        column.measures("measure", tr("measure"), [measure for measure, _, _ in losses], detail=len(set(measures)) < 2),
        column.run("run", tr("run"), [search.run for _, search, _ in losses], detail=alone),
        column.run("against", tr("against"), [search.baseline for _, search, _ in losses], detail=True),
        column.tags("attributes", tr("attributes"), [tuple(name for name, _ in loss.parts) for _, _, loss in losses],
                    detail=True),
        column.text("slice", tr("slice"), [loss.name for _, _, loss in losses],
                    texts=[" × ".join(slice_text(*part) for part in loss.parts) for _, _, loss in losses]),
        column.difference("searched", tr("Δ searched"), [loss.searched for _, _, loss in losses],
                          better_up=slices.comparisons[0].whole.higher_is_better),
        column.count("searched_n", tr("n searched"), [loss.searched_n for _, _, loss in losses]),
        *_means([row.pair for row in rows], alone=alone),
        *_tested(rows, family),
        column.p_value("differs_p", tr("p of differing"), [test.p for test in tests], None, at_most=bounds,
                       detail=True),
        column.p_value("differs_p_corrected", tr("differs from the rest"), [test.corrected for test in tests], family,
                       at_most=bounds),
    ), keys=[(search.run, *loss.parts) for _, search, loss in losses], opens="queries",
       notes=tuple(Remark("exploratory", search.note, {
        "candidates": search.candidates, "seed": search.seed, "searched": list(search.searched),
        "held_out": list(search.held_out),
    }) for search in slices.searches))  # fmt: skip


def queries_table(values: RunValues, texts: Sequence[str]) -> Table:
    """Return the table ``queries`` of a slice: the values of the baseline and the run (``values`` has these two, in
    this order) and their difference, the queries on which the run is better first."""
    base, run = values.values
    difference = values.difference(1, 0)
    losses = -difference if values.higher_is_better else difference
    order = np.argsort(np.where(np.isnan(losses), np.inf, losses), kind="stable").tolist()
    table = Table("queries", tr("Queries of the slice"), (
        column.identifier("query", tr("query"), values.query_ids),
        column.text("text", tr("text"), texts, detail=not any(texts)),
        column.number("baseline_mean", values.names[0], base),
        column.number("mean", values.names[1], run),
        column.difference("ratio" if values.geometric else "difference", tr("ratio") if values.geometric else "Δ",
                          difference, better_up=values.higher_is_better, log=values.geometric),
    ), keys=values.query_ids, opens="query")  # fmt: skip
    return table.rows(order)


def slicings_of(
    attributes: Sequence[QueryAttribute], query_ids: Sequence[str], parts: int, borders: Sequence[str]
) -> list[Slicing]:
    """Return the slices of attributes, numbers cut into ``parts`` or at the ``borders`` of an attribute, texts such as
    ``length=3,6``. Raises OptionError, also for borders of another attribute."""
    given = _borders(borders)
    unknown = sorted(given.keys() - {attribute.name for attribute in attributes})
    if unknown:
        raise OptionError(tr("--borders {name}: --by has no attribute of this name", name=unknown[0]))
    return [slices_of(attribute, query_ids, Cut(parts, given.get(attribute.name, ()))) for attribute in attributes]


def _borders(texts: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """Return attribute -> borders of ``ATTRIBUTE=3,6,12``. Raises OptionError."""
    borders = {}
    for text in texts:
        name, equals, numbers = text.rpartition("=")
        try:
            borders[name] = tuple(float(number) for number in numbers.split(","))
        except ValueError:
            equals = ""
        if not equals or not name:
            raise OptionError(tr("--borders {text}: write ATTRIBUTE=NUMBER,NUMBER, such as length=3,6", text=text))
    return borders


def compute_view(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    by: Annotated[
        tuple[str, ...], query_attribute(tr("slice by this attribute; without it by all"), title=tr("by"))
    ] = (),
    cross: Annotated[bool, option(tr("also cross the first two attributes"), title=tr("cross"))] = False,
    search: Annotated[bool, option(tr("also search for slices where runs lose most"), title=tr("search"))] = False,
    parts: Annotated[int, option(tr("number of slices of numeric attributes"), low=2, title=tr("parts"))] = PARTS,
    borders: Annotated[
        tuple[str, ...],
        option(
            tr("borders between the slices of a numeric attribute, such as length=3,6"),
            metavar="ATTRIBUTE=N,N",
            title=tr("borders"),
        ),
    ] = (),
    progress: Progress | None = None,
) -> Slices:
    """Runs by slices of the queries, and whether the difference varies between them."""
    part = inputs.one
    part.refuse(tr("Slices"), "weights")
    result = part.results()
    result.check_matched()
    counting = set(protocol.query_ids)
    ids = tuple(query for query in result.query_ids if query in counting)
    attributes = choose_attributes(part.query_attributes, by, ids, part.facets)
    if cross and len(attributes) < 2:
        raise OptionError(tr("Two attributes can be crossed; name both."))
    slicings = slicings_of(attributes, ids, parts, borders)
    return compute_measures(result, protocol, lambda _: slicings, cross=cross, search=search, progress=progress)


VIEW = ResultView("slices", compute_view, tables, title=tr("Slices"), uses=BY_UNIT, needs=("judgments", "two runs"),
                  settles=("by",))  # fmt: skip
