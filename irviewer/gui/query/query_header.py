"""The panel around the rankings of a query: its id, its text, its position among the queries, lists or strips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from irviewer.commands import run_command
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton, Segmented, command_keys, draw_key_cap, key_cap_width
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.panel import ElidedLabel, FoldedLabel, Panel
from irviewer.gui.widgets.plain_text import HtmlLabel, PlainLabel, set_tooltip
from irviewer.gui.widgets.run_menu import add_hidden_runs
from irviewer.hidden_characters import escape_hidden
from irviewer.session.changes import Change
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

CAP = 18
LINE = 24
"""The height of a line of shortcuts, in pixels."""
BAR = 28
"""The height of the line above the lists, in pixels."""
DETAILS_LEAST = 280
"""The height in pixels of the panel from which description and narrative are shown above the ranks."""
SHORT_FIELD = 40
"""The most letters of a field of a query, with its name, that shares a line with others."""
WIDE = 900
TEXT_LEAST = 260
"""The least width in pixels that shows the text of a query in the header."""


@guarded
class QueryHint(QWidget):
    """A muted line with shortcuts: "9 relevant · 10 of 225  J K query  V strips". Where room is short, keys at its end
    are left out with what they do; one that ``folds`` takes further lines."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, folds: bool = False) -> None:
        super().__init__(parent)
        self._theme = theme
        self._font = theme.font(9)
        self._metrics = QFontMetricsF(self._font)
        self._folds = folds
        self._parts: tuple[tuple[bool, str], ...] = ()
        self._groups: list[list[tuple[bool, str, float]]] = []
        """Keys with the words behind them, which stay together, and their widths in pixels."""
        # A fixed height would be that of one line, whatever the height for the width.
        vertical = QSizePolicy.Policy.Preferred if folds else QSizePolicy.Policy.Fixed
        policy = QSizePolicy(QSizePolicy.Policy.Maximum, vertical)
        policy.setHeightForWidth(folds)
        self.setSizePolicy(policy)
        self.setMinimumWidth(60)
        theme.changed.connect(self.update)

    def show_parts(self, parts: tuple[tuple[bool, str], ...]) -> None:
        """Show (whether it is a key, text) in order."""
        if parts != self._parts:
            self._parts = parts
            self._groups = []
            words_before = True
            for key, text in parts:
                if words_before:
                    self._groups.append([])
                self._groups[-1].append((key, text, self._width_of(key, text)))
                words_before = not key
            self.updateGeometry()
            self.update()

    @property
    def text(self) -> str:
        """The text of the line."""
        return " ".join(text for _, text in self._parts)

    def shown_lines(self, width: float) -> list[list[tuple[bool, str, float]]]:
        """Return the lines that have room in a width, each its parts with their widths."""
        lines: list[list[tuple[bool, str, float]]] = [[]]
        for group in self._groups:
            if lines[-1] and _line_width([*lines[-1], *group]) > width + 1:
                if not self._folds:
                    break
                lines.append([])
            lines[-1] = [*lines[-1], *group]
        return lines

    def hasHeightForWidth(self) -> bool:
        return self._folds

    def heightForWidth(self, width: int) -> int:
        """Return the height of the lines at a width."""
        return LINE * len(self.shown_lines(width))

    def width_of(self, parts: Sequence[tuple[bool, str]]) -> float:
        """Return the width in pixels of parts in a line."""
        return _line_width([(key, text, self._width_of(key, text)) for key, text in parts]) + 2

    def _width_of(self, key: bool, text: str) -> float:
        return key_cap_width(text, self._theme) if key else self._metrics.horizontalAdvance(text)

    def sizeHint(self) -> QSize:
        return QSize(round(self.width_of(self._parts)), LINE)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._font)
        for row, line in enumerate(self.shown_lines(self.width())):
            x = max(0.0, self.width() - _line_width(line))
            for key, text, width in line:
                box = QRect(round(x), row * LINE, self.width() - round(x), LINE if self._folds else self.height())
                if key:
                    box = QRect(box.x(), box.y() + (box.height() - CAP) // 2, round(width), CAP)
                    draw_key_cap(painter, box, text, self._theme)
                else:
                    painter.setPen(self._theme.colours["muted"])
                    painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), text)
                x += width + 5


