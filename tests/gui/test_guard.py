"""The guard around overrides: every one has it, a fault in any is reported and stays in its view."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from overrides import NO_VIRTUALS, all_overrides, broken, is_guarded
from patience import LONG_PROCESS
from PySide6.QtCore import QEvent, QSize, QStringListModel, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QStyledItemDelegate, QTableView, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.app import Hook
from irviewer.gui.guard import GUARDED, FaultPanel, guarded
from irviewer.gui.query.query_list import QueryDelegate
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

ROOT = Path(__file__).resolve().parents[2]
OVERRIDES = all_overrides()
LABELS = [f"{cls.__qualname__}.{name}" for cls, name in OVERRIDES]


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[BaseException]]:
    """The exceptions that reach sys.excepthook."""
    errors: list[BaseException] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, value, trace: errors.append(value))
    yield errors


def test_every_override_is_guarded() -> None:
    bare = [label for label, (cls, name) in zip(LABELS, OVERRIDES, strict=True) if not is_guarded(cls, name)]
    assert bare == [], "give the class @guarded (irviewer.gui.guard), and add a new name to its table"
    assert len(OVERRIDES) > 300
    assert not NO_VIRTUALS & GUARDED.keys()


@pytest.mark.parametrize(("cls", "name"), OVERRIDES, ids=LABELS)
@pytest.mark.parametrize("error", [ZeroDivisionError, SystemExit])
def test_an_override_that_raises_returns_nothing_and_is_reported(
    qtbot: QtBot, reported: list[BaseException], cls: type, name: str, error: type[BaseException]
) -> None:
    def fail(*given: Any) -> None:
        raise error("on purpose")

    widget = QWidget()
    qtbot.addWidget(widget)
    with broken(cls, name, fail):
        for _ in range(3):
            returned = vars(cls)[name](widget, QEvent(QEvent.Type.None_))
    assert type(returned) is type(GUARDED[name]())
    assert [type(caught) for caught in reported] == [error]


@guarded
class _Failing(QWidget):
    """Fails where it is told to."""

    def __init__(self, fails: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fails = fails
        self.painted = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.green)
        self.painted += 1
        if self.fails == "paintEvent":
            painter.save()
            raise ValueError("a length is 0")

    def event(self, event: QEvent) -> bool:
        if self.fails == "event" and event.type() == QEvent.Type.User:
            raise ValueError("no such event")
        return super().event(event)

    def sizeHint(self) -> QSize:
        return QSize(400, 200)


def _shown(qtbot: QtBot, fails: str) -> tuple[QWidget, _Failing, _Failing]:
    outer = QWidget()
    qtbot.addWidget(outer)
    outer.resize(600, 700)
    bad, good = _Failing(fails, outer), _Failing("", outer)
    bad.setGeometry(0, 0, 500, 300)
    good.setGeometry(0, 310, 500, 300)
    outer.show()
    qtbot.waitExposed(outer)
    return outer, bad, good


@pytest.mark.qt_log_ignore("Painter ended with 1 saved states", extend=True)
def test_a_fault_in_painting_covers_its_view_alone(qtbot: QtBot, reported: list[BaseException]) -> None:
    outer, bad, _ = _shown(qtbot, "paintEvent")
    qtbot.waitUntil(lambda: bool(outer.findChildren(FaultPanel)))
    (panel,) = outer.findChildren(FaultPanel)
    assert panel.parentWidget() is bad
    assert panel.covers
    assert panel.geometry() == bad.rect()
    assert "ValueError: a length is 0" in panel.words.text()
    image = outer.grab().toImage()
    assert image.pixelColor(5, 5) != Qt.GlobalColor.green
    assert image.pixelColor(5, 320) == Qt.GlobalColor.green, "the other is painted"
    assert len(reported) == 1, "however often it is painted"
    bad.resize(450, 260)
    qtbot.waitUntil(lambda: panel.geometry() == bad.rect())
    panel.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert "irviewer " in copied.splitlines()[0]
    assert "_Failing.paintEvent" in copied.splitlines()[1]
    assert 'raise ValueError("a length is 0")' in copied
    bad.fails = ""
    panel.again.click()
    assert not outer.findChildren(FaultPanel)
    assert outer.grab().toImage().pixelColor(5, 5) == Qt.GlobalColor.green


def test_another_fault_is_a_strip(qtbot: QtBot, reported: list[BaseException]) -> None:
    outer, bad, _ = _shown(qtbot, "event")
    QApplication.sendEvent(bad, QEvent(QEvent.Type.User))
    qtbot.waitUntil(lambda: bool(outer.findChildren(FaultPanel)))
    (panel,) = outer.findChildren(FaultPanel)
    assert not panel.covers
    assert panel.height() < 50
    assert outer.grab().toImage().pixelColor(5, 200) == Qt.GlobalColor.green
    assert len(reported) == 1


@pytest.mark.qt_log_ignore("Painter ended with 1 saved states", extend=True)
def test_a_widget_without_room_has_its_panel_in_what_it_lies_in(qtbot: QtBot, reported: list[BaseException]) -> None:
    outer, _, good = _shown(qtbot, "paintEvent")
    for panel in outer.findChildren(FaultPanel):
        panel.deleteLater()
    small = _Failing("paintEvent", good)
    small.setGeometry(0, 0, 16, 16)
    small.show()
    qtbot.waitUntil(lambda: any(panel.parentWidget() is good for panel in outer.findChildren(FaultPanel)))
    assert not good.findChildren(FaultPanel)[0].covers


@guarded
class _Delegate(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: Any, index: Any) -> None:
        raise ValueError("a row")


def test_a_delegate_covers_its_table(qtbot: QtBot, reported: list[BaseException]) -> None:
    table = QTableView()
    qtbot.addWidget(table)
    table.setModel(QStringListModel(["a", "b", "c"], table))
    table.setItemDelegate(_Delegate(table))
    table.resize(400, 300)
    table.show()
    qtbot.waitUntil(lambda: bool(table.findChildren(FaultPanel)))
    assert table.findChildren(FaultPanel)[0].parentWidget() is table.viewport()
    assert len(reported) == 1, "not for each row"


def test_the_message_of_the_window_has_the_details(
    qtbot: QtBot, session: Session, make_window: Callable[[Session], MainWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: Any) -> None:
        raise ZeroDivisionError("in a row")

    window = make_window(session)
    monkeypatch.setattr(sys, "excepthook", Hook(session))
    with broken(QueryDelegate, "paint", fail):
        session.navigation.set_place("query")
        window.flush()
        window.grab()
        qtbot.waitUntil(lambda: bool(window.findChildren(FaultPanel)))
        window.flush()
    assert "ZeroDivisionError: in a row" in session.view.messages[-1].text
    assert session.view.messages[-1].details
    assert len(window.findChildren(FaultPanel)) == 1


@pytest.mark.parametrize("most", [1, pytest.param(10_000, marks=pytest.mark.slow)])
def test_the_window_lives_whichever_override_fails(tmp_path: Path, most: int) -> None:
    """In a process of its own: without the guard it ends by a signal on Python 3.11."""
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "IRVIEWER_CONFIG_DIR": str(tmp_path),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "helpers")]),
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.gui.failing_window", str(most)],
        capture_output=True, text=True, timeout=LONG_PROCESS * 4, check=False, env=environment, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(done.stdout.splitlines()[-1])
    assert report["panels"] >= 20
    names = {label.rpartition(".")[2] for label in report["called"]}
    assert {"paintEvent", "viewportEvent", "event", "eventFilter", "paint", "data", "sizeHint"} <= names
    assert len(report["called"]) >= (25 if most == 1 else 180)
