"""Ids, names and texts of characters without width, or that turn the direction: every view shows them as escapes, and
none ends the program."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QPainter, QStaticText
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QComboBox, QLabel, QWidget

from irviewer import commands
from irviewer.commands import run_command
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.state import PLACES, TABS

SIGNS = ["\u200b", "\u2060", "\ufeff", "\u00ad", "\u0301", "\u202e", "\ufe0f", "\u2066", "\ufffe", "\u200f", "\u3164"]
SEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\ufffe]|^\u0301")
VIEWS = [(place, tab) for place in PLACES if place != "start" for tab in TABS.get(place, ("",))]


@pytest.fixture(params=[False, True], ids=["ids alone", "titles and texts"])
def hidden(request: pytest.FixtureRequest, tmp_path: Path, make_window: Callable[[Session], MainWindow]) -> Any:
    """A window on three runs of documents, queries, runs and texts that are or hold a hidden character."""
    queries = [*SIGNS, "q" * 100, "q1"]
    documents = [*SIGNS, "d" * 100, *(f"d{sign}1" for sign in SIGNS)]
    files = {
        "hidden.qrels": "".join(
            f"{query} 0 {document} {(place + d) % 3}\n"
            for place, query in enumerate(queries)
            for d, document in enumerate(documents)
            if (place + d) % 5
        )
    }
    for number, name in enumerate(["\u200b", "a\u2066", "\u202eb"]):
        files[f"{name}.run"] = "".join(
            f"{query} Q0 {document} {rank} {99 - rank} {name}\n"
            for query in queries
            for rank, document in enumerate([*documents[number * 3 :], *documents[: number * 2]], 1)
        )
    if request.param:
        files["queries.jsonl"] = "".join(
            json.dumps({"id": query, "text": f"what {query} and \u202e{place}"}) + "\n"
            for place, query in enumerate(queries)
        )
        files["documents.jsonl"] = "".join(
            json.dumps({"id": document, "title": f"about {document} \u2066", "text": f"text {document}"}) + "\n"
            for document in documents
        )
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    settings = Settings()
    settings["hints"] = False
    session = Session(settings)
    session.files.open_files([str(tmp_path / name) for name in files])
    assert session.view.collection is not None
    assert len(session.view.collection.runs) == 3
    window = make_window(session)
    yield window
    session.close()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every text that is painted."""
    texts: list[str] = []
    draw, make = QPainter.drawText, QStaticText.__init__

    def painted(painter: QPainter, *words: Any) -> Any:
        texts.extend(f"{_caller()} {word}" for word in words if isinstance(word, str) and SEEN.search(word))
        return draw(painter, *words)

    def laid_out(layout: QStaticText, *words: Any) -> None:
        texts.extend(f"{_caller()} {word}" for word in words if isinstance(word, str) and SEEN.search(word))
        make(layout, *words)

    monkeypatch.setattr(QPainter, "drawText", painted)
    monkeypatch.setattr(QStaticText, "__init__", laid_out)
    yield texts


def _caller() -> str:
    frame = sys._getframe(1)
    while frame.f_code.co_filename == __file__ and frame.f_back is not None:
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"


def _model_texts(model: QAbstractItemModel) -> Iterator[str]:
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())
    for column in range(min(30, columns)):
        for row in range(min(40, model.rowCount(QModelIndex()))):
            yield from (str(model.data(model.index(row, column), role) or "") for role in roles)
        yield from (str(model.headerData(column, Qt.Orientation.Horizontal, role) or "") for role in roles)


def _texts(window: QWidget) -> Iterator[tuple[str, str]]:
    """The texts of the widgets in view, with who shows them."""
    for widget in window.findChildren(QWidget):
        if not widget.isVisible():
            continue
        texts = [widget.toolTip(), widget.windowTitle()]
        if isinstance(widget, QLabel | QAbstractButton):
            texts.append(widget.text())
        if isinstance(widget, QComboBox):
            texts += [widget.itemText(place) for place in range(widget.count())]
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            texts += _model_texts(widget.model())
        yield from ((type(widget).__name__, text) for text in texts)
    yield "title", window.windowTitle()


def _bad(window: QWidget, drawn: list[str]) -> list[str]:
    return sorted({*map(ascii, drawn), *(f"{who} {text!a}" for who, text in _texts(window) if SEEN.search(text))})


def test_every_view_shows_escapes(hidden: MainWindow, drawn: list[str]) -> None:
    session = hidden.session
    faults: dict[str, list[str]] = {}
    for place, tab in VIEWS:
        session.navigation.set_place(place)
        if tab:
            session.navigation.set_tab(place, tab)
        for name in ("", "explain", "strips", "next_query", "explain") if place == "query" else ("",):
            if place == "query":
                session.navigation.set_document("\u200b")
            if name:
                run_command(session, name)
            session.compute_now()
            hidden.flush()
            QApplication.processEvents()
            assert not hidden.grab().isNull()
            bad = _bad(hidden, drawn)
            drawn.clear()
            if bad:
                faults.setdefault(f"{place} {tab} {name}", bad[:12])
    assert faults == {}


ASKING = [
    command.id
    for command in commands.COMMANDS
    if command.asks and command.id not in ("quit", "open_menu", "context_menu", "open_sample", "open_recent")
]


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard", extend=True)  # the offscreen one
def test_every_dialog_shows_escapes(hidden: MainWindow, drawn: list[str]) -> None:
    session = hidden.session
    session.navigation.set_place("query")
    session.navigation.set_document("\u200b")
    hidden.flush()
    faults: dict[str, list[str]] = {}
    for name in ASKING:
        if run_command(session, name):
            QApplication.processEvents()
            for top in [hidden, *(widget for widget in QApplication.topLevelWidgets() if widget.isVisible())]:
                top.grab()
                bad = [text for text in _bad(top, drawn) if "QFileDialog" not in text and "QColor" not in text]
                drawn.clear()
                if bad:
                    faults.setdefault(name, bad[:12])
            hidden.make_room()
    assert faults == {}
