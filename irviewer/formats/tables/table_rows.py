"""From the columns of a table (CSV, Parquet …) to the rows of a run or qrels: numbers, ranks, parts, components."""

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
from irviewer.formats.rows import JudgingColumns, Listed, Rows, from_ranks
from irviewer.formats.trec.run import MOST_COMPONENTS
from irviewer.model.arrays import Codes, Floats, Ints, places_of, strings, values_of
from irviewer.model.column_names import Roles, is_component, judging_roles_of, plain_name
from irviewer.model.exchange.rows import FLOAT_EXACT
from irviewer.model.judgments.strata import strata_of
from irviewer.translation import tr, trn

MORE_COMPONENTS = MOST_COMPONENTS + 1
"""Columns of numbers that are read as score components, with one more, which tells that there are more."""
SEVERAL_RUNS = tr("the file has {count:,} runs ({column}: {tags}): {tag} is read; --part reads another")
SEVERAL_JUDGES = tr("the file has {count:,} judges ({column}: {tags}): {tag} is read; --part reads another")


@dataclass(frozen=True, eq=False)
class Table:
    """Columns by name, as Arrow arrays of one length. A dictionary of texts (int32, without nulls) has each text once,
    in order of appearance. ``lines`` int64[n] are the rows' line numbers, None without lines."""

    columns: dict[str, Any]
    lines: Ints | None = None

    def line(self, row: int) -> int:
        """Return the line of a row, 0 without lines."""
        return 0 if self.lines is None else int(self.lines[row])

    def take(self, rows: Ints) -> Table:
        """Return the table with these rows."""
        index = places_of(rows)

        def rows_of_column(column: Any) -> Any:
            taken = column.take(index)  # some texts of a dictionary may be unused now
            return taken.cast(pa.string()).dictionary_encode() if pa.types.is_dictionary(taken.type) else taken

        return Table(
            {name: rows_of_column(column) for name, column in self.columns.items()},
            None if self.lines is None else self.lines[rows],
        )


def built_column(builder: Any, kind: str, n: int) -> Any:
    """Return a builder's column as a column of a :class:`Table`; the memory is shared."""
    column = builder.done(n)
    if kind == "text":
        return column
    own = pa.py_buffer(column)
    if isinstance(builder, Keys):
        codes = pa.Array.from_buffers(pa.int32(), n, [None, own])
        return pa.DictionaryArray.from_arrays(codes, pa.array(list(builder.names), pa.string()))
    return pa.Array.from_buffers(pa.int64() if kind == "long" else pa.float64(), n, [None, own])


def table_rows(opened: Opened, table: Table, roles: Roles, wanted: Wanted) -> tuple[Rows, list[Finding]]:
    """Return the rows and the report's notes. Rows of qrels without a grade are left out and counted. Raises ParseError
    with the line (or row) of a fault."""
    findings: list[Finding] = []
    table, tag = _of_run(opened, table, roles, wanted, findings)
    if roles.kind == "qrels":
        table = _judged(table, roles, findings)
    if roles.kind == "qrels" and roles.judge and (wanted.part is not None or not wanted.judges):
        table, tag = _part(opened, table, roles.judge, wanted.part, findings, SEVERAL_JUDGES)
        tag = tag if _of_several(findings) else ""
    query_ids, codes = _coded(table, roles.query)
    documents = _text(table, roles.document)
    values = _numbers(opened, table, roles.value)
    if roles.by_rank:
        values, ranks_note = from_ranks(_whole(opened, table, roles.value, values))
        findings.append(ranks_note)
    ranks = _ranks(table, roles.rank) if roles.rank else None
    subtopics = strata = None
    if roles.has_strata:
        strata = strata_of(_stripped(table.columns[roles.stratum]), values, given=roles.stratum_given)
    if roles.subtopic and strata is None:
        subtopics = _text(table, roles.subtopic)
        subtopics = subtopics if len(pc.unique(subtopics)) > 1 else None
    components = _components(table, roles, findings) if roles.kind == "run" else {}
    stated = ""
    if tag and plain_name(roles.tag) in ("tag", "runtag") and not _of_several(findings):
        tag, stated = "", tag
    rows = Rows(query_ids, codes, documents, values, table.lines, ranks, subtopics, components, tag, stated)
    rows.strata = strata
    rows.judging = _judging(table, roles) if wanted.judges else None
    return rows, findings


