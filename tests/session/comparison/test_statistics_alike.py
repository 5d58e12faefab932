"""One view of the truth: for drawn collections, dialects and tests the statistics of the window, those that
``irviewer compare`` prints and those made here by scipy, query by query, are the same."""

from __future__ import annotations

import json
import math
import random
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from irviewer import evaluate, read_qrels, read_run
from irviewer.cli import main
from irviewer.model.dialects import DIALECTS
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.session import Session
from tests.helpers.compared import comparisons_of
from tests.session.helpers import session_with

MEASURES = (
    "AP",
    "nDCG@5",
    "gm_map",
    "gm_bpref",
    "RankAtRecall@0.75",
    "SearchLength",
    "NumRelRet",
    "P@5",
    "RR",
    "Effort@1",
)
TESTS = ("t", "sign", "wilcoxon", "tukey")
COMPARED = {"numbers": 0}
"""How many numbers were compared, for whoever wants to tell."""


def write(folder: Path, dice: random.Random) -> list[str]:
    """Qrels and two to five runs of a drawn collection; runs may lack queries, tie, or find little."""
    folder.mkdir(exist_ok=True)
    queries = [str(number) for number in range(1, dice.randint(7, 40))]
    documents = [f"d{number}" for number in range(16)]
    judged = [
        f"{q} 0 {document} {dice.choice((0, 0, 1, 1, 2))}" for q in queries for document in dice.sample(documents, 10)
    ]
    (folder / "qrels").write_text("\n".join([*judged, ""]))
    paths = [str(folder / "qrels")]
    for name in ("alpha", "beta", "gamma", "delta", "epsilon")[: dice.randint(2, 5)]:
        lines, lacking, deep = [], dice.random() < 0.3, dice.randint(3, 16)
        same = dice.random() < 0.15 and len(paths) > 1
        for query in queries:
            if lacking and dice.random() < 0.1:
                continue
            retrieved = dice.sample(documents, deep)
            lines += [
                f"{query} Q0 {document} {at} {dice.choice((9 - at, 5))} {name}" for at, document in enumerate(retrieved)
            ]
        text = (folder / "alpha").read_text() if same else "\n".join([*lines, ""])
        (folder / name).write_text(text)
        paths.append(str(folder / name))
    return paths


def holm(p: list[float]) -> list[float]:
    """By its definition; what has no p shows nothing and has none after it."""
    order = sorted(range(len(p)), key=lambda place: 1.0 if math.isnan(p[place]) else p[place])
    corrected, least = [0.0] * len(p), 0.0
    for place, number in enumerate(order):
        own = 1.0 if math.isnan(p[number]) else p[number]
        least = max(least, min(1.0, (len(p) - place) * own))
        corrected[number] = math.nan if math.isnan(p[number]) else least
    return corrected


def p_of(test: str, difference: np.ndarray, rounded: np.ndarray) -> float:
    """scipy's p of the differences of one pair; NaN where there is to be none."""
    used = int((rounded != 0).sum())
    if len(difference) < 2 or not used:
        return 1.0
    if test == "sign":
        return float(stats.binomtest(int((rounded > 0).sum()), used).pvalue)
    if np.ptp(rounded) == 0 and test == "t":
        return math.nan
    if test == "t":
        return math.nan if used < 6 else float(stats.ttest_1samp(difference, 0).pvalue)
    exact = len(rounded) <= 13 or (len(rounded) <= 50 and used == len(rounded) == len(np.unique(np.abs(rounded))))
    return math.nan if used < 6 and not exact else float(stats.wilcoxon(rounded).pvalue)


def tukey(levels: np.ndarray) -> dict[tuple[int, int], float]:
    """Tukey's p of every pair over the queries that all runs have."""
    values = levels[:, ~np.isnan(levels).any(axis=0)]
    runs, queries = values.shape
    rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    free = (runs - 1) * (queries - 1)
    p_values = {}
    for first, two in combinations(range(runs), 2):
        gap = abs(values[first].mean() - values[two].mean())
        error = math.sqrt((rest**2).sum() / free / queries) if free else math.nan
        small = error < 1e-12
        p = 1.0 if not free or gap < 1e-12 else math.nan
        if free and gap >= 1e-12 and not small:
            p = float(stats.studentized_range.sf(gap / error, runs, free))
        p_values[first, two] = p_values[two, first] = p
    return p_values


