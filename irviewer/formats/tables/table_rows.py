"""From the columns of a table (CSV, Parquet …) to rows of a run or of qrels: numbers, ranks, parts, components.

Knows columns as Arrow arrays and their roles, not the file they came from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import ParseError, name_some
from irviewer.formats.format import Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.column_builders import Keys
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import Rows, from_ranks
from irviewer.formats.trec.run import MOST_COMPONENTS
from irviewer.model.arrays import Codes, Floats, Ints, places_of, strings, values_of
from irviewer.model.column_names import NO_COMPONENTS, Roles, plain_name
from irviewer.model.number_text import counted


@dataclass(frozen=True, eq=False)
class Table:
    """Columns by name, Arrow arrays of one length; a dictionary of texts (int32, without nulls) has each text once, in
    order of appearance. ``lines`` int64[n] line numbers, None where the file has none."""

    columns: dict[str, Any]
    lines: Ints | None = None

    def line(self, row: int) -> int:
        """The line of a row, 0 where there is none."""
        return 0 if self.lines is None else int(self.lines[row])

    def take(self, rows: Ints) -> Table:
        """Some of the rows."""
        index = places_of(rows)

        def of(column: Any) -> Any:
            taken = column.take(index)  # of a dictionary's texts some may be nowhere now
            return taken.cast(pa.string()).dictionary_encode() if pa.types.is_dictionary(taken.type) else taken

        return Table(
            {name: of(column) for name, column in self.columns.items()},
            None if self.lines is None else self.lines[rows],
        )


def gathered_column(gatherer: Any, kind: str, n: int) -> Any:
    """What was gathered of a column, as a :class:`Table` has it; the memory is shared."""
    column = gatherer.done(n)
    if kind == "text":
        return column
    own = pa.py_buffer(column)
    if isinstance(gatherer, Keys):
        codes = pa.Array.from_buffers(pa.int32(), n, [None, own])
        return pa.DictionaryArray.from_arrays(codes, pa.array(list(gatherer.names), pa.string()))
    return pa.Array.from_buffers(pa.int64() if kind == "long" else pa.float64(), n, [None, own])


def table_rows(opened: Opened, table: Table, roles: Roles, wanted: Wanted) -> tuple[Rows, list[Finding]]:
    """The rows, and what is odd. Rows without a grade are left out of qrels and counted. Raises ParseError at the line
    (or row) that will not do."""
    findings: list[Finding] = []
    tag = ""
    for name in filter(None, (roles.query, roles.document, roles.tag, roles.subtopic)):
        _refuse_no_ids(opened, table, name)
    if roles.tag and roles.kind == "run":
        table, tag = _part(opened, table, roles.tag, wanted.part, findings)
    if roles.kind == "qrels":
        table = _judged(table, roles, findings)
    query_ids, codes = _coded(table, roles.query)
    documents = _text(table, roles.document)
    values = _numbers(opened, table, roles.value)
    ranks, by_rank = None, roles.kind == "run" and _is_rank(roles)
    if by_rank:
        values, said = from_ranks(_whole(opened, table, roles.value, values))
        findings.append(said)
    elif roles.rank:
        ranks = _ranks(table, roles.rank)
    subtopics = None
    if roles.subtopic:
        subtopics = _text(table, roles.subtopic)
        subtopics = subtopics if len(pc.unique(subtopics)) > 1 else None
    components = _components(table, roles) if roles.kind == "run" else {}
    stated = ""
    if tag and plain_name(roles.tag) in ("tag", "runtag") and not _of_several(findings):
        tag, stated = "", tag
    return Rows(query_ids, codes, documents, values, table.lines, ranks, subtopics, components, tag, stated), findings


def _of_several(findings: list[Finding]) -> bool:
    return any(one.topic == "part" for one in findings)


def _is_rank(roles: Roles) -> bool:
    return not roles.rank and re.search("rank|position", roles.value.lower()) is not None


def _part(
    opened: Opened, table: Table, name: str, part: str | None, findings: list[Finding]
) -> tuple[Table, str]:  # fmt: skip
    """The rows of one run where the file holds several."""
    texts, codes = _coded(table, name)
    found = list(texts)
    if part is not None and part not in found:
        raise ParseError(
            opened.path, f"{name} is nowhere {part!r}", hint=f"--part takes one of {name_some([str(f) for f in found])}"
        )
    if len(found) < 2:
        return table, found[0] if found else ""
    chosen = part if part is not None else found[0]
    text = f"{len(found):,} runs in one file ({name}: {name_some(found, 4)}): read {chosen}; --part reads another"
    names = tuple(map(str, found))
    findings.append(Finding(text, len(found), serious=part is None, topic="part", names=names))
    rows = np.flatnonzero(codes == found.index(chosen))
    return table.take(rows), str(chosen)


def _judged(table: Table, roles: Roles, findings: list[Finding]) -> Table:
    """Without the rows that have no grade: exported, but never judged."""
    column = table.columns[roles.value]
    empty = pc.is_null(column)
    if pa.types.is_string(column.type):
        empty = pc.or_kleene(empty, pc.equal(pc.utf8_trim_whitespace(column), "")).fill_null(True)
    keep = np.flatnonzero(~values_of(empty))
    if len(keep) == len(column):
        return table
    gone = len(column) - len(keep)
    lines = () if table.lines is None else tuple(np.delete(table.lines, keep)[:5].tolist())
    findings.append(Finding(f"{counted(gone, 'row has', 'rows have')} no {roles.value}: left out", gone, lines))
    return table.take(keep)


def _refuse_no_ids(opened: Opened, table: Table, name: str) -> None:
    kind = table.columns[name].type
    try:
        if not pa.types.is_nested(kind):
            table.columns[name][:100].cast(pa.string())
            if not pa.types.is_binary(kind) and not pa.types.is_large_binary(kind):
                return
            table.columns[name].cast(pa.string())  # only now is it known that all of them are texts
            return
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        pass
    raise ParseError(opened.path, f"{name} holds {kind}, which is no id", hint="an id is a text or a whole number")


def _text(table: Table, name: str) -> Any:
    column = table.columns[name]
    if pa.types.is_floating(column.type) and pc.all(pc.equal(column, pc.floor(column))).as_py():
        column = column.cast(pa.int64())  # pandas makes floats of whole numbers beside a missing one
    return strings(column.cast(pa.string()).fill_null(""))


def _coded(table: Table, name: str) -> tuple[tuple[str, ...], Codes]:
    """The distinct texts of a column in order of appearance, and int32[n] that point into them."""
    column = table.columns[name]
    coded = column if pa.types.is_dictionary(column.type) else _text(table, name).dictionary_encode()
    return tuple(coded.dictionary.to_pylist()), values_of(coded.indices)


def _numbers(opened: Opened, table: Table, name: str) -> Floats:
    column = table.columns[name]
    try:
        if pa.types.is_string(column.type):
            column = pc.utf8_trim_whitespace(column)
        if column.null_count == 0:
            return values_of(column.cast(pa.float64()))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        pass
    result = np.empty(len(column))
    for row, cell in enumerate(column.to_pylist()):
        try:
            if isinstance(cell, str) and ("_" in cell or not cell.isascii()):  # Python's float takes 1_000
                raise ValueError
            result[row] = float(cell)
        except (TypeError, ValueError):
            shown = "nothing" if cell is None or cell == "" else f'"{cell}"'
            where = "" if table.lines is not None else f"row {row + 1}: "
            line, column, text = _place(opened, table, name, row)
            raise ParseError(
                opened.path, f"{where}{name} holds {shown}, which is not a number", line=line, column=column, text=text,
                hint=_hint(name, str(cell or ""), text),
            ) from None  # fmt: skip
    return result


def _hint(name: str, cell: str, text: str) -> str:
    if re.fullmatch(r"\s*[-+]?\d+,\d+\s*", cell):
        return "write decimals with a point"
    if cell.strip() == name:
        return "a second header: take that line out"
    if text.startswith("#"):
        return "comments may stand before the header only"
    return "" if cell else "is the line whole?"


def _place(opened: Opened, table: Table, name: str, row: int) -> tuple[int, int, str]:
    """Line, column and text of a cell; the column is 0 where the cell does not stand in one line as it is read."""
    line = table.line(row)
    if not line:
        return 0, 0, ""
    text = opened.line(line).decode("utf-8", "replace").rstrip("\r")
    column = 0
    for one, cells in table.columns.items():
        cell = str(cells[row].as_py() or "")
        if not text.startswith(cell, column):  # in quotation marks, or no line of cells at all
            return line, 0, text.strip()
        if one == name:
            break
        column += len(cell) + 1
    return line, column + 1 if column <= len(text) else 0, text.strip()


def _whole(opened: Opened, table: Table, name: str, values: Floats) -> Ints:
    bad = np.flatnonzero(~np.isfinite(values) | (values != np.floor(values)))
    if len(bad):
        row = int(bad[0])
        raise ParseError(opened.path, f"{name} {values[row]:g} is no rank", line=table.line(row))
    return values.astype(np.int64)


def _ranks(table: Table, name: str) -> Ints | None:
    try:
        return values_of(table.columns[name].cast(pa.int64()).fill_null(0))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None


def _components(table: Table, roles: Roles) -> dict[str, Floats]:
    """The other columns that hold nothing but numbers."""
    used = {roles.query, roles.document, roles.value, roles.rank, roles.tag, roles.subtopic}
    found: dict[str, Floats] = {}
    for name, column in table.columns.items():
        if (
            name in used
            or plain_name(name) in NO_COMPONENTS
            or len(found) == MOST_COMPONENTS
            or column.null_count
            or not _may_be_numbers(column)
        ):
            continue
        try:
            found[name] = values_of(column.cast(pa.float64()))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            continue
    return found


def _may_be_numbers(column: Any) -> bool:
    """A dear cast is spared for columns whose first cell is no number already."""
    if not len(column) or pa.types.is_boolean(column.type) or pa.types.is_temporal(column.type):
        return False
    try:
        float(column[0].as_py())
    except (TypeError, ValueError):
        return False
    return True


def names_shown(names: Sequence[str]) -> str:
    """The columns of a table, for a message."""
    return name_some([str(name) for name in names], 12)
