"""Agreement of all pairs of judges: coefficients with intervals, order by similarity, near-clones, families."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal

import numpy as np

from irviewer.analysis.agreement.coefficients import (
    COEFFICIENTS,
    DIRECTED,
    Grades,
    alpha_of_coincidences,
    coefficients,
    coincidences,
)
from irviewer.analysis.agreement.draws import Draws, percentiles
from irviewer.analysis.agreement.pair_tables import pair_tables, relevant_grades
from irviewer.analysis.agreement.sampling import weights_of_pair
from irviewer.analysis.agreement.scales import apart, ends_apart, positions, top_of
from irviewer.analysis.similarity.clusters import clusters
from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.errors import OptionError, name_some
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.judgments.judging_task import JudgingTask
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.judgments.panel import Panel, panel_of
from irviewer.model.protocol import Inference, Rules
from irviewer.translation import decimal, tr, trn

Steps = Literal["position", "grade"]
"""The unit of weighted kappa: the next grade in use, or the difference of the grades."""

ALIKE = 0.8
"""Judges with at least this mean kappa form a group."""
CLONES = 0.99
"""Judges who give so many pairs the same grade are near-clones,"""
CLONE_PAIRS = 50
"""where they have judged so many in common."""

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Estimate:
    """A statistic with its percentile interval; None if it is undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class AgreementOptions:
    """The options of agreement.

    level       relevance level
    steps       "position": neighbouring grades of the scale of the two judges are one step apart (as in scikit-learn),
                whatever other judges give; "grade": by their difference
    samples     bootstrap samples of the queries; 0: no intervals
    confidence  level of the intervals
    """

    level: float = 1
    steps: Steps = "position"
    samples: int = SAMPLES
    seed: int = SEED
    confidence: float = LEVEL

    def __post_init__(self) -> None:
        if self.steps not in ("position", "grade"):
            raise OptionError(tr("Steps are {steps!r}; use 'position' or 'grade'.", steps=self.steps))
        if self.samples < 0 or not 0 < self.confidence < 1:
            raise OptionError(tr("Give 0 samples or more, and a confidence between 0 and 1 such as .95."))


def agreement_options(rules: Rules, inference: Inference, steps: Steps = "position") -> AgreementOptions:
    """Return the options of agreement by the rules and the inference of a protocol."""
    return AgreementOptions(rules.level, steps, inference.samples, inference.seed, inference.confidence)


@dataclass(frozen=True)
class PairAgreement:
    """The agreement of two judges on what both judged.

    pairs, queries   the number of pairs of query and document, and of queries
    estimates        name of COEFFICIENTS -> value and interval
    near_clones      True if 99 % of the grades are equal, of 50 or more
    """

    first: str
    second: str
    pairs: int
    queries: int
    estimates: dict[str, Estimate]
    near_clones: bool

    def __getitem__(self, name: str) -> Estimate:
        return self.estimates[name]


@dataclass(frozen=True)
class FamilyAgreement:
    """The agreement within the judgment sets of one family, which other judges can hardly exceed.

    estimates   name of COEFFICIENTS -> mean over the family's pairs (low, high: the lowest and the highest of them)
    """

    family: str
    judges: tuple[str, ...]
    estimates: dict[str, Estimate]