def _line_width(parts: Sequence[tuple[bool, str, float]]) -> float:
    return sum(width for _, _, width in parts) + 5 * len(parts)


@guarded
class ListsBar(QWidget):
    """The line above the lists: what all ids begin with, "4 of 14 runs", and the button that adds a list. It is
    ``needed`` where the ids are read only with it, and ``wanted`` where there is room if it has anything else to say;
    its commands are in the menus too."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self.needed = self.wanted = False
        self.setFixedHeight(BAR)
        self.ids = ElidedLabel()
        self.ids.setFont(theme.font(9))
        self.keys = QueryHint(theme)
        self.count = PlainLabel()
        self.count.setFont(theme.font(9))
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
            self.needed = self.wanted = False
            return
        start = escape_hidden(view_model.id_start)
        self.ids.setText(tr("ids {start}…", start=start) if start else "")
        set_tooltip(self.ids, tr("All ids in these lists begin with {start}", start=start) if start else "")
        collection = session.view.collection
        titled = collection is not None and collection.documents is not None
        words = tr("ids where there is room") if session.view.list_ids else tr("ids in every row")
        self.keys.show_parts(((True, command_keys("list_ids")), (False, words)) if titled else ())
        offered = bool(session.view.offered_fields)
        self.fields.setVisible(offered)
        if offered:
            chosen = session.view.list_fields
            text = trn("{n:,} field", "{n:,} fields", len(chosen)) if chosen else tr("fields")
            self.fields.show_choice(text, tr("Choose the fields of documents that the lists show"))
        self.count.setText(tr("{shown:,} of {total:,} runs", shown=shown, total=total))
        self.more.setVisible(shown < total)
        if shown < total:
            text = trn("+ {n:,} run", "+ {n:,} runs", total - shown)
            self.more.show_choice(text, tr("Show another run beside these"))
        self._fit()
        self.needed = bool(start)
        self.wanted = titled or shown < total

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out what has no room beside what all ids begin with and the buttons: first the keys, whose command is
        in the menus, then how many runs are shown, which the button says too."""
        layout = self.layout()
        assert layout is not None
        margins, gap = layout.contentsMargins(), layout.spacing()
        room = (
            self.width() - margins.left() - margins.right() - self.ids.fontMetrics().horizontalAdvance(self.ids.text())
        )
        room -= sum(button.sizeHint().width() + gap for button in (self.fields, self.more) if not button.isHidden())
        for part, wanted in ((self.count, not self.more.isHidden()), (self.keys, bool(self.keys.text))):
            needed = part.sizeHint().width() + gap
            part.setVisible(wanted and needed <= room)
            room -= needed if wanted else 0

    def more_menu(self) -> QMenu:
        """Return the menu of the runs that no list shows, best first."""
        menu = QMenu(self)
        add_hidden_runs(menu, self._session, self._theme)
        menu.triggered.connect(self._on_run_chosen)
        return menu

    def _on_more_clicked(self) -> None:
        menu = self.more_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_below(menu, self.more)

    def _on_fields_clicked(self) -> None:
        run_command(self._session, "list_fields")

    def _on_run_chosen(self, action: QAction) -> None:
        if action.data() == "choose":
            run_command(self._session, "choose_runs")
        else:
            self._session.runs.show_run(action.data(), True)

    def _on_colours_changed(self) -> None:
        for label in (self.ids, self.count):
            label.set_ink(self._theme["muted"])


