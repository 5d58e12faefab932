"""Results as data frames, files, pictures and tables of notebooks: the same numbers, and texts as data."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import irviewer
from irviewer.errors import OptionError
from irviewer.views.registered import view_of

ROOT = Path(__file__).parents[2]
QRELS = {str(q): {"a": 2, "b": 0, "c": 1} for q in range(40)}
JUDGED = {str(q): {"a": q % 3, "b": 1, "c": 1} for q in range(30)}
GOOD = {str(q): {"a": 3.0, "c": 2.0, "b": 2.0} for q in range(40)}
BAD = {str(q): {"b": 3.0 if q % 2 else 1.0, "a": 2.0, "x": 1.5} for q in range(40)}
RUNS = {"good": GOOD, "bad": BAD}
HOSTILE = '<script>alert("x")</script>&{0}\x1b[31m|$'


RESULTS: dict[str, Callable[[], Any]] = {
    "evaluate": lambda: irviewer.evaluate(QRELS, RUNS, ["AP", "nDCG@10"]),
    "compare": lambda: irviewer.compare(QRELS, RUNS, "AP"),
    "comparison": lambda: irviewer.compare(QRELS, RUNS, "AP")["AP"],
    "explain": lambda: irviewer.explain(QRELS, GOOD, "AP", "1"),
    "mean": lambda: irviewer.explain(QRELS, GOOD, "AP"),
    "difference": lambda: irviewer.explain(QRELS, GOOD, "AP", "1", against=BAD),
    "mean difference": lambda: irviewer.explain(QRELS, GOOD, "AP", against=BAD),
    "ties": lambda: irviewer.explain(QRELS, GOOD, "AP", "1", ties=True),
    "tie changes": lambda: irviewer.explain(QRELS, GOOD, "AP", ties=True),
    "similarity": lambda: irviewer.similarity(RUNS),
    "agreement": lambda: irviewer.measure_agreement(QRELS, RUNS),
    "stability": lambda: irviewer.ranking_stability(QRELS, RUNS, samples=50),
    "sets": lambda: irviewer.set_means(QRELS, RUNS, {"some": ["1", "2"]}),
    "failures": lambda: irviewer.failures(QRELS, RUNS, "AP"),
    "worklist": lambda: irviewer.worklist(QRELS, RUNS, "AP"),
    "dialects": lambda: irviewer.dialects(QRELS, RUNS, "nDCG@10"),
    "curves": lambda: irviewer.curves(QRELS, RUNS),
    "judges": lambda: irviewer.agreement({"one": QRELS, "other": JUDGED}, RUNS, samples=50),
    "corrected": lambda: irviewer.corrected_scores(JUDGED, QRELS, RUNS, "P@2", baseline="bad"),
    "pool": lambda: irviewer.pool_effects(QRELS, RUNS, leave_out=False),
}
"""One result of each call."""


def test_means_and_values_by_query_are_two_tables() -> None:
    result = irviewer.evaluate(QRELS, RUNS, ["AP", "nDCG@10"])
    assert result.tables == ("means", "queries")
    means, values = result.to_pandas(), result.to_pandas("queries")
    assert means["run"].tolist() == ["good", "bad"]
    assert means["AP"].tolist() == result["AP"].tolist()
    assert len(values) == 80
    assert "all" not in set(values["query"])
    assert values[values["run"] == "bad"].set_index("query")["AP"].to_dict() == result.by_query("AP", "bad")
    assert result.to_polars("queries").to_dict(as_series=False) == values.to_dict("list")
    with pytest.raises(OptionError, match=r"no table 'nix'\. There are: means, queries"):
        result.to_arrow("nix")


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_a_table_a_text_and_a_file(name: str, tmp_path: Path) -> None:
    result = RESULTS[name]()
    for table in result.tables:
        assert result.to_arrow(table).num_rows == len(result.to_pandas(table)) == len(result.to_polars(table))
    assert 0 < len(repr(result)) < 6000
    bound = getattr(result, "protocol", None)
    assert view_of(result) is not None
    assert result._repr_html_().startswith("<table")
    assert bound is None or bound.line() in result._repr_html_()
    for ending in ("csv", "tsv", "json", "parquet", "arrow", "md", "tex", "html", "txt"):
        result.save(tmp_path / f"result.{ending}")
    whole = result.to_arrow()
    assert parquet.read_table(tmp_path / "result.parquet").equals(whole)
    assert len(list(csv.reader(io.StringIO((tmp_path / "result.csv").read_text("utf-8"))))) == whole.num_rows + 1
    document = json.loads((tmp_path / "result.json").read_text("utf-8"))
    assert len(document["tables"][0]["rows"]) == whole.num_rows
    with pytest.raises(OptionError, match=r"Use one of \.\w+, "):
        result.save(tmp_path / "result.nix")


@pytest.mark.parametrize("name", ["evaluate", "compare", "difference", "mean difference", "similarity", "curves"])
def test_pictures(name: str, tmp_path: Path) -> None:
    picture = RESULTS[name]().plot()
    assert "<svg" in picture._repr_svg_()
    picture.save(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_a_result_without_a_picture_says_so() -> None:
    with pytest.raises(OptionError, match="Ledger cannot be drawn"):
        irviewer.explain(QRELS, GOOD, "AP", "1").plot()


def test_texts_of_files_are_data(tmp_path: Path) -> None:
    qrels = {HOSTILE: {HOSTILE: 1, "b": 0}}
    run = {HOSTILE: {HOSTILE: 1.0, "b": 2.0}}
    result = irviewer.evaluate(qrels, {HOSTILE: run}, "AP")
    ledger = irviewer.explain(qrels, run, "AP", HOSTILE)
    for html in (result._repr_html_(), ledger._repr_html_()):
        assert "<script" not in html
        assert "&lt;script&gt;" in html
        assert "\x1b" not in html
    result.save(tmp_path / "x.html")
    assert "<script" not in (tmp_path / "x.html").read_text("utf-8")
    assert result.to_pandas()["run"].tolist() == [HOSTILE]


def test_explain_prints_its_table_and_a_long_one_is_abridged() -> None:
    long = {"1": {f"d{n}": -float(n) for n in range(500)}}
    text = repr(irviewer.explain({"1": {"d3": 1}}, long, "AP", "1"))
    assert "… 476 more rows" in text
    assert len(text.splitlines()) < 45


def test_without_pandas_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(OptionError, match="pip install pandas"):
        irviewer.evaluate(QRELS, GOOD, "AP").to_pandas()


def test_files_are_checked_converted_and_written(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        [(q, d, s) for q, scores in GOOD.items() for d, s in scores.items()], columns=["qid", "docno", "s"]
    )
    assert irviewer.write_run(frame, tmp_path / "a.run", columns={"score": "s"}) == ()
    assert irviewer.read_run(tmp_path / "a.run").ranking("1") == ["a", "c", "b"]
    assert irviewer.write_qrels(QRELS, tmp_path / "a.qrels") == ()
    assert irviewer.evaluate(tmp_path / "a.qrels", tmp_path / "a.run", "AP").mean("AP") == 1
    irviewer.convert(tmp_path / "a.run", tmp_path / "a.json.gz")
    assert irviewer.read_run(tmp_path / "a.json.gz").ranking("2") == ["a", "c", "b"]
    account = irviewer.check(tmp_path / "a.run", tmp_path / "a.qrels")
    assert account.report.kind == "run"
    assert any("queries" in line for line in account.lines())


@pytest.mark.slow
def test_mypy_accepts_the_examples_of_the_documentation(tmp_path: Path) -> None:
    """Those of the how-to for Python, and the overloads of explain; strictly."""
    readme = (ROOT / "docs" / "howto" / "notebook.md").read_text("utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", readme, re.DOTALL))
    code += """
