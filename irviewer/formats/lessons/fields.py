"""The fields of lesson files: lines ``key: value``, continued on indented lines, with their positions."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from irviewer.errors import ParseError
from irviewer.model.lessons.lesson import Place
from irviewer.translation import tr

_FIELD = re.compile(r"([a-z][a-z ]*?)\s*:(?:\s|$)")
_WRONG = re.compile(r"(wrong)\s+(?P<about>\S.*?)\s*:(?:\s|$)")
REPEATED = ("printed", "computed", "do", "wrong")
"""The keys that may come more than once."""


@dataclass(frozen=True)
class Line:
    """A line of the file with its number, from 1."""

    number: int
    text: str

    @property
    def is_blank(self) -> bool:
        """Whether it has no text."""
        return not self.text.strip()

    @property
    def is_indented(self) -> bool:
        """Whether it continues the field above."""
        return self.text[:1] in (" ", "\t") and not self.is_blank


@dataclass(frozen=True)
class Field:
    """A field: ``about`` is the text between the key and the colon (``wrong 7.11:``); ``value`` its lines, without
    their common indentation. ``line`` and ``column``, from 1, are those of the value's first character."""

    key: str
    value: str
    line: int
    column: int
    path: str
    about: str = ""
    indents: tuple[tuple[int, int], ...] = ()

    def place(self, row: int = 0, at: int = 0) -> Place:
        """Return where a character of a row of the value is, both from 0."""
        line, indent = self.indents[row] if row < len(self.indents) else (self.line, self.column - 1)
        return Place(line, indent + at + 1)

    def error(self, reason: str, *, text: str | None = None, hint: str = "", row: int = 0, at: int = 0) -> ParseError:
        """Return the error for a fault in a row of the value, from 0, at a character of it, from 0."""
        place = self.place(row, at)
        shown = self.value.split("\n")[min(row, self.value.count("\n"))] if text is None else text
        return ParseError(self.path, reason, line=place.line, column=place.column, text=shown.strip(), hint=hint)

    @property
    def rows(self) -> tuple[str, ...]:
        """The lines of the value that are not empty."""
        return tuple(row.strip() for row in self.value.split("\n") if row.strip())


def known_hint(names: Iterable[str]) -> str:
    """Return the hint that lists what a lesson can have in a place."""
    return tr("use one of: {names}", names=", ".join(names))


def nearest_hint(name: str, known: Collection[str]) -> str:
    """Return the hint that names what is spelled like an unknown name; "" if nothing is."""
    near = difflib.get_close_matches(name, known, n=1)
    return tr("did you mean {suggestion}?", suggestion=near[0]) if near else ""


def read_fields(lines: Sequence[Line], keys: Collection[str], path: str | Path) -> tuple[list[Field], list[Line]]:
    """Return the fields at the beginning of some lines, and the lines after them. A line that is empty or no field ends
    them; ``#`` begins a comment line. Raises ParseError for an unknown key, and one that comes twice."""
    fields: list[Field] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        if line.text.startswith("#"):
            place += 1
            continue
        match = _WRONG.match(line.text) or _FIELD.match(line.text)
        if match is None:
            _refuse_without_colon(line, keys, path)
            break
        key = match[1]
        if key not in keys:
            raise _unknown(key, keys, line, path)
        if key not in REPEATED and any(before.key == key for before in fields):
            raise ParseError(
                path, tr("{key} comes twice", key=key), line=line.number, column=1, hint=tr("remove one of the two")
            )
        end = place + 1
        while end < len(lines) and (lines[end].is_indented or _is_gap(lines, end)):
            end += 1
        fields.append(_field(key, match, lines[place:end], path))
        place = end
    return fields, list(lines[place:])


def _refuse_without_colon(line: Line, keys: Collection[str], path: str | Path) -> None:
    """Raise ParseError for a line that begins with a key and has no colon, which would be shown as text."""
    key = next((key for key in keys if re.match(rf"{key}\s+\S", line.text)), None)
    if key is not None:
        raise ParseError(
            path, tr("the colon is missing"), line=line.number, column=1, text=line.text,
            hint=tr("write {example}, or an empty line above where it is text",
                    example="wrong .4: why it is wrong" if key == "wrong" else f"{key}: …"),
        )  # fmt: skip


def _is_gap(lines: Sequence[Line], place: int) -> bool:
    """Return whether an empty line stands between indented ones."""
    while place < len(lines) and lines[place].is_blank:
        place += 1
    return place < len(lines) and lines[place].is_indented and lines[place - 1].is_blank


def _field(key: str, match: re.Match[str], lines: Sequence[Line], path: str | Path) -> Field:
    first, after = lines[0], lines[1:]
    start = match.end() if match.end() < len(first.text) else len(first.text)
    start += len(first.text[start:]) - len(first.text[start:].lstrip())
    head = first.text[start:].strip()
    common = min((len(line.text) - len(line.text.lstrip()) for line in after if not line.is_blank), default=0)
    rows = [] if head in ("", "|") and after else [(head, first.number, start)]
    rows += [(line.text[common:].rstrip(), line.number, common) for line in after]
    return Field(
        key,
        "\n".join(row for row, _, _ in rows),
        rows[0][1],
        rows[0][2] + 1,
        str(path),
        match.groupdict().get("about", ""),
        tuple((number, indent) for _, number, indent in rows),
    )


def _unknown(key: str, keys: Collection[str], line: Line, path: str | Path) -> ParseError:
    hint = nearest_hint(key, keys) or tr("use one of: {names}; text begins after an empty line", names=", ".join(keys))
    return ParseError(path, tr("{key} is not known here", key=key), line=line.number, column=1, hint=hint)
