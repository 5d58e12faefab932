"""The table in the session: row by row, guessed and shown, two rankings, the setting in force; never the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from irviewer.errors import IrviewerError
from irviewer.session.lecture_table.actions import NO_SECOND
from irviewer.session.lecture_table.columns import cell_text, four_decimals
from irviewer.session.lecture_table.progress import Cell
from irviewer.session.session import Session
from irviewer.session.view_models.lecture_table import LectureTableViewModel, SpokenLectureTable

B2 = "1 0 1 1 1 1 1 0 1 0 1 0 0 1 0 0 0 0 0 1 | R=10"
G1 = "4 3 4 2 0 0 0 1 1 0"


def opened(text: str, measure: str = "AP") -> Session:
    session = Session()
    assert session.teaching.open_inline_ranking(text)
    session.evaluation.set_measure(measure)
    return session


def shown(session: Session) -> LectureTableViewModel:
    view_model = session.lecture_table.view_model()
    assert view_model is not None
    return view_model


def texts(view_model: LectureTableViewModel) -> Iterator[str]:
    """Every text and number that the view model gives away."""
    spoken = SpokenLectureTable(view_model)
    yield from (spoken.cell(row, column) for row in range(spoken.n_rows) for column in range(len(spoken.headers)))
    yield from spoken.headers
    for number in range(len(view_model.halves)):
        yield from view_model.worked(number)
        yield view_model.note(number)
        yield from (part.text for part in view_model.foot(number))
        points = (
            *view_model.precision_points(number),
            *(point for column in ("CG", "DCG", "ideal") for point in view_model.gain_points(number, column)),
        )
        yield from (f"{value:.2f} {value:.4f} {value:.2f}".replace("0.", ".") for point in points for value in point)
    if view_model.wrong is not None:
        yield f"{view_model.wrong.what} {view_model.wrong.remedy}"


def test_a_row_is_asked_and_then_the_next() -> None:
    session = opened(B2)
    table = session.lecture_table
    assert [column.title for column in shown(session).halves[0].columns] == ["P@K", "R@K", "AP sum"]
    assert shown(session).pending == (Cell(0, 1, "AP"),)
    assert shown(session).text(Cell(0, 1, "P")) == ("1/1", "1")
    assert shown(session).text(Cell(0, 2, "P")) == ("", "")
    assert table.next()  # shows what is asked
    assert shown(session).text(Cell(0, 1, "AP")) == ("", "1.00")
    assert shown(session).row == 1
    assert table.next()
    assert shown(session).row == 2
    assert shown(session).at == Cell(0, 2, "AP")
    for _ in range(100):
        table.next()
    assert shown(session).row == 20
    assert not table.next()
    assert [part.text for part in shown(session).foot(0)] == ["AP = sum ÷ R =", "7.56", "÷ 10 =", ".7555"]
    for _ in range(100):
        table.back()
    assert (shown(session).row, shown(session).pending) == (1, (Cell(0, 1, "AP"),))
    assert not table.back()


def test_the_picture_of_the_designs() -> None:
    session = opened(B2)
    session.lecture_table.go_to_row(11)
    assert shown(session).worked(0) == ("K = 11:", "5.68 + 8/11 × 1 = ?")
    assert not session.lecture_table.guess("7.11")
    wrong = shown(session).wrong
    assert wrong is not None
    assert wrong.what == "7.11: also adds P@10 = .70."
    points = shown(session).precision_points(0)
    assert len(points) == 11
    assert points[-1][1:] == pytest.approx((0.8, 8 / 11, True))
    assert [part.role for part in shown(session).foot(0)] == ["label", "blank", "label", "blank", "label"]
    assert session.lecture_table.try_again()
    assert shown(session).wrong is None
    assert session.lecture_table.guess("5.68 + 8/11")
    assert shown(session).score == "asked 1 · right at the first try 0"
    assert shown(session).text(Cell(0, 11, "AP")) == ("", "6.41")
    session.lecture_table.next()
    assert session.lecture_table.guess("6.41")
    assert shown(session).score == "asked 2 · right at the first try 1"


def test_what_is_no_number_is_no_wrong_answer() -> None:
    session = opened(B2)
    assert not session.lecture_table.guess("many")
    assert shown(session).score == ""
    wrong = shown(session).wrong
    assert wrong is not None
    assert wrong.what == "'many' is not a number."


def test_a_guess_from_rounded_numbers_is_right() -> None:
    session = opened(G1, "nDCG(ideal='retrieved')@10")
    session.protocol.set(dialect="textbook")
    session.lecture_table.set_asked(("nDCG",))
    session.lecture_table.go_to_row(10)
    assert session.lecture_table.guess(str(11.17 / 11.71))


def test_any_cell_is_shown_and_covered() -> None:
    session = opened(B2)
    table = session.lecture_table
    assert table.select(Cell(0, 5, "R"))
    assert table.toggle()
    assert shown(session).text(Cell(0, 5, "R")) == ("4/10", ".40")
    assert shown(session).score == ""  # recall is not asked
    assert table.toggle()
    assert not shown(session).is_open(Cell(0, 5, "R"))
    table.go_to_row(8)
    assert table.select(Cell(0, 5, "R"))
    table.toggle()
    assert not shown(session).is_open(Cell(0, 5, "R"))
    assert shown(session).worked(0)[1] == "? ÷ 10 = ?"
    assert table.guess(".4")
    assert shown(session).at == Cell(0, 5, "R")
    assert not table.select(Cell(0, 21, "R"))
    assert not table.select(Cell(1, 1, "R"))


def test_arrows_go_from_cell_to_cell() -> None:
    session = opened(f"early: {B2}\nlate: 0 1 0")
    table = session.lecture_table
    assert len(shown(session).halves) == 2
    table.go_to_row(5)
    table.select(Cell(0, 5, "AP"))
    assert table.step(1, 0)
    assert shown(session).at == Cell(1, 3, "P")  # the list has three ranks
    assert not table.step(0, 1)
    assert table.step(-1, 0)
    assert shown(session).at == Cell(0, 3, "AP")
    table.select(Cell(0, 1, "P"))
    assert not table.step(-1, 0)
    assert not table.step(0, -1)


def test_a_second_ranking_is_another_run_or_another_query() -> None:
    session = opened(f"{B2}\n---\n{G1}")
    table = session.lecture_table
    assert len(shown(session).halves) == 1
    ((entry, query),) = table.second_choices()
    table.set_second((entry.key, query))
    table.set_columns(1, ["gain", "discount", "DCG", "ideal DCG"])
    view_model = shown(session)
    assert [half.query_id for half in view_model.halves] == ["1", "2"]
    assert view_model.halves[1].column_ids == ("gain", "discount", "DCG", "ideal")
    assert view_model.rows == 20
    table.set_second(NO_SECOND)
    assert len(shown(session).halves) == 1


def test_the_setting_in_force_drives_numbers_and_formulas() -> None:
    session = opened(G1, "nDCG@10")
    table = session.lecture_table
    table.set_asked(())
    table.go_to_row(10)
    table.select(Cell(0, 10, "DCG"))
    session.protocol.set(dialect="textbook")
    assert shown(session).text(Cell(0, 10, "DCG")) == ("", "11.17")
    assert r"\max(i, 2)" in shown(session).formula(0)
    session.protocol.set(dialect="trec_eval")  # 4 + 3 / 1.585 + 4 / 2 + 2 / 2.322 + 1 / 3.170 + 1 / 3.322
    assert shown(session).row == 10
    assert shown(session).text(Cell(0, 10, "DCG")) == ("", "9.37")
    assert r"\log_2(i+1)" in shown(session).formula(0)


def test_the_level_is_the_measures() -> None:
    session = opened("5 3 2 4 1", "P(rel=3)@5")
    assert shown(session).halves[0].ranking.relevant == 3
    assert shown(session).asked == {"P"}


def test_a_changed_ranking_keeps_the_row_and_changes_its_numbers() -> None:
    session = opened(B2)
    session.lecture_table.set_asked(())
    session.lecture_table.go_to_row(3)
    run = session.view.shown[0]
    key = session.run_editing.edit_copy(run)
    assert key is not None
    assert session.run_editing.swap_ranks(key, 2, 3)
    assert shown(session).row == 3
    # The ranking as it was, and the edited one beside it.
    assert [shown(session).text(Cell(half, 2, "P")) for half in (0, 1)] == [("1/2", ".50"), ("2/2", "1")]


def test_a_wrong_guess_is_gone_when_the_numbers_change() -> None:
    session = opened(G1, "DCG@10")
    session.lecture_table.go_to_row(3)
    session.lecture_table.guess("99")
    assert shown(session).wrong is not None
    session.protocol.set(dialect="trec_eval")
    assert shown(session).wrong is None


def test_another_query_is_covered_and_keeps_the_columns() -> None:
    session = opened(f"{B2}\n---\n{B2}")
    table = session.lecture_table
    table.go_to_row(9)
    table.set_columns(0, ["RR"])
    session.navigation.set_query("2")
    assert shown(session).row == 1
    assert shown(session).halves[0].column_ids == ("RR",)
    assert session.teaching.open_inline_ranking("0 1")
    assert shown(session).halves[0].column_ids == ("P", "R", "AP")


def test_an_unknown_column_is_an_error() -> None:
    with pytest.raises(IrviewerError, match="Unknown column 'MRR'; choose among P, R"):
        opened(B2).lecture_table.set_columns(0, ["MRR"])


def test_there_is_no_table_without_a_ranking() -> None:
    assert Session().lecture_table.view_model() is None
    assert not Session().lecture_table.next()


@pytest.mark.parametrize(
    ("text", "measure", "columns", "asked"),
    [
        (B2, "AP", ["P", "R", "AP"], "AP"),
        (B2, "P@20", ["P", "R", "F", "AP"], "P"),
        (B2, "AP", ["P", "R", "F", "AP", "RR"], "R"),
        (B2, "AP", ["P", "R", "F"], "F"),
        (G1, "nDCG@10", ["gain", "discount", "discounted", "CG", "DCG", "ideal", "nDCG"], "DCG"),
        (G1, "nDCG@10", ["gain", "discount", "discounted", "CG", "DCG", "ideal", "nDCG"], "discounted"),
        (G1, "nDCG@10", ["gain", "discount", "discounted", "CG", "DCG", "ideal", "nDCG"], "ideal"),
        (G1, "nDCG@10", ["gain", "discount", "DCG", "ideal", "nDCG"], "nDCG"),
        (G1, "nDCG@10", ["gain", "discount", "DCG", "ideal"], "discount"),
    ],
)
def test_the_answer_is_in_no_text_while_it_is_asked(text: str, measure: str, columns: list[str], asked: str) -> None:
    session = opened(text, measure)
    session.lecture_table.set_columns(0, columns)
    session.lecture_table.set_asked((asked,))
    compared = 0
    while True:
        view_model = shown(session)
        if view_model.pending:
            (cell,) = view_model.pending
            ranking = view_model.halves[0].ranking
            answer = ranking.at(asked, cell.rank)
            before = [ranking.at(column, rank) for column in columns for rank in range(1, cell.rank)]
            beside = [ranking.at(column, cell.rank) for column in columns if column != asked]
            fraction, value = cell_text(ranking, asked, cell.rank)
            secret = {value, four_decimals(answer), fraction} - {""}
            if answer == round(answer) or any(abs(other - answer) < 0.011 for other in (*before, *beside)):
                secret = set()  # another number is the same
            session.lecture_table.guess("42")
            lines = (*texts(view_model), *texts(shown(session)))
            said = {word for line in lines for word in re.findall(r"[\d./]+", line)}
            assert not said & secret, (cell, said & secret)
            compared += bool(secret)
        if not session.lecture_table.next():
            break
    assert compared
