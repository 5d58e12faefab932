"""The tab Slices of Compare: where one run is better than the baseline, by attributes of the queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QPalette, QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.commands import run_command
from irviewer.gui.compare.crossed import CELL, CrossedCell, CrossedColumn, crossed_columns
from irviewer.gui.compare.run_choosers import RunChoosers
from irviewer.gui.guard import guarded
from irviewer.gui.screens.screen import Screen, split
from irviewer.gui.tables.axis_foot import AxisFoot
from irviewer.gui.tables.model import TableModel
from irviewer.gui.tables.result_columns import Heading, grouped_rows
from irviewer.gui.tables.result_panel import ResultPanel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.cell_table import CellTable
from irviewer.gui.widgets.controls import ChoiceButton, TextButton
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.picture import savable_picture
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.gui.widgets.savable import Savable, savable_result
from irviewer.gui.widgets.scrolled import SCROLL_BAR
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.model.number_text import count_text
from irviewer.session.changes import Change
from irviewer.session.view_models.slices import Parts, SlicesViewModel, parts_of
from irviewer.tables import table as tables
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


TITLED = 700
"""The least width in pixels of a header with a title beside its controls."""
WIDEST_CHOICE = 180
"""The largest width of the name of an attribute, in pixels."""


class SlicesPanel(ResultPanel):
    """The slices under their attributes, with the sentence above; a row chooses its slice."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, "slices", stretch="interval", sortable=False, tightens=True)
        self.table.setAccessibleName(tr("Slices"))
        self.attributes = TextButton(theme, tr("Attributes…"), tr("Choose attributes, and how numbers are cut"))
        self.choosers = RunChoosers(session, theme)
        self.header_layout.insertWidget(0, self.choosers)
        tip = tr("Search one half of the queries where the run loses most, and test on the other half")
        self.search = TextButton(theme, tr("Find slices…"), tip)
        self.attributes.clicked.connect(self._on_attributes_clicked)
        self.search.clicked.connect(self._on_find_clicked)
        self.header_layout.addWidget(self.attributes)
        self.header_layout.addWidget(self.search)
        self.foot = AxisFoot(theme, self.table, self.model, tr("all {value}"))
        self.body_layout.addWidget(self.foot)
        self.foot.height_changed.connect(self.fit_height)
        self.table.row_entered.connect(self._on_row_entered)
        self.table.row_activated.connect(self._on_row_entered)

    def show_view_model(self, view_model: SlicesViewModel) -> None:
        """Show the rows below the headings of their attributes, with the chosen slice selected."""
        table = view_model.table("slices")
        headings = [Heading(each.title, each.words, each.interaction) for each in view_model.headings]
        chosen = None
        if table is not None:
            chosen = next((key for key in table.keys if parts_of(key) == view_model.chosen), table.keys[0])
        self.show_table(
            table, rows=None if table is None else grouped_rows(table, "attribute"), current=chosen,
            runs={"baseline_mean": view_model.baseline, "mean": view_model.run}, headings=headings,
            keys=[] if table is None else _without_attribute(table), axes=False,
        )  # fmt: skip
        self.table.horizontalHeader().setVisible(table is not None)
        self.choosers.show_pair(view_model.run, view_model.baseline)
        self.set_title(view_model.title)
        self.set_note(view_model.note)
        two = [label.whole_name for label in (view_model.run, view_model.baseline) if label is not None]
        said = view_model.explanation or "\n".join(filter(None, (view_model.sentence, self.missing_words(two))))
        self.show_notice(said, "muted" if view_model.explanation else "ink")
        self.search.setText(tr("Hide found slices") if view_model.searched else tr("Find slices…"))
        self.search.updateGeometry()
        self.foot.show_legend(view_model.legend)
        set_tooltip(self.notice, "\n".join(view_model.notes))
        self.fit_height()

    def set_room(self, width: int) -> None:
        """Shorten the names of the two runs until the header has no more than these pixels; a narrow one leaves out its
        title, which tab and measure say."""
        self._title.setVisible(width >= TITLED)
        others = self.header_layout.minimumSize().width() - self.choosers.sizeHint().width()
        self.choosers.set_room(width - others - 2)  # 2: the panel's border

    def row_menu(self, row: int) -> QMenu:
        menu = super().row_menu(row)
        key = self.key_of(row)
        if key is not None and parts_of(key):
            menu.addAction(tr("Keep as a query set")).triggered.connect(self._on_keep_chosen)
        menu.addAction(tr("Save the slices…")).triggered.connect(self._on_save_chosen)
        return menu

    def _on_row_entered(self, row: int) -> None:
        key = self.key_of(row)
        if key is not None:
            self.session.slices.choose(parts_of(key))

    def _on_attributes_clicked(self) -> None:
        run_command(self.session, "slice_attributes")

    def _on_find_clicked(self) -> None:
        run_command(self.session, "find_slices")

    def _on_keep_chosen(self) -> None:
        run_command(self.session, "keep_slice")

    def _on_save_chosen(self) -> None:
        run_command(self.session, "save_slices")


