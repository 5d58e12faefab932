"""What the texts of a lesson say of its rankings in clauses of which every word is understood, and what is not so.

A clause with a word that the lexicon does not have is not judged. Otherwise the order of its words does not matter, a
ranking that it names is the one that is meant, and it is false if it is so in none of the ways in which the rest can be
meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

from irviewer.errors import ParseError
from irviewer.model.dialects import DIALECTS
from irviewer.model.lessons.lesson import Lesson, Place, Question, Step
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.teaching.answers import number_in
from irviewer.session.teaching.checking.claims.answers import DENIED, WHAT_IS_TRUE, answered_with
from irviewer.session.teaching.checking.claims.clauses import Clause, clauses_of, filled, framed
from irviewer.session.teaching.checking.claims.judging import judge
from irviewer.session.teaching.checking.claims.lexicon import ENGLISH, SPANISH
from irviewer.session.teaching.checking.claims.phrases import Names, Token, kinds_of, phrases_of, tokens_of
from irviewer.session.teaching.checking.claims.scenes import Scene, Verdict
from irviewer.session.teaching.checking.claims.states import KeptStates, State
from irviewer.session.teaching.checking.claims.understood import is_left_open
from irviewer.session.teaching.checking.prose.not_as_said import has_values, not_as_said
from irviewer.session.teaching.checking.prose.values import OF_IDEAL, at_these_levels
from irviewer.session.teaching.checking.wording.sentences import (
    ASKS_FOR_CHANGE,
    SUPPOSING,
    claims_here,
    is_elsewhere,
    question_before,
    readable,
    without_mistakes,
)
from irviewer.translation import tr


class Claim(NamedTuple):
    """What a clause says: its words and sentence, where its part is, whether it is so, and what is computed."""

    said: str
    sentence: str
    at: Place
    holds: bool
    computed: str
    is_unmarked: bool = False
    is_sure: bool = True


_MOST_RUNS, _MOST_LISTS = 12, 60
"""Lessons with more rankings than these are not read."""
_TOGETHER = re.compile(
    r"\b(?:together|between\s+(?:them|the\s+\w+)|combined|juntos|juntas|entre\s+(?:amb[oa]s|tod[oa]s|l[oa]s\s+(?:dos|tres|cuatro)(?!\s+primer)))\b",
    re.I,
)
"""Words of a sentence about what several rankings have when they are taken as one."""
_OF_GAINS = re.compile(r"\b(?:gains?|grade[sd]?|ganancias?|grados?|graduad[oa]s?)\b", re.I)
"""Words of a text in which verbs such as "collects" may speak of gains."""
_ASIDE = re.compile(r"\s\([^()]*\)")


def claims_of(
    lesson: Lesson, part: Lesson | Step | Question, own: Sequence[EvaluationContext], kept: KeptStates
) -> Iterator[Claim]:
    """Yield what the texts of a part say and whether it is so; ``own`` are the states before and after it."""
    states = [kept.of(each) for each in own if each.judgments is not None]
    if not states or len(states[0].runs) > _MOST_RUNS or len(states[0].runs) * len(states[0].queries) > _MOST_LISTS:
        return
    reader = Reader(lesson, part, states)
    at = Place() if isinstance(part, Lesson) else part.at
    for text, place, runs in _texts_of(part, reader):
        for said, verdict, sentence in reader.read(text, runs):
            yield Claim(
                said, " ".join(sentence.split()), place or at, verdict.holds, verdict.computed, False, verdict.is_sure
            )
    if isinstance(part, Question):
        yield from _answers_of(part, reader)


def _answers_of(question: Question, reader: Reader) -> Iterator[Claim]:
    """Yield what the answers of a question say: a choice that is marked is so, and if one is right, no other one is."""
    title = re.split(r"(?<=[.?!])\s+", question.title.strip())[-1]
    if (
        ASKS_FOR_CHANGE.search(title)
        or DENIED.search(title)
        or SUPPOSING.search(question.title)
        or is_elsewhere(question.title)
    ):
        return
    if question.asked is None and number_in(question.answer) is not None and reader.runs_in(title):
        verdict = reader.answered(title, question.answer)
        if verdict is not None:
            sentence = f"{question.title} answer: {question.answer}"
            yield Claim(question.title, sentence, question.at, verdict.holds, verdict.computed)
    choices = []
    for choice in question.choices:
        verdict, is_decided = reader.answered(title, choice.text), True
        if verdict is None:
            verdict, is_decided = reader.stated(choice.text), WHAT_IS_TRUE.search(title) is not None
        if verdict is None or (not choice.right and (not is_decided or question.n_right > 1)):
            continue
        is_unmarked = not choice.right and verdict.holds
        holds = verdict.holds if choice.right else not is_unmarked
        sentence = f"{question.title} {choice.text}"
        choices.append(Claim(choice.text, sentence, question.at, holds, verdict.computed, is_unmarked))
    is_false = any(not each.holds and not each.is_unmarked for each in choices)
    yield from (each for each in choices if not (is_false and each.is_unmarked))


def _texts_of(part: Lesson | Step | Question, reader: Reader) -> Iterator[tuple[str, Place | None, tuple[str, ...]]]:
    """Yield the texts of a part that say what is so, and the rankings that each is about."""
    titled = () if isinstance(part, Lesson) else reader.runs_in(part.title)
    titled = titled if len(titled) == 1 else ()
    if isinstance(part, Question):
        asked = (part.asked.run,) if part.asked is not None and part.asked.run else titled
        yield part.title, None, ()
        yield part.text, None, ()
        if SUPPOSING.search(part.title) or is_elsewhere(part.title):
            return
        yield part.because, None, asked
        yield part.hint, None, asked
        if ASKS_FOR_CHANGE.search(part.title):
            return
        for choice in part.choices:
            named = reader.runs_in(choice.text)
            yield (
                (choice.reason if choice.right else without_mistakes(choice.reason)),
                None,
                named if len(named) == 1 else titled,
            )
        for wrong in part.wrong:
            yield without_mistakes(wrong.reason), wrong.at, asked
    else:
        yield part.text, None, titled


def false_claims(claims: Sequence[Claim], known: Sequence[ParseError]) -> Iterator[tuple[Place, str, str, str]]:
    """Yield (place, reason, what is said, what to do) of those that are false, in sentences of which no other fault is
    known, once for each sentence and what is computed."""
    stated: set[tuple[Place, str, frozenset[str]]] = set()
    for said, sentence, at, holds, computed, is_unmarked, _ in claims:
        faults = (fault for fault in known if fault.line == at.line and fault.text)
        if (
            holds
            or not has_values(computed)
            or is_left_open(sentence)
            or any(fault.text in sentence or said in fault.text for fault in faults)
        ):
            continue
        parts = at, sentence, frozenset(re.split("[:;,] ", computed))
        if computed and parts in stated:
            continue
        stated.add(parts)
        reason, hint = not_as_said(computed)
        if is_unmarked:
            reason, hint = tr("this is so, and is not marked"), tr("mark the right choice")
        yield at, reason, said, hint


def is_so(fault: ParseError, claims: Sequence[Claim]) -> bool:
    """Return whether what a fault quotes is in a clause that is understood and so."""
    own = (each for each in claims if each.holds and each.is_sure and each.at.line == fault.line)
    return any(fault.text in each.said and each.sentence.count(fault.text) == 1 for each in own)


def states_about(
    parts: Sequence[Lesson | Step | Question], own: Sequence[tuple[EvaluationContext, ...]]
) -> Iterator[tuple[EvaluationContext, ...]]:
    """Yield the states that each part can be about: of a question also that to which the step before it leads."""
    former: tuple[EvaluationContext, ...] = ()
    for part, states in zip(parts, own, strict=True):
        if isinstance(part, Step):
            former = states[1:]
        yield (*states, *former) if isinstance(part, Question) else states


class Reader:
    """Reads sentences of a part of a lesson."""

    def __init__(self, lesson: Lesson, part: Lesson | Step | Question, states: Sequence[State]) -> None:
        first = states[0]
        self._contexts = [each.context for each in states]
        self._before = f"{lesson.title} " if isinstance(part, Lesson) else f"{lesson.title} {lesson.text} {part.title} "
        documents = {
            document
            for query in first.queries
            for run in first.runs
            if (ranking := first.ranking(run, query)) is not None
            for document in ranking.documents
        }
        self._names = Names(
            first.runs, first.queries, frozenset(documents - {*first.runs}), DIALECTS[lesson.rules].names
        )
        titled = phrases_of(self._tokens(part.title), self._names) if isinstance(part, Question) else []
        shown = [Token("M", name) for name in dict.fromkeys(figure.measure for figure in part.figures)]
        self._asked = tuple([each for each in titled if each.kind == "M"] or shown[: len(shown) == 1])
        """The measures that a question asks for, or the one of which a part has values."""
        views = [lesson.view.measure, "" if isinstance(part, Lesson) else part.view.measure]
        figures = [figure.measure for each in (lesson, part) for figure in each.figures]
        in_view = dict.fromkeys([*views, *figures, *(each.context.measure.text for each in states)])
        is_step = isinstance(part, Step) and bool(part.actions)
        self._scene = Scene(states, is_step, tuple(each for each in in_view if each))

    def runs_in(self, text: str) -> tuple[str, ...]:
        """Return the rankings that a text names."""
        best = phrases_of(self._tokens(text), self._names)
        return tuple(
            dict.fromkeys(
                run for each in best if each.kind in "rs" and isinstance(each.value, tuple) for run in each.value
            )
        )

    def answered(self, title: str, answer: str) -> Verdict | None:
        """Return whether an answer to a title is right; None where it is not understood."""
        if "?" not in title:
            return None
        asked = phrases_of(self._tokens(re.sub("[?¿]", " ", _plain(title))), self._names)
        return answered_with(asked, phrases_of(self._tokens(_plain(answer)), self._names), self._scene)

    def stated(self, text: str) -> Verdict | None:
        """Return whether a choice is so that is a statement by itself, of which every word is understood."""
        tokens = self._tokens(_plain(text))
        verdicts = [verdict for _, verdict, _ in self.read(text)] if "?" not in kinds_of(tokens) else []
        if len(verdicts) != 1 or not {"v", "c"} & {*kinds_of(tokens)}:
            return None
        return verdicts[0]

    def _tokens(self, sentence: str) -> list[Token]:
        """Return the words of a sentence in the language that knows most of them."""
        rows = [tokens_of(sentence, table, self._names) for table in (ENGLISH, SPANISH)]
        return max(rows, key=lambda row: -sum(each.kind == "?" for each in row))

    def read(self, text: str, runs: tuple[str, ...] = ()) -> Iterator[tuple[str, Verdict, str]]:
        """Yield (words, whether they are so, their sentence) for each clause of a text that is understood; ``runs`` are
        those that it is about if it names none."""
        read = self._before
        for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*|#>]|\s*\d+\.\s)", _plain(readable(text))):
            former, about, before = Clause(()), runs, ""
            frame: tuple[Token, ...] = ()
            measured = self._asked
            for sentence in claims_here(at_these_levels(paragraph, self._contexts)):
                read += f"{sentence} "
                asked = self.runs_in(question_before(sentence, paragraph))
                about = asked if len(asked) == 1 else about
                is_of_ideal, before = OF_IDEAL.search(before) is not None, sentence
                if _TOGETHER.search(sentence) or "?" in sentence or "¿" in sentence or re.search(r"[“”\"«»]", sentence):
                    former = Clause(())
                    continue
                tokens = self._tokens(_without_asides(sentence))
                if all("?" in part for part in re.split("[,;&]", kinds_of(tokens))):
                    former, about = Clause(()), tuple(run for each in tokens if each.kind == "r" for run in each.value)
                    measured = tuple(each for each in tokens if each.kind == "M") or measured
                    continue
                row = phrases_of(tokens, self._names)
                front = _front_of(row)
                for group in clauses_of(row):
                    for place, clause in enumerate(group):
                        scene = replace(self._scene, runs=about)
                        meant, verdict = self._judged(clause, former, measured, scene, is_first=place == 0)
                        if is_of_ideal and "M" in meant.kinds and "r" not in meant.kinds:
                            verdict = None  # of an order that no list has
                        in_front = framed(meant, front)
                        if in_front is not None and (at_front := judge(in_front.tokens, scene)) is not None:
                            verdict = at_front
                        elif verdict is not None and not verdict.holds and (other := framed(meant, frame)):
                            wider = judge(other.tokens, scene)
                            verdict = wider if wider is not None and wider.holds else verdict
                        if place == 0 and verdict is not None and not verdict.holds and _has_no_subject(clause):
                            verdict = None
                        if _is_of_placing(sentence, clause):
                            verdict = None
                        if _has_verb(meant, "gather") and "R" not in meant.kinds and _OF_GAINS.search(read):
                            verdict = None  # a sum of gains
                        former = meant if verdict is not None else Clause(())
                        frame = tuple(each for each in meant.tokens if each.kind in "EAQwm") or frame
                        measured = tuple(each for each in meant.tokens if each.kind == "M") or measured
                        if verdict is not None:
                            yield _words(sentence, clause), verdict, sentence
                        named = tuple(run for each in meant.tokens if each.kind == "r" for run in each.value)
                        about = named or (() if set(meant.kinds) & set("B?") else about)

    def _judged(
        self, clause: Clause, former: Clause, measured: Sequence[Token], scene: Scene, *, is_first: bool
    ) -> tuple[Clause, Verdict | None]:
        """Return a clause, with what it leaves out, and whether it is so; ``measured`` is the last measure named."""
        is_whole = not clause.is_elliptic or {*"MNr"} <= {*clause.kinds}
        verdict = judge(clause.tokens, scene) if is_whole else None
        if verdict is not None:
            return clause, verdict
        is_filled = clause.is_elliptic and bool(former.tokens)
        if not measured and len(scene.in_view) == 1 and ("m" in clause.kinds or re.search("So[BU]", clause.kinds)):
            measured = (Token("M", scene.in_view[0]),)  # "the mean is", "the best of the three"
        if is_first and not is_filled and len(measured) == 1 and _is_of_measure(clause):
            full = Clause((*measured, *clause.tokens))
        elif former.tokens and (not is_first or clause.is_elliptic or set(clause.kinds) & set("Pj")):
            full = filled(clause, former)
        else:
            return clause, None
        verdict = judge(full.tokens, scene)
        return (full, verdict) if verdict is not None else (clause, None)


_BETTER = re.compile(r"\b(?:better|worse|mejor|peor)\b", re.I)


def _is_of_placing(sentence: str, clause: Clause) -> bool:
    """Return whether a clause says that documents are placed better, or worse, which is no comparison by a measure."""
    is_of_measure = "M" in clause.kinds or not _has_verb(clause, "place")
    return not is_of_measure and _BETTER.search(_words(sentence, clause)) is not None


def _has_verb(clause: Clause, kind: str) -> bool:
    return any(each.kind == "v" and each.value == kind for each in clause.tokens)


def _is_of_measure(clause: Clause) -> bool:
    """Return whether a clause has a value of a ranking, or compares it, and leaves out the measure."""
    kinds = {*clause.kinds}
    if "r" in kinds and kinds & {*"CS"}:
        return not kinds & {*"MRDEUHhANXdcQ"}
    values = [each.value for each in clause.tokens if each.kind == "N"]
    is_value = bool(values) and not any(each.is_count for each in values)
    return is_value and bool(kinds & {*"rP"}) and not kinds & {*"MRDEUHACXSc"}


def _front_of(row: Sequence[Token]) -> list[Token]:
    """Return the ranks, query and time that a sentence begins with, "among the first three", if they are no subject."""
    first = [*takewhile(lambda each: each.kind not in "vc;rM", row)]
    is_front = bool(first) and first[0].kind in "iLobJwE" and not {"N", "H", "d"} & {each.kind for each in first}
    return [each for each in first if each.kind in "EAQw"] if is_front else []


def _plain(text: str) -> str:
    """Return a text with a sign that is no word in the place of code and formulas."""
    return re.sub(r"`[^`]*`|\$[^$\n]*\$", lambda code: "§" + " " * (len(code[0]) - 1), text)


def _without_asides(sentence: str) -> str:
    """Return a sentence with spaces in the place of what is in brackets."""
    return _ASIDE.sub(lambda aside: " " * len(aside[0]), sentence)


def _words(sentence: str, clause: Clause) -> str:
    """Return the words of a clause as they are written."""
    places = [(each.start, each.end) for each in clause.tokens if each.end]
    start, end = min(start for start, _ in places), max(end for _, end in places)
    return " ".join(sentence[start:end].strip(" *_").split())


def _has_no_subject(clause: Clause) -> bool:
    """Return whether a clause compares something, "P@5 is twice as high", and does not say which of two it is about."""
    is_compared = any(each.kind == "X" or (each.kind == "C" and each.value in ("up", "down")) for each in clause.tokens)
    return is_compared and not set(clause.kinds) & set("rBPsu")
