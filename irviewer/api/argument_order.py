"""Qrels and runs that were given in the wrong order, told apart by what they are: a file by its content, a table by its
columns. Asked only where reading them in the given order fails, so that it costs nothing otherwise."""

from __future__ import annotations

import glob
from collections.abc import Mapping
from contextlib import suppress
from os import PathLike
from typing import Any

from irviewer.errors import IrviewerError, OptionError
from irviewer.formats.choice import choose
from irviewer.formats.format import Head
from irviewer.formats.reading.opener import open_bytes
from irviewer.model.exchange.frames import as_frame, frame_roles, is_row
from irviewer.model.exchange.objects import is_record
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.paths import is_file, is_folder


def in_order(qrels: Any, runs: Any) -> tuple[Any, Any] | None:
    """Return the qrels and the runs if what was given as qrels may be a run, and exactly one of the runs is qrels; None
    for the order as given. The runs keep their order."""
    several = isinstance(runs, list | tuple) and not _is_table(runs)
    items = list(runs) if several else [runs]
    if "run" not in _kinds(qrels):
        return None
    places = [place for place, item in enumerate(items) if _kinds(item) == {"qrels"}]
    if len(places) != 1:
        return None
    (place,) = places
    others = [qrels, *items[:place], *items[place + 1 :]]
    return items[place], others if several else others[0]


def _is_table(value: Any) -> bool:
    return bool(value) and (is_row(value[0]) or is_record(value[0], "run") or is_record(value[0], "qrels"))


def _kinds(value: Any) -> set[str]:
    """Return what a value may be, "run" and "qrels"; a table of scores may be both, as grades are called scores too."""
    if isinstance(value, Run | Qrels):
        return {"run" if isinstance(value, Run) else "qrels"}
    if isinstance(value, str | PathLike):
        return _kinds_of_file(str(value))
    if isinstance(value, Mapping):
        return {"run", "qrels"}
    with suppress(OptionError):
        frame = as_frame(value)
        return set() if frame is None else {kind for kind in ("run", "qrels") if _has_roles(frame, kind)}
    return set()


def _has_roles(frame: Any, kind: Any) -> bool:
    try:
        frame_roles(frame, kind)
    except OptionError:
        return False
    return True


def _kinds_of_file(path: str) -> set[str]:
    if is_folder(path) or (glob.has_magic(path) and not is_file(path)):
        return {"run"}
    if not is_file(path):  # a pipe can be read only once
        return set()
    with suppress(IrviewerError, OSError):
        return {choose(Head(open_bytes(path)))[1].kind} & {"run", "qrels"}
    return set()
