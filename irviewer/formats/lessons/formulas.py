"""The formulas in the text of lessons: each is read before the lesson is shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from irviewer.errors import ParseError
from irviewer.formats.lessons.fences import with_fences
from irviewer.formats.lessons.fields import Line
from irviewer.model.formula import FormulaError, formulas_in, parse_formula
from irviewer.translation import tr


def refuse_false_formulas(lines: Sequence[Line], path: str | Path) -> None:
    """Raise ParseError for the first formula in some lines of Markdown that cannot be read; code has none."""
    for line, fenced in with_fences(lines):
        for formula, at in formulas_in("" if fenced else line.text):
            _refuse(formula, at, line, path)


def _refuse(formula: str, at: int, line: Line, path: str | Path) -> None:
    try:
        parse_formula(formula)
    except FormulaError as failure:
        dollars = tr("write \\$ for a dollar sign that begins no formula")
        hint = f"{failure.hint}; {dollars}" if failure.hint else dollars
        column = at + failure.at + 1
        raise ParseError(
            path, failure.reason, line=line.number, column=column, text=f"${formula}$", hint=hint
        ) from None
