"""Lessons as sheets of paper: HTML with blanks to fill in, or with the answers.

A sheet is made in a session of its own, so that nothing that was done in the window is on it."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from html import escape
from pathlib import Path

from irviewer.model.dialects import DIALECTS
from irviewer.model.lessons.lesson import Figure, Lesson, LessonView, Question, Step
from irviewer.paths import resource
from irviewer.rendering.atomic import write_atomically
from irviewer.rendering.lesson_pictures import shown_with
from irviewer.rendering.lesson_text import Shown, html_of, inline_html_of, with_signs
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import plain
from irviewer.session.lecture_table.columns import BINARY, COLUMN_OF, GRADED, cell_text, column_named, short
from irviewer.session.session import Session
from irviewer.session.teaching.answers import right_text
from irviewer.session.teaching.figures import in_rows, row_text, value_of
from irviewer.session.teaching.own_session import opened
from irviewer.session.teaching.points import amount, hint_text, points_of, points_text
from irviewer.session.view_models.lecture_table import table_ranking
from irviewer.tables.grid import grid_of
from irviewer.tables.table import Table
from irviewer.translation import as_lectures, decimal_points, language_tag, tr, trn, with_zero


@as_lectures()
def lesson_sheet(lessons: Sequence[Lesson], *, answers: bool) -> str:
    """Return one HTML document with a sheet for each lesson: with blanks, or with the answers. Nothing in it is loaded
    from elsewhere or runs. Raises IrviewerError as :func:`opened` does."""
    style = resource("lessons/sheet.css").read_text(encoding="utf-8")
    title = lessons[0].title if len(lessons) == 1 else tr("Lessons")
    with decimal_points():
        sheets = "\n".join(_sheet(lesson, answers) for lesson in lessons)
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(language_tag())}">\n<head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n<body>\n{sheets}\n</body>\n</html>\n"
    )


def save_sheet(path: str, lessons: Sequence[Lesson], *, answers: bool) -> None:
    """Write :func:`lesson_sheet` to a file. Raises OSError, IrviewerError."""
    data = lesson_sheet(lessons, answers=answers).encode("utf-8", "replace")
    write_atomically(Path(path), lambda file: file.write(data))


def blank_tables(session: Session, lesson: Lesson) -> list[str]:
    """Return the tables of an open lesson as HTML: documents and grades, without the columns to fill in."""
    return _tables(session, lesson, answers=False, bare=True)


def table_caption(name: str, relevant: int) -> str:
    """Return the line above the table of a ranking."""
    return trn("{ranking}: {n} relevant document", "{ranking}: {n} relevant documents", relevant, ranking=name)


def _sheet(lesson: Lesson, answers: bool) -> str:
    session = opened(lesson)
    rules = tr("Rules: {dialect}; {account}", dialect=DIALECTS[lesson.rules].title,
               account="; ".join(DIALECTS[lesson.rules].account()))  # fmt: skip
    parts = [f"<h1>{escape(lesson.title)}</h1>"]
    if not answers:
        worth = points_of(lesson)
        points = tr("Points: ____ of {n}", n=amount(worth)) if worth else ""
        name = tr("Name:")
        parts.append(f"<p class=name>{escape(name)}<span></span>{escape(points)}</p>")
    if lesson.source:
        parts.append(f"<p class=source>{escape(tr('after {source}', source=lesson.source))}</p>")
    drawn = shown_with(lesson.pictures)
    parts += [html_of(lesson.text, drawn), *_tables(session, lesson, answers)]
    if answers:
        parts.append(_figures(session, lesson.figures))
    for position, item in enumerate(lesson.items, start=1):
        session.lessons.show_place(position)
        if isinstance(item, Question):
            body = _question(session, item, answers, drawn)
        else:
            body = _step(session, item, answers, drawn)
        parts.append(f"<section class=item>{body}</section>" if body else "")
    parts.append(f"<p class=source>{escape(rules)}</p>")
    return f"<section class=lesson>{''.join(parts)}</section>"


MOST_BLANKS = 80
"""The most cells of a lesson that are left to be filled in; further tables have documents and grades alone."""


MOST_QUERIES = 6
"""A lesson about more queries than this has their values on its sheet, not their lists."""


MOST_RANKS, FIRST_RANKS = 30, 10
"""A list with nothing to fill in and more ranks than this has the first and the last of them on its sheet."""


def in_number_order(queries: Sequence[str]) -> list[str]:
    """Return the queries of a lesson by number, 2 before 10; as they are where they have other names."""
    numbered = all(query.isascii() and query.isdigit() for query in queries)
    return sorted(queries, key=int) if numbered else list(queries)


def values_table(context: EvaluationContext) -> str:
    """Return the table of the values of the measure in view: a row for each query, a column for each ranking."""
    runs = context.collection.runs
    values = [plain(context).values(entry, context.measure) for entry in runs]
    head = f"<th{TEXT}>{escape(tr('query'))}</th>" + "".join(f"<th{NUMBER}>{escape(entry.name)}</th>" for entry in runs)
    rows = [
        f"<td{TEXT}>{escape(query)}</td>"
        + "".join(
            f"<td{NUMBER}>{escape(with_zero(short(float(column[context.query_index[query]]))))}</td>"
            for column in values
        )
        for query in in_number_order(context.query_ids)
    ]
    body = "".join(f"<tr>{row}</tr>" for row in (head, *rows))
    return f"<table><caption>{escape(str(context.measure))}</caption>{body}</table>"


NO_BREAK = "\N{NO-BREAK SPACE}"


def view_table(session: Session) -> str:
    """Return as HTML what the view of the lesson's place has besides lists, where its text is about that: the
    comparison of Compare, or the pool that the rankings build; "" in other views."""
    if session.view.place == "compare":
        return compared_table(session)
    return _pool_table(session) if session.teaching.lesson.view == "pool" else ""


def compared_table(session: Session) -> str:
    """Return what Compare says of the two rankings in view as a table of HTML; "" where nothing is compared."""
    session.compute_now()
    view_model = session.comparison.pair_view_model()
    if view_model is None or not view_model.tests:
        return ""
    return _html_table(view_model.title, view_model.table)


def _pool_table(session: Session) -> str:
    """Return the pool down to the cutoff as a table of HTML, with a line below its last document; "" without one."""
    building = session.teaching.pool_building()
    return "" if building is None else _html_table(building.summary, building.table)


def _html_table(title: str, table: Table) -> str:
    grid = grid_of(table)
    rows = []
    for number, (tag, texts) in enumerate([("th", grid.header), *(("td", row) for row in grid.rows)], start=-1):
        aligned = zip(texts, grid.right, strict=True)
        cells = (
            f"<{tag}{NUMBER}>{escape(text.replace(' ', NO_BREAK))}</{tag}>" if right else
            f"<{tag}{TEXT}>{escape(text)}</{tag}>" for text, right in aligned
        )  # fmt: skip
        line = " class=last" if number == table.line_below >= 0 else ""
        rows.append(f"<tr{line}>{''.join(cells)}</tr>")
    return f"<table><caption>{escape(title)}</caption>{''.join(rows)}</table>"


def _taught(lesson: Lesson, measure: str, graded: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns that a lesson teaches of the ranking in view and of the one beside it: those that it names or
    asks for; where it names none, those of its measure. None of a measure that is not computed rank by rank, and of a
    lesson that names none and shows other things than lists."""
    views = [lesson.view_at(place) for place in range(len(lesson.items) + 1)]
    shown = {view.show for view in views}
    asked = [item.asked.column for item in lesson.items if isinstance(item, Question) and item.asked is not None]
    names = {*filter(None, asked), *(name for view in views for name in view.columns)}
    apart = lesson.view.columns_beside
    if apart:
        return _in_order(lesson.view.columns), _in_order(apart)
    if not names:
        by_measure = BY_MEASURE.get(measure, GRADED if graded else ())
        names = {*(by_measure if shown & {"lists", "table"} else ())}
    return _in_order(names), _in_order(names)


