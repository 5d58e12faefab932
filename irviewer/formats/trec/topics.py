"""TREC topics and documents between tags: ``<top><num> Number: 301 <title> …`` whose tags do not close, ``<topic
number="1"><query>…`` whose do, and what lies between (web track, FIRE, NTCIR, ``<DOC><DOCNO>``); CAR's topics.

No XML parser: the SGML of the nineties has no closing tags and bare ampersands, and the web track's document type is
not valid. A tag that closes holds what stands before its end; one that does not ends at the next tag."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any
from urllib.parse import unquote

from irviewer.errors import ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.texts.formats import loaded_texts
from irviewer.formats.texts.text_rows import TextRows, plain_ids
from irviewer.formats.texts.writers import write_topics, write_trectext

NAMES = {
    "desc": "description", "narr": "narrative", "smry": "summary", "con": "concepts", "dom": "domain",
    "fac": "factors", "def": "definitions", "nat": "nationality", "headline": "title", "ttl": "title",
}  # fmt: skip
"""Short tags and the columns they become; another tag becomes a column of its own name."""

IDS = ("num", "docno", "number", "id", "topic_id", "topicid", "qid", "docid")
TEXTS = ("title", "query", "question", "content", "description", "text", "narrative")
"""Where a topic's text stands: the first that it has."""

_RECORD = re.compile(r"<(top|topic|doc|query)(\s[^<>]*)?>", re.IGNORECASE)
_TAG = re.compile(r"<([A-Za-z][\w.-]*)(\s[^<>]*)?>")
_ANY = re.compile(r"</?[A-Za-z][\w.-]*(?:\s[^<>]*)?/?>")
_CLOSING = re.compile(r"</([A-Za-z][\w.-]*)\s*>")
# A name begins where none is before it: sought within one, a long one would be looked at from each of its signs.
_ATTRIBUTE = re.compile(r"(?<![\w:.-])([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|(\S+))")
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|\w+);")
_LABEL = re.compile(
    r"\s*(?:Number|Topic|Title|Description|Narrative|Domain|Summary|Concept\(s\)|Factor\(s\)|Definition\(s\)"
    r"|Nationality)\s*:",
    re.IGNORECASE,
)
"""What TREC's topics repeat after a tag: ``<num> Number: 301``."""


def _sniff(head: Head) -> Sniffed | None:
    if not head.first.lstrip().startswith("<"):
        return None
    found = _RECORD.search(_without(head.begin, "<!--", "-->", lambda inside: ""))
    if found is None:
        return None
    name = found[1].lower()
    if name == "doc":
        return Sniffed("documents", "records between <DOC> tags", certain=True)
    shape = {"top": "TREC topics between <top> tags", "topic": "topics between <topic> tags"}
    return Sniffed("queries", shape.get(name, "queries between <query> tags"), certain=True)


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    text = opened.data.decode("utf-8", "replace")
    text = _without(text, "<!--", "-->", lambda inside: "\n" * inside.count("\n"))  # so that line numbers stay
    first = _RECORD.search(text)
    if first is None:
        raise ParseError(
            opened.path, "no <top>, <topic>, <query> or <DOC>", line=1, text=text.lstrip().split("\n", 1)[0],
            hint="topics between tags begin with <top> or <topic number=…>",
        )  # fmt: skip
    found = [(line, _fields(attributes, body)) for line, attributes, body in _records(text, first[1])]
    documents = first[1].lower() == "doc"
    findings = [] if documents else _plain_numbers([fields for _, fields in found])
    rows = TextRows(opened.path)
    for line, fields in found:
        one = fields.pop("id", "")
        if not one:
            raise ParseError(
                opened.path, f"a <{first[1]}> without its number", line=line, column=1, text=f"<{first[1]}>",
                hint="write <num> 301, <DOCNO>…</DOCNO> or <topic number=\"301\">",
            )  # fmt: skip
        rows.add(_document(one, fields) if documents else _topic(one, fields), line, f"<{first[1]}>")
    return loaded_texts(opened, wanted, rows.table(), "TREC documents" if documents else "TREC topics", findings)


def _without(text: str, begin: str, end: str, instead: Callable[[str], str]) -> str:
    """The text with something in the place of each part between two signs; one that does not end stays. A pattern
    would look for the end of each of those through all of the text."""
    pieces, at = [], 0
    while (start := text.find(begin, at)) >= 0 and (stop := text.find(end, start + len(begin))) >= 0:
        pieces += [text[at:start], instead(text[start + len(begin) : stop])]
        at = stop + len(end)
    return "".join([*pieces, text[at:]])


def _records(text: str, name: str) -> Iterator[tuple[int, str, str]]:
    """(line, attributes, body) of every record of that tag."""
    opening = re.compile(rf"<{name}(\s[^<>]*)?>", re.IGNORECASE)
    closing = re.compile(rf"</{name}\s*>", re.IGNORECASE)
    line, counted = 1, 0
    found = opening.search(text)
    while found is not None:
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        following = opening.search(text, found.end())
        stop = len(text) if following is None else following.start()
        end = closing.search(text, found.end(), stop)
        yield line, found[1] or "", text[found.end() : stop if end is None else end.start()]
        found = following


