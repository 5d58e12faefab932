"""A corpus that stays on disk: ids and byte offsets of its lines, so that any document opens in a few milliseconds.

``CorpusIndex`` reads like a ``TextTable``; ``corpus_building`` makes the arrays, ``corpora`` decides when. What is kept
is a 64-bit digest of every id, sorted, and where each line begins: 20 bytes a document. Whether an id is there is told
from the digest alone (one id in 10^12 would be told wrongly for nine million documents); a document is shown only when
the line's own id is the one that was asked for."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from irviewer.errors import ParseError
from irviewer.formats.texts import jsonl, tsv
from irviewer.model.texts import CHANGED, CUT, GONE, TEXT_COLUMNS, TextTable

BROKEN = "trouble"
"""The column that says why a line cannot be shown."""

_KEPT_ROWS = 512


@dataclass(frozen=True)
class Shape:
    """How the lines are read.

    kind      "jsonl" or "tsv"
    names     columns, the id first: of a TSV all, of JSON lines those of the first lines
    id_name   the key that holds the id in JSON lines
    encoding  "utf-8" or "latin-1"
    """

    kind: str
    names: tuple[str, ...]
    id_name: str = "id"
    encoding: str = "utf-8"

    def row(self, path: str, line: bytes) -> dict[str, Any]:
        """The line's columns with ``id``. Raises ParseError where it is none."""
        text = line.decode(self.encoding, "replace").rstrip("\r\n")
        if self.kind == "tsv":
            cells = text.split("\t")
            if len(cells) < 2 or not cells[0].strip():
                raise ParseError(path, "no id and text parted by a tab", text=text.strip()[:200])
            return dict(tsv.row_of(cells, self.names))
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ParseError(path, f"not a JSON object: {error}", text=text.strip()[:200]) from error
        if isinstance(found, dict) and self.id_name in found and self.id_name != "id":
            found = {"id": found[self.id_name], **{k: v for k, v in found.items() if k not in ("id", self.id_name)}}
        return jsonl.row_of(path, found, 0, text[:200])


def digest(one: bytes) -> bytes:
    """The eight bytes that stand for an id in UTF-8."""
    return blake2b(one, digest_size=8).digest()


class Lines:
    """The arrays of an index over ``source``, in file order of the documents.

    starts    uint64[n], where each line begins
    digests   uint64[n], ascending; ``order`` uint32 or uint64[n], the document of each
    """

    def __init__(
        self, source: Path, shape: Shape, starts: npt.NDArray[Any], digests: npt.NDArray[Any], order: npt.NDArray[Any]
    ) -> None:
        self.source = source
        self.shape = shape
        self.starts = starts
        self.digests = digests
        self.order = order
        self._state = _state(source)
        self._kept = lru_cache(_KEPT_ROWS)(self._read)

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def lost(self) -> str:
        """What became of the file, ``GONE``, ``CUT`` or ``CHANGED``; "" where it is the one that was indexed."""
        now = _state(self.source)
        if now == self._state:
            return ""
        if now is None:
            return GONE
        return CUT if self._state is not None and now[0] < self._state[0] else CHANGED

    def _candidates(self, one: str) -> npt.NDArray[Any]:
        wanted = np.frombuffer(digest(one.encode("utf-8", "surrogatepass")), "<u8")[0]
        begin = int(np.searchsorted(self.digests, wanted, "left"))
        end = begin
        while end < len(self.digests) and self.digests[end] == wanted:
            end += 1
        return self.order[begin:end]

    def holds(self, one: str) -> bool:
        """True where a document of that id is there, by its digest."""
        return len(self._candidates(one)) > 0

    def shared(self, ids: Collection[str]) -> int:
        """How many of the ids are there, by their digests, all at once."""
        if not len(self) or not ids:
            return 0
        wanted = np.frombuffer(b"".join(digest(one.encode("utf-8", "surrogatepass")) for one in ids), "<u8")
        places = np.searchsorted(self.digests, wanted)
        return int((self.digests[np.minimum(places, len(self) - 1)] == wanted).sum())

    def place(self, one: str) -> int | None:
        """The document's place, the first of several of that id; None where there is none."""
        for place in self._candidates(one).tolist():
            if self.row(place).get("id") == one:
                return int(place)
        return None

    def row(self, place: int) -> dict[str, Any]:
        """Columns and ``id`` of a document; a line that is none has the id "" and says so. Not to be changed.

        Of a file that is not the one that was indexed nothing is read: where a document began, a half or another one
        may stand now. What was read before stays."""
        try:
            return self._kept(place)
        except OSError as error:
            return {"id": "", BROKEN: f"the file cannot be read: {error}"}

    def _read(self, place: int) -> dict[str, Any]:
        """The row, to be kept. Raises OSError, which is not kept: the file may come back."""
        with self.source.open("rb") as file:
            about = os.fstat(file.fileno())
            if (about.st_size, about.st_mtime_ns) != self._state:
                raise OSError("it changed since it was indexed")
            try:
                file.seek(int(self.starts[place]))
                return self.shape.row(str(self.source), file.readline())
            except ParseError as error:
                return {"id": "", BROKEN: error.reason}
            except IndexError as error:
                return {"id": "", BROKEN: f"the file cannot be read: {error}"}

    def rows(self) -> Iterator[dict[str, Any]]:
        """All of them, read through from the beginning."""
        with self.source.open("rb") as file:
            for start in self.starts:
                if file.tell() != int(start):
                    file.seek(int(start))
                line = file.readline()
                try:
                    yield self.shape.row(str(self.source), line)
                except ParseError as error:
                    yield {"id": "", BROKEN: error.reason}


