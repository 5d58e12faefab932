"""The top bar: collection, views, measure, baseline and the command palette.

It reads the session and calls its methods, and knows no view."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup, QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QWidget

from irviewer import commands
from irviewer.commands import run_command
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import (
    ChoiceButton,
    FindButton,
    MenuButton,
    Segmented,
    ThemedButton,
    command_keys,
    menu_keys,
)
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.panel import ElidedLabel
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.gui.widgets.run_choices import add_runs
from irviewer.measures.tool_names import nuggetizer_name
from irviewer.session.judges.actions import facts_text
from irviewer.session.judging.judgment_mark import changes_text, mark_of
from irviewer.session.navigation.places import PLACE_TEXTS, PlaceTexts
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.rendering.run_label import RunLabel
    from irviewer.session.session import Session

HEIGHT = 42
NARROW = 1200
TIGHT, TIGHT_MOST = 1080, 118
SMALL, SMALL_MOST = 960, 112
"""In a narrower window the names of the views are a menu, since they have no room beside the choices."""
TINY, TINY_MOST = 780, 92
WIDEST = 340
"""The greatest width of a choice in pixels, where the bar has room for the names, but not for all of the longest."""
SHORTER = (160, 146, 132)
"""Widths of the choices that are tried where the row of the views has no room beside them."""
LETTER = 6
"""Pixels by which names become shorter in a small window, until all have room."""
ANY_WIDTH = (1 << 24) - 1
"""No limit, as Qt has it."""
TINY_GAP = 4
"""Pixels between the parts in a tiny window."""
ROOMY = 1400
"""In a narrower window the command palette is only an icon, so that the summary has room."""


@guarded
class _Summary(ElidedLabel):
    """A muted label that becomes shorter, and then empty, if there is little room."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: tuple[str, ...] = ("",)
        self.setMinimumWidth(0)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)

    def show_texts(self, texts: tuple[str, ...]) -> None:
        """Set texts of several lengths, the longest first. The longest that fits is shown; the first is the tooltip."""
        if texts != self._texts:
            self._texts = texts
            set_tooltip(self, texts[0])
            self.updateGeometry()
            self._choose()

    def sizeHint(self) -> QSize:
        return QSize(self._wide(self._texts[0]), 24)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 24)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._choose()

    def _wide(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text) + 3

    def _choose(self) -> None:
        fitting = (text for text in self._texts if self._wide(text) <= self.width())
        self.setText(next(fitting, ""))


def _place_button(place: PlaceTexts) -> tuple[str, str, str]:
    """Return name, title and tooltip of the button of a place, with its shortcut."""
    keys = command_keys(f"go_{place.name}")
    return place.name, place.title, tr("{shows} ({keys})", shows=place.shows, keys=keys) if keys else place.shows


@guarded
class MarkChip(ThemedButton):
    """The sign that judgments were changed ("1 changed judgment"). A click lists them."""

    PADDING = 9

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setFont(theme.font(9, weight=600))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._short = False

    def show_mark(self, number: int, name: str) -> None:
        """Show the number of changed judgments of a judgment set; hide if there are none."""
        text = changes_text(number)
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(tr("Values {mark}", mark=mark_of(number)))
            self.updateGeometry()
        set_tooltip(
            self,
            tr(
                "All values are {mark} of {qrels}.\nClick to list them, with the values without them.",
                mark=mark_of(number),
                qrels=name,
            ),
        )
        self.setVisible(bool(text))

    def set_short(self, short: bool) -> None:
        """Show only the number and an icon, for little room."""
        if short != self._short:
            self._short = short
            self.updateGeometry()
            self.update()

    @property
    def shown_text(self) -> str:
        return f"✎ {self.text().split()[0]}" if self._short and self.text() else self.text()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.shown_text) + 2 * self.PADDING, 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colour = QPainter(self), self.theme["warning"]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QColor(colour)
        ground.setAlphaF(0.28 if self.underMouse() else 0.14)
        painter.setPen(QPen(colour, 2 if self.hasFocus() else 1))
        painter.setBrush(ground)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        painter.setFont(self.font())
        painter.setPen(colour)
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.shown_text)


