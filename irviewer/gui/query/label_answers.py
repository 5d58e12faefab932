"""The tab Label of Query: an answer beside the nuggets, or its citations, which keys label one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QBrush, QColor, QKeyEvent, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPlainTextEdit,
    QSplitter,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from irviewer.commands import find, run_command
from irviewer.errors import IrviewerError
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.guard import guarded
from irviewer.gui.screens.screen import Screen, split
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton, Segmented, TextButton
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.panel import ElidedLabel, Panel
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.hidden_characters import escape_hidden
from irviewer.model.answers.labels import FULL, NONE, PARTIAL
from irviewer.session.answering.labelling import AnswerToLabel, CitationItem, NuggetItem
from irviewer.session.changes import Change
from irviewer.session.messages import error
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

SIGNS = {FULL: "●", PARTIAL: "◐", NONE: "○", None: "□"}
"""The sign before an item: said, in part, not, and no label. Shape and fill tell them apart, never colour."""

WORDS = {FULL: tr("said"), PARTIAL: tr("said in part"), NONE: tr("not said"), None: tr("no label")}
SUPPORT_WORDS = {FULL: tr("supports it"), PARTIAL: tr("supports it in part"), NONE: tr("does not support it"),
                 None: tr("no label")}  # fmt: skip

NUGGET_KEYS = {Qt.Key.Key_1: FULL, Qt.Key.Key_2: PARTIAL, Qt.Key.Key_0: NONE}
SUPPORT_KEYS = {Qt.Key.Key_F: FULL, Qt.Key.Key_P: PARTIAL, Qt.Key.Key_N: NONE}
CLEARING = (Qt.Key.Key_Question, Qt.Key.Key_Backspace, Qt.Key.Key_Delete)

MODES = (
    ("nuggets", tr("Nuggets"), tr("Say which nuggets the answer says")),
    ("support", tr("Support"), tr("Say whether the documents that a sentence cites support it")),
)
BREAKS = str.maketrans({"\r": " ", "\0": "\N{REPLACEMENT CHARACTER}"})
"""What Qt's text would make another number of characters of: the places of selected words are those of the answer."""
QUESTION_LEAST = 240
"""The least width in pixels that shows the question beside the controls."""
MOST_SHOWN = 200_000
"""The most characters of an answer that are shown; labels are of the whole answer."""


