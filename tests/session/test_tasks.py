"""Background work: the newest wins, cancel is heard, errors arrive, nothing is left running."""

from __future__ import annotations

import functools
import gc
import math
import threading
import time
import weakref
from collections.abc import Callable
from queue import Queue
from typing import ClassVar

import pytest
from patience import LONG, deliver

from irviewer.session import tasks as tasks_module
from irviewer.session.tasks import Operation, Progress, Tasks, _Job
from irviewer.session.workers import Workers

Call = Callable[[], None]


class Loop:
    """A main thread that runs what was posted when asked to."""

    def __init__(self) -> None:
        self.queue: Queue[Call] = Queue()

    def post(self, call: Call) -> None:
        self.queue.put(call)

    def until(self, true: Callable[[], bool], seconds: float = LONG) -> None:
        deliver(self.queue, true, seconds=seconds)

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

    def work(progress: Progress) -> int:
        threads.append(threading.get_ident())
        return 7

    tasks.run(Operation("a", work, heard.done, heard.failed, title="Seven"))
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

    def slow(progress: Progress) -> str:
        started.set()
        while not progress.cancelled:
            time.sleep(0.001)
        noticed.set()
        return "old"

    tasks.run(Operation("a", slow, heard.done, heard.failed))
    assert started.wait(LONG)
    tasks.run(Operation("a", lambda progress: "new", heard.done, heard.failed))
    assert noticed.wait(LONG)
    loop.until(lambda: bool(heard.results))
    loop.drain()
    assert heard.results == ["new"]
    tasks.close()


def test_a_stale_result_that_was_posted_already_is_dropped() -> None:
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post)
    tasks.run(Operation("a", lambda progress: "old", heard.done, heard.failed))
    delivery = loop.queue.get(timeout=LONG)
    tasks.run(Operation("a", lambda progress: "new", heard.done, heard.failed))
    delivery()
    assert heard.results == []
    loop.until(lambda: bool(heard.results))
    assert heard.results == ["new"]
    tasks.close()


def test_other_keys_do_not_disturb_each_other() -> None:
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post)
    for name in "ab":
        tasks.run(Operation(name, lambda progress, name=name: name, heard.done, heard.failed))  # type: ignore[misc]
    loop.until(lambda: len(heard.results) == 2)
    assert sorted(map(str, heard.results)) == ["a", "b"]
    tasks.close()


def test_an_error_arrives_as_itself_and_no_result() -> None:
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post)

    def work(progress: Progress) -> None:
        raise ValueError("broken")

    tasks.run(Operation("a", work, heard.done, heard.failed))
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

    def work(progress: Progress) -> None:
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

    tasks.run(Operation("a", work, heard.done, heard.failed, title="Starting"))
    loop.until(seen)
    assert tasks.busy is not None
    assert tasks.busy.since >= 0
    tasks.busy.cancel()
    assert tasks.busy is None
    assert ended.wait(LONG)
    tasks.close()
    loop.drain()
    assert (heard.results, heard.errors) == ([], [])


def test_close_joins_the_threads_and_delivers_nothing_more() -> None:
    loop, heard = Loop(), Heard()
    before = set(threading.enumerate())
    tasks = Tasks(loop.post)

    def work(progress: Progress) -> int:
        while not progress.cancelled:
            time.sleep(0.001)
        return 1

    for number in range(5):  # more than there are workers: some never begin
        tasks.run(Operation(str(number), work, heard.done, heard.failed))
    tasks.close()
    assert set(threading.enumerate()) <= before  # those of another test may have ended meanwhile
    loop.drain()
    assert heard.results == []
    tasks.run(Operation("late", work, heard.done, heard.failed))
    assert tasks.busy is None
    tasks.close()


def test_work_that_hangs_at_a_file_is_left_behind() -> None:
    """Neither its being cancelled nor the end waits for it; what writes is waited for."""
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post, workers=1)
    hangs, writing, written = threading.Event(), threading.Event(), threading.Event()
    begun = threading.Event()

    def reads(progress: Progress) -> int:
        begun.set()
        hangs.wait(LONG)
        return 1

    def writes(progress: Progress) -> None:
        writing.set()
        while not progress.cancelled:
            time.sleep(0.001)
        written.set()

    tasks.run(Operation("open", reads, heard.done, heard.failed, reads=True))
    assert begun.wait(LONG)
    tasks.cancel("open")
    tasks.run(Operation("open", lambda progress: 7, heard.done, heard.failed, reads=True))
    loop.until(lambda: bool(heard.results))  # though there is one worker, and it hangs
    assert heard.results == [7]
    tasks.run(Operation("look", reads, heard.done, heard.failed, reads=True, quiet=True))
    tasks.run(Operation("open", reads, heard.done, heard.failed, reads=True))
    tasks.run(Operation("save", writes, heard.done, heard.failed))
    assert writing.wait(LONG)
    tasks.close()
    assert written.is_set()
    assert 1 <= len(tasks.left) <= 3
    assert all(thread.daemon and thread.name.startswith("irviewer") for thread in tasks.left)
    hangs.set()
    for thread in tasks.left:
        thread.join(LONG)
    loop.drain()
    assert heard.results == [7]


