"""The tables of Systems, Queries and Query as files: the bytes of the command line, whatever is hidden, filtered or
sorted, and in every language."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from irviewer.cli.main import main
from irviewer.formats.protocol_file import protocol_text
from irviewer.gui.queries.table import QueriesTable
from irviewer.gui.query.metrics import MetricsTable
from irviewer.gui.systems.table import SystemsTable
from irviewer.gui.tables.ledger_panel import LedgerView
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.model.protocol import EvaluationProtocol
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.session import Session

RUNS = ("alpha", "bm25", "gamma")
FORMS = {
    ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet", ".json": "json", ".tex": "latex", ".md": "markdown",
    ".html": "html",
}  # fmt: skip


def write(folder: Path) -> list[str]:
    """Qrels with grades to 3, and runs with ties, of which the last lacks a query."""
    dice = np.random.default_rng(5)
    lines = [f"q{query} 0 d{n} {dice.integers(0, 4)}\n" for query in range(9) for n in range(6)]
    (folder / "qrels.txt").write_text("".join(lines))
    for name in RUNS:
        rows = [
            f"q{query} Q0 d{n} 1 {dice.integers(0, 6)} t\n"
            for query in range(9)
            for n in range(8)
            if not (name == "gamma" and query == 5) and (n == 0 or dice.random() < 0.8)
        ]
        (folder / f"{name}.run").write_text("".join(rows))
    return [str(folder / name) for name in ("qrels.txt", *(f"{name}.run" for name in RUNS))]


def opened(paths: list[str]) -> Session:
    session = Session()
    session.files.open_files(paths)
    session.protocol.set(measures=["AP", "nDCG@10"], level=2, test="wilcoxon", correction="bonferroni")
    session.evaluation.set_measure("AP")
    session.settings["table_measures"] = ["AP", "nDCG@10", "RR"]
    session.navigation.set_query("q3")
    return session


def panels(session: Session, theme: Theme) -> dict[str, tuple[TablePanel, list[str]]]:
    """The panels, each with the command that writes the same."""
    further = [name for name in _query_measures(session) if name not in ("AP", "nDCG@10")]
    assert len(further) > 3
    also = [word for name in further for word in ("--also", name)]
    session.explaining.explain(None, "AP")
    return {
        "systems": (SystemsTable(session, theme), ["systems", "--also", "RR"]),
        "queries": (QueriesTable(session, theme), ["queries", "--run", "gamma"]),
        "query": (MetricsTable(session, theme), ["query", "--query", "q3", "--run", "gamma", *also]),
        "ledger": (LedgerView(session, theme, session.explaining.ledger_view_model), []),
    }


def _query_measures(session: Session) -> list[str]:
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    return [row.measure for row in view_model.metrics]


def save_all(
    session: Session, theme: Theme, folder: Path, host: QWidget, hide: Callable[[TablePanel], None] | None = None
) -> dict[str, list[str]]:
    """Save each panel, a child of ``host``, in each format; return the commands that write the same."""
    focus = next(entry.key for entry in session.view.collection.runs if entry.name == "gamma")  # type: ignore[union-attr]
    session.runs.set_focus(focus)
    commands = {}
    for name, (panel, command) in panels(session, theme).items():
        panel.setParent(host)
        if hide is not None:
            hide(panel)
        session.compute_now()
        panel.refresh(EVERY_CHANGE)
        for ending in FORMS:
            savable = panel.savable()
            assert savable is not None
            savable.write(str(folder / f"{name}{ending}"))
        commands[name] = command
    return commands


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    return write(tmp_path)


@pytest.fixture
def session(paths: list[str]) -> Iterator[Session]:
    session = opened(paths)
    yield session
    session.close()


@pytest.fixture
def host(qtbot: QtBot) -> Iterator[QWidget]:
    """What holds the panels as long as the test: a widget without a parent goes with its name."""
    host = QWidget()
    qtbot.addWidget(host)
    yield host


def by_command(paths: list[str], command: list[str], folder: Path, name: str) -> None:
    """What the command writes, in each format."""
    fields = {"measures": ["AP", "nDCG@10"], "level": 2, "test": "wilcoxon", "correction": "bonferroni"}
    (folder / "p.toml").write_text(protocol_text(EvaluationProtocol().but(**fields)), "utf-8")
    for ending, form in FORMS.items():
        if name == "ledger":
            words = ["explain", paths[0], paths[3], "-q", "q3", "-m", "AP", "--protocol", str(folder / "p.toml")]
        else:
            words = ["show", *command[:1], *paths, *command[1:], "--protocol", str(folder / "p.toml")]
        assert main([*words, "--format", form, "-o", str(folder / f"{name}{ending}")]) == 0


def test_files_of_the_window_are_those_of_the_command_line(
    host: QWidget, theme: Theme, session: Session, paths: list[str], tmp_path: Path
) -> None:
    window, command = tmp_path / "window", tmp_path / "command"
    window.mkdir()
    command.mkdir()
    for name, words in save_all(session, theme, window, host).items():
        by_command(paths, words, command, name)
        for ending in FORMS:
            if name == "ledger" and ending != ".csv":
                continue
            assert (window / f"{name}{ending}").read_bytes() == (command / f"{name}{ending}").read_bytes(), (
                name + ending
            )


def test_what_is_only_shown_changes_no_file(host: QWidget, theme: Theme, session: Session, tmp_path: Path) -> None:
    plain, shown = tmp_path / "plain", tmp_path / "shown"
    plain.mkdir()
    shown.mkdir()
    save_all(session, theme, plain, host)
    keys = {entry.name: entry.key for entry in session.view.collection.runs}  # type: ignore[union-attr]
    session.runs.show_run(keys["alpha"], False)
    session.navigation.sort_systems("run", True)
    session.navigation.sort_queries("delta", True)
    session.comparison.filter_systems("gamma")
    session.navigation.filter_queries("q3")
    session.settings["hidden_columns"] = ["p", "group"]

    def hide(panel: TablePanel) -> None:
        panel.table.order.restore(("p", "run"), ("outcomes", "relevant"))

    save_all(session, theme, shown, host, hide)
    for path in sorted(plain.iterdir()):
        assert path.read_bytes() == (shown / path.name).read_bytes(), path.name


def test_an_edited_copy_adds_its_row_and_changes_no_other(
    host: QWidget, theme: Theme, session: Session, tmp_path: Path
) -> None:
    table = SystemsTable(session, theme)
    table.setParent(host)

    def saved(name: str) -> list[str]:
        session.compute_now()
        table.refresh(EVERY_CHANGE)
        savable = table.savable()
        assert savable is not None
        savable.write(str(tmp_path / name))
        return (tmp_path / name).read_text().splitlines()

    before = saved("before.csv")
    key = session.run_editing.edit_copy(session.view.collection.runs[0].key)  # type: ignore[union-attr]
    assert key is not None
    entry = session.view.collection.run(key)  # type: ignore[union-attr]
    assert entry is not None
    session.run_editing.move_document(key, entry.run.ranking("q3")[-1], 1)
    *after, copy = saved("after.csv")
    assert after == before
    header = before[0].split(",")
    cells = dict(zip(header, copy.split(","), strict=True))
    assert cells["copy"] == "true" and cells["difference"] and not cells["p"] and not cells["p_corrected"]


@pytest.mark.parametrize(("measure", "standing"), [("AP", "primary"), ("nDCG@10", "secondary"), ("RR", "exploratory")])
def test_only_the_primary_measure_decides(
    host: QWidget, theme: Theme, session: Session, tmp_path: Path, measure: str, standing: str
) -> None:
    """In the window, in its saved table, and in the saved comparison."""
    session.protocol.set(alpha=0.99, correction="none")  # so that a test shows what there is
    session.evaluation.set_measure(measure)
    table = SystemsTable(session, theme)
    table.setParent(host)
    session.navigation.set_place("systems")
    session.compute_now()
    view_model = session.view_models.systems_view_model()
    assert view_model is not None and view_model.statistics is not None
    decides = standing == "primary"
    assert view_model.statistics.shown.any() == decides
    assert (standing in view_model.statistics.p_title) != decides
    table.refresh(EVERY_CHANGE)
    savable = table.savable()
    assert savable is not None
    savable.write(str(tmp_path / "systems.md"))
    savable.write(str(tmp_path / "systems.json"))
    session.comparison.save_comparison(str(tmp_path / "comparison.json"))
    text = (tmp_path / "systems.md").read_text("utf-8")
    assert ("▲" in text or "▼" in text) == decides
    assert not decides or f"{measure} is" not in text
    document = json.loads((tmp_path / "comparison.json").read_text("utf-8"))
    rows = document["tables"][0]["rows"]
    assert {row["role"] for row in rows} == {standing}
    for name in ("systems", "comparison"):
        columns = json.loads((tmp_path / f"{name}.json").read_text("utf-8"))["tables"][0]["columns"]
        family = next(column["family"] for column in columns if column["key"] == "p_corrected")
        assert family["exploratory"] == (standing == "exploratory")


def test_data_are_the_same_in_every_language(
    host: QWidget, theme: Theme, session: Session, paths: list[str], tmp_path: Path
) -> None:
    english, spanish = tmp_path / "en", tmp_path / "es"
    english.mkdir()
    spanish.mkdir()
    save_all(session, theme, english, host)
    environment = {**os.environ, "IRVIEWER_LANGUAGE": "es"}
    subprocess.run([sys.executable, __file__, str(spanish), *paths], check=True, env=environment)
    for path in sorted(english.iterdir()):
        same = path.read_bytes() == (spanish / path.name).read_bytes()
        if path.suffix in (".csv", ".tsv"):
            assert same, path.name
        if path.suffix == ".md":
            assert not same, path.name
    header = (spanish / "systems.csv").read_text().splitlines()[0]
    assert header.startswith(
        "run,copy,AP(rel=2),nDCG@10,RR(rel=2),mean_interval_low,mean_interval_high,difference,interval_low"
    )


def _in_another_language(folder: Path, paths: list[str]) -> None:
    from irviewer.gui.app import prepare_application
    from irviewer.rendering.palette import LIGHT
    from irviewer.translation import use_decimal_comma

    application = QApplication([])
    prepare_application(application)
    use_decimal_comma(True)
    session, host = opened(paths), QWidget()
    save_all(session, Theme(LIGHT), folder, host)
    session.close()


if __name__ == "__main__":
    _in_another_language(Path(sys.argv[1]), sys.argv[2:])
