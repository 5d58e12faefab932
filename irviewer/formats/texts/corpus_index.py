"""A corpus that stays on disk: an index of ids and line starts, so that any document opens in a few milliseconds.

``CorpusIndex`` has the interface of ``TextTable``; ``corpus_building`` builds the arrays. They hold a sorted 64-bit
digest of each id and the start of each line: 20 bytes per document. Membership is decided by the digest alone (with
nine million documents, an error for one id in 10^12); a document is shown only if its line has the requested id."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irviewer.errors import MeasureError, ParseError
from irviewer.formats.reading.json_faults import json_reason
from irviewer.formats.texts import jsonl, tsv
from irviewer.model.texts import BODY_COLUMNS, CHANGED, CUT, GONE, TEXT_COLUMNS, TextTable
from irviewer.translation import tr

BROKEN = "trouble"
"""The column with the reason why a line cannot be shown."""

_KEPT_ROWS = 512


@dataclass(frozen=True)
class Shape:
    """The format of the lines.

    kind      "jsonl" or "tsv"
    names     columns, the id first; for JSON lines those of the first lines
    id_name   the key of the id in JSON lines
    encoding  "utf-8" or "latin-1"
    """

    kind: str
    names: tuple[str, ...]
    id_name: str = "id"
    encoding: str = "utf-8"

    def row(self, path: str, line: bytes) -> dict[str, Any]:
        """Return the line's columns with ``id``. Raises ParseError for a line of another format."""
        text = line.decode(self.encoding, "replace").rstrip("\r\n")
        if self.kind == "tsv":
            cells = text.split("\t")
            if len(cells) < 2 or not cells[0].strip():
                raise ParseError(path, tr("an id, a tab and a text are expected"), text=text.strip()[:200])
            return dict(tsv.row_of(cells, self.names))
        try:
            record = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ParseError(
                path, tr("not a JSON object: {reason}", reason=json_reason(error)), text=text.strip()[:200]
            ) from error
        if isinstance(record, dict) and self.id_name in record and self.id_name != "id":
            record = {
                "id": record[self.id_name],
                **{key: value for key, value in record.items() if key not in ("id", self.id_name)},
            }
        return jsonl.row_of(path, record, 0, text[:200])


@cache
def _blake2b() -> Any:
    from hashlib import blake2b  # it loads OpenSSL, 3.5 MB

    return blake2b


def digest(identifier: bytes) -> bytes:
    """Return the 8-byte digest of an id in UTF-8."""
    return bytes(_blake2b()(identifier, digest_size=8).digest())


