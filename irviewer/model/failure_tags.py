"""Tags that the user gives to the failures of a run, one query after the other, and which queries were examined."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from irviewer.errors import IrviewerError
from irviewer.model.workspace import Collection
from irviewer.translation import tr

MOST_LETTERS = 80
"""The most letters of a tag's name."""
DIGITS = "123456789"
DEFAULT_SEED = 42
FAILURE_TAGS = "failure_tags"
"""The key of a collection's notes under which its tags are, and the name of their section in a project."""
_KEY = re.compile(r"[1-9a-z]?")


class FailureTagError(IrviewerError):
    """An invalid tag of failures."""


@dataclass(frozen=True)
class FailureTag:
    """A tag: its name, and the key that sets it, "" where none was free."""

    key: str
    name: str


@dataclass(frozen=True)
class Look:
    """What was noted of a run on a query that was examined.

    tags  names of tags, in the order in which they were given
    seed  the seed of the random order in which the query came; None for another order
    who   the author, "" if unknown
    when  ISO 8601 in UTC, "" if unknown
    """

    tags: tuple[str, ...] = ()
    seed: int | None = None
    who: str = ""
    when: str = ""


@dataclass(frozen=True)
class FailureTags:
    """The tags of a collection, and what was examined: (key of a run, query id) -> look. ``seed`` is that of the
    random order."""

    tags: tuple[FailureTag, ...] = ()
    looks: Mapping[tuple[int, str], Look] = field(default_factory=dict)
    seed: int = DEFAULT_SEED

    def __bool__(self) -> bool:
        """Whether there is anything to keep."""
        return bool(self.tags or self.looks or self.seed != DEFAULT_SEED)

    def of_run(self, run: int) -> dict[str, Look]:
        """Return the looks of a run by query id."""
        return {query: look for (key, query), look in self.looks.items() if key == run}

    def tag_of(self, key: str) -> FailureTag | None:
        """Return the tag of a key; None for a free one."""
        return next((tag for tag in self.tags if tag.key == key), None) if key else None

    def named(self, name: str) -> FailureTag | None:
        """Return the tag of a name, whatever its case."""
        folded = name.casefold()
        return next((tag for tag in self.tags if tag.name.casefold() == folded), None)

    def free_key(self, letters: str = "") -> str:
        """Return the next free key, first of the digits 1 to 9, then of ``letters``; "" where all are taken."""
        taken = {tag.key for tag in self.tags}
        return next((key for key in (*DIGITS, *letters) if key not in taken), "")

    def with_tag(self, name: str, letters: str = "") -> FailureTags:
        """Return the same with a new tag on the next free key; unchanged where there is the tag. Raises
        FailureTagError."""
        name = checked_name(name)
        if self.named(name) is not None:
            return self
        return replace(self, tags=(*self.tags, FailureTag(self.free_key(letters), name)))

    def renamed(self, name: str, new: str) -> FailureTags:
        """Return the same with another name of a tag, everywhere. Raises FailureTagError for a name that is taken."""
        new = checked_name(new)
        other = self.named(new)
        if other is not None and other.name != name:
            raise FailureTagError(tr("There is a tag {tag} already.", tag=other.name))
        tags = tuple(replace(tag, name=new) if tag.name == name else tag for tag in self.tags)
        looks = {
            place: replace(look, tags=tuple(new if each == name else each for each in look.tags))
            if name in look.tags
            else look
            for place, look in self.looks.items()
        }
        return replace(self, tags=tags, looks=looks)

    def without_tag(self, name: str) -> FailureTags:
        """Return the same without a tag, everywhere; what was examined remains so."""
        looks = {
            place: replace(look, tags=tuple(each for each in look.tags if each != name)) if name in look.tags else look
            for place, look in self.looks.items()
        }
        return replace(self, tags=tuple(tag for tag in self.tags if tag.name != name), looks=looks)

    def with_look(self, run: int, query: str, look: Look | None) -> FailureTags:
        """Return the same with a look replaced or added; None takes it away."""
        looks = {place: each for place, each in self.looks.items() if look is not None or place != (run, query)}
        if look is not None:
            looks[run, query] = look
        return replace(self, looks=looks)


NO_TAGS = FailureTags()
"""Nothing noted."""


def failure_tags_of(collection: Collection | None) -> FailureTags:
    """Return what is noted of failures: nothing where nobody noted any, and without a collection. It is the same object
    while it is the same."""
    noted: FailureTags = NO_TAGS if collection is None else collection.notes.get(FAILURE_TAGS, NO_TAGS)
    return noted


def with_failure_tags(collection: Collection, noted: FailureTags) -> Collection:
    """Return the collection with other tags."""
    return replace(collection, notes={**collection.notes, FAILURE_TAGS: noted})


@dataclass(frozen=True)
class RunTags:
    """The tags at the doors: the names of all tags, and the looks by name of a run and query id; ``origin`` is the
    project's file, "" for none."""

    tags: tuple[FailureTag, ...] = ()
    looks: Mapping[str, Mapping[str, Look]] = field(default_factory=dict)
    seed: int = DEFAULT_SEED
    origin: str = field(default="", compare=False)

    def of(self, run: str) -> Mapping[str, Look]:
        """Return the looks of a run by query id."""
        return self.looks.get(run, {})


def by_names(tags: FailureTags, names: Mapping[int, str]) -> RunTags:
    """Return tags with the names of runs in the place of their keys; runs without a name are left out."""
    looks: dict[str, dict[str, Look]] = {}
    for (key, query), look in tags.looks.items():
        if key in names:
            looks.setdefault(names[key], {})[query] = look
    return RunTags(tags.tags, looks, tags.seed)


def checked_name(name: str) -> str:
    """Return the name of a tag in one line. Raises FailureTagError for none and for one that is too long."""
    name = " ".join(name.split())
    if not name:
        raise FailureTagError(tr("A tag needs a name."))
    if len(name) > MOST_LETTERS:
        raise FailureTagError(tr("The name of a tag has at most {n} letters.", n=MOST_LETTERS))
    return name


def with_distinct_keys(tags: Iterable[FailureTag]) -> tuple[FailureTag, ...]:
    """Return tags whose names differ and whose keys do: the first of two keeps the key, the other gets a free digit.
    Keys that no tag can have are taken away."""
    kept: list[FailureTag] = []
    for tag in tags:
        if any(tag.name.casefold() == other.name.casefold() for other in kept):
            continue
        good = bool(_KEY.fullmatch(tag.key)) and all(tag.key != other.key for other in kept if tag.key)
        kept.append(tag if good else replace(tag, key=""))
    known = FailureTags(tuple(kept))
    for place, tag in enumerate(kept):
        if not tag.key:
            key = known.free_key()
            known = replace(known, tags=(*known.tags[:place], replace(tag, key=key), *known.tags[place + 1 :]))
    return known.tags


def random_order(query_ids: Sequence[str], seed: int) -> list[int]:
    """Return the places of queries in a random order: by the SHA-256 of ``seed:query``. It depends on no order of a
    file, and a query that is added moves no other one."""

    def drawn(place: int) -> tuple[bytes, str]:
        query = query_ids[place]
        return hashlib.sha256(f"{seed}:{query}".encode("utf-8", "surrogateescape")).digest(), query

    return sorted(range(len(query_ids)), key=drawn)
