"""The view Confusion: two judges grade by grade, and the documents of the cells that are chosen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.gui.compare.judges import EmptyView, JudgeChooser
from irviewer.gui.screens.screen import Screen, split
from irviewer.gui.tables.ledger_model import GradeColumn
from irviewer.gui.tables.model import Column, DeltaColumn, NumberColumn, TableModel, TextColumn
from irviewer.gui.tables.statistics_columns import WordsColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented
from irviewer.gui.widgets.grade_buttons import GradeButtons
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.session.changes import Change
from irviewer.session.view_models.judges.agreement import statistic_text
from irviewer.session.view_models.judges.confusion import ConfusionViewModel
from irviewer.session.view_models.query import explained
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


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
        label = PlainLabel(tr("your grade"))
        label.setFont(theme.font(9))
        row.addWidget(label)
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
        text = "" if collection.documents is None else collection.documents.text(document.doc_id)
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
        self._by_query = False
        comparison = session.judge_comparison
        self.panel = PlotPanel(theme, self._make_table, _put_view_model)
        self.plots = (self.panel,)
        self.rows = JudgeChooser(session, theme, tr("rows"), self._on_row_judge)
        self.columns = JudgeChooser(session, theme, tr("columns"), self._on_column_judge)
        self.panel.header_layout.insertWidget(1, self.rows)
        self.panel.header_layout.insertWidget(2, self.columns)
        self.statistics_model = TableModel(self)
        self.statistics = TablePanel(
            session, theme, Table(self.statistics_model, theme, stretch="meaning", sortable=False, tightens=True),
            "confusion",
        )  # fmt: skip
        self.statistics.table.setAccessibleName(tr("Statistics of the two judges"))
        self.level: Any = None
        self._level_room = QVBoxLayout()
        self.sentence = PlainLabel()
        self.sentence.setFont(theme.font(9))
        self.sentence.setWordWrap(True)
        self.sentence.setContentsMargins(12, 2, 12, 6)
        self.statistics.body_layout.addWidget(self.sentence)
        self.model = TableModel(self)
        self.list = TablePanel(session, theme, Table(self.model, theme, stretch="document", sortable=False),
                               "documents")  # fmt: skip
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
        self.stack.addWidget(split(Qt.Orientation.Vertical, (top, below), (6, 5)))
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
            self.panel.set_note(tr("{n:,} pairs", n=sum(view_model.two_by_two)))
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
        rows = view_model.statistics
        self.statistics.set_title(tr("{first} and {second}", first=view_model.names[0], second=view_model.names[1]))
        self.statistics.set_note(view_model.note)
        self.sentence.setText(view_model.sentence)
        columns: tuple[Column, ...] = (
            TextColumn("statistic", tr("statistic"), [row.title for row in rows], tips=[row.meaning for row in rows]),
            WordsColumn("value", tr("value"), [row.value for row in rows]),
            WordsColumn("interval", tr("95 % interval"), [row.interval for row in rows]),
            TextColumn("meaning", tr("what it means"), [row.meaning for row in rows]),
        )
        self.statistics_model.show(columns, [row.title for row in rows])

    def _fill_list(self, view_model: ConfusionViewModel) -> None:
        self.list.set_title(view_model.list_title)
        self.list.set_note(view_model.list_note)
        if self._by_query:
            self._fill_queries(view_model)
            return
        documents = view_model.documents
        ids = tuple(document.doc_id for document in documents)
        known = view_model.adjudicated or {}
        first = np.array([document.first for document in documents], dtype=np.float64)
        second = np.array([document.second for document in documents], dtype=np.float64)
        yours = np.array([known.get((document.query_id, document.doc_id), math.nan) for document in documents])
        marked = tuple("" if math.isnan(grade) else "x" for grade in yours.tolist())
        columns: list[Column] = [
            TextColumn("query", tr("query"), [document.query_id for document in documents], bold=True),
            TextColumn("text", tr("text"), view_model.texts, widest=150),
            TextColumn("document", tr("document"), view_model.titles, tips=ids),
            GradeColumn("first", view_model.names[0], first, ids, view_model.top_grade, view_model.names[0]),
            GradeColumn("second", view_model.names[1], second, ids, view_model.top_grade, view_model.names[1]),
            GradeColumn("yours", tr("yours"), yours, marked, view_model.top_grade,
                        tr("Your grade, of the judge “adjudicated”")),
        ]  # fmt: skip
        if view_model.measure and view_model.changes is not None and view_model.in_top is not None:
            tip = tr(
                "Change of {measure} on the query with the grade of {judge}, for the run that changes most",
                measure=view_model.measure,
                judge=view_model.names[1],
            )
            columns += [
                DeltaColumn("change", tr("Δ {measure}", measure=view_model.measure), view_model.changes, tip),
                TextColumn("run", tr("of run"), view_model.of_run, widest=110),
                WordsColumn(
                    "top", tr("in top {k}", k=view_model.depth),
                    [tr("{n} of {runs}", n=n, runs=view_model.runs) for n in view_model.in_top.tolist()],
                ),
            ]  # fmt: skip
        keys = [(document.query_id, document.doc_id) for document in documents]
        with self.list.table.keeping(self._comparison.listed):
            self.model.show(tuple(columns), keys)
        self.list.show_notice("" if documents else tr("No document has these grades."))

    def _fill_queries(self, view_model: ConfusionViewModel) -> None:
        table = view_model.query_table or {}
        self.list.set_title(tr("Agreement by query"))
        self.list.set_note(tr("“–” where a statistic is undefined"))

        def numbers(name: str) -> Any:
            return np.array(table[name], dtype=np.float64)

        first, second = view_model.names
        columns: tuple[Column, ...] = (
            TextColumn("query", tr("query"), [str(query) for query in table["query"]], bold=True),
            TextColumn("document", tr("text"), [str(text) for text in table["text"]]),
            NumberColumn("pairs", "n", numbers("pairs"), tr("Pairs that both judged"), counts=True),
            WordsColumn("first", tr("{judge} relevant, %", judge=first),
                        [statistic_text("same_grade", share) for share in numbers("first").tolist()]),
            WordsColumn("second", tr("{judge} relevant, %", judge=second),
                        [statistic_text("same_grade", share) for share in numbers("second").tolist()]),
            WordsColumn("same", tr("same grade, %"),
                        [statistic_text("same_grade", share) for share in numbers("same").tolist()]),
            WordsColumn("kappa", COEFFICIENTS[view_model.kappa].title,
                        [statistic_text(view_model.kappa, value) for value in numbers("kappa").tolist()]),
            NumberColumn("disagreements", tr("disagreements"), numbers("disagreements"), counts=True),
        )  # fmt: skip
        with self.list.table.keeping():
            self.model.show(columns, [str(query) for query in table["query"]])
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
        key = self.model.keys[row] if 0 <= row < len(self.model.keys) else None
        query = key if isinstance(key, str) else key[0] if isinstance(key, tuple) else ""
        if query and self.session.navigation.set_query(str(query)):
            if isinstance(key, tuple):
                self.session.navigation.set_document(str(key[1]))
            self.session.navigation.set_place("query")


def _put_view_model(canvas: Any, view_model: ConfusionViewModel) -> None:
    canvas.show_view_model(view_model)
