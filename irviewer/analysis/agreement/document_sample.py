"""Means under a model, corrected by a human who judged a random sample of documents within queries.

A measure whose value is a sum over documents (precision at k, CG, DCG) has in each query the estimator of Horvitz and
Thompson (JASA 1952): of each sampled document what its grade adds to the value, times one over its inclusion
probability. Of the human's grades it is A, of the model's M; the model's own value is F. The mean of

    A + λ (F − M)

over queries is unbiased whatever the model says, for every λ: λ = 1 is the difference estimator (Särndal, Swensson and
Wretman, Model Assisted Survey Sampling, 1992, 6.3) and, with equal probabilities, the first form of prediction-powered
inference (Angelopoulos and others, Science 2023). As in PPI++ (arXiv 2311.01453) λ is tuned, to −cov(A, F − M) /
var(F − M) over queries, in [0, 1], where enough is judged to tell it. Residuals have the λ of the other queries, the
interval is Student's over queries, and is widened until it covers the mean in samples of queries drawn from these as
often as it says, and a little more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.agreement.powered import AT_ONCE, SIMULATED, WIDEST
from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.analysis.statistics.significance.resampling import SEED
from irviewer.evaluation.evaluate import evaluate
from irviewer.installed.scipy_parts import special
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, frozen
from irviewer.model.judgments.judging_task import JudgingTask
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

ADDITIVE = ("P", "CG", "DCG", "SetP")
"""The measures whose value is a sum over documents of what each adds by its own grade and rank."""
FEWEST_QUERIES = 15
"""Where the judged documents add something to the value of fewer queries, by either judge, there is no interval."""
FEWEST_TUNED = 10
"""λ is tuned where the human's grades add something in so many queries; else it is 1."""
NEAR = 0.5
"""Above this λ the interval is no narrower than that of λ = 1: there is little to gain, and rare disagreements hide."""
BEYOND = 0.2
"""The share of the chance to miss that the widening leaves out: samples drawn from a sample vary less than it."""
VARIES = 1e-12
"""What is less is 0."""


@dataclass(frozen=True, eq=False)
class DocumentMeans:
    """R means (or mean differences) under a model, corrected by a sample of documents.

    model, values, low, high   float64[R]: the model alone; corrected, with Student's t interval over queries, which is
                 for other such queries too; NaN ends where it is withheld
    weight       float64[R]: λ, how much the model counts; NaN where all documents are judged that could be
    widened      float64[R]: the factor by which the interval is wider than Student's
    p            float64[R]: of a mean of 0; NaN without an interval
    """

    model: Floats
    values: Floats
    low: Floats
    high: Floats
    weight: Floats
    widened: Floats
    p: Floats

    @property
    def misleads(self) -> Bools:
        """bool[R]: the model's mean lies outside the corrected interval."""
        return np.asarray((self.model < self.low) | (self.model > self.high))


@dataclass(frozen=True, eq=False)
class DocumentCorrected:
    """The means of R runs under a model, corrected by a sample of documents.

    documents, queries   how many documents a human judged of those drawn, in how many of the ``total`` queries
    open         drawn documents that are not judged; the judged ones of their stratum count for them
    means        of the runs
    against      the run whose differences from the others are corrected; "" for none
    differences  of the other runs from that one; None without one
    """

    documents: int
    queries: int
    total: int
    open: int
    level: float
    means: DocumentMeans
    against: str
    differences: DocumentMeans | None


