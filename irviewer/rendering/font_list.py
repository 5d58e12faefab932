"""To be imported before matplotlib, whose first import of all makes a list of the machine's fonts: where that takes
seconds it would say so on standard error, which is the program's own. Imports nothing of it."""

from __future__ import annotations

import logging


def _is_worth_saying(record: logging.LogRecord) -> bool:
    return "building the font cache" not in record.getMessage()


logging.getLogger("matplotlib.font_manager").addFilter(_is_worth_saying)
