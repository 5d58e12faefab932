"""Switches of a few choices: what is chosen and what has the focus look different."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QAccessibleInterface, QFontMetrics, QImage
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import GroupTitle, Segmented


def box(image: QImage) -> set[int]:
    """The colours on a line just inside the upper edge."""
    return {image.pixelColor(x, 0).rgba() for x in range(8, image.width() - 8)}


def test_focus_and_choice_differ(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    switch = Segmented(theme, (("a", "Same", ""), ("b", "Same", "")))
    other = QLineEdit()
    layout = QVBoxLayout(window)
    for widget in (other, switch):
        layout.addWidget(widget)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    first, second = switch.buttons.values()
    other.setFocus()
    switch.show_chosen("a")
    chosen, free = first.grab().toImage(), second.grab().toImage()
    second.setFocus(Qt.FocusReason.TabFocusReason)
    focused = second.grab().toImage()
    assert focused != free and focused != chosen
    assert box(focused) == box(free) != box(chosen)  # no box as the chosen one has
    first.setFocus(Qt.FocusReason.TabFocusReason)
    both = first.grab().toImage()
    assert both != chosen and box(both) == box(chosen)


def test_the_focus_goes_to_the_choice_that_is_clicked(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    switch = Segmented(theme, (("a", "One", ""), ("b", "Two", "")))
    other = QLineEdit()
    layout = QVBoxLayout(window)
    for widget in (other, switch):
        layout.addWidget(widget)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    first, second = switch.buttons.values()
    first.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.mouseClick(second, Qt.MouseButton.LeftButton)
    assert second.hasFocus()
    other.setFocus()
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    assert other.hasFocus()  # a click alone takes no focus from elsewhere


def spoken(widget: QWidget) -> QAccessibleInterface:
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None
    return interface


def test_tabs_are_tabs_for_a_screen_reader(qtbot: QtBot, theme: Theme) -> None:
    tabs = Segmented(theme, (("a", "One", ""), ("b", "Two", "")), tabs=True)
    qtbot.addWidget(tabs)
    tabs.show_chosen("b")
    assert spoken(tabs).role() is QAccessible.Role.PageTabList
    for name, button in tabs.buttons.items():
        tab = spoken(button)
        assert tab.role() is QAccessible.Role.PageTab
        assert tab.text(QAccessible.Text.Name) == button.text()
        assert tab.state().selectable
        assert bool(tab.state().selected) == (name == "b")
        assert not tab.state().checkable
    chosen: list[str] = []
    tabs.chosen.connect(chosen.append)
    tab = spoken(tabs.buttons["a"])
    press = QAccessibleActionInterface.pressAction()
    assert press in tab.actionInterface().actionNames()
    tab.actionInterface().doAction(press)
    assert chosen == ["a"]


def test_a_switch_is_a_group_of_choices_for_a_screen_reader(qtbot: QtBot, theme: Theme) -> None:
    switch = Segmented(theme, (("a", "One", ""), ("b", "Two", "")))
    qtbot.addWidget(switch)
    switch.show_chosen("a")
    roles = [spoken(button).role() for button in switch.buttons.values()]
    assert roles == [QAccessible.Role.RadioButton] * 2
    assert [bool(spoken(button).state().checked) for button in switch.buttons.values()] == [True, False]
    switch.buttons["a"].setText("Other")
    assert spoken(switch.buttons["a"]).text(QAccessible.Text.Name) == "Other"


def test_a_tab_says_that_it_has_nothing_to_show(qtbot: QtBot, theme: Theme) -> None:
    tabs = Segmented(theme, (("a", "One", "the first"), ("b", "Two", "")), tabs=True)
    qtbot.addWidget(tabs)
    button = tabs.buttons["a"]
    narrow = button.sizeHint().width()
    button.show_lack("It needs two judges.")
    assert button.shown_text == "One –"
    assert button.sizeHint().width() > narrow
    assert button.toolTip() == "the first\nIt needs two judges."
    assert spoken(button).text(QAccessible.Text.Description) == "It needs two judges."
    assert spoken(button).text(QAccessible.Text.Name) == "One"
    button.show_lack("")
    assert (button.shown_text, button.toolTip(), button.accessibleDescription()) == ("One", "the first", "")


def test_groups_have_titles_where_there_is_room(qtbot: QtBot, theme: Theme) -> None:
    tabs = Segmented(
        theme,
        (("a", "One", ""), ("b", "Two", ""), ("c", "Three", "")),
        groups={"a": "runs", "b": "runs", "c": "judges"},
    )
    qtbot.addWidget(tabs)
    tabs.show()
    titles = tabs.findChildren(GroupTitle)
    assert [title.text() for title in titles] == ["runs", "judges"]
    tabs.fit(2000)
    assert all(title.isVisible() for title in titles)
    whole = tabs.sizeHint().width()
    tabs.fit(whole)
    assert all(title.isVisible() for title in titles)
    tabs.fit(whole - 1)
    assert not any(title.isVisible() for title in titles)


def test_a_group_without_a_choice_has_no_title(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    switch = Segmented(
        theme, (("a", "One", ""), ("b", "Two", ""), ("c", "Three", "")), window, groups={"a": "x", "b": "y", "c": "z"}
    )
    switch.buttons["b"].setVisible(False)
    switch.fit(1000)
    titles = {title.text(): title for title in switch.findChildren(GroupTitle)}
    assert [name for name, title in titles.items() if not title.isHidden()] == ["x", "z"]
    switch.buttons["b"].setVisible(True)
    switch.fit(1000)
    assert not any(title.isHidden() for title in titles.values())


def test_a_switch_that_is_cut_before_it_is_shown_folds(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(400, 60)
    switch = Segmented(theme, (("a", "Per cent", ""), ("b", "Quadratic kappa", "")), window)
    switch.show_chosen("b")
    switch.resize(120, 30)
    window.show()
    qtbot.waitUntil(switch.isVisible)
    assert switch.folded


def test_a_switch_that_was_fitted_is_not_folded_by_its_first_size(qtbot: QtBot, theme: Theme) -> None:
    """Tabs that are shown after their window have the size that all widgets begin with, until they are laid out."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 60)
    window.show()
    qtbot.waitUntil(window.isVisible)
    switch = Segmented(theme, tuple((str(n), f"A long title {n}", "") for n in range(6)), window, tabs=True)
    switch.show_chosen("1")
    switch.fit(900)
    switch.show()
    assert not switch.folded
    switch.fit(200)
    assert switch.folded
    switch.fit(900)
    assert not switch.folded


