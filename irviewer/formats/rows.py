"""From rows of any format to a Run or Qrels with its load report: duplicates, notes, counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from irviewer.errors import DuplicateError, ParseError
from irviewer.formats.duplicates import by_second, rows_to_keep
from irviewer.formats.format import Loaded, Wanted
from irviewer.formats.load_report import (
    Finding,
    LoadReport,
    file_fact,
    qrels_facts,
    qrels_findings,
    read_as_latin1,
    run_facts,
    run_findings,
)
from irviewer.formats.names import name_of
from irviewer.formats.reading.opener import Opened
from irviewer.formats.trec.qrels import second_column
from irviewer.formats.trec.run import rank_disagreements
from irviewer.formats.trec.strata_findings import strata_findings
from irviewer.model.arrays import Codes, Floats, Ints, Strings, places_of, strings
from irviewer.model.judgments.explanations import Explanation, Explanations
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.judgments.strata import Strata
from irviewer.model.late_run import LateRun
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.duplicates import Hashes, tails
from irviewer.model.rankings.tie_breaking import ranked
from irviewer.model.run import Run
from irviewer.translation import tr, trn

MOST_JUDGES = 100
"""Tables with more judges are read as one judgment set: they are the work of a crowd."""


@dataclass(frozen=True, eq=False)
class JudgingColumns:
    """The texts of each row that belong to a judgment, "" where a cell is empty. Without a column of judges, the model
    is the judge."""

    judges: Sequence[str]
    explanations: Sequence[str]
    models: Sequence[str]
    confidence: Sequence[str]

    def take(self, rows: Ints) -> JudgingColumns:
        """Return the texts of these rows, in that order."""
        places = rows.tolist()
        columns = (self.judges, self.explanations, self.models, self.confidence)
        return JudgingColumns(*([column[place] for place in places] for column in columns))


@dataclass(eq=False)
class Rows:
    """Rows of judgments or retrieved documents, in file order.

    query_ids   distinct queries in order of appearance; ``codes`` int[n] are indices into them
    doc_ids     Arrow string array [n]; ``values`` float64[n], grades or scores
    lines       int64[n] line numbers from 1, None if the file has none; ``by_line`` if every row is one of the lines
                that are neither blank nor comments, so that line numbers can be counted on demand
    ranks       int64[n], the rank column beside the scores, which is only compared
    subtopics   Arrow string array [n], for qrels
    components  score components by name, float64[n]
    tag         the tag that selects this run among several in the file: its name
    stated      the tag of the file's only run, which is named by the file
    judging     judges and explanations, if they are wanted
    strata      of sampled qrels, one for each row, else None
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
    judging: JudgingColumns | None = None
    strata: Strata | None = None

    def take(self, rows: Ints) -> Rows:
        """Return these rows, in that order."""
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
            judging=None if self.judging is None else self.judging.take(rows),
            strata=None if self.strata is None else self.strata.at(rows),
        )


class Listed(NamedTuple):
    """Rows of retrieved documents in file order, with the text of the query in each.

    queries  Arrow strings, or a dictionary of them, [n]; ``doc_ids`` Arrow string array [n]; ``scores`` float64[n]"""

    queries: Any
    doc_ids: Strings
    scores: Floats


def rows_of(
    queries: Sequence[str],
    documents: Sequence[str],
    values: Sequence[float] | Floats,
    lines: Sequence[int] | None = None,
) -> Rows:
    """Return rows of parallel sequences."""
    query_codes: dict[str, int] = {}
    codes = np.fromiter((query_codes.setdefault(query, len(query_codes)) for query in queries), np.int64, len(queries))
    numbers = None if lines is None else np.asarray(lines, dtype=np.int64)
    return Rows(tuple(query_codes), codes, strings(documents), np.asarray(values, dtype=np.float64), numbers)


