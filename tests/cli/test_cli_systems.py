"""``irviewer compare`` of all systems at once: the order's stability, agreement of measures, means by query set."""

from __future__ import annotations

import csv
import html
import io
import json
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.analysis.similarity import measure_agreement
from irviewer.cli import main
from irviewer.tables.writers.registry import WRITERS
from tests.api.test_systems import QRELS, QUERIES, RR, RUNS, SETS
from tests.helpers.latex import read_tables


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The collection of the API's tests as files; names that LaTeX and Markdown would take for signs."""
    (tmp_path / "qrels").write_text("".join(f"{query} 0 rel 1\n" for query in QRELS))
    paths = [str(tmp_path / "qrels")]
    for name, run in RUNS.items():
        lines = [
            f"{query} Q0 {document} {place} {score} t\n"
            for query, ranking in run.items()
            for place, (document, score) in enumerate(ranking.items(), 1)
        ]
        (tmp_path / f"{name}_x").write_text("".join(lines))
        paths.append(str(tmp_path / f"{name}_x"))
    return paths


@pytest.fixture
def sets(tmp_path: Path) -> str:
    path = tmp_path / "sets.tsv"
    path.write_text("".join(f"{query}\t{name}\n" for name, queries in SETS.items() for query in queries))
    return str(path)


def output_of(capsys: pytest.CaptureFixture[str], *words: str, noted: str = "") -> str:
    assert main.main(words) == 0
    out = capsys.readouterr()
    assert (noted in out.err) if noted else out.err == ""
    return out.out


