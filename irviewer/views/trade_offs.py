"""Runs by what they cost and what they bring, and which of them no other run beats in both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from irviewer.analysis.tuning.trade_offs import CostEffectiveness, cost_effectiveness
from irviewer.errors import OptionError, name_some
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.attributes.runs import RunAttribute, find_attribute
from irviewer.tables.column import number, outcome, run
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr
from irviewer.views.inputs import Inputs, Part
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, run_attribute


@dataclass(frozen=True, eq=False)
class TradeOffs:
    """Runs by an attribute, and the measure that their means are of."""

    measure: str
    found: CostEffectiveness

    @property
    def cost(self) -> str:
        """The attribute."""
        return self.found.attribute


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    cost: Annotated[
        str,
        run_attribute(tr("attribute of runs of which less is better; without it the first number"), title=tr("cost")),
    ] = "",
) -> TradeOffs:
    """Runs by what they cost and what they bring, with the Pareto line."""
    part = inputs.one
    part.refuse(tr("Trade-offs"), "weights")
    attribute = _attribute(part, cost)
    up = part.measure.higher_is_better
    return TradeOffs(
        str(part.measure),
        cost_effectiveness(protocol.taking_part, part.means(), attribute, higher_is_better=up),
    )


def _attribute(part: Part, name: str) -> RunAttribute:
    """Return the attribute of a name; for "" the first number that differs between runs, which a version in their
    headers does not. Raises OptionError."""
    if name:
        return find_attribute(part.run_attributes, name)
    numbers = [attribute for attribute in part.run_attributes if attribute.kind == "number"]
    if not numbers:
        raise OptionError(tr("The runs have no attribute that is a number. Open a table with a row per run."))
    if len(part.protocol.runs) == 1:
        return numbers[0]
    for attribute in numbers:
        if len(set(attribute.values.values())) > 1:
            return attribute
    raise OptionError(
        tr("No number differs between the runs: {names}. Open a table with a row per run, or name the cost.",
           names=name_some([attribute.name for attribute in numbers]))
    )  # fmt: skip


def tables(shown: TradeOffs, protocol: BoundProtocol) -> ViewResult:
    """Return the runs by cost."""
    trade_off = shown.found
    words = {"better": tr("on the line"), "worse": tr("dominated")}
    known = trade_off.efficient | ~(trade_off.cost != trade_off.cost) & ~(trade_off.mean != trade_off.mean)
    codes = [
        ("better" if efficient else "worse") if is_known else None
        for efficient, is_known in zip(trade_off.efficient.tolist(), known.tolist(), strict=True)
    ]
    columns = (
        run("run", tr("run"), trade_off.runs),
        number("mean", shown.measure, trade_off.mean, best=True, better_up=trade_off.higher_is_better),
        number("cost", trade_off.attribute, trade_off.cost, decimals=2, whole=True, best=True, better_up=False),
        outcome(
            "efficient", tr("Pareto line"), codes, texts=["–" if code is None else words[code] for code in codes],
            tip=tr("On the line no other run is at least as good at no higher cost, and better or cheaper."),
        ),
    )  # fmt: skip
    notes: tuple[Remark, ...] = ()
    if trade_off.without:
        text = tr("Without a cost or a mean: {runs}.", runs=name_some(trade_off.without))
        notes = (Remark("without", text, {"runs": list(trade_off.without)}),)
    title = tr("{measure} by {cost}", measure=shown.measure, cost=trade_off.attribute)
    return ViewResult(shown, (Table("runs", title, columns, keys=trade_off.runs, opens="run", notes=notes),))


VIEW = ResultView("trade-offs", compute, tables, title=tr("Trade-offs"), uses=("rules", "scope"), settles=("cost",))
