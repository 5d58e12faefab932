"""Ledgers of diversity measures: which subtopics a document speaks of, how often each was met, what that is worth."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Cells, Contributions, RankedQuery, account, explainer, filled
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.measures.subtopics import Discount, Topics, topics_of
from irviewer.model.arrays import Floats, Ints
from irviewer.translation import tr

NOVELTY = Rule(
    "gain",
    tr("A subtopic with n relevant documents above is worth (1 − α)^n; a document gains the worth of its subtopics."),
)
NEVER = Rule("own", tr("Only subtopics with a relevant document count."))


class _Met:
    """The relevant (document, subtopic) pairs of the list down to a cutoff."""

    def __init__(self, ranked_query: RankedQuery, rel: float, cutoff: int | None) -> None:
        self.topics: Topics = topics_of(ranked_query.judged, rel)
        self.n = ranked_query.top(cutoff)
        self.cutoff = cutoff
        hits = self.topics.hits
        keep = hits.rank <= self.n
        self.place, self.times, self.cell = hits.rank[keep] - 1, hits.times[keep], hits.cell[keep]
        self.subtopics = int(self.topics.subtopics[0])
        names = _names(ranked_query, self.topics)
        texts: list[list[str]] = [[] for _ in range(self.n)]
        for row, cell, times in zip(self.place.tolist(), self.cell.tolist(), self.times.tolist(), strict=True):
            texts[row].append(names[cell] if times == 1 else f"{names[cell]}×{times}")
        self.column: tuple[Column, Cells] = (
            Column(
                "subtopics",
                tr("subtopics"),
                tr("the subtopics it is relevant to; ×2: the second document for this subtopic"),
                "text",
            ),
            tuple(" ".join(names_of_row) for names_of_row in texts),
        )
        self.quantity = Quantity("S", tr("subtopics with a relevant document"), self.subtopics)

    def sums(self, values: Floats | None = None) -> Floats:
        """float64[n]: values of pairs (ones without) added up by document."""
        return np.bincount(self.place, weights=values, minlength=self.n).astype(np.float64)

    def gains(self, alpha: float) -> Floats:
        """float64[n]: the novelty gain of each document."""
        return self.sums(np.power(1.0 - alpha, self.times - 1.0))

    def ideal(self, alpha: float, discount: Discount) -> tuple[Floats, Floats]:
        """(gain, running discounted gain) of the ideal ranking down to the cutoff."""
        _, rank, gain = self.topics.ideal_list(alpha, self.cutoff)
        keep = slice(None) if self.cutoff is None else rank <= self.cutoff
        rank, gain = rank[keep], gain[keep]
        return gain, np.cumsum(gain * discount(rank))


def _names(ranked_query: RankedQuery, topics: Topics) -> dict[int, str]:
    """Cell -> the subtopic's name in the file."""
    assessments = ranked_query.query.asked.assessments
    cells, first = np.unique(topics.relevant.cell, return_index=True)
    groups = topics.relevant.group[first].tolist()
    return {
        cell: "0" if assessments is None else assessments.names[group]
        for cell, group in zip(cells.tolist(), groups, strict=True)
    }


def _by_rank(rank: Ints) -> Floats:
    return np.asarray(1.0 / rank, dtype=np.float64)


def _by_logarithm(rank: Ints) -> Floats:
    return np.asarray(1.0 / np.log2(rank + 1.0), dtype=np.float64)


class _Patience:
    """β^(i-1)."""

    def __init__(self, beta: float) -> None:
        self._beta = beta

    def __call__(self, rank: Ints) -> Floats:
        return np.asarray(np.power(self._beta, rank - 1.0), dtype=np.float64)


def _novelty(
    ranked_query: RankedQuery, alpha: float, rel: float, cutoff: int | None, discount: Discount, best: bool
) -> Contributions:
    """Novelty gain by discount, by that of documents on all subtopics (``best``), or of the best order there is."""
    met = _Met(ranked_query, rel, cutoff)
    gain = met.gains(alpha)
    weight = discount(np.arange(1, met.n + 1))
    beside: tuple[tuple[Column, Cells], ...] = ()
    rows = met.n
    if best:
        depth = met.topics.depth(cutoff)
        below = Quantity(tr("best"), tr("the gain of documents that are each relevant to all subtopics"), float(
            met.topics.best_gains(alpha, discount, depth)[0]), whole=False)  # fmt: skip
    else:
        ideal, running = met.ideal(alpha, discount)
        rows = max(rows, len(ideal))
        last = float(running[-1]) if len(running) else 0.0
        below = Quantity(tr("ideal"), tr("the gain of the best order, found greedily"), last, whole=False)
        beside = (
            (Column("ideal_gain", tr("ideal gain"), tr("the novelty gain in the ideal ranking")), filled(ideal, rows)),
            (
                Column(
                    "ideal_running",
                    tr("ideal so far"),
                    tr("the discounted gain of the ideal ranking down to this rank"),
                ),
                filled(running, rows, last),
            ),
        )
    names = met.column[0], (*met.column[1], *[""] * (rows - met.n))
    gain, weight = filled(gain, rows, 0.0), filled(weight, rows, 0.0)
    return account(
        gain * weight, tr("gain × discount"), tr("what the document adds to the value"),
        columns=(
            names, (Column("gain", tr("gain"),
            tr("the worth of its subtopics, reduced for subtopics already covered")), gain),
            (Column("discount", tr("discount"), tr("the weight of the rank")), weight),
        ),
        beside=beside, normaliser=below, quantities=(met.quantity,), rules=(NOVELTY, NEVER), level=rel,
    )  # fmt: skip


