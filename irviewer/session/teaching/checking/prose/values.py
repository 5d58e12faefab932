"""Values that the texts of a lesson state and that its rankings do not have: exchanged digits (.63 for .36), a typed
answer to "What is P@5?", the measure that a wrong answer is said to be, what a step is said to do.

Texts are not understood. A number is false only where nothing in the lesson has its value."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.parser import parse_measure
from irviewer.model.arrays import Floats
from irviewer.model.dialects import DIALECTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Figure, Lesson, Place, Question, Step, WrongAnswer
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.lecture_table.columns import COLUMNS
from irviewer.session.teaching.answers import CLOSE, is_value, number_in
from irviewer.session.teaching.checking.wording.equations import value_of_arithmetic
from irviewer.session.teaching.checking.wording.named_measures import measure_in
from irviewer.session.teaching.checking.wording.number_words import A_COUNT, count_of
from irviewer.session.teaching.checking.wording.sentences import SUPPOSING, prose_of, sentences_here, without_then
from irviewer.session.teaching.figures import value_of
from irviewer.session.teaching.step_actions import ranking_name
from irviewer.session.view_models.lecture_table import table_ranking
from irviewer.translation import tr

_NUMBER = re.compile(r"(?<![\w.,@=^/\[-])\d*\.\d+(?![\w^%]|\.\w|\s%|/)")
_ASKED = re.compile(r"(?:What is|What's|¿Cuánto vale|¿Cuál es)\s+(\S+?)(?:\s+(?:of|de)\s+(.+?))?\s*\?")
"""A title that asks for a measure and for nothing else; group 2 is a ranking or a query."""
_NAMED = re.compile(
    r"(?:This|That|Es[tao]|Est[ea]) (?:is|es|would be|sería) ([A-Za-z]+\w*(?:\([^()]*\))?@\d+)"
    r"(?:\s+(?:of|de)\s+([\w-]+))?(?=[.:,;]|$)"
)
"""A reason that says which measure, maybe of which ranking, a wrong answer is."""
_IN_WORDS = re.compile(
    r"(?:This|That|Es[tao]|Est[ea]) (?:is|es) (?:the|la) (precision|recall|precisión|exhaustividad) "
    r"(?:at rank|en la posición) (\d+)"
)
"""The same in words."""
_OF_WORD = {"precision": "P", "precisión": "P", "recall": "R", "exhaustividad": "R"}
_NO_MORE = (
    r"(?!\s+(?:higher|lower|more|less|better|worse|larger|smaller|greater|above|below|apart|m[aá]s|menos|mayor|menor|mejor|"
    r"peor|superior|inferior)\b)"
)
"""What does not follow a value: that would be a difference."""
_NUMBER_SAID = (
    r"(?:(\d*\.\d+)(?![\w/%]|\.\d|\s%|\s*[/×*·+÷−-]\s*[\d.])" + _NO_MORE + r"|"
    r"(?!0\s?%|100\s?%)(\d+(?:\.\d+)?\s?%)(?!\s+(?:of|de|or|o|only|at|just|solo|como)\b)" + _NO_MORE + ")"
)
_OF_SUBJECT = r"(?:\s+(?:of|de)\s+((?:query\s+|consulta\s+)?[\w-]+))?"
_SAID = re.compile(
    rf"(?<![\w@])([A-Za-z]+(?:\([^()]*\))?@\d+|[A-Z][A-Za-z]*[A-Z]){_OF_SUBJECT}\s+(?:is|es|=)\s+{_NUMBER_SAID}"
    r"(?:\s+(?:for|in|para|en)\s+((?:query\s+|consulta\s+)?[\w-]+))?"
)
"""A measure and the value that it is said to have, maybe of a ranking or query."""
_POSSESSED = re.compile(
    r"\b(?:has|have|tienen?)\s+(?:(?:an?|the|una?|mean|media|mean\s+value)\s+){0,2}([A-Za-z]+(?:\([^()]*\))?@\d+|[A-Z][A-Za-z]*[A-Z])\s+"
    r"(?:of|de)\s+(\d*\.\d+)(?![\w/%]|\s+(?:or|o)\b)"
)
"""The same of what rankings have."""
_TOLD = re.compile(
    r"(?:\b(?:is|are|from|to|es|son|de|a|vale|now|ahora)|=)\s+(\d*\.\d+)(?![\w^%]|\.\w|\s%|/)" + _NO_MORE
)
"""A number that a value is said to be, or to change from or to."""
_SUM = re.compile(
    r"(?<![\w@])([A-Za-z]+(?:\([^()]*\))?@\d+)\s+(?:is|es|=)\s+\d[\d. +*/×·()÷−-]*=\s*(\d*\.?\d+)(?![\w/%]|\.\d)"
)
"""A measure and the sum that is said to be its value."""
_DOWN_TO = re.compile(r"(?:This|That|Es[tao]) (?:is|es) (?:the sum|la suma) (?:down to rank|hasta la posición) (\d+)")
"""A reason that says which sum a wrong answer is."""
OF_AMOUNT = re.compile(
    r"\b(?:differences?|changes?|gains?|increase|decrease|rise|drop|loss|advantage|lead|gap|distance|margin|deviation|error|variance|"
    r"range|diferencias?|cambios?|ganancias?|aumento|subida|bajada|caída|pérdida|ventaja|brecha|distancia|margen|desviación|error|"
    r"varianza)\b[^,;:]*$",
    re.I,
)
"""The beginning of what is said of a difference or a spread, not of a value."""
OF_IDEAL = re.compile(
    r"\b(?:ideal(?:es)?|perfect[oa]?|best\s+(?:possible\s+)?(?:order\w*|list|ranking|arrangement)|(?:orden|lista)\s+perfect[oa]|"
    r"mejor(?:es)?\s+(?:orden\w*|lista|ordenación)|maximum|largest\s+possible|highest\s+possible|máxim[oa])\b",
    re.I,
)
"""Words of a sentence, or of the one before, about the ideal order, whose values no list has."""
OF_SOME_QUERIES = re.compile(
    r"\b(?:averag\w+|means?|medias?|promedi\w+)\b[^.;:]*\b(?:queries|topics|consultas|temas)\s+\w*\d",
    re.I,
)
"""Words of a sentence about the mean over some of the queries."""
OF_LISTS = re.compile(
    r"\b(?:mean|average|media|promedio)\b.*\b(?:lists|rankings|systems|engines|listas|sistemas|buscadores)\b",
    re.I | re.S,
)
"""Words of a mean that is not over queries."""
OF_SEVERAL = re.compile(
    r"\b(?:(?P<sum>sum|total|suma)|mean|average|media|promedio)\s+(?:of|de)\s+(?:(?:all|(?P<both>both|amb[oa]s)|tod[oa]s)\s+)?"
    rf"(?:(?:the|its|their|las?|los|sus?)\s+)?(?:(?P<n>{A_COUNT[1:-1]})\s+)?(?:(?:single\s+)?(?:values?|scores?|valor(?:es)?)\s+(?:of|de)\s+)?"
    r"(?:(?:las?|los)\s+)?$",
    re.I,
)
"""What is before a measure of which several values are added up, or have a mean."""
_HALF = re.compile(r"\b(?:half|third|quarter|mitad|tercio|cuarto|raíz|root)\b(?:\s+(?:of|the|de|la|el)){0,2}\s*$", re.I)
"""What is before a sum of which there is a part."""
_HAS = re.compile(r"\b(?:have|has|tienen?)\s+(\d*\.\d+)(?![\w/%]|\.\w|\s%)")
"""A value that rankings or queries are said to have."""
MOST_LISTS = 200
"""Of a lesson with more lists than this the values rank by rank are not read."""


FEW_VALUES = 40
"""Of more values than these, two have any mean and any sum."""
LARGEST_DIVISOR = 12
"""By how many documents or queries a mistaken mean may divide a sum."""


_LEVEL = re.compile(
    r"\b(?:level\s+(?:of\s+|is\s+)?|nivel\s+(?:de\s+|es\s+)?|"
    r"(?:grade|grado)\s+(?=\d+\s+(?:or|o)\s+(?:higher|more|above|superior|mayor|más)\s+(?:as|como)\s+relevant))"
    r"(\d+)(?![\d.,]*\d|\s?%)",
    re.I,
)
"""A relevance level in a sentence."""
_AT_LEVEL = re.compile(
    r"(?:(?:^|(?<=[.?!;:]\s)|(?<=\n))\W*(?:with|at|for|con|a|al|en|para)\s+(?:(?:a|an|the|un|el)\s+)?(?:relevance\s+)?"
    r"(?:level|nivel|grade|grado)|\b(?:with|at|con)\s+(?:(?:a|the|un|el)\s+)?(?:relevance\s+)?(?:level|nivel)(?=\s+\d+\.(?:\s|$))|"
    r"\b(?:if|when|si|cuando)\s+(?:the\s+|el\s+)?(?:relevance\s+)?(?:level|nivel)\s+(?:is|es|were|was|fuera))"
    r"\s+(?:of\s+|de\s+)?\d+(?![^.;:]*\?)",
    re.I,
)
"""What says that the rest of a sentence is so with a level."""


def other_levels(sentence: str, contexts: Sequence[EvaluationContext]) -> list[int]:
    """Return the relevance levels that a sentence names and that are in force in no state."""
    named = dict.fromkeys(map(int, _LEVEL.findall(sentence)))
    return [level for level in named if all(level != context.options.level for context in contexts)] if named else []


def at_these_levels(text: str, contexts: Sequence[EvaluationContext]) -> str:
    """Return a text without its sentences about other relevance levels: what they say is so of no state."""
    if not other_levels(text, contexts):
        return text
    parts = re.split(r"((?<=[.?!])\s+|\n\n)", text)
    return "".join(each for each in parts if not other_levels(each, contexts))


def without_levels_in_front(text: str) -> str:
    """Return a text without the levels with which its sentences begin or end, "With level 2, AP is .5": another may be
    in force."""
    return _AT_LEVEL.sub("", text)


class Tables:
    """The values of the rankings of a lesson, of measures and of the lecture's table, in each state that it shows. Each
    is computed once."""

    def __init__(self, names: str, contexts: Sequence[EvaluationContext]) -> None:
        """``names`` says whose names measures have; ``contexts`` are the states, before and after steps."""
        self._names = names
        self.contexts = contexts
        self._columns: dict[tuple[str, ...], list[float]] = {}
        self._values: dict[tuple[str, str], list[float]] = {}

    @cached_property
    def in_view(self) -> list[float]:
        """The values and means of the measure in view, of all rankings in all states."""
        values: list[float] = []
        for context in self.contexts:
            for entry in context.collection.runs:
                values += map(float, context.values(entry, context.measure))
                values.append(float(context.mean(entry, context.measure)))
        return values

    def rank_by_rank(self, columns: Sequence[str]) -> list[float]:
        """Return the cells of some columns of the lecture's table, of all lists in all states."""
        if (key := tuple(columns)) not in self._columns:
            self._columns[key] = [*self._cells(key)]
        return self._columns[key]

    def _cells(self, columns: Sequence[str]) -> Iterator[float]:
        for context in self.contexts:
            if len(context.collection.runs) * context.n_queries > MOST_LISTS:
                continue
            for entry in context.collection.runs:
                for query in context.query_ids:
                    ranking = table_ranking(context, entry, query)
                    if ranking is None:
                        continue
                    for column in columns:
                        yield from (ranking.at(column, rank) for rank in range(1, ranking.n + 1))

    @cached_property
    def sums(self) -> list[float]:
        """The values of the measure in view, added up over all queries, of each ranking in each state."""
        return [float(np.nansum(context.values(entry, context.measure)))
                for context in self.contexts for entry in context.collection.runs]  # fmt: skip

    @cached_property
    def at_the_end(self) -> list[float]:
        """The sums at the end of each list in each state: of precisions, and of gains with and without a discount."""
        ends: list[float] = []
        for context in self.contexts:
            few = len(context.collection.runs) * context.n_queries <= MOST_LISTS
            for entry, query in product(context.collection.runs if few else (), context.query_ids):
                ranking = table_ranking(context, entry, query)
                if ranking is not None and ranking.n:
                    ends += [float(column[-1]) for column in (ranking.precision_sum, ranking.cumulated, ranking.dcg)]
        return ends

    @cached_property
    def ideal(self) -> list[float]:
        """The DCG of the ideal orders, down to each rank and of all judged documents."""
        values: list[float] = []
        for context in self.contexts:
            few = len(context.collection.runs) * context.n_queries <= MOST_LISTS
            for entry, query in product(context.collection.runs if few else (), context.query_ids):
                ranking = table_ranking(context, entry, query)
                if ranking is not None:
                    grades = np.sort(ranking.judged)[::-1]
                    gains = ranking.rule.gain(grades) * ranking.rule.share(np.arange(1, len(grades) + 1))
                    values += [*map(float, ranking.ideal), *map(float, np.cumsum(gains))]
        return values

    def of(self, measure: str, named: str = "") -> list[float]:
        """Return the values of a measure, of one ranking or query or, where none is named, of all, and the means.
        Raises MeasureError."""
        if (measure, named) not in self._values:
            self._values[measure, named] = [each for each in self._computed(measure, named) if not math.isnan(each)]
        return self._values[measure, named]

    def at_levels(self, measure: str, named: str, levels: Sequence[int]) -> list[float]:
        """Return the values of a measure at other relevance levels; [] for one of gains, or with parameters.
        Raises MeasureError."""
        name, at, cutoff = measure.partition("@")
        if "CG" in name or not name.isalpha():
            return []
        return [value for level in levels for value in self.of(f"{name}(rel={level}){at}{cutoff}", named)]

    def of_several(self, measure: str, named: str, n: int, *, is_sum: bool) -> list[float]:
        """Return the sums, or means, of the values of a measure: over all queries of each ranking, over all rankings of
        each query and of the means, and of any two; only of ``n`` values, 0 for any. Raises MeasureError."""
        groups: list[Sequence[float]] = [[*pair] for pair in combinations(self._few(measure, named), 2)]
        for context in self.contexts:
            names = [ranking_name(entry) for entry in context.collection.runs]
            whole = [
                [value_of(Figure(measure, "", 0, 0, "", query), context, entry) for entry in context.collection.runs]
                for query in context.query_ids
            ]
            groups += [own for name, *own in zip(names, *whole, strict=True) if named in ("", name)]
            if not named and names:
                groups += [*whole, list(np.mean(whole, axis=0))]
        known = [
            np.array(group) for group in groups if len(group) == (n or len(group)) > 0 and not np.isnan(group).any()
        ]
        return [float(np.sum(group) if is_sum else np.mean(group)) for group in known]

    def _few(self, measure: str, named: str) -> list[float]:
        """Return the values of a measure, each once; [] for many."""
        known = [*dict.fromkeys(self.of(measure, named))]
        return known if len(known) <= FEW_VALUES else []

    def _computed(self, measure: str, named: str) -> Iterator[float]:
        for name, context in product(self._meant(measure), self.contexts):
            queries = [query for query in context.query_ids if named in ("", f"query {query}", f"consulta {query}")]
            for entry in context.collection.runs:
                if queries or named in (ranking_name(entry), entry.name):
                    of_queries = queries or list(context.query_ids)
                    of_queries += [] if named.startswith(("query ", "consulta ")) else [""]
                    yield from (value_of(Figure(name, "", 0, 0, "", query), context, entry) for query in of_queries)

    @cached_property
    def subjects(self) -> dict[str, str]:
        """Rankings and queries, as a text may begin a sentence with them -> as :meth:`of` knows them."""
        names = [ranking_name(entry) for context in self.contexts for entry in context.collection.runs]
        of_queries = [f"{word} {query}" for context in self.contexts for query in context.query_ids
                      for word in ("query", "consulta")]  # fmt: skip
        known = {*names, *of_queries}
        return {each.casefold(): each for each in known if sum(each.casefold() == o.casefold() for o in known) == 1}

    def _meant(self, measure: str) -> list[str]:
        """Return the measures that a name can mean: without a cutoff and parameters also those in view of that name."""
        parsed = parse_measure(measure, self._names)
        in_view = [context.measure for context in self.contexts if context.measure.name == parsed.name]
        is_bare = parsed.cutoff is None and not parsed.given
        return list(dict.fromkeys([measure, *(each.text for each in in_view if is_bare)]))


