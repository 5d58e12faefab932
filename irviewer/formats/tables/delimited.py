"""CSV and TSV with a header: runs and qrels with known column names (BEIR, PyTerrier, ir_datasets, Excel), queries and
documents (``table_texts``).

Arrow reads regular files; the line reader reads the others and knows the line of every fault."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import compute as pc
from pyarrow import csv as arrow_csv

from irviewer.errors import ColumnsError, OptionError, ParseError
from irviewer.formats.csv_rows import csv_rows, ends_open
from irviewer.formats.delimited_text import delimited_text
from irviewer.formats.duplicates import REPEATED
from irviewer.formats.format import EVERYTHING, Format, Head, Loaded, Sniffed, Value, Wanted, is_number, is_whole
from irviewer.formats.reading.delimited_stream import stream_table
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made
from irviewer.formats.tables.table_rows import Table, names_shown, table_rows
from irviewer.formats.tables.table_texts import column_hint, is_of_texts, knows_any, table_loaded, text_roles_of
from irviewer.formats.texts.formats import TEXTS
from irviewer.formats.texts.tsv import names_of
from irviewer.formats.trec.formats import qrels_columns, refuse_preferences, texts_of
from irviewer.model.arrays import Bools, Ints, strings, values_of
from irviewer.model.column_names import Roles, is_unnamed, judging_roles_of, roles_of, unnamed
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.translation import tr

DELIMITERS = ("\t", ",", ";", "|")
MOST_COLUMNS = 10_000
_NAMES = {"\t": "TSV", ",": "CSV", ";": tr("CSV with semicolons"), "|": tr("CSV with vertical bars")}


def header_of(head: Head) -> tuple[str, list[str]]:
    """Return the delimiter and the names in the header, the first line; ("", []) without a delimiter. Columns without
    a name, such as the row numbers that pandas and R write first, are called ``Unnamed: 0`` by their place."""
    best: tuple[str, list[str]] = ("", [])
    for delimiter in DELIMITERS:
        try:
            names = next(csv.reader([head.first], delimiter=delimiter), [])
        except csv.Error:
            continue
        if len(names) > max(1, len(best[1])):
            best = (delimiter, [name.strip() for name in names])
    return best[0], _named(best[1])


def _named(names: list[str]) -> list[str]:
    """Return the names of a header with those that are missing; the cells of a line that is no header unchanged."""
    own = [name for name in names if name]
    if len(own) in (0, len(names)) or len(own) < 2 or any(is_number(name) for name in own):
        return names
    taken = set(own)
    return [name or next(free for free in unnamed(place) if free not in taken) for place, name in enumerate(names)]


def roles_in(head: Head, wanted: str | None = None) -> tuple[str, Roles | None]:
    """Return the delimiter and the roles of the columns."""
    delimiter, names = header_of(head)
    names = names[: MOST_COLUMNS + 1]  # a wider table is refused, and a million names take seconds
    if not delimiter or any(not name for name in names[:1]):
        return delimiter, None
    cells: dict[str, list[str]] = {name: [] for name in names}
    try:
        for row in csv.reader([line for _, line in head.lines[1:]], delimiter=delimiter):
            for name, cell in zip(names, row, strict=False):
                cells[name].append(cell)
    except csv.Error:
        return delimiter, None

    def is_whole_column(name: str) -> bool:
        return bool(cells[name]) and all(is_whole(cell.strip()) for cell in cells[name] if cell.strip())

    hint = "qrels" if head.names("qrel", "judg", "rating") else "run" if head.names("run", "result") else ""
    return delimiter, roles_of(names, is_whole_column, wanted, hint, head.opened.columns.within(names))


def _sniffer(tabs: bool) -> Callable[[Head], Sniffed | None]:
    def sniff(head: Head) -> Sniffed | None:
        if head.binary or not head.lines:
            return None
        delimiter, roles = roles_in(head)
        if not delimiter or (delimiter == "\t") != tabs:
            return None
        if roles is not None:
            return Sniffed(roles.kind, roles.reason(), guess=roles.guess)
        names = header_of(head)[1][: MOST_COLUMNS + 1]
        chosen = head.opened.columns.names_texts
        if tabs and names_of(names)[1] and not chosen:  # tab-separated text, with quotation marks as plain characters
            return None
        given = head.opened.columns.within(names)
        texts = text_roles_of(names, given=given) if len(head.lines) > 1 else None
        return None if texts is None else Sniffed(texts.kind, texts.reason())

    return sniff


def header_seen(head: Head) -> str:
    """Return the columns of a header without the names of a run, qrels or texts; "" without a header."""
    if head.binary or not head.lines:
        return ""
    delimiter, names = header_of(head)
    if not delimiter or not all(names) or any(is_number(name) for name in names):
        return ""
    return names_shown(names) if knows_any(names) or delimiter in ",;" else ""


def read(opened: Opened, wanted: Wanted) -> Loaded:
    """Read a run, qrels or texts. Raises ParseError that lists the columns if their names are unknown."""
    head = Head(opened)
    if is_of_texts(wanted.kind):
        return _read_texts(opened, head, wanted)
    delimiter, roles = roles_in(head, wanted.kind)
    if roles is None:
        reason = (
            tr("the header does not name the columns of the query, the document and the rank or score")
            if wanted.kind == "run"
            else tr("the header does not name the columns of the query, the document and the grade")
        )
        raise ColumnsError(
            opened.path,
            reason,
            line=head.lines[0][0],
            text=head.first,
            hint=column_hint(wanted.kind),
        ).with_names(header_of(head)[1])
    _refuse_wide(head)
    title = f"{_NAMES[delimiter]} {wanted.kind}"
    names = header_of(head)[1]
    # The stream reads ids and grades only.
    whole = roles.has_strata or bool(wanted.judges and judging_roles_of(names, roles))
    table = None if whole else stream_table(opened, head, names, delimiter, roles)
    if table is not None:
        with suppress(ParseError):  # the line reader reports the line
            rows, findings = table_rows(opened, table, roles, wanted)
            loaded = made(opened, rows, wanted, title, findings)
            if not any(note.topic in REPEATED for note in loaded.report.findings):
                return loaded
    table = read_table(opened, head, delimiter)
    rows, findings = table_rows(opened, table, roles, wanted)
    return made(opened, rows, wanted, title, findings)


def _read_texts(opened: Opened, head: Head, wanted: Wanted) -> Loaded:
    delimiter, names = header_of(head)
    _refuse_wide(head)
    roles = text_roles_of(names, wanted.kind if wanted.kind != TEXTS else None, opened.columns.within(names))
    if not delimiter:
        raise ParseError(
            opened.path, tr("there is no header with several columns"), line=head.lines[0][0], text=head.first,
            hint=column_hint(wanted.kind),
        )  # fmt: skip
    if roles is None:
        raise ColumnsError(
            opened.path,
            tr("the header does not name the columns of the id and the text"),
            line=head.lines[0][0],
            text=head.first,
            hint=column_hint(wanted.kind),
        ).with_names(names)
    table = read_table(opened, head, delimiter)
    columns = {name: column for name, column in table.columns.items() if not is_unnamed(name)}
    return table_loaded(opened, columns, table.lines, roles, wanted, _NAMES[delimiter])


def _refuse_wide(head: Head) -> None:
    width = len(header_of(head)[1])
    if width > MOST_COLUMNS:
        raise ParseError(
            head.path, tr("the header has {count:,} columns, more than a table of rankings or texts", count=width),
            line=head.lines[0][0], hint=tr("check the delimiter"),
        )  # fmt: skip


def read_table(opened: Opened, head: Head, delimiter: str) -> Table:
    """Return all columns as text, with the rows' lines. Raises ParseError for a line with too many columns."""
    _refuse_wide(head)
    start = head.lines[0][0]
    data = from_line(opened.data, start)
    names = header_of(head)[1]
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise ParseError(
            opened.path,
            tr("two columns are named {name!r}", name=repeated),
            line=start,
            text=head.first,
            hint=tr("rename one of them"),
        )
    table = _by_arrow(data, names, delimiter, start)
    return table if table is not None else _by_line(opened, data, names, delimiter, start)


