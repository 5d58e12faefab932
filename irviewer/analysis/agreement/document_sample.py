"""Means under a model, corrected by a human who judged a random sample of documents within queries.

A measure whose value is a sum over documents (precision at k, CG, DCG) has in each query the difference estimator
(Särndal, Swensson and Wretman, Model Assisted Survey Sampling, 1992, 6.3): the model's value plus, of each sampled
document, what the human's grade adds to the value less what the model's adds, times one over its inclusion probability
(Horvitz and Thompson, JASA 1952). It is unbiased whatever the model says. Prediction-powered inference (Angelopoulos
and others, Science 2023) with λ = 1 is this with equal probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

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
FEWEST_QUERIES = 10
"""With documents sampled in fewer queries there is no interval."""
Grades = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class DocumentCorrected:
    """The means of R runs under a model, corrected by a sample of documents.

    documents, queries   how many documents a human judged of those drawn, in how many of the ``total`` queries
    open         drawn documents that are not judged; the judged ones of their stratum count for them
    model, values, low, high   float64[R]: the model alone; corrected, with Student's t interval over queries, which is
                 for other such queries too; NaN ends where too few queries have a sample
    """

    documents: int
    queries: int
    total: int
    open: int
    level: float
    model: Floats
    values: Floats
    low: Floats
    high: Floats

    @property
    def misleads(self) -> Bools:
        """bool[R]: the model's mean lies outside the corrected interval."""
        return np.asarray((self.model < self.low) | (self.model > self.high))


def sampled_differences(
    task: JudgingTask, human: Qrels, model: Qrels, runs: Sequence[Run], measure: Measure, query_ids: Sequence[str],
    options: EvaluationOptions,
) -> Floats:  # fmt: skip
    """Return float64[R, Q]: of each run and query the sum over the judged documents of the sample of (what the human's
    grade adds - what the model's adds) times how many documents each stands for, 1 / inclusion probability where all
    that was drawn is judged. ``task`` is of pairs, the measure one of ``ADDITIVE``; a document that the model did not
    judge adds nothing under it."""
    asked = set(query_ids)
    grades = {query: human.judgments(query) for query in asked}
    judged = {key for key in task.frame if key[0] in asked and key[1] in grades[key[0]]}
    weights = task.weights(judged)
    columns = {query: place for place, query in enumerate(query_ids)}
    result = np.zeros((len(runs), len(query_ids)))
    for step, pairs in enumerate(_steps(weights)):
        weight = {query: weights[query, doc] for query, doc in pairs}  # equal within a query
        for sign, judge in ((1.0, human), (-1.0, model)):
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
                    result[:, columns[query]] += sign * weight[query] * values[:, place]
    return result


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
    values: Floats, options: EvaluationOptions, *, level: float,
) -> DocumentCorrected:  # fmt: skip
    """Return the corrected means; ``values`` float64[R, Q] are those under the model."""
    added = sampled_differences(task, human, model, runs, measure, query_ids, options)
    asked = set(query_ids)
    frame = [key for key in task.frame if key[0] in asked]
    done = [key for key in frame if key[1] in human.judgments(key[0])]
    queries, total = len({query for query, _ in done}), len(query_ids)
    corrected = values + added
    means = corrected.mean(axis=1)
    half = np.full(len(means), np.nan)
    if queries >= FEWEST_QUERIES:
        half = special().stdtrit(total - 1, (1 + level) / 2) * corrected.std(axis=1, ddof=1) / np.sqrt(total)
    return DocumentCorrected(
        len(done), queries, total, len(frame) - len(done), level, frozen(values.mean(axis=1)), frozen(means),
        frozen(means - half), frozen(means + half),
    )  # fmt: skip
