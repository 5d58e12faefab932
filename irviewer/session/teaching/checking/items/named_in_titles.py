"""What the title of a question names, against what its ``ask:`` means: the measure, the rank, the ranking, the query.

Titles are not understood. What they name is compared where their last sentence, which asks, names one alone, in the
words of English and Spanish."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.lessons.lesson import Asked, Lesson, Question
from irviewer.session.teaching.checking.wording.named_measures import measure_in, measures_in
from irviewer.session.teaching.checking.wording.number_words import COUNT_OF, PLACES, count_of
from irviewer.translation import tr

_RANK = re.compile(r"\b(?:rank|position|posición|puesto|rango)\s+(\d+)", re.I)
_QUERY = re.compile(r"\b(?:query|consulta)\s+([\w-]+)", re.I)
_PLACES = tuple(rf"\b(?:{words})\s+(?:system|engine|ranking|list|run|sistema|buscador|lista)\b" for words in PLACES)
_OTHER = re.compile(r"\b(?:other|first|second|third|fourth|otr[oa]|primer|segund|tercer|cuart)", re.I)
_BEFORE = (
    r"\b(?:of|for|by|named|system|engine|ranking|list|run|de|del|para|según|llamad[oa]|sistema|buscador|lista)"
    r"(?:\s+(?:the|el|la))?\s+"
)
"""What is written before the name of a ranking."""


_FIRST_N = re.compile(
    rf"\b(?:the|among)\s+(?:first|top)\s+(\d+|{'|'.join(COUNT_OF)})\b|"
    rf"\b(?:l[oa]s)\s+(?:primer[oa]s\s+)?(\d+|{'|'.join(COUNT_OF)})(?<=\w)(?:\s+primer[oa]s)\b",
    re.I,
)
"""The first documents of a list, as many as a reason or hint says."""


def another_cutoff_in_reason(lesson: Lesson, question: Question) -> tuple[str, str] | None:
    """Return the measure of a title, and that of the reason which has another cutoff, or what reason or hint say of
    documents below it, where they name none with the same."""
    names = DIALECTS[lesson.rules].names
    said = measure_in(question.title, names)
    cutoff = parse_measure(said, names).cutoff if said else None
    if cutoff is None:
        return None
    kind = parse_measure(said, names).name.removeprefix("n")
    reasons = {name: parse_measure(name, names) for name in measures_in(question.because, names)}
    same = {name: each.cutoff for name, each in reasons.items() if each.name.removeprefix("n") == kind and each.cutoff}
    if same:
        return None if cutoff in same.values() else (said, next(iter(same)))
    further = list(_FIRST_N.finditer(f"{question.because} {question.hint}"))
    numbers = [count_of(match[1] or match[2]) for match in further]
    is_other = bool(numbers) and cutoff not in numbers and max(numbers) > cutoff
    return (said, " ".join(further[numbers.index(max(numbers))][0].split())) if is_other else None


def contradicted(
    lesson: Lesson, question: Question, runs: Sequence[str], queries: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield what the title of a question names and what its ``ask:`` means in its place, ("P@5", "P@3"). ``runs`` and
    ``queries`` are those of the lesson, in their order."""
    asked = question.asked
    if asked is None:
        return
    asking = re.split(r"(?<=[.!:])\s+", question.title)[-1]
    named_rank = False
    for said, meant in _measures(lesson, question, asked):
        named_rank = True
        if said != meant:
            yield said, meant
    ranks = {int(rank) for rank in _RANK.findall(asking)}
    rank = asked.rank or _cutoff(asked, lesson)
    if rank and len(ranks) == 1 and rank not in ranks and not named_rank:
        yield tr("rank {rank}", rank=ranks.pop()), tr("rank {rank}", rank=rank)
    view = question.view.over(lesson.view)
    run = asked.run or ("" if asked.column else view.run) or next(iter(runs), "")
    named = {name for name in runs if _names(asking, name)}
    if not named and not _OTHER.search(asking):
        named = {name for name, words in zip(runs, _PLACES, strict=False) if re.search(words, question.title, re.I)}
    if len(named) == 1 and run not in named and not _has_word(asking, run):
        yield named.pop(), run
    query = asked.query or (view.query or next(iter(queries), "") if asked.column else "")
    named = {name for name in _QUERY.findall(asking) if name in queries}
    if len(queries) > 1 and len(named) == 1 and query not in named:
        meant = tr("query {query}", query=query) if query else tr("the mean of all queries")
        yield tr("query {query}", query=named.pop()), meant


def _measures(lesson: Lesson, question: Question, asked: Asked) -> Iterator[tuple[str, str]]:
    """Yield the measure of the title and that of ``ask:`` where both have one, equal texts if they are one measure; of
    two cutoffs only those that both name are compared."""
    names = DIALECTS[lesson.rules].names
    said = measure_in(question.title, names)
    meant = measure_in(asked.measure or f"{asked.column.removesuffix('@K')}@{asked.rank}", names)
    if not said or not meant:
        return
    first, second = parse_measure(said, names), parse_measure(meant, names)
    cut = None is not first.cutoff != second.cutoff is not None
    if first.name != second.name or cut:
        yield said, meant
    elif first.cutoff is not None:
        yield said, said


def _cutoff(asked: Asked, lesson: Lesson) -> int:
    """Return the cutoff of the measure that is asked, 0 for none."""
    if not asked.measure:
        return 0
    cutoff = parse_measure(asked.measure, DIALECTS[lesson.rules].names).cutoff
    return 0 if cutoff is None else int(cutoff)


def _has_word(asking: str, run: str) -> bool:
    """Return whether the name of a ranking is there at all; that of one small letter is in many a sentence."""
    is_letter = len(run) == 1 and run.islower()
    return not is_letter and re.search(rf"(?<!\w){re.escape(run)}(?!\w)", asking, re.I) is not None


def _names(asking: str, name: str) -> bool:
    # "of a" begins many a sentence.
    end = r"(?=\s*(?:[?,.;:)]|$))" if len(name) == 1 and name.islower() else r"(?!\w)"
    return re.search(_BEFORE + re.escape(name) + end, asking) is not None
