"""Every lesson opens and has the figures that its source prints; typed rankings open without a file."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from irviewer.formats.lessons import course_folder
from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.measures.parser import parse_measure
from irviewer.model.lessons.course import course_of
from irviewer.model.lessons.lesson import Figure, Lesson, Step
from irviewer.session.projects.project import has_work
from irviewer.session.session import Session
from irviewer.session.teaching.exchange.printing import lesson_sheet
from irviewer.session.teaching.exchange.web_page import lesson_page
from irviewer.session.teaching.figures import figure_text, value_of

LESSONS = bundled_course("").lessons


def value(session: Session, figure: Figure) -> float:
    """What the session shows for a printed figure."""
    context = session.view.context
    assert context is not None
    runs = context.collection.runs
    entry = runs[0] if not figure.run else next(run_entry for run_entry in runs if run_entry.name == figure.run)
    return value_of(figure, context, entry)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_a_lesson_opens_with_the_printed_figures(lesson: Lesson) -> None:
    session = Session()
    assert session.teaching.open_example(lesson.id)
    assert session.lessons.lesson == lesson
    assert str(session.view.measure) == str(parse_measure(lesson.view.measure))
    assert session.view.messages == ()  # the lesson's strip says what it shows
    assert session.teaching.is_on
    for figure in lesson.figures:
        assert figure.agrees(value(session, figure)) or figure.note, figure
    assert session.view_models.query_view_model() is not None
    assert session.view_models.systems_view_model() is not None
    assert session.view_models.queries_view_model() is not None


@pytest.mark.parametrize(
    ("lesson", "place"),
    [
        (lesson, place)
        for lesson in LESSONS
        for place, item in enumerate(lesson.items, start=1)
        if isinstance(item, Step) and item.actions
    ],
    ids=lambda parameter: getattr(parameter, "id", parameter),
)
def test_a_step_ends_with_the_printed_figures(lesson: Lesson, place: int) -> None:
    session = Session()
    session.teaching.open_example(lesson.id)
    assert session.lessons.show_place(place)
    assert session.teaching.do_example_step()
    for figure in lesson.items[place - 1].figures:
        context, entry = session.view.context, session.teaching.lesson_run
        assert context is not None
        assert entry is not None
        if figure.run:
            entry = next(run for run in context.collection.runs if run.name == figure.run)
        assert figure.agrees(value_of(figure, context, entry)) or figure.note, figure


def test_printed_is_digit_for_digit_with_author_and_heading_and_ours_beside() -> None:
    figure = Figure("AP", "0.76", 0.76, 2, source="Author, “heading”")
    assert figure_text(figure, 0.75551) == "Printed: AP = 0.76 (Author, “heading”) · more exactly 0.7555"
    assert figure_text(figure, 0.76) == "Printed: AP = 0.76 (Author, “heading”)"
    fraction = Figure("P@3", "2/3", 2 / 3, 0, source="Author")
    assert figure_text(fraction, 2 / 3) == "Printed: P@3 = 2/3 (Author)"
    rounded = Figure("nDCG@10", "0.9538", 0.9538, 4, source="Author", note="sums rounded")
    assert not rounded.agrees(0.95407)
    whole = [Figure("P@9", str(end), float(end), 0, source="Author") for end in (0, 1)]
    assert [[end.agrees(abs(end.value - by)) for by in (0.004, 0.006)] for end in whole] == [[True, False]] * 2
    assert (
        figure_text(rounded, 0.95407)
        == "Printed: nDCG@10 = 0.9538 (Author) · more exactly 0.9541 · rounded: sums rounded"
    )
    assert figure_text(Figure("SetP", ".4", 0.4, 1), 0.4) == "By definition: SetP = .4"


def test_values_at_ranks_that_follow_each_other_are_one_line(tmp_path: Path) -> None:
    text = """---
title: T
measure: AP
rankings: 1 0 1 0 1 0
printed:
  P@1..5 = 1.0 .5 .67 .5 .6 (Author)
  P@6 = .5 (Another)
  R@1..3 = 1/3 1/3 2/3 (Author)
computed: P@1..2 = 1 .5
  P@4 = .5
