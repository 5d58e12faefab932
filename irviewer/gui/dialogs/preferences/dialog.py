"""The dialog of the preferences: pages by subject; nothing is changed before OK."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from irviewer.commands import COMMANDS, IN_VIEWS
from irviewer.commands.keymap import Keymap
from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.dialogs.preferences.appearance_page import AppearancePage
from irviewer.gui.dialogs.preferences.keys_page import KeysPage
from irviewer.gui.dialogs.preferences.page import Page, first_trouble
from irviewer.gui.dialogs.preferences.statistics_page import StatisticsPage
from irviewer.gui.dialogs.preferences.tables_page import SavingPage, TablesPage
from irviewer.gui.large_type import AGAIN
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented
from irviewer.gui.widgets.warning_label import WarningLabel
from irviewer.rendering.palette import PALETTES
from irviewer.session.preferences import Preferences
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

MARGIN = 18
SCROLL_BAR = 16
"""Pixels beside a page that is scrolled."""


class PreferencesDialog(QDialog):
    """All preferences. OK is disabled, and the reason shown, while a field is invalid."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Preferences"))
        self._session = session
        present = session.preferences.present
        in_views = frozenset(key for _, keys in IN_VIEWS for key in keys)
        self.appearance = AppearancePage(theme, present, PALETTES[theme.palette.name])
        self.tables = TablesPage(theme, present, _usual(session))
        self.statistics = StatisticsPage(theme, present.inference)
        self.saving = SavingPage(theme, present, session.judging.assessor)
        self.keys = KeysPage(theme, Keymap(COMMANDS, in_views, present.shortcuts))
        self.pages: dict[str, tuple[str, Page]] = {
            "appearance": (tr("Appearance"), self.appearance),
            "tables": (tr("Tables"), self.tables),
            "statistics": (tr("Statistics"), self.statistics),
            "saving": (tr("Saving"), self.saving),
            "keys": (tr("Keys"), self.keys),
        }
        self.strip = Segmented(theme, tuple((name, title, "") for name, (title, _) in self.pages.items()), tabs=True)
        self.stack = QStackedWidget()
        for _, page in self.pages.values():
            self.stack.addWidget(_scrolled(page))
            page.changed.connect(self._on_changed)
        self.trouble = WarningLabel(theme)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(self._on_accepted)
        self.strip.chosen.connect(self.show_page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, 14)
        layout.setSpacing(14)
        layout.addWidget(self.strip, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self.stack, 1)
        layout.addWidget(self.trouble)
        layout.addWidget(buttons)
        wide = max(page.minimumSizeHint().width() for _, page in self.pages.values())
        open_within_screen(self, QSize(max(680, wide + 2 * MARGIN + SCROLL_BAR), 560))
        self.show_page("appearance")

    def show_page(self, name: str) -> None:
        self.strip.show_chosen(name)
        self.stack.setCurrentIndex(list(self.pages).index(name))

    def wanted(self) -> Preferences:
        """Return the preferences as they are in the dialog. Raises IrviewerError or ValueError for invalid fields."""
        return Preferences(
            theme=self.appearance.theme_name,
            type_size=self.appearance.type_size,
            language=self.appearance.language,
            lists_mode=self.appearance.lists_mode,
            run_colours=self.appearance.run_colours,
            hints=self.appearance.hints_box.isChecked(),
            table_measures=self.tables.table_measures,
            inference=self.statistics.inference,
            assessor=" ".join(self.saving.assessor.text().split()),
            cache_limit_gb=self.saving.cache_limit_gb,
            shortcuts=self.keys.keymap.chosen,
        )

    def _on_changed(self) -> None:
        trouble = first_trouble([page.trouble() for _, page in self.pages.values()])
        self.trouble.setText(trouble or " ")
        self.ok.setEnabled(not trouble)

    def _on_accepted(self) -> None:
        if self._session.preferences.set(self.wanted()):
            QApplication.exit(AGAIN)


def _scrolled(page: Page) -> QScrollArea:
    """Return a page that is scrolled where the dialog has less room."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(page)
    area.viewport().setAutoFillBackground(False)
    page.setAutoFillBackground(False)
    return area


def _usual(session: Session) -> str:
    """Return the measures that the Systems table shows where none are chosen."""
    return ", ".join(map(str, session.comparison.measures_shown()))
