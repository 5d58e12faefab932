"""Ids that match nothing on the command line: an error line, what would help, and no comparison."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from irviewer.cli import main
from irviewer.tables.writers.registry import WRITERS
from tests.helpers.unlike_ids import write_unlike


def outcome_of(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main.main(words)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize(
    ("name", "said", "offered"),
    [
        ("hash", "has no judged document in any of 30 queries", "--ids chunk --rollup best"),
        ("chunks", "has no judged document in any of 30 queries", "--ids number --rollup best"),
        ("prefixed", "has no judged document in any of 30 queries", "--ids prefix"),
        ("queries", "has no query of the qrels", "--query-ids prefix"),
        ("others", "has no judged document in any of 30 queries", ""),
    ],
)
def test_evaluate_says_so_and_what_would_help(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, said: str, offered: str
) -> None:
    files = write_unlike(tmp_path, name)
    status, out, err = outcome_of(capsys, "evaluate", *files, "-m", "AP")
    assert status == 2
    assert "0.0000" in out
    line = next(line for line in err.splitlines() if line.startswith("irviewer: error: "))
    assert f"run {name} {said}" in line
    assert offered in line
    assert ("; --" in line) == bool(offered)
    if offered:
        status, out, err = outcome_of(capsys, "evaluate", *files, "-m", "AP", *offered.split())
        assert status == 0
        assert "error" not in err
        assert "0.0000" not in out


@pytest.mark.parametrize("form", ["csv", "tsv", "table"])
def test_it_is_said_once_on_standard_error(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    files = write_unlike(tmp_path, "docs", "chunks")
    _, _, err = outcome_of(capsys, "evaluate", *files, "-m", "AP", "--format", form)
    assert err.count("run chunks has no judged document") == 1


@pytest.mark.parametrize("words", [("--jobs", "1"), ("--format", "trec"), ("--format", "json"), ("--complete",)])
def test_evaluate_ends_with_the_status_of_undecided_in_each_mode(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    files = write_unlike(tmp_path, "docs", "chunks")
    status, out, err = outcome_of(capsys, "evaluate", *files, "-m", "AP", *words)
    assert status == 2
    assert "irviewer: error: run chunks has no judged document" in err
    assert out  # the values of the other run are printed
    assert outcome_of(capsys, "evaluate", *files[:2], "-m", "AP", *words)[0] == 0


def test_every_command_on_runs_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = write_unlike(tmp_path, "chunks", "docs")
    for words in (
        ("curves", *files), ("explain", *files[:2], "-q", "1", "-m", "AP"), ("pool", *files), ("failures", *files),
        ("dialects", *files), ("show", "systems", *files),
    ):  # fmt: skip
        status, _, err = outcome_of(capsys, *words)
        assert "irviewer: error: run chunks has no judged document" in err, words
        assert status == 2, words


def rows_of(text: str, form: str) -> list[object]:
    """What a report says of each run beside the baseline."""
    if form == "json":
        return [row for table in json.loads(text)["tables"] for row in table["rows"]]
    if form in ("csv", "tsv"):
        rows = csv.DictReader(io.StringIO(text), delimiter="," if form == "csv" else "\t")
        return list(rows)
    starts = ("docs", "| docs", "chunks", "| chunks", "prefixed", "| prefixed")
    return [line for line in text.splitlines() if line.startswith(starts)]


@pytest.mark.parametrize("form", [writer.name for writer in WRITERS if writer.name not in ("arrow", "parquet")])
def test_compare_decides_nothing_of_them(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    files = write_unlike(tmp_path, "docs", "docs_too", "chunks", "prefixed")
    status, out, err = outcome_of(capsys, "compare", *files[:3], "-m", "AP", "--format", form)
    assert (status, "error" in err) == (0, False)
    alone = rows_of(out, form)
    status, out, err = outcome_of(capsys, "compare", *files, "-m", "AP", "--format", form)
    assert status == 2
    assert "irviewer: error: 2 runs (chunks, prefixed) have no judged document" in err
    assert "; chunks: --ids number --rollup best; prefixed: --ids prefix" in err
    assert rows_of(out, form) == alone
    assert "have no judged document" in out + err  # among the notes of the table, wherever it goes
    for words in ((files[0], *files[3:]), (files[0], files[3], *files[1:3])):  # nobody is left, or no baseline
        status, out, err = outcome_of(capsys, "compare", *words, "-m", "AP", "--format", form)
        assert (status, out) == (2, "")
        assert "no comparison possible" in err
        assert " p " not in err


@pytest.mark.parametrize("command", ["stability", "medians", "measure-agreement"])
def test_nor_do_other_tables_of_all_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    status, out, err = outcome_of(capsys, command, *write_unlike(tmp_path, "docs", "docs_too", "chunks"))
    assert (status, out) == (2, "")
    assert f"irviewer {command} needs judged documents in every run" in err


def test_the_sample_has_no_warning(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = samples / "cranfield"
    files = [str(folder / "qrels.txt"), *map(str, sorted((folder / "runs").iterdir()))]
    assert outcome_of(capsys, "evaluate", *files, "-m", "AP")[2] == ""
    status, out, err = outcome_of(capsys, "compare", *files[:3], "-m", "AP", "--format", "json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert "unjudged: unknown" in answer.pop("protocol")["line"]
    assert "judged" not in json.dumps([answer["tables"], answer["notes"]])


def test_json_says_which_runs_the_qrels_know_nothing_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who reads the numbers by a program is told as well: always the same keys, empty where there is nothing. CSV has
    no place for it, and is the same as ever."""
    files = write_unlike(tmp_path, "docs", "chunks", "queries")
    status, out, err = outcome_of(capsys, "evaluate", *files, "-m", "AP", "--format", "json")
    report = json.loads(out)
    assert status == 2
    said = [note for note in report["notes"] if note["code"] == "unmatched"]
    assert [note["values"] for note in said] == [
        {"runs": ["queries"], "of": "queries"}, {"runs": ["chunks"], "of": "documents"}
    ]  # fmt: skip
    assert all(note["text"] in err for note in said)
    known = json.loads(outcome_of(capsys, "evaluate", *files[:2], "-m", "AP", "--format", "json")[1])
    assert known["notes"] == []
    assert known.keys() == report.keys()
    status, out, err = outcome_of(capsys, "evaluate", *files, "-m", "AP", "--format", "csv")
    assert [line.split(",")[0] for line in out.splitlines()] == ["run", "docs", "chunks", "queries"]
    assert "run chunks has no judged document" in err
