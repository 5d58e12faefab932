"""The words of ``irviewer view``, and of ``irviewer`` without a command: what the window is asked for.

Knows no Qt: ``parse_view`` gives back what was asked for, and ``__main__`` opens the window."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from irviewer import __version__
from irviewer.cli.commands import COMMANDS, VIEW, Parser
from irviewer.paths import is_anything
from irviewer.session.state import PLACES, TABS


def build_view_parser() -> argparse.ArgumentParser:
    """The parser of ``irviewer view`` and of ``irviewer`` without a command."""
    parser = Parser(
        prog="irviewer view",
        epilog=_commands_text(),
        description="Open the window on files of any kind: qrels, runs, queries, documents.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"irviewer {__version__}")
    parser.add_argument("paths", nargs="*", metavar="FILE", help="qrels, runs, queries, documents in any order")
    parser.add_argument(
        "--sample", nargs="?", const="cranfield", choices=("cranfield", "trec"), help="open a bundled collection"
    )
    parser.add_argument(
        "--place",
        metavar="PLACE",
        type=_place,
        help="systems, queries, query, compare; compare:sets is one of its views",
    )
    parser.add_argument("--query", metavar="ID", help="stand on this query")
    parser.add_argument("--measure", metavar="MEASURE", help="look at this measure")
    parser.add_argument("--baseline", metavar="RUN", help="compare with this run")
    parser.add_argument("--explain", action="store_true", help="show why the number in view is what it is")
    parser.add_argument("--theme", choices=("light", "dark", "system"), help="default: as it was last")
    parser.add_argument("--large-type", action="store_true", help="everything larger, for a projector")
    parser.add_argument("--size", type=_size, metavar="WxH", help="for example 1280x800")
    parser.add_argument("--confidential", action="store_true", help="keep nothing of what is opened, nor settings")
    parser.add_argument("--screenshot", metavar="FILE.png", help="save a picture of the window and exit; no display")
    return parser


def _commands_text() -> str:
    """The other commands, a line each with what they are for."""
    width = max(len(one.name) for one in COMMANDS)
    lines = [f"  {one.name.ljust(width)}  {one.meaning}" for one in COMMANDS]
    return "\n".join(["other commands (irviewer COMMAND --help says more):", *lines])


def parse_view(arguments: Sequence[str]) -> dict[str, Any]:
    """What the window was asked for, by the names of its request. Raises SystemExit as argparse does."""
    parser = build_view_parser()
    found = vars(parser.parse_args(arguments))
    found["paths"] = tuple(found["paths"])
    first = found["paths"][0] if found["paths"] else ""
    if first not in ("", "-") and not is_anything(first):
        names = [*(one.name for one in COMMANDS), VIEW]
        near = [one for one in names if one.startswith(first)]
        near = near if len(near) == 1 else get_close_matches(first, names, n=1, cutoff=0.6)
        if near or re.fullmatch(r"[\w-]+", first):
            hint = f"did you mean {near[0]}?" if near else "see irviewer --help for the commands"
            parser.error(f"there is no command and no file {first!r}; {hint}")
    return found


def _place(text: str) -> str:
    place, _, tab = text.partition(":")
    if place not in PLACES or place == "start" or (tab and tab not in TABS.get(place, ())):
        known = [one if view is None else f"{one}:{view}" for one in PLACES[1:] for view in (None, *TABS.get(one, ()))]
        raise argparse.ArgumentTypeError(f"there is no place {text!r}; there are {', '.join(known)}")
    return text


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 200 <= int(width) <= 10000 and 200 <= int(height) <= 10000):
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 1280x800")
    return int(width), int(height)
