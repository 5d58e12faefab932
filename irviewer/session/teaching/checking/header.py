"""The header of a lesson, against its texts and rankings: cutoffs, the measure in view, the relevance level."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from irviewer.errors import ParseError
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.lessons.lesson import NOWHERE, Lesson, Question, Step
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.teaching.checking.fault import fault_at
from irviewer.session.teaching.checking.prose.values import without_levels_in_front
from irviewer.session.teaching.checking.wording.named_measures import measures_in
from irviewer.translation import tr, trn


def cutoffs_below(lesson: Lesson, contexts: Sequence[EvaluationContext]) -> Iterator[ParseError]:
    """Yield a fault for each cutoff line that would be below the end of all lists, also of those that steps change."""
    runs = dict.fromkeys(entry.run for context in contexts for entry in context.collection.runs)
    longest = max((int(np.diff(run.offsets).max(initial=0)) for run in runs), default=0)
    cutoffs = [(lesson.view.cutoff, NOWHERE)]
    for item in lesson.items:
        cutoffs.append((item.view.cutoff, item.at))
        actions = item.actions if isinstance(item, Step) else ()
        cutoffs += [(int(action.numbers[0]), action.at) for action in actions if action.verb == "cutoff"]
    for item in lesson.items:
        if isinstance(item, Question) and item.asked is not None and item.asked.measure:
            cut = parse_measure(item.asked.measure, DIALECTS[lesson.rules].names).cutoff
            if cut is not None and str(int(cut)) not in item.title:  # "What is P@10?" of five documents may be meant
                cutoffs.append((int(cut), item.at))
    for cutoff, at in cutoffs:
        if cutoff is not None and cutoff > longest > 0:
            reason = trn("the longest list has {n} rank", "the longest list has {n} ranks", longest)
            yield fault_at(lesson, at, reason, f"cutoff: {cutoff}", tr("write a rank that a list has"))


_LEVEL_SAID = re.compile(
    r"\b(?:level\s+(?:of\s+|is\s+)?|nivel\s+(?:de\s+|es\s+)?|grade\s+(?=\d+\s+or\s+(?:higher|more)))(\d+)(?![\d.,]*\d)",
    re.I,
)
"""A relevance level in a text."""


_LEVELS_SAID = re.compile(
    r"\b(?:level|nivel)\b[^.;:\d]{0,40}\b(?:from|de|del)\s+(\d+)\s+(?:to|a|al)\s+(\d+)(?![\d.,]*\d)", re.I
)
"""Two levels, of which one comes after the other."""


MANY = 3
"""How often a lesson has to speak of a measure, until all its cutoffs are taken for those that it is about."""


def of_another_cutoff(lesson: Lesson) -> Iterator[ParseError]:
    """Yield a fault if the measure in view has another cutoff, or the header another level, than all that the lesson
    says and asks."""
    names = DIALECTS[lesson.rules].names
    shown = parse_measure(lesson.view.measure, names)
    said = [text for part in (lesson, *lesson.items) for text in _all_texts(part)]
    actions = [action for item in lesson.items if isinstance(item, Step) for action in item.actions]
    asked = [item.asked.measure for item in lesson.items if isinstance(item, Question) and item.asked is not None]
    said += [*asked, *(figure.measure for part in (lesson, *lesson.items) for figure in part.figures)]
    said += [action.text for action in actions if action.verb == "measure"]
    times = Counter[str]()
    for text in said:
        times.update({name: text.count(name) for name in measures_in(text, names)})
    named = [measure for name, n in times.items() for measure in [parse_measure(name, names)] * n]
    own = [each.cutoff for each in named if each.name == shown.name]
    cutoffs = {*own}
    if (
        shown.cutoff is not None
        and len(own) >= MANY
        and not any(action.verb == "measure" for action in actions)
        and None not in cutoffs
        and shown.cutoff not in cutoffs
    ):
        others = ", ".join(f"{shown.name}@{int(cutoff)}" for cutoff in sorted(c for c in cutoffs if c is not None))
        reason = tr("the lesson shows {measure}, and speaks of {others} alone", measure=str(shown), others=others)
        yield fault_at(lesson, NOWHERE, reason, f"measure: {lesson.view.measure}", tr("correct measure: or the texts"))
    counted = dict(shown.given).get("rel")
    if counted is not None and lesson.view.level not in (None, 1.0, float(counted)):
        reason = tr("{measure} counts grade {grade:g} and higher", measure=str(shown), grade=float(counted))
        yield fault_at(lesson, NOWHERE, reason, f"level: {lesson.view.level:g}", tr("correct level: or measure:"))
    levels = {float(level) for text in said for level in _LEVEL_SAID.findall(without_levels_in_front(text))}
    levels |= {float(level) for text in said for pair in _LEVELS_SAID.findall(text) for level in pair}
    chosen = {action.numbers[0] for action in actions if action.verb == "level"}  # a lesson need not name its own then
    if lesson.view.level is not None and levels - chosen and lesson.view.level not in levels | chosen:
        reason = tr(
            "the lesson speaks of the level {levels} alone", levels=", ".join(f"{each:g}" for each in sorted(levels))
        )
        yield fault_at(lesson, NOWHERE, reason, f"level: {lesson.view.level:g}", tr("correct level: or the texts"))


def _all_texts(part: Lesson | Step | Question) -> list[str]:
    """Return all texts of a part."""
    texts = [part.title, part.text]
    if isinstance(part, Question):
        texts += [part.because, part.hint, *(each.reason for each in part.wrong)]
        texts += [text for each in part.choices for text in (each.text, each.reason)]
    return texts
