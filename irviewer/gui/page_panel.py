"""A table's panel that follows one page of the session: it pulls the page, and shows it where it is another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from irviewer.gui.models.base import TableModel
from irviewer.gui.table import Table
from irviewer.gui.table_panel import TablePanel
from irviewer.gui.theme import Theme

if TYPE_CHECKING:
    from irviewer.session.session import Session


class Page(Protocol):
    """What every page of a table says."""

    @property
    def title(self) -> str: ...
    @property
    def note(self) -> str: ...
    @property
    def explanation(self) -> str: ...


P = TypeVar("P", bound=Page)


class PagePanel(TablePanel, Generic[P]):
    """``pull`` gives the page, None for none; ``fill`` has ``model`` show it. A view says which row it stands on, and
    what else it tells of a page."""

    def __init__(
        self,
        session: Session,
        theme: Theme,
        table: Table,
        file_name: str,
        model: TableModel,
        pull: Callable[[], P | None],
        fill: Callable[[P], None],
    ) -> None:
        self._page: P | None = None  # before the panel: its table may ask about the page while it is made
        super().__init__(session, theme, table, file_name)
        model.setParent(self)
        self._followed = model
        self._pull, self._fill = pull, fill

    def refresh(self, aspects: frozenset[str]) -> None:
        """Show the session's page, where it is another one than before."""
        page = self._pull()
        if page is self._page:
            return
        before, self._page = self._page, page
        if page is None:
            self._followed.clear()
            return
        with self.table.keeping(self.row_of(page)):
            self._fill(page)
        self.set_title(page.title)
        self.set_note(page.note)
        self.tell(page, before)

    def row_of(self, page: P) -> int | None:
        """The row to stand on, -1 for none, None: the one stood on before."""
        return None

    def tell(self, page: P, before: P | None) -> None:
        """What stands beside the table; ``before`` is the page that was shown last."""
        self.show_notice(page.explanation)
