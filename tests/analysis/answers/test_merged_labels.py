"""Labels of several assigners merged into those of one, against a plain loop over the files' own records."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from judges import judges_of

import irviewer
from irviewer.analysis.agreement.merge import Ties, merge
from irviewer.analysis.answers.merged_labels import RULES, TIES, Rule, _Merge
from irviewer.cli import main
from irviewer.errors import OptionError
from irviewer.model.answers.labels import UNJUDGED
from irviewer.model.judgments.panel import panel_of

WORDS = ("not_support", "partial_support", "support")
IMPORTANCE = ("vital", "okay")


def lines(path: Path, records: Sequence[object]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def drawn(folder: Path, seed: int, assigners: Sequence[str] = ("x", "y", "z")) -> tuple[Path, list[Path]]:
    """Three assigners, two systems, three topics; a label is lacking now and then."""
    draw = random.Random(seed)
    nuggets = {
        topic: [{"text": f"{topic}{n}", "importance": draw.choice(IMPORTANCE)} for n in range(4)] for topic in "abc"
    }
    files = []
    for assigner in assigners:
        records = [
            {"qid": topic, "run_id": system, "answer_text": f"{system} on {topic}", "nuggets": [
                {**nugget, "assignment": draw.choice(WORDS)} for nugget in listed if draw.random() < 0.8
            ]}
            for system in ("s1", "s2") for topic, listed in nuggets.items()
        ]  # fmt: skip
        files.append(lines(folder / f"{assigner}.jsonl", records))
    return lines(folder / "nuggets.jsonl", [{"qid": topic, "nuggets": each} for topic, each in nuggets.items()]), files


def by_loop(files: Sequence[Path], rule: Rule, ties: Ties) -> dict[tuple[str, str, str], str]:
    given: dict[tuple[str, str, str], list[int]] = {}
    for file in files:
        for record in map(json.loads, file.read_text().splitlines()):
            for nugget in record["nuggets"]:
                key = record["run_id"], record["qid"], nugget["text"]
                given.setdefault(key, []).append(WORDS.index(nugget["assignment"]))
    merged = {}
    for key, labels in given.items():
        if rule == "fill":
            label = labels[0]
        elif rule == "median":
            label = sorted(labels)[(len(labels) + 1) // 2 - 1]
        else:
            top = Counter(labels).most_common()
            often = [value for value, count in top if count == top[0][1]]
            if len(often) > 1 and ties == "unjudged":
                continue
            label = next(value for value in labels if value in often) if ties == "first" else (
                max(often) if ties == "higher" else min(often)
            )  # fmt: skip
        merged[key] = WORDS[label]
    return merged


def labels_in(file: Path) -> dict[tuple[str, str, str], str]:
    records = map(json.loads, file.read_text().splitlines())
    return {
        (record["run_id"], record["qid"], nugget["text"]): nugget["assignment"]
        for record in records for nugget in record["nuggets"]
    }  # fmt: skip


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("rule", RULES)
def test_every_rule_decides_as_a_loop_does(rule: Rule, ties: Ties, tmp_path: Path) -> None:
    for seed in range(3):
        nuggets, files = drawn(tmp_path, seed)
        merged = irviewer.merge_labels(files, rule, ties=ties, nuggets=nuggets, output=tmp_path / "m.jsonl")
        expected = by_loop(files, rule, ties)
        assert labels_in(tmp_path / "m.jsonl") == expected
        assert merged.labels == len(expected) and merged.assigners == ("x", "y", "z")
        every = [labels_in(file) for file in files]
        differ = {key for each in every for key in each if len({labels[key] for labels in every if key in labels}) > 1}
        assert {(each.system, each.topic, each.text) for each in merged.conflicts} == differ
        for each in merged.conflicts:
            key = each.system, each.topic, each.text
            assert {name: WORDS[label] for name, label in each.labels.items()} == {
                file.stem: labels[key] for file, labels in zip(files, every, strict=True) if key in labels
            }
            assert each.decided is None or WORDS[each.decided] == expected[key]


def test_labels_and_grades_are_merged_alike() -> None:
    """What is voted on is another thing, the rules and those of ties are the same."""
    draw = random.Random(5)
    rows = [[draw.choice((None, 0, 1, 2)) for _ in range(4)] for _ in range(200)]
    rows = [row for row in rows if row != [None] * 4]
    panel = panel_of(judges_of(list(zip(*rows, strict=True))))
    for rule, ties in itertools.product(RULES, TIES):
        merged = _Merge(rule, ties, {"s": "s"})
        labels = [
            merged.decided(
                "q", "s", "d", {str(judge): label for judge, label in enumerate(row) if label is not None}, 0
            )
            for row in rows
        ]
        whole = merge(panel, rule, ties=ties)
        grades = dict(zip(panel.doc_ids.to_pylist(), whole.grades.tolist(), strict=True))
        expected = [grades[f"d{place}"] for place in range(len(rows))]
        assert [math.nan if label == UNJUDGED else label for label in labels] == pytest.approx(expected, nan_ok=True)
        assert merged.tied == whole.ties


def test_equal_files_are_two_voices(tmp_path: Path) -> None:
    """Read as a system's files they are one; in a vote each counts."""
    nuggets, files = drawn(tmp_path, 1)
    (tmp_path / "z.jsonl").write_text(files[0].read_text())
    irviewer.merge_labels(files, nuggets=nuggets, output=tmp_path / "m.jsonl")
    first, second, merged = labels_in(files[0]), labels_in(files[1]), labels_in(tmp_path / "m.jsonl")
    assert any(first[key] != second.get(key, first[key]) for key in first)
    assert {key: merged[key] for key in first} == first