@dataclass(frozen=True, eq=False)
class JudgeAgreement:
    """Agreement of J judges.

    reference   the place of the judge that the others are compared with
    pairs       int64[J, J]: pairs of query and document that both judged
    queries     int64[J, J]: queries of these
    values, low, high   name of COEFFICIENTS -> float64[J, J]; NaN where undefined or withheld. The difference is the
                column's grade minus the row's; all others are symmetric, the diagonal is a judge with itself
    apart       bool[J, J]: pairs of judges with different scales. Statistics of their grades are withheld, as they
                would measure the scales; those at the level stay
    alphas      Krippendorff's alpha of all judges, with intervals
    order       int64[J]: the reference first, then the others by likeness
    groups      groups of judges (places) that are alike: kappa .8 or more on average
    """

    panel: Panel
    options: AgreementOptions
    reference: int
    pairs: Ints
    queries: Ints
    values: dict[str, Floats]
    low: dict[str, Floats]
    high: dict[str, Floats]
    alphas: dict[str, Estimate]
    apart: Bools
    order: Ints
    groups: tuple[tuple[int, ...], ...]

    @property
    def main(self) -> str:
        """The coefficient that is shown first and that orders the judges: quadratic kappa, or kappa at the level where
        judges have different scales."""
        return main_of(self.apart)

    def is_withheld(self, name: str) -> bool:
        """Whether a coefficient is withheld of some pairs, because it is of grades and their scales differ."""
        return bool(self.apart.any()) and not COEFFICIENTS[name].at_level

    @property
    def names(self) -> tuple[str, ...]:
        """The judges' names."""
        return self.panel.names

    def pair(self, first: str | int, second: str | int) -> PairAgreement:
        """Two judges, by name or place."""
        row, column = self.panel.place(first), self.panel.place(second)
        estimates = {name: self.estimate(name, row, column) for name in COEFFICIENTS}
        return PairAgreement(
            self.names[row], self.names[column], int(self.pairs[row, column]), int(self.queries[row, column]),
            estimates, bool(self.near_clones[row, column]),
        )  # fmt: skip

    def estimate(self, name: str, first: int, second: int) -> Estimate:
        """Return one coefficient of two judges."""
        return estimate(self.values[name][first, second], self.low[name][first, second], self.high[name][first, second])

    @cached_property
    def near_clones(self) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """bool[J, J]: pairs of judges with 99 % equal grades, of 50 pairs or more."""
        with np.errstate(invalid="ignore"):
            clones = (self.values["same_grade"] >= CLONES) & (self.pairs >= CLONE_PAIRS)
        np.fill_diagonal(clones, False)
        return clones

    @cached_property
    def shares(self) -> Floats:
        """float64[J, K]: the share of each grade of the scale among a judge's grades."""
        rows = [self.panel.shares(judge) for judge in range(len(self.names))]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.panel.scale))

    @cached_property
    def judged(self) -> Ints:
        """int64[J]: how many pairs of query and document each judge judged."""
        return np.asarray(self.panel.judged.sum(axis=0), dtype=np.int64)

    @cached_property
    def judged_by_all(self) -> int:
        """The number of pairs of query and document that every judge judged."""
        return int(self.panel.judged.all(axis=1).sum()) if len(self.names) else 0

    @cached_property
    def families(self) -> tuple[FamilyAgreement, ...]:
        """The families with two or more judges."""
        families: dict[str, list[int]] = {}
        for position, judge in enumerate(self.panel.sets):
            if judge.family:
                families.setdefault(judge.family, []).append(position)
        return tuple(self._family(name, places) for name, places in families.items() if len(places) > 1)

    def _family(self, name: str, places: list[int]) -> FamilyAgreement:
        row, column = np.triu_indices(len(places), 1)
        own = np.array(places)
        result = {}
        for key in COEFFICIENTS:
            values = self.values[key][own[row], own[column]]
            values = np.abs(values) if key == DIRECTED else values
            values = values[~np.isnan(values)]
            result[key] = Estimate(float(values.mean()), float(values.min()), float(values.max())) if len(
                values
            ) else Estimate(None)  # fmt: skip
        return FamilyAgreement(name, tuple(self.names[place] for place in places), result)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Sentences about what the values leave out or treat specially."""
        result = []
        for judge, negative in zip(self.names, self.panel.negative.tolist(), strict=True):
            if negative:
                result.append(
                    tr(
                        "{judge}: {n} negative grades mean unjudged and are left out.",
                        judge=judge,
                        n=decimal(f"{negative:,}"),
                    )
                )
        result += off_scale_notes(self.panel, self.options.steps)
        result += [
            tr("{judge} has judged nothing.", judge=judge)
            for judge, n in zip(self.names, self.judged.tolist(), strict=True)
            if not n
        ]
        result += self._scale_notes() + self._constant_notes()
        reference = self.reference
        for position, judge in enumerate(self.names):
            if (
                position != reference
                and not self.pairs[reference, position]
                and self.judged[[position, reference]].all()
            ):
                result.append(tr("{judge} and {reference} have judged no pair in common.", judge=judge,
                                 reference=self.names[reference]))  # fmt: skip
        return tuple(result)

    def _scale_notes(self) -> list[str]:
        """Return which judges are taken to have one scale though they end apart, and why statistics of judges with
        different scales are withheld."""
        notes = []
        for first, second, low, high in ends_apart(self.panel, self.apart)[:1]:
            text = tr(
                "{first} gives no grade above {low:g}, {second} gives {high:g}: they are taken to have one scale. If "
                "they do not, kappa and the other statistics of grades measure their scales too; those at the level do "
                "not.",
                first=self.names[first], low=low, second=self.names[second], high=high,
            )  # fmt: skip
            notes.append(text)
        return [*notes, *self._withheld_notes()]

    def _constant_notes(self) -> list[str]:
        """Return who gives every document the same grade, and what that does to statistics."""
        codes = self.panel.codes
        above = len(self.panel.scale)
        least, most = np.where(codes < 0, above, codes).min(axis=0, initial=above), codes.max(axis=0, initial=-1)
        constant = np.flatnonzero(least == most).tolist()
        if not constant:
            return []
        return [trn(
            "{judges} gives every document the same grade: kappa is 0 in every sample of queries, and has no interval.",
            "{judges} give every document the same grade: kappa is 0 in every sample of queries, and has no interval.",
            len(constant), judges=name_some([self.names[place] for place in constant], 3),
        )]  # fmt: skip

    def _withheld_notes(self) -> list[str]:
        if not self.apart.any():
            return []
        other = self.apart[self.reference]
        if other.any():
            names = name_some([self.names[place] for place in np.flatnonzero(other).tolist()], 3)
            first = trn(
                "The scale of {judges} differs from that of {reference}: only statistics at the level are shown.",
                "The scales of {judges} differ from that of {reference}: only statistics at the level are shown.",
                int(other.sum()), judges=names, reference=self.names[self.reference],
            )  # fmt: skip
        else:
            first = tr("Some judges have different scales: of them only statistics at the level are shown.")
        result = [
            first,
            tr("Quadratic kappa, per cent and other statistics of grades would rank judges by their scales. Kappa at "
               "the level is shown with the largest that is possible."),
        ]  # fmt: skip
        low = _below_level(self.panel, self.apart, self.options.level)
        if low:
            result.append(
                tr("{judges}: no grade of the level {level:g} or more, so that there is no kappa at the level with "
                   "judges on other scales. Choose a lower level.",
                   judges=name_some([self.names[place] for place in low], 30), level=self.options.level)
            )  # fmt: skip
        return result


def main_of(apart: Bools) -> str:
    """Return the coefficient that orders judges, by which of them have different scales, bool[J, J]."""
    return "kappa_level" if apart.any() else "kappa_quadratic"


def withheld(name: str, panel: Panel, apart: Bools, level: float) -> Bools:
    """Return bool[J, J]: the pairs of judges of which a coefficient is withheld: statistics of grades across scales,
    and those at a level that the lower scale does not reach."""
    if not COEFFICIENTS[name].at_level:
        return apart
    low = np.zeros(len(apart), dtype=np.bool_)
    low[_below_level(panel, apart, level)] = True
    return np.asarray(apart & (low[:, None] | low))


def _below_level(panel: Panel, apart: Bools, level: float) -> list[int]:
    """Return the judges with a scale of their own that ends below the level."""
    return [judge for judge in np.flatnonzero(apart.any(axis=1)).tolist() if top_of(panel, judge) < level]


def estimate(value: float, low: float, high: float) -> Estimate:
    """Return an estimate of numbers that are NaN where they are undefined."""
    if np.isnan(value):
        return Estimate(None)
    if np.isnan(low):
        return Estimate(float(value))
    return Estimate(float(value), float(low), float(high))


def agreement(
    sets: Sequence[JudgmentSet] | Panel,
    options: AgreementOptions | None = None,
    *,
    reference: str | int = 0,
    weights: Floats | None = None,
    task: JudgingTask | None = None,
    progress: Progress | None = None,
) -> JudgeAgreement:
    """Return the agreement of judges, each pair on what both judged.

    weights    float64[U]: how much each row of the panel counts; None: by ``task``
    task       what was drawn to be judged; None: for a judge whose set says that it was drawn, its task
    progress   is told the share done

    Raises OptionError for fewer than two sets, two of one name, or too many grades."""
    options = options or AgreementOptions()
    panel = sets if isinstance(sets, Panel) else panel_of(sets)
    if len(panel.sets) < 2:
        raise OptionError(tr("Agreement needs two judgment sets: open another qrels file as another judge."))
    place = panel.place(reference)
    size = len(panel.sets)
    relevant = relevant_grades(panel, options.level)
    draws = Draws(options.samples, options.seed)
    pairs, queries = np.zeros((size, size), np.int64), np.zeros((size, size), np.int64)
    values, low, high = ({name: np.full((size, size), np.nan) for name in COEFFICIENTS} for _ in range(3))
    done = 0
    for row in range(size):
        for column in range(row, size):
            own = weights_of_pair(panel, row, column, task) if weights is None else weights
            tables = pair_tables(panel, row, column, own)
            pairs[row, column] = pairs[column, row] = len(tables.rows)
            queries[row, column] = queries[column, row] = len(tables.queries)
            if len(tables.rows):
                levels = tables.levels
                grades = Grades(_steps(panel, row, column, levels, options), panel.scale[levels], relevant[levels])
                of_pair = coefficients(tables.total[:, :, None], grades)
                ends = None
                if options.samples and row != column and len(tables.queries) > 1:
                    k = len(levels)
                    again = draws.of(tables.counts.reshape(-1, k * k), partial(_of_sums, grades, k))
                    ends = percentiles(again, options.confidence)
                for number, (name, value) in enumerate(of_pair.items()):
                    _put(values[name], row, column, float(value[0]), -1 if name == DIRECTED else 1)
                    if ends is not None and not np.isnan(value[0]):
                        _put_ends(low[name], high[name], row, column, ends[0][number], ends[1][number], name)
            done += 1
        if progress is not None:
            progress(done / (size * (size + 1) / 2))
    different = apart(panel)
    for arrays in (values, low, high):
        for name, array in arrays.items():
            array[withheld(name, panel, different, options.level)] = np.nan
            frozen(array)
    kappa = values[main_of(different)]
    alphas = alpha_of_all(panel, options, draws)
    if different.any():
        alphas = dict.fromkeys(alphas, Estimate(None))
    return JudgeAgreement(
        panel, options, place, frozen(pairs), frozen(queries), values, low, high, alphas, frozen(different),
        likeness_order(kappa, place), _groups(kappa, place),
    )  # fmt: skip


def _steps(panel: Panel, first: int, second: int, levels: Ints, options: AgreementOptions) -> Floats:
    """Return the steps of weighted kappa of the grades of two judges, indices of the panel's scale."""
    return positions(panel, first, second, levels) if options.steps == "position" else panel.scale[levels]


