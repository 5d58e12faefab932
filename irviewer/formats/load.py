"""Load anything: detect by content what a file is, read it, and give an account of it.

A reader is one row of ``READERS``; detection looks at the first lines, a file's suffix only settles what content leaves
open."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.opener import Opened, open_bytes
from irviewer.formats.report import Finding, LoadReport
from irviewer.formats.trec_qrels import parse_qrels
from irviewer.formats.trec_run import name_of, parse_run
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable

KINDS = ("qrels", "run", "queries", "documents")


@dataclass(frozen=True, eq=False)
class Loaded:
    """What a file held. ``kind`` is one of ``KINDS``; ``ambiguous`` where queries and documents look alike, so that
    whoever knows the collection's ids should decide."""

    kind: str
    value: Qrels | Run | TextTable
    report: LoadReport
    ambiguous: bool = False


def load(
    path: str | Path,
    *,
    kind: str | None = None,
    name: str | None = None,
    duplicates: DuplicatePolicy = "refuse",
) -> Loaded:
    """Read a file of any known shape. ``kind`` overrules the detection. Raises ParseError."""
    opened = open_bytes(path)
    found, reason = (kind, "as you said") if kind else detect(opened)
    if found == "run":
        run, report = parse_run(opened, name=name, duplicates=duplicates)
        return Loaded("run", run, replace(report, reason=reason))
    if found == "qrels":
        qrels, report = parse_qrels(opened, name=name, duplicates=duplicates)
        return Loaded("qrels", qrels, replace(report, reason=reason))
    return _load_texts(opened, kind, name)


def detect(opened: Opened) -> tuple[str, str]:
    """("qrels" | "run" | "texts", why). Raises ParseError, with what is near, where a file is none of them."""
    data = opened.data
    if not data.strip():
        raise ParseError(opened.path, "the file is empty")
    lines = _first_lines(data)
    if not lines:
        raise ParseError(opened.path, "the file holds comments only")
    number, first = lines[0]
    if re.match(r"\.[A-Z]( |$)", first):
        return "texts", "SMART markers"
    if first.lstrip().startswith("{") and (first.rstrip().endswith("}") or len(data.splitlines()) == 1):
        return "texts", "JSON lines"
    widths = [len(line.split()) for _, line in lines]
    tabbed = [line.count("\t") for _, line in lines]
    if widths[0] >= 6 and _is_number(first.split()[4]) and (widths[0] == 6 or not any(tabbed) or min(tabbed) >= 5):
        return "run", "six columns, the fifth a number"
    if widths[0] >= 4 and _is_number(first.split()[3]) and widths[0] < 6 and not _is_prose(lines):
        return "qrels", "four columns, the fourth a number"
    if tabbed[0] >= 1:
        return "texts", "tab-separated text"
    raise ParseError(
        opened.path,
        f"this is no file that irviewer knows: the first line has {widths[0]} column{'s' if widths[0] != 1 else ''}",
        line=number,
        text=first.strip(),
        hint="a TREC run has 6 columns, qrels have 4; queries and documents come as TSV, JSON lines or SMART",
    )


def _is_prose(lines: list[tuple[int, str]]) -> bool:
    """True for a TSV of texts whose first line happens to have a number as its fourth word."""
    return any(not _is_number((line.split() + [""] * 4)[3]) for _, line in lines) and all(
        "\t" in line for _, line in lines
    )


def _first_lines(data: bytes, most: int = 20) -> list[tuple[int, str]]:
    """The first lines that are neither blank nor comments, with their numbers."""
    found: list[tuple[int, str]] = []
    start = number = 0
    while start < len(data) and len(found) < most:
        stop = data.find(b"\n", start)
        stop = len(data) if stop < 0 else stop
        number += 1
        line = data[start:stop]
        start = stop + 1
        if line.strip() and not line.startswith(b"#"):
            found.append((number, line[:100_000].decode("utf-8", "replace").rstrip("\r")))
    return found


def _is_number(text: str) -> bool:
    # A comma decimal is a number in the wrong dress: the reader says so with its line.
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _load_texts(opened: Opened, kind: str | None, name: str | None) -> Loaded:
    table, shape = _text_reader(opened)(opened)
    guess = kind or _queries_or_documents(opened, table)
    table = replace(table, name=name or name_of(opened.path), origin=opened.path)
    findings = []
    if "guess" in opened.encoding:
        findings.append(Finding("the bytes are not UTF-8: read as Latin-1", 1))
    blank = sum(1 for one in table.ids if not table.text(one).strip())
    if blank:
        findings.append(Finding(f"{blank:,} have no text", blank, serious=False))
    facts = (
        ("file", ", ".join(filter(None, (opened.compression, opened.encoding)))),
        (guess, f"{len(table):,}"),
        ("columns", ", ".join(table.attributes) or "none"),
    )
    report = LoadReport(opened.path, guess, f"{guess} ({shape})", "", facts, tuple(findings), table.name)
    return Loaded(guess, table, report, ambiguous=kind is None)


def _text_reader(opened: Opened) -> Callable[[Opened], tuple[TextTable, str]]:
    from irviewer.formats import jsonl, smart, tsv_texts

    first = _first_lines(opened.data, 1)[0][1]
    if re.match(r"\.[A-Z]( |$)", first):
        return _reader(smart.parse_smart, "SMART")
    if first.lstrip().startswith("{"):
        return _reader(jsonl.parse_jsonl, "JSON lines")
    return _reader(tsv_texts.parse_tsv, "TSV")


def _reader(parse: Callable[[Opened], Any], shape: str) -> Callable[[Opened], tuple[TextTable, str]]:
    def read(opened: Opened) -> tuple[TextTable, str]:
        return parse(opened), shape

    return read


def _queries_or_documents(opened: Opened, table: TextTable) -> str:
    """A guess by columns, then by the file's name, then by length: queries are short."""
    columns = {name.lower() for name in table.attributes}
    if columns & {"title", "author", "url", "bib", "contents", "body"} and not columns & {"query", "narrative"}:
        return "documents"
    if columns & {"query", "narrative"}:
        return "queries"
    name = Path(opened.path).name.lower()
    if re.search(r"quer|topic|qry", name):
        return "queries"
    if re.search(r"doc|corpus|collection|passage", name):
        return "documents"
    sample = [len(table.text(one)) for one in table.ids[:200]]
    return "documents" if sample and sum(sample) / len(sample) > 300 else "queries"
