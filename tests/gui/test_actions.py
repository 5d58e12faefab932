"""Menus, palette, shortcuts and answers follow from the registry of commands."""

from __future__ import annotations

import inspect
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QMenu

from irviewer import commands
from irviewer.commands.command import always
from irviewer.commands.synonyms import SYNONYMS, words_for
from irviewer.gui.dialogs.help_dialogs import keyboard
from irviewer.gui.dialogs.picker import sources
from irviewer.gui.dialogs.picker.sources import ActionSource, MeasureSource, Offer, QuerySource, offers
from irviewer.gui.dialogs.window_dialogs import WindowDialogs
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import keys_text
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.session.shortcuts import KEY_NAMES

pytestmark = pytest.mark.opens("start")

ASKING = [command.id for command in commands.COMMANDS if command.asks and command.listed] + ["open_menu"]


def entries(menu: QMenu) -> dict[str, str]:
    """Every entry's text by command id, submenus among them."""
    titles: dict[str, str] = {}
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            titles |= entries(inner)
        elif action.data():
            titles[str(action.data())] = action.text()
    return titles


class Lookup:
    """Looks up in the dialogs of the window what a command asks for, and does nothing."""

    def __init__(self, dialogs: object) -> None:
        self._dialogs = dialogs
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Lookup:
        inner = Lookup(getattr(self._dialogs, name))
        inner.asked = self.asked
        return inner

    def __call__(self, *arguments: object, **options: object) -> None:
        assert callable(self._dialogs)
        inspect.signature(self._dialogs).bind(*arguments, **options)
        self.asked.append(self._dialogs.__name__)


def test_the_window_has_every_dialog_that_a_row_asks_for(window: MainWindow, session: Session, theme: Theme) -> None:
    for command in commands.COMMANDS:
        if command.ask is not None:
            lookup = Lookup(WindowDialogs(session, theme, window))
            command.ask(lookup)
            assert len(lookup.asked) == 1, command.id


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.opens("query")
def test_asking_opens_something_or_says_why_not(window: MainWindow, session: Session) -> None:
    # What is copied is of the view that has the keys, which a dialog takes away.
    for command in ("copy", *(name for name in ASKING if name not in ("copy", "quit"))):
        QApplication.clipboard().clear()
        session.asked.emit(command)
        window.flush()
        opened = window.has_dialog() or any(menu.isVisible() for menu in window.findChildren(QMenu))
        opened = opened or command == "filter_queries"
        opened = opened or (command in ("copy", "copy_protocol") and QApplication.clipboard().text())
        assert opened or session.view.messages, command
        window.make_room()
        for menu in window.findChildren(QMenu):
            menu.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        for message in session.view.messages:
            session.dismiss_message(message)


def test_all_commands_are_in_the_menus(window: MainWindow) -> None:
    titles = entries(window.actions_table.menu())
    fixed = {command.id for command in commands.COMMANDS if command.listed and not command.submenu}
    assert fixed <= set(titles)
    assert {"sample cranfield", "sample trec"} <= set(titles)
    assert titles["find_action"] == "Find action…\tCtrl+K"


def test_what_cannot_be_done_is_grey_in_the_menu_and_silent_by_key(empty_session: Session, make_window) -> None:  # type: ignore[no-untyped-def]
    window = make_window(empty_session)
    menu = window.actions_table.menu()
    run = next(action.menu() for action in menu.actions() if action.text() == "Run")
    assert isinstance(run, QMenu)
    assert not any(action.isEnabled() for action in run.actions() if action.data())
    window.actions_table.by_id["next_query"].trigger()
    assert empty_session.view.place == "start"


def test_no_shortcut_is_bound_twice(window: MainWindow) -> None:
    keys = [
        key.toString(QKeySequence.SequenceFormat.PortableText)
        for action in window.actions()
        for key in action.shortcuts()
    ]
    assert sorted(keys) == sorted(set(keys))
    assert "" not in keys, "a shortcut that Qt cannot read"


