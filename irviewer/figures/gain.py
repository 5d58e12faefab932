"""Cumulated gain of one query by rank, for each run and the ideal ranking."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.figures.axes import nice_step, rank_ticks, ticks_between
from irviewer.figures.figure import IDEAL, Axis, Figure
from irviewer.figures.precision_recall import RunCurve, run_curves
from irviewer.model.arrays import Floats
from irviewer.translation import tr


def gain_figure(
    curves: Sequence[RunCurve],
    ideal: tuple[Floats, Floats],
    cutoff: int,
    depth: int,
    measure: str = "DCG",
    *,
    own_ideals: Sequence[RunCurve] = (),
    note: str = "",
) -> Figure:
    """Return ``measure`` accumulated over ranks 1 … ``depth``.

    curves    (role, label, ranks from 1, accumulated gain); one shorter than ``depth`` ends with an open ring
    ideal     (ranks, gain) of the ideal ranking; it continues level where it ends before ``depth``
    own_ideals   instead of ``ideal``, where each run has its own (of its retrieved documents); same form as curves
    note      a note about gain and discount
    cutoff    the position of the cursor; none where it is beyond ``depth``
    """
    depth = max(1, depth)
    within = [(role, label, *_up_to(x, y, depth)) for role, label, x, y in curves]
    ideals = [(IDEAL, tr("ideal of {run}", run=label), x, y) for _, label, x, y in own_ideals] or [
        (IDEAL, tr("ideal"), *ideal)
    ]
    best = [(role, label, *_level(*_up_to(x, y, depth), depth)) for role, label, x, y in ideals]
    all_curves = (*run_curves(within, last=depth), *run_curves(best))
    highest = max((float(np.nanmax(curve.y)) for curve in all_curves if len(curve.y)), default=0.0)
    step = nice_step(highest * 1.02, 4) if highest > 1e-9 else 0.25
    high = step * int(np.ceil(highest * 1.02 / step - 1e-9)) if highest > 1e-9 else 1.0
    some_end = any(curve.ends_open for curve in all_curves)
    return Figure(
        title=tr("{measure} by rank", measure=measure),
        x=Axis(tr("Rank"), 1.0, float(max(2, depth)), rank_ticks(depth), integer=True),
        y=Axis(measure, 0.0, high, ticks_between(0.0, high, step)),
        curves=all_curves,
        note=" · ".join(filter(None, (tr("dashed: ideal ranking"), tr("○ end of run") if some_end else "", note))),
        cursor=float(cutoff) if 1 <= cutoff <= depth else None,
        reading=tr("rank {x:.0f}"),
        quantity=measure,
    )


def _level(x: Floats, y: Floats, depth: int) -> tuple[Floats, Floats]:
    """Return the curve continued level to ``depth`` where it ends before."""
    return (np.append(x, float(depth)), np.append(y, y[-1])) if len(x) and x[-1] < depth else (x, y)


def _up_to(x: Floats, y: Floats, depth: int) -> tuple[Floats, Floats]:
    ranks, values = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    within = ranks <= depth
    return ranks[within], values[within]
