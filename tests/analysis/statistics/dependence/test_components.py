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
            assert (whole.error, whole.error_df) == near((value, float(row["df"])))
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
    assert same.error == 0
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
