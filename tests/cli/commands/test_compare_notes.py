"""``irviewer compare``: what runs lack, weights, query sets, groups by the test that is named, power, posterior."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from irviewer.cli import main
from tests.helpers.compared import QUERIES, compare, values, write_files
from tests.helpers.latex import read_tables


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return write_files(tmp_path)


@pytest.fixture
def ragged(tmp_path: Path) -> list[str]:
    """8 judged queries; ``a`` has 0 to 4, ``b`` 2 to 5, ``c`` 5; nobody 6 and 7."""
    (tmp_path / "qrels").write_text("".join(f"{query} 0 rel 1\n" for query in range(8)))
    for name, queries, rank in (("a", range(5), 1), ("b", range(2, 6), 2), ("c", [5], 4)):
        lines = [
            f"{query} Q0 {'rel' if place == rank + query % 3 else f'd{place}'} {place} {9 - place} t\n"
            for query in queries
            for place in range(1, 8)
        ]
        (tmp_path / name).write_text("".join(lines))
    return [str(tmp_path / name) for name in ("qrels", "a", "b", "c")]


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_rows_of_runs_that_lack_queries_add_up(
    ragged: list[str], capsys: pytest.CaptureFixture[str], form: str
) -> None:
    words = [*ragged[:3], "-m", "RR", "--missing", "intersection", "--format", form]
    text = compare(capsys, *words).replace("\\", "")
    own = {"a": [1, 1 / 2, 1 / 3, 1, 1 / 2], "b": [1 / 4, 1 / 2, 1 / 3, 1 / 4]}
    lines = text.splitlines()
    heads = [line for line in lines if line.lstrip("| ").startswith("run ")]
    rows = [line.replace("|", " ").replace("*", "").split() for line in lines if line.lstrip("| ").startswith("b ")]
    assert ["in common" in heads[0], "its mean there" in heads[0], "other's there" in heads[0]] == [True] * 3
    mine, its = np.mean(own["b"][:3]), np.mean(own["a"][2:])
    assert rows[0][1:4] == ["3", f"{mine:.4f}", f"{its:.4f}"]
    assert f"{mine - its:+.4f}".replace("-", "−") in rows[0]
    assert "queries" in heads[1]
    assert (rows[-1][1], rows[-1][-1]) == (f"{np.mean(own['b']):.4f}", "4")
    assert "2 of 8 judged queries are in no run and left out (6, 7)." in text
    tables = read_tables(compare(capsys, *words[:-1], "latex"))
    assert tables[0].header[1:4] == ["in common", "its mean there", "other's there"]
    assert "2 of 8 judged queries are in no run and left out (6, 7)." in tables[0].caption


def test_pairs_of_runs_that_lack_queries_add_up(ragged: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = compare(capsys, *ragged, "-m", "RR", "--missing", "intersection", "--pairs")
    (row,) = [line.split() for line in text.splitlines() if line.startswith("a    b ")]
    first, second = (float(cell) for cell in row[3:5])
    change = float(next(cell for cell in row[5:] if cell[0] in "+−").replace("−", "-"))
    assert row[2] == "3"
    assert abs(change) == pytest.approx(abs(first - second), abs=2e-4)
    assert "a and c have no query in common: they cannot be compared." in text
    assert "0 queries are few" not in text
    assert "in common" not in compare(capsys, *ragged, "-m", "RR", "--pairs")


def test_weights_of_some_queries_and_of_unknown_ones_are_reported(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "weights").write_text("1 2\n2 1\n3 4\nzz 9\n")
    text = compare(capsys, *files, "-m", "RR", "--weights", str(tmp_path / "weights"))
    assert "Note: 3 of 30 queries have a weight; the 27 others count 0." in text
    assert "Note: 1 weight is of a query that was not evaluated: zz." in text
    (tmp_path / "weights").write_text("".join(f"{query} 1\n" for query in range(QUERIES)))
    assert "weight:" not in compare(capsys, *files, "-m", "RR", "--weights", str(tmp_path / "weights"))


def test_a_query_set_is_named_wherever_numbers_go(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sets").write_text("".join(f"{q}\t{'even' if q % 2 == 0 else 'odd'}\n" for q in range(QUERIES)))
    words = [*files, "-m", "RR", "--query-set", str(tmp_path / "sets"), "--set", "odd"]
    for form in ("table", "markdown", "latex", "html", "json"):
        assert "Only the queries of odd: 15 of 30" in compare(capsys, *words, "--format", form)
    for form in ("csv", "tsv"):
        assert main.main(["compare", *words, "--format", form]) == 0
        assert "Only the queries of odd: 15 of 30." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said", "tukey"),
    [
        (["--test", "sign"], "sign test, Holm over 10 comparisons", ""),
        (["--test", "tukey-randomised", "--also-test", "all"],
         "Tukey HSD by randomisation, 10 pairs together, assuming equal variance of the differences of all pairs",
         "tukey_randomised_p"),
        (["--also-test", "all"], "paired t-test, Holm over 10 comparisons", ""),
        ([], "paired t-test, Holm over 10 comparisons", ""),
    ],
)  # fmt: skip
def test_groups_are_by_the_test_that_is_named(
    files: list[str], capsys: pytest.CaptureFixture[str], words: list[str], said: str, tukey: str
) -> None:
    """Two runs share a letter where scipy's binomial test (without --test: its paired t-test), after Holm over all
    pairs, shows nothing; and Tukey's where that was named."""
    document = json.loads(compare(capsys, *files, "-m", "RR", "--pairs", *words, "--format", "json"))
    pairs, runs = (table["rows"] for table in document["tables"])
    groups = {run["run"]: set(run["group"]) for run in runs}
    by_run = values(files)
    p = []
    for pair in pairs:
        change = by_run[pair["run"]] - by_run[pair["other"]]
        wins, used = int((change > 0).sum()), int((change != 0).sum())
        if not used:
            p.append(1.0)
            continue
        own = stats.binomtest(wins, used) if words[1:2] == ["sign"] else stats.ttest_1samp(change, 0)
        p.append(float(own.pvalue))
    order, least, holm = np.argsort(p, kind="stable"), 0.0, [0.0] * len(p)
    for place, number in enumerate(order.tolist()):
        least = holm[number] = max(least, min(1.0, (len(p) - place) * p[number]))
    for number, pair in enumerate(pairs):
        shown = (pair[tukey] if tukey else holm[number]) < 0.05
        assert bool(groups[pair["run"]] & groups[pair["other"]]) == (not shown)
    (said_groups,) = [note["text"] for note in document["notes"] if note["code"] == "groups"]
    assert said_groups == f"Between runs that share a letter the test shows no difference ({said}, p < .05)."
    for form in ("table", "markdown", "latex"):
        text = compare(capsys, *files, "-m", "RR", "--pairs", *words, "--format", form)
        text = read_tables(text)[0].caption if form == "latex" else text.replace("\\", "")
        assert said_groups.rstrip(".") in text.replace("\u00a0", " ")


