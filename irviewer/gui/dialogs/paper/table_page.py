"""The table of the dialog Export for paper: runs, measures and tests at the left, the table as it prints and as it is
saved at the right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from irviewer.errors import IrviewerError
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.paper.ordered_list import ROW_HEIGHT, OrderedEntry, OrderedList
from irviewer.gui.dialogs.paper.printed_table import PrintedTable, fit_text
from irviewer.gui.dialogs.paper.sides import Sides
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import LinkButton, Segmented, swatch_icon
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.savable import RESULT_KINDS
from irviewer.session.comparison.paper import PaperChoices, PaperPreset
from irviewer.tables.writers.registry import writer_named
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session
    from irviewer.views.paper import PaperTable

RUNS_BESIDE = 60
"""The height in pixels of the list of runs beside its rows: its title, and room below the last."""
PAUSE = 120
"""Milliseconds after a choice before the table is computed."""
FORMATS = (
    ("latex", tr("LaTeX"), tr("A table in the style of booktabs")),
    ("markdown", tr("Markdown"), tr("A table with the caption below")),
    ("csv", tr("CSV"), tr("Exact values, with p of the primary measure; beside it a file with the protocol")),
    ("html", tr("Word (HTML)"), tr("A page that word processors open; Copy puts the table itself on the clipboard")),
)
NONE, ALL = -1, -2


@guarded
class TablePage(QWidget):
    """Asks for the contents of a table and shows it; saves and copies it. ``said`` carries a sentence and its colour,
    ``complete`` that there may be something to save, or no longer."""

    said = Signal(str, str)
    complete = Signal()

    def __init__(self, session: Session, theme: Theme, preset: PaperPreset, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._preset = preset
        self._gone = False
        self.table: PaperTable | None = None
        self.form = "latex"
        self.runs = OrderedList(theme, tr("Runs"))
        self.measures = OrderedList(theme, tr("Measures"))
        self.add_measure = QLineEdit()
        self.baseline, self.decimals = QComboBox(), QComboBox()
        self.protocol = PlainLabel()
        self.protocol.setWordWrap(True)
        self.bold, self.marked = QCheckBox(tr("best in bold")), QCheckBox(tr("† ‡ marks"))
        self.trouble = PlainLabel()
        self.trouble.setWordWrap(True)
        self.formats = Segmented(theme, FORMATS)
        self.printed, self.text = PrintedTable(), QPlainTextEdit()
        self._fill()
        self._lay_out()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._ask)
        self._connect()

    def begin(self) -> None:
        """Show the choices of the preset; computes its table."""
        self._on_changed()
        self._ask()

    # --- building ---

    def _fill(self) -> None:
        preset, theme = self._preset, self._theme
        chosen = preset.choices
        self.runs.show_entries(
            OrderedEntry(
                label.key, f"{label.name} ★" if label.baseline else label.name, value, label.key in chosen.runs,
                swatch_icon(theme.run(label)),
                swatch_icon(theme.run(label), False, theme["control_border"]),
            )
            for label, value in zip(preset.runs, preset.values, strict=True)
        )  # fmt: skip
        self.measures.show_entries(OrderedEntry(text, text) for text in preset.measures)
        self.add_measure.setPlaceholderText(tr("Add a measure, such as nDCG@20"))
        self.add_measure.setAccessibleName(tr("Add a measure"))
        if preset.pairs:
            self.baseline.addItem(tr("all pairs: letters"), ALL)
        for label in preset.runs:
            if label.baseline and not preset.pairs:
                self.baseline.addItem(swatch_icon(theme.run(label), True), label.name, label.key)
        self.baseline.addItem(tr("none: no test"), NONE)
        self.baseline.setCurrentIndex(0 if chosen.tested else self.baseline.count() - 1)
        self.protocol.setText(preset.line)
        for count in (2, 3, 4):
            self.decimals.addItem(trn("{n} decimal", "{n} decimals", count), count)
        self.decimals.setCurrentIndex(self.decimals.findData(chosen.decimals))
        self.bold.setChecked(chosen.bold)
        self.marked.setChecked(chosen.marked)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(tr("Text that is saved"))
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPointSizeF(9)
        self.text.setFont(fixed)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.formats.show_chosen(self.form)

    def _lay_out(self) -> None:
        theme = self._theme
        self.runs_panel = Panel(theme, tr("Runs"))
        self.all_button, self.none_button = LinkButton(theme, tr("All")), LinkButton(theme, tr("None"))
        self.runs_panel.header_layout.addWidget(self.all_button)
        self.runs_panel.header_layout.addWidget(self.none_button)
        self.runs_panel.set_body(self.runs)
        measures_panel = Panel(theme, tr("Measures and statistics"))
        measures_panel.set_body(self._form_body())
        left = QVBoxLayout()
        left.addWidget(self.runs_panel, 5)
        left.addWidget(measures_panel, 6)
        # What few runs leave is for the measures and their statistics, which are else below the edge.
        few = self.runs.count() * ROW_HEIGHT + RUNS_BESIDE
        self.runs_panel.setMaximumHeight(max(few, self.runs_panel.minimumSizeHint().height()))
        self.printed_panel, self.text_panel = Panel(theme, tr("As it prints")), Panel(theme, tr("LaTeX"))
        self.area = QScrollArea()
        self.area.setWidget(self.printed)
        self.area.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setAccessibleName(tr("Table as it prints"))
        self.area.installEventFilter(self)
        self.printed_panel.set_body(self.area)
        self.text_panel.set_body(self.text)
        right = QVBoxLayout()
        right.addWidget(self.printed_panel, 3)
        right.addWidget(self.text_panel, 2)
        self.sides = Sides(self, left, right)

    def _form_body(self) -> QWidget:
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 8)
        layout.setSpacing(4)
        layout.addWidget(self.measures, 1)
        inner = QVBoxLayout()
        inner.setContentsMargins(10, 0, 10, 0)
        inner.setSpacing(5)
        inner.addWidget(self.add_measure)
        inner.addWidget(self.trouble)
        self.trouble.hide()
        form = QFormLayout()
        form.setVerticalSpacing(4)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for title, field in (
            (tr("Baseline"), self.baseline),
            (tr("Numbers"), self.decimals),
        ):
            field.setAccessibleName(title)
            field.setMinimumContentsLength(8)
            field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            label = PlainLabel(title)
            label.setBuddy(field)
            form.addRow(label, field)
        inner.addLayout(form)
        inner.addWidget(self.protocol)
        row = QHBoxLayout()
        row.addWidget(self.bold)
        row.addWidget(self.marked)
        row.addStretch(1)
        inner.addLayout(row)
        layout.addLayout(inner)
        return body

    def _connect(self) -> None:
        self.runs.changed.connect(self._on_changed)
        self.measures.changed.connect(self._on_changed)
        for choice in (self.baseline, self.decimals):
            choice.currentIndexChanged.connect(self._on_changed)
        for box in (self.bold, self.marked):
            box.toggled.connect(self._on_changed)
        self.add_measure.returnPressed.connect(self._on_measure_typed)
        self.all_button.clicked.connect(self._on_all_clicked)
        self.none_button.clicked.connect(self._on_none_clicked)
        self.formats.chosen.connect(self.set_form)

    # --- choices ---

    @property
    def is_complete(self) -> bool:
        """Whether there is a table to save."""
        return bool(self.runs.ticked) and bool(self.measures.ticked)

    @property
    def choices(self) -> PaperChoices:
        """The choices in the dialog."""
        return PaperChoices(
            tuple(int(key) for key in self.runs.ticked),
            tuple(str(key) for key in self.measures.ticked),
            self.baseline.currentData() != NONE,
            int(self.decimals.currentData()),
            self.bold.isChecked(),
            self.marked.isChecked(),
        )

    def set_form(self, form: str) -> None:
        """Show the table in another format."""
        self.form = form
        self.formats.show_chosen(form)
        self._show_text()

    def _on_changed(self) -> None:
        choices = self.choices
        ticked, count = len(choices.runs), self.runs.count()
        self.runs_panel.set_note(tr("{ticked} of {count} · drag, or Alt ↑ ↓", ticked=ticked, count=count))
        self.marked.setEnabled(choices.tested)
        complete = self.is_complete
        self.complete.emit()
        self._pause.start() if complete else self._pause.stop()
        if not complete:
            self._session.paper.stop()
            self.said.emit(tr("Tick at least one run and one measure."), "warning")

    def _ask(self) -> None:
        choices = self.choices
        if self.is_complete:
            self._pause.stop()
            self._session.paper.find_table(choices, self._on_found, self._on_refused)

    def _on_found(self, table: PaperTable) -> None:
        if self._gone:
            return
        self.table = table
        self.printed.show_table(table)
        self.printed_panel.set_note(tr("10 pt type · {fit}", fit=fit_text(self.printed.width_cm)))
        self._show_text()
        self.said.emit(table.subject.collection, "muted")

    def _on_refused(self, reason: str) -> None:
        if not self._gone:
            self.said.emit(reason, "warning")

    def _show_text(self) -> None:
        if self.table is None:
            return
        text = self._session.paper.text_of(self.table, self.form)
        self.text.setPlainText(text)
        self.text_panel.set_title(next(title for name, title, _ in FORMATS if name == self.form))
        lines = trn("{n:,} line", "{n:,} lines", text.count("\n"))
        self.text_panel.set_note(tr("{lines} · needs booktabs", lines=lines) if self.form == "latex" else lines)

    def _on_measure_typed(self) -> None:
        typed = self.add_measure.text().strip()
        if not typed:
            return
        try:
            text = self._session.paper.measure_text(typed)
        except IrviewerError as failure:
            self.trouble.setText(str(failure))
            self.trouble.show()
            return
        self.trouble.hide()
        self.add_measure.clear()
        if text in self.measures.keys:
            self.measures.tick([*self.measures.ticked, text])
        else:
            self.measures.insert(self.measures.count(), OrderedEntry(text, text))
            self.measures.setCurrentRow(self.measures.count() - 1)

    def _on_all_clicked(self) -> None:
        self.runs.tick(self.runs.keys)

    def _on_none_clicked(self) -> None:
        self.runs.tick(())

    # --- leaving ---

    def copy(self) -> None:
        """Put the text, and of HTML the table itself, on the clipboard."""
        if self.table is None:
            return
        data = QMimeData()
        data.setText(self.table.markdown if self.form == "html" else self.text.toPlainText())
        if self.form == "html":
            data.setHtml(self.table.html)
        QGuiApplication.clipboard().setMimeData(data)
        self.said.emit(tr("Copied."), "text")

    def save(self) -> None:
        """Ask for a file."""
        if self.table is None:
            return
        name = tr("{collection} table", collection=self._preset.collection)
        chosen = partial(self._session.paper.save, self.table, self.form)
        folder = self._session.saving.file_folder()
        own = writer_named(self.form).suffixes[0]
        kinds = sorted(
            RESULT_KINDS, key=lambda kind: kind[1] != own
        )  # any format; that which is shown is offered first
        SaveDialog(self.window(), tr("Save table"), folder, name, kinds, chosen).open()

    def end(self) -> None:
        """Show nothing more."""
        self._gone = True
        self._pause.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.area:
            self.printed.set_room(self.area.viewport().width())
        return super().eventFilter(watched, event)
