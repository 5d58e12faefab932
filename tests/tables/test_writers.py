"""The writers of tables: data read back to the same bits, texts as they are shown, nothing interpreted."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from irviewer.errors import OptionError
from irviewer.model.data_file import DataFile
from irviewer.paths import resource
from irviewer.tables import column
from irviewer.tables.column import Column, ComparisonFamily
from irviewer.tables.exact import METADATA
from irviewer.tables.grid import grid_of
from irviewer.tables.table import Mark, Provenance, Remark, Status, Table
from irviewer.tables.writers import delimited
from irviewer.tables.writers.registry import WRITERS, table_named, writer_named, writer_of

SCHEMA = json.loads(resource("table.schema.json").read_text())
FAMILY = ComparisonFamily("runs", 2, "Holm", 0.05)
TEXTS = st.none() | st.text(st.characters(exclude_categories=()), max_size=6)
NUMBERS = st.floats(allow_nan=True, allow_infinity=True, width=64)
KEYS = ("query", "difference", "interval", "p", "n", "share", "tags", "outcome", "flag", "sum")
NAMES = st.text(min_size=1, max_size=5).filter(lambda name: name not in KEYS)
COUNTS = st.integers(0, 2**40)


def named(name: str) -> Any:
    """Return the function that writes a format."""
    return writer_named(name).write


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A table of each kind of column, and any values."""
    n = draw(st.integers(0, 5))

    def some(values: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(values, min_size=n, max_size=n))

    return Table("drawn", draw(st.text(max_size=5)), (
        column.identifier("query", "query", some(TEXTS)),
        column.number(draw(NAMES), "value", some(NUMBERS), names="measure", better_up=True, best=True),
        column.difference("difference", "Δ", some(NUMBERS), better_up=True, of="p"),
        column.interval("interval", "95 %", some(NUMBERS), some(NUMBERS), of="difference"),
        column.p_value("p", "p", some(st.none() | st.floats(0, 1)), FAMILY),
        column.count("n", "n", some(st.none() | COUNTS)),
        column.share("share", "share", some(st.floats(0, 1))),
        column.tags("tags", "tags", some(st.lists(st.sampled_from("abc"), max_size=2).map(tuple))),
        column.outcome("outcome", "outcome", some(st.sampled_from(["better", "equal", None]))),
        column.flag("flag", "flag", some(st.none() | st.booleans())),
        column.parts("sum", "sum", {"kept": some(NUMBERS), "lost": some(NUMBERS)}),
    ))  # fmt: skip


def header_of(table: Table) -> list[str]:
    """Return the names that files have for the columns."""
    return [each.named(part) for each in table.columns for part in each.parts]


def same(ours: Column, part: str, row: int, theirs: Any) -> bool:
    """Whether a value that was read is that of the table, to the last bit."""
    value = ours.parts[part][row]
    if ours.kind == "tags":
        return list(value) == list(theirs or [])
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return theirs is None
    if ours.kind == "flag":
        return value is theirs
    if ours.is_text:
        return bool(str(value).encode("utf-8", "replace") == str(theirs).encode("utf-8", "replace"))
    return bool(np.float64(value).tobytes() == np.float64(theirs).tobytes() or (value == theirs == 0))


@given(table=tables())
def test_parquet_and_arrow_hold_the_same_bits(table: Table) -> None:
    for name, read in (
        ("parquet", lambda data: parquet.read_table(io.BytesIO(data))),
        ("arrow", lambda data: pa.ipc.open_file(pa.BufferReader(data)).read_all()),
    ):
        back = read(named(name)([table]))
        assert back.column_names == header_of(table)
        for each in table.columns:
            for part in each.parts:
                values = back[each.named(part)].to_pylist()
                assert all(same(each, part, row, value) for row, value in enumerate(values)), (name, each.key)


