"""Precision against recall: of one query for each run, or averaged over queries. Draws nothing and knows no colour."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from irviewer.figures.axes import TENTH_TICKS, UNIT_TICKS, mean_of
from irviewer.figures.figure import Axis, Curve, Figure, Guide, Role, corners
from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.recall_cuts import WORDS

# Lines of equal F1 in a plot of precision against recall: F = 2PR / (P + R), so P = FR / (2R - F).

LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
POINTS = 60


@cache
def iso_f_lines() -> tuple[Guide, ...]:
    """A line for each of LEVELS, from precision 1 to recall 1; the highest says what they are."""
    found = []
    for level in LEVELS:
        first = level / (2 - level)  # the recall that precision 1 wants, and the precision that recall 1 wants
        # Even steps in recall would leave the steep beginning with corners: the line is even in P / R's logarithm.
        ratio = np.exp(np.linspace(np.log(1 / first), np.log(first), POINTS))
        recall = level * (1 + ratio) / (2 * ratio)
        label = f"{level:.1f}".removeprefix("0")
        found.append(Guide(f"F1 = {label}" if level == LEVELS[-1] else label, frozen(recall), frozen(ratio * recall)))
    return tuple(found)


TITLE = "Precision–recall"
RAW = "P(k) at every rank k"
EXACT = WORDS["exact"]

RunCurve = tuple[Role, str, Floats, Floats]


def precision_recall_figure(
    curves: Sequence[RunCurve], n_relevant: int, ranks: Sequence[Ints | None] | None = None, *, raw: bool = False
) -> Figure:
    """Precision of one query by recall, interpolated.

    curves        (role, label, recall, precision), corners with recall ascending, each ending where its run ends
    n_relevant    R, the relevant documents of the query
    ranks         beside the curves, where each run's relevant documents stand (ascending, from 1): with them the
                  read-out counts the documents to read exactly, without them it says "at least"
    raw           the curves are not interpolated: a point a rank. The pointer then stands on the recalls that there
                  are, k of R, where a run's value is that of the rank at which it finds its k-th relevant document
    """
    given = ranks if ranks is not None else [None] * len(curves)
    made = []
    for (role, label, recall, precision), places in zip(curves, given, strict=True):
        x, y = corners(np.asarray(recall, dtype=np.float64), np.asarray(precision, dtype=np.float64))
        held = None if places is None else frozen(np.array(places, dtype=np.int64))
        ends = bool(len(x)) and float(x[-1]) < 1.0 - 1e-9
        made.append(Curve(role, label, frozen(x.copy()), frozen(y.copy()), ends_open=ends, ranks=held))
    step = 1 / n_relevant if raw and n_relevant else 0.01
    some_end = any(curve.ends_open for curve in made)
    return Figure(
        title=f"{TITLE}: {RAW if raw else EXACT}",
        x=Axis(f"Recall (of {n_relevant:,} relevant)", 0.0, 1.0, UNIT_TICKS, step=step),
        y=Axis("Precision", 0.0, 1.0, UNIT_TICKS, said=f"Precision: {RAW if raw else EXACT}"),
        curves=tuple(made),
        note="○ end of run" if some_end else "",
        reading="recall {x:.2f} ({n:,} of {of:,})",
        y_reading="{y:.2f}",
        quantity="precision",
        n_relevant=n_relevant,
    )


def averaged_precision_recall_figure(
    curves: Sequence[RunCurve], n_queries: int | tuple[int, int], rule: str = EXACT, step: float = 0.01
) -> Figure:
    """Interpolated precision at levels of recall (``step`` apart), its mean over ``n_queries`` queries ((fewest, most)
    where runs have their own); curves as (role, label, recall levels, mean precision). ``rule`` says in words what
    interpolated precision at recall r is."""
    return Figure(
        title=f"{TITLE}: {rule}",
        x=Axis("Recall", 0.0, 1.0, TENTH_TICKS, step=step),
        y=Axis(f"Precision: {rule}, {mean_of(n_queries)}", 0.0, 1.0, UNIT_TICKS),
        curves=run_curves(curves),
        note=mean_of(n_queries),
        reading="recall {x:.2f}",
        quantity="precision",
    )


def run_curves(curves: Sequence[RunCurve], last: float | None = None) -> tuple[Curve, ...]:
    """The curves with their corners only; with ``last``, those that stop before it end with an open ring."""
    made = []
    for role, label, x_all, y_all in curves:
        x, y = corners(np.asarray(x_all, dtype=np.float64), np.asarray(y_all, dtype=np.float64))
        ends = last is not None and bool(len(x)) and float(x[-1]) < last
        made.append(Curve(role, label, frozen(x.copy()), frozen(y.copy()), ends_open=ends))
    return tuple(made)
