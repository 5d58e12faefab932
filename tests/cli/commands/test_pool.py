"""``irviewer pool``: the table and its other forms, under each regime."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from irviewer.cli import main


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two runs: the first found a and an unjudged x, the second b below a non-relevant c."""
    texts = {
        "q.qrels": "1 0 a 1\n1 0 b 1\n1 0 c 0\n1 0 z 1\n",
        "one.run": "1 Q0 a 1 9 t\n1 Q0 x 2 8 t\n",
        "two.run": "1 Q0 x 1 9 t\n1 Q0 c 2 8 t\n1 Q0 b 3 7 t\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in texts]


def test_table(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["pool", *files, "-m", "RR", "-k", "1,2", "-p", "0.5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("pooled judgments: ")
    assert lines[3].split() == ["one", "1", "1", "0.0000", "0.5000", "0.5000"]
    assert lines[4].split() == ["two", "1", "1", "1.0000", "0.5000", "0.6250"]
    assert lines[5] == "found by no run: 1 of 3 relevant documents"
    assert lines[8].split() == ["one", *["1.0000"] * 5, "0.0000", "1", "→", "2"]
    assert lines[9].split() == ["two", "0.3333", "0.3333", "0.3333", "1.0000", "1.0000", "0.0000", "2"]
    # x, which both return, would make "two" as good as "one", and no better.
    assert lines[10] == "More judgments could not reverse the order of any two runs."
    assert lines[12:] == [
        "least and most: unjudged documents may have any grade from 0 to 1; documents that were not retrieved are "
        "assumed not to change"
    ]


def test_what_could_be_turned_round_is_shown_with_its_bounds(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path(files[2]).write_text("1 Q0 y 1 9 t\n1 Q0 x 2 8 t\n1 Q0 v 3 7 t\n")
    assert main.main(["pool", *files, "-m", "P@3 gm_map AP", "--no-leave-out"]) == 0
    out = capsys.readouterr().out
    assert (
        "More judgments could reverse the order of these pairs of runs (a document that both return has one grade):\n"
        "  one over two: Δ +.3333, could be between −.3333 and +.3333\n"
    ) in out
    assert "  one over two: ×33,333, at most between ×" in out
    output = Path(files[0]).with_name("pool.json")
    assert main.main(["pool", *files, "-m", "P@3 gm_map", "--format", "json", "-o", str(output)]) == 0
    first, second = json.loads(output.read_text())["differences"]
    assert first == {
        "measure": "P@3", "run": "one", "less": "two", "by": None, "least": pytest.approx(-1 / 3),
        "most": pytest.approx(1 / 3), "exact": True,
    }  # fmt: skip
    assert (second["less"], second["by"], second["exact"]) == (None, "two", False)


def test_nothing_to_turn_round_and_no_leaving_out(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["pool", *files, "-m", "NumRelRet", "--no-leave-out"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[7].split() == ["NumRelRet", "value", "least", "non-relevant", "relevant", "most"]
    assert lines[8].split() == ["one", "1", "1", "1", "2", "2"]
    assert lines[10] == "More judgments could not reverse the order of any two runs."


def test_regimes(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["pool", *files, "-m", "RR", "--regime", "sparse"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[7].split()[:3] == ["RR", "value", "without"]
    assert lines[-1].startswith("not boundable: with sparse judgments")
    assert main.main(["pool", *files, "-m", "RR", "--regime", "complete"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[3].split()[3:7] == ["0.0000"] * 4
    assert lines[7].split()[:3] == ["RR", "value", "without"]


def test_csv_and_json(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["pool", *files, "-m", "RR Judged", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["run"], row["measure"], row["most"]) for row in rows[:3]] == [
        ("one", "RR", "1.0"),
        ("two", "RR", "1.0"),
        ("one", "Judged", ""),
    ]
    assert (rows[0]["could be turned round"], rows[0]["rank without its own"]) == ("", "2")
    output = tmp_path / "pool.json"
    assert main.main(["pool", *files, "-m", "RR Judged", "--format", "json", "-o", str(output)]) == 0
    report = json.loads(output.read_text())
    assert (report["regime"], report["found by no run"]) == ("pooled", 1)
    assert report["no interval"] == {
        "Judged": "it measures how much is judged, which is just what new judgments change"
    }
    assert report["left out"]["RR"] == {"one": {"one": 0, "two": 1 / 3}, "two": {"one": 1, "two": 0}}


@pytest.mark.parametrize(("words", "said"), [(["-p", "1"], "p is 1"), (["-k", "5,x"], "is not a list of cutoffs")])
def test_what_is_refused(words: list[str], said: str, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["pool", *files, *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--pool-depth", "0"], "--pool-depth is 0; it must be 1 or more"),
        (["--most", "-1", "--worklist"], "--most is -1; it must be 1 or more"),
        (["--most", "3"], "--most needs --worklist"),
    ],
)
def test_numbers_that_cannot_be(samples: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    folder = samples / "trec"
    assert main.main(["pool", str(folder / "qrels.test"), str(folder / "results.test"), *words]) == 2
    assert capsys.readouterr().err == f"irviewer: {said}\n"
