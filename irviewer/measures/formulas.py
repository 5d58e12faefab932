r"""Formulas as text, made from the parameters of the measure that they are shown with. LaTeX without dollar signs.

A formula is an expression and, after ``, \quad``, what its letters stand for: ``\frac{1}{k} \sum_{i=1}^{k} rel(i),
\quad k = 10``. What a formula does not define means the same in all of them:

i, j            ranks; n is how many documents the run returned, those below rank n count as nothing
grade(i)        the grade at rank i, 0 where it is negative or the qrels list none
rel(i)          1 where grade(i) is 1 or more, else 0; nonrel(i) where it is judged and not so; unjudged(i); listed(i)
                wherever the qrels list the document, with a negative grade too
R, P(i), R(i)   the number of relevant documents; precision and recall at rank i
g_max           the highest grade of the qrels

A fraction over 0 is 0, the minimum of nothing is infinite (no value), the maximum of nothing 0. Knows no measure by
name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from irviewer.measures.base import Measure, joined
from irviewer.measures.parameters import Cutoff, number_text

LETTERS: Mapping[str, str] = {"alpha": r"\alpha", "beta": r"\beta", "depth": "d", "budget": "b"}
"""Parameters that a formula writes otherwise."""

BEST_JUDGED = r"g^{*} = g\ \mathrm{of\ the\ judged\ documents,\ descending}"
BEST_RETRIEVED = r"g^{*} = g\ \mathrm{of\ the\ documents\ retrieved,\ descending}"


def of(main: str, *definitions: str) -> Callable[[Measure], str]:
    """What makes the formula of a family whose expression is always the same; see :func:`filled`."""
    return lambda measure: filled(measure, main, *definitions)


def filled(measure: Measure, main: str, *definitions: str) -> str:
    """The formula of a measure: expression, definitions, and what the parameters named in them are. ``K`` is the last
    rank that counts: k, or n where the measure has no cutoff."""
    ranks = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    end = "k" if ranks and measure.cutoff is not None else "n"
    text = re.sub(r"(?<![A-Za-z\\])K(?![A-Za-z])", end, joined(main, *definitions)).replace(r"\min(n, n)", "n")
    return joined(text, *_cutoff(measure, text), *_values(measure, text), relevance(measure))


def relevance(measure: Measure) -> str:
    """What counts as relevant, where the level is not 1; "" where it is, or where the family has a rule of its own."""
    parameter = measure.family.parameter("rel")
    if parameter is None or not parameter.level or measure.parameter("rel") == 1:
        return ""
    return rf"rel(i) = {at_least(measure.parameter('rel'))}"


def at_least(level: float, rank: str = "i") -> str:
    """1 where the grade at a rank is that or more, else 0."""
    return rf"[grade({rank}) \geq {number_text(level)}]"


def gain_definitions(dcg: str, gains: Mapping[float, float] | None, rel: float | None) -> tuple[str, ...]:
    """What a document gains, as :class:`irviewer.measures.gains.GainRule` has it."""
    gain = "2^{grade(i)} - 1" if dcg.startswith("exp") and not gains else "grade(i)"
    if rel is not None:
        gain = at_least(rel) + r"\," + (f"({gain})" if " " in gain else gain)
    priced = [(grade, price) for grade, price in (gains or {}).items() if rel is None or grade >= rel]
    return (
        f"g(i) = {gain}",
        *(rf"g = {number_text(price)}\ \mathrm{{at\ grade}}\ {number_text(grade)}" for grade, price in priced),
    )


def discount(dcg: str, rank: str = "i") -> str:
    """What the gain at a rank is divided by; ``b`` is the base of the logarithm where it may be another than 2."""
    return rf"\log_b \max({rank}, b)" if dcg.endswith("jk") else rf"\log_2({rank}+1)"


def _cutoff(measure: Measure, text: str) -> tuple[str, ...]:
    if measure.cutoff is None:
        return ()
    letter = {Cutoff.RECALL: "r", Cutoff.FACTOR: "m"}.get(measure.family.cutoff, "k")
    return (f"{letter} = {number_text(measure.cutoff)}",) if _names(text, letter) else ()


def _values(measure: Measure, text: str) -> tuple[str, ...]:
    """Numbers among the parameters that the text names."""
    found = []
    for one in measure.family.parameters:
        letter = LETTERS.get(one.name, one.name)
        value = measure.parameter(one.name)
        number = one.kind in ("number", "integer") and one.name not in ("rel", "base") and value is not None
        if number and _names(text, letter) and rf"\quad {letter} = " not in text:
            found.append(f"{letter} = {number_text(value)}")
    return tuple(found)


def _names(text: str, letter: str) -> bool:
    return (
        re.search(rf"(?<![A-Za-z\\]){re.escape(letter)}(?![A-Za-z])", re.sub(r"\\mathrm\{[^}]*\}", "", text))
        is not None
    )


MEANINGS: Mapping[str, tuple[str, str]] = {
    r"(?<![A-Za-z\\])n(?![A-Za-z(])": ("n", "the number of documents returned"),
    r"(?<![A-Za-z])R(?![A-Za-z(])": ("R", "the number of relevant documents in the qrels"),
    r"(?<![A-Za-z])R\([^gs]": ("R(i)", "recall at rank i"),
    r"(?<![A-Za-z])P\([^,]*\)": ("P(i)", "precision at rank i"),
    r"(?<![A-Za-z])grade\(": ("grade(i)", "the grade at rank i, 0 where it is negative or there is none"),
    r"(?<![A-Za-z])rel\([ij]\)": ("rel(i)", "1 where the grade at rank i is 1 or more, else 0"),
    r"nonrel\(": ("nonrel(i)", "1 where the document at rank i is judged and not relevant, else 0"),
    r"unjudged\(": ("unjudged(i)", "1 where the document at rank i is not judged, else 0"),
    r"listed\(": ("listed(i)", "1 where the qrels list the document at rank i, negative grades too, else 0"),
    r"length\(": ("length(i)", "how long the document at rank i is"),
    r"g_\{max\}": ("g_max", "the highest grade of the qrels"),
    r"(?<![A-Za-z])S(?![A-Za-z])": ("S", "the number of subtopics with a relevant document"),
    r",\s*s\)": ("rel(i,s)", "1 where the document at rank i is relevant to subtopic s, else 0"),
    r",\s*g\)": ("rel(i,g)", "1 where group g judged the document at rank i relevant, else 0"),
    r"\[": ("[ ]", "1 where what stands between is true, else 0"),
}
"""What a formula may name without defining it: pattern -> (how it is written, what it is)."""


def letters(formula: str) -> str:
    """What the letters are that a formula names and does not define, in words; "" where there are none."""
    text = re.sub(r"\\mathrm\{[^}]*\}", "", formula)
    return "; ".join(
        f"{name}: {meaning}"
        for pattern, (name, meaning) in MEANINGS.items()
        if re.search(pattern, text) and not (name == "rel(i)" and rf"\quad {name} = " in text)
    )
