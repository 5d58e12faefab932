"""The box below a filter field: the grammar on an empty field with the focus, else what was not understood."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.filter_field import FilterField
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.translation import use_decimal_comma

GRAMMAR = (("heat flow", "words"), ("Δ > 0", "a column"))


def words(field: FilterField) -> list[str]:
    return [label.text() for label in field.hint.findChildren(PlainLabel) if label.isVisible()]


def test_the_grammar_on_an_empty_field_and_the_fault_of_a_filled_one(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(600, 300)
    layout = QVBoxLayout(window)
    field, other = FilterField(theme, "Filter", "Filter queries"), QWidget()
    other.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    layout.addWidget(field)
    layout.addWidget(other, 1)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    other.setFocus()
    field.show_filter("", "", GRAMMAR)
    assert not field.hint.isVisible()
    field.setFocus()
    assert field.hint.isVisible()
    assert words(field) == ["heat flow", "words", "Δ > 0", "a column"]
    assert field.accessibleDescription() == "heat flow: words; Δ > 0: a column"
    assert window.rect().contains(field.hint.geometry())
    qtbot.keyClicks(field, "(a")
    assert not field.hint.isVisible()
    field.show_filter("(a", "a bracket is missing", GRAMMAR)
    assert words(field) == ["a bracket is missing"]
    assert field.accessibleDescription() == "a bracket is missing"
    other.setFocus()
    assert not field.hint.isVisible()


def test_numbers_of_the_grammar_have_the_decimal_sign_of_the_window(qtbot: QtBot, theme: Theme) -> None:
    field = FilterField(theme, "Filter", "Filter queries")
    qtbot.addWidget(field)
    use_decimal_comma(True)
    try:
        field.show_filter("", "", (("Δ > 0.1 · spread >= .2", "numbers"), ("nDCG@10 > .4 · v1.2", "values")))
    finally:
        use_decimal_comma(False)
    assert field.accessibleDescription() == "Δ > 0,1 · spread >= 0,2: numbers; nDCG@10 > 0,4 · v1.2: values"
