"""TREC topics and documents in tags, and CAR's topics.

No tags, all tags or some tags have closing tags: ``<top><num> Number: 301 <title> …``, ``<topic number="1"><query>…``,
the web track, FIRE, NTCIR, ``<DOC><DOCNO>``. An XML parser does not work: the SGML of the nineties has bare ampersands
and no closing tags, and the web track's document type is invalid. A tag ends at its closing tag, or at the next tag."""

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
from irviewer.translation import tr, trn

NAMES = {
    "desc": "description", "narr": "narrative", "smry": "summary", "con": "concepts", "dom": "domain",
    "fac": "factors", "def": "definitions", "nat": "nationality", "headline": "title", "ttl": "title",
}  # fmt: skip
"""Columns of the short tags; any other tag becomes a column of its own name."""

IDS = ("num", "docno", "number", "id", "topic_id", "topicid", "qid", "docid")
TEXTS = ("title", "query", "question", "content", "description", "text", "narrative")
"""The tags with a topic's text; the first one found is used."""

_RECORD = re.compile(r"<(top|topic|doc|query)(\s[^<>]*)?>", re.IGNORECASE)
_TAG = re.compile(r"<([A-Za-z][\w.-]*)(\s[^<>]*)?>")
_ANY = re.compile(r"</?[A-Za-z][\w.-]*(?:\s[^<>]*)?/?>")
_CLOSING = re.compile(r"</([A-Za-z][\w.-]*)\s*>")
# The lookbehind keeps a long name from being tried from each of its characters.
_ATTRIBUTE = re.compile(r"(?<![\w:.-])([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|(\S+))")
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|\w+);")
_LABEL = re.compile(
    r"\s*(?:Number|Topic|Title|Description|Narrative|Domain|Summary|Concept\(s\)|Factor\(s\)|Definition\(s\)"
    r"|Nationality)\s*:",
    re.IGNORECASE,
)
"""The label that TREC's topics repeat after a tag: ``<num> Number: 301``."""


def _sniff(head: Head) -> Sniffed | None:
    if not head.first.lstrip().startswith("<"):
        return None
    record_match = _RECORD.search(_without(head.begin, "<!--", "-->", lambda inside: ""))
    if record_match is None:
        return None
    name = record_match[1].lower()
    if name == "doc":
        return Sniffed("documents", tr("records in <DOC> tags"), certain=True)
    reasons = {"top": tr("TREC topics in <top> tags"), "topic": tr("topics in <topic> tags")}
    return Sniffed("queries", reasons.get(name, tr("queries in <query> tags")), certain=True)


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    text = opened.data.decode("utf-8", "replace")
    text = _without(text, "<!--", "-->", lambda inside: "\n" * inside.count("\n"))  # keeps the line numbers
    record_match = _RECORD.search(text)
    if record_match is None:
        raise ParseError(
            opened.path,
            tr("the file has no <top>, <topic>, <query> or <DOC>"),
            line=1,
            text=text.lstrip().split("\n", 1)[0],
            hint=tr("begin a topic with <top> or <topic number=…>"),
        )
    records = [(line, _fields(attributes, body)) for line, attributes, body in _records(text, record_match[1])]
    are_documents = record_match[1].lower() == "doc"
    findings = [] if are_documents else _plain_numbers([fields for _, fields in records])
    rows = TextRows(opened.path)
    for line, fields in records:
        record_id = fields.pop("id", "")
        if not record_id:
            raise ParseError(
                opened.path,
                tr("this <{tag}> has no number", tag=record_match[1]),
                line=line,
                column=1,
                text=f"<{record_match[1]}>",
                hint=tr('write <num> 301, <DOCNO>…</DOCNO> or <topic number="301">'),
            )
        rows.add(
            _document(record_id, fields) if are_documents else _topic(record_id, fields), line, f"<{record_match[1]}>"
        )
    return loaded_texts(
        opened, wanted, rows.table(), tr("TREC documents") if are_documents else tr("TREC topics"), findings
    )


def _without(text: str, begin: str, end: str, replacement: Callable[[str], str]) -> str:
    """Return the text with each part from ``begin`` to ``end`` replaced; a part without an end is kept. A regular
    expression would search the whole text for each missing end."""
    pieces, at = [], 0
    while (start := text.find(begin, at)) >= 0 and (stop := text.find(end, start + len(begin))) >= 0:
        pieces += [text[at:start], replacement(text[start + len(begin) : stop])]
        at = stop + len(end)
    return "".join([*pieces, text[at:]])


