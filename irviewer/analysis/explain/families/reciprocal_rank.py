"""Ledgers of the reciprocal rank and of the search length."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.translation import tr

RELEVANT = Column("relevant", tr("relevant"), tr("1 where the document is relevant"), "int", 0)


@explainer("RR")
def reciprocal_rank(ranked_query: RankedQuery, rel: float, cutoff: int | None) -> Contributions:
    """1 / rank at the first relevant document."""
    relevant = ranked_query.relevant(rel)[: ranked_query.top(cutoff)]
    first = np.flatnonzero(relevant)[:1]
    adds = np.zeros(len(relevant))
    adds[first] = 1.0 / (first + 1)

    def term(row: int) -> str:
        return f"1/{row + 1}"

    return account(
        adds, tr("1 ÷ rank"), tr("1 ÷ rank at the first relevant document"), columns=((RELEVANT, yes_no(relevant)),),
        term=term, rules=(Rule("own", tr("Only the first relevant document counts.")),),
    )  # fmt: skip


@explainer("SearchLength")
def search_length(ranked_query: RankedQuery, rel: float) -> Contributions:
    """1 for each document down to the first relevant one; one more than all where there is none."""
    relevant = ranked_query.relevant(rel)
    first = np.flatnonzero(relevant)[:1]
    read = np.ones(ranked_query.n) if not len(first) else yes_no(ranked_query.ranks <= first[0] + 1)
    offset = None
    if not len(first):
        # What is not answered at all has no search length.
        meaning = tr("no relevant document was returned: one more than the documents returned")
        offset = Quantity("1", meaning, 1 if ranked_query.n else np.nan)
    return account(
        read, tr("read"), tr("1 for each document down to the first relevant one"), tr("read so far"), whole=True,
        columns=((RELEVANT, yes_no(relevant)),), offset=offset,
        rules=(Rule("own",
        tr("If no relevant document is returned, the value is the number of documents returned plus "
            "one.")),),
    )  # fmt: skip