ledger: irviewer.Ledger = irviewer.explain(qrels, run, "AP", "q1")
mean: irviewer.MeanLedger = irviewer.explain(qrels, run, "AP")
parts = irviewer.explain(qrels, run, "AP", against=qrels).parts[0].query
move = irviewer.explain(qrels, run, "AP", "q1", against=qrels).parts[0].move
expected: float = irviewer.explain(qrels, run, "AP", "q1", ties=True).expected
"""
    example = tmp_path / "example.py"
    example.write_text(code.replace("import irviewer\n", "", code.count("import irviewer\n") - 1), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", str(example)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_arrow_is_what_numbers_are_in() -> None:
    table = irviewer.evaluate(QRELS, RUNS, "AP").to_arrow("queries")
    assert table.schema.field("AP").type == pa.float64()
    left_out = irviewer.evaluate(QRELS, {"1": GOOD["1"]}, "AP", missing="intersection").to_arrow("queries")
    assert left_out.column("AP").null_count == 0


def test_a_query_with_an_integer_key_is_explained_by_that_integer() -> None:
    qrels, run = {1: {10: 1, 11: 0}, 2: {10: 1}}, {1: {11: 2.0, 10: 1.0}, 2: {10: 1.0}}
    assert irviewer.explain(qrels, run, "AP", 1).column("document") == ("11", "10")
    assert irviewer.explain(qrels, run, "AP", query=1).value == 0.5
    named = irviewer.explain(qrels, run, "AP", "1", against=run)
    assert repr(irviewer.explain(qrels, run, "AP", 1, against=run)) == repr(named)


def test_a_gate_is_shown_with_a_row_for_each_condition() -> None:
    gate = irviewer.gate(QRELS, BAD, GOOD, non_inferior=["nDCG@10 > -0.01"], fail_if=["P@1 worse, p < .05"])
    assumed, _, first, _, *lines = repr(gate).splitlines()
    assert assumed == gate.protocol.line()
    assert first.startswith("FAILED: ")
    assert [line.split()[0].lower() for line in lines[:2]] == [result.outcome.value for result in gate.results]
    assert gate.tables == ("conditions", "losses", "gate", "queries")


@pytest.mark.parametrize("value", [pd.DataFrame({"qid": ["1"]}), {"1": {"a": 1}}, 3, None])
def test_check_and_convert_say_that_they_take_files(value: Any, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="takes a file"):
        irviewer.check(value)
    with pytest.raises(OptionError, match="takes a file"):
        irviewer.convert(value, tmp_path / "out.run")