def listed_rows(opened: Opened, table: Table, roles: Roles, wanted: Wanted) -> tuple[Listed, list[Finding]]:
    """Return the rows of a run as they are listed, and which of several runs they are. Raises as ``table_rows``. Ranks
    become scores that depend on no other rows: some of these may be read apart."""
    findings: list[Finding] = []
    table, _ = _of_run(opened, table, roles, wanted, findings)
    queries, documents = _text(table, roles.query), _text(table, roles.document)
    scores = _numbers(opened, table, roles.value)
    if roles.by_rank:
        scores = (-_whole(opened, table, roles.value, scores)).astype(np.float64)
    return Listed(queries, documents, scores), findings


def _of_run(
    opened: Opened, table: Table, roles: Roles, wanted: Wanted, findings: list[Finding]
) -> tuple[Table, str]:  # fmt: skip
    """Return the rows of the wanted run among those of a table, and its tag; of qrels all rows. Raises ParseError for
    columns that cannot be ids."""
    for name in filter(None, (roles.query, roles.document, roles.tag, roles.subtopic, roles.judge)):
        refuse_no_ids(opened, table.columns[name], name, table.lines)
    if roles.tag and roles.kind == "run":
        return _part(opened, table, roles.tag, wanted.part, findings)
    return table, ""


def _judging(table: Table, roles: Roles) -> JudgingColumns | None:
    """Return the columns of judges and explanations as texts without white space around them; None without any."""
    own = judging_roles_of(list(table.columns), roles)
    if not own:
        return None
    nothing = ("",) * len(table.columns[roles.query])
    explanations, models, confidence, judges = (
        _stripped(table.columns[name]) if name else nothing
        for name in (own.explanation, own.model, own.confidence, own.judge)
    )
    return JudgingColumns(judges if own.judge else models, explanations, models, confidence)


def _stripped(column: Any) -> tuple[str, ...]:
    """Return the cells as texts; whole numbers have no decimals, as pandas makes floats of them if one is missing."""
    cells = column.to_pylist()
    whole = all(cell is None or (isinstance(cell, float) and (cell != cell or cell.is_integer())) for cell in cells)

    def text(cell: Any) -> str:
        if cell is None or cell != cell:
            return ""
        return str(int(cell) if whole else cell).strip()

    return tuple(text(cell) for cell in cells)


def _of_several(findings: list[Finding]) -> bool:
    return any(note.topic == "part" for note in findings)


def _part(
    opened: Opened, table: Table, name: str, part: str | None, findings: list[Finding], several: str = SEVERAL_RUNS
) -> tuple[Table, str]:  # fmt: skip
    """Return the rows of one run (or judge) and its tag; the file may have ``several``."""
    texts, codes = _coded(table, name)
    tags = list(texts)
    if part is not None and part not in tags:
        raise ParseError(
            opened.path,
            tr("no row has {part!r} in column {column}", part=part, column=name),
            hint=tr("--part is one of: {tags}", tags=name_some([str(tag) for tag in tags])),
        )
    if len(tags) < 2:
        return table, tags[0] if tags else ""
    chosen = part if part is not None else tags[0]
    text = several.format(
        count=len(tags),
        column=name,
        tags=name_some(tags, 4),
        tag=chosen,
    )
    names = tuple(map(str, tags))
    findings.append(Finding(text, len(tags), serious=part is None, topic="part", names=names))
    rows = np.flatnonzero(codes == tags.index(chosen))
    return table.take(rows), str(chosen)


