"""Tables as CSV and TSV: a header of keys, one exact value in a cell, nothing in a cell without a value.

Numbers are the shortest that read back to the same bits, as Arrow writes them. A cell is in quotation marks only if it
must be. Where the protocol and the inputs are wanted beside the file, see :mod:`irviewer.tables.sidecar`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from irviewer.tables.exact import plain_columns
from irviewer.tables.table import Table
from irviewer.tables.utf8 import utf8

ROWS = 2**14
"""Rows that are written in one step: few enough to stay in the cache of a processor."""
FORMULA = "^([=+\\-@\t\r\n]|\uff1d|\uff0b|\uff0d|\uff20)"
"""How a cell begins that a spreadsheet would take for a formula: also with the wide signs of East Asia."""


def encoded(table: Table, delimiter: str = ",", *, guard: bool = False) -> bytes:
    """Return a table as UTF-8 lines. With ``guard`` texts that a spreadsheet would compute begin with an apostrophe."""
    out = BytesIO()
    write(table, out, delimiter, guard=guard)
    return out.getvalue()


def write(table: Table, out: BinaryIO, delimiter: str = ",", *, guard: bool = False) -> None:
    """Write the lines of :func:`encoded` some rows at a time, so that a large table is in no place as a whole."""
    columns = plain_columns(table, raw=True)
    separator = delimiter.encode()
    names = pa.array([utf8(name) for name in columns], pa.binary())
    out.write(separator.join(_quoted(names, delimiter).to_pylist()) + b"\n")
    for start in range(0, table.n_rows, ROWS):
        cells = [_written(array[start : start + ROWS], delimiter, guard) for array in columns.values()]
        if any(quoted for _, quoted in cells):
            texts = [array if pa.types.is_binary(array.type) else _bytes(array) for array, _ in cells]
            texts[-1] = _joined(texts[-1], b"\n", separator=b"")
            out.write(_contents(_joined(*texts, separator=separator)))
        else:  # Arrow's own writer is quicker, but puts no text in quotation marks or every one
            batch = pa.record_batch([array for array, _ in cells], list(map(str, range(len(cells)))))
            csv.write_csv(batch, out, csv.WriteOptions(
                include_header=False, delimiter=delimiter, quoting_style="none", batch_size=ROWS
            ))  # fmt: skip


def copied(rows: Iterable[Sequence[object]]) -> str:
    """Return rows of cells as people see them, tab-separated, for the clipboard: a sheet that they are pasted into has
    no quotation marks, so tabs and line ends within a cell become spaces."""
    return "".join("\t".join(_one_line(str(cell)) for cell in row) + "\n" for row in rows)


def _one_line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text or "\t" in text or "\r" in text else text


def _joined(*cells: pa.Array | bytes, separator: bytes) -> pa.Array:
    """Return rows of cells as texts; a cell without a value is empty."""
    return pc.binary_join_element_wise(*cells, separator, null_handling="replace", null_replacement=b"")


def _contents(array: pa.Array) -> pa.Buffer:
    """Return all texts behind each other, as they lie in memory: no object is made for a row."""
    _, ends, contents = array.buffers()
    first, last = np.frombuffer(ends, np.int32)[[array.offset, array.offset + len(array)]].tolist()
    return contents[first:last]


def _written(array: pa.Array | pa.ChunkedArray, delimiter: str, guard: bool) -> tuple[pa.Array, bool]:
    """Return the cells of a column, and whether a text of them is in quotation marks."""
    cells = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    if not pa.types.is_binary(cells.type):
        return cells, False
    if guard:
        formulas = pc.match_substring_regex(cells, FORMULA)
        cells = pc.if_else(formulas, pc.binary_join_element_wise(b"'", cells, b""), cells)
    quoted = _quoted(cells, delimiter)
    return quoted, quoted is not cells


def _bytes(numbers: pa.Array) -> pa.Array:
    return numbers.cast(pa.string()).cast(pa.binary())


def _quoted(array: pa.Array, delimiter: str) -> pa.Array:
    """Return texts, those in quotation marks that must be; the array itself where none must."""
    must = pc.match_substring_regex(array, f'["\n\r{delimiter}]')
    if not pc.any(must).as_py():
        return array
    doubled = pc.replace_substring(array, b'"', b'""')
    return pc.if_else(must, pc.binary_join_element_wise(b'"', doubled, b'"', b""), array)
