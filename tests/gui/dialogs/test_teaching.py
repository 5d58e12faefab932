"""The dialogs of worked examples and typed rankings, by keyboard, and the ways to them from the start screen."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from irviewer.commands import dynamic, find, run_command
from irviewer.gui.dialogs.files.chooser import OpenFilesDialog, OpenFolderDialog, SaveDialog
from irviewer.gui.dialogs.files.inline_ranking import TypingDialog
from irviewer.gui.dialogs.lessons import LessonsDialog
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


def test_an_example_by_keyboard(empty_session: Session, make_window: Callable[[Session], MainWindow]) -> None:
    window = make_window(empty_session)
    window.start.example_row.click()
    dialog = window.findChild(LessonsDialog)
    assert dialog is not None
    lessons = empty_session.lessons.every
    model = dialog.model
    rows = [row for row in range(model.rowCount()) if model.lesson(row) is not None]  # the others are chapters
    assert [model.lesson(row) for row in rows] == list(lessons)
    for row, lesson in zip(rows, lessons, strict=True):
        assert lesson.title in model.index(row, 0).data()
    assert not dialog.grab().isNull()
    QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    dialog.open_button.click()
    assert empty_session.lessons.lesson == empty_session.lessons.every[1]
    assert empty_session.teaching.is_on


def typing_dialog(window: MainWindow) -> TypingDialog:
    window.start.type_row.click()
    dialog = window.findChild(TypingDialog)
    assert dialog is not None
    return dialog


def cells(dialog: TypingDialog) -> list[list[str]]:
    """The rows of the table of values, as they read."""
    rows = re.findall(r"<tr>(.*?)</tr>", dialog.values.text())
    return [[unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)] for row in rows]


def test_a_ranking_is_typed(empty_session: Session, make_window: Callable[[Session], MainWindow]) -> None:
    dialog = typing_dialog(make_window(empty_session))
    assert dialog.ok.isEnabled()
    assert "0.2417" in dialog.values.text()  # (1/1 + 2/3 + 3/4) / 10
    dialog.text.setPlainText("1 0 what")
    assert not dialog.ok.isEnabled()
    assert "not a grade" in dialog.trouble.text()
    assert dialog.values.text() == dialog.rule.text() == ""
    QTest.keyClick(dialog.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert dialog.isVisible()
    dialog.text.setPlainText("a: 3 0 1; b: 0 1 3")
    assert dialog.ok.isEnabled()
    assert "DCG" in dialog.values.text()
    QTest.keyClick(dialog.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert [label.name for label in empty_session.view.labels()] == ["a", "b"]
    assert empty_session.teaching.is_on


def test_a_line_is_begun_by_enter(empty_session: Session, make_window: Callable[[Session], MainWindow]) -> None:
    dialog = typing_dialog(make_window(empty_session))
    dialog.text.setPlainText("")
    QTest.keyClicks(dialog.text, "101")
    QTest.keyClick(dialog.text, Qt.Key.Key_Return)
    QTest.keyClicks(dialog.text, "011")
    assert dialog.isVisible()
    assert dialog.text.toPlainText() == "101\n011"


@pytest.mark.parametrize("rules", ["textbook", "trec_eval"])
def test_the_rule_changes_number_and_words_together(
    rules: str, empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    grades = [4, 3, 4, 2, 0, 0, 0, 1, 1, 0]
    lecture = trec = 0.0
    for rank, grade in enumerate(grades, start=1):
        lecture += grade / math.log2(max(rank, 2))
        trec += grade / math.log2(rank + 1)
    assert (round(lecture, 2), round(trec, 2)) == (11.17, 9.37)
    dialog = typing_dialog(make_window(empty_session))
    dialog.text.setPlainText(" ".join(map(str, grades)))
    assert dialog.rule.text() == "DCG, gain = grade, discount log2 max(i, 2): the lecture's rule"
    QTest.mouseClick(dialog.rules.buttons["trec_eval"], Qt.MouseButton.LeftButton)
    assert dialog.rule.text() == "DCG, gain = grade, discount log2(i + 1): trec_eval's rule"
    assert dict(zip(*cells(dialog), strict=True))["DCG"] == f"{trec:.4f}"
    dialog.rules.buttons[rules].click()
    expected = lecture if rules == "textbook" else trec
    assert dict(zip(*cells(dialog), strict=True))["DCG"] == f"{expected:.4f}"
    dialog.ok.click()
    assert empty_session.view.dialect == rules
    value = empty_session.teaching.lesson_value("DCG")
    assert value is not None
    assert abs(value[1] - expected) < 1e-12


@pytest.mark.parametrize("between", ["\n", "\n---\n"])
def test_several_queries_have_their_values_and_the_mean(
    between: str, empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    dialog = typing_dialog(make_window(empty_session))
    dialog.text.setPlainText(between.join(("1 0 1 0", "0 1 0 0", "0 0 0 1")))
    head, *rows = cells(dialog)
    assert [row[0] for row in rows] == ["query 1", "query 2", "query 3", "mean"]
    precisions = [(1 / 1 + 2 / 3) / 2, 1 / 2, 1 / 4]
    precisions.append(sum(precisions) / 3)
    assert [row[head.index("AP")] for row in rows] == [f"{value:.4f}" for value in precisions]
    assert [row[head.index("RR")] for row in rows] == ["1.0000", "0.5000", "0.2500", "0.5833"]
    dialog.ok.click()
    context = empty_session.view.context
    assert context is not None
    assert context.query_ids == ("1", "2", "3")


def test_two_systems_are_side_by_side_with_the_difference(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    dialog = typing_dialog(make_window(empty_session))
    dialog.text.setPlainText("early: 1 0 1\nlate: 0 1 1")
    head, *rows = cells(dialog)
    assert head == ["", "early", "late", "late − early"]
    assert rows[0] == ["AP", "0.8333", "0.5833", "−0.2500"]
    assert rows[2] == ["P@3", "0.6667", "0.6667", "0.0000"]
    dialog.text.setPlainText("early: 1 0\nlate: 0 1\n---\nearly: 0 0 1\nlate: 1 0 0")
    head, *rows = cells(dialog)
    assert head == ["", "", "early", "late", "late − early"]
    assert rows[:3] == [
        ["AP", "query 1", "1.0000", "0.5000", "−0.5000"],
        ["", "query 2", "0.3333", "1.0000", "+0.6667"],
        ["", "mean", "0.6667", "0.7500", "+0.0833"],
    ]


def test_a_query_without_a_ranking_counts_as_0(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    dialog = typing_dialog(make_window(empty_session))
    dialog.text.setPlainText("a: 1 0\nb: 0 1\n---\nb: 1 0")
    for rules in ("textbook", "trec_eval"):
        dialog.rules.buttons[rules].click()
        assert cells(dialog)[1:4] == [
            ["AP", "query 1", "1.0000", "0.5000", "−0.5000"],
            ["", "query 2", "0.0000", "1.0000", "+1.0000"],
            ["", "mean", "0.5000", "0.7500", "+0.2500"],
        ]


LESSON = """---
title: {title}
rankings: 1 0 1 | R=2
---
Text.

