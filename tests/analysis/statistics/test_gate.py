"""A gate: limits and p against SciPy, its three outcomes, what leaves it undecided, and the ways it is written."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer.analysis.statistics.gate import Outcome, limits_of, parse_margin, parse_worse
from irviewer.cli.main import main
from irviewer.errors import MeasureError, OptionError
from irviewer.tables.writers.registry import written
from irviewer.views.gate import tables
from irviewer.views.junit import junit

HOSTILE = "<b>|`x`\x1b[31m]]>&{0}"


def collection(n: int, noise: float, seed: int = 3, worse: float = 0.0) -> tuple[dict[str, Any], Any, Any]:
    """Qrels with every document judged, a baseline, and a run that differs by noise."""
    dice = random.Random(seed)
    qrels, base, run = {}, {}, {}
    for number in range(n):
        query = f"q{number:03}"
        documents = [f"d{place}" for place in range(12)]
        qrels[query] = {document: int(dice.random() < 0.3) for document in documents}
        base[query] = {document: dice.random() + 0.5 * qrels[query][document] for document in documents}
        run[query] = {
            document: score + dice.gauss(0, noise) - worse * qrels[query][document]
            for document, score in base[query].items()
        }
    return qrels, base, run


def test_limits_and_p_are_scipys() -> None:
    qrels, base, run = collection(40, 0.2)
    gated = irviewer.gate(qrels, run, base, "nDCG@10 > -0.5", "AP worse, p < .05")
    result = irviewer.evaluate(qrels, {"base": base, "run": run}, ["nDCG@10", "AP"])
    margin, worse = gated.results
    change = result.of("nDCG@10")[1][1] - result.of("nDCG@10")[1][0]
    theirs = stats.t.interval(0.9, len(change) - 1, loc=change.mean(), scale=stats.sem(change))
    assert (margin.low, margin.high) == pytest.approx(theirs)
    values = result.of("AP")[1]
    assert worse.p == pytest.approx(stats.ttest_rel(values[1], values[0]).pvalue)
    assert margin.fell + margin.rose == int(np.count_nonzero(np.abs(change) > 1e-12))


def test_holm_over_the_conditions_to_fail_by_only() -> None:
    qrels, base, run = collection(60, 0.1, worse=0.05)
    gated = irviewer.gate(qrels, run, base, ["nDCG@10 > -0.5", "AP > -0.5"], ["AP worse", "P@5 worse", "RR worse"])
    p = [result.p for result in gated.results[2:]]
    order = np.argsort(p)
    holm = np.maximum.accumulate([(3 - place) * p[index] for place, index in enumerate(order)])
    assert [gated.results[2 + index].p_corrected for index in order] == pytest.approx(np.minimum(1, holm))
    assert "all 2 conditions must hold, which needs no correction" in gated.corrections[0]
    assert "Holm" in gated.corrections[1]


def test_an_equal_run_passes_and_a_worse_one_fails() -> None:
    qrels, base, run = collection(80, 0.05, worse=1.0)
    assert irviewer.gate(qrels, base, base, "nDCG@10 > -0.01", "P@1 worse, p < .05").outcome is Outcome.PASSED
    gated = irviewer.gate(qrels, run, base, "nDCG@10 > -0.01", "P@5 worse, p < .05")
    assert [result.outcome for result in gated.results] == [Outcome.FAILED] * 2
    assert (gated.status, bool(gated)) == (1, False)
    deltas = [query.delta for query in gated.results[0].queries]
    assert deltas == sorted(deltas)
    assert len(deltas) == 10


def test_a_small_query_set_cannot_pass_by_being_small() -> None:
    qrels, base, run = collection(300, 0.15, seed=5)
    whole = irviewer.gate(qrels, run, base, "nDCG@10 > -0.03")
    few = {query: qrels[query] for query in list(qrels)[:8]}
    assert whole.outcome is Outcome.PASSED
    assert irviewer.gate(few, run, base, "nDCG@10 > -0.03").outcome is Outcome.UNDECIDED
    gated = irviewer.gate({"q000": qrels["q000"]}, base, base, "nDCG@10 > -0.03")
    assert gated.outcome is Outcome.UNDECIDED
    assert "1 query" in gated.results[0].reason


def swapped(n: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Qrels, a baseline, and a run in which two non-relevant documents below the relevant one change places."""
    qrels = {str(q): {"a": 1, "b": 0, "c": 0} for q in range(n)}
    base = {str(q): {"a": 3.0, "b": 2.0, "c": 1.0} for q in range(n)}
    run = {str(q): {"a": 3.0, "c": 2.0, "b": 1.0} for q in range(n)}
    return qrels, base, run


