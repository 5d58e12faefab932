"""The terms of the glossary, which ``irviewer help`` and the site show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from irviewer.paths import resource

_ENTRY = re.compile(r"^- \*\*([^*]+)\*\*: (.*?)(?=^- \*\*|\Z)", re.M | re.S)
_ALSO = re.compile(r"\s*\*Also:\*(.*)", re.S)


@dataclass(frozen=True)
class Term:
    """A term, its short form ("" for most), its meaning, and its other names."""

    name: str
    short: str
    meaning: str
    also: tuple[str, ...]


@cache
def glossary() -> Sequence[Term]:
    """Return the terms in the order of the alphabet. They are in English in every language of the program."""
    return tuple(_term(name, text) for name, text in _ENTRY.findall(resource("glossary.md").read_text("utf-8")))


def _term(name: str, text: str) -> Term:
    short = re.search(r" \(([^)]+)\)$", name)
    also = _ALSO.search(text)
    names = also[1].strip().rstrip(".") if also else ""
    return Term(
        name.removesuffix(short[0]) if short else name,
        short[1] if short else "",
        _plain(_ALSO.sub("", text)),
        tuple(" ".join(other.split()) for other in names.split(",") if other.strip()),
    )


def _plain(text: str) -> str:
    """Return a text in Markdown without its marks, in one line."""
    return " ".join(re.sub(r"[`*]", "", text).split())
