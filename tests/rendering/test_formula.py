"""Every measure's formula can be set; the pictures are whole and in the colour asked for."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from every import variants
from examples import a_part
from matplotlib.path import Path
from PIL import Image

from irviewer.measures.parser import parse_measure
from irviewer.measures.registry import families
from irviewer.rendering.formula import BREAK, MARGIN, STEP, _line, formula_picture, formula_png, outline

FORMULAS = {name: [measure.formula for measure in variants(family, 24)] for name, family in families().items()}
FORMULAS["expression"] = [parse_measure("sqrt(P@5 * R@20) / (2 + AP(rel=2)) - 11pt_avg").formula]


@pytest.mark.parametrize("name", a_part(FORMULAS, 7))
def test_every_formula_can_be_set(name: str) -> None:
    formulas = FORMULAS[name]
    parts = dict.fromkeys(part for formula in formulas for part in formula.split(BREAK))
    for formula in (formulas[0], *parts):
        drawn = outline(formula)
        assert drawn is not None, formula
        # Of all points, those that steer a curve too: no less than what is inked, and quicker found.
        points = drawn.path.vertices[drawn.path.codes != Path.CLOSEPOLY]
        assert (points.min(axis=0) > 0).all()
        assert (points.max(axis=0) < (drawn.width, drawn.height)).all()


def test_png() -> None:
    data = formula_png(r"\frac{1}{R}", "#ff0000", 20, 3)
    assert data is not None
    drawn = outline(r"\frac{1}{R}", 20)
    assert drawn is not None
    image = Image.open(io.BytesIO(data))
    assert image.size == tuple(int(np.ceil(side * 3)) for side in (drawn.width, drawn.height))
    pixels = np.asarray(image)
    inked = pixels[..., 3] > 200
    assert 0.02 < inked.mean() < 0.6
    assert (pixels[inked][:, :3] == (255, 0, 0)).all()
    assert pixels[0, 0, 3] == 0
    bar = inked.sum(axis=1)
    assert bar.max() > 0.85 * (image.width - 12), "the bar of the fraction, margins left out"


def test_what_is_no_formula() -> None:
    assert outline(r"\nosuchthing{") is None
    assert formula_png("") is None


def test_a_wide_formula_goes_on_in_another_line() -> None:
    formula = parse_measure("INST(T=2)").formula
    whole, broken = outline(formula), outline(formula, room=300)
    assert whole is not None
    assert broken is not None
    assert whole.width > 600
    assert broken.width <= 300
    assert broken.height > 1.5 * whole.height
    box = broken.path.get_extents()
    assert 0 < box.x0 < box.x1 < broken.width
    assert 0 < box.y0 < box.y1 < broken.height
    signs = sum(1 for _ in whole.path.iter_segments()), sum(1 for _ in broken.path.iter_segments())
    assert signs[0] == signs[1], "every sign is there, the commas at the ends of lines too"
    unbroken = outline(r"\frac{1}{R} \sum_{k} P(k)", room=10)
    assert unbroken is not None
    assert unbroken.width > 10


LONG = r"\frac{1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10}{11} = 5"


def test_a_formula_is_drawn_as_large_as_it_fits() -> None:
    whole = outline(LONG, 12.0)
    assert whole is not None
    for share in (1.2, 0.9, 0.75, 0.4):
        room = whole.width * share
        picture = formula_picture(LONG, "#000000", 12.0, 8.0, 1.0, room)
        assert picture.width == whole.width
        assert picture.png == formula_png(LONG, "#000000", picture.size, 1.0, room)
        sizes = [8.0 + STEP * number for number in range(17)]
        fitting = [size for size in sizes if whole.width * size / 12.0 <= room]
        assert picture.size == (fitting[-1] if fitting else 8.0)
    assert formula_picture(r"\nosuch{", "#000000", 12.0, 8.0, 1.0, 100.0).png is None


def test_threads_read_formulas_side_by_side() -> None:
    """mathtext has one parser, whose state two threads would mix."""
    texts = [rf"\frac{{{number}}}{{{number + 1}}} + \sum_{{i=1}}^{{{number}}} x_i" for number in range(24)]
    with ThreadPoolExecutor(4) as pool:
        pictures = list(pool.map(formula_png, texts))
    _line.cache_clear()
    assert pictures == [formula_png(text) for text in texts]


@pytest.mark.parametrize(("factor", "total"), [(r"\frac{1}{R}", r"\sum_{K=1}^{n}"), ("n", r"\max_{i \leq K}")])
def test_a_sum_has_a_space_before_it(factor: str, total: str) -> None:
    """1/R and the K = 1 below its sum are not read as an index of R."""
    whole, first, second = (outline(text) for text in (f"{factor} {total}", factor, total))
    assert whole is not None
    assert first is not None
    assert second is not None
    assert whole.width - first.width - second.width + 2 * MARGIN >= 12 / 6  # a thin space, a sixth of the size
