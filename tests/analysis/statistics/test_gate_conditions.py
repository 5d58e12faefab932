"""Conditions read as what they test: means, limits of means, differences and relative margins, against SciPy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer.analysis.statistics.gate import Gate
from irviewer.analysis.statistics.gate_conditions import parse_condition, parse_margin
from irviewer.cli.main import main
from irviewer.errors import MeasureError, OptionError, ParseError
from tests.analysis.statistics.test_gate import collection


def values(qrels: dict[str, Any], run: Any, measure: str) -> np.ndarray:
    return np.array(list(irviewer.evaluate(qrels, run, [measure]).by_query(measure).values()))


def decided(qrels: Any, run: Any, base: Any, *conditions: str) -> Gate:
    return irviewer.gate(qrels, run, base, require=conditions, unjudged="complete")


def test_a_number_without_sign_is_the_mean() -> None:
    qrels, base, run = collection(40, 0.1)
    mean = float(values(qrels, run, "nDCG@10").mean())
    under, over = f"nDCG@10 >= {mean - 0.001:.6f}", f"nDCG@10 >= {mean + 0.001:.6f}"
    gate = decided(qrels, run, base, under, over, f"shown {under}", f"shown nDCG@10 >= {mean - 0.3:.6f}",
                   f"shown nDCG@10 >= {mean + 0.3:.6f}")  # fmt: skip
    assert [result.outcome.value for result in gate.results] == ["passed", "failed", "undecided", "passed", "failed"]
    assert [result.mean for result in gate.results] == pytest.approx([mean] * 5)


@pytest.mark.parametrize("confidence", [0.95, 0.8])
def test_the_limit_of_a_mean_is_scipys(confidence: float) -> None:
    qrels, base, run = collection(40, 0.2)
    own = values(qrels, run, "AP")
    gate = irviewer.gate(qrels, run, base, require="shown AP >= 0.1", unjudged="complete", confidence=confidence)
    low, high = stats.t.interval(2 * confidence - 1, len(own) - 1, loc=own.mean(), scale=stats.sem(own))
    assert (gate.results[0].mean_low, gate.results[0].mean_high) == pytest.approx((low, high))
    for bound, outcome in ((low - 1e-6, "passed"), (low + 1e-6, "undecided"), (high + 1e-6, "failed")):
        again = irviewer.gate(
            qrels, run, base, require=f"shown AP >= {bound:.9f}", unjudged="complete", confidence=confidence
        )
        assert again.outcome.value == outcome


def test_a_relative_margin_is_tested_as_a_contrast() -> None:
    """The lower limit of the mean of run - .9 base decides "Δ AP > -10 %": SciPy's one-sided t-test."""
    qrels, base, run = collection(40, 0.3)
    ours, theirs = values(qrels, run, "AP"), values(qrels, base, "AP")
    seen = set()
    for percent in range(-40, 41, 2):
        contrast = ours - (1 + percent / 100) * theirs
        above = stats.ttest_1samp(contrast, 0, alternative="greater").pvalue < 0.05
        below = stats.ttest_1samp(contrast, 0, alternative="less").pvalue < 0.05
        wanted = "passed" if above else "failed" if below else "undecided"
        (result,) = decided(qrels, run, base, f"Δ AP > {percent} %").results
        assert result.outcome.value == wanted
        assert result.margin == pytest.approx(percent / 100 * theirs.mean())
        seen.add(wanted)
    assert seen == {"passed", "failed", "undecided"}


def test_forms_and_their_kinds() -> None:
    kinds = {
        "nDCG@10 >= 0.5": "mean", "shown nDCG@10 > .5": "mean-shown", "Δ nDCG@10 > 0": "superior",
        "nDCG@10 > -0.01": "non-inferior", "nDCG@10 > +0.01": "superior", "delta unj@5 < 0.1": "non-inferior",
        "P@1 worse, p < .05": "fail-if-worse",
    }  # fmt: skip
    assert {text: parse_condition(text).kind for text in kinds} == kinds
    assert parse_margin("Δ AP > 0.1") == parse_condition("Δ AP > 0.1")


@pytest.mark.parametrize("text", ["nDCG@10 > 0.5", "nDCG@10 >= 0", "shown nDCG@10 > 0.5"])
def test_what_reads_as_a_mean_is_no_margin(text: str) -> None:
    with pytest.raises(OptionError, match="reads as a mean, and here a difference is tested: write"):
        parse_margin(text)


@pytest.mark.parametrize("text", ["shown Δ AP > 0", "AP >= 5 %", "AP", "AP = 3", "AP <= 0.5", ""])
def test_what_no_condition_is(text: str) -> None:
    with pytest.raises((OptionError, MeasureError)):
        parse_condition(text)


def test_unjudged_documents_leave_a_mean_open() -> None:
    qrels = {str(query): {"a": 1, "b": 0} for query in range(20)}
    run = {query: {"x": 2.0, "b": 1.0} for query in qrels}
    assert irviewer.gate(qrels, run, run, require="P@1 >= 0.5").outcome.value == "undecided"
    assert irviewer.gate(qrels, run, run, require="P@1 >= 0.5", unjudged="complete").outcome.value == "failed"


