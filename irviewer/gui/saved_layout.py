"""The saved positions of splitters: those that the user moved are stored in the project and restored.

It knows splitters by their screen, not what they contain."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QSplitter, QWidget

from irviewer.gui.guard import guarded

if TYPE_CHECKING:
    from irviewer.session.session import Session


LEAST = 60
"""The size in pixels below which a splitter has no layout yet."""


@guarded
class Layout(QObject):
    """Follows the splitters of screens. A splitter is named ``query/0``: its screen and its number there; its value is
    the share of each part, in thousandths."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._splitters: dict[str, QSplitter] = {}
        self._applying = False
        self._wanted: dict[str, list[Any]] = {}
        self._apply = QTimer(self, singleShot=True, interval=0)
        self._apply.timeout.connect(self._on_apply)

    def add(self, place: str, widget: QWidget) -> None:
        """Add the splitters of a screen, and restore those that the project has."""
        added = {f"{place}/{number}": splitter for number, splitter in enumerate(widget.findChildren(QSplitter))}
        for name, splitter in added.items():
            self._splitters[name] = splitter
            splitter.setProperty("irviewer_border", name)
            splitter.splitterMoved.connect(self._on_splitter_moved)
            splitter.installEventFilter(self)
        self._want(added)

    def restore(self) -> None:
        """Restore the splitters that the project has; others stay."""
        self._wanted = {}
        self._want(self._splitters)

    def _want(self, names: Collection[str]) -> None:
        self._wanted |= {name: list(shares) for name, shares in self._session.autosave.layout.items() if name in names}
        self._apply.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Without a size there are no shares.
        if self._wanted and event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._apply.start()
        return False

    def _on_apply(self) -> None:
        self._applying = True
        try:
            for name, shares in tuple(self._wanted.items()):
                splitter = self._splitters[name]
                total = sum(splitter.sizes())
                if not splitter.isVisible() or total < LEAST:
                    continue
                del self._wanted[name]
                if len(shares) == splitter.count() and all(isinstance(share, int | float) for share in shares):
                    splitter.setSizes([max(1, round(total * share / max(1, sum(shares)))) for share in shares])
                    # As if the user had moved it, so that it is not changed by others.
                    splitter.splitterMoved.emit(splitter.sizes()[0], 1)
        finally:
            self._applying = False

    def _on_splitter_moved(self, place: int, at: int) -> None:
        splitter = self.sender()
        if self._applying or not isinstance(splitter, QSplitter):
            return
        sizes = splitter.sizes()
        total = max(1, sum(sizes))
        shares = [round(1000 * size / total) for size in sizes]
        self._session.autosave.set_layout(
            {**self._session.autosave.layout, str(splitter.property("irviewer_border")): shares}
        )
