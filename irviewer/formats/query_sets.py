"""Files of query sets and query weights: lines of a query id, alone, with the name of its set, or with its weight; or
a table with a header.

Columns are separated by tabs, else by commas, else by white space; ``#`` begins a comment; a cell with the delimiter is
in quotation marks. Two columns are the query and its set (or weight). In a larger table the column ``set`` (``weight``)
is used; without it, every column with few different values makes sets. Without a second column all queries are one set
with the file's name."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from irviewer.errors import ParseError, name_some
from irviewer.formats.names import name_of
from irviewer.formats.reading.opener import open_bytes
from irviewer.model.column_names import is_unnamed, plain_name
from irviewer.model.query_sets import MOST_VALUES, QuerySet, QueryWeights, attributes, make_weights, numbers, sets_by
from irviewer.model.texts import TextTable
from irviewer.translation import tr

IDS = ("queryid", "qid", "topicid", "topic", "topicnumber", "querynumber", "number", "id", "query")
"""The names of the column of ids, without case and punctuation; the first one in a header is used."""

SETS, WEIGHTS = ("set", "queryset", "sets", "group"), ("weight", "weights", "queryweight")
_LINE = tr("write a query id and a number on each line")


@dataclass(frozen=True)
class Rows:
    """The content of a file: the columns' names (none without a header), the column of the id, and the rows with their
    lines."""

    names: tuple[str, ...]
    id_column: int
    rows: list[tuple[int, list[str]]]

    @property
    def width(self) -> int:
        return len(self.names) or max((len(cells) for _, cells in self.rows), default=0)

    @property
    def others(self) -> list[int]:
        """The columns with a name, without that of the id and row numbers."""
        return [
            index for index, name in enumerate(self.names) if index != self.id_column and name and not is_unnamed(name)
        ]

    def place(self, known: Sequence[str]) -> int | None:
        """Return the column with one of the ``known`` names, else the second of two columns."""
        names = [plain_name(name) for name in self.names]
        position = next((names.index(name) for name in known if name in names), None)
        return 1 - self.id_column if position is None and self.width == 2 else position

    def cell(self, cells: list[str], place: int) -> str:
        return cells[place] if place < len(cells) else ""


def read_query_sets(path: str) -> tuple[QuerySet, ...]:
    """Read the sets of a file, in order of appearance. Raises ParseError."""
    content = read_rows(path)
    if not content.rows:
        raise ParseError(path, tr("the file has no queries"), hint=tr("write a query id on each line"))
    column = content.place(SETS) if content.width > 1 else None
    if column is None and content.width > 1:
        return _sets_of_columns(path, content)
    groups: dict[str, dict[str, None]] = {}
    for _, cells in content.rows:
        name = "" if column is None else content.cell(cells, column)
        groups.setdefault(name or name_of(path), {})[cells[content.id_column]] = None
    queries = len({cells[content.id_column] for _, cells in content.rows})
    if len(groups) > max(MOST_VALUES, queries / 2):
        raise ParseError(
            path,
            tr(
                "{sets:,} different sets for {queries:,} queries: these cannot be names of sets",
                sets=len(groups),
                queries=queries,
            ),
            hint=tr("write a query id on each line, or a query id and the name of its set"),
        )
    return tuple(QuerySet(name, frozenset(ids), "file", Path(path).name, path=path) for name, ids in groups.items())


def read_query_weights(path: str) -> QueryWeights:
    """Read the weights of a file. Raises ParseError for a line without a weight."""
    content = read_rows(path)
    weights: dict[str, float] = {}
    column = content.place(WEIGHTS) if content.width > 1 else 1
    if column is None:
        table = table_of(path, content)
        numeric = [name for name in (numbers(table) if table else ()) if name not in ("id", "")]
        raise ParseError(
            path,
            tr("none of the columns {columns} is named weight", columns=_shown(content)),
            hint=tr(
                "rename the column of weights ({columns}), or keep only it and the query", columns=name_some(numeric)
            )
            if numeric
            else _LINE,
        )
    for line, cells in content.rows:
        query, cell, text = cells[content.id_column], content.cell(cells, column), " ".join(cells)
        try:
            weight = float(cell)
        except ValueError:
            raise ParseError(path, tr("there is no weight"), line=line, text=text, hint=_LINE) from None
        if not 0 <= weight < float("inf"):
            raise ParseError(
                path,
                tr("the weight {weight} is not a number of 0 or more", weight=cell),
                line=line,
                column=2,
                text=text,
            )
        if query in weights:
            raise ParseError(
                path,
                tr("query {query} already has a weight", query=query),
                line=line,
                text=text,
                hint=tr("remove one of the two lines"),
            )
        weights[query] = weight
    if not weights:
        raise ParseError(path, tr("the file has no queries"), hint=_LINE)
    return replace(make_weights(weights, Path(path).name), path=path)


def write_query_sets(sets: Sequence[QuerySet]) -> str:
    """Return the sets as text that can be read again: query, tab, set. This is a file of queries that every reader of
    such files takes, no result: an id that begins with # is quoted, since # begins a comment there."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    quoted = csv.writer(out, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(("query", "set"))
    for query_set in sets:
        for query in sorted(query_set.query_ids):
            (quoted if query.startswith("#") else writer).writerow((query, query_set.name))
    return out.getvalue()


