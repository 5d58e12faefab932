"""The window on stored values: dropped on it, shown in every place, refused under another protocol."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QLabel

import irviewer
from irviewer.commands import run_command
from irviewer.gui.window import MainWindow
from irviewer.session.navigation.places import PLACE_TEXTS
from irviewer.session.session import Session
from irviewer.session.state import TABS

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.IrviewerWarning")

ONLY_VALUES = "stored values. Open the run"


@pytest.fixture
def values(files: list[str]) -> str:
    """The values of the tiny collection as a file."""
    path = Path(files[0]).with_name("values.parquet")
    result = irviewer.evaluate(files[0], files[1:3], ["nDCG@10", "AP"])
    irviewer.save_values(result, files[0], path)
    return str(path)


def drop(window: MainWindow, path: str) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(path)])
    event = QDropEvent(
        QPointF(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    window.dropEvent(event)


def texts(window: MainWindow) -> str:
    return "\n".join(label.text() for label in window.findChildren(QLabel) if label.isVisible())


def test_values_that_are_dropped_are_shown_in_every_place(
    empty_session: Session, make_window: Callable[[Session], MainWindow], values: str
) -> None:
    window = make_window(empty_session)
    drop(window, values)
    session = empty_session
    assert [label.name for label in session.view.labels()] == ["alpha", "beta"]
    said = set()
    for place in PLACE_TEXTS:
        for tab in TABS.get(place.name, ("",)):
            session.navigation.set_place(place.name)
            if tab:
                session.navigation.set_tab(place.name, tab)
            QApplication.processEvents()
            if ONLY_VALUES in texts(window):
                said.add(f"{place.name} {tab}".strip())
    assert {"systems", "queries recall"} <= said, "where curves and figures would be"
    assert any(place.startswith("query ") for place in said)
    assert not {"queries queries", "compare pair", "compare slices"} & said


def test_the_rules_of_values_are_declared_from_the_message(
    empty_session: Session, make_window: Callable[[Session], MainWindow], values: str
) -> None:
    empty_session.protocol.set(level=2)
    window = make_window(empty_session)
    drop(window, values)
    QApplication.processEvents()
    assert "computed with level 1.0, not 2.0" in texts(window)
    run_command(empty_session, "use_stored_rules")
    QApplication.processEvents()
    assert "computed with level" not in texts(window)
    assert empty_session.state.options.level == 1
