"""What a track would say of answers, and the mended copy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.formats.load import load
from irviewer.model.run import Run

TOPIC = "topic_id"


def answer(topic: str, references: list[str], sentences: list[tuple[str, list[object]]], length: int) -> str:
    listed = [{"text": text, "citations": cited} for text, cited in sentences]
    return json.dumps({"run_id": "s", TOPIC: topic, "topic": f"<i>{topic}</i>", "references": references,
                       "response_length": length, "answer": listed, "team": "t"})  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    many = [f"r{number}" for number in range(22)]
    (tmp_path / "a.jsonl").write_text("\n".join([
        answer("1", ["a", "b", "a"], [("One two.", [0, 1, 2, 7]), (" ", [1]), ("Three.", [-1])], 3),
        answer("2", many, [("word " * 401, [21])], 401),
        answer("unknown", ["a"], [("Two words.", [0])], 9),
    ]))  # fmt: skip
    (tmp_path / "topics.tsv").write_text("1\tfirst\n2\tsecond\n3\tthird\n")
    (tmp_path / "context.run").write_text("1 Q0 a 1 2 c\n2 Q0 r0 1 2 c\n2 Q0 r21 2 1 c\n")
    return tmp_path


def test_what_a_track_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--topics", str(folder / "topics.tsv"), "--context", str(folder / "context.run")]
    assert main(["check", str(folder / "a.jsonl"), *options]) == 0
    said = capsys.readouterr().out
    for text in (
        "1 topic has no answer: 3", "1 answer is to a topic that is not among the topics: unknown",
        # b of the first, 20 of the second, a of the third
        "22 documents that are cited or listed are not in the context of their topics: 1, 2, unknown",
        "1 answer has more than 20 references: 2", "1 answer has more than 400 words: 2",
        "1 answer states another length than its text has: unknown", "1 sentence is empty",
        "2 citations have a place that the references lack",
    ):  # fmt: skip
        assert text in said, text


def test_a_mended_copy_says_what_was_done(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = folder / "a.jsonl", folder / "mended.jsonl"
    before = source.read_bytes()
    assert main(["check", str(source), "--topics", str(folder / "topics.tsv"), "--fix", str(target)]) == 0
    said = capsys.readouterr().out
    for text in (
        "1 answer to an unknown topic was removed", "1 empty sentence was removed",
        "1 reference that was listed twice was removed", "2 citations that lead to no reference were removed",
        "1 citation that a sentence has twice was removed",
        "2 references beyond the limit that no sentence cites were removed",
    ):  # fmt: skip
        assert text in said, text
    assert source.read_bytes() == before
    run = load(target, kind="run").value
    assert isinstance(run, Run) and run.answered is not None and run.answered.answers is not None
    answers = run.answered.answers
    assert answers.topics == ("1", "2")
    assert answers.references_of("1") == ["a", "b"]
    assert answers.references_of("2") == [*(f"r{number}" for number in range(19)), "r21"]
    assert [answers.cited_by(row) for row in range(3)] == [["a", "b"], [], ["r21"]]
    assert answers.sentences_of("1") == ["One two.", "Three."]
    assert [json.loads(more) for more in answers.more] == [{"team": "t"}] * 2
    assert main(["check", str(target), "--topics", str(folder / "topics.tsv"), "--fix", str(folder / "x.jsonl")]) == 0
    assert "nothing was to mend" in capsys.readouterr().out
    assert (folder / "x.jsonl").read_bytes() == target.read_bytes()


def test_a_mended_copy_is_not_the_source_and_of_one_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(folder / "a.jsonl")
    assert main(["check", source, "--fix", source]) == 2
    assert "is the file that is read" in capsys.readouterr().err
    assert main(["check", str(folder / "context.run"), "--fix", str(folder / "x")]) == 2
    assert "--fix mends answers, and no file that is given has any" in capsys.readouterr().err


def test_labels_that_are_not_of_the_nuggets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A topic that the nuggets lack; one nugget fewer; one that is reworded; the same text twice is two."""

    def record(topic: str, texts: list[str], more: dict[str, str]) -> str:
        return json.dumps({"qid": topic, **more, "nuggets": [{"text": text, "importance": "vital",
                                                              **({"assignment": "support"} if more else {})}
                                                             for text in texts]})  # fmt: skip

    nuggets, labels = tmp_path / "n.jsonl", tmp_path / "l.jsonl"
    nuggets.write_text("\n".join(record(*each, {}) for each in (("1", ["a", "b"]), ("2", ["c", "c"]))))
    labels.write_text("\n".join(
        record(*each, {"run_id": "s"}) for each in (("1", ["a"]), ("2", ["C", "c"]), ("9", ["z"]))
    ))  # fmt: skip
    assert (
        "1 topic has labels, and the nuggets lack it: it is not evaluated (9)"
        in irviewer.evaluate(nuggets, labels, ["V"]).cautions
    )
    assert main(["check", str(nuggets), str(labels)]) == 0
    said = capsys.readouterr().out
    assert "1 topic has labels and no nuggets: 9" in said
    assert "1 nugget has no label: 1" in said
    assert "1 label is of a nugget that the nuggets do not have: 2" in said