def _fields(attributes: str, body: str) -> dict[str, Any]:
    """What a record holds, by column; ``id`` where it says one, ``""`` for text outside of any tag."""
    fields: dict[str, list[str]] = {}
    for name, *values in _ATTRIBUTE.findall(attributes):
        value = _words("".join(values))
        # ``q`` is the number in NTCIR's early topics, as an attribute only: as a tag it is a question.
        fields.setdefault("id" if name.lower() in (*IDS, "q") else name.lower(), [value])
    ends: dict[str, list[re.Match[str]]] = {}
    for one in _CLOSING.finditer(body):
        ends.setdefault(one[1].lower(), []).append(one)
    loose, at = [], 0
    found = _TAG.search(body)
    while found is not None:
        loose.append(body[at : found.start()])
        name = found[1].lower()
        own = ends.get(name, [])
        place = bisect_left(own, found.end(), key=re.Match.start)
        end = own[place] if place < len(own) else None
        following = _TAG.search(body, found.end())
        if (found[2] or "").rstrip().endswith("/"):
            at, value = found.end(), ""
        elif end is not None:
            at, value = end.end(), body[found.end() : end.start()]
        else:
            at = len(body) if following is None else following.start()
            value = body[found.end() : at]
        _put(fields, name, found[2] or "", value)
        found = _TAG.search(body, at)
    loose.append(body[at:])
    text = _words("\n".join(loose))
    if text:
        fields[""] = [text]
    return {name: "\n".join(filter(None, texts)) for name, texts in fields.items()}


def _put(fields: dict[str, list[str]], name: str, attributes: str, value: str) -> None:
    label = _LABEL.match(value)
    text = _words(value[label.end() :] if label else value)
    if name == "subtopic":
        said = {key.lower(): "".join(values) for key, *values in _ATTRIBUTE.findall(attributes)}
        kind = f" ({said['type']})" if said.get("type") else ""
        text = f"{said.get('number', '')}{kind}: {text}".removeprefix(": ")
        fields.setdefault("subtopics", []).append(text)
        return
    if name in IDS and "id" not in fields:
        fields["id"] = [text]
        return
    column = NAMES.get(name, name)
    if text or column not in fields:
        fields.setdefault(column, []).append(text)


def _words(text: str) -> str:
    """Text without tags, entities as their signs, a line a paragraph."""
    text = _ANY.sub(" ", _without(text, "<![CDATA[", "]]>", lambda inside: inside))
    text = _ENTITY.sub(lambda found: unescape(found[0]), text)
    paragraphs = re.split(r"\n\s*\n", text)
    return "\n".join(line for line in (" ".join(one.split()) for one in paragraphs) if line)


def _topic(one: str, fields: dict[str, Any]) -> dict[str, Any]:
    """``text`` is the topic's title or query; the others stay by their names, description and narrative first."""
    loose = fields.pop("", "")
    chosen = next((name for name in TEXTS if fields.get(name)), None)
    row = {"id": one, "text": loose if chosen is None else fields.pop(chosen)}
    for name in ("description", "narrative", *fields):
        if name in fields:
            row[name] = fields[name]
    return row


def _document(one: str, fields: dict[str, Any]) -> dict[str, Any]:
    loose = fields.pop("", "")
    row = {"id": one}
    if "title" in fields:
        row["title"] = fields.pop("title")
    row["text"] = "\n".join(filter(None, (fields.pop("text", ""), loose)))
    return {**row, **fields}


def _plain_numbers(found: list[dict[str, Any]]) -> list[Finding]:
    """Make ids what qrels write; what the file has is kept as ``number``."""
    plain = plain_ids([fields.get("id", "") for fields in found])
    changed = 0
    for fields, one in zip(found, plain or (), strict=False):
        if fields["id"] != one:
            fields["number"] = fields["id"]
            fields["id"] = one
            changed += 1
    if not changed:
        return []
    text = f"{changed:,} numbers such as {found[0].get('number', '')!s} become plain ones, as qrels write them"
    return [Finding(text, changed, serious=False)]


# --- CAR ---

_CAR = re.compile(r"(?:enwiki|tqa):\S+")


def _sniff_car(head: Head) -> Sniffed | None:
    if head.lines and all(_CAR.fullmatch(line.strip()) for _, line in head.lines):
        return Sniffed("queries", "CAR's topics: an article and its headings are id and text", certain=True)
    return None


def _read_car(opened: Opened, wanted: Wanted) -> Loaded:
    rows = TextRows(opened.path)
    for number, raw in enumerate(opened.data.split(b"\n"), start=1):
        one = raw.decode("utf-8", "replace").strip()
        if one:
            text = " / ".join(unquote(part) for part in one.split(":", 1)[-1].split("/"))
            rows.add({"id": one, "text": text}, number, one)
    return loaded_texts(opened, wanted, rows.table(), "CAR topics")


def _never(head: Head) -> Sniffed | None:
    """By its content a file of documents is read as the first format."""
    return None


FORMAT = Format(
    "topics", "TREC topics", ("queries", "documents"), _sniff, _read, write_topics, (".topics",), ("queries",)
)
TRECTEXT = Format("trectext", "TREC documents", ("documents",), _never, _read, write_trectext, (".trectext",))
CAR = Format("car-topics", "CAR topics", ("queries",), _sniff_car, _read_car)
