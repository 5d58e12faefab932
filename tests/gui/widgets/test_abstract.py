"""A class of widgets that lacks an abstract method makes no instances; complete ones are ordinary widgets."""

from __future__ import annotations

from abc import abstractmethod

import pytest
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.widgets.abstract import AbstractWidgetType


class Shape(QWidget, metaclass=AbstractWidgetType):
    chosen = Signal(str)

    @property
    @abstractmethod
    def name(self) -> str: ...

    @abstractmethod
    def corners(self) -> int: ...


class Named(Shape):
    @property
    def name(self) -> str:
        return "square"


class Square(Named):
    def corners(self) -> int:
        return 4


@pytest.mark.parametrize(("shape", "lacking"), [(Shape, "corners, name"), (Named, "corners")])
def test_a_class_that_lacks_a_method_makes_no_widget(qtbot: QtBot, shape: type[Shape], lacking: str) -> None:
    with pytest.raises(TypeError, match=f"{shape.__name__} is abstract: it has no {lacking}"):
        shape()


def test_a_complete_class_is_a_widget_with_signals(qtbot: QtBot) -> None:
    square = Square()
    qtbot.addWidget(square)
    names: list[str] = []
    square.chosen.connect(names.append)
    square.chosen.emit(square.name)
    assert (names, square.corners(), isinstance(square, QWidget)) == (["square"], 4, True)
