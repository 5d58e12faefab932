"""What the tables' panels share: saving."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from pytestqt.qtbot import QtBot

from irviewer.gui.dialogs.files import SaveDialog
from irviewer.gui.models.systems import SystemsModel
from irviewer.gui.table import Table
from irviewer.gui.table_panel import TablePanel
from irviewer.gui.theme import Theme


def test_the_table_is_saved_at_full_precision(qtbot: QtBot, theme: Theme, pages: ModuleType, tmp_path: Path) -> None:
    session = pages.FakeSession(pages.systems(15))
    model = SystemsModel()
    view = TablePanel(session, theme, Table(model, theme), "systems")
    qtbot.addWidget(view)
    model.set_page(session.page)
    target = tmp_path / "systems.csv"
    view.table.save_requested.emit()
    dialog = view.findChild(SaveDialog)
    assert Path(dialog.selectedFiles()[0]).name == "systems.csv"
    dialog.fileSelected.emit(str(target))
    dialog.reject()
    lines = target.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 16
    assert lines[0] == "run,AP,nDCG@10,P@10,RR,Rprec,R@50,num_rel_ret,Δ nDCG@10"
    assert float(lines[1].split(",")[1]) == session.page.means[0, 0]
    view.savable().write(str(tmp_path / "systems.tsv"))
    assert (tmp_path / "systems.tsv").read_text(encoding="utf-8").startswith("run\tAP\t")