def test_a_worker_that_is_done_is_not_left_with_what_it_does_next() -> None:
    """A save on the same thread would not be waited for."""
    loop, heard = Loop(), Heard()
    workers = Workers(1, "one")
    job = _Job(Operation("a", lambda _: None, print, reads=True))
    job.workers = workers
    ended, held = threading.Event(), threading.Event()

    def first() -> None:
        job.begin()
        job.end()
        ended.set()

    workers.put(first)
    workers.put(lambda: held.wait(LONG) and None)  # type: ignore[func-returns-value]
    assert ended.wait(LONG)
    job.stop()
    closed: list[object] = []
    closing = threading.Thread(target=lambda: closed.append(workers.close(0.0)))
    closing.start()
    assert not closed
    held.set()
    closing.join(LONG)
    assert closed == [[]]
    loop.drain()
    assert heard.results == []


def test_without_a_post_work_runs_immediately() -> None:
    heard = Heard()
    changes: list[int] = []
    tasks = Tasks(changed=lambda: changes.append(1))

    def fails(progress: Progress) -> None:
        progress(0.5)
        raise RuntimeError("no")

    tasks.run(Operation("a", lambda progress: 3, heard.done, heard.failed))
    tasks.run(Operation("b", fails, heard.done, heard.failed))
    assert heard.results == [3]
    assert [str(error) for error in heard.errors] == ["no"]
    assert tasks.busy is None
    assert changes
    tasks.close()


def test_progress_is_no_beginning_or_end() -> None:
    loop, heard, announced = Loop(), Heard(), list[str]()
    tasks = Tasks(
        loop.post, changed=lambda: announced.append("changed"), progressed=lambda: announced.append("progress")
    )
    begun, release = threading.Event(), threading.Event()

    def work(progress: Progress) -> None:
        progress(0.5)
        begun.set()
        release.wait(LONG)

    tasks.run(Operation("a", work, heard.done, heard.failed))
    assert begun.wait(LONG)
    loop.drain()
    tasks.cancel("a")
    assert announced == ["changed", "progress", "changed"]
    release.set()
    tasks.close()


def test_busy_speaks_of_the_oldest_job() -> None:
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post)
    release = threading.Event()

    def work(progress: Progress) -> None:
        release.wait(LONG)

    tasks.run(Operation("a", work, heard.done, heard.failed, title="first"))
    tasks.run(Operation("b", work, heard.done, heard.failed, title="second"))
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


class ByHand:
    """Stands for a timer whose time comes when the test says so."""

    made: ClassVar[list[ByHand]] = []

    def __init__(self, seconds: float, act: Callable[..., object], given: tuple[object, ...]) -> None:
        self.seconds = seconds
        self.daemon = False
        self.started = self.cancelled = False
        self._act = functools.partial(act, *given)
        self.made.append(self)

    def start(self) -> None:
        self.started = True

    def cancel(self) -> None:
        self.cancelled = True

    def is_alive(self) -> bool:
        return False

    def join(self) -> None:
        return None

    def goes_off(self) -> None:
        self._act()


def test_urgent_work_waits_for_no_other() -> None:
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post, workers=1)
    held = threading.Event()
    tasks.run(Operation("slow", lambda progress: held.wait(LONG), heard.done, heard.failed))
    tasks.run(Operation("behind", lambda progress: 1, heard.done, heard.failed))
    tasks.run(Operation("urgent", lambda progress: 2, heard.done, heard.failed, urgent=True))
    loop.until(lambda: bool(heard.results))
    assert heard.results == [2]
    held.set()
    loop.until(lambda: len(heard.results) == 3)
    assert heard.results == [2, True, 1]
    tasks.close()


