"""Formats of other packages, from the entry point group ``irviewer.formats``.

An entry point has the name of the format and refers to a :class:`irviewer.formats.format.Format` of that name. If a
package cannot be loaded, only its own formats are missing. Code of other packages is called only for files of none of
our formats, or if the user names the format."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError, OptionError, ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.reading.opener import Opened
from irviewer.installed.entry_points import Additions
from irviewer.installed.guard import guarded, told
from irviewer.model.immutable import immutable_copy
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.translation import tr

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

VALUES: dict[str, type[Value]] = {"qrels": Qrels, "run": Run, "queries": TextTable, "documents": TextTable}
"""The class of the value of each kind of file."""


class Plugins:
    """The formats of other packages; the names in ``taken`` are those of our formats."""

    def __init__(self, taken: Collection[str]) -> None:
        self._taken = taken
        self._formats: dict[str, Format] = {}
        self._failed: dict[str, str] = {}
        self._additions = Additions("irviewer.formats", self._register)

    def formats(self) -> tuple[Format, ...]:
        """Return all formats that could be loaded, in the order of discovery; the first call loads them."""
        self._additions.load()
        return tuple(self._formats.values())

    def faults(self) -> dict[str, str]:
        """Return the reason by name of every format that could not be loaded."""
        self._additions.load()
        return self._additions.faults()

    def failed(self) -> tuple[str, ...]:
        """Return a sentence for every format whose detection failed."""
        return tuple(self._failed.values())

    def _register(self, point: EntryPoint) -> None:
        """Add the format of an entry point. Raises OptionError if it is not a valid format."""
        loaded = point.load()
        if point.name in self._taken:
            raise OptionError(tr("irviewer already has a format of this name"))
        if not isinstance(loaded, Format):
            raise OptionError(tr("{name} is not an irviewer.formats.format.Format", name=point.name))
        if loaded.name != point.name or loaded.name != loaded.name.lower():
            raise OptionError(
                tr("its name is {name!r}: it must be the entry point's name in lower case", name=loaded.name)
            )
        if not loaded.kinds or not set(loaded.kinds) <= set(VALUES):
            raise OptionError(
                tr(
                    "its kinds are {kinds}: they must be some of {known}",
                    kinds=", ".join(loaded.kinds) or "–",
                    known=", ".join(VALUES),
                )
            )
        self._formats[loaded.name] = replace(
            loaded, sniff=self._sniffer(loaded), read=_reader(loaded), write=_writer(loaded) if loaded.write else None
        )

    def _sniffer(self, format: Format) -> Callable[[Head], Sniffed | None]:  # noqa: A002
        """Return the format's detection; a failure is recorded and means "not this format"."""

        def sniff(head: Head) -> Sniffed | None:
            try:
                with guarded():
                    detected = format.sniff(head)
                if detected is not None and not isinstance(detected, Sniffed):
                    raise TypeError(tr("it returned {value!r}, not a Sniffed", value=detected))
                if detected is not None and detected.kind not in format.kinds:
                    raise ValueError(tr("it detects {kind}, which is not one of its kinds", kind=detected.kind))
            except Exception as error:
                self._failed[format.name] = tr(
                    "the detection of the format {format} of {module} failed: {error!r}",
                    format=format.name,
                    module=format.sniff.__module__,
                    error=told(error),
                )
                return None
            return detected

        return sniff


def _reader(format: Format) -> Callable[[Opened, Wanted], Loaded]:  # noqa: A002
    """Return the format's reader with its errors as ours and its values checked."""

    def read(opened: Opened, wanted: Wanted) -> Loaded:
        try:
            with guarded():
                loaded = format.read(opened, wanted)
        except (IrviewerError, MemoryError):
            raise
        except Exception as error:
            raise ParseError(
                opened.path,
                tr("the reader of the format {format} failed: {error!r}", format=format.name, error=told(error)),
            ) from error
        if not isinstance(loaded, Loaded) or not isinstance(loaded.value, VALUES.get(loaded.kind, ())):
            raise ParseError(
                opened.path,
                tr("the reader of the format {format} returned no {kind}", format=format.name, kind=wanted.kind),
            )
        return replace(loaded, cacheable=False)

    return read


def _writer(format: Format) -> Callable[[Value], bytes]:  # noqa: A002
    """Return the format's writer with its errors as ours."""

    def write(value: Value) -> bytes:
        assert format.write is not None
        try:
            with guarded():
                data = format.write(immutable_copy(value))
        except (IrviewerError, MemoryError):
            raise
        except Exception as error:
            raise OptionError(
                tr("the writer of the format {format} failed: {error!r}", format=format.name, error=told(error))
            ) from error
        if not isinstance(data, bytes):
            raise OptionError(tr("the writer of the format {format} returned no bytes", format=format.name))
        return data

    return write
