r"""Formulas of measures as LaTeX without dollar signs, made from the measures' parameters.

A formula is an expression and, after ``, \quad``, the definitions of its letters: ``\frac{1}{k} \sum_{i=1}^{k} rel(i),
\quad k = 10``. Letters that a formula does not define mean the same in all of them:

i, j            ranks; n is the number of documents returned, ranks below n count 0
grade(i)        the grade at rank i, 0 if it is negative or the qrels list none
rel(i)          1 if grade(i) is 1 or more, else 0; nonrel(i) 1 if it is judged and not relevant; unjudged(i); listed(i)
                1 if the qrels list the document, with a negative grade too
R, P(i), R(i)   the number of relevant documents; precision and recall at rank i
g_max           the highest grade of the qrels

A fraction over 0 is 0, the minimum of nothing is infinite (no value), the maximum of nothing 0."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from irviewer.measures.base import Measure, in_formula, joined
from irviewer.measures.parameters import Cutoff, number_text
from irviewer.translation import tr

LETTERS: Mapping[str, str] = {"alpha": r"\alpha", "beta": r"\beta", "depth": "d", "budget": "b"}
"""Parameters whose letter in a formula is not their name."""

BEST_JUDGED = r"g^{*} = g\ " + in_formula(tr("of the judged documents, descending"))
BEST_RETRIEVED = r"g^{*} = g\ " + in_formula(tr("of the documents retrieved, descending"))


def of(main: str, *definitions: str) -> Callable[[Measure], str]:
    """Return the formula of a family whose expression does not depend on parameters; see :func:`filled`."""
    return lambda measure: filled(measure, main, *definitions)


def filled(measure: Measure, main: str, *definitions: str) -> str:
    """Return the formula of a measure: expression, definitions, and the values of the parameters in them. ``K`` is
    replaced by the last rank that counts: k, or n if the measure has no cutoff."""
    ranks = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    end = "k" if ranks and measure.cutoff is not None else "n"
    text = re.sub(r"(?<![A-Za-z\\])K(?![A-Za-z])", end, joined(main, *definitions)).replace(r"\min(n, n)", "n")
    return joined(text, *_cutoff(measure, text), *_values(measure, text), relevance(measure))


def relevance(measure: Measure) -> str:
    """Return the definition of ``rel(i)``; "" if the level is 1 or the family defines relevance itself."""
    parameter = measure.family.parameter("rel")
    if parameter is None or not parameter.level or measure.parameter("rel") == 1:
        return ""
    return rf"rel(i) = {at_least(measure.parameter('rel'))}"


def at_least(level: float, rank: str = "i") -> str:
    """Return the term that is 1 if the grade at a rank is ``level`` or more, else 0."""
    return rf"[grade({rank}) \geq {number_text(level)}]"


def gain_definitions(dcg: str, gains: Mapping[float, float] | None, rel: float | None) -> tuple[str, ...]:
    """Return the definitions of ``g(i)``, the gain of :class:`irviewer.measures.gains.GainRule`."""
    gain = "2^{grade(i)} - 1" if dcg.startswith("exp") and not gains else "grade(i)"
    if rel is not None:
        gain = at_least(rel) + r"\," + (f"({gain})" if " " in gain else gain)
    custom = [(grade, custom_gain) for grade, custom_gain in (gains or {}).items() if rel is None or grade >= rel]
    at_grade = in_formula(tr("at grade"))
    return (
        f"g(i) = {gain}",
        *(rf"g = {number_text(custom_gain)}\ {at_grade}\ {number_text(grade)}" for grade, custom_gain in custom),
    )


def discount(dcg: str, rank: str = "i") -> str:
    """Return the divisor of the gain at a rank; ``b`` is the base of the logarithm if it may differ from 2."""
    return rf"\log_b \max({rank}, b)" if dcg.endswith("jk") else rf"\log_2({rank}+1)"


def _cutoff(measure: Measure, text: str) -> tuple[str, ...]:
    if measure.cutoff is None:
        return ()
    letter = {Cutoff.RECALL: "r", Cutoff.FACTOR: "m"}.get(measure.family.cutoff, "k")
    return (f"{letter} = {number_text(measure.cutoff)}",) if _names(text, letter) else ()


def _values(measure: Measure, text: str) -> tuple[str, ...]:
    """Return the values of the numeric parameters in the formula."""
    definitions = []
    for parameter in measure.family.parameters:
        name = parameter.name
        letter = LETTERS.get(name, name)
        value = measure.parameter(name)
        number = parameter.kind in ("number", "integer") and name not in ("rel", "base") and value is not None
        if number and _names(text, letter) and rf"\quad {letter} = " not in text:
            definitions.append(f"{letter} = {number_text(value)}")
    return tuple(definitions)


def _names(text: str, letter: str) -> bool:
    return (
        re.search(rf"(?<![A-Za-z\\]){re.escape(letter)}(?![A-Za-z])", re.sub(r"\\mathrm\{[^}]*\}", "", text))
        is not None
    )


MEANINGS: Mapping[str, tuple[str, str]] = {
    r"(?<![A-Za-z\\])n(?![A-Za-z(])": ("n", tr("number of documents returned")),
    r"(?<![A-Za-z])R(?![A-Za-z(])": ("R", tr("number of relevant documents in the qrels")),
    r"(?<![A-Za-z])R\([^gs]": ("R(i)", tr("recall at rank i")),
    r"(?<![A-Za-z])P\([^,]*\)": ("P(i)", tr("precision at rank i")),
    r"(?<![A-Za-z])grade\(": ("grade(i)", tr("grade at rank i, 0 if negative or not judged")),
    r"(?<![A-Za-z])rel\([ij]\)": ("rel(i)", tr("1 if the grade at rank i is 1 or more, else 0")),
    r"nonrel\(": ("nonrel(i)", tr("1 if the document at rank i is judged non-relevant, else 0")),
    r"unjudged\(": ("unjudged(i)", tr("1 if the document at rank i is unjudged, else 0")),
    r"listed\(": ("listed(i)", tr("1 if the document at rank i is in the qrels (with any grade), else 0")),
    r"length\(": ("length(i)", tr("length of the document at rank i")),
    r"g_\{max\}": ("g_max", tr("highest grade of the qrels")),
    r"(?<![A-Za-z])S(?![A-Za-z])": ("S", tr("number of subtopics with a relevant document")),
    r",\s*s\)": ("rel(i,s)", tr("1 if the document at rank i is relevant to subtopic s, else 0")),
    r",\s*g\)": ("rel(i,g)", tr("1 if group g judged the document at rank i relevant, else 0")),
    r"(?<![A-Za-z])in\(": ("in(i,h)", tr("1 if the document at rank i is in stratum h, else 0")),
    r"(?<![A-Za-z])N\(h\)": ("N(h)", tr("number of documents in stratum h")),
    r"(?<![A-Za-z])J\(h\)": ("J(h)", tr("number of judged documents in stratum h")),
    r"(?<![A-Za-z])F\(h\)": ("F(h)", tr("number of documents judged relevant in stratum h")),
    r"F\(g,h\)": ("F(g,h)", tr("number of documents of gain g among those judged in stratum h")),
    r"\[": ("[ ]", tr("1 if the condition in brackets is true, else 0")),
}
"""Letters that a formula may contain without defining them: pattern -> (the letter, its meaning)."""


def letters(formula: str) -> str:
    """Return the meanings of the letters that a formula contains and does not define; "" if there are none."""
    text = re.sub(r"\\mathrm\{[^}]*\}", "", formula)
    return "; ".join(
        f"{name}: {meaning}"
        for pattern, (name, meaning) in MEANINGS.items()
        if re.search(pattern, text) and rf"\quad {name} = " not in text
    )
