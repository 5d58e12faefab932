"""Controls for the parameters of a view, made from what the view says about each, in as many rows as they need.

It knows no session: ``chosen`` carries the name and the value of a parameter, ``typed`` the name and a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QMenu, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.number_field import NumberField
from irviewer.gui.widgets.plain_text import set_tooltip, visible
from irviewer.model.number_text import limit
from irviewer.translation import number_list, tr, typed_number, typed_numbers
from irviewer.views.view import ViewParameter

GAP = 12
BESIDE = 12
"""The room at the left and the right."""
ABOVE = 4
"""The room above and below the rows, and between them."""
TEXT_WIDTH = 150
NUMBER_WIDTH = 62
FRAME = 22
"""The room of a field around its text."""
CHOICE_WIDTH = 260
NUMBERS = ("whole", "number")
"""The kinds of parameters that are numbers."""


@guarded
class ParameterBar(QWidget):
    """The controls of a view's parameters; hidden for a view without any."""

    chosen = Signal(str, object)
    typed = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[ViewParameter, ...] = ()
        self._offers: dict[str, Sequence[str]] = {}
        self._values: Mapping[str, Any] = {}
        self._menu: QMenu | None = None
        self.controls: dict[str, QWidget] = {}
        self.hide()

    def show_parameters(
        self,
        parameters: tuple[ViewParameter, ...],
        values: Mapping[str, Any],
        choices: Callable[[ViewParameter], Sequence[str]],
    ) -> None:
        """Show the values of parameters; ``choices`` returns what one can be chosen from, () for what is typed."""
        self._values = values
        self._offers = {parameter.name: choices(parameter) for parameter in parameters}
        if parameters != self._shown:
            self._make(parameters)
        for parameter in parameters:
            self._show(parameter, values[parameter.name])
        self._arrange()
        self.setVisible(bool(parameters))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()

    def _arrange(self) -> None:
        """Place each control beside the one before, or at the start of a row where it would be cut."""
        room = max(1, self.width() - 2 * BESIDE)
        rows: list[list[tuple[QWidget, int]]] = []
        left = 0
        for control in self.controls.values():
            width = min(room, control.sizeHint().width())
            if not rows or left < width:
                rows.append([])
                left = room
            rows[-1].append((control, width))
            left -= width + GAP
        top = ABOVE
        for row in rows:
            height = max(control.sizeHint().height() for control, _ in row)
            x = BESIDE
            for control, width in row:
                own = control.sizeHint().height()
                control.setGeometry(x, top + (height - own) // 2, width, own)
                x += width + GAP
            top += height + ABOVE
        self.setFixedHeight(top)

    def _make(self, parameters: tuple[ViewParameter, ...]) -> None:
        for control in self.controls.values():
            control.hide()
            control.deleteLater()
        self._shown = parameters
        self.controls = {}
        for parameter in parameters:
            control = self._control(parameter)
            control.setObjectName(parameter.name)
            control.setParent(self)
            control.show()
            self.controls[parameter.name] = control

    def _control(self, parameter: ViewParameter) -> QWidget:
        title = parameter.called
        if parameter.kind == "flag":
            box = QCheckBox(title)
            box.setFont(self._theme.font(9))
            set_tooltip(box, parameter.option.help)
            box.clicked.connect(self._on_box_clicked)
            return box
        if self._offers[parameter.name] and not parameter.several:
            button = ChoiceButton(self._theme, most=CHOICE_WIDTH)
            button.clicked.connect(self._on_choice_clicked)
            return button
        width = TEXT_WIDTH
        if parameter.kind in NUMBERS and not parameter.several:
            words = QFontMetrics(self._theme.font(9, numbers=True)).horizontalAdvance(parameter.option.zero)
            width = max(NUMBER_WIDTH, words + FRAME)
        tip = parameter.option.help
        if parameter.several and parameter.kind in NUMBERS:
            tip = f"{tip}\n{several_numbers()}"
        field = NumberField(self._theme, title, tip, width)
        field.line.setPlaceholderText(parameter.option.zero)
        field.used.connect(self._on_typed)
        return field

    def _show(self, parameter: ViewParameter, value: Any) -> None:
        control = self.controls[parameter.name]
        if isinstance(control, QCheckBox):
            control.setChecked(bool(value))
        elif isinstance(control, ChoiceButton):
            text = parameter.word(str(value)) or tr("(not chosen)")
            control.show_choice(f"{parameter.called}: {text}", parameter.option.help)
        elif isinstance(control, NumberField):
            control.show_value("" if parameter.option.zero and not value else text_of(value))

    def _name_of(self, control: QWidget | None) -> str:
        return "" if control is None else control.objectName()

    def _on_box_clicked(self, ticked: bool) -> None:
        sender = self.sender()
        assert isinstance(sender, QCheckBox)
        self.chosen.emit(self._name_of(sender), ticked)

    def _on_typed(self, text: str) -> None:
        sender = self.sender()
        assert isinstance(sender, NumberField)
        self.typed.emit(self._name_of(sender), text)

    def _on_choice_clicked(self) -> None:
        button = self.sender()
        assert isinstance(button, ChoiceButton)
        self._menu = open_below(self.menu_of(button.objectName()), button, self._menu)

    def menu_of(self, name: str) -> QMenu:
        """Return the menu of what a parameter can be."""
        menu = QMenu(self)
        parameter = next(each for each in self._shown if each.name == name)
        for offer in self._offers[name]:
            action = menu.addAction(visible(parameter.word(offer) or tr("(not chosen)")).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(offer == self._values[name])
            action.setData((name, offer))
        menu.triggered.connect(self._on_offer_chosen)
        return menu

    def _on_offer_chosen(self, action: QAction) -> None:
        name, offer = action.data()
        self.chosen.emit(name, offer)


def several_numbers() -> str:
    """Return how several numbers are typed."""
    return tr("Several numbers are typed as {example}.", example=number_list((limit(0.5), "2", "10")))


def typed_value(parameter: ViewParameter, text: str) -> Any:
    """Return the value of a text that was typed for a parameter. Raises OptionError."""
    if parameter.several:
        items = typed_numbers(text) if parameter.kind in NUMBERS else [item.strip() for item in text.split(",")]
        return tuple(parameter.read(item) for item in items if item)
    if not text:
        return parameter.read("0" if parameter.option.zero else "")
    return parameter.read(typed_number(text) if parameter.kind in NUMBERS else text)


def text_of(value: Any) -> str:
    """Return a value as it is typed, also a list."""
    if isinstance(value, tuple):
        numbers = all(isinstance(item, int | float) for item in value)
        return number_list(map(text_of, value)) if numbers else ", ".join(map(str, value))
    return limit(value) if isinstance(value, float) else str(value)
