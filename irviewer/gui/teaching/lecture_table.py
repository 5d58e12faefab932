"""The lecture's table as a page: formulas above, rows, sums below, curves beside, and the reason for a wrong guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.teaching.lesson_views import VIEWS
from irviewer.gui.teaching.scrolled_text import ScrolledText
from irviewer.gui.teaching.table_rows import TableKeys, TableRows
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.controls import ChoiceButton, Segmented, TextButton, draw_key_cap, key_cap_width, keys_text
from irviewer.gui.widgets.enter_key import pressed_by_its_own_enter
from irviewer.gui.widgets.formula_label import FormulaLabel
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.panel import HEADER_HEIGHT, RADIUS, ElidedLabel, Panel, Title
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip, visible
from irviewer.model.dialect_rules import gain_and_discount
from irviewer.model.dialects import DIALECTS
from irviewer.session.explaining.formulas import FormulaDrawings
from irviewer.session.lecture_table.actions import NO_SECOND
from irviewer.session.lecture_table.columns import COLUMNS
from irviewer.session.lecture_table.progress import Cell
from irviewer.session.view_models.lecture_table import FootPart, LectureTableViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.gui.plots.lecture_curves import LectureCurve
    from irviewer.session.session import Session

GAP = 8
FORMULA = 11.0
"""The font size of the formulas, in points."""
FORMULA_HEIGHT = 50
_SIDE, _MOST_SIDE = 0.235, 380
_LOWEST = 250
"""Below this height in pixels rows take the place of the formulas above them and of the line below."""
_LOW = 560
"""Below this height in pixels the reason for a wrong guess takes the place of the second curve."""
ABOVE_TEXT, BESIDE_TEXT = 8, 32
"""Above and below the text of a lesson beside the table, and at its sides with a scroll bar, in pixels."""
LEAST_TEXT = 60
"""The least height of the text of a lesson beside the table, in pixels: two lines."""
_LEFT = int(aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter))
_RIGHT = int(aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter))


@guarded
class _Box(QWidget):
    """A rounded ground, with an edge in a colour of the palette."""

    def __init__(self, theme: Theme, edge: str = "panel_border") -> None:
        super().__init__()
        self._theme = theme
        self._edge = edge
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme[self._edge], 1))
        painter.setBrush(self._theme["panel"])
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)


class FormulaBox(_Box):
    """The formula of a ranking, and below it the same with the numbers of the selected row."""

    def __init__(self, theme: Theme, formulas: FormulaDrawings) -> None:
        super().__init__(theme)
        self._formula = ""
        self.formula = FormulaLabel(theme, FORMULA, formulas=formulas)
        self.worked = ElidedLabel()
        self.worked.setFont(theme.font(10, weight=600, numbers=True))
        above = QWidget()
        above.setFixedHeight(FORMULA_HEIGHT)
        inner = QHBoxLayout(above)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.addWidget(self.formula)
        self._inside = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._inside.addWidget(above, 1)
        self._inside.addWidget(self.worked, 1)
        self.set_flat(False)
        self._later = QTimer(self, singleShot=True, interval=0)  # after the numbers
        self._later.timeout.connect(self._on_formula_due)

    def set_flat(self, flat: bool) -> None:
        """Put both into one line, where a class needs the height for ranks."""
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._inside.setDirection(right if flat else down)
        self._inside.setContentsMargins(*((10, 0, 8, 0) if flat else (12, 0, 10, 5)))
        self._inside.setSpacing(6 if flat else 0)
        self._inside.setStretch(0, 5)
        self._inside.setStretch(1, 7 if flat else 0)

    def show_formula(self, formula: str, label: str, worked: str) -> None:
        """Show a formula (LaTeX), and the one with numbers."""
        self.worked.setText(f"{label}  {worked}".strip())
        if formula != self._formula:
            self._formula = formula
            self._later.start()

    def _on_formula_due(self) -> None:
        self.formula.show_formula(self._formula, self.worked.text())


@guarded
class FootLine(_Box):
    """The line below the table: how the sum becomes the measure, with blanks."""

    BLANK = 40

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._lines: tuple[tuple[FootPart, ...], ...] = ()
        self.setFixedHeight(30)

    def show_lines(self, lines: tuple[tuple[FootPart, ...], ...]) -> None:
        """Show a line for each ranking."""
        self._lines = lines
        blank = tr("(covered)")
        words = ("  ".join(part.text or blank for part in line) for line in lines)
        self.setAccessibleName("; ".join(words))
        self.setVisible(any(lines))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        share = (self.width() - 24) // max(1, len(self._lines))
        for number, line in enumerate(self._lines):
            x, end = 12 + number * share, 12 + (number + 1) * share - 8
            for part in line:
                painter.setFont(self._theme.font(10, weight=600 if part.role == "result" else 400, numbers=True))
                wide = self.BLANK if part.role == "blank" else QFontMetrics(painter.font()).horizontalAdvance(part.text)
                if x + wide > end:
                    break
                if part.role == "blank":
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(self._theme["recess"])
                    painter.drawRoundedRect(QRect(x, (self.height() - 18) // 2, wide, 18), 3, 3)
                else:
                    painter.setPen(self._theme["muted" if part.role == "label" else "ink"])
                    painter.drawText(QRect(x, 0, wide + 4, self.height()), _LEFT, part.text)
                x += wide + 6


class ReasonBox(_Box):
    """Why a guess is wrong, with both ways on."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "warning")
        self.what = PlainLabel()
        self.what.setFont(theme.font(10, weight=600))
        self.remedy = PlainLabel()
        self.remedy.setFont(theme.font(10))
        for label in (self.what, self.remedy):
            label.setWordWrap(True)
        self.again = QPushButton(tr("Try again"))
        self.show_it = QPushButton(tr("Show it"))
        set_tooltip(self.again, tr("Enter or Esc"))
        set_tooltip(self.show_it, tr("Space"))
        for button in (self.again, self.show_it):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            pressed_by_its_own_enter(button)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.again)
        buttons.addWidget(self.show_it)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 9, 12, 9)
        layout.setSpacing(6)
        layout.addWidget(self.what)
        layout.addWidget(self.remedy)
        layout.addLayout(buttons)
        self.hide()
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def fit(self, width: int) -> None:
        """Take the height that the text needs at a width."""
        layout = self.layout()
        if layout is not None:
            self.setFixedHeight(max(60, layout.heightForWidth(width)))

    def show_reason(self, what: str, remedy: str) -> None:
        """Show a reason; "" for none."""
        self.what.setText(what)
        self.remedy.setText(remedy)
        self.setAccessibleName(f"{what} {remedy}".strip())
        self.setVisible(bool(what))

    def _on_theme_changed(self) -> None:
        for label, name in ((self.what, "warning"), (self.remedy, "text")):
            label.set_ink(self._theme[name])


