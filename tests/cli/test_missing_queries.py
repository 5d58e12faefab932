"""Runs that lack queries: the commands that count them as 0 say so beside what they conclude."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.cli import main


def written(folder: Path, queries: int = 12) -> list[str]:
    (folder / "qrels").write_text("".join(f"{q} 0 d{d} {(q + d) % 2}\n" for q in range(queries) for d in range(4)))
    for run in range(5):
        kept = range(queries) if run else range(queries // 2)
        lists = [f"{q} Q0 d{(d + q * run) % 5} {d} {9 - d} r{run}\n" for q in kept for d in (1, 2, 3)]
        (folder / f"r{run}").write_text("".join(lists))
    return [str(folder / "qrels"), *(str(folder / f"r{run}") for run in range(5))]


@pytest.mark.parametrize(
    "door",
    ["evaluate", "verdict", "reproduction --original r1 --own r0", "stability", "medians", "measure-agreement", "reuse",
     "compare"],
)  # fmt: skip
def test_a_run_that_lacks_queries_is_named_once(door: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict was "worse" of a run that answered half of the queries, without a word of them."""
    name, *words = door.split()
    assert main.main([name, *written(tmp_path), *words]) == 0
    text = "".join(capsys.readouterr())
    assert text.count("r0 lacks 6 queries") == 1, text
    assert "r1 lacks" not in text


def test_one_query_has_no_stability(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every draw of one query is the same: the best run came first in 100 % of them, its rank from 1 to 1."""
    qrels, _, *runs = written(tmp_path, 1)
    assert main.main(["stability", qrels, *runs]) == 2
    assert "only one query is in every run" in capsys.readouterr().err
    assert main.main(["show", "systems", qrels, *runs, "--pairs", "--format", "json"]) == 0
    assert '"first"' not in capsys.readouterr().out
