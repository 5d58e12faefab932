"""The questions of a course as Moodle XML: each question type as Moodle's format has it, and every answer marked as in
the window."""

from __future__ import annotations

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.model.lessons.course import Course, CourseEntry, course_of
from irviewer.model.lessons.lesson import Question
from irviewer.session.teaching.answers import answered
from irviewer.session.teaching.exchange.moodle import moodle_xml
from irviewer.session.teaching.own_session import opened

LESSON = """---
title: A/B <b>
rankings: 1 0 1 | R=4
---
## Question: What is P@3?
ask: P@3
wrong .3: That is <i>not</i> it.
because: 2 of 3.

## Question: Which of a, b?

- [x] a & b
- [x] b alone
- [ ] c alone
  no

## Question: Who?
answer: Cleverdon* | C.
wrong nobody: Somebody.
"""


def questions_of(xml: bytes) -> list[Element]:
    return [each for each in ElementTree.fromstring(xml) if each.get("type") != "category"]


def answers_of(question: Element) -> list[tuple[str, str, str | None]]:
    return [
        (each.get("fraction", ""), each.findtext("text", ""), each.findtext("tolerance"))
        for each in question.findall("answer")
    ]


def test_points_and_hints_are_those_of_the_lesson() -> None:
    text = LESSON.replace("ask: P@3\n", "ask: P@3\npoints: 4\nhint: *Count* them.\nhint costs: 1\n")
    number, choice, _ = questions_of(moodle_xml(course_of(parse_lesson(text, "l.md"))))
    assert (number.findtext("defaultgrade"), choice.findtext("defaultgrade")) == ("4", "1")
    assert "<em>Count</em> them." in (number.findtext("hint/text") or "")
    assert float(number.findtext("penalty") or "nan") == 0.25
    assert choice.find("hint") is None


def test_a_formula_is_latex_that_moodle_reads() -> None:
    text = LESSON.replace("because: 2 of 3.", r"because: $\frac{2}{3} < 1$")
    number, *_ = questions_of(moodle_xml(course_of(parse_lesson(text, "l.md"))))
    assert number.findtext("generalfeedback/text") == "<p>\\(\\frac{2}{3} &lt; 1\\)</p>\n"


def test_each_kind_of_question_has_its_type_answers_and_reasons() -> None:
    number, choice, word = questions_of(moodle_xml(course_of(parse_lesson(LESSON, "l.md"))))
    assert [each.get("type") for each in (number, choice, word)] == ["numerical", "multichoice", "shortanswer"]
    assert answers_of(number) == [("100", repr(2 / 3), "0.005"), ("0", "0.3", "0.005")]
    assert "&lt;i&gt;" in (number.findall("answer")[1].findtext("feedback/text") or "")
    assert "2 of 3." in (number.findtext("generalfeedback/text") or "")
    assert choice.findtext("single") == "false"
    assert sorted(answers_of(choice)) == sorted(
        [("50", "a &amp; b", None), ("50", "b alone", None), ("-100", "c alone", None)]
    )
    assert answers_of(word) == [("100", r"Cleverdon\*", None), ("100", "C.", None), ("0", "nobody", None)]
    assert "<table>" in (number.findtext("questiontext/text") or "")


def test_categories_are_the_lessons_and_hold_any_title() -> None:
    lessons = [parse_lesson(LESSON, "l.md"), parse_lesson(LESSON.replace("A/B <b>", "x\x00y"), "m.md")]
    course = Course("C", tuple(CourseEntry(each.path, each) for each in lessons))
    categories = ElementTree.fromstring(moodle_xml(course)).findall("question/category/text")
    assert [each.text for each in categories] == [
        "$course$/top/C/A//B <b>",
        "$course$/top/C/x\N{REPLACEMENT CHARACTER}y",
    ]


def test_the_right_answers_of_the_bundled_course_are_right_in_the_window() -> None:
    course = bundled_course("en")
    written = iter(questions_of(moodle_xml(course)))
    asked = 0
    for lesson in course.lessons:
        session = opened(lesson)
        for place, item in enumerate(lesson.items, start=1):
            if not isinstance(item, Question):
                continue
            session.lessons.show_place(place)
            question, asked = next(written), asked + 1
            for fraction, text, tolerance in answers_of(question):
                if tolerance is not None:
                    given = answered(item, text, session.teaching.computed(item), 1)
                    assert given.right == (fraction == "100"), (lesson.id, place, text)
            total = sum(float(fraction) for fraction, _, _ in answers_of(question) if float(fraction) > 0)
            assert item.spellings or abs(total - 100) < 1e-4
    assert next(written, None) is None
    assert asked > 100
