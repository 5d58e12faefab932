"""The numbers of the table: as the lectures print them, as plain loops have them, as the measures have them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.gains import GainRule
from irviewer.model.lessons.lesson import COLUMNS as LESSON_COLUMNS
from irviewer.model.options import EvaluationOptions
from irviewer.model.rankings.inline_ranking import parse_inline_ranking
from irviewer.session.lecture_table.columns import COLUMNS, cell_text, column_named, worked
from irviewer.session.lecture_table.values import TableRanking
from tests.session.lecture_table.lecture_rankings import B1, B2, G1, G4, G5, G6, ranking_of


def printed(ranking: TableRanking, column: str) -> list[str]:
    return [cell_text(ranking, column, rank)[1] for rank in range(1, ranking.n + 1)]


def test_precision_and_recall_as_arguello_prints_them() -> None:
    assert printed(B1, "P") == ["1", ".50", ".67", ".75", ".80", ".83", ".86", ".75", ".78", ".70"]
    assert printed(B1, "R") == [".05", ".05", ".10", ".15", ".20", ".25", ".30", ".30", ".35", ".35"]
    assert cell_text(B1, "P", 9)[0] == "7/9"
    assert cell_text(B1, "R", 9)[0] == "7/20"
    # The table of "average-precision", with R = 10.
    assert printed(B2, "P")[10:] == [".73", ".67", ".62", ".64", ".60", ".56", ".53", ".50", ".47", ".50"]
    assert printed(B2, "R")[10:] == [".80", ".80", ".80", ".90", ".90", ".90", ".90", ".90", ".90", "1.00"]


def test_the_sum_of_average_precision() -> None:
    assert B2.at("AP", 20) / B2.relevant == pytest.approx(0.75551, abs=5e-6)
    # The picture of the table in the designs, row by row.
    sums = ["1.00", "1.00", "1.67", "2.42", "3.22", "4.05", "4.91", "4.91", "5.68", "5.68", "6.41"]
    assert printed(B2, "AP")[:11] == sums


def test_gains_as_manrique_prints_them() -> None:
    assert printed(G1, "discount") == ["1", "1", ".63", ".50", ".43", ".39", ".36", ".33", ".32", ".30"]
    assert printed(G1, "discounted") == ["4", "3", "2.52", "1", "0", "0", "0", ".33", ".32", "0"]
    assert printed(G1, "DCG") == ["4", "7", "9.52", "10.52", "10.52", "10.52", "10.52", "10.86", "11.17", "11.17"]
    assert printed(G4, "ideal") == ["4", "8", "9.89", "10.89", "11.32", "11.71", "11.71", "11.71", "11.71", "11.71"]
    assert G4.at("nDCG", 2) == 0.875
    assert G4.at("nDCG", 10) == pytest.approx(0.95407, abs=5e-6)


def test_the_ideal_of_all_judged_documents() -> None:
    expected = [4, 8, 9.8928, 11.3928, 12.6848, 13.4585, 14.1709, 14.5043, 14.8197, 14.8197]
    assert [G5.at("ideal", rank) for rank in range(1, 11)] == pytest.approx(expected, abs=5e-5)
    assert G5.at("nDCG", 10) == pytest.approx(0.75389, abs=5e-6)


def test_gains_as_huang_prints_them() -> None:
    assert printed(G6, "discounted") == ["3", "2", "1.89", "0", "0", ".39", ".71", ".67", ".95", "0"]
    assert printed(G6, "DCG") == ["3", "5", "6.89", "6.89", "6.89", "7.28", "7.99", "8.66", "9.61", "9.61"]


GRADES = st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0, math.nan]), min_size=1, max_size=12)
RULES = st.sampled_from(
    [
        GainRule("jk"),
        GainRule("log2"),
        GainRule("exp-log2"),
        GainRule("exp-jk", base=3),
        GainRule("jk", ideal="retrieved"),
    ]
)


@given(grades=GRADES, more=st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0]), max_size=4), rule=RULES,
       level=st.sampled_from([1.0, 2.0]))  # fmt: skip
def test_plain_loops_have_the_same(grades: list[float], more: list[float], rule: GainRule, level: float) -> None:
    known = [grade for grade in grades if not math.isnan(grade)]
    ranking = ranking_of(*grades, judged=(*known, *more) or (0.0,), rule=rule, level=level)
    total = sum(grade >= level for grade in [*known, *more])

    def gain(grade: float) -> float:
        return 0.0 if math.isnan(grade) else 2**grade - 1 if rule.dcg.startswith("exp") else grade

    def divisor(rank: int) -> float:
        return math.log(max(rank, rule.base), rule.base) if rule.dcg.endswith("jk") else math.log(rank + 1, 2)

    best = sorted((gain(grade) for grade in (known if rule.ideal == "retrieved" else [*known, *more])), reverse=True)
    hits, precisions, cumulated, dcg, ideal = 0, 0.0, 0.0, 0.0, 0.0
    first = 0
    for rank, grade in enumerate(grades, start=1):
        if grade >= level:
            hits += 1
            first = first or rank
            precisions += hits / rank
        cumulated += gain(grade)
        dcg += gain(grade) / divisor(rank)
        ideal += best[rank - 1] / divisor(rank) if rank <= len(best) else 0.0
        precision, recall = hits / rank, hits / total if total else 0.0
        expected = {
            "P": precision, "R": recall, "AP": precisions,
            "AP@K": precisions / total if total else 0.0, "RR": 1 / first if first else 0.0, "gain": gain(grade),
            "F": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
            "discount": 1 / divisor(rank), "discounted": gain(grade) / divisor(rank), "CG": cumulated, "DCG": dcg,
            "ideal": ideal, "nDCG": dcg / ideal if ideal else 0.0,
        }  # fmt: skip
        assert {column.id: ranking.at(column.id, rank) for column in COLUMNS} == pytest.approx(expected)


@pytest.mark.parametrize("text", ["1 0 1 1 0 | R=10", "4 3 4 2 0 0 0 1 1 0 | ideal 4 4 3 3 3 2 2 1 1", "0 2 - 1 3"])
@pytest.mark.parametrize("ideal", ["judged", "retrieved"])
@pytest.mark.parametrize("dcg", ["jk", "log2", "exp-log2"])
def test_the_last_row_is_the_measure(text: str, ideal: str, dcg: str) -> None:
    typed = parse_inline_ranking(text)
    (run,), grades = typed.runs, typed.qrels.judgments("1")
    documents = tuple(run.ranking("1"))
    ranking = TableRanking(
        documents, np.array([grades.get(document, math.nan) for document in documents]),
        np.array(list(grades.values())), 1.0, GainRule(dcg, ideal=ideal),  # type: ignore[arg-type]
    )  # fmt: skip
    k = ranking.n
    wanted = {
        f"P@{k}": ranking.at("P", k), "AP": ranking.at("AP@K", k),
        f"R@{k}": ranking.at("R", k), "RR": ranking.at("RR", k),
        f"DCG(dcg='{dcg}')@{k}": ranking.at("DCG", k),
        f"nDCG(dcg='{dcg}',ideal='{ideal}')@{k}": ranking.at("nDCG", k),
    }  # fmt: skip
    results = evaluate(typed.qrels, [run], list(wanted), EvaluationOptions())
    for measure, value in wanted.items():
        assert results.mean(measure, run.name) == pytest.approx(value), measure


def test_columns_are_called_as_people_write_them() -> None:
    names = {
        "P@K": "P",
        "r@k": "R",
        "AP": "AP",
        "AP sum": "AP",
        "AP@K": "AP@K",
        "ideal DCG": "ideal",
        "ndcg": "nDCG",
        "Gain": "gain",
    }
    assert {name: column_named(name).id for name in names} == names  # type: ignore[union-attr]
    assert column_named("MRR") is None


def test_every_column_of_a_lesson_is_one_of_the_table() -> None:
    named = {name: column_named(name) for name in LESSON_COLUMNS}
    assert [name for name, column in named.items() if column is None] == ["K", "document", "grade"]


def test_the_formula_has_the_rows_numbers() -> None:
    def all_but(*cells: tuple[str, int]):  # type: ignore[no-untyped-def]
        return lambda column, rank: (column, rank) not in cells

    assert worked(B2, "AP", 11, all_but(("AP", 11))) == "5.68 + 8/11 × 1 = ?"
    assert worked(B2, "AP", 11, all_but()) == "5.68 + 8/11 × 1 = 6.41"
    assert worked(B2, "AP", 11, all_but(("AP", 11), ("P", 11), ("AP", 10))) == "? + ? × 1 = ?"
    assert worked(G1, "DCG", 10, all_but()) == "11.17 + 0 ÷ 3.32 = 11.17"
    assert worked(B2, "P", 11, all_but(("P", 11))) == "? ÷ 11 = ?"
    assert worked(G1, "discount", 3, all_but()) == "1 ÷ log₂ 3 = .63"
    assert worked(G1, "nDCG", 2, all_but()) == "7 ÷ 8 = .875"
