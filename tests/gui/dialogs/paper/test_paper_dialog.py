"""The dialog Export for paper: it begins with what is on screen, keys order and tick, and what is copied is shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QScrollArea, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.paper.dialog import PaperDialog
from irviewer.gui.dialogs.paper.figure_page import ShownFigure
from irviewer.gui.dialogs.paper.ordered_list import ROW_HEIGHT
from irviewer.gui.dialogs.paper.printed_table import fit_text
from irviewer.gui.plots.saving import FigureWidget
from irviewer.gui.plots.scatter import Scatter
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.tables.writers.registry import WRITERS
from irviewer.translation import use_decimal_comma

pytestmark = pytest.mark.opens("start")


@pytest.fixture
def dialog(window: MainWindow, session: Session) -> PaperDialog:
    """The dialog over the tiny collection."""
    run_command(session, "export_paper")
    dialog = window.findChild(PaperDialog)
    assert dialog is not None
    return dialog


def test_keys_order_and_tick(qtbot: QtBot, dialog: PaperDialog) -> None:
    assert dialog.tables.choices == dialog.tables._preset.choices
    assert dialog.tables.table is not None
    first, second = dialog.tables.table.runs
    dialog.tables.runs.setFocus()
    qtbot.keyClick(dialog.tables.runs, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: dialog.tables.table is not None and dialog.tables.table.runs == (second, first))
    qtbot.keyClick(dialog.tables.runs, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.tables.table is not None and dialog.tables.table.runs == (second,))
    qtbot.keyClick(dialog.tables.runs, Qt.Key.Key_Up)
    qtbot.keyClick(dialog.tables.runs, Qt.Key.Key_Space)
    assert not dialog.save_button.isEnabled()
    assert dialog.note.text() == "Tick at least one run and one measure."
    dialog.tables.all_button.click()
    qtbot.waitUntil(lambda: dialog.tables.table is not None and dialog.tables.table.runs == (second, first))
    assert dialog.save_button.isEnabled()


def test_few_runs_leave_the_room_to_what_else_is_chosen(dialog: PaperDialog) -> None:
    """Beside two runs in a list for eight, the marks and half of the protocol's line were below the edge."""
    dialog.resize(820, 650)
    QApplication.processEvents()
    (area,) = (each for each in dialog.findChildren(QScrollArea) if each.widget() is dialog.stack)
    assert not area.verticalScrollBar().isVisible()
    boxes = (dialog.tables.bold, dialog.tables.marked)
    assert all(box.visibleRegion().boundingRect().height() == box.height() for box in boxes)
    assert dialog.tables.runs.viewport().height() >= dialog.tables.runs.count() * ROW_HEIGHT


def test_what_is_printed_is_whole_in_a_narrow_dialog(dialog: PaperDialog) -> None:
    """At 200 % on 1280 × 800 the table was cut beside the choices, which had most of the width."""
    dialog.show()
    dialog.resize(620, 360)
    QApplication.processEvents()
    printed, room = dialog.tables.printed, dialog.tables.area.viewport()
    assert printed.width() <= room.width()
    assert printed.mapTo(dialog, QPoint()).y() < dialog.tables.runs.mapTo(dialog, QPoint()).y()
    assert dialog.tables.width() <= dialog.width()
    dialog.resize(1100, 700)
    QApplication.processEvents()
    assert printed.mapTo(dialog, QPoint()).x() > dialog.tables.runs.mapTo(dialog, QPoint()).x() + 300


def test_an_unticked_run_has_an_empty_swatch(dialog: PaperDialog) -> None:
    runs = dialog.tables.runs
    index = runs.model().index(0, 0)

    def colours() -> set[int]:
        option = QStyleOptionViewItem()
        runs.itemDelegate().initStyleOption(option, index)
        image = option.icon.pixmap(16, 16).toImage()
        return {image.pixelColor(x, y).rgba() for x in range(image.width()) for y in range(image.height())}

    key = runs.keys[0]
    runs.tick([key])
    ticked = colours()
    runs.tick([])
    assert colours() != ticked
    runs.tick([key])
    assert colours() == ticked


def test_formats_and_the_clipboard(qtbot: QtBot, dialog: PaperDialog) -> None:
    assert dialog.tables.table is not None
    assert dialog.tables.text.toPlainText() == dialog.tables.table.latex
    for form in ("markdown", "csv", "html"):
        dialog.tables.formats.buttons[form].click()
        assert dialog.tables.text.toPlainText() == getattr(dialog.tables.table, form)
    dialog.copy_button.click()
    data = QGuiApplication.clipboard().mimeData()
    assert "<table" in data.html()
    assert data.text() == dialog.tables.table.markdown
    dialog.tables.set_form("latex")
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().text() == dialog.tables.table.latex


