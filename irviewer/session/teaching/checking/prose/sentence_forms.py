"""Forms of sentences, each with what decides whether some ranking is as a sentence of it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from irviewer.session.teaching.checking.lesson_rankings import Rankings
from irviewer.session.teaching.checking.wording.number_words import COUNT_OF, ORDER_OF, ORDINALS, count_of, numbers_in
from irviewer.session.teaching.checking.wording.sentences import claims_here
from irviewer.session.teaching.step_actions import ranking_name
from irviewer.translation import tr

Form = tuple[re.Pattern[str], Callable[[re.Match[str], Rankings], bool]]
"""A form of sentences, and whether some ranking is as one of them says."""


def compiled(forms: Sequence[tuple[str, Callable[[re.Match[str], Rankings], bool]]]) -> tuple[Form, ...]:
    """Return forms that are ready to be looked for, in small and capital letters alike."""
    return tuple((re.compile(form, re.I), holds) for form, holds in forms)


def false_forms(
    text: str,
    seen: Rankings,
    forms: Sequence[Form],
    given: Mapping[Callable[[re.Match[str], Rankings], bool], tuple[int, ...]] = MappingProxyType({}),
) -> Iterator[tuple[str, str]]:
    """Yield what a text says in one of some forms and what no ranking is like, and as it would be true, "" for
    unknown. ``given`` are the groups of forms that are taken as they are said, other than those that a word tells."""
    for form, holds in forms:
        for match in (match for sentence in claims_here(text) for match in form.finditer(sentence)):
            if not _MORE_OR_LESS.match(match.string, match.end()) and not holds(match, seen):
                yield " ".join(match[0].split()), _as_computed(match, holds, seen, given.get(holds, ()))


_MORE_OR_LESS = re.compile(r"\s+(?:less|fewer|more|menos|más)\b(?!\s+(?:relevant|to\b))", re.I)
"""What is behind a count that is a difference: "three documents less"."""
_GIVEN = re.compile(
    r"(?:/|\b(?:of|de|first|primer[oa]s|los|query|consulta|la)\s+(?:(?:the|its|their|los|las|sus)\s+)?(?:first\s+)?)$",
    re.I,
)
"""What is before a number of which something is counted, or before a query: that is taken as it is said."""


_A_RANK = re.compile(r"(?:ranks?|posici[oó]n(?:es)?|puestos?)\s+$", re.I)


def _as_computed(
    match: re.Match[str], holds: Callable[[re.Match[str], Rankings], bool], seen: Rankings, given: tuple[int, ...]
) -> str:
    """Return the text of a match with the other number or document that makes it true; "" if no single one does."""
    sentence, start = match.string, match.start()
    for group in range(1, match.re.groups + 1):
        said = match[group]
        is_given = not given and "." not in (said or "") and _GIVEN.search(sentence[: match.start(group)])
        if not said or group in given or is_given:
            continue
        is_rank = _A_RANK.search(sentence[: match.start(group)]) is not None
        for other in (each for each in _others(said, seen) if not (is_rank and each == "0")):
            changed = match.re.match(sentence[: match.start(group)] + other + sentence[match.end(group) :], start)
            if changed is not None and changed[group] == other and holds(changed, seen):
                return " ".join(changed[0].split()) + _whose(changed, match, holds, seen)
    return ""


def _whose(
    meant: re.Match[str], said: re.Match[str], holds: Callable[[re.Match[str], Rankings], bool], seen: Rankings
) -> str:
    """Return of which ranking and query of several what is meant is so, " (A, query 2)"; "" if of all, or unknown."""
    lists = list(dict.fromkeys((run, query) for run, query, _ in seen.by_query))
    own = [each for each in lists if holds(meant, alone := seen.of(*each)) and not holds(said, alone)]
    called = {each.name: ranking_name(each) for context in seen.contexts for each in context.collection.runs}
    named = {(called[run], query) for run, query in lists}
    if len({(called[run], query) for run, query in own}) not in range(1, len(named)):
        return ""
    run, query = called[own[0][0]], own[0][1]
    parts = [run] if len({run for run, _ in named}) > 1 else []
    parts += [tr("query {query}", query=query)] if len({query for _, query in lists}) > 1 else []
    return f" ({', '.join(parts)})"


def _others(said: str, seen: Rankings) -> Iterator[str]:
    """Yield what could be in the place of a number or document, the nearest first."""
    word = said.lower()
    if re.fullmatch(r"\d+", said) or word in COUNT_OF:
        own = count_of(said)
        yield from map(str, sorted(range(max(40, own + 5)), key=lambda n: abs(n - own)))
    elif re.fullmatch(r"\d?\.\d{1,3}", said):
        decimals = len(said.partition(".")[2])
        shares = sorted((n / 10**decimals for n in range(10**decimals + 1)), key=lambda n: abs(n - float(said)))
        written = (f"{share:.{decimals}f}" for share in shares)
        yield from (text.removeprefix("0") if said.startswith(".") else text for text in written)
    elif word in ORDER_OF:
        yield from next(words for words in ORDINALS if word in words)
    elif re.fullmatch(r"\d+(?:(?:,\s+|,?\s+(?:and|y)\s+)\d+)+", said):
        ranks = numbers_in(said)
        for place, each in enumerate(re.finditer(r"\d+", said)):
            above, below = ranks[place - 1] if place else 0, ranks[place + 1] if place + 1 < len(ranks) else 41
            nearest = sorted((abs(rank - ranks[place]), rank) for rank in range(above + 1, below))
            yield from (f"{said[: each.start()]}{rank}{said[each.end() :]}" for _, rank in nearest)
    else:
        documents = dict.fromkeys(document for each in seen.lists for document in each.documents)
        for named in re.finditer(r"(?<![\w@-])(?:[A-Za-z][\w-]*\d[\w-]*|[A-Z])(?![\w@-])", said):
            yield from (said[: named.start()] + other + said[named.end() :] for other in documents if other not in said)