@pytest.mark.parametrize(("name", "delimiter"), [("csv", ","), ("tsv", "\t")])
@given(table=tables())
def test_delimited_text_is_read_back(name: str, delimiter: str, table: Table) -> None:
    data = named(name)([table]).decode("utf-8", "surrogateescape")
    header, *rows = csv.reader(io.StringIO(data, newline=""), delimiter=delimiter)
    assert header == header_of(table)
    assert len(rows) == table.n_rows
    place = 0
    for each in table.columns:
        for part in each.parts:
            for row, cells in enumerate(rows):
                cell, value = cells[place], each.parts[part][row]
                if each.kind == "tags":
                    assert cell == " ".join(value)
                elif value is None or (isinstance(value, float) and math.isnan(value)):
                    assert cell == ""
                elif each.kind == "flag":
                    assert cell == str(value).lower()
                elif each.is_text:
                    kept = str(value).encode("utf-8", "surrogateescape" if _is_byte(str(value)) else "replace")
                    assert cell.encode("utf-8", "surrogateescape") == kept
                else:
                    assert float(cell) == value
            place += 1


@given(table=tables(), step=st.integers(1, 3))
def test_delimited_text_does_not_depend_on_the_rows_of_a_step(table: Table, step: int) -> None:
    """Rows are copied from a part of an array: the second part begins where the first ended."""
    whole = delimited.encoded(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "ROWS", step)
        assert delimited.encoded(table) == whole


def _is_byte(text: str) -> bool:
    """Whether all lone surrogates of a text stand for bytes."""
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


@given(table=tables())
def test_json_holds_values_and_what_they_are(table: Table) -> None:
    whole = json.loads(named("json")([table]))
    jsonschema.validate(whole, SCHEMA)
    (read,) = whole["tables"]
    assert [each["key"] for each in read["columns"]] == [_valid(each.key) for each in table.columns]
    for row, cells in enumerate(read["rows"]):
        assert list(cells) == list(map(_valid, header_of(table)))
        for each in table.columns:
            for part in each.parts:
                value = cells[_valid(each.named(part))]
                finite = each.is_text or each.kind in ("tags", "flag") or np.isfinite(each.numbers[part][row])
                assert same(each, part, row, value) if finite else value is None


