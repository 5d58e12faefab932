"""The tab Slices: rows choose slices, cells choose both, buttons keep and search; the dialog of attributes."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.compare.slices import SlicesView
from irviewer.gui.dialogs.slice_attributes import SliceAttributesDialog
from irviewer.gui.tables.axis_foot import sparing
from irviewer.gui.tables.density import ROOMY
from irviewer.gui.tables.model import VALUE
from irviewer.gui.tables.result_cells import ResultCell
from irviewer.gui.tables.result_columns import ResultColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.table import ROW_HEIGHT
from irviewer.session.session import Session
from irviewer.translation import use_decimal_comma
from tests.session.helpers import collection, named_collection, session_with


@pytest.fixture
def session(tmp_path: Path) -> Session:
    session = session_with(collection(3, 48))
    lines = [f"{query},{'de' if query % 3 else 'en'},{query}" for query in range(1, 49)]
    (tmp_path / "table.csv").write_text("\n".join(["query_id,language,traffic", *lines]))
    session.files.open_files([str(tmp_path / "table.csv")])
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "slices")
    return session


@pytest.fixture
def view(qtbot: QtBot, theme: Theme, session: Session) -> SlicesView:
    view = SlicesView(session, theme)
    qtbot.addWidget(view)
    view.resize(1280, 640)
    view.show()
    view.refresh(frozenset())
    return view


def names_of(view: SlicesView) -> list[str]:
    """The texts of the first column: of all queries, headings and slices."""
    model = view.table.model
    return [model.columns[0].text(row) for row in range(model.rowCount())]


def test_the_axis_is_right_below_the_last_row(view: SlicesView) -> None:
    """In a high window it was half a window away, and the list of queries had a few rows."""
    for height in (1400, 2000):
        view.resize(1280, height)
        QApplication.processEvents()
        table = view.table.table
        assert table.verticalScrollBar().maximum() == 0
        foot = view.table.foot.mapTo(view, view.table.foot.rect().topLeft()).y()
        last = table.visualRect(table.model().index(table.model().rowCount() - 1, 0)).bottom()
        assert 0 <= foot - table.viewport().mapTo(view, QPoint(0, last)).y() <= 2 * ROW_HEIGHT, height


def test_what_is_below_the_last_row_is_whole_where_the_window_was_resized_meanwhile(
    qtbot: QtBot, view: SlicesView
) -> None:
    """In a wider window the words above need fewer lines, and the last one below was cut: Qt forgets that a widget
    becomes lower while it is being shown."""
    stack = QStackedWidget()
    qtbot.addWidget(stack)
    for page in (view, QWidget()):
        stack.addWidget(page)
    stack.show()
    for first, then in ((760, 1904), (900, 1400), (1000, 1904)):
        stack.setCurrentIndex(0)
        stack.resize(first, 980)
        QApplication.processEvents()
        stack.setCurrentIndex(1)
        stack.resize(then, 980)
        QApplication.processEvents()
        stack.setCurrentIndex(0)
        QApplication.processEvents()
        foot = view.table.foot
        assert foot.mapTo(view.table, QPoint(0, foot.height())).y() <= view.table.height(), (first, then)


def test_rows_and_cells_choose_slices(qtbot: QtBot, view: SlicesView, session: Session) -> None:
    names = names_of(view)
    assert names[:4] == ["all queries", "language", "de", "en"]
    where = view.table.table.visualRect(view.table.model.index(names.index("en"), 1)).center()
    qtbot.mouseClick(view.table.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert session.state.chosen.slice_chosen == (("language", "en"),)
    where = view.table.table.visualRect(view.table.model.index(names.index("language"), 1)).center()
    qtbot.mouseClick(view.table.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert session.state.chosen.slice_chosen == (("language", "en"),), "a heading is no slice"
    view.refresh(frozenset())
    assert view.queries.title == "Queries of the slice: en · 16"
    assert view.queries.keep.isVisible()
    qtbot.mouseClick(view.queries.keep, Qt.MouseButton.LeftButton)
    assert [query_set.name for query_set in session.query_sets.every] == ["en"]
    where = view.crossed.cells.visualRect(view.crossed.model.index(0, 2)).center()
    qtbot.mouseClick(view.crossed.cells.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert [attribute for attribute, _ in session.state.chosen.slice_chosen] == ["language", "traffic"]
    view.refresh(frozenset())
    assert view.queries.title.startswith("Queries of the slice: de × ")
    assert view.crossed.rows.x() == view.crossed.header_layout.contentsMargins().left()
    view.crossed.menu_of(True).actions()[1].trigger()
    assert session.slices.crossed == ("traffic", "language")
    assert not view.grab().isNull()


def test_the_panes_show_the_values_of_the_view_to_the_last_digit(view: SlicesView, session: Session) -> None:
    session.slices.search(True)
    view.refresh(frozenset())
    shown = session.slices.slices_view_model()
    assert shown is not None
    assert shown.queries is not None
    for panel, table in (
        (view.table, shown.table("slices")), (view.found, shown.table("search")), (view.queries, shown.queries.table),
    ):  # fmt: skip
        assert table is not None
        model = panel.model
        rows = [row for row in range(model.rowCount()) if panel.key_of(row) is not None]
        assert [panel.key_of(row) for row in rows] == [*table.keys]
        assert len(model.columns) >= 4
        for section, column in enumerate(model.columns):
            assert isinstance(column, ResultColumn)
            own = table.column(column.id)
            exact = [model.index(row, section).data(VALUE) for row in rows]
            parts = [[None if value != value else value for value in part] for part in own.parts.values()]
            if not own.is_text and len(parts) > 1:
                assert exact == [*zip(*parts, strict=True)]
            else:
                assert exact == parts[0]
    crossed = shown.table("crossed")
    assert crossed is not None
    cells = [
        view.crossed.model.index(row, section).data(VALUE)
        for row in range(view.crossed.model.rowCount())
        for section in range(1, view.crossed.model.columnCount())
    ]
    values = crossed.column("difference").numbers[""].tolist()
    assert cells == [None if value != value else value for value in values]


def test_the_p_of_all_queries_is_the_declared_one(theme: Theme, view: SlicesView) -> None:
    """The uncorrected p is never bold; that of the declared family is, where it is below alpha."""
    model = view.table.model
    shown = []
    for column in model.columns:
        if isinstance(column, ResultColumn) and column.values.kind == "p":
            image = QImage(80, 26, QImage.Format.Format_ARGB32)
            image.fill(0)
            painter = QPainter(image)
            cell = WeighedCell(theme, ROOMY)
            cell.paint(painter, QRect(0, 0, 80, 26), column, 0, theme["panel"])
            painter.end()
            below = column.number(0) < 0.05
            shown.append((column.id, cell.weight))
            assert cell.weight == (700 if column.id == "p_corrected" and below else 400)
            assert "all queries: paired t-test, Holm over 2" in column.tooltip
    assert shown[0] == ("p", 400)
    assert shown[1][0] == "p_corrected"


class WeighedCell(ResultCell):
    """Remembers the weight of its words."""

    weight = 0

    def _words(  # type: ignore[override]
        self, painter: QPainter, box: QRect, column: ResultColumn, text: str, ink: str, weight: int
    ) -> None:
        self.weight = weight
        super()._words(painter, box, column, text, ink, weight)


def test_each_pane_is_saved_as_the_table_of_the_view(view: SlicesView, session: Session, tmp_path: Path) -> None:
    session.slices.save(str(tmp_path / "whole.json"))
    saved = {table["name"]: table["rows"] for table in json.loads((tmp_path / "whole.json").read_text())["tables"]}
    for panel, name in ((view.table, "slices"), (view.crossed, "crossed")):
        panel.savable().write(str(tmp_path / f"{name}.json"))
        own = json.loads((tmp_path / f"{name}.json").read_text())["tables"]
        assert [table["rows"] for table in own] == [saved[name]]
    view.queries.savable().write(str(tmp_path / "queries.csv"))
    header, *rows = csv.reader((tmp_path / "queries.csv").read_text().splitlines())
    assert header == ["query", "text", "baseline_mean", "mean", "difference"]
    assert len(rows) == 48


def test_the_dialog_chooses_attributes_and_cuts(qtbot: QtBot, theme: Theme, view: SlicesView, session: Session) -> None:
    dialog = SliceAttributesDialog(session, theme, view)
    rows = {row.attribute.name: row for row in dialog.rows}
    assert rows["language"].check.isChecked()
    dialog.show()
    QApplication.processEvents()
    meanings = [each for each in dialog.findChildren(PlainLabel) if each.toolTip()]
    assert meanings
    assert all(each.width() > dialog.width() // 2 for each in meanings), "not a few letters a line"
    rows["language"].check.setChecked(False)
    parts, borders = rows["traffic"].parts, rows["traffic"].borders
    assert parts is not None
    assert borders is not None
    parts.setCurrentIndex(parts.count() - 1)
    assert not dialog.ok.isEnabled()
    assert "rising order" in dialog.trouble.text()
    borders.setText("20, 10")
    assert not dialog.ok.isEnabled()
    borders.setText("10, 20")
    assert dialog.ok.isEnabled()
    use_decimal_comma(True)
    try:
        for typed, cut in (("0,05; 0,1", (0.05, 0.1)), ("10, 20", (10.0, 20.0))):
            borders.setText(typed)
            assert dialog.slicing().cuts["traffic"].borders == cut
    finally:
        use_decimal_comma(False)
    dialog.accept()
    view.refresh(frozenset())
    assert names_of(view) == ["all queries", "traffic", "< 10", "[10, 20)", "≥ 20"]


def test_the_screen_is_saved_as_a_picture(view: SlicesView, tmp_path: Path) -> None:
    picture = view.savable()
    assert picture is not None
    picture.write(str(tmp_path / "slices.png"))
    image = QImage(str(tmp_path / "slices.png"))
    assert image.width() == 3 * view.width()
    row = view.table.table.visualRect(view.table.model.index(2, 0))
    corner = view.table.table.viewport().mapTo(view, row.topLeft())
    shades = {
        image.pixel(3 * (corner.x() + x), 3 * (corner.y() + y)) for x in range(row.width()) for y in range(row.height())
    }
    assert len(shades) > 1  # the row's text is painted


def test_no_line_crosses_the_words_of_a_heading(theme: Theme, view: SlicesView) -> None:
    model = view.table.model
    column = next(column for column in model.columns if column.id == "interval")
    for row, name in enumerate(names_of(view)[:3]):
        image = QImage(200, 26, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        ResultCell(theme, ROOMY).paint(painter, QRect(0, 0, 200, 26), column, row, theme["panel"])
        painter.end()
        painted = any(image.pixel(x, y) for x in range(200) for y in range(26))
        assert painted == (name != "language")


def test_ticks_of_a_narrow_axis_do_not_run_into_each_other() -> None:
    labels = [(10.0 * place, 9.0, f"+0.{place}") for place in range(12)]
    step = sparing(labels)
    assert step == 3
    assert sparing([(60.0 * place, 9.0, "") for place in range(12)]) == 1
    assert sparing([]) == sparing(labels[:1]) == 1


def test_without_slices_there_are_no_heads(qtbot: QtBot, view: SlicesView, session: Session) -> None:
    header = view.table.table.horizontalHeader()
    assert header.isVisible()
    for key in session.view.shown[1:]:
        session.runs.show_run(key, False)
    view.refresh(frozenset())
    assert not view.table.model.rowCount()
    assert not header.isVisible()


def test_the_meaning_of_the_signs_is_not_cut(theme: Theme, view: SlicesView) -> None:
    foot = view.table.foot
    section, _ = foot._interval()
    metrics = QFontMetrics(theme.font(8.5, numbers=True))
    for width in (1280, 1900):
        view.resize(width, 640)
        view.refresh(frozenset())
        room = QRect(0, 0, foot._room(section), 1000)
        wanted = metrics.boundingRect(room, int(Qt.TextFlag.TextWordWrap), foot.accessibleName())
        assert wanted.height() <= foot.height()
        assert wanted.width() <= foot._room(section)
    assert "exploratory" in foot.accessibleName()


def test_words_name_runs_as_the_window_does_and_have_a_minus_sign(tmp_path: Path) -> None:
    session = session_with(named_collection("results_{}_bm25", 3, 48))
    (tmp_path / "table.csv").write_text("query_id,language\n" + "".join(f"{q},{q % 2}x\n" for q in range(1, 49)))
    session.files.open_files([str(tmp_path / "table.csv")])
    session.runs.set_baseline(session.view.labels()[2].key)
    session.runs.set_focus(session.view.labels()[0].key)
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "slices")
    shown = session.slices.slices_view_model()
    assert shown is not None
    assert shown.sentence.startswith("Over all queries alpha is worse than gamma: Δ −")
    assert shown.queries is not None
    assert shown.queries.note.startswith("Δ −.")
    assert "[−." in shown.queries.note
    session.close()
