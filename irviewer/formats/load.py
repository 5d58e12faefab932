"""Load anything: detect by content what a file is, read it, and give an account of it.

The formats are those of ``registry.formats()``; a file's name only settles what its content leaves open."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from irviewer.errors import ParseError
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.format import KINDS, Head, Loaded, Wanted
from irviewer.formats.reading import cache
from irviewer.formats.reading.memory import no_memory
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.registry import choose
from irviewer.formats.texts.corpus import load_corpus
from irviewer.formats.texts.ir_datasets import is_irds, load_irds
from irviewer.model.column_names import ColumnChoice

Cached = Literal["keep", "use", "no"]

__all__ = ["KINDS", "Loaded", "detect", "load", "load_opened"]


def load(
    path: str | Path,
    *,
    kind: str | None = None,
    name: str | None = None,
    duplicates: DuplicatePolicy = "refuse",
    format: str | None = None,  # noqa: A002 - what everyone calls it
    part: str | None = None,
    scores: str | Path | None = None,
    progress: Callable[[float], None] | None = None,
    cached: Cached = "use",
    account: bool = True,
    columns: ColumnChoice | None = None,
) -> Loaded:
    """Read a file of any known shape; ``-`` is standard input, ``irds:ID`` a dataset of ir_datasets. Large
    files of documents stay on disk (``corpora``).

    kind     "qrels", "run", "queries" or "documents": overrules the detection
    format   the name of a format: overrules the detection
    part     which of several runs in one file, by its name there
    scores   the file of scores that makes a LETOR file a run
    cached   "keep" the columns of a run that took long to read, and use them when it is read again unchanged; "use"
             those that were kept, and keep those of a file that is read for the second time; or "no"
    account  False where nobody will read the report: what only that needs is left out where that saves time
    columns  which columns of a table have which role, where its header has other names than those in use
    progress is called with the share of a large corpus that was read; what it raises ends the reading

    Raises ParseError, also where the memory is not enough, or OptionError where the choices contradict each other."""
    try:
        return _load(
            path, kind=kind, name=name, duplicates=duplicates, format=format, part=part, scores=scores,
            progress=progress, cached=cached, account=account, columns=columns,
        )  # fmt: skip
    except MemoryError:
        # What was read so far goes with the stack; the message needs little.
        raise no_memory(path) from None


def _load(
    path: str | Path,
    *,
    kind: str | None,
    name: str | None,
    duplicates: DuplicatePolicy,
    format: str | None,  # noqa: A002
    part: str | None,
    scores: str | Path | None,
    progress: Callable[[float], None] | None,
    cached: Cached,
    account: bool,
    columns: ColumnChoice | None,
) -> Loaded:
    if is_irds(path):
        return load_irds(str(path), kind=kind, name=name)
    if scores is None:
        corpus = load_corpus(path, kind=kind, name=name, format=format, progress=progress or _unheard)
        if corpus is not None:
            return corpus
    shelf = None
    if scores is None and not columns and cached != "no" and kind in (None, "run"):
        choices = {"kind": kind, "name": name, "duplicates": duplicates, "format": format, "part": part}
        shelf = cache.shelf_of(path, choices)
    kept = None if shelf is None else cache.recall(shelf)
    if kept is not None:
        return kept
    # What is read once need not be written down; who reads a file again will do so once more.
    keeps = shelf is not None and (cached == "keep" or cache.is_noted(shelf))
    begun = time.perf_counter()
    loaded = load_opened(
        open_bytes(path), kind=kind, name=name, duplicates=duplicates, format=format, part=part, scores=scores,
        account=account or keeps, columns=columns,
    )  # fmt: skip
    if shelf is None or not loaded.lasting or time.perf_counter() - begun < cache.WORTH:
        return loaded
    if not keeps:
        cache.note(shelf)
    elif cache.keep(shelf, loaded):
        return cache.recall(shelf) or loaded  # mapped from the disk it can leave the memory to others
    return loaded


def _unheard(share: float) -> None:
    """Progress that nobody asked for."""


def load_opened(
    opened: Opened,
    *,
    kind: str | None = None,
    name: str | None = None,
    duplicates: DuplicatePolicy = "refuse",
    format: str | None = None,  # noqa: A002
    part: str | None = None,
    scores: str | Path | None = None,
    account: bool = True,
    columns: ColumnChoice | None = None,
) -> Loaded:
    """The same for bytes that are in memory already."""
    opened.columns = columns or opened.columns
    if scores is not None:  # only LETOR's features want them
        kind, format = kind or "run", format or "letor"  # noqa: A001
    found, sniffed = choose(Head(opened), kind, format)
    if opened.binary and not found.binary:
        raise ParseError(
            opened.path,
            f"the bytes are a table or map, no text as {found.title} files are",
            hint="leave --from and --kind away: parquet, arrow and ranx-lz4 hold such bytes",
        )
    wanted = Wanted(
        sniffed.kind, kind is not None, name, duplicates, part, None if scores is None else str(scores),
        sniffed.reason, account, format is not None,
    )  # fmt: skip
    return found.read(opened, wanted)


def detect(opened: Opened) -> tuple[str, str]:
    """("qrels" | "run" | "texts", why). Raises ParseError, with what is near, where a file is none of them."""
    sniffed = choose(Head(opened))[1]
    return sniffed.kind, sniffed.reason