def from_line(data: bytes, number: int) -> bytes:
    """Return the text from a line on, counted from 1."""
    position = 0
    for _ in range(number - 1):
        position = data.index(b"\n", position) + 1
    return data[position:]


def _by_arrow(data: bytes, names: list[str], delimiter: str, start: int) -> Table | None:
    """Return the columns read by Arrow; None for an irregular file."""
    if ends_open(data, delimiter):
        return None
    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(data),
            read_options=arrow_csv.ReadOptions(column_names=names, skip_rows=1),
            parse_options=arrow_csv.ParseOptions(delimiter=delimiter),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), null_values=[], strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        return None
    lines = _line_numbers(data)[1:] + (start - 1)
    if len(lines) != table.num_rows:  # a line break within quotation marks
        return None
    empty = _empty_rows(table, names)
    if empty.any():
        table, lines = table.filter(pa.array(~empty)), lines[~empty]
    return Table({name: strings(table[name]) for name in names}, lines)


def _empty_rows(table: pa.Table, names: Sequence[str]) -> Bools:
    """Return bool[n]: rows whose cells are all empty, as spreadsheets write below what they hold."""
    empty = np.ones(table.num_rows, dtype=np.bool_)
    for name in names:
        if not empty.any():  # nearly always after the first column
            break
        sizes = pc.binary_length(pc.utf8_trim_whitespace(table[name].combine_chunks()))
        empty &= values_of(sizes) == 0
    return empty


