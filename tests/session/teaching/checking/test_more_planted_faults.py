"""More of what a lesson says and nothing computes: ranks, levels, chances, hints, choices, steps that do nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.cli.main import main
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.model.lessons.course import course_of
from irviewer.session.teaching.checking.course_references import false_references
from irviewer.session.teaching.checking.faults import faults_of

# early: relevant at ranks 1, 2 and 5, one of four was missed; late: at ranks 3, 4 and 5
HEAD = "---\ntitle: T\nmeasure: AP\nrankings:\n  early: 1 1 0 0 1 | R=4\n  late: 0 0 1 1 1\n---\n"
DCG = "---\ntitle: T\nrules: textbook\nmeasure: DCG@5\nrankings: 4 3 0 1 2 | ideal 4 3 3 3 2 2 1\n---\n"
LEVELS = "---\ntitle: T\nmeasure: P(rel=3)@5\nlevel: 3\nrankings: 5 2 4 1 3 | ideal 5 5 4 3 2 2 1\n---\n"
QUERIES = "\n  ---\n".join(["  old: 0 1; new: 1 0"] * 5 + ["  old: 1 0; new: 0 1"])
COMPARE = f"---\ntitle: T\nmeasure: P@1\nshow: compare\nrun: new\nrankings:\n{QUERIES}\n---\n"
SWAP = "## Step: Swap ranks {}, and watch AP\ndo: swap {}\n\n{}\n"
ASK = "## Question: {}\n{}"
NONE = "no ranking here is as this says"


def said(text: str, head: str = HEAD) -> list[str]:
    """The faults of a lesson, by their reasons."""
    return [fault.reason for fault in faults_of(parse_lesson(f"{head}{text}\n", "l.md"))]


@pytest.mark.parametrize(
    ("true", "false", "reason"),
    [
        ("Rank 1 is not discounted, rank 3 is discounted.", "Rank 1 is discounted.", NONE),
        ("La posición 3 se descuenta.", "La posición 3 no se descuenta.", NONE),
        ("AP divides by four relevant documents.", "AP divides by five relevant documents.", NONE),
        ("The precision at rank 5, where recall is 3/4.", "The precision at rank 4, where recall is 3/4.", NONE),
        (
            SWAP.format("2 and 3", "2 3", "A term falls from 2/2 to 2/3 at ranks 2 and 3."),
            SWAP.format("2 and 3", "2 3", "A term falls from 3/2 to 3/3 at ranks 2 and 3."),
            NONE,
        ),
        (
            "A test at the level .05 is wrong in one of twenty cases.",
            "A test at the level .05 is wrong in one of fifty cases.",
            ".05 is one of 20",
        ),
        (
            ASK.format("What does p = .141 say?", "\n- [x] It comes in about 14 of 100 such experiments.\n- [ ] No\n"),
            ASK.format("What does p = .141 say?", "\n- [x] It comes in about 15 of 100 such experiments.\n- [ ] No\n"),
            "p = .141 is 14 of 100",
        ),
        (
            ASK.format("What of ERR?", "\n- [ ] It has no discount.\n- [ ] It has no grades.\n- [x] It stops.\n"),
            ASK.format("What of ERR?", "\n- [ ] It has no discount.\n- [ ] It has no discount\n- [x] It stops.\n"),
            "two choices are the same",
        ),
        (
            ASK.format("What is P@5 of late?", "ask: P@5 of late\nhint: Count among five."),
            ASK.format("What is P@4 of late?", "ask: P@4 of late\nhint: Half of the first four are right."),
            "the hint gives the answer",
        ),
        (
            ASK.format("At which rank?", "\n- [x] None\n- [ ] 3/5\n  This is the precision at rank 5.\n"),
            ASK.format("At which rank?", "\n- [x] None\n- [ ] 3/5\n  This is the precision at rank 4.\n"),
            "P@4 is 0.5000 here, not 3/5",
        ),
        (
            SWAP.format("2 and 3", "2 3", "A relevant document moves down."),
            SWAP.format("1 and 2", "1 2", "A relevant document moves down."),
            "all documents that change places have the same grade: no value changes",
        ),
        (
            SWAP.format("1 and 2", "1 2", "Nothing changes."),
            SWAP.format("1 and 2", "1 2", ""),
            "all documents that change places have the same grade: no value changes",
        ),
        (
            "P@2 of early is 1 and P@3 is .667.\n\n" + ASK.format("By how much does P@K fall?", "answer: .333"),
            "P@K falls by .333 there.\n\n" + ASK.format("By how much does P@K fall?", "answer: .333"),
            "this tells the answer of the question in line 10",
        ),
        (
            ASK.format("The interval is [−.038, .098]. What now?", "\n- [x] No\n  The limit is .098.\n- [ ] Yes\n"),
            ASK.format("The interval is [−.038, .098]. What now?", "\n- [x] No\n  The limit is .089.\n- [ ] Yes\n"),
            "the question gives .098, not .089",
        ),
        (
            "The deviation of a share: the standard deviation of a share $p$ is $\\sqrt{p(1-p)/n}$.",
            "The deviation of a share: the standard deviation of a share $p$ is $\\sqrt{p(1+p)/n}$.",
            "this is not the formula of the measure",
        ),
        (
            ASK.format("Which is best for a user who needs as many relevant documents as possible?",
                       "\n- [x] late\n  It finds more.\n- [ ] early\n"),
            ASK.format("Which is best for a user who needs as many relevant documents as possible?",
                       "\n- [ ] late\n  It finds more.\n- [x] early\n"),
            "SetR of late is 1.0000, and of early 0.7500",
        ),
    ],
)  # fmt: skip
def test_a_false_text_is_found_and_a_true_one_passes(true: str, false: str, reason: str) -> None:
    head = HEAD.replace("0 0 1 1 1", "0 0 1 1 1 1") if "as many" in true else HEAD
    assert said(true, head) == []
    assert any(each.startswith(reason) for each in said(false, head)), said(false, head)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Rank 4 is halved.", "Rank 3 is halved."),
        (
            "Las posiciones 1 y 2 no se descuentan, la 4 cuenta la mitad.",
            "La posición 4 se descuenta, la 5 cuenta la mitad.",
        ),
        ("The discount is 1 / log2(max(rank, 2)).", "The discount is 1 / log2(max(rank, 1))."),
        ("Two 3s and a 2 that were never retrieved are left.", "Three 3s and a 2 that were never retrieved are left."),
        ("Quedan tres 3 y un 2 que no se recuperaron.", "Quedan dos 3 y un 2 que no se recuperaron."),
    ],
)
def test_discounts_and_missed_grades(true: str, false: str) -> None:
    missed = DCG.replace("3 3 3 2", "3 3 3 3 2") if "tres" in true else DCG
    assert said(true, missed) == []
    assert [each.partition(";")[0] for each in said(false, missed)] == [NONE]


def test_a_step_may_name_other_cutoffs_beside_its_own() -> None:
    step = "## Step: {}\ndo:\n  measure P@4\n  cutoff 4\n\n{} Reports give several: P@1, P@5.\n"
    assert said(step.format("Cut both at rank 4", "So it is.")) == []
    assert said(step.format("Cut both", "With K = 4 it is another one.")) == []
    assert "the step names K = 5, and do: means K = 4" in said(step.format("Cut both", "With K = 5 it is another one."))


@pytest.mark.parametrize(
    "text",
    [
        "At the level .05, one of ten systems is significantly better.",
        "In this lesson, read *slowly*.",
        "The lesson follows a book; see *Information Retrieval* by Rijsbergen.",
        "This lesson has a source: see *Information Retrieval*.",
    ],
)
def test_other_shares_and_books_are_passed_over(text: str) -> None:
    assert said(text) == []
    assert list(false_references(course_of(parse_lesson(f"{HEAD}{text}\n", "l.md")))) == []


@pytest.mark.parametrize(
    ("title", "does"),
    [
        ("Bajar el nivel a 2", "level 2"), ("Subir el nivel a 4", "level 4"), ("Lower the level to 1", "level 1"),
        ("Move the cutoff down to 3", "cutoff 3"), ("Exchange the discount", "rules trec_eval"),
    ],
)  # fmt: skip
def test_a_level_a_cutoff_or_a_rule_can_be_moved(title: str, does: str) -> None:
    assert said(f"## Step: {title}\ndo: {does}\n", LEVELS) == []


def test_levels_and_grades_that_contradict_each_other() -> None:
    text = "From level 3 to 4 it falls from 3/4 to {}.\n"
    assert said(text.format("2/3"), LEVELS) == []
    assert said(text.format("1/3"), LEVELS)[0].startswith(NONE)
    assert said("", LEVELS.replace("level: 3", "level: 2")) == ["P(rel=3)@5 counts grade 3 and higher"]
    step = "## Step: Set the gain of grade 1 to 0\ndo: measure nDCG(gains={{{}: 0}})@5\n"
    assert said(step.format(1), LEVELS) == []
    assert said(step.format(2), LEVELS) == ["the step names grade 1, and do: means grade 2"]


def test_the_p_of_a_test_is_that_of_the_test_that_is_named() -> None:
    # five wins of six: the sign test has p = 14/64 = .219, the t-test of 1 1 1 1 1 -1 t(5) = 2, p = .102
    text = "## Step: Show it\nrun: new\n\nThe paired t-test gives p = {}, the sign test p = {}.\n"
    assert said(text.format(".102", ".219"), COMPARE) == []
    assert said(text.format(".219", ".102"), COMPARE) == [
        "the p of this test is 0.1019 here, not .219",
        "the p of this test is 0.2188 here, not .102",
    ]


def test_the_sum_down_to_the_rank_above() -> None:
    text = ASK.format(
        "What is the AP sum at rank 5 of early?",
        "ask: AP sum at 5 of early\nbecause: The sum so far is {}. P@5 is added.",
    )
    assert said(text.format("2.00")) == []
    assert said(text.format("1.50")) == ["AP sum is 2.0000 here, not 1.50"]


def test_a_lesson_to_be_seen_and_the_ranks_in_the_text_of_a_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    lesson = (
        HEAD
        + "![Five boxes: ranks 1, 2 and 5 are filled](a.svg)\n\nFor the lesson with grades see *T*. Read *slowly*.\n"
    )
    (tmp_path / "l.md").write_text(lesson)
    assert main(["lesson", str(tmp_path), "--check"]) == 0, capsys.readouterr().err
    (tmp_path / "l.md").write_text(lesson.replace("2 and 5", "2 and 4").replace("*T*", "*U*"))
    assert main(["lesson", str(tmp_path), "--check"]) == 2
    err = capsys.readouterr().err
    assert "there is no lesson 'U'" in err
    assert f"{NONE}; computed is: ranks 1, 2 and 5 are filled" in err
