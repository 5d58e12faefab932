"""The columns of a document card, and their order: one line of text that the user can write.

    url, price, picture=image, *

Names in order; ``title=``, ``text=`` and ``picture=`` name the column of that part; ``*`` is every column not named,
``-name`` leaves one out. Columns that a collection lacks are skipped, so that one line serves several. Empty: title and
text as the collection has them, common fields such as url and price, then the rest. Knows rows, no session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from irviewer.errors import IrviewerError
from irviewer.translation import tr

PARTS = ("title", "text", "picture")
REST = "*"
FIRST = ("url", "link", "price", "brand", "category", "author", "date", "source")
"""Columns that stand before the others where nothing is said."""

MOST_BYTES = 20_000_000
"""A larger picture is not shown."""
PICTURES = ("picture", "image", "image_path", "photo", "thumbnail", "img")
"""Columns that hold a picture's path where nothing is said."""

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".svg"})


class TemplateError(IrviewerError):
    """A line that says no fields."""


@dataclass(frozen=True)
class CardTemplate:
    """``parts`` (part, column) and ``fields`` in the order written; ``hidden`` columns; ``rest`` where ``*`` stands
    among ``fields``. ``said`` is False for the empty line."""

    parts: tuple[tuple[str, str], ...] = ()
    fields: tuple[str, ...] = ()
    hidden: frozenset[str] = frozenset()
    said: bool = False

    def column(self, part: str) -> str:
        """The column that was said to be that part, "" where none was."""
        return dict(self.parts).get(part, "")

    def order(self, names: Sequence[str]) -> list[str]:
        """Those of the columns that are shown as fields, in their order."""
        taken = self.hidden | {column for _, column in self.parts}
        free = [name for name in names if name not in taken]
        if not self.said:
            first = [name for name in FIRST if name in free]
            return [*first, *(name for name in free if name not in first)]
        rest = [name for name in free if name not in self.fields]
        fields: list[str] = []
        for name in self.fields:
            fields += rest if name == REST else [name] * (name in free)
        return fields

    def picture(self, row: Mapping[str, Any], origin: str) -> tuple[str, str]:
        """Return (column, path) of a picture in the folder of ``origin`` or below it, a file of at most MOST_BYTES; two
        empty texts if there is none. No address and no path elsewhere on this computer is opened, whatever the data
        name."""
        said = self.column("picture")
        for name in (said,) if said else PICTURES:
            value = row.get(name)
            if name in self.hidden or not isinstance(value, str) or Path(value).suffix.lower() not in SUFFIXES:
                continue
            folder = Path(origin).parent
            try:
                path = (folder / value.removeprefix("file://")).resolve()
                if path.is_relative_to(folder.resolve()) and path.is_file() and path.stat().st_size <= MOST_BYTES:
                    return name, str(path)
            except (OSError, ValueError):  # a text that can be no path
                continue
        return "", ""


@lru_cache(16)
def parse_template(line: str) -> CardTemplate:
    """Return the template of a line. Raises TemplateError if it is not valid."""
    parts: dict[str, str] = {}
    fields: list[str] = []
    hidden: set[str] = set()
    for word in (word.strip() for word in line.split(",")):
        part, sign, column = (part.strip() for part in word.partition("="))
        if not word:
            continue
        if sign:
            if part not in PARTS or not column:
                raise TemplateError(
                    tr("{text!r} is not a field. Write part=column with one of the parts {names}.",
                       text=word, names=", ".join(PARTS))
                )  # fmt: skip
            if part in parts:
                raise TemplateError(tr("{name} is given twice. Remove one of them.", name=part))
            parts[part] = column
        elif word.startswith("-") and len(word) > 1:
            hidden.add(word[1:].strip())
        elif word in fields:
            raise TemplateError(tr("{name} is given twice. Remove one of them.", name=word))
        else:
            fields.append(word)
    if (parts or hidden) and not fields:
        fields.append(REST)  # a template with only a part or a hidden column includes the other columns
    return CardTemplate(tuple(parts.items()), tuple(fields), frozenset(hidden), bool(fields))


def is_template(value: Any) -> bool:
    """Return True for a valid line."""
    try:
        return isinstance(value, str) and parse_template(value) is not None
    except TemplateError:
        return False
