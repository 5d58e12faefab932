"""The dialog of Slices: which attributes are shown, and how numbers are cut: into equal parts or at given borders."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from irviewer.commands import run_command
from irviewer.errors import OptionError
from irviewer.gui.dialogs.opening_size import least_height, open_within_screen, room_of
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.parameter_bar import several_numbers
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.gui.widgets.warning_label import WarningLabel
from irviewer.model.attributes.queries import PARTS, Cut, QueryAttribute
from irviewer.model.attributes.tables import SlicingChoices
from irviewer.model.number_text import limit
from irviewer.translation import number_list, tr, typed_numbers

if TYPE_CHECKING:
    from irviewer.session.session import Session

MOST_PARTS = 8
BORDERS = 0
"""The entry "at borders" of a choice of parts."""
SIDES, BESIDE_ROWS = 36, 150
"""Pixels of width of the margins, and of height of all but the rows."""
UNDER_CHECK = 24
"""Pixels from the left edge to what an attribute means, below its name."""


@dataclass
class _Row:
    """The widgets of one attribute; ``parts`` and ``borders`` are None of a category."""

    attribute: QueryAttribute
    check: QCheckBox
    parts: QComboBox | None
    borders: QLineEdit | None


class SliceAttributesDialog(QDialog):
    """A row for each attribute. OK is disabled, and the reason shown, while borders are not numbers in rising order."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Attributes of queries"))
        self._session = session
        self._theme = theme
        self.rows: list[_Row] = []
        body = QWidget()
        self._grid = QGridLayout(body)
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(0, 1)
        shown, cuts = session.slices.shown, session.attributes.slicing.cuts
        for position, attribute in enumerate(session.slices.attributes):
            self._add_row(position, attribute, attribute.name in shown, cuts.get(attribute.name, Cut()))
        scroll = QScrollArea()
        scroll.setWidget(body)
        scroll.setWidgetResizable(True)
        wanted = min(420, 56 * max(3, len(self.rows)) + 20)
        scroll.setMinimumSize(min(620, room_of(window).width() - SIDES), least_height(window, wanted, BESIDE_ROWS, 90))
        self.trouble = WarningLabel(theme)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.open_table = QPushButton(tr("Open a table of attributes…"))
        buttons.addButton(self.open_table, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.open_table.clicked.connect(self._on_open_clicked)
        self.accepted.connect(self._on_accepted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        words = tr("Slices are shown of the ticked attributes. Numbers are cut into parts of equal size, as nearly as "
                   "equal values allow, or at borders such as {borders}.",
                   borders=number_list(("3", "6", "12")))  # fmt: skip
        head = PlainLabel(words)
        head.setWordWrap(True)
        for widget in (head, scroll, self.trouble, buttons):
            layout.addWidget(widget)
        self._on_changed()
        open_within_screen(self, self.sizeHint())

    def _add_row(self, place: int, attribute: QueryAttribute, shown: bool, cut: Cut) -> None:
        check = QCheckBox(attribute.shown.replace("&", "&&"))
        check.setChecked(shown)
        check.toggled.connect(self._on_changed)
        self._grid.addWidget(check, 2 * place, 0)
        trouble = self._session.slices.trouble_of(attribute)
        meaning = PlainLabel(trouble or attribute.meaning)
        meaning.setFont(self._theme.font(9))
        meaning.setWordWrap(True)
        set_tooltip(meaning, trouble or attribute.meaning)
        meaning.setContentsMargins(UNDER_CHECK, 0, 0, 8)
        self._grid.addWidget(meaning, 2 * place + 1, 0, 1, 3)  # beside it, it had a few letters a line
        check.setEnabled(not trouble)
        parts = borders = None
        if attribute.kind == "number":
            parts, borders = QComboBox(), QLineEdit()
            for count in range(2, MOST_PARTS + 1):
                parts.addItem(tr("{n} equal parts", n=count), count)
            parts.addItem(tr("at borders"), BORDERS)
            parts.setCurrentIndex(parts.findData(BORDERS if cut.borders else min(cut.parts, MOST_PARTS)))
            parts.setAccessibleName(tr("How {attribute} is cut", attribute=attribute.shown))
            borders.setText(number_list(map(limit, cut.borders)))
            borders.setPlaceholderText(number_list(("3", "6", "12")))
            set_tooltip(borders, several_numbers())
            borders.setAccessibleName(tr("Borders of {attribute}", attribute=attribute.shown))
            borders.setFixedWidth(120)
            parts.currentIndexChanged.connect(self._on_changed)
            borders.textChanged.connect(self._on_changed)
            self._grid.addWidget(parts, 2 * place, 1)
            self._grid.addWidget(borders, 2 * place, 2)
        self.rows.append(_Row(attribute, check, parts, borders))

    def slicing(self) -> SlicingChoices:
        """Return what the dialog says. Raises OptionError for borders that are none."""
        cuts = {}
        for row in self.rows:
            if row.parts is None or row.borders is None:
                continue
            parts = int(row.parts.currentData())
            cut = Cut(parts) if parts != BORDERS else Cut(PARTS, _borders(row.borders.text()))
            if cut != Cut():
                cuts[row.attribute.name] = cut
        names = tuple(row.attribute.name for row in self.rows if row.check.isChecked())
        former = self._session.attributes.slicing
        return SlicingChoices(former.shown if names == self._session.slices.shown else names, cuts)

    def _on_changed(self) -> None:
        for row in self.rows:
            if row.parts is not None and row.borders is not None:
                row.borders.setEnabled(int(row.parts.currentData()) == BORDERS)
        trouble = ""
        try:
            self.slicing()
        except OptionError as error:
            trouble = str(error)
        self.trouble.setText(trouble or " ")
        self.ok.setEnabled(not trouble)

    def _on_open_clicked(self) -> None:
        self.reject()
        run_command(self._session, "open_attributes")

    def _on_accepted(self) -> None:
        self._session.attributes.set_slicing(self.slicing())


def _borders(text: str) -> tuple[float, ...]:
    """Return the numbers of a text. Raises OptionError."""
    try:
        numbers = tuple(map(float, typed_numbers(text)))
    except ValueError:
        numbers = ()
    if not numbers or not all(map(math.isfinite, numbers)):
        example = number_list(("3", "6", "12"))
        raise OptionError(tr("The borders of slices are numbers in rising order, such as {example}.", example=example))
    return numbers
