"""From what to what a text says that something changes, and what a measure is said to be of a ranking or query, against
the values of that measure alone: "AP goes from .76 to .79", "D's precision rises from 2/4 to 3/4", "DCG is 9.9 for
query 1, and 1 for query 2".

Texts are not understood. A sentence of such a form, in English or Spanish, is false only where no ranking in view,
before or after a step, is as it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations, product

from irviewer.errors import MeasureError
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Lesson, Question, Step
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import plain
from irviewer.session.teaching.checking.prose.comparisons import called_by
from irviewer.session.teaching.checking.prose.shares import NEAR_IN_WORDS
from irviewer.session.teaching.checking.wording.named_measures import (
    NAMES_IN_WORDS,
    measures_down_the_list,
    measures_said,
)
from irviewer.session.teaching.checking.wording.number_words import A_SHARE, share_of
from irviewer.session.teaching.checking.wording.sentences import claims_here
from irviewer.session.teaching.step_actions import copied_names, ranking_name
from irviewer.session.view_models.lecture_table import table_ranking
from irviewer.translation import tr

Said = tuple[str, str]
"""What a text says, and what is so."""
VALUE = rf"(?:(?:\d+/[1-9]\d*|\d*\.\d+|[01])(?![\w/%]|[.,]\d|\s?%|\s*[×*·+÷−-]\s*[\d.])|{A_SHARE})"
_MEASURE = (
    r"(?<![\w@])(?P<measure>(?-i:[A-Z])[A-Za-z]*(?:\([^()]*\))?@\d+|(?-i:[A-Z]{2,})|"
    r"average\s+precision|(?:la\s+)?precisión\s+media|reciprocal\s+rank|rango\s+recíproco)"
)
_VERB = (
    r"(?:(?:solo|only|now|ahora|then|entonces|more\s+than|más\s+que)\s+)?"
    r"(?:goes(?:\s+(?:up|down))?|rises|falls|drops|changes|increases|decreases|grows|doubles|is\s+(?:raised|lowered)|va|pasa|sube|baja|"
    r"cae|cambia|aumenta|disminuye|crece|se\s+duplica)\b,?\s+"
)
_ENDS = rf"(?:from|de)\s+(?P<first>{VALUE})\s+(?:to|a)\s+(?P<second>{VALUE})"
_OF_MEASURE = re.compile(rf"{_MEASURE}\s+{_VERB}{_ENDS}", re.I)
"""A measure, and the values from and to which it is said to change."""
_TO = re.compile(rf"{_MEASURE}\s+{_VERB}(?:to|a|hasta)\s+(?P<second>{VALUE})", re.I)
"""A measure, and the value to which a step is said to change it."""
_OF_MEAN = re.compile(rf"\b(?:the\s+mean|la\s+media)\s+{_VERB}{_ENDS}", re.I)
"""From and to what a step is said to change the mean."""
_COLUMN = r"(?P<column>precision|recall|precisión|exhaustividad)"
_OF_DOCUMENT = tuple(
    re.compile(rf"{subject}\s+{_VERB}{_ENDS}", re.I)
    for subject in (
        rf"(?<!\w)(?-i:(?P<document>[A-Z]))['’]s\s+{_COLUMN}",
        rf"\b{_COLUMN}\s+(?:of|de)\s+(?-i:(?P<document>[A-Z]))",
    )
)
"""A document, and from and to what the precision or recall at its rank is said to change."""
_QUERY = r"(?:query|(?:la\s+)?consulta)\s+(?P<query>\w*\d\w*)\b"
_AT_QUERY = rf"(?P<value>{VALUE})\s+(?:for|on|in|of|en|de|para)\s+{_QUERY}"
_OF_QUERY = re.compile(_AT_QUERY, re.I)
_IS_OF_QUERY = re.compile(rf"{_MEASURE}\s+(?:is|es|=)\s+(?={_AT_QUERY})", re.I)
"""A measure, whose value for a query follows, and maybe those for others."""
_MORE = re.compile(r"(?:,|;)?\s+(?:(?:and|y)\s+)?", re.I)
_HAVE = re.compile(
    r"\b(?:quer(?:y|ies)|consultas?)\s+(?P<queries>\w*\d\w*(?:(?:,\s+|,?\s+(?:and|y)\s+)\w*\d\w*)*)\s+(?:has|have|tienen?)\s+"
    rf"(?P<value>{VALUE})(?=\s*(?:[.,;:)]|$)|\s+(?:and|y)\s+(?:query|(?:la\s+)?consulta))",
    re.I,
)
"""Queries, and the value that they are said to have."""
_MEAN_IS = re.compile(rf"\b(?:the\s+mean\s+is|la\s+media\s+es)\s+(?P<value>{VALUE})", re.I)
_BY = re.compile(r"^(?:By|Según)\s+([A-Za-z]+@\d+|[A-Z]{2,})(?![\w@])")
"""The measure by which a sentence compares."""
_OF_DIFFERENCE = re.compile(r"\b(?:differences?|sum|suma|diferencias?)\b[^,;:.]*$", re.I)


def false_changes(
    lesson: Lesson, part: Lesson | Step | Question, text: str, states: Sequence[EvaluationContext]
) -> Iterator[Said]:
    """Yield from what to what a text says that a measure, or what is at the rank of a document, changes, where it does
    so in no ranking, and what is so; ``states`` are those of its part, of a step before and after it."""
    is_step = isinstance(part, Step) and len(part.actions) == 1 and len(states) > 1
    before_and_after = (states[:1], states[-1:]) if is_step else (states, states)
    for sentence in claims_here(text) if states else ():
        for match in _OF_MEASURE.finditer(sentence):
            name = _named(match["measure"])
            if not _OF_DIFFERENCE.search(sentence[: match.start()]):
                measures = _measures(name, states, lesson)
                ends = [[*_all_values(measures, own)] for own in before_and_after]
                yield from _unlike(match, ends, f"{name}: " + " → ".join(map(_listed, ends)))
        for match in _TO.finditer(sentence) if is_step else ():
            name = _named(match["measure"])
            own = [*_all_values(_measures(name, states, lesson), before_and_after[1])]
            if own and not is_said(match["second"], own) and not _OF_DIFFERENCE.search(sentence[: match.start()]):
                yield " ".join(match[0].split()), f"{name}: {_listed(own)}"
        named = measures_said(sentence, DIALECTS[lesson.rules].names)
        for match in _OF_MEAN.finditer(sentence) if is_step and not named else ():
            ends_of = {each: [[*_all_values([each], own)] for own in before_and_after]
                       for each in _shown(lesson, part, states)}  # fmt: skip
            unlike = [
                [*_unlike(match, ends, f"{measure}: " + " → ".join(map(_listed, ends)))]
                for measure, ends in ends_of.items()
            ]
            yield from unlike[0] if all(unlike) else ()
        for match in (each for form in _OF_DOCUMENT if is_step for each in form.finditer(sentence)):
            before, after = (_at_document(match, state) for state in (states[0], states[-1]))
            pairs = [(before[each], value) for each, value in after.items() if each in before]
            stated = ", ".join(f"{HalfUp(former):.4f} → {HalfUp(value):.4f}" for former, value in dict.fromkeys(pairs))
            if not any(
                is_said(match["first"], [former]) and is_said(match["second"], [value]) for former, value in pairs
            ):
                yield from ((" ".join(match[0].split()), stated) for _ in pairs[:1])


def false_values_of_queries(lesson: Lesson, text: str, states: Sequence[EvaluationContext]) -> Iterator[Said]:
    """Yield the values of a measure that a text says queries have, and that no ranking has of them, and those that it
    has; ``states`` are those of its part."""
    for sentence in claims_here(text) if states else ():
        claims: list[tuple[str, list[str], re.Match[str]]] = []
        for match in _IS_OF_QUERY.finditer(sentence):
            value = _OF_QUERY.match(sentence, match.end())
            while value is not None:
                claims.append((_named(match["measure"]), [value["query"]], value))
                more = _MORE.match(sentence, value.end())
                value = more and _OF_QUERY.match(sentence, more.end())
        if (by := _BY.match(sentence)) is not None:
            have = [*_HAVE.finditer(sentence)]
            claims += [(by[1], re.findall(r"\w*\d\w*", each["queries"]), each) for each in have]
            claims += [(by[1], [""], each) for each in _MEAN_IS.finditer(sentence) if have]
        for name, queries, match in claims:
            measures = _measures(name, states, lesson)
            own = {query: [*_values_of(measures, states, query)] for query in queries}
            if measures and all(own.values()) and not all(is_said(match["value"], each) for each in own.values()):
                values = ", ".join(f"{_listed(each)} ({query or tr('mean')})" for query, each in own.items())
                yield " ".join(match[0].split()), f"{name}: {values}"


_SUBJECTS = r"(?:rank|la\s+posición)\s+(?P<rank>\d+)(?![\w/]|\.\d)|(?:query|la\s+consulta)\s+(?P<query>\w*\d\w*)"


def false_exchanges(
    lesson: Lesson, part: Lesson | Step | Question, text: str, states: Sequence[EvaluationContext]
) -> Iterator[Said]:
    """Yield the values that a text says one after the other of rankings, queries or ranks, ".5 for the blue one and 0
    for the green one", if they are as said by no measure that the sentence names or the part shows, and by one of them
    in another order; and what they are."""
    runs = [entry.name for entry in states[0].collection.runs if entry.edited is None] if states else []
    called = [called_by(name, place, len(runs)) for place, name in enumerate(runs) if len(runs) <= _MOST_RUNS]
    of_runs = "".join(rf"|(?:(?:the|el|la|system|sistema)\s+)*(?-i:(?P<run{place}>{each}))"
                      for place, each in enumerate(called))  # fmt: skip
    pair = re.compile(
        rf"(?P<value>{VALUE})\s+(?:for|at|on|in|of|with|para|en|de|con|a)\s+(?:{_SUBJECTS}{of_runs})", re.I
    )
    for sentence in claims_here(text) if states else ():
        chain: list[re.Match[str]] = []
        for match in pair.finditer(sentence):
            follows = chain and _MORE.fullmatch(sentence, chain[-1].end(), match.start())
            chain = [*chain, match] if follows or not chain else chain
        subjects = [_subject(match, runs) for match in chain]
        said = [match["value"] for match in chain]
        if len({*subjects}) < len(chain) or len(chain) < 2 or len({kind for kind, _ in subjects}) > 1:
            continue
        rows = [*_rows(subjects, _candidates(sentence, lesson, part, states), states)]
        if not any(_are_said(said, values) for _, values in rows):
            orders = permutations(said) if len(said) <= _MOST_EXCHANGED else ()
            other = next((row for order in orders for row in rows if _are_said(order, row[1])), None)
            if other is not None:
                names = [name if kind == "run" else f"{_kind_named(kind)} {name}" for kind, name in subjects]
                own = ", ".join(f"{name} {HalfUp(each):.4f}" for name, each in zip(names, other[1], strict=True))
                yield " ".join(sentence[chain[0].start() : chain[-1].end()].split()), f"{other[0]}: {own}"


_MOST_RUNS, _MOST_EXCHANGED = 30, 4


def _kind_named(kind: str) -> str:
    return tr("rank") if kind == "rank" else tr("query")


def _subject(match: re.Match[str], runs: Sequence[str]) -> tuple[str, str]:
    """Return of what a value is said: ("rank", "2"), ("query", "1"), ("run", "blue")."""
    for kind in ("rank", "query"):
        if match[kind]:
            return kind, match[kind]
    return "run", next(run for place, run in enumerate(runs) if match[f"run{place}"])


def _candidates(
    sentence: str, lesson: Lesson, part: Lesson | Step | Question, states: Sequence[EvaluationContext]
) -> list[Measure]:
    """Return the measures that a sentence names, or else those that its part shows."""
    names = DIALECTS[lesson.rules].names
    named = measures_said(sentence, names) + measures_down_the_list(sentence, names)
    return [each for name in named for each in _measures(name, states, lesson)] or _shown(lesson, part, states)


def _rows(
    subjects: Sequence[tuple[str, str]], measures: Sequence[Measure], states: Sequence[EvaluationContext]
) -> Iterator[tuple[str, list[float]]]:
    """Yield (measure, the value of each subject): of rankings the means and the values of each query, of queries and
    ranks those of each ranking."""
    kind, names = subjects[0][0], [name for _, name in subjects]
    for measure, state in product(measures, states):
        entries, queries = state.collection.runs, list(state.query_ids)
        if kind == "run":
            own = [next((each for each in entries if each.name == name), None) for name in names]
            known = [each for each in own if each is not None]
            columns = [[*map(float, plain(state).values(each, measure)), float(plain(state).mean(each, measure))]
                       for each in known if len(known) == len(names)]  # fmt: skip
            yield from ((measure.text, list(row)) for row in zip(*columns, strict=True))
        elif kind == "query" and {*names} <= {*queries}:
            for entry in entries:
                values = plain(state).values(entry, measure)
                yield measure.text, [float(values[queries.index(name)]) for name in names]
        elif kind == "rank" and len(queries) * len(entries) <= _MOST_RUNS:
            at_ranks = [parse_measure(f"{measure.name}@{rank}", state.options.rules.names) for rank in names]
            for entry in entries:
                columns = [list(map(float, plain(state).values(entry, each))) for each in at_ranks]
                yield from ((measure.name, list(row)) for row in zip(*columns, strict=True))


def _are_said(said: Sequence[str], values: Sequence[float]) -> bool:
    return all(is_said(text, [value]) for text, value in zip(said, values, strict=True))


def _shown(lesson: Lesson, part: Lesson | Step | Question, states: Sequence[EvaluationContext]) -> list[Measure]:
    """Return the measures that a lesson and a part of it show: of their values, and those in view."""
    names = DIALECTS[lesson.rules].names
    figures = [parse_measure(figure.measure, names) for figure in (*part.figures, *lesson.figures)]
    return list(dict.fromkeys([*(state.measure for state in states), *figures]))


def _values_of(measures: Sequence[Measure], states: Sequence[EvaluationContext], query: str) -> Iterator[float]:
    """Yield the values that the rankings have of a query, "" for their means; none of an unknown query."""
    for measure, state in product(measures, states):
        for entry in state.collection.runs:
            if not query:
                yield float(plain(state).mean(entry, measure))
            elif query in state.query_ids:
                yield float(plain(state).values(entry, measure)[list(state.query_ids).index(query)])


def _unlike(match: re.Match[str], ends: Sequence[Sequence[float]], stated: str) -> Iterator[Said]:
    """Yield the text of a match whose ends are not among what there is of each."""
    said = [is_said(match[end], values) for end, values in zip(("first", "second"), ends, strict=True)]
    if all(ends) and not all(said):
        yield " ".join(match[0].split()), stated


def is_said(text: str, values: Sequence[float]) -> bool:
    """Return whether a number or fraction is one of some values, rounded to its digits; a whole number is meant
    exactly, and words as far as they say it."""
    if text[0].isalpha():
        return any(abs(value - share_of(text)) <= NEAR_IN_WORDS for value in values)
    above, _, below = text.partition("/")
    decimals = len(text.partition(".")[2])
    near = 0.5000001 * 10.0**-decimals if decimals else 0.0051
    return any(abs(value - float(above) / float(below or 1)) <= near for value in values)


def _named(name: str) -> str:
    """Return the measure that a name or words say."""
    words = " ".join(name.split())
    return next((own for own, form in NAMES_IN_WORDS if form.search(words)), words)


def _measures(name: str, states: Sequence[EvaluationContext], lesson: Lesson) -> list[Measure]:
    """Return what a name means: the measure; without a cutoff, also the one in view of that name."""
    try:
        measure = parse_measure(name, DIALECTS[lesson.rules].names)
    except MeasureError:
        return []
    in_view = [each.measure for each in states if each.measure.name == measure.name]
    return list(dict.fromkeys([measure, *(in_view if measure.cutoff is None else ())]))


def _all_values(measures: Sequence[Measure], states: Sequence[EvaluationContext]) -> Iterator[float]:
    """Yield the values of all rankings and queries, and the means; of one state alone without what was copied in it."""
    for measure, state in product(measures, states):
        copied = copied_names(state) if len(states) == 1 else ()
        for entry in (each for each in state.collection.runs if each.name not in copied):
            yield from map(float, plain(state).values(entry, measure))
            yield float(plain(state).mean(entry, measure))


def _at_document(match: re.Match[str], state: EvaluationContext) -> dict[tuple[str, str], float]:
    """Return (ranking, query) -> precision or recall at the rank of a document; an edited copy has the name of what it
    was copied from."""
    is_recall = match["column"].lower()[0] in "re"
    values = {}
    runs = sorted(state.collection.runs, key=lambda entry: entry.edited is not None)
    for entry, query in product(runs, state.query_ids):
        ranking = table_ranking(state, entry, query)
        if ranking is not None and match["document"] in ranking.documents:
            column = ranking.recall if is_recall else ranking.precision
            values[ranking_name(entry), query] = float(column[ranking.documents.index(match["document"])])
    return values


def _listed(values: Sequence[float]) -> str:
    shown = [f"{HalfUp(value):.4f}" for value in dict.fromkeys(values) if value == value]
    return ", ".join(shown[:6]) + (" …" if len(shown) > 6 else "")
