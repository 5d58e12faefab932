"""Runs without any judged document, whose ids differ from those of the qrels; shares of judged documents; and which of
several qrels fit runs best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from unicodedata import normalize

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from irviewer.errors import name_some
from irviewer.model.arrays import Strings, offsets_of, sizes_of
from irviewer.model.judgments.judged import Judged
from irviewer.model.number_text import percent, queries_text
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr, trn

TOP = 10
"""The cutoff for shares of judged documents."""
NEXT_TO_NONE = 0.05
"""Below this share of the documents that could be judged among the top, values are unreliable."""
APART = 0.2
"""Shares of judged documents that differ by this much may explain a difference between runs."""
LEAST = 50
"""The number of documents among the top below which no share is reported."""


@dataclass(frozen=True)
class Unmatched:
    """A run without a judged document in any evaluated query.

    of             the kind of ids that differ from those of the qrels: "queries" or "documents"
    queries        the number of queries of both run and qrels
    mine, theirs   some ids of that kind, of the run and of the qrels"""

    run: str
    of: Literal["queries", "documents"]
    queries: int
    mine: tuple[str, ...]
    theirs: tuple[str, ...]

    def __str__(self) -> str:
        return unmatched_warnings([self])[0]


@dataclass(frozen=True)
class JudgedShare:
    """The number of judged documents among the top of a run's lists.

    judged      of ``returned`` documents
    reachable   the largest number that could be judged"""

    run: str
    judged: int
    returned: int
    reachable: int

    def __add__(self, other: JudgedShare) -> JudgedShare:
        """Return the share of both parts of a run."""
        return JudgedShare(
            self.run, self.judged + other.judged, self.returned + other.returned, self.reachable + other.reachable
        )

    @property
    def share(self) -> float:
        """The share of judged documents, 0 without documents."""
        return self.judged / self.returned if self.returned else 0.0


def unmatched_warnings(unmatched: Sequence[Unmatched]) -> list[str]:
    """Return a warning about all runs whose query ids differ from the qrels', and one about document ids."""
    by_query = [run for run in unmatched if run.of == "queries"]
    by_document = [run for run in unmatched if run.of == "documents"]
    warnings = []
    if by_query:
        warnings.append(
            trn(
                "run {runs} has no query of the qrels: its query ids ({ids} …) are not those of the qrels "
                "({judged} …), so its values mean nothing",
                "{n} runs ({runs}) have no query of the qrels: their query ids ({ids} …) are not those of the qrels "
                "({judged} …), so their values mean nothing",
                len(by_query),
                runs=name_some([run.run for run in by_query], 3),
                ids=name_some(by_query[0].mine),
                judged=name_some(by_query[0].theirs),
            )
            + _looks_alike(by_query[0])
        )
    if by_document:
        warnings.append(
            trn(
                "run {runs} has no judged document in any of {queries}: its document ids ({ids} …) are not those of "
                "the qrels ({judged} …), so its values mean nothing",
                "{n} runs ({runs}) have no judged document in any of {queries}: their document ids ({ids} …) are not "
                "those of the qrels ({judged} …), so their values mean nothing",
                len(by_document),
                runs=name_some([run.run for run in by_document], 3),
                queries=queries_text(max(run.queries for run in by_document)),
                ids=name_some(by_document[0].mine),
                judged=name_some(by_document[0].theirs),
            )
            + _looks_alike(by_document[0])
        )
    return warnings


def _looks_alike(unmatched: Unmatched) -> str:
    """Return what to know where ids that are named look the same as others and differ in how letters are written."""
    theirs = {normalize("NFC", each): each for each in unmatched.theirs}
    if not any(theirs.get(normalize("NFC", each), each) != each for each in unmatched.mine):
        return ""
    return tr(
        "; ids that look the same differ in how Unicode writes a letter with its accent: write both files in one form, "
        "such as NFC"
    )


def unmatched_runs(runs: Sequence[Run], qrels: Qrels) -> tuple[Unmatched, ...]:
    """Return the runs without any judged document."""
    checked = (unmatched(run, qrels) for run in runs)
    return tuple(run for run in checked if run is not None)


def unmatched(run: Run, qrels: Qrels) -> Unmatched | None:
    """Return how the ids of a run differ from those of the qrels; None if a document of the run is judged, and for a
    run without documents or with a single common query.

    Usually the first query has a judged document; no other query is then inspected."""
    if run.answered is not None and qrels.query_ids and run.query_index.keys().isdisjoint(qrels.query_ids):
        return Unmatched(run.name, "queries", 0, run.query_ids[:2], qrels.query_ids[:2])
    if not len(run) or not len(qrels):
        return None
    return common_ids(run, qrels).unmatched(run.name, qrels)


@dataclass(frozen=True)
class CommonIds:
    """What a run, or a part of its queries, has in common with qrels.

    documents  the number of retrieved documents
    first      the first two queries of the run
    shared     the number of queries that the qrels have, 0 if ``judged``
    judged     whether a document is judged
    sample     of the shared query that comes first in the qrels: its place there, and its first two documents
    """

    documents: int = 0
    first: tuple[str, ...] = ()
    shared: int = 0
    judged: bool = False
    sample: tuple[int, tuple[str, ...]] | None = None

    def __add__(self, other: CommonIds) -> CommonIds:
        """Return that of both parts; this one's queries come first in the run."""
        samples = [each.sample for each in (self, other) if each.sample is not None]
        return CommonIds(
            self.documents + other.documents, (self.first + other.first)[:2], self.shared + other.shared,
            self.judged or other.judged, min(samples, default=None),
        )  # fmt: skip

    def unmatched(self, run: str, qrels: Qrels) -> Unmatched | None:
        """Return how the ids differ; None as of the function of this name."""
        if not self.documents or not len(qrels) or self.judged:
            return None
        if self.sample is None:
            return Unmatched(run, "queries", 0, self.first, qrels.query_ids[:2])
        if self.shared == 1:
            return None
        place, documents = self.sample
        judged = tuple(_part(qrels, qrels.query_ids[place])[:2].to_pylist())
        return Unmatched(run, "documents", self.shared, documents, judged)


