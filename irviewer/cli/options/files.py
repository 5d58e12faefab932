"""The files that a command names, by what they are, for what its tables were made from."""

from __future__ import annotations

import argparse
from typing import Any

from irviewer.api.sources import files_in
from irviewer.formats.data_files import data_files
from irviewer.model.data_file import DataFile

ROLES = {
    "qrels": "qrels", "judge": "qrels", "judgments": "qrels", "segments": "qrels", "runs": "run", "against": "run",
    "other_runs": "run", "context": "run", "run_attributes": "attributes", "query_attributes": "attributes",
    "texts": "queries", "documents": "documents", "sets": "query_set", "zscores": "zscores",
}  # fmt: skip
"""The arguments of commands that name files that are read, and what these are."""


def files_of(options: argparse.Namespace) -> tuple[DataFile, ...]:
    """Return the files that a command names, with those of its folders, and the file of the columns that is read."""
    columns = getattr(options, "columns", None)
    named = [(role, _each(role, getattr(options, name, None))) for name, role in ROLES.items()]
    return data_files([*named, ("columns", columns.origin if columns else None)], beside=not columns)


def _each(role: str, source: Any) -> Any:
    if role != "run" or source is None:
        return source
    return [file for path in ([source] if isinstance(source, str) else source) for file in files_in(path)]
