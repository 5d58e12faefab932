"""The dialogs about the judges of a collection."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QLineEdit,
    QWidget,
)

from irviewer.errors import name_some
from irviewer.gui.dialogs.choice import Answer, ChoosingDialog
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.opening_size import room_of
from irviewer.gui.dialogs.paper.ordered_list import ROW_HEIGHT, OrderedEntry, OrderedList
from irviewer.gui.dialogs.picker.picker import Item
from irviewer.gui.dialogs.picker.sources import ChoiceSource, CommandSource
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.warning_label import WarningLabel
from irviewer.model.judgments.judgment_set import ORIGIN_TITLES, JudgeFacts
from irviewer.session.judges.actions import facts_text
from irviewer.session.messages import info
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session


BESIDE_HINT, BESIDE_FIELD = 28, 130
"""Pixels of width beside the hint in a field, and beside the field."""
MOST_JUDGES, BELOW_JUDGES = 8, 4
"""The judges that are seen without scrolling, and the pixels of the frame around them."""


class DescribeJudgeDialog(QDialog):
    """Name, kind, family and note of a judge."""

    def __init__(self, session: Session, theme: Theme, window: QWidget, number: int) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Describe judge"))
        self._session = session
        self._number = number
        judgments = session.judges.sets[number]
        facts = judgments.facts
        self.name = QLineEdit(judgments.name)
        self.name.setMinimumWidth(360)
        self.origin = QComboBox()
        for origin, title in ORIGIN_TITLES.items():
            self.origin.addItem(title, origin)
        self.origin.setCurrentIndex(list(ORIGIN_TITLES).index(facts.origin))
        self.family = QLineEdit(facts.family)
        known = sorted({other.facts.family for other in session.judges.sets if other.facts.family})
        self.family.setCompleter(QCompleter(known, self.family))
        self.family.setPlaceholderText(tr("such as GPT-4: judges of one family are passes or prompts of one model"))
        hint = self.family.fontMetrics().horizontalAdvance(self.family.placeholderText()) + BESIDE_HINT
        self.family.setMinimumWidth(min(hint, room_of(window).width() - BESIDE_FIELD))
        self.note = QLineEdit(facts.note)
        self.note.setPlaceholderText(tr("such as the prompt or the guidelines"))
        self.trouble = WarningLabel(theme)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QFormLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        fields: tuple[tuple[str, QWidget], ...] = (
            (tr("Name"), self.name),
            (tr("Kind"), self.origin),
            (tr("Family"), self.family),
            (tr("Note"), self.note),
        )
        for title, widget in fields:
            widget.setAccessibleName(title)
            layout.addRow(PlainLabel(title), widget)
        layout.addRow(self.trouble)
        layout.addRow(buttons)
        self.name.textChanged.connect(self._on_name_changed)
        self.accepted.connect(self._on_accepted)

    def _on_name_changed(self, text: str) -> None:
        trouble = self._session.judges.trouble_of(self._number, text)
        self.trouble.setText(trouble or " ")
        self.ok.setEnabled(not trouble)

    def _on_accepted(self) -> None:
        facts = JudgeFacts(self.origin.currentData(), self.family.text().strip(), self.note.text().strip())
        self._session.judges.describe(self._number, self.name.text(), facts)


class MergeDialog(QDialog):
    """The judges to merge, the rule, and the rule of ties."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Merge judges"))
        self._session = session
        sets, chosen = session.judges.sets, session.judges.number
        self._order = [chosen, *(number for number in range(len(sets)) if number != chosen)]
        self._rules, self._ties = session.judges.merge_rules()
        self.judges = OrderedList(theme, tr("Judges to merge, in this order"))
        self.judges.setFrameShape(QFrame.Shape.StyledPanel)
        self.judges.show_entries(OrderedEntry(number, sets[number].label) for number in self._order)
        self.judges.setFixedHeight(min(MOST_JUDGES, max(3, len(sets))) * ROW_HEIGHT + BELOW_JUDGES)
        self.rule, self.ties = QComboBox(), QComboBox()
        titles = {
            "majority": tr("majority"), "median": tr("median"), "mean": tr("mean"),
            "fill": tr("one judge, with gaps filled from the others"),
        }  # fmt: skip
        for name in self._rules:
            self.rule.addItem(titles.get(name, name), name)
        tie_titles = {
            "lower": tr("lowest grade"), "higher": tr("highest grade"), "first": tr("the first judge's"),
            "unjudged": tr("unjudged"),
        }  # fmt: skip
        for name in self._ties:
            self.ties.addItem(tie_titles.get(name, name), name)
        self.rule.setAccessibleName(tr("Rule"))
        self.ties.setAccessibleName(tr("Ties"))
        self.name = QLineEdit()
        self.name.setPlaceholderText(tr("from the rule and the judges"))
        self.name.setAccessibleName(tr("Name"))
        self.sentence = PlainLabel()
        self.sentence.setFont(theme.font(9))
        self.sentence.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok.setText(tr("Merge"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QFormLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.addRow(PlainLabel(tr("Judges to merge, in the order that counts · drag, or Alt ↑ ↓:")))
        layout.addRow(self.judges)
        layout.addRow(PlainLabel(tr("Rule")), self.rule)
        layout.addRow(PlainLabel(tr("Ties")), self.ties)
        layout.addRow(PlainLabel(tr("Name")), self.name)
        layout.addRow(self.sentence)
        layout.addRow(buttons)
        self.setMinimumWidth(460)
        self.rule.currentIndexChanged.connect(self._update_buttons)
        self.ties.currentIndexChanged.connect(self._update_buttons)
        self.judges.changed.connect(self._update_buttons)
        self.accepted.connect(self._on_accepted)
        self._update_buttons()

    def _numbers(self) -> list[int]:
        return [int(key) for key in self.judges.ticked]

    def _update_buttons(self) -> None:
        rule, ties = str(self.rule.currentData()), str(self.ties.currentData())
        self.ties.setEnabled(rule == "majority")
        text = self._rules[rule]
        self.sentence.setText(f"{text} {self._ties[ties]}" if rule == "majority" else text)
        self.ok.setEnabled(len(self._numbers()) > 1)

    def _on_accepted(self) -> None:
        rule, ties = str(self.rule.currentData()), str(self.ties.currentData())
        self._session.judges.merge(self._numbers(), rule, ties, self.name.text().strip())


class JudgeDialogs:
    """Opens the dialogs about judges. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def choose(self) -> None:
        """Ask for the judge in force."""
        self._host.picker.pick_from(
            CommandSource(self._session, "judge ", tr("Judge whose grades all values are computed with"))
        )

    def describe(self) -> None:
        """Ask for name, kind, family and note of the judge in force."""
        self._host.show_dialog(
            DescribeJudgeDialog(self._session, self._theme, self._host.window(), self._session.judges.number)
        )

    def remove(self) -> None:
        """Ask which judge to remove."""
        items = [
            Item(judgments.name, partial(self._session.judges.remove, number), facts_text(judgments))
            for number, judgments in enumerate(self._session.judges.sets)
        ]
        self._host.picker.pick_from(ChoiceSource(tr("Judge to remove (its file is not deleted)"), items))

    def merge(self) -> None:
        """Ask which judges to merge, and how."""
        self._host.show_dialog(MergeDialog(self._session, self._theme, self._host.window()))

    def draw_task(self) -> None:
        """Ask for the number of queries of a sample, then for its file."""
        judgments = self._session.view.judgments
        known = 0 if judgments is None else len(judgments.qrels.query_ids)

        def trouble_of(text: str) -> str:
            whole = text.isdecimal() and 1 <= int(text) <= known
            return "" if whole else tr("Enter a number of queries from 1 to {most}.", most=known)

        self._host.show_dialog(
            LineDialog(
                self._theme, self._host.window(), tr("Draw a sample to judge"),
                tr("Number of queries, drawn at random, of which another judge judges every document:"),
                str(min(20, known)), trouble_of, self._ask_task_file,
            )
        )  # fmt: skip

    def _ask_task_file(self, number: str) -> None:
        save = partial(self._save_task, int(number))
        kinds = ((tr("Judging task"), ".tsv"), (tr("Judging task, JSON lines"), ".jsonl"))
        folder = self._session.saving.file_folder()
        self._host.show_dialog(
            SaveDialog(self._host.window(), tr("Save the task"), folder, "judging_task", kinds, save)
        )

    def _save_task(self, number: int, path: str) -> None:
        self._session.judges.save_task(path, number)

    def _ask_for_all(self, names: Sequence[str], judge: str, *, apart: bool) -> None:
        """Ask one question for several judgments that were opened together."""
        judges = self._session.judges
        files = name_some(names)
        answers: tuple[Answer, ...] = (
            Answer(tr("Other judges"), partial(judges.answer, "judge"),
                   tr("Keep all: each becomes a judge beside {judge}", judge=judge), safe=not apart),
            Answer(tr("Ask for each"), judges.ask_each, tr("Choose for each of them what it is")),
        )  # fmt: skip
        if apart:
            other = Answer(
                tr("Other collections"), partial(judges.answer, "collection"),
                tr("Keep each as a collection of its own"), safe=True,
            )  # fmt: skip
            answers = (other, *answers)
        dialog = ChoosingDialog(
            self._theme,
            self._host.window(),
            tr("Judged queries"),
            tr("{n} judgment sets are of queries that {judge} has judged.", n=len(names), judge=judge),
            tr("They are {files}. Other judges can be compared with {judge} in Compare > Agreement.", files=files,
               judge=judge),
            answers,
            left=judges.cancel_opening,
        )  # fmt: skip
        self._host.show_dialog(dialog)

    def role(self) -> None:
        """Ask what judgments are that were opened for judged queries."""
        judges = self._session.judges
        added = judges.asked
        sets = {
            judgments.identity: judgments
            for collection in self._session.view.workspace.collections
            for judgments in collection.judgments
        }
        if added is None:
            self._session.say(info(tr("No judgments were added for judged queries.")))
            return
        together = judges.asked_together
        if len(together) > 1:
            self._ask_for_all([sets[each.identity].name for each in together], sets[added.former].name,
                              apart=all(each.apart for each in together))  # fmt: skip
            return
        fresh, former = sets[added.identity], sets[added.former]
        counts = trn("{n:,} judgment", "{n:,} judgments", len(fresh.qrels))
        answers: tuple[Answer, ...] = (
            Answer(tr("Another judge"), partial(judges.answer, "judge"),
                   tr("Keep both: {file} becomes a judge beside {judge}", file=fresh.name, judge=former.name),
                   safe=not added.apart),
            Answer(tr("More of the same"), partial(judges.answer, "more"),
                   tr("Add the judgments of {file} to {judge}", file=fresh.name, judge=former.name)),
            Answer(tr("Replace"), partial(judges.answer, "replace"),
                   tr("Use {file} in place of {judge}", file=fresh.name, judge=former.name)),
        )  # fmt: skip
        if added.apart:
            other = Answer(
                tr("Another collection"), partial(judges.answer, "collection"),
                tr("Keep {file} as a collection of its own", file=fresh.name), safe=True,
            )  # fmt: skip
            answers = (other, *answers)
        dialog = ChoosingDialog(
            self._theme,
            self._host.window(),
            tr("Judged queries"),
            tr("{file} judges other documents of queries that {judge} has judged.", file=fresh.name, judge=former.name)
            if added.apart
            else tr("{file} judges queries that {judge} has judged.", file=fresh.name, judge=former.name),
            tr(
                "{file} has {counts}. Another judge can be compared with {judge} in Compare > Agreement. More of the "
                "same judge are added to {judge}, where they replace grades of the same documents. Each can be undone.",
                file=fresh.name, counts=counts, judge=former.name,
            ),
            answers,
            left=judges.cancel_opening,
        )  # fmt: skip
        self._host.show_dialog(dialog)
