"""Wrong guesses: each known mistake of a student, computed here by hand, gets its own reason, and no reason has the
answer."""

from __future__ import annotations

import math
import re

import pytest

from irviewer.measures.gains import GainRule
from irviewer.session.lecture_table.columns import COLUMNS, cell_text, four_decimals
from irviewer.session.lecture_table.guess import is_right, read_guess
from irviewer.session.lecture_table.values import TableRanking
from irviewer.session.lecture_table.wrong_guesses import mistakes, reason_for
from tests.session.lecture_table.lecture_rankings import B1, B2, G1, G4, G5, ranking_of

G1_LOG2 = ranking_of(4, 3, 4, 2, 0, 0, 0, 1, 1, 0, rule=GainRule("log2"))
G1_EXP = ranking_of(4, 3, 4, 2, 0, 0, 0, 1, 1, 0, rule=GainRule("exp-log2"))
LEVEL_3 = ranking_of(5, 3, 2, 4, 1, level=3.0)
TWO_OF_FIVE = ranking_of(0, 1, 0, 1, 0, relevant=10)

P_SUM_11 = 1 + 2 / 3 + 3 / 4 + 4 / 5 + 5 / 6 + 6 / 7 + 7 / 9 + 8 / 11
LOG2_3 = math.log2(3)

