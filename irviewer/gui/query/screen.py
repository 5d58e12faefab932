"""The Query view: ranked lists or strips of one query, missed documents, document, measures and curves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from irviewer.commands import run_command
from irviewer.evaluation.answer_cautions import why_no_curves
from irviewer.figures.figure import Figure
from irviewer.gui.guard import guarded
from irviewer.gui.query.blind_judging import BlindJudging
from irviewer.gui.query.document import Document
from irviewer.gui.query.metrics import MetricsTable
from irviewer.gui.query.query_header import QueryPanel
from irviewer.gui.query.query_list import QueryList
from irviewer.gui.query.rankings.missed import FOLDED, Missed
from irviewer.gui.query.rankings.ranked_lists import RankedLists
from irviewer.gui.query.rankings.strips import Strips
from irviewer.gui.screens.screen import GAP, ColumnSplitter, Screen, fill, put_waterfall, show_figures
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented, command_keys
from irviewer.gui.widgets.folded_panel import FoldedPanel
from irviewer.gui.widgets.panel import HEADER_HEIGHT
from irviewer.gui.widgets.plain_text import visible
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.screen_reader import announce
from irviewer.gui.widgets.table import ROW_HEIGHT
from irviewer.session.changes import EVERY_CHANGE, Change
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.gui.plots.curves.canvas import Canvas
    from irviewer.gui.query.answer.view import AnswerView
    from irviewer.gui.query.label_answers import LabelAnswers
    from irviewer.gui.query.stages import StagesView
    from irviewer.gui.tables.ledger_panel import LedgerView
    from irviewer.gui.teaching.lecture_table import LectureTableView
    from irviewer.gui.teaching.lesson_strip import LessonStrip
    from irviewer.gui.teaching.screen import LessonBox
    from irviewer.session.session import Session

_THREE_LEAST = 900
"""The least width for two documents and a table side by side, in pixels."""

MODES = (
    ("lists", tr("Lists"), tr("The rankings side by side")),
    ("strips", tr("Strips"), tr("One row per run and one cell per rank: room for many runs")),
    ("stages", tr("Stages"), tr("A first stage and the runs that re-rank it: what each stage loses")),
    ("answer", tr("Answer"), tr("The answer made from the list: sentences, what they cite, and nuggets")),
    ("label", tr("Label"), tr("Label by hand what an answer says and what supports it, and write nuggets")),
)
"""The tabs of Query: both ways to show its rankings, the stages, and the answers made from them."""

_MOST = 16_777_215
"""Qt's largest height."""

_TWO_PLOTS = 800
"""From this height in pixels two plots are shown; below it one, which is chosen by a switch."""

_FEW_RANKS = 720
"""Below this height in pixels the missed documents are folded, and the document replaces the second plot, so that the
lists show enough ranks."""

_RANKS_ALONE = 330
"""Below this height in pixels the line of the folded missed documents gives its room to ranks."""

_PLOT_AND_DOCUMENT = 560
"""Below this height in pixels a document replaces both plots."""

_PLOT_LEAST = 118
"""The least height of the plot above a document, in pixels."""
_PLOT_READ = 200
"""The height at which that plot can be read, which it has as long as the document has as much."""

_CHART_LEAST = 206
"""The height of the one chart of a low window, with its legend, before the measures have more, and the most of the
window's that it takes."""
_CHART_SHARE = 0.42

_SIDE_LEAST = {"queries": 700, "measures": 880}
"""The width in pixels below which a side panel is folded, so that the rankings have room for two lists."""

_TABS_ROOM = 430
"""Below this width in pixels of the rankings their tabs are a menu, so that the query's text has room."""

_LOW = 330
"""The least height for the measures above a lesson, in pixels."""

_HEADER_LEAST = 150
"""The height in pixels below which the rankings of a lesson give the room of their header to ranks."""


CHARTS = (
    ("recall", tr("PR"), tr("Precision by recall")),
    ("gain", tr("DCG"), tr("Gain by rank")),
    ("cutoff", tr("@k"), tr("nDCG by cutoff")),
)
"""The charts of a query, of which a low window shows one."""


class _Shape(NamedTuple):
    """What the sizes of the panels depend on: numbers of measures and of strips, and what is shown or folded."""

    measures: int = 0
    strips: int = 0
    ledger: bool = False
    two_documents: bool = False
    queries: bool = False
    missed_folded: bool = False
    document_aside: bool = False
    numbers: bool = False


