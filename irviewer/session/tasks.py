"""Long operations on a few threads, with progress and cancellation. A newer operation replaces an older one of the same
name.

Results are delivered through an injected ``post`` (the window posts to its main thread). Without one, work runs
synchronously in the caller's thread. Does not depend on what the work is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from irviewer.session.workers import Workers
from irviewer.translation import tr

T = TypeVar("T")
Post = Callable[[Callable[[], None]], None]
PROGRESS_EVERY = 0.05
PAUSE = 0.15
"""Seconds that work waits after an edit: the edit is painted first without a competing thread, and no work starts that
the next edit would discard."""


AGAIN, LONGER = 1.0, 3
"""A second request within ``AGAIN`` seconds makes the work wait ``LONGER`` times as long: during a slow drag, work
started between two steps would only be discarded."""


LONGEST_WAIT = 0.5
"""Seconds that work under way waits at most until a change is shown."""

LONGEST_REST = 0.03
"""Seconds to wait at most until work that reads files rests: one of many small files takes less."""

WRITING = 30.0
"""Seconds that closing waits for files that are being written, if the user was not asked before."""

PATIENCE = 0.5
"""Seconds that closing waits for work that reads, because a disk that does not respond may block it forever."""


class Cancelled(Exception):  # noqa: N818 - not an error: the user asked for it
    """Raised inside cancelled work; never delivered."""


@dataclass(frozen=True)
class Busy:
    """Running work: its title, the fraction done (0..1, None if unknown), its start (time.monotonic())."""

    title: str
    fraction: float | None
    started: float
    cancel: Callable[[], None]

    @property
    def since(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started


class Progress:
    """Reports progress of a task: call it with the fraction done (None: unknown) and, if it changes, the title.

    Raises Cancelled if the work was cancelled, so that a loop which reports progress needs no other check."""

    def __init__(self, job: _Job, tasks: Tasks) -> None:
        self._job = job
        self._tasks = tasks
        self._last = 0.0

    @property
    def cancelled(self) -> bool:
        """Whether the work was cancelled."""
        return self._job.cancelled.is_set()

    def __call__(self, fraction: float | None, title: str | None = None) -> None:
        self._tasks._let_others_show(self._job)
        self._tasks._rest_if_asked(self._job)
        if self._job.cancelled.is_set():
            raise Cancelled
        self._job.fraction = fraction
        if title is not None:
            self._job.title = title
        now = time.monotonic()
        if now - self._last >= PROGRESS_EVERY and not self._job.operation.quiet:
            self._last = now
            self._tasks._announce_from_worker()


@dataclass(frozen=True)
class Operation(Generic[T]):
    """A long operation: its name, its work, and who receives its outcome.

    name      a newer operation of the same name cancels this one, and its outcome is dropped
    work      called on a thread with a :class:`Progress`; returns the outcome
    done      receives the outcome
    failed    receives an exception in its place; None: what all operations have, see :class:`Tasks`
    title     shown while it runs
    quiet     its progress is not shown
    after     seconds to wait before the work starts; longer if it was requested a moment before
    urgent    does not queue behind work that only adds to what is shown
    lasting   runs in a pool of its own, because it may take long
    reads     reads files and writes none: closing does not wait for it once it is cancelled
    writes    writes a file that the user asked for: has a thread of its own, and closing waits for it
    """

    name: str
    work: Callable[[Progress], T]
    done: Callable[[T], object]
    failed: Callable[[BaseException], object] | None = None
    title: str = ""
    quiet: bool = False
    after: float = 0.0
    urgent: bool = False
    lasting: bool = False
    reads: bool = False
    writes: bool = False


class _Job:
    """An operation under way."""

    def __init__(self, operation: Operation[Any]) -> None:
        self.operation = operation
        self.title = operation.title
        self.ended = threading.Event()
        self.trouble = ""
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.workers: Workers | None = None
        self.fraction: float | None = None
        self.started = time.monotonic()
        self.cancelled = threading.Event()
        self.timer: threading.Timer | None = None

    def stop(self) -> None:
        self.cancelled.set()
        timer, self.timer = self.timer, None
        if timer is not None:
            timer.cancel()
        with self._lock:
            if (self.operation.reads or self.operation.writes) and self.workers is not None:
                self.workers.leave(self._thread)

    def begin(self) -> bool:
        """Store the thread that runs the job; return False if it was already stopped."""
        with self._lock:
            self._thread = threading.current_thread()
        return not self.cancelled.is_set()

    @property
    def reads_now(self) -> bool:
        """Whether it is under way, and reads files."""
        return self.operation.reads and self._thread is not None

    def end(self) -> None:
        """Release the thread: stopping the job does not abandon it any more."""
        with self._lock:
            self._thread = None


def _only_adds(operation: Operation[Any]) -> bool:
    """Return whether an operation only adds to what is shown: nobody waits for it, nor for a disk."""
    return not (operation.urgent or operation.reads or operation.writes)


def _raise(failure: BaseException) -> None:
    raise failure


class Tasks:
    """The operations under way, one per name. All methods must be called from the thread that ``post`` delivers to.
    ``changed`` is called when an operation starts or ends, ``progressed`` when one reports how far it is; ``failed``
    receives the exceptions of operations that have no receiver of their own."""

    def __init__(
        self,
        post: Post | None = None,
        *,
        workers: int = 2,
        changed: Callable[[], None] | None = None,
        progressed: Callable[[], None] | None = None,
        failed: Callable[[BaseException], object] = _raise,
    ) -> None:
        self._post = post
        self._changed = changed
        self._progressed = progressed
        self._failed = failed
        self._jobs: dict[str, _Job] = {}
        self._timers: WeakSet[threading.Timer] = WeakSet()
        """Those that run: one that has ended would hold its job."""
        self._gate = threading.Lock()
        self._held: list[_Job] | None = None
        """What waits until :meth:`go_on`; None while work may begin."""
        self._may_go_on = threading.Event()
        self._may_go_on.set()
        self._rest = threading.Condition()
        self._disturbs = True
        """Whether work that reads files may go on."""
        self._resting: set[_Job] = set()
        self._asked: dict[str, float] = {}
        self._pool = Workers(workers, "irviewer") if post is not None else None
        self._fast = Workers(1, "irviewer urgent") if post is not None else None
        self._lasting = Workers(workers, "irviewer lasting") if post is not None else None
        self._reading = Workers(workers, "irviewer reading") if post is not None else None
        self._writing = Workers(1, "irviewer writing") if post is not None else None  # in the order of asking
        self._checking = Workers(1, "irviewer checking") if post is not None else None
        self._closed = False
        self.left: tuple[threading.Thread, ...] = ()
        """Threads that were still reading when everything else had ended; the process need not wait for them."""

    @property
    def threaded(self) -> bool:
        """Whether work runs on threads; False if it runs synchronously."""
        return self._pool is not None

    @property
    def busy(self) -> Busy | None:
        """The job that has run longest, not counting quiet ones; None if there is none."""
        visible = (job for job in self._jobs.values() if not job.operation.quiet)
        job = min(visible, key=lambda job: job.started, default=None)
        if job is None:
            return None
        return Busy(job.title, job.fraction, job.started, Canceller(self, job.operation.name))

    def run(self, operation: Operation[Any]) -> None:
        """Start an operation; a running one of the same name is cancelled. Without threads it runs synchronously."""
        if self._closed:
            return
        self.cancel(operation.name)
        job = self._jobs[operation.name] = _Job(operation)
        if self._pool is None:
            self._run(job)
            return
        if not operation.quiet:
            self._announce()
        if operation.after <= 0:
            self._begin(job)
            return
        former, self._asked[operation.name] = self._asked.get(operation.name, -AGAIN), job.started
        after = operation.after * (LONGER if job.started - former < AGAIN else 1)
        timer = job.timer = threading.Timer(after, self._begin, (job,))
        timer.daemon = True
        self._timers.add(timer)
        timer.start()

    def hold(self) -> None:
        """Let no work that only adds to what is shown begin before :meth:`go_on`, and what is under way wait where it
        reports progress: a change is shown first, without a competing thread. Work without threads waits for nobody."""
        if self._pool is None:
            return
        with self._gate:
            if self._held is None:
                self._held = []
            self._may_go_on.clear()

    def go_on(self) -> None:
        """Begin what waits, and go on with what is under way."""
        with self._gate:
            held, self._held = self._held or [], None
            self._may_go_on.set()
        for job in held:
            self._put(job)

    @contextmanager
    def undisturbed(self) -> Iterator[None]:
        """While the block runs, let work that reads files rest where it reports progress, which it does by file. For
        one other thread, which has the window's thread import something: beside others that thread has the interpreter
        for a part of the time."""
        if self._pool is None:
            yield
            return
        with self._rest:
            self._disturbs = False
            self._rest.wait_for(self._all_rest, LONGEST_REST)
        try:
            yield
        finally:
            with self._rest:
                self._disturbs = True
                self._rest.notify_all()

    def _all_rest(self) -> bool:
        return all(job in self._resting or not job.reads_now for job in tuple(self._jobs.values()))

    def _rest_if_asked(self, job: _Job) -> None:
        if self._disturbs or not job.operation.reads:
            return
        with self._rest:
            self._resting.add(job)
            self._rest.notify_all()
            self._rest.wait_for(lambda: self._disturbs or job.cancelled.is_set(), LONGEST_WAIT)
            self._resting.discard(job)

    def cancel(self, name: str) -> None:
        """Cancel an operation; its outcome will not be delivered."""
        job = self._jobs.pop(name, None)
        if job is not None:
            job.stop()
            with self._rest:
                self._rest.notify_all()
            if not job.operation.quiet:
                self._announce()

    def under_way(self, name: str) -> bool:
        """Whether an operation of this name is running or waiting."""
        return name in self._jobs

    def finish_writing(self, patience: float) -> tuple[str, ...]:
        """Wait at most ``patience`` seconds until all files are written. Return a line for each file that was not:
        ``Saving table.csv: not finished``."""
        end = time.monotonic() + patience
        writing = [job for job in self._jobs.values() if job.operation.writes]
        for job in writing:
            job.ended.wait(max(0.0, end - time.monotonic()))
        reasons = [(job.title, job.trouble if job.ended.is_set() else tr("not finished")) for job in writing]
        return tuple(f"{title}: {reason}" for title, reason in reasons if reason)

    def close(self) -> None:
        """Cancel everything but work that writes files, and wait for the threads: at most ``WRITING`` seconds for those
        that write, ``PATIENCE`` for those that read. Nothing is delivered afterwards."""
        self._closed = True
        self.finish_writing(WRITING)
        self._may_go_on.set()
        for job in self._jobs.values():
            job.stop()
        self._jobs.clear()
        with self._rest:
            self._rest.notify_all()
        left: list[threading.Thread] = []
        for pool in (self._fast, self._lasting, self._pool, self._reading, self._checking, self._writing):
            if pool is not None:
                left += pool.close(PATIENCE)
        self.left = tuple(left)
        for timer in tuple(self._timers):
            timer.join()  # all are cancelled by now, or by a newer job of their key
        self._timers.clear()

    def _begin(self, job: _Job) -> None:
        job.timer = None  # it refers to the job: what that holds would wait for the garbage collector
        with self._gate:
            if self._held is not None and _only_adds(job.operation):
                self._held.append(job)
                return
        self._put(job)

    def _put(self, job: _Job) -> None:
        pool = self._workers_of(job.operation)
        if pool is not None and not job.cancelled.is_set():
            job.workers = pool
            pool.put(lambda: self._run(job))

    def _workers_of(self, operation: Operation[Any]) -> Workers | None:
        # Reading may wait for a disk: computations do not queue behind it, nor opening files behind change checks.
        if operation.writes:
            return self._writing
        if operation.reads:
            return self._checking if operation.quiet else self._reading
        return self._fast if operation.urgent else self._lasting if operation.lasting else self._pool

    def _run(self, job: _Job) -> None:
        operation = job.operation
        try:
            if not job.begin():
                return
            delivery = _Delivery(self, job, operation.done, operation.work(Progress(job, self)))
        except Cancelled:
            return
        except Exception as error:
            # The receiver explains the error; a worker thread cannot.
            job.trouble = str(error) or type(error).__name__
            delivery = _Delivery(self, job, operation.failed or self._failed, error)
        finally:
            job.end()
            job.ended.set()
        if self._post is None:
            delivery()
        elif not job.cancelled.is_set():
            self._post(delivery)

    def _finish(self, job: _Job) -> bool:
        """Whether the job is still the newest of its key, so that its result is delivered."""
        if self._closed or job.cancelled.is_set() or self._jobs.get(job.operation.name) is not job:
            return False
        del self._jobs[job.operation.name]
        return True

    def _let_others_show(self, job: _Job) -> None:
        if _only_adds(job.operation) and not job.cancelled.is_set():
            self._may_go_on.wait(LONGEST_WAIT)

    def _announce(self) -> None:
        if self._changed is not None and not self._closed:
            self._changed()

    def _announce_progress(self) -> None:
        if self._progressed is not None and not self._closed:
            self._progressed()

    def _announce_from_worker(self) -> None:
        if self._post is not None and not self._closed:
            self._post(self._announce_progress)


class Canceller:
    """Cancels the operation of a Busy value."""

    def __init__(self, tasks: Tasks, name: str) -> None:
        self._tasks = tasks
        self._name = name

    def __call__(self) -> None:
        self._tasks.cancel(self._name)


class _Delivery:
    """A result on its way to the main thread."""

    def __init__(self, tasks: Tasks, job: _Job, receive: Callable[[Any], object], value: Any) -> None:
        self._tasks = tasks
        self._job = job
        self._receive = receive
        self._value = value

    def __call__(self) -> None:
        if self._tasks._finish(self._job):
            try:
                self._receive(self._value)
            finally:
                # Last, so that listeners find the result in place.
                if not self._job.operation.quiet:
                    self._tasks._announce()
