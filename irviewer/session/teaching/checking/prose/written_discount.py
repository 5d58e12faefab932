"""The discount that the texts of a lesson write, against that of its rules."""

from __future__ import annotations

import re

from irviewer.model.dialects import DIALECTS
from irviewer.model.lessons.lesson import NOWHERE, Lesson, Place, Step
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.view_models.lecture_table import gain_rule

_PLUS_ONE = re.compile(r"log_?\{?[2₂]?\}?\s*(?:\\left)?\(\s*(?:rank|position|posición|i|k)\s*\+\s*1\s*\)", re.I)
_JK = re.compile(r"log_?\{?[2₂]?\}?\s*(?:\\left)?(?:\(\s*)?max\s*\(", re.I)


_SUPPOSES_DISCOUNT = re.compile(
    r"\b(?:if|would|could|might|may|unless|with|without|instead|other|others|another|some|also|elsewhere|not|whereas|usual\w*|often|many|most|"
    r"si|con|sin|ser[ií]an?|dar[ií]an?|habr[ií]an?|podr[ií]an?|cambiar[ií]an?|otr[oa]s?|algun[oa]s|también|no|en\s+lugar|en\s+vez|a\s+menudo|much[oa]s)\b",
    re.I,
)
"""Words of a sentence about another discount than that of the lesson."""


def other_discount(lesson: Lesson, context: EvaluationContext) -> tuple[str, Place] | None:
    """Return the discount that the texts of a lesson write, if it is that of another rule alone, and where; None for
    none."""
    steps = [item for item in lesson.items if isinstance(item, Step)]
    if any(action.verb == "rules" or "dcg=" in action.text for step in steps for action in step.actions):
        return None
    texts = [(lesson.text, NOWHERE), *((f"{item.title}\n\n{item.text}", item.at) for item in lesson.items)]
    is_jk = gain_rule(context).dcg.endswith("jk")
    own, other = (_JK, _PLUS_ONE) if is_jk else (_PLUS_ONE, _JK)
    rules = "|".join(map(re.escape, [*DIALECTS, "dcg="]))
    whole = "\n".join(text for text, _ in texts)
    if own.search(whole) or re.search(rf"\b(?:{rules})", whole):
        return None
    for text, at in texts:
        for sentence in re.split(r"(?<=[.?!])\s+|\n\n", text):
            match = other.search(sentence)
            if match is not None and not _SUPPOSES_DISCOUNT.search(sentence):
                return match[0], at
    return None


def logarithm_of(context: EvaluationContext) -> str:
    """Return the divisor of a gain in the rules in force, as a text."""
    return "log2(max(rank, 2))" if gain_rule(context).dcg.endswith("jk") else "log2(rank + 1)"
