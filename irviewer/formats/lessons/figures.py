"""The fields ``printed`` and ``computed`` of lessons: ``AP of late, query 2 = .44 (Author, “heading”) note``."""

from __future__ import annotations

import re
from dataclasses import replace

from irviewer.errors import MeasureError
from irviewer.formats.lessons.fields import Field
from irviewer.formats.lessons.step_actions import rank_of
from irviewer.measures.parser import parse_measure
from irviewer.model.lessons.lesson import Figure
from irviewer.model.rankings.inline_ranking import MOST_GRADES
from irviewer.translation import tr

_NUMBER = re.compile(r"[-\N{MINUS SIGN}]?(?:\d+(?:\.\d+)?|\.\d+)(?:/\d+|\s?%)?")
_SPAN = re.compile(r"(.*@)(\d+)\.\.(\d+)")
_QUERY = re.compile(r",?\s+query\s+(\S+)$")
_RUN = re.compile(r"\s+of\s+(\S.*)$")


def read_figures(field: Field) -> tuple[Figure, ...]:
    """Return the figures of a field; of ``P@1..10 = 1.0 0.5 …`` one for each rank. Raises ParseError."""
    figures: list[Figure] = []
    for number, row in enumerate(field.value.split("\n")):
        if row.strip():
            figures += _figures(field, row, number)
    if not figures:
        raise field.error(tr("there is no value"), hint=_example(field.key))
    return tuple(figures)


def _example(key: str) -> str:
    if key == "computed":
        return tr("write a measure and its value, such as: AP = .31")
    return tr("write a measure, its value and who printed it, such as: AP = .76 (Author, “heading”)")


def _figures(field: Field, row: str, number: int) -> list[Figure]:
    left, equals, right = _apart(row)
    if not equals:
        raise field.error(tr("there is no value"), row=number, hint=_example(field.key))
    values, rest = _values(right)
    if not values:
        raise field.error(tr("there is no number after ="), row=number, hint=_example(field.key), at=len(left) + 3)
    try:
        source, note = _source(rest)
    except ValueError:
        raise field.error(
            tr("the bracket of the source is not closed"), row=number, hint=tr("write ) at its end"), at=len(row)
        ) from None
    if field.key == "printed" and not source:
        raise field.error(
            tr("the source of the value is missing"),
            row=number,
            hint=tr("write the author and the heading in brackets, or computed: where nobody printed the value"),
        )
    measure, run, query = split_subject(left)
    figure = Figure(measure, "", 0.0, 0, run, query, source, note)
    figures = []
    for name, text in zip(_measures(field, measure, len(values), number), values, strict=True):
        try:
            parse_measure(name)
        except MeasureError as failure:
            raise field.error(str(failure), row=number) from None
        value, decimals = number_of(text)
        figures.append(replace(figure, measure=name, text=text, value=value, decimals=decimals, at=field.place(number)))
    return figures


def split_subject(text: str) -> tuple[str, str, str]:
    """Return the measure or cell, the ranking and the query of ``AP of late, query 2``; "" for what is not named."""
    query = _QUERY.search(text)
    left = text[: query.start()] if query else text
    run = _RUN.search(left)
    return (left[: run.start()] if run else left).strip(), run[1].strip() if run else "", query[1] if query else ""


def _apart(row: str) -> tuple[str, str, str]:
    """Split at the first equals sign with spaces before a number; measures have theirs without spaces."""
    place = -1
    for match in re.finditer(r" = ", row):
        if _NUMBER.match(row[match.end() :].lstrip()):
            place = match.start()
            break
    return (row, "", "") if place < 0 else (row[:place], " = ", row[place + 3 :])


def _measures(field: Field, measure: str, values: int, row: int) -> list[str]:
    span = _SPAN.fullmatch(measure)
    if span is None:
        first, last = 1, 1
    else:
        first, last = (rank_of(field, digits, row) for digits in span.group(2, 3))
    # Counted before the names are made: a short text can name a billion measures.
    measures = max(0, last - first + 1)
    if measures != values:
        raise field.error(
            tr("{count} values for {measures} measures", count=values, measures=measures),
            row=row,
            hint=tr("write one value, or as many as P@1..10 has ranks"),
        )
    if measures > MOST_GRADES:
        raise field.error(
            tr("{count:,} values are too many for a lesson (at most {most:,})", count=measures, most=MOST_GRADES),
            row=row,
            hint=tr("write fewer ranks"),
        )
    return [measure] if span is None else [f"{span[1]}{k}" for k in range(first, last + 1)]


def _values(text: str) -> tuple[list[str], str]:
    """Return the numbers at the beginning of a text, as they are written, and what follows them."""
    values, text = [], text.strip()
    while match := _NUMBER.match(text):
        values.append(match[0])
        text = text[match.end() :].lstrip(" \t,")
    return values, text.strip()


def _source(text: str) -> tuple[str, str]:
    """Return the source in brackets, and the note after it. Raises ValueError if the bracket is not closed."""
    if not text.startswith("("):
        return "", text.lstrip("-–—;, ").strip()
    depth = 0
    for position, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            return text[1:position].strip(), text[position + 1 :].lstrip("-–—;, ").strip()
    raise ValueError


def number_of(text: str) -> tuple[float, int]:
    """Return the value of a number as it is printed (``.76``, ``3/4``, ``60 %``), and its decimals."""
    text = text.replace("\N{MINUS SIGN}", "-").strip()
    over, _, under = text.rstrip("% ").partition("/")
    value = float(over) / float(under) if under and float(under) else float(over)
    return value / 100 if text.endswith("%") else value, len(over.partition(".")[2])
