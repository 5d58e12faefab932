"""Systems under each judge: TREC DL 2021 against other programs' values, families, missing queries, odd data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from judges import judge
from scipy import stats

from irviewer.analysis.agreement.judge_agreement import AgreementOptions, agreement
from irviewer.analysis.agreement.systems_by_judge import systems_by_judge
from irviewer.api.sources import read_qrels, read_run
from irviewer.errors import OptionError
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.judgments.panel import Panel, panel_of
from irviewer.model.options import EvaluationOptions
from irviewer.model.run import Run

FEW = AgreementOptions(samples=200)
QUERIES = [str(number) for number in range(12)]


@pytest.fixture(scope="module")
def collection(data: Path) -> tuple[Panel, list[Run], dict[str, list[list[str]]], dict[str, list[float]]]:
    folder = data / "trec-dl-2021"
    sets = [JudgmentSet(read_qrels(folder / "qrels.nist.txt.gz"), "nist")]
    sets += [
        JudgmentSet(read_qrels(path), path.name.partition(".")[0], "model")
        for path in sorted((folder / "judges").iterdir())
    ]
    sets.append(JudgmentSet(read_qrels(folder / "qrels.gpt4.txt.gz"), "elsewhere", "model"))
    rows: dict[str, list[list[str]]] = {}
    taus: dict[str, list[float]] = {}
    for line in (folder / "systems_by_judge.tsv").read_text("utf-8").splitlines()[1:]:
        cells = line.split("\t")
        if line.startswith("#"):
            taus[line.split()[-3]] = [float(cell) for cell in cells[-2:]]
        else:
            rows.setdefault(cells[0], []).append(cells[1:])
    runs = [read_run(path) for path in sorted((folder / "runs").iterdir())]
    return panel_of(sets), runs, rows, taus


@pytest.mark.parametrize("column", [1, 2])
def test_values_and_orders_are_those_recorded(
    collection: tuple[Panel, list[Run], dict[str, list[list[str]]], dict[str, list[float]]], column: int
) -> None:
    panel, runs, rows, taus = collection
    measure = ("nDCG@10", "AP")[column - 1]
    rules = EvaluationOptions(dialect="trec_eval-9")  # pytrec_eval's
    judges_by_name = systems_by_judge(panel, runs, measure, FEW, evaluation=rules)
    assert set(taus) == set(rows) - {"nist"}
    for name, systems in rows.items():
        values = {system[0]: float(system[column]) for system in systems}
        ours = judges_by_name[name]
        for run, value in zip(judges_by_name.runs, ours.values.tolist(), strict=True):
            assert value == pytest.approx(values[run], abs=1e-6)
        assert sorted(values, key=lambda run: -values[run]) == [
            judges_by_name.runs[at] for at in np.argsort(ours.ranks)
        ]
        if name != "nist":
            assert ours.order is not None
            assert ours.order.tau.value == pytest.approx(taus[name][column - 1], abs=1e-6)
    elsewhere = judges_by_name["elsewhere"]
    assert elsewhere.order is None
    assert elsewhere.reason == "elsewhere and nist have no query in common."
    assert elsewhere.counts is None
    assert np.isnan(elsewhere.reference_values).all()
    nist = judges_by_name["nist"]
    assert elsewhere.tau_apart == pytest.approx(stats.kendalltau(elsewhere.values, nist.values).statistic)
    assert any("this is no agreement of judges" in note for note in elsewhere.notes)
    assert all(judges_by_name[name].tau_apart is None for name in rows)


def test_counts_of_the_design(
    collection: tuple[Panel, list[Run], dict[str, list[list[str]]], dict[str, list[float]]],
) -> None:
    """As counted for the design's pictures: same (both, one, neither), opposite, best five, told apart; tau-AP."""
    panel, runs, *_ = collection
    systems = systems_by_judge(panel, runs, "nDCG@10", FEW)
    wanted = {
        "umbrela_gpt4": (50, 8, 29, 4, 0, 9, 1, 56, 0.907), "exam_graded_max_gpt4": (39, 17, 29, 6, 0, 8, 2, 43, 0.824),
        "binary_gpt4": (35, 19, 32, 5, 0, 10, 0, 37, 0.931), "binary_llama32": (26, 31, 24, 10, 0, 8, 2, 31, 0.760),
    }  # fmt: skip
    for name, numbers in wanted.items():
        ours = systems[name]
        counts, top = ours.counts, ours.top_counts
        assert counts is not None and top is not None and ours.order is not None
        assert (
            counts.same_both, counts.same_one, counts.same_neither, counts.opposite_one + counts.opposite_neither,
            counts.opposite_both, top.same, top.opposite, counts.significant,
        ) == numbers[:-1]  # fmt: skip
        assert ours.order.tau_ap.value == pytest.approx(numbers[-1], abs=5e-4)
    assert systems["umbrela_gpt4"].grades is not None
    assert systems["binary_gpt4"].grades is None  # yes and no against grades


def small(names: str = "abcdefg") -> list[Run]:
    random = np.random.default_rng(4)
    return [
        Run.from_dict(
            {q: {f"d{n}": float(score) for n, score in enumerate(random.random(8))} for q in QUERIES}, name=run
        )
        for run in names
    ]


def grades(seed: int, top: int = 3) -> dict[str, dict[str, float]]:
    random = np.random.default_rng(seed)
    return {q: {f"d{n}": float(random.integers(0, top + 1)) for n in range(6)} for q in QUERIES}


