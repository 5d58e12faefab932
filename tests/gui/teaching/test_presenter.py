"""The lecturer's window has what the class does not see; a step is saved as a picture; a window stays on its screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QCloseEvent, QImage, QPainter, QPicture, QScreen
from PySide6.QtWidgets import QGraphicsView

from irviewer.commands import find, run_command
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.gui.dialogs.opening_size import FRAME
from irviewer.gui.large_type import kept_inside
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.teaching.lesson_strip import LessonStrip
from irviewer.gui.teaching.presenter import PresenterView
from irviewer.gui.teaching.table_rows import TableRows
from irviewer.gui.widgets.picture import savable_picture
from irviewer.gui.window import MainWindow
from irviewer.rendering.palette import DARK
from irviewer.session.session import Session

LESSON = """---
title: T
rankings: 1 0 1 1 0 | R=4
---
The text.

## Step: Swap ranks 2 and 3
do: swap 2 3

AP rises.

## Question: What is P@3?
ask: P@3
hint: Count.
wrong .5: That is recall.
because: Two of three.

## Question: Which?
- [x] one
  as it is
- [ ] two
"""


@pytest.fixture
def window(empty_session: Session, make_window: Callable[[Session], MainWindow]) -> MainWindow:
    assert empty_session.teaching.open(parse_lesson(LESSON, "l.md"))
    window = make_window(empty_session)
    window.flush()
    return window


def presented(window: MainWindow) -> PresenterView:
    run_command(window.session, "presenter")
    window.flush()
    assert window.presenter is not None
    assert window.presenter.isVisible()
    return window.presenter


def test_the_text_grows_with_the_window_of_the_lecturer(window: MainWindow) -> None:
    view = presented(window)
    sizes = []
    for width in (560, 1280, 560):
        view.resize(width, 800)
        view.grab()
        assert view.text.font() == view.answer.font() == view.next.font()
        assert view.title.font().pointSizeF() > view.text.font().pointSizeF()
        sizes.append(view.text.font().pointSizeF())
        assert "The text." in view.text.text()
    assert sizes[1] > 1.5 * sizes[0] == 1.5 * sizes[2]


def test_the_view_of_the_lecturer_is_within_its_screen(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    # Large type on a laptop: 1280 × 800 pixels at 150 %.
    monkeypatch.setattr(QScreen, "availableGeometry", lambda screen: QRect(0, 0, 853, 533))
    view = presented(window)
    assert view.height() <= 533 - FRAME.height()
    assert all(view.rect().contains(button.geometry()) for button in view.buttons.values())


def test_the_lecturer_reads_ahead_of_the_class(window: MainWindow) -> None:
    session, view = window.session, presented(window)
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    assert "The text." in view.text.text()
    assert not screen.lesson_strip.text.isVisible()
    assert view.next.text() == "Next step: Swap ranks 2 and 3"
    view.buttons["lesson_next"].click()
    window.flush()
    assert "AP rises." in view.text.text()  # before it was done
    assert not session.teaching.step_is_done
    view.buttons["do_it"].click()
    window.flush()
    assert session.teaching.step_is_done
    view.buttons["lesson_next"].click()
    window.flush()
    assert session.teaching.is_asking
    for said in ("The answer is: .6667.", "Two of three.", ".5 is wrong: That is recall."):
        assert said in view.answer.text()
    assert "Hint: Count." in view.text.text()
    assert ".6667" not in screen.lesson_strip.question.title.text()
    view.buttons["lesson_next"].click()
    window.flush()
    assert "as it is" in view.answer.text()
    assert "The answer is" not in view.answer.text()  # the marks say it
    assert "✓ one" in view.text.text()
    assert "✗ two" in view.text.text()
    assert view.next.text() == "The end of the lesson."
    assert not view.buttons["lesson_next"].isEnabled()


def test_closing_the_view_ends_it_and_another_lesson_keeps_it(window: MainWindow) -> None:
    session, view = window.session, presented(window)
    session.teaching.open_example("b2")
    window.flush()
    assert view.isVisible()
    assert "swap near the top" in view.title.text()
    view.closeEvent(QCloseEvent())
    window.flush()
    assert not view.isVisible()
    assert not find(session, "presenter").checked(session)
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    assert screen.lesson_strip.text.isVisible()


def test_the_window_takes_the_view_with_it(window: MainWindow) -> None:
    view = presented(window)
    window.close_unasked()
    assert not view.isVisible()
    window.release()
    assert not view.isVisible()
    assert window.presenter is None


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_a_step_is_saved_as_a_picture(
    suffix: str, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    savables = []
    module = "irviewer.gui.dialogs.teaching_dialogs"
    monkeypatch.setattr(f"{module}.ask_and_save", lambda session, owner, savable: savables.append(savable))
    window.session.teaching.go()
    run_command(window.session, "save_step")
    [savable] = savables
    assert savable.title == "T 2"
    savable.write(str(tmp_path / f"step{suffix}"))
    data = (tmp_path / f"step{suffix}").read_bytes()
    assert data.startswith({".svg": b"<?xml", ".pdf": b"%PDF", ".png": b"\x89PNG"}[suffix])
    if suffix == ".svg":
        assert b"Swap ranks 2 and 3" in data


def test_a_step_with_a_curve_is_saved_as_a_picture(window: MainWindow, tmp_path: Path) -> None:
    """A view of a chart has a render() of its own, with other arguments than a widget's."""
    window.session.teaching.set_lesson_view("curves")
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    assert any(view.isVisible() for view in screen.findChildren(QGraphicsView))
    savable_picture(screen, screen.theme, "T").write(str(tmp_path / "step.svg"))
    assert (tmp_path / "step.svg").stat().st_size > 10_000


