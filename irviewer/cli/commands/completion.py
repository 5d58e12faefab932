"""``irviewer completion SHELL``: print the script by which a shell completes commands, options, names and files."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator

import shtab

from irviewer.cli.commands import COMMANDS, VIEW, Command, Parser, WholeLines
from irviewer.cli.commands.help import topics
from irviewer.cli.commands.measures import example
from irviewer.cli.view import add_view_arguments
from irviewer.formats.registry import formats
from irviewer.installed.samples import installed_samples
from irviewer.measures.registry import families
from irviewer.measures.tool_names import GROUPS
from irviewer.translation import tr
from irviewer.views.manifest import every_name

SHELLS = ("bash", "zsh", "tcsh")

DESCRIPTION = tr(
    "Print the completion script of a shell, to be evaluated when the shell starts: for bash, the line\n\n"
    '    eval "$(irviewer completion bash)"\n\n'
    "in ~/.bashrc; for zsh, the same with zsh in ~/.zshrc, after compinit; for tcsh, write the script to a file, and "
    "source it in ~/.tcshrc."
)

FILES = frozenset({"FILE", "FILE[#NAME]", "FILE.png", "QRELS", "RUN", "SRC", "DST", "OUT", "LESSON", "PROJECT"})
"""What arguments are called that name files. A run can be named by its name too, where another argument names its
file, and a lesson by its id."""

FOLDERS = frozenset({"FOLDER"})
"""What arguments are called that name folders."""

_ZSH = {
    "  _describe 'irviewer commands' _commands\n": "  _describe 'irviewer commands' _commands\n  _files\n",
    "      esac\n  esac\n}": "        *) _files ;;\n      esac\n  esac\n}",
}
"""Parts of the script for zsh -> the same with the completion of files."""

_NAME = re.compile(r"[\w.+@-]+", re.ASCII)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = DESCRIPTION
    parser.formatter_class = WholeLines
    parser.add_argument("shell", choices=SHELLS, help=tr("shell"))


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer completion``."""
    print(script(options.shell))
    return 0


def script(shell: str) -> str:
    """Return the completion script of a shell, one of ``SHELLS``."""
    parser = _whole()
    known = _names()
    for action in _actions(parser):
        _complete(action, known)
    return _first_file(shtab.complete(parser, shell), shell)


def _whole() -> argparse.ArgumentParser:
    """Return a parser of the whole program: the options of the window, and every command with a line of help."""
    parser = Parser(prog="irviewer")
    add_view_arguments(parser, files=False)
    commands = parser.add_subparsers(parser_class=Parser, metavar="COMMAND")
    view = Command(VIEW, tr("open the window"))
    add_view_arguments(commands.add_parser(VIEW, help=view.meaning, description=view.meaning))
    for command in COMMANDS:
        own = commands.add_parser(command.name, help=command.meaning)
        command.add(own)
        own.description = command.meaning
    return parser


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:  # argparse has no public list
        if isinstance(action, argparse._SubParsersAction):
            for own in action.choices.values():
                yield from _actions(own)
        else:
            yield action


def _names() -> dict[str, list[str]]:
    """Return the names that stand for arguments, by what the arguments are called."""
    measures = [*(example(family) for family in families().values()), *GROUPS]
    return {
        "MEASURE": _words(measures),
        "FORMAT": _words(format_.name for format_ in formats()),
        "VIEW": _words(every_name()),
        "SAMPLE": _words(installed_samples()),
        "WORD": _words(name for topic in topics() for name in topic.names),
    }


def _words(names: Iterable[str]) -> list[str]:
    """Return the names that shells need not quote, each once."""
    return list(dict.fromkeys(name for name in names if _NAME.fullmatch(name)))


def _complete(action: argparse.Action, known: dict[str, list[str]]) -> None:
    """Say how an argument is completed, as shtab wants it: by an attribute."""
    name = action.metavar if isinstance(action.metavar, str) else ""
    if name in FILES:
        action.complete = shtab.FILE  # type: ignore[attr-defined]
    elif name in FOLDERS:
        action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    elif name in known:
        words = " ".join(known[name])
        function = f"_irviewer_{name.lower()}"
        action.complete = {  # type: ignore[attr-defined]
            "bash": function,
            "zsh": f"({words})",
            "tcsh": f"({words})",
            "preamble": {"bash": f'{function}() {{\n  compgen -W "{words}" -- "$1"\n}}\n'},
        }


def _first_file(text: str, shell: str) -> str:
    """Return the script so that files are completed too where a command could be: ``irviewer QRELS RUN`` opens them."""
    if shell == "bash":  # the shell's own completion, of files, where the script has none
        return text.replace("complete -o bashdefault -F", "complete -o bashdefault -o default -F")
    if shell == "zsh":
        for part, longer in _ZSH.items():
            text = text.replace(part, longer)
        return text
    return text.replace("'p/*/()/'", "'p/*/f/'")
