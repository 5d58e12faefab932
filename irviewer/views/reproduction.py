"""How well an experiment was reproduced: the order of documents, the values of queries, and the effect."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from irviewer.analysis.similarity.reproduction import Reproduction, order_of, values_of
from irviewer.analysis.similarity.ties import TieVariant
from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.dialects import dialect_of
from irviewer.model.number_text import limit
from irviewer.model.run_names import run_place
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.inputs import Inputs, Part
from irviewer.views.result import ViewResult
from irviewer.views.similarity import TIE_WORDS
from irviewer.views.view import ResultView, Step, a_run, option


@dataclass(frozen=True, eq=False)
class ShownReproduction:
    """What was compared, and whether less is better, by measure."""

    reproduction: Reproduction
    up: tuple[bool, ...]


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    original: Annotated[
        str, a_run(tr("the original advanced run, A; runs are named, never guessed"), title=tr("A"))
    ] = "",
    own: Annotated[str, a_run(tr("the own run that reproduces A"), title=tr("own A"))] = "",
    original_baseline: Annotated[str, a_run(tr("the original baseline, B"), title=tr("B"))] = "",
    own_baseline: Annotated[str, a_run(tr("the own run that reproduces B"), title=tr("own B"))] = "",
    p: Annotated[float, option(tr("persistence of rank-biased overlap"), low=0, high=1, title=tr("p"))] = 0.9,
    ranks: Annotated[int, option(tr("ranks compared"), low=1, title=tr("ranks"))] = 1000,
    ties: Annotated[
        TieVariant,
        option(tr("how rank-biased overlap counts tied scores, as in similarity"), title=tr("ties"), words=TIE_WORDS),
    ] = "a",
    progress: Step | None = None,
) -> ShownReproduction:
    """How well own runs reproduce original ones: the order of documents, the values of queries, and the effect.

    Raises OptionError where A and its reproduction, or one of two baselines, are not named."""
    part = inputs.one
    part.refuse(tr("Reproduction"), "weights")
    places = _places(part, original, own, original_baseline, own_baseline)
    rules = dialect_of(protocol.protocol.rules.dialect)
    runs = [part.runs[place].renamed(part.names[place]).reordered(rules.ties, rules.bits) for place in places]
    pairs = [
        order_of(runs[at], runs[at + 1], protocol.query_ids, p=p, depth=ranks, ties=ties, progress=progress)
        for at in range(0, len(runs), 2)
    ]
    named = [part.measure_named(measure) for measure in protocol.protocol.measures or (part.measure,)]
    for measure in named:
        part.comparable(places, [part.names[place] for place in places], measure)
    values = tuple(values_of(part.values(places, measure)) for measure in named)
    names = tuple(part.names[place] for place in places)
    return ShownReproduction(
        Reproduction(names, tuple(order for order, _ in pairs), values, pairs[0][1]),
        tuple(measure.higher_is_better for measure in named),
    )


def _places(part: Part, *named: str) -> list[int]:
    """Return the places of A and its reproduction, and of both baselines where they are named."""
    original, own, baseline, own_baseline = named
    if not original or not own:
        raise OptionError(tr("Name the original run and the own one: original (A) and own (own A)."))
    if bool(baseline) != bool(own_baseline):
        raise OptionError(tr("An effect needs both baselines: --original-baseline RUN and --own-baseline RUN."))
    given = [original, own, *((baseline, own_baseline) if baseline else ())]
    places = [run_place(name, part.names) for name in given]
    if len(set(places)) < len(places):
        raise OptionError(tr("These must be different runs, and one is named twice: {names}", names=", ".join(given)))
    return places


def tables(shown: ShownReproduction, bound: BoundProtocol) -> ViewResult:
    """Return the tables ``effects``, ``values`` and ``order``."""
    reproduction = shown.reproduction
    every = [_values(reproduction), _order(reproduction)]
    if len(reproduction.names) > 2:
        every.insert(0, _effects(shown))
    return ViewResult(shown, tuple(every), sentences=_sentences(reproduction))


def _sentences(reproduction: Reproduction) -> tuple[Remark, ...]:
    said = []
    for each in reproduction.values:
        if math.isnan(each.ratio):
            continue
        words = (
            tr("as large as the original one") if each.ratio == 1
            else tr("larger than the original one") if each.ratio > 1
            else tr("smaller than the original one, in the same direction") if each.ratio > 0
            else tr("none") if each.ratio == 0
            else tr("in the other direction")
        )  # fmt: skip
        text = trn(
            "{measure}: over {n:,} query the effect of the own runs is {words} (ER {ratio}).",
            "{measure}: over {n:,} queries the effect of the own runs is {words} (ER {ratio}).",
            each.queries, measure=each.measure, words=words, ratio=limit(round(each.ratio, 3)),
        )  # fmt: skip
        said.append(Remark("effect", text, {"measure": each.measure, "er": each.ratio}, warns=False))
    said.append(Remark("levels", tr(
        "The levels are separate: lists can differ and the values agree, and values can differ and the effect agree."
    ), warns=False))  # fmt: skip
    said.append(Remark("tau_union", tr(
        "τ union is as published: it is of the places of documents in the union sorted by id, so that other ids give "
        "another value; τ is of the documents that both return, and depends on no id."
    )))  # fmt: skip
    if reproduction.rbo.ties_note:
        said.append(Remark("ties", reproduction.rbo.ties_note, {"ties": reproduction.rbo.ties}))
    return tuple(said)


def _effects(shown: ShownReproduction) -> Table:
    reproduction = shown.reproduction
    values, up = reproduction.values, list(shown.up)
    original, own, baseline, own_baseline = reproduction.names
    title = tr("Effect of {run} over {baseline}, and of {own} over {own_baseline}", run=original, baseline=baseline,
               own=own, own_baseline=own_baseline)  # fmt: skip
    return Table("effects", title, (
        column.measures("measure", tr("measure"), [each.measure for each in values]),
        column.count("queries", tr("queries"), [each.queries for each in values]),
        column.difference("original", tr("original effect"), [each.effects[0] for each in values], better_up=up,
                          decides=False),
        column.difference("own", tr("own effect"), [each.effects[1] for each in values], better_up=up, decides=False),
        column.number("er", tr("ER"), [each.ratio for each in values],
                      tip=tr("Effect ratio, own by original effect: 1 is a perfect reproduction")),
        column.number("original_ri", tr("original RI"), [each.relative[0] for each in values], detail=True),
        column.number("own_ri", tr("own RI"), [each.relative[1] for each in values], detail=True),
        column.number("delta_ri", tr("ΔRI"), [each.delta_ri for each in values], signed=True,
                      tip=tr("Original less own relative improvement: 0 is a perfect reproduction")),
    ), keys=[each.measure for each in values])  # fmt: skip


def _values(reproduction: Reproduction) -> Table:
    rows = [(each, at) for each in reproduction.values for at in range(len(reproduction.orders))]
    return Table("values", tr("Values of queries"), (
        column.measures("measure", tr("measure"), [each.measure for each, _ in rows]),
        column.run("run", tr("original"), [reproduction.names[2 * at] for _, at in rows]),
        column.run("own", tr("own"), [reproduction.names[2 * at + 1] for _, at in rows]),
        column.count("queries", tr("queries"), [each.queries for each, _ in rows]),
        column.number("original_mean", tr("original mean"), [each.means[at] for each, at in rows]),
        column.number("own_mean", tr("own mean"), [each.means[2 + at] for each, at in rows]),
        column.number("rmse", tr("RMSE"), [each.rmse[at] for each, at in rows],
                      tip=tr("Root mean square of the differences of queries: 0 is a perfect reproduction")),
    ), keys=[(each.measure, reproduction.names[2 * at]) for each, at in rows])  # fmt: skip


def _order(reproduction: Reproduction) -> Table:
    orders, places = reproduction.orders, range(len(reproduction.orders))
    rbo = tr("RBO, p = {p}, ties {ties}", p=limit(reproduction.rbo.p), ties=reproduction.rbo.ties)
    return Table("order", tr("Order of documents, the first {n:,}", n=reproduction.rbo.depth), (
        column.run("run", tr("original"), [reproduction.names[2 * at] for at in places]),
        column.run("own", tr("own"), [reproduction.names[2 * at + 1] for at in places]),
        column.number("tau_union", tr("τ union"), [each.tau_union for each in orders],
                      tip=tr("Kendall's τ of the places in the union of both lists, sorted by id, as published")),
        column.number("tau", "τ", [each.tau for each in orders], tip=tr("tau-b of the documents that both return")),
        column.number("rbo", rbo, [each.rbo for each in orders]),
        column.count("queries", tr("queries"), np.array([each.queries[2] for each in orders])),
        column.count("queries_union", tr("queries of τ union"), np.array([each.queries[0] for each in orders]),
                     detail=True, tip=tr("Queries for which both lists are of one length")),
    ), keys=[reproduction.names[2 * at] for at in places])  # fmt: skip


VIEW = ResultView(
    "reproduction", compute, tables, title=tr("Reproduction"), uses=("rules", "scope"),
    needs=("judgments", "lists", "two runs"),
)  # fmt: skip
