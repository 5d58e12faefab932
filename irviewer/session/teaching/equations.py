"""Equations of numbers in texts, such as ``(1/3 + 1) / 2 = .667``: those that are false, and their results."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Iterator
from itertools import pairwise

from irviewer.model.formula import formulas_in

_SIGNS = str.maketrans({"×": "*", "·": "*", "−": "-", "÷": "/", "–": "-"})
_EQUATION = re.compile(
    r"(?<![\w.,%^@$\\|{}])(?P<left>[ƪ(\d.][ƪ\d. ()+*/-]*[\d)])"
    r"\s*=\s*(?P<right>-?(?:\d+/\d+|\d*\.?\d+))(?![\w/(^%$]|[.,]\d| \d| ?[+*/-] ?[\d(.])"
)
_NUMBERS = re.compile(r"[\d. ()+*/-]*\d[\d. ()+*/-]*")
"""A side of an equation that has numbers alone."""
_GAPS = re.compile("(?<=[0-9])[ \u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
"""The spaces between the thousands of a number."""
_LOGARITHM = re.compile(r"(?<![\w\\])log[2₂] ?(?:(\d+(?:\.\d+)?)(?![\d.(])|(?=\())")
"""The logarithm to base 2 of a number, or of a sum in brackets. Python's parser is given ƪ as its name, which no text
has."""
_WITH = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
"""The operators."""


def false_equations(text: str) -> Iterator[str]:
    """Yield the equations of a text whose sides differ by more than what rounding explains: of the right side to its
    digits, of the left one to those of its numbers. What is no sum, product, quotient or log2 of numbers is passed
    over."""
    for match in _EQUATION.finditer(_plain(text)):
        if _is_false(match["left"].strip(), match["right"]):
            yield match[0].strip().replace("ƪ", "log2")
    for formula in (formula for line in text.split("\n") for formula, _ in formulas_in(line)):
        sides = [side.strip() for side in _arithmetic(formula).split("=")]
        for left, right in pairwise(sides):
            if _NUMBERS.fullmatch(left) and _NUMBERS.fullmatch(right) and _is_false(left, right):
                yield f"{left} = {right}"


def _is_false(left: str, right: str) -> bool:
    if not re.search(r"[+*/ƪ-]", left):
        return False
    try:
        value, wanted = _value(left), _value(right)
    except (SyntaxError, ValueError, ZeroDivisionError):
        return False
    is_number = re.fullmatch(r"-?\d*\.?\d+", right) is not None
    unit = 10.0 ** -len(right.partition(".")[2]) if is_number else 1e-9 + 2 * _rounding(right)
    return abs(value - wanted) > 0.5000001 * unit + _rounding(left)


def _arithmetic(formula: str) -> str:
    """Return a formula with the signs of Python, as far as it has them."""
    plain = re.sub(r"\\[dt]?frac\s*{([^{}]*)}\s*{([^{}]*)}", r"((\1)/(\2))", _plain(formula))
    return re.sub(r"\\left|\\right|\\[,;: ]", "", re.sub(r"\\times|\\cdot", "*", plain))


def results_of(text: str) -> list[float]:
    """Return the numbers and fractions of a text that computes something, of which one is its result; none of another
    text."""
    plain = _plain(text)
    if not any(re.search(r"[+*/-]", match["left"]) for match in _EQUATION.finditer(plain)):
        alone = plain.strip().removesuffix(".")
        try:
            return [_value(alone)] if re.search(r"[+*/]", alone) else []
        except (SyntaxError, ValueError, ZeroDivisionError):
            return []
    numbers = re.findall(r"-?\d+/[1-9]\d*|-?\d*\.\d+|-?\d+", plain)
    parts = (number.partition("/") for number in numbers)
    return [float(above) / float(below or 1) for above, _, below in parts]


def _plain(text: str) -> str:
    """Return a text with the signs of Python, single spaces, thousands without gaps, and ƪ for log2."""
    plain = _GAPS.sub("", " ".join(text.translate(_SIGNS).split()))
    return _LOGARITHM.sub(lambda logarithm: f"ƪ({logarithm[1]})" if logarithm[1] else "ƪ", plain)


def _value(text: str) -> float:
    """Return the value of a sum, product, quotient or log2. Raises SyntaxError, ValueError, ZeroDivisionError."""
    return _of(ast.parse(text, mode="eval").body)


def _of(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.UnaryOp(op=ast.USub(), operand=inside):
            return -_of(inside)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _WITH:
            return float(_WITH[type(sign)](_of(left), _of(right)))
        case ast.Call(func=ast.Name(id="ƪ"), args=[inside]):
            return math.log2(_of(inside))
    raise ValueError


def _rounding(left: str) -> float:
    """Return by how much a side may be off whose numbers are rounded to the fewest decimals that any has; 0 where all
    are whole."""
    decimals = [len(number.partition(".")[2]) for number in re.findall(r"\d*\.\d+", left)]
    return len(decimals) * 0.5 * 10.0 ** -min(decimals) if decimals else 0.0
