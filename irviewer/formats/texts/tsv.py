"""Reader of queries or documents as tab-separated text: ``id<TAB>text``, with or without a header, more columns or not.

Knows the format; decompression, encodings and detection are elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.errors import ParseError
from irviewer.formats.reading.opener import Opened
from irviewer.formats.texts.jsonl import ID_NAMES
from irviewer.formats.texts.text_rows import TextRows
from irviewer.model.texts import TEXT_COLUMNS, TextTable


def parse_tsv(opened: Opened) -> TextTable:
    """The rows. A header is a first line whose first column is a name that ids have (``id``, ``qid``, ``docno`` …) and
    whose second is no long text; its columns keep their names. Without one, the columns are id, text (of three, title
    and text), column_4 … A quotation mark is a character like any other. Raises ParseError."""
    rows = TextRows(opened.path)
    names: list[str] = []
    lines = opened.data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        if not names:
            names, header = names_of(cells)
            if header:
                continue
        if len(cells) < 2:
            raise ParseError(
                opened.path,
                "no tab between id and text",
                line=number,
                column=len(line.rstrip()) + 1,
                text=line.strip(),
                hint="write the id, a tab, the text",
            )
        one = cells[0].strip()
        if not one:
            raise ParseError(opened.path, "no id before the first tab", line=number, column=1, text=line.strip())
        rows.add(row_of(cells, names), number, line)
    return rows.table()


def row_of(cells: list[str], names: Sequence[str]) -> dict[str, str]:
    """The cells of a line by column name. Tabs beyond the last column belong to its text."""
    if len(cells) > len(names):
        cells = [*cells[: len(names) - 1], " ".join(cells[len(names) - 1 :])]
    return {name: cell.strip() for name, cell in zip(names, cells, strict=False)}


def names_of(cells: list[str]) -> tuple[list[str], bool]:
    """The columns' names, and whether they stand in the file."""
    lowered = [cell.strip().lower() for cell in cells]
    known = {name.lower() for name in ID_NAMES} | {"query-id", "doc-id", "#id", "topic"}
    if len(cells) > 1 and lowered[0] in known and (lowered[1] in TEXT_COLUMNS or len(lowered[1]) < 30):
        taken = {"id": None}
        for place, name in enumerate(lowered[1:], start=2):
            free = name or f"column_{place}"
            taken[free if free not in taken else f"{free}_{place}"] = None
        return list(taken), True
    if len(cells) == 3:
        return ["id", "title", "text"], False
    return ["id", "text", *(f"column_{place}" for place in range(3, len(cells) + 1))], False
