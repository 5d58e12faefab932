"""The runs of a menu stand best first, each with its mean, wherever a run is chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from irviewer.gui.compare.run_choosers import RunChoosers
from irviewer.gui.dialogs.picker.sources import RunSource
from irviewer.gui.dialogs.protocol.panel import ProtocolPanel
from irviewer.gui.dialogs.runs.fusion import FusionDialog
from irviewer.gui.failures.screen import FailuresView
from irviewer.gui.theme import Theme
from irviewer.gui.verdict.screen import VerdictScreen
from irviewer.session.session import Session


def entries(menu: QMenu) -> list[QAction]:
    """The entries that are a run."""
    return [action for action in menu.actions() if action.data() not in (None, "", -1)]


def test_runs_are_offered_best_first_whatever_the_order_of_their_files(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    """The reciprocal rank of the one relevant document is the mean that is known without the program."""
    (tmp_path / "judged.qrels").write_text("1 0 d1 1\n")
    ranks = {"a_third": 3, "b_first": 1, "c_fourth": 4, "d_second": 2}
    paths = [str(tmp_path / "judged.qrels")]
    for name, rank in ranks.items():
        documents = [f"x{place}" if place != rank else "d1" for place in range(1, 6)]
        path = tmp_path / f"{name}.run"
        paths.append(str(path))
        path.write_text("".join(f"1 Q0 {doc} {place} {10 - place} {name}\n" for place, doc in enumerate(documents, 1)))
    session = Session()
    session.files.open_files(paths)
    session.evaluation.set_measure("RR")
    best_first = sorted(ranks, key=ranks.__getitem__)
    assert [label.name for label in session.view.labels()] == list(ranks)
    choosers, verdict, failures = (
        RunChoosers(session, theme),
        VerdictScreen(session, theme),
        FailuresView(session, theme),
    )
    for widget in (choosers, verdict, failures):
        qtbot.addWidget(widget)
    answer = verdict.answer
    menus = (choosers.menu(False), choosers.menu(True), failures.run_menu(), answer.baseline_menu())
    for menu in menus:
        assert [action.text().split("\t")[0].removesuffix(" ★") for action in entries(menu)] == best_first
        means = [float(action.text().split("\t")[1]) for action in entries(menu)]
        assert means == pytest.approx([1 / ranks[name] for name in best_first], abs=5e-5)
    asked = [action.text().split("\t")[0] for action in entries(answer.run_menu())]
    baseline = next(label.name for label in session.view.labels() if label.baseline)
    assert asked == [name for name in best_first if name != baseline]
    fused = FusionDialog(session, theme, verdict)
    assert [box.text().removesuffix(" ★") for box in fused.boxes.values()] == best_first
    assert fused.keys == [label.key for label in session.view.labels()]
    rows = ProtocolPanel(session, theme, verdict).runs
    taking_part = [rows.topLevelItem(row) for row in range(rows.topLevelItemCount())]
    assert [item.text(0).removesuffix(" ★") for item in taking_part] == best_first
    assert [float(item.text(1)) for item in taking_part] == pytest.approx(means, abs=5e-5)
    picked = RunSource(session, theme, "", print).items("")
    assert [item.title for item in picked] == best_first
