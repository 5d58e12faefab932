"""F over precision and recall: the surface, its lines of equal F, and the way of a ranking over it, rank by rank.

F(beta) = (1 + beta²) P R / (beta² P + R), van Rijsbergen 1979; so P = F R / ((1 + beta²) R - beta² F) along a line."""

from __future__ import annotations

import numpy as np

from irviewer.figures.figure import Axis, Curve, Figure, Role
from irviewer.model.arrays import Floats, frozen
from irviewer.translation import decimal, tr

LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
POINTS = 60
TICKS = tuple((step / 5, f"{step / 5:.1f}" if step % 5 else f"{step // 5}") for step in range(6))


def f_measure(precision: Floats, recall: Floats, beta: float) -> Floats:
    """F of arrays of one shape; 0 where both are 0."""
    below = beta**2 * precision + recall
    return np.divide((1 + beta**2) * precision * recall, below, out=np.zeros_like(below), where=below > 0)


def f_grid(beta: float, size: int) -> Floats:
    """Return float64[size, size]: F in the middle of each cell; rows are precision from 1 down, columns recall from 0
    up."""
    middles = (np.arange(size) + 0.5) / size
    return f_measure(np.repeat(middles[::-1, None], size, 1), np.repeat(middles[None, :], size, 0), beta)


def iso_line(level: float, beta: float) -> tuple[Floats, Floats]:
    """(recall, precision) of points where F is ``level``, from precision 1 to recall 1."""
    least = level * beta**2 / (1 + beta**2 - level)  # the recall that precision 1 wants
    lowest = level / (1 + beta**2 - beta**2 * level)  # the precision that recall 1 wants
    # Even steps in recall would leave the steep beginning with corners: even in the logarithm of P / R.
    ratio = np.exp(np.linspace(np.log(1 / least), np.log(lowest), POINTS))
    recall = level * (beta**2 * ratio + 1) / ((1 + beta**2) * ratio)
    return frozen(recall), frozen(ratio * recall)


def f_figure(trail: Floats, key: int, name: str, beta: float, cutoff: int) -> Figure:
    """Return the lines, and the way of a ranking: ``trail`` float64[n, 2] is recall and precision down to each rank."""
    lines = tuple(
        Curve(Role("equal"), "F = " + decimal(f"{level:.1f}".removeprefix("0")), *iso_line(level, beta))
        for level in LEVELS
    )
    way = Curve(Role("run", key), name, frozen(trail[:, 0].copy()), frozen(trail[:, 1].copy()), ends_open=True)
    return Figure(
        tr("F{beta:g} by precision and recall", beta=beta),
        Axis(tr("Recall"), 0.0, 1.0, TICKS),
        Axis(tr("Precision"), 0.0, 1.0, TICKS),
        curves=(*lines, way),
        note=tr("β = {beta:g} · {run}, down to rank {cutoff}", beta=beta, run=name, cutoff=cutoff),
        reading="{x}",
        quantity=tr("precision"),
    )
