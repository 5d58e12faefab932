"""The figures of the textbooks, out of the rows of ledgers. B: binary relevance, G: graded (see test_textbook.py)."""

from __future__ import annotations

import numpy as np
import pytest
from every import NEEDS_MORE
from examples import a_part

from irviewer.analysis.explain import Ledger, explain_query
from irviewer.measures.base import Family, make
from irviewer.measures.parameters import Cutoff
from irviewer.measures.registry import families
from irviewer.model.dialects import DIALECTS
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.rendering.formula import outline


def ledger(text: str, grades: list[float], missed: list[float]) -> Ledger:
    """Of a list of those grades, the others never retrieved."""
    judged = {f"r{rank:02d}": float(grade) for rank, grade in enumerate(grades, start=1)}
    qrels = Qrels.from_dict({"1": judged | {f"m{place}": float(grade) for place, grade in enumerate(missed)}})
    run = Run.from_dict({"1": {name: -float(rank) for rank, name in enumerate(judged, start=1)}})
    return explain_query(run, qrels, text, "1", EvaluationOptions())


def binary(ranks: list[int], relevant: int, returned: int) -> tuple[list[float], list[float]]:
    return [float(rank in ranks) for rank in range(1, returned + 1)], [1.0] * (relevant - len(ranks))


G1 = [4, 3, 4, 2, 0, 0, 0, 1, 1, 0]
G6 = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
G7 = [3, 2, 1, 1, 3, 1, 1, 2, 1, 1]


@pytest.mark.parametrize(
    ("ranks", "relevant", "returned", "ap"),
    [
        pytest.param([1, 3, 4, 5, 6, 7, 9, 11, 14, 20], 10, 20, 0.75551, id="B2"),
        pytest.param([1, 2, 4, 5, 6, 7, 9, 11, 14, 20], 10, 20, 0.78884, id="B3"),
        pytest.param([1, 3, 4, 5, 6, 7, 8, 11, 14, 20], 10, 20, 0.76523, id="B4"),
        pytest.param([1, 3, 5], 3, 5, 0.75556, id="B8"),
        pytest.param([1, 2, 5, 8], 10, 10, 0.31, id="B9"),
    ],
)
def test_average_precision(ranks: list[int], relevant: int, returned: int, ap: float) -> None:
    explanation = ledger("AP", *binary(ranks, relevant, returned))
    assert explanation.sum / relevant == pytest.approx(ap, abs=5e-6)
    at = {rank + 1: (place + 1) / (rank + 1) for place, rank in enumerate(index - 1 for index in ranks)}
    assert explanation.contributions.tolist() == pytest.approx([at.get(rank, 0.0) for rank in range(1, returned + 1)])
    assert len(explanation.missed) == relevant - len(ranks)


@pytest.mark.parametrize(
    ("grades", "dcg"),
    [
        pytest.param(G1, [4, 7, 9.52, 10.52, 10.52, 10.52, 10.52, 10.86, 11.17, 11.17], id="G1"),
        pytest.param([3, *G1[1:]], [3, 6, 8.52, 9.52, 9.52, 9.52, 9.52, 9.86, 10.17, 10.17], id="G2"),
        pytest.param(G6, [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61], id="G6"),
    ],
)
def test_running_dcg(grades: list[float], dcg: list[float]) -> None:
    explanation = ledger("DCG(dcg='jk')@10", grades, [])
    assert np.round(np.asarray(explanation.column("running"), dtype=float), 2).tolist() == pytest.approx(dcg)


def test_g3_g4_and_g5() -> None:
    assert ledger("DCG(dcg='jk')@10", [*G1[:9], 3], []).sum == pytest.approx(12.07561, abs=5e-6)
    own = ledger("nDCG(dcg='jk',ideal='retrieved')@10", G1, [])
    assert own.value == pytest.approx(0.95407, abs=5e-6)
    ideal = np.asarray(own.column("ideal_running"), dtype=float)
    assert np.round(ideal[:6], 2).tolist() == [4, 8, 9.89, 10.89, 11.32, 11.71]
    every = ledger("nDCG(dcg='jk')@10", G1, [3, 3, 2])
    wanted = [4, 8, 9.8928, 11.3928, 12.6848, 13.4585, 14.1709, 14.5043, 14.8197]
    assert np.asarray(every.column("ideal_running"), dtype=float)[:9].tolist() == pytest.approx(wanted, abs=5e-5)
    assert every.recomputed == pytest.approx(0.75389, abs=5e-6)


