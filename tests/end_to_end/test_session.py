"""Whole stretches of work in the real window, by pointer and keys: what they did is read from files that it wrote."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from patience import LONG
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPolygonF
from PySide6.QtWidgets import QWidget
from xserver import XServer, wait_until

import irviewer
from irviewer.commands import run_command
from tests.end_to_end.twin import SIZE, Twin, twin_of

pytestmark = pytest.mark.xvfb
SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "cranfield"
QRELS = SAMPLE / "qrels.txt"

Start = Callable[..., "Program"]  # noqa: F821 - conftest's class; tests are no package


def _rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def _begin(start: Start, folder: Path, *arguments: object) -> tuple[Program, str]:  # type: ignore[name-defined]  # noqa: F821
    """The program and its window, which says no hints: they would move what stands below them."""
    settings = folder / "settings" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text('{"hints": false}')
    program = start("--size", f"{SIZE[0]}x{SIZE[1]}", *arguments)
    return program, program.window("Cranfield|– irviewer")


def _draw(program: Program, window: str, corners: list[tuple[int, int]]) -> None:  # type: ignore[name-defined]  # noqa: F821
    """Press at the first corner, go from one to the next, let go at the last. Each is seen by the program before the
    next: a busy one takes many moves for one."""
    program.rest()
    for number, (x, y) in enumerate(corners):
        program.server.xdotool("mousemove", "--sync", "--window", window, str(x), str(y))
        program.rest()
        if number == 0:
            program.server.xdotool("mousedown", "1")
            program.rest()
    program.server.xdotool("mouseup", "1")
    program.rest()


def _click(program: Program, window: str, point: tuple[int, int]) -> None:  # type: ignore[name-defined]  # noqa: F821
    program.rest()
    program.server.xdotool("mousemove", "--sync", "--window", window, *map(str, point))
    program.rest()
    program.server.xdotool("click", "1")
    program.rest()


def _lasso(twin: Twin) -> tuple[list[tuple[int, int]], list[str]]:
    """The corners of a box in the scatter, in the window, and the queries that lie in it."""
    twin.session.navigation.set_place("compare")
    twin.settle()
    place = twin.window.current_screen.stack.currentWidget()  # type: ignore[attr-defined]
    place.load_plots()  # all of them: they share the room
    twin.settle()
    scatter = place.scatter.canvas
    for left, top in ((x / 100, y / 100) for x in range(10, 65) for y in range(10, 60)):
        corners = _box(scatter, left, top, 0)
        lassoed = scatter.inside(QPolygonF(corners))
        near, far = (scatter.inside(QPolygonF(_box(scatter, left, top, by))) for by in (-2, 2))
        # Enough of them that tests say something; and no query at the edge, where a pixel decides.
        if 15 <= len(lassoed) <= 100 and near == lassoed == far:
            return [twin.at(scatter, corner) for corner in corners], lassoed
    raise AssertionError("every box has a query at its edge")


def _box(scatter: QWidget, left: float, top: float, by: int) -> list[QPointF]:
    """A box in a scatter, a quarter of it wide and high, ``by`` pixels larger on each side."""
    x, y = round(scatter.width() * left), round(scatter.height() * top)
    right, bottom = x + scatter.width() // 4, y + scatter.height() // 4
    return [QPointF(a, b) for a, b in ((x - by, y - by), (right + by, y - by), (right + by, bottom + by),
                                       (x - by, bottom + by))]  # fmt: skip


def test_from_the_systems_to_a_set_of_queries_and_a_pair(
    start: Start, server: XServer, tmp_path: Path, qapp: object
) -> None:
    """Statistics appear; queries in a lasso are kept as a set, which is in force; a cell leads to a pair."""
    with twin_of("cranfield") as twin:
        corners, lassoed = _lasso(twin)
        twin.session.query_sets.make_query_set("mine", tuple(lassoed), "brush", "by hand")
        twin.session.query_sets.set_query_set("mine")
        twin.session.navigation.set_tab("compare", "matrices")
        twin.settle()
        place = twin.window.current_screen.stack.currentWidget()  # type: ignore[attr-defined]
        place.load_plots()
        twin.settle()
        cell = twin.at(place.panel.canvas, place.panel.canvas.box((2, 3)).center())
        view_model = twin.session.matrices.matrix_view_model()
        assert view_model is not None
        # not the pair that is in view anyway
        assert {view_model.keys[2], view_model.keys[3]} != {twin.session.view.baseline, twin.session.view.focus}
        names = {label.key: label.name for label in twin.session.view.labels()}
        first, other = names[view_model.keys[2]], names[view_model.keys[3]]  # type: ignore[index]

    # What is saved is said above the places, which moves them: the pointer's part comes first.
    program, window = _begin(start, tmp_path, "--sample", "cranfield")
    server.key("ctrl+5")
    _draw(program, window, corners)  # once the plots are there, which come behind the place
    server.key("ctrl+b")
    server.wait_for_window("Query set of")
    server.key("ctrl+a")
    server.write("mine")
    server.key("Return")
    program.window("Cranfield")
    server.key("s")
    server.write("mine")
    server.key("Return", "ctrl+Next", "ctrl+Next")
    _click(program, window, cell)
    server.key("Return")

    statistic = ""
    for number in range(30):  # the tests are computed in the background
        rows = _rows(program.save("ctrl+shift+d", tmp_path / f"pair{number}.csv"))
        statistic = next((row["t_statistic"] for row in rows if row["measure"] == "nDCG@10"), "")
        if statistic:
            break
    runs = [SAMPLE / "runs" / f"{name}.run.gz" for name in (first, other)]
    evaluation = irviewer.evaluate(QRELS, runs, "nDCG@10")
    sides = [[evaluation.by_query("nDCG@10", name)[query] for query in lassoed] for name in (first, other)]
    wanted = abs(float(scipy.stats.ttest_rel(*sides).statistic))
    assert abs(float(statistic)) == pytest.approx(wanted)
    saved = program.save("ctrl+k", tmp_path / "sets.tsv", "save query sets").decode("utf-8")
    assert {line.split("\t")[0] for line in saved.splitlines()[1:]} == set(lassoed)
    server.key("ctrl+3")
    queries = _rows(program.save("ctrl+shift+d", tmp_path / "queries.csv"))
    assert sorted(row["query"] for row in queries) == sorted(lassoed)
    server.key("ctrl+2")

    def statistics() -> list[dict[str, str]]:
        (tmp_path / "systems.csv").unlink(missing_ok=True)
        rows = _rows(program.save("ctrl+shift+d", tmp_path / "systems.csv"))
        return rows if any(row[name] for row in rows for name in row if name.startswith("p")) else []

    for row in wait_until(statistics, LONG, "p-values in the Systems table"):
        values = irviewer.evaluate(QRELS, SAMPLE / "runs" / f"{row['run']}.run.gz", "nDCG@10").by_query("nDCG@10")
        assert float(row["nDCG@10"]) == pytest.approx(np.mean([values[query] for query in lassoed]), abs=5e-5)
    program.close()


def test_a_number_is_explained_and_a_judgment_outlasts_the_window(
    start: Start, server: XServer, tmp_path: Path, qapp: object
) -> None:
    """E shows the ledger, whose row selects a document; in judging mode a key judges it, undo takes that back; the
    project keeps it."""
    with twin_of("cranfield") as twin:
        twin.session.navigation.set_place("query")
        twin.session.explaining.explain()
        twin.settle()
        table = twin.window.current_screen.ledger.table  # type: ignore[attr-defined]
        view_model = twin.session.explaining.ledger_view_model()
        assert view_model is not None
        row = 2
        where = twin.at(table.viewport(), table.visualRect(table.model().index(row, 1)).center())
        document, query = view_model.documents[row], twin.session.view.query_id

    program, window = _begin(start, tmp_path, "--sample", "cranfield")
    server.key("ctrl+4", "e")
    _click(program, window, where)
    server.key("ctrl+j", "4")
    patch = program.save("ctrl+k", tmp_path / "patch.tsv", "save judgment patch").decode()
    rows = list(csv.DictReader(io.StringIO(patch), delimiter="\t"))
    assert [(row["query"], row["doc"], row["grade"]) for row in rows] == [(query, document, "4")]
    server.key("ctrl+z", "ctrl+shift+z", "ctrl+z", "3")
    project = tmp_path / "work.irviewer"
    program.save("ctrl+k", project, "save project as")
    program.close()

    again, window = _begin(start, tmp_path, project)
    merged = again.save("ctrl+k", tmp_path / "merged.txt", "save merged qrels").decode()
    before = QRELS.read_text().splitlines()
    changed = {tuple(line.split()) for line in merged.splitlines()} ^ {tuple(line.split()) for line in before}
    assert changed == {(query, "0", document, "3")}
    server.key("ctrl+3")
    queries = _rows(again.save("ctrl+shift+d", tmp_path / "queries.csv"))
    run = irviewer.read_run(SAMPLE / "runs" / "bm25_plain.run.gz")
    values = irviewer.evaluate(tmp_path / "merged.txt", run, "nDCG@10").by_query("nDCG@10", run.name)
    shown = {row["query"]: float(row[run.name]) for row in queries}
    assert shown == pytest.approx(values, abs=5e-5)
    again.close()


def test_a_document_is_dragged_in_an_edited_copy(start: Start, server: XServer, tmp_path: Path, qapp: object) -> None:
    with twin_of("cranfield") as twin:
        session = twin.session
        session.navigation.set_place("query")
        twin.settle()
        run_command(session, "edit_copy")
        twin.settle()
        lists, key = twin.window.current_screen.lists, session.run_editing.edited_run  # type: ignore[attr-defined]
        view_model = session.view_models.query_view_model()
        assert view_model is not None
        place = next(k for k, column in enumerate(view_model.columns) if column.run.key == key)
        before = list(view_model.columns[place].doc_ids)
        ends = [twin.at(lists.viewport(), lists.row_rect(place, row).center()) for row in (4, 0)]
        query = session.view.query_id

    program, window = _begin(start, tmp_path, "--sample", "cranfield")
    server.key("ctrl+4", "ctrl+e")
    (x, top), (_, end) = ends
    _draw(program, window, [(x, top), (x, top - 12), (x, (top + end) // 2), (x, end), (x, end - 8)])
    program.save("ctrl+k", tmp_path / "edited.run", "save edited run")
    after = irviewer.read_run(tmp_path / "edited.run").ranking(query)
    assert after == [before[4], *before[:4], *before[5:]]
    program.close()
