"""The figure of the dialog Export for paper: the plots on screen, their curves and print options at the left; as it
prints in colour, in black and at its real size at the right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from irviewer.figures.figure import Figure
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.paper.ordered_list import OrderedEntry, OrderedList
from irviewer.gui.dialogs.paper.sides import Sides
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme, colour
from irviewer.gui.widgets.controls import Segmented, swatch_icon
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.plain_text import PlainLabel, visible
from irviewer.rendering.palette import LIGHT
from irviewer.rendering.print_style import COLUMN_MM, MM_PER_POINT, PAGE_MM, PrintStyle, legend_columns
from irviewer.rendering.styles import role_style, run_styles
from irviewer.session.comparison.paper import PaperFigure
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

PAUSE = 200
MOST_LETTERS = 200
"""Letters of a title of an axis."""
"""Milliseconds after a choice before the figure is drawn."""
FORMATS = (
    ("pdf", tr("PDF"), tr("With TrueType fonts (Type 42)")),
    ("svg", tr("SVG"), tr("Letters as shapes: looks the same everywhere")),
    ("png", tr("PNG"), tr("384 pixels per inch")),
)
KINDS = {"pdf": (tr("PDF document"), ".pdf"), "svg": (tr("SVG image"), ".svg"), "png": (tr("PNG image"), ".png")}
WIDTHS = (
    ("column", tr("1 column"), tr("84 mm, a column of two")),
    ("page", tr("2 columns"), tr("178 mm, both columns")),
    ("other", tr("other"), tr("Set the width below")),
)
LEAST_HEIGHT, MOST_HEIGHT = 40.0, 160.0
LEGEND_LINE = 1.7
"""The height of a line of a legend, in type sizes."""
GREY, LINE_GREY = QColor("#d5d9de"), QColor("#c4c9cf")


@dataclass(frozen=True, eq=False)
class ShownFigure:
    """A plot on screen: its title, the figure, and its height as a share of its width."""

    title: str
    figure: Figure
    shape: float


@guarded
class _Printed(QWidget):
    """A picture on white paper, at a width in pixels; ``beside`` draws lines of text where the next column is."""

    def __init__(self, name: str, *, beside: bool = False) -> None:
        super().__init__()
        self._pixmap = QPixmap()
        self._beside = beside
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_picture(self, image: QImage, width: float) -> None:
        """Show an image scaled to a width in pixels of the screen."""
        ratio = self.devicePixelRatioF()
        scaled = image.scaledToWidth(max(1, round(width * ratio)), Qt.TransformationMode.SmoothTransformation)
        scaled.setDevicePixelRatio(ratio)
        self._pixmap = QPixmap.fromImage(scaled)
        size = self._pixmap.deviceIndependentSize().toSize() + QSize(16, 16)
        self.setFixedSize(size + QSize(round(width * 0.5) + 16, 0) if self._beside else size)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.white)
        painter.setPen(QPen(GREY, 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.drawPixmap(8, 8, self._pixmap)
        if self._beside:
            left = int(self._pixmap.deviceIndependentSize().width()) + 28
            painter.setPen(QPen(LINE_GREY, 2))
            for y in range(16, self.height() - 8, 12):
                painter.drawLine(left, y, self.width() - 12, y)


class FigurePage(QWidget):
    """Asks how a figure is printed and shows it; saves and copies it. Signals as those of the table."""

    said = Signal(str, str)
    complete = Signal()

    def __init__(
        self, session: Session, theme: Theme, figures: Sequence[ShownFigure], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._figures = figures
        self._gone = False
        self._filling = False
        self.form = "pdf"
        self.image = QImage()
        self.curves = OrderedList(theme, tr("Curves"))
        self.figure = QComboBox()
        self.widths = Segmented(theme, WIDTHS)
        self.width_mm, self.height_mm = _field(20, 400, tr("Width"), " mm"), _field(20, 400, tr("Height"), " mm")
        self.type_size = _field(5, 24, tr("Type size"), " pt")
        self.dashes, self.markers = QCheckBox(tr("line styles")), QCheckBox(tr("markers"))
        self.title = QCheckBox(tr("title"))
        self.names = QComboBox()
        self.axes = (QLineEdit(), QLineEdit())
        for edit, name in zip(self.axes, (tr("Title of the x axis"), tr("Title of the y axis")), strict=True):
            edit.setAccessibleName(name)
            edit.setMaxLength(MOST_LETTERS)
            edit.setClearButtonEnabled(True)
        self.formats = Segmented(theme, FORMATS)
        self.coloured = _Printed(tr("Figure in colour"))
        self.black = _Printed(tr("Figure printed in black"))
        self.real = _Printed(tr("Figure in the column of a paper, at its real size"), beside=True)
        self._fill()
        self._lay_out()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._ask)
        self._connect()

    def begin(self) -> None:
        """Show the first figure."""
        self._on_figure_chosen()
        self._ask()

    # --- building ---

    def _fill(self) -> None:
        for shown in self._figures:
            self.figure.addItem(shown.title)
        self.names.addItem(tr("at the lines' ends"), "ends")
        self.names.addItem(tr("in a legend"), "legend")
        style = PrintStyle()
        self.type_size.setValue(style.type_size)
        self.dashes.setChecked(style.dashes)
        self.markers.setChecked(style.markers)
        self.title.setChecked(style.title)
        self.formats.show_chosen(self.form)

    def _lay_out(self) -> None:
        theme = self._theme
        self.curves_panel, options = Panel(theme, tr("Curves")), Panel(theme, tr("For print"))
        self.curves_panel.set_body(self.curves)
        options.set_body(self._form_body())
        left, right = QVBoxLayout(), QVBoxLayout()
        left.addWidget(self.curves_panel, 1)
        left.addWidget(options)
        self.printed_panel = Panel(theme, tr("As it prints"))
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(14, 8, 14, 8)
        grid.setVerticalSpacing(4)
        centre = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
        for position, (title, widget) in enumerate(
            ((tr("in colour"), self.coloured), (tr("printed in black"), self.black))
        ):
            grid.addWidget(_caption(theme, title), 0, position)
            grid.addWidget(widget, 1, position, centre)
        grid.addWidget(_caption(theme, tr("in the column of a paper, real size")), 2, 0, 1, 2)
        grid.addWidget(self.real, 3, 0, 1, 2, centre)
        grid.setRowStretch(4, 1)
        grid.setColumnStretch(2, 1)
        self.area = QScrollArea()
        self.area.setWidget(inside)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setAccessibleName(tr("Figure as it prints"))
        self.printed_panel.set_body(self.area)
        right.addWidget(self.printed_panel)
        self.sides = Sides(self, left, right)

    def _form_body(self) -> QWidget:
        body = QWidget()
        form = QFormLayout(body)
        form.setContentsMargins(12, 8, 12, 10)
        form.setVerticalSpacing(6)
        size, lines = QHBoxLayout(), QGridLayout()
        for widget in (self.width_mm, PlainLabel("×"), self.height_mm):
            size.addWidget(widget)
        size.addStretch(1)
        lines.setVerticalSpacing(2)
        lines.addWidget(self.dashes, 0, 0, 1, 3)  # three beside each other are cut in other languages
        lines.addWidget(self.markers, 1, 0)
        lines.addWidget(self.title, 1, 1)
        lines.setColumnStretch(2, 1)
        self.figure.setAccessibleName(tr("Figure"))
        self.names.setAccessibleName(tr("Names"))
        form.addRow(PlainLabel(tr("Figure")), self.figure)
        form.addRow(PlainLabel(tr("Width")), self.widths)
        form.addRow(PlainLabel(tr("Size")), size)
        form.addRow(PlainLabel(tr("Type size")), self.type_size)
        form.addRow(PlainLabel(tr("Lines")), lines)
        form.addRow(PlainLabel(tr("Names")), self.names)
        form.addRow(PlainLabel(tr("x axis")), self.axes[0])
        form.addRow(PlainLabel(tr("y axis")), self.axes[1])
        return body

    def _connect(self) -> None:
        self.figure.currentIndexChanged.connect(self._on_figure_chosen)
        self.widths.chosen.connect(self._on_width_chosen)
        self.width_mm.valueChanged.connect(self._on_width_typed)
        for number in (self.height_mm, self.type_size):
            number.valueChanged.connect(self._on_changed)
        for box in (self.dashes, self.markers, self.title):
            box.toggled.connect(self._on_changed)
        self.names.currentIndexChanged.connect(self._on_changed)
        for edit in self.axes:
            edit.textChanged.connect(self._on_changed)
        self.curves.changed.connect(self._on_changed)
        self.formats.chosen.connect(self.set_form)

    # --- choices ---

    @property
    def is_complete(self) -> bool:
        """Whether there is a figure to save."""
        return not self.curves.count() or bool(self.curves.ticked)

    @property
    def shown(self) -> ShownFigure:
        """The plot that was chosen."""
        return self._figures[max(0, self.figure.currentIndex())]

    @property
    def drawing(self) -> PaperFigure:
        """The figure with its options."""
        figure, labels = self.shown.figure, self._session.view.labels()
        x, y = (" ".join(edit.text().split()) for edit in self.axes)
        figure = replace(figure, x=replace(figure.x, label=x or figure.x.label),
                         y=replace(figure.y, label=y or figure.y.label))  # fmt: skip
        if self.curves.count():
            order = [int(key) for key in self.curves.ticked]
            figure = replace(
                figure,
                curves=tuple(figure.curves[place] for place in order),
                bands=tuple(
                    band for band in figure.bands
                    if any((band.role, band.label) == (figure.curves[place].role, figure.curves[place].label)
                           for place in order)
                ),
            )  # fmt: skip
        style = PrintStyle(
            self.type_size.value(), self.title.isChecked(), self.dashes.isChecked(), self.markers.isChecked(),
            names=self.names.currentData(),
        )  # fmt: skip
        mark = self._session.view.judgment_mark
        colours = run_styles(labels, LIGHT)
        return PaperFigure(figure, self.width_mm.value(), self.height_mm.value(), style, colours, mark)

    def set_form(self, form: str) -> None:
        """Choose the format of the file."""
        self.form = form
        self.formats.show_chosen(form)
        self._show_note()

    def _on_figure_chosen(self) -> None:
        shown = self.shown
        self._filling = True
        colours = run_styles(self._session.view.labels(), LIGHT)
        curves = shown.figure.curves if shown.figure.points is None else ()
        inks = [colour(role_style(curve.role, LIGHT, colours)[0]) for curve in curves]
        border = self._theme["control_border"]
        for edit, axis in zip(self.axes, (shown.figure.x, shown.figure.y), strict=True):
            edit.clear()
            edit.setPlaceholderText(visible(axis.label))
        self.curves.show_entries(
            OrderedEntry(position, curve.label, icon=swatch_icon(ink), unticked_icon=swatch_icon(ink, False, border))
            for position, (curve, ink) in enumerate(zip(curves, inks, strict=True))
        )
        has_curves = bool(curves)
        for widget in (self.curves, self.dashes, self.markers, self.names):
            widget.setEnabled(has_curves)
        # Where curves end apart their names have room at the ends.
        self.names.setCurrentIndex(self.names.findData("ends" if shown.figure.x.integer else "legend"))
        self._filling = False
        self._on_width_chosen("column")

    def _on_width_chosen(self, name: str) -> None:
        self.widths.show_chosen(name)
        if name == "other":
            self.width_mm.setFocus()
            return
        width = COLUMN_MM if name == "column" else PAGE_MM
        self._set_size(width)

    def _set_size(self, width: float) -> None:
        """Set the width, and the height in the shape of the plot on screen; a legend has its own room above it."""
        self._filling = True
        self.width_mm.setValue(width)
        least = LEAST_HEIGHT + self._legend_mm(width)
        self.height_mm.setValue(min(MOST_HEIGHT, max(least, width * self.shown.shape)))
        self._filling = False
        self._on_changed()

    def _legend_mm(self, width: float) -> float:
        """Return the height of a legend of the figure's curves in millimetres at this width."""
        names = [curve.label for curve in self.shown.figure.curves if curve.label]
        if self.shown.figure.points is not None or self.names.currentData() != "legend" or len(names) < 2:
            return 0.0
        rows = math.ceil(len(names) / legend_columns(names, width, self.type_size.value()))
        return rows * LEGEND_LINE * self.type_size.value() * MM_PER_POINT

    def _on_width_typed(self) -> None:
        if not self._filling:
            self.widths.show_chosen("other")
            self._set_size(self.width_mm.value())

    def _on_changed(self) -> None:
        if self._filling:
            return
        complete = self.is_complete
        self.complete.emit()
        count, ticked = self.curves.count(), len(self.curves.ticked)
        self.curves_panel.set_note(
            tr("{ticked} of {count} · drag, or Alt ↑ ↓", ticked=ticked, count=count)
            if count
            else tr("this plot has no curves to choose")
        )
        if complete:
            self._pause.start()
        else:
            self._pause.stop()
            self.said.emit(tr("Tick at least one curve."), "warning")

    def _ask(self) -> None:
        self._pause.stop()
        if self.is_complete:
            self.said.emit(tr("Drawing the figure …"), "muted")
            self._session.paper.draw_figure(self.drawing, self._on_drawn)

    def _on_drawn(self, pictures: tuple[bytes, bytes]) -> None:
        if self._gone:
            return
        self.image, black = (QImage.fromData(content) for content in pictures)
        drawing = self.drawing
        room = max(200, (self.area.viewport().width() - 80) // 2)
        zoomed = min(room, round(drawing.width * 4.6))
        self.coloured.show_picture(self.image, zoomed)
        self.black.show_picture(black, zoomed)
        screen = self.screen()
        per_mm = (96.0 if screen is None else screen.physicalDotsPerInchX()) / 25.4
        self.real.show_picture(self.image, drawing.width * per_mm)
        self._show_note()
        self.said.emit(tr("The figure is saved as shown."), "muted")

    def _show_note(self) -> None:
        drawing = self.drawing
        parts = [tr("{width:g} × {height:g} mm", width=drawing.width, height=drawing.height)]
        if self.curves.count() and (drawing.style.dashes or drawing.style.markers):
            count = len(drawing.figure.curves)
            if len({(drawing.style.dash(place), drawing.style.marker(place)) for place in range(count)}) == count:
                parts.append(trn("{n} line", "{n} lines that differ without colour", count))
            else:
                parts.append(tr("some lines differ only by colour: fewer lines, or line styles with markers"))
        if self.form == "pdf":
            parts.append(tr("TrueType fonts (Type 42)"))
        self.printed_panel.set_note(" · ".join(parts))

    # --- leaving ---

    def copy(self) -> None:
        """Put the picture on the clipboard."""
        QGuiApplication.clipboard().setImage(self.image)
        self.said.emit(tr("Copied."), "text")

    def save(self) -> None:
        """Ask for a file."""
        session, drawing = self._session, self.drawing
        collection = session.view.collection
        name = " ".join([*([] if collection is None else [collection.name]), self.shown.title])

        def chosen(path: str) -> None:
            session.paper.save_figure(drawing, path)

        folder = session.saving.file_folder()
        SaveDialog(self.window(), tr("Save figure"), folder, name, (KINDS[self.form],), chosen).open()

    def end(self) -> None:
        """Show nothing more."""
        self._gone = True
        self._pause.stop()


def _field(low: float, high: float, name: str, unit: str) -> QDoubleSpinBox:
    field = QDoubleSpinBox()
    field.setRange(low, high)
    field.setDecimals(1)
    field.setSuffix(unit)
    field.setFixedWidth(92)
    field.setAccessibleName(name)
    return field


def _caption(theme: Theme, text: str) -> PlainLabel:
    label = PlainLabel(text)
    label.setFont(theme.font(9))
    return label