def test_identical_rankings_pass_and_nothing_was_tested() -> None:
    qrels, base, run = swapped(12)
    gated = irviewer.gate(qrels, base, base, "P@3 > -0.01")
    assert gated.outcome is Outcome.PASSED
    assert gated.results[0].reason == "Identical on 12 queries, nothing tested."
    # Down to the depth of the measure: P@1 reads one document.
    assert irviewer.gate(qrels, run, base, "P@1 > -0.01").results[0].identical
    assert not irviewer.gate(qrels, run, base, "P@2 > -0.01").results[0].identical
    assert not irviewer.gate(qrels, run, base, "P@1 > -0.01", judged_only=True).results[0].identical
    # Small slices of identical runs pass too; a few queries do not.
    part = {query: {"part": "few" if int(query) < 3 else "many"} for query in qrels}
    assert irviewer.gate(qrels, base, base, "P@3 > -0.01", by="part", query_attributes=part).outcome is Outcome.PASSED
    gated = irviewer.gate(*swapped(2)[:2], swapped(2)[1], "P@1 > -0.01")
    assert gated.outcome is Outcome.UNDECIDED
    assert "Identical on 2 queries, nothing tested" in gated.results[0].reason


@pytest.mark.parametrize(("n", "passes"), [(2, False), (10, False), (298, False), (299, True), (300, True)])
def test_without_spread_the_number_of_queries_decides(n: int, passes: bool) -> None:
    """(1 − .05^(1/n)) × 1 is within .01 from 299 queries on."""
    qrels, base, run = swapped(n)
    gated = irviewer.gate(qrels, run, base, "P@2 > -0.01", unjudged="complete")
    assert (1 - 0.05 ** (1 / n) < 0.01) == passes
    assert gated.outcome is (Outcome.PASSED if passes else Outcome.UNDECIDED)
    assert gated.results[0].low == pytest.approx(-(1 - 0.05 ** (1 / n)))
    wide = irviewer.gate(qrels, run, base, "P@2 > -0.3", unjudged="complete")
    assert wide.outcome is (Outcome.PASSED if n >= 10 else Outcome.UNDECIDED)
    assert irviewer.gate(qrels, run, base, "DCG > -0.3", unjudged="complete").outcome is Outcome.UNDECIDED


def test_below_ten_queries_nothing_passes() -> None:
    qrels, base, run = collection(60, 0.05)
    for n, outcome in ((9, Outcome.UNDECIDED), (10, Outcome.PASSED)):
        few = {query: qrels[query] for query in list(qrels)[:n]}
        gated = irviewer.gate(few, run, base, "nDCG@10 > -0.9")
        assert gated.outcome is outcome
    assert (
        "9 queries are too few to pass; 10 are needed"
        in irviewer.gate({query: qrels[query] for query in list(qrels)[:9]}, run, base, "nDCG@10 > -0.9")
        .results[0]
        .reason
    )


def test_unjudged_documents_leave_it_undecided() -> None:
    qrels = {str(n): {"a": 1, "b": 0} for n in range(30)}
    base = {str(n): {"a": 2.0, "b": 1.0} for n in range(30)}
    run = {str(n): {"a": 3.0, "x": 2.0, "b": 1.0} for n in range(30)}
    first = {str(n): {"x": 3.0, "a": 2.0} for n in range(30)}
    gated = irviewer.gate(qrels, first, base, "RR > -0.6", unjudged="pooled")
    assert gated.outcome is Outcome.PASSED  # whatever x is, RR is .5 or 1
    lost = irviewer.gate(qrels, first, base, "RR > -0.3", unjudged="pooled")
    assert (lost.outcome, lost.results[0].open_low, lost.results[0].open_high) == (Outcome.UNDECIDED, -0.5, 0.0)
    assert "unjudged documents leave Δ open" in lost.results[0].reason
    ignored = irviewer.gate(qrels, first, base, "RR > -0.3", unjudged="pooled", ignore_unjudged=True)
    assert ignored.outcome is Outcome.FAILED
    assert irviewer.gate(qrels, run, base, "RR > -0.3", unjudged="pooled").outcome is Outcome.PASSED


def test_nothing_judged_is_undecided() -> None:
    qrels, base, _ = collection(10, 0.1)
    stranger = {query: {"nobody knows": 1.0} for query in qrels}
    assert irviewer.gate(qrels, stranger, base, "nDCG@10 > -0.01").outcome is Outcome.UNDECIDED


