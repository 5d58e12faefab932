"""The sections of lessons, ``## Step: …`` and ``## Question: …``: their fields, choices and texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from irviewer.errors import MeasureError, ParseError
from irviewer.formats.lessons.fences import with_fences
from irviewer.formats.lessons.fields import Field, Line, known_hint, read_fields
from irviewer.formats.lessons.figures import read_figures, split_subject
from irviewer.formats.lessons.step_actions import rank_of, read_actions
from irviewer.formats.lessons.views import VIEW_KEYS, read_view
from irviewer.measures.parser import parse_measure
from irviewer.model.lessons.lesson import COLUMNS, Asked, Choice, Figure, Item, Place, Question, Step, WrongAnswer
from irviewer.translation import tr

STEP_KEYS = ("do", "printed", "computed", *VIEW_KEYS)
QUESTION_KEYS = (
    "ask", "answer", "within", "because", "wrong", "order", "right", "points", "hint", "hint costs",
    "printed", "computed", *VIEW_KEYS,
)  # fmt: skip
MOST_POINTS = 1000
"""The most points that a question can be worth."""
_HEADING = re.compile(r"##\s+(.*)$")
_KIND = re.compile(r"(step|question)\s*:\s*(.*)$", re.I)
_CHOICE = re.compile(r"[-*]\s+\[([ xX])\]\s*(.*)$")
_NO_CHOICE = re.compile(r"[-*]\s+\[.?\](\s|$)")
_LOST = re.compile(r"wrong\s+[-\N{MINUS SIGN}+]?[.,]?\d")
_KEY = re.compile(r"(ask|answer|within|because|wrong\s+\S+|points|right|hint( costs)?|do|printed|computed)\s*:(\s|$)")
_CELL = re.compile(r"(.+?)\s+at\s+(\d+)$")


def split_sections(lines: Sequence[Line]) -> tuple[list[Line], list[list[Line]]]:
    """Return the lines before the first heading ``##``, and the lines of each section, its heading first."""
    before: list[Line] = []
    sections: list[list[Line]] = []
    for line, fenced in with_fences(lines):
        if not fenced and _HEADING.match(line.text):
            sections.append([line])
        else:
            (sections[-1] if sections else before).append(line)
    return before, sections


def read_section(lines: Sequence[Line], path: str | Path) -> Item:
    """Return the step or the question of a section. Raises ParseError."""
    heading = lines[0]
    match = _HEADING.match(heading.text)
    kind = None if match is None else _KIND.match(match[1].rstrip().rstrip("#").rstrip())
    if kind is None:
        raise ParseError(
            path,
            tr("a section is a step or a question"),
            line=heading.number,
            column=1,
            text=heading.text,
            hint=tr("write ## Step: … or ## Question: …, or ### for a heading within the text"),
        )
    title = kind[2].strip()
    if not title:
        raise ParseError(path, tr("the section has no title"), line=heading.number, column=1, text=heading.text)
    if kind[1].lower() == "step":
        fields, rest = read_fields(lines[1:], STEP_KEYS, path)
        actions = tuple(action for field in fields if field.key == "do" for action in read_actions(field))
        _refuse_lost(rest, path)
        return Step(title, text_of(rest), actions, read_view(fields), figures_of(fields), Place(heading.number, 1))
    return _question(title, heading, lines[1:], path)


