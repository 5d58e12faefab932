"""A gate of several candidates and collections: one family, corrected over all; its file; and its history."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer.__main__ import main
from irviewer.errors import OptionError, ParseError
from irviewer.formats.gate_history import read_gate_history

RULES = 'protocol = {rules = {unjudged = "complete"}}\n'


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two collections of 30 and 40 queries, with a baseline and two candidates that are worse by little and by much."""
    random = np.random.default_rng(8)
    for name, n in (("news", 30), ("web", 40)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "qrels").write_text("".join(f"{q} 0 d{d} {int(d < 2)}\n" for q in range(n) for d in range(9)))
        for run, noise in (("base", 0.6), ("a", 0.61), ("b", 3.0)):
            rows = [f"{q} Q0 d{d} 1 {(d < 2) + random.normal() * noise:.6f} t" for q in range(n) for d in range(9)]
            (folder / f"{run}.run").write_text("\n".join(rows) + "\n")
    (tmp_path / "gate.toml").write_text(
        f'require = ["AP worse, p < .05", "RR worse, p < .05", "Δ AP > -0.5"]\n{RULES}'
        '[collections.news]\nqrels = "news/qrels"\nbaseline = "news/base.run"\n'
        'candidates = ["news/a.run", "news/b.run"]\n'
        '[collections."the web"]\nqrels = "web/qrels"\nbaseline = "web/base.run"\ncandidates = "web/b.run"\n'
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_p_is_corrected_over_the_tests_of_all(place: Path) -> None:
    gate = irviewer.gate(conditions="gate.toml")
    rows = [(result.collection, result.run, result.condition.text) for result in gate.results]
    texts = ["AP worse, p < .05", "RR worse, p < .05", "Δ AP > -0.5"]
    parts = [("news", "a"), ("news", "b"), ("the web", "b")]
    assert rows == [(*part, text) for part in parts for text in texts]
    raw = {}
    for name, run in parts:
        folder = "web" if name == "the web" else name
        table = irviewer.evaluate(f"{folder}/qrels", [f"{folder}/base.run", f"{folder}/{run}.run"], ["AP", "RR"])
        for measure in ("AP", "RR"):
            ours, theirs = table.by_query(measure, run), table.by_query(measure, "base")
            ids = sorted(ours)
            test = stats.ttest_rel([ours[q] for q in ids], [theirs[q] for q in ids])
            raw[name, run, measure] = test.pvalue
    order = sorted(raw, key=lambda key: raw[key])
    holm: dict[tuple[str, str, str], float] = {}
    highest = 0.0
    for place_in_order, key in enumerate(order):
        highest = max(highest, min(1.0, raw[key] * (len(order) - place_in_order)))
        holm[key] = highest
    tested = [result for result in gate.results if result.condition.is_worse]
    for result in tested:
        key = (result.collection, result.run, str(result.condition.measure))
        assert result.p == pytest.approx(raw[key], rel=1e-9)
        assert result.p_corrected == pytest.approx(holm[key], rel=1e-9)
        worse = result.delta < 0 and holm[key] < 0.05
        assert (result.outcome.value == "failed") == worse
    assert len({result.outcome for result in tested}) == 2, "both outcomes are tried"
    assert gate.outcome.value == "failed"
    assert gate.alarm == pytest.approx(0.05 / 2 + 3 * 0.05)
    assert "Holm over 6 conditions" in gate.protocol.line()  # type: ignore[union-attr]
    assert "70 queries in 2 collections" in gate.protocol.line()  # type: ignore[union-attr]


def test_command_and_python_say_the_same(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gate = irviewer.gate(conditions="gate.toml")
    assert main(["gate", "--conditions", "gate.toml", "--format", "json"]) == 1
    content = json.loads(capsys.readouterr().out)
    rows = {each["name"]: each for each in content["tables"]}["conditions"]["rows"]
    assert [row["p"] for row in rows] == [None if np.isnan(each.p) else each.p for each in gate.results]
    assert [(row["collection"], row["run"]) for row in rows] == [(each.collection, each.run) for each in gate.results]
    values = irviewer.gate(
        collections={
            "news": ("news/qrels", ["news/a.run", "news/b.run"], "news/base.run"),
            "the web": ("web/qrels", "web/b.run", "web/base.run"),
        },
        require=["AP worse, p < .05", "RR worse, p < .05", "Δ AP > -0.5"], unjudged="complete",
    )  # fmt: skip
    assert values.results == gate.results
    assert values.to_pandas("candidates")["outcome"].tolist() == gate.to_pandas("candidates")["outcome"].tolist()


def test_several_runs_of_the_command_line(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["news/qrels", "news/a.run", "news/b.run", "--baseline", "news/base.run", "--fail-if", "AP worse"]
    status = main(["gate", *words, "--unjudged", "complete"])
    out = capsys.readouterr().out
    gate = irviewer.gate(
        "news/qrels", ["news/a.run", "news/b.run"], "news/base.run", fail_if="AP worse", unjudged="complete"
    )
    assert status == gate.status == 1
    assert [result.run for result in gate.results] == ["a", "b"]
    assert "Candidates: 2, collections: 1" in out and "a, b against base" in out
    alone = irviewer.gate("news/qrels", "news/b.run", "news/base.run", fail_if="AP worse", unjudged="complete")
    assert gate.results[1].p == alone.results[0].p and alone.results[0].run == ""


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('collections = 1\nrequire = ["AP > 0.1"]\n', 1, "no table of tables"),
        ('require = "AP > 0.1"\n[collections.x]\nqrel = "q"\n', 3, "no key qrel"),
        ('require = "AP > 0.1"\n[collections.x]\nqrels = "q"\nbaseline = "b"\n', 2, "has no candidates"),
        ('require = "AP > 0.1"\nqrels = "q"\n[collections.x]\nqrels = 3\n', 4, "qrels is not the name"),
        ('require = "AP > 0.1"\ncandidates = "q"\n[collections.x]\ncandidates = [3]\n', 4, "candidates is no list"),
        ('require = "AP > 0.1"\nbaseline = 3\n[collections.x]\nqrels = "q"\n', 2, "baseline is not the name"),
    ],
)
def test_errors_of_collections_have_a_place(place: Path, text: str, line: int, reason: str) -> None:
    (place / "bad.toml").write_text(text)
    with pytest.raises(ParseError, match=reason) as caught:
        irviewer.gate(conditions="bad.toml")
    assert caught.value.line == line


def test_a_candidate_may_have_the_name_of_the_baseline(place: Path) -> None:
    news, web = place / "news", place / "web"
    (web / "b.run").write_bytes((news / "base.run").read_bytes())
    gate = irviewer.gate(
        "news/qrels", ["news/b.run", "news/a.run"], "web/b.run", fail_if="AP worse", unjudged="complete"
    )
    assert (gate.run, gate.baseline) == ("news/b, a", "b")
    other = irviewer.gate("news/qrels", ["news/b.run", "news/a.run"], "news/base.run", fail_if="AP worse",
                          unjudged="complete")  # fmt: skip
    assert [result.p for result in gate.results] == [result.p for result in other.results]


def test_a_collection_that_cannot_be_decided_is_named(place: Path) -> None:
    """Slices by an attribute that the queries of the second collection lack."""
    (place / "kinds.tsv").write_text("query\tkind\n" + "".join(f"{q}\tshort\n" for q in range(30)))
    for file in (place / "web").iterdir():
        file.write_text("".join(f"w{line}" for line in file.read_text().splitlines(keepends=True)))
    with pytest.raises(OptionError, match=r"^the web: None of the 40 queries has a value of kind"):
        irviewer.gate(conditions="gate.toml", by="kind", query_attributes="kinds.tsv")


def test_what_is_missing_is_said(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "part.toml").write_text('require = "AP > 0.1"\nbaseline = "news/base.run"\n')
    with pytest.raises(OptionError, match="qrels and a run"):
        irviewer.gate(conditions="part.toml")
    assert main(["gate", "--conditions", "part.toml"]) == 2
    assert "name qrels and candidates" in capsys.readouterr().err


def test_the_trend_has_the_numbers_of_each_gate(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = {"require": ["Δ AP > -0.5", "RR >= 0.2"], "unjudged": "complete", "history": "h.jsonl"}
    gates = [irviewer.gate("news/qrels", f"news/{run}.run", "news/base.run", **common) for run in "ab"]
    old = '{"schema": 1, "time": "t", "run": "r", "baseline": "b", "outcome": "passed", "digest": "", "alarm": 0.05, '
    with (place / "h.jsonl").open("a") as file:
        file.write(old + '"queries": 3, "conditions": []}\n')
    assert len(read_gate_history("h.jsonl").gates) == 3, "a line without numbers is one of an earlier version"
    trend = irviewer.gate("news/qrels", "news/a.run", "news/base.run", **common).to_pandas("trend")
    rows = trend[trend["condition"] == "Δ AP > -0.5"]
    assert rows["number"].tolist() == [1, 2, 4]
    assert rows["run"].tolist() == ["a", "b", "a"]
    wanted = [*gates, gates[0]]
    for column, of in (("mean", "mean"), ("difference", "delta"), ("limits_low", "low"), ("limits_high", "high")):
        assert rows[column].tolist() == [getattr(gate.results[0], of) for gate in wanted]
    main(["gate", "news/qrels", "news/a.run", "--baseline", "news/base.run", "--require", "AP >= 0", "--unjudged",
          "complete", "--history", "h.jsonl"])  # fmt: skip
    assert "Trend of each condition" in capsys.readouterr().out


def test_collections_are_whole_and_alone(place: Path) -> None:
    news = ("news/qrels", "news/a.run", "news/base.run")
    for wrong in ({}, {"news": news[:2]}, [news], {"news": "news"}):
        with pytest.raises(OptionError, match="a name with qrels, runs and a baseline"):
            irviewer.gate(collections=wrong, require="AP worse, p < .05")  # type: ignore[arg-type]
    for given in ({"qrels": "web/qrels"}, {"run": "web/b.run"}, {"baseline": "web/base.run"}):
        with pytest.raises(OptionError, match="leave the others out"):
            irviewer.gate(collections={"news": news}, require="AP worse, p < .05", **given)  # type: ignore[arg-type]
