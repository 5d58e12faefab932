"""The circles and the lists beside or below them: in no size do they lie over each other, and all is reached."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.teaching.venn import VennView
from irviewer.gui.theme import Theme
from irviewer.session.session import Session


@pytest.mark.parametrize("size", [(306, 120), (306, 500), (400, 160), (700, 300)])
def test_circles_and_lists_do_not_lie_over_each_other(
    qtbot: QtBot, theme: Theme, session: Session, size: tuple[int, int]
) -> None:
    session.teaching.set_teaching(True)
    room = QWidget()
    qtbot.addWidget(room)
    room.resize(*size)
    view = VennView(session, theme)
    view.setParent(room)
    view.setGeometry(room.rect())
    room.show()
    view.refresh()
    for _ in range(3):
        QApplication.processEvents()
    parts: tuple[QWidget, ...] = (view.picture, view.names, view.documents)
    content = view.picture.parentWidget()
    assert content is not None
    places = [QRect(part.mapTo(content, QPoint(0, 0)), part.size()) for part in parts]
    for number, place in enumerate(places):
        assert not any(place.intersects(other) for other in places[:number]), places
        assert content.rect().contains(place)
    assert content.width() <= view.width(), "it scrolls only down"
    if size[1] >= 300:
        assert view.rect().contains(content.geometry()), "nothing scrolls"
    assert view.rect().contains(view.fractions.geometry()), "the fractions are always in sight"
    assert view.fractions.height() >= view.fractions.heightForWidth(view.fractions.width())
