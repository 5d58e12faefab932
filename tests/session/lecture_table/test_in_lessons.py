"""The table in lessons: its columns, a cell that a question asks for, the answer given in the cell or beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.session.lecture_table.progress import Cell
from irviewer.session.session import Session
from irviewer.session.view_models.lecture_table import LectureTableViewModel

LESSON = """---
title: Average precision
show: table
columns: K, document, grade, P@K, R@K, AP sum
rankings: 1 0 1 1 1 1 1 0 1 0 1 0 0 1 0 0 0 0 0 1
printed: AP = 0.76 (Arguello, INLS 509 (2013), “average-precision”)
---
A text.

## Question: What is the AP sum at rank 11?
ask: AP sum at 11
wrong 8: This counts the relevant documents.
because: 5.68 and the precision at rank 11, 8/11.

## Step: Swap ranks 2 and 3
do: swap 2 3
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    path = tmp_path / "lesson.md"
    path.write_text(LESSON, "utf-8")
    session = Session()
    assert session.teaching.open_path(str(path))
    return session


def shown(session: Session) -> LectureTableViewModel:
    view_model = session.lecture_table.view_model()
    assert view_model is not None
    return view_model


def test_the_lesson_chooses_view_and_columns(session: Session) -> None:
    assert session.teaching.lesson.view == "table"
    assert shown(session).halves[0].column_ids == ("P", "R", "AP")
    assert shown(session).row == 1


def test_the_cell_is_asked_and_answered_in_the_table(session: Session) -> None:
    session.teaching.go()
    assert shown(session).pending == (Cell(0, 11, "AP"),)
    assert shown(session).worked(0) == ("K = 11:", "5.68 + 8/11 × 1 = ?")
    assert not session.lecture_table.guess("7.11")
    wrong = shown(session).wrong
    assert wrong is not None
    assert wrong.what == "7.11: also adds P@10 = .70."
    assert session.teaching.is_asking
    assert not session.lecture_table.guess("8")
    wrong = shown(session).wrong
    assert wrong is not None
    assert (wrong.what, wrong.remedy) == ("8 is not right.", "This counts the relevant documents.")
    assert session.lecture_table.guess("5.68 + 8/11")
    assert not session.teaching.is_asking
    assert session.teaching.given is not None
    assert session.teaching.given.reason == "5.68 and the precision at rank 11, 8/11."
    assert shown(session).text(Cell(0, 11, "AP")) == ("", "6.41")


def test_the_answer_beside_the_table_uncovers_the_cell(session: Session) -> None:
    session.teaching.go()
    assert not session.teaching.answer("6.5")
    assert shown(session).pending
    assert session.teaching.answer("6.41")
    assert shown(session).text(Cell(0, 11, "AP")) == ("", "6.41")


@pytest.mark.parametrize("where", ["beside", "cell", "next"])
def test_the_answer_is_revealed(session: Session, where: str) -> None:
    session.teaching.go()
    if where == "beside":
        session.teaching.show_answer()
    elif where == "cell":
        session.lecture_table.toggle()
    else:
        session.lecture_table.next()
    assert not session.teaching.is_asking
    assert shown(session).text(Cell(0, 11, "AP")) == ("", "6.41")


def test_the_result_is_hidden_until_its_sums_are_uncovered(session: Session) -> None:
    assert session.lecture_table.hides_result
    session.lecture_table.go_to_row(20)
    assert session.lecture_table.hides_result
    session.lecture_table.next()
    assert not session.lecture_table.hides_result
    session.lecture_table.back()
    session.teaching.set_lesson_view("steps")
    assert not session.lecture_table.hides_result


def test_a_step_keeps_what_is_uncovered_and_a_new_beginning_covers_it(session: Session) -> None:
    session.lecture_table.go_to_row(9)
    session.teaching.go()
    session.teaching.go()
    assert shown(session).row == 11
    assert session.teaching.do_example_step()
    assert [half.title for half in shown(session).halves] == ["ranking 1", "ranking 1 (edited)"]
    assert shown(session).row == 11
    session.teaching.restart_example()
    assert shown(session).row == 1


def test_a_lesson_begins_without_what_was_chosen_in_another(session: Session) -> None:
    session.lecture_table.set_columns(0, ["RR"])
    session.lecture_table.set_asked(())
    session.lecture_table.go_to_row(9)
    session.teaching.open_inline_ranking("4 3 0 1")
    session.teaching.open_example("b1")
    session.teaching.open_inline_ranking("0 1 1")
    assert shown(session).row == 1
    assert shown(session).asked == {"AP"}
    assert shown(session).halves[0].column_ids == ("P", "R", "AP")


