"""Corrected scores: a human's mean over a random sample of the queries, plus what a model says of the others.

This is prediction-powered inference (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, Science 2023) for means, where
the sample is part of the queries: the regression estimator of double sampling (Cochran, Sampling Techniques, 12.6). The
weight λ of the model is tuned (:mod:`irviewer.analysis.agreement.powered`). With unequal inclusion probabilities means
are weighted by their inverse (Hájek); with strata they are computed per stratum. Where the drawn queries are judged in
part, the sizes of the strata are those of what was drawn, and bounds say how far the queries that are not judged could
move a mean."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irviewer.analysis.agreement.powered import (
    CALIBRATED,
    SMALL,
    for_skewness,
    slopes,
    slopes_without,
    widening,
)
from irviewer.analysis.agreement.powered import FEWEST as FEWEST_TUNED
from irviewer.analysis.planning.designs import kurtosis_of
from irviewer.analysis.similarity.rank_correlation import tau_b
from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.analysis.statistics.significance.corrections import corrected as p_corrected
from irviewer.analysis.statistics.significance.resampling import SEED
from irviewer.errors import OptionError, name_some
from irviewer.evaluation.answer_cautions import lacks, refuse_lacking
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.installed.scipy_parts import special
from irviewer.measures.answered import reads_grades
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.exported import Exported
from irviewer.model.judgments.judging_task import JudgingTask
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr, trn

FEWEST = 2
"""The smallest number of sampled queries."""
MOST_NAMED = 3
"""Runs that are left out and named."""


@dataclass(frozen=True, eq=False)
class Sample:
    """n of N queries, drawn at random.

    places         int64[n]: the indices of the sampled queries
    probability    float64[n]: inclusion probabilities
    stratum        int64[n], and the sizes int64[S] of all strata of the N queries; None if strata are unknown
    total          N
    """

    places: Ints
    probability: Floats
    stratum: Ints | None
    sizes: Ints | None
    total: int

    @property
    def equal(self) -> bool:
        """True if all queries had the same inclusion probability."""
        return bool(np.ptp(self.probability) <= 1e-12) if len(self.probability) else True

    @cached_property
    def weights(self) -> Floats:
        """float64[n]: the weight of each query; they sum to 1."""
        weights = 1.0 / self.probability
        return np.asarray(weights / weights.sum())

    @cached_property
    def df(self) -> int:
        """Degrees of freedom of the variance of the differences; of strata those of Satterthwaite (Biometrics
        Bulletin 1946), as if all strata had the same variance, rounded down: a large stratum of which few are judged
        has the degrees of these few."""
        n = len(self.places)
        if self.stratum is None or self.sizes is None or self.equal:
            return max(1, n - 1)
        number = np.bincount(self.stratum, minlength=len(self.sizes)).astype(np.float64)
        used = (number > 0) & (number < self.sizes)
        sizes, number = self.sizes[used], number[used]
        pooled = max(n - int(np.count_nonzero(np.bincount(self.stratum))), 1)
        share = sizes**2 * (1 / number - 1 / sizes)
        own = np.where(number > 1, number - 1, pooled)
        return max(1, int(share.sum() ** 2 / (share**2 / own).sum() + 1e-9)) if share.any() else max(1, pooled)

    def variance_of_mean(self, values: Floats) -> Floats:
        """Return float64[R]: the sampling variance of the weighted means of float64[R, n]: 0 where all queries are
        drawn."""
        n = len(self.places)
        if self.equal:
            return np.asarray((1 / n - 1 / self.total) * values.var(axis=1, ddof=1))
        if self.stratum is not None and self.sizes is not None:
            return self._of_strata(values)
        mean = values @ self.weights
        spread = (self.weights * (values - mean[:, None])) ** 2 * (1 - self.probability)
        return np.asarray(n / (n - 1) * spread.sum(axis=1))

    def _of_strata(self, values: Floats) -> Floats:
        assert self.stratum is not None and self.sizes is not None
        within = np.zeros(len(values))
        degrees = 0
        groups = [np.flatnonzero(self.stratum == number) for number in range(len(self.sizes))]
        for group in groups:
            if len(group) > 1:
                within += values[:, group].var(axis=1, ddof=1) * (len(group) - 1)
                degrees += len(group) - 1
        pooled = within / max(degrees, 1)  # for strata with one sampled query
        result = np.zeros(len(values))
        total = sum(size for size, group in zip(self.sizes.tolist(), groups, strict=True) if len(group))
        for size, group in zip(self.sizes.tolist(), groups, strict=True):
            if not len(group) or len(group) == size:
                continue
            spread = values[:, group].var(axis=1, ddof=1) if len(group) > 1 else pooled
            result += (size / total) ** 2 * (1 / len(group) - 1 / size) * spread
        return result

    def variance(self, values: Floats) -> Floats:
        """Return float64[R]: the variance between queries of float64[R, n], estimated for all queries."""
        n = len(self.places)
        mean = values @ self.weights
        return np.asarray(((values - mean[:, None]) ** 2) @ self.weights * n / (n - 1))


@dataclass(frozen=True, eq=False)
class CorrectedMeans:
    """R means (or mean differences) under a model, corrected by a human on the sample.

    model        float64[R]: the model alone, all N queries
    human        float64[R]: the human alone, the sample (weighted)
    weight       float64[R]: λ, how much the model counts: 0 not at all, 1 as in the first form of such inference
    values, low, high   float64[R]: corrected, with Student's t interval; NaN ends where it is withheld
    widened      float64[R]: the factor by which the interval is wider than Student's, so that simulated intervals cover
                 the mean as often as they say, also of skewed values; NaN where the simulation needs more than twice,
                 with too few queries, and where the human's values are all the same
    variance     float64[R]: of the corrected means
    worth        float64[R]: how many queries judged by the human alone would give so narrow an interval; NaN where the
                 human's values are all the same
    correlation  float64[R]: of human and model over the sampled queries
    p            float64[R]: of a mean of 0
    human_spread, difference_spread   float64[R]: variances between queries of the human's values, and of what the model
                 leaves unexplained of them
    human_kurtosis, difference_kurtosis   float64[R]: of the same values, for limits of these variances; NaN where they
                 do not vary, and for few
    """

    n: int
    total: int
    df: int
    level: float
    model: Floats
    human: Floats
    weight: Floats
    values: Floats
    low: Floats
    high: Floats
    widened: Floats
    variance: Floats
    worth: Floats
    correlation: Floats
    p: Floats
    human_spread: Floats
    difference_spread: Floats
    human_kurtosis: Floats
    difference_kurtosis: Floats

    @property
    def saved(self) -> Floats:
        """float64[R]: how many human queries the model saves; below 0 it needs more."""
        return self.worth - self.n

    @property
    def misleads(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """bool[R]: the model's mean lies outside the corrected interval."""
        return np.asarray((self.model < self.low) | (self.model > self.high))

    def half_widths(self, queries: Ints) -> tuple[Floats, Floats]:
        """Return float64[R, K] twice: half the interval if so many queries int64[K] were drawn alike, corrected and by
        the human alone, from this sample's variances."""
        drawn = queries.astype(np.float64)
        t = _t(self.level, np.maximum(drawn - 1, 1))
        left = np.maximum(1 / drawn - 1 / self.total, 0.0)
        both = self.human_spread[:, None] / self.total + left * self.difference_spread[:, None]
        return t * np.sqrt(both), t * np.sqrt(self.human_spread[:, None] / drawn)


