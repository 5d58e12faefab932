"""What the texts of a lesson say of what is at ranks: discounts, lists of ranks, precisions before and after an
exchange; of grades that were missed, and of what another relevance level does.

Texts are not understood. A sentence of such a form, in English or Spanish, is false only where no ranking in view,
before or after a step, is as it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np

from irviewer.session.teaching.stated_facts import A_COUNT, Rankings, compiled, count_of, false_forms

_RANKS = r"\d+(?:,\s+\d+)*,?\s+(?:and|y)\s+\d+"
_OTHER_RULE = re.compile(r"\b(?:other|another|trec_eval|if|elsewhere|otr[oa]s?|si)\b", re.I)
"""Words of a sentence about another discount than that of the lesson."""
_SHARE = r"(\d+)/([1-9]\d*)(?![\w/]|\.\d)"


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def _marked(match: re.Match[str], seen: Rankings) -> bool:
    """Whether a list has its relevant documents, the others, or those judged or not, at the ranks that are listed."""
    ranks = _numbers(match["ranks"])
    lists = [each for each in seen.lists if each.n >= max(ranks)]
    marks = [mark for each in lists for mark in (each.is_relevant > 0, np.isnan(each.grades))]
    kinds = [np.flatnonzero(mark == wanted) + 1 for mark in marks for wanted in (True, False)]
    return not lists or any(ranks == list(map(int, kind)) for kind in kinds)


def _is_discounted(match: re.Match[str], seen: Rankings) -> bool:
    """Whether ranks are discounted as is said; whether rank 2 is depends on the rule."""
    ranks, is_not = _numbers(match["ranks"]), match["not"] is not None
    return not any((rank == 1 and not is_not) or (rank > 2 and is_not) for rank in ranks)


def _is_halved(match: re.Match[str], seen: Rankings) -> bool:
    rules = {each.rule for each in seen.lists}
    share = [float(rule.share(np.array([int(match["rank"])]))[0]) for rule in rules]
    return not share or _OTHER_RULE.search(match.string) is not None or any(abs(each - 0.5) < 1e-9 for each in share)


def _exchanged(match: re.Match[str], seen: Rankings) -> bool:
    """Whether the first of two precisions at neighbouring ranks is that of a relevant document."""
    above, first, other_above, second = (int(match[group]) for group in range(1, 5))
    if {first, second} != {int(match[5]), int(match[6])} or abs(first - second) != 1 or above != other_above:
        return True
    lists = [each for each in seen.lists if each.n >= max(first, second)]
    return not lists or any(each.is_relevant[first - 1] and each.hits[first - 1] == above for each in lists)


def _divides_by_relevant(match: re.Match[str], seen: Rankings) -> bool:
    return not seen.lists or any(each.relevant == count_of(match[1]) for each in seen.lists)


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


def false_ranks(text: str, seen: Rankings) -> Iterator[tuple[str, str]]:
    """Yield what a text says of ranks and what no ranking is like, and as it would be true, "" for unknown."""
    yield from false_forms(text, seen, _CHECKS)
