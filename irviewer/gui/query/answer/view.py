"""The tab Answer of Query: from a nugget to the sentence that says it, to the segment that it cites, to its grade and
rank, and back. One selection is shown in all parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from irviewer.commands import run_command
from irviewer.gui.guard import guarded
from irviewer.gui.query.answer.curves import Curves
from irviewer.gui.query.answer.heads import AnswerHead, AnswerStatus, SystemsLegend
from irviewer.gui.query.answer.measures import MeasureList
from irviewer.gui.query.answer.nuggets import NuggetList
from irviewer.gui.query.answer.segment_text import SegmentText
from irviewer.gui.query.answer.segments import SegmentList, lost_words
from irviewer.gui.query.answer.sentences import SentenceList
from irviewer.gui.query.answer.signs import LEFT
from irviewer.gui.query.query_header import QueryHint
from irviewer.gui.query.query_list import QueryList
from irviewer.gui.screens.screen import GAP, ColumnSplitter, Screen, fill
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.answer_sources import AssignerButton, ListButton
from irviewer.gui.widgets.controls import Segmented, TextButton, command_keys
from irviewer.gui.widgets.folded_panel import FoldedPanel
from irviewer.gui.widgets.panel import HEADER_HEIGHT, RADIUS, FoldedLabel, Panel
from irviewer.gui.widgets.plain_text import PlainLabel, Sentences, set_tooltip
from irviewer.gui.widgets.scrolled import PANE, Scrolled
from irviewer.session.changes import Change
from irviewer.session.view_models.answers import NUGGET, SEGMENT, SENTENCE, AnswerViewModel
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.gui.tables.ledger_panel import LedgerView
    from irviewer.session.session import Session

NO_ANSWERS = tr(
    "No run in view has answers. Open files of answers (JSON lines with “answer” or “responses”), of nuggets and of "
    "their assignments; the list that the answers were made from and qrels of documents add ranks and grades."
)
LEAST = (840, 380)
"""The least width and height in pixels of the panes side by side; in less they stand below each other."""
NARROW = 1100
"""The width in pixels below which the list of queries is folded, so that ids of segments and their heads have room."""
STACKED = (150, 420)
"""The heights in pixels of the queries and of the answer with its list where panes stand below each other."""
WIDE = 1500
"""Pixels from which the list has room beside two answers."""


@guarded
class LostLine(QWidget):
    """Where vital nuggets were lost, below the list."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._lines: tuple[str, ...] = ()
        self.setFixedHeight(0)
        theme.changed.connect(self.update)

    def show_lines(self, lines: tuple[str, ...]) -> None:
        """Show a head and the stages."""
        if lines == self._lines:
            return
        self._lines = lines
        self.setFixedHeight(12 + 17 * len(lines) if lines else 0)
        self.setAccessibleName(" ".join(lines))
        set_tooltip(self, "\n".join(lines))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setPen(theme.colours["line"])
        painter.drawLine(0, 0, self.width(), 0)
        for number, line in enumerate(self._lines):
            painter.setFont(theme.font(9, weight=600 if not number else 400))
            painter.setPen(theme.colours["ink" if not number else "muted"])
            shown = QFontMetrics(painter.font()).elidedText(line, Qt.TextElideMode.ElideRight, self.width() - 20)
            painter.drawText(QRectF(10, 6 + 17 * number, self.width() - 14, 17), int(LEFT), shown)


class AnswerColumn(QWidget):
    """One answer: its head above its sentences."""

    def __init__(self, session: Session, theme: Theme, place: int) -> None:
        super().__init__()
        self.head = AnswerHead(session, theme, place)
        self.sentences = SentenceList(theme, place)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.sentences, 1)


