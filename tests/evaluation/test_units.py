"""The unit of dependence of a protocol: every door counts by it, or refuses it by name."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.analysis.statistics.compare import compare
from irviewer.analysis.statistics.dependence.cluster_mean import cluster_mean
from irviewer.analysis.statistics.dependence.clusters import Clusters
from irviewer.analysis.statistics.simultaneous import simultaneous_intervals
from irviewer.cli.main import main
from irviewer.errors import IrviewerError, OptionError
from irviewer.evaluation.bind import bind, counts_by_unit
from irviewer.model.protocol import PRESET
from irviewer.model.protocol_line import BY_UNIT
from irviewer.model.query_units import QueryUnits, id_prefix, units_hint, units_of
from irviewer.views.manifest import VIEWS, view_named

IDS = tuple(f"{conversation}_{turn}" for conversation in range(14) for turn in range(1, 2 + conversation % 4 + 1))
UNITS = QueryUnits("conversation", IDS, tuple(query.partition("_")[0] for query in IDS))
VALUES = np.random.default_rng(5).uniform(0, 1, (3, len(IDS)))
VALUES[1] += np.repeat(np.random.default_rng(6).normal(0.05, 0.2, 14), np.bincount([int(u) for u in UNITS.units]))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Judgments of conversations, and two runs that rank the relevant documents differently."""
    folder, random = tmp_path_factory.mktemp("units"), np.random.default_rng(3)
    lines: dict[str, list[str]] = {"qrels": [], "one": [], "two": []}
    for query in IDS:
        lines["qrels"] += [f"{query} 0 d{document} {int(document < 3)}" for document in range(8)]
        for name in ("one", "two"):
            order = random.permutation(8)
            lines[name] += [f"{query} Q0 d{d} {rank} {9 - rank} {name}" for rank, d in enumerate(order, start=1)]
    for name, content in lines.items():
        (folder / name).write_text("\n".join(content) + "\n")
    (folder / "table.tsv").write_text("query\ttalk\n" + "".join(f"{q}\tt{q.partition('_')[0]}\n" for q in IDS))
    return [str(folder / name) for name in ("qrels", "one", "two", "table.tsv")]


def test_tests_and_intervals_of_pairs_are_those_of_clusters() -> None:
    compared = compare(VALUES, "abc", IDS, tests=("t", "randomisation"), interval="t", units=UNITS)
    for pair in compared.pairs:
        wanted = cluster_mean(np.round(VALUES[pair.run] - VALUES[0], 12), Clusters.of(UNITS.units))
        t = pair.test("t")
        assert (t.statistic, t.df, t.p) == pytest.approx((wanted.cr2.t, wanted.cr2.df, wanted.cr2.p))
        assert (pair.interval.low, pair.interval.high) == pytest.approx((wanted.cr2.low, wanted.cr2.high))
        assert "by conversation" in t.title
        assert "by conversation" in pair.interval.title
        assert t.p != pytest.approx(wanted.naive.p)
    own = cluster_mean(VALUES[1], Clusters.of(UNITS.units))
    assert (compared.low[1], compared.high[1]) == pytest.approx((own.cr2.low, own.cr2.high))
    assert np.isnan(compared.posteriors.better).all()


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_one_query_a_unit_is_no_unit(interval: str) -> None:
    alone = QueryUnits("query", IDS, IDS)
    options = {"tests": ("t", "randomisation"), "interval": interval, "samples": 400}
    plain, by_query = (compare(VALUES, "abc", IDS, units=units, **options) for units in (None, alone))
    for name in ("difference_low", "difference_high", "low", "high", "deviation"):
        assert getattr(by_query, name) == pytest.approx(getattr(plain, name)), name
    for name in ("t", "randomisation"):
        assert by_query.tests[name].p == pytest.approx(plain.tests[name].p), name
    first, second = VALUES[1:] - VALUES[0], Clusters.of(IDS)
    assert simultaneous_intervals(first, samples=400, clusters=second).low == pytest.approx(
        simultaneous_intervals(first, samples=400).low
    )


@pytest.mark.parametrize("test", ["wilcoxon", "sign", "tukey", "tukey-randomised"])
def test_tests_of_single_queries_are_refused_by_name(test: str) -> None:
    with pytest.raises(OptionError, match="supposes independent queries"):
        compare(VALUES, "abc", IDS, tests=(test,), units=UNITS)


