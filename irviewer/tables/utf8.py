"""Texts as UTF-8, whatever they hold."""

from __future__ import annotations


def utf8(text: str) -> bytes:
    """Return a text as bytes: those that are no UTF-8, which lone surrogates stand for, as they were read; another lone
    surrogate as ``?``."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")
