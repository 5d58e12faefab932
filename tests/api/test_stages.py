"""``irviewer.stages`` and ``irviewer stages``: the same numbers from values and from files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import irviewer
from irviewer.cli import main
from tests.analysis.stages.test_stages import world
from tests.helpers.latex import read_tables

QRELS, RUNS = world(2)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "qrels").write_text(
        "".join(f"{query} 0 {document} {grade:g}\n" for query, row in QRELS.items() for document, grade in row.items())
    )
    for name, run in zip(("first_x", "second"), RUNS, strict=True):
        (tmp_path / name).write_text(
            "".join(
                f"{query} Q0 {document} 1 {score} t\n" for query, row in run.items() for document, score in row.items()
            )
        )
    return [str(tmp_path / name) for name in ("qrels", "first_x", "second")]


def output_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main.main(["stages", *words, "--samples", "100"]) == 0
    return capsys.readouterr().out


def test_json_is_what_python_says(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    mine = irviewer.stages(QRELS, {"first_x": RUNS[0], "second": RUNS[1]}, "nDCG@4", samples=100)
    query = mine.query_ids[0]
    report = json.loads(output_of(capsys, *files, "-m", "nDCG@4", "-q", "--query", query, "--format", "json"))
    rows = {table["name"]: table["rows"] for table in report["tables"]}
    assert list(rows) == ["funnel", "means", "difference", "by_query", "documents"]
    assert [(row["stage"], row["relevant"], row["lost"] or 0) for row in rows["funnel"]] == [
        (step.kind, step.relevant, step.lost) for step in mine.steps
    ]
    assert [row["mean"] for row in rows["means"]] == mine.means.tolist()
    ceiling = mine.means[-2:]
    assert [row["lost"] for row in rows["means"]] == [None, None, *(ceiling - mine.means[-3:-1]).tolist()]
    names = ("first_x", "second", "ideal_order", "all_judged")
    assert [[row[name] for name in names] for row in rows["by_query"]] == mine.values.T.tolist()
    assert [row["cause"] for row in rows["by_query"]] == [cause or None for cause in mine.causes]
    documents = mine.documents(query)
    assert [row["document"] for row in rows["documents"]] == [document.doc_id for document in documents]
    assert [(row["first_x"], row["second"]) for row in rows["documents"]] == [each.ranks for each in documents]


def test_the_other_formats(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, *files, "-q", "--query", "q0")
    assert "in the top 10 of second" in text
    assert "Ceiling of nDCG@10" in text
    assert "Relevant documents in the top 10 of second: " in text
    assert len(read_tables(output_of(capsys, *files, "-q", "--format", "latex"))) == 4
    rows = list(csv.reader(io.StringIO(output_of(capsys, *files, "--format", "csv"))))
    assert rows[0][:3] == ["stage", "run", "relevant"]
    assert [row[0] for row in rows[1:]] == ["qrels", "stored", "seen", "top"]
    assert "| in the qrels |" in output_of(capsys, *files, "--format", "markdown")


def test_stages_that_are_found(files: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    again = tmp_path / "again"
    again.write_text(
        "".join(
            f"{query} Q0 {document} 1 {-score} t\n" for query, row in RUNS[0].items() for document, score in row.items()
        )
    )
    report = json.loads(output_of(capsys, *files[:2], str(again), "--find", "--format", "json"))
    (row,) = report["tables"][0]["rows"]
    assert (row["first"], row["run"], row["documents"]) == ("first_x", "again", "same")
    assert irviewer.find_stages([files[1], str(again)]) == [("first_x", "again")]


@pytest.mark.parametrize(
    "words", [["--top", "0"], ["-m", "num_rel"], ["-l", "9"], ["--query", "nowhere"], ["-m", "AP", "-m", "RR"]]
)
def test_refused(words: list[str], files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["stages", *files, *words]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert main.main(["stages", *files[:2]]) == 2


def test_the_last_difference_has_the_p_of_the_declared_comparisons(
    files: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    third = {query: dict(zip(row, reversed(row.values()), strict=True)) for query, row in RUNS[1].items()}
    runs = {"first_x": RUNS[0], "second": RUNS[1], "third": third}
    path = tmp_path / "third"
    path.write_text(
        "".join(f"{q} Q0 {document} 1 {score} t\n" for q, row in third.items() for document, score in row.items())
    )
    for test, correction in (("t", "holm"), ("wilcoxon", "bonferroni"), ("tukey", "holm")):
        options = {"test": test, "correction": correction, "samples": 100}
        declared = irviewer.compare(QRELS, runs, "nDCG@4", baseline="first_x", **options)["nDCG@4"]  # type: ignore[arg-type]
        (pair,) = [pair for pair in declared.pairs if pair.run_name == "third"]
        mine = irviewer.stages(QRELS, runs, "nDCG@4", baseline="first_x", **options)  # type: ignore[arg-type]
        assert (mine.in_family, mine.pair.declared, mine.pair.decision) == (True, test, pair.decision)
        words = ["-m", "nDCG@4", "--baseline", "first_x", "--test", test, "--correction", correction]
        tables = json.loads(output_of(capsys, *files, str(path), *words, "--format", "json"))["tables"]
        (row,), column = tables[2]["rows"], next(c for c in tables[2]["columns"] if c["key"] == "p_corrected")
        assert (row["p_corrected"], row["test"]) == (pair.decision.p_corrected, test)
        assert not column["family"]["exploratory"]
        other = irviewer.stages(QRELS, runs, "nDCG@4", baseline="second", **options)  # type: ignore[arg-type]
        assert (other.in_family, other.pair.declared) == (False, "t" if test == "tukey" else test)
        assert other.pair.decision.p_corrected == other.pair.decision.p
        assert other.tested.endswith("a comparison of its own, not corrected")
