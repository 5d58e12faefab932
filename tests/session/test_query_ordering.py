"""A new order of many queries: a task finds it, the former order stays until then, and it is that of a plain sort."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from queue import Queue

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import Call, deliver

from irviewer.model.workspace import Workspace
from irviewer.session import view as view_module
from irviewer.session.failures import query_statistics
from irviewer.session.navigation import ordering
from irviewer.session.session import Session
from irviewer.session.state_changes import without_run
from irviewer.session.view_models.queries import QueriesViewModel, build_order, seconds_to_order
from tests.session.helpers import collection, session_with


class Slow:
    """A session in which a task finds every order; ``arrive`` delivers it."""

    def __init__(self, runs: int = 3, queries: int = 8, seed: int = 1) -> None:
        self.posted: Queue[Call] = Queue()
        self.session = session_with(collection(runs, queries, seed=seed), post=self.posted.put)
        self.session.navigation.sort_queries("query", False)
        self.session.navigation.ordering.at_once = 0.0

    @property
    def is_sorting(self) -> bool:
        return self.session.store.tasks.under_way(ordering.TASK)

    def arrive(self) -> None:
        deliver(self.posted, lambda: not self.is_sorting)


@pytest.fixture
def slow() -> Iterator[Slow]:
    sorting = Slow()
    yield sorting
    sorting.session.close()


def shown(session: Session) -> QueriesViewModel:
    view_model = session.view_models.queries_view_model()
    assert view_model is not None
    return view_model


def ids(session: Session) -> list[str]:
    return list(shown(session).query_ids)


def sorted_plainly(session: Session, column: str, descending: bool) -> list[str]:
    """The queries by a stable sort of what the table shows: equal ones in natural order, those without a value last."""
    view_model = shown(session)
    places = sorted(range(len(view_model.query_ids)), key=lambda row: int(view_model.query_ids[row]))
    if column == "query":
        places = places[::-1] if descending else places
    elif column != "text":  # there are none
        run = next((place for place, run in enumerate(view_model.runs) if str(run.key) == column), None)
        named = {"delta": view_model.delta, "spread": view_model.spread, "relevant": view_model.relevant}
        values = named[column] if run is None else view_model.values[:, run]
        keys = [math.inf if math.isnan(value) else -value if descending else value for value in values.tolist()]
        places = sorted(places, key=keys.__getitem__)
    return [view_model.query_ids[row] for row in places]


@given(
    seed=st.integers(0, 30), runs=st.integers(1, 3), queries=st.integers(1, 40),
    column=st.sampled_from(("query", "text", "relevant", "delta", "spread", "first run")), descending=st.booleans(),
)  # fmt: skip
def test_a_task_and_the_window_give_the_order_of_a_plain_sort(
    seed: int, runs: int, queries: int, column: str, descending: bool
) -> None:
    slow, at_once = Slow(runs, queries, seed), session_with(collection(runs, queries, seed=seed))
    try:
        column = str(shown(at_once).runs[0].key) if column == "first run" else column
        wanted = sorted_plainly(at_once, column, descending)
        for session in (slow.session, at_once):
            session.navigation.sort_queries(column, descending)
        slow.arrive()
        assert ids(slow.session) == ids(at_once) == wanted
        assert shown(slow.session).sort == (column, descending)
    finally:
        slow.session.close()


def test_the_former_order_stays_until_the_new_one_is_there(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    session = slow.session
    session.navigation.set_query("5")
    before, wanted = shown(session), sorted_plainly(session, "delta", True)
    assert wanted != list(before.query_ids)
    session.navigation.sort_queries("delta", True)
    assert session.busy is not None
    assert session.busy.title == "Sorting 8 queries"
    assert shown(session) is before
    session.navigation.step_query(1)  # in the order that is shown
    assert session.view.query_id == "6"
    monkeypatch.setattr(view_module, "build_order", lambda _: pytest.fail("the order is found a second time"))
    slow.arrive()
    assert session.busy is None
    assert ids(session) == wanted
    assert wanted[shown(session).selected] == session.view.query_id == "6"
    session.navigation.set_place("query")
    assert ids(session) == wanted


def test_an_order_of_runs_that_are_shortened_is_found_once(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their collection is made anew for each order; the window found the task's order once more."""
    session = slow.session
    session.protocol.set(judged_only=True)
    deliver(slow.posted, lambda: session.busy is None)
    session.navigation.sort_queries("query", False)
    slow.arrive()
    assert session.view.context is not None
    assert session.view.context.opened is not None
    wanted = sorted_plainly(session, "delta", True)
    session.navigation.sort_queries("delta", True)
    assert slow.is_sorting
    monkeypatch.setattr(view_module, "build_order", lambda _: pytest.fail("the order is found a second time"))
    slow.arrive()
    assert ids(session) == wanted


def test_the_last_click_wins(slow: Slow) -> None:
    wanted = sorted_plainly(slow.session, "spread", False)
    for column, descending in (("delta", True), ("relevant", True), ("spread", False)):
        slow.session.navigation.sort_queries(column, descending)
    slow.arrive()
    assert shown(slow.session).sort == ("spread", False)
    assert ids(slow.session) == wanted


