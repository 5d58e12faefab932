"""Export for paper: a table of chosen runs and measures, computed in the background and saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from irviewer.errors import IrviewerError
from irviewer.evaluation.caveats import zeros_text
from irviewer.figures.figure import Figure
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.protocol import EvaluationProtocol, Inference
from irviewer.model.protocol_line import BY_UNIT
from irviewer.model.workspace import RunEntry
from irviewer.rendering.export import picture, save_figure
from irviewer.rendering.palette import LIGHT
from irviewer.rendering.print_style import PrintStyle, in_units
from irviewer.rendering.run_label import RunLabel
from irviewer.rendering.styles import Style
from irviewer.rendering.table_files import save_tables
from irviewer.session.comparison.actions import ComparisonService, Kind
from irviewer.session.comparison.request import ComparisonRequest
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import called, is_zscored
from irviewer.session.judging.judgment_mark import mark_of
from irviewer.session.protocol.in_view import bound_protocol
from irviewer.session.saving import FileSaving
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view import View
from irviewer.session.view_models.pair import untestable
from irviewer.tables.writers.registry import WRITERS
from irviewer.translation import decimal, decimal_points, tr

if TYPE_CHECKING:
    from irviewer.analysis.statistics.comparison import Comparison
    from irviewer.views.paper import PaperColumn, PaperSubject, PaperTable

DECIMALS = 4


@dataclass(frozen=True)
class PaperChoices:
    """The choices for a table: keys of the runs that are rows in order, texts of measures, whether differences are
    tested, and the format of values. Which runs are rows changes no test: the protocol says how to test."""

    runs: tuple[int, ...]
    measures: tuple[str, ...]
    tested: bool = True
    decimals: int = DECIMALS
    bold: bool = True
    marked: bool = True


@dataclass(frozen=True)
class PaperPreset:
    """The initial content of the dialog: every run in the order of the Systems table with its value of the selected
    measure as text, the measures of the columns, declared ones first, the choices that match the screen, the line of
    the protocol, and whether it compares all pairs."""

    runs: tuple[RunLabel, ...]
    values: tuple[str, ...]
    measures: tuple[str, ...]
    choices: PaperChoices
    queries: str
    collection: str
    line: str = ""
    pairs: bool = False


@dataclass(frozen=True, eq=False)
class PaperFigure:
    """A figure for print: its size in millimetres, its style, the runs' colours, and the mark of changed judgments."""

    figure: Figure
    width: float
    height: float
    style: PrintStyle
    colours: Mapping[int, Style]
    mark: str = ""

    @property
    def _size(self) -> tuple[float, float]:
        return in_units(self.width), in_units(self.height)

    def picture(self) -> bytes:
        """Return a PNG; any thread may draw it."""
        return picture(self.figure, LIGHT, self.colours, self._size, self.mark, self.style)

    def save(self, path: str) -> None:
        """Write it to a file; the ending selects the format."""
        save_figure(self.figure, path, LIGHT, self.colours, self._size, self.mark, self.style)


