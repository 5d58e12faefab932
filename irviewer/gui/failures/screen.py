"""The tabs of the failure analysis in the Queries view."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from irviewer.gui.failures.document_tables import HubsTable, RelevantTable, WorklistTable
from irviewer.gui.failures.loop import FailureLoop, ProgressBar
from irviewer.gui.failures.table import FailureKinds, FailuresByRun, FailuresTable
from irviewer.gui.guard import guarded
from irviewer.gui.screens.screen import GAP, Screen, show_figures, split
from irviewer.gui.screens.tabbed import Tab
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton
from irviewer.gui.widgets.grade_buttons import add_judging
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.number_field import NumberField
from irviewer.gui.widgets.panel import HEADER_HEIGHT, Panel
from irviewer.gui.widgets.plain_text import PlainLabel, Sentences, visible
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.run_choices import add_runs
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.rendering.elision import start_of_all
from irviewer.session.changes import EVERY_CHANGE, Change
from irviewer.session.navigation.empty_tabs import nothing_in
from irviewer.session.view_models.reading_effort import RecallViewModel, VectorViewModel
from irviewer.translation import tr, trc, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

NAMED = 30
"""Missed documents that are listed by id."""
TITLED_FROM = 800
"""From so many pixels of width a title stands beside the legend that names the curves of a ranking vector."""
BESIDE = 10
"""The height of a panel's borders and margins, above and below its plot, in pixels."""


class FailuresOfAllRuns(Screen):
    """The kinds of failure and the counts by run beside the table of failures of all runs shown."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.kinds = FailureKinds(session, theme)
        self.by_run = FailuresByRun(session, theme)
        self.table = FailuresTable(session, theme)
        self.left = split(Qt.Orientation.Vertical, (self.kinds, self.by_run), (0, 1))
        self.set_content(split(Qt.Orientation.Horizontal, (self.left, self.table), (34, 100)))
        self.setFocusProxy(self.table)

    def refresh(self, changes: frozenset[Change]) -> None:
        view_model = self.session.failures.failures_view_model()
        if view_model is not None:
            self.kinds.show_view_model(view_model)
            self.by_run.show_view_model(view_model)
            self.table.show_view_model(view_model)

    def filter_field(self) -> QLineEdit | None:
        return self.table.filter


class FailuresView(Screen):
    """The failures of one run, query by query, or those of all runs in one table: which, is chosen above."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.words = PlainLabel(tr("failures of"))
        self.words.setFont(theme.font(9.5))
        self.run = ChoiceButton(theme, bold=True, most=260)
        self.run.clicked.connect(self._on_run_clicked)
        self.progress = ProgressBar(theme)
        self.loop: FailureLoop | None = None
        self.overview: FailuresOfAllRuns | None = None
        self.stack = QStackedWidget()
        self._menu: QMenu | None = None
        self._beginning = QTimer(self, singleShot=True, interval=0)  # a refresh must not change the session
        self._beginning.timeout.connect(self._on_shown)
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget in (self.words, self.run):
            row.addWidget(widget)
        row.addWidget(self.progress, 1)
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        layout.addLayout(row)
        layout.addWidget(self.stack, 1)
        self.set_content(content)

    @property
    def shown(self) -> FailureLoop | FailuresOfAllRuns:
        """What is shown; it is made when it is first asked for."""
        if self.session.state.finding.every_run:
            if self.overview is None:
                self.overview = FailuresOfAllRuns(self.session, self.theme)
                self.stack.addWidget(self.overview)
            return self.overview
        if self.loop is None:
            self.loop = FailureLoop(self.session, self.theme)
            self.stack.addWidget(self.loop)
        return self.loop

    def refresh(self, changes: frozenset[Change]) -> None:
        collection, every = self.session.view.collection, self.session.state.finding.every_run
        if (self.overview if every else self.loop) is None:
            runs = 0 if collection is None else len(collection.runs)
            self.refresh_in_parts([lambda: self.shown, partial(self._fill, changes)], runs)
        else:
            self.release()  # what waited to be filled is filled now
            self._fill(changes)

    def _fill(self, changes: frozenset[Change]) -> None:
        view = self.shown
        if self.focusProxy() is not view:  # the first view of a stack is its current one before it was refreshed
            self.stack.setCurrentWidget(view)
            self.setFocusProxy(view)
            changes = EVERY_CHANGE
        view.refresh(changes)
        self._show_choice()
        if self.session.failure_loop.can_begin:
            self._beginning.start()

    def _on_shown(self) -> None:
        self.session.failure_loop.begin()

    def _show_choice(self) -> None:
        view_model = self.session.failure_loop.view_model()
        hint = tr("The run whose failures are shown")
        every = self.session.state.finding.every_run
        self.progress.setVisible(not every)
        if every or view_model is None or view_model.run is None:
            self.run.show_choice(tr("all runs shown") if every else tr("no run"), hint)
        else:
            run = view_model.run
            name = f"{run.name} ★" if run.baseline else run.name
            self.run.show_choice(name, hint, self.theme.run(run), run.shorter_names)
        if view_model is not None:
            self.progress.show_progress(view_model.examined, view_model.total, view_model.examined_share)

    def filter_field(self) -> QLineEdit | None:
        return self.shown.filter_field()

    def run_menu(self) -> QMenu:
        """Return the runs whose failures can be shown; the first entry shows all."""
        menu, every = QMenu(self), self.session.state.finding.every_run
        first = menu.addAction(tr("All runs shown, in one table"))
        first.setData(-1)
        first.setCheckable(True)
        first.setChecked(every)
        menu.addSeparator()
        view_model = self.session.failure_loop.view_model()
        chosen = None if view_model is None or view_model.run is None else view_model.run.key
        add_runs(menu, self.session, self.theme, self.session.view.system_labels(), None if every else chosen)
        menu.triggered.connect(self._on_run_chosen)
        return menu

    def _on_run_clicked(self) -> None:
        self._menu = open_below(self.run_menu(), self.run, self._menu)

    def _on_run_chosen(self, action: QAction) -> None:
        key = int(action.data())
        if key < 0:
            self.session.failures.show_every_run()
        else:
            self.session.failures.examine_run(key)


