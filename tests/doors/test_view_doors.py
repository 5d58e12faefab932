"""Every view is the same in the window, on the command line, in Python and in files: equal values bit for bit, and the
line of the protocol word for word."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import tempfile
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import latency_view
import numpy as np
import pyarrow.parquet
import pytest
from examples import examples
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import irviewer
from irviewer.cli.main import main
from irviewer.errors import OptionError
from irviewer.formats import data_files
from irviewer.formats.protocol_file import protocol_text
from irviewer.model.data_file import DataFile
from irviewer.model.protocol import EvaluationProtocol
from irviewer.session.session import Session
from irviewer.tables.exact import plain_columns
from irviewer.tables.grid import grid_of
from irviewer.tables.table import Provenance, Table
from irviewer.views import manifest
from irviewer.views.result import ViewResult
from tests.helpers.report_page import ReportPage

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.errors.IrviewerWarning")
RUNS = ("alpha", "bm25", "gamma", "delta", "epsilon")
NAMES = (*(name for name in manifest.BY_NAME if not name.startswith("answer-")), latency_view.NAME)
"""Views that are computed from qrels, runs and a table of costs; those of answers need answers."""
PARAMETERS: dict[str, dict[str, Any]] = {"fusion-sweep": {"step": 1.0, "folds": 2, "repeats": 1}}
"""Parameters that make a view quick."""


@pytest.fixture(autouse=True, scope="module")
def _registered() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(manifest._added, latency_view.NAME, latency_view.latency_view())
        yield


def write(folder: Path, seed: int) -> list[str]:
    """Qrels with grades to 3, runs with ties, of which the last lacks a query, and costs of two of them."""
    dice = np.random.default_rng(seed)
    lines = [f"q{query} 0 d{n} {dice.integers(0, 4)}\n" for query in range(7) for n in range(6)]
    (folder / "qrels.txt").write_text("".join(lines))
    for name in RUNS:
        rows = [
            f"q{query} Q0 d{n} 1 {dice.integers(0, 6)} t\n"
            for query in range(7)
            for n in range(8)
            if not (name == RUNS[2] and query == 5) and (n == 0 or dice.random() < 0.8)
        ]
        (folder / f"{name}.run").write_text("".join(rows))
    (folder / "costs.csv").write_text("run,ms\n" + "".join(f"{name},{dice.random()!r}\n" for name in RUNS[:2]))
    return [str(folder / name) for name in ("qrels.txt", *(f"{name}.run" for name in RUNS), "costs.csv")]


def in_window(paths: list[str], name: str, fields: dict[str, Any]) -> tuple[str, ViewResult | str]:
    """The line of the protocol, and what the window shows of a view, or why it shows nothing."""
    session = Session()
    try:
        session.files.open_files(paths)
        session.protocol.set(**fields)
        session.evaluation.set_measure(str(fields.get("measures", "nDCG@10")))
        session.result_views.choose(name)
        for parameter, value in PARAMETERS.get(name, {}).items():
            session.result_views.set_parameter(parameter, value)
        session.compute_now()
        answer, bound = session.result_views.answer(), session.result_views.protocol()
        assert answer is not None
        assert bound is not None
        return bound.line(), answer.trouble if answer.shown is None else answer.shown
    finally:
        session.close()


def exact(result: ViewResult) -> dict[str, dict[str, list[Any]]]:
    return {
        table.name: {key: values.to_pylist() for key, values in plain_columns(table).items()} for table in result.tables
    }


def remarks(result: ViewResult) -> dict[str, list[str]]:
    return {table.name: [each.text for each in (*table.notes, *table.sentences)] for table in result.tables} | {
        "": [each.text for each in result.sentences]
    }


FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "measures": st.sampled_from(["AP", "nDCG@10", "RR", "P@5"]), "level": st.sampled_from([1, 2]),
        "dialect": st.sampled_from(["trec_eval", "trec_eval-9", "ranx", "ir_measures"]), "judged_only": st.booleans(),
        "missing": st.sampled_from(["zero", "intersection"]), "test": st.sampled_from(["t", "sign"]),
        "correction": st.sampled_from(["holm", "none"]), "interval": st.just("t"),
    },
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
    max_examples=2,
    phases=(Phase.explicit, Phase.generate),
)
@given(seed=st.integers(0, 50), fields=FIELDS)
def test_a_view_is_the_same_at_every_door(name: str, seed: int, fields: dict[str, Any]) -> None:
    check_doors(name, seed, fields)


@pytest.mark.slow
@settings(
    examples(120),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    phases=(Phase.explicit, Phase.generate),
)
@given(name=st.sampled_from(NAMES), seed=st.integers(0, 10_000), fields=FIELDS)
def test_views_are_the_same_at_every_door_in_bulk(name: str, seed: int, fields: dict[str, Any]) -> None:
    check_doors(name, seed, fields)


def check_doors(name: str, seed: int, fields: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        *data, costs = write(folder, seed)
        protocol = EvaluationProtocol().but(**{"measures": "AP", "samples": 200, **fields})
        (folder / "p.toml").write_text(protocol_text(protocol), "utf-8")
        line, window = in_window([*data, costs], name, {"measures": "AP", "samples": 200, **fields})
        own = PARAMETERS.get(name, {})
        options = [word for key, value in own.items() for word in (f"--{key}", str(value))]
        command = ["show", name, *data, "--run-attributes", costs, "--protocol", str(folder / "p.toml"), *options]
        try:
            shown = irviewer.show(name, data[0], data[1:], protocol=folder / "p.toml", run_attributes=costs, **own)
        except OptionError as error:
            assert window == str(error)
            said = io.StringIO()
            with redirect_stderr(said):
                assert main(command) == 2
            assert str(error) in said.getvalue()
            return
        tables = exact(shown.shown)
        assert not isinstance(window, str), window
        assert exact(window) == tables
        assert remarks(window) == remarks(shown.shown)
        assert shown.protocol is not None
        assert line == shown.protocol.line()
        for table, columns in tables.items():
            out = io.StringIO()
            with redirect_stdout(out):
                assert main([*command, "--table", table, "--format", "csv"]) == 0
            rows = list(csv.DictReader(io.StringIO(out.getvalue())))
            read = {key: [_read(row[key], value) for row, value in zip(rows, values, strict=True)]
                    for key, values in columns.items()}  # fmt: skip
            assert read == columns
            assert main([*command, "--table", table, "--format", "parquet", "-o", str(folder / "t.parquet")]) == 0
            assert pyarrow.parquet.read_table(folder / "t.parquet").to_pydict() == columns
        assert main([*command, "--format", "json", "-o", str(folder / "t.json")]) == 0
        document = json.loads((folder / "t.json").read_text("utf-8"))
        assert {table["name"]: [list(row.values()) for row in table["rows"]] for table in document["tables"]} == {
            table: [list(row) for row in zip(*columns.values(), strict=True)] for table, columns in tables.items()
        }
        assert document["protocol"]["line"] == line


@pytest.mark.parametrize("name", ["gate", "measure-agreement", "medians", "systems", "stability"])
def test_a_measure_that_nobody_declared_and_a_file_of_queries(name: str, tmp_path: Path) -> None:
    """The measure in view is not declared by being in view; a set of queries has one name at all doors."""
    *data, _ = write(tmp_path, 3)
    (tmp_path / "few.txt").write_text("q1\nq2\nq3\nq4\nq5\n")
    (tmp_path / "p.toml").write_text(f'[scope]\nqueries = {{ file = "{tmp_path / "few.txt"}" }}\n')
    session = Session()
    for protocol in (None, tmp_path / "p.toml"):
        shown = irviewer.show(name, data[0], data[1:], protocol=protocol)
        if protocol is None:
            session.files.open_files(data)
        else:
            session.protocol.open_file(str(protocol))
        session.result_views.choose(name)
        session.compute_now()
        answer, bound = session.result_views.answer(), session.result_views.protocol()
        assert answer is not None and bound is not None and shown.protocol is not None
        assert answer.shown is not None, answer.trouble
        assert bound.line() == shown.protocol.line()
        assert exact(answer.shown) == exact(shown.shown)
        assert remarks(answer.shown) == remarks(shown.shown)
    session.close()


@pytest.mark.parametrize("name", ["trade-offs", "systems", "queries", "query", latency_view.NAME])
def test_the_report_holds_the_tables_of_its_views(name: str, tmp_path: Path) -> None:
    """With their exact values and the line, whether the window, the command line or Python writes it."""
    *data, costs = write(tmp_path, 3)
    session = Session()
    session.files.open_files([*data, costs])
    session.protocol.set(measures=["AP"], level=2)
    session.result_views.choose(name)
    session.result_views.set_reported(True)
    session.report.save(str(tmp_path / "window.html"))
    session.close()
    (tmp_path / "p.toml").write_text('schema = 1\nmeasures = ["AP"]\nrules = { level = 2 }\n')
    options = ["--section", name, "--run-attributes", costs, "--protocol", str(tmp_path / "p.toml")]
    assert main(["report", *data, *options, "-o", str(tmp_path / "command.html")]) == 0
    protocol = tmp_path / "p.toml"
    python = irviewer.report(data[0], data[1:], protocol=protocol, sections=[name], run_attributes=costs)
    shown = irviewer.show(name, data[0], data[1:], protocol=protocol, run_attributes=costs)
    for door in ((tmp_path / "window.html").read_text(), (tmp_path / "command.html").read_text(), python.html):
        (read,) = ReportPage(door).sections[shown.view.title].values()
        (table,) = shown.shown.tables
        grid, columns = grid_of(table), plain_columns(table)
        assert [[text for text, _ in row] for row in read] == [list(grid.header), *map(list, grid.rows)]
        for place, column in enumerate(grid.columns):
            if list(column.parts) != [""]:
                assert all(row[place][1] == row[place][0] for row in read[1:]), "a cell with two ends has no one value"
                continue
            for row, value in zip(read[1:], columns[column.key].to_pylist(), strict=True):
                assert row[place][1] == ("–" if value is None else repr(value) if type(value) is float else str(value))
        assert shown.protocol is not None
        page = ReportPage(door)
        said = [note for notes in page.notes.values() for note in notes]  # a section of the page's protocol is silent
        assert shown.protocol.line() in " ".join([*page.notes[shown.view.title], *said])


def _read(text: str, value: Any) -> Any:
    """A cell of CSV as what the column holds."""
    if isinstance(value, list):
        return text.split()
    if not text:
        return "" if value == "" else None
    if isinstance(value, bool):
        return {"true": True, "false": False}[text]
    return type(value)(text) if isinstance(value, int | float) else text


def test_every_door_names_the_files_with_their_digests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The qrels and runs, of a pattern too, tables of attributes, texts, and the file of queries that a protocol
    names."""
    *data, costs = write(tmp_path, 1)
    (tmp_path / "kinds.csv").write_text("query,kind\n" + "".join(f"q{n},{'ab'[n % 2]}\n" for n in range(7)))
    (tmp_path / "texts.tsv").write_text("".join(f"q{n}\twhat is it\n" for n in range(7)))
    (tmp_path / "few.txt").write_text("q1\nq2\nq3\n")
    kinds, texts, few = (str(tmp_path / name) for name in ("kinds.csv", "texts.tsv", "few.txt"))
    protocol = tmp_path / "p.protocol.toml"
    protocol.write_text(f'schema = 1\nscope = {{ queries = {{ file = "{few}" }} }}\n')
    roles = [("qrels", data[0]), *(("run", path) for path in data[1:]), ("attributes", costs), ("attributes", kinds),
             ("queries", texts), ("query_set", few)]  # fmt: skip
    wanted = sorted(
        (role, Path(path).name, hashlib.sha256(Path(path).read_bytes()).hexdigest()) for role, path in roles
    )

    def of(result: ViewResult) -> list[tuple[str, str, str]]:
        source = result.tables[0].provenance
        assert source is not None
        return sorted((role, name, digest) for role, name, _, digest in data_files.described(source.inputs))

    def python(runs: Any) -> list[tuple[str, str, str]]:
        return of(irviewer.show("evaluation", data[0], runs, protocol=protocol, run_attributes=costs,
                                query_attributes=kinds, texts=texts).shown)  # fmt: skip

    assert python(data[1:]) == python(str(tmp_path / "*.run")) == wanted
    session = Session()
    session.files.open_files([*data, texts, costs, kinds])
    session.protocol.open_file(str(protocol))
    session.result_views.choose("evaluation")
    session.compute_now()
    answer = session.result_views.answer()
    assert answer is not None
    assert answer.shown is not None
    assert of(answer.shown) == wanted, "the queries are in the project, but their file is named all the same"
    session.close()
    words = ["show", "evaluation", *data, "--protocol", str(protocol), "--run-attributes", costs]
    words += ["--query-attributes", kinds, "--texts", texts]
    assert main([*words, "--format", "json", "-o", str(tmp_path / "t.json")]) == 0
    document = json.loads((tmp_path / "t.json").read_text("utf-8"))
    assert sorted((file["role"], file["name"], file["sha256"]) for file in document["inputs"]) == wanted
    assert main([*words, "--format", "csv", "-o", str(tmp_path / "t.csv")]) == 0
    beside = (tmp_path / "t.csv.protocol.toml").read_text("utf-8")
    assert [digest for *_, digest in wanted if digest not in beside] == []
    assert main([*words, "--format", "parquet", "-o", str(tmp_path / "t.parquet")]) == 0
    described = json.loads(pyarrow.parquet.read_schema(tmp_path / "t.parquet").metadata[b"irviewer.table"])
    assert sorted((file["role"], file["name"], file["sha256"]) for file in described["inputs"]) == wanted
    monkeypatch.setattr(data_files, "MOST_DIGESTED", 1)
    assert {digest for *_, digest in python(data[1:])} == {""}


