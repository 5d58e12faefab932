"""Geometric means are compared as what they are: means of logarithms, shown as ratios. Brute force here, on AP and
bpref of made collections."""

from __future__ import annotations

import csv
import io
import json
import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.statistics.compare import compare
from irviewer.analysis.statistics.log_ratios import Change
from irviewer.analysis.statistics.result_comparison import compare_measure
from irviewer.analysis.statistics.stability import order_of
from irviewer.analysis.statistics.systems import means_of_sets, stability_of
from irviewer.api.evaluation import evaluate
from irviewer.cli import main
from tests.helpers.compared import answer_of
from tests.helpers.compared import compare as compared

FLOOR = 0.00001
QUERIES = 30


def logs(values: np.ndarray) -> np.ndarray:
    """ln max(v, .00001), one by one."""
    return np.array([[math.log(max(value, FLOOR)) for value in row] for row in values])


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """``steady`` finds something everywhere; ``bold`` has the higher MAP and finds nothing on a third of them."""
    random = np.random.default_rng(4)
    judged = [
        f"{q} 0 {document} {int(document < 'd3')}\n"
        for q in range(QUERIES)
        for document in ("d0", "d1", "d2", "d7", "d8")
    ]
    (tmp_path / "qrels").write_text("".join(judged))
    for name in ("steady", "bold", "third", "fourth", "fifth"):
        lines = []
        for query in range(QUERIES):
            documents = [f"d{number}" for number in random.permutation(9)]
            if name == "bold":
                rest = [document for document in documents if document > "d2"]
                documents = rest if query % 3 == 0 else ["d0", "d1", "d2", *rest]
            elif name == "steady":
                documents = ["d5", *(document for document in documents if document != "d5")]
            lines += [f"{query} Q0 {document} {rank} {20 - rank} t\n" for rank, document in enumerate(documents, 1)]
        (tmp_path / name).write_text("".join(lines))
    return [str(tmp_path / name) for name in ("qrels", "steady", "bold", "third", "fourth", "fifth")]


def values_of(files: list[str], measure: str) -> tuple[list[str], np.ndarray]:
    plain = {"gm_map": "AP", "gm_bpref": "bpref"}[measure]
    evaluation = evaluate(files[0], files[1:], [plain])
    return list(evaluation.runs), evaluation.of(plain)[1]


