"""The ranked lists: what a pointer and keys ask of the session, what is in sight, painting at any size."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QAbstractSlider, QApplication, QMenu
from pytestqt.qtbot import QtBot

from irviewer.gui.query.rankings.list_painter import (
    COMPACT_ROW,
    HEADER,
    LEAST_GAP,
    MARGIN,
    MINIMUM,
    ROW,
    ListPainter,
    shown_grades,
)  # fmt: skip
from irviewer.gui.query.rankings.ranked_lists import RankedLists
from irviewer.gui.theme import Theme
from irviewer.gui.widgets import painting
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Regime
from irviewer.rendering.run_label import NEW

EVERYTHING = frozenset({"workspace", "collection", "runs", "measure", "query", "document", "mode"})

Open = Callable[..., tuple[RankedLists, Any]]


@pytest.fixture
def open_lists(qtbot: QtBot, theme: Theme, query_view_models: ModuleType) -> Open:
    def make(width: int = 800, height: int = 500, titled: bool = True, **view_model: Any) -> tuple[RankedLists, Any]:
        session = query_view_models.FakeSession(query_view_models.query_view_model(**view_model), titled=titled)
        view = RankedLists(session, theme)
        qtbot.addWidget(view)
        view.resize(width, height)
        view.show()
        view.refresh(EVERYTHING)
        return view, session

    return make


def click(qtbot: QtBot, view: RankedLists, position: QPoint) -> None:
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=position)


def test_a_click_selects_the_document_and_arrows_walk_ranks_and_lists(qtbot: QtBot, open_lists: Open) -> None:
    view, session = open_lists()
    view_model = session.view_model
    click(qtbot, view, view.row_rect(1, 2).center())
    assert session.document_id == view_model.columns[1].doc_ids[2]
    assert view.current_list == 1
    view.refresh(frozenset({"document"}))
    for key, place, row in (
        (Qt.Key.Key_Down, 1, 3),
        (Qt.Key.Key_Right, 2, 3),
        (Qt.Key.Key_Right, 2, 3),
        (Qt.Key.Key_Up, 2, 2),
        (Qt.Key.Key_Left, 1, 2),
        (Qt.Key.Key_End, 1, 49),
        (Qt.Key.Key_Home, 1, 0),
    ):
        qtbot.keyClick(view, key)
        view.refresh(frozenset({"document"}))
        assert session.document_id == view_model.columns[place].doc_ids[row]
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    assert view.current_row() == (view.viewport().height() - HEADER) // ROW - 1


def test_enter_asks_for_the_document_and_escape_lets_go(qtbot: QtBot, open_lists: Open) -> None:
    view, session = open_lists()
    with qtbot.waitSignal(view.document_asked):
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert session.document_id == session.view_model.columns[0].doc_ids[0]
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert session.document_id is None


def test_letters_are_left_to_the_window(qtbot: QtBot, open_lists: Open) -> None:
    view, session = open_lists()
    session.calls.clear()
    qtbot.keyClick(view, Qt.Key.Key_J)
    assert session.calls == []


def test_hover_is_announced_once_and_gone_when_the_pointer_leaves(qtbot: QtBot, open_lists: Open) -> None:
    view, session = open_lists()
    spot = view.row_rect(0, 4).center()
    qtbot.mouseMove(view.viewport(), spot)
    qtbot.mouseMove(view.viewport(), spot + QPoint(1, 0))
    assert session.calls.count(("hover", session.view_model.columns[0].doc_ids[4])) == 1
    view.leaveEvent(QEvent(QEvent.Type.Leave))
    assert session.calls[-1] == ("hover", "")
    qtbot.mouseMove(view.viewport(), spot)
    qtbot.mouseMove(view.viewport(), view.header_rect(0).center())
    assert session.calls[-1] == ("hover", "")


def test_hover_only_repaints(open_lists: Open) -> None:
    view, session = open_lists()
    asked = []
    session.query_view_model = lambda: asked.append(1)
    session.hover("d3")
    view.grab()
    assert asked == []


def test_a_click_on_a_header_makes_its_run_the_one_compared(qtbot: QtBot, open_lists: Open) -> None:
    view, session = open_lists()
    click(qtbot, view, value_of(view, 2))
    assert ("set_focus", 2) in session.calls
    session.calls.clear()
    click(qtbot, view, value_of(view, 0))
    assert session.calls == []


def value_of(view: RankedLists, place: int) -> QPoint:
    """A point on the value in a header, below the chooser of the run."""
    return QPoint(view.header_rect(place).center().x(), (view.chooser_rect(place).bottom() + HEADER) // 2)


def test_a_click_on_a_chooser_opens_the_menu_of_its_list(
    qtbot: QtBot, open_lists: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, session = open_lists()
    menus = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, at: menus.append(menu))
    click(qtbot, view, view.chooser_rect(1).center())
    (menu,) = menus
    texts = [action.text() for action in menu.actions()]
    assert {"Move left", "Move right", "Close this list", "Set as baseline ★"} & set(texts) >= {"Move left"}
    next(action for action in menu.actions() if action.text() == "Close this list").trigger()
    assert ("show_run", session.view_model.columns[1].run.key, False) in session.calls
    assert view.current_list == 1


def test_the_first_list_stays_while_the_others_scroll(open_lists: Open) -> None:
    view, session = open_lists(width=3 * MINIMUM, runs=6)
    bar = view.horizontalScrollBar()
    assert bar.maximum() > 0
    first, second = view.row_rect(0, 2), view.row_rect(1, 2)
    bar.setValue(bar.maximum())
    assert view.row_rect(0, 2) == first
    assert view.row_rect(1, 2).left() == second.left() - bar.maximum()
    # What is under it is not hit, and the last list is whole.
    columns = session.view_model.columns
    assert view.cell_at(first.center()) == (0, columns[0].doc_ids[2])
    assert view.row_rect(5, 2).right() < view.viewport().width()
    assert view.cell_at(view.row_rect(5, 2).center())[0] == 5
    left = view.row_rect(0, 2).right()
    assert {view.list_at(QPoint(x, 60)) for x in range(view.viewport().width())} >= {0, 5}
    assert all(view.list_at(QPoint(x, 60)) in (0, -1) for x in range(left + 2))


def test_a_list_under_the_one_that_stays_is_brought_beside_it(qtbot: QtBot, open_lists: Open) -> None:
    view, _ = open_lists(width=3 * MINIMUM, runs=6)
    for key in (Qt.Key.Key_Down, *[Qt.Key.Key_Right] * 5, *[Qt.Key.Key_Left] * 4):
        qtbot.keyClick(view, key)
        view.refresh(frozenset({"document"}))
    assert view.current_list == 1
    assert view.row_rect(1, 0).left() > view.row_rect(0, 0).right()


def test_a_selected_document_is_brought_into_sight_and_another_query_begins_at_the_top(
    open_lists: Open, query_view_models: ModuleType
) -> None:
    view, session = open_lists(depth=1000, runs=4)
    session.set_document(session.view_model.columns[0].doc_ids[700])
    view.refresh(frozenset({"document"}))
    sides = [
        column.doc_ids.index(session.document_id)
        for column in session.view_model.columns
        if session.document_id in column.doc_ids
    ]
    tops = [view.row_rect(0, row).top() for row in sides]
    assert any(HEADER <= top <= view.viewport().height() - ROW for top in tops)
    session.view_model = query_view_models.query_view_model(4, 1000, query_id="4")
    session.document_id = None
    view.refresh(frozenset({"query"}))
    assert view.verticalScrollBar().value() == 0


def test_columns_narrow_to_a_least_and_then_scroll(open_lists: Open) -> None:
    view, _ = open_lists(runs=3)
    assert view.horizontalScrollBar().maximum() == 0
    view, _ = open_lists(runs=8)
    assert view.horizontalScrollBar().maximum() > 0
    assert view.row_rect(0, 0).width() == MINIMUM


def test_links_narrow_before_lists_scroll(open_lists: Open) -> None:
    wide, _ = open_lists(runs=3)
    natural = wide.row_rect(1, 0).left() - wide.row_rect(0, 0).right() - 1
    bar = wide.width() - wide.viewport().width()
    view, _ = open_lists(width=bar + 3 * MINIMUM + 2 * (natural - 6) + 2 * MARGIN, runs=3)
    assert view.horizontalScrollBar().maximum() == 0
    lists = [view.row_rect(place, 0) for place in range(3)]
    assert [each.width() for each in lists] == [MINIMUM] * 3
    assert lists[1].left() - lists[0].right() - 1 == natural - 6
    assert lists[2].right() < view.viewport().width()
    view, _ = open_lists(width=bar + 3 * MINIMUM + 2 * (LEAST_GAP - 1) + 2 * MARGIN, runs=3)
    assert view.horizontalScrollBar().maximum() > 0


@pytest.mark.parametrize("word", ["new", "nuevo", "hinzugekommen"])
def test_a_rank_change_below_its_rank_stays_within_its_list(
    open_lists: Open, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    """In Spanish "nuevo" began left of the list."""
    monkeypatch.setattr(painting, "NEW_TEXT", word)
    view, session = open_lists(760, runs=4)
    columns = tuple(replace(each, change=np.full(len(each.grades), NEW)) for each in session.view_model.columns)
    session.view_model = replace(session.view_model, columns=columns)
    view.refresh(EVERYTHING)
    assert view.row_rect(0, 0).height() == ROW
    shown = view.grab().toImage()
    edge = view.viewport().x() + MARGIN - 2
    column = {shown.pixel(edge, y) for y in range(HEADER + 4, shown.height() - 10)}
    assert len(column) == 1, "nothing is painted left of the first list"


def test_the_end_of_a_list_is_said_within_its_width(theme: Theme) -> None:
    """It was painted over the list beside it."""
    painter = ListPainter(theme)
    painter.width = 400
    assert painter.end_words(1234, stored=False) == "The list ends at rank 1,234."
    painter.width = 100
    assert painter.end_words(1234, stored=False) == "ends at 1,234"
    painter.width = 60
    assert painter.end_words(1234, stored=False).endswith("…")


def test_without_titles_rows_are_one_line(open_lists: Open) -> None:
    view, _ = open_lists(titled=False)
    assert view.row_rect(0, 0).height() == COMPACT_ROW
    # Narrow ones have the rank change below the rank, so that an id keeps its room.
    view, _ = open_lists(560, titled=False, runs=4)
    assert view.row_rect(0, 0).height() == ROW


@pytest.mark.parametrize("regime", list(Regime))
@pytest.mark.parametrize("titled", [True, False])
def test_it_paints_at_any_size_and_place(open_lists: Open, regime: Regime, titled: bool) -> None:
    for runs, width, height in ((1, 300, 200), (4, 760, 480), (8, 1200, 900)):
        view, session = open_lists(width, height, titled, runs=runs, regime=regime, depth=60)
        for doc_id in ("d3", "nowhere", ""):
            session.hover(doc_id)
            view.verticalScrollBar().setValue(10**6)
            assert not view.grab().isNull()


def test_no_runs_and_no_view_model_paint_too(qtbot: QtBot, theme: Theme, query_view_models: ModuleType) -> None:
    for view_model in (None, query_view_models.query_view_model(runs=0)):
        view = RankedLists(query_view_models.FakeSession(view_model), theme)
        qtbot.addWidget(view)
        view.refresh(EVERYTHING)
        view.show()
        qtbot.keyClick(view, Qt.Key.Key_Down)
        assert not view.grab().isNull()


def test_the_selected_document_is_in_sight_from_the_first_view_model_on_and_in_less_room(
    qtbot: QtBot, theme: Theme, query_view_models: ModuleType
) -> None:
    session = query_view_models.FakeSession(query_view_models.query_view_model())
    session.document_id = session.view_model.columns[0].doc_ids[30]
    view = RankedLists(session, theme)
    qtbot.addWidget(view)
    view.resize(800, 900)
    view.show()
    view.refresh(frozenset({"workspace"}))  # a project that was opened says nothing of a document

    def in_sight() -> bool:
        return view.viewport().rect().contains(view.row_rect(0, 30))

    assert in_sight()
    view.resize(800, 300)
    qtbot.waitUntil(in_sight)
    view.verticalScrollBar().triggerAction(QAbstractSlider.SliderAction.SliderToMinimum)
    view.resize(800, 320)
    qtbot.waitUntil(lambda: view.height() == 320)
    assert not in_sight()  # who scrolled away stays away


def test_tips_say_title_grade_and_rank(open_lists: Open) -> None:
    view, session = open_lists(regime=Regime.POOLED)
    columns = session.view_model.columns
    for row in range(8):
        doc_id, grade = columns[0].doc_ids[row], columns[0].grades[row]
        tip = view.tip_at(view.row_rect(0, row).center())
        words = "unjudged" if math.isnan(grade) else "judged non-relevant" if grade == 0 else f"grade {grade:g}"
        assert doc_id in tip
        assert words in tip
        assert f"rank {row + 1}" in tip
        assert tip.endswith(f"score {99 - row}")
    assert view.tip_at(value_of(view, 1)) == columns[1].run.name
    assert view.tip_at(view.chooser_rect(1).center()).startswith(columns[1].run.name)


def test_the_header_menu_is_the_runs_menu(open_lists: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    view, _ = open_lists()
    keys = []

    def menu(session: object, key: int, parent: object) -> QMenu:
        keys.append(key)
        return QMenu(view)

    monkeypatch.setattr("irviewer.gui.query.rankings.ranked_lists.list_menu", menu)
    nowhere = QPoint(view.row_rect(0, 0).right() + 4, view.row_rect(0, 1).top())
    for spot in (view.header_rect(2).center(), nowhere):
        view.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Mouse, spot, view.mapToGlobal(spot)))
    assert keys == [2]
    for popup in view.findChildren(QMenu):
        popup.close()


def test_a_rows_menu_reads_and_copies(open_lists: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "irviewer.gui.query.rankings.ranking_widget.run_command", lambda session, name: session.run_command(name)
    )
    view, session = open_lists()
    click(qtbot, view, view.row_rect(1, 3).center())
    column = session.view_model.columns[1]
    menu = view.row_menu()
    read, pin, why, copy_id, judge, copy_list, of_list = (
        action for action in menu.actions() if not action.isSeparator()
    )
    assert judge.text() == "Judge (unjudged)"
    assert of_list.text() == f"List of {column.run.name}"
    with qtbot.waitSignal(view.document_asked):
        read.trigger()
    pin.trigger()
    why.trigger()
    assert session.calls[-2:] == [("run_command", "pin_document"), ("run_command", "why_not")]
    copy_id.trigger()
    assert QApplication.clipboard().text() == column.doc_ids[3]
    copy_list.trigger()
    lines = QApplication.clipboard().text().splitlines()
    assert lines[0] == "rank\tdocument\tgrade\ttitle"
    assert [line.split("\t")[1] for line in lines[1:]] == column.doc_ids
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == column.doc_ids[3]


def test_where_everything_was_judged_the_unlisted_are_non_relevant() -> None:
    grades = np.array([math.nan, 3.0])
    assert shown_grades(grades, Regime.COMPLETE) == [0.0, 3.0]
    assert math.isnan(shown_grades(grades, Regime.POOLED)[0])


def test_tied_ranks_wear_a_bracket_and_no_others(open_lists: Open) -> None:
    """Behind the ranks of a group stands a line that goes through the gap between its rows, and ends with it."""
    view, session = open_lists(runs=1, depth=50)
    plain = view.grab().toImage()
    session.view_model = replace(
        session.view_model, columns=(replace(session.view_model.columns[0], tied=np.array([[2, 4]])),)
    )  # fmt: skip
    session.ties = "tied: ranks 2–4 share the score 7"
    view.refresh(EVERYTHING)
    marked = view.grab().toImage()
    changed = {
        (x, y) for y in range(marked.height()) for x in range(marked.width()) if marked.pixel(x, y) != plain.pixel(x, y)
    }
    assert len({x for x, _ in changed}) <= 5  # thin
    rows = {(y - HEADER) // ROW for _, y in changed}
    assert rows == {1, 2, 3}
    line = max({x for x, _ in changed}, key=lambda x: sum(pixel == x for pixel, _ in changed))
    between = HEADER + 3 * ROW - 1
    assert all((line, y) in changed for y in range(between - 10, between + 10))
    assert "share the score 7" in view.tip_at(view.row_rect(0, 2).center())


def test_a_group_longer_than_the_view_is_not_closed_at_its_edge(open_lists: Open) -> None:
    view, session = open_lists(runs=1, depth=50)
    session.view_model = replace(
        session.view_model, columns=(replace(session.view_model.columns[0], tied=np.array([[1, 50]])),)
    )  # fmt: skip
    view.refresh(EVERYTHING)
    view.verticalScrollBar().setValue(10 * ROW)
    middle = view.grab().toImage()
    session.view_model = replace(
        session.view_model, columns=(replace(session.view_model.columns[0], tied=np.array([[9, 30]])),)
    )
    view.refresh(EVERYTHING)
    assert view.grab().toImage() == middle


def test_where_a_document_is_that_is_not_visible_is_in_the_header_over_no_row(open_lists: Open) -> None:
    view, session = open_lists(depth=50)
    columns = session.view_model.columns
    rows = (view.viewport().height() - HEADER) // ROW
    hidden = next(
        (doc, place)
        for doc in columns[0].doc_ids[:rows]
        for place in range(1, len(columns))
        if doc not in columns[place].doc_ids[: rows + 1]
    )
    document, place = hidden
    below = view.row_rect(place, 0).united(view.row_rect(place, rows)).intersected(view.viewport().rect())
    plain = view.viewport().grab(below), view.viewport().grab(view.header_rect(place))
    session.set_document(document)
    view.refresh(frozenset({"document"}))
    assert view.verticalScrollBar().value() == 0
    assert view.viewport().grab(below).toImage() == plain[0].toImage()
    assert view.viewport().grab(view.header_rect(place)).toImage() != plain[1].toImage()


HOSTILE = "<b>bold</b> & \u202ertl\u200b"
LONG = "x" * 15_000


def with_fields(view: RankedLists, session: Any, query_view_models: ModuleType, *names: str) -> None:
    """Show fields of documents of which the first ones have odd values."""
    odd = {"d0": HOSTILE, "d1": LONG, "d2": None}
    rows = [
        {
            "id": f"d{k}",
            "title": f"{k} is the title of " + "a thing " * 9,
            "price": 1.5 * k,
            "brand": odd.get(f"d{k}", "Acme"),
        }
        for k in range(200)
    ]
    session.collection = replace(session.collection, documents=TextTable.from_rows(rows, name="documents"))
    session.view_model = replace(session.view_model)
    session.list_fields = names
    view.refresh(EVERYTHING)


def test_the_line_of_fields_takes_no_room_of_titles(open_lists: Open, query_view_models: ModuleType) -> None:
    view, session = open_lists(width=900, runs=2)
    with_fields(view, session, query_view_models)
    painter, height = view._painter, view.row_height
    view.grab()
    plain = {key: (len(text.lines), text.id_x) for key, text in painter._titles._texts.items()}
    assert painter.fields.shown("d3") == "" and painter.fields.line("d3") is None and height == ROW
    session.list_fields = ("price", "brand")
    view.refresh(frozenset({"mode"}))
    assert view.row_height == ROW + painter.fields.height > ROW
    assert painter.content_height() == 51 * view.row_height
    assert view.row_rect(0, 3).height() == view.row_height
    view.grab()
    same = {key: (len(text.lines), text.id_x) for key, text in painter._titles._texts.items()}
    assert len(same) > 10
    assert {lines for lines, _ in same.values()} == {2}
    assert all(plain[key] == layout for key, layout in same.items())
    assert painter.fields.shown("d3") == "price 4.5 · brand Acme"
    assert painter.fields.shown("d2") == "price 3"
    assert painter.fields.line("nothing") is None
    session.list_fields = ()
    view.refresh(frozenset({"mode"}))
    assert view.row_height == ROW


def test_fields_without_room_lose_their_names_and_are_elided(open_lists: Open, query_view_models: ModuleType) -> None:
    view, session = open_lists(width=900, runs=2)
    with_fields(view, session, query_view_models, "price", "brand")
    fields = view._painter.fields
    wide = fields._metrics.horizontalAdvance("price 4.5 · brand Acme")
    fields.set_room(wide)
    assert fields.shown("d3") == "price 4.5 · brand Acme"
    fields.set_room(wide - 1)
    assert fields.shown("d3") == "4.5 · Acme"
    fields.set_room(fields._metrics.horizontalAdvance("4.5 · Acme") - 1)
    assert fields.shown("d3").startswith("4.5") and fields.shown("d3").endswith("…")
    for width in (20.0, 90.0, 300.0):
        fields.set_room(width)
        for doc in ("d0", "d1", "d2", "d3"):
            assert fields._metrics.horizontalAdvance(fields.shown(doc)) <= width


def test_hostile_fields_are_escaped_text(open_lists: Open, query_view_models: ModuleType) -> None:
    view, session = open_lists(width=900, runs=2)
    with_fields(view, session, query_view_models, "brand")
    fields = view._painter.fields
    fields.set_room(900.0)
    assert fields.shown("d0") == "brand <b>bold</b> & \\u202ertl\\u200b"
    line = fields.line("d0")
    assert line is not None and line.textFormat() == Qt.TextFormat.PlainText
    assert len(fields.shown("d1")) <= 300 and fields.shown("d1").endswith("…")
    fields.set_names(("brand", "price"))
    fields.set_room(fields._metrics.horizontalAdvance("x" * 32))
    assert fields.shown("d1") == "x" * 23 + "… · 1.5", "a long value leaves room to the others"
    fields.set_room(1e6)
    assert fields.shown("d1").endswith("…"), "what is cut says so"
    fields.set_names(("brand",))
    view.grab()
    documents = session.view_model.columns[0].doc_ids
    tip = view.tip_at(view.row_rect(0, documents.index("d0")).center())
    assert f"brand {HOSTILE}" in tip
    assert len(view.tip_at(view.row_rect(0, documents.index("d1")).center())) < 2_000
    assert "brand" not in view.tip_at(view.row_rect(0, documents.index("d2")).center())


def test_fields_are_spoken_and_copied_whole(open_lists: Open, query_view_models: ModuleType) -> None:
    view, session = open_lists(width=300, runs=1, depth=5)
    with_fields(view, session, query_view_models, "brand", "price")
    documents = session.view_model.columns[0].doc_ids
    spoken = view._spoken_table(session.view_model)
    for row, doc in enumerate(documents):
        text = spoken.cell(row, 0)
        assert f"price {float(1.5 * int(doc[1:])):g}" in text
        assert (LONG in text) == (doc == "d1")
    view.copy_list()
    head, *rows = QApplication.clipboard().text().rstrip("\n").split("\n")
    assert head.split("\t")[-3:] == ["title", "brand", "price"]
    assert [row.split("\t")[-1] for row in rows] == [f"{1.5 * int(doc[1:]):g}" for doc in documents]
    session.list_fields = ()
    view.refresh(frozenset({"mode"}))
    view.copy_list()
    assert QApplication.clipboard().text().split("\n")[0].split("\t")[-1] == "title"
    assert "brand" not in spoken.cell(0, 0)


def test_without_chosen_fields_no_document_is_read(
    open_lists: Open, query_view_models: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, session = open_lists(width=900, runs=2)
    read: list[str] = []
    row = TextTable.row
    monkeypatch.setattr(TextTable, "row", lambda self, doc: read.append(doc) or row(self, doc))
    with_fields(view, session, query_view_models)
    view.grab()
    assert view.tip_at(view.row_rect(0, 0).center())
    assert view._spoken_table(session.view_model).cell(0, 0)
    view.copy_list()
    assert read == []
    session.list_fields = ("price",)
    view.refresh(frozenset({"mode"}))
    view.grab()
    assert 0 < len(read) == len(set(read)) <= 2 * (view.height() // ROW + 1)
