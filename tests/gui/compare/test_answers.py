"""The tabs of Compare about answers: they show what every door shows, lead to the answer, and take odd data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QTableView, QWidget
from pytestqt.qtbot import QtBot

import irviewer
from irviewer.gui.compare.answers.compared_text import own_words
from irviewer.gui.compare.answers.lists import BarLegend, ListsView
from irviewer.gui.compare.answers.nuggets import NuggetsView
from irviewer.gui.compare.answers.strips import StripColumn
from irviewer.gui.compare.screen import CompareScreen, MoreViewsView
from irviewer.gui.query.answer.view import AnswerView
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import GroupTitle
from irviewer.gui.widgets.parameter_bar import ParameterBar
from irviewer.gui.widgets.table import ROW_HEIGHT
from irviewer.gui.window import MainWindow
from irviewer.session.answers.actions import MOST_BESIDE
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.session import Session
from irviewer.session.settings import Settings

OWN = Path(__file__).parents[2] / "data" / "answers"
SYSTEMS = [OWN / f"{run}.{part}.jsonl" for run in ("alpha", "beta") for part in ("answers", "assignments", "support")]
FILES = [OWN / "nuggets.jsonl", *SYSTEMS, OWN / "qrels.txt", OWN / "context.run", OWN / "segments.jsonl"]
Opens = Callable[[Session], MainWindow]


def opened(make_window: Opens, tab: str, files: list[Path] | None = None) -> tuple[MainWindow, CompareScreen, Session]:
    session = Session(Settings())
    session.files.open_files([str(path) for path in files or FILES])
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", tab)
    window = make_window(session)
    session.compute_now()
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, CompareScreen)
    screen.refresh(EVERY_CHANGE)
    return window, screen, session


def texts(panel: object) -> list[list[str]]:
    model = panel.model  # type: ignore[attr-defined]
    return [[column.text(row) for column in model.columns] for row in range(len(model.keys))]


def nuggets_of(screen: CompareScreen) -> NuggetsView:
    view = screen.view("nuggets")
    assert isinstance(view, NuggetsView)
    return view


def test_a_check_of_a_system_opens_what_is_to_be_examined(make_window: Opens, tmp_path: Path) -> None:
    """Enter on a row did nothing, and only a menu led to the list."""
    files = []
    for system, counts in (("alpha", (7, 8)), ("beta", (7,))):
        files.append(tmp_path / f"{system}.jsonl")
        files[-1].write_text(json.dumps({
            "qid": "q", "run_id": system, "answer_text": "It does not say so.", "nuggets": [
                {"text": f"It has {count} parts", "importance": "vital", "assignment": "support"} for count in counts
            ],
        }) + "\n")  # fmt: skip
    nuggets = tmp_path / "nuggets.jsonl"
    nuggets.write_text(json.dumps({"qid": "q", "nuggets": [
        {"text": f"It has {count} parts", "importance": "vital"} for count in (7, 8)
    ]}) + "\n")  # fmt: skip
    _, screen, session = opened(make_window, "views", [nuggets, *files])
    session.result_views.choose("answer-checks")
    session.compute_now()
    screen.refresh(EVERY_CHANGE)
    view = screen.view("views")
    assert isinstance(view, MoreViewsView)
    panel = view.panel
    for row, wanted in enumerate((["alpha", "alpha"], [], [], ["beta"])):
        panel.show_named("checks")
        panel.table.row_activated.emit(row)
        assert panel.result_table is not None and panel.result_table.name == "worklist"
        assert [own[1] for own in texts(panel)] == wanted
    panel.show_named("worklist")
    assert len(texts(panel)) == 3, "chosen by its name it has all rows"


def lists_of(screen: CompareScreen, tab: str) -> ListsView:
    view = screen.view(tab)
    assert isinstance(view, ListsView)
    return view


def test_topics_by_difference_and_pairs(make_window: Opens) -> None:
    window, screen, session = opened(make_window, "nuggets")
    view = nuggets_of(screen)
    assert [row[0] for row in texts(view.topics)] == ["t1", "t3", "t2"], "the largest gain of the other system first"
    assert [row[1::2] for row in texts(view.pairs)] == [["2", "1", "2"], ["1", "0", "0"], ["0", "0", "1"]]
    strip = next(column for column in view.topics.model.columns if isinstance(column, StripColumn))
    shown = strip.strip(2)
    assert shown is not None and shown.lines == ((2, 2, 0, 1), (1, 0, 0, 2)) and shown.tall == 3
    assert "alpha: 2 of 3 vital said, 0 in part; beta: 0 of 3 vital said, 1 in part" in strip.spoken(2)
    session.navigation.set_query("t2")
    window.flush()
    own = [row for row, key in enumerate(view.nuggets.model.keys) if isinstance(key, tuple)]
    assert len(own) == 3 and view.nuggets.model.keys[own[0]][0] == "t2"


def test_the_notice_about_strips_comes_with_the_first_rows(make_window: Opens) -> None:
    _, screen, _ = opened(make_window, "nuggets")
    topics = nuggets_of(screen).topics
    assert topics.notice.text().startswith("above ") and topics.notice.isVisible()
    topics.show_table(None)
    assert not topics.notice.isVisible(), "in the middle of the empty table"
    topics.show_notice("nothing is known", "worse")
    assert topics.notice.isVisible()


def test_a_topic_that_was_lost_opens_where_the_other_system_says_it(make_window: Opens) -> None:
    """Of t2 alpha says more: a nugget of its was sought in the answer of the system that was in view."""
    window, screen, session = opened(make_window, "nuggets")
    view = nuggets_of(screen)
    for topic, says, lacks in (("t2", "alpha", "beta"), ("t1", "beta", "alpha")):
        session.navigation.set_query(topic)
        window.flush()
        view.topics.table.row_activated.emit(list(view.topics.model.keys).index(topic))
        window.flush()
        answers = session.answers.view_model()
        assert answers is not None and answers.topic.topic == topic
        names = [system.name for system in answers.topic.systems]
        labels = answers.topic.nuggets[answers.selection.place].labels
        assert names[answers.lead] == says and labels[names.index(says)] > labels[names.index(lacks)], topic
        session.navigation.set_place("compare")
        window.flush()


def test_rows_and_cells_lead_to_the_answer_and_back(make_window: Opens) -> None:
    window, screen, session = opened(make_window, "nuggets")
    view = nuggets_of(screen)
    session.navigation.set_query("t2")
    window.flush()
    row = next(row for row, key in enumerate(view.nuggets.model.keys) if isinstance(key, tuple))
    key = view.nuggets.model.keys[row]
    view.nuggets.table.row_activated.emit(row)
    window.flush()
    answers = session.answers.view_model()
    assert session.view.place == "query" and session.view.tab("query") == "answer"
    assert answers is not None and answers.topic.topic == "t2"
    assert (answers.selection.kind, answers.selection.place) == ("nugget", key[2])
    session.navigation.set_place("compare")
    window.flush()
    assert window.current_screen is screen and screen.shown is view
    table, at = view.topics.table, list(view.topics.model.keys).index("t3")
    place = next(n for n, column in enumerate(view.topics.model.columns) if isinstance(column, StripColumn))
    box = table.visualRect(view.topics.model.index(at, place))
    column = view.topics.model.columns[place]
    assert isinstance(column, StripColumn)
    x = next(x for x in range(box.width()) if column.cell_at(at, x, box.width()) == 1)
    where = QPointF(box.left() + x, box.center().y())
    press = QMouseEvent(
        QEvent.Type.MouseButtonDblClick, where, table.viewport().mapToGlobal(where), Qt.MouseButton.LeftButton,
        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(table.viewport(), press)
    strip = column.strip(at)
    assert strip is not None
    answers = session.answers.view_model()
    assert answers is not None and answers.topic.topic == "t3" and answers.selection.place == strip.places[1]


def test_the_window_takes_the_list_and_the_judgments_as_the_command_does(make_window: Opens) -> None:
    _, screen, session = opened(make_window, "lost")
    wanted = irviewer.answers("lost", OWN / "nuggets.jsonl", SYSTEMS, judgments=OWN / "qrels.txt",
                              context=OWN / "context.run", segments=OWN / "segments.jsonl").value.lost  # fmt: skip
    answer = session.result_views.answer("answer-lost")
    assert answer is not None and answer.shown is not None
    lost = answer.shown.value.lost
    assert np.array_equal(lost.counts, wanted.counts) and lost.rule == "segments"
    assert lost.document == wanted.document and np.array_equal(lost.rank, wanted.rank)
    assert "taken to be context" in lists_of(screen, "lost").above.notice.text()


def test_means_of_nuggets_do_not_scroll_sideways_in_a_small_window(make_window: Opens) -> None:
    """The p-values were out of sight at 1024 pixels."""
    window, screen, _ = opened(make_window, "nuggets")
    window.resize(1024, 640)
    window.flush()
    QApplication.processEvents()
    table = nuggets_of(screen).means.table
    assert table.horizontalScrollBar().maximum() == 0
    assert not table.isColumnHidden(len(nuggets_of(screen).means.model.columns) - 1)


def test_a_long_id_leaves_the_text_of_a_lost_nugget_its_room(make_window: Opens, tmp_path: Path) -> None:
    """At 1024 pixels a nugget had 85 of them beside an id of 250."""
    files = []
    for path in FILES:
        files.append(tmp_path / path.name)
        files[-1].write_text(re.sub(r"\bd(\d\d)\b", r"\1_msmarco_v2.1_doc_1429319552#2_302285843", path.read_text()))
    window, screen, _ = opened(make_window, "lost", files)
    window.resize(1024, 640)
    window.flush()
    panel = lists_of(screen, "lost").list
    QApplication.processEvents()
    wide = {column.id: panel.table.columnWidth(place) for place, column in enumerate(panel.model.columns)}
    assert wide["nugget"] > wide["document"]


def test_a_cell_above_restricts_the_list_and_a_row_opens(make_window: Opens) -> None:
    window, screen, session = opened(make_window, "lost")
    view = lists_of(screen, "lost")
    every = len(view.list.model.keys)
    place = next(n for n, column in enumerate(view.above.model.columns) if column.id == "bar")
    view.above.table.clicked.emit(view.above.model.index(1, place))
    assert {key[1] for key in view.list.model.keys} == {"beta"} and 0 < len(view.list.model.keys) < every
    view.every.click()
    assert len(view.list.model.keys) == every
    view.list.table.row_activated.emit(every - 1)
    window.flush()
    answers, key = session.answers.view_model(), view.list.model.keys[every - 1]
    assert answers is not None and answers.topic.topic == key[0] and answers.labels[answers.lead].whole_name == key[1]


@pytest.mark.parametrize("tab", ["sentences", "versions"])
def test_a_sentence_opens(make_window: Opens, tab: str) -> None:
    window, screen, session = opened(make_window, tab)
    view = lists_of(screen, tab)
    assert view.above.model.keys and view.list.model.keys
    key = view.list.model.keys[0]
    view.list.table.row_activated.emit(0)
    window.flush()
    answers = session.answers.view_model()
    assert answers is not None and answers.topic.topic == key[0]
    assert (answers.selection.kind, answers.selection.place) == ("sentence", -key[2])


def test_without_answers_the_tabs_are_away(make_window: Opens, tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("1 0 d 1\n")
    (tmp_path / "r.txt").write_text("1 Q0 d 1 1 r\n")
    _, screen, _ = opened(make_window, "pair", [tmp_path / "q.txt", tmp_path / "r.txt"])
    assert not any(
        screen.strip.buttons[tab].isVisibleTo(screen) for tab in ("nuggets", "lost", "sentences", "versions")
    )
    screen.strip.fit(5000)
    shown = [title.text() for title in screen.strip.findChildren(GroupTitle) if not title.isHidden()]
    assert shown == ["runs", "judges", ""]


def files_of_odd_answers(folder: Path, systems: int) -> list[Path]:
    """Odd answers of several systems: citations that lead nowhere, HTML, hidden characters, empty sentences, a topic
    without nuggets, one without vital ones, and one of 10,000 words."""
    names = [f"system {place}" for place in range(systems)]
    nuggets = {"a": [("<b>bold</b>", "vital"), ("hidden\u202e\u200b", "vital"), ("", "okay")], "b": [],
               "c": [("only okay", "okay"), ("odd", "perhaps")], "d": [("word " * 30, "vital")]}  # fmt: skip
    files = []

    def put(name: str, records: list[dict[str, object]]) -> None:
        files.append(folder / name)
        files[-1].write_text("".join(json.dumps(record) + "\n" for record in records))

    put("nuggets.jsonl", [{"qid": topic, "query": f"<i>{topic}</i>\u202e", "nuggets": [
        {"text": text, "importance": kind} for text, kind in each]} for topic, each in nuggets.items()])  # fmt: skip
    for place, name in enumerate(names):
        put(f"{place}.answers.jsonl", [
            {"run_id": name, "topic_id": "a", "topic": "a", "references": ["d"], "answer": [
                {"text": "<img src=file:///x>\u200b", "citations": [7]}, {"text": "", "citations": []}]},
            {"run_id": name, "topic_id": "b", "topic": "b", "references": [], "answer": []},
            {"run_id": name, "topic_id": "d", "topic": "d", "references": ["d"], "answer": [
                {"text": "word " * (10_000 + place), "citations": [0]}]},
        ])  # fmt: skip
        put(f"{place}.assigned.jsonl", [{"qid": topic, "run_id": name, "nuggets": [
            {"text": text, "importance": kind, "assignment": ("support", "not_support", "odd")[(place + n) % 3]}
            for n, (text, kind) in enumerate(each)]} for topic, each in nuggets.items() if each])  # fmt: skip
    return files


@pytest.mark.parametrize("systems", [1, 2, 8])
def test_odd_answers_of_few_and_many_systems(make_window: Opens, tmp_path: Path, systems: int) -> None:
    files = files_of_odd_answers(tmp_path, systems)
    window, screen, session = opened(make_window, "nuggets", files)
    session.navigation.set_query("a")
    for tab in ("nuggets", "lost", "sentences", "versions"):
        session.navigation.set_tab("compare", tab)
        session.compute_now()
        window.flush()
        screen.refresh(EVERY_CHANGE)
        view = screen.view(tab)
        panels = (view.topics, view.pairs, view.nuggets) if isinstance(view, NuggetsView) else \
            (view.above, view.list)  # type: ignore[attr-defined]  # fmt: skip
        window.grab()
        for panel in panels:
            model = panel.model
            for row in range(len(model.keys)):
                for place in range(len(model.columns)):
                    for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                        text = str(model.data(model.index(row, place), role) or "")
                        assert not set("\u202e\u200b") & set(text)
        if systems == 1 and tab in ("nuggets", "versions"):
            assert not any(panel.model.keys for panel in panels), "this needs two systems"
    if systems > 1:
        session.navigation.set_tab("compare", "nuggets")
        window.flush()
        strip = next((c for c in nuggets_of(screen).nuggets.model.columns if isinstance(c, StripColumn)), None)
        assert (strip is None) == (systems == 2)
    if systems > MOST_BESIDE:
        assert session.answers.open("a", f"system {systems - 1}", 1)
        answers = session.answers.view_model()
        assert answers is not None and answers.labels[answers.lead].whole_name == f"system {systems - 1}"
    assert not session.answers.open("nowhere", "", 0) and not session.answers.open("a", "nobody", 0)


def press(widget: QWidget, *keys: Qt.Key) -> None:
    for key in keys:
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(widget, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier))


def test_keys_go_through_the_cells_of_a_strip(make_window: Opens) -> None:
    window, screen, session = opened(make_window, "nuggets")
    view = nuggets_of(screen)
    table, keys = view.topics.table, list(view.topics.model.keys)
    table.selectRow(keys.index("t2"))
    session.navigation.set_query("t2")
    window.flush()
    cursor = view.topic_cursor
    press(table, Qt.Key.Key_Left)
    assert cursor.cell == -1, "there is nothing at the left of no cell"
    press(table, Qt.Key.Key_Right, Qt.Key.Key_Right)
    column = cursor.column()
    assert column is not None and column.current == (keys.index("t2"), 1)
    assert view.nuggets.notice.text().startswith("2 of 4, vital: ") and "beta not said" in view.nuggets.notice.text()
    press(table, *[Qt.Key.Key_Right] * 9)
    assert cursor.cell == 3, "it stays in its row"
    press(table, Qt.Key.Key_Left, Qt.Key.Key_Left)
    strip = column.strip(keys.index("t2"))
    assert strip is not None
    press(table, Qt.Key.Key_Return)
    answers = session.answers.view_model()
    assert answers is not None and answers.topic.topic == "t2" and answers.selection.place == strip.places[1]
    assert session.view.place == "query"
    session.navigation.set_place("compare")
    window.flush()
    press(table, Qt.Key.Key_Up)
    assert cursor.cell == -1, "another row has no cell until a key asks for one"


def test_own_words_of_a_reworded_sentence_are_underlined() -> None:
    text, other = "While an elevated count is high", "In itself, an ELEVATED count is not"
    assert [text[begin:end] for begin, end in own_words(text, other)] == ["While", "high"]
    assert own_words(text, "") == [] and own_words("", other) == [] and own_words("don’t", "don't") == []
    assert [("🙂 a b")[slice(*span)] for span in own_words("🙂 a b", "a")] == ["b"]


def test_versions_name_whose_citations_they_are(make_window: Opens) -> None:
    _, screen, _ = opened(make_window, "versions")
    view = lists_of(screen, "versions")
    titles = [column.titles[-1] for column in view.list.model.columns if column.id.startswith("cites")]
    assert titles == ["alpha cites", "beta cites"]
    view.list.table.grab()


def many(tmp_path: Path, count: int) -> list[Path]:
    """Two systems and ``count`` topics of one nugget; the second says more of them, and some topics are equal."""
    nuggets = [{"qid": f"q{n:03d}", "query": f"question {n}", "nuggets": [
        {"text": f"nugget {n} {part}", "importance": "vital"} for part in range(4)]} for n in range(count)]  # fmt: skip
    paths = [tmp_path / "nuggets.jsonl"]
    paths[0].write_text("\n".join(map(json.dumps, nuggets)))
    for system, said in (("one", lambda n: n % 3), ("two", lambda n: n % 5)):
        paths.append(tmp_path / f"{system}.assignments.jsonl")
        paths[-1].write_text("\n".join(json.dumps({**each, "run_id": system, "nuggets": [
            {**nugget, "assignment": "support" if place < said(n) else "not_support"}
            for place, nugget in enumerate(each["nuggets"])]}) for n, each in enumerate(nuggets)))  # fmt: skip
    return paths


def test_a_band_stands_for_the_topics_between_both_ends(make_window: Opens, tmp_path: Path) -> None:
    count = 120
    window, screen, session = opened(make_window, "nuggets", many(tmp_path, count))
    session.navigation.set_query("q000")
    window.flush()
    view = nuggets_of(screen)
    keys = list(view.topics.model.keys)
    assert len(keys) < count
    column = view.topics.model.columns[0]
    bands = [(row, column.heading(row)) for row, key in enumerate(keys) if not isinstance(key, str)]
    hidden = sum(int(band.title.split()[0]) for _, band in bands)
    assert hidden + len(keys) - len(bands) == count, "no topic is lost"
    assert "q000" in keys, "the selected topic is shown wherever it falls"
    changes = {f"q{n:03d}": min(n % 5, 4) - n % 3 for n in range(count)}
    gone = [key for key in changes if key not in keys]
    wanted = [sum(changes[key] > 0 for key in gone), sum(not changes[key] for key in gone)]
    counted = [
        [int(number.strip(",")) for number in band.words.split() if number.strip(",").isdigit()] for _, band in bands
    ]
    assert [sum(each[0] for each in counted), sum(each[1] for each in counted)] == wanted
    view.topics.table.row_activated.emit(bands[0][0])
    assert session.view.query_id == "q000" and len(view.topics.model.keys) == count, "Enter shows them"
    view.fold.click()
    assert len(view.topics.model.keys) < count / 2
    view.filter.used.emit("topic:q00")
    assert all(isinstance(key, str) for key in view.topics.model.keys), "what is filtered has no band"
    assert [each[0] for each in texts(view.means)][:2] == ["V_strict", "V"]
    view.grab()


@pytest.mark.parametrize("tab", ["nuggets", "lost", "sentences", "versions"])
def test_parameters_lie_over_nothing_in_a_small_window(make_window: Opens, tab: str) -> None:
    """At 200 % on 1280 × 800 choosers lay over the notes and the head of the table below them."""
    window, screen, _ = opened(make_window, tab)
    window.resize(640, 400)
    for _ in range(3):
        window.flush()
        QApplication.processEvents()
    view = screen.view(tab)
    tables = [table for table in view.findChildren(QTableView) if table.isVisible() and table.model().rowCount()]
    assert tables and all(table.viewport().height() >= 30 for table in tables)
    (bar,) = (each for each in view.findChildren(ParameterBar) if each.isVisible())
    inside = bar.rect().adjusted(0, -2, 0, 2)
    controls = [each for each in bar.findChildren(QWidget) if each.isVisible() and each.parentWidget() is bar]
    assert controls and all(inside.contains(each.geometry()) for each in controls)


@pytest.mark.parametrize("tab", ["lost", "sentences", "versions"])
def test_the_table_above_a_list_is_as_high_as_its_rows(make_window: Opens, tab: str) -> None:
    """Beneath two rows was a third of the window without anything, and what the numbers mean was told from the second
    time on."""
    window, screen, _ = opened(make_window, tab)
    view = lists_of(screen, tab)
    for size in ((1280, 800), (640, 400)):
        window.resize(*size)
        for _ in range(3):
            window.flush()
            QApplication.processEvents()
        above = view.above
        assert above.result_table is not None
        assert above.notice.isVisible() is any(note.text for note in above.result_table.notes)
        assert above.notice.height() >= above.notice.heightForWidth(above.notice.width()), "all its lines"
        table = above.table
        rows = table.model().rowCount()
        last = table.visualRect(table.model().index(min(rows, 3) - 1, 0)).bottom()
        assert last <= table.viewport().height() and table.viewport().height() - last < 2 * ROW_HEIGHT, size
        assert table.horizontalScrollBar().maximum() == 0, size


def test_the_legend_of_bars_is_as_high_as_its_lines(qtbot: QtBot, theme: Theme) -> None:
    """The panel around it kept the height of the two lines that it had in less width."""
    legend = BarLegend(theme, ["not retrieved", "below the context", "not cited", "cited, not said"])
    qtbot.addWidget(legend)
    legend.resize(120, 40)
    assert legend.heightForWidth(1000) < legend.heightForWidth(240) < legend.heightForWidth(120)
    assert legend.sizePolicy().hasHeightForWidth()


def test_the_arrow_keys_go_on_from_the_nugget_that_was_opened(make_window: Opens) -> None:
    """They were those of the sentences, and Down left the nugget for a sentence."""
    window, _, session = opened(make_window, "nuggets")
    window.show()
    window.activateWindow()
    assert session.answers.open("t1", "alpha", 1)
    session.compute_now()
    window.flush()
    QApplication.processEvents()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    view = screen.findChild(AnswerView)
    assert view is not None and view.focusProxy() is view.nuggets
    assert window.focusWidget() is view.nuggets