def test_work_that_follows_edits_begins_after_the_last_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post)
    begun: list[int] = []

    def work(number: int) -> Callable[[Progress], int]:
        def count(progress: Progress) -> int:
            begun.append(number)
            return number

        return count

    with monkeypatch.context() as patch:
        patch.setattr(threading, "Timer", ByHand)
        patch.setattr(ByHand, "made", [])
        patch.setattr("irviewer.session.tasks.AGAIN", math.inf)  # however long this thread is kept waiting
        for number in range(3):
            tasks.run(Operation("a", work(number), heard.done, heard.failed, after=0.1))
            assert tasks.busy is not None
        # Who was there just before goes on: the second waits longer.
        assert [round(timer.seconds, 9) for timer in ByHand.made] == [0.1, 0.3, 0.3]
        assert all(timer.started and timer.daemon for timer in ByHand.made)
        assert [timer.cancelled for timer in ByHand.made] == [True, True, False]
        for timer in ByHand.made:  # a timer may go off while it is cancelled
            assert begun == []
            timer.goes_off()
    loop.until(lambda: bool(heard.results))
    assert heard.results == begun == [2]
    tasks.close()


def test_a_pause_ends_automatically_or_with_the_window() -> None:
    loop, heard = Loop(), Heard()
    before = set(threading.enumerate())
    tasks = Tasks(loop.post)
    tasks.run(Operation("a", lambda progress: 1, heard.done, heard.failed, after=0.01))
    loop.until(lambda: bool(heard.results))
    for number in range(2, 5):
        tasks.run(Operation("a", lambda progress, n=number: n, heard.done, heard.failed, after=3600))  # type: ignore[misc]
    tasks.close()  # does not wait for what never begins
    assert set(threading.enumerate()) <= before
    loop.drain()
    assert heard.results == [1]


@pytest.mark.parametrize("stopped", [False, True])
def test_what_a_paused_operation_held_goes_without_a_collection(stopped: bool) -> None:
    """It held a context with the values of hundreds of runs."""
    loop, heard, before = Loop(), Heard(), set(threading.enumerate())
    tasks = Tasks(loop.post)
    held = Heard()
    seen = weakref.ref(held)
    collects = gc.isenabled()
    gc.disable()
    try:
        after = 3600.0 if stopped else 0.001
        tasks.run(Operation("a", functools.partial(_first, 1, held), heard.done, heard.failed, after=after))
        if stopped:
            tasks.cancel("a")
        else:
            loop.until(lambda: bool(heard.results))
        while began := set(threading.enumerate()) - before:
            began.pop().join()
        del held, began
        assert seen() is None
    finally:
        tasks.close()
        if collects:
            gc.enable()


def _first(number: int, *_: object) -> int:
    return number


def test_nothing_queues_behind_work_that_lasts() -> None:
    loop = Loop()
    tasks = Tasks(loop.post, workers=1)
    held, results = threading.Event(), list[object]()

    def hold(progress: Progress) -> str:
        assert held.wait(LONG)
        return "long"

    tasks.run(Operation("long", hold, results.append, results.append, lasting=True))
    tasks.run(Operation("short", lambda progress: "short", results.append, results.append))
    loop.until(lambda: bool(results))
    assert results == ["short"]
    held.set()
    loop.until(lambda: len(results) == 2)
    assert results == ["short", "long"]
    tasks.close()


def test_what_only_adds_to_what_is_shown_waits_until_a_change_was_painted() -> None:
    """Statistics of 500 runs began before the window showed the runs, and took half of its processor."""
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post)
    tasks.hold()
    tasks.hold()
    for name in ("statistics", "bands"):
        tasks.run(Operation(name, lambda progress, name=name: name, heard.done, heard.failed))  # type: ignore[misc]
    later = Operation("later", lambda progress: "later", heard.done, heard.failed, after=1e-6)
    tasks.run(later)  # begins by a timer, on its thread
    tasks.cancel("bands")
    asked = ("urgent", "reads", "writes")
    for name in asked:
        what = {name: True}
        tasks.run(Operation(name, lambda progress, name=name: name, heard.done, heard.failed, **what))  # type: ignore[misc,arg-type]
    loop.until(lambda: len(heard.results) == len(asked))
    for timer in tuple(tasks._timers):
        timer.join()  # nothing is posted when it has run
    assert len(tasks._held or ()) == 3
    assert sorted(map(str, heard.results)) == sorted(asked)
    assert tasks.under_way("statistics")
    tasks.go_on()
    tasks.go_on()
    loop.until(lambda: len(heard.results) == len(asked) + 2)
    assert {"statistics", "later"} <= set(heard.results)
    tasks.close()


