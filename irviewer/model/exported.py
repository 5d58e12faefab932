"""The base of results that public calls return: shown in notebooks, handed to data frames, saved, drawn.

Knows no result. How each becomes tables and pictures is the exporter's, which the public interface installs: the layers
that write text and draw lie above those that compute."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import is_dataclass
from os import PathLike
from typing import Any, Protocol, Self

from irviewer.model.equality import equal, hash_of


class Exporter(Protocol):
    """What turns results into tables, text, files and pictures."""

    def text(self, result: Any) -> str:
        """A short table for a terminal."""

    def html(self, result: Any) -> str:
        """A table for a notebook."""

    def arrow(self, result: Any, table: str) -> Any:
        """A pyarrow.Table."""

    def pandas(self, result: Any, table: str) -> Any:
        """A pandas.DataFrame."""

    def polars(self, result: Any, table: str) -> Any:
        """A polars.DataFrame."""

    def save(self, result: Any, path: str | PathLike[str], table: str, *, spreadsheet: bool) -> None:
        """A file."""

    def picture(self, result: Any) -> Any:
        """A picture that notebooks show."""

    def names(self, result: Any) -> tuple[str, ...]:
        """The names of its tables."""


class _Installed:
    make: Callable[[], Exporter] | None = None
    exporter: Exporter | None = None


def install(make: Callable[[], Exporter]) -> None:
    """Set what makes the exporter, when one is first needed."""
    _Installed.make = make


def _exporter() -> Exporter | None:
    if _Installed.exporter is None and _Installed.make is not None:
        _Installed.exporter = _Installed.make()
    return _Installed.exporter


class Exported:
    """A result of a public call. Most have one table; ``tables`` names those of the others.

    protocol  the bound protocol that its values follow; None if they were not computed by one
    """

    protocol: Any = None

    def under(self, protocol: Any) -> Self:
        """Return the result with the protocol that its values follow."""
        declared = copy.copy(self)
        object.__setattr__(declared, "protocol", protocol)
        return declared

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of its tables, as :meth:`to_pandas` and its siblings take them; the first is the default."""
        return self._exporter.names(self)

    def to_arrow(self, table: str = "") -> Any:
        """A table as a pyarrow.Table. Raises OptionError for a name that is none of ``tables``."""
        return self._exporter.arrow(self, table)

    def to_pandas(self, table: str = "") -> Any:
        """A table as a pandas.DataFrame. Raises OptionError where pandas is not installed."""
        return self._exporter.pandas(self, table)

    def to_polars(self, table: str = "") -> Any:
        """A table as a polars.DataFrame. Raises OptionError where polars is not installed."""
        return self._exporter.polars(self, table)

    def save(self, path: str | PathLike[str], table: str = "", *, spreadsheet: bool = False) -> None:
        """Write a file; its ending chooses the format: .csv, .tsv, .json, .parquet, .arrow, .md, .tex, .html, .txt, or
        .svg, .png, .pdf for the picture. ``spreadsheet`` puts an apostrophe before texts of .csv and .tsv that a
        spreadsheet would take for formulas. Raises OptionError for another ending."""
        self._exporter.save(self, path, table, spreadsheet=spreadsheet)

    def plot(self) -> Any:
        """A picture, which a notebook shows; its ``save(path)`` writes SVG, PNG or PDF. Raises OptionError for a result
        that has none."""
        return self._exporter.picture(self)

    def __eq__(self, other: object) -> bool:
        """Return whether another result of this kind has the same values, by the same protocol."""
        return equal(self, other) if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash_of(self) if is_dataclass(self) else object.__hash__(self)

    def _repr_html_(self) -> str:
        return self._exporter.html(self)

    def __repr__(self) -> str:
        exporter = _exporter()
        return f"{type(self).__name__}(…)" if exporter is None else exporter.text(self)

    @property
    def _exporter(self) -> Exporter:
        exporter = _exporter()
        if exporter is None:
            raise RuntimeError("no exporter is installed: import irviewer.api")
        return exporter
