"""LETOR and SVMlight with query ids: ``grade qid:7 1:0.5 2:0.1 # document``; qrels, or a run with a file of scores.

The document is in the comment, as ``docid = GX001`` (LETOR 4) or as its first word (RankLib, Quepid). The file of
scores has one score per line, in the order of the lines, alone or as the last of RankLib's three columns."""

from __future__ import annotations

import re

from irviewer.errors import ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted, is_number
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.rows import made, rows_of
from irviewer.formats.trec.formats import refuse_preferences, refuse_spaces, texts_of
from irviewer.model.qrels import Qrels
from irviewer.translation import tr, trn

_LINE = re.compile(r"\s*(\S+)\s+qid:(\S+)\s*([^#]*)(?:#(.*))?$", re.ASCII)
_DOCUMENT = re.compile(r"\bdoc_?id\s*[=:]\s*(\S+)", re.IGNORECASE | re.ASCII)
_WORD = re.compile(r"\S+", re.ASCII)


def _sniff(head: Head) -> Sniffed | None:
    row = head.columns[0] if head.columns else []
    if len(row) < 2 or not is_number(row[0]) or not row[1].startswith("qid:"):
        return None
    return Sniffed("qrels", tr("lines that begin with a grade and qid:, as in LETOR and SVMlight"), certain=True)


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    if wanted.kind == "run" and wanted.scores is None:
        raise ParseError(
            opened.path,
            tr("a LETOR file has grades and features, no scores"),
            hint=tr("give the file of scores: --scores FILE"),
        )
    queries: list[str] = []
    documents: list[str] = []
    grades: list[float] = []
    lines: list[int] = []
    counts: dict[str, int] = {}
    without_document = 0
    for line_number, raw_line in enumerate(opened.data.split(b"\n"), start=1):
        line = raw_line.decode("utf-8", "replace").rstrip("\r")
        if not line.strip() or line.startswith("#"):
            continue
        query, grade, document = _parts(opened, line_number, line)
        counts[query] = counts.get(query, 0) + 1
        without_document += not document
        queries.append(query)
        grades.append(grade)
        documents.append(document or f"{query}-{counts[query]}")
        lines.append(line_number)
    findings = []
    if without_document:
        text = trn(
            "{n:,} line has no document id: its id is query-number, by its order in the query",
            "{n:,} lines have no document id: their ids are query-number, by their order in the query",
            without_document,
        )
        findings.append(Finding(text, without_document))
    values = grades
    if wanted.kind == "run":
        values = _scores(str(wanted.scores), len(lines))
    title = tr("LETOR with scores") if wanted.kind == "run" else tr("LETOR qrels")
    return made(opened, rows_of(queries, documents, values, lines), wanted, title, findings)


def _parts(opened: Opened, line_number: int, line: str) -> tuple[str, float, str]:
    match = _LINE.match(line)
    if match is None:
        raise ParseError(
            opened.path,
            tr("the line does not begin with a grade and qid:"),
            line=line_number,
            column=1,
            text=line[:200].strip(),
            hint=tr("write: grade qid:query feature:value … # document"),
        )
    try:
        grade = float(match[1])
    except ValueError:
        raise ParseError(
            opened.path,
            tr('grade "{grade}" is not a number', grade=match[1]),
            line=line_number,
            column=match.start(1) + 1,
            text=line[:200].strip(),
        ) from None
    comment = match[4] or ""
    document_match, word = _DOCUMENT.search(comment), _WORD.search(comment)
    return match[2], grade, document_match[1] if document_match else word[0] if word else ""


def _scores(path: str, expected: int) -> list[float]:
    opened = open_bytes(path)
    scores: list[float] = []
    for line_number, line in enumerate(opened.data.decode("utf-8", "replace").splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        try:
            scores.append(float(words[-1]))
        except ValueError:
            raise ParseError(
                path,
                tr('"{text}" is not a score', text=words[-1]),
                line=line_number,
                text=line.strip(),
                hint=tr("write one number per line"),
            ) from None
    if len(scores) != expected:
        raise ParseError(
            path,
            tr(
                "{scores:,} scores for {lines:,} lines of the LETOR file: one for each line is needed",
                scores=len(scores),
                lines=expected,
            ),
        )
    return scores


def _write(value: Value) -> bytes:
    """Return lines ``grade qid:query # document``. Raises OptionError for ids with white space."""
    assert isinstance(value, Qrels)
    refuse_preferences(value)
    documents, grades = value.doc_ids.to_pylist(), texts_of(value.grades)
    refuse_spaces(value.query_ids, documents, first=False)
    lines = []
    for index, query in enumerate(value.query_ids):
        start, stop = int(value.offsets[index]), int(value.offsets[index + 1])
        pairs = zip(grades[start:stop], documents[start:stop], strict=True)
        lines += [f"{grade} qid:{query} # {document}\n" for grade, document in pairs]
    return "".join(lines).encode("utf-8", "surrogateescape")


FORMAT = Format("letor", "LETOR", ("qrels", "run"), _sniff, _read, _write, (".svm", ".letor"), ("qrels",))
