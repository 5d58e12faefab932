"""LETOR and SVMlight with query ids: ``grade qid:7 1:0.5 2:0.1 # document``; qrels alone, a run with a file of scores.

The document stands in the comment, as ``docid = GX001`` (LETOR 4) or as its first word (RankLib, Quepid). Scores stand
one a line, in the order of the lines, alone or as the last of RankLib's three columns."""

from __future__ import annotations

import re

from irviewer.errors import ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted, is_number
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.rows import made, rows_of
from irviewer.formats.trec.formats import refuse_preferences, refuse_spaces, texts_of
from irviewer.model.number_text import counted
from irviewer.model.qrels import Qrels

_LINE = re.compile(r"\s*(\S+)\s+qid:(\S+)\s*([^#]*)(?:#(.*))?$")
_DOCUMENT = re.compile(r"\bdoc_?id\s*[=:]\s*(\S+)", re.IGNORECASE)


def _sniff(head: Head) -> Sniffed | None:
    row = head.columns[0] if head.columns else []
    if len(row) < 2 or not is_number(row[0]) or not row[1].startswith("qid:"):
        return None
    return Sniffed("qrels", "a grade and qid: at the beginning of a line, as LETOR and SVMlight have it", certain=True)


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    if wanted.kind == "run" and wanted.scores is None:
        raise ParseError(
            opened.path,
            "a LETOR file holds grades and features, no scores",
            hint="name the file of scores: --scores FILE",
        )
    queries: list[str] = []
    documents: list[str] = []
    grades: list[float] = []
    lines: list[int] = []
    counts: dict[str, int] = {}
    nameless = 0
    for number, raw in enumerate(opened.data.split(b"\n"), start=1):
        line = raw.decode("utf-8", "replace").rstrip("\r")
        if not line.strip() or line.startswith("#"):
            continue
        query, grade, document = _parts(opened, number, line)
        counts[query] = counts.get(query, 0) + 1
        nameless += not document
        queries.append(query)
        grades.append(grade)
        documents.append(document or f"{query}-{counts[query]}")
        lines.append(number)
    findings = []
    if nameless:
        text = f"{counted(nameless, 'line names', 'lines name')} no document: called query-number by its order there"
        findings.append(Finding(text, nameless))
    values = grades
    if wanted.kind == "run":
        values = _scores(str(wanted.scores), len(lines))
    title = "LETOR with scores" if wanted.kind == "run" else "LETOR qrels"
    return made(opened, rows_of(queries, documents, values, lines), wanted, title, findings)


def _parts(opened: Opened, number: int, line: str) -> tuple[str, float, str]:
    found = _LINE.match(line)
    if found is None:
        raise ParseError(
            opened.path, "no grade and qid: at the beginning", line=number, column=1, text=line[:200].strip(),
            hint="write: grade qid:query feature:value … # document",
        )  # fmt: skip
    try:
        grade = float(found[1])
    except ValueError:
        raise ParseError(
            opened.path, f'grade "{found[1]}" is not a number', line=number, column=found.start(1) + 1,
            text=line[:200].strip(),
        ) from None  # fmt: skip
    comment = (found[4] or "").strip()
    named = _DOCUMENT.search(comment)
    words = comment.split()
    return found[2], grade, named[1] if named else words[0] if words else ""


def _scores(path: str, wanted: int) -> list[float]:
    opened = open_bytes(path)
    found: list[float] = []
    for number, line in enumerate(opened.data.decode("utf-8", "replace").splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        try:
            found.append(float(words[-1]))
        except ValueError:
            raise ParseError(
                path, f'"{words[-1]}" is no score', line=number, text=line.strip(), hint="write one number a line"
            ) from None
    if len(found) != wanted:
        raise ParseError(path, f"{len(found):,} scores for {wanted:,} lines of the LETOR file")
    return found


def _write(value: Value) -> bytes:
    """``grade qid:query # document``. Raises OptionError on ids that hold white space."""
    assert isinstance(value, Qrels)
    refuse_preferences(value)
    documents, grades = value.doc_ids.to_pylist(), texts_of(value.grades)
    refuse_spaces(value.query_ids, documents)
    lines = []
    for place, query in enumerate(value.query_ids):
        start, stop = int(value.offsets[place]), int(value.offsets[place + 1])
        pairs = zip(grades[start:stop], documents[start:stop], strict=True)
        lines += [f"{grade} qid:{query} # {document}\n" for grade, document in pairs]
    return "".join(lines).encode("utf-8", "surrogateescape")


FORMAT = Format("letor", "LETOR", ("qrels", "run"), _sniff, _read, _write, (".svm", ".letor"), ("qrels",))
