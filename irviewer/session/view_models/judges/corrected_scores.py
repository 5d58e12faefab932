"""The view model of corrected scores: runs under a model, corrected by the queries that a human judged too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.number_text import MINUS, limit, score_text
from irviewer.rendering.run_label import RunLabel
from irviewer.session.view_models.judges.agreement import statistic_text
from irviewer.tables.table import Table
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.agreement.corrected import CorrectedMeans, CorrectedScores
    from irviewer.evaluation.bind import BoundProtocol

FEWEST = 5
"""The smallest number of queries for which an interval is drawn."""


@dataclass(frozen=True, eq=False)
class HalfWidths:
    """Half the interval if the human judged so many queries int64[K], from the sample's variances: corrected, and by
    the human alone, float64[K]. ``n`` of ``total`` queries are in the sample; as many as ``worth`` judged by the human
    alone would give so narrow an interval."""

    queries: Ints
    corrected: Floats
    human: Floats
    n: int
    total: int
    corrected_now: float
    alone_now: float
    worth: float


@dataclass(frozen=True, eq=False)
class CorrectedRun:
    """The selected run, query by query.

    query_ids      the n queries that both judged, with the values float64[n] under ``model`` and ``human``
    unsampled      float64[N - n]: under the model, queries that the human did not judge
    shift          human minus model, mean of the sample
    score, difference   the widths of the intervals; no difference of the baseline
    """

    label: RunLabel
    title: str
    note: str
    query_ids: tuple[str, ...]
    model: Floats
    human: Floats
    unsampled: Floats
    shift: float
    score: HalfWidths
    difference: HalfWidths | None


@dataclass(frozen=True, eq=False)
class CorrectedViewModel:
    """The table ``scores`` of the view, with the labels of its rows; ``facts`` are lines about the sample, ``run`` is
    the run compared with the baseline, else the best."""

    title: str
    note: str
    explanation: str
    judge: str = ""
    human: str = ""
    measure: str = ""
    table: Table | None = None
    runs: tuple[RunLabel, ...] = ()
    facts: tuple[str, ...] = ()
    run: CorrectedRun | None = None


def build_corrected_view_model(
    scores: CorrectedScores | None, trouble: str, labels: Sequence[RunLabel], bound: BoundProtocol | None
) -> CorrectedViewModel:
    """Return the view model; ``trouble`` is why there are no scores, "" otherwise."""
    title = tr("Corrected scores")
    if trouble or scores is None:
        return CorrectedViewModel(title, "", trouble or tr("Computing …"))
    from irviewer.views.corrected import following, tables

    labels = [labels[place] for place in scores.places] if scores.places else labels
    order = np.argsort(-scores.means.values, kind="stable").tolist()
    means, sample, measure = scores.means, scores.sample, scores.measure.text
    n, total = len(sample.places), sample.total
    least, most = float(sample.probability.min()), float(sample.probability.max())
    chance = limit(round(least, 3)) if sample.equal else f"{limit(round(least, 3))} … {limit(round(most, 3))}"
    correlation = means.correlation[np.isfinite(means.correlation)]
    facts = [
        tr("judged by {human} too: {n} of {total} queries", human=scores.human, n=n, total=total),
        tr("inclusion probability: {chance}", chance=chance),
        trn("judged twice: {n:,} pair of query and document", "judged twice: {n:,} pairs of query and document",
            scores.pairs_judged_twice),
        tr("{human} − {model}: {shift} {measure}, mean of all runs", human=scores.human, model=scores.model,
           shift=decimal(f"{scores.shift:+.3f}").replace("-", MINUS), measure=measure),
    ]  # fmt: skip
    if len(correlation):
        ends = [statistic_text("tau", float(end)) for end in (correlation.min(), correlation.max())]
        facts.append(tr("correlation by query: {least} to {most}, by run", least=ends[0], most=ends[1]))
    if len(means.values) > 1 and np.isfinite(scores.tau):
        facts.append(
            tr("order of the runs: τ {tau} between corrected and {model}", tau=statistic_text("tau", scores.tau),
               model=scores.model)
        )  # fmt: skip
    facts.append(tr("interval: paired queries, t with df {df}", df=means.df))
    facts += scores.notes
    if scores.part is not None:
        best = order[0]
        facts.append(
            tr("whatever the grades of what is not judged: {measure} of {run} between {least} and {most}",
               measure=measure, run=labels[best].name, least=score_text(float(scores.part.low[best])),
               most=score_text(float(scores.part.high[best])))
        )  # fmt: skip
    note = tr("● corrected: {human} on the sample, {model} with weight λ on the others · ○ {model} alone",
              model=scores.model, human=scores.human)  # fmt: skip
    return CorrectedViewModel(
        trn("{n} system, judged by {model} and corrected by {human}",
            "{n} systems, judged by {model} and corrected by {human}", len(labels), model=scores.model,
            human=scores.human),
        note, "", scores.model, scores.human, measure,
        tables(scores, None if bound is None else following(bound, scores)).tables[0],
        tuple(labels[run] for run in order), tuple(facts),
        _selected(scores, labels, order),
    )  # fmt: skip


def _selected(scores: CorrectedScores, labels: Sequence[RunLabel], order: Sequence[int]) -> CorrectedRun:
    run = next((place for place in order if labels[place].focus), order[0])
    sample, means = scores.sample, scores.means
    alone = np.delete(np.arange(sample.total), sample.places)
    correlation = float(means.correlation[run])
    note = trn("{n} judged twice", "{n} judged twice", len(sample.places))
    if np.isfinite(correlation):
        note = tr("{n} judged twice, r {r}", n=len(sample.places), r=statistic_text("tau", correlation))
    differences = None if run == scores.baseline else scores.differences
    return CorrectedRun(
        labels[run], tr("{measure} of {run} by query", measure=scores.measure.text, run=labels[run].name), note,
        tuple(scores.query_ids[position] for position in sample.places.tolist()),
        frozen(scores.model_values[run, sample.places]), frozen(scores.human_values[run]),
        frozen(scores.model_values[run, alone]), float(means.values[run] - means.model[run]),
        _widths(means, run), None if differences is None else _widths(differences, run),
    )  # fmt: skip


def _widths(means: CorrectedMeans, run: int) -> HalfWidths:
    queries = np.arange(min(FEWEST, means.n), means.total + 1)
    corrected, human = means.half_widths(queries)
    now = means.n - int(queries[0])
    return HalfWidths(
        frozen(queries), frozen(corrected[run]), frozen(human[run]), means.n, means.total,
        float(corrected[run, now]), float(human[run, now]), float(means.worth[run]),
    )  # fmt: skip
