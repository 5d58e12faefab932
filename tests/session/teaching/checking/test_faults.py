"""``irviewer lesson --check`` refuses what a lesson says and the program does not compute, with line and column."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irviewer.cli.main import main
from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.model.lessons.lesson import Lesson
from irviewer.session.teaching.checking.faults import faults_of
from irviewer.session.teaching.checking.translations import differences

HEAD = "---\ntitle: T\nmeasure: AP\nrankings:\n  a: 1 0 1 | R=4\n  b: 0 1 1\n{more}---\n{items}"
SOURCE = "(Author, “heading”)"


def checked(tmp_path: Path, capsys: pytest.CaptureFixture[str], items: str = "", more: str = "") -> tuple[int, str]:
    """The status of the command, and what it says after the name of the file."""
    file = tmp_path / "l.md"
    file.write_text(HEAD.format(items=items, more=more), encoding="utf-8")
    status = main(["lesson", str(file), "--check"])
    said = capsys.readouterr()
    out = re.split("\nread yourself |\nthe check judges |\nwhat you have read ", said.out)[0]  # what is left to read
    return status, (said.err or out).removeprefix(f"irviewer: {file}:").strip()


@pytest.mark.parametrize("lesson", bundled_course("").lessons, ids=lambda lesson: lesson.id)
def test_the_lessons_of_the_program_are_true(lesson: Lesson) -> None:
    assert faults_of(lesson) == ()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("computed: AP = .5\n", "7:11: AP is 0.4167 here, not .5 [AP = .5]; write the value"),
        ("computed: AP = .5 because of this\n", "7:11: AP is 0.4167 here, not .5"),
        ("computed:\n  P@1 = 1\n  AP of b = .5\n", "9:3: AP is 0.2917 here, not .5"),
        (
            f"printed: AP = .43 {SOURCE}\n",
            "7:10: AP is 0.4167 here, not .43 [AP = .43]; correct the value, or write after the brackets why",
        ),
        (f"printed: P@1..2 = 1 .9 {SOURCE}\n", "7:10: P@2 is 0.5000 here, not .9"),
    ],
)
def test_a_false_value_is_refused(more: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = checked(tmp_path, capsys, more=more)
    assert status == 2
    assert text.startswith(said)


def test_true_values_and_explained_ones_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = f"printed:\n  AP = .42 {SOURCE}\n  AP = .43 {SOURCE} rounds on the way\ncomputed: AP of b = .2917\n"
    assert checked(tmp_path, capsys, more=more) == (0, "1 lesson without faults")


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("do: swap 1 9", "9:5: There is no rank 9: the list has only 3 ranks"),
        ("do:\n  swap 1 2\n  move 9 1 in b", "11:3: There is no rank 9: the list has only 3 ranks"),
        ("do:\n  cut 2\n  swap 2 3", "11:3: There is no rank 3: the list has only 2 ranks"),
        ("do: up 4", "9:5: There is no rank 4"),
        ("do: judge 4 1", "9:5: There is no rank 4"),
        ("do: judge 1 9", "9:5: 9 is not on the scale of "),
        ("do: insert missed 6", "9:5: There is no rank 6"),
        ("do: swap 2 2", "9:5: this changes nothing"),
        ("do: up 1", "9:5: this changes nothing"),
        ("do: fewest swaps .01", "9:5: this changes nothing"),
        ("do: swap 1 2\ncomputed: AP = .9", "10:11: AP is 0.2917 here, not .9"),
        ("do: swap 1 2 in b\ncomputed: AP of b = .2917", "10:11: AP is 0.4167 here, not .2917"),
    ],
)
def test_a_step_that_cannot_be_done_is_refused(
    step: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = checked(tmp_path, capsys, f"## Step: S\n{step}\n")
    assert status == 2
    assert text.startswith(said)


@pytest.mark.parametrize(("does", "said"), [("measure AP", "9:5: this changes nothing"), ("measure P@2", "")])
def test_a_step_that_chooses_what_is_chosen_already_is_refused(
    does: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = checked(tmp_path, capsys, f"## Step: S\ndo: {does}\n")
    assert (status, text) == (0, "1 lesson without faults") if not said else status == 2 and text.startswith(said)


def test_every_step_begins_with_the_lists_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = "## Step: S\ndo: cut 1\n## Step: T\ndo: swap 2 3\ncomputed: AP = 1/2\n"
    steps += "## Question: Q\nask: AP of a\nwrong .25: x\n"
    assert checked(tmp_path, capsys, steps) == (0, "1 lesson without faults")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "ask: AP of a\nwrong .4\n",
            "10:1: the colon is missing [wrong .4]; write wrong .4: why it is wrong, or",
        ),
        ("ask: AP of a\nwrong .4 This adds P@2.\n", "10:1: the colon is missing"),
        (
            "ask: AP of a\n\nwrong .4: This adds P@2.\n",
            "11:1: this wrong answer is in the text [wrong .4: This",
        ),
        ("answer .4\n", "9:1: the colon is missing [answer .4]; write answer: …"),
        ("ask: AP of a\nwrong: This adds P@2.\n", "10:8: the wrong answer is missing"),
        ("ask: AP of a\nwrong .42: Rounded.\n", "10:1: .42 is the right answer, or too close to it"),
        ("ask: P@K at 3 of a\nwrong 2/3: Half.\n", "10:1: 2/3 is the right answer"),
        ("answer: Cleverdon\nwrong cleverdon: No.\n", "10:1: cleverdon is the right answer"),
        ("answer: 4\nwithin: 1\nwrong 5: No.\n", "11:1: 5 is the right answer"),
        ("\n- [x] one\n- [ ] two\n", ""),
        ("wrong 2: No.\n\n- [x] one\n- [ ] two\n", "8:1: the question has choices and wrong answers"),
        ("ask: judgments(1)\n", "9:6: "),
        ("ask: AP of a\nbecause: it is $\\foo$.\n", "10:17: \\foo is not known in formulas [$\\foo$]"),
        (
            "ask: AP of a\nbecause: $\\frc{1}{2}$\n",
            "10:11: \\frc is not known in formulas [$\\frc{1}{2}$]; did you mean \\frac?",
        ),
        ("\n- [x] $x^$\n- [ ] $x$\n", "10:10: there is nothing after ^"),
        ("ask: AP of a\nhint: $\\frac{1}$\n", "10:16: there is no group in braces after \\frac"),
        ("answer: 5\nbecause: It costs $5 and $6, `$\\foo$`.\n", ""),
        ("ask: AP of a\npoints: 0\n", "10:9: this is no number of points [0]; write a number above 0"),
        ("ask: AP of a\npoints: many\n", "10:9: this is no number of points [many]"),
        ("ask: AP of a\npoints: 1001\n", "10:9: this is no number of points"),
        ("ask: AP of a\nhint:\n", "10:6: the hint is missing"),
        ("ask: AP of a\nhint costs: .5\n", "10:13: there is no hint that could cost this"),
        ("ask: AP of a\nhint: h\nhint costs: -1\n", "11:13: this is no number of points [-1]"),
        ("ask: AP of a\nhint: h\nhint costs: nan\n", "11:13: this is no number of points [nan]"),
        ("ask: AP of a\npoints: 2\nhint: h\nhint costs: 3\n", "12:13: the hint costs more than the question is worth"),
        ("ask: AP of a\nanswer: .5\n", "8:1: AP is 0.4167 here, not .5 [Q]; keep ask: alone, or correct answer:"),
        ("ask: P@K at 3 of a\nanswer: 1/3\n", "8:1: P@K is 0.6667 here, not 1/3"),
        ("ask: AP of a\nanswer: average precision\n", "8:1: AP is 0.4167 here, not average precision"),
        ("ask: AP of a\nanswer: 5/12\n", ""),
        ("ask: AP of a\nanswer: .42\n", ""),
        ("ask: AP of a\nwithin: .001\nanswer: .42\n", "8:1: AP is 0.4167 here, not .42"),
        ("ask: AP of a\nquery: 9\n", "10:1: there is no query 9 [query: 9]; use one of: 1"),
        ("ask: AP of a\ncomputed: AP of a = .5\n", "10:11: AP is 0.4167 here"),
        ("answer: 2\nwrong 3: No.\nwrong 3.0: Why?\n", "11:1: 3.0 is there twice: its reason would never be said"),
        ("answer: one\nwrong two: No.\nwrong  Two: Why?\n", "11:1: Two is there twice"),
        (
            "answer: .63\nbecause: (.62 + .44) / 2 = .53.\n",
            "10:1: the answer is .63, and because: computes another one",
        ),
        ("answer: .53\nbecause: (.62 + .44) / 2 = .53.\n", ""),
        ("answer: .63\nbecause: (.62 + .44) / 2 = .63.\n", "10:1: this equation is false [(.62 + .44) / 2 = .63]"),
        ("answer: 1\nwrong 2: 1/3 + 1/2 = .9.\n", "10:1: this equation is false [1/3 + 1/2 = .9]"),
        ("\n- [x] one\n  2 × 3 = 7.\n- [ ] two\n", "8:1: this equation is false [2 * 3 = 7]"),
        (f"answer: .7\nprinted: P@3 of a = .67 {SOURCE}\n", "8:1: the answer is .7, and P@3 = .67 is beside it"),
        (f"answer: 2/3\nprinted: P@3 of a = .67 {SOURCE}\n", ""),
        (f"answer: .7\nprinted: P@3 of a = .7 {SOURCE} rounded\n", ""),
        ("answer: 2 3\nwithin: 0\n", "8:1: 2 3 is not a number, and within: is for numbers [Q]; correct answer:"),
        ("answer: 2 3 4\nwrong 20: No.\n", "8:1: 2 3 4 is not a number, and a wrong answer is one [Q]; write the"),
        ("answer: twelve\nwithin: .1\n", "8:1: twelve is not a number, and within: is for numbers"),
        ("answer: 4 4 3 2\nwrong 4 3 3 2: No.\n", ""),
        ("answer: 2 3\n", "8:1: 2 3 is not a number [Q]; write the number without spaces, or another spelling of the"),
        ("answer: 2 3 | 2, 3\n", ""),
        ("answer: Cleverdon.\n", "9:1: this answer ends with a full stop [Cleverdon.]; remove it"),
        ("answer: 4.\n", "9:1: this answer ends with a full stop [4.]"),
        ("answer: .5.\n", "9:1: this answer ends with a full stop [.5.]"),
        ("answer: U.S.\n", ""),
        ("answer: Cleverdon\nwrong Salton.: No.\n", "10:1: this answer ends with a full stop [Salton.]"),
        ("answer: U.S.A.\n", ""),
        ("answer: approx. | approx\n", ""),
        ("\n- [x] one\n- [x] two\n", "8:1: 2 choices are marked as right [Q]; mark one alone, or write right: 2"),
        ("right: 2\n\n- [x] one\n- [ ] two\n", "8:1: 1 choice is marked as right [Q]"),
        ("right: 2\n- [x] one\n- [x] two\n- [ ] three\n", ""),
        ("right: 4\n- [x] one\n- [x] two\n", "9:8: so many choices cannot be right [4]; write how many are"),
        ("right: 1\nanswer: 1\n", "9:8: the question has no choices"),
        ("cutoff: 4\nask: AP of a\n", "9:1: the longest list has 3 ranks [cutoff: 4]; write a rank that a list has"),
        ("cutoff: 3\nask: AP of a\n", ""),
        ("ask: Judged@4 of a\n", "8:1: the longest list has 3 ranks [cutoff: 4]"),
        ("ask: P@3 of a\nbecause: Two of three are: 1/3.\n", "10:1: the answer is 0.6667, and because: computes"),
        ("ask: P@3 of a\nbecause: Two of three are: 2/3.\nwrong .5: This is P@2 of a.\n", ""),
        ("ask: P@3 of a\nwrong .33: This is P@1.\n", "10:1: P@1 is 1.0000 here, not .33 [.33]; correct the answer or"),
        ("ask: P@3 of a\nwrong .5: This is P@2.\n", ""),
        ("answer: twelve\nwrong 11: No.\n", ""),
        ("answer: 1 000\nwrong 100: No.\n", ""),
        ("answer: 23\nwrong 2 0: No.\n", "10:1: the answer is a number, and 2 0 is never compared with it [2 0]"),
        ("answer: 23\nwrong twenty: No.\n", "10:1: the answer is a number, and twenty is never compared"),
        ("answer: 23 | 24\n", "9:1: the answer is a number, and 24 is never compared with it [24]; write a number"),
        ("answer: .5 | 1/2\n", ""),
        ("answer: 315000\nbecause: 1400 × 225 = 31 500.\n", "8:1: this equation is false [1400 * 225 = 31500]"),
        ("answer: 315000\nbecause: 1400 × 225 = 315 000. 2 000 000 are more.\n", ""),
    ],
)
def test_answers_that_cannot_be_meant_are_refused(
    question: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = checked(tmp_path, capsys, f"## Question: Q\n{question}")
    assert (status, text) == (0, "1 lesson without faults") if not said else status == 2 and text.startswith(said)


@pytest.mark.parametrize(
    ("more", "text", "said"),
    [
        (
            "",
            "At rank {{k}}.",
            "8:9: these braces have no values [{{k}}]; write the values in the header, such as: vary",
        ),
        ("", "## Question: What is P@{{ K }}?\nanswer: 1", "8:24: these braces have no values [{{ K }}]"),
        ("", "## Question: Q\nanswer: 1\nbecause: {{}}", "10:10: these braces have no values [{{}}]"),
        ("vary: k = 1, 2\n", "{{k}} and {{k + 1}}", "9:7: these braces have no values [{{k + 1}}]"),
        ("vary: k = 1, 2\n", "{{k}} and {k}", "9:7: these braces have no values [{k}]"),
        ("vary: k = 1, 2\n", "{{k}} and {{k}", "9:7: these braces have no values [{{k}]"),
        ("vary: k = 1, 2\n", "{{k}} and {n}, $x_{k}$", ""),
        ("", "`{{k}}` and $x^{{n}}$ and {k}\n\n```\n{{k}}\n```", ""),
    ],
)
def test_braces_without_values_are_refused(
    more: str, text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = checked(tmp_path, capsys, f"{text}\n", more)
    assert (status, text) == (0, "1 lesson without faults") if not said else status == 2 and text.startswith(said)


def test_a_question_without_a_value_is_refused() -> None:
    lesson = parse_lesson(
        "---\ntitle: T\nrules: gdeval\nrankings: 0 0\n---\n## Question: What is nDCG@10?\nask: nDCG@10\n"
    )
    (fault,) = faults_of(lesson)
    assert "the question asks for what has no value here" in str(fault)
    assert fault.line == 6


def test_positions_do_not_tell_lessons_apart() -> None:
    """A lesson whose file got a comment is the same lesson: what was answered is kept."""
    text = HEAD.format(
        more="computed: AP = .4167\n", items="## Step: S\ndo: cut 1\n## Question: Q\nanswer: 1\nwrong 2: n\n"
    )
    assert parse_lesson(text) == parse_lesson(text.replace("title: T", "# a comment\ntitle: T"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("## Question: Q\n\n- [x] one\n  Yes.\n- [ ] two\n  No.\n\nbecause: One.\n", "15:1: this field is in the text"),
        ("## Question: Q\n\n- [x] one\n  Yes.\n- [ ] two\nbecause: One.\n", "13:1: this field is in the text [because"),
        ("## Question: Q\nanswer: 1\n\nhint costs: 1\n", "11:1: this field is in the text [hint costs: 1]; write it"),
        ("## Question: Q\nanswer: one\n\nwrong two: No.\n", "11:1: this field is in the text [wrong two: No.]"),
        ("## Step: S\n\ndo: swap 1 2\n", "10:1: this field is in the text [do: swap 1 2]"),
        ("## Question: Q\nanswer: 1\n\nOf the following\npoints: a, b.\n\n```\nanswer: 2\n```\n", ""),
        ("## Question: Q\n\n- [x] one\nbecause it is.\n- [ ] two\n", "11:1: this line below a choice is not indented"),
        ("## Question: Q\n\n- [x] one\n\nText.\n- [ ] two\n", ""),
        ("# Question: Q\nanswer: 1\n", "8:1: this heading begins no section [# Question: Q]; write ## before"),
        ("### Step: S\n", "8:1: this heading begins no section"),
        ("## Step: S\n# step: a comment\ncutoff: 2\n\n# Steps\n\n### Steps: many\n\n```\n# Step: S\n```\n", ""),
        ("A share of \\frac{1}{2}$ or more.\n", "8:12: this is in no formula [\\frac]; write $ before"),
        ("$\\frac{1}{2}$, `\\frac`, 5\\$, a\\*b, C:\\\\new\n\n```\n\\sum\n```\n", ""),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 |\n", "11:1: the first row has 2 cells [| 3 |]; write as many cells"),
        ("| a | b |\n|---|---|\n| $|A|$ | 2 |\n", "10:1: the first row has 2 cells"),
        ("a | b\n--|:-:\n1 \\| 2 | 3\n| 4 | 5 |\n\nx | y | z\n", ""),
        ("Two and 2 + 2 = 5.\n", "8:1: this equation is false [2 + 2 = 5]"),
        (
            "## Step: S\ncutoff: 2\n\nNow $\\frac{3}{4} \\cdot 2 = 1.6$.\n",
            "8:1: this equation is false [((3)/(4)) * 2 = 1.6]",
        ),
        ("## Question: Q\nanswer: 1\nhint: 1/2 + 1/3 = .9\n", "10:1: this equation is false [1/2 + 1/3 = .9]"),
        ("$P = \\frac{3}{4} = .75$, $x \\frac{1}{2} = 3$, $\\log_2 8 = 3$, $\\sqrt{1 + 1} = 1.41$, $2^3 = 8$\n", ""),
        ("## Question: Q\nanswer: 25\nbecause: 1/4.\n", "10:1: the answer is 25, and because: computes another one"),
        ("## Question: Q\nanswer: .25\nbecause: 1/4.\n", ""),
        ("## Question: What is P@2 of a?\nask: P@3 of a\n", "8:1: the question names P@2, and ask: means P@3 [What is"),
        ("## Question: What is P@2 of a?\nask: P@K at 3 of a\n", "8:1: the question names P@2, and ask: means P@3"),
        ("## Question: What is P@2 of a?\nask: P@K at 2 of a\n", ""),
        ("## Question: What is R@2 of a?\nask: P@2 of a\n", "8:1: the question names R@2, and ask: means P@2"),
        (
            "## Question: What is the AP sum at rank 2?\nask: AP sum at 3\n",
            "8:1: the question names rank 2, and ask: means rank 3",
        ),
        (
            "## Question: ¿Cuál es la suma de AP en la posición 2?\nask: AP sum at 1\n",
            "8:1: the question names rank 2,",
        ),
        ("## Question: Ranks 1 and 2 are read. What is P@3?\nask: P@3 of a\n", ""),
        ("## Question: What is AP of b?\nask: AP\n", "8:1: the question names b, and ask: means a [What is AP of b?]"),
        ("## Question: What is AP of a system that returns b?\nask: AP of b\n", ""),
        (
            "## Question: What is P@2 of b?\nanswer: .75\n",
            "9:1: P@2 is 0.5000 here, not .75 [.75]; correct answer:, or",
        ),
        ("## Question: What is P@2 of b?\nanswer: .5\n", ""),
        ("## Question: What is P@2 of a system that returns nothing?\nanswer: 0\n", ""),
        (
            "AP of a is .4167, and of b .2971.\n",
            "8:1: no value here is .2971, and one is .2917 [.2971]; correct the number",
        ),
        ("AP of a is .4167, and of b .2917; `.2971` and .30 are others.\n", ""),
        ("## Step: S\ndo: swap 1 2\n\nAP falls to .45.\n", "11:1: no ranking here is as this says; computed is: AP: "),
        ("## Step: S\ndo: swap 1 2\n\nAP falls from .4167 to .2917. With p = .04 this is chance.\n", ""),
        ("Bora Bora is very very far, y está muy muy lejos.\n", ""),
        ("It is the the first.\n", "8:1: a word is there twice [the the]; remove one"),
        ("All that that list has\nis in in the table.\n", "9:1: a word is there twice [in in]; remove one"),
        ("It said that that\nis so. A `the the` and $x x$.\n", ""),
        ("It is **bold.\n", "8:1: a mark lacks its other half [**]; write ** ** around the text"),
        ("“So it is.\n\n- a\n", "8:1: a mark lacks its other half [“]"),
        ("„So ist es“, sagt er; die die da sind.\n\nNous nous en allons.\n", ""),
        ("„So ist es.\n", "8:1: a mark lacks its other half [„]"),
        ("So\n**it** is **and\nnot**.\n", ""),
        ("## Question: P@2 of a is .5. What is it of the other?\nask: P@2 of b\n", ""),
        ("## Question: The document at rank 2 is not relevant. What is the AP sum at the end?\nask: AP sum at 3\n", ""),
        ("## Step: S\ndo: swap 1 2\n\nFor P@5 at least .75 is wanted.\n", ""),
        ("## Question: Q?\nask: P@3 of a\nwrong 0.4: This is AP@3.\n", ""),
        ("“So **it** is”, he\nsaid\\*\\*.\n\n¿Sí? No?\n", ""),
        ("## Question: P@2 is .5. What of P@3?\nask: P@3 of a\n## Question: Is AP so?\nask: AP@2 of a\n", ""),
    ],
)
def test_slips_of_the_pen_are_found(text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = checked(tmp_path, capsys, text)
    assert (status, text) == (0, "1 lesson without faults") if not said else status == 2 and text.startswith(said)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is P@2 of query 2?\nask: P@2\n", "the question names query 2, and ask: means the mean of all queries"),
        ("What is P@2 of query 2?\nask: P@2, query 1\n", "the question names query 2, and ask: means query 1"),
        ("What is P@K at rank 2 of query 2?\nquery: 2\nask: P@K at 2\n", ""),
        ("Query 1 has .5, and query 2 has 1. What is the mean of P@2?\nask: P@2\n", ""),
    ],
)
def test_a_query_other_than_the_one_named_is_found(question: str, said: str) -> None:
    head = "---\ntitle: T\nmeasure: P@2\nrankings:\n  1 0 1\n  ---\n  1 1 0\n---\n"
    faults = faults_of(parse_lesson(f"{head}## Question: {question}"))
    assert [fault.reason for fault in faults] == ([said] if said else [])


@pytest.mark.parametrize(("said", "agrees"), [("0", False), ("1", False), (".2", True), ("1/5", True), ("0.0", False)])
def test_a_whole_0_or_1_is_no_rounded_share(said: str, agrees: bool) -> None:
    lesson = parse_lesson(f"---\ntitle: T\nrankings: 1 0 0 0 0\ncomputed: P@5 = {said}\n---\n")
    assert (not faults_of(lesson)) == agrees


def test_a_level_that_no_document_has_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = checked(tmp_path, capsys, more="level: 3\n")
    assert status == 2
    assert text.startswith("7:1: no document has grade 3 or higher [level: 3]")


def faults(head: str, items: str) -> list[str]:
    lesson = parse_lesson(f"---\ntitle: T\n{head}\n---\n{items}\n")
    return [f"{fault.line}: {fault.reason} [{fault.text}]" for fault in faults_of(lesson)]


ONE = "measure: P@5\nrankings: 1 0 1 0 0 1 | R=4"
STATED = "no ranking here is as this says"
VALUES = "AP: early 1.0000, late 0.5833, last 0.4167"
OTHER = "the other language has other numbers or documents here"


def as_said(fault: str) -> str:
    """A fault without what is computed."""
    return re.sub(r"; computed is: .*? \[", " [", fault)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The document at rank 2 is relevant.", "The document at rank 2 is relevant"),
        ("Rank 2 is not relevant, and rank 3 is relevant.", ""),
        ("El documento de la posición 3 no es relevante.", "El documento de la posición 3 no es relevante"),
        ("The third relevant document is at rank 5.", "third relevant document is at rank 5"),
        ("El tercer documento relevante está en la posición 6.", ""),
        ("B is at rank 3.", "B is at rank 3"),
        ("D is at rank 4 and F at rank 6, and Z is at rank 1.", ""),
        ("Three of the first five documents are relevant.", "Three of the first five documents are relevant"),
        ("Two of the first five documents are relevant; dos de los tres primeros documentos son relevantes.", ""),
        ("Son relevantes tres de los cuatro documentos.", "Son relevantes tres de los cuatro documentos"),
        ("Five documents of the collection are relevant.", "Five documents of the collection are relevant"),
        ("Four documents are relevant. Two documents are relevant among the first four.", ""),
        ("Query 1 has three relevant documents.", "Query 1 has three relevant documents"),
        ("Two relevant documents were never retrieved.", "Two relevant documents were never retrieved"),
        ("A, B and C are relevant.", "A, B and C are relevant"),
        ("A, C and F are relevant, B is not relevant; D, E and F are judged.", ""),
        ("P@4 divides by 5.", "P@4 divides by 5"),
        ("It has precision 3/4 and recall 1/2.", "precision 3/4"),
        ("It has precision 2/4 and recall 1/2, `precision 3/4`. With precision 3/5 it would be better.", ""),
        ("Recall .5 is reached at rank 2.", "Recall .5 is reached at rank 2"),
        ("At rank 4 the discount is .63.", "At rank 4 the discount is .63"),
        ("At rank 3 the discount is .63; la posición 4 se multiplica por el factor 0.5.", ""),
        ("It fails on 6 of 5 queries. The top 100 of 5 queries.", "6 of 5 queries"),
        ("If rank 2 is relevant, more is found.", ""),
        ("Three of the first five documents are not relevant; it finds 3 of 4, so one is sought.", ""),
        ("Two of the five documents read are not relevant.", "Two of the five documents read are not relevant"),
        ("It finds 2 of 4.", "finds 2 of 4"),
        ("From 1/1 at rank 1 to 2/3 at rank 3, recall 2/4 at rank 4.", ""),
        ("It is 1/4 at rank 3, 1/2 and 2/3 at rank 3.", "1/4 at rank 3"),
        ("It is 1/3 at rank 3, and 1/2 at rank 3, as 2/4 is.", "1/3 at rank 3"),
        ("Who reads to rank 4 finds 2 of 4; at rank 2 she finds 1 of 4.", ""),
        ("Quien lee hasta la posición 4 encuentra 2 de 4.", ""),
        ("By rank 4 it finds 4 of 4.", "finds 4 of 4"),
        ("Two are missing from the first page. Faltan dos en la primera página, y faltan dos horas.", ""),
        ("Faltan dos.", "Faltan dos"),
        ("In a list of 1000 documents, the tenth relevant document is at rank 40.", ""),
        ("Un sistema con precisión 2/5 y exhaustividad 4/4. For example, A is at rank 2.", ""),
        ("Uno de los dos primeros documentos no es relevante ni se ha juzgado.", ""),
        ("At rank 16 the discount is .25.", ""),
        ("At rank 16 the discount is .24.", "At rank 16 the discount is .24"),
        ("C está en la posición 3 del primer sistema.", ""),
        ("Two are missing.", "Two are missing"),
        ("Elsewhere two of ten documents are relevant, it finds 2 of 3, with recall 2/3 and precision 1/9.", ""),
        ("G and H were never judged. B and C were never judged.", "B and C were never judged"),
    ],
)
def test_what_no_ranking_is_like_is_found(text: str, said: str) -> None:
    assert [*map(as_said, faults(ONE, text))] == [f"1: {STATED} [{each}]" for each in said.split("|") if each]


def test_a_count_in_a_step_is_about_what_it_leads_to() -> None:
    step = "## Step: Swap\ndo: swap 4 6\n\n{} of the first four documents are relevant."
    assert faults(ONE, step.format("Three")) == []
    computed = "computed is: 3 of the first four documents are relevant"
    assert faults(ONE, step.format("Two")) == [
        f"6: {STATED}; {computed} [Two of the first four documents are relevant]"
    ]


TWO = "measure: P@3\nrankings:\n  early: 1 1 0 0\n  late: 0 1 1 0\n  last: 0 0 1 1"


@pytest.mark.parametrize(
    ("title", "right", "said"),
    [
        ("Which ranking has the higher AP?", "late", "AP of early is 1.0000, and of late 0.5833"),
        ("Which ranking has the higher AP?", "early", ""),
        ("Which ranking has the highest P@3?", "early", "P@3 of early and of late are equal"),
        ("Which ranking has the highest P@3?", "Neither", ""),
        ("Which ranking has the highest AP?", "Neither", "AP of early is 1.0000, and of last 0.4167"),
        ("¿Qué lista es la mejor según la precisión media?", "last", "AP of early is 1.0000, and of last 0.4167"),
        ("Which ranking is the best at K = 1?", "late", "P@1 of early is 1.0000, and of late 0.0000"),
        ("Which ranking has the lower AP?", "last", ""),
        ("Which ranking would be better by AP?", "last", ""),
        ("Which ranking is better for you?", "late", ""),
    ],
)
def test_a_mark_is_decided_by_the_values(title: str, right: str, said: str) -> None:
    choices = [f"- [{'x' if name == right else ' '}] {name}\n" for name in ("early", "late", "last", "Neither")]
    reasons = faults(TWO, f"## Question: {title}\n\n{''.join(choices)}")
    assert reasons == ([f"9: {said} [{title}]"] if said else [])


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("Swap ranks 2 and 3\ndo: swap 3 4", "rank 2, rank 3, and do: means rank 4"),
        ("Move B to rank 1\ndo: move 2 1", ""),
        ("Move C to rank 1\ndo: move 2 1", "C, and do: means B"),
        ("Cut at rank 3\ndo: measure P@2\n  cutoff 3", ""),
        ("Cut at rank 3\ndo: measure P@2\n  cutoff 2", "rank 3, and do: means rank 2"),
        ("Cortar en la posición 3\ndo: measure P@2", "rank 3, and do: means rank 2"),
        ("Give rank 2 grade 3\ndo: judge 2 1", "grade 3, and do: means grade 1"),
        ("Change the grade of rank 2 from grade 0 to 1\ndo: judge 2 1", ""),
        ("Raise the level from 0 to 1, after swapping ranks 2 and 3\ndo:\n  swap 2 3\n  level 1", ""),
        ("Put C ahead of the document at rank 2\ndo: up 3", ""),
        ("Put C ahead of the document at rank 1\ndo: up 3", "rank 1, and do: means rank 2, rank 3"),
        ("Show P@2\ndo: measure P@4", "P@2, and do: means P@4"),
        ("Show P@2\ndo: measure R@2", "P@2, and do: means R@2"),
        ("Less\ndo: measure P@4\n\nBy P@2 it is another.", "P@2, and do: means P@4"),
    ],
)
def test_a_step_does_what_it_names(step: str, said: str) -> None:
    reasons = faults("measure: AP\nrankings: 1 0 1 0", f"## Step: {step}")
    title = step.partition("\n")[0]
    assert reasons == ([f"6: the step names {said} [{title}]"] if said else [])


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ("By P@3 the order of the lists is late, early, last.", ""),
        (
            "By AP the order of the lists is late, early, last.",
            f"{STATED}; computed is: {VALUES} [late, early, last]",
        ),
        (
            "The gain is divided by log2(rank + 1).",
            "the lesson has another discount: log2(max(rank, 2)) [log2(rank + 1)]",
        ),
        ("The gain is divided by log2(rank + 1), as trec_eval does.", ""),
        ("P@2 is (1 + 0) / 2 = .5. DCG@2 is 1 + 2 = 3.", "no value of DCG@2 here is 3 [3]"),
        ("## Step: Show P@2\ndo: measure P@2\n\nOne ranking has .5.", ""),
        ("## Step: Show P@2\ndo: measure P@2\n\nOne ranking has .67.", "no value of P@2 here is .67 [.67]"),
        (
            "## Question: Q?\nask: CG at 2 of late\nwrong 2: This is the sum down to rank 1.",
            "CG@1 is 1.0000 here, not 2 [2]",
        ),
        ("A is at rank 1 of the second system.", f"{STATED}; computed is: C is at rank 1 (late) [A is at rank 1]"),
        ("On query 1, by AP the order of the lists is late, early, last.", ""),
        (
            r"It is divided by $\log_2(rank + 1)$.",
            "the lesson has another discount: log2(max(rank, 2)) [log_2(rank + 1)]",
        ),
        ("The difference in P@3 is .2. AP is .42 higher for early. AP es .42 mayor. A typical AP is .3.", ""),
        ("In TREC-8 P@3 is .76. Smith (2005): P@3 is .6. Un valor habitual de AP es .3, y el cambio de AP es .1.", ""),
        (
            "The mean of P@3 over the lists is .56. The mean of P@3 is .67, and P@3 is .6.",
            "no value of P@3 here is .6 [.6]",
        ),
        ("## Step: Show P@2\ndo: measure P@2\n\nThe change in P@2 is .25.", ""),
        ("## Step: Show P@2\ndo: measure P@2\n\nThe change of P@2 is from .5 to .61.", "no value here is .61 [.61]"),
        (
            "## Question: At which rank is half found?\nanswer: 2\n"
            "because: The first relevant document is at rank 1, the second at rank 2.",
            "",
        ),
        ("P@3 is .9. AP would be .9, and P@3 is .33 / .33 = 1.", "no value of P@3 here is .9 [.9]"),
        (
            "## Question: At which rank is half found?\nanswer: 2\nbecause: The first relevant document is at rank 1.",
            "the answer is 2, and because: names rank 1 [The first relevant document is at rank 1.]",
        ),
        (
            "## Question: What is the mean of .62 and .46?\nanswer: .53\nbecause: (.62 + .44) / 2 = .53.",
            "the question gives .46, and its reason computes with .44 [.46]",
        ),
        ("## Question: Of .2, .3 and .5, what is twice .3?\nanswer: .6\nbecause: 2 × .3 = .6.", ""),
        (
            "## Question: Q?\nask: P@3 of late\nwrong .5: This is the precision at rank 3.",
            "P@3 is 0.6667 here, not .5 [.5]",
        ),
        (
            "## Question: The second list is cut. How high is its precision?\nask: P@2 of early",
            "the question names late, and ask: means early [The second list is cut. How high is its precision?]",
        ),
        ("## Question: The second list has .5. What has the first?\nask: P@2 of early", ""),
        ("## Question: Other than for the list early, what is P@2 when late is read?\nask: P@2 of late", ""),
    ],
)
def test_more_that_contradicts_is_found(items: str, said: str) -> None:
    reasons = [fault.partition(": ")[2] for fault in faults(TWO, items)]
    assert reasons == ([said] if said else [])


def test_statistics_that_compare_does_not_show_are_found() -> None:
    lesson = bundled_course("en").lesson("significance")
    assert lesson is not None
    text = Path(lesson.path).read_text(encoding="utf-8").replace("t = 9.0", "t = 8.0").replace("p = .140", "p = .104")
    said = [fault.reason for fault in faults_of(parse_lesson(text))]
    assert said == ["Compare shows no t of 8.0 here", "Compare shows no p of .104 here"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "1, 3, 4, 5, 6, 10",
            "1, 3, 4, 5, 7, 10",
            f"{OTHER}: 7 here, 6 there",
        ),
        ("wrong .93", "wrong .94", "in the other language: wrong: 0.6, 0.94 here, 0.6, 0.93 there"),
        (
            "## Question: Why",
            "## Question: At rank 9, why",
            f"{OTHER}: 9 here, — there",
        ),
        ("Both have six.", "Query 1 and query 2: both have six.", f"{OTHER}: 1, 2 here, — there [Query 1 and query 2"),
        ("measure P@10", "measure P@5", "in the other language: do: measure P@5 here, measure P@10 there"),
        ("  late: 0 1", "  late: 1 0", "this is another one in the other language: rankings: A B C"),
        ("## Question: Why", "## Step: S\n\n## Question: Why", "the other language has 3 steps and questions"),
        ("Both have six.", "Both have 6, whatever K is.", ""),
        ("Both have six.", "Both have a half of twelve.", ""),
        (
            "P@10 and R@10 do not depend on the order of the first ten documents; AP does.",
            "P@10 y R@10 no dependen del orden de los diez primeros documentos; AP sí.",
            "md:21:1: the other language has the same text, untranslated",
        ),
        (
            "Both have six.",
            "Both have seven.",
            f"{OTHER}: 7 here, 6 there",
        ),
        ("Both have six.", "$K$: both have six.", "the other language has other formulas here"),
    ],
)
def test_languages_have_the_same_numbers(
    old: str, new: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    english, spanish = (bundled_course(language).lesson("b6") for language in ("en", "es"))
    assert english is not None
    assert spanish is not None
    file = tmp_path / Path(spanish.path).name
    text = Path(english.path).read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    status = main(["lesson", str(file), "--check", "--second", spanish.path])
    assert (status, said in capsys.readouterr().err) == (2 if said else 0, True)


def test_queries_are_compared_in_their_order_and_the_sentence_is_named() -> None:
    english = parse_lesson(
        "---\ntitle: Two\nrankings:\n  1 0\n  ---\n  0 1\n  ---\n  0 0 1\n---\n"
        "It doubles. DCG is 1 for query 1, and 0 for query 3. Both are the values.\n"
    )
    of_spanish = [
        parse_lesson(f"---\ntitle: Dos\nrankings:\n  1 0\n  ---\n  0 1\n  ---\n  0 0 1\n---\n{text}\n", "es.md")
        for text in (
            "Se duplica. DCG es 1 en la consulta 1, y 0 en la consulta 3. Ambos son los valores.",
            "Se duplica. DCG es 1 en la consulta 3, y 0 en la consulta 1. Ambos son los valores.",
            "Es la mitad del doble. DCG es 1 en la consulta 1, y 0 en la consulta 2. Ambos son los valores.",
        )
    ]
    said = [[f"{fault.reason} [{fault.text}]" for fault in differences(english, each)] for each in of_spanish]
    named = "[DCG is 1 for query 1, and 0 for query 3.]"
    assert said == [[], [f"{OTHER}: 1, 3 here, 3, 1 there {named}"], [f"{OTHER}: 1, 3 here, 1, 2 there {named}"]]


QUERIES = "---\ntitle: {}\nrankings:\n  1 0\n  ---\n  0 1\n  ---\n  0 0 1\n---\nBy the values, por los valores: {}\n"


@pytest.mark.parametrize(
    ("english", "spanish", "is_same"),
    [
        ("Query 2 is worse than query 1.", "La consulta 1 es mejor que la consulta 2.", True),
        (
            "At rank 5 query 2 is .3 below query 1.",
            "En la posición 5 la consulta 1 está 0.3 por encima de la consulta 2.",
            True,
        ),
        ("Query 2 has 2, and query 1 has 4.", "La consulta 1 tiene 4, y la consulta 2 tiene 2.", True),
        ("Queries 1 and 3 have 4 in common.", "Las consultas 3 y 1 tienen 4 en común.", True),
        ("Neither query 3 nor query 2 has 1 at rank 2.", "Ni la consulta 2 ni la consulta 3 tienen 1 en 2.", True),
        ("Query 2 has .2, and query 1 has .4.", "La consulta 1 tiene 0.2, y la consulta 2 tiene 0.4.", False),
        ("For query 2 it is 2, for query 3 it is 4.", "En la consulta 3 es 2, en la consulta 2 es 4.", False),
    ],
)
def test_a_translation_may_name_queries_in_another_order(english: str, spanish: str, is_same: bool) -> None:
    lesson = parse_lesson(QUERIES.format("Two", english))
    faults = list(differences(lesson, parse_lesson(QUERIES.format("Dos", spanish), "es.md")))
    assert (not faults) == is_same


def test_languages_that_are_beside_each_other_are_compared_unasked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for language in ("en", "es", "notes of mine"):
        (tmp_path / language).mkdir()
    texts = {language: bundled_course(language).lesson("b6") for language in ("en", "es")}
    files = {language: tmp_path / language / "b6.md" for language in texts}
    for language, lesson in texts.items():
        assert lesson is not None
        files[language].write_text(Path(lesson.path).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "notes of mine" / "b6.md").write_text("no lesson", encoding="utf-8")
    for name in (tmp_path / "en", files["es"]):
        assert main(["lesson", str(name), "--check"]) == 0
        said = capsys.readouterr().out
        assert f"compared with 1 lesson in {tmp_path / ('es' if name.name == 'en' else 'en')}" in said
    text = files["en"].read_text(encoding="utf-8")
    files["en"].write_text(text.replace("1, 3, 4, 5, 6, 10", "1, 3, 4, 5, 7, 10"), encoding="utf-8")
    assert main(["lesson", str(tmp_path / "en"), "--check"]) == 2
    assert f"{OTHER}: 7 here, 6 there" in capsys.readouterr().err
    files["es"].write_text("---\ntitle\n", encoding="utf-8")
    assert main(["lesson", str(files["en"]), "--check"]) == 2
    assert f"{files['es']}:" in capsys.readouterr().err
