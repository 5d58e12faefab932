"""The field ``do`` of steps: ``swap 2 3``, ``judge 1 3``, ``measure P@5`` …, one a line, in a ranking or the first."""

from __future__ import annotations

import math
import re

from irviewer.errors import IrviewerError
from irviewer.formats.lessons.fields import Field, known_hint, nearest_hint
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import dialect_of
from irviewer.model.lessons.lesson import VERBS, StepAction
from irviewer.translation import tr

HIGHEST_RANK = 2**31 - 1
"""The highest rank that a ranking can have, and that a measure can be cut at."""
_IN = re.compile(r"\s+in\s+(\S.*)$")
_KINDS = {"rank": tr("a rank"), "grade": tr("a grade"), "value": tr("a value"), "text": tr("a name")}


def read_actions(field: Field) -> tuple[StepAction, ...]:
    """Return what a step does. Raises ParseError."""
    actions = tuple(
        _action(field, row.strip(), number) for number, row in enumerate(field.value.split("\n")) if row.strip()
    )
    if not actions:
        raise field.error(tr("the step has no action"), hint=known_hint(VERBS))
    return actions


def _action(field: Field, text: str, row: int) -> StepAction:
    verb = next((verb for verb in VERBS if text == verb or text.startswith(f"{verb} ")), None)
    if verb is None:
        hint = nearest_hint(text.split()[0], VERBS) or known_hint(VERBS)
        raise field.error(tr("a step cannot do this"), row=row, hint=hint)
    kinds, rest = VERBS[verb], text[len(verb) :].strip()
    if kinds == ("text",):
        return StepAction(verb, text=_name(field, verb, rest, row), at=field.place(row))
    run = _IN.search(rest)
    words = (rest[: run.start()] if run else rest).split()
    if len(words) != len(kinds):
        raise field.error(
            tr("{verb} needs {things}", verb=verb, things=tr(" and ").join(_KINDS[kind] for kind in kinds)),
            row=row,
            hint=tr("such as: {example}", example=" ".join([verb, *("2", "3")[: len(kinds)]])),
        )
    numbers = tuple(_number(field, kind, word, row) for kind, word in zip(kinds, words, strict=True))
    return StepAction(verb, numbers, run=run[1].strip() if run else "", at=field.place(row))


def _name(field: Field, verb: str, text: str, row: int) -> str:
    try:
        if verb == "measure":
            parse_measure(text)
        else:
            dialect_of(text)
    except IrviewerError as failure:
        raise field.error(str(failure), row=row) from None
    return text


def _number(field: Field, kind: str, word: str, row: int) -> float:
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    is_rank = 1 <= number <= HIGHEST_RANK and number.is_integer()
    if not math.isfinite(number) or (kind == "rank" and not is_rank):
        raise field.error(tr("{text!r} is not {kind}", text=word, kind=_KINDS[kind]), row=row)
    return number


def read_rank(field: Field) -> int:
    """Return the rank that a field holds. Raises ParseError."""
    return rank_of(field, field.value.strip())


def rank_of(field: Field, word: str, row: int = 0) -> int:
    """Return a rank that stands in a row of a field. Raises ParseError, also for one that no ranking can have."""
    return int(_number(field, "rank", word, row))


def read_grade(field: Field) -> float:
    """Return the grade that a field holds. Raises ParseError."""
    return _number(field, "grade", field.value.strip(), 0)