def opened(paths: list[str], dialect: str, measure: str, test: str) -> Session:
    runs = [read_run(path) for path in paths[1:]]
    whole = Collection("made", judgments=(JudgmentSet(read_qrels(paths[0]), Regime.POOLED),)).with_runs(runs)
    session = session_with(whole)
    session.protocol.set(dialect=dialect)
    session.evaluation.set_measure(measure)
    session.protocol.set(test=test)
    session.navigation.set_place("systems")
    session.compute_now()
    return session


def alike(seed: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> int:
    """Compare the three; how many numbers were compared."""
    dice = random.Random(seed)
    paths = write(folder, dice)
    dialect, measure, test = dice.choice(sorted(DIALECTS)), dice.choice(MEASURES), dice.choice(TESTS)
    words = [*paths, "-m", measure, "--dialect", dialect, "--test", test, "--format", "json"]
    documents: list[Any] = []
    for more in ([], ["--pairs"]):
        status = main.main(["compare", *words, *more])
        out, err = capsys.readouterr()
        if status == 2:
            assert "not a mean over queries" in err or "nothing can be compared" in err, (seed, err)
            return 0
        documents.append(comparisons_of(json.loads(out))[0])
    beside, among = documents
    session = opened(paths, dialect, measure, test)
    result = evaluate(paths[0], paths[1:], measure, dialect=dialect)
    treated, values = result.of(measure)
    counted = 0
    where = (seed, dialect, measure, test)
    never = result.unreached(measure)
    signs = bool(never.any())
    geometric, up = treated.aggregate == "geometric", treated.higher_is_better
    levels = np.log(np.maximum(values, 1e-5)) if geometric else values
    filled = np.where(never, -np.inf if up else np.inf, levels)
    names = list(result.runs)
    # --- means, the share reached ---
    for run in beside["runs"]:
        row = names.index(run["name"])
        own = levels[row][~np.isnan(filled[row])] if not signs else levels[row][~np.isnan(levels[row])]
        mean = float(own.mean()) if len(own) and not never[row].any() else math.nan
        mean = math.exp(mean) if geometric else mean
        assert (run["mean"] is None) == math.isnan(mean), where
        if run["mean"] is not None:
            assert run["mean"] == pytest.approx(mean, rel=1e-9), where
        counted += 1
    # --- pairs ---
    for document, family in ((beside, [(row, 0) for row in range(1, len(names))]),
                             (among, list(combinations(range(len(names)), 2)))):  # fmt: skip
        raw: list[float] = []
        all_of_them = tukey(levels) if test == "tukey" and not signs else {}
        for pair, (first, two) in zip(document["pairs"], family, strict=True):
            assert (pair["run"], pair["other"]) == (names[first], names[two]), where
            both = ~np.isnan(filled[first]) & ~np.isnan(filled[two])
            mine, its = filled[first][both], filled[two][both]
            if signs:
                more, less = int((mine > its + 1e-12).sum()), int((mine < its - 1e-12).sum())
                rounded = np.r_[np.ones(more), -np.ones(less), np.zeros(len(mine) - more - less)]
            else:
                rounded = np.round(mine - its, 10)
                more, less = int((rounded > 0).sum()), int((rounded < 0).sum())
            won, lost = (more, less) if up else (less, more)
            assert (pair["queries"], pair["wins"], pair["losses"]) == (len(mine), won, lost), where
            decided = "sign" if signs else test
            assert pair["declared test"] == decided, where
            if decided == "tukey":
                p = all_of_them[first, two]
                p = math.nan if 0 < more + less < 6 else p
            else:
                p = p_of(decided, rounded if signs else mine - its, rounded)
            raw.append(p)
            shown = pair[f"{decided} p"]
            assert (shown is None) == math.isnan(p), (*where, pair["run"], shown, p)
            if shown is not None:
                assert shown == pytest.approx(p, abs=1e-6), where
            if not signs and len(mine):
                change = float((mine - its).mean())
                expected = math.exp(change) if geometric else change
                assert pair["ratio" if geometric else "difference"] == pytest.approx(expected, rel=1e-9, abs=1e-9), (
                    where
                )
            counted += 6
        after = raw if test == "tukey" and not signs else holm(raw)
        shares: dict[tuple[int, int], bool] = {}
        for pair, p, (first, two) in zip(document["pairs"], after, family, strict=True):
            decided = pair["declared test"]
            if pair[f"{decided} p corrected"] is not None:
                assert pair[f"{decided} p corrected"] == pytest.approx(p, abs=1e-6), where
            differ = pair["wins"] + pair["losses"]
            expected = bool(p < 0.05) and differ >= 6
            if abs(p - 0.05) > 1e-6:
                assert pair["shown"] == expected, where
            shares[first, two] = not pair["shown"]
            counted += 2
        if document is among:
            groups = [set(run["group"]) for run in document["runs"]]
            if not any(groups):  # letters only where a test could have shown a difference
                pairs = document["pairs"]
                tested = [pair for pair in pairs if pair[f"{pair['declared test']} p"] is not None]
                differing = [pair["wins"] + pair["losses"] for pair in tested]  # 0 where two runs are the same
                assert all(each < 6 for each in differing), where
                assert any(differing) or len(tested) < len(pairs), where
            for (first, two), share in shares.items() if any(groups) else ():
                assert bool(groups[first] & groups[two]) == share, where
                counted += 1
    # --- the window ---
    view_model, context = session.view_models.systems_view_model(), session.view.context
    assert view_model is not None
    assert context is not None
    statistics = view_model.statistics
    assert statistics is not None, where
    assert statistics.letters is None, "letters exist where the family is all pairs"
    column = [table_column.chosen for table_column in view_model.columns].index(True)
    printed = {run["name"]: run for run in beside["runs"]}
    pairs = {pair["run"]: pair for pair in beside["pairs"]}
    for row, label in enumerate(view_model.runs):
        mean = printed[label.name]["mean"]
        assert (
            None if np.isnan(view_model.means[row, column]) else pytest.approx(view_model.means[row, column])
        ) == mean, where
        if label.baseline:
            continue
        pair = pairs[label.name]
        assert statistics.conclusions[row] == pair["verdict"], where
        assert statistics.outcomes[row] == f"{pair['wins']} · {pair['ties']} · {pair['losses']}", where
        assert bool(statistics.shown[row]) == pair["shown"], where
        p = pair[f"{pair['declared test']} p corrected"]
        assert (None if np.isnan(statistics.p[row]) else pytest.approx(statistics.p[row], abs=1e-12)) == p, where
        ends = (pair["ratio low"], pair["ratio high"]) if geometric else (pair["low"], pair["high"])
        mine_ends = [
            math.exp(end) if geometric else end for end in (float(statistics.low[row]), float(statistics.high[row]))
        ]
        for end, expected in zip(mine_ends, ends, strict=True):
            assert (None if math.isnan(end) else pytest.approx(end, abs=1e-9)) == expected, where
        counted += 7
    assert (view_model.reached is not None) == signs, where
    return counted + of_all_pairs(session, among, where)


def of_all_pairs(session: Session, among: Any, where: tuple[Any, ...]) -> int:
    """The window under the declared family of all pairs: the letters, and the p of each run beside the baseline."""
    session.protocol.set(family="pairs")
    session.compute_now()
    view_model, bound = session.view_models.systems_view_model(), session.view.protocol
    assert view_model is not None and view_model.statistics is not None and bound is not None
    statistics, n = view_model.statistics, len(among["pairs"])
    assert statistics.letters is not None
    assert bound.facts.comparisons == n
    letters = {run["name"]: run["group"] for run in among["runs"]}
    pairs = {frozenset((pair["run"], pair["other"])): pair for pair in among["pairs"]}
    base = next(label.name for label in view_model.runs if label.baseline)
    for row, label in enumerate(view_model.runs):
        assert statistics.letters[row] == letters[label.name], where
        if label.name == base:
            continue
        pair = pairs[frozenset((label.name, base))]
        assert bool(statistics.shown[row]) == pair["shown"], where
        p = pair[f"{pair['declared test']} p corrected"]
        assert (None if np.isnan(statistics.p[row]) else pytest.approx(statistics.p[row], abs=1e-12)) == p, where
    return 3 * len(view_model.runs)


@pytest.mark.parametrize("seed", range(8))
def test_window_command_line_and_scipy_say_the_same(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    COMPARED["numbers"] += alike(seed, tmp_path / "made", capsys)


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(4))
def test_window_command_line_and_scipy_say_the_same_many_times(
    part: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = sum(alike(1000 * (part + 1) + seed, tmp_path / f"made{seed}", capsys) for seed in range(40))
    assert numbers > 1000
    COMPARED["numbers"] += numbers
