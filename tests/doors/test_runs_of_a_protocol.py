"""The runs that a protocol names, where an answer is about single runs or systems: explain, gate and collections."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.__main__ import main
from irviewer.errors import OptionError
from irviewer.formats.protocol_file import protocol_text
from irviewer.model.protocol import EvaluationProtocol

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.errors.IrviewerWarning")

FOUND = {"alpha": "ab", "beta": "ba", "gamma": "xb", "delta": "xya"}
QUERIES = tuple(f"q{number}" for number in range(9))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two collections with four runs each, and one of two runs that have the same name, in folders."""
    for place in ("one", "two", "old", "new"):
        (tmp_path / place).mkdir()
    for place in ("one", "two"):
        (tmp_path / place / "qrels.txt").write_text("".join(f"{query} 0 a 1\n{query} 0 b 0\n" for query in QUERIES))
        for name, documents in FOUND.items():
            write(tmp_path / place / f"{name}.run", documents)
    for place in ("old", "new"):
        write(tmp_path / place / "same.run", FOUND["alpha" if place == "old" else "beta"])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, documents: str) -> None:
    path.write_text(
        "".join(
            f"{query} Q0 {document} 1 {9 - (rank + number) % len(documents)} t\n"
            for number, query in enumerate(QUERIES)
            for rank, document in enumerate(documents)
        )
    )


def protocol(*runs: str, **fields: Any) -> EvaluationProtocol:
    asked = EvaluationProtocol().but(runs=runs, measures=["AP"], unjudged="complete", **fields)
    Path("p.toml").write_text(protocol_text(asked))
    return asked


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*words, "--protocol", "p.toml", "--format", "json"]) in (0, 1)
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words, "--protocol", "p.toml"]) == 2
    return capsys.readouterr().err.strip()


