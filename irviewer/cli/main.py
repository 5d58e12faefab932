"""Run the commands of the command line, which use the same model as the window."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from irviewer import __version__
from irviewer.cli.commands import BY_NAME, COMMANDS, Parser
from irviewer.cli.streams import drop_output, prepare
from irviewer.errors import IrviewerError
from irviewer.translation import tr

INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells expect it: 128 plus the number of the signal."""


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit status: 0, 2 after an error (one line on standard error), 130 after Ctrl-C.

    A closed pipe is no error."""
    prepare()
    parser = build_parser(arguments[0] if arguments else "")
    try:
        options = parser.parse_args(arguments)
        status = BY_NAME[options.command].run(options)
        sys.stdout.flush()
        return status
    except SystemExit as stop:
        return int(stop.code or 0)
    except KeyboardInterrupt:
        drop_output()
        return INTERRUPTED
    except IrviewerError as error:
        print(f"irviewer: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader closed the pipe. Without this, Python reports the failing flush at exit.
        drop_output()
        return 0
    except MemoryError:
        print(tr("irviewer: not enough memory; use fewer runs at a time"), file=sys.stderr)
        return 2
    except OSError as error:
        file = error.filename or tr("standard output")
        print(f"irviewer: {file}: {error.strerror or error}", file=sys.stderr)
        drop_output()
        return 2


def build_parser(name: str = "") -> argparse.ArgumentParser:
    """Return the parser of all commands, or only of the command ``name`` if there is one: then no other command's
    module is imported."""
    parser = Parser(
        prog="irviewer",
        description=tr("The debugger for rankings."),
        epilog=tr("Without a command, the window opens."),
    )
    parser.add_argument("--version", action="version", version=f"irviewer {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser, metavar="COMMAND")
    for command in (BY_NAME[name],) if name in BY_NAME else COMMANDS:
        command.add(commands.add_parser(command.name, help=command.meaning))
    return parser
