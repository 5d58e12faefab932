"""Tables that say which run of a collection is which system: a system, a collection and a run a line."""

from __future__ import annotations

from irviewer.errors import ParseError
from irviewer.formats.csv_rows import csv_rows
from irviewer.formats.reading.opener import open_bytes
from irviewer.translation import tr

_HEADER = ("system", "collection", "run")


def read_system_map(path: str) -> dict[str, dict[str, str]]:
    """``{system: {collection: run}}`` of a file with three columns, parted by tabs or commas; a header may order them
    otherwise. Raises ParseError."""
    text = open_bytes(path).data.decode("utf-8-sig", "replace")
    delimiter = "\t" if "\t" in text else ","
    rows = [
        (line, [cell.strip() for cell in cells])
        for line, cells in csv_rows(path, text, delimiter)
        if any(cell.strip() for cell in cells) and not cells[0].startswith("#")
    ]
    hint = tr("write one system, collection and run per line, such as bm25,cacm,BM25_plain")
    places = [0, 1, 2]
    if rows and sorted(cell.casefold() for cell in rows[0][1]) == sorted(_HEADER):
        names = [cell.casefold() for cell in rows.pop(0)[1]]
        places = [names.index(name) for name in _HEADER]
    by_system: dict[str, dict[str, str]] = {}
    for line, cells in rows:
        if len(cells) != 3 or not all(cells):
            raise ParseError(
                path, tr("{n} columns where three are expected", n=len(cells)), line=line, text=delimiter.join(cells),
                hint=hint,
            )  # fmt: skip
        system, collection, run = (cells[place] for place in places)
        if collection in by_system.get(system, {}):
            raise ParseError(
                path, tr("{system} already has a run of {collection}", system=system, collection=collection), line=line,
                text=delimiter.join(cells), hint=hint,
            )  # fmt: skip
        by_system.setdefault(system, {})[collection] = run
    if not by_system:
        raise ParseError(path, tr("the file has no systems"), hint=hint)
    return by_system
