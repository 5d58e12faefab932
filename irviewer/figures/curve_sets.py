"""Curves of several runs by the name of their kind, as points and as a figure: what ``irviewer curves`` prints, draws.

Knows the model's curves and the figures, no files and no colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.errors import OptionError
from irviewer.figures.by_cutoff import by_cutoff_figure
from irviewer.figures.figure import Figure, Role
from irviewer.figures.gain import gain_figure
from irviewer.figures.precision_recall import averaged_precision_recall_figure, precision_recall_figure
from irviewer.model import curves
from irviewer.model.arrays import Floats, Ints
from irviewer.model.judged import Judged, judge
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

RunPoints = tuple[Role, str, Floats, Floats]


@dataclass(frozen=True, eq=False)
class CurveSet:
    """``header`` and ``rows``: run (or "ideal", or "run · measure"), x, y, a row a point; ``figure`` draws the same."""

    header: tuple[str, str, str]
    rows: list[tuple[str, float, float]]
    figure: Figure


@dataclass(frozen=True, eq=False)
class _Request:
    names: tuple[str, ...]
    judged: tuple[Judged, ...]
    place: int | None  # the evaluated query, None for the mean over all
    depth: int
    level: float


def curve_set(
    kind: str, qrels: Qrels, runs: Sequence[Run], query: str | None, depth: int, level: float = 1
) -> CurveSet:
    """The curves of ``kind`` (a key of ``KINDS``) of one query, or averaged over all where ``query`` is None.

    Raises OptionError where the qrels lack the query, or the kind has no mean over queries."""
    judged = tuple(judge(run, qrels) for run in runs)
    if query is not None and query not in qrels.query_index:
        raise OptionError(f"query {query} is not in the qrels")
    place = None if query is None else judged[0].query_index[query]
    make, needs_query = KINDS[kind]
    if needs_query and place is None:
        raise OptionError(f"--kind {kind} is of one query: give --query ID")
    return make(_Request(tuple(run.name for run in runs), judged, place, max(1, depth), level))


def _per_run(asked: _Request, points: Callable[[Judged], tuple[Floats | Ints, Floats]]) -> list[RunPoints]:
    found = []
    for number, (name, judged) in enumerate(zip(asked.names, asked.judged, strict=True)):
        x, y = points(judged)
        found.append((Role("run", number), name, np.asarray(x, dtype=np.float64), y))
    return found


def _rows(points: Sequence[RunPoints], whole_x: bool = False) -> list[tuple[str, float, float]]:
    rows: list[tuple[str, float, float]] = []
    for _, name, x, y in points:
        places = [int(one) for one in x] if whole_x else x.tolist()
        rows += zip([name] * len(places), places, y.tolist(), strict=True)
    return rows


def _pr(asked: _Request) -> CurveSet:
    place = asked.place
    if place is None:
        return _averaged(asked, 101)
    points = _per_run(asked, lambda judged: curves.interpolated(judged, place, asked.level))
    relevant = int(asked.judged[0].relevant_count(asked.level)[place])
    return CurveSet(("run", "recall", "precision"), _rows(points), precision_recall_figure(points, relevant))


def _pr_raw(asked: _Request) -> CurveSet:
    place = asked.place or 0
    points = _per_run(asked, lambda judged: curves.precision_recall(judged, place, asked.level))
    relevant = int(asked.judged[0].relevant_count(asked.level)[place])
    return CurveSet(("run", "recall", "precision"), _rows(points), precision_recall_figure(points, relevant))


def _averaged(asked: _Request, levels: int) -> CurveSet:
    points = _per_run(asked, lambda judged: curves.averaged_precision_recall(judged, asked.level, levels))
    figure = averaged_precision_recall_figure(points, asked.judged[0].n_queries)
    return CurveSet(("run", "recall", "precision"), _rows(points), figure)


def _pr11(asked: _Request) -> CurveSet:
    if asked.place is not None:
        raise OptionError("--kind pr11 is averaged over queries: leave --query out, or take --kind pr")
    return _averaged(asked, 11)


def _gain(asked: _Request, discounted: bool) -> CurveSet:
    name = "DCG" if discounted else "CG"
    place = asked.place
    if place is None:
        if not discounted:
            raise OptionError("--kind cg is of one query: give --query ID")
        points = _per_run(asked, lambda judged: curves.mean_gain_by_cutoff(judged, asked.depth))
        figure = by_cutoff_figure(points, 0, asked.judged[0].n_queries, name)
        return CurveSet(("run", "rank", name), _rows(points, whole_x=True), figure)
    points = _per_run(asked, lambda judged: curves.gain_accumulation(judged, place, asked.depth, discounted=discounted))
    rank, best = curves.ideal_accumulation(asked.judged[0], place, asked.depth, discounted=discounted)
    ideal = (np.asarray(rank, dtype=np.float64), best)
    figure = gain_figure(points, ideal, 0, asked.depth, name)
    rows = _rows([*points, (Role("ideal"), "ideal", *ideal)], whole_x=True)
    return CurveSet(("run", "rank", name), rows, figure)


def _dcg(asked: _Request) -> CurveSet:
    return _gain(asked, discounted=True)


def _cg(asked: _Request) -> CurveSet:
    return _gain(asked, discounted=False)


def _ndcg(asked: _Request) -> CurveSet:
    place, depth = asked.place, asked.depth
    if place is None:
        points = _per_run(asked, lambda judged: curves.mean_ndcg_by_cutoff(judged, depth))
        figure = by_cutoff_figure(points, 0, asked.judged[0].n_queries)
    else:
        points = _per_run(asked, lambda judged: curves.ndcg_by_cutoff(judged, place, depth))
        figure = by_cutoff_figure(points, 0, 1)
    return CurveSet(("run", "cutoff", "nDCG"), _rows(points, whole_x=True), figure)


def _prf(asked: _Request) -> CurveSet:
    place = asked.place or 0
    points = []
    for number, (name, judged) in enumerate(zip(asked.names, asked.judged, strict=True)):
        rank, values = curves.precision_recall_f_by_rank(judged, place, asked.depth, asked.level)
        for which, one in zip(("P", "R", "F"), values, strict=True):
            points.append((Role("run", number), f"{name} · {which}", np.asarray(rank, dtype=np.float64), one))
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
"""Kind -> how it is made, and whether it is of one query only."""
