"""The quiet count of shown values that other tools' rules would change: against the table of changes, one by one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from queue import Queue

import pytest
from patience import LONG, deliver

from irviewer.evaluation.dialect_changes import ALL, changes
from irviewer.model.dialects import DIALECTS
from irviewer.session.evaluation import dialects
from irviewer.session.evaluation.default_measures import query_measures, systems_measures
from irviewer.session.evaluation.dialects import DialectNote
from irviewer.session.session import Session
from tests.session.helpers import unlike_tools


@pytest.fixture
def session(tmp_path: Path) -> Session:
    new_session = Session()
    new_session.files.open_files(unlike_tools(tmp_path))
    return new_session


def _counts(session: Session, place: str) -> dict[str, int]:
    """By title, found with ``changes``: every changed value that is written differently."""
    collection, context = session.view.collection, session.view.context
    assert collection is not None
    assert context is not None
    assert context.judgments is not None
    runs = [entry.run for entry in collection.runs if entry.key in context.shown]
    asked = {
        "systems": systems_measures(context.depth, session.view.measure, session.settings["table_measures"]),
        "queries": (session.view.measure,),
        "query": query_measures(context.depth, session.view.measure),
    }[place]
    counts = {}
    for dialect in DIALECTS.values():
        if dialect.name == session.view.dialect:
            continue
        number = 0
        by_query = place != "systems"
        for change in changes(context.judgments.qrels, runs, asked, dialect, session.state.options, by_query=by_query):
            digits = 0 if change.measure.counts else 4
            wanted = {
                "systems": change.query == ALL,
                "queries": change.query != ALL,
                "query": change.query == session.view.query_id,
            }
            number += wanted[place] and f"{change.before:.{digits}f}" != f"{change.after:.{digits}f}"
        if number:
            counts[dialect.title] = number
    return counts


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("dialect", ["trec_eval", "ranx", "gdeval"])
def test_the_count_is_that_of_the_table(session: Session, dialect: str, judged_only: bool) -> None:
    session.protocol.set(dialect=dialect)
    session.protocol.set(judged_only=judged_only)
    for place in ("systems", "queries", "query"):
        session.navigation.set_place(place)
        for query in ("1", "5") if place == "query" else ("1",):
            session.navigation.set_query(query)
            note = session.dialects.dialect_note
            assert dict(note.counts if note else ()) == _counts(session, place), (place, query)


def test_nothing_is_said_where_nothing_would_differ(tmp_path: Path) -> None:
    (tmp_path / "q.qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "r.run").write_text("1 Q0 a 1 2.0 r\n1 Q0 b 2 1.0 r\n")
    session = Session()
    session.files.open_files([str(tmp_path / "q.qrels"), str(tmp_path / "r.run")])
    session.evaluation.set_measure("P@1")
    session.navigation.set_place("queries")
    assert session.dialects.dialect_note is None


def test_a_large_collection_is_counted_for_the_query_in_view_only(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {}
    session.navigation.set_place("query")
    for query in ("1", "4"):
        session.navigation.set_query(query)
        whole[query] = session.dialects.dialect_note
    monkeypatch.setattr(dialects, "LARGEST", 0.0)
    for query, note in whole.items():
        session.navigation.set_query(query)
        assert session.dialects.dialect_note == note
    session.navigation.set_place("systems")
    assert session.dialects.dialect_note == DialectNote("systems", ())
    assert "too many" in DialectNote("systems", ()).text


def test_the_words_are_few() -> None:
    note = DialectNote("query", (("gdeval", 1), ("ranx 0.3", 1200), ("textbooks", 3)))
    assert note.text == "1 value of this query would differ in gdeval, 1,200 in ranx 0.3, …"
    assert note.lines[-1] == "textbooks: 3 would differ"


def test_it_is_counted_unseen_and_the_newest_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the background, without a word of progress; what was counted for values that left the view is dropped."""
    queue: Queue[Callable[[], None]] = Queue()
    session = Session(post=queue.put)
    session.files.open_files(unlike_tools(tmp_path), verdict_first=False)  # a verdict would be computed too
    heard: list[frozenset[str]] = []
    session.changed.connect(heard.append)

    def wait(done: Callable[[], bool]) -> None:
        deliver(queue, done)

    wait(lambda: session.dialects.dialect_note is not None)
    assert frozenset({"dialects"}) in heard
    gate, whole = threading.Event(), dialects._differ
    threads = set()

    def slow(*values: object) -> object:
        threads.add(threading.current_thread())
        gate.wait(LONG)
        return whole(*values)  # type: ignore[arg-type]

    monkeypatch.setattr(dialects, "_differ", slow)
    session.protocol.set(level=2)
    assert session.dialects.dialect_note is None
    assert session.busy is None
    session.protocol.set(level=3)
    gate.set()
    wait(lambda: session.dialects.dialect_note is not None)
    counted = session.dialects._counts_in_view()[0]
    assert counted.wanted.options.level == 3
    assert session.dialects.results.has(counted)
    assert threading.main_thread() not in threads
    session.close()
