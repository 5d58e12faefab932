"""The stability of the order of runs as tables: ranks and first places in draws of the queries, and which run is ahead
of which how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from irviewer.analysis.statistics.result_comparison import testable
from irviewer.analysis.statistics.significance.resampling import GROUPS, are_grouped
from irviewer.analysis.statistics.significance.test_results import Step
from irviewer.analysis.statistics.stability import Stability, order_of
from irviewer.analysis.statistics.systems import stability_of, unranked
from irviewer.errors import MeasureError, OptionError
from irviewer.evaluation.answer_cautions import measure_left_out
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.results import ResultTable
from irviewer.model.number_text import level_text, quantity
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.inputs import Inputs
from irviewer.views.keys import data_keys
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.selection import chosen_remarks, note_remarks, selection_notes
from irviewer.views.view import ResultView


def stabilities(
    result: ResultTable,
    bound: BoundProtocol,
    weights: Mapping[str, float] | None = None,
    progress: Step | None = None,
) -> list[Stability]:
    """Return the stability for each measure that can be tested; notes of the first say why others are left out: they
    are no means, or runs never reach them and have no order. Raises OptionError for the only one, UndecidedError."""
    orders: list[Stability] = []
    measures, left_out = testable(result.measures)
    refused: MeasureError | None = None
    inference = bound.protocol.inference
    for measure in measures:
        try:
            own = result.having([measure], 2)
        except MeasureError as lacking:
            refused = refused or lacking
            left_out.append(measure_left_out(measure.text))
            continue
        unreached = int(result.unreached(measure).any(axis=1).sum())
        if unreached and len(measures) > 1:
            left_out.append(tr("{measure}: {reason}; left out", measure=measure.text, reason=unranked(unreached)))
            continue
        orders.append(stability_of(
            own, measure, queries=bound.selected, weights=weights, samples=inference.samples, seed=inference.seed,
            level=inference.confidence, progress=progress,
        ))  # fmt: skip
    if not orders:
        raise refused or OptionError(" ".join(left_out))
    if left_out:
        orders[0] = replace(orders[0], notes=(*left_out, *orders[0].notes))
    return orders


def tables(orders: Sequence[Stability], bound: BoundProtocol | None, notes: Sequence[str] = ()) -> ViewResult:
    """Return the table ``stability``, a row for each measure and run, the best first, and, where it is named,
    ``ahead``: the share of draws in which the run of the row is ahead of that of the column."""
    shown = (_stability(orders, notes, chosen_remarks(bound)),)
    return ViewResult(tuple(orders), shown, further=(_ahead(orders),)).with_provenance(provenance("stability", bound))


def _rows(orders: Sequence[Stability]) -> list[tuple[Stability, int]]:
    return [(stable, run) for stable in orders for run in order_of(stable).tolist()]


def _stability(orders: Sequence[Stability], notes: Sequence[str], chosen: Sequence[Remark]) -> Table:
    rows = _rows(orders)
    alone = len(orders) < 2
    title = tr("Stability of the order of the runs")
    if alone and orders and orders[0].measure:
        title = tr("{measure}, stability of the order", measure=orders[0].measure)
    level = level_text(orders[0].level) if orders else ""
    remarks = [remark for stable in orders for remark in _remarks(stable, alone=alone)]
    remarks += [*(Remark("queries", text) for text in notes), *chosen]
    return Table("stability", title, (
        column.measures("measure", tr("measure"), [stable.measure for stable, _ in rows], detail=alone),
        column.run("run", tr("run"), [stable.runs[run] for stable, run in rows]),
        column.number("rank", tr("rank"), [stable.rank[run] for stable, run in rows], decimals=1, whole=True),
        column.share("first", tr("comes first"), [stable.first[run] for stable, run in rows]),
        column.number("rank_low", tr("{level} of ranks from", level=level), [stable.low[run] for stable, run in rows],
                      decimals=1, whole=True),
        column.number("rank_high", tr("to"), [stable.high[run] for stable, run in rows], decimals=1, whole=True),
    ), keys=[(stable.measure, stable.runs[run]) for stable, run in rows], group="" if alone else "measure",
        opens="run", notes=tuple({remark.text: remark for remark in remarks}.values()))  # fmt: skip


def _remarks(stable: Stability, *, alone: bool) -> list[Remark]:
    method = trn(
        "{samples:,} bootstrap samples of the one query that every run has, seed {seed}. Mean of "
        "Kendall's tau between the sampled orders and the observed order: {tau}.",
        "{samples:,} bootstrap samples of the {n:,} queries that every run has, seed {seed}. Mean of "
        "Kendall's tau between the sampled orders and the observed order: {tau}.",
        stable.queries, samples=stable.samples, seed=stable.seed, tau=quantity(stable.tau),
    )  # fmt: skip
    if are_grouped(stable.queries):
        method += " " + tr("Not single queries were drawn but {groups:,} random groups of them.", groups=GROUPS)
    values = {"measure": stable.measure, "samples": stable.samples, "queries": stable.queries, "seed": stable.seed,
              "level": stable.level, "tau": stable.tau}  # fmt: skip
    text = method if alone else tr("{measure}: {text}", measure=stable.measure, text=method)
    return [Remark("method", text, values, warns=False), *note_remarks("means", stable.notes)]


def _ahead(orders: Sequence[Stability]) -> Table:
    runs = tuple(dict.fromkeys(run for stable in orders for run in stable.runs))
    rows = [(stable, run) for stable in orders for run in stable.runs]
    names = (
        column.measures("measure", tr("measure"), [stable.measure for stable, _ in rows], detail=len(orders) < 2),
        column.run("run", tr("run"), [run for _, run in rows]),
    )
    notes = {remark.text: remark for stable in orders for remark in note_remarks("means", stable.notes)}
    shares = np.full((len(rows), len(runs)), np.nan)
    first = 0
    for stable in orders:
        shares[first : first + len(stable.runs), [runs.index(run) for run in stable.runs]] = stable.ahead
        first += len(stable.runs)
    return Table("ahead", tr("Share of the draws in which a run is ahead of another"), (
        *names,
        *(column.share(key, run, shares[:, place], names="run")
          for place, (key, run) in enumerate(zip(data_keys(runs, names), runs, strict=True))),
    ), group="" if len(orders) < 2 else "measure", opens="run", notes=tuple(notes.values()))  # fmt: skip


def compute(inputs: Inputs, protocol: BoundProtocol, *, progress: Step | None = None) -> list[Stability]:
    """How stable the order of runs is: ranks and first places in bootstrap samples of the queries."""
    part = inputs.one
    result, said = part.results(), part.weights
    if said is not None:
        said.of(result.query_ids)  # raises if no query has a weight
    weights = None if said is None else said.values
    return stabilities(result, protocol, weights, progress=progress)


def _described(orders: Sequence[Stability], bound: BoundProtocol) -> ViewResult:
    return tables(orders, bound, selection_notes(bound))


VIEW = ResultView(
    "stability", compute, _described, title=tr("Stability of the order"), uses=("rules", "scope", "samples", "seed"),
    needs=("judgments", "two runs"),
)  # fmt: skip
