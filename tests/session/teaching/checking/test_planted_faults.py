"""What a lesson says and nothing computes is found without a translation; what is true is not refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.cli.main import main
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.session.teaching.checking.faults import faults_of

HEAD = "---\ntitle: T\nmeasure: AP\nrankings:\n  early: 1 1 0 0 1 | R=4\n  late: 0 0 1 1 1\n---\n"
GRADED = "---\ntitle: T\nmeasure: DCG@4\nrankings:\n  3 0 2 1 | ideal 3 3 2 1\n  ---\n  0 1 0 0\n---\n"
SWAP = "## Step: Swap ranks 2 and 3\ndo: swap 2 3\n\n{}"
ASK = "## Question: {}\n{}"
NONE = "no ranking here is as this says"
OTHER = "and do: means"
NOTHING = "nothing computes"
FORMULA = "this is not the formula of the measure"
SAYS = "the reason says"


def said(text: str, head: str = HEAD) -> list[str]:
    """The faults of a lesson, by their reasons."""
    return [fault.reason for fault in faults_of(parse_lesson(head + text + "\n", "l.md"))]


# early: P@1..5 = 1 1 2/3 1/2 3/5, AP = (1 + 1 + 3/5) / 4 = .65; late: 0 0 1/3 1/2 3/5, AP = .3583
TRUE_AND_FALSE = [
    ("By P@3 early is better than late.", "By P@3 late is better than early.", NONE),
    ("AP of early is higher than that of late.", "AP of early is lower than that of late.", NONE),
    ("early has a higher P@2 than late.", "early has a lower P@2 than late.", NONE),
    ("The first ranking has a higher AP than the second.", "The first ranking has a lower AP than the second.", NONE),
    ("By P@5 early and late are equal.", "By AP early and late are equal.", NONE),
    ("By AP the early one is ahead.", "By AP the late one is ahead.", "AP: late 0.3583, early 0.6500"),
    ("By average precision early is the best of the two.", "By average precision late is the best of the two.", NONE),
    ("early has the highest AP.", "late has the highest AP.", NONE),
    ("The lowest AP is that of late.", "The lowest AP is that of early.", NONE),
    ("early tiene el AP más alto.", "late tiene el AP más alto.", NONE),
    ("El mayor AP es el de early.", "El mayor AP es el de late.", NONE),
    ("late is the worst of the two.", "late is the best of the two.", "AP: late 0.3583, early 0.6500"),
    ("Según P@3, early es mejor que late.", "Según P@3, late es mejor que early.", NONE),
    ("AP de early es mayor que el de late.", "AP de early es menor que el de late.", NONE),
    (".5 is higher than .4.", ".4 is higher than .5.", NONE),
    ("early is better on one query and worse on 0.", "early is better on two queries and worse on 3.", NONE),
    (SWAP.format("AP falls."), SWAP.format("AP rises."), NONE),
    (SWAP.format("P@5 does not change."), SWAP.format("P@5 falls."), NONE),
    (SWAP.format("P@5 no cambia."), SWAP.format("AP no cambia."), NONE),
    (SWAP, SWAP.replace("2 and 3", "2 and 4"), OTHER),
    (SWAP.replace("Swap", "Exchange"), SWAP.replace("Swap", "Insert at"), OTHER),
    ("## Step: Move rank 5 to rank 1\ndo: move 5 1", "## Step: Move rank 1 to rank 5\ndo: move 5 1", OTHER),
    ("## Step: Mover la posición 5 a la 1\ndo: move 5 1", "## Step: Intercambiar 5 y 1\ndo: move 5 1", OTHER),
    ("Document B is relevant.", "Document K is relevant.", "there is no document K"),
    ("At rank 5 both are relevant.", "At rank 6 both are relevant.", "the longest list has 5 ranks"),
    ("Both are relevant at rank 5.", "Both are relevant at rank 6.", "the longest list has 5 ranks"),
    ("Query 1 has four.", "Query 3 has four.", "there is no query 3"),
    ("A, B and E are relevant.", "A, B and B are relevant.", "a name is there twice"),
    ("One relevant document is not in the list.", "Three relevant documents are not in the list.", NONE),
    ("Two systems answer here.", "Three systems answer here.", NONE),
    ("The last relevant document is at rank 5.", "The last relevant document is at rank 4.", NONE),
    ("The list has five documents.", "The list has six documents.", NONE),
    ("P@5 is 60 %.", "P@5 is 37 %.", "no value of P@5 here"),
    ("It gets .65 there.", "It gets .62 there.", NOTHING),
    ("From .4 to .5 is an improvement of 25 %.", "From .4 to .5 is an improvement of 30 %.", "from .4 to .5"),
    ("A drawing would help.", "The picture shows it.", "the lesson has no picture"),
    ("Two of the four relevant documents.", "Two of the five relevant documents.", NONE),
    ("Dos de los cuatro documentos relevantes.", "Dos de los cinco documentos relevantes.", NONE),
    ("early finds three, late too.", "early finds two, late too.", NONE),
    ("late encuentra tres.", "late encuentra cuatro.", NONE),
    ("The false positives: C and D.", "The false positives: B and D.", NONE),
    ("Falsos positivos: C y D.", "Falsos positivos: C y E.", NONE),
    ("Three are relevant and retrieved: A, B and E.", "Three are relevant and retrieved: A, C and E.", NONE),
    (SWAP.format("C is now at rank 2, B at rank 3."), SWAP.format("C is now at rank 3."), NONE),
    (SWAP.format("C is now at rank 2, B at rank 3."), SWAP.format("C is now at rank 2, B at rank 2."), NONE),
    (
        "| list | rank 1 | rank 2 | rank 3 |\n|---|---|---|---|\n| early | 1 | 1 | 0 |\n| late | 0 | 0 | 1 |\n",
        "| list | rank 1 | rank 2 | rank 3 |\n|---|---|---|---|\n| early | 1 | 1 | 0 |\n| late | 0 | 1 | 1 |\n",
        NONE,
    ),
    (
        "| judge | A | B | C |\n|---|---|---|---|\n| one | 1 | 1 | 0 |\n| two | 1 | 1 | 0 |\n",
        "| judge | A | B | C |\n|---|---|---|---|\n| one | 1 | 1 | 0 |\n| two | 1 | 0 | 0 |\n",
        NONE,
    ),
    ("log2 8 = 3.", "log2 9 = 3.", "this equation is false"),
    ("All four relevant documents count.", "All five relevant documents count.", NONE),
    ("Three are relevant, and two of grade 0.", "Three are relevant, and two of grade 1.", NONE),
    ("early begins with A.", "early begins with B.", NONE),
    ("A is at rank 1, B at rank 2 and E at rank 5.", "A is at rank 1, B at rank 2 and E at rank 4.", NONE),
    ("early has an AP of .65.", "early has an AP of .63.", "no value of AP here is .63"),
    ("By P@3 the first ranking is ahead.", "By P@3 the second ranking is ahead.", NONE),
    ("A share of 65 % is AP = .65.", "A share of .65 % is AP = .65.", "divides it by 100"),
    ("A share $p$ of all.", "A share $p of all.", "a mark lacks its other half"),
    ("It costs $5 and $6.", "The letter n$ costs.", "a mark lacks its other half"),
    (
        "The two questions are worth two points together.\n" + ASK.format("Q?", "answer: 2\npoints: 2"),
        "The two questions are worth three points together.\n" + ASK.format("Q?", "answer: 2\npoints: 2"),
        "the questions of the lesson are worth 2 points",
    ),
    (
        ASK.format("What is P@3 of early?", "ask: P@3 of early\nhint: Count among the first three."),
        ASK.format("What is P@3 of early?", "ask: P@3 of early\nhint: Count among the first five."),
        "and hint: the first five alone",
    ),
    (
        ASK.format("Which is better by P@3 on query 1?", "\n- [x] early\n- [ ] late\n"),
        ASK.format("Which is better by P@5 on query 1?", "\n- [x] early\n- [ ] late\n"),
        "are equal",
    ),
    (
        ASK.format("Why?", "\n- [x] At rank 2: it has 2/2 at rank 2.\n- [ ] No\n"),
        ASK.format("Why?", "\n- [x] At rank 2: it has 2/3 at rank 2.\n- [ ] No\n"),
        NONE,
    ),
    (
        "This lesson has 3 points.\n" + ASK.format("Q?", "answer: 2\npoints: 3"),
        "This lesson has 4 points.\n" + ASK.format("Q?", "answer: 2\npoints: 3"),
        "the questions of the lesson are worth 3 points",
    ),
    (
        ASK.format("What is P@5 of early?", "answer: 3/5"),
        ASK.format("What is P@5 if one of them moves?", "answer: 3/7"),
        "P@5 is a number of documents divided by 5",
    ),
    (
        ASK.format("What is P@5 if all move up?", "answer: 1"),
        ASK.format("What is P@5 if all move up?", "answer: 8/5"),
        "P@5 is between 0 and 1",
    ),
    (
        ASK.format("What is P@3 of early?", "\n- [x] 2/3\n- [ ] 1/3\n- [ ] 1\n"),
        ASK.format("What is P@5 of early?", "\n- [x] 2/3\n- [ ] 3/5\n- [ ] 1\n"),
        "P@5 is 3/5 here, not 2/3",
    ),
    (
        ASK.format("What is P@5 of early?", "\n- [x] 3/5\n- [ ] 1/2\n"),
        ASK.format("What is P@5 of early?", "\n- [x] 3/5\n- [ ] .6\n"),
        "two choices are the same",
    ),
    (
        ASK.format("Q?", "answer: 2\nwrong .6: This is 3 of 5."),
        ASK.format("Q?", "answer: 2\nwrong .8: This is 3 of 5."),
        SAYS,
    ),
    (
        ASK.format("What is the mean of .2 and .6?", "answer: .4\nwrong .8: This is the sum."),
        ASK.format("What is the mean of .2 and .6?", "answer: .4\nwrong .9: This is the sum."),
        SAYS,
    ),
    (
        ASK.format("What is P@2 of late?", "answer: 0\nbecause: P@2 has none."),
        ASK.format("What is P@2 of late?", "answer: 0\nbecause: P@1 has none."),
        "the question names P@2, and because: P@1 alone",
    ),
    (r"$F = \frac{2PR}{P + R}$", r"$F = \frac{PR}{P + R}$", FORMULA),
    (r"$P = \frac{TP}{TP + FP}$", r"$P = \frac{TP}{TP + FN}$", FORMULA),
    (r"$nDCG = \frac{DCG}{IDCG}$", r"$nDCG = \frac{IDCG}{DCG}$", FORMULA),
    (r"$AP = \frac{1}{R}\sum_{k} P(k)$", r"$AP = \frac{1}{K}\sum_{k} P(k)$", FORMULA),
    (r"$P = \frac{|rel \cap ret|}{|ret|}$", r"$P = \frac{|rel \cap ret|}{|rel|}$", FORMULA),
    ("F is 2PR / (P + R).", "F is PR / (P + R).", FORMULA),
    ("F = (beta² + 1) PR / (beta² P + R).", "F = (beta² + 1) PR / (P + beta² R).", FORMULA),
    ("(1 + .5) / 2 = .75.", "(1 + .6) / 2 = .75.", "this equation is false"),
    ("It has precision .6.", "It has precision .45.", NONE),
    ("The relevant documents are at ranks 1, 2 and 5.", "The relevant documents are at ranks 1, 3 and 5.", NONE),
    ("Grade 1 is at rank 2 of one.", "Grade 3 is at rank 2 of one.", NONE),
    ("Three relevant documents among the first five.", "Four relevant documents among the first five.", NONE),
    (
        ASK.format("What is AP of early?", "answer: .65\nhint: Divide by four."),
        ASK.format("What is AP of early?", "answer: .65\nhint: It is .65."),
        "the hint gives the answer",
    ),
    (
        ASK.format("Which?", "hint: Look at the top.\n\n- [x] The early one\n- [ ] The late one\n"),
        ASK.format("Which?", "hint: The early one has it.\n\n- [x] The early one\n- [ ] The late one\n"),
        "the hint gives the answer",
    ),
    (
        ASK.format("What is AP of early?", "answer: .65\nwrong .867: This divides the sum by three."),
        ASK.format("What is AP of early?", "answer: .65\nwrong .947: This divides the sum by three."),
        "no mistake with these numbers gives .947",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("true", "false", "reason"), TRUE_AND_FALSE)
def test_a_false_text_is_found_and_a_true_one_passes(true: str, false: str, reason: str) -> None:
    assert said(true) == []
    assert any(reason in each for each in said(false)), said(false)


P_AT_5 = ASK.format("What is P@5 of early?", "ask: P@5 of early\n{}")
AT_3 = "## Step: Cut\ndo: measure P@3\ncomputed:\n  P@3 of early = .67\n  P@3 of late = .33\n\n{}"
MORE_TRUE_AND_FALSE = [
    ("late has the lower AP.", "late has the lower P@5.", "P@5: late 0.6000, early 0.6000"),
    ("Two systems answer this query; early has the highest AP.", "They answer a query; late has the highest AP.", NONE),
    (SWAP.format("P@2 falls by 1/2."), SWAP.format("P@2 falls by 1/3."), "P@2: early 1.0000 → 0.5000"),
    (SWAP.format("AP baja en .083."), SWAP.format("AP baja en .09."), "AP: early 0.6500 → 0.5667"),
    ("Ranks 1 and 2 are relevant, ranks 3 and 4 are not relevant.", "Ranks 1 and 3 are relevant.", "Ranks 1 and 2 are"),
    ("Ranks 3 and 4 add no gain.", "Ranks 4 and 5 add no gain.", NONE),
    ("Rank 2 (grade 1) counts.", "Rank 2 (grade 3) counts.", NONE),
    ("La posición 2 tiene grado 1.", "La posición 2 tiene grado 2.", NONE),
    ("Each returns five documents.", "Each returns six documents.", NONE),
    (
        ASK.format(
            "The interval is [−.03, .09]. What is shown?", "\n- [x] A\n  The whole interval is above −.05.\n- [ ] B\n"
        ),
        ASK.format(
            "The interval is [−.03, .09]. What is shown?", "\n- [x] A\n  The whole interval is above 0.\n- [ ] B\n"
        ),
        "the interval is from -0.03 to 0.09",
    ),
    (
        "## Step: Discount\ndo: measure DCG@3\n\nBy DCG@3 early is ahead.",
        "## Step: Discount\ndo: measure nDCG@3\n\nBy DCG@3 early is ahead.",
        "the step names DCG@3, and do: means nDCG@3",
    ),
    ("AP of early is twice that of late by rank 1.", "AP of early is three times that of late.", "0.6500, late 0.3583"),
    ("P@5 of early is not half that of late.", "P@5 of early is half that of late.", "early 0.6000, late 0.6000"),
    ("AP de early es casi el doble del de late.", "AP de early es el triple del de late.", "early 0.6500, late 0.3583"),
    (SWAP.format("P@2 is halved."), SWAP.format("AP is halved."), "AP: early 0.6500 → 0.5667"),
    (SWAP.format("El cambio reduce P@2."), SWAP.format("P@2 se duplica."), "P@2: early 1.0000 → 0.5000"),
    (
        SWAP.format("The value of the first falls."),
        SWAP.format("The value of the first rises."),
        "early 0.6500 → 0.5667",
    ),
    (
        "## Step: Insert a missed document at rank 3\ndo: insert missed 3\n\nThe missed document comes to rank 3.",
        "## Step: Insert a missed document at rank 3\ndo: insert missed 3\n\nThe missed document comes to rank 4.",
        "the step names rank 4, and do: means rank 3",
    ),
    (
        "It finds 3 of 4 among the first five.",
        "It finds 2 of 4 among the first five.",
        "relevant documents: early 3, late 3",
    ),
    ("The two lists have one missed document each: D.", "The two missed documents count 0.", "1 missed documents"),
    (
        P_AT_5.format("wrong .4: This is the share of the others."),
        P_AT_5.format("wrong .4: This is recall."),
        "recall is 0.5000",
    ),
    (P_AT_5.format("wrong 1: That is P@2."), P_AT_5.format("wrong .9: That is P@2."), "P@2 is 1.0000 here, not .9"),
    (
        "P@3 of early is 2/3.\n" + P_AT_5.format(""),
        "P@5 of early is .6.\n" + P_AT_5.format(""),
        "this tells the answer of the",
    ),
    (
        ASK.format("How many?", "answer: 20\nwithin: 10"),
        ASK.format("How many?", "answer: 20\nwithin: 12"),
        "all from 8 to 32",
    ),
    (
        ASK.format("What is P@5 if B moves?", "answer: 4/5\nbecause: Four of five documents are then relevant."),
        ASK.format("What is P@5 if B moves?", "answer: 4/5\nbecause: Three of five documents are then relevant."),
        "because: computes another one",
    ),
    (
        ASK.format("Which is the best for a user who reads two documents?", "\n- [x] early\n- [ ] late\n"),
        ASK.format("Which is the best for a user who reads two documents?", "\n- [ ] early\n- [x] late\n"),
        "P@2 of early is 1.0000, and of late 0.0000",
    ),
    (
        ASK.format("Which are the best by P@5?", "right: 2\n\n- [x] early\n- [x] late\n"),
        ASK.format("Which are the best by P@3?", "right: 2\n\n- [x] early\n- [x] late\n"),
        "P@3 of early is 0.6667, and of late 0.3333",
    ),
    (
        "Each question is worth two points.\n" + ASK.format("Q?", "answer: 2\npoints: 2"),
        "Each question is worth two points.\n" + ASK.format("Q?", "answer: 2"),
        "has points: 1",
    ),
    (SWAP.format("AP goes from .65 to .57."), SWAP.format("AP goes from .65 to .56."), "AP: 0.6500"),
    (SWAP.format("AP baja de 0.65 a 0.57."), SWAP.format("AP baja de 0.57 a 0.65."), "AP: 0.6500"),
    (
        SWAP.format("Its average precision falls from .65 to .57."),
        SWAP.format("Its average precision falls from .63 to .57."),
        "AP: 0.6500",
    ),
    (SWAP.format("B's precision falls from 2/2 to 2/3."), SWAP.format("B's precision falls from 1/2 to 2/3."), NONE),
    (SWAP.format("La precisión de E va de 3/5 a 3/5."), SWAP.format("La precisión de E va de 3/5 a 2/5."), NONE),
    ("By AP early is ahead of late.", "By AP early is behind late.", "AP: early 0.6500, late 0.3583"),
    ("Según AP, early va por delante de late.", "Según AP, early va por detrás de late.", NONE),
    (
        AT_3.format("late is behind the one that gives early."),
        AT_3.format("early is behind the one that gives late."),
        NONE,
    ),
    (AT_3.format("With K = 3 they differ."), AT_3.format("With K = 5 they differ."), "the step names K = 5"),
    (AT_3.format("At P@3 they differ."), AT_3.format("At P@10 they differ."), "the step names P@10"),
    (
        ASK.format("What is P@5 if B moves?", "answer: 4/5\nbecause: 2 + 2 = 4 of five."),
        ASK.format("What is P@5 if B moves?", "answer: 4/5\nbecause: 2 + 1 = 3 of five."),
        "because: computes another one",
    ),
]


@pytest.mark.parametrize(("true", "false", "reason"), MORE_TRUE_AND_FALSE)
def test_more_that_is_false_is_found(true: str, false: str, reason: str) -> None:
    test_a_false_text_is_found_and_a_true_one_passes(true, false, reason)


COMPARED = """---
title: T
measure: P@2
show: compare
run: new
rankings:
  old: 1 0 0; new: 1 1 0
  ---
  old: 0 0 1; new: 1 0 0
  ---
  old: 1 0 0; new: 1 0 0
  ---
  old: 0 0 1 | R=1; new: 0 0 0
