"""The view model of the agreement of judges: a matrix of judges, each judge against the reference, and one pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.figures.figure import Figure
from irviewer.figures.matrix import matrix_figure
from irviewer.hidden_characters import escape_hidden
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.number_text import MINUS, limit
from irviewer.tables.table import Table
from irviewer.translation import decimal, interval, tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.agreement.judge_agreement import JudgeAgreement

STATISTICS: dict[str, str] = {
    "same_grade": tr("Per cent"),
    "kappa_level": tr("Kappa ≥{level}"),
    "kappa_quadratic": tr("Quadratic kappa"),
    "alpha_ordinal": tr("Ordinal alpha"),
}
"""The statistics that the matrix can show: name of COEFFICIENTS -> the text of its button."""
BESIDE = ("kappa_quadratic", "same_grade", "kappa_level", "alpha_ordinal", "difference")
"""The statistics beside the matrix, of each judge with the reference; the first one is drawn with its interval."""
BESIDE_ACROSS = ("kappa_level", "kappa_level_max", "same_grade", "alpha_ordinal", "difference")
"""The same where judges have different scales."""
OF_PAIR = ("same_grade", "kappa_level", "kappa_quadratic", "alpha_ordinal", "relevant", "nonrelevant", "ac1")
"""The statistics of the chosen pair below the matrix."""
OF_PAIR_ACROSS = ("kappa_level", "kappa_level_max", "relevant", "nonrelevant", "ac1")
"""The same for two judges with different scales."""


@dataclass(frozen=True)
class PairStatistic:
    """A statistic of the chosen pair: its title, its value and interval as texts, and what it means."""

    title: str
    value: str
    interval: str
    meaning: str


def _no_values() -> Floats:
    return np.empty(0)


def _no_matrix() -> Floats:
    return np.empty((0, 0))


def _no_flags() -> Bools:
    return np.empty((0, 0), dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class AgreementViewModel:
    """What the Agreement view shows of J judges, the reference first, then by similarity.

    places        the judge of each row, as the index of its judgment set
    statistic     the name of the statistic in the cells: the chosen one, or kappa at the level where judges have
                  different scales
    withheld      the statistics that cannot be chosen, because judges have different scales
    values        float64[J, J] of the cells; NaN on the diagonal and where it is undefined
    texts         the values as written
    clones        bool[J, J]: 99 % of the grades are equal
    groups        (first, last) row of each group of similar judges
    beside        name -> float64[J]: each judge with the reference, the statistics of BESIDE or BESIDE_ACROSS in this
                  order; NaN for the reference itself
    low, high     float64[J]: ends of the intervals of the first of them; NaN while they are computed
    shares        float64[J, K]: share of each grade; ``scale`` are the grades; ``top_grade`` is the highest that some
                  judge gives to 1 % of its documents
    pair          row and column of the chosen pair
    below         lines below the matrix: families and what numbers leave out
    explanation   why there is nothing to show, "" otherwise
    """

    title: str
    note: str
    explanation: str
    statistic: str = ""
    level: float = 1.0
    places: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    values: Floats = field(default_factory=_no_matrix)
    texts: tuple[tuple[str, ...], ...] = ()
    clones: Bools = field(default_factory=_no_flags)
    groups: tuple[tuple[int, int], ...] = ()
    beside: dict[str, Floats] | None = None
    low: Floats = field(default_factory=_no_values)
    high: Floats = field(default_factory=_no_values)
    shares: Floats = field(default_factory=_no_matrix)
    scale: Floats = field(default_factory=_no_values)
    top_grade: float = 1.0
    pair: tuple[int, int] = (-1, -1)
    pair_title: str = ""
    pair_note: str = ""
    pair_statistics: tuple[PairStatistic, ...] = ()
    below: tuple[str, ...] = ()
    agreement: JudgeAgreement | None = None
    figure: Figure | None = None
    withheld: tuple[str, ...] = ()

    def tip(self, row: int, column: int) -> str:
        """Return everything known of two judges, a line each."""
        if self.agreement is None or row == column:
            return ""
        first, second = self.places[row], self.places[column]
        pair = self.agreement.pair(first, second)
        lines = [
            trn("{first} and {second}: {n:,} pair judged by both", "{first} and {second}: {n:,} pairs judged by both",
                pair.pairs, first=pair.first, second=pair.second)
        ]  # fmt: skip
        for name, coefficient in COEFFICIENTS.items():
            estimate = pair[name]
            interval = interval_text(estimate.low, estimate.high, name)
            lines.append(f"{coefficient.title}  {statistic_text(name, estimate.value)}  {interval}".rstrip())
        if pair.near_clones:
            lines.append(tr("≡ nearly the same: at least 99 % of the grades are equal"))
        return "\n".join(lines)

    def tables(self) -> tuple[Table, ...]:
        """Return the table of every coefficient of every pair; () before they are computed."""
        from irviewer.views.agreement import every_pair

        return () if self.agreement is None else (every_pair(self.agreement),)


NEEDS_TWO = tr("Agreement needs two judgment sets: open another qrels file as another judge.")
COMPUTING = tr("Computing …")


def build_agreement_view_model(
    sets: Sequence[JudgmentSet], agreement: JudgeAgreement | None, statistic: str, pair: tuple[int, int]
) -> AgreementViewModel:
    """Return the view model of judges; ``pair`` are the indices of the two that are compared."""
    title = trn("Agreement of {n} judge", "Agreement of {n} judges", len(sets))
    if len(sets) < 2:
        return AgreementViewModel(title, "", NEEDS_TWO)
    names = [escape_hidden(judge.name) for judge in sets]
    if len(set(names)) < len(names):
        text = tr("Several judges have the same name. Give each another name with Judge > Describe judge….")
        return AgreementViewModel(title, "", text)
    if agreement is None:
        return AgreementViewModel(title, COMPUTING, "")
    order = agreement.order
    places = tuple(order.tolist())
    if not agreement.pairs[~np.eye(len(sets), dtype=np.bool_)].any():
        return AgreementViewModel(title, "", tr("No two judges have judged the same document for the same query."))
    if agreement.is_withheld(statistic):
        statistic = agreement.main
    values = agreement.values[statistic][np.ix_(order, order)].copy()
    np.fill_diagonal(values, np.nan)
    clones = agreement.near_clones[np.ix_(order, order)]
    texts = tuple(
        tuple(
            "≡" if clones[row, column] else _cell_text(statistic, float(values[row, column]))
            for column in range(len(places))
        )
        for row in range(len(places))
    )
    reference = agreement.reference
    beside = {name: _of_reference(agreement, name, order) for name in _beside(agreement)}
    groups = _spans(agreement.groups, order)
    where = {place: row for row, place in enumerate(places)}
    level = agreement.options.level
    first, second = pair
    of_pair = OF_PAIR_ACROSS if agreement.apart[first, second] else OF_PAIR
    statistics = tuple(_pair_statistic(agreement, name, first, second) for name in of_pair)
    clusters = _clusters(groups, len(places))
    title_of = STATISTICS[statistic].format(level=limit(level))
    figure = matrix_figure(
        values, [names[place] for place in places], clusters, tr("{statistic} of judges", statistic=title_of),
        lambda value: _cell_text(statistic, value), selected=(where[first], where[second]),
        note=_note(agreement), quantity=title_of,
        grouped=grouped_text(agreement.main),
    )  # fmt: skip
    return AgreementViewModel(
        title,
        _note(agreement),
        "",
        statistic,
        level,
        places,
        tuple(names[place] for place in places),
        frozen(values),
        texts,
        clones,
        groups,
        beside,
        frozen(agreement.low[agreement.main][reference, order]),
        frozen(agreement.high[agreement.main][reference, order]),
        agreement.shares[order],
        agreement.panel.scale,
        _top_grade(agreement),
        (where[first], where[second]),
        tr("{first} and {second}", first=names[first], second=names[second]),
        _pair_note(agreement, first, second),
        statistics,
        _below(agreement),
        agreement,
        figure,
        tuple(name for name in STATISTICS if agreement.is_withheld(name)),
    )


def grouped_text(main: str) -> str:
    """Return what a box around judges means, by the coefficient that groups them."""
    if main == "kappa_level":
        return tr("judges alike, kappa at the level {least} or more on average", least=decimal(".80"))
    return tr("judges alike, quadratic kappa {least} or more on average", least=decimal(".80"))


def _beside(agreement: JudgeAgreement) -> tuple[str, ...]:
    return BESIDE if agreement.main == BESIDE[0] else BESIDE_ACROSS


def statistic_text(name: str, value: float | None) -> str:
    """Return a statistic as written: shares in per cent, differences with a sign, others without the zero."""
    if value is None or math.isnan(value):
        return "–"
    if name in ("same_grade", "same_side"):
        return decimal(f"{100 * value:.1f}")
    if name == "difference":
        return signed(value)
    return _short(value, 3)


def interval_text(low: float | None, high: float | None, name: str = "") -> str:
    """Return ``[.377, .607]``; "" while it is not known."""
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return ""
    return interval(statistic_text(name, low), statistic_text(name, high))


def signed(value: float) -> str:
    """Return ``+.12`` or ``−.12``."""
    text = _short(abs(value), 2)
    return text if not float(f"{value:.2f}") else ("+" if value > 0 else MINUS) + text


def _short(value: float, decimals: int) -> str:
    text = f"{abs(value):.{decimals}f}"
    sign = MINUS if value < 0 and float(text) else ""
    return decimal(sign + (text[1:] if text.startswith("0.") else text))


def _cell_text(statistic: str, value: float) -> str:
    if math.isnan(value):
        return ""
    return f"{100 * value:.0f}" if statistic == "same_grade" else _short(value, 2)


def _of_reference(agreement: JudgeAgreement, name: str, order: Ints) -> Floats:
    values = agreement.values[name][agreement.reference, order].copy()
    values[0] = np.nan
    return np.asarray(frozen(values))


def _top_grade(agreement: JudgeAgreement) -> float:
    common = (np.nan_to_num(agreement.shares) >= 0.01).any(axis=0)
    return float(agreement.panel.scale[common].max(initial=1.0))


def _spans(groups: Sequence[Sequence[int]], order: Ints) -> tuple[tuple[int, int], ...]:
    """Return first and last row of the groups whose judges are adjacent."""
    where = {place: row for row, place in enumerate(order.tolist())}
    spans = []
    for group in groups:
        rows = sorted(where[place] for place in group)
        if rows[-1] - rows[0] == len(rows) - 1:
            spans.append((rows[0], rows[-1]))
    return tuple(sorted(spans))


def _clusters(groups: Sequence[tuple[int, int]], size: int) -> Ints:
    clusters = np.arange(size)
    for first, last in groups:
        clusters[first : last + 1] = first
    return np.asarray(frozen(clusters))


def _note(agreement: JudgeAgreement) -> str:
    parts = [tr("ordered by similarity")]
    parts.append(
        trn("{n:,} pair judged by all", "{n:,} pairs judged by all", agreement.judged_by_all)
        if agreement.judged_by_all
        else tr("each pair of judges, on what both judged")
    )
    parts.append(trn("{n:,} query", "{n:,} queries", len(agreement.panel.query_ids)))
    alpha = agreement.alphas["alpha_ordinal"].value
    if alpha is not None and len(agreement.names) > 2:
        parts.append(tr("ordinal alpha of all {n}: {alpha}", n=len(agreement.names), alpha=_short(alpha, 3)))
    return " · ".join(parts)


def _pair_statistic(agreement: JudgeAgreement, name: str, first: int, second: int) -> PairStatistic:
    coefficient, estimate = COEFFICIENTS[name], agreement.estimate(name, first, second)
    title = coefficient.title
    if name == "same_grade":
        title = tr("per cent")
    elif name in ("kappa_level", "kappa_level_max", "relevant", "ac1"):
        short = {
            "kappa_level": tr("kappa ≥{level}"), "kappa_level_max": tr("largest kappa ≥{level}"),
            "relevant": tr("relevant ≥{level}"), "ac1": tr("AC1 ≥{level}"),
        }  # fmt: skip
        title = short[name].format(level=limit(agreement.options.level))
    elif name == "nonrelevant":
        title = tr("non-relevant")
    elif name == "kappa_quadratic":
        title = tr("quadratic κ")
    elif name == "alpha_ordinal":
        title = tr("ordinal α")
    return PairStatistic(
        title,
        statistic_text(name, estimate.value),
        interval_text(estimate.low, estimate.high, name),
        coefficient.meaning,
    )


def _pair_note(agreement: JudgeAgreement, first: int, second: int) -> str:
    queries = int(agreement.queries[first, second])
    if not agreement.pairs[first, second]:
        return tr("no pair of query and document in common")
    return trn(
        "95 % interval: bootstrap over the {n} query", "95 % interval: bootstrap over the {n} queries", queries
    )  # fmt: skip


def _below(agreement: JudgeAgreement) -> tuple[str, ...]:
    """Return the lines below the matrix."""
    main = agreement.main
    lines = [
        tr(
            "{family}: {judges} agree with each other with a {kappa} of {value} on average, the ceiling for "
            "agreement with any other judge.",
            family=family.family, judges=", ".join(family.judges), kappa=COEFFICIENTS[main].title,
            value=statistic_text(main, family.estimates[main].value),
        )
        for family in agreement.families
    ]  # fmt: skip
    return (*lines, *agreement.notes)
