"""The status bar: warnings about the values shown on the left, legend on the right.

It reads the session and knows no view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QFontMetrics, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QMenu, QSizePolicy, QWidget

from irviewer.commands import every, find, run_command
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import command_keys, keys_text
from irviewer.gui.widgets.kept_clear import keep_clear
from irviewer.gui.widgets.painting import CHIP_HEIGHT, CHIP_WIDTH, draw_grade_chip
from irviewer.gui.widgets.panel import FoldedLabel
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.model.workspace import JudgmentSet, Regime, regime_offer
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

HEIGHT = 32
APART = 5 * " "
"""What is between the parts of a line."""
MOST_GRADES = 6
LEGIBLE = 110
"""The least width in pixels of a part; with less room it is hidden."""
MARGIN, SPACING = 14, 24
_WIDEST = 16_777_215
"""Qt's largest width."""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
UNLISTED = float("nan")
SET_COMMANDS = ("sets_by", "keep_filtered", "keep_brushed", "open_query_sets", "weight_queries")
"""The commands that make query sets, at the end of the menu."""


@dataclass(frozen=True)
class Sign:
    """Chips with their meaning; None among the chips is "…"."""

    grades: tuple[float | None, ...]
    meaning: str


def signs(judgments: JudgmentSet | None, judged_only: bool = False) -> tuple[Sign, ...]:
    """Return the signs that can occur with these judgments: grades, non-relevant, unjudged. With ``judged_only`` there
    are no unjudged documents."""
    if judgments is None:
        return ()
    levels = judgments.qrels.levels
    relevant: list[float | None] = [float(level) for level in levels if level > 0]
    if len(relevant) > MOST_GRADES:
        relevant = [*relevant[: MOST_GRADES // 2], None, *relevant[-2:]]
    complete = judgments.regime is Regime.COMPLETE
    signs_shown = [Sign(tuple(relevant), tr("grade") if len(relevant) > 1 else tr("relevant"))] if relevant else []
    if (complete and not judged_only) or 0 in levels:
        signs_shown.append(Sign((0.0,), tr("non-relevant") if complete else tr("judged non-relevant")))
    below: list[float | None] = [] if judged_only else [float(level) for level in levels if level < 0]
    if not complete and not judged_only:
        below.append(UNLISTED)
    if below:
        signs_shown.append(Sign(tuple(below), tr("unjudged")))
    return tuple(signs_shown)


def regime_words(judgments: JudgmentSet) -> str:
    """Return how the judgments were made; where that is unknown, what the user may declare."""
    regime = judgments.regime
    if regime is not Regime.UNKNOWN:
        return tr("Judgments are {regime}: {meaning}", regime=regime.title, meaning=regime.meaning)
    sentences = (regime.statement, tr("{offer} (menu Statistics)", offer=regime_offer(judgments.qrels)))
    return "\n".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences)


@guarded
class Legend(QWidget):
    """The legend of the chips."""

    GAP = 16
    CHIP_GAP = 3
    WORD_GAP = 4

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._signs: tuple[Sign, ...] = ()
        self._max_grade = 1.0
        self.setFont(theme.font(9))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        keep_clear(self)

    @property
    def shown(self) -> tuple[Sign, ...]:
        return self._signs

    def show_judgments(self, judgments: JudgmentSet | None, judged_only: bool = False) -> None:
        """Show the signs of judgments; none for None."""
        new_signs = signs(judgments, judged_only)
        max_grade = judgments.qrels.max_grade if judgments is not None else 1.0
        # NaN is not equal to itself, so the representations are compared.
        if repr((new_signs, max_grade)) == repr((self._signs, self._max_grade)):
            return
        self._signs, self._max_grade = new_signs, max_grade
        set_tooltip(
            self,
            "" if judgments is None else regime_words(judgments),
        )
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        width = 0
        for sign in self._signs:
            width += len(sign.grades) * (CHIP_WIDTH + self.CHIP_GAP) + self.WORD_GAP
            width += metrics.horizontalAdvance(sign.meaning) + self.GAP
        return QSize(max(0, width - self.GAP + 2), CHIP_HEIGHT + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = QFontMetrics(self.font())
        x = 0
        for sign in self._signs:
            for grade in sign.grades:
                rect = QRect(x, 1, CHIP_WIDTH, CHIP_HEIGHT)
                if grade is None:
                    painter.setPen(self._theme["muted"])
                    painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), "…")
                else:
                    draw_grade_chip(painter, rect, grade, self._max_grade, self._theme)
                x += CHIP_WIDTH + self.CHIP_GAP
            x += self.WORD_GAP
            wide = metrics.horizontalAdvance(sign.meaning)
            painter.setPen(self._theme["muted"])
            painter.setFont(self.font())
            painter.drawText(QRect(x, 0, wide + 2, self.height()), int(_LEFT), sign.meaning)
            x += wide + self.GAP


