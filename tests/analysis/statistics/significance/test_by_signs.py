"""What a run never reaches is the worst, not left out: wins and losses counted here one by one, p by scipy, in the
model, the command line, its files and the window."""

from __future__ import annotations

import csv
import io
import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.statistics.compare import compare
from irviewer.analysis.statistics.query_statistics import query_statistics
from irviewer.analysis.statistics.result_comparison import compare_measure
from irviewer.analysis.statistics.significance.by_signs import as_worst, signs_of
from irviewer.analysis.statistics.systems import stability_of
from irviewer.api.evaluation import evaluate
from irviewer.cli import main
from irviewer.errors import OptionError
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from tests.helpers.compared import answer_of
from tests.helpers.latex import read_tables
from tests.session.helpers import session_with

MEASURE = "RankAtRecall@0.75"
QUERIES = 40
NAMES = ("whole", "slow", "seldom", "never", "some")


def rankings() -> dict[str, dict[str, list[str]]]:
    """``whole`` reaches the recall everywhere, late; ``seldom`` on two queries, at once; ``never`` nowhere."""
    random = np.random.default_rng(6)
    runs: dict[str, dict[str, list[str]]] = {name: {} for name in NAMES}
    for query in map(str, range(QUERIES)):
        noise = [f"x{number}" for number in range(20)]
        for name, far in (("whole", 10), ("slow", 18)):
            runs[name][query] = [*noise[: int(random.integers(2, far))], "a", "b", "c", "d", "y"]
        runs["seldom"][query] = ["a", "b", "c", "d"] if query in ("3", "7") else [*noise, "a"]
        runs["never"][query] = [*noise, "a"]
        runs["some"][query] = [*noise[: int(random.integers(0, 12))], *("abcd" if random.random() < 0.6 else "a")]
    return runs


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "qrels").write_text("".join(f"{q} 0 {document} 1\n" for q in range(QUERIES) for document in "abcd"))
    for name, lists in rankings().items():
        lines = [
            f"{q} Q0 {document} {rank} {99 - rank} t\n"
            for q, documents in lists.items()
            for rank, document in enumerate(documents)
        ]
        (tmp_path / name).write_text("".join(lines))
    return [str(tmp_path / name) for name in ("qrels", *NAMES)]


def compared(capsys: pytest.CaptureFixture[str], *words: str, command: str = "compare") -> str:
    """What the command prints; how little of a run is judged is told beside it."""
    assert main.main([command, *words]) == 0
    return capsys.readouterr().out


def ranks() -> dict[str, list[float]]:
    """Run -> at which rank three of the four are found, by query in bytewise order; infinite where they never are."""
    ranks_so_far: dict[str, list[float]] = {}
    for name, lists in rankings().items():
        for query in sorted(lists):
            seen, at = 0, float("inf")
            for rank, document in enumerate(lists[query], 1):
                seen += document in "abcd"
                if seen == 3:
                    at = rank
                    break
            ranks_so_far.setdefault(name, []).append(at)
    return ranks_so_far


def outcome(mine: list[float], its: list[float]) -> tuple[int, int, int]:
    """Better, equal, worse: a lower rank is better, and infinity the worst."""
    won = sum(a < b for a, b in zip(mine, its, strict=True))
    lost = sum(a > b for a, b in zip(mine, its, strict=True))
    return won, len(mine) - won - lost, lost