def test_few_units_are_said_and_one_decides_nothing() -> None:
    alone = compare(VALUES, "abc", IDS, units=QueryUnits("user", IDS, ("u",) * len(IDS)))
    assert any("All queries are of one user" in text for text in alone.warnings)
    assert not alone.shown().any()
    assert "all queries are of one user" in alone.pairs[0].conclusion
    assert np.isnan(alone.difference_low).all()
    assert all(": no conclusion: all queries are of one user" in pair.conclusion for pair in alone.pairs)
    assert not any("–" in pair.conclusion for pair in alone.pairs)  # of an interval that there is not
    assert "paired t-test by user (no p: all queries are of one unit), Holm over 2 comparisons" in alone.looked_at[0]
    assert "by user; none of fewer than 10 units" in " ".join(alone.looked_at)
    four = QueryUnits("user", IDS, tuple(str(place % 4) for place in range(len(IDS))))
    few = compare(VALUES, "abc", IDS, units=four)
    assert any("4 units (user) are few" in text for text in few.warnings)
    assert "only 4 of 4 units" in few.pairs[0].conclusion


@pytest.mark.parametrize(("units", "interval", "said"), [
    (12, "percentile", True), (12, "bca", True), (12, "t", False), (9, "percentile", False), (40, "percentile", False),
])  # fmt: skip
def test_intervals_drawn_from_few_units_are_said_to_be_too_narrow(units: int, interval: str, said: bool) -> None:
    """In simulations they hold the mean in .89 to .93; nothing said so beside the numbers."""
    ids = tuple(f"q{n}" for n in range(80))
    values = np.random.default_rng(4).random((2, 80))
    of = QueryUnits("user", ids, tuple(str(n % units) for n in range(80)))
    compared = compare(values, "ab", ids, units=of, interval=interval, samples=200)
    assert any("drawn from fewer than 40 units" in text for text in compared.warnings) == said


def test_few_units_leave_a_gate_undecided_and_say_so() -> None:
    """Both where the run is better and where it is worse; alone, and as one of two candidates."""
    qrels = {query: {"d": 1} for query in IDS}
    good, bad = ({query: {"d": 2.0, "e": 1.0 + 2 * (n % every < 2)} for n, query in enumerate(IDS)} for every in (4, 3))
    unit = {query: {"user": str(n % 3)} for n, query in enumerate(IDS)}
    words = {"unjudged": "complete", "fail_if": "RR worse", "unit": "user", "query_attributes": unit}
    for run, base in ((good, bad), (bad, good)):
        for runs in (run, {"one": run, "two": run}):
            for result in irviewer.gate(qrels, runs, base, **words).results:  # type: ignore[arg-type]
                assert result.outcome.value == "undecided"
                assert result.reason == "3 units (user): to pass, a condition needs 10."


def test_order_and_names_of_units_move_no_number() -> None:
    random = np.random.default_rng(2)
    renamed = QueryUnits("x", IDS, tuple(f"z{99 - int(unit)}" for unit in UNITS.units))
    first, second = (compare(VALUES, "abc", IDS, units=units, samples=300) for units in (UNITS, renamed))
    assert (first.difference_low == second.difference_low).all()
    order = random.permutation(len(IDS))
    moved = compare(VALUES[:, order], "abc", [IDS[place] for place in order], units=UNITS, interval="t")
    assert moved.tests["t"].p == pytest.approx(first.tests["t"].p)


def test_hints_are_given_for_conversations_alone() -> None:
    assert f"{len(IDS)} queries in 14" in units_hint(IDS)
    years = tuple(f"{year}-{n}" for year in (1, 2) for n in range(9))
    for ids in (
        ("1", "2"),
        tuple(f"q-{n}" for n in range(40)),
        years,
        ("1_1", "2_1", "3_1", "4_1"),
        ("1_1", "1_2", "b"),
    ):
        assert units_hint(ids) == "", ids
    assert any("look like conversations" in text for text in compare(VALUES, "abc", IDS).warnings)
    assert not any("look like" in text for text in compare(VALUES, "abc", IDS, units=UNITS).warnings)
    prefix = id_prefix(IDS)
    assert prefix is not None
    assert units_of("id-prefix", (), IDS).count(IDS) == 14


def test_a_unit_that_queries_lack_is_refused_by_name() -> None:
    with pytest.raises(OptionError, match="they have id-prefix"):
        bind(PRESET.but(unit="talk"), ("a", "b"), IDS, uses=BY_UNIT)
    with pytest.raises(OptionError, match="1 query has no id-prefix"):
        QueryUnits("id-prefix", IDS[1:], UNITS.units[1:]).of(IDS)
    assert bind(PRESET.but(unit="talk"), ("a", "b"), IDS, uses=("rules", "scope")).units is None
    assert "unit: id-prefix (14)" in bind(PRESET.but(unit="id-prefix"), ("a", "b"), IDS, uses=BY_UNIT).line()


