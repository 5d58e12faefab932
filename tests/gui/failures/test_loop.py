"""The failures of one run in the window: keys and clicks reach the session, what is shown is the view model's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics, QKeySequence, QTextLayout
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from irviewer.analysis.failures.kinds import NAMES
from irviewer.commands import COMMANDS, run_command
from irviewer.gui.bars.status_bar import failure_keys
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.failures.loop import FailureLoop, filter_of
from irviewer.gui.failures.loop_list import second_line
from irviewer.gui.failures.screen import FailuresOfAllRuns, FailuresView
from irviewer.gui.window import MainWindow
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.failures.loop import LETTERS
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("queries", "failures")


@pytest.fixture
def view(window: MainWindow, session: Session) -> FailuresView:
    """The tab Failures, with the failures of one run."""
    session.navigation.set_place("queries")
    session.navigation.set_tab("queries", "failures")
    session.compute_now()
    window.flush()
    session.failure_loop.begin()
    window.flush()
    shown = window.current_screen.view("failures")  # type: ignore[attr-defined]
    shown.refresh(EVERY_CHANGE)
    assert isinstance(shown, FailuresView)
    return shown


def loop_of(view: FailuresView) -> FailureLoop:
    assert isinstance(view.shown, FailureLoop)
    return view.shown


def test_nothing_is_said_of_a_query_before_there_is_one(view: FailuresView) -> None:
    why = loop_of(view).why
    why.show_query(None)
    assert not why.nothing.isVisibleTo(view), "no kind of failure was said while they were sought"


def test_two_kinds_of_failure_say_the_first_rank_in_one_way(
    view: FailuresView, session: Session, window: MainWindow
) -> None:
    """Two kinds of failure said it in two ways: "first at 20 · late, rank 20"."""
    session.evaluation.set_cutoff(1)
    session.failures.set_failure_limits(above=1)
    session.compute_now()
    window.flush()
    shown = session.failure_loop.view_model()
    assert shown is not None
    both = np.flatnonzero(shown.signs[NAMES.index("below")] & shown.signs[NAMES.index("above")]).tolist()
    assert both and all(shown.words[place].count("first relevant") == 1 for place in both)


def test_the_tag_that_filters_is_painted_as_such(view: FailuresView, session: Session, window: MainWindow) -> None:
    session.failure_loop.add_tag("odd")
    session.failure_loop.add_tag("even")
    window.flush()
    model = loop_of(view).tags.model
    areas: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last, *_: areas.append((first.row(), last.row())))
    for tag in ("odd", "even"):
        place = list(model.keys).index(("tag", tag))
        session.failure_loop.set_filter(f"tag:{tag}")
        window.flush()
        assert model.marked == {place}
        assert any(first <= place <= last for first, last in areas)
        areas.clear()


def test_shares_have_the_colour_of_their_group_and_are_painted_with_it(
    view: FailuresView, session: Session, window: MainWindow
) -> None:
    session.failure_loop.add_tag("odd")
    window.flush()
    model = loop_of(view).tags.model
    shares, queries = (model.columns[model.column_of(name)] for name in ("share", "queries"))
    assert queries.changed_rows(queries) is not None
    assert shares.changed_rows(shares) is None


def test_keys_examine_tag_and_move(view: FailuresView, session: Session, window: MainWindow, qtbot: QtBot) -> None:
    loop = loop_of(view)
    table = loop.list.table
    window.activateWindow()
    table.setFocus()
    ids = [str(key) for key in loop.list.model.keys]
    assert session.view.query_id == ids[0]
    session.failure_loop.add_tag("odd")
    window.flush()
    assert [button.tag.key for button in loop.why.tags if button.isVisibleTo(view)] == ["1"]
    qtbot.keyClick(table, Qt.Key.Key_1)
    assert session.failure_loop.view_model().keys == {ids[0]: ()}  # type: ignore[union-attr]
    qtbot.keyClick(table, Qt.Key.Key_1)
    assert session.failure_loop.view_model().keys == {ids[0]: ("1",)}  # type: ignore[union-attr]
    assert session.view.judgments is not None
    assert not session.view.judgments.overlay, "no grade was given"
    qtbot.keyClick(table, Qt.Key.Key_Space)
    assert session.view.query_id == ids[1]
    qtbot.keyClick(table, Qt.Key.Key_J)
    assert session.view.query_id == ids[2]
    qtbot.keyClick(table, Qt.Key.Key_K)
    assert session.view.query_id == ids[1]
    qtbot.keyClick(table, Qt.Key.Key_Space)
    qtbot.keyClick(table, Qt.Key.Key_K)
    qtbot.keyClick(table, Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier)
    window.flush()
    assert view.progress.accessibleName().startswith(f"1 of {len(ids)} examined")
    assert "✓" not in loop.list.model.columns[0].text(0)
    assert "not examined" in loop.list.model.columns[0].spoken(1)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert (session.view.place, session.view.query_id) == ("query", ids[1])


def test_the_status_line_says_what_digits_are(view: FailuresView, session: Session, window: MainWindow) -> None:
    bar = window.status_bar
    bar.refresh()
    assert bar.caveats.text() == failure_keys()
    assert "tag (no grade)" in failure_keys()
    session.failures.show_every_run()
    window.flush()
    bar.refresh()
    assert bar.caveats.text() != failure_keys()


def test_no_letter_of_a_tag_is_the_key_of_another_command() -> None:
    taken = {
        QKeySequence(keys).toString().lower()
        for command in COMMANDS
        if not command.id.startswith("failure_tag_")
        for keys in command.keys
    }
    assert not taken & set(LETTERS)


def test_a_new_tag_is_asked_for(view: FailuresView, session: Session, window: MainWindow, qtbot: QtBot) -> None:
    assert run_command(session, "new_failure_tag")
    dialog = window.findChild(LineDialog)
    assert dialog is not None
    assert not dialog.ok.isEnabled()
    line = dialog.findChild(QLineEdit)
    qtbot.keyClicks(line, "wrong entity, seen twice")
    dialog.accept()
    assert [(tag.key, tag.name) for tag in session.failure_loop.noted.tags] == [("1", "wrong entity, seen twice")]
    assert session.failure_loop.view_model().looks[session.view.query_id].tags  # type: ignore[union-attr]


def test_clicks_set_tags_and_filter(view: FailuresView, session: Session, window: MainWindow, qtbot: QtBot) -> None:
    loop = loop_of(view)
    session.failure_loop.add_tag("odd one")
    window.flush()
    (button,) = [each for each in loop.why.tags if each.isVisibleTo(view)]
    assert button.isChecked()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    window.flush()
    assert not button.isChecked()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    window.flush()
    keys = list(loop.tags.model.keys)
    loop.tags.table.row_activated.emit(keys.index(("tag", "odd one")))
    window.flush()
    assert session.state.finding.loop_filter == 'tag:"odd one"'
    assert loop.list.model.rowCount() == 1
    assert loop.list.filter.text() == 'tag:"odd one"'
    loop.tags.table.row_activated.emit(keys.index(("tag", "odd one")))
    window.flush()
    assert loop.list.model.rowCount() > 1
    for row, key in enumerate(loop.causes.model.keys):
        if isinstance(key, tuple):
            loop.causes.table.row_activated.emit(row)
            window.flush()
            assert session.failure_loop.view_model().filter_error == ""  # type: ignore[union-attr]
            assert session.state.finding.loop_filter == filter_of(*key)
            counted = loop.causes.result_table.column("queries").numbers[""]  # type: ignore[union-attr]
            place = list(loop.causes.result_table.keys).index(key)  # type: ignore[union-attr]
            assert loop.list.model.rowCount() == counted[place], key
            loop.causes.table.row_activated.emit(row)
            window.flush()


def test_a_cause_filters_by_click_enter_and_space_and_not_by_moving(
    view: FailuresView, session: Session, window: MainWindow, qtbot: QtBot
) -> None:
    loop = loop_of(view)
    table = loop.causes.table
    keys = list(loop.causes.model.keys)
    row = next(row for row, key in enumerate(keys) if isinstance(key, tuple))
    wanted = filter_of(*keys[row])
    table.setFocus()
    table.setCurrentIndex(loop.causes.model.index(row, 0))
    window.flush()
    assert session.state.finding.loop_filter == ""
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        for filtered in (wanted, ""):
            qtbot.keyClick(table, key)
            window.flush()
            assert session.state.finding.loop_filter == filtered
    middle = table.visualRect(loop.causes.model.index(row, 0)).center()
    for filtered in (wanted, ""):  # the second click on the same row, too
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=middle)
        window.flush()
        assert session.state.finding.loop_filter == filtered
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    window.flush()
    assert session.state.finding.loop_filter == wanted


def test_the_screen_shows_the_values_of_the_table_of_every_door(view: FailuresView, session: Session) -> None:
    loop = loop_of(view)
    tables = {table.name: table for table in session.failures.tables("causes")}
    losses = dict(zip([key[0] for key in tables["loss"].keys], tables["loss"].column("loss").values, strict=True))
    column = loop.list.model.columns[0]
    assert list(loop.list.model.keys) == list(losses)
    for row, query in enumerate(losses):
        assert column.loss(row) == losses[query]  # type: ignore[attr-defined]
    assert loop.causes.result_table is not None
    for name in ("queries", "share"):
        mine, theirs = (
            table.column(name).numbers[""].tolist() for table in (loop.causes.result_table, tables["causes"])
        )
        assert mine == theirs


def test_all_runs_are_one_entry_away_and_a_click_filters_by_a_run(
    view: FailuresView, session: Session, window: MainWindow
) -> None:
    menu = view.run_menu()
    menu.actions()[0].trigger()
    window.flush()
    every = view.shown
    assert isinstance(every, FailuresOfAllRuns)
    rows, name = every.table.model.rowCount(), session.view.labels()[1].name
    every.by_run.table.clicked.emit(every.by_run.model.index(1, 0))
    window.flush()
    runs = {every.table.model.columns[2].text(row) for row in range(every.table.model.rowCount())}
    assert runs == {name}
    assert name in every.table.title
    assert every.by_run.model.marked == {1}
    every.by_run.table.clicked.emit(every.by_run.model.index(1, 0))
    window.flush()
    assert every.table.model.rowCount() == rows
    for text in (name, name[:3].upper(), f"run:{name}", f'run:"{name[:4]}"'):
        session.navigation.filter_queries(text)
        window.flush()
        assert {every.table.model.columns[2].text(row) for row in range(every.table.model.rowCount())} == {name}, text
    session.navigation.filter_queries("")
    every.by_run.table.row_activated.emit(1)
    window.flush()
    assert isinstance(view.shown, FailureLoop)
    assert session.failure_loop.view_model().run.name == name  # type: ignore[union-attr]


def test_tags_are_exported(view: FailuresView, session: Session, window: MainWindow, tmp_path: Path) -> None:
    assert not run_command(session, "export_failure_tags")
    session.failure_loop.add_tag("odd")
    later: Callable[[], object] | None = session.failure_loop.tags_later()
    assert later is not None
    assert run_command(session, "export_failure_tags")


def test_no_control_of_the_tags_is_cut_where_there_is_little_room(view: FailuresView, window: MainWindow) -> None:
    tags = loop_of(view).tags
    controls = (tags.export, tags.keep, tags.random)
    heights = []
    for size in ((640, 400), (1024, 640), (640, 900), (1280, 800)):
        window.resize(*size)
        window.show()
        window.flush()
        QApplication.processEvents()
        heights.append(tags.table.height())
        shown = [control for control in controls if control.isVisible()]
        for number, control in enumerate(shown):
            box = QRect(control.mapTo(tags, QPoint()), control.size())
            assert control.width() >= control.sizeHint().width() and tags.rect().contains(box), (size, control.text())
            assert not any(box.intersects(QRect(other.mapTo(tags, QPoint()), other.size()))
                           for other in shown[:number])  # fmt: skip
    assert heights[0] >= 50 and tags.words.isVisible() and len(shown) == 3


def test_with_large_type_lines_fold(view: FailuresView, window: MainWindow) -> None:
    """1280 × 800 with large type are 914 × 571: signs, the hint of tags and the keys ended in "…"."""
    window.resize(914, 571)
    for _ in range(3):
        window.flush()
        QApplication.processEvents()
    loop = loop_of(view)
    signs = [sign for sign in loop.why.signs if sign.isVisibleTo(view)]
    assert signs
    for sign in signs:
        place, metrics = sign.words_place(sign.width()), QFontMetrics(sign.theme.font(9))
        needed = metrics.boundingRect(QRect(0, 0, place.width(), 10_000), Qt.TextFlag.TextWordWrap, sign.sign.words)
        assert needed.width() <= place.width()
        assert needed.height() <= place.height()
        assert sign.rect().contains(place)
    for label in (loop.why.hint, loop.top.below):
        assert label.height() >= label.heightForWidth(label.width())
    assert "…" not in "".join(window.status_bar.caveats.shown_lines())


def test_a_narrow_table_of_causes_leaves_the_baseline_out(view: FailuresView, window: MainWindow) -> None:
    causes = loop_of(view).causes
    title = [column.id for column in causes.model.columns].index("baseline_share")
    bar = causes.table.horizontalScrollBar()
    for width, wanted in ((280, False), (600, True)):
        loop_of(view).columns.setSizes([300, width, 300 if wanted else 600])
        causes.table.setFixedWidth(width)
        QApplication.processEvents()
        assert (causes.table.horizontalHeader().sectionSize(title) > 0, bar.maximum()) == (wanted, 0)


def test_the_line_below_a_query_begins_with_its_name_in_any_script(qtbot: QtBot) -> None:
    """A Hebrew name turned the line around: "mostly order: .1452 · name"."""
    line = second_line("שאלה", "mostly order: .1452", titled=True)
    layout = QTextLayout(line)
    layout.beginLayout()
    first = layout.createLine()
    layout.endLayout()
    place = line.index("mostly")
    assert first.cursorToX(line.index("ש"))[0] < first.cursorToX(place)[0] < first.cursorToX(place + 6)[0]
    assert second_line("q1", "late", titled=False) == "late"
    assert second_line("q1", "", titled=True) == "q1"
