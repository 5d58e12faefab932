r"""Formulas of measures in the texts of a lesson, ``$F = \frac{2PR}{P + R}$``, against the measures that they name.

A formula of precision, recall and F is computed with numbers in place of its letters; of the others only what must not
be is known: a quotient upside down, and average precision divided by a rank. So is the deviation of a share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from irviewer.model.formula import formulas_in
from irviewer.session.teaching.checking.wording.equations import value_of_arithmetic
from irviewer.session.teaching.checking.wording.sentences import readable

_NUMBERS = {"P": 0.5, "R": 0.25, "TP": 3.0, "FP": 5.0, "FN": 7.0, "TN": 11.0, "beta": 2.0}
"""A number for each letter that formulas of sets have."""
_MEASURES: Mapping[str, Callable[[Mapping[str, float]], float]] = {
    "P": lambda of: of["TP"] / (of["TP"] + of["FP"]),
    "R": lambda of: of["TP"] / (of["TP"] + of["FN"]),
    "F": lambda of: 2 * of["P"] * of["R"] / (of["P"] + of["R"]),
    "mean": lambda of: (of["P"] + of["R"]) / 2,
    "Fbeta": lambda of: (1 + of["beta"] ** 2) * of["P"] * of["R"] / (of["beta"] ** 2 * of["P"] + of["R"]),
}
"""A measure -> its value."""
_NAMES = {
    "p": "P", "precision": "P", "precisión": "P", "setp": "P", "r": "R", "recall": "R", "exhaustividad": "R",
    "setr": "R", "f": "F", "f_1": "F", "f_{1}": "F", "f1": "F", "setf": "F", r"f_\beta": "Fbeta", r"f_{\beta}": "Fbeta",
}  # fmt: skip
_IN_PROSE = re.compile(
    r"(?<![\w@$])(?:F\s+(?:is|es|=)|harmonic\s+mean,|media\s+armónica,|(?P<mean>arithmetic\s+mean|media\s+aritmética))\s+"
    r"(?P<formula>(?:[0-9PR()/+*·×²\s-]|beta)*[PR](?:[0-9PR()/+*·×²\s-]|beta)*[PR2)])(?!\w)"
)
"""A formula of F, or of the arithmetic mean, in words."""
_FRACTION = re.compile(r"\\[dt]?frac\s*{((?:[^{}]|{[^{}]*})*)}\s*{((?:[^{}]|{[^{}]*})*)}")
_TOKEN = re.compile(r"\d*\.?\d+|TP|FP|FN|TN|beta|[PR]|\*\*|[-+*/()]")


_WRITTEN = {
    "P": "TP / (TP + FP)", "R": "TP / (TP + FN)", "F": "2PR / (P + R)", "mean": "(P + R) / 2",
    "Fbeta": "(beta² + 1) PR / (beta² P + R)", "deviation": "√(p (1 − p) / n)",
}  # fmt: skip
"""What is computed -> its formula as a text."""


def false_formulas(text: str) -> Iterator[tuple[str, str]]:
    """Yield the formulas of measures in a text that are not those of the measures, and the right ones, "" for another
    that is not written here."""
    text = readable(text)
    for formula in (formula for line in text.split("\n") for formula, _ in formulas_in(line)):
        left, equals, right = formula.partition("=")
        name = re.sub(r"\\(?:text|mathrm)\s*{([^{}]*)}", r"\1", left).strip().casefold()
        measure = _NAMES.get(name, "")
        if equals and (_is_other(measure, right.split("=")[0]) or _is_wrong(name, right)):
            yield formula, _WRITTEN.get(measure, "")
    for match in _OF_SHARE.finditer(text):
        if _is_other_deviation(match["inside"]):
            yield f"$\\sqrt{{{match['inside']}}}$", _WRITTEN["deviation"]
    for match in _IN_PROSE.finditer(text):
        measure = "mean" if match["mean"] else "Fbeta" if "beta" in match["formula"] else "F"
        if _is_other(measure, match["formula"]):
            yield " ".join(match[0].split()), _WRITTEN[measure]


_OF_SHARE = re.compile(
    r"\b(?:standard\s+(?:deviation|error)|desviación\s+(?:estándar|típica)|error\s+estándar)\s+(?:of|de)\s+(?:an?|the|una?|la)\s+"
    r"(?:share|proportion|proporción)\b[^.;]{0,60}?\$\\sqrt\s*{(?P<inside>(?:[^{}$]|{[^{}]*})*)}\$",
    re.I,
)
"""The standard deviation of a share p among n, as a root."""


def _is_other_deviation(inside: str) -> bool:
    """Return whether what is below the root, in p and n alone, is not p (1 − p) / n."""
    plain = inside
    while (fraction := _FRACTION.search(plain)) is not None:
        plain = f"{plain[: fraction.start()]}(({fraction[1]})/({fraction[2]})){plain[fraction.end() :]}"
    plain = re.sub(r"\\times|\\cdot|·|×", "*", re.sub(r"\\left|\\right|\\[,;: ]|\s", "", plain))
    if re.search(r"[^pn\d()+*/.-]", plain):
        return False
    plain = re.sub(r"(?<=[pn\d)])(?=[pn(])", "*", plain).replace("p", "0.25").replace("n", "8")
    value = value_of_arithmetic(plain)
    return value is not None and abs(value - 0.25 * 0.75 / 8) > 1e-9


def _is_other(measure: str, right: str) -> bool:
    """Return whether a formula with letters that are known has another value than its measure."""
    if not measure:
        return False
    plain = re.sub(r"\\(?:text|mathrm)\s*{([^{}]*)}", r"\1", right)
    while (fraction := _FRACTION.search(plain)) is not None:
        plain = f"{plain[: fraction.start()]}(({fraction[1]})/({fraction[2]})){plain[fraction.end() :]}"
    plain = re.sub(r"\\times|\\cdot|·|×", "*", plain).replace(r"\beta", "beta").replace("²", "**2")
    plain = re.sub(r"\\left|\\right|\\[,;: ]", "", plain).replace("^", "**").replace("{", "(").replace("}", ")")
    tokens, rest = _TOKEN.findall(plain), _TOKEN.sub("", plain)
    letters = {token for token in tokens if token in _NUMBERS}
    if rest.strip() or len(letters) < 2 or (measure in ("P", "R") and letters & {"P", "R"}):
        return False
    parts: list[str] = []
    for token in tokens:
        is_value = token == "(" or token[0].isalnum() or token[0] == "."
        if parts and is_value and (parts[-1] == ")" or parts[-1][0].isdigit() or parts[-1][0] == "."):
            parts.append("*")
        parts.append(str(_NUMBERS.get(token, token)))
    value = value_of_arithmetic("".join(parts).replace("**", "^"))
    return value is not None and abs(value - _MEASURES[measure](_NUMBERS)) > 1e-9


def _is_wrong(name: str, right: str) -> bool:
    """Return whether a quotient is upside down, or average precision is divided by a rank."""
    fractions = _FRACTION.findall(right)
    if name.startswith("ndcg"):
        return any(
            "dcg" in below.casefold() and _is_ideal(above) and not _is_ideal(below) for above, below in fractions
        )
    if name.startswith(("dcg", "idcg")):
        return any(r"\log" in above and r"\log" not in below for above, below in fractions)
    if name in ("ap", "average precision"):
        return r"\sum" in right and any(
            above.strip() == "1" and below.strip() in ("k", "K") for above, below in fractions
        )
    if name in ("rr", "reciprocal rank"):
        return not any(above.strip() == "1" for above, _ in fractions) and bool(fractions)
    retrieved, relevant = r"\b(?:ret|recup)\w*", r"\brel\w*"
    for above, below in fractions:
        if re.search(r"\\cup", above) and _NAMES.get(name) in ("P", "R"):
            return True
        has = [bool(re.search(word, below, re.I)) for word in (retrieved, relevant)]
        if r"\cap" in above and has[0] != has[1] and _NAMES.get(name) in ("P", "R"):
            return has[1] if _NAMES[name] == "P" else has[0]
    return False


def _is_ideal(text: str) -> bool:
    return re.search(r"ideal|IDCG|iDCG|max", text) is not None
