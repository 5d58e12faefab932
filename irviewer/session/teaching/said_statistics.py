"""What a lesson says of tests, against those of Compare: "t = 2.3, p = .04", "B is significantly better than A".

Texts are not understood. A claim of significance is false only where all tests that Compare shows contradict it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from irviewer.model.lessons.lesson import Lesson, Step
from irviewer.session.session import Session
from irviewer.session.teaching.answers import is_value
from irviewer.session.teaching.sentences import SUPPOSING, prose_of, sentences_here
from irviewer.session.view_models.pair import PairViewModel
from irviewer.translation import tr

_STATISTIC = re.compile(r"(?<!\w)([tpdg])\s*=\s*(\d*\.\d+)(?![\w/%])")
"""A statistic and the value that a text says it has."""
CUSTOMARY = (0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 0.8)
"""Levels of significance and sizes of effects that are named as such."""
LEVEL = 0.05
"""The level of a claim of significance that names none."""
_CLAIM = re.compile(
    r"\b(?:(?:is|are|differs?|es|son|difieren?)\s+(?P<not>not\s+)?(?:(?:a|una)\s+)?(?:statistically\s+|estadísticamente\s+|"
    r"(?:differences?|diferencias?)\s+)?(?:significant(?:ly)?|significativa?(?:mente|s)?|significativos?)\b|"
    r"(?P<none>(?:no\s+(?:es|son|difieren?)|does\s+not\s+differ|do\s+not\s+differ)\s+(?:statistically\s+|estadísticamente\s+)?"
    r"(?:significant(?:ly)?|significativa?(?:mente|s)?|significativos?)\b))",
    re.I,
)
_OTHER = re.compile(
    r"[?“”\"«»]|\b(?:levels?|nivel(?:es)?|whether|called|can|may|just|nearly|almost|not\s+yet|too|other|query|quer(?:y|ies)|"
    r"consultas?|corrected|correc\w+|se\s+llama|puede|casi|también|otr[oa]s?)\b|(?<!\d)0?\.\d|\d\s?%",
    re.I,
)
"""Words of a sentence that is about another level, another comparison, or significance as such."""


def false_statistics(session: Session, part: Lesson | Step) -> Iterator[tuple[str, str]]:
    """Yield (reason, text) for each t, p, d and g in a text that Compare shows nowhere, and each claim of significance
    that all tests of Compare contradict; the session shows the part, after its step."""
    sentences = sentences_here(prose_of(part.text)) if session.view.place == "compare" else ()
    said = [each for each in sentences if not SUPPOSING.search(each)]
    if not any(form.search(sentence) for sentence in said for form in (_STATISTIC, _CLAIM)):
        return
    session.compute_now()
    pair, context = session.comparison.pair_view_model(), session.view.context
    if pair is None or not pair.tests:
        return
    if isinstance(part, Step):
        yield from _other_values(said, pair)
    names = frozenset() if context is None else frozenset(entry.name for entry in context.collection.runs)
    yield from _other_claims(said, pair, names)


def _other_values(sentences: list[str], pair: PairViewModel) -> Iterator[tuple[str, str]]:
    values = [float(number) for row in pair.tests for number in re.findall(r"\d*[.,]?\d+", row.value.replace(",", " "))]
    chances = [chance for row in pair.tests for chance in (row.p, row.corrected) if chance is not None]
    for name, number in (each for sentence in sentences for each in _STATISTIC.findall(sentence)):
        if float(number) not in CUSTOMARY and not is_value(number, np.array(chances if name == "p" else values)):
            yield tr("Compare shows no {name} of {number} here", name=name, number=number), f"{name} = {number}"


def _other_claims(sentences: list[str], pair: PairViewModel, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    chances = [
        each for row in pair.tests for each in (row.p, row.corrected) if each is not None and not math.isnan(each)
    ]
    compared = {each.name for each in (pair.run, pair.baseline) if each is not None}
    for sentence in sentences:
        others = [name for name in names - compared if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence)]
        if others or not chances or _OTHER.search(sentence):
            continue
        for match in _CLAIM.finditer(sentence):
            is_negated = match["not"] is not None or match["none"] is not None
            if all((chance < LEVEL) == is_negated for chance in chances):
                low, high = f"{min(chances):.4f}", f"{max(chances):.4f}"
                reason = tr("the tests of Compare have p from {low} to {high} here", low=low, high=high)
                yield reason, " ".join(match[0].split())
