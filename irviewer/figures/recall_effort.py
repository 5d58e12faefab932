"""Recall against documents read: runs below the perfect order and, where the size of the collection is known, beside a
random one, with a line where reading stops. Draws nothing, knows no colour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.figures.axes import UNIT_TICKS, rank_ticks
from irviewer.figures.figure import EQUAL, IDEAL, Axis, Curve, Figure, Role
from irviewer.model.arrays import Floats, frozen
from irviewer.translation import tr

ReadCurve = tuple[Role, str, Floats, Floats]


def recall_effort_figure(
    curves: Sequence[ReadCurve], relevant: int, size: int | None, last: int, stop: int, *, subject: str = ""
) -> Figure:
    """Recall after 0 … ``last`` documents read, of those of one query.

    curves    (role, label, documents read, recall), staircases; one that ends before ``last`` ends with an open ring
    relevant  relevant documents, for the perfect order
    size      all documents of the collection, for the random order; None where that is not known: no such line
    stop      the position of the line
    """
    last = max(1, last)
    all_curves = []
    for role, label, x, y in curves:
        ends = bool(len(x)) and float(x[-1]) < last
        all_curves.append(Curve(role, label, frozen(x), frozen(y), ends_open=ends))
    if relevant:
        corner = min(relevant, last)
        x, y = np.array([0.0, corner, last]), np.array([0.0, corner / relevant, corner / relevant])
        all_curves.append(Curve(IDEAL, tr("perfect order"), frozen(x), frozen(y)))
        if size:
            x, y = np.array([0.0, float(last)]), np.array([0.0, min(1.0, last / size)])
            all_curves.append(Curve(EQUAL, tr("random order"), frozen(x), frozen(y)))
    return Figure(
        title=tr("Recall by documents read"),
        x=Axis(tr("Documents read"), 0.0, float(last), ((0.0, "0"), *rank_ticks(last)[1:]), integer=True),
        y=Axis(tr("Recall"), 0.0, 1.0, UNIT_TICKS),
        curves=tuple(all_curves),
        note=tr("dashed: perfect order · grey: random order") if size else tr("dashed: perfect order"),
        cursor=float(min(stop, last)),
        reading=tr("{x:,.0f} read"),
        quantity=tr("recall"),
        n_relevant=relevant,
        subject=subject,
    )