def test_no_view_ignores_a_unit(files: list[str]) -> None:
    """Every view counts by the unit, or says by name that it cannot, or tests and draws nothing."""
    qrels, first_run, second_run, _ = files
    protocol = PRESET.but(unit="id-prefix", measures=("nDCG@5",), samples=200)
    shown, refused = {}, set()
    for listed in VIEWS:
        view = view_named(listed.name)
        try:
            shown[listed.name] = irviewer.show(listed.name, qrels, [first_run, second_run], protocol=protocol).protocol
        except IrviewerError as trouble:
            if "unit is id-prefix" in str(trouble):
                refused.add(listed.name)
        if counts_by_unit(view.uses):
            assert "unit" in view.uses or listed.name in refused, listed.name
    for name in ("comparison", "systems", "slices", "verdict", "gate"):
        assert "unit: id-prefix (14)" in shown[name].line(), name
    assert {"stability", "fusion-sweep"} <= refused


def test_the_doors_agree(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels, first_run, second_run, table = files
    runs = [qrels, first_run, second_run, "-m", "nDCG@5", "--format", "json"]
    (tmp_path / "p.toml").write_text('schema = 1\n[scope]\nunit = "talk"\n')
    answers = []
    for words in (
        ["compare", *runs, "--unit", "talk", "--query-attributes", table],
        ["compare", *runs, "--unit", "id-prefix"],
        ["compare", *runs, "--protocol", str(tmp_path / "p.toml"), "--query-attributes", table],
    ):
        assert main(words) == 0
        answers.append(json.loads(capsys.readouterr().out)["tables"])
    compared = irviewer.compare(qrels, [first_run, second_run], ["nDCG@5"], unit="talk", query_attributes=table)
    naive = irviewer.compare(qrels, [first_run, second_run], ["nDCG@5"])
    p = compared["nDCG@5"].pairs[0].test("t").p
    assert p != naive["nDCG@5"].pairs[0].test("t").p
    assert [tables[0]["rows"] == answers[0][0]["rows"] for tables in answers] == [True] * 3
    assert p in answers[0][0]["rows"][0].values()
    gates = [irviewer.gate(qrels, second_run, first_run, "nDCG@5 > -0.5", unjudged="complete", **words)
             for words in ({}, {"unit": "talk", "query_attributes": table})]  # fmt: skip
    assert gates[0].results[0].low != gates[1].results[0].low
    assert "unit: talk (14)" in gates[1].protocol.line()
    paper = irviewer.paper_table(qrels, [first_run, second_run], ["nDCG@5"], unit="talk", query_attributes=table)
    assert paper.comparison.pairs[0].test("t").p == p


def test_the_prefix_of_ids_makes_slices_where_it_is_named(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A slice for each conversation, with the queries that begin so; not among all attributes."""
    qrels, first_run, second_run, _ = files
    counts = {str(c): sum(query.startswith(f"{c}_") for query in IDS) for c in range(14)}
    slices = irviewer.compare_slices(qrels, [first_run, second_run], "RR", "id-prefix", baseline="one").find("two")
    assert {row.name: row.n for row in slices.rows} == counts
    values = irviewer.evaluate(qrels, [first_run, second_run], "RR")
    for row in slices.rows:
        of = [
            values.by_query("RR", "two")[q] - values.by_query("RR", "one")[q]
            for q in IDS
            if q.split("_")[0] == row.name
        ]
        assert row.pair.difference == pytest.approx(np.mean(of))
    every = irviewer.compare_slices(qrels, [first_run, second_run], "RR", baseline="one").find("two")
    assert "prefix" not in str([each.attribute for each in every.rows])
    words = [qrels, first_run, second_run, "-m", "RR", "--baseline", "one", "--format", "json", "--by", "id-prefix"]
    for command in (["slices"], ["show", "slices"]):
        assert main([*command, *words]) == 0
        rows = json.dumps(json.loads(capsys.readouterr().out))
        assert all(f'"{name}"' in rows for name in counts)


def test_the_methods_of_slices_count_by_the_unit(files: list[str]) -> None:
    """Tests and intervals of slices are named as those of all queries are."""
    qrels, first_run, second_run, table = files
    said = irviewer.compare_slices(
        qrels, [first_run, second_run], "RR", "relevant", baseline="one", query_attributes=table, unit="talk"
    ).methods
    assert [("by talk" in each) for each in said[:2]] == [True, True]
    (intervals,) = [each for each in said if "intervals" in each]
    assert "by talk" in intervals
    without = irviewer.compare_slices(qrels, [first_run, second_run], "RR", "relevant", baseline="one").methods
    assert not any("by " in each for each in without if "interaction" not in each)
