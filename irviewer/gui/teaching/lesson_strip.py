"""The strip of textbook mode above the lists: what a lesson shows, its printed values, its steps and questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from irviewer.commands import run_command
from irviewer.gui.guard import guarded
from irviewer.gui.teaching.lesson_html import LessonHtml
from irviewer.gui.teaching.question import QuestionBox
from irviewer.gui.teaching.scrolled_text import ScrolledText
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import CloseButton, LinkButton, command_keys
from irviewer.gui.widgets.enter_key import pressed_by_its_own_enter
from irviewer.gui.widgets.kept_clear import keep_clear
from irviewer.gui.widgets.painting import delta_text
from irviewer.gui.widgets.panel import RADIUS, ElidedLabel
from irviewer.gui.widgets.plain_text import HtmlLabel, PlainLabel, set_tooltip
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Step
from irviewer.rendering.lesson_text import plain_of
from irviewer.session.teaching.figures import figure_text
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.model.lessons.lesson import Lesson
    from irviewer.session.session import Session

MOST_TEXT, MOST_PICTURE = 0.22, 0.4
"""The largest share of the window's height that the text takes, and one with pictures; longer ones are scrolled."""
TALL = 900
"""The height of a window in pixels from which every text can take as much as one with pictures."""
LOW, MOST_TEXT_LOW = 480, 0.1
"""The height of a window in pixels below which the text takes this share, so that all else in the strip has room."""
SOURCE_WIDTH = 760
"""The width in pixels below which the source gives its room to the title."""
RANKS_IN_CLASS, RANK_IN_CLASS = 15, 21
"""In class: ranks that are in view whatever the text needs, and the pixels that each rank fewer leaves to the text."""
RANKS_OF_LISTS = 18
"""In class: the ranks for which the lists have room, which have no formula above them as the table has."""
LEAST_IN_CLASS = 20
"""The pixels of a line of text in class; less shows nothing."""
BUTTON_EDGES = 40
"""The pixels of the button of a step beside its text."""


