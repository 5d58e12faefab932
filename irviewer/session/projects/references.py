"""References to files in a project: paths relative to its folder, samples by name, datasets by id; and the search for
files that were moved.

Reads no file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from irviewer.formats.doctor import ReadOptions
from irviewer.formats.parts import parts_of
from irviewer.paths import is_file, is_folder, resource
from irviewer.session.projects.checked import Fault

if TYPE_CHECKING:
    from irviewer.model.run import Run
    from irviewer.session.files.loading import ReadFile

SAMPLE = "sample:"
DATASET = "irds:"
MOST_SEARCHED = 20_000
"""The largest number of files of a chosen folder that are compared by name."""


@dataclass(frozen=True)
class Where:
    """The files of a project that is written or read.

    base     the folder that paths are relative to; None: paths are absolute (work without a project)
    moved    reference -> path where the file was found
    loaded   path -> file that was read
    project  the project's own file; large runs without a file are stored beside it
    kept     name of such a stored file -> its run
    faults   what was left out when sections were read
    """

    base: Path | None = None
    moved: Mapping[str, str] = field(default_factory=dict)
    loaded: Mapping[str, ReadFile] = field(default_factory=dict)
    project: Path | None = None
    kept: dict[str, Run] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def reference(self, path: str) -> str:
        """Return the reference to a file, with slashes on every system."""
        if path.startswith(DATASET):
            return path
        real = os.path.realpath(path)
        samples = _samples()
        if real.startswith(samples + os.sep):
            return SAMPLE + PurePosixPath(Path(real).relative_to(samples)).as_posix()
        if self.base is not None:
            try:
                return Path(os.path.relpath(real, os.path.realpath(self.base))).as_posix()
            except ValueError:  # on another drive
                pass
        return Path(real).as_posix()

    def path(self, reference: str) -> str:
        moved = self.moved.get(reference)
        if moved is not None:
            return moved
        if reference.startswith(DATASET):
            return reference
        if reference.startswith(SAMPLE):
            return str(resource("samples") / reference.removeprefix(SAMPLE))
        location = Path(reference)
        return str(
            location if location.is_absolute() or self.base is None else Path(os.path.normpath(self.base / location))
        )

    def keep(self, run: Run) -> str:
        """Add a run to those stored beside the project, and return the name of its file."""
        from irviewer.formats.reading.derived_run import kept_name

        assert self.project is not None
        name = kept_name(self.project, run)
        self.kept[name] = run
        return name

    def read(self, reference: str) -> ReadFile | None:
        """Return the file that was read, None if it could not be read."""
        return self.loaded.get(self.path(reference))


@cache
def _samples() -> str:
    """Return the folder of the samples, which is searched only once."""
    return os.path.realpath(resource("samples"))


def is_there(path: str) -> bool:
    """Return True if a file exists; always for a dataset, which reports itself what it lacks."""
    return path.startswith(DATASET) or is_file(path) or bool("*" in path and parts_of(path))


def found_again(missing: Mapping[str, str], pointed: str) -> dict[str, str]:
    """Return missing files that are found with the file or folder that the user chose: reference -> path.

    missing  reference -> its former path

    A chosen file is the missing file of the same name, and the others are searched as if their folders had moved with
    it. In a chosen folder they are searched by the ends of their paths, then by name.
    """
    place = Path(pointed)
    if is_folder(place):
        return _in_folder(missing, place)
    pointed_paths = {reference: pointed for reference, path in missing.items() if Path(path).name == place.name}
    if len(pointed_paths) > 1:  # of several files with that name, the one in the most similar folders
        best = max(pointed_paths, key=lambda reference: _tail(missing[reference], pointed))
        pointed_paths = {best: pointed}
    if not pointed_paths and len(missing) == 1:
        return {next(iter(missing)): pointed}  # renamed
    for reference in tuple(pointed_paths):
        same = _tail(missing[reference], pointed)
        former, now = Path(missing[reference]).parts[:-same], place.resolve().parts[:-same]
        for other, path in missing.items():
            parts = Path(path).parts
            if other not in pointed_paths and parts[: len(former)] == former:
                candidate = Path(*now, *parts[len(former) :])
                if is_file(candidate):
                    pointed_paths[other] = str(candidate)
    rest = {reference: path for reference, path in missing.items() if reference not in pointed_paths}
    return {**_in_folder(rest, place.parent), **pointed_paths} if rest else pointed_paths


def _in_folder(missing: Mapping[str, str], folder: Path) -> dict[str, str]:
    places: dict[str, str] = {}
    for reference, path in missing.items():
        parts = Path(path).parts
        ends = (folder.joinpath(*parts[start:]) for start in range(1, len(parts)))
        end_path = next((end for end in ends if is_file(end)), None)
        if end_path is not None:
            places[reference] = str(end_path)
    left = {reference: path for reference, path in missing.items() if reference not in places}
    if left:
        by_name: dict[str, list[Path]] = {}
        for number, file in enumerate(_files(folder)):
            if number >= MOST_SEARCHED:
                break
            by_name.setdefault(file.name, []).append(file)
        for reference, path in left.items():
            candidates = by_name.get(Path(path).name, [])
            if candidates:
                places[reference] = str(max(candidates, key=lambda candidate: _tail(path, str(candidate))))
    return places


def _files(folder: Path) -> Iterable[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(root, name) for name in sorted(names))


def _tail(path: str, other: str) -> int:
    """Return the number of parts that the ends of two paths have in common."""
    same = 0
    for mine, theirs in zip(reversed(Path(path).parts), reversed(Path(other).resolve().parts), strict=False):
        if mine != theirs:
            break
        same += 1
    return same


# --- read options ---


def read_options_data(read_options: ReadOptions | None) -> dict[str, Any]:
    """Return the read options that the user chose for a file; empty without any."""
    if read_options is None:
        return {}
    every = {option.name: getattr(read_options, option.name) for option in fields(read_options)}
    return {name: value for name, value in every.items() if value is not None and (name, value) != _REFUSE}


def read_options_from(data: Mapping[str, Any] | None) -> ReadOptions | None:
    """Return the read options of stored data; options of later versions are left out."""
    if not data:
        return None
    known = {option.name for option in fields(ReadOptions)}
    return ReadOptions(**{name: value for name, value in data.items() if name in known})


_REFUSE = ("duplicates", "refuse")
