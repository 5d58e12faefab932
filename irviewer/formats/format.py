"""The description of a file format: its name, the kinds it can have, and how it is recognised, read and written.

The formats themselves are listed in ``registry``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc

from irviewer.errors import OptionError, ParseError
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.load_report import LoadReport
from irviewer.formats.reading.arrow_schema import schema_of
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.unpacking import BROKEN
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.zscores import ZScores
from irviewer.translation import tr

EVERYTHING = frozenset({"queries", "scores", "subtopics", "components", "names"})
RELEVANT = frozenset({"queries", "relevant"})
ZSCORES = "zscores"
KINDS = ("qrels", "run", "queries", "documents", ZSCORES)
MOST_LINES = 50
_CELLS = re.compile(r"[^ \t\n\r\x0b\x0c]+")
_LONGEST = 2 << 20  # of a line: an id may be a megabyte long
Value = Qrels | Run | TextTable


@dataclass(frozen=True, eq=False)
class Loaded:
    """The content of a file. ``kind`` is one of ``KINDS``; ``ambiguous`` is True if it may be queries or documents, to
    be decided by the collection's ids. ``cacheable`` is False if another package read it, whose next version may read
    it differently. ``judges`` are the judgment sets of a table of qrels whose columns name judges, explanations, models
    or confidence, if they were wanted; ``value`` has the grades of the first. ``stored`` are all runs of a file of
    stored values, ``systems`` those of a file with the answers or labels of several systems, of which ``value`` is
    one."""

    kind: str
    value: Value | ZScores
    report: LoadReport
    ambiguous: bool = False
    cacheable: bool = True
    judges: tuple[JudgmentSet, ...] = ()
    stored: tuple[Run, ...] = ()
    systems: tuple[Run, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """How a file is read.

    kind        one of ``KINDS``: what the reader returns
    kind_given  True if the user gave the kind, False if it was detected
    name        the value's name; None: the file's
    duplicates  what is done with repeated documents of a query
    part        which of several runs in one file (a snapshot, a tag); None: the first
    scores      path of the file with the scores of a LETOR file
    reason      why the file is read as this kind and format, for the report
    account     False if the report is not needed: what only the report needs may be left out
    as_format   True if the user gave the format
    judges      True if a table of qrels is read as one judgment set per judge, with explanations
    late        True if the documents of a run are put in rank order when they are asked for; its report has no notes
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
    judges: bool = False
    late: bool = False


@dataclass(frozen=True)
class Sniffed:
    """The result of detection: the ``kind`` of a file, and why. ``certain``: the file would be nonsense as another
    kind. ``guess``: it may well be of another kind; the reason says so, too."""

    kind: str
    reason: str
    certain: bool = False
    guess: bool = False


