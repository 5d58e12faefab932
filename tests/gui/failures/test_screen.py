"""The views that look for failures: what is clicked and typed reaches the session, what is shown is the view
model's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.failures.model import relevant_columns
from irviewer.gui.failures.screen import (
    FailuresOfAllRuns,
    FailuresView,
    HubsView,
    RecallView,
    RelevantView,
    VectorView,
    WorklistView,
    missed_words,
)
from irviewer.gui.plots.ranking_vectors import NAMES, VectorStrips
from irviewer.gui.plots.reading_depth_line import ReadingDepthLineView
from irviewer.gui.plots.recall_grid import RecallGrid
from irviewer.gui.screens.screen import Screen
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.model.workspace import Regime
from irviewer.rendering.palette import DARK, LIGHT
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.session import Session
from irviewer.session.state import TABS
from tests.session.helpers import collection, session_with

pytestmark = pytest.mark.opens("queries", "failures")

Show = Callable[[str], Screen]
ANSWERS = Path(__file__).parents[2] / "data" / "answers"


@pytest.fixture
def show(window: MainWindow, session: Session) -> Show:
    """Goes to a view of the Queries place and loads it."""

    def go(tab: str) -> Screen:
        session.navigation.set_place("queries")
        session.navigation.set_tab("queries", tab)
        session.compute_now()
        window.flush()
        screen = window.current_screen
        screen.load_plots()
        view: Screen = screen.view(tab)  # type: ignore[attr-defined]
        if isinstance(view, FailuresView):  # that of all runs, in one table
            session.failures.show_every_run()
            view.refresh(EVERY_CHANGE)
            view = view.shown
        view.load_plots()
        view.refresh(EVERY_CHANGE)
        return view

    return go


def canvas(panel: object) -> QWidget:
    shown = panel.canvas  # type: ignore[attr-defined]
    assert shown is not None
    return shown


def test_every_view_paints_in_light_and_dark(show: Show, theme: Theme) -> None:
    for tab in TABS["queries"]:
        theme.set_palette(LIGHT)
        view = show(tab)
        light = view.grab().toImage()
        theme.set_palette(DARK)
        assert view.grab().toImage() != light, tab


def test_a_chip_filters_and_says_how_many(show: Show, session: Session, window: MainWindow, qtbot: QtBot) -> None:
    view = show("failures")
    assert isinstance(view, FailuresOfAllRuns)
    view_model = session.failures.failures_view_model()
    assert view_model is not None
    for kind in view_model.kinds:
        assert f"{kind.count:,} quer" in view.kinds.chips[kind.name].text()
        assert kind.meaning in view.kinds.chips[kind.name].toolTip()
    rows = view.table.model.rowCount()
    assert rows == len(view_model.query)
    qtbot.mouseClick(view.kinds.chips["baseline"], Qt.MouseButton.LeftButton)
    window.flush()
    assert session.state.finding.kinds == {"baseline"}
    shown = [view.table.model.columns[3].text(row) for row in range(view.table.model.rowCount())]
    assert 0 < len(shown) < rows
    assert all("▼★ baseline" in text for text in shown)
    assert view.kinds.chips["baseline"].isChecked()


def test_enter_goes_to_the_query_with_that_run_as_focus(show: Show, session: Session, qtbot: QtBot) -> None:
    view = show("failures")
    assert isinstance(view, FailuresOfAllRuns)
    model = view.table.model
    row = next(row for row in range(model.rowCount()) if model.columns[2].text(row) == "beta")
    query = model.columns[0].text(row)
    view.table.table.setCurrentIndex(model.index(row, 0))
    assert session.view.query_id == query
    qtbot.keyClick(view.table.table, Qt.Key.Key_Return)
    assert (session.view.place, session.view.query_id) == ("query", query)
    assert session.view.labels()[1].focus


def test_limits_are_typed(show: Show, session: Session, window: MainWindow, qtbot: QtBot) -> None:
    view = show("failures")
    assert isinstance(view, FailuresOfAllRuns)
    for field, text in ((view.kinds.share, "75 %"), (view.kinds.worse, "0,25"), (view.kinds.hard, "0.3")):
        field.line.setFocus()
        field.line.setText(text)
        qtbot.keyClick(field.line, Qt.Key.Key_Return)
    limits = session.state.finding.limits
    assert (limits.unjudged, limits.worse, limits.hard) == (0.75, 0.25, 0.3)
    view.kinds.worse.line.setText("nothing")
    qtbot.keyClick(view.kinds.worse.line, Qt.Key.Key_Return)
    assert session.state.finding.limits == limits
    window.flush()
    assert view.kinds.share.line.text() == "75"
    view.kinds.share.line.setText("9")
    qtbot.keyClick(view.kinds.share.line, Qt.Key.Key_Escape)
    assert view.kinds.share.line.text() == "75"


def test_the_table_is_saved_whole(show: Show, session: Session) -> None:
    view = show("failures")
    assert isinstance(view, FailuresOfAllRuns)
    columns = view.table.table.model().columns
    view_model = session.failures.failures_view_model()
    assert view_model is not None
    rows = range(view.table.table.model().rowCount())
    assert [column.title for column in columns[:4]] == ["query", "text", "run", "failures"]
    assert [columns[0].value(row) for row in rows] == list(view_model.query_ids)
    assert [columns[4].value(row) for row in rows] == view_model.table.column("value").values.tolist()


def test_relevant_documents_say_missed_and_unique(show: Show, session: Session) -> None:
    view = show("relevant")
    assert isinstance(view, RelevantView)
    session.navigation.set_query("3")
    view.refresh(EVERY_CHANGE)
    model = view.table.model
    assert model.keys == ("d5",)
    texts = {column.title: column.text(0) for column in model.columns}
    assert (texts["alpha"], texts["beta"], texts["found by"]) == ("◆ 1", "missed", "1")
    assert "No other run" in model.columns[model.column_of(model.columns[-2].id)].tip(0)
    view.table.table.setCurrentIndex(model.index(0, 0))
    assert session.view.document_id == "d5"


def test_the_stop_line_is_dragged_and_moved_by_keys(
    show: Show, session: Session, window: MainWindow, qtbot: QtBot
) -> None:
    view = show("recall")
    assert isinstance(view, RecallView)
    line = canvas(view.line)
    assert isinstance(line, ReadingDepthLineView)
    line.resize(700, 260)
    named = line.name_places()
    assert [line.names()[place] for place, _, _ in named] and len(named) == len(session.view.labels())
    heights = [y for _, _, y in named]
    area = line.frame().area
    assert all(after - before >= 10 for before, after in pairwise(heights))
    assert area.top() <= heights[0] and heights[-1] <= area.bottom()
    y = int(area.center().y())
    for stop in (3, 6):
        x = int(line.frame().x(stop))
        if stop == 3:
            qtbot.mousePress(line, Qt.MouseButton.LeftButton, pos=QPoint(x, y))
        else:
            qtbot.mouseMove(line, QPoint(x, y))
        window.flush()
        assert session.state.finding.stop == line.stop == stop
    qtbot.mouseRelease(line, Qt.MouseButton.LeftButton)
    qtbot.keyClick(line, Qt.Key.Key_Left)
    window.flush()
    assert line.stop == 5
    qtbot.keyClick(line, Qt.Key.Key_Home)
    window.flush()
    assert line.stop == 1
    view_model = session.failures.recall_view_model()
    assert view_model is not None
    assert view_model.stopped.split(" · ")[0] == "1 read"
    assert "1 read\n" in view.words.text()
    for document, _ in view_model.missed:
        assert document in view.words.text()


def test_sizes_and_stops_are_typed(show: Show, session: Session, qtbot: QtBot) -> None:
    view = show("recall")
    assert isinstance(view, RecallView)
    for field, text in ((view.stop, "1,000"), (view.documents, "8 000")):
        field.line.setText(text)
        qtbot.keyClick(field.line, Qt.Key.Key_Return)
    view_model = session.failures.recall_view_model()
    assert view_model is not None
    assert (view_model.stop, view_model.size) == (1000, 8000)
    view.documents.line.setText("")
    qtbot.keyClick(view.documents.line, Qt.Key.Key_Return)
    assert session.failures.recall_view_model().size < 10  # type: ignore[union-attr]


def test_a_small_picture_selects_its_query(show: Show, session: Session, window: MainWindow, qtbot: QtBot) -> None:
    view = show("recall")
    assert isinstance(view, RecallView)
    grid = canvas(view.grid)
    assert isinstance(grid, RecallGrid)
    view_model = session.failures.recall_view_model()
    assert view_model is not None
    for screen, query in enumerate(view_model.query_ids):
        centre = grid.cell(screen).center().toPoint()
        qtbot.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=centre)
        assert session.view.query_id == query
        assert f"query {query}" in grid.mark_label(screen)
    window.flush()
    qtbot.keyClick(grid, Qt.Key.Key_Left)
    assert session.view.query_id == view_model.query_ids[-2]


def test_a_rank_of_a_vector_selects_its_document(show: Show, session: Session, qtbot: QtBot) -> None:
    session.navigation.set_query("1")
    view = show("vector")
    assert isinstance(view, VectorView)
    strips = canvas(view.strips)
    assert isinstance(strips, VectorStrips)
    view_model = session.failures.vector_view_model()
    assert view_model is not None
    beta = next(row for row, vector in enumerate(view_model.rows) if vector.run.name == "beta")
    assert view_model.rows[beta].displacement.tolist() == [-2, -1, 1, 3]
    assert "▼ 2 ranks too high" in strips.mark_label(beta, 1)
    assert "▲ 3 ranks too low" in strips.mark_label(beta, 4)
    x = strips._left(4) + strips.cell_width // 2
    qtbot.mouseClick(strips.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, strips._top(beta) + 20))
    assert session.view.document_id == "d1"
    qtbot.keyClick(strips, Qt.Key.Key_Left)
    assert session.view.document_id == "d2"


def test_hubs_and_the_worklist_open_what_they_name(show: Show, session: Session, qtbot: QtBot) -> None:
    view = show("worklist")
    assert isinstance(view, WorklistView)
    assert ("1", "d9") in view.table.model.keys
    row = list(view.table.model.keys).index(("1", "d9"))
    view.table.table.setCurrentIndex(view.table.model.index(row, 0))
    qtbot.keyClick(view.table.table, Qt.Key.Key_Return)
    assert (session.view.place, session.view.query_id, session.view.document_id) == ("query", "1", "d9")
    view = show("hubs")
    assert isinstance(view, HubsView)
    assert view.table.model.rowCount() == 0
    assert "more than one query" in view.table.notice.text()


def test_the_worklist_is_saved_through_a_dialog(
    show: Show, session: Session, window: MainWindow, tmp_path: Path
) -> None:
    view = show("worklist")
    assert isinstance(view, WorklistView)
    view.table.save.click()
    assert window.has_dialog()
    window.dialogs.failures._save(str(tmp_path / "pool.tsv"))
    assert (tmp_path / "pool.tsv").read_text().startswith("query\tdocument\n1\td9\n")


def test_few_vectors_leave_their_room_to_the_curves(show: Show, window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 1000)
    view = show("vector")
    assert isinstance(view, VectorView)
    strips = view.strips.canvas
    assert isinstance(strips, VectorStrips)
    qtbot.waitUntil(lambda: view.gain.height() > view.strips.height())
    assert strips.height() >= strips.full_height - 2
    assert strips.verticalScrollBar().maximum() == 0


def test_the_curves_of_a_vector_are_named_whole_in_a_narrow_window(show: Show, window: MainWindow) -> None:
    """At 200 % their names and values were a few letters beside a long title."""
    window.resize(640, 400)
    view = show("vector")
    assert isinstance(view, VectorView)
    QApplication.processEvents()
    assert view.gain._title.isHidden()
    window.resize(1280, 800)
    QApplication.processEvents()
    assert not view.gain._title.isHidden()


def test_many_missed_documents_are_scrolled_to(show: Show, window: MainWindow, qtbot: QtBot) -> None:
    view = show("recall")
    assert isinstance(view, RecallView)
    assert view.stopping_area.verticalScrollBar().maximum() == 0
    view.words.setText("missed " * 2000)
    qtbot.waitUntil(lambda: view.stopping_area.verticalScrollBar().maximum() > 0)
    assert view.words.height() >= view.words.heightForWidth(view.words.width()) > view.stopping_area.viewport().height()


def test_what_is_written_under_a_rank_never_touches_its_neighbour(show: Show, session: Session) -> None:
    view = show("vector")
    assert isinstance(view, VectorView)
    strips = view.strips.canvas
    assert isinstance(strips, VectorStrips)
    view_model = session.failures.vector_view_model()
    assert view_model is not None
    plain = strips.cell_width
    row = replace(view_model.rows[0], displacement=np.array([-1234, 1234]))
    strips.show_view_model(replace(view_model, rows=(row,), depth=2000))
    widest = QFontMetricsF(view.theme.font(8.5, numbers=True)).horizontalAdvance("▼1234")
    assert strips.cell_width > max(widest, 26)
    strips.show_view_model(view_model)
    assert strips.cell_width == plain


def test_digits_judge_the_current_row_and_it_stays(show: Show, window: MainWindow, session: Session) -> None:
    session.evaluation.set_regime(Regime.POOLED)
    view = show("worklist")
    assert isinstance(view, WorklistView)
    table = view.table.table
    model = view.table.model
    rows = model.rowCount()
    table.setFocus()
    table.setCurrentIndex(model.index(0, 0))
    query, document = model.keys[0]
    assert (session.view.query_id, session.view.document_id) == (query, document)
    session.judging.set_judging(True)
    run_command(session, "grade_2")
    session.compute_now()
    window.flush()
    assert session.view.place == "queries"
    assert session.view.judgments is not None
    assert session.view.judgments.qrels.judgments(query)[document] == 2
    assert (table.current_row(), model.keys[0], model.rowCount()) == (0, (query, document), rows)
    assert [column.text(0) for column in model.columns if column.id == "judged"] == ["2"]


def test_the_three_lines_of_a_vector_are_named_with_their_values(show: Show, session: Session, qtbot: QtBot) -> None:
    session.navigation.set_query("1")
    view = show("vector")
    assert isinstance(view, VectorView)
    assert view.legend is not None
    view_model = session.failures.vector_view_model()
    assert view_model is not None
    figure = view_model.figure
    labels = [entry.label for entry in view.legend.entries]
    assert [label.rpartition(" ")[0] for label in labels] == [curve.label for curve in figure.curves]
    assert len(labels) == 3
    for label, curve in zip(labels, figure.curves, strict=True):
        at = curve.x[-1] if figure.cursor is None else min(figure.cursor, curve.x[-1])
        assert float(label.rpartition(" ")[2]) == pytest.approx(curve.at(at), abs=5e-5)
    legend = view.legend
    qtbot.waitUntil(lambda: not legend.isHidden())


def test_one_click_on_a_failures_query_opens_it_with_the_run_as_focus(
    show: Show, session: Session, window: MainWindow, qtbot: QtBot
) -> None:
    view = show("failures")
    assert isinstance(view, FailuresOfAllRuns)
    view_model = session.failures.failures_view_model()
    assert view_model is not None
    assert "click" in view_model.note
    table, row = view.table.table, len(view_model.query_ids) - 1
    key = view_model.runs[int(view_model.run[row])].key
    column = next(screen for screen, table_column in enumerate(view.table.model.columns) if table_column.id == "query")
    elsewhere = table.visualRect(view.table.model.index(row, column + 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=elsewhere)
    assert session.view.place == "queries"  # the row is selected and no more
    where = table.visualRect(view.table.model.index(row, column)).center()
    qtbot.mouseMove(table.viewport(), where)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert (session.view.place, session.view.query_id, session.view.focus) == ("query", view_model.query_ids[row], key)


def test_missed_documents_say_once_what_their_ids_begin_with() -> None:
    missed = tuple((f"msmarco_passage_{number}", number) for number in (11, 68, 0))
    view_model = SimpleNamespace(
        explanation="", stopped="10 read", missed=missed, stopped_all="", size=5, known=5, size_known="given"
    )
    words = missed_words(view_model)  # type: ignore[arg-type]
    assert "msmarco_passage_… 11 (rank 11), 68 (rank 68), 0 (not retrieved)" in words


def test_names_of_many_runs_leave_relevant_documents_in_a_low_window(qtbot: QtBot, theme: Theme) -> None:
    """At 200 % names that are written upwards left not one row in view."""
    lone = collection(1)
    runs = [replace(lone.runs[0].run, name=f"the_long_name_of_{number}_of_many") for number in range(30)]
    session = session_with(replace(lone, runs=()).with_runs(runs))
    session.navigation.set_place("queries")
    session.navigation.set_tab("queries", "relevant")
    view = RelevantView(session, theme)
    qtbot.addWidget(view)
    view.resize(640, 210)
    view.show()
    view.refresh(EVERY_CHANGE)
    QApplication.processEvents()
    table = view.table.table
    assert table.viewport().height() >= 2 * table.row_height, "the rows, not their titles, are what is looked for"


def test_relevant_documents_begin_with_the_ranks_of_shown_runs_then_the_best() -> None:
    session = session_with(collection(6, queries=30))
    labels = session.view.labels()
    session.runs.show_runs([labels[4].key, labels[2].key])
    session.navigation.set_query("3")
    session.navigation.set_place("queries")
    session.navigation.set_tab("queries", "relevant")
    session.compute_now()
    view_model = session.failures.relevant_view_model()
    assert view_model is not None
    runs = [column.run.name for column in relevant_columns(view_model) if column.run is not None]
    names = [label.name for label in labels]
    systems = session.view_models.systems_view_model()
    assert systems is not None
    others = [label.name for label in systems.runs if label.name not in (names[2], names[4])]
    assert runs == [names[2], names[4], *others]
    assert others != [names[place] for place in (0, 1, 3, 5)], "the order of the files"


def test_what_is_said_of_a_vector_is_whole_in_every_language(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Spanish "4 no recuperados" ended after its ninth letter."""
    session = session_with(collection())
    strips = VectorStrips(theme)
    qtbot.addWidget(strips)
    strips.resize(1000, 300)
    session.navigation.set_place("queries")
    session.navigation.set_tab("queries", "vector")
    view_model = session.failures.vector_view_model()
    assert view_model is not None
    strips.show_view_model(view_model)
    assert strips._names == NAMES
    said = "0,0000 · 42 en su sitio · 4 no recuperados"
    monkeypatch.setattr("irviewer.gui.plots.ranking_vectors.summary_of", lambda row: said)
    strips.show_view_model(view_model)
    assert strips._names > NAMES and strips._left(1) == strips._names
    assert QFontMetricsF(theme.font(8.5, numbers=True)).horizontalAdvance(said) < strips._names - 30


@pytest.mark.parametrize(("view", "title"), [(VectorView, "Ranking vector"), (RecallView, "Reading effort")])
def test_nuggets_alone_have_a_reason_and_no_empty_charts(
    qtbot: QtBot, theme: Theme, view: type[VectorView] | type[RecallView], title: str
) -> None:
    session = Session()
    session.files.open_files([str(ANSWERS / name) for name in ("nuggets.jsonl", "alpha.assignments.jsonl")])
    session.navigation.set_place("queries")
    shown = view(session, theme)
    qtbot.addWidget(shown)
    shown.refresh(EVERY_CHANGE)
    assert shown.either.currentWidget() is shown.either.reason
    assert shown.either.reason.text().startswith(f"{title} needs judged documents")
    session.files.open_files([str(ANSWERS / "qrels.txt"), str(ANSWERS / "context.run")])
    shown.refresh(EVERY_CHANGE)
    assert shown.either.currentIndex() == 0
    session.close()
