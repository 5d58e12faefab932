"""The Failures tab: the kinds of failure with counts, their limits, and the tables of failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from irviewer.gui.failures.cells import KindsCell, KindsColumn
from irviewer.gui.failures.model import by_run_columns, failures_columns
from irviewer.gui.guard import guarded
from irviewer.gui.tables.model import TableModel
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.controls import ThemedButton
from irviewer.gui.widgets.filter_field import FilterField
from irviewer.gui.widgets.number_field import NumberField
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.gui.widgets.savable import Savable, savable_view
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.model.number_text import limit
from irviewer.session.view_models.failures import FailuresViewModel, KindRow
from irviewer.tables.filter import QUERY_GRAMMAR
from irviewer.tables.lazy_texts import LazyPairs
from irviewer.translation import decimal, tr, trn, typed_number

if TYPE_CHECKING:
    from irviewer.session.session import Session

CHIP = 28
SIGN = 40
_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)
_RIGHT = aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter)


@guarded
class KindChip(ThemedButton):
    """A button for a kind of failure: sign, title, number of queries. Pressed: the table is filtered by the kind.

    ``picked`` carries its name."""

    picked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.kind: KindRow | None = None
        self.clicked.connect(self._on_clicked)

    def show_kind(self, kind: KindRow) -> None:
        """Show a kind of failure."""
        self.kind = kind
        self.setChecked(kind.on)
        self.setText(trn("{kind}: {n:,} query", "{kind}: {n:,} queries", kind.count, kind=kind.title))
        number = trn(
            "{n:,} query on which a shown run fails in this way",
            "{n:,} queries on which a shown run fails in this way",
            kind.count,
        )
        set_tooltip(self, f"{kind.meaning}\n{number}")
        self.setAccessibleName(self.text())
        self.update()

    def _on_clicked(self) -> None:
        if self.kind is not None:
            self.picked.emit(self.kind.name)

    def sizeHint(self) -> QSize:
        return QSize(200, CHIP)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.kind is None:
            return
        painter = QPainter(self)
        self.paint_box(painter)
        on, some = self.isChecked(), self.kind.count > 0
        painter.setPen(self.theme["ink" if some else "muted"])
        painter.setFont(self.theme.font(9.5, weight=600))
        painter.drawText(QRect(0, 0, SIGN, self.height()), int(Qt.AlignmentFlag.AlignCenter), self.kind.sign)
        painter.setFont(self.theme.font(9.5, weight=600 if on else 400))
        painter.setPen(self.theme["ink" if on else "text" if some else "muted"])
        inside = self.rect().adjusted(SIGN, 0, -10, 0)
        painter.drawText(inside, int(_LEFT), self.kind.title)
        painter.setFont(self.theme.font(9.5, weight=600 if on else 400, numbers=True))
        painter.drawText(inside, int(_RIGHT), decimal(f"{self.kind.count:,}"))


class FailureKinds(Panel):
    """The kinds of failure as buttons that filter the table, and the limits that define them."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme, tr("Kinds of failure"), tr("numbers of queries"))
        self._session = session
        self.chips: dict[str, KindChip] = {}
        self.share = NumberField(
            theme,
            tr("Unjudged: per cent of the top"),
            tr("A run fails if more than this share of its top documents is unjudged."),
        )
        self.worse = NumberField(
            theme,
            tr("Worse: by more than"),
            tr("A run fails if it is worse than the baseline or the median by more than this difference."),
        )
        self.hard = NumberField(
            theme, tr("Hard: no run reaches"), tr("A query is hard if no open run reaches this value.")
        )
        self._body = QWidget()
        self._layout_of_body = QVBoxLayout(self._body)
        self._layout_of_body.setContentsMargins(10, 8, 10, 8)
        self._layout_of_body.setSpacing(4)
        self.above = NumberField(
            theme,
            tr("Non-relevant first: at least"),
            tr("A run fails if so many non-relevant documents are above the first relevant one."),
        )
        self.duplicates = NumberField(
            theme,
            tr("Near-duplicates: at least"),
            tr("A run fails if so many documents of the top repeat the text of one above."),
        )
        for field, used in (
            (self.above, self._on_above_used), (self.duplicates, self._on_duplicates_used),
            (self.share, self._on_share_used), (self.worse, self._on_worse_used), (self.hard, self._on_hard_used)
        ):  # fmt: skip
            self._layout_of_body.addWidget(field)
            field.used.connect(used)
        self.set_body(self._body)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def show_view_model(self, view_model: FailuresViewModel) -> None:
        """Show the counts and the limits of a view model."""
        for position, kind in enumerate(view_model.kinds):
            chip = self.chips.get(kind.name)
            if chip is None:
                chip = self.chips[kind.name] = KindChip(self._theme)
                chip.picked.connect(self._on_kind_picked)
                self._layout_of_body.insertWidget(position, chip)
            chip.show_kind(kind)
        limits = view_model.limits
        self.share.show_value(decimal(f"{100 * limits.unjudged:g}"))
        self.worse.show_value(limit(limits.worse))
        self.hard.show_value(limit(limits.hard))
        self.above.show_value(f"{limits.above}")
        self.duplicates.show_value(f"{limits.duplicates}")

    def _on_kind_picked(self, name: str) -> None:
        self._session.failures.switch_failure_kind(name)

    def _on_above_used(self, text: str) -> None:
        self._set_count("above", text)

    def _on_duplicates_used(self, text: str) -> None:
        self._set_count("duplicates", text)

    def _set_count(self, name: str, text: str) -> None:
        number = _number(text)
        if number is not None and number.is_integer():
            self._session.failures.set_failure_limits(**{name: int(number)})

    def _on_share_used(self, text: str) -> None:
        number = _number(text)
        if number is not None:
            self._session.failures.set_failure_limits(unjudged=number / 100)

    def _on_worse_used(self, text: str) -> None:
        number = _number(text)
        if number is not None:
            self._session.failures.set_failure_limits(worse=number)

    def _on_hard_used(self, text: str) -> None:
        number = _number(text)
        if number is not None:
            self._session.failures.set_failure_limits(hard=number)


