"""Records of answers and labels in Parquet and Arrow files: a row a record, its lists and objects nested, as pandas and
data sets on the web write what is one JSON object a line elsewhere. They are read as these objects."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pyarrow as pa

from irviewer.errors import ParseError
from irviewer.formats.answers import nuggets, support, trec
from irviewer.formats.answers.tables import ARROW_MARKS
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted
from irviewer.formats.load_report import file_fact
from irviewer.formats.reading.opener import Opened
from irviewer.formats.tables.arrow_tables import read_table


def _example(kind: pa.DataType) -> Any:
    """Return a value of a column's type that has all members."""
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return [_example(kind.value_type)]
    if pa.types.is_struct(kind):
        return {kind.field(place).name: _example(kind.field(place).type) for place in range(kind.num_fields)}
    return "" if pa.types.is_string(kind) or pa.types.is_large_string(kind) else None


def _without_gaps(value: Any) -> Any:
    """Return a value without the members that no record of its own gave: a struct has those of all records."""
    if isinstance(value, list):
        return [_without_gaps(each) for each in value]
    if isinstance(value, dict):
        return {name: _without_gaps(each) for name, each in value.items() if each is not None}
    return value


def _as_json(opened: Opened, records: list[Any]) -> Opened:
    text = json.dumps(records, ensure_ascii=False, default=str)
    return Opened(opened.path, text.encode("utf-8", "surrogatepass"), opened.compression, "utf-8", opened.sizes)


def _of_rows(form: Format) -> Format:
    """Return the format of the same records as rows."""

    def sniff(head: Head) -> Sniffed | None:
        if not head.binary or not head.opened.head.startswith(ARROW_MARKS):
            return None
        with suppress(pa.ArrowException, OSError, ValueError, IndexError, ParseError):
            return form.sniff(Head(_as_json(head.opened, [{each.name: _example(each.type) for each in head.schema}])))
        return None

    def read(opened: Opened, wanted: Wanted) -> Loaded:
        rows = [{name: _without_gaps(value) for name, value in row.items()} for row in read_table(opened).to_pylist()]
        loaded = form.read(_as_json(opened, rows), wanted)
        facts = (file_fact(opened), *loaded.report.facts[1:])
        return replace(loaded, report=replace(loaded.report, facts=facts))

    return Format(f"{form.name}-arrow", form.title, form.kinds, sniff, read, binary=True)


FORMATS = tuple(map(_of_rows, (trec.FORMAT, nuggets.FORMAT, nuggets.ASSIGNED, nuggets.SEGMENTED, support.FORMAT)))
