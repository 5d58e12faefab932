"""Quiets matplotlib's list of fonts, which reports on standard error that it is made, if that takes seconds, and that a
fallback font lacks a weight. To be imported before matplotlib."""

from __future__ import annotations

import logging


def _is_worth_saying(record: logging.LogRecord) -> bool:
    text = record.getMessage()
    return "building the font cache" not in text and "Failed to find font weight" not in text


logging.getLogger("matplotlib.font_manager").addFilter(_is_worth_saying)
