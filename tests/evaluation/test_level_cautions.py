"""A relevance level above every grade: every door says that nothing is relevant by it."""

from __future__ import annotations

from pathlib import Path

import pytest

import irviewer
from irviewer.cli import main
from irviewer.errors import IrviewerWarning
from irviewer.evaluation.level_cautions import level_cautions
from irviewer.measures.parser import parse_measure
from irviewer.model.qrels import Qrels
from irviewer.session.session import Session

SAID = "no document has grade 9 or higher"
DOORS = (
    "evaluate -m AP", "evaluate -m AP --format trec", "evaluate -m AP --jobs 2", "evaluate -m AP --in-blocks",
    "compare -m AP", "verdict -m AP", "slices -m AP", "paper -m AP", "stability -m AP", "zscores -m AP",
    "medians -m AP", "failures -m AP", "dialects -m AP", "measure-agreement -m AP -m RR", "curves",
    "show systems -m AP", "show gate -m AP", "explain --query 1 -m AP",
    "failures -m nDCG@3", "failures --hubs", "show failures -m nDCG@3", "pool -m nDCG@3", "pool -m AP", "show pool",
)  # fmt: skip


def written(folder: Path) -> list[str]:
    rows = [f"{q} 0 d{d} {(q + d) % 4}" for q in range(4) for d in range(4)]
    (folder / "qrels.txt").write_text("\n".join([*rows, ""]))
    for run in range(5):
        lists = [f"{q} Q0 d{(d + q * run) % 5} {d} {9 - d} r{run}" for q in range(4) for d in (1, 2, 3)]
        (folder / f"r{run}.run").write_text("\n".join([*lists, ""]))
    return [str(folder / "qrels.txt"), *(str(folder / f"r{run}.run") for run in range(5))]


@pytest.mark.parametrize("door", DOORS)
def test_every_door_says_it_once(door: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The zeros stood there, and “the same value”, as if the runs had been measured."""
    name, *options = door.split()
    files = written(tmp_path)
    given = files[:2] if name == "explain" else files
    for level, times in ((9, 1), (3, 0)):
        code = main.main([name, *options[: name == "show"], *given, *options[name == "show" :], "-l", str(level)])
        out, err = capsys.readouterr()
        assert code == 0, err
        assert (out + err).lower().count(SAID) == times, out + err


def test_python_warns_and_the_window_says_it(tmp_path: Path) -> None:
    files = written(tmp_path)
    with pytest.warns(IrviewerWarning, match=SAID):
        irviewer.evaluate(files[0], files[1:3], "AP", level=9)
    session = Session()
    session.files.open_files(files)
    session.evaluation.set_measure("AP")
    assert not any(SAID in text for text in session.view.caveats)
    session.protocol.set(level=9)
    assert any(SAID in text for text in session.view.caveats)
    session.close()


@pytest.mark.parametrize(
    ("measure", "named"),
    [("AP(rel=9)", "AP(rel=9)"), ("AP(rel=2)", ""), ("nDCG@10", ""), ("P(rel=8)@5 - AP", "P(rel=8)@5 - AP")],
)
def test_of_measures_that_read_the_level_alone(measure: str, named: str) -> None:
    said = level_cautions([parse_measure(measure)], Qrels.from_dict({"1": {"a": 3, "b": 0}}))
    assert bool(said) == bool(named)
    assert all(named in text for text in said)


def test_nothing_is_said_where_all_are_nonrelevant_or_nothing_is_judged() -> None:
    assert not level_cautions([parse_measure("AP")], Qrels.from_dict({"1": {"a": 0}}))
    assert not level_cautions([parse_measure("AP(rel=2)")], Qrels.from_dict({}))


def test_level_one_is_above_grades_between_0_and_1() -> None:
    """As models give them: all values were 0 by the usual level, and nothing said so."""
    qrels = Qrels.from_dict({"1": {"a": 0.9, "b": 0.3}})
    (said,) = level_cautions([parse_measure("AP(rel=1)"), parse_measure("nDCG@10")], qrels)
    assert said.startswith("no document has grade 1 or higher: nothing counts as relevant to AP")
    assert not level_cautions([parse_measure("AP(rel=.5)")], qrels)
