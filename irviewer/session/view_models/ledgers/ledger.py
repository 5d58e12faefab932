"""The view model of a ledger: the calculation of a value or a mean, and the parts of its difference to the baseline."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from irviewer.errors import IrviewerError
from irviewer.figures.figure import Figure
from irviewer.figures.waterfall import waterfall_figure
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Floats, Ints
from irviewer.model.number_text import queries_text, score_text
from irviewer.model.workspace import RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.context import EvaluationContext, values_only
from irviewer.tables import column as kinds
from irviewer.tables.table import Table
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.explain.difference import Difference, Part
    from irviewer.analysis.explain.ledger_types import Ledger, MeanLedger
    from irviewer.analysis.explain.mean_differences import MeanDifference

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class LedgerViewModel:
    """The ledger of one value of a query, or of a mean.

    title       "Why is nDCG@10 of english_bm25 0.8833?"
    note        the query, and whether judgments made here were used
    table       what is calculated, row by row; None where nothing can be explained
    documents   the document of each row (of a mean: the query); "" for none
    selected    the row of the selected document or query, -1 for none
    worked      the formula with the numbers put in, as text; ``formula`` and ``worked_latex`` as LaTeX
    rules       the rules that applied, as sentences
    difference  the parts of the difference to the baseline; None without two runs
    mean        whether rows are queries
    explanation why nothing can be explained; "" otherwise
    ledger      what is shown, as it is saved; None of what is no value or mean
    """

    title: str
    note: str
    run: RunLabel | None
    measure: str
    table: Table | None
    documents: tuple[str, ...]
    selected: int
    worked: str
    formula: str
    worked_latex: str
    rules: tuple[str, ...]
    max_grade: float
    difference: Figure | None
    mean: bool = False
    explanation: str = ""
    ledger: Ledger | MeanLedger | None = None

    @cached_property
    def reading_order(self) -> Sequence[int]:
        """The rows in the order in which they are shown: of many ranks those first that add something, or where the
        ideal ranking gains; the rows of the former and of the latter in the order of the ledger."""
        rows = range(len(self.documents))
        if self.mean or len(rows) <= IN_SIGHT:
            return rows
        counts = np.zeros(len(rows), dtype=np.bool_)
        for column in () if self.table is None else self.table.columns:
            if column.key == "contribution":
                counts |= np.nan_to_num(column.numbers[""]) != 0
            elif column.key.startswith("ideal") and column.kind == "grade":
                counts |= np.nan_to_num(column.numbers[""]) > 0
        return tuple(sorted(rows, key=lambda row: not counts[row]))


IN_SIGHT = 20
"""The number of rows that a panel shows without scrolling far; they stay in the order of the ranks."""
MOST_OWN = 3
"""The number of judgments made here that are listed."""
NEEDS = tr("An explanation needs judgments and a run.")
MOST_PARTS = 14
"""The number of parts in a waterfall; those between the largest gains and losses are shown as one."""


def build_ledger_view_model(
    context: EvaluationContext, query: str, document: str | None, measure: Measure, key: int | None
) -> LedgerViewModel:
    """Return the view model of the value of a query."""
    entry = None if key is None else context.collection.run(key)
    if context.judgments is None or entry is None:
        return nothing(measure, NEEDS)
    if entry.run.stored is not None:
        return nothing(measure, values_only([entry.name]))
    from irviewer.analysis.explain.ledger import bound_measure_of, ledger_of
    from irviewer.analysis.explain.query_slice import OneQuery
    from irviewer.analysis.explain.unjudged_interval import with_interval

    qrels = context.judgments.qrels
    try:
        bound_measure = bound_measure_of(measure, qrels, context.options)
        query_slice = OneQuery.of(entry.run, qrels, query, context.options_for(measure))
        others = [other.run for other in context.taking_part if other.key != key]
        ledger = with_interval(
            ledger_of(query_slice, bound_measure), query_slice, bound_measure, context.judgments.regime, others
        )
    except IrviewerError as failure:
        return nothing(measure, str(failure))
    rules = [rule.text for rule in ledger.rules]
    own = _own_judgments(context, query)
    ties = _ties(context, entry, measure, query)
    documents = _documents(ledger)
    selected = documents.index(document) if document in documents else -1
    value, name = ledger.text or score_text(ledger.value), context.name_of(entry)
    return LedgerViewModel(
        title=tr("Why is {measure} of {run} {value}?", measure=usual_name(measure), run=name, value=value),
        note=tr("query {query} · with your judgments", query=query) if own else tr("query {query}", query=query),
        run=context.labels[entry.key],
        measure=str(measure),
        table=_table(context, ledger),
        documents=documents,
        selected=selected,
        worked=ledger.worked,
        formula=ledger.formula,
        worked_latex=ledger.worked_latex,
        rules=(*own, *rules, *ties),
        max_grade=context.max_grade,
        difference=_difference(context, ledger, entry, query, measure, document),
        ledger=ledger,
    )


def build_mean_view_model(context: EvaluationContext, measure: Measure, key: int | None) -> LedgerViewModel:
    """Return the view model of a mean: its queries, and the parts of the difference to the baseline by query, none of
    them selected. It may be built on any thread."""
    entry = None if key is None else context.collection.run(key)
    if context.judgments is None or entry is None:
        return nothing(measure, NEEDS)
    name = context.name_of(entry)
    try:
        ledger = _mean_ledger(context, entry, measure)
    except IrviewerError as failure:
        return nothing(measure, str(failure))
    if ledger is None:
        return nothing(
            measure, tr("{measure} of {run} has no mean: some queries have no value.", measure=measure, run=name)
        )
    order = np.argsort(-ledger.values if measure.higher_is_better else ledger.values, kind="stable")
    queries = tuple(ledger.query_ids[position] for position in order.tolist())
    texts = tuple(context.texts[context.query_index[query_id]] for query_id in queries)
    n_left = len(ledger.left_out)
    left = [trn("{n:,} query is left out.", "{n:,} queries are left out.", n_left)] if n_left else []
    counted = [f"{row.query}: {row.reason}" for row in ledger.counted[:3]]
    difference = _mean_difference(context, entry, ledger, measure)
    # For plain means the part of a query is its difference divided by n, which needs no explanation.
    geometric = difference is not None and difference.measure.aggregate == "geometric"
    split = []
    if difference is not None and geometric:
        split = [tr("How Δ is divided among the queries: {rule}.", rule=difference.attribution)]
    return LedgerViewModel(
        title=tr(
            "Why is {measure} of {run} {value}?", measure=usual_name(measure), run=name, value=score_text(ledger.value)
        ),
        note=context.queries_text,
        run=context.labels[entry.key],
        measure=str(measure),
        table=_mean_table(ledger, order, texts),
        documents=queries,
        selected=-1,
        worked=ledger.worked,
        formula=ledger.formula,
        worked_latex=ledger.worked_latex,
        rules=(*_own_of_mean(context, queries), *(rule.text for rule in ledger.rules), *split, *left, *counted),
        max_grade=context.max_grade,
        difference=None if difference is None else _mean_figure(difference, measure),
        mean=True,
        ledger=ledger,
    )


def mean_at(base: LedgerViewModel, query: str) -> LedgerViewModel:
    """Return the view model of a mean with a query selected, where it is one of the rows."""
    row = _place_of(query, base.documents)
    apart = base.difference
    if apart is not None and apart.waterfall is not None:
        parts = apart.waterfall
        apart = replace(apart, waterfall=replace(parts, selected=_place_of(query, parts.keys)))
    return replace(base, selected=row, difference=apart)


def _place_of(query: str, queries: Sequence[str]) -> int:
    try:
        return queries.index(query)
    except ValueError:
        return -1


def _running(ledger: MeanLedger, order: Ints) -> Floats:
    """Return the cumulative contributions in an order, float64[q]; exponentials for a geometric mean."""
    total = np.cumsum(ledger.shares[order])
    return np.asarray(np.exp(total) if ledger.aggregate == "geometric" else total)


def _own_of(context: EvaluationContext, query: str) -> list[tuple[str, float | None, float | None]]:
    """Return (document, grade in force, grade in the file) of judgments made here that differ from the file; None for
    unjudged."""
    if context.judgments is None:
        return []
    filed, changed = context.judgments.read.judgments(query), context.judgments.overlay.by_query.get(query, {})
    return [
        (doc, judgment.grade, filed.get(doc)) for doc, judgment in changed.items() if judgment.grade != filed.get(doc)
    ]


def _own_judgments(context: EvaluationContext, query: str) -> list[str]:
    """Return a sentence that names the judgments made here which differ from the file; empty if there are none."""
    changed = _own_of(context, query)
    if not changed:
        return []
    named = [_change_text(*judgment) for judgment in changed[:MOST_OWN]]
    if len(changed) > MOST_OWN:
        named.append("…")
    return [
        trn(
            "{n:,} judgment made here is used: {judgments}.",
            "{n:,} judgments made here are used: {judgments}.",
            len(changed),
            judgments=", ".join(named),
        )
    ]


def _change_text(document: str, grade: float | None, filed: float | None) -> str:
    new = tr("unjudged") if grade is None else f"{grade:g}"
    if filed is None:
        return tr("{document} is {grade} (not in the file)", document=document, grade=new)
    return tr("{document} is {grade} ({filed:g} in the file)", document=document, grade=new, filed=filed)


def _own_of_mean(context: EvaluationContext, queries: tuple[str, ...]) -> list[str]:
    if context.judgments is None or not context.judgments.overlay:
        return []
    inside = frozenset(queries)
    within = [len(_own_of(context, query)) for query in context.judgments.overlay.by_query if query in inside]
    number, changed = sum(within), sum(map(bool, within))
    if not number:
        return []
    return [
        trn(
            "{n:,} judgment made here is used, in {queries}.",
            "{n:,} judgments made here are used, in {queries}.",
            number,
            queries=queries_text(changed),
        )
    ]


def _table(context: EvaluationContext, ledger: Ledger) -> Table:
    """Return the table of the view. With complete judgments, unlisted documents are non-relevant."""
    from irviewer.views import explanation

    table = explanation.tables(ledger, None).table("ledger")
    if not context.complete:
        return table
    listed = np.array([bool(document) for document in _documents(ledger)], dtype=np.bool_)
    columns = [
        replace(each, parts={"": np.where(np.isnan(each.numbers[""]) & listed, 0.0, each.numbers[""])})
        if each.key == "grade" else each
        for each in table.columns
    ]  # fmt: skip
    return replace(table, columns=tuple(columns))


def _mean_table(ledger: MeanLedger, order: Ints, texts: tuple[str, ...]) -> Table:
    """Return the table of the view in an order of its rows, with the ``texts`` of its queries, and the sum so far."""
    from irviewer.views import explanation

    table = explanation.tables(ledger, None).table("queries").rows(order.tolist())
    query, *values = table.columns
    running = kinds.number("running", tr("so far"), _running(ledger, order),
                           tip=tr("Sum of the contributions down to this query"))  # fmt: skip
    text = kinds.text("text", tr("text"), [text or None for text in texts], tip=tr("Text of the query"))
    return replace(table, columns=(query, text, *values, running))


def _documents(ledger: Ledger) -> tuple[str, ...]:
    try:
        return tuple(str(document) for document in ledger.column("document"))
    except KeyError:
        return ("",) * ledger.n_rows


def _ties(context: EvaluationContext, entry: RunEntry, measure: Measure, query: str) -> list[str]:
    """Return how the order of ties could change the value; empty if nothing is tied."""
    from irviewer.analysis.explain.tie_bounds import tie_range

    position = entry.run.query_index.get(query)
    if position is None or context.judgments is None or not bool(entry.run.tied[position]):
        return []
    try:
        ties = tie_range(entry.run, context.judgments.qrels, measure, query, context.options_for(measure))
    except IrviewerError:
        return []
    return [ties.sentence()] if ties.groups else []


def _difference(
    context: EvaluationContext, ledger: Ledger, entry: RunEntry, query: str, measure: Measure, document: str | None
) -> Figure | None:
    base = None if context.baseline is None else context.collection.run(context.baseline)
    if base is None or base.key == entry.key or context.judgments is None:
        return None
    from irviewer.analysis.explain.difference import between
    from irviewer.analysis.explain.ledger import bound_measure_of, ledger_of
    from irviewer.analysis.explain.query_slice import OneQuery

    qrels = context.judgments.qrels
    try:
        other = ledger_of(
            OneQuery.of(base.run, qrels, query, context.options_for(measure)),
            bound_measure_of(measure, qrels, context.options),
        )
        difference = between(ledger, other)
    except IrviewerError:
        return None
    return _figure_of(context, difference, entry, base, document)


def _figure_of(
    context: EvaluationContext, difference: Difference, entry: RunEntry, base: RunEntry, document: str | None
) -> Figure:
    parts = _fewer(difference.parts, lambda part: (part.document, _part_label(context, part), part.delta))
    keys = [key for key, _, _ in parts]
    return waterfall_figure(
        np.array([delta for _, _, delta in parts]),
        keys,
        [label for _, label, _ in parts],
        tr("Parts of Δ {measure}", measure=usual_name(difference.measure)),
        f"Δ {usual_name(difference.measure)}",
        _by_rows(difference.items).format(
            run=context.name_of(entry),
            baseline=context.name_of(base),
            delta=_signed(difference.delta),
        ),
        keys.index(document) if document in keys else -1,
        difference.measure.higher_is_better,
    )


def _by_rows(items: str) -> str:
    """Return how the title of a difference whose rows are documents, or other items, is said."""
    if items == "nugget":
        return tr("{run} − {baseline} = {delta}, nugget by nugget")
    if items == "sentence":
        return tr("{run} − {baseline} = {delta}, sentence by sentence")
    if items == "citation":
        return tr("{run} − {baseline} = {delta}, citation by citation")
    return tr("{run} − {baseline} = {delta}, document by document")


def _part_label(context: EvaluationContext, part: Part) -> str:
    from irviewer.analysis.explain.difference import MOVES

    if part.item:
        labels = f" · {part.base_label or '–'} → {part.label or '–'}" if part.label or part.base_label else ""
        return part.item + labels
    if not part.document:
        return MOVES[part.move]
    rank = "–" if part.rank is None else f"{part.rank}"
    base_rank = "–" if part.base is None else f"{part.base}"
    grade = "?" if math.isnan(part.grade) else tr("grade {grade:g}", grade=part.grade)
    return f"{part.document} · {grade} · {base_rank} → {rank}"


def _mean_difference(
    context: EvaluationContext, entry: RunEntry, ledger: MeanLedger, measure: Measure
) -> MeanDifference | None:
    """Return the parts of the difference to the baseline by query; None if there is no difference to divide."""
    base = None if context.baseline is None else context.collection.run(context.baseline)
    if base is None or base.key == entry.key or ledger.aggregate == "count":
        return None
    from irviewer.analysis.explain.mean_differences import mean_difference

    try:
        other = _mean_ledger(context, base, measure)
        difference = None if other is None else mean_difference(ledger, other)
    except IrviewerError:
        return None
    return difference if difference is not None and difference.parts else None


def _mean_figure(difference: MeanDifference, measure: Measure) -> Figure:
    """Return the waterfall; for a geometric mean the note says how the parts are computed."""
    queries, deltas = difference.parts.queries, difference.parts.deltas
    changed = [place for place, delta in enumerate(deltas) if delta != 0]
    parts = [
        (key, label or tr("query {query}", query=key), delta)
        for key, label, delta in _fewer(changed, lambda place: (queries[place], "", deltas[place]))
    ]
    keys = [key for key, _, _ in parts]
    equation = f"{difference.run} − {difference.baseline} = {_signed(difference.delta)}"
    if difference.measure.aggregate == "geometric":
        note = tr("{equation}, query by query, by shares of the logarithms", equation=equation)
    else:
        note = tr("{equation}, query by query", equation=equation)
    return waterfall_figure(
        np.array([part for _, _, part in parts]), keys, [label for _, label, _ in parts],
        tr("Parts of Δ {measure}", measure=usual_name(measure)), f"Δ {usual_name(measure)}", note,
        higher_is_better=measure.higher_is_better,
    )  # fmt: skip


def _mean_ledger(context: EvaluationContext, entry: RunEntry, measure: Measure) -> MeanLedger | None:
    """Return the ledger of a run's mean over the selected queries; None without judgments. Raises IrviewerError."""
    if context.judgments is None or math.isnan(context.mean(entry, measure)):
        return None
    from irviewer.analysis.explain.ledger import bound_measure_of
    from irviewer.analysis.explain.means import mean_ledger

    values = context.values(entry, measure)
    kept = np.isfinite(values) if context.within is None else np.isfinite(values) & context.within
    ids = [query_id for query_id, inside in zip(context.query_ids, kept.tolist(), strict=True) if inside]
    treated = bound_measure_of(measure, context.judgments.qrels, context.options).measure
    return mean_ledger(treated, entry.run, context.judgments.qrels, ids, values[kept], context.options_for(measure))


def _fewer(parts: Sequence[T], row_of: Callable[[T], tuple[str, str, float]]) -> list[tuple[str, str, float]]:
    """Return the largest gains and losses as (key, label, difference), with the parts between them as
    one, so that the sum is the same."""
    if len(parts) <= MOST_PARTS:
        return list(map(row_of, parts))
    half = (MOST_PARTS - 1) // 2
    middle = parts[half:-half]
    rest = ("", tr("{count:,} others", count=len(middle)), math.fsum(row_of(part)[2] for part in middle))
    return [*map(row_of, parts[:half]), rest, *map(row_of, parts[-half:])]


def nothing(measure: Measure, reason: str) -> LedgerViewModel:
    """Return the view model of a value that cannot be explained."""
    return LedgerViewModel(
        tr("Nothing to explain"), "", None, str(measure), None, (), -1, "", "", "", (), 0.0, None, False, reason
    )


def _signed(value: float) -> str:
    """Return a difference with its sign; none that four decimals do not show has one."""
    written = f"{value:+.4f}"
    return decimal(written[1:] if float(written) == 0 else written.replace("-", "\N{MINUS SIGN}"))
