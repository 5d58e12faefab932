"""The gate in Compare › More: a condition opens the queries behind it, a verdict is kept as a gate, and its command is
copied."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import irviewer
from irviewer.__main__ import main
from irviewer.commands import COMMANDS
from irviewer.errors import IrviewerError
from irviewer.gui.compare.screen import CompareScreen, MoreViewsView
from irviewer.gui.dialogs.protocol.protocol_dialogs import ProtocolDialogs
from irviewer.gui.tables.model import VALUE
from irviewer.gui.tables.view_panel import ViewPanel
from irviewer.gui.theme import Theme
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.session import Session


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    random = np.random.default_rng(3)
    (tmp_path / "a.qrels").write_text("".join(f"q{n} 0 d{d} {int(d < 3)}\n" for n in range(24) for d in range(8)))
    for name, shift in (("base", 0.0), ("third", 0.3), ("good", 1.5)):
        lines = [
            f"q{n} Q0 d{d} 1 {random.normal() + shift * (d < 3):.5f} t\n" for n in range(24) for d in range(8)
        ]  # fmt: skip
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return [str(tmp_path / name) for name in ("a.qrels", "base.run", "third.run", "good.run")]


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme, paths: list[str]) -> Iterator[ViewPanel]:
    session = Session()
    session.files.open_files(paths)
    session.evaluation.set_measure("AP")
    session.protocol.set(measures=("AP",), smallest=0.05)
    screen = CompareScreen(session, theme)
    qtbot.addWidget(screen)
    screen.resize(1100, 500)
    screen.show()
    view = screen.view("views")
    assert isinstance(view, MoreViewsView)
    yield view.panel
    session.close()


def follow(panel: ViewPanel) -> None:
    panel.session.compute_now()
    panel.refresh(EVERY_CHANGE)


def column(panel: ViewPanel, name: str) -> list[object]:
    section = panel.model.column_of(name)
    return [panel.model.data(panel.model.index(row, section), VALUE) for row in range(panel.model.rowCount())]


def test_the_focus_run_is_kept_as_a_gate(panel: ViewPanel, paths: list[str]) -> None:
    session = panel.session
    next(command for command in COMMANDS if command.id == "keep_gate").run(session)  # type: ignore[misc]
    follow(panel)
    assert (session.view.place, session.view.tab("compare"), panel.views.text()) == ("compare", "views", "Gate")
    gate = irviewer.gate(paths[0], paths[3], paths[1], "AP", smallest=0.05)
    assert session.result_views.parameters_of("gate")["run"] == "good"
    assert column(panel, "condition") == ["AP > -0.05"]
    assert column(panel, "outcome") == [gate.results[0].outcome.value]
    assert column(panel, "difference") == [gate.results[0].delta]
    assert gate.protocol.line() in panel._note.text().replace("primary: AP · ", "")  # type: ignore[union-attr]
    assert "As a command: irviewer gate QRELS good --baseline base --non-inferior" in panel.notice.text()


def test_a_condition_opens_the_queries_behind_it(panel: ViewPanel) -> None:
    session = panel.session
    session.result_views.choose("gate")
    session.result_views.set_parameter("run", "third", "gate")
    panel.parameters.typed.emit("non_inferior", "AP > -0.05, RR > -0.1")
    panel.parameters.typed.emit("fail_if", "P@3 worse, p < .05")
    follow(panel)
    conditions = ["AP > -0.05", "RR > -0.1", "P@3 worse, p < .05"]
    assert column(panel, "condition") == conditions
    wanted = {
        result.condition.text: [change.query for change in result.queries] for result in panel.shown.value.results
    }  # type: ignore[union-attr]
    for row, condition in enumerate(conditions):
        panel.show_named("conditions")
        panel.table.row_activated.emit(row)
        assert panel.result_table is not None and panel.result_table.name == "queries"
        assert column(panel, "condition") == [condition] * len(wanted[condition])
        assert column(panel, "query") == wanted[condition] != []
    panel.show_named("queries")
    assert panel.model.rowCount() == sum(map(len, wanted.values())), "chosen by its name it has all rows"
    panel.table.row_activated.emit(0)
    assert (session.view.place, session.view.query_id) == ("query", wanted[conditions[0]][0])


def test_enter_opens_the_query_of_a_row_in_every_table_of_queries(panel: ViewPanel) -> None:
    session, opened = panel.session, set()
    for name in ("gate", "queries", "stages", "failures", "verdict"):
        session.result_views.choose(name)
        if name == "gate":
            session.result_views.set_parameter("run", "good", "gate")
        follow(panel)
        for table in [each for each in panel.listed if each.opens == "query"]:
            panel.show_named(table.name)
            session.navigation.set_query("q23" if table.column("query").values[0] != "q23" else "q22")
            session.navigation.set_place("compare")
            panel.table.row_activated.emit(0)
            assert (session.view.place, session.view.query_id) == ("query", table.column("query").values[0]), table.name
            opened.add((name, table.name))
    assert {("failures", "loss"), ("gate", "queries")} <= opened


def test_the_command_is_copied(panel: ViewPanel, theme: Theme) -> None:
    session = panel.session
    dialogs = ProtocolDialogs(session, theme, None)  # type: ignore[arg-type]
    QApplication.clipboard().clear()
    dialogs.copy_gate()
    assert not QApplication.clipboard().text()
    assert "There is no gate yet" in session.view.messages[-1].text
    session.result_views.keep_gate("third")
    follow(panel)
    dialogs.copy_gate()
    assert QApplication.clipboard().text() == (
        "irviewer gate QRELS third --baseline base --non-inferior 'AP > -0.05' --protocol protocol.toml"
    )


def test_the_gate_is_saved_as_a_file_that_decides_the_same(
    panel: ViewPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = panel.session
    session.result_views.keep_gate("good")
    panel.parameters.typed.emit("non_inferior", "AP > -0.05, RR > +0.01")
    panel.parameters.typed.emit("fail_if", "P@3 worse")
    panel.parameters.typed.emit("require", "AP >= 0.2")
    panel.parameters.typed.emit("by", "relevant")
    follow(panel)
    shown = panel.shown.value  # type: ignore[union-attr]
    folder = tmp_path / 'in "a folder"'
    folder.mkdir()
    file = folder / "gate.toml"
    session.result_views.save_gate(str(file))
    gate = irviewer.gate(conditions=file)
    assert gate.results == shown.results and len(gate.results) > 4
    monkeypatch.chdir("/")
    main(["gate", "--conditions", str(file), "--format", "json", "--table", "conditions"])
    rows = json.loads(capsys.readouterr().out)["tables"][0]["rows"]
    assert [row["outcome"] for row in rows] == [result.outcome.value for result in shown.results]
    assert [row["difference"] for row in rows] == [result.delta for result in shown.results]


def test_judgments_that_are_in_no_file_are_not_saved_as_a_gate(panel: ViewPanel, tmp_path: Path) -> None:
    session = panel.session
    session.result_views.keep_gate("good")
    follow(panel)
    session.judging.judge("d7", 1.0, query_id="q1")
    follow(panel)
    with pytest.raises(IrviewerError, match="not those of a file"):
        session.result_views.save_gate(str(tmp_path / "gate.toml"))
    assert not (tmp_path / "gate.toml").exists()
