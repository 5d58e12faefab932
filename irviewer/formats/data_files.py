"""The files that an answer was computed from, with their digests, so that a number can be traced to them."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Sequence
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

from irviewer.formats.mapping_file import SUFFIX
from irviewer.model.data_file import ROLES, DataFile
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.paths import is_file, is_pipe

WITH_COLUMNS = frozenset({"qrels", "run", "queries", "documents"})
"""The roles of files beside which columns are read."""

MOST_DIGESTED = 16 << 20
"""Bytes of the largest file whose digest is taken: it costs a tenth of the time of reading it, or less."""


def data_files(sources: Iterable[tuple[str, Any]], *, beside: bool = True) -> tuple[DataFile, ...]:
    """Return the files among sources, pairs of a role and a path, a pattern or a sequence of them, in the order of
    ROLES, each once and as it is now; ``beside``: with the files of columns that are read beside them
    (``formats.mapping_file``). Pipes are named as such; what is no file (values, names, None) is left out."""
    every = {(role, path): None for role, source in sources for path in _paths(source)}
    if beside:
        every |= dict.fromkeys(columns_of_files(every))
    known = [(role, path, _state(path)) for role, path in every]
    return in_order([
        DataFile(role, path, piped=True) if state is None else DataFile(role, path, *state)
        for role, path, state in known if state is not None or is_pipe(path)
    ])  # fmt: skip


def columns_of_files(files: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the role and path of the files of columns beside files, which are pairs of a role and a path."""
    paths = [f"{path}{SUFFIX}" for role, path in files if role in WITH_COLUMNS and path]
    return [("columns", path) for path in paths if is_file(path)]


def files_read(qrels: Qrels | None, runs: Sequence[Run], *more: tuple[str, Any]) -> tuple[DataFile, ...]:
    """Return the files that qrels and runs were read from, and those of ``more`` as for :func:`data_files`."""
    own = ("qrels", None if qrels is None else qrels.origin), ("run", [run.origin for run in runs])
    return data_files([*own, *more])


def in_order(files: Iterable[DataFile]) -> tuple[DataFile, ...]:
    """Return files in the order of ROLES, each once."""
    return tuple(sorted(dict.fromkeys(files), key=lambda file: ROLES.index(file.role)))


def described(files: Iterable[DataFile]) -> list[tuple[str, str, int | None, str]]:
    """Return role, name, size and SHA-256 of files; "" for the digest where a file was changed since it was read, is
    larger than MOST_DIGESTED, or cannot be read; a pipe has neither size nor digest. What is no file, and nobody has
    seen as one, is left out."""
    states = [(file, _size_and_digest(file)) for file in files]
    return [(file.role, file.name, *state) for file, state in states if state is not None]


def _size_and_digest(file: DataFile) -> tuple[int | None, str] | None:
    if file.piped:
        return None, ""
    state = _state(file.path)
    if file.size is not None and state != (file.size, file.changed):
        return file.size, ""
    if state is None:
        return None
    return state[0], _digest(file.path, *state) if state[0] <= MOST_DIGESTED else ""


def _paths(source: Any) -> list[str]:
    if isinstance(source, list | tuple):
        return [path for each in source for path in _paths(each)]
    if not isinstance(source, str | PathLike):
        return []
    text = str(source)
    if glob.has_magic(text) and not is_file(text):
        return sorted(glob.glob(text, recursive=True))  # noqa: PTH207 - paths as they were given
    return [text]


def _state(path: str) -> tuple[int, int] | None:
    """Return size and time of the last change of a file; None where there is none."""
    try:
        if not is_file(path):
            return None
        state = Path(path).stat()
    except OSError:
        return None
    return state.st_size, state.st_mtime_ns


@lru_cache(maxsize=1024)
def _digest(path: str, size: int, changed: int) -> str:
    """Return the SHA-256 of a file of this size that was changed then; "" for one that cannot be read."""
    import hashlib  # it loads OpenSSL, 3.5 MB

    try:
        with Path(path).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""
