"""Widgets with abstract methods."""

from __future__ import annotations

from abc import ABCMeta
from typing import Any

from PySide6.QtWidgets import QWidget


class AbstractWidgetType(ABCMeta, type(QWidget)):  # type: ignore[misc] # Qt's own metaclass has no name
    """The metaclass of widgets with abstract methods. A class that lacks one of them raises TypeError when it is
    called; Qt's own metaclass makes its instances without this check."""

    def __call__(cls, *arguments: Any, **options: Any) -> Any:
        lacking = ", ".join(sorted(cls.__abstractmethods__))
        if lacking:
            raise TypeError(f"{cls.__name__} is abstract: it has no {lacking}")
        return super().__call__(*arguments, **options)