def made(opened: Opened, rows: Rows, wanted: Wanted, title: str, findings: Sequence[Finding] = ()) -> Loaded:
    """Return a run or qrels by ``wanted.kind``. Raises ParseError without rows, for an empty id, and for a repeated
    document if the policy is to refuse."""
    if not len(rows.values) and (wanted.kind == "qrels" or not rows.query_ids):
        reason = tr("the file has no judgments") if wanted.kind == "qrels" else tr("the file has no documents")
        raise ParseError(opened.path, reason)
    notes = list(findings)
    if opened.encoding_guessed:
        notes.insert(0, read_as_latin1())
    _refuse_empty(opened, rows)
    if wanted.kind == "qrels":
        _refuse_infinite(opened, rows)
    if rows.judging is not None:
        names = tuple(dict.fromkeys(rows.judging.judges))
        if 1 < len(names) <= MOST_JUDGES:
            return _by_judge(opened, rows, rows.judging, names, wanted, title, notes)
        if len(names) > MOST_JUDGES:
            notes.append(_many_judges(len(names)))
    lines = rows.lines
    if lines is None and not rows.by_line:
        lines = np.broadcast_to(np.int64(0), len(rows.values))
    keys: tuple[Sequence[str], Codes] = rows.query_ids, rows.codes
    if rows.subtopics is not None:
        seconds = rows.subtopics.dictionary_encode()
        codes = seconds.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        keys = by_second(rows.query_ids, rows.codes.astype(np.int64, copy=False), seconds.dictionary.to_pylist(), codes)
    hashes = tails(rows.doc_ids) if wanted.late and not rows.components else None
    keep, duplicates_note = rows_to_keep(opened, *keys, rows.doc_ids, rows.values, wanted.duplicates, lines,
                                         judged=wanted.kind == "qrels", tails=hashes)  # fmt: skip
    if duplicates_note is not None:
        notes.append(duplicates_note if any(duplicates_note.lines) else replace(duplicates_note, lines=()))
    if keep is not None:
        rows = rows.take(np.flatnonzero(keep))
        hashes = None if hashes is None else hashes[keep]
    name = wanted.name or rows.tag or name_of(opened.path)
    if wanted.kind == "qrels" and rows.judging is not None:
        loaded = _qrels(opened, rows, wanted, title, name, notes)
        assert isinstance(loaded.value, Qrels)
        return replace(loaded, judges=(_judge(loaded.value, rows, rows.judging),))
    if wanted.kind == "qrels":
        return _qrels(opened, rows, wanted, title, name, notes)
    if hashes is not None:
        return _late_run(opened, rows, hashes, wanted, title, name)
    return _run(opened, rows, wanted, title, name, notes)


def _qrels(
    opened: Opened, rows: Rows, wanted: Wanted, title: str, name: str, findings: list[Finding]
) -> Loaded:  # fmt: skip
    qrels = Qrels.from_columns(
        rows.query_ids,
        rows.codes.astype(np.int64, copy=False),
        rows.doc_ids,
        rows.values,
        subtopics=rows.subtopics,
        strata=rows.strata,
        name=name,
        origin=opened.path,
    )
    facts = (file_fact(opened), *qrels_facts(qrels))
    findings += strata_findings(qrels) if qrels.strata is not None else []
    findings += [second_column(qrels)] if qrels.assessments is not None else []
    findings += qrels_findings(qrels)
    return Loaded("qrels", qrels, LoadReport(opened.path, "qrels", title, wanted.reason, facts, tuple(findings), name))


def _by_judge(
    opened: Opened,
    rows: Rows,
    judging: JudgingColumns,
    names: Sequence[str],
    wanted: Wanted,
    title: str,
    findings: Sequence[Finding],
) -> Loaded:
    """Return the judgment sets of several judges, in order of appearance. Raises DuplicateError if a judge judges a
    document twice and the policy is to refuse."""
    name = wanted.name or name_of(opened.path)
    codes = np.array([names.index(judge) for judge in judging.judges], dtype=np.int64)
    sets: list[JudgmentSet] = []
    notes = list(findings)
    without = int(np.count_nonzero(codes == names.index(""))) if "" in names else 0
    if without:
        text = trn(
            "{n:,} row names no judge: it is read as a judge named {judge}",
            "{n:,} rows name no judge: they are read as a judge named {judge}",
            without, judge=_no_judge(names),
        )  # fmt: skip
        notes.append(Finding(text, without))
    for position, judge in enumerate(names):
        part = rows.take(np.flatnonzero(codes == position))
        used, own_codes = np.unique(part.codes, return_inverse=True)
        part = replace(part, query_ids=tuple(rows.query_ids[code] for code in used.tolist()))
        part.codes = own_codes.reshape(-1).astype(np.int64)
        label = judge or _no_judge(names)
        try:
            loaded = made(opened, part, replace(wanted, name=name), title)
        except DuplicateError as error:
            reason = tr("judge {judge}: {reason}", judge=label, reason=error.reason)
            raise DuplicateError(error.path, reason, line=error.line, text=error.text, hint=error.hint) from error
        notes += [replace(note, text=f"{label}: {note.text}") for note in loaded.report.findings]
        (own,) = loaded.judges
        sets.append(replace(own, name=label, qrels=own.qrels.renamed(label)))
    judged = ", ".join(f"{judge.name} {len(judge.qrels):,}" for judge in sets)
    facts = (file_fact(opened), (tr("judges and judgments"), judged))
    report = LoadReport(opened.path, "qrels", title, wanted.reason, facts, tuple(notes), name)
    return Loaded("qrels", sets[0].qrels.renamed(name), report, judges=tuple(sets))


