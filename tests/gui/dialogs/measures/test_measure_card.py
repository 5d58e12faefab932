"""The card of a measure, by its command."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.dialogs.measures.measure_card import MeasureCardDialog
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.measures.parser import parse_measure
from irviewer.session.explaining.measure_card import MeasureCard, card
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


@pytest.mark.parametrize("text", ["nDCG(dcg='exp-log2')@10", "(P@5 + R@20) / 2", "WSS(N=500)@0.95"])
def test_by_its_command(qtbot: QtBot, window: MainWindow, session: Session, text: str) -> None:
    session.evaluation.set_measure(text)
    window.actions_table.by_id["about_measure"].trigger()
    (dialog,) = [shown_dialog for shown_dialog in window.findChildren(MeasureCardDialog) if shown_dialog.isVisible()]
    assert dialog.head.text() == text
    measure = parse_measure(text)
    family = measure.family
    card_text = dialog.text.toPlainText()
    assert measure.rewards in card_text
    assert measure.ignores in card_text
    for parameter in family.parameters:
        assert parameter.name in card_text
    assert dialog.formula.label.pixmap().width() > 20
    assert dialog.formula.formula == measure.formula
    dialog.copy_button.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(f"{text}: {family.title}\nFormula (LaTeX): {measure.formula}\n")
    dialog.reject()


def test_an_open_card_follows_the_rules(window: MainWindow, session: Session) -> None:
    session.teaching.open_inline_ranking("4 3 4 2 0 0 0 1 1 0")
    window.flush()
    window.actions_table.by_id["about_measure"].trigger()
    (dialog,) = [each for each in window.findChildren(MeasureCardDialog) if each.isVisible()]
    lecture, words = dialog.formula.formula, dialog.text.toPlainText()
    assert "max(i, 2)" in words
    session.protocol.set(dialect="trec_eval")
    assert dialog.formula.formula != lecture
    assert "i + 1" in dialog.text.toPlainText()
    assert "max(i, 2)" not in dialog.text.toPlainText()
    session.evaluation.set_measure("P@5")
    assert dialog.head.text() == "P@5"
    dialog.reject()
    session.protocol.set(dialect="textbook")  # the closed card follows no more


def test_a_formula_that_cannot_be_set_is_shown_as_it_is_written(qtbot: QtBot, window: MainWindow, theme: Theme) -> None:
    dialog = MeasureCardDialog(theme, window, MeasureCard("x", "X", r"\nosuch{", (("Rewards", "<b>"),), ()))
    dialog.open()
    assert dialog.formula.label.text() == r"\nosuch{"
    assert "<b>" in dialog.text.toPlainText()
    dialog.reject()


def test_card() -> None:
    description = card(parse_measure("SearchLength(rel=2)"))
    assert (description.name, description.title) == ("SearchLength(rel=2)", "Search length")
    rows = dict(description.rows)
    assert rows["Better"] == "lower values are better"
    assert rows["In tools"] == "books and papers: search length"
    assert rows["Source"].endswith("1968")
    assert description.parameters[0] == ("rel = 2", "lowest grade that counts as relevant")
    assert dict(card(parse_measure("AP")).rows)["Other names"] == "MAP, map, map_cut"
    assert dict(card(parse_measure("gm_map")).rows)["Mean"] == "the geometric mean over all queries"
