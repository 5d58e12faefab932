"""Commands of the window itself: copy, menus, close."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication

from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.widgets.table import Table
from irviewer.session.messages import info
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class WindowActions:
    """Runs the commands of the window itself. Made with the window."""

    def __init__(self, session: Session, host: DialogHost) -> None:
        self._session = session
        self._host = host

    def copy(self) -> None:
        """Copy the selection of the widget with the focus."""
        window = self._host.window()
        widget = QApplication.focusWidget()
        while widget is not None and widget is not window:
            copying = widget.copy_selection if isinstance(widget, Table) else getattr(widget, "copy", None)
            if copying is not None:
                if copying() is False:
                    break
                return
            widget = widget.parentWidget()
        self._session.say(info(tr("Nothing is selected. Select rows of a table, a document or a plot to copy.")))

    def menu(self) -> None:
        """Open the first menu of the menu bar, or the menus of the ≡ button."""
        self._host.picker.close_over()
        self._host.open_menu()

    def context_menu(self) -> None:
        """Open the context menu of the widget with the focus, since Qt has a key for it on some systems only."""
        self._host.picker.close_over()
        widget = QApplication.focusWidget() or self._host.window()
        at = widget.rect().center()
        reason = QContextMenuEvent.Reason.Keyboard
        QApplication.sendEvent(widget, QContextMenuEvent(reason, at, widget.mapToGlobal(at)))

    def quit(self) -> None:
        """Close the window."""
        self._host.close()
