"""The names of runs and qrels by their files' names, and of datasets of ir_datasets."""

from __future__ import annotations

from pathlib import Path

from irviewer.translation import tr

_RUN_SUFFIXES = (
    ".run", ".txt", ".trec", ".results", ".res", ".tsv", ".qrels", ".json", ".jsonl", ".ndjson", ".csv", ".parquet",
    ".parq", ".arrow", ".feather", ".xlsx", ".xlsm",
)  # fmt: skip
PREFIX = "irds:"


def is_irds(path: object) -> bool:
    """Return True for the path of a dataset of ir_datasets."""
    return str(path).startswith(PREFIX)


def name_of(path: str) -> str:
    """Return a run's name: its file's name without compression suffixes and suffixes such as ``.run`` and ``.txt``."""
    if path == "-":
        return tr("standard input")
    name = Path(path).name
    for suffixes in (
        (".gz", ".bz2", ".xz", ".zst", ".lz4"),
        _RUN_SUFFIXES,
    ):
        stem, suffix = Path(name).stem, Path(name).suffix
        if suffix.lower() in suffixes and stem:
            name = stem
    return name