@guarded
class TextBox(_Box):
    """The text of a lesson, where the ranks leave it no room above the table; longer ones are scrolled."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.area = ScrolledText(theme)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, ABOVE_TEXT, 4, ABOVE_TEXT)
        layout.addWidget(self.area)
        self.setMinimumHeight(LEAST_TEXT)
        self.hide()

    def show_text(self, html: str, plain: str) -> None:
        """Show a text, as HTML and for screen readers; "" for none."""
        self.area.show_text(html, plain)
        self.setVisible(bool(html))
        self._fit()

    def resizeEvent(self, event: object) -> None:
        self._fit()

    def _fit(self) -> None:
        """Take no more height than the text needs."""
        needed = self.area.height_for(max(60, self.width() - BESIDE_TEXT)) + 2 * ABOVE_TEXT
        self.setMaximumHeight(max(LEAST_TEXT, needed))


@guarded
class KeyLine(QWidget):
    """The keys of the table on the left, how many guesses were right on the right."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._score = ""
        self._keys: tuple[tuple[str, str], ...] = (
            (keys_text("PgDown"), tr("next")),
            (keys_text("PgUp"), tr("back")),
            (keys_text("Enter"), tr("answer")),
            (keys_text("Space"), tr("show a covered cell")),
        )
        self._shown: tuple[tuple[str, str], ...] = self._keys
        self.setFixedHeight(26)
        theme.changed.connect(self.update)

    def show_progress(self, score: str, step: str, short: bool) -> None:
        """Show how many guesses were right, and which row is the current one; only the keys that are used most where
        the line is ``short``."""
        self._score = f"{step} · {score}" if step and score else step or score
        self._shown = self._keys[:2] if short else self._keys
        self.setAccessibleName(self._score)
        self.update()

    def fitting(self) -> tuple[tuple[tuple[str, str], ...], str]:
        """Return the keys and the progress that have room: none is cut, and keys come first."""
        metrics, room = QFontMetrics(self._theme.font(9)), self.width() - 10
        keys: list[tuple[str, str]] = []
        for key, what in self._shown:
            room -= key_cap_width(key, self._theme) + 7 + metrics.horizontalAdvance(what) + 16
            if room < -16:  # no gap is needed behind the last
                return tuple(keys), ""
            keys.append((key, what))
        return tuple(keys), self._score if metrics.horizontalAdvance(self._score) <= room else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, x = QPainter(self), 4
        keys, score = self.fitting()
        for key, what in keys:
            wide = key_cap_width(key, self._theme)
            draw_key_cap(painter, QRect(x, 3, wide, 18), key, self._theme)
            painter.setFont(self._theme.font(9))
            painter.setPen(self._theme["muted"])
            x += wide + 7
            painter.drawText(QRect(x, 0, 300, self.height()), _LEFT, what)
            x += QFontMetrics(painter.font()).horizontalAdvance(what) + 16
        painter.setFont(self._theme.font(9))
        painter.setPen(self._theme["muted"])
        painter.drawText(QRect(x, 0, self.width() - x - 6, self.height()), _RIGHT, score)