class RelevantView(Screen):
    """The relevant documents of the selected query, with their ranks in all runs."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.table = RelevantTable(session, theme)
        self.set_table(self.table)
        self.setFocusProxy(self.table)

    def refresh(self, changes: frozenset[Change]) -> None:
        collection = self.session.view.collection
        # Once the tab is in view: a column of each of many runs is fitted once, in its room.
        runs = 0 if collection is None else len(collection.runs)
        make, measure = self.table.make_columns, self.table.measure_columns
        self.refresh_in_parts([make, measure, partial(self.table.refresh, changes), self.fit_table], runs)


class HubsView(Screen):
    """The misleading documents."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.table = HubsTable(session, theme)
        self.set_table(self.table)
        self.setFocusProxy(self.table)

    def refresh(self, changes: frozenset[Change]) -> None:
        self.table.refresh(changes)
        self.fit_table()


class WorklistView(Screen):
    """Unjudged documents, in the order in which judging them pays off."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.table = WorklistTable(session, theme)
        self.set_table(self.table)
        self.setFocusProxy(self.table)

    def refresh(self, changes: frozenset[Change]) -> None:
        self.table.refresh(changes)
        self.fit_table()


class _OrReason(QStackedWidget):
    """What a view shows, or the reason in the middle why it has nothing to show."""

    def __init__(self, theme: Theme, shown: QWidget) -> None:
        super().__init__()
        self.reason = Sentences()
        self.reason.setFont(theme.font(10.5))
        self.reason.setWordWrap(True)
        self.reason.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.reason.setContentsMargins(24, 24, 24, 24)
        self.addWidget(shown)
        self.addWidget(self.reason)

    def show_reason(self, text: str) -> None:
        """Show the reason; "" shows what the view shows."""
        self.reason.setText(text)
        self.setCurrentIndex(int(bool(text)))


@guarded
class VectorView(Screen):
    """The ranking vectors of the shown runs over the gain of the focus run."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.strips = PlotPanel(theme, self._make_strips, self._put_vectors)
        self.gain = PlotPanel(theme, self._make_gain, _put_figure)
        self.legend: QWidget | None = None
        self.plots = (self.strips, self.gain)
        plots = split(Qt.Orientation.Vertical, (self.strips, self.gain), (1, 1))
        self.either = _OrReason(theme, Scrolled(plots, (580, 460)))
        self.set_content(self.either)
        self.setFocusProxy(self.strips)

    def refresh(self, changes: frozenset[Change]) -> None:
        view_model = self.session.failures.vector_view_model()
        if view_model is None:
            return
        self.either.show_reason(nothing_in(self.session.view.collection, "queries", "vector"))
        self.strips.set_title(view_model.title)
        self.strips.set_note(view_model.explanation or view_model.note)
        self.strips.show_value(view_model, again=Change.RUNS in changes)
        show_figures((self.gain,), (view_model.figure,), changes)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.gain.show_title(event.size().width() >= TITLED_FROM)
        super().resizeEvent(event)

    def _make_strips(self) -> QWidget:
        from irviewer.gui.plots.ranking_vectors import VectorStrips

        strips = VectorStrips(self.theme)
        strips.chosen.connect(self._on_document_chosen)
        strips.menu_asked.connect(self._on_menu_asked)
        return strips

    def _make_gain(self) -> QWidget:
        from irviewer.gui.plots.curves.canvas import Canvas
        from irviewer.gui.plots.curves.legend import Legend

        canvas = Canvas(self.session, self.theme)
        self.legend = Legend(canvas, self.theme, every=True)
        self.gain.header_layout.addWidget(self.legend)
        return canvas

    def _put_vectors(self, canvas: Any, view_model: VectorViewModel) -> None:
        canvas.show_view_model(view_model)
        # The curves below take the room that few runs do not need.
        self.strips.setMaximumHeight(max(self.strips.minimumHeight(), HEADER_HEIGHT + canvas.full_height + BESIDE))

    def document_menu(self, document: str) -> QMenu:
        """Return the menu of a document of the strips."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        add_judging(menu, self.session, self.session.view.query_id, document)
        return menu

    def _on_menu_asked(self, document: str, where: QPoint) -> None:
        self.document_menu(document).popup(where)

    def _on_document_chosen(self, document: str) -> None:
        self.session.navigation.set_document(document)


@guarded
class RecallView(Screen):
    """The recall of the selected query with the stop line, its explanation, and a small plot for each query."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.line = PlotPanel(theme, self._make_line, _put_figure)
        self.grid = PlotPanel(theme, self._make_grid, _put_view_model)
        self.plots = (self.line, self.grid)
        self.stopping = Panel(theme, tr("Stopping point"))
        self.words = Sentences()
        self.words.setFont(theme.font(10))
        self.words.setWordWrap(True)
        self.words.setContentsMargins(12, 10, 12, 10)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.stopping_area = QScrollArea()  # missed documents may be many
        self.stopping_area.setWidget(self.words)
        self.stopping_area.setWidgetResizable(True)
        self.stopping_area.setFrameShape(QFrame.Shape.NoFrame)
        self.stopping_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.stopping_area.setAccessibleName(tr("Results at the stopping point"))
        self.stopping_area.viewport().setAutoFillBackground(False)
        self.words.setAutoFillBackground(False)
        self.stopping.set_body(self.stopping_area)
        self.stop = NumberField(theme, tr("Stop after"), tr("Number of documents that are read"))
        self.documents = NumberField(
            theme,
            trc("Stop after 10 of 1,000 documents", "of"),
            tr("Number of documents in the collection. Leave empty to use the known number."),
            90,
        )
        for field, used in ((self.stop, self._on_stop_used), (self.documents, self._on_size_used)):
            self.stopping.header_layout.addWidget(field)
            field.used.connect(used)
        above = split(Qt.Orientation.Horizontal, (self.line, self.stopping), (5, 3))
        plots = split(Qt.Orientation.Vertical, (above, self.grid), (1, 1))
        self.either = _OrReason(theme, Scrolled(plots, (760, 520)))
        self.set_content(self.either)
        self.setFocusProxy(self.line)
        self._on_theme_changed()
        theme.changed.connect(self._on_theme_changed)

    def refresh(self, changes: frozenset[Change]) -> None:
        view_model = self.session.failures.recall_view_model()
        if view_model is None:
            return
        self.either.show_reason(nothing_in(self.session.view.collection, "queries", "recall"))
        self.line.set_title(tr("{query} · recall by documents read", query=view_model.title))
        self.line.set_note(view_model.explanation or view_model.figure.note)
        self.line.show_value(view_model.figure, again=Change.RUNS in changes)
        self.grid.set_title(trn("{n:,} query", "{n:,} queries", len(view_model.query_ids)))
        start = start_of_all(view_model.query_ids)
        ids = tr("ids {start}…", start=visible(start)) if start else ""
        note = tr("worst first · recall at the stop line · ordered by the area under the recall curve")
        self.grid.set_note(" · ".join(filter(None, (ids, note))))
        self.grid.show_value(view_model, again=Change.RUNS in changes)
        self.stop.show_value(f"{view_model.stop}")
        self.documents.show_value(f"{view_model.size}" if view_model.size else "")
        self.words.setText(missed_words(view_model))

    def _make_line(self) -> QWidget:
        from irviewer.gui.plots.reading_depth_line import ReadingDepthLineView

        line = ReadingDepthLineView(self.session, self.theme)
        line.moved.connect(self._on_line_moved)
        return line

    def _make_grid(self) -> QWidget:
        from irviewer.gui.plots.recall_grid import RecallGrid

        grid = RecallGrid(self.theme)
        grid.chosen.connect(self._on_query_chosen)
        return grid

    def _on_line_moved(self, stop: int) -> None:
        self.session.failures.set_stop(stop)

    def _on_query_chosen(self, query: str) -> None:
        self.session.navigation.set_query(query)

    def _on_stop_used(self, text: str) -> None:
        number = text.replace(",", "").replace(" ", "")
        if number.isdigit():
            self.session.failures.set_stop(int(number))

    def _on_size_used(self, text: str) -> None:
        number = text.replace(",", "").replace(" ", "")
        if not number:
            self.session.failures.set_collection_size(None)
        elif number.isdigit():
            self.session.failures.set_collection_size(int(number))

    def _on_theme_changed(self) -> None:
        self.words.set_ink(self.theme["ink"])