def corrected_means(
    model: Floats, human: Floats, sample: Sample, *, level: float = LEVEL, as_sample: bool = True,
    slope: float | None = None, seed: int = SEED,
) -> CorrectedMeans:  # fmt: skip
    """Corrected means of R rows.

    model       float64[R, N]: under the model, all queries
    human       float64[R, n]: under the human, those sampled
    as_sample   the N queries are themselves a sample of queries; False: they are all there is, and the interval is of
                the sampling of the human's queries alone
    slope       how much of the model's mean of all queries minus that of the sample is added, 1 for all of it; None:
                tuned, which needs 15 human queries, and 50 where these were drawn with unequal probabilities; else it
                is 1. Below 15 there is no interval
    seed        of the simulation that widens intervals from fewer than 50 queries

    Raises OptionError for fewer than two sampled queries."""
    n, total = len(sample.places), sample.total
    if n < FEWEST:
        raise OptionError(
            tr("Corrected scores need two queries or more that human and model both judged; there are {n}.", n=n)
        )
    own = model[:, sample.places]
    spread = sample.variance(human)
    most, widened = total / max(total - n, 1), np.ones(len(human))
    tuned = slope is None and FEWEST_TUNED <= n < total and (sample.equal or n >= CALIBRATED)
    if tuned:
        whole = model.var(axis=1, ddof=1)
        used = np.clip(slopes(human, own, whole), 0.0, most)
        without = np.clip(slopes_without(human, own, whole), 0.0, most)
        residuals = human - without * (own - own.mean(axis=1, keepdims=True))
        if n < CALIBRATED and as_sample:
            widened = widening(human, own, whole, total - n, level=level, most=most, seed=seed)
        share = 1 / n - (0 if as_sample else 1 / total)
        widened = widened * for_skewness(human, human - used[:, None] * own, share)
    else:
        used = np.full(len(human), 1.0 if slope is None else slope)
        residuals = human - used[:, None] * own
        if slope is None and n < FEWEST_TUNED:
            widened = np.full(len(human), np.nan)
    variance = sample.variance_of_mean(residuals) + (spread / total if as_sample else 0.0)
    varies = np.ptp(human, axis=1) > SMALL
    if n < total or as_sample:  # values that are all the same do not tell their spread, nor residuals
        widened = np.where(varies & (variance > SMALL**2), widened, np.nan)
    values = sample_mean(human, sample) + used * (model.mean(axis=1) - sample_mean(own, sample))
    errors = np.sqrt(variance) * widened
    half = _t(level, np.array(float(sample.df))) * errors
    with np.errstate(invalid="ignore", divide="ignore"):
        worth = np.where(varies, spread / variance if as_sample else 1 / (variance / spread + 1 / total), np.nan)
        t = np.where(errors > SMALL, values / errors, np.nan)  # what is known for certain is not tested
    return CorrectedMeans(
        n, total, sample.df, level, frozen(model.mean(axis=1)), frozen(sample_mean(human, sample)),
        frozen(used / most if n < total else np.zeros(len(human))), frozen(values), frozen(values - half),
        frozen(values + half), frozen(widened), frozen(variance), frozen(worth),
        frozen(_correlations(own, human)), frozen(_p(t, sample.df)), frozen(spread), frozen(sample.variance(residuals)),
        _kurtosis(human), _kurtosis(residuals),
    )  # fmt: skip


