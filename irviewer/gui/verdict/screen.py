"""The Verdict screen: the answer with its difference, what could turn it round, the queries that decide it, where the
rest is lost, and what to do next. Every row leads to its evidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QMenu, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from irviewer.analysis.verdict.deciding import LOSES
from irviewer.analysis.verdict.loss import most_lost, no_parts
from irviewer.commands import run_command
from irviewer.errors import IrviewerError
from irviewer.gui.guard import guarded
from irviewer.gui.screens.blind_cover import Covered
from irviewer.gui.screens.screen import GAP, Screen
from irviewer.gui.theme import Theme
from irviewer.gui.verdict.bars import CountBar, LossBars
from irviewer.gui.verdict.difference_axis import DifferenceAxis
from irviewer.gui.verdict.rows import (
    ChangeRow,
    ChangeTexts,
    Dot,
    QueryRow,
    QueryTexts,
    RowsPanel,
    StepRow,
    axis_of,
    kind_width,
    names_of_places,
    without_sign,
)
from irviewer.gui.widgets.controls import ChoiceButton, SentenceLink, ThemedButton, command_keys
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.picture import savable_picture
from irviewer.gui.widgets.plain_text import PlainLabel, Sentences, visible
from irviewer.gui.widgets.run_choices import add_runs
from irviewer.gui.widgets.run_names import wrapped_name
from irviewer.gui.widgets.savable import Savable, ask_and_save
from irviewer.gui.widgets.screen_reader import announce
from irviewer.gui.widgets.scrolled import SCROLL_BAR, Scrolled
from irviewer.measures.parser import parse_measure
from irviewer.measures.tool_names import nuggetizer_name
from irviewer.model.number_text import limit, quantity
from irviewer.rendering.run_label import RunLabel
from irviewer.session.changes import Change
from irviewer.session.messages import info
from irviewer.session.view_models.pair import print_figures
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.verdict.headline import Headline
    from irviewer.analysis.verdict.verdict import Verdict
    from irviewer.figures.figure import Figure
    from irviewer.session.session import Session
    from irviewer.views.result import ViewResult

NAME = "verdict"
MOST = 220
MOST_FAMILY = 260
TWO_COLUMNS = 920
"""The least width in pixels for panels side by side."""
MOST_AIR = 20
"""The most pixels by which a row of changes is higher where there is room."""
AXIS_BESIDE = 760
"""The least width in pixels for the answer's axis beside its sentences."""
EVIDENCE = {
    "pool": ("compare", "pool"), "judge": ("compare", "judge"), "judges": ("compare", "judges"),
    "comparison": ("compare", "pair"),
    "systems": ("systems", ""), "slices": ("compare", "slices"), "queries": ("queries", "table"),
    "losing": ("queries", "table"), "failures": ("queries", "failures"),
    "gate": ("compare", "views"), "plan": ("compare", "views"), "assigners": ("compare", "views"),
}  # fmt: skip
"""The place and the tab that have the evidence."""