@guarded
class AnswerView(Screen):
    """The answers to the selected topic."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        # From the outside in: what a widget already holds would be styled again when it is put into another.
        content = QWidget()
        self.set_content(content)
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(6)
        self.head = QWidget()
        rows.addWidget(self.head)
        self.pages = QStackedWidget()
        rows.addWidget(self.pages, 1)
        page, whole, middle = QWidget(), QWidget(), QWidget()
        self.pages.addWidget(page)
        beside = QHBoxLayout(page)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(GAP)
        tip = tr("Show {panel} ({keys})", panel=tr("the list of queries"), keys=command_keys("fold_queries"))
        self.strip_queries = FoldedPanel(theme, tr("Queries"), tip)
        self.strip_queries.clicked.connect(self._on_fold_asked)
        beside.addWidget(self.strip_queries)
        beside.addWidget(Scrolled(whole, LEAST), 1)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.content = ColumnSplitter(Qt.Orientation.Horizontal)
        column.addWidget(self.content, 1)
        self.queries = QueryList(session, theme)
        self.why = QStackedWidget()
        fill(self.content, (self.queries, middle, self.why), (0, 1, 0))
        across = QHBoxLayout(middle)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        self.panel = _Box(theme, tr("Query"))
        self.title = PlainLabel()
        self.title.setFont(theme.font(10, weight=600))
        self.text = FoldedLabel()
        self.text.setFont(theme.font(9.5))
        self.hint = QueryHint(theme)
        self.beside = Segmented(theme, tuple((str(n), str(n), tr("{n} answers side by side", n=n) if n > 1
                                              else tr("one answer and its list")) for n in (1, 2, 3, 4)))  # fmt: skip
        self.beside.chosen.connect(self._on_columns_chosen)
        self._head_layout = QHBoxLayout(self.head)
        self._head_layout.setContentsMargins(2, 0, 2, 0)
        self._head_layout.setSpacing(10)
        self._head_layout.addWidget(self.title)
        self._head_layout.addWidget(self.text, 1)
        self._head_layout.addWidget(self.hint)
        self._head_layout.addWidget(self.beside)
        self.columns = [AnswerColumn(session, theme, 0)]
        self._row = QWidget()
        self._row_layout = QHBoxLayout(self._row)
        self._row_layout.setContentsMargins(0, 0, 0, 0)
        self._row_layout.setSpacing(1)
        self._row_layout.addWidget(self.columns[0], 1)
        self.panel.set_body(self._row)
        self.list_panel = Panel(theme, tr("The list it was given"))
        self.list_choice = ListButton(session, theme)
        self.list_panel.header_layout.insertWidget(0, self.list_choice)
        self.segments = SegmentList(theme)
        self.lost = LostLine(theme)
        body = QWidget()
        below = QVBoxLayout(body)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addWidget(_ColumnHeads(theme, self.segments))
        below.addWidget(self.segments, 1)
        below.addWidget(self.lost)
        self.list_panel.set_body(body)
        self.segment_text = SegmentText(theme)
        self.segment_text.hide()
        self.list_column = ColumnSplitter(Qt.Orientation.Vertical)
        fill(self.list_column, (self.list_panel, self.segment_text), (6, 4))
        self.curves = Curves(theme, self.columns[0].sentences, self.segments)
        across.addWidget(self.panel, 100)
        across.addWidget(self.curves)
        across.addWidget(self.list_column, 68)
        self._across = across
        self.nugget_panel = Panel(theme, tr("Nuggets"))
        self.nugget_panel.leave_out_note()
        self.legend = SystemsLegend(theme)
        self.hints = TextButton(theme, "≈", tr("Show or hide which sentences have words of a nugget"))
        self.hints.clicked.connect(session.answers.switch_hints)
        self.nugget_panel.header_layout.addWidget(self.hints)
        self.nugget_panel.header_layout.addWidget(self.legend, 1)
        self.nuggets = NuggetList(theme)
        self.nugget_panel.set_body(self.nuggets)
        self.measure_panel = Panel(theme, tr("Measures of this answer"))
        self.measures = MeasureList(theme)
        self.measure_panel.set_body(self.measures)
        self.right = ColumnSplitter(Qt.Orientation.Vertical)
        fill(self.right, (self.nugget_panel, self.measure_panel), (7, 3))
        self.why.addWidget(self.right)
        self._ledger: LedgerView | None = None
        self.status = AnswerStatus(theme)
        self.assigner = AssignerButton(session, theme)
        below_all = QHBoxLayout()
        below_all.setSpacing(4)
        below_all.addWidget(self.assigner)
        below_all.addWidget(self.status, 1)
        column.addLayout(below_all)
        self.empty = Sentences(NO_ANSWERS)
        self.empty.setFont(theme.font(10.5))
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(24, 24, 24, 24)
        self.pages.addWidget(self.empty)
        theme.changed.connect(self._on_colours_changed)
        self._on_colours_changed()
        self.setFocusProxy(self.columns[0].sentences)
        self._tabs: Segmented | None = None
        self._last: tuple[int, int] | None = None
        self._shape: tuple[int, ...] = ()
        self._moved = False
        self.content.installEventFilter(self)
        for splitter in (self.content, self.right, self.list_column):
            splitter.splitterMoved.connect(self._on_splitter_moved)
        self.columns[0].sentences.chosen.connect(self._on_sentence_chosen)
        self.segments.chosen.connect(session.answers.select_segment)
        self.nuggets.chosen.connect(self._on_nugget_chosen)
        self.nuggets.activated.connect(self._on_nugget_activated)
        self.measures.explained.connect(self._on_explained)

    # --- what is shown ---

    def set_tabs(self, tabs: Segmented) -> None:
        """Put the switch of the tabs before the topic."""
        self._tabs = tabs
        self._head_layout.insertWidget(0, tabs, 0, Qt.AlignmentFlag.AlignLeft)  # also where they stand alone

    def _on_colours_changed(self) -> None:
        for label in (self.title, self.text):
            label.set_ink(self.theme["ink"])

    def filter_field(self) -> QLineEdit | None:
        return self.queries.filter

    @property
    def ledger(self) -> LedgerView:
        """The ledger in place of nuggets and measures, made for the first value that is explained."""
        if self._ledger is None:
            from irviewer.gui.tables.ledger_panel import LedgerView

            self._ledger = LedgerView(self.session, self.theme, self.session.explaining.ledger_view_model)
            self.why.addWidget(self._ledger)
        return self._ledger

    def refresh(self, changes: frozenset[Change]) -> None:
        view_model = self.session.answers.view_model()
        self.queries.refresh(changes)
        self.pages.setCurrentIndex(0 if view_model is not None else 1)
        if view_model is None and self._tabs is not None:
            self.setFocusProxy(self._tabs.buttons["answer"])
        else:  # where the view opens at a nugget, the arrow keys go on from it
            opens_at_nugget = view_model is not None and view_model.selection.kind == NUGGET
            self.setFocusProxy(self.nuggets if opens_at_nugget else self.columns[0].sentences)
        for widget in (self.title, self.text, self.hint, self.beside):
            widget.setVisible(view_model is not None)
        if view_model is None:
            return
        if view_model.selection.kind == SENTENCE:
            self._last = (view_model.selection.system, view_model.selection.place)
        self._show_head(view_model)
        self._show_columns(view_model)
        self.segments.show_view_model(view_model)
        listed = view_model.topic.listed
        choosable = self.list_choice.refresh()
        # The button names the list in place of a title.
        self.list_panel.set_title(
            tr("References") if not listed else "" if choosable else tr("The list it was given")
        )  # fmt: skip
        self.assigner.refresh()
        n = view_model.topic.listed_count
        note = (
            tr("top {n:,}, cut", n=n)
            if listed and view_model.topic.more
            else trn("{n:,} document", "{n:,} documents", n)
        )
        self.list_panel.set_note(note)
        self.lost.show_lines(lost_words(view_model))
        alone = len(view_model.shown) == 1
        self.curves.setVisible(alone)
        self.list_column.setVisible(alone or self.width() >= WIDE)
        self.curves.show_view_model(view_model)
        self.nuggets.show_view_model(view_model)
        self.legend.show_view_model(view_model)
        self.nugget_panel.set_title(view_model.nuggets_title)
        self.hints.setVisible(bool(view_model.topic.nuggets))
        self.measures.show_view_model(view_model)
        if view_model.compared > 0:
            first, second = view_model.labels[0].name, view_model.labels[view_model.compared].name
            self.measure_panel.set_note(tr("Δ {run} − {baseline}", run=second, baseline=first))
        else:
            self.measure_panel.set_note("")
        self._show_text(view_model)
        self.status.show_view_model(view_model)
        self._explain(changes)
        self._share_room(view_model)

    def _show_head(self, view_model: AnswerViewModel) -> None:
        topic = view_model.topic
        self.title.setText(tr("Query {query}", query=topic.topic))
        text = topic.question or self._query_text(topic.topic)
        self.text.setText(f"“{text}”" if text else "")
        set_tooltip(self.text, text)
        place, count = view_model.position
        self.hint.show_parts((
            (False, tr("{place:,} of {count:,}", place=place, count=count)),
            (True, command_keys("next_query")), (True, command_keys("previous_query")),
        ))  # fmt: skip
        several = len(view_model.labels) > 1
        self.beside.setVisible(several)
        for name, button in self.beside.buttons.items():
            button.setVisible(int(name) <= len(view_model.labels))
        self.beside.show_chosen(str(len(view_model.shown)))

    def _query_text(self, topic: str) -> str:
        collection = self.session.view.collection
        return "" if collection is None else collection.query_text(topic)

    def _show_columns(self, view_model: AnswerViewModel) -> None:
        while len(self.columns) < len(view_model.shown):
            column = AnswerColumn(self.session, self.theme, len(self.columns))
            column.sentences.chosen.connect(self._on_sentence_chosen)
            self.columns.append(column)
            self._row_layout.addWidget(column, 1)
        for place, column in enumerate(self.columns):
            shown = place < len(view_model.shown)
            column.setVisible(shown)
            if shown:
                column.head.show_view_model(view_model)
                column.sentences.show_view_model(view_model)

    def _show_text(self, view_model: AnswerViewModel) -> None:
        """Show the text of the selected segment, with the words of the sentence that cites it underlined."""
        chosen, topic = view_model.selection, view_model.topic
        self.segment_text.setVisible(chosen.kind == SEGMENT)
        if chosen.kind != SEGMENT:
            return
        segment = topic.segments[chosen.place]
        collection = self.session.view.collection
        documents = None if collection is None else collection.documents
        text = "" if documents is None or segment.document not in documents.index else documents.body(segment.document)
        citing = [(system, number) for system in view_model.shown for number in segment.cited[system]]
        sentence = self._last if self._last in citing else citing[0] if citing else None
        words = "" if sentence is None else topic.systems[sentence[0]].sentences[sentence[1] - 1].text
        self.segment_text.show_segment(segment.document, text, words)
        self.segment_text.setMaximumHeight(16_777_215 if text else HEADER_HEIGHT + 76)

    def _explain(self, changes: frozenset[Change]) -> None:
        explaining = self.session.explaining.is_on
        wanted: QWidget = self.ledger if explaining else self.right
        if self.why.currentWidget() is not wanted:
            self.why.setCurrentWidget(wanted)
        if explaining:
            self.ledger.refresh(changes)

    @property
    def is_narrow(self) -> bool:
        """Whether the list of queries has no room beside the other panes."""
        return self.width() < NARROW

    @property
    def queries_folded(self) -> bool:
        """Whether a strip stands in the place of the list of queries."""
        view = self.session.view
        return view.opened_panel != "queries" if self.is_narrow else "queries" in view.folded_panels

    def _fold_queries(self) -> None:
        folded = self.queries_folded
        self.strip_queries.setVisible(folded)
        if folded != self.queries.isHidden():
            focused = self.queries.isAncestorOf(self.focusWidget() or self)
            self.queries.setVisible(not folded)
            if focused and folded:
                self.columns[0].sentences.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_fold_asked(self) -> None:
        run_command(self.session, "fold_queries")

    def _share_room(self, view_model: AnswerViewModel | None) -> None:
        self._fold_queries()
        if view_model is None or self._moved:
            return
        rows = self.measures.full_height() + HEADER_HEIGHT + 4
        stacked = self.content.orientation() == Qt.Orientation.Vertical
        room = self.content.size()
        shape = (self.width(), self.height(), room.width(), room.height(), rows, len(view_model.shown),
                 self.session.explaining.is_on, stacked, self.queries_folded)  # fmt: skip
        if shape == self._shape:
            return
        self._shape = shape
        if stacked:
            self.content.setSizes([*STACKED, max(PANE, self.content.height() - sum(STACKED) - 2 * GAP)])
            self.right.setSizes([PANE, rows])
            return
        width = self.width()
        left = 0 if self.queries_folded else max(176, min(260, round(width * 0.13)))
        right = max(316, min(460, round(width * 0.26)))
        if self.session.explaining.is_on:
            right = max(right, min(620, round(width * 0.36)))
        self.content.setSizes([left, width - left - right - 2 * GAP, right])
        height = max(self.content.height(), self.height() - 90)
        self.right.setSizes([max(80, height - rows - GAP), rows])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room(self.session.answers.view_model())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The panes of a view that was hidden while the window grew get their size after the view.
        if watched is self.content and event.type() == QEvent.Type.Resize:
            self._share_room(self.session.answers.view_model())
        return False

    # --- what the user does ---

    def _on_splitter_moved(self, place: int, at: int) -> None:
        self._moved = True
        self.curves.update()

    def _on_columns_chosen(self, name: str) -> None:
        self.session.answers.set_columns(int(name))

    def _on_sentence_chosen(self, row: int) -> None:
        sender = self.sender()
        if isinstance(sender, SentenceList):
            self.session.answers.select_sentence(sender.system, row + 1)

    def _on_nugget_chosen(self, row: int) -> None:
        place = self.nuggets.nugget_of(row)
        if place >= 0:
            self.session.answers.select_nugget(place)

    def _on_nugget_activated(self, row: int) -> None:
        """Go to the first sentence that is like the nugget."""
        view_model, place = self.session.answers.view_model(), self.nuggets.nugget_of(row)
        if view_model is None or place < 0:
            return
        alike = view_model.topic.nuggets[place].alike[view_model.lead]
        if alike:
            self.session.answers.select_sentence(view_model.lead, alike[0])

    def _on_explained(self, row: int) -> None:
        view_model = self.session.answers.view_model()
        if view_model is None or row < 1:
            return
        line, known = view_model.measures[row - 1], self.session.answers.answering()
        if not line.measure:
            return
        key = view_model.labels[view_model.compared if view_model.compared > 0 and view_model.lead else
                                view_model.lead].key  # fmt: skip
        if line.of_list and known is not None and known.listed is not None:
            key = known.listed.key
        self.session.explaining.explain_cell(key, line.measure)

    def event(self, event: QEvent) -> bool:
        # In this tab these keys go through answers; elsewhere they judge and move the cutoff.
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._step(event) is not None
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = self._step(event)
        if step is None:
            super().keyPressEvent(event)
        else:
            step()

    def _step(self, event: QKeyEvent) -> Callable[[], object] | None:
        """Return what a key of this tab does, None for another key."""
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return None
        name = {
            Qt.Key.Key_N: "next_lost_nugget", Qt.Key.Key_U: "next_uncited_sentence",
            Qt.Key.Key_BracketRight: "next_answering_system", Qt.Key.Key_BracketLeft: "previous_answering_system",
        }.get(Qt.Key(event.key()))  # fmt: skip
        return None if name is None else (lambda: run_command(self.session, name))


@guarded
class _Box(Panel):
    """A panel whose answers have heads of their own."""

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__(theme, title)
        self.header.hide()
        self._frame_theme = theme

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._frame_theme.colours["panel_border"], 1))
        painter.setBrush(self._frame_theme.colours["panel"])
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)


@guarded
class _ColumnHeads(QWidget):
    """The heads of the list's columns."""

    def __init__(self, theme: Theme, segments: SegmentList) -> None:
        super().__init__()
        self._theme, self._segments = theme, segments
        self.setFixedHeight(30)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._theme.font(8.5))
        painter.setPen(self._theme.colours["muted"])
        painter.drawText(QRect(14, 0, 160, self.height()), int(LEFT), tr("#   grade, segment"))
        right = QRect(0, 0, self.width() - 8, self.height())
        painter.drawText(
            right, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), tr("cited in sentence")
        )
        painter.setPen(self._theme.colours["line"])
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
