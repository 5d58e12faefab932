"""The window on stored values: dropped on it, shown in every place, refused under another protocol."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QLabel

import irviewer
from irviewer.commands import run_command
from irviewer.gui.queries.table import query_columns
from irviewer.gui.window import MainWindow
from irviewer.session.navigation.places import PLACE_TEXTS
from irviewer.session.session import Session
from irviewer.session.state import TABS

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.IrviewerWarning")

ONLY_VALUES = "stored values. Open the run"


@pytest.fixture
def values(files: list[str]) -> str:
    """The values of the tiny collection as a file."""
    path = Path(files[0]).with_name("values.parquet")
    result = irviewer.evaluate(files[0], files[1:3], ["nDCG@10", "AP"])
    irviewer.save_values(result, files[0], path)
    return str(path)


def drop(window: MainWindow, *paths: str) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(path) for path in paths])
    event = QDropEvent(
        QPointF(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    window.dropEvent(event)


def texts(window: MainWindow) -> str:
    return "\n".join(label.text() for label in window.findChildren(QLabel) if label.isVisible())


def test_values_that_are_dropped_are_shown_in_every_place(
    empty_session: Session, make_window: Callable[[Session], MainWindow], values: str
) -> None:
    window = make_window(empty_session)
    drop(window, values)
    session = empty_session
    assert [label.name for label in session.view.labels()] == ["alpha", "beta"]
    said = set()
    for place in PLACE_TEXTS:
        for tab in TABS.get(place.name, ("",)):
            session.navigation.set_place(place.name)
            if tab:
                session.navigation.set_tab(place.name, tab)
            QApplication.processEvents()
            if ONLY_VALUES in texts(window):
                said.add(f"{place.name} {tab}".strip())
    assert {"systems", "queries recall"} <= said, "where curves and figures would be"
    assert any(place.startswith("query ") for place in said)
    assert not {"queries queries", "compare pair", "compare slices"} & said


def test_the_rules_of_values_are_declared_from_the_message(
    empty_session: Session, make_window: Callable[[Session], MainWindow], values: str
) -> None:
    empty_session.protocol.set(level=2)
    window = make_window(empty_session)
    drop(window, values)
    QApplication.processEvents()
    assert "computed with level 1.0, not 2.0" in texts(window)
    run_command(empty_session, "use_stored_rules")
    QApplication.processEvents()
    assert "computed with level" not in texts(window)
    assert empty_session.state.options.level == 1


def test_no_count_of_relevant_documents_is_shown_where_none_is_known(
    empty_session: Session, make_window: Callable[[Session], MainWindow], values: str
) -> None:
    window = make_window(empty_session)
    drop(window, values)
    session = empty_session
    queries = session.view_models.queries_view_model()
    assert queries is not None
    column = next(column for column in query_columns(queries) if column.id == "relevant")
    assert {column.text(row) for row in range(len(queries.query_ids))} == {"–"}
    session.navigation.filter_queries("relevant < 5")
    filtered = session.view_models.queries_view_model()
    assert filtered is not None and not filtered.query_ids, "an unknown count is not below 5"
    session.navigation.filter_queries("")
    session.navigation.set_place("query")
    QApplication.processEvents()
    query = session.view_models.query_view_model()
    assert query is not None
    assert query.precision_recall.x.label == "Recall"
    assert not query.missed_known
    assert "Relevant, outside the top 10 of a shown run: –" in texts(window)


def test_missed_documents_are_unknown_without_the_documents_of_a_run(
    empty_session: Session, make_window: Callable[[Session], MainWindow], values: str, files: list[str]
) -> None:
    window = make_window(empty_session)
    drop(window, values)
    drop(window, files[0])
    empty_session.navigation.set_place("query")
    QApplication.processEvents()
    query = empty_session.view_models.query_view_model()
    assert query is not None
    assert query.n_relevant > 0
    assert not query.missed_known
    shown = texts(window)
    assert "Relevant, outside the top 10 of a shown run: –" in shown


def test_files_that_are_dropped_have_no_order_of_their_own(
    empty_session: Session, make_window: Callable[[Session], MainWindow], files: list[str]
) -> None:
    """A file manager gives them in any order; the judge in view is the one with the plainest name."""
    window = make_window(empty_session)
    qrels = Path(files[0])
    model = qrels.with_name(f"{qrels.stem}_model.txt")
    plain = qrels.with_name(f"{qrels.stem}.txt")
    rows = qrels.read_text("utf-8")
    plain.write_text(rows, "utf-8")
    model.write_text(rows.replace(" 1\n", " 2\n"), "utf-8")
    drop(window, str(model), files[1], str(plain))
    sets = empty_session.view.collection.judgments  # type: ignore[union-attr]
    assert [judgments.name for judgments in sets] == [plain.stem, model.stem]
