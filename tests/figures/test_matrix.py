"""The matrix of all pairs: shades by likeness, by steps of p, to two sides."""

from __future__ import annotations

import numpy as np

from irviewer.figures.matrix import matrix_figure

NO_GROUPS = np.zeros(3, dtype=np.int64)
NAN = float("nan")


def shades(values: list[list[float]], **how: object) -> np.ndarray:
    figure = matrix_figure(np.array(values), ["a", "b", "c"], NO_GROUPS, "t", str, **how)  # type: ignore[arg-type]
    assert figure.matrix is not None
    return figure.matrix.shade


def test_likeness_is_told_apart_above_the_least_alike_pair() -> None:
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
    assert figure.matrix.texts == (("", "0.50"), ("0.50", ""))


def test_one_or_no_run_is_no_fault() -> None:
    for n in (0, 1):
        for shading in ("likeness", "p", "signed"):
            figure = matrix_figure(np.full((n, n), NAN), ["a"][:n], NO_GROUPS[:n], "t", str, shading=shading)
            assert figure.matrix is not None
            assert figure.matrix.shade.shape == (n, n)


def test_the_key_of_likeness_goes_from_the_least_alike_pair_to_the_same() -> None:
    values = np.array([[1.0, 0.5, 0.7], [0.5, 1.0, 0.6], [0.7, 0.6, 1.0]])
    figure = matrix_figure(values, ["a", "b", "c"], np.arange(3), "RBO of runs", "{:.2f}".format, quantity="RBO")
    assert figure.matrix is not None
    assert figure.matrix.key == ((0.0, "RBO 0.50"), (0.5, "0.75"), (1.0, "1.00"))
    assert figure.matrix.shade[0, 1] == 0
    assert figure.matrix.shade[0, 0] == 1