CASES: tuple[tuple[TableRanking, str, int, float, str], ...] = (
    (B1, "P", 4, 3, "count"),
    (B1, "P", 4, 3 / 20, "divides-by-R"),
    (B1, "P", 7, 1 / 7, "non-relevant"),
    (B1, "P", 6, 4 / 5, "row-before"),
    (B1, "P", 6, 4 / 6, "old-count"),
    (B1, "P", 8, 6 / 7, "row-before"),
    (B1, "P", 8, 7 / 8, "counts-this-one"),
    (B1, "P", 9, 7 / 10, "next-K"),
    (B1, "P", 4, 3 / 10, "whole-list"),
    (LEVEL_3, "P", 5, 4 / 5, "counts-this-one"),
    (LEVEL_3, "P", 5, 5 / 5, "level"),
    (B1, "R", 5, 4, "count"),
    (B1, "R", 5, 4 / 5, "divides-by-K"),
    (B1, "R", 5, 4 / 7, "retrieved-only"),
    (B1, "R", 5, 3 / 20, "row-before"),
    (B1, "R", 8, 7 / 20, "counts-this-one"),
    (B1, "R", 5, 16 / 20, "divides-by-K"),  # the share that is missing is .80 too: the commoner mistake comes first
    (B1, "R", 9, 13 / 20, "what-is-missing"),
    (TWO_OF_FIVE, "F", 5, (0.4 + 0.2) / 2, "arithmetic-mean"),
    (TWO_OF_FIVE, "F", 5, 0.4 * 0.2 / 0.6, "no-factor-2"),
    (TWO_OF_FIVE, "F", 5, 0.4 * 0.2, "product"),
    (B2, "AP", 11, P_SUM_11 + 7 / 10, "non-relevant-rank"),
    (B2, "AP", 12, P_SUM_11 + 8 / 12, "non-relevant-rank"),
    (B2, "AP", 4, 1 + 1 / 2 + 2 / 3 + 3 / 4, "non-relevant-rank"),  # the one rank that is not relevant so far
    (B2, "AP", 11, P_SUM_11 + 1 / 2 + 6 / 8 + 7 / 10, "every-rank"),
    (B2, "AP", 11, 8, "count"),
    (B2, "AP", 11, 8 / 11, "only-this-row"),
    (B2, "AP", 11, P_SUM_11 - 8 / 11, "adds-nothing"),
    (B2, "AP", 11, P_SUM_11 - 8 / 11 + 1, "adds-1"),
    (B2, "AP", 11, P_SUM_11 - 8 / 11 + 8 / 10, "adds-recall"),
    (B2, "AP", 11, P_SUM_11 - 8 / 11 + 7 / 10, "precision-before"),
    (B2, "AP", 11, P_SUM_11 / 10, "divided-by-R"),
    (B2, "AP", 14, (P_SUM_11 + 9 / 14) / 14, "divided-by-K"),
    (B2, "AP", 11, P_SUM_11 / 8, "divided-by-the-count"),
    (B2, "AP@K", 11, P_SUM_11, "sum"),
    (B2, "AP@K", 11, P_SUM_11 / 11, "divided-by-K"),
    (B2, "AP@K", 11, P_SUM_11 / 8, "divided-by-the-count"),
    (B2, "AP@K", 11, (P_SUM_11 + 1 / 2 + 6 / 8 + 7 / 10) / 11, "every-rank"),
    (TWO_OF_FIVE, "RR", 4, 2, "the-rank"),
    (TWO_OF_FIVE, "RR", 4, 1 / 4, "a-later-one"),
    (TWO_OF_FIVE, "RR", 3, 1 / 3, "this-rank"),
    (TWO_OF_FIVE, "RR", 1, 1, "this-rank"),
    (G1, "gain", 2, 2**3 - 1, "2^g-1"),
    (G1, "gain", 2, 1, "binary"),
    (G1_EXP, "gain", 2, 3, "grade"),
    (G1_EXP, "gain", 2, 8, "no-minus-1"),
    (G1, "discount", 3, LOG2_3, "the-divisor"),
    (G1, "discount", 3, 1 / 2, "rank-plus-1"),
    (G1, "discount", 4, 1 / math.log(4), "natural-logarithm"),
    (G1, "discount", 5, 1 / 5, "rank-itself"),
    (G1_LOG2, "discount", 3, 1 / LOG2_3, "rank"),
    (G1_LOG2, "discount", 4, 1 / math.log(5), "natural-logarithm"),
    (G1, "discounted", 3, 4, "no-discount"),
    (G1, "discounted", 3, 4 / 2, "rank-plus-1"),
    (G1, "discounted", 3, 4 * LOG2_3, "multiplies"),
    (G1, "CG", 3, 7, "row-before"),
    (G1, "CG", 3, 4, "only-this-row"),
    (G1, "CG", 3, 3, "count"),
    (G1, "CG", 3, 15 + 7 + 15, "2^g-1"),
    (G1, "DCG", 3, 7, "row-before"),
    (G1, "DCG", 3, 4 + 3 + 4, "no-discount"),
    (G1, "DCG", 9, 4 + 3 + 4 + 2 + 1 + 1, "CG"),
    (G1, "DCG", 3, 4 / LOG2_3, "only-this-row"),
    (G1, "DCG", 3, 7 + 4 / 2, "rank-plus-1"),
    (G1, "DCG", 4, 4 / 1 + 3 / LOG2_3 + 4 / 2 + 2 / math.log2(5), "rank-plus-1"),  # at every rank, as trec_eval
    (G1, "DCG", 3, 7 + 4 / math.log(3), "natural-logarithm"),
    (G1, "DCG", 4, 4 + 3 / math.log(2) + 4 / math.log(3) + 2 / math.log(4), "natural-logarithm"),
    (G1, "DCG", 3, 4 / 1 + 3 / 2 + 4 / 3, "rank-itself"),
    (G1, "DCG", 3, 15 + 7 + 15 / LOG2_3, "2^g-1"),
    (G1, "DCG", 8, 5, "count"),
    (G1_LOG2, "DCG", 4, 4 + 3 + 4 / LOG2_3 + 2 / 2, "rank"),  # Järvelin and Kekäläinen's instead of trec_eval's
    (G1, "DCG", 2, 4 + 4, "ideal"),
    (G4, "ideal", 3, 7 + 4 / LOG2_3, "DCG"),
    (G4, "ideal", 4, 4 + 4 + 3 / LOG2_3 + 3 / 2, "other-ideal"),
    (G5, "ideal", 4, 4 + 4 + 3 / LOG2_3 + 2 / 2, "other-ideal"),
    (G5, "ideal", 4, 4 + 4 + 3 + 3, "no-discount"),
    (G5, "nDCG", 2, 8 / 7, "upside-down"),
    (G5, "nDCG", 4, (7 + 4 / LOG2_3 + 1) / (4 + 4 + 3 / LOG2_3 + 1), "other-ideal"),
    (G5, "nDCG", 4, 7 + 4 / LOG2_3 + 1, "DCG"),
)
G4_WITH_MORE = ranking_of(
    4, 3, 4, 2, 0, 0, 0, 1, 1, 0, judged=(4, 4, 3, 3, 3, 2, 2, 1, 1), rule=GainRule("jk", ideal="retrieved")
)