def test_stability(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    few = "24 queries are few"
    words = ["stability", *files, "-m", "RR", "--samples", "500", "--seed", "4", "--confidence", ".9"]
    rows = list(csv.DictReader(io.StringIO(output_of(capsys, *words, "--format", "csv", noted=few))))
    stability = irviewer.ranking_stability(QRELS, RUNS, "RR", samples=500, seed=4, confidence=0.9)
    assert [row["run"] for row in rows] == [f"{stability.runs[run]}_x" for run in np.argsort(stability.rank)]
    for row in rows:
        run = stability.runs.index(row["run"].removesuffix("_x"))
        assert float(row["first"]) == stability.first[run]
        assert (float(row["rank_low"]), float(row["rank_high"])) == (stability.low[run], stability.high[run])
    note, own = json.loads(output_of(capsys, *words, "--format", "json"))["notes"]
    assert own["text"].startswith(few)
    assert {key: note["values"][key] for key in ("samples", "queries", "seed")} == {
        "samples": 500, "queries": 24, "seed": 4,
    }  # fmt: skip
    text = output_of(capsys, *words)
    assert text.partition("\n\n")[2].startswith("RR, stability of the order\nrun ")
    assert "\n500 bootstrap samples of the 24 queries that every run has, seed 4" in text
    ahead = list(
        csv.DictReader(io.StringIO(output_of(capsys, *words, "--table", "ahead", "--format", "csv", noted=few)))
    )
    shares = [[np.nan if row[f"{name}_x"] == "" else float(row[f"{name}_x"]) for name in RUNS] for row in ahead]
    assert np.array_equal(shares, stability.ahead, equal_nan=True)


def test_agreement(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["measure-agreement", *files, "-m", "RR", "-m", "P@3"]
    for by in measure_agreement.CORRELATIONS:
        document = json.loads(output_of(capsys, *words, "--by", by, "--format", "json"))
        agreement = irviewer.measure_agreement(QRELS, RUNS, ["RR", "P@3"], by)
        ((first, other),) = [table["rows"] for table in document["tables"]]
        assert (first["P@3"], other["P@3"]) == (agreement.values[0, 1], agreement.values[1, 1])
        assert document["notes"][0]["text"].startswith(measure_agreement.CORRELATIONS[by])
    assert "Kendall's tau-b" in output_of(capsys, *words)


def test_means_by_set(files: list[str], sets: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["query-sets", *files, "-m", "RR", "--query-set", sets]
    assert main.main([*words, "--format", "csv"]) == 0
    rows = {row["set"] or row["kind"]: row for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    means = irviewer.set_means(QRELS, RUNS, SETS, "RR")
    for run, name in enumerate(RUNS):
        column = [float(row[f"{name}_x"]) for row in rows.values()]
        wanted = [*means.means[:, run], means.macro[run], means.micro[run], RR[run].mean()]
        assert column == pytest.approx(wanted, abs=1e-12)
    assert [row["queries"] for row in rows.values()] == ["3", "12", "14", "14", str(QUERIES)]
    assert list(rows)[2:] == ["macro", "micro", "all"]
    text = output_of(capsys, *words)
    assert [
        name for name in ("mean of the sets (macro)", "queries of the sets (micro)", "all queries") if name not in text
    ] == []


@pytest.mark.parametrize("mode", ["stability", "query-sets"])
def test_weights_are_reported(
    files: list[str], sets: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: str
) -> None:
    weights = {"1": 2.0, "3": 1.0, "5": 4.0, "zz": 1.0}
    (tmp_path / "weights").write_text("".join(f"{query} {weight}\n" for query, weight in weights.items()))
    words = [mode, *files, "-m", "RR", "--weights", str(tmp_path / "weights"), "--format", "json"]
    document = json.loads(output_of(capsys, *words, *(["--query-set", sets] if mode == "query-sets" else [])))
    notes = " ".join(note["text"] for note in document["notes"])
    assert "weighted" in notes
    assert "3 of 24 queries have a weight; the 21 others count 0." in notes
    assert "not evaluated: zz." in notes
    rows = document["tables"][0]["rows"]
    if mode == "query-sets":
        whole = np.average(RR[0][[1, 3, 5]], weights=[2, 1, 4])
        assert float(rows[-1]["run0_x"]) == pytest.approx(whole)


@pytest.mark.parametrize("form", sorted(writer.name for writer in WRITERS if writer.several))
@pytest.mark.parametrize("mode", ["stability", "measure-agreement", "query-sets"])
def test_every_format_has_names_and_notes(
    files: list[str], sets: str, capsys: pytest.CaptureFixture[str], form: str, mode: str
) -> None:
    words = [mode, *files, "-m", "RR", "-m", "AP", *(["--query-set", sets] if mode == "query-sets" else [])]
    text = output_of(capsys, *words, "--format", form)
    if form == "latex":
        tables = read_tables(text)
        text = " ".join(f"{table.caption} {table.header} {table.rows}" for table in tables)
    plain = html.unescape(text).replace("\\", "").replace("\u00a0", " ")
    names = ["RR", "AP"] if mode == "measure-agreement" else ["RR", "AP", *(f"{name}_x" for name in RUNS)]
    said = {
        "stability": "seed 42",
        "measure-agreement": "Kendall's tau-b",
        "query-sets": "Macro: every set has the same weight",
    }
    assert [name for name in [*names, said[mode]] if name not in plain] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["query-sets"], "the following arguments are required: --query-set"),
        (["stability", "--test", "sign"], "unrecognized arguments: --test sign"),
        (["measure-agreement", "--weights", "w"], "unrecognized arguments: --weights w"),
    ],
)
def test_refused(files: list[str], capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert main.main([words[0], *files, *words[1:]]) == 2
    assert said in capsys.readouterr().err


def test_few_runs_and_unknown_queries(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["measure-agreement", *files[:3]]) == 2
    assert "give at least three runs" in capsys.readouterr().err
    assert main.main(["measure-agreement", *files, "-m", "AP"]) == 2
    assert "The agreement of measures needs two measures." in capsys.readouterr().err
    (tmp_path / "odd").write_text("1\tone\n2\tone\nzz\ttwo\n")
    assert main.main(["query-sets", *files, "-m", "RR", "--query-set", str(tmp_path / "odd")]) == 0
    out = capsys.readouterr()
    assert "1 query (zz) without results: left out" in out.err
    assert "two" not in out.out