def sampled_values(
    task: JudgingTask, human: Qrels, model: Qrels, runs: Sequence[Run], measure: Measure, query_ids: Sequence[str],
    options: EvaluationOptions,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Return float64[R, Q] twice: of each run and query the sum over the judged documents of the sample of what the
    human's grade adds, and of what the model's adds, times how many documents each stands for, 1 / inclusion
    probability where all that was drawn is judged. ``task`` is of pairs, the measure one of ``ADDITIVE``; a document
    that the model did not judge adds nothing under it."""
    asked = set(query_ids)
    grades = {query: human.judgments(query) for query in asked}
    judged = {key for key in task.frame if key[0] in asked and key[1] in grades[key[0]]}
    weights = task.weights(judged)
    columns = {query: place for place, query in enumerate(query_ids)}
    results = np.zeros((2, len(runs), len(query_ids)))
    for step, pairs in enumerate(_steps(weights)):
        weight = {query: weights[query, doc] for query, doc in pairs}  # equal within a query
        for result, judge in zip(results, (human, model), strict=True):
            own: dict[str, dict[str, float]] = {}
            for query, doc in pairs:
                grade = judge.judgments(query).get(doc) if judge is model else grades[query][doc]
                if grade is not None:
                    own.setdefault(query, {})[doc] = grade
            if not own:
                continue
            table = evaluate(Qrels.from_dict(own, name=f"{step}"), runs, [measure], options)
            _, values = table.of(measure)
            for place, query in enumerate(table.query_ids):
                if query in weight and query in own:
                    result[:, columns[query]] += weight[query] * values[:, place]
    return results[0], results[1]


def _steps(weights: Mapping[tuple[str, str], float]) -> list[list[tuple[str, str]]]:
    """Return the documents in groups with one weight in each query: as few groups as the weights of a query take."""
    by_query: dict[str, dict[float, list[tuple[str, str]]]] = {}
    for key, weight in weights.items():
        by_query.setdefault(key[0], {}).setdefault(round(weight, 12), []).append(key)
    steps: list[list[tuple[str, str]]] = []
    for groups in by_query.values():
        for number, keys in enumerate(groups.values()):
            if number == len(steps):
                steps.append([])
            steps[number] += keys
    return steps


def document_corrected(
    task: JudgingTask, human: Qrels, model: Qrels, runs: Sequence[Run], measure: Measure, query_ids: Sequence[str],
    values: Floats, options: EvaluationOptions, *, level: float, against: str = "", seed: int = SEED,
) -> DocumentCorrected:  # fmt: skip
    """Return the corrected means, and the differences of the other runs from ``against``; ``values`` float64[R, Q] are
    those under the model, ``seed`` that of the simulation that widens intervals."""
    added, less = sampled_values(task, human, model, runs, measure, query_ids, options)
    asked = set(query_ids)
    frame = [key for key in task.frame if key[0] in asked]
    done = [key for key in frame if key[1] in human.judgments(key[0])]
    queries = len({query for query, _ in done})
    differences = None
    names = [run.name for run in runs]
    if against and len(runs) > 1:
        base = names.index(against)
        others = [place for place in range(len(runs)) if place != base]
        rows = [(each - each[base])[others] for each in (added, less, values)]
        differences = document_means(*rows, level=level, seed=seed)
    return DocumentCorrected(
        len(done), queries, len(query_ids), len(frame) - len(done), level,
        document_means(added, less, values, level=level, seed=seed),
        "" if differences is None else against, differences,
    )  # fmt: skip


def document_means(
    human: Floats, sampled: Floats, model: Floats, *, level: float = LEVEL, seed: int = SEED
) -> DocumentMeans:
    """Return R corrected means of Q queries.

    human, sampled  float64[R, Q]: the weighted sums over the sample, by the human's and by the model's grades
    model           float64[R, Q]: the model's values
    """
    n = human.shape[1]
    left = model - sampled
    varies = np.ptp(left, axis=1) > VARIES
    known = np.count_nonzero((np.abs(human) > VARIES) | (np.abs(sampled) > VARIES), axis=1) >= FEWEST_QUERIES
    tuned = varies & known & (np.count_nonzero(np.abs(human) > VARIES, axis=1) >= FEWEST_TUNED)
    used, values, errors = np.ones(len(human)), (human + left).mean(axis=1), np.full(len(human), np.nan)
    widened = np.full(len(human), np.nan)
    for row in np.flatnonzero(known).tolist():
        own, rest = human[row], left[row]
        plain = _widening(own, rest, level, seed, tuned=False)
        error = float((own + rest).std(ddof=1) / np.sqrt(n))
        if tuned[row] and (factor := _widening(own, rest, level, seed, tuned=True)) <= WIDEST:
            used[row], values[row], errors[row] = (float(each) for each in _tuned(own, rest))
            widened[row] = factor
            if used[row] > NEAR and errors[row] > VARIES:
                widened[row] = max(factor, error * plain / errors[row])
        else:
            errors[row], widened[row] = error, plain if plain <= WIDEST else np.nan
    widened = np.where(errors > VARIES, widened, np.nan)  # queries that are all alike do not tell their spread
    t = float(special().stdtrit(max(n - 1, 1), (1 + level) / 2))
    half = t * errors * widened
    with np.errstate(invalid="ignore", divide="ignore"):
        size = np.abs(values) / (errors * widened)
    p = np.where(np.isnan(size), np.nan, np.minimum(1.0, 2 * special().stdtr(max(n - 1, 1), -np.nan_to_num(size))))
    return DocumentMeans(
        frozen(model.mean(axis=1)), frozen(values), frozen(values - half), frozen(values + half),
        frozen(np.where(varies, used, np.nan)), frozen(widened), frozen(p),
    )  # fmt: skip


def _tuned(human: Floats, left: Floats) -> tuple[Floats, Floats, Floats]:
    """Return λ, the mean and its standard error, float64[...], of queries float64[..., Q]."""
    n = human.shape[-1]
    first, second = (each - each.mean(axis=-1, keepdims=True) for each in (human, left))
    products, squares = first * second, second * second
    both, own = products.sum(axis=-1, keepdims=True), squares.sum(axis=-1, keepdims=True)
    without = _clipped(both - products * (n / (n - 1)), own - squares * (n / (n - 1)))  # of all queries but one
    weight = _clipped(both, own)[..., 0]
    residuals = human + without * left
    values = human.mean(axis=-1) + weight * left.mean(axis=-1)
    return weight, values, np.asarray(residuals.std(axis=-1, ddof=1) / np.sqrt(n))


def _clipped(both: Floats, own: Floats) -> Floats:
    known = own > VARIES
    return np.asarray(np.clip(np.divide(-both, own, out=np.zeros(both.shape), where=known), 0.0, 1.0))


def _widening(human: Floats, left: Floats, level: float, seed: int, *, tuned: bool) -> float:
    """Return the factor, 1 or more, by which Student's interval must be widened to cover the mean with probability
    ``level``, and ``BEYOND`` of what is left to 1, in samples of queries drawn from these; the expectation of ``left``
    is 0 over samples of documents."""
    n = len(human)
    random = np.random.default_rng(seed)
    result: list[Floats] = []
    truth = human.mean() if tuned else (human + left).mean()
    centred = left - left.mean() if tuned else left
    step = max(1, AT_ONCE // n)
    for start in range(0, SIMULATED, step):
        drawn = random.integers(0, n, (min(step, SIMULATED - start), n))
        if tuned:
            _, values, errors = _tuned(human[drawn], centred[drawn])
        else:
            every = (human + left)[drawn]
            values, errors = every.mean(axis=1), every.std(axis=1, ddof=1) / np.sqrt(n)
        far = np.abs(values - truth)
        with np.errstate(invalid="ignore", divide="ignore"):
            result.append(np.where(far > VARIES, far / errors, 0.0))
    asked = level + BEYOND * (1 - level)
    quantile = float(np.quantile(np.concatenate(result), asked, method="higher"))
    return max(1.0, quantile / float(special().stdtrit(n - 1, (1 + level) / 2)))
