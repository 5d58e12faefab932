"""What the tables' panels share: saving."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
from pytestqt.qtbot import QtBot

from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.systems.model import ShownSystems
from irviewer.gui.tables.model import NumberColumn, TableModel, TextColumn
from irviewer.gui.tables.saved import saved_table
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.rendering.run_label import RunLabel
from irviewer.tables.writers.delimited import encoded

LABEL = RunLabel(12, "corto", "corto", 0, None, shown=True, baseline=False, focus=False, whole_name="input.corto")


def test_the_table_is_saved_at_full_precision(
    qtbot: QtBot, theme: Theme, view_models: ModuleType, tmp_path: Path
) -> None:
    session = view_models.FakeSession(view_models.systems(15))
    model = TableModel()
    view = TablePanel(session, theme, Table(model, theme), "systems")
    qtbot.addWidget(view)
    ShownSystems(model).show(session.view_model)
    target = tmp_path / "systems.csv"
    view.table.save_requested.emit()
    dialog = view.findChild(SaveDialog)
    assert Path(dialog.selectedFiles()[0]).name == "systems.csv"
    dialog.fileSelected.emit(str(target))
    dialog.reject()
    lines = target.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 16
    assert lines[0] == "run,AP,nDCG@10,P@10,RR,Rprec,R@50,num_rel_ret,delta"
    assert float(lines[1].split(",")[1]) == session.view_model.means[0, 0]
    view.savable().write(str(tmp_path / "systems.tsv"))
    assert (tmp_path / "systems.tsv").read_text(encoding="utf-8").startswith("run\tAP\t")


def test_files_of_data_have_stable_keys() -> None:
    model = TableModel()
    model.show((
        TextColumn("step-1", "paso", ["a\tb", "ü"]),
        NumberColumn("12", "corto", np.array([1.0, np.nan]), run=LABEL),
        NumberColumn("nDCG@10", "nDCG@10", np.array([1 / 3, 2.0])),
        NumberColumn("found", "halladas", np.array([3, 0]), counts=True),
    ), ["x", "y"])  # fmt: skip
    table = saved_table(model, "made", "hecha")
    assert encoded(table).decode() == ("step_1,input.corto,nDCG@10,found\na\tb,1,0.3333333333333333,3\nü,,2,0\n")
    assert [column.names for column in table.columns] == ["", "run", "measure", ""]


def test_an_empty_table_says_why_in_its_middle_and_one_with_rows_above_them(
    qtbot: QtBot, theme: Theme, view_models: ModuleType
) -> None:
    session = view_models.FakeSession(view_models.systems(3))
    model = TableModel()
    view = TablePanel(session, theme, Table(model, theme), "systems")
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show()
    blank = view.table.viewport().grab().toImage()
    view.show_notice("Nothing is here, and this is why.")
    assert not view.notice.isVisible()
    assert view.table.viewport().grab().toImage() != blank
    view.show_notice("a filter that cannot be understood", "warning")
    assert view.notice.isVisible()
    assert view.table.accessibleDescription() == ""
    ShownSystems(model).show(session.view_model)
    view.show_notice("Three runs lack a query.")
    assert view.notice.isVisible()
    assert view.table.accessibleDescription() == ""


def test_a_panel_that_fits_its_rows_has_no_empty_room_below_wrapped_words(
    qtbot: QtBot, theme: Theme, view_models: ModuleType
) -> None:
    session = view_models.FakeSession(view_models.systems(3))
    model = TableModel()
    view = TablePanel(session, theme, Table(model, theme), "systems")
    qtbot.addWidget(view)
    ShownSystems(model).show(session.view_model)
    view.resize(1200, 600)
    view.show()
    view.show_notice("Three queries are few, and this is a sentence that breaks into lines where it is narrow. " * 2)
    view.fit_height()
    wide = view.maximumHeight()
    assert wide - view.table.full_height() < 34 + 2 * 40
    view.resize(300, 600)
    assert view.maximumHeight() > wide
    view.resize(1200, 600)
    assert view.maximumHeight() == wide
    view.show_notice("")
    view.fit_height()
    assert view.maximumHeight() < wide
