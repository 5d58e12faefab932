"""The public call that compares by slices, and ``irviewer slices``: the same numbers from files and values."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irviewer
from irviewer.cli import main
from irviewer.errors import IrviewerError, OptionError, UndecidedError
from tests.helpers.latex import read_tables

DICE = np.random.default_rng(8)
QUERIES = [f"q{number}" for number in range(60)]
QRELS = {query: {f"d{number}": int(DICE.integers(0, 3)) for number in range(20)} for query in QUERIES}
RUNS = {
    name: {query: {f"d{number}": float(DICE.normal(QRELS[query][f"d{number}"] * push, 2)) for number in range(20)}
           for query in QUERIES}
    for name, push in (("weak_x", 0.2), ("good", 1.0), ("other", 0.5), ("more", 0.7))
}  # fmt: skip
TEXTS = {
    query: ["what is it", "who", "a longer text of seven words here"][number % 3]
    for number, query in enumerate(QUERIES)
}
LANGUAGE = {query: {"language": "de" if number % 2 else "en"} for number, query in enumerate(QUERIES)}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text(
        "".join(f"{query} 0 {document} {grade}\n" for query, row in QRELS.items() for document, grade in row.items())
    )
    for name, run in RUNS.items():
        (tmp_path / name).write_text(
            "".join(
                f"{query} Q0 {document} 1 {score!r} t\n"
                for query, row in run.items()
                for document, score in row.items()
            )
        )
    rows = [f"{query},{TEXTS[query]},{LANGUAGE[query]['language']}\n" for query in QUERIES]
    (tmp_path / "table.csv").write_text("query_id,text,language\n" + "".join(rows))
    return tmp_path


def output_of(capsys: pytest.CaptureFixture[str], files: Path, *words: str) -> str:
    paths = [str(files / name) for name in ("qrels", "weak_x", "good")]
    assert main.main(["slices", *paths, "-m", "nDCG@10", "--samples", "300", *words]) == 0
    return capsys.readouterr().out


def rows_of(document: str, name: str = "slices") -> list[dict[str, Any]]:
    """The rows of a table in JSON; of slices without those of all queries."""
    (rows,) = [table["rows"] for table in json.loads(document)["tables"] if table["name"] == name]
    return [row for row in rows if name != "slices" or row["slice"] is not None]


def both(**choices: object) -> object:
    pair = {name: RUNS[name] for name in ("weak_x", "good")}
    return irviewer.compare_slices(QRELS, pair, "nDCG@10", samples=300, **choices)  # type: ignore[arg-type]


def test_files_and_values_say_the_same(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--by", "language", "--by", "length", "--query-attributes", str(files / "table.csv")]
    document = output_of(capsys, files, *words, "--format", "json")
    paths = [files / "weak_x", files / "good"]
    mine = irviewer.compare_slices(
        files / "qrels", paths, by=["language", "length"], query_attributes=files / "table.csv", samples=300
    )
    rows = rows_of(document)
    assert {(row["run"], row["against"]) for row in rows} == {("good", "weak_x")}
    (column,) = [each for each in json.loads(document)["tables"][0]["columns"] if each["key"] == "p_corrected"]
    assert (column["family"]["tests"], column["family"]["exploratory"]) == (5, True)
    for row, ours in zip(rows, mine.find("good").rows, strict=True):
        assert ours.pair is not None
        assert (row["slice"], row["n"], row["p"], row["p_corrected"]) == (ours.name, ours.n, ours.p, ours.corrected)
        assert (row["difference"], row["interval_low"], row["interval_high"]) == ours.pair.change.shown
    tests = [part.interaction for part in mine.find("good").attributes]
    assert [(row["f"], row["p"]) for row in rows_of(document, "interactions")] == [(test.f, test.p) for test in tests]
    again = both(by="language", query_attributes=LANGUAGE)
    assert again.find("good").rows[0].p == rows[0]["p"]  # type: ignore[attr-defined]
    table = list(csv.DictReader(io.StringIO(output_of(capsys, files, *words, "--format", "csv"))))
    assert [row["slice"] for row in table] == ["", *(row["slice"] for row in rows)]
    assert [float(row["difference"]) for row in table[1:]] == [row["difference"] for row in rows]


def test_the_table_and_latex(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--by", "language", "--by", "relevant", "--query-attributes", str(files / "table.csv"), "--cross",
             "--find-slices"]  # fmt: skip
    text = output_of(capsys, files, *words)
    assert "nDCG@10 by slices: good against weak_x" in text
    assert "Does the difference vary between the slices?" in text
    assert "Exploratory: " in text
    for name in ("tsv", "markdown"):
        assert "language" in output_of(capsys, files, *words, "--format", name)
    tables = read_tables(output_of(capsys, files, *words, "--format", "latex"))
    assert len(tables) == 4


def test_all_attributes_but_those_of_too_many_values(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--by", "all", "--query-attributes", str(files / "table.csv"), "--format", "json", "--other-runs",
             str(files / "other"), str(files / "more")]  # fmt: skip
    names = [row["attribute"] for row in rows_of(output_of(capsys, files, *words), "interactions")]
    assert names == ["language", "relevant", "question-word", "length", "difficulty"]


def test_cuts(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--by", "relevant", "--format", "json"]
    assert len(rows_of(output_of(capsys, files, *words, "--parts", "3"))) == 3
    cut = rows_of(output_of(capsys, files, *words, "--borders", "relevant=12,14"))
    assert [row["slice"] for row in cut] == ["< 12 relevant", "[12, 14) relevant", "≥ 14 relevant"]
    ours = both(by="relevant", cuts={"relevant": [12, 14]}).find("good")  # type: ignore[attr-defined]
    assert [row.n for row in ours.rows] == [row["n"] for row in cut]
    assert len(both(by="relevant", cuts={"relevant": 3}).find("good").rows) == 3  # type: ignore[attr-defined]


def test_difficulty_is_of_runs_that_are_not_compared() -> None:
    pair = {name: RUNS[name] for name in ("weak_x", "good")}
    comparison = irviewer.compare_slices(QRELS, pair, by="difficulty", other_runs={"other": RUNS["other"]}, samples=300)
    assert [row.n for row in comparison.find("good").rows] == [15] * 4
    with pytest.raises(OptionError, match="is compared"):
        irviewer.compare_slices(QRELS, pair, by="difficulty", other_runs={"good": RUNS["good"]})
    with pytest.raises(OptionError, match="Difficulty needs"):
        irviewer.compare_slices(QRELS, pair, by="difficulty")


def test_what_cannot_be_compared() -> None:
    with pytest.raises(OptionError, match="no attribute colour; they have language, relevant"):
        both(by="colour", query_attributes=LANGUAGE)
    with pytest.raises(OptionError, match="None of the 60 queries"):
        both(by="x", query_attributes={"nowhere": {"x": 1}})
    stranger = {"one": RUNS["good"], "two": {query: {"nowhere": 1.0} for query in QUERIES}}
    with pytest.raises(UndecidedError):
        irviewer.compare_slices(QRELS, stranger, by="relevant")


@pytest.mark.parametrize(
    "words",
    [
        ["--cross"], ["--by", "relevant", "--pairs"], ["--by", "relevant", "--cross"],
        ["--by", "relevant", "--borders", "relevant=x"], ["--by", "relevant", "--borders", "length=2"],
        ["--by", "relevant", "--parts", "1"], ["--by", "difficulty"], ["--by", "length"], ["--table", "nowhere"],
    ],
)  # fmt: skip
def test_refused(words: list[str], files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(files / name) for name in ("qrels", "weak_x", "good")]
    assert main.main(["slices", *paths, *words]) == 2
    out = capsys.readouterr()
    assert (out.out, out.err.count("\n")) == ("", 1)


def test_the_former_option_names_the_command(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(files / name) for name in ("qrels", "weak_x", "good")]
    assert main.main(["compare", *paths, "--by", "relevant"]) == 2
    assert capsys.readouterr().err.endswith("there is no --by any more; use irviewer slices --by ATTRIBUTE\n")


def test_errors_are_of_one_family() -> None:
    with pytest.raises(IrviewerError):
        both(by="relevant", cuts={"relevant": 100})


def test_every_door_has_the_p_of_the_runs(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "protocol.toml").write_text(
        'schema = 1\nmeasures = ["nDCG@10"]\n'
        'inference = { test = "wilcoxon", correction = "bonferroni", samples = 300 }\n'
        f'scope = {{ baseline = "weak_x", queries = {{ ids = {json.dumps(QUERIES[:50])} }} }}\n'
    )
    compared = irviewer.compare(QRELS, RUNS, protocol=files / "protocol.toml")["nDCG@10"]
    mine = irviewer.compare_slices(QRELS, RUNS, by="relevant", protocol=files / "protocol.toml")
    paths = [str(files / name) for name in ("qrels", *RUNS)]
    words = ["--by", "relevant", "--protocol", str(files / "protocol.toml"), "--format", "json"]
    assert main.main(["slices", *paths, *words]) == 0
    table = json.loads(capsys.readouterr().out)["tables"][0]
    report = {run: [row for row in table["rows"] if row["run"] == run] for run in RUNS}
    (family,) = [each["family"] for each in table["columns"] if each["key"] == "p_corrected"]
    for pair in compared.pairs:
        run, door = mine.find(pair.run_name), report[pair.run_name]
        assert (pair.declared, pair.n, pair.decision.correction) == ("wilcoxon", 50, "Bonferroni")
        assert run.overall.decision == pair.decision
        assert door[0]["p_corrected"] == pair.decision.p_corrected
        assert (family["tests"], family["exploratory"]) == (run.family, True)
        shown = [row["p_corrected"] for row in door[1:]]
        assert shown == [None if row.corrected != row.corrected else row.corrected for row in run.rows]
