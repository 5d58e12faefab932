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
