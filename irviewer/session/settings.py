"""Settings: one table of what is remembered between sessions, kept as JSON where the system keeps such things.

Saved by writing a second file and putting it in the first one's place, so that a crash leaves the old or the new one.
Knows nothing of the session or what the values do."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irviewer.errors import IrviewerError
from irviewer.formats.reading.cache_folder import DEFAULT_LIMIT_GB
from irviewer.paths import CONFIG_VARIABLE, settings_path
from irviewer.session.text.card_template import is_template

MOST_RECENT = 12
DIRECTORY_VARIABLE = CONFIG_VARIABLE


class SettingError(IrviewerError):
    """A setting that does not exist, or a value that it cannot take."""


@dataclass(frozen=True)
class Setting:
    """One row of the table: its key, its default, whether a value can be taken, and what it means."""

    key: str
    default: Any
    accepts: Callable[[Any], bool]
    meaning: str


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _openings(value: Any) -> bool:
    return isinstance(value, list) and all(_texts(one) and one for one in value)


def _one_of(*choices: str) -> Callable[[Any], bool]:
    def accepts(value: Any) -> bool:
        return value in choices

    return accepts


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _gigabytes(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e6


SETTINGS = (
    Setting("theme", "system", _one_of("system", "light", "dark"), "colours: as the system's, light, or dark"),
    Setting("lists_mode", "lists", _one_of("lists", "strips"), "a query's rankings as lists or as strips"),
    Setting("measure", "nDCG@10", _text, "the measure that a session begins with"),
    Setting("table_measures", [], _texts, "columns of the Systems table; empty: chosen for the collection"),
    Setting("hidden_columns", [], _texts, "statistics that the Systems table does not show"),
    Setting("curve_bands", False, _flag, "bootstrap bands around the averaged curves"),
    Setting("curve_differences", False, _flag, "averaged curves as the difference of the focus from the baseline"),
    Setting("curve_gain", "ndcg", _one_of("ndcg", "dcg"), "what the curve by cutoff shows: nDCG or DCG"),
    Setting("pr_raw", False, _flag, "precision at every rank, not interpolated, in a query's precision-recall plot"),
    Setting("query_gain", "dcg", _one_of("dcg", "cg"), "what the gain plot of a query shows: DCG or CG"),
    Setting("iso_f", False, _flag, "lines of equal F1 in precision-recall plots"),
    Setting("query_columns", ["median"], _texts, "what the Queries table shows of all runs"),
    Setting("bars_against", "baseline", _one_of("baseline", "median"), "what the bars by query are differences from"),
    Setting("card_fields", "", is_template, "what a document card shows, such as: url, price, picture=image, *"),
    Setting("query_details", True, _flag, "a query's description and narrative above its lists"),
    Setting("assessor", "", _text, "who judges, as each judgment says"),
    Setting("recent", [], _openings, f"the last {MOST_RECENT} openings, each a list of files"),
    Setting("last_folder", "", _text, "the folder that the next file dialog begins in"),
    Setting("window_geometry", "", _text, "where the window stood, in the toolkit's own form"),
    Setting("window_layout", "", _text, "how the window's parts were divided, in the toolkit's own form"),
    Setting("confidential", False, _flag, "keep nothing of what is opened: no cache, no recent files, no settings"),
    Setting(
        "cache_limit_gb",
        DEFAULT_LIMIT_GB,
        _gigabytes,
        "how many gigabytes of parsed runs, and as many of indexes, may be kept on the disk",
    ),
    Setting("large_type", False, _flag, "everything larger, for a projector"),
    Setting("hints", True, _flag, "say in one line what one is looking at when a collection opens"),
)
_TABLE = {setting.key: setting for setting in SETTINGS}


class Settings:
    """The values of the table. ``path`` None keeps them in memory only; ``trouble`` says why a file was not read, or
    could not be written."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.trouble = ""
        self._values: dict[str, Any] = {}
        self._unknown: dict[str, Any] = {}
        self._dirty = False
        if path is not None:
            self._read(path)

    @classmethod
    def load(cls) -> Settings:
        """The settings of the person who runs the program."""
        return cls(settings_path())

    def __getitem__(self, key: str) -> Any:
        """The value, or the default. Raises SettingError for a key that the table does not have."""
        setting = _setting(key)
        value = self._values.get(key, setting.default)
        return list(value) if isinstance(value, list) else value

    def __setitem__(self, key: str, value: Any) -> None:
        """Another value, not saved yet. Raises SettingError where the key or the value will not do."""
        setting = _setting(key)
        if not setting.accepts(value):
            raise SettingError(f"setting {key}: {value!r} will not do ({setting.meaning})")
        if self[key] != value:
            self._values[key] = value
            self._dirty = True

    @property
    def geometry(self) -> str:
        """Where the window stood; "" the first time."""
        return str(self["window_geometry"])

    @geometry.setter
    def geometry(self, value: str) -> None:
        self["window_geometry"] = value

    def add_recent(self, paths: list[str]) -> None:
        """Put an opening at the head of the recent ones."""
        others = [one for one in self["recent"] if one != paths]
        self["recent"] = [paths, *others][:MOST_RECENT]

    def keep_to_itself(self) -> None:
        """Write nothing from now on, and know of no file or folder that was opened before."""
        self.path = None
        self._values.pop("recent", None)
        self._values.pop("last_folder", None)

    def save(self) -> bool:
        """Write what has changed; True where the file now holds it (or nothing needed to be written)."""
        if not self._dirty or self.path is None:
            return True
        text = json.dumps({**self._unknown, **self._values}, indent=2, ensure_ascii=False) + "\n"
        try:
            write_atomically(self.path, text.encode("utf-8", "surrogatepass"))
        except OSError as error:
            self.trouble = f"settings could not be saved to {self.path}: {error.strerror or error}"
            return False
        self._dirty = False
        return True

    def _read(self, path: Path) -> None:
        try:
            data = json.loads(path.read_bytes())
            if not isinstance(data, dict):
                raise ValueError("it does not hold a JSON object")
        except FileNotFoundError:
            return
        except (OSError, ValueError, RecursionError) as error:
            self.trouble = f"settings could not be read from {path} ({error}); the defaults hold"
            return
        rejected = []
        for key, value in data.items():
            setting = _TABLE.get(key)
            if setting is None:
                self._unknown[key] = value  # a later version's: kept, so that going back and forth loses nothing
            elif setting.accepts(value):
                self._values[key] = value
            else:
                rejected.append(key)
        if rejected:
            self.trouble = f"settings in {path} that will not do, their defaults hold: {', '.join(rejected)}"


def write_atomically(path: Path, data: bytes) -> None:
    """Put ``data`` in the place of a file: whoever reads finds the old bytes or the new ones. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def _setting(key: str) -> Setting:
    try:
        return _TABLE[key]
    except KeyError:
        raise SettingError(f"there is no setting {key!r}") from None
