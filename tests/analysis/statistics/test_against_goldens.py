"""Every pair of the real collections' runs against scipy's and statsmodels' figures kept beside them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer.analysis.statistics.compare import compare
from irviewer.analysis.statistics.significance.corrections import corrected
from irviewer.analysis.statistics.significance.tukey import anova

QRELS = {
    "adi": "qrels.derived.trec",
    "cacm": "runs/cacm.rel.txt",
    "cranfield": "qrel.trec",
    "trec-covid-r1": "qrels-rnd1.txt.gz",
}
FOLDERS = {"runs_helper": "runs_made", "doshi-jay": "runs"}
"""Folders that had another name when the goldens were made."""


@pytest.mark.parametrize("measure", ["map", "ndcg_cut_10"])
@pytest.mark.parametrize("name", sorted(QRELS))
def test_pairs(name: str, measure: str, data: Path, record_property: Callable[[str, object], None]) -> None:
    packed = (data / name / "goldens" / "python" / "stats_rbo.json.gz").read_bytes()
    goldens = json.loads(gzip.decompress(packed))
    values = _values(data / name, QRELS[name], goldens["runs"], measure)
    names = goldens["runs"]
    comparison = compare(
        values, names, [str(q) for q in range(values.shape[1])], pairs=True, interval="t", samples=200,
        tests=["t", "wilcoxon", "wilcoxon-pratt", "sign", "tukey"],
    )  # fmt: skip
    p = [pair.test("t").p for pair in comparison.pairs]
    corrections = {name: corrected(p, name) for name in ("holm", "bonferroni", "bh")}
    square = anova(values)
    analysis = goldens[f"{measure}_twoway_anova"]
    assert square.ss_runs == pytest.approx(analysis["SS_system"], abs=1e-9)
    assert square.ss_queries == pytest.approx(analysis["SS_topic"], abs=1e-9)
    assert square.mse == pytest.approx(analysis["MSE"], abs=1e-9)
    assert stats.f.sf(square.f_runs, square.runs - 1, square.df_error) == pytest.approx(analysis["p_system"], abs=1e-9)
    assert len(comparison) == len(goldens[measure])
    for place, pair in enumerate(comparison.pairs):
        key = f"{pair.run_name} || {pair.other_name}"
        theirs = goldens[measure][key]
        ours = {
            "mean_a": pair.mean, "mean_b": pair.other_mean, "mean_diff": pair.difference,
            "t": pair.test("t").statistic, "t_p": pair.test("t").p, "t_df": pair.test("t").df,
            "wilcoxon_W": pair.test("wilcoxon").statistic, "wilcoxon_p": pair.test("wilcoxon").p,
            "wilcoxon_pratt_p": pair.test("wilcoxon-pratt").p, "sign_p": pair.test("sign").p,
            "wins": pair.wins, "losses": pair.losses, "ties": pair.ties, "cohen_dz": pair.effects.d,
            "t_p_holm": corrections["holm"][place], "t_p_bonferroni": corrections["bonferroni"][place],
            "t_p_fdr_bh": corrections["bh"][place],
        }  # fmt: skip
        assert {**ours, "ci95": None}.keys() == theirs.keys()
        for what, value in ours.items():
            wanted = theirs[what]
            if what.startswith("wilcoxon"):
                wanted = _unless_rounding_broke_a_tie(wanted, what, values[pair.run] - values[pair.other])
            assert value == pytest.approx(wanted, abs=1e-9), (key, what)
        assert [pair.interval.low, pair.interval.high] == pytest.approx(theirs["ci95"], abs=1e-9)
        assert pair.test("tukey").p == pytest.approx(goldens[f"{measure}_twoway_tukey_p"][key], abs=1e-9)
        assert pair.test("t").p_corrected == corrections["holm"][place]
    record_property("values of statistics", len(comparison) * 20)


def test_the_conclusion_on_cranfield_word_for_word(data: Path) -> None:
    """The figures that the design of comparisons gives, with Student's interval; what remains possible is scipy's
    interval at Bonferroni's level."""
    runs = [path.name for path in sorted((data / "cranfield" / "runs").glob("*.gz"))]
    names = [name.removeprefix("results_").removesuffix(".txt.gz") for name in runs]
    values = _values(data / "cranfield", "qrel.trec", [f"runs/{name}" for name in runs], "nDCG@10")
    comparison = compare(
        values, names, [str(q) for q in range(225)], baseline=names.index("standard_bm25"), interval="t", samples=200
    )
    pair = comparison.find("english_bm25")
    assert pair.conclusion == (
        "english_bm25 is better on 107 queries, equal on 39, worse on 79; the mean difference .0157 [−.0003, .0317]: "
        "the test shows no difference (paired t-test: p = .055, .275 after Holm over 14 comparisons)"
    )
    assert pair.remains == (
        "A Δ from −.0083 to +.0397 remains possible at the corrected level (99.64 % t interval)."
    )  # fmt: skip
    difference = values[names.index("english_bm25")] - values[names.index("standard_bm25")]
    ends = stats.t.interval(1 - 0.05 / 14, 224, difference.mean(), stats.sem(difference))
    assert [round(float(end), 4) for end in ends] == [-0.0083, 0.0397]


def _unless_rounding_broke_a_tie(theirs: float, what: str, difference: np.ndarray) -> float:
    """The goldens ranked differences as they came. Where two of one size differ in their last bit, so that a tie was
    none there, scipy's figure for the differences without that bit counts."""
    size = np.sort(np.abs(difference))
    gap = np.diff(size)
    if not np.any((gap > 0) & (gap < 1e-12)) and not np.any((size > 0) & (size < 1e-12)):
        return theirs
    by_scipy = stats.wilcoxon(np.round(difference, 12), zero_method="pratt" if "pratt" in what else "wilcox")
    return float(by_scipy.statistic if what == "wilcoxon_W" else by_scipy.pvalue)


def _values(folder: Path, qrels: str, runs: list[str], measure: str) -> np.ndarray:
    read = irviewer.read_qrels(folder / qrels, duplicates="best")
    kept = [irviewer.read_run(_file(folder, run), name=run, duplicates="best") for run in runs]
    result = irviewer.evaluate(read, kept, [measure], missing="zero")
    return np.asarray(result.values[0])


def _file(folder: Path, run: str) -> Path:
    first, _, rest = run.partition("/")
    path = folder / FOLDERS.get(first, first) / rest
    return path if path.is_file() else path.with_name(path.name + ".gz")