@guarded
class LabelAnswers(Screen):
    """One answer, and what is to be labelled in it. Keys label the selected item and go on to the next."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._answer: AnswerToLabel | None = None
        self.system = ChoiceButton(theme, most=220)
        self.system.clicked.connect(self._on_system_clicked)
        self.modes = Segmented(theme, MODES)
        self.modes.chosen.connect(self._on_mode_chosen)
        self.blind = TextButton(
            theme, tr("Blind"), tr("Hide systems and the labels of others; answers come in an order that is drawn")
        )
        self.blind.setCheckable(True)
        self.blind.clicked.connect(self._on_blind_clicked)
        self.progress = PlainLabel("")
        self.next = TextButton(theme, tr("Next"), tr("The next answer that lacks labels (Space)"))
        self.next.clicked.connect(self._on_next_clicked)
        self.more = TextButton(theme, tr("More ▾"), tr("Write and change nuggets, save labels"))
        self.more.clicked.connect(self._on_more_clicked)
        self.question = ElidedLabel()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(tr("Answer"))
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setTabChangesFocus(True)
        self.items = QListWidget()
        self.items.setWordWrap(True)
        self.items.setAlternatingRowColors(False)
        self.items.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.items.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.items.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.items.customContextMenuRequested.connect(self._on_menu_asked)
        self.items.currentRowChanged.connect(self._on_row_changed)
        self.keys = PlainLabel("")
        self.keys.setWordWrap(True)
        self.keys.setContentsMargins(8, 0, 8, 6)
        self.left, self.right = Panel(theme, tr("Answer")), Panel(theme, tr("Nuggets"))
        self.left.set_body(self.text)
        self.right.set_body(_column((self.items, self.keys)))
        self.notice = PlainLabel("")
        self.notice.setWordWrap(True)
        self.notice.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.open = TextButton(theme, tr("Open files…"), find(session, "open_files").help)
        self.open.clicked.connect(self._on_open_clicked)
        self.save = TextButton(
            theme, tr("Save nuggets…"), tr("Save the nuggets that are open, as TREC RAG writes them")
        )
        self.save.clicked.connect(self._on_save_clicked)
        self.empty = QWidget()
        middle = QVBoxLayout(self.empty)
        middle.addStretch(1)
        middle.addWidget(self.notice)
        for button in (self.open, self.save):
            middle.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        middle.addStretch(1)
        self.bar = bar = QWidget()
        row = QHBoxLayout(bar)
        row.setContentsMargins(0, 0, 0, 0)
        for control in (self.system, self.modes, self.blind):
            row.addWidget(control)
        row.addWidget(self.question, 1)
        row.addWidget(self.progress)
        for button in (self.next, self.more):
            row.addWidget(button)
        self.panes = split(Qt.Orientation.Horizontal, (self.left, self.right), (5, 4))
        self.asked = PlainLabel("")
        self.asked.setWordWrap(True)
        content = _column((bar, self.asked, self.panes))
        layout = content.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.addWidget(self.empty, 1)
        self.set_content(content)
        self.setFocusProxy(self.items)
        self.items.installEventFilter(self)
        self.text.installEventFilter(self)
        theme.changed.connect(self._on_colours_changed)
        self._filling = False
        self._text = ""

    # --- what is shown ---

    def refresh(self, changes: frozenset[Change]) -> None:
        answer = self.session.answering.answer()
        self._answer = answer
        self.panes.setVisible(answer is not None)
        self.empty.setVisible(answer is None)
        self.bar.setVisible(answer is not None)
        self.asked.setVisible(False)
        self.setFocusProxy(self.open if answer is None else self.items)
        if answer is None:
            judgments = self.session.view.judgments
            self.save.setVisible(judgments is not None and judgments.qrels.nuggets is not None)
            self.notice.setText(
                tr("No answers are open. Open a file of answers, as TREC RAG writes them, and nuggets to label.")
            )
            return
        hidden = tr("system hidden")
        self.system.show_choice(escape_hidden(answer.system) or hidden, tr("The system whose answer is shown"))
        self.system.setEnabled(not answer.blind and len(self.session.answering.systems) > 1)
        self.modes.show_chosen("support" if answer.support else "nuggets")
        self.blind.setChecked(answer.blind)
        count = len(answer.items)
        self.progress.setText(
            tr(
                "{labelled} of {count} · answers {done} of {n}",
                labelled=answer.labelled,
                count=count,
                done=answer.done,
                n=answer.of,
            )
        )
        self._show_question()
        words = sum(len(text.split()) for text, _ in answer.sentences)
        note = trn("{n} sentence", "{n} sentences", len(answer.sentences))
        length = trn("{n:,} word", "{n:,} words", words)
        self.left.set_note(f"{note} · {length}")
        self.right.set_title(tr("Citations") if answer.support else tr("Nuggets"))
        self.right.set_note("" if answer.support else escape_hidden(answer.nugget_set))
        self._show_text(answer)
        self._show_items(answer)
        self.keys.setText(self._help(answer))

    def _help(self, answer: AnswerToLabel) -> str:
        if answer.changed:
            return tr("The answer is not the one that was labelled before: a new label begins anew with this text.")
        if not answer.items:
            return (
                tr("The answer cites nothing.") if answer.support
                else tr("The topic has no nuggets. More › Write a nugget… adds one.")
            )  # fmt: skip
        if answer.support:
            return tr("F supports · P in part · N not · Backspace no label · Space next answer")
        return tr("1 said · 2 in part · 0 not · Backspace no label · Space next answer · D link to a document; select "
                  "words to keep the place")  # fmt: skip

    def _show_text(self, answer: AnswerToLabel) -> None:
        text = "\n".join(sentence for sentence, _ in answer.sentences)[:MOST_SHOWN].translate(BREAKS)
        if text != self._text:
            self._text = text
            self.text.setPlainText(text)
        self._mark(answer)

    def _mark(self, answer: AnswerToLabel) -> None:
        """Mark the sentence of the selected citation, or where the answer says the selected nugget."""
        marks = []
        item = answer.items[answer.at] if answer.items else None
        span: tuple[int, ...] = ()
        if isinstance(item, CitationItem):
            start = sum(len(text) + 1 for text, _ in answer.sentences[: item.sentence])
            span = start, start + len(answer.sentences[item.sentence][0])
        elif isinstance(item, NuggetItem):
            span = item.span
        if len(span) == 2 and span[0] < span[1] <= len(self.text.toPlainText()):
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.text.document())
            cursor.setPosition(_position(self.text, span[0]))
            cursor.setPosition(_position(self.text, span[1]), QTextCursor.MoveMode.KeepAnchor)
            style = QTextCharFormat()
            style.setBackground(QBrush(QColor(self.theme["selection"])))
            style.setFontUnderline(True)
            mark.cursor, mark.format = cursor, style
            marks.append(mark)
        self.text.setExtraSelections(marks)

    def _show_items(self, answer: AnswerToLabel) -> None:
        self._filling = True
        rows = [_row(item) for item in answer.items]
        while self.items.count() > len(rows):
            self.items.takeItem(self.items.count() - 1)
        while self.items.count() < len(rows):
            self.items.addItem(QListWidgetItem())
        for place, (text, spoken, bold) in enumerate(rows):
            item = self.items.item(place)
            item.setText(text)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
            font = self.items.font()
            font.setBold(bold)
            item.setFont(font)
            item.setSizeHint(QSize())
        self.items.setCurrentRow(answer.at if rows else -1)
        self._filling = False

    def _on_colours_changed(self) -> None:
        if self._answer is not None:
            self._mark(self._answer)

    # --- keys ---

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Keys that label are this view's, whatever else they do elsewhere."""
        if event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) and isinstance(event, QKeyEvent):
            act = self._act(event)
            if act is not None:
                event.accept()
                if event.type() == QEvent.Type.KeyPress:
                    act()
                return True
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    def _act(self, event: QKeyEvent) -> Callable[[], object] | None:
        """Return what a key does here; None for a key of others."""
        if event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
            return None
        key = event.key()
        if key == Qt.Key.Key_Space:
            return self._on_next_clicked
        if key in CLEARING:
            return lambda: self.session.answering.label(None)
        if key == Qt.Key.Key_D and self._answer is not None and self._answer.items:
            item = self._answer.items[self._answer.at]
            if isinstance(item, NuggetItem):
                return lambda: self._link(item)
        known = SUPPORT_KEYS if self.session.answering.support else NUGGET_KEYS
        code = next((code for each, code in known.items() if each == key), None)
        return None if code is None else (lambda: self._label(code))

    def _label(self, code: int) -> None:
        cursor = self.text.textCursor()
        span = None
        if cursor.hasSelection() and not self.session.answering.support:
            text = self.text.toPlainText()
            start, end = (_place(text, at) for at in (cursor.selectionStart(), cursor.selectionEnd()))
            span = start, end
            cursor.clearSelection()
            self.text.setTextCursor(cursor)
        self.session.answering.label(code, span=span)

    # --- acts ---

    def _on_row_changed(self, row: int) -> None:
        if not self._filling and row >= 0:
            self.session.answering.select(row)

    def _on_mode_chosen(self, mode: str) -> None:
        self.session.answering.choose_support(mode == "support")

    def _on_blind_clicked(self) -> None:
        self.session.answering.choose_blind(self.blind.isChecked())

    def _on_next_clicked(self) -> None:
        if not self.session.answering.next_answer():
            self.session.store.answer(tr("No other answer lacks labels."))

    def _on_system_clicked(self) -> None:
        menu = QMenu(self)
        for system in self.session.answering.systems:
            action = menu.addAction(escape_hidden(system).replace("&", "&&"))
            action.setData(system)
        menu.triggered.connect(self._on_system_chosen)
        open_below(menu, self.system)

    def _on_system_chosen(self, action: QAction) -> None:
        self.session.answering.choose_system(action.data())

    def _show_question(self) -> None:
        """Show the question among the controls, or below them where they leave it no room."""
        answer, row = self._answer, self.bar.layout()
        words = () if answer is None else (escape_hidden(answer.topic), escape_hidden(answer.question))
        text = " · ".join(filter(None, words))
        controls = (self.system, self.modes, self.blind, self.progress, self.next, self.more)
        assert row is not None
        taken = sum(control.sizeHint().width() + row.spacing() for control in controls)
        below = bool(text) and self.width() - taken < QUESTION_LEAST
        self.question.setText("" if below else text)
        self.asked.setText(text)
        self.asked.setVisible(below)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_question()

    def _on_open_clicked(self) -> None:
        run_command(self.session, "open_files")

    def _on_save_clicked(self) -> None:
        self._save(self.session.answering.save_nuggets, tr("nuggets"))

    def _on_more_clicked(self) -> None:
        open_below(self.menu(), self.more)

    def _on_menu_asked(self, point: QPoint) -> None:
        self.menu().popup(self.items.viewport().mapToGlobal(point))

    def menu(self) -> QMenu:
        """Return what can be done with the selected nugget, and with all labels."""
        answering, answer = self.session.answering, self._answer
        menu = QMenu(self)
        menu.addAction(tr("Write a nugget…"), self._write)
        item = answer.items[answer.at] if answer is not None and answer.items else None
        if isinstance(item, NuggetItem) and answer is not None:
            number = item.nugget.number
            menu.addAction(tr("Reword…"), lambda: self._reword(item))
            menu.addAction(tr("Make it okay") if item.vital else tr("Make it vital"),
                           lambda: answering.set_vital(number, not item.vital))  # fmt: skip
            menu.addAction(tr("Split…"), lambda: self._split(item))
            if answer.at + 1 < len(answer.nuggets):
                other = answer.nuggets[answer.at + 1].nugget.number
                menu.addAction(tr("Join with the next"), lambda: answering.join(number, other))
            menu.addAction(tr("Link to a document…") + "\tD", lambda: self._link(item))
            menu.addAction(tr("Remove"), lambda: answering.remove(number))
        menu.addSeparator()
        menu.addAction(tr("Query set of the labelled topics"), answering.keep_labelled)
        menu.addAction(tr("Save labels…"), lambda: self._save(answering.save, tr("labels")))
        menu.addAction(tr("Save nuggets…"), self._on_save_clicked)
        return menu

    def _ask(self, title: str, question: str, text: str, take: Callable[[str], object]) -> None:
        dialog = LineDialog(
            self.theme, self.window(), title, question, text,
            lambda text: "" if text else tr("Enter a text."), take,
        )  # fmt: skip
        dialog.open()

    def _write(self) -> None:
        def take(text: str) -> None:
            self.session.answering.write_nugget(text, vital=True)

        self._ask(tr("Write a nugget"), tr("A fact that the answer should say; it is vital until you change that"),
                  "", take)  # fmt: skip

    def _reword(self, item: NuggetItem) -> None:
        self._ask(tr("Reword"), tr("The nugget; labels of it are kept and marked"), item.nugget.text,
                  lambda text: self.session.answering.reword(item.nugget.number, text))  # fmt: skip

    def _split(self, item: NuggetItem) -> None:
        def take(text: str) -> None:
            first, _, second = text.partition("|")
            self.session.answering.split(item.nugget.number, first, second)

        dialog = LineDialog(
            self.theme, self.window(), tr("Split"), tr("Two nuggets with | between them"), item.nugget.text,
            lambda text: "" if all(part.strip() for part in text.partition("|")[::2])
            else tr("Write | between the two."), take,
        )  # fmt: skip
        dialog.open()

    def _link(self, item: NuggetItem) -> None:
        self._ask(tr("Link to a document"), tr("The id of a document that holds the nugget"),
                  self.session.view.document_id or "",
                  lambda text: self.session.answering.link(item.nugget.number, text))  # fmt: skip

    def _save(self, save: Callable[[str], None], what: str) -> None:
        def take(path: str) -> None:
            try:
                save(path)
            except IrviewerError as fault:
                self.session.say(error(str(fault)))

        dialog = SaveDialog(
            self.window(), tr("Save {what}", what=what), self.session.saving.file_folder(), what,
            ((tr("JSON lines"), ".jsonl"),), take,
        )  # fmt: skip
        dialog.open()