def test_a_switch_in_a_layout_is_not_folded_before_it_is_laid_out(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    layout = QHBoxLayout(window)
    window.resize(900, 60)
    window.show()
    qtbot.waitUntil(window.isVisible)
    switch = Segmented(theme, tuple((str(n), f"A long title {n}", "") for n in range(6)))
    layout.addWidget(switch)
    switch.show()
    assert not switch.folded


def test_choices_come_nearer_together_before_a_menu_stands_for_them(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    switch = Segmented(theme, tuple((str(n), f"A long title {n}", "") for n in range(6)), window, tabs=True)
    switch.fit(2000)
    roomy = switch.row_width
    switch.fit(roomy - 1)
    assert not switch.folded
    tight = switch.row_width
    assert tight < roomy and tight == switch.sizeHint().width()
    for button in switch.buttons.values():  # the text of the chosen one is bold
        assert button.sizeHint().width() >= QFontMetrics(theme.font(9.5, weight=600)).horizontalAdvance(button.text())
    switch.fit(tight)
    assert not switch.folded
    switch.fit(tight - 1)
    assert switch.folded
    switch.fit(roomy)
    assert not switch.folded and switch.row_width == roomy


def test_the_tab_key_stops_at_the_choice_that_a_command_made(qtbot: QtBot, theme: Theme) -> None:
    """After Ctrl+3 the Tab key came to the tab Verdict, from which Space led back."""
    switch = Segmented(theme, (("a", "One", ""), ("b", "Two", ""), ("c", "Three", "")), tabs=True)
    qtbot.addWidget(switch)
    switch.show()

    def stops() -> list[str]:
        return [name for name, button in switch.buttons.items() if button.focusPolicy() & Qt.FocusPolicy.TabFocus]

    for chosen in ("a", "c", "b"):
        switch.show_chosen(chosen)
        assert stops() == [chosen]
    switch.show_chosen("no such choice")
    assert stops() == ["a", "b", "c"]
    switch.buttons["c"].setVisible(False)
    switch.show_chosen("c")
    assert stops() == ["a", "b", "c"]