@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("words", [[], ["--test", "wilcoxon"], ["--test", "tukey", "--also-test", "all"]])
def test_what_is_not_reached_is_the_worst(
    files: list[str], capsys: pytest.CaptureFixture[str], pairs: bool, words: list[str]
) -> None:
    """``seldom``, of two queries of forty, had the best mean and won every comparison."""
    given = [*files, "-m", MEASURE, *words, *(["--pairs"] if pairs else []), "--format", "json"]
    answer = answer_of(compared(capsys, *given))
    own = ranks()
    for run in answer["runs"]:
        reached = sum(np.isfinite(own[run["run"]]))
        assert run["reached"] == pytest.approx(reached / QUERIES)
        if reached == QUERIES:
            assert run["mean"] == pytest.approx(np.mean(own[run["run"]]))
            assert run["interval_low"] < run["mean"] < run["interval_high"]
        else:
            assert [run["mean"], run["interval_low"], run["interval_high"]] == [None] * 3
    wanted = list(combinations(NAMES, 2)) if pairs else [(name, "whole") for name in NAMES[1:]]
    assert [(pair["run"], pair["other"]) for pair in answer["pairs"]] == wanted
    p = []
    for pair in answer["pairs"]:
        mine, its = own[pair["run"]], own[pair["other"]]
        won, equal, lost = outcome(mine, its)
        assert (pair["better"], pair["equal"], pair["worse"]) == (won, equal, lost)
        p.append(float(stats.binomtest(won, won + lost).pvalue) if won + lost else 1.0)
        assert pair["sign_p"] == pytest.approx(p[-1], abs=1e-12)
        assert pair["sign_statistic"] == won
        assert pair["test"] == "sign"
        assert pair["superiority"] == pytest.approx((won + equal / 2) / QUERIES)
        whole = np.isfinite([*mine, *its]).all()
        assert (pair["difference"] is None) == (not whole)
        if whole:
            assert pair["difference"] == pytest.approx(np.mean(mine) - np.mean(its))
        assert [pair[key] for key in ("interval_low", "interval_high", "d", "p_better")] == [None] * 4
        assert pair["reached"] == pytest.approx(np.isfinite(mine).mean())
        assert pair["other_reached"] == pytest.approx(np.isfinite(its).mean())
    least, after = 0.0, [0.0] * len(p)
    for place, number in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        least = after[number] = max(least, min(1.0, (len(p) - place) * p[number]))
    for pair, corrected in zip(answer["pairs"], after, strict=True):
        assert (pair["outcome"] != "open") == (corrected < 0.05)
        assert ("the test shows a difference (sign test" in answer["said"][pair["run"], pair["other"]]) == (
            corrected < 0.05
        )
        assert "(not reached is the worst)" in answer["said"][pair["run"], pair["other"]]
    if pairs:
        groups = {run["run"]: set(run["group"]) for run in answer["runs"]}
        for (mine, its), corrected in zip(wanted, after, strict=True):
            assert bool(groups[mine] & groups[its]) == (corrected >= 0.05)
        assert "a" in groups["whole"]
    (said,) = [said for said in answer["warnings"] if "is not always reached" in said]
    assert "seldom 2 of 40, never 0 of 40" in said


