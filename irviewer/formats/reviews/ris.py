"""RIS, the exchange format of reference managers: documents, and judgments if the notes have ASReview's labels.

``TY  - `` begins a record, ``ER  - `` ends it. The labels are the words ``ASReview_relevant``, ``ASReview_irrelevant``
and ``ASReview_not_seen`` in N1."""

from __future__ import annotations

import io
import re

from irviewer.errors import ParseError
from irviewer.formats.classic.writers import ris_records
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reviews.records import Record, loaded_records
from irviewer.model.qrels import Qrels
from irviewer.model.texts import TextTable
from irviewer.translation import tr, trn

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
        return Sniffed(
            "qrels", tr("RIS records with ASReview's labels; use --kind documents to read them as documents")
        )
    return Sniffed("documents", tr("RIS records (TY  -)"))


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    records: list[Record] = []
    fields: dict[str, list[list[str]]] = {}
    record_line, last_tag, without_id = 0, "", 0
    for line_number, raw_line in enumerate(io.BytesIO(opened.data), start=1):
        line = raw_line.decode("utf-8", "replace").rstrip("\r\n")
        match = _TAG.match(line)
        if match is None:
            if line.strip() and not last_tag:
                raise ParseError(
                    opened.path,
                    tr("the line does not begin with a RIS tag"),
                    line=line_number,
                    column=1,
                    text=line.strip(),
                    hint=tr("begin a record with TY  -"),
                )
            if line.strip():  # the value continues
                fields[last_tag][-1].append(line.strip())
            continue
        tag, value = match[1], match[2].strip()
        if tag == "TY":
            if record_line:
                raise _unended(opened, record_line)
            record_line = line_number
        elif not record_line:
            raise ParseError(
                opened.path,
                tr("the tag {tag} is outside a record", tag=tag),
                line=line_number,
                column=1,
                text=line.strip(),
                hint=tr("begin a record with TY  -"),
            )
        if tag == "ER":
            values = {name: [" ".join(parts) for parts in lists] for name, lists in fields.items()}
            without_id += not values.get("ID", [""])[0].strip()
            records.append(_record(values, len(records) + 1, record_line))
            fields, record_line, last_tag = {}, 0, ""
            continue
        fields.setdefault(tag, []).append([value])
        last_tag = tag
    if record_line:
        raise _unended(opened, record_line)
    if not records:
        raise ParseError(opened.path, tr("the file has no records"))
    findings = []
    if without_id:
        text = trn(
            "{n:,} record has no ID: its id is its number in the file",
            "{n:,} records have no ID: their ids are their numbers in the file",
            without_id,
        )
        findings.append(Finding(text, without_id, serious=False))
    return loaded_records(
        opened, records, range(len(records)), tr("ranked in file order; score = 1/rank"), wanted, "RIS", findings
    )


def _unended(opened: Opened, begin: int) -> ParseError:
    return ParseError(
        opened.path, tr("the record that begins here does not end"), line=begin, column=1, hint=tr("end it with ER  -")
    )


def _record(fields: dict[str, list[str]], number: int, line: int) -> Record:
    notes = " ".join(fields.get("N1", []))
    label_match = _LABEL.search(notes)
    label = {"relevant": 1, "irrelevant": 0}.get(label_match[1]) if label_match else None
    record_id = fields.get("ID", [""])[0].strip()
    columns: dict[str, str] = {}
    for tag, values in fields.items():
        name = _NAMES.get(tag)
        text = "; ".join(value for value in values if value)
        if name and text:
            columns.setdefault(name, text)
    return Record(record_id or str(number), label, line, columns)


def _write(value: Value) -> bytes:
    """Return documents as records of type GEN, or judgments of one query as records with ASReview's labels."""
    if isinstance(value, Qrels):
        return ris_records(value)
    assert isinstance(value, TextTable)
    tags = {"title": "TI", "text": "AB", "author": "AU", "year": "PY", "doi": "DO", "url": "UR", "journal": "JO"}
    lines = []
    for document in value.ids:
        lines += ["TY  - GEN", f"ID  - {document}"]
        row = value.row(document)
        lines += [f"{tag}  - {' '.join(str(row[name]).split())}" for name, tag in tags.items() if row.get(name)]
        lines += ["ER  - ", ""]
    return "\n".join(lines).encode("utf-8", "surrogateescape")


FORMAT = Format(
    "ris", "RIS", ("documents", "qrels", "run"), _sniff, _read, _write, (".ris",), ("documents", "qrels"),
    keeps=frozenset(),
)  # fmt: skip
