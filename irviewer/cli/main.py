"""The text commands: the arguments of one to its exit status. The same model as the window, as text; knows no Qt."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from irviewer import __version__
from irviewer.cli.commands import BY_NAME, COMMANDS, Parser
from irviewer.cli.streams import drop_output, prepare
from irviewer.errors import IrviewerError

INTERRUPTED = 130
"""The status of a command that was interrupted by Ctrl-C, as shells expect it: 128 and the number of the signal."""


def main(arguments: Sequence[str]) -> int:
    """Run one of the text commands; 0, 2 with one clear line on standard error, 130 when it was interrupted. A closed
    pipe ends quietly."""
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
        # The reader has closed the pipe. Python would complain once more at exit: give it nothing to flush to.
        drop_output()
        return 0
    except MemoryError:
        print("irviewer: there is not enough memory for this: fewer runs at a time need less", file=sys.stderr)
        return 2
    except OSError as error:
        where = error.filename or "standard output"
        print(f"irviewer: {where}: {error.strerror or error}", file=sys.stderr)
        drop_output()
        return 2


def build_parser(asked: str = "") -> argparse.ArgumentParser:
    """The parser of the text commands; of the one that is ``asked`` for alone, where there is one of that name: its
    module is the only one that is imported."""
    parser = Parser(prog="irviewer", description="The debugger for rankings.", epilog="Without a command: the window.")
    parser.add_argument("--version", action="version", version=f"irviewer {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser, metavar="COMMAND")
    for command in (BY_NAME[asked],) if asked in BY_NAME else COMMANDS:
        command.add(commands.add_parser(command.name, help=command.meaning))
    return parser
