"""Questions of lessons: right and wrong answers with their reasons; while they are asked no value is in sight."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.model.lessons.lesson import Question, WrongAnswer
from irviewer.session.session import Session
from irviewer.session.teaching.answers import answered, number_in

LESSON = """---
title: T
measure: AP
rankings: 1 0 1 1 0 | R=4
---
Text.

## Question: What is P@3?
ask: P@3
wrong .5: That is recall.
wrong 2: That is the count.
because: 2 of 3.

## Question: Which is true?
order: kept

- [x] one
  reason one
- [ ] two
  reason two
- [x] three
  reason three

## Question: Who?
answer: Cleverdon | Cyril Cleverdon | Cléverdon, C.
"""


def test_a_hint_is_shown_on_request_and_only_while_it_helps() -> None:
    text = "---\ntitle: T\nrankings: 1 0 1\n---\n## Question: Q\nhint: Count.\nask: P@2\n## Question: R\nask: P@3\n"
    session = Session()
    assert session.teaching.open(parse_lesson(text, "l.md"))
    assert not session.teaching.show_hint()  # nothing is asked yet
    session.teaching.go()
    assert session.teaching.hint == ""
    assert session.teaching.show_hint()
    assert session.teaching.hint == "Count."
    session.teaching.go()
    assert session.teaching.hint == ""
    assert not session.teaching.show_hint()
    session.teaching.go(-1)
    assert session.teaching.hint == "Count."
    session.teaching.restart_example()
    session.teaching.go()
    assert session.teaching.hint == ""
    session.teaching.answer(".5")
    assert not session.teaching.show_hint()  # it is answered


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "l.md").write_text(LESSON)
    session = Session()
    assert session.teaching.open_lesson(str(tmp_path / "l.md"))
    return session


def given(session: Session) -> tuple[bool, str]:
    answer = session.teaching.given
    assert answer is not None
    return answer.right, answer.reason


def test_a_number_is_right_to_two_decimals_and_a_known_mistake_has_its_reason(session: Session) -> None:
    assert not session.teaching.is_asking
    assert session.teaching.go()
    assert session.teaching.is_asking
    for text, expected in {
        "0.5": (False, "That is recall."), "2": (False, "That is the count."), "0.7": (False, "Give more digits."),
        "0.6": (False, ""), "many": (False, "'many' is not a number."), ".66": (False, ""),
    }.items():  # fmt: skip
        assert not session.teaching.answer(text)
        assert given(session) == expected
    for text in ("2/3", "0.67", ".6667", "66.7 %"):
        assert session.teaching.answer(text)
        assert given(session) == (True, "2 of 3.")
    assert not session.teaching.is_asking


def test_choices_are_all_the_right_ones_and_no_other(session: Session) -> None:
    session.lessons.show_place(2)
    assert not session.teaching.answer("one")  # it has choices
    assert not session.teaching.choose([0, 1])
    assert given(session) == (False, "reason two")
    assert not session.teaching.choose([0])
    assert given(session) == (False, "Right so far, but not complete.")
    assert session.teaching.choose([2, 0])
    assert given(session) == (True, "reason one\n\nreason three")


def test_a_word_is_right_in_any_case_and_the_answer_is_shown_when_asked_for(session: Session) -> None:
    session.lessons.show_place(3)
    assert not session.teaching.answer("Cleverdon Cyril")
    for text in ("cyril  CLEVERDON", "cleverdon, c.", " cleverdon"):
        assert session.teaching.answer(text)
    session.lessons.show_place(1)
    assert session.teaching.is_asking
    assert session.teaching.show_answer()
    assert not session.teaching.is_asking
    assert session.teaching.given is not None
    assert session.teaching.given.text == ".6667"
    session.lessons.show_place(3)
    assert given(session)[0]  # what was answered stays


def test_while_a_question_asks_query_has_no_values(session: Session) -> None:
    def values() -> list[float]:
        view_model = session.view_models.query_view_model()
        assert view_model is not None
        return [column.value for column in view_model.columns] + [v for row in view_model.metrics for v in row.values]

    shown = values()
    assert len(shown) > 5
    assert not any(map(math.isnan, shown))
    session.teaching.go()
    assert all(map(math.isnan, values()))
    session.teaching.answer("2/3")
    assert values() == shown
    session.lessons.show_place(3)
    assert all(map(math.isnan, values()))
    session.teaching.set_teaching(False)
    assert values() == shown


def test_the_value_asked_for_is_of_its_ranking_and_query() -> None:
    text = "---\ntitle: T\nrankings:\n  a: 1 0\n  b: 0 1\n  ---\n  a: 0 1\n---\n## Question: Q\nask: {}\n"
    for asked, value in {"RR of b, query 1": 0.5, "RR of a, query 2": 0.5, "RR of a": 0.75}.items():
        lesson = parse_lesson(text.format(asked))
        session = Session()
        session.lessons.open_lesson(lesson)
        session.lessons.show_place(1)
        question = session.teaching.question
        assert question is not None
        assert session.teaching.computed(question) == pytest.approx(value)


TWICE = """---
title: T
measure: RR
rankings:
  a: 0 1 0
  b: 0 0 1
