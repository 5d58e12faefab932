"""What a person wrote about queries and documents: a note, tags, who and when. Frozen values.

Knows no collection, no judgment and no file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from irviewer.errors import IrviewerError

Subject = Literal["query", "document"]
SUBJECTS: tuple[Subject, ...] = ("query", "document")
_TAG = re.compile(r"[^\s,;\"]+")


class NoteError(IrviewerError):
    """A tag that cannot be one; the message says why."""


@dataclass(frozen=True)
class Note:
    """What is said of one query or document.

    text  as it was written, "" nothing; tags without repetition, in the order in which they were given
    who   the person, "" unknown; when ISO 8601 in UTC, "" unknown
    """

    text: str = ""
    tags: tuple[str, ...] = ()
    who: str = ""
    when: str = ""

    def __bool__(self) -> bool:
        """True where something is said."""
        return bool(self.text or self.tags)

    def has_tag(self, tag: str) -> bool:
        """True where it bears the tag, in any case of letters."""
        wanted = tag.casefold()
        return any(one.casefold() == wanted for one in self.tags)


@dataclass(frozen=True)
class Notes:
    """All notes of a collection: query id -> note, document id -> note, in the order in which they were first made."""

    queries: Mapping[str, Note] = field(default_factory=dict)
    documents: Mapping[str, Note] = field(default_factory=dict)

    def __len__(self) -> int:
        """How many queries and documents something is said of."""
        return len(self.queries) + len(self.documents)

    def of(self, subject: Subject, one: str) -> Note:
        """What is said of a query or a document; an empty note where nothing is."""
        return self._side(subject).get(one, Note())

    def with_note(self, subject: Subject, one: str, note: Note) -> Notes:
        """The notes with another one; an empty note takes its subject out."""
        side = {each: kept for each, kept in self._side(subject).items() if note or each != one}
        if note:
            side[one] = note
        return replace(self, queries=side) if subject == "query" else replace(self, documents=side)

    def tags(self, subject: Subject | None = None) -> tuple[str, ...]:
        """Every tag in use, the most frequent first, of equals in the order of the alphabet."""
        times: dict[str, int] = {}
        for kind, _, note in self.rows():
            if subject in (None, kind):
                for tag in note.tags:
                    times[tag] = times.get(tag, 0) + 1
        return tuple(sorted(times, key=lambda one: (-times[one], one)))

    def rows(self) -> Iterator[tuple[Subject, str, Note]]:
        """(subject, id, note) of each, queries first."""
        for subject in SUBJECTS:
            for one, note in self._side(subject).items():
                yield subject, one, note

    def _side(self, subject: Subject) -> Mapping[str, Note]:
        return self.queries if subject == "query" else self.documents


def parse_tags(text: str) -> tuple[str, ...]:
    """The tags of a line, parted by spaces, commas or semicolons, each once."""
    return checked_tags(_TAG.findall(text))


def checked_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags without repetition, in their order. Raises NoteError for one that could not be asked for in a filter."""
    found: dict[str, str] = {}
    for tag in tags:
        if not _TAG.fullmatch(tag):
            raise NoteError(f"{tag!r} is no tag: a tag is one word, without commas or quotes")
        found.setdefault(tag.casefold(), tag)
    return tuple(found.values())
