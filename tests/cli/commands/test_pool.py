"""``irviewer pool``: the table and its other forms, under each regime."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from irviewer.cli import main


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two runs: the first found a and an unjudged x, the second b below a non-relevant c."""
    texts = {
        "q.qrels": "1 0 a 1\n1 0 b 1\n1 0 c 0\n1 0 z 1\n",
        "one.run": "1 Q0 a 1 9 t\n1 Q0 x 2 8 t\n",
        "two.run": "1 Q0 x 1 9 t\n1 Q0 c 2 8 t\n1 Q0 b 3 7 t\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in texts]


def test_table(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["pool", *files, "-m", "RR", "-k", "1,2", "-p", "0.5", "--unjudged", "pooled"]) == 0
    tables = printed_tables(capsys.readouterr().out)
    limits, runs = tables["What unjudged documents leave open (pooled)"], tables["What each run found"]
    assert limits[1].split()[1:] == ["one", *["1.0000"] * 5, "1", "0", "0.0000", "1", "2"]
    assert limits[2].split()[1:] == [
        "two",
        "0.3333",
        "0.3333",
        "0.3333",
        "1.0000",
        "1.0000",
        "1",
        "0",
        "0.0000",
        "2",
        "2",
    ]
    # x, which both return, would make "two" as good as "one", and no better.
    assert "RR: more judgments could not reverse the order of any two runs." in limits
    assert limits[3].startswith("Note: pooled judgments: ")
    assert any("with any grades from 0 to 1, if every document that these runs returned" in line for line in limits)
    assert runs[1].split() == ["one", "1", "1", "0.0000", "0.5000", "0.5000"]
    assert runs[2].split() == ["two", "1", "1", "1.0000", "0.5000", "0.6250"]
    assert runs[3] == "found by no run: 1 of 3 relevant documents"


def printed_tables(text: str) -> dict[str, list[str]]:
    """The lines of each printed table by its title."""
    blocks = [block.splitlines() for block in text.rstrip().split("\n\n")[1:]]
    return {title: lines for title, *lines in blocks}


def test_what_could_be_turned_round_is_shown_with_its_bounds(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path(files[2]).write_text("1 Q0 y 1 9 t\n1 Q0 x 2 8 t\n1 Q0 v 3 7 t\n")
    assert main.main(["pool", *files, "-m", "P@3 gm_map AP", "--no-leave-out"]) == 0
    out = capsys.readouterr().out
    assert (
        "P@3: more judgments could reverse the order of these pairs of runs (a document that both return has one "
        "grade): one over two: Δ +.3333, could be between −.3333 and +.3333\n"
    ) in out
    assert "one over two: ×33,333, at most between ×" in out
    output = Path(files[0]).with_name("pool.json")
    assert main.main(["pool", *files, "-m", "P@3 gm_map", "--format", "json", "-o", str(output)]) == 0
    first, second = tables_of(output)["differences"]
    assert first == {
        "measure": "P@3", "run": "one", "other": "two", "difference_low": pytest.approx(-1 / 3),
        "difference_high": pytest.approx(1 / 3), "exact": True,
    }  # fmt: skip
    # Of a geometric mean it is the ratio.
    assert (second["measure"], second["exact"]) == ("gm_map", False)
    assert second["difference_high"] > 33_000


def tables_of(path: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of each table in a JSON file."""
    return {table["name"]: table["rows"] for table in json.loads(path.read_text())["tables"]}


def test_what_another_run_returned_is_beside_the_bounds(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """y is in the second list alone, and counts for the norm of the first."""
    Path(files[2]).write_text("1 Q0 x 1 9 t\n1 Q0 c 2 8 t\n1 Q0 y 3 7 t\n")
    assert main.main(["pool", *files, "-m", "R@5 Bpref", "--no-leave-out", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["run"], row["unjudged"], row["unjudged_elsewhere"], row["exact"]) for row in rows] == [
        ("one", "1", "1", "true"), ("two", "2", "0", "true"), ("one", "1", "1", "true"), ("two", "2", "0", "true")
    ]  # fmt: skip
    assert [float(row["least"]) for row in rows[:2]] == pytest.approx([1 / 4, 0])
    assert main.main(["pool", *files, "-m", "R@5", "--no-leave-out"]) == 0
    assert any(line.split()[-2:] == ["1", "1"] for line in capsys.readouterr().out.splitlines())


def test_nothing_to_turn_round_and_no_leaving_out(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["pool", *files, "-m", "NumRelRet", "--no-leave-out", "--unjudged", "pooled"]) == 0
    limits = printed_tables(capsys.readouterr().out)["What unjudged documents leave open (pooled)"]
    assert limits[1].split() == ["NumRelRet", "one", "1", "1", "1", "2", "2", "1", "0"]
    assert "NumRelRet: more judgments could not reverse the order of any two runs." in limits


def test_regimes(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["pool", *files, "-m", "RR", "--unjudged", "sparse"]) == 0
    text = capsys.readouterr().out
    assert "not boundable: with sparse judgments" in text
    assert main.main(["pool", *files, "-m", "RR", "--unjudged", "complete"]) == 0
    tables = printed_tables(capsys.readouterr().out)
    assert tables["What each run found"][1].split()[3:7] == ["0.0000"] * 4
    (limits,) = [lines for title, lines in tables.items() if title.startswith("What unjudged")]
    assert limits[0].split()[:4] == ["measure", "run", "value", "without"]


def test_what_nobody_declared_is_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Qrels cut to their relevant documents are no complete ones: what is not in them is unjudged in every command, as
    unj@2 of evaluate has it, unless somebody says otherwise."""
    (tmp_path / "q.qrels").write_text("".join(f"{q} 0 d{d} 1\n" for q in range(12) for d in range(4)))
    for name, first in (("one", "d0"), ("two", "x")):
        lines = "".join(f"{q} Q0 {first} 1 9 t\n{q} Q0 y 2 8 t\n{q} Q0 d1 3 7 t\n" for q in range(12))
        (tmp_path / f"{name}.run").write_text(lines)
    files = [str(tmp_path / name) for name in ("q.qrels", "one.run", "two.run")]

    def printed(*words: str) -> list[str]:
        main.main(list(words))
        return capsys.readouterr().out.splitlines()[2:]

    lines = printed("pool", *files, "-m", "P@2", "-k", "2")
    for said in (
        "how the judgments were made is not stated; unjudged: counted as non-relevant, not known to be",
        "all grades are above 0: declare “complete” if every document was judged",
    ):
        assert f"Note: {said}" in lines
    assert lines[2].split()[1:] == [
        "one",
        "0.5000",
        "0.5000",
        "0.5000",
        "1.0000",
        "1.0000",
        "12",
        "0",
        "0.0000",
        "1",
        "1",
    ]
    start = lines.index("What each run found")
    assert [line.split()[3] for line in lines[start + 2 : start + 4]] == ["0.5000", "1.0000"]
    complete = printed("pool", *files, "-k", "2", "--unjudged", "complete")
    start = complete.index("What each run found")
    assert [line.split()[3] for line in complete[start + 2 : start + 4]] == ["0.0000"] * 2
    gate = ["gate", *files[:2], "--baseline", files[2], "--non-inferior", "Δ P@2 > 0.1", "--format", "json"]
    assert main.main(gate) == 2
    record = json.loads(capsys.readouterr().out)
    assert record["protocol"]["unjudged"] == "unknown"
    notes = [note["text"] for note in record["notes"]]
    assert any("How the judgments were made is not stated; unjudged: counted as non-relevant" in note for note in notes)
    assert main.main([*gate, "--unjudged", "complete"]) == 0
    capsys.readouterr()
    failing = printed("failures", *files, "-m", "P@2", "-k", "2")
    assert any(line.startswith("Note: how the judgments were made is not stated") for line in failing)
    assert next(line for line in failing if line.startswith("unjudged: ")).split()[-2:] == ["12", "12"]
    explained = "\n".join(printed("explain", *files[:2], "-q", "1", "-m", "P@2"))
    assert "How the judgments were made is not stated; unjudged: counted as non-relevant, not known" in explained
    assert "1 unjudged document" in explained
    explained = "\n".join(printed("explain", *files[:2], "-q", "1", "-m", "P@2", "--unjudged", "complete"))
    assert "Complete judgments: all documents were judged" in explained
    assert "unjudged" not in explained
    above = "\n".join(printed("explain", *files[:2], "-q", "1", "--document", "d3", "--unjudged", "complete"))
    assert "unjudged" not in above
    report = tmp_path / "report.html"
    assert main.main(["report", *files, "-m", "P@2", "-o", str(report)]) == 0
    assert "counted as non-relevant, not known to be" in report.read_text()


def test_csv_and_json(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["pool", *files, "-m", "RR Judged", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["run"], row["measure"], row["most"]) for row in rows[:3]] == [
        ("one", "RR", "1"),
        ("two", "RR", "1"),
        ("one", "Judged", ""),
    ]
    assert (rows[0]["could_fall_below"], rows[0]["rank_without_its_own"]) == ("", "2")
    output = tmp_path / "pool.json"
    assert main.main(["pool", *files, "-m", "RR Judged", "--format", "json", "-o", str(output)]) == 0
    report = json.loads(output.read_text())
    assert report["protocol"]["unjudged"] == "unknown"
    notes = {note["code"]: note["values"] for note in report["notes"]}
    assert notes["found_by_none"] == {"documents": 1, "relevant": 3}
    assert notes["no_bounds"] == {
        "measure": "Judged", "why": "it measures how much is judged, which is just what new judgments change"
    }  # fmt: skip
    left = [
        (row["left_out"], row["run"], row["value"]) for row in tables_of(output)["left_out"] if row["measure"] == "RR"
    ]
    assert left == [("one", "one", 0), ("one", "two", 1 / 3), ("two", "one", 1), ("two", "two", 0)]


@pytest.mark.parametrize(("words", "said"), [(["-p", "1"], "p is 1"), (["-k", "5,x"], "is not a list of cutoffs")])
def test_what_is_refused(words: list[str], said: str, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["pool", *files, *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--pool-depth", "0"], "--pool-depth is 0; it must be 1 or more"),
        (["--most", "-1", "--worklist"], "--most is -1; it must be 1 or more"),
        (["--most", "3"], "--most needs --worklist"),
    ],
)
def test_numbers_that_cannot_be(samples: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    folder = samples / "trec"
    assert main.main(["pool", str(folder / "qrels.test"), str(folder / "results.test"), *words]) == 2
    assert capsys.readouterr().err == f"irviewer: {said}\n"


def test_a_tie_has_no_order_that_could_be_reversed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "q").write_text("1 0 z 1\n")
    for name in "ab":
        (tmp_path / name).write_text(f"1 Q0 {name} 1 1 x\n")
    words = [str(tmp_path / name) for name in ("q", "a", "b")]
    assert main.main(["pool", *words, "-m", "P@1", "--unjudged", "pooled"]) == 0
    text = capsys.readouterr().out
    words = "P@1: these pairs of runs are equal, and more judgments could set them apart: a over b: Δ"
    assert words in " ".join(text.split())
    assert "could not reverse" not in text
