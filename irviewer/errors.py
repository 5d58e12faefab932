"""Errors that are shown to the user. Each message says what is wrong, where, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, time
from numbers import Integral, Real
from pathlib import Path
from typing import Self

from irviewer.hidden_characters import escape, escape_hidden
from irviewer.paths import can_be_path
from irviewer.translation import tr, trn

MOST_LETTERS = 60
"""Letters of a name in a list of names; an id can have thousands."""


class IrviewerError(Exception):
    """Base class of the errors shown to the user as messages, never as tracebacks."""


class IrviewerWarning(UserWarning):
    """What Python is warned of where the command line prints a note: nothing matches, an empty run, queries missing."""


class ParseError(IrviewerError):
    """A file that cannot be read.

    line, column   from 1; 0: the fault concerns the whole file (empty, not text, unknown)
    text           the text at that position
    reason         what is wrong; ``hint`` what to do
    topic          the read option by which the file can be read nevertheless, "" if there is none"""

    topic = ""

    def __init__(
        self, path: str | Path, reason: str, *, line: int = 0, column: int = 0, text: str = "", hint: str = ""
    ) -> None:
        self.path = str(path)
        self.line = line
        self.column = column
        self.text = text
        # A cell of a damaged file may have a megabyte: show only the beginning and the end.
        self.reason = _shortened(reason, 300, ending=90)
        self.hint = _shortened(hint, 300)
        super().__init__(self.message)

    def at_line(self, line: int) -> Self:
        """Return the error with another number of its line."""
        if line != self.line:
            self.line = line
            self.args = (self.message,)
        return self

    @property
    def message(self) -> str:
        """The message in one line: ``a.run:17:9: score "1,5" is not a number [1 Q0 d1 1 1,5 x]; use a point``."""
        where = self.path
        if self.line:
            where += f":{self.line}"
            if self.column:
                where += f":{self.column}"
        shown = _shortened(self.text, 120)
        quoted = f" [{shown}]" if shown else ""
        hint = f"; {self.hint}" if self.hint else ""
        return printable(f"{where}: {self.reason}{quoted}{hint}")

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions with keyword-only arguments do not survive pickling (worker processes) without this.
        return (
            _rebuild_parse_error,
            (self.path, self.reason, self.line, self.column, self.text, self.hint, type(self)),
        )


def _shortened(text: str, most: int, ending: int = 0) -> str:
    """Return a text that has at most so many characters as it is written, with escapes: its beginning, and so many of
    its end; the text itself where it is short."""
    if len(text) > 2 * most:
        text = text[:most] + text[len(text) - most :]
    written = printable(text)
    if len(written) <= most:
        return text
    return f"{written[: most - ending - 10]} … {written[-ending:]}" if ending else written[: most - 3] + "..."


class DuplicateError(ParseError):
    """A document that is listed twice for a query, in a file read without a rule for duplicates."""

    topic = "duplicates"


class RecordsError(DuplicateError):
    """A topic with two different records of answers, nuggets or labels, in a file read without a rule for them."""

    topic = "records"


class ScaleError(ParseError):
    """Numbers that are grades in one format and reversed codes in another, so that the user must choose."""

    topic = "scale"


class ColumnsError(ParseError):
    """A table whose columns have unknown names; ``names`` are its columns."""

    topic = "columns"
    names: tuple[str, ...] = ()

    def with_names(self, names: Sequence[str]) -> ColumnsError:
        """Set the names of the columns, and return the error."""
        self.names = tuple(map(str, names))
        return self


class PatchError(ParseError):
    """A judgment patch where qrels were expected: read as qrels, all other documents would be unjudged."""


def _rebuild_parse_error(
    path: str, reason: str, line: int, column: int, text: str, hint: str, kind: type[ParseError] = ParseError
) -> ParseError:
    return kind(path, reason, line=line, column=column, text=text, hint=hint)


class MeasureError(IrviewerError):
    """An unknown measure or a wrong parameter; ``suggestions`` are similar names."""

    def __init__(self, message: str, suggestions: Sequence[str] = ()) -> None:
        self.suggestions = tuple(suggestions)
        if self.suggestions:
            names = tr(" or ").join(self.suggestions)
            message = tr("{message}; did you mean {names}?", message=message, names=names)
        super().__init__(printable(message))

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_measure_error, (self.args[0], self.suggestions))


def _rebuild_measure_error(message: str, suggestions: tuple[str, ...]) -> MeasureError:
    error = MeasureError(message)
    error.suggestions = suggestions
    return error


class PluginError(MeasureError):
    """A fault of a measure of another package while it computes."""


class MissingQueriesError(IrviewerError):
    """Queries of the qrels that a run lacks, which ``--format trec`` refuses as trec_eval does."""

    def __init__(self, run: str, missing: Sequence[str]) -> None:
        self.run = run
        self.missing = tuple(missing)
        super().__init__(
            trn(
                "run {run} lacks {n:,} query of the qrels: {queries}; -c counts it as 0, --missing intersection "
                "leaves it out",
                "run {run} lacks {n:,} queries of the qrels: {queries}; -c counts them as 0, --missing intersection "
                "leaves them out",
                len(self.missing),
                run=short_name(run),
                queries=name_some(self.missing),
            )
        )

    def __reduce__(self) -> tuple[object, ...]:
        return (MissingQueriesError, (self.run, self.missing))


class UndecidedError(IrviewerError):
    """Runs that cannot be compared because one has no judged document, so that its values mean nothing."""


class OptionError(IrviewerError):
    """Options that contradict each other or are out of range."""


class NoQueriesError(OptionError):
    """A selection of queries of which none is judged or has results."""


def printable(text: str) -> str:
    """Return a text as one line: hidden characters as escapes (they could break the line or move the terminal's
    cursor), and those that no terminal shows, or shows as a common space; tabs as spaces."""
    text = escape_hidden(text.replace("\t", " "))
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign in JOINING else escape(sign) for sign in text)


JOINING = "\u200c\u200d\ufe0f\u202f"
"""Characters without a look of their own that stay where they shape a word, an emoji or a number: joiners, the selector
of emoji, the narrow space in numbers."""


def checked_path(path: str | Path) -> Path:
    """Return a path as it was given. Raises IrviewerError for a text that can name no file."""
    if not can_be_path(path):
        raise IrviewerError(
            tr(
                "{path}: no file can have this name: it has characters that names cannot have",
                path=printable(str(path)),
            )
        )
    return Path(path)


_LINES = str.maketrans({"\n": r"\n", "\r": r"\r", "\t": r"\t"})
"""Sentences keep the line ends of their own; those of a name are shown as they are written."""


def short_name(name: str) -> str:
    """Return a name for a sentence, in one line; of a long one the beginning."""
    name = name.translate(_LINES)
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"


def name_some(names: Sequence[str], most: int = 10) -> str:
    """Return the first names and the number of others: ``a, b, c and 12 more``; of a long name the beginning."""
    shown = ", ".join(map(short_name, names[:most]))
    if len(names) <= most:
        return shown
    return tr("{names} and {count:,} more", names=shown, count=len(names) - most)


class Written(str):
    """The text of a value for ``{value!r}`` in a message."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def as_written(value: object) -> object:
    """Return what ``{value!r}`` shows of a wrong value as people write it in a file: ``[1, 2]``, ``true``,
    ``2026-01-01``, ``0.5``, never how Python builds it."""
    return value if isinstance(value, str) else Written(_value_text(value))


def _value_text(value: object) -> str:
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Real):
        return repr(int(value) if isinstance(value, Integral) else float(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_value_text(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple | set | frozenset):
        return "[" + ", ".join(map(_value_text, value)) + "]"
    return value.isoformat() if isinstance(value, date | time) else repr(value)
