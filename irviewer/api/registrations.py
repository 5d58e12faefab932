"""The public functions of registered protocols: registering one, and asking whether it was kept."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Unpack

from irviewer.api.protocols import AnyProtocol, protocol_of
from irviewer.formats.registration import Registration, kept_sentences, opened_files, read_registration, register
from irviewer.measures.parser import parse_measures
from irviewer.model.arguments import checked
from irviewer.model.data_file import DataFile
from irviewer.model.protocol import PLACES, EvaluationProtocol, ProtocolFields
from irviewer.rendering.atomic import write_atomically
from irviewer.views.provenance import named_files


@checked
def register_protocol(
    path: str | PathLike[str],
    protocol: AnyProtocol | None = None,
    *,
    opened: Sequence[str | PathLike[str]] = (),
    **fields: Unpack[ProtocolFields],
) -> Registration:
    """Register a protocol, as ``irviewer protocol --register`` does: freeze it in a file with the time, the inputs that
    were open by then and a digest of all of it.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "mine.registered.json"
    >>> registered = register_protocol(file, alpha=0.01, test="sign")
    >>> registered.intact, registered.protocol.inference.alpha, len(registered.digest)
    (True, 0.01, 64)

    path      the file to write; ``report`` and ``paper_table`` take it as ``registered``
    protocol  an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    opened    files that were open already, such as runs: those that the protocol names are added

    Returns the Registration that was written. Publish its ``digest`` before the results are known: it is evidence only
    where it was published elsewhere. Raises ParseError, MeasureError, and OptionError for a file that is not there."""
    asked = protocol_of(protocol, "register_protocol", fields, frozenset(PLACES))
    files = _opened(asked, opened)
    data = register(asked, files).encode("ascii")
    write_atomically(Path(path), lambda file: file.write(data))
    return read_registration(path)


@checked
def registration_kept(
    path: str | PathLike[str],
    protocol: AnyProtocol | None = None,
    *,
    opened: Sequence[str | PathLike[str]] = (),
    **fields: Unpack[ProtocolFields],
) -> tuple[bool, tuple[str, ...]]:
    """Return whether a registered protocol was kept, and what is said of it, as ``irviewer protocol --registered``.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "mine.registered.json"
    >>> _ = register_protocol(file, alpha=0.01)
    >>> registration_kept(file, alpha=0.01)[0], registration_kept(file, alpha=0.05)[0]
    (True, False)

    path      the file that :func:`register_protocol` wrote
    protocol  the protocol that is used now, as there
    opened    files that are used now, such as runs: those that the protocol names are added

    False where a field differs or the file was changed. Raises ParseError for another file, MeasureError, and
    OptionError for a file that is not there."""
    asked = protocol_of(protocol, "registration_kept", fields, frozenset(PLACES))
    files = _opened(asked, opened)
    registration = read_registration(path)
    kept = registration.intact and not registration.protocol.changed(asked)
    return kept, kept_sentences(registration, asked, files)


def _opened(asked: EvaluationProtocol, opened: Sequence[str | PathLike[str]]) -> tuple[DataFile, ...]:
    """Return the files that are open and those that a protocol names. Raises MeasureError, OptionError."""
    parse_measures(asked.measures)
    return opened_files([str(each) for each in opened], named_files(asked))
