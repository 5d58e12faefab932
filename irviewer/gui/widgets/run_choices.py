"""The runs of a menu or a list of a dialog, the same in all views: best first, each with its mean.

It calls the session's methods and knows no view."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import swatch_icon
from irviewer.hidden_characters import escape_hidden
from irviewer.rendering.run_label import RunLabel
from irviewer.translation import decimal

if TYPE_CHECKING:
    from irviewer.session.session import Session


def run_texts(label: RunLabel, mean: float) -> tuple[str, str]:
    """Return the name of a run in a list, with the star of the baseline, and its mean; of an unknown mean ""."""
    name = escape_hidden(label.name) + (" ★" if label.baseline else "")
    return name, "" if math.isnan(mean) else decimal(f"{mean:.4f}")


def run_entry(label: RunLabel, mean: float) -> str:
    """Return the text of a run in a menu, with its mean at the right."""
    return "\t".join(filter(None, run_texts(label, mean))).replace("&", "&&")


def add_runs(
    menu: QMenu, session: Session, theme: Theme, labels: Iterable[RunLabel], chosen: int | None
) -> list[QAction]:
    """Add runs to a menu, best first, with their keys as data and a tick at the ``chosen`` one; return their
    entries."""
    entries = []
    for label, mean in session.view.best_first(labels):
        entry = menu.addAction(run_entry(label, mean))
        entry.setIcon(swatch_icon(theme.run(label), label.shown or label.baseline, theme["control_border"]))
        entry.setData(label.key)
        entry.setCheckable(True)
        entry.setChecked(label.key == chosen)
        entries.append(entry)
    return entries
