"""The view model of Queries: queries by shown runs for one measure, the difference bars and the relevance map in the
same order."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
import pyarrow.compute as pc

from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.errors import OptionError
from irviewer.figures.differences import differences_figure
from irviewer.figures.figure import Figure
from irviewer.model.arrays import Bools, Floats, Ints, distinct, frozen, stable_order, strings, values_of
from irviewer.model.attributes.queries import Cut, QueryAttribute, natural_key, slices_of
from irviewer.model.attributes.tables import MOST_COLUMNS, shown_columns
from irviewer.model.judgments.judged import Judged
from irviewer.model.notes import Note
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.same import Same
from irviewer.model.workspace import RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.caveats import hidden_words
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import called, is_zscored
from irviewer.session.failures.query_statistics import (
    field_of,
    focus_from_median,
    has_median,
    knows_field,
    median_label,
    spread_of,
)
from irviewer.session.notes.changes import note_sign, note_text, notes_of
from irviewer.tables.emphasis import shaded_ends
from irviewer.tables.filter import QUERY_GRAMMAR, Columns, FilterError, matches, parse_filter, with_attributes
from irviewer.tables.lazy_texts import in_order
from irviewer.tables.table import Table
from irviewer.translation import tr

QUERY_COLUMNS = {
    "median": tr("Δ to the median of all runs"),
    "mean": tr("Mean over all runs: how difficult the query is"),
    "agreement": tr("Whether the query separates good runs from bad ones"),
}
"""The columns of statistics over all runs and their meanings, in the order of the table."""


@dataclass(frozen=True, eq=False)
class QueryField:
    """Statistics over all runs for N queries, in the order of the table; ``columns`` are those shown.

    runs           the number of runs
    median         float64[N]: focus minus the median of all runs; NaN for fewer than five runs
    mean           float64[N]: over all runs; ``difficulty`` float64[N] its rank among all queries, 0 the easiest, 1 the
                   hardest
    agreement      float64[N]: Kendall's tau-a of the runs' order on the query with their order on the others; NaN like
                   ``separated`` unless it is among ``columns``
    discriminates  bool[N]: at least half of the pairs of runs differ, and more of them than on the other queries
    separated      float64[N]: the share of pairs of runs that differ
    """

    columns: tuple[str, ...]
    runs: int
    median: Floats
    mean: Floats
    difficulty: Floats
    agreement: Floats
    discriminates: Bools
    separated: Floats


@dataclass(frozen=True, eq=False)
class AttributeColumn:
    """An attribute of queries as a column, and for N queries their texts (None without a value) and float64[N] numbers
    (NaN for none), which are None of a category; ``longest`` is the number of letters of a category's longest text.
    ``groups`` int64[N]: the group of each query where queries are coloured by this attribute, else None."""

    attribute: QueryAttribute
    texts: Sequence[str | None]
    numbers: Floats | None
    longest: int = 0
    groups: Ints | None = None


@dataclass(frozen=True, eq=False)
class RelevanceMap:
    """The ranks of one run for all queries, a column per query in the order of the table, rank 1 at the top.

    cells    float64[depth, N]: the grade, NaN if the qrels do not list the document, -inf if there is no document at
             this rank
    """

    run: RunLabel
    cells: Floats
    max_grade: float


@dataclass(frozen=True, eq=False)
class QueriesViewModel:
    """N queries in the order of the table (sorted and filtered), S shown runs.

    query_ids, texts   N each
    relevant           int64[N], or float64[N] of NaN without judgments, or where only their digest is known
    values             float64[N, S]
    delta              float64[N]: focus minus baseline, NaN without both
    spread             float64[N]: best minus worst of the runs that take part
    ends               the values of the palest and the darkest cell
    counts             whether the values are whole numbers
    taking_part        the number of runs that take part, which spread and field are over
    selected           the row of the selected query, -1 where the filter hides it
    sort               ("query", "text", "relevant", "delta", "spread", one of QUERY_COLUMNS, "attribute:" with a name,
                       or a run's key as text; descending)
    make_map           returns ``map``, the same one each time; ``compute_cells`` computes what it puts in order
    better, equal, worse   counts of the bars' differences over the rows shown
    explanation        what is missing (no runs, no judgments), "" if nothing is
    remarks            the user's notes as signs, N or none; ``note_texts`` in full
    higher_is_better   the measure's direction
    ratio              True if the measure's mean is geometric: delta, spread and the difference to the median are
                       logarithms of ratios, and shown as ratios
    """

    title: str
    note: str
    measure: str
    runs: tuple[RunLabel, ...]
    query_ids: Sequence[str]
    texts: Sequence[str]
    relevant: Ints | Floats
    values: Floats
    delta: Floats
    spread: Floats
    ends: tuple[float, float]
    selected: int
    sort: tuple[str, bool]
    filter: str
    filter_error: str
    total: int
    better: int
    equal: int
    worse: int
    delta_note: str
    bars: Figure
    make_map: Callable[[], RelevanceMap | None]
    compute_cells: Callable[[], object]
    explanation: str = ""
    remarks: tuple[str, ...] = ()
    note_texts: tuple[str, ...] = ()
    higher_is_better: bool = True
    counts: bool = False
    taking_part: int = 0
    field: QueryField | None = None
    ratio: bool = False
    filter_grammar: tuple[tuple[str, str], ...] = QUERY_GRAMMAR
    attributes: tuple[AttributeColumn, ...] = ()

    @property
    def map(self) -> RelevanceMap | None:
        """The map of the run in focus, made when it is asked for: a list of queries has none beside it."""
        return self.make_map()

    def gain(self, row: int) -> float:
        """Return the difference of a row, positive if it is an improvement; NaN without both runs."""
        delta = float(self.delta[row])
        return delta if self.higher_is_better else -delta


MAP_DEPTH = 100
"""The largest number of ranks in the relevance map."""

EQUAL = 1e-9
ATTRIBUTE = "attribute:"
"""What the ids of the columns of attributes begin with."""
COLUMN_NAMES = {
    "query": tr("query"),
    "text": tr("text"),
    "relevant": tr("relevant documents"),
    "spread": tr("spread"),
    "remarks": tr("notes"),
}


@dataclass(frozen=True, eq=False)
class Order:
    """The queries in the order of the table: ``rows`` int64[N], indices of the context's E queries."""

    rows: Ints
    error: str

    def row_of(self, place: int) -> int:
        """Return the row of a query, -1 if the filter hides it."""
        rows = np.flatnonzero(self.rows == place)
        return int(rows[0]) if len(rows) else -1


SECONDS_TO_SORT = 6e-8
"""Seconds per query to sort numbers, of which statistics, each text and the words of a filter take more: as measured
with a million queries."""
SECONDS_OF_FIELD, SECONDS_OF_PAIR, SECONDS_OF_TEXT, SECONDS_TO_FILTER = 2.5e-7, 3.5e-7, 2e-6, 1e-6
"""The same for the statistics of each run, for each two runs, for a text, and for a filter."""
SECONDS_OF_NUMBER, SECONDS_OF_CATEGORY, SECONDS_OF_GROUP, SECONDS_TO_FIND = 5e-7, 3e-7, 3.5e-7, 2.5e-7
"""The same for the numbers and the categories of an attribute with their texts, for the groups by one, and to find
which attributes there are."""
MOST_ATTRIBUTES = 16
"""The most attributes that are described before they are shown: of many more not all are kept."""


def seconds_to_order(context: EvaluationContext) -> float:
    """Return the estimated seconds that :func:`build_order` takes."""
    column, _ = context.choices.queries_sort
    queries, runs = len(context.query_ids), len(context.taking_part)
    each = SECONDS_TO_FILTER if context.choices.queries_filter.strip() else 0.0
    if column in ("text", "remarks") or column.startswith(ATTRIBUTE):
        each += SECONDS_OF_TEXT
    elif column != "query":
        each += SECONDS_TO_SORT
    pairs = column == "agreement"
    if (column in ("mean", "agreement") or (column == "median" and has_median(context))) and not knows_field(
        context, pairs=pairs
    ):
        each += runs * SECONDS_OF_FIELD + (runs * (runs - 1) / 2 * SECONDS_OF_PAIR if pairs else 0.0)
    return queries * each


def seconds_to_describe(context: EvaluationContext, columns: Sequence[str], against: str = "baseline") -> float:
    """Return the estimated seconds that :func:`describe` takes."""
    runs, seconds = len(context.taking_part), 0.0
    for pairs in _statistics_shown(context, columns, against):
        if not knows_field(context, pairs=pairs):
            seconds += runs * SECONDS_OF_FIELD + (runs * (runs - 1) / 2 * SECONDS_OF_PAIR if pairs else 0.0)
    return len(context.query_ids) * seconds


def seconds_of_attributes(context: EvaluationContext) -> float:
    """Return the estimated seconds that :func:`warm_attributes` takes."""
    knows = context.knows_query_attributes
    seconds = 0.0 if knows else SECONDS_TO_FIND
    of_tables = [attribute for table in context.collection.attributes for attribute in table.queries]
    for attribute in _attributes_shown(context) if knows else of_tables[:MOST_COLUMNS]:
        if not context.evaluation.knows_shared(_key_of_cells(context, attribute)):
            seconds += SECONDS_OF_CATEGORY if attribute.kind == "category" else SECONDS_OF_NUMBER
        if attribute.name == context.choices.attribute_plot[2] and not context.evaluation.knows_shared(
            _key_of_groups(context, attribute)
        ):
            seconds += SECONDS_OF_GROUP
    return len(context.query_ids) * seconds


def describe(context: EvaluationContext, columns: Sequence[str], against: str = "baseline") -> None:
    """Compute the statistics over all runs that the view model shows with these columns and bars. Any thread may."""
    for pairs in _statistics_shown(context, columns, against):
        field_of(context, pairs=pairs)


def warm_attributes(context: EvaluationContext) -> None:
    """Compute the texts, numbers and groups of the attributes that the view model shows. Any thread may."""
    for attribute in _attributes_shown(context):
        _cells_of(context, attribute)
        if attribute.name == context.choices.attribute_plot[2]:
            _groups_of(context, attribute)


def attributes_shown(context: EvaluationContext) -> tuple[str, ...]:
    """Return the attributes that are columns; the one that queries are coloured by always is."""
    every = context.query_attributes
    # Those of a table or of the queries' file have no title of ours.
    shown = shown_columns(context.choices.attribute_columns, every, {each.name for each in every if not each.title})
    colour = context.choices.attribute_plot[2]
    coloured = colour not in shown and any(each.name == colour for each in every)
    return (colour, *shown) if coloured else shown


def _attributes_shown(context: EvaluationContext) -> list[QueryAttribute]:
    by_name = {attribute.name: attribute for attribute in context.query_attributes}
    return [by_name[name] for name in attributes_shown(context)[:MOST_ATTRIBUTES]]


def _statistics_shown(context: EvaluationContext, columns: Sequence[str], against: str) -> list[bool]:
    """Return which statistics the view model reads: False for those without what compares every two runs, True for
    those with it."""
    seen = _seen(context, columns) if len(context.taking_part) > 1 else ()
    pairs = "agreement" in seen
    # A difference from the median is read wherever there is a column.
    plain = has_median(context) if seen or against == "median" else False
    return [*([False] if plain or (seen and not pairs) else []), *([True] if pairs else [])]


def _seen(context: EvaluationContext, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of statistics that are shown."""
    return tuple(name for name in QUERY_COLUMNS if name in columns and (name != "median" or has_median(context)))


def build_order(context: EvaluationContext) -> Order:
    """Return the queries sorted and filtered by the selection; a filter that cannot be read hides nothing."""
    keep, error = _kept(context)
    base = context.natural_order
    base = base[keep[base]]
    column, descending = context.choices.queries_sort
    if column == "query":
        return Order(base[::-1] if descending else base, error)
    if column == "text" and not context.collection.has_query_texts:
        return Order(base, error)
    if column == "text":
        texts = [context.texts[place].casefold() for place in base]
        places = sorted(range(len(base)), key=texts.__getitem__, reverse=descending)
        return Order(base[np.array(places, dtype=np.int64)], error)
    if column.startswith(ATTRIBUTE):
        attribute = _attribute(context, column.removeprefix(ATTRIBUTE))
        if attribute is not None and attribute.kind == "category":
            own = _cells_of(context, attribute).texts
            categories = [own[place] or "" for place in base.tolist()]
            return Order(base[_by_category(categories, descending)], error)
    keys = _sort_values(context, column).take(base)
    if descending:
        np.negative(keys, out=keys)
    keys[np.isnan(keys)] = np.inf
    return Order(base[stable_order(keys)], error)


def _by_category(texts: Sequence[str], descending: bool) -> Ints:
    """int64[N]: the rows by category, those without one last."""
    rows = sorted(range(len(texts)), key=lambda row: natural_key(texts[row]), reverse=descending)
    return np.array(sorted(rows, key=lambda row: not texts[row]), dtype=np.int64)


def attribute_column(context: EvaluationContext, name: str, rows: Ints) -> AttributeColumn | None:
    """Return an attribute of some queries as a column; None where there is no attribute of this name."""
    attribute = _attribute(context, name)
    if attribute is None:
        return None
    cells = _cells_of(context, attribute)
    coloured = query_groups(context, name, rows) if name == context.choices.attribute_plot[2] else None
    return AttributeColumn(
        attribute,
        in_order(cells.texts, rows),
        None if cells.numbers is None else frozen(cells.numbers.take(rows)),
        int(cells.lengths.take(rows).max(initial=0)) if attribute.kind == "category" else 0,
        None if coloured is None else coloured.codes,
    )


def _attribute(context: EvaluationContext, name: str) -> QueryAttribute | None:
    return next((known for known in context.query_attributes if known.name == name), None)


@dataclass(frozen=True, eq=False)
class _AttributeCells:
    """An attribute of the E queries: their texts, None without a value, float64[E] numbers of a number, and of a
    category int64[E] ``lengths``, the numbers of letters."""

    texts: tuple[str | None, ...]
    numbers: Floats | None
    lengths: Ints


def _cells_of(context: EvaluationContext, attribute: QueryAttribute) -> _AttributeCells:
    """Return an attribute of the E queries, cached: another order of a million takes no new texts."""
    return context.evaluation.shared(
        _key_of_cells(context, attribute), lambda: _find_cells(attribute, context.query_ids)
    )


def _key_of_cells(context: EvaluationContext, attribute: QueryAttribute) -> tuple[Hashable, ...]:
    return "attribute", Same(attribute), Same(context.query_ids)


def _find_cells(attribute: QueryAttribute, ids: tuple[str, ...]) -> _AttributeCells:
    numbers = frozen(attribute.numbers(ids)) if attribute.kind == "number" else None
    texts = attribute.texts(ids, numbers)
    lengths = [len(text or "") for text in texts] if numbers is None else []
    return _AttributeCells(tuple(texts), numbers, frozen(np.array(lengths, dtype=np.int64)))


@dataclass(frozen=True, eq=False)
class QueryGroups:
    """N queries in groups by one attribute: ``codes`` int64[N], indices of ``names``; the last is of those without a
    value, if there are any."""

    names: tuple[str, ...]
    codes: Ints


def query_groups(context: EvaluationContext, name: str, rows: Ints) -> QueryGroups | None:
    """Return the slices of an attribute that some queries are in, cut as in Slices; None where there is no attribute of
    this name, or it has too many values."""
    attribute = _attribute(context, name)
    groups = None if attribute is None else _groups_of(context, attribute)
    return None if groups is None else replace(groups, codes=frozen(groups.codes.take(rows)))


def _groups_of(context: EvaluationContext, attribute: QueryAttribute) -> QueryGroups | None:
    """Return the groups of the E queries, cached."""
    cut = context.collection.slicing.cuts.get(attribute.name)
    return context.evaluation.shared(
        _key_of_groups(context, attribute), lambda: _find_groups(attribute, context.query_ids, cut)
    )


def _key_of_groups(context: EvaluationContext, attribute: QueryAttribute) -> tuple[Hashable, ...]:
    cut = context.collection.slicing.cuts.get(attribute.name)
    return "attribute-groups", Same(attribute), Same(context.query_ids), cut


def _find_groups(attribute: QueryAttribute, ids: tuple[str, ...], cut: Cut | None) -> QueryGroups | None:
    try:
        slicing = slices_of(attribute, ids, cut)
    except OptionError:
        return None
    without, codes = len(slicing.slices), slicing.codes
    names = [part.name for part in slicing.slices]
    if len(slicing.without):
        names.append(tr("no {attribute}", attribute=attribute.shown))
    return QueryGroups(tuple(names), frozen(np.where(codes < 0, without, codes)))


def _sort_values(context: EvaluationContext, column: str) -> Floats:
    if column.startswith(ATTRIBUTE):
        attribute = _attribute(context, column.removeprefix(ATTRIBUTE))
        numbers = None if attribute is None else _cells_of(context, attribute).numbers
        return np.full(len(context.query_ids), np.nan) if numbers is None else numbers
    if column == "relevant":
        return context.known_relevant.astype(np.float64)
    if column == "remarks":
        notes = notes_of(context.collection).queries
        return np.array([float(query in notes) for query in context.query_ids])
    if column == "delta":
        return context.delta
    if column == "spread":
        return spread_of(context)
    if column == "median":
        return focus_from_median(context)
    if column in QUERY_COLUMNS:
        field = field_of(context, pairs=column == "agreement")
        return np.full(len(context.query_ids), np.nan) if field is None else np.asarray(getattr(field, column))
    entry = context.collection.run(int(column)) if column.lstrip("-").isdigit() else None
    return np.zeros(len(context.query_ids)) if entry is None else context.values(entry, context.measure)


def _kept(context: EvaluationContext) -> tuple[Bools, str]:
    everything = np.ones(len(context.query_ids), dtype=np.bool_) if context.within is None else context.within
    if not context.choices.queries_filter.strip():
        return everything, ""
    columns = Columns(
        context.query_ids,
        context.texts,
        context.known_relevant,
        _as_shown(context, context.delta),
        _as_shown(context, spread_of(context)),
        _ByName(context),
        notes_of(context.collection).queries,
        lambda holds: _having(context, holds),
        context.query_attributes,
        {label.whole_name: label.name for label in context.labels.values()},
        labels={"run": lambda value: _of_run(context, value)},
    )
    try:
        return matches(parse_filter(context.choices.queries_filter), columns) & everything, ""
    except FilterError as error:
        return everything, str(error)


def _of_run(context: EvaluationContext, value: str) -> Bools:
    """Return all queries where a shown run has the text in its name: a table of queries and runs lists those runs."""
    names = [f"{label.name}\n{label.whole_name}".casefold() for label in context.shown_labels]
    return np.full(len(context.query_ids), any(value.casefold() in name for name in names))


def _as_shown(context: EvaluationContext, differences: Floats) -> Floats:
    """Return differences as they are written, so that filters compare the numbers that the user sees: ratios for
    geometric means."""
    return ratios(differences) if context.geometric else differences


def _having(context: EvaluationContext, holds: Callable[[Note], bool]) -> frozenset[str]:
    """Return the queries for which a document with a matching note was judged, or is in the list of a shown run."""
    noted = [pair for pair, note in notes_of(context.collection).documents.items() if holds(note)]
    if not noted:
        return frozenset()
    wanted = strings(noted)
    query_ids: set[str] = set()
    parts: list[Qrels | Run] = [entry.run for entry in context.shown_runs]
    if context.judgments is not None:
        parts.append(context.judgments.qrels)
    for part in parts:
        rows = np.flatnonzero(values_of(pc.is_in(part.doc_ids, value_set=wanted)))
        places = distinct(np.searchsorted(part.offsets, rows, side="right") - 1)
        query_ids.update(part.query_ids[position] for position in places.tolist())
    return frozenset(query_ids)


class _ByName(dict[str, Floats]):
    """Values of the runs by their names in the window, computed only if a filter needs them."""

    def __init__(self, context: EvaluationContext) -> None:
        super().__init__({label.name: np.empty(0) for label in context.labels.values()})
        self._context = context

    def __getitem__(self, name: str) -> Floats:
        entry = next(entry for entry in self._context.collection.runs if self._context.name_of(entry) == name)
        return self._context.values(entry, self._context.measure)


def with_differences_covered(view_model: QueriesViewModel) -> QueriesViewModel:
    """Return the view model without the differences of the queries, in their order."""
    return replace(view_model, delta=np.full(len(view_model.delta), np.nan))


def with_query(view_model: QueriesViewModel, selected: int) -> QueriesViewModel:
    """Return the view model with another row selected, -1 for none."""
    bars = view_model.bars
    if bars.bars is not None:
        bars = replace(bars, bars=replace(bars.bars, selected=selected))
    return replace(view_model, selected=selected, bars=bars)


def build_queries_view_model(
    context: EvaluationContext,
    order: Order,
    query_id: str,
    columns: Sequence[str] = (),
    against: str = "baseline",
    brushed: frozenset[str] = frozenset(),
    attributes: Sequence[str] = (),
) -> QueriesViewModel:
    """The view model of the queries in ``order``, ``query_id`` selected; with ``columns`` of QUERY_COLUMNS, the bars
    against the "baseline" or the "median" of all runs, the ``brushed`` queries' bars marked, and ``attributes`` as
    columns."""
    rows = order.rows
    by_median = against == "median" and has_median(context)
    delta_title = median_label(context) if by_median else context.delta_label
    values = context.shown_values(rows)
    delta = context.delta[rows]
    heights = focus_from_median(context)[rows] if by_median else delta
    signed = delta if context.sides is context.delta else context.sides[rows]
    if by_median:
        signed = heights if context.measure.higher_is_better else -heights
    ids = in_order(context.query_ids, rows)
    selected = order.row_of(context.query_index.get(query_id, -1))
    notes = notes_of(context.collection).queries
    said = [notes.get(query, Note()) for query in ids] if notes else []
    entry = None if context.focus is None else context.collection.run(context.focus)
    if entry is None and context.shown_runs:
        entry = context.shown_runs[0]
    return QueriesViewModel(
        title=_title(context, len(rows)),
        note=_note(context),
        measure=str(context.measure),
        runs=context.shown_labels,
        query_ids=ids,
        texts=in_order(context.texts, rows) if context.collection.has_query_texts else ("",) * len(rows),
        relevant=frozen(context.known_relevant[rows]),
        values=frozen(values),
        delta=frozen(delta),
        spread=frozen(spread_of(context)[rows]),
        ends=_ends(context),
        selected=selected,
        sort=context.choices.queries_sort,
        filter=context.choices.queries_filter,
        filter_error=order.error,
        total=context.n_queries,
        better=int(np.count_nonzero(signed > EQUAL)),
        equal=int(np.count_nonzero(np.abs(signed) <= EQUAL)),
        worse=int(np.count_nonzero(signed < -EQUAL)),
        delta_note=context.delta_label,
        bars=differences_figure(
            heights,
            ids,
            selected,
            called(context, context.measure),
            delta_title,
            context.measure.higher_is_better,
            ratios=context.geometric,
            marked=np.fromiter((query_id in brushed for query_id in ids), np.bool_, len(ids)) if brushed else None,
        ),
        make_map=cache(partial(_map, context, entry, rows)),
        compute_cells=partial(_cells_by_query, context, entry),
        explanation=context.explanation or hidden_words(context),
        remarks=tuple(note_sign(note) for note in said),
        note_texts=tuple(note_text(note) for note in said),
        higher_is_better=context.measure.higher_is_better,
        counts=context.treated(context.measure).counts and not is_zscored(context, context.measure),
        taking_part=len(context.taking_part),
        field=_field(context, rows, columns),
        ratio=context.geometric,
        filter_grammar=with_attributes(QUERY_GRAMMAR, context.query_attributes),
        attributes=tuple(
            column for name in attributes if (column := attribute_column(context, name, rows)) is not None
        ),
    )


def _field(context: EvaluationContext, rows: Ints, columns: Sequence[str]) -> QueryField | None:
    """Return the statistics over all runs for the columns that are shown; None if none is."""
    seen = _seen(context, columns)
    statistics = field_of(context, pairs="agreement" in seen) if seen and len(context.taking_part) > 1 else None
    if statistics is None:
        return None
    pairs = "agreement" in seen
    nothing = frozen(np.full(len(rows), np.nan))
    return QueryField(
        seen,
        len(context.taking_part),
        frozen(focus_from_median(context).take(rows)) if has_median(context) else nothing,
        frozen(statistics.mean.take(rows)),
        frozen(statistics.difficulty.take(rows)),
        frozen(statistics.agreement.take(rows)) if pairs else nothing,
        frozen(statistics.discriminates.take(rows)) if pairs else frozen(np.zeros(len(rows), np.bool_)),
        frozen(statistics.separated.take(rows)) if pairs else nothing,
    )


def _title(context: EvaluationContext, shown: int) -> str:
    count = context.queries_text
    if shown != context.n_queries:
        count = tr("{shown:,} of {queries}", shown=shown, queries=count)
    return f"{count} · {called(context, context.measure)}" if context.judgments is not None else count


def _note(context: EvaluationContext) -> str:
    column, _ = context.choices.queries_sort
    if column == "delta":
        focus = context.labels[context.focus].name if context.focus is not None else ""
        by = f"{context.delta_word} {focus} {'÷' if context.geometric else '−'} ★" if focus else context.delta_word
    elif column in QUERY_COLUMNS:
        by = {
            "median": tr("ratio to the median") if context.geometric else tr("Δ to the median"),
            "mean": tr("mean of all runs"),
            "agreement": tr("agreement"),
        }[column]
    elif column.startswith(ATTRIBUTE):
        by = column.removeprefix(ATTRIBUTE)
    elif column in COLUMN_NAMES:
        by = COLUMN_NAMES[column]
    else:
        entry = context.collection.run(int(column)) if column.lstrip("-").isdigit() else None
        by = context.name_of(entry) if entry is not None else "query"
    return tr("sorted by {column} · Enter opens the query", column=by)


def _ends(context: EvaluationContext) -> tuple[float, float]:
    return shaded_ends(
        *(context.values(entry, context.measure) for entry in context.shown_runs),
        bounded=context.measure.bounded and not is_zscored(context, context.measure),
    )


def query_table_of(view_model: QueriesViewModel) -> Table:
    """Return the table of the shown runs in the order of the rows, as the view ``queries`` describes it. The columns of
    runs and of attributes are in the order of the view model, those of its field are the ones that are shown."""
    from irviewer.views.attributes import query_attribute_column
    from irviewer.views.queries import Queries, query_table

    runs, field = view_model.runs, view_model.field
    seen = () if field is None else field.columns
    focus = next((label.whole_name for label in runs if label.focus), "")
    attributes = [query_attribute_column(each.attribute, each.texts, each.numbers) for each in view_model.attributes]
    table = query_table(Queries(
        view_model.query_ids, view_model.texts if any(view_model.texts) else (), view_model.relevant,
        tuple(label.whole_name or label.name for label in runs), view_model.values.T, view_model.measure,
        view_model.higher_is_better, view_model.counts, view_model.ratio, view_model.ends, focus,
        next((label.whole_name for label in runs if label.baseline), ""), view_model.delta, view_model.taking_part,
        view_model.spread,
        from_median=field.median if field is not None and "median" in seen else None,
        mean=field.mean if field is not None and "mean" in seen else None,
        agreement=field.agreement if field is not None and "agreement" in seen else None,
        separates=field.discriminates if field is not None and "agreement" in seen else None,
        attributes=tuple(attributes),
    ))  # fmt: skip
    # A click selects a row, whose bars and map are beside the table; Enter opens it.
    return replace(table, opens="")


def _map(context: EvaluationContext, entry: RunEntry | None, rows: Ints) -> RelevanceMap | None:
    by_query = _cells_by_query(context, entry)
    if entry is None or by_query is None:
        return None
    # Whole rows are copied, which is quick; the transposed view of the same memory has a row per rank.
    return RelevanceMap(context.labels[entry.key], frozen(by_query[rows].T), context.max_grade)


def _cells_by_query(context: EvaluationContext, entry: RunEntry | None) -> Floats | None:
    """Return float64[E, depth], the map before it is ordered; None without lists or judgments."""
    evaluation_input = None if entry is None or context.judgments is None else context.list_input(entry)
    if entry is None or evaluation_input is None:
        return None
    depth = max(1, min(MAP_DEPTH, entry.run.depth))
    complete = context.complete

    def cells(judged: Judged) -> Floats:
        return _map_cells(judged, depth, complete)

    return context.evaluation.derived(evaluation_input, ("map", depth, complete), cells)


def _map_cells(judged: Judged, depth: int, complete: bool) -> Floats:
    cells = np.full((judged.n_queries, depth), 0.0 if complete else np.nan)
    cells[np.arange(depth) >= judged.returned[:, None]] = -np.inf
    hits = judged.listed_hits.to(depth)
    cells[hits.query, hits.rank - 1] = hits.grade
    return frozen(cells)