class KeptTables:
    """The tables of states, kept for lessons that differ in a sentence."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Tables] = {}

    def of(self, lesson: Lesson, contexts: Sequence[EvaluationContext]) -> Tables:
        """Return those of some states of a lesson."""
        names = DIALECTS[lesson.rules].names
        return self._known.setdefault((names, *contexts), Tables(names, contexts))


@dataclass(frozen=True)
class Values:
    """The values of a lesson, in each state that it shows.

    tables    those of its rankings
    answers   the right answers that are numbers; ``figures`` what is printed and computed
    written   the results of what the texts compute; ``wrong`` the wrong answers that are expected
    """

    tables: Tables
    answers: tuple[float, ...]
    figures: tuple[float, ...]
    written: tuple[float, ...]
    wrong: tuple[float, ...]

    @cached_property
    def likely(self) -> Floats:
        """Those in view, answers and figures."""
        return np.array([*self.answers, *self.figures, *self.tables.in_view])

    @cached_property
    def stated(self) -> Floats:
        """These, and results of what the texts compute."""
        return np.array([*self.likely, *self.written])

    @cached_property
    def computed(self) -> Floats:
        """These, and all cells of the table."""
        return np.array([*self.stated, *self.tables.rank_by_rank([column.id for column in COLUMNS])])

    @cached_property
    def known(self) -> Floats:
        """These, and the wrong answers that are expected."""
        return np.array([*self.computed, *self.wrong])


def values_of(lesson: Lesson, tables: Tables, answers: Sequence[float]) -> Values:
    """Return the values of a lesson; ``answers`` are the right answers that are numbers."""
    figures = (figure.value for part in (lesson, *lesson.items) for figure in part.figures)
    written = (number for text, _ in _texts_with_places(lesson) for number in _results(text))
    wrong = (value for item in lesson.items if isinstance(item, Question)
             for each in item.wrong if (value := number_in(each.answer)) is not None)  # fmt: skip
    return Values(tables, tuple(answers), tuple(figures), tuple(written), tuple(wrong))


def false_values(lesson: Lesson, values: Values) -> Iterator[tuple[str, str, str, Place]]:
    """Yield (reason, text, hint, place) for each value that a text states and that is none."""
    texts = [(" ".join(sentences_here(prose_of(text))), at) for text, at in _texts_with_places(lesson)]
    times = Counter(number for text, _ in texts for number in _NUMBER.findall(text))
    wrong = [
        (each.answer, each.reason, each.at)
        for item in lesson.items
        if isinstance(item, Question)
        for each in item.wrong
        if _NUMBER.fullmatch(each.answer) and not is_value(each.answer, _otherwise_divided(item, each))
    ]
    misprints = [(each, at) for text, at in texts for each in _exchanged_here(text, values.known, values)]
    misprints += [
        (each, at) for text, reason, at in wrong for each in _exchanged_here(text, values.computed, values, reason)
    ]
    misprints = [(each, at) for each, at in misprints if times[each[0]] <= 1]  # what is there twice is given
    misprints += [(each, at) for text, at in texts for each in _of_a_measure(text, values)]
    for (number, meant), at in dict.fromkeys(misprints):
        yield (tr("no value here is {number}, and one is {meant}", number=number, meant=meant), number,
               tr("correct the number, or put it between ` and ` where it is another one"), at)  # fmt: skip
    yield from _said_of_measures(lesson, values)
    for item in lesson.items:
        if isinstance(item, Question):
            yield from _false_answers(item, values)
            yield from _given_and_unused(item, lesson.text)
        elif item.actions:
            yield from _false_effects(lesson, item, values)
            yield from _shown_by_measure(item, values)


def _texts_with_places(lesson: Lesson) -> Iterator[tuple[str, Place]]:
    """Yield the texts of a lesson with the places where they begin or belong."""
    yield lesson.text, Place()
    for item in lesson.items:
        yield item.title, item.at
        yield item.text, item.at
        if isinstance(item, Question):
            for text in (item.because, item.hint, *(each.reason for each in item.choices)):
                yield text, item.at
            yield from ((each.text, item.at) for each in item.choices)
            yield from ((each.reason, each.at) for each in item.wrong)


def _results(text: str) -> Iterator[float]:
    """Yield the results of what a text computes, which is checked apart, and its fractions."""
    for match in re.finditer(r"[\d)]\s*=\s*[-−]?(\d*\.?\d+)", text):
        yield float(match[1])
    for above, below in re.findall(r"(?<![\w.])(\d+)/([1-9]\d*)(?![\w.])", text):
        yield int(above) / int(below)


_DIVIDED = re.compile(r"(\([^()]*\)|(?<![\w./])[\d.]+)\s*[/÷]\s*\d+")
"""A sum, or a number, and what it is divided by."""
_DIVIDES = re.compile(r"\b(?:divid\w+|mean|average|media|promedi\w+)\b", re.I)


def _otherwise_divided(question: Question, wrong: WrongAnswer) -> Floats:
    """Return what the sums that a reason divides are if another count divides them; where the reason of a wrong answer
    says that it divides, also of the numbers that the question has."""
    sums = [value_of_arithmetic(each) for each in _DIVIDED.findall(question.because)]
    if _DIVIDES.search(wrong.reason):
        sums += map(float, _NUMBER.findall(f"{question.title} {question.text} {question.because}"))
    return np.array([each / n for each in sums if each is not None for n in range(1, LARGEST_DIVISOR + 1)])


EXPLAINS = re.compile(
    r"\b(?:differences?|differs?|gaps?|leads?|advantages?|apart|subtract\w*|sums?|adds?|added|adding|totals?|divid\w+|undivided|means?|averages?|ratio|quotient|multipl\w+|product|"
    r"diferencias?|difieren?|ventajas?|resta\w*|sumas?|sumar?|sumad\w+|total(?:es)?|medias?|promedi\w+|cociente|razón|producto)\b",
    re.I,
)
"""Words of a text that tells how two values at hand give a number."""


def as_explained(reason: str, values: Values) -> Iterator[float]:
    """Yield what two values at hand give, of lists and of all queries, if a reason says how: their differences, sums
    and means, also before they are divided."""
    if not reason:
        return
    tables = values.tables
    for own in (tables.sums, tables.at_the_end, np.unique([*values.likely])):
        few = np.unique(np.asarray(own, dtype=float).round(9))[:FEW_VALUES]
        few = few[np.isfinite(few)]
        for pairs in (np.subtract.outer(few, few), np.add.outer(few, few)):
            yield from np.abs(pairs).ravel()


def _exchanged_here(text: str, known: Floats, values: Values, around: str = "") -> Iterator[tuple[str, str]]:
    """Yield the same without numbers that two values at hand, or two of the sentence, give as it says; ``around`` is
    what else tells how, of a wrong answer its reason."""
    for number, meant in _exchanged(text, known, values.likely):
        said = around or next(each for each in re.split(r"(?<=[.?!])\s+", text) if number in each)
        others = sorted(_numbers(said) - {float(number)})[:FEW_VALUES]
        near = [abs(first - second) for first, second in product(others, others)]
        near += [*as_explained(said, values)] if EXPLAINS.search(said) else []
        if not is_value(number, np.array(near)):
            yield number, meant


def _exchanged(text: str, known: Floats, likely: Floats) -> Iterator[tuple[str, str]]:
    """Yield the numbers of a text that nothing has, with the value that differs by two neighbouring digits alone."""
    for match in _NUMBER.finditer(text):
        if not is_value(match[0], known) and (meant := _by_exchange(match[0], likely)) and "0" not in meant[1:]:
            yield match[0], meant


def _of_a_measure(text: str, values: Values) -> Iterator[tuple[str, str]]:
    """Yield the same of numbers that are said to be values of a measure: "DCG@10 is 11.71"."""
    for match in (each for each in _SAID.finditer(text) if not OF_SEVERAL.search(text[: each.start()])):
        measure, _, number, _, _ = match.groups()
        try:
            own = np.array(values.tables.of(measure))
        except MeasureError:
            continue
        if not number:
            continue
        if not is_value(number, own) and (meant := _by_exchange(number, own)):
            yield number, meant


def _said_of_measures(lesson: Lesson, values: Values) -> Iterator[tuple[str, str, str, Place]]:
    """Yield each value that a text says a measure has and that no ranking has of it, or not the one that it names; the
    title of a question, or that before a step, may suppose one."""
    former = ""
    for part in (lesson, *lesson.items):
        at = Place() if isinstance(part, Lesson) else part.at
        texts = [(part.text, at)]
        if isinstance(part, Question):
            texts += [(part.because, at), *((each.reason, at) for each in part.choices)]
            texts += [(each.reason, each.at) for each in part.wrong]
        own_title = "" if isinstance(part, Lesson) else part.title
        given = _numbers(f"{own_title} {former}")
        former = own_title
        for text, place in texts:
            for measure, number in _said(text, values, is_reason=isinstance(part, Question)):
                share = float(number.rstrip("% ")) / (100 if number.endswith("%") else 1)
                if not {share, float(number.rstrip("% "))} & given:
                    hint = tr("correct the number, or put it between ` and ` where it is another one")
                    yield (
                        tr("no value of {measure} here is {number}", measure=measure, number=number),
                        number,
                        hint,
                        place,
                    )


def _said(text: str, values: Values, *, is_reason: bool) -> Iterator[tuple[str, str]]:
    """Yield (measure, number) of what a text says a measure is, if no ranking that it means has that value."""
    prose, names = prose_of(text), values.tables.subjects
    former, around = "", ""
    for sentence in sentences_here(prose):
        former, around = sentence, f"{former} {sentence}"
        if SUPPOSING.search(sentence if is_reason else without_then(sentence, prose)):
            continue
        for form in (_SAID, _SUM, _POSSESSED):
            for match in (each for each in form.finditer(sentence) if not _is_of_amount(each)):
                measure, *rest = match.groups()
                of, number, percent, of_later = rest if form is _SAID else (None, rest[0], None, None)
                if of is not None and of.casefold() not in names:
                    continue
                named = names.get((of or of_later or "").casefold(), "")
                try:
                    levels = other_levels(sentence, values.tables.contexts)
                    of_levels = values.tables.at_levels(measure, named, levels)
                    own = np.array(of_levels if levels else values.tables.of(measure, named))
                    several = OF_SEVERAL.search(sentence[: match.start()])
                    if several is not None and _HALF.search(sentence[: several.start()]):
                        continue
                    if several is not None:
                        is_sum = several["sum"] is not None
                        n = count_of(several["n"]) if several["n"] else 2 if several["both"] else 0
                        known = values.tables.of_several(measure, named, n, is_sum=is_sum) if not levels else []
                        own = np.array(known if is_sum or n or levels else [*own, *known])
                except MeasureError:
                    continue
                said = number or percent or ""
                if OF_IDEAL.search(around):
                    if not measure.startswith("DCG"):
                        continue  # of an order that no list has
                    own = np.append(own, values.tables.ideal)
                if own.size and not _is_said(said, own):
                    yield (tr("{measure} of {run}", measure=measure, run=named) if named else measure), said


def _is_said(number: str, values: Floats) -> bool:
    """Return whether a number, or a share in per cent, is one of some values, rounded to its digits."""
    return is_value(number.rstrip("% "), 100 * values if number.endswith("%") else values)


def _is_of_amount(match: re.Match[str]) -> bool:
    """Return whether a number is said of a difference, or of a mean over lists, and not of a value."""
    if OF_LISTS.search(match.string) or OF_SOME_QUERIES.search(match.string):
        return True
    return OF_AMOUNT.search(match.string[: match.start()]) is not None and not re.match("from|to|de|a", match[0])


_COMPUTED = re.compile(r"[\d. ()+*×·÷/−^-]+=?")
"""Numbers and signs alone; before an equals sign, the left side of an equation."""
_SIGNS = "+*×·÷/−^-"


def _sides(text: str) -> Iterator[str]:
    """Yield the left sides of the equations of numbers in a text that compute something."""
    for numbers in _COMPUTED.findall(text):
        side = numbers.lstrip(f" ){_SIGNS}")
        if side.endswith("=") and any(sign in side for sign in _SIGNS):
            yield side[:-1]


def _given_and_unused(question: Question, text: str) -> Iterator[tuple[str, str, str, Place]]:
    """Yield the numbers that a question gives and that nothing of it has again, if its reason computes with others in
    their place; what the text of the lesson says is no slip."""
    reasons = [question.because, *(each.reason for each in question.choices if each.right)]
    given = _numbers(f"{question.title} {question.text}")
    given |= {round(sign * second + first, 9) for first in given for second in given for sign in (1, -1)}
    sides = (side for text in reasons for side in _sides(prose_of(text)))
    others = {number for side in sides for number in _NUMBER.findall(side) if float(number) not in given}
    if not others:
        return
    texts = [*reasons, question.text, question.answer, question.hint, text]
    texts += [f"{each.answer} {each.reason}" for each in question.wrong]
    texts += [f"{each.text} {each.reason}" for each in question.choices]
    used = _numbers(" ".join(texts))
    shares = np.array([float(number) / n for number in others for n in range(2, LARGEST_DIVISOR + 1)])
    for number in _NUMBER.findall(prose_of(question.title)):
        if float(number) not in used and not is_value(number, shares):  # a sum that is divided by another count
            yield (tr("the question gives {number}, and its reason computes with {other}", number=number,
                      other=", ".join(sorted(others))),
                   number, tr("correct the question or the reason"), question.at)  # fmt: skip


def _numbers(text: str) -> set[float]:
    return {float(number) for number in re.findall(r"\d*\.\d+|\d+", text)}


def _by_exchange(number: str, values: Floats) -> str:
    """Return the value that has two neighbouring digits of a number exchanged; "" for none."""
    for place in range(len(number) - 1):
        first, second = number[place], number[place + 1]
        other = number[:place] + second + first + number[place + 2 :]
        if "." not in (first, second) and first != second and is_value(other, values):
            return other
    return ""


def _false_effects(lesson: Lesson, step: Step, values: Values) -> Iterator[tuple[str, str, str, Place]]:
    """Yield the numbers that a step's text says of one measure in a sentence, and that nothing has."""
    clauses = (clause for each in sentences_here(prose_of(step.text)) for clause in re.split(r"(?<=;)\s+", each))
    for clause in clauses:
        measure = measure_in(clause, DIALECTS[lesson.rules].names)
        values_said = [each[1] for each in _TOLD.finditer(clause) if not _is_of_amount(each)] if measure else []
        for number in values_said:
            if not is_value(number, values.known):
                hint = tr("correct the number, or put it between ` and ` where it is another one")
                yield tr("no value here is {number}", number=number), number, hint, step.at