@guarded
class QueryScreen(Screen):
    """The Query view: the list of queries, ranked lists or strips above the missed documents, measures and curves.

    The selected document is shown beside the missed ones, a pinned one to its left; in a narrow window two documents
    replace the missed ones. In a low window the selected document replaces the second plot, so that the lists keep
    their ranks."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.queries = QueryList(session, theme)
        self.lists = RankedLists(session, theme)
        self.strips = Strips(session, theme)
        self.missed = Missed(session, theme)
        self.document = Document(session, theme)
        self.pinned = Document(session, theme, pinned=True)
        self.metrics = MetricsTable(session, theme)
        self.plots = (self.figure_panel(), self.figure_panel())
        self._one_shown: bool | None = None
        """Whether one chart is shown that is chosen; None before any."""
        self.charts = Segmented(theme, CHARTS)
        self.charts.chosen.connect(session.appearance.set_query_chart)
        self.plots[0].header_layout.addWidget(self.charts)
        self._legends: tuple[QWidget, ...] = ()
        self.centre = QueryPanel(session, theme)
        self._ledger: LedgerView | None = None
        self.waterfall = PlotPanel(theme, self._make_waterfall, put_waterfall)
        self.waterfall.hide()
        self._lesson: LessonBox | None = None
        self._lesson_strip: LessonStrip | None = None
        self._lesson_alone = False
        self.stages: StagesView | None = None
        self.answer: AnswerView | None = None
        self.label: LabelAnswers | None = None
        self._label_page = QWidget()
        self.table: LectureTableView | None = None
        self.modes = Segmented(theme, MODES, tabs=True)
        self.centre.set_tabs(self.modes)
        self.modes.chosen.connect(self._on_mode_chosen)
        self._stages_modes: Segmented | None = None
        self._stages_page: QWidget
        # From the outside in: each change of a widget's parent is passed on to everything within it, since the
        # application has a style sheet, so what is large is added once.
        self.pages = QStackedWidget()
        self._page = QWidget()
        """The strip of a lesson above the pages."""
        _column(self._page).addWidget(self.pages, 1)
        self.set_content(self._page)
        self.rankings_page = QWidget()
        """The side panels with the rankings between them; a strip stands where a panel is folded."""
        self.pages.addWidget(self.rankings_page)
        self.content = ColumnSplitter(Qt.Orientation.Horizontal)
        self.strip_queries, self.strip_measures = (
            FoldedPanel(theme, title, tr("Show {panel} ({keys})", panel=panel, keys=command_keys(command)))
            for title, panel, command in (
                (tr("Queries"), tr("the list of queries"), "fold_queries"),
                (tr("Measures and charts"), tr("measures and charts"), "fold_measures"),
            )
        )
        row = QHBoxLayout(self.rankings_page)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self.strip_queries)
        row.addWidget(self.content, 1)
        row.addWidget(self.strip_measures)
        self.strip_queries.clicked.connect(self._on_queries_fold_asked)
        self.strip_measures.clicked.connect(self._on_measures_fold_asked)
        self.middle = ColumnSplitter(Qt.Orientation.Vertical)
        self.why = QStackedWidget()
        fill(self.content, (self.queries, self.middle, self.why), (0, 1, 0))
        self.below = ColumnSplitter(Qt.Orientation.Horizontal)
        fill(self.middle, (self.centre, self.below), (7, 3))
        self.rankings = QStackedWidget()
        self.centre.set_body(self.rankings)
        self.rankings.addWidget(self.lists)
        self.rankings.addWidget(self.strips)
        fill(self.below, (self.missed, self.waterfall, self.pinned, self.document), (1, 1, 1, 1))
        self.right = ColumnSplitter(Qt.Orientation.Vertical)
        self.why.addWidget(self.right)
        self.second = QStackedWidget()
        """The second plot, or the selected document in its place."""
        self.second.addWidget(self.plots[1])
        self._lesson_room = QStackedWidget()
        self._lesson_room.hide()
        fill(self.right, (self.metrics, self.plots[0], self.second, self._lesson_room), (10, 9, 9, 18))
        self.blind = BlindJudging(session, theme, self)
        self.document.hide()
        self.pinned.hide()
        self._chosen = False
        self._taught = False
        self._in_class = False
        self._missed_wanted = True  # whether the missed documents have a place
        self._has_queries = self._has_numbers = True  # whether the side panels have something to show
        self._aside = False  # whether the selected document is shown in place of the second plot
        self._left_out: frozenset[Change] = frozenset()  # changes while the stages were shown
        self._fold: bool | None = None  # what the user chose
        self._shape = _Shape()
        for splitter in (self.content, self.middle, self.right):
            splitter.splitterMoved.connect(self._on_splitter_moved)
        self._views = (self.queries, self.centre, self.missed, self.pinned, self.document, self.metrics)
        self._pending: dict[QWidget, frozenset[Change]] = {}  # changes while a view was hidden
        self.missed.fold_asked.connect(self._on_fold_asked)
        for view in (self.lists, self.strips, self.missed.table):
            view.document_asked.connect(self._on_document_asked)

    @property
    def ranking(self) -> RankedLists | Strips:
        """The lists or the strips, whichever are shown."""
        return self.strips if self.session.view.lists_mode == "strips" else self.lists

    @property
    def ledger(self) -> LedgerView:
        """The ledger in place of measures and curves, made for the first value that is explained."""
        if self._ledger is None:
            from irviewer.gui.tables.ledger_panel import LedgerView

            self._ledger = LedgerView(self.session, self.theme, self.session.explaining.ledger_view_model)
            self.why.addWidget(self._ledger)
        return self._ledger

    @property
    def lesson(self) -> LessonBox:
        """The lesson in place of the curves, made for the first lesson."""
        if self._lesson is None:
            from irviewer.gui.teaching.screen import LessonBox

            self._lesson = LessonBox(self.session, self.theme)
            self._lesson_room.addWidget(self._lesson)
        return self._lesson

    @property
    def lesson_strip(self) -> LessonStrip:
        """The strip above the lists, made for the first lesson."""
        if self._lesson_strip is None:
            from irviewer.gui.teaching.lesson_strip import LessonStrip

            self._lesson_strip = LessonStrip(self.session, self.theme)
            layout = self._page.layout()
            assert isinstance(layout, QVBoxLayout)
            layout.insertWidget(0, self._lesson_strip)
        return self._lesson_strip

    def filter_field(self) -> QLineEdit | None:
        tab = self.session.view.tab("query")
        if tab == "stages":
            return None
        return self.answer.filter_field() if tab == "answer" and self.answer is not None else self.queries.filter

    def refresh(self, changes: frozenset[Change]) -> None:
        if self.blind.covers(changes):
            return
        changes |= self.blind.take_missed()
        if self._show_table() or self._show_tab(changes):
            self._left_out |= changes
            return
        changes |= self._left_out
        self._left_out = frozenset()
        teaching = self.session.teaching.is_on
        one_query = teaching and self.session.view.context is not None and len(self.session.view.context.query_ids) == 1
        self._has_queries = not one_query
        in_class = self._in_class = self.session.teaching.in_class
        # The strip of the lesson has what is in the header then.
        self._lesson_alone = one_query and in_class and self.session.lessons.lesson is not None
        # Without judgments or runs there are no values: the rankings take the room, with a notice.
        numbers = self.session.view.judgments is not None and bool(self.session.view.labels())
        self._has_numbers = numbers
        explaining = numbers and self.session.explaining.is_on and not self.session.teaching.covers_values
        covered = teaching and (self.session.teaching.covers_values or in_class)
        self._fold_sides()
        self.lists.set_low(in_class)
        self._missed_wanted = numbers and not (explaining or covered or self._crowded() or self._low())
        self._show_missed()
        self._explain(explaining, changes)
        self._teach(teaching, changes)
        self._fit_header()
        if self.rankings.currentWidget() is not self.ranking:
            focused = self.rankings.isAncestorOf(self.focusWidget() or self)
            self.rankings.setCurrentWidget(self.ranking)
            changes |= {Change.QUERY}
            if focused:
                self.ranking.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setFocusProxy(self._first_focus(teaching))
        self._show_document()
        self.ranking.refresh(changes)
        for view in (*self._views, *self.plots):
            self._pending[view] = self._pending.get(view, frozenset()) | changes
        view_model = self.session.view_models.query_view_model()
        of_list = self.session.view_models.query_list_view_model
        parts: list[Callable[[], object]] = [] if self.queries.isHidden() else [of_list]
        parts += [partial(self._show_view, view) for view in self._views]
        parts += [self._show_folded, self._find_first_chart, self._show_first_chart, self._show_second_chart]
        parts += [self._show_rest]
        self.refresh_in_parts(parts, 0 if view_model is None else len(view_model.columns))

    def _show_view(self, view: QueryList | QueryPanel | Missed | Document | MetricsTable) -> None:
        """Refresh a view if it is shown, with all that changed while it was hidden."""
        if not view.isHidden() and view in self._pending:
            view.refresh(self._pending.pop(view))

    def _show_pending(self) -> None:
        for view in self._views:
            self._show_view(view)

    def _show_rest(self) -> None:
        """Share the room among what is shown."""
        if self.session.view_models.query_view_model() is not None and self._wanted_shape() != self._shape:
            self._share_room()

    def _find_first_chart(self) -> Figure | None:
        """Return what the first chart shows: precision by recall, or where there is room for one chart, the chosen one.
        The curves of hundreds of runs take as long to compute, which is done once, as to show."""
        view_model = self.session.view_models.query_view_model()
        chart = self.session.view.query_chart if self._one_chart() else "recall"
        if view_model is None:
            return None
        if chart == "recall":
            return view_model.precision_recall
        return view_model.gain if chart == "gain" else view_model.by_cutoff

    def _show_first_chart(self) -> None:
        figure = self._find_first_chart()
        if figure is None:
            return
        self._one_shown = alone = self._one_chart()
        if alone:
            self.charts.show_chosen(self.session.view.query_chart)
        self.charts.setVisible(alone)
        self._show_chart(self.plots[0], figure)

    def _show_second_chart(self) -> None:
        """Show the gain by rank where there is room for two charts."""
        view_model = self.session.view_models.query_view_model()
        if view_model is not None and not self._one_chart():
            self._show_chart(self.plots[1], view_model.gain)

    def _show_chart(self, plot: PlotPanel, figure: Figure) -> None:
        show_figures((plot,), (figure,), self._pending.pop(plot, frozenset()))
        judgments = self.session.view.judgments
        why = "" if judgments is None else why_no_curves(judgments.qrels)
        plot.show_reason(f"{why[:1].upper()}{why[1:]}." if why else "")

    def _one_chart(self) -> bool:
        """Return whether there is room for one chart only."""
        return self.height() < _TWO_PLOTS

    def load_plots(self) -> None:
        super().load_plots()
        if not self._legends:
            from irviewer.gui.plots.curves.legend import LegendRows

            self._legends = tuple(LegendRows(cast("Canvas", plot.canvas), self.theme) for plot in self.plots)
            for plot, legend in zip(self.plots, self._legends, strict=True):
                plot.add_below(legend)

    def _show_table(self) -> bool:
        """Show the lecture's table in place of everything else, if the lesson wants it; return whether it does."""
        session = self.session
        wanted = session.teaching.is_on and session.teaching.lesson.view == "table" and not session.teaching.hides_table
        if not wanted or session.lecture_table.view_model() is None:
            return False
        if self.table is None:
            from irviewer.gui.teaching.lecture_table import LectureTableView

            self.table = LectureTableView(session, self.theme)
            self.pages.addWidget(self.table)
            self.lesson_strip.left_out.connect(self.table.show_text)
        self.modes.hide()
        lesson = session.lessons.lesson is not None
        self.lesson_strip.set_compact(session.teaching.in_class)
        self.lesson_strip.refresh()
        self.lesson_strip.setVisible(lesson)
        self.table.set_below_lesson(lesson)
        self.table.refresh()
        self.setFocusProxy(self.table)
        if self.pages.currentWidget() is not self.table:
            focused = self.pages.isAncestorOf(self.window().focusWidget() or self)
            self.pages.setCurrentWidget(self.table)
            if focused:
                self.table.rows.focus()
        return True

    def _show_tab(self, changes: frozenset[Change]) -> bool:
        """Show the tab that the session has chosen; return whether it is another one than the rankings."""
        tab = self.session.view.tab("query") if not self.session.teaching.covers_values else "rankings"
        wanted = tab != "rankings"
        self.modes.show_chosen(tab if wanted else self.session.view.lists_mode)
        self.modes.setVisible(not self.session.teaching.is_on)
        self._show_answer_tabs(self.modes, tab)
        page: QWidget = self.rankings_page
        if wanted:
            view, page = self._tab_view(tab)
            if self.pages.indexOf(page) < 0:
                self.pages.addWidget(page)
                changes = EVERY_CHANGE
            view.refresh(changes)
            self.setFocusProxy(view)
        if self.pages.currentWidget() is not page:
            focused = self.pages.isAncestorOf(self.window().focusWidget() or self)
            self.pages.setCurrentWidget(page)
            if focused:
                inside = self.focusProxy() if wanted else None
                (inside or self.ranking).setFocus(Qt.FocusReason.OtherFocusReason)
        return wanted

    def _show_answer_tabs(self, modes: Segmented, tab: str) -> None:
        """Show the tabs of answers where there are any, and the one in view."""
        for name, is_here in (
            ("answer", self.session.answers.is_here),
            ("label", bool(self.session.answering.systems)),
        ):
            modes.buttons[name].setVisible(is_here or name == tab)

    def _tab_view(self, tab: str) -> tuple[StagesView | AnswerView | LabelAnswers, QWidget]:
        """Return the view of a tab and its page, which are made when it is first shown."""
        if tab == "answer":
            if self.answer is None:
                from irviewer.gui.query.answer.view import AnswerView

                self.answer = AnswerView(self.session, self.theme, self.pages)
                self.answer.set_tabs(self._further_modes("answer"))
            return self.answer, self.answer
        if tab == "label":
            if self.label is None:
                from irviewer.gui.query.label_answers import LabelAnswers

                self.label = LabelAnswers(self.session, self.theme)
                self._label_page = _below(_left(self._further_modes("label")), self.label)
            return self.label, self._label_page
        if self.stages is None:
            from irviewer.gui.query.stages import StagesView

            self.stages = StagesView(self.session, self.theme)
            self._stages_modes = self._further_modes("stages")
            self._stages_page = _below(_left(self._stages_modes), self.stages)
        assert self._stages_modes is not None
        self._show_answer_tabs(self._stages_modes, tab)
        return self.stages, self._stages_page

    def _further_modes(self, chosen: str) -> Segmented:
        """Return the switch of the tabs for a page of its own."""
        modes = Segmented(self.theme, MODES, tabs=True)
        modes.chosen.connect(self._on_mode_chosen)
        modes.show_chosen(chosen)
        return modes

    def _on_mode_chosen(self, mode: str) -> None:
        if mode in ("stages", "answer", "label"):
            self.session.navigation.set_tab("query", mode)
        else:
            self.session.appearance.set_lists_mode(mode)

    def _teach(self, teaching: bool, changes: frozenset[Change]) -> None:
        """Show or hide the lesson strip, and the lesson in place of the curves."""
        if (self._taught and not teaching) and any(
            widget.isAncestorOf(self.focusWidget() or self) for widget in (self.lesson, self.lesson_strip)
        ):
            self.ranking.setFocus(Qt.FocusReason.OtherFocusReason)  # Qt would give the focus to the next widget
        if teaching or self._lesson_strip is not None:
            self.lesson_strip.set_compact(self._in_class)
            self.lesson_strip.refresh()
        began = teaching and self._lesson_room.isHidden()
        self._show_plots(teaching)
        shown = teaching and not self._covers_values()
        self.metrics.setVisible(not self._low() and not (teaching and self.session.teaching.covers_values))
        self._lesson_room.setVisible(shown)
        if shown:
            self.lesson.refresh(changes)
        if teaching != self._taught:
            self._taught = teaching
            self._share_room()
        if began and shown:
            self.lesson.setFocus(Qt.FocusReason.OtherFocusReason)

    def _first_focus(self, teaching: bool) -> QWidget:
        """Return what has the keyboard when the screen is shown: of a lesson the ranks to reveal, or where its question
        is answered, which covers them."""
        if teaching and not self._lesson_room.isHidden():
            return self.lesson
        inputs = self.lesson_strip.question.inputs if teaching else ()
        return next((each for each in inputs if each.isEnabled() and not each.isHidden()), self.ranking)

    def _explain(self, explaining: bool, changes: frozenset[Change]) -> None:
        """Show the ledger in place of measures and curves, and the waterfall in place of the missed documents."""
        wanted: QWidget = self.ledger if explaining else self.right
        turned = self.why.currentWidget() is not wanted
        if turned:
            focused = self.why.isAncestorOf(self.focusWidget() or self)
            self.why.setCurrentWidget(wanted)
            if focused:
                (self.ledger if explaining else self.ranking).setFocus(Qt.FocusReason.OtherFocusReason)
        view_model = self.session.explaining.ledger_view_model() if explaining else None
        apart = None if view_model is None else view_model.difference
        self.waterfall.setVisible(apart is not None and not self._crowded())
        if not explaining:
            if turned:
                announce(self, tr("Back to measures and curves"))
            return
        self.ledger.refresh(changes)
        if turned and view_model is not None:
            announce(self.ledger, visible(view_model.explanation or f"{view_model.title} {view_model.worked}"))
        if apart is not None:
            if self.waterfall.canvas is None:
                self.waterfall.load()
            self.waterfall.set_title(apart.title)
            self.waterfall.set_note(apart.note)
            self.waterfall.show_value(apart)

    def _make_waterfall(self) -> QWidget:
        from irviewer.gui.plots.waterfall import WaterfallView

        waterfall = WaterfallView(self.session, self.theme)
        waterfall.chosen.connect(self._on_part_chosen)
        return waterfall

    def _on_part_chosen(self, document: str) -> None:
        self.session.navigation.set_document(document)

    def _show_document(self) -> None:
        """Show the panels of the selected and the pinned document, if there are any; keep the keyboard focus."""
        selected, pinned = self.session.view.document_id, self.session.documents.pinned_document
        if self._in_class and self._gives_way():
            selected = pinned = None
        if selected is not None:  # what it has decides where it goes
            self.document.refresh(frozenset({Change.DOCUMENT}))
        self._place_document(selected is not None)
        wanted_panels = ((self.pinned, pinned not in (None, selected)), (self.document, selected is not None))
        below = self._views_below()
        for panel, wanted in wanted_panels:
            (below.add if wanted and panel.parentWidget() is self.below else below.discard)(panel)
        self.below.setVisible(bool(below))
        for panel, wanted in wanted_panels:
            if wanted == panel.isHidden():
                self._show_panel(panel, wanted)

    def _gives_way(self) -> bool:
        """Return whether the panel of a document leaves its room to the ranks in class: it has no text to show."""
        collection = self.session.view.collection
        return collection is not None and collection.documents is None

    def _place_document(self, wanted: bool) -> None:
        """Put the panel of the selected document in place of the second plot in a low window, else below the lists."""
        if not wanted:
            if self._aside:
                self._aside = False
                self._leave(self.document)
                self.second.setCurrentWidget(self.plots[1])
            return
        aside = (
            self.height() < _FEW_RANKS
            and not self._taught
            and self.why.currentWidget() is self.right
            and not self.why.isHidden()
            and not self.session.documents.beside
            and not self.document.is_line
        )
        if aside != (self.document.parentWidget() is self.second):
            now = self.focusWidget()
            focused = now if now is not None and self.document.isAncestorOf(now) else None
            (self.second if aside else self.below).addWidget(self.document)
            self.document.setVisible(not aside)
            if focused is not None:
                focused.setFocus(Qt.FocusReason.OtherFocusReason)
        if aside != self._aside:
            self._aside = aside
            self.second.setCurrentWidget(self.document if aside else self.plots[1])
            if aside:
                self.document.refresh(frozenset({Change.DOCUMENT}))

    def _leave(self, panel: QWidget) -> None:
        """Give the focus to the rankings before a panel that has it is hidden."""
        if panel.isAncestorOf(self.focusWidget() or self):
            self.ranking.setFocus(Qt.FocusReason.OtherFocusReason)

    def _views_below(self) -> set[QWidget]:
        """Return the views that are shown below the rankings."""
        below, views = self.below, (self.missed, self.waterfall, self.pinned, self.document)
        return {view for view in views if view.parentWidget() is below and not view.isHidden()}

    def _show_panel(self, panel: Document, wanted: bool) -> None:
        if not wanted:
            self._leave(panel)
        panel.setVisible(wanted)
        if wanted:
            panel.refresh(frozenset({Change.DOCUMENT}))

    def _fit_header(self) -> None:
        room = self.height()
        if self._taught:
            room -= self.lesson_strip.heightForWidth(self.width()) + GAP
        self.centre.header.setVisible(not self._lesson_alone and room >= _HEADER_LEAST)
        # Curves, which are higher than that, end below the window then, not behind the lesson.
        self.content.setMinimumHeight(0 if room >= _HEADER_LEAST else 1)

    def _low(self) -> bool:
        """Return whether the lesson leaves no room for the measures and the missed documents."""
        return self._taught and self.height() - self.lesson_strip.heightForWidth(self.width()) < _LOW

    def _crowded(self) -> bool:
        """Return whether two documents side by side leave no room for the missed documents."""
        return self.session.documents.beside and self.middle.width() < _THREE_LEAST

    def _show_plots(self, teaching: bool) -> None:
        """Show both plots, in a low window the first, or the document in place of both; none beside a lesson."""
        aside = self._aside
        self.plots[0].setVisible(not teaching and (not aside or self.height() >= _PLOT_AND_DOCUMENT))
        self.second.setVisible(not teaching and (aside or self.height() >= _TWO_PLOTS))

    def _alone(self) -> bool:
        """Return whether nothing that needs room is beside the missed documents."""
        beside = {self.document} if self.document.is_line else set()
        return self._views_below() - beside == {self.missed}

    def _show_missed(self) -> None:
        """Show the missed documents, but no line of them alone where a few ranks are all that has room."""
        alone = self.height() < _RANKS_ALONE and self._fold is None
        self.missed.setVisible(self._missed_wanted and not alone)

    def _show_folded(self) -> None:
        """Fold the missed documents if the user wants, or in a low window; never beside a document."""
        wanted = self._fold if self._fold is not None else self.height() < _FEW_RANKS
        folded = wanted and self._alone()
        if folded != self.missed.folded:
            self.missed.fold(folded)
            self.below.setMaximumHeight(FOLDED if folded else _MOST)

    def _on_queries_fold_asked(self) -> None:
        run_command(self.session, "fold_queries")

    def _on_measures_fold_asked(self) -> None:
        run_command(self.session, "fold_measures")

    def _on_fold_asked(self) -> None:
        self._fold = not self.missed.folded
        self._show_folded()
        self._chosen = False
        self._share_room()

    def _on_document_asked(self) -> None:
        # The window refreshes later, but the text gets the focus now.
        self._show_document()
        if not self.document.isHidden():
            self.document.focus_text()

    def _is_narrow(self, panel: str) -> bool:
        """Return whether the window has no room for a side panel beside the rankings."""
        return self.width() < _SIDE_LEAST[panel]

    def _is_folded(self, panel: str) -> bool:
        """Return whether a side panel that has something to show is folded. A lesson needs both, the ledger the
        right one."""
        view, explaining = self.session.view, self.session.explaining.is_on
        if self.session.teaching.is_on or (panel == "measures" and explaining):
            return False
        if self._is_narrow(panel):
            return view.opened_panel != panel or (panel == "queries" and explaining)
        if panel == "queries" and self._is_narrow("measures") and (explaining or view.opened_panel == "measures"):
            return True  # the rankings have no room between both
        return panel in view.folded_panels

    def fold_panel(self, panel: str) -> str:
        """Fold the side panel "queries" or "measures", or open it; return what was done, in words."""
        names = {"queries": tr("The list of queries"), "measures": tr("Measures and charts")}
        keys = command_keys(f"fold_{panel}")
        if self.session.teaching.is_on:
            return tr("In a lesson the side panels stay open.")
        if panel == "measures" and self.session.explaining.is_on:
            return tr(
                "The ledger is in the place of measures and charts; {keys} closes it.", keys=command_keys("explain")
            )
        folded, narrow = self._is_folded(panel), self._is_narrow(panel)
        if panel == "queries" and self.answer is not None and self.session.view.tab("query") == "answer":
            folded, narrow = self.answer.queries_folded, self.answer.is_narrow
        if folded and not narrow and panel not in self.session.view.folded_panels:
            self.session.appearance.fold_panel("measures", True, narrow=True)  # it stood in the way
        else:
            self.session.appearance.fold_panel(panel, not folded, narrow=narrow)
        if folded:
            return tr("{panel}: shown. {keys} folds again.", panel=names[panel], keys=keys)
        return tr("{panel}: folded. {keys} shows again.", panel=names[panel], keys=keys)

    def _covers_values(self) -> bool:
        """Return whether a question of a lesson asks, whose answer may be in any table of values. A curve is read by
        its axes, which is what a question about it asks for."""
        return self.session.teaching.covers_values and self.session.teaching.lesson.view != "curves"

    def _fold_sides(self) -> bool:
        """Show each side panel, or the strip in its place; return whether a panel changed."""
        changed = False
        for name, panel, strip, has in (
            ("queries", self.queries, self.strip_queries, self._has_queries),
            ("measures", self.why, self.strip_measures, self._has_numbers and not self._covers_values()),
        ):
            folded = self._is_folded(name)
            shown = has and not folded
            strip.setVisible(has and folded)
            if shown == panel.isHidden():
                focused = panel.isAncestorOf(self.focusWidget() or self)
                panel.setVisible(shown)
                if focused and not shown:
                    self.ranking.setFocus(Qt.FocusReason.OtherFocusReason)
                changed = True
        return self._make_room_for_ledger() or changed

    def _make_room_for_ledger(self) -> bool:
        """Show the ledger alone where the rankings beside it would leave room for neither; return whether that
        changed."""
        explaining = self.session.explaining.is_on and not self.session.teaching.is_on
        alone = explaining and self._is_narrow("queries") and not self.why.isHidden()
        if alone != self.middle.isHidden():
            focused = self.middle.isAncestorOf(self.focusWidget() or self)
            self.middle.setVisible(not alone)
            if alone and focused:
                self.ledger.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fold_sides():
            if self.is_waiting:  # of much data the list of queries alone takes an event
                self._parts.append(self._show_pending)
            else:
                self._show_pending()
        self.modes.fold(self.middle.width() < _TABS_ROOM)
        view_model = self.session.view_models.query_view_model()
        if view_model is not None and self._one_shown not in (None, self._one_chart()):
            self._show_first_chart()
            self._show_second_chart()
            # Else the column of the charts is as wide as the heads that they had.
            QApplication.sendPostedEvents(None, int(QEvent.Type.LayoutRequest))
        self._show_missed()
        self._show_view(self.missed)
        self._show_document()
        self._fit_header()
        self._share_room()

    def _on_splitter_moved(self, place: int, at: int) -> None:
        self._chosen = True

    def _wanted_shape(self) -> _Shape:
        view_model = self.session.view_models.query_view_model()
        return _Shape(
            measures=0 if view_model is None else len(view_model.metrics),
            strips=len(view_model.strips) if view_model is not None and self.ranking is self.strips else 0,
            ledger=self.session.explaining.is_on,
            two_documents=self.session.documents.beside,
            queries=not self.queries.isHidden(),
            missed_folded=self.missed.folded,
            document_aside=self._aside,
            numbers=not self.why.isHidden(),
        )

    def _share_room(self) -> None:
        """Set the sizes, with most room for the lists, unless the user moved a border."""
        view_model = self.session.view_models.query_view_model()
        self._show_folded()
        self._show_plots(self._taught)
        if self._chosen or view_model is None:
            return
        self._shape = self._wanted_shape()
        width = self.width()
        # Two lines of a query's text are read in some 240 pixels.
        left = max(168, min(300, round(width * 0.19)))
        # In 1280 pixels the measures of four runs fit without scrolling.
        right = max(300, min(500, round(width * 0.235)))
        left = 0 if self.queries.isHidden() else left
        if self._shape.ledger:  # a ledger has more columns than the measures table
            right = max(right, min(620, round(width * 0.36)))
        height = self.height()
        below = FOLDED if self.missed.folded else max(150, min(280, round(height * 0.3)))
        if self._taught:  # a lesson needs room; a single query needs no list
            right = max(right, min(600, round(width * 0.42)))
            height -= self.lesson_strip.heightForWidth(width) + GAP
            below = max(120, round(height * 0.22))
        right = 0 if self.why.isHidden() else right
        self.content.setSizes([left, width - left - right - 2 * GAP, right])
        if self._shape.two_documents:  # two texts are compared and need most room
            below = max(150, round(height * 0.46))
            self.below.setSizes([1000] * self.below.count())
        lists = height - below - GAP
        if self.ranking is self.strips:  # the parts below take the room that few strips do not need
            lists = min(lists, HEADER_HEIGHT + self.strips.full_height() + 4)
        self.middle.setSizes([lists, height - lists - GAP])
        # Names in two lines and a scroll bar have room; the panel itself is never higher than its rows.
        table = min(round(height * 0.46), HEADER_HEIGHT + ROW_HEIGHT * (self._shape.measures + 1) + 47)
        plot = (height - table - 2 * GAP) // 2
        if self._taught:
            table = min(table, round(height * 0.33))
        self.metrics.setVisible(not self._low() and not (self._taught and self.session.teaching.covers_values))
        if not self.metrics.isHidden() and self.metrics in self._pending:  # it was hidden while the view was low
            self.metrics.refresh(self._pending.pop(self.metrics))
        first = plot
        if self._one_chart() and not self._taught and not self._shape.document_aside:
            most = height - GAP - min(_CHART_LEAST, round(height * _CHART_SHARE))
            self.metrics.fit_rows(most)
            table, first, plot = most, height - most - GAP, 0  # the table is never higher than its rows
        if self._shape.document_aside:  # the text has what the chart can spare
            first = max(_PLOT_LEAST, min(plot, _PLOT_READ), round(0.75 * plot))
        self.right.setSizes([table, first, max(0, 2 * plot - first), height - table - GAP])


def _left(widget: QWidget) -> QWidget:
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(widget)
    layout.addStretch(1)
    return row


def _below(above: QWidget, content: QWidget) -> QWidget:
    whole = QWidget()
    layout = _column(whole)
    layout.addWidget(above)
    layout.addWidget(content, 1)
    return whole


def _column(widget: QWidget) -> QVBoxLayout:
    """Return the layout of a widget whose parts are below each other."""
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(GAP)
    return layout