def test_less_is_better() -> None:
    qrels, base, _ = collection(30, 0.05)
    run = {query: {**scores, "unjudged": 99.0} for query, scores in base.items()}
    gated = irviewer.gate(qrels, run, base, ["unj@5 < +0.1", "unj@5 < +0.3"], "unj@5 worse", ignore_unjudged=True)
    assert [result.outcome for result in gated.results] == [Outcome.FAILED, Outcome.PASSED, Outcome.UNDECIDED]
    assert "without spread" in gated.results[2].reason
    with pytest.raises(OptionError, match="Write >"):
        parse_margin("nDCG@10 < 0.1")


@pytest.mark.parametrize("text", ["nDCG@10", "> -0.01", "nDCG@10 > much", "", "nDCG@10 > -0.01 > 2"])
def test_conditions_that_are_none(text: str) -> None:
    with pytest.raises((OptionError, MeasureError)):
        parse_margin(text)


def test_conditions_as_written() -> None:
    assert parse_margin("nDCG(dcg='exp-log2')@10>-.5").margin == -0.5
    assert parse_margin("AP(rel=2) >= −0.02").margin == -0.02
    assert parse_worse("P@1 worse, p < .01").alpha == 0.01
    assert parse_worse("P@1 worse").alpha == 0.05
    for text in ("P@1", "P@1 worse, p < 2", "P@1 better"):
        with pytest.raises(OptionError):
            parse_worse(text)
    with pytest.raises(MeasureError):
        parse_worse("nix worse")


@pytest.mark.parametrize("interval", ["t", "percentile", "bca"])
def test_limits_of_few_values(interval: Any) -> None:
    assert all(np.isnan(limits_of(np.array([0.1]), 0.95, interval)))
    few = np.array([0.1, -0.2, 0.3, 0.0, 0.05])
    low, high = limits_of(np.tile(few, 2), 0.95, interval)
    assert low < 0.05 < high
    assert np.isnan(limits_of(few, 0.95, interval)).all() == (interval != "t")


def test_a_limit_that_cannot_be_drawn_is_undecided() -> None:
    qrels, base, run = collection(8, 0.05, worse=0.5)
    gated = irviewer.gate(qrels, run, base, "nDCG@10 > -0.9", interval="percentile", unjudged="complete")
    assert gated.outcome is Outcome.UNDECIDED
    assert "a limit drawn from 8 queries would be far too narrow; 10 are needed" in gated.results[0].reason


def test_by_attribute() -> None:
    qrels, base, run = collection(80, 0.05, worse=1.0)
    half = {query: {"part": "odd" if number % 2 else "even"} for number, query in enumerate(qrels)}
    mixed = {query: (run if half[query]["part"] == "odd" else base)[query] for query in qrels}
    gated = irviewer.gate(qrels, mixed, base, "nDCG@10 > -0.01", by="part", query_attributes=half)
    assert {result.slice: result.outcome for result in gated.results if result.slice} == {
        "part = even": Outcome.PASSED,
        "part = odd": Outcome.FAILED,
    }
    assert {result.slice: result.n for result in gated.results} == {"": 80, "part = even": 40, "part = odd": 40}


def put(folder: Path, nested: dict[str, dict[str, float]], name: str, run: bool) -> str:
    path = folder / name
    (irviewer.write_run if run else irviewer.write_qrels)(nested, path)
    return str(path)


