"""The statistics over all runs shown in the Queries table, and the reference of its bars. A part of the session."""

from __future__ import annotations

from dataclasses import replace

from irviewer.errors import OptionError
from irviewer.session.store import Store
from irviewer.session.view_models.queries import QUERY_COLUMNS
from irviewer.translation import tr


class ColumnService:
    """Sets the columns and bars of the Queries view."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._settings = store.settings

    @property
    def query_columns(self) -> tuple[str, ...]:
        """Columns of QUERY_COLUMNS that are shown."""
        return tuple(name for name in QUERY_COLUMNS if name in self._settings["query_columns"])

    def set_query_column(self, name: str, shown: bool) -> None:
        """Show or hide a column of QUERY_COLUMNS. Raises OptionError for another."""
        if name not in QUERY_COLUMNS:
            raise OptionError(
                tr("Unknown column {name!r}; choose one of {names}.", name=name, names=", ".join(QUERY_COLUMNS))
            )
        wanted = {*self.query_columns, name} if shown else {*self.query_columns} - {name}
        self._show_otherwise("query_columns", [column for column in QUERY_COLUMNS if column in wanted])

    @property
    def bars_against(self) -> str:
        """ "baseline" or "median"."""
        return str(self._settings["bars_against"])

    def set_bars_against(self, what: str) -> None:
        """Draw the bars by query as differences from the "baseline" or the "median" of all runs. Raises SettingError
        for anything else."""
        self._show_otherwise("bars_against", what)

    def _show_otherwise(self, setting: str, value: object) -> None:
        self._settings[setting] = value
        self._store.apply(replace(self._store.state, columns=self._store.state.columns + 1))
