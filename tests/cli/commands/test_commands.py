"""A command of the command line is one module and one line of the registry."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from types import ModuleType

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
