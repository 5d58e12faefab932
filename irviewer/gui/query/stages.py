"""The tab Stages of Query: the funnel, the ceiling, the queries behind the losses, and the documents of one query."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QStackedWidget, QVBoxLayout, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.query.funnel import CeilingPanel, FunnelPanel
from irviewer.gui.query.query_header import QueryHint
from irviewer.gui.screens.screen import Screen, split
from irviewer.gui.tables.model import TextColumn
from irviewer.gui.tables.result_columns import BarRuns, ColumnLayout
from irviewer.gui.tables.result_panel import ResultPanel
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.controls import ChoiceButton, TextButton, command_keys, swatch_icon
from irviewer.gui.widgets.kept_clear import keep_clear
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.painting import draw_lost, draw_room
from irviewer.gui.widgets.panel import FoldedLabel
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.gui.widgets.run_choices import run_texts
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.session.changes import Change
from irviewer.session.view_models.stages import StagesViewModel
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)
MOST_LETTERS = 8
"""The most stages for which there are buttons."""
LEAST = (900, 560)
"""The least width and height in pixels of the view with stages."""


class StageChoosers(QWidget):
    """The stages as buttons: A [run ▾] → B [run ▾] +."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._view_model: StagesViewModel | None = None
        self._menu: QMenu | None = None
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)
        self.arrows: list[PlainLabel] = []
        self.buttons: list[ChoiceButton] = []
        self.add = TextButton(theme, "+", tr("Add a stage: a run that re-ranks the last one"))
        self.add.setAccessibleName(tr("Add a stage"))
        self.add.clicked.connect(self._on_add_clicked)
        self._row.addWidget(self.add)
        theme.changed.connect(self._on_colours_changed)

    def show_view_model(self, view_model: StagesViewModel) -> None:
        """Show the stages of a view model; two empty buttons without stages."""
        self._view_model = view_model
        count = min(MOST_LETTERS, max(2, len(view_model.stages)))
        while len(self.buttons) < count:
            self._add_button()
        self._show_runs(view_model)
        self.add.setVisible(2 <= len(view_model.stages) < MOST_LETTERS)

    def _show_runs(self, view_model: StagesViewModel) -> None:
        """Show the run of each stage on its button, in its colour."""
        count = min(MOST_LETTERS, max(2, len(view_model.stages)))
        for place, button in enumerate(self.buttons):
            shown = place < count
            button.setVisible(shown)
            self.arrows[place].setVisible(shown and place > 0)
            if not shown:
                continue
            letter = "ABCDEFGH"[place]
            hint = tr("Stage {letter}", letter=letter)
            if place < len(view_model.stages):
                run = view_model.stages[place]
                name = f"{letter}  {run.name} ★" if run.baseline else f"{letter}  {run.name}"
                forms = tuple(f"{letter}  {short}" + (" ★" if run.baseline else "") for short in run.shorter_names)
                button.show_choice(name, hint, self._theme.run(run), forms)
            else:
                button.show_choice(tr("{letter}  choose", letter=letter), hint)

    def _add_button(self) -> None:
        arrow, button = PlainLabel("→"), ChoiceButton(self._theme, most=200)
        button.setProperty("place", len(self.buttons))
        button.clicked.connect(self._on_button_clicked)
        self._row.insertWidget(2 * len(self.buttons), arrow)
        self._row.insertWidget(2 * len(self.buttons) + 1, button)
        self.arrows.append(arrow)
        self.buttons.append(button)
        self._on_colours_changed()

    def _on_button_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, ChoiceButton):
            self._open(int(button.property("place")), button)

    def _on_add_clicked(self) -> None:
        self._open(0 if self._view_model is None else len(self._view_model.stages), self.add)

    def menu_of(self, place: int) -> QMenu:
        """Return the runs that can be the stage at a place: those that re-rank the stage before come first."""
        session, view_model = self._session, self._view_model
        stages = () if view_model is None else view_model.stages
        menu = QMenu(self)
        before = stages[place - 1] if 0 < place <= len(stages) else None
        followers = () if before is None else session.stages.followers(before.key)
        systems = session.view.best_first(label for label in session.view.labels() if not label.is_copy)
        for label, mean in sorted(systems, key=lambda system: system[0].key not in followers):
            name, value = run_texts(label, mean)
            if before is not None and label.key in followers:
                name = tr("{run} · re-ranks {before}", run=name, before=before.name)
            action = menu.addAction("\t".join(filter(None, (name, value))).replace("&", "&&"))
            action.setIcon(swatch_icon(self._theme.run(label), True, self._theme["control_border"]))
            action.setCheckable(True)
            action.setChecked(place < len(stages) and stages[place].key == label.key)
            action.setData(("set", place, label.key))
        menu.addSeparator()
        if len(stages) > 2 and place < len(stages):
            menu.addAction(tr("Remove this stage")).setData(("remove", place, -1))
        if view_model is not None and not view_model.found:
            menu.addAction(tr("Find the stages by their documents")).setData(("find", place, -1))
        menu.triggered.connect(self._on_menu_triggered)
        return menu

    def _on_menu_triggered(self, action: QAction) -> None:
        what, place, key = action.data()
        if what == "set":
            self._session.stages.set_stage(place, key)
        elif what == "remove":
            self._session.stages.remove_stage(place)
        else:
            self._session.stages.find_again()

    def _open(self, place: int, below: QWidget) -> None:
        self._menu = open_below(self.menu_of(place), below, self._menu)

    def _on_colours_changed(self) -> None:
        for arrow in self.arrows:
            arrow.set_ink(self._theme["muted"])
        if self._view_model is not None:
            self._show_runs(self._view_model)


