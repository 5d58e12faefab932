"""Scores of answers that were published, beside those computed here: equal, or the difference and its rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.errors import MeasureError
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.answers.foreign import PUBLISHED, SAME
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr

OTHER_RULES = ("odd='okay'", "odd='drop'")
"""What else can be done with an importance that no rule knows, as parameters of NuggetR."""


@dataclass(frozen=True)
class PublishedMeasure:
    """One measure of one run against the published values.

    topics             those that have both values; ``equal`` those of them with equal values
    missing            topics that are evaluated and have no published value
    other              topics with a published value that are not evaluated
    topic, ours, theirs  where the two differ most; ours is NaN where no topic differs
    rule               the measure under whose rule all values are the published ones, "" if no rule known has that
    """

    run: str
    name: str
    topics: int
    equal: int
    missing: int
    other: int
    topic: str = ""
    ours: float = float("nan")
    theirs: float = float("nan")
    rule: str = ""


def published_measures(
    qrels: Qrels, runs: Sequence[Run], options: EvaluationOptions, topics: Sequence[str]
) -> Iterator[PublishedMeasure]:
    """Yield the comparison of each run and measure that has published values. Measures that the run lacks labels for
    are left out."""
    for run in runs:
        for scores in () if run.answered is None else run.answered.foreign:
            if scores.tool != PUBLISHED:
                continue
            measure = parse_measure(scores.name)
            values = _values(qrels, run, measure, options)
            if values is None:
                continue
            evaluated = [topic for topic in topics if topic in values]
            both = [topic for topic in evaluated if topic in scores.by_topic]
            gaps = {topic: abs(values[topic] - scores.by_topic[topic]) for topic in both}
            equal = sum(gap <= SAME for gap in gaps.values())
            missing, other = len(evaluated) - len(both), len(scores.by_topic.keys() - set(evaluated))
            if equal == len(both):
                yield PublishedMeasure(run.name, scores.name, len(both), equal, missing, other)
                continue
            at = max(both, key=gaps.__getitem__)
            yield PublishedMeasure(
                run.name, scores.name, len(both), equal, missing, other, at, values[at], scores.by_topic[at],
                _rule(qrels, run, measure, options, {topic: scores.by_topic[topic] for topic in both}),
            )  # fmt: skip


def _values(qrels: Qrels, run: Run, measure: Measure, options: EvaluationOptions) -> Mapping[str, float] | None:
    try:
        values = evaluate(qrels, [run], [measure], options).by_query(measure, run.name)
    except MeasureError:
        return None
    return None if all(np.isnan(value) for value in values.values()) else values


def _rule(
    qrels: Qrels, run: Run, measure: Measure, options: EvaluationOptions, published: Mapping[str, float]
) -> str:  # fmt: skip
    """Return the measure, of another rule for unclean labels, whose values are all published ones; "" without one."""
    if measure.name != "NuggetR" or "odd=" in measure.text:
        return ""
    for rule in OTHER_RULES:
        other = parse_measure(f"{measure.text[:-1]},{rule})")
        values = _values(qrels, run, other, options)
        if values is not None and all(abs(values[topic] - value) <= SAME for topic, value in published.items()):
            return other.text
    return ""


def published_table(rows: Sequence[PublishedMeasure]) -> Table:
    """Return a row for each run and measure: how many topics have the published value, and where it differs most."""
    notes = [Remark("published", tr(
        "A value is equal where it differs from the published one by at most 10⁻¹². A rule is named where another one "
        "for unknown importance has all published values."
    ))]  # fmt: skip
    return Table("published", tr("Published scores"), (
        column.run("run", tr("run"), [row.run for row in rows]),
        column.text("measure", tr("measure"), [row.name for row in rows]),
        column.count("topics", tr("topics"), [row.topics for row in rows]),
        column.count("equal", tr("equal"), [row.equal for row in rows]),
        column.count("missing", tr("not published"), [row.missing for row in rows]),
        column.count("other", tr("not evaluated"), [row.other for row in rows]),
        column.text("topic", tr("differs most in"), [row.topic for row in rows]),
        column.number("ours", tr("here"), np.array([row.ours for row in rows]), decimals=4),
        column.number("theirs", tr("published"), np.array([row.theirs for row in rows]), decimals=4),
        column.text("rule", tr("rule that has them"), [row.rule for row in rows]),
    ), notes=tuple(notes))  # fmt: skip
