"""Ledgers made from others: of an expression over measures, and of a value as a Z-score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from irviewer.analysis.explain.ledger_types import DEVIATION, MEAN, Ledger, Quantity, Rule
from irviewer.analysis.explain.query_slice import OneQuery
from irviewer.analysis.explain.wording import latex_name, latex_number, number, value_text
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.zscores import zscore_values
from irviewer.measures.expressions import Expression, Node
from irviewer.measures.parameters import number_text
from irviewer.measures.tool_names import trec_name, usual_name
from irviewer.model.zscores import ZScores
from irviewer.translation import decimal, tr

NOTHING = np.empty(0)


def expression_ledger(query: OneQuery, bound_measure: BoundMeasure, parts: Sequence[Ledger]) -> Ledger:
    """Return the ledger of an expression: those of its measures, and the expression with their values."""
    measure = bound_measure.measure
    assert isinstance(measure, Expression)
    value = float(measure.combine({part.measure.text: np.array([part.value]) for part in parts})[0])
    value_texts = {part.measure.text: value_text(part.measure, part.value) for part in parts}
    plain, latex = _plain(measure.tree, value_texts), _latex(measure.tree, value_texts)
    result = value_text(measure, value)
    return Ledger(
        measure, query.query, query.run.name, (), (), NOTHING, NOTHING,
        tr("each row contributes what it contributes to the measures of the expression"), value, measure.formula,
        f"{usual_name(measure)} = {plain} = {result}",
        f"{latex_name(measure.text)} = {latex} = {latex_number(result)}",
        (Rule("own",
        tr("The expression is computed from the values of its measures for this query; division by 0 gives 0.")),),
        operation="parts", parts=tuple(parts),
    )  # fmt: skip


_BINDS = {"+": 1, "-": 1, "*": 2, "/": 2, "negative": 3}
_SIGNS = {"+": "+", "-": "−", "*": "·", "/": "÷"}


def _plain(node: Node, value_texts: dict[str, str], within: int = 0) -> str:
    """The expression with the values of its measures."""
    if node.measure is not None:
        return value_texts[node.measure.text]
    if node.sign == "number":
        return number_text(node.value)
    if node.sign == "negative":
        return f"−{_plain(node.nodes[0], value_texts, 3)}"
    if node.sign not in _BINDS:
        return f"{node.sign}({', '.join(_plain(child, value_texts) for child in node.nodes)})"
    binds = _BINDS[node.sign]
    left, right = _plain(node.nodes[0], value_texts, binds), _plain(node.nodes[1], value_texts, binds + 1)
    text = f"{left} {_SIGNS[node.sign]} {right}"
    return f"({text})" if binds < within else text


def _latex(node: Node, value_texts: dict[str, str], within: int = 0) -> str:
    if node.measure is not None:
        return latex_number(value_texts[node.measure.text])
    if node.sign == "number":
        return number_text(node.value)
    if node.sign == "negative":
        return f"-{_latex(node.nodes[0], value_texts, 3)}"
    if node.sign == "/":
        return rf"\frac{{{_latex(node.nodes[0], value_texts)}}}{{{_latex(node.nodes[1], value_texts)}}}"
    if node.sign not in _BINDS:
        inside = ", ".join(_latex(child, value_texts) for child in node.nodes)
        return rf"\sqrt{{{inside}}}" if node.sign == "sqrt" else rf"\mathrm{{{node.sign}}}({inside})"
    binds = _BINDS[node.sign]
    sign = r"\cdot" if node.sign == "*" else node.sign
    text = f"{_latex(node.nodes[0], value_texts, binds)} {sign} {_latex(node.nodes[1], value_texts, binds + 1)}"
    return f"({text})" if binds < within else text


def zscore_ledger(ledger: Ledger, mean: float, deviation: float, value: float) -> Ledger:
    """Return the ledger of a value as a Z-score: (value - mean) / deviation of reference runs on this query."""
    name = f"Z({ledger.measure.text})"
    plain_value, result = number(ledger.value), "–" if np.isnan(value) else decimal(f"{value:.4f}")
    x, mu, sigma = (latex_number(number(quantity)) for quantity in (ledger.value, mean, deviation))
    return replace(
        ledger,
        measure=replace(ledger.measure, text=name, family=replace(ledger.measure.family, counts=False)),
        columns=(), cells=(), contributions=NOTHING, credits=NOTHING, value=value, parts=(ledger,),
        formula=r"\frac{x - \mu}{\sigma}",
        worked=f"{name} = ({plain_value} − {number(mean)}) ÷ {number(deviation)} = {result}",
        worked_latex=rf"{latex_name(name)} = \frac{{{x} - {mu}}}{{{sigma}}} = {latex_number(result)}",
        rules=(Rule("own", tr("The mean and the standard deviation are those of the reference runs on this query.")),),
        quantities=(
            Quantity(MEAN, tr("the mean of the reference runs"), mean, whole=False),
            Quantity(DEVIATION, tr("their standard deviation"), deviation, whole=False),
        ),
        offset=None, normaliser=None, least=None, operation="Z-score", missed=(),
    )  # fmt: skip


def as_zscore(ledger: Ledger, zscores: ZScores, level: float = 1) -> Ledger:
    """Return the ledger of a value as a Z-score, with mean and deviation from a file; NaN where it lacks this query."""
    measure = ledger.measure
    value = float(zscore_values(zscores, measure, (ledger.query,), np.array([ledger.value]), level)[0])
    trec_text = trec_name(measure, level)
    names = [name for name in (trec_text[0] if trec_text else "", measure.text, measure.asked) if name]
    nothing = (float("nan"), float("nan"))
    reference = next(
        (zscores.values[ledger.query, name] for name in names if (ledger.query, name) in zscores.values), nothing
    )
    return zscore_ledger(ledger, *reference, value)
