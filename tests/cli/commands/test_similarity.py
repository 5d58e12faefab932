"""``irviewer similarity``: the matrix in its three forms, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from irviewer.cli import main


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    """Three runs of two queries; the third lacks one."""
    paths = []
    for name, lists in {"one": ("abc", "de"), "two": ("abx", "ed"), "three": ("xyz", "")}.items():
        path = tmp_path / f"{name}.run"
        path.write_text(
            "".join(f"{q} Q0 {d} 1 {9 - n} t\n" for q, ids in zip("12", lists, strict=True) for n, d in enumerate(ids))
        )
        paths.append(str(path))
    return paths


def test_table(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["similarity", *runs, "--kind", "overlap", "-k", "2"]) == 0
    line, _, title, header, *rows = capsys.readouterr().out.splitlines()
    assert line == "2 queries"
    assert title == "Overlap, depth 2; means over 1 to 2 queries"
    assert header.split() == ["run", "one", "two", "three"]
    assert [row.split() for row in rows] == [
        ["one", "1.0000", "1.0000", "0.0000"],
        ["two", "1.0000", "1.0000", "0.0000"],
        ["three", "0.0000", "0.0000", "1.0000"],
    ]


def test_like_runs_side_by_side(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["similarity", runs[0], runs[2], runs[1], "--order", "like", "--kind", "jaccard"]
    assert main.main(words) == 0
    names = [row.split()[0] for row in capsys.readouterr().out.splitlines()[4:]]
    assert abs(names.index("one") - names.index("two")) == 1


def test_csv_with_every_query(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["similarity", *runs, "--kind", "tau", "--format", "csv", "-q"]
    assert main.main([*words, "--table", "by_query"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["query"], row["value"]) for row in rows] == [("1", "1"), ("2", "-1"), *[("1", ""), ("2", "")] * 2]
    assert main.main(words) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["value"], row["queries"]) for row in rows] == [("0", "2"), ("", "0"), ("", "0")]


def test_json_and_judged_queries(runs: list[str], tmp_path: Path) -> None:
    qrels, output = tmp_path / "some.qrels", tmp_path / "found.json"
    qrels.write_text("2 0 d 1\n")
    words = ["similarity", *runs, "--qrels", str(qrels), "-p", "0.5", "--format", "json", "-q", "-o", str(output)]
    assert main.main(words) == 0
    report = json.loads(output.read_text())
    assert report["parameters"] == {"kind": "rbo", "p": 0.5, "ranks": 100, "ties": "a", "by_query": True}
    rows = {table["name"]: table["rows"] for table in report["tables"]}
    assert {row["query"] for row in rows["by_query"]} == {"2"}
    matrix = rows["matrix"]
    assert [row["run"] for row in matrix] == ["one", "two", "three"]
    assert matrix[0]["two"] == pytest.approx(0.5)  # nothing at 1, all at 2: what is seen, 1/4, and goes on, 1/4
    assert matrix[0]["three"] is None
    assert rows["pairs"][1]["queries"] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-p", "1"], "p is 1"),
        (["--kind", "overlap", "-k", "0"], "the depth is 0"),
    ],
)
def test_what_is_refused(words: list[str], said: str, runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["similarity", *runs, *words]) == 2
    assert said in capsys.readouterr().err


def test_ties_are_counted(runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tied = tmp_path / "tied.run"
    tied.write_text("1 Q0 a 1 2 t\n1 Q0 b 2 2 t\n1 Q0 c 3 1 t\n")
    words = ["similarity", runs[0], str(tied), "-p", "0.5"]
    assert main.main(words) == 0
    said = capsys.readouterr().out
    assert "ties a, depth 100" in said
    assert "2 of 8 documents compared share their score with another" in said
    assert "agrees with itself by less than 1" in said
    assert main.main([*words, "--table", "ties", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["run"], row["documents"], row["tied"]) for row in rows] == [("one", "5", "0"), ("tied", "3", "2")]
    for variant, itself in (("a", 0.75), ("b", 1.0), ("w", 1.0), ("broken", 1.0)):
        assert main.main([*words, "--ties", variant, "--table", "matrix", "--format", "csv"]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        assert float(rows[1]["tied"]) == pytest.approx(itself), variant  # of two tied documents half agrees at rank 1


def test_one_run_is_like_none(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["similarity", runs[0]]) == 2
    assert "give at least two runs" in capsys.readouterr().err


def test_every_run_of_a_file(runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = tmp_path / "both.csv"
    both.write_text("run,query,doc,score\na,1,d1,2\na,1,d2,1\nb,1,d2,2\nb,1,d1,1\n")
    assert main.main(["similarity", str(both), "--kind", "tau", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["run"] for row in rows} | {row["other"] for row in rows} == {"a", "b"}
    assert {float(row["value"]) for row in rows if row["run"] != row["other"]} == {-1.0}
