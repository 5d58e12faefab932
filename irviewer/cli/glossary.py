"""The terms of the glossary, which ``irviewer help`` and the site show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from irviewer.paths import resource

_ENTRY = re.compile(r"^- \*\*([^*]+)\*\*: (.*?)(?=^- \*\*|\Z)", re.M | re.S)
_NOT = re.compile(r"\s*\*Not:\*(.*)", re.S)


@dataclass(frozen=True)
class Term:
    """A term, its short form ("" for most), its meaning, and words that are not used for it."""

    name: str
    short: str
    meaning: str
    replaced: tuple[str, ...]


@cache
def glossary() -> Sequence[Term]:
    """Return the terms in the order of the alphabet. They are in English in every language of the program."""
    return tuple(_term(name, text) for name, text in _ENTRY.findall(resource("glossary.md").read_text("utf-8")))


def _term(name: str, text: str) -> Term:
    short = re.search(r" \(([^)]+)\)$", name)
    replaced = _NOT.search(text)
    words = re.sub(r"\([^)]*\)", "", replaced[1]).strip().rstrip(".") if replaced else ""
    return Term(
        name.removesuffix(short[0]) if short else name,
        short[1] if short else "",
        _plain(_NOT.sub("", text)),
        tuple(" ".join(word.split()) for word in words.split(",") if word.strip()),
    )


def _plain(text: str) -> str:
    """Return a text in Markdown without its marks, in one line."""
    return " ".join(re.sub(r"[`*]", "", text).split())
