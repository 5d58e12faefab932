"""Equations in texts: the false ones are found, and nothing that is no equation of numbers is taken for one."""

from __future__ import annotations

import pytest

from irviewer.session.teaching.checking.wording.equations import false_equations, results_of


@pytest.mark.parametrize(
    ("text", "false"),
    [
        ("(1/3 + 1 + 1/2 + 0) / 4 = .458", []),
        ("(1/3 + 1 + 1/2 + 0) / 4 = .468", ["(1/3 + 1 + 1/2 + 0) / 4 = .468"]),
        ("2 × 1 × .1 / (1 + .1) = .2 / 1.1 = .18, near the lower", []),
        ("11.17 + 3 × .30 = 12.08", []),  # .30 is rounded, log2 10 is 3.32
        ("11.17 + 3 × .30 = 12.18", ["11.17 + 3 * .30 = 12.18"]),
        ("1400 × 225 = 315 000", []),
        ("P@8 = 6/8, and 2R / (1 + R) = .5", []),
        ("2 ** 3 = 9, 1/0 = 3, 5 // 2 = 1", []),
        ("3 + 4 = 5 + 2", []),
        ("1 − .3 = .7; −1 + 2 = 1. With n = 5, n - 1 + 2 = 6, n*2 + 1 = 11 and n/2 + 1 = 3.5", []),
        ("1 − 1/3 = 2/3", []),
        ("1 − 1/3 = 3/4", ["1 - 1/3 = 3/4"]),
        ("1 / log2 3 = .63, 1/log₂(1 + 2) = .631 and log2 4 = 2", []),
        ("1 / log2 3 = .36", ["1 / log2(3) = .36"]),
        ("so log2(1 + 9) = 3.23", ["log2(1 + 9) = 3.23"]),
        ("3 / log2 9 = 3 / 3.17 = .95", []),
        ("3 / log2 9 = 3 / 3.17 = .59", ["3 / 3.17 = .59"]),
        ("6 / log2 9 = 3 / 3.17 = .95", ["6 / log2(9) = 3 / 3.17"]),
        ("1 − .95^20 = 1 − .358 = .64, 2^10 = 1024: 2/1024 = .002", []),
        ("2^10 = 1042", ["2^10 = 1042"]),
        (".511 × √10 = .511 × 3.162 = 1.62 and √(9 + 16) = 5", []),
        ("√10 = 3.612", ["√(10) = 3.612"]),
        ("2/5 = 40 %, 1/3 = 33 % and 1/3 = 33.3%", []),
        ("2/5 = 45 %", ["2/5 = 45 %"]),
        ("9^99999 = 3, 2^(9^9) = 3, √(1 − 2) = 1", []),
        ("$\\log_2 8 = 4$, $2^{3} = 8$", ["log2(8) = 4"]),
        ("$\\sqrt{.25} = .6$, $\\sqrt{\\frac{1}{4}} = .5$", ["√(.25) = .6"]),
        ("L(3) + 1 = 5, blog2 3 = 9, log2 0 = 3, log2 (3 = 4, log2 of 3 = 9, log2 3 4 = 1", []),
    ],
)
def test_false_equations(text: str, false: list[str]) -> None:
    assert list(false_equations(text)) == false


def test_the_numbers_of_a_text_that_computes() -> None:
    assert results_of("4 + 3 = 7, and the best is 4 + 4 = 8: 7/8.") == [4, 3, 7, 4, 4, 8, 0.875]
    assert results_of("Four of five: 4/5.") == [0.8]
    assert results_of("4/5 are found, and one is missed.") == []
    assert results_of(".05 ÷ 4 = .0125.") == [0.05, 4, 0.0125]