class Lines:
    """The arrays of an index of ``source``, in file order of the documents.

    starts    uint64[n], the start of each line
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
        """What happened to the file, ``GONE``, ``CUT`` or ``CHANGED``; "" if it is as it was indexed."""
        state = _state(self.source)
        if state == self._state:
            return ""
        if state is None:
            return GONE
        return CUT if self._state is not None and state[0] < self._state[0] else CHANGED

    def _candidates(self, identifier: str) -> npt.NDArray[Any]:
        wanted = np.frombuffer(digest(identifier.encode("utf-8", "surrogatepass")), "<u8")[0]
        begin = int(np.searchsorted(self.digests, wanted, "left"))
        end = begin
        while end < len(self.digests) and self.digests[end] == wanted:
            end += 1
        return self.order[begin:end]

    def holds(self, identifier: str) -> bool:
        """Return True if the corpus has a document of that id, by its digest."""
        return len(self._candidates(identifier)) > 0

    def shared(self, ids: Collection[str]) -> int:
        """Return how many of the ids are in the corpus, by their digests."""
        if not len(self) or not ids:
            return 0
        wanted = np.frombuffer(
            b"".join(digest(identifier.encode("utf-8", "surrogatepass")) for identifier in ids), "<u8"
        )
        places = np.searchsorted(self.digests, wanted)
        return int((self.digests[np.minimum(places, len(self) - 1)] == wanted).sum())

    def place(self, identifier: str) -> int | None:
        """Return the document's position, the first of several with that id; None without one."""
        for place in self._candidates(identifier).tolist():
            if self.row(place).get("id") == identifier:
                return int(place)
        return None

    def row(self, place: int) -> dict[str, Any]:
        """Return the columns and ``id`` of a document, not to be changed; an unreadable line has the id "" and the
        reason under ``BROKEN``.

        A file that changed since it was indexed is not read, as the line starts may be wrong; rows read before stay."""
        try:
            return self._kept(place)
        except OSError as error:
            return {"id": "", BROKEN: tr("the file cannot be read: {error}", error=error)}

    def _read(self, place: int) -> dict[str, Any]:
        """Read a row, to be cached. Raises OSError, which is not cached: the file may come back."""
        with self.source.open("rb") as file:
            state = os.fstat(file.fileno())
            if (state.st_size, state.st_mtime_ns) != self._state:
                raise OSError(tr("it changed since it was indexed"))
            try:
                file.seek(int(self.starts[place]))
                return self.shape.row(str(self.source), file.readline())
            except ParseError as error:
                return {"id": "", BROKEN: error.reason}
            except IndexError as error:
                return {"id": "", BROKEN: tr("the file cannot be read: {error}", error=error)}

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield all rows in file order."""
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
        about = path.stat()
    except OSError:
        return None
    return about.st_size, about.st_mtime_ns


class _Ids(Sequence[str]):
    """The ids in file order, read from the file on demand."""

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
            return [self[index] for index in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return str(self._lines.row(place % len(self))["id"])

    def __iter__(self) -> Iterator[str]:
        for row in self._lines.rows():
            yield str(row["id"])

    def __contains__(self, item: object) -> bool:
        return isinstance(item, str) and self._lines.holds(item)


class _Places(Mapping[str, int]):
    """A mapping from ids to positions."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[str]:
        return iter(_Ids(self._lines))

    def __contains__(self, item: object) -> bool:
        return isinstance(item, str) and self._lines.holds(item)

    def __getitem__(self, item: str) -> int:
        place = self._lines.place(item)
        if place is None:
            raise KeyError(item)
        return place


@dataclass(frozen=True, eq=False, repr=False)
class CorpusIndex(TextTable):
    """Documents that stay on disk, with the interface of ``TextTable``; ``table`` is None. Thread-safe."""

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
        """The columns other than ``id``; for JSON lines those of the first lines."""
        return tuple(name for name in self._lines().shape.names if name != "id")

    @property
    def lost(self) -> str:
        """What happened to the file since it was indexed, so that it cannot be read; "" if nothing."""
        return self._lines().lost

    def columns(self, names: Sequence[str]) -> Any:
        """Return an Arrow table of the ids and some columns, in file order, which reads the whole file once. Raises
        MeasureError if it was removed or changed."""
        if self.lost:
            raise MeasureError(
                tr("the fields of documents cannot be read: their file {event}; open it again", event=self.lost)
            )
        wanted = ("id", *names)
        rows = [{name: row.get(name) for name in wanted} for row in self._lines().rows() if row["id"]]
        return TextTable.from_rows(rows).columns(names) if rows else pa.table({name: pa.array([], pa.string())
                                                                              for name in wanted})  # fmt: skip

    def row(self, identifier: str) -> dict[str, Any]:
        """Return the columns of an id, without nulls and without the id; empty for an unknown id."""
        row = self._found(identifier)
        return {name: value for name, value in row.items() if name != "id" and value is not None}

    def title(self, identifier: str) -> str:
        """Return the title, else the beginning of the text, in one line; "" without either."""
        return " ".join(self._value(identifier, ("title", *TEXT_COLUMNS))[:400].split())

    def text(self, identifier: str) -> str:
        """Return the text of a query (the first existing column of ``TEXT_COLUMNS``); "" without one."""
        return self._value(identifier, TEXT_COLUMNS)

    def body(self, identifier: str) -> str:
        """Return the text of a document (the first existing column of ``BODY_COLUMNS``); "" without one."""
        return self._value(identifier, BODY_COLUMNS)

    def shared_with(self, ids: Collection[str]) -> int:
        """Return how many of the ids are in the corpus."""
        return self._lines().shared(ids)

    def _found(self, identifier: str) -> dict[str, Any]:
        lines = self._lines()
        place = lines.place(identifier)
        return {} if place is None else lines.row(place)

    def _value(self, identifier: str, names: Sequence[str]) -> str:
        name = next((name for name in names if name in self.attributes), None)
        value = None if name is None else self._found(identifier).get(name)
        return "" if value is None else str(value)
