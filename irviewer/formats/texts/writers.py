"""Writers of queries and documents in the shapes that indexing tools read: SMART, TREC topics, TREC documents.

Each says which columns it can hold; whoever converts is told of the others."""

from __future__ import annotations

import re
from html import escape

from irviewer.errors import OptionError
from irviewer.formats.classic.smart import FIELDS
from irviewer.formats.format import Value
from irviewer.formats.texts.text_rows import plain_ids
from irviewer.model.texts import TEXT_COLUMNS, TextTable

MARKERS = {column: marker for marker, column in FIELDS.items()}
_LIKE_A_MARKER = re.compile(r"\.[A-Z](\s|$)")


def body_of(value: TextTable, names: tuple[str, ...] = TEXT_COLUMNS) -> str:
    """The column that is the text, of those that a table may have; "" where it has none."""
    return next((name for name in names if name in value.attributes), "")


def write_smart(value: Value) -> bytes:
    """``.I id``, then a marker a column: ``.T`` title, ``.W`` text, and those of the classic collections."""
    assert isinstance(value, TextTable)
    body = "text" if "text" in value.attributes else body_of(value, tuple(n for n in TEXT_COLUMNS if n != "title"))
    lines: list[str] = []
    for one in value.ids:
        if not one.strip() or len(one.splitlines()) > 1:
            raise OptionError(f"the id {one!r} is no word of one line, as SMART's are: use --to jsonl")
        row = value.row(one)
        lines.append(f".I {one}")
        for name, marker in MARKERS.items():
            cell = row.get(body if name == "text" else name)
            if cell is None or (name == "text" and not body):
                continue
            paragraphs = [line for line in str(cell).splitlines() if line.strip()]
            lines += [f".{marker}", *"\n\n".join(map(_no_marker, paragraphs)).split("\n")]
        if not any(name in row for name in (*MARKERS, body)):
            lines.append(".W")
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


def _no_marker(line: str) -> str:
    return f" {line}" if _LIKE_A_MARKER.match(line) else line


def write_topics(value: Value) -> bytes:
    """TREC's ``<top>`` with ``<num>``, ``<title>``, ``<desc>``, ``<narr>``."""
    assert isinstance(value, TextTable)
    body = body_of(value, ("text", "query", *TEXT_COLUMNS))
    lines: list[str] = []
    for one in value.ids:
        row = value.row(one)
        lines += ["<top>", f"<num> Number: {escape(one, quote=False)}", f"<title> {_words(row.get(body))}"]
        if body != "description" and row.get("description"):
            lines += ["<desc> Description:", _words(row["description"])]
        if body != "narrative" and row.get("narrative"):
            lines += ["<narr> Narrative:", _words(row["narrative"])]
        lines += ["</top>", ""]
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def write_trectext(value: Value) -> bytes:
    """``<DOC>`` with ``<DOCNO>``, ``<TITLE>``, ``<TEXT>``, and a tag for every other column whose name can be one."""
    assert isinstance(value, TextTable)
    body = "text" if "text" in value.attributes else body_of(value, tuple(n for n in TEXT_COLUMNS if n != "title"))
    others = [name for name in value.attributes if name not in ("title", body) and is_tag(name)]
    lines: list[str] = []
    for one in value.ids:
        row = value.row(one)
        lines += ["<DOC>", f"<DOCNO>{escape(one, quote=False)}</DOCNO>"]
        if row.get("title") is not None:
            lines.append(f"<TITLE>{_words(row['title'])}</TITLE>")
        lines += [f"<{name}>{_words(row[name])}</{name}>" for name in others if row.get(name) is not None]
        lines += ["<TEXT>", _words(row.get(body)), "</TEXT>", "</DOC>"]
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


def is_tag(name: str) -> bool:
    """True for a column whose name can stand as a tag and is not read as something else."""
    return re.fullmatch(r"[a-z][a-z_]*", name) is not None and name not in ("doc", "docno", "num", "number", "id")


def _words(cell: object) -> str:
    """A cell as text between tags; its lines are paragraphs."""
    text = "" if cell is None else str(cell)
    return escape("\n\n".join(line for line in text.splitlines() if line.strip()), quote=False)


def columns_lost(value: TextTable, name: str) -> list[str]:
    """The columns that the format of that name has no place for."""
    body = body_of(value)
    held = {
        "smart": {*MARKERS, body, "query"},
        "topics": {"text", "query", "description", "narrative", body},
        "trectext": {body, *filter(is_tag, value.attributes)},
    }.get(name)
    return [] if held is None else [column for column in value.attributes if column not in held]


def ids_changed(value: TextTable, name: str) -> str:
    """Which ids are others when the format of that name is read again, in words; "" for none."""
    plain = plain_ids(value.ids) if name == "topics" else None
    one = next(((old, new) for old, new in zip(value.ids, plain or (), strict=False) if old != new), None)
    return "" if one is None else f"ids such as {one[0]} are read as {one[1]} from TREC's topics: --to jsonl keeps them"
