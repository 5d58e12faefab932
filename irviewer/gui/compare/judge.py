"""The tab Judge of Compare: whether a judge can stand for the reference, for what, and what is not known.

It shows the tables and sentences of the view ``judge``; every sentence leads to its evidence."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QMenu, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from irviewer.commands import run_command
from irviewer.errors import IrviewerError
from irviewer.gui.compare.judges import EmptyView, JudgeChooser
from irviewer.gui.guard import guarded
from irviewer.gui.screens.screen import GAP, Screen
from irviewer.gui.tables.result_columns import ColumnLayout
from irviewer.gui.tables.result_panel import ResultPanel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton, SentenceLink, TextButton
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.number_field import NumberField
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.parameter_bar import ParameterBar, typed_value
from irviewer.gui.widgets.plain_text import PlainLabel, Sentences, set_tooltip, visible
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.model.number_text import limit, quantity, signed_quantity
from irviewer.session.changes import Change
from irviewer.session.messages import error
from irviewer.session.navigation.empty_tabs import nothing_in
from irviewer.session.result_views import TABS
from irviewer.tables.table import Table
from irviewer.translation import tr, trn
from irviewer.views.judge import STATUSES, USES, headline

if TYPE_CHECKING:
    from irviewer.gui.plots.judges.page import GradeBar, HalfWidthCurves, IntervalRow, PairPart
    from irviewer.session.session import Session
    from irviewer.views.judge import JudgePage
    from irviewer.views.result import ViewResult

NAME = TABS["judge"]
FIRST_TABLE = 6
"""The row of the grid below the panels."""
NARROW = 720
"""Below this width in pixels two panels stand beside each other, not three."""
MOST_PAIRS = 8
"""The turned pairs that are listed, decided ones first; how many more there are is said, and leads to all."""
ABOVE = ("judge_name", "half_width", "against")
"""The parameters that have a control in a panel of their own."""
TABLES = (("differences",), ("people", "epsilon"), ("family", "stress"), ("ceiling", "length"))
"""The tables below the pictures, those of a row."""
LAST = FIRST_TABLE + sum(map(len, TABLES))
EVIDENCE = {
    "order": "judges", "best": "judges", "height": "corrected", "documents": "agreement", "favoured": "judges",
    "family": "judges", "corrected": "corrected", "needed": "corrected", "people": "agreement", "halves": "judges",
    "ceiling": "agreement",
}  # fmt: skip
"""The tab of Compare that has the evidence of a use or of a sentence."""


class UseTile(QWidget):
    """A use with its sign, and what was seen as a link to its evidence."""

    def __init__(self, theme: Theme, use: str, lead: Callable[[str], None]) -> None:
        super().__init__()
        self._theme, self._use, self._lead = theme, use, lead
        self.title = PlainLabel(USES[use])
        self.title.setFont(theme.font(9.5, weight=600))
        self.title.setWordWrap(True)
        self.title.setContentsMargins(SentenceLink.INSET, 0, 0, 0)
        self.link: SentenceLink | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(1)
        self._column.addWidget(self.title)
        self._column.addStretch(1)

    def show_use(self, status: str, seen: str) -> None:
        """Show the sign with its word, and what was seen."""
        self.title.setText(f"{status} · {USES[self._use]}")
        if self.link is not None and self.link.text() == seen:
            return
        if self.link is not None:
            self._column.removeWidget(self.link)
            self.link.hide()
            self.link.deleteLater()
            self.link = None
        if seen:
            self.link = SentenceLink(self._theme, seen, evidence_titles()[EVIDENCE[self._use]], 9)
            self.link.clicked.connect(self._on_clicked)
            self._column.insertWidget(1, self.link)

    def _on_clicked(self) -> None:
        self._lead(EVIDENCE[self._use])


@guarded
class SentenceList(QWidget):
    """Sentences below each other, as high as all of their lines; those with evidence are links."""

    height_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._column = QVBoxLayout(self)
        side = 12 - SentenceLink.INSET
        self._column.setContentsMargins(side, 5, side, 6)
        self._column.setSpacing(4)
        self._column.addStretch(1)
        self.rows: list[QWidget] = []
        self._leads: dict[QWidget, Callable[[], None]] = {}
        self._shown: tuple[tuple[str, str], ...] = ()

    def show_sentences(self, sentences: Sequence[tuple[str, str, Callable[[], None] | None]]) -> None:
        """Show texts, each with where it leads in words and what leads there; None: it is no link."""
        shown = tuple((text, where) for text, where, _ in sentences)
        if shown == self._shown:
            self._leads = {row: lead for row, (_, _, lead) in zip(self.rows, sentences, strict=True) if lead}
            return
        self._shown = shown
        for former in self.rows:
            self._column.removeWidget(former)
            former.hide()
            former.deleteLater()
        self.rows, self._leads = [], {}
        for text, where, lead in sentences:
            row: QWidget
            if lead is None:
                label = Sentences(text)
                label.setFont(self._theme.font(9))
                label.setWordWrap(True)
                label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
                label.setContentsMargins(SentenceLink.INSET, 0, SentenceLink.INSET, 0)
                row = label
            else:
                link = SentenceLink(self._theme, text, where, 9)
                link.clicked.connect(self._on_clicked)
                self._leads[link] = lead
                row = link
            self._column.insertWidget(len(self.rows), row)
            self.rows.append(row)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        height = max(0, self._column.totalHeightForWidth(self.width()))
        if height != self.minimumHeight():
            self.setMinimumHeight(height)
            self.height_changed.emit()

    def _on_clicked(self) -> None:
        lead = self._leads.get(self.sender())  # type: ignore[call-overload]
        if lead is not None:
            lead()


@guarded
class JudgeView(Screen):
    """The page of a judge: the answer with its four uses above, the pictures, and the tables below them."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._shown: ViewResult | None = None
        self._by_documents = False
        self._menu: QMenu | None = None
        self.answer = self._answer_panel()
        self.grades = PlotPanel(theme, self._make_rows, _put_rows)
        self.order = PlotPanel(theme, self._make_rows, _put_rows)
        self.means = PlotPanel(theme, self._make_scrolled_rows, _put_scrolled_rows)
        self.bias = PlotPanel(theme, self._make_bars, _put_bars)
        self.pairs = PlotPanel(theme, self._make_pairs, _put_pairs)
        self.turned = SentenceList(theme)
        self.pairs.add_below(self.turned)
        self.notes = {panel: self._note_below(panel) for panel in (self.grades, self.order, self.bias)}
        self.widths = PlotPanel(theme, self._make_widths, _put_widths)
        self.plots = (self.grades, self.order, self.means, self.bias, self.pairs, self.widths)
        self.needed = self._needed_panel()
        self.rest = Panel(theme, tr("What else, and what the data cannot say"))
        self.sentences = SentenceList(theme)
        self.rest.set_body(self.sentences)
        for sentences in (self.turned, self.needed_words, self.sentences):
            sentences.height_changed.connect(self._on_sentences_fitted)
        self.tables = {name: self._table(name) for names in TABLES for name in names}
        self.asked = Panel(theme, tr("What is asked"))
        self.parameters = ParameterBar(theme)
        self.parameters.chosen.connect(self._set)
        self.parameters.typed.connect(self._on_typed)
        self.asked.set_body(self.parameters)
        content = QWidget()
        self._narrow = False
        self.grid = self._grid()
        content.setLayout(self.grid)
        self._place_panels()
        self._place_tables({})
        self.area = Scrolled(content)
        self.empty = EmptyView(session, theme, "judge")
        self.stack = QStackedWidget()
        self.stack.addWidget(self.area)
        self.stack.addWidget(self.empty)
        self.set_content(self.stack)
        self.setFocusProxy(self.judge)

    # --- how it is made ---

    def _answer_panel(self) -> Panel:
        theme = self.theme
        panel = Panel(theme, tr("Can"))
        self.judge = ChoiceButton(theme, bold=True, most=230)
        self.judge.clicked.connect(self._on_judge_clicked)
        self.reference = JudgeChooser(self.session, theme, tr("stand for"), self.session.judges.choose)
        panel.header_layout.insertWidget(1, self.judge)
        panel.header_layout.insertWidget(2, self.reference)
        self.headline = Sentences()
        self.headline.setFont(theme.font(14, weight=600))
        self.headline.setWordWrap(True)
        self.headline.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.headline.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.uses = {use: UseTile(theme, use, self._lead) for use in USES}
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(14 - SentenceLink.INSET, 7, 14, 6)
        column.setSpacing(5)
        self.headline.setContentsMargins(SentenceLink.INSET, 0, 0, 0)
        column.addWidget(self.headline)
        row = QHBoxLayout()
        row.setSpacing(16)
        for tile in self.uses.values():
            row.addWidget(tile, 1)
        column.addLayout(row)
        self.uses_row = row
        panel.set_body(body)
        return panel

    def _needed_panel(self) -> Panel:
        theme = self.theme
        panel = Panel(theme, tr("Which half-width is wanted?"))
        self.half = NumberField(theme, tr("half-width ±"), tr("The half-width that intervals of corrected means should "
                                                              "have; empty: none"))  # fmt: skip
        self.half.used.connect(self._on_half_typed)
        self.against = ChoiceButton(theme, most=230)
        self.against.clicked.connect(self._on_against_clicked)
        self.needed_words = SentenceList(theme)
        self.draw = TextButton(theme, tr("Draw queries for a human…"), tr("Draw queries at random for a human judge"))
        self.draw.clicked.connect(self._on_draw_clicked)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 6, 0, 6)
        column.setSpacing(4)
        row = QHBoxLayout()
        row.setContentsMargins(12, 0, 12, 0)
        row.addWidget(self.half)
        row.addSpacing(8)
        row.addWidget(self.against)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self.needed_words, 1)
        below = QHBoxLayout()
        below.setContentsMargins(12, 0, 12, 0)
        below.addWidget(self.draw)
        below.addStretch(1)
        column.addLayout(below)
        panel.set_body(body)
        return panel

    def _note_below(self, panel: PlotPanel) -> PlainLabel:
        """Return a label below a picture."""
        note = Sentences()
        note.setFont(self.theme.font(8.5))
        note.setWordWrap(True)
        note.setContentsMargins(10, 0, 8, 2)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)  # all its lines: the picture above has what is left
        note.setSizePolicy(policy)
        panel.add_below(note)
        return note

    def _table(self, name: str) -> ResultPanel:
        return ResultPanel(self.session, self.theme, f"judge_{name}", sortable=False, tightens=True, row_height=22)

    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GAP)
        for column in range(6):
            grid.setColumnStretch(column, 1)
        return grid

    def _place_panels(self) -> None:
        """Put three panels beside each other, or two where the room is narrow."""
        beside = 3 if self._narrow else 2
        three: tuple[tuple[QWidget, int, int, int], ...] = (
            (self.grades, 1, 0, 1), (self.order, 1, 1, 1), (self.means, 1, 2, 2), (self.bias, 2, 0, 1),
            (self.pairs, 2, 1, 1), (self.widths, 3, 0, 1), (self.needed, 3, 1, 1), (self.rest, 3, 2, 1),
        )  # fmt: skip
        two: tuple[tuple[QWidget, int, int, int], ...] = (
            (self.grades, 1, 0, 1), (self.order, 1, 1, 1), (self.bias, 2, 0, 1), (self.pairs, 2, 1, 1),
            (self.means, 3, 0, 2), (self.widths, 3, 1, 1), (self.needed, 4, 1, 1), (self.rest, 5, 0, 1),
        )  # fmt: skip
        for widget, row, place, rows in two if self._narrow else three:
            columns = 6 if self._narrow and widget is self.rest else beside
            widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
            self.grid.removeWidget(widget)
            self.grid.addWidget(widget, row, place * beside, rows, columns)
        for widget, row in ((self.answer, 0), (self.asked, LAST)):
            widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            self.grid.removeWidget(widget)
            self.grid.addWidget(widget, row, 0, 1, 6)
        heights = {1: 172, 2: 148, 3: 150} | ({4: 150, 5: 150} if self._narrow else {4: 0, 5: 0})
        for row, least in heights.items():
            self.grid.setRowMinimumHeight(row, least)
            self.grid.setRowStretch(row, int(least > 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        if (self.width() < NARROW) != self._narrow:
            self._narrow = not self._narrow
            self._place_panels()
            self._place_tables(self._tables_shown)
        super().resizeEvent(event)

    def _on_sentences_fitted(self) -> None:
        """Give panels the height of their sentences: the page scrolls, and nothing within it."""
        for panel in (self.pairs, self.needed, self.rest):
            layout = panel.layout()
            assert layout is not None
            layout.activate()
            panel.setMinimumHeight(layout.totalMinimumSize().height())

    def _place_tables(self, shown: Mapping[str, Table]) -> None:
        """Put the tables in rows of two; one that stands alone has the whole row."""
        self._tables_shown = dict(shown)
        for names in TABLES:
            for name in names:
                self.grid.removeWidget(self.tables[name])
                self.tables[name].setVisible(name in shown)
        rows = [[name for name in names if name in shown] for names in TABLES]
        if self._narrow:
            rows = [[name] for names in rows for name in names]
        for row, visible_ones in enumerate(rows, start=FIRST_TABLE):
            for place, name in enumerate(visible_ones):
                columns = 6 // len(visible_ones)
                self.grid.addWidget(self.tables[name], row, place * columns, 1, columns, Qt.AlignmentFlag.AlignTop)

    # --- what is shown ---

    def refresh(self, changes: frozenset[Change]) -> None:
        lack = nothing_in(self.session.view.collection, "compare", "judge")
        self.empty.show_reason(lack)
        self.stack.setCurrentIndex(1 if lack else 0)
        self.setFocusProxy(self.empty if lack else self.judge)
        if lack:
            return
        service = self.session.result_views
        view, values = service.view(NAME), service.parameters_of(NAME)
        self.reference.show_judge(self.session.judges.number)
        self.judge.show_choice(self._judge_shown(values["judge_name"]), tr("The judge asked about"))
        self.half.show_value(limit(values["half_width"]) if values["half_width"] else "")
        self.against.show_choice(
            tr("differences from {run}", run=values["against"]) if values["against"] else tr("means"),
            tr("What the half-width is of"),
        )  # fmt: skip
        others = tuple(each for each in view.parameters if each.name not in ABOVE)
        self.parameters.show_parameters(others, values, service.choices)
        trouble = tr("Computing …")
        try:
            answer = service.answer(NAME)
            shown = None if answer is None else answer.shown
            trouble = trouble if answer is None else answer.trouble
        except IrviewerError as fault:
            shown, trouble = None, str(fault)
        bound = service.protocol(NAME)
        self.asked.set_note("" if bound is None else bound.line())
        if shown is None:
            self._show_trouble(trouble)
        elif shown is not self._shown or Change.RUNS in changes:
            self._show(shown)
        self._shown = shown

    def _show_trouble(self, text: str) -> None:
        self.headline.setText(text)
        self.answer.set_note("")
        for panel in (*self.plots, self.needed, self.rest, *self.tables.values(), *self.uses.values()):
            panel.hide()

    def _show(self, shown: ViewResult) -> None:
        page: JudgePage = shown.value
        reference, judge = page.names
        self._by_documents = page.by_documents is not None
        self.headline.setText(headline(page))
        pair = page.grades.pair(0, 1)
        self.answer.set_note(" · ".join((
            trn("{n:,} pair judged by both", "{n:,} pairs judged by both", pair.pairs),
            trn("{n:,} query", "{n:,} queries", len(page.under.queries)),
            trn("{n:,} run", "{n:,} runs", len(page.systems.runs)),
        )))  # fmt: skip
        for widget in (*self.plots, self.needed, self.rest, *self.uses.values()):
            widget.show()
        uses = shown.table("judge")
        for use, status, seen in zip(uses.keys, uses.column("status").values, _texts(uses, "found"), strict=True):
            self.uses[str(use)].show_use(STATUSES[status], seen)
        _show_plot(self.grades, shown.table("grades"), _grade_rows(shown.table("grades")), (0.0, 1.0))
        percent = f"{page.grades.options.confidence * 100:g}"
        self.grades.set_note(" · ".join((tr("{share} %, bootstrap of queries", share=percent), "| " + tr("κ max"))))
        order = _order_rows(shown.table("order"), page)
        _show_plot(self.order, shown.table("order"), order, None)
        marked = any(math.isfinite(row.mark) for row in order)
        people = ("| " + tr("two people"),) if marked else ()
        self.order.set_note(" · ".join((page.systems.measure.text, *people)))
        said = {remark.code: remark.text for remark in shown.sentences}
        halves = [said["halves"]] if "halves" in said else []
        self._tell_below(self.grades, [remark.text for remark in shown.table("grades").notes])
        self._tell_below(self.order, [*halves, *(remark.text for remark in shown.table("order").notes)])
        self._show_means(shown)
        bias = shown.table("bias")
        self.bias.set_title(bias.title)
        bars = _bars(bias, shown.value.given.tolist())
        self.bias.set_note(tr("frame: the same grade") if bars else "")
        self.bias.show_value((bias.title, bars, reference, judge))
        self._tell_below(self.bias, [remark.text for remark in bias.notes])
        self._show_pairs(shown)
        self._show_needed(shown)
        self.sentences.show_sentences([
            self._sentence(remark.code, remark.text) for remark in shown.sentences
            if remark.code not in ("headline", "needed", "halves")
        ])  # fmt: skip
        tables = {table.name: table for table in shown.tables if table.name in self.tables}
        self._place_tables(tables)
        for name, table in tables.items():
            panel = self.tables[name]
            panel.set_title(table.title)
            panel.table.setAccessibleName(visible(table.title))
            panel.show_table(table, layouts={"statistic": ColumnLayout(widest=220)})
            panel.show_notice("\n".join(remark.text for remark in table.notes), "muted")
            panel.fit_height()

    def _tell_below(self, panel: PlotPanel, texts: Sequence[str]) -> None:
        note = self.notes[panel]
        note.setText(" ".join(texts))
        set_tooltip(note, "\n".join(texts))

    def _show_means(self, shown: ViewResult) -> None:
        names = [table.name for table in shown.tables]
        if "corrected" in names:
            table = shown.table("corrected")
            self.means.set_title(table.title)
            reference, judge = shown.value.names
            self.means.set_note(tr("● corrected · ○ {judge} · | {reference}", judge=judge, reference=reference))
            rows = _mean_rows(table, "corrected", "judge")
        else:
            table = shown.table("height")
            reference, judge = shown.value.names
            self.means.set_title(table.title)
            self.means.set_note(tr("● {reference} · ○ {judge}", judge=judge, reference=reference))
            rows = _mean_rows(table, "reference", "judge")
        self.means.show_value((table.title, rows, None))

    def _show_pairs(self, shown: ViewResult) -> None:
        table, turned = shown.table("pairs"), shown.table("turned")
        counts = dict(zip(table.keys, table.column("all").values, strict=True))
        self.pairs.set_title(trn("{n:,} pair of systems", "{n:,} pairs of systems", sum(counts.values())))
        reference, judge = shown.value.names
        self.pairs.set_note(tr("{turned} · Δ of {reference}, {judge}", turned=turned.title, reference=reference,
                               judge=judge))  # fmt: skip
        self.pairs.show_value((table.title, _parts(counts)))
        rows: list[tuple[str, str, Callable[[], None] | None]] = []
        values = [turned.column(key).values for key in ("first", "second", "by_reference", "by_judge")]
        for first, second, own, other in list(zip(*values, strict=True))[:MOST_PAIRS]:
            text = tr("{first} over {second}: {own}, {other}", first=first, second=second, own=signed_quantity(own),
                      other=signed_quantity(other))  # fmt: skip
            rows.append((text, tr("Compare › Pair"), self._leading_to_pair(first, second)))
        if turned.n_rows > MOST_PAIRS:
            more = turned.n_rows - MOST_PAIRS
            where = evidence_titles()["judges"]
            rows.append((trn("and {n} more", "and {n} more", more), where, lambda: self._lead("judges")))
        rows += [(remark.text, "", None) for remark in table.notes]
        self.turned.show_sentences(rows)

    def _show_needed(self, shown: ViewResult) -> None:
        page: JudgePage = shown.value
        said = {remark.code: remark.text for remark in shown.sentences}
        planned = page.planned is not None
        self.draw.setVisible(not planned or page.corrected is None or page.corrected.drawn)
        if not planned:
            self.widths.set_title(tr("How many human queries are enough?"))
            self.widths.show_value((self.widths.title, None))
            self.widths.set_note("")
            code = "needed" if "needed" in said else "corrected"
            self.needed_words.show_sentences([self._sentence(code, said[code])])
            return
        table = shown.table("widths")
        self.widths.set_title(tr("How many human queries are enough?"))
        self.widths.set_note(tr("– – {judge} alone", judge=page.names[0]))
        self.widths.show_value((table.title, _curves(table, page)))
        words = [self._sentence("needed", said["needed"])] if "needed" in said else [(tr(
            "Set the half-width that is narrow enough for what you decide: the page then says how many queries a human "
            "must judge, and how uncertain that is."
        ), "", None)]  # fmt: skip
        notes = next((each.notes for each in shown.tables if each.name == "needed"), table.notes)
        self.needed_words.show_sentences([*words, *((remark.text, "", None) for remark in notes)])

    def _sentence(self, code: str, text: str) -> tuple[str, str, Callable[[], None] | None]:
        tab = EVIDENCE.get(code)
        if tab is None or (tab == "corrected" and self._by_documents):  # that tab corrects by whole queries
            return text, "", None
        return text, evidence_titles()[tab], lambda: self._lead(tab)

    def _judge_shown(self, name: str) -> str:
        """Return the name of the judge that is asked about, the first other one without a choice."""
        names = self._other_judges()
        return name if name in names else names[0] if names else tr("a judge")

    def _other_judges(self) -> list[str]:
        own = self.session.judges.number
        return [judge.name for number, judge in enumerate(self.session.judges.sets) if number != own]

    # --- what the user does ---

    def _lead(self, tab: str) -> None:
        """Show the evidence in another tab, with the two judges of the page chosen."""
        sets, judges = self.session.judges.sets, self.session.judge_comparison
        asked = self._judge_shown(self.session.result_views.parameters_of(NAME)["judge_name"])
        other = next((number for number, judge in enumerate(sets)
                      if judge.name == asked and number != self.session.judges.number), None)  # fmt: skip
        if other is not None:
            judges.set_reference(self.session.judges.number)
            judges.set_pair(self.session.judges.number, other)
        judges.go_to(tab)

    def _leading_to_pair(self, first: str, second: str) -> Callable[[], None]:
        def lead() -> None:
            keys = {label.whole_name: label.key for label in self.session.view.system_labels()}
            if first in keys and second in keys:
                self.session.runs.set_baseline(keys[second])
                self.session.runs.set_focus(keys[first])
                self.session.judge_comparison.go_to("pair")

        return lead

    def _set(self, name: str, value: object) -> None:
        try:
            self.session.result_views.set_parameter(name, value, NAME)
        except IrviewerError as fault:
            self.session.say(error(str(fault)))

    def _on_typed(self, name: str, text: str) -> None:
        view = self.session.result_views.view(NAME)
        parameter = next(each for each in view.parameters if each.name == name)
        try:
            value = typed_value(parameter, text)
        except IrviewerError as fault:
            self.session.say(error(str(fault)))
            return
        self._set(name, value)

    def _on_half_typed(self, text: str) -> None:
        self._on_typed("half_width", text)

    def _on_draw_clicked(self) -> None:
        run_command(self.session, "draw_task")

    def judge_menu(self) -> QMenu:
        """Return the judges that can be asked about."""
        names = self._other_judges()
        return self._menu_of("judge_name", [(name, name) for name in names], self.judge.text())

    def against_menu(self) -> QMenu:
        """Return what the half-width can be of: means, or differences from a run."""
        values = self.session.result_views.parameters_of(NAME)
        runs = [label.whole_name for label in self.session.view.taking_part_labels()]
        entries = [(tr("means"), ""), *((tr("differences from {run}", run=run), run) for run in runs)]
        return self._menu_of("against", entries, values["against"])

    def _menu_of(self, parameter: str, entries: Sequence[tuple[str, str]], chosen: str) -> QMenu:
        menu = QMenu(self)
        for title, value in entries:
            action = menu.addAction(visible(title).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(value == chosen)
            action.setData((parameter, value))
        menu.triggered.connect(self._on_menu_chosen)
        return menu

    def _on_menu_chosen(self, action: QAction) -> None:
        self._set(*action.data())

    def _on_judge_clicked(self) -> None:
        self._menu = open_below(self.judge_menu(), self.judge, self._menu)

    def _on_against_clicked(self) -> None:
        self._menu = open_below(self.against_menu(), self.against, self._menu)

    # --- the pictures ---

    def _make_rows(self) -> QWidget:
        from irviewer.gui.plots.judges.page import IntervalRows

        return IntervalRows(self.session, self.theme)

    def _make_scrolled_rows(self) -> QWidget:
        from irviewer.gui.plots.judges.page import IntervalRows

        rows = IntervalRows(self.session, self.theme)
        rows.opened.connect(self._on_run_opened)
        return Scrolled(rows)

    def _make_bars(self) -> QWidget:
        from irviewer.gui.plots.judges.page import GradeBars

        return GradeBars(self.session, self.theme)

    def _make_pairs(self) -> QWidget:
        from irviewer.gui.plots.judges.page import PairBar

        return PairBar(self.session, self.theme)

    def _make_widths(self) -> QWidget:
        from irviewer.gui.plots.judges.page import HalfWidthPlot

        return HalfWidthPlot(self.session, self.theme)

    def _on_run_opened(self, name: str) -> None:
        keys = {label.whole_name: label.key for label in self.session.view.system_labels()}
        if name in keys:
            self.session.runs.set_focus(keys[name])
            self._lead("corrected")


def evidence_titles() -> dict[str, str]:
    """Return where a sentence leads, by the tab of Compare."""
    return {"agreement": tr("Compare › Agreement"), "judges": tr("Compare › Systems by judge"),
            "corrected": tr("Compare › Corrected")}  # fmt: skip


def _texts(table: Table, key: str) -> tuple[str, ...]:
    return tuple(text or "" for text in table.column(key).show.texts or ())


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def _show_plot(panel: PlotPanel, table: Table, rows: Sequence[IntervalRow], ends: tuple[float, float] | None) -> None:
    panel.set_title(table.title)
    panel.show_value((table.title, rows, ends))


def _rows(table: Table, names: str) -> list[IntervalRow]:
    """Return the rows of a table of statistics with intervals."""
    from irviewer.gui.plots.judges.page import IntervalRow

    lows, highs = (table.column("interval").parts[part] for part in ("low", "high"))
    columns = table.keys, _texts(table, names), table.column("value").values, lows, highs
    return [
        IntervalRow(str(key), name, _number(value), _number(low), _number(high),
                    words=f"{name}: {_written(_number(value), _number(low), _number(high))}")
        for key, name, value, low, high in zip(*columns, strict=True)
    ]  # fmt: skip


def _grade_rows(table: Table) -> list[IntervalRow]:
    """Return the rows of the coefficients; the largest κ of the margins is the mark of κ."""
    rows = {row.key: row for row in _rows(table, "statistic")}
    most = rows.pop("kappa_level_max")
    kappa = rows["kappa_level"]
    rows["kappa_level"] = replace(kappa, mark=most.value, words=f"{kappa.words}; {most.words}")
    return list(rows.values())


def _order_rows(table: Table, page: JudgePage) -> list[IntervalRow]:
    """Return the rows of the orders; two people's agreement is a mark where there is one second person, who judged all
    of these queries."""
    rows = _rows(table, "statistic")
    if len(page.second) != 1 or page.second[0].queries != len(page.under.queries):
        return rows
    marks = {"tau": page.second[0].tau, "tau_ap": page.second[0].tau_ap}
    return [
        replace(row, mark=marks[row.key], words=f"{row.words}; {tr('two people')} {quantity(marks[row.key])}")
        if math.isfinite(marks.get(row.key, math.nan)) else row
        for row in rows
    ]  # fmt: skip


def _mean_rows(table: Table, own: str, other: str) -> list[IntervalRow]:
    """Return the rows of runs, the best first: the corrected or the reference's mean, and the judge's."""
    from irviewer.gui.plots.judges.page import IntervalRow

    keys = [column.key for column in table.columns]
    values, others = (np.array([_number(each) for each in table.column(key).values]) for key in (own, other))
    none = np.full(len(values), np.nan)
    lows = highs = marks = none
    outside = [False] * len(values)
    if "interval" in keys:
        lows, highs = (np.array([_number(each) for each in table.column("interval").parts[part]])
                       for part in ("low", "high"))  # fmt: skip
        outside = [bool(each) for each in table.column("outside").values]
        if "reference" in keys:
            marks = np.array([_number(each) for each in table.column("reference").values])
    titles = {key: table.column(key).title for key in (own, other, *(("reference",) if "reference" in keys else ()))}
    rows = []
    for place in np.argsort(-values, kind="stable").tolist():
        name = str(table.keys[place])
        words = [f"{name}: {titles[own]} {_written(values[place], lows[place], highs[place])}",
                 f"{titles[other]} {quantity(others[place])}"]  # fmt: skip
        if math.isfinite(marks[place]):
            words.append(f"{titles['reference']} {quantity(marks[place])}")
        rows.append(IntervalRow(name, name, float(values[place]), float(lows[place]), float(highs[place]),
                                float(marks[place]), float(others[place]), outside[place],
                                ", ".join(words), known="interval" not in keys))  # fmt: skip
    return rows


def _written(value: float, low: float, high: float) -> str:
    if math.isnan(value):
        return "–"
    ends = f" [{quantity(low)}, {quantity(high)}]" if math.isfinite(low) and math.isfinite(high) else ""
    return quantity(value) + ends


def _bars(table: Table, grades: Sequence[float]) -> list[GradeBar]:
    from irviewer.gui.plots.judges.page import GradeBar

    given = [(grade, table.column(f"gives_{number}").values) for number, grade in enumerate(grades, start=1)]
    rows = zip(*(table.column(key).values for key in ("grade", "pairs", "mean", "bias")), strict=True)
    return [
        GradeBar(float(grade), int(pairs), float(mean), float(bias),
                 tuple((grade, float(shares[place])) for grade, shares in given),
                 tr("grade {grade}: {pairs:,} pairs, mean {mean}, bias {bias}", grade=limit(float(grade)),
                    pairs=int(pairs), mean=quantity(float(mean)), bias=signed_quantity(float(bias))))
        for place, (grade, pairs, mean, bias) in enumerate(rows)
    ]  # fmt: skip


def _parts(counts: dict[Any, Any]) -> list[PairPart]:
    from irviewer.gui.plots.judges.page import PairPart

    every = (
        ("same_both", tr("alike, both decide"), 1.0, False), ("same_one", tr("alike, one decides"), 0.5, False),
        ("same_neither", tr("alike, none decides"), 0.0, False), ("tied", tr("equal"), 0.0, False),
        ("opposite_neither", tr("turned, open"), 0.0, True), ("opposite_one", tr("turned, one decides"), 0.0, True),
        ("opposite_both", tr("turned, decided"), 0.0, True),
    )  # fmt: skip
    return [PairPart(name, int(counts.get(key) or 0), strength, turned) for key, name, strength, turned in every]


def _curves(table: Table, page: JudgePage) -> HalfWidthCurves:
    from irviewer.gui.plots.judges.page import HalfWidthCurves

    queries, corrected, alone = ([float(each) for each in table.column(key).values]
                                 for key in ("queries", "corrected", "alone"))  # fmt: skip
    half, needed = math.nan, (math.nan, math.nan)
    if page.needed is not None:
        asked = page.needed.queries
        half, needed = asked.half, (float(asked.corrected.needed.max()), float(asked.alone.needed.max()))
    words = "\n".join(
        tr("{n:g} queries: corrected ±{corrected}, alone ±{alone}", n=n, corrected=quantity(own), alone=quantity(other))
        for n, own, other in zip(queries, corrected, alone, strict=True)
    )
    return HalfWidthCurves(queries, corrected, alone, half, needed, page.names[0], words)


def _put_rows(canvas: Any, value: tuple[str, Sequence[IntervalRow], tuple[float, float] | None]) -> None:
    canvas.show_rows(*value)


def _put_scrolled_rows(canvas: Any, value: tuple[str, Sequence[IntervalRow], None]) -> None:
    canvas.widget().show_rows(*value)


def _put_bars(canvas: Any, value: tuple[str, Sequence[GradeBar], str, str]) -> None:
    canvas.setVisible(bool(value[1]))  # why there are none has its room
    canvas.show_bars(*value)


def _put_pairs(canvas: Any, value: tuple[str, Sequence[PairPart]]) -> None:
    canvas.show_parts(*value)


def _put_widths(canvas: Any, value: tuple[str, HalfWidthCurves | None]) -> None:
    canvas.show_curves(*value)
