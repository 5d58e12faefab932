"""Steps that exchange documents of the same grade, so that no value changes, where the lesson does not say so."""

from __future__ import annotations

import re

import numpy as np

from irviewer.model.lessons.lesson import Lesson, Question, Step
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.teaching.step_actions import ranking_name
from irviewer.session.view_models.lecture_table import table_ranking

_MOVES = frozenset({"swap", "move", "up"})
_SAYS_SO = re.compile(
    r"\b(?:nothing|no|not|none|never|without|same|equal(?:ly)?|unchanged|stays?|remains?|keeps?|still|either|neither|both|does|did|"
    r"whether|why|nada|ningun[oa]|sin|mism[oa]s?|igual(?:es)?|queda|quedan|sigue|siguen|mantiene|ambos|ambas|tampoco|ni|por\s+qué)\b",
    re.I,
)
"""Words of a text that says or asks that something stays as it was."""


def is_idle(lesson: Lesson, place: int, before: EvaluationContext, after: EvaluationContext) -> bool:
    """Return whether a step moves documents and leaves all lists of grades as they were, and
    neither it nor what follows says so."""
    step = lesson.items[place - 1]
    if not isinstance(step, Step) or not step.actions or any(each.verb not in _MOVES for each in step.actions):
        return False
    following = lesson.items[place] if place < len(lesson.items) else None
    texts = [step.title, step.text]
    if isinstance(following, Question):
        right = [each for each in following.choices if each.right]
        texts += [following.title, following.text, following.because, *(f"{each.text} {each.reason}" for each in right)]
    elif following is not None:
        texts += [following.title, following.text]
    if _SAYS_SO.search(" ".join(texts)):
        return False
    sources = {entry.name: entry for entry in before.collection.runs}
    for entry in after.collection.runs:
        source = sources.get(ranking_name(entry))
        if source is None:
            return False
        for query in after.query_ids:
            former, now = table_ranking(before, source, query), table_ranking(after, entry, query)
            if former is None or now is None or not np.array_equal(former.grades, now.grades, equal_nan=True):
                return False
    return True
