"""The dialogs about judges: description, merging, and what opened judgments are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from irviewer.commands import run_command
from irviewer.gui.dialogs.choice import ChoosingDialog
from irviewer.gui.dialogs.judging.judges import DescribeJudgeDialog, MergeDialog
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from tests.helpers.judges import random_grades
from tests.session.helpers import session_with
from tests.session.judges.test_comparison import judged


@pytest.fixture
def session() -> Iterator[Session]:
    three_judges = session_with(judged(random_grades(3, 3, 30)))
    yield three_judges
    three_judges.close()


def test_a_judge_is_described(session: Session, make_window: Callable[[Session], MainWindow]) -> None:
    window = make_window(session)
    run_command(session, "describe_judge")
    (dialog,) = window.findChildren(DescribeJudgeDialog)
    hint = dialog.family.fontMetrics().horizontalAdvance(dialog.family.placeholderText())
    assert dialog.family.width() > hint + 10, "its hint is read whole"
    dialog.name.setText("judge1")
    assert not dialog.ok.isEnabled()
    assert "Another judge" in dialog.trouble.text()
    dialog.name.setText("NIST")
    dialog.family.setText("assessors")
    dialog.origin.setCurrentIndex(2)
    dialog.accept()
    window.flush()
    assert (session.judges.sets[0].name, session.judges.sets[0].facts.origin) == ("NIST", "crowd")
    assert window.top_bar.judge_button.text() == "NIST, crowd"
    assert "judged by NIST, crowd" in window.windowTitle()


def test_judges_are_merged_in_the_order_of_the_list(
    session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    window = make_window(session)
    run_command(session, "merge_judges")
    (dialog,) = window.findChildren(MergeDialog)
    QTest.keyClick(dialog.judges, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert dialog._numbers() == [1, 0, 2], "keys put them in order too"
    QTest.keyClick(dialog.judges, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    dialog.judges.item(0).setCheckState(Qt.CheckState.Unchecked)
    dialog.judges.item(1).setCheckState(Qt.CheckState.Unchecked)
    assert not dialog.ok.isEnabled()
    dialog.judges.item(1).setCheckState(Qt.CheckState.Checked)
    assert dialog.ok.isEnabled()
    assert dialog.ties.isEnabled()
    dialog.rule.setCurrentIndex(3)
    assert not dialog.ties.isEnabled()
    assert "gap" in dialog.rule.currentText()
    dialog.name.setText("both")
    dialog.accept()
    assert [judge.name for judge in session.judges.sets] == ["judge0", "judge1", "judge2", "both"]


@pytest.mark.parametrize("button", ["Other judges", ""])
def test_several_judges_are_one_question_and_cancel_cancels(
    button: str, tmp_path: Path, make_window: Callable[[Session], MainWindow]
) -> None:
    for name, grade in (("nist", 1), ("gpt", 0), ("llama", 2)):
        (tmp_path / f"{name}.qrels").write_text(f"1 0 a {grade}\n1 0 b 1\n2 0 c 1\n")
    (tmp_path / "one.run").write_text("1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n2 Q0 c 1 1.0 t\n")
    session = Session()
    session.files.open_files([str(tmp_path / "nist.qrels"), str(tmp_path / "one.run")])
    window = make_window(session)
    session.files.open_files([str(tmp_path / "gpt.qrels"), str(tmp_path / "llama.qrels")])
    (dialog,) = window.findChildren(ChoosingDialog)
    if button:
        next(choice for choice in dialog.findChildren(QPushButton) if choice.text() == button).click()
    else:
        dialog.cancel.click()
    names = [judge.name for judge in session.judges.sets]
    assert names == (["nist", "gpt", "llama"] if button else ["nist"])
    assert session.judges.asked is None
    session.close()
