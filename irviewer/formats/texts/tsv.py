"""The reader of queries or documents as tab-separated text: ``id<TAB>text``, optional header and further columns."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.errors import ParseError
from irviewer.formats.reading.opener import Opened
from irviewer.formats.texts.jsonl import ID_NAMES
from irviewer.formats.texts.text_rows import TextRows
from irviewer.model.texts import TEXT_COLUMNS, TextTable
from irviewer.translation import tr


def parse_tsv(opened: Opened) -> TextTable:
    """Return the rows. A header is a first line whose first column is a name of ids (``id``, ``qid``, ``docno`` …) and
    whose second is not a long text; it names the columns. Without one, the columns are id, text (of three columns, id,
    title, text), column_4 … Quotation marks are ordinary characters. Raises ParseError."""
    rows = TextRows(opened.path)
    names: list[str] = []
    lines = opened.data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    for line_number, line in enumerate(lines, start=1):
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
                tr("there is no tab between id and text"),
                line=line_number,
                column=len(line.rstrip()) + 1,
                text=line.strip(),
                hint=tr("write the id, a tab, the text"),
            )
        identifier = cells[0].strip()
        if not identifier:
            raise ParseError(
                opened.path, tr("there is no id before the first tab"), line=line_number, column=1, text=line.strip()
            )
        rows.add(row_of(cells, names), line_number, line)
    return rows.table()


def row_of(cells: list[str], names: Sequence[str]) -> dict[str, str]:
    """Return the cells of a line by column name. Further tabs belong to the text of the last column."""
    if len(cells) > len(names):
        cells = [*cells[: len(names) - 1], " ".join(cells[len(names) - 1 :])]
    return {name: cell.strip() for name, cell in zip(names, cells, strict=False)}


def names_of(cells: list[str]) -> tuple[list[str], bool]:
    """Return the columns' names, and whether they are from a header."""
    lowered = [cell.strip().lower() for cell in cells]
    known = {name.lower() for name in ID_NAMES} | {"query-id", "doc-id", "#id", "topic"}
    if len(cells) > 1 and lowered[0] in known and (lowered[1] in TEXT_COLUMNS or len(lowered[1]) < 30):
        taken = {"id": None}
        for number, name in enumerate(lowered[1:], start=2):
            column = name or f"column_{number}"
            taken[column if column not in taken else f"{column}_{number}"] = None
        return list(taken), True
    if len(cells) == 3:
        return ["id", "title", "text"], False
    return ["id", "text", *(f"column_{number}" for number in range(3, len(cells) + 1))], False
