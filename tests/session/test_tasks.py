"""Background work: the newest wins, cancel is heard, errors arrive, nothing is left running."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from queue import Empty, Queue

import pytest

from irviewer.session.tasks import Progress, Tasks

Call = Callable[[], None]


class Loop:
    """A main thread that runs what was posted when asked to."""

    def __init__(self) -> None:
        self.queue: Queue[Call] = Queue()

    def post(self, call: Call) -> None:
        self.queue.put(call)

    def until(self, true: Callable[[], bool], seconds: float = 5.0) -> None:
        end = time.monotonic() + seconds
        while not true():
            try:
                self.queue.get(timeout=max(0.0, end - time.monotonic()))()
            except Empty:
                raise AssertionError("it did not happen") from None

    def drain(self) -> None:
        while not self.queue.empty():
            self.queue.get()()


class Heard:
    def __init__(self) -> None:
        self.results: list[object] = []
        self.errors: list[BaseException] = []

    def done(self, result: object) -> None:
        self.results.append(result)

    def failed(self, error: BaseException) -> None:
        self.errors.append(error)


def test_a_result_is_delivered_on_the_thread_that_runs_the_posts() -> None:
    loop, heard, threads = Loop(), Heard(), []
    tasks = Tasks(loop.post)

    def work(progress: Progress, cancelled: Callable[[], bool]) -> int:
        threads.append(threading.get_ident())
        return 7

    tasks.submit("a", work, heard.done, heard.failed, title="Seven")
    assert tasks.busy is not None
    assert tasks.busy.title == "Seven"
    loop.until(lambda: bool(heard.results))
    assert heard.results == [7]
    assert threads != [threading.get_ident()]
    assert tasks.busy is None
    tasks.close()


def test_the_newest_of_a_key_wins_and_the_older_hears_that_it_was_cancelled() -> None:
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post)
    started, noticed = threading.Event(), threading.Event()

    def slow(progress: Progress, cancelled: Callable[[], bool]) -> str:
        started.set()
        while not cancelled():
            time.sleep(0.001)
        noticed.set()
        return "old"

    tasks.submit("a", slow, heard.done, heard.failed)
    assert started.wait(5)
    tasks.submit("a", lambda progress, cancelled: "new", heard.done, heard.failed)
    assert noticed.wait(5)
    loop.until(lambda: bool(heard.results))
    loop.drain()
    assert heard.results == ["new"]
    tasks.close()


def test_a_stale_result_that_was_posted_already_is_dropped() -> None:
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post)
    tasks.submit("a", lambda progress, cancelled: "old", heard.done, heard.failed)
    delivery = loop.queue.get(timeout=5)
    tasks.submit("a", lambda progress, cancelled: "new", heard.done, heard.failed)
    delivery()
    assert heard.results == []
    loop.until(lambda: bool(heard.results))
    assert heard.results == ["new"]
    tasks.close()


def test_other_keys_do_not_disturb_each_other() -> None:
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post)
    for name in "ab":
        tasks.submit(name, lambda progress, cancelled, name=name: name, heard.done, heard.failed)  # type: ignore[misc]
    loop.until(lambda: len(heard.results) == 2)
    assert sorted(map(str, heard.results)) == ["a", "b"]
    tasks.close()


def test_an_error_arrives_as_itself_and_no_result() -> None:
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post)

    def work(progress: Progress, cancelled: Callable[[], bool]) -> None:
        raise ValueError("broken")

    tasks.submit("a", work, heard.done, heard.failed)
    loop.until(lambda: bool(heard.errors))
    assert isinstance(heard.errors[0], ValueError)
    assert heard.results == []
    assert tasks.busy is None
    tasks.close()


def test_cancel_stops_work_that_only_reports_progress() -> None:
    loop, heard = Loop(), Heard()
    announced: list[float | None] = []
    tasks = Tasks(loop.post)
    ended = threading.Event()

    def work(progress: Progress, cancelled: Callable[[], bool]) -> None:
        try:
            for number in range(100_000):
                progress(number / 100_000, "Counting")
                time.sleep(0.001)
        finally:
            ended.set()

    def seen() -> bool:
        busy = tasks.busy
        announced.append(busy.fraction if busy else None)
        return busy is not None and busy.fraction is not None and busy.title == "Counting"

    tasks.submit("a", work, heard.done, heard.failed, title="Starting")
    loop.until(seen)
    assert tasks.busy is not None
    assert 0 <= tasks.busy.since < 60
    tasks.busy.cancel()
    assert tasks.busy is None
    assert ended.wait(5)
    tasks.close()
    loop.drain()
    assert (heard.results, heard.errors) == ([], [])


def test_close_joins_the_threads_and_delivers_nothing_more() -> None:
    loop, heard = Loop(), Heard()
    before = set(threading.enumerate())
    tasks = Tasks(loop.post)

    def work(progress: Progress, cancelled: Callable[[], bool]) -> int:
        while not cancelled():
            time.sleep(0.001)
        return 1

    for number in range(5):  # more than there are workers: some never begin
        tasks.submit(str(number), work, heard.done, heard.failed)
    tasks.close()
    assert set(threading.enumerate()) <= before  # those of another test may have ended meanwhile
    loop.drain()
    assert heard.results == []
    tasks.submit("late", work, heard.done, heard.failed)
    assert tasks.busy is None
    tasks.close()


def test_without_a_post_work_runs_at_once() -> None:
    heard = Heard()
    changes: list[int] = []
    tasks = Tasks(changed=lambda: changes.append(1))

    def fails(progress: Progress, cancelled: Callable[[], bool]) -> None:
        progress(0.5)
        raise RuntimeError("no")

    tasks.submit("a", lambda progress, cancelled: 3, heard.done, heard.failed)
    tasks.submit("b", fails, heard.done, heard.failed)
    assert heard.results == [3]
    assert [str(error) for error in heard.errors] == ["no"]
    assert tasks.busy is None
    assert changes
    tasks.close()


def test_busy_speaks_of_the_oldest_job() -> None:
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post)
    release = threading.Event()

    def work(progress: Progress, cancelled: Callable[[], bool]) -> None:
        release.wait(5)

    tasks.submit("a", work, heard.done, heard.failed, title="first")
    tasks.submit("b", work, heard.done, heard.failed, title="second")
    assert tasks.busy is not None
    assert tasks.busy.title == "first"
    tasks.cancel("a")
    assert tasks.busy is not None
    assert tasks.busy.title == "second"
    release.set()
    loop.until(lambda: len(heard.results) == 1)
    tasks.close()
    with pytest.raises(AssertionError):
        loop.until(lambda: len(heard.results) == 2, seconds=0.05)


def test_work_that_follows_edits_begins_after_the_last_of_them() -> None:
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post)
    begun: list[tuple[int, float]] = []

    def work(number: int) -> Callable[[Progress, Callable[[], bool]], int]:
        def count(progress: Progress, cancelled: Callable[[], bool]) -> int:
            begun.append((number, time.monotonic()))
            return number

        return count

    start = time.monotonic()
    for number in range(3):
        tasks.submit("a", work(number), heard.done, heard.failed, after=0.1)
        assert tasks.busy is not None
    loop.until(lambda: bool(heard.results))
    assert heard.results == [2]
    assert [number for number, _ in begun] == [2]
    assert begun[0][1] - start >= 0.1
    tasks.submit("a", work(3), heard.done, heard.failed, after=30)
    tasks.close()  # does not wait for what never begins
    assert [number for number, _ in begun] == [2]
    assert time.monotonic() - start < 10
