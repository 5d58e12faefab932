"""Curves of several runs by the name of their kind, as points and as a figure, for ``irviewer curves``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from irviewer.errors import OptionError
from irviewer.evaluation import curves
from irviewer.evaluation.answer_cautions import why_no_curves
from irviewer.evaluation.bound_measure import treat
from irviewer.evaluation.curves import gain_rows, ndcg_rows, precision_recall_rows
from irviewer.evaluation.evaluate import Joined
from irviewer.figures.curve_bands import BandOptions, banded
from irviewer.figures.figure import Figure, Role
from irviewer.figures.gain import gain_figure
from irviewer.figures.measure_by_cutoff import by_cutoff_figure
from irviewer.figures.precision_recall import averaged_precision_recall_figure, precision_recall_figure
from irviewer.measures.gains import LOG2, GainRule
from irviewer.measures.parser import parse_measure
from irviewer.model.arrays import Floats, Ints
from irviewer.model.dialects import DEFAULT, Dialect, dialect_of
from irviewer.model.exported import Exported
from irviewer.model.judgments.judged import Judged, restricted
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.recall_cuts import KEYS, WORDS
from irviewer.model.run import Run
from irviewer.translation import tr

RunPoints = tuple[Role, str, Floats, Floats]


@dataclass(frozen=True, eq=False, repr=False)
class CurveSet(Exported):
    """``header`` and ``rows``: run (or "ideal", or "run · measure"), x, y, a row a point; ``figure`` draws the same.
    ``kind``, ``query`` and ``depth`` are what was asked for."""

    header: tuple[str, str, str]
    rows: list[tuple[str, float, float]]
    figure: Figure
    kind: str = ""
    query: str | None = None
    depth: int = 0

    @property
    def table(self) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
        """Header and rows, with the ends of the band where there are bands."""
        if not self.figure.bands:
            return self.header, list(self.rows)
        ends = [pair for band in self.figure.bands for pair in zip(*(ends.tolist() for ends in band.ends), strict=True)]
        rows = zip(self.rows, ends, strict=True)
        return (*self.header, "low", "high"), [(*row, *pair) for row, pair in rows]


@dataclass(frozen=True, eq=False)
class _Request:
    names: tuple[str, ...]
    judged: tuple[Judged, ...]
    place: int | None  # the evaluated query, None for the mean over all
    depth: int
    level: float
    rule: GainRule
    cut: str

    @property
    def counted(self) -> tuple[int, int]:
        """How many queries the means are over: the fewest of a run, the most."""
        numbers = [run.n_queries for run in self.judged]
        return min(numbers), max(numbers)


def curve_set(
    kind: str,
    qrels: Qrels,
    runs: Sequence[Run],
    query: str | None,
    depth: int,
    level: float = 1,
    dialect: str | Dialect = DEFAULT,
    bands: BandOptions | None = None,
) -> CurveSet:
    """Return the curves of ``kind`` (a key of ``KINDS``) of one query, or averaged over all where ``query`` is None; by
    the rules of a tool, so that they pass through the values that it gives ("pr11" alone: interpolated precision by
    recall is max P(k) with R(k) ≥ r elsewhere, by whatever rules); averaged ones with ``bands`` where they are asked
    for.

    Raises OptionError where only nuggets are known, the qrels lack the query, the kind has no mean over queries, or
    bands are asked for of one query."""
    if why := why_no_curves(qrels):
        raise OptionError(why)
    rules = dialect_of(dialect)
    asked = parse_measure({"pr": "11pt_avg", "pr-raw": "11pt_avg", "pr11": "11pt_avg", "prf": "P@10"}.get(kind, "nDCG"))
    treated = treat(rules, asked, level=level, max_grade=qrels.max_grade)
    measure = treated.measure
    rule, cut = LOG2, "exact"
    if asked.family.name == "nDCG":
        rule = GainRule(**{name: measure.parameter(name) for name in ("dcg", "base", "gains", "rel", "ideal")})
    elif kind == "pr11":  # a table's eleven numbers, as its tool makes them; what is drawn follows the definition
        cut = str(measure.parameter("cut"))
    options = EvaluationOptions(level, missing="zero", dialect=replace(rules, unanswerable="zero"))
    judged = tuple(Joined(run, qrels, options).under(treated.join_options) for run in runs)
    if asked.family.name == "nDCG" and measure.parameter("judged_only"):
        judged = tuple(run_judged.judged_only for run_judged in judged)
    if query is None:
        judged = tuple(_counting(run_judged, rules) for run_judged in judged)
    if query is not None and query not in qrels.query_index:
        raise OptionError(tr("query {query} is not in the qrels", query=query))
    position = None if query is None else judged[0].query_index[query]
    make, needs_query = KINDS[kind]
    if needs_query and position is None:
        raise OptionError(tr("--kind {kind} is for one query: add --query ID", kind=kind))
    if bands is not None and (needs_query or position is not None):
        raise OptionError(tr("bands are for curves averaged over queries: leave out --query or --bands"))
    request = _Request(tuple(run.name for run in runs), judged, position, max(1, depth), level, rule, cut)
    curves = replace(make(request), kind=kind, query=query, depth=request.depth)
    return curves if bands is None else _banded(curves, kind, request, bands)


def _banded(curves: CurveSet, kind: str, request: _Request, bands: BandOptions) -> CurveSet:
    """Return the averaged curves with a band around each."""

    def rows(judged: Judged) -> Floats:
        if kind in ("pr", "pr11"):
            return precision_recall_rows(judged, request.level, 101 if kind == "pr" else 11, request.cut)
        return (gain_rows if kind == "dcg" else ndcg_rows)(judged, request.depth, request.rule)

    xs = [np.array([x for name, x, _ in curves.rows if name == run], dtype=np.float64) for run in request.names]
    finders = [partial(rows, judged) for judged in request.judged]
    return replace(curves, figure=banded(curves.figure, curves.figure.curves, xs, finders, bands))


def _counting(judged: Judged, rules: Dialect) -> Judged:
    """Return the queries that count in a mean by the rules."""
    counts = np.ones(judged.n_queries, dtype=np.bool_)
    if EvaluationOptions(dialect=rules).missing_policy == "intersection":
        counts &= judged.in_run
    if rules.unanswerable == "drop":
        counts &= judged.relevant_count() > 0
    return judged if counts.all() else restricted(judged, counts)


def _per_run(request: _Request, points: Callable[[Judged], tuple[Floats | Ints, Floats]]) -> list[RunPoints]:
    points_of_runs = []
    for number, (name, judged) in enumerate(zip(request.names, request.judged, strict=True)):
        x, y = points(judged)
        points_of_runs.append((Role("run", number), name, np.asarray(x, dtype=np.float64), y))
    return points_of_runs


def _rows(points: Sequence[RunPoints], whole_x: bool = False) -> list[tuple[str, float, float]]:
    rows: list[tuple[str, float, float]] = []
    for _, name, x, y in points:
        places = [int(value) for value in x] if whole_x else x.tolist()
        rows += zip([name] * len(places), places, y.tolist(), strict=True)
    return rows


def _pr(request: _Request) -> CurveSet:
    query = request.place
    if query is None:
        return _averaged(request, 101)
    points = _per_run(request, lambda judged: curves.interpolated(judged, query, request.level))
    relevant = int(request.judged[0].relevant_count(request.level)[query])
    return CurveSet(("run", "recall", _headed("exact")), _rows(points), precision_recall_figure(points, relevant))


def _pr_raw(request: _Request) -> CurveSet:
    query = request.place or 0
    points = _per_run(request, lambda judged: curves.precision_recall(judged, query, request.level))
    relevant = int(request.judged[0].relevant_count(request.level)[query])
    figure = precision_recall_figure(points, relevant, raw=True)
    return CurveSet(("run", "recall", "precision"), _rows(points), figure)


def _headed(cut: str) -> str:
    """Return the heading of interpolated precision with its rule, as two rules give different numbers; it is the
    English key of files of data."""
    return f"precision: {KEYS[cut]}"


def _averaged(request: _Request, levels: int) -> CurveSet:
    points = _per_run(
        request, lambda judged: curves.averaged_precision_recall(judged, request.level, levels, cut=request.cut)
    )
    figure = averaged_precision_recall_figure(points, request.counted, WORDS[request.cut], 1 / (levels - 1))
    return CurveSet(("run", "recall", _headed(request.cut)), _rows(points), figure)


def _pr11(request: _Request) -> CurveSet:
    if request.place is not None:
        raise OptionError(tr("--kind pr11 is averaged over queries: leave out --query, or use --kind pr"))
    return _averaged(request, 11)


def _gain(request: _Request, discounted: bool) -> CurveSet:
    name = "DCG" if discounted else "CG"
    query = request.place
    if query is None:
        if not discounted:
            raise OptionError(tr("--kind {kind} is for one query: add --query ID", kind="cg"))
        points = _per_run(request, lambda judged: curves.mean_gain_by_cutoff(judged, request.depth, request.rule))
        figure = by_cutoff_figure(points, 0, request.counted, name)
        return CurveSet(("run", "rank", name), _rows(points, whole_x=True), figure)

    def gained(judged: Judged) -> tuple[Ints, Floats]:
        return curves.gain_accumulation(judged, query, request.depth, request.rule, discounted=discounted)

    def best(judged: Judged) -> tuple[Ints, Floats]:
        return curves.ideal_accumulation(judged, query, request.depth, request.rule, discounted=discounted)

    points, ideals = _per_run(request, gained), _per_run(request, best)
    # What the qrels hold is the same for every run; what each retrieved is its own.
    own_ideals = ideals if request.rule.ideal == "retrieved" and len(ideals) > 1 else []
    figure = gain_figure(points, ideals[0][2:], 0, request.depth, name, own_ideals=own_ideals)
    ideal_points = [
        (Role("ideal"), f"ideal of {label}" if own_ideals else "ideal", x, y)
        for _, label, x, y in own_ideals or ideals[:1]
    ]
    rows = _rows([*points, *ideal_points], whole_x=True)
    return CurveSet(("run", "rank", name), rows, figure)


def _dcg(request: _Request) -> CurveSet:
    return _gain(request, discounted=True)


def _cg(request: _Request) -> CurveSet:
    return _gain(request, discounted=False)


def _ndcg(request: _Request) -> CurveSet:
    query, depth = request.place, request.depth
    if query is None:
        points = _per_run(request, lambda judged: curves.mean_ndcg_by_cutoff(judged, depth, request.rule))
        figure = by_cutoff_figure(points, 0, request.counted)
    else:
        points = _per_run(request, lambda judged: curves.ndcg_by_cutoff(judged, query, depth, request.rule))
        figure = by_cutoff_figure(points, 0, 1)
    return CurveSet(("run", "cutoff", "nDCG"), _rows(points, whole_x=True), figure)


def _prf(request: _Request) -> CurveSet:
    query = request.place or 0
    points = []
    for number, (name, judged) in enumerate(zip(request.names, request.judged, strict=True)):
        rank, values = curves.precision_recall_f_by_rank(judged, query, request.depth, request.level)
        for letter, letter_values in zip(("P", "R", "F"), values, strict=True):
            points.append(
                (Role("run", number), f"{name} · {letter}", np.asarray(rank, dtype=np.float64), letter_values)
            )
    figure = by_cutoff_figure(points, 0, 1, "P, R, F")
    return CurveSet(("run", "rank", "value"), _rows(points, whole_x=True), figure)


KINDS: dict[str, tuple[Callable[[_Request], CurveSet], bool]] = {
    "pr": (_pr, False),
    "pr-raw": (_pr_raw, True),
    "pr11": (_pr11, False),
    "dcg": (_dcg, False),
    "cg": (_cg, True),
    "ndcg": (_ndcg, False),
    "prf": (_prf, True),
}
"""Kind -> function, and whether it is for one query only."""