def with_reference(agreement: JudgeAgreement, reference: str | int) -> JudgeAgreement:
    """Return the same agreement with another judge as the reference: another order, and other groups."""
    place = agreement.panel.place(reference)
    if place == agreement.reference:
        return agreement
    kappa = agreement.values[agreement.main]
    return replace(agreement, reference=place, order=likeness_order(kappa, place), groups=_groups(kappa, place))


def with_intervals(
    agreement: JudgeAgreement,
    pairs: Sequence[tuple[int, int]],
    options: AgreementOptions,
    progress: Progress | None = None,
) -> JudgeAgreement:
    """Return the agreement with intervals of some pairs of judges (places), by bootstrap over queries; those of other
    pairs stay as they are. Values are not computed again."""
    panel = agreement.panel
    relevant = relevant_grades(panel, options.level)
    draws = Draws(options.samples, options.seed)
    low = {name: ends.copy() for name, ends in agreement.low.items()}
    high = {name: ends.copy() for name, ends in agreement.high.items()}
    for done, (row, column) in enumerate(pairs):
        if progress is not None:
            progress(done / len(pairs))
        tables = pair_tables(panel, row, column, weights_of_pair(panel, row, column))
        if row == column or len(tables.queries) < 2 or not options.samples:
            continue
        levels, k = tables.levels, len(tables.levels)
        grades = Grades(_steps(panel, row, column, levels, options), panel.scale[levels], relevant[levels])
        ends = percentiles(draws.of(tables.counts.reshape(-1, k * k), partial(_of_sums, grades, k)), options.confidence)
        for number, name in enumerate(COEFFICIENTS):
            if not np.isnan(agreement.values[name][row, column]):
                _put_ends(low[name], high[name], row, column, ends[0][number], ends[1][number], name)
    for arrays in (low, high):
        for array in arrays.values():
            frozen(array)
    return replace(agreement, low=low, high=high)


