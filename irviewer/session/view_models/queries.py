"""The Queries place: queries x shown runs for one measure, the difference bars and the relevance map in its order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.figures.differences import differences_figure
from irviewer.figures.figure import Figure
from irviewer.model.arrays import Bools, Floats, Ints, frozen, strings, values_of
from irviewer.model.judgments.judged import Judged
from irviewer.model.notes import Note
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.caveats import hidden_words
from irviewer.session.evaluation.context import Scene
from irviewer.session.evaluation.zscores import called, is_zscored
from irviewer.session.failures.query_statistics import field_of, focus_from_median, has_median, median_label
from irviewer.session.note_changes import remark_sign, remark_told, remarks_of
from irviewer.session.text.filter import Columns, FilterError, matches, parse_filter

QUERY_COLUMNS = {
    "median": "Δ from the median of all runs",
    "mean": "the mean over all runs: how hard the query is",
    "agreement": "whether the query tells good runs from bad ones",
}
"""Columns of what all runs say of a query by name, in the order of the table; a person chooses which to see."""


@dataclass(frozen=True, eq=False)
class QueryField:
    """What all runs say of the N queries, in the table's order; the ``columns`` of QUERY_COLUMNS that are to be seen.

    runs           how many runs that is
    median         float64[N]: focus minus the median of all runs; NaN for fewer than five runs
    mean           float64[N]: over all runs; ``difficulty`` float64[N] its rank among all queries, 0 the easiest,
                   1 the hardest
    agreement      float64[N]: Kendall's tau-a of the runs' order on the query with their order on the others
    discriminates  bool[N]: at least half of the pairs of runs differ, more of them as on the other queries
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
class RelevanceMap:
    """Queries x ranks of one run, a column a query in the table's order, rank downward.

    cells    float64[depth, N]: the grade, NaN where the qrels do not list the document, -inf where nothing was
             retrieved at this rank
    """

    run: RunLabel
    cells: Floats
    max_grade: float


@dataclass(frozen=True, eq=False)
class QueriesPage:
    """N queries in the order the person sees (sorted and filtered), S shown runs.

    query_ids, texts   N each
    relevant           int64[N]
    values             float64[N, S]
    delta              float64[N]: focus minus baseline, NaN without a pair
    spread             float64[N]: best minus worst of the shown runs
    heat               float64[N, S] in 0..1
    selected           the row of the selected query, -1 where the filter hides it
    sort               ("query", "text", "relevant", "delta", "spread", one of QUERY_COLUMNS or a run's key as text;
                       descending)
    better, equal, worse   counts of the bars' differences over the rows shown
    explanation        what is missing (no runs, no judgments), "" where nothing is
    remarks            what a person wrote about each, as signs, N or none; ``remarks_told`` in full
    higher_is_better   the measure's direction
    ratio              delta and spread (and the field's difference from the median) are natural logarithms of ratios,
                       which are shown: the measure's mean is geometric
    """

    title: str
    note: str
    measure: str
    runs: tuple[RunLabel, ...]
    query_ids: tuple[str, ...]
    texts: tuple[str, ...]
    relevant: Ints
    values: Floats
    delta: Floats
    spread: Floats
    heat: Floats
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
    map: RelevanceMap | None
    explanation: str = ""
    remarks: tuple[str, ...] = ()
    remarks_told: tuple[str, ...] = ()
    higher_is_better: bool = True
    field: QueryField | None = None
    ratio: bool = False

    def gain(self, row: int) -> float:
        """The difference of a row, positive where it is for the better; NaN without a pair."""
        delta = float(self.delta[row])
        return delta if self.higher_is_better else -delta


# Builds the Queries place's page from a scene: order, filter, differences, map. All by arrays, thousands of queries in
# milliseconds; draws nothing.

MAP_DEPTH = 100
"""Ranks that the relevance map shows at most: a screen has no more rows to give."""

EQUAL = 1e-9
COLUMN_NAMES = {
    "query": "query",
    "text": "text",
    "relevant": "relevant documents",
    "spread": "spread",
    "remarks": "notes",
}


@dataclass(frozen=True, eq=False)
class Order:
    """The queries in the order a person walks: ``rows`` int64[N] point into the scene's E queries."""

    rows: Ints
    error: str

    def row_of(self, place: int) -> int:
        """The row of a query, -1 where the filter hides it."""
        found = np.flatnonzero(self.rows == place)
        return int(found[0]) if len(found) else -1


def build_order(scene: Scene) -> Order:
    """Sorted and filtered as the scene's choices say; a filter that cannot be read hides nothing."""
    keep, error = _kept(scene)
    base = scene.natural_order
    base = base[keep[base]]
    column, descending = scene.choices.queries_sort
    if column == "query":
        return Order(base[::-1] if descending else base, error)
    if column == "text":
        texts = [scene.texts[place].casefold() for place in base]
        places = sorted(range(len(base)), key=texts.__getitem__, reverse=descending)
        return Order(base[np.array(places, dtype=np.int64)], error)
    values = _sort_values(scene, column)[base]
    keys = np.where(np.isnan(values), np.inf, -values if descending else values)
    return Order(base[np.argsort(keys, kind="stable")], error)


