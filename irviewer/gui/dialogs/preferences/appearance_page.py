"""The page of the preferences for theme, type size, lists and colours."""

from __future__ import annotations

from PySide6.QtCore import QLocale, QSize
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QCheckBox, QColorDialog, QHBoxLayout, QPushButton, QWidget

from irviewer.gui.dialogs.preferences.page import Page, chosen_in
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import swatch_icon
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.rendering.palette import Palette
from irviewer.session.preferences import Preferences
from irviewer.session.settings import TYPE_SIZES
from irviewer.translation import languages, tr

THEMES = {
    "system": tr("As the system"),
    "light": tr("Light"),
    "dark": tr("Dark"),
    "contrast": tr("High contrast, light"),
    "contrast-dark": tr("High contrast, dark"),
}
LISTS = {"lists": tr("Lists"), "strips": tr("Strips, one row per run")}
COLOURS_SHOWN = 8
"""The number of runs whose colours can be set here; the first eight of a theme are told apart by colour-blind eyes."""


def _language_names(present: str) -> dict[str, str]:
    """Return the languages that can be chosen, each under its own name; ``present`` too, although it is unknown."""
    codes = [*languages(), *([present] if present and present not in languages() else [])]
    return {"": tr("As the system"), **{code: QLocale(code).nativeLanguageName() or code for code in codes}}


class AppearancePage(Page):
    """Theme, type size, lists or strips, colours of runs, hints."""

    def __init__(self, theme: Theme, present: Preferences, palette: Palette) -> None:
        """``palette`` has the colours of runs that are used where none are chosen."""
        super().__init__(
            theme,
            tr("The type size enlarges or reduces the whole window; it is used when you choose OK. The language is "
               "used when irviewer is started again. Colours are used in every theme and in exported plots. A run that "
               "has been given a colour keeps it."),
        )  # fmt: skip
        self._preset = list(palette.runs[:COLOURS_SHOWN])
        self.theme_box = self.add_choice(tr("Theme"), THEMES, present.theme)
        sizes = {"0": tr("As the system"), **{str(size): tr("{percent} %", percent=size) for size in TYPE_SIZES}}
        self.type_box = self.add_choice(tr("Type size"), sizes, str(present.type_size))
        self.language_box = self.add_choice(tr("Language"), _language_names(present.language), present.language)
        set_tooltip(self.language_box, tr("Used when irviewer is started again"))
        self.lists_box = self.add_choice(tr("Rankings of a query"), LISTS, present.lists_mode)
        self.colours = [*present.run_colours, *self._preset[len(present.run_colours) :]]
        self.swatches: list[QPushButton] = []
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for number in range(COLOURS_SHOWN):
            button = QPushButton()
            button.setFixedSize(QSize(30, 28))
            button.setProperty("number", number)
            button.setStyleSheet("padding: 0;")
            button.clicked.connect(self._on_swatch_clicked)
            self.swatches.append(button)
            row.addWidget(button)
        self.reset_button = QPushButton(tr("Default colours"))
        self.reset_button.clicked.connect(self._on_reset_clicked)
        row.addSpacing(8)
        row.addWidget(self.reset_button)
        row.addStretch(1)
        holder = QWidget()
        holder.setLayout(row)
        self.add_row(tr("Colours of the first runs"), holder)
        self.hints_box = QCheckBox(tr("Explain the first view in one line when a collection opens"))
        self.hints_box.setChecked(present.hints)
        self.hints_box.toggled.connect(self.changed)
        self.add_row(tr("Hints"), self.hints_box)
        self._show_colours()

    @property
    def theme_name(self) -> str:
        """The chosen theme."""
        return chosen_in(self.theme_box)

    @property
    def type_size(self) -> int:
        """The chosen type size in percent; 0 for that of the system."""
        return int(chosen_in(self.type_box))

    @property
    def language(self) -> str:
        """The chosen language; "" for that of the system."""
        return chosen_in(self.language_box)

    @property
    def lists_mode(self) -> str:
        """Lists or strips."""
        return chosen_in(self.lists_box)

    @property
    def run_colours(self) -> tuple[str, ...]:
        """The chosen colours; () for those of the theme."""
        return () if self.colours == self._preset else tuple(self.colours)

    def _show_colours(self) -> None:
        for number, (button, colour) in enumerate(zip(self.swatches, self.colours, strict=True), start=1):
            button.setIcon(swatch_icon(QColor(colour)))
            name = tr("Colour of run {number}: {colour}", number=number, colour=colour)
            button.setAccessibleName(name)
            set_tooltip(button, name)
        self.reset_button.setEnabled(self.colours != self._preset)

    def _on_swatch_clicked(self) -> None:
        number = int(self.sender().property("number"))
        chosen = QColorDialog.getColor(
            QColor(self.colours[number]), self, tr("Colour of run {number}", number=number + 1)
        )
        if chosen.isValid():
            self.set_colour(number, chosen.name())

    def set_colour(self, number: int, colour: str) -> None:
        """Choose the colour of a run, by its place from 0."""
        self.colours[number] = colour
        self._show_colours()
        self.changed.emit()

    def _on_reset_clicked(self) -> None:
        self.colours = list(self._preset)
        self._show_colours()
        self.changed.emit()
