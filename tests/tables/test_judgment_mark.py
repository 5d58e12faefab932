"""The column that says whose judgments a file follows."""

from __future__ import annotations

from irviewer.tables import column
from irviewer.tables.judgment_mark import marked_header, marked_table, marked_tables
from irviewer.tables.table import Table


def test_the_mark_has_a_column_of_its_own() -> None:
    """A table that counts judgments has a column of the mark's usual name."""
    plain = Table("runs", "runs", (column.text("run", "run", ["a"]),))
    counting = Table("judges", "judges", (column.count("judgments", "judgments", [3]),))
    marked = marked_tables([plain, counting], "of a model")
    assert [[own.key for own in table.columns] for table in marked] == [
        ["run", "judgments"], ["judgments", "judgments_used"]
    ]  # fmt: skip
    assert list(marked[1].columns[-1].values) == ["of a model"]
    assert marked_header(["judge", "judgments"], "of a model") == ("judge", "judgments", "judgments_used")
    assert marked_table([["judgments"], [3]], "of a model") == [["judgments", "judgments_used"], [3, "of a model"]]
    assert marked_tables([plain], "") == (plain,)
