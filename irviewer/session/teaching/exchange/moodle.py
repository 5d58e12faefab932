"""The questions of a course as Moodle XML, for a question bank: choices, numbers and short texts, with their reasons.

The format: https://docs.moodle.org/en/Moodle_XML_format (multichoice, numerical and shortanswer)."""

from __future__ import annotations

import base64
import hashlib
import re
from html import escape
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from irviewer.model.lessons.course import Course
from irviewer.model.lessons.lesson import Lesson, Question
from irviewer.rendering.lesson_text import Shown, drawn_latex, html_of, inline_html_of, plain_of
from irviewer.session.session import Session
from irviewer.session.teaching.answers import CLOSE, number_in, right_number
from irviewer.session.teaching.exchange.printing import blank_tables
from irviewer.session.teaching.own_session import opened
from irviewer.translation import as_lectures

_REFUSED = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""


@as_lectures()
def moodle_xml(course: Course) -> bytes:
    """Return the questions of a course as a file of Moodle's question bank: a category for each lesson, and in the text
    of each question the rankings that it is about. Raises IrviewerError if the files that a lesson names cannot be
    read."""
    quiz = Element("quiz")
    for lesson in course.lessons:
        if not any(isinstance(item, Question) for item in lesson.items):
            continue
        category = SubElement(SubElement(SubElement(quiz, "question", type="category"), "category"), "text")
        # A slash begins a category below; two are one of the name.
        names = (course.title, lesson.title) if len(course.lessons) > 1 else (lesson.title,)
        category.text = _kept("/".join(("$course$/top", *(name.replace("/", "//") for name in names))))
        session = opened(lesson)
        for place, item in enumerate(lesson.items, start=1):
            if isinstance(item, Question):
                session.lessons.show_place(place)
                question = _question(session, lesson, item, place)
                _put_pictures(question, lesson)
                quiz.append(question)
    ElementTree.indent(quiz)
    data: bytes = ElementTree.tostring(quiz, encoding="utf-8", xml_declaration=True)
    return data


def _question(session: Session, lesson: Lesson, question: Question, place: int) -> Element:
    computed = session.teaching.computed(question)
    wanted = None if question.choices else right_number(question, computed)
    kind = "multichoice" if question.choices else "shortanswer" if wanted is None else "numerical"
    element = Element("question", type=kind)
    _text(SubElement(element, "name"), f"{lesson.id} {place}: {plain_of(question.title)}"[:250])
    tables = "".join(blank_tables(session, lesson))
    _html(
        element,
        "questiontext",
        f"<p>{inline_html_of(question.title, IN_MOODLE)}</p>{html_of(question.text, IN_MOODLE)}{tables}",
    )
    _html(element, "generalfeedback", html_of(question.because, IN_MOODLE))
    SubElement(element, "defaultgrade").text = f"{question.points:g}"
    if question.hint:
        # Where a quiz lets its students try again, Moodle shows the hint and takes the penalty, a share of the points.
        SubElement(element, "penalty").text = f"{question.hint_costs / question.points:.7f}"
        _html(element, "hint", html_of(question.hint, IN_MOODLE))
    if question.choices:
        SubElement(element, "single").text = "false" if question.several else "true"
        SubElement(element, "shuffleanswers").text = "false" if question.keeps_order else "true"
        SubElement(element, "answernumbering").text = "none"
        share = sum(choice.right for choice in question.choices)
        for choice in question.choices:
            # Of several right ones each has its share; a wrong one takes one away, so that ticking all gives nothing.
            lost = -100 / max(1, len(question.choices) - share) if question.several else 0
            fraction = 100 / share if choice.right else lost
            _answer(
                element,
                fraction,
                inline_html_of(choice.text, IN_MOODLE),
                inline_html_of(choice.reason, IN_MOODLE),
                is_html=True,
            )
        return element
    if wanted is None:
        SubElement(element, "usecase").text = "0"
        for spelling in question.spellings:
            _answer(element, 100, spelling.replace("*", r"\*"), "")
    else:
        within = CLOSE if question.within is None else question.within
        _answer(element, 100, repr(float(wanted)), "", within)
    for wrong in question.wrong:
        value = number_in(wrong.answer)
        if wanted is None:
            _answer(element, 0, wrong.answer.replace("*", r"\*"), html_of(wrong.reason, IN_MOODLE))
        elif value is not None:
            within = CLOSE if question.within is None else question.within
            _answer(element, 0, repr(float(value)), html_of(wrong.reason, IN_MOODLE), within)
    return element


def _put_pictures(question: Element, lesson: Lesson) -> None:
    """Put the pictures that the texts of a question show into it as files."""
    for element in list(question.iter()):
        text = element.findtext("text") or ""
        for picture in lesson.pictures:
            name = _file_name(picture.name)
            if f"@@PLUGINFILE@@/{name}" in text:
                file = SubElement(element, "file", name=name, path="/", encoding="base64")
                file.text = base64.b64encode(picture.data).decode()


def _answer(
    question: Element, fraction: float, text: str, reason: str, within: float | None = None, *, is_html: bool = False
) -> None:
    form = "html" if is_html else "moodle_auto_format"
    answer = SubElement(question, "answer", fraction=f"{fraction:.7g}", format=form)
    _text(answer, text)
    if within is not None:
        SubElement(answer, "tolerance").text = repr(within)
    _html(answer, "feedback", reason)


def _html(parent: Element, name: str, html: str) -> None:
    _text(SubElement(parent, name, format="html"), html)


def _text(parent: Element, text: str) -> None:
    SubElement(parent, "text").text = _kept(text)


def _formula(formula: str) -> str:
    """Return a formula as Moodle's filters read it: it takes MathML out of texts."""
    return escape(rf"\({drawn_latex(formula)}\)")


def _picture(name: str, alt: str) -> str:
    return f'<img src="@@PLUGINFILE@@/{_file_name(name)}" alt="{escape(alt)}">'


def _file_name(name: str) -> str:
    """Return the name that a picture has among the files of a question: one without folders and signs."""
    return f"{hashlib.sha256(name.encode()).hexdigest()[:8]}{Path(name).suffix.lower()}"


IN_MOODLE = Shown(_formula, _picture)


def _kept(text: str) -> str:
    return _REFUSED.sub("\N{REPLACEMENT CHARACTER}", text)
