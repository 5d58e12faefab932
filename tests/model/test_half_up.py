"""Numbers of lessons round half up, against exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from irviewer.model.half_up import HalfUp, half_up


def on_paper(value: Fraction, decimals: int) -> str:
    """Round half up as people do."""
    whole = math.floor(abs(value) * 10**decimals + Fraction(1, 2))
    digits = f"{whole:0{decimals + 1}d}"
    text = f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits
    return f"-{text}" if value < 0 else text


def test_every_fraction_of_small_numbers_is_written_as_on_paper() -> None:
    for below in range(1, 65):
        for above in range(-below, 2 * below):
            value = Fraction(above, below)
            for decimals in (0, 2, 3, 4):
                written = f"{HalfUp(above / below):.{decimals}f}"
                assert written in (on_paper(value, decimals), f"-{on_paper(value, decimals)}"), value
                assert float(written) == float(on_paper(value, decimals))


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (5 / 8, ".2f", "0.63"),
        (0.1 + 0.7 + 0.045, ".2f", "0.85"),  # a sum that is a little less than .845
        (1234.125, ",.2f", "1,234.13"),
        (-0.125, "+.2f", "-0.13"),
        (0.125, "+.2f", "+0.13"),
        (math.nan, ".2f", "nan"),
        (math.inf, ".2f", "inf"),
        (0.125, "g", "0.125"),
    ],
)
def test_formats(value: float, spec: str, text: str) -> None:
    assert format(HalfUp(value), spec) == text


def test_the_size_of_a_number_rounds_so_too() -> None:
    assert f"{abs(HalfUp(-0.125)):.2f}" == "0.13"
    assert half_up(0.125, 2) == 0.13
