"""What the texts of a lesson say of values against each other, against the values: "AP rises" of a step, "A is better
than B by P@5", ".4 is higher than .3", "better on six queries and worse on four".

Texts are not understood. A sentence of such a form, in English or Spanish, is false only where no ranking in view is as
it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product

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
from irviewer.session.teaching.checking.lesson_rankings import either_case
from irviewer.session.teaching.checking.wording.named_measures import measures_said
from irviewer.session.teaching.checking.wording.number_words import A_COUNT, PLACES, count_of
from irviewer.session.teaching.checking.wording.sentences import SUPPOSING, sentences_here
from irviewer.session.teaching.step_actions import copied_names, ranking_name

_UP = r"rises?|increases?|grows?|goes\s+up|sube|suben|aumentan?|crecen?"
_DOWN = r"falls?|drops?|decreases?|goes\s+down|baja|bajan|caen?|disminuyen?|descienden?"
_SAME = (
    r"(?:does|do)\s+not\s+change|stays?(?:\s+(?:the\s+same|as))?|remains?|is\s+unchanged|no\s+cambian?|se\s+quedan?|"
    r"siguen?\s+igual|se\s+mantienen?"
)
_CHANGE = re.compile(
    rf"(?<![\w@])(?P<measure>[A-Z][A-Za-z]*(?:\([^()]*\))?(?:@\d+)?)\s+(?:(?P<up>{_UP})|(?P<down>{_DOWN})|(?P<same>{_SAME}))\b"
    r"(?!\s+(?:with|if|when|by\s+half|by\s+(?:nothing|0)|con|si|cuando|by\s+which|as\s+long))",
)
"""A measure, and what it is said to do."""
_BY = re.compile(
    rf"(?<![\w@])(?P<measure>[A-Z][A-Za-z]*(?:\([^()]*\))?(?:@\d+)?)\s+(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\s+(?:(?:by|en|un)\s+)?"
    r"(?:(?P<above>\d+)/(?P<below>[1-9]\d*)|(?P<value>\d*\.\d+|\d+))"
    r"(?![\w%/]|\.\d|\s*%|\s+(?:points?|puntos?|per|por|places?|positions?|posici\w+|puestos?|ranks?|times|veces|or|o)\b)"
)
"""A measure, and by how much it is said to change."""
HIGH = r"higher|larger|greater|better|ahead|above|mayor|mejor|más\s+alt[oa]|por\s+delante|superior"
LOW = r"lower|smaller|worse|behind|below|menor|peor|más\s+baj[oa]|por\s+detrás|inferior"
"""Words that compare two values."""
_NUMBERS = re.compile(
    rf"(?<![\w.@])(\d*\.\d+)\s+(?:is|es)\s+(?:(?P<high>{HIGH}|more)|(?P<low>{LOW}|less))\s+(?:than|que)\s+(\d*\.\d+)(?![\w%]|\.\d)",
    re.I,
)
_SIGNS = re.compile(
    rf"\b(?:better|mejor)\s+(?:on|en)\s+{A_COUNT}\s+(?:quer(?:y|ies)|consultas?)\s+(?:and|y)\s+(?:worse|peor)\s+"
    rf"(?:on|en)\s+{A_COUNT}\b",
    re.I,
)
_OFTEN = (
    rf"(?:(?P<{{}}_once>once|una\s+vez)|(?P<{{}}_twice>twice)|(?P<{{}}>{A_COUNT[1:-1]})"
    r"(?:\s+(?:times|veces|queries|query|consultas?))?)"
)
_WINS = re.compile(
    rf"\b(?:wins|gana)\s+(?:on\s+|en\s+)?{_OFTEN.format('won', 'won', 'won')},?\s+"
    rf"(?:(?:and|y)\s+)?(?:loses|pierde)\s+(?:on\s+|en\s+)?"
    rf"{_OFTEN.format('lost', 'lost', 'lost')}(?=\s*(?:[.,;:)]|$)|\s+(?:and|y|quer|consulta))",
    re.I,
)
"""On how many queries a ranking is said to be better, and worse, than another one."""


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
        for match in _WINS.finditer(sentence) if states else ():
            both = _times(match, "won"), _times(match, "lost")
            run = _winner(match, text, lesson, states[-1])
            named = measures_said(sentence, DIALECTS[lesson.rules].names)
            signs = [*_signs(states[-1], run, named)] if sum(both) <= states[-1].n_queries else []
            if signs and both not in signs:
                yield " ".join(match[0].split()), ", ".join(f"{won} + {lost}" for won, lost in dict.fromkeys(signs))
        if isinstance(part, Step) and part.actions and len(states) > 1:
            for match in _CHANGE.finditer(sentence):
                if (change := _other_change(match, lesson, states)) is not None:
                    yield " ".join(match[0].split()), change
            for match in _BY.finditer(sentence):
                if (change := _other_amount(match, lesson, states)) is not None:
                    yield " ".join(match[0].split()), change
            yield from _other_growth(sentence, lesson, states)
            yield from _less_growth(sentence, lesson, states)
            yield from _changes_of_some(sentence, lesson, part, states)


def _winner(match: re.Match[str], text: str, lesson: Lesson, state: EvaluationContext) -> str:
    """Return the ranking that is said to win: the one named before, or for "it" that in view if the sentence before
    begins with it; "" for unknown."""
    runs = [entry.name for entry in state.collection.runs if entry.edited is None]
    of = {name: called_by(name, place, len(runs)) for place, name in enumerate(runs)}
    before = match.string[: match.start()]
    if named := [name for name, called in of.items() if re.search(rf"{called}\s+$", before)]:
        return named[0]
    former = re.split(r"(?<=[.?!])\s+", text[: text.find(match.string)].rstrip())[-1]
    places = {name: mention.start() for name, called in of.items() if (mention := re.search(called, former))}
    is_it = re.fullmatch(r"\s*(?:It\s+)?", before) is not None and places
    first = min(places, key=places.__getitem__) if is_it else ""
    return first if first == lesson.view.run else ""


def _times(match: re.Match[str], group: str) -> int:
    """Return how often something is said to be so."""
    return 1 if match[f"{group}_once"] else 2 if match[f"{group}_twice"] else count_of(match[group])


def _other_change(match: re.Match[str], lesson: Lesson, states: Sequence[EvaluationContext]) -> str | None:
    """Return how a measure changes in a step, if it does what it is said to do in no ranking that was changed."""
    if not match["same"] and states[0].options.level != states[-1].options.level:
        return None
    known = _changes_of(match["measure"], lesson, states)
    if not known or any(_does(match, changes) for changes in known):
        return None
    return _changes_stated(match["measure"], known[-1])


def _does(match: re.Match[str], changes: Mapping[str, tuple[Floats, Floats]]) -> bool:
    """Return whether values change as a measure is said to do."""
    differences = np.concatenate([after - before for before, after in changes.values()])
    if match["up"]:
        return bool(np.any(differences > 1e-9))
    if match["down"]:
        return bool(np.any(differences < -1e-9))
    n = int(np.sum(np.abs(differences) > 1e-9))
    return n < differences.size and not (n and n >= len(differences) // 2 > 0)


def _other_amount(match: re.Match[str], lesson: Lesson, states: Sequence[EvaluationContext]) -> str | None:
    """Return how a measure changes in a step, if it does so by the amount that is said in no ranking."""
    said = float(match["value"]) if match["value"] else int(match["above"]) / int(match["below"])
    unit = 0.5000001 * 10.0 ** -len((match["value"] or ".0000").partition(".")[2])
    known = _changes_of(match["measure"], lesson, states)
    amounts = np.array([0.0] + [each for own in known for pair in own.values() for each in np.abs(pair[1] - pair[0])])
    is_false = bool(np.any(amounts > unit)) and not np.any(np.abs(amounts - said) <= unit)
    return _changes_stated(match["measure"], known[-1]) if is_false else None


def _changes_of(
    name: str, lesson: Lesson, states: Sequence[EvaluationContext]
) -> list[dict[str, tuple[Floats, Floats]]]:
    """Return what a step changes of a measure, for each measure that the name can mean; [] if it is none. Where a name
    has no cutoff and parameters, it can be that in view of each state."""
    try:
        measure = parse_measure(name, DIALECTS[lesson.rules].names)
    except MeasureError:
        return []
    in_view = [each.measure for each in (states[0], states[-1]) if each.measure.name == measure.name]
    meant = [(measure, measure)]
    if in_view and measure.cutoff is None and not measure.given:
        meant.append((in_view[0], in_view[-1]))
    return [changes for each in dict.fromkeys(meant) if (changes := _changes(*each, states))]


def _changes(
    measure: Measure, measure_after: Measure, states: Sequence[EvaluationContext]
) -> dict[str, tuple[Floats, Floats]]:
    """Return ranking -> (values before a step, values after it), each of all queries and the mean, of what was
    changed."""
    before, after = states[0], states[-1]
    copied = copied_names(after)
    changes = {}
    for entry in after.collection.runs:
        name = ranking_name(entry)
        source = next((each for each in before.collection.runs if each.name == name), None)
        if source is not None and (entry.edited is not None or name not in copied):  # a copy is what was changed
            changes[name] = (
                np.append(plain(before).values(source, measure), before.mean(source, measure)),
                np.append(plain(after).values(entry, measure_after), after.mean(entry, measure_after)),
            )
    return changes


_TIMES = (
    (r"twice|double|doubles|(?:is|are)\s+doubled|(?:el\s+)?doble|(?:se\s+)?duplican?", 2.0),
    (r"half|halves|(?:is|are)\s+halved|(?:la\s+)?mitad|se\s+reducen?\s+a\s+la\s+mitad", 0.5),
    (r"three\s+times|triples?|(?:el\s+)?triple|(?:se\s+)?triplican?|tres\s+veces", 3.0),
    (r"four\s+times|cuatro\s+veces", 4.0), (r"ten\s+times|diez\s+veces", 10.0),
)  # fmt: skip
_RATIO = "|".join(words for words, _ in _TIMES)
ROUGHLY = re.compile(
    r"\b(?:about|almost|nearly|roughly|around|over|more\s+than|less\s+than|at\s+least|up\s+to|just|not|no|by|hardly|casi|alrededor|"
    r"más\s+de|menos\s+de|unas?|aproximadamente|hasta)\b",
    re.I,
)
"""Words of a ratio that is not meant exactly, or denied."""
_MEASURE = r"(?-i:[A-Z][A-Za-z]*(?:\([^()]*\))?(?:@\d+)?)(?![\w@])"
_GROWTH = re.compile(
    rf"(?<![\w@])(?:(?P<first>{_MEASURE})\s+)?(?P<ratio>{_RATIO})\b(?:\s+(?P<second>{_MEASURE}))?", re.I
)
_FURTHER = re.compile(
    rf"(?<![\w@])(?P<name>{_MEASURE})\s+(?:more\s+than|(?:se\s+)?más\s+que)\s+(?P<ratio>(?:se\s+)?(?:{_RATIO}))\b", re.I
)
"""A measure that is said to change by more than a ratio."""


def _ratio_of(words: str) -> float:
    return next(ratio for pattern, ratio in _TIMES if re.fullmatch(pattern, " ".join(words.split()), re.I))


def _is_ratio(ratio: float, value: float, other: float) -> bool:
    """Return whether a value is so many times another one, within a tenth."""
    return abs(value - ratio * other) <= 0.1 * abs(ratio * other) + 1e-9


def _other_growth(sentence: str, lesson: Lesson, states: Sequence[EvaluationContext]) -> Iterator[tuple[str, str]]:
    """Yield that a step doubles or halves a measure, where it does so with no ranking."""
    for match in () if ROUGHLY.search(sentence) else _GROWTH.finditer(sentence):
        name = match["first"] or match["second"]
        is_verb = re.search(r"(?:s|d|an?)$", match["ratio"].strip()) and not re.search(r"times|veces", match["ratio"])
        if not name or not is_verb:
            continue
        ratio, known = _ratio_of(match["ratio"]), _changes_of(name, lesson, states)
        both = [each for changes in known for each in changes.values()]
        pairs = [pair for before, after in both for pair in zip(before, after, strict=True) if any(pair)]
        if pairs and not any(_is_ratio(ratio, after, before) for before, after in pairs):
            yield " ".join(match[0].split()), _changes_stated(name, known[-1])


def _less_growth(sentence: str, lesson: Lesson, states: Sequence[EvaluationContext]) -> Iterator[tuple[str, str]]:
    """Yield that a step more than doubles a measure, or more than halves it, where it does so with no ranking."""
    for match in _FURTHER.finditer(sentence):
        ratio, known = _ratio_of(re.sub(r"^se\s+", "", match["ratio"])), _changes_of(match["name"], lesson, states)
        both = [each for changes in known for each in changes.values()]
        pairs = [pair for before, after in both for pair in zip(before, after, strict=True) if any(pair)]
        if pairs and not any((after - ratio * before) * (1 if ratio > 1 else -1) > 0 for before, after in pairs):
            yield " ".join(match[0].split()), _changes_stated(match["name"], known[-1])


def _shown(part: Lesson | Step | Question, states: Sequence[EvaluationContext]) -> list[str]:
    """Return the measures that a part shows: those of its values, and the one in view."""
    shown = [figure.measure for figure in part.figures] + [part.view.measure, states[-1].measure.text]
    return [each for each in dict.fromkeys(shown) if each]


def _changes_of_some(
    sentence: str, lesson: Lesson, part: Step, states: Sequence[EvaluationContext]
) -> Iterator[tuple[str, str]]:
    """Yield that the values of some rankings rise or fall in a step, where those of one of them do not."""
    runs = [entry.name for entry in states[0].collection.runs if entry.edited is None]
    of = {name: called_by(name, place, len(runs)) for place, name in enumerate(runs)}
    some = f"(?:{'|'.join(of.values())})"
    pattern = (
        rf"\b(?:values?|valor(?:es)?|that|those|{_MEASURE})\s+(?:of|de)\s+(?P<runs>{some}(?:\s+(?:and|y)\s+{some})*)"
        rf"(?:,\s[^,.;]{{1,60}},)?\s+(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\b"
    )
    measures = measures_said(sentence, DIALECTS[lesson.rules].names) or _shown(part, states)
    for match in re.finditer(pattern, sentence):
        changes = [(name, each) for name in measures for each in _changes_of(name, lesson, states)]
        for run in (name for name, called in of.items() if re.search(called, match["runs"])):
            own = [(before, after) for _, each in changes for before, after in ([each[run]] if run in each else [])]
            rises = [bool(np.any((after - before if match["up"] else before - after) > 1e-9)) for before, after in own]
            if rises and not any(rises):
                yield " ".join(match[0].split()), _changes_stated(*changes[0])
                break


def _changes_stated(measure: str, changes: Mapping[str, tuple[Floats, Floats]]) -> str:
    """Return the means before and after a step as a text."""
    changed = {name: each for name, each in changes.items() if np.any(np.abs(each[1] - each[0]) > 1e-9)} or changes
    means = (f"{name} {HalfUp(before[-1]):.4f} → {HalfUp(after[-1]):.4f}" for name, (before, after) in changed.items())
    return f"{measure}: " + ", ".join(means)


def _signs(context: EvaluationContext, run: str = "", named: Sequence[str] = ()) -> Iterator[tuple[int, int]]:
    """Yield on how many queries a ranking, "" for any, is better, and worse, than another one, by the measure in view
    or one of those that are named."""
    by = [context.measure, *(parse_measure(each, context.options.rules.names) for each in named)]
    for (first, second), measure in product(permutations(context.collection.runs, 2), dict.fromkeys(by)):
        if run not in ("", first.name):
            continue
        difference = plain(context).values(first, measure) - plain(context).values(second, measure)
        yield int(np.sum(difference > 1e-9)), int(np.sum(difference < -1e-9))


def called_by(name: str, place: int, n: int) -> str:
    """Return a pattern of what a ranking is called: its name, or its place among a few."""
    kinds = "system|engine|ranking|list|run|one|sistema|buscador|lista"
    called = [rf"(?<![\w@]){either_case(name)}(?![\w@])(?:\s+(?:{kinds})(?!\w))?"]
    if n <= len(PLACES):
        called.append(rf"(?:[Tt]he|[Ee]l|[Ll]a)\s+(?:{PLACES[place]})(?:\s+(?:{kinds}))?(?!\w)")
    return f"(?:{'|'.join(called)})"