def test_every_format_is_offered_that_which_is_shown_first(dialog: PaperDialog) -> None:
    dialog.tables.formats.buttons["markdown"].click()
    dialog.save_button.click()
    chooser = dialog.findChild(SaveDialog)
    assert chooser is not None
    endings = [text.rpartition("(*")[2].rstrip(")") for text in chooser.nameFilters()]
    assert endings[0] == ".md"
    assert sorted(endings) == sorted(writer.suffixes[0] for writer in WRITERS)
    chooser.reject()


def test_a_measure_is_added(qtbot: QtBot, dialog: PaperDialog) -> None:
    qtbot.keyClicks(dialog.tables.add_measure, "no measure")
    qtbot.keyClick(dialog.tables.add_measure, Qt.Key.Key_Return)
    assert "no measure" in dialog.tables.trouble.text()
    assert not dialog.findChildren(SaveDialog)
    dialog.tables.add_measure.clear()
    qtbot.keyClicks(dialog.tables.add_measure, "ndcg_cut.3")
    qtbot.keyClick(dialog.tables.add_measure, Qt.Key.Key_Return)
    assert dialog.tables.choices.measures[-1] == "nDCG@3"
    qtbot.waitUntil(lambda: dialog.tables.table is not None and dialog.tables.table.header[-1] == "nDCG@3")
    dialog.tables.baseline.setCurrentIndex(dialog.tables.baseline.count() - 1)
    assert not dialog.tables.marked.isEnabled()
    qtbot.waitUntil(lambda: dialog.tables.table is not None and not dialog.tables.table.primary)


def test_the_page_fits_in_words(qtbot: QtBot, dialog: PaperDialog) -> None:
    picture = dialog.tables.printed.grab().toImage()
    assert picture.pixelColor(5, 5).lightness() > 250  # paper is white in every theme
    assert 5 < dialog.tables.printed.width_cm < 25
    assert fit_text(8.0) == "8.0 cm wide: fits one column of two (8.4 cm)"
    assert fit_text(12.0) == "12.0 cm wide: fits the page, not one column of two (8.4 cm)"
    assert fit_text(20.0) == "20.0 cm wide: does not fit a page (17.8 cm)"


def test_widths_have_one_decimal_sign() -> None:
    use_decimal_comma(True)
    try:
        assert fit_text(8.0) == "8,0 cm wide: fits one column of two (8,4 cm)"
        assert fit_text(20.0) == "20,0 cm wide: does not fit a page (17,8 cm)"
    finally:
        use_decimal_comma(False)