def _sort_values(scene: Scene, column: str) -> Floats:
    if column == "relevant":
        return scene.relevant.astype(np.float64)
    if column == "remarks":
        notes = remarks_of(scene.collection).queries
        return np.array([float(query in notes) for query in scene.query_ids])
    if column == "delta":
        return scene.delta
    if column == "spread":
        return scene.spread
    if column == "median":
        return focus_from_median(scene)
    if column in QUERY_COLUMNS:
        field = field_of(scene)
        return np.full(len(scene.query_ids), np.nan) if field is None else np.asarray(getattr(field, column))
    entry = scene.collection.run(int(column)) if column.lstrip("-").isdigit() else None
    return np.zeros(len(scene.query_ids)) if entry is None else scene.values(entry, scene.measure)


def _kept(scene: Scene) -> tuple[Bools, str]:
    everything = np.ones(len(scene.query_ids), dtype=np.bool_) if scene.within is None else scene.within
    if not scene.choices.queries_filter.strip():
        return everything, ""
    columns = Columns(
        scene.query_ids,
        scene.texts,
        scene.relevant,
        _as_shown(scene, scene.delta),
        _as_shown(scene, scene.spread),
        _ByName(scene),
        remarks_of(scene.collection).queries,
        lambda holds: _having(scene, holds),
    )
    try:
        return matches(parse_filter(scene.choices.queries_filter), columns) & everything, ""
    except FilterError as error:
        return everything, str(error)


def _as_shown(scene: Scene, differences: Floats) -> Floats:
    """Differences as they are written, so that a filter's numbers are those in sight: ratios where they are ratios."""
    return ratios(differences) if scene.geometric else differences


def _having(scene: Scene, holds: Callable[[Note], bool]) -> frozenset[str]:
    """The queries for which a document whose note holds was judged, or is in a shown run's list."""
    noted = [one for one, note in remarks_of(scene.collection).documents.items() if holds(note)]
    if not noted:
        return frozenset()
    wanted = strings(noted)
    found: set[str] = set()
    parts: list[Qrels | Run] = [entry.run for entry in scene.shown_runs]
    if scene.judgments is not None:
        parts.append(scene.judgments.qrels)
    for part in parts:
        rows = np.flatnonzero(values_of(pc.is_in(part.doc_ids, value_set=wanted)))
        places = np.unique(np.searchsorted(part.offsets, rows, side="right") - 1)
        found.update(part.query_ids[place] for place in places.tolist())
    return frozenset(found)


class _ByName(dict[str, Floats]):
    """Values of the runs by name, computed when a filter asks for one."""

    def __init__(self, scene: Scene) -> None:
        super().__init__({entry.name: np.empty(0) for entry in scene.collection.runs})
        self._scene = scene

    def __getitem__(self, name: str) -> Floats:
        entry = next(entry for entry in self._scene.collection.runs if entry.name == name)
        return self._scene.values(entry, self._scene.measure)


def build_queries(
    scene: Scene,
    order: Order,
    query_id: str,
    columns: Sequence[str] = (),
    against: str = "baseline",
    brushed: frozenset[str] = frozenset(),
) -> QueriesPage:
    """The page of the queries in ``order``, ``query_id`` selected; with ``columns`` of QUERY_COLUMNS, the bars against
    the "baseline" or the "median" of all runs and the ``brushed`` queries' bars marked."""
    rows = order.rows
    by_median = against == "median" and has_median(scene)
    told = median_label(scene) if by_median else scene.delta_label
    values = scene.shown_values[rows]
    delta = scene.delta[rows]
    heights = focus_from_median(scene)[rows] if by_median else delta
    signed = scene.sides[rows]
    if by_median:
        signed = heights if scene.measure.higher_is_better else -heights
    ids = tuple([scene.query_ids[place] for place in rows.tolist()])
    selected = order.row_of(scene.query_index.get(query_id, -1))
    notes = remarks_of(scene.collection).queries
    said = [notes.get(query, Note()) for query in ids] if notes else []
    entry = None if scene.focus is None else scene.collection.run(scene.focus)
    if entry is None and scene.shown_runs:
        entry = scene.shown_runs[0]
    return QueriesPage(
        title=_title(scene, len(rows)),
        note=_note(scene),
        measure=str(scene.measure),
        runs=scene.shown_labels,
        query_ids=ids,
        texts=tuple([scene.texts[place] for place in rows.tolist()]),
        relevant=frozen(scene.relevant[rows]),
        values=frozen(values),
        delta=frozen(delta),
        spread=frozen(scene.spread[rows]),
        heat=frozen(_heat(scene, values)),
        selected=selected,
        sort=scene.choices.queries_sort,
        filter=scene.choices.queries_filter,
        filter_error=order.error,
        total=scene.n_queries,
        better=int(np.count_nonzero(signed > EQUAL)),
        equal=int(np.count_nonzero(np.abs(signed) <= EQUAL)),
        worse=int(np.count_nonzero(signed < -EQUAL)),
        delta_note=scene.delta_label,
        bars=differences_figure(
            heights,
            ids,
            selected,
            called(scene, scene.measure),
            told,
            scene.measure.higher_is_better,
            ratios=scene.geometric,
            marked=np.fromiter((one in brushed for one in ids), np.bool_, len(ids)) if brushed else None,
        ),
        map=None if entry is None or scene.judgments is None else _map(scene, entry, rows),
        explanation=scene.explanation or hidden_words(scene),
        remarks=tuple(remark_sign(one) for one in said),
        remarks_told=tuple(remark_told(one) for one in said),
        higher_is_better=scene.measure.higher_is_better,
        field=_field(scene, rows, columns),
        ratio=scene.geometric,
    )


