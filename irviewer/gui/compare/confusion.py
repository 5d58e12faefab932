"""The view Confusion: two judges grade by grade, and the documents of the cells that are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from irviewer.gui.compare.judges import EmptyView, JudgeChooser
from irviewer.gui.screens.screen import Screen, split
from irviewer.gui.tables.model import TextColumn
from irviewer.gui.tables.result_columns import ColumnLayout
from irviewer.gui.tables.result_panel import ResultPanel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented
from irviewer.gui.widgets.grade_buttons import GradeButtons
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.session.changes import Change
from irviewer.session.view_models.judges.confusion import ConfusionViewModel
from irviewer.session.view_models.query import explained
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session


IDS = ColumnLayout(widest=280)


class DocumentPanel(Panel):
    """The selected document: its text, both grades, what the judges say of it, and where runs rank it."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme, tr("Document"))
        self._session = session
        self.query = PlainLabel()
        self.query.setFont(theme.font(9.5, weight=600))
        self.query.setWordWrap(True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.setFont(theme.font(9.5))
        self.text.setAccessibleName(tr("Text of the document"))
        self.text.setTabChangesFocus(True)
        self.facts = PlainLabel()
        self.facts.setFont(theme.font(9))
        self.facts.setWordWrap(True)
        self.grades = GradeButtons(theme)
        self.grades.given.connect(self._on_given)
        self.tally = PlainLabel()
        self.tally.setFont(theme.font(9))
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(12, 8, 12, 6)
        layout.setSpacing(6)
        layout.addWidget(self.query)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.facts)
        row = QHBoxLayout()
        self.yours = PlainLabel(tr("your grade"))
        self.yours.setFont(theme.font(9))
        row.addWidget(self.yours)
        row.addWidget(self.grades)
        row.addStretch(1)
        row.addWidget(self.tally)
        layout.addLayout(row)
        self.set_body(body)
        self.setMinimumWidth(250)

    def show_row(self, view_model: ConfusionViewModel, row: int) -> None:
        """Show the document of a row of the list, nothing for -1."""
        session = self._session
        collection = session.view.collection
        known = 0 <= row < len(view_model.documents)
        self.tally.setText(
            tr("adjudicated: {n:,} of {all:,}", n=view_model.n_adjudicated, all=len(view_model.documents))
        )
        grades = tuple(sorted({0.0, 1.0, *view_model.grades}))
        for part in (self.query, self.text, self.yours, self.grades):
            part.setVisible(known)
        if not known or collection is None:
            self.set_note("")
            self.query.setText("")
            self.text.setPlainText("")
            self.facts.setText(tr("Select a document in the list."))
            self.grades.show_grades(grades, view_model.top_grade, None, judged=False)
            return
        document = view_model.documents[row]
        query = collection.query_text(document.query_id) or document.query_id
        self.set_note(document.doc_id)
        self.query.setText(f"“{query}”")
        text = "" if collection.documents is None else collection.documents.body(document.doc_id)
        if text != self.text.toPlainText():
            self.text.setPlainText(text or tr("The text of the document is not open."))
        self.facts.setText("\n".join(self._facts(view_model, row)))
        now = (view_model.adjudicated or {}).get((document.query_id, document.doc_id))
        self.grades.show_grades(grades, view_model.top_grade, now, judged=True)

    def _facts(self, view_model: ConfusionViewModel, row: int) -> list[str]:
        document, lines = view_model.documents[row], []
        sets = {judgments.name: judgments for judgments in self._session.judges.sets}
        for name, grade in zip(view_model.names, (document.first, document.second), strict=True):
            judgments = sets.get(name)
            own = None if judgments is None else judgments.overlay.judgment(document.query_id, document.doc_id)
            said = own.note if own is not None else ""
            if not said and judgments is not None:
                known = judgments.explanations.explanation(document.query_id, document.doc_id)
                said = " · ".join(f"{title}: {text}" for title, text in explained(known))
            line = tr("{judge}: grade {grade:g}", judge=name, grade=grade)
            missing = tr("no explanation and no confidence in its file")
            lines.append(f"{line}. {said}" if said else f"{line} ({missing})")
        collection = self._session.view.collection
        ranks = []
        for entry in () if collection is None else collection.runs:
            ids = entry.run.ranking(document.query_id)[: view_model.depth]
            if document.doc_id in ids:
                ranks.append(tr("{run} at {rank}", run=entry.name, rank=ids.index(document.doc_id) + 1))
        if ranks:
            lines.append(tr("in the top {k} of: {runs}", k=view_model.depth, runs=", ".join(ranks)))
        elif collection is not None and collection.runs:
            lines.append(tr("in the top {k} of no run", k=view_model.depth))
        return lines

    def _on_given(self, grade: object) -> None:
        if isinstance(grade, float):
            self._session.judge_comparison.adjudicate(grade)