def _judged(table: Table, roles: Roles, findings: list[Finding]) -> Table:
    """Return the table without the rows that have no grade: they were exported but not judged."""
    column = table.columns[roles.value]
    empty = pc.is_null(column)
    if pa.types.is_string(column.type):
        empty = pc.or_kleene(empty, pc.equal(pc.utf8_trim_whitespace(column), "")).fill_null(True)
    keep = np.flatnonzero(~values_of(empty))
    if len(keep) == len(column):
        return table
    removed = len(column) - len(keep)
    lines = () if table.lines is None else tuple(np.delete(table.lines, keep)[:5].tolist())
    findings.append(
        Finding(
            trn(
                "{n:,} row has no {column}: left out",
                "{n:,} rows have no {column}: left out",
                removed,
                column=roles.value,
            ),
            removed,
            lines,
        )
    )
    return table.take(keep)


def refuse_no_ids(opened: Opened, column: Any, name: str, lines: Ints | None) -> None:
    """Raise ParseError for a column whose values cannot be ids, by their type or because they are not exact."""
    kind = column.type
    if pa.types.is_floating(kind):
        _refuse_float_ids(opened, column, name, lines)
        return
    try:
        if not pa.types.is_nested(kind):
            column[:100].cast(pa.string())
            if pa.types.is_binary(kind):
                column.cast(pa.string())  # raises if some of them are not texts
            return
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        pass
    raise ParseError(
        opened.path,
        tr("column {column} has the type {type}, which cannot be an id", column=name, type=kind),
        hint=tr("make the ids texts or whole numbers"),
    )


def _refuse_float_ids(opened: Opened, column: Any, name: str, lines: Ints | None) -> None:
    """Raise ParseError for ids stored as floats that are no longer the ids: infinite or too large to be exact."""
    numbers = values_of(column.cast(pa.float64()).fill_null(0.0))
    bad = np.flatnonzero(np.abs(numbers) >= FLOAT_EXACT)  # not NaN, which is a missing id
    if len(bad):
        row = int(bad[0])
        cell = column[row].as_py()
        if lines is None:
            reason = tr("row {row:,}: {column} is {cell}, which is not an id", row=row + 1, column=name, cell=cell)
        else:
            reason = tr("{column} is {cell}, which is not an id", column=name, cell=cell)
        raise ParseError(
            opened.path, reason, line=0 if lines is None else int(lines[row]),
            hint=tr("write ids as texts: numbers with decimals are not exact"),
        )  # fmt: skip


def id_texts(column: Any) -> Any:
    """Return a column of ids as texts, "" for a missing one. Whole numbers are their digits, whatever the others are:
    pandas makes floats of them if one is missing, and some of the rows may be read apart."""
    if pa.types.is_floating(column.type):
        column = column.cast(pa.float64())
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, pa.float64()), column)
        whole = pc.trunc(column)
        is_whole = pc.equal(column, whole)
        texts = whole.cast(pa.int64()).cast(pa.string())
        if pc.all(is_whole).as_py() is False:
            texts = pc.if_else(is_whole, texts, column.cast(pa.string()))
        column = texts
    return strings(column.cast(pa.string()).fill_null(""))


def _text(table: Table, name: str) -> Any:
    return id_texts(table.columns[name])


def _coded(table: Table, name: str) -> tuple[tuple[str, ...], Codes]:
    """Return the distinct texts of a column in order of appearance, and int32[n] indices into them."""
    column = table.columns[name]
    coded = column if pa.types.is_dictionary(column.type) else _text(table, name).dictionary_encode()
    return tuple(coded.dictionary.to_pylist()), values_of(coded.indices)


