"""A file that holds several runs by name gives all of them, in Python and on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import irviewer
from irviewer.cli.main import main

RUNS = {"bm25": {"q1": {"d1": 2.0, "d2": 1.0}}, "dense": {"q1": {"d2": 2.0, "d1": 1.0}}}
QRELS = {"q1": {"d1": 1}}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    (tmp_path / "q.qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "runs.json").write_text(json.dumps(RUNS))
    rows = ["tag,query_id,doc_id,score"]
    rows += [f"{name},{query},{doc},{score}" for name, run in RUNS.items() for query, ranked in run.items()
             for doc, score in ranked.items()]  # fmt: skip
    (tmp_path / "runs.csv").write_text("\n".join(rows) + "\n")
    return [tmp_path / name for name in ("q.qrels", "runs.json", "runs.csv")]


@pytest.mark.parametrize("number", [1, 2])
def test_all_runs_are_evaluated(files: list[Path], number: int, capsys: pytest.CaptureFixture[str]) -> None:
    expected = irviewer.evaluate(QRELS, RUNS, "AP")
    result = irviewer.evaluate(files[0], files[number], "AP")
    assert result.runs == expected.runs == ("bm25", "dense")
    assert result.means.tolist() == expected.means.tolist() == [[1.0, 0.5]]
    assert main(["evaluate", str(files[0]), str(files[number]), "-m", "AP", "--format", "csv"]) == 0
    assert [line.split(",")[0] for line in capsys.readouterr().out.splitlines()[1:]] == ["bm25", "dense"]


def test_beside_other_files_names_stay_different(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", *map(str, files), "-m", "AP", "--format", "csv"]) == 0
    names = [line.split(",")[0] for line in capsys.readouterr().out.splitlines()[1:]]
    assert names == ["bm25", "dense", "bm25 (2)", "dense (2)"]
