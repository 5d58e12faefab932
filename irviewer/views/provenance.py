"""What the tables of a view were made from, said the same way at every door."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.formats.protocol_file import protocol_text
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
        bound.line(), bound.as_json(), version=VERSION, view=view, parameters=parameters or {}, text=text
    )  # fmt: skip
