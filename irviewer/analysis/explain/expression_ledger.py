"""Ledgers put together from others: an expression over measures, and a value as a Z-score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from irviewer.analysis.explain.ledger_types import Ledger, Quantity, Rule
from irviewer.analysis.explain.query_slice import OneQuery
from irviewer.analysis.explain.wording import latex_name, latex_number, number, value_text
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.zscores import zscore_values
from irviewer.measures.expressions import Expression, Node
from irviewer.measures.parameters import number_text
from irviewer.measures.tool_names import trec_name
from irviewer.model.zscores import ZScores

NOTHING = np.empty(0)


def expression_ledger(query: OneQuery, bound_measure: BoundMeasure, parts: Sequence[Ledger]) -> Ledger:
    """The ledger of an expression: those of its measures, and the expression with their values put in."""
    measure = bound_measure.measure
    assert isinstance(measure, Expression)
    value = float(measure.combine({one.measure.text: np.array([one.value]) for one in parts})[0])
    shown = {one.measure.text: value_text(one.measure, one.value) for one in parts}
    plain, latex = _plain(measure.tree, shown), _latex(measure.tree, shown)
    result = value_text(measure, value)
    return Ledger(
        measure, query.query, query.run.name, (), (), NOTHING, NOTHING,
        "each document is worth what it is worth to the expression's measures", value, measure.formula,
        f"{measure.text} = {plain} = {result}",
        f"{latex_name(measure.text)} = {latex} = {latex_number(result)}",
        (Rule("own", "The expression is computed for this query from its measures; a division by 0 gives 0."),),
        operation="parts", parts=tuple(parts),
    )  # fmt: skip


_BINDS = {"+": 1, "-": 1, "*": 2, "/": 2, "negative": 3}
_SIGNS = {"+": "+", "-": "−", "*": "·", "/": "÷"}


def _plain(node: Node, shown: dict[str, str], within: int = 0) -> str:
    """The expression with values for measures."""
    if node.measure is not None:
        return shown[node.measure.text]
    if node.sign == "number":
        return number_text(node.value)
    if node.sign == "negative":
        return f"−{_plain(node.nodes[0], shown, 3)}"
    if node.sign not in _BINDS:
        return f"{node.sign}({', '.join(_plain(one, shown) for one in node.nodes)})"
    binds = _BINDS[node.sign]
    left, right = _plain(node.nodes[0], shown, binds), _plain(node.nodes[1], shown, binds + 1)
    text = f"{left} {_SIGNS[node.sign]} {right}"
    return f"({text})" if binds < within else text


def _latex(node: Node, shown: dict[str, str], within: int = 0) -> str:
    if node.measure is not None:
        return latex_number(shown[node.measure.text])
    if node.sign == "number":
        return number_text(node.value)
    if node.sign == "negative":
        return f"-{_latex(node.nodes[0], shown, 3)}"
    if node.sign == "/":
        return rf"\frac{{{_latex(node.nodes[0], shown)}}}{{{_latex(node.nodes[1], shown)}}}"
    if node.sign not in _BINDS:
        inside = ", ".join(_latex(one, shown) for one in node.nodes)
        return rf"\sqrt{{{inside}}}" if node.sign == "sqrt" else rf"\mathrm{{{node.sign}}}({inside})"
    binds = _BINDS[node.sign]
    sign = r"\cdot" if node.sign == "*" else node.sign
    text = f"{_latex(node.nodes[0], shown, binds)} {sign} {_latex(node.nodes[1], shown, binds + 1)}"
    return f"({text})" if binds < within else text


def zscore_ledger(ledger: Ledger, mean: float, deviation: float, value: float) -> Ledger:
    """The ledger of a value as a Z-score: (value - mean) / deviation of reference runs on this query."""
    name = f"Z({ledger.measure.text})"
    own, result = number(ledger.value), "–" if np.isnan(value) else f"{value:.4f}"
    x, mu, sigma = (latex_number(number(one)) for one in (ledger.value, mean, deviation))
    return replace(
        ledger,
        measure=replace(ledger.measure, text=name, family=replace(ledger.measure.family, counts=False)),
        columns=(), cells=(), contributions=NOTHING, credits=NOTHING, value=value, parts=(ledger,),
        formula=r"\frac{x - \mu}{\sigma}",
        worked=f"{name} = ({own} − {number(mean)}) ÷ {number(deviation)} = {result}",
        worked_latex=rf"{latex_name(name)} = \frac{{{x} - {mu}}}{{{sigma}}} = {latex_number(result)}",
        rules=(Rule("own", "Mean and standard deviation are those of reference runs on this query."),),
        quantities=(
            Quantity("mean", "the reference runs' mean", mean, whole=False),
            Quantity("deviation", "their standard deviation", deviation, whole=False),
        ),
        offset=None, normaliser=None, least=None, operation="Z-score", missed=(),
    )  # fmt: skip


def as_zscore(ledger: Ledger, zscores: ZScores, level: float = 1) -> Ledger:
    """The same, with mean and deviation from a file of reference runs; NaN where it has none for this query."""
    measure = ledger.measure
    value = float(zscore_values(zscores, measure, (ledger.query,), np.array([ledger.value]), level)[0])
    known = trec_name(measure, level)
    names = [one for one in (known[0] if known else "", measure.text, measure.asked) if one]
    nothing = (float("nan"), float("nan"))
    found = next((zscores.values[ledger.query, one] for one in names if (ledger.query, one) in zscores.values), nothing)
    return zscore_ledger(ledger, *found, value)