def _question(title: str, heading: Line, lines: Sequence[Line], path: str | Path) -> Question:
    fields, rest = read_fields(lines, QUESTION_KEYS, path)
    choices, rest = _choices(rest, path)
    named = {field.key: field for field in fields}
    asked = _asked(named["ask"]) if "ask" in named else None
    answer = named["answer"].value.strip() if "answer" in named else ""
    question = Question(
        title, text_of(rest), asked, answer, _within(named.get("within")), choices,
        tuple(_wrong(field) for field in fields if field.key == "wrong"),
        named["because"].value.strip() if "because" in named else "", read_view(fields), figures_of(fields),
        Place(heading.number, 1), _keeps_order(named.get("order")), _points(named.get("points")), *_hint(named),
    )  # fmt: skip
    if "right" in named:
        question = replace(question, n_right=_n_right(named["right"], question))
    if question.hint_costs > question.points:
        raise named["hint costs"].error(
            tr("the hint costs more than the question is worth"), hint=tr("write at most its points"), text=""
        )
    _refuse_lost(rest, path)
    reason, hint = _fault(question)
    if reason:
        raise ParseError(path, reason, line=heading.number, column=1, text=heading.text, hint=hint)
    return question


def _refuse_lost(lines: Sequence[Line], path: str | Path) -> None:
    """Raise ParseError for an answer, a reason or another field in the text, which would be shown, and for a choice
    with another mark, which nobody could choose."""
    for pattern, reason, hint in (
        (_NO_CHOICE, tr("this mark of a choice is not known"),
         tr("write [x] before a right choice, [ ] before another one")),
        (_LOST, tr("this wrong answer is in the text"),
         tr("write it above the empty line, after ask: or answer:, with a colon after the answer")),
    ):  # fmt: skip
        line = next((line for line, fenced in with_fences(lines) if not fenced and pattern.match(line.text)), None)
        if line is not None:
            raise ParseError(path, reason, line=line.number, column=1, text=line.text, hint=hint)
    begins = True  # within a paragraph "points:" is a word
    for line, fenced in with_fences(lines):
        if begins and not fenced and _KEY.match(line.text):
            raise ParseError(
                path, tr("this field is in the text"), line=line.number, column=1, text=line.text,
                hint=tr("write it directly below the heading, or put it between ` and ` where it is text"),
            )  # fmt: skip
        begins = line.is_blank


def _fault(question: Question) -> tuple[str, str]:
    """Return what is wrong with the answers of a question, and what to do; "" and "" if nothing is."""
    asked, answer = question.asked, question.answer
    if question.choices and (answer or asked):
        return tr("the question has choices and another answer"), tr("keep one of the two")
    if question.choices and question.wrong:
        return tr("the question has choices and wrong answers"), tr(
            "write the reason in an indented line below a choice"
        )
    if question.choices and not any(choice.right for choice in question.choices):
        return tr("no choice is marked as right"), tr("write [x] before the right one")
    if len({choice.text for choice in question.choices}) < len(question.choices):
        return tr("two choices are the same"), tr("write each choice once")
    if not question.choices and (asked is None or answer) and not question.spellings:
        return tr("the question has no answer"), tr(
            "write answer: and the answer, choices (- [x] right, - [ ] wrong), or ask: and a measure or a cell"
        )
    return "", ""


def _choices(lines: Sequence[Line], path: str | Path) -> tuple[tuple[Choice, ...], list[Line]]:
    """Return the choices, and the lines that belong to none. Raises ParseError for a line directly below a choice that
    is not indented: it would be shown with the question."""
    choices: list[Choice] = []
    rest: list[Line] = []
    place = 0
    while place < len(lines):
        match = _CHOICE.match(lines[place].text)
        place += 1
        if match is None:
            rest.append(lines[place - 1])
            continue
        reason: list[str] = []
        while place < len(lines) and lines[place].is_indented:
            reason.append(lines[place].text.strip())
            place += 1
        choices.append(Choice(match[2].strip(), match[1] != " ", " ".join(reason)))
        after = lines[place] if place < len(lines) else None
        if after is not None and not after.is_blank and not re.match(rf"[-*]\s|{_KEY.pattern}", after.text):
            raise ParseError(
                path, tr("this line below a choice is not indented"), line=after.number, column=1, text=after.text,
                hint=tr("begin a reason with two spaces; write an empty line above text"),
            )  # fmt: skip
    return tuple(choices), rest


