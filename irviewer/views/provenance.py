"""What the tables of a view were made from, said the same way at every door."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.formats.data_files import data_files, in_order
from irviewer.formats.protocol_file import protocol_text
from irviewer.model.protocol import EvaluationProtocol
from irviewer.tables.table import Provenance
from irviewer.version import VERSION


def provenance(view: str, bound: BoundProtocol | None, parameters: Mapping[str, Any] | None = None) -> Provenance:
    """Return what a view was computed from: its protocol, None for one that depends on none, and its parameters."""
    if bound is None:
        return Provenance(version=VERSION, view=view, parameters=parameters or {})
    try:
        text = protocol_text(bound.protocol)
    except OptionError:  # of rules that have no name
        text = ""
    return Provenance(
        bound.line(), bound.as_json(), in_order([*bound.files, *data_files(named_files(bound.protocol))]),
        VERSION, view, parameters or {}, text,
    )  # fmt: skip


def named_files(protocol: EvaluationProtocol) -> tuple[tuple[str, str], ...]:
    """Return the files that a protocol names, by their role; "" for none."""
    return (
        ("query_set", protocol.scope.queries.file), ("weights", protocol.scope.weights.file),
        ("zscores", protocol.rules.zscores),
    )  # fmt: skip