def _line_numbers(data: bytes) -> Ints:
    """Return int64[n], the numbers, from 1, of the lines that are not empty."""
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == 10)
    if not data.endswith(b"\n"):
        ends = np.append(ends, len(data))
    sizes = np.diff(np.concatenate(([-1], ends))) - 1
    returns = np.frombuffer(data + b"\0", np.uint8)[np.maximum(ends - 1, 0)] == 13
    return np.flatnonzero(sizes - (returns & (sizes == 1)) > 0) + 1


def hint_of_wide(opened: Opened) -> str:
    """Return what to do about a row with more cells than the header."""
    if opened.sheets:
        return tr("name the column in the first row, or empty its cells")
    return tr("put a cell that has the delimiter into quotation marks")


def _by_line(opened: Opened, data: bytes, names: list[str], delimiter: str, start: int) -> Table:
    rows = csv_rows(opened.path, data.decode("utf-8", "replace"), delimiter, above=start - 1)
    cells: list[list[str]] = []
    lines: list[int] = []
    next(rows)
    for line, row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) > len(names) and any(cell.strip() for cell in row[len(names) :]):
            raise ParseError(
                opened.path,
                tr("{count} columns, but the header has {expected}", count=len(row), expected=len(names)),
                line=line,
                text=delimiter.join(row),
                hint=hint_of_wide(opened),
            )
        cells.append((row + [""] * len(names))[: len(names)])
        lines.append(line)
    columns = {name: strings([row[position] for row in cells]) for position, name in enumerate(names)}
    return Table(columns, np.array(lines, dtype=np.int64))


def write_delimited(names: list[str], rows: Sequence[tuple[Any, ...]], delimiter: str) -> bytes:
    """Return a header and rows, with quotation marks around the cells that need them."""
    return delimited_text(names, rows, delimiter).encode("utf-8", "surrogateescape")


def _writer(delimiter: str) -> Callable[[Value], bytes]:
    def write(value: Value) -> bytes:
        return write_delimited(*cells_of(value), delimiter)

    return write


def cells_of(value: Value) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return names and rows: query_id, doc_id, rank, score, components, tag of a run; query_id, (iteration), doc_id,
    relevance of qrels; id and attributes of texts."""
    if isinstance(value, TextTable):
        names = [name for name in value.attributes if name != "id"]
        cells = [value.row(identifier) for identifier in value.ids]
        return ["id", *names], [
            (identifier, *map(row.get, names)) for identifier, row in zip(value.ids, cells, strict=True)
        ]
    assert isinstance(value, Run | Qrels)
    if isinstance(value, Qrels):
        columns = [column for column in qrels_columns(value) if column is not None]
        header = ["query_id", *(["iteration"] if len(columns) == 4 else []), "doc_id", "relevance"]
        return header, list(zip(*columns, strict=True))
    documents = value.doc_ids.to_pylist()
    sizes = np.diff(value.offsets)
    queries = np.repeat(np.array(value.query_ids, dtype=object), sizes).tolist()
    ranks = [str(rank) for size in sizes.tolist() for rank in range(1, size + 1)]
    further_columns = [texts_of(values) for values in value.components.values()]
    names = ["query_id", "doc_id", "rank", "score", *value.components]
    if value.tag and "tag" not in value.components:
        names.append("tag")
        further_columns.append([value.tag] * len(documents))
    return names, list(zip(queries, documents, ranks, texts_of(value.scores), *further_columns, strict=True))


def _sniff_beir(head: Head) -> Sniffed | None:
    names = [cell.strip().strip('"').lower() for cell in head.first.split("\t")]
    if names != ["query-id", "corpus-id", "score"]:
        return None
    return Sniffed("qrels", tr("BEIR's header: query-id, corpus-id, score"))


def _write_beir(value: Value) -> bytes:
    if not isinstance(value, Qrels):
        raise OptionError(tr("BEIR's runs are JSON: use --to json"))
    refuse_preferences(value)
    plain = replace(value, assessments=None)  # there is no column of subtopics: each document once
    return write_delimited(["query-id", "corpus-id", "score"], cells_of(plain)[1], "\t")


_KINDS = ("run", "qrels", "queries", "documents")
CSV = Format("csv", "CSV", _KINDS, _sniffer(False), read, _writer(","), (".csv",), keeps=EVERYTHING)
TSV = Format("tsv", "TSV", _KINDS, _sniffer(True), read, _writer("\t"), (".tsv",), ("run", "qrels"), EVERYTHING)
BEIR = Format("beir", "BEIR", ("qrels", "run"), _sniff_beir, read, _write_beir, (), ("qrels",))