def _kurtosis(values: Floats) -> Floats:
    """Return float64[R]: the kurtosis of each row of float64[R, n]."""
    return frozen(np.array([kurtosis_of(row[None]) for row in values]))


def sample_mean(values: Floats, sample: Sample) -> Floats:
    """Return float64[R]: weighted means of float64[R, n]; strata are weighted by their sizes."""
    if sample.equal or sample.stratum is None or sample.sizes is None:
        return np.asarray(values @ sample.weights)
    result, total = np.zeros(len(values)), 0
    for number, size in enumerate(sample.sizes.tolist()):
        group = sample.stratum == number
        if group.any():
            result += size * values[:, group].mean(axis=1)
            total += size
    return np.asarray(result / total)


def _t(level: float, df: Floats) -> Floats:
    stdtrit = special().stdtrit

    return np.asarray(stdtrit(df, (1 + level) / 2))


def _p(t: Floats, df: int) -> Floats:
    stdtr = special().stdtr

    return np.asarray(np.where(np.isnan(t), np.nan, np.minimum(1.0, 2 * stdtr(df, -np.abs(np.nan_to_num(t))))))


def _correlations(model: Floats, human: Floats) -> Floats:
    first, second = model - model.mean(axis=1, keepdims=True), human - human.mean(axis=1, keepdims=True)
    scale = np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1))
    correlations = np.divide((first * second).sum(axis=1), scale, out=np.full(len(model), np.nan), where=scale > 1e-12)
    return np.asarray(np.clip(correlations, -1.0, 1.0))


@dataclass(frozen=True, eq=False)
class PartJudged:
    """Corrected means of R runs where some drawn queries are not judged yet, without an assumption about these.

    n           drawn queries that are not judged, or only in part
    low, high   float64[R]: the lower end of the corrected interval if each of them had the least value of the measure,
                the upper end if each had the greatest. The interval of the whole sample lies between them.
    difference_low, difference_high   the same of the differences; None without a baseline
    """

    n: int
    low: Floats
    high: Floats
    difference_low: Floats | None
    difference_high: Floats | None


