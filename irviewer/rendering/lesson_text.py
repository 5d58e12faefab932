"""The Markdown of lessons as HTML and as plain text. HTML in it is shown as it is written, nothing is loaded, and links
are text. Formulas, ``$…$``, are MathML in HTML, or what the caller makes of them; pictures are what the caller makes of
them, else what they show in words.

Lessons are written with decimal points; numbers in their prose have the decimal sign of the window, and in languages
other than English a zero before it. Code stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from irviewer.measures.formula_text import formula_text
from irviewer.model.formula import IN_TEXT, FormulaError, parse_formula, plain_latex
from irviewer.rendering.mathml import mathml
from irviewer.translation import decimal, has_decimal_commas, with_zero

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token


def _in_words(name: str, alt: str) -> str:
    return escape(alt)


class Shown(NamedTuple):
    """How formulas and pictures are shown: what makes HTML of the LaTeX of a formula, and of a picture's file and
    words."""

    formula: Callable[[str], str] = mathml
    picture: Callable[[str, str], str] = _in_words


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    parser.inline.ruler.before("escape", "formula", _read_formula)
    parser.add_render_rule("formula", _formula_html)
    parser.add_render_rule("image", _picture_html)
    return parser.disable(["link", "autolink", "html_block", "html_inline", "reference"])


def _read_formula(state: StateInline, silent: bool) -> bool:
    match = IN_TEXT.match(state.src, state.pos) if state.src[state.pos] == "$" else None
    if match is None:
        return False
    if not silent:
        state.push("formula", "", 0).content = match[1]
    state.pos = match.end()
    return True


def _formula_html(self: Any, tokens: Sequence[Token], place: int, options: Any, env: dict[str, Shown]) -> str:
    return env["shown"].formula(tokens[place].content)


def _picture_html(self: Any, tokens: Sequence[Token], place: int, options: Any, env: dict[str, Shown]) -> str:
    return env["shown"].picture(unquote(str(tokens[place].attrs["src"])), tokens[place].content)


_NUMBER = r"(?<![\w.,@=^])\d*\.\d+(?![\w^]|\.\w)"
"""A decimal number that is no part of a name, a version or an option: not that of ``IPrec@0.2``, ``p=.8``, 1.2.3."""
_DECIMAL = re.compile(_NUMBER)
_IN_LATEX = re.compile(r"\d*\.\d+")
_BREAK = "\0"
"""The end of a line within a paragraph; Markdown has no such character."""
_LIST = re.compile(rf"(?:\d+|{_NUMBER})(?:,[ {_BREAK}](?:\d+|{_NUMBER}))+(?![\d.]*\w)")
_COMMA = re.compile(rf",(?=[ {_BREAK}])")


def with_signs(text: str) -> str:
    """Return a prose text with the decimal sign of the window; where that is a comma, lists of decimal numbers have
    semicolons between them. With a point only the zero before it is added, in all languages but English."""
    if not has_decimal_commas():
        return _DECIMAL.sub(lambda match: with_zero(match[0]), text)
    text = _LIST.sub(lambda match: _COMMA.sub(";", match[0]) if "." in match[0] else match[0], text)
    return _DECIMAL.sub(lambda match: decimal(match[0]), text)


def _signed(tokens: list[Token]) -> list[Token]:
    """Write the decimal sign of the window into the prose of new tokens; cells are aligned without a style, which the
    policy of pages refuses."""
    for token in tokens:
        style = str(token.attrs.pop("style", ""))
        if style.startswith("text-align:"):
            token.attrs["align"] = style.removeprefix("text-align:")
        for is_prose, run in groupby(token.children or (), lambda child: child.type in ("text", "softbreak")):
            prose = list(run) if is_prose else []
            joined = with_signs("".join(_BREAK if each.type == "softbreak" else each.content for each in prose))
            lines, number = joined.split(_BREAK), 0
            for child in prose:
                if child.type == "softbreak":
                    number += 1
                else:
                    child.content, lines[number] = lines[number], ""
    return tokens


_TIED = re.compile(r"(?<=[\w)]) = (?=[\N{MINUS SIGN}-]?[.,]?\d)|(?<=\d) (?=%)")


def _tied(tokens: list[Token]) -> list[Token]:
    """Let no line of new tokens end between a name and its value, or between a number and its percent sign."""
    for child in (child for token in tokens for child in token.children or ()):
        if child.type == "text":
            child.content = _TIED.sub(lambda space: space[0].replace(" ", "\N{NO-BREAK SPACE}"), child.content)
    return tokens


IN_PAGES = Shown()
"""Formulas as MathML, pictures in words."""


def html_of(text: str, shown: Shown = IN_PAGES) -> str:
    """Return the HTML of a text: paragraphs, emphasis, lists, code, tables, headings, formulas and pictures, no
    links."""
    parser = _parser()
    return str(parser.renderer.render(_tied(_signed(parser.parse(text))), parser.options, {"shown": shown}))


def inline_html_of(text: str, shown: Shown = IN_PAGES) -> str:
    """Return the HTML of a line: emphasis, code and formulas."""
    parser = _parser()
    return str(parser.renderer.render(_tied(_signed(parser.parseInline(text))), parser.options, {"shown": shown}))


def drawn_latex(formula: str) -> str:
    """Return the LaTeX of a formula as it is drawn: its numbers with the decimal sign of the window, without the space
    that LaTeX leaves after signs of punctuation."""
    latex = _latex(formula, lambda number: re.sub(r"^\.", r"\\text{.}", number).replace(",", "{,}"))
    return formula if latex is None else latex


def formula_words(formula: str) -> str:
    """Return a formula as a line of plain text; as it is written where it cannot be read."""
    latex = _latex(formula, str)
    return formula if latex is None else formula_text(latex)


def _latex(formula: str, sign: Callable[[str], str]) -> str | None:
    try:
        latex = plain_latex(parse_formula(formula))
    except FormulaError:
        return None
    return _IN_LATEX.sub(lambda match: sign(decimal(match[0])), latex)


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
    shown = "".join(_word(child) for child in children)
    return re.sub(r"\s+", " ", shown or token.content).split(" ")


def _word(child: Token) -> str:
    if child.type in ("softbreak", "hardbreak"):
        return " "
    return formula_words(child.content) if child.type == "formula" else child.content