---
## Step: Judge
do: judge 1 1

## Step: Swap
do: swap 1 2

## Step: Move
do: move 3 1 in b

## Question: Q
ask: {asked}
"""


@pytest.mark.parametrize(("asked", "value"), [("RR of a", 1 / 2), ("RR of b", 1 / 3), ("P@K at 1", 0.0)])
def test_a_question_is_about_the_lists_as_the_lesson_has_them(asked: str, value: float) -> None:
    """Steps before it judged a document and swapped others."""
    session = Session()
    session.teaching.open(parse_lesson(TWICE.format(asked=asked)))
    for place in (1, 2, 3):
        session.lessons.show_place(place)
        assert session.teaching.do_example_step()
    session.lessons.show_place(4)
    question = session.teaching.question
    assert question is not None
    assert session.teaching.computed(question) == pytest.approx(value)
    assert session.teaching.answer(f"{value:.4f}")


def test_before_a_question_the_lists_are_put_back_and_redo_changes_them_again() -> None:
    session = Session()
    session.teaching.open(parse_lesson(TWICE.format(asked="P@K at 1 of a")))
    collection = session.view.collection
    assert collection is not None
    for _ in range(3):
        assert session.teaching.go()
        assert session.teaching.do_example_step()
    assert session.teaching.go()
    now = session.view.collection
    assert now is not None
    assert [run.name for run in now.runs] == ["a", "b"]
    assert now.judgments[0].qrels.judgments("1") == collection.judgments[0].qrels.judgments("1")
    table = session.lecture_table.view_model()
    assert table is not None
    assert table.halves[0].ranking.grade(1) == 0
    assert session.teaching.answer("0")
    session.history.redo()
    assert session.teaching.given is not None
    assert session.teaching.given.right


def test_a_question_with_choices_has_the_lists_of_the_file_too() -> None:
    session = Session()
    session.teaching.open_example("b2")
    session.lessons.show_place(1)
    assert session.teaching.do_example_step()
    assert session.teaching.go()
    assert session.teaching.question is not None
    assert session.run_editing.edited_run is None
    assert session.history.redo()
    assert session.run_editing.edited_run is not None


@pytest.mark.parametrize(
    "text", ["9" * 30 + ".5", "9" * 400 + ".5", "." + "4" * 400, "-" + "9" * 30 + ",5", "9" * 5000]
)
def test_a_number_of_any_length_is_an_answer(text: str) -> None:
    question = Question("Q?", answer="5", wrong=(WrongAnswer("6", "w"),))
    given = answered(question, text, None, 1)
    assert (given.right, given.rounded, given.reason) == (False, False, "")


@pytest.mark.parametrize(
    "text", ["315000", "315 000", "315\N{NO-BREAK SPACE}000", "315\N{NARROW NO-BREAK SPACE}000", "315.000", "315,000"]
)
def test_spaces_and_signs_between_thousands_are_read(text: str) -> None:
    question = Question("Q?", answer="315000", within=0.0, wrong=(WrongAnswer("1 625", "a sum"),))
    assert answered(question, text, None, 1).right
    assert answered(question, "1.625", None, 1).reason == "a sum"
    million = Question("Q?", answer="148 000 000", within=0.0)
    assert all(answered(million, each, None, 1).right for each in ("148.000.000", "148,000,000", "148 000 000"))
    assert not answered(million, "148.000,000", None, 1).right


@pytest.mark.parametrize("text", ["1 5", "31 50", "0 .5", "3 1500", "1 000 00"])
def test_other_spaces_are_in_no_number(text: str) -> None:
    assert number_in(text) is None


def test_a_point_is_a_decimal_point_where_no_thousands_are_wanted() -> None:
    assert answered(Question("Q?", answer=".125", within=0.0), "0.125", None, 1).right
    assert not answered(Question("Q?", answer="1", within=0.0), "1.000.000", None, 1).right


def test_a_question_about_a_query_shows_it_if_it_names_no_other() -> None:
    text = "---\ntitle: T\nrankings:\n  1 0 1\n  ---\n  0 1 1\n---\n## Question: One\nask: AP, query 2\n"
    text += "## Question: Two\nquery: 1\nask: AP, query 2\n## Question: Three\nask: DCG at 3, query 2\n"
    session = Session()
    assert session.lessons.open_lesson(parse_lesson(text, "l.md"))
    seen = []
    for place in range(4):
        session.lessons.show_place(place)
        seen.append(session.view.query_id)
    assert seen == ["1", "2", "1", "2"]
    assert session.teaching.answer("1.63")  # 1 + 1 / log2 3, of the query in view
    given = session.state.lesson.given(3)
    assert given is not None
    assert given.right