class ConfusionView(Screen):
    """The table and its statistics above, the documents of the chosen cells below."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._shown: ConfusionViewModel | None = None
        self._meanings: list[str] = []
        self._by_query = False
        comparison = session.judge_comparison
        self.panel = PlotPanel(theme, self._make_table, _put_view_model)
        self.plots = (self.panel,)
        self.rows = JudgeChooser(session, theme, tr("rows"), self._on_row_judge)
        self.columns = JudgeChooser(session, theme, tr("columns"), self._on_column_judge)
        self.panel.header_layout.insertWidget(1, self.rows)
        self.panel.header_layout.insertWidget(2, self.columns)
        self.statistics = ResultPanel(session, theme, "confusion", stretch="meaning", sortable=False, tightens=True)
        self.statistics.table.setAccessibleName(tr("Statistics of the two judges"))
        self.level: Any = None
        self._level_room = QVBoxLayout()
        self.sentence = PlainLabel()
        self.sentence.setFont(theme.font(9))
        self.sentence.setWordWrap(True)
        self.sentence.setContentsMargins(12, 2, 12, 6)
        self.meaning = PlainLabel()
        """What the statistic of the current row means, whole: the column has its beginning."""
        self.meaning.setFont(theme.font(9))
        self.meaning.setWordWrap(True)
        self.meaning.setContentsMargins(12, 4, 12, 2)
        self.statistics.body_layout.addWidget(self.meaning)
        self.statistics.table.row_entered.connect(self._on_statistic_entered)
        self.statistics.body_layout.addWidget(self.sentence)
        self.list = ResultPanel(session, theme, "documents", stretch="title", sortable=False)
        self.list.table.setAccessibleName(tr("Documents of the chosen cells"))
        self.list.table.row_entered.connect(self._on_row_entered)
        self.list.table.row_activated.connect(self._on_row_activated)
        self.strip = Segmented(
            theme,
            (
                ("documents", tr("Documents"), tr("The documents of the chosen cells")),
                ("queries", tr("By query"), tr("The agreement of each query")),
            ),
        )
        self.strip.chosen.connect(self._on_list_chosen)
        self.strip.show_chosen("documents")
        self.list.header_layout.insertWidget(1, self.strip)
        self.document = DocumentPanel(session, theme)
        upper = QWidget()
        row = QHBoxLayout(upper)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.statistics, 1)
        row.addLayout(self._level_room)
        top = split(Qt.Orientation.Horizontal, (self.panel, upper), (4, 7))
        below = split(Qt.Orientation.Horizontal, (self.list, self.document), (8, 3))
        self.empty = EmptyView(session, theme, "confusion")
        self.stack = QStackedWidget()
        self.stack.addWidget(Scrolled(split(Qt.Orientation.Vertical, (top, below), (6, 5)), (900, 600)))
        self.stack.addWidget(self.empty)
        self.set_content(self.stack)
        self.setFocusProxy(self.panel)
        self._comparison = comparison

    def refresh(self, changes: frozenset[Change]) -> None:
        view_model = self._comparison.confusion_view_model()
        if view_model is None:
            return
        self.empty.show_reason(view_model.explanation)
        self.stack.setCurrentIndex(1 if view_model.explanation else 0)
        self.setFocusProxy(self.empty if view_model.explanation else self.panel)
        first, second = self._comparison.pair if len(self.session.judges.sets) > 1 else (-1, -1)
        self.rows.show_judge(first)
        self.columns.show_judge(second)
        self.panel.set_title(view_model.title)
        if not view_model.explanation:
            self._show(view_model)

    def _show(self, view_model: ConfusionViewModel) -> None:
        if view_model is not self._shown:
            self._shown = view_model
            self.panel.set_note(trn("{n:,} pair", "{n:,} pairs", sum(view_model.two_by_two)))
            self.panel.show_value(view_model)
            if self.level is not None:
                self.level.show_view_model(view_model)
            self._fill_statistics(view_model)
            self._fill_list(view_model)
        row = self._comparison.listed
        if not self._by_query and row >= 0 and row != self.list.table.current_row():
            self.list.table.selectRow(row)
        self.document.show_row(view_model, row)

    def _fill_statistics(self, view_model: ConfusionViewModel) -> None:
        self.statistics.set_title(tr("{first} and {second}", first=view_model.names[0], second=view_model.names[1]))
        self.statistics.set_note(view_model.note)
        self.sentence.setText(view_model.sentence)
        table, rows = view_model.coefficients, view_model.statistics
        if table is None or rows is None:
            return
        tips = table.column("statistic").tips
        meanings = [tips(row) for row in rows.tolist()] if tips is not None else []
        meaning = TextColumn("meaning", tr("what it means"), meanings)
        meaning.yields = True  # the tooltip of the statistic says it too
        self.statistics.show_table(
            table, rows=rows, layouts={"value_interval": ColumnLayout(written=True)}, at_end=meaning,
        )  # fmt: skip

        self._meanings = meanings
        self._on_statistic_entered(max(0, self.statistics.table.current_row()))

    def _on_statistic_entered(self, row: int) -> None:
        text = self._meanings[row] if 0 <= row < len(self._meanings) else ""
        self.meaning.setText(text)
        self.meaning.setVisible(bool(text))

    def _fill_list(self, view_model: ConfusionViewModel) -> None:
        self.list.set_title(view_model.list_title)
        self.list.set_note(view_model.list_note)
        if self._by_query:
            self._fill_queries(view_model)
            return
        table = view_model.listed
        # The title is shown in place of the id.
        keys = [] if table is None else [column.key for column in table.columns if column.key != "document"]
        self.list.show_table(
            table, current=self._listed(view_model), keys=keys, max_grade=view_model.top_grade,
            layouts={"query": IDS, "text": ColumnLayout(widest=150), "run": ColumnLayout(widest=140)},
        )  # fmt: skip
        self.list.show_notice("" if view_model.documents else tr("No document has these grades."))

    def _listed(self, view_model: ConfusionViewModel) -> object:
        """Return the key of the selected document; one that no row has where none is selected."""
        row = self._comparison.listed
        return view_model.listed.keys[row] if view_model.listed is not None and row >= 0 else ()

    def _fill_queries(self, view_model: ConfusionViewModel) -> None:
        self.list.set_title(tr("Agreement by query"))
        self.list.set_note(tr("“–” where a statistic is undefined"))
        keys = ("query", "pairs", "first_prevalence", "second_prevalence", "same_grade", view_model.kappa,
                "disagreements")  # fmt: skip
        by = zip(("first_prevalence", "second_prevalence"), view_model.names, strict=True)
        layouts = {key: ColumnLayout(group=tr("relevant"), titles=(name,)) for key, name in by}
        self.list.show_table(
            view_model.by_query, rows=view_model.queries, keys=keys, layouts=layouts | {"query": IDS},
            beside=TextColumn("title", tr("text"), view_model.texts),
        )  # fmt: skip
        self.list.show_notice("")

    def _make_table(self) -> QWidget:
        from irviewer.gui.plots.judges.confusion import ConfusionTable, LevelTable

        table = ConfusionTable(self.session, self.theme)
        table.chosen.connect(self._comparison.choose_cells)
        table.level_moved.connect(self._on_level_moved)
        self.level = LevelTable(self.theme)
        self.level.chosen.connect(self._comparison.choose_cells)
        self._level_room.addWidget(self.level)
        if self._shown is not None:
            self.level.show_view_model(self._shown)
        return table

    def _on_level_moved(self, level: float) -> None:
        self.session.protocol.set(about="level of confusion", level=level)

    def _on_row_judge(self, number: int) -> None:
        first, second = self._comparison.pair
        self._comparison.set_pair(number, first if number == second else second)

    def _on_column_judge(self, number: int) -> None:
        first, second = self._comparison.pair
        self._comparison.set_pair(second if number == first else first, number)

    def _on_list_chosen(self, name: str) -> None:
        self._by_query = name == "queries"
        self.strip.show_chosen(name)
        if self._shown is not None:
            self._fill_list(self._shown)

    def _on_row_entered(self, row: int) -> None:
        if not self._by_query:
            self._comparison.select(row)

    def _on_row_activated(self, row: int) -> None:
        key = self.list.key_of(row)
        query = key if isinstance(key, str) else key[0] if isinstance(key, tuple) else ""
        if query and self.session.navigation.set_query(str(query)):
            if isinstance(key, tuple):
                self.session.navigation.set_document(str(key[1]))
            self.session.navigation.set_place("query")


def _put_view_model(canvas: Any, view_model: ConfusionViewModel) -> None:
    canvas.show_view_model(view_model)
