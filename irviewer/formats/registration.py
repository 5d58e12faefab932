"""Registered protocols: a protocol frozen with the time, the inputs that were open by then, and a digest of all of it,
as a JSON file. It shows that a protocol came first only where the digest was published elsewhere."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Any

from irviewer.errors import IrviewerError, OptionError, ParseError, name_some
from irviewer.formats.choice import choose
from irviewer.formats.data_files import data_files, described
from irviewer.formats.format import Head
from irviewer.formats.protocol_file import parse_protocol, protocol_text
from irviewer.formats.reading.opener import open_bytes
from irviewer.formats.texts.formats import TEXTS
from irviewer.model.arguments import checked
from irviewer.model.data_file import ROLES, DataFile
from irviewer.model.protocol import EvaluationProtocol
from irviewer.paths import is_pipe
from irviewer.translation import tr, trn

_LARGEST = 16 << 20
_DIGEST = re.compile("[0-9a-f]{64}")
LONGEST_TIME = 40
"""Characters of a time."""
SHOWN = 12
"""Digits of a digest that sentences show."""


@dataclass(frozen=True)
class OpenedInput:
    """A file that was open when the protocol was registered; ``digest`` is its SHA-256, "" for one too large and for a
    pipe, which has no size either."""

    role: str
    name: str
    size: int | None
    digest: str


@dataclass(frozen=True)
class Registration:
    """A registered protocol.

    registered  the time by the computer's clock, ISO 8601 in UTC
    opened      the inputs that were open by then
    digest      SHA-256 of all of this, as the file states it; ``intact``: it fits the content
    """

    registered: str
    protocol: EvaluationProtocol
    opened: tuple[OpenedInput, ...]
    digest: str
    intact: bool = True


def register(protocol: EvaluationProtocol, opened: Iterable[DataFile], *, now: datetime | None = None) -> str:
    """Return the text of a registration. Raises OptionError for rules that a file cannot name."""
    content = {
        "schema": 1, "registered": (now or datetime.now(UTC)).isoformat(timespec="seconds"),
        "protocol": protocol_text(protocol),
        "opened": [
            {"role": role, "name": name, "size": size, "sha256": digest}
            for role, name, size, digest in described(opened)
        ],
    }  # fmt: skip
    return json.dumps({**content, "digest": _digest(content)}, indent=2, ensure_ascii=True) + "\n"


@checked
def read_registration(path: str | PathLike[str]) -> Registration:
    """Read a registration. Raises ParseError for another file."""
    path = Path(path)
    with path.open("rb") as file:
        data = file.read(_LARGEST + 1)
    hint = tr("irviewer protocol --register FILE makes one")
    try:
        content: Any = json.loads(data, object_pairs_hook=_once) if len(data) <= _LARGEST else None
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or content.get("schema") != 1:
        raise ParseError(path, tr("the file is no registered protocol"), hint=hint)
    digest, texts = content.pop("digest", None), [content.get(key) for key in ("registered", "protocol")]
    opened = content.get("opened")
    if not (isinstance(digest, str) and _DIGEST.fullmatch(digest) and _is_time(texts[0])) or not (
        isinstance(texts[1], str) and isinstance(opened, list)
    ):
        raise ParseError(path, tr("the file is no registered protocol"), hint=hint)
    inputs = []
    for each in opened:
        values = [each.get(key) for key in ("role", "name", "size", "sha256")] if isinstance(each, dict) else [None]
        if [type(value) for value in values] not in ([str, str, int, str], [str, str, type(None), str]) or values[
            0
        ] not in ROLES:
            raise ParseError(path, tr("an input of the registered protocol cannot be read"), hint=hint)
        inputs.append(OpenedInput(*values))
    protocol = parse_protocol(str(texts[1]), path=path)
    return Registration(str(texts[0]), protocol, tuple(inputs), digest, _digest(content) == digest)


def opened_files(paths: Sequence[str], named: Iterable[tuple[str, str]]) -> tuple[DataFile, ...]:
    """Return files that were opened, each with the role that its content has, and those that a protocol names, pairs
    of a role and a path. Raises OptionError for a file that is not there."""
    files = data_files([*((_role_of(path), path) for path in paths), *named])
    missing = [path for path in paths if not any(file.path == path for file in files)]
    if missing:
        raise OptionError(tr("{path}: there is no such file", path=missing[0]))
    return files


def _role_of(path: str) -> str:
    """Return what a file is by its content; a run where that tells nothing: a pipe, which would be read, and a file
    that cannot be."""
    if is_pipe(path):
        return "run"
    try:
        kind = choose(Head(open_bytes(path)))[1].kind
    except (IrviewerError, OSError):
        return "run"
    return kind if kind in ROLES else "documents" if kind == TEXTS else "run"


def kept_sentences(
    registration: Registration, protocol: EvaluationProtocol, files: Sequence[DataFile]
) -> tuple[str, ...]:
    """Return whether a registered protocol was kept, which fields and inputs differ, and what that shows; ``files`` are
    those that the answer was computed from."""
    said = []
    when, digest = registration.registered, registration.digest[:SHOWN]
    changed = registration.protocol.changed(protocol)
    fields = name_some(list(changed), len(changed))
    if not registration.intact:
        return _of_changed_file(len(changed), fields)
    if changed:
        said.append(
            trn("The protocol was registered at {time} (digest {digest}) and was not kept: {fields} differs.",
                "The protocol was registered at {time} (digest {digest}) and was not kept: {fields} differ.",
                len(changed), time=when, digest=digest, fields=fields)
        )  # fmt: skip
    else:
        said.append(
            tr("The protocol was registered at {time} (digest {digest}) and was kept.", time=when, digest=digest)
        )
    now = described(files)
    by_digest = {each.digest for each in registration.opened if each.digest}
    seen = [name for _, name, _, sha256 in now if sha256 in by_digest]
    places = {(each.role, each.name): each for each in registration.opened}
    other = [
        name for role, name, size, sha256 in now
        if (role, name) in places and sha256 not in by_digest
        and (size, sha256) != (places[role, name].size, places[role, name].digest)
    ]  # fmt: skip
    large = [name for role, name, size, sha256 in now if not sha256 and (role, name) in places and name not in other]
    if seen:
        said.append(tr("Open already when it was registered: {files}.", files=name_some(seen, 10)))
    elif now:
        said.append(tr("None of these inputs is known to have been open when it was registered."))
    if other:
        said.append(tr("Another file of the same name was open then: {files}.", files=name_some(other, 10)))
    if large:
        said.append(tr("Too large for a digest, and open then under this name: {files}.", files=name_some(large, 10)))
    said.append(
        tr("This is evidence only where the digest was published elsewhere before the results were known: the time and "
           "the list are those of the user who registered it.")
    )  # fmt: skip
    return tuple(said)


def _of_changed_file(n: int, fields: str) -> tuple[str, ...]:
    """Return what is said of a file that does not fit its digest, of whose protocol n fields differ: neither what was
    registered is known, nor when, nor what was open by then."""
    now = (
        trn("The protocol that the file holds now was not used: {fields} differs. Whether the registered one was used "
            "is not known.",
            "The protocol that the file holds now was not used: {fields} differ. Whether the registered one was used "
            "is not known.", n, fields=fields)
        if n else tr("The protocol that the file holds now was used; whether that is the registered one is not known.")
    )  # fmt: skip
    return (
        tr("The registered protocol was changed after it was registered: its digest does not fit."), now,
        tr("Its time and its list of inputs may have been changed too, so they show nothing."),
    )  # fmt: skip


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of the file. Raises ValueError for a key that stands twice, of which a reader sees one and the
    digest counts the other."""
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("a key stands twice")
    return content


def _is_time(text: object) -> bool:
    """Return whether a text is a time with its zone, as ``register`` writes it."""
    if not isinstance(text, str) or len(text) > LONGEST_TIME or not text.isascii():
        return False
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _digest(content: dict[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
