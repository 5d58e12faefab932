"""Sentences that count are in the singular where they count one."""

from __future__ import annotations

from pathlib import Path

import pytest

import irviewer
from irviewer.__main__ import main

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.errors.IrviewerWarning")

QRELS = {f"q{number}": {"a": 1, "b": 0} for number in range(12)}
RUNS = {
    "one": {query: {"a": 2.0, "b": 1.0} for query in QRELS},
    "two": {query: {"b": 2.0, "a": 1.0} for query in QRELS},
}


def test_the_line_of_two_runs_and_of_three() -> None:
    runs = {**RUNS, "three": RUNS["two"]}
    few, more = (irviewer.compare(QRELS, given, "AP", baseline="one").protocol.line() for given in (RUNS, runs))
    assert few.endswith("Holm over 1 comparison against one · paired t")
    assert more.endswith("Holm over 2 against one · paired t")
    assert "Holm over 1 pair " in irviewer.compare(QRELS, RUNS, "AP", family="pairs").protocol.line() + " "
    for given, words in ((RUNS, "Holm over 1 comparison in each"), (runs, "Holm over 2 in each")):
        collected = irviewer.evaluate_collections({"c": (QRELS, given)}, "AP", baseline="one")
        assert words in collected.protocol.line()


@pytest.mark.parametrize(("measure", "said"), [("P@1", "Only the first rank counts."), ("P@2", "first 2 ranks count.")])
def test_ranks_that_count(measure: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "qrels").write_text("q 0 a 1\nq 0 b 0\n")
    (tmp_path / "run").write_text("q Q0 a 1 2 t\nq Q0 b 2 1 t\n")
    assert main(["explain", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", measure, "-q", "q"]) == 0
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("systems", [2, 3])
def test_a_judge_of_two_systems(systems: int) -> None:
    runs = {**RUNS, "three": RUNS["one"]}
    judge = {query: {"a": number % 2, "b": 1} for number, query in enumerate(QRELS)}
    page = irviewer.show("judge", QRELS, dict(list(runs.items())[:systems]), judges=[judge]).shown
    said = " ".join(note.text for table in page.tables for note in table.notes)
    assert ("of the one pair of systems" in said, "over all 3 pairs of systems" in said) == (systems == 2, systems == 3)
