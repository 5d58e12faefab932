"""Ledgers of preferences: how many of those that prefer a document its place fulfils."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.model.arrays import Bools, Floats, Ints, safe_divide
from irviewer.model.judgments.preferences import ABSENT, IMPLIED, OF_IMPLIED, OF_RETURNED, RETURNED, preferences_of
from irviewer.translation import tr

PAIRS = {
    "all": tr("All pairs count; a document that was returned ranks above one that was not."),
    "imp": tr("Pairs of two documents that were not returned are left out."),
    "ret": tr("Only pairs of two documents that were returned count."),
}


@dataclass(frozen=True, eq=False)
class _Group:
    """The preferences of one group: documents (judgments) in the order of the list, n of them returned, by id after."""

    documents: Ints
    ranks: Ints
    preferred: Bools
    n: int

    def fulfilled(self, pairs: str) -> Floats:
        """float64: of each document, how many preferences for it are fulfilled."""
        among_returned = np.triu(self.preferred[: self.n, : self.n], 1).sum(axis=1)
        counts = np.zeros(len(self.documents))
        counts[: self.n] = among_returned
        if pairs != "ret":
            counts[: self.n] += self.preferred[: self.n, self.n :].sum(axis=1)
        return counts

    def possible(self, pairs: str) -> int:
        """The number of preferences that count."""
        if pairs == "ret":
            return int(self.preferred[: self.n, : self.n].sum())
        every = int(self.preferred.sum())
        return every if pairs == "all" else every - int(self.preferred[self.n :, self.n :].sum())


def _groups(ranked_query: RankedQuery) -> list[_Group]:
    preferences_of(ranked_query.judged)  # refuses a group that contradicts itself
    rows = ranked_query.judged.assessed
    ids = ranked_query.query.asked.doc_ids.cast(pa.binary())
    by_id = np.empty(len(ids), dtype=np.int64)
    by_id[pc.sort_indices(ids).to_numpy()] = np.arange(len(ids))
    groups = []
    for cell in range(rows.n_cells):
        group_rows = np.flatnonzero(rows.cell == cell)
        documents, of_row = np.unique(rows.document[group_rows], return_inverse=True)
        of_row = of_row.reshape(-1)
        ranks = np.zeros(len(documents), dtype=np.int64)
        ranks[of_row] = rows.rank[group_rows]
        order = np.lexsort((by_id[documents], ranks, ranks == 0))
        position = np.empty(len(order), dtype=np.int64)
        position[order] = np.arange(len(order))
        preferred = np.zeros((len(order), len(order)), dtype=np.bool_)
        parts = np.unique(rows.subgroup[group_rows])
        for part in parts:
            part_rows = np.flatnonzero(rows.subgroup[group_rows] == part)
            at, levels = position[of_row[part_rows]], rows.grade[group_rows][part_rows]
            preferred[np.ix_(at, at)] |= levels[:, None] > levels[None, :]
        if len(parts) > 1:
            preferred = _transitive(preferred)
        groups.append(_Group(documents[order], ranks[order], preferred, int((ranks > 0).sum())))
    return groups


def _transitive(preferred: Bools) -> Bools:
    while True:
        number = preferred.astype(np.float32)
        extended: Bools = preferred | (number @ number > 0)
        if np.array_equal(extended, preferred):
            return preferred
        preferred = extended


def _explained(
    ranked_query: RankedQuery, pairs: str, groups: list[_Group], scale: list[float], adds: str, **rest: Any
) -> Contributions:
    """What each document of the list adds: its fulfilled preferences, each group's by a number."""
    total, possible = np.zeros(ranked_query.n), np.zeros(ranked_query.n)
    for group, below in zip(groups, scale, strict=True):
        rows = group.ranks[: group.n] - 1
        if below:
            total[rows] += group.fulfilled(pairs)[: group.n] / below
        possible[rows] += group.preferred[: group.n].sum(axis=1)
    return account(
        total, adds, tr("fulfilled preferences for this document"),
        columns=((Column("possible", tr("preferences"), tr("the number of preferences for this document"), "int", 0),
        possible),),
        unjudged=tr("Such documents are in no preference."), rules=(Rule("own", PAIRS[pairs]),), **rest,
    )  # fmt: skip


@explainer("prefs_num_prefs_poss")
def possible(ranked_query: RankedQuery) -> Contributions:
    """The preferences for each document of the qrels."""
    count = np.zeros(len(ranked_query.query.asked))
    for group in _groups(ranked_query):
        count[group.documents] += group.preferred.sum(axis=1)
    order = np.lexsort((np.arange(len(count)), -count))
    return account(
        count[order], tr("preferences"), tr("the number of preferences for this document"), whole=True, judgments=order,
        unjudged="",
        rules=(Rule("own", tr("The rows are the documents of the qrels; the run is not used.")),),
    )  # fmt: skip


@explainer("prefs_num_prefs_ful")
def fulfilled(ranked_query: RankedQuery, pairs: str) -> Contributions:
    """Fulfilled preferences, added up."""
    groups = _groups(ranked_query)
    return _explained(ranked_query, pairs, groups, [1.0] * len(groups), "fulfilled", whole=True)