@dataclass(frozen=True, eq=False, repr=False)
class CorrectedScores(Exported):
    """The scores of R runs under a model, corrected by a human.

    query_ids        the N queries; ``sample`` says which the human judged
    model_values     float64[R, N]; human_values float64[R, n]
    means            of the runs
    differences      run minus baseline, a row a run (that of the baseline is 0); None without a baseline
    p                float64[R]: of the differences, Holm over the runs but the baseline; NaN of the baseline
    best             bool[R]: cannot be told from the best corrected mean (paired t of corrected differences, Holm)
    part             bounds where the drawn queries are judged in part; None where all are, or the measure has no least
                     or greatest value
    places           which of the runs that were given these are: one that lacks what the measure needs is left out
    """

    measure: Measure
    model: str
    human: str
    runs: tuple[str, ...]
    query_ids: tuple[str, ...]
    sample: Sample
    model_values: Floats
    human_values: Floats
    means: CorrectedMeans
    baseline: int | None
    differences: CorrectedMeans | None
    p: Floats
    best: np.ndarray[tuple[int], np.dtype[np.bool_]]
    pairs_judged_twice: int
    notes: tuple[str, ...]
    part: PartJudged | None = None
    places: tuple[int, ...] = ()

    @property
    def shift(self) -> float:
        """Human minus model on the sample, mean of the runs."""
        return float((self.means.values - self.means.model).mean())

    @property
    def tau(self) -> float:
        """Kendall's tau-b of the orders of the runs, corrected and by the model alone; NaN for fewer than two runs."""
        return tau_b(self.means.values, self.means.model)


def corrected_scores(
    human: JudgmentSet,
    model: JudgmentSet,
    runs: Sequence[Run],
    measure: str | Measure = "nDCG@10",
    *,
    task: JudgingTask | None = None,
    baseline: str | int | None = None,
    level: float = LEVEL,
    alpha: float = ALPHA,
    evaluation: EvaluationOptions | None = None,
    results: tuple[ResultTable, ResultTable] | None = None,
    as_sample: bool = True,
    slope: float | None = None,
    seed: int = SEED,
) -> CorrectedScores:
    """Scores of runs under a model, corrected by the queries that a human judged too. They must have been drawn at
    random; without a ``task`` each counts as equally likely.

    task      the sample as it was drawn, with inclusion probabilities; of queries. None: that of the human's set
    results   the evaluations under the human and under the model, where they are known
    slope, seed   as for :func:`corrected_means`

    A run that lacks what the measure needs is left out.

    Raises OptionError for fewer than two queries in common, a measure whose mean over queries is not a plain one or
    which no judgments of documents change, and a task of pairs."""
    evaluation = evaluation or EvaluationOptions()
    if not runs:
        raise OptionError(tr("Give runs: without them there are no scores to correct."))
    task = human.task if task is None else task
    if task is not None and task.unit != "query":
        raise OptionError(
            tr(
                "This task is a sample of pairs; here scores are corrected by whole queries. Draw queries instead, "
                "or ask irviewer judge (Compare › Judge), which corrects by documents."
            )
        )
    asked = parse_measure(measure, evaluation.rules.names) if isinstance(measure, str) else measure
    if not reads_grades(asked):
        raise OptionError(
            tr("{measure} reads labels of answers, which no judgments of documents change: {human} and {model} give "
               "the same. “Agreement of assigners” corrects one assigner’s scores by another’s.",
               measure=usual_name(asked), human=human.name, model=model.name)
        )  # fmt: skip
    places = tuple(place for place, run in enumerate(runs) if results is not None or not lacks(asked, run))
    without = [run.name for place, run in enumerate(runs) if place not in places]
    if len(places) and without:
        own = next((place for place, run in enumerate(runs) if baseline in (place, run.name)), None)
        if own is not None and own not in places:
            refuse_lacking([asked], runs[own], human.qrels)
        baseline = None if own is None else places.index(own)
        runs = [runs[place] for place in places]
    tables = results or tuple(evaluate(judge.qrels, runs, [measure], evaluation) for judge in (human, model))
    known, human_table = tables[0].of(measure)
    _, model_table = tables[1].of(measure)
    if known.aggregate != "mean":
        raise OptionError(
            tr("{measure} is not a plain mean over queries. Corrected scores need one.", measure=known.text)
        )
    judged_by_model = [bool((judgments >= 0).any()) for judgments in _by_query(model, tables[1].query_ids)]
    judged_by_human = {
        query: bool((judgments >= 0).any())
        for query, judgments in zip(tables[0].query_ids, _by_query(human, tables[0].query_ids), strict=True)
    }
    place_of = {query: position for position, query in enumerate(tables[0].query_ids)}
    whole = ~np.isnan(model_table).any(axis=0) & np.array(judged_by_model, dtype=np.bool_)
    kept = np.flatnonzero(whole)
    ids = tuple(tables[1].query_ids[place] for place in kept.tolist())
    notes: list[str] = []
    if without:
        notes.append(tr("Left out, without what {measure} needs: {runs}.", measure=usual_name(asked),
                        runs=name_some(without, MOST_NAMED)))  # fmt: skip
    if evaluation.judged_only:
        notes.append(
            tr("Judged only: under {human} and under {model}, the documents that each did not judge are removed from "
               "the runs.", human=human.name, model=model.name)
        )  # fmt: skip
    drawn = [
        position for position, query in enumerate(ids)
        if judged_by_human.get(query) and not np.isnan(human_table[:, place_of[query]]).any()
        and (task is None or query in task.drawn)
    ]  # fmt: skip
    not_whole: list[int] = []
    if task is not None:
        not_whole = judged_in_part(task, human.qrels, ids, drawn)
        notes += _part_notes(task, ids, drawn, not_whole)
    elif len(drawn) < len(ids):
        notes.append(
            tr(
                "The queries judged by {human} count as drawn at random, all with the same probability.",
                human=human.name,
            )
        )
    common = set(ids)
    left_out = sum(1 for query, judged in judged_by_human.items() if judged and query not in common)
    if left_out:
        notes.append(
            trn("{n} query that {human} judged and {model} did not is left out.",
                "{n} queries that {human} judged and {model} did not are left out.", left_out, human=human.name,
                model=model.name)
        )  # fmt: skip
    sample = sample_of(ids, drawn, task)
    model_values = model_table[:, kept]
    human_values = human_table[:, [place_of[ids[place]] for place in drawn]]
    names = tuple(run.name for run in runs)
    means = corrected_means(
        model_values, human_values, sample, level=level, as_sample=as_sample, slope=slope, seed=seed
    )
    base = names.index(baseline) if isinstance(baseline, str) and baseline in names else baseline
    if isinstance(base, str):
        raise OptionError(tr("There is no run {name}. The runs are {names}.", name=base, names=", ".join(names)))
    differences, p = None, np.full(len(names), np.nan)
    if base is not None:
        differences, p = _against(base, model_values, human_values, sample, level, as_sample, slope, seed)
    up = 1.0 if known.higher_is_better else -1.0
    top = int(np.argmax(up * means.values))
    _, from_best = _against(top, model_values, human_values, sample, level, as_sample, slope, seed)
    from_best[top] = 1.0
    twice = _judged_twice(human, model, [ids[place] for place in drawn])
    part = None
    if not_whole and all(map(math.isfinite, known.span)):
        part = _part_bounds(
            sample_of(ids, sorted({*drawn, *not_whole}), task), not_whole, model_values, human_table, place_of, ids,
            known.span, base, level, as_sample, slope, seed,
        )  # fmt: skip
    elif not_whole:
        notes.append(
            tr("{measure} has no least and greatest value, so what they leave open has no bounds.", measure=known.text)
        )
    return CorrectedScores(
        known, model.name, human.name, names, ids, sample, frozen(model_values), frozen(human_values), means, base,
        differences, frozen(p), frozen(~(from_best < alpha)), twice, tuple(notes), part, places,
    )  # fmt: skip


