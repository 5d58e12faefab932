"""``irviewer.evaluate_collections`` and ``irviewer collections``: the same from values and folders."""

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
from irviewer.errors import OptionError
from irviewer.formats.protocol_file import protocol_text
from tests.helpers.doors import assert_same_files
from tests.helpers.latex import read_tables

DICE = np.random.default_rng(12)
NAMES = [f"set{number}" for number in range(7)]


def judged() -> dict[str, dict[str, int]]:
    return {f"q{number}": {f"d{document}": int(DICE.integers(0, 3)) for document in range(15)} for number in range(14)}


def ranked(qrels: dict[str, dict[str, int]], push: float) -> dict[str, dict[str, float]]:
    return {
        query: {document: float(DICE.normal(grade * push, 2)) for document, grade in row.items()}
        for query, row in qrels.items()
    }


WORLD: dict[str, Any] = {}
for _name in NAMES:
    _qrels = judged()
    WORLD[_name] = (_qrels, {"bm25_x": ranked(_qrels, 0.3), "dense": ranked(_qrels, 0.9), "fused": ranked(_qrels, 1.2)})
del WORLD["set6"][1]["fused"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, (qrels, runs) in WORLD.items():
        (tmp_path / name / "qrels").mkdir(parents=True)
        (tmp_path / name / "qrels" / "test.tsv").write_text(
            "query-id\tcorpus-id\tscore\n"
            + "".join(
                f"{query}\t{document}\t{grade}\n" for query, row in qrels.items() for document, grade in row.items()
            )
        )
        for system, run in runs.items():
            system = "BM25_X" if (system, name) == ("bm25_x", "set3") else system
            (tmp_path / name / f"{system}.run").write_text(
                "".join(
                    f"{query} Q0 {document} 1 {score!r} t\n"
                    for query, row in run.items()
                    for document, score in row.items()
                )
            )
    return tmp_path


def output_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main.main(["collections", *words]) == 0
    out = capsys.readouterr()
    assert out.err == ""
    return out.out


def test_folders_and_values_say_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = irviewer.evaluate_collections(WORLD, ["nDCG@10", "AP"], baseline="bm25_x")
    from_files = irviewer.evaluate_collections(folder, ["nDCG@10", "AP"], baseline="bm25_x")
    assert from_files["AP"].means == pytest.approx(mine["AP"].means, nan_ok=True)
    assert mine.table is mine["nDCG@10"]
    for column, (name, (qrels, runs)) in enumerate(WORLD.items()):
        result = irviewer.evaluate(qrels, runs, "AP")
        for row, system in enumerate(mine.table.systems):
            if system in runs:
                assert mine["AP"].means[row, column] == pytest.approx(result.mean("AP", system))
        assert mine.results[name].runs == tuple(runs)
    words = [str(folder), "-m", "nDCG@10", "--baseline", "bm25_x", "--forest", "--tests", "--format", "json"]
    rows = rows_of(output_of(capsys, *words))
    collected = mine.table
    assert [row["system"] for row in rows["systems"]] == list(collected.systems)
    for place, row in enumerate(rows["systems"]):
        means = [np.nan if row[name] is None else row[name] for name in collected.collections]
        assert means == pytest.approx(collected.means[place].tolist(), nan_ok=True)
        assert (row["macro"], row["micro"]) == (collected.macro[place], collected.micro[place])
    sides = {None: 0, "better": 1, "worse": -1}
    cells = iter(rows["means"])
    for place in range(len(collected.systems)):
        assert [sides[next(cells)["outcome"]] for _ in collected.collections] == collected.marks[place].tolist()
    overall = [mine.forest("dense").overall, mine.forest("fused").overall]
    assert [row["difference"] for row in rows["overall"]] == [each.mean for each in overall]
    pairs = mine.tests.pairs
    assert [row["wilcoxon_p_corrected"] for row in rows["pairs"]] == [pair.wilcoxon_corrected for pair in pairs]
    assert [row["rank"] for row in rows["ranks"]] == mine.tests.ranks.tolist()


def rows_of(document: str) -> dict[str, list[dict[str, Any]]]:
    """The rows of each table."""
    return {table["name"]: table["rows"] for table in json.loads(document)["tables"]}


def test_the_other_formats(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(folder), "--baseline", "bm25_x", "--forest", "--tests"]
    text = output_of(capsys, *words)
    assert "Random-effects mean" in text
    assert "Average ranks" in text
    assert len(read_tables(output_of(capsys, *words, "--format", "latex"))) == 5
    rows = list(csv.DictReader(io.StringIO(output_of(capsys, *words, "--format", "csv", "--table", "means"))))
    assert len(rows) == 3 * 7
    assert [row["mean"] for row in rows if (row["system"], row["collection"]) == ("fused", "set6")] == [""]
    assert "| system |" in output_of(capsys, *words, "--format", "markdown")
    reml = rows_of(output_of(capsys, *words, "--estimator", "reml", "--format", "json"))
    for estimator in ("dl", "reml"):
        said = json.loads(output_of(capsys, *words, "--estimator", estimator, "--format", "json"))
        assert said["parameters"]["estimator"] == estimator
    assert {row["method"] for row in reml["overall"]} == {"reml"}


def test_systems_matched_by_hand(folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path.with_name(f"{tmp_path.name}.csv")
    path.write_text("fused,set6,dense\n")
    rows = rows_of(output_of(capsys, str(folder), "--systems", str(path), "--only", "fused,bm25_x", "--format", "json"))
    assert [row["system"] for row in rows["systems"]] == ["fused", "bm25_x"]
    assert all(row["run"] for row in rows["means"])
    assert rows["matched"] == [{"system": "fused", "collection": "set6", "run": "dense"}]
    with pytest.raises(OptionError, match="no collection nowhere"):
        irviewer.evaluate_collections(WORLD, systems={"a": {"nowhere": "x"}})
    with pytest.raises(OptionError, match="set1 has no run x"):
        irviewer.evaluate_collections(WORLD, systems={"a": {"set1": "x"}})


def test_what_is_left_out_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "set0" / "strange.run").write_text("q1 Q0 nowhere 1 2.5 t\nq2 Q0 nowhere 1 2.5 t\n")
    (folder / "set1" / "broken.run").write_text("q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5\n")
    (folder / "set2" / "dense (2).run").write_text("")
    (folder / "set4" / "other.qrels").write_text("q1 0 elsewhere 1\n")
    assert main.main(["collections", str(folder)]) == 0
    out = capsys.readouterr()
    for said in (
        "set0: ",
        "broken.run",
        "dense (2).run",
        "judges this collection",
    ):
        assert said in out.err
    assert "strange" not in out.out


def test_the_judgments_that_know_the_runs_are_taken(folder: Path) -> None:
    (folder / "set5" / "qrels.a.txt").write_text("q1 0 elsewhere 1\nq2 0 elsewhere 1\n")
    evaluation = irviewer.evaluate_collections(folder)
    assert evaluation.table.means == pytest.approx(irviewer.evaluate_collections(WORLD).table.means, nan_ok=True)
    assert [said for said in evaluation.skipped if said.endswith("test.tsv judges this collection")]


@pytest.mark.parametrize(
    "words",
    [
        ["FOLDER", "-q"], ["FOLDER", "--format", "trec"], ["FOLDER", "--forest"], ["FOLDER", "--baseline", "none"],
        ["FOLDER", "--only", "none"], ["nowhere"], ["FOLDER", "-m", "runid"], ["FOLDER", "-m", "num_rel"],
    ],
)  # fmt: skip
def test_refused(words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["collections", *(str(folder) if word == "FOLDER" else word for word in words)]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert "irviewer collections: " in out.err or "irviewer: " in out.err


@pytest.mark.parametrize(
    "words", [[], ["qrels"], ["q", "r", "--tests"], ["q", "r", "--format", "latex"], ["q", "r", "--collections", "f"],
              ["--collections", "f"]],
)  # fmt: skip
def test_what_one_collection_does_not_take(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["evaluate", *words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert ("irviewer collections FOLDER" in said) == ("--collections" in words)


def test_a_folder_without_a_collection(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="No qrels with runs"):
        irviewer.evaluate_collections(tmp_path)


def test_every_door_follows_the_protocol(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    few = [f"q{number}" for number in range(10)]
    asked = irviewer.EvaluationProtocol().but(
        test="sign", correction="bonferroni", interval="bca", samples=300, level=2, baseline="BM25_x", queries=few,
        measures=["RR"],
    )  # fmt: skip
    asked = asked.but(baseline="bm25_x")
    path = tmp_path_factory.mktemp("protocol") / "p.toml"
    path.write_text(protocol_text(asked))
    collected = irviewer.evaluate_collections(str(folder), protocol=path)
    assert collected.protocol is not None
    line = collected.protocol.line()
    assert line == (
        "70 of 98 queries in 7 collections · primary: RR · graded, level ≥ 2 · unjudged: unknown · "
        "Bonferroni over 1 to 2 in each collection against bm25_x · sign test · 95 % intervals (BCa) · 300 samples"
    )
    assert repr(collected).splitlines()[0] == line
    assert line in collected._repr_html_()
    document = json.loads(
        output_of(capsys, str(folder), "--protocol", str(path), "--forest", "--format", "json")
    )  # fmt: skip
    assert document["protocol"]["line"] == line
    (rows,) = [table["rows"] for table in document["tables"] if table["name"] == "forest"]
    of_first = [row for row in rows if row["system"] == rows[0]["system"]]
    for row, mine in zip(of_first, collected.forest(rows[0]["system"]).rows, strict=True):
        assert mine.pair is not None or row["interval_low"] is None
        if mine.pair is not None:
            assert (row["interval_low"], row["interval_high"]) == (mine.pair.interval.low, mine.pair.interval.high)
    # The same as a comparison of these queries of one collection.
    alone = irviewer.compare(WORLD["set0"][0], WORLD["set0"][1], protocol=asked)["RR"].find("dense", "bm25_x")
    pair = collected.forest("dense").rows[0].pair
    assert pair is not None
    assert (pair.n, pair.decision.p, pair.interval.low) == (10, alone.decision.p, alone.interval.low)
    assert pair.decision.p_corrected == alone.decision.p_corrected


def test_command_and_python_write_the_same_files(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    out = tmp_path_factory.mktemp("files")
    words = ["collections", str(folder), "-m", "AP", "-m", "RR", "--baseline", "bm25_x"]
    mine = irviewer.evaluate_collections(folder, ["AP", "RR"], baseline="bm25_x")
    files = assert_same_files(out, words)
    assert mine.tables == ("systems", "means")
    for table in mine.tables:
        assert main.main([*words, "--format", "csv", "--table", table, "-o", str(out / "command.csv")]) == 0
        mine.save(out / "python.csv", table)
        assert (out / "command.csv").read_bytes() == (out / "python.csv").read_bytes()
    assert files["csv"].startswith(b"measure,system,set0,")


def test_a_measure_that_cannot_be_tested_was_not_compared() -> None:
    """It said that the measure was not evaluated, and it was."""
    qrels, runs = {"q": {"a": 1}}, {name: {"q": {"a": 1.0}} for name in ("one", "two")}
    collected = irviewer.evaluate_collections({"c": (qrels, runs)}, ["NumRelRet", "AP"])
    with pytest.raises(KeyError, match="NumRelRet was not compared; choose one of AP"):
        collected["NumRelRet"]


def test_a_baseline_may_have_its_short_name() -> None:
    world = {name: (qrels, {f"input.{run}": content for run, content in runs.items()})
             for name, (qrels, runs) in WORLD.items()}  # fmt: skip
    collected = irviewer.evaluate_collections(world, "RR", baseline="dense")
    assert collected.table.systems[collected.table.baseline or 0] == "input.dense"
    assert collected.protocol is not None
    assert "against input.dense" in collected.protocol.line()