class PaperService:
    """Makes tables for a paper from what is in view."""

    def __init__(self, store: Store, view: View, saving: FileSaving, comparison: ComparisonService) -> None:
        self._store = store
        self._view = view
        self._saving = saving
        self._comparison = comparison

    def preset(self) -> PaperPreset | None:
        """Return choices that match the screen; None if no run has values."""
        context, table = self._view.context, self._comparison.systems_view_model()
        if context is None or table is None or context.judgments is None:
            return None
        systems = {entry.key for entry in context.system_runs}
        rows = [row for row, label in enumerate(table.runs) if label.key in systems]
        labels = tuple(table.runs[row] for row in rows)
        if not labels:
            return None
        shown = [label.key for label in labels if label.shown]
        # With one run shown there is nothing to compare, and a table of the others is wanted.
        keys = shown if len(shown) > 1 else [label.key for label in labels]
        declared = (str(parse_measure(text)) for text in self._store.state.protocol.measures)
        measures = tuple(dict.fromkeys((*declared, *(column.measure for column in table.columns))))
        position = next((position for position, column in enumerate(table.columns) if column.chosen), 0)
        values = tuple(
            "" if np.isnan(mean) else decimal(f"{mean:.3f}") for mean in table.means[rows, position].tolist()
        )
        bound = self._view.protocol
        choices = PaperChoices(tuple(keys), measures)
        return PaperPreset(
            labels, values, measures, choices, context.queries_text, context.collection.name,
            "" if bound is None else bound.line(), self._store.state.protocol.inference.family == "pairs",
        )  # fmt: skip

    def measure_text(self, text: str) -> str:
        """Return the text of a measure that the user typed. Raises MeasureError."""
        return str(parse_measure(text))

    def find_table(
        self, choices: PaperChoices, deliver: Callable[[PaperTable], object], refused: Callable[[str], object]
    ) -> None:
        """Compute a table in the background, for the newest request only, and ``deliver`` it; ``refused`` gets the
        reason where a measure has no values here."""
        context = self._view.context
        if context is None:
            return
        protocol = self._store.state.protocol
        mark, wanted = mark_of(self._view.differing), self._comparison.wanted

        def failed(failure: BaseException) -> None:
            if not isinstance(failure, IrviewerError):
                raise failure
            refused(str(failure))

        def work(progress: Progress) -> PaperTable:
            with decimal_points():
                return _table(context, choices, protocol, mark, wanted, progress)

        self._store.tasks.run(Operation("paper", work, deliver, failed, title=tr("Computing the table"), quiet=True))

    def stop(self) -> None:
        """Cancel :meth:`find_table` and :meth:`draw_figure`."""
        self._store.tasks.cancel("paper")
        self._store.tasks.cancel("figure")

    def draw_figure(self, drawing: PaperFigure, deliver: Callable[[tuple[bytes, bytes]], object]) -> None:
        """Draw a figure for print in the background, for the newest request only, and ``deliver`` it as two PNGs: in
        colour, and without."""

        def work(progress: Progress) -> tuple[bytes, bytes]:
            coloured = drawing.picture()
            progress(0.5)
            return coloured, replace(drawing, style=replace(drawing.style, black=True)).picture()

        operation = Operation("figure", work, deliver, title=tr("Drawing the figure"), quiet=True)
        self._store.tasks.run(operation)

    def save_figure(self, drawing: PaperFigure, path: str) -> None:
        """Save a figure for print in the background; the ending selects PDF, SVG or PNG."""
        self._saving.save_file(path, drawing.save)

    def text_of(self, table: PaperTable, form: str) -> str:
        """Return a table as it is saved, in a format of text such as "latex"."""
        return table.text(form)

    def save(self, table: PaperTable, form: str, path: str) -> None:
        """Write a table in the background in the format of the path's ending, else in ``form``; beside CSV and TSV a
        file with its protocol."""
        self._saving.save_file(path, partial(_write, table, form))


def _write(table: PaperTable, form: str, path: str) -> None:
    known = {suffix for writer in WRITERS for suffix in writer.suffixes}
    save_tables(path, (table.table,), form="" if Path(path).suffix.lower() in known else form)


_Wanting = Callable[[EvaluationContext, Kind, Inference], ComparisonRequest | None]


def _table(
    context: EvaluationContext,
    choices: PaperChoices,
    protocol: EvaluationProtocol,
    mark: str,
    wanted: _Wanting,
    progress: Callable[[float], object],
) -> PaperTable:
    """Return the table; any thread may compute it."""
    from irviewer.views.paper import PaperStyle, PaperTable

    by_key = {entry.key: entry for entry in context.collection.runs}
    entries = [by_key[key] for key in choices.runs if key in by_key]
    measures = [parse_measure(text) for text in choices.measures]
    columns = []
    for position, measure in enumerate(measures):
        progress(position / (len(measures) + 1))
        columns.append(_column(replace(context, measure=measure), entries))
    bound = bound_protocol(context, protocol, uses=BY_UNIT if choices.tested else ("rules", "scope"))
    primary, comparison = "", None
    if choices.tested and len(context.decidable) > 1:
        of_primary = replace(context, measure=parse_measure(bound.facts.primary))
        comparison = _comparison(of_primary, protocol.inference, wanted)
        primary = _column(of_primary, ()).key
    progress(1.0)
    return PaperTable(
        tuple(entry.name for entry in entries), tuple(columns), _subject(context, entries, measures, mark),
        primary, comparison, PaperStyle(choices.decimals, choices.bold, choices.marked),
        replace(bound, facts=replace(bound.facts, shown="")),
    )  # fmt: skip