def alpha_of_all(panel: Panel, options: AgreementOptions, draws: Draws) -> dict[str, Estimate]:
    """Return Krippendorff's alphas of all judges of a panel, on what two or more of them judged."""
    size = len(panel.scale)
    if not size:
        return {name: Estimate(None) for name in ("alpha_nominal", "alpha_ordinal", "alpha_interval")}
    tables = coincidences(panel.codes, panel.query, len(panel.query_ids), size)
    tables = tables[tables.any(axis=(1, 2))]
    alphas = alpha_of_coincidences(tables.sum(axis=0)[:, :, None], panel.scale)
    low = high = np.full(len(alphas), np.nan)
    if options.samples and len(tables) > 1:
        again = draws.of(
            tables.reshape(-1, size * size),
            lambda sums: alpha_of_coincidences(sums.reshape(size, size, -1), panel.scale),
        )
        low, high = percentiles(again, options.confidence)
    return {
        name: estimate(float(value[0]), low[number], high[number])
        for number, (name, value) in enumerate(alphas.items())
    }  # fmt: skip


def off_scale_notes(panel: Panel, steps: Steps) -> list[str]:
    """Return notes on judges with rare grades outside the scale of the others: how these count in weighted kappa."""
    result = []
    for judge in range(len(panel.sets)):
        others = np.delete(panel.grades, judge, axis=1)
        own = panel.grades[panel.judged[:, judge], judge]
        known = others[~np.isnan(others)]
        if len(panel.sets) < 3 or not len(own) or not len(known):
            continue
        beyond = own[own > known.max()]
        if len(beyond) and len(beyond) < 0.01 * len(own):
            how = (
                tr("they count as one step above it")
                if steps == "position"
                else tr("they count by their distance from it")
            )
            result.append(
                tr(
                    "{judge}: {n} of its grades lie above the scale of the others, which ends at {top:g} ({grades}); "
                    "in weighted kappa {how}.",
                    judge=panel.names[judge], n=len(beyond), top=float(known.max()),
                    grades=", ".join(f"{grade:g}" for grade in np.unique(beyond)), how=how,
                )
            )  # fmt: skip
    return result


