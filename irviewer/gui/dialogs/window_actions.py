"""Commands of the window itself: copy, menus, close."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication

from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.preferences.dialog import PreferencesDialog
from irviewer.gui.large_type import AGAIN, least_room, next_size, scale_for, system_scale_here, wanted_scale, whole_room
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.table import Table
from irviewer.session.messages import info
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class WindowActions:
    """Runs the commands of the window itself. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
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
        whole = getattr(self._host.current_screen, "copy", None)
        if whole is not None and whole():
            return
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

    def fold_queries(self) -> None:
        """Fold the list of queries in Query, or open it, and say so."""
        self._fold_panel("queries")

    def fold_measures(self) -> None:
        """Fold measures and charts in Query, or open them, and say so."""
        self._fold_panel("measures")

    def _fold_panel(self, panel: str) -> None:
        fold = getattr(self._host.window(), "fold_panel", None)
        if fold is not None:
            self._session.say(info(fold(panel)))

    def preferences(self) -> None:
        """Open the preferences."""
        self._host.show_dialog(PreferencesDialog(self._session, self._theme, self._host.window()))

    def larger_type(self) -> None:
        """Make the type one step larger. Qt restarts, the session continues."""
        self._set_type_size(next_size(self._session.settings, system_scale_here(), 1))

    def smaller_type(self) -> None:
        """Make the type one step smaller. Qt restarts, the session continues."""
        self._set_type_size(next_size(self._session.settings, system_scale_here(), -1))

    def system_type(self) -> None:
        """Use the type size of the system. Qt restarts, the session continues."""
        self._set_type_size(0)

    def _set_type_size(self, percent: int) -> None:
        settings, system = self._session.settings, system_scale_here()
        before, former = wanted_scale(settings, system), settings["type_size"]
        settings["type_size"] = percent
        wanted = wanted_scale(settings, system)
        least = least_room(settings, self._host.window().minimumSize())
        fits = scale_for(whole_room(), least, wanted) == wanted
        if wanted > before and not fits:
            settings["type_size"] = former
            self._session.say(info(tr("Larger type is not possible: the window would not fit on this screen.")))
        elif wanted == before:
            size = round(100 * wanted)
            self._session.say(info(tr("The type size is {percent} % already.", percent=size)))
        else:
            self._session.say(info(tr("Type size: {percent} %", percent=round(100 * wanted))))
            QApplication.exit(AGAIN)

    def quit(self) -> None:
        """Close the window."""
        self._host.close()