@guarded
class LectureTableView(QWidget):
    """The page of the table."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self.theme = theme
        self._was_lowest = False
        self._view_model: LectureTableViewModel | None = None
        self.title = Title()
        self.title.setFont(theme.font(10.5, weight=600))
        self.step = PlainLabel()
        self.step.setFont(theme.font(9.5))
        self.views = Segmented(theme, VIEWS, tabs=True)
        self.second = ChoiceButton(theme, most=170)
        self.columns = ChoiceButton(theme)
        self.rules = ChoiceButton(theme)
        self.leave = TextButton(theme, tr("Leave"), tr("Leave textbook mode"))
        self.tools = QWidget()
        tools = QHBoxLayout(self.tools)
        tools.setContentsMargins(0, 0, 0, 0)
        tools.setSpacing(8)
        for button in (self.views, self.second, self.columns, self.rules, self.leave):
            tools.addWidget(button)
        self.head = QWidget()
        self._head_row = QHBoxLayout(self.head)
        self._head_row.setContentsMargins(0, 0, 0, 0)
        self._head_row.setSpacing(8)
        self._head_row.addWidget(self.title)
        self._head_row.addWidget(self.step)
        self._head_row.addStretch(1)
        self._head_row.addWidget(self.tools)
        self.formulas = (FormulaBox(theme, session.explaining.formulas), FormulaBox(theme, session.explaining.formulas))
        above = QHBoxLayout()
        above.setSpacing(GAP)
        for box in self.formulas:
            above.addWidget(box, 1)
        self.rows = TableRows(theme)
        self.keys = TableKeys(self.rows)
        ground = _Box(theme)
        inside = QVBoxLayout(ground)
        inside.setContentsMargins(2, 2, 2, 2)
        inside.addWidget(self.rows)
        self.foot = FootLine(theme)
        left = QVBoxLayout()
        left.setSpacing(GAP)
        left.addLayout(above)
        left.addWidget(ground, 1)
        left.addWidget(self.foot)
        self.curves: tuple[LectureCurve, ...] = ()
        self.curve_panels = (Panel(theme), Panel(theme))
        self.reason = ReasonBox(theme)
        self.side = QWidget()
        beside = QVBoxLayout(self.side)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(GAP)
        beside.addWidget(self.curve_panels[0], 1)
        beside.addWidget(self.reason)
        beside.addWidget(self.curve_panels[1], 1)
        self.text = TextBox(theme)
        beside.addWidget(self.text, 1)
        beside.addStretch(0)
        whole = QHBoxLayout()
        whole.setSpacing(GAP)
        whole.addLayout(left, 1)
        whole.addWidget(self.side)
        self.key_line = KeyLine(theme)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP - 2)
        layout.addWidget(self.head)
        layout.addLayout(whole, 1)
        self._last_row = QHBoxLayout()
        self._last_row.addWidget(self.key_line, 1)
        layout.addLayout(self._last_row)
        self.setFocusProxy(self.rows)
        self.rows.cell_chosen.connect(self._on_cell_chosen)
        self.rows.cell_opened.connect(self._on_cell_opened)
        self.keys.pressed.connect(self._on_key)
        self.rows.field.textEdited.connect(self._on_edited)
        self.reason.again.clicked.connect(self._on_again)
        self.reason.show_it.clicked.connect(self._on_show)
        self.second.clicked.connect(self._on_second_clicked)
        self.columns.clicked.connect(self._on_columns_clicked)
        self.rules.clicked.connect(self._on_rules_clicked)
        self.views.chosen.connect(self._on_view_chosen)
        self.leave.clicked.connect(self._on_leave_clicked)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def sizeHint(self) -> QSize:
        return QSize(900, 560)

    def set_below_lesson(self, below: bool) -> None:
        """Without a head of its own, below the strip of a lesson; the choices are then in the last row."""
        if below == self.head.isHidden():
            return
        self.head.setVisible(not below)
        self.leave.setVisible(not below)
        (self._last_row if below else self._head_row).addWidget(self.tools)

    # --- refreshing ---

    def refresh(self) -> None:
        """Show the table of the session."""
        view_model = self._view_model = self.session.lecture_table.view_model()
        if view_model is None:
            return
        self._make_curves()
        self._show_head(view_model)
        self._fit_formulas()
        for number, box in enumerate(self.formulas):
            wanted = self.session.lecture_table.table.formulas and not self.lowest
            box.setVisible(wanted and number < len(view_model.halves))
            if number < len(view_model.halves):
                box.show_formula(view_model.formula(number), *view_model.worked(number, short=self.flat))
        self.rows.show_view_model(view_model)
        self.foot.show_lines(tuple(self.session.lecture_table.foot(number) for number in range(len(view_model.halves))))
        asks = self.session.teaching.question is not None or self.session.sliders.thresholds_open
        self._was_lowest = self.lowest
        if self.lowest or (self.flat and asks):
            self.foot.hide()  # what is said of an answer, or the sliders, take its room
        wrong = view_model.wrong
        self.reason.show_reason("" if wrong is None else wrong.what, "" if wrong is None else wrong.remedy)
        self.key_line.show_progress(
            view_model.score, self.step.text() if self.head.isHidden() else "", self.head.isHidden()
        )
        self._show_curves(view_model)

    def show_text(self, html: str, plain: str) -> None:
        """Show the text of the lesson that has no room above the table, as HTML and for screen readers; "" for none."""
        self.text.show_text(html, plain)
        if self._view_model is not None:
            self._show_curves(self._view_model)

    def _show_head(self, view_model: LectureTableViewModel) -> None:
        collection = self.session.view.collection
        self.views.show_chosen("table")
        self.title.setText("" if collection is None else collection.name)
        self.step.setText(tr("step {row} of {rows}", row=view_model.row, rows=view_model.rows))
        beside = view_model.halves[1].title if len(view_model.halves) > 1 else tr("none")
        self.second.setVisible(bool(self.session.lecture_table.second_choices()))
        self.second.show_choice(tr("beside: {ranking}", ranking=beside), tr("The ranking beside the first"))
        self.columns.show_choice(tr("Columns"), tr("Choose the columns, and which of them are asked"))
        rules = DIALECTS.get(self.session.view.dialect)
        name = self.session.view.dialect if rules is None else rules.title
        self.rules.show_choice(name, tr("The rules of gain and discount"))

    def _make_curves(self) -> None:
        if not self.curves:
            from irviewer.gui.plots.lecture_curves import LectureCurve

            self.curves = tuple(LectureCurve(self.session, self.theme, kind) for kind in ("precision", "gain"))
            for panel, curve in zip(self.curve_panels, self.curves, strict=True):
                panel.set_body(curve)

    def _show_curves(self, view_model: LectureTableViewModel) -> None:
        from irviewer.gui.plots.lecture_curves import curve_halves

        low = self.height() < _LOW and view_model.wrong is not None
        wanted = [bool(curve_halves(view_model, kind)) for kind in ("precision", "gain")]
        for number, (panel, curve) in enumerate(zip(self.curve_panels, self.curves, strict=True)):
            curve.show_view_model(view_model)
            panel.setVisible(wanted[number] and not (low and number == 1 and wanted[0]))
            panel.set_title("" if curve.figure is None else curve.figure.title)
            note = tr("to rank {rank}", rank=view_model.row)
            hollow = tr("hollow: not relevant") if number == 0 else tr("dashed: ideal order")
            panel.set_note(f"{note} · {hollow}")
        self.side.setVisible(any(wanted) or view_model.wrong is not None or not self.text.isHidden())
        side = max(220, min(_MOST_SIDE, round(self.width() * _SIDE)))
        self.side.setFixedWidth(side)
        for panel in self.curve_panels:
            panel.setMaximumHeight(round(1.2 * side) + HEADER_HEIGHT)
        self.reason.fit(side)

    def resizeEvent(self, event: object) -> None:
        self._fit_formulas()
        if self._view_model is None:
            return
        if self.lowest != self._was_lowest:
            self.refresh()
        else:
            self._show_curves(self._view_model)

    @property
    def lowest(self) -> bool:
        """Whether there is room for rows only."""
        return self.head.isHidden() and self.height() < _LOWEST

    @property
    def flat(self) -> bool:
        """Whether there is room for one line of formulas only."""
        return self.head.isHidden() and self.height() < _LOW

    def _fit_formulas(self) -> None:
        for box in self.formulas:
            box.set_flat(self.flat)

    # --- keys and clicks ---

    def keyPressEvent(self, event: QKeyEvent) -> None:
        wanted = {Qt.Key.Key_PageDown: "next", Qt.Key.Key_PageUp: "back"}.get(Qt.Key(event.key()), "")
        if wanted:
            self._on_key(wanted)
        else:
            super().keyPressEvent(event)

    def _on_key(self, wanted: str) -> None:
        table = self.session.lecture_table
        match wanted:
            case "next":
                if not table.next():
                    self.session.teaching.go(1)
            case "back":
                if not table.back():
                    self.session.teaching.go(-1)
            case "show":
                table.toggle()
            case "again":
                self._on_again()
            case "enter":
                self._on_enter()
            case "left" | "right":
                table.step(1 if wanted == "right" else -1, 0)
            case _:
                table.step(0, 1 if wanted == "down" else -1)

    def _on_enter(self) -> None:
        field = self.rows.field
        if field.isHidden():
            self.session.lecture_table.next()
        elif field.wrong:
            self._on_again()
        elif field.text().strip():
            self.session.lecture_table.guess(field.text())

    def _on_edited(self) -> None:
        self.session.lecture_table.try_again()  # what is typed now was not answered yet

    def _on_again(self) -> None:
        self.session.lecture_table.try_again()
        self.rows.focus()
        self.rows.field.selectAll()

    def _on_show(self) -> None:
        self.session.lecture_table.toggle()
        self.rows.focus()

    def _on_cell_chosen(self, cell: Cell) -> None:
        self.session.lecture_table.select(cell)
        self.rows.focus()

    def _on_cell_opened(self, cell: Cell) -> None:
        self.session.lecture_table.select(cell)
        self.session.lecture_table.toggle()

    # --- menus ---

    def columns_menu(self) -> QMenu:
        """Return the menu of columns: what each ranking shows, what is asked, and whether formulas are shown."""
        menu, view_model = self._menu(), self._view_model
        if view_model is None:
            return menu
        _add(menu, tr("Formulas above the rows"), ("formulas",), self.session.lecture_table.table.formulas)
        for number, half in enumerate(view_model.halves):
            menu.addSection(_plain(half.title))
            for column in COLUMNS:
                text = tr("{column}: {meaning}", column=column.title, meaning=column.tip)
                _add(menu, text, ("column", number, column.id), column.id in half.column_ids)
        asked = menu.addMenu(tr("Ask row by row"))
        shown = {column for half in view_model.halves for column in half.column_ids}
        for column in COLUMNS:
            if column.id in shown:
                _add(asked, column.title, ("asked", column.id), column.id in view_model.asked)
        return menu

    def second_menu(self) -> QMenu:
        """Return the menu of the rankings that can stand beside the first."""
        menu, view_model, service = self._menu(), self._view_model, self.session.lecture_table
        now = None if view_model is None or len(view_model.halves) < 2 else view_model.halves[1]
        _add(menu, tr("none"), ("second", *NO_SECOND), now is None)
        for entry, query in service.second_choices():
            name = entry.name if query == self.session.view.query_id else tr("query {query}", query=query)
            chosen = now is not None and (now.run.key, now.query_id) == (entry.key, query)
            _add(menu, _plain(name), ("second", entry.key, query), chosen)
        return menu

    def rules_menu(self) -> QMenu:
        """Return the menu of the rules of gain and discount."""
        menu = self._menu()
        for name, rules in DIALECTS.items():
            text = tr("{dialect}: {rule}", dialect=rules.title, rule=gain_and_discount(rules.dcg))
            _add(menu, text, ("rules", name), name == self.session.view.dialect)
        return menu

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.triggered.connect(self._on_chosen)
        return menu

    def _on_chosen(self, action: QAction) -> None:
        service = self.session.lecture_table
        match action.data():
            case ("column", int(half), str(column)):
                service.toggle_column(half, column)
            case ("asked", str(column)):
                service.toggle_asked(column)
            case ("formulas",):
                service.toggle_formulas()
            case ("second", int(key), str(query)):
                service.set_second((key, query))
            case ("rules", str(name)):
                self.session.protocol.set(dialect=name)

    def _on_columns_clicked(self) -> None:
        open_below(self.columns_menu(), self.columns)

    def _on_second_clicked(self) -> None:
        open_below(self.second_menu(), self.second)

    def _on_rules_clicked(self) -> None:
        open_below(self.rules_menu(), self.rules)

    def _on_view_chosen(self, view: str) -> None:
        self.session.teaching.set_lesson_view(view)

    def _on_leave_clicked(self) -> None:
        self.session.teaching.set_teaching(False)

    def _on_theme_changed(self) -> None:
        for label, name in ((self.title, "ink"), (self.step, "muted")):
            label.set_ink(self.theme[name])


def _add(menu: QMenu, text: str, data: tuple[str | int, ...], checked: bool) -> None:
    action = QAction(text, menu)
    action.setCheckable(True)
    action.setChecked(checked)
    action.setData(data)
    menu.addAction(action)


def _plain(name: str) -> str:
    """Return a name as the text of a menu entry."""
    return visible(name).replace("&", "&&")
