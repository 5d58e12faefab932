"""Changes of the protocol: each declares what the user chose, and is an undo step."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Unpack

from irviewer.errors import OptionError
from irviewer.model.protocol import EvaluationProtocol, ProtocolFields
from irviewer.session.judging.history import HistoryService
from irviewer.session.protocol.fields import NUMBERS, part_text, written
from irviewer.session.store import Store
from irviewer.translation import tr


class ProtocolService:
    """Declares rules, inference and measures; results that depend on them are computed again when they are shown."""

    def __init__(self, store: Store, history: HistoryService) -> None:
        self._store = store
        self._history = history

    @property
    def declared(self) -> EvaluationProtocol:
        """The rules, inference and measures of the project; the scope of each collection is among its choices."""
        return self._store.state.protocol

    def set(self, *, about: Hashable = None, **fields: Unpack[ProtocolFields]) -> None:
        """Declare fields of rules and inference, and measures, as an undo step. Steps ``about`` the same that follow
        each other are one. Raises FieldError."""
        wanted = self.declared.but(**fields)
        label = tr("protocol: {parts}", parts=", ".join(part_text(wanted, name) for name in fields))
        self._change(label, lambda protocol: protocol.but(**fields), about)

    def undeclare(self, *names: str) -> None:
        """Give fields their defaults, which nobody declares, as an undo step."""
        default = self.declared.without(*names)
        parts = ", ".join(part_text(default, name) for name in names)
        label = tr("protocol: {parts}, not declared", parts=parts)
        self._change(label, lambda protocol: protocol.without(*names))

    def number(self, name: str) -> str:
        """Return a number of NUMBERS as text."""
        return written(self.declared[name])

    def set_number(self, name: str, text: str) -> None:
        """Declare a number of NUMBERS from text; an empty text of an optional one removes it. Raises OptionError, which
        says what is valid."""
        if name not in NUMBERS:
            raise OptionError(
                tr("Unknown option {name!r}; choose one of {names}.", name=name, names=", ".join(NUMBERS))
            )
        fields: dict[str, Any] = {name: NUMBERS[name].read(text)}
        if fields[name] is None:
            self.undeclare(name)
        else:
            self.set(**fields)

    def _change(
        self, label: str, change: Callable[[EvaluationProtocol], EvaluationProtocol], about: Hashable = None
    ) -> None:  # fmt: skip
        self._history.do_when_ready(label, lambda state: state.with_protocol(change(state.protocol)), about)