def _numbers(opened: Opened, table: Table, name: str) -> Floats:
    column = table.columns[name]
    if pa.types.is_nested(column.type) or pa.types.is_binary(column.type):
        raise ParseError(
            opened.path,
            tr("column {column} has the type {type}, which is not a number", column=name, type=column.type),
            hint=tr("write grades, scores and ranks as numbers"),
        )
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
            line, column, text = _place(opened, table, name, row)
            reason = _no_number(name, cell, 0 if table.lines is not None else row + 1)
            hint = _hint(name, str(cell or ""), text)
            raise ParseError(opened.path, reason, line=line, column=column, text=text, hint=hint) from None
    return result


def _no_number(name: str, cell: Any, row: int) -> str:
    """Return why a cell is not a number; ``row`` is 0 if the line is known."""
    if cell is None or cell == "":
        if row:
            return tr("row {row:,}: {column} is empty and must be a number", row=row, column=name)
        return tr("{column} is empty and must be a number", column=name)
    if row:
        return tr('row {row:,}: {column} is "{cell}", which is not a number', row=row, column=name, cell=cell)
    return tr('{column} is "{cell}", which is not a number', column=name, cell=cell)


def _hint(name: str, cell: str, text: str) -> str:
    if re.fullmatch(r"\s*[-+]?\d+,\d+\s*", cell):
        return tr("write decimals with a point")
    if cell.strip() == name:
        return tr("this is a second header: remove the line")
    if text.startswith("#"):
        return tr("comments are allowed only before the header")
    return "" if cell else tr("complete the line, or remove it")


def _place(opened: Opened, table: Table, name: str, row: int) -> tuple[int, int, str]:
    """Return line, column and text of a cell; the column is 0 if the cell is quoted or spans lines."""
    line = table.line(row)
    if not line:
        return 0, 0, ""
    text = opened.line(line).decode("utf-8", "replace").rstrip("\r")
    column = 0
    for column_name, cells in table.columns.items():
        cell = str(cells[row].as_py() or "")
        if not text.startswith(cell, column):  # in quotation marks, or not a line of cells
            return line, 0, text.strip()
        if column_name == name:
            break
        column += len(cell) + 1
    return line, column + 1 if column <= len(text) else 0, text.strip()


def _whole(opened: Opened, table: Table, name: str, values: Floats) -> Ints:
    invalid_rows = np.flatnonzero(~np.isfinite(values) | (values != np.floor(values)))
    if len(invalid_rows):
        row = int(invalid_rows[0])
        raise ParseError(
            opened.path,
            tr("{column} is {value:g}, which is not a rank", column=name, value=values[row]),
            line=table.line(row),
            hint=tr("ranks are whole numbers"),
        )
    return values.astype(np.int64)


def _ranks(table: Table, name: str) -> Ints | None:
    try:
        return values_of(table.columns[name].cast(pa.int64()).fill_null(0))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None


def _components(table: Table, roles: Roles, findings: list[Finding]) -> dict[str, Floats]:
    """Return the other columns that have only numbers, of many the first."""
    used = {roles.query, roles.document, roles.value, roles.rank, roles.tag, roles.subtopic, roles.judge}
    components: dict[str, Floats] = {}
    for name, column in table.columns.items():
        if name in used or not is_component(name) or column.null_count or not _may_be_numbers(column):
            continue
        try:
            values = values_of(column.cast(pa.float64()))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            continue
        if len(components) == MOST_COMPONENTS:
            text = tr("only the first {most} columns of numbers are score components", most=MOST_COMPONENTS)
            findings.append(Finding(text, 1, serious=False))
            break
        components[name] = values
    return components


def _may_be_numbers(column: Any) -> bool:
    """Return False if the first cell is not a number, which avoids a slow cast."""
    if not len(column) or pa.types.is_boolean(column.type) or pa.types.is_temporal(column.type):
        return False
    try:
        float(column[0].as_py())
    except (TypeError, ValueError):
        return False
    return True


def names_shown(names: Sequence[str]) -> str:
    """Return the columns of a table as text for a message."""
    return name_some([str(name) for name in names], 12)