def _field(scene: Scene, rows: Ints, columns: Sequence[str]) -> QueryField | None:
    """What all runs say, of the columns that are to be seen; None where there is none to see."""
    seen = tuple(name for name in QUERY_COLUMNS if name in columns and (name != "median" or has_median(scene)))
    found = field_of(scene) if seen and len(scene.collection.runs) > 1 else None
    if found is None:
        return None
    return QueryField(
        seen,
        len(scene.collection.runs),
        frozen(focus_from_median(scene)[rows]),
        frozen(found.mean[rows]),
        frozen(found.difficulty[rows]),
        frozen(found.agreement[rows]),
        frozen(found.discriminates[rows]),
        frozen(found.separated[rows]),
    )


def _title(scene: Scene, shown: int) -> str:
    count = scene.queries_text
    if shown != scene.n_queries:
        count = f"{shown:,} of {count}"
    return f"{count} · {called(scene, scene.measure)}" if scene.judgments is not None else count


def _note(scene: Scene) -> str:
    column, _ = scene.choices.queries_sort
    if column == "delta":
        focus = scene.labels[scene.focus].name if scene.focus is not None else ""
        by = f"{scene.delta_word} {focus} {'÷' if scene.geometric else '−'} ★" if focus else scene.delta_word
    elif column in QUERY_COLUMNS:
        by = {
            "median": "ratio to the median" if scene.geometric else "Δ from the median",
            "mean": "mean of all runs",
            "agreement": "agreement",
        }[column]
    elif column in COLUMN_NAMES:
        by = COLUMN_NAMES[column]
    else:
        entry = scene.collection.run(int(column)) if column.lstrip("-").isdigit() else None
        by = entry.name if entry is not None else "query"
    return f"sorted by {by} · Enter opens the query"


def _heat(scene: Scene, values: Floats) -> Floats:
    """0..1 by value over the whole table, so that rows compare as columns do: a hard query is pale."""
    every = scene.shown_values
    finite = np.isfinite(every)
    if not finite.any():
        return np.zeros(values.shape)
    bounded = scene.measure.bounded and not is_zscored(scene, scene.measure)
    low = 0.0 if bounded else float(every[finite].min())
    high = 1.0 if bounded else float(every[finite].max())
    if high <= low:
        return np.zeros(values.shape)
    share = np.clip((np.nan_to_num(values, nan=low) - low) / (high - low), 0.0, 1.0)
    return share if scene.measure.higher_is_better else np.where(np.isnan(values), 0.0, 1.0 - share)


def _map(scene: Scene, entry: RunEntry, rows: Ints) -> RelevanceMap | None:
    pair = scene.pair(entry)
    if pair is None:
        return None
    depth = max(1, min(MAP_DEPTH, entry.run.depth))
    complete = scene.complete

    def cells(judged: Judged) -> Floats:
        return _map_cells(judged, depth, complete)

    by_query = scene.evaluation.derived(pair, ("map", depth, complete), cells)
    # Whole rows are copied, which is quick; the page wants ranks downward, which is the same memory turned.
    return RelevanceMap(scene.labels[entry.key], frozen(by_query[rows].T), scene.max_grade)


def _map_cells(judged: Judged, depth: int, complete: bool) -> Floats:
    """float64[E, depth]: the map before it is ordered."""
    cells = np.full((judged.n_queries, depth), 0.0 if complete else np.nan)
    cells[np.arange(depth) >= judged.returned[:, None]] = -np.inf
    hits = judged.listed_hits.to(depth)
    cells[hits.query, hits.rank - 1] = hits.grade
    return frozen(cells)