@explainer("prefs_simp")
def simple(ranked_query: RankedQuery, pairs: str) -> Contributions:
    """Fulfilled by possible, over all groups together."""
    groups = _groups(ranked_query)
    below = Quantity(tr("possible"), tr("preferences that count"), sum(group.possible(pairs) for group in groups))
    return _explained(ranked_query, pairs, groups, [1.0] * len(groups), "fulfilled", whole=True, normaliser=below)


@explainer("prefs_avgjg")
def by_group(ranked_query: RankedQuery, pairs: str) -> Contributions:
    """Fulfilled by possible of each group, by the number of groups."""
    groups = _groups(ranked_query)
    scale = [float(group.possible(pairs)) for group in groups]
    return _explained(
        ranked_query,
        pairs,
        groups,
        scale,
        tr("Σ fulfilled ÷ possible"),
        normaliser=Quantity("|G|", tr("judgment groups"), len(groups)),
    )


@explainer("prefs_pair")
def by_pair(ranked_query: RankedQuery, pairs: str) -> Contributions:
    """The share of groups that want a pair as it stands, by the number of pairs."""
    groups = _groups(ranked_query)
    documents = np.unique(np.concatenate([group.documents for group in groups]))
    ranks = ranked_query.rank_of_row[documents]
    ids = ranked_query.query.asked.doc_ids.cast(pa.binary()).take(pa.array(documents))
    by_id = np.empty(len(ids), dtype=np.int64)
    by_id[pc.sort_indices(ids).to_numpy()] = np.arange(len(ids))
    order = np.lexsort((by_id, ranks, ranks == 0))
    position = np.full(len(ranked_query.query.asked), -1, dtype=np.int64)
    position[documents[order]] = np.arange(len(order))
    n = int((ranks > 0).sum())
    wants = np.zeros((len(order), len(order)), dtype=np.int64)
    for group in groups:
        at = position[group.documents]
        wants[np.ix_(at, at)] += group.preferred
    has_preference = np.triu(wants + wants.T > 0, 1)
    share = np.where(has_preference, safe_divide(wants, wants + wants.T), 0.0)
    last = n if pairs == "ret" else len(order)
    adds = np.zeros(ranked_query.n)
    adds[ranks[order[:n]] - 1] = share[:n, :last].sum(axis=1)
    count = int(has_preference[:n, :last].sum()) + (int(has_preference[n:, n:].sum()) if pairs == "all" else 0)
    return account(
        adds, tr("Σ share"), tr("the pairs in which it is above, each with the share of groups that prefer that order"),
        normaliser=Quantity(tr("pairs"), tr("pairs of documents for which a group has a preference"), count),
        unjudged=tr("Such documents are in no preference."), rules=(Rule("own", PAIRS[pairs]),),
    )  # fmt: skip


@explainer("prefs_avgjg_Rnonrel")
def by_group_limited(ranked_query: RankedQuery, pairs: str) -> Contributions:
    """The same with as many non-relevant documents as relevant ones: a row a group."""
    counts_by_group = preferences_of(ranked_query.judged)
    only = 1 if pairs == "ret" else 0
    ful, every = counts_by_group.counts[:, RETURNED], counts_by_group.counts[:, OF_RETURNED]
    if not only:
        ful, every = (
            ful + counts_by_group.counts[:, IMPLIED],
            every + counts_by_group.counts[:, OF_IMPLIED] + counts_by_group.counts[:, ABSENT],
        )
    relevant, others = counts_by_group.relevant[:, only], counts_by_group.others[:, only]
    missing = np.maximum(relevant - others, 0)
    few = relevant >= others
    ful = np.where(few, ful + counts_by_group.relevant[:, 1] * missing, counts_by_group.limited[:, 2 * only])
    every = np.where(few, every + counts_by_group.relevant[:, 0] * missing, counts_by_group.limited[:, 2 * only + 1])
    rules = [Rule("own", PAIRS[pairs])]
    share = safe_divide(ful, every)
    if np.any(every == 0):
        share = np.zeros(len(share))
        rules.append(
            Rule("own", tr("A group has no preference that counts: the value of the query is 0, as in trec_eval."))
        )
    assessments = ranked_query.query.asked.assessments
    rows = ranked_query.judged.assessed
    first = np.unique(rows.cell, return_index=True)[1]
    names = tuple("0" if assessments is None else assessments.names[group] for group in rows.group[first].tolist())
    return account(
        share,
        tr("fulfilled ÷ possible"),
        tr("the group's share"),
        labels=(Column("group", tr("group"), tr("the judgment group"), "text"), names),
        columns=(
            (
                Column(
                    "fulfilled", tr("fulfilled"), tr("fulfilled preferences, also those of missing documents"), "int", 0
                ),
                ful.astype(np.float64),
            ),
            (Column("possible", tr("possible"), tr("preferences that count"), "int", 0), every.astype(np.float64)),
        ),
        normaliser=Quantity("|G|", tr("judgment groups"), len(names)),
        unjudged="",
        rules=tuple(rules),
    )
