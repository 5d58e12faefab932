"""Statistics of queries over all runs, and the order by them: a task computes them before another measure or column is
shown, and they are those of a session that computes at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from queue import Queue

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import Call, deliver

from irviewer.session import store as core
from irviewer.session import view as view_module
from irviewer.session.failures import query_statistics
from irviewer.session.navigation import ordering
from irviewer.session.session import Session
from irviewer.session.text import columns
from irviewer.session.view_models.queries import QUERY_COLUMNS, QueriesViewModel
from tests.session.helpers import collection, session_with

ARRAYS = ("median", "mean", "difficulty", "agreement", "discriminates", "separated")
TASKS = ("evaluate", ordering.TASK, columns.TASK)


class Slow:
    """A session in which tasks compute whatever they can; ``arrive`` delivers it."""

    def __init__(self, runs: int = 6, queries: int = 8, seed: int = 1) -> None:
        self.posted: Queue[Call] = Queue()
        self.session = session_with(collection(runs, queries, seed=seed), post=self.posted.put)
        self.session.columns.at_once = self.session.navigation.ordering.at_once = 0.0
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(core, "INLINE", 0.0)

    def close(self) -> None:
        self.session.close()
        self.patch.undo()

    def arrive(self) -> None:
        deliver(self.posted, lambda: not any(map(self.session.store.tasks.under_way, TASKS)))


@pytest.fixture
def slow() -> Iterator[Slow]:
    session = Slow()
    yield session
    session.close()


def shown(session: Session) -> QueriesViewModel:
    view_model = session.view_models.queries_view_model()
    assert view_model is not None
    return view_model


def check_same(first: Session, second: Session) -> None:
    slow, at_once = shown(first), shown(second)
    assert (slow.measure, slow.sort, slow.filter) == (at_once.measure, at_once.sort, at_once.filter)
    assert list(slow.query_ids) == list(at_once.query_ids)
    np.testing.assert_array_equal(slow.values, at_once.values)
    assert (slow.field is None) == (at_once.field is None)
    if slow.field is not None and at_once.field is not None:
        assert slow.field.columns == at_once.field.columns
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(slow.field, name), getattr(at_once.field, name), name)


@given(
    seed=st.integers(0, 30), runs=st.integers(1, 6), queries=st.integers(1, 12),
    seen=st.lists(st.sampled_from(tuple(QUERY_COLUMNS)), unique=True),
    sort=st.sampled_from((*QUERY_COLUMNS, "delta", "spread")), descending=st.booleans(),
    measure=st.sampled_from(("P@3", "RR", "AP")), words=st.sampled_from(("", "delta >= 0")),
    between=st.sampled_from(("nothing", "sort", "column", "filter")),
)  # fmt: skip
def test_tasks_and_the_window_show_the_same(
    seed: int, runs: int, queries: int, seen: list[str], sort: str, descending: bool, measure: str, words: str,
    between: str,
) -> None:  # fmt: skip
    slow, at_once = Slow(runs, queries, seed), session_with(collection(runs, queries, seed=seed))
    try:
        for session, arrive in ((slow.session, slow.arrive), (at_once, lambda: None)):
            for name in QUERY_COLUMNS:
                session.columns.set_query_column(name, name in seen)
            session.navigation.sort_queries(sort, descending)
            session.navigation.filter_queries(words)
            arrive()
            session.evaluation.set_measure(measure)
            if between == "sort":
                session.navigation.sort_queries("mean", not descending)
            elif between == "column":
                session.columns.set_query_column("agreement", True)
            elif between == "filter":
                session.navigation.filter_queries("delta <= 0")
            arrive()
        check_same(slow.session, at_once)
    finally:
        slow.close()
        at_once.close()


def test_nothing_of_it_is_computed_in_the_thread_of_the_window(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    session, threads = slow.session, set[str]()
    computed = query_statistics.query_statistics

    def noted(*arguments: object, **options: object) -> object:
        threads.add(threading.current_thread().name)
        return computed(*arguments, **options)  # type: ignore[arg-type]

    for name in QUERY_COLUMNS:
        session.columns.set_query_column(name, True)
        slow.arrive()
    session.navigation.sort_queries("agreement", True)
    slow.arrive()
    shown(session)
    monkeypatch.setattr(query_statistics, "query_statistics", noted)
    monkeypatch.setattr(view_module, "build_order", lambda _: pytest.fail("the order is found here"))
    session.evaluation.set_measure("P@3")
    before = shown(session)
    assert before.measure != "P@3"
    slow.arrive()
    field = shown(session).field
    assert field is not None and field.columns == tuple(QUERY_COLUMNS)
    assert shown(session).measure == "P@3"
    assert threads == {"irviewer urgent"}


def test_a_column_is_shown_when_its_statistics_are_there(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    session = slow.session
    session.columns.set_query_column("median", False)
    before = shown(session)
    assert before.field is None
    session.columns.set_query_column("agreement", True)
    assert session.busy is not None
    assert session.busy.title == "Computing statistics of 8 queries"
    session.columns.set_query_column("mean", True)  # the first is not lost
    assert session.columns.query_columns == ("mean", "agreement")
    assert shown(session).field is None
    slow.arrive()
    monkeypatch.setattr(query_statistics, "query_statistics", lambda *_, **__: pytest.fail("they are computed here"))
    field = shown(session).field
    assert field is not None and field.columns == ("mean", "agreement")
    session.columns.set_query_column("agreement", False)
    slow.arrive()


def test_columns_that_were_cancelled_are_not_shown_later(slow: Slow) -> None:
    session = slow.session
    session.columns.set_query_column("agreement", True)
    assert session.busy is not None
    session.busy.cancel()
    session.columns.set_query_column("mean", True)
    slow.arrive()
    assert session.columns.query_columns == ("median", "mean")


def test_few_queries_wait_for_no_task() -> None:
    posted: Queue[Call] = Queue()
    session = session_with(collection(6), post=posted.put)
    session.columns.set_query_column("agreement", True)
    field = shown(session).field
    assert field is not None and "agreement" in field.columns
    session.evaluation.set_measure("P@3")
    assert shown(session).measure == "P@3"
    session.close()
