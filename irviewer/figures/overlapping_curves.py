"""Stretches on which curves of a figure coincide, so that all of them can be drawn visibly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from irviewer.figures.figure import Curve
from irviewer.model.arrays import Bools, Floats

MOST = 24
"""With more curves than these, those that coincide are drawn one over the other: dashes of so many colours in turn tell
nobody anything, and take longer than all curves."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """A polyline ``x``, ``y`` that the curves at ``places`` (two or more, ascending) share: draw it once for each of
    them, in turns, a dash each."""

    places: tuple[int, ...]
    x: Floats
    y: Floats


def shared_stretches(curves: Sequence[Curve], tolerance: float) -> tuple[Stretch, ...]:
    """Return the stretches on which curves differ by less than ``tolerance`` (about a pixel, in units of y); none of
    more than MOST curves."""
    positions = [i for i, curve in enumerate(curves) if len(curve.x) > 1]
    if not 2 <= len(positions) <= MOST:
        return ()
    grid = np.unique(np.concatenate([curves[i].x for i in positions]))
    if len(grid) < 2:
        return ()
    width = np.diff(grid)
    # No curve has a corner between two neighbours of the grid, so two inner points tell the whole line there.
    inner = grid[:-1] + 0.25 * width, grid[:-1] + 0.75 * width
    values = [np.interp(x, curves[i].x, curves[i].y, left=np.nan, right=np.nan) for x in inner for i in positions]
    early, late = np.reshape(values, (2, len(positions), len(width)))
    leader = _leaders(early, late, tolerance)
    slope = 2 * (late - early)
    begin, end = early - 0.25 * slope, early + 0.75 * slope
    segments = []
    for k in range(len(positions)):
        members = leader == k
        shared = members.sum(axis=0) > 1
        if not shared.any():
            continue
        changes = np.flatnonzero(np.any(members[:, 1:] != members[:, :-1], axis=0)) + 1
        bounds = [0, *changes.tolist(), len(width)]
        for start, stop in pairwise(bounds):
            if shared[start]:
                held = np.flatnonzero(members[:, start])
                x = np.column_stack((grid[start:stop], grid[start + 1 : stop + 1])).ravel()
                y = np.column_stack((begin[k, start:stop], end[k, start:stop])).ravel()
                # A step that these curves take together belongs to them, though others leave or join there.
                if start > 0 and _together(leader[held, start - 1]):
                    x, y = np.append(grid[start], x), np.append(end[held[0], start - 1], y)
                if stop < len(width) and _together(leader[held, stop]):
                    x, y = np.append(x, grid[stop]), np.append(y, begin[held[0], stop])
                segments.append(Stretch(tuple([positions[j] for j in held]), x, y))
    return tuple(segments)


def _together(leaders: Floats) -> bool:
    return bool(leaders[0] >= 0 and np.all(leaders == leaders[0]))


def _leaders(early: Floats, late: Floats, tolerance: float) -> Floats:
    """[C, K]: the first curve that each curve lies on in each interval (itself where it lies on none); -1 outside."""
    leader = np.where(np.isfinite(early + late), np.arange(len(early))[:, None], -1).astype(np.float64)
    free: Bools = leader >= 0
    for i in range(len(early) - 1):
        near = free[i] & free[i + 1 :]
        near &= np.abs(early[i + 1 :] - early[i]) < tolerance
        near &= np.abs(late[i + 1 :] - late[i]) < tolerance
        leader[i + 1 :][near] = i
        free[i + 1 :][near] = False
    return leader
