"""What the window, the command line and Python say of every registered view, in one language: a process that lives as
long as the tests, since a language is chosen when a process starts and a window takes long to make. Each line of its
input is a request, each line of its output the answer, both JSON."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import latency_view
import pairs_view
import pyarrow as pa
import pyarrow.parquet as pq
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

import irviewer
from irviewer.cli import main
from irviewer.commands import run_command
from irviewer.errors import IrviewerError
from irviewer.gui.app import make_application
from irviewer.gui.compare.screen import CompareScreen, MoreViewsView
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.tables.model import VALUE, TableModel
from irviewer.gui.tables.result_columns import ResultColumn
from irviewer.gui.tables.view_panel import ViewPanel
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.rendering.palette import LIGHT
from irviewer.session.messages import Level
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.tables.exact import plain_columns
from irviewer.tables.table import Status, Table
from irviewer.translation import use_decimal_comma
from irviewer.views import manifest

Columns = dict[str, list[Any]]
"""Exact values by the name that a column has in files; None for no value."""
ADDED = {latency_view.NAME: latency_view.latency_view, pairs_view.NAME: pairs_view.pairs_view}


class Doors:
    """The doors on one request: files, a protocol as a file, and what is only shown."""

    def __init__(self, request: Mapping[str, Any], application: QApplication, theme: Theme) -> None:
        self.folder = Path(request["folder"])
        self.paths: list[str] = request["paths"]
        self.protocol: str = request["protocol"]
        self.tables: dict[str, str] = request["tables"]
        self.parameters: dict[str, dict[str, Any]] = request["parameters"]
        self.hidden: list[str] = request["hidden"]
        self.edited: str = request["edited"]
        self.views: list[str] = request["views"]
        self.ending: str = request["ending"]
        self.table: int = request["table"]
        self.copy = ""
        self.view_of_systems: Columns = {}
        self._application = application
        self._theme = theme
        self.lines: dict[str, dict[str, str]] = {}
        self.values: dict[str, dict[str, dict[str, Columns]]] = {}
        self.troubles: dict[str, dict[str, str]] = {}

    def answer(self) -> dict[str, Any]:
        """Lines, exact values and reasons by view and door; the differences that Systems shows, and its line; those and
        the p of Matrices."""
        names = self.views
        assert set(names) <= set(manifest.every_name())
        for name in names:
            try:
                self._python(name)
                self._command(name)
            except IrviewerError as error:
                self.values.pop(name, None)
                self.troubles.setdefault(name, {})["Python"] = str(error)
                self.troubles[name]["command"] = self._refused(name)
        with self._window() as window:
            for name in names:
                self._in_window(window, name)
            systems, matrices = self._systems(window), self._matrices(window)
        return {
            "lines": self.lines, "values": self.values, "troubles": self.troubles, "systems": systems,
            "matrices": matrices,
        }  # fmt: skip

    # --- Python and the command line ---

    def _python(self, name: str) -> None:
        shown = irviewer.show(
            name, self.paths[0], self.paths[1:], protocol=self.protocol, run_attributes=self.tables["runs"],
            query_attributes=self.tables["queries"], **self.parameters.get(name, {}),
        )  # fmt: skip
        assert shown.protocol is not None
        self._line(name, "Python", shown.protocol.line())
        for table in shown.shown.tables:
            for ending in ("csv", "parquet"):
                target = self.folder / f"python.{ending}"
                shown.save(target, table.name)
                self._put(name, f"Python {ending}", table.name, _read(target, table))

    def _words(self, name: str) -> list[str]:
        words = ["show", name, *self.paths, "--protocol", self.protocol]
        words += ["--run-attributes", self.tables["runs"], "--query-attributes", self.tables["queries"]]
        for parameter, value in self.parameters.get(name, {}).items():
            words += [f"--{parameter.replace('_', '-')}", str(value)]
        return words

    def _command(self, name: str) -> None:
        target = self.folder / "command.json"
        self._run([*self._words(name), "--format", "json", "-o", str(target)])
        document = json.loads(target.read_text("utf-8"))
        self._line(name, "command", document["protocol"]["line"])
        for table in document["tables"]:
            columns: Columns = {key: [row[key] for row in table["rows"]] for key in _keys(table["rows"])}
            self._put(name, "command json", table["name"], columns)
        for table in document["tables"][self.table % len(document["tables"]) :][:1]:  # each command computes it anew
            path = self.folder / f"command.{self.ending}"
            self._run([*self._words(name), "--table", table["name"], "--format", self.ending, "-o", str(path)])
            self._put(name, f"command {self.ending}", table["name"], _read(path))

    def _run(self, words: list[str]) -> None:
        status, said = _said(words)
        if status != 0:
            raise AssertionError(f"irviewer {' '.join(words)}: status {status}, {said}")

    def _refused(self, name: str) -> str:
        status, said = _said(self._words(name))
        if status == 0:
            raise AssertionError(f"{name}: the command answers, Python refuses")
        return said.strip().removeprefix("irviewer: ")

    # --- the window ---

    @contextlib.contextmanager
    def _window(self) -> Iterator[MainWindow]:
        settings = Settings()
        settings["hints"] = False
        session = Session(settings)
        window = MainWindow(session, self._theme)
        try:
            session.files.open_files([*self.paths, *self.tables.values()])
            session.protocol.open_file(self.protocol)
            assert session.view.collection is not None
            assert not [message for message in session.view.messages if message.level is Level.ERROR], (
                session.view.messages
            )
            keys = {entry.name: entry.key for entry in session.view.collection.runs}
            self._edit(session, keys)
            session.runs.show_runs([key for name, key in keys.items() if name not in self.hidden])
            window.resize(1280, 800)
            window.show()
            yield window
        finally:
            window.close_unasked()
            window.release()
            window.deleteLater()
            session.close()
            self._application.sendPostedEvents(None, int(QEvent.Type.DeferredDelete))

    def _edit(self, session: Session, keys: Mapping[str, int]) -> None:
        """Make an edited copy of a run, which takes no part."""
        if not self.edited:
            return
        assert session.view.context is not None
        assert session.view.collection is not None
        key = session.run_editing.edit_copy(keys[self.edited])
        assert key is not None
        entry = session.view.collection.run(key)
        assert entry is not None
        self.copy = entry.name
        query = next(query for query in session.view.context.query_ids if len(entry.run.ranking(query)) > 1)
        session.navigation.set_query(query)
        session.run_editing.move_document(key, entry.run.ranking(query)[-1], 1)

    def _in_window(self, window: MainWindow, name: str) -> None:
        session = window.session
        session.result_views.choose(name)
        for parameter, value in self.parameters.get(name, {}).items():
            session.result_views.set_parameter(parameter, value)
        session.compute_now()
        window.flush()
        screen = window.current_screen
        assert isinstance(screen, CompareScreen)
        view = screen.view("views")
        assert isinstance(view, MoreViewsView)
        panel = view.panel
        if panel.shown is None or not panel.shown.tables:
            self.troubles.setdefault(name, {})["window"] = panel.table.accessibleDescription()
            return
        self._line(name, "window", panel._note.text())
        if name == "systems":
            self.view_of_systems = with_parts(panel.shown.tables[0])
        for table in panel.shown.tables:
            next(each for each in panel.tables_menu().actions() if each.data() == table.name).trigger()
            assert panel.result_table is table
            self._put(name, "window", table.name, in_model(panel.model))
            target = self._saved(window, panel, self.ending)
            self._put(name, f"window {self.ending}", table.name, _read(target, table))

    def _saved(self, window: MainWindow, panel: ViewPanel, ending: str) -> Path:
        """Save the table by the menu, after rows were sorted and left out, which no file shows."""
        panel.table.sort_requested.emit(panel.model.columns[-1].id, True)
        panel.filter.used.emit("zzz")
        panel.table.setFocus()
        run_command(window.session, "save_table")
        dialog = next(each for each in window.findChildren(SaveDialog) if each.isVisible())
        target = self.folder / f"window.{ending}"
        dialog.fileSelected.emit(str(target))
        dialog.reject()
        panel.filter.used.emit("")
        panel.table.sort_requested.emit("", False)
        return target

    def _systems(self, window: MainWindow) -> dict[str, Any]:
        """The line, and what Systems shows of each run that takes part, by the name of the run."""
        session = window.session
        session.navigation.set_place("systems")
        session.compute_now()
        window.flush()
        model = window.current_screen.table.model  # type: ignore[attr-defined]
        context = session.view.context
        assert context is not None
        names = {entry.key: entry.name for entry in context.taking_part}
        shown: dict[str, dict[str, Any]] = {}
        for row, key in enumerate(model.keys):
            if key in names:
                cells = {
                    each.id: model.data(model.index(row, place), VALUE) for place, each in enumerate(model.columns)
                }
                shown[names[key]] = {
                    "mean": cells[str(context.measure)],
                    "baseline": key == context.baseline,
                    "difference": cells.get("delta", cells.get("difference")),
                    "p_corrected": cells.get("p", cells.get("p_corrected")),
                }
        return {
            "line": window.protocol_bar.text, "rows": shown, "cells": in_model(model), "view": self.view_of_systems,
            "left_out": [entry.name for entry in context.system_runs if entry.key not in {*names}],
            "muted": [model.columns[0].table.column("run").values[row]
                      for row in range(model.rowCount()) if model.columns[0].status(row) is Status.WEAK],
        }  # fmt: skip

    def _matrices(self, window: MainWindow) -> dict[str, dict[str, dict[str, float]]]:
        """The cells of Compare › Matrices by kind, row and column, those of the runs that take part; none where there
        is no matrix."""
        session = window.session
        session.navigation.set_place("compare")
        session.navigation.set_tab("compare", "matrices")
        context = session.view.context
        assert context is not None
        names = {entry.key: entry.name for entry in context.taking_part}
        cells: dict[str, dict[str, dict[str, float]]] = {}
        for kind in ("difference", "p"):
            session.matrices.set_matrix(kind)
            session.compute_now()
            window.flush()
            view_model = session.matrices.matrix_view_model()
            assert view_model is not None
            if view_model.figure is None:
                continue
            assert view_model.figure.matrix is not None
            values = view_model.figure.matrix.values.tolist()
            cells[kind] = {
                names[row]: {names[key]: value for key, value in zip(view_model.keys, own, strict=True) if key in names}
                for row, own in zip(view_model.keys, values, strict=True)
                if row in names
            }  # type: ignore[index]
        return cells

    # --- what was seen ---

    def _line(self, name: str, door: str, line: str) -> None:
        self.lines.setdefault(name, {})[door] = line

    def _put(self, name: str, door: str, table: str, columns: Columns) -> None:
        """Keep the columns of a table. An edited copy, which only the window has, adds a row or columns of its own and
        changes no other: these are left out."""
        if self.copy and door.startswith("window"):
            columns = {key: values for key, values in columns.items() if not key.startswith(self.copy)}
            runs = columns.get("run", [])
            columns = {
                key: [value for row, value in enumerate(values) if row >= len(runs) or runs[row] != self.copy]
                for key, values in columns.items()
            }
        self.values.setdefault(name, {}).setdefault(door, {})[table] = columns


def in_model(model: TableModel) -> Columns:
    """The exact values of the cells of a model, by the names that their columns have in files."""
    columns: Columns = {}
    for place, column in enumerate(model.columns):
        assert isinstance(column, ResultColumn)
        cells = [model.data(model.index(row, place), VALUE) for row in range(model.rowCount())]
        parts = tuple(column.values.parts)
        for position, part in enumerate(parts):
            values = cells if len(parts) == 1 else [None if cell is None else cell[position] for cell in cells]
            columns[column.values.named(part)] = [list(each) if isinstance(each, tuple) else each for each in values]
    return columns


def with_parts(table: Table) -> Columns:
    """The exact values of the cells of a table, by the names that its columns have in files."""
    return {key: values.to_pylist() for key, values in plain_columns(table).items()}


def _read(path: Path, table: Table | None = None) -> Columns:
    """The columns of a file, those of CSV as texts."""
    if path.suffix == ".parquet":
        columns: Columns = pq.read_table(path).to_pydict()
        return columns
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))
    return {key: [row[key] for row in rows] for key in _keys(rows)} if rows else {}


def _keys(rows: list[dict[str, Any]]) -> list[str]:
    return list(rows[0]) if rows else []


def _said(words: list[str]) -> tuple[int, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main.main(words)
    return status, err.getvalue()


def serve() -> None:
    """Answer requests until the input ends."""
    warnings.simplefilter("ignore")
    use_decimal_comma(os.environ.get("IRVIEWER_LANGUAGE") == "es")
    application, theme = make_application(), Theme(LIGHT)
    for name, make in ADDED.items():
        manifest._added[name] = make()
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        try:
            answer: dict[str, Any] = Doors(json.loads(line), application, theme).answer()
        except (
            AssertionError,
            IrviewerError,
            LookupError,
            StopIteration,
            ValueError,
            TypeError,
            pa.ArrowException,
        ) as error:
            answer = {"error": "".join(traceback.format_exception(error))}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
