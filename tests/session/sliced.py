"""A session that compares runs by two attributes of a table."""

from __future__ import annotations

from pathlib import Path

from irviewer.session.session import Session
from tests.session.helpers import collection, session_with

QUERIES = 60
CSV = "query_id,language,traffic\n" + "".join(
    f"{query},{'de' if query % 3 else 'en'},{query}\n" for query in range(1, QUERIES + 1)
)


def sliced(folder: Path, runs: int = 3) -> Session:
    """A session that shows Compare › Slices of some runs; the table is a file in the folder."""
    session = session_with(collection(runs, QUERIES))
    (folder / "table.csv").write_text(CSV)
    session.files.open_files([str(folder / "table.csv")])
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "slices")
    return session