@explainer("ERR_IA")
def err_intent_aware(ranked_query: RankedQuery, alpha: float, rel: float, cutoff: int | None) -> Contributions:
    """Novelty gain by rank, by documents on all subtopics."""
    return _novelty(ranked_query, alpha, rel, cutoff, _by_rank, True)


@explainer("nERR_IA")
def normalised_err_intent_aware(
    ranked_query: RankedQuery, alpha: float, rel: float, cutoff: int | None
) -> Contributions:
    """Novelty gain by rank, by the best order."""
    return _novelty(ranked_query, alpha, rel, cutoff, _by_rank, False)


@explainer("alpha_DCG")
def alpha_dcg(ranked_query: RankedQuery, alpha: float, rel: float, cutoff: int | None) -> Contributions:
    """Novelty gain by the logarithm of the rank, by documents on all subtopics."""
    return _novelty(ranked_query, alpha, rel, cutoff, _by_logarithm, True)


@explainer("alpha_nDCG")
def alpha_ndcg(ranked_query: RankedQuery, alpha: float, rel: float, cutoff: int | None) -> Contributions:
    """Novelty gain by the logarithm of the rank, by the best order."""
    return _novelty(ranked_query, alpha, rel, cutoff, _by_logarithm, False)


@explainer("nNRBP")
def normalised_novelty_biased_precision(
    ranked_query: RankedQuery, alpha: float, beta: float, rel: float
) -> Contributions:
    """Novelty gain by patience, by the best order."""
    return _novelty(ranked_query, alpha, rel, None, _Patience(beta), False)


@explainer("NRBP")
def novelty_biased_precision(ranked_query: RankedQuery, alpha: float, beta: float, rel: float) -> Contributions:
    """Novelty gain by patience, scaled, by S."""
    met = _Met(ranked_query, rel, None)
    gain = met.gains(alpha)
    scale = 1.0 - (1.0 - alpha) * beta
    weight = scale * _Patience(beta)(ranked_query.ranks)
    return account(
        gain * weight, tr("gain × weight"), tr("what the document adds to the value"),
        columns=(
            met.column, (Column("gain", tr("gain"),
            tr("the worth of its subtopics, reduced for subtopics already covered")),
            gain),
            (Column("discount", tr("weight"), tr("(1 − (1 − α)·β)·β^(rank − 1)")), weight),
        ),
        normaliser=met.quantity, rules=(NOVELTY, NEVER), level=rel,
    )  # fmt: skip


@explainer("AP_IA")
def average_precision_intent_aware(ranked_query: RankedQuery, rel: float, cutoff: int | None) -> Contributions:
    """The precision for each of its subtopics by that subtopic's relevant documents, by S."""
    met = _Met(ranked_query, rel, cutoff)
    parts = met.times / (met.place + 1) / met.topics.relevant_documents[met.cell]
    return account(
        met.sums(parts), tr("Σ precision ÷ R(s)"),
        tr("the precision for each of its subtopics, divided by the relevant documents of the "
"subtopic"),
        columns=(met.column,), normaliser=met.quantity, rules=(NEVER,), level=rel,
    )  # fmt: skip


@explainer("P_IA")
def precision_intent_aware(ranked_query: RankedQuery, rel: float, cutoff: int | None) -> Contributions:
    """Subtopics that documents are relevant to, by k·S."""
    met = _Met(ranked_query, rel, cutoff)
    k = ranked_query.n if cutoff is None else cutoff
    return account(
        met.sums(), tr("subtopics"), tr("the number of subtopics it is relevant to"), whole=True, columns=(met.column,),
        normaliser=Quantity("k·S", tr("the cutoff (or the documents returned) times subtopics"), k * met.subtopics),
        quantities=(met.quantity,), rules=(NEVER,), level=rel,
    )  # fmt: skip


@explainer("StRecall")
def subtopic_recall(ranked_query: RankedQuery, rel: float, cutoff: int | None) -> Contributions:
    """Subtopics met for the first time, by S."""
    met = _Met(ranked_query, rel, cutoff)
    return account(
        met.sums((met.times == 1).astype(np.float64)), tr("new subtopics"),
        tr("subtopics with no relevant document above"),
        tr("subtopics so far"), whole=True, columns=(met.column,), normaliser=met.quantity, rules=(NEVER,), level=rel,
    )  # fmt: skip
