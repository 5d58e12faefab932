"""Characters that nobody sees or that turn the text around them, written as escapes (``\\u200b``).

Ids, names and texts of files go through :func:`escape_hidden` wherever they are shown: in the window, in tables of
text, in reports and messages. Two ids that differ in such a character look different, and no text has a width of 0
unless it is empty. What is written to be read again (TREC files, CSV, JSON) stays as it is. Knows no other module."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache

_HIDDEN = (
    "\x00-\x1f\x7f-\x9f"  # control characters
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # without width, line ends, and those that turn the direction
    "\ufe00-\ufe0f\U000e0000-\U000e0fff"  # selectors of variants, and tags
    "\ud800-\udfff\ufdd0-\ufdef"  # halves of characters, and what is no character
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
_JOINERS = "\u200c\u200d"
_FIRST_JOINING = "\u0590"
"""The scripts whose letters joiners shape come after this character; before it are Latin, Greek and Cyrillic."""
_EMOJI_STYLE, _KEYCAP = "\ufe0f", "\u20e3"


_COMMON = (
    "\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0482"  # Latin, Greek, Cyrillic
    "\u2010-\u2027\u2030-\u205e\u2070-\u20cf\u2100-\u2bff"  # punctuation, arrows, signs of mathematics
)
"""Characters that are always shown as they are."""


@cache
def _common() -> re.Pattern[str]:
    return re.compile(f"[{_COMMON}]*")


@cache
def _uncommon() -> re.Pattern[str]:
    return re.compile(f"[^{_COMMON}]+")


@cache
def _search() -> re.Pattern[str]:
    """Return the pattern of hidden characters, compiled at the first text that may have one."""
    return re.compile(f"[{_HIDDEN}]")


SHORT = 64
"""Texts of so many characters are kept with their escapes."""


def escape_hidden(text: str, keep: str = "") -> str:
    """Return the text with its hidden characters as escapes; control characters of ``keep`` (tabs, line ends) stay.

    Accents stay on their letters, joiners between letters that they shape, and the signs that make an emoji of several
    characters; an accent without a letter is escaped."""
    if text.isascii():
        return text if text.isprintable() else _search().sub(_keeping(keep), text)
    if _common().fullmatch(text):
        return text
    return _escaped(text, keep) if len(text) <= SHORT else _escape(text, keep)


def _escape(text: str, keep: str) -> str:
    """The same, looking at the characters between common ones alone."""
    parts: list[str] = []
    end = 0
    for match in _uncommon().finditer(text):
        start = match.start()
        before = text[start - 1 : start]
        parts += (text[end:start], _escape_run(text, start, match.end(), "" if before.isspace() else before, keep))
        end = match.end()
    return "".join((*parts, text[end:]))


def _escape_run(text: str, start: int, stop: int, base: str, keep: str) -> str:
    """Return some characters with their escapes. ``base`` is the character before, as far as it is shown: "" where an
    accent has nothing to sit on."""
    parts = []
    for place in range(start, stop):
        sign = text[place]
        if sign in keep:
            base = ""
        elif _is_hidden(sign, base, text[place + 1 : place + 2]):
            sign = escape(sign)
            base = ""
        elif sign.isspace():
            base = ""
        elif not _is_mark(sign):
            base = sign
        parts.append(sign)
    return "".join(parts)


@lru_cache(maxsize=4096)
def _escaped(text: str, keep: str) -> str:
    """The same, kept: tables paint few texts again and again."""
    return _escape(text, keep)


def _is_hidden(sign: str, base: str, following: str) -> bool:
    """Return whether a character is hidden behind ``base`` and before ``following``."""
    if sign < "\x7f":
        return sign < " "
    if sign in _JOINERS:
        return not (_joins(base, sign) and _joins(following, sign))
    if sign == _EMOJI_STYLE:
        emoji = bool(base) and unicodedata.category(base) == "So"
        return not (emoji or (following == _KEYCAP and base != "" and base in "0123456789#*"))
    return _search().match(sign) is not None or (not base and _is_mark(sign))


def _joins(sign: str, joiner: str) -> bool:
    """Return whether a joiner shapes a character: a letter of such a script or, where it joins, an emoji."""
    if not sign:
        return False
    kind = unicodedata.category(sign)
    return (kind[0] in "LM" and sign > _FIRST_JOINING) or (joiner == "\u200d" and kind in ("So", "Sk"))


def _is_mark(sign: str) -> bool:
    return sign > "\u02ff" and unicodedata.category(sign) in ("Mn", "Me")


def _keeping(keep: str) -> Callable[[re.Match[str]], str]:
    return lambda match: match[0] if match[0] in keep else escape(match[0])


def escape(sign: str) -> str:
    """Return the escape of a character: ``\\u200b``."""
    return sign.encode("unicode_escape").decode("ascii")
