"""Ledgers of the C/W/L measures: what attention a rank gets, and what the documents there gain."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer, filled
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.model.arrays import Floats
from irviewer.translation import tr

GAIN = Column("gain", tr("gain"), tr("the grade between min_rel (0) and max_rel (1)"))
REACH = Column("discount", tr("attention"), tr("the probability that this rank is read, 1 for the first"))


def _gains(ranked_query: RankedQuery, min_rel: float, max_rel: float, depth: int | None) -> Floats:
    """float64: the gain at each rank of the list down to ``depth``."""
    grades = ranked_query.grades[: ranked_query.top(depth)]
    cut = np.clip(np.maximum(np.where(np.isnan(grades), -np.inf, grades), 0.0), min_rel, max_rel)
    return np.where(np.isnan(grades), 0.0, (cut - min_rel) / (max_rel - min_rel))


def _weighed(
    ranked_query: RankedQuery, gains: Floats, attention: Floats, min_rel: float, max_rel: float
) -> Contributions:
    """Gain by attention, by all the attention there is; ``attention`` goes on below the list."""
    n = len(gains)
    reads = Quantity(
        tr("documents read"), tr("attention added up over all ranks, also those below the list"), 0, whole=False
    )
    return account(
        gains * attention[:n], tr("gain × attention"), tr("what the document adds to the value"),
        columns=((GAIN, gains), (REACH, attention[:n])),
        normaliser=Quantity(reads.symbol, reads.meaning, float(attention.sum()), whole=False),
        unjudged=tr("Such documents gain nothing."),
        rules=(Rule("gain", tr("The gain is (grade − {min_rel:g}) ÷ {range:g}, between 0 and 1.", min_rel=min_rel,
        range=max_rel - min_rel)),),
    )  # fmt: skip


def _stopped(gains: Floats, attention: Floats) -> Floats:
    """Attention of a user whom a gain of g stops with probability g on top."""
    coming = np.concatenate(([1.0], np.cumprod(1.0 - filled(gains, len(attention), 0.0))))[:-1]
    return np.asarray(coming * attention)


def _squares(T: float, depth: int) -> Floats:  # noqa: N803 - the parameter's name
    return np.asarray((2 * T / (2 * T + np.arange(depth))) ** 2)


@explainer("INST")
def inst(ranked_query: RankedQuery, T: float, min_rel: float, max_rel: float, depth: int) -> Contributions:  # noqa: N803
    """The attention of a user who wants T in all."""
    gains = _gains(ranked_query, min_rel, max_rel, depth)
    i = np.arange(1, depth + 1)
    remaining = 2 * T - np.cumsum(filled(gains, depth, 0.0))
    going_on = ((i - 1 + remaining) / (i + remaining)) ** 2
    reach = np.concatenate(([1.0], np.cumprod(going_on)))[:-1]
    return _weighed(ranked_query, gains, reach, min_rel, max_rel)


@explainer("INSQ")
def insq(ranked_query: RankedQuery, T: float, min_rel: float, max_rel: float, depth: int) -> Contributions:  # noqa: N803
    """The same without regard to what was found."""
    return _weighed(ranked_query, _gains(ranked_query, min_rel, max_rel, depth), _squares(T, depth), min_rel, max_rel)


@explainer("SDCG")
def scaled_gain(ranked_query: RankedQuery, dcg: str, min_rel: float, max_rel: float, cutoff: int) -> Contributions:
    """Gain by 1 / log2(rank + 1), by that of k perfect documents."""
    attention = 1.0 / np.log2(np.arange(1, cutoff + 1) + 1.0)
    return _weighed(ranked_query, _gains(ranked_query, min_rel, max_rel, cutoff), attention, min_rel, max_rel)


@explainer("NERR8")
def nearly_err_8(ranked_query: RankedQuery, min_rel: float, max_rel: float, cutoff: int) -> Contributions:
    """Attention falls by 1 - gain."""
    gains = _gains(ranked_query, min_rel, max_rel, cutoff)
    return _weighed(ranked_query, gains, _stopped(gains, np.ones(cutoff)), min_rel, max_rel)


@explainer("NERR9")
def nearly_err_9(ranked_query: RankedQuery, min_rel: float, max_rel: float, cutoff: int) -> Contributions:
    """Attention falls by rank and by 1 - gain."""
    gains = _gains(ranked_query, min_rel, max_rel, cutoff)
    return _weighed(ranked_query, gains, _stopped(gains, 1.0 / np.arange(1, cutoff + 1)), min_rel, max_rel)


@explainer("NERR10")
def nearly_err_10(ranked_query: RankedQuery, p: float, min_rel: float, max_rel: float, depth: int) -> Contributions:
    """Attention falls by p and by 1 - gain."""
    gains = _gains(ranked_query, min_rel, max_rel, depth)
    return _weighed(ranked_query, gains, _stopped(gains, np.power(p, np.arange(float(depth)))), min_rel, max_rel)


@explainer("NERR11")
def nearly_err_11(ranked_query: RankedQuery, T: float, min_rel: float, max_rel: float, depth: int) -> Contributions:  # noqa: N803
    """Attention falls as INSQ's and by 1 - gain."""
    gains = _gains(ranked_query, min_rel, max_rel, depth)
    return _weighed(ranked_query, gains, _stopped(gains, _squares(T, depth)), min_rel, max_rel)


@explainer("BPM")
def bejeweled_player(ranked_query: RankedQuery, T: float, min_rel: float, max_rel: float, cutoff: int) -> Contributions:  # noqa: N803
    """Gain down to where T is gained, by that rank."""
    gains = _gains(ranked_query, min_rel, max_rel, cutoff)
    # In grades, not in shares of the highest: three thirds are then exactly one.
    units = gains * (max_rel - min_rel)
    units = np.where(np.abs(units - np.rint(units)) < 1e-9, np.rint(units), units)
    enough = np.flatnonzero((gains > 0) & (np.cumsum(units) >= T * (max_rel - min_rel) - 1e-9))
    stop = int(enough[0]) + 1 if len(enough) else cutoff
    why = tr("a gain of {T:g} is reached", T=T) if len(enough) else tr("the cutoff")
    return account(
        np.where(np.arange(1, len(gains) + 1) <= stop, gains, 0.0), tr("gain"),
        tr("the gain, down to the rank where the user stops"),
        columns=((GAIN, gains),), normaliser=Quantity("s", tr("the rank where the user stops: {why}", why=why), stop),
        unjudged=tr("Such documents gain nothing."), rules=(Rule("own",
        tr("The user stops at rank {stop}: {why}.", stop=stop, why=why)),),
    )  # fmt: skip
