"""A command that has a view, and the view by its name: both name the view, its parameters and their values alike."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from irviewer.__main__ import main
from irviewer.cli.commands import COMMANDS
from irviewer.views import manifest

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.errors.IrviewerWarning")

OTHER_NAMES = {"evaluate": "evaluation", "compare": "comparison"}
RUNS = "one two three four five"
LINES = {
    "evaluate": f"qrels {RUNS} -m AP",
    "compare": f"qrels {RUNS}",
    "slices": "qrels one two --by relevant",
    "slices --parts": "qrels one two --by relevant --parts 2",
    "slices --borders": "qrels one two --by relevant --borders relevant=2,4",
    "medians": f"qrels {RUNS}",
    "stability": "qrels one two --samples 20",
    "measure-agreement": "qrels one two three --by tau-ap",
    "gate": "qrels two --baseline one --non-inferior AP>-0.9 --fail-if P@1~worse --by relevant",
    "gate --require": "qrels two --baseline one --require AP>-.9 --require AP>=.1 --require P@1~worse",
    "similarity": "one two -q --kind overlap",
    "stages": "qrels one two",
    "pool": "qrels one two -p 0.8 --no-leave-out --pool-depth 4",
    "fusion-sweep": "qrels one two --folds 2 --step .5 --repeats 1",
    "failures": "qrels one two --worse 0.2 --run two",
    "dialects": "qrels one -m AP -q",
    "curves": "qrels one --query 1",
}
"""Command -> its arguments, with options other than the defaults; a view takes the same but for ``VIEW_LINES``."""
VIEW_LINES = {
    "gate": "qrels one two --baseline one --run two --non-inferior AP>-0.9 --fail-if P@1~worse --by relevant",
    "gate --require": "qrels one two --baseline one --run two --require AP>-.9 --require AP>=.1 --require P@1~worse",
    "similarity": "qrels one two --by-query --kind overlap",
    "pool": "qrels one two --p 0.8 --no-leave-out --pool-depth 4",
    "dialects": "qrels one -m AP --by-query",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dice, folder = random.Random(3), tmp_path_factory.mktemp("parameters")
    queries, documents = [str(number) for number in range(1, 7)], [f"d{number}" for number in range(8)]
    (folder / "qrels").write_text(
        "".join(f"{query} 0 {document} {dice.choice((0, 1, 2))}\n" for query in queries for document in documents[:6])
    )
    for run in RUNS.split():
        ranked = [(query, dice.sample(documents, 6)) for query in queries]
        (folder / run).write_text(
            "".join(f"{query} Q0 {each} {at} {9 - at} {run}\n" for query, own in ranked for at, each in enumerate(own))
        )
    return folder


def asked(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[Any, Any]:
    """The view that a document names, and its parameters."""
    assert main([*words, "--format", "json"]) in (0, 1, 2)
    document = json.loads(capsys.readouterr().out)
    return document["view"], document["parameters"]


def test_every_command_that_has_a_view_is_one_or_is_compared() -> None:
    """Others are shown by the function that shows every view."""
    for command in COMMANDS:
        if OTHER_NAMES.get(command.name, command.name) in manifest.BY_NAME and command.name not in LINES:
            assert "show_view" in vars(__import__(command.add.__module__, fromlist=["add"])), command.name


@pytest.mark.parametrize("command", LINES)
def test_a_command_names_parameters_as_its_view(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    command, _, line = command.partition(" ")
    view, line = OTHER_NAMES.get(command, command), f"{command} {line}".strip()
    own, shown = (
        [word.replace("~", " ") for word in line.split()] for line in (LINES[line], VIEW_LINES.get(line, LINES[line]))
    )
    named = asked([command, *own], capsys)
    assert named == asked(["show", view, *shown], capsys)
    assert named[0] == view
