"""Saving what was compared: each run beside the baseline, or all pairs, as the same tables that ``irviewer compare``
writes. A part of the session, Qt-free."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from irviewer.errors import IrviewerError
from irviewer.session.compared import Compared
from irviewer.session.comparing import Comparing, Kind
from irviewer.session.export import write_atomically

COMPARISON_KINDS = (
    ("LaTeX table", ".tex"), ("Markdown", ".md"), ("CSV table", ".csv"), ("TSV table", ".tsv"), ("JSON", ".json"),
    ("Text", ".txt"),
)  # fmt: skip
"""What a comparison is saved as, and the suffix that says so."""
WRITER = {".tex": "latex", ".md": "markdown", ".csv": "csv", ".tsv": "tsv", ".json": "json", ".txt": "table"}


class ComparisonSaving(Comparing):
    """The session's saving of comparisons."""

    def save_comparison(self, path: str, kind: Kind = "baseline") -> None:
        """Write the comparison of what is in view in the background, computing it where that was not done yet; the
        suffix chooses the form. Every form names all tests that were looked at. Raises IrviewerError where there is
        nothing to compare, or for another suffix."""
        suffix = Path(path).suffix.lower()
        if suffix not in WRITER:
            known = ", ".join(WRITER)
            raise IrviewerError(f"{path}: the suffix of a saved comparison says its form, one of {known}")
        scene = self.scene
        wanted = None if scene is None else self._comparison_wanted(scene, kind)
        if wanted is None:
            raise IrviewerError("there is nothing to compare: it takes judgments and two runs or more")
        known_one = self.known_comparison(kind)
        compute = wanted.compute if known_one is None else lambda: known_one
        self.save_file(path, partial(_write, WRITER[suffix], compute, self.judgment_mark))


def _write(form: str, find: Callable[[], Compared], mark: str, path: str) -> None:
    from irviewer.formats.comparison_grids import Report
    from irviewer.formats.comparisons import WRITERS

    text = WRITERS[form](Report((find().comparison,), judgments=mark))
    data = text.encode("utf-8", "surrogateescape")
    write_atomically(Path(path), lambda stream: stream.write(data))