@guarded
class TopBar(QWidget):
    """Menu, collection, summary, views, measure, baseline and command palette."""

    action_asked = Signal()
    measure_asked = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self.setFixedHeight(HEIGHT)
        self.menu_button = MenuButton(theme)
        set_tooltip(self.menu_button, tr("Menu ({keys})", keys=command_keys("open_menu")))
        self.menu_button.setAccessibleName(tr("Menu"))
        self._brand = PlainLabel(tr("irviewer"))
        self._brand.setFont(theme.font(11, weight=700))
        self._menu_part = QWidget()
        part = QHBoxLayout(self._menu_part)
        part.setContentsMargins(0, 0, 12, 0)
        part.setSpacing(4)
        part.addWidget(self.menu_button)
        part.addWidget(self._brand)
        self.collection_button = ChoiceButton(theme, most=170)
        self._judge_label = PlainLabel(tr("judged by"))
        self.judge_button = ChoiceButton(theme, most=200)
        self.mark = MarkChip(theme)
        self.mark.hide()
        self.summary = _Summary()
        self.summary.setFont(theme.font(9.5))
        self.place_buttons = Segmented(theme, tuple(map(_place_button, PLACE_TEXTS)), tabs=True)
        self.place_buttons.setAccessibleName(tr("View"))
        self._measure_label, self._baseline_label = PlainLabel(tr("measure")), PlainLabel(tr("baseline"))
        self.measure_button = ChoiceButton(theme, bold=True, most=170)
        self.baseline_button = ChoiceButton(theme, most=180)
        self.find_button = FindButton(theme, tr("Find an action…"), command_keys("find_action"))
        set_tooltip(self.find_button, tr("Find actions, queries, runs and measures by name"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 0, 14, 0)
        layout.setSpacing(0)
        row: tuple[tuple[QWidget, int], ...] = (
            (self._menu_part, 0),
            (self.collection_button, 12),
            (self._judge_label, 8),
            (self.judge_button, 12),
            (self.mark, 12),
            (self.summary, 12),
            (self.place_buttons, 0),
        )
        for widget, gap in row:
            layout.addWidget(widget)
            layout.addSpacing(gap)
        layout.addStretch(1)
        layout.addSpacing(12)
        row = (
            (self._measure_label, 8),
            (self.measure_button, 12),
            (self._baseline_label, 8),
            (self.baseline_button, 12),
            (self.find_button, 0),
        )
        for widget, gap in row:
            layout.addWidget(widget)
            layout.addSpacing(gap)
        items = (layout.itemAt(place) for place in range(layout.count()))
        spacers = [item.spacerItem() for item in items if item is not None]
        self._gaps = [(spacer, spacer.sizeHint().width()) for spacer in spacers if spacer and spacer.sizeHint().width()]
        self._in_collection = (
            self.collection_button,
            self.summary,
            self.place_buttons,
            self._measure_label,
            self.measure_button,
            self._baseline_label,
            self.baseline_button,
        )
        self._menu: QMenu | None = None
        self._fitted: tuple[object, ...] = ()
        self.place_buttons.chosen.connect(self._on_place_chosen)
        self.find_button.clicked.connect(self.action_asked)
        self.judge_button.clicked.connect(self._on_judge_clicked)
        self.mark.clicked.connect(self._on_mark_clicked)
        self.collection_button.clicked.connect(self._on_collection_clicked)
        self.measure_button.clicked.connect(self._on_measure_clicked)
        self.baseline_button.clicked.connect(self._on_baseline_clicked)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.refresh()

    def show_menu_button(self, shown: bool) -> None:
        """Show the ≡ button and the name of the program; not beside a menu bar, which has both."""
        self._menu_part.setVisible(shown)

    def refresh(self) -> None:
        """Update from the session."""
        session = self._session
        collection = session.view.collection
        words = (self._measure_label, self._baseline_label)
        judged = session.view.judgments is not None and session.view.place != "collections"
        self._judge_label.setVisible(judged and self.width() >= NARROW)
        self.judge_button.setVisible(judged)
        for widget in self._in_collection:
            widget.setVisible(collection is not None and (widget not in words or self.width() >= NARROW))
        lesson = collection is not None and session.lessons.lesson is not None and len(collection.judgments) == 1
        if session.judging.blind or lesson:
            # The judges' grades are a click away while judging blind; the grades of a lesson have its own name.
            self._judge_label.hide()
            self.judge_button.hide()
        if session.judging.blind and session.view.place == "query":  # names of runs are hidden
            self._baseline_label.hide()
            self.baseline_button.hide()
        self._fit_find_button()
        judgments = session.view.judgments
        self.mark.show_mark(session.view.differing, "" if judgments is None else judgments.name)
        self.mark.set_short(self.width() < NARROW)
        if collection is None:
            return
        several = len(session.view.workspace.collections)
        self.place_buttons.buttons["collections"].setVisible(several > 1)
        if session.view.place == "collections":
            text = trn("{n:,} collection", "{n:,} collections", several)
            self.collection_button.show_choice(text, tr("All open collections"))
        else:
            self.collection_button.show_choice(collection.name, tr("Collection"))
        if judgments is not None:
            tip = tr("The judge whose grades all values are computed with: {facts}", facts=facts_text(judgments))
            self.judge_button.show_choice(judgments.label, tip)
        over = session.collections.collections_view_model() if session.view.place == "collections" else None
        self.summary.show_texts(session.view.summaries if over is None else (over.summary, ""))
        self.place_buttons.show_chosen(session.view.place)
        hint = tr("Measure of all tables and plots ({keys})", keys=command_keys("choose_measure"))
        measure = session.view.measure
        self.measure_button.show_choice(nuggetizer_name(measure) or str(measure), hint)
        label = next((run for run, chosen in self._baselines(session.view.labels()) if chosen), None)
        hint = tr("Baseline ★: the run that differences are computed against")
        if label is None:
            self.baseline_button.show_choice(tr("none"), hint)
        else:
            self.baseline_button.show_choice(label.name, hint, self._theme.run(label), label.shorter_names)
        self._fit_choices()

    def resizeEvent(self, event: QResizeEvent) -> None:
        # In a narrow window the labels of the two choices are hidden.
        super().resizeEvent(event)
        wide = self.width() >= NARROW and self._session.view.collection is not None
        self._measure_label.setVisible(wide)
        self._judge_label.setVisible(wide and not self.judge_button.isHidden())
        self._baseline_label.setVisible(wide and not self.baseline_button.isHidden())
        self._brand.setVisible(self.width() >= SMALL)
        self._fit_find_button()
        self.mark.set_short(self.width() < NARROW)
        self._fit_choices()

    def _fit_choices(self) -> None:
        """Fit the row to its width, unless all is as when it was fitted last: most changes of the session are not seen
        here."""
        if self._wanted_room() != self._fitted:
            self._fit_row()
            self._fitted = self._wanted_room()

    def _wanted_room(self) -> tuple[object, ...]:
        """Return the room that there is, and what each part of the row wants of it."""
        switch = self.place_buttons
        choices = (self.collection_button, self.judge_button, self.measure_button, self.baseline_button)
        others = (self._menu_part, self._judge_label, self.mark, self.summary, switch, self._measure_label,
                  self._baseline_label, self.find_button)  # fmt: skip
        return (
            self.width(), *(switch.width_of_row(tight) for tight in (False, True)), switch.folded,
            *((button.isHidden(), button.natural_width) for button in choices),
            *((widget.isHidden(), widget.sizeHint().width()) for widget in others),
        )  # fmt: skip

    def _fit_row(self) -> None:
        """Shorten the names of the choices as far as the row of the views needs it, then bring the views nearer
        together; where that is not enough, and in a small window, the row is a menu."""
        width = self.width()
        least = TINY_MOST if width < TINY else SMALL_MOST if width < SMALL else TIGHT_MOST if width < TIGHT else None
        switch, layout = self.place_buttons, self.layout()
        assert layout is not None
        folded = width < SMALL
        if folded:
            switch.fold(True)
        for spacer, gap in self._gaps:
            spacer.changeSize(min(gap, TINY_GAP) if width < TINY else gap, 0)
        if any(self._has_room_for_names(*attempt) for attempt in self._attempts(width)):
            switch.fold(False)
            return
        self._show_words(True)
        roomy = range(SHORTER[-1], least or 0, -LETTER) if folded else ()  # what a menu of views leaves, names take
        tried = (*roomy, least) if least is not None else (None, *SHORTER, TIGHT_MOST)
        for most, tight in (*((most, False) for most in tried), (tried[-1], True)):
            switch.set_tight(tight and not folded)
            for button, own in (
                (self.collection_button, 170),
                (self.judge_button, 200),
                (self.measure_button, 170),
                (self.baseline_button, 180),
            ):
                button.set_most(most or own)
            if most is not None:  # the name of the measure is never cut
                self.measure_button.set_most(TIGHT_MOST)
            layout.invalidate()
            row = 0 if folded else switch.row_width - switch.minimumSizeHint().width()
            cut = layout.minimumSize().width() + row > width
            if not cut:
                break
        switch.fold(folded or cut)

    def _attempts(self, width: int) -> tuple[tuple[int, bool, bool, bool], ...]:
        """Return how wide names may be, whether the summary and the words before the choices are shown, and whether
        the views are near together, in the order to be tried. The title of a lesson says more than how many queries,
        judgments and runs it has, and than these words."""
        if self._is_of_lesson and width >= TIGHT:
            return (
                (width, True, True, False), (width, False, True, False), (width, False, False, False),
                (width, False, False, True), (WIDEST, False, False, True),
            )  # fmt: skip
        return ((width, True, True, False), (WIDEST, True, True, False)) if width >= ROOMY else ()

    def _show_words(self, shown: bool) -> None:
        """Give what names the choices its width, or none."""
        for label in (self._measure_label, self._baseline_label):
            label.setMaximumWidth(ANY_WIDTH if shown else 0)

    @property
    def _is_of_lesson(self) -> bool:
        return self._session.lessons.lesson is not None and self._session.view.place != "collections"

    def _has_room_for_names(self, most: int, summary: bool, words: bool, tight: bool) -> bool:
        """Let the choices be as wide as their names, up to ``most``, and return whether the bar has that room beside
        what else is shown of it."""
        self.summary.setVisible(summary and self._session.view.collection is not None)
        self._show_words(words)
        for button in (self.collection_button, self.judge_button, self.measure_button, self.baseline_button):
            button.set_most(most)
        switch, layout = self.place_buttons, self.layout()
        assert layout is not None
        switch.set_tight(tight)
        layout.invalidate()
        return layout.sizeHint().width() + switch.row_width - switch.sizeHint().width() <= self.width()

    def _fit_find_button(self) -> None:
        narrow = self.width() < ROOMY and self._session.view.collection is not None
        self.find_button.set_compact(narrow, bare=narrow and self.width() < TINY)

    def _open_menu(self, menu: QMenu, below: QWidget) -> None:
        self._menu = open_below(menu, below, self._menu)

    def _choices(self, parent: QWidget) -> tuple[QMenu, QActionGroup]:
        menu = QMenu(parent)
        return menu, QActionGroup(menu)

    def _add_choice(self, menu: QMenu, group: QActionGroup, text: str, data: object, chosen: bool) -> QAction:
        action = menu.addAction(text.replace("&", "&&"))
        action.setData(data)
        action.setCheckable(True)
        action.setChecked(chosen)
        group.addAction(action)
        return action

    def _on_mark_clicked(self) -> None:
        run_command(self._session, "list_judgments")

    def _on_place_chosen(self, place: str) -> None:
        self._session.navigation.set_place(place)

    def _on_collection_clicked(self) -> None:
        menu, group = self._choices(self.collection_button)
        for number, collection in enumerate(self._session.view.workspace.collections):
            current = collection is self._session.view.collection
            self._add_choice(menu, group, collection.name, number, current)
        menu.addSeparator()
        for text, data in ((tr("Open files…"), "open_files"), (tr("Close collection"), "close_collection")):
            menu.addAction(f"{text}\t{menu_keys(commands.keys(data))}").setData(data)
        menu.triggered.connect(self._on_collection_chosen)
        self._open_menu(menu, self.collection_button)

    def _on_collection_chosen(self, action: QAction) -> None:
        data = action.data()
        if isinstance(data, int):
            self._session.files.set_collection(data)
        else:
            run_command(self._session, str(data))

    def _on_judge_clicked(self) -> None:
        menu, group = self._choices(self.judge_button)
        for number, judgments in enumerate(self._session.judges.sets):
            text = f"{judgments.name}\t{facts_text(judgments)}"
            self._add_choice(menu, group, text, number, number == self._session.judges.number)
        menu.addSeparator()
        for name in ("describe_judge", "merge_judges", "remove_judge", "open_files"):
            command = commands.find(self._session, name)
            action = menu.addAction(command.title)
            action.setData(name)
            action.setEnabled(command.enabled(self._session))
        menu.triggered.connect(self._on_judge_chosen)
        self._open_menu(menu, self.judge_button)

    def _on_judge_chosen(self, action: QAction) -> None:
        data = action.data()
        if isinstance(data, int):
            self._session.judges.choose(data)
        else:
            run_command(self._session, str(data))

    def _on_measure_clicked(self) -> None:
        menu, group = self._choices(self.measure_button)
        present = str(self._session.view.measure)
        names = list(self._session.view.common_measures)
        for name in names if present in names else [present, *names]:
            self._add_choice(menu, group, name, name, name == present)
        menu.addSeparator()
        menu.addAction("\t".join((tr("Other measure…"), menu_keys(commands.keys("choose_measure"))))).setData(None)
        menu.triggered.connect(self._on_measure_chosen)
        self._open_menu(menu, self.measure_button)

    def _on_measure_chosen(self, action: QAction) -> None:
        if action.data() is None:
            self.measure_asked.emit()
        else:
            self._session.evaluation.set_measure(str(action.data()))

    def _on_baseline_clicked(self) -> None:
        menu, group = self._choices(self.baseline_button)
        runs = self._baselines(self._session.view.system_labels())
        chosen = next((run.key for run, is_chosen in runs if is_chosen), None)
        for action in add_runs(menu, self._session, self._theme, [run for run, _ in runs], chosen):
            group.addAction(action)
        menu.triggered.connect(self._on_baseline_chosen)
        self._open_menu(menu, self.baseline_button)

    def _baselines(self, runs: Iterable[RunLabel]) -> list[tuple[RunLabel, bool]]:
        """Return those of some runs that can be the baseline, each with whether it is: between collections those of
        the systems that are compared, if there are any."""
        view = self._session.view
        among = self._session.collections.baselines if view.place == "collections" else {}
        if among:
            return [(run, among[run.key]) for run in runs if run.key in among]
        baseline = view.baseline
        return [(run, run.key == baseline) for run in runs]

    def _on_baseline_chosen(self, action: QAction) -> None:
        self._session.runs.set_baseline(action.data())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            # A new style sheet resets the palettes of labels.
            QTimer.singleShot(0, self, self._colour_labels)

    def _on_theme_changed(self) -> None:
        self._colour_labels()
        self.refresh()
        self.update()

    def _colour_labels(self) -> None:
        colours = (
            (self._brand, "ink"),
            (self.summary, "muted"),
            (self._judge_label, "muted"),
            (self._measure_label, "muted"),
            (self._baseline_label, "muted"),
        )
        for label, name in colours:
            label.set_ink(self._theme[name])

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme["panel"])
        painter.setPen(self._theme["panel_border"])
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
