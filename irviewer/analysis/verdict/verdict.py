"""A verdict: whether one run is better than another, what could turn it round, the queries that decide it, and where
the rest is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.verdict.changes import (
    Change,
    Question,
    by_slices,
    few_queries,
    more_judgments,
    other_tests,
    other_values,
)
from irviewer.analysis.verdict.deciding import Deciding, deciding_queries
from irviewer.analysis.verdict.headline import Headline
from irviewer.analysis.verdict.loss import Loss, loss_of
from irviewer.measures.base import Measure
from irviewer.model.attributes.queries import Slicing
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime
from irviewer.translation import tr

ORDER = {"turns": 0, "open": 1, "unknown": 1, "holds": 2}


@dataclass(frozen=True, eq=False)
class Verdict:
    """The answer and its evidence.

    measure   that decides
    changes   what could turn it round: what turns it first, then what is open, then what holds
    deciding  the queries with the largest differences
    losses    of the run and the other one; () for a measure without a best order
    """

    measure: Measure
    answer: Headline
    changes: tuple[Change, ...]
    deciding: Deciding
    losses: tuple[Loss, ...]

    @property
    def heading(self) -> str:
        """What became of the verdict under the changes, the heading of their rows."""
        if not self.answer.form.side:
            return tr("What could decide it")
        turned = sum(change.status == "turns" for change in self.changes)
        if turned:
            return tr("What could turn it round")
        return tr("Of what was tried, nothing turned it")


def verdict(
    answer: Headline,
    runs: RunValues,
    options: ComparisonOptions,
    qrels: Qrels,
    lists: Sequence[Run],
    measure: Measure,
    rules: EvaluationOptions,
    regime: Regime,
    *,
    baseline: int | None,
    judges: Sequence[tuple[str, RunValues]] = (),
    assigners: Sequence[tuple[str, RunValues]] = (),
    measures: Sequence[tuple[str, RunValues]] = (),
    slicings: Sequence[Slicing] = (),
    progress: Callable[[float], None] | None = None,
) -> Verdict:
    """Return a verdict with its evidence.

    answer      as :func:`~irviewer.analysis.verdict.headline.headline` gives it for ``runs``
    lists       the runs, in the order of ``runs``
    judges      values of the same runs under other judgments, by the judges' names
    assigners   values of the same answers under the labels of others, by the assigners' names
    measures    values of the same runs by other measures
    slicings    of the queries, by their attributes
    """
    question = Question(runs, options, baseline, answer)
    step = progress or (lambda _: None)
    pair = (lists[question.run], lists[question.other])
    deciding = deciding_queries(runs, question.run, question.other, qrels, pair, measure, rules)
    losses = []
    for place, each in zip((question.run, question.other), pair, strict=True):
        loss = loss_of(qrels, each, measure, runs.values[place], runs.query_ids, rules)
        losses += [] if loss is None else [loss]
    step(0.2)
    changes = [more_judgments(question, qrels, *pair, measure, rules, regime)]
    step(0.4)
    changes.append(other_values("judge", question, judges))
    changes.append(other_values("assigner", question, assigners))
    changes.append(other_values("measure", question, measures))
    step(0.5)
    changes.append(by_slices(question, slicings, lambda share: step(0.5 + 0.4 * share)))
    changes.append(few_queries(question))
    changes.append(other_tests(question))
    step(1.0)
    rows = sorted((change for change in changes if change is not None), key=lambda change: ORDER[change.status])
    return Verdict(measure, answer, tuple(rows), deciding, tuple(losses) if len(losses) == 2 else ())