def test_keyboard_help_names_every_shortcut(window: MainWindow) -> None:
    listed = {title for _, rows in keyboard() for title, _ in rows}
    inside = {title for title, _ in commands.IN_VIEWS}
    assert listed == {command.title for command in commands.COMMANDS if command.shortcuts} | inside


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize(("mode", "document", "entry"), [
    ("lists", None, "Rename…"), ("lists", "d1", "Read document"), ("strips", None, "Rename…"),
])  # fmt: skip
@pytest.mark.opens("query")
def test_the_menu_of_the_right_button_by_key(
    window: MainWindow, session: Session, mode: str, document: str | None, entry: str
) -> None:
    session.navigation.set_place("query")
    session.appearance.set_lists_mode(mode)
    session.navigation.set_document(document)
    window.flush()
    window.current_screen.setFocus()
    window.actions_table.by_id["context_menu"].trigger()
    menus = [menu for menu in window.findChildren(QMenu) if menu.isVisible()]
    assert [entry in [action.text() for action in menu.actions()] for menu in menus] == [True]
    for menu in menus:
        menu.close()


@pytest.mark.parametrize("typed", ["statist", "test", "significance", "p-value"])
def test_statistics_are_found_by_what_people_call_them(session: Session, theme: Theme, typed: str) -> None:
    source = ActionSource(session, theme, QuerySource(session), MeasureSource(session))
    source.begin()
    titles = [item.title for item in source.items(typed)]
    assert "Correction for multiple comparisons…" in titles
    assert "Confidence intervals…" in titles


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("latex", "Export for paper…"), ("export", "Export for paper…"), ("figure", "Save plot…"),
        ("pdf", "Save plot…"),
        ("settings", "Preferences…"), ("delete", "Remove run…"), ("zoom", "Larger type"), ("kappa", "Choose judge…"),
        ("color", "Change run colour…"), ("colour", "Change run colour…"), ("MAP", "Measure AP"),
        ("recall", "Measure R@50"),
        ("interpolated", "Precision at every rank"), ("formula", "About this measure…"), ("shortcuts", "Preferences…"),
        ("judgement", "Judgment note…"), ("customize", "Preferences…"),
    ],
)  # fmt: skip
def test_actions_are_found_by_the_words_people_use(session: Session, theme: Theme, typed: str, title: str) -> None:
    source = ActionSource(session, theme, QuerySource(session), MeasureSource(session))
    # Whether an action can be used now does not matter here.
    source._actions = every_offer(session)
    assert title in [item.title for item in source.items(typed)][:12]


def every_offer(session: Session) -> list[Offer]:
    """Return the offers of all commands, enabled or not."""
    usable = [replace(command, enabled=always) for command in commands.every(session)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "every", lambda session: usable)
        return offers(session)


@pytest.mark.parametrize(("typed", "title"), [("latxe", "Export for paper…"), ("preferenecs", "Preferences…")])
def test_a_slip_is_answered_with_the_nearest(session: Session, theme: Theme, typed: str, title: str) -> None:
    source = ActionSource(session, theme, QuerySource(session), MeasureSource(session))
    source.begin()
    first, *others = source.items(typed)
    assert first.act is None
    assert typed in first.title
    assert title in [item.title for item in others]
    nothing = source.items("xqzvw")
    assert [item.act for item in nothing] == [None]


def test_an_action_that_cannot_run_now_is_named(empty_session: Session, theme: Theme) -> None:
    source = ActionSource(empty_session, theme, QuerySource(empty_session), MeasureSource(empty_session))
    source.begin()
    assert [(item.title, item.detail, item.act) for item in source.items("fuse runs")] == [
        ("Fuse runs…", "not possible now", None)
    ]
    assert [item.title for item in source.items("preferences")] == ["Preferences…"]


def test_a_disabled_action_of_the_very_name_comes_before_others(session: Session, theme: Theme) -> None:
    source = ActionSource(session, theme, QuerySource(session), MeasureSource(session))
    source.begin()
    first, *others = source.items("undo")
    assert (first.title, first.act) == ("Undo", None), "nothing was done yet"
    assert all(item.act is not None for item in others)
    assert [item.title for item in source.items("")][:1] == ["Open…"]


def test_the_commands_that_words_mean_exist(window: MainWindow) -> None:
    known = [command.id for command in commands.every(window.session)] + ["measure R@", "correction ", "interval "]
    later = ("go_judges", "find_judges", "go_slices", "symbols")
    for _, beginnings in SYNONYMS:
        for beginning in beginnings:
            assert beginning in later or any(name.startswith(beginning) for name in known), beginning