def test_labels_of_another_text_of_the_answer_take_no_part(tmp_path: Path) -> None:
    nuggets, (file, other) = drawn(tmp_path, 2, ("x", "y"))
    other.write_text(other.read_text().replace("s1 on a", "s1, quite another text"))
    merged = irviewer.merge_labels([file, other], "median", nuggets=nuggets)
    left = sum(key[:2] == ("s1", "a") for key in labels_in(other))
    assert left and dict(merged.other_text) == {"x": 0, "y": left}
    assert not any((each.system, each.topic) == ("s1", "a") for each in merged.conflicts)


def test_support_is_merged_citation_by_citation(tmp_path: Path) -> None:
    def file(name: str, *labels: object) -> Path:
        cited = [{"citationID": 0, "reference": "d1", "support": labels[0]},
                 {"citationID": 1, "reference": "d2", "support": labels[1]}]  # fmt: skip
        sentences = [{"sentenceID": 0, "text": "One.", "citations": cited},
                     {"sentenceID": 1, "text": "Two.", "citations": [{**cited[0], "support": labels[2]}]}]  # fmt: skip
        return lines(tmp_path / f"{name}.jsonl", [{"topic_id": "t", "run_id": "s", "sentences": sentences}])

    files = [file("x", 2, -1, 0), file("y", 0, 1, 0), file("z", 2, -1, -1)]
    merged = irviewer.merge_labels(files, labels="support", output=tmp_path / "m.jsonl")
    sentences = json.loads((tmp_path / "m.jsonl").read_text())["sentences"]
    assert [int(each["support"]) for sentence in sentences for each in sentence["citations"]] == [2, 1, 0]
    conflict = merged.conflicts[0]
    assert len(merged.conflicts) == 1
    assert (dict(conflict.labels), conflict.decided, conflict.text) == ({"x": 2, "y": 0, "z": 2}, 2, "1. One. → d1")
    assert (merged.labels, merged.single, merged.tied) == (3, 1, 0)


def test_the_command_writes_what_python_returns_and_lists_the_conflicts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nuggets, files = drawn(tmp_path, 0)
    merged = irviewer.merge_labels(files, nuggets=nuggets, output=tmp_path / "python.jsonl")
    arguments: list[Any] = ["answers", "merge", nuggets, *files, "--labels-to", tmp_path / "m.jsonl"]
    assert main.main(list(map(str, arguments))) == 0
    assert (tmp_path / "m.jsonl").read_bytes() == (tmp_path / "python.jsonl").read_bytes()
    said = capsys.readouterr().out
    first = merged.conflicts[0]
    assert f"{len(merged.conflicts)} on which assigners differ" in said
    assert first.text in said
    assert main.main(["answers", "agreement", str(nuggets), *map(str, files), "--merge", "majority"]) == 2
    assert "answers merge" in capsys.readouterr().err


def test_what_cannot_be_merged_is_refused(tmp_path: Path) -> None:
    nuggets, files = drawn(tmp_path, 0)
    with pytest.raises(OptionError, match="two assigners"):
        irviewer.merge_labels(files[:1], nuggets=nuggets)
    with pytest.raises(OptionError, match="no rule"):
        irviewer.merge_labels(files, "mean")  # type: ignore[arg-type]
