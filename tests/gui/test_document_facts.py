"""What a person judged otherwise stands beside what the file says, with the way back and a note."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from irviewer.gui.document_facts import OwnJudgment
from irviewer.gui.theme import Theme
from irviewer.model.overlay import Judgment, PatchRow


def row(grade: float | None, former: float | None, note: str = "") -> PatchRow:
    return PatchRow(Judgment("1", "d1", grade, "ada", "2026-02-03T10:00:00Z", note), former)


@pytest.fixture
def own(qtbot: QtBot, theme: Theme) -> OwnJudgment:
    view = OwnJudgment(theme)
    qtbot.addWidget(view)
    view.show()
    return view


def test_both_grades_are_said_and_who_when_and_why(own: OwnJudgment) -> None:
    own.show_row(row(4, 2, "names it"), 4)
    assert own.words.text == "2 from the file → 4 yours"
    assert own.words.toolTip() == "yours: 4, in the file 2 · ada, 2026-02-03 · names it"
    own.show_row(row(None, 1), 4)
    assert own.words.text == "1 from the file → ? yours"
    own.show_row(row(3, None), 4)
    assert own.words.text == "not in the file → 3 yours"
    assert own.words.toolTip() == "yours: 3, not in the file · ada, 2026-02-03"
    assert not own.grab().isNull()
    own.show_row(None, 4)
    assert own.isHidden()


def test_a_note_is_told_once_and_undo_is_asked_for(own: OwnJudgment, qtbot: QtBot) -> None:
    own.show_row(row(4, 2, "before"), 4)
    assert own.note.text() == "before"
    own.note.editingFinished.emit()
    with qtbot.waitSignal(own.note_written) as heard:
        own.note.setText("after")
        own.note.editingFinished.emit()
    assert heard.args == ["after"]
    with qtbot.waitSignal(own.undo_asked):
        own.undo.click()
