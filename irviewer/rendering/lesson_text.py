"""The Markdown of lessons as HTML and as plain text. HTML in it is shown as it is written, nothing is loaded, and links
are text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    return parser.disable(["link", "image", "autolink", "html_block", "html_inline", "reference"])


def html_of(text: str) -> str:
    """Return the HTML of a text: paragraphs, emphasis, lists, code, tables and headings, no links and no images."""
    return str(_parser().render(text))


def inline_html_of(text: str) -> str:
    """Return the HTML of a line: emphasis and code."""
    return str(_parser().renderInline(text))


def plain_of(text: str) -> str:
    """Return a text without its marks, a line for each paragraph."""
    return "\n".join(" ".join(_words(token)) for token in _parser().parse(text) if token.type in _BLOCKS)


@lru_cache(maxsize=256)
def first_paragraph(text: str) -> str:
    """Return the first paragraph of a text, without its marks."""
    return plain_of(text).partition("\n")[0]


_BLOCKS = ("inline", "fence", "code_block")


def _words(token: Token) -> list[str]:
    children = token.children or ()
    shown = "".join(" " if child.type in ("softbreak", "hardbreak") else child.content for child in children)
    return re.sub(r"\s+", " ", shown or token.content).split(" ")
