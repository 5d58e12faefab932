"""The statistics over all runs shown in the Queries table, and the reference of its bars. A part of the session."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from irviewer.errors import OptionError
from irviewer.session.store import INLINE, Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view_models.queries import QUERY_COLUMNS, describe, seconds_to_describe
from irviewer.translation import tr, trn

TASK = "columns"


class ColumnService:
    """Sets the columns and bars of the Queries view. Statistics of very many queries are computed by a task before they
    are shown.

    at_once   seconds that they may take in the thread of the window"""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._settings = store.settings
        self.at_once = INLINE
        self._wanted: dict[str, Any] = {}
        """The settings that the task is about."""

    @property
    def query_columns(self) -> tuple[str, ...]:
        """Columns of QUERY_COLUMNS that are shown, or will be."""
        shown = self._setting("query_columns")
        return tuple(name for name in QUERY_COLUMNS if name in shown)

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
        return str(self._setting("bars_against"))

    def set_bars_against(self, what: str) -> None:
        """Draw the bars by query as differences from the "baseline" or the "median" of all runs. Raises SettingError
        for anything else."""
        self._show_otherwise("bars_against", what)

    def _under_way(self) -> dict[str, Any]:
        return self._wanted if self._store.tasks.under_way(TASK) else {}

    def _setting(self, name: str) -> Any:
        under_way = self._under_way()
        return under_way[name] if name in under_way else self._settings[name]

    def _show_otherwise(self, setting: str, value: object) -> None:
        self._settings.check(setting, value)
        self._show({**self._under_way(), setting: value})

    def _show(self, wanted: dict[str, Any]) -> None:
        """Show the table with these settings, as soon as its statistics are there."""
        store, context = self._store, self._store.context
        shown = {name: wanted.get(name, self._settings[name]) for name in ("query_columns", "bars_against")}
        columns, against = shown["query_columns"], shown["bars_against"]
        if (
            context is None
            or not store.tasks.threaded
            or seconds_to_describe(context, columns, against) <= self.at_once
        ):
            store.tasks.cancel(TASK)
            for name, value in wanted.items():
                self._settings[name] = value
            store.apply(replace(store.state, columns=store.state.columns + 1))
            return
        self._wanted = wanted

        def work(progress: Progress) -> None:
            progress(None)
            describe(context, columns, against)

        n = len(context.query_ids)
        title = trn("Computing statistics of {n:,} query", "Computing statistics of {n:,} queries", n)
        store.tasks.run(Operation(TASK, work, lambda _: self._show(wanted), title=title, urgent=True))