def test_an_array_has_no_lines_to_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its items stand on no line of their own; and an answer that is null is an empty one, not another record."""
    path = tmp_path / "mine.json"
    records = [{"qid": "1", "answer": "One.", "references": ["a"]}, {"qid": "1", "answer": "Two.", "references": []},
               {"qid": "2", "answer": None, "references": []}]  # fmt: skip
    path.write_text(json.dumps(records))
    assert main(["answers", "sentences", "--duplicates", "refuse", str(path), str(path)]) == 2
    said = capsys.readouterr().err
    assert "has two answers to topic 1;" in said
    assert "(lines" not in said
    path.write_text(json.dumps(records[1:]))
    run = load(path, kind="run").value
    assert isinstance(run, Run) and run.answered is not None and run.answered.answers is not None
    assert run.answered.answers.topics == ("1", "2")
    assert run.answered.answers.sentences_of("2") == []
    path.write_text(json.dumps([{"qid": "1", "nuggets": []}, {"qid": "1", "nuggets": [{"text": "a"}]}]))
    assert main(["answers", "scores", str(path), str(path)]) == 2
    assert "topic 1 has two lists of nuggets; choose" in capsys.readouterr().err


def two_answers(path: Path) -> Path:
    lines = [answer("1", ["a"], [("One.", [0])], 1), answer("2", ["a"], [("Two.", [0])], 1),
             answer("1", ["a"], [("Other.", [0])], 1), answer("1", ["a"], [("Third.", [0])], 1)]  # fmt: skip
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize(
    ("options", "text"), [([], "the first is kept: 1 (lines 3, 4)"), (["--duplicates", "last"], "the last is kept: 1")]
)
def test_which_of_two_answers_is_kept_is_said(
    options: list[str], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(two_answers(tmp_path / "a.jsonl")), *options]) == 0
    assert f"1 topic has different answers; {text}" in capsys.readouterr().out


def test_a_mended_copy_does_not_choose_between_two_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, target = two_answers(tmp_path / "a.jsonl"), tmp_path / "mended.jsonl"
    assert main(["check", str(path), "--fix", str(target)]) == 2
    assert "two answers to topic 1 (lines 1 and 3); choose which one to keep" in capsys.readouterr().err
    assert not target.exists()
    assert main(["check", str(path), "--fix", str(target), "--duplicates", "last"]) == 0
    written = [json.loads(line) for line in target.read_text().splitlines()]
    assert {each[TOPIC]: each["answer"][0]["text"] for each in written} == {"1": "Third.", "2": "Two."}


def test_which_of_two_lists_of_nuggets_is_kept_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "n.jsonl"
    path.write_text("\n".join(json.dumps({"qid": "1", "nuggets": [{"text": text, "importance": "vital"}]})
                              for text in ("a", "b")))  # fmt: skip
    for options, text in (([], "the first"), (["--duplicates", "last"], "the last")):
        assert main(["check", str(path), *options]) == 0
        assert f"1 topic has different lists of nuggets; {text} is kept: 1 (line 2)" in capsys.readouterr().out


def test_a_record_without_an_answer_is_left_out_and_its_line_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    record = {"run_id": "s", TOPIC: "2", "references": ["a"]}
    path.write_text("\n".join([answer("1", ["a"], [("One.", [0])], 1), json.dumps(record)]))
    assert main(["check", str(path)]) == 0
    assert "1 record is not an answer and is left out (line 2)" in capsys.readouterr().out


def test_a_mended_copy_has_all_systems_of_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It had the first one alone, and did not say so."""
    source, target = tmp_path / "a.jsonl", tmp_path / "m.jsonl"
    first = answer("1", ["a"], [("One two.", [0, 7])], 2)
    other = first.replace('"s"', '"other"')
    source.write_text("\n".join([first, other, answer("2", [], [("Two.", [])], 9), "{cut"]))
    assert main(["check", str(source), "--fix", str(target)]) == 0
    said = capsys.readouterr().out
    for text in (
        "the answers of all 2 systems of the file are in it", "  s: 1 stated length was made that of the text",
        "  s: 1 citation that leads to no reference was removed",
        "  other: 1 citation that leads to no reference was removed", "  1 line that is no JSON object was left out",
    ):  # fmt: skip
        assert text in said, text
    records = [json.loads(line) for line in target.read_text().splitlines()]
    assert [(each["run_id"], each["topic_id"], each["response_length"]) for each in records] == [
        ("s", "1", 2), ("s", "2", 1), ("other", "1", 2),
    ]  # fmt: skip
    assert main(["check", str(source), "--part", "other", "--fix", str(target)]) == 0
    assert len(target.read_text().splitlines()) == 1
    source.write_text("\n".join([first, other, other.replace("One two.", "Another.")]))
    assert main(["check", str(source), "--fix", str(target)]) == 2
    assert "system other has two answers to topic 1" in capsys.readouterr().err
