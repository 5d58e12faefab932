"""Ledgers of counts, and of the grades at the top as text."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.translation import tr


@explainer("NumQ")
def number_of_queries(ranked_query: RankedQuery) -> Contributions:
    """1 for the query."""
    return account(
        np.empty(0),
        tr("counted"),
        tr("nothing"),
        tr("so far"),
        whole=True,
        offset=Quantity("1", tr("the query itself"), 1),
        unjudged="",
        rules=(Rule("own", tr("Each query counts 1, whatever was returned.")),),
    )


@explainer("NumRet")
def number_retrieved(ranked_query: RankedQuery, rel: float | None) -> Contributions:
    """1 for each document returned."""
    if rel is not None:
        return number_relevant_retrieved(ranked_query, rel, None)
    return account(
        np.ones(ranked_query.n),
        tr("counted"),
        tr("1 for each document"),
        tr("counted so far"),
        whole=True,
        unjudged=tr("Such documents count like all others."),
    )


@explainer("NumRelRet")
def number_relevant_retrieved(
    ranked_query: RankedQuery, rel: float, cutoff: int | None, over: str = "sum"
) -> Contributions:
    """1 for each relevant document returned."""
    return account(
        yes_no(ranked_query.relevant(rel)[: ranked_query.top(cutoff)]), tr("relevant"),
        tr("1 where the document is relevant"),
        tr("relevant so far"), whole=True,
    )  # fmt: skip


@explainer("NumRel")
def number_relevant(ranked_query: RankedQuery, rel: float) -> Contributions:
    """1 for each relevant document of the qrels."""
    keep = (ranked_query.ideal_grades >= rel) & (ranked_query.ideal_grades >= 0)
    return account(
        np.ones(int(keep.sum())), tr("relevant"), tr("1 for each relevant document of the qrels"),
        tr("relevant so far"),
        whole=True, judgments=ranked_query.ideal_order[keep], unjudged="",
        rules=(Rule("own", tr("The rows are the documents of the qrels; the run is not used.")),),
    )  # fmt: skip


@explainer("num_nonrel_judged_ret")
def number_nonrelevant_judged(ranked_query: RankedQuery, rel: float) -> Contributions:
    """1 for each document returned that was judged below the level."""
    with np.errstate(invalid="ignore"):
        keep = (ranked_query.grades >= 0) & (ranked_query.grades < rel)
    return account(
        yes_no(keep), tr("not relevant"), tr("1 where the document was judged below the relevance level"),
        tr("so far"), whole=True,
        unjudged=tr("Such documents do not count."),
    )  # fmt: skip


@explainer("relstring")
def relevance_string(ranked_query: RankedQuery, length: int) -> Contributions:
    """The sign of each grade."""
    grades = ranked_query.grades[: ranked_query.top(length)].tolist()
    signs = tuple(_sign(grade) for grade in grades)
    return account(
        np.zeros(len(signs)), tr("adds"), tr("nothing"), operation="text", text="".join(signs),
        unjudged=tr("Such documents are written as -."),
        columns=((Column("sign", tr("sign"), tr("the grade 0 … 9, > above 9, . for a negative grade, - for unjudged"),
        "text"), signs),),
        rules=(Rule("own", tr("One sign for each document; fractions of grades are cut off.")),),
    )  # fmt: skip


def _sign(grade: float) -> str:
    if np.isnan(grade):
        return "-"
    if grade < 0:
        return "."
    return ">" if grade >= 10 else str(int(grade))
