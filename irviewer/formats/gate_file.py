"""Files of a gate's conditions, TOML that is committed beside what it gates:

```toml
schema = 1
protocol = "protocol.toml"
baseline = "runs/bm25.run"
require = ["nDCG@10 >= 0.5", "Δ nDCG@10 > -0.01"]
by = ["relevant"]
```

``protocol`` names a file or is a table with the keys of one. ``qrels`` and ``candidates`` (one run or several) make the
file complete, and ``documents`` names the table of fields that conditions read; several collections are tables with a
name, and what one does not name is that of the file:

```toml
[collections.news]
qrels = "news/qrels.txt"
baseline = "news/bm25.run"
candidates = ["news/dense.run"]
```

Files are found from the folder of this one. An unknown key and a text that is no condition are errors with line and
column."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irviewer.analysis.statistics.gate_conditions import parse_condition
from irviewer.errors import MeasureError, OptionError, ParseError
from irviewer.formats.protocol_file import (
    from_folder,
    no_toml,
    place_of,
    protocol_in,
    protocol_text,
    read_protocol,
    toml_value,
)
from irviewer.model.protocol import EvaluationProtocol
from irviewer.translation import tr

SCHEMA = 1
_LARGEST = 1 << 20
_FILES = ("qrels", "baseline", "candidates")
_KEYS = (
    "schema", "protocol", *_FILES, "collections", "require", "by", "query_attributes", "documents",
    "ignore_unjudged", "history",
)  # fmt: skip


@dataclass(frozen=True)
class GatedCollection:
    """The files of a collection in a file of conditions; "" and () are what neither it nor the file names."""

    name: str
    qrels: str = ""
    baseline: str = ""
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True)
class GateFile:
    """The content of a file: ``require`` are texts of conditions, "" is what the file does not name."""

    path: str
    require: tuple[str, ...]
    protocol: EvaluationProtocol | None = None
    baseline: str = ""
    by: tuple[str, ...] = ()
    query_attributes: str = ""
    ignore_unjudged: bool = False
    history: str = ""
    qrels: str = ""
    candidates: tuple[str, ...] = ()
    collections: tuple[GatedCollection, ...] = ()
    documents: str = ""


def read_gate_file(path: str | Path) -> GateFile:
    """Read the conditions of a gate. Raises ParseError with line and column, OSError."""
    with Path(path).open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST or b"\0" in data:
        raise ParseError(
            path, tr("the file is not text"), hint=tr("give the conditions of a gate, a text file in TOML")
        )
    text = data.decode("utf-8-sig", "surrogateescape")
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise no_toml(error, path, text, tr('write lines such as require = ["nDCG@10 >= 0.5"]')) from None
    except RecursionError:
        raise ParseError(path, tr("the file is nested too deeply")) from None
    return _Reader(path, text).gate(content)


def gate_text(gate: GateFile) -> str:
    """Return the conditions of a gate of one collection as TOML, whose files are found from the folder of its path, and
    which is read as the same value. Raises OptionError for a protocol with rules that have no name."""
    folder = Path(gate.path).parent

    def placed(file: str) -> str:
        return file if str(folder) == "." else from_folder(file, folder)

    values: dict[str, Any] = {
        "qrels": placed(gate.qrels) if gate.qrels else "", "baseline": placed(gate.baseline) if gate.baseline else "",
        "candidates": tuple(map(placed, gate.candidates)), "require": gate.require, "by": gate.by,
        "query_attributes": placed(gate.query_attributes) if gate.query_attributes else "",
        "documents": placed(gate.documents) if gate.documents else "",
        "ignore_unjudged": gate.ignore_unjudged, "history": placed(gate.history) if gate.history else "",
    }  # fmt: skip
    lines = [f"schema = {SCHEMA}", *(f"{key} = {toml_value(value)}" for key, value in values.items() if value)]
    text = "\n".join(lines) + "\n"
    return text if gate.protocol is None else text + "\n" + protocol_text(
        gate.protocol, folder=folder, table="protocol"
    )  # fmt: skip


class _Reader:
    """Checks the content of a file, and finds where a value is for the errors."""

    def __init__(self, path: str | Path, text: str) -> None:
        self._path, self._text, self._folder = path, text, Path(path).parent

    def gate(self, content: dict[str, Any]) -> GateFile:
        """Return the content. Raises ParseError."""
        for key in content:
            if key not in _KEYS:
                similar = difflib.get_close_matches(key, _KEYS, 1)
                hint = tr("did you mean {name}?", name=similar[0]) if similar else tr(
                    "the keys are {names}", names=", ".join(_KEYS)
                )  # fmt: skip
                raise self._error(tr("a gate has no key {key}", key=key), key, hint)
        schema = content.get("schema", SCHEMA)
        if isinstance(schema, bool) or schema != SCHEMA:
            reason = tr("the schema is {schema!r}, and only {known} is known", schema=schema, known=SCHEMA)
            raise self._error(reason, "schema", tr("use a newer version of irviewer, or write schema = 1"))
        protocol = self._protocol(content.get("protocol"))
        require = self._texts(content, "require")
        if not require:
            raise self._error(tr("the gate has no condition"), "require",
                              tr('write lines such as require = ["nDCG@10 >= 0.5"]'))  # fmt: skip
        smallest = 0.0 if protocol is None else protocol.inference.smallest
        for number, each in enumerate(require):
            try:
                parse_condition(each, smallest)
            except (OptionError, MeasureError) as error:
                raise self._error(str(error), "require", within=each, number=require[:number].count(each)) from None
        unjudged = content.get("ignore_unjudged", False)
        if not isinstance(unjudged, bool):
            raise self._error(tr("{key} is neither true nor false", key="ignore_unjudged"), "ignore_unjudged")
        return GateFile(
            str(self._path), require, protocol, self._file(content, "baseline"), self._texts(content, "by"),
            self._file(content, "query_attributes"), unjudged, self._file(content, "history"),
            self._file(content, "qrels"), self._files(content, "candidates"), self._collections(content),
            self._file(content, "documents"),
        )  # fmt: skip

    def _collections(self, content: dict[str, Any]) -> tuple[GatedCollection, ...]:
        value = content.get("collections", {})
        if not isinstance(value, dict) or not all(isinstance(each, dict) for each in value.values()):
            raise self._error(
                tr("collections is no table of tables"), "collections",
                tr('write [collections.news] and below it lines such as qrels = "news/qrels.txt"'),
            )  # fmt: skip
        collections = []
        for name, files in value.items():
            for key in files:
                if key not in _FILES:
                    reason = tr("a collection has no key {key}", key=key)
                    hint = tr("the keys are {names}", names=", ".join(_FILES))
                    raise self._error(reason, ("collections", name, key), hint)
            own = {key: files.get(key, content.get(key, "")) for key in _FILES}
            at = {key: ("collections", name, key) if key in files else (key,) for key in _FILES}
            collections.append(GatedCollection(
                name, self._file(own, "qrels", at["qrels"]), self._file(own, "baseline", at["baseline"]),
                self._files(own, "candidates", at["candidates"]),
            ))  # fmt: skip
            for key in _FILES:
                if not own[key]:
                    reason = tr("the collection {name} has no {key}", name=name, key=key)
                    raise self._error(reason, ("collections", name, key))
        return tuple(collections)

    def _files(self, content: dict[str, Any], key: str, at: tuple[str, ...] = ()) -> tuple[str, ...]:
        texts = self._texts(content, key, at)
        return tuple(str(self._folder / text) for text in texts if text)

    def _protocol(self, value: Any) -> EvaluationProtocol | None:
        if value is None:
            return None
        if isinstance(value, dict):
            return protocol_in(value, self._text, self._path, self._folder, "protocol")
        if not isinstance(value, str):
            raise self._error(tr("protocol is neither the name of a file nor a table"), "protocol")
        try:
            return read_protocol(self._folder / value)
        except OSError as error:
            reason = tr("{path}: cannot be read: {reason}", path=value, reason=error.strerror or error)
            raise self._error(reason, "protocol") from error

    def _texts(self, content: dict[str, Any], key: str, at: tuple[str, ...] = ()) -> tuple[str, ...]:
        value = content.get(key, [])
        if isinstance(value, str):
            return (value,)
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self._error(tr("{key} is no list of texts", key=key), at or key)
        return tuple(value)

    def _file(self, content: dict[str, Any], key: str, at: tuple[str, ...] = ()) -> str:
        value = content.get(key, "")
        if not isinstance(value, str):
            raise self._error(tr("{key} is not the name of a file", key=key), at or key)
        return str(self._folder / value) if value else ""

    def _error(
        self, reason: str, key: str | tuple[str, ...], hint: str = "", *, within: str = "", number: int = 0
    ) -> ParseError:
        """Return the error at a key, or at the text ``within`` its value where the file has it in plain quotes."""
        line, column, text = place_of(self._text, (key,) if isinstance(key, str) else key)
        begin = sum(map(len, self._text.splitlines(keepends=True)[: max(line - 1, 0)]))
        for quote in ('"', "'"):
            at = begin - 1
            for _ in range(number + 1):
                at = self._text.find(f"{quote}{within}{quote}", at + 1) if within else -1
                if at < 0:
                    break
            if at >= 0:
                line = self._text.count("\n", 0, at) + 1
                column = at - self._text.rfind("\n", 0, at)
                text = self._text.splitlines()[line - 1].strip()
                break
        return ParseError(self._path, reason, line=line, column=column, text=text, hint=hint)
