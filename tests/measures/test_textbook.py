"""The figures that textbooks and lecture notes print, to the digits given. B: binary relevance, G: graded.

Sources: A Arguello, INLS 509 (2013); M Montesi and Rizzo; R Manrique, after A; H Huang; F Fang, Delaware."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.evaluation import curves
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.gains import GainRule
from irviewer.model.judgments.judged import judge
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

JK = "dcg='jk'"


def collection(*lists: tuple[list[float], list[float]]) -> tuple[Qrels, Run]:
    """Queries "1", "2" …, each (grades by rank, grades of documents never retrieved)."""
    qrels, run = {}, {}
    for number, (retrieved, missed) in enumerate(lists, start=1):
        judged = {f"r{rank}": grade for rank, grade in enumerate(retrieved, start=1)}
        qrels[str(number)] = judged | {f"m{place}": grade for place, grade in enumerate(missed)}
        run[str(number)] = {name: -float(rank) for rank, name in enumerate(judged, start=1)}
    return Qrels.from_dict(qrels), Run.from_dict(run)


def binary(ranks: list[int], relevant: int, returned: int) -> tuple[list[float], list[float]]:
    """Relevant documents at ``ranks`` of ``returned``; the others of ``relevant`` were never found."""
    return [float(rank in ranks) for rank in range(1, returned + 1)], [1.0] * (relevant - len(ranks))


def value(text: str, *lists: tuple[list[float], list[float]], level: float = 1) -> float:
    qrels, run = collection(*lists)
    return evaluate(qrels, run, [text], EvaluationOptions(level)).mean(text)


B2 = [1, 3, 4, 5, 6, 7, 9, 11, 14, 20]


def test_b1_precision_and_recall_at_every_rank() -> None:
    example = binary([1, 3, 4, 5, 6, 7, 9], 20, 10)
    p = [1, 0.5, 0.67, 0.75, 0.80, 0.83, 0.86, 0.75, 0.78, 0.70]
    r = [0.05, 0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.30, 0.35, 0.35]
    assert [round(value(f"P@{k}", example), 2) for k in range(1, 11)] == p
    assert [round(value(f"R@{k}", example), 2) for k in range(1, 11)] == r
    qrels, run = collection(example)
    ranks, (ps, rs, _) = curves.precision_recall_f_by_rank(judge(run, qrels), 0, 10)
    assert ranks.tolist() == list(range(1, 11))
    assert [round(x, 2) for x in ps.tolist()] == p
    assert [round(x, 2) for x in rs.tolist()] == r


@pytest.mark.parametrize(
    ("ranks", "relevant", "ap"),
    [
        pytest.param(B2, 10, 0.75551, id="B2"),
        pytest.param([1, 2, *B2[2:]], 10, 0.78884, id="B3: ranks 2 and 3 swapped"),
        pytest.param([1, 3, 4, 5, 6, 7, 8, 11, 14, 20], 10, 0.76523, id="B4: ranks 8 and 9 swapped"),
        pytest.param(list(range(1, 11)), 10, 1.0, id="B5: all on top"),
        pytest.param(list(range(11, 21)), 10, 0.33123, id="B5: all below"),
        pytest.param([1, 3, 4, 5, 6, 10], 6, 0.77500, id="B6"),
        pytest.param([2, 5, 6, 7, 9, 10], 6, 0.52116, id="B6: the other"),
        pytest.param([1, 3, 6, 9, 10], 5, 0.62222, id="B7"),
        pytest.param([2, 5, 7], 3, 0.44286, id="B7: the other"),
        pytest.param([1, 3, 5], 3, 0.75556, id="B8"),
        pytest.param([1, 2, 5, 8], 10, 0.31, id="B9: six never found"),
    ],
)
def test_b2_to_b9_average_precision(ranks: list[int], relevant: int, ap: float) -> None:
    assert value("AP", binary(ranks, relevant, 20)) == pytest.approx(ap, abs=5e-6)


def test_b6_equal_at_ten_and_yet_different() -> None:
    for ranks in ([1, 3, 4, 5, 6, 10], [2, 5, 6, 7, 9, 10]):
        assert value("P@10", binary(ranks, 6, 20)) == pytest.approx(0.6)
        assert value("R@10", binary(ranks, 6, 20)) == 1


def test_b7_the_mean_counts_each_query_equally() -> None:
    two = binary([1, 3, 6, 9, 10], 5, 10), binary([2, 5, 7], 3, 10)
    assert value("AP", *two) == pytest.approx(0.53254, abs=5e-6)


def test_b8_precision() -> None:
    example = binary([1, 3, 5], 3, 10)
    assert [value(f"P@{k}", example) for k in (3, 4, 5)] == pytest.approx([2 / 3, 2 / 4, 3 / 5])


def test_b10_set_figures() -> None:
    example = binary([2, 4], 10, 5)
    assert value("SetP", example) == pytest.approx(0.4)
    assert value("SetR", example) == pytest.approx(0.2)


def test_b11_f() -> None:
    """P = 1 and hardly any recall: F nears 0 where the arithmetic mean nears .5."""
    example = binary([1], 10_000, 1)
    assert value("SetP", example) == 1
    assert value("SetF", example) == pytest.approx(2 * 1 * 1e-4 / (1 + 1e-4))
    assert value("SetF", example) < 0.001
    half = binary([2, 4], 10, 5)  # P .4, R .2
    for beta in (0.5, 1, 2):
        wanted = (beta**2 + 1) * 0.4 * 0.2 / (beta**2 * 0.4 + 0.2)
        assert value(f"SetF(beta={beta})", half) == pytest.approx(wanted)
        assert value(f"F(beta={beta})@5", half) == pytest.approx(wanted)


@pytest.mark.parametrize("rank", [1, 2, 7, 20])
def test_b12_one_relevant_document(rank: int) -> None:
    example = binary([rank], 1, 20)
    assert value("RR", example) == pytest.approx(1 / rank)
    assert value("SearchLength", example) == rank


def test_a_search_length_of_nothing_is_none() -> None:
    """A query that a run does not answer has no search length, where 0 + 1 would be the best there is; the mean says
    so too, until such queries are left out. A list without a relevant document counts its documents plus one."""
    qrels = Qrels.from_dict({"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}})
    run = Run.from_dict({"1": {"x": 3.0, "a": 2.0}, "2": {"x": 2.0, "y": 1.0}})
    result = evaluate(qrels, run, ["SearchLength"])
    assert result.by_query("SearchLength") == {"1": 2, "2": 3}
    assert np.isnan(result.mean("SearchLength"))
    assert [(measure.text, *rest) for measure, *rest in result.without_mean] == [("SearchLength", "run", ("3",))]
    left = evaluate(qrels, run, ["SearchLength"], EvaluationOptions(missing="intersection"))
    assert left.mean("SearchLength") == 2.5
    assert left.without_mean == ()


G1 = [4.0, 3, 4, 2, 0, 0, 0, 1, 1, 0]
G6 = [3.0, 2, 3, 0, 0, 1, 2, 2, 3, 0]


@pytest.mark.parametrize(
    ("grades", "dcg"),
    [
        pytest.param(G1, [4, 7, 9.52, 10.52, 10.52, 10.52, 10.52, 10.86, 11.17, 11.17], id="G1"),
        pytest.param(G6, [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61], id="G6"),
    ],
)
def test_g1_g6_dcg_at_every_rank(grades: list[float], dcg: list[float]) -> None:
    assert [round(value(f"DCG({JK})@{k}", (grades, [])), 2) for k in range(1, 11)] == dcg
    qrels, run = collection((grades, []))
    _, points = curves.gain_accumulation(judge(run, qrels), 0, 10, GainRule("jk"))
    assert [round(x, 2) for x in points.tolist()] == dcg


def test_g1_to_g3_at_ten() -> None:
    assert value(f"DCG({JK})@10", (G1, [])) == pytest.approx(11.17252, abs=5e-6)
    assert value(f"DCG({JK})@10", ([3.0, *G1[1:]], [])) == pytest.approx(10.17252, abs=5e-6)
    assert value(f"DCG({JK})@10", ([*G1[:9], 3.0], [])) == pytest.approx(12.07561, abs=5e-6)


def test_g4_against_the_ideal_of_what_was_retrieved() -> None:
    qrels, run = collection((G1, []))
    _, best = curves.ideal_accumulation(judge(run, qrels), 0, 6, GainRule("jk"))
    assert [round(x, 2) for x in best.tolist()] == [4, 8, 9.89, 10.89, 11.32, 11.71]
    missed = [3.0, 3, 2]  # the ideal of what was retrieved does not see them
    assert value(f"nDCG({JK},ideal='retrieved')@2", (G1, missed)) == pytest.approx(0.875)
    assert value(f"nDCG({JK},ideal='retrieved')@10", (G1, missed)) == pytest.approx(0.95407, abs=5e-6)


def test_g5_against_the_ideal_of_all_that_is_judged() -> None:
    grades_and_missed = (G1, [3.0, 3, 2])
    qrels, run = collection(grades_and_missed)
    _, best = curves.ideal_accumulation(judge(run, qrels), 0, 9, GainRule("jk"))
    wanted = [4, 8, 9.8928, 11.3928, 12.6848, 13.4585, 14.1709, 14.5043, 14.8197]
    assert [round(x, 4) for x in best.tolist()] == wanted
    assert value(f"nDCG({JK})@10", grades_and_missed) == pytest.approx(0.75389, abs=5e-6)


def test_g7_a_grade_of_one_that_gains_one_and_is_not_relevant() -> None:
    """Nine documents are rated 3: two of them found, seven not. The ideal holds nine 3s, then a 2."""
    grades_and_missed = ([3.0, 2, 1, 1, 3, 1, 1, 2, 1, 1], [3.0] * 7)
    assert value(f"DCG({JK})@10", grades_and_missed) == pytest.approx(9.44918, abs=5e-6)
    qrels, run = collection(grades_and_missed)
    _, best = curves.ideal_accumulation(judge(run, qrels), 0, 10, GainRule("jk"))
    assert best[-1] == pytest.approx(15.46245, abs=5e-6)
    assert value(f"nDCG({JK})@10", grades_and_missed) == pytest.approx(0.61110, abs=5e-6)
    assert value(f"nDCG({JK},gains={{1:1,2:2,3:3}})@10", grades_and_missed) == pytest.approx(0.61110, abs=5e-6)
    # The same map prices a 1 at nothing where it means non-relevant.
    without = [0 if grade == 1 else grade for grade in grades_and_missed[0]]
    assert value(f"DCG({JK},gains={{1:0}})@10", grades_and_missed) == pytest.approx(
        value(f"DCG({JK})@10", (without, []))
    )
    assert value("P@10", grades_and_missed, level=2) == pytest.approx(0.4)


def test_g8_a_threshold_turns_grades_into_relevance() -> None:
    graded = ([5.0, 2, 4, 1, 3], [5.0, 2])
    plain = ([1.0, 0, 1, 0, 1], [1.0, 0])
    for text in ("P@5", "R@5", "AP"):
        assert value(text, graded, level=3) == pytest.approx(value(text, plain))
        named = text.replace("@", "(rel=3)@") if "@" in text else f"{text}(rel=3)"
        assert value(named, graded) == pytest.approx(value(text, plain))


def test_reading_a_curve() -> None:
    """To reach recall .5 in B2, five of ten must be found: at rank 6, precision 5/6; the best from there on is 6/7."""
    qrels, run = collection(binary(B2, 10, 20))
    recall, precision = curves.averaged_precision_recall(judge(run, qrels))
    assert len(recall) == 101
    assert recall[50] == 0.5
    assert precision[50] == pytest.approx(6 / 7)
    assert precision[0] == 1
    assert precision[100] == pytest.approx(0.5)


def test_g7_cumulative_gain_has_no_discount() -> None:
    ratings = [3.0, 2, 1, 1, 3, 1, 1, 2, 1, 1]
    assert [value(f"CG@{k}", (ratings, [])) for k in (1, 2, 3, 4)] == [3, 3 + 2, 3 + 2 + 1, 3 + 2 + 1 + 1]
    assert value("CG", (ratings, [3.0])) == sum(ratings)
