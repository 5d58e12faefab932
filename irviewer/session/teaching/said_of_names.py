"""What the texts of a lesson say of rankings by name, of one query or of all: "north has the higher MAP, .54 against
.48", "on query 4 AP of south is .5", "wins on 1, 3 and 5, loses on 2 and 4", "the first relevant document of south".

Texts are not understood. A sentence of such a form, in English or Spanish, is false only where no state of its part is
as it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.lessons.lesson import Lesson
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import plain
from irviewer.session.teaching.answers_of_one_order import measures_said
from irviewer.session.teaching.number_words import AN_ORDER, ORDER_OF
from irviewer.session.teaching.said_changes import VALUE, is_said
from irviewer.session.teaching.sentences import claims_here
from irviewer.session.teaching.stated_facts import Rankings, either_case, means_of, values_stated
from irviewer.translation import tr

Said = tuple[str, str]
"""What a text says, and what is so."""
_MEASURE = r"(?P<measure>[A-Z][A-Za-z]*(?:\([^()]*\))?(?:@\d+)?)(?![\w@])"
_ON_QUERY = r"(?:[Oo]n|[Ff]or|[Ee]n|[Pp]ara)\s+(?:la\s+)?(?:query|consulta)\s+(?P<query>\w+),?\s+"
_OTHER_CASE = re.compile(
    r"\b(?:query|queries|consultas?|rank|ranks|posición|posiciones|there|here|that|allí|ahí|aquí|before|after|was|had|antes|"
    r"tras|después|era)\b",
    re.I,
)
"""Words before a comparison that is not about the means as they are."""
_LIST = r"\d+(?:,\s+\d+)*(?:,?\s+(?:and|y)\s+\d+)?"
_WINS = re.compile(
    rf"\b(?:wins|gana)\s+(?:on|en)\s+(?:(?:las?\s+)?\w+\s+(?:queries|consultas),\s+)?(?P<word>(?:las\s+)?(?:queries|consultas)\s+)?"
    rf"(?P<won>{_LIST}),?\s+(?:(?:and|y)\s+)?(?:loses|pierde)\s+(?:on|en)\s+(?:(?:las?\s+)?(?:query|queries|consultas?)\s+)?"
    rf"(?P<lost>{_LIST})(?=\s*(?:[.,;:)]|$))",
    re.I,
)


def false_of_names(lesson: Lesson, text: str, states: Sequence[EvaluationContext], query: str = "") -> Iterator[Said]:
    """Yield what a text says of rankings by name and what is so in no state; ``query`` is the one that the text is
    about, "" for all."""
    runs = list(dict.fromkeys(each.name for state in states for each in state.collection.runs if each.edited is None))
    names = "|".join(either_case(run) for run in sorted(runs, key=len, reverse=True))
    if not names or len(runs) > _MOST_RUNS:
        return
    seen, rules = Rankings(states), DIALECTS[lesson.rules].names
    for sentence in claims_here(text):
        yield from _higher(lesson, sentence, states, names, seen)
        yield from _values_on_query(lesson, sentence, states, names, seen)
        named = {parse_measure(each, rules) for each in measures_said(sentence, rules)}
        if named <= {state.measure for state in states}:
            yield from _lists_of_queries(sentence, states)
        yield from _ranks_of_relevant(sentence, names, seen, query)
        yield from _finds_nothing(sentence, names, seen)


_MOST_RUNS = 30


def _higher(
    lesson: Lesson, sentence: str, states: Sequence[EvaluationContext], names: str, seen: Rankings
) -> Iterator[Said]:
    """Yield that one of two rankings has the higher mean, with both values, where it is not so."""
    form = re.compile(
        rf"(?<![\w@])(?P<run>{names})\s+(?:has|tiene)\s+(?:the\s+|el\s+|la\s+)?(?P<low>lower\s+|smaller\s+)?(?:(?:higher|better|larger)\s+)?"
        rf"(?P<spanish>(?:mayor|mejor|menor)\s+)?{_MEASURE}(?P<after>\s+(?:más\s+(?:alt|baj)[oa]|mayor|menor))?"
        r"(?:,\s+(?P<first>\d*\.\d+)\s+(?:against|versus|to|and|frente\s+a|contra|y)\s+(?P<second>\d*\.\d+)(?![\w%]|\.\d|\s%))?"
    )
    for match in form.finditer(sentence):
        words = " ".join(match[0].split())
        is_low = re.search(r"\b(?:lower|smaller|menor|baj[oa])\b", words) is not None
        is_high = re.search(r"\b(?:higher|better|larger|mayor|mejor|alt[oa])\b", words) is not None
        follows = re.match(r"(?!,?\s+(?:but|and|although|pero|y|aunque)\b),?[^,.;:]*", sentence[match.end() :])
        around = sentence[: match.start()] + " | " + (follows[0] if follows else "")
        if is_low == is_high or _OTHER_CASE.search(around):
            continue
        means = [own for state in states if len(own := means_of(match["measure"], state, lesson)) == 2]
        own_name = seen.called(match["run"])
        holds = [_is_ahead(match, own_name, each, is_low) for each in means if own_name in each]
        if holds and not any(holds):
            yield words, values_stated(match["measure"], means[-1])


def _is_ahead(match: re.Match[str], run: str, means: dict[str, float], is_low: bool) -> bool:
    """Return whether a mean of two is higher, or lower, and both are as they are said."""
    own, other = means[run], next(value for name, value in means.items() if name != run)
    if (own < other - 1e-9) if not is_low else (own > other + 1e-9):
        return False
    return match["first"] is None or (is_said(match["first"], [own]) and is_said(match["second"], [other]))


def _values_on_query(
    lesson: Lesson, sentence: str, states: Sequence[EvaluationContext], names: str, seen: Rankings
) -> Iterator[Said]:
    form = re.compile(rf"\b{_ON_QUERY}{_MEASURE}\s+(?:of|de)\s+(?P<run>{names})\s+(?:is|es)\s+(?P<value>{VALUE})")
    for match in form.finditer(sentence):
        known = [state for state in states if match["query"] in state.query_ids]
        run = seen.called(match["run"])
        own = [means_of(match["measure"], state, lesson, match["query"]).get(run) for state in known]
        values = [each for each in own if each is not None]
        if values and not is_said(match["value"], values):
            yield " ".join(match[0].split()), values_stated(match["measure"], {run: values[-1]})


def _lists_of_queries(sentence: str, states: Sequence[EvaluationContext]) -> Iterator[Said]:
    """Yield on which queries a ranking is said to win, and to lose, where none does so by the measure in view."""
    for match in _WINS.finditer(sentence) if states else ():
        won, lost = ({*re.findall(r"\d+", match[group])} for group in ("won", "lost"))
        if len(won | lost) < 3 and not match["word"]:
            continue  # these may be counts
        meant = []
        for state in (each for each in states if won | lost <= {*each.query_ids}):
            for first, second in permutations(state.collection.runs, 2):
                values = (plain(state).values(each, state.measure) for each in (first, second))
                difference = np.subtract(*values)
                meant.append(
                    tuple(
                        {query for query, each in zip(state.query_ids, sign * difference, strict=True) if each > 1e-9}
                        for sign in (1, -1)
                    )
                )
        if meant and (won, lost) not in meant:
            both = (" + ".join(", ".join(sorted(each, key=len)) or "–" for each in pair) for pair in meant[:2])
            yield " ".join(match[0].split()), "; ".join(both)


def _ranks_of_relevant(sentence: str, names: str, seen: Rankings, query: str) -> Iterator[Said]:
    """Yield at which rank a ranking is said to have a relevant document, where it has it at another one."""
    nth = re.compile(
        rf"(?:\b{_ON_QUERY})?(?:[Tt]he|[Ee]l)\s+{AN_ORDER}\s+(?:relevant\s+document|documento\s+relevante)\s+(?:of|de)\s+(?P<run>{names})\s+"
        r"(?:is|está)\s+(?:at\s+rank|en\s+la\s+posición)\s+(?P<rank>\d+)"
    )
    for match in nth.finditer(sentence):
        place, wanted = ORDER_OF[match[2].lower()], match["query"] or query
        own = _nth_ranks(seen, seen.called(match["run"]), wanted, place)
        if own and int(match["rank"]) not in own.values():
            yield " ".join(match[0].split()), ", ".join(tr("rank {rank}", rank=rank) for rank in {*own.values()})
    two = re.compile(
        rf"(?<![\w@])(?P<run>{names})\s+(?:has|tiene)\s+(?:its|su)\s+(?:(?:first|relevant|primer)\s+)*(?:document|documento)(?:\s+relevante)?\s+"
        rf"(?:at\s+rank|en\s+la\s+posición)\s+(?P<rank>\d+),\s+(?:(?:and|y)\s+)?(?P<other>{names})\s+"
        r"(?:at\s+rank|en\s+la\s+posición)\s+(?P<its>\d+)"
    )
    for match in two.finditer(sentence):
        first = _nth_ranks(seen, seen.called(match["run"]), query, 1)
        second = _nth_ranks(seen, seen.called(match["other"]), query, 1)
        both = {(first[each], second[each]) for each in first if each in second}
        if both and (int(match["rank"]), int(match["its"])) not in both:
            yield " ".join(match[0].split()), "; ".join(f"{rank}, {its}" for rank, its in sorted(both))


def _nth_ranks(seen: Rankings, run: str, query: str, nth: int) -> dict[tuple[int, str], int]:
    """Return (state, query) -> the rank of the nth relevant document of a ranking."""
    return {
        (place, its): int(np.flatnonzero(each.is_relevant)[nth - 1]) + 1
        for place, state in enumerate(seen.contexts)
        for name, its, each in Rankings([state]).by_query
        if name == run and query in ("", its) and each.hits[-1] >= nth
    }


def _finds_nothing(sentence: str, names: str, seen: Rankings) -> Iterator[Said]:
    form = re.compile(
        rf"\b{_ON_QUERY}(?P<run>{names})\s+(?:finds|encuentra|no\s+encuentra)\s+(?:nothing|nada|no\s+relevant\s+document|"
        r"(?:ningún\s+)?documentos?\s+relevantes?)(?=\s*(?:[.,;:]|$)|\s+(?:and|y)\b)"
    )
    for match in form.finditer(sentence):
        run = seen.called(match["run"])
        own = {int(each.hits[-1]) for name, its, each in seen.by_query if name == run and its == match["query"]}
        if own and 0 not in own:
            yield " ".join(match[0].split()), ", ".join(map(str, sorted(own)))
