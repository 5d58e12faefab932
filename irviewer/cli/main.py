"""Run the commands of the command line, which use the same model as the window."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from irviewer import __version__
from irviewer.cli.commands import BY_NAME, COMMANDS, Parser
from irviewer.cli.streams import drop_output, prepare
from irviewer.errors import IrviewerError, IrviewerWarning
from irviewer.translation import tr

INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells expect it: 128 plus the number of the signal."""


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit status: that of the result (0, for some commands 1 or 2), 2 after an error (one
    line on standard error), 70 after an unexpected exception (one line, which names a report), 130 after Ctrl-C, 143
    after SIGTERM and 129 after SIGHUP.

    A closed pipe is no error."""
    prepare()
    with _ending_in_order():
        return guarded(lambda: _run(arguments), arguments)


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the command as Ctrl-C does: its temporary files are removed, its processes end. A
    signal that is ignored, as after ``nohup``, stays so."""
    former: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                former[number] = signal.signal(number, _end)
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _end(number: int, frame: object) -> NoReturn:
    sys.exit(128 + number)


def _run(arguments: Sequence[str]) -> int:
    options = build_parser(arguments[0] if arguments else "").parse_args(arguments)
    if "output_formats" in options:
        options.format = options.output_formats.chosen(options)
    if "settle" in options:  # of a command that follows a protocol
        options.settle(options)
    status = BY_NAME[options.command].run(options)
    return status or (2 if getattr(options, "has_unmatched", False) else 0)


def guarded(run: Callable[[], int], arguments: Sequence[str]) -> int:
    """Run a function and write what it printed to the end. Return its status, or that of its exception."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IrviewerWarning)  # notes say the same
        return _guarded(run, arguments)


def _guarded(run: Callable[[], int], arguments: Sequence[str]) -> int:
    status = 0
    try:
        try:
            status = run()
        except SystemExit as stop:  # after --help, --version and wrong arguments
            status = int(stop.code or 0)
        if sys.stdout is not None:  # a window without a console
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        drop_output()
        return INTERRUPTED
    except IrviewerError as error:
        print(f"irviewer: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader closed the pipe. Without this, Python reports the failing flush at exit.
        drop_output()
        return status
    except MemoryError:
        print(tr("irviewer: not enough memory; use fewer runs at a time"), file=sys.stderr)
        return 2
    except OSError as error:
        file = error.filename or tr("standard output")
        print(f"irviewer: {file}: {error.strerror or error}", file=sys.stderr)
        drop_output()
        return 2
    except Exception as error:
        from irviewer.cli.faults import report_fault

        return report_fault(error, arguments)


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