def judged_in_part(task: JudgingTask, human: Qrels, ids: Sequence[str], judged: Sequence[int]) -> list[int]:
    """Return the indices of the drawn queries that have a document without a judgment, or no judgment at all."""
    listed: dict[str, list[str]] = {}
    for row in task.rows:
        listed.setdefault(row.query_id, []).append(row.doc_id)
    done = {ids[place] for place in judged}
    return [
        place
        for place, query in enumerate(ids)
        if query in listed and (query not in done or not human.judgments(query).keys() >= set(listed[query]))
    ]


def _part_notes(task: JudgingTask, ids: Sequence[str], judged: Sequence[int], not_whole: Sequence[int]) -> list[str]:
    """Return what holds where not all that was drawn is judged."""
    done, drawn = {ids[place] for place in judged}, [query for query in ids if query in task.drawn]
    open_ = [query for query in drawn if query not in done]
    notes = []
    if open_:
        notes.append(
            trn(
                "{n} of the {drawn} drawn queries is not judged yet. The judged ones of its stratum count for it too, "
                "which is right only if which queries were judged does not depend on their grades.",
                "{n} of the {drawn} drawn queries are not judged yet. The judged ones of their stratum count for them "
                "too, which is right only if which queries were judged does not depend on their grades.",
                len(open_), drawn=len(drawn),
            )
        )  # fmt: skip
    without = {task.drawn[query].stratum for query in drawn} - {task.drawn[query].stratum for query in done}
    if without:
        notes.append(
            tr("No query of these strata is judged yet; they count as the others do: {strata}.",
               strata=", ".join(sorted(without)))
        )  # fmt: skip
    begun = len(not_whole) - len(open_)
    if begun:
        notes.append(
            trn(
                "{n} drawn query is judged in part: its documents without a grade count as non-relevant.",
                "{n} drawn queries are judged in part: their documents without a grade count as non-relevant.",
                begun,
            )
        )
    return notes


