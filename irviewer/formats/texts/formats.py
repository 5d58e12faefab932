"""Queries and documents in the table of formats: SMART, JSON lines, TSV; which of the two a file holds; writers.

The readers are ``smart``, ``jsonl`` and ``tsv_texts``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from irviewer.errors import OptionError, ParseError
from irviewer.formats.classic import smart
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted, file_fact
from irviewer.formats.load_report import Finding, LoadReport
from irviewer.formats.reading.opener import Opened
from irviewer.formats.texts import jsonl, tsv
from irviewer.formats.texts.writers import write_smart
from irviewer.formats.trec.run import name_of
from irviewer.model.texts import TEXT_COLUMNS, TextTable

_KNOWN = {*TEXT_COLUMNS, "abstract", "question", "passage", "url", "author", "name", "keywords", "narr", "desc"}
TEXTS = "texts"
"""The kind of a file that holds queries or documents, before it is read."""


def loaded_texts(
    opened: Opened, wanted: Wanted, table: TextTable, shape: str, said: Sequence[Finding] = ()
) -> Loaded:  # fmt: skip
    """A table of texts as queries or documents, with its account; ``said`` is what the format found odd."""
    told = wanted.kind if wanted.kind != TEXTS else None
    kind = told or _queries_or_documents(opened, table)
    table = replace(table, name=wanted.name or name_of(opened.path), origin=opened.path)
    findings = list(said)
    if "guess" in opened.encoding:
        findings.append(Finding("the bytes are not UTF-8: read as Latin-1", 1))
    blank = sum(1 for one in table.ids if not table.text(one).strip())
    if blank:
        findings.append(Finding(f"{blank:,} have no text", blank, serious=False))
    facts = (file_fact(opened), (kind, f"{len(table):,}"), ("columns", ", ".join(table.attributes) or "none"))
    report = LoadReport(
        opened.path, kind, f"{kind} ({shape})", wanted.reason, facts, tuple(findings), table.name
    )  # fmt: skip
    return Loaded(kind, table, report, ambiguous=told is None)


def _reader(parse: Callable[[Opened], TextTable], shape: str) -> Callable[[Opened, Wanted], Loaded]:
    def read(opened: Opened, wanted: Wanted) -> Loaded:
        return loaded_texts(opened, wanted, parse(opened), shape)

    return read


def _read_jsonl(opened: Opened, wanted: Wanted) -> Loaded:
    """JSON lines. Raises ParseError where nobody said that the file holds texts and it looks like a map of rows whose
    values are neither scores nor texts."""
    table = jsonl.parse_jsonl(opened)
    if wanted.kind == TEXTS and table.attributes and not opened.data.lstrip().startswith(b"["):
        strange = not {name.lower() for name in table.attributes} & _KNOWN
        if strange and jsonl.is_map(opened):
            raise ParseError(
                opened.path,
                "an object of objects by id whose values are no numbers: neither scores nor grades, and no column is "
                f"called as texts are: {', '.join(table.attributes[:5])}",
                line=1,
                hint='a run or qrels read {"query": {"document": 1.5}}; --kind queries or documents reads the objects '
                "as columns",
            )
    return loaded_texts(opened, wanted, table, "JSON lines")


def _sniff_smart(head: Head) -> Sniffed | None:
    return Sniffed(TEXTS, "SMART markers") if re.match(r"\.[A-Z]( |$)", head.first) else None


def _sniff_jsonl(head: Head) -> Sniffed | None:
    return Sniffed(TEXTS, "JSON objects with texts") if head.begin.startswith(("{", "[")) else None


def _sniff_tsv(head: Head) -> Sniffed | None:
    return Sniffed(TEXTS, "tab-separated text") if "\t" in head.first else None


def _queries_or_documents(opened: Opened, table: TextTable) -> str:
    """A guess by the file's name where it speaks of queries, then by columns, then by the name, then by length: queries
    are short. Classic collections have queries with titles and authors."""
    if re.search(r"quer|topic|\.qry|\.que\b", Path(opened.path).name.lower()):
        return "queries"
    columns = {name.lower() for name in table.attributes}
    if columns & {"title", "author", "url", "bib", "contents", "body"} and not columns & {"query", "narrative"}:
        return "documents"
    if columns & {"query", "narrative"}:
        return "queries"
    if re.search(r"doc|corpus|collection|passage", Path(opened.path).name.lower()):
        return "documents"
    sample = [len(table.text(one)) for one in table.ids[:200]]
    return "documents" if sample and sum(sample) / len(sample) > 300 else "queries"


def _write_jsonl(value: Value) -> bytes:
    assert isinstance(value, TextTable)
    lines = [json.dumps({"_id": one, **value.row(one)}, ensure_ascii=False, default=str) for one in value.ids]
    return ("\n".join(lines) + "\n").encode()


def _write_tsv(value: Value) -> bytes:
    assert isinstance(value, TextTable)
    names = value.attributes
    lines = ["\t".join(("id", *names))]
    for one in value.ids:
        row = value.row(one)
        cells = [one, *("" if row.get(name) is None else str(row[name]) for name in names)]
        if any("\t" in cell for cell in cells):
            raise OptionError(f"{one} holds a tab, which ends a column in this format: use --to jsonl")
        lines.append("\t".join(" ".join(cell.splitlines()) for cell in cells))
    return ("\n".join(lines) + "\n").encode()


KINDS = ("queries", "documents")
SMART = Format("smart", "SMART", KINDS, _sniff_smart, _reader(smart.parse_smart, "SMART"), write_smart)
JSONL = Format("jsonl", "JSON lines", KINDS, _sniff_jsonl, _read_jsonl, _write_jsonl, (".jsonl",))
TSV = Format("tsv-texts", "TSV", KINDS, _sniff_tsv, _reader(tsv.parse_tsv, "TSV"), _write_tsv, (".tsv",))