def test_g7() -> None:
    explanation = ledger("nDCG(dcg='jk')@10", G7, [3] * 7)
    assert explanation.sum == pytest.approx(9.44918, abs=5e-6)
    assert explanation.normaliser is not None
    assert explanation.normaliser.value == pytest.approx(15.46245, abs=5e-6)
    assert explanation.recomputed == pytest.approx(0.61110, abs=5e-6)
    assert explanation.worked == (
        "nDCG(dcg='jk')@10 = (3/1 + 2/1 + 1/1.585 + 1/2 + … + 1/3.322) ÷ 15.4625 = 9.4492 ÷ 15.4625 = 0.6111"
    )


@pytest.mark.parametrize(
    ("text", "grades", "worked"),
    [
        ("DCG@3", [2, 0, 1], "DCG@3 = 2/1 + 1/2 = 2.5000"),
        # .2 and .2 of .8^30: weights with figures of their own, not the same 0.0001 and 0.0002 twice over.
        ("RBP(p=0.8)", [0] * 30 + [1, 1], "RBP(p=0.8) = 1 × 0.0002476 + 1 × 0.0001981 = 0.0004"),
        # What is next to nothing is not written down to the last rank.
        (
            "RBP(p=0.5)",
            [1] * 40,
            "RBP(p=0.5) = 1 × 0.5 + 1 × 0.25 + 1 × 0.125 + 1 × 0.0625 + … + 1 × 0.0001221 + … = 1.0000",
        ),
    ],
)
def test_terms_are_what_is_added_up(text: str, grades: list[int], worked: str) -> None:
    explanation = ledger(text, grades, [])
    assert explanation.worked == worked
    latex = explanation.worked_latex
    assert latex.count(r"\times") == worked.count("×")
    assert latex.count(r"\frac") == worked.count("/")
    assert outline(latex) is not None


@pytest.mark.parametrize("third", a_part(range(3), 3))
def test_every_formula_with_its_numbers_can_be_drawn(third: int) -> None:
    """Of all families with one ranking; a third of them in an ordinary run."""
    for family in list(families().values())[third::3]:
        draw_the_formula(family, [G1])


@pytest.mark.slow
def test_every_formula_with_the_numbers_of_other_rankings_can_be_drawn() -> None:
    for family in families().values():
        draw_the_formula(family, [[0, 0, 0], [0, 0, 1, 1, 1, 1, 1, 1]])


def draw_the_formula(family: Family, rankings: list[list[int]]) -> None:
    needs = {Cutoff.REQUIRED: 3, Cutoff.RECALL: 0.8, Cutoff.FACTOR: 1.4}.get(family.cutoff)
    if family.name in NEEDS_MORE or not family.compute.__module__.startswith("irviewer."):
        return
    for grades in rankings:
        explanation = ledger(make(family, {}, needs).text, grades, [2])
        assert outline(explanation.worked_latex) is not None, explanation.worked_latex
        assert explanation.worked.startswith(explanation.measure.text)


def test_rules_in_words() -> None:
    qrels = Qrels.from_dict({"1": {"a": 2, "b": 0, "n": -1}, "2": {"z": 1}})
    run = Run.from_dict({"1": {"u": 2.0, "a": 2.0, "n": 1.0}})
    explanation = explain_query(run, qrels, "P@5", "1", EvaluationOptions(level=2))
    said = " ".join(rule.text for rule in explanation.rules)
    assert explanation.measure.text == "P(rel=2)@5"
    assert "grades of 2 or more are relevant." in said
    assert "1 of 3 documents is not in the qrels: u. Such documents count as non-relevant." in said
    assert "A negative grade means pooled but not judged: n." in said
    assert "ranks 1–2 have the score 2 (u, a). They are ordered by document id, descending" in said
    assert "The list has 3 documents, fewer than 5" in said
    assert "lacks this query" in explain_query(run, qrels, "AP", "2").rule("missing")
    ranx = explain_query(run, qrels, "AP", "1", EvaluationOptions(dialect="ranx"))
    assert DIALECTS["ranx"].title in ranx.rule("dialect")
    assert "ties in the order of the file" in ranx.rule("dialect")
    assert "negative grades are judged non-relevant" in ranx.rule("dialect")


@pytest.mark.parametrize(
    ("text", "grades", "said"),
    [
        ("nDCG@10", [2, 0], "cut at rank 10 like the run; 1 of them has a gain."),
        ("nDCG@10", [2, 1], "cut at rank 10 like the run; 2 of them have a gain."),
        ("nDCG", [0, 1], "The ideal ranking has all judged documents; 1 of them has a gain."),
        (
            "nDCG(ideal='retrieved')",
            [3, 1],
            "has the retrieved judged documents; 2 of them have a gain.",
        ),
    ],
)
def test_the_ideal_ranking_is_described_in_whole_sentences(text: str, grades: list[float], said: str) -> None:
    assert [rule for rule in ledger(text, grades, []).rules if said in rule.text]
