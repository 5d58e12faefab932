"""What to label next: bounds against all labels that are possible, the order of answers, and what else is looked at."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import pytest

import irviewer
from irviewer.analysis.answers.to_label import LabellingWork
from irviewer.errors import OptionError

NUGGETS = {"a": ("vital", "vital", "okay"), "b": ("vital", "okay"), "c": ("okay",)}
CREDIT = {"support": 1.0, "partial_support": 0.5, "not_support": 0.0}
Given = Mapping[str, Sequence[str | None]]
"""Topic -> the label of each nugget, None where it is lacking."""


def score(labels: Given, kind: str) -> float:
    """The mean over the topics, all nuggets of an answered topic counted, by hand."""
    weights = {"vital": 1.0, "okay": 0.5 if kind == "W" else 0.0}
    total = 0.0
    for topic, importance in NUGGETS.items():
        own = [weights[each] for each in importance]
        said = sum(weight * CREDIT[label or "not_support"] for weight, label in zip(own, labels[topic], strict=True))
        total += said / sum(own) if sum(own) else 0.0
    return total / len(NUGGETS)


def text(topic: str, place: int) -> str:
    return f"fact {topic}{'xyz'[place]}"


def work(folder: Path, given: Mapping[str, Given], measure: str) -> LabellingWork:
    nuggets = [
        {"qid": topic, "nuggets": [{"text": text(topic, at), "importance": each} for at, each in enumerate(listed)]}
        for topic, listed in NUGGETS.items()
    ]  # fmt: skip
    (folder / "nuggets.jsonl").write_text("".join(json.dumps(each) + "\n" for each in nuggets))
    files = []
    for name, labels in given.items():
        assigner, _, system = name.rpartition("/")
        answers = [{"run_id": system, "topic_id": topic, "references": [], "answer": [{"text": "x", "citations": []}]}
                   for topic in NUGGETS]  # fmt: skip
        records = [
            {"run_id": system, "qid": topic, "nuggets": [
                {"text": text(topic, at), "importance": importance, "assignment": label}
                for at, (importance, label) in enumerate(zip(NUGGETS[topic], labels[topic], strict=True)) if label
            ]}
            for topic in NUGGETS if any(labels[topic])
        ]  # fmt: skip
        for kind, listed in (("answers", answers), (f"assigned-{assigner}", records)):
            if listed:
                files.append(folder / f"{system}.{kind}.jsonl")
                files[-1].write_text("".join(json.dumps(each) + "\n" for each in listed))
    shown = irviewer.answers("worklist", folder / "nuggets.jsonl", files, score=measure)
    assert isinstance(shown.value, LabellingWork)
    return shown.value


def drawn(seed: int, lacking: float) -> dict[str, list[str | None]]:
    draw = random.Random(seed)
    return {topic: [None if draw.random() < lacking else draw.choice(list(CREDIT)) for _ in listed]
            for topic, listed in NUGGETS.items()}  # fmt: skip


@pytest.mark.parametrize("measure", ["V", "V_strict", "W"])
@pytest.mark.parametrize("seed", range(3))
def test_bounds_are_those_of_all_labels_that_are_possible(seed: int, measure: str, tmp_path: Path) -> None:
    given = {"s1": drawn(seed, 0.5), "s2": drawn(seed + 10, 0.3), "s3": drawn(seed + 20, 0)}
    result = work(tmp_path, given, measure)
    ends = {}
    for system, labels in given.items():
        places = [(topic, at) for topic in NUGGETS for at, label in enumerate(labels[topic]) if label is None]
        means = []
        for filled in product(CREDIT, repeat=len(places)):
            whole = {topic: list(labels[topic]) for topic in NUGGETS}
            for (topic, at), label in zip(places, filled, strict=True):
                whole[topic][at] = label
            if measure == "V_strict":
                whole = {topic: ["not_support" if label == "partial_support" else label for label in each]
                         for topic, each in whole.items()}  # fmt: skip
            means.append(score(whole, measure))
        ends[system] = min(means), max(means)
        row = next(each for each in result.systems if each.system == system)
        assert (row.low, row.high) == pytest.approx(ends[system], abs=1e-12)
        assert row.lacking == len(places)
        moves = [each.moves for each in result.answers if each.system == system]
        assert sum(moves) == pytest.approx(row.high - row.low, abs=1e-12)
    for row in result.systems:
        others = [end for system, end in ends.items() if system != row.system]
        low, high = ends[row.system]
        overlap = [end for end in others if low < end[1] and end[0] < high]
        assert row.open_pairs == len(overlap)
    weights = [each.moves * each.open_pairs for each in result.answers]
    assert weights == sorted(weights, reverse=True)


def test_answers_that_nobody_labelled_lack_all_labels(tmp_path: Path) -> None:
    nothing: Given = {topic: [None] * len(listed) for topic, listed in NUGGETS.items()}
    result = work(tmp_path, {"new": nothing, "s": drawn(1, 0)}, "V_strict")
    new = next(each for each in result.systems if each.system == "new")
    assert (new.lacking, new.low, new.open_pairs) == (6, 0.0, 1)
    assert [(each.topic, each.lacking) for each in result.answers if each.system == "new"] == [
        ("a", 3), ("b", 2), ("c", 1),
    ]  # fmt: skip


def test_systems_without_any_label_are_open_against_each_other(tmp_path: Path) -> None:
    """Their bounds are equal, and either may be the better one; bounds without width are no open pair."""
    nothing: Given = {topic: [None] * len(listed) for topic, listed in NUGGETS.items()}
    result = work(tmp_path, {"new": nothing, "newer": nothing, "s": drawn(1, 0), "same": drawn(1, 0)}, "V_strict")
    assert {each.system: each.open_pairs for each in result.systems} == {"new": 3, "newer": 3, "s": 2, "same": 2}


def test_a_label_of_any_assigner_is_one_and_differing_labels_are_counted(tmp_path: Path) -> None:
    first: Given = {"a": ["support", None, None], "b": ["support", "support"], "c": ["support"]}
    second: Given = {"a": ["not_support", "support", "support"], "b": ["support", None], "c": [None]}
    result = work(tmp_path, {"x/s": first, "y/s": second}, "V_strict")
    assert [(each.system, each.lacking) for each in result.systems] == [("s", 0)]
    assert [(each.topic, each.differ, each.lacking) for each in result.answers] == [("a", 1, 0)]


def test_a_measure_of_other_things_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="does not depend on these labels"):
        work(tmp_path, {"s": drawn(1, 0)}, "Length")
