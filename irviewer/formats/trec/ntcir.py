"""NTCIR's files: qrels with levels L0, L1 … (also per topic, per intent, and the early S, A, B, C), runs with a header.

See NTCIREVAL's README.adhoc and README.diversity (Sakai, 2019): ``topic document L2``, ``topic;intent;document;L2``,
``document L2`` in a file named after its topic, and rankings with a document per line (only with ``--from ntcir --kind
run``). Runs are TREC runs after a line ``<SYSDESC>…</SYSDESC>``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from irviewer.errors import OptionError, ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import from_ranks, made, rows_of
from irviewer.formats.trec.formats import qrels_columns, refuse_comments, refuse_spaces, run_lines
from irviewer.formats.trec.run import parse_run
from irviewer.model.arrays import strings
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr, trn

_LEVEL = re.compile(r"[Ll](\d{1,6})")
_EARLY = {"S": 3, "A": 2, "B": 1, "C": 0}
_SYSDESC = b"<SYSDESC>"
_SPACES = " \t\r\n\v\f"
"""White space between columns, as the readers of TREC have it; other spaces are part of an id."""
_WORD = re.compile(rf"[^{_SPACES}]+")


def _cells(line: str) -> list[str]:
    """Split a line at semicolons if it has any, which allows white space in ids, else at white space."""
    if ";" in line and _LEVEL.fullmatch(line.rsplit(";", 1)[1].strip()):
        return [cell.strip(_SPACES) for cell in line.split(";")]
    return _WORD.findall(line)


def _sniff(head: Head) -> Sniffed | None:
    if head.first.lstrip().upper().startswith("<SYSDESC>"):
        return Sniffed("run", tr("NTCIR's <SYSDESC> line"), certain=True)
    rows = [_cells(line) for _, line in head.lines]
    if _is_lab(head, rows):
        return Sniffed("qrels", tr("NTCIR levels: document and level, or document alone; the topic is the file's name"))
    if len(set(map(len, rows))) != 1:
        return None
    width = len(rows[0])
    if width == 1 and head.names(".res") and Path(head.file_name).suffix == ".res":
        return Sniffed(
            "run", tr("one document per line in a .res file: NTCIREVAL's ranking of the topic in the file's name")
        )
    if width in (2, 3, 4) and all(_LEVEL.fullmatch(row[-1]) for row in rows):
        reasons = {
            2: tr("NTCIR levels: document and level; the topic is the file's name"),
            3: tr("NTCIR levels: topic, document and level"),
            4: tr("NTCIR levels: topic, intent, document and level"),
        }
        return Sniffed("qrels", reasons[width], certain=True)
    if width in (3, 4) and all(row[1] in _EARLY for row in rows) and len({row[1] for row in rows}) > 1:
        return Sniffed("qrels", tr("early NTCIR grades S, A, B, C in the second column"))
    return None


def _is_lab(head: Head, rows: list[list[str]]) -> bool:
    """Return True for a .lab file with lines of a document and its level, or of an unjudged document alone."""
    if not head.file_name.endswith(".lab"):
        return False
    levels = [len(row) == 2 and _LEVEL.fullmatch(row[1]) is not None for row in rows]
    return any(levels) and all(level or len(row) == 1 for level, row in zip(levels, rows, strict=True))


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    if wanted.kind == "run":
        return _read_run(opened, wanted)
    topic = Path(opened.path).name.split(".")[0]
    queries, documents, grades, intents, lines = [], [], [], [], []
    without_level = 0
    is_lab = Path(opened.path).suffix.lower() == ".lab"
    for line_number, line in _lines(opened):
        row = _cells(line)
        if is_lab and len(row) == 1:
            without_level += 1
            continue
        early = len(row) > 2 and row[1] in _EARLY
        level_match = _LEVEL.fullmatch(row[-1])
        if not early and (level_match is None or not 2 <= len(row) <= 4):
            raise ParseError(
                opened.path,
                tr("2, 3 or 4 columns with a level such as L2 at the end are expected"),
                line=line_number,
                column=len(line.rstrip()) + 1,
                text=line.strip(),
                hint=tr("write 3 columns: topic document level"),
            )
        queries.append(topic if len(row) == 2 else row[0])
        documents.append(row[0] if len(row) == 2 else row[2] if early else row[-2])
        grades.append(_EARLY[row[1]] if early else int(level_match[1]) if level_match else 0)
        intents.append(row[1] if len(row) == 4 and not early else "0")
        lines.append(line_number)
    rows = rows_of(queries, documents, grades, lines)
    has_intents = len(set(intents)) > 1
    if has_intents:
        rows = replace(rows, subtopics=strings(intents))
    notes = []
    if without_level:
        text = trn("{n:,} document has no level: unjudged", "{n:,} documents have no level: unjudged", without_level)
        notes.append(Finding(text, without_level, serious=False))
    title = tr("NTCIR diversity qrels") if has_intents else tr("NTCIR qrels")
    return made(opened, rows, wanted, title, notes)


def _read_run(opened: Opened, wanted: Wanted) -> Loaded:
    """Read a run; its SYSDESC line becomes a comment, which keeps the line numbers."""
    data = opened.data
    start = data[:65536].upper().find(_SYSDESC)
    if start < 0 and all(len(row) == 1 for row in Head(opened).columns):
        return _read_res(opened, wanted)
    description = ""
    if start >= 0:
        stop = data.find(b"\n", start)
        stop = len(data) if stop < 0 else stop
        description = re.sub(
            r"</?SYSDESC>", "", data[start:stop].decode("utf-8", "replace"), flags=re.IGNORECASE
        ).strip()
        data = data[:start] + b"#" + data[start:]
    run, report = parse_run(opened.with_data(data), name=wanted.name, duplicates=wanted.duplicates)
    run = replace(
        run, attributes={**(run.attributes or {}), **({"description": description} if description else {})} or None
    )
    return Loaded("run", run, replace(report, format=tr("NTCIR run"), reason=wanted.reason))


def _read_res(opened: Opened, wanted: Wanted) -> Loaded:
    """Read a res file of NTCIREVAL: one document per line, best first, of the topic in the file's name."""
    documents, lines = [], []
    for line_number, line in _lines(opened):
        words = _WORD.findall(line)
        if len(words) != 1:
            raise ParseError(
                opened.path,
                tr("this line has white space, and a line is one document id"),
                line=line_number,
                text=line.strip(),
                hint=tr("write one document id per line"),
            )
        documents += words
        lines.append(line_number)
    topic = Path(opened.path).name.split(".")[0]
    scores, ranks_note = from_ranks(np.arange(1, len(documents) + 1))
    rows = rows_of([topic] * len(documents), documents, scores, lines)
    topic_note = Finding(tr("the file is one topic, named {topic} after the file", topic=topic), 1, serious=False)
    return made(opened, rows, wanted, tr("NTCIR res"), [topic_note, ranks_note])


