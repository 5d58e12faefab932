"""The box around the rankings: description and narrative stand above the lists, and go by a key."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QTextDocument
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.query.query_header import QueryHint
from irviewer.gui.query.rankings.list_painter import HEADER
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.window import MainWindow
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.session import Session
from tests.session.helpers import session_with


def test_description_and_narrative_are_in_view_and_go_by_a_key(
    window: MainWindow, session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    window.resize(1600, 800)  # the header has room for the text of a query
    session.navigation.set_place("query")
    session.navigation.set_query("1")
    window.flush()
    assert isinstance(window.current_screen, QueryScreen)
    header = window.current_screen.centre
    assert header.details.isHidden()  # the queries have a text and nothing else
    assert not run_command(session, "query_details")
    topics = tmp_path / "topics.jsonl"
    topics.write_text(
        '{"id": "1", "text": "wing lift", "description": "how wings & flaps lift", "narrative": "numbers count"}\n'
        '{"id": "2", "text": "heat"}\n{"id": "3", "text": "plates"}\n',
        encoding="utf-8",
    )
    session.files.open_files([str(topics)])
    session.navigation.set_place("query")
    session.navigation.set_query("1")
    window.flush()
    assert session.judging.query_details == (("description", "how wings & flaps lift"), ("narrative", "numbers count"))
    assert header.details.isVisible()
    assert "how wings &amp; flaps lift" in header.details.text()
    size = window.size()
    window.resize(640, 400)
    assert header.details.isHidden(), "a low window leaves its room to the ranks"
    window.resize(size)
    assert header.details.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_I)
    window.flush()
    assert header.details.isHidden()
    assert not session.settings["query_details"]
    qtbot.keyClick(window, Qt.Key.Key_I)
    window.flush()
    assert header.details.isVisible()


def test_short_fields_of_a_query_share_a_line(window: MainWindow, session: Session, tmp_path: Path) -> None:
    """“form phrase” and “asks for moral” took a rank of each list."""
    topics, long = tmp_path / "topics.jsonl", "a description of more letters than a line of the panel has room for"
    topics.write_text(
        f'{{"id": "1", "text": "wing lift", "form": "phrase", "asks": "<moral>", "narrative": "{long}", "by": "us"}}\n'
        '{"id": "2", "text": "heat"}\n{"id": "3", "text": "plates"}\n',
        encoding="utf-8",
    )
    session.files.open_files([str(topics)])
    session.navigation.set_place("query")
    session.navigation.set_query("1")
    window.flush()
    assert isinstance(window.current_screen, QueryScreen)
    document = QTextDocument()
    document.setHtml(window.current_screen.centre.details.text())
    lines = document.toPlainText().split("\n")
    whole = [f"{name} {text}" for name, text in session.judging.query_details]
    assert sorted(part for line in lines for part in line.split(" · ")) == sorted(whole) and len(whole) == 4
    assert all(len(part) <= 40 for line in lines if " · " in line for part in line.split(" · "))
    assert len(lines) < len(whole) and f"narrative {long}" in lines


def test_notes_are_in_the_header_and_in_the_lists(window: MainWindow, session: Session) -> None:
    session.navigation.set_place("query")
    session.navigation.set_query("1")
    window.flush()
    assert isinstance(window.current_screen, QueryScreen)
    header, lists = window.current_screen.centre, window.current_screen.lists
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    document = view_model.columns[0].doc_ids[0]
    bare = lists.viewport().grab().toImage()
    session.notes.write_note("document", document, "odd one", ["seen"])
    window.flush()
    assert lists.viewport().grab().toImage() != bare
    assert "✎ odd one #seen" in lists.tip_at(lists.row_rect(0, 0).center())
    session.notes.write_note("document", document, "", [])
    window.flush()
    assert lists.viewport().grab().toImage() == bare
    assert header.details.isHidden()
    session.notes.write_note("query", "1", "hard <as> it is", ["later"])
    window.flush()
    assert header.details.isVisible()
    assert "hard &lt;as&gt; it is" in header.details.text()
    assert "#later" in header.text.text()


def test_it_says_which_queries_this_one_is_none_of(window: MainWindow, session: Session) -> None:
    session.query_sets.make_query_set("few", ["1", "2"])
    session.query_sets.set_query_set("few")
    session.navigation.set_place("query")
    session.navigation.set_query("3")
    window.flush()
    assert isinstance(window.current_screen, QueryScreen)
    hint = window.current_screen.centre.hint
    assert "not in the query set “few” (2 queries)" in hint.text
    session.navigation.set_query("1")
    session.navigation.filter_queries("id:2")
    window.flush()
    assert "not in the filtered list (1 query)" in hint.text


def test_fields_are_chosen_beside_the_key_of_ids_by_a_list_that_stays_open(
    window: MainWindow, session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    session.navigation.set_place("query")
    session.navigation.set_query("1")
    window.flush()
    assert isinstance(window.current_screen, QueryScreen)
    bar, lists = window.current_screen.centre.bar, window.current_screen.lists
    assert bar.fields.isHidden(), "no document has a field"
    assert not run_command(session, "list_fields")
    documents = lists.view_model.columns[0].doc_ids if lists.view_model is not None else ()
    rows = [{"id": doc, "title": f"t {doc}", "price": k + 0.5, "colour": "red"} for k, doc in enumerate(documents)]
    path = tmp_path / "documents.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    session.files.open_files([str(path)])
    session.navigation.set_place("query")
    session.navigation.set_query("1")
    window.flush()
    assert session.view.offered_fields == ("price", "colour")
    assert bar.fields.isVisible() and bar.fields.text() == "fields"
    height = lists.row_height
    bar.fields.setFocus()
    qtbot.keyClick(bar.fields, Qt.Key.Key_Space)
    assert window.picker.isVisible()
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Return)
    assert window.picker.isVisible(), "another field may be chosen"
    window.flush()
    assert session.view.list_fields == ("price",)
    assert bar.fields.text() == "1 field"
    assert lists.row_height > height
    assert "price 0.5" in lists.tip_at(lists.row_rect(0, 0).center())
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Escape)
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(window.picker.line, "fields")
    assert window.picker.titles()[0] == "Fields in the lists… View"
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Return)
    qtbot.keyClicks(window.picker.line, "colour")
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Return)
    window.flush()
    assert session.view.list_fields == ("price", "colour")
    assert bar.fields.text() == "2 fields"


def test_the_text_of_a_query_is_below_a_narrow_header(window: MainWindow, session: Session) -> None:
    """With large type on 1280 × 800 the header showed two signs of it, and half of a key."""
    session.navigation.set_place("query")
    assert isinstance(window.current_screen, QueryScreen)
    header = window.current_screen.centre
    for width, below in ((914, True), (1920, False), (914, True)):
        window.resize(width, 700)
        for _ in range(2):
            window.flush()
            QApplication.processEvents()
        words = QTextDocument()
        words.setHtml(header.details.text())
        text = session.view_models.query_view_model().text  # type: ignore[union-attr]
        assert text
        assert (text in words.toPlainText(), text in header.text.text()) == (below, not below)
        assert header.details.isVisible() == below
        spoken = QAccessible.queryAccessibleInterface(header.details if below else header.text)
        assert spoken is not None and text in spoken.text(QAccessible.Text.Name)
        assert header.hint.sizeHint().width() <= header.hint.width()
        assert not header.hint.text.endswith("·")


def test_shortcuts_that_fold_are_whole_and_others_end_with_whole_ones(window: MainWindow, qtbot: QtBot) -> None:
    parts = ((True, "J"), (True, "K"), (False, "next, previous ·"), (True, "Esc"), (False, "end"))
    line, folding = QueryHint(window.theme), QueryHint(window.theme, folds=True)
    for hint in (line, folding):
        hint.show_parts(parts)
    wide, narrow = line.sizeHint().width(), line.sizeHint().width() - 10
    assert [[text for _, text, _ in row] for row in line.shown_lines(wide)] == [
        ["J", "K", "next, previous ·", "Esc", "end"]
    ]
    assert [[text for _, text, _ in row] for row in line.shown_lines(narrow)] == [["J", "K", "next, previous ·"]]
    assert [[text for _, text, _ in row] for row in folding.shown_lines(narrow)] == [
        ["J", "K", "next, previous ·"], ["Esc", "end"],
    ]  # fmt: skip
    assert folding.heightForWidth(narrow) == 2 * folding.heightForWidth(wide)
    holder = QWidget()
    qtbot.addWidget(holder)
    column, row = QVBoxLayout(holder), QHBoxLayout()
    column.addStretch(1)
    column.addLayout(row)
    row.addWidget(folding)
    holder.resize(narrow, 200)
    holder.show()
    assert folding.height() >= folding.heightForWidth(folding.width()) > folding.heightForWidth(wide)


@pytest.mark.opens("start")
def test_a_low_window_shows_ranks_and_a_curve(window: MainWindow, session: Session) -> None:
    """At 200 % on 1280 × 800 two ranks and a half were in sight, and at 1024 × 640 the curve was forty pixels high."""
    session.files.open_sample("fables")
    for size in ((640, 400), (1024, 640), (640, 400), (1280, 800)):
        window.resize(*size)
        session.navigation.set_place("query")
        for _ in range(3):
            window.flush()
            QApplication.processEvents()
        screen = window.current_screen
        assert isinstance(screen, QueryScreen)
        low, lists = size == (640, 400), screen.lists
        assert lists.viewport().height() - HEADER >= 5 * lists.row_height, size
        assert screen.missed.isHidden() is low, size
        if low:
            continue
        (chart,) = (plot for plot in screen.plots if plot.isVisible() and plot.canvas is not None)
        assert chart.canvas is not None and chart.canvas.height() >= 80, size
        assert not screen.metrics.table.verticalScrollBar().maximum(), "the measures are whole"


def test_measures_are_whole_below_long_names(make_window: Callable[[Session], MainWindow]) -> None:
    """Where names are written upwards the table had the height that it has without them: three of seven measures."""
    docs = {"1": {f"d{place}": 30.0 - place for place in range(30)}}
    runs = [Run.from_dict(docs, name=f"results_with_analyzer_standard_{number}") for number in range(4)]
    qrels = JudgmentSet(Qrels.from_dict({"1": {"d3": 1}}, name="q"), Regime.POOLED)
    session = session_with(Collection("made", judgments=(qrels,)).with_runs(runs))
    session.navigation.set_place("systems")
    window = make_window(session)
    window.resize(1280, 800)
    QApplication.processEvents()
    session.navigation.set_place("query")
    for _ in range(4):
        window.flush()
        QApplication.processEvents()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    assert screen.metrics.model.rowCount() > 5 and not screen.metrics.table.verticalScrollBar().maximum()
    session.close()


@pytest.mark.opens("start")
def test_columns_have_their_shares_after_the_window_was_made_smaller(window: MainWindow, session: Session) -> None:
    """From 1920 to 1280 pixels the measures kept theirs, and the lists had what was left."""
    session.files.open_sample("fables")
    session.navigation.set_place("query")
    sizes = []
    for size in ((1280, 800), (1920, 1080), (1280, 800)):
        window.resize(*size)
        for _ in range(3):
            window.flush()
            QApplication.processEvents()
        screen = window.current_screen
        assert isinstance(screen, QueryScreen)
        sizes.append(screen.content.sizes())
    assert sizes[0] == sizes[2] != sizes[1]
