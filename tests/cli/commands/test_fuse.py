"""``irviewer fuse``: the file that is written, and what is refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from irviewer.api.sources import read_run
from irviewer.cli import main


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    """Two runs of one query."""
    paths = []
    for name, text in {"one": "abc", "two": "cd"}.items():
        path = tmp_path / f"{name}.run"
        path.write_text("".join(f"1 Q0 {d} {n + 1} {9 - n} t\n" for n, d in enumerate(text)))
        paths.append(str(path))
    return paths


def test_a_run_that_can_be_read_again(runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "both.run.gz"
    assert main.main(["fuse", *runs, "--name", "both", "-o", str(output)]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"irviewer: {output}: RRF (k = 60) of one and two, 4 documents\n"
    text = gzip.decompress(output.read_bytes()).decode()
    # b and d have one score: they stay as the fusion met them, and whoever reads the file breaks the tie.
    assert [line.split()[2] for line in text.splitlines()] == ["c", "a", "b", "d"]
    assert {line.split()[5] for line in text.splitlines()} == {"both"}
    assert read_run(output).ranking_scores("1")[0] == pytest.approx(1 / 63 + 1 / 61)


def test_printed(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["fuse", *runs, "--method", "weighted", "--weights", "1,0.5", "--normalisation", "none", "--keep", "2"]
    assert main.main(words) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [(row[2], float(row[4])) for row in rows] == [("c", 11.5), ("a", 9.0)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--method", "weighted"], "needs a weight for each run"),
        (["--method", "weighted", "--weights", "1,2,3"], "the number of weights (3) differs"),
        (["--weights", "1,x"], "is not a list of weights"),
        (["--depth", "0"], "the depth is 0"),
    ],
)
def test_what_is_refused(words: list[str], said: str, runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["fuse", *runs, *words]) == 2
    assert said in capsys.readouterr().err


def test_a_run_is_not_written_over(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    before = Path(runs[0]).read_bytes()
    assert main.main(["fuse", *runs, "-o", runs[0]]) == 2
    assert "is one of the runs" in capsys.readouterr().err
    assert Path(runs[0]).read_bytes() == before
