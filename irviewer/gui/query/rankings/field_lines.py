"""The line of fields below the title of a document in a ranked list: laid out once for a width, when it is visible."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QStaticText

from irviewer.gui.theme import make_font
from irviewer.gui.widgets.titles import CachedMetrics, static_text
from irviewer.hidden_characters import escape_hidden
from irviewer.model.texts import TextTable
from irviewer.session.view_models.list_fields import SEPARATOR, FieldText, field_line, field_texts

_KEPT = 20_000
_MOST = 300
"""The greatest number of letters that are measured."""
_SHORT = 24
"""The greatest number of letters of a field where there is no room for all: a long one leaves room to the others."""


class FieldLines:
    """The texts and layouts of the fields of documents; nothing is read where no field is chosen."""

    def __init__(self) -> None:
        self.font = make_font(8, 400, True)
        self.names: tuple[str, ...] = ()
        self._metrics = CachedMetrics(self.font)
        self._documents: TextTable | None = None
        self._width = 0.0
        self._lines: dict[str, QStaticText | None] = {}

    @property
    def height(self) -> int:
        """The height that the line adds to a row, in pixels; 0 where no field is chosen."""
        return math.ceil(self._metrics.height()) if self.names else 0

    def set_names(self, names: tuple[str, ...]) -> bool:
        """Set the fields in their order; return whether that is new."""
        changed, self.names = names != self.names, names
        if changed:
            self._lines.clear()
        return changed

    def set_documents(self, documents: TextTable | None) -> None:
        """Set the documents that the fields are read from."""
        if documents is not self._documents:
            self._documents = documents
            self._lines.clear()

    def set_room(self, width: float) -> None:
        """Set the width of a line."""
        if width != self._width:
            self._width = width
            self._lines.clear()

    def of(self, doc_id: str) -> tuple[FieldText, ...]:
        """Return the chosen fields of a document that have a value."""
        if not self.names or self._documents is None:
            return ()
        return field_texts(self._documents.row(doc_id), self.names)

    def words(self, doc_id: str) -> str:
        """Return the chosen fields of a document in one line, whole; "" for none."""
        return field_line(self.of(doc_id))

    def shown(self, doc_id: str) -> str:
        """Return the line of a document as it is shown: with the names of the fields, without them where there is no
        room for both, elided where there is none for the values."""
        return self._elided(self.of(doc_id))

    def line(self, doc_id: str) -> QStaticText | None:
        """Return the layout of the line of a document; None where no field has a value."""
        if doc_id not in self._lines:
            if len(self._lines) > _KEPT:
                self._lines.clear()
            text = self.shown(doc_id)
            self._lines[doc_id] = static_text(text, self.font) if text else None
        return self._lines[doc_id]

    def _elided(self, fields: tuple[FieldText, ...]) -> str:
        text = ""
        for with_names, most in ((True, _MOST), (False, _MOST), (False, _SHORT)):
            texts = (field.text if with_names or field.needs_name else field.value for field in fields)
            text = escape_hidden(cut_text(SEPARATOR.join(cut_text(each, most) for each in texts), _MOST))
            if self._metrics.horizontalAdvance(text) <= self._width:
                return text
        return self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, self._width)


def cut_text(text: str, most: int) -> str:
    """Return a text of at most ``most`` letters, with … where it is cut."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
