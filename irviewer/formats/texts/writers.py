"""Writers of queries and documents in the formats of indexing tools: SMART, TREC topics, TREC documents.

``columns_lost`` and ``ids_changed`` tell what a format cannot keep."""

from __future__ import annotations

import re
from html import escape

from irviewer.errors import OptionError
from irviewer.formats.classic.smart import FIELDS
from irviewer.formats.format import Value
from irviewer.formats.texts.text_rows import plain_ids
from irviewer.model.texts import TEXT_COLUMNS, TextTable
from irviewer.translation import tr

MARKERS = {column: marker for marker, column in FIELDS.items()}
_LIKE_A_MARKER = re.compile(r"\.[A-Z](\s|$)")


def body_of(value: TextTable, names: tuple[str, ...] = TEXT_COLUMNS) -> str:
    """Return the column of the text, the first of ``names`` that the table has; "" without one."""
    return next((name for name in names if name in value.attributes), "")


def write_smart(value: Value) -> bytes:
    """Return ``.I id``, then a marker for each column: ``.T`` title, ``.W`` text, and those of classic collections."""
    assert isinstance(value, TextTable)
    body = "text" if "text" in value.attributes else body_of(value, tuple(n for n in TEXT_COLUMNS if n != "title"))
    lines: list[str] = []
    for identifier in value.ids:
        if not identifier.strip() or len(identifier.splitlines()) > 1:
            raise OptionError(
                tr(
                    "the id {id!r} is empty or has several lines, which SMART cannot express: use --to jsonl",
                    id=identifier,
                )
            )
        row = value.row(identifier)
        lines.append(f".I {identifier}")
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
    """Return TREC topics: ``<top>`` with ``<num>``, ``<title>``, ``<desc>``, ``<narr>``."""
    assert isinstance(value, TextTable)
    body = body_of(value, ("text", "query", *TEXT_COLUMNS))
    lines: list[str] = []
    for identifier in value.ids:
        row = value.row(identifier)
        lines += ["<top>", f"<num> Number: {escape(identifier, quote=False)}", f"<title> {_words(row.get(body))}"]
        if body != "description" and row.get("description"):
            lines += ["<desc> Description:", _words(row["description"])]
        if body != "narrative" and row.get("narrative"):
            lines += ["<narr> Narrative:", _words(row["narrative"])]
        lines += ["</top>", ""]
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def write_trectext(value: Value) -> bytes:
    """Return ``<DOC>`` with ``<DOCNO>``, ``<TITLE>``, ``<TEXT>``, and a tag for each other column that can be a tag."""
    assert isinstance(value, TextTable)
    body = "text" if "text" in value.attributes else body_of(value, tuple(n for n in TEXT_COLUMNS if n != "title"))
    others = [name for name in value.attributes if name not in ("title", body) and is_tag(name)]
    lines: list[str] = []
    for identifier in value.ids:
        row = value.row(identifier)
        lines += ["<DOC>", f"<DOCNO>{escape(identifier, quote=False)}</DOCNO>"]
        if row.get("title") is not None:
            lines.append(f"<TITLE>{_words(row['title'])}</TITLE>")
        lines += [f"<{name}>{_words(row[name])}</{name}>" for name in others if row.get(name) is not None]
        lines += ["<TEXT>", _words(row.get(body)), "</TEXT>", "</DOC>"]
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


def is_tag(name: str) -> bool:
    """Return True for a column name that is a valid tag and has no other meaning."""
    return re.fullmatch(r"[a-z][a-z_]*", name) is not None and name not in ("doc", "docno", "num", "number", "id")


def _words(cell: object) -> str:
    """Return a cell as text inside tags; its lines are paragraphs."""
    text = "" if cell is None else str(cell)
    return escape("\n\n".join(line for line in text.splitlines() if line.strip()), quote=False)


def columns_lost(value: TextTable, name: str) -> list[str]:
    """Return the columns that the format of that name cannot keep."""
    body = body_of(value)
    kept_columns = {
        "smart": {*MARKERS, body, "query"},
        "topics": {"text", "query", "description", "narrative", body},
        "trectext": {body, *filter(is_tag, value.attributes)},
    }.get(name)
    return [] if kept_columns is None else [column for column in value.attributes if column not in kept_columns]


def ids_changed(value: TextTable, name: str) -> str:
    """Return a note if ids differ when a file of the format of that name is read again, else ""."""
    plain = plain_ids(value.ids) if name == "topics" else None
    changed = next(((old, new) for old, new in zip(value.ids, plain or (), strict=False) if old != new), None)
    if changed is None:
        return ""
    old, new = changed
    return tr("ids such as {old} are read as {new} from TREC topics: --to jsonl keeps them", old=old, new=new)
