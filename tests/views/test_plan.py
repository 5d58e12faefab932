"""Plans from a pilot and from a given spread: plain formulas, at every door."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer.analysis.planning.designs import Design
from irviewer.cli.main import main
from irviewer.errors import OptionError
from irviewer.translation import decimal, use_decimal_comma
from irviewer.views.plan import tables

QUERIES = 24


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder, random = tmp_path_factory.mktemp("plan"), np.random.default_rng(3)
    (folder / "qrels.txt").write_text("".join(f"{query} 0 d 1\n" for query in range(QUERIES)))
    for name in ("base", "one", "two"):
        ranks = random.integers(1, 9, QUERIES)
        lines = [
            f"{query} Q0 {'d' if rank == place else f'x{place}'} {place} {20 - place} {name}\n"
            for query, rank in enumerate(ranks.tolist()) for place in range(1, 10)
        ]  # fmt: skip
        (folder / f"{name}.run").write_text("".join(lines))
    return [str(folder / name) for name in ("qrels.txt", "base.run", "one.run", "two.run")]


def changes(files: list[str]) -> dict[str, np.ndarray]:
    table = irviewer.evaluate(files[0], files[1:], "RR")
    values = {run: np.array([table.by_query("RR", run)[str(q)] for q in range(QUERIES)]) for run in table.runs}
    return {run: values[run] - values["base"] for run in ("one", "two")}


def rows(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, str]]:
    assert main(["plan", *words, "--format", "csv"]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def bonett(change: np.ndarray) -> list[float]:
    """The limits of a standard deviation of Bonett (2006), as the paper writes them."""
    n, z = len(change), stats.norm.ppf(0.975)
    centre, trimmed = n / (n - z), stats.trim_mean(change, 1 / (2 * math.sqrt(n - 4)))
    kurtosis = (
        n * sum((each - trimmed) ** 4 for each in change) / sum((each - change.mean()) ** 2 for each in change) ** 2
    )
    error = centre * math.sqrt((kurtosis - (n - 3) / n) / (n - 1))
    return [math.sqrt(math.exp(math.log(centre * change.var(ddof=1)) + side * z * error)) for side in (-1, 1)]


def test_from_a_pilot(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Each run against the baseline: alpha over two comparisons, limits of sigma of Bonett."""
    shown = irviewer.plan(*files[:1], files[1:], "RR", baseline="base", size=0.05)
    for row, (run, change) in zip(rows(capsys, *files, "-m", "RR", "--baseline", "base", "--size", ".05"),
                                  changes(files).items(), strict=True):  # fmt: skip
        sd = change.std(ddof=1)
        ends = bonett(change)
        assert row["run"] == run
        assert [float(row[name]) for name in ("sigma", "sigma_limits_low", "sigma_limits_high")] == pytest.approx(
            [sd, *ends]
        )
        for name, spread in zip(("needed", "needed_low", "needed_high", "needed_wider"), (sd, *ends, 1.5 * sd),
                                strict=True):  # fmt: skip
            n = int(row[name])
            for many, enough in ((n, True), (n - 1, False)):
                critical, law = stats.t.isf(0.0125, many - 1), stats.nct(many - 1, 0.05 / spread * math.sqrt(many))
                assert (law.sf(critical) + law.cdf(-critical) >= 0.8) == enough
    assert [row.plan.needed for row in shown.value.rows] == shown["plan"].column("needed").values


