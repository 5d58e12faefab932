"""The Markdown of lessons as HTML and as plain text. HTML in it is shown as it is written, nothing is loaded, and links
are text.

Lessons are written with decimal points; numbers in their prose have the decimal sign of the window. Code stays."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from irviewer.translation import decimal, has_decimal_commas

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    return parser.disable(["link", "image", "autolink", "html_block", "html_inline", "reference"])


_NUMBER = r"(?<![\w.,@=^])\d*\.\d+(?![\w^]|\.\w)"
"""A decimal number that is no part of a name, a version or an option: not that of ``IPrec@0.2``, ``p=.8``, 1.2.3."""
_DECIMAL = re.compile(_NUMBER)
_LIST = re.compile(rf"(?:\d+|{_NUMBER})(?:, (?:\d+|{_NUMBER}))+(?![\d.]*\w)")


def with_signs(text: str) -> str:
    """Return a prose text with the decimal sign of the window; where that is a comma, lists of decimal numbers have
    semicolons between them."""
    if not has_decimal_commas():
        return text
    text = _LIST.sub(lambda match: match[0].replace(", ", "; ") if "." in match[0] else match[0], text)
    return _DECIMAL.sub(lambda match: decimal(match[0]), text)


def _signed(tokens: list[Token]) -> list[Token]:
    """Write the decimal sign of the window into the prose of new tokens."""
    for token in tokens:
        for child in token.children or ():
            if child.type == "text":
                child.content = with_signs(child.content)
    return tokens


def html_of(text: str) -> str:
    """Return the HTML of a text: paragraphs, emphasis, lists, code, tables and headings, no links and no images."""
    parser = _parser()
    return str(parser.renderer.render(_signed(parser.parse(text)), parser.options, {}))


def inline_html_of(text: str) -> str:
    """Return the HTML of a line: emphasis and code."""
    parser = _parser()
    return str(parser.renderer.render(_signed(parser.parseInline(text)), parser.options, {}))


def plain_of(text: str) -> str:
    """Return a text without its marks, a line for each paragraph."""
    return "\n".join(" ".join(_words(token)) for token in _signed(_parser().parse(text)) if token.type in _BLOCKS)


def first_paragraph(text: str) -> str:
    """Return the first paragraph of a text, without its marks."""
    return _first_paragraph(text, has_decimal_commas())


@lru_cache(maxsize=256)
def _first_paragraph(text: str, commas: bool) -> str:
    return plain_of(text).partition("\n")[0]


_BLOCKS = ("inline", "fence", "code_block")


def _words(token: Token) -> list[str]:
    children = token.children or ()
    shown = "".join(" " if child.type in ("softbreak", "hardbreak") else child.content for child in children)
    return re.sub(r"\s+", " ", shown or token.content).split(" ")