def _row(item: NuggetItem | CitationItem) -> tuple[str, str, bool]:
    """Return the text of an item, how it is read out, and whether it is bold."""
    if isinstance(item, CitationItem):
        words = SUPPORT_WORDS[item.code]
        other = "" if item.former is None else tr("file: {label}", label=SUPPORT_WORDS.get(item.former, "?"))
        text = tr("sentence {n}", n=item.sentence + 1)
        parts = [f"{SIGNS[item.code]}  {text}", escape_hidden(item.document), other]
        return " · ".join(filter(None, parts)), ", ".join(filter(None, (text, item.document, words, other))), False
    importance = tr("vital") if item.vital else tr("okay")
    other = "" if item.former is None else tr("file: {label}", label=WORDS.get(item.former, "?"))
    marks = [importance, other, tr("reworded since it was labelled") if item.reworded else ""]
    marks += [trn("{n} document", "{n} documents", len(item.nugget.documents))] if item.nugget.documents else []
    words = ", ".join(filter(None, (WORDS[item.code], item.nugget.text, *marks)))
    return (
        f"{SIGNS[item.code]}  {escape_hidden(item.nugget.text)}\n     {' · '.join(filter(None, marks))}",
        words,
        item.vital,
    )


def _position(widget: QPlainTextEdit, place: int) -> int:
    """Return Qt's position (UTF-16) of a character."""
    return len(widget.toPlainText()[:place].encode("utf-16-le")) // 2


def _place(text: str, position: int) -> int:
    """Return the character at Qt's position (UTF-16)."""
    return len(text.encode("utf-16-le")[: 2 * position].decode("utf-16-le", "ignore"))


def _column(widgets: tuple[QWidget, ...]) -> QWidget:
    holder = QWidget()
    layout = QVBoxLayout(holder)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(6)
    for widget in widgets:
        layout.addWidget(widget, 1 if isinstance(widget, (QListWidget, QSplitter)) else 0)
    return holder
