"""What of a lesson varies by student: the order of its rankings, and values, named in double braces."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from irviewer.errors import ParseError
from irviewer.formats.lessons.fences import with_fences
from irviewer.formats.lessons.fields import Field, Line, known_hint
from irviewer.model.formula import formulas_in, without_code
from irviewer.model.lessons.lesson import Place
from irviewer.translation import tr

ORDER = "order"
MOST = 60
"""The most ways in which the values of a lesson go together."""
_VALUES = re.compile(r"([a-z][a-z0-9_]*)\s*=\s*(.*)$")
_PLACE = re.compile(r"\{\{\s*([a-z][a-z0-9_]*)\s*\}\}")
_DOUBLE = re.compile(r"\{\{[^{}]*\}\}")
_LACKING = re.compile(r"(?:\{\{\s*([a-z][a-z0-9_]*)\s*\}(?!\})|(?<!\{)\{\s*([a-z][a-z0-9_]*)\s*\}\}?)")


class Varying(NamedTuple):
    """Whether the order of rankings varies, and by its name the values that each can have."""

    order: bool = False
    values: Mapping[str, tuple[str, ...]] = {}

    def sets(self) -> Iterator[dict[str, str]]:
        """Yield each way in which the values go together; {} where there are none."""
        for chosen in itertools.product(*self.values.values()):
            yield dict(zip(self.values, chosen, strict=True))


def read_varying(field: Field | None) -> Varying:
    """Return what the key ``vary`` says: ``order``, and lines ``k = 3, 5, 8``. Raises ParseError."""
    if field is None:
        return Varying()
    order = False
    values: dict[str, tuple[str, ...]] = {}
    for number, row in enumerate(field.value.split("\n")):
        line = row.strip()
        match = _VALUES.match(line)
        if line == ORDER:
            order = True
        elif match is not None:
            values[match[1]] = _values(field, number, match[1], match[2], values)
        elif line:
            raise field.error(
                tr("this cannot vary"), row=number,
                hint=tr("write vary: order for rankings in an order that is drawn, or values: vary: k = 3, 5, 8"),
            )  # fmt: skip
    if not order and not values:
        raise field.error(tr("this cannot vary"), hint=tr("write vary: order, or values: vary: k = 3, 5, 8"))
    if math.prod(map(len, values.values())) > MOST:
        raise field.error(tr("the values go together in more than {n} ways", n=MOST), text="",
                          hint=tr("write fewer of them"))  # fmt: skip
    return Varying(order, values)


def _values(field: Field, row: int, name: str, listed: str, known: Mapping[str, object]) -> tuple[str, ...]:
    if name in known:
        raise field.error(tr("{key} comes twice", key=name), row=row, hint=tr("remove one of the two"))
    values = tuple(value.strip() for value in listed.split(","))
    if len(values) < 2 or not all(values) or len(set(values)) < len(values):
        raise field.error(tr("these are not two values or more"), row=row,
                          hint=tr("write each once, with commas, such as: k = 3, 5, 8"))  # fmt: skip
    return values


def refuse_unused(text: str, varying: Varying, path: str | Path) -> None:
    """Raise ParseError for a name in double braces that has no values, and for values whose name stands nowhere."""
    if not varying.values:
        return
    for number, line in enumerate(text.split("\n"), start=1):
        for place in _PLACE.finditer(line):
            if place[1] not in varying.values:
                raise ParseError(
                    path, tr("{name} has no values", name=place[1]), line=number, column=place.start() + 1,
                    text=line.strip(), hint=known_hint(varying.values),
                )  # fmt: skip
    used = {place[1] for place in _PLACE.finditer(text)}
    for name in varying.values:
        if name not in used:
            raise ParseError(path, tr("the values of {name} are not used", name=name), line=1, column=1,
                             hint=tr("write {example} where they belong", example="{{" + name + "}}"))  # fmt: skip


def braces_left(lines: Sequence[Line], varying: Varying) -> Iterator[tuple[str, Place]]:
    """Yield what is in double braces after the values were put in, and a name of values that lacks a brace, with
    the place of each; nothing in code, formulas and comments."""
    for line, fenced in with_fences(lines):
        if fenced or (line.text.startswith("#") and not line.text.startswith("##")):
            continue
        text = without_formulas(without_code(line.text))
        matches = [*_DOUBLE.finditer(text)]
        matches += [match for match in _LACKING.finditer(text) if (match[1] or match[2]) in varying.values]
        for match in sorted(matches, key=re.Match.start):
            yield match[0], Place(line.number, match.start() + 1)


@lru_cache(4096)
def without_formulas(line: str) -> str:
    """Return a line of Markdown with spaces in place of its formulas."""
    for formula, at in [*formulas_in(line)]:
        line = line[:at] + " " * len(formula) + line[at + len(formula) :]
    return line


def with_values(text: str, values: Mapping[str, str]) -> str:
    """Return a lesson's text with values in the places of their names."""
    return _PLACE.sub(lambda place: values.get(place[1], place[0]), text) if values else text
