"""A run where the qrels should stand, and the qrels among the runs: understood in every command, without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.__main__ import main

LINES = {
    "evaluate": "evaluate Q A B -m AP -q",
    "evaluate --format trec": "evaluate Q A --format trec",
    "evaluate --jobs": "evaluate Q A B -m AP --jobs 1",
    "compare": "compare Q A B -m AP",
    "curves": "curves Q A B",
    "dialects": "dialects Q A -m AP",
    "explain": "explain Q A -q 1 -m AP",
    "failures": "failures Q A B",
    "gate": "gate Q A --baseline B --non-inferior AP>-0.9",
    "paper": "paper Q A B -m AP",
    "pool": "pool Q A B",
    "stages": "stages Q A B",
    "zscores": "zscores Q A B -m AP",
    "report": "report Q A B -o page.html",
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("Q").write_text("".join(f"{q} 0 d{d} {int(d == q % 3)}\n" for q in range(12) for d in range(4)))
    Path("A").write_text("".join(f"{q} Q0 d{d} 1 {9 - (d - q % 3) % 4} a\n" for q in range(12) for d in range(4)))
    Path("B").write_text("".join(f"{q} Q0 d{d} 1 {9 - d} b\n" for q in range(12) for d in range(4)))


@pytest.mark.parametrize("name", LINES)
def test_the_wrong_order_is_understood(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = LINES[name].split()
    status = main(words)
    wanted = capsys.readouterr()
    assert status == 0
    page = Path("page.html").read_text() if name == "report" else ""
    orders = [["A", "Q", "B"], ["A", "B", "Q"]] if "B" in words and name != "gate" else [["A", "Q"]]
    for order in orders:
        taken = iter(order)
        swapped = [next(taken) if word in order else word for word in words]
        assert swapped != words
        assert main(swapped) == 0, swapped
        assert capsys.readouterr() == wanted
    if page:
        assert "AP" in Path("page.html").read_text()


def test_two_files_of_one_kind_are_an_error_still(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("A", "B"), ("A", "Q", "Q"), ("Q", "Q")):
        assert main(["evaluate", *words]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_of_runs_may_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    Path("runs").mkdir()
    for name in "AB":
        Path(name).rename(f"runs/{name}")
    assert main(["evaluate", "Q", "runs", "-m", "AP"]) == 0
    wanted = capsys.readouterr()
    assert main(["evaluate", "runs", "Q", "-m", "AP"]) == 0
    assert capsys.readouterr() == wanted
