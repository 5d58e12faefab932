"""What a file held: counts, what is odd in it, and how it fits the qrels. Every reader fills one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from irviewer.errors import name_some
from irviewer.formats.reading.opener import Opened
from irviewer.model.judgments.judged import judge
from irviewer.model.number_text import counted
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr


@dataclass(frozen=True)
class Finding:
    """One odd thing: a sentence, how often, and where (line numbers from 1, the first ones). ``serious`` ones change
    numbers or hide data; the others are for the curious. ``topic`` names what a person can choose about: "duplicates",
    "ids", "codes", "part" or ""; ``names`` are what there is to choose from, where the file says that."""

    text: str
    count: int = 0
    lines: tuple[int, ...] = ()
    serious: bool = True
    topic: str = ""
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = ""
        if self.lines:
            more = ", …" if self.count > len(self.lines) else ""
            where = f" (line{'s' if len(self.lines) > 1 else ''} {', '.join(map(str, self.lines))}{more})"
        return self.text + where


@dataclass(frozen=True)
class LoadReport:
    """The account of one file.

    kind        "qrels", "run", "queries" or "documents"; ``format`` says which of its shapes
    facts       (name, value) pairs in the order a person reads them
    findings    what is odd
    reason      why the file was taken for what it is
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
        """The findings that change numbers or hide data, as sentences."""
        return tuple(str(one) for one in self.findings if one.serious)

    def lines(self) -> list[str]:
        """The whole report as text, a fact or finding a line."""
        width = max((len(name) for name, _ in self.facts), default=0)
        result = [f"{self.path}: {self.format}" + (f" ({self.reason})" if self.reason else "")]
        result += [f"  {name.ljust(width)}  {value}" for name, value in self.facts]
        result += [f"  {'!' if one.serious else '·'} {one}" for one in self.findings]
        return result

    def with_qrels(self, run: Run, qrels: Qrels) -> LoadReport:
        """The report with how a run fits the qrels: queries in common, missing on either side, unjudged share."""
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
    depth = f"{int(sizes.min(initial=run.depth)):,} to {run.depth:,}" if len(sizes) else "0"
    return (
        ("queries", f"{len(run.query_ids):,}"),
        ("documents", f"{len(run):,} retrieved"),
        ("depth", depth),
        ("tag", run.tag or "–"),
    )


def run_findings(run: Run) -> tuple[Finding, ...]:
    """Ties and scores that are no numbers."""
    found = []
    nan, infinite = int(np.isnan(run.scores).sum()), int(np.isinf(run.scores).sum())
    if nan:
        own = "its" if nan == 1 else "their"
        found.append(Finding(f"{counted(nan, 'score is', 'scores are')} NaN: ranked last in {own} query", nan))
    if infinite:
        found.append(Finding(f"{counted(infinite, 'score is', 'scores are')} infinite", infinite))
    tied = int(run.tied.sum())
    if tied:
        share = tied_documents(run) / max(1, len(run))
        queries, have = counted(len(run.query_ids), "query", "queries"), "has" if tied == 1 else "have"
        found.append(
            Finding(
                f"{tied:,} of {queries} {have} tied scores ({share:.1%} of the documents): "
                "broken by document id, descending, as trec_eval does",
                tied,
                serious=share > 0.05,
            )
        )
    return tuple(found)


def tied_documents(run: Run) -> int:
    """How many documents share their score with a neighbour in the same list."""
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
    """Counts of qrels."""
    levels, counts = np.unique(qrels.grades, return_counts=True)
    return (
        ("queries", f"{len(qrels.query_ids):,}"),
        ("judgments", f"{len(qrels):,}"),
        ("grades", ", ".join(f"{grade:g}: {count:,}" for grade, count in zip(levels, counts, strict=True)) or "none"),
    )


def qrels_findings(qrels: Qrels) -> tuple[Finding, ...]:
    """Grades that are no whole numbers, and queries without a relevant document."""
    found = []
    grades = qrels.grades
    broken = int(np.isnan(grades).sum() + np.isinf(grades).sum())
    if broken:
        found.append(Finding(f"{counted(broken, 'grade is', 'grades are')} NaN or infinite", broken))
    fractions = int((grades != np.floor(grades)).sum()) - int(np.isnan(grades).sum())
    if fractions > 0:
        grades_are = counted(fractions, "grade is a fraction", "grades are fractions")
        text = f"{grades_are}: kept as written (trec_eval would cut to whole numbers)"
        found.append(Finding(text, fractions))
    empty = int((qrels.relevant_counts(1) == 0).sum())
    if empty:
        found.append(
            Finding(f"{counted(empty, 'query has', 'queries have')} no relevant document", empty, serious=False)
        )
    return tuple(found)


def against(run: Run, qrels: Qrels) -> tuple[tuple[tuple[str, str], ...], tuple[Finding, ...]]:
    """Facts and findings of a run against qrels."""
    missing = [query for query in qrels.query_ids if query not in run.query_index]
    extra = [query for query in run.query_ids if query not in qrels.query_index]
    common = len(qrels.query_ids) - len(missing)
    judged = judge(run, qrels)
    seen = np.minimum(judged.returned, 10)
    listed = judged.listed_hits.to(10).count_by_query
    unjudged = 1.0 - listed.sum() / seen.sum() if seen.sum() else float("nan")
    facts = [("queries in common", f"{common:,} of {len(qrels.query_ids):,} judged")]
    if seen.sum():
        facts.append(("not in the qrels", f"{unjudged:.1%} of the top 10"))
    found = []
    if missing:
        found.append(
            Finding(
                f"{_queries(missing)} of the qrels {_are(missing)} not in the run: {name_some(missing)}", len(missing)
            )
        )
    if extra:
        are = _are(extra)
        text = f"{_queries(extra)} of the run {are} not in the qrels and {are} not evaluated: {name_some(extra)}"
        found.append(Finding(text, len(extra), serious=False))
    if common and not len(judged.hit_rank):
        found.append(Finding("no retrieved document is in the qrels: the document ids do not match", len(run)))
    return tuple(facts), tuple(found)


def _queries(ids: Sequence[str]) -> str:
    return f"{len(ids):,} quer{'y' if len(ids) == 1 else 'ies'}"


def _are(ids: Sequence[str]) -> str:
    return "is" if len(ids) == 1 else "are"
