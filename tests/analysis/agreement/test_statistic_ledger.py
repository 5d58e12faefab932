"""Why a statistic of two judges has its value: the numbers of the ledger give the value of the coefficient."""

from __future__ import annotations

import re

import numpy as np
import pytest

from irviewer.analysis.agreement.coefficients import COEFFICIENTS, Grades, coefficients
from irviewer.analysis.agreement.statistic_ledger import BEYOND_CHANCE, statistic_ledger
from irviewer.errors import OptionError


def grades_of(size: int, level: float = 1) -> Grades:
    values = np.array([0, 1, 2, 5], dtype=np.float64)[:size]
    return Grades(np.arange(size, dtype=np.float64), values, values >= level)


def evaluated(worked: str) -> tuple[float, float]:
    """Both sides of a worked formula."""
    left, _, right = worked.rpartition(" = ")
    for sign, other in (("−", "-"), ("×", "*"), ("÷", "/"), (",", "")):
        left, right = left.replace(sign, other), right.replace(sign, other)
    left = re.sub(r"√(\([^()]*\))", r"\1**0.5", left)
    return float(eval(left, {"__builtins__": {}})), float(right)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_worked_formula_gives_the_value(name: str, size: int) -> None:
    random = np.random.default_rng(size)
    table = random.integers(1, 40, (size, size)).astype(np.float64) + 60 * np.eye(size)
    grades = grades_of(size)
    ledger = statistic_ledger(table, grades, name)
    assert ledger.value == pytest.approx(float(coefficients(table[:, :, None], grades)[name][0]))
    left, right = evaluated(ledger.worked)
    assert left == pytest.approx(right, abs=3e-4)
    assert right == pytest.approx(ledger.value, abs=5e-5)
    assert all(len(row) == len(ledger.columns) for row in ledger.rows)
    if ledger.formula == BEYOND_CHANCE:
        observed, chance = (sum(float(row[place]) for row in ledger.rows) for place in (-2, -1))
        assert 1 - observed / chance == pytest.approx(ledger.value)
    if name == "difference":
        assert sum(float(row[-1]) for row in ledger.rows) == pytest.approx(ledger.value)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_the_worked_formula_of_an_undefined_statistic(name: str) -> None:
    ledger = statistic_ledger(np.array([[0.0, 0.0], [0.0, 3.0]]), grades_of(2), name)
    assert "nan" not in ledger.worked
    assert ledger.worked.endswith(" = –") == bool(np.isnan(ledger.value))


def test_undefined_statistics_and_no_pairs() -> None:
    table = np.array([[10.0, 0.0], [0.0, 0.0]])
    ledger = statistic_ledger(table, grades_of(2), "kappa_quadratic")
    assert np.isnan(ledger.value)
    assert any("undefined" in note for note in ledger.notes)
    with pytest.raises(OptionError):
        statistic_ledger(np.zeros((2, 2)), grades_of(2), "kappa")
    with pytest.raises(OptionError):
        statistic_ledger(table, grades_of(2), "unknown")
