"""Equations of numbers in texts, such as ``(1/3 + 1) / 2 = .667``: those that are false, and their results."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Iterator
from itertools import pairwise

from irviewer.model.formula import formulas_in
from irviewer.session.teaching.checking.wording.sentences import readable

_SIGNS = str.maketrans({"×": "*", "·": "*", "−": "-", "÷": "/", "–": "-"})
_EQUATION = re.compile(
    r"(?<![\w.,%^@$\\|{}+*/-])(?<![+*/-] )(?P<left>[ƪƨ(\d.][ƪƨ\d. ()+*/^-]*[\d)])"
    r"\s*=\s*(?P<right>-?(?:\d+/\d+|\d*\.?\d+)(?: ?%)?)(?![\w/(^$]| ?%|[.,]\d| \d| ?[+*/-] ?[ƪƨ\d(.])"
)
_CHAINED = re.compile(
    r"(?<![\w.,%^@$\\|{}+*/-])(?<![+*/-] )(?P<left>[ƪƨ(\d.][ƪƨ\d. ()+*/^-]*[\d)])"
    r"\s*=\s*(?P<right>[ƪƨ(\d.][ƪƨ\d. ()+*/^-]*[+*/^-][ƪƨ\d. ()+*/^-]*[\d)])(?=\s*=)"
)
"""An equation whose right side is computed, too, and has an equals sign after it."""
_NUMBERS = re.compile(r"[ƪƨ\d. ()+*/^-]*\d[ƪƨ\d. ()+*/^-]*")
"""A side of an equation that has numbers alone."""
_GAPS = re.compile("(?<=[0-9])[ \u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
"""The spaces between the thousands of a number."""
_LOGARITHM = re.compile(r"(?<![\w\\])log[2₂] ?(?:(\d+(?:\.\d+)?)(?![\d.(])|(?=\())")
"""The logarithm to base 2 of a number, or of a sum in brackets. Python's parser is given ƪ as its name, which no text
has, and ƨ as that of the square root."""
_LAST = re.compile(r"[:,;] (\d+/[1-9]\d*)\.?\s*$")
"""A fraction that a text ends with."""
_ROOT = re.compile(r"√ ?(?:(\d*\.?\d+)|(?=\())")
_SMALL = re.compile(r"\d{1,2} ?/ ?\d{1,2}")
"""A quotient of small numbers."""
_WITH = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
         ast.Pow: operator.pow}  # fmt: skip
"""The operators."""
_FUNCTIONS = {"ƪ": math.log2, "ƨ": math.sqrt}
MOST = 1000.0
"""The largest base and exponent of powers that are computed."""


def false_equations(text: str) -> Iterator[str]:
    """Yield the equations of a text whose sides differ by more than what rounding explains: of the right side to its
    digits, of the left one to those of its numbers. What is no sum, product, quotient, power, square root or log2 of
    numbers is passed over."""
    text = readable(text)
    plain = _plain(text)
    for match in _EQUATION.finditer(plain):
        if _is_false(match["left"].strip(), match["right"]):
            yield _shown(match[0].strip())
    for match in _CHAINED.finditer(plain):
        if _is_false(match["left"].strip(), match["right"].strip()):
            yield _shown(match[0].strip())
    for formula in (formula for line in text.split("\n") for formula, _ in formulas_in(line)):
        sides = [side.strip() for side in _arithmetic(formula).split("=")]
        for left, right in pairwise(sides):
            if _NUMBERS.fullmatch(left) and _NUMBERS.fullmatch(right) and _is_false(left, right):
                yield _shown(f"{left} = {right}")


def _shown(equation: str) -> str:
    return equation.replace("ƪ", "log2").replace("ƨ", "√")


def _is_false(left: str, right: str) -> bool:
    if not re.search(r"[+*/^ƪƨ-]", left):
        return False
    percent = right.endswith("%")
    right = right.rstrip("% ")
    try:
        value, wanted = _value(left) * (100 if percent else 1), _value(right)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError):
        return False
    is_number = re.fullmatch(r"-?\d*\.?\d+", right) is not None
    unit = 10.0 ** -len(right.partition(".")[2]) if is_number else 1e-9 + 2 * _rounding(right)
    if is_number and "." not in right and not percent and ("ƪ" in left or "ƨ" in left or _SMALL.fullmatch(left)):
        unit = 1e-9  # a whole number is rounded where the sides are large alone
    return abs(value - wanted) > 0.5000001 * unit + _rounding(left) * (100 if percent else 1)


def _arithmetic(formula: str) -> str:
    """Return a formula with the signs of Python, as far as it has them."""
    plain = re.sub(r"\\log_(?:2|\{2\})\s*", "log2 ", formula)
    plain = re.sub(r"\\[dt]?frac\s*{([^{}]*)}\s*{([^{}]*)}", r"((\1)/(\2))", _plain(plain))
    plain = re.sub(r"\^{([^{}]*)}", r"^(\1)", re.sub(r"\\sqrt\s*{([^{}]*)}", r"ƨ(\1)", plain))
    return re.sub(r"\\left|\\right|\\[,;: ]", "", re.sub(r"\\times|\\cdot", "*", plain))


def results_of(text: str) -> list[float]:
    """Return the numbers and fractions of a text that computes something, of which one is its result; none of another
    text."""
    plain = _plain(readable(text))
    if not any(re.search(r"[+*/-]", match["left"]) for match in _EQUATION.finditer(plain)):
        last = _LAST.search(plain)
        alone = plain.strip().removesuffix(".") if last is None else last[1]
        try:
            return [_value(alone)] if re.search(r"[+*/]", alone) else []
        except (SyntaxError, ValueError, ZeroDivisionError):
            return []
    numbers = re.findall(r"-?\d+/[1-9]\d*|-?\d*\.\d+|-?\d+", plain)
    parts = (number.partition("/") for number in numbers)
    shares = [float(number) / 100 for number in re.findall(r"(-?\d*\.?\d+) ?%", plain)]
    return [*(float(above) / float(below or 1) for above, _, below in parts), *shares]


def _plain(text: str) -> str:
    """Return a text with the signs of Python, single spaces, thousands without gaps, and ƪ for log2."""
    plain = _GAPS.sub("", " ".join(text.translate(_SIGNS).split()))
    plain = _ROOT.sub(lambda root: f"ƨ({root[1]})" if root[1] else "ƨ", plain)
    return _LOGARITHM.sub(lambda logarithm: f"ƪ({logarithm[1]})" if logarithm[1] else "ƪ", plain)


def _value(text: str) -> float:
    """Return the value of a sum, product, quotient, power, root or log2. Raises SyntaxError, ValueError,
    ZeroDivisionError, OverflowError."""
    if "**" in text:
        raise ValueError
    return _of(ast.parse(text.replace("^", "**"), mode="eval").body)


def value_of_arithmetic(text: str) -> float | None:
    """Return the value of a sum, product, quotient or power of numbers; None for anything else."""
    try:
        return _value(text)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError):
        return None


def _of(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.UnaryOp(op=ast.USub(), operand=inside):
            return -_of(inside)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _WITH:
            first, second = _of(left), _of(right)
            if isinstance(sign, ast.Pow) and not (0 <= first <= MOST and abs(second) <= MOST):
                raise ValueError
            return float(_WITH[type(sign)](first, second))
        case ast.Call(func=ast.Name(id=name), args=[inside]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](_of(inside))
    raise ValueError


def _rounding(left: str) -> float:
    """Return by how much a side may be off whose numbers are rounded to the fewest decimals that any has, at least two:
    .5 is not rounded; 0 where none is rounded."""
    decimals = [len(number.partition(".")[2]) for number in re.findall(r"\d*\.\d\d+", left)]
    grows = max([1.0, *(float(power) for power in re.findall(r"\^\(?(\d+)", left))])
    return len(decimals) * grows * 0.5 * 10.0 ** -min(decimals) if decimals else 0.0
