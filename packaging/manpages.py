"""Write the manual pages: ``python packaging/manpages.py`` writes ``build/man/man1/irviewer.1`` and a page for each
command, ``irviewer-COMMAND.1``; ``--output`` names another folder than ``build/man``.

They are made from the parsers of the commands, so that they name every option. Only irviewer itself is needed."""

from __future__ import annotations

import argparse
import os
import re
import sys
import textwrap
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from irviewer.cli.commands import COMMANDS, VIEW, Command  # noqa: E402 - found by the path above
from irviewer.cli.view import build_view_parser  # noqa: E402
from irviewer.version import VERSION  # noqa: E402

SECTION = "man1"
WIDTH = 78
"""The longest line of a page, in characters."""
DESCRIPTION = (
    "irviewer opens relevance judgments (qrels) and retrieval runs, offline, and computes trec_eval's numbers. Without "
    "a command it opens the window, as irviewer view does."
)
ENVIRONMENT = {
    "IRVIEWER_CONFIG_DIR": "folder of the settings",
    "IRVIEWER_CACHE_DIR": "folder of the cache",
    "IRVIEWER_CACHE_LIMIT": "largest size of each kind of content of the cache, in bytes",
    "IRVIEWER_CONFIDENTIAL": "1: nothing is cached",
    "IRVIEWER_LANGUAGE": "language of the texts, such as es; English where it is not available",
    "COLUMNS": "width of printed tables",
}
"""Variables of the environment -> what they set."""
STATUS = "0, if the description says nothing else; 2 after an error; 130 after Ctrl-C."


def main() -> int:
    """Write the pages and print their paths. Return the exit status."""
    parser = argparse.ArgumentParser(description="Write the manual pages.")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "man", help="folder to write")
    for path in write(parser.parse_args().output):
        print(path)
    return 0


def write(folder: Path, version: str = VERSION) -> list[Path]:
    """Write the pages into ``man1`` of a folder, such as ``usr/share/man``, and return their paths."""
    target = folder / SECTION
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in pages(version).items():
        (target / name).write_text(text, encoding="ascii")
        written.append(target / name)
    return written


def pages(version: str = VERSION) -> dict[str, str]:
    """Return the pages by file name, as macros of man(7) in ASCII."""
    with patch.dict(os.environ, {"COLUMNS": "2000", "NO_COLOR": "1"}):
        pages_by_name = {"irviewer.1": _main_page(version)}
        for command in COMMANDS:
            pages_by_name[f"irviewer-{command.name}.1"] = _page(command, version)
    return pages_by_name


def _main_page(version: str) -> str:
    parser = build_view_parser()
    named = "".join(_entry(f"irviewer {command.name}", command.meaning) for command in COMMANDS)
    variables = "".join(_entry(name, meaning) for name, meaning in ENVIRONMENT.items())
    return "".join(
        [
            _heading("irviewer", "the debugger for rankings", version),
            ".SH SYNOPSIS\n",
            _paragraph(_synopsis(parser)),
            ".PP\n" + _paragraph("irviewer COMMAND ..."),
            ".SH DESCRIPTION\n",
            _paragraph(DESCRIPTION),
            *_options(parser),
            ".SH COMMANDS\n",
            _paragraph(f"irviewer {VIEW} opens the window. Each other command has a page, such as irviewer-gate(1):"),
            named,
            ".SH ENVIRONMENT\n",
            variables,
            ".SH EXIT STATUS\n",
            _paragraph(STATUS),
            ".SH SEE ALSO\n",
            _see([f"irviewer-{command.name}" for command in COMMANDS]),
        ]
    )


def _page(command: Command, version: str) -> str:
    name, meaning, parser = command.name, command.meaning, command.parser()
    description = [part for part in re.split(r"\n\n", parser.description or "") if part.strip()]
    return "".join(
        [
            _heading(f"irviewer-{name}", meaning, version),
            ".SH SYNOPSIS\n",
            _paragraph(_synopsis(parser)),
            ".SH DESCRIPTION\n",
            ".PP\n".join(_paragraph(part) for part in description or [meaning[0].upper() + meaning[1:] + "."]),
            *_options(parser),
            ".SH EXIT STATUS\n",
            _paragraph(STATUS),
            ".SH SEE ALSO\n",
            _see(["irviewer"]),
        ]
    )


def _heading(name: str, meaning: str, version: str) -> str:
    title = f'.TH {_escaped(name.upper())} 1 "{_date()}" "irviewer {version}" "irviewer"\n'
    return title + ".SH NAME\n" + _paragraph(f"{name} - {meaning}")


def _date() -> str:
    """Return the date of the build; SOURCE_DATE_EPOCH sets it for builds that can be repeated."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.fromtimestamp(int(seconds), UTC) if seconds else datetime.now(UTC)
    return f"{moment:%Y-%m-%d}"


def _synopsis(parser: argparse.ArgumentParser) -> str:
    text = " ".join(parser.format_usage().removeprefix("usage: ").split())
    # A list of words that no line holds is told with its option, or its argument, alone.
    text = re.sub(r"--([a-z-]+) \{[^}]{56,}\}", lambda match: f"--{match[1]} {match[1].upper()}", text)
    for action in parser._actions:
        text = text.replace(" {" + ",".join(_long_list(action)) + "}", f" {action.dest.upper()}")
    return text


def _long_list(action: argparse.Action) -> list[str]:
    """Return the words of an argument that no line holds together."""
    words = [] if action.option_strings else list(map(str, action.choices or ()))
    return words if len(",".join(words)) >= 56 else []


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The arguments and options by group, with their help as argparse writes it."""
    formatter = parser._get_formatter()  # argparse has no public way to the texts of single options
    titles = {"positional arguments": "ARGUMENTS", "options": "OPTIONS"}
    for group in parser._action_groups:
        shown = [action for action in group._group_actions if action.help != argparse.SUPPRESS]
        if shown:
            yield f".SH {_escaped(titles.get(group.title or '', (group.title or 'options').upper()))}\n"
        if shown and group.description:
            yield _paragraph(group.description)
        for action in shown:
            name, meaning = formatter._format_action_invocation(action), formatter._expand_help(action)
            if words := _long_list(action):
                name, meaning = action.dest.upper(), f"{meaning}: {', '.join(words)}"
            yield _entry(name, meaning)


def _entry(name: str, meaning: str) -> str:
    return f".TP\n.B {_escaped(name)}\n{_paragraph(meaning)}"


def _see(names: list[str]) -> str:
    ends = [" ,"] * (len(names) - 1) + [""]
    return "".join(f".BR {_escaped(name)} (1){end}\n" for name, end in zip(names, ends, strict=True))


def _paragraph(text: str) -> str:
    """Return a paragraph in short lines, or a line that is indented as it is."""
    escaped = _escaped(" ".join(text.split()))
    if text.startswith(" "):
        return f".RS\n{escaped}\n.RE\n"
    lines = textwrap.wrap(escaped, WIDTH, break_long_words=False, break_on_hyphens=False)
    return "".join(("\\&" if line.startswith(".") else "") + line + "\n" for line in lines)


def _escaped(text: str) -> str:
    """Return a text in which nothing is a request or an escape of roff."""
    signs = {"\\": "\\e", "-": "\\-", "^": "\\(ha", "~": "\\(ti", "`": "\\(ga", "'": "\\(aq", '"': "\\(dq"}
    return "".join(signs.get(sign, sign if sign.isascii() else f"\\[u{ord(sign):04X}]") for sign in text)


if __name__ == "__main__":
    sys.exit(main())