@pytest.mark.parametrize("words", [("evaluate",), ("compare",), ("query-sets", "--query-set")], ids=lambda w: w[0])
def test_a_file_of_every_command_names_what_it_was_made_from(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Not that of ``irviewer show`` alone."""
    qrels, *runs, _ = write(tmp_path, 1)
    (tmp_path / "few.txt").write_text("q1\nq2\nq3\n")
    few = str(tmp_path / "few.txt")
    given = [("qrels", qrels), *(("run", path) for path in runs)]
    rest: tuple[str, ...] = ()
    if words[1:]:
        given, rest = [*given, ("query_set", few)], (*words[1:], few)
    wanted = sorted((role, Path(path).name, hashlib.sha256(Path(path).read_bytes()).hexdigest())
                    for role, path in given)  # fmt: skip
    command = [words[0], qrels, *runs, *rest]
    main([*command, "--format", "json", "-o", str(tmp_path / "t.json")])
    document = json.loads((tmp_path / "t.json").read_text("utf-8"))
    assert sorted((file["role"], file["name"], file["sha256"]) for file in document["inputs"]) == wanted
    main([*command, "--format", "csv", "-o", str(tmp_path / "t.csv")])
    beside = (tmp_path / "t.csv.protocol.toml").read_text("utf-8")
    assert [digest for *_, digest in wanted if digest not in beside] == []


@pytest.mark.parametrize(("given", "run"), [([], "second"), (["--run", "third"], "third")], ids=["found", "given"])
def test_every_file_says_whose_difference_it_holds(tmp_path: Path, given: list[str], run: str) -> None:
    """A column ``difference`` alone says nothing, least of all where the run was not named."""
    qrels, first, *_ = write(tmp_path, 1)
    paths = [str(tmp_path / name) for name in ("first.run", "second.run", "third.run")]
    for place, path in enumerate(paths):
        lines = Path(first).read_text("utf-8").splitlines(keepends=True)
        Path(path).write_text("".join(lines[place:]), "utf-8")
    words = ["show", "queries", qrels, *paths, "--baseline", "first", *given]
    assert main([*words, "--format", "json", "-o", str(tmp_path / "t.json")]) == 0
    assert json.loads((tmp_path / "t.json").read_text("utf-8"))["parameters"]["run"] == run
    assert main([*words, "--format", "csv", "-o", str(tmp_path / "t.csv")]) == 0
    beside = (tmp_path / "t.csv.protocol.toml").read_text("utf-8").splitlines()
    assert f"# irviewer {irviewer.__version__} queries" in beside
    assert f'# parameters: {{"run": "{run}"}}' in beside
    assert main([*words, "--format", "parquet", "-o", str(tmp_path / "t.parquet")]) == 0
    described = json.loads(pyarrow.parquet.read_schema(tmp_path / "t.parquet").metadata[b"irviewer.table"])
    assert described["parameters"]["run"] == run


def test_a_file_that_was_changed_since_has_no_digest(tmp_path: Path) -> None:
    """The numbers are those of the file that was read, so the digest of another one would be wrong."""
    qrels, run, *_ = write(tmp_path, 1)
    result = irviewer.evaluate(qrels, run, "AP")
    size = Path(run).stat().st_size
    Path(run).write_text(Path(run).read_text() + "q1 Q0 another 99 0 t\n")
    result.save(tmp_path / "t.json")
    files = json.loads((tmp_path / "t.json").read_text("utf-8"))["inputs"]
    assert [(file["role"], file["size"], file["sha256"]) for file in files] == [
        ("qrels", Path(qrels).stat().st_size, hashlib.sha256(Path(qrels).read_bytes()).hexdigest()),
        ("run", size, None),
    ]


def test_every_door_names_the_files_of_all_judges(tmp_path: Path) -> None:
    """Where the answer depends on several: a verdict, agreement with the runs under each judge, corrected scores."""
    qrels, *runs, _ = write(tmp_path, 1)
    human = str(tmp_path / "human.txt")
    lines = Path(qrels).read_text().splitlines(keepends=True)
    Path(human).write_text("".join(line for line in lines if line.split()[0] < "q4").replace(" 3\n", " 1\n"))
    wanted = [("qrels", "human.txt"), ("qrels", "qrels.txt"), *sorted(("run", Path(path).name) for path in runs)]

    def named(files: Iterable[DataFile]) -> list[tuple[str, str]]:
        return sorted((file.role, file.name) for file in files)

    def source(table: Table | None) -> Provenance:
        assert table is not None and table.provenance is not None
        return table.provenance

    session = Session()
    session.files.open_files([qrels, *runs, human])
    session.evaluation.set_measure("AP")
    session.result_views.choose("verdict")
    session.compute_now()
    answer = session.result_views.answer()
    assert answer is not None and answer.shown is not None, answer
    verdict = irviewer.verdict(qrels, runs, judges=[human]).shown
    for shown in (answer.shown, verdict):
        assert named(source(shown.tables[0]).inputs) == wanted

    comparison = session.judge_comparison
    comparison.set_pair(0, 1)
    comparison.set_reference(1)
    for tab in ("confusion", "judges", "corrected"):
        comparison.go_to(tab)
        session.compute_now()
    models: list[Any] = [
        comparison.confusion_view_model(),
        comparison.systems_view_model(),
        comparison.corrected_view_model(),
    ]
    confusion, systems, corrected = models
    under = irviewer.agreement([human, qrels], runs=runs, measure="AP").protocol
    by_hand = irviewer.corrected_scores(human, qrels, runs, "AP", baseline="bm25").protocol
    assert under is not None and by_hand is not None
    assert named(under.files) == named(by_hand.files) == wanted
    for table in (confusion.by_query, systems.orders, corrected.table):
        assert named(source(table).inputs) == wanted
    assert source(systems.orders).line == under.line()
    assert source(corrected.table).line.replace(" (by name)", "") == by_hand.line()