def test_a_picture_of_the_table_ends_where_the_table_does(window: MainWindow) -> None:
    """A record of what is painted has no edges but those that painters set."""
    text = "---\ntitle: T\nshow: table\nrankings: 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0\n---\n"
    assert window.session.teaching.open(parse_lesson(text, "t.md"))
    window.resize(1000, 620)
    window.flush()
    [rows] = (each for each in window.findChildren(TableRows) if each.isVisible())
    size, record = rows.viewport().size(), QPicture()
    painter = QPainter(record)
    rows.viewport().render(painter, QPoint(0, 0))
    painter.end()
    image = QImage(size + QSize(100, 100), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.magenta)
    painter = QPainter(image)
    painter.drawPicture(0, 0, record)
    painter.end()
    magenta = image.pixelColor(image.width() - 1, image.height() - 1)
    outside = [(x, y) for x in range(0, image.width(), 3) for y in range(size.height(), image.height(), 3)]
    outside += [(x, y) for x in range(size.width(), image.width(), 3) for y in range(0, size.height(), 3)]
    assert all(image.pixelColor(x, y) == magenta for x, y in outside)


def test_a_window_of_a_wanted_size_is_kept_on_its_screen() -> None:
    # --size 1920x1080 with large type on a projector of 1280 x 720, whose room is 853 x 480 at that scale.
    assert kept_inside(QSize(1920, 1080), 1.5, QSize(853, 480)) == QSize(853, 480)
    assert kept_inside(QSize(1280, 720), 1.5, QSize(853, 480)) == QSize(853, 480)
    assert kept_inside(QSize(900, 600), 1.5, QSize(853, 480)) == QSize(600, 400)
    assert kept_inside(QSize(900, 600), 1.0, QSize(0, 0)) == QSize(900, 600)


def test_another_theme_takes_no_room_from_the_ranks(window: MainWindow) -> None:
    """The lists have a strip of their own: that of the other screens was shown too, above them."""
    lesson = window.session.lessons.lesson
    assert lesson is not None
    window.session.teaching.open_example("collection")  # it begins in Queries
    window.flush()
    assert window.session.teaching.open(lesson)
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    before = screen.size()
    screen.theme.set_palette(DARK)
    assert [each for each in window.findChildren(LessonStrip) if each.isVisible()] == [screen.lesson_strip]
    window.grab()
    assert screen.size() == before
