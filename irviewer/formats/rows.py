"""From rows of any format to a Run or Qrels and the account of its file: duplicates, what is odd, counts.

Knows rows, not the file they came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from irviewer.errors import ParseError
from irviewer.formats.duplicates import by_second, rows_to_keep
from irviewer.formats.format import Loaded, Wanted
from irviewer.formats.load_report import (
    Finding,
    LoadReport,
    file_fact,
    qrels_facts,
    qrels_findings,
    run_facts,
    run_findings,
)
from irviewer.formats.reading.opener import Opened
from irviewer.formats.trec.qrels import second_column
from irviewer.formats.trec.run import name_of, rank_disagreements
from irviewer.model.arrays import Codes, Floats, Ints, Strings, places_of, strings
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


@dataclass(eq=False)
class Rows:
    """One row a judgment or retrieved document, in file order.

    query_ids   distinct queries in order of appearance; ``codes`` int[n] point into them
    doc_ids     Arrow string array [n]; ``values`` float64[n], grades or scores
    lines       int64[n] line numbers from 1, None where the file has none; ``by_line`` where every row is one of the
                lines that are neither blank nor comments, so that they can be counted when they are needed
    ranks       int64[n], the rank column beside the scores, which is only compared
    subtopics   Arrow string array [n], for qrels
    components  further numbers of each retrieved document by name, float64[n]
    tag         which of several runs in the file this is: its name
    stated      the tag of the file's only run, which as in a TREC run does not name it: the file does
    """

    query_ids: tuple[str, ...]
    codes: Codes
    doc_ids: Strings
    values: Floats
    lines: Ints | None = None
    ranks: Codes | None = None
    subtopics: Strings | None = None
    components: dict[str, Floats] = field(default_factory=dict)
    tag: str = ""
    stated: str = ""
    by_line: bool = False

    def take(self, rows: Ints) -> Rows:
        """Some of the rows, in that order."""
        index = places_of(rows)
        return replace(
            self,
            codes=self.codes[rows],
            doc_ids=self.doc_ids.take(index),
            values=self.values[rows],
            lines=None if self.lines is None else self.lines[rows],
            by_line=False,
            ranks=None if self.ranks is None else self.ranks[rows],
            subtopics=None if self.subtopics is None else self.subtopics.take(index),
            components={name: values[rows] for name, values in self.components.items()},
        )


def rows_of(
    queries: Sequence[str],
    documents: Sequence[str],
    values: Sequence[float] | Floats,
    lines: Sequence[int] | None = None,
) -> Rows:
    """Rows from parallel sequences."""
    places: dict[str, int] = {}
    codes = np.fromiter((places.setdefault(one, len(places)) for one in queries), np.int64, len(queries))
    numbers = None if lines is None else np.asarray(lines, dtype=np.int64)
    return Rows(tuple(places), codes, strings(documents), np.asarray(values, dtype=np.float64), numbers)


def made(opened: Opened, rows: Rows, wanted: Wanted, title: str, findings: Sequence[Finding] = ()) -> Loaded:
    """The run or qrels that ``wanted.kind`` says. Raises ParseError where there is no row, an id is empty, or a
    document stands twice and the policy is to refuse."""
    if not len(rows.values) and (wanted.kind == "qrels" or not rows.query_ids):
        raise ParseError(opened.path, f"the file holds no {'judgments' if wanted.kind == 'qrels' else 'documents'}")
    found = list(findings)
    if "guess" in opened.encoding:
        found.insert(0, Finding("the bytes are not UTF-8: read as Latin-1", 1))
    _refuse_empty(opened, rows)
    if wanted.kind == "qrels":
        _refuse_infinite(opened, rows)
    lines = rows.lines
    if lines is None and not rows.by_line:
        lines = np.broadcast_to(np.int64(0), len(rows.values))
    keys: tuple[Sequence[str], Codes] = rows.query_ids, rows.codes
    if rows.subtopics is not None:
        seconds = rows.subtopics.dictionary_encode()
        codes = seconds.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        keys = by_second(rows.query_ids, rows.codes.astype(np.int64, copy=False), seconds.dictionary.to_pylist(), codes)
    keep, twice = rows_to_keep(opened, *keys, rows.doc_ids, rows.values, wanted.duplicates, lines)
    if twice is not None:
        found.append(twice if any(twice.lines) else replace(twice, lines=()))
    if keep is not None:
        rows = rows.take(np.flatnonzero(keep))
    name = wanted.name or rows.tag or name_of(opened.path)
    if wanted.kind == "qrels":
        return _qrels(opened, rows, wanted, title, name, found)
    return _run(opened, rows, wanted, title, name, found)


def _qrels(
    opened: Opened, rows: Rows, wanted: Wanted, title: str, name: str, findings: list[Finding]
) -> Loaded:  # fmt: skip
    qrels = Qrels.from_columns(
        rows.query_ids,
        rows.codes.astype(np.int64, copy=False),
        rows.doc_ids,
        rows.values,
        subtopics=rows.subtopics,
        name=name,
        origin=opened.path,
    )
    facts = (file_fact(opened), *qrels_facts(qrels))
    findings += [second_column(qrels)] if qrels.assessments is not None else []
    findings += qrels_findings(qrels)
    return Loaded("qrels", qrels, LoadReport(opened.path, "qrels", title, wanted.reason, facts, tuple(findings), name))


def _run(opened: Opened, rows: Rows, wanted: Wanted, title: str, name: str, findings: list[Finding]) -> Loaded:
    run = Run.from_columns(
        rows.query_ids, rows.codes, rows.doc_ids, rows.values, name=name, tag=rows.tag or rows.stated or name,
        origin=opened.path, components=rows.components, distinct=True,  # rows_to_keep has looked
    )  # fmt: skip
    findings += run_findings(run)
    if rows.ranks is not None:
        odd = rank_disagreements(rows.query_ids, rows.codes, rows.values, rows.ranks)
        findings += [odd] if odd else []
    facts = [file_fact(opened), *run_facts(run)]
    if run.components:
        facts.append(("score components", ", ".join(run.components)))
    report = LoadReport(opened.path, "run", title, wanted.reason, tuple(facts), tuple(findings), name)
    return Loaded("run", run, report)


def _refuse_infinite(opened: Opened, rows: Rows) -> None:
    bad = np.flatnonzero(~np.isfinite(rows.values))
    if len(bad):
        row = int(bad[0])
        said = f"document {rows.doc_ids[row].as_py()} of query {rows.query_ids[rows.codes[row]]}"
        line = 0 if rows.lines is None else int(rows.lines[row])
        reason = f"a grade of {rows.values[row]} says nothing of relevance: {said}"
        raise ParseError(opened.path, reason, line=line, hint="leave out what is not judged")


def _refuse_empty(opened: Opened, rows: Rows) -> None:
    lengths = np.diff(
        np.frombuffer(rows.doc_ids.buffers()[1], np.int32)[rows.doc_ids.offset :][: len(rows.doc_ids) + 1]
    )
    bad = np.flatnonzero(lengths == 0)
    if "" in rows.query_ids:
        bad = np.union1d(bad, np.flatnonzero(rows.codes == rows.query_ids.index("")))
    if len(bad):
        line = 0 if rows.lines is None else int(rows.lines[bad[0]])
        what = "document" if lengths[bad[0]] == 0 else "query"
        more = f" ({len(bad):,} such rows)" if len(bad) > 1 else ""
        raise ParseError(opened.path, f"an empty {what} id{more}", line=line, hint="give every row its ids")


def from_ranks(ranks: Ints) -> tuple[Floats, Finding]:
    """Scores of a file that has ranks only, 1/rank as other tools make them, and what to say of it."""
    least = int(ranks.min(initial=1))
    scores = 1.0 / (ranks.astype(np.float64) + (1 - least if least < 1 else 0))
    counted = f" (ranks count from {least})" if least < 1 else ""
    return scores, Finding(f"no scores in the file: the ranks decide, score = 1/rank{counted}", 1, serious=False)