@dataclass(frozen=True)
class Format:
    """A file format.

    name      its name in ``--from`` and ``--to``
    title     its name in reports
    kinds     the kinds it can have, of ``KINDS``
    sniff     returns the kind of a file by its beginning, None if it is not of this format
    read      reads a file; raises ParseError with file, line, column and what to do
    write     returns a value as bytes; None if the format is only read; raises OptionError for an unsuitable value
    suffixes  file name suffixes that select the format for writing
    written   the kinds that are written if they are not all of ``kinds``
    keeps     what a written file keeps beside documents' ids and grades: "queries" (their ids), "scores", "subtopics",
              "components" (and their "names"), "attributes", "strata", "spans" (of labels); "relevant": only judgments
              above 0
    binary    True for formats that are not text
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
        """Return the value as the bytes of a file. Tied documents of a run keep the order of its own file, by which
        some tools rank; where no scores are kept, the order is the ranking, of which the file is all that is left.
        Raises as ``write``, and OptionError for an empty id, with which no file can be read."""
        assert self.write is not None
        if isinstance(value, Run | Qrels):
            _refuse_empty_ids(value)
        if isinstance(value, Run) and "scores" in self.keeps:
            value = value.reordered("arrival")
        return self.write(value)

    def writes(self, kind: str) -> bool:
        """Return True if values of that kind can be written."""
        return self.write is not None and kind in (self.written or self.kinds)


class Head:
    """The beginning of a file for detection; every part is computed once."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.path = opened.path
        self.binary = opened.binary

    @cached_property
    def lines(self) -> list[tuple[int, str]]:
        """The first 50 lines that are neither blank nor comments, with their numbers; none for a binary file."""
        if self.binary:
            return []
        lines = first_lines(self.opened.head, MOST_LINES + 1)
        # The last line may be cut, and more lines follow if lines are long or there are many comments.
        if self.opened.whole or len(lines) > MOST_LINES:
            return lines[:MOST_LINES]
        return self._more_lines()

    def _more_lines(self) -> list[tuple[int, str]]:
        """Return the first lines if they are not in the beginning; only a limited part of the file is read for them."""
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
            # After that many bytes of comments the search ends.
            return first_lines(begin)
        return first_lines(self.opened.data)

    @cached_property
    def first(self) -> str:
        """The first such line, "" without one."""
        return self.lines[0][1] if self.lines else ""

    @cached_property
    def columns(self) -> list[list[str]]:
        """The lines split at ASCII white space, as by the readers."""
        return [_CELLS.findall(line) for _, line in self.lines]

    @cached_property
    def has_texts(self) -> bool:
        """Whether each line is an id that no other line has, one tab, and words with blanks between them, which do not
        all begin with a number: texts, which white space does not divide into columns."""
        rows = self.columns
        return (
            bool(rows)
            and all(line.count("\t") == 1 and len(line.split("\t")[0].split()) == 1 for _, line in self.lines)
            and all(len(row) > 2 for row in rows)
            and len({row[0] for row in rows}) == len(rows)
            and not all(is_number(row[1]) for row in rows)
        )

    @cached_property
    def begin(self) -> str:
        """The first 64 kB as text, without white space before it."""
        return "" if self.binary else self.opened.head.decode("utf-8", "replace").lstrip()

    @cached_property
    def long_begin(self) -> str:
        """The beginning as far as long lines are examined, as :attr:`begin`."""
        wanted, begin = self.opened.sizes.sniffed, b""
        if self.opened.in_memory:
            begin = self.opened.data[:wanted]
        else:
            with suppress(*BROKEN), closing(self.opened.stream()) as stream:
                while len(begin) < wanted and (block := stream.read(wanted - len(begin))):
                    begin += block
        return begin.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")

    @cached_property
    def schema(self) -> Any:
        """The schema of a Parquet or Arrow file. Raises ArrowException, OSError or ValueError."""
        return schema_of(self.opened)

    @cached_property
    def file_name(self) -> str:
        """The file's name in lower case, a hint if the content may be of two kinds."""
        return Path(self.path).name.lower()

    def names(self, *words: str) -> bool:
        """Return True if the file's name contains one of the words."""
        return any(word in self.file_name for word in words)


def first_lines(data: bytes, most: int = MOST_LINES) -> list[tuple[int, str]]:
    """Return the first lines that are neither blank nor comments, with their numbers from 1."""
    lines: list[tuple[int, str]] = []
    start = number = 0
    while start < len(data) and len(lines) < most:
        stop = data.find(b"\n", start)
        stop = len(data) if stop < 0 else stop
        number += 1
        line = data[start : min(stop, start + _LONGEST)]
        start = stop + 1
        text = line.decode("utf-8", "replace").rstrip("\r")
        if text.strip() and not line.startswith(b"#"):  # Unicode has more white space than bytes have
            lines.append((number, text))
    return lines


def is_number(text: str) -> bool:
    """Return True for a number, also with a decimal comma, which readers report as an error."""
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def is_whole(text: str) -> bool:
    """Return True for an integer of at most 18 digits: Python refuses thousands of digits."""
    return re.fullmatch(r"[+-]?[0-9]{1,18}", text) is not None


def expect(kind: str, path: str, name: str, kinds: Sequence[str]) -> None:
    """Raise ParseError if a format cannot have the requested kind."""
    if kind not in kinds:
        raise ParseError(
            path,
            tr("{format} files can be {kinds}, not {kind}", format=name, kinds=", ".join(kinds), kind=kind),
            hint=tr("omit --kind"),
        )


def _refuse_empty_ids(value: Run | Qrels) -> None:
    if "" in value.query_index:
        raise OptionError(tr("the id of a query is empty, and no file with it can be read; give it an id"))
    place = pc.index(value.doc_ids, "").as_py()
    if place >= 0:
        query = value.query_ids[int(np.searchsorted(value.offsets, place, "right")) - 1]
        raise OptionError(
            tr("the id of a document of query {query} is empty, and no file with it can be read; give it an id",
               query=query)
        )  # fmt: skip
