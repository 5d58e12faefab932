"""Ledgers of high-recall measures: what has to be read until a share of the relevant documents is found."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.model.arrays import Bools

RELEVANT = Column("relevant", "relevant", "1 where the document is relevant", "int", 0)


class _ReadingDepth:
    """How far a person reads to reach a recall."""

    def __init__(self, ranked_query: RankedQuery, size: int | None, rel: float, recall: float) -> None:
        self.relevant: Bools = ranked_query.relevant(rel)
        self.total = ranked_query.relevant_count(rel)
        self.size = all_documents(ranked_query, size)
        self.wanted = max(int(np.ceil(recall * self.total - 1e-9)), 1)
        there = np.flatnonzero(np.cumsum(self.relevant) >= self.wanted)
        self.reached = bool(len(there))
        self.rank = int(there[0]) + 1 if self.reached else ranked_query.n
        self.read = yes_no(ranked_query.ranks <= self.rank) if self.total else np.zeros(ranked_query.n)
        self.unseen = self.size - ranked_query.n if self.total and not self.reached else 0
        self.said = size is not None
        self.never = "nowhere in the list" if self.total else "nothing is relevant"
        self.columns = ((RELEVANT, yes_no(self.relevant)),)
        ends = f"rank {self.rank}" if self.reached else f"nowhere in the list, so all {self.size} documents are read"
        self.rules = (
            Rule(
                "own",
                f"Recall {recall:g} takes {self.wanted} of {self.total} relevant documents; it is reached at {ends}.",
            )
            if self.total
            else Rule("own", "Nothing is relevant: the value is 0."),
        )
        self.quantities = (ranked_query.count_of(rel), Quantity("N", "documents there are", self.size))

    def as_cost(self, n: int) -> _ReadingDepth:
        """The same where less is better: what is never reached costs all N documents, and has no value without N."""
        if self.reached and self.total:
            return self
        self.read = np.ones(n)
        self.unseen = self.size - n
        ends = f"all {self.size} documents are read" if self.said else "without N, all there are, it has no value"
        self.rules = (Rule("own", f"The recall is reached nowhere ({self.never}): {ends}."),)
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
    found = _ReadingDepth(ranked_query, N, rel, cutoff)
    offset = None
    if found.total:
        more = "the recall, which random reading would take" + (
            ", less what is not in the list" if found.unseen else ""
        )
        offset = Quantity("r", more, cutoff - found.unseen / found.size, whole=False)
    return account(
        -found.read, "read", "less one for each document read", whole=True, columns=found.columns, offset=offset,
        normaliser=found.quantities[1], quantities=found.quantities, rules=found.rules, level=rel,
    )  # fmt: skip


@explainer("TNR")
def true_negative_rate(ranked_query: RankedQuery, N: int | None, rel: float, cutoff: float) -> Contributions:  # noqa: N803
    """1 less the share of non-relevant documents that is read."""
    found = _ReadingDepth(ranked_query, N, rel, cutoff)
    others = found.size - found.total
    offset = None
    if found.total and others:
        unseen = 0 if found.reached else others - int((~found.relevant).sum())
        meaning = "all non-relevant documents unread" + (", less those that are not in the list" if unseen else "")
        offset = Quantity("1", meaning, 1 - unseen / others, whole=False)
    return account(
        -found.read * ~found.relevant, "read in vain", "less one for each non-relevant document read", whole=True,
        columns=found.columns, offset=offset, normaliser=Quantity("N − R", "non-relevant documents there are", others),
        quantities=found.quantities, rules=found.rules, level=rel,
    )  # fmt: skip


@explainer("RankAtRecall")
def rank_at_recall(ranked_query: RankedQuery, N: int | None, rel: float, cutoff: float) -> Contributions:  # noqa: N803
    """1 for each document read."""
    found = _ReadingDepth(ranked_query, N, rel, cutoff).as_cost(ranked_query.n)
    offset = found.offset("unseen", "documents that are not in the list")
    return account(
        found.read, "read", "1 for each document read", "read so far", whole=True, columns=found.columns, offset=offset,
        quantities=found.quantities, rules=found.rules, level=rel,
    )  # fmt: skip


@explainer("Effort")
def effort_at_recall(ranked_query: RankedQuery, N: int | None, rel: float, cutoff: float) -> Contributions:  # noqa: N803
    """Documents read, by all there are."""
    found = _ReadingDepth(ranked_query, N, rel, cutoff).as_cost(ranked_query.n)
    offset = found.offset("unseen ÷ N", "documents that are not in the list", max(found.size, 1))
    return account(
        found.read, "read", "1 for each document read", "read so far", whole=True, columns=found.columns, offset=offset,
        normaliser=found.quantities[1], quantities=found.quantities, rules=found.rules, level=rel,
    )  # fmt: skip


@explainer("NAURC")
def recall_area(ranked_query: RankedQuery, N: int | None, rel: float) -> Contributions:  # noqa: N803
    """What each relevant document leaves below it, by the most there could be."""
    relevant, total, size = ranked_query.relevant(rel), ranked_query.relevant_count(rel), all_documents(ranked_query, N)
    return account(
        np.where(relevant, size - ranked_query.ranks + 0.5, 0.0), "N − rank + ½", "the area that a relevant document "
                                                                                  "adds",
        "area so far", columns=((RELEVANT, yes_no(relevant)),), level=rel,
        normaliser=Quantity("R·N − R² ÷ 2", "the area of the best order", total * (size - total / 2), whole=False),
        quantities=(ranked_query.count_of(rel), Quantity("N", "documents there are", size)),
        rules=(Rule("own", "Relevant documents that were not returned add nothing."),),
    )  # fmt: skip


@explainer("LastRel")
def last_relevant(ranked_query: RankedQuery, N: int | None, rel: float) -> Contributions:  # noqa: N803
    """1 for each document down to the last relevant one."""
    relevant = ranked_query.relevant(rel)
    last = int(np.flatnonzero(relevant).max(initial=-1)) + 1
    offset, said = None, f"The last relevant document stands at rank {last}."
    if not last:
        said = "No relevant document was returned: " + (
            "without N, all there are, it has no value." if N is None else f"all {N} documents are read."
        )
        unseen = np.nan if N is None else N - ranked_query.n
        offset = Quantity("unseen", "documents that are not in the list", unseen)
    return account(
        yes_no(ranked_query.ranks <= (last or ranked_query.n)), "read", "1 for each document down to the last relevant "
                                                                        "one",
        "read so far", whole=True, columns=((RELEVANT, yes_no(relevant)),), offset=offset, level=rel,
        rules=(Rule("own", said),),
    )  # fmt: skip