def _asked(field: Field) -> Asked:
    """Return what ``AP sum at 11 of early, query 2`` asks for."""
    left, run, query = split_subject(field.value.strip())
    cell = _CELL.match(left)
    if cell is not None:
        if cell[1] not in COLUMNS:
            raise field.error(
                tr("the table has no column {name}", name=cell[1]),
                hint=known_hint(COLUMNS),
            )
        return Asked(column=cell[1], rank=rank_of(field, cell[2]), run=run, query=query)
    try:
        parse_measure(left)
    except MeasureError as failure:
        raise field.error(str(failure), hint=tr("write a measure, or a cell such as: AP sum at 11")) from None
    return Asked(measure=left, run=run, query=query)


def _keeps_order(field: Field | None) -> bool:
    if field is not None and field.value.strip() != "kept":
        raise field.error(tr("this is no order"), hint=tr("write order: kept to show the choices as they are written"))
    return field is not None


def _n_right(field: Field, question: Question) -> int:
    """Return how many choices are said to be right. Raises ParseError for a number that they cannot have."""
    number = _amount(field.value)
    if not question.choices:
        raise field.error(tr("the question has no choices"), text="", hint=tr("remove the line, or write choices"))
    if not number.is_integer() or not 1 <= number <= len(question.choices):
        raise field.error(tr("so many choices cannot be right"), hint=tr("write how many are, such as: right: 2"))
    return int(number)


def _points(field: Field | None) -> float:
    points = 1.0 if field is None else _amount(field.value)
    if field is not None and not 0 < points <= MOST_POINTS:
        raise field.error(tr("this is no number of points"), hint=tr("write a number above 0, such as: points: 2"))
    return points


def _hint(named: dict[str, Field]) -> tuple[str, float]:
    """Return the hint of a question and the points that it costs."""
    field, costs = named.get("hint"), named.get("hint costs")
    if field is not None and not field.value.strip():
        raise field.error(tr("the hint is missing"), hint=tr("write it after the colon, or remove the line"), text="")
    if costs is None:
        return "" if field is None else field.value.strip(), 0.0
    if field is None:
        raise costs.error(tr("there is no hint that could cost this"), hint=tr("write hint: and what helps"), text="")
    cost = _amount(costs.value)
    if cost < 0:
        raise costs.error(tr("this is no number of points"), hint=tr("write a number, such as: hint costs: .5"))
    return field.value.strip(), cost


def _amount(text: str) -> float:
    """Return a number from 0 up; -1 for anything else."""
    try:
        number = float(text)
    except ValueError:
        return -1.0
    return number if 0 <= number < float("inf") else -1.0


def _within(field: Field | None) -> float | None:
    if field is None:
        return None
    try:
        within = float(field.value)
    except ValueError:
        within = -1.0
    if not 0 <= within < float("inf"):
        raise field.error(tr("this is not a difference"), hint=tr("write a number, such as: within: .005"))
    return within


def _wrong(field: Field) -> WrongAnswer:
    if not field.value.strip():
        raise field.error(
            tr("the reason is missing"), text=field.about, hint=tr("write why the answer is wrong after the colon")
        )
    if not field.about:
        raise field.error(
            tr("the wrong answer is missing"), text=field.value, hint=tr("write wrong .4: why it is wrong")
        )
    return WrongAnswer(field.about, field.value.strip(), Place(field.line, 1))


def figures_of(fields: Sequence[Field]) -> tuple[Figure, ...]:
    """Return all printed and computed values of some fields. Raises ParseError."""
    return tuple(figure for field in fields if field.key in ("printed", "computed") for figure in _figures_of(field))


@lru_cache(maxsize=64)  # a lesson is read again with one line changed, while it is written and checked
def _figures_of(field: Field) -> tuple[Figure, ...]:
    return read_figures(field)


def text_of(lines: Sequence[Line]) -> str:
    """Return lines as a text, without empty lines around it."""
    return "\n".join(line.text.rstrip() for line in lines).strip("\n")
