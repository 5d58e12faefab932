"""irviewer show, and irviewer.show, of a view of another package: see tests/test_plugin_guide.py for one that is
installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import pyarrow as pa
import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.tables.column import identifier, number
from irviewer.tables.table import Remark, Table
from irviewer.views import manifest
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, option


def compute(
    inputs: Any,
    protocol: Any,
    *,
    power: Annotated[float, option("a power")] = 2,
    loud: Annotated[bool, option("say it")] = False,
) -> Any:
    """Values by query, raised to a power."""
    return inputs.one.values((0,)), power, loud


def tables(powers_of: Any, protocol: Any) -> ViewResult:
    values, power, loud = powers_of
    powers = number("power", "power", values.values[0] ** power)
    by_query = Table(
        "by_query", "By query", (identifier("query", "query", values.query_ids), powers), keys=values.query_ids
    )
    summary = Table("summary", "Summary", (number("largest", "largest", [powers.numbers[""].max()]),))
    return ViewResult(powers_of, (by_query, summary), sentences=(Remark("loud", "LOUD"),) if loud else ())


def explain(powers_of: Any, protocol: Any, row: Any, column: str) -> ViewResult:
    return ViewResult(None, (Table("steps", f"{row} {column}", (number("x", "x", [1.0]),)),))


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    view = ResultView("test-power", compute, tables, title="Power", explain=explain, uses=("rules", "scope"))
    monkeypatch.setitem(manifest._added, "test-power", view)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "q.txt").write_text("1 0 a 1\n2 0 b 1\n10 0 c 1\n")
    (tmp_path / "r.run").write_text("1 Q0 x 1 2 r\n1 Q0 a 2 1 r\n2 Q0 b 1 1 r\n10 Q0 z 1 1 r\n")
    return [str(tmp_path / "q.txt"), str(tmp_path / "r.run"), "-m", "RR"]


def test_the_table_is_below_the_line(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "test-power", *files, "--loud", "--power", "1", "--table", "by_query"]) == 0
    assert capsys.readouterr().out == (
        "3 queries · binary, level ≥ 1 · unjudged: unknown\n\nBy query\n"
        "query   power\n1      0.5000\n10     0.0000\n2      1.0000\n\nLOUD\n"
    )


def test_rows_are_sorted_and_chosen(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "test-power", *files, "--format", "csv", "--sort", "query", "--where", "power < 1"]) == 0
    printed = capsys.readouterr()
    assert printed.out == "query,power\n1,0.25\n10,0\n"
    assert "CSV holds one table, by_query; --table names another one: summary" in printed.err
    assert main(["show", "test-power", *files, "--format", "tsv", "--sort", "power", "--descending"]) == 0
    assert capsys.readouterr().out == "query\tpower\n2\t1\n1\t0.25\n10\t0\n"


def test_python_has_the_same(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = irviewer.show("test-power", files[0], files[1], measures="RR", power=3.0)
    assert shown.tables == ("by_query", "summary")
    assert shown.to_arrow().to_pydict() == {"query": ["1", "10", "2"], "power": [0.125, 0.0, 1.0]}
    assert list(shown["summary"].column("largest").values) == [1.0]
    assert shown.value[1] == 3.0 and shown.explain("1", "power").tables[0].title == "1 power"
    assert repr(shown).startswith("3 queries · binary, level ≥ 1 · unjudged: unknown\n\nBy query\n")
    for ending in (".csv", ".tsv", ".json", ".tex", ".md", ".txt", ".html"):
        shown.save(tmp_path / f"python{ending}")
        form = {".tex": "latex", ".md": "markdown", ".txt": "table"}.get(ending, ending[1:])
        target = tmp_path / f"command{ending}"
        arguments = ["show", "test-power", *files, "--power", "3", "--format", form, "-o", str(target)]
        assert main(arguments) == 0
        ours, theirs = ((tmp_path / f"{door}{ending}").read_bytes() for door in ("python", "command"))
        if ending == ".json":
            assert json.loads(ours)["tables"] == json.loads(theirs)["tables"]
        else:
            assert ours == theirs, ending
    shown.save(tmp_path / "python.arrow", "summary")
    main(
        ["show", "test-power", *files, "--format", "arrow", "--table", "summary", "-o", str(tmp_path / "command.arrow")]
    )
    read = [pa.ipc.open_file(tmp_path / f"{door}.arrow").read_all() for door in ("python", "command")]
    assert read[0].to_pydict() == read[1].to_pydict() == {"largest": [1.0]}


def test_a_protocol_file_is_followed_and_named(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.toml").write_text('schema = 1\nmeasures = ["P@1"]\nscope = { queries = ["1", "2"] }\n')
    path = str(tmp_path / "p.toml")
    assert main(["show", "test-power", *files[:2], "--protocol", path, "--table", "by_query"]) == 0
    first, _, _, _, *rows = capsys.readouterr().out.splitlines()
    assert first == "2 of 3 queries · binary, level ≥ 1 · unjudged: unknown (p.toml)"
    assert rows == ["1      0.0000", "2      1.0000"]
    shown = irviewer.show("test-power", files[0], files[1], protocol=path)
    assert shown.to_arrow().to_pydict() == {"query": ["1", "2"], "power": [0.0, 1.0]}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["test-pwer"], "irviewer: there is no view test-pwer; the views are test-power"),
        (["test-power"], "irviewer: give QRELS and at least one RUN after test-power"),
        (["test-power", "FILES", "--power", "x"], "argument --power: power is 'x'; it must be a number"),
        (["test-power", "FILES", "--sort", "z"], "there is no column z; the columns are query, power"),
        (["test-power", "FILES", "--table", "z"], "There is no table 'z'. There are: by_query, summary."),
        (["test-power", "FILES", "--where", "z > 1"], "unknown column “z”"),
        (["test-power", "FILES", "--explain", "7", "power"], "there is no row 7 in by_query"),
        (["test-power", "FILES", "--baseline", "z"], "irviewer: "),
    ],
)
def test_what_cannot_be_shown_is_said_in_a_line(
    arguments: list[str], said: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = [word for argument in arguments for word in (files if argument == "FILES" else [argument])]
    status = main(["show", *given])
    printed = capsys.readouterr()
    if "--baseline" in arguments:  # a view that compares nothing does not use it
        assert status == 0
        return
    assert status == 2 and said in printed.err and len(printed.err.splitlines()) == 1


def test_views_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show"]) == 0
    assert "test-power" in capsys.readouterr().out


def test_python_refuses_what_is_no_parameter(files: list[str]) -> None:
    with pytest.raises(irviewer.IrviewerError, match="view test-power has no parameter strength; it has power, loud"):
        irviewer.show("test-power", files[0], files[1], strength=2)
    with pytest.raises(TypeError, match="zscores"):
        irviewer.show("test-power", files[0], files[1], zscores="TREC")


def test_a_view_is_read_as_its_command(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each row repeated what the command has as the heading of its group."""
    other = tmp_path / "s.run"
    other.write_text("1 Q0 a 1 2 s\n2 Q0 x 1 2 s\n2 Q0 b 2 1 s\n10 Q0 c 1 1 s\n")
    words = [*files[:2], str(other), "-m", "RR", "-m", "P@1"]
    said = []
    for command in (["compare"], ["show", "comparison"]):
        assert main([*command, *words]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] and "RR, 3 queries, compared with r\n" in said[0]
    assert main(["show", "comparison", *words, "--table", "runs", "--sort", "mean"]) == 0
    assert "RR, means" in capsys.readouterr().out  # in an order of all rows each says its measure
