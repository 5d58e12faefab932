"""Coefficients of agreement: against scikit-learn and krippendorff, and by their definitions in plain loops."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judges import Grade, judges_of, random_grades
from scipy import stats

from irviewer.analysis.agreement.coefficients import COEFFICIENTS, Grades, coefficients
from irviewer.analysis.agreement.judge_agreement import AgreementOptions, agreement

PLAIN = AgreementOptions(samples=0)


@pytest.mark.parametrize("case", range(5))
def test_other_libraries(case: int, small: Path) -> None:
    recorded = json.loads((small / "agreement" / "coefficients.json").read_text("utf-8"))["cases"][case]
    judge_agreement = agreement(judges_of(recorded["judges"]), PLAIN)
    for name, value in recorded["alpha_of_all"].items():
        assert judge_agreement.alphas[name].value == pytest.approx(value, abs=1e-9), name
    for pair in recorded["pairs"]:
        ours = judge_agreement.pair(pair["first"], pair["second"])
        assert ours.pairs == pair["pairs"]
        for name in pair.keys() & COEFFICIENTS.keys():
            assert ours[name].value == pytest.approx(pair[name], abs=1e-9), name


def test_scikit_learn_and_krippendorff_as_installed() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    krippendorff = pytest.importorskip("krippendorff")
    first, second = random_grades(5, 2, 200, missing=0)
    ours = agreement(judges_of([first, second]), PLAIN).pair(0, 1)
    for name, weights in (("kappa", None), ("kappa_linear", "linear"), ("kappa_quadratic", "quadratic")):
        assert ours[name].value == pytest.approx(metrics.cohen_kappa_score(first, second, weights=weights))
    for kind in ("nominal", "ordinal", "interval"):
        alpha = krippendorff.alpha(reliability_data=[first, second], level_of_measurement=kind)
        assert ours[f"alpha_{kind}"].value == pytest.approx(alpha)


def by_definition(first: list[float], second: list[float], level: float) -> dict[str, float]:
    """Tau, specific agreement, AC1, shares and the difference, pair by pair of documents."""
    n = len(first)
    up = [(grade >= level, other >= level) for grade, other in zip(first, second, strict=True)]
    both, neither = (
        sum(up_first and other for up_first, other in up),
        sum(not up_first and not other for up_first, other in up),
    )
    split = n - both - neither
    share = sum(up_first + other for up_first, other in up) / (2 * n)
    chance = share * (1 - share) + (1 - share) * share
    observed = (both + neither) / n
    return {
        "same_grade": sum(grade == other for grade, other in zip(first, second, strict=True)) / n,
        "same_side": observed,
        "relevant": 2 * both / (2 * both + split) if both + split else math.nan,
        "nonrelevant": 2 * neither / (2 * neither + split) if neither + split else math.nan,
        "ac1": (observed - chance) / (1 - chance),
        "tau_b": float(stats.kendalltau(first, second).statistic),
        "difference": sum(second) / n - sum(first) / n,
    }


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("level", [1, 2])
def test_definitions(seed: int, level: float) -> None:
    scale = (0, 1, 2, 3) if seed % 2 else (0, 0.5, 2, 7)
    rows = random_grades(seed, 3, 30, scale)
    judge_agreement = agreement(judges_of(rows), AgreementOptions(level, samples=0))
    for first, other in itertools.combinations(range(3), 2):
        pairs = [(a, b) for a, b in zip(rows[first], rows[other], strict=True) if a is not None and b is not None]
        wanted = by_definition([a for a, _ in pairs], [b for _, b in pairs], level)
        ours = judge_agreement.pair(first, other)
        for name, value in wanted.items():
            assert ours[name].value == pytest.approx(value), name
        turned = judge_agreement.pair(other, first)
        assert turned["difference"].value == pytest.approx(-wanted["difference"])
        assert turned["kappa"] == ours["kappa"]


def weighted_kappa(first: list[float], second: list[float], power: int) -> float:
    """By grades as they are: observed over expected disagreement, every document with every other."""
    n = len(first)
    observed = sum(abs(grade - other) ** power for grade, other in zip(first, second, strict=True)) / n
    expected = sum(abs(grade - other) ** power for grade in first for other in second) / n**2
    return 1 - observed / expected


def test_steps_by_grade() -> None:
    rows = random_grades(3, 2, 40, (0, 1, 2, 5), missing=0)
    pair = agreement(judges_of(rows), AgreementOptions(steps="grade", samples=0)).pair(0, 1)
    assert pair["kappa_linear"].value == pytest.approx(weighted_kappa(*rows, 1))  # type: ignore[arg-type]
    assert pair["kappa_quadratic"].value == pytest.approx(weighted_kappa(*rows, 2))  # type: ignore[arg-type]


SAME: list[Grade] = [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("rows", "undefined"),
    [
        (
            [SAME, SAME],
            {"kappa", "kappa_linear", "kappa_quadratic", "alpha_nominal", "alpha_ordinal", "alpha_interval", "tau_b",
             "kappa_level", "kappa_level_max", "nonrelevant"},
        ),
        (
            [[0, 0, 0, 0], [0, 0, 0, 0]],
            set(COEFFICIENTS) - {"same_grade", "same_side", "nonrelevant", "ac1", "difference"},
        ),
        ([SAME, [1, 1, 2, 2]], {"tau_b", "kappa_level", "kappa_level_max", "nonrelevant"}),
        ([SAME, [None, None, None, None]], set(COEFFICIENTS)),
        ([[1, None, 0, None], [None, 1, None, 0]], set(COEFFICIENTS)),
    ],
    ids=["all the same grade", "nothing relevant", "one with one grade", "an empty judge", "no common pair"],
)  # fmt: skip
def test_undefined_is_none(rows: list[list[Grade]], undefined: set[str]) -> None:
    pair = agreement(judges_of(rows), AgreementOptions(samples=200)).pair(0, 1)
    assert {name for name, estimate in pair.estimates.items() if estimate.value is None} == undefined
    for name in undefined:
        assert (pair[name].low, pair[name].high) == (None, None)


def test_many_judges_have_one_alpha() -> None:
    """By its definition: disagreement within documents over that of all grades together."""
    rows = random_grades(8, 4, 50, missing=0.4)
    units = [[row[place] for row in rows if row[place] is not None] for place in range(50)]
    units = [unit for unit in units if len(unit) > 1]
    every = [grade for unit in units for grade in unit]
    within = sum(
        (first - other) ** 2 / (len(unit) - 1) for unit in units for first, other in itertools.permutations(unit, 2)
    ) / len(every)
    over = sum((first - other) ** 2 for first, other in itertools.permutations(every, 2)) / (
        len(every) * (len(every) - 1)
    )
    judge_agreement = agreement(judges_of(rows), PLAIN)
    assert judge_agreement.alphas["alpha_interval"].value == pytest.approx(1 - within / over)
    assert np.isfinite(judge_agreement.alphas["alpha_ordinal"].value or np.nan)


@given(table=st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any))
def test_the_largest_kappa_is_the_best_of_all_tables_with_these_margins(table: list[int]) -> None:
    neither, second, first, both = table
    grades = Grades(np.arange(2.0), np.arange(2.0), np.array([False, True]))

    def values(cells: list[int], name: str) -> float:
        return float(coefficients(np.array(cells, dtype=float).reshape(2, 2, 1), grades)[name][0])

    possible = [[neither + by, second - by, first - by, both + by] for by in range(-6, 7)]
    kappas = [values(cells, "kappa_level") for cells in possible if min(cells) >= 0]
    wanted = np.nan if np.isnan(kappas).any() else max(kappas)
    assert values(table, "kappa_level_max") == pytest.approx(wanted, nan_ok=True)
