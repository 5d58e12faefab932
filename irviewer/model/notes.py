"""Notes and tags of queries and documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from irviewer.errors import IrviewerError
from irviewer.translation import tr

Subject = Literal["query", "document"]
SUBJECTS: tuple[Subject, ...] = ("query", "document")
_TAG = re.compile(r"[^\s,;\"]+")


class NoteError(IrviewerError):
    """An invalid tag."""


@dataclass(frozen=True)
class Note:
    """The note of a query or document.

    text  "" for none
    tags  distinct, in the order in which they were given
    who   the author, "" if unknown
    when  ISO 8601 in UTC, "" if unknown
    """

    text: str = ""
    tags: tuple[str, ...] = ()
    who: str = ""
    when: str = ""

    def __bool__(self) -> bool:
        """Whether there is a text or a tag."""
        return bool(self.text or self.tags)

    def has_tag(self, tag: str) -> bool:
        """Return whether the note has a tag, ignoring case."""
        folded = tag.casefold()
        return any(own.casefold() == folded for own in self.tags)


@dataclass(frozen=True)
class Notes:
    """The notes of a collection: query id -> note and document id -> note, in the order in which they were made."""

    queries: Mapping[str, Note] = field(default_factory=dict)
    documents: Mapping[str, Note] = field(default_factory=dict)

    def __len__(self) -> int:
        """The number of queries and documents with a note."""
        return len(self.queries) + len(self.documents)

    def of(self, subject: Subject, identifier: str) -> Note:
        """Return the note of a query or document; an empty one if it has none."""
        return self._side(subject).get(identifier, Note())

    def with_note(self, subject: Subject, identifier: str, note: Note) -> Notes:
        """Return the notes with a note replaced or added; an empty note removes it."""
        side = {key: value for key, value in self._side(subject).items() if note or key != identifier}
        if note:
            side[identifier] = note
        return replace(self, queries=side) if subject == "query" else replace(self, documents=side)

    def tags(self, subject: Subject | None = None) -> tuple[str, ...]:
        """Return all tags in use, the most frequent first, then alphabetically."""
        times: dict[str, int] = {}
        for kind, _, note in self.rows():
            if subject in (None, kind):
                for tag in note.tags:
                    times[tag] = times.get(tag, 0) + 1
        return tuple(sorted(times, key=lambda tag: (-times[tag], tag)))

    def rows(self) -> Iterator[tuple[Subject, str, Note]]:
        """Iterate over (subject, id, note), queries first."""
        for subject in SUBJECTS:
            for identifier, note in self._side(subject).items():
                yield subject, identifier, note

    def _side(self, subject: Subject) -> Mapping[str, Note]:
        return self.queries if subject == "query" else self.documents


def parse_tags(text: str) -> tuple[str, ...]:
    """Return the distinct tags of a line, separated by spaces, commas or semicolons."""
    return checked_tags(_TAG.findall(text))


def checked_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct tags in their order. Raises NoteError for tags that filters could not contain."""
    distinct: dict[str, str] = {}
    for tag in tags:
        if not _TAG.fullmatch(tag):
            raise NoteError(tr("{tag!r} is not a tag; use one word without commas or quotes", tag=tag))
        distinct.setdefault(tag.casefold(), tag)
    return tuple(distinct.values())
