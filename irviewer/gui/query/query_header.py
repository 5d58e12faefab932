"""The panel around the rankings of a query: its id, its text, its position among the queries, lists or strips."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from irviewer.commands import run_command
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton, command_keys, draw_key_cap, key_cap_width
from irviewer.gui.widgets.panel import ElidedLabel, Panel
from irviewer.gui.widgets.plain_text import HtmlLabel, PlainLabel, set_tooltip
from irviewer.gui.widgets.run_menu import add_hidden_runs
from irviewer.hidden_characters import escape_hidden
from irviewer.session.changes import Change
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

CAP = 18
BAR = 28
"""The height of the line above the lists, in pixels."""
DETAILS_LEAST = 280
"""The height in pixels of the panel from which description and narrative are shown above the ranks."""
SHORT_FIELD = 40
"""The most letters of a field of a query, with its name, that shares a line with others."""
WIDE = 900


@guarded
class QueryHint(QWidget):
    """A muted line with shortcuts: "9 relevant · 10 of 225  J K query  V strips"; cut off if room is short."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._font = theme.font(9)
        self._metrics = QFontMetricsF(self._font)
        self._parts: tuple[tuple[bool, str], ...] = ()
        self._widths: list[float] = []
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(60)
        theme.changed.connect(self.update)

    def show_parts(self, parts: tuple[tuple[bool, str], ...]) -> None:
        """Show (whether it is a key, text) in order; parts at the end that do not fit are left out."""
        if parts != self._parts:
            self._parts = parts
            self._widths = [
                key_cap_width(text, self._theme) if key else self._metrics.horizontalAdvance(text)
                for key, text in parts
            ]
            self.updateGeometry()
            self.update()

    @property
    def text(self) -> str:
        """The text of the line."""
        return " ".join(text for _, text in self._parts)

    def sizeHint(self) -> QSize:
        return QSize(round(sum(self._widths) + 5 * len(self._widths)) + 2, 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._font)
        x = max(0.0, self.width() - sum(self._widths) - 5 * len(self._widths))
        for (key, text), width in zip(self._parts, self._widths, strict=True):
            if x + width > self.width() + 1:
                break
            box = self.rect().adjusted(round(x), 0, 0, 0)
            if key:
                box.setWidth(round(width))
                box.setTop((self.height() - CAP) // 2)
                box.setHeight(CAP)
                draw_key_cap(painter, box, text, self._theme)
            else:
                painter.setPen(self._theme.colours["muted"])
                painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), text)
            x += width + 5


