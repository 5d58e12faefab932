"""The matrix of all pairs: shades by likeness, by steps of p, to two sides."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from irviewer.figures.figure import Figure
from irviewer.figures.matrix import as_before, matrix_figure
from irviewer.model.arrays import Floats
from irviewer.model.number_text import quantity
from irviewer.rendering.palette import PALETTES
from irviewer.rendering.styles import matrix_colours, matrix_key

NO_GROUPS = np.zeros(3, dtype=np.int64)
NAN = float("nan")


def shades(values: list[list[float]], **how: object) -> np.ndarray:
    figure = matrix_figure(np.array(values), ["a", "b", "c"], NO_GROUPS, "t", str, **how)  # type: ignore[arg-type]
    assert figure.matrix is not None
    return figure.matrix.shade


def test_similarity_is_distinguished_above_the_least_similar_pair() -> None:
    shade = shades([[1, 0.9, 0.5], [0.9, 1, 0.7], [0.5, 0.7, 1]])
    assert shade[0, 2] == 0
    np.testing.assert_allclose([shade[0, 1], shade[1, 2], shade[0, 0]], [0.8, 0.4, 1.0])


def test_p_values_have_steps_and_missing_ones_none() -> None:
    shade = shades([[NAN, 0.2, 0.03], [0.2, NAN, 0.0001], [0.03, 0.0001, NAN]], shading="p")
    np.testing.assert_allclose([shade[0, 1], shade[0, 2], shade[1, 2], shade[0, 0]], [0, 1 / 3, 1, 0])


def test_differences_go_to_two_sides() -> None:
    shade = shades([[NAN, 0.2, -0.1], [-0.2, NAN, 0.0], [0.1, 0.0, NAN]], shading="signed")
    np.testing.assert_allclose([shade[0, 1], shade[1, 0], shade[0, 2], shade[1, 2]], [1, -1, -0.5, 0])


def test_cells_without_a_value_have_no_text() -> None:
    figure = matrix_figure(np.array([[NAN, 0.5], [0.5, NAN]]), ["a", "b"], NO_GROUPS[:2], "t", "{:.2f}".format)
    assert figure.matrix is not None
    assert tuple(figure.matrix.texts) == (("", "0.50"), ("0.50", ""))


def test_cells_are_written_when_they_are_read() -> None:
    """500 runs have 250,000 cells, which no window has room for."""
    values, asked = np.arange(250_000.0).reshape(500, 500), []

    def written(value: float) -> str:
        asked.append(value)
        return f"{value:g}"

    figure = matrix_figure(values, ["run"] * 500, np.arange(500), "t", written)
    assert figure.matrix is not None
    assert len(asked) < 10  # the key
    assert figure.matrix.texts[2][3] == "1003"
    assert figure.matrix.texts[-1][-1] == "249999"
    assert len(asked) < 2000
    some = replace(figure.matrix, texts=figure.matrix.texts[:2])
    assert [row[1] for row in some.texts] == ["1", "501"]


def test_a_matrix_can_be_pickled_with_its_texts() -> None:
    figure = matrix_figure(np.array([[NAN, 0.5], [0.5, NAN]]), ["a", "b"], NO_GROUPS[:2], "t", lambda v: f"{v:.1f}")
    assert figure.matrix is not None
    assert pickle.loads(pickle.dumps(figure.matrix)).texts == (("", "0.5"), ("0.5", ""))


def test_one_or_no_run_is_no_fault() -> None:
    for n in (0, 1):
        for shading in ("likeness", "p", "signed"):
            figure = matrix_figure(np.full((n, n), NAN), ["a"][:n], NO_GROUPS[:n], "t", str, shading=shading)
            assert figure.matrix is not None
            assert figure.matrix.shade.shape == (n, n)


def test_the_key_of_similarity_goes_from_the_least_similar_pair_to_the_same() -> None:
    values = np.array([[1.0, 0.5, 0.7], [0.5, 1.0, 0.6], [0.7, 0.6, 1.0]])
    figure = matrix_figure(values, ["a", "b", "c"], np.arange(3), "RBO of runs", "{:.2f}".format, quantity="RBO")
    assert figure.matrix is not None
    assert figure.matrix.key == ((0.0, "RBO 0.50"), (0.5, "0.75"), (1.0, "1.00"))
    assert figure.matrix.shade[0, 1] == 0
    assert figure.matrix.shade[0, 0] == 1


def test_a_difference_that_the_test_does_not_show_is_grey() -> None:
    values = np.array([[NAN, 0.2, -0.1], [-0.2, NAN, 0.1], [0.1, -0.1, NAN]])
    shown = np.array([[False, True, False], [True, False, False], [False, False, False]])
    figure = matrix_figure(
        values, ["a", "b", "c"], NO_GROUPS, "t", str, shading="signed", shown=shown, not_shown="not shown"
    )
    assert figure.matrix is not None
    for palette in PALETTES.values():
        colours = matrix_colours(palette, figure.matrix).astype(int)
        tested = matrix_colours(palette, replace(figure.matrix, shown=None)).astype(int)
        assert (colours[shown] == tested[shown]).all()
        panel, grey = (
            np.array([int(text[i : i + 2], 16) for i in (1, 3, 5)]) for text in (palette.panel, palette.muted)
        )
        for row, column in ((0, 2), (1, 2), (2, 0), (2, 1)):
            cell = colours[row, column]
            low, high = np.minimum(panel, grey) - 1, np.maximum(panel, grey) + 1
            assert (cell >= low).all() and (cell <= high).all(), "between the ground and grey"
            assert (cell != tested[row, column]).any()
        assert (colours[0, 2] == colours[2, 0]).all()  # neither good nor bad
        assert [words for _, words in matrix_key(palette, figure.matrix)][-1] == "not shown"
    every = matrix_figure(
        values, ["a", "b", "c"], NO_GROUPS, "t", str, shading="signed", shown=~np.eye(3, dtype=bool), not_shown="x"
    )
    assert every.matrix is not None and every.matrix.not_shown == ""


def test_a_former_figure_stands_for_one_that_is_the_same() -> None:
    values = np.array([[np.nan, 0.5, -0.5], [-0.5, np.nan, 0.25], [0.5, -0.25, np.nan]])

    def matrix(values: Floats = values, **options: Any) -> Figure:
        given: dict[str, Any] = {"names": "abc", "groups": np.array([0, 0, 1]), "title": "Δ", "written": quantity}
        shown = np.array([[False, True, False], [True, False, False], [False] * 3])
        return matrix_figure(values, **given | {"shading": "signed", "note": "of 3", "shown": shown} | options)

    former, other = matrix(), values.copy()
    other[0, 1] = np.nextafter(0.5, 1)
    assert as_before(matrix(), former) is former
    zero, minus = np.zeros((3, 3)), np.full((3, 3), -0.0)
    others = [
        matrix(other), matrix(title="ratio"), matrix(note=""), matrix(names="abd"), matrix(groups=np.arange(3)),
        matrix(written="{:.3f}".format), matrix(better_up=False), matrix(selected=(0, 1)), matrix(shown=None),
        matrix(full_names=("a", "b", "c")), None,
        matrix(values[:2, :2], names="ab", groups=np.zeros(2, dtype=np.int64), shown=None),
    ]  # fmt: skip
    for now, was in [*((each, former) for each in others), (matrix(minus), matrix(zero)), (former, None)]:
        assert as_before(now, was) is now


@pytest.mark.parametrize("shading", ["signed", "tested", "p", "likeness"])
def test_the_colour_of_each_cell(shading: str) -> None:
    """By a plain loop: from the ground to grey, better or worse, a difference that is not shown 0.4 as strong."""
    rng = np.random.default_rng(3)
    values = rng.uniform(-1, 1, (6, 6)) if shading in ("signed", "tested") else rng.uniform(0, 0.06, (6, 6))
    shown = rng.random((6, 6)) < 0.5 if shading == "tested" else None
    figure = matrix_figure(
        values, list("abcdef"), np.arange(6), "t", str, shading="signed" if shown is not None else shading, shown=shown
    )
    matrix = figure.matrix
    assert matrix is not None
    for palette in PALETTES.values():
        panel, better, worse, grey = (
            [int(text[i : i + 2], 16) for i in (1, 3, 5)]
            for text in (palette.panel, palette.better, palette.worse, palette.muted)
        )
        for (row, column), colour in zip(np.ndindex(6, 6), matrix_colours(palette, matrix).reshape(-1, 3), strict=True):
            shade = float(matrix.shade[row, column])
            share, top = 0.9 * abs(shade), grey
            if matrix.signed:
                share, top = 0.85 * abs(shade) ** 0.5, better if shade >= 0 else worse
            if shown is not None and not shown[row, column]:
                share, top = 0.4 * share, grey
            assert colour == pytest.approx(
                [low + (high - low) * share for low, high in zip(panel, top, strict=True)], abs=0.5001
            )
