"""A measure has one name in data at every door: the canonical one, with the level that its values were computed by."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from irviewer.cli.main import main

ROWS = [("1", "a", 2), ("1", "b", 1), ("2", "c", 2), ("2", "a", 0), ("3", "b", 3), ("3", "c", 1)]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "qrels").write_text("".join(f"{query} 0 {document} {grade}\n" for query, document, grade in ROWS))
    for name, order in (("base", "bca"), ("other", "abc")):
        (tmp_path / name).write_text(
            "".join(f"{query} Q0 {d} 1 {3 - n} t\n" for query in "123" for n, d in enumerate(order))
        )
    return [str(tmp_path / name) for name in ("qrels", "base", "other")]


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(("level", "name"), [("1", "AP"), ("2", "AP(rel=2)")])
def test_one_name_in_data(files: list[str], capsys: pytest.CaptureFixture[str], level: str, name: str) -> None:
    words = [*files, "-m", "AP", "-l", level]
    for command in (["evaluate"], ["show", "systems"], ["paper"]):
        (header, *_) = csv.reader(io.StringIO(printed(capsys, *command, *words, "--format", "csv")))
        assert name in header, command
    rows = csv.DictReader(io.StringIO(printed(capsys, "show", "query", *words, "--query", "1", "--format", "csv")))
    assert [row["measure"] for row in rows] == [name]
    for before, after in ((["compare"], []), (["slices"], ["--by", "relevant"]), (["show", "systems"], [])):
        document = json.loads(printed(capsys, *before, *words, *after, "--format", "json"))
        assert name in json.dumps(document["tables"]), before
    for command in ("systems", "queries"):
        assert name in printed(capsys, "show", command, *words).splitlines()[2]


def test_both_names_of_a_measure_are_one_column(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = [*files, "-m", "AP", "-m", "AP(rel=2)", "-l", "2", "--format", "csv"]
    for command in (["evaluate"], ["show", "systems"]):
        (header, *_) = csv.reader(io.StringIO(printed(capsys, *command, *words)))
        assert header.count("AP(rel=2)") == 1 and "AP" not in header
