"""Orders of systems under two sets of nuggets, against plain loops and SciPy."""

from __future__ import annotations

import itertools
import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer.analysis.answers.nugget_sets import two_sets
from irviewer.errors import OptionError

SYSTEMS, TOPICS = ("a", "b", "c", "d"), ("1", "2", "3", "4", "5", "6")


def test_orders_and_topics_that_turn() -> None:
    drawn = np.random.default_rng(4)
    values = drawn.integers(0, 4, (2, len(SYSTEMS), len(TOPICS))) / 3.0
    orders = two_sets("x", "y", SYSTEMS, TOPICS, values, samples=200, seed=9, confidence=0.9)
    means = values.mean(axis=2)
    assert orders.tau == pytest.approx(stats.kendalltau(*means).statistic)
    pairs = list(itertools.combinations(range(len(SYSTEMS)), 2))

    def turned(first: np.ndarray, second: np.ndarray) -> int:
        return sum((first[i] - first[j]) * (second[i] - second[j]) < 0 for i, j in pairs)

    assert orders.opposite == turned(*means) and orders.pairs == len(pairs)
    assert orders.turned.tolist() == [turned(values[0, :, t], values[1, :, t]) for t in range(len(TOPICS))]
    weights = np.random.default_rng(9).multinomial(len(TOPICS), np.full(len(TOPICS), 1 / len(TOPICS)), size=200)
    taus = [stats.kendalltau(*(values * each).sum(axis=2).round(9)).statistic for each in weights]
    ends = np.quantile([each for each in taus if not math.isnan(each)], [0.05, 0.95])
    assert [orders.low, orders.high] == pytest.approx(ends, abs=1e-9)


def test_two_sets_in_the_view(tmp_path: Path) -> None:
    """Labels of other nuggets were refused, as if nobody had labelled the same answers."""
    drawn = random.Random(2)
    sets = {"auto": ["n1", "n2"], "edited": ["n1, better", "n3", "n4"]}
    files = []
    for name, texts in sets.items():
        own = [{"text": text, "importance": "vital"} for text in texts]
        (tmp_path / f"{name}.jsonl").write_text(
            "".join(json.dumps({"qid": topic, "nuggets": own}) + "\n" for topic in TOPICS)
        )
        for system in "ABCD":
            files.append(tmp_path / f"{system}.{name}.jsonl")
            files[-1].write_text("".join(json.dumps({
                "qid": topic, "run_id": system, "answer_text": "x",
                "nuggets": [{**nugget, "assignment": drawn.choice(["support", "not_support"])} for nugget in own],
            }) + "\n" for topic in TOPICS))  # fmt: skip
    shown = irviewer.answers("agreement", tmp_path / "auto.jsonl", files, samples=150, seed=3, confidence=0.8)
    assert list(shown.tables) == ["sets", "turned"]
    own = {column.key: list(column.values) for column in shown["sets"].columns if "" in column.parts}
    values = np.array([[_shares(tmp_path / f"{system}.{name}.jsonl") for system in "ABCD"] for name in sets])
    tau = stats.kendalltau(*values.mean(axis=2).round(9)).statistic
    weights = np.random.default_rng(3).multinomial(len(TOPICS), np.full(len(TOPICS), 1 / len(TOPICS)), size=150)
    taus = [stats.kendalltau(*(values * each).sum(axis=2).round(9)).statistic for each in weights]
    ends = np.quantile([each for each in taus if not math.isnan(each)], [0.1, 0.9])
    assert (own["systems"], own["topics"]) == ([4], [len(TOPICS)])
    assert abs(tau) < 1 and ends[0] < ends[1], "the files tell nothing"
    assert own["tau"] == pytest.approx([tau], abs=1e-12)
    assert [shown.value.sets[0].low, shown.value.sets[0].high] == pytest.approx(ends, abs=1e-9)
    with pytest.raises(OptionError, match="by two assigners"):
        irviewer.answers("agreement", tmp_path / "auto.jsonl", files[:3])


def _shares(path: Path) -> list[float]:
    """Return the share of the nuggets that are said, by topic."""
    records = [json.loads(line)["nuggets"] for line in path.read_text().splitlines()]
    return [float(np.mean([nugget["assignment"] == "support" for nugget in each])) for each in records]
