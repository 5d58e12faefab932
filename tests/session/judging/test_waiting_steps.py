"""Changes that wait for values: in any order with undo and redo, a session with tasks has the same steps and numbers as
one that computes at once."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import Queue

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import Call, deliver

from irviewer import commands
from irviewer.errors import OptionError
from irviewer.session import store as core
from irviewer.session.failures import query_statistics
from irviewer.session.messages import Message
from irviewer.session.session import Session
from tests.session.helpers import collection, session_with


class Slow:
    """A session in which tasks compute whatever they can; ``arrive`` delivers it."""

    def __init__(self) -> None:
        self.posted: Queue[Call] = Queue()
        self.session = opened(self.posted.put)
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(core, "INLINE", 0.0)

    def close(self) -> None:
        self.session.close()
        self.patch.undo()

    def arrive(self) -> None:
        deliver(self.posted, lambda: not self.session.store.tasks.under_way("evaluate"))


def opened(post: Callable[[Call], object] | None = None) -> Session:
    return session_with(collection(6, queries=6), collection(3, queries=4, name="other", seed=2), post=post)


@pytest.fixture
def slow() -> Iterator[Slow]:
    session = Slow()
    yield session
    session.close()


def keys(session: Session) -> tuple[int, ...]:
    return () if session.view.collection is None else tuple(entry.key for entry in session.view.collection.runs)


def taking_part(session: Session) -> tuple[int, ...]:
    return () if session.view.context is None else tuple(entry.key for entry in session.view.context.taking_part)


def check_same(first: Session, second: Session) -> None:
    assert first.history.history_labels == second.history.history_labels
    assert str(first.state.measure) == str(second.state.measure)
    assert first.state.protocol == second.state.protocol
    assert [choices.scope for choices in first.state.choices] == [choices.scope for choices in second.state.choices]
    assert keys(first) == keys(second)
    slow, at_once = first.view_models.queries_view_model(), second.view_models.queries_view_model()
    assert slow is not None and at_once is not None
    np.testing.assert_array_equal(slow.values, at_once.values)
    assert slow.field is not None and at_once.field is not None
    np.testing.assert_array_equal(slow.field.median, at_once.field.median)
    np.testing.assert_array_equal(slow.field.mean, at_once.field.mean)


def act(name: str, seen: Session, session: Session, dice: random.Random) -> None:
    """Act in a session as a user who sees another one."""
    if name == "remove":
        if len(keys(seen)) > 3:
            session.runs.remove_run(dice.choice(keys(seen)))
    elif name == "takes part":
        key = dice.choice(keys(seen))
        with suppress(OptionError):  # of the baseline
            session.protocol.set_taking_part(key, key not in taking_part(seen))
    elif name == "measure":
        session.evaluation.set_measure(dice.choice(("P@3", "RR", "AP")))
    elif name == "relevance level":
        session.protocol.set(level=dice.choice((1, 2)))
    elif name == "undo":
        session.history.undo()
    elif name == "redo":
        session.history.redo()
    else:
        session.history.go_back(dice.choice((-2, 2)))


ACTS = ("remove", "takes part", "measure", "relevance level", "undo", "undo", "redo", "some steps")


@given(
    seed=st.integers(0, 1000), acts=st.lists(st.tuples(st.sampled_from(ACTS), st.booleans()), min_size=1, max_size=12)
)
def test_no_order_of_waiting_steps_changes_them(seed: int, acts: list[tuple[str, bool]]) -> None:
    slow, at_once = Slow(), opened()
    try:
        for session in (slow.session, at_once):
            session.columns.set_query_column("mean", True)
        slow.arrive()
        for number, (name, arrives) in enumerate(acts):
            # What the user sees is that of the slow session, which is changed last.
            for session in (at_once, slow.session):
                act(name, slow.session, session, random.Random(seed + number))
            if arrives:
                slow.arrive()
                check_same(slow.session, at_once)
        slow.arrive()
        check_same(slow.session, at_once)
    finally:
        slow.close()
        at_once.close()


def test_the_windows_thread_computes_nothing_over_the_runs_left(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    session, threads = slow.session, set[str]()
    computed = query_statistics.query_statistics

    def noted(*arguments: object, **options: object) -> object:
        threads.add(threading.current_thread().name)
        return computed(*arguments, **options)  # type: ignore[arg-type]

    answers: list[Message] = []
    session.store.answered.connect(answers.append)
    monkeypatch.setattr(query_statistics, "query_statistics", noted)
    session.runs.remove_run(1)
    assert 1 in keys(session)
    slow.arrive()
    assert 1 not in keys(session)
    assert session.history.undo_label.startswith("remove run")
    assert session.view.messages[-1].text.startswith("Removed beta, which is in no file.")
    session.view_models.queries_view_model()
    session.evaluation.set_measure("P@3")
    slow.arrive()
    session.history.undo()
    assert 1 not in keys(session)
    slow.arrive()
    assert 1 in keys(session)
    assert [answer.text for answer in answers] == ["Undone: remove run beta"]
    session.view_models.queries_view_model()
    assert threads == {"irviewer urgent"}


def test_a_run_is_removed_from_its_collection_while_another_one_is_in_view(slow: Slow) -> None:
    session = slow.session
    session.runs.remove_run(1)
    session.protocol.set_taking_part(2, False)
    session.runs.set_baseline(3)
    session.files.set_collection(1)
    slow.arrive()
    assert session.state.current == 1
    first, second = session.view.workspace.collections
    assert [entry.key for entry in first.runs] == [0, 2, 3, 4, 5]
    assert [entry.key for entry in second.runs] == [0, 1, 2]
    assert session.state.choices[0].scope.runs == {0, 3, 4, 5}
    assert session.state.choices[0].scope.baseline == 3
    assert session.state.choices[1].scope.baseline is None


def test_what_waits_with_a_change_that_fails_is_applied(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    session = slow.session
    warm = session.store.evaluation.warm

    def failing(evaluation_input: object, measures: object) -> None:
        if session.store.awaited is not None and str(session.store.awaited.measure) == "RR":
            raise OptionError("no such thing")
        warm(evaluation_input, measures)  # type: ignore[arg-type]

    monkeypatch.setattr(session.store.evaluation, "warm", failing)
    session.runs.remove_run(1)
    session.evaluation.set_measure("RR")
    slow.arrive()
    assert 1 not in keys(session)
    assert str(session.state.measure) != "RR"
    assert "no such thing" in [message.text for message in session.view.messages]


def test_of_what_was_cancelled_nothing_is_applied_later(slow: Slow) -> None:
    session = slow.session
    session.runs.remove_run(1)
    assert session.busy is not None
    session.busy.cancel()
    session.evaluation.set_measure("RR")
    slow.arrive()
    assert 1 in keys(session)
    assert str(session.state.measure) == "RR"


def test_undo_can_be_asked_for_while_the_first_step_waits(slow: Slow) -> None:
    session = slow.session
    session.runs.remove_run(1)
    assert session.history.undo_label == "remove run beta"
    assert session.history.history_labels == (("remove run beta",), ())
    assert commands.find(session, "history").enabled(session)
    commands.run_command(session, "undo")
    assert session.history.undo_label == ""
    assert session.history.redo_label == "remove run beta"
    commands.run_command(session, "redo")
    slow.arrive()
    assert 1 not in keys(session)
    commands.run_command(session, "undo")
    slow.arrive()
    assert 1 in keys(session)


def test_a_step_that_is_dropped_is_not_one_that_waits(slow: Slow) -> None:
    session = slow.session
    session.runs.remove_run(1)
    session.judging.judge("another", 1, query_id="1")
    session.history.drop_last_step()
    slow.arrive()
    assert 1 not in keys(session)
    assert session.history.history_labels == (("remove run beta",), ())


@pytest.mark.parametrize("chosen", [True, False])
def test_a_baseline_that_waits_takes_part(slow: Slow, chosen: bool) -> None:
    session = slow.session
    assert session.view.context is not None
    assert session.view.context.baseline == 0
    if chosen:
        session.runs.set_baseline(1)
    else:
        session.runs.remove_run(0)
    with pytest.raises(OptionError, match="takes part in every comparison"):
        session.protocol.set_taking_part(1, False)
    slow.arrive()
    assert session.view.context.baseline == 1
    assert 1 in taking_part(session)
