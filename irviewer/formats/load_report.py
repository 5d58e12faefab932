"""The load report of a file: counts, problems, and how a run fits the qrels. Every reader makes one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from irviewer.errors import name_some
from irviewer.formats.reading.opener import Opened
from irviewer.hidden_characters import escape_hidden
from irviewer.model.arrays import grouped
from irviewer.model.judgments.judged import judge
from irviewer.model.number_text import percent
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import decimal, tr, trn

MOSTLY_TIED = 0.5
"""The share of tied documents above which ids, and no longer the system, make the order: that is warned of."""


@dataclass(frozen=True)
class Finding:
    """A note about a file: a sentence, a count, and the first lines, from 1. ``serious`` notes change numbers or hide
    data; the others are information. ``topic`` is what the user can choose: "duplicates", "records", "ids", "codes",
    "part" or ""; "damaged" are lines that are left out; ``names`` are the alternatives if they are in the file.
    ``everywhere``: said by whatever reads the file, not by its load report alone, because a part of what it should have
    is not read, or is read as something that it does not say."""

    text: str
    count: int = 0
    lines: tuple[int, ...] = ()
    serious: bool = True
    topic: str = ""
    names: tuple[str, ...] = ()
    everywhere: bool = False

    def __str__(self) -> str:
        if not self.lines:
            return self.text
        lines = ", ".join(map(str, self.lines)) + (", …" if self.count > len(self.lines) else "")
        return self.text + trn(" (line {lines})", " (lines {lines})", len(self.lines), lines=lines)


@dataclass(frozen=True)
class LoadReport:
    """The report of one file.

    kind        "qrels", "run", "queries" or "documents"; ``format`` is the name of the format
    facts       (name, value) pairs in display order
    findings    the notes
    reason      why the file was read as this kind and format
    """

    path: str
    kind: str
    format: str
    reason: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    findings: tuple[Finding, ...] = ()
    name: str = field(default="")

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes that change numbers or hide data, as sentences."""
        return tuple(str(note) for note in self.findings if note.serious)

    @property
    def said_everywhere(self) -> tuple[str, ...]:
        """The notes of whatever reads the file, as sentences that begin with it."""
        return tuple(f"{self.path}: {note}" for note in self.findings if note.everywhere)

    def lines(self) -> list[str]:
        """Return the report as lines of text, one for each fact and note; hidden characters are shown as escapes."""
        width = max((len(name) for name, _ in self.facts), default=0)
        result = [f"{self.path}: {self.format}" + (f" ({self.reason})" if self.reason else "")]
        result += [f"  {name.ljust(width)}  {value}" for name, value in self.facts]
        result += [f"  {'!' if note.serious else '·'} {note}" for note in self.findings]
        return [escape_hidden(line) for line in result]

    def with_qrels(self, run: Run, qrels: Qrels) -> LoadReport:
        """Return the report with how a run fits the qrels: common and missing queries, share of unjudged documents."""
        facts, findings = against(run, qrels)
        return replace(self, facts=self.facts + facts, findings=self.findings + findings)


def relevant_only(count: int) -> Finding:
    """Return the note of a file that lists ``count`` relevant documents without grades."""
    return Finding(tr("the file has no grades: every document listed is relevant, grade 1"), count, serious=False)


def read_as_latin1() -> Finding:
    """Return the note of a file whose encoding had to be guessed."""
    return Finding(tr("the bytes are not UTF-8: read as Latin-1"), 1)


def file_fact(opened: Opened) -> tuple[str, str]:
    """Return the fact of a file's compression and encoding."""
    return (tr("file"), ", ".join(filter(None, (opened.compression, opened.encoding))))


def run_facts(run: Run) -> tuple[tuple[str, str], ...]:
    """Return the counts of a run as facts of a report."""
    sizes = np.diff(run.offsets)
    least = int(sizes.min(initial=run.depth))
    return (
        (tr("queries"), decimal(f"{len(run.query_ids):,}")),
        (tr("documents"), trn("{n:,} retrieved", "{n:,} retrieved", len(run))),
        (tr("depth"), tr("{least:,} to {most:,}", least=least, most=run.depth) if len(sizes) else "0"),
        (tr("tag"), run.tag or "–"),
    )