def test_explain(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = protocol("alpha", "beta.run", "of another day")
    mean = irviewer.explain("one/qrels.txt", "one/beta.run", protocol=asked)
    assert mean.value == irviewer.evaluate("one/qrels.txt", "one/beta.run", ["AP"]).mean("AP")
    difference = irviewer.explain("one/qrels.txt", "one/beta.run", protocol=asked, against="one/alpha.run")
    for explained, words in ((mean, []), (difference, ["--against", "one/alpha.run"])):
        document = printed(capsys, "explain", "one/qrels.txt", "one/beta.run", *words)
        assert (explained.protocol.line(), explained.protocol.as_json()["runs"]) == (
            document["protocol"]["line"], document["protocol"]["runs"],
        )  # fmt: skip
    assert document["protocol"]["runs"] == ["beta", "alpha"]
    said = "the run gamma is not among the runs of the protocol; add it to runs"
    for run, against in (("gamma", None), ("beta", "gamma")):
        words = [f"one/{run}.run"] + ([] if against is None else ["--against", f"one/{against}.run"])
        with pytest.raises(OptionError, match=said):
            irviewer.explain("one/qrels.txt", words[0], protocol=asked, against=None if against is None else words[-1])
        assert said in refused(capsys, "explain", "one/qrels.txt", *words)
    runs = ["one/beta.run", "one/gamma.run", "one/alpha.run"]
    words = ["explain", "one/qrels.txt", *runs, "-q", "q1", "--document", "a"]
    ranks = next(table for table in printed(capsys, *words)["tables"] if table["name"] == "elsewhere")
    assert [row["run"] for row in ranks["rows"]] == ["alpha"]


def test_gate(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = protocol("alpha", "beta", "gamma", "of another day")
    runs = [f"one/{name}.run" for name in ("delta", "beta", "gamma")]
    gate = irviewer.gate("one/qrels.txt", runs, "one/alpha.run", fail_if="AP worse", protocol=asked)
    alone = irviewer.gate("one/qrels.txt", runs[1:], "one/alpha.run", fail_if="AP worse", unjudged="complete")
    assert [result.p_corrected for result in gate.results] == [result.p_corrected for result in alone.results]
    assert gate.run == "beta, gamma"
    words = ["gate", "one/qrels.txt", *runs, "--baseline", "one/alpha.run", "--fail-if", "AP worse"]
    document = printed(capsys, *words)
    rows = next(table for table in document["tables"] if table["name"] == "conditions")["rows"]
    assert [row["p_corrected"] for row in rows] == [result.p_corrected for result in gate.results]
    assert document["protocol"]["line"] == gate.protocol.line()
    assert "3 runs chosen" in gate.protocol.line()
    assert document["protocol"]["runs"] == ["alpha", "beta", "gamma"]
    assert {Path(each["name"]).name for each in document["inputs"] if each["role"] == "run"} == {
        "alpha.run", "beta.run", "gamma.run", "delta.run",
    }  # fmt: skip
    for run, baseline, name in (("delta", "alpha", "delta"), ("beta", "delta", "delta")):
        said = f"the run {name} is not among the runs of the protocol; add it to runs"
        with pytest.raises(OptionError, match=said):
            irviewer.gate("one/qrels.txt", f"one/{run}.run", f"one/{baseline}.run", "AP > -0.1", protocol=asked)
        words = ["gate", "one/qrels.txt", f"one/{run}.run", "--baseline", f"one/{baseline}.run"]
        assert said in refused(capsys, *words, "--non-inferior", "AP > -0.1")


@pytest.mark.parametrize(
    ("runs", "baseline", "names"),
    [
        (["new/same.run"], "old/same.run", ["same", "new/same"]),
        (["new/same.run", "one/beta.run"], "old/same.run", ["same", "new/same", "beta"]),
        (["new/same.run"], "new/same.run", ["same", "same (2)"]),
        (["one/beta.run", "new/same.run"], "new/same.run", ["same", "beta", "same (2)"]),
        (["one/beta.run"], "one/alpha.run", ["alpha", "beta"]),
    ],
)
def test_runs_of_one_name(
    folder: Path, capsys: pytest.CaptureFixture[str], runs: list[str], baseline: str, names: list[str]
) -> None:
    asked = protocol()
    gate = irviewer.gate("one/qrels.txt", runs, baseline, fail_if="AP worse", protocol=asked)
    words = ["gate", "one/qrels.txt", *runs, "--baseline", baseline, "--fail-if", "AP worse"]
    document = printed(capsys, *words)
    outcome = next(table for table in document["tables"] if table["name"] == "gate")["rows"][0]
    assert [gate.baseline, *gate.run.split(", ")] == [outcome["baseline"], *outcome["run"].split(", ")] == names
    assert document["protocol"]["line"] == gate.protocol.line()


def test_collections(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = protocol("alpha", "gamma", "delta", baseline="alpha")
    collected = irviewer.evaluate_collections(["one", "two"], protocol=asked)
    assert sorted(collected.table.systems) == ["alpha", "delta", "gamma"]
    assert "3 runs chosen" in collected.protocol.line()
    assert "Holm over 2 in each collection" in collected.protocol.line()
    document = printed(capsys, "collections", "one", "two")
    systems = next(table for table in document["tables"] if table["name"] == "systems")
    assert [row["system"] for row in systems["rows"]] == list(collected.table.systems)
    assert document["protocol"]["line"] == collected.protocol.line()
    assert len([each for each in document["inputs"] if each["role"] == "run"]) == 8
    assert main(["collections", "one", "two", "--protocol", "p.toml", "--only", "delta,alpha"]) == 0
    assert (
        "2 runs chosen" in (line := capsys.readouterr().out.splitlines()[0]) and "(p.toml, with runs changed)" in line
    )
    only = irviewer.evaluate_collections(["one", "two"], "AP", only=["delta", "alpha"], baseline="alpha")
    assert only.table.systems == ("delta", "alpha")
    assert "2 runs chosen" in only.protocol.line()
    protocol("alpha", "nobody")
    assert "there is no run nobody" in refused(capsys, "collections", "one", "two")
    protocol("gamma", "delta")
    said = refused(capsys, "collections", "one", "two", "--baseline", "alpha")
    assert "the run alpha is not among the runs of the protocol" in said
    for path in (folder / "one" / "beta.run", folder / "two" / "beta.run"):
        path.unlink()
    alone = irviewer.evaluate_collections(["one", "two"], protocol=EvaluationProtocol().but(
        baseline="alpha", measures=["AP"], unjudged="complete"))  # fmt: skip
    assert collected.table.marks.tolist() == alone.table.marks.tolist()
    assert collected.table.means.tobytes() == alone.table.means.tobytes()
