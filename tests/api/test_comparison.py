"""irviewer.compare: the example in its documentation, values and files, query sets, weights, what runs lack."""

from __future__ import annotations

import doctest
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer.api import comparison
from irviewer.errors import OptionError

RANDOM = np.random.default_rng(1)
IDS = [f"q{number:02}" for number in range(40)]
QRELS = {query: {"a": 1, "b": 1, "c": 0} for query in IDS}
RUNS = {
    name: {query: {d: float(s) for d, s in zip("abc", RANDOM.random(3), strict=True)} for query in IDS}
    for name in ("one", "two", "three")
}


def test_the_examples_in_the_docstring() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    tried = 0
    for test in finder.find(comparison.compare, globs={"compare": irviewer.compare}):
        tried += runner.run(test).attempted
    assert tried >= 5
    assert runner.failures == 0


def test_files_and_values_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("".join(f"{q} 0 {d} {g}\n" for q, grades in QRELS.items() for d, g in grades.items()))
    files = []
    for name, run in RUNS.items():
        files.append(tmp_path / f"{name}.run")
        files[-1].write_text(
            "".join(f"{q} Q0 {d} 1 {s!r} {name}\n" for q, scores in run.items() for d, s in scores.items())
        )
    first = irviewer.compare(QRELS, RUNS, ["AP", "P@1"], baseline="two", also_tests="all", samples=500)
    again = irviewer.compare(tmp_path / "q", files, ["AP", "P@1"], baseline=1, also_tests="all", samples=500)
    strip = [{k: v for k, v in row.items() if k not in ("run", "baseline")} for row in first.rows]
    assert [{k: v for k, v in row.items() if k not in ("run", "baseline")} for row in again.rows] == strip
    assert first.table.num_rows == 4
    assert {"t p", "t p corrected", "tukey-randomised p", "P(better)"} <= set(first.table.column_names)
    assert len(first) == 2
    values = first.result.values[0]
    assert first["AP"].find("one").test("t").p == pytest.approx(stats.ttest_rel(values[0], values[1]).pvalue)
    assert "AP, 40 queries, compared with two" in repr(first)
    assert any(said.startswith("P@1: Fisher's randomisation test") for said in first.looked_at)


def test_measures_answer_to_what_was_asked() -> None:
    comparisons = irviewer.compare(QRELS, RUNS, ["map"], level=1, samples=200)
    assert comparisons["map"] is comparisons["AP"]
    with pytest.raises(KeyError, match="was not evaluated"):
        comparisons["nDCG"]


def test_query_sets_and_weights() -> None:
    some = IDS[5:35]
    first_comparison = irviewer.compare(QRELS, RUNS, "AP", queries=some[::-1], samples=200, chosen_after_looking=True)[
        "AP"
    ]
    assert first_comparison.query_ids == tuple(some)
    assert any("chosen after looking" in said for said in first_comparison.warnings)
    values = irviewer.evaluate(QRELS, irviewer.Run.from_dict(RUNS["two"]), "AP").values[0, 0, 5:35]
    assert first_comparison.means[1] == pytest.approx(values.mean())
    with pytest.raises(OptionError, match="not evaluated: nobody"):
        irviewer.compare(QRELS, RUNS, "AP", queries=["nobody"])
    weighed = irviewer.compare(QRELS, RUNS, "AP", weights={"q00": 3, "q01": 1, "zz": 1}, samples=200)
    means = weighed["AP"].weighted_means
    ap = weighed.result.values[0]
    assert means == pytest.approx((3 * ap[:, 0] + ap[:, 1]) / 4)
    assert any("1 weight is of a query that was not evaluated" in said for said in weighed.warnings)


def test_what_runs_lack_is_reported() -> None:
    lacking = {**RUNS, "two": {query: run for query, run in RUNS["two"].items() if query not in IDS[:3]}}
    zero = irviewer.compare(QRELS, lacking, "AP", samples=200)
    assert "two lacks 3 queries: counted as 0." in zero.warnings
    assert zero["AP"].find("two").n == 40
    left = irviewer.compare(QRELS, lacking, "AP", samples=200, missing="intersection")
    assert "two has no value for 3 queries: left out wherever it is compared." in left.warnings
    assert left["AP"].find("two").n == 37
    assert "3 queries that one of the two lacks are left out" in left["AP"].find("two").test("t").sentence


def test_progress_and_measures_without_values() -> None:
    shares: list[float] = []
    irviewer.compare(QRELS, RUNS, ["AP", "P@1"], samples=200, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    for name in ("num_q", "relstring"):
        with pytest.raises(OptionError, match="not a mean over queries"):
            irviewer.compare(QRELS, RUNS, name)
    geometric = irviewer.compare(QRELS, RUNS, "gm_map", samples=200)
    assert any("Geometric means" in said for said in geometric.warnings)
    with pytest.raises(OptionError, match="no run four"):
        irviewer.compare(QRELS, RUNS, "AP", baseline="four")
