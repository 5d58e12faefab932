"""Rank-biased overlap of lists with ties: published values, the mean over orders, and that no id decides."""

from __future__ import annotations

import csv
import gzip
import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irviewer.analysis.similarity.similarity import Kind, similarity
from irviewer.analysis.similarity.ties import TieVariant
from irviewer.errors import OptionError
from irviewer.model.run import Run

KINDS: dict[str, Kind] = {"ext": "rbo", "min": "rbo-min", "max": "rbo-max", "res": "rbo-residual"}
VARIANTS: tuple[TieVariant, ...] = ("w", "a", "b")
TIES = re.compile(r"\(([^)]*)\)|(\S+)")


def _runs(*rankings: str) -> list[Run]:
    """Rankings as texts, best first, ties in parentheses."""
    return [
        Run.from_dict({"q": {item: -float(at) for at, tie in enumerate(_ties(text)) for item in tie}}, name=f"run {n}")
        for n, text in enumerate(rankings)
    ]


def _ties(text: str) -> list[list[str]]:
    return [(each[1] or each[2]).split() for each in TIES.finditer(text)]


def test_the_values_of_corsi_and_urbano(data: Path) -> None:
    with gzip.open(data / "statistics/rbo-ties/expected.csv.gz", "rt") as file:
        rows = list(csv.DictReader(file))[7::125]
    assert len(rows) == 40
    for row in rows:
        runs = _runs(row["x"], row["y"])
        for variant, (name, kind) in itertools.product(VARIANTS, KINDS.items()):
            alike = similarity(runs, kind, p=float(row["p"]), ties=variant).means
            assert alike[0, 1] == pytest.approx(float(row[f"{variant}.{name}"]), rel=0, abs=1e-12), (variant, name, row)


def test_the_published_example(data: Path) -> None:
    with (data / "statistics/rbo-ties/example.tsv").open() as file:
        for row in csv.DictReader(file, delimiter="\t"):
            runs = _runs(row["x"], row["y"])
            for name, kind in KINDS.items():
                variant: Any = row["variant"]
                for pair in (runs, runs[::-1]):
                    alike = similarity(pair, kind, p=float(row["p"]), ties=variant).means[0, 1]
                    assert round(alike, 7) == float(row[f"published_{name}"])


def test_a_tie_is_the_mean_of_its_orders() -> None:
    """Variant a of lists of one length, and the least value of any: Corsi and Urbano's eq. for unknown orders."""
    pair = _runs("d1 (d2 d3 d4) d5", "(d3 d1) d6 (d2 d5)")
    orders = [
        _runs(f"d1 {' '.join(start)} d5", f"{' '.join(two)} d6 {' '.join(three)}")
        for start in itertools.permutations(["d2", "d3", "d4"])
        for two in itertools.permutations(["d3", "d1"])
        for three in itertools.permutations(["d2", "d5"])
    ]
    for kind in ("rbo", "rbo-min"):
        wanted = np.mean([similarity(each, kind, p=0.8).means[0, 1] for each in orders])
        assert similarity(pair, kind, p=0.8).means[0, 1] == pytest.approx(wanted, abs=1e-13)


def test_a_list_and_itself() -> None:
    tied, plain = _runs("(d1 d2) d3", "d1 d2 d3")
    for variant, itself in (("a", 0.75), ("b", 1.0), ("w", 1.0), ("broken", 1.0)):
        alike = similarity([tied, plain], p=0.5, ties=variant)
        assert alike.means[0, 0] == pytest.approx(itself, abs=1e-14)  # half of two documents at rank 1, all below
        assert alike.means[1, 1] == pytest.approx(1, abs=1e-14)
        assert ("less than 1" in alike.ties_note) == (variant == "a")
        assert alike.tied is not None
        assert alike.tied.tolist() == [2, 0]
    assert similarity([plain, plain]).ties_note == ""
    with pytest.raises(OptionError, match="unknown ties"):
        similarity([tied], ties="c")  # type: ignore[arg-type]


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_id_decides_at_the_depth(variant: TieVariant) -> None:
    """A tie that the depth cuts is read whole, so that the names of its documents change nothing."""
    random = np.random.default_rng(4)
    names = [f"d{n}" for n in range(12)]
    scores = [{query: random.integers(0, 3, 12).astype(float) for query in ("1", "2", "3")} for _ in range(3)]
    values = []
    for order in (names, [names[place] for place in random.permutation(12)]):
        runs = [
            Run.from_dict(
                {query: dict(zip(order, own.tolist(), strict=True)) for query, own in each.items()}, name=str(n)
            )
            for n, each in enumerate(scores)
        ]
        values.append([similarity(runs, kind, depth=5, ties=variant).means for kind in KINDS.values()])
    np.testing.assert_allclose(values[0], values[1], rtol=0, atol=1e-14)