def _number(text: str) -> float | None:
    """Return the number that was typed; None for another text, which changes nothing."""
    try:
        return float(typed_number(text).replace(",", ".").rstrip(" %"))
    except ValueError:
        return None


class FailuresByRun(TablePanel):
    """The number of queries by run and kind of failure. A click or Space on a run filters the table by it, another
    shows all again; Enter shows its failures query by query."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = TableModel()
        table = Table(self.model, theme, stretch="run", frozen=(1, 0), sortable=False, tightens=True)
        super().__init__(session, theme, table, "failures_by_run")
        self.model.setParent(self)
        self.set_title(tr("By run"))
        self.set_note(tr("numbers of queries; a click filters by the run"))
        self.table.setAccessibleName(tr("Failures by run"))
        self.table.clicked.connect(self._on_clicked)
        self.table.row_toggled.connect(self._switch)
        self.table.row_activated.connect(self._on_row_activated)

    def show_view_model(self, view_model: FailuresViewModel) -> None:
        """Show the counts of a view model."""
        with self.table.keeping():
            keys = [label.key for label in view_model.runs]
            self.model.show(by_run_columns(view_model), keys, marked=frozenset({view_model.of_run} - {-1}))

    def savable(self) -> Savable | None:
        """Return the counts as ``irviewer failures`` writes them: a row for each kind."""
        tables = [table for table in self.session.failures.tables("failures") if table.name == "counts"]
        return savable_view(tr("Failures by run"), tables, self.session.view.judgment_mark)

    def _on_clicked(self, index: QModelIndex) -> None:
        self._switch(index.row())

    def _switch(self, row: int) -> None:
        key = self.model.keys[row]
        if isinstance(key, int):
            self.session.failures.show_every_run(True, -1 if self.session.state.finding.of_run == key else key)

    def _on_row_activated(self, row: int) -> None:
        key = self.model.keys[row]
        if isinstance(key, int):
            self.session.failures.examine_run(key)


class FailuresTable(TablePanel):
    """The table of failures, one row per query and run; a click on the query id, or Enter, opens the query and makes
    the run the focus run."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = TableModel(own_painters={KindsColumn: KindsCell})
        table = Table(self.model, theme, stretch="text", frozen=(1, 0), tightens=True)
        super().__init__(session, theme, table, "failures")
        self.model.setParent(self)
        self._view_model: FailuresViewModel | None = None
        self.table.setAccessibleName(tr("Failures"))
        self.filter = FilterField(theme, tr("Filter: text, id, Δ > {number:g}", number=0.1), tr("Filter queries"))
        self.header_layout.insertWidget(1, self.filter)
        self.filter.used.connect(self._on_filter_used)
        self.filter.left.connect(self._on_filter_left)
        self.table.row_entered.connect(self._on_row_entered)
        self.table.row_activated.connect(self._on_row_activated)
        self.table.sort_requested.connect(self._on_sort_requested)

    def show_view_model(self, view_model: FailuresViewModel) -> None:
        """Show the rows of a view model."""
        self._view_model = view_model
        row = self.table.current_row()
        stays = 0 <= row < len(view_model.query_ids) and view_model.query_ids[row] == self.session.view.query_id
        with self.table.keeping(row if stays else view_model.selected):
            keys = LazyPairs(view_model.query, view_model.run)
            self.model.show(failures_columns(view_model), keys, view_model.sort)
        self.set_title(view_model.title)
        coming = self.session.navigation.ordering.filter_under_way
        self.filter.show_filter(view_model.filter if coming is None else coming, view_model.filter_error, QUERY_GRAMMAR)
        if view_model.filter_error:  # beside the field, so that no row moves
            self.set_note(view_model.filter_error, "warning")
        else:
            self.set_note(view_model.note)
        if not view_model.explanation and not len(view_model.query):
            self.show_notice(tr("No failures of the selected kinds. Select other kinds or change the filter."))
        else:
            self.show_notice(view_model.explanation)

    def savable(self) -> Savable | None:
        """Return all failures of the shown runs as ``irviewer failures`` writes them, with the counts by kind."""
        return savable_view(self.title, self.session.failures.tables("failures"), self.session.view.judgment_mark)

    def _on_filter_used(self, text: str) -> None:
        if self._view_model is not None:  # the filter that is shown may be about to go
            self.session.navigation.filter_queries(text)

    def _on_filter_left(self) -> None:
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_row_entered(self, row: int) -> None:
        if self._view_model is not None and row < len(self._view_model.query_ids):
            self.session.navigation.set_query(self._view_model.query_ids[row])

    def _on_row_activated(self, row: int) -> None:
        if self._view_model is not None and row < len(self._view_model.query_ids):
            label = self._view_model.runs[int(self._view_model.run[row])]
            self.session.failures.go_to_failure(self._view_model.query_ids[row], label.key)

    def _on_sort_requested(self, column_id: str, descending: bool) -> None:
        self.session.failures.sort_findings("failures", column_id, descending)