@guarded
class LessonStrip(QWidget):
    """Title, place and source; the text with printed values; the step and its effect, or the question."""

    left_out = Signal(str, str)
    """The text that the ranks leave no room for in class, as HTML and for screen readers; "" for none."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._compact = False
        self._text = ""
        self._has_text = False
        self._do_text = ""
        self._html = LessonHtml(session, theme, 9.5, self.refresh)
        self.title = ElidedLabel()
        self.title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.title.setFont(theme.font(10.5, weight=600))
        self.place = PlainLabel()
        self.place.setFont(theme.font(9, numbers=True))
        self.source = ElidedLabel()
        self.source.setFont(theme.font(9))
        self.tries = PlainLabel()
        self.tries.setFont(theme.font(9.5))
        self.tries.setWordWrap(True)
        self.text = ScrolledText(theme)
        self.printed = PlainLabel()
        self.printed.setWordWrap(True)
        self.change = HtmlLabel()
        keep_clear(self.change)
        self.printed.setFont(theme.font(9.5, numbers=True))
        self.change.setFont(theme.font(10.5, weight=600, numbers=True))
        self.do_button = QPushButton()
        self.do_button.setMinimumWidth(BUTTON_EDGES)  # its text follows the width of the window
        self.do_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        pressed_by_its_own_enter(self.do_button)
        self.undo = LinkButton(theme, tr("Undo"))
        self.again = LinkButton(theme, tr("Restart lesson"))
        self.question = QuestionBox(session, theme)
        self.back = LinkButton(theme, tr("Back"))
        self.next = LinkButton(theme, tr("Next"))
        self.previous_lesson = LinkButton(theme, tr("Previous lesson"))
        self.next_lesson = LinkButton(theme, tr("Next lesson"))
        self.end = PlainLabel()
        self.end.setFont(theme.font(9.5, weight=600))
        self.end.setWordWrap(True)
        self.come_back = LinkButton(theme, tr("Show them again"))
        end = QHBoxLayout()
        end.addWidget(self.end, 1)
        end.addWidget(self.come_back)
        self.close_button = CloseButton(theme)
        set_tooltip(self.close_button, tr("Leave textbook mode ({keys})", keys=command_keys("teaching")))
        self.close_button.setAccessibleName(tr("Leave textbook mode"))
        head, below = QHBoxLayout(), QHBoxLayout()
        for row, widgets in (
            (head, (self.title, self.place, self.previous_lesson, self.back, self.next, self.next_lesson, self.source)),
            (below, (self.tries, self.change, self.do_button, self.undo, self.again)),
        ):  # fmt: skip
            row.setSpacing(12)
            for widget in widgets:
                row.addWidget(widget, 1 if widget in (self.tries, self.source) else 0)
        head.addStretch(0)  # where the source is left out
        head.addWidget(self.close_button)
        layout = self._rows = QVBoxLayout(self)
        layout.setContentsMargins(14, 8, 10, 9)
        layout.setSpacing(5)
        layout.addLayout(head)
        layout.addWidget(self.text)
        layout.addWidget(self.printed)
        layout.addWidget(self.question)
        layout.addLayout(below)
        layout.addLayout(end)
        self.do_button.clicked.connect(self._on_do_clicked)
        self.undo.clicked.connect(self._on_undo_clicked)
        self.again.clicked.connect(self._on_again_clicked)
        self.back.clicked.connect(self._on_back_clicked)
        self.next.clicked.connect(self._on_next_clicked)
        self.previous_lesson.clicked.connect(self._on_previous_lesson_clicked)
        self.next_lesson.clicked.connect(self._on_next_lesson_clicked)
        self.come_back.clicked.connect(self._on_come_back_clicked)
        self.close_button.clicked.connect(self._on_close_clicked)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)  # the rest is the view's
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.hide()

    def set_compact(self, compact: bool) -> None:
        """Leave out the source, and leave to the text what room the ranks do not need, for a class that sees the table
        large."""
        if compact == self._compact:
            return
        self._compact = compact
        self._rows.setContentsMargins(*((14, 3, 10, 4) if compact else (14, 8, 10, 9)))
        self._rows.setSpacing(1 if compact else 5)
        self.question.set_compact(compact)
        self.refresh()

    def refresh(self) -> None:
        """Show the place of the lesson in view; hide the strip outside textbook mode."""
        session = self._session
        self.setVisible(session.teaching.is_on)
        if not session.teaching.is_on:
            return
        focused = self.window().focusWidget()
        lesson, step, item = session.lessons.lesson, session.teaching.example_step, session.teaching.item
        collection = session.view.collection
        assert collection is not None
        self.title.setText(
            lesson.title if lesson is not None else tr("Textbook mode · {collection}", collection=collection.name)
        )
        self._show_place(lesson)
        self.source.setText(tr("after {source}", source=lesson.source) if lesson is not None and lesson.source else "")
        set_tooltip(self.source, self.source.text())
        text = "" if lesson is None else lesson.text if item is None else item.text
        if isinstance(item, Step) and item.actions and not session.teaching.step_is_done:
            text = ""  # what a step does is predicted first
        heading = f"**{item.title}**\n\n" if isinstance(item, Step) and not item.actions else ""  # it has no button
        self.text.show_text(self._html.text(heading + text), plain_of(heading + text))
        self._text = text
        self._has_text = bool(text) and not session.teaching.is_presented
        asking, view_model = session.teaching.covers_values, session.teaching.lesson_view_model()
        asking |= session.lecture_table.hides_result
        recall = "" if view_model is None or asking or session.view.place != "query" else view_model.told
        mean = "" if asking else session.teaching.mean_text()
        self.tries.setText("" if self._compact else " ".join(filter(None, (recall, mean))))
        self.printed.setText("" if asking else self._printed())
        self.printed.setVisible(bool(self.printed.text()))
        self.change.setText("" if asking else self._change())
        self.change.setVisible(bool(self.change.text()))
        self.do_button.setVisible(step is not None)
        if step is not None:
            keys = command_keys("do_it")
            self._do_text = f"{plain_of(step.title)}  ({keys})"
        self.undo.setVisible(lesson is not None and session.history.has_step_here())
        # Empty it keeps what is beside it at the right.
        self.tries.setVisible(bool(self.tries.text()) or step is not None or not self.undo.isHidden())
        self.again.setVisible(session.teaching.lesson.before is not None and lesson is not None)
        self.question.refresh()
        self._fit_text()
        if (
            focused is not None
            and self.isAncestorOf(focused)
            and not (focused.isEnabled() and focused.isVisibleTo(self))
        ):  # Qt would give the focus to any widget that is next in its order
            ways = (*self.question.inputs, self.next, self.next_lesson, self.back, self.previous_lesson)
            way = next((each for each in ways if each.isEnabled() and not each.isHidden()), None)
            if way is not None:
                way.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_place(self, lesson: Lesson | None) -> None:
        count = 0 if lesson is None else len(lesson.items)
        place = self._session.teaching.lesson.place
        parts = [tr("{place} of {count}", place=place + 1, count=count + 1)] if count else []
        view_model = self._session.view_models.query_view_model() if self._compact else None
        covered = view_model is None or self._session.teaching.gives_away(view_model.n_relevant)
        if (
            view_model is not None and view_model.position[1] == 1 and view_model.n_relevant >= 0 and not covered
        ):  # its panel has no header in class
            parts.append(trn("{n:,} relevant document", "{n:,} relevant documents", view_model.n_relevant))
        self.place.setText(" · ".join(parts))
        for button, shown in ((self.back, place > 0), (self.next, place < count)):
            button.setVisible(bool(count))
            button.setEnabled(shown)
        self._show_course(at_beginning=place == 0, at_end=place == count)

    def _show_course(self, *, at_beginning: bool, at_end: bool) -> None:
        """Show the way to the lessons beside this one at its ends, and what is said at the end of the course."""
        walk = self._session.course_walk
        before, after = (walk.beside(-1) if at_beginning else None), (walk.beside(1) if at_end else None)
        for button, lesson, replaced in (
            (self.previous_lesson, before, self.back), (self.next_lesson, after, self.next),
        ):  # fmt: skip
            button.setVisible(lesson is not None)
            set_tooltip(button, "" if lesson is None else lesson.title)
            if lesson is not None:
                replaced.hide()
        set_tooltip(self.title, walk.chapter)
        self.end.setText(walk.end_text)
        self.end.setVisible(bool(self.end.text()))
        self.come_back.setVisible(bool(self.end.text()) and bool(walk.missed))

    def _printed(self) -> str:
        """Return the value of the measure in print, with our digits beside it; or what follows from the definition."""
        figure, value = self._session.teaching.printed_figure(), self._session.teaching.figure_value()
        return "" if figure is None else figure_text(figure, value)

    def _change(self) -> str:
        change = self._session.teaching.step_change()
        if change is None:
            return ""
        if change.name != change.name_after:  # differences between measures mean nothing
            return f"{change.name_after} = {decimal(f'{HalfUp(change.after):.4f}')}"
        text = delta_text(HalfUp(change.after - change.before), 4)
        palette = self._theme.palette
        colour = palette.better if text[0] == "▲" else palette.worse if text[0] == "▼" else palette.muted
        difference = f"<span style='color:{colour}'>&nbsp;{text}</span>"
        before, after = (decimal(f"{HalfUp(value):.4f}") for value in (change.before, change.after))
        return f"{change.name} {before} → {after} {difference}"

    def _fit_text(self) -> None:
        """Give the text its height, up to a share of the window's, and the button of the step the rest of its row."""
        width = max(100, self.width() - 24)
        beside = sum(each.sizeHint().width() + 24 for each in (self.undo, self.again) if not each.isHidden())
        room = max(100, width - beside - BUTTON_EDGES)
        text = self.do_button.fontMetrics().elidedText(self._do_text, Qt.TextElideMode.ElideMiddle, room)
        self.do_button.setText(text.replace("&", "&&"))
        set_tooltip(self.do_button, "" if text == self._do_text else self._do_text)
        lesson = self._session.lessons.lesson
        pictures = () if lesson is None else lesson.pictures
        height = self.window().height()
        has_picture = any(picture.name in self._text for picture in pictures)
        share = MOST_PICTURE if has_picture or height >= TALL else MOST_TEXT
        most = max(40, round(height * (share if height >= LOW else min(share, MOST_TEXT_LOW))))
        if self._compact:
            most = min(most, self._room_in_class())
        self.text.setFixedHeight(max(0, min(most, self.text.height_for(width))))
        self.source.setVisible(not self._compact and self.width() >= SOURCE_WIDTH)
        fits = most >= LEAST_IN_CLASS
        self.text.setVisible(self._has_text and fits)
        left_out = self._has_text and not fits
        shows = self.text.shows
        self.left_out.emit(*((shows.text(), shows.accessibleName()) if left_out else ("", "")))
        # Labels that wrap their words would give lines away before the ranks below do, which are scrolled.
        self._rows.invalidate()
        low = self.isVisible() and height < LOW
        self.setMinimumHeight(max(0, self._rows.heightForWidth(self.width())) if low else 0)

    def _room_in_class(self) -> int:
        """Return the pixels that the ranks of the query in view leave to the text."""
        session = self._session
        context, query = session.view.context, session.view.query_id
        runs = () if context is None or query is None else context.collection.runs
        longest = max((len(entry.run.ranking(query)) for entry in runs if query in entry.run.query_ids), default=0)
        ranks = RANKS_IN_CLASS if session.teaching.lesson.view == "table" else RANKS_OF_LISTS
        return max(0, ranks - min(longest, RANKS_IN_CLASS)) * RANK_IN_CLASS

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_text()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme["panel_border"], 1))
        painter.setBrush(self._theme["panel"])
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)

    def _on_do_clicked(self) -> None:
        run_command(self._session, "do_it")

    def _on_undo_clicked(self) -> None:
        run_command(self._session, "undo")

    def _on_again_clicked(self) -> None:
        run_command(self._session, "restart_example")

    def _on_back_clicked(self) -> None:
        run_command(self._session, "lesson_back")

    def _on_next_clicked(self) -> None:
        run_command(self._session, "lesson_next")

    def _on_previous_lesson_clicked(self) -> None:
        run_command(self._session, "previous_lesson")

    def _on_next_lesson_clicked(self) -> None:
        run_command(self._session, "next_lesson")

    def _on_come_back_clicked(self) -> None:
        run_command(self._session, "missed_question")

    def _on_close_clicked(self) -> None:
        self._session.teaching.set_teaching(False)

    def _on_theme_changed(self) -> None:
        if not self.isHidden():  # another screen may have its own
            self.refresh()  # some texts have colours in them
        for label, name in (
            (self.title, "ink"), (self.place, "muted"), (self.source, "muted"), (self.text.shows, "text"),
            (self.tries, "text"), (self.printed, "muted"), (self.change, "ink"), (self.end, "ink"),
        ):  # fmt: skip
            label.set_ink(self._theme[name])
        self.update()
