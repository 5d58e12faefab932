"""Histories of gates: a JSON object a line, ``{"schema": 1, "time": …, "run": …, "outcome": "failed", …}``, one
appended for each gate that is decided. A line that cannot be read is named, and left as it is."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

from irviewer.analysis.planning.gate_history import GateHistory, PastGate, PastResult
from irviewer.errors import IrviewerError
from irviewer.formats.file_locks import locked_within
from irviewer.translation import tr

_LARGEST = 64 << 20
_LONGEST = 1 << 20
"""The most bytes of a file and of a line."""
PATIENCE = 10.0
"""Seconds that a gate waits for another that is writing the same history."""
_OUTCOMES = ("passed", "failed", "undecided")


def read_gate_history(path: str | Path) -> GateHistory:
    """Read a history; a file that does not exist has none. Raises IrviewerError for one that is no file or too long."""
    file = Path(path)
    try:
        if not file.exists():
            return GateHistory(str(path), ())
        if not file.is_file() or file.stat().st_size > _LARGEST:
            raise IrviewerError(
                tr("{path}: no history of gates; give a text file with a JSON object a line", path=path)
            )
        lines = file.read_bytes().split(b"\n")
    except OSError as error:
        raise IrviewerError(
            tr("{path}: cannot be read: {reason}", path=path, reason=error.strerror or error)
        ) from error
    gates, damaged = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            gates.append(_gate(line))
        except (ValueError, RecursionError) as error:
            damaged.append((number, str(error).splitlines()[0][:200]))
    return GateHistory(str(path), tuple(gates), tuple(damaged))


def append_to_history(path: str | Path, gate: PastGate) -> None:
    """Append a gate as one line, in one write and with a lock, so that two builds that end together do not mix theirs.
    Raises IrviewerError."""
    content: dict[str, Any] = {"schema": 1, **vars(gate), "conditions": list(gate.conditions)}
    content["results"] = [
        {name: None if isinstance(value, float) and not math.isfinite(value) else value
         for name, value in vars(result).items()}
        for result in gate.results
    ]  # fmt: skip
    line = json.dumps(content, ensure_ascii=True) + "\n"
    data = line.encode("ascii")
    if len(data) > _LONGEST:
        raise IrviewerError(tr("{path}: the line of this gate is too long for a history", path=path))
    try:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        try:
            if not locked_within(handle, PATIENCE):
                raise OSError(tr("another gate has been writing it for too long"))
            if os.lseek(handle, 0, os.SEEK_END):
                os.lseek(handle, -1, os.SEEK_END)
                if os.read(handle, 1) != b"\n":  # a line that was cut off stays one of its own
                    data = b"\n" + data
            if os.write(handle, data) != len(data):
                raise OSError(tr("the line was cut off"))
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise IrviewerError(
            tr("{path}: cannot be written: {reason}", path=path, reason=error.strerror or error)
        ) from error


def _gate(line: bytes) -> PastGate:
    """Return the gate of a line. Raises ValueError with the reason."""
    if len(line) > _LONGEST:
        raise ValueError(tr("the line is too long"))
    try:
        content = json.loads(line)
    except ValueError:
        raise ValueError(tr("it is no JSON")) from None
    if not isinstance(content, dict) or content.get("schema") != 1:
        raise ValueError(tr("it is no gate of schema 1"))
    texts: dict[str, Any] = {name: content.get(name) for name in ("time", "run", "baseline", "outcome", "digest")}
    for name, value in texts.items():
        if not isinstance(value, str) or len(value) > 20_000:
            raise ValueError(tr("{name} is no text", name=name))
    alarm, queries = content.get("alarm"), content.get("queries")
    if isinstance(alarm, bool) or not isinstance(alarm, int | float) or not 0 <= alarm <= 1:
        raise ValueError(tr("alarm is no number from 0 to 1"))
    if isinstance(queries, bool) or not isinstance(queries, int) or queries < 0:
        raise ValueError(tr("queries is no number of queries"))
    if texts["outcome"] not in _OUTCOMES:
        raise ValueError(tr("outcome is none of {names}", names=", ".join(_OUTCOMES)))
    conditions = content.get("conditions", [])
    if not isinstance(conditions, list) or not all(isinstance(each, str) for each in conditions):
        raise ValueError(tr("conditions is no list of texts"))
    results = content.get("results", [])
    if not isinstance(results, list):
        raise ValueError(tr("results is no list"))
    return PastGate(
        **texts, alarm=float(alarm), queries=queries, conditions=tuple(conditions), results=tuple(map(_result, results))
    )


def _result(content: Any) -> PastResult:
    """Return the numbers of a condition. Raises ValueError with the reason."""
    if not isinstance(content, dict):
        raise ValueError(tr("results is no list of objects"))
    texts = {name: content.get(name, "") for name in ("condition", "collection", "run")}
    for name, value in texts.items():
        if not isinstance(value, str):
            raise ValueError(tr("{name} is no text", name=name))
    numbers = {name: content.get(name) for name in ("mean", "difference", "low", "high", "confidence")}
    for name, value in numbers.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise ValueError(tr("{name} is no number", name=name))
    known = {name: math.nan if value is None else float(value) for name, value in numbers.items()}
    return PastResult(
        texts["condition"], texts["collection"], texts["run"], known["mean"], known["difference"], known["low"],
        known["high"], known["confidence"],
    )  # fmt: skip
