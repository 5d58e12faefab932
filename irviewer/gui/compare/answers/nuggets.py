"""The tab Nuggets of Compare: nuggets by topic and system, two systems nugget by nugget, and the nuggets of a topic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit

from irviewer.analysis.answers.label_pairs import known_labels, said_order, systems_order
from irviewer.errors import IrviewerError
from irviewer.gui.compare.answers.strips import Strip, StripCell, StripColumn, StripCursor
from irviewer.gui.guard import guarded
from irviewer.gui.screens.screen import ColumnSplitter, Screen, fill
from irviewer.gui.tables.result_columns import ColumnLayout, Heading, grouped_rows
from irviewer.gui.tables.result_panel import ResultPanel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.answer_sources import AssignerButton
from irviewer.gui.widgets.controls import TextButton
from irviewer.gui.widgets.filter_field import FilterField
from irviewer.gui.widgets.parameter_bar import ParameterBar
from irviewer.gui.widgets.screen_reader import announce
from irviewer.hidden_characters import escape_hidden
from irviewer.model.answers.labels import FULL, NONE, OKAY, PARTIAL, UNJUDGED, VITAL
from irviewer.model.arrays import Ints
from irviewer.rendering.run_label import RunLabel
from irviewer.session.changes import Change
from irviewer.session.result_views import TABS
from irviewer.tables import column as columns
from irviewer.tables.filter import FilterError
from irviewer.tables.order import filtered_rows, sorted_rows
from irviewer.tables.table import Table
from irviewer.translation import decimal, tr, trn
from irviewer.views.answer_means import OF_ANSWERS
from irviewer.views.answer_nuggets import LABELS
from irviewer.views.answer_pairs import OUTCOMES, AnswerPairs, sentence

if TYPE_CHECKING:
    from irviewer.session.session import Session
    from irviewer.views.result import ViewResult

NAME = TABS["nuggets"]
SORT = ("difference", True)
"""How topics are sorted before the user sorts them."""


CELL_LABELS = {FULL: LABELS["said"], PARTIAL: LABELS["partly"], NONE: LABELS["not_said"],
               UNJUDGED: LABELS["not_returned"]}  # fmt: skip
LEAST_AT_ENDS = 5
"""Topics that each end shows at least."""
WIDE = 1000
"""Pixels from which questions have more room."""


@guarded
class NuggetsView(Screen):
    """Topics with their strips at the left, pairs of labels and the nuggets of the selected topic at the right."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._shown: ViewResult | None = None
        self._strips: tuple[object, list[Strip]] = (None, [])  # of the topics of an answer of the view
        self._sort, self._filter = SORT, ""
        self._folded = True
        self.topics = ResultPanel(session, theme, "answer_pairs", own_painters={StripColumn: StripCell},
                                  stretch="strip", tightens=True, row_height=26)  # fmt: skip
        self.topics.table.setAccessibleName(tr("Topics and their nuggets"))
        self.filter = FilterField(theme, tr("Filter rows…"), tr("Filter of the rows"))
        self.topics.header_layout.insertWidget(self.topics.header_layout.count() - 1, self.filter)
        self.fold = TextButton(theme, tr("All topics"), tr("Show all topics, or both ends and how the others fall"))
        self.fold.clicked.connect(self._on_fold_clicked)
        self.topics.header_layout.insertWidget(self.topics.header_layout.count() - 2, self.fold)
        self.assigner = AssignerButton(session, theme)
        self.topics.header_layout.insertWidget(self.topics.header_layout.count() - 2, self.assigner)
        self.parameters = ParameterBar(theme)
        self.topics.body_layout.insertWidget(0, self.parameters)
        self.pairs = ResultPanel(session, theme, "answer_pairs_labels", sortable=False, tightens=True)
        self.pairs.table.setAccessibleName(tr("Nuggets, one by one"))
        self.means = ResultPanel(session, theme, "answer_pairs_means", sortable=False, tightens=True, row_height=24)
        self.means.table.setAccessibleName(tr("Means and tests"))
        self.nuggets = ResultPanel(session, theme, "answer_pairs_nuggets", own_painters={StripColumn: StripCell},
                                   stretch="nugget", sortable=False, tightens=True, row_height=24)  # fmt: skip
        self.nuggets.table.setAccessibleName(tr("Nuggets of the topic"))
        self.right = ColumnSplitter(Qt.Orientation.Vertical)
        fill(self.right, (self.pairs, self.means, self.nuggets), (36, 28, 36))
        self.content = ColumnSplitter(Qt.Orientation.Horizontal)
        fill(self.content, (self.topics, self.right), (64, 36))
        self.set_content(self.content, least=(900, 700))
        self.setFocusProxy(self.topics)
        self.parameters.chosen.connect(self._on_parameter_chosen)
        self.parameters.typed.connect(self._on_parameter_typed)
        self.filter.used.connect(self._on_filter_used)
        self.filter.left.connect(self.topics.table.setFocus)
        self.topics.table.sort_requested.connect(self._on_sort_requested)
        self.topics.table.row_entered.connect(self._on_topic_entered)
        self.topics.table.row_activated.connect(self._on_topic_activated)
        self.nuggets.table.row_activated.connect(self._on_nugget_activated)
        self.topics.table.viewport().installEventFilter(self)
        self.topic_cursor = StripCursor(self.topics.table, lambda: self.topics.model.columns)
        self.topic_cursor.moved.connect(self._on_topic_cell_moved)
        self.topic_cursor.opened.connect(self._on_topic_cell_opened)
        self.nugget_cursor = StripCursor(self.nuggets.table, lambda: self.nuggets.model.columns)
        self.nugget_cursor.moved.connect(self._on_nugget_cell_moved)
        self.nugget_cursor.opened.connect(self._on_nugget_cell_opened)

    def filter_field(self) -> QLineEdit | None:
        return self.filter

    # --- what is shown ---

    def refresh(self, changes: frozenset[Change]) -> None:
        service = self.session.result_views
        view = service.view(NAME)
        self.parameters.show_parameters(view.parameters, service.parameters_of(NAME), service.choices)
        self.assigner.refresh()
        bound = service.protocol(NAME)
        self.topics.set_note("" if bound is None else bound.line())
        trouble = tr("Computing …") if self.session.view.context is not None else tr("Nothing is open.")
        shown = None
        try:
            answer = service.answer(NAME)
            if answer is not None:
                shown, trouble = answer.shown, answer.trouble
        except IrviewerError as error:
            trouble = str(error)
        self._shown = shown
        if shown is None:
            self.topics.set_title(view.title)
            for panel in (self.topics, self.pairs, self.means, self.nuggets):
                panel.show_table(None)
            self.topics.show_notice(trouble, "muted")
            return
        self._show_topics(shown)
        self._show_pairs(shown)
        self._show_means(shown)
        self._show_nuggets(shown)

    def _show_topics(self, shown: ViewResult) -> None:
        value, table = shown.value, shown.table("topics")
        first, second = (value.matrix.runs[place] for place in (value.baseline, value.system))
        if self._strips[0] is not value:
            self._strips = (value, [_topic_strip(value, topic) for topic in value.topics])
        drawn = _with_strips(table, tr("nuggets, said by both first"), self._strips[1], after="question", tip=tr(
            "Above {baseline}, below {run}; tall: vital, low: okay. Ink: said, half: in part, outline: not said",
            baseline=first, run=second,
        ))  # fmt: skip
        fault, rows = "", np.arange(table.n_rows, dtype=np.int64)
        try:
            rows = filtered_rows(table, self._filter) if self._filter else rows
        except FilterError as error:
            fault = str(error)
        self.filter.show_filter(self._filter, fault)
        own = self._sort if self._sort[0] in [each.key for each in table.columns] else SORT
        rows = sorted_rows(table, own[0], descending=own[1], rows=rows)
        headings: list[Heading] = []
        self.fold.setText(tr("All topics") if self._folded else tr("Both ends"))
        self.fold.setVisible(own[0] == SORT[0] and not self._filter and len(rows) > 2 * LEAST_AT_ENDS)
        if self._folded and not self._filter and own[0] == SORT[0]:
            rows, headings = self._ends(table, rows)
        labels = self._run_labels()
        self.topics.set_title(tr("Nuggets × systems"))
        marked = {mark.code: mark for mark in table.marks.values()}
        notes = [f"{mark.sign} {mark.text}" for mark in marked.values()]
        notes.insert(0, tr("above {baseline}, below {run} · tall: vital, low: okay · ink: said, half: in part, "
                           "outline: not said", baseline=_name(labels, first), run=_name(labels, second)))  # fmt: skip
        self.topics.show_notice(" · ".join(notes), "muted")
        widest = 170 if self.topics.width() < WIDE else 360
        self.topics.show_table(
            drawn, rows=rows, headings=headings, saved=table, sort=own, current=self.session.view.query_id,
            keys=("topic", "question", "strip", "baseline", "run", "difference"),
            runs={"baseline": labels.get(first), "run": labels.get(second)},
            layouts={"strip": ColumnLayout(made=StripColumn), "question": ColumnLayout(widest=widest)},
        )  # fmt: skip
        self.topic_cursor.show()

    def _ends(self, table: Table, rows: Ints) -> tuple[Ints, list[Heading]]:
        """Return both ends of the topics and the selected one, with a band in place of the topics between that says how
        these fall; all where they nearly fit."""
        room = self.topics.table.viewport().height() // self.topics.table.row_height - 2
        least = max(LEAST_AT_ENDS, room // 2)
        if len(rows) <= max(room, 0) + least:
            return rows, []
        shown = set(range(least)) | set(range(len(rows) - least, len(rows)))
        keys = [table.keys[row] for row in rows.tolist()]
        if self.session.view.query_id in keys:
            shown.add(keys.index(self.session.view.query_id))
        changes = table.column("difference").numbers[""]
        name = _name(self._run_labels(), table.column("run").title)
        taken: list[int] = []
        headings: list[Heading] = []
        for place, row in enumerate(rows.tolist()):
            if place in shown:
                taken.append(row)
            elif place - 1 in shown:
                stop = next(at for at in range(place, len(rows) + 1) if at in shown)
                own = changes[rows[place:stop]]
                better, worse = int(np.count_nonzero(own > 0)), int(np.count_nonzero(own < 0))
                headings.append(Heading(
                    trn("{n:,} topic between", "{n:,} topics between", stop - place),
                    tr("{run} better in {better:,}, equal {equal:,}, worse in {worse:,} · Enter shows them", run=name,
                       better=better, equal=stop - place - better - worse, worse=worse),
                ))  # fmt: skip
                taken.append(-len(headings))
        return np.array(taken, dtype=np.int64), headings

    def _show_pairs(self, shown: ViewResult) -> None:
        table = shown.table("labels")
        self.pairs.set_title(trn("{n:,} nugget, one by one", "{n:,} nuggets, one by one", len(shown.value.pairs.topic)))
        labels, value = self._run_labels(), shown.value
        first, second = (_name(labels, value.matrix.runs[place]) for place in (value.baseline, value.system))
        notes = [sentence(value, first, second), *(note.text for note in table.notes[1:])]
        self.pairs.show_notice("\n".join(notes), "text")
        title = tr("{baseline} ↓ {run} →", baseline=first, run=second)
        drawn = replace(table, columns=tuple(
            replace(each, title=title) if each.key == "label" else
            replace(each, title="%") if each.kind == "share" else each for each in table.columns
        ))  # fmt: skip
        keys = [key for code in ("said", "partly", "not_said") for key in (code, f"{code}_share")]
        self.pairs.show_table(drawn, saved=table, keys=("label", *keys))

    def _show_means(self, shown: ViewResult) -> None:
        value = shown.value
        self.means.set_title(tr("Means and tests"))
        if not value.means:
            self.means.show_notice(tr("A test needs two topics or more."), "muted")
            self.means.show_table(None)
            return
        table, labels = shown.table("means"), self._run_labels()
        first, second = (labels.get(value.matrix.runs[place]) for place in (value.baseline, value.system))
        self.means.set_note(
            trn(
                "over {n:,} topic",
                "over {n:,} topics",
                value.means[0].n,
            )
        )
        self.means.show_notice("", "muted")
        keys = ("measure", "baseline", "run", "difference", "interval", "p")
        self.means.show_table(
            _on_one_axis(table), saved=table, keys=keys, runs={"baseline": first, "run": second},
            layouts={"interval": ColumnLayout(yields=True)},  # Pair has it too
        )  # fmt: skip

    def _show_nuggets(self, shown: ViewResult) -> None:
        value, table, topic = shown.value, shown.table("nuggets"), self.session.view.query_id
        own = [row for row, each in enumerate(table.column("topic").values) if each == topic]
        place = value.topics.index(topic) if topic in value.topics else -1
        question = "" if place < 0 else shown.table("topics").column("question").values[place]
        self.nuggets.set_title(f"{topic} “{question}”" if question else str(topic or ""))
        self.nuggets.show_notice("" if own else tr("No nugget of this topic is compared."), "muted")
        part = table.rows(own)
        order = systems_order(value.matrix.labels, value.matrix.vital).tolist()
        names = [value.matrix.runs[system] for system in order]
        strips = [_nugget_strip(value, key, order, names) for key in part.keys]
        drawn = _with_strips(part, trn("{n:,} system", "{n:,} systems", len(names)), strips, after="nugget",
                             tip=tr("A cell for each system, those first that say most: {names}",
                                    names=", ".join(names[:50])))  # fmt: skip
        labels = self._run_labels()
        first, second = (value.matrix.runs[at] for at in (value.baseline, value.system))
        outcomes = part.column("outcome")
        words = {code: text.format(run=_name(labels, second), baseline=_name(labels, first))
                 for code, text in OUTCOMES.items()}  # fmt: skip
        heads: dict[str, list[int]] = {}
        for row, outcome in enumerate(outcomes.values):
            heads.setdefault(outcome, []).append(row)
        headings = [Heading(words[outcome], decimal(f"{len(rows):,}")) for outcome, rows in heads.items()]
        self.nuggets.show_table(
            drawn, rows=grouped_rows(part, "outcome"), headings=headings, saved=table,
            keys=("nugget", "strip") if len(names) > 2 else ("nugget", "baseline", "run"),
            runs={"baseline": labels.get(first), "run": labels.get(second)},
            layouts={"strip": ColumnLayout(made=StripColumn)},
        )  # fmt: skip

    def _run_labels(self) -> dict[str, RunLabel]:
        """Return the labels of systems by their names, without what the names share."""
        known = self.session.answers.answering(every=True)
        if known is None:
            return {}
        return {entry.name: label for entry, label in zip(known.entries, known.labels, strict=True)}

    # --- what the user does ---

    def _fold(self, folded: bool) -> None:
        self._folded = folded
        if self._shown is not None:
            self._show_topics(self._shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._folded and self._shown is not None:
            self._show_topics(self._shown)

    def _on_fold_clicked(self) -> None:
        self._fold(not self._folded)

    def _on_sort_requested(self, column_id: str, descending: bool) -> None:
        self._sort = (column_id, descending)
        if self._shown is not None:
            self._show_topics(self._shown)

    def _on_filter_used(self, text: str) -> None:
        self._filter = text
        if self._shown is not None:
            self._show_topics(self._shown)

    def _on_topic_entered(self, row: int) -> None:
        key = self.topics.key_of(row)
        if isinstance(key, str):
            self.session.navigation.set_query(key)

    def _on_topic_activated(self, row: int) -> None:
        """Open the answers to the topic at the first nugget that the better system says more fully, else at the first
        that differs; a band shows the topics that it stands for."""
        if not isinstance(self.topics.key_of(row), str):
            self._fold(False)
            return
        self._on_topic_entered(row)
        keys = [key for key in self.nuggets.model.keys if isinstance(key, tuple)]
        if keys and self._shown is not None:
            value = self._shown.value
            of_first, of_second = value.values[:, value.topics.index(keys[0][0])].tolist()
            better = value.matrix.runs[value.baseline if of_first > of_second else value.system]
            self.session.answers.open(*next((key for key in keys if key[1] == better), keys[0]))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open the answers at the nugget whose cell is double-clicked; a click only selects its topic."""
        if event.type() == QEvent.Type.MouseButtonDblClick and isinstance(event, QMouseEvent):
            table = self.topics.table
            index = table.indexAt(event.position().toPoint())
            column = self.topics.model.columns[index.column()] if index.isValid() else None
            if isinstance(column, StripColumn):
                box, strip = table.visualRect(index), column.strip(index.row())
                cell = column.cell_at(index.row(), event.position().x() - box.left(), box.width())
                key = self.topics.key_of(index.row())
                if strip is not None and 0 <= cell < len(strip.places) and key is not None:
                    self.session.answers.open(str(key), "", strip.places[cell])
                    return True
        return super().eventFilter(watched, event)

    # --- cells of strips ---

    def _on_topic_cell_moved(self, row: int, cell: int) -> None:
        """Say what a cell is, and mark its nugget among those of the topic."""
        column = self.topic_cursor.column()
        strip = None if column is None else column.strip(row)
        if self._shown is None or strip is None or cell < 0:
            self.nuggets.show_notice("", "muted")
            return
        value, topic = self._shown.value, str(self.topics.key_of(row))
        labels = [(value.matrix.runs[place], line[cell])
                  for place, line in zip((value.baseline, value.system), strip.lines, strict=True)]  # fmt: skip
        place = strip.places[cell]
        self._tell(value, topic, place, labels, (cell + 1, len(strip.lines[0])))
        own = next((at for at, key in enumerate(self.nuggets.model.keys)
                    if isinstance(key, tuple) and key[2] == place), -1)  # fmt: skip
        if own >= 0:
            self.nuggets.table.scrollTo(self.nuggets.model.index(own, 0))

    def _on_topic_cell_opened(self, row: int, cell: int) -> None:
        column, key = self.topic_cursor.column(), self.topics.key_of(row)
        strip = None if column is None else column.strip(row)
        if strip is not None and key is not None:
            self.session.answers.open(str(key), "", strip.places[cell])

    def _on_nugget_cell_moved(self, row: int, cell: int) -> None:
        column, key = self.nugget_cursor.column(), self.nuggets.key_of(row)
        strip = None if column is None else column.strip(row)
        if self._shown is None or strip is None or cell < 0 or not isinstance(key, tuple):
            self.nuggets.show_notice("", "muted")
            return
        label = strip.lines[0][cell]
        self._tell(self._shown.value, key[0], key[2], [(strip.runs[cell], label)], (cell + 1, len(strip.lines[0])))

    def _on_nugget_cell_opened(self, row: int, cell: int) -> None:
        column, key = self.nugget_cursor.column(), self.nuggets.key_of(row)
        strip = None if column is None else column.strip(row)
        if strip is not None and isinstance(key, tuple):
            self.session.answers.open(key[0], strip.runs[cell], key[2])

    def _tell(
        self, value: AnswerPairs, topic: str, place: int, labels: list[tuple[str, int]], at: tuple[int, int]
    ) -> None:  # fmt: skip
        """Show and announce a cell: which nugget it is and what systems say of it."""
        nuggets, names = value.matrix.nuggets, self._run_labels()
        nugget = int(nuggets.offsets[nuggets.topic_index[topic]]) + place
        said = "; ".join(f"{_name(names, run)} {CELL_LABELS.get(label, CELL_LABELS[NONE])}" for run, label in labels)
        text = tr("{place:,} of {count:,}, {importance}: {nugget} · {said}", place=at[0], count=at[1],
                  importance=nuggets.importance_texts[nugget].as_py(), nugget=nuggets.texts[nugget].as_py(),
                  said=said)  # fmt: skip
        self.nuggets.show_notice(text, "text")
        announce(self, escape_hidden(text))

    def _on_nugget_activated(self, row: int) -> None:
        key = self.nuggets.key_of(row)
        if isinstance(key, tuple):
            self.session.answers.open(*key)

    def _on_parameter_chosen(self, name: str, value: object) -> None:
        try:
            self.session.result_views.set_parameter(name, value, NAME)
        except IrviewerError as error:
            self.topics.show_notice(str(error), "worse")

    def _on_parameter_typed(self, name: str, text: str) -> None:
        view = self.session.result_views.view(NAME)
        parameter = next(each for each in view.parameters if each.name == name)
        try:
            value = parameter.read(text)
        except IrviewerError as error:
            self.topics.show_notice(str(error), "worse")
            return
        self._on_parameter_chosen(name, value)


def _name(labels: Mapping[str, RunLabel], run: str) -> str:
    return labels[run].name if run in labels else run


def _with_strips(table: Table, title: str, strips: list[Strip], *, after: str, tip: str) -> Table:
    """Return a table with a column of strips, which only the window has."""
    strip = columns.text("strip", title, strips, tip=tip, titles=(tr("nuggets"),))
    place = next(at for at, each in enumerate(table.columns) if each.key == after) + 1
    return replace(table, columns=(*table.columns[:place], strip, *table.columns[place:]))


def _on_one_axis(table: Table) -> Table:
    """Return means without the intervals of what is no score: words are on another axis than shares."""
    others = np.isin(np.array(table.keys, dtype=object), OF_ANSWERS)
    ends = table.column("interval")
    low, high = (np.where(others, np.nan, ends.numbers[part]) for part in ("low", "high"))
    drawn = columns.interval("interval", ends.title, low, high, of="difference")
    return replace(table, columns=tuple(drawn if each.key == "interval" else each for each in table.columns))


def _topic_strip(value: AnswerPairs, topic: str) -> Strip:
    """Return the labels of two systems for the nuggets of a topic, in one order: vital, then okay ones."""
    nuggets = value.matrix.nuggets
    inside = _columns_of(value, topic)
    labels = value.matrix.labels[[value.baseline, value.system]][:, inside]
    importance = nuggets.importance[value.matrix.rows[inside]]
    order = [int(at) for at in said_order(labels, importance) if importance[at] in (VITAL, OKAY)]
    tall = sum(int(importance[at] == VITAL) for at in order)
    lines = tuple(tuple(known_labels(line)[order].tolist()) for line in labels)
    words = "; ".join(
        tr("{run}: {said} of {all} vital said, {partly} in part", run=value.matrix.runs[system],
           said=line[:tall].count(FULL), all=tall, partly=line[:tall].count(PARTIAL))
        for system, line in zip((value.baseline, value.system), lines, strict=True)
    )  # fmt: skip
    first = int(nuggets.offsets[nuggets.topic_index[topic]]) if topic in nuggets.topic_index else 0
    places = tuple(int(value.matrix.rows[inside[at]]) - first for at in order)
    return Strip(lines, tall, words, places)


def _columns_of(value: AnswerPairs, topic: str) -> np.ndarray:
    """Return the columns of the matrix that are nuggets of a topic."""
    place = value.matrix.nuggets.topic_index.get(topic, -1)
    own = value.matrix.nuggets.topic_of_each[value.matrix.rows]
    # Rows are in the order of topics that count, each topic's together.
    return np.flatnonzero(own == place)


def _nugget_strip(value: AnswerPairs, key: object, order: list[int], names: list[str]) -> Strip:
    """Return the label of a nugget by system."""
    assert isinstance(key, tuple)
    nuggets = value.matrix.nuggets
    row = int(nuggets.offsets[nuggets.topic_index[key[0]]]) + key[2]
    column = int(np.flatnonzero(value.matrix.rows == row)[0])
    labels = known_labels(value.matrix.labels[order, column]).tolist()
    said = [name for name, label in zip(names, labels, strict=True) if label == FULL]
    partly = [name for name, label in zip(names, labels, strict=True) if label == PARTIAL]
    words = tr("said by {said} of {all}, in part by {partly}", said=len(said), all=len(names), partly=len(partly))
    return Strip((tuple(labels),), len(labels), words, runs=tuple(names))
