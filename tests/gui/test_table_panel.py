"""What the tables' panels share: saving."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from irviewer.gui.models.systems import SystemsModel
from irviewer.gui.table import Table
from irviewer.gui.table_panel import TablePanel
from irviewer.gui.theme import Theme


def test_the_table_is_saved_at_full_precision(
    qtbot: QtBot, theme: Theme, pages: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = pages.FakeSession(pages.systems(15))
    model = SystemsModel()
    view = TablePanel(session, theme, Table(model, theme), "systems")
    qtbot.addWidget(view)
    model.set_page(session.page)
    target = tmp_path / "systems.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    view.table.save_requested.emit()
    lines = target.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 16
    assert lines[0] == "run,AP,nDCG@10,P@10,RR,Rprec,R@50,num_rel_ret,Δ nDCG@10"
    assert float(lines[1].split(",")[1]) == session.page.means[0, 0]
    assert session.calls[-1][0] == "say"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "such.csv"), ""))
    view.table.save_requested.emit()
    assert "such.csv" in session.calls[-1][1].text
    view.save_csv(tmp_path / "systems.tsv")
    assert (tmp_path / "systems.tsv").read_text(encoding="utf-8").startswith("run\tAP\t")
