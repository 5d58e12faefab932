"""The ledger for a screen reader: E announces what it shows, and the formula's name is the worked line."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication

from irviewer import commands
from irviewer.gui.query import screen as query_screen
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


def test_the_switch_is_announced(session: Session, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(query_screen, "announce", lambda _, text: said.append(text))
    session.navigation.set_place("query")
    window.flush()
    commands.run_command(session, "explain")
    window.flush()
    view_model = session.explaining.ledger_view_model()
    assert view_model is not None and view_model.worked
    assert said == [f"{view_model.title} {view_model.worked}"]
    ledger = window.current_screen.ledger
    ledger._on_formula_due()
    assert ledger.numbers.accessibleName() == view_model.worked
    assert "\\" not in ledger.numbers.accessibleName() + ledger.formula.accessibleName()
    session.navigation.step_query(1)
    window.flush()
    assert len(said) == 1, "a step is read from the list"
    commands.run_command(session, "explain")
    window.flush()
    assert said[1:] == ["Back to measures and curves"]


def test_the_calculation_is_said_once_and_can_be_copied(session: Session, window: MainWindow) -> None:
    session.navigation.set_place("query")
    commands.run_command(session, "explain")
    window.flush()
    ledger = window.current_screen.ledger
    assert ledger.worked.isHidden(), "it is drawn as a formula"
    (copy,) = ledger.numbers.actions()
    copy.trigger()
    assert QGuiApplication.clipboard().text() == ledger.worked.text() != ""
    ledger.numbers.failed.emit()
    assert not ledger.worked.isHidden()