@guarded
class SumLegend(QWidget):
    """The meaning of the bars of the queries."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._view_model: StagesViewModel | None = None
        self.setFixedHeight(26)
        theme.changed.connect(self.update)
        keep_clear(self)

    def show_view_model(self, view_model: StagesViewModel) -> None:
        """Explain the bars of a view model."""
        self._view_model = view_model
        self.setVisible(bool(view_model.steps))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        view_model, theme = self._view_model, self._theme
        if view_model is None or not view_model.stages:
            return
        painter = QPainter(self)
        painter.setFont(theme.font(9))
        first, last = view_model.letters[0], view_model.letters[-1]
        x = 12
        for sign, text in (
            ("kept", tr("{stage}’s value", stage=last)),
            ("lost", tr("lost by {stage}’s order", stage=last)),
            ("room", tr("out of reach: not seen by {stage}", stage=last)),
            ("line", tr("{stage}’s value", stage=first)),
        ):
            if not view_model.higher_is_better and sign in ("lost", "room"):
                continue
            box = QRectF(x, 8, 12, 11)
            if sign == "kept":
                painter.fillRect(box, theme.run(view_model.stages[-1]))
            elif sign == "line":
                painter.fillRect(QRectF(x + 5, 5, 2, 16), theme.run(view_model.stages[0]))
            else:
                (draw_lost if sign == "lost" else draw_room)(painter, box, theme)
            painter.setPen(theme["text"])
            width = painter.fontMetrics().horizontalAdvance(text)
            painter.drawText(QRect(x + 18, 0, width + 4, self.height()), int(_LEFT), text)
            x += 18 + width + 14


class StageQueries(ResultPanel):
    """The queries, filtered by a part of the funnel; Enter shows the rankings of the query."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, "stages_queries", stretch="text", tightens=True)
        self.table.setAccessibleName(tr("Queries by losses"))
        self.clear = TextButton(theme, "", tr("Show all queries"))
        self.clear.clicked.connect(self._on_clear_clicked)
        self.clear.hide()
        self.header_layout.insertWidget(1, self.clear)
        self.legend = SumLegend(theme)
        self.body_layout.addWidget(self.legend)
        self.table.row_entered.connect(self._on_row_entered)
        self.table.row_activated.connect(self._on_row_activated)
        self.table.sort_requested.connect(session.stages.sort)

    def show_view_model(self, view_model: StagesViewModel) -> None:
        table, order = view_model.by_query, view_model.order
        if table is None or order is None:
            self.show_table(None)
        else:
            result = self.session.stages.result()
            texts = [view_model.texts[row] for row in order.tolist()]
            stages = view_model.stages
            first = next(column.key for column in table.columns if column.names == "run")
            self.show_table(
                table, rows=order, current=view_model.query_id, sort=view_model.sort, keys=view_model.columns,
                bars={"value": BarRuns(stages[-1], stages[0], first)},
                beside=TextColumn("text", tr("text"), texts, tr("Query text")),
                layouts={"cause": ColumnLayout(yields=True)},  # what is lost is drawn beside it
                saved=None if result is None else result.table("by_query"),
            )  # fmt: skip
        self.set_title(view_model.queries_title or tr("Queries"))
        self.set_note(view_model.queries_note)
        self.legend.show_view_model(view_model)
        text = tr("filter: {text} ✕", text=view_model.filter_text)
        self.clear.setVisible(bool(view_model.filter_text))
        self.clear.setText(text)
        self.clear.updateGeometry()
        self.clear.setAccessibleName(tr("Remove the filter: {text}", text=view_model.filter_text))

    def _on_clear_clicked(self) -> None:
        self.session.stages.set_filter("")

    def _id(self, row: int) -> str:
        return str(self.model.keys[row]) if 0 <= row < len(self.model.keys) else ""

    def _on_row_entered(self, row: int) -> None:
        if self._id(row):
            self.session.navigation.set_query(self._id(row))

    def _on_row_activated(self, row: int) -> None:
        if self._id(row):
            self.session.navigation.set_query(self._id(row))
            self.session.navigation.set_tab("query", "rankings")


