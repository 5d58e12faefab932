"""CSV for spreadsheets: no cell is a formula, numbers are the same, and only on request."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

import irviewer
from irviewer.__main__ import main
from irviewer.tables.spreadsheet import guarded

FORMULAS = ["=1+1", "+cmd|x", "-a", "@SUM(1)", "-", "\t=1", "\n=1", "＝1", "-1+2", "+1 2", '=HYPERLINK("x,y")']
PLAIN = ["a", "-1", "+1.5", "-.5", "-1e-05", "+1E+7", "", "a=b", "1-2", "'=1"]


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_formulas_get_an_apostrophe_and_all_else_stays(delimiter: str) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows([FORMULAS, PLAIN])
    read = list(csv.reader(io.StringIO(guarded(out.getvalue(), delimiter), newline=""), delimiter=delimiter))
    assert read == [[f"'{cell}" for cell in FORMULAS], PLAIN]


def test_a_cell_may_be_long() -> None:
    text = "x" * 200_000 + ",=1\n"
    assert guarded(text) == "x" * 200_000 + ",'=1\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "qrels").write_text("=q 0 =d 1\n=q 0 b 0\n")
    (tmp_path / "=run").write_text("=q Q0 =d 1 2 t\n=q Q0 -x 2 1 t\n")
    return str(tmp_path / "qrels"), str(tmp_path / "=run")


COMMANDS: dict[str, Callable[[str, str], list[str]]] = {
    "evaluate": lambda qrels, run: ["evaluate", qrels, run, "-q", "-m", "AP"],
    "compare": lambda qrels, run: ["compare", qrels, run, run, "-m", "AP"],
    "dialects": lambda qrels, run: ["dialects", qrels, run],
    "failures": lambda qrels, run: ["failures", qrels, run],
    "pool": lambda qrels, run: ["pool", qrels, run, "--worklist", "--unjudged", "pooled"],
    "similarity": lambda qrels, run: ["similarity", run, run],
    "curves": lambda qrels, run: ["curves", qrels, run],
    "explain": lambda qrels, run: ["explain", qrels, run, "-q", "=q", "-m", "AP"],
    "paper": lambda qrels, run: ["paper", qrels, run, run, "-m", "AP"],
    "agreement": lambda qrels, run: ["agreement", qrels, qrels],
    "convert": lambda qrels, run: ["convert", run, "-", "--to", "csv"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_with_csv(name: str, files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    words = COMMANDS[name](*files)
    words += [] if name == "convert" else ["--format", "csv"]
    main(words)
    plain = capsys.readouterr().out
    main([*words, "--spreadsheet"])
    assert capsys.readouterr().out == guarded(plain) != ""
    if name in ("evaluate", "convert"):
        assert "=q" in plain
        assert guarded(plain) != plain
    other = [word if word != "csv" else {"convert": "trec", "paper": "html"}.get(name, "json") for word in words]
    assert main([*other, "--spreadsheet"]) == 2
    assert "--spreadsheet is for CSV and TSV" in capsys.readouterr().err


def test_saved_from_python(tmp_path: Path) -> None:
    result = irviewer.evaluate({"=q": {"a": 1}}, {"=q": {"a": 1.0}}, "AP")
    for ending in ("csv", "tsv"):
        result.save(tmp_path / f"plain.{ending}", "queries")
        result.save(tmp_path / f"guarded.{ending}", "queries", spreadsheet=True)
        plain = (tmp_path / f"plain.{ending}").read_text()
        assert "\n=q" in plain or "=q" in plain
        assert (tmp_path / f"guarded.{ending}").read_text() == plain.replace("=q", "'=q")
