"""Values of all pairs as a matrix: texts and shades of the cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, overload

import numpy as np

from irviewer.figures.figure import Axis, Figure, Matrix
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.translation import tr

P_STEPS = (0.05, 0.01, 0.001)
"""The cell of a p-value is a step darker below each of these."""


@dataclass(frozen=True, eq=False)
class WrittenRows(Sequence[tuple[str, ...]]):
    """The cells of ``values`` float64[n, m] as written, "" for NaN; a row is written when it is asked for. Most are
    never painted: 500 runs have 250,000 cells, without room for a number."""

    values: Floats
    written: Callable[[float], str]
    _known: dict[int, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, row: int) -> tuple[str, ...]: ...

    @overload
    def __getitem__(self, row: slice) -> tuple[tuple[str, ...], ...]: ...

    def __getitem__(self, row: int | slice) -> tuple[str, ...] | tuple[tuple[str, ...], ...]:
        if isinstance(row, slice):
            return tuple(self[each] for each in range(*row.indices(len(self))))
        place = range(len(self))[row]
        texts = self._known.get(place)
        if texts is None:
            texts = tuple("" if value != value else self.written(value) for value in self.values[place].tolist())
            self._known[place] = texts
        return texts

    def __reduce__(self) -> tuple[type[tuple[tuple[str, ...], ...]], tuple[tuple[tuple[str, ...], ...]]]:
        return tuple, (self[:],)  # how they are written is a function of this process


def matrix_figure(
    values: Floats,
    names: Sequence[str],
    groups: Ints,
    title: str,
    written: Callable[[float], str],
    *,
    shading: str = "likeness",
    low: float = 0.0,
    high: float = 1.0,
    selected: tuple[int, int] = (-1, -1),
    note: str = "",
    quantity: str = "",
    better_up: bool = True,
    full_names: Sequence[str] = (),
    grouped: str = "",
    held: Callable[[Floats], Floats] | None = None,
    shown: Bools | None = None,
    not_shown: str = "",
) -> Figure:
    """Return a square matrix of pairs.

    values    float64[n, n] in the order of ``names``
    shading   "likeness": darker from ``low`` to ``high``; "p": darker where it is small, in steps; "signed": by size,
              to two sides
    written   a value as text
    better_up False where a value below 0 is the better of the two sides
    held      converts values for saving and copying: logarithms to ratios
    full_names, grouped, shown, not_shown   see :class:`Matrix`"""
    n = len(names)
    off = ~np.eye(n, dtype=bool)
    if shading == "p":
        shade = sum((values < step).astype(np.float64) for step in P_STEPS) / len(P_STEPS)
        shade = np.where(np.isnan(values), 0.0, shade)
        key = [(0.0, f"p ≥ {written(P_STEPS[0])}")]
        key += [(number / len(P_STEPS), f"< {written(step)}") for number, step in enumerate(P_STEPS, 1)]
    elif shading == "signed":
        largest = float(np.nanmax(np.abs(values[off]), initial=0.0)) if n > 1 else 0.0
        shade = np.nan_to_num(values / largest) if largest > 0 else np.zeros((n, n))
        shade = shade if better_up else -shade
        worst = -largest if better_up else largest
        key = [
            (-1.0, tr("row worse, {value}", value=written(worst))),
            (0.0, tr("equal")),
            (1.0, tr("row better, {value}", value=written(-worst))),
        ]
        key = key if largest > 0 else key[1:2]
    else:
        present = values[off & np.isfinite(values)]
        # Where all runs are similar, the shades begin at the least similar pair.
        least = max(low, float(present.min())) if len(present) else low
        span = max(high - least, 1e-9)
        shade = np.clip(np.nan_to_num((values - least) / span), 0.0, 1.0)
        key = [(share, written(least + share * (high - least))) for share in (0.0, 0.5, 1.0)]
        key[0] = (0.0, f"{quantity or title} {key[0][1]}")
    cells = WrittenRows(frozen(values.copy()), written)
    return Figure(
        title=title,
        x=Axis("", 0.0, float(max(1, n)), ()),
        y=Axis("", 0.0, float(max(1, n)), ()),
        matrix=Matrix(
            frozen(values.copy() if held is None else held(values)), frozen(np.asarray(shade, dtype=np.float64)),
            tuple(names), cells, frozen(groups.copy()), shading == "signed", selected, tuple(full_names), tuple(key),
            grouped if _has_clusters(groups) else "", None if shown is None else frozen(shown),
            not_shown if shown is not None and bool((~shown & off & np.isfinite(values)).any()) else "",
        ),
        note=note,
        quantity=quantity or title,
    )  # fmt: skip


def as_before(figure: Figure | None, former: Figure | None) -> Figure | None:
    """Return the former figure of a matrix where the new one is the same to the last bit, so that what is known of it
    stays known: its texts, and how wide they are."""
    if figure is None or former is None or figure.matrix is None or former.matrix is None:
        return figure
    pairs = ((replace(figure, matrix=None), replace(former, matrix=None)), (figure.matrix, former.matrix))
    same = all(
        _same(getattr(now, each.name), getattr(before, each.name)) for now, before in pairs for each in fields(now)
    )
    return former if same else figure


def _same(now: Any, before: Any) -> bool:
    if isinstance(now, np.ndarray) and isinstance(before, np.ndarray):
        return (now.shape, now.dtype) == (before.shape, before.dtype) and now.tobytes() == before.tobytes()
    if isinstance(now, WrittenRows) and isinstance(before, WrittenRows):
        return now.written is before.written and _same(now.values, before.values)
    return type(now) is type(before) and bool(now == before)


def _has_clusters(groups: Ints) -> bool:
    """Return whether two or more rows, and not all of them, are of one cluster."""
    sizes = np.bincount(groups) if len(groups) else np.zeros(0, dtype=np.int64)
    return bool(np.any((sizes > 1) & (sizes < len(groups))))
