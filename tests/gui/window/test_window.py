"""The window: what it shows when the session changes, what a person does to it, how it ends."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.bridge import Bridge
from irviewer.gui.screens.screen import Screen
from irviewer.gui.startup_request import ViewRequest
from irviewer.gui.window import FRAME_TIME, MainWindow, fitting
from irviewer.session.changes import Change
from irviewer.session.messages import error
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.tasks import Busy, Operation, _Job

MakeWindow = Callable[[Session], MainWindow]


def drop(window: MainWindow, paths: list[str]) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    at, action, button = QPointF(200, 200), Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    with warnings.catch_warnings():
        # Qt 6.12 wants a QPointF here, which Qt before it does not take.
        warnings.simplefilter("ignore", DeprecationWarning)
        enter = QDragEnterEvent(at.toPoint(), action, data, button, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(at, action, data, button, Qt.KeyboardModifier.NoModifier))


class TestPlaces:
    def test_start_before_anything_is_open(self, empty_session: Session, make_window: MakeWindow) -> None:
        window = make_window(empty_session)
        assert window.current_screen is window.start
        assert not window.top_bar.place_buttons.isVisible()

    def test_opening_leads_to_a_place(self, empty_session: Session, make_window: MakeWindow, files: list[str]) -> None:
        window = make_window(empty_session)
        drop(window, files)
        window.flush()
        assert empty_session.view.place == "verdict"
        assert window.current_screen is not window.start
        assert window.windowTitle().endswith("irviewer")
        assert len(window.windowTitle()) > len("irviewer")

    def test_work_in_the_background_begins_when_a_change_was_painted(
        self, bridge: Bridge, make_window: MakeWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        session = Session(Settings(), post=bridge.post)
        window, tasks, order = make_window(session), session.store.tasks, list[str]()

        class Watch(QObject):
            def eventFilter(self, watched: QObject, event: QEvent) -> bool:
                if event.type() == QEvent.Type.Paint:
                    order.append("painted")
                return False

        watch = Watch()
        window.top_bar.installEventFilter(watch)
        window.update()
        qtbot.waitUntil(lambda: order != [] and tasks._held is None and not window._painted_timer.isActive())
        window.top_bar.removeEventFilter(watch)
        order.clear()
        window.message_bar.installEventFilter(watch)
        monkeypatch.setattr(tasks, "_put", lambda job: order.append("begun"))
        session.say(error("A trouble."))
        tasks._begin(_Job(Operation("statistics", lambda progress: None, lambda result: None)))
        assert order == []
        qtbot.waitUntil(lambda: "begun" in order)
        assert order[0] == "painted"
        window.release()
        session.close()

    def test_work_waits_for_the_last_of_changes_in_a_row(
        self, window: MainWindow, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It began when the first of them was painted, while the window still had to show the next."""
        order = list[str]()
        qtbot.waitUntil(lambda: not window._painted_timer.isActive())
        monkeypatch.setattr(session.store.tasks, "go_on", lambda: order.append("begun"))
        session.store.changed.emit(frozenset({Change.QUERY}))
        window.flush()
        window.flushed.connect(lambda: order.append("shown"))
        window._flush_timer.setInterval(10 * FRAME_TIME)
        session.store.changed.emit(frozenset({Change.QUERY}))
        qtbot.waitUntil(lambda: "begun" in order)
        assert order == ["shown", "begun"]

    def test_work_waits_for_the_parts_of_a_view(
        self, window: MainWindow, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        order = list[str]()
        screen = cast(Screen, window.current_screen)
        qtbot.waitUntil(lambda: not window._painted_timer.isActive())
        monkeypatch.setattr(session.store.tasks, "go_on", lambda: order.append("begun"))
        session.store.changed.emit(frozenset({Change.QUERY}))
        window.flush()
        screen._parts = [lambda: order.append("shown")]
        screen._next_part.start(10 * FRAME_TIME)
        qtbot.waitUntil(lambda: "begun" in order)
        assert order == ["shown", "begun"]

    @pytest.mark.parametrize(
        "what", ["nothing", "hidden", "minimised", "closed", "released", "faulty", "waiting", "busy"]
    )
    def test_work_goes_on_whatever_becomes_of_the_window(
        self, what: str, window: MainWindow, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail() -> None:
            raise ZeroDivisionError

        def change() -> None:
            session.store.changed.emit(frozenset({Change.QUERY}))

        gone_on, again = list[None](), QTimer()
        qtbot.waitUntil(lambda: not window._painted_timer.isActive())
        monkeypatch.setattr(session.store.tasks, "go_on", lambda: gone_on.append(None))
        again.timeout.connect(change)
        with qtbot.captureExceptions() as faults:
            change()
            match what:
                case "hidden":
                    window.hide()
                case "minimised":
                    window.showMinimized()
                case "closed":
                    window.close_unasked()
                case "released":
                    window.release()
                case "faulty":
                    monkeypatch.setattr(window.top_bar, "refresh", fail)
                case "waiting":
                    screen = cast(Screen, window.current_screen)
                    monkeypatch.setattr(screen, "refresh", lambda changes: None)
                    screen._parts = [fail]  # which waits until the screen is shown again
                    window.hide()
                case "busy":
                    again.start(0)
            qtbot.waitUntil(lambda: bool(gone_on))
            again.stop()
        assert [kind for kind, *_ in faults] == [ZeroDivisionError] * (what == "faulty")

    def test_progress_alone_refreshes_no_view(
        self, window: MainWindow, session: Session, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A view was made again at each step of what is computed for it."""
        seen: list[frozenset[Change]] = []
        monkeypatch.setattr(window.current_screen, "refresh", seen.append)
        session.store.changed.emit(frozenset({Change.PROGRESS}))
        window.flush()
        assert seen == []
        session.store.changed.emit(frozenset({Change.PROGRESS, Change.QUERY}))
        window.flush()
        assert seen == [frozenset({Change.QUERY})]

    def test_work_that_is_cancelled_refreshes_the_view_while_other_work_goes_on(
        self, window: MainWindow, session: Session, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The view went on saying that it computes."""
        seen: list[frozenset[Change]] = []
        monkeypatch.setattr(window.current_screen, "refresh", seen.append)
        monkeypatch.setattr(Session, "busy", Busy("other work", None, 0.0, lambda: None))
        session.store.changed.emit(frozenset({Change.BUSY}))
        window.flush()
        assert seen == [frozenset({Change.BUSY})]

    def test_an_address_that_can_be_no_path_is_a_message(
        self, empty_session: Session, make_window: MakeWindow, files: list[str]
    ) -> None:
        window = make_window(empty_session)
        assert QUrl("file:///tmp/a%00b.run").toLocalFile() == "/tmp/a\0b.run"
        drop(window, ["/tmp/a\0b.run", *files])
        window.open_from_system(["/tmp/a\0b.irviewer"])
        assert empty_session.view.collection is not None, "the others are opened"
        texts = [message.text for message in empty_session.view.messages]
        for name in ("a\\x00b.run", "a\\x00b.irviewer"):
            assert any(f"{name}: no file can have this name" in text for text in texts)

    def test_a_hidden_place_is_refreshed_once_with_all_it_missed(self, session: Session, window: MainWindow) -> None:
        seen: list[frozenset[str]] = []
        for name in ("systems", "query"):
            session.navigation.set_place(name)
            window.flush()
        systems = window._screens["systems"]
        original = systems.refresh  # type: ignore[attr-defined]

        def refresh(aspects: frozenset[str]) -> None:
            seen.append(aspects)
            original(aspects)

        systems.refresh = refresh  # type: ignore[attr-defined]
        session.evaluation.set_measure("AP")
        session.navigation.set_query("2")
        window.flush()
        assert seen == []
        session.navigation.set_place("systems")
        window.flush()
        assert len(seen) == 1
        assert {"measure", "query", "place"} <= seen[0]

    def test_many_changes_are_one_refresh(self, qtbot: QtBot, session: Session, window: MainWindow) -> None:
        seen: list[frozenset[str]] = []
        window.current_screen.refresh = seen.append  # type: ignore[attr-defined]
        for step in (1, 1, -1):
            session.navigation.step_query(step)
        qtbot.waitUntil(lambda: bool(seen))
        qtbot.wait(20)
        assert len(seen) == 1

    def test_files_dropped_on_a_field_are_opened_not_pasted(self, window: MainWindow, session: Session) -> None:
        for name in ("systems", "queries", "query"):
            session.navigation.set_place(name)
            window.flush()
        assert [field for field in window.stack.findChildren(QLineEdit) if field.acceptDrops()] == []


class TestKeys:
    def test_j_and_k_walk_the_queries(self, qtbot: QtBot, window: MainWindow, session: Session) -> None:
        session.navigation.sort_queries("query", False)
        session.navigation.set_query("1")
        qtbot.keyClick(window, Qt.Key.Key_J)
        assert session.view.query_id == "2"
        qtbot.keyClick(window, Qt.Key.Key_K)
        assert session.view.query_id == "1"

    def test_letters_typed_into_a_field_are_text(self, qtbot: QtBot, window: MainWindow, session: Session) -> None:
        session.navigation.set_query("1")
        field = QLineEdit(window)
        field.show()
        field.setFocus()
        qtbot.waitUntil(field.hasFocus)
        qtbot.keyClicks(field, "jk1?")
        assert field.text() == "jk1?"
        assert session.view.query_id == "1"
        assert session.view.place == "query"

    def test_ctrl_k_opens_the_palette_from_a_field_too_and_closes_it(
        self, qtbot: QtBot, window: MainWindow, session: Session
    ) -> None:
        control = Qt.KeyboardModifier.ControlModifier
        field = QLineEdit(window)
        field.show()
        field.setFocus()
        qtbot.waitUntil(field.hasFocus)
        qtbot.keyClick(field, Qt.Key.Key_K, control)
        assert window.picker.isVisible()
        qtbot.keyClick(window.picker.line, Qt.Key.Key_W, control)
        assert session.view.collection is not None, "a shortcut was heard under the sheet"
        qtbot.keyClick(window.picker.line, Qt.Key.Key_K, control)
        assert not window.picker.isVisible()
        assert field.hasFocus()

    def test_places_by_key(self, qtbot: QtBot, window: MainWindow, session: Session) -> None:
        for key, place in ((Qt.Key.Key_1, "verdict"), (Qt.Key.Key_2, "systems"), (Qt.Key.Key_4, "query")):
            qtbot.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
            assert session.view.place == place

    def test_escape_dismisses_a_message(self, qtbot: QtBot, window: MainWindow, session: Session) -> None:
        session.say(error("a.run, line 3: no score", "line 3: x"))
        window.flush()
        assert window.message_bar.text == "a.run, line 3: no score"
        qtbot.keyClick(window, Qt.Key.Key_Escape)
        window.flush()
        assert session.view.messages == ()
        assert not window.message_bar.isVisible()


class TestLife:
    def test_geometry_is_remembered(self, session: Session, make_window: MakeWindow) -> None:
        window = make_window(session)
        window.setMinimumSize(300, 300)  # offscreen, the screen has 800 x 800 and larger geometries are cut to it
        window.resize(640, 480)
        window.close()
        again = make_window(session)
        again.setMinimumSize(300, 300)
        again.restore(None)
        assert (again.width(), again.height()) == (640, 480)

    def test_a_size_asked_for_wins(self, session: Session, make_window: MakeWindow) -> None:
        window = make_window(session)
        window.restore((1000, 700))
        assert (window.width(), window.height()) == (1000, 700)

    def test_release_twice_and_changes_after_it_do_no_harm(
        self, qtbot: QtBot, window: MainWindow, session: Session
    ) -> None:
        window.release()
        window.release()
        session.navigation.step_query(1)
        qtbot.wait(10)

    def test_requests_are_met_when_loading_ends(
        self, qtbot: QtBot, bridge: Bridge, make_window: MakeWindow, files: list[str]
    ) -> None:
        session = Session(Settings(), post=bridge.post)
        try:
            window = make_window(session)
            window.begin(ViewRequest(paths=tuple(files), place="queries", query="2", measure="P@5", baseline="beta"))
            qtbot.waitUntil(lambda: session.view.place == "queries")
            assert session.view.query_id == "2"
            assert str(session.view.measure) == "P@5"
            assert next(label.name for label in session.view.labels() if label.baseline) == "beta"
            window.release()
        finally:
            session.close()

    def test_a_request_that_cannot_be_met_is_a_message(
        self, empty_session: Session, make_window: MakeWindow, files: list[str]
    ) -> None:
        window = make_window(empty_session)
        window.begin(ViewRequest(paths=tuple(files), query="77"))
        window.flush()
        assert any("no query '77'" in message.text for message in empty_session.view.messages)


def test_nothing_is_cut_in_the_top_bar(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    session.runs.rename_run(session.view.labels()[0].key, "a_run_with_a_rather_long_name_of_its_own.v2")
    session.evaluation.set_measure("AP(rel=2)@100")
    window.flush()
    for width in (1280, 1000, 1920):
        window.resize(width, 800)
        QApplication.processEvents()
        bar = window.top_bar
        widgets = [child for child in bar.findChildren(QWidget) if child.parentWidget() is bar and child.isVisible()]
        for widget in widgets:
            assert widget.width() >= min(widget.minimumSizeHint().width(), widget.sizeHint().width()), widget
            assert widget.geometry().right() < bar.width(), widget
        edges = sorted((widget.geometry().left(), widget.geometry().right()) for widget in widgets)
        assert all(right < left for (_, right), (left, _) in itertools.pairwise(edges))


@pytest.mark.parametrize(
    ("room", "size"),
    [
        ((1920, 1080), (1280, 800)),
        ((1280, 800), (1276, 760)),
        ((1366, 768), (1280, 728)),
        ((800, 480), (796, 440)),
        ((640, 400), (636, 360)),
    ],
)
def test_a_new_window_fits_the_screen_with_its_frame(room: tuple[int, int], size: tuple[int, int]) -> None:
    assert fitting(QSize(*room)).toTuple() == size


def test_a_window_without_a_size_of_its_own_takes_the_screens(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    window = make_window(empty_session)
    window.restore(None)
    assert window.size() == fitting(window.screen().availableGeometry().size())


def test_escape_closes_the_ledger_last(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    session.navigation.set_place("query")
    session.explaining.explain()
    session.say(error("a.run, line 3: no score", "line 3: x"))
    window.flush()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert session.view.messages == ()
    assert session.explaining.is_on
    window.flush()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not session.explaining.is_on
    session.navigation.set_place("systems")
    window.flush()
    table = window.current_screen.table
    table.table.setFocus()
    session.explaining.explain()
    window.flush()
    qtbot.keyClick(table.table, Qt.Key.Key_Escape)
    assert not session.explaining.is_on


@pytest.mark.opens("systems")
def test_columns_are_as_wide_as_the_collection_in_view_needs(
    window: MainWindow, session: Session, tmp_path: Path
) -> None:
    """They kept the width of the names and numbers of a collection that was closed."""
    table = window.current_screen.table.table
    header, context = table.horizontalHeader(), session.view.context
    assert context is not None

    def widths() -> list[int]:
        session.navigation.set_place("systems")
        window.flush()
        return [header.sectionSize(place) for place in range(header.count())]

    before = widths()
    qrels = tmp_path / "other.qrels"
    qrels.write_text("1 0 a 1\n2 0 a 1\n")
    files = [tmp_path / f"{letter * 40}.run" for letter in "mnop"[: len(context.collection.runs)]]
    for file in files:
        file.write_text("1 Q0 a 1 1.0 tag\n2 Q0 a 1 1.0 tag\n")
    session.files.open_files([str(file) for file in (qrels, *files)])
    assert widths() != before
    session.files.close_collection()
    assert widths() == before
