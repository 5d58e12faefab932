"""A command of the command line is one module and one line of the registry."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import irviewer.cli.commands
from irviewer.cli.commands import COMMANDS


def modules() -> dict[str, ModuleType]:
    folder = Path(irviewer.cli.commands.__file__).parent
    return {path.stem: import_module(f"irviewer.cli.commands.{path.stem}") for path in sorted(folder.glob("[a-z]*.py"))}


def test_every_module_of_a_command_is_in_the_registry_once() -> None:
    """A module that describes arguments and runs on them is a command."""
    listed = {name for name, module in modules().items() if hasattr(module, "add") and hasattr(module, "run")}
    names = [command.module for command in COMMANDS]
    assert sorted(names) == sorted(listed)
    assert len(set(names)) == len(names)


def test_a_command_describes_its_own_parser_and_nothing_else() -> None:
    for command in COMMANDS:
        parser = argparse.ArgumentParser(command.name)
        command.add(parser)
        assert parser.get_default("run") is None
        assert command.name == "formats" or len(parser._actions) > 1
        assert command.meaning and not command.meaning.endswith(".")


@pytest.mark.parametrize("columns", ["40", "60", "80", "100"])
def test_a_help_says_what_the_command_does_and_breaks_no_name(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """“wilcoxon-pratt” was “wilcoxon-” and “pratt” on two lines, which nobody can copy."""
    monkeypatch.setenv("COLUMNS", columns)
    broken = []
    for command in COMMANDS:
        parser = command.parser()
        assert parser.description, command.name
        texts = [parser.description, *(action.help or "" for action in parser._actions)]
        shown = set(parser.format_help().split())
        words = {word for text in texts for word in text.replace("%%", "%").split() if "-" in word and "%(" not in word}
        broken += [f"{command.name}: {word}" for word in words - shown if len(word) < 16]  # a longer one has no room
    assert broken == []
