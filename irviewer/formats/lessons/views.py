"""The fields of lessons that say what is shown: measure, cutoff, level, columns, ranking, query."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.errors import MeasureError
from irviewer.formats.lessons.fields import Field, known_hint, nearest_hint
from irviewer.formats.lessons.step_actions import read_grade, read_rank
from irviewer.measures.parser import parse_measure
from irviewer.model.lessons.lesson import COLUMNS, SHOWS, LessonView
from irviewer.translation import tr

VIEW_KEYS = ("measure", "cutoff", "level", "show", "columns", "beside", "run", "query")


def read_view(fields: Sequence[Field]) -> LessonView:
    """Return what some fields say of the view. Raises ParseError."""
    named = {field.key: field for field in fields if field.key in VIEW_KEYS}
    columns, columns_beside = _columns(named["columns"]) if "columns" in named else ((), ())
    return LessonView(
        _measure(named["measure"]) if "measure" in named else "",
        read_rank(named["cutoff"]) if "cutoff" in named else None,
        read_grade(named["level"]) if "level" in named else None,
        _known(named["show"], named["show"].value.strip(), SHOWS) if "show" in named else "",
        columns,
        named["run"].value.strip() if "run" in named else "",
        named["query"].value.strip() if "query" in named else "",
        " ".join(named["beside"].value.split()) if "beside" in named else "",
        columns_beside,
    )


def _measure(field: Field) -> str:
    try:
        parse_measure(field.value.strip())
    except MeasureError as failure:
        raise field.error(str(failure), hint=tr("irviewer measures lists all")) from None
    return field.value.strip()


def _columns(field: Field) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns of the first ranking, and after a bar those of the ranking beside it."""
    first, _, second = field.value.partition("|")
    if "|" in second:
        raise field.error(tr("the table has two rankings at most"), hint=tr("write one bar between their columns"))
    return _named(field, first), _named(field, second)


def _named(field: Field, text: str) -> tuple[str, ...]:
    names = [name.strip() for name in text.replace("\n", ",").split(",") if name.strip()]
    return tuple(dict.fromkeys(_known(field, name, COLUMNS) for name in names))


def _known(field: Field, name: str, names: Sequence[str]) -> str:
    if name in names:
        return name
    hint = nearest_hint(name, names) or known_hint(names)
    row = next((row for row, text in enumerate(field.value.split("\n")) if name in text), 0)
    at = field.value.split("\n")[row].find(name)
    raise field.error(tr("{name} is not known here", name=name), hint=hint, row=row, at=max(0, at))