def _sets_of_columns(path: str, content: Rows) -> tuple[QuerySet, ...]:
    """Return the sets of a table with several columns, none of which is named set."""
    table = table_of(path, content)
    if table is None:
        raise ParseError(
            path,
            tr("{count} columns without a header: the column of sets is not known", count=content.width),
            line=content.rows[0][0],
            hint=tr("write a query id and the name of its set, or a header with query and set"),
        )
    columns = attributes(TextTable(table.table.select(["id", *_others(content)])), ())
    sets = [query_set for name in columns for query_set in sets_by(table, name, table.ids)]
    if not sets:
        raise ParseError(
            path,
            tr("none of the columns {columns} is named set or has few different values", columns=_shown(content)),
            line=1,
            hint=tr("write a query id and the name of its set"),
        )
    return tuple(
        QuerySet(query_set.name, query_set.query_ids, "file", f"{Path(path).name}: {query_set.how}", path=path)
        for query_set in sets
    )


def table_of(path: str, content: Rows) -> TextTable | None:
    """Return the rows as a table; None without a header. Raises ParseError for a repeated query."""
    if not content.names:
        return None
    lines: dict[str, int] = {}
    rows = []
    for line, cells in content.rows:
        query = cells[content.id_column]
        if query in lines:
            raise ParseError(
                path,
                tr("query {query} is repeated, first in line {first}", query=query, first=lines[query]),
                line=line,
                text=" ".join(cells),
                hint=tr("remove one of the two lines"),
            )
        lines[query] = line
        rows.append(
            {"id": query, **{content.names[index]: content.cell(cells, index) or None for index in content.others}}
        )
    return TextTable.from_rows(rows)


def _others(content: Rows) -> list[str]:
    return [content.names[index] for index in content.others]


def _shown(content: Rows) -> str:
    return name_some(_others(content))


# --- text ---


def read_rows(path: str, ids: Sequence[str] = IDS) -> Rows:
    """Read the rows of a file with their lines; ``ids`` are the known names of the column of ids. Raises ParseError."""
    opened = open_bytes(path)
    if opened.binary:
        raise ParseError(path, tr("this is not text"), hint=tr("write a query id on each line"))
    text = opened.data.decode("utf-8", "replace")
    if opened.encoding_guessed:
        raw = text.encode("latin-1")
        try:
            raw.decode()
        except UnicodeDecodeError as fault:
            at = raw[: fault.start].count(b"\n") + 1
            raise ParseError(path, tr("this is not UTF-8 text"), line=at, hint=tr("save it as UTF-8")) from None
    rows = list(_rows(path, text))
    if not rows or len(rows[0][1]) < 2:
        names: tuple[str, ...] = ()
    else:
        names = tuple(rows[0][1]) if any(plain_name(cell) in ids for cell in rows[0][1]) else ()
    known_names = [plain_name(name) for name in names]
    id_column = next((known_names.index(name) for name in ids if name in known_names), 0)
    if len(set(names)) < len(names):
        raise ParseError(
            path,
            tr("two columns have the same name"),
            line=rows[0][0],
            text=" ".join(names),
            hint=tr("rename one of them"),
        )
    rows = rows[1:] if names else rows
    most = len(names) or (2 if rows and len(rows[0][1]) == 2 else 0)
    for line, cells in rows:
        if not cells[id_column : id_column + 1] or not cells[id_column]:
            raise ParseError(
                path,
                tr("the query id is empty"),
                line=line,
                column=1,
                text=" ".join(cells),
                hint=tr("give every line a query id"),
            )
        if most and len(cells) > most:
            reason = (
                tr("{count} columns, but the header has {expected}", count=len(cells), expected=most)
                if names
                else tr("{count} columns, but the first line has {expected}", count=len(cells), expected=most)
            )
            raise ParseError(
                path,
                reason,
                line=line,
                text=" ".join(cells),
                hint=tr("put a cell that has the delimiter into quotation marks"),
            )
    return Rows(names, id_column, rows)


def _rows(path: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each line that is neither blank nor a comment, with its number."""
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), start=1)]
    content_lines = [line for _, line in lines if line.strip() and not line.lstrip().startswith("#")]
    if any("\t" in line for line in content_lines):
        for number, line in lines:
            if line.strip() and not line.lstrip().startswith("#"):
                yield number, [cell.strip() for cell in _cells(line)]
    elif content_lines and _is_csv(content_lines[0]):
        yield from _of_csv(path, text)
    else:
        for number, line in lines:
            if line.strip() and not line.lstrip().startswith("#"):
                yield number, line.split(None, 1)


def _is_csv(first: str) -> bool:
    """Return True if the first line is separated by commas and not by white space before a comma: ``1 hard, long``."""
    begin, comma, _ = first.partition(",")
    return bool(comma) and (begin.lstrip()[:1] == '"' or len(begin.split()) < 2 or plain_name(begin) in IDS)


def _cells(line: str) -> list[str]:
    """Return the cells between tabs; an unclosed quotation mark is an ordinary character."""
    try:
        return next(csv.reader([line], delimiter="\t", strict=True))
    except csv.Error:
        return line.split("\t")


def _of_csv(path: str, text: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    last = 0
    try:
        for cells in reader:
            line, last = last + 1, reader.line_num
            words = [cell.strip() for cell in cells]
            if any(words) and not words[0].startswith("#"):
                yield line, words
    except csv.Error as error:
        raise ParseError(
            path,
            tr("not valid CSV: {error}", error=error),
            line=last + 1,
            hint=tr("close every quotation mark"),
        ) from error