class FoundPanel(ResultPanel):
    """The slices that the search found; a row chooses its slice."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, "found_slices", stretch="slice", sortable=False, tightens=True)
        self.table.setAccessibleName(tr("Found slices"))
        self.set_title(tr("Found slices"))
        self.table.row_entered.connect(self._on_row_entered)
        self.table.row_activated.connect(self._on_row_entered)

    def show_view_model(self, view_model: SlicesViewModel) -> None:
        """Show a view model; the panel is hidden where nothing is searched."""
        self.setVisible(view_model.searched)
        table = view_model.table("search")
        keys = () if table is None else table.keys
        chosen = next((key for key in keys if _found_parts(key) == view_model.chosen), None)
        self.show_table(table, current=chosen, runs={"baseline_mean": view_model.baseline, "mean": view_model.run})
        self.set_note("" if table is None else view_model.search_words)
        self.show_notice("" if table is not None and table.n_rows else view_model.search_words)

    def _on_row_entered(self, row: int) -> None:
        key = self.key_of(row)
        if key is not None:
            self.session.slices.choose(_found_parts(key))


def _found_parts(key: object) -> Parts:
    """Return the slice of a row's key in the tables ``search`` and ``crossed``."""
    return key[1:] if isinstance(key, tuple) else ()


def _without_attribute(table: tables.Table) -> list[str]:
    """Return the keys of the columns that are shown where headings name the attributes."""
    return [column.key for column in table.columns if not column.show.detail and column.key != "attribute"]


