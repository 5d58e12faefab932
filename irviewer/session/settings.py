"""Settings: one table of what is remembered between sessions, stored as JSON in the user's configuration folder.

Saved by writing a second file and replacing the first, so that a crash leaves either the old or the new file. Does not
depend on the session or on what the values mean."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irviewer.errors import IrviewerError, OptionError
from irviewer.formats.part_files import file_to_replace
from irviewer.formats.project_protocols import inference_of
from irviewer.formats.reading.cache_folder import DEFAULT_LIMIT_GB
from irviewer.formats.reading.json_faults import json_reason
from irviewer.model.protocol import Inference
from irviewer.paths import CONFIG_VARIABLE, settings_path
from irviewer.rendering.palette import PALETTES
from irviewer.session.text.card_template import is_template
from irviewer.translation import tr

MOST_RECENT = 12
TYPE_SIZES = (80, 90, 100, 110, 120, 130, 150, 175, 200)
"""The type sizes that can be chosen, in percent."""
MOST_HEADERS = 200
"""The number of headers whose columns are remembered."""
DIRECTORY_VARIABLE = CONFIG_VARIABLE


class SettingError(IrviewerError):
    """An unknown setting, or a value that a setting does not accept."""


@dataclass(frozen=True)
class Setting:
    """One row of the table: key, default, which values it accepts, and its meaning in words."""

    key: str
    default: Any
    accepts: Callable[[Any], bool]
    meaning: str


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _openings(value: Any) -> bool:
    return isinstance(value, list) and all(_texts(paths) and paths for paths in value)


def _column_choices(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(header, str) and _texts(choice) and len(choice) == 2 for header, choice in value.items()
    )


def _one_of(*choices: str) -> Callable[[Any], bool]:
    def accepts(value: Any) -> bool:
        return value in choices

    return accepts


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _gigabytes(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e6


def _one_of_numbers(*choices: int) -> Callable[[Any], bool]:
    def accepts(value: Any) -> bool:
        return not isinstance(value, bool) and value in choices

    return accepts


def _colours(value: Any) -> bool:
    return _texts(value) and all(re.fullmatch("#[0-9a-fA-F]{6}", text) for text in value)


def _shortcuts(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(name, str) and _texts(keys) for name, keys in value.items())


def _inference(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    try:
        Inference(**value)
    except (OptionError, TypeError):
        return False
    return True


SETTINGS = (
    Setting(
        "theme",
        "system",
        _one_of("system", *PALETTES),
        tr("Colours: those of the system, light, dark, or high contrast"),
    ),
    Setting("lists_mode", "lists", _one_of("lists", "strips"), tr("Rankings of a query as lists or as strips")),
    Setting("list_ids", False, _flag, tr("Ids of documents beside their titles in ranked lists")),
    Setting("list_fields", [], _texts, tr("Fields of documents below their titles in ranked lists")),
    Setting(
        "query_chart",
        "gain",
        _one_of("recall", "gain", "cutoff"),
        tr("The chart of a query where there is room for one: precision–recall, gain by rank, nDCG by cutoff"),
    ),
    Setting("folded_panels", [], _texts, tr("Side panels of Query that are folded in a wide window")),
    Setting("opened_panel", "", _text, tr("The side panel of Query that is open in a window that is narrow for it")),
    Setting("measure", "nDCG@10", _text, tr("The measure selected at the start")),
    Setting("table_measures", [], _texts, tr("Measures in the Systems table; empty: chosen for the collection")),
    Setting("hidden_columns", [], _texts, tr("Statistics that the Systems table does not show")),
    Setting("curve_bands", False, _flag, tr("Bootstrap bands around the averaged curves")),
    Setting("curve_differences", False, _flag, tr("Averaged curves as differences to the baseline")),
    Setting("curve_gain", "ndcg", _one_of("ndcg", "dcg"), tr("The curve by cutoff shows nDCG or DCG")),
    Setting("pr_raw", False, _flag, tr("Precision at every rank, not interpolated, in the plot of a query")),
    Setting("query_gain", "dcg", _one_of("dcg", "cg"), tr("The gain plot of a query shows DCG or CG")),
    Setting("iso_f", False, _flag, tr("Lines of equal F1 in precision-recall plots")),
    Setting("query_columns", ["median"], _texts, tr("Statistics over all runs in the Queries table")),
    Setting(
        "bars_against",
        "baseline",
        _one_of("baseline", "median"),
        tr("The bars by query are differences to the baseline or to the median"),
    ),
    Setting("card_fields", "", is_template, tr("Fields of a document card, such as: url, price, picture=image, *")),
    Setting("query_details", True, _flag, tr("Description and narrative of a query above its lists")),
    Setting("assessor", "", _text, tr("Name of the judge, stored with each judgment")),
    Setting("recent", [], _openings, tr("The last {count} collections, each a list of files", count=MOST_RECENT)),
    Setting(
        "recent_lessons",
        [],
        _texts,
        tr("The last {count} lessons opened from files: files, and folders for courses", count=MOST_RECENT),
    ),
    Setting(
        "known_columns", {}, _column_choices, tr("Contents and columns that were chosen for headers with unknown names")
    ),
    Setting("last_folder", "", _text, tr("The initial folder of file dialogs")),
    Setting("window_geometry", "", _text, tr("Position and size of the window, as Qt stores them")),
    Setting("window_layout", "", _text, tr("Sizes of the parts of the window, as Qt stores them")),
    Setting("watch_files", False, _flag, tr("Read open files again without asking when they change on disk")),
    Setting("confidential", False, _flag, tr("Store nothing: no cache, no recent files, no settings")),
    Setting(
        "cache_limit_gb",
        DEFAULT_LIMIT_GB,
        _gigabytes,
        tr("Disk space for cached runs, and as much again for indexes, in gigabytes"),
    ),
    Setting("type_size", 0, _one_of_numbers(0, *TYPE_SIZES), tr("Type size in percent; 0: as the system")),
    Setting("run_colours", [], _colours, tr("Colours of the first runs, such as #297fe8; empty: those of the theme")),
    Setting("inference", {}, _inference, tr("Inference of the protocols of new projects, by field")),
    Setting("shortcuts", {}, _shortcuts, tr("Chosen keyboard shortcuts by action; none: []")),
    Setting("language", "", _text, tr("Language of the window, such as en or es; empty: as the system")),
    Setting("large_type", False, _flag, tr("Larger type everywhere, for a projector")),
    Setting("hints", True, _flag, tr("Explain the first view in one line when a collection opens")),
)
_TABLE = {setting.key: setting for setting in SETTINGS}


class Settings:
    """The values of the settings. With ``path`` None they are kept in memory only; ``trouble`` says why the file could
    not be read or written."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.trouble = ""
        self._values: dict[str, Any] = {}
        self._for_now: dict[str, Any] = {}
        self._unknown: dict[str, Any] = {}
        self._dirty = False
        if path is not None:
            self._read(path)

    @classmethod
    def load(cls) -> Settings:
        """Load the settings of the current user."""
        return cls(settings_path())

    def __getitem__(self, key: str) -> Any:
        """Return the value or its default. Raises SettingError for an unknown key."""
        setting = _setting(key)
        value = self._for_now.get(key, self._values.get(key, setting.default))
        return value.copy() if isinstance(value, list | dict) else value

    @staticmethod
    def check(key: str, value: Any) -> None:
        """Raise SettingError for an unknown key or a value that is not accepted."""
        setting = _setting(key)
        if not setting.accepts(value):
            raise SettingError(
                tr(
                    "Setting {key} does not accept {value!r} ({meaning}).",
                    key=key,
                    value=value,
                    meaning=setting.meaning,
                )
            )

    def __setitem__(self, key: str, value: Any) -> None:
        """Set a value, without saving it. Raises SettingError for an unknown key or a value that is not accepted."""
        self.check(key, value)
        self._for_now.pop(key, None)
        if self[key] != value:
            self._values[key] = value
            self._dirty = True

    def use_for_now(self, key: str, value: Any) -> None:
        """Use a value until the program ends, or the user sets another one; it is never saved. Raises SettingError for
        an unknown key."""
        _setting(key)
        self._for_now[key] = value

    @property
    def geometry(self) -> str:
        """Position and size of the window; "" the first time."""
        return str(self["window_geometry"])

    @geometry.setter
    def geometry(self, value: str) -> None:
        self["window_geometry"] = value

    def add_recent(self, paths: list[str], same: Sequence[tuple[str, ...]] = ()) -> None:
        """Add the files of a collection at the head of the recent ones; a part of them is no entry of its own, nor are
        the ``same`` files by other paths."""
        others = [former for former in self["recent"] if not set(former) <= set(paths) and tuple(former) not in same]
        self["recent"] = [paths, *others][:MOST_RECENT]

    def add_recent_lesson(self, path: str) -> None:
        """Add the file of a lesson, or the folder of a course, at the head of the recent ones."""
        others = [former for former in self["recent_lessons"] if former != path]
        self["recent_lessons"] = [path, *others][:MOST_RECENT]

    def keep_to_itself(self) -> None:
        """Save nothing from now on, and forget recent files and folders."""
        self.path = None
        self._values.pop("recent", None)
        self._values.pop("recent_lessons", None)
        self._values.pop("last_folder", None)

    def save(self) -> bool:
        """Save changed values. Return False, and set ``trouble``, if the file could not be written."""
        if not self._dirty or self.path is None:
            return True
        text = json.dumps({**self._unknown, **self._values}, indent=2, ensure_ascii=False) + "\n"
        try:
            write_atomically(self.path, text.encode("utf-8", "surrogatepass"))
        except OSError as error:
            self.trouble = tr(
                "Settings could not be saved to {path}: {reason}.", path=self.path, reason=error.strerror or error
            )
            return False
        self._dirty = False
        return True

    def _read(self, path: Path) -> None:
        try:
            data = json.loads(path.read_bytes())
            if not isinstance(data, dict):
                raise ValueError(tr("the file holds no JSON object"))
        except FileNotFoundError:
            return
        except (OSError, ValueError, RecursionError) as error:
            self.trouble = tr(
                "Settings could not be read from {path} ({reason}); defaults are used.",
                path=path,
                reason=error.strerror if isinstance(error, OSError) else json_reason(error),
            )
            return
        former = data.pop("statistics", None)  # of earlier versions
        if isinstance(former, dict):
            data.setdefault("inference", inference_of(former))
        rejected = []
        for key, value in data.items():
            setting = _TABLE.get(key)
            if setting is None:
                self._unknown[key] = value  # of a later version: kept, so that changing versions loses nothing
            elif setting.accepts(value):
                self._values[key] = value
            else:
                rejected.append(key)
        if rejected:
            self.trouble = tr(
                "Invalid settings in {path}; defaults are used for: {keys}.", path=path, keys=", ".join(rejected)
            )


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the contents of a file so that readers see either the old or the new bytes. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with file_to_replace(path) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _setting(key: str) -> Setting:
    try:
        return _TABLE[key]
    except KeyError:
        raise SettingError(tr("Unknown setting {key!r}.", key=key)) from None
