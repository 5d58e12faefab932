"""Why a number is what it is: a value's ledger with the difference to the baseline taken apart, and a mean's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.explain.ledger import bound_measure_of, ledger_of
from irviewer.analysis.explain.means import mean_ledger
from irviewer.analysis.explain.query_slice import OneQuery
from irviewer.errors import IrviewerError
from irviewer.figures.figure import Figure
from irviewer.figures.waterfall import waterfall_figure
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, Ints
from irviewer.model.number_text import counted as how_many
from irviewer.model.workspace import RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.context import EvaluationContext

if TYPE_CHECKING:
    from irviewer.analysis.explain.difference import Difference, Part
    from irviewer.analysis.explain.ledger_types import Ledger, MeanLedger
    from irviewer.analysis.explain.mean_differences import MeanDifference


@dataclass(frozen=True)
class LedgerColumn:
    """A column: its name, title, what it means, and whether it holds a rank, a grade, numbers or text."""

    key: str
    title: str
    meaning: str
    kind: str
    decimals: int


@dataclass(frozen=True, eq=False)
class LedgerViewModel:
    """The ledger of one value of a query, or of a mean.

    title       "Why is nDCG@10 of english_bm25 0.8833?"
    note        what else is to be known in short, such as that a judgment of one's own is in it
    columns     of the table; ``cells`` beside them, float64[m] (NaN: nothing) or m texts
    documents   the document of each row (of a mean: the query), "" where it is of none
    selected    the row of the selected document or query, -1
    worked      the formula with the numbers put in, as text; ``formula`` and ``worked_latex`` as LaTeX
    rules       the rules that applied, as sentences
    difference  the difference to the baseline taken apart; None without such a pair
    mean        True where rows are queries
    explanation why there is nothing to explain, "" where there is
    """

    title: str
    note: str
    run: RunLabel | None
    measure: str
    columns: tuple[LedgerColumn, ...]
    cells: tuple[Floats | tuple[str, ...], ...]
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


# Builds the view model that explains a value of a query, or a mean, from a context and the model's ledgers. Draws
# nothing.

MOST_OWN = 3
MOST_PARTS = 14
"""Parts that a waterfall shows; those between the largest gains and losses stand as one."""


def build_ledger_view_model(
    context: EvaluationContext, query: str, document: str | None, measure: Measure, key: int | None
) -> LedgerViewModel:
    """The view model of one value of one query."""
    entry = None if key is None else context.collection.run(key)
    if context.judgments is None or entry is None:
        return _nothing(measure, "An explanation takes judgments and a run.")
    from irviewer.analysis.explain.unjudged_interval import with_interval

    qrels = context.judgments.qrels
    try:
        bound_measure = bound_measure_of(measure, qrels, context.options)
        one = OneQuery.of(entry.run, qrels, query, context.options_for(measure))
        ledger = with_interval(ledger_of(one, bound_measure), one, bound_measure, context.judgments.regime)
    except IrviewerError as failure:
        return _nothing(measure, str(failure))
    rules = [rule.text for rule in ledger.rules]
    own = _own_judgments(context, query)
    ties = _ties(context, entry, measure, query)
    documents = _documents(ledger)
    selected = documents.index(document) if document in documents else -1
    value = ledger.text or _shown(ledger.value)
    table = _table(context, ledger, documents)
    return LedgerViewModel(
        title=f"Why is {measure} of {entry.name} {value}?",
        note=f"query {query}" + (" · as you judged it" if own else ""),
        run=context.labels[entry.key],
        measure=str(measure),
        columns=tuple(column for column, _ in table),
        cells=tuple(cells for _, cells in table),
        documents=documents,
        selected=selected,
        worked=ledger.worked,
        formula=ledger.formula,
        worked_latex=ledger.worked_latex,
        rules=(*own, *rules, *ties),
        max_grade=context.max_grade,
        difference=_difference(context, ledger, entry, query, measure, document),
    )


def build_mean_view_model(context: EvaluationContext, measure: Measure, key: int | None, query: str) -> LedgerViewModel:
    """The view model of a mean: the queries behind it, and the difference to the baseline's taken apart over
    queries."""
    entry = None if key is None else context.collection.run(key)
    if context.judgments is None or entry is None:
        return _nothing(measure, "An explanation takes judgments and a run.")
    try:
        ledger = _mean_ledger(context, entry, measure)
    except IrviewerError as failure:
        return _nothing(measure, str(failure))
    if ledger is None:
        return _nothing(measure, f"{measure} of {entry.name} has no mean: queries that count have no value.")
    order = np.argsort(-ledger.values if measure.higher_is_better else ledger.values, kind="stable")
    queries = tuple(ledger.query_ids[place] for place in order.tolist())
    texts = tuple(context.texts[context.query_index[one]] for one in queries)
    left = [f"{how_many(len(ledger.left_out), 'query is', 'queries are')} not behind it."] if ledger.left_out else []
    counted = [f"{one.query}: {one.reason}" for one in ledger.counted[:3]]
    found = _mean_difference(context, entry, ledger, measure)
    # Of plain means a query's part is its difference by n, which nobody needs to be told.
    geometric = found is not None and found.measure.aggregate == "geometric"
    apart = [f"Δ is split {found.attribution}."] if found is not None and geometric else []
    return LedgerViewModel(
        title=f"Why is {measure} of {entry.name} {_shown(ledger.value)}?",
        note=context.queries_text,
        run=context.labels[entry.key],
        measure=str(measure),
        columns=(
            LedgerColumn("query", "query", "the queries behind it, the best first", "text", 0),
            LedgerColumn("text", "text", "the query's text", "text", 0),
            LedgerColumn("value", str(measure), "its value", "float", 4),
            LedgerColumn("share", "adds", "what it adds to the value over all queries", "float", 6),
            LedgerColumn("running", "so far", "the value with this and all queries above", "float", 4),
        ),
        cells=(queries, texts, ledger.values[order], ledger.shares[order], _running(ledger, order)),
        documents=queries,
        selected=queries.index(query) if query in queries else -1,
        worked=ledger.worked,
        formula=ledger.formula,
        worked_latex=ledger.worked_latex,
        rules=(*_own_of_mean(context, queries), *(rule.text for rule in ledger.rules), *apart, *left, *counted),
        max_grade=context.max_grade,
        difference=None if found is None else _mean_figure(found, measure, query),
        mean=True,
    )


def _running(ledger: MeanLedger, order: Ints) -> Floats:
    """float64[q]: the shares added up in an order; of a geometric mean, whose shares are logarithms, exponentials."""
    total = np.cumsum(ledger.shares[order])
    return np.asarray(np.exp(total) if ledger.aggregate == "geometric" else total)


def _own_of(context: EvaluationContext, query: str) -> list[tuple[str, float | None, float | None]]:
    """(document, grade in force, the file's) of the judgments made here that say something else than the file; None
    for unjudged."""
    if context.judgments is None:
        return []
    filed, said = context.judgments.read.judgments(query), context.judgments.overlay.by_query.get(query, {})
    return [(doc, one.grade, filed.get(doc)) for doc, one in said.items() if one.grade != filed.get(doc)]


def _own_judgments(context: EvaluationContext, query: str) -> list[str]:
    """That the value is of judgments made here, and which; nothing where they say what the file says."""
    found = _own_of(context, query)
    if not found:
        return []
    named = [
        f"{doc} is {'unjudged' if grade is None else f'{grade:g}'} "
        f"({'not in the file' if filed is None else f'{filed:g} in the file'})"
        for doc, grade, filed in found[:MOST_OWN]
    ]
    more = f" and {len(found) - MOST_OWN:,} more" if len(found) > MOST_OWN else ""
    force = "A judgment made here is" if len(found) == 1 else "Judgments made here are"
    return [f"{force} in force: {', '.join(named)}{more}."]


def _own_of_mean(context: EvaluationContext, queries: tuple[str, ...]) -> list[str]:
    if context.judgments is None or not context.judgments.overlay:
        return []
    inside = frozenset(queries)
    within = [len(_own_of(context, query)) for query in context.judgments.overlay.by_query if query in inside]
    number, changed = sum(within), sum(map(bool, within))
    if not number:
        return []
    judgments = "1 judgment made here is" if number == 1 else f"{number:,} judgments made here are"
    return [f"{judgments} in force, of {'1 query' if changed == 1 else f'{changed:,} queries'}."]


def _table(
    context: EvaluationContext, ledger: Ledger, documents: tuple[str, ...]
) -> list[tuple[LedgerColumn, Floats | tuple[str, ...]]]:
    """The ledger's columns, as the command line has them; what a row adds is said in a word, for there is little room.
    What complete judgments do not list is non-relevant."""
    found: list[tuple[LedgerColumn, Floats | tuple[str, ...]]] = []
    for one, cells in zip(ledger.columns, ledger.cells, strict=True):
        if one.key == "grade" and context.complete and isinstance(cells, np.ndarray):
            listed = np.array([bool(document) for document in documents], dtype=np.bool_)
            cells = np.where(np.isnan(cells) & listed, 0.0, cells)
        meaning = one.meaning if one.title in one.meaning else f"{one.title}: {one.meaning}"
        title = "adds" if one.key == "contribution" else one.title
        found.append((LedgerColumn(one.key, title, meaning, one.kind, one.decimals), cells))
    return found


def _documents(ledger: Ledger) -> tuple[str, ...]:
    try:
        return tuple(str(one) for one in ledger.column("document"))
    except KeyError:
        return ("",) * ledger.n_rows


def _ties(context: EvaluationContext, entry: RunEntry, measure: Measure, query: str) -> list[str]:
    """What the order of ties could make of the value; nothing where nothing is tied."""
    from irviewer.analysis.explain.tie_bounds import tie_range

    place = entry.run.query_index.get(query)
    if place is None or context.judgments is None or not bool(entry.run.tied[place]):
        return []
    try:
        found = tie_range(entry.run, context.judgments.qrels, measure, query, context.options)
    except IrviewerError:
        return []
    return [found.told()] if found.groups else []


def _difference(
    context: EvaluationContext, ledger: Ledger, entry: RunEntry, query: str, measure: Measure, document: str | None
) -> Figure | None:
    base = None if context.baseline is None else context.collection.run(context.baseline)
    if base is None or base.key == entry.key or context.judgments is None:
        return None
    from irviewer.analysis.explain.difference import between

    qrels = context.judgments.qrels
    try:
        other = ledger_of(
            OneQuery.of(base.run, qrels, query, context.options_for(measure)),
            bound_measure_of(measure, qrels, context.options),
        )
        found = between(ledger, other)
    except IrviewerError:
        return None
    return _figure_of(context, found, entry, base, document)


def _figure_of(
    context: EvaluationContext, found: Difference, entry: RunEntry, base: RunEntry, document: str | None
) -> Figure:
    parts = _fewer([(part.document, _part_label(context, part), part.delta) for part in found.parts])
    keys = [key for key, _, _ in parts]
    return waterfall_figure(
        np.array([delta for _, _, delta in parts]),
        keys,
        [label for _, label, _ in parts],
        f"Δ {context.measure} taken apart" if found.measure == context.measure else f"Δ {found.measure} taken apart",
        f"Δ {found.measure}",
        f"{entry.name} − {base.name} = {_signed(found.delta)}, document by document",
        keys.index(document) if document in keys else -1,
        found.measure.higher_is_better,
    )


def _part_label(context: EvaluationContext, part: Part) -> str:
    from irviewer.analysis.explain.difference import MOVES

    if not part.document:
        return MOVES[part.move]
    here = "–" if part.rank is None else f"{part.rank}"
    there = "–" if part.base is None else f"{part.base}"
    grade = "?" if math.isnan(part.grade) else f"grade {part.grade:g}"
    return f"{part.document} · {grade} · {there} → {here}"


def _mean_difference(
    context: EvaluationContext, entry: RunEntry, ledger: MeanLedger, measure: Measure
) -> MeanDifference | None:
    """Δ to the baseline's, query by query; None where there is nothing to take apart."""
    base = None if context.baseline is None else context.collection.run(context.baseline)
    if base is None or base.key == entry.key or ledger.aggregate == "count":
        return None
    from irviewer.analysis.explain.mean_differences import mean_difference

    try:
        other = _mean_ledger(context, base, measure)
        found = None if other is None else mean_difference(ledger, other)
    except IrviewerError:
        return None
    return found if found is not None and found.parts else None


def _mean_figure(found: MeanDifference, measure: Measure, query: str) -> Figure:
    """Its waterfall; a geometric mean's note says that its parts are no plain differences."""
    parts = _fewer([(one.query, f"query {one.query}", one.delta) for one in found.parts if one.delta != 0])
    keys = [key for key, _, _ in parts]
    shares = ", by shares of the logarithms" if found.measure.aggregate == "geometric" else ""
    return waterfall_figure(
        np.array([part for _, _, part in parts]), keys, [label for _, label, _ in parts],
        f"Δ {measure} taken apart", f"Δ {measure}",
        f"{found.run} − {found.baseline} = {_signed(found.delta)}, query by query{shares}",
        keys.index(query) if query in keys else -1, measure.higher_is_better,
    )  # fmt: skip


def _mean_ledger(context: EvaluationContext, entry: RunEntry, measure: Measure) -> MeanLedger | None:
    """The ledger of a run's mean over the queries in force; None without judgments. Raises IrviewerError."""
    if context.judgments is None or math.isnan(context.mean(entry, measure)):
        return None
    values = context.values(entry, measure)
    kept = np.isfinite(values) if context.within is None else np.isfinite(values) & context.within
    ids = [one for one, inside in zip(context.query_ids, kept.tolist(), strict=True) if inside]
    treated = bound_measure_of(measure, context.judgments.qrels, context.options).measure
    return mean_ledger(treated, entry.run, context.judgments.qrels, ids, values[kept], context.options)


def _fewer(parts: list[tuple[str, str, float]]) -> list[tuple[str, str, float]]:
    """The largest gains and losses; what lies between as one part, so that the sum stays."""
    if len(parts) <= MOST_PARTS:
        return parts
    half = (MOST_PARTS - 1) // 2
    middle = parts[half:-half]
    rest = ("", f"{len(middle):,} others", math.fsum(delta for _, _, delta in middle))
    return [*parts[:half], rest, *parts[-half:]]


def _nothing(measure: Measure, why: str) -> LedgerViewModel:
    return LedgerViewModel(
        "Nothing to explain", "", None, str(measure), (), (), (), -1, "", "", "", (), 0.0, None, False, why
    )


def _shown(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.4f}"


def _signed(value: float) -> str:
    return f"{value:+.4f}".replace("-", "\N{MINUS SIGN}")
