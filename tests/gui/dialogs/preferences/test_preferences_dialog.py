"""The dialog of the preferences: nothing before OK, reasons for what is invalid, keys with their conflicts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QAccessible, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QKeySequenceEdit, QLineEdit, QTableView

from irviewer.gui.dialogs.preferences.appearance_page import AppearancePage
from irviewer.gui.dialogs.preferences.dialog import PreferencesDialog
from irviewer.gui.dialogs.preferences.keys_page import KeysPage
from irviewer.gui.large_type import AGAIN
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.session.shortcuts import choose_shortcuts

pytestmark = pytest.mark.opens("start")


@pytest.fixture
def dialog(window: MainWindow) -> Iterator[PreferencesDialog]:
    window.actions_table.by_id["preferences"].trigger()
    shown = window.findChild(PreferencesDialog)
    assert shown is not None
    yield shown
    choose_shortcuts({})


@pytest.fixture
def restarts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The exits of the event loop that the dialog asks for."""
    exits: list[int] = []
    monkeypatch.setattr(QApplication, "exit", lambda code=0: exits.append(code))
    return exits


def test_ok_without_a_change_changes_nothing(dialog: PreferencesDialog, session: Session, restarts: list[int]) -> None:
    before = session.preferences.present
    assert dialog.wanted() == before
    dialog.accept()
    assert session.preferences.present == before
    assert restarts == []


def test_it_is_as_wide_as_its_widest_page(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AppearancePage, "minimumSizeHint", lambda self: QSize(720, 100))
    dialog = PreferencesDialog(window.session, window.theme, window)
    assert dialog.width() >= 720 + 36
    dialog.reject()


def test_every_page_is_used_on_ok(dialog: PreferencesDialog, session: Session, restarts: list[int]) -> None:
    before = session.preferences.present
    dialog.appearance.theme_box.setCurrentIndex(dialog.appearance.theme_box.findData("contrast"))
    dialog.appearance.lists_box.setCurrentIndex(1)
    dialog.appearance.set_colour(1, "#112233")
    dialog.appearance.hints_box.setChecked(not before.hints)
    dialog.tables.measures.setText("AP, RBP(p=0.8, rel=1)")
    dialog.statistics.boxes["correction"].setCurrentIndex(2)
    dialog.statistics.lines["alpha"].setText("1 %")
    dialog.saving.assessor.setText("  Ada   L. ")
    dialog.saving.cache.setText("2,5")
    assert session.preferences.present == before
    dialog.accept()
    present = session.preferences.present
    assert (present.theme, present.lists_mode, present.hints) == ("contrast", "strips", not before.hints)
    assert present.run_colours[1] == "#112233"
    assert present.table_measures[0] == "AP"
    assert present.table_measures[1].startswith("RBP")
    assert (present.inference.correction, present.inference.alpha) == ("bh", 0.01)
    assert (present.assessor, present.cache_limit_gb) == ("Ada L.", 2.5)
    assert restarts == []


def test_type_size_and_keys_make_the_window_again(
    dialog: PreferencesDialog, session: Session, restarts: list[int]
) -> None:
    dialog.appearance.type_box.setCurrentIndex(dialog.appearance.type_box.findData("120"))
    dialog.accept()
    assert restarts == [AGAIN]
    assert session.settings["type_size"] == 120


def test_what_is_invalid_is_said_and_not_taken(dialog: PreferencesDialog) -> None:
    for field, text, reason in (
        (dialog.tables.measures, "AP, nDCQ@10", "nDCQ"),
        (dialog.statistics.lines["alpha"], "2", "between 0 and 1"),
        (dialog.saving.cache, "much", "gigabytes"),
    ):
        former = field.text()
        field.setText(text)
        assert not dialog.ok.isEnabled()
        assert reason in dialog.trouble.text()
        field.setText(former)
        assert dialog.ok.isEnabled()
        assert not dialog.trouble.text().strip()


def typed(page: KeysPage, name: str, key: str) -> str:
    """Type a key for an action, and return what the page says about it."""
    page.select(name)
    page.edit.setKeySequence(QKeySequence(key))
    return page.conflict.text()


def test_keys_are_changed_and_conflicts_are_named(
    dialog: PreferencesDialog, session: Session, restarts: list[int]
) -> None:
    page = dialog.keys
    dialog.show_page("keys")
    assert typed(page, "explain", "F7").strip() == ""
    page.use_key()
    assert "“Choose baseline…”" in typed(page, "strips", "B")
    assert page.set_button.isEnabled()
    page.use_key()
    assert "moves in lists" in typed(page, "strips", "Up")
    assert not page.set_button.isEnabled()
    assert "has no other key" in typed(page, "strips", "Ctrl+O")
    assert not page.set_button.isEnabled()
    dialog.accept()
    assert session.settings["shortcuts"] == {"explain": ["F7"], "choose_baseline": [], "strips": ["B"]}
    assert restarts == [AGAIN]


def test_keys_go_back_to_those_of_the_program(dialog: PreferencesDialog) -> None:
    page = dialog.keys
    typed(page, "explain", "F7")
    page.use_key()
    assert page.default_button.isEnabled()
    page.default_button.click()
    page.select("strips")
    page.remove_button.click()
    assert page.keymap.chosen == {"strips": ()}
    page.all_button.click()
    assert page.keymap.chosen == {}


def test_actions_are_found_by_name_and_key(dialog: PreferencesDialog) -> None:
    page = dialog.keys
    page.filter.setText("undo")
    titles = [page.model.item(row, 0).text() for row in range(page.model.rowCount())]
    assert titles == ["Undo"]
    page.filter.setText("ctrl k")
    assert "Find action…" in [page.model.item(row, 0).text() for row in range(page.model.rowCount())]


def test_every_field_has_a_name_for_screen_readers(dialog: PreferencesDialog) -> None:
    named = (QAbstractButton, QComboBox, QKeySequenceEdit, QTableView)
    for _, page in dialog.pages.values():
        fields = [field for kind in named for field in page.findChildren(kind)]
        fields += [line for line in page.findChildren(QLineEdit) if line.parent() is page]
        for field in fields:
            if field.objectName().startswith("qt_") or type(field.parent()) in (
                QKeySequenceEdit,
                QLineEdit,
                QTableView,
            ):
                continue
            assert QAccessible.queryAccessibleInterface(field).text(QAccessible.Text.Name), field


def test_a_window_made_again_has_the_chosen_keys(session: Session, make_window) -> None:  # type: ignore[no-untyped-def]
    choose_shortcuts({"explain": ("F7",), "strips": ()})
    try:
        window = make_window(session)
        keys = {
            name: [key.toString() for key in action.shortcuts()] for name, action in window.actions_table.by_id.items()
        }
        assert keys["explain"] == ["F7"]
        assert keys["strips"] == []
    finally:
        choose_shortcuts({})
