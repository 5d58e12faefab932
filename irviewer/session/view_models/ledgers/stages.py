"""The ledgers of the bars of Stages: relevant documents by query and grade, and the mean of an order of documents by
query, with the ideal DCG where the measure is normalised by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.arrays import Floats, frozen
from irviewer.model.geometric import logarithms
from irviewer.model.number_text import count_text
from irviewer.model.options import EvaluationOptions
from irviewer.model.run import Run
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel
from irviewer.session.view_models.ledgers.number_ledger import MEAN, number_ledger, openable, worked_mean
from irviewer.tables import column as kinds
from irviewer.tables.column import Column
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.stages.stages import Stages

SUM = r"\sum_q \sum_g n_{qg}"
SHARE = r"\frac{1}{n} \sum_q \frac{\mathrm{DCG}_q}{\mathrm{ideal\ DCG}_q}"
GEOMETRIC = r"\exp\left(\frac{1}{n} \sum_q \ln v_q\right)"
SHARED = frozenset({"dcg", "base", "gains", "rel"})
"""The parameters of nDCG that DCG and the ideal DCG have too."""


def bar_ledger(stages: Stages, step: int, title: str, known: frozenset[str]) -> LedgerViewModel:
    """Return the ledger of a bar of the funnel: the relevant documents of each query by grade, and those lost.
    ``known`` are the queries that can be opened."""
    counts, every = stages.counts_by_grade(step), stages.counts[step]
    lost = np.zeros_like(every)
    if step:
        before = stages.room if step == len(stages.steps) - 1 else stages.counts[step - 1]
        lost = before - every
    order = np.lexsort((np.arange(len(every)), -every, -lost))
    queries = tuple(stages.query_ids[position] for position in order.tolist())
    columns: list[Column] = [
        kinds.identifier("query", tr("query"), queries, tip=tr("The queries, the largest loss first"))
    ]
    for position, grade in enumerate(stages.grades):
        meaning = tr("Relevant documents of grade {grade:g}", grade=grade)
        columns.append(kinds.number(f"grade{position}", tr("grade {grade:g}", grade=grade),
                                    _whole(counts[position][order]), whole=True, tip=meaning))  # fmt: skip
    columns.append(kinds.number("all", tr("relevant"), _whole(every[order]), whole=True,
                                tip=tr("Relevant documents of every grade")))  # fmt: skip
    rules = [tr("Relevant: grade {level:g} or more.", level=stages.level)]
    if step:
        meaning = tr("Documents of the bar before for which there is room, but which are not here")
        columns.append(kinds.number("lost", tr("lost"), _whole(lost[order]), whole=True, tip=meaning))
        rules.append(trn("{n:,} lost against the bar before.", "{n:,} lost against the bar before.", int(lost.sum())))
    shut = stages.steps[step].no_room
    if shut:
        rules.append(trn("{n:,} has no room in {top} places.", "{n:,} have no room in {top} places.", shut,
                         top=stages.top))  # fmt: skip
    total = int(every.sum())
    parts = " + ".join(count_text(int(count.sum())) for count in counts)
    return number_ledger(
        trn(
            "Why is there {n:,} relevant document {where}?",
            "Why are there {n:,} relevant documents {where}?",
            total, where=title,
        ), columns,
        f"{parts} = {count_text(total)}", SUM, rules, queries=openable(queries, known),
    )  # fmt: skip


def ceiling_ledger(
    stages: Stages, place: int, title: str, known: frozenset[str], last: Run, options: EvaluationOptions
) -> LedgerViewModel:
    """Return the ledger of a bar of the ceiling, a row of ``Stages.values``: the value of each query, with DCG and
    ideal DCG for the candidates of the last stage (the run ``last``) in ideal order."""
    measure = stages.measure
    values = stages.values[place]
    places = np.flatnonzero(~np.isnan(values))
    better = values[places] if measure.higher_is_better else -values[places]
    places = places[np.argsort(-better, kind="stable")]
    queries = tuple(stages.query_ids[spot] for spot in places.tolist())
    columns: list[Column] = [kinds.identifier("query", tr("query"), queries, tip=tr("The queries, the best first"))]
    formula, rules = MEAN, []
    candidates = place == len(stages.runs)
    gains = _gains_of(measure) if candidates else ()
    if candidates:
        rules.append(tr("The documents that {run} returns, by grade, the unjudged ones last.", run=stages.runs[-1]))
    elif place > len(stages.runs):
        rules.append(tr("All judged documents by grade."))
    if gains:
        from irviewer.analysis.stages.stages import ideal_values

        reached, ideal = ideal_values(stages.qrels, last, gains, stages.query_ids, options)[:, places]
        columns += [
            kinds.number("dcg", "DCG", frozen(reached), tip=tr("DCG of the stage's documents in ideal order")),
            kinds.number("ideal", tr("ideal DCG"), frozen(ideal),
                         tip=tr("DCG of all judged documents in ideal order")),
        ]  # fmt: skip
        formula = SHARE
        rules.append(tr("Each value is DCG ÷ ideal DCG, 0 where the ideal DCG is 0."))
    columns.append(kinds.number("value", measure.text, frozen(values[places]), tip=tr("Value of the order")))
    geometric = measure.aggregate == "geometric"
    parts = logarithms(values[places]) if geometric else values[places]
    worked, shown = worked_mean(parts.tolist(), len(parts), ratio=False if geometric else None)
    left = len(values) - len(places)
    if left:
        rules.append(trn("{n:,} query without a value is left out.", "{n:,} queries without a value are left out.",
                         left))  # fmt: skip
    return number_ledger(
        tr("Why is {measure} of “{order}” {value}?", measure=measure.text, order=title, value=shown), columns,
        worked, GEOMETRIC if geometric else formula, rules, queries=openable(queries, known), measure=measure.text,
    )  # fmt: skip


def _gains_of(measure: Measure) -> tuple[Measure, ...]:
    """Return DCG and the ideal DCG of an nDCG, with its parameters; () for another measure, and where these differ."""
    if measure.name != "nDCG" or any(name not in SHARED for name, _ in measure.given):
        return ()
    rest = measure.text.removeprefix("nDCG")
    return parse_measure(f"DCG{rest}"), parse_measure(f"IdealDCG{rest}")


def _whole(counts: np.ndarray) -> Floats:
    return frozen(counts.astype(np.float64))