def test_grades_of_first_documents_by_a_plain_loop() -> None:
    mine, other, runs = grades(1), grades(2), small()
    del other["3"]["d2"]
    systems = systems_by_judge(panel_of([judge("one", mine), judge("other", other)]), runs, "P@3", FEW)
    ours = systems["other"]
    assert ours.grades is not None
    for place, run in enumerate(runs):
        both = [(q, doc) for q in QUERIES for doc in run.ranking(q, 3) if doc in mine[q] and doc in other[q]]
        wanted = np.mean([other[q][doc] - mine[q][doc] for q, doc in both])
        assert ours.grades.values[place] == pytest.approx(wanted)
        judged = [sum(doc in other[q] for doc in run.ranking(q, 3)) / 3 for q in QUERIES]
        assert ours.judged[place] == pytest.approx(np.mean(judged))
    assert ours.grades.mean == pytest.approx(ours.grades.values.mean())


def test_runs_of_the_judges_family_are_watched() -> None:
    """The judge gives every document that run a returns first the highest grade."""
    mine, runs = grades(1), small()
    own = {q: dict.fromkeys(mine[q], 0.0) | {runs[0].ranking(q)[0]: 3.0} for q in QUERIES}
    panel = panel_of([judge("one", mine), judge("own", own, origin="model", family="gpt")])
    systems = systems_by_judge(panel, runs, "nDCG@3", FEW, families={"a": ("gpt",)})
    gain = systems["own"].family_gain
    assert gain is not None
    assert gain.warns
    assert gain.runs == ("a",)
    difference = systems["own"].values - systems["own"].reference_values
    assert gain.gain.value == pytest.approx(difference[0] - difference[1:].mean())
    assert systems["own"].marked.tolist() == [True] + [False] * 6
    plain = systems_by_judge(panel, runs, "nDCG@3", FEW)
    assert plain["own"].family_gain is None
    assert "No run is marked" in plain.notes[-1]


def test_only_common_queries_count() -> None:
    mine, other, runs = grades(1), grades(2), small()
    kept = {q: other[q] for q in QUERIES[:7]}
    panel = panel_of([judge("one", mine), judge("other", kept | {"99": {"d1": 1.0}})])
    systems = systems_by_judge(panel, runs, "AP", FEW)
    ours = systems["other"]
    assert sorted(ours.queries) == sorted(QUERIES[:7])
    wanted = systems_by_judge(
        panel_of([judge("one", {q: mine[q] for q in QUERIES[:7]}), judge("other", kept)]), runs, "AP", FEW
    )["other"]
    assert ours.values == pytest.approx(wanted.values)
    assert ours.reference_values == pytest.approx(wanted.reference_values)
    assert ours.order is not None and wanted.order is not None
    assert ours.order.tau == wanted.order.tau
    tau = stats.kendalltau(ours.values, ours.reference_values).statistic
    assert ours.order.tau.value == pytest.approx(tau)
    assert "other: on the 7 queries in common (8 of its own, 12 of the reference)." in systems.notes


def test_less_is_better() -> None:
    panel = panel_of([judge("one", grades(1)), judge("other", grades(2))])
    systems = systems_by_judge(panel, small(), "RankAtRecall@0.5", FEW)
    assert systems["other"].ranks[np.argmin(systems["other"].values)] == 1


@pytest.mark.parametrize(
    ("judges", "runs", "reason"),
    [
        ([("one", grades(1)), ("none", {})], 3, "none has judged nothing."),
        ([("none", {}), ("one", grades(1))], 3, "none has judged nothing."),
        ([("one", grades(1)), ("two", {"x": {"d": 1.0}})], 3, "two and one have no query in common."),
        ([("one", grades(1)), ("two", grades(2))], 1, "One run has no order: give two runs or more."),
        ([("one", grades(1)), ("two", {"1": {"d1": -1.0}})], 3, "two has judged nothing."),
    ],
)
def test_no_order_has_a_reason(judges: list[tuple[str, dict[str, dict[str, float]]]], runs: int, reason: str) -> None:
    panel = panel_of([judge(name, own) for name, own in judges])
    systems = systems_by_judge(panel, small()[:runs], "AP", FEW)
    assert (systems.judges[1].order, systems.judges[1].reason) == (None, reason)


def test_what_has_no_mean_is_refused() -> None:
    panel = panel_of([judge("one", grades(1)), judge("two", grades(2))])
    with pytest.raises(OptionError, match="not a mean over queries"):
        systems_by_judge(panel, small(), "num_rel_ret", FEW)
    with pytest.raises(OptionError, match="Give runs"):
        systems_by_judge(panel, [], "AP", FEW)


def test_some_queries_only() -> None:
    """A panel of some queries gives what judges of these queries alone give."""
    mine, other, some = grades(1), grades(2), QUERIES[3:9]
    panel = panel_of([judge("one", mine), judge("other", other)]).of_queries([*some, "nowhere"])
    alone = panel_of([judge("one", {q: mine[q] for q in some}), judge("other", {q: other[q] for q in some})])
    assert panel.query_ids == alone.query_ids
    assert panel.doc_ids.to_pylist() == alone.doc_ids.to_pylist()
    assert agreement(panel, FEW).pair(0, 1) == agreement(alone, FEW).pair(0, 1)
    ours, theirs = (systems_by_judge(judges_panel, small(), "AP", FEW)["other"] for judges_panel in (panel, alone))
    assert ours.values.tolist() == theirs.values.tolist()
    assert (ours.order, ours.counts, ours.queries) == (theirs.order, theirs.counts, theirs.queries)
    assert ours.grades is not None and theirs.grades is not None
    assert ours.grades.low.tolist() == theirs.grades.low.tolist()
