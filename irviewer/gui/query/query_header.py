"""The panel around the rankings of a query: its id, its text, its position among the queries, lists or strips."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import command_keys, draw_key_cap, key_cap_width
from irviewer.gui.widgets.panel import ElidedLabel, Panel
from irviewer.gui.widgets.plain_text import HtmlLabel, PlainLabel, set_tooltip
from irviewer.session.changes import Change
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

CAP = 18
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
class QueryPanel(Panel):
    """The panel: "Query 3 “what problems …”", and above the rankings a notice if something is missing."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("Query"), parent=parent)
        self._session = session
        self._theme = theme
        self._note.hide()  # the hint with its keys replaces it
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
        theme.changed.connect(self._on_colours_changed)
        self._on_colours_changed()

    def set_body(self, body: QWidget) -> None:
        """Set the rankings, which are below the notice."""
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.details)
        layout.addWidget(self.notice)
        layout.addWidget(body, 1)
        super().set_body(whole)

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the selected query."""
        view_model = self._session.view_models.query_view_model()
        if view_model is None:
            return
        self.set_title(tr("Query {query}", query=view_model.query_id))
        note = self._session.notes.note("query", view_model.query_id)
        tags = "".join(f"  #{tag}" for tag in note.tags) + ("  ✎" if note.text else "")
        self.text.setText((f"“{view_model.text}”" if view_model.text else "") + tags)
        set_tooltip(self.text, "\n\n".join(filter(None, (view_model.text, note.text))))
        self.notice.setText(view_model.explanation)
        self.notice.setVisible(bool(view_model.explanation))
        self._show_details(" ".join(note.text.split()))
        self._show_hint()

    def _show_details(self, note: str) -> None:
        """Show the description of the query for judges, and the note on it."""
        fields = self._session.judging.query_details if self._session.judging.details else ()
        fields = (*fields, *([("✎", note)] if note else []))
        muted = self._theme.colours["muted"].name()
        self.details.setText(
            "<br>".join(f'<span style="color:{muted}">{escape(name)}</span> {escape(text)}' for name, text in fields)
        )
        self.details.setVisible(bool(fields))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (event.size().width() >= WIDE) != (event.oldSize().width() >= WIDE):
            self._show_hint()

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
            position = tr("{count:,} relevant · {position}", count=view_model.n_relevant, position=position)
        strips = self._session.view.lists_mode == "strips"
        self.hint.show_parts(
            (
                (False, f"{position} ·"),
                (True, command_keys("next_query")),
                (True, command_keys("previous_query")),
                (False, tr("next, previous query ·") if wide else "·"),
                (True, command_keys("strips")),
                (False, tr("lists") if strips else tr("strips")),
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
