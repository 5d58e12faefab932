"""Files of query sets and of query weights: a query id a line, alone, with the name of its set, or with its weight.

Columns are parted by tabs, else by commas, else by white space; ``#`` begins a remark. A set file says in the second
column which set a query is in (it may be in several); without one, all are of one set with the file's name. Knows text,
no collection."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from irviewer.errors import ParseError
from irviewer.model.query_sets import QuerySet, QueryWeights, make_weights

HEADERS = {"query", "query_id", "query-id", "qid", "topic", "id"}


def read_query_sets(path: str) -> tuple[QuerySet, ...]:
    """The sets of a file, in the order in which they are first named. Raises ParseError."""
    groups: dict[str, dict[str, None]] = {}
    for _, words in _rows(path):
        name = words[1] if len(words) > 1 and words[1] else Path(path).stem
        groups.setdefault(name, {})[words[0]] = None
    if not groups:
        raise ParseError(path, "there is no query in it", hint="write a query id a line")
    return tuple(QuerySet(name, frozenset(ids), "file", Path(path).name) for name, ids in groups.items())


def read_query_weights(path: str) -> QueryWeights:
    """The weights of a file: query and number. Raises ParseError where a line has none."""
    found: dict[str, float] = {}
    for line, words in _rows(path):
        text = " ".join(words)
        try:
            weight = float(words[1])
        except (IndexError, ValueError):
            raise ParseError(
                path, "no weight", line=line, text=text, hint="write a query id and a number a line"
            ) from None
        if not 0 <= weight < float("inf"):
            raise ParseError(path, f"the weight {words[1]} is no number from 0 up", line=line, column=2, text=text)
        if words[0] in found:
            raise ParseError(path, f"query {words[0]} has a weight already", line=line, text=text)
        found[words[0]] = weight
    if not found:
        raise ParseError(path, "there is no query in it", hint="write a query id and a number a line")
    return make_weights(found, Path(path).name)


def write_query_sets(sets: Sequence[QuerySet]) -> str:
    """The sets as text that reads back: query, tab, set."""
    lines = ["query\tset"]
    for one in sets:
        lines += [f"{query}\t{one.name}" for query in sorted(one.query_ids)]
    return "\n".join(lines) + "\n"


def _rows(path: str) -> list[tuple[int, list[str]]]:
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise ParseError(path, "there is no such file") from error
    except OSError as error:
        raise ParseError(path, f"the file cannot be read: {error.strerror or error}") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        at = data[: fault.start].count(b"\n") + 1
        raise ParseError(path, "this is no UTF-8 text", line=at, hint="save it as UTF-8") from None
    found: list[tuple[int, list[str]]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.rstrip()
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        parts = line.split("\t") if "\t" in line else line.split(",") if "," in line else line.split(None, 1)
        words = [one.strip() for one in parts]
        if not words[0]:
            raise ParseError(path, "the first column, the query id, is empty", line=number, column=1, text=raw)
        if not found and words[0].casefold() in HEADERS and len(words) > 1:
            continue
        found.append((number, words))
    return found
