"""Files of query sets and of query weights: a query id a line, alone, with the name of its set, or with its weight; or
a table with a header, of which the columns say what they are.

Columns are parted by tabs, else by commas, else by white space; ``#`` begins a remark; a cell that holds the sign which
parts columns stands in quotation marks. Two columns are the query and its set (or weight). Of a table with more the
column ``set`` (``weight``) counts; without it every column that parts the queries into few groups makes sets of its
own. Without a second column all queries are of one set with the file's name. Knows text, no collection."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from irviewer.errors import ParseError, name_some
from irviewer.formats.reading.opener import open_bytes
from irviewer.model.column_names import plain_name
from irviewer.model.query_sets import MOST_VALUES, QuerySet, QueryWeights, attributes, make_weights, numbers, sets_by
from irviewer.model.texts import TextTable

IDS = ("queryid", "qid", "topicid", "topic", "topicnumber", "querynumber", "number", "id", "query")
"""What the column of the ids is called, without case and signs; the first that a header has counts."""

SETS, WEIGHTS = ("set", "queryset", "sets", "group"), ("weight", "weights", "queryweight")
_LINE = "write a query id and a number a line"


@dataclass(frozen=True)
class Rows:
    """What a file holds: the columns' names, none without a header; the place of the id; the rows with their lines."""

    names: tuple[str, ...]
    one: int
    rows: list[tuple[int, list[str]]]

    @property
    def width(self) -> int:
        return len(self.names) or max((len(cells) for _, cells in self.rows), default=0)

    def place(self, known: Sequence[str]) -> int | None:
        """Which column holds what is ``known`` by these names: of two columns the other one."""
        names = [plain_name(name) for name in self.names]
        found = next((names.index(name) for name in known if name in names), None)
        return 1 - self.one if found is None and self.width == 2 else found

    def cell(self, cells: list[str], place: int) -> str:
        return cells[place] if place < len(cells) else ""


def read_query_sets(path: str) -> tuple[QuerySet, ...]:
    """The sets of a file, in the order in which they are first named. Raises ParseError."""
    found = read_rows(path)
    if not found.rows:
        raise ParseError(path, "there is no query in it", hint="write a query id a line")
    place = found.place(SETS) if found.width > 1 else None
    if place is None and found.width > 1:
        return _sets_of_columns(path, found)
    groups: dict[str, dict[str, None]] = {}
    for _, cells in found.rows:
        name = "" if place is None else found.cell(cells, place)
        groups.setdefault(name or Path(path).stem, {})[cells[found.one]] = None
    queries = len({cells[found.one] for _, cells in found.rows})
    if len(groups) > max(MOST_VALUES, queries / 2):
        raise ParseError(
            path,
            f"{len(groups):,} different sets for {queries:,} queries: these are no names of sets",
            hint="write a query id a line, or a query id and the name of its set",
        )
    return tuple(QuerySet(name, frozenset(ids), "file", Path(path).name) for name, ids in groups.items())


def read_query_weights(path: str) -> QueryWeights:
    """The weights of a file: query and number. Raises ParseError where a line has none."""
    read = read_rows(path)
    found: dict[str, float] = {}
    place = read.place(WEIGHTS) if read.width > 1 else 1
    if place is None:
        table = table_of(path, read)
        able = [name for name in (numbers(table) if table else ()) if name not in ("id", "")]
        raise ParseError(
            path,
            f"none of the columns {_shown(read)} is called weight",
            hint=f"call the one that is so ({name_some(able)}), or leave only it and the query" if able else _LINE,
        )
    for line, cells in read.rows:
        query, cell, text = cells[read.one], read.cell(cells, place), " ".join(cells)
        try:
            weight = float(cell)
        except ValueError:
            raise ParseError(path, "no weight", line=line, text=text, hint=_LINE) from None
        if not 0 <= weight < float("inf"):
            raise ParseError(path, f"the weight {cell} is no number from 0 up", line=line, column=2, text=text)
        if query in found:
            raise ParseError(path, f"query {query} has a weight already", line=line, text=text)
        found[query] = weight
    if not found:
        raise ParseError(path, "there is no query in it", hint=_LINE)
    return make_weights(found, Path(path).name)


