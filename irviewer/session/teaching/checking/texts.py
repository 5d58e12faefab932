"""The texts of a lesson that say something of its rankings, and what is false in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irviewer.errors import ParseError
from irviewer.model.lessons.lesson import NOWHERE, Asked, Lesson, Place, Question, Step
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.teaching.checking.claims.subjects import KeptParts, false_of_subjects
from irviewer.session.teaching.checking.fault import fault_at
from irviewer.session.teaching.checking.items.decided_choices import query_in
from irviewer.session.teaching.checking.lesson_rankings import KeptRankings
from irviewer.session.teaching.checking.prose.changes import false_changes, false_exchanges, false_values_of_queries
from irviewer.session.teaching.checking.prose.comparisons import false_comparisons
from irviewer.session.teaching.checking.prose.facts import false_facts, false_orders
from irviewer.session.teaching.checking.prose.lists import false_lists
from irviewer.session.teaching.checking.prose.not_as_said import has_values, not_as_said
from irviewer.session.teaching.checking.prose.ranks import false_peaks, false_ranks, false_stops
from irviewer.session.teaching.checking.prose.shares import false_shares
from irviewer.session.teaching.checking.prose.values import at_these_levels
from irviewer.session.teaching.checking.wording.sentences import (
    ASKS_FOR_CHANGE,
    SUPPOSING,
    is_elsewhere,
    prose_of,
    without_mistakes,
)

_About = tuple[tuple[EvaluationContext, ...], bool, str, str]
"""What a text is about, as :meth:`KeptRankings.of` takes it."""


def texts_about(
    lesson: Lesson,
    part: Lesson | Step | Question,
    own: tuple[EvaluationContext, ...],
    seen: tuple[EvaluationContext, ...],
    rankings: KeptRankings,
) -> Iterator[tuple[str, Place, _About]]:
    """Yield the texts of a part that say something of rankings: of a step in the states before and after it, of a
    question in all, as its reasons may be about a step."""
    if not isinstance(part, Question):
        about = (own, isinstance(part, Step) and bool(part.actions), "", "")
        yield part.text, NOWHERE if isinstance(part, Lesson) else part.at, about
        return
    known = (seen, False, "", "")
    yield part.text, part.at, known
    if not SUPPOSING.search(part.title):
        asked = part.asked or Asked()
        yield part.because, part.at, (own if part.asked else seen, False, asked.run, asked.query)
        yield part.hint, part.at, known
        query = query_in(part.title, seen)
        for each in () if ASKS_FOR_CHANGE.search(part.title) else part.choices:
            run = rankings.of(*known).called(each.text.strip(" ."))
            yield each.reason, part.at, (seen, False, run, query) if run else known
        is_other = is_elsewhere(part.title) or ASKS_FOR_CHANGE.search(part.title) is not None
        yield from ((each.text, part.at, known) for each in part.choices if each.right and not is_other)
        yield from ((without_mistakes(each.reason), each.at, known) for each in part.wrong)


def false_facts_in(
    lesson: Lesson,
    part: Lesson | Step | Question,
    text: str,
    at: Place,
    about: _About,
    own: Sequence[EvaluationContext],
    seen: Sequence[EvaluationContext],
    readers: Sequence[tuple[str, int]],
    known: KeptRankings,
) -> Iterator[ParseError]:
    """Yield a fault for each sentence of a text about ranks, documents, counts and orders that no ranking is like."""
    rankings, prose = known.of(*about), at_these_levels(prose_of(text), seen)
    contexts = seen if isinstance(part, Question) else own
    compared = [*false_comparisons(lesson, part, prose, contexts)]
    compared += false_changes(lesson, part, prose, contexts)
    compared += false_values_of_queries(lesson, prose, contexts)
    compared += false_exchanges(lesson, part, prose, contexts)
    compared += false_shares(lesson, prose, contexts)
    said_here = [*false_facts(prose, rankings), *false_lists(prose, rankings), *false_ranks(prose, rankings)]
    said_here += [*false_stops(dict(readers), prose, rankings), *false_peaks(prose, rankings)]
    for said, meant in _one_a_clause(prose, [*said_here, *false_orders(lesson, prose, own), *compared]):
        yield from _unlike(lesson, at, said, meant)


def _one_a_clause(text: str, unlike: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield (what a text says, what is so), without what is said within longer words that are not so either, or beside
    them where the same is computed."""
    plain = " ".join(text.split())
    starts = [plain.find(" ".join(said.split())) for said, _ in unlike]
    spans = [range(start, start + len(" ".join(said.split()))) for start, (said, _) in zip(starts, unlike, strict=True)]
    for place, ((said, meant), own) in enumerate(zip(unlike, spans, strict=True)):
        longer = [
            each
            for each, (other, span) in enumerate(zip(unlike, spans, strict=True))
            if each != place
            and (len(span), -each) > (len(own), -place)
            and (said != other[0] or plain.count(" ".join(said.split())) == 1)
            and (
                (meant == other[1] and own.start < span.stop and span.start < own.stop)
                or (said in other[0] and plain.count(said) <= plain.count(other[0]))
            )
        ]
        if own.start < 0 or not longer:
            yield said, meant


def false_of_subject(
    lesson: Lesson,
    part: Lesson | Step | Question,
    text: str,
    at: Place,
    about: _About,
    own: Sequence[EvaluationContext],
    seen: Sequence[EvaluationContext],
    parts: KeptParts,
) -> Iterator[ParseError]:
    """Yield a fault for what a text says of the ranking that a sentence names last."""
    contexts = seen if isinstance(part, Question) else own
    prose = at_these_levels(prose_of(text), seen)
    for said, meant in false_of_subjects(lesson, part, prose, contexts, seen, parts, about[2]):
        yield from _unlike(lesson, at, said, meant)


def _unlike(lesson: Lesson, at: Place, said: str, meant: str) -> Iterator[ParseError]:
    """Yield the fault that no ranking is as a text says; ``meant`` is what is computed, "" for unknown. Nothing is
    compared with a value that is absent."""
    if not has_values(meant):
        return
    reason, hint = not_as_said(meant)
    yield fault_at(lesson, at, reason, said, hint)
