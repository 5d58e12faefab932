"""The table of the commands. A command is a module of this package with two functions:

    add(parser)     adds the arguments of the command to its parser
    run(options)    runs the command and returns the exit status; raises IrviewerError

A module is imported when its command is used, so that no command waits for the imports of another."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NoReturn

from irviewer.translation import tr

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


@dataclass(frozen=True)
class Command:
    """A command: its name, which is also the name of its module (with underscores), and a line of help."""

    name: str
    meaning: str

    @property
    def module(self) -> str:
        """The name of its module."""
        return self.name.replace("-", "_")

    @property
    def add(self) -> Callable[[argparse.ArgumentParser], None]:
        """The function ``add`` of the module, which is imported."""
        return import_module(f"irviewer.cli.commands.{self.module}").add  # type: ignore[no-any-return]

    @property
    def run(self) -> Callable[[argparse.Namespace], int]:
        """The function ``run`` of the module, which is imported."""
        return import_module(f"irviewer.cli.commands.{self.module}").run  # type: ignore[no-any-return]

    def parser(self) -> Parser:
        """Return a parser with the arguments of the command, which alone is imported."""
        parser = Parser(prog=f"irviewer {self.name}")
        self.add(parser)
        return parser


COMMANDS = (
    Command("evaluate", tr("compute measures of runs")),
    Command("curves", tr("precision-recall and gain curves")),
    Command("measures", tr("list the measures, or explain one")),
    Command("compare", tr("compare runs with significance tests")),
    Command("answers", tr("what answers made from lists say, cite and lack")),
    Command("reproduction", tr("how well own runs reproduce original ones")),
    Command("reuse", tr("where runs would be placed, had they not contributed to the pool")),
    Command("verdict", tr("whether one run is better than another, and what could change it")),
    Command("plan", tr("how many queries a comparison needs")),
    Command("slices", tr("compare runs by slices of the queries")),
    Command("medians", tr("best, median and worst value of each query")),
    Command("stability", tr("how stable the order of runs is")),
    Command("measure-agreement", tr("how similarly measures rank the runs")),
    Command("query-sets", tr("means of runs by query set")),
    Command("gate", tr("decide whether a run may replace a baseline; for use in CI")),
    Command("paper", tr("write a table for a paper, with daggers and caption")),
    Command("report", tr("write a report as one HTML file")),
    Command("show", tr("show a view, also of another package; lists the views")),
    Command("similarity", tr("similarity of runs")),
    Command("agreement", tr("agreement of judges, on grades and on systems")),
    Command("judge", tr("whether a judge can stand for another one, and for what")),
    Command("stages", tr("relevant documents lost between stages of retrieval")),
    Command("pool", tr("effects of unjudged documents and of the pool")),
    Command("collections", tr("the same systems on several collections")),
    Command("fuse", tr("combine several runs into one")),
    Command("fusion-sweep", tr("what choosing the weights of a fusion is worth")),
    Command("explain", tr("explain a value row by row")),
    Command("failures", tr("queries on which runs fail, and how")),
    Command("check", tr("report the contents and problems of files")),
    Command("convert", tr("write a file in another format")),
    Command("formats", tr("list the file formats")),
    Command("protocol", tr("print, check or write an evaluation protocol")),
    Command("dialects", tr("values that change under the rules of other tools")),
    Command("lesson", tr("open a lesson, check it, or print it as a sheet")),
    Command("zscores", tr("means and standard deviations of runs, for evaluate -Z")),
    Command("sample", tr("write the files of a bundled collection into a folder")),
    Command("cache", tr("show, limit or clear the cache")),
    Command("completion", tr("print the completion script of a shell")),
    Command("help", tr("explain a command, a measure, a format, a key or a term")),
)
BY_NAME = {command.name: command for command in COMMANDS}
VIEW = "view"
"""The command that opens the window."""


class WholeWords(argparse.HelpFormatter):
    """The layout of a help text: no name such as wilcoxon-pratt is broken at its hyphen, so that it can be copied."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrap(" ".join(text.split()), width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in wrap(" ".join(text.split()), width, break_on_hyphens=False))


class WholeLines(WholeWords, argparse.RawDescriptionHelpFormatter):
    """The same, with the lines of the description as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return argparse.RawDescriptionHelpFormatter._fill_text(self, text, width, indent)


class Parser(argparse.ArgumentParser):
    """An argument parser that reports an error in one line, and raises OSError if its help cannot be printed.

    ``further`` adds arguments when it is known what is parsed: those that depend on the first of them."""

    further: Callable[[argparse.ArgumentParser, Sequence[str]], None] | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{"formatter_class": WholeWords, **options})

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        further, self.further = self.further, None
        if further is not None and args is not None:
            further(self, args)
        return super().parse_known_args(args, namespace)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        print(tr("{program}: {message}; see {program} --help", program=self.prog, message=message), file=sys.stderr)
        raise SystemExit(2)
