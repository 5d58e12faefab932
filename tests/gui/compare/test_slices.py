"""The tab Slices: rows choose slices, cells choose both, buttons keep and search; the dialog of attributes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from irviewer.gui.compare.slices import SlicesView, sparing
from irviewer.gui.compare.slices_model import SliceIntervalCell, SliceIntervalColumn
from irviewer.gui.dialogs.slice_attributes import SliceAttributesDialog
from irviewer.gui.tables.density import ROOMY
from irviewer.gui.theme import Theme
from irviewer.session.session import Session
from tests.session.helpers import collection, session_with


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


def test_rows_and_cells_choose_slices(qtbot: QtBot, view: SlicesView, session: Session) -> None:
    lines = view.table.model.lines
    assert [line.kind for line in lines][:4] == ["all", "attribute", "slice", "slice"]
    row = next(row for row, line in enumerate(lines) if line.name == "en")
    where = view.table.table.visualRect(view.table.model.index(row, 1)).center()
    qtbot.mouseClick(view.table.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert session.state.chosen.slice_chosen == (("language", "en"),)
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
    view.crossed.menu_of(True).actions()[1].trigger()
    assert session.slices.crossed == ("traffic", "language")
    assert not view.grab().isNull()
    header, *rows = view.table.table.csv_rows()
    assert "95 % interval of Δ" in header
    assert len(rows) == len(lines)


def test_the_dialog_chooses_attributes_and_cuts(qtbot: QtBot, theme: Theme, view: SlicesView, session: Session) -> None:
    dialog = SliceAttributesDialog(session, theme, view)
    rows = {row.attribute.name: row for row in dialog.rows}
    assert rows["language"].check.isChecked()
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
    dialog.accept()
    view.refresh(frozenset())
    assert [line.name for line in view.table.model.lines if line.kind == "slice"] == ["< 10", "[10, 20)", "≥ 20"]


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
    column = next(column for column in model.columns if isinstance(column, SliceIntervalColumn))
    for row, line in enumerate(model.lines[:3]):
        image = QImage(200, 26, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        SliceIntervalCell(theme, ROOMY).paint(painter, QRect(0, 0, 200, 26), column, row, theme["panel"])
        painter.end()
        painted = any(image.pixel(x, y) for x in range(200) for y in range(26))
        assert painted == (line.kind != "attribute")


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
    assert not view.table.model.lines
    assert not header.isVisible()
