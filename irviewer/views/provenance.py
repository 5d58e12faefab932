"""What the tables of a view were made from, said the same way at every door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from irviewer.errors import MeasureError, OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.caveats import missing_text
from irviewer.formats.data_files import data_files, in_order
from irviewer.formats.protocol_file import protocol_text
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measures
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.protocol_line import ANSWERS
from irviewer.tables.table import Provenance, Remark, Table
from irviewer.version import VERSION


def provenance(
    view: str, bound: BoundProtocol | None, parameters: Mapping[str, Any] | None = None, measures: Sequence[str] = ()
) -> Provenance:
    """Return what a view was computed from: its protocol, None for one that depends on none, and its parameters.

    ``measures`` are those that it shows where its tables name none; () for its parameter ``measure``, else the primary
    one."""
    parameters = parameters or {}
    if bound is None:
        return Provenance(version=VERSION, view=view, parameters=parameters)
    shown = measures or [str(parameters.get("measure") or bound.facts.primary)]
    protocol = bound.protocol
    if protocol.scope.queries and bound.facts.collections is None:
        queries = protocol.scope.queries.with_queries((*bound.query_ids, *bound.left_out))
        protocol = replace(protocol, scope=replace(protocol.scope, queries=queries))
    try:
        text = protocol_text(protocol)
    except OptionError:  # of rules that have no name
        text = ""
    return Provenance(
        bound.line(), bound.as_json(), in_order([*bound.files, *data_files(named_files(bound.protocol))]),
        VERSION, view, parameters, text,
        missing_beside=partial(missing_remarks, bound, shown) if _names_missing(bound) else None,
    )  # fmt: skip


def _names_missing(bound: BoundProtocol) -> bool:
    """Return whether runs lack queries and the answer depends on what these count as; answers say it of topics
    themselves."""
    return bool(bound.lacking) and bool({"rules", "missing"} & set(bound.uses)) and ANSWERS not in bound.uses


def missing_remarks(bound: BoundProtocol, others: Sequence[str], tables: Sequence[Table]) -> tuple[Remark, ...]:
    """Return which queries runs lack, and what they count as by the measures that the tables name, else by
    ``others``."""
    options = evaluation_options(bound.protocol.rules)
    measures = _measures(_named_measures(tables)) or _measures(others)
    return tuple([
        Remark("missing", missing_text(name, lacks, options, measures), {"run": name, "queries": list(lacks)})
        for name, lacks in bound.lacking.items()
    ])  # fmt: skip


def _named_measures(tables: Sequence[Table]) -> list[str]:
    """Return the measures that are columns, and those that rows name."""
    named: dict[str, None] = {}
    for column in [each for table in tables for each in table.columns]:
        if column.names == "measure":
            named[column.key] = None
        elif column.key == "measure" and column.kind == "text":
            named |= dict.fromkeys(text for text in column.values if text)
    return list(named)


def _measures(texts: Sequence[str]) -> list[Measure]:
    """Return the measures of texts; what is none, such as a name of another package, is left out."""
    measures: list[Measure] = []
    for text in texts:
        with suppress(MeasureError):
            measures += parse_measures([text] if text else [])
    return measures


def named_files(protocol: EvaluationProtocol) -> tuple[tuple[str, str], ...]:
    """Return the files that a protocol names, by their role; "" for none."""
    return (
        ("query_set", protocol.scope.queries.file), ("weights", protocol.scope.weights.file),
        ("zscores", protocol.rules.zscores),
    )  # fmt: skip
