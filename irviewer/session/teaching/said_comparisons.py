"""What the texts of a lesson say of values against each other, against the values: "AP rises" of a step, "A is better
than B by P@5", ".4 is higher than .3", "better on six queries and worse on four".

Texts are not understood. A sentence of such a form, in English or Spanish, is false only where no ranking in view is as
it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.lessons.lesson import Lesson, Question, Step
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import plain
from irviewer.session.teaching.answers_of_one_order import measures_in
from irviewer.session.teaching.sentences import SUPPOSING, sentences_here
from irviewer.session.teaching.stated_facts import A_COUNT, count_of, means_of

_UP = r"rises?|increases?|grows?|goes\s+up|sube|suben|aumentan?|crecen?"
_DOWN = r"falls?|drops?|decreases?|goes\s+down|baja|bajan|caen?|disminuyen?|descienden?"
_SAME = (
    r"(?:does|do)\s+not\s+change|stays?(?:\s+(?:the\s+same|as))?|remains?|is\s+unchanged|no\s+cambian?|se\s+quedan?|"
    r"siguen?\s+igual|se\s+mantienen?"
)
_CHANGE = re.compile(
    rf"(?<![\w@])(?P<measure>[A-Z][A-Za-z]*(?:\([^()]*\))?(?:@\d+)?)\s+(?:(?P<up>{_UP})|(?P<down>{_DOWN})|(?P<same>{_SAME}))\b"
    r"(?!\s+(?:with|if|when|by\s+half|con|si|cuando|by\s+which|as\s+long))",
)
"""A measure, and what it is said to do."""
_HIGH = r"higher|larger|greater|better|ahead|above|mayor|mejor|más\s+alt[oa]|por\s+delante|superior"
_LOW = r"lower|smaller|worse|behind|below|menor|peor|más\s+baj[oa]|por\s+detrás|inferior"
_EQUAL = r"equal|the\s+same|iguales|igual|el\s+mismo|la\s+misma"
_NUMBERS = re.compile(
    rf"(?<![\w.@])(\d*\.\d+)\s+(?:is|es)\s+(?:(?P<high>{_HIGH}|more)|(?P<low>{_LOW}|less))\s+(?:than|que)\s+(\d*\.\d+)(?![\w%]|\.\d)",
    re.I,
)
_SIGNS = re.compile(
    rf"\b(?:better|mejor)\s+(?:on|en)\s+{A_COUNT}\s+(?:quer(?:y|ies)|consultas?)\s+(?:and|y)\s+(?:worse|peor)\s+"
    rf"(?:on|en)\s+{A_COUNT}\b",
    re.I,
)
_HERE = re.compile(r"\b(?:quer(?:y|ies)|consultas?|one|rank|posición|puesto|tie|empate)\b", re.I)
_PLACES = (("first", "primer[oa]?"), ("second", "segund[oa]"), ("third", "tercer[oa]?"), ("fourth", "cuart[oa]"))


def false_comparisons(
    lesson: Lesson, part: Lesson | Step | Question, text: str, states: Sequence[EvaluationContext]
) -> Iterator[str]:
    """Yield what a text says of values against each other and what they are not; ``states`` are those of its part, of a
    step before and after it."""
    for sentence in sentences_here(text):
        for match in _NUMBERS.finditer(sentence):
            first, second = float(match[1]), float(match[4])
            if (first <= second) if match["high"] else (first >= second):
                yield match[0]
        if SUPPOSING.search(sentence):
            continue
        for match in _SIGNS.finditer(sentence):
            wanted = tuple(map(count_of, match.groups()))
            if states and not any(signs == wanted for signs in _signs(states[-1])):
                yield match[0]
        if isinstance(part, Step) and part.actions and len(states) > 1:
            for match in _CHANGE.finditer(sentence):
                if _is_false_change(match, sentence, lesson, states):
                    yield " ".join(match[0].split())
        if states:
            yield from _orders(lesson, sentence, states)


def _is_false_change(match: re.Match[str], sentence: str, lesson: Lesson, states: Sequence[EvaluationContext]) -> bool:
    """Return whether a measure does what it is said to do in no ranking that was changed."""
    try:
        measure = parse_measure(match["measure"], DIALECTS[lesson.rules].names)
    except MeasureError:
        return False
    before, after = states[0], states[-1]
    changes = []
    for entry in after.collection.runs:
        name = entry.name if entry.edited is None else entry.edited.source.name
        source = next((each for each in before.collection.runs if each.name == name), None)
        if source is None or any(
            each.edited is not None and each.edited.source.name == entry.name for each in after.collection.runs
        ):
            continue  # its copy is what was changed
        first = np.append(plain(before).values(source, measure), before.mean(source, measure))
        second = np.append(plain(after).values(entry, measure), after.mean(entry, measure))
        changes.append(second - first)
    all_changes = np.concatenate(changes) if changes else np.array([])
    if not all_changes.size or (not match["same"] and before.options.level != after.options.level):
        return False
    if match["up"]:
        return not bool(np.any(all_changes > 1e-9))
    if match["down"]:
        return not bool(np.any(all_changes < -1e-9))
    changed = [each for each in all_changes if abs(each) > 1e-9]
    return len(changed) == all_changes.size or bool(changed and len(changed) >= len(all_changes) // 2 > 0)


def _signs(context: EvaluationContext) -> Iterator[tuple[int, int]]:
    """Yield on how many queries a ranking is better, and worse, than another one."""
    for first, second in permutations(context.collection.runs, 2):
        difference = plain(context).values(first, context.measure) - plain(context).values(second, context.measure)
        yield int(np.sum(difference > 1e-9)), int(np.sum(difference < -1e-9))


def _orders(lesson: Lesson, sentence: str, states: Sequence[EvaluationContext]) -> Iterator[str]:
    """Yield the comparison of two rankings by the one measure that a sentence names, if no state has it."""
    measures = measures_in(sentence, DIALECTS[lesson.rules].names)
    if len(measures) != 1 or _HERE.search(sentence):
        return
    runs = [entry.name for entry in states[0].collection.runs if entry.edited is None]
    of = {name: _named(name, place, len(runs)) for place, name in enumerate(runs)}
    for first, second in permutations(runs, 2):
        for high, equal, match in _forms(sentence, of[first], of[second]):
            values = [means for state in states if (means := means_of(measures[0], state, lesson))]
            holds = []
            for means in values:
                difference = means[first] - means[second]
                holds.append(
                    abs(difference) < 1e-9 if equal else (difference > 1e-9) == high and abs(difference) > 1e-9
                )
            if holds and not any(holds):
                yield " ".join(match.split())
                return
    for first in runs if len(runs) > 1 else ():
        ahead = re.search(rf"{of[first]}\s+{_AHEAD}", sentence)
        values = [means for state in states if (means := means_of(measures[0], state, lesson))]
        if ahead and values and not any(means[first] > min(means.values()) + 1e-9 for means in values):
            yield " ".join(ahead[0].split())


_AHEAD = (
    r"(?:is|goes|es|está|va)\s+(?:clearly\s+)?(?:ahead|better|best|mejor|por\s+delante)\b"
    r"(?!\s+(?:than|que|on|en|by|por|off))"
)


def _forms(sentence: str, first: str, second: str) -> Iterator[tuple[bool, bool, str]]:
    """Yield (whether it is higher, whether it is equal, the text) of each comparison of two rankings."""
    word = rf"(?:(?P<high>{_HIGH})|(?P<low>{_LOW}))"
    subject = r"(?:(?:is|are|has|have|es|está|tiene)\s+(?:a\s+|the\s+|un\s+|una\s+)?)"
    than = r"(?:than|que)\s+(?:(?:that\s+of|those\s+of|the|el\s+de|la\s+de|en|el|la)\s+)?"
    patterns = (
        rf"{first}\s+{subject}{word}\b[^,;:]*?\b{than}{second}",  # A is better than B; A has a higher P@5 than B
        rf"\b(?:of|de|for|en)\s+{first}\s+{subject}{word}\s+{than}{second}",  # P@5 of A is higher than of B
    )
    for pattern in patterns:
        for match in re.finditer(pattern, sentence):
            yield match["high"] is not None, False, match[0]
    for match in re.finditer(rf"{first}\s+(?:and|y)\s+{second}\s+(?:are|have|son|tienen)\s+(?:{_EQUAL})\b", sentence):
        yield False, True, match[0]


def _named(name: str, place: int, n: int) -> str:
    """Return a pattern of what a ranking is called: its name, or its place among a few."""
    called = [rf"(?<![\w@]){re.escape(name)}(?![\w@])"]
    if n <= len(_PLACES):
        kinds = "system|engine|ranking|list|run|one|sistema|buscador|lista"
        called.append(rf"(?:[Tt]he|[Ee]l|[Ll]a)\s+(?:{'|'.join(_PLACES[place])})(?:\s+(?:{kinds}))?(?!\w)")
    return f"(?:{'|'.join(called)})"