def test_a_lesson_puts_another_query_beside_the_first_with_its_own_columns() -> None:
    session = Session()
    assert session.teaching.open_example("table")
    assert [half.query_id for half in shown(session).halves] == ["1", "2"]
    assert shown(session).halves[0].column_ids == ("P", "R", "AP")
    assert shown(session).halves[1].column_ids == ("gain", "discount", "DCG", "ideal")
    assert shown(session).asked == {"AP", "DCG"}
    session.lecture_table.go_to_row(20)
    session.lecture_table.next()
    # Manrique prints 11.17, 11.71 and .9538, which he divides from the rounded sums.
    assert [part.text for part in shown(session).foot(1)] == ["nDCG@10 =", "11.1725", "÷", "11.7103", "=", ".9541"]
    for _ in range(3):
        session.teaching.go()
    assert [half.query_id for half in shown(session).halves] == ["2", "1"]
    assert shown(session).pending == (Cell(0, 3, "DCG"),)
    assert session.lecture_table.guess("4 + 3 + 4/1.585")
    assert not session.teaching.is_asking


SWAPPED = """---
title: Swapped
measure: AP
show: table
rankings:
  first: 0 1 1 0
  other: 1 0 1 1
---
A text.

## Step: Swap ranks 2 and 3
do: swap 2 3{copy}

## Question: What is the AP sum at rank 3?
ask: AP sum at 3{of}
"""


@pytest.mark.parametrize(("of", "expected"), [("", 1 / 2 + 2 / 3), (" of other", 1 + 2 / 3)])
def test_a_cell_is_asked_of_the_ranking_of_the_lesson_not_of_a_changed_copy(
    of: str, expected: float, tmp_path: Path
) -> None:
    path = tmp_path / "swapped.md"
    path.write_text(SWAPPED.format(of=of, copy=of.replace("of", "in")), "utf-8")
    session = Session()
    assert session.teaching.open_path(str(path))
    session.lessons.show_place(1)
    assert session.teaching.do_example_step()
    session.lessons.show_place(2)
    assert session.run_editing.edited_run is not None
    question = session.teaching.question
    assert question is not None
    assert session.teaching.computed(question) == pytest.approx(expected)
    cell = shown(session).at
    assert cell is not None
    assert cell in shown(session).pending
    half = shown(session).halves[cell.half]
    assert half.run.name == (of.removeprefix(" of ") or "first")
    assert half.ranking.at("AP", 3) == pytest.approx(expected)
    assert session.lecture_table.guess(f"{expected:.2f}")
    assert not session.teaching.is_asking


def foot_of(session: Session, half: int = 0) -> list[str]:
    return [part.text for part in session.lecture_table.foot(half)]


def uncovered(session: Session) -> None:
    """Show all rows."""
    while session.lecture_table.next():
        pass


def test_the_author_s_figure_is_beside_ours_once_that_is_uncovered(session: Session) -> None:
    assert "Arguello: 0.76" not in foot_of(session)
    uncovered(session)
    assert foot_of(session) == ["AP = sum ÷ R =", "7.56", "÷ 10 =", ".7555", "Arguello: 0.76"]
    session.lessons.show_place(2)
    assert session.teaching.do_example_step()
    session.compute_now()
    uncovered(session)
    assert not any("Arguello" in text for half in (0, 1) for text in foot_of(session, half))


def test_a_figure_that_was_rounded_on_the_way_says_so() -> None:
    session = Session()
    session.teaching.open_example("table")
    uncovered(session)
    assert foot_of(session)[-1] == "Arguello: 0.76"
    assert foot_of(session, 1)[-2:] == [".9541", "Manrique: 0.9538, rounded on the way"]


def test_a_figure_of_another_ideal_ranking_is_not_beside_ours() -> None:
    session = Session()
    session.teaching.open_example("g4")
    session.teaching.set_lesson_view("table")
    uncovered(session)
    assert foot_of(session)[-1] == ".7539"


@pytest.mark.parametrize(
    ("name", "label", "ours", "printed"),
    [("g1", "DCG@10 =", "11.1725", "Arguello: 11.17"), ("b1", "P@10 =", ".7000", "Arguello: 0.70"),
     ("cg", "CG@10 =", "16", "")],
)  # fmt: skip
def test_the_last_value_of_the_asked_column_is_below_the_table(name: str, label: str, ours: str, printed: str) -> None:
    session = Session()
    session.teaching.open_example(name)
    session.teaching.set_lesson_view("table")
    assert foot_of(session) == [label, "", "after rank 10"]
    assert session.lecture_table.hides_result  # the strip must not have what the table covers
    uncovered(session)
    assert not session.lecture_table.hides_result
    assert foot_of(session) == [part for part in (label, ours, printed) if part]


@pytest.mark.parametrize(("first", "beside"), [("old", "new"), ("new", "query 2")])
def test_a_step_shows_its_copy_in_the_table(first: str, beside: str) -> None:
    text = f"""---
title: T
show: table
columns: K, document, grade, P@K
rankings:
  old: 1 0 1
  new: 0 0 1
  ---
  old: 0 0 1
  new: 1 0 0
beside: {beside}
---
## Step: Swap
do: swap 2 3 in {first}
show: table

## Question: What is P@1?
answer: 1
show: table
"""
    session = Session()
    assert session.teaching.open(parse_lesson(text, "t.md"))
    session.teaching.go()

    def names() -> list[str]:
        return [half.run.name for half in shown(session).halves]

    given = names()
    assert session.teaching.do_example_step()
    assert names() == ["old", f"{first} (edited)"]
    session.teaching.go()
    assert names() == given