def _valid(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


@given(table=tables())
def test_people_are_shown_the_same_in_every_format(table: Table) -> None:
    grid = grid_of(table)
    assert len(grid.rows) == table.n_rows
    for name in ("table", "markdown", "latex", "html"):
        named(name)([table, table]).decode("utf-8", "surrogateescape")
    text = named("html")([table]).decode("utf-8", "surrogateescape")
    assert text.count("<tr>") == table.n_rows + 1
    assert text.count("<td") == table.n_rows * len(table.columns)


def example(**options: Any) -> Table:
    """A table of two runs and a baseline."""
    up = {"better_up": True}
    columns = (
        column.run("run", "run", ["base", "a", "b"]),
        column.number("AP", "AP", np.array([0.5, 0.25, np.nan]), names="measure", best=True, **up),
        column.difference("difference", "Δ", np.array([np.nan, -0.25, 0.1]), of="p_corrected", **up),
        column.interval("interval", "95 %", np.array([np.nan, -0.3, 0]), np.array([np.nan, -0.1, 0.2])),
        column.p_value("p_corrected", "p", np.array([np.nan, 0.0101, 0.3]), FAMILY),
    )
    return Table("means", "AP", columns, **options)


def test_what_a_table_looks_like() -> None:
    table = example(
        marks={(1, "difference"): Mark("dagger", "†", "shown to be worse")},
        notes=(Remark("lacks", "b lacks a query."),),
        provenance=Provenance("53 queries · Holm over 2"),
    )
    assert named("table")([table]).decode() == (
        "53 queries · Holm over 2\n\nAP\n"
        "run       AP            Δ                95 %     p\n"
        "base  0.5000            –                   –     –\n"
        "a     0.2500  ▼ † −0.2500  [−0.3000, −0.1000]  .010\n"
        "b          –    △ +0.1000    [0.0000, 0.2000]  .300\n"
        "† shown to be worse\nNote: b lacks a query.\n"
    )
    assert "| base | **0.5000** |" in named("markdown")([table]).decode()
    assert r"\textbf{0.5000}" in named("latex")([table]).decode()
    meaning = r"$\ddagger$: the test shows it to be worse (p \textless{} .05). "
    assert (
        rf"\caption{{AP. 53 queries $\cdot$ Holm over 2. $\dagger$ shown to be worse. {meaning}b lacks a query.}}"
        in (named("latex")([table]).decode())
    )


def test_a_difference_is_shown_only_by_the_declared_family() -> None:
    declared = example()
    tried = ComparisonFamily("slices", 2, "Holm", exploratory=True)
    columns = [*declared.columns[:-1], column.p_value("p_corrected", "p", declared.column("p_corrected").values, tried)]
    assert [row[2][0] for row in grid_of(declared).rows] == ["–", "▼", "△"]
    assert [row[2][0] for row in grid_of(Table("means", "AP", tuple(columns))).rows] == ["–", "▽", "△"]


def test_the_best_is_of_plain_rows_as_they_are_shown() -> None:
    values = np.array([0.9, 0.50001, 0.50002, 0.2, np.nan])
    table = Table(
        "t", "", (column.number("v", "v", values, best=True, better_up=True),),
        status=Status.of(Status.TOTAL, *[Status.PLAIN] * 4),
    )  # fmt: skip
    assert "**" not in named("markdown")([table]).decode().split("\n")[2]
    assert named("markdown")([table]).decode().count("**0.5000**") == 2


def test_cells_that_a_spreadsheet_would_compute_are_guarded_if_asked_for() -> None:
    from irviewer.tables.writers.delimited import encoded

    texts = ["=1+1", "+1", "-x", "@a", "\tq", "d-1", "1=1", None]
    table = Table("t", "", (column.text("id", "id", texts), column.number("v", "v", [-1.0] * 8)))
    lines = encoded(table, guard=True).decode().splitlines()
    assert lines[1:] == ["'=1+1,-1", "'+1,-1", "'-x,-1", "'@a,-1", "'\tq,-1", "d-1,-1", "1=1,-1", ",-1"]
    assert encoded(table).decode().splitlines()[1] == "=1+1,-1", "what is not asked for is not done: it reads back"


def test_what_a_file_was_made_from_travels_with_it(tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_bytes(b"1 0 a")
    source = Provenance(
        "53 queries", {"rules": {"level": 2}}, (DataFile("qrels", str(tmp_path / "q.txt")),), "1.0", "compare", {"k": 1}
    )
    table = example(notes=(Remark("lacks", "b lacks a query.", {"run": "b"}),)).with_provenance(source)
    inputs = [{"role": "qrels", "name": "q.txt", "size": 5, "sha256": hashlib.sha256(b"1 0 a").hexdigest()}]
    whole = json.loads(named("json")([table, table]))
    assert (whole["protocol"], whole["inputs"], whole["view"]) == ({"rules": {"level": 2}}, inputs, "compare")
    assert all("protocol" not in each for each in whole["tables"])
    family = {"name": "runs", "tests": 2, "correction": "Holm", "alpha": 0.05, "exploratory": False}
    assert whole["tables"][1]["columns"][4] == {
        "key": "p_corrected", "kind": "p", "names": None, "parts": [], "family": family,
    }  # fmt: skip
    schema = parquet.read_table(io.BytesIO(named("parquet")([table]))).schema
    held = json.loads(schema.metadata[METADATA])
    assert held["protocol"] == {"rules": {"level": 2}}
    assert held["notes"] == [{"code": "lacks", "text": "b lacks a query.", "values": {"run": "b"}}]


def test_columns_are_checked() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        Table("t", "", (column.text("a", "a", ["x"]), column.text("b", "b", [])))
    with pytest.raises(ValueError, match="one key"):
        Table("t", "", (column.text("a", "a", ["x"]), column.text("a", "b", ["y"])))
    with pytest.raises(ValueError, match="key is"):
        column.text("Título", "a", ["x"])


def test_formats_and_tables_are_found_by_name() -> None:
    assert writer_of("x.TEX").name == "latex"
    with pytest.raises(OptionError, match=r"Use one of \.txt, \.md"):
        writer_of("x.docx")
    with pytest.raises(OptionError, match=r"There is no format 'xml'\. Use one of table, markdown"):
        writer_named("xml")
    assert table_named([example()], "").name == "means"
    with pytest.raises(OptionError, match=r"There is no table 'x'\. There are: means\."):
        table_named([example()], "x")
    suffixes = [suffix for writer in WRITERS for suffix in writer.suffixes]
    assert len(set(suffixes)) == len(suffixes)
