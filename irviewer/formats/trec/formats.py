"""The format of TREC runs and qrels: detection and writers. The readers are ``trec.run`` and ``trec.qrels``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from irviewer.errors import OptionError, ParseError
from irviewer.formats.format import EVERYTHING, Format, Head, Loaded, Sniffed, Value, Wanted, is_number, is_whole
from irviewer.formats.reading.opener import Opened
from irviewer.formats.trec.ir_metadata import header_lines
from irviewer.formats.trec.qrels import parse_qrels
from irviewer.formats.trec.run import parse_run
from irviewer.model.arrays import Floats
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr


def sniff(head: Head) -> Sniffed | None:
    """Recognise six columns with a number in the fifth, four with one in the fourth, and runs without a tag."""
    if not head.lines:
        return None
    first, width = head.columns[0], len(head.columns[0])
    tabs = [line.count("\t") for _, line in head.lines]
    if width >= 6 and is_number(first[4]) and (width == 6 or not any(tabs) or min(tabs) >= 5) and _are_scored(head):
        return Sniffed("run", tr("six columns, the fifth a number"), certain=first[1].upper() == "Q0")
    if is_tagless(head):
        return Sniffed("run", tr("five columns with Q0, rank and score: a run without a tag"), certain=True)
    if width == 5 and not is_number(first[4]) and all(len(row) > 4 and row[1].upper() == "Q0" for row in head.columns):
        # As qrels, its ranks or scores would be grades; as a run, the reader reports what is missing.
        return Sniffed("run", tr("five columns with Q0 and a tag: a run without its rank or its score"), certain=True)
    if 4 <= width < 6 and is_number(first[3]) and not head.has_texts and not (all(tabs) and _is_prose(head)):
        return Sniffed("qrels", tr("four columns, the fourth a number"))
    return None


def _are_scored(head: Head) -> bool:
    """Return True if at least half of the lines have a score: prose is no run because of its first line."""
    half = -(-len(head.columns) // 2)
    scored = (row for row in head.columns if len(row) >= 6 and is_number(row[4]))
    return len(list(islice(scored, half))) == half


def is_tagless(head: Head) -> bool:
    """Return True if the lines are those of a run without its tag."""
    return all(
        len(row) == 5 and row[1].upper() == "Q0" and is_whole(row[3]) and is_number(row[4]) for row in head.columns
    )


def _is_prose(head: Head) -> bool:
    """Return True if a line of a file with tabs has no number as its fourth word: its texts only begin with one."""
    words = [(row + [""] * 4)[3] for row in head.columns]
    return any(not is_number(word) for word in words)


def read(opened: Opened, wanted: Wanted) -> Loaded:
    """Read a run or qrels."""
    if wanted.kind == "qrels":
        qrels, report = parse_qrels(opened, name=wanted.name, duplicates=wanted.duplicates)
        return Loaded("qrels", qrels, replace(report, reason=wanted.reason))
    head = Head(opened)
    try:
        run, report = parse_run(
            opened,
            name=wanted.name,
            duplicates=wanted.duplicates,
            tagless=is_tagless(head),
            account=wanted.account,
        )
    except ParseError as fault:
        detected = sniff(head)
        if fault.hint or detected is None or detected.kind != "qrels":
            raise
        raise ParseError(
            fault.path, fault.reason, line=fault.line, column=fault.column, text=fault.text,
            hint=tr(
                "this looks like qrels ({reason}): are the files swapped? If the columns are query document rank "
                "score, irviewer convert --from msmarco makes a TREC run",
                reason=detected.reason,
            ),
        ) from fault  # fmt: skip
    return Loaded("run", run, replace(report, reason=wanted.reason))


def write(value: Value) -> bytes:
    """Return the lines, with numbers as short as they read back exactly. Raises OptionError for ids with spaces."""
    lines = run_lines(value) if isinstance(value, Run) else qrels_lines(value)
    return "".join(lines).encode("utf-8", "surrogateescape")


def run_lines(run: Value) -> Iterator[str]:
    """Yield the lines of a run, query by query, best first; components follow the tag."""
    assert isinstance(run, Run)
    tag = "_".join((run.tag or run.name).split()) or "run"
    documents, scores = run.doc_ids.to_pylist(), texts_of(run.scores)
    components = [texts_of(values) for values in run.components.values()]
    refuse_spaces(run.query_ids, documents)
    yield from header_lines(run.attributes or {})
    for index, query in enumerate(run.query_ids):
        start, stop = int(run.offsets[index]), int(run.offsets[index + 1])
        for row in range(start, stop):
            more = "".join(f" {values[row]}" for values in components)
            yield f"{query} Q0 {documents[row]} {row - start + 1} {scores[row]} {tag}{more}\n"


def six_fields(value: Value, form: str) -> Value:
    """Return the value as it is written in a format for other tools: a TREC run without its header of metadata and its
    score components, as ir_measures, ranx and PyTerrier read bare lines of six fields only."""
    if form != FORMAT.name or not isinstance(value, Run):
        return value
    return replace(value, attributes=None, components={})


def qrels_lines(qrels: Value) -> Iterator[str]:
    """Yield the lines of qrels; the second column is the subtopic, 0 without one."""
    assert isinstance(qrels, Qrels)
    queries, second, documents, grades = qrels_columns(qrels)
    refuse_spaces(qrels.query_ids, documents, second)
    for query, iteration, document, grade in zip(
        queries, second or ["0"] * len(queries), documents, grades, strict=True
    ):
        yield f"{query} {iteration} {document} {grade}\n"


def qrels_columns(qrels: Qrels) -> tuple[list[str], list[str] | None, list[str], list[str]]:
    """Return queries, second column (None if it has one value), documents and grades as texts, one row per line.
    Raises OptionError for preferences, which need a third column."""
    refuse_preferences(qrels)
    queries, second, documents, grades = qrels.written
    return queries.to_pylist(), None if second is None else second.to_pylist(), documents.to_pylist(), texts_of(grades)


def refuse_preferences(qrels: Value) -> None:
    """Raise OptionError for preferences: in a format without a third column they would become grades."""
    if isinstance(qrels, Qrels) and qrels.assessments is not None and qrels.assessments.sub_codes is not None:
        raise OptionError(
            tr("these qrels are preferences, whose third column this format does not have: use --to prefs")
        )


def texts_of(values: Floats) -> list[str]:
    """Return the shortest texts that read back to the same numbers; whole numbers have no point."""
    whole = np.isfinite(values) & (values == np.floor(values)) & (np.abs(values) < 1e15)
    return [
        str(int(value)) if is_whole else repr(value)
        for value, is_whole in zip(values.tolist(), whole.tolist(), strict=True)
    ]


def refuse_spaces(
    queries: Sequence[str], documents: Sequence[str], *others: Sequence[str] | None, first: bool = True
) -> None:
    """Raise OptionError for an id or a text of another column (subtopics, groups) that is empty or has white space,
    which separates the columns, and where the query comes ``first`` in a line, for one that begins as a comment
    does."""
    for query in queries:
        if _has_spaces(query):
            raise OptionError(
                tr(
                    "the query id {id!r} has white space, which separates columns in this format: use --to csv, or "
                    "--number-queries to write numbers instead",
                    id=query,
                )
            )
    if first:
        refuse_comments(queries)
    for document in documents:
        if _has_spaces(document):
            raise OptionError(
                tr(
                    "the id {id!r} has white space, which separates columns in this format: use --to csv",
                    id=document,
                )
            )
    for text in dict.fromkeys(text for column in others if column is not None for text in column):
        if _has_spaces(text):
            raise OptionError(
                tr(
                    "{text!r}, a subtopic, group or stratum, is empty or has white space, which separates columns in "
                    "this format: use --to csv",
                    text=text,
                )
            )


def refuse_comments(queries: Sequence[str]) -> None:
    """Raise OptionError for a query that begins as a comment does, where it comes first in a line."""
    for query in queries:
        if query.startswith(COMMENT_SIGNS):
            raise OptionError(
                tr(
                    "the query id {id!r} begins with {sign!r}, and a line that does is not read as one of data in this "
                    "format: use --to parquet, or --number-queries to write numbers instead",
                    id=query, sign=query[0],
                )
            )  # fmt: skip


COMMENT_SIGNS = ("#", "\ufeff")
"""What a line of data cannot begin with: the sign of a comment, and that of the encoding, which a reader removes."""


def _has_spaces(text: str) -> bool:
    """Return whether a text is no word between white space: it has some, or is empty, which ``Format.encoded`` refuses
    before if it is an id."""
    return " " in text or "\t" in text or text.splitlines() != [text]


FORMAT = Format(
    "trec",
    "TREC",
    ("run", "qrels"),
    sniff,
    read,
    write,
    (".run", ".trec", ".txt", ".qrels", ".qrel"),
    keeps=EVERYTHING - {"names"} | {"attributes"},
)
