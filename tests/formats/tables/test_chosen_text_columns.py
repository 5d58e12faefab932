"""Queries and documents in tables whose headers have unknown names, read with the columns that the user gave."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from irviewer.cli.main import main
from irviewer.errors import ColumnsError, OptionError
from irviewer.formats.load import load
from irviewer.model.column_names import ColumnChoice, parse_columns
from irviewer.model.texts import TextTable

ROWS = [
    {"nr": "7", "frage": "how, far is it", "kopf": "Distance", "text": "no"},
    {"nr": "8", "frage": '"quoted"', "kopf": "", "text": "nor this"},
]
FORMS = ("csv", "tsv", "jsonl", "parquet", "json")


def written(folder: Path, form: str, rows: list[dict[str, str]] = ROWS) -> Path:
    path = folder / f"data.{form}"
    if form == "parquet":
        parquet.write_table(pa.Table.from_pylist(rows), path)
    elif form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif form == "json":
        path.write_text(json.dumps(rows))
    else:
        mark = "," if form == "csv" else "\t"
        cells = [list(rows[0]), *(['"' + cell.replace('"', '""') + '"' for cell in row.values()] for row in rows)]
        path.write_text("".join(mark.join(row) + "\n" for row in cells))
    return path


def read(path: Path, columns: str, kind: str | None = None) -> tuple[str, TextTable]:
    choice = ColumnChoice(parse_columns(columns))
    loaded = load(path, kind=kind, columns=choice)
    choice.check()
    assert isinstance(loaded.value, TextTable)
    return loaded.kind, loaded.value


@pytest.mark.parametrize("form", FORMS)
def test_id_text_and_title_are_the_columns_given(form: str, tmp_path: Path) -> None:
    for kind in ("queries", "documents"):
        kind_read, table = read(written(tmp_path, form), "id=nr,text=frage,title=kopf", kind)
        assert (kind_read, list(table.ids)) == (kind, ["7", "8"])
        assert [table.text(key) for key in table.ids] == [row["frage"] for row in ROWS]
        assert table.title("7") == "Distance"
        assert table.row("7")["text (2)"] == "no"  # what had the name is kept under another


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet"])
def test_a_column_of_queries_or_documents_tells_the_kind(form: str, tmp_path: Path) -> None:
    path = written(tmp_path, form)
    assert read(path, "query=nr,text=frage")[0] == "queries"
    assert read(path, "doc=nr,text=frage")[0] == "documents"


@pytest.mark.parametrize("form", FORMS)
def test_a_column_that_is_not_in_the_file_is_refused(form: str, tmp_path: Path) -> None:
    with pytest.raises((OptionError, ColumnsError)):
        read(written(tmp_path, form), "id=nr,text=nix", "documents")


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_unknown_names_are_reported_with_the_columns_and_the_option(form: str, tmp_path: Path) -> None:
    rows = [{key: row[key] for key in ("nr", "frage")} for row in ROWS]
    with pytest.raises(ColumnsError) as fault:
        load(written(tmp_path, form, rows), kind="documents")
    assert list(fault.value.names) == ["nr", "frage"]


def test_the_command_line_converts_and_explains_with_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "csv")
    out = tmp_path / "queries.jsonl"
    columns = "query=nr,text=frage"
    assert main(["convert", str(path), str(out), "--kind", "queries", "--columns", columns]) == 0
    assert json.loads(out.read_text().splitlines()[0])["text"] == "how, far is it"
    (tmp_path / "q").write_text("7 0 7 1\n7 0 8 1\n")
    (tmp_path / "r").write_text("7 Q0 7 1 2 x\n7 Q0 8 2 1 x\n")
    capsys.readouterr()
    words = ["explain", str(tmp_path / "q"), str(tmp_path / "r"), "-q", "7", "-m", "AP", "--document", "7"]
    words += ["--texts", str(path), "--documents", str(path)]
    assert main([*words, "--columns", "id=nr,text=frage"]) == 0
    assert "distance" not in capsys.readouterr().out  # terms of the text, not of other columns