def _part_bounds(
    sample: Sample, not_whole: Sequence[int], model: Floats, human: Floats, place_of: Mapping[str, int],
    ids: Sequence[str], span: tuple[float, float], base: int | None, level: float, as_sample: bool,
    slope: float | None, seed: int,
) -> PartJudged:  # fmt: skip
    """Return the ends of the intervals with the least and the greatest values in the queries of ``not_whole``."""
    is_open = np.isin(sample.places, np.array(not_whole, dtype=np.int64))
    known = np.zeros((len(model), len(sample.places)))
    known[:, ~is_open] = human[:, [place_of[ids[place]] for place in sample.places[~is_open].tolist()]]

    def ends(of_model: Floats, of_human: Floats, least: float, most: float) -> tuple[Floats, Floats]:
        low, high = (
            corrected_means(
                of_model,
                np.where(is_open, value, of_human),
                sample,
                level=level,
                as_sample=as_sample,
                slope=slope,
                seed=seed,
            )
            for value in (least, most)
        )
        return low.low, high.high

    low, high = ends(model, known, *span)
    if base is None:
        return PartJudged(len(not_whole), low, high, None, None)
    wide = span[1] - span[0]
    delta_low, delta_high = ends(model - model[base], known - known[base], -wide, wide)
    return PartJudged(len(not_whole), low, high, delta_low, delta_high)


def _against(
    base: int, model: Floats, human: Floats, sample: Sample, level: float, as_sample: bool, slope: float | None,
    seed: int,
) -> tuple[CorrectedMeans, Floats]:  # fmt: skip
    """Differences with a run, and p of each after Holm; NaN of the run itself."""
    differences = corrected_means(
        model - model[base], human - human[base], sample, level=level, as_sample=as_sample, slope=slope, seed=seed
    )
    p = np.full(len(model), np.nan)
    others = np.delete(np.arange(len(model)), base)
    p[others] = p_corrected(differences.p[others], "holm")
    return differences, p


def sample_of(ids: Sequence[str], judged: Sequence[int], task: JudgingTask | None) -> Sample:
    """Return the sample of the judged queries.

    ids      the N queries
    judged   the indices of those that were drawn and judged
    task     what was drawn, judged or not: the sizes of the strata follow from it; None: each query as likely"""
    places = np.array(judged, dtype=np.int64)
    n, total = len(judged), len(ids)
    even = Sample(places, np.full(n, n / max(total, 1)), None, None, total)
    if task is None or not n:
        return even
    own = set(ids)
    task = replace(task, rows=tuple(row for row in task.rows if row.query_id in own))
    rows = [task.drawn[ids[place]] for place in judged]
    weights = task.weights({(row.query_id, "") for row in rows})
    probability = np.array([1.0 / weights[row.query_id, ""] for row in rows])
    size_of = task.stratum_sizes()
    if np.ptp(probability) <= 1e-12 and len({row.stratum for row in rows}) == len(size_of):
        return even
    names = list(size_of)
    stratum = np.array([names.index(row.stratum) for row in rows], dtype=np.int64)
    sizes = list(size_of.values())
    alike = all(len({row.probability for row in task.drawn.values() if row.stratum == name}) == 1 for name in names)
    whole = all(math.isclose(size, round(size), rel_tol=1e-6) for size in sizes)
    if alike and whole and len(names) > 1:
        return Sample(places, probability, stratum, np.array([round(size) for size in sizes]), total)
    return Sample(places, probability, None, None, total)


def _by_query(judge: JudgmentSet, query_ids: Sequence[str]) -> list[Floats]:
    qrels = judge.qrels
    grades = []
    for query in query_ids:
        position = qrels.query_index[query]
        grades.append(qrels.grades[int(qrels.offsets[position]) : int(qrels.offsets[position + 1])])
    return grades


def _judged_twice(human: JudgmentSet, model: JudgmentSet, queries: Sequence[str]) -> int:
    return sum(len(human.qrels.judgments(query).keys() & model.qrels.judgments(query).keys()) for query in queries)