def _judge(qrels: Qrels, rows: Rows, judging: JudgingColumns) -> JudgmentSet:
    """Return the judgment set of rows of one judge, or of a crowd."""
    texts = zip(judging.explanations, judging.models, judging.confidence, strict=True)
    explanations = Explanations.of(
        (rows.query_ids[code], doc_id, Explanation(*row))
        for code, doc_id, row in zip(rows.codes.tolist(), rows.doc_ids.to_pylist(), texts, strict=True)
    )
    judges, models = set(judging.judges), set(judging.models) - {""}
    name = (judging.judges[0] if len(judges) == 1 else "") or qrels.name
    family = next(iter(models)) if len(models) == 1 and len(judges) == 1 else ""
    origin = "crowd" if len(judges) > 1 else "model" if models else "unstated"
    return JudgmentSet(qrels.renamed(name), name, origin, family, explanations=explanations)  # type: ignore[arg-type]


def _no_judge(names: Sequence[str]) -> str:
    name = tr("no name")
    return name if name not in names else f"({name})"


def _many_judges(count: int) -> Finding:
    text = tr(
        "the table has {count:,} judges, more than {limit:,}: they are read as one judgment set",
        count=count, limit=MOST_JUDGES,
    )  # fmt: skip
    return Finding(text, count)


def _run(opened: Opened, rows: Rows, wanted: Wanted, title: str, name: str, findings: list[Finding]) -> Loaded:
    run = Run.from_columns(
        rows.query_ids, rows.codes, rows.doc_ids, rows.values, name=name, tag=rows.tag or rows.stated or name,
        origin=opened.path, components=rows.components, distinct=True,  # rows_to_keep made them distinct
    )  # fmt: skip
    findings += run_findings(run)
    if rows.ranks is not None:
        ranks_note = rank_disagreements(rows.query_ids, rows.codes, rows.values, rows.ranks)
        findings += [ranks_note] if ranks_note else []
    facts = [file_fact(opened), *run_facts(run)]
    if run.components:
        facts.append((tr("score components"), ", ".join(run.components)))
    report = LoadReport(opened.path, "run", title, wanted.reason, tuple(facts), tuple(findings), name)
    return Loaded("run", run, report)


def _late_run(opened: Opened, rows: Rows, hashes: Hashes, wanted: Wanted, title: str, name: str) -> Loaded:
    ranking = ranked(rows.codes, rows.doc_ids, rows.values, len(rows.query_ids))
    run = LateRun.of_listed(
        ranking, rows.query_ids, rows.doc_ids, rows.values, hashes, name=name, tag=rows.tag or rows.stated or name,
        origin=opened.path,
    )  # fmt: skip
    return Loaded("run", run, LoadReport(opened.path, "run", title, wanted.reason, name=name))


def _refuse_infinite(opened: Opened, rows: Rows) -> None:
    invalid = np.flatnonzero(~np.isfinite(rows.values))
    if len(invalid):
        row = int(invalid[0])
        line = 0 if rows.lines is None else int(rows.lines[row])
        reason = tr(
            "the grade of document {document} of query {query} is {grade}, which is not a finite number",
            document=rows.doc_ids[row].as_py(),
            query=rows.query_ids[rows.codes[row]],
            grade=rows.values[row],
        )
        raise ParseError(opened.path, reason, line=line, hint=tr("leave out documents that are not judged"))


def _refuse_empty(opened: Opened, rows: Rows) -> None:
    lengths = np.diff(
        np.frombuffer(rows.doc_ids.buffers()[1], np.int32)[rows.doc_ids.offset :][: len(rows.doc_ids) + 1]
    )
    invalid = np.flatnonzero(lengths == 0)
    if "" in rows.query_ids:
        invalid = np.union1d(invalid, np.flatnonzero(rows.codes == rows.query_ids.index("")))
    if len(invalid):
        line = 0 if rows.lines is None else int(rows.lines[invalid[0]])
        count = len(invalid)
        if lengths[invalid[0]] == 0:
            reason = trn("the document id is empty in {n:,} row", "the document id is empty in {n:,} rows", count)
        else:
            reason = trn("the query id is empty in {n:,} row", "the query id is empty in {n:,} rows", count)
        raise ParseError(opened.path, reason, line=line, hint=tr("give every row both ids"))


def from_ranks(ranks: Ints) -> tuple[Floats, Finding]:
    """Return scores of a file with ranks only, 1/rank as in other tools, and the report's note."""
    least = int(ranks.min(initial=1))
    scores = 1.0 / (ranks.astype(np.float64) + (1 - least if least < 1 else 0))
    if least < 1:
        text = tr("the file has no scores: score = 1/rank (ranks begin at {least})", least=least)
    else:
        text = tr("the file has no scores: score = 1/rank")
    return scores, Finding(text, 1, serious=False)