@pytest.mark.parametrize(("ranking", "column", "rank", "guess", "name"), CASES)
def test_a_known_mistake_has_its_reason(ranking: TableRanking, column: str, rank: int, guess: float, name: str) -> None:
    ranking = G4_WITH_MORE if ranking is G4 else ranking
    assert not is_right(guess, ranking.at(column, rank))
    reason = reason_for(ranking, column, rank, round(guess, 2), f"{guess:.2f}")
    assert reason.mistake == name
    assert reason.what.startswith(f"{guess:.2f}: ")
    assert reason.remedy


def test_the_reason_names_the_rank_that_was_added() -> None:
    reason = reason_for(B2, "AP", 11, 7.11, "7.11")
    assert reason.what == "7.11: also adds P@10 = .70."
    assert reason.remedy == (
        "J, at rank 10, is not relevant: AP adds precision only where a relevant document is. "
        "Start from 5.68 and add P@11 of this row."
    )


def test_any_other_guess_gets_the_formula_of_the_row() -> None:
    reason = reason_for(B2, "AP", 11, 42.0, "42")
    assert (reason.mistake, reason.what) == ("", "42 is not right.")
    assert reason.remedy == "The row’s numbers: 5.68 + 8/11 × 1 = ?"


@pytest.mark.parametrize("ranking", [B1, B2, G1, G4, G5, G1_LOG2, G1_EXP, LEVEL_3, TWO_OF_FIVE])
def test_no_reason_has_the_answer(ranking: TableRanking) -> None:
    for column in COLUMNS:
        for rank in range(1, ranking.n + 1):
            value = ranking.at(column.id, rank)
            fraction, short = cell_text(ranking, column.id, rank)
            answers = {short, four_decimals(value), f"{value:.2f}", fraction} - {"", "0", "1", "1.00", "0.00"}
            seen = {cell_text(ranking, other.id, rank)[1] for other in COLUMNS if other is not column}
            seen |= {cell_text(ranking, column.id, rank - 1)[1]} if rank > 1 else set()
            known = [mistake.value for mistake in mistakes(ranking, column.id, rank)]
            for guess in (*known, 42.0):
                if is_right(guess, value) or not math.isfinite(guess):
                    continue
                reason = reason_for(ranking, column.id, rank, guess, "")
                words = set(re.findall(r"[\d./]*\d", f"{reason.what} {reason.remedy}"))
                ranks = {str(number) for number in range(ranking.n + 12)}
                assert not (words & answers) - seen - ranks, (column.id, rank, reason)


@pytest.mark.parametrize(
    ("text", "value"),
    [(".75", 0.75), ("0,75", 0.75), ("3/4", 0.75), ("75 %", 0.75), ("5.68 + 8/11", 5.68 + 8 / 11),
     ("4 + 3 + 4/1.58", 7 + 4 / 1.58), ("1/10 × 7.55", 0.755), ("7.", 7), (" 4 ", 4)],
)  # fmt: skip
def test_a_guess_is_read(text: str, value: float) -> None:
    assert read_guess(text) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "many", "1/0", "3//4", "1e5", "nan", "+", "1 +", "--2", "9" * 201])
def test_what_is_no_number(text: str) -> None:
    assert read_guess(text) is None


def test_two_decimals_are_enough() -> None:
    assert is_right(0.67, 2 / 3)
    assert not is_right(0.66, 2 / 3)
    assert is_right(0.125, 0.12)
