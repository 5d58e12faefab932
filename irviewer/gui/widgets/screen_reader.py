"""What screen readers are told: what painted widgets are (a tab, one of a few choices, a chart), and announcements.

Qt knows the roles of its own widgets; one that paints itself is a plain area to it, and a button that can be chosen a
check box. A widget that has a role here tells Qt by a factory, which a screen reader alone makes Qt ask."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QObject
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleAnnouncementEvent,
    QAccessibleInterface,
    QAccessibleStateChangeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QAccessibleWidget, QWidget

from irviewer.gui.guard import guarded

_ROLE = "_spoken_role"
CHOICES = (QAccessible.Role.PageTab, QAccessible.Role.RadioButton)
"""The roles of buttons one of which is chosen."""


def set_role(widget: QWidget, role: QAccessible.Role) -> None:
    """Give a widget a role, before a screen reader has asked for it."""
    _install()
    setattr(widget, _ROLE, role)


def tell_chosen(button: QAbstractButton) -> None:
    """Tell screen readers that a tab or another of a few choices is chosen, or no longer."""
    if QAccessible.isActive():
        state = QAccessible.State()
        if vars(button)[_ROLE] is QAccessible.Role.PageTab:
            state.selected = True
        else:
            state.checked = True
        QAccessible.updateAccessibility(QAccessibleStateChangeEvent(button, state))


def announce(widget: QWidget, text: str) -> None:
    """Let screen readers read a text, wherever the focus is."""
    if text and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


@guarded
class _Interface(QAccessibleWidget):
    """A widget as screen readers find it."""

    def __init__(self, widget: QWidget, role: QAccessible.Role) -> None:
        super().__init__(widget, role)
        self._role = role

    def state(self) -> QAccessible.State:
        state, widget = super().state(), self.widget()
        if isinstance(widget, QAbstractButton) and self._role in CHOICES:
            if self._role is QAccessible.Role.PageTab:
                state.selectable = True
                state.selected = widget.isChecked()
            else:
                state.checkable = True
                state.checked = widget.isChecked()
        return state

    def actionNames(self) -> list[str]:
        names = super().actionNames()
        if isinstance(self.widget(), QAbstractButton):
            names.append(QAccessibleActionInterface.pressAction())
        return names

    def doAction(self, name: str) -> None:
        widget = self.widget()
        if isinstance(widget, QAbstractButton) and name == QAccessibleActionInterface.pressAction():
            widget.click()
        else:
            super().doAction(name)


def _make(_class: str, item: QObject) -> QAccessibleInterface | None:
    if not isinstance(item, QWidget):
        return None
    role = getattr(item, _ROLE, None)
    return None if role is None else _Interface(item, role)


@cache
def _install() -> None:
    QAccessible.installFactory(_make)
