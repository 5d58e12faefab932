"""NTCIR's files: qrels with levels L0, L1 … (also per topic, per intent, and the early S, A, B, C), runs with a header.

See NTCIREVAL's README.adhoc and README.diversity (Sakai, 2019): ``topic document L2``, ``topic;intent;document;L2``,
``document L2`` in a file called after its topic, and the ranking beside it, a document a line (only where
a person says ``--from ntcir --kind run``). Runs are TREC runs after a line ``<SYSDESC>…</SYSDESC>``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from irviewer.errors import OptionError, ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import from_ranks, made, rows_of
from irviewer.formats.trec.formats import qrels_columns, refuse_spaces, run_lines
from irviewer.formats.trec.run import parse_run
from irviewer.model.arrays import strings
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

_LEVEL = re.compile(r"[Ll](\d{1,6})")
_EARLY = {"S": 3, "A": 2, "B": 1, "C": 0}
_SYSDESC = b"<SYSDESC>"


def _cells(line: str) -> list[str]:
    """A line's cells: at semicolons where it has them, which allow white space in ids, else at white space."""
    if ";" in line and _LEVEL.fullmatch(line.rsplit(";", 1)[1].strip()):
        return [cell.strip() for cell in line.split(";")]
    return line.split()


def _sniff(head: Head) -> Sniffed | None:
    if head.first.lstrip().upper().startswith("<SYSDESC>"):
        return Sniffed("run", "NTCIR's <SYSDESC> line", certain=True)
    rows = [_cells(line) for _, line in head.lines]
    if _is_lab(head, rows):
        return Sniffed(
            "qrels", "NTCIR levels: document and level; some documents have none; the topic is the file's name"
        )
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        return None
    width = len(rows[0])
    if width == 1 and head.names(".res") and Path(head.file_name).suffix == ".res":
        return Sniffed(
            "run", "a document a line in a file called .res: NTCIREVAL's ranking of the topic it is called after"
        )
    if width in (2, 3, 4) and all(_LEVEL.fullmatch(row[-1]) for row in rows):
        shape = {2: "document and level; the topic is the file's name", 3: "topic, document and level"}
        return Sniffed("qrels", f"NTCIR levels: {shape.get(width, 'topic, intent, document and level')}", certain=True)
    if width in (3, 4) and all(row[1] in _EARLY for row in rows) and len({row[1] for row in rows}) > 1:
        return Sniffed("qrels", "early NTCIR grades S, A, B, C in the second column")
    return None


def _is_lab(head: Head, rows: list[list[str]]) -> bool:
    """True for a file called .lab whose lines are a document and its level, or, where it has none, the document."""
    levels = [len(row) == 2 and _LEVEL.fullmatch(row[1]) is not None for row in rows]
    return (
        Path(head.file_name).suffix == ".lab"
        and any(levels)
        and all(level or len(row) == 1 for level, row in zip(levels, rows, strict=True))
    )


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    if wanted.kind == "run":
        return _read_run(opened, wanted)
    topic = Path(opened.path).name.split(".")[0]
    queries, documents, grades, intents, lines = [], [], [], [], []
    bare = 0
    labels = Path(opened.path).suffix.lower() == ".lab"
    for number, line in _lines(opened):
        row = _cells(line)
        if labels and len(row) == 1:
            bare += 1
            continue
        early = len(row) > 2 and row[1] in _EARLY
        found = _LEVEL.fullmatch(row[-1])
        if not early and (found is None or not 2 <= len(row) <= 4):
            raise ParseError(
                opened.path,
                "no level such as L2 at the end of 2, 3 or 4 columns",
                line=number,
                column=len(line.rstrip()) + 1,
                text=line.strip(),
                hint="NTCIR qrels have 3: topic document level",
            )
        queries.append(topic if len(row) == 2 else row[0])
        documents.append(row[0] if len(row) == 2 else row[2] if early else row[-2])
        grades.append(_EARLY[row[1]] if early else int(found[1]) if found else 0)
        intents.append(row[1] if len(row) == 4 and not early else "0")
        lines.append(number)
    rows = rows_of(queries, documents, grades, lines)
    diverse = len(set(intents)) > 1
    if diverse:
        rows = replace(rows, subtopics=strings(intents))
    said = (Finding(f"{bare:,} documents have no level: unjudged", bare, serious=False),) if bare else ()
    return made(opened, rows, wanted, "NTCIR diversity qrels" if diverse else "NTCIR qrels", said)