---
## Question: What is P@3?
ask: P@3
"""
    lesson = parse_lesson(text, "l.md")
    sheet = lesson_sheet([lesson], answers=True)
    lines = [
        "Printed: P@1..5 = 1.0 .5 .67 .5 .6 (Author) · more exactly 1 .5000 .6667 .5000 .6000",
        "Printed: P@6 = .5 (Another)",
        "Printed: R@1..3 = 1/3 1/3 2/3 (Author)",
        "By definition: P@1..2 = 1 .5",
        "By definition: P@4 = .5",
    ]
    assert [unescape(line) for line in re.findall("<li>(.*?)</li>", sheet)] == lines
    # In a page what a question asks for is covered until it is answered, and stands apart.
    page = lesson_page(course_of(lesson))
    [data] = re.findall(r'<script type="application/json" id="lessons">(.*?)</script>', page)
    figures = json.loads(data)["lessons"][0]["places"][0]["figures"]
    assert [(each["text"], each["awaited"]) for each in figures] == [
        ("Printed: P@1..2 = 1.0 .5 (Author)", []),
        ("Printed: P@3 = .67 (Author) · more exactly .6667", [1]),
        ("Printed: P@4..5 = .5 .6 (Author)", []),
        (lines[1], []),
        ("Printed: R@1..2 = 1/3 1/3 (Author)", []),
        ("Printed: R@3 = 2/3 (Author)", [1]),
        *((line, []) for line in lines[3:]),
    ]


def test_g1_judged_otherwise_gives_g2_and_g3() -> None:
    session = Session()
    session.teaching.open_example("g1")
    run = session.view.collection.runs[0].run  # type: ignore[union-attr]
    first, last = run.ranking("1")[0], run.ranking("1")[-1]
    measure = parse_measure("DCG@10")

    def dcg() -> float:
        context = session.view.context
        assert context is not None
        return context.mean(context.collection.runs[0], measure)

    session.judging.judge(first, 3)
    assert dcg() == pytest.approx(10.17252, abs=5e-6)
    session.history.undo()
    session.judging.judge(last, 3)
    assert dcg() == pytest.approx(12.07561, abs=5e-6)


def test_an_example_opens_once_and_others_are_named() -> None:
    session = Session()
    session.teaching.open_example("b2")
    session.teaching.open_example("Graded gains, discounted")
    assert session.teaching.open_example("B2")
    assert len(session.view.workspace.collections) == 2
    assert session.state.current == 0
    assert str(session.view.measure) == "AP"
    assert not session.teaching.open_example("z9")
    assert "choose one of collection, sets" in session.view.messages[-1].text
    assert len({lesson.id for lesson in LESSONS}) == len(LESSONS)


def test_a_lesson_is_found_by_the_name_of_its_file() -> None:
    session = Session()
    assert session.teaching.open_example("Depth-K-pooling")
    assert session.lessons.lesson == session.lessons.named("pooling")


def test_an_inline_ranking_needs_no_file() -> None:
    session = Session()
    assert not session.teaching.open_inline_ranking("one two")
    assert "is not a grade" in session.view.messages[-1].text
    assert session.teaching.open_inline_ranking("bm25: 1 0 1 1 0 | R=10\ndense: 0 1 1 1 0", "blackboard")
    assert session.view.collection is not None
    assert session.view.collection.name == "blackboard"
    assert [entry.name for entry in session.view.collection.runs] == ["bm25", "dense"]
    assert session.view_models.query_view_model() is not None


def test_a_printed_value_is_only_beside_the_list_of_its_author() -> None:
    session = Session()
    session.teaching.open_example("b2")
    printed = session.teaching.printed_figure()
    assert printed is not None
    assert printed.text == "0.76"
    session.teaching.go()  # the list before the swap has .7555; the author prints .79 for the one after it
    assert session.teaching.printed_figure() is None
    session.teaching.do_example_step()
    printed = session.teaching.printed_figure()
    assert printed is not None
    assert printed.text == "0.79"
    session.teaching.go(-1)
    value = session.teaching.figure_value()
    printed = session.teaching.printed_figure()
    assert printed is None or (value is not None and printed.agrees(value))


def test_the_lessons_of_the_program_are_read_before_a_menu_lists_them(monkeypatch: pytest.MonkeyPatch) -> None:
    course_folder._bundled.cache_clear()
    session = Session()
    session.lessons.prepare()
    monkeypatch.setattr(course_folder, "read_course", pytest.fail)
    assert len(session.lessons.every) > 30
    assert session.busy is None


def test_what_is_tried_in_a_lesson_is_no_unsaved_work() -> None:
    session = Session()
    session.teaching.open_example("b2")
    session.teaching.go()
    assert session.teaching.do_example_step()
    assert session.run_editing.edited_run is not None
    assert not has_work(session.state.workspace)
    session.teaching.open_example("g1")
    session.teaching.go()
    assert session.teaching.do_example_step()  # it gives another grade
    assert not has_work(session.state.workspace)
    assert session.autosave.save_status == ""
    session.files.close_collection()
    assert not any("unsaved work" in message.text for message in session.view.messages)
    session.teaching.open_inline_ranking("1 0 1 | R=2")
    session.judging.judge("B", 1)
    assert has_work(session.state.workspace)  # what was typed is the user's own
