"""TREC runs and qrels in the table of formats: how they are told apart, and their writers.

The readers are ``trec_run`` and ``trec_qrels``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

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


def sniff(head: Head) -> Sniffed | None:
    """Six columns with a number in the fifth, four with one in the fourth, or five of a run that lacks its tag."""
    if not head.lines:
        return None
    first, width = head.columns[0], len(head.columns[0])
    tabs = [line.count("\t") for _, line in head.lines]
    scored = sum(len(row) >= 6 and is_number(row[4]) for row in head.columns)
    if width >= 6 and is_number(first[4]) and (width == 6 or not any(tabs) or min(tabs) >= 5) and _most(head, scored):
        return Sniffed("run", "six columns, the fifth a number", certain=first[1].upper() == "Q0")
    if _is_tagless(head):
        return Sniffed("run", "five columns with Q0, rank and score: a run without a tag", certain=True)
    if width == 5 and not is_number(first[4]) and all(len(row) > 4 and row[1].upper() == "Q0" for row in head.columns):
        # Taken for qrels its ranks or scores would be grades: as a run the reader says what is missing.
        return Sniffed("run", "five columns with Q0 and a tag: a run that lacks its rank or its score", certain=True)
    if 4 <= width < 6 and is_number(first[3]) and not _is_prose(head):
        return Sniffed("qrels", "four columns, the fourth a number")
    return None


def _most(head: Head, count: int) -> bool:
    """True where half of the lines at least are as they should be: prose whose first line is so by chance is none."""
    return 2 * count >= len(head.columns)


def _is_tagless(head: Head) -> bool:
    return all(
        len(row) == 5 and row[1].upper() == "Q0" and is_whole(row[3]) and is_number(row[4]) for row in head.columns
    )


def _is_prose(head: Head) -> bool:
    """True for a TSV of texts whose first line happens to have a number as its fourth word."""
    words = [(row + [""] * 4)[3] for row in head.columns]
    return any(not is_number(word) for word in words) and all("\t" in line for _, line in head.lines)


def read(opened: Opened, wanted: Wanted) -> Loaded:
    """A run or qrels."""
    if wanted.kind == "qrels":
        qrels, report = parse_qrels(opened, name=wanted.name, duplicates=wanted.duplicates)
        return Loaded("qrels", qrels, replace(report, reason=wanted.reason))
    head = Head(opened)
    try:
        run, report = parse_run(
            opened,
            name=wanted.name,
            duplicates=wanted.duplicates,
            tagless=_is_tagless(head),
            account=wanted.account,
        )
    except ParseError as fault:
        found = sniff(head)
        if fault.hint or found is None or found.kind != "qrels":
            raise
        raise ParseError(
            fault.path, fault.reason, line=fault.line, column=fault.column, text=fault.text,
            hint=f"this looks like qrels ({found.reason}): are the files swapped? Of query document rank score, "
            "convert --from msmarco makes a TREC run",
        ) from fault  # fmt: skip
    return Loaded("run", run, replace(report, reason=wanted.reason))


def write(value: Value) -> bytes:
    """The lines, ids in the value's order, scores as short as they read back exactly. Raises OptionError on ids that
    hold white space, which this format cannot say."""
    lines = run_lines(value) if isinstance(value, Run) else qrels_lines(value)
    return "".join(lines).encode("utf-8", "surrogateescape")


def run_lines(run: Value) -> Iterator[str]:
    """The lines of a run, query by query, best first; components follow the tag."""
    assert isinstance(run, Run)
    tag = "_".join((run.tag or run.name).split()) or "run"
    documents, scores = run.doc_ids.to_pylist(), texts_of(run.scores)
    components = [texts_of(values) for values in run.components.values()]
    refuse_spaces(run.query_ids, documents)
    yield from header_lines(run.attributes or {})
    for place, query in enumerate(run.query_ids):
        start, stop = int(run.offsets[place]), int(run.offsets[place + 1])
        for row in range(start, stop):
            more = "".join(f" {values[row]}" for values in components)
            yield f"{query} Q0 {documents[row]} {row - start + 1} {scores[row]} {tag}{more}\n"


def qrels_lines(qrels: Value) -> Iterator[str]:
    """The lines of qrels; the second column is the subtopic, 0 where there is none."""
    assert isinstance(qrels, Qrels)
    queries, second, documents, grades = qrels_columns(qrels)
    refuse_spaces(qrels.query_ids, documents)
    for query, iteration, document, grade in zip(
        queries, second or ["0"] * len(queries), documents, grades, strict=True
    ):
        yield f"{query} {iteration} {document} {grade}\n"


def qrels_columns(qrels: Qrels) -> tuple[list[str], list[str] | None, list[str], list[str]]:
    """Queries, second column (None where it says nothing), documents and grades as texts, a row a line of a file.
    Raises OptionError for preferences, which take a third column."""
    refuse_preferences(qrels)
    queries, second, documents, grades = qrels.written
    return queries.to_pylist(), None if second is None else second.to_pylist(), documents.to_pylist(), texts_of(grades)


def refuse_preferences(qrels: Value) -> None:
    """Raises OptionError for preferences, in a format that has no third column: without it they would be grades, which
    they are not. Every writer of qrels but theirs asks this."""
    if isinstance(qrels, Qrels) and qrels.assessments is not None and qrels.assessments.sub_codes is not None:
        raise OptionError("these are preferences, with a third column that this format cannot say: use --to prefs")


def texts_of(values: Floats) -> list[str]:
    """Numbers as texts that read back to the same number: whole ones without a point."""
    whole = np.isfinite(values) & (values == np.floor(values)) & (np.abs(values) < 1e15)
    return [str(int(one)) if short else repr(one) for one, short in zip(values.tolist(), whole.tolist(), strict=True)]


def refuse_spaces(*ids: tuple[str, ...] | list[str], signs: str = " \t") -> None:
    """Raises OptionError where an id holds white space or is empty, in a format whose columns end at white space. The
    queries' ids come first."""
    for place, group in enumerate(ids):
        for one in group:
            if not one or any(sign in one for sign in signs) or len(one.splitlines()) > 1:
                numbers = "" if place else ", or --number-queries to write numbers in place of the queries"
                raise OptionError(
                    f"the id {one!r} holds white space, which ends a column in this format: use --to csv{numbers}"
                )


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