def test_identical_rankings_are_not_better() -> None:
    qrels, base, _ = collection(40, 0.1)
    gate = decided(qrels, base, base, "Δ AP > -0.01", "Δ AP > 0", "Δ AP >= 0", "Δ AP > +0.01")
    assert [result.outcome.value for result in gate.results] == ["passed", "failed", "passed", "failed"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    qrels, base, run = collection(40, 0.1)
    (tmp_path / "ci").mkdir()
    (tmp_path / "q").write_text("".join(f"{q} 0 {d} {g}\n" for q in qrels for d, g in qrels[q].items()))
    for name, each in (("base", base), ("new", run)):
        lines = [f"{q} Q0 {d} 0 {score} t\n" for q in each for d, score in each[q].items()]
        (tmp_path / name).write_text("".join(lines))
    (tmp_path / "ci/protocol.toml").write_text('[rules]\nunjudged = "complete"\n[inference]\nsmallest = 0.04\n')
    return tmp_path


@pytest.mark.parametrize(
    "protocol", ['"protocol.toml"', "{ rules = {unjudged = 'complete'}, inference = {smallest = 0.04} }"]
)
def test_a_committed_file_is_the_same_gate_at_both_doors(
    files: Path, capsys: pytest.CaptureFixture[str], protocol: str
) -> None:
    file = files / "ci" / "gate.toml"
    file.write_text(
        f'protocol = {protocol}\nbaseline = "../base"\nhistory = "h.jsonl"\n'
        'require = ["nDCG@10 >= 0.2", "Δ AP > -20 %", "RR", "P@1 worse, p < .01"]\n'
    )
    status = main(["gate", str(files / "q"), str(files / "new"), "--conditions", str(file), "--format", "json"])
    printed = json.loads(capsys.readouterr().out)
    gate = irviewer.gate(files / "q", files / "new", conditions=file)
    assert gate.status == status
    by_hand = irviewer.gate(
        files / "q", files / "new", files / "base", protocol=files / "ci/protocol.toml",
        require=["nDCG@10 >= 0.2", "Δ AP > -20 %", "RR > -0.04", "P@1 worse, p < .01"],
    )  # fmt: skip
    assert repr(gate.results) == repr(by_hand.results)
    rows = next(table["rows"] for table in printed["tables"] if table["name"] == "conditions")
    assert [row["outcome"] for row in rows] == [result.outcome.value for result in by_hand.results]
    assert [row["kind"] for row in rows] == ["mean", "non-inferior", "non-inferior", "fail-if-worse"]
    assert len((files / "ci/h.jsonl").read_text().splitlines()) == 2


def test_the_baseline_can_be_values_of_an_earlier_build(files: Path) -> None:
    conditions = 'require = ["nDCG@10 >= 0.2", "shown AP >= 0.1", "Δ AP > -20 %", "P@1 worse, p < .01"]\n'
    values = irviewer.evaluate(files / "q", files / "base", ["nDCG@10", "AP", "P@1"])
    irviewer.save_values(values, files / "q", files / "ci" / "earlier.parquet")
    gates = []
    for baseline in ("../base", "earlier.parquet"):
        text = f'protocol = "protocol.toml"\nbaseline = "{baseline}"\n{conditions}'
        (files / "ci" / "gate.toml").write_text(text)
        gates.append(irviewer.gate(files / "q", files / "new", conditions=files / "ci" / "gate.toml"))
    assert repr(gates[0].results) == repr(gates[1].results)
    assert not np.isnan([result.mean for result in gates[1].results]).any()


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ('require = [\n  "AP >= 0.1",\n  "AP = 0.1",\n]\n', 3, 3, "'AP = 0.1'"),
        ('# "XP > 1"\nrequire = ["XP > 1"]\n', 2, 12, "XP"),
        ('require = ["AP >= 0.1"]\nbasline = "x"\n', 2, 1, "no key basline"),
        ('require = ["AP >= 0.1"]\n[protocol.rules]\nlevl = 2\n', 3, 1, "rules.levl"),
        ('require = ["AP >= 0.1"\n', 1, 0, "no TOML"),
        ("by = []\n", 0, 0, "no condition"),
        ('require = ["AP"]\nprotocol = {}\n', 1, 12, "no margin"),
        ('require = ["AP >= 0.1"]\nhistory = 3\n', 2, 1, "history is not the name of a file"),
        ('require = ["AP >= 0.1"]\nprotocol = "gone.toml"\n', 2, 1, "gone.toml: cannot be read"),
    ],
)
def test_errors_have_a_place(tmp_path: Path, text: str, line: int, column: int, reason: str) -> None:
    (tmp_path / "gate.toml").write_text(text)
    with pytest.raises(ParseError) as caught:
        irviewer.gate({"1": {"a": 1}}, {"1": {"a": 1.0}}, {"1": {"a": 1.0}}, conditions=tmp_path / "gate.toml")
    assert reason in caught.value.reason
    if "TOML" not in reason:
        assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("measure", ["AP", "RR", "P@10", "nDCG@10", "Bpref", "DCG@10"])
def test_the_mean_is_that_of_an_evaluation_to_the_last_bit(measure: str) -> None:
    """Also for a bound that is the mean itself, which the last digit decides."""
    for seed in range(8):
        qrels, base, run = collection(37 + seed, 0.1 + seed / 40)
        mean = irviewer.evaluate(qrels, run, [measure]).mean(measure)
        (floor, above) = decided(qrels, run, base, f"{measure} >= {mean!r}", f"{measure} > {mean!r}").results
        assert floor.mean == above.mean == mean
        assert (floor.outcome.value, above.outcome.value) == ("passed", "failed")


def test_no_loss_decides_what_unjudged_documents_leave_open() -> None:
    qrels = {str(query): {"a": 1} for query in range(20)}
    base = {str(query): {"a": 2.0, "x": 1.0} for query in range(20)}
    run = {query: {"a": 2.0, "z": 1.0} for query in base} | {"3": {"z": 2.0, "a": 1.5}}
    gate = irviewer.gate(qrels, run, base, "AP > -0.2", unjudged="pooled")
    (result,) = gate.results
    assert (result.outcome.value, result.low > -0.2, result.fell) == ("undecided", True, 1)
    assert result.decisive == 0