## Question: What is P@3?
ask: P@3
because: two of three
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A folder of two lessons, and of a file that is no lesson: only the user can say that it is a course."""
    folder = tmp_path / "week 2"
    folder.mkdir()
    for number, title in ((1, "First"), (2, "Second")):
        (folder / f"{number}.md").write_text(LESSON.format(title=title), encoding="utf-8")
    (folder / "notes.txt").write_text("notes")
    return folder


def chosen_in(window: MainWindow, kind: type[QFileDialog], path: Path) -> None:
    dialog = window.findChild(kind)
    assert dialog is not None
    dialog.selectFile(str(path))
    (dialog.fileSelected if kind is not OpenFilesDialog else dialog.filesSelected).emit(
        str(path) if kind is not OpenFilesDialog else [str(path)]
    )
    dialog.close()


def test_a_lesson_file_is_opened_from_the_menu_and_again_from_the_recent_ones(
    course: Path, empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    window = make_window(empty_session)
    assert not find(empty_session, "open_recent_lesson").enabled(empty_session)
    run_command(empty_session, "open_lesson_file")
    chosen_in(window, OpenFilesDialog, course / "2.md")
    assert empty_session.lessons.lesson is not None
    assert empty_session.lessons.lesson.title == "Second"
    assert empty_session.teaching.is_on
    run_command(empty_session, "open_example")  # another lesson
    dialog = window.findChild(LessonsDialog)
    assert dialog is not None
    dialog.open_button.click()
    assert empty_session.lessons.lesson.title != "Second"
    assert find(empty_session, "open_recent_lesson").enabled(empty_session)
    recent = [each for each in dynamic(empty_session) if each.id.startswith("recent_lesson ")]
    assert [(each.short_title, each.help) for each in recent] == [("2.md", str(course))]
    run_command(empty_session, recent[0].id)
    assert empty_session.lessons.lesson.title == "Second"


def test_a_course_is_opened_from_the_menu_with_its_lessons_to_choose_from(
    course: Path, empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    window = make_window(empty_session)
    run_command(empty_session, "open_course")
    chosen_in(window, OpenFolderDialog, course)
    assert empty_session.lessons.lesson is not None
    assert empty_session.lessons.lesson.title == "First"
    dialog = window.findChild(LessonsDialog)
    assert dialog is not None
    rows = [str(dialog.list.model().index(row, 0).data()) for row in range(dialog.list.model().rowCount())]
    assert any(row.startswith("Second") for row in rows)
    dialog.close()
    assert empty_session.lessons.recent[0].paths == (str(course),)
    run_command(empty_session, "recent_lesson 0")  # though the folder has another file too
    assert empty_session.lessons.lesson.title == "First"
    empty_session.teaching.open_course(str(course / "missing"))
    assert "There is no file or folder" in empty_session.view.messages[-1].text


@pytest.mark.parametrize(("name", "answers"), [("print_sheet", False), ("print_answers", True)])
def test_a_sheet_is_printed_from_the_menu(
    name: str, answers: bool, course: Path, empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    window = make_window(empty_session)
    assert not find(empty_session, name).enabled(empty_session)
    empty_session.teaching.open_path(str(course / "1.md"))
    assert find(empty_session, name).enabled(empty_session)
    run_command(empty_session, name)
    chosen_in(window, SaveDialog, course / "sheet.html")
    assert empty_session.view.messages[-1].text == f"Saved {course / 'sheet.html'}"
    sheet = (course / "sheet.html").read_text(encoding="utf-8")
    assert "What is P@3?" in sheet
    assert ("two of three" in sheet) == answers


def test_the_progress_of_a_course_is_shown_beside_its_lessons_and_reset(
    course: Path, empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    (course / "3.md").write_text("---\ntitle: Third\nno field\n---\n")
    window = make_window(empty_session)
    empty_session.teaching.open_path(str(course / "2.md"))
    empty_session.teaching.go()
    empty_session.teaching.answer("2/3")
    run_command(empty_session, "open_course")
    chosen_in(window, OpenFolderDialog, course)
    dialog = window.findChild(LessonsDialog)
    assert dialog is not None

    def rows() -> list[str]:
        return [str(dialog.model.index(row, 0).data()) for row in range(5)]

    assert rows()[0] == "week 2. 1 of 2 lessons done"
    assert rows()[1].startswith("First. Text")
    assert rows()[2].startswith("Second. done. Text")
    assert rows()[3].startswith("3.md. line 3: ")
    assert "lessons done" in rows()[4]  # the bundled ones
    assert not dialog.grab().isNull()
    assert [bool(dialog.model.flags(dialog.model.index(row, 0))) for row in range(5)] == [
        False, True, True, False, False,
    ]  # fmt: skip
    assert dialog.reset_button.text() == "Reset progress"
    dialog.reset_button.click()
    assert rows()[0] == "week 2. 0 of 2 lessons done"
    assert dialog.reset_button.text() == "Undo reset"
    dialog.reset_button.click()
    assert rows()[0] == "week 2. 1 of 2 lessons done"
    dialog.list.setCurrentIndex(dialog.model.index(6, 0))
    assert not dialog.reset_button.isEnabled()  # nothing is done of the bundled ones


def test_lessons_have_chapters_and_are_filtered_by_words(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    window = make_window(empty_session)
    run_command(empty_session, "open_example")
    dialog = window.findChild(LessonsDialog)
    assert dialog is not None

    def rows() -> list[str]:
        return [str(dialog.model.index(row, 0).data()) for row in range(dialog.model.rowCount())]

    whole = rows()
    assert whole[0].startswith("Sets: precision and recall. 0 of 5 lessons done")
    QTest.keyClicks(dialog.filter, "harmonic mean")
    assert 2 <= len(rows()) < len(whole) / 4
    assert any("harmonic" in row for row in rows())
    assert dialog.open_button.isEnabled()
    selected = dialog.model.lesson(dialog.list.currentIndex().row())
    assert selected is not None
    assert "harmonic" in (selected.title + selected.text).casefold()
    QTest.keyClicks(dialog.filter, " zebra")
    assert rows() == []
    assert not dialog.open_button.isEnabled()
    dialog.filter.clear()
    assert rows() == whole
    assert dialog.open_button.isEnabled()