def _in_order(names: Collection[str]) -> tuple[str, ...]:
    """Return the columns of these names in the order of the table, without rank, document and grade."""
    wanted = {column.id for name in names if (column := column_named(name)) is not None}
    return tuple(column for column in COLUMN_OF if column in wanted)


TEXT = ' class="text"'
"""The attribute of cells that are texts in a table of numbers."""
NUMBER = ' align="right"'
"""That of cells that are numbers, in a table of texts; question banks read XML, and want the quotes."""
BY_MEASURE = {
    "P": ("P",), "R": ("R",), "F": ("P", "R", "F"), "AP": BINARY, "RR": ("RR",), "Rprec": ("P",),
    "nDCG": (*GRADED, "nDCG"), "DCG": GRADED[:3], "CG": ("gain", "CG"),
}  # fmt: skip
"""Name of a measure -> the columns of the table that lead to it."""


def _tables(session: Session, lesson: Lesson, answers: bool, *, bare: bool = False) -> list[str]:
    """Return a table for each ranking of each query: ranks, documents and grades, and the columns to fill in."""
    context = session.view.context
    if context is None:
        return []
    if context.n_queries > MOST_QUERIES:
        return [values_table(context)]
    first, second = ((), ()) if bare else _taught(lesson, context.measure.name, context.max_grade > 1)
    tables: list[str] = []
    blanks = 0
    for query in in_number_order(context.query_ids):
        for entry in context.collection.runs:
            ranking = table_ranking(context, entry, query)
            if ranking is None:
                continue
            taught = second if tables and first != second else first
            fits = not blanks or blanks + ranking.n * len(taught) <= MOST_BLANKS or first != second
            columns = taught if fits else ()
            blanks += ranking.n * len(columns)
            name = entry.name if context.n_queries == 1 else tr("{run}, query {query}", run=entry.name, query=query)
            heads = [tr("K"), tr("document"), tr("grade"), *(COLUMN_OF[column].title for column in columns)]
            rows = ["".join(f"<th{TEXT if place == 1 else ''}>{escape(head)}</th>" for place, head in enumerate(heads))]
            for rank, document in enumerate(ranking.documents, start=1):
                if not columns and ranking.n > MOST_RANKS and FIRST_RANKS < rank < ranking.n:
                    if rank == FIRST_RANKS + 1:
                        rows.append("<td>…</td>" * len(heads))
                    continue
                cells = [f"<td>{rank}</td><td{TEXT}>{escape(document)}</td><td>{_grade(ranking.grade(rank))}</td>"]
                for column in columns:
                    fraction, value = cell_text(ranking, column, rank)
                    value = with_zero(value)
                    text = f"{fraction} = {value}" if fraction and fraction != value else value
                    cells.append(f"<td>{escape(text)}</td>" if answers else "<td class=blank></td>")
                rows.append("".join(cells))
            caption = table_caption(name, ranking.relevant)
            body = "".join(f"<tr>{row}</tr>" for row in rows)
            tables.append(f"<table><caption>{escape(caption)}</caption>{body}</table>")
    return tables