def run_findings(run: Run) -> tuple[Finding, ...]:
    """Return the notes of ties and of scores that are not finite."""
    notes = []
    nan, infinite = int(np.isnan(run.scores).sum()), int(np.isinf(run.scores).sum())
    if nan:
        text = trn(
            "{n:,} score is NaN: ranked last in its query", "{n:,} scores are NaN: ranked last in their query", nan
        )
        notes.append(Finding(text, nan))
    if infinite:
        notes.append(Finding(trn("{n:,} score is infinite", "{n:,} scores are infinite", infinite), infinite))
    tied = int(run.tied.sum())
    if tied:
        share = tied_documents(run) / max(1, len(run))
        text = trn(
            "tied scores in {n:,} query of {total:,} ({share} of the documents): broken by document id, "
            "descending, as in trec_eval",
            "tied scores in {n:,} queries of {total:,} ({share} of the documents): broken by document id, "
            "descending, as in trec_eval",
            tied,
            total=len(run.query_ids),
            share=percent(share),
        )
        notes.append(Finding(text, tied, serious=share > MOSTLY_TIED))
    return tuple(notes)


def tied_documents(run: Run) -> int:
    """Return how many documents have the same score as a neighbour in their list."""
    if len(run) < 2:
        return 0
    equal = run.scores[1:] == run.scores[:-1]
    borders = run.offsets[1:-1]
    equal[borders[(borders > 0) & (borders < len(run))] - 1] = False
    either = np.zeros(len(run), dtype=np.bool_)
    either[1:] |= equal
    either[:-1] |= equal
    return int(either.sum())


def qrels_facts(qrels: Qrels) -> tuple[tuple[str, str], ...]:
    """Return the counts of qrels as facts of a report."""
    levels, _, counts = grouped(qrels.grades)
    return (
        (tr("queries"), decimal(f"{len(qrels.query_ids):,}")),
        (tr("judgments"), decimal(f"{len(qrels):,}")),
        (
            tr("grades"),
            ", ".join(f"{grade:g}: {decimal(f'{count:,}')}" for grade, count in zip(levels, counts, strict=True))
            or tr("none"),
        ),
    )


def qrels_findings(qrels: Qrels) -> tuple[Finding, ...]:
    """Return the notes of grades that are not whole numbers, and of queries without relevant documents."""
    notes = []
    grades = qrels.grades
    not_finite = int(np.isnan(grades).sum() + np.isinf(grades).sum())
    if not_finite:
        text = trn("{n:,} grade is NaN or infinite", "{n:,} grades are NaN or infinite", not_finite)
        notes.append(Finding(text, not_finite))
    fractions = int((grades != np.floor(grades)).sum()) - int(np.isnan(grades).sum())
    if fractions > 0:
        text = trn(
            "{n:,} grade is a fraction: kept as written (trec_eval would cut it to a whole number)",
            "{n:,} grades are fractions: kept as written (trec_eval would cut them to whole numbers)",
            fractions,
        )
        notes.append(Finding(text, fractions))
    without_relevant = int((qrels.relevant_counts(1) == 0).sum())
    if without_relevant:
        text = trn("{n:,} query has no relevant document", "{n:,} queries have no relevant document", without_relevant)
        notes.append(Finding(text, without_relevant, serious=False))
    return tuple(notes)


def against(run: Run, qrels: Qrels) -> tuple[tuple[tuple[str, str], ...], tuple[Finding, ...]]:
    """Return facts and notes of a run against qrels."""
    missing = [query for query in qrels.query_ids if query not in run.query_index]
    unjudged_queries = [query for query in run.query_ids if query not in qrels.query_index]
    common = len(qrels.query_ids) - len(missing)
    judged = judge(run, qrels)
    top = np.minimum(judged.returned, 10)
    listed = judged.listed_hits.to(10).count_by_query
    unjudged = 1.0 - listed.sum() / top.sum() if top.sum() else float("nan")
    in_common = tr("{common:,} of {judged:,} judged", common=common, judged=len(qrels.query_ids))
    facts = [(tr("queries in common"), in_common)]
    if top.sum() and len(qrels):
        facts.append((tr("not in the qrels"), tr("{share} of the top 10", share=percent(unjudged))))
    notes = []
    if missing:
        text = trn(
            "{n:,} query of the qrels is not in the run: {queries}",
            "{n:,} queries of the qrels are not in the run: {queries}",
            len(missing),
            queries=name_some(missing),
        )
        notes.append(Finding(text, len(missing)))
    if unjudged_queries:
        text = trn(
            "{n:,} query of the run is not in the qrels and is not evaluated: {queries}",
            "{n:,} queries of the run are not in the qrels and are not evaluated: {queries}",
            len(unjudged_queries),
            queries=name_some(unjudged_queries),
        )
        notes.append(Finding(text, len(unjudged_queries), serious=False))
    if common and len(qrels) and not len(judged.hit_rank):
        notes.append(Finding(tr("no retrieved document is in the qrels: the document ids do not match"), len(run)))
    return tuple(facts), tuple(notes)
