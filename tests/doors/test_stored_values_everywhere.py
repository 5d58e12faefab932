"""Stored values in place of runs at every door: what needs no documents says the same of them, the others say alike why
they cannot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irviewer
from irviewer.cli import main
from irviewer.errors import OptionError
from irviewer.model.protocol import PRESET
from irviewer.session.session import Session
from irviewer.tables.exact import plain_columns
from irviewer.views.result import ViewResult

NEEDED: dict[str, dict[str, Any]] = {"plan": {"size": 0.1}, "slices": {"by": ("relevant",)}}
SHOWN = ("systems", "queries", "comparison", "plan", "slices", "medians")
REFUSED = ("verdict", "curves")
COMMANDS = (
    ["stability", "--samples", "100"], ["medians"], ["measure-agreement"], ["slices", "--by", "relevant"],
    ["plan", "--size", ".1"], ["query-sets", "--query-set", "SETS"],
)  # fmt: skip
PROTOCOL = PRESET.but(measures=("AP",), samples=100)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str], list[str]]:
    """Judgments, runs, of which one lacks a query, and a file of values of each."""
    folder, dice = tmp_path_factory.mktemp("stored"), np.random.default_rng(3)
    lines = [f"{query} 0 d{n} {dice.integers(0, 3)}\n" for query in range(12) for n in range(8)]
    (folder / "qrels").write_text("".join(lines))
    runs, values = [], []
    for name in ("base", "b", "c", "d", "e"):
        rows = [f"{query} Q0 d{n} 1 {dice.integers(0, 9)} t\n" for query in range(12) for n in range(8)
                if (name, query) != ("b", 3)]  # fmt: skip
        (folder / name).write_text("".join(rows))
        runs.append(str(folder / name))
        values.append(str(folder / f"{name}.parquet"))
        words = ["evaluate", str(folder / "qrels"), runs[-1], "-m", "AP RR", "--save-values", values[-1]]
        assert main.main(words) == 0
    (folder / "sets").write_text("1\todd\n3\todd\n2\teven\n4\teven\n")
    return folder / "qrels", runs, values


def exact(result: ViewResult) -> Any:
    return [
        (table.name, [note.text for note in table.notes],
         {key: column.to_pylist() for key, column in plain_columns(table).items()}) for table in result.tables
    ]  # fmt: skip


def test_views(files: tuple[Path, list[str], list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    qrels, runs, values = files
    session = Session()
    session.files.open_files([str(qrels), *values])
    session.protocol.set(measures=("AP",), samples=100)
    for name in (*SHOWN, *REFUSED):
        session.result_views.choose(name)
        for parameter, value in NEEDED.get(name, {}).items():
            session.result_views.set_parameter(parameter, value)
        session.compute_now()
        answer = session.result_views.answer()
        assert answer is not None
        more = NEEDED.get(name, {})
        if name in REFUSED:
            with pytest.raises(OptionError) as refused:
                irviewer.show(name, str(qrels), values, protocol=PROTOCOL)
            assert answer.trouble == str(refused.value)
            assert main.main(["show", name, str(qrels), *values, "-m", "AP"]) == 2
            assert answer.trouble in capsys.readouterr().err
            continue
        assert answer.shown is not None, answer.trouble
        shown = irviewer.show(name, str(qrels), values, protocol=PROTOCOL, **more).shown
        assert exact(answer.shown) == exact(shown)
        assert exact(shown) == exact(irviewer.show(name, str(qrels), runs, protocol=PROTOCOL, **more).shown)
    session.close()


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command[0]))
def test_commands(
    files: tuple[Path, list[str], list[str]], capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    qrels, runs, values = files
    name, *options = [str(qrels.parent / "sets") if word == "SETS" else word for word in command]
    measures = ["-m", "AP", *(["-m", "RR"] if name == "measure-agreement" else [])]
    answers = []
    for given in (runs, values):
        assert main.main([name, str(qrels), *given, *measures, *options, "--format", "json"]) == 0
        document = json.loads(capsys.readouterr().out)
        answers.append((document["protocol"]["line"], document["tables"]))
    assert answers[0] == answers[1]


def test_slices_in_python(files: tuple[Path, list[str], list[str]]) -> None:
    qrels, runs, values = files
    slices = [irviewer.compare_slices(str(qrels), given, "AP", "relevant", samples=100) for given in (runs, values)]
    assert slices[0].to_arrow().equals(slices[1].to_arrow())