@guarded
class QuietButton(QAbstractButton):
    """Muted words that can be clicked; they are underlined under the pointer. The keyboard has their command."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFont(theme.font(9))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self.text()) + 2, metrics.height() + 6)

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(hint.width(), LEGIBLE), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = self.font()
        font.setUnderline(self.underMouse())
        painter.setFont(font)
        painter.setPen(self._theme["ink" if self.underMouse() else "muted"])
        text = QFontMetrics(font).elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), int(_LEFT), text)


@guarded
class SavedSign(QuietButton):
    """Shows whether the work is saved: muted if it is, a conspicuous warning if it is not."""

    ROUND = 4
    ROOM = 8

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._loud = False

    @property
    def loud(self) -> bool:
        """True while it warns."""
        return self._loud

    def show_status(self, status: str, loud: bool) -> None:
        self.setText(status)
        self._loud = loud
        self.setFont(self._theme.font(9, weight=700 if loud else 400))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width() + 2 * self.ROOM, hint.height()) if self._loud else hint

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._loud:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme["warning"])
        sign = QRect(QPoint(0, 0), self.sizeHint())
        sign.moveCenter(self.rect().center())
        painter.drawRoundedRect(sign, self.ROUND, self.ROUND)
        font = self.font()
        font.setUnderline(self.underMouse())
        painter.setFont(font)
        painter.setPen(self._theme["panel"])
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.text())


def queries_text(session: Session) -> str:
    """Return the text about the queries that values are computed over; "" without any."""
    context = session.view.context
    if context is None:
        return ""
    if context.query_set is None and session.view.place == "collections":  # the other collections have theirs
        return trn("{name}: {n:,} query ▾", "{name}: {n:,} queries ▾", context.n_queries, name=context.collection.name)
    if context.query_set is not None:
        return trn("{name}: {n:,} query ▾", "{name}: {n:,} queries ▾", context.n_queries, name=context.query_set.name)
    return trn("{n:,} query ▾", "all {n:,} queries ▾", context.n_queries)


def failure_keys() -> str:
    """Return what the keys do where the failures of one run are examined: digits are tags there."""
    return tr(
        "{space} examined, next     1–9 tag (no grade)     {new} new tag     {enter} open the query",
        space=keys_text("Space"), new=command_keys("new_failure_tag"), enter=keys_text("Enter"),
    )  # fmt: skip


@guarded
class Parts(FoldedLabel):
    """Parts beside each other, in two lines where one has no room for them; of ``whole`` ones, some are left out from
    the end. Others are cut, so that one sees that there are more. The tooltip has all."""

    def __init__(self) -> None:
        super().__init__()
        self.whole = False

    def shown_lines(self) -> list[str]:
        if not self.whole:
            return super().shown_lines()
        metrics, room = QFontMetricsF(self.font()), self.width() + 1
        most = 2 if self.height() >= 2 * metrics.height() else 1
        parts, lines = self.text().split(APART), [""]
        for part in parts:
            longer = APART.join(filter(None, (lines[-1], part)))
            if metrics.horizontalAdvance(longer) <= room:
                lines[-1] = longer
            elif lines[-1] and len(lines) < most and metrics.horizontalAdvance(part) <= room:
                lines.append(part)
            else:
                break
        return lines if lines[0] else super().shown_lines()


@guarded
class StatusBar(QWidget):
    """Warnings on the left, what is saved and the queries in the middle, legend on the right."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self.setFixedHeight(HEIGHT)
        self._parts: tuple[QWidget, ...] = ()
        self._account: tuple[str, str] | None = None
        self._said: tuple[str, str] | None = None
        self._wanted: set[QWidget] = set()
        self.caveats = Parts()
        self.caveats.setFont(theme.font(9))
        self.queries = QuietButton(theme)
        set_tooltip(self.queries, tr("Queries that all values are computed over"))
        self.queries.clicked.connect(self._on_queries_clicked)
        self.queries.hide()
        self._menu: QMenu | None = None
        self.legend = Legend(theme)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(MARGIN, 0, MARGIN, 0)
        layout.setSpacing(SPACING)
        self.saved = SavedSign(theme)
        self.saved.clicked.connect(self._on_saved_clicked)
        self.judged = QuietButton(theme)
        self.judged.clicked.connect(self._on_judged_clicked)
        self.judged.hide()
        layout.addWidget(self.judged)
        layout.addWidget(self.caveats, 1)
        layout.addStretch()  # keeps the other parts at the right if the warnings are hidden
        layout.addWidget(self.saved)
        layout.addWidget(self.queries)
        layout.addWidget(self.legend)
        self._narrow = False
        # The last are hidden first.
        self._parts = (self.saved, self.queries, self.judged, self.legend, self.caveats)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.refresh()

    def refresh(self) -> None:
        """Update from the session."""
        session = self._session
        shown = session.view.collection is not None and session.view.place != "start"
        blind = session.judging.blind and session.view.place == "query"
        text, caveats = "", session.view.caveats
        if shown and not blind:
            parts = list(caveats)
            if session.failure_loop.in_view:
                parts = [failure_keys()]
            elif not parts and session.view.baseline is not None:
                parts = [tr("Arrows and Δ compare with the baseline ★")]
            text = APART.join(parts)
        self.caveats.whole = session.failure_loop.in_view  # keys; a warning is never left out without a sign
        said = (text, "\n".join(caveats))
        if said != self._said:  # the label's own text is cut where it is long
            self._said = said
            self.caveats.setText(text)
            set_tooltip(self.caveats, said[1])
        judged = session.judging.judged_text if shown else ""
        self._want(self.judged, bool(judged))
        if judged != self.judged.text():
            self.judged.setText(judged)
            set_tooltip(self.judged, "\n".join((judged, tr("Click to list your judgments with judge, date and note."))))
            self.judged.updateGeometry()
        account = (session.autosave.save_status, session.autosave.save_account)
        if account != self._account:
            self._account = account
            self.saved.show_status(session.autosave.save_status, session.autosave.at_risk)
            set_tooltip(self.saved, session.autosave.save_account)
        self._want(self.saved, bool(session.autosave.save_status) and (shown or session.autosave.at_risk))
        self._want(self.queries, shown and session.view.judgments is not None)
        words = queries_text(session)
        if words != self.queries.text():
            self.queries.setText(words)
            self.queries.updateGeometry()
        # The other views have no chips, or their own legend.
        graded = session.view.place == "query" or session.failure_loop.in_view
        judgments = session.view.judgments if shown and graded else None
        self.legend.show_judgments(judgments, session.view.judged_only)
        self._want(self.caveats, bool(text))
        self._want(self.legend, bool(self.legend.shown))
        self._share_room()

    def set_narrow(self, narrow: bool) -> None:
        """Show only the legend, and what is saved and judged, in the least width: a bar has the rest of the row."""
        if narrow != self._narrow:
            self._narrow = narrow
            self.refresh()

    def _want(self, part: QWidget, wanted: bool) -> None:
        (self._wanted.add if wanted else self._wanted.discard)(part)

    def _share_room(self) -> None:
        """Show the parts that have enough room. The tooltip of the bar has the texts of the others."""
        if self._narrow:
            self._wanted &= {self.legend, self.saved, self.judged}
            wanted = sum(part.sizeHint().width() + SPACING for part in self._wanted)
            self.setFixedWidth(2 * MARGIN + max(0, wanted - SPACING) if wanted else 0)
        else:
            self.setMinimumWidth(1)  # parts are hidden if there is little room
            self.setMaximumWidth(_WIDEST)
        room, gone = self.width() - 2 * MARGIN, []
        for part in self._parts:
            whole = part.sizeHint().width()
            cut = isinstance(part, QuietButton | FoldedLabel) and part is not self.saved
            least = min(whole, LEGIBLE) if cut else whole
            fits = part in self._wanted and least <= room
            if fits:
                room -= least + SPACING
            elif part in self._wanted:
                gone.append(part)
            if part is self.caveats:
                part.setMinimumWidth(least)
            part.setVisible(fits)
        texts = [part.text() for part in gone if isinstance(part, QAbstractButton | QLabel)]
        set_tooltip(self, "\n".join(texts))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def words_room(self) -> int:
        """Return the width in pixels of the warnings, up to the parts that can be clicked and the legend."""
        layout = self.layout()
        assert layout is not None
        layout.activate()  # parts that have just come or gone are not in their places before
        others = [part for part in (self.saved, self.queries, self.legend) if part in self._wanted and part.isVisible()]
        return min((part.x() - SPACING for part in others), default=self.width())

    def queries_menu(self) -> QMenu:
        """Return the menu of query sets, and of the commands that make them."""
        if self._menu is not None:
            self._menu.deleteLater()
        self._menu = QMenu(self)
        group = QActionGroup(self._menu)
        session = self._session
        for command in every(session):
            if not command.id.startswith("queryset "):
                continue
            action = self._menu.addAction(command.short_title.replace("&", "&&"))
            action.setData(command.id)
            action.setCheckable(True)
            action.setChecked(command.checked is not None and command.checked(session))
            group.addAction(action)
        self._menu.addSeparator()
        for name in SET_COMMANDS:
            command = find(session, name)
            if command.enabled(session):
                self._menu.addAction(command.title).setData(name)
        self._menu.triggered.connect(self._on_queries_chosen)
        return self._menu

    def _on_queries_clicked(self) -> None:
        menu = self.queries_menu()
        menu.popup(self.queries.mapToGlobal(QPoint(0, -menu.sizeHint().height() - 3)))

    def _on_queries_chosen(self, action: QAction) -> None:
        run_command(self._session, str(action.data()))

    def _on_saved_clicked(self) -> None:
        divided = self._session.autosave.division is not None
        run_command(self._session, "settle_project" if divided else "save_project_as")

    def _on_judged_clicked(self) -> None:
        run_command(self._session, "list_judgments")

    def _on_theme_changed(self) -> None:
        self.caveats.set_ink(self._theme["muted"])
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme["panel"])
        painter.setPen(self._theme["panel_border"])
        painter.drawLine(0, 0, self.width(), 0)