def test_words_for_slices_mean_only_what_keeps_queries() -> None:
    kept = {command.id for command in commands.COMMANDS if command.id.startswith("keep_") and "slice" in
            words_for(command.id).split()}  # fmt: skip
    assert kept == {"keep_slice", "keep_filtered", "keep_brushed", "keep_failures_set"}


@pytest.mark.parametrize(("typed", "title"), [
    ("what if", "Edit copy"), ("add run", "Open"), ("worst query", "Query"), ("histogram", "Pair"),
    ("heatmap", "Matri"), ("rerank", "Stages"), ("screenshot", "Save plot"), ("better", "Verdict"),
    ("compare runs", "Compare"), ("side by side", "Pair"), ("A/B test", "Compare"), ("leaderboard", "Systems"),
    ("box plot", "Pair"), ("Cohen", "Compare"), ("per query", "Queries"), ("gain curve", "DCG"), ("copy table", "Copy"),
    ("unique documents", "Relevant documents by run"), ("oracle", "Fewest swaps"), ("ablation", "Compare"),
    ("exclude", "Filter queries"),
])  # fmt: skip
def test_the_words_of_other_tools_find_commands(
    window: MainWindow, session: Session, theme: Theme, typed: str, title: str
) -> None:
    session.navigation.set_place("systems")
    window.flush()
    source = ActionSource(session, theme, QuerySource(session), MeasureSource(session))
    source.begin()
    titles = [item.title for item in source.items(typed)]
    assert any(title.lower() in each.lower() for each in titles), titles


def _edit_menu(window: MainWindow) -> QMenu:
    whole = window.actions_table.menu()
    edit_menu = next(action.menu() for action in whole.actions() if action.text() == "Edit")
    assert isinstance(edit_menu, QMenu)
    return edit_menu


@pytest.mark.opens("query")
def test_the_menu_edit_names_the_steps(window: MainWindow, session: Session) -> None:
    undo, redo, history = _edit_menu(window).actions()[:3]
    assert (undo.text(), undo.isEnabled()) == ("Undo\tCtrl+Z", False)
    assert (redo.text(), redo.isEnabled()) == ("Redo\tCtrl+Shift+Z", False)
    assert not history.isEnabled()
    key = session.view.labels()[0].key
    session.runs.rename_run(key, "R&D")
    session.runs.remove_run(key)
    session.history.undo()
    undo, redo, history = _edit_menu(window).actions()[:3]
    assert (undo.text().partition(" to ")[2], undo.isEnabled()) == ("R&&D\tCtrl+Z", True)
    assert redo.text() == "Redo: remove run R&&D\tCtrl+Shift+Z"
    inner = history.menu()
    assert isinstance(inner, QMenu)
    assert [action.text().partition(":")[0] for action in inner.actions()] == ["Forward to", "Now", "Back to"]
    assert [action.isChecked() for action in inner.actions()] == [False, True, False]
    inner.actions()[2].trigger()
    assert session.view.labels()[0].name != "R&D"
    assert not session.history.undo_label
    inner = _edit_menu(window).actions()[2].menu()
    assert isinstance(inner, QMenu)
    inner.actions()[0].trigger()
    assert key not in [label.key for label in session.view.labels()]


def test_the_name_of_a_step_fits_a_menu(window: MainWindow, session: Session) -> None:
    session.runs.rename_run(session.view.labels()[0].key, "long " * 3000)
    assert len(session.history.undo_label) <= 80


def test_menus_and_lists_of_keys_name_a_key_alike(
    window: MainWindow, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(KEY_NAMES, "PgDown", "Av Pág")
    menu = QMenu()
    window.actions_table.fill(menu, "Go")
    assert entries(menu)["next_tab"].endswith("\tCtrl+Av Pág")
    shown = [keys for _, rows in keyboard() for _, keys in rows]
    assert "Ctrl Av Pág" in shown
    assert "Alt Av Pág · Av Pág" in shown, "two shortcuts were read as one"


def test_the_key_plus_has_its_sign() -> None:
    assert [keys_text(keys) for keys in ("+", "Ctrl++", "Ctrl+K")] == ["+", "Ctrl++", "Ctrl K"]