def test_a_click_back_to_what_is_shown_stops_the_task(slow: Slow) -> None:
    before = shown(slow.session)
    slow.session.navigation.sort_queries("delta", True)
    slow.session.navigation.sort_queries("query", False)
    assert not slow.is_sorting
    assert shown(slow.session) is before


def test_a_filter_and_an_order_come_together(slow: Slow) -> None:
    slow.session.navigation.filter_queries("1")
    assert slow.session.busy is not None
    assert slow.session.busy.title == "Filtering 8 queries"
    slow.session.navigation.sort_queries("query", True)
    slow.session.navigation.filter_queries("1 or 2")
    slow.session.navigation.filter_queries("1")
    slow.arrive()
    assert (shown(slow.session).filter, shown(slow.session).sort) == ("1", ("query", True))
    assert ids(slow.session) == ["1"]
    slow.session.navigation.filter_queries("2")
    slow.session.navigation.filter_queries("1")
    assert not slow.is_sorting
    assert shown(slow.session).filter == "1"


def test_what_was_cancelled_is_not_chosen_later(slow: Slow) -> None:
    slow.session.navigation.filter_queries("nothing")
    assert slow.session.busy is not None
    slow.session.busy.cancel()
    slow.session.navigation.sort_queries("query", True)
    slow.arrive()
    assert shown(slow.session).filter == ""
    assert ids(slow.session)[0] == "8"


def test_the_order_is_that_of_a_measure_chosen_meanwhile(slow: Slow) -> None:
    session = slow.session
    session.navigation.sort_queries("delta", True)
    session.evaluation.set_measure("P@5")
    slow.arrive()
    assert shown(session).measure == "P@5"
    assert ids(session) == sorted_plainly(session, "delta", True)


def test_another_collection_that_comes_between_keeps_its_order() -> None:
    posted: Queue[Call] = Queue()
    session = session_with(collection(2), collection(3, name="other"), post=posted.put)
    session.navigation.ordering.at_once = 0.0
    here, sorts = session.state.current, [choices.queries_sort for choices in session.state.choices]
    session.navigation.sort_queries("relevant", True)
    session.store.apply(replace(session.state, current=1 - here))
    deliver(posted, lambda: not session.store.tasks.under_way(ordering.TASK))
    assert [choices.queries_sort for choices in session.state.choices] == sorts
    session.close()


def test_nothing_arrives_after_closing(slow: Slow) -> None:
    before = shown(slow.session).sort
    slow.session.navigation.sort_queries("delta", True)
    slow.session.close()
    while not slow.posted.empty():
        slow.posted.get()()
    assert slow.session.state.chosen.queries_sort == before


def test_few_queries_wait_for_no_task() -> None:
    posted: Queue[Call] = Queue()
    session = session_with(collection(3), post=posted.put)
    session.navigation.sort_queries("relevant", True)
    assert not session.store.tasks.under_way(ordering.TASK)
    assert shown(session).sort == ("relevant", True)
    session.close()


def test_statistics_cost_until_they_are_known_and_no_median_of_few_runs_asks_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = session_with(collection(3))
    context = session.view.context
    assert context is not None
    by_mean = replace(context, choices=replace(context.choices, queries_sort=("mean", True)))
    by_median = replace(context, choices=replace(context.choices, queries_sort=("median", True)))
    before = seconds_to_order(by_mean)
    assert before > 2 * seconds_to_order(by_median)
    build_order(by_mean)
    assert seconds_to_order(by_mean) == seconds_to_order(by_median)
    monkeypatch.setattr(query_statistics, "field_of", lambda *_, **__: pytest.fail("they are asked for"))
    build_order(by_median)


def of_two_collections() -> tuple[Session, Queue[Call]]:
    posted: Queue[Call] = Queue()
    session = session_with(collection(2), collection(3, name="other"), post=posted.put)
    session.navigation.ordering.at_once = 0.0
    return session, posted


def test_an_order_of_another_collection_takes_no_filter_of_the_former_one() -> None:
    session, posted = of_two_collections()
    session.navigation.filter_queries("nothing")
    session.store.apply(replace(session.state, current=1 - session.state.current))
    assert session.navigation.ordering.filter_under_way is None
    session.navigation.sort_queries("relevant", True)
    deliver(posted, lambda: not session.store.tasks.under_way(ordering.TASK))
    assert (shown(session).filter, shown(session).sort) == ("", ("relevant", True))
    session.close()


def test_a_collection_that_takes_the_place_of_a_closed_one_keeps_its_order() -> None:
    session, posted = of_two_collections()
    session.store.apply(replace(session.state, current=0))
    session.navigation.filter_queries("nothing")
    state = session.state
    session.store.apply(
        replace(state, workspace=Workspace(state.workspace.collections[1:]), choices=state.choices[1:], current=0)
    )
    deliver(posted, lambda: not session.store.tasks.under_way(ordering.TASK))
    assert shown(session).filter == ""
    session.close()


def test_no_order_by_a_run_that_was_removed_meanwhile(slow: Slow) -> None:
    key = shown(slow.session).runs[-1].key
    slow.session.navigation.sort_queries(str(key), True)
    slow.session.navigation.filter_queries("1")
    slow.session.store.apply(without_run(slow.session.state, key))
    slow.arrive()
    assert (shown(slow.session).filter, shown(slow.session).sort) == ("1", ("query", False))