def _state(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


class _Ids(Sequence[str]):
    """The ids in file order, read from the file when they are asked for."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return str(self._lines.row(place % len(self))["id"])

    def __iter__(self) -> Iterator[str]:
        for row in self._lines.rows():
            yield str(row["id"])

    def __contains__(self, one: object) -> bool:
        return isinstance(one, str) and self._lines.holds(one)


class _Places(Mapping[str, int]):
    """Id -> place."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[str]:
        return iter(_Ids(self._lines))

    def __contains__(self, one: object) -> bool:
        return isinstance(one, str) and self._lines.holds(one)

    def __getitem__(self, one: str) -> int:
        place = self._lines.place(one)
        if place is None:
            raise KeyError(one)
        return place


@dataclass(frozen=True, eq=False, repr=False)
class CorpusIndex(TextTable):
    """Documents that stay on disk, read as a ``TextTable`` is; ``table`` is None. Safe to read from any thread."""

    lines: Lines | None = None

    def _lines(self) -> Lines:
        assert self.lines is not None
        return self.lines

    def __len__(self) -> int:
        return len(self._lines())

    @cached_property
    def ids(self) -> Sequence[str]:
        """The ids in file order."""
        return _Ids(self._lines())

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Id -> row."""
        return _Places(self._lines())

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the columns beside ``id``, of JSON lines those that the first lines have."""
        return tuple(name for name in self._lines().shape.names if name != "id")

    @property
    def lost(self) -> str:
        """What became of the file, so that what was not read before cannot be found in it; "" where nothing did."""
        return self._lines().lost

    def row(self, one: str) -> dict[str, Any]:
        """Everything known of one id, without nulls and without the id; empty where it is unknown."""
        found = self._found(one)
        return {name: value for name, value in found.items() if name != "id" and value is not None}

    def title(self, one: str) -> str:
        """The title, else the beginning of the text, in one line; "" where there is none."""
        return " ".join(self._value(one, ("title", *TEXT_COLUMNS))[:400].split())

    def text(self, one: str) -> str:
        """The text (the first of ``TEXT_COLUMNS`` that there is); "" where there is none."""
        return self._value(one, TEXT_COLUMNS)

    def shared_with(self, ids: Collection[str]) -> int:
        """How many of the ids are there."""
        return self._lines().shared(ids)

    def _found(self, one: str) -> dict[str, Any]:
        lines = self._lines()
        place = lines.place(one)
        return {} if place is None else lines.row(place)

    def _value(self, one: str, names: Sequence[str]) -> str:
        name = next((name for name in names if name in self.attributes), None)
        value = None if name is None else self._found(one).get(name)
        return "" if value is None else str(value)
