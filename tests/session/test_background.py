"""The machine for results computed in the background, alone: a store, made-up inputs, a queue for the main thread."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from irviewer.model.same import Same
from irviewer.session.background import BackgroundResults
from irviewer.session.changes import Change
from irviewer.session.settings import Settings
from irviewer.session.store import Store

LONG = 20.0


@dataclass(eq=False)
class Square:
    key: int
    computed: list[int]
    go: threading.Event | None = None

    def compute(self, progress: Callable[[float], None] | None = None) -> int:
        if self.go is not None:
            while not self.go.wait(0.01):
                if progress is not None:
                    progress(0.5)
        self.computed.append(self.key)
        return self.key**2


@dataclass
class Bench:
    """A part of a session: what it wants by slot, what is in view."""

    store: Store
    wanted: dict[str, list[Square]] = field(default_factory=lambda: {"one": [], "two": []})
    in_view: set[str] = field(default_factory=lambda: {"one"})
    posted: queue.Queue[Callable[[], None]] = field(default_factory=queue.Queue)
    computed: list[int] = field(default_factory=list)
    heard: list[frozenset[Change]] = field(default_factory=list)

    def results(self, **more: object) -> BackgroundResults[Square, int]:
        self.store.changed.connect(self.heard.append)
        square_results: BackgroundResults[Square, int] = BackgroundResults(
            self.store, "squares", ("one", "two"), wanted=lambda slot: self.wanted[slot], in_view=lambda: self.in_view,
            title=str, most=3, **more,  # type: ignore[arg-type]
        )  # fmt: skip
        return square_results

    def square(self, number: int, go: threading.Event | None = None) -> Square:
        return Square(number, self.computed, go)

    def deliver(self) -> None:
        """Wait until the work under way has arrived."""
        while self.store.tasks.under_way("squares one") or self.store.tasks.under_way("squares two"):
            self.posted.get(timeout=LONG)()


@pytest.fixture
def bench(request: pytest.FixtureRequest) -> Bench:
    posted: queue.Queue[Callable[[], None]] = queue.Queue()
    new_bench = Bench(Store(Settings(), post=posted.put), posted=posted)
    request.addfinalizer(new_bench.store.close)
    return new_bench


def test_what_is_in_view_is_computed_kept_and_announced(bench: Bench) -> None:
    results = bench.results()
    wanted = bench.wanted["one"] = [bench.square(3), bench.square(4)]
    bench.wanted["two"] = [bench.square(5)]
    assert results.known(wanted[0]) is None
    results.follow()
    bench.deliver()
    assert [results.known(number) for number in wanted] == [9, 16]
    assert bench.computed == [3, 4]  # nobody looks at the other slot
    assert frozenset({Change.STATISTICS}) in bench.heard
    results.follow()
    bench.deliver()
    assert bench.computed == [3, 4]


def test_results_are_dropped_by_their_bytes_except_those_in_view(bench: Bench) -> None:
    """Two large results of one view dropped each other, and each was computed again because of that, for ever."""
    results = bench.results(size=lambda square: square, most_bytes=20)
    bench.wanted["one"], bench.wanted["two"] = [bench.square(5)], [bench.square(6)]
    bench.in_view = {"one", "two"}
    results.now(bench.square(2))
    for _ in range(3):
        results.follow()
        bench.deliver()
    assert sorted(bench.computed) == [2, 5, 6]
    bench.in_view = set()
    results.now(bench.square(3))
    assert [number for number in (2, 3, 5, 6) if results.has(bench.square(number))] == [3]


def test_equal_keys_are_one_result_for_every_holder(bench: Bench) -> None:
    results = bench.results()
    assert results.now(bench.square(3)) == 9
    assert results.known(bench.square(3)) == 9
    assert bench.computed == [3]


def test_the_newest_inputs_win_and_the_former_are_cancelled(bench: Bench) -> None:
    results, go = bench.results(), threading.Event()
    bench.wanted["one"] = [bench.square(3, go)]
    results.follow()
    bench.wanted["one"] = [bench.square(4)]
    results.follow()
    go.set()
    bench.deliver()
    assert results.known(bench.square(4)) == 16
    assert results.known(bench.square(3)) is None


@pytest.mark.parametrize("lasting", [False, True])
def test_what_leaves_the_view_is_cancelled_unless_it_lasts(bench: Bench, lasting: bool) -> None:
    results, go = bench.results(lasting=lasting), threading.Event()
    bench.wanted["one"] = [bench.square(3, go)]
    results.follow()
    bench.in_view = set()
    results.follow()
    assert bench.store.tasks.under_way("squares one") == lasting
    go.set()
    bench.deliver()
    assert results.known(bench.square(3)) == (9 if lasting else None)


def test_what_lasts_is_cancelled_when_something_else_is_wanted(bench: Bench) -> None:
    results = bench.results(lasting=True)
    bench.wanted["one"] = [bench.square(3, threading.Event())]
    results.follow()
    bench.in_view, bench.wanted["one"] = set(), [bench.square(4)]
    results.follow()
    assert not bench.store.tasks.under_way("squares one")


def test_only_the_newest_are_kept(bench: Bench) -> None:
    results = bench.results()
    for number in range(5):
        results.now(bench.square(number))
    assert [results.has(bench.square(number)) for number in range(5)] == [False, False, True, True, True]


def test_what_takes_no_time_is_there_when_it_is_asked_for(bench: Bench) -> None:
    results = bench.results(at_once=lambda square: square.key < 10)
    bench.wanted["one"] = [bench.square(3), bench.square(30)]
    assert results.known(bench.wanted["one"][0]) == 9
    assert results.known(bench.wanted["one"][1]) is None
    results.follow()
    bench.deliver()
    assert bench.computed == [3, 30]


def test_a_picture_of_the_window_waits_for_all_in_view(bench: Bench) -> None:
    results = bench.results()
    bench.wanted["one"], bench.wanted["two"] = [bench.square(3), bench.square(4)], [bench.square(5)]
    results.compute_now()
    assert bench.computed == [3, 4]


def test_a_failure_is_reported_and_tried_again_when_it_comes_into_view_again(bench: Bench) -> None:
    from irviewer.errors import IrviewerError

    class Failing(Square):
        def compute(self, progress: Callable[[float], None] | None = None) -> int:
            self.computed.append(self.key)
            raise IrviewerError("no square today")

    results = bench.results()
    bench.wanted["one"] = [Failing(3, bench.computed)]
    results.follow()
    bench.deliver()
    assert [message.text for message in bench.store.state.messages] == ["no square today"]
    assert bench.computed == [3]
    results.follow()
    bench.deliver()
    assert bench.computed == [3]
    bench.in_view = set()
    results.follow()
    bench.in_view = {"one"}
    results.follow()
    bench.deliver()
    assert bench.computed == [3, 3]


def test_a_key_holds_what_it_is_of() -> None:
    first, other = [1], [1]
    assert Same(first) == Same(first) != Same(other)
    assert len({Same(first), Same(first), Same(other)}) == 2
    assert Same(first) != first


def test_what_is_under_way_is_not_computed_a_second_time_when_little_is_left(bench: Bench) -> None:
    left, go = [10], threading.Event()
    results = bench.results(at_once=lambda _: left[0] < 5)
    bench.wanted["one"] = [bench.square(3, go)]
    results.follow()
    left[0] = 1  # the work has come nearly to its end
    assert results.known(bench.wanted["one"][0]) is None
    results.follow()
    go.set()
    bench.deliver()
    assert results.known(bench.wanted["one"][0]) == 9
    assert bench.computed == [3]


def test_the_size_of_a_result_is_measured_where_it_is_computed(bench: Bench) -> None:
    """The main thread, which shows results, is not kept by it."""
    measured: list[threading.Thread] = []
    results = bench.results(size=lambda result: measured.append(threading.current_thread()) or result)
    bench.wanted["one"] = [bench.square(3)]
    results.follow()
    bench.deliver()
    assert results.known(bench.square(3)) == 9
    assert threading.main_thread() not in measured and len(measured) > 0