def _of_sums(grades: Grades, size: int, sums: Floats) -> dict[str, Floats]:
    return coefficients(sums.reshape(size, size, -1), grades)


def _put(matrix: Floats, row: int, column: int, value: float, sign: int) -> None:
    matrix[column, row] = sign * value
    matrix[row, column] = value


def _put_ends(low: Floats, high: Floats, row: int, column: int, least: float, most: float, name: str) -> None:
    low[row, column], high[row, column] = least, most
    low[column, row], high[column, row] = (-most, -least) if name == DIRECTED else (least, most)


def _groups(kappa: Floats, reference: int) -> tuple[tuple[int, ...], ...]:
    """Return groups of two or more judges, without the reference, whose mean kappa is at least ``ALIKE``."""
    others = np.delete(np.arange(len(kappa)), reference)
    label = clusters(kappa[np.ix_(others, others)]).groups(ALIKE)
    groups = [tuple(others[label == group].tolist()) for group in range(int(label.max(initial=-1)) + 1)]
    return tuple(group for group in groups if len(group) > 1)


def likeness_order(similarity: Floats, reference: int) -> Ints:
    """Return the display order of judges, int64[J]: the reference, then the others by average linkage of 1 - similarity
    float64[J, J]. At a fork the side with the higher mean similarity to the reference is first; equal sides keep the
    given order."""
    others = np.delete(np.arange(len(similarity)), reference)
    if len(others) < 2:
        return np.asarray(frozen(np.concatenate([[reference], others]).astype(np.int64)))
    near = np.nan_to_num(similarity[reference, others], nan=-np.inf)
    members: list[list[int]] = [[position] for position in range(len(others))]
    for left, right in clusters(similarity[np.ix_(others, others)]).merges[:, :2].astype(np.int64).tolist():
        sides = sorted((members[left], members[right]), key=lambda side: (-float(np.mean(near[side])), min(side)))
        members.append(sides[0] + sides[1])
    return np.asarray(frozen(np.concatenate([[reference], others[members[-1]]]).astype(np.int64)))
