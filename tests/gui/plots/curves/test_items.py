"""The paths that are kept from one figure to the next against those made anew."""

import numpy as np
import pyqtgraph as pg

from irviewer.figures.figure import Curve, Role
from irviewer.gui.plots.curves.items import Paths
from irviewer.model.arrays import Floats, frozen


def test_paths_are_those_made_anew_whichever_curves_have_changed() -> None:
    random = np.random.default_rng(1)

    def points() -> tuple[Floats, Floats]:
        y = random.random(5)
        y[random.integers(0, 8) :] = np.nan
        return frozen(np.sort(random.random(5))), frozen(y)

    paths, lines, kept = Paths(), [points() for _ in range(4)], 0
    for _ in range(30):
        former = {id(y): path for (_, y), path in zip(lines, paths.of(_curves(lines)), strict=True)}
        lines = [line if random.random() < 0.6 else points() for line in lines]
        lines = [lines[place] for place in random.permutation(len(lines))][: random.integers(1, 5)]
        lines += [points() for _ in range(4 - len(lines))]
        for (x, y), path in zip(lines, paths.of(_curves(lines)), strict=True):
            assert path == pg.arrayToQPath(x, y, connect="finite")
            kept += path is former.get(id(y))
    assert kept


def _curves(lines: list[tuple[Floats, Floats]]) -> list[Curve]:
    return [Curve(Role("run", place), str(place), x, y) for place, (x, y) in enumerate(lines)]
