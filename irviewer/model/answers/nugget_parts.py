"""Nuggets of one set that stand in several files, each with other topics, as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from irviewer.errors import OptionError, name_some, printable
from irviewer.model.answers.concatenated import concatenated
from irviewer.model.answers.nuggets import Links, Nuggets
from irviewer.model.answers.twice import listed_topics
from irviewer.model.arrays import frozen, strings
from irviewer.model.qrels import Qrels
from irviewer.translation import tr, trn


def joined_nuggets(parts: Sequence[Qrels]) -> tuple[Qrels, str]:
    """Return the nuggets of several files as one set, named by all, and what is said of it. Raises OptionError, with
    both files, where a topic is in two of them, as nothing tells which of its nuggets count."""
    seen: dict[str, Qrels] = {}
    sets: list[Nuggets] = []
    for part in parts:
        assert part.nuggets is not None
        sets.append(part.nuggets)
        again = [topic for topic in part.nuggets.topics if topic in seen]
        if again:
            raise OptionError(printable(_conflict(seen, part, again)))
        seen |= dict.fromkeys(part.nuggets.topics, part)
    whole = replace(concatenated(*[replace(each, links=None) for each in sets]), links=_links(sets))
    name = " + ".join(part.name for part in parts)
    none = frozen(np.zeros(len(whole.topics) + 1, dtype=np.int64))
    joined = Qrels(name, whole.topics, none, strings([]), np.empty(0), origin=parts[0].origin,
                   nuggets=replace(whole, name=name))  # fmt: skip
    files = name_some([_file(part) for part in parts])
    return joined, tr("{files} have nuggets of different topics: they count as one set", files=files)


def _links(sets: Sequence[Nuggets]) -> Links | None:
    """Return which document holds which nugget of several sets, one after the other; None if no set says it."""
    before = np.cumsum([0, *(len(each.texts) for each in sets)])
    linked = [(each.links, more) for each, more in zip(sets, before, strict=False) if each.links is not None]
    if not linked:
        return None
    return Links(
        frozenset().union(*(links.topics for links, _ in linked)),
        frozen(np.concatenate([links.nugget + more for links, more in linked])),
        pa.concat_arrays([links.documents for links, _ in linked]),
    )


def _conflict(seen: Mapping[str, Qrels], other: Qrels, topics: Sequence[str]) -> str:
    """Return what a file says of topics that files before it have: other nuggets than the one that has the topic, with
    the first that differs, or the same as the first of these files."""
    for topic in topics:
        ours, theirs = _listed(seen[topic], topic), _listed(other, topic)
        if ours != theirs:
            pairs = ((a, b) for a, b in zip([*ours, ""], [*theirs, ""], strict=False) if a != b)
            own, its = next(pairs, ("", ""))
            return tr(
                "{first} and {second} have different nuggets of topic {topic}: “{own}” and “{other}”; give one of the "
                "files", topic=topic, own=own or "–", other=its or "–", first=_file(seen[topic]), second=_file(other),
            )  # fmt: skip
    first = seen[topics[0]]
    same = [topic for topic in topics if seen[topic] is first]
    return trn(
        "{first} and {second} have the same nuggets of {n:,} topic: {topics}; give it once",
        "{first} and {second} have the same nuggets of {n:,} topics: {topics}; give them once",
        len(same), topics=listed_topics(same), first=_file(first), second=_file(other),
    )  # fmt: skip


def _file(part: Qrels) -> str:
    return Path(part.origin).name or part.name


def _listed(part: Qrels, topic: str) -> list[str]:
    assert part.nuggets is not None
    nuggets = part.nuggets
    rows = nuggets.rows(topic).tolist()
    texts, importance = nuggets.texts, nuggets.importance_texts
    return [f"{texts[row].as_py()} ({importance[row].as_py()})" for row in rows]