def _grade(grade: float) -> str:
    """Return a grade; a dash for an unjudged document, as it is typed."""
    return "-" if math.isnan(grade) else f"{grade:g}"


def _figures(session: Session, figures: Sequence[Figure]) -> str:
    context = session.view.context
    values: list[float | None] = []
    for figure in figures:
        entry = session.teaching.figure_run(figure)
        values.append(None if context is None or entry is None else value_of(figure, context, entry))
    rows = [slice(row.start, row.stop) for row in in_rows(figures)]
    lines = [f"<li>{escape(row_text(figures[row], values[row]))}</li>" for row in rows]
    return f"<ul>{''.join(lines)}</ul>" if lines else ""


def _step(session: Session, step: Step, answers: bool, drawn: Shown) -> str:
    title = f"<h2>{inline_html_of(step.title, drawn)}</h2>"
    if not answers and step.actions:
        # What it does is predicted: its text says it.
        asked = escape(tr("What changes?"))
        return f"{title}<p>{asked}</p><div class=line></div>"
    if not answers and step.view != LessonView():
        return ""  # a view of the window, which is not on paper; its text has values that questions ask for
    text = title + html_of(step.text, drawn)
    if not answers:
        return text
    if step.actions:
        session.teaching.do_example_step()
    text += view_table(session) + _figures(session, step.figures)
    if session.history.has_step_here():
        session.teaching.restart_example()  # what follows is about the lesson as it is in the file
    return text


def _question(session: Session, question: Question, answers: bool, drawn: Shown) -> str:
    points = points_text(question)
    worth = f" <small>({escape(points)})</small>" if points else ""
    parts = [f"<h2>{inline_html_of(question.title, drawn)}{worth}</h2>", html_of(question.text, drawn)]
    if question.choices:
        parts.append("<ul class=choices>")
        for choice in question.choices:
            mark = "☒" if answers and choice.right else "☐"
            reason = (
                f"<div class=answer>{inline_html_of(choice.reason, drawn)}</div>" if answers and choice.reason else ""
            )
            parts.append(f"<li>{mark} {inline_html_of(choice.text, drawn)}{reason}</li>")
        parts.append("</ul>")
    elif answers:
        right = with_signs(right_text(question, session.teaching.computed(question)))
        parts.append(f"<p class=answer><b>{escape(right)}</b></p>")
    else:
        parts.append("<div class=line></div>")
    if answers and question.hint:
        parts.append(f"<div class=answer>{escape(hint_text(question))}: {inline_html_of(question.hint, drawn)}</div>")
    if answers and question.because:
        parts.append(f"<div class=answer>{html_of(question.because, drawn)}</div>")
    for wrong in question.wrong if answers else ():
        said = tr("{answer} is wrong: {reason}", answer=wrong.answer, reason=wrong.reason)
        parts.append(f"<div class=answer>{inline_html_of(said, drawn)}</div>")
    return "".join(parts)