---
"""


@pytest.mark.parametrize(
    ("true", "false", "reason"),
    [
        (
            "The difference is not significant.",
            "new is significantly better than old.",
            "the tests of Compare have p from",
        ),
        ("new no es significativamente mejor.", "new es significativamente mejor.", "the tests of Compare have p from"),
        (
            "“new is significantly better” would be wrong.",
            "The two differ significantly.",
            "the tests of Compare have p",
        ),
        ("Two systems answer four queries.", "Two systems answer five queries.", "systems answer 4 queries"),
        ("On query 4 the answer is not found.", "On query 2 the answer is not found.", NONE),
        (
            "RR of query 1 is twice that of no other.",
            "P@2 of query 1 is three times that of query 3.",
            "new 1.0000 (query 1); P@2: old 0.5000",
        ),
    ],
)
def test_what_is_said_of_several_queries(true: str, false: str, reason: str) -> None:
    assert said(true, COMPARED) == []
    assert any(reason in each for each in said(false, COMPARED)), said(false, COMPARED)


@pytest.mark.parametrize(
    ("false", "computed"),
    [
        ("The second relevant document is at rank 3.", "second relevant document is at rank 2 (early)"),
        ("Two of the first five documents are relevant.", "3 of the first five documents are relevant"),
        ("It has precision .45.", "precision .50"),
        ("K is at rank 2.", ""),
        ("A, B and C are relevant.", "A, B and E are relevant"),
        ("late begins with A.", "begins with C (late)"),
        (SWAP.format("AP rises."), "AP: early 0.6500 → 0.5667"),
        (".4 is higher than .5.", ".4 < .5"),
        ("early is better on two queries and worse on 3.", "1 + 0, 0 + 1"),
        ("| | A | B | C |\n|---|---|---|---|\n| one | 1 | 1 | 0 |\n| two | 1 | 0 | 0 |\n", "two | 1 | 1 | 0"),
    ],
)
def test_a_fault_names_what_is_computed(false: str, computed: str) -> None:
    meant = [reason.partition("; computed is: ")[2] for reason in said(false) if reason.startswith(NONE)]
    assert meant == ([computed] if computed else [])


def test_a_fault_in_a_formula_names_the_formula() -> None:
    faults = faults_of(parse_lesson(f"{HEAD}F is 2PR / (P × R), $P = \\frac{{TP}}{{TP + FN}}$.\n", "l.md"))
    assert [fault.hint for fault in faults] == ["the formula is TP / (TP + FP)", "the formula is 2PR / (P + R)"]


@pytest.mark.parametrize("against", ["against", "frente a"])
def test_the_second_of_two_lists_of_ranks_is_read(against: str) -> None:
    four = HEAD.replace("1 1 0 0 1 | R=4", "1 1 1 1 0 0").replace("0 0 1 1 1", "0 1 0 1 1 1")
    assert said(f"The same documents: 1, 2, 3, 4 {against} 2, 4, 5, 6.", four) == []
    assert said(f"The same documents: 1, 2, 3, 4 {against} 2, 3, 5, 6.", four)[0].startswith(NONE)


def test_a_measure_that_is_named_is_computed_whichever_is_in_view() -> None:
    of_five = HEAD.replace("AP", "P@5").replace("1 1 0 0 1", "0 1 1 0 1")  # AP = (1/2 + 2/3 + 3/5) / 4
    step = "## Step: Intercambiar las posiciones 1 y 2\ndo: swap 1 2\n\nAP sube de 0.44 a {}."
    assert said(step.format("0.57"), of_five) == []
    for false in ("0.54", "0.60", "0.44"):
        assert said(step.format(false), of_five)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Two documents have grade 3.", "Four documents have grade 3."),
        ("1 of 2 queries has it.", "1 of 3 queries has it."),
        ("Both answer the same two queries.", "Both answer the same three queries."),
        (
            "Query 1 has four relevant documents, and query 2, one.",
            "Query 1 has four relevant documents, and query 2, two.",
        ),
        ("DCG@4 is 4 for query 1, and 1 for query 2.", "DCG@4 is 1 for query 1, and 1 for query 2."),
        ("DCG es 1 en la consulta 2.", "DCG es 1 en la consulta 1."),
        ("By P@1 query 1 has 1 and query 2 has 0; the mean is .5.", "By P@1 query 1 has 1 and query 2 has 1."),
        ("By P@2 queries 1 and 2 have .5.", "By P@2 queries 1 and 2 have 1."),
        ("Según P@1, la consulta 2 tiene 0; la media es 0.5.", "Según P@1, la consulta 2 tiene 0; la media es 1."),
        ("DCG@4 of query 2 is 1.", "DCG@3 of query 2 is 1. DCG@3 falls. So DCG@3 is it."),
    ],
)
def test_grades_and_queries_are_counted(true: str, false: str) -> None:
    assert said(true, GRADED) == []
    (reason,) = said(false, GRADED)
    assert reason.startswith((NONE, "the lesson shows DCG@4, and speaks of DCG@3 alone"))


@pytest.mark.parametrize(
    "text",
    [
        "If late were better than early by P@3, P@5 would be .37.",
        "Another collection has 50 queries, and its document X is at rank 90 for query 7.",
        "A typical p-value is .037.",
        "`.37` is no value here.",
        "The standard deviation of the differences is .19, a test gives p = .62.",
        "late starts at 0 and early at 1; it falls by .29 from .65 to .36.",
        "That is 37 % less to read.",
        "Recall of .9 is rare.",
        "See section 3.2 and table 1.4.",
        "The assessors needed 2.5 hours.",
        "A kappa of .42 is moderate.",
        "It is not .37.",
        "AP is .65 when nothing moves; when a rank is lost, P@5 is .37.",
        "A stopping probability of .15 is customary.",
        "Precision matters: 37 % of the users stop there.",
        "Nobody reads up to rank 20.",
        "The exam has 20 points.",
        "Query 3 is no longer part of this collection.",
        "A mean of .2 and .6 is .4.",
        ASK.format(
            "The mean is .30 for one and .33 for two. By how much is two better?",
            "answer: .1\nbecause: .03 / .30 = .1.",
        ),
        ASK.format("What is .03 of .3 in percent?", "answer: 10 %\nbecause: .03 / .3 = 10 %."),
        "By some measure an engine is the best, by another the worst.",
        "A web search engine has a P@5 of .37.",
        "A student says that late is better than early by AP.",
        "It is wrong that late has the higher AP.",
        "Es falso que AP de late es mayor que el de early.",
        "Faltan dos documentos no relevantes.",
        SWAP.format("Does AP rise? No, it falls."),
        SWAP.format("¿AP sube? No, baja."),
        SWAP.format("AP falls by a bit less than .09."),
        "AP is 0, " + "and so on, " * 300 + "1 + 1 = 3.",
        ASK.format("Two values are .13 and .27. What is their sum?", "answer: .4\nbecause: .13 + .27 = .4."),
        ASK.format(
            "AP is .59 with 3 documents and .75 with 2. What is the mean?",
            "answer: .67\nwrong .654: This weights the two.\nbecause: (.59 + .75) / 2 = .67.",
        ),
        ASK.format(
            "Which exchange of neighbours raises AP most?",
            "\n- [x] Ranks 4 and 5\n  E comes to rank 4, with a precision of 3/4, not 3/5.\n- [ ] Ranks 1 and 2\n",
        ),
        ASK.format(
            "How many of seven wins does a sign test need?",
            "answer: 7\nwithin: 0\nbecause: With seven of seven it is 2/128 = .016.",
        ),
    ],
)
def test_what_is_supposed_elsewhere_or_given_is_passed_over(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Two of the four documents have grade 1 or 2.", "Three of the four documents have grade 1 or 2."),
        ("Two of the four documents have grade 2 or higher.", "Three of the four documents have grade 2 or higher."),
        ("Uno de los cuatro documentos tiene el grado 1.", "Dos de los cuatro documentos tienen el grado 1."),
    ],
)
def test_a_count_of_grades_in_a_list(true: str, false: str) -> None:
    head = "---\ntitle: T\nmeasure: P(rel=2)@4\nlevel: 2\nrankings: 2 0 3 1\n---\nThe level goes down from 2 to 1.\n\n"
    step = "\n\n## Step: Read leniently\ndo:\n  level 1\n  measure P(rel=1)@4\n"
    assert said(true + step, head) == []
    assert [reason.partition(";")[0] for reason in said(false + step, head)] == [NONE]


@pytest.mark.parametrize(("true", "false"), [("falls", "rises"), ("falls by .34", "falls by .25")])
def test_a_measure_without_its_parameter_is_the_one_in_view_before_and_after(true: str, false: str) -> None:
    head = HEAD.replace("measure: AP", "measure: RBP(p=.5)")
    text = "## Step: A patient reader\ndo: measure RBP(p=.8)\n\nRBP {}.\n"
    head = head.replace("\n  late: 0 0 1 1 1", "")  # .5 × (1 + .5 + .0625), .2 × (1 + .8 + .4096)
    assert said(f"RBP is .78 here.\n\n{text.format(true)}", head) == []
    assert said(text.format(false), head) == [f"{NONE}; computed is: RBP: early 0.7813 → 0.4419"]


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("d-1 and d-3 are relevant, d-2 is not relevant.", "d-1 and d-2 are relevant."),
        ("d-3, at rank 2 of query 7, is found.", "d-3, at rank 1 of query 7, is found."),
        ("One is relevant for the second query.", "Two relevant for the second query."),
        ("first has the mean over two queries.", "first has the mean over three queries."),
        ("Two runs answer the same two queries.", "Three runs answer them."),
        ("first is better than second on one of two queries.", "first is better than second on two of two queries."),
        ("They agree on d-2.", "They agree on d-3."),
        (
            ASK.format("Which is better by P@1 on query 8?", "\n- [x] second\n  It begins with d-1.\n- [ ] first\n"),
            ASK.format("Which is better by P@1 on query 8?", "\n- [x] second\n  It begins with d-2.\n- [ ] first\n"),
        ),
    ],
)
def test_documents_runs_and_queries_of_files(
    true: str, false: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.qrels").write_text("7 0 d-1 1\n7 0 d-2 0\n7 0 d-3 1\n8 0 d-1 1\n8 0 d-2 0\n8 0 d-3 0\n")
    ranked = {"first": ("7 d-1 d-3 d-2", "8 d-2 d-1 d-3"), "second": ("7 d-2 d-1 d-3", "8 d-1 d-2 d-3")}
    for name, lists in ranked.items():
        lines = [(query, document, n) for query, *ids in map(str.split, lists) for n, document in enumerate(ids, 1)]
        (tmp_path / f"{name}.run").write_text("".join(f"{q} Q0 {d} {n} {9 - n} {name}\n" for q, d, n in lines))
    head = "---\ntitle: T\nmeasure: P@1\nqrels: a.qrels\nruns: first.run, second.run\n---\n\n"
    for text, status, said in ((true, 0, ""), (false, 2, ":8:1: no ranking" if "\n" not in false else ":10:1: no")):
        (tmp_path / "l.md").write_text(head + text.replace("\n\n-", "\n-") + "\n", encoding="utf-8")
        assert main(["lesson", str(tmp_path / "l.md"), "--check"]) == status, capsys.readouterr().err
        assert said in capsys.readouterr().err


def test_a_picture_of_a_lesson_is_shown_by_it_whatever_its_folder_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "course"
    folder.mkdir()
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4"/></svg>'
    (folder / "a.svg").write_text(svg, encoding="utf-8")
    (folder / "one.md").write_text(HEAD + "![a circle](a.svg)\n", encoding="utf-8")
    (folder / "course.md").write_text("---\ntitle: C\nlessons:\n  one.md\n---\n", encoding="utf-8")
    for place, name in ((tmp_path, "course"), (folder, "."), (folder, "../course/"), (tmp_path, str(folder))):
        monkeypatch.chdir(place)
        assert main(["lesson", name, "--check"]) == 0, capsys.readouterr().err


def test_lessons_that_are_not_there_and_pictures_that_none_shows_are_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.md").write_text(HEAD + "The lesson “Second” and the lesson `b2` go on.\n", encoding="utf-8")
    (tmp_path / "two.md").write_text(HEAD.replace("title: T", "title: Second") + "[before](one.md)\n", encoding="utf-8")
    assert main(["lesson", str(tmp_path), "--check"]) == 0
    assert main(["lesson", str(tmp_path / "one.md"), "--check"]) == 0
    (tmp_path / "two.md").write_text(HEAD + "The lesson “Third” and [this](four.md).\n", encoding="utf-8")
    (tmp_path / "drawing.png").write_bytes(b"")
    capsys.readouterr()
    assert main(["lesson", str(tmp_path), "--check"]) == 2
    said = capsys.readouterr().err
    for part in (
        "no lesson 'Second'",
        "no lesson 'Third'",
        "no lesson 'four.md'",
        "drawing.png",
        "no lesson shows this",
    ):
        assert part in said
