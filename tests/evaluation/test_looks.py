"""Looks of a protocol: published bounds, a simulation of the error, and the same decision behind every door."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer import EvaluationProtocol, Qrels, Run
from irviewer.errors import OptionError
from irviewer.evaluation.looks import at_look, bounds_of, p_at
from irviewer.model.protocol import BoundsName, Inference, Looks

# Equal looks, two-sided .05: Jennison and Turnbull 2000, tables 2.1 and 2.3 (the constants of the two designs).
POCOCK = {2: 2.178, 3: 2.289, 4: 2.361, 5: 2.413, 10: 2.555}
OBRIEN_FLEMING = {2: 1.977, 3: 2.004, 4: 2.024, 5: 2.040, 10: 2.087}
SHAPES: tuple[BoundsName, ...] = ("obrien-fleming", "pocock", "spending-obrien-fleming", "spending-pocock")


def equal(n: int, bounds: BoundsName, at: int = 1) -> Looks:
    return Looks(tuple((k + 1) / n for k in range(n)), bounds, at)


@pytest.mark.parametrize("n", sorted(POCOCK))
def test_published_bounds(n: int) -> None:
    assert bounds_of(equal(n, "pocock"), 0.05) == pytest.approx([POCOCK[n]] * n, abs=6e-4)
    expected = [OBRIEN_FLEMING[n] * np.sqrt(n / (k + 1)) for k in range(n)]
    assert bounds_of(equal(n, "obrien-fleming"), 0.05) == pytest.approx(expected, rel=3e-4)


def test_published_bounds_one_sided() -> None:
    """One-sided .05, five looks: Pocock's and O'Brien and Fleming's as the package gsDesign 3 prints them; they are
    those of a two-sided .1 but for crossing both sides."""
    assert bounds_of(equal(5, "pocock"), 0.05, 1)[0] == pytest.approx(2.122, abs=1e-3)
    for shape in SHAPES:
        upper, both = (np.array(bounds_of(equal(3, shape), alpha, sides)) for alpha, sides in ((0.05, 1), (0.1, 2)))
        assert upper == pytest.approx(both, abs=5e-3) and (upper >= both - 1e-9).all()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("fractions", [(0.5, 1.0), (0.2, 0.7, 1.0)])
def test_together_they_err_as_often_as_one_test(shape: BoundsName, fractions: tuple[float, ...]) -> None:
    """t-tests of queries without a difference, and intervals that leave the true one out."""
    random, queries = np.random.default_rng(32), 100
    values = random.normal(0.1, 1, (20_000, queries))
    shown = np.zeros(len(values), np.bool_)
    outside, below = shown.copy(), shown.copy()
    for at, fraction in enumerate(fractions, 1):
        inference = at_look(Inference(looks=Looks(fractions, shape, at), interval="t", confidence=0.9))
        n = round(queries * fraction)
        mean, error = values[:, :n].mean(1), values[:, :n].std(1, ddof=1) / np.sqrt(n)
        shown |= 2 * stats.t.sf(np.abs(mean - 0.1) / error, n - 1) < inference.alpha
        outside |= np.abs(mean - 0.1) > stats.t.ppf((1 + inference.confidence) / 2, n - 1) * error
        limit = at_look(Inference(looks=Looks(fractions, shape, at), interval="t"), one_sided=True).confidence
        below |= mean - stats.t.ppf(limit, n - 1) * error > 0.1
    assert shown.mean() == pytest.approx(0.05, abs=0.006)
    assert outside.mean() == pytest.approx(0.1, abs=0.008)
    assert below.mean() == pytest.approx(0.05, abs=0.006)


def world(runs: int = 2, n: int = 60) -> tuple[Qrels, list[Run]]:
    """Runs of which the first answers more often at rank 1: p is between the bounds of two looks."""
    names = [f"q{k}" for k in range(n)]
    qrels = Qrels.from_dict({query: {"d0": 1} for query in names})

    def run(name: str, first: set[int]) -> Run:
        ranked = {
            query: {"d0": 2.0 if place in first else 0.0, "d1": 1.0} for place, query in enumerate(names)
        }  # fmt: skip
        return Run.from_dict(ranked, name=name)

    base = set(range(30))
    new = (base - set(range(4))) | set(range(30, 45))
    return qrels, [run("new", new), run("base", base), *(run(f"other{k}", base) for k in range(runs - 2))]


def test_the_same_decision_behind_every_door() -> None:
    """At this p the first look shows nothing; a single test and the last look do."""
    qrels, runs = world()
    plain = irviewer.compare(qrels, runs, ["RR"], baseline="base")["RR"].pairs[0]
    p = plain.decision.p
    assert 0.0052 < p < 0.048
    for at, shown in ((1, False), (2, True)):
        looks = Looks((0.5, 1), at=at)
        bound = p_at(looks, 0.05)
        asked = EvaluationProtocol().but(looks=looks, baseline="base", interval="t", unjudged="complete")
        pair = irviewer.compare(qrels, runs, ["RR"], protocol=asked)["RR"].pairs[0]
        assert pair.decision.p == p and (pair.decision.p_corrected < pair.alpha) is shown
        assert pair.alpha == pytest.approx(bound)
        means = irviewer.show("comparison", qrels, runs, protocol=asked.but(measures=["RR"]))["runs"]
        assert means.column("interval").title == f"{100 * (1 - bound):.4g} % interval"
        once = irviewer.compare(qrels, runs, ["RR"], baseline="base", interval="t", confidence=1 - bound)
        assert pair.change.ends == once["RR"].pairs[0].change.ends
        for name in ("verdict", "systems", "comparison"):
            seen = irviewer.show(name, qrels, runs, protocol=asked.but(measures=["RR"]))
            assert f"look {at} of 2 (O’Brien–Fleming), {50 * at} % of the information" in str(seen), name
            assert ("▲" in str(seen)) is shown, name
        caption = str(irviewer.paper_table(qrels, runs, ["RR"], protocol=asked))
        said = re.search(rf"p < (\.\d+), the bound of look {at} of 2, O’Brien–Fleming\)", caption)
        published = 2 * stats.norm.sf(OBRIEN_FLEMING[2] * np.sqrt(2 / at))
        assert said is not None and float(said[1]) == pytest.approx(published, rel=5e-3), caption
        for turned in (False, True):
            gate = irviewer.gate(
                qrels, runs[1 - turned], baseline=runs[turned], fail_if="RR worse", protocol=asked.without("baseline")
            )  # fmt: skip
            assert gate.outcome.value == ("failed" if shown and not turned else "passed")
        margin = irviewer.gate(
            qrels, runs[0], baseline=runs[1], non_inferior="RR > -0.5", protocol=asked.without("baseline")
        )  # fmt: skip
        assert margin.confidence == pytest.approx(1 - p_at(looks, 0.05, 1))


def test_what_looks_cannot_decide_is_refused() -> None:
    qrels, runs = world(4)
    looks = "1 of .5 1"
    with pytest.raises(OptionError, match="3 pairs are compared"):
        irviewer.compare(qrels, runs, ["RR"], looks=looks)
    assert irviewer.compare(qrels, runs, ["RR"], looks=looks, protocol=EvaluationProtocol().but(runs=["new", "base"]))
    two = runs[:2]
    for wrong, message in (
        ({"test": "tukey", "family": "pairs"}, "Tukey’s test is of all pairs"),
        ({"test": "randomisation", "samples": 100, "interval": "t"}, "100 samples give no p that small"),
        ({"samples": 200}, "200 samples have no such percentiles"),
    ):
        with pytest.raises(OptionError, match=message):
            irviewer.compare(qrels, two, ["RR"], looks=looks, **wrong)  # type: ignore[arg-type]
    for interval in ("t", "percentile"):  # a level of 1 - 1e-17 is 1
        with pytest.raises(OptionError, match="look 1 is at 5 % of the information, so early"):
            irviewer.compare(qrels, two, ["RR"], looks="1 of .05 1", interval=interval)
    for name in ("plan", "slices", "stages", "replicates"):
        with pytest.raises(OptionError, match="looks"):
            irviewer.show(name, qrels, two, looks=looks, measures=["RR"])
    for words, message in (
        ({"fail_if": ["RR worse, p < .05"]}, "leave “, p < …” out"),
        ({"fail_if": ["RR worse", "P@1 worse"]}, "one condition of “worse”"),
    ):
        with pytest.raises(OptionError, match=message):
            irviewer.gate(qrels, two[0], baseline=two[1], looks=looks, **words)  # type: ignore[arg-type]
    kinds = {query: {"kind": query[-1:]} for query in qrels.query_ids}
    with pytest.raises(OptionError, match="slices are more tests, which have none; leave out by, or looks"):
        irviewer.report(qrels, two, ["RR"], looks=looks, by="kind", query_attributes=kinds)
    values = irviewer.evaluate(qrels, two, ["RR"], protocol=EvaluationProtocol().but(looks=looks))
    assert values.runs == ("new", "base"), "what tests nothing has no looks"
