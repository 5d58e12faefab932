"""``irviewer compare``: every format says the same, names all tests, and its numbers are scipy's."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from irviewer import cli, cli_compare
from irviewer.cli import build_parser
from irviewer.formats.comparisons import WRITERS
from irviewer.model.statistics import corrections, intervals, power, records, resampling
from irviewer.model.statistics.of_results import ComparisonOptions
from tests.helpers.latex import read_tables

QUERIES = 30


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels of 30 queries with one relevant document; runs that have it at a drawn rank, one with an odd name."""
    random = np.random.default_rng(7)
    (tmp_path / "qrels").write_text("".join(f"{q} 0 rel 1\n" for q in range(QUERIES)))
    found = [str(tmp_path / "qrels")]
    for name, far in (("base_1", 6), ("good&50%", 3), ("bad", 9), ("same", 6), ("fifth", 5)):
        ranks = random.integers(3 if name == "bad" else 1, far, QUERIES)
        if name == "same":
            ranks = np.array([int(one) for one in (tmp_path / "base_1.ranks").read_text().split()])
        (tmp_path / f"{name}.ranks").write_text(" ".join(map(str, ranks)))
        lines = []
        for query, rank in enumerate(ranks.tolist()):
            documents = [f"d{place}" for place in range(1, 10)]
            documents[rank - 1] = "rel"
            lines += [f"{query} Q0 {one} {place} {20 - place} t\n" for place, one in enumerate(documents, 1)]
        (tmp_path / name).write_text("".join(lines))
        found.append(str(tmp_path / name))
    return found


def values(files: list[str]) -> dict[str, np.ndarray]:
    """RR by run, from the ranks themselves."""
    return {
        Path(one).name: 1 / np.array([int(x) for x in Path(one + ".ranks").read_text().split()]) for one in files[1:]
    }