def test_power_and_posterior_are_printed_where_they_are_asked_for(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*files, "-m", "RR", "--power", ".9", "--posterior", "bootstrap", "--smallest", ".02", "--alpha", ".1"]
    rows = list(csv.DictReader(io.StringIO(compare(capsys, *words, "--confidence", ".9", "--format", "csv"))))
    by_run = values(files)
    for row in rows:
        change = by_run[row["run"]] - by_run["base_1"]
        assert float(row["power_alpha"]) == 0.1 / 4
        shares = [float(row[f"p_{name}"]) for name in ("better", "equal", "worse")]
        assert sum(shares) == pytest.approx(1)
        if row["run"] == "same":
            assert row["queries_needed"] == ""
            continue
        drawn = np.random.default_rng(1).standard_exponential((4000, QUERIES))
        means = (drawn / drawn.sum(axis=1, keepdims=True)) @ change
        assert shares[0] == pytest.approx((means > 0.02).mean(), abs=0.03)
        needed, d = int(row["queries_needed"]), 0.02 / change.std(ddof=1)  # of --smallest, not of what was seen
        for n, enough in ((needed, True), (needed - 1, False)):
            if n < 2:
                continue
            critical = stats.t.ppf(1 - 0.025 / 2, n - 1)
            reached = stats.nct.sf(critical, n - 1, d * np.sqrt(n)) + stats.nct.cdf(-critical, n - 1, d * np.sqrt(n))
            assert (reached >= 0.9) == enough
    text = compare(capsys, *words)
    head = text.splitlines()[3]
    assert "queries for 90 %" in head
    assert "P(better)" in head
    assert "p < .025" in text
    assert "Rubin 1981" in text
    assert "posterior of the mean difference (bootstrap), region of practical equivalence ±.02" in text
    assert "queries for" not in compare(capsys, *files, "-m", "RR")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--alpha", "1"], "--alpha is 1; it must be between 0 and 1"),
        (["--confidence", "95"], "--confidence is 95; it must be between 0 and 1"),
        (["--power", "1.5"], "--power is 1.5; it must be between --alpha and 1"),
    ],
)
def test_levels_are_checked(files: list[str], capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert main.main(["compare", *files, *words]) == 2
    assert said in capsys.readouterr().err
