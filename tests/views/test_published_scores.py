"""Published scores of answers beside those computed here: equal, or the difference and the rule that has it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import irviewer
from irviewer.errors import DuplicateError, ParseError
from irviewer.formats.load import load
from irviewer.formats.registry import FORMATS
from irviewer.model.answers.systems import same_system
from irviewer.model.run import Run
from irviewer.views.published_scores import PublishedMeasure

NUGGETS = [
    ("a", "vital", "support"),
    ("b", "vital", "partial_support"),
    ("c", "okay", "support"),
    ("d", "??", "support"),
]
STRICT, WEIGHTED, AS_OKAY = 1 / 2, (1 + 0.5 + 0.5) / 2.5, (1 + 0.5 + 0.5 + 0.5) / 3
"""By hand: V_strict; W, where the odd nugget counts nowhere; W, where it counts as an okay one."""


def written(folder: Path, name: str, *records: object) -> str:
    path = folder / name
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def system(folder: Path) -> tuple[str, str]:
    listed = [{"text": text, "importance": importance, "assignment": label} for text, importance, label in NUGGETS]
    plain = [{key: value for key, value in each.items() if key != "assignment"} for each in listed]
    return (
        written(folder, "nuggets.jsonl", *({"qid": topic, "nuggets": plain} for topic in "12")),
        written(folder, "assigned.jsonl", *({"qid": topic, "run_id": "gpt-4o", "nuggets": listed} for topic in "12")),
    )  # fmt: skip


def published(folder: Path, *files: str) -> tuple[PublishedMeasure, ...]:
    shown = irviewer.answers("scores", system(folder)[0], [system(folder)[1], *files])
    assert "published" in shown.tables
    measures: tuple[PublishedMeasure, ...] = shown.value.published
    return measures


def test_equal_scores_are_counted_and_others_named_with_their_topic_and_rule(tmp_path: Path) -> None:
    file = written(
        tmp_path, "gpt_4o.jsonl",
        {"qid": "1", "strict_vital_score": STRICT, "weighted_score": AS_OKAY, "all_score": 0.1},
        {"qid": "2", "strict_vital_score": STRICT, "weighted_score": AS_OKAY, "all_score": 3.5 / 4},
        {"qid": "9", "strict_vital_score": 0.0}, {"qid": "all", "strict_vital_score": 0.3},
    )  # fmt: skip
    strict, weighted, every = published(tmp_path, file)
    assert (strict.run, strict.topics, strict.equal, strict.other, strict.topic) == (
        "gpt-4o",
        2,
        2,
        1,
        "",
    )
    assert (weighted.equal, weighted.ours, weighted.theirs) == (0, WEIGHTED, AS_OKAY)
    assert weighted.rule == "NuggetR(weight='weighted',odd='okay')"
    assert (every.topics, every.equal, every.topic, every.theirs, every.rule) == (2, 1, "1", 0.1, "")


def test_rows_of_run_topic_measure_and_value_are_read(tmp_path: Path) -> None:
    file = tmp_path / "scores.txt"
    file.write_text("run topic measure value\ngpt-4o\t1\tV_strict\t0.5\ngpt-4o 2 W 0.75\n")
    strict, weighted = published(tmp_path, str(file))
    long = tmp_path / "long.txt"  # it was read as qrels
    long.write_text("gpt-4o 1 NuggetR(weight='vital',strict=True) 0.5\n")
    assert [(each.topics, each.equal) for each in published(tmp_path, str(long))] == [(1, 1)]
    assert (strict.topics, strict.equal, strict.missing) == (1, 1, 1)
    assert (weighted.equal, weighted.topic, weighted.ours) == (0, "2", WEIGHTED)


@pytest.mark.parametrize("line", ["1 0 d 1\n", "1 Q0 d 1 2.5 x\n", "s 1 AP 0.5\n"])
def test_rows_of_others_are_not_taken_for_scores(line: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(line)
    titles = {each.title for each in FORMATS if each.name.startswith("published")}
    assert load(path).report.format not in titles


def test_scores_of_a_system_that_is_not_open_are_said_and_add_no_run(tmp_path: Path) -> None:
    nuggets, assigned = system(tmp_path)
    file = written(tmp_path, "other.jsonl", {"qid": "1", "vital_score": 0.5})
    shown = irviewer.answers("scores", nuggets, [assigned, file])
    assert shown.value.runs == ("gpt-4o",)
    assert "other belong to no system" in " ".join(shown.value.cautions)


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [("gpt-4o", "GPT_4o", True), ("run-1-2", "run_1.2", True), ("-a", "a.", True), ("k1.2", "k12", False),
     ("v1 (2)", "v12", False), ("ü1.b", "ü1b", True), ("--", "..", False)],
)  # fmt: skip
def test_names_of_a_system_differ_in_punctuation_but_not_in_numbers(name: str, other: str, same: bool) -> None:
    """Scores of k1.2 were those of k12."""
    assert same_system(name, other) is same_system(other, name) is same


def test_what_is_no_score_is_left_out_and_two_values_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "s.jsonl", {"qid": "1", "vital_score": "none", "all_score": 0.25}, {"qid": "2"})
    loaded = load(path, kind="run")
    notes = " ".join(each.text for each in loaded.report.findings)
    assert isinstance(loaded.value, Run) and loaded.value.answered is not None
    assert [(each.name, dict(each.by_topic)) for each in loaded.value.answered.foreign] == [("all_score", {"1": 0.25})]
    assert "no number" in notes and "another kind" in notes and "file’s name, s" in notes
    twice = written(tmp_path, "t.jsonl", {"qid": "1", "vital_score": 0.5}, {"qid": "1", "vital_score": 0.6})
    with pytest.raises(DuplicateError, match=r"two values of vital_score .lines 1 and 2."):
        load(twice, kind="run")


def test_the_published_scores_of_the_track_are_met(data: Path, tmp_path: Path) -> None:
    track = data / "trec-rag-2024"
    if not track.exists():
        pytest.skip("the answers of TREC RAG 2024 are not here")
    files = [str(path) for name in ("assignments", "metrics") for path in sorted((track / name).glob("*.gz"))]
    shown = irviewer.answers("scores", str(next((track / "nuggets").glob("*.gz"))), files)
    rows = shown.value.published
    assert len(rows) == 12
    assert {(row.topics, row.equal, row.missing, row.other) for row in rows} == {(201, 201, 0, 0)}


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-8-sig"])
def test_rows_of_scores_are_read_in_other_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "scores.tsv"
    path.write_bytes("Größe\t1\tV_strict\t0.5\nGröße\t2\tV_strict\t0.25\n".encode(encoding))
    loaded = load(path)
    assert loaded.report.format in {each.title for each in FORMATS if each.name.startswith("published")}
    assert isinstance(loaded.value, Run)
    assert loaded.value.name == "Größe"


def test_a_record_whose_topic_is_null_is_left_out(tmp_path: Path) -> None:
    file = written(tmp_path, "x.jsonl", {"qid": "1", "vital_score": 1}, {"qid": None, "vital_score": 0.5})
    assert any("1 record has no topic" in text and "(line 2)" in text for text in load(Path(file)).report.warnings)
    file = written(tmp_path, "y.jsonl", {"qid": None, "vital_score": 0.5})
    with pytest.raises(ParseError, match=r"y\.jsonl:1: the record has no topic"):
        load(Path(file))