def compare(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert cli.main(["compare", *words]) == 0
    out = capsys.readouterr()
    assert out.err == ""
    return out.out


def test_the_words_are_those_of_the_statistics() -> None:
    assert tuple(WRITERS) == cli_compare.FORMATS
    assert tuple(records.TESTS) == cli_compare.TESTS
    assert tuple(corrections.CORRECTIONS) == cli_compare.CORRECTIONS
    assert tuple(intervals.INTERVALS) == cli_compare.INTERVALS
    preset = build_parser().parse_args(["compare", "QRELS", "RUN", "RUN"])
    options = ComparisonOptions()
    assert (preset.correction, preset.interval) == (options.correction, options.interval)
    assert (resampling.SAMPLES, resampling.SEED) == (cli_compare.SAMPLES, cli_compare.SEED)
    assert (preset.alpha, preset.confidence) == (options.alpha, options.level)
    assert power.POWER == cli_compare.POWER


def test_numbers_are_those_of_scipy(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    by_run = values(files)
    text = compare(capsys, *files, "-m", "RR", "--test", "wilcoxon", "--correction", "bonferroni", "--format", "csv")
    rows = {row["run"]: row for row in csv.DictReader(io.StringIO(text))}
    assert list(rows) == ["good&50%", "bad", "same", "fifth"]
    for name, row in rows.items():
        mine, base = by_run[name], by_run["base_1"]
        assert float(row["mean"]) == pytest.approx(mine.mean(), abs=1e-12)
        assert float(row["difference"]) == pytest.approx((mine - base).mean(), abs=1e-12)
        won = [int(row[each]) for each in ("wins", "ties", "losses")]
        assert won == [(mine > base).sum(), (mine == base).sum(), (mine < base).sum()]
        if name == "same":
            assert float(row["t p"]) == 1
            continue
        p = stats.ttest_rel(mine, base).pvalue
        assert float(row["t p"]) == pytest.approx(p, abs=1e-9)
        assert float(row["t p corrected"]) == pytest.approx(min(1, 4 * p), abs=1e-9)


@pytest.mark.parametrize("form", sorted(WRITERS))
@pytest.mark.parametrize("pairs", [False, True])
def test_every_format_names_all_tests(
    files: list[str], capsys: pytest.CaptureFixture[str], form: str, pairs: bool
) -> None:
    words = ["-m", "RR", "--test", "randomisation", "--test", "sign", "--interval", "percentile", "--samples", "200"]
    text = compare(capsys, *files, *words, "--seed", "9", "--format", form, *(["--pairs"] if pairs else []))
    if form == "latex":
        text = read_tables(text)[0].caption
    plain = text.replace("\\", "")
    wanted = ["paired t-test", "sign test", "Fisher's randomisation test", "(200 samples, seed 9)", "95 % intervals"]
    wanted += ["Holm over 10 comparisons" if pairs else "Holm over 4 comparisons", "practical equivalence"]
    wanted += ["Tukey HSD"] if pairs else []
    assert [said for said in wanted if said not in plain] == []


def test_table_reads_as_sentences(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = compare(capsys, *files, "-m", "RR", "--baseline", "same")
    lines = text.splitlines()
    assert lines[0] == "RR, 30 queries, beside same"
    assert [line.split()[0] for line in lines[2:7]] == ["base_1", "good&50%", "bad", "same", "fifth"]
    assert lines[5].split()[-1] == "baseline"
    assert "base_1 is equal on all of 30 queries" in lines
    (said,) = [line for line in lines if line.startswith("good&50% is better on")]
    assert "after Holm over 4 comparisons" in said


def test_the_latex_table_prints_what_was_found(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    by_run = values(files)
    (found,) = read_tables(compare(capsys, *files, "-m", "RR", "-m", "P@1", "--format", "latex"))
    assert found.header == ["Run", "RR", "P@1"]
    assert [row[0] for row in found.rows] == list(by_run)
    means = {name: one.mean() for name, one in by_run.items()}
    others = [name for name in by_run if name not in ("base_1", "same")]
    p = {name: stats.ttest_rel(by_run[name], by_run["base_1"]).pvalue for name in others}
    order = sorted(p, key=lambda name: p[name])
    holm, least = {}, 0.0
    for place, name in enumerate([*order, "same"]):
        least = holm[name] = max(least, min(1.0, (4 - place) * p.get(name, 1.0)))
    for number, (name, shown, _) in enumerate(found.rows):
        dagger = "" if holm.get(name, 1) >= 0.05 else "†" if means[name] > means["base_1"] else "‡"
        assert shown == f"{means[name]:.4f}{dagger}"
        assert ((number, 1) in found.bold) == (means[name] == max(means.values()))
    assert any("†" in row[1] for row in found.rows)
    assert any("‡" in row[1] for row in found.rows)
    assert "†: better, ‡: worse than base_1 (paired t-test, after Holm" in found.caption.replace("\u00a0", " ")


def test_one_measure_has_differences_in_latex(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = read_tables(compare(capsys, *files, "-m", "RR", "--format", "latex"))
    assert found.header == ["Run", "RR", "Δ", "95 % interval", "better/equal/worse", "p", "p Holm", "d"]
    assert found.rows[0][1:] == [f"{values(files)['base_1'].mean():.4f}", "baseline", "", "", "", "", ""]


def test_letters_of_all_pairs(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Runs share a letter where scipy's Tukey of the two-way layout cannot tell them apart."""
    document = json.loads(compare(capsys, *files, "-m", "RR", "--pairs", "--format", "json"))
    (one,) = document["comparisons"]
    by_run = values(files)
    table = np.array(list(by_run.values()))
    rest = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    error = (rest**2).sum() / ((len(table) - 1) * (QUERIES - 1))
    groups = {run["name"]: set(run["group"]) for run in one["runs"]}
    assert len(one["pairs"]) == 10
    for pair in one["pairs"]:
        mine, other = by_run[pair["run"]], by_run[pair["other"]]
        q = abs(mine.mean() - other.mean()) / np.sqrt(error / QUERIES)
        p = stats.studentized_range.sf(q, len(table), (len(table) - 1) * (QUERIES - 1))
        assert pair["tukey p"] == pytest.approx(p, abs=1e-6)
        assert bool(groups[pair["run"]] & groups[pair["other"]]) == (p >= 0.05)


def test_queries_and_weights_of_files(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sets").write_text("".join(f"{q}\t{'even' if q % 2 == 0 else 'odd'}\n" for q in range(QUERIES)))
    (tmp_path / "weights").write_text("".join(f"{q} {q % 3}\n" for q in range(QUERIES)))
    words = [*files, "-m", "RR", "--queries", str(tmp_path / "sets"), "--weights", str(tmp_path / "weights")]
    assert cli.main(["compare", *words]) == 2
    assert "holds 2 sets; name one with --set: even, odd" in capsys.readouterr().err
    text = compare(capsys, *words, "--set", "odd", "--looked", "--format", "json")
    (one,) = json.loads(text)["comparisons"]
    odd = np.arange(1, QUERIES, 2)
    assert one["queries"] == len(odd)
    for run in one["runs"]:
        mine = values(files)[run["name"]][odd]
        assert run["mean"] == pytest.approx(mine.mean())
        assert run["weighted mean"] == pytest.approx(np.average(mine, weights=odd % 3))
    assert any("chosen after looking" in said for said in one["warnings"])


def test_median_as_trec_prints_it(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    table = np.array(list(values(files).values()))
    text = compare(capsys, *files, "-m", "RR", "--median", "--format", "csv")
    for row in csv.DictReader(io.StringIO(text)):
        run, query = [Path(one).name for one in files[1:]].index(row["run"]), int(row["query"])
        assert float(row["median"]) == pytest.approx(np.median(table[:, query]))
        assert float(row["difference"]) == pytest.approx(table[run, query] - np.median(table[:, query]))
        assert (float(row["best"]), float(row["worst"])) == (table[:, query].max(), table[:, query].min())
    shown = compare(capsys, *files, "-m", "RR", "--median").splitlines()
    above = (table > np.median(table, axis=0)).sum(axis=1)
    assert [cell.split("/")[0] for cell in shown[-1].split()[1:]] == [str(one) for one in above]
    assert "difference from the median of 5 runs" in compare(capsys, *files, "--median", "--format", "markdown")
    (one, _) = json.loads(compare(capsys, *files, "--median", "--format", "json"))["medians"]
    assert set(one["queries"]["3"]["differences"]) == {Path(one).name for one in files[1:]}
    assert "\t" in compare(capsys, *files, "-m", "RR", "--median", "--format", "tsv").splitlines()[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--baseline", "nobody"], "there is no run nobody"),
        (["--looked"], "--set and --looked speak of the queries of --queries"),
        (["--median", "--format", "latex"], "--median writes a row a query"),
        (["--samples", "0"], "--samples is 1 or more"),
        (["--rope", "-1"], "half of a region is 0 or more"),
        (["-m", "num_q"], "no mean over queries"),
    ],
)
def test_refused(files: list[str], capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert cli.main(["compare", *files, *words]) == 2
    assert said in capsys.readouterr().err


def test_one_run_has_nothing_beside_it(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compare", *files[:2]]) == 2
    assert "give two runs or more" in capsys.readouterr().err
    assert cli.main(["compare", *files[:4], "--median"]) == 2
    assert "the median of 3 runs is no yardstick" in capsys.readouterr().err


def test_a_file_names_the_baseline_and_output_goes_to_a_file(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "found.json"
    assert compare(capsys, *files, "-m", "RR", "--baseline", files[3], "--format", "json", "-o", str(output)) == ""
    assert json.loads(output.read_text("utf-8"))["comparisons"][0]["baseline"] == "bad"


def test_progress_is_told_on_a_terminal_only(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert cli.main(["compare", *files, "-m", "RR"]) == 0
    told = capsys.readouterr().err
    assert "comparing: " in told
    assert told.endswith("\r\033[K")


def test_names_of_markdown_are_shown_as_they_are(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = compare(capsys, *files, "-m", "RR", "--format", "markdown")
    assert "| base\\_1 | " in text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len({line.count(" | ") for line in rows}) == 1
    top = max(values(files).items(), key=lambda pair: pair[1].mean())
    assert f"**{top[1].mean():.4f}**" in next(row for row in rows if top[0] in row)


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
    head, row = (
        next(line for line in text.splitlines() if line.lstrip("| ").startswith(name)) for name in ("run ", "b ")
    )
    assert ["queries" in head, "in common" in head, "its mean there" in head, "other's there" in head] == [True] * 4
    cells = row.replace("|", " ").replace("*", "").split()
    mine, its = np.mean(own["b"][:3]), np.mean(own["a"][2:])
    assert cells[1] == f"{np.mean(own['b']):.4f}"
    place = cells.index("4")
    assert cells[place : place + 5] == ["4", "3", f"{mine:.4f}", f"{its:.4f}", f"{mine - its:.4f}".replace("-", "−")]
    assert "2 of 8 judged queries no run has: left out (6, 7)." in text
    latex = compare(capsys, *words[:-1], "latex")
    (table,) = read_tables(latex)
    assert table.header[2:6] == ["queries", "in common", "its mean there", "other's there"]
    assert "Means over those that a run has of 6 queries" in table.caption
    assert "2 of 8 judged queries no run has" in table.caption


def test_pairs_of_runs_that_lack_queries_add_up(ragged: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = compare(capsys, *ragged, "-m", "RR", "--missing", "intersection", "--pairs")
    (row,) = [line.split() for line in text.splitlines() if line.startswith("a    b ")]
    first, second, change = (float(cell.replace("−", "-")) for cell in row[3:6])
    assert row[2] == "3"
    assert change == pytest.approx(first - second, abs=2e-4)
    assert "a and c share no query: there is nothing to compare." in text
    assert "0 queries are few" not in text
    assert "in common" not in compare(capsys, *ragged, "-m", "RR", "--pairs")


def test_weights_of_some_queries_and_of_unknown_ones_are_told(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "weights").write_text("1 2\n2 1\n3 4\nzz 9\n")
    text = compare(capsys, *files, "-m", "RR", "--weights", str(tmp_path / "weights"))
    assert "Note: 3 of 30 queries have a weight: the other 27 count 0." in text
    assert "Note: Weights are given for 1 query that nobody evaluated: zz." in text
    (tmp_path / "weights").write_text("".join(f"{query} 1\n" for query in range(QUERIES)))
    assert "weight:" not in compare(capsys, *files, "-m", "RR", "--weights", str(tmp_path / "weights"))


def test_a_query_set_is_named_wherever_numbers_go(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sets").write_text("".join(f"{q}\t{'even' if q % 2 == 0 else 'odd'}\n" for q in range(QUERIES)))
    words = [*files, "-m", "RR", "--queries", str(tmp_path / "sets"), "--set", "odd"]
    for form in WRITERS:
        assert "Only the queries of odd (sets): 15 of 30." in compare(capsys, *words, "--format", form)


@pytest.mark.parametrize(
    ("words", "said", "tukey"),
    [
        (["--test", "sign"], "sign test, Holm over 10 comparisons", ""),
        (["--test", "all"], "Tukey HSD by randomisation", "tukey-randomised p"),
        ([], "Tukey HSD, two-way", "tukey p"),
    ],
)
def test_groups_are_by_the_test_that_is_named(
    files: list[str], capsys: pytest.CaptureFixture[str], words: list[str], said: str, tukey: str
) -> None:
    """Two runs share a letter where scipy's binomial test, after Holm over all pairs, shows nothing; else Tukey's."""
    document = json.loads(compare(capsys, *files, "-m", "RR", "--pairs", *words, "--format", "json"))
    (one,) = document["comparisons"]
    groups = {run["name"]: set(run["group"]) for run in one["runs"]}
    by_run = values(files)
    p = []
    for pair in one["pairs"]:
        change = by_run[pair["run"]] - by_run[pair["other"]]
        wins, used = int((change > 0).sum()), int((change != 0).sum())
        p.append(stats.binomtest(wins, used).pvalue if used else 1.0)
    order, least, holm = np.argsort(p, kind="stable"), 0.0, [0.0] * len(p)
    for place, number in enumerate(order.tolist()):
        least = holm[number] = max(least, min(1.0, (len(p) - place) * p[number]))
    for number, pair in enumerate(one["pairs"]):
        shown = (pair[tukey] if tukey else holm[number]) < 0.05
        assert bool(groups[pair["run"]] & groups[pair["other"]]) == (not shown)
    assert one["groups"] == f"Runs that share a letter cannot be told apart ({said}, p < .05)."
    for form in ("table", "markdown", "latex"):
        text = compare(capsys, *files, "-m", "RR", "--pairs", *words, "--format", form)
        text = read_tables(text)[0].caption if form == "latex" else text.replace("\\", "")
        assert one["groups"] in text.replace("\u00a0", " ")


def test_power_and_posterior_are_printed_where_they_are_asked_for(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*files, "-m", "RR", "--power", ".9", "--bayes", "bootstrap", "--rope", ".02", "--alpha", ".1"]
    rows = list(csv.DictReader(io.StringIO(compare(capsys, *words, "--confidence", ".9", "--format", "csv"))))
    by_run = values(files)
    for row in rows:
        change = by_run[row["run"]] - by_run["base_1"]
        assert row["level"] == "0.9"
        assert float(row["power alpha"]) == 0.1 / 4
        shares = [float(row[f"P({name})"]) for name in ("better", "equal", "worse")]
        assert sum(shares) == pytest.approx(1)
        if row["run"] == "same":
            assert row["queries needed"] == ""
            continue
        drawn = np.random.default_rng(1).standard_exponential((4000, QUERIES))
        means = (drawn / drawn.sum(axis=1, keepdims=True)) @ change
        assert shares[0] == pytest.approx((means > 0.02).mean(), abs=0.03)
        needed, d = int(row["queries needed"]), abs(change.mean()) / change.std(ddof=1)
        for n, enough in ((needed, True), (needed - 1, False)):
            if n < 2:
                continue
            critical = stats.t.ppf(1 - 0.025 / 2, n - 1)
            reached = stats.nct.sf(critical, n - 1, d * np.sqrt(n)) + stats.nct.cdf(-critical, n - 1, d * np.sqrt(n))
            assert (reached >= 0.9) == enough
    text = compare(capsys, *words)
    head = text.splitlines()[1]
    assert "queries for 90 %" in head
    assert "P(better)" in head
    assert "p < .025" in text
    assert "Rubin 1981" in text
    assert "posterior of the mean difference (bootstrap), region of practical equivalence ±.02" in text
    assert "queries for" not in compare(capsys, *files, "-m", "RR")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--alpha", "1"], "--alpha and --confidence lie between 0 and 1"),
        (["--confidence", "95"], "--alpha and --confidence lie between 0 and 1"),
        (["--power", "1.5"], "--power 1.5: a chance between --alpha and 1"),
    ],
)
def test_levels_are_checked(files: list[str], capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert cli.main(["compare", *files, *words]) == 2
    assert said in capsys.readouterr().err
