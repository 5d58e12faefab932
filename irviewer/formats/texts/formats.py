"""The formats of queries and documents: SMART, JSON lines, TSV; detection of queries or documents; writers.

The readers are ``classic.smart``, ``texts.jsonl`` and ``texts.tsv``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from irviewer.errors import OptionError, ParseError
from irviewer.formats.classic import smart
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.load_report import Finding, LoadReport, file_fact, read_as_latin1
from irviewer.formats.names import name_of
from irviewer.formats.reading.opener import Opened
from irviewer.formats.texts import jsonl, tsv
from irviewer.formats.texts.writers import write_smart
from irviewer.model.texts import TEXT_COLUMNS, TextTable
from irviewer.translation import decimal, tr, trn

_KNOWN = {*TEXT_COLUMNS, "abstract", "question", "passage", "url", "author", "name", "keywords", "narr", "desc"}
TEXTS = "texts"
"""The kind of a file of queries or documents that is not read yet."""


def loaded_texts(
    opened: Opened, wanted: Wanted, table: TextTable, shape: str, notes: Sequence[Finding] = ()
) -> Loaded:  # fmt: skip
    """Return a table of texts as queries or documents, with its report; ``notes`` are those of the format."""
    given = wanted.kind if wanted.kind != TEXTS else None
    kind = given or _queries_or_documents(opened, table)
    table = replace(table, name=wanted.name or name_of(opened.path), origin=opened.path)
    findings = list(notes)
    if opened.encoding_guessed:
        findings.append(read_as_latin1())
    with_texts = any(name in TEXT_COLUMNS for name in table.attributes)
    without_text = sum(not table.text(each).strip() for each in table.ids) if with_texts else len(table)
    nobody_said = not (wanted.kind_given or wanted.as_format)
    others = any(name.lower() in _KNOWN and name not in TEXT_COLUMNS for name in table.attributes)
    if without_text == len(table) and kind == "queries" and nobody_said and not others:
        raise ParseError(
            opened.path, tr("no entry has a text: these are no queries"),
            hint=tr("--columns names the places of what it holds; if every entry is a query, --kind queries reads its "
                    "ids"),
        )  # fmt: skip
    if without_text:
        findings.append(
            Finding(
                trn("{n:,} entry has no text", "{n:,} entries have no text", without_text), without_text, serious=False
            )
        )
    queries = kind == "queries"
    facts = (
        file_fact(opened),
        (tr("queries") if queries else tr("documents"), decimal(f"{len(table):,}")),
        (tr("columns"), ", ".join(table.attributes) or tr("none")),
    )
    title = tr("queries ({format})", format=shape) if queries else tr("documents ({format})", format=shape)
    report = LoadReport(opened.path, kind, title, wanted.reason, facts, tuple(findings), table.name)
    return Loaded(kind, table, report, ambiguous=given is None)


def _reader(parse: Callable[[Opened], TextTable], shape: str) -> Callable[[Opened, Wanted], Loaded]:
    def read(opened: Opened, wanted: Wanted) -> Loaded:
        return loaded_texts(opened, wanted, parse(opened), shape)

    return read


def _read_jsonl(opened: Opened, wanted: Wanted) -> Loaded:
    """Read JSON lines. Raises ParseError if the kind was not given and the file is a map of rows whose values are
    neither scores nor texts."""
    table = jsonl.parse_jsonl(opened)
    if wanted.kind == TEXTS and table.attributes and not opened.data.lstrip().startswith(b"["):
        strange = not {name.lower() for name in table.attributes} & _KNOWN
        if strange and jsonl.is_map(opened):
            raise ParseError(
                opened.path,
                tr(
                    "an object of objects by id, whose values are not numbers (scores or grades) and whose columns "
                    "have no names of texts: {columns}",
                    columns=", ".join(table.attributes[:5]),
                ),
                line=1,
                hint=tr(
                    'a run or qrels look like {"query": {"document": 1.5}}; use --kind queries or --kind documents '
                    "to read the objects as texts"
                ),
            )
    return loaded_texts(opened, wanted, table, "JSON lines")


def _sniff_smart(head: Head) -> Sniffed | None:
    return Sniffed(TEXTS, tr("SMART markers")) if re.match(r"\.[A-Z]( |$)", head.first) else None


def _sniff_jsonl(head: Head) -> Sniffed | None:
    if not head.begin.startswith(("{", "[")) or _has_numbers_alone(head):
        return None
    return Sniffed(TEXTS, tr("JSON objects with texts"))


def _has_numbers_alone(head: Head) -> bool:
    """Return whether the first line is an object of an id and numbers, such as the scores of a query: no text."""
    try:
        record = json.loads(head.first)
    except (ValueError, RecursionError):
        return False
    if not isinstance(record, dict):
        return False
    texts = sum(1 for value in record.values() if isinstance(value, str))
    numbers = sum(1 for value in record.values() if isinstance(value, int | float))
    named = any(name.lower() in _KNOWN for name in record)
    return not named and texts <= 1 and numbers > 0 and texts + numbers == len(record)


def _sniff_tsv(head: Head) -> Sniffed | None:
    return Sniffed(TEXTS, tr("tab-separated text")) if "\t" in head.first else None


def _queries_or_documents(opened: Opened, table: TextTable) -> str:
    """Return "queries" or "documents" by the file's name if it is one of queries, else by the columns, else by the
    name, else by length. Classic collections have queries with titles and authors."""
    if re.search(r"quer|topic|\.qry|\.que\b", Path(opened.path).name.lower()):
        return "queries"
    columns = {name.lower() for name in table.attributes}
    if columns & {"title", "author", "url", "bib", "contents", "body"} and not columns & {"query", "narrative"}:
        return "documents"
    if columns & {"query", "narrative"}:
        return "queries"
    if re.search(r"doc|corpus|collection|passage", Path(opened.path).name.lower()):
        return "documents"
    sample = [len(table.text(identifier)) for identifier in table.ids[:200]]
    return "documents" if sample and sum(sample) / len(sample) > 300 else "queries"


def _write_jsonl(value: Value) -> bytes:
    assert isinstance(value, TextTable)
    lines = [
        json.dumps({"_id": identifier, **value.row(identifier)}, ensure_ascii=False, default=str)
        for identifier in value.ids
    ]
    return ("\n".join(lines) + "\n").encode()


def _write_tsv(value: Value) -> bytes:
    assert isinstance(value, TextTable)
    names = value.attributes
    lines = ["\t".join(("id", *names))]
    for identifier in value.ids:
        row = value.row(identifier)
        cells = [identifier, *("" if row.get(name) is None else str(row[name]) for name in names)]
        if any("\t" in cell for cell in cells):
            raise OptionError(
                tr("{id} has a tab, which separates columns in this format: use --to jsonl", id=identifier)
            )
        lines.append("\t".join(" ".join(cell.splitlines()) for cell in cells))
    return ("\n".join(lines) + "\n").encode()


KINDS = ("queries", "documents")
SMART = Format("smart", "SMART", KINDS, _sniff_smart, _reader(smart.parse_smart, "SMART"), write_smart)
JSONL = Format("jsonl", "JSON lines", KINDS, _sniff_jsonl, _read_jsonl, _write_jsonl, (".jsonl",))
TSV = Format("tsv-texts", "TSV", KINDS, _sniff_tsv, _reader(tsv.parse_tsv, "TSV"), _write_tsv, (".tsv",))