def test_every_format_says_the_share_reached_and_no_mean(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    own = ranks()
    for form in ("table", "markdown"):
        lines = compared(capsys, *files, "-m", MEASURE, "--format", form).replace("\\", "").splitlines()
        heads = [line for line in lines if line.lstrip("| ").startswith("run ")]
        assert all("reached" in head for head in heads)
        rows = [line for line in lines if line.lstrip("| ").startswith("seldom ")]
        pair, run = (row.replace("|", " ").replace("*", "").split() for row in (rows[0], rows[-1]))
        won = [str(count) for count in outcome(own["seldom"], own["whole"])]
        assert won == [cell for cell in pair if cell.isdigit()][:3]
        assert (run[:3], run[-2:]) == (["seldom", "–", "–"], ["5.0", "%"])
    pairs, means = read_tables(compared(capsys, *files, "-m", MEASURE, "--format", "latex"))
    cells = {row[0]: row[1:] for row in means.rows}
    assert cells["whole"][0] == f"{np.mean(own['whole']):.4f}"
    assert (cells["seldom"][0], cells["never"][0]) == ("–", "–")
    assert "p < .05" in pairs.caption
    (row,) = [
        row
        for row in csv.DictReader(io.StringIO(compared(capsys, *files, "-m", MEASURE, "--format", "csv")))
        if row["run"] == "seldom"
    ]
    assert (row["mean"], row["difference"], row["reached"], row["other_reached"]) == ("", "", "0.05", "1")


def test_sets_and_stability_have_no_means_either(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sets").write_text("".join(f"{q}\t{'low' if q < 10 else 'high'}\n" for q in range(QUERIES)))
    words = ["-m", MEASURE, "--query-set", str(tmp_path / "sets"), "--format", "json"]
    text = compared(capsys, *files, *words, command="query-sets")
    means, shares = json.loads(text)["tables"]
    own, ids = ranks(), sorted(map(str, range(QUERIES)))
    for grid, what in ((means, "mean"), (shares, "share")):
        for row in grid["rows"]:
            if row["set"] not in ("low", "high"):
                continue
            places = [at for at, query in enumerate(ids) if (int(query) < 10) == (row["set"] == "low")]
            for name in NAMES:
                values = np.array(own[name])[places]
                if what == "share":
                    assert row[name] == pytest.approx(np.isfinite(values).mean())
                else:
                    assert row[name] == (pytest.approx(values.mean()) if np.isfinite(values).all() else None)
    assert main.main(["stability", *files, "-m", MEASURE]) == 2
    assert "3 runs do not reach it on every query and have no mean" in capsys.readouterr().err
    with pytest.raises(OptionError, match="no order of means"):
        stability_of(evaluate(files[0], files[1:], MEASURE), MEASURE)
    whole = stability_of(evaluate(files[0], files[1:3], MEASURE), MEASURE, samples=200)
    assert whole.rank.tolist() == [1, 2]


def test_the_median_counts_what_is_not_reached(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The median of those that reach it flattered the field."""
    document = json.loads(compared(capsys, *files, "-m", MEASURE, "--format", "json", command="medians"))
    rows = {row["query"]: row for row in document["tables"][0]["rows"]}
    own, ids = ranks(), sorted(map(str, range(QUERIES)))
    for place, query in enumerate(ids):
        values = [own[name][place] for name in NAMES]
        row = rows[query]
        for key, expected in (("best", min(values)), ("median", float(np.median(values))), ("worst", max(values))):
            assert row[key] == (expected if np.isfinite(expected) else None)
        assert (row["mean"] is None) == (not np.isfinite(values).all())
        for name, value in zip(NAMES, values, strict=True):
            known = np.isfinite([value, np.median(values)]).all()
            assert row[name] == (value - np.median(values) if known else None)


def test_missing_queries_are_left_out_where_they_are_asked_to_be() -> None:
    """A query that a run lacks is not reached under "zero", and none of its queries under "intersection"."""
    qrels = {str(q): {"a": 1} for q in range(8)}
    first_run = {str(q): {"x": 2.0, "a": 1.0} for q in range(8)}
    second_run = {str(q): {"a": 1.0} for q in range(5)}
    for missing, n, share in (("zero", 8, 5 / 8), ("intersection", 5, None)):
        result = evaluate(qrels, {"here": first_run, "there": second_run}, "RankAtRecall@1", missing=missing)  # type: ignore[arg-type]
        comparison = compare_measure(result, "RankAtRecall@1")
        pair = comparison.find("there")
        assert pair.n == n
        assert (pair.wins, pair.losses) == (5, n - 5)
        assert pair.by_signs == (share is not None)
        if share is not None:
            assert pair.reached == pytest.approx(share)


@pytest.mark.parametrize("higher", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_signs_against_brute_force(seed: int, higher: bool) -> None:
    random = np.random.default_rng(seed)
    values = random.integers(1, 6, (4, 12)).astype(float)
    never = random.random((4, 12)) < 0.3
    values[never] = np.nan
    values[0, :2], never[0, :2] = np.nan, False  # queries that the run lacks
    first, second = (np.array(numbers) for numbers in zip(*combinations(range(4), 2), strict=True))
    signs = signs_of(values, never, first, second, 0.0, higher)
    worst = -np.inf if higher else np.inf
    for place, (mine, two) in enumerate(combinations(range(4), 2)):
        won = lost = n = 0
        for query in range(12):
            a, b = (worst if never[run, query] else values[run, query] for run in (mine, two))
            if np.isnan(a) or np.isnan(b):
                continue
            n += 1
            won += (a > b) if higher else (a < b)
            lost += (a < b) if higher else (a > b)
        assert (signs.n[place], signs.wins[place], signs.losses[place]) == (n, won, lost)
        expected = stats.binomtest(won, won + lost).pvalue if won + lost else 1.0
        assert signs.column.p[place] == pytest.approx(expected)
        assert signs.column.toward[place] == np.sign(won - lost) * (1 if higher else -1)


def test_nothing_that_is_said_of_them_fails() -> None:
    values = np.array([[1.0, 2.0, np.nan, 4.0] * 5, [2.0, np.nan, np.nan, 1.0] * 5])
    for weights in (None, np.arange(20.0)):
        comparison = compare(
            values, ["a", "b"], [str(query) for query in range(20)], unreached=np.isnan(values), higher_is_better=False,
            tests=["randomisation"], weights=weights, measure="Effort@1", samples=200,
        )  # fmt: skip
        pair = comparison.pair(0)
        assert pair.posterior.sentence == "There is no difference of means, so there is no posterior."
        assert pair.detectable_sentence().startswith("There is no difference of means")
        assert (pair.detectable(smallest=0.1).needed, pair.remark) == (None, "")
        assert pair.flipped.wins == pair.losses
        assert pair.flipped.reached == pair.other_reached
        assert comparison.matrix("difference").size == 4
        assert np.isnan(comparison.means).all()
    assert as_worst(values, np.isnan(values), False).max() == 5
    statistics = query_statistics(values, higher_is_better=False, unreached=np.isnan(values))
    assert np.isnan(statistics.worst[2])
    assert np.isfinite(statistics.difficulty).all()


def test_the_window_says_the_same(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    answer = answer_of(compared(capsys, *files, "-m", MEASURE, "--format", "json"))
    qrels = Qrels.from_dict({str(q): dict.fromkeys("abcd", 1) for q in range(QUERIES)})
    lists = rankings()
    runs = [
        Run.from_dict(
            {q: {document: -float(at) for at, document in enumerate(documents)} for q, documents in own.items()},
            name=name,
        )
        for name, own in lists.items()
    ]
    session = session_with(Collection("made", judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs(runs))
    session.evaluation.set_measure(MEASURE)
    session.navigation.set_place("systems")
    session.compute_now()
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    assert view_model.statistics is not None
    assert view_model.reached is not None
    assert view_model.statistics.first is None
    printed = {run["run"]: run for run in answer["runs"]}
    pairs = {pair["run"]: pair for pair in answer["pairs"]}
    column = [each.chosen for each in view_model.columns].index(True)
    assert [label.name for label in view_model.runs][:2] == ["whole", "slow"]
    assert [label.name for label in view_model.runs][2:] == ["some", "seldom", "never"]  # by the share that they reach
    for row, label in enumerate(view_model.runs):
        run, mean = printed[label.name], view_model.means[row, column]
        assert view_model.reached[row] == pytest.approx(run["reached"])
        assert (None if np.isnan(mean) else pytest.approx(mean)) == run["mean"]
        if label.baseline:
            continue
        pair = pairs[label.name]
        assert view_model.statistics.outcomes[row] == f"{pair['better']} · {pair['equal']} · {pair['worse']}"
        assert view_model.statistics.p[row] == pytest.approx(pair["sign_p_corrected"])
        assert view_model.statistics.conclusions[row] == answer["said"][pair["run"], pair["other"]]
    context = session.view.context
    assert context is not None
    assert context.focus is not None
    focus = pairs[context.labels[context.focus].name]
    session.navigation.set_place("queries")
    queries = session.view_models.queries_view_model()
    assert queries is not None
    assert (queries.better, queries.equal, queries.worse) == (focus["better"], focus["equal"], focus["worse"])
    session.navigation.set_place("compare")
    session.compute_now()
    deep = session.comparison.pair_view_model()
    assert deep is not None
    assert deep.conclusion == f"{answer['said'][focus['run'], focus['other']]}."
    assert [row.name for row in deep.tests] == ["sign test", "queries reached", "queries won (ties count half)"]
    assert deep.histogram.histogram is not None
    assert deep.histogram.histogram.interval is None
