"""Numbers that judgments changed by hand went into say so wherever they leave the window, until that is undone or saved
as a judgment set of its own; every export command of the registry is accounted for here."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.feather
import pyarrow.parquet
import pytest
from examples import a_part
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from irviewer.commands import COMMANDS, run_command
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.judging.judging_dialogs import JudgmentsDialog
from irviewer.gui.plots.saving import FigureWidget
from irviewer.gui.query.rankings.missed_table import MissedTable
from irviewer.gui.query.rankings.ranked_lists import RankedLists
from irviewer.gui.widgets.savable import FIGURE_KINDS, RESULT_KINDS, Savable, savable_later
from irviewer.gui.widgets.table import Table
from irviewer.gui.window import MainWindow
from irviewer.model.workspace import Regime
from irviewer.session.session import Session
from irviewer.session.state import TABS

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

MARK = "with 1 changed judgment"
OF_JUDGES = ("judge", "agreement", "confusion", "judges", "corrected")
"""Views without content for one judge; their own tests save with several."""
OF_ANSWERS = ("nuggets", "lost", "sentences", "versions")
"""Views without content where no run has answers."""
SCREENS = [
    ("systems", ""),
    *(("queries", tab) for tab in TABS["queries"]),
    ("query", "lists"),
    ("query", "ledger"),
    # Of the views the first needs attributes of runs, which this collection lacks: there is nothing to save.
    *(("compare", tab) for tab in TABS["compare"] if tab not in {*OF_JUDGES, *OF_ANSWERS, "views"}),
]
MARKED = {
    "save_plot",
    "save_step",
    "save_table",
    "save_comparison",
    "save_all_pairs",
    "save_worklist",
    "copy",
    "export_paper",
    "export_report",
    "export_manager_report",
    "save_slices",
    "export_failure_tags",
}
"""Commands by which numbers leave the window."""
PLAIN = {
    "save_project": "keeps the judgments themselves, with who and when",
    "save_project_as": "as above",
    "save_notes": "words of the user's",
    "save_run": "a ranking, which follows from no judgment",
    "save_edited": "as above",
    "edit_copy": "makes no file",
    "copy_protocol": "what numbers depend on, none of them",
    "copy_gate": "a command, no number",
    "save_gate": "as above",
    "save_protocol": "as above",
    "keep_filtered": "makes a query set",
    "keep_brushed": "makes a query set",
    "restore_work": "opens unsaved work",
    "discard_work": "removes unsaved work",
    "save_query_sets": "names of queries",
    "export_patch": "is the list of changes",
    "save_web_page": "is a lesson",
    "export_merged": "is the judgments",
    "save_judgment_set": "is the judgments, under a name of its own",
    "save_merged_labels": "is labels of answers, which follow from no judgment",
}


@pytest.fixture
def changed(session: Session) -> Session:
    """One judgment changed by hand."""
    session.evaluation.set_regime(Regime.POOLED)
    session.judging.set_assessor("Ada")
    session.navigation.set_query("1")
    session.judging.judge("d3", 2.0)
    return session


def show(window: MainWindow, session: Session, screen: tuple[str, str]) -> None:
    place, view = screen
    session.navigation.set_place(place)
    if view == "ledger":
        session.explaining.explain()
    elif place == "query":
        session.explaining.stop_explaining()
        session.evaluation.set_cutoff(1)
    elif view:
        session.navigation.set_tab(place, view)
    session.navigation.set_document("d2")
    session.compute_now()
    window.flush()
    for plot in getattr(window.current_screen, "plots", ()):
        if plot.canvas is None:
            plot.load()
    session.compute_now()
    window.flush()
    QApplication.processEvents()  # a canvas that was made comes into sight


def savables(window: MainWindow) -> Iterator[Savable]:
    for plots in (False, True):
        for widget in window.dialogs.saving.widgets(plots):
            tell: Callable[[], Savable | None] = widget.savable  # type: ignore[attr-defined]
            savable = tell()
            if savable is not None:
                yield savable


def says(rows: list[dict[str, str]]) -> bool:
    return bool(rows) and all(row["judgments"] == MARK for row in rows)


def table_says(text: str, delimiter: str) -> bool:
    rows = list(csv.DictReader(io.StringIO(text), delimiter=delimiter))
    return says(rows) if rows else "judgments" in text


def picture_says(content: bytes) -> bool:
    return MARK.encode("ascii") in content


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def in_its_place(case: Any) -> Any:
    """The case of a screen, whose window opens in its place."""
    return pytest.param(*case.values, marks=[*case.marks, pytest.mark.opens(case.values[0][0])])


def test_every_command_that_exports_is_listed() -> None:
    exporting = {
        command.id
        for command in COMMANDS
        if re.search(r"save|export|copy", f"{command.id} {command.title}", re.IGNORECASE)
    }
    assert exporting == MARKED | PLAIN.keys()


@pytest.mark.parametrize(
    "screen", [in_its_place(case) for case in a_part([(screen,) for screen in SCREENS], 3)], ids=" ".join
)
def test_whatever_is_saved_or_copied_from_a_screen_says_so(
    screen: tuple[str, str], window: MainWindow, changed: Session, tmp_path: Path
) -> None:
    show(window, changed, screen)
    seen = 0
    for number, what in enumerate(savables(window)):
        seen += 1
        figure = what.kinds is FIGURE_KINDS
        suffix = what.kinds[number % 3][1] if figure else (".csv", ".tsv")[number % 2]
        path = tmp_path / f"{number}{suffix}"
        what.write(str(path))
        if figure:
            assert picture_says(path.read_bytes()), (what.title, suffix)
        else:
            assert table_says(path.read_text("utf-8"), "\t" if suffix == ".tsv" else ","), (what.title, suffix)
    assert seen
    copied = 0
    for widget in window.findChildren(QWidget):
        if not widget.isVisible():
            continue
        if isinstance(widget, Table):
            widget.selectAll()
            assert widget.copy_selection() == bool(widget.model().rowCount())
            assert not widget.model().rowCount() or table_says(clipboard(), "\t"), widget.accessibleName()
        elif isinstance(widget, MissedTable):
            widget.copy()
            assert table_says(clipboard(), "\t")
        elif isinstance(widget, RankedLists):
            widget.copy_list()
            assert table_says(clipboard(), "\t")
        elif isinstance(widget, FigureWidget) and widget.figure is not None:
            widget.copy_data()
            assert table_says(clipboard(), "\t"), widget.figure.title
        else:
            continue
        copied += 1
    assert copied


def test_a_saved_picture_says_so_in_sight_and_in_its_metadata(
    window: MainWindow, changed: Session, tmp_path: Path
) -> None:
    show(window, changed, ("query", "lists"))
    what = next(savable for savable in savables(window) if savable.kinds is FIGURE_KINDS)
    for suffix in (".png", ".svg", ".pdf"):
        marked = tmp_path / f"marked{suffix}"
        what.write(str(marked))
        assert picture_says(marked.read_bytes()), suffix
    # matplotlib writes each text beside its shapes
    assert f"<!-- {MARK} -->" in (tmp_path / "marked.svg").read_text("utf-8")
    changed.history.undo()
    window.flush()
    what = next(savable for savable in savables(window) if savable.kinds is FIGURE_KINDS)
    for suffix in (".png", ".svg", ".pdf"):
        plain = tmp_path / f"plain{suffix}"
        what.write(str(plain))
        assert not picture_says(plain.read_bytes()), suffix


@pytest.mark.parametrize("kind", ["baseline", "pairs"])
def test_comparisons_say_so_in_every_form(kind: str, changed: Session, tmp_path: Path) -> None:
    for _, suffix in RESULT_KINDS:
        path = tmp_path / f"{kind}{suffix}"
        changed.comparison.save_comparison(str(path), kind)  # type: ignore[arg-type]
        if suffix in (".arrow", ".parquet"):
            assert "judgments" in columns_of(path)
            continue
        text = path.read_text("utf-8")
        if suffix in (".csv", ".tsv"):
            assert table_says(text, "\t" if suffix == ".tsv" else ",")
        else:
            assert MARK in text, suffix
    assert changed.history.undo()
    for _, suffix in RESULT_KINDS:
        path = tmp_path / f"{kind}{suffix}"
        changed.comparison.save_comparison(str(path), kind)  # type: ignore[arg-type]
        if suffix in (".arrow", ".parquet"):
            assert "judgments" not in columns_of(path)
        else:
            assert "changed judgment" not in path.read_text("utf-8")


def columns_of(path: Path) -> list[str]:
    """The columns of an Arrow or Parquet file."""
    read = pyarrow.feather.read_table if path.suffix == ".arrow" else pyarrow.parquet.read_table
    names: list[str] = read(path).column_names
    return names


def test_tags_of_failures_say_so(window: MainWindow, changed: Session, tmp_path: Path) -> None:
    show(window, changed, ("queries", "failures"))
    changed.failure_loop.examine()
    changed.compute_now()
    later = changed.failure_loop.tags_later()
    assert later is not None
    what = savable_later("tags", later, changed.view.judgment_mark)
    what.write(str(tmp_path / "tags.csv"))
    assert table_says((tmp_path / "tags.csv").read_text("utf-8"), ",")


def test_a_worklist_says_so(changed: Session, tmp_path: Path) -> None:
    changed.navigation.set_place("queries")
    changed.navigation.set_tab("queries", "worklist")
    for name, delimiter in (("work.tsv", "\t"), ("work.csv", ",")):
        changed.failures.save_worklist(str(tmp_path / name))
        assert table_says((tmp_path / name).read_text("utf-8"), delimiter)
    changed.history.undo()
    changed.failures.save_worklist(str(tmp_path / "work.tsv"))
    assert (tmp_path / "work.tsv").read_text("utf-8").splitlines()[0] == "query\tdocument"


@pytest.mark.parametrize("command", ["show_ties", "compare_dialects", "why_not", "cheapest_changes", "list_judgments"])
def test_tables_of_dialogs_say_so_where_they_are_copied(command: str, window: MainWindow, changed: Session) -> None:
    show(window, changed, ("query", "lists"))
    assert run_command(changed, command)
    changed.compute_now()
    dialog = next(visible for visible in window.findChildren(QDialog) if visible.isVisible())
    for table in dialog.findChildren(Table):
        if table.model().rowCount():
            table.selectAll()
            table.copy_selection()
            assert table_says(clipboard(), "\t")


@pytest.mark.opens("start")
class TestWindow:
    def test_a_chip_says_so_until_it_is_undone(self, window: MainWindow, session: Session) -> None:
        chip = window.top_bar.mark
        window.flush()
        assert chip.isHidden()
        session.navigation.set_query("1")
        session.judging.judge("d3", 2.0)
        window.flush()
        assert chip.isVisible()
        assert chip.text() == "1 changed judgment"
        session.judging.judge("d9", 1.0)
        window.flush()
        assert chip.text() == "2 changed judgments"
        session.judging.judge("d9", None)  # as the file has it: no change
        window.flush()
        assert chip.text() == "1 changed judgment"
        session.history.undo()
        session.history.undo()
        session.history.undo()
        window.flush()
        assert chip.isHidden()

    def test_a_note_to_the_files_own_grade_is_no_change(self, window: MainWindow, session: Session) -> None:
        session.navigation.set_query("1")
        session.judging.write_judgment_note("d1", "of course")
        window.flush()
        assert window.top_bar.mark.isHidden()

    def test_one_click_lists_the_changes_and_the_numbers_without_them(
        self, window: MainWindow, changed: Session
    ) -> None:
        context = changed.view.context
        assert context is not None
        now = {entry.name: context.mean(entry, changed.view.measure) for entry in context.collection.runs}
        changed.history.undo()
        context = changed.view.context
        assert context is not None
        before = {entry.name: context.mean(entry, changed.view.measure) for entry in context.collection.runs}
        changed.history.redo()
        window.flush()
        window.top_bar.mark.click()
        changed.compute_now()
        dialog = next(
            judgments_dialog
            for judgments_dialog in window.findChildren(JudgmentsDialog)
            if judgments_dialog.isVisible()
        )
        titles = [column.title for column in dialog.model.columns]
        assert titles[:6] == ["query", "document", "before", "after", "judge", "date"]
        assert [column.text(0) for column in dialog.model.columns][:5] == ["1", "d3", "0", "2", "Ada"]
        names, measures, present, without, moved = dialog.numbers_model.columns
        numbers = {
            (names.text(row), measures.text(row)): (present.value(row), without.value(row), moved.value(row))
            for row in range(dialog.numbers_model.rowCount())
        }
        for name in now:
            assert numbers[name, str(changed.view.measure)] == (
                now[name],
                before[name],
                pytest.approx(now[name] - before[name]),
            )
        assert now != before

    def test_all_is_put_back_in_one_step(self, window: MainWindow, changed: Session) -> None:
        changed.judging.judge("d9", 1.0)
        window.flush()
        window.top_bar.mark.click()
        dialog = next(
            judgments_dialog
            for judgments_dialog in window.findChildren(JudgmentsDialog)
            if judgments_dialog.isVisible()
        )
        dialog.revert_all_button.click()
        assert changed.view.judgments is not None
        assert not changed.view.judgments.overlay
        changed.history.undo()
        assert len(changed.view.judgments.overlay) == 2

    def test_saved_as_a_set_of_its_own_its_name_is_shown_and_the_mark_is_gone(
        self, window: MainWindow, changed: Session, tmp_path: Path, qtbot: QtBot
    ) -> None:
        context = changed.view.context
        assert context is not None
        now = {entry.name: context.mean(entry, changed.view.measure) for entry in context.collection.runs}
        run_command(changed, "save_judgment_set")
        dialog = next(save_dialog for save_dialog in window.findChildren(SaveDialog) if save_dialog.isVisible())
        dialog.fileSelected.emit(str(tmp_path / "by ada.qrels"))  # type: ignore[attr-defined]
        dialog.reject()
        window.flush()
        context, judgments = changed.view.context, changed.view.judgments
        assert context is not None
        assert judgments is not None
        assert judgments.name == "by ada"
        assert "by ada" in changed.view.summary
        assert window.top_bar.mark.isHidden()
        assert changed.view.judgment_mark == "judged by by ada"
        assert {entry.name: context.mean(entry, changed.view.measure) for entry in context.collection.runs} == now
        changed.judging.judge("d9", 1.0)
        window.flush()
        assert window.top_bar.mark.text() == "1 changed judgment"
        changed.history.undo()
        changed.evaluation.set_judgments(0)  # what was judged over the file is still there, and says so
        window.flush()
        assert window.top_bar.mark.text() == "1 changed judgment"
        changed.history.undo()  # the choice of the judge
        changed.history.undo()  # the set of its own
        assert changed.view.collection is not None
        assert len(changed.view.collection.judgments) == 1
