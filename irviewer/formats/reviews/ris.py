"""RIS, the exchange format of reference managers: documents, and judgments where ASReview left its labels in the notes.

``TY  - `` begins a record, ``ER  - `` ends it. Labels are the words ``ASReview_relevant``, ``ASReview_irrelevant`` and
``ASReview_not_seen`` in N1."""

from __future__ import annotations

import io
import re

from irviewer.errors import ParseError
from irviewer.formats.classic.writers import ris_records
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reviews.records import Record, loaded_records
from irviewer.model.number_text import counted
from irviewer.model.qrels import Qrels
from irviewer.model.texts import TextTable

_TAG = re.compile(r"([A-Z][A-Z0-9])  - ?(.*)$")
_LABEL = re.compile(r"\bASReview_(relevant|irrelevant|not_seen)\b")
_NAMES = {
    "TI": "title", "T1": "title", "AB": "text", "N2": "text", "AU": "author", "A1": "author", "PY": "year",
    "Y1": "year", "DO": "doi", "UR": "url", "JO": "journal", "JF": "journal", "T2": "journal", "KW": "keywords",
    "LA": "language", "PB": "publisher", "VL": "volume", "IS": "issue", "SP": "first page", "EP": "last page",
}  # fmt: skip


def _sniff(head: Head) -> Sniffed | None:
    if not re.match(r"TY  - ", head.first):
        return None
    if _LABEL.search(head.opened.data.decode("utf-8", "replace")):
        return Sniffed("qrels", "RIS records with ASReview's labels; --kind documents reads them as documents")
    return Sniffed("documents", "RIS records (TY  -)")


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    records: list[Record] = []
    fields: dict[str, list[list[str]]] = {}
    begin, last, nameless = 0, "", 0
    for number, raw in enumerate(io.BytesIO(opened.data), start=1):
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        found = _TAG.match(line)
        if found is None:
            if line.strip() and not last:
                raise ParseError(
                    opened.path,
                    "no RIS tag",
                    line=number,
                    column=1,
                    text=line.strip(),
                    hint="a record begins with TY  -",
                )
            if line.strip():  # a value that goes on in the next line
                fields[last][-1].append(line.strip())
            continue
        tag, value = found[1], found[2].strip()
        if tag == "TY":
            if begin:
                raise _unended(opened, begin)
            begin = number
        elif not begin:
            raise ParseError(
                opened.path, f"{tag} outside a record", line=number, column=1, text=line.strip(),
                hint="a record begins with TY  -",
            )  # fmt: skip
        if tag == "ER":
            values = {name: [" ".join(parts) for parts in lists] for name, lists in fields.items()}
            nameless += not values.get("ID", [""])[0].strip()
            records.append(_record(values, len(records) + 1, begin))
            fields, begin, last = {}, 0, ""
            continue
        fields.setdefault(tag, []).append([value])
        last = tag
    if begin:
        raise _unended(opened, begin)
    if not records:
        raise ParseError(opened.path, "the file holds no record")
    findings = []
    if nameless:
        text = f"{counted(nameless, 'record has', 'records have')} no ID: called by number in the file"
        findings.append(Finding(text, nameless, serious=False))
    return loaded_records(opened, records, range(len(records)), "the file's order", wanted, "RIS", findings)


def _unended(opened: Opened, begin: int) -> ParseError:
    return ParseError(
        opened.path, "the record that begins here has no end", line=begin, column=1, hint="end it with ER  -"
    )


def _record(fields: dict[str, list[str]], place: int, line: int) -> Record:
    notes = " ".join(fields.get("N1", []))
    found = _LABEL.search(notes)
    label = {"relevant": 1, "irrelevant": 0}.get(found[1]) if found else None
    named = fields.get("ID", [""])[0].strip()
    columns: dict[str, str] = {}
    for tag, values in fields.items():
        name = _NAMES.get(tag)
        text = "; ".join(value for value in values if value)
        if name and text:
            columns.setdefault(name, text)
    return Record(named or str(place), label, line, columns)


def _write(value: Value) -> bytes:
    """Documents as records of type GEN; judgments of one query as records with ASReview's labels."""
    if isinstance(value, Qrels):
        return ris_records(value)
    assert isinstance(value, TextTable)
    tags = {"title": "TI", "text": "AB", "author": "AU", "year": "PY", "doi": "DO", "url": "UR", "journal": "JO"}
    lines = []
    for one in value.ids:
        lines += ["TY  - GEN", f"ID  - {one}"]
        row = value.row(one)
        lines += [f"{tag}  - {' '.join(str(row[name]).split())}" for name, tag in tags.items() if row.get(name)]
        lines += ["ER  - ", ""]
    return "\n".join(lines).encode("utf-8", "surrogateescape")


FORMAT = Format(
    "ris", "RIS", ("documents", "qrels", "run"), _sniff, _read, _write, (".ris",), ("documents", "qrels"),
    keeps=frozenset(),
)  # fmt: skip
