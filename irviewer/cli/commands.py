"""The text commands of the command line, a line each. A command is a module of this package with two functions:

    add(parser)     describes the command's arguments to its parser
    run(options)    runs it on them and gives back the exit status; raises IrviewerError

The module is imported when its command is asked for, so that no command waits for what only another one needs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import NoReturn


@dataclass(frozen=True)
class Command:
    """One text command: what it is called, which is its module's name too, and what it is for in one line."""

    name: str
    meaning: str

    @property
    def add(self) -> Callable[[argparse.ArgumentParser], None]:
        """What describes its arguments; imports the module."""
        return import_module(f"irviewer.cli.{self.name}").add  # type: ignore[no-any-return]

    @property
    def run(self) -> Callable[[argparse.Namespace], int]:
        """What runs it; imports the module."""
        return import_module(f"irviewer.cli.{self.name}").run  # type: ignore[no-any-return]


COMMANDS = (
    Command("evaluate", "values of measures for runs"),
    Command("curves", "precision-recall and gain curves"),
    Command("measures", "the measures there are, or one explained"),
    Command("compare", "which run is better, by how much, how sure"),
    Command("similarity", "how alike runs are"),
    Command("stages", "where relevant documents are lost between stages"),
    Command("pool", "what unjudged documents and the pool leave open"),
    Command("fuse", "one run out of several"),
    Command("explain", "how a value came about, row by row"),
    Command("failures", "on which queries runs fail, and how"),
    Command("check", "an account of files: what is in them and what is odd"),
    Command("convert", "write a file in another format"),
    Command("formats", "the file formats there are"),
    Command("dialects", "what changes under other tools' rules"),
    Command("zscores", "means and deviations of runs, for evaluate -Z"),
    Command("cache", "what is kept of files between sessions"),
)
BY_NAME = {one.name: one for one in COMMANDS}
VIEW = "view"
"""The command that opens the window: no text command."""


class Parser(argparse.ArgumentParser):
    """argparse whose errors are one clear line, as all of ours are."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)
