"""Attributes as columns of the Queries and Systems tables: painted, copied and sorted."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from irviewer.gui.queries.table import QueriesTable
from irviewer.gui.systems.table import SystemsTable
from irviewer.gui.tables.column_widths import TEXT_WORDS
from irviewer.gui.theme import Theme
from tests.session.helpers import collection, session_with


def test_columns_are_painted(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = session_with(collection(3))
    (tmp_path / "queries.csv").write_text("query_id,language,traffic\n1,de,10\n2,en,2.5\n")
    (tmp_path / "runs.csv").write_text("run,family,latency\nalpha,lexical,12\nbeta,dense,60\n")
    session.files.open_files([str(tmp_path / "queries.csv"), str(tmp_path / "runs.csv")])
    for place, make, names, values in (
        ("queries", QueriesTable, ["language", "traffic"], {"1": 10.0, "2": 2.5}),
        ("systems", SystemsTable, ["family", "latency"], {"alpha": 12.0, "beta": 60.0}),
    ):
        session.navigation.set_place(place)
        table = make(session, theme)
        qtbot.addWidget(table)
        table.resize(1000, 400)
        table.show()
        table.refresh(frozenset())
        assert [column.title for column in table.model.columns if column.id.startswith("attribute:")] == names
        assert not table.grab().isNull()
        keys = table.model.columns[0]
        column = next(column for column in table.model.columns if column.title == names[1])
        cells = {str(keys.value(row)): column.value(row) for row in range(table.model.rowCount())}
        assert {row: value for row, value in cells.items() if value is not None} == values


def test_a_long_attribute_has_some_words_or_is_left_out(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    """Beside four runs, a question had 65 pixels, in which no word could be read."""
    session = session_with(collection(3))
    wish = "which of the many words of this wish can be read here?"
    (tmp_path / "queries.csv").write_text(f"query_id,language,wish\n1,de,{wish}\n2,en,why?\n")
    session.files.open_files([str(tmp_path / "queries.csv")])
    session.navigation.set_place("queries")
    table = QueriesTable(session, theme)
    qtbot.addWidget(table)
    table.show()

    def widths(width: int) -> dict[str, int]:
        table.resize(width, 400)
        table.refresh(frozenset())
        table.table.fit()
        header = table.table.horizontalHeader()
        return {column.title: header.sectionSize(place) for place, column in enumerate(table.model.columns)}

    seen = [widths(width) for width in range(520, 1400, 20)]
    assert {each["wish"] == 0 for each in seen} == {True, False}
    assert all(each["wish"] == 0 or each["wish"] >= TEXT_WORDS for each in seen)
    assert all(each["language"] for each in seen)
    session.navigation.sort_queries("attribute:wish", True)
    assert widths(560)["wish"] > 0, "what the table is sorted by stays"
