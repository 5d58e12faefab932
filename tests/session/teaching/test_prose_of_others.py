"""Sentences of lessons by others: right ones that are no faults, and faults in forms that prose has."""

from __future__ import annotations

import pytest

from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.session.teaching.checking import faults_of

# P@5 is .6 for both; heron finds 5 of 8, kestrel 4; AP .436 and .2764
TWO = "measure: AP\nrankings:\n  heron: 1 0 1 1 0 0 1 0 0 1 | R=8\n  kestrel: 0 1 1 0 1 0 0 0 1 0\n"
# AP of north .8333, .3, 1, .25, .3333; of south .5833, .5, .8333, .5, 0
FIVE = """measure: AP
rankings:
  north: 1 0 1 0 0
  south: 0 1 1 0 0
  ---
  north: 0 1 0 0 1 | R=3
  south: 1 0 0 1 0
  ---
  north: 1 1 0 0 0
  south: 1 0 1 0 0
  ---
  north: 0 0 0 1 0
  south: 0 1 0 0 0
  ---
  north: 0 0 1 0 0
  south: 0 0 0 0 0
"""
POOLED = "measure: P@5\nrankings: 1 - 1 0 - 1 0 - | R=4\n"
TIDES = "measure: nDCG@4\nrankings:\n  alta: 2 0 1 0 2 1\n  baja: 0 2 2 1 0 1\n"
LARKS = "measure: nDCG@5\nrankings:\n  lark: 3 0 2 1 0 3 0 1\n  wren: 2 3 0 3 1 0 0 1\n"


def said(head: str, text: str) -> list[str]:
    return [fault.reason for fault in faults_of(parse_lesson(f"---\ntitle: T\n{head}---\n{text}\n", "l.md"))]


@pytest.mark.parametrize(
    ("head", "text"),
    [
        (FIVE, "## Question: What is AP of north on query 2?\nask: AP of north, query 2\n"
               "wrong .45: This divides by the two documents that were found.\nbecause: (1/2 + 2/5) / 3 = .3.\n\n"
               "## Question: What is MAP of north?\nask: AP of north"),
        (POOLED, "## Question: What is AP?\nask: AP\n"
                 "wrong .722: This divides by the three relevant documents that were found. Four are known.\n"
                 "because: 2.167 / 4 = .542."),
        (TWO, "## Question: Someone says that AP of heron would be .6976 if divided by five. What is wrong?\n"
              "- [x] All eight count.\n  The sum of the precisions is 3.488, and 3.488 / 8 = .436.\n- [ ] Nothing."),
        (TIDES, "La lista alta empieza con un documento de grado 2."),
        (TWO, "R@5 is 37.5 % for both."),
        (TWO, "With persistence .8 rank-biased precision is .51 for heron and .40 for kestrel."),
        (FIVE, "P@5 is .32 for north, as north finds eight relevant documents in all and south seven."),
        (POOLED, "Suppose that B is relevant. Then P@5 is 70 %."),
    ],
)  # fmt: skip
def test_a_right_sentence_is_no_fault(head: str, text: str) -> None:
    assert said(head, text) == []


@pytest.mark.parametrize(
    ("head", "true", "false"),
    [
        (TWO, "Kestrel finds four.", "Kestrel finds three."),
        (TWO, "Kestrel has four relevant documents.", "Kestrel has three relevant documents."),
        (TWO, "By rank 5 kestrel has three relevant documents.", "By rank 10 kestrel has three relevant documents."),
        (TWO, "Heron is better than kestrel by AP.", "Kestrel is better than heron by AP."),
        (LARKS, "## Question: Which list is better by nDCG@5?\n- [x] Wren.\n- [ ] Lark, as it begins well.",
         "## Question: Which list is better by nDCG@5?\n- [ ] Wren.\n- [x] Lark, as it begins well."),
        (TWO, "P@5 is 60 % for both. R@10 is 50 %.", "P@5 is 40 % for both. R@10 is 50 %."),
        (TWO, "P@5 is .6.\n\n## Question: What is F of .4 and .5?\nanswer: .444",
         "P@5 is .4.\n\n## Question: What is F of .4 and .5?\nanswer: .444"),
        (TWO, "R@10 of kestrel is .5.", "R@10 of heron is .5."),
        (POOLED, "An unjudged document counts as non-relevant. Then P@5 is 40 %.",
         "An unjudged document counts as non-relevant. Then P@5 is 47 %."),
    ],
)  # fmt: skip
def test_a_fault_in_a_form_of_prose_is_found(head: str, true: str, false: str) -> None:
    assert said(head, true) == []
    assert said(head, false) != []
