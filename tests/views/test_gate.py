"""The gate as a view: the conditions of ``irviewer gate`` with their numbers and its line, at every door."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.errors import OptionError
from irviewer.model.protocol import PRESET

CONDITIONS = {"non_inferior": ["AP > -0.05", "RR > +0.1"], "fail_if": ["P@3 worse, p < .2"]}
WORDS = ["--non-inferior", "AP > -0.05", "--non-inferior", "RR > +0.1", "--fail-if", "P@3 worse, p < .2"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, list[str]]:
    """Judgments of 20 queries, and three runs of which the last has the most relevant documents on top."""
    random = np.random.default_rng(3)
    judged = [f"{query} 0 d{place} {random.integers(0, 3)}\n" for query in range(20) for place in range(8)]
    (tmp_path / "qrels").write_text("".join(judged))
    for name, bias in (("base", 0.0), ("third", 0.5), ("good", 1.5)):
        lines = [
            f"{query} Q0 d{place} 1 {random.normal() + (bias if place < 4 else 0):.3f} t\n"
            for query in range(20) for place in range(10)
        ]  # fmt: skip
        (tmp_path / name).write_text("".join(lines))
    return str(tmp_path / "qrels"), [str(tmp_path / name) for name in ("base", "third", "good")]


def rows(document: dict[str, object], name: str) -> object:
    return next(table["rows"] for table in document["tables"] if table["name"] == name)  # type: ignore[attr-defined, index]


@pytest.mark.parametrize("by", [[], ["relevant"]])
@pytest.mark.parametrize("fields", [{}, {"confidence": 0.8, "interval": "percentile", "samples": 200}])
def test_the_view_is_the_gate(
    files: tuple[str, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str], by: list[str], fields: dict
) -> None:
    qrels, runs = files
    protocol = PRESET.but(level=2, unjudged="pooled", **fields)
    gate = irviewer.gate(qrels, runs[2], runs[0], CONDITIONS["non_inferior"], CONDITIONS["fail_if"], by=by,
                         protocol=protocol)  # fmt: skip
    shown = irviewer.show("gate", qrels, runs, protocol=protocol, run="good", by=by, **CONDITIONS)
    assert shown.value.outcome is gate.outcome
    assert shown.protocol.line() == gate.protocol.line()
    gate.save(tmp_path / "gate.json")
    shown.save(tmp_path / "shown.json")
    documents = [json.loads((tmp_path / name).read_text()) for name in ("gate.json", "shown.json")]
    for name in ("conditions", "gate"):
        assert rows(documents[0], name) == rows(documents[1], name)
    gate.save(tmp_path / "queries.json", table="queries")
    assert rows(json.loads((tmp_path / "queries.json").read_text()), "queries") == rows(documents[1], "queries")
    (tmp_path / "p.toml").write_text(irviewer_text(protocol))
    words = ["--protocol", str(tmp_path / "p.toml"), *WORDS, *(part for each in by for part in ("--by", each))]
    assert main(["show", "gate", qrels, *runs, *words, "--run", "good", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["protocol"]["line"] == gate.protocol.line()
    for name in ("conditions", "queries", "gate"):
        assert rows(document, name) == rows(documents[1], name)


def irviewer_text(protocol: irviewer.EvaluationProtocol) -> str:
    from irviewer.formats.protocol_file import protocol_text

    return protocol_text(protocol)


def test_the_command_that_is_offered_decides_the_same(
    files: tuple[str, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is run as it stands, in the folder of the files, beside the file of the protocol."""
    qrels, runs = files
    monkeypatch.chdir(tmp_path)
    Path("protocol.toml").write_text("[rules]\nlevel = 2\n")
    Path("QRELS").write_text(Path(qrels).read_text())
    Path("ATTRIBUTES").write_text("query,kind\n" + "".join(f"{query},{'ab'[query % 2]}\n" for query in range(20)))
    lines = [json.dumps({"id": f"d{place}", "brand": "xy"[place % 2]}) for place in range(10)]
    Path("DOCUMENTS").write_text("\n".join(lines))
    given = {"query_attributes": "ATTRIBUTES", "documents": "DOCUMENTS"}
    for more in (
        {"ignore_unjudged": True}, {"by": ["relevant"]}, {"by": ["kind"]}, {"by": ["relevant:brand"]},
    ):  # fmt: skip
        shown = irviewer.show("gate", qrels, runs, protocol="protocol.toml", run="good", **CONDITIONS, **more, **given)
        (text,) = (remark.text for remark in shown.shown.sentences if remark.code == "command")
        command = shlex.split(text.partition(": ")[2])
        assert command[:2] == ["irviewer", "gate"]
        assert main([*command[1:], "--format", "json"]) == shown.value.status
        shown.save("shown.json")
        printed = json.loads(capsys.readouterr().out)
        assert rows(printed, "conditions") == rows(json.loads(Path("shown.json").read_text()), "conditions")