class AnswerPanel(Panel):
    """The question with its two runs, the answer as the headline, and the difference on its axis."""

    led = Signal(str)
    """The name of the evidence of the sentence that was clicked."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme, tr("Is"))
        self._session = session
        self._measure = ""
        self._menu: QMenu | None = None
        self.run = ChoiceButton(theme, bold=True, most=MOST)
        self.baseline = ChoiceButton(theme, bold=True, most=MOST)
        self.family = ChoiceButton(theme, most=MOST_FAMILY)
        self.smallest = ChoiceButton(theme, most=120)
        self._between, comparisons, matters = (
            PlainLabel(text) for text in (tr("better than"), tr("comparisons"), tr("a difference matters from"))
        )
        for label in (self._between, comparisons, matters):
            label.setFont(theme.font(9.5))
        for place, widget in enumerate((self.run, self._between, self.baseline), start=1):
            self.header_layout.insertWidget(place, widget)
        self.assumed = QWidget()
        """What the answer assumes: in the header, or where that has no room, below it."""
        assumed = QHBoxLayout(self.assumed)
        assumed.setContentsMargins(0, 0, 0, 0)
        assumed.setSpacing(self.header_layout.spacing())
        for widget in (comparisons, self.family, matters, self.smallest):
            assumed.addWidget(widget)
        self.header_layout.addWidget(self.assumed)
        self.headline, self.sentences = Sentences(), Sentences()
        self.headline.setFont(theme.font(15, weight=600))
        self.sentences.setFont(theme.font(9.5))
        for label in (self.headline, self.sentences):
            label.setWordWrap(True)
            label.setContentsMargins(SentenceLink.INSET, 0, 0, 0)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            label.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # the screen's copies the whole answer
            label.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self.counts, self.axis = CountBar(theme), DifferenceAxis(theme)
        words = QVBoxLayout()
        words.setContentsMargins(14 - SentenceLink.INSET, 10, 8, 10)
        words.setSpacing(6)
        words.addWidget(self.headline)
        words.addWidget(self.sentences)
        self.links: list[SentenceLink] = []
        self._evidence: dict[SentenceLink, str] = {}
        self._links_layout = QVBoxLayout()
        self._links_layout.setSpacing(1)
        words.addLayout(self._links_layout)
        counts = QVBoxLayout()  # without its bar, a row would be as narrow as its margins, and so would its column
        counts.setContentsMargins(SentenceLink.INSET, 0, 0, 0)
        counts.addWidget(self.counts)
        words.addLayout(counts)
        words.addStretch(1)
        body = QWidget()
        self._lines = QVBoxLayout(body)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(0)
        self._below = QHBoxLayout()
        self._below.setContentsMargins(14, 0, 8, 0)
        self._lines.addLayout(self._below)
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._halves.addLayout(words, 56)
        self._halves.addWidget(self.axis, 44)
        self._lines.addLayout(self._halves)
        self.set_body(body)
        self.run.clicked.connect(self._on_run_clicked)
        self.baseline.clicked.connect(self._on_baseline_clicked)
        self.family.clicked.connect(self._on_family_clicked)
        self.smallest.clicked.connect(self._on_smallest_clicked)

    def arrange(self, width: int) -> None:
        """Use the width in pixels: in a narrow one, what is assumed stands below the question, and the axis below the
        sentences."""
        layout = self.header_layout
        edges = layout.contentsMargins()
        room = width - edges.left() - edges.right()
        # Five gaps; the panel's border.
        taken = 5 * layout.spacing() + self._note.minimumWidth() + 2
        texts = sum(each.sizeHint().width() for each in (self._title, self._between))
        for button in (self.run, self.baseline):
            button.set_most(max(90, min(MOST, (room - taken - texts) // 2)))
        self.family.set_most(max(90, min(MOST_FAMILY, room // 3)))
        needed = taken + texts + sum(
            each.sizeHint().width() for each in (self.run, self.baseline, self.assumed) if not each.isHidden()
        )  # fmt: skip
        self._place_assumed(needed <= room)
        beside = width >= AXIS_BESIDE
        self._halves.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        self.axis.lie_low(not beside)

    def _place_assumed(self, in_header: bool) -> None:
        now, other = (self.header_layout, self._below) if in_header else (self._below, self.header_layout)
        if now.indexOf(self.assumed) < 0:
            other.removeWidget(self.assumed)
            now.addWidget(self.assumed)
            self.assumed.show()  # a widget of another parent is hidden
            if not in_header:
                now.setAlignment(self.assumed, Qt.AlignmentFlag.AlignLeft)
        top = 0 if in_header else 6
        self._below.setContentsMargins(14, top, 8, 0)

    # --- what is shown ---

    def show_choices(self, run: RunLabel | None, chosen: bool) -> None:
        """Show the two runs, the family and the smallest difference that matters; ``chosen``: the run was chosen by its
        result."""
        session, theme = self._session, self._theme
        hint = tr("The run asked about")
        if run is None:
            self.run.show_choice(tr("the best run"), hint)
        else:
            name = tr("{run} (the best)", run=run.name) if chosen else run.name
            self.run.show_choice(name, hint, theme.run(run), (run.name, *run.shorter_names))
        base = next((label for label in session.view.labels() if label.baseline), None)
        self.baseline.setVisible(base is not None)
        if base is not None:
            words = tr("Baseline ★: the run that differences are computed against")
            self.baseline.show_choice(f"{base.name} ★", words, theme.run(base),
                                      tuple(f"{name} ★" for name in base.shorter_names))  # fmt: skip
        bound = session.result_views.protocol(NAME)
        parts = {} if bound is None else {part.place: part.text for part in bound.parts()}
        family = parts.get("inference.correction", parts.get("inference.family", ""))
        self.family.show_choice(family or "–", tr("The declared family of comparisons"))
        smallest = None if bound is None else bound.protocol.inference.smallest
        self.smallest.show_choice(limit(smallest) if smallest else tr("not set"),
                                  tr("The smallest difference that matters"))  # fmt: skip

    def show_answer(self, answer: Headline, shown: ViewResult, names: tuple[str, str]) -> None:
        """Show an answer; ``names`` are those of the window for its two runs."""
        short = replace(answer, pair=replace(answer.pair, run_name=names[0], other_name=names[1]))
        self.headline.setText(short.sentence)
        self._tell(short.sentence)
        pair = short.pair
        self.sentences.setText(short.why)
        self.sentences.setVisible(bool(short.why))
        links = [(short.choice, "systems")] if short.choice else []
        if pair.n:
            links.append((tr(
                "Mean {measure} {mean} against {other}.", measure=_measure_name(pair.measure), mean=quantity(pair.mean),
                other=quantity(pair.other_mean),
            ), "systems"))  # fmt: skip
            decision = pair.decision_text
            links.append((f"{decision[:1].upper()}{decision[1:]}.", "comparison"))
        said = {remark.code: remark.text for remark in shown.sentences}
        links += [(said[code], "comparison") for code in ("remains", "margin", "untested", "needed") if code in said]
        links += [(remark.text, "systems") for remark in shown.sentences if remark.code == "lacking"]
        self._show_links(links)
        self.counts.setVisible(bool(pair.n))
        self.counts.show_counts(pair.wins, pair.ties, pair.losses)
        self._measure = pair.measure
        self.axis.show_answer(short, names)

    def savable(self) -> Savable | None:
        """Return the axis as a picture, with the question above; None without a difference."""
        if not self.axis.drawable:
            return None
        title = tr("Δ {measure}", measure=_measure_name(self._measure))
        head = (title, self.axis.words.split("\n")[0])
        return savable_picture(self.axis, self._theme, title, self._session.view.judgment_mark, head=head)

    def _tell(self, answer: str) -> None:
        """Let screen readers tell the answer with the question, at which the keys begin, and read another one."""
        text = visible(answer)
        if text != self.run.accessibleDescription():
            self.run.setAccessibleDescription(text)
            if self.isVisible():
                announce(self.headline, text)

    def _show_links(self, links: Sequence[tuple[str, str]]) -> None:
        places = names_of_places()
        for link in self.links:
            self._links_layout.removeWidget(link)
            link.hide()
            link.deleteLater()
        self.links, self._evidence = [], {}
        for text, evidence in links:
            link = SentenceLink(self._theme, text, places[evidence])
            link.clicked.connect(self._on_link_clicked)
            self._links_layout.addWidget(link)
            self.links.append(link)
            self._evidence[link] = evidence

    def _on_link_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, SentenceLink) and sender in self._evidence:
            self.led.emit(self._evidence[sender])

    def show_trouble(self, text: str) -> None:
        """Show why there is no answer."""
        self.headline.setText(text)
        self._tell(text)
        self.sentences.setText("")
        self.sentences.hide()
        self._show_links(())
        self.counts.hide()
        self.axis.show_answer(None, ("", ""))

    # --- what the user does ---

    def run_menu(self) -> QMenu:
        """Return the runs that can be asked about; the first entry leaves the choice to their results."""
        menu, group = QMenu(self), QActionGroup(self)
        given = self._session.result_views.parameters_of(NAME)["run"]
        best = menu.addAction(tr("The run with the best mean"))
        best.setData("")
        every = [(best, "")]
        menu.addSeparator()
        asked = {label.key: label for label in self._session.view.taking_part_labels() if not label.baseline}
        for action in add_runs(menu, self._session, self._theme, asked.values(), None):
            every.append((action, asked[action.data()].whole_name))
            action.setData(asked[action.data()].whole_name)
        for action, name in every:
            action.setCheckable(True)
            action.setChecked(name == given)
            group.addAction(action)
        menu.triggered.connect(self._on_run_chosen)
        return menu

    def baseline_menu(self) -> QMenu:
        """Return the runs that can be the baseline."""
        menu, view = QMenu(self), self._session.view
        add_runs(menu, self._session, self._theme, view.system_labels(), view.baseline)
        menu.triggered.connect(self._on_baseline_chosen)
        return menu

    def _open(self, menu: QMenu, below: ChoiceButton) -> None:
        self._menu = open_below(menu, below, self._menu)

    def _on_run_clicked(self) -> None:
        self._open(self.run_menu(), self.run)

    def _on_baseline_clicked(self) -> None:
        self._open(self.baseline_menu(), self.baseline)

    def _on_run_chosen(self, action: QAction) -> None:
        # The run that is asked about is the chosen one everywhere: its colour is the one that its evidence has.
        key = next((each.key for each in self._session.view.labels() if each.whole_name == action.data()), None)
        if key is not None:
            self._session.runs.set_focus(key)
        self._session.result_views.set_parameter("run", action.data(), NAME)

    def _on_baseline_chosen(self, action: QAction) -> None:
        self._session.runs.set_baseline(action.data())

    def _on_family_clicked(self) -> None:
        run_command(self._session, "protocol")

    def _on_smallest_clicked(self) -> None:
        run_command(self._session, "statistics_smallest")


@guarded
class VerdictScreen(Screen):
    """Whether one run is better than another."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.answer = AnswerPanel(session, theme)
        self.changes = RowsPanel(theme, tr("What could turn it round"))
        self.queries = RowsPanel(theme, tr("Queries that decide it"))
        self.loss = Panel(theme, tr("Where the rest is lost"))
        self.loss_bars = LossBars(theme)
        self.loss.set_body(self.loss_bars)
        self.steps = RowsPanel(theme, tr("What to do next"))
        self._shown: ViewResult | None = None
        self._labels: tuple[RunLabel, ...] = ()
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._columns.setSpacing(GAP)
        self._first, self._second = QVBoxLayout(), QVBoxLayout()
        for share, column, panels in (
            (57, self._first, (self.changes, self.loss)), (43, self._second, (self.queries, self.steps)),
        ):  # fmt: skip
            column.setSpacing(GAP)
            for panel in panels:
                column.addWidget(panel)
            column.addStretch(1)  # a panel ends where its content does
            self._columns.addLayout(column, share)
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        layout.addWidget(self.answer)
        layout.addLayout(self._columns, 1)
        self.area = Scrolled(content)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.area)
        self.cover: Covered | None = None
        self.set_content(self.stack)
        self._way = -1
        self._further: list[QueryRow] = []
        """Queries beyond those that decide most, in the order in which they are shown where there is room."""
        self._fill_timer = QTimer(self, singleShot=True, interval=0)
        self._fill_timer.timeout.connect(self._fill)
        for panel in (self.changes, self.queries, self.loss, self.steps):
            panel.installEventFilter(self)
        self.setFocusProxy(self.answer.run)
        self.copy_action, self.paper_action = (
            QAction(text, self) for text in (tr("Copy the answer"), tr("Export for paper…"))
        )
        self.copy_action.triggered.connect(self.copy)
        self.paper_action.triggered.connect(self._on_paper_asked)
        self.save_action = QAction(tr("Save plot as PNG, SVG or PDF…"), self)
        self.save_action.triggered.connect(self._on_save_asked)
        self.changes.chosen.connect(self._on_evidence_chosen)
        self.answer.led.connect(self._on_evidence_chosen)
        self.answer.counts.clicked.connect(self._on_counts_clicked)
        self.loss_bars.clicked.connect(self._on_loss_clicked)
        self.steps.chosen.connect(self._on_evidence_chosen)
        self.queries.chosen.connect(self._on_query_chosen)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:  # a panel's texts have found their lines, turns after they were shown
            self._fill_timer.start()
        return False

    def event(self, event: QEvent) -> bool:
        # The digits are those of the rows here; elsewhere they give grades.
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self._step_of(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.copy():
            return
        step = self._step_of(event)
        if step is None:
            super().keyPressEvent(event)
        else:
            step.click()

    def _step_of(self, event: QKeyEvent) -> ThemedButton | None:
        """Return the row of what to do next whose number was pressed."""
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        number = event.text() if plain else ""
        if self.stack.currentWidget() is not self.area:
            return None
        return next((row for place, (_, row) in enumerate(self.steps.rows, start=1) if str(place) == number), None)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._answer_in_view() is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self.copy_action, self.paper_action])
        if self.answer.savable() is not None:
            menu.addAction(self.save_action)
        menu.popup(event.globalPos())

    def copy(self) -> bool:
        """Copy the answer, what was tried, where the rest is lost and the protocol's line as text; return False if
        there is no answer to be seen."""
        shown = self._answer_in_view()
        if shown is None:
            return False
        tables = {table.name: table for table in shown.tables}
        lines = [remark.text for remark in shown.sentences]
        changes = tables["changes"]
        texts = (changes.column(name).show.texts or () for name in ("change", "status", "found"))
        lines += ["", changes.title, *(
            f"{title}: {without_sign(str(status))}. {text}" for title, status, text in zip(*texts, strict=True)
        )]  # fmt: skip
        if "loss" in tables:
            lines += ["", *(note.text for note in tables["loss"].notes)]
        QGuiApplication.clipboard().setText("\n".join([*lines, "", self.session.protocol.line]))
        return True

    def print_figures(self) -> tuple[Figure, ...]:
        """The figures for print of the two runs of the answer; () without one. The screen itself draws none of them."""
        shown, context = self._answer_in_view(), self.session.view.context
        if shown is None or context is None or str(context.measure) != shown.value.verdict.answer.pair.measure:
            return ()
        pair = shown.value.verdict.answer.pair
        labels = [self._label_of(name, self._labels) for name in (pair.run_name, pair.other_name)]
        run, other = (None if label is None else context.collection.run(label.key) for label in labels)
        return () if run is None or other is None else print_figures(context, run, other)

    def _answer_in_view(self) -> ViewResult | None:
        """Return the verdict where its answer is in view."""
        return self._shown if self.stack.currentWidget() is self.area else None

    def _on_save_asked(self) -> None:
        savable = self.answer.savable()
        if savable is not None:
            ask_and_save(self.session, self.window(), savable)

    def _on_paper_asked(self) -> None:
        run_command(self.session, "export_paper")

    def _arrange(self) -> None:
        """Put the panels side by side where the width has room for them."""
        room = self.width() - SCROLL_BAR
        self.answer.arrange(room)
        beside = room >= TWO_COLUMNS
        self._columns.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        self._fill_timer.start()  # when the heights of all panels are known

    def _fill(self) -> None:
        """Use the height that is left in a high window: what to do next stands below the loss where it has room there,
        the second column is for further queries, and more air is between the changes."""
        changes = [change for _, change in self.changes.rows if isinstance(change, ChangeRow)]
        beside = self._columns.direction() == QBoxLayout.Direction.LeftToRight
        layout = self.area.content.layout()
        if layout is None or self.stack.currentWidget() is not self.area:
            return
        self._settle(layout)
        room = (self.area.viewport().height() if beside else 0) - self.changes.geometry().top()
        air = changes[0].air * len(changes) if changes else 0
        below_loss = _height((self.changes, self.loss, self.steps)) - air <= room
        now, other = (self._first, self._second) if below_loss else (self._second, self._first)
        if now.indexOf(self.steps) < 0:
            other.removeWidget(self.steps)
            now.insertWidget(2 if below_loss else 1, self.steps)
            self._settle(layout)
        steps = [self.steps]
        first = [self.changes, self.loss, *(steps if below_loss else [])]
        second = [self.queries, *([] if below_loss else steps)]
        shown = sum(not row.isHidden() for row in self._further)
        fitting = max(0, (room - _height(second)) // QueryRow.HEIGHT + shown)
        for number, row in enumerate(self._further):
            if row.isHidden() != (number >= fitting):
                row.setVisible(number < fitting)
        if changes:
            left = room - _height(first) + air
            for change in changes:
                change.set_air(max(0, min(MOST_AIR, left // len(changes))))

    def _settle(self, layout: QLayout) -> None:
        """Let all panels know how high they want to be: rows find their lines when they get their width."""
        for _ in range(2):
            for panel in (self.changes, self.queries, self.steps):
                panel.settle()
            layout.activate()

    def refresh(self, changes: frozenset[Change]) -> None:
        self._show(changes)
        self._arrange()  # names are of other widths
        self._lead_back()  # rows may be others

    def _ways(self) -> list[QWidget]:
        """The sentences and rows that lead elsewhere, in a fixed order."""
        rows = (row for panel in (self.changes, self.queries, self.steps) for _, row in panel.rows)
        return [*self.answer.links, *rows, self.answer.counts, self.loss_bars]

    def _note_way(self) -> None:
        """Remember by which sentence or row the keys leave: they come back to it, so that the next one is a key away.
        A click of the mouse moves no focus."""
        focused, ways = self.window().focusWidget(), self._ways()
        self._way = next((at for at, way in enumerate(ways) if way is focused), -1)
        self._lead_back()

    def _lead_back(self) -> None:
        ways = self._ways()
        way = ways[self._way] if 0 <= self._way < len(ways) else self.answer.run
        if way is not self.answer.counts:
            way.show()  # a layout shows a new row a turn of the event loop later: it could not take the focus before
        self.setFocusProxy(way)

    def _show(self, changes: frozenset[Change]) -> None:
        if self.session.judging.blind:
            if self.cover is None:
                self.cover = Covered(self.session, self.theme)
                self.stack.addWidget(self.cover)
            self.stack.setCurrentWidget(self.cover)
            return
        self.stack.setCurrentWidget(self.area)
        service = self.session.result_views
        try:
            answer = service.answer(NAME)
            trouble = "" if answer is None else answer.trouble
        except IrviewerError as error:
            answer, trouble = None, str(error)
        shown = None if answer is None else answer.shown
        labels = self.session.view.system_labels()
        if shown is None:
            self.answer.show_choices(self._label_of(service.parameters_of(NAME)["run"], labels), False)
            self.answer.show_trouble(trouble or tr("Computing …"))
            self._clear()
            self._show_panels(not trouble)
            return
        verdict: Verdict = shown.value.verdict
        pair = verdict.answer.pair
        run, other = self._label_of(pair.run_name, labels), self._label_of(pair.other_name, labels)
        self.answer.show_choices(run, bool(verdict.answer.chosen_among))
        if shown is self._shown and labels == self._labels and Change.THEME not in changes:
            return
        self._shown, self._labels = shown, labels
        self._show_panels(True)
        names = tuple(name if label is None else wrapped_name(label)
                      for name, label in ((pair.run_name, run), (pair.other_name, other)))  # fmt: skip
        self.answer.show_answer(verdict.answer, shown, (names[0], names[1]))
        self._show_changes(verdict, shown)
        self._show_queries(verdict, shown)
        self._show_steps(shown)
        note = most_lost(replace(verdict.losses[0], run=names[0])) if verdict.losses else no_parts(verdict.measure)
        self.loss_bars.show_losses(verdict.losses, (run, other), note)

    @staticmethod
    def _label_of(name: str, labels: tuple[RunLabel, ...]) -> RunLabel | None:
        return next((label for label in labels if label.whole_name == name), None)

    def _clear(self) -> None:
        self._shown = None
        for panel in (self.changes, self.queries, self.steps):
            panel.clear()
        self._further = []
        self.loss_bars.show_losses((), (), "")

    def _show_panels(self, shown: bool) -> None:
        """Show the panels below the answer, or no empty boxes where there will be none."""
        for panel in (self.changes, self.queries, self.loss, self.steps):
            panel.setVisible(shown)

    def _show_changes(self, verdict: Verdict, shown: ViewResult) -> None:
        table = shown.table("changes")
        titles, statuses, texts = (
            [text or "" for text in column.show.texts or ()]
            for column in (table.column("change"), table.column("status"), table.column("found"))
        )
        rows = [
            ChangeTexts(change.kind, title, text, status, change.status == "turns",
                        tuple(Dot(each.shown, each.difference, bool(each.side)) for each in change.tried))
            for change, title, status, text in zip(verdict.changes, titles, statuses, texts, strict=True)
        ]  # fmt: skip
        band = verdict.answer.margin or 0.0
        pair = verdict.answer.pair
        gain = math.nan if pair.geometric or pair.by_signs else pair.difference * (1 if pair.higher_is_better else -1)
        ends = axis_of(rows, band)
        self.changes.clear()
        self.changes.set_title(table.title)
        self.changes.set_note(tr("● shown ○ not shown · all exploratory"))
        kind = kind_width(self.theme, rows)
        evidence = dict(zip(table.keys, table.column("evidence").values, strict=True))
        for row in rows:
            self.changes.add_row(str(evidence[row.kind]), ChangeRow(self.theme, row, ends, band, gain, kind))

    def _show_queries(self, verdict: Verdict, shown: ViewResult) -> None:
        deciding, value = verdict.deciding, shown.value
        most = max((abs(row.gain) for row in (*deciding.for_it, *deciding.against_it)), default=1.0) or 1.0
        texts, further_texts = iter(value.texts), iter(value.further_texts)
        self.queries.clear()
        self.queries.set_note(tr("Δ {measure}", measure=_measure_name(verdict.answer.pair.measure)))
        further: list[list[QueryRow]] = []
        for rows, more in (
            (deciding.for_it, deciding.further_for_it), (deciding.against_it, deciding.further_against_it),
        ):  # fmt: skip
            if rows and rows is deciding.for_it:
                self.queries.add_heading(trn(
                    "for it · {half:,} of {n:,} query carries half of the gain",
                    "for it · {half:,} of {n:,} queries carry half of the gain",
                    deciding.better, half=deciding.half,
                ))  # fmt: skip
            elif rows:
                self.queries.add_heading(trn("against it · {n:,} query", "against it · {n:,} queries", deciding.worse))
            for row in rows:
                self._add_query(QueryTexts(row.query, next(texts), row.cause, row.gain), most)
            further.append(
                [self._add_query(QueryTexts(row.query, next(further_texts), row.cause, row.gain), most) for row in more]
            )
        self._further = [each for pair in zip_longest(*further) for each in pair if each is not None]
        for each in self._further:
            each.hide()  # until it is known that there is room

    def _add_query(self, texts: QueryTexts, most: float) -> QueryRow:
        row = QueryRow(self.theme, texts, most)
        self.queries.add_row(texts.query, row)
        return row

    def _show_steps(self, shown: ViewResult) -> None:
        table, places = shown.table("next"), names_of_places()
        self.steps.clear()
        texts, views = [text or "" for text in table.column("step").show.texts or ()], table.column("view").values
        rows = [row for row in zip(table.keys, texts, views, strict=True) if row[2] in EVIDENCE]
        self.steps.set_note(trn("key 1", "keys 1–{n}", len(rows)) if rows else "")
        for number, (code, text, view) in enumerate(rows, start=1):
            name = str(code if code in EVIDENCE else view)
            self.steps.add_row(name, StepRow(self.theme, number, text, str(code), places[str(view)]))

    def _on_query_chosen(self, query: str) -> None:
        self._note_way()
        self.session.navigation.set_query(query)
        self.session.navigation.set_place("query")

    def _on_counts_clicked(self) -> None:
        self._on_evidence_chosen("queries")

    def _on_loss_clicked(self) -> None:
        self._on_evidence_chosen("failures")

    def _on_evidence_chosen(self, name: str) -> None:
        """Show the evidence, with the two runs of the verdict chosen."""
        if self._shown is None:
            return
        self._note_way()
        pair = self._shown.value.verdict.answer.pair
        run = self._label_of(pair.run_name, self._labels)
        if run is not None and not run.baseline:
            self.session.runs.set_focus(run.key)
        place, tab = EVIDENCE[name]
        if name == "gate":
            self.session.result_views.keep_gate(pair.run_name)
        if name == "plan":
            self.session.result_views.choose(name)
        if name == "assigners":
            self.session.result_views.choose("answer-agreement")
        if name == "losing":
            self._show_losing(self._shown.value.verdict.deciding.against_it[0].query)
        if tab:
            self.session.navigation.set_tab(place, tab)
        self.session.navigation.set_place(place)
        keys = command_keys("go_verdict")
        if keys:
            self.session.say(info(tr("{keys} leads back to the verdict.", keys=keys)))

    def _show_losing(self, worst: str) -> None:
        """Leave the queries on which the run loses much, the worst first, and select that one. Ratios have no such
        bound: they are sorted only."""
        view, navigation = self.session.view, self.session.navigation
        higher = view.measure.higher_is_better
        if view.context is not None and not view.context.geometric:
            navigation.filter_queries(f"Δ <= -{LOSES}" if higher else f"Δ >= {LOSES}")
        navigation.sort_queries("delta", descending=not higher)
        navigation.set_query(worst)


def _height(panels: Sequence[Panel]) -> int:
    """Return the pixels that panels below each other want; a layout that lacks room squeezes them."""
    return sum(panel.sizeHint().height() for panel in panels) + GAP * (len(panels) - 1)


def _measure_name(measure: str) -> str:
    """Return the name by which the top bar calls a measure, too: that of TREC RAG's papers, where they have one."""
    return nuggetizer_name(parse_measure(measure)) or measure
