"""Lessons in other languages: the same rankings, figures, steps and answers as in English, and the same numbers in the
texts."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from irviewer.formats.lessons.course_folder import INDEX, bundled_course
from irviewer.formats.lessons.lesson_file import read_lesson
from irviewer.model.lessons.lesson import Item, Lesson, LessonView, Question, Step
from irviewer.model.rankings.inline_ranking import InlineRanking, parse_inline_ranking
from irviewer.paths import resource

ENGLISH = resource("lessons/en")
LANGUAGES = sorted(folder.name for folder in ENGLISH.parent.iterdir() if folder.is_dir() and folder.name != "en")
FILES = sorted(path.name for path in ENGLISH.glob("*.md") if path.name != INDEX)
NUMBER = re.compile(r"(?<![\w.])\d*\.?\d+")


def pair(language: str, name: str) -> tuple[Lesson, Lesson]:
    return read_lesson(ENGLISH / name), read_lesson(ENGLISH.parent / language / name)


@cache
def typed(rankings: str) -> InlineRanking:
    """What is typed as rankings, parsed once: each figure and step asks for names in it."""
    return parse_inline_ranking(rankings)


def names(lesson: Lesson) -> dict[str, int]:
    """Ranking -> its place, as names are translated."""
    return {"": -1} | {run.name: place for place, run in enumerate(typed(lesson.rankings).runs)}


def view(lesson: Lesson, shown: LessonView) -> tuple[object, ...]:
    return shown.measure, shown.cutoff, shown.level, shown.show, shown.columns, names(lesson)[shown.run], shown.query


def figures(lesson: Lesson, item: Lesson | Item) -> list[tuple[object, ...]]:
    places = names(lesson)
    return [
        (each.measure, each.text, places[each.run], each.query, bool(each.source), bool(each.note))
        for each in item.figures
    ]


def done(lesson: Lesson, item: Item) -> object:
    places = names(lesson)
    if isinstance(item, Step):
        return [(action.verb, action.numbers, action.text, places[action.run]) for action in item.actions]
    asked = item.asked
    return (
        asked and (asked.measure, asked.column, asked.rank, places[asked.run], asked.query),
        item.answer,
        item.within,
        [(choice.right, bool(choice.reason)) for choice in item.choices],
        [wrong.answer for wrong in item.wrong],
        bool(item.because),
    )


def numbers(item: Lesson | Item) -> Counter[float]:
    """The numbers of all texts; thousands are separated by spaces."""
    texts = [item.title, item.text]
    if isinstance(item, Question):
        texts += [text for choice in item.choices for text in (choice.text, choice.reason)]
        texts += [item.because, *(wrong.reason for wrong in item.wrong)]
    return Counter(float(number) for number in NUMBER.findall("\n".join(texts)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_lesson(language: str) -> None:
    folder = ENGLISH.parent / language
    assert sorted(path.name for path in folder.glob("*.md") if path.name != INDEX) == FILES
    english, translated = bundled_course(""), bundled_course(language)
    assert [lesson.id for lesson in translated.lessons] == [lesson.id for lesson in english.lessons]
    assert all(Path(lesson.path).parent.name == language for lesson in translated.lessons)
    assert translated.title != english.title
    assert translated.text != english.text


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_same_numbers(language: str, name: str) -> None:
    english, translated = pair(language, name)
    assert (translated.id, translated.rules) == (english.id, english.rules)
    assert translated.title != english.title
    assert view(translated, translated.view) == view(english, english.view)
    theirs, own = typed(english.rankings), typed(translated.rankings)
    for query in theirs.qrels.query_ids:
        assert own.qrels.judgments(query) == theirs.qrels.judgments(query)
        assert [run.ranking(query) for run in own.runs] == [run.ranking(query) for run in theirs.runs]
    assert figures(translated, translated) == figures(english, english)
    assert len(translated.items) == len(english.items)
    for place, (item, ours) in enumerate(zip(english.items, translated.items, strict=True), start=1):
        assert type(ours) is type(item)
        assert ours.title != item.title
        assert view(translated, ours.view) == view(english, item.view), place
        assert figures(translated, ours) == figures(english, item), place
        assert done(translated, ours) == done(english, item), place
        assert numbers(ours) == numbers(item), (place, numbers(ours) - numbers(item), numbers(item) - numbers(ours))
    assert numbers(translated) == numbers(english), numbers(translated) - numbers(english)


@pytest.mark.parametrize("name", [*FILES, INDEX])
def test_the_spanish_has_one_word_for_one_thing(name: str) -> None:
    """A run is an ejecución, a judge an evaluador, a grade a grado; zeros stand before the decimal sign."""
    text = (ENGLISH.parent / "es" / name).read_text("utf-8").rpartition("\n---\n")[2]
    assert not re.findall(r"\bsalidas?\b|\bjue(?:z|ces)\b|\bcalificaci\w+", text)
    head = (ENGLISH.parent / "es" / name).read_text("utf-8")
    assert "jueces" not in head
    prose = [line for line in text.splitlines() if not re.match(r"\s*(?:answer|ask|within|wrong|do|computed)\b", line)]
    assert not [line for line in prose if re.search(r"(?<=[\s(])\.\d", line) and " = ." not in line and ":" not in line]