def test_without_a_condition_it_is_about_the_primary_measure(files: tuple[str, list[str]]) -> None:
    qrels, runs = files
    plain = irviewer.show("gate", qrels, runs, protocol=None, measures=["RR"])
    assert [result.condition.text for result in plain.value.results] == ["RR worse, p < 0.05"]
    assert (plain.value.run, plain.value.baseline) == ("third", "base")
    margin = irviewer.show("gate", qrels, runs, protocol=None, measures=["RR"], smallest=0.1, run="good")
    assert [result.condition.text for result in margin.value.results] == ["RR > -0.1"]
    said = "No condition is given: this one is about the primary measure."
    assert said in plain.value.notes
    assert said not in irviewer.show("gate", qrels, runs, protocol=None, **CONDITIONS).value.notes
    with pytest.raises(OptionError, match="a gate compares a run with the baseline; choose another run"):
        irviewer.show("gate", qrels, runs, protocol=None, run="base")


def test_a_list_that_was_divided_at_commas(files: tuple[str, list[str]]) -> None:
    """A field of the window divides its text at commas, and a condition has one."""
    qrels, runs = files
    divided = irviewer.show("gate", qrels, runs, protocol=None, fail_if=["P@3 worse", "p < .2", "AP worse"])
    whole = irviewer.show("gate", qrels, runs, protocol=None, fail_if=["P@3 worse, p < .2", "AP worse"])
    assert [result.condition for result in divided.value.results] == [
        result.condition for result in whole.value.results
    ]
    assert [result.condition.alpha for result in divided.value.results] == [0.2, 0.05]
    with pytest.raises(OptionError, match="is not a failure condition"):
        irviewer.show("gate", qrels, runs, protocol=None, fail_if=["p < .2"])


def test_it_says_that_nobody_chose_the_run(files: tuple[str, list[str]]) -> None:
    qrels, runs = files
    said = "No run was chosen: third is the first of 2 runs beside the baseline."
    assert said in irviewer.show("gate", qrels, runs, protocol=None, **CONDITIONS).value.notes
    assert said not in irviewer.show("gate", qrels, runs, protocol=None, run="third", **CONDITIONS).value.notes
    assert said not in irviewer.show("gate", qrels, runs[:2], protocol=None, **CONDITIONS).value.notes


def test_a_section_of_a_report_over_a_query_set(
    files: tuple[str, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, runs = files
    (tmp_path / "few.txt").write_text("".join(f"{query}\n" for query in range(3, 15)))
    protocol = tmp_path / "few.protocol.toml"
    protocol.write_text('[scope]\nqueries = { file = "few.txt" }\nbaseline = "base"\n')
    report = tmp_path / "report.html"
    section = ["--section", "gate:run=good,non_inferior=AP > -0.05"]
    assert main(["report", qrels, *runs, "--protocol", str(protocol), *section, "-o", str(report)]) == 0
    capsys.readouterr()
    command = ["gate", qrels, runs[2], "--baseline", runs[0], "--non-inferior", "AP > -0.05"]
    main([*command, "--protocol", str(protocol), "--format", "json"])
    (row,) = rows(json.loads(capsys.readouterr().out), "conditions")  # type: ignore[misc]
    by_hand = irviewer.evaluate(qrels, runs, ["AP"]).by_query("AP", "good")
    assert row["mean"] == pytest.approx(np.mean([by_hand[str(query)] for query in range(3, 15)]))
    written = report.read_text()
    assert "12 of 20 queries (few.txt)" in written
    for key in ("other_mean", "mean", "difference"):
        assert f'data-value="{row[key]!r}"' in written, key
