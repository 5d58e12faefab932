"""The top bar says what is open and chosen, and passes on what a person chooses."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from irviewer.gui.bars.top_bar import TIGHT_MOST, TopBar
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

LEFT = Qt.MouseButton.LeftButton
# The offscreen platform has no keyboard to grab for a menu, and says so.
pytestmark = [
    pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard"),
    pytest.mark.opens("start"),
]


@pytest.fixture
def bar(window: MainWindow) -> TopBar:
    return window.top_bar


def open_menu(qtbot: QtBot, bar: TopBar, button: str) -> QMenu:
    qtbot.mouseClick(getattr(bar, button), LEFT)
    assert bar._menu is not None
    return bar._menu


def choose(menu: QMenu, text: str) -> None:
    next(action for action in menu.actions() if action.text().split("\t")[0] == text.split("\t")[0]).trigger()
    menu.close()


def test_it_names_what_is_chosen(bar: TopBar, session: Session) -> None:
    assert bar.measure_button.text() == str(session.view.measure)
    assert bar.baseline_button.text() == "alpha"
    assert bar.summary.toolTip() == session.view.summary


def test_places_are_a_click_away(qtbot: QtBot, bar: TopBar, session: Session) -> None:
    for name in ("systems", "queries", "query"):
        qtbot.mouseClick(bar.place_buttons.buttons[name], LEFT)
        assert session.view.place == name


def test_measure_by_menu(qtbot: QtBot, bar: TopBar, window: MainWindow, session: Session) -> None:
    menu = open_menu(qtbot, bar, "measure_button")
    assert [action.text() for action in menu.actions() if action.isChecked()] == [str(session.view.measure)]
    choose(menu, "AP")
    window.flush()
    assert bar.measure_button.text() == "AP"


def test_another_measure_asks_for_its_name(qtbot: QtBot, bar: TopBar, window: MainWindow) -> None:
    menu = open_menu(qtbot, bar, "measure_button")
    choose(menu, menu.actions()[-1].text())
    assert window.picker.isVisible()


def test_baseline_by_menu(qtbot: QtBot, bar: TopBar, window: MainWindow, session: Session) -> None:
    choose(open_menu(qtbot, bar, "baseline_button"), "beta")
    window.flush()
    assert bar.baseline_button.text() == "beta"


def test_the_baseline_is_starred_in_its_menu(qtbot: QtBot, bar: TopBar) -> None:
    menu = open_menu(qtbot, bar, "baseline_button")
    assert [action.text().split("\t")[0] for action in menu.actions()] == ["alpha ★", "beta"]
    menu.close()


def test_collections_by_menu(qtbot: QtBot, bar: TopBar, window: MainWindow, session: Session) -> None:
    assert session.view.collection is not None
    tiny = session.view.collection.name
    session.files.open_sample("trec")
    window.flush()
    assert bar.collection_button.text() == "trec_eval test"
    choose(open_menu(qtbot, bar, "collection_button"), tiny)
    window.flush()
    assert bar.collection_button.text() == tiny
    choose(open_menu(qtbot, bar, "collection_button"), "Close collection")
    assert len(session.view.workspace.collections) == 1


def test_a_looking_glass_where_there_is_little_room(bar: TopBar) -> None:
    bar.resize(1280, 46)
    assert bar.find_button.compact
    narrow = bar.find_button.sizeHint().width()
    bar.find_button.grab()
    bar.resize(1920, 46)
    assert not bar.find_button.compact
    assert bar.find_button.sizeHint().width() > narrow + 50


def test_a_new_style_sheet_leaves_the_name_readable(qtbot: QtBot, bar: TopBar) -> None:
    wanted = bar._brand.palette().color(bar._brand.foregroundRole())
    palette = bar._brand.palette()
    palette.setColor(bar._brand.foregroundRole(), Qt.GlobalColor.magenta)
    bar._brand.setPalette(palette)
    bar.setStyleSheet("QToolTip { color: red }")
    qtbot.waitUntil(lambda: bar._brand.palette().color(bar._brand.foregroundRole()) == wanted)


@pytest.mark.parametrize("width", [1280, 1366])
def test_long_names_give_way_before_the_row_of_places(
    bar: TopBar, window: MainWindow, session: Session, width: int
) -> None:
    window.resize(width, 800)
    for button, most in ((bar.collection_button, 170), (bar.judge_button, 200), (bar.baseline_button, 180)):
        assert not bar.place_buttons.folded
        button.show_choice("a_name_that_is_much_longer_than_its_button.jsonl", "hint")
        assert button.sizeHint().width() <= most
    bar._fit_choices()
    QApplication.processEvents()
    assert not bar.place_buttons.folded
    shown = [button for button in bar.place_buttons.buttons.values() if button.isVisible()]
    assert all(button.width() >= button.sizeHint().width() for button in shown) and len(shown) >= 5
    assert bar.collection_button.width() >= TIGHT_MOST


def test_the_places_come_nearer_together_before_a_menu_stands_for_them(
    bar: TopBar, window: MainWindow, session: Session
) -> None:
    """In Spanish at 1024 pixels a menu stood for the places."""
    words = {"systems": "Sistemas", "queries": "Consultas", "query": "Consulta", "compare": "Comparar"}
    for place, word in words.items():
        bar.place_buttons.buttons[place].setText(word)
    bar.place_buttons.buttons["verdict"].setText("Veredicto")
    for width, places in ((1280, ("systems",)), (1024, ("verdict", "compare", "verdict")), (970, ()), (1024, ())):
        window.resize(width, 640)
        window.flush()
        for place in places:
            session.navigation.set_place(place)
            window.flush()
            assert not bar.place_buttons.folded, (width, place)
        if width != 970:
            assert not bar.place_buttons.folded, width


@pytest.mark.parametrize("width", [620, 640, 700, 780, 940])
def test_common_names_are_whole_in_a_small_window(
    bar: TopBar, window: MainWindow, session: Session, width: int
) -> None:
    """At 200 % on 1280 × 800 "p_bm25" was cut beside gaps of twenty pixels, at 620 the measure too."""
    session.navigation.set_place("systems")
    window.resize(width, 400)
    window.flush()
    bar.collection_button.show_choice("trec-dl-2021", "")
    bar.judge_button.show_choice("qrels.nist", "")
    bar.baseline_button.show_choice("p_bm25", "", bar._theme["ink"])
    bar._fit_choices()
    QApplication.processEvents()
    buttons = (bar.collection_button, bar.judge_button, bar.measure_button, bar.baseline_button)
    shown = [button for button in buttons if button.isVisible()]
    assert len(shown) >= 3
    for button in shown if width >= 640 else (bar.measure_button,):
        assert button.width() >= button.natural_width, button.text()


@pytest.mark.parametrize(("width", "whole"), [(1920, True), (1420, False), (1920, True)])
def test_a_wide_window_cuts_no_name(bar: TopBar, window: MainWindow, width: int, whole: bool) -> None:
    """At 1920 "results_custom_bm25" was cut beside 250 pixels of nothing."""
    window.resize(width, 1080)
    names = ("a_collection_of_many_words", "judged_by_a_careful_person", "results_custom_bm25_of_the_year")
    for button, name in zip((bar.collection_button, bar.judge_button, bar.baseline_button), names, strict=True):
        button.show_choice(name, "")
    bar._fit_choices()
    QApplication.processEvents()
    for button in (bar.collection_button, bar.judge_button, bar.baseline_button):
        assert (button.width() >= button.natural_width) == whole, button.text()
    if whole:
        assert bar.summary.text() == bar.summary._texts[0]


def test_a_row_that_is_fitted_only_where_something_changed_is_as_if_it_always_were(
    bar: TopBar, window: MainWindow, session: Session
) -> None:
    names = ("a", "some", "a_collection_of_many_words", "judged_by_a_careful_person_of_many_words", "x" * 60)
    buttons = (bar.collection_button, bar.judge_button, bar.measure_button, bar.baseline_button)
    chances = random.Random(5)

    def geometry() -> list[object]:
        bar.layout().activate()  # type: ignore[union-attr]
        places = bar.place_buttons
        return [places.folded, *(each.tight for each in places.buttons.values()),
                *(each.geometry().getRect() for each in (*buttons, bar.summary, places))]  # fmt: skip

    for _ in range(60):
        match chances.randrange(12):
            case 0:
                window.resize(chances.choice((770, 950, 1190, 1280, 1420, 1500, 1600, 1920)), 640)
            case 1:
                session.navigation.set_place(chances.choice(("systems", "queries", "verdict")))
                window.flush()
            case 2:
                bar.summary.show_texts((chances.choice(names), ""))
            case 3:
                bar.mark.show_mark(chances.randrange(3), "qrels")
            case _:
                for button in buttons:
                    button.show_choice(chances.choice(names), "hint")
        bar._fit_choices()
        fitted = geometry()
        bar._fit_row()
        assert geometry() == fitted
