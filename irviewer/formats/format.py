"""What a file format is to irviewer: a name, the kinds it can hold, how it is recognised, read and written.

Knows no format; the table of them is in ``registry``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from irviewer.errors import ParseError
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.load_report import LoadReport
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.unpacking import BROKEN
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.zscores import ZScores

EVERYTHING = frozenset({"queries", "scores", "subtopics", "components", "names"})
RELEVANT = frozenset({"queries", "relevant"})
ZSCORES = "zscores"
KINDS = ("qrels", "run", "queries", "documents", ZSCORES)
MOST_LINES = 50
_LONGEST = 2 << 20  # of a line: an id may be a megabyte long
Value = Qrels | Run | TextTable


@dataclass(frozen=True, eq=False)
class Loaded:
    """The content of a file. ``kind`` is one of ``KINDS``; ``ambiguous`` is True if it may be queries or documents, to
    be decided by the collection's ids. ``cacheable`` is False if another package read it, whose next version may read
    it differently."""

    kind: str
    value: Value | ZScores
    report: LoadReport
    ambiguous: bool = False
    cacheable: bool = True


@dataclass(frozen=True)
class Wanted:
    """How a file is to be read.

    kind        one of ``KINDS``, never empty: the reader makes that
    kind_given  True if the user gave the kind, False if it was detected
    name        the value's name; None: the file's
    duplicates  what is done about a document that stands twice for a query
    part        which of several runs in one file (a snapshot, a tag); None: the first
    scores      path of the file that holds the scores of a LETOR file
    reason      why the file is taken for what it is, for the report
    account     False where nobody will read the report: what only that needs may be left out
    as_format   True where a person said the format
    """

    kind: str
    kind_given: bool = False
    name: str | None = None
    duplicates: DuplicatePolicy = "refuse"
    part: str | None = None
    scores: str | None = None
    reason: str = ""
    account: bool = True
    as_format: bool = False


@dataclass(frozen=True)
class Sniffed:
    """What a look at a file's beginning says: the ``kind`` it holds, and why. A reason that is a guess says so.
    ``certain``: read as another kind it would be nonsense."""

    kind: str
    reason: str
    certain: bool = False


@dataclass(frozen=True)
class Format:
    """One format.

    name      how ``--from`` and ``--to`` call it
    title     how a report calls it
    kinds     what it can hold, of ``KINDS``
    sniff     the beginning of a file -> what it is, or None where it is not this format
    read      the file -> its value; raises ParseError with file, line, column and what to do
    write     a value -> bytes, or None where the format is only read; raises OptionError where a value does not fit
    suffixes  file name endings that choose the format for writing
    written   the kinds that are written, where they are not all of ``kinds``
    keeps     what a written file keeps beside documents' ids and grades: "queries" (their ids), "scores", "subtopics",
              "components" (and their "names"), "attributes"; "relevant": of judgments only those above 0
    binary    True for formats whose bytes are no text
    """

    name: str
    title: str
    kinds: tuple[str, ...]
    sniff: Callable[[Head], Sniffed | None]
    read: Callable[[Opened, Wanted], Loaded]
    write: Callable[[Value], bytes] | None = None
    suffixes: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    keeps: frozenset[str] = frozenset({"queries", "scores"})
    binary: bool = False

    def encoded(self, value: Value) -> bytes:
        """The value as the bytes of a file. Documents of a run that share their score stand as they stood in its own
        file, which some tools rank by. Raises as ``write``."""
        assert self.write is not None
        return self.write(value.reordered("arrival") if isinstance(value, Run) else value)

    def writes(self, kind: str) -> bool:
        """True where a value of that kind can be written; ``written`` narrows ``kinds`` where they differ."""
        return self.write is not None and kind in (self.written or self.kinds)


class Head:
    """The beginning of a file, as sniffing needs it; nothing is looked at twice."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.path = opened.path
        self.binary = opened.binary

    @cached_property
    def lines(self) -> list[tuple[int, str]]:
        """The first 50 lines that are neither blank nor comments, with their numbers; none of a binary file."""
        if self.binary:
            return []
        found = first_lines(self.opened.head, MOST_LINES + 1)
        # The last line of a part may be cut; and of long lines, or after many comments, there are more to come.
        if self.opened.whole or len(found) > MOST_LINES:
            return found[:MOST_LINES]
        return self._more_lines()

    def _more_lines(self) -> list[tuple[int, str]]:
        """The same where the beginning does not hold them; a file of few long lines is not read for more of them."""
        if self.opened.in_memory:
            return first_lines(self.opened.data)
        begin, wanted = b"", self.opened.sizes.large
        with suppress(*BROKEN), closing(self.opened.stream()) as stream:
            while len(begin) < self.opened.sizes.sniffed and (block := stream.read(self.opened.sizes.large)):
                begin += block
                if len(begin) >= wanted:
                    if len(first_lines(begin, MOST_LINES + 1)) > MOST_LINES:
                        break
                    wanted *= 2
            # After so many bytes of comments nothing else is waited for.
            return first_lines(begin)
        return first_lines(self.opened.data)

    @cached_property
    def first(self) -> str:
        """The first such line, "" where there is none."""
        return self.lines[0][1] if self.lines else ""

    @cached_property
    def columns(self) -> list[list[str]]:
        """The lines parted at white space, of ASCII only, as the readers part them."""
        return [
            [cell.decode("utf-8", "replace") for cell in line.encode("utf-8", "replace").split()]
            for _, line in self.lines
        ]

    @cached_property
    def begin(self) -> str:
        """The first 64 kB as text, without white space before it."""
        return "" if self.binary else self.opened.head.decode("utf-8", "replace").lstrip()

    @cached_property
    def file_name(self) -> str:
        """The file's name in lower case, a hint where the content leaves two answers."""
        return Path(self.path).name.lower()

    def names(self, *words: str) -> bool:
        """True where the file's name contains one of the words."""
        return any(word in self.file_name for word in words)


def first_lines(data: bytes, most: int = MOST_LINES) -> list[tuple[int, str]]:
    """The first lines that are neither blank nor comments, with their numbers from 1."""
    found: list[tuple[int, str]] = []
    start = number = 0
    while start < len(data) and len(found) < most:
        stop = data.find(b"\n", start)
        stop = len(data) if stop < 0 else stop
        number += 1
        line = data[start : min(stop, start + _LONGEST)]
        start = stop + 1
        text = line.decode("utf-8", "replace").rstrip("\r")
        if text.strip() and not line.startswith(b"#"):  # Unicode has more white space than bytes have
            found.append((number, text))
    return found


def is_number(text: str) -> bool:
    """True for what a person would call a number, a decimal comma included: the reader says where that is wrong."""
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def is_whole(text: str) -> bool:
    """True for an integer in plain digits, of a size that things are counted with: Python refuses to read thousands."""
    return re.fullmatch(r"[+-]?[0-9]{1,18}", text) is not None


def expect(kind: str, path: str, name: str, kinds: Sequence[str]) -> None:
    """Raises ParseError where a format cannot hold the kind that is wanted."""
    if kind not in kinds:
        raise ParseError(path, f"{name} files hold {' or '.join(kinds)}, not {kind}", hint="leave --kind away")
