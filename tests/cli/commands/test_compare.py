"""``irviewer compare``: every format says the same, names all tests, and its numbers are scipy's."""

from __future__ import annotations

import csv
import html
import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.significance import resampling
from irviewer.cli import main, streams
from irviewer.cli.main import build_parser
from irviewer.cli.options.protocol import settle
from tests.helpers.compared import QUERIES, compare, values, write_files
from tests.helpers.latex import read_tables


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return write_files(tmp_path)


def test_presets_are_those_of_the_statistics() -> None:
    preset = build_parser().parse_args(["compare", "QRELS", "RUN", "RUN"])
    settle(preset)
    options = ComparisonOptions()
    assert (preset.correction, preset.interval) == (options.correction, options.interval)
    assert (preset.samples, preset.seed) == (resampling.SAMPLES, resampling.SEED)
    assert (preset.alpha, preset.confidence) == (options.alpha, options.confidence)


def test_numbers_are_those_of_scipy(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    by_run = values(files)
    text = compare(capsys, *files, "-m", "RR", "--test", "wilcoxon", "--correction", "bonferroni", "--format", "csv")
    rows = {row["run"]: row for row in csv.DictReader(io.StringIO(text))}
    assert list(rows) == ["good&50%", "bad", "same", "fifth"]
    for name, row in rows.items():
        mine, base = by_run[name], by_run["base_1"]
        assert float(row["mean"]) == pytest.approx(mine.mean(), abs=1e-12)
        assert float(row["difference"]) == pytest.approx((mine - base).mean(), abs=1e-12)
        won = [int(row[each]) for each in ("better", "equal", "worse")]
        assert won == [(mine > base).sum(), (mine == base).sum(), (mine < base).sum()]
        if name == "same":
            assert float(row["t_p"]) == 1
            continue
        p = stats.ttest_rel(mine, base).pvalue
        assert float(row["t_p"]) == pytest.approx(p, abs=1e-9)
        assert float(row["t_p_corrected"]) == pytest.approx(min(1, 4 * p), abs=1e-9)


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html", "json"])
@pytest.mark.parametrize("pairs", [False, True])
def test_every_format_names_all_tests(
    files: list[str], capsys: pytest.CaptureFixture[str], form: str, pairs: bool
) -> None:
    words = [
        "-m",
        "RR",
        "--test",
        "randomisation",
        "--also-test",
        "sign",
        "--interval",
        "percentile",
        "--samples",
        "200",
    ]
    text = compare(capsys, *files, *words, "--seed", "9", "--format", form, *(["--pairs"] if pairs else []))
    if form == "latex":
        text = read_tables(text)[0].caption
    plain = text.replace("\\", "")
    wanted = ["paired t-test", "sign test", "Fisher's randomisation test", "(200 samples, seed 9)", "95 % intervals"]
    wanted += ["Holm over 10 comparisons" if pairs else "Holm over 4 comparisons", "practical equivalence"]
    shared = "Between runs that share a letter the test shows no difference (Fisher's randomisation test, Holm over 10"
    wanted += [shared] if pairs else []
    plain = html.unescape(plain) if form == "html" else plain
    assert [said for said in wanted if said not in plain] == []


def test_table_reads_as_sentences(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = compare(capsys, *files, "-m", "RR", "--baseline", "same")
    lines = text.splitlines()
    assert lines[2] == "RR, 30 queries, compared with same"
    assert [line.split()[0] for line in lines[4:8]] == ["base_1", "good&50%", "bad", "fifth"]
    assert "RR, means" in lines
    assert "base_1 is equal on all 30 queries" in lines
    (said,) = [line for line in lines if line.startswith("good&50% is better on")]
    assert "after Holm over 4 comparisons" in said


def test_what_latex_prints(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    by_run = values(files)
    tables = read_tables(compare(capsys, *files, "-m", "RR", "-m", "P@1", "--format", "latex"))
    first, second, means, _ = tables
    assert first.header == [
        "run", "mean", "Δ", "95 % interval", "relative", "better", "equal", "worse", "p", "p Holm", "d"
    ]  # fmt: skip
    p = {name: stats.ttest_rel(row, by_run["base_1"]).pvalue for name, row in by_run.items() if name != "base_1"}
    p["same"], least, holm = 1.0, 0.0, {}
    for place, name in enumerate(sorted(p, key=lambda name: p[name])):
        least = holm[name] = max(least, min(1.0, (4 - place) * p[name]))
    for row in first.rows:
        change = by_run[row[0]].mean() - by_run["base_1"].mean()
        dagger = "" if holm[row[0]] >= 0.05 else "†" if change > 0 else "‡"
        assert row[2].strip("0123456789.+−") == dagger
    assert any("†" in row[2] for row in first.rows)
    assert not any("†" in row[2] or "‡" in row[2] for row in second.rows), "P@1 is secondary"
    assert "†: the test shows it to be better" in first.caption
    assert "RR decides; the other measures are secondary" in second.caption
    best = max(by_run, key=lambda name: by_run[name].mean())
    assert means.bold == {([row[0] for row in means.rows].index(best), 1)}


def test_letters_of_all_pairs(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With --test tukey runs share a letter where scipy's Tukey of the two-way layout shows nothing."""
    document = json.loads(compare(capsys, *files, "-m", "RR", "--pairs", "--test", "tukey", "--format", "json"))
    pairs, runs = (table["rows"] for table in document["tables"])
    by_run = values(files)
    table = np.array(list(by_run.values()))
    rest = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    error = (rest**2).sum() / ((len(table) - 1) * (QUERIES - 1))
    groups = {run["run"]: set(run["group"]) for run in runs}
    assert len(pairs) == 10
    for pair in pairs:
        mine, other = by_run[pair["run"]], by_run[pair["other"]]
        q = abs(mine.mean() - other.mean()) / np.sqrt(error / QUERIES)
        p = stats.studentized_range.sf(q, len(table), (len(table) - 1) * (QUERIES - 1))
        assert pair["tukey_p"] == pytest.approx(p, abs=1e-6)
        assert bool(groups[pair["run"]] & groups[pair["other"]]) == (p >= 0.05)


def test_queries_and_weights_of_files(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sets").write_text("".join(f"{q}\t{'even' if q % 2 == 0 else 'odd'}\n" for q in range(QUERIES)))
    (tmp_path / "weights").write_text("".join(f"{q} {q % 3}\n" for q in range(QUERIES)))
    words = [*files, "-m", "RR", "--query-set", str(tmp_path / "sets"), "--weights", str(tmp_path / "weights")]
    assert main.main(["compare", *words]) == 2
    assert "holds 2 query sets; name one of even, odd" in capsys.readouterr().err
    text = compare(capsys, *words, "--set", "odd", "--looked", "--format", "json")
    answer = json.loads(text)
    odd = np.arange(1, QUERIES, 2)
    for run in answer["tables"][1]["rows"]:
        assert run["queries"] == len(odd)
        mine = values(files)[run["run"]][odd]
        assert run["mean"] == pytest.approx(mine.mean())
        assert run["weighted_mean"] == pytest.approx(np.average(mine, weights=odd % 3))
    assert any("chosen after looking" in note["text"] for note in answer["notes"])


def test_median_as_trec_prints_it(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)  # of the process that the test runs in
    table = np.array(list(values(files).values()))
    names = [Path(path).name for path in files[1:]]
    rows = list(csv.DictReader(io.StringIO(compare(capsys, *files, "-m", "RR", "--format", "csv", command="medians"))))
    assert len(rows) == QUERIES
    for row in rows:
        query = int(row["query"])
        assert float(row["median"]) == pytest.approx(np.median(table[:, query]))
        for run, name in enumerate(names):
            assert float(row[name]) == pytest.approx(table[run, query] - np.median(table[:, query]))
        assert (float(row["best"]), float(row["worst"])) == (table[:, query].max(), table[:, query].min())
    whole = json.loads(compare(capsys, *files, "-m", "RR", "--format", "json", command="medians"))
    above = (table > np.median(table, axis=0)).sum(axis=1)
    assert [row["above"] for row in whole["tables"][1]["rows"]] == above.tolist()
    assert "difference from the median of 5 runs" in compare(capsys, *files, "--format", "markdown", command="medians")
    assert "\t" in compare(capsys, *files, "-m", "RR", "--format", "tsv", command="medians").splitlines()[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--baseline", "nobody"], "there is no run nobody"),
        (["--looked"], "--set and --looked need --query-set"),
        (["--median"], "there is no --median any more; use irviewer medians"),
        (["--stability"], "there is no --stability any more; use irviewer stability"),
        (["--agreement", "tau-ap"], "there is no --agreement any more; use irviewer measure-agreement"),
        (["--by-set"], "there is no --by-set any more; use irviewer query-sets"),
        (["--rope", ".02"], "there is no --rope any more; use --smallest X, and --posterior for the Bayesian output"),
        (["--bayes"], "there is no --bayes any more; use --posterior"),
        (["--regime", "pooled"], "there is no --regime any more; use --unjudged"),
        (["--test", "sign", "--test", "t"], "one --test decides; use --also-test for the others"),
        (["--samples", "0"], "samples is 0; a comparison needs 1 or more"),
        (["--smallest", "-1"], "--smallest is -1; it must be 0 or more"),
        (["-m", "num_q"], "not a mean over queries"),
    ],
)
def test_refused(files: list[str], capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert main.main(["compare", *files, *words]) == 2
    assert said in capsys.readouterr().err


def test_one_run_has_nothing_beside_it(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["compare", *files[:2]]) == 2
    assert "give at least two runs" in capsys.readouterr().err
    assert main.main(["medians", *files[:4]]) == 2
    assert "the median of 3 runs is not meaningful" in capsys.readouterr().err


def test_a_file_names_the_baseline_and_output_goes_to_a_file(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "found.json"
    assert compare(capsys, *files, "-m", "RR", "--baseline", files[3], "--format", "json", "-o", str(output)) == ""
    assert json.loads(output.read_text("utf-8"))["tables"][0]["rows"][0]["other"] == "bad"


def test_progress_is_reported_on_a_terminal_only(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["compare", *files, "-m", "RR"]
    monkeypatch.setattr(streams, "PATIENCE", 0.0)
    assert main.main(words) == 0
    assert "comparing" not in capsys.readouterr().err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main.main(words) == 0
    progress = capsys.readouterr().err
    assert "\r\033[Kcomparing: " in progress
    assert progress.endswith("\r\033[K")
    monkeypatch.setattr(streams, "PATIENCE", 1e9)  # what is quickly done is not announced
    assert main.main(words) == 0
    assert "comparing" not in capsys.readouterr().err


def test_names_of_markdown_are_shown_as_they_are(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = compare(capsys, *files, "-m", "RR", "--format", "markdown")
    assert "| base\\_1 | " in text
    rows = [line for line in text.splitlines() if line.startswith("| ")][-6:]
    assert len({line.count(" | ") for line in rows}) == 1
    top = max(values(files).items(), key=lambda pair: pair[1].mean())
    assert f"**{top[1].mean():.4f}**" in next(row for row in rows if top[0] in row)
