"""What a file is taken for before it is read, and what else a person can say it is: formats, kinds, parts.

Reads the beginning of a file; knows the table of formats, not the session."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from irviewer.errors import IrviewerError
from irviewer.formats.format import Head
from irviewer.formats.reading.opener import open_bytes


@dataclass(frozen=True)
class FormatChoice:
    """A format that can be said: its name, its title, the kinds that it holds."""

    name: str
    title: str
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class FormatDetection:
    """What a look at a file found.

    format   name of the detected format, "" where it is none that is known; ``kind`` what it holds ("texts" where that
             may be queries or documents)
    reason   why, or why it cannot be read
    formats  all that can be said, in the order of asking
    """

    path: str
    format: str
    kind: str
    reason: str
    formats: tuple[FormatChoice, ...]

    @property
    def detected(self) -> str:
        """In a sentence: ``trec run: 6 columns``."""
        return f"{self.format} {self.kind}: {self.reason}" if self.format else self.reason


def look(path: str) -> FormatDetection:
    """What the file at ``path`` is taken for. A file that cannot be opened, or is no file that is known, says why."""
    from irviewer.formats.registry import choose, formats
    from irviewer.formats.texts.ir_datasets import is_irds

    choices = tuple(FormatChoice(one.name, one.title, one.kinds) for one in formats())
    if is_irds(path):
        return FormatDetection(path, "", "", "a dataset of ir_datasets, which knows its own format", choices)
    try:
        found, sniffed = choose(Head(open_bytes(path)))
    except (IrviewerError, OSError) as error:
        told = getattr(error, "reason", None) or str(error)
        return FormatDetection(path, "", "", f"{Path(path).name}: {told}", choices)
    return FormatDetection(path, found.name, sniffed.kind, sniffed.reason, choices)
