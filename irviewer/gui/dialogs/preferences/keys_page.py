"""The page of the preferences for keyboard shortcuts: all actions with their keys, which can be changed."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QKeySequence, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QTableView,
)

from irviewer.commands import CATEGORIES
from irviewer.commands.keymap import Keymap, ShortcutError
from irviewer.gui.dialogs.preferences.page import Page
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import several_keys
from irviewer.gui.widgets.enter_key import pressed_by_its_own_enter
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.translation import tr

ID = int(Qt.ItemDataRole.UserRole)


class KeysPage(Page):
    """Every action with its keys. A new key of the selected action is typed; conflicts are named before it is used."""

    def __init__(self, theme: Theme, keymap: Keymap) -> None:
        super().__init__(theme)
        self.keymap = keymap
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Find an action or a key"))
        self.filter.setAccessibleName(tr("Find an action or a key"))
        self.filter.setClearButtonEnabled(True)
        self.model = QStandardItemModel(0, 3, self)
        self.model.setHorizontalHeaderLabels([tr("Action"), tr("Menu"), tr("Keys")])
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(tr("Actions and their keys"))
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.table.verticalHeader().setDefaultSectionSize(24)
        self.edit = QKeySequenceEdit()
        self.edit.setMaximumSequenceLength(1)
        self.edit.setAccessibleName(tr("New key of the selected action"))
        self.set_button = QPushButton(tr("Use key"))
        self.remove_button = QPushButton(tr("No key"))
        self.default_button = QPushButton(tr("Default"))
        self.all_button = QPushButton(tr("All defaults"))
        self.conflict = PlainLabel(" ")
        self.conflict.setWordWrap(True)
        self.conflict.setFont(theme.font(9))
        row = QHBoxLayout()
        label = PlainLabel(tr("New key"))
        label.setBuddy(self.edit)
        row.addWidget(label)
        row.addWidget(self.edit, 1)
        for button in (self.set_button, self.remove_button, self.default_button, self.all_button):
            pressed_by_its_own_enter(button)
            row.addWidget(button)
        self._layout.takeAt(self._layout.count() - 1)  # the table has the room below
        self._layout.insertWidget(0, self.filter)
        self._layout.insertWidget(1, self.table, 1)
        self._layout.insertLayout(2, row)
        self._layout.insertWidget(3, self.conflict)
        self.filter.textChanged.connect(self._fill)
        self.table.selectionModel().currentChanged.connect(self._on_current_changed)
        self.edit.keySequenceChanged.connect(self._on_key_typed)
        self.set_button.clicked.connect(self.use_key)
        self.remove_button.clicked.connect(self._on_remove_clicked)
        self.default_button.clicked.connect(self._on_default_clicked)
        self.all_button.clicked.connect(self._on_all_clicked)
        self._fill()

    @property
    def current(self) -> str:
        """The id of the selected action; "" for none."""
        index = self.table.currentIndex()
        return str(self.model.item(index.row(), 0).data(ID)) if index.isValid() else ""

    @property
    def typed_key(self) -> str:
        """The key that was typed, as Qt spells it; "" for none."""
        return str(self.edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText))

    def select(self, name: str) -> None:
        """Select an action."""
        for row in range(self.model.rowCount()):
            if self.model.item(row, 0).data(ID) == name:
                self.table.setCurrentIndex(self.model.index(row, 0))

    def use_key(self) -> None:
        """Give the typed key to the selected action; a key of another action is taken from it."""
        if self.current and self.typed_key:
            self._change(lambda: self.keymap.with_key(self.current, self.typed_key))

    def _change(self, make: object) -> None:
        assert callable(make)
        name = self.current
        try:
            self.keymap = make()
        except ShortcutError as failure:
            self.conflict.setText(str(failure))
            return
        self.edit.clear()
        self._fill()
        self.select(name)
        self.changed.emit()

    def _fill(self) -> None:
        current, words = self.current, self.filter.text().lower().split()
        self.model.removeRows(0, self.model.rowCount())
        for command in self.keymap.changeable:
            keys = several_keys(self.keymap.keys_of(command.id))
            texts = (command.title, CATEGORIES[command.category], keys)
            if all(word in " ".join(texts).lower() for word in words):
                items = [QStandardItem(text) for text in texts]
                items[0].setData(command.id, ID)
                changed = command.id in self.keymap.chosen
                if changed:
                    items[2].setFont(self.theme.font(9.5, weight=600))
                self.model.appendRow(items)
        self.select(current)
        self._show_state()

    def _on_current_changed(self, current: QModelIndex, former: QModelIndex) -> None:
        self._show_state()

    def _on_key_typed(self, sequence: QKeySequence) -> None:
        self._show_state()

    def _show_state(self) -> None:
        name, key = self.current, self.typed_key
        trouble = self.keymap.trouble_of(name, key) if name and key else ""
        owner = self.keymap.owner_of(key) if key else None
        text = trouble
        if not trouble and name and owner is not None and owner.id != name:
            text = tr("{key} is now the key of “{action}”, which will lose it.", key=key, action=owner.title)
        elif not name:
            text = tr("Select an action to change its key.")
        self.conflict.setText(text or " ")
        self.set_button.setEnabled(bool(name and key and not trouble))
        self.remove_button.setEnabled(bool(name and self.keymap.keys_of(name)))
        self.default_button.setEnabled(name in self.keymap.chosen)
        self.all_button.setEnabled(bool(self.keymap.chosen))

    def _on_remove_clicked(self) -> None:
        self._change(lambda: self.keymap.without_key(self.current))

    def _on_default_clicked(self) -> None:
        self._change(lambda: self.keymap.with_default(self.current))

    def _on_all_clicked(self) -> None:
        self._change(self.keymap.with_defaults)
