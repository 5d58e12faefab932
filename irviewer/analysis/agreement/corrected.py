"""Corrected scores: a model's mean over all queries, plus the mean of human minus model over a random sample.

This is prediction-powered inference (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, Science 2023) for means, where
the sample is part of the queries: the difference estimator of double sampling (Cochran, Sampling Techniques, 12.9).
With unequal inclusion probabilities the mean difference is weighted by their inverse (Hájek); with strata it is
computed per stratum."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.analysis.similarity.rank_correlation import tau_b
from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.analysis.statistics.significance.corrections import corrected as p_corrected
from irviewer.errors import OptionError
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.exported import Exported
from irviewer.model.judgments.judging_task import JudgingTask
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.options import EvaluationOptions
from irviewer.model.run import Run
from irviewer.translation import tr

FEWEST = 2
"""The smallest number of sampled queries."""


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

    @property
    def df(self) -> int:
        """Degrees of freedom of the variance of the differences."""
        strata = 1 if self.stratum is None or self.sizes is None or self.equal else len(np.unique(self.stratum))
        return max(1, len(self.places) - strata)

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
        for size, group in zip(self.sizes.tolist(), groups, strict=True):
            if not len(group) or len(group) == size:
                continue
            spread = values[:, group].var(axis=1, ddof=1) if len(group) > 1 else pooled
            result += (size / self.total) ** 2 * (1 / len(group) - 1 / size) * spread
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
    values, low, high   float64[R]: corrected, with Student's t interval
    variance     float64[R]: of the corrected means
    worth        float64[R]: how many queries judged by the human alone would give so narrow an interval; below n the
                 model does harm
    correlation  float64[R]: of human and model over the sampled queries
    p            float64[R]: of a mean of 0
    human_spread, difference_spread   float64[R]: variances between queries of the human's values and of human - model
    """

    n: int
    total: int
    df: int
    level: float
    model: Floats
    human: Floats
    values: Floats
    low: Floats
    high: Floats
    variance: Floats
    worth: Floats
    correlation: Floats
    p: Floats
    human_spread: Floats
    difference_spread: Floats

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
    model: Floats, human: Floats, sample: Sample, *, level: float = LEVEL, as_sample: bool = True
) -> CorrectedMeans:
    """Corrected means of R rows.

    model       float64[R, N]: under the model, all queries
    human       float64[R, n]: under the human, those sampled
    as_sample   the N queries are themselves a sample of queries; False: they are all there is, and the interval is of
                the sampling of the human's queries alone

    Raises OptionError for fewer than two sampled queries."""
    n = len(sample.places)
    if n < FEWEST:
        raise OptionError(
            tr("Corrected scores need two queries or more that human and model both judged; there are {n}.", n=n)
        )
    difference = human - model[:, sample.places]
    shift = sample_mean(difference, sample)
    spread = sample.variance(human)
    variance = sample.variance_of_mean(difference) + (spread / sample.total if as_sample else 0.0)
    values = model.mean(axis=1) + shift
    half = _t(level, np.array(float(sample.df))) * np.sqrt(variance)
    with np.errstate(invalid="ignore", divide="ignore"):
        worth = spread / variance if as_sample else 1 / (variance / spread + 1 / sample.total)
        t = values / np.sqrt(variance)
    return CorrectedMeans(
        n, sample.total, sample.df, level, frozen(model.mean(axis=1)), frozen(sample_mean(human, sample)),
        frozen(values), frozen(values - half), frozen(values + half), frozen(variance), frozen(worth),
        frozen(_correlations(model[:, sample.places], human)), frozen(_p(t, sample.df)), frozen(spread),
        frozen(sample.variance(difference)),
    )  # fmt: skip


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
    from scipy.special import stdtrit

    return np.asarray(stdtrit(df, (1 + level) / 2))


def _p(t: Floats, df: int) -> Floats:
    from scipy.special import stdtr

    return np.asarray(np.where(np.isnan(t), np.nan, np.minimum(1.0, 2 * stdtr(df, -np.abs(np.nan_to_num(t))))))


def _correlations(model: Floats, human: Floats) -> Floats:
    first, second = model - model.mean(axis=1, keepdims=True), human - human.mean(axis=1, keepdims=True)
    scale = np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1))
    correlations = np.divide((first * second).sum(axis=1), scale, out=np.full(len(model), np.nan), where=scale > 1e-12)
    return np.asarray(np.clip(correlations, -1.0, 1.0))


