"""The format of a command's file: that of ``--format``, else of the file's ending, in every command that has both."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from irviewer.cli.commands import COMMANDS, Command
from irviewer.cli.main import main
from irviewer.cli.options.common import OutputFormats
from irviewer.errors import OptionError
from irviewer.tables.writers.registry import WRITERS
from tests.metamorphic.recipes import every_recipe
from tests.metamorphic.worlds import Files, world

OTHER_FORMATS = {"check": "of the files it reads", "convert": "of the file it reads"}
"""Commands whose ``--format`` is not that of their output."""
ANSWERS = Path(__file__).parents[1] / "data" / "answers"
WORDS = {
    "answers": ["scores", *(str(ANSWERS / name) for name in ("nuggets.jsonl", "alpha.assignments.jsonl"))],
    "lesson": ["b2", "--grade", str(Path(__file__).parents[1] / "data" / "lessons" / "answers.json")],
    "protocol": ["-l", "2"],
}
"""Arguments of the commands that no recipe calls."""
DRAWN = {"curves": {".pdf", ".svg", ".png"}}


def _flags(command: Command) -> set[str]:
    return {flag for action in command.parser()._actions for flag in action.option_strings}


WITH_FORMATS = [
    command for command in COMMANDS if {"-o", "--format"} <= _flags(command) and command.name not in OTHER_FORMATS
]


def _formats(command: Command) -> OutputFormats:
    chosen = command.parser().get_default("output_formats")
    assert isinstance(chosen, OutputFormats), command.name
    return chosen


def test_the_commands_with_formats_are_found() -> None:
    assert {"compare", "evaluate", "paper", "gate", "show", "protocol", "curves"} <= {
        command.name for command in WITH_FORMATS
    }


@pytest.mark.parametrize("command", WITH_FORMATS, ids=lambda command: command.name)
def test_every_ending_of_a_format_chooses_it(command: Command) -> None:
    formats = _formats(command)

    def chosen(output: str | None, form: str | None = None, **others: str) -> str:
        others = {**dict.fromkeys(formats.others), **others}
        return formats.chosen(argparse.Namespace(output=output, format=form, **others))

    for writer in WRITERS:
        for ending in writer.suffixes if writer.name in formats.names else ():
            expected = formats.endings.get(ending, writer.name)
            assert chosen(f"out{ending}") == chosen(f"some.where/out.x{ending.upper()}") == expected
            assert chosen(f"out{ending}", formats.preset) == formats.preset  # what is said holds
    assert chosen(None) == chosen("-") == chosen("out") == chosen("folder.d/out") == formats.preset
    assert chosen("out.xlsx", formats.preset) == formats.preset
    with pytest.raises(OptionError, match=r"^-o a\.xlsx: its ending names no format; use one of .*--format$"):
        chosen("a.xlsx")
    for other in formats.others:
        assert chosen("a.xlsx", **{other: "given"}) == formats.preset
    assert set(DRAWN.get(command.name, ())) <= set(formats.endings)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return world(seed=1).write(tmp_path_factory.mktemp("files"))


@pytest.mark.parametrize("command", WITH_FORMATS, ids=lambda command: command.name)
def test_a_file_is_written_in_the_format_of_its_ending(
    files: Files, tmp_path: Path, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = next((each for each in every_recipe() if each.command == command.name), None)
    words = WORDS.get(command.name, []) if recipe is None else recipe.arguments(files)
    if "--format" in words:
        place = words.index("--format")
        words = words[:place] + words[place + 2 :]
    form = "csv" if "csv" in _formats(command).names else "json"
    ours, named = tmp_path / f"ours.{form}", tmp_path / "named"
    status = main([command.name, *words, "-o", str(ours)])
    assert (status, capsys.readouterr().out) == (main([command.name, *words, "--format", form, "-o", str(named)]), "")
    assert ours.read_bytes() == named.read_bytes()
    assert b"," in ours.read_bytes() if form == "csv" else json.loads(ours.read_bytes())


def test_an_ending_of_no_format_is_refused_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", "no.qrels", "no.run", "-o", str(tmp_path / "a.xlsx")]) == 2
    assert "a.xlsx: its ending names no format; use one of .txt, .md, .tex" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
