"""Systems of several runs in the Systems table: one row that unfolds, with the numbers of the command."""

from __future__ import annotations

import json
from types import ModuleType

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from irviewer.cli.main import main
from irviewer.gui.systems.replicates import DeclaredSystems, folded_rows
from irviewer.gui.systems.table import SystemsTable
from irviewer.gui.tables.cells import CHECK, CHECK_LEFT
from irviewer.gui.theme import Theme
from irviewer.model.number_text import quantity, signed_quantity
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.session import Session
from irviewer.session.view_models.systems import ATTRIBUTE

PATTERN = "(.+)-s[0-9]"


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Judgments, two systems of three runs each, a run that is a system of its own, and a table of systems."""
    folder, random = tmp_path_factory.mktemp("replicates"), np.random.default_rng(8)
    queries = [str(query) for query in range(1, 13)]
    (folder / "qrels").write_text("".join(f"{q} 0 d{d} {int(d < 2)}\n" for q in queries for d in range(6)))
    files, teams = [str(folder / "qrels")], ["run,team"]
    for name in ("new-s0", "old-s0", "new-s1", "lone-s0", "old-s1", "new-s2", "old-s2"):
        lines = [
            f"{q} Q0 d{d} {rank} {9 - rank} {name}\n"
            for q in queries for rank, d in enumerate(random.permutation(6), start=1)
        ]  # fmt: skip
        (folder / name).write_text("".join(lines))
        files.append(str(folder / name))
        teams.append(f"{name},{name[:-3]}")
    (folder / "teams.csv").write_text("\n".join(teams) + "\n")
    return [*files, str(folder / "teams.csv")]


@pytest.fixture
def table(qtbot: QtBot, theme: Theme, paths: list[str]) -> SystemsTable:
    session = Session()
    session.files.open_files(paths)
    session.evaluation.set_measure("nDCG@5")
    session.navigation.set_place("systems")
    view = SystemsTable(session, theme)
    qtbot.addWidget(view)
    view.resize(1264, 460)
    view.show()
    follow(view)
    return view


def follow(view: SystemsTable) -> None:
    """What the window does after a change."""
    view.session.compute_now()
    view.refresh(EVERY_CHANGE)


def names(view: SystemsTable) -> list[str]:
    section = view.model.column_of("run")
    return [str(view.model.data(view.model.index(row, section))) for row in range(view.model.rowCount())]


def declare(view: SystemsTable) -> None:
    view.session.result_views.set_parameter("pattern", PATTERN, "replicates")
    follow(view)


def test_a_system_of_several_runs_is_one_row_with_the_numbers_of_the_command(
    table: SystemsTable, paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(names(table)) == 7 and not table.systems.folded.systems
    declare(table)
    assert sorted(names(table)) == ["lone-s0", "▸ new", "▸ old"]
    assert table.title == "3 systems of 7 runs"
    words = ["show", "replicates", *paths[:-1], "-m", "nDCG@5", "--pattern", PATTERN, "--format", "json"]
    assert main(words) == 0
    rows_of = {each["name"]: each["rows"] for each in json.loads(capsys.readouterr().out)["tables"]}
    by_name = {row["system"]: row for row in rows_of["systems"]}
    (apart,) = [row for row in rows_of["differences"] if row["system"] == "old"]
    headings = dict(zip(table.systems.folded.systems, table.systems.folded.headings, strict=True))
    for name in ("new", "old"):
        mean, spread = quantity(by_name[name]["mean"]), quantity(by_name[name]["spread"])
        assert headings[name].words == f"3 runs · nDCG@5 {mean}, sd {spread}"
    assert headings["new"].end == ""  # the system of the baseline
    assert headings["old"].end.startswith(f"Δ {signed_quantity(apart['difference'])} [")
    assert not table.grab().isNull()


def test_a_row_unfolds_into_its_runs_by_key_and_pointer(qtbot: QtBot, table: SystemsTable) -> None:
    declare(table)
    row = names(table).index("▸ old")
    table.table.selectRow(row)
    qtbot.keyClick(table.table, Qt.Key.Key_Return)
    shown = names(table)
    assert shown[row] == "▾ old" and sorted(shown[row + 1 : row + 4]) == ["old-s0", "old-s1", "old-s2"]
    assert table.table.current_row() == row and table.current_run() is None
    table.table.cell_explained.emit(row, "nDCG@5")
    assert not table.session.explaining.is_on, "the mean of a system is that of no run"
    run = shown.index("old-s1")
    label = next(label for label in table.session.view.labels() if label.name == "old-s1")
    section = table.model.column_of("run")
    box = table.table.visualRect(table.model.index(run, section))
    left = box.left() + table.model.columns[section].indent(run)
    middle = QPoint(left + CHECK_LEFT + CHECK // 2, box.center().y())
    qtbot.mouseClick(table.table.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    now = next(label for label in table.session.view.labels() if label.name == "old-s1")
    assert now.shown != label.shown, "the box of a run below a heading is its own"
    follow(table)
    table.table.selectRow(run)
    qtbot.keyClick(table.table, Qt.Key.Key_Return)
    follow(table)
    assert next(label.name for label in table.session.view.labels() if label.focus) == "old-s1"
    heading = table.table.visualRect(table.model.index(names(table).index("▾ old"), section))
    sign = QPoint(heading.left() + CHECK_LEFT + CHECK // 2, heading.center().y())
    qtbot.mouseClick(table.table.viewport(), Qt.MouseButton.LeftButton, pos=sign)
    assert sorted(names(table)) == ["lone-s0", "▸ new", "▸ old"]
    table.session.history.undo()  # of the declaration; folding is none
    follow(table)
    assert len(names(table)) == 7


def test_an_attribute_declares_systems_and_a_fault_is_said(table: SystemsTable) -> None:
    menu = table.header_menu(f"{ATTRIBUTE}team")
    next(action for action in menu.actions() if action.data() == ("system", "team")).trigger()
    follow(table)
    assert sorted(names(table)) == ["lone-s0", "▸ new", "▸ old"]
    table.session.result_views.declare_replicates("")
    follow(table)
    assert len(names(table)) == 7
    table.session.result_views.set_parameter("pattern", "(new).*", "replicates")
    follow(table)
    assert len(names(table)) == 7 and "does not match" in table.notice.text()


def test_names_of_systems_are_shown_as_text(view_models: ModuleType) -> None:
    labels = view_models.labels(3, 3)
    name = "<b>a\n\u202eb & c"
    declared = DeclaredSystems({label.name: name for label in labels[:2]}, {name: ("2 runs", "")})
    folded = folded_rows(labels, declared, ())
    assert folded.rows.tolist() == [-1, 2]
    assert folded.headings[0].title == "▸ <b>a \\u202eb & c"
    assert folded.system_at(0) == name and folded.system_at(1) is None and folded.row_of(0) is None
    assert folded_rows(labels, declared, {name}).rows.tolist() == [-1, 0, 1, 2]
    assert folded_rows((), declared, ()).rows.tolist() == []
