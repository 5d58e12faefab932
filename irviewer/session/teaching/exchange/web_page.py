"""Lessons as one page for a browser: nothing is loaded from elsewhere, and no server is needed.

All values are computed here and put in; the page itself computes only the sums of a ranking that its reader has
reordered. Each lesson is gone through in a session of its own, as for a sheet of paper."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from irviewer.measures.base import Measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.course import Course, refuse_same_ids
from irviewer.model.lessons.lesson import Figure, Item, Lesson, Question, Step
from irviewer.model.lessons.variants import seed_of, variant_of
from irviewer.paths import resource
from irviewer.rendering.atomic import write_atomically
from irviewer.rendering.lesson_pictures import shown_with
from irviewer.rendering.lesson_text import Shown, html_of, inline_html_of, plain_of
from irviewer.session.curves.rules import counted
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.lecture_table.columns import BINARY, COLUMN_OF, GRADED, cell_text, column_named
from irviewer.session.lecture_table.values import TableRanking
from irviewer.session.session import Session
from irviewer.session.teaching.answers import CLOSE, right_inside, right_number, shown, version
from irviewer.session.teaching.exchange.printing import (
    MOST_QUERIES,
    in_number_order,
    table_caption,
    values_table,
    view_table,
)
from irviewer.session.teaching.exchange.second_language import put_second, read_page
from irviewer.session.teaching.figures import in_rows, row_text, value_of
from irviewer.session.teaching.own_session import opened
from irviewer.session.teaching.points import hint_text, points_text
from irviewer.session.teaching.step_actions import copied_names
from irviewer.session.view_models.lecture_table import table_ranking
from irviewer.translation import as_lectures, decimal, has_decimal_commas, language_tag, tr, trc, trn, with_zero

Json = dict[str, Any]


def lesson_page(course: Course, second: str = "") -> str:
    """Return one HTML document with the lessons of a course that can be read; ``second`` is the file of such a document
    in another language, which it can switch to. Its content security policy allows the script and the style that stand
    in it and nothing else. Raises IrviewerError as :func:`opened` does, if two lessons have one id, and if the second
    document is not of the same lessons."""
    return LessonPages(course).page(second=second)


class LessonPages:
    """The pages of a course for its students; the lessons that are the same for all are made once. Raises
    IrviewerError if two lessons have one id."""

    def __init__(self, course: Course) -> None:
        refuse_same_ids(course)
        self._course = course
        self._made: dict[str, Json] = {}

    @as_lectures()
    def page(self, student: str = "", second: str = "") -> str:
        """Return the page of a student, or that of everybody, as :func:`lesson_page` does."""
        return _page(self._course, [self._lesson(lesson, student) for lesson in self._course.lessons], student, second)

    def _lesson(self, lesson: Lesson, student: str) -> Json:
        if lesson.id in self._made:
            return self._made[lesson.id]
        lesson_data = _lesson(variant_of(lesson, student), _chapter(self._course, lesson))
        if not lesson.varies:
            self._made[lesson.id] = lesson_data
        return lesson_data


def _page(course: Course, lessons: Sequence[Json], student: str, second: str) -> str:
    names = [lesson["id"] for lesson in lessons]
    names += [seed_of(student)] if student else []
    content: Json = {
        "title": course.title if len(lessons) > 1 else lessons[0]["title"],
        "text": html_of(course.text),
        "student": student,
        "language": language_tag(),
        "language_name": trc("the language of this text", "English"),
        "digest": hashlib.sha256("\n".join(names).encode("utf-8", "surrogatepass")).hexdigest()[:16],
        "decimal": "," if has_decimal_commas() else ".",
        "zero": with_zero(".5") == "0.5",
        "texts": _texts(),
        "lessons": lessons,
    }
    if second:
        put_second(content, read_page(second), second)
    folder = resource("lesson_page")
    script, style = ((folder / name).read_text(encoding="utf-8") for name in ("page.js", "page.css"))
    policy = (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}'; style-src 'sha256-{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    # No character of the data can end the element that holds them.
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    title = escape(content["title"])
    without = escape(tr("This page needs JavaScript, which is switched off here."))
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(language_tag())}">\n<head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{style}</style></head>\n<body>\n"
        f"<header><h1>{title}</h1></header>\n"
        f"<main><noscript><p>{without}</p></noscript></main>\n"
        f'<script type="application/json" id="lessons">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n'
    )


def save_page(path: str, course: Course, second: str = "") -> None:
    """Write :func:`lesson_page` to a file, whole or not at all. Raises OSError, IrviewerError."""
    save_text(Path(path), lesson_page(course, second))


def save_text(path: Path, text: str) -> None:
    """Write a text to a file, whole or not at all. Raises OSError."""
    data = text.encode("utf-8", "replace")
    write_atomically(path, lambda file: file.write(data))


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _chapter(course: Course, lesson: Lesson) -> str:
    return next((entry.chapter for entry in course.entries if entry.lesson is lesson), "")


def _texts() -> dict[str, str]:
    """Return what the page itself says."""
    return {
        "rank": tr("K"), "document": tr("document"), "grade": tr("grade"), "covered": tr("covered"),
        "up": tr("Move {document} up", document="{document}"),
        "down": tr("Move {document} down", document="{document}"),
        "reset": tr("Order of the lesson"), "question": tr("Question"), "answer": trc("of a question, verb", "Answer"),
        "show": tr("Show answer"), "answer_is": tr("The answer is: {answer}.", answer="{answer}"),
        "is_right": tr("✓ Right."), "is_wrong": tr("✗ Not right."), "is_rounded": tr("≈ Right, but rounded too far."),
        "more_digits": tr("Give more digits."), "no_number": tr("{text!r} is not a number.", text="{text}"),
        "incomplete": tr("Right so far, but not complete."), "word": tr("a word"), "number": tr("a number, or 3/4"),
        "place": tr("{place} of {count}", place="{place}", count="{count}"), "do_it": tr("Do it"), "undo": tr("Undo"),
        "back": tr("Back"), "next": tr("Next"), "next_lesson": tr("Next lesson: {title}", title="{title}"),
        "end": tr("The end of the course."), "contents": tr("Contents"), "steps": tr("Steps of the lesson"),
        "done": tr("done"), "some": tr("{done} of {n} questions", done="{done}", n="{n}"),
        "some_one": trn("{done} of {n} question", "{done} of {n} questions", 1, done="{done}"), "name": tr("Name"),
        "save": tr("Save my answers"), "forget": tr("Forget my answers"), "sure": tr("Forget all answers?"),
        "recall": tr("recall"), "precision": tr("precision"), "dcg": tr("DCG"),
        "mean_curve": tr("Interpolated precision at recall 0, .01 … 1, the mean of all queries"),
        "pr_curve": tr("Precision over recall of {name}, and interpolated", name="{name}"),
        "dcg_curve": tr("DCG by rank of {name}, and of the ideal ranking", name="{name}"),
    }  # fmt: skip


def _lesson(lesson: Lesson, chapter: str) -> Json:
    session = opened(lesson)
    places = [_place(session, lesson, None, lesson.title, lesson.text, lesson.figures)]
    for number, item in enumerate(lesson.items, start=1):
        session.lessons.show_place(number)
        places.append(_place(session, lesson, item, item.title, item.text, item.figures))
        if session.history.has_step_here():
            session.teaching.restart_example()  # what follows is about the lesson as it is in the file
    _mark_awaited(places)
    rules = tr("Rules: {dialect}; {account}", dialect=DIALECTS[lesson.rules].title,
               account="; ".join(DIALECTS[lesson.rules].account()))  # fmt: skip
    source = tr("after {source}", source=lesson.source) if lesson.source else ""
    return {
        "id": lesson.id, "title": lesson.title, "chapter": chapter, "source": source, "rules": rules, "places": places,
        "covers": lesson.covers,
    }  # fmt: skip


def _mark_awaited(places: Sequence[Json]) -> None:
    """Say of each value which questions ask for it, by their places: it is covered until they are answered. Of a column
    of a table these are the questions with the first rank that has the answer."""
    asking = [
        (number, place["value"], place["within"] + 1e-12)
        for number, place in enumerate(places)
        if place["kind"] == "question" and place["value"] is not None
    ]
    for place in places:
        place["figures"] = _in_rows(place["figures"], asking)
        for table in (*place["tables"], *place.get("after", ())):
            if "awaited" not in table:
                table["awaited"] = [_awaited(column, asking) for column in table.pop("values")]


def _in_rows(given: Sequence[tuple[Figure, float | None]], asking: Sequence[tuple[int, float, float]]) -> list[Json]:
    """Return the figures as texts, in rows of what the same questions ask for."""
    awaited = []
    for figure, _ in given:
        unit = 10.0**-figure.decimals if figure.decimals else 0.0
        awaited.append([n for n, right, within in asking if abs(figure.value - right) <= max(within, unit / 2)])
    rows = []
    for row in in_rows([figure for figure, _ in given]):
        for questions, places in groupby(row, key=awaited.__getitem__):
            figures, values = zip(*(given[place] for place in places), strict=True)
            rows.append({"text": row_text(figures, values), "awaited": questions})
    return rows


def _awaited(column: Sequence[float], asking: Sequence[tuple[int, float, float]]) -> list[list[int]]:
    questions = []
    for number, right, within in asking:
        ranks = (rank for rank, value in enumerate(column, start=1) if abs(value - right) <= within)
        if (rank := next(ranks, 0)) > 0:
            questions.append([number, rank])
    return questions


def _place(
    session: Session, lesson: Lesson, item: Item | None, title: str, text: str, figures: Sequence[Figure]
) -> Json:
    drawn = shown_with(lesson.pictures)
    place: Json = {
        "kind": "beginning" if item is None else "question" if isinstance(item, Question) else "step",
        "title": inline_html_of(title, drawn),
        "text": html_of(text, drawn),
        "tables": _tables(session, lesson),
        "view": "",
        "values": _values(session, lesson),
        "mean": _has_mean_curve(session, lesson),
        "figures": _figures(session, figures),
    }
    if isinstance(item, Question):
        place |= _question(session, item, drawn)
    else:
        place["view"] = view_table(session)
    if isinstance(item, Step) and item.actions:
        session.teaching.do_example_step()
        place |= {
            "after": _tables(session, lesson), "change": _change(session),
            "view_after": view_table(session), "values_after": _values(session, lesson),
            "figures": _figures(session, figures),
        }  # fmt: skip
    return place


def _has_mean_curve(session: Session, lesson: Lesson) -> bool:
    """Return whether the window shows the mean of the curves of several queries."""
    context = session.view.context
    if context is None or session.teaching.curve != "mean":
        return False
    return _curve(lesson.view_at(session.teaching.lesson.place).show, context.measure) == "PR"


def _has_values(context: EvaluationContext, lesson: Lesson) -> bool:
    """Return whether the values of many queries are shown in place of their lists; not where one of them is asked."""
    asked = (item.asked for item in lesson.items if isinstance(item, Question))
    return context.n_queries > MOST_QUERIES and not any(asked)


def _values(session: Session, lesson: Lesson) -> str:
    """Return the values of each query in the measure in view as HTML; "" where the lists are shown."""
    context = session.view.context
    return values_table(context) if context is not None and _has_values(context, lesson) else ""


def _tables(session: Session, lesson: Lesson) -> list[Json]:
    """Return the table of each ranking of each query, as it is now; in place of a ranking that was edited its copy."""
    context, view = session.view.context, lesson.view_at(session.teaching.lesson.place)
    if context is None or _has_values(context, lesson):
        return []
    named = [column_named(name) for name in view.columns]
    columns = [column.id for column in named if column is not None]  # rank, document and grade are always there
    if not view.columns:
        columns = list(GRADED if context.max_grade > 1 else BINARY)
    edited = copied_names(context)
    tables = []
    for query in in_number_order(context.query_ids):
        for entry in context.collection.runs:
            ranking = table_ranking(context, entry, query)
            if ranking is None or entry.name in edited:
                continue
            name = entry.name if context.n_queries == 1 else tr("{run}, query {query}", run=entry.name, query=query)
            caption = table_caption(name, ranking.relevant)
            table = _table(ranking, caption, columns, _curve(view.show, context.measure))
            counts = bool(counted(context, entry)[context.query_index[query]])
            tables.append({**table, "run": entry.name, "counts": counts})
    return tables


def _curve(show: str, measure: Measure) -> str:
    """Return which curve is below a table: "DCG", "PR", or "" for none."""
    if show != "curves":
        return ""
    return "DCG" if "dcg" in measure.name.lower() else "PR"


def _table(ranking: TableRanking, caption: str, columns: Sequence[str], curve: str) -> Json:
    ranks = range(1, ranking.n + 1)
    return {
        "name": caption,
        "documents": list(ranking.documents),
        "grades": [None if math.isnan(grade) else _number(grade) for grade in ranking.grades],
        "relevant": ranking.relevant,
        "is_relevant": [int(each) for each in ranking.is_relevant],
        "gain": ranking.gain.tolist(),
        "discount": ranking.discount.tolist(),
        "ideal": ranking.ideal.tolist(),
        "columns": list(columns),
        "titles": [COLUMN_OF[column].title for column in columns],
        "cells": [
            [[with_zero(text) for text in cell_text(ranking, column, rank)] for column in columns] for rank in ranks
        ],
        "values": [[ranking.at(column, rank) for rank in ranks] for column in columns],
        "curve": curve,
    }


def _number(value: float) -> float | int:
    return int(value) if float(value).is_integer() else float(value)


def _figures(session: Session, figures: Sequence[Figure]) -> list[tuple[Figure, float | None]]:
    """Return figures with their values as the lists are now."""
    context = session.view.context
    entries = [session.teaching.figure_run(figure) for figure in figures]
    return [
        (figure, None if context is None or entry is None else value_of(figure, context, entry))
        for figure, entry in zip(figures, entries, strict=True)
    ]


def _change(session: Session) -> str:
    change = session.teaching.step_change()
    if change is None:
        return ""
    after = decimal(f"{HalfUp(change.after):.4f}")
    if change.name != change.name_after:
        return f"{change.name_after} = {after}"
    return f"{change.name} {decimal(f'{HalfUp(change.before):.4f}')} → {after}"


def _question(session: Session, question: Question, drawn: Shown) -> Json:
    computed = session.teaching.computed(question)
    right = right_inside(question, computed)
    asked = question.asked
    column = column_named(asked.column) if asked is not None and asked.column else None
    return {
        "choices": [
            {
                "text": inline_html_of(choice.text, drawn),
                "right": choice.right,
                "reason": inline_html_of(choice.reason, drawn),
            }
            for choice in question.choices
        ],
        "several": question.several,
        "points": points_text(question),
        "hint": html_of(question.hint, drawn),
        "hint_button": hint_text(question),
        "spellings": list(question.spellings),
        "right": plain_of(right),
        "version": version(question, computed),
        "value": None if question.choices else right_number(question, computed),
        "within": CLOSE if question.within is None else question.within,
        "wrong": [{"answer": each.answer, "reason": html_of(each.reason, drawn)} for each in question.wrong],
        "because": html_of(question.because, drawn),
        "shown": html_of(shown(question, computed, 0).reason, drawn),
        "cell": None
        if asked is None or column is None
        else {"column": column.id, "rank": asked.rank, "leads_to": list(column.leads_to)},
    }