@guarded
class ListsBar(QWidget):
    """The line above the lists: what all ids begin with, "4 of 14 runs", and the button that adds a list. It is hidden
    where it has nothing to say."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self.setFixedHeight(BAR)
        self.ids = ElidedLabel()
        self.ids.setFont(theme.font(9))
        self.keys = QueryHint(theme)
        self.count = ElidedLabel()
        self.count.setFont(theme.font(9))
        self.count.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.fields = ChoiceButton(theme)
        self.fields.clicked.connect(self._on_fields_clicked)
        self.more = ChoiceButton(theme)
        self.more.clicked.connect(self._on_more_clicked)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 3, 8, 2)
        layout.setSpacing(8)
        layout.addWidget(self.ids, 1)
        for widget in (self.keys, self.fields, self.count, self.more):
            layout.addWidget(widget)
        theme.changed.connect(self._on_colours_changed)
        self._on_colours_changed()

    def refresh(self) -> None:
        """Show what the lists of the selected query have in common, and how many runs they leave out."""
        session = self._session
        view_model = session.view_models.query_view_model()
        shown, total = (0 if view_model is None else len(view_model.columns)), len(session.view.labels())
        if view_model is None or session.view.lists_mode == "strips" or session.teaching.is_on or not shown:
            self.hide()
            return
        start = escape_hidden(view_model.id_start)
        self.ids.setText(tr("ids {start}…", start=start) if start else "")
        set_tooltip(self.ids, tr("All ids in these lists begin with {start}", start=start) if start else "")
        collection = session.view.collection
        titled = collection is not None and collection.documents is not None
        words = tr("ids where there is room") if session.view.list_ids else tr("ids in every row")
        self.keys.show_parts(((True, command_keys("list_ids")), (False, words)) if titled else ())
        self.keys.setVisible(titled)
        offered = bool(session.view.offered_fields)
        self.fields.setVisible(offered)
        if offered:
            chosen = session.view.list_fields
            text = trn("{n:,} field", "{n:,} fields", len(chosen)) if chosen else tr("fields")
            self.fields.show_choice(text, tr("Choose the fields of documents that the lists show"))
        self.count.setText(tr("{shown:,} of {total:,} runs", shown=shown, total=total))
        self.count.setVisible(shown < total)
        self.more.setVisible(shown < total)
        if shown < total:
            text = trn("+ {n:,} run", "+ {n:,} runs", total - shown)
            self.more.show_choice(text, tr("Show another run beside these"))
        self.setVisible(bool(start) or titled or shown < total)

    def more_menu(self) -> QMenu:
        """Return the menu of the runs that no list shows, best first."""
        menu = QMenu(self)
        add_hidden_runs(menu, self._session, self._theme)
        menu.triggered.connect(self._on_run_chosen)
        return menu

    def _on_more_clicked(self) -> None:
        menu = self.more_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def _on_fields_clicked(self) -> None:
        run_command(self._session, "list_fields")

    def _on_run_chosen(self, action: QAction) -> None:
        if action.data() == "choose":
            run_command(self._session, "choose_runs")
        else:
            self._session.runs.show_run(action.data(), True)

    def _on_colours_changed(self) -> None:
        for label in (self.ids, self.count):
            palette = label.palette()
            palette.setColor(label.foregroundRole(), self._theme["muted"])
            label.setPalette(palette)


@guarded
class QueryPanel(Panel):
    """The panel: "Query 3 “what problems …”", and above the rankings a notice if something is missing."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("Query"), parent=parent)
        self._session = session
        self._theme = theme
        self._note.hide()  # the hint with its keys replaces it
        self.bar = ListsBar(session, theme)
        self.text = ElidedLabel()
        self.text.setFont(theme.font(9.5))
        self.hint = QueryHint(theme)
        self.header_layout.addWidget(self.text, 1)
        self.header_layout.addWidget(self.hint)
        self.notice = PlainLabel()
        self.notice.setFont(theme.font(9.5))
        self.notice.setContentsMargins(12, 8, 12, 8)
        self.notice.setWordWrap(True)
        self.notice.hide()
        self.details = HtmlLabel()
        self.details.setFont(theme.font(9))
        self.details.setContentsMargins(12, 6, 12, 6)
        self.details.setWordWrap(True)
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details.setAccessibleName(tr("Description and narrative"))
        self.details.hide()
        self._has_details = False
        theme.changed.connect(self._on_colours_changed)
        self._on_colours_changed()

    def set_tabs(self, tabs: QWidget) -> None:
        """Put the tabs of the screen at the left of the header."""
        self.header_layout.insertWidget(0, tabs)
        self.header_layout.setContentsMargins(6, 0, 12, 0)

    def set_body(self, body: QWidget) -> None:
        """Set the rankings, which are below the notice."""
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.details)
        layout.addWidget(self.notice)
        layout.addWidget(self.bar)
        layout.addWidget(body, 1)
        super().set_body(whole)

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the selected query."""
        view_model = self._session.view_models.query_view_model()
        if view_model is None:
            return
        self._show_title()
        note = self._session.notes.note("query", view_model.query_id)
        tags = "".join(f"  #{tag}" for tag in note.tags) + ("  ✎" if note.text else "")
        self.text.setText((f"“{view_model.text}”" if view_model.text else "") + tags)
        set_tooltip(self.text, "\n\n".join(filter(None, (view_model.text, note.text))))
        self.notice.setText(view_model.explanation)
        self.notice.setVisible(bool(view_model.explanation))
        self._show_details(" ".join(note.text.split()))
        self.bar.refresh()
        self._show_hint()

    def _show_details(self, note: str) -> None:
        """Show the description of the query for judges, and the note on it."""
        fields = self._session.judging.query_details if self._session.judging.details else ()
        fields = (*fields, *([("✎", note)] if note else []))
        muted = self._theme.colours["muted"].name()
        lines: list[list[str]] = []
        before_short = False
        for name, text in fields:
            short = len(name) + len(text) <= SHORT_FIELD
            shown = f'<span style="color:{muted}">{escape(name)}</span> {escape(text)}'
            if short and before_short:  # short ones share a line: the ranks need the height
                lines[-1].append(shown)
            else:
                lines.append([shown])
            before_short = short
        self.details.setText("<br>".join(" · ".join(line) for line in lines))
        self._has_details = bool(fields)
        self._fit_details()

    def _fit_details(self) -> None:
        """Leave the room of a low window to the ranks."""
        self.details.setVisible(self._has_details and self.height() >= DETAILS_LEAST)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_details()
        if (event.size().width() >= WIDE) != (event.oldSize().width() >= WIDE):
            self._show_hint()
            self._show_title()

    def _show_title(self) -> None:
        """Show the id of the query, without a word where the room is needed for its text."""
        view_model = self._session.view_models.query_view_model()
        if view_model is not None:
            query = view_model.query_id
            self.set_title(tr("Query {query}", query=query) if self.width() >= WIDE or not view_model.text else query)

    def _show_hint(self) -> None:
        """Show the position of the query and the shortcuts, without words if room is short."""
        view_model = self._session.view_models.query_view_model()
        if view_model is None:
            return
        place, count = view_model.position
        wide = self.width() >= WIDE
        if place > 0:
            position = tr("{place:,} of {count:,}", place=place, count=count)
        else:
            position = self._outside(view_model.query_id, count)
        covered = self._session.teaching.gives_away(view_model.n_relevant)
        if self._session.view.judgments is not None and view_model.n_relevant >= 0 and not covered:
            position = trn(
                "{n:,} relevant · {position}", "{n:,} relevant · {position}", view_model.n_relevant, position=position
            )
        self.hint.show_parts(
            (
                (False, f"{position} ·"),
                (True, command_keys("next_query")),
                (True, command_keys("previous_query")),
                *([(False, tr("next, previous query"))] if wide else []),
            )
        )

    def _outside(self, query: str, count: int) -> str:
        """Return the message for a query that is not among the ``count`` queries of the query set or the filter."""
        context = self._session.view.context
        if context is not None and context.query_set is not None and context.within is not None:
            row = context.query_index.get(query, -1)
            if row < 0 or not context.within[row]:
                return trn(
                    "not in the query set “{name}” ({n:,} query)",
                    "not in the query set “{name}” ({n:,} queries)",
                    count,
                    name=context.query_set.name,
                )
        return trn("not in the filtered list ({n:,} query)", "not in the filtered list ({n:,} queries)", count)

    def _on_colours_changed(self) -> None:
        for label, name in ((self.text, "ink"), (self.notice, "muted"), (self.details, "text")):
            palette = label.palette()
            palette.setColor(label.foregroundRole(), self._theme[name])
            label.setPalette(palette)
