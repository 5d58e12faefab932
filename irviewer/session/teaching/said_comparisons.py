"""What the texts of a lesson say of values against each other, against the values: "AP rises" of a step, "A is better
than B by P@5", ".4 is higher than .3", "better on six queries and worse on four".

Texts are not understood. A sentence of such a form, in English or Spanish, is false only where no ranking in view is as
it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.arrays import Floats
from irviewer.model.dialects import DIALECTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Lesson, Question, Step
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import plain
from irviewer.session.teaching.answers_of_one_order import measures_said
from irviewer.session.teaching.sentences import SUPPOSING, sentences_here
from irviewer.session.teaching.stated_facts import A_COUNT, count_of, means_of, values_stated

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
) -> Iterator[tuple[str, str]]:
    """Yield what a text says of values against each other and what they are not, and what they are; ``states`` are
    those of its part, of a step before and after it."""
    for sentence in sentences_here(text):
        for match in _NUMBERS.finditer(sentence):
            first, second = float(match[1]), float(match[4])
            if (first <= second) if match["high"] else (first >= second):
                sign = "=" if first == second else "<" if first < second else ">"
                yield match[0], f"{match[1]} {sign} {match[4]}"
        if SUPPOSING.search(sentence):
            continue
        for match in _SIGNS.finditer(sentence):
            wanted = tuple(map(count_of, match.groups()))
            signs = [*_signs(states[-1])] if states else []
            if signs and wanted not in signs:
                yield match[0], ", ".join(f"{better} + {worse}" for better, worse in dict.fromkeys(signs))
        if isinstance(part, Step) and part.actions and len(states) > 1:
            for match in _CHANGE.finditer(sentence):
                if (change := _other_change(match, lesson, states)) is not None:
                    yield " ".join(match[0].split()), change
        if states:
            yield from _orders(lesson, sentence, states)


def _other_change(match: re.Match[str], lesson: Lesson, states: Sequence[EvaluationContext]) -> str | None:
    """Return how a measure changes in a step, if it does what it is said to do in no ranking that was changed."""
    try:
        changes = _changes(parse_measure(match["measure"], DIALECTS[lesson.rules].names), states)
    except MeasureError:
        return None
    differences = np.concatenate([after - before for before, after in changes.values()]) if changes else np.array([])
    if not differences.size or (not match["same"] and states[0].options.level != states[-1].options.level):
        return None
    changed = [each for each in differences if abs(each) > 1e-9]
    if match["up"]:
        is_false = not bool(np.any(differences > 1e-9))
    elif match["down"]:
        is_false = not bool(np.any(differences < -1e-9))
    else:
        is_false = len(changed) == differences.size or bool(changed and len(changed) >= len(differences) // 2 > 0)
    return _changes_stated(match["measure"], changes) if is_false else None


def _changes(measure: Measure, states: Sequence[EvaluationContext]) -> dict[str, tuple[Floats, Floats]]:
    """Return ranking -> (values before a step, values after it), each of all queries and the mean, of what was
    changed."""
    before, after = states[0], states[-1]
    copied = {each.edited.source.name for each in after.collection.runs if each.edited is not None}
    changes = {}
    for entry in after.collection.runs:
        name = entry.name if entry.edited is None else entry.edited.source.name
        source = next((each for each in before.collection.runs if each.name == name), None)
        if source is not None and (entry.edited is not None or name not in copied):  # a copy is what was changed
            changes[name] = (
                np.append(plain(before).values(source, measure), before.mean(source, measure)),
                np.append(plain(after).values(entry, measure), after.mean(entry, measure)),
            )
    return changes


def _changes_stated(measure: str, changes: Mapping[str, tuple[Floats, Floats]]) -> str:
    """Return the means before and after a step as a text."""
    changed = {name: each for name, each in changes.items() if np.any(np.abs(each[1] - each[0]) > 1e-9)} or changes
    means = (f"{name} {HalfUp(before[-1]):.4f} → {HalfUp(after[-1]):.4f}" for name, (before, after) in changed.items())
    return f"{measure}: " + ", ".join(means)


def _signs(context: EvaluationContext) -> Iterator[tuple[int, int]]:
    """Yield on how many queries a ranking is better, and worse, than another one."""
    for first, second in permutations(context.collection.runs, 2):
        difference = plain(context).values(first, context.measure) - plain(context).values(second, context.measure)
        yield int(np.sum(difference > 1e-9)), int(np.sum(difference < -1e-9))


def _orders(lesson: Lesson, sentence: str, states: Sequence[EvaluationContext]) -> Iterator[tuple[str, str]]:
    """Yield the comparison of rankings by the one measure that a sentence names, if no state has it, and the values."""
    runs = [entry.name for entry in states[0].collection.runs if entry.edited is None]
    of = {name: _named(name, place, len(runs)) for place, name in enumerate(runs)}
    measures = measures_said(sentence, DIALECTS[lesson.rules].names)
    if _HERE.search(re.sub("|".join(of.values()), "", sentence)) or len(runs) < 2:
        return
    measure = measures[0] if len(measures) == 1 else ""
    values = [means for state in states if measure and (means := means_of(measure, state, lesson))]
    for first, second in permutations(runs, 2):
        for high, equal, match in _forms(sentence, of[first], of[second]):
            differences = [means[first] - means[second] for means in values]
            holds = [abs(each) < 1e-9 if equal else (each > 1e-9) == high and abs(each) > 1e-9 for each in differences]
            if holds and not any(holds):
                yield " ".join(match.split()), values_stated(measure, values[-1])
                return
    for first in runs:
        ahead = re.search(rf"{of[first]}\s+{_AHEAD}", sentence)
        if ahead and values and not any(means[first] > min(means.values()) + 1e-9 for means in values):
            yield " ".join(ahead[0].split()), values_stated(measure, values[-1])
    known = {measure: values} if measure else {}
    if not measures:  # "the best of the three" is so by none that the lesson shows
        shown = dict.fromkeys(lesson.view_at(place).measure for place in range(len(lesson.items) + 1))
        known = {each: [means for state in states if (means := means_of(each, state, lesson))] for each in shown}
    yield from _superlatives(sentence, of, known, measure)


def _superlatives(
    sentence: str, of: Mapping[str, str], known: Mapping[str, Sequence[Mapping[str, float]]], measure: str
) -> Iterator[tuple[str, str]]:
    """Yield that a ranking has the highest or the lowest value, where it has it neither among all nor among those that
    the sentence names."""
    named = [name for name, pattern in of.items() if re.search(pattern, sentence)]
    for name in named:
        for match in _superlatives_of(sentence, of[name], measure):
            best = max if match["high"] else min
            holds = any(
                abs(means[name] - best(means[each] for each in group)) < 1e-9
                for states in known.values()
                for means in states
                for group in ([*of], named if len(named) > 1 else [*of])
            )
            if any(known.values()) and not holds:
                stated = (values_stated(each, states[-1]) for each, states in known.items() if states)
                yield " ".join(match[0].split()), "; ".join(stated)


_MOST = (
    r"(?:(?P<high>best|highest|largest|greatest|mejor|mayor|más\s+alt[oa])|"
    r"(?P<low>worst|lowest|smallest|peor|menor|más\s+baj[oa]))\b"
)


def _superlatives_of(sentence: str, run: str, measure: str) -> Iterator[re.Match[str]]:
    """Yield the forms in which a sentence says that a ranking has the highest or lowest value of a measure; where it
    names none, of so many rankings."""
    name = (
        rf"(?:(?:mean|media)\s+)?(?:{re.escape(measure)}|average\s+precision|precisión\s+media)" if measure else "(?!)"
    )
    of_all = r"\s+(?:of|de)\s+(?:(?:the|all|los|las)\s+)+(?:two|three|four|five|dos|tres|cuatro|cinco)\b"
    after = rf"(?={of_all}|\s+(?:value\s+of\s+)?{name}(?![\w@])|\s*(?:[.,;:]|$))" if measure else rf"(?={of_all})"
    that_of = r"(?:(?:that|the\s+one)\s+of\s+|(?:el|la)\s+de\s+)?"
    patterns = (
        rf"{run}\s+(?:is|es)\s+(?:the\s+|el\s+|la\s+)?{_MOST}{after}",
        rf"{run}\s+(?:has|reaches|gets|tiene|alcanza)\s+(?:the\s+|el\s+|la\s+)?{_MOST}{after}",
        rf"{run}\s+tiene\s+(?:el|la)\s+{name}\s+{_MOST}",
        rf"{_MOST}\s+{name}\s+(?:is|es)\s+{that_of}{run}",
        rf"{name}\s+(?:is|es)\s+(?:the\s+|el\s+|la\s+)?{_MOST}\s+(?:for|in|with|en|para|con)\s+{run}",
    )
    yield from (match for pattern in patterns for match in re.finditer(pattern, sentence))


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
    kinds = "system|engine|ranking|list|run|one|sistema|buscador|lista"
    called = [rf"(?<![\w@]){re.escape(name)}(?![\w@])(?:\s+(?:{kinds})(?!\w))?"]
    if n <= len(_PLACES):
        called.append(rf"(?:[Tt]he|[Ee]l|[Ll]a)\s+(?:{'|'.join(_PLACES[place])})(?:\s+(?:{kinds}))?(?!\w)")
    return f"(?:{'|'.join(called)})"
