"""The dialog that explains a number of the view: its numbers, the ledger of one."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from irviewer.gui.dialogs.measures.number_ledger import NumberLedgerDialog
from irviewer.gui.theme import Theme
from irviewer.session.session import Session


def test_it_shows_the_ledger_of_the_number_chosen(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    (tmp_path / "human.qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 c 0\n")
    (tmp_path / "model.qrels").write_text("1 0 a 1\n1 0 b 1\n2 0 a 1\n2 0 c 0\n")
    session = Session()
    session.files.open_files([str(tmp_path / f"{name}.qrels") for name in ("human", "model")])
    session.judge_comparison.go_to("agreement")
    session.compute_now()
    dialog = NumberLedgerDialog(session, theme, None)  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    dialog.show()
    session.compute_now()
    assert dialog.numbers.currentText() == "quadratic kappa"
    assert "quadratic kappa of human and model 0.5000" in dialog.ledger.title
    assert dialog.ledger.worked.text() == "1 − 1 ÷ 2 = 0.5000"
    dialog.numbers.setCurrentIndex(dialog.numbers.findText("same grade"))
    session.compute_now()
    assert dialog.ledger.worked.text() == "3 ÷ 4 = 0.7500"
    assert dialog.ledger.table.accessibleName() == "Ledger"
    dialog.reject()
    session.close()
