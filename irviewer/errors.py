"""The one family of errors: whatever the program refuses, it refuses with one of these, and it says what to do.

Knows nothing of the rest of the package."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


class IrviewerError(Exception):
    """Base of all errors that are a person's business: shown as a message, never as a traceback."""


class ParseError(IrviewerError):
    """A file that cannot be read: which file, which line and column, the text that stands there, why, and what to do.

    ``line`` and ``column`` count from 1; 0 means the fault is the file's as a whole (empty, not text, unknown).
    ``topic`` names what a person can decide so that the file is read all the same; "" where there is nothing."""

    topic = ""

    def __init__(
        self, path: str | Path, reason: str, *, line: int = 0, column: int = 0, text: str = "", hint: str = ""
    ) -> None:
        self.path = str(path)
        self.line = line
        self.column = column
        self.text = text
        # A cell of a damaged file may be a megabyte: its beginning and the end of the sentence are enough.
        self.reason = reason if len(reason) <= 300 else f"{reason[:200]} … {reason[-90:]}"
        self.hint = hint if len(hint) <= 300 else hint[:297] + "..."
        super().__init__(self.message)

    @property
    def message(self) -> str:
        """The whole story in one line: ``a.run:17:9: score "1,5" is not a number [1 Q0 d1 1 1,5 x]; use a point``."""
        where = self.path
        if self.line:
            where += f":{self.line}"
            if self.column:
                where += f":{self.column}"
        shown = self.text if len(self.text) <= 120 else self.text[:117] + "..."
        quoted = f" [{shown}]" if shown else ""
        hint = f"; {self.hint}" if self.hint else ""
        return printable(f"{where}: {self.reason}{quoted}{hint}")

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions with keyword-only arguments do not survive pickling (worker processes) without this.
        return (
            _rebuild_parse_error,
            (self.path, self.reason, self.line, self.column, self.text, self.hint, type(self)),
        )


class DuplicateError(ParseError):
    """A document that stands twice for a query, in a file that is to be refused for that: a person can choose."""

    topic = "duplicates"


class ScaleError(ParseError):
    """Numbers that are grades in one format and codes that run the other way in another: a person can choose."""

    topic = "scale"


class PatchError(ParseError):
    """Judgments that are to be laid over qrels, where qrels were expected: as such they would say that nothing else is
    judged."""


def _rebuild_parse_error(
    path: str, reason: str, line: int, column: int, text: str, hint: str, kind: type[ParseError] = ParseError
) -> ParseError:
    return kind(path, reason, line=line, column=column, text=text, hint=hint)


class MeasureError(IrviewerError):
    """A measure's name or parameter that cannot be understood; ``suggestions`` are the nearest names."""

    def __init__(self, message: str, suggestions: Sequence[str] = ()) -> None:
        self.suggestions = tuple(suggestions)
        if self.suggestions:
            message += "; did you mean " + " or ".join(self.suggestions) + "?"
        super().__init__(printable(message))

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_measure_error, (self.args[0], self.suggestions))


def _rebuild_measure_error(message: str, suggestions: tuple[str, ...]) -> MeasureError:
    error = MeasureError(message)
    error.suggestions = suggestions
    return error


class MissingQueriesError(IrviewerError):
    """Queries of the qrels that a run lacks, where the person asked for trec_eval's refusal (``--format trec``)."""

    def __init__(self, run: str, missing: Sequence[str]) -> None:
        self.run = run
        self.missing = tuple(missing)
        super().__init__(
            f"run {run} lacks {len(self.missing)} of the qrels' queries: {name_some(self.missing)}; "
            "-c counts them as 0, --missing intersection leaves them out"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return (MissingQueriesError, (self.run, self.missing))


class UndecidedError(IrviewerError):
    """Runs that cannot be compared: the qrels know nothing of one, so that its numbers say nothing of it."""


class OptionError(IrviewerError):
    """Options that contradict each other or are out of range."""


def printable(text: str) -> str:
    """One line, whatever a broken file brings along: control signs as escapes (they would break the line or move the
    terminal's cursor), tabs as spaces."""
    return "".join(
        sign if sign.isprintable() else " " if sign == "\t" else sign.encode("unicode_escape").decode() for sign in text
    )


def name_some(names: Sequence[str], most: int = 10) -> str:
    """``a, b, c and 12 more``: enough names to find the fault, not so many that the message is lost."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