def test_a_figure_is_drawn_and_saved(qtbot: QtBot, window: MainWindow, session: Session, tmp_path: Path) -> None:
    session.navigation.set_place("systems")
    qtbot.waitUntil(lambda: any(widget.isVisible() for widget in window.findChildren(FigureWidget)))
    run_command(session, "export_paper")
    dialog = window.findChild(PaperDialog)
    assert dialog is not None
    dialog.pages.buttons["figure"].click()
    page = dialog.figures
    assert page is not None
    assert dialog.page is page
    assert not page.image.isNull()
    assert page.image.width() / page.image.height() == pytest.approx(
        page.width_mm.value() / page.height_mm.value(), 0.01
    )
    boxes = (page.dashes, page.markers, page.title)
    for box, text in zip(boxes, ("estilos de línea", "marcadores", "título"), strict=True):
        box.setText(text)
    QApplication.processEvents()
    assert all(box.width() >= box.sizeHint().width() for box in boxes), "whole in Spanish too"
    assert [curve.label for curve in page.drawing.figure.curves] == ["alpha", "beta"]
    qtbot.keyClick(page.curves, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert [curve.label for curve in page.drawing.figure.curves] == ["beta", "alpha"]
    page.curves.tick([0])
    assert [curve.label for curve in page.drawing.figure.curves] == ["alpha"]
    own = page.shown.figure.x.label
    page.axes[0].setText("  Recall  of this\ttask ")
    assert (page.drawing.figure.x.label, page.drawing.figure.y.label) == (
        "Recall of this task",
        page.shown.figure.y.label,
    )
    page.axes[0].clear()
    assert page.drawing.figure.x.label == own
    page.curves.tick([])
    assert not dialog.save_button.isEnabled()
    dialog.pages.buttons["table"].click()
    assert dialog.save_button.isEnabled()
    dialog.pages.buttons["figure"].click()
    page.curves.tick([0, 1])
    page.widths.buttons["page"].click()
    assert page.width_mm.value() == 178
    session.paper.save_figure(page.drawing, str(tmp_path / "a.pdf"))
    assert b"InterPrint" in (tmp_path / "a.pdf").read_bytes()


def test_a_legend_leaves_the_plot_its_height(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    session.navigation.set_place("systems")
    qtbot.waitUntil(lambda: any(widget.isVisible() for widget in window.findChildren(FigureWidget)))
    run_command(session, "export_paper")
    dialog = window.findChild(PaperDialog)
    assert dialog is not None
    dialog.pages.buttons["figure"].click()
    page = dialog.figures
    assert page is not None
    curve = next(curve for curve in page.shown.figure.curves if curve.label)
    heights = []
    for count in (2, 8):
        figure = replace(page.shown.figure, curves=(curve,) * count)
        page._figures = (ShownFigure("many", figure, 0.3),)
        page.names.setCurrentIndex(page.names.findData("legend"))
        page._set_size(84.0)
        heights.append(page.height_mm.value())
    # Two entries are a row, eight are four rows of 8 pt type, each at least as high as its letters.
    assert heights[0] >= 40 + 8 * 25.4 / 72
    assert heights[1] >= heights[0] + 3 * 8 * 25.4 / 72


def test_a_scatter_stays_square(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    session.navigation.set_place("compare")
    qtbot.waitUntil(lambda: any(widget.isVisible() for widget in window.findChildren(Scatter)))
    run_command(session, "export_paper")
    dialog = window.findChild(PaperDialog)
    assert dialog is not None
    assert dialog.figures is not None
    shapes = {shown.title: shown.shape for shown in dialog.figures._figures if shown.figure.points is not None}
    assert set(shapes.values()) == {0.95}


def test_lines_that_differ_only_by_colour_are_named(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    session.navigation.set_place("systems")
    qtbot.waitUntil(lambda: any(widget.isVisible() for widget in window.findChildren(FigureWidget)))
    run_command(session, "export_paper")
    dialog = window.findChild(PaperDialog)
    assert dialog is not None
    dialog.pages.buttons["figure"].click()
    page = dialog.figures
    assert page is not None
    curve = next(curve for curve in page.shown.figure.curves if curve.role.kind == "run")
    curves = tuple(replace(curve, role=replace(curve.role, run=run), label=f"run {run}") for run in range(8))
    page._figures = (ShownFigure("many", replace(page.shown.figure, curves=curves), 0.8),)
    page._on_figure_chosen()
    page._show_note()
    assert "8 lines that differ without colour" in page.printed_panel._note.text()
    page.markers.setChecked(False)  # six patterns of dashes for eight lines
    page._show_note()
    assert "some lines differ only by colour" in page.printed_panel._note.text()


def test_enter_on_save_asks_for_the_file(qtbot: QtBot, dialog: PaperDialog) -> None:
    dialog.save_button.setFocus()
    qtbot.keyClick(dialog.save_button, Qt.Key.Key_Return)
    assert dialog.findChild(SaveDialog) is not None


def test_the_key_of_saving_asks_for_the_file(qtbot: QtBot, dialog: PaperDialog) -> None:
    dialog.activateWindow()
    qtbot.waitUntil(dialog.save_button.isEnabled)
    qtbot.keyClick(dialog, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: dialog.findChild(SaveDialog) is not None)


def test_the_verdict_has_figures_of_its_two_runs(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    session.navigation.set_place("verdict")
    session.compute_now()
    window.flush()
    answer = session.result_views.answer("verdict")
    assert answer is not None and answer.shown is not None
    pair = answer.shown.value.verdict.answer.pair
    run_command(session, "export_paper")
    dialog = window.findChild(PaperDialog)
    assert dialog is not None and dialog.figures is not None
    differences, scatter = dialog.figures._figures
    assert differences.figure.bars is not None and f"{pair.run_name} − {pair.other_name}" in differences.title
    heights = differences.figure.bars.heights
    context = session.view.context
    assert context is not None
    first, second = (
        context.values(next(entry for entry in context.collection.runs if entry.name == name), context.measure)
        for name in (pair.run_name, pair.other_name)
    )
    assert sorted(heights.tolist()) == sorted((first - second).tolist())
    assert heights.tolist() == sorted(heights.tolist(), reverse=True)
    assert scatter.figure.points is not None
    dialog.show_page("figure")
    assert dialog.page is dialog.figures