def missed_words(view_model: RecallViewModel) -> str:
    """Return the results at the stop line, with the ids of missed documents."""
    if view_model.explanation and not view_model.stopped:
        return view_model.explanation
    parts = [view_model.stopped.replace(" · ", "\n")]
    if view_model.missed:
        ids = [document for document, _ in view_model.missed]
        start = start_of_all(ids)  # said once, before all
        listed = ", ".join(
            tr("{document} (rank {rank:,})", document=document, rank=rank)
            if rank
            else tr("{document} (not retrieved)", document=document)
            for document, rank in ((document[len(start) :], rank) for document, rank in view_model.missed[:NAMED])
        )
        listed = f"{start}… {listed}" if start else listed
        others = len(view_model.missed) - NAMED
        if others > 0:
            parts.append(
                trn(
                    "Missed: {documents} and {n:,} more document",
                    "Missed: {documents} and {n:,} more documents",
                    others,
                    documents=listed,
                )
            )
        else:
            parts.append(tr("Missed: {documents}", documents=listed))
    parts += [
        view_model.stopped_all,
        tr("Documents: {count:,} ({source})", count=view_model.size or view_model.known, source=view_model.size_known),
    ]
    return "\n\n".join(parts)


def _put_view_model(canvas: Any, view_model: RecallViewModel) -> None:
    canvas.show_view_model(view_model)


def _put_figure(canvas: Any, figure: Any) -> None:
    canvas.show_figure(figure)


FAILURES, DOCUMENTS, TO_JUDGE = tr("failures"), tr("documents"), tr("judging")
TABS = (
    Tab("failures", tr("Failures"), tr("On which queries runs fail, and how"), FailuresView, FAILURES),
    Tab(
        "hubs", tr("Misleading documents"), tr("Non-relevant documents that many queries retrieve"), HubsView, FAILURES
    ),
    Tab(
        "relevant",
        tr("Relevant documents"),
        tr("The rank of each relevant document of the query in every run"),
        RelevantView,
        DOCUMENTS,
    ),
    Tab(
        "vector",
        tr("Ranking vector"),
        tr("Documents ranked too high or too low, and by how much"),
        VectorView,
        DOCUMENTS,
    ),
    Tab(
        "recall",
        tr("Reading effort"),
        tr("Recall by number of documents read, with stopping points"),
        RecallView,
        DOCUMENTS,
    ),
    Tab("worklist", tr("Worklist"), tr("Unjudged documents, the most useful to judge first"), WorklistView, TO_JUDGE),
)
"""What the failure analysis adds to the screen Queries."""
