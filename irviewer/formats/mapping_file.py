"""Columns and paths in a small TOML file: given with ``--columns FILE.toml``, or beside the data as
``NAME.columns.toml``, where they are used without being asked for and said in the report.

The file is a table of roles, ``document = "hits[].id"``, alone or under ``[columns]``."""

from __future__ import annotations

from pathlib import Path

from irviewer.errors import OptionError, ParseError
from irviewer.model.column_names import ColumnChoice, given_roles, parse_columns
from irviewer.paths import is_file
from irviewer.translation import tr

SUFFIX = ".columns.toml"
_LARGEST = 1 << 16


def columns_of(text: str) -> dict[str, str]:
    """Return role -> column of an option's text, or of the TOML file that it names. Raises OptionError, ParseError."""
    if text.strip().lower().endswith(".toml") and "=" not in text:
        return read_columns(text.strip())
    return parse_columns(text)


def read_columns(path: str | Path) -> dict[str, str]:
    """Return role -> column of a TOML file. Raises ParseError with the line of a fault."""
    hint = tr('write roles and their columns or paths, such as document = "hits[].id"')
    try:
        with Path(path).open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise ParseError(path, tr("the file cannot be read: {reason}", reason=error.strerror or error)) from error
    import tomllib

    try:
        content = tomllib.loads(data[:_LARGEST].decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ParseError(path, tr("the file is not TOML: {reason}", reason=str(error)[:200]), hint=hint) from error
    own = content.get("columns", content)
    if not isinstance(own, dict) or not own or not all(isinstance(value, str) and value for value in own.values()):
        raise ParseError(path, tr("the file does not name columns"), hint=hint)
    try:
        given_roles(own)
    except OptionError as error:
        raise ParseError(path, str(error), hint=hint) from error
    return {str(role): str(value) for role, value in own.items()}


def columns_beside(path: str | Path) -> ColumnChoice | None:
    """Return the columns of the file beside the data; None without one. Raises ParseError."""
    beside = Path(f"{path}{SUFFIX}")
    return ColumnChoice(read_columns(beside), str(beside)) if is_file(beside) else None