def write_query_sets(sets: Sequence[QuerySet]) -> str:
    """The sets as text that reads back: query, tab, set."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    quoted = csv.writer(out, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(("query", "set"))
    for one in sets:
        for query in sorted(one.query_ids):
            (quoted if query.startswith("#") else writer).writerow((query, one.name))  # no remark
    return out.getvalue()


def _sets_of_columns(path: str, found: Rows) -> tuple[QuerySet, ...]:
    """The sets of a table with several columns, none of which is called set."""
    table = table_of(path, found)
    if table is None:
        raise ParseError(
            path,
            f"{found.width} columns without a header: nothing says which of them is the set",
            line=found.rows[0][0],
            hint="write a query id and the name of its set, or a header with query and set",
        )
    columns = attributes(TextTable(table.table.select(["id", *_others(found)])), ())
    sets = [one for name in columns for one in sets_by(table, name, table.ids)]
    if not sets:
        raise ParseError(
            path,
            f"none of the columns {_shown(found)} is called set, or parts the queries into few groups",
            line=1,
            hint="write a query id and the name of its set",
        )
    return tuple(QuerySet(one.name, one.query_ids, "file", f"{Path(path).name}: {one.how}") for one in sets)


def table_of(path: str, found: Rows) -> TextTable | None:
    """The rows with their columns' names; None without a header. Raises ParseError where a query stands twice."""
    if not found.names:
        return None
    lines: dict[str, int] = {}
    rows = []
    for line, cells in found.rows:
        query = cells[found.one]
        if query in lines:
            raise ParseError(
                path, f"query {query} stands twice, first in line {lines[query]}", line=line, text=" ".join(cells)
            )
        lines[query] = line
        places = [place for place in range(len(found.names)) if place != found.one]
        rows.append({"id": query, **{found.names[place]: found.cell(cells, place) or None for place in places}})
    return TextTable.from_rows(rows)


def _others(found: Rows) -> list[str]:
    return [name for place, name in enumerate(found.names) if place != found.one]


def _shown(found: Rows) -> str:
    return name_some(_others(found))


# --- text ---


def read_rows(path: str, ids: Sequence[str] = IDS) -> Rows:
    """The rows of a file with the lines they stand in; ``ids`` are the names that the column of the ids may have.
    Raises ParseError."""
    opened = open_bytes(path)
    if opened.binary:
        raise ParseError(path, "this is no text", hint="write a query id a line")
    text = opened.data.decode("utf-8", "replace")
    if "guess" in opened.encoding:
        raw = text.encode("latin-1")
        try:
            raw.decode()
        except UnicodeDecodeError as fault:
            at = raw[: fault.start].count(b"\n") + 1
            raise ParseError(path, "this is no UTF-8 text", line=at, hint="save it as UTF-8") from None
    rows = list(_rows(path, text))
    if not rows or len(rows[0][1]) < 2:
        names: tuple[str, ...] = ()
    else:
        names = tuple(rows[0][1]) if any(plain_name(cell) in ids for cell in rows[0][1]) else ()
    plain = [plain_name(name) for name in names]
    one = next((plain.index(name) for name in ids if name in plain), 0)
    if len(set(names)) < len(names):
        raise ParseError(path, "two columns have one name", line=rows[0][0], text=" ".join(names))
    rows = rows[1:] if names else rows
    most = len(names) or (2 if rows and len(rows[0][1]) == 2 else 0)
    for line, cells in rows:
        if not cells[one : one + 1] or not cells[one]:
            raise ParseError(path, "the query id is empty", line=line, column=1, text=" ".join(cells))
        if most and len(cells) > most:
            raise ParseError(
                path, f"{len(cells)} columns where {'the header has' if names else 'the line before has'} {most}",
                line=line, text=" ".join(cells), hint="put a cell that holds the delimiter into quotation marks",
            )  # fmt: skip
    return Rows(names, one, rows)


def _rows(path: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that is neither blank nor a remark, with its number."""
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), start=1)]
    told = [line for _, line in lines if line.strip() and not line.lstrip().startswith("#")]
    if any("\t" in line for line in told):
        for number, line in lines:
            if line.strip() and not line.lstrip().startswith("#"):
                yield number, [cell.strip() for cell in _cells(line)]
    elif told and _is_csv(told[0]):
        yield from _of_csv(path, text)
    else:
        for number, line in lines:
            if line.strip() and not line.lstrip().startswith("#"):
                yield number, line.split(None, 1)


def _is_csv(first: str) -> bool:
    """True where the first line is parted at commas, and not at the white space before one: ``1 hard, long``."""
    begin, comma, _ = first.partition(",")
    return bool(comma) and (begin.lstrip()[:1] == '"' or len(begin.split()) < 2 or plain_name(begin) in IDS)


def _cells(line: str) -> list[str]:
    """The cells between tabs; a quotation mark that is not closed is a sign like any other."""
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
            path, f"not CSV: {error}", line=max(1, reader.line_num), hint="close every quotation mark"
        ) from error
