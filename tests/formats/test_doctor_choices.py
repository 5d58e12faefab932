"""Choices of the file doctor about what a file holds: codes that nobody explained, several runs, query ids."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.cli import main
from irviewer.formats.doctor import MOST_PARTS, Choice, ReadOptions, diagnose, treated
from irviewer.formats.load import load
from irviewer.formats.registry import format_named
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


def choice_of(topic: str, *arguments: object) -> Choice:
    choices = diagnose(*arguments).choices  # type: ignore[arg-type]
    (choice,) = [each for each in choices if each.topic == topic]
    return choice


def test_the_code_nobody_explained_is_read_in_five_ways(small: Path) -> None:
    path = small / "collections" / "cranqrel"
    choice = choice_of("codes", load(path))
    assert len(choice.options) == 5
    assert [option.read_options.format for option in choice.options if option.chosen] == ["cranfield"]
    lines = path.read_text().split("\n")
    query, document, _ = next(line.split() for line in lines if line.split()[2:] == ["-1"])
    grades = {}
    for option in choice.options:
        assert option.read_options.format is not None
        assert format_named(option.read_options.format).read is not None
        loaded = load(path, format=option.read_options.format)
        assert isinstance(loaded.value, Qrels)
        grades[option.read_options.format] = loaded.value.judgments(query).get(document)
        again = choice_of("codes", loaded, None, option.read_options)
        assert [option.read_options for option in again.options if option.chosen] == [option.read_options]
    assert grades == {
        "cranfield": 5, "cranfield-best": 4, "cranfield-least": 1, "cranfield-zero": 0, "cranfield-without": None,
    }  # fmt: skip


def test_one_of_several_runs_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "runs.csv"
    rows = [f"{q},d{n},{9 - n},{tag}" for tag in ("bm25", "dense") for q in (1, 2) for n in range(3)]
    path.write_text("query_id,doc_id,score,run\n" + "\n".join(rows) + "\n")
    loaded = load(path)
    choice = choice_of("part", loaded)
    assert [(option.title, option.chosen) for option in choice.options] == [("bm25", True), ("dense", False)]
    wanted = choice.options[1].read_options
    assert wanted == ReadOptions(part="dense")
    assert wanted.words == ("dense is read, one of several",)
    again = load(path, part="dense")
    assert isinstance(again.value, Run)
    assert again.value.tag == "dense"
    assert [option.title for option in choice_of("part", again, None, wanted).options if option.chosen] == ["dense"]
    assert not again.report.warnings
    assert main.main(["check", str(path), "--part", "dense"]) == 0
    output = capsys.readouterr().out
    assert "--part dense  dense  ← as read here" in output, output


def test_of_many_runs_the_first_are_offered_and_the_one_that_was_chosen(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text("query_id,doc_id,score,run\n" + "".join(f"1,d,{n},t{n}\n" for n in range(30)))
    options = choice_of("part", load(path, part="t28"), None, ReadOptions(part="t28")).options
    assert len(options) == MOST_PARTS
    assert [option.title for option in options if option.chosen] == ["t28"]


def test_query_ids_are_offered_and_come_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "qrels").write_text("".join(f"{q} 0 d{q} 1\n" for q in range(1, 9)))
    (tmp_path / "padded.run").write_text("".join(f"{q:03} Q0 d{q} 1 1 t\n" for q in range(1, 9)))
    qrels, loaded = load(tmp_path / "qrels").value, load(tmp_path / "padded.run")
    assert isinstance(qrels, Qrels)
    choice = choice_of("queries", loaded, qrels)
    assert [option.read_options for option in choice.options if option.chosen] == [ReadOptions()]
    wanted = choice.options[1].read_options
    assert wanted == ReadOptions(queries="zeros")
    assert wanted.arguments == "--query-ids zeros"
    assert "001 → 1; 8 of 8 judged queries are in the run (now 0)" in choice.options[1].title
    again = treated(loaded, wanted, qrels)
    assert isinstance(again.value, Run)
    assert again.value.query_ids == qrels.query_ids
    assert "8 of 8 are now in the qrels" in again.report.warnings[-1]
    assert [option.read_options for option in choice_of("queries", again, qrels, wanted).options if option.chosen] == [
        wanted
    ]
    arguments = ["evaluate", str(tmp_path / "qrels"), str(tmp_path / "padded.run"), "-m", "P@1", "--query-ids"]
    assert main.main([*arguments, "zeros"]) == 0
    out, err = capsys.readouterr()
    assert "1.0000" in out
    assert "query ids matched by the rule zeros" in err
    assert main.main([*arguments, "chunk"]) == 2


def test_what_the_user_chooses_for_a_file_is_reported() -> None:
    now = ReadOptions(kind="qrels", format="csv", part="a b")
    assert now.words == ("read as csv qrels, as requested", "a b is read, one of several")
    assert now.arguments == "--kind qrels --from csv --part 'a b'"
