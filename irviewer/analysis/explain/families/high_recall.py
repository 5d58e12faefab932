"""Ledgers of high-recall measures: what has to be read until a share of the relevant documents is found."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.model.arrays import Bools
from irviewer.translation import tr, trn

RELEVANT = Column("relevant", tr("relevant"), tr("1 where the document is relevant"), "int", 0)


class _ReadingDepth:
    """The rank at which a user reaches a recall."""

    def __init__(self, ranked_query: RankedQuery, size: int | None, rel: float, recall: float) -> None:
        self.relevant: Bools = ranked_query.relevant(rel)
        self.total = ranked_query.relevant_count(rel)
        self.size = all_documents(ranked_query, size)
        self.wanted = max(int(np.ceil(recall * self.total - 1e-9)), 1)
        reaching_rows = np.flatnonzero(np.cumsum(self.relevant) >= self.wanted)
        self.reached = bool(len(reaching_rows))
        self.rank = int(reaching_rows[0]) + 1 if self.reached else ranked_query.n
        self.read = yes_no(ranked_query.ranks <= self.rank) if self.total else np.zeros(ranked_query.n)
        self.unseen = self.size - ranked_query.n if self.total and not self.reached else 0
        self.said = size is not None
        self.never = tr("not in the list") if self.total else tr("nothing is relevant")
        self.columns = ((RELEVANT, yes_no(self.relevant)),)
        reached = (
            tr("it is reached at rank {rank}", rank=self.rank)
            if self.reached
            else trn(
                "it is not reached in the list, so the one document is read",
                "it is not reached in the list, so all {n} documents are read",
                self.size,
            )
        )
        self.rules = (
            Rule(
                "own",
                trn(
                    "Recall {recall:g} needs {wanted} of {n} relevant document; {reached}.",
                    "Recall {recall:g} needs {wanted} of {n} relevant documents; {reached}.",
                    self.total,
                    recall=recall,
                    wanted=self.wanted,
                    reached=reached,
                ),
            )
            if self.total
            else Rule("own", tr("Nothing is relevant: the value is 0.")),
        )
        self.quantities = (ranked_query.count_of(rel), Quantity("N", tr("all documents"), self.size))

    def as_cost(self, n: int) -> _ReadingDepth:
        """The same where less is better: what is never reached costs all N documents, and has no value without N."""
        if self.reached and self.total:
            return self
        self.read = np.ones(n)
        self.unseen = self.size - n
        cost = (
            trn("the one document is read", "all {n} documents are read", self.size)
            if self.said
            else tr("without N, the number of documents, it has no value")
        )
        self.rules = (
            Rule("own", tr("The list does not reach the recall ({never}): {cost}.", never=self.never, cost=cost)),
        )
        return self

    def offset(self, name: str, meaning: str, unit: float = 1) -> Quantity | None:
        """What is added for documents that are not in the list; NaN where nobody said how many there are."""
        if self.reached and self.total:
            return None
        return Quantity(name, meaning, self.unseen / unit if self.said else np.nan, whole=unit == 1)


def all_documents(ranked_query: RankedQuery, size: int | None) -> int:
    """N: as said, or the documents that run and qrels hold."""
    return ranked_query.n + len(ranked_query.ideal_grades) - len(ranked_query.judged.hit_rank) if size is None else size


@explainer("WSS")
def work_saved(ranked_query: RankedQuery, N: int | None, rel: float, cutoff: float) -> Contributions:  # noqa: N803
    """The recall less the share that is read."""
    depth = _ReadingDepth(ranked_query, N, rel, cutoff)
    offset = None
    if depth.total:
        meaning = (
            tr(
                "the recall, which reading in random order reaches after the same share of the documents, "
                "minus the documents that are not in the list"
            )
            if depth.unseen
            else tr("the recall, which reading in random order reaches after the same share of the documents")
        )
        offset = Quantity("r", meaning, cutoff - depth.unseen / depth.size, whole=False)
    return account(
        -depth.read, tr("read"), tr("−1 for each document read"), whole=True, columns=depth.columns, offset=offset,
        normaliser=depth.quantities[1], quantities=depth.quantities, rules=depth.rules, level=rel,
    )  # fmt: skip


@explainer("TNR")
def true_negative_rate(ranked_query: RankedQuery, N: int | None, rel: float, cutoff: float) -> Contributions:  # noqa: N803
    """1 less the share of non-relevant documents that is read."""
    depth = _ReadingDepth(ranked_query, N, rel, cutoff)
    others = depth.size - depth.total
    offset = None
    if depth.total and others:
        unseen = 0 if depth.reached else others - int((~depth.relevant).sum())
        meaning = (
            tr("no non-relevant document read, minus those that are not in the list")
            if unseen
            else tr("no non-relevant document read")
        )
        offset = Quantity("1", meaning, 1 - unseen / others, whole=False)
    return account(
        -depth.read * ~depth.relevant, tr("non-relevant read"), tr("−1 for each non-relevant document read"),
        whole=True,
        columns=depth.columns, offset=offset, normaliser=Quantity("N − R", tr("all non-relevant documents"), others),
        quantities=depth.quantities, rules=depth.rules, level=rel,
    )  # fmt: skip


@explainer("RankAtRecall")
def rank_at_recall(ranked_query: RankedQuery, N: int | None, rel: float, cutoff: float) -> Contributions:  # noqa: N803
    """1 for each document read."""
    depth = _ReadingDepth(ranked_query, N, rel, cutoff).as_cost(ranked_query.n)
    offset = depth.offset(tr("unseen"), tr("documents that are not in the list"))
    return account(
        depth.read, tr("read"), tr("1 for each document read"), tr("read so far"), whole=True, columns=depth.columns,
        offset=offset,
        quantities=depth.quantities, rules=depth.rules, level=rel,
    )  # fmt: skip


@explainer("Effort")
def effort_at_recall(ranked_query: RankedQuery, N: int | None, rel: float, cutoff: float) -> Contributions:  # noqa: N803
    """Documents read, by all there are."""
    depth = _ReadingDepth(ranked_query, N, rel, cutoff).as_cost(ranked_query.n)
    offset = depth.offset(tr("unseen ÷ N"), tr("documents that are not in the list"), max(depth.size, 1))
    return account(
        depth.read, tr("read"), tr("1 for each document read"), tr("read so far"), whole=True, columns=depth.columns,
        offset=offset,
        normaliser=depth.quantities[1], quantities=depth.quantities, rules=depth.rules, level=rel,
    )  # fmt: skip


@explainer("NAURC")
def recall_area(ranked_query: RankedQuery, N: int | None, rel: float) -> Contributions:  # noqa: N803
    """The number of documents below each relevant document, divided by the largest possible number."""
    relevant, total, size = ranked_query.relevant(rel), ranked_query.relevant_count(rel), all_documents(ranked_query, N)
    return account(
        np.where(relevant, size - ranked_query.ranks + 0.5, 0.0), tr("N − rank + ½"),
        tr("the area that a relevant document adds"),
        tr("area so far"), columns=((RELEVANT, yes_no(relevant)),), level=rel,
        normaliser=Quantity("R·N − R² ÷ 2", tr("the area of the best order"), total * (size - total / 2), whole=False),
        quantities=(ranked_query.count_of(rel), Quantity("N", tr("all documents"), size)),
        rules=(Rule("own", tr("Relevant documents that were not returned add nothing.")),),
    )  # fmt: skip


@explainer("LastRel")
def last_relevant(ranked_query: RankedQuery, N: int | None, rel: float) -> Contributions:  # noqa: N803
    """1 for each document down to the last relevant one."""
    relevant = ranked_query.relevant(rel)
    last = int(np.flatnonzero(relevant).max(initial=-1)) + 1
    offset, text = None, tr("The last relevant document is at rank {rank}.", rank=last)
    if not last:
        text = (
            tr("No relevant document was returned: without N, the number of documents, it has no value.")
            if N is None
            else tr("No relevant document was returned: all {N} documents are read.", N=N)
        )
        unseen = np.nan if N is None else N - ranked_query.n
        offset = Quantity(tr("unseen"), tr("documents that are not in the list"), unseen)
    return account(
        yes_no(ranked_query.ranks <= (last or ranked_query.n)), tr("read"),
        tr("1 for each document down to the last relevant one"),
        tr("read so far"), whole=True, columns=((RELEVANT, yes_no(relevant)),), offset=offset, level=rel,
        rules=(Rule("own", text),),
    )  # fmt: skip
