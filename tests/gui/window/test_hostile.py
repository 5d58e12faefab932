"""A hostile collection in the window: every place, view, tooltip and dialog shows its texts as texts, opens nothing
that they name (a pipe lies there that would block for ever), and bears an id of a million characters."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hostile import LONG, hostile_files
from odd_names import LONG_ID
from patience import LONG_PROCESS
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QColorDialog, QFileDialog, QLabel, QTextEdit, QWidget

from irviewer import commands
from irviewer.commands import run_command
from irviewer.gui.widgets.plain_text import MOST_SHOWN, HtmlLabel, PlainLabel
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.state import PLACES, TABS
from tests.end_to_end.walk import Report, walk

ROOT = Path(__file__).resolve().parents[3]
VIEWS = [(place, tab) for place in PLACES if place != "start" for tab in TABS.get(place, ("",))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    hostile_folder = tmp_path_factory.mktemp("hostile")
    hostile_files(hostile_folder)
    return hostile_folder


@pytest.fixture
def hostile(folder: Path, make_window: Callable[[Session], MainWindow]) -> Any:
    settings = Settings()
    settings["hints"] = False
    session = Session(settings)
    session.files.open_files([str(path) for path in sorted(folder.iterdir()) if path.is_file()])
    assert session.view.collection is not None
    assert len(session.view.collection.runs) == 3
    window = make_window(session)
    yield window
    session.close()


def _documents(session: Session) -> list[str]:
    collection = session.view.collection
    assert collection is not None
    assert collection.documents is not None
    return list(collection.documents.ids)


def _labels(window: QWidget) -> list[QLabel]:
    return [label for label in window.findChildren(QLabel) if label.isVisible()]


def _assert_plain(window: QWidget) -> None:
    for label in _labels(window):
        if isinstance(label.window(), QFileDialog | QColorDialog):
            continue  # Qt's own, of no data
        assert isinstance(label, PlainLabel | HtmlLabel), label
        if isinstance(label, PlainLabel):
            assert label.textFormat() is Qt.TextFormat.PlainText
        assert "<img" not in label.text() or isinstance(label, PlainLabel)
        assert len(label.text()) < MOST_SHOWN * 4
    for edit in window.findChildren(QTextEdit):
        assert "<img" not in edit.toHtml()
    for widget in window.findChildren(QWidget):
        tip = widget.toolTip()
        assert "<img" not in tip or not _is_markup(tip)
    for view in window.findChildren(QAbstractItemView):
        if view.isVisible() and view.model() is not None:
            _assert_plain_tips(view.model())


def _is_markup(text: str) -> bool:
    """Whether a tooltip of ours that has markup in it would be shown as that."""
    return not text.startswith("<p style='white-space:pre-wrap'>")


def _assert_plain_tips(model: QAbstractItemModel) -> None:
    for row in range(min(20, model.rowCount(QModelIndex()))):
        for column in range(1 if isinstance(model, QAbstractListModel) else min(12, model.columnCount(QModelIndex()))):
            tip = model.data(model.index(row, column), Qt.ItemDataRole.ToolTipRole)
            assert not tip or "<" not in tip or not _is_markup(tip)


def test_every_view_shows_text(hostile: MainWindow, record_property: Callable[[str, object], None]) -> None:
    """With each of four documents selected where documents are shown, with one of them in every other view."""
    session = hostile.session
    documents = [_documents(session)[0], "\u200b", LONG_ID, "\u202eab\u2066"]
    assert set(documents) <= set(_documents(session))
    steps = list(zip(documents, ("explain", "next_query", "strips", "explain"), strict=False))
    for number, (place, tab) in enumerate(VIEWS):
        session.navigation.set_place(place)
        if tab:
            session.navigation.set_tab(place, tab)
        for document, name in steps if place == "query" else [steps[number % len(steps)]]:
            session.navigation.set_document(document)
            run_command(session, name)
            hostile.flush()
            QApplication.processEvents()
        _assert_plain(hostile)
        assert not hostile.grab().isNull()
    record_property("counted hostile ids in a window", len(_documents(session)))
    record_property("counted views and dialogs with hostile ids", len(VIEWS))


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard", extend=True)  # the offscreen one
def test_every_dialog_shows_text(hostile: MainWindow, record_property: Callable[[str, object], None]) -> None:
    session = hostile.session
    session.navigation.set_place("query")
    session.navigation.set_document(_documents(session)[0])
    hostile.flush()
    shown = 0
    for name in ASKING:
        if run_command(session, name):
            shown += 1
            QApplication.processEvents()
            _assert_plain(hostile)
            for dialog in QApplication.topLevelWidgets():
                if dialog.isVisible() and dialog is not hostile:
                    _assert_plain(dialog)
            hostile.make_room()
    record_property("counted views and dialogs with hostile ids", shown)


ASKING = [
    command.id
    for command in commands.COMMANDS
    if command.asks and command.id not in ("quit", "open_menu", "context_menu", "open_sample", "open_recent")
]


@pytest.mark.slow
def test_short_walk(folder: Path, qapp: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    report = walk(60, seed=3, files=[str(path) for path in sorted(folder.iterdir()) if path.is_file()])
    assert (report.exceptions, report.qt, report.unmeant) == ([], [], [])


@pytest.mark.fuzz
@pytest.mark.parametrize("hostile_data", [False, True])
def test_a_monkey_of_eight_hundred_actions(folder: Path, tmp_path: Path, hostile_data: bool) -> None:
    """With a package that misbehaves, and, of hostile data, files that change."""
    words = [str(path) for path in sorted(folder.iterdir()) if path.is_file()] if hostile_data else []
    done = subprocess.run(
        [sys.executable, "-m", "tests.end_to_end.walk", "800", "11", *words],
        capture_output=True, text=True, timeout=LONG_PROCESS * 4, check=False, env=_environment(tmp_path),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    report = Report(**json.loads(done.stdout.splitlines()[-1]))
    assert not report.exceptions, "\n".join(report.exceptions)
    assert (report.actions, report.exceptions, report.qt, report.unmeant) == (800, [], [], [])
    assert asdict(report)["done"]


def _environment(home: Path) -> dict[str, str]:
    import os

    path = os.pathsep.join([str(ROOT), str(ROOT / "tests/helpers")])
    return {**os.environ, "QT_QPA_PLATFORM": "offscreen", "IRVIEWER_CONFIG_DIR": str(home), "PYTHONPATH": path,
            "IRVIEWER_MISDEEDS": str(home)}  # fmt: skip


def test_the_collection_is_what_it_says(folder: Path) -> None:
    assert (folder / "trap.png").is_fifo()
    assert any(len(line) > LONG for line in (folder / "hostile.qrels").read_text("utf-8").splitlines())
