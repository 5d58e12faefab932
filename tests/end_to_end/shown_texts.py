"""Prints every text that the window shows on the sample, as a JSON list: labels, buttons, tooltips, accessible names,
headers, menus and commands. Runs as a program, so that a language can be chosen before anything is imported."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from PySide6.QtCore import QAbstractTableModel, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QLabel, QLineEdit, QWidget

from irviewer.commands import COMMANDS
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.session.files.samples import find_sample
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.state import TABS


def _names(attributes: Any) -> list[str]:
    """The names of attributes in a run's file, nested ones with points."""
    names = []
    for name, value in (attributes or {}).items():
        names += (
            [str(name), *(f"{name}.{inner}" for inner in _names(value))] if isinstance(value, dict) else [str(name)]
        )
    return names


def texts_of(widget: QWidget) -> list[object]:
    """The texts of a widget itself."""
    texts: list[object] = [widget.toolTip(), widget.accessibleName()]
    if isinstance(widget, QLabel | QAbstractButton):
        texts.append(widget.text())
    if isinstance(widget, QLineEdit):
        texts.append(widget.placeholderText())
    model = widget.model() if isinstance(widget, QAbstractItemView) else None
    if isinstance(model, QAbstractTableModel):
        roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        texts += [
            model.headerData(column, Qt.Orientation.Horizontal, role)
            for column in range(model.columnCount())
            for role in roles
        ]
    return texts


def main() -> None:
    """Show every screen and tab, and collect."""
    app = QApplication(sys.argv[:1])
    session = Session(Settings())
    window = MainWindow(session, Theme())
    window.resize(1920, 1080)
    window.show()
    sample = find_sample("cranfield")
    assert sample is not None
    session.files.open_files([str(file.path) for file in sample.files])
    texts: set[object] = set()
    for place in ("verdict", "systems", "queries", "query", "compare"):
        session.navigation.set_place(place)
        for tab in TABS.get(place, ("",)):
            if tab:
                session.navigation.set_tab(place, tab)
            session.compute_now()
            window.flush()
            app.processEvents()
            window.flush()
            for widget in window.findChildren(QWidget):
                texts.update(texts_of(widget))
            for action in window.findChildren(QAction):
                texts.update((action.text(), action.toolTip()))
    for command in COMMANDS:
        texts.update((command.title, command.help))
    assert session.view.collection is not None
    data = [entry.name for entry in session.view.collection.runs]
    data += [session.view.collection.query_text(query) for query in session.view.context.query_ids]  # type: ignore[union-attr]
    shown = sorted(text for text in texts if isinstance(text, str) and re.search(r"[A-Za-z]{3}", text))
    data += [name for entry in session.view.collection.runs for name in _names(entry.run.attributes)]
    json.dump({"texts": shown, "data": data}, sys.stdout)
    window.close()
    session.close()


if __name__ == "__main__":
    main()
