"""The dialog that fuses runs: which runs, which method, and the value of the fused run, computed while choosing.

It uses the session's methods and knows no view."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from irviewer.errors import OptionError
from irviewer.gui.dialogs.opening_size import least_height, open_within_screen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import swatch_icon
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.run_choices import run_texts
from irviewer.model.number_text import quantity
from irviewer.model.rankings.fusion import METHODS, NORMALISATIONS, Fusion
from irviewer.session.comparison.fusion import Tried
from irviewer.translation import tr, typed_number

if TYPE_CHECKING:
    from irviewer.session.session import Session

MARGIN = 18
PAUSE = 150
"""Milliseconds after a choice before the fusion is computed."""
BESIDE_RUNS = 300
"""Pixels of height of all but the list of runs."""


class FusionDialog(QDialog):
    """Asks for runs and method. It opens with the runs shown and reciprocal rank fusion."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Fuse runs"))
        self._session = session
        self._theme = theme
        self.boxes: dict[int, QCheckBox] = {}
        self.weights: dict[int, QLineEdit] = {}
        self.runs = self._make_runs()
        self.all_button, self.none_button = QPushButton(tr("All")), QPushButton(tr("None"))
        self.method, self.normalisation = QComboBox(), QComboBox()
        for name, about in METHODS.items():
            self.method.addItem(about.title, name)
        for name in NORMALISATIONS:
            self.normalisation.addItem(name, name)
        self.method.setCurrentIndex(self.method.findData("rrf"))
        self.k, self.limit = QLineEdit("60"), QLineEdit()
        self.limit.setPlaceholderText(tr("all"))
        self.form = QFormLayout()
        for title, field in (
            (tr("Method"), self.method),
            (tr("Normalisation"), self.normalisation),
            ("k", self.k),
            (tr("Depth"), self.limit),
        ):
            field.setAccessibleName(title)
            label = PlainLabel(title)
            label.setBuddy(field)
            self.form.addRow(label, field)
        self.meaning, self.worth = PlainLabel(), PlainLabel(" ")
        for label in (self.meaning, self.worth):
            label.setWordWrap(True)
        self.meaning.setFont(theme.font(9))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok.setText(tr("Fuse"))
        self._lay_out(buttons)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self.try_it)
        self._gone = False
        self._connect(buttons)
        self._on_changed()

    def _make_runs(self) -> QScrollArea:
        shown = self._session.view.shown
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(8, 6, 8, 6)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        labels = self._session.view.labels()
        # With one run shown or none, all are ticked.
        ticked = [label.key for label in labels if label.key in shown]
        ticked = ticked if len(ticked) > 1 else [label.key for label in labels]
        for row, (label, mean) in enumerate(self._session.view.best_first(labels)):
            name, value = run_texts(label, mean)
            box = QCheckBox(name.replace("&", "&&"))
            box.setIcon(swatch_icon(self._theme.run(label), label.shown, self._theme["control_border"]))
            box.setChecked(label.key in ticked)
            weight = QLineEdit("1")
            weight.setFixedWidth(64)
            weight.setAccessibleName(tr("Weight of {run}", run=label.name))
            for column, widget in enumerate((box, PlainLabel(value), weight)):
                grid.addWidget(widget, row, column)
            self.boxes[label.key], self.weights[label.key] = box, weight
        grid.setRowStretch(len(labels), 1)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setMinimumHeight(least_height(self, min(320, 34 + 28 * len(labels)), BESIDE_RUNS, 60))
        return area

    def _lay_out(self, buttons: QDialogButtonBox) -> None:
        choose = QHBoxLayout()
        choose.addWidget(PlainLabel(tr("Runs")), 1)
        choose.addWidget(self.all_button)
        choose.addWidget(self.none_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, 14)
        layout.setSpacing(10)
        layout.addLayout(choose)
        layout.addWidget(self.runs, 1)
        layout.addLayout(self.form)
        layout.addWidget(self.meaning)
        layout.addWidget(self.worth)
        layout.addWidget(buttons)
        open_within_screen(self, QSize(520, 560))

    def _connect(self, buttons: QDialogButtonBox) -> None:
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(self._on_accepted)
        self.finished.connect(self._on_finished)
        self.all_button.clicked.connect(self._on_all_clicked)
        self.none_button.clicked.connect(self._on_none_clicked)
        for box in self.boxes.values():
            box.toggled.connect(self._on_changed)
        for choice in (self.method, self.normalisation):
            choice.currentIndexChanged.connect(self._on_changed)
        for line in (self.k, self.limit, *self.weights.values()):
            line.textChanged.connect(self._on_changed)

    @property
    def keys(self) -> list[int]:
        """The keys of the ticked runs, in the order of the runs, which the fused run is named and summed by."""
        return [label.key for label in self._session.view.labels() if self._ticked(label.key)]

    def _ticked(self, key: int) -> bool:
        return key in self.boxes and self.boxes[key].isChecked()

    def fusion(self) -> Fusion:
        """Return the choices. Raises OptionError for invalid numbers and too few runs."""
        name = str(self.method.currentData())
        keys = self.keys
        if len(keys) < 2:
            raise OptionError(tr("a fusion needs at least two runs"))
        weights = None
        if name == "weighted":
            weights = tuple(_number(self.weights[key].text(), tr("Weight")) for key in keys)
        k = _number(self.k.text(), "k") if name == "rrf" else 60.0
        depth = self.limit.text().strip()
        if depth and not depth.isdecimal():
            raise OptionError(
                tr("the depth {text} is not a number: type a whole number, or nothing for all documents", text=depth)
            )
        normalisation = str(self.normalisation.currentData())
        return Fusion(name, normalisation, weights, k, int(depth) if depth else None)  # type: ignore[arg-type]

    def try_it(self) -> None:
        """Ask the session for the value of the fused run."""
        try:
            fusion = self.fusion()
        except OptionError:
            return
        self._session.fusion.try_fusion(self.keys, fusion, self._on_tried)

    def _on_changed(self) -> None:
        name = str(self.method.currentData())
        about = METHODS[name]
        self.form.setRowVisible(self.normalisation, about.scores)
        self.form.setRowVisible(self.k, name == "rrf")
        for key, weight in self.weights.items():
            weight.setVisible(name == "weighted" and self.boxes[key].isChecked())
        meaning = about.meaning[0].upper() + about.meaning[1:]
        if about.scores:
            meaning += f"; {NORMALISATIONS[str(self.normalisation.currentData())]}"
        self.meaning.setText(f"{meaning}. {about.source}".rstrip(". ") + ".")
        try:
            self.fusion()
        except OptionError as trouble:
            self._pause.stop()
            self._session.fusion.stop_trying()
            self._say(str(trouble), "warning")
            self.ok.setEnabled(False)
            return
        self.ok.setEnabled(True)
        self._say(tr("Computing the value of the fused run …"), "muted")
        self._pause.start()

    def _on_tried(self, result: Tried) -> None:
        if self._gone:
            return
        if result.trouble:
            self.ok.setEnabled(False)
            self._say(result.trouble, "warning")
        elif math.isnan(result.value):
            self._say(tr("There are no judgments to compute a value from."), "muted")
        else:
            more = result.value - result.best
            better = more > 0 if result.higher_is_better else more < 0
            value, difference, best = quantity(result.value), quantity(abs(more)), quantity(result.best)
            if not more:
                text = tr(
                    "{measure} {value}: equal to the best of these runs, {run} ({best})",
                    measure=result.measure,
                    value=value,
                    run=result.best_name,
                    best=best,
                )
            elif better:
                text = tr(
                    "{measure} {value}: better by {difference} than the best of these runs, {run} ({best})",
                    measure=result.measure,
                    value=value,
                    difference=difference,
                    run=result.best_name,
                    best=best,
                )
            else:
                text = tr(
                    "{measure} {value}: worse by {difference} than the best of these runs, {run} ({best})",
                    measure=result.measure,
                    value=value,
                    difference=difference,
                    run=result.best_name,
                    best=best,
                )
            self._say(text, "text")

    def _say(self, text: str, colour: str) -> None:
        self.worth.set_ink(self._theme[colour])
        self.worth.setText(text)

    def _on_all_clicked(self) -> None:
        for box in self.boxes.values():
            box.setChecked(True)

    def _on_none_clicked(self) -> None:
        for box in self.boxes.values():
            box.setChecked(False)

    def _on_accepted(self) -> None:
        self._session.fusion.fuse_runs(self.keys, self.fusion())

    def _on_finished(self) -> None:
        self._gone = True
        self._pause.stop()
        self._session.fusion.stop_trying()


def _number(text: str, what: str) -> float:
    try:
        number = float(typed_number(text))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        if not text.strip():
            raise OptionError(tr("{field} is empty: type a number", field=what))
        raise OptionError(tr("{field}: {text} is not a number", field=what, text=text.strip()))
    return number
