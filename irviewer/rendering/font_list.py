"""Quiets matplotlib's first import, which makes a list of the fonts of the computer and reports that on standard error
if it takes seconds. To be imported before matplotlib."""

from __future__ import annotations

import logging


def _is_worth_saying(record: logging.LogRecord) -> bool:
    return "building the font cache" not in record.getMessage()


logging.getLogger("matplotlib.font_manager").addFilter(_is_worth_saying)