@guarded
class QueryPanel(Panel):
    """The panel: "Query 3 “what problems …”", and above the rankings a notice if something is missing."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("Query"), parent=parent)
        self._session = session
        self._theme = theme
        self._note.hide()  # the hint with its keys replaces it
        self.bar = ListsBar(session, theme)
        self.text = FoldedLabel()
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
        self.details.hide()
        self._text = ""
        self._fields: tuple[tuple[str, str], ...] = ()
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
        self._text = (f"“{view_model.text}”" if view_model.text else "") + tags
        set_tooltip(self.text, "\n\n".join(filter(None, (view_model.text, note.text))))
        self.notice.setText(view_model.explanation)
        self.notice.setVisible(bool(view_model.explanation))
        self._fields = self._details_of(" ".join(note.text.split()))
        self.bar.refresh()
        self._show_hint()
        self._show_text()

    def _details_of(self, note: str) -> tuple[tuple[str, str], ...]:
        """Return the description of the query for judges, and the note on it."""
        fields = self._session.judging.query_details if self._session.judging.details else ()
        return (*fields, *([("✎", note)] if note else []))

    def _show_text(self) -> None:
        """Show the text of the query in the header; where that has no room for it, above description and narrative. A
        low window leaves the room below the header to the ranks."""
        high = self.height() >= DETAILS_LEAST
        below = bool(self._text) and high and self._header_room(self.text) < TEXT_LEAST
        self.text.setText("" if below else self._text)
        self._show_details(self._text if below else "")
        self.details.setVisible(high and (below or bool(self._fields)))
        self.bar.setVisible(self.bar.needed or (self.bar.wanted and high))

    def _header_room(self, *wanting: QWidget) -> int:
        """Return the width in pixels that the header has for some of its parts."""
        layout = self.header_layout
        margins = layout.contentsMargins()
        items = [layout.itemAt(place) for place in range(layout.count())]
        widgets = [item.widget() for item in items if item is not None]
        others = [widget for widget in widgets if widget is not None and widget not in wanting]
        taken = sum(
            (widget.row_width if isinstance(widget, Segmented) else widget.sizeHint().width()) + layout.spacing()
            for widget in others
            if not widget.isHidden()
        )
        return self.header.width() - margins.left() - margins.right() - taken

    def _show_details(self, text: str) -> None:
        """Show a text and the fields of the query; short fields share a line, since the ranks need the height."""
        muted = self._theme.colours["muted"].name()
        lines: list[list[str]] = []
        before_short = False
        for name, words in self._fields:
            short = len(name) + len(words) <= SHORT_FIELD
            shown = f'<span style="color:{muted}">{escape(name)}</span> {escape(words)}'
            if short and before_short:
                lines[-1].append(shown)
            else:
                lines.append([shown])
            before_short = short
        ink = self._theme.colours["ink"].name()
        first = [f'<span style="color:{ink}">{escape(escape_hidden(text))}</span>'] if text else []
        self.details.setText("<br>".join([*first, *(" · ".join(line) for line in lines)]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._show_title()
            self._show_hint()
        self._show_text()

    def _show_title(self) -> None:
        """Show the id of the query, without a word where the room is needed for its text."""
        view_model = self._session.view_models.query_view_model()
        if view_model is not None:
            query = view_model.query_id
            self.set_title(tr("Query {query}", query=query) if self.width() >= WIDE or not view_model.text else query)

    def _show_hint(self) -> None:
        """Show the position of the query and the shortcuts, and what has room of it in a narrow header."""
        view_model = self._session.view_models.query_view_model()
        if view_model is None:
            return
        place, count = view_model.position
        wide = self.width() >= WIDE
        if place > 0:
            position = tr("{place:,} of {count:,}", place=place, count=count)
        else:
            position = self._outside(view_model.query_id, count)
        whole = position
        covered = self._session.teaching.gives_away(view_model.n_relevant)
        if self._session.view.judgments is not None and view_model.n_relevant >= 0 and not covered:
            whole = trn(
                "{n:,} relevant · {position}", "{n:,} relevant · {position}", view_model.n_relevant, position=position
            )
        keys = ((True, command_keys("next_query")), (True, command_keys("previous_query")))
        words = ((False, tr("next, previous query")),) if wide else ()
        forms = (((False, f"{whole} ·"), *keys, *words), ((False, whole),), ((False, position),))
        room = self._header_room(self.text, self.hint) if not wide else math.inf
        self.hint.show_parts(next((form for form in forms if self.hint.width_of(form) <= room), forms[-1]))

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
            label.set_ink(self._theme[name])
