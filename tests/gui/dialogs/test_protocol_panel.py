"""The panel of the protocol: its rows are the line, ticks are the family, and it follows undo."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from irviewer.commands import run_command
from irviewer.formats.registration import read_registration
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.protocol.panel import ProtocolPanel
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

pytestmark = [
    pytest.mark.opens("start"),
    pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard"),
]


@pytest.fixture
def panel(window: MainWindow, session: Session) -> ProtocolPanel:
    """The panel, opened by its command."""
    run_command(session, "protocol")
    (shown,) = window.findChildren(ProtocolPanel)
    return shown


def places(panel: ProtocolPanel, title: str) -> list[str]:
    return [button.place for button in panel.buttons if button.text() == title]


def test_a_field_is_declared_and_no_longer(panel: ProtocolPanel, session: Session) -> None:
    assert "inference.test" in places(panel, "Declare")
    next(b for b in panel.buttons if b.place == "inference.test" and b.text() == "Declare").click()
    assert "inference.test" in session.state.protocol.declared
    assert "inference.test" in places(panel, "Do not declare")
    session.history.undo()
    assert "inference.test" in places(panel, "Declare")
    session.protocol.set(test="sign")
    assert "sign test" in panel.line.text()


def test_ticks_are_the_runs_that_take_part(panel: ProtocolPanel, session: Session) -> None:
    context = session.view.context
    assert context is not None
    count = len(context.system_runs)
    assert [panel.runs.topLevelItem(n).checkState(0) for n in range(panel.runs.topLevelItemCount())] == count * [
        Qt.CheckState.Checked
    ]
    other = next(
        n for n in range(count) if panel.runs.topLevelItem(n).data(0, Qt.ItemDataRole.UserRole) != context.baseline
    )
    baseline = next(
        n for n in range(count) if panel.runs.topLevelItem(n).data(0, Qt.ItemDataRole.UserRole) == context.baseline
    )
    assert not panel.runs.topLevelItem(baseline).flags() & Qt.ItemFlag.ItemIsUserCheckable
    panel.runs.topLevelItem(other).setCheckState(0, Qt.CheckState.Unchecked)
    assert len(session.state.chosen.scope.runs) == count - 1
    assert session.view.shown == context.shown
    session.history.undo()
    assert panel.runs.topLevelItem(other).checkState(0) is Qt.CheckState.Checked


def test_a_tick_leaves_its_own_item(panel: ProtocolPanel, session: Session) -> None:
    """Qt goes on with an item that was ticked when its signal returns: the list was emptied meanwhile."""
    context = session.view.context
    assert context is not None
    items = [panel.runs.topLevelItem(n) for n in range(panel.runs.topLevelItemCount())]
    other = next(item for item in items if item.data(0, Qt.ItemDataRole.UserRole) != context.baseline)
    other.setCheckState(0, Qt.CheckState.Unchecked)
    session.history.undo()
    assert all(map(isValid, items))
    assert other.checkState(0) is Qt.CheckState.Checked


def test_the_line_is_copied(panel: ProtocolPanel, session: Session) -> None:
    panel.copy_line.click()
    assert QGuiApplication.clipboard().text() == session.protocol.line == panel.line.text()
    panel.line.setSelection(0, len(panel.line.text()))
    assert panel.line.selectedText() == session.protocol.line


def test_the_line_is_read_whole_and_fields_have_the_room_that_runs_leave(panel: ProtocolPanel) -> None:
    """The line was cut after its fourth part, and fields scrolled above an empty list."""
    panel.show()
    QApplication.processEvents()
    assert panel.line.height() >= panel.line.heightForWidth(panel.line.width())
    assert panel.line.wordWrap()
    below_last = (
        panel.runs.viewport().height()
        - panel.runs.visualItemRect(panel.runs.topLevelItem(panel.runs.topLevelItemCount() - 1)).bottom()
    )
    assert below_last < 60


def test_it_closes_with_what_it_is_about(panel: ProtocolPanel, session: Session) -> None:
    session.files.close_collection(0)
    assert panel.isHidden()


def test_a_protocol_is_registered(window: MainWindow, session: Session, tmp_path: Path) -> None:
    """The dialog offers a name of its kind; the file has what is in view, and its digest is said."""
    session.protocol.set(alpha=0.01)
    run_command(session, "register_protocol")
    (dialog,) = window.findChildren(SaveDialog)
    assert dialog.windowTitle() == "Register protocol"
    assert dialog.selectedFiles()[0].endswith(".registered.json")
    target = tmp_path / "mine.registered.json"
    dialog.fileSelected.emit(str(target))
    dialog.reject()
    read = read_registration(target)
    assert read.intact
    assert read.protocol.inference.alpha == 0.01
    assert {each.role for each in read.opened} == {"qrels", "run", "queries", "documents"}
    said = [message.text for message in session.view.messages]
    assert any(f"Publish its digest, {read.digest[:12]}" in text for text in said)


def test_the_inputs_of_all_open_collections_are_registered(session: Session, tmp_path: Path) -> None:
    """Not only those of the collection in view, and texts too."""
    for name in ("other.qrels", "other.run"):
        text = "x1 0 e 1\n" if name.endswith("qrels") else "x1 Q0 e 1 2.5 other\n"
        (tmp_path / name).write_text(text)
    session.files.open_files([str(tmp_path / "other.qrels"), str(tmp_path / "other.run")])
    assert len(session.view.workspace.collections) == 2
    session.protocol.register_file(str(tmp_path / "r.json"))
    names = {each.name for each in read_registration(tmp_path / "r.json").opened}
    for collection in session.view.workspace.collections:
        files = [judgments.qrels.origin for judgments in collection.judgments]
        assert names >= {Path(path).name for path in (*files, *(entry.run.origin for entry in collection.runs))}