def _records(text: str, name: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, attributes and body of each record of a tag."""
    opening = re.compile(rf"<{name}(\s[^<>]*)?>", re.IGNORECASE)
    closing = re.compile(rf"</{name}\s*>", re.IGNORECASE)
    line, counted_to = 1, 0
    opening_match = opening.search(text)
    while opening_match is not None:
        line, counted_to = line + text.count("\n", counted_to, opening_match.start()), opening_match.start()
        following = opening.search(text, opening_match.end())
        stop = len(text) if following is None else following.start()
        closing_match = closing.search(text, opening_match.end(), stop)
        yield (
            line,
            opening_match[1] or "",
            text[opening_match.end() : stop if closing_match is None else closing_match.start()],
        )
        opening_match = following


def _fields(attributes: str, body: str) -> dict[str, Any]:
    """Return a record's texts by column: ``id`` if it has one, ``""`` for text outside of tags."""
    fields: dict[str, list[str]] = {}
    for name, *values in _ATTRIBUTE.findall(attributes):
        value = _words("".join(values))
        # In NTCIR's early topics the attribute ``q`` is the number; the tag is a question.
        fields.setdefault("id" if name.lower() in (*IDS, "q") else name.lower(), [value])
    closings: dict[str, list[re.Match[str]]] = {}
    for closing in _CLOSING.finditer(body):
        closings.setdefault(closing[1].lower(), []).append(closing)
    untagged, position = [], 0
    tag_match = _TAG.search(body)
    while tag_match is not None:
        untagged.append(body[position : tag_match.start()])
        name = tag_match[1].lower()
        own_closings = closings.get(name, [])
        index = bisect_left(own_closings, tag_match.end(), key=re.Match.start)
        end = own_closings[index] if index < len(own_closings) else None
        following = _TAG.search(body, tag_match.end())
        if (tag_match[2] or "").rstrip().endswith("/"):
            position, value = tag_match.end(), ""
        elif end is not None:
            position, value = end.end(), body[tag_match.end() : end.start()]
        else:
            position = len(body) if following is None else following.start()
            value = body[tag_match.end() : position]
        _put(fields, name, tag_match[2] or "", value)
        tag_match = _TAG.search(body, position)
    untagged.append(body[position:])
    text = _words("\n".join(untagged))
    if text:
        fields[""] = [text]
    return {name: "\n".join(filter(None, texts)) for name, texts in fields.items()}


def _put(fields: dict[str, list[str]], name: str, attributes: str, value: str) -> None:
    label = _LABEL.match(value)
    text = _words(value[label.end() :] if label else value)
    if name == "subtopic":
        subtopic_attributes = {key.lower(): "".join(values) for key, *values in _ATTRIBUTE.findall(attributes)}
        kind = f" ({subtopic_attributes['type']})" if subtopic_attributes.get("type") else ""
        text = f"{subtopic_attributes.get('number', '')}{kind}: {text}".removeprefix(": ")
        fields.setdefault("subtopics", []).append(text)
        return
    if name in IDS and "id" not in fields:
        fields["id"] = [text]
        return
    column = NAMES.get(name, name)
    if text or column not in fields:
        fields.setdefault(column, []).append(text)


def _words(text: str) -> str:
    """Return text without tags, with entities decoded and one line per paragraph."""
    text = _ANY.sub(" ", _without(text, "<![CDATA[", "]]>", lambda inside: inside))
    text = _ENTITY.sub(lambda match: unescape(match[0]), text)
    paragraphs = re.split(r"\n\s*\n", text)
    return "\n".join(line for line in (" ".join(paragraph.split()) for paragraph in paragraphs) if line)


def _topic(topic_id: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Return a topic's row: ``text`` is its title or query; other columns follow, description and narrative first."""
    untagged = fields.pop("", "")
    text_tag = next((name for name in TEXTS if fields.get(name)), None)
    row = {"id": topic_id, "text": untagged if text_tag is None else fields.pop(text_tag)}
    for name in ("description", "narrative", *fields):
        if name in fields:
            row[name] = fields[name]
    return row


def _document(document_id: str, fields: dict[str, Any]) -> dict[str, Any]:
    untagged = fields.pop("", "")
    row = {"id": document_id}
    if "title" in fields:
        row["title"] = fields.pop("title")
    row["text"] = "\n".join(filter(None, (fields.pop("text", ""), untagged)))
    return {**row, **fields}


def _plain_numbers(topics: list[dict[str, Any]]) -> list[Finding]:
    """Make the ids those that qrels have; the file's are kept as ``number``."""
    plain_numbers = plain_ids([fields.get("id", "") for fields in topics])
    changed = 0
    for fields, plain_id in zip(topics, plain_numbers or (), strict=False):
        if fields["id"] != plain_id:
            fields["number"] = fields["id"]
            fields["id"] = plain_id
            changed += 1
    if not changed:
        return []
    text = trn(
        "{n:,} number such as {number} is written as in qrels: without letters and leading zeros",
        "{n:,} numbers such as {number} are written as in qrels: without letters and leading zeros",
        changed,
        number=topics[0].get("number", ""),
    )
    return [Finding(text, changed, serious=False)]


# --- CAR ---

_CAR = re.compile(r"(?:enwiki|tqa):\S+")


def _sniff_car(head: Head) -> Sniffed | None:
    if head.lines and all(_CAR.fullmatch(line.strip()) for _, line in head.lines):
        return Sniffed("queries", tr("CAR's topics: article and headings are id and text"), certain=True)
    return None


def _read_car(opened: Opened, wanted: Wanted) -> Loaded:
    rows = TextRows(opened.path)
    for line_number, raw_line in enumerate(opened.data.split(b"\n"), start=1):
        topic_id = raw_line.decode("utf-8", "replace").strip()
        if topic_id:
            text = " / ".join(unquote(part) for part in topic_id.split(":", 1)[-1].split("/"))
            rows.add({"id": topic_id, "text": text}, line_number, topic_id)
    return loaded_texts(opened, wanted, rows.table(), tr("CAR topics"))


def _never(head: Head) -> Sniffed | None:
    """Recognise no file: detection selects the first format."""
    return None


FORMAT = Format(
    "topics", tr("TREC topics"), ("queries", "documents"), _sniff, _read, write_topics, (".topics",), ("queries",)
)
TRECTEXT = Format("trectext", tr("TREC documents"), ("documents",), _never, _read, write_trectext, (".trectext",))
CAR = Format("car-topics", tr("CAR topics"), ("queries",), _sniff_car, _read_car)
