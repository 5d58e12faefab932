"""Precision–recall curves: of one query for each run, or averaged over queries."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from irviewer.figures.axes import TENTH_TICKS, UNIT_TICKS, mean_of
from irviewer.figures.figure import Axis, Curve, Figure, Guide, Role, corners
from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.recall_cuts import WORDS
from irviewer.translation import decimal, tr, trn

# Lines of equal F1 in a plot of precision against recall: F = 2PR / (P + R), so P = FR / (2R - F).

LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
POINTS = 60


def iso_f_lines() -> tuple[Guide, ...]:
    """Return a line for each of LEVELS, from precision 1 to recall 1; the highest has the name of the measure."""
    return tuple(
        Guide(("F1 = " if level == LEVELS[-1] else "") + decimal(f"{level:.1f}".removeprefix("0")), recall, precision)
        for level, recall, precision in _lines()
    )


@cache
def _lines() -> tuple[tuple[float, Floats, Floats], ...]:
    lines = []
    for level in LEVELS:
        first = level / (2 - level)  # the recall at precision 1, and the precision at recall 1
        # Even steps in recall would give the steep beginning visible corners, so steps are even in log(P / R).
        ratio = np.exp(np.linspace(np.log(1 / first), np.log(first), POINTS))
        recall = level * (1 + ratio) / (2 * ratio)
        lines.append((level, frozen(recall), frozen(ratio * recall)))
    return tuple(lines)


TITLE = tr("Precision–recall")
RAW = tr("P(k) at every rank k")
EXACT = WORDS["exact"]

RunCurve = tuple[Role, str, Floats, Floats]


def precision_recall_figure(
    curves: Sequence[RunCurve], n_relevant: int, ranks: Sequence[Ints | None] | None = None, *, raw: bool = False
) -> Figure:
    """Return interpolated precision of one query by recall.

    curves        (role, label, recall, precision), corners with recall ascending, each ending where its run ends
    n_relevant    R, the relevant documents of the query; -1 where it is not known
    ranks         for each curve the ranks of the run's relevant documents (ascending, from 1): with them the read-out
                  counts the documents to read exactly, without them it says "at least"
    raw           the curves are not interpolated,
    a point for each rank. The read-out then moves over the recalls k of R,
                  where the value of a run is that at the rank of its k-th relevant document
    """
    all_ranks = ranks if ranks is not None else [None] * len(curves)
    figure_curves = []
    for (role, label, recall, precision), run_ranks in zip(curves, all_ranks, strict=True):
        x, y = corners(np.asarray(recall, dtype=np.float64), np.asarray(precision, dtype=np.float64))
        frozen_ranks = None if run_ranks is None else frozen(np.array(run_ranks, dtype=np.int64))
        ends = bool(len(x)) and float(x[-1]) < 1.0 - 1e-9
        figure_curves.append(Curve(role, label, frozen(x.copy()), frozen(y.copy()), ends_open=ends, ranks=frozen_ranks))
    step = 1 / n_relevant if raw and n_relevant > 0 else 0.01
    known = n_relevant >= 0
    some_end = any(curve.ends_open for curve in figure_curves)
    return Figure(
        title=f"{TITLE}: {RAW if raw else EXACT}",
        x=Axis(
            trn("Recall (of {n:,} relevant)", "Recall (of {n:,} relevant)", n_relevant) if known else tr("Recall"),
            0.0,
            1.0,
            UNIT_TICKS,
            step=step,
        ),
        y=Axis(
            tr("Precision") if raw else tr("Interpolated precision"),
            0.0,
            1.0,
            UNIT_TICKS,
            column=tr("Precision: {rule}", rule=RAW if raw else EXACT),
        ),
        curves=tuple(figure_curves),
        note=tr("○ end of run") if some_end else "",
        reading=tr("recall {x:.2f} ({n:,} of {of:,})") if known else tr("recall {x:.2f}"),
        y_reading="{y:.2f}",
        quantity=tr("precision"),
        n_relevant=max(0, n_relevant),
    )


def averaged_precision_recall_figure(
    curves: Sequence[RunCurve | Curve], n_queries: int | tuple[int, int], rule: str = EXACT, step: float = 0.01
) -> Figure:
    """Return mean interpolated precision at recall levels ``step`` apart, over ``n_queries`` queries ((fewest, most)
    where runs have different ones); curves as for :func:`run_curves`, of recall levels and mean precision. ``rule`` is
    the definition of interpolated precision in words."""
    return Figure(
        title=f"{TITLE}: {rule}",
        x=Axis(tr("Recall"), 0.0, 1.0, TENTH_TICKS, step=step),
        y=Axis(
            tr("Interpolated precision: {rule}, {mean}", rule=rule, mean=mean_of(n_queries)),
            0.0,
            1.0,
            UNIT_TICKS,
            column=tr("Precision: {rule}, {mean}", rule=rule, mean=mean_of(n_queries)),
        ),
        curves=run_curves(curves),
        note=mean_of(n_queries),
        reading=tr("recall {x:.2f}"),
        quantity=tr("precision"),
    )


def run_curves(curves: Sequence[RunCurve | Curve], last: float | None = None) -> tuple[Curve, ...]:
    """Return the curves with their corners only; those that end before ``last`` end with an open ring. A curve that is
    given as such is taken as it is."""
    results = []
    for curve in curves:
        if not isinstance(curve, Curve):
            role, label, x_all, y_all = curve
            x, y = drawn_corners(x_all, y_all)
            ends = last is not None and bool(len(x)) and float(x[-1]) < last
            curve = Curve(role, label, x, y, ends_open=ends)
        results.append(curve)
    return tuple(results)


def drawn_corners(x: Floats | Ints, y: Floats) -> tuple[Floats, Floats]:
    """Return the corners of a line, as a curve holds them."""
    x, y = corners(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64))
    return frozen(x.copy()), frozen(y.copy())
