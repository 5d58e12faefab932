"""The missed documents: the words for ranks, selection and pointing, and the table as text and file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.query.rankings.missed import Missed
from irviewer.gui.query.rankings.missed_table import _nothing_words
from irviewer.gui.theme import Theme

EVERYTHING = frozenset({"workspace", "collection", "runs", "measure", "query", "document", "mode"})

Open = Callable[..., tuple[Missed, Any]]


@pytest.fixture
def open_missed(qtbot: QtBot, theme: Theme, query_view_models: ModuleType) -> Open:
    def make(width: int = 800, **view_model: Any) -> tuple[Missed, Any]:
        session = query_view_models.FakeSession(query_view_models.query_view_model(**view_model))
        view = Missed(session, theme)
        qtbot.addWidget(view)
        view.resize(width, 240)
        view.show()
        view.refresh(EVERYTHING)
        return view, session

    return make


def test_ranks_are_written_and_what_is_not_retrieved_in_words(open_missed: Open) -> None:
    view, session = open_missed(depth=12)
    for row, missed in enumerate(session.view_model.missed):
        written = view.table.cell_texts(row)
        assert written == [str(rank) if rank else "not in top 12" for rank in missed.ranks]
    assert any("not in top 12" in view.table.cell_texts(row) for row in range(len(session.view_model.missed)))
    view, session = open_missed(width=320, runs=4, depth=12)
    assert not any(
        "not in" in text for row in range(len(session.view_model.missed)) for text in view.table.cell_texts(row)
    )


def test_a_click_selects_keys_walk_and_hover_tells(qtbot: QtBot, open_missed: Open) -> None:
    view, session = open_missed()
    rows = session.view_model.missed
    viewport = view.table.viewport()
    spots = [QPoint(200, y) for y in range(240)]
    second = next(spot for spot in spots if view.table.row_at(spot) == 1)
    qtbot.mouseMove(viewport, second)
    assert session.calls[-1] == ("hover", rows[1].doc_id)
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=second)
    assert session.document_id == rows[1].doc_id
    qtbot.keyClick(view.table, Qt.Key.Key_Down)
    assert session.document_id == rows[2].doc_id
    with qtbot.waitSignal(view.table.document_asked):
        qtbot.keyClick(view.table, Qt.Key.Key_Return)
    qtbot.keyClick(view.table, Qt.Key.Key_Escape)
    assert session.document_id is None


def test_the_menu_asks_what_is_above_the_row_under_the_pointer(
    open_missed: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "irviewer.gui.query.rankings.missed.run_command", lambda session, name: session.run_command(name)
    )
    view, session = open_missed()
    header, second = QPoint(60, 5), QPoint(60, 26 + 27 + 10)
    assert "Documents ranked above…" not in [action.text() for action in view.menu_at(header).actions()]
    why = view.menu_at(second).actions()[0]
    assert why.text() == "Documents ranked above…"
    assert session.document_id == session.view_model.missed[1].doc_id
    why.trigger()
    assert session.calls[-1] == ("run_command", "why_not")


def test_it_is_copied_and_saved(qtbot: QtBot, open_missed: Open, tmp_path: Path) -> None:
    view, session = open_missed()
    qtbot.keyClick(view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == [
        "document",
        "title",
        "grade",
        *(column.run.name for column in session.view_model.columns),
    ]
    assert len(lines) == 1 + len(session.view_model.missed)
    assert lines[1].split("\t")[3:] == [str(rank) if rank else "" for rank in session.view_model.missed[0].ranks]
    for name, mark in (("missed.csv", ","), ("missed.tsv", "\t")):
        view.savable().write(str(tmp_path / name))
        assert (tmp_path / name).read_text().startswith(f"document{mark}title{mark}grade")


@pytest.mark.parametrize("runs", [0, 1, 8, 30])
def test_it_paints_with_any_number_of_runs(open_missed: Open, runs: int) -> None:
    view, session = open_missed(width=420, runs=runs)
    bar = view.table.horizontalScrollBar()
    assert (bar.maximum() > 0) == (runs >= 8)
    bar.setValue(bar.maximum())
    session.hover("d3")
    assert not view.grab().isNull()


def test_nothing_missed_is_said(qtbot: QtBot, theme: Theme, query_view_models: ModuleType) -> None:
    for cutoff in (1000, 10):
        view_model = query_view_models.query_view_model(2, cutoff=cutoff) if cutoff == 1000 else None
        view = Missed(query_view_models.FakeSession(view_model), theme)
        qtbot.addWidget(view)
        view.show()
        view.refresh(EVERYTHING)
        assert not view.grab().isNull()


def test_pointing_tells_the_subtopics(open_missed: Open) -> None:
    view, session = open_missed()
    first = session.view_model.missed[0]
    spot = next(QPoint(200, y) for y in range(240) if view.table.row_at(QPoint(200, y)) == 0)
    assert view.table.tip_at(spot) == f"{first.doc_id} · grade {first.grade:g}"
    session.aspect_words = {first.doc_id: "subtopics or judges: 1, 3"}.get
    assert view.table.tip_at(spot) == f"{first.doc_id} · grade {first.grade:g}\nsubtopics or judges: 1, 3"


def test_subtopics_have_a_column_where_the_judgments_have_them(open_missed: Open) -> None:
    view, session = open_missed()
    assert view.table.aspects_text(0) == ""
    plain = view.table.viewport().grab().toImage()
    rows = session.view_model.missed
    session.view_model = replace(
        session.view_model, aspects={rows[0].doc_id: "1, 3", rows[2].doc_id: ", ".join("123456789" * 9)}
    )
    view.refresh(EVERYTHING)
    assert view.table.aspects_text(0) == "1, 3"
    assert view.table.aspects_text(1) == "–"
    assert view.table.aspects_text(2).startswith("1, 2, 3")
    assert len(view.table.aspects_text(2)) < 60
    assert view.table.viewport().grab().toImage() != plain
    view.table.copy()
    header, first, *_ = (line.split("\t") for line in QApplication.clipboard().text().splitlines())
    assert header == [
        "document",
        "title",
        "grade",
        "subtopics",
        *(each.run.name for each in session.view_model.columns),
    ]
    assert (first[0], first[3]) == (rows[0].doc_id, "1, 3")
    assert first[4:] == [str(rank or "") for rank in rows[0].ranks]


def test_a_narrow_table_has_the_short_name_of_every_run(open_missed: Open) -> None:
    view, session = open_missed(width=360, runs=5)
    columns = tuple(
        replace(column, run=replace(column.run, name=f"bm25_of_the_variant_{k}_here", short=f"bm25…t_{k}_here"))
        for k, column in enumerate(session.view_model.columns)
    )
    session.view_model = replace(session.view_model, columns=columns)
    view.refresh(EVERYTHING)
    assert view.table._headers == [f"bm25…t_{k}_here" for k in range(5)]


def test_where_no_run_is_shown_none_is_said_to_have_found_everything(open_missed: Open) -> None:
    _, session = open_missed()
    view_model = replace(session.view_model, columns=(), missed=())
    assert view_model.n_relevant
    assert _nothing_words(view_model) == "No run is shown. Press R to choose runs."
    assert "has all relevant documents in its top" in _nothing_words(replace(session.view_model, missed=()))


def test_the_title_counts_what_the_chosen_run_misses(open_missed: Open) -> None:
    view, session = open_missed(runs=3)
    view_model = session.view_model
    place = next(place for place, column in enumerate(view_model.columns) if column.run.focus)
    ranks = [missed.ranks[place] for missed in view_model.missed]
    count = sum(1 for rank in ranks if rank == 0 or rank > view_model.cutoff)
    assert 0 < count < len(ranks), "the others miss more"
    assert view.title == f"Relevant, outside the top 10 of {view_model.columns[place].run.name}: {count}"


def test_ids_are_shown_without_what_all_begin_with(open_missed: Open) -> None:
    view, session = open_missed()
    rows = tuple(
        replace(missed, doc_id=f"msmarco_passage_{k:02d}_1", title=f"msmarco_passage_{k:02d}_1")
        for k, missed in enumerate(session.view_model.missed)
    )
    session.view_model = replace(session.view_model, missed=rows)
    view.refresh(frozenset({"query"}))
    assert view.table.document_head() in ("document · ids msmarco_passage_…", "document")
    view.resize(2000, 240)
    assert view.table.document_head() == "document · ids msmarco_passage_…"
    assert rows[0].doc_id in view.table.tip_at(QPoint(200, 40))
