"""Sentences of lessons by others: right ones that are no faults, and faults in forms that prose has."""

from __future__ import annotations

import pytest

from tests.helpers.lesson_reasons import reasons

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
        (POOLED, "Unjudged documents count as relevant here. Then P@5 is 80 %."),
        (TWO, "Kestrel has one relevant document less. Heron has two relevant documents that kestrel lacks."),
        (TWO, "P@5 is 100 % only for a perfect list."),
        (FIVE, "On query 4 the better AP is that of south. South has the better AP on query 4, .5 against .25."),
        (FIVE, "By P@1 south wins on one query and loses on one."),
        (POOLED, "Suppose that B is relevant. Then P@5 is 70 %."),
        (TWO, "Of 40 students, 10 % more liked heron with an AP of .436."),
        (TWO, "Both show three relevant documents among the first five: 60 %."),
        (FIVE, "The improvement of 12 % in MAP, from .48 to .54, is small."),
        (FIVE, "Una mejora del 12 % en MAP, de 0.48 a 0.54, es pequeña."),
        (TWO, "## Step: Move the document at the end up by one\ndo: move 10 9"),
        (TWO, "## Step: Move the relevant document that is closest to the top\nrun: kestrel\ndo: move 2 4"),
        (TWO, "## Step: Move it up, but not to the top\ndo: move 4 2"),
        (TWO, "## Step: Acercarlo al principio\ndo: move 4 2"),
        (TWO, "## Step: Bajar el que está al principio\ndo: move 1 4"),
    ],
)  # fmt: skip
def test_a_right_sentence_is_no_fault(head: str, text: str) -> None:
    assert reasons(head, text) == []


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
        (TWO, "Heron finds five of the eight, kestrel finds four: recall at rank 10 is 5/8 and 1/2.",
         "Heron finds five of the eight, kestrel finds three: recall at rank 10 is 5/8 and 1/2."),
        (TWO, "Four of the first seven documents are relevant, at ranks 1, 3, 4 and 7.",
         "Four of the first seven documents are relevant, at ranks 1, 3, 5 and 7."),
        (TWO, "## Question: What is P@7 of heron?\nask: P@7 of heron\nwrong 3/7: This is P@7 of kestrel.",
         "## Question: What is P@7 of heron?\nask: P@7 of heron\nwrong 3/7: This is P@6 of kestrel."),
        (FIVE, "North has the higher MAP, .54 against .48.", "North has the higher MAP, .48 against .54."),
        (FIVE, "North has the higher MAP, but it loses on two queries.",
         "South has the higher MAP, but it loses on two queries."),
        (FIVE, "On query 5 AP of south is 0.", "On query 4 AP of south is 0."),
        (FIVE, "On query 5 south finds nothing.", "On query 4 south finds nothing."),
        (FIVE, "It wins on three queries and loses on two.", "It wins on four queries and loses on one."),
        (FIVE, "It wins on 1, 3 and 5, loses on 2 and 4.", "It wins on 1, 2 and 5, loses on 3 and 4."),
        (FIVE, "On query 4 the first relevant document of south is at rank 2.",
         "On query 4 the first relevant document of south is at rank 4."),
        (FIVE, "South has its document at rank 2, north at rank 4.",
         "South has its document at rank 4, north at rank 2."),
        (TIDES, "## Step: Swap ranks 2 and 5 of alta\ndo: swap 2 5\n\nDCG@4 sube 2.",
         "## Step: Swap ranks 2 and 5 of alta\ndo: swap 2 5\n\nDCG@4 sube 1."),
        (LARKS, "## Step: Swap ranks 2 and 6 of lark\ndo: swap 2 6\n\nDCG@5 rises by 3.",
         "## Step: Swap ranks 2 and 6 of lark\ndo: swap 2 6\n\nDCG@5 rises by 2."),
        (POOLED, "## Step: Judge B\ndo: judge 2 1\n\nThe sum is divided by five relevant documents.",
         "## Step: Judge B\ndo: judge 2 1\n\nThe sum is divided by four relevant documents."),
        (POOLED, "It has three of four documents, a recall of 75 %.",
         "It has three of four documents, a recall of .75 %."),
        (POOLED, "## Step: Swap\ndo: swap 4 7\n\nThe order changes, and no value does.",
         "## Step: Swap\ndo: swap 4 7\n\nThe order of the lower ranks is worth a look."),
        (POOLED, "An unjudged document counts as non-relevant. Then P@5 is 40 %.",
         "An unjudged document counts as non-relevant. Then P@5 is 47 %."),
    ],
)  # fmt: skip
def test_a_fault_in_a_form_of_prose_is_found(head: str, true: str, false: str) -> None:
    assert reasons(head, true) == []
    assert reasons(head, false) != []