@pytest.mark.parametrize("measure", ["gm_map", "gm_bpref"])
@pytest.mark.parametrize("pairs", [False, True])
def test_means_ratios_and_p_are_of_the_logarithms(
    files: list[str], measure: str, pairs: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """MAP stood under GMAP's name, and the conclusion was MAP's."""
    words = [
        *files,
        "-m",
        measure,
        "--test",
        "t",
        "--also-test",
        "wilcoxon",
        "--also-test",
        "sign",
        *(["--pairs"] if pairs else []),
    ]
    answer = answer_of(compared(capsys, *words, "--format", "json"))
    names, values = values_of(files, measure)
    logarithms = logs(values)
    geometric = np.exp(logarithms.mean(axis=1))
    assert [run["mean"] for run in answer["runs"]] == pytest.approx(geometric.tolist(), abs=1e-12)
    assert [run["at_floor"] for run in answer["runs"]] == [(row <= FLOOR).sum() for row in values]
    assert [run["mean"] for run in answer["runs"]] == pytest.approx(
        evaluate(files[0], files[1:], measure)[measure].tolist()
    )
    assert len(answer["pairs"]) == (10 if pairs else 4)
    for pair in answer["pairs"]:
        mine, other = (names.index(pair[key]) for key in ("run", "other"))
        difference = logarithms[mine] - logarithms[other]
        assert pair["ratio"] == pytest.approx(geometric[mine] / geometric[other], rel=1e-9)
        assert pair["relative"] == pytest.approx(pair["ratio"] - 1)
        assert "difference" not in pair
        assert pair["t_p"] == pytest.approx(float(stats.ttest_1samp(difference, 0).pvalue), abs=1e-9)
        assert pair["wilcoxon_p"] == pytest.approx(float(stats.wilcoxon(np.round(difference, 10)).pvalue), abs=1e-9)
        wins, losses = int((difference > 1e-9).sum()), int((difference < -1e-9).sum())
        assert (pair["better"], pair["worse"]) == (wins, losses)
        assert pair["sign_p"] == pytest.approx(float(stats.binomtest(wins, wins + losses).pvalue), abs=1e-12)
        drawn = np.random.default_rng(1).integers(0, QUERIES, (20_000, QUERIES))
        ends = np.quantile(difference[drawn].mean(axis=1), [0.025, 0.975])
        shown = [math.log(pair["ratio_interval_low"]), math.log(pair["ratio_interval_high"])]
        assert shown == pytest.approx(ends.tolist(), abs=0.1 * float(np.ptp(ends)))
        assert pair["d"] == pytest.approx(difference.mean() / difference.std(ddof=1), abs=1e-9)
        assert (
            f"the ratio of the geometric means ×{pair['ratio']:.3f}"[:38] in answer["said"][pair["run"], pair["other"]]
        )


def test_who_is_better_is_the_geometric_means_word(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """``bold`` has the better MAP, ``steady`` the better GMAP: the comparison said the first of the second."""
    _, values = values_of(files, "gm_map")
    assert values[1].mean() > values[0].mean()
    result = evaluate(files[0], files[1:], "gm_map")
    pair = compare_measure(result, "gm_map").find("bold")
    assert pair.change.shown[0] < 1
    assert pair.change.shown[0] == pytest.approx(float(np.exp(logs(values)[1].mean() - logs(values)[0].mean())))
    text = compared(capsys, *files, "-m", "gm_map")
    assert "Geometric means: values below .00001 count as .00001. Queries at that floor: bold 10 of 30." in text
    heads = [line for line in text.splitlines() if line.startswith("run ")]
    row = next(line for line in text.splitlines() if line.startswith("bold "))
    assert "at floor" in heads[1]
    assert "ratio" in heads[0]
    assert f"×{pair.change.shown[0]:.4f}"[:6] in row


def test_every_format_has_the_ratio_and_no_difference(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    result = evaluate(files[0], files[1:], "gm_map")
    pair = compare_measure(result, "gm_map").find("bold")
    for form in ("table", "markdown", "latex"):
        text = compared(capsys, *files, "-m", "gm_map", "--format", form).replace("\\", "").replace("$times$", "×")
        assert pair.change.text in text
        assert f"{result.mean('gm_map', 'bold'):.4f}" in text
        assert f"{pair.difference:+.4f}" not in text
    rows = list(csv.DictReader(io.StringIO(compared(capsys, *files, "-m", "gm_map", "-m", "AP", "--format", "csv"))))
    for row in rows:
        assert bool(row["ratio"]) == (row["measure"] == "gm_map")
        assert bool(row["difference"]) == (row["measure"] == "AP")


@pytest.mark.parametrize("interval", ["percentile", "bca", "t"])
def test_intervals_of_the_runs_are_exponentials_of_those_of_the_logarithms(interval: str) -> None:
    random = np.random.default_rng(2)
    values = np.where(random.random((3, 40)) < 0.1, 0.0, random.random((3, 40)))
    weights = random.integers(1, 4, 40).astype(float)
    ids, names = [str(number) for number in range(40)], ("a", "b", "c")
    given = {"interval": interval, "samples": 500, "weights": weights, "pairs": True}
    comparison = compare(values, names, ids, geometric=True, **given)  # type: ignore[arg-type]
    plain = compare(logs(values), names, ids, **given)  # type: ignore[arg-type]
    for mine, other in ((comparison.means, plain.means), (comparison.low, plain.low), (comparison.high, plain.high)):
        assert mine == pytest.approx(np.exp(other), rel=1e-9)
    assert comparison.weighted_means == pytest.approx(np.exp(logs(values) @ weights / weights.sum()))
    for mine, other in zip(comparison.pairs, plain.pairs, strict=True):
        assert mine.mean / mine.other_mean == pytest.approx(math.exp(other.difference))
        assert mine.change.shown == pytest.approx([math.exp(x) for x in (other.difference, *_ends(other))], rel=1e-9)
        assert mine.test("t").p == pytest.approx(other.test("t").p)
        # A region of ±1 %: ratios from 1 / 1.01 to 1.01.
        df, error = 39, (logs(values)[mine.run] - logs(values)[mine.other]).std(ddof=1) / math.sqrt(40)
        better = stats.t.sf((math.log(1.01) - mine.difference) / error, df)
        assert mine.posterior.better == pytest.approx(better, abs=1e-9)
    assert comparison.at_floor is not None
    assert comparison.at_floor.tolist() == (values <= FLOOR).sum(axis=1).tolist()


def _ends(pair: object) -> tuple[float, float]:
    return pair.interval.low, pair.interval.high  # type: ignore[attr-defined]


def test_stability_and_sets_are_of_the_geometric_means(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The order drawn again was MAP's, and query sets refused the measure."""
    result = evaluate(files[0], files[1:], "gm_map")
    _, values = values_of(files, "gm_map")
    logarithms = logs(values)
    stable = stability_of(result, "gm_map", samples=2000)
    assert order_of(stable).tolist() == np.argsort(-logarithms.mean(axis=1), kind="stable").tolist()
    drawn = np.random.default_rng(3).integers(0, QUERIES, (20_000, QUERIES))
    best = logarithms[:, drawn].mean(axis=2).argmax(axis=0)
    assert stable.first == pytest.approx(np.bincount(best, minlength=5) / 20_000, abs=0.03)
    sets = {"even": [str(q) for q in range(0, QUERIES, 2)], "few": ["3", "6", "9"]}
    means = means_of_sets(result, "gm_map", sets)
    places = {name: [result.query_ids.index(query) for query in ids] for name, ids in sets.items()}
    of_sets = np.array([np.exp(logarithms[:, own].mean(axis=1)) for own in places.values()])
    assert means.means == pytest.approx(of_sets)
    assert means.macro == pytest.approx(stats.gmean(of_sets, axis=0))
    inside = sorted({place for own in places.values() for place in own})
    assert means.micro == pytest.approx(np.exp(logarithms[:, inside].mean(axis=1)))
    text = compared(capsys, *files, "-m", "gm_map", "--samples", "200", command="stability")
    assert "Means are geometric." in text
    assert "Queries at that floor: bold 10 of 30." in text


def test_differences_from_the_median_are_ratios_to_it(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    _, values = values_of(files, "gm_map")
    names = ["steady", "bold", "third", "fourth", "fifth"]
    document = json.loads(compared(capsys, *files, "-m", "gm_map", "--format", "json", command="medians"))
    rows = {row["query"]: row for row in document["tables"][0]["rows"]}
    ids = evaluate(files[0], files[1:], "AP").query_ids
    for place, query in enumerate(ids):
        row = rows[query]
        median = max(float(np.median(values[:, place])), FLOOR)
        for run, name in enumerate(names):
            assert row[name] == pytest.approx(max(values[run, place], FLOOR) / median)
    text = compared(capsys, *files, "-m", "gm_map", command="medians")
    assert text.split("\n\n", 1)[1].startswith("gm_map, ratio to the median of 5 runs"), "below the protocol's line"
    assert "×" in text


def test_letters_of_geometric_means(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(compared(capsys, *files, "-m", "gm_map", "--pairs", "--format", "json"))
    answer = answer_of(json.dumps(document))
    names, values = values_of(files, "gm_map")
    logarithms = logs(values)
    p = [float(stats.ttest_rel(logarithms[a], logarithms[b]).pvalue) for a, b in combinations(range(5), 2)]
    order, least, after = np.argsort(p, kind="stable").tolist(), 0.0, [0.0] * 10
    for place, number in enumerate(order):
        least = after[number] = max(least, min(1.0, (10 - place) * p[number]))
    groups = {run["run"]: set(run["group"]) for run in answer["runs"]}
    for (a, b), corrected in zip(combinations(range(5), 2), after, strict=True):
        assert bool(groups[names[a]] & groups[names[b]]) == (corrected >= 0.05)


def test_the_numbers_are_trec_evals(capsys: pytest.CaptureFixture[str]) -> None:
    """gm_map of trec_eval's own test collection, as trec_eval prints it beside its map."""
    folder = Path("resources/samples/trec")
    evaluation = evaluate(folder / "qrels.test", folder / "results.test", ["gm_map"])
    assert main.main(["evaluate", str(folder / "qrels.test"), str(folder / "results.test"), "-m", "gm_map", "--format",
                     "trec"]) == 0  # fmt: skip
    assert f"{evaluation.mean('gm_map'):.4f}" in capsys.readouterr().out
    values = evaluate(folder / "qrels.test", folder / "results.test", ["AP"]).of("AP")[1]
    assert evaluation.mean("gm_map") == pytest.approx(float(np.exp(logs(values).mean())), rel=1e-12)


def test_a_ratio_without_an_interval_has_none() -> None:
    """Of fewer queries than an interval is drawn from; it was infinite."""
    change = Change(0.5, math.nan, math.nan, ratio=True)
    assert change.shown[0] == math.exp(0.5)
    assert all(math.isnan(end) for end in change.shown[1:])
