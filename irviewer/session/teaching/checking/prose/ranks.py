"""What the texts of a lesson say of what is at ranks: discounts, lists of ranks, precisions before and after an
exchange; of grades that were missed, and of what another relevance level does.

Texts are not understood. A sentence of such a form, in English or Spanish, is false only where no ranking in view,
before or after a step, is as it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import product

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.parser import parse_measure
from irviewer.model.arrays import Floats
from irviewer.model.lessons.lesson import Lesson
from irviewer.session.evaluation.zscores import plain
from irviewer.session.teaching.checking.lesson_rankings import Rankings
from irviewer.session.teaching.checking.prose.sentence_forms import compiled, false_forms
from irviewer.session.teaching.checking.prose.shares import NEAR_IN_WORDS
from irviewer.session.teaching.checking.wording.named_measures import measures_down_the_list
from irviewer.session.teaching.checking.wording.number_words import (
    A_COUNT,
    A_SHARE,
    AN_ORDER,
    ORDER_OF,
    count_of,
    numbers_in,
    share_of,
)
from irviewer.session.teaching.checking.wording.sentences import SUPPOSING, claims_here, prose_of, sentences_here
from irviewer.session.view_models.lecture_table import table_ranking
from irviewer.translation import tr

_RANKS = r"\d+(?:,\s+\d+)*,?\s+(?:and|y)\s+\d+"
_OTHER_RULE = re.compile(r"\b(?:other|another|trec_eval|if|elsewhere|otr[oa]s?|si)\b", re.I)
"""Words of a sentence about another discount than that of the lesson."""
_SHARE = r"(\d+)/([1-9]\d*)(?![\w/]|\.\d)"


def _marked(match: re.Match[str], seen: Rankings) -> bool:
    """Whether a list has its relevant documents, the others, or those judged or not, at the ranks that are listed."""
    ranks = numbers_in(match["ranks"])
    lists = [each for each in seen.lists if each.n >= max(ranks)]
    marks = [mark for each in lists for mark in (each.is_relevant > 0, np.isnan(each.grades))]
    kinds = [np.flatnonzero(mark == wanted) + 1 for mark in marks for wanted in (True, False)]
    return not lists or any(ranks == list(map(int, kind)) for kind in kinds)


def _is_discounted(match: re.Match[str], seen: Rankings) -> bool:
    """Whether ranks are discounted as is said; whether rank 2 is depends on the rule."""
    ranks, is_not = numbers_in(match["ranks"]), match["not"] is not None
    return not any((rank == 1 and not is_not) or (rank > 2 and is_not) for rank in ranks)


def _is_halved(match: re.Match[str], seen: Rankings) -> bool:
    rules = {each.rule for each in seen.lists}
    share = [float(rule.share(np.array([int(match["rank"])]))[0]) for rule in rules]
    return not share or _OTHER_RULE.search(match.string) is not None or any(abs(each - 0.5) < 1e-9 for each in share)


def _counts(match: re.Match[str], seen: Rankings) -> bool:
    """Whether the discount at the rank of the nth document is the share that is said."""
    rank, wanted = ORDER_OF[match[1].lower()], share_of(match["share"])
    shares = [float(rule.share(np.array([rank]))[0]) for rule in {each.rule for each in seen.lists}]
    is_other = _OTHER_RULE.search(match.string) is not None
    return not shares or is_other or any(abs(each - wanted) < NEAR_IN_WORDS for each in shares)


def _none_among(match: re.Match[str], seen: Rankings) -> bool:
    """Whether no ranking finds a relevant document of a query in the first ranks."""
    first = count_of(match["first"])
    own = [each for _, its, each in seen.by_query if its == match["query"] and each.n >= first]
    return not own or all(each.hits[first - 1] == 0 for each in own)


def _exchanged(match: re.Match[str], seen: Rankings) -> bool:
    """Whether the first of two precisions at neighbouring ranks is that of a relevant document."""
    above, first, other_above, second = (int(match[group]) for group in range(1, 5))
    if {first, second} != {int(match[5]), int(match[6])} or abs(first - second) != 1 or above != other_above:
        return True
    lists = [each for each in seen.lists if each.n >= max(first, second)]
    return not lists or any(each.is_relevant[first - 1] and each.hits[first - 1] == above for each in lists)


def _divides_by_relevant(match: re.Match[str], seen: Rankings) -> bool:
    is_former = re.search(r"\b(?:was|were|before|not|no|instead|still|era|antes|aún)\b", match.string, re.I)
    lists = seen.lists if is_former else seen.counted  # of a step those that it leads to
    return not lists or any(each.relevant == count_of(match[1]) for each in lists)


def _both_at_rank(match: re.Match[str], seen: Rankings) -> bool:
    """Whether precision or recall at a rank is a share."""
    rank, share = int(match["rank"]), int(match[3]) / int(match[4])
    is_recall = match["what"].lower()[0] in "re"
    lists = [each.recall if is_recall else each.precision for each in seen.lists if each.n >= rank > 0]
    return not lists or any(abs(each[rank - 1] - share) < 1e-9 for each in lists)


def _missed_of_grades(match: re.Match[str], seen: Rankings) -> bool:
    """Whether some list lacks as many documents of one grade, and of another one, as a text says."""
    wanted = {int(match["grade"]): count_of(match["n"])}
    if match["other"]:
        wanted[int(match["other"])] = 1 if match["m"] in ("a", "an", "un") else count_of(match["m"])
    return not seen.lists or any(
        all(int(np.sum(each.judged == grade)) - int(np.sum(each.grades == grade)) == n for grade, n in wanted.items())
        for each in seen.lists
    )


def _at_levels(match: re.Match[str], seen: Rankings) -> bool:
    """Whether precision or recall of a whole list goes from one share to another as the relevance level does."""
    levels, ends = (float(match[1]), float(match[2])), (match["first"], match["second"])
    said = [None if each is None else int(each.split("/")[0]) / int(each.split("/")[1]) for each in ends]
    for each in seen.lists:
        retrieved = [float(np.sum(each.grades >= level)) for level in levels]
        recall = [n / max(1, int(np.sum(each.judged >= level))) for n, level in zip(retrieved, levels, strict=True)]
        for values in (recall, [n / max(1, each.n) for n in retrieved]):
            if all(share is None or abs(share - own) < 1e-9 for share, own in zip(said, values, strict=True)):
                return True
    return not seen.lists


def _begins_at_two(match: re.Match[str], seen: Rankings) -> bool:
    return int(match[1]) == 2  # the logarithm to base 2 is below 1 before rank 2


_FORMS: tuple[tuple[str, Callable[[re.Match[str], Rankings], bool]], ...] = (
    (rf"\b{AN_ORDER}\s+(?:document|documento)\s+(?:counts|cuenta)\s+(?P<share>{A_SHARE})(?!\s+(?:as|of|de|como))",
     _counts),
    (rf"\b(?:on|for|en|para)\s+(?:la\s+)?(?:query|consulta)\s+(?P<query>\w+),?\s+(?:neither|none|no\s+ranking|ningun[oa])"
     r"(?:\s+(?:of|de)\s+(?:them|the\s+\w+|l[oa]s\s+\w+|ell[oa]s))?\s+(?:has|finds|tiene|encuentra)\s+(?:any|an?|one|ningún|un)\s+"
     rf"(?:relevant\s+document|documento\s+relevante)\s+(?:among|in|entre)\s+(?:the|its|los|sus)\s+(?:(?:first|top|primeros)\s+)?"
     rf"(?P<first>{A_COUNT[1:-1]})\b", _none_among),
    (rf"\b(?:ranks|posiciones|puestos)\s+(?P<ranks>{_RANKS})\s+(?:are|is|son|están)\s+"
     r"(?:filled|marked|shaded|black|dark|grey|gray|coloured|colored|rellen[oa]s|marcad[oa]s|negr[oa]s|oscur[oa]s|grises|"
     r"coloread[oa]s|sombread[oa]s)\b", _marked),
    (rf"\b(?:ranks?|posici[oó]n(?:es)?|puestos?)\s+(?P<ranks>{_RANKS}|\d+)\s+"
     r"(?:(?P<not>are\s+not|is\s+not|no\s+se)|are|is|también\s+se|se)\s+"
     r"(?:discounted|descuentan?)\b", _is_discounted),
    (r"\b(?:ranks?|posición|puesto|(?<=,\s)la)\s+(?P<rank>\d+)\s+(?:is\s+halved|counts\s+(?:one\s+)?half|"
     r"cuenta\s+la\s+mitad)\b", _is_halved),
    (r"\b(?:from|del?)\s+(?:level|nivel)\s+(\d+)\s+(?:to|al?)\s+(?:(?:level|nivel)\s+)?(\d+),?\s+(?:(?:it|recall|precision)\s+)?"
     r"(?:rises|falls|goes|drops|sube|baja|pasa|cae)\s+(?:(?:from|de)\s+(?P<first>\d+/[1-9]\d*)\s+)?(?:to|a)\s+"
     r"(?P<second>\d+/[1-9]\d*)(?![\w/]|\.\d)", _at_levels),
    (r"\blog2\s*\(\s*max\s*\(\s*(?:rank|posición|puesto|i|k)\s*,\s*(\d+)\s*\)\s*\)", _begins_at_two),
    (rf"\b(?:from|de)\s+{_SHARE}\s+(?:to|a)\s+{_SHARE}\s+(?:at|en)\s+(?:the\s+|las\s+)?(?:ranks|posiciones)\s+(\d+)\s+(?:and|y)\s+(\d+)\b",
     _exchanged),
    (rf"\b(?:divides?|divided|dividido)\s+(?:by|entre|por)\s+(?:the\s+|los\s+)?{A_COUNT}\s+(?:relevant\s+documents|documentos\s+relevantes)\b",
     _divides_by_relevant),
    (rf"\b(?:precision|recall|precisión|exhaustividad)\s+(?:at\s+rank|en\s+la\s+posición)\s+(?P<rank>\d+),\s+(?:where|donde)\s+"
     rf"(?:la\s+)?(?P<what>precision|recall|precisión|exhaustividad)\s+(?:is|es)\s+{_SHARE}", _both_at_rank),
    (rf"\b(?P<n>{A_COUNT[1:-1]})\s+(?P<grade>\d+)s?(?:\s+(?:and|y)\s+(?P<m>an?|{A_COUNT[1:-1]})\s+(?P<other>\d+)s?)?\s+"
     r"(?:that\s+were\s+(?:never\s+|not\s+)(?:retrieved|found|returned)|que\s+(?:nunca|no)\s+se\s+(?:han\s+)?"
     r"(?:recuperaron|recuperado|encontraron|encontrado))\b", _missed_of_grades),
)  # fmt: skip
_CHECKS = compiled(_FORMS)
_READS = re.compile(
    rf"(?<!\w)(?-i:(?P<name>[A-Z]\w+))\s+(?:reads\s+|lee\s+)?(?:until|hasta\s+que)\s+(?:(?:she|he|they|it)\s+)?"
    rf"(?:has|have|finds|sees|tiene|encuentra|ve)\s+{A_COUNT}(?=\s*(?:[.,;:]|$)|\s+(?:relevant|documentos?\s+relevantes?)\b)",
    re.I,
)
"""A user by name, and with how many relevant documents she stops."""
_STOPS = re.compile(
    r"(?<!\w)(?-i:(?P<name>[A-Z]\w+))\s+(?:(?:stops|ends|is\s+done|para|termina|acaba)\s+(?:now\s+|ahora\s+)?)?"
    r"(?:at\s+rank|en\s+la\s+posición)\s+(?P<rank>\d+)(?![\w/]|\.\d)",
    re.I,
)
_PEAK = re.compile(
    r"\b(?:is|es)\s+(?:at\s+its\s+)?(?:(?P<high>highest|largest|máxim[oa])|(?P<low>lowest|smallest|mínim[oa]))\s+"
    r"(?:at\s+rank|en\s+la\s+posición)\s+(?P<rank>\d+)(?![\w/]|\.\d)",
    re.I,
)
"""The rank at which a measure is said to be highest or lowest."""


def readers_of(lesson: Lesson) -> dict[str, int]:
    """Return, by the name of each user of whom a lesson tells it, with how many documents they stop."""
    texts = (prose_of(part.text) for part in (lesson, *lesson.items))
    return {match["name"]: count_of(match[2]) for text in texts for match in _READS.finditer(text)}


def false_stops(wanted: Mapping[str, int], text: str, seen: Rankings) -> Iterator[tuple[str, str]]:
    """Yield at which rank a text says that a user stops who has found as many documents as the lesson tells, where no
    ranking has so many there for the first time; and the ranks where one has."""
    for sentence in claims_here(text):
        for match in _STOPS.finditer(sentence):
            n = wanted.get(match["name"], 0)
            ranks = [int(np.flatnonzero(each.is_relevant)[n - 1]) + 1 for each in seen.lists if 0 < n <= each.hits[-1]]
            if ranks and int(match["rank"]) not in ranks:
                own = ", ".join(tr("rank {rank}", rank=rank) for rank in sorted({*ranks}))
                yield " ".join(match[0].split()), own


def false_peaks(text: str, seen: Rankings) -> Iterator[tuple[str, str]]:
    """Yield at which rank a text says that the one measure that it names, in this sentence or the one before, is
    highest or lowest, where no ranking has it so; and the values."""
    former: list[str] = []
    for sentence in sentences_here(text) if seen.contexts else ():
        named = measures_down_the_list(sentence, seen.contexts[0].options.rules.names) or former
        former = named
        for match in () if SUPPOSING.search(sentence) or len(named) != 1 else _PEAK.finditer(sentence):
            rows = [*down_the_list(named[0], int(match["rank"]), seen)]
            best = np.max if match["high"] else np.min
            if rows and not any(abs(best(row) - row[int(match["rank"]) - 1]) < 1e-9 for row in rows):
                ranks = {int(np.flatnonzero(np.abs(row - best(row)) < 1e-9)[0]) + 1 for row in rows}
                yield " ".join(match[0].split()), ", ".join(tr("rank {rank}", rank=rank) for rank in sorted(ranks))


_LONGEST_LIST = 50


def down_the_list(name: str, rank: int, seen: Rankings) -> Iterator[Floats]:
    """Yield the values of a measure down to each rank, of each list that is as long as a rank."""
    for context in seen.contexts:
        for entry, (place, query) in product(context.collection.runs, enumerate(context.query_ids)):
            ranking = table_ranking(context, entry, query)
            if ranking is not None and rank <= ranking.n <= _LONGEST_LIST:
                try:
                    by_rank = [
                        parse_measure(f"{name}@{k}", context.options.rules.names) for k in range(1, ranking.n + 1)
                    ]
                except MeasureError:
                    return
                yield np.array([float(plain(context).values(entry, each)[place]) for each in by_rank])


def false_ranks(text: str, seen: Rankings) -> Iterator[tuple[str, str]]:
    """Yield what a text says of ranks and what no ranking is like, and as it would be true, "" for unknown."""
    yield from false_forms(text, seen, _CHECKS, {_is_discounted: (1,)})