def test_what_is_under_way_waits_where_it_reports_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post)
    monkeypatch.setattr(tasks_module, "LONGEST_WAIT", LONG)
    steps: dict[str, list[int]] = {"adds": [], "urgent": []}
    begun = {name: threading.Event() for name in steps}
    on = threading.Event()

    def work(progress: Progress, name: str) -> str:
        for number in range(2):
            progress(number / 2)
            steps[name].append(number)
            begun[name].set()
            assert on.wait(LONG)
        return name

    for name in steps:
        tasks.run(Operation(name, functools.partial(work, name=name), heard.done, urgent=name == "urgent"))
        assert begun[name].wait(LONG)
    tasks.hold()
    on.set()
    loop.until(lambda: heard.results == ["urgent"])
    assert steps["adds"] == [0]
    tasks.go_on()
    loop.until(lambda: heard.results == ["urgent", "adds"])
    tasks.close()


def test_what_waits_when_all_ends_never_begins() -> None:
    loop, heard = Loop(), Heard()
    tasks = Tasks(loop.post)
    tasks.hold()
    tasks.run(Operation("a", lambda progress: "a", heard.done, heard.failed))
    tasks.close()
    tasks.go_on()
    loop.drain()
    assert heard.results == []


def test_work_on_the_callers_thread_never_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else would call ``go_on``: every report of progress took half a second."""
    tasks, heard, waited = Tasks(), Heard(), list[float]()
    tasks.hold()
    monkeypatch.setattr(tasks._may_go_on, "wait", lambda seconds: tasks._may_go_on.is_set() or waited.append(seconds))
    tasks.run(Operation("a", lambda progress: progress(0.5), heard.done, heard.failed))
    assert heard.results == [None] and waited == []


def test_cancelled_work_does_not_wait_until_a_change_was_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, waited = Loop(), list[float]()
    tasks = Tasks(loop.post)
    begun, on, ended = (threading.Event() for _ in range(3))

    def work(progress: Progress) -> None:
        begun.set()
        assert on.wait(LONG)
        try:
            progress(0.5)
        finally:
            ended.set()

    tasks.run(Operation("a", work, pytest.fail))
    assert begun.wait(LONG)
    tasks.hold()
    monkeypatch.setattr(tasks._may_go_on, "wait", waited.append)
    tasks.cancel("a")
    on.set()
    assert ended.wait(LONG)
    assert waited == []
    tasks.close()


class Reading:
    """Work that reads as many files as ``on`` is set for; ``read`` counts them."""

    def __init__(self) -> None:
        self.read, self.begun, self.on = 0, threading.Event(), threading.Event()

    def __call__(self, progress: Progress) -> str:
        for number in range(2):
            progress(number / 2)
            self.read += 1
            self.begun.set()
            assert self.on.wait(LONG)
        return "read"


def test_work_that_reads_rests_between_two_files_while_it_would_disturb(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening 500 files while the window imported its dialogs left it a third of the time."""
    monkeypatch.setattr(tasks_module, "LONGEST_REST", LONG)
    monkeypatch.setattr(tasks_module, "LONGEST_WAIT", LONG)
    loop, heard, reading, other = Loop(), Heard(), Reading(), Reading()
    tasks = Tasks(loop.post)
    other.on.set()
    tasks.run(Operation("files", reading, heard.done, reads=True))
    assert reading.begun.wait(LONG)
    reading.on.set()
    with tasks.undisturbed():  # once it rests
        assert reading.read == 1
        tasks.run(Operation("urgent", other, heard.done, urgent=True))  # what the user waits for goes on
        loop.until(lambda: heard.results == ["read"])
        assert reading.read == 1
    loop.until(lambda: heard.results == ["read", "read"])
    assert reading.read == 2
    with tasks.undisturbed():  # nothing reads any more
        pass
    tasks.close()


def test_work_that_does_not_rest_is_not_waited_for_and_what_is_cancelled_does_not_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tasks_module, "LONGEST_REST", 0.001)
    monkeypatch.setattr(tasks_module, "LONGEST_WAIT", LONG)
    loop, reading = Loop(), Reading()
    tasks = Tasks(loop.post)
    tasks.run(Operation("files", reading, pytest.fail, reads=True))
    assert reading.begun.wait(LONG)
    (thread,) = (thread for thread in threading.enumerate() if thread.name == "irviewer reading")
    with tasks.undisturbed():
        assert reading.read == 1
        reading.on.set()
        tasks.cancel("files")
        thread.join(LONG)
        assert not thread.is_alive() and reading.read == 1
    tasks.close()


def test_nothing_rests_in_the_thread_that_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks_module, "LONGEST_WAIT", LONG)
    tasks, heard, reading = Tasks(), Heard(), Reading()
    reading.on.set()
    with tasks.undisturbed():
        tasks.run(Operation("files", reading, heard.done, reads=True))
    assert heard.results == ["read"]
