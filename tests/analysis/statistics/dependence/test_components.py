"""Components of variance of replicates: against values computed by other code, and how often they hold."""

from __future__ import annotations

import csv
import math
import os
from pathlib import Path

import numpy as np
import pytest

from irviewer.analysis.statistics.dependence.components import Components, variance_components
from irviewer.errors import OptionError

DATA = Path(os.environ.get("IRVIEWER_DATA", Path(__file__).parents[4].parent / "shared" / "data"))
FOLDER = DATA / "statistics" / "dependence"
here = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the reference values are not here ({FOLDER})")


def rows_of(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def computed(design: str) -> Components:
    rows = rows_of(f"replicates_{design}.tsv")
    scores = np.array([float(row["score"]) for row in rows]).reshape(5, 40, 4)
    return variance_components(scores, "crossed" if design == "crossed" else "seeds")


def near(value: float) -> object:
    return pytest.approx(value, rel=1e-8)


@here
@pytest.mark.parametrize("design", ["crossed", "seeds"])
def test_reference_values(design: str) -> None:
    whole, compared = computed(design), 0
    squares = {each.name: each for each in whole.squares}
    for row in rows_of("components_expected.tsv"):
        if (row["design"] == "crossed") != (design == "crossed"):
            continue
        quantity, value = row["quantity"], float(row["value"])
        if quantity.startswith(("SS ", "MS ")):
            square = squares[quantity[3:]]
            assert (square.value * (square.df if quantity[0] == "S" else 1), square.df) == near((value, int(row["df"])))
        elif quantity.startswith(("F systems (", "quasi-F")):
            assert (whole.f, *whole.df, whole.p) == near((value, *map(float, row["df"].split(",")), float(row["p"])))
        elif quantity.startswith("variance "):
            component = whole.component(quantity[9:])
            assert component.variance == near(value)
            if row["lower"]:
                assert (component.low, component.high) == near((float(row["lower"]), float(row["upper"])))
            else:
                assert math.isnan(component.low)
        elif quantity == "standard error of a difference of two systems":
            assert whole.error_of(0, 1) == near((value, float(row["df"])))
        elif quantity.startswith("difference") and "paired" not in quantity:
            difference = whole.difference(0, int(quantity[-1]) - 1)
            wanted = tuple(float(row[name]) for name in ("value", "df", "p", "lower", "upper"))
            assert (difference.difference, difference.df, difference.p, difference.low, difference.high) == near(wanted)
        elif "coefficient" in quantity or "dependability" in quantity:
            assert (whole.relative if "relative" in quantity else whole.absolute) == near(value)
        else:
            continue
        compared += 1
    assert compared >= 15


def test_one_run_says_nothing_of_new_ones() -> None:
    with pytest.raises(OptionError, match="one run of each system"):
        variance_components(np.zeros((2, 5, 1)))
    with pytest.raises(OptionError):
        variance_components(np.zeros((1, 5, 2)))
    same = variance_components(np.full((2, 5, 3), 0.25))
    assert same.error_of(0, 1)[0] == 0
    assert math.isnan(same.difference(0, 1).p)


def test_a_true_null_of_new_seeds_is_rejected_about_as_often_as_said() -> None:
    """1,000 data sets of 2 systems, 30 queries and 4 seeds: the difference for new seeds, and a paired t on means over
    seeds, which leaves the seeds out."""
    random, rejected, naive = np.random.default_rng(7), 0, 0
    for _ in range(1000):
        scores = (
            random.normal(0, 0.15, (1, 30, 1)) + random.normal(0, 0.05, (2, 30, 1)) + random.normal(0, 0.02, (2, 1, 4))
            + random.normal(0, 0.05, (2, 30, 4))
        )  # fmt: skip
        rejected += variance_components(scores).difference(0, 1).p < 0.05
        d = np.diff(scores.mean(axis=2), axis=0)[0]
        naive += abs(d.mean()) > 2.045 * d.std(ddof=1) / math.sqrt(30)
    assert rejected < 75
    assert naive > rejected + 50


@pytest.mark.parametrize("design", ["seeds", "crossed"])
def test_unequal_numbers_hold_as_often_as_said(design: str) -> None:
    """1,500 data sets of 3 systems with 1, 3 and 6 replicates and 25 queries: the interval of the difference of the
    first two, F where no system differs, and the components without bias."""
    random, counts, covered, rejected = np.random.default_rng(9), (1, 3, 6), 0, 0
    of_both, of_seeds = [], []
    for _ in range(1500):
        query, scores = random.normal(0, 0.2, (25, 1)), []
        for r in counts:
            values = query + random.normal(0, 0.08, (25, 1)) + random.normal(0, 0.1, (25, r))
            scores.append(values + (random.normal(0, 0.04, (1, r)) if design == "seeds" else 0.0))
        whole = variance_components(scores, "seeds" if design == "seeds" else "crossed")
        rejected += whole.p < 0.05
        pair = whole.difference(0, 1)
        covered += pair.low <= 0 <= pair.high
        assert pair.difference == pytest.approx(scores[0].mean() - scores[1].mean())
        of_both.append(whole.component("systems x queries").variance)
        of_seeds.append(whole.component("seeds within systems" if design == "seeds" else "replicates").variance)
    assert 0.93 <= covered / 1500 <= 0.97
    assert 0.03 <= rejected / 1500 <= 0.075
    assert np.mean(of_both) == pytest.approx(0.08**2, abs=3 * np.std(of_both) / math.sqrt(1500))
    wanted = 0.04**2 if design == "seeds" else 0.1**2
    assert np.mean(of_seeds) == pytest.approx(wanted, abs=3 * np.std(of_seeds) / math.sqrt(1500))


def test_unequal_numbers_by_the_definition() -> None:
    """The variance of a difference by its parts, each estimated by loops over single values."""
    random = np.random.default_rng(3)
    scores = [random.normal(0, 1, (6, r)) for r in (2, 4, 3)]
    whole = variance_components(scores)
    cells = np.array([[np.mean(row) for row in each] for each in scores])
    both = sum(
        (cells[i, q] - cells[i].mean() - cells[:, q].mean() + cells.mean()) ** 2 for i in range(3) for q in range(6)
    ) / 10  # fmt: skip
    of_runs = [[np.mean(each[:, k]) for k in range(each.shape[1])] for each in scores]
    seeds = sum((run - np.mean(each)) ** 2 for each in of_runs for run in each) / 6
    left = sum(
        (each[q, k] - each[q].mean() - each[:, k].mean() + each.mean()) ** 2
        for each in scores for q in range(6) for k in range(each.shape[1])
    ) / 30  # fmt: skip
    shared = both - left * np.mean([1 / 2, 1 / 4, 1 / 3])  # of systems x queries
    assert whole.component("systems x queries").variance == pytest.approx(shared)
    assert whole.component("seeds within systems").variance == pytest.approx(seeds - left / 6)
    error, _ = whole.error_of(0, 1)
    assert error**2 == pytest.approx(2 * shared / 6 + seeds * (1 / 2 + 1 / 4))


@pytest.mark.parametrize("design", ["seeds", "crossed"])
@pytest.mark.parametrize("level", [(0.3618, 1.0, 0.4228), (0.1, 0.7, 0.2)])
def test_where_only_systems_differ_rounding_tests_nothing(design: str, level: tuple[float, ...]) -> None:
    """It gave F = 4e31, p < .001 and intervals without width."""
    scores = [np.full((12, 3), value) for value in level]
    whole = variance_components(scores, "seeds" if design == "seeds" else "crossed")
    pair = whole.difference(0, 1)
    assert [square.value for square in whole.squares[1:]] == [0.0] * (len(whole.squares) - 1)
    assert pair.difference == pytest.approx(level[0] - level[1])
    numbers = [whole.f, whole.p, pair.p, pair.low, pair.high, whole.relative, whole.absolute]
    ends = [end for each in whole.components for end in (each.low, each.high)]
    assert np.isnan([*numbers, *ends]).all()


def test_a_variance_that_is_not_seen_has_no_interval() -> None:
    """Runs of one system that are all alike: [0, 0] would say that none can differ."""
    random = np.random.default_rng(5)
    whole = variance_components([np.repeat(random.normal(0, 1, (10, 1)), 2, axis=1) for _ in range(3)])
    left = whole.component("residual")
    assert left.variance == 0
    assert np.isnan([left.low, left.high]).all()
    assert whole.difference(0, 1).low < whole.difference(0, 1).high


def bonett(values: list[list[float]], spread: float) -> tuple[float, float]:
    """The limits of a variance by Bonett (2006), in plain loops; several rows are of the same queries."""
    n, z = len(values[0]), 1.959963984540054
    total, fourth = 0.0, 0.0
    cut, of_query, about_trimmed = int(n / (2 * math.sqrt(n - 4))), [0.0] * n, [0.0] * n
    for row in values:
        ordered, mean = sorted(row), math.fsum(row) / n
        trimmed = math.fsum(ordered[cut : n - cut]) / (n - 2 * cut)
        for place, value in enumerate(row):
            of_query[place] += (value - mean) ** 2
            about_trimmed[place] += (value - trimmed) ** 2
    total, fourth = math.fsum(of_query), math.fsum(each**2 for each in about_trimmed)
    centre = n / (n - z)
    half = z * centre * math.sqrt((n * fourth / total**2 - (n - 3) / n) / (n - 1))
    return centre * spread * math.exp(-half), centre * spread * math.exp(half)


@pytest.mark.parametrize("design", ["seeds", "crossed"])
def test_intervals_by_kurtosis_from_the_formulas(design: str) -> None:
    random, a, b, r = np.random.default_rng(5), 3, 24, 2
    scores = random.exponential(0.2, (1, b, 1)) + random.exponential(0.1, (a, b, 1)) + random.normal(0, 0.1, (a, b, r))
    whole = variance_components(scores, "seeds" if design == "seeds" else "crossed")
    square = {each.name: each.value for each in whole.squares}
    rest = "residual" if design == "seeds" else "replicates"
    cell = [[float(np.mean(scores[s, q])) for q in range(b)] for s in range(a)]
    of_query = [math.fsum(cell[s][q] for s in range(a)) / a for q in range(b)]
    of_system = [math.fsum(row) / b for row in cell]
    grand = math.fsum(of_system) / a
    both = [[cell[s][q] - of_system[s] - of_query[q] + grand for q in range(b)] for s in range(a)]
    left = [[float(scores[s, q, k]) - cell[s][q] for q in range(b)] for s in range(a) for k in range(r)]
    if design == "seeds":
        left = [[value - math.fsum(row) / b for value in row] for row in left]
    limits = {
        name: bonett(rows, square[name])
        for name, rows in (("queries", [of_query]), ("systems x queries", both), (rest, left))
    }
    assert whole.component(rest).by_kurtosis == pytest.approx(limits[rest])
    for name, other, size in (("queries", "systems x queries", a * r), ("systems x queries", rest, r)):
        ms1, ms2 = square[name], square[other]
        below = math.sqrt((ms1 - limits[name][0]) ** 2 + (limits[other][1] - ms2) ** 2)
        above = math.sqrt((limits[name][1] - ms1) ** 2 + (ms2 - limits[other][0]) ** 2)
        wanted = ((ms1 - ms2 - below) / size, (ms1 - ms2 + above) / size)
        assert whole.component(name).by_kurtosis == pytest.approx(wanted)
    for name in {each.name for each in whole.components} - {"queries", "systems x queries", rest}:
        assert np.isnan(whole.component(name).by_kurtosis).all()
    few = variance_components(scores[:, :4], whole.design)
    assert np.isnan([each.by_kurtosis for each in few.components]).all()  # too few queries to tell a shape


def test_skewed_values_are_held_by_the_intervals_by_kurtosis() -> None:
    """200 data sets of exponential parts: the published intervals suppose normal values."""
    random, held = np.random.default_rng(6), {"systems x queries": [0, 0], "residual": [0, 0]}
    for _ in range(200):
        parts = [random.exponential(1, shape) - 1 for shape in ((1, 40, 1), (3, 40, 1), (3, 1, 3), (3, 40, 3))]
        whole = variance_components(sum(s * x for s, x in zip((0.2, 0.1, 0.04, 0.1), parts, strict=True)))
        for name, counts in held.items():
            each = whole.component(name)
            for place, (low, high) in enumerate(((each.low, each.high), each.by_kurtosis)):
                counts[place] += low <= 0.01 <= high
    for normal, by_kurtosis in held.values():
        assert by_kurtosis / 200 >= 0.91 > 0.9 > normal / 200
