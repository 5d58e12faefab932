"""The line of the protocol below the top bar: its words, what a click on each part does, and when it is made again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from irviewer import commands
from irviewer.commands.actions.protocol import FIELDS, UNJUDGED
from irviewer.gui.bars import protocol_bar
from irviewer.gui.bars.protocol_bar import JOINED_PAD, PAD, PartButton, ProtocolBar
from irviewer.gui.widgets import regime_menu
from irviewer.gui.window import MainWindow
from irviewer.model.protocol import PLACES
from irviewer.model.workspace import Workspace
from irviewer.session.files.import_result import ImportResult
from irviewer.session.session import Session
from irviewer.session.state_changes import Opening, with_import_result
from tests.session.helpers import collection

pytestmark = [pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")]


def button_of(window: MainWindow, place: str) -> PartButton:
    return next(button for button in window.protocol_bar.buttons if button.part.place == place)


def test_it_is_the_line_of_the_protocol_and_follows_it(window: MainWindow, session: Session) -> None:
    bar, protocol = window.protocol_bar, session.view.protocol
    assert protocol is not None
    assert bar.accessibleName() == bar.text == protocol.line()
    assert [button.text() for button in bar.buttons] == [part.text for part in protocol.parts()]
    assert button_of(window, "inference.test").is_open
    session.protocol.set(test="wilcoxon")
    window.flush()
    assert button_of(window, "inference.test").text() == "Wilcoxon"
    assert not button_of(window, "inference.test").is_open
    protocol = session.view.protocol
    assert protocol is not None
    assert bar.toolTip().endswith(protocol.full_text())


def test_each_part_opens_its_field(window: MainWindow, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {*FIELDS, UNJUDGED} <= set(PLACES.values())
    known = {command.id for command in commands.every(session)}
    assert set(FIELDS.values()) <= known
    run: list[str] = []
    for module in (protocol_bar, regime_menu):
        monkeypatch.setattr(module, "run_command", lambda _, name: run.append(name))
    for button in window.protocol_bar.buttons:
        assert button.isEnabled()
        if button.part.place != UNJUDGED:
            QTest.keyClick(button, Qt.Key.Key_Return)
    assert run == [FIELDS[each.part.place] for each in window.protocol_bar.buttons if each.part.place != UNJUDGED]
    button_of(window, UNJUDGED).click()
    menu = window.protocol_bar.menu
    assert menu is not None
    menu.actions()[-1].trigger()
    assert run[-1].startswith("regime_")
    menu.close()


def test_parts_without_room_are_named_in_the_tooltip(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    assert window.protocol_bar.minimumSizeHint().width() == 0
    bar = ProtocolBar(session, window.theme)
    qtbot.addWidget(bar)
    bar.show()
    bar.resize(2000, bar.height())
    assert bar.more.isHidden()
    bar.resize(250, bar.height())
    assert not bar.more.isHidden()
    assert bar.buttons[-1].isHidden()
    assert not bar.buttons[0].isHidden()
    assert bar.buttons[-1].text() in bar.more.toolTip()


def test_joined_parts_read_as_one_phrase(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    bar = ProtocolBar(session, window.theme)
    qtbot.addWidget(bar)
    bar.resize(2000, bar.height())
    bar.show()
    joined = next(place for place, button in enumerate(bar.buttons) if button.part.joined)
    before, after = bar.buttons[joined - 1 : joined + 1]
    space = after.fontMetrics().horizontalAdvance(" ")
    end = before.geometry().right() + 1 - JOINED_PAD  # of the text before
    assert before.width() == before.fontMetrics().horizontalAdvance(before.text()) + PAD + JOINED_PAD
    assert 1 <= after.geometry().left() + JOINED_PAD - end <= 2 * space


def test_a_step_to_another_query_makes_nothing_again(window: MainWindow, session: Session) -> None:
    before = list(window.protocol_bar.buttons)
    session.navigation.step_query(1)
    window.flush()
    assert window.protocol_bar.buttons == before
    session.judging.set_blind(True)
    window.flush()
    assert window.protocol_bar.isHidden(), "the baseline has a name"


def test_collections_have_their_line(window: MainWindow, session: Session) -> None:
    opened = Workspace((collection(3), collection(3, name="other", seed=2)))
    result = ImportResult(opened, new=[0, 1], touched=[0, 1])
    session.store.apply(with_import_result(session.state, result, Opening(), session.store.context_of, hints=False))
    session.navigation.set_place("collections")
    session.compute_now()
    window.flush()
    protocol = session.collections.protocol
    assert protocol is not None
    assert window.protocol_bar.text == protocol.line()
    assert "in 2 collections" in window.protocol_bar.text
    assert not window.protocol_bar.isHidden()
    session.navigation.set_place("systems")
    window.flush()
    assert session.view.protocol is not None
    assert window.protocol_bar.text == session.view.protocol.line()
