"""A lesson beside the bundled one that it was made of: what of the two differs, and is neither other wording nor a step
or question of the author's own.

Two lessons are compared that have one id, the same rankings and judgments, and steps and questions of one kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from irviewer.errors import IrviewerError, ParseError
from irviewer.formats.lessons.course_folder import bundled_course, translations_of
from irviewer.formats.lessons.lesson_file import read_lesson
from irviewer.model.lessons.lesson import NOWHERE, Choice, Lesson, LessonView, Place, Question, Step, WrongAnswer
from irviewer.model.rankings.inline_ranking import parse_inline_ranking
from irviewer.session.teaching.answers import number_in
from irviewer.session.teaching.checking.kept_results import KeptResults, Part
from irviewer.session.teaching.checking.wording.exchanged_words import exchanged, is_like, names_others
from irviewer.translation import tr

Said = tuple[str, str, str, Place]
"""What a lesson has, what the bundled one has in its place, the text where it is, and its place."""


def bundled_like(lesson: Lesson) -> Lesson | None:
    """Return the bundled lesson that a lesson was made of: with its id, data, kinds of items and half of its titles,
    in the language that has more of its words; None if there is none, if it is itself one of them, or if it varies."""
    bundled = next((each for each in bundled_course().lessons if each.id == lesson.id), None)
    if bundled is None or lesson.varies or not lesson.rankings:
        return None
    files = [Path(bundled.path), *translations_of(bundled.path)]
    if lesson.path and any(_is_same_file(file, lesson.path) for file in files):
        return None
    others = [each for each in map(_read, files) if each is not None and _is_made_of(lesson, each)]
    words = Counter(_words(lesson))
    return max(others, key=lambda other: (words & Counter(_words(other))).total(), default=None)


def differences_from_bundled(lesson: Lesson, bundled: Lesson, kept: KeptResults | None = None) -> Iterator[ParseError]:
    """Yield a fault for each number, name, answer, action and right choice of a lesson that the bundled one has another
    for. Words may differ, and so may a step or question that asks for something else and has another answer."""
    kept = KeptResults() if kept is None else kept
    for part, its in zip((lesson, *lesson.items), (bundled, *bundled.items), strict=True):
        yield from kept.of(_differences, lesson, part, its, bundled.rankings)


def _differences(lesson: Lesson, part: Part, its: Part, rankings: str) -> Iterator[ParseError]:
    names = {run.name for run in parse_inline_ranking(rankings).runs if len(run.name.split()) == 1}
    hint = tr("correct it, or give this lesson another id: if it is meant to differ")
    if isinstance(part, Lesson) or not _is_own(part, its, names):
        for here, theirs, text, at in (*_fields(part, its), *_texts(part, its, names)):
            reason = tr("the bundled lesson {id} has {bundled} where this one has {here}",
                        id=lesson.id, bundled=theirs or "—", here=here or "—")  # fmt: skip
            yield ParseError(lesson.path, reason, line=at.line, column=at.column, text=text, hint=hint)


def _read(file: Path) -> Lesson | None:
    try:
        return read_lesson(file)
    except IrviewerError:
        return None


def _is_same_file(file: Path, other: str) -> bool:
    try:
        return file.samefile(other)
    except OSError:
        return False


def _words(lesson: Lesson) -> list[str]:
    return " ".join(text for part in (lesson, *lesson.items) for text, _, _ in _pairs(part, part)).lower().split()


def _is_made_of(lesson: Lesson, other: Lesson) -> bool:
    """Return whether two lessons have the same data, items of the same kinds, and half of the titles alike."""
    if _data(lesson) != _data(other) or [*map(_kind, lesson.items)] != [*map(_kind, other.items)]:
        return False
    pairs = zip((lesson, *lesson.items), (other, *other.items), strict=True)
    return 2 * sum(is_like(part.title, its.title) for part, its in pairs) >= 1 + len(lesson.items)


def _data(lesson: Lesson) -> object:
    """Return the rankings of a lesson with their names and the judgments."""
    typed = parse_inline_ranking(lesson.rankings)
    judged = {query: dict(typed.qrels.judgments(query)) for query in typed.qrels.query_ids}
    return judged, [(run.name, [(query, [*run.ranking(query)]) for query in run.query_ids]) for run in typed.runs]


def _kind(item: Step | Question) -> str:
    if isinstance(item, Step):
        return "step"
    return f"{len(item.choices)} choices" if item.choices else "question"


def _at(part: Part) -> Place:
    return NOWHERE if isinstance(part, Lesson) else part.at


def _is_own(part: Step | Question, its: Part, names: set[str]) -> bool:
    """Return whether a step or question is the author's own: it asks for or announces something else, and has another
    answer or does something else."""
    is_other = not is_like(part.title, its.title) or names_others(_stem(part), _stem(its), names)
    return is_other and any(_keys(part, its))


def _stem(part: Part) -> str:
    return f"{part.title}\n\n{part.text}" if isinstance(part, Question) else part.title


def _fields(part: Part, its: Part) -> Iterator[Said]:
    """Yield what differs of what is shown, done, printed and right."""
    at = _at(part)
    if isinstance(part, Lesson) and isinstance(its, Lesson) and part.rules != its.rules:
        yield f"rules: {part.rules}", f"rules: {its.rules}", f"rules: {part.rules}", at
    for key, here, theirs in _views(part.view, its.view):
        yield f"{key}: {here}", f"{key}: {theirs}", f"{key}: {here}", at
    printed = {(each.measure, each.run, each.query): each for each in its.figures}
    for figure in part.figures:
        other = printed.get((figure.measure, figure.run, figure.query))
        if other is not None and not figure.agrees(other.value) and not other.agrees(figure.value):
            text = f"{figure.measure} = {figure.text}"
            yield text, f"{other.measure} = {other.text}", text, figure.at
    yield from _keys(part, its)
    if isinstance(part, Question) and isinstance(its, Question):
        own, others = ({each.answer for each in every.wrong} for every in (part, its))
        for wrong in (each for each in part.wrong if each.answer not in others):
            like = [each for each in its.wrong if each.answer not in own and is_like(wrong.reason, each.reason)]
            if len(like) == 1 and not _is_same_number(wrong.answer, like[0].answer):
                yield f"wrong {wrong.answer}", f"wrong {like[0].answer}", f"wrong {wrong.answer}", wrong.at


def _is_same_number(answer: str, other: str) -> bool:
    first, second = number_in(answer), number_in(other)
    return first is not None and second is not None and abs(first - second) <= 0.01 * abs(second)


def _views(view: LessonView, its: LessonView) -> Iterator[tuple[str, str, str]]:
    """Yield what two views show, where both say it and not the same."""
    for key in ("measure", "cutoff", "level", "run", "query", "beside"):
        here, theirs = (
            f"{each:g}" if isinstance(each, float) else str(each or "")
            for each in (getattr(view, key), getattr(its, key))
        )
        if here and theirs and here != theirs:
            yield key, here, theirs


def _keys(part: Part, its: Part) -> Iterator[Said]:
    """Yield what a step does, and what is right in a question, if the other does or has something else."""
    if isinstance(part, Step) and isinstance(its, Step):
        here, theirs = ("do: " + "; ".join(_done(each)) for each in (part, its))
        if here != theirs:
            other = (each.at for each, its_own in zip_longest(part.actions, its.actions) if each and each != its_own)
            yield here, theirs, part.title, next(other, part.at)
    elif isinstance(part, Question) and isinstance(its, Question):
        if part.asked is not None and its.asked is not None and part.asked != its.asked:
            yield f"ask: {_asked(part)}", f"ask: {_asked(its)}", f"ask: {_asked(part)}", part.at
        if part.answer and its.answer and not _is_same_answer(part, its):
            yield f"answer: {part.answer}", f"answer: {its.answer}", f"answer: {part.answer}", part.at
        marks = [(choice, other) for choice, other in _choices(part, its) if choice.right or other.right]
        if any(choice.right != other.right for choice, other in marks):
            here, theirs = (
                ", ".join(f"[x] {each.text}" for each in choices if each.right) for choices in zip(*marks, strict=True)
            )
            yield here, theirs, here, part.at


def _done(step: Step) -> Iterator[str]:
    for each in step.actions:
        said = [each.verb, *map("{:g}".format, each.numbers), each.text, f"in {each.run}" if each.run else ""]
        yield " ".join(filter(None, said))


def _asked(question: Question) -> str:
    asked = question.asked
    if asked is None:
        return ""
    what = asked.measure or f"{asked.column} at {asked.rank}"
    return what + (f" of {asked.run}" if asked.run else "") + (f", query {asked.query}" if asked.query else "")


def _is_same_answer(question: Question, other: Question) -> bool:
    """Return whether two questions have a right answer in common."""
    return any(
        " ".join(first.casefold().split()) == " ".join(second.casefold().split()) or _is_same_number(first, second)
        for first in question.spellings
        for second in other.spellings
    )


def _choices(question: Question, other: Question) -> Iterator[tuple[Choice, Choice]]:
    """Yield the choices of a question with those of the other: of the same text wherever they stand, the rest in their
    order."""
    left = [*other.choices]
    rest = []
    for choice in question.choices:
        same = next((each for each in left if each.text.split() == choice.text.split()), None)
        if same is None:
            rest.append(choice)
        else:
            left.remove(same)
            yield choice, same
    yield from zip(rest, left, strict=True)


def _texts(part: Part, its: Part, names: set[str]) -> Iterator[Said]:
    """Yield what was exchanged in the texts of a part."""
    for text, other, at in _pairs(part, its):
        for sentence, here, theirs in exchanged(text, other, names):
            yield here, theirs, sentence, at


def _pairs(part: Part, its: Part) -> Iterator[tuple[str, str, Place]]:
    """Yield the texts of a part with those of the other one, and their places."""
    at = _at(part)
    yield part.title, its.title, at
    yield part.text, its.text, at
    if isinstance(part, Question) and isinstance(its, Question):
        yield part.because, its.because, at
        yield part.hint, its.hint, at
        for choice, other in _choices(part, its):
            yield choice.text, other.text, at
            yield choice.reason, other.reason, at
        for wrong, of in _wrong(part.wrong, its.wrong):
            yield wrong.reason, of.reason, wrong.at


def _wrong(wrong: Sequence[WrongAnswer], others: Sequence[WrongAnswer]) -> Iterator[tuple[WrongAnswer, WrongAnswer]]:
    """Yield the wrong answers with those of the other question that are the same."""
    known = {each.answer: each for each in others}
    yield from ((each, known[each.answer]) for each in wrong if each.answer in known)