def _read_run(opened: Opened, wanted: Wanted) -> Loaded:
    """The SYSDESC line becomes a comment, so that line numbers stay what they are."""
    data = opened.data
    start = data[:65536].upper().find(_SYSDESC)
    if start < 0 and all(len(row) == 1 for row in Head(opened).columns):
        return _read_res(opened, wanted)
    said = ""
    if start >= 0:
        stop = data.find(b"\n", start)
        stop = len(data) if stop < 0 else stop
        said = re.sub(r"</?SYSDESC>", "", data[start:stop].decode("utf-8", "replace"), flags=re.IGNORECASE).strip()
        data = data[:start] + b"#" + data[start:]
    run, report = parse_run(opened.with_data(data), name=wanted.name, duplicates=wanted.duplicates)
    run = replace(run, attributes={**(run.attributes or {}), **({"description": said} if said else {})} or None)
    return Loaded("run", run, replace(report, format="NTCIR run", reason=wanted.reason))


def _read_res(opened: Opened, wanted: Wanted) -> Loaded:
    """A res file of NTCIREVAL: a document a line, best first, of the topic that the file is called after."""
    documents, lines = [], []
    for number, line in _lines(opened):
        if len(line.split()) != 1:
            raise ParseError(
                opened.path, "white space in a line that is one document id", line=number, text=line.strip(),
                hint="a res file has a document a line",
            )  # fmt: skip
        documents.append(line.strip())
        lines.append(number)
    topic = Path(opened.path).name.split(".")[0]
    scores, said = from_ranks(np.arange(1, len(documents) + 1))
    rows = rows_of([topic] * len(documents), documents, scores, lines)
    called = Finding(f"one topic, called {topic} after the file", 1, serious=False)
    return made(opened, rows, wanted, "NTCIR res", [called, said])


def _lines(opened: Opened) -> Iterator[tuple[int, str]]:
    for number, raw in enumerate(opened.data.split(b"\n"), start=1):
        line = raw.decode("utf-8", "replace").rstrip("\r")
        if line.strip() and not line.startswith("#"):
            yield number, line


def _write(value: Value) -> bytes:
    """``topic document L2``, with intents ``topic;intent;document;L2``. Raises OptionError on a grade that is none."""
    if isinstance(value, Run):
        said = str((value.attributes or {}).get("description") or value.name)
        lines_ = run_lines(replace(value, attributes=None, components={}))
        return f"<SYSDESC>{' '.join(said.split())}</SYSDESC>\n{''.join(lines_)}".encode("utf-8", "surrogateescape")
    assert isinstance(value, Qrels)
    queries, intents, documents, _ = qrels_columns(value)
    grades = value.written[3].tolist()
    odd = next((grade for grade in grades if grade < 0 or grade != int(grade)), None)
    if odd is not None:
        raise OptionError(f"the grade {odd:g} is no level L0, L1 …: NTCIR's files cannot say it")
    refuse_spaces(value.query_ids, documents, signs=";" if intents else " \t")
    levels = [f"L{int(grade)}" for grade in grades]
    columns = [queries, documents, levels] if intents is None else [queries, intents, documents, levels]
    lines = [(" " if intents is None else ";").join(row) for row in zip(*columns, strict=True)]
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


FORMAT = Format(
    "ntcir", "NTCIR", ("qrels", "run"), _sniff, _read, _write, keeps=frozenset({"queries", "subtopics", "scores"})
)
