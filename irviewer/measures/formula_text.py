r"""Formulas of measures as one line of text, for terminals: ``1/R Σ(i=1…n) P(i) · rel(i)``.

It reads the LaTeX that :mod:`irviewer.measures.formulas` and the families write, not LaTeX in general."""

from __future__ import annotations

import re

from irviewer.model.formula import LETTERS, SIGNS

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|[{}^_]|[^\\{}^_\s]+")
_SIGNS = {rf"\{name}": sign for name, sign in {**LETTERS, **SIGNS}.items()} | {
    r"\sum": "Σ", r"\prod": "Π", r"\bigcup": "⋃", r"\ ": " ", r"\,": " · ", r"\quad": "", r"\left": "", r"\right": "",
}  # fmt: skip
_OVER = frozenset({r"\sum", r"\prod", r"\bigcup", r"\max", r"\min"})
"""What runs over an index, which then stands in parentheses behind it."""
_RAISED = str.maketrans("0123456789+-in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁱⁿ")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def formula_text(formula: str) -> str:
    """Return a formula (LaTeX without dollar signs) as one line of plain text: a fraction with a slash, sums with their
    index in parentheses, exponents raised where Unicode has the sign. A command that is not known loses its
    backslash."""
    tokens = _TOKEN.findall(formula)
    text, _ = _sequence(tokens, 0)
    text = re.sub(r"([:…]) · ", r"\1 ", re.sub(r" · …", " …", re.sub(r"\s+", " ", text)))
    return re.sub(r"\s+", " ", re.sub(r" ([,;)\]])", r"\1", text)).strip()


def _sequence(tokens: list[str], at: int) -> tuple[str, int]:
    """Return the text up to the brace that closes, and the place behind it."""
    parts: list[str] = []
    while at < len(tokens) and tokens[at] != "}":
        text, at = _part(tokens, at)
        parts.append(text)
    return "".join(parts), at + 1


def _part(tokens: list[str], at: int) -> tuple[str, int]:
    token = tokens[at]
    if token == r"\frac":
        above, at = _argument(tokens, at + 1)
        below, at = _argument(tokens, at)
        return _fraction(above, below), at
    if token == r"\sqrt":
        text, at = _argument(tokens, at + 1)
        return f"√{_grouped(text)}", at
    if token == r"\mathrm":
        return _argument(tokens, at + 1)
    if token in _OVER:
        return _over(tokens, at)
    if token == "^":
        text, at = _argument(tokens, at + 1)
        raised = text.replace(" ", "").translate(_RAISED)
        known = text == "*" or not set(text) - set("0123456789+-in ")
        return (raised if known else f"^{_grouped(text)}"), at
    if token == "_":
        text, at = _argument(tokens, at + 1)
        return (text.translate(_LOWERED) if text.isdecimal() else f"_{text}"), at
    if token == "{":
        text, at = _sequence(tokens, at + 1)
        has_scripts = len(text.strip()) > 1 and tokens[at : at + 1] in (["^"], ["_"])
        return f"({text.strip()})" if has_scripts else text, at
    return _SIGNS.get(token, token.removeprefix("\\")), at + 1


def _over(tokens: list[str], at: int) -> tuple[str, int]:
    """Return a sum, product, union, or a maximum over an index: its sign, and from where to where in parentheses."""
    sign, at = _SIGNS.get(tokens[at], tokens[at].removeprefix("\\")), at + 1
    bounds = []
    while at < len(tokens) and tokens[at] in "_^":
        text, at = _argument(tokens, at + 1)
        bounds.append(text)
    return (f"{sign}({'…'.join(bounds)})" if bounds else sign), at


def _argument(tokens: list[str], at: int) -> tuple[str, int]:
    """Return the group or the single sign that follows, of which a longer token gives up its first letter."""
    while tokens[at].isspace():
        at += 1
    if tokens[at] == "{":
        return _sequence(tokens, at + 1)
    if tokens[at].startswith("\\") or len(tokens[at]) == 1:
        return _part(tokens, at)
    letter, tokens[at] = tokens[at][0], tokens[at][1:]
    return letter, at


def _fraction(above: str, below: str) -> str:
    above, below = above.strip(), below.strip()
    slash = "/" if _is_alone(above) and _is_alone(below) else " / "
    return f"{_grouped(above)}{slash}{_grouped(below)}"


def _grouped(text: str) -> str:
    return text if _is_alone(text) else f"({text})"


def _is_alone(text: str) -> bool:
    """Return whether a text needs no parentheses above or below the line of a fraction: outside of its own parentheses
    and bars it has no space and no operator."""
    depth, bars = 0, False
    for sign in text:
        if sign == "|" and not depth:
            bars = not bars
        depth += (sign in "([{⌊") - (sign in ")]}⌋")
        if not depth and not bars and (sign.isspace() or sign in "/·+-−<>=≤≥"):
            return False
    return True
