"""The arguments of ``irviewer view`` and of ``irviewer`` without a command.

``parse_view`` returns what the window should show, and ``__main__`` opens the window. No Qt is imported here."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

from irviewer import __version__
from irviewer.cli.commands import COMMANDS, VIEW, Parser, WholeLines
from irviewer.cli.options.samples import sample_name
from irviewer.installed.samples import SAMPLES, installed_samples
from irviewer.paths import is_anything
from irviewer.session.files.handing_over import hand_over
from irviewer.session.state import PLACES, TABS, THEMES
from irviewer.translation import tr


class _IntroducedParser(Parser):
    """A parser whose help begins with what the program is, and examples."""

    def format_help(self) -> str:
        examples = {
            "irviewer qrels.txt runs/*.run": tr("open the window with your files"),
            "irviewer --sample": tr("open it with a sample"),
            "irviewer compare qrels.txt a.run b.run -m AP": tr("is b better than a? table, test and sentence"),
        }
        width = max(map(len, examples))
        lines = [f"  {example.ljust(width)}  {meaning}" for example, meaning in examples.items()]
        what = tr(
            "irviewer is the debugger for rankings: it opens relevance judgments (qrels) and retrieval runs, offline, "
            "and computes trec_eval's numbers."
        )
        return "\n".join([fill(what, get_terminal_size().columns - 2), "", *lines, "", super().format_help()])


def build_view_parser() -> argparse.ArgumentParser:
    """Return the parser of ``irviewer view`` and of ``irviewer`` without a command."""
    parser = _IntroducedParser(
        prog="irviewer view",
        epilog=_commands_text(),
        description=tr("Open the window with files of any kind: qrels, runs, queries, documents."),
        formatter_class=WholeLines,
    )
    add_view_arguments(parser)
    return parser


def add_view_arguments(parser: argparse.ArgumentParser, *, files: bool = True) -> None:
    """Add the options of ``irviewer view`` and, with ``files``, the argument for the files to open."""
    parser.add_argument("--version", action="version", version=f"irviewer {__version__}")
    if files:
        parser.add_argument(
            "paths",
            nargs="*",
            metavar="FILE",
            help=tr("qrels, runs, queries and documents in any order, or folders of collections"),
        )
    parser.add_argument(
        "--sample",
        nargs="?",
        const=SAMPLES[0],
        type=sample_name,
        choices=installed_samples(),
        metavar="SAMPLE",
        help=tr("open a bundled collection: fables (default) or trec; a checkout has cranfield too"),
    )
    parser.add_argument(
        "--lesson", metavar="LESSON", help=tr("open a lesson: a file, a folder of lessons, or the id of a bundled one")
    )
    parser.add_argument(
        "--place",
        metavar="PLACE",
        type=_place,
        help=tr(
            "view to show: verdict, systems, queries, query or compare; compare:sets is the tab “sets” of compare, "
            "compare:views:trade-offs a view that irviewer show lists"
        ),
    )
    parser.add_argument("--query", metavar="ID", help=tr("select this query"))
    parser.add_argument("-m", "--measure", metavar="MEASURE", help=tr("choose this measure"))
    parser.add_argument("--baseline", metavar="RUN", help=tr("compute differences to this run"))
    parser.add_argument(
        "--protocol", metavar="FILE", help=tr("declare this protocol; a project that has its own is offered it")
    )
    parser.add_argument("--explain", action="store_true", help=tr("show the ledger of the selected value"))
    parser.add_argument("--theme", choices=THEMES, help=tr("colour theme (default: as last used)"))
    parser.add_argument("--large-type", action="store_true", help=tr("larger text, for a projector"))
    parser.add_argument("--size", type=_size, metavar="WxH", help=tr("size of the window in pixels, such as 1280x800"))
    parser.add_argument(
        "--reuse-window", action="store_true", help=tr("open the files in the window that is open, if there is one")
    )
    parser.add_argument(
        "--watch", action="store_true",
        help=tr("read open files again when they change, and open new ones of opened folders, without asking; for now"),
    )  # fmt: skip
    parser.add_argument(
        "--confidential", action="store_true", help=tr("store nothing: no cache, no recovery, no settings")
    )
    # Used by irviewer.view in Python: the address where it waits for the window.
    parser.add_argument("--connect", metavar="ADDRESS", help=argparse.SUPPRESS)
    parser.add_argument(
        "--screenshot", metavar="FILE.png", help=tr("save a picture of the window and exit; needs no display")
    )


def _commands_text() -> str:
    """Return the list of the other commands, one per line."""
    width = max(len(command.name) for command in COMMANDS)
    lines = [f"  {command.name.ljust(width)}  {command.meaning}" for command in COMMANDS]
    return "\n".join([tr("other commands (see irviewer COMMAND --help):"), *lines])


def parse_view(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the values of the window's startup request by name. Raises SystemExit as argparse does."""
    parser = build_view_parser()
    values = vars(parser.parse_args(arguments))
    values["paths"] = tuple(values["paths"])
    first = values["paths"][0] if values["paths"] else ""
    if first not in ("", "-") and not is_anything(first):
        names = [*(command.name for command in COMMANDS), VIEW]
        near = [name for name in names if name.startswith(first)]
        near = near if len(near) == 1 else get_close_matches(first, names, n=1, cutoff=0.6)
        if near:
            parser.error(tr("no command or file {name!r}; did you mean {near}?", name=first, near=near[0]))
        if re.fullmatch(r"[\w-]+", first):
            parser.error(tr("no command or file {name!r}; irviewer --help lists the commands", name=first))
    return values


def was_handed_over(request: Mapping[str, Any]) -> bool:
    """Hand files over to a window that runs already, if a request asks for files alone. Return whether it has them."""
    if {name for name, value in request.items() if value} != {"paths"} or not hand_over(request["paths"]):
        return False
    print(tr("The files were opened in the open window."))
    return True


def _place(text: str) -> str:
    place, _, rest = text.partition(":")
    tab, _, view = rest.partition(":")
    if view and (place, tab) == ("compare", "views"):
        return text  # of another package perhaps: it is looked up when the window opens
    if view or place not in PLACES or place == "start" or (tab and tab not in TABS.get(place, ())):
        known = [name if tab is None else f"{name}:{tab}" for name in PLACES[1:] for tab in (None, *TABS.get(name, ()))]
        raise argparse.ArgumentTypeError(
            tr("unknown view {text!r}; the views are {views}", text=text, views=", ".join(known))
        )
    return text


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 200 <= int(width) <= 10000 and 200 <= int(height) <= 10000):
        raise argparse.ArgumentTypeError(tr("{text!r} is not a size; write WIDTHxHEIGHT, such as 1280x800", text=text))
    return int(width), int(height)
