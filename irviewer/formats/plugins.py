"""Formats of other packages: found by the entry point group ``irviewer.formats``.

An entry point's name is the format's name; what it points to is a :class:`irviewer.formats.format.Format` of that name.
A package that cannot be loaded costs its own formats and nothing else. Files that a format of ours knows are never
shown to another package: its code is asked where none of ours fits, or where the user names the format."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from irviewer.entry_points import Additions
from irviewer.errors import IrviewerError, OptionError, ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.reading.opener import Opened
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

VALUES: dict[str, type[Value]] = {"qrels": Qrels, "run": Run, "queries": TextTable, "documents": TextTable}
"""What a file of each kind is read as."""


class Plugins:
    """The formats of other packages beside ours, whose names are taken."""

    def __init__(self, taken: Collection[str]) -> None:
        self._taken = taken
        self._formats: dict[str, Format] = {}
        self._failed: dict[str, str] = {}
        self._additions = Additions("irviewer.formats", self._register)

    def formats(self) -> tuple[Format, ...]:
        """All that could be loaded, in the order that they were found; the first call loads them."""
        self._additions.load()
        return tuple(self._formats.values())

    def faults(self) -> dict[str, str]:
        """Name -> reason of every format that could not be loaded."""
        self._additions.load()
        return self._additions.faults()

    def failed(self) -> tuple[str, ...]:
        """A sentence for every format that could not look at a file."""
        return tuple(self._failed.values())

    def _register(self, point: EntryPoint) -> None:
        """Add what an entry point points to. Raises OptionError where it is no format that can be added."""
        found = point.load()
        if point.name in self._taken:
            raise OptionError("irviewer has a format of this name")
        if not isinstance(found, Format):
            raise OptionError(f"{point.name} is no irviewer.formats.format.Format")
        if found.name != point.name or found.name != found.name.lower():
            raise OptionError(f"its name is {found.name!r}: it has to be the entry point's, in lower case")
        if not found.kinds or not set(found.kinds) <= set(VALUES):
            raise OptionError(f"it holds {', '.join(found.kinds) or 'nothing'}, not some of {', '.join(VALUES)}")
        self._formats[found.name] = replace(
            found, sniff=self._sniffer(found), read=_reader(found), write=_writer(found) if found.write else None
        )

    def _sniffer(self, format: Format) -> Callable[[Head], Sniffed | None]:  # noqa: A002
        """Its look at a file; a failure is told and counts as "not this format"."""

        def sniff(head: Head) -> Sniffed | None:
            try:
                found = format.sniff(head)
                if found is not None and found.kind not in format.kinds:
                    raise ValueError(f"it takes a file for {found.kind}, which it does not hold")
            except Exception as error:
                whose = f"the format {format.name} of {format.sniff.__module__}"
                self._failed[format.name] = f"{whose} failed to look at it: {error!r}"
                return None
            return found

        return sniff


def _reader(format: Format) -> Callable[[Opened, Wanted], Loaded]:  # noqa: A002
    """Its reader, whose faults are told as ours and whose values are looked at."""

    def read(opened: Opened, wanted: Wanted) -> Loaded:
        try:
            found = format.read(opened, wanted)
        except (IrviewerError, MemoryError):
            raise
        except Exception as error:
            raise ParseError(opened.path, f"the reader of the format {format.name} failed: {error!r}") from error
        if not isinstance(found, Loaded) or not isinstance(found.value, VALUES.get(found.kind, ())):
            raise ParseError(opened.path, f"the reader of the format {format.name} gave no {wanted.kind}")
        return replace(found, cacheable=False)

    return read


def _writer(format: Format) -> Callable[[Value], bytes]:  # noqa: A002
    """Its writer, whose faults are told as ours."""

    def write(value: Value) -> bytes:
        assert format.write is not None
        try:
            found = format.write(value)
        except (IrviewerError, MemoryError):
            raise
        except Exception as error:
            raise OptionError(f"the writer of the format {format.name} failed: {error!r}") from error
        if not isinstance(found, bytes):
            raise OptionError(f"the writer of the format {format.name} gave no bytes")
        return found

    return write
