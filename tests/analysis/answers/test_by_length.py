"""Scores by the length of answers, against loops and numpy's line of least squares."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.analysis.answers.by_length import slope_of, thirds_of
from irviewer.tables.exact import records

OWN = Path(__file__).parents[2] / "data" / "answers"


def test_thirds_and_slope_are_those_of_loops() -> None:
    draw = np.random.default_rng(31)
    for count in (3, 4, 5, 30, 201):
        words, values = draw.integers(0, 40, count).tolist(), draw.random(count)
        order = sorted(range(count), key=lambda place: (words[place], place))
        sizes = [count // 3 + (place < count % 3) for place in range(3)]
        for third, size in zip(thirds_of(words, values), sizes, strict=True):
            own, order = order[:size], order[size:]
            assert (third.topics, third.fewest, third.most) == (size, words[own[0]], words[own[-1]])
            assert third.mean == pytest.approx(sum(values[place] for place in own) / size, abs=1e-12)
        assert slope_of(words, values) == pytest.approx(np.polyfit(np.array(words) / 100, values, 1)[0], rel=1e-9)
    assert thirds_of([1, 2], np.ones(2)) == ()
    assert np.isnan(slope_of([5, 5, 5], np.array([0.0, 1.0, 0.5])))


def test_the_table_of_scores_by_length() -> None:
    """Alpha's answers have 25, 11 and 15 words and say 1/2, 2/3 and all of their vital nuggets."""
    shown = irviewer.answers("scores", OWN / "nuggets.jsonl", [OWN / f"alpha.{part}.jsonl" for part in
                                                               ("answers", "assignments")])  # fmt: skip
    rows = records(shown["lengths"])
    assert [(row["third"], row["topics"], row["fewest"], row["most"]) for row in rows] == [
        ("short", 1, 11, 11), ("middle", 1, 15, 15), ("long", 1, 25, 25)
    ]  # fmt: skip
    assert [row["mean"] for row in rows] == pytest.approx([2 / 3, 1, 1 / 2])
    slope = np.polyfit([0.11, 0.15, 0.25], [2 / 3, 1, 1 / 2], 1)[0]
    assert [row["slope"] for row in rows] == pytest.approx([slope] * 3)


def test_what_is_cited_by_length() -> None:
    """The means are the shares of what is cited that are relevant, by a loop over the files."""
    files = [OWN / "alpha.answers.jsonl"]
    shown = irviewer.answers(
        "scores", OWN / "nuggets.jsonl", files, judgments=OWN / "qrels.txt", measures=("CitedRel",)
    )
    grades: dict[str, dict[str, int]] = {}
    for line in (OWN / "qrels.txt").read_text().splitlines():
        topic, _, document, grade = line.split()
        grades.setdefault(topic, {})[document] = int(grade)
    shares = []
    for record in map(json.loads, (OWN / "alpha.answers.jsonl").read_text().splitlines()):
        places = {place for sentence in record["answer"] for place in sentence["citations"]}
        cited = {record["references"][place] for place in places}
        own = grades[record["topic_id"]]
        words = sum(len(sentence["text"].split()) for sentence in record["answer"])
        shares.append((words, sum(own.get(document, 0) > 0 for document in cited) / len(cited)))
    rows = records(shown["lengths"])
    assert [(row["fewest"], row["mean"]) for row in rows] == [
        (words, pytest.approx(mean)) for words, mean in sorted(shares)
    ]