def _lines(opened: Opened) -> Iterator[tuple[int, str]]:
    for line_number, raw_line in enumerate(opened.data.split(b"\n"), start=1):
        line = raw_line.decode("utf-8", "replace").rstrip("\r")
        if line.strip(_SPACES) and not line.startswith("#"):
            yield line_number, line


def _write(value: Value) -> bytes:
    """Return lines ``topic document L2`` or, with intents, ``topic;intent;document;L2``.

    Raises OptionError for a grade that is not a level."""
    if isinstance(value, Run):
        description = str((value.attributes or {}).get("description") or value.name)
        run_text = run_lines(replace(value, attributes=None, components={}))
        return f"<SYSDESC>{' '.join(description.split())}</SYSDESC>\n{''.join(run_text)}".encode(
            "utf-8", "surrogateescape"
        )
    assert isinstance(value, Qrels)
    queries, intents, documents, _ = qrels_columns(value)
    grades = value.written[3].tolist()
    unusable = next((grade for grade in grades if grade < 0 or grade != int(grade)), None)
    if unusable is not None:
        raise OptionError(
            tr(
                "the grade {unusable:g} is not a level L0, L1 …, which NTCIR's files have: use --to trec",
                unusable=unusable,
            )
        )
    if intents is None:
        refuse_spaces(value.query_ids, documents)
    else:
        _refuse_semicolons(value.query_ids, documents, intents)
    levels = [f"L{int(grade)}" for grade in grades]
    columns = [queries, documents, levels] if intents is None else [queries, intents, documents, levels]
    lines = [(" " if intents is None else ";").join(row) for row in zip(*columns, strict=True)]
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


def _refuse_semicolons(queries: Sequence[str], documents: Sequence[str], intents: Sequence[str]) -> None:
    """Raise OptionError for a text that is not a whole column between semicolons, whose reader leaves out white space
    at both ends."""
    for text in dict.fromkeys((*queries, *documents, *intents)):
        if ";" in text or text != text.strip(_SPACES) or len(text.splitlines()) > 1:
            raise OptionError(
                tr(
                    "{text!r} has a semicolon or a line break, or begins or ends with white space, which this format "
                    "cannot express: use --to csv",
                    text=text,
                )
            )
    refuse_comments(queries)


FORMAT = Format(
    "ntcir", "NTCIR", ("qrels", "run"), _sniff, _read, _write, keeps=frozenset({"queries", "subtopics", "scores"})
)
