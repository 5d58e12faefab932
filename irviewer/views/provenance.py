"""What the tables of a view were made from, said the same way at every door."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.caveats import missing_text
from irviewer.formats.data_files import data_files, in_order
from irviewer.formats.protocol_file import protocol_text
from irviewer.measures.parser import parse_measures
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.protocol_line import ANSWERS
from irviewer.tables.table import Provenance, Remark
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
        VERSION, view, parameters or {}, text, missing_remarks(bound),
    )  # fmt: skip


def missing_remarks(bound: BoundProtocol) -> tuple[Remark, ...]:
    """Return which queries runs lack and what they count as, where the answer depends on it; answers say it of topics
    themselves."""
    if not {"rules", "missing"} & set(bound.uses) or ANSWERS in bound.uses:
        return ()
    if not bound.lacking:
        return ()
    options = evaluation_options(bound.protocol.rules)
    measures = bound.measures or parse_measures([bound.facts.primary] if bound.facts.primary else [])
    return tuple([
        Remark("missing", missing_text(name, lacks, options, measures), {"run": name, "queries": list(lacks)})
        for name, lacks in bound.lacking.items()
    ])  # fmt: skip


def named_files(protocol: EvaluationProtocol) -> tuple[tuple[str, str], ...]:
    """Return the files that a protocol names, by their role; "" for none."""
    return (
        ("query_set", protocol.scope.queries.file), ("weights", protocol.scope.weights.file),
        ("zscores", protocol.rules.zscores),
    )  # fmt: skip