@dataclass(frozen=True, eq=False, repr=False)
class CorrectedScores(Exported):
    """The scores of R runs under a model, corrected by a human.

    query_ids        the N queries; ``sample`` says which the human judged
    model_values     float64[R, N]; human_values float64[R, n]
    means            of the runs
    differences      run minus baseline, a row a run (that of the baseline is 0); None without a baseline
    p                float64[R]: of the differences, Holm over the runs but the baseline; NaN of the baseline
    best             bool[R]: cannot be told from the best corrected mean (paired t of corrected differences, Holm)
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
) -> CorrectedScores:
    """Scores of runs under a model, corrected by the queries that a human judged too. They must have been drawn at
    random; without a ``task`` each counts as equally likely.

    task      the sample as it was drawn, with inclusion probabilities; of queries. None: that of the human's set
    results   the evaluations under the human and under the model, where they are known

    Raises OptionError for fewer than two queries in common, a measure whose mean over queries is not a plain one, or a
    task of pairs."""
    evaluation = evaluation or EvaluationOptions()
    if not runs:
        raise OptionError(tr("Give runs: without them there are no scores to correct."))
    task = human.task if task is None else task
    if task is not None and task.unit != "query":
        raise OptionError(
            tr("This task is a sample of pairs; scores are corrected by whole queries. Draw queries instead.")
        )
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
    drawn = [
        position for position, query in enumerate(ids)
        if judged_by_human.get(query) and not np.isnan(human_table[:, place_of[query]]).any()
        and (task is None or query in task.drawn)
    ]  # fmt: skip
    if task is not None:
        open_ = [query for query in task.drawn if query in ids and not judged_by_human.get(query)]
        if open_:
            notes.append(
                tr(
                    "{n} of the {drawn} drawn queries are not judged yet: the others count as if they were the sample.",
                    n=len(open_), drawn=len(task.drawn),
                )
            )  # fmt: skip
    elif len(drawn) < len(ids):
        notes.append(
            tr(
                "The queries judged by {human} count as drawn at random, all with the same probability.",
                human=human.name,
            )
        )
    left_out = sum(1 for query, judged in judged_by_human.items() if judged and query not in set(ids))
    if left_out:
        notes.append(
            tr("{n} queries that {human} judged and {model} did not are left out.", n=left_out, human=human.name,
               model=model.name)
        )  # fmt: skip
    sample = _sample(ids, drawn, task)
    model_values = model_table[:, kept]
    human_values = human_table[:, [place_of[ids[place]] for place in drawn]]
    names = tuple(run.name for run in runs)
    means = corrected_means(model_values, human_values, sample, level=level, as_sample=as_sample)
    base = names.index(baseline) if isinstance(baseline, str) and baseline in names else baseline
    if isinstance(base, str):
        raise OptionError(tr("There is no run {name}. The runs are {names}.", name=base, names=", ".join(names)))
    differences, p = None, np.full(len(names), np.nan)
    if base is not None:
        differences, p = _against(base, model_values, human_values, sample, level, as_sample)
    up = 1.0 if known.higher_is_better else -1.0
    top = int(np.argmax(up * means.values))
    _, from_best = _against(top, model_values, human_values, sample, level, as_sample)
    from_best[top] = 1.0
    twice = _judged_twice(human, model, [ids[place] for place in drawn])
    return CorrectedScores(
        known, model.name, human.name, names, ids, sample, frozen(model_values), frozen(human_values), means, base,
        differences, frozen(p), frozen(~(from_best < alpha)), twice, tuple(notes),
    )  # fmt: skip


def _against(
    base: int, model: Floats, human: Floats, sample: Sample, level: float, as_sample: bool
) -> tuple[CorrectedMeans, Floats]:
    """Differences with a run, and p of each after Holm; NaN of the run itself."""
    differences = corrected_means(model - model[base], human - human[base], sample, level=level, as_sample=as_sample)
    p = np.full(len(model), np.nan)
    others = np.delete(np.arange(len(model)), base)
    p[others] = p_corrected(differences.p[others], "holm")
    return differences, p


def _sample(ids: Sequence[str], drawn: Sequence[int], task: JudgingTask | None) -> Sample:
    places = np.array(drawn, dtype=np.int64)
    n, total = len(drawn), len(ids)
    if task is None:
        return Sample(places, np.full(n, n / max(total, 1)), None, None, total)
    rows = [task.drawn[ids[place]] for place in drawn]
    probability = np.array([row.probability for row in rows])
    if len(rows) and np.ptp(probability) <= 1e-12:
        return Sample(places, np.full(n, n / max(total, 1)), None, None, total)
    names = list(dict.fromkeys(row.stratum for row in rows))
    stratum = np.array([names.index(row.stratum) for row in rows], dtype=np.int64)
    # The size of a stratum follows from its inclusion probability if that is the same for all its queries.
    sizes = [sum(1.0 / row.probability for row in rows if row.stratum == name) for name in names]
    alike = all(len({row.probability for row in rows if row.stratum == name}) == 1 for name in names)
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