def _shown_by_measure(step: Step, values: Values) -> Iterator[tuple[str, str, str, Place]]:
    """Yield the numbers that a step which shows a measure says rankings have, and that are no values of it."""
    shown = [action.text for action in step.actions if action.verb == "measure"]
    if len(shown) != 1 or len(step.actions) != 1:
        return
    own = np.array(values.tables.of(shown[0]))
    for number in _HAS.findall(prose_of(step.text)):
        if own.size and not is_value(number, own):
            hint = tr("correct the number, or put it between ` and ` where it is another one")
            yield tr("no value of {measure} here is {number}", measure=shown[0], number=number), number, hint, step.at


def _measure_meant(reason: str, values: Values) -> tuple[str, str]:
    """Return the measure that a reason says an answer is, in its sign or in words, and of which ranking; or ""."""
    named, words = _NAMED.match(reason), _IN_WORDS.match(reason)
    if named is not None:
        of = values.tables.subjects.get((named[2] or "").casefold(), "")
        return ("", "") if named[2] and not of else (named[1], of)
    return (f"{_OF_WORD[words[1]]}@{words[2]}" if words else ""), ""


def _false_answers(question: Question, values: Values) -> Iterator[tuple[str, str, str, Place]]:
    within = CLOSE if question.within is None else question.within
    claims = []
    match = _ASKED.fullmatch(question.title)
    if match is not None and question.asked is None and question.spellings:
        hint = tr("correct answer:, or write ask: in its place")
        claims.append((match[1], match[2] or "", question.spellings[0], hint, question.at))
    hint = tr("correct the answer or its reason")
    said = ((wrong, *_measure_meant(wrong.reason, values)) for wrong in question.wrong)
    claims += [(meant, of, wrong.answer, hint, wrong.at) for wrong, meant, of in said if meant]
    for choice in (each for each in question.choices if not each.right):
        text, (meant, of) = choice.text.strip().rstrip("."), _measure_meant(choice.reason, values)
        claims += [(meant, of, text, hint, question.at)] if meant and number_in(text) is not None else []
    column = question.asked.column.removesuffix("@K") if question.asked is not None else ""
    sums = ((wrong, _DOWN_TO.match(wrong.reason)) for wrong in question.wrong if column in ("CG", "DCG"))
    claims += [(f"{column}@{match[1]}", "", wrong.answer, hint, wrong.at) for wrong, match in sums if match]
    for measure, named, answer, hint, at in claims:
        number, (_, _, decimals) = number_in(answer), answer.rpartition(".")
        near = max(within, 0.5 * 10.0 ** -len(decimals) if "." in answer and decimals.isdigit() else 0.0)
        try:
            known = values.tables.of(measure, named)
        except MeasureError:
            continue
        if number is not None and known and not any(abs(value - number) <= near + 1e-12 for value in known):
            reason = tr("{measure} is {value:.4f} here, not {text}",
                        measure=measure, value=HalfUp(known[0]), text=answer)  # fmt: skip
            yield reason, answer, hint, at
