"""What is asked about edited lists: the cheapest changes, a swap, where the run goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.formats.load import load
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.runs.editing import FewestSwapsDialog
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.query.rankings.ranked_lists import RankedLists
from irviewer.gui.widgets.run_menu import run_menu
from irviewer.gui.window import MainWindow
from irviewer.model.run import Run
from irviewer.session.session import Session

pytestmark = [pytest.mark.qt_log_ignore("This plugin does not support"), pytest.mark.opens("start")]


@pytest.fixture
def ready(window: MainWindow, session: Session) -> Session:
    """Query 1; beta ranks d9 d3 d2 d1, of which d1 and d2 are relevant."""
    session.navigation.set_place("query")
    session.navigation.set_query("1")
    session.evaluation.set_measure("AP")
    window.flush()
    return session


def listed(session: Session, key: int = 2) -> list[str]:
    assert session.view.collection is not None
    entry = session.view.collection.run(key)
    assert entry is not None
    return entry.run.ranking("1")


def test_the_fewest_swaps_are_made_one_by_one_or_all(window: MainWindow, ready: Session, qtbot: QtBot) -> None:
    ready.runs.set_focus(1)
    run_command(ready, "cheapest_changes")
    dialog = next(
        fewest_swaps_dialog
        for fewest_swaps_dialog in window.findChildren(FewestSwapsDialog)
        if fewest_swaps_dialog.isVisible()
    )
    assert dialog.target.value() == pytest.approx((1 / 3 + 2 / 4) / 2 + 0.05, abs=1e-4)
    dialog.target.setValue(1.0)
    assert dialog.found is not None
    assert dialog.found.cost == 4  # both relevant documents up two ranks
    assert [(move.doc_id, move.start, move.stop) for move in dialog.found.moves] == [("d2", 3, 1), ("d1", 4, 2)]
    assert dialog.model.rowCount() == 2
    dialog.first_button.click()
    assert listed(ready) == ["d2", "d9", "d3", "d1"]  # in a copy that was made for it
    assert listed(ready, 1) == ["d9", "d3", "d2", "d1"]
    assert dialog.found.cost == 2
    dialog.all_button.click()
    assert listed(ready) == ["d2", "d1", "d9", "d3"]
    assert "is already 1.0000" in dialog.answer.text()
    assert not dialog.all_button.isEnabled()
    ready.history.undo()
    ready.history.undo()
    assert listed(ready) == ["d9", "d3", "d2", "d1"]
    dialog.reject()


def test_a_measure_without_fewest_swaps_says_so(window: MainWindow, ready: Session) -> None:
    ready.evaluation.set_measure("ERR@10")
    run_command(ready, "cheapest_changes")
    dialog = next(
        fewest_swaps_dialog
        for fewest_swaps_dialog in window.findChildren(FewestSwapsDialog)
        if fewest_swaps_dialog.isVisible()
    )
    assert dialog.found is None
    assert "fewest swaps can be computed only for" in dialog.answer.text()
    assert not dialog.first_button.isEnabled()


def test_two_ranks_are_swapped_and_the_run_is_saved(window: MainWindow, ready: Session, tmp_path: Path) -> None:
    assert ready.run_editing.edit_copy(1) == 2
    assert ready.view.baseline == 0  # editing a run never changes the baseline
    ready.navigation.set_document("d9")
    run_command(ready, "swap_documents")
    line = next(line_dialog for line_dialog in window.findChildren(LineDialog) if line_dialog.isVisible())
    assert line.line.text() == "2"
    for wrong in ("0", "5", "x", ""):
        line.line.setText(wrong)
        assert not line.ok.isEnabled()
    line.line.setText("4")
    line.accept()
    assert listed(ready) == ["d1", "d3", "d2", "d9"]
    run_command(ready, "save_edited")
    dialog = next(save_dialog for save_dialog in window.findChildren(SaveDialog) if save_dialog.isVisible())
    dialog.fileSelected.emit(str(tmp_path / "mine.run"))
    written = load(tmp_path / "mine.run").value
    assert isinstance(written, Run)
    assert written.ranking("1") == ["d1", "d3", "d2", "d9"]
    assert written.ranking("2") == ["d4", "d2"]
    ready.navigation.set_document("d5")
    run_command(ready, "swap_documents")
    assert "d5 is not in the ranking" in ready.view.messages[-1].text


def test_a_document_of_an_edited_list_has_its_edits_in_the_menu(window: MainWindow, ready: Session) -> None:
    assert (ready.run_editing.edit_copy(1), ready.run_editing.edit_copy(0)) == (2, 3)
    assert ready.run_editing.edited_run == 3  # not the one whose list is asked for
    window.flush()
    lists = window.findChild(RankedLists)
    assert lists is not None
    columns = [column.run.key for column in lists.view_model.columns]  # type: ignore[union-attr]

    def edits(key: int, doc_id: str) -> dict[str, QAction]:
        lists._list = columns.index(key)  # type: ignore[union-attr]
        ready.navigation.set_document(doc_id)
        window.flush()
        actions = lists.row_menu().actions()  # type: ignore[union-attr]
        return {str(action.data()[0]): action for action in actions if isinstance(action.data(), tuple)}

    assert edits(1, "d9") == {}
    menu = edits(2, "d1")
    assert list(menu) == [
        "document_up", "document_down", "document_top", "document_to_rank", "swap_documents", "remove_document"
    ]  # fmt: skip
    menu["document_up"].trigger()
    assert (listed(ready), listed(ready, 3)) == (["d9", "d3", "d1", "d2"], listed(ready, 0))
    menu["document_to_rank"].trigger()
    line = next(line_dialog for line_dialog in window.findChildren(LineDialog) if line_dialog.isVisible())
    assert line.line.text() == "1"
    line.line.setText("2")
    line.accept()
    assert listed(ready) == ["d9", "d1", "d3", "d2"]
    edits(2, "d1")["remove_document"].trigger()
    assert listed(ready) == ["d9", "d3", "d2"]
    ready.history.undo()
    assert listed(ready) == ["d9", "d1", "d3", "d2"]


def test_a_run_is_copied_for_editing_by_its_menu(window: MainWindow, ready: Session) -> None:
    def texts(key: int) -> dict[str, QAction]:
        return {action.text(): action for action in run_menu(ready, key, window).actions()}

    texts(1)["Edit copy of run"].trigger()
    assert ready.run_editing.edited_run == 2
    assert "Edit copy of run" not in texts(2)
