"""Topics with two different records in a file, of which one is kept: what is said of them where their numbers stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from irviewer.errors import short_name
from irviewer.translation import trn

What = Literal["answers", "nuggets", "labels"]
NAMED = 5
"""Topics that a note names."""


def listed_topics(topics: Sequence[str]) -> str:
    """Return the first topics in one text, with an ellipsis where there are more."""
    return ", ".join(map(short_name, topics[:NAMED])) + (", …" if len(topics) > NAMED else "")


KEPT: Mapping[tuple[What, bool], Callable[[int, str], str]] = {
    ("answers", False): lambda n, topics: trn(
        "{n:,} topic has different answers; the first is kept: {topics}",
        "{n:,} topics have different answers; the first of each is kept: {topics}", n, topics=topics),
    ("answers", True): lambda n, topics: trn(
        "{n:,} topic has different answers; the last is kept: {topics}",
        "{n:,} topics have different answers; the last of each is kept: {topics}", n, topics=topics),
    ("nuggets", False): lambda n, topics: trn(
        "{n:,} topic has different lists of nuggets; the first is kept: {topics}",
        "{n:,} topics have different lists of nuggets; the first of each is kept: {topics}", n, topics=topics),
    ("nuggets", True): lambda n, topics: trn(
        "{n:,} topic has different lists of nuggets; the last is kept: {topics}",
        "{n:,} topics have different lists of nuggets; the last of each is kept: {topics}", n, topics=topics),
    ("labels", False): lambda n, topics: trn(
        "{n:,} topic has different labels; the first ones are kept: {topics}",
        "{n:,} topics have different labels; the first ones of each are kept: {topics}", n, topics=topics),
    ("labels", True): lambda n, topics: trn(
        "{n:,} topic has different labels; the last ones are kept: {topics}",
        "{n:,} topics have different labels; the last ones of each are kept: {topics}", n, topics=topics),
}  # fmt: skip
"""What there is two of, and whether the last is kept -> what is said of it."""


def twice_text(what: What, topics: Sequence[str], kept: str) -> str:
    """Return that topics have two different records, and which is ``kept``: the "first" or the "last"."""
    return KEPT[what, kept == "last"](len(topics), listed_topics(topics))
