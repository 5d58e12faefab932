"""Which columns of all runs the Queries table shows, and what its bars are differences from. A part of the session."""

from __future__ import annotations

from dataclasses import replace

from irviewer.errors import OptionError
from irviewer.session.core import SessionCore
from irviewer.session.view_models.queries import QUERY_COLUMNS


class QueryColumns(SessionCore):
    """The session's choices of what the Queries place shows of all runs."""

    @property
    def query_columns(self) -> tuple[str, ...]:
        """Columns of QUERY_COLUMNS that are shown."""
        return tuple(name for name in QUERY_COLUMNS if name in self.settings["query_columns"])

    def set_query_column(self, name: str, shown: bool) -> None:
        """Show or hide a column of QUERY_COLUMNS. Raises OptionError for another."""
        if name not in QUERY_COLUMNS:
            raise OptionError(f"there is no column {name!r}; there are {', '.join(QUERY_COLUMNS)}")
        wanted = {*self.query_columns, name} if shown else {*self.query_columns} - {name}
        self._show_otherwise("query_columns", [one for one in QUERY_COLUMNS if one in wanted])

    @property
    def bars_against(self) -> str:
        """ "baseline" or "median"."""
        return str(self.settings["bars_against"])

    def set_bars_against(self, what: str) -> None:
        """Draw the bars by query as differences from the "baseline" or the "median" of all runs. Raises SettingError
        for anything else."""
        self._show_otherwise("bars_against", what)

    def _show_otherwise(self, setting: str, value: object) -> None:
        self.settings[setting] = value
        self._apply(replace(self._state, columns=self._state.columns + 1))
