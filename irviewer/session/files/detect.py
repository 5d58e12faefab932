"""Detection of a file's format before it is read, and the formats that the user can choose instead.

Reads the beginning of a file; knows the table of formats, not the session."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from irviewer.errors import IrviewerError
from irviewer.formats.format import Head
from irviewer.formats.names import is_irds
from irviewer.formats.reading.opener import open_bytes
from irviewer.translation import tr


@dataclass(frozen=True)
class FormatChoice:
    """A format that can be chosen: its name, its title, the kinds that it holds."""

    name: str
    title: str
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class FormatDetection:
    """The detected format of a file.

    format   name of the detected format, "" if it is unknown
    kind     the kind of data ("texts" if it may be queries or documents)
    reason   why it was detected, or why the file cannot be read
    formats  all formats that can be chosen, in the order in which they are tried
    """

    path: str
    format: str
    kind: str
    reason: str
    formats: tuple[FormatChoice, ...]

    @property
    def detected(self) -> str:
        """The result as a text: ``trec run: 6 columns``."""
        return f"{self.format} {self.kind}: {self.reason}" if self.format else self.reason


def look(path: str) -> FormatDetection:
    """Return the detected format of a file; the reason of one that cannot be opened or is unknown says why."""
    from irviewer.formats.choice import choose
    from irviewer.formats.registry import formats

    choices = tuple(FormatChoice(file_format.name, file_format.title, file_format.kinds) for file_format in formats())
    if is_irds(path):
        return FormatDetection(path, "", "", tr("a dataset of ir_datasets, which has its own format"), choices)
    try:
        detected, sniffed = choose(Head(open_bytes(path)))
    except (IrviewerError, OSError) as error:
        reason = getattr(error, "reason", None) or str(error)
        return FormatDetection(path, "", "", f"{Path(path).name}: {reason}", choices)
    return FormatDetection(path, detected.name, sniffed.kind, sniffed.reason, choices)