class StageDocuments(ResultPanel):
    """The documents of the selected query with their ranks; Enter shows the document in the rankings."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, "stages_documents", stretch="title", sortable=False)
        self.table.setAccessibleName(tr("Documents and their ranks in each stage"))
        self.text = FoldedLabel()
        self.text.setFont(theme.font(9.5))
        self.hint = QueryHint(theme)
        self._note.hide()
        self.header_layout.addWidget(self.text, 1)
        self.header_layout.addWidget(self.hint)
        self.more = TextButton(theme, "")
        self.more.clicked.connect(self._on_more_clicked)
        self.more.hide()
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 4, 12, 4)
        foot.addWidget(self.more)
        foot.addStretch(1)
        self.body_layout.addLayout(foot)
        self._shown = False
        self.table.row_entered.connect(self._on_row_entered)
        self.table.row_activated.connect(self._on_row_activated)

    def show_view_model(self, view_model: StagesViewModel) -> None:
        listed = [] if view_model.listed is None else view_model.listed.tolist()
        self._show_documents(view_model)
        self.set_title(tr("Query {query}", query=view_model.query_id))
        self.text.setText(f"“{view_model.query_text}”" if view_model.query_text else "")
        set_tooltip(self.text, view_model.query_text)
        relevant = len(listed) + (0 if view_model.missed_shown else view_model.missed)
        self.hint.show_parts(
            (
                (
                    False,
                    trn(
                        "{n:,} relevant · {position}",
                        "{n:,} relevant · {position}",
                        relevant,
                        position=view_model.position,
                    ),
                ),
                (True, command_keys("next_query")),
                (True, command_keys("previous_query")),
            )
        )
        self._shown = view_model.missed_shown
        first = view_model.letters[0] if view_model.letters else ""
        if self._shown:
            text = trn("Leave out {n:,} document not within {stage}’s depth",
                       "Leave out {n:,} documents not within {stage}’s depth", view_model.missed,
                       stage=first)  # fmt: skip
        else:
            text = trn("{n:,} more not within {stage}’s depth", "{n:,} more not within {stage}’s depth",
                       view_model.missed, stage=first)  # fmt: skip
        self.more.setText(text)
        self.more.updateGeometry()
        self.more.setVisible(bool(view_model.missed))
        self.show_notice("" if listed or not view_model.steps else _no_documents(view_model))

    def _show_documents(self, view_model: StagesViewModel) -> None:
        table, listed = view_model.documents, view_model.listed
        if table is None or listed is None:
            self.show_table(None)
            return
        ids = [str(table.keys[row]) for row in listed.tolist()]
        titles = [view_model.titles[row] for row in listed.tolist()]
        tips = [f"{name}\n{title}" for name, title in zip(ids, titles, strict=True)]
        ranks = [column.key for column in table.columns if column.names == "run"]
        runs = {
            key: replace(stage, name=letter, short=letter, shown=True, baseline=False)
            for key, stage, letter in zip(ranks, view_model.stages, view_model.letters, strict=True)
        }
        result = self.session.stages.result()
        title = TextColumn("title", tr("document"), titles, tr("Title or beginning of the document"), tips=tips)
        self.show_table(
            table, rows=listed, current=view_model.document_id or "", keys=("grade", *ranks, "change", "fate"),
            runs=runs, beside=title, saved=None if result is None else result.table("documents"),
        )  # fmt: skip
        self.model.line_below = view_model.line

    def _on_more_clicked(self) -> None:
        self.session.stages.show_missed(not self._shown)

    def _on_row_entered(self, row: int) -> None:
        if 0 <= row < len(self.model.keys):
            self.session.navigation.set_document(str(self.model.keys[row]))

    def _on_row_activated(self, row: int) -> None:
        self._on_row_entered(row)
        self.session.navigation.set_tab("query", "rankings")


def _no_documents(view_model: StagesViewModel) -> str:
    if view_model.explanation:
        return view_model.explanation
    if view_model.missed:
        return tr("No stage returns a relevant document of this query.")
    return tr("The query has no relevant document.")


@guarded
class StagesView(Screen):
    """The tab: funnel and ceiling above, queries and documents below."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.choosers = StageChoosers(session, theme)
        self.funnel = FunnelPanel(session, theme)
        self.funnel.header_layout.insertWidget(1, self.choosers)
        self.notice = PlainLabel()
        self.notice.setFont(theme.font(10.5))
        self.notice.setWordWrap(True)
        self.notice.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.notice.setContentsMargins(60, 20, 60, 20)
        self.body = QStackedWidget()
        self.notes = PlainLabel()
        self.notes.setFont(theme.font(9))
        self.notes.setWordWrap(True)
        self.notes.setContentsMargins(12, 4, 12, 6)
        self.shown = QWidget()
        column = QVBoxLayout(self.shown)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.funnel.funnel, 1)
        column.addWidget(self.notes)
        self.body.addWidget(self.shown)
        self.body.addWidget(self.notice)
        self.funnel.set_body(self.body)
        self.ceiling = CeilingPanel(session, theme)
        self.queries = StageQueries(session, theme)
        self.documents = StageDocuments(session, theme)
        self.above = split(Qt.Orientation.Horizontal, (self.funnel, self.ceiling), (68, 32))
        self.below = split(Qt.Orientation.Horizontal, (self.queries, self.documents), (54, 46))
        self.content = split(Qt.Orientation.Vertical, (self.above, self.below), (38, 62))
        self.scrolled = Scrolled(self.content, LEAST)
        self.set_content(self.scrolled)
        self.funnel.funnel.part_chosen.connect(self._on_part_chosen)
        self.setFocusProxy(self.queries)
        self._view_model: StagesViewModel | None = None
        self._on_colours_changed()
        theme.changed.connect(self._on_colours_changed)

    def refresh(self, changes: frozenset[Change]) -> None:
        view_model = self.session.stages.stages_view_model()
        if view_model is None or (view_model is self._view_model and Change.RUNS not in changes):
            return
        self._view_model = view_model
        self.choosers.show_view_model(view_model)
        self.funnel.show_view_model(view_model)
        shown = bool(view_model.steps)
        self.body.setCurrentWidget(self.shown if shown else self.notice)
        self.notes.setText("\n".join(view_model.notes))
        self.notes.setVisible(bool(view_model.notes))
        self.notice.setText("" if shown else view_model.explanation)
        self.ceiling.setVisible(shown)
        self.below.setVisible(shown)
        self.scrolled.set_least(LEAST if shown else (0, 0))  # a reason alone stands in the middle of what is seen
        if shown:
            self.ceiling.show_view_model(view_model)
        self.queries.show_view_model(view_model)
        self.documents.show_view_model(view_model)

    def _on_part_chosen(self, name: str) -> None:
        """Filter by a part; a second click on it shows all queries again."""
        shown = "" if self._view_model is None else self._view_model.filter
        self.session.stages.set_filter("" if name == shown else name)

    def _on_colours_changed(self) -> None:
        for label, name in ((self.documents.text, "ink"), (self.notice, "text"), (self.notes, "muted")):
            label.set_ink(self.theme[name])
