"""Every step and every question begins with the lists of the file at every door: window, presenter's view, picture,
web page, sheet, check, marks and variants."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from irviewer.commands import run_command
from irviewer.formats.lessons.answer_file import Try, read_answers
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.widgets.picture import savable_picture
from irviewer.gui.window import MainWindow
from irviewer.model.lessons.course import course_of
from irviewer.model.lessons.variants import variant_of
from irviewer.session.session import Session
from irviewer.session.teaching.checking.faults import faults_of
from irviewer.session.teaching.exchange.grading import graded
from irviewer.session.teaching.exchange.printing import lesson_sheet
from irviewer.session.teaching.exchange.second_language import read_page
from irviewer.session.teaching.exchange.web_page import save_page
from irviewer.translation import decimal_points

# Of 0 1 0 1, AP is (1/2 + 2/4) / 2 = 1/2. Each swap alone gives A C B D (0 0 1 1: 5/12), or B A C D (1 0 0 1: 3/4);
# one after the other they would give C A B D.
LESSON = """---
title: T
rankings: 0 1 0 1
---
## Step: Swap ranks 2 and 3
do: swap 2 3
computed: AP = 5/12

## Step: Swap ranks 1 and 2
do: swap 1 2
computed: AP = 3/4

## Question: What is AP?
ask: AP

## Question: Which?
- [x] one
- [ ] two
"""
FILE, FIRST, SECOND = list("ABCD"), list("ACBD"), list("BACD")


def shown(session: Session) -> tuple[list[str], float]:
    """The documents and the value that the window shows."""
    entry, value = session.teaching.lesson_run, session.teaching.lesson_value()
    assert entry is not None
    assert value is not None
    names = dict(zip(session.view.collection.runs[0].run.ranking("1"), "ABCD", strict=True))  # type: ignore[union-attr]
    return [names[each] for each in entry.run.ranking("1")], value[1]


@pytest.mark.parametrize(
    "ways",
    [
        "do_it lesson_next do_it",
        "lesson_next lesson_next do_it",  # the first step is skipped
        "do_it do_it lesson_next do_it do_it",  # both are done twice
        "do_it lesson_next do_it lesson_back do_it lesson_next do_it",
        "do_it lesson_next do_it lesson_next lesson_next lesson_back lesson_back do_it",
    ],
)
def test_a_step_has_one_effect_whatever_was_done_before_it(ways: str) -> None:
    session = Session()
    assert session.teaching.open(parse_lesson(LESSON))
    for name in ways.split():
        run_command(session, name)
    assert shown(session) == (SECOND, pytest.approx(3 / 4))
    run_command(session, "lesson_next")
    assert shown(session)[0] == FILE
    run_command(session, "lesson_next")
    assert shown(session) == (FILE, pytest.approx(1 / 2))


def test_all_doors_have_the_lists_and_values_of_the_window(
    empty_session: Session, make_window: Callable[[Session], MainWindow], tmp_path: Path
) -> None:
    lesson = replace(parse_lesson(LESSON, "l.md"), id="l")
    assert faults_of(lesson) == ()
    assert [fault.reason for fault in faults_of(parse_lesson(LESSON.replace("= 3/4", "= 1/2"), "l.md"))] == [
        "AP is 0.7500 here, not 1/2"
    ]
    assert empty_session.teaching.open(lesson)
    window = make_window(empty_session)
    window.flush()
    run_command(empty_session, "presenter")
    window.flush()
    view, screen = window.presenter, window.current_screen
    assert view is not None
    assert isinstance(screen, QueryScreen)
    in_window, in_pictures = [shown(empty_session)], []
    for _ in lesson.items:
        view.buttons["lesson_next"].click()
        window.flush()
        in_window.append(shown(empty_session))
        if view.buttons["do_it"].isEnabled():
            view.buttons["do_it"].click()
            window.flush()
            in_window.append(shown(empty_session))
            file = tmp_path / f"{len(in_window)}.svg"
            savable_picture(screen, screen.theme, "T").write(str(file))
            in_pictures.append(re.findall(r'aria-label="([^"]*)"', file.read_text(encoding="utf-8")))
    wanted = [(FILE, 1 / 2), (FILE, 1 / 2), (FIRST, 5 / 12), (FILE, 1 / 2), (SECOND, 3 / 4), *[(FILE, 1 / 2)] * 2]
    assert [names for names, _ in in_window] == [names for names, _ in wanted]
    assert [value for _, value in in_window] == pytest.approx([value for _, value in wanted])
    assert ".4167" in " ".join(in_pictures[0])
    assert ".7500" in " ".join(in_pictures[1])
    assert ".4167" not in " ".join(in_pictures[1])

    page = tmp_path / "p.html"
    with decimal_points():  # as for every file that the window saves
        save_page(str(page), course_of(lesson))
    on_page, places = [], read_page(page)["lessons"][0]["places"]
    for place in places:
        for tables in filter(None, (place["tables"], place.get("after"))):
            letters = dict(zip(places[0]["tables"][0]["documents"], "ABCD", strict=True))
            ap = [float(row[tables[0]["columns"].index("AP")][1]) for row in tables[0]["cells"]]
            on_page.append(([letters[each] for each in tables[0]["documents"]], ap[-1] / 2))
    assert [names for names, _ in on_page] == [names for names, _ in wanted]
    assert [value for _, value in on_page] == pytest.approx([value for _, value in wanted], abs=0.005)
    assert [place["change"] for place in places if "change" in place] == ["AP .5000 → .4167", "AP .5000 → .7500"]

    sheet = lesson_sheet([lesson], answers=True)
    assert sheet.index("AP = 5/12") < sheet.index("AP = 3/4") < sheet.index("<b>.5</b>")
    variant = variant_of(replace(lesson, varies_order=True), "Ana")
    of_ana = Session()
    assert of_ana.teaching.open(variant)
    runs = of_ana.view.collection.runs  # type: ignore[union-attr]
    for place in range(1, len(lesson.items) + 1):
        assert of_ana.teaching.show_place(place)
        assert of_ana.view.collection.runs == runs  # type: ignore[union-attr]
        of_ana.teaching.do_example_step()

    answers = tmp_path / "a.json"
    tries = {"l": {"3": [{"text": ".42"}, {"text": ".75"}, {"text": ".5"}]}}
    answers.write_text(json.dumps({"irviewer answers": 1, "course": "", "name": "Ana", "answers": tries}))
    marks = graded(course_of(lesson), [read_answers(str(answers))])
    assert (marks.column("points").values[0], marks.column("first_try").values[0]) == (1, False)
    marks = graded(course_of(lesson), [replace(read_answers(str(answers)), tries={("l", 3): (Try(".75"),)})])
    assert marks.column("points").values[0] == 0
