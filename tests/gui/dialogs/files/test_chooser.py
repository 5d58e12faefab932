"""File dialogs hand on what was chosen."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.dialogs.files.chooser import OpenFilesDialog, SaveDialog, file_name
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


@pytest.mark.parametrize(
    ("title", "expected"),
    [("Metrics of query 3", "Metrics_of_query_3"), ("nDCG@10: a/b", "nDCG@10_a_b"), ("///", "irviewer")],
)
def test_file_name(title: str, expected: str) -> None:
    assert file_name(title) == expected


def test_open(qtbot: QtBot, window: MainWindow, files: list[str]) -> None:
    chosen: list[list[str]] = []
    dialog = OpenFilesDialog(window, str(Path(files[0]).parent), chosen.append)
    dialog.filesSelected.emit(files[:2])
    dialog.reject()
    assert chosen == [files[:2]]


def test_a_name_that_is_not_there_is_a_message_not_a_box(
    qtbot: QtBot, window: MainWindow, session: Session, files: list[str]
) -> None:
    run_command(session, "open_files")
    dialog = window.findChild(OpenFilesDialog)
    assert dialog is not None
    dialog.setDirectory(str(Path(files[0]).parent))
    dialog.selectFile("nowhere.run")
    dialog.accept()
    assert not dialog.isVisible()
    assert "nowhere.run" in session.view.messages[-1].text


def test_the_kind_chosen_gives_the_suffix(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    chosen: list[str] = []
    kinds = [("PNG picture", ".png"), ("PDF document", ".pdf")]
    dialog = SaveDialog(window, "Save plot", str(tmp_path), "Precision–recall", kinds, chosen.append)
    dialog.open()
    assert Path(dialog.selectedFiles()[0]).suffix == ".png"
    dialog.filterSelected.emit("PDF document (*.pdf)")
    assert Path(dialog.selectedFiles()[0]).suffix == ".pdf"
    assert dialog.defaultSuffix() == "pdf"
    dialog.accept()
    assert [Path(path).suffix for path in chosen] == [".pdf"]


def test_saving_a_table_by_command(qtbot: QtBot, window: MainWindow, session: Session, tmp_path: Path) -> None:
    session.navigation.set_place("systems")
    window.flush()
    run_command(session, "save_table")
    dialog = window.findChild(SaveDialog)
    assert dialog is not None
    target = tmp_path / "systems.csv"
    dialog.fileSelected.emit(str(target))
    dialog.reject()
    assert "alpha" in target.read_text("utf-8")
    assert session.view.messages[-1].text == f"Saved {target}"


def test_a_saved_systems_table_names_its_tests(window: MainWindow, session: Session, tmp_path: Path) -> None:
    session.navigation.set_place("systems")
    session.protocol.set_number("seed", "7")
    session.compute_now()
    window.flush()
    run_command(session, "save_table")
    dialog = window.findChild(SaveDialog)
    assert dialog is not None
    target = tmp_path / "systems.csv"
    dialog.fileSelected.emit(str(target))
    dialog.reject()
    beside = (tmp_path / "systems.csv.protocol.toml").read_text("utf-8")
    compared = session.comparison.compared("baseline")
    assert compared is not None
    for name in ("paired t-test", "bootstrap (percentile) (10,000 samples, seed 7)", "1st: "):
        assert name in beside
    assert compared.comparison.warnings
    assert all(warning in beside for warning in compared.comparison.warnings)


def test_a_matrix_is_saved_as_a_table(window: MainWindow, session: Session, tmp_path: Path) -> None:
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "matrices")
    for kind, column in (("difference", "difference"), ("p", "corrected")):
        session.matrices.set_matrix(kind)
        session.compute_now()
        window.flush()
        run_command(session, "save_table")
        dialog = window.findChild(SaveDialog)
        assert dialog is not None
        target = tmp_path / f"{kind}.csv"
        dialog.fileSelected.emit(str(target))
        dialog.fileSelected.emit(str(tmp_path / f"{kind}.json"))
        dialog.setParent(None)
        dialog.reject()
        header, *rows = csv.reader(io.StringIO(target.read_text("utf-8")))
        compared = session.comparison.compared("pairs")
        assert compared is not None
        comparison = compared.comparison
        assert header[1:] == [row[0] for row in rows]
        assert set(header[1:]) == set(comparison.names)
        assert header[0] == "run"
        (note,) = json.loads((tmp_path / f"{kind}.json").read_text("utf-8"))["notes"]
        assert ("paired t-test" in note["text"]) == (kind == "p")
        values = comparison.matrix(column)  # type: ignore[arg-type]
        for row in rows:
            for name, cell in zip(header[1:], row[1:], strict=True):
                wanted = values[comparison.place(row[0]), comparison.place(name)]
                assert cell == ("" if wanted != wanted else repr(float(wanted)))


def test_a_place_that_cannot_be_written_is_a_message(window: MainWindow, session: Session, tmp_path: Path) -> None:
    session.navigation.set_place("systems")
    window.flush()
    run_command(session, "save_table")
    dialog = window.findChild(SaveDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "nowhere" / "systems.csv"))
    dialog.reject()
    assert "cannot be written" in session.view.messages[-1].text


def test_every_table_in_view_is_offered(qtbot: QtBot, window: MainWindow, session: Session, tmp_path: Path) -> None:
    session.navigation.set_place("query")
    window.flush()
    run_command(session, "save_table")
    assert window.picker.isVisible()
    titles = [widget.savable().title for widget in window.dialogs.saving.widgets(plots=False)]  # type: ignore[attr-defined]
    assert sorted(titles) == ["Measures of this query", "Relevant, outside the top 10 of beta: 1"]
    qtbot.keyClicks(window.picker.line, "measures")
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Return)
    dialog = window.findChild(SaveDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "metrics.tsv"))
    dialog.reject()
    assert (tmp_path / "metrics.tsv").read_text("utf-8").startswith("measure\trole\talpha\tbeta\tdifference")


def test_what_is_saved_of_a_query_names_it(window: MainWindow, session: Session) -> None:
    session.navigation.set_place("query")
    window.flush()
    table = next(
        widget
        for widget in window.dialogs.saving.widgets(plots=False)
        if widget.savable().title == "Measures of this query"  # type: ignore[attr-defined]
    )
    (table.focusProxy() or next(iter(table.findChildren(QTableView)), table)).setFocus()
    run_command(session, "save_table")
    dialog = window.findChild(SaveDialog)
    assert dialog is not None
    assert f"query_{session.view.query_id}" in Path(dialog.selectedFiles()[0]).name
    dialog.reject()