class CrossedPanel(TablePanel):
    """Two attributes crossed; a cell chooses its queries."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = TableModel(own_painters={CrossedColumn: CrossedCell})
        self.cells = CellTable(
            self.model, theme, lambda column: column.id.startswith(CELL), sortable=False, tightens=True
        )
        super().__init__(session, theme, self.cells, "crossed_slices")
        self.model.setParent(self)
        self.table.setAccessibleName(tr("Two attributes crossed"))
        self._view_model: SlicesViewModel | None = None
        self._menu: QMenu | None = None
        self.rows = ChoiceButton(theme, most=WIDEST_CHOICE)
        self.columns = ChoiceButton(theme, most=WIDEST_CHOICE)
        self.times = PlainLabel("×")
        for place, widget in enumerate((self.rows, self.times, self.columns), 1):
            self.header_layout.insertWidget(place, widget)
        self.rows.clicked.connect(self._on_rows_clicked)
        self.columns.clicked.connect(self._on_columns_clicked)
        self.cells.cell_entered.connect(self._on_cell_entered)
        theme.changed.connect(self._on_theme_changed_too)
        self._on_theme_changed_too()

    def show_view_model(self, view_model: SlicesViewModel) -> None:
        """Show the cells of two attributes; their choosers are hidden where there is only one."""
        self._view_model = view_model
        crossed, titles = view_model.table("crossed"), dict(view_model.attributes)
        several = len(titles) > 1
        for widget in (self.rows, self.times, self.columns):
            widget.setVisible(several)
        rows, columns = self.session.slices.crossed
        self.rows.show_choice(titles.get(rows, rows), tr("Attribute of the rows"))
        self.columns.show_choice(titles.get(columns, columns), tr("Attribute of the columns"))
        self.set_title("" if several else tr("Two attributes crossed"))
        self._title.setVisible(not several)  # an empty title would move the choosers from the edge of the columns
        if crossed is None:
            self.model.clear()
            self.set_note("")
            words = (
                tr("Tick a second attribute in Attributes… to cross two attributes.")
                if len(titles) < 2
                else tr("Comparing the slices …")
            )
            self.show_notice(view_model.explanation or words)
            return
        self.show_notice("")
        with self.table.keeping():
            self.model.show(*crossed_columns(crossed, view_model.chosen))
        self.set_note(view_model.crossed_note)

    def savable(self) -> Savable | None:
        """Return the cells as every door saves them: a row for each."""
        table = None if self._view_model is None else self._view_model.table("crossed")
        if table is None:
            return None
        return savable_result(table.title, (table,), self.session.view.judgment_mark)

    def menu_of(self, across: bool) -> QMenu:
        """Return the attributes of the rows (``across``) or of the columns."""
        menu = QMenu(self)
        view_model = self._view_model
        rows, columns = self.session.slices.crossed
        for name, title in () if view_model is None else view_model.attributes:
            action = menu.addAction(title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(name == (rows if across else columns))
            # The attribute of the other side changes places with it.
            other = columns if across else rows
            pair = (name, other if other != name else rows) if across else (other if other != name else columns, name)
            action.setData(pair)
        menu.triggered.connect(self._on_attribute_chosen)
        return menu

    def _open(self, across: bool, below: QWidget) -> None:
        self._menu = open_below(self.menu_of(across), below, self._menu)

    def _on_rows_clicked(self) -> None:
        self._open(True, self.rows)

    def _on_columns_clicked(self) -> None:
        self._open(False, self.columns)

    def _on_attribute_chosen(self, action: QAction) -> None:
        rows, columns = action.data()
        self.session.slices.cross(rows, columns)

    def _on_cell_entered(self, row: int, column_id: str) -> None:
        column = self.model.columns[self.model.column_of(column_id)]
        if isinstance(column, CrossedColumn) and 0 <= row < self.model.rowCount():
            self.session.slices.choose(_found_parts(column.table.keys[column.place(row)]))

    def _on_theme_changed_too(self) -> None:
        palette = self.times.palette()
        palette.setColor(QPalette.ColorRole.WindowText, self.theme["text"])
        self.times.setPalette(palette)


class SliceQueriesPanel(ResultPanel):
    """The queries of the chosen slice; Enter opens one."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, "slice_queries", stretch="text", sortable=False, tightens=True)
        self.table.setAccessibleName(tr("Queries of the slice"))
        self.keep = TextButton(theme, tr("Keep as a set"), tr("Make a query set of these queries"))
        self.keep.clicked.connect(self._on_keep_clicked)
        self.header_layout.addWidget(self.keep)
        self.table.row_entered.connect(self._on_row_entered)
        self.table.row_activated.connect(self._on_row_activated)

    def show_view_model(self, view_model: SlicesViewModel) -> None:
        queries = view_model.queries
        self.keep.setVisible(queries is not None and bool(queries.parts))
        if queries is None:
            self.show_table(None)
            self.set_title(tr("Queries of the slice"))
            self.set_note("")
            return
        runs = {"baseline_mean": view_model.baseline, "mean": view_model.run}
        self.show_table(queries.table, current=queries.selected, runs=runs)
        self.set_title(f"{queries.title} · {count_text(queries.table.n_rows)}")
        self.set_note(queries.note)

    def _id(self, row: int) -> str:
        return str(self.key_of(row) or "")

    def _on_row_entered(self, row: int) -> None:
        if self._id(row):
            self.session.navigation.set_query(self._id(row))

    def _on_row_activated(self, row: int) -> None:
        self._on_row_entered(row)
        self.session.navigation.set_place("query")

    def _on_keep_clicked(self) -> None:
        run_command(self.session, "keep_slice")


@guarded
class SlicesView(Screen):
    """The slices above two attributes crossed and the queries of the chosen slice."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.table = SlicesPanel(session, theme)
        self.crossed = CrossedPanel(session, theme)
        self.queries = SliceQueriesPanel(session, theme)
        self.found = FoundPanel(session, theme)
        below = split(Qt.Orientation.Horizontal, (self.crossed, self.queries), (2, 3))
        self.set_content(split(Qt.Orientation.Vertical, (self.table, self.found, below), (21, 8, 10)), least=(760, 590))
        self.setFocusProxy(self.table)
        self._shown: SlicesViewModel | None = None

    def savable(self) -> Savable | None:
        """Return the whole screen as a picture; None before there are slices."""
        if self._shown is None or self._shown.result is None:
            return None
        return savable_picture(self, self.theme, tr("Slices"), self.session.view.judgment_mark)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.table.set_room(self.width() - SCROLL_BAR)

    def refresh(self, changes: frozenset[Change]) -> None:
        view_model = self.session.slices.slices_view_model()
        if view_model is None or view_model is self._shown:
            return
        self._shown = view_model
        self.table.show_view_model(view_model)
        self.table.set_room(self.width() - SCROLL_BAR)
        self.found.show_view_model(view_model)
        self.crossed.show_view_model(view_model)
        self.queries.show_view_model(view_model)
