"""Curves by kind, as points and as a figure: each against the model's curve and against loops."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import brute
import numpy as np
import pytest

from irviewer.api.evaluation import evaluate
from irviewer.api.sources import read_qrels, read_run
from irviewer.errors import OptionError
from irviewer.figures.curve_sets import KINDS, CurveSet, curve_set
from irviewer.figures.figure import Role
from irviewer.model.dialects import DIALECTS
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "cranfield"
QRELS = {"1": {"a": 3.0, "b": 0.0, "c": 1.0, "d": -1.0}, "2": {"a": 1.0}}
RUNS = [{"1": {"b": 4.0, "a": 3.0, "u": 2.0, "c": 1.0}, "2": {"a": 1.0}}, {"1": {"c": 1.0}}]
NAMES = ["full", "part"]


def example_curves(kind: str, query: str | None = None, depth: int = 5, level: float = 1) -> CurveSet:
    runs = [Run.from_dict(ranking, name=name) for ranking, name in zip(RUNS, NAMES, strict=True)]
    return curve_set(kind, Qrels.from_dict(QRELS), runs, query, depth, level)


def points(curves: CurveSet, name: str) -> list[tuple[float, float]]:
    return [(x, y) for curve, x, y in curves.rows if curve == name]


def near(wanted: list[tuple[float, float]]) -> list[object]:
    return [pytest.approx(pair) for pair in wanted]


def lists(run: int, query: str) -> tuple[list[float | None], list[float]]:
    return brute.graded_list(RUNS[run].get(query, {}), QRELS[query]), list(QRELS[query].values())


@pytest.mark.parametrize("kind", KINDS)
def test_rows_and_figure_are_the_same_curves(kind: str) -> None:
    curves = example_curves(kind, None if kind == "pr11" else "1")
    assert len(curves.header) == 3
    assert len(curves.figure.curves) == len(dict.fromkeys(name for name, _, _ in curves.rows))
    assert {curve.role for curve in curves.figure.curves if curve.role.kind == "run"} == {
        Role("run", 0),
        Role("run", 1),
    }
    for curve in curves.figure.curves:
        assert np.isfinite(curve.y).all()
        assert (np.diff(curve.x) >= 0).all()
        drawn = list(zip(curve.x.tolist(), curve.y.tolist(), strict=True))
        printed = points(curves, curve.label)
        assert set(drawn) <= set(printed) or kind in ("pr", "pr-raw")  # a figure keeps the corners only


def test_averaged_precision_recall() -> None:
    for kind, count in (("pr", 101), ("pr11", 11)):
        curves = example_curves(kind)
        assert [x for x, _ in points(curves, "full")] == pytest.approx([n / (count - 1) for n in range(count)])
        for run, name in enumerate(NAMES):
            for step, (recall, value) in enumerate(points(curves, name)):
                exact = [float(brute.best_precision(*lists(run, query), Fraction(step, 100))) for query in QRELS]
                rounded = [brute.interpolated(*lists(run, query), recall) for query in QRELS]
                assert value == pytest.approx(sum(exact if kind == "pr" else rounded) / 2)


def test_cranfields_curve_by_the_definition() -> None:
    """The bundled sample's bm25_plain, against fractions made here of its files: 101 levels, 225 queries. trec_eval's
    rounding of recall, which lifted it by .05 on average, stays where trec_eval has it: in the eleven."""
    qrels, run = read_qrels(SAMPLE / "qrels.txt"), read_run(SAMPLE / "runs" / "bm25_plain.run.gz")
    total = [Fraction(0)] * 101
    for query in qrels.query_ids:
        relevant = {document for document, grade in qrels.judgments(query).items() if grade >= 1}
        hits, shares = 0, []
        for rank, document in enumerate(run.ranking(query) if query in run.query_index else (), start=1):
            hits += document in relevant
            shares.append((Fraction(hits, max(1, len(relevant))), Fraction(hits, rank)))
        # From the last rank up: the best precision from there on counts for every level its recall reaches.
        best, step = Fraction(0), 100
        for recall, precision in reversed(shares):
            while step > recall * 100:
                total[step] += best
                step -= 1
            best = max(best, precision)
        for level in range(step + 1):
            total[level] += best
    wanted = [float(total_of_queries / len(qrels.query_ids)) for total_of_queries in total]
    drawn = curve_set("pr", qrels, [run], None, 10).rows
    assert [y for _, _, y in drawn] == pytest.approx(wanted, abs=1e-12)
    eleven = curve_set("pr11", qrels, [run], None, 10).rows
    table = evaluate(qrels, run, [f"IPrec@{step / 10}" for step in range(11)])
    assert [y for _, _, y in eleven] == pytest.approx([table.mean(f"IPrec@{step / 10}") for step in range(11)])
    assert eleven[5][2] - wanted[50] < 0.001 < eleven[3][2] - wanted[30]


def test_raw_precision_recall() -> None:
    ranking, grades = lists(0, "1")
    wanted = [(brute.recall(ranking, grades, k), brute.precision(ranking, grades, k)) for k in range(1, 5)]
    assert points(example_curves("pr-raw", "1"), "full") == near(wanted)
    at_three = [(brute.recall(ranking, grades, k, 3), brute.precision(ranking, grades, k, 3)) for k in range(1, 5)]
    assert points(example_curves("pr-raw", "1", level=3), "full") == near(at_three)


def test_gain_of_one_query_with_its_ideal() -> None:
    ranking, grades = lists(0, "1")
    curves = example_curves("dcg", "1")
    assert points(curves, "full") == near([(k, brute.dcg_at(ranking, k)) for k in range(1, 5)])
    best = sorted(grades, reverse=True)
    assert points(curves, "ideal") == near([(k, brute.dcg_at(best, k)) for k in range(1, 6)])
    assert points(example_curves("cg", "1"), "full") == [(1, 0.0), (2, 3.0), (3, 3.0), (4, 4.0)]
    assert points(example_curves("cg", "1"), "ideal")[-1] == (5, 4.0)


def test_means_by_cutoff() -> None:
    for run, name in enumerate(NAMES):
        for k, value in points(example_curves("ndcg"), name):
            assert value == pytest.approx(sum(brute.ndcg_at(*lists(run, query), int(k)) for query in QRELS) / 2)
        for k, value in points(example_curves("dcg"), name):
            assert value == pytest.approx(sum(brute.dcg_at(lists(run, query)[0], int(k)) for query in QRELS) / 2)


def test_precision_recall_f_by_rank() -> None:
    curves = example_curves("prf", "1")
    ranking, grades = lists(0, "1")
    for letter, loop in (("P", brute.precision), ("R", brute.recall), ("F", brute.f_at)):
        assert points(curves, f"full · {letter}") == near([(k, loop(ranking, grades, k)) for k in range(1, 6)])


def test_ranks_are_whole_numbers() -> None:
    assert all(type(x) is int for _, x, _ in example_curves("ndcg").rows)


@pytest.mark.parametrize(
    ("kind", "query", "message"),
    [
        ("pr", "7", "query 7 is not in the qrels"),
        ("pr-raw", None, "add --query"),
        ("prf", None, "add --query"),
        ("cg", None, "add --query"),
        ("pr11", "1", "leave out --query"),
    ],
)
def test_what_cannot_be(kind: str, query: str | None, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        example_curves(kind, query)


def test_a_query_without_relevant_documents() -> None:
    runs = [Run.from_dict({"1": {"a": 1.0}}, name="r")]
    for kind, (_, needs_query) in KINDS.items():
        for query in ("1", None):
            if (query is None and needs_query) or (query and kind == "pr11"):
                continue
            curves = curve_set(kind, Qrels.from_dict({"1": {"a": 0}}), runs, query, 3)
            assert all(np.isfinite(curve.y).all() for curve in curves.figure.curves)


@pytest.mark.parametrize("dialect", list(DIALECTS))
def test_curves_pass_through_what_evaluate_gives_by_the_same_rules(dialect: str) -> None:
    """Ties, negative grades, a query without relevant documents, one that a run lacks."""
    qrels = Qrels.from_dict({
        "1": {"a": 3, "b": 1, "c": 0, "d": -1, "e": 2}, "2": {"a": 0, "b": 0}, "3": {"a": 1, "b": 2}, "4": {"b": 2},
    })  # fmt: skip
    run = Run.from_dict({
        "1": {"d": 2.0, "b": 2.0, "a": 1.0, "x": 1.0, "e": 0.5}, "2": {"a": 1.0}, "3": {"b": 1.0, "a": 1.0, "y": 1.0},
    }, name="one")  # fmt: skip
    names = [f"{name}@{k}" for k in (1, 2, 3, 5) for name in ("nDCG", "DCG")]
    wanted = evaluate(qrels, run, [*names, "11pt_avg"], dialect=dialect)
    for kind, name in (("ndcg", "nDCG"), ("dcg", "DCG")):
        mean = {x: y for label, x, y in curve_set(kind, qrels, [run], None, 5, dialect=dialect).rows if label == "one"}
        for k in (1, 2, 3, 5):
            assert mean[k] == pytest.approx(wanted.mean(f"{name}@{k}")), (kind, k)
    ends = [y for _, _, y in curve_set("pr11", qrels, [run], None, 5, dialect=dialect).rows]
    assert sum(ends) / 11 == pytest.approx(wanted.mean("11pt_avg"))
    rows = curve_set("ndcg", qrels, [run], "1", 5, dialect=dialect).rows
    assert rows[2][2] == pytest.approx(wanted.by_query("nDCG@3")["1"])
