"""The ledger in a small window: the formula and the rules below the rows never lie over each other."""

from __future__ import annotations

from itertools import combinations

import pytest
from pytestqt.qtbot import QtBot

from irviewer import commands
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


@pytest.mark.parametrize("size", [(640, 400), (1024, 640), (1280, 800)])
def test_formula_and_rules_do_not_lie_over_each_other(
    session: Session, window: MainWindow, qtbot: QtBot, size: tuple[int, int]
) -> None:
    window.resize(*size)
    session.evaluation.set_measure("nDCG@10")
    session.navigation.set_place("query")
    session.compute_now()
    window.flush()
    commands.run_command(session, "explain")
    window.flush()
    ledger = window.current_screen.ledger
    parts = (ledger.worked, ledger.numbers, ledger.formula, ledger.rules)

    def drawn() -> None:
        assert all(part.label.pixmap().height() > 0 for part in (ledger.numbers, ledger.formula))

    qtbot.waitUntil(drawn)
    window.flush()

    def apart() -> bool:
        seen = [part.geometry() for part in parts if not part.isHidden()]
        return not any(first.intersects(second) for first, second in combinations(seen, 2))

    qtbot.waitUntil(apart)
    assert ledger.rules.text() and ledger.rules.height() >= ledger.rules.heightForWidth(ledger.rules.width())


def test_several_rows_are_in_sight_in_a_small_window(session: Session, window: MainWindow, qtbot: QtBot) -> None:
    """At 640 x 400, which is 1280 x 800 at 200 %, one row was in sight beside lists of no use."""
    window.resize(640, 400)
    session.evaluation.set_measure("nDCG@10")
    session.navigation.set_place("query")
    session.compute_now()
    window.flush()
    screen = window.current_screen
    assert not screen.middle.isHidden()
    commands.run_command(session, "explain")
    window.flush()
    table = screen.ledger.table
    rows = min(3, screen.ledger.model.rowCount())
    assert table.minimumHeight() >= table.horizontalHeader().height() + rows * table.rowHeight(0) > 0

    def in_sight() -> bool:
        return table.viewport().height() >= rows * table.rowHeight(0)

    qtbot.waitUntil(in_sight)
    assert screen.middle.isHidden() and screen.ledger.width() > 500
    commands.run_command(session, "explain")
    window.flush()
    assert not screen.middle.isHidden()
    commands.run_command(session, "explain")
    window.resize(1280, 800)
    window.flush()
    assert not screen.middle.isHidden() and screen.ledger.isVisible()
