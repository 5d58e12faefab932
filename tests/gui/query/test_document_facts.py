"""What a person judged otherwise stands beside what the file says, with the way back and a note."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from pytestqt.qtbot import QtBot

from irviewer.gui.query.document_facts import MOST_LINES, DocumentFacts, OwnJudgment
from irviewer.gui.theme import Theme
from irviewer.model.judgments.overlay import Judgment, PatchRow
from irviewer.rendering.run_label import RunLabel
from irviewer.session.view_models.query import DocumentCard


def row(grade: float | None, former: float | None, note: str = "") -> PatchRow:
    return PatchRow(Judgment("1", "d1", grade, "ada", "2026-02-03T10:00:00Z", note), former)


@pytest.fixture
def own(qtbot: QtBot, theme: Theme) -> OwnJudgment:
    view = OwnJudgment(theme)
    qtbot.addWidget(view)
    view.show()
    return view


def test_both_grades_are_said_and_who_when_and_why(own: OwnJudgment) -> None:
    own.show_row(row(4, 2, "names it"), 4, "ada")
    assert own.words.text == "2 from the file → 4 yours"
    assert own.words.toolTip() == "yours: 4, in the file 2 · ada, 2026-02-03 · names it"
    own.show_row(row(None, 1), 4, "ada")
    assert own.words.text == "1 from the file → ? yours"
    own.show_row(row(3, None), 4, "ada")
    assert own.words.text == "not in the file → 3 yours"
    assert own.words.toolTip() == "yours: 3, not in the file · ada, 2026-02-03"
    assert not own.grab().isNull()
    own.show_row(row(3, None), 4, "grace")  # another judge's is never shown as yours
    assert own.words.text == "not in the file → 3 ada's"
    assert own.words.toolTip() == "ada's: 3, not in the file · ada, 2026-02-03"
    own.show_row(None, 4, "ada")
    assert own.isHidden()


def test_a_note_is_shown_once_and_undo_is_asked_for(own: OwnJudgment, qtbot: QtBot) -> None:
    own.show_row(row(4, 2, "before"), 4, "ada")
    assert own.note.text() == "before"
    own.note.editingFinished.emit()
    with qtbot.waitSignal(own.note_written) as heard:
        own.note.setText("after")
        own.note.editingFinished.emit()
    assert heard.args == ["after"]
    with qtbot.waitSignal(own.undo_asked):
        own.undo.click()


def test_undo_in_the_note_takes_back_what_is_typed_then_what_was_entered(own: OwnJudgment, qtbot: QtBot) -> None:
    """After Enter it emptied the field, so that a note which was there looked as if it were not."""
    own.show_row(row(4, 2), 4, "ada")
    taken_back: list[str] = []
    undo = QShortcut(QKeySequence("Ctrl+Z"), own)
    undo.activated.connect(lambda: taken_back.append(own.note.text()))
    own.note.setFocus()
    qtbot.waitUntil(own.note.hasFocus)
    qtbot.keyClicks(own.note, "typed")
    qtbot.keyClick(own.note, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (own.note.text(), taken_back) == ("", [])
    qtbot.keyClicks(own.note, "why")
    qtbot.keyClick(own.note, Qt.Key.Key_Return)
    qtbot.keyClick(own.note, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (own.note.text(), taken_back) == ("why", ["why"])


def test_ranks_of_many_runs_take_three_lines_and_the_rest_is_counted(qtbot: QtBot, theme: Theme) -> None:
    ranks = tuple(
        (
            RunLabel(key, f"run_{key}", f"run_{key}", key, None, True, key == 0, key == 1),
            (key * 7) % 40 if key % 3 else 0,
        )
        for key in range(30)
    )
    card = DocumentCard("d1", "", "", (), 0.0, ranks, (), (), True)
    facts = DocumentFacts(theme)
    qtbot.addWidget(facts)
    facts.resize(330, 100)
    facts.show()
    facts.show_card(card, 0.0, 4.0, "judged non-relevant")
    few = facts.height()
    assert max(line for _, line, *_ in facts._flow()) < MOST_LINES
    own_ranks = sorted(rank for _, rank in ranks if rank)
    seen = [ranks[place][1] for *_, place in facts._flow() if place >= 0]
    assert seen
    assert seen == own_ranks[: len(seen)]  # the best ranks
    lacking = len(ranks) - len(own_ranks)
    assert facts.written.endswith(f"{len(own_ranks) - len(seen)} more · not retrieved by {lacking} runs")
    assert facts.toolTip().startswith("judged non-relevant\n")
    assert facts.toolTip().count("\n") == 30
    assert not facts.grab().isNull()
    facts.show_card(DocumentCard("d1", "", "", (), 0.0, ranks[:2], (), (), True), 0.0, 4.0, "judged non-relevant")
    assert facts.height() < few
    assert facts.written == "judged non-relevant run_0 not retrieved run_1 7"


@pytest.mark.parametrize(("runs", "shown"), [(3, "elastic8_bm25_0"), (30, "elasti…_0")])
def test_names_of_few_runs_are_whole(qtbot: QtBot, theme: Theme, runs: int, shown: str) -> None:
    ranks = tuple(
        (RunLabel(key, f"elastic8_bm25_{key}", f"elasti…_{key}", key, None, True, False, False), key + 1)
        for key in range(runs)
    )
    facts = DocumentFacts(theme)
    qtbot.addWidget(facts)
    facts.resize(330, 100)
    facts.show_card(DocumentCard("d1", "", "", (), 0.0, ranks, (), (), True), 0.0, 4.0, "unjudged")
    assert facts.words.startswith(f"unjudged {shown} 1 ")
