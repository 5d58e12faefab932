"""The files of a result at every door: the command's, Python's and the window's have the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from irviewer.cli import main
from irviewer.gui.widgets.savable import savable_result
from irviewer.model.exported import Exported
from irviewer.tables.table import Table
from irviewer.tables.writers.registry import WRITERS

Lists = Mapping[str, Mapping[str, float]]


def collection_files(folder: Path, qrels: Lists, runs: Mapping[str, Lists]) -> list[str]:
    """Write qrels and runs of values, and return their paths."""
    lines = [f"{query} 0 {document} {grade:g}\n" for query, row in qrels.items() for document, grade in row.items()]
    (folder / "qrels.txt").write_text("".join(lines))
    paths = [str(folder / "qrels.txt")]
    for name, run in runs.items():
        rows = [f"{query} Q0 {doc} 1 {score!r} t\n" for query, row in run.items() for doc, score in row.items()]
        (folder / f"{name}.run").write_text("".join(rows))
        paths.append(str(folder / f"{name}.run"))
    return paths


def assert_same_files(
    folder: Path, words: Sequence[str], python: Exported | None = None, window: Sequence[Table] | None = None
) -> dict[str, bytes]:
    """Hold the files of every format against each other, and return them by the name of the format; ``words`` are a
    command's."""
    files = {}
    for writer in WRITERS:
        ours, theirs, saved = (folder / f"{door}{writer.suffixes[0]}" for door in ("command", "python", "window"))
        assert main.main([*words, "--format", writer.name, "-o", str(ours)]) == 0
        files[writer.name] = ours.read_bytes()
        if python is not None:
            python.save(theirs)
            assert theirs.read_bytes() == files[writer.name], writer.name
        if window is not None:
            savable_result("", window).write(str(saved))
            assert saved.read_bytes() == files[writer.name], writer.name
    return files


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command prints."""
    capsys.readouterr()
    assert main.main([*words]) == 0
    return capsys.readouterr().out