def common_ids(run: Run, qrels: Qrels) -> CommonIds:
    """Return what a run has in common with qrels. Usually the first query has a judged document; no other query is then
    inspected."""
    first, place, shared = run.query_ids[:2], None, 0
    for query in qrels.query_ids:
        if query in run.query_index:
            if pc.any(pc.is_in(_part(run, query), value_set=_part(qrels, query))).as_py():
                return CommonIds(len(run), first, judged=True)
            place = qrels.query_index[query] if place is None else place
            shared += 1
    if place is None:
        return CommonIds(len(run), first)
    sample = place, tuple(_part(run, qrels.query_ids[place])[:2].to_pylist())
    return CommonIds(len(run), first, shared, sample=sample)


def judged_share(name: str, judged: Judged, top: int = TOP) -> JudgedShare:
    """Return the share of judged documents among the top of a run's lists, over the evaluated queries that it has."""
    returned = np.minimum(judged.returned, top)
    # Counted without the tables of hits that measures need: every judgment asks for the shares of all runs.
    judged_documents = int(np.count_nonzero((judged.hit_grade >= 0) & (judged.hit_rank <= top)))
    listed = sizes_of(offsets_of(judged.ideal_grades >= 0)[judged.ideal_offsets])
    return JudgedShare(name, judged_documents, int(returned.sum()), int(np.minimum(returned, listed).sum()))


def judged_counts(judged: Judged, top: int = TOP) -> npt.NDArray[np.int8]:
    """Return int8[4, E], by query what :func:`judged_share` sums (judged documents, returned ones, and those that could
    be judged, of the top), and 1 where a query has a judged document at any rank."""
    returned = np.minimum(judged.returned, top)
    inside = (judged.hit_grade >= 0) & (judged.hit_rank <= top)
    listed = sizes_of(offsets_of(judged.ideal_grades >= 0)[judged.ideal_offsets])
    hits = np.zeros(judged.n_queries, dtype=np.int8)
    hits[judged.hit_query] = 1
    documents = np.bincount(judged.hit_query[inside], minlength=judged.n_queries)
    counts = np.array([documents, returned, np.minimum(returned, listed), hits], dtype=np.int8)
    counts.flags.writeable = False
    return counts


def names_nonrelevant(qrels: Qrels) -> bool:
    """Return whether the qrels have non-relevant documents."""
    return bool(np.any((qrels.grades >= 0) & (qrels.grades < 1)))


class ShareWarning(str):
    """A warning about shares of judged documents, which depends on the runs that are compared."""

    __slots__ = ()


def share_warnings(shares: Sequence[JudgedShare], nonrelevant: bool) -> list[ShareWarning]:
    """Return warnings about runs with nearly no judged documents among the top, and about shares that differ much.

    nonrelevant   whether the qrels have non-relevant documents; otherwise the share of judged documents is precision
                  itself, and a difference is no reason for a warning"""
    large = [share for share in shares if share.returned >= LEAST]
    few = [share for share in large if share.judged < NEXT_TO_NONE * share.reachable]
    warnings = []
    if few:
        warnings.append(
            trn(
                "{runs}: only {share} of the top {cutoff} documents are judged; check that the ids are those of "
                "the qrels",
                "{n} runs ({runs}): at most {share} of the top {cutoff} documents are judged; check that the ids "
                "are those of the qrels",
                len(few),
                runs=name_some([share.run for share in few], 3),
                share=percent(max(share.share for share in few)),
                cutoff=TOP,
            )
        )
    if nonrelevant and len(large) > 1:
        low, high = min(large, key=_share), max(large, key=_share)
        if high.share - low.share >= APART:
            warnings.append(
                tr(
                    "of the top {cutoff} documents, {low} are judged in {low_run} and {high} in {high_run}; "
                    "unjudged documents count as non-relevant, so this may explain differences between the runs",
                    cutoff=TOP,
                    low=percent(low.share),
                    low_run=low.run,
                    high=percent(high.share),
                    high_run=high.run,
                )
            )
    return [ShareWarning(text) for text in warnings]


def _share(share: JudgedShare) -> float:
    return share.share


def _part(side: Run | Qrels, query: str) -> Strings:
    index = side.query_index[query]
    return side.doc_ids[int(side.offsets[index]) : int(side.offsets[index + 1])]


def best_fitting(candidates: Sequence[Qrels], runs: Sequence[Run]) -> int:
    """Return the place of the qrels that match most runs, then most of their queries, then come first. ``candidates``
    must not be empty."""
    answered = {query for run in runs for query in run.query_ids}
    fits = [
        (len(unmatched_runs(runs, qrels)), -len(answered.intersection(qrels.query_ids)), position)
        for position, qrels in enumerate(candidates)
    ]
    return min(fits)[2]