def test_within_systems(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    table = irviewer.evaluate(files[0], files[1:], "RR")
    values = [list(table.by_query("RR", run).values()) for run in table.runs]
    pooled = math.sqrt(np.mean([np.var(row, ddof=1) for row in values]))
    (row,) = rows(capsys, *files, "-m", "RR", "--design", "systems", "--size", ".1")
    assert float(row["sigma"]) == pytest.approx(pooled)
    assert int(row["needed"]) == Design("systems", 0.1, systems=3).needed(pooled)


def test_without_files_and_without_a_size(files: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (row,) = rows(capsys, "--sigma", ".2", "--size", ".05")
    assert (row["needed"], row["needed_low"]) == ("128", "")
    (row,) = rows(capsys, "--sigma", ".2", "--size", ".05", "--design-effect", "2.5")
    assert row["needed"] == "320"
    assert [row["size"] for row in rows(capsys, "--sigma", ".2")] == ["0.01", "0.02", "0.05", "0.1"]
    (row,) = rows(capsys, "--sigma", ".1", "--design", "non-inferiority", "--size", ".05", "--true", "-.01")
    assert (row["needed"], row["alpha"]) == ("41", "0.05")
    (row,) = rows(capsys, "--sigma", ".2", "--smallest", ".05")
    assert row["needed"] == "128"
    assert main(["plan", "--sigma", ".2", "--size", ".05", "--figure", str(tmp_path / "power.svg")]) == 0
    assert "128 queries are needed for .0500; 285 if σ is 1.5 times as large." in capsys.readouterr().out
    assert "<svg" in (tmp_path / "power.svg").read_text()
    assert main(["plan"]) == 2
    assert "--sigma" in capsys.readouterr().err
    assert main(["plan", *files[:3], "-m", "RR", "--design", "equivalence", "--size", ".02", "--true", ".03"]) == 0
    assert "No number of queries is enough" in capsys.readouterr().out


def test_the_curve_has_the_power_of_scipy_and_is_in_the_report(files: list[str], tmp_path: Path) -> None:
    shown = irviewer.plan(files[0], files[1:3], "RR", baseline="base", size=0.05)
    (figure,) = shown.shown.figures
    sd = shown.value.rows[0].plan.spread.sd
    low, high = shown.value.rows[0].plan.spread.limits(0.95)

    def power(n: float, sigma: float) -> float:
        t = stats.t.ppf(0.975, n - 1)
        away = stats.nct(n - 1, 0.05 * math.sqrt(n) / sigma)
        return float(away.sf(t) + away.cdf(-t))

    middle, wider = figure.curves
    (band,) = figure.bands
    for place in (0, 5, -1):
        n = float(middle.x[place])
        assert middle.y[place] == pytest.approx(power(n, sd), abs=1e-8)
        assert wider.y[place] == pytest.approx(power(n, 1.5 * sd), abs=1e-8)
        assert band.low[place] == pytest.approx(power(n, high), abs=1e-8)
        assert band.high[place] == pytest.approx(power(n, low), abs=1e-8)
    shown.save(tmp_path / "power.svg")
    page = irviewer.report(files[0], files[1:3], "RR", baseline="base", sections=["plan"])._repr_html_()
    assert "Power by the number of queries" in (tmp_path / "power.svg").read_text()
    drawn = page[page.index("Power by the number of queries") :]
    lines = drawn.count("class=&quot;c ink&quot;") + drawn.count('class="c ink"')
    assert lines == 2  # the curve, and its line in the legend
    assert drawn.count("band ink") == 1 and "1.5 σ" in drawn


@pytest.mark.parametrize(
    ("queries", "level", "said"),
    [
        (1, "1", "a pilot needs two queries or more"),
        (2, "1", "All differences are equal: without spread there is nothing to plan with."),
        (
            2,
            "9",
            "nothing to plan with; no document has grade 9 or higher: nothing counts as relevant to AP(rel=9), and "
            "the values say nothing of the runs. Choose a lower level.",
        ),
    ],
)
def test_a_pilot_without_spread_says_what_is_missing(
    queries: int, level: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One query had “equal” differences, though there was one."""
    (tmp_path / "qrels").write_text("".join(f"{query} 0 a 1\n" for query in range(queries)))
    for name, order in (("one", "ab"), ("two", "ba")):
        lines = [f"{query} Q0 {d} {n} {-n} {name}\n" for query in range(queries) for n, d in enumerate(order)]
        (tmp_path / name).write_text("".join(lines))
    words = [str(tmp_path / name) for name in ("qrels", "one", "two")]
    assert main(["plan", *words, "-m", "AP", "-l", level]) != 0
    assert said in capsys.readouterr().err


def test_each_pilot_is_named(files: list[str]) -> None:
    several = irviewer.plan(files[0], files[1:], "RR", baseline="base", size=0.05)
    assert ["with one as the pilot" in each.text for each in several.shown.sentences] == [True, False]
    (sentence,) = irviewer.plan(files[0], files[1:3], "RR", baseline="base", size=0.05).shown.sentences
    assert "pilot" not in sentence.text


def test_numbers_of_a_sentence_have_one_sign(files: list[str]) -> None:
    """Thousands have no comma where that is the decimal sign."""
    planned = irviewer.plan(files[0], files[1:3], "RR", baseline="base", size=0.005)
    plan = planned.value.rows[0].plan
    use_decimal_comma(True)
    try:
        (sentence,) = tables(planned.value, None).sentences
        for sd in (plan.needed, plan.low, plan.high):
            n = plan.queries(sd)
            assert n is not None
            assert n >= 1000
            assert f"{n:,}" not in sentence.text
            assert decimal(f"{n:,}") in sentence.text
    finally:
        use_decimal_comma(False)


def conversations(folder: Path, values: list[list[float]]) -> tuple[list[str], list[np.ndarray]]:
    """Write a collection whose queries ``g_i`` have RR 1 / rank in one run and 1/9 in the other; return the files and
    the differences of each conversation."""
    ids = [f"{g}_{i}" for g, ranks in enumerate(values, start=1) for i in range(len(ranks))]
    ranks = [int(rank) for each in values for rank in each]
    (folder / "qrels.txt").write_text("".join(f"{query} 0 d 1\n" for query in ids))
    for name, places in (("base", [9] * len(ids)), ("one", ranks)):
        lines = [
            f"{query} Q0 {'d' if rank == place else f'x{place}'} {place} {20 - place} {name}\n"
            for query, rank in zip(ids, places, strict=True) for place in range(1, 10)
        ]  # fmt: skip
        (folder / f"{name}.run").write_text("".join(lines))
    changes = [np.array([1 / rank - 1 / 9 for rank in each]) for each in values]
    return [str(folder / name) for name in ("qrels.txt", "base.run", "one.run")], changes


def test_the_unit_gives_the_design_effect(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """CR2 by its formula, a loop over conversations; n counts for n / design effect."""
    files, groups = conversations(
        tmp_path, [[1, 1, 2], [8, 9, 9, 7], [1, 2], [9, 8, 8], [3, 3, 3], [1, 1], [6, 7], [2, 2], [5, 5, 6, 4], [9, 9],
                   [1, 2, 1]]
    )  # fmt: skip
    every = np.concatenate(groups)
    n, mean = len(every), every.mean()
    cr2 = sum(((group - mean).sum()) ** 2 / (1 - len(group) / n) for group in groups) / n**2
    effect = cr2 / (every.var(ddof=1) / n)
    assert effect > 1.5
    words = [*files, "-m", "RR", "--baseline", "base", "--size", ".1"]
    (without,) = rows(capsys, *words)
    (row,) = rows(capsys, *words, "--unit", "id-prefix")
    assert float(row["design_effect"]) == pytest.approx(effect)
    assert (row["units"], without["units"]) == ("11", "")
    for name in ("needed", "needed_low", "needed_high", "needed_wider"):
        assert int(row[name]) == math.ceil(int(without[name]) * effect)
    independent = int(n / effect)
    critical, law = stats.t.isf(0.025, independent - 1), float(row["detectable"]) / every.std(ddof=1)
    noncentral = stats.nct(independent - 1, law * math.sqrt(independent))
    assert noncentral.sf(critical) + noncentral.cdf(-critical) == pytest.approx(0.8)
    (given,) = rows(capsys, *words, "--unit", "id-prefix", "--design-effect", "2.5")
    assert int(given["needed"]) == math.ceil(int(without["needed"]) * 2.5)
    shown = irviewer.plan(files[0], files[1:], "RR", baseline="base", size=0.1, unit="id-prefix")
    assert any("11 units" in note.text for note in shown["plan"].notes)


def test_units_that_differ_less_than_chance_count_as_queries(tmp_path: Path) -> None:
    files, _ = conversations(tmp_path, [[1, 9], [9, 1], [2, 5], [5, 2]])
    (row,) = irviewer.plan(files[0], files[1:], "RR", baseline="base", size=0.1, unit="id-prefix").value.rows
    assert row.pilot.effect < 1
    assert row.plan.inflation == 1


def test_a_unit_without_a_pilot_of_two_units_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files, _ = conversations(tmp_path, [[1, 9, 3]])
    for words in (["--sigma", ".2"], [*files, "-m", "RR", "--sigma", ".2"], [*files, "-m", "RR"]):
        assert main(["plan", *words, "--size", ".1", "--unit", "id-prefix"]) == 2
        assert "pilot of two units" in capsys.readouterr().err
        assert main(["plan", *words, "--size", ".1", "--unit", "id-prefix", "--design-effect", "2"]) == 0
        assert "2 queries count as one" in capsys.readouterr().out
    assert main(["plan", "--sigma", ".2", "--design-effect", ".5"]) == 2
    assert "1 or more" in capsys.readouterr().err


@pytest.mark.slow
def test_the_planned_queries_have_the_power_in_conversations() -> None:
    """Conversations of 5, correlation .3 (a design effect of 2.2): CR2 tests of the planned n show the difference in 80
    % of 2,000 experiments, of the n without it in far fewer."""
    random, size, sd, each, alike = np.random.default_rng(8), 0.1, 0.25, 5, 0.3
    effect = 1 + (each - 1) * alike
    n = Design("difference", size).needed(sd)
    assert n is not None
    shares = []
    for queries in (math.ceil(n * effect), n):
        groups = math.ceil(queries / each)
        common = random.normal(0, sd * math.sqrt(alike), (2000, groups, 1))
        values = size + common + random.normal(0, sd * math.sqrt(1 - alike), (2000, groups, each))
        means = values.mean(axis=2)  # equal sizes: CR2 is the t test of the means of conversations
        shares.append(float((stats.ttest_1samp(means, 0, axis=1).pvalue < 0.05).mean()))
    assert shares[0] == pytest.approx(0.8, abs=0.03)
    assert shares[1] < 0.6


def test_the_note_names_the_limits_that_are_shown(files: list[str]) -> None:
    """They are Bonett's from five queries on, and the note said that they suppose normal differences."""
    shown = irviewer.show("plan", files[0], files[1:], measures=["RR"], size=0.05)
    few = irviewer.show("plan", files[0], files[1:], measures=["RR"], size=0.05, queries=["0", "1", "2", "3"])
    (many_note,), (few_note,) = (
        [note.text for note in each["plan"].notes if note.code == "pilot"] for each in (shown, few)
    )
    assert "kurtosis (Bonett 2006)" in many_note
    assert "suppose normal differences" in few_note


@pytest.mark.parametrize("n", [3, 6, 7, 12])
def test_rounding_is_no_spread(n: int) -> None:
    """P@10 of ``more`` is .1 above that of ``first`` in each query, and that of ``same`` is .1 everywhere."""

    def run(counts: list[int]) -> dict[str, dict[str, float]]:
        return {
            str(query): {f"{'r' if rank < k else 'n'}{rank}": 10.0 - rank for rank in range(10)}
            for query, k in enumerate(counts)
        }

    qrels = {str(query): {f"r{rank}": 1 for rank in range(10)} for query in range(n)}
    first = [1 + query % 8 for query in range(n)]
    runs = {"first": run(first), "more": run([k + 1 for k in first])}
    with pytest.raises(OptionError, match="All differences are equal"):
        irviewer.plan(qrels, runs, "P@10", size=0.05)
    same = {"one": run([1] * n), "two": run([1] * n)}
    for design in ("systems", "unpaired", "unpaired-width"):
        with pytest.raises(OptionError, match="without spread"):
            irviewer.plan(qrels, same, "P@10", design=design, size=0.05)
