"""The file doctor: the contents and problems of each file, and repairs, which read the file again.

It knows the session and the theme, no view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from irviewer.gui.dialogs.files.chooser import OpenFilesDialog
from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.enter_key import pressed_by_its_own_enter
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.session.changes import Change
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.formats.doctor import Choice, Diagnosis, Option
    from irviewer.session.session import Session

MARGIN = 18
PART = 6
"""The number of files whose reports are made at once; the window answers before the next ones."""
HEAD = tr("Contents and problems of the open files, with repairs")


class OptionButton(QPushButton):
    """A button that reads the file with this option. It shows if the option is in use."""

    def __init__(self, session: Session, path: str, option: Option) -> None:
        super().__init__(tr("In use") if option.chosen else tr("Use"))
        self._session = session
        self._path = path
        self.option = option
        self.setAccessibleName(option.title)
        pressed_by_its_own_enter(self)
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self) -> None:
        if not self.option.chosen:
            self._session.files.treat(self._path, self.option.read_options)


class OtherwiseButton(QPushButton):
    """Asks for the format, kind or part to read a file as."""

    def __init__(self, path: str, ask: Callable[[str], object]) -> None:
        super().__init__(tr("Read as…"))
        self._path = path
        self._ask = ask
        set_tooltip(self, tr("Choose the format and kind of this file"))
        self.setAccessibleName(tr("Read {file} as…", file=Path(path).name))
        pressed_by_its_own_enter(self)
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self) -> None:
        self._ask(self._path)


@guarded
class DoctorDialog(QDialog):
    """The report of each open file, updated when files are read again. ``read_otherwise`` asks how to read a file."""

    def __init__(
        self, session: Session, theme: Theme, window: QWidget, read_otherwise: Callable[[str], object]
    ) -> None:  # fmt: skip
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("File doctor"))
        self._session = session
        self._theme = theme
        self._read_otherwise = read_otherwise
        self._open = True
        self.waiting = False
        self.head = PlainLabel(HEAD)
        self.head.setFont(theme.font(10.5, weight=600))
        self.head.setWordWrap(True)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self._diagnoses: tuple[Diagnosis, ...] = ()
        self._unshown: list[Diagnosis] = []
        self._position = 0
        self._more = QTimer(self, singleShot=True, interval=0)
        self._more.timeout.connect(self._on_more_due)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = QPushButton(tr("Copy"))
        set_tooltip(self.copy_button, tr("Copy the report as text, with repairs as options of the command line"))
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        self.training_button = QPushButton(tr("Training set…"))
        set_tooltip(self.training_button, tr("Compare the queries of the test with those of a training set"))
        buttons.addButton(self.training_button, QDialogButtonBox.ButtonRole.ActionRole)
        self.training_button.clicked.connect(self._on_training_clicked)
        buttons.rejected.connect(self.reject)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(12)
        layout.addWidget(self.head)
        layout.addWidget(self.area, 1)
        layout.addWidget(buttons)
        open_within_screen(self, QSize(780, 560))
        self._show()
        self._ask()
        session.changed.connect(self._on_session_changed)

    def done(self, result: int) -> None:
        """Close the dialog, and stop following the session."""
        self._session.changed.disconnect(self._on_session_changed, missing_ok=True)
        self._open = False
        self._more.stop()
        self._session.files.cancel_diagnoses()
        super().done(result)

    def _on_session_changed(self, changes: frozenset[Change]) -> None:
        if changes & {Change.WORKSPACE, Change.COLLECTION, Change.RUNS, Change.MESSAGES}:
            self._ask()

    def _ask(self) -> None:
        """Examine the files in the background. The old report is shown until the new one is ready."""
        self.waiting = True
        self._session.files.find_diagnoses(self._on_diagnosed)
        if self.waiting:
            self.head.setText(tr("Examining the files …"))

    def _on_diagnosed(self, diagnoses: tuple[Diagnosis, ...]) -> None:
        self.waiting = False
        if self._open:
            self.head.setText(HEAD)
            self._diagnoses = diagnoses
            self._show()

    def _on_training_clicked(self) -> None:
        title, folder = tr("Qrels or queries of the training set"), self._session.saving.file_folder()
        OpenFilesDialog(self, folder, self.compare_with, title=title, single=True).open()

    def compare_with(self, paths: Sequence[str]) -> None:
        """Compare the queries of the test with those of a training set."""
        self._session.files.compare_with_training(paths[0], self._on_training_read)

    def _on_training_read(self) -> None:
        if self._open:
            self._ask()

    def _on_copy_clicked(self) -> None:
        lines = [line for diagnosis in self._diagnoses for line in (*diagnosis.lines(), "")]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def _show(self) -> None:
        self._position = self.area.verticalScrollBar().value()
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 12, 0)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(18)
        layout.addLayout(self._rows)
        # Files with choices come first: there are few of them.
        self._unshown = sorted(self._diagnoses, key=_has_no_choice)
        self._add_files()
        layout.addStretch(1)
        body.setObjectName("doctor")
        former = self.area.takeWidget()
        if former is not None:
            former.deleteLater()  # later, since the button just pressed may be inside it
        self.area.setWidget(body)
        body.setAutoFillBackground(False)
        self.area.viewport().setAutoFillBackground(False)
        self.area.verticalScrollBar().setValue(self._position)

    def _on_more_due(self) -> None:
        bar = self.area.verticalScrollBar()
        followed = bar.value() == min(self._position, bar.maximum())  # else the user has scrolled meanwhile
        self._add_files()
        if followed:
            self._rows.activate()
            bar.setValue(self._position)

    def _add_files(self) -> None:
        """Add the reports of the next files."""
        more, self._unshown = self._unshown[:PART], self._unshown[PART:]
        for diagnosis in more:
            self._rows.addWidget(self._file(diagnosis))
        if self._unshown:
            self._more.start()
        else:
            self._more.stop()

    def _file(self, diagnosis: Diagnosis) -> QWidget:
        palette, report = self._theme.palette, diagnosis.report
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        title = self._label(Path(report.path).name, 10.5, palette.ink, weight=600)
        set_tooltip(title, report.path)
        grid.addWidget(title, 0, 0, 1, 2)
        otherwise = OtherwiseButton(report.path, self._read_otherwise)
        otherwise.setFont(self._theme.font(9))
        grid.addWidget(otherwise, 0, 2)
        detected = report.format + (f" ({report.reason})" if report.reason else "")
        grid.addWidget(self._label(detected, 9, palette.muted), 1, 0, 1, 2)
        row = 2
        for name, value in report.facts:
            grid.addWidget(self._label(name, 9.5, palette.muted), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self._label(value, 9.5, palette.text), row, 1)
            row += 1
        for finding in report.findings:
            sign = "!" if finding.serious else "·"
            grid.addWidget(self._label(f"{sign} {finding}", 9.5, palette.text), row, 0, 1, 2)
            row += 1
        for choice in diagnosis.choices:
            row = self._choice(grid, row, report.path, choice)
        return box

    def _choice(self, grid: QGridLayout, row: int, path: str, choice: Choice) -> int:
        question = choice.question[:1].upper() + choice.question[1:]
        grid.addWidget(self._label(question, 9.5, self._theme.palette.ink, weight=600), row, 0, 1, 2)
        for option in choice.options:
            row += 1
            button = OptionButton(self._session, path, option)
            button.setFont(self._theme.font(9.5))
            grid.addWidget(button, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self._label(option.title, 9.5, self._theme.palette.text), row, 1)
        return row + 1

    def _label(self, text: str, size: float, colour: str, weight: int = 400) -> QLabel:
        label = PlainLabel(text)
        label.setFont(self._theme.font(size, weight=weight))
        label.setStyleSheet(f"color: {colour}")
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label


def _has_no_choice(diagnosis: Diagnosis) -> bool:
    return not diagnosis.choices