def _column(context: EvaluationContext, entries: Sequence[RunEntry]) -> PaperColumn:
    """Return the column of the measure of a context."""
    from irviewer.views.paper import column_of

    measure, judgments = context.measure, context.judgments
    zscored, treated = is_zscored(context, measure), context.treated(measure)
    return column_of(
        treated, np.array([context.mean(entry, measure) for entry in entries], dtype=np.float64),
        graded=judgments is not None and judgments.qrels.is_graded, level=context.options.level,
        counts=treated.counts and not zscored,
        name=called(context, measure, "{measure}") if zscored else "",
        own=[] if not treated.leaves_out else [_with_value(context, entry, measure) for entry in entries],
    )  # fmt: skip


def _with_value(context: EvaluationContext, entry: RunEntry, measure: Measure) -> int:
    """Return over how many queries of the set in use the mean of a run is."""
    counted = context.counted(entry, measure)
    assert counted is not None
    return int(np.count_nonzero(counted if context.within is None else counted & context.within))


def _comparison(context: EvaluationContext, inference: Inference, wanted: _Wanting) -> Comparison | None:
    """Return the comparison of all runs that take part, with the baseline or in all pairs, by the deciding test alone;
    None if there is nothing to test."""
    pairs = inference.family == "pairs"
    if untestable(context) or (context.baseline is None and not pairs):
        return None
    request = wanted(context, "pairs" if pairs else "baseline", inference)
    if request is None:
        return None
    # Nothing that is printed depends on further tests, intervals or weights.
    options = {**request.options, "tests": (inference.decides,), "interval": "t", "weights": None}
    compared: Comparison = replace(request, options=options).compute().comparison
    return compared


def _subject(
    context: EvaluationContext, entries: Sequence[RunEntry], measures: Sequence[Measure], mark: str
) -> PaperSubject:  # fmt: skip
    from irviewer.views.paper import PaperSubject, own_queries_remark, rules_remarks

    judgments = context.judgments
    assert judgments is not None
    named = len(context.collection.judgments) > 1 or judgments.facts.is_other
    query_set, remarks = context.query_set, []
    kept = context.query_ids
    if context.within is not None:
        kept = tuple(query for query, inside in zip(kept, context.within.tolist(), strict=True) if inside)
    lacking = any(query not in entry.run.query_index for entry in entries for query in kept)
    if lacking:
        remarks.append(
            zeros_text(measures)
            if context.options.missing_policy == "zero"
            else own_queries_remark(
                {
                    entry.name: sum(query in entry.run.query_index for query in kept)
                    for entry in entries
                    if any(query not in entry.run.query_index for query in kept)
                }
            )
        )
    looked = query_set is not None and query_set.looked
    options = replace(context.options, judged_only=context.judged_only)
    remarks += rules_remarks(options, weighted=context.weights is not None, looked=looked)
    if context.values_caveat:
        remarks.append(f"{context.values_caveat[:1].upper()}{context.values_caveat[1:]}.")
    counts = np.diff(judgments.qrels.offsets)[judgments.qrels.query_order]  # in the order of the context's queries
    if context.within is not None:
        counts = counts[context.within]
    return PaperSubject(
        context.collection.name, len(kept), "" if query_set is None else query_set.name,
        int(counts.sum()), judgments.label if named else "", mark, tuple(remarks),
        apart=lacking and context.options.missing_policy != "zero",
    )  # fmt: skip
