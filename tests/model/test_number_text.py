"""Numbers as they are written."""

from __future__ import annotations

import math

import pytest

from irviewer.model.number_text import (
    count_text,
    counted,
    in_samples,
    limit,
    p_text,
    p_value,
    percent,
    percent_change,
    quantity,
    range_text,
    ranked,
    score_text,
    share_of_all,
)
from irviewer.translation import use_decimal_comma


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0157, ".0157"), (-0.0003, "−.0003"), (0.0, "0"), (-0.0, "0"), (-0.5, "−.5000"), (1.5, "1.5000"),
        (12.345, "12.35"),
        (10757.0, "10,757"), (10529.5, "10,529.5"), (0.00001234, "1.2e−5"), (-0.00001234, "−1.2e−5"),
        (float("inf"), "∞"), (float("-inf"), "−∞"), (float("nan"), "–"), (2.0, "2"), (0.99999, "1.0000"),
    ],
)  # fmt: skip
def test_quantities(value: float, text: str) -> None:
    assert quantity(value) == text


def test_limits_and_statistics_of_ranks() -> None:
    assert [limit(value) for value in (0.05, 0.1, 2.0, -0.1, 0.0, 0.9999, 10.5)] == [
        ".05", ".1", "2", "−.1", "0", ".9999", "10.5",
    ]  # fmt: skip
    assert [ranked(value) for value in (0.0, 3.0, 12.5, 12345.0, float("nan"))] == ["0", "3", "12.5", "12,345", "–"]
    assert range_text(0.2, 0.5) == "between .2000 and .5000"
    assert range_text(0.2, 0.20001) == ".2000 in every case"


def test_p_values() -> None:
    assert [p_value(p) for p in (0.055, 0.0009999, 0.001, 0.2749, 0.99999, 1.0, 0.0, float("nan"))] == [
        ".055", "< .001", ".001", ".275", "1", "1", "< .001", "–",
    ]  # fmt: skip
    assert (p_text(0.055), p_text(0.0001)) == ("p = .055", "p < .001")


def test_shares_of_all_are_whole_and_none_and_all_are_exact() -> None:
    low, high = [0.0, 0.0004, 0.0006, 0.004, 0.006, 0.624], [0.994, 0.996, 0.9975, 0.9994, 0.9995, 1.0]
    assert [share_of_all(share) for share in low] == ["0 %", "< 0.1 %", "0.1 %", "0.4 %", "1 %", "62 %"]
    assert [share_of_all(share) for share in high] == ["99 %", "99.6 %", "99.8 %", "99.9 %", "> 99.9 %", "100 %"]
    use_decimal_comma(True)
    try:
        assert [share_of_all(share) for share in (0.004, 0.9991, 0.99999)] == ["0,4 %", "99,9 %", "> 99,9 %"]
    finally:
        use_decimal_comma(False)


def test_shares() -> None:
    assert [percent(share) for share in (0.055, 0.5, 1.0, -0.123, 0.0)] == ["5.5 %", "50 %", "100 %", "−12 %", "0.0 %"]
    assert [percent(share) for share in (0.0994, 0.0996)] == ["9.9 %", "10 %"]  # the decimal goes where ten is written
    assert in_samples(0.0001) == "in fewer than 1 of 1,000 such samples"
    assert in_samples(0.055) == "in 5.5 % of such samples"
    assert in_samples(1) == "every time"


def test_scores() -> None:
    assert [score_text(value) for value in (0.1234, -0.03118, 1.0, math.nan)] == ["0.1234", "−0.0312", "1.0000", "–"]


def test_counts() -> None:
    assert (count_text(1234), count_text(12)) == ("1,234", "12")
    assert (counted(1, "query", "queries"), counted(1234, "query", "queries")) == ("1 query", "1,234 queries")


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0 %"),
        (-0.0, "0 %"),
        (0.1234, "+12.3 %"),
        (-0.02, "−2.0 %"),
        (-0.0005, "−0.1 %"),
        (-0.0004, "−0.040 %"),
        (0.0000123, "+0.0012 %"),
        (-3e-9, "−3.0e−7 %"),
    ],
)
def test_a_relative_change_is_no_signed_zero(share: float, text: str) -> None:
    assert percent_change(share) == text