def test_the_command_and_its_statuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels, base, run = collection(80, 0.05, worse=1.0)
    files = [put(tmp_path, qrels, "a.qrels", False)]
    files += [put(tmp_path, base, "base.run", True), put(tmp_path, run, "new.run", True)]
    wanted = ["--non-inferior", "nDCG@10 > -0.01", "--fail-if", "P@1 worse, p < .05"]
    assert main(["gate", files[0], files[1], "--baseline", files[1], *wanted]) == 0
    assert "PASSED" in capsys.readouterr().out
    more = [f"--{name}={tmp_path / name}" for name in ("junit", "markdown", "json")]
    assert main(["gate", files[0], files[2], "--baseline", files[1], *wanted, *more]) == 1
    assert "The largest losses" in capsys.readouterr().out
    record = json.loads((tmp_path / "json").read_text("utf-8"))
    rows = {table["name"]: table["rows"] for table in record["tables"]}
    assert (rows["gate"][0]["outcome"], rows["gate"][0]["status"]) == ("failed", 1)
    assert "< .001" in (tmp_path / "markdown").read_text("utf-8").replace("\\", "")  # the p of 80 equal losses
    suite = ElementTree.parse(tmp_path / "junit").getroot()
    assert suite.attrib["failures"] == str(len(suite.findall("testcase/failure")))
    assert main(["gate", files[0], str(tmp_path / "nix"), "--baseline", files[1], *wanted, "--format", "junit"]) == 2
    suite = ElementTree.fromstring(capsys.readouterr().out)
    assert "does not exist" in suite.find("testcase/error").attrib["message"]  # type: ignore[union-attr]
    for wrong in ([], ["--non-inferior", "nDCG"], ["--query-attributes", "x", *wanted]):
        assert main(["gate", files[0], files[1], "--baseline", files[1], *wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_hostile_ids_stay_text(tmp_path: Path) -> None:
    qrels = {f"{HOSTILE}{n}": {"a": 1, "b": 0} for n in range(30)}
    base = {query: {"a": 2.0, "b": 1.0} for query in qrels}
    worse = {query: {"a": 1.0, "b": 2.0} for query in qrels}
    gated = irviewer.gate(qrels, {HOSTILE: worse}, base, "RR > -0.1")
    ElementTree.fromstring(junit(gated))
    shown = tables(gated).tables
    assert b"<b>" not in written(shown, "markdown") + written(shown, "html")
    assert b"\x1b" not in b"".join(written(shown, name) for name in ("markdown", "table", "html", "latex"))
    json.loads(written(shown, "json"))


def test_check_strict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fine, odd = tmp_path / "fine.run", tmp_path / "odd.run"
    fine.write_text("1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n")
    odd.write_text("1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n")
    assert main(["check", "--strict", str(fine)]) == 0
    assert main(["check", "--strict", str(fine), str(odd)]) == 1
    assert main(["check", str(odd)]) == 0
    assert main(["check", "--strict", str(tmp_path / "nix")]) == 2
    capsys.readouterr()


def test_the_protocol_is_followed_and_its_line_says_what_is_pinned() -> None:
    qrels, base, run = collection(40, 0.1)
    asked = irviewer.EvaluationProtocol().but(smallest=0.02, alpha=0.2, test="sign", correction="bonferroni", level=1)
    gated = irviewer.gate(qrels, run, base, ["nDCG@10", "AP > -0.5"], ["AP worse", "RR worse, p < .01"], protocol=asked)
    assert [result.condition.margin for result in gated.results] == [-0.02, -0.5, None, None]
    assert [result.condition.alpha for result in gated.results[2:]] == [0.2, 0.01]
    assert gated.results[0].condition.text == "nDCG@10 > -0.02"
    assert gated.protocol is not None
    line = gated.protocol.line()
    assert line == (
        "40 queries · binary, level ≥ 1 · unjudged: unknown · Holm over 2 conditions against run · "
        "paired t · 95 % one-sided limits (t) · shown below p = .2 · differences from .02 matter"
    )
    assert repr(gated).splitlines()[0] == line
    assert gated.protocol.reasons["inference.interval"] == "one-sided limits"
    assert gated.protocol.facts.origins["inference.test"] == "view"
    alone = irviewer.gate(qrels, run, base, "AP > -0.5", interval="bca", confidence=0.9, samples=200)
    assert alone.protocol is not None
    assert alone.protocol.line().endswith("unjudged: unknown · against run · 90 % one-sided limits (BCa) · 200 samples")
    with pytest.raises(OptionError, match="'AP' has no margin"):
        irviewer.gate(qrels, run, base, "AP")
    assert parse_margin("unj@5", 0.1).margin == 0.1  # less is better


def test_every_file_has_the_protocol(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "qrels").write_text("".join(f"{q} 0 a 1\n{q} 0 b 0\n" for q in range(20)))
    for name, order in (("base", "ab"), ("new", "ba")):
        lines = [f"{q} Q0 {d} {rank} {9 - rank} t\n" for q in range(20) for rank, d in enumerate(order)]
        (tmp_path / name).write_text("".join(lines))
    (tmp_path / "p.toml").write_text("[inference]\nsmallest = 0.05\n")
    files = [str(tmp_path / name) for name in ("qrels", "new", "base")]
    words = [*files[:2], "--baseline", files[2], "--non-inferior", "RR", "--protocol", str(tmp_path / "p.toml")]
    written = {form: tmp_path / form for form in ("markdown", "junit", "json")}
    assert main(["gate", *words, *(word for form, path in written.items() for word in (f"--{form}", str(path)))]) == 1
    gated = irviewer.gate(files[0], files[1], files[2], "RR", smallest=0.05)
    assert gated.protocol is not None
    line = gated.protocol.line()
    assert capsys.readouterr().out.splitlines()[0] == f"{line} (p.toml, with baseline changed)"
    assert written["markdown"].read_text().splitlines()[0] == f"{line} (p.toml, with baseline changed)"
    assert json.loads(written["json"].read_text())["protocol"]["line"] == line
    suite = ElementTree.fromstring(written["junit"].read_text())
    assert {each.get("name"): each.get("value") for each in suite.iter("property")}["protocol"] == line
