"""True sentences of lessons as lecturers write them, which are no faults, and false ones of the same forms, which are."""

from __future__ import annotations

import pytest

from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.session.teaching.checking import faults_of

# P@5 is .6; A, C, D and H are relevant of A to H
SWAPPED = "measure: P@5\nrankings: 1 0 1 1 0 0 0 1 | R=4\n"
# The sums of AP are 2.75 and 1.6667, AP is .6875 and .4167
TWO = "measure: AP\nrankings:\n  early: 1 1 0 1 0 0 0 0 | R=4\n  late: 0 1 1 0 0 1 0 0\n"
# The ideal order is 3, 2, 2, 1: 3 + 2 + 2 / log2(3) + 1 / 2 = 6.7619; 3 + 2 = 5 for two
GRADED = (
    "measure: nDCG\ncolumns: K, document, grade, gain, DCG, ideal DCG, nDCG\nrankings:\n"
    "  brook: 2 0 3 1 0 2\n  creek: 0 2 2 3 0 1\n"
)
STEP = "## Step: Swap ranks 6 and 7\ndo: swap 6 7\n\n"
FIRST = "## Step: Swap ranks 1 and 2\ndo: swap 1 2\n\n"
QUESTION = "## Question: By how much is AP of early higher?\nanswer: .2708\nbecause: .6875 - .4167 = .2708.\n"


def said(head: str, text: str) -> list[str]:
    return [fault.reason for fault in faults_of(parse_lesson(f"---\ntitle: T\n{head}---\n{text}\n", "l.md"))]


@pytest.mark.parametrize(
    ("head", "true", "false"),
    [
        (SWAPPED, STEP + "Neither F nor G is relevant, so nothing changes.",
         STEP + "Neither A nor G is relevant, so nothing changes."),
        (SWAPPED, STEP + "Ni F ni G son relevantes, así que nada cambia.",
         STEP + "Ni F ni H son relevantes, así que nada cambia."),
        (SWAPPED, "None of B, E and F is relevant.", "None of B, C and F is relevant."),
        (SWAPPED, "One of G and H is relevant.", "G and H are relevant."),
        (TWO, QUESTION + "wrong 1.0833: This is the difference of the two sums. It remains to divide by four.",
         QUESTION + "wrong 1.0933: This is the difference of the two sums. It remains to divide by four."),
        (GRADED, "The ideal DCG is 6.76.", "The ideal DCG is 6.72."),
        (GRADED, "The best possible order is 3, 2, 2, 1. Its DCG is 6.7619.",
         "The best possible order is 3, 2, 2, 1. Its DCG is 6.7219."),
        (GRADED, "El mejor orden es 3, 2, 2, 1. Su DCG es 6.76.", "El mejor orden es 3, 2, 2, 1. Su DCG es 6.72."),
        (GRADED, "With log2(K + 1) it would be otherwise.", "Each gain is divided by log2(K + 1)."),
        (GRADED, "Con log2(K + 1) sería distinto.", "Cada ganancia se divide por log2(K + 1)."),
        (TWO, "All in all the gap between the two is .271.", "All in all the gap between the two is .273."),
        (TWO, "On average the two have .5521.", "On average the two have .5581."),
        (TWO, "La ventaja de early es de .2708.", "La ventaja de early es de .2738."),
        (SWAPPED, FIRST + "Precision cannot rise, as it was at its maximum already.",
         FIRST + "Precision cannot rise as we go down the list."),
        (SWAPPED, FIRST + "La precisión no puede subir, pues ya estaba en su máximo.",
         FIRST + "La precisión no puede subir al bajar por la lista."),
        (GRADED, "A document with grade 2 at rank 4 is worth as much as one with grade 1 at rank 2.",
         "Brook has grade 2 at rank 4."),
        (GRADED, "Un documento de grado 2 en la posición 4 vale tanto como uno de grado 1 en la posición 2.",
         "En brook el grado 2 está en la posición 4."),
    ],
)  # fmt: skip
def test_a_true_sentence_is_no_fault_and_a_false_one_is(head: str, true: str, false: str) -> None:
    assert said(head, true) == []
    assert len(said(head, false)) > 0


def test_another_discount_is_named_where_it_is_written() -> None:
    text = f"---\ntitle: T\n{GRADED}---\nA text.\n\n## Step: Gains\n\nEach is divided by log2(K + 1).\n"
    (fault,) = faults_of(parse_lesson(text, "l.md"))
    assert fault.line == 1 + text[: text.index("## Step")].count("\n")
