"""Work that takes longer than a person waits: plain callables on a small pool, progress, cancel, the newest wins.

Results come back through an injected ``post`` (the window posts to its main thread); without one, work runs at once in
the caller's thread. Knows nothing of what the work is about."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from irviewer.session.workers import Workers

T = TypeVar("T")
Post = Callable[[Callable[[], None]], None]
PROGRESS_EVERY = 0.05
PAUSE = 0.15
"""Seconds that work waits which follows what a person edits: what they see is painted first, without a thread beside it
that wants the interpreter, and while they go on nothing is begun that the next edit throws away."""


AGAIN, LONGER = 1.0, 3
"""Seconds in which another edit says that the person goes on, and how many times as long the work then waits: begun
between two steps of a slow drag, it would never be of use and always be in the way."""


WRITING = 30.0
"""Seconds that the end waits for files that are being written, where nobody was asked before."""

PATIENCE = 0.5
"""Seconds that the end waits for work that reads: a file on a disk that does not answer may keep it for ever."""


class Cancelled(Exception):  # noqa: N818 - no error: the person asked for it
    """Raised inside work that notices it was cancelled; never delivered."""


@dataclass(frozen=True)
class Busy:
    """The work under way: its title, how far it is (0..1, None where unknown), when it began (time.monotonic())."""

    title: str
    fraction: float | None
    started: float
    cancel: Callable[[], None]

    @property
    def since(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.started


class Progress:
    """Given to work: call it with a fraction (None: unknown) and, where it changes, what is being done.

    Raises Cancelled where the work was cancelled, so that a loop which reports needs no other check."""

    def __init__(self, job: _Job, tasks: Tasks) -> None:
        self._job = job
        self._tasks = tasks
        self._last = 0.0

    def __call__(self, fraction: float | None, title: str | None = None) -> None:
        if self._job.cancelled.is_set():
            raise Cancelled
        self._job.fraction = fraction
        if title is not None:
            self._job.title = title
        now = time.monotonic()
        if now - self._last >= PROGRESS_EVERY and not self._job.quiet:
            self._last = now
            self._tasks._announce_from_worker()


class _Job:
    def __init__(
        self,
        key: str,
        title: str,
        quiet: bool = False,
        urgent: bool = False,
        lasting: bool = False,
        reads: bool = False,
        writes: bool = False,
    ) -> None:
        self.key = key
        self.title = title
        self.quiet = quiet
        self.urgent = urgent
        self.lasting = lasting
        self.reads = reads
        self.writes = writes
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
        if self.timer is not None:
            self.timer.cancel()
        with self._lock:
            if (self.reads or self.writes) and self.workers is not None:
                self.workers.leave(self._thread)

    def begin(self) -> bool:
        """Note the thread that runs it now; False where it was stopped before."""
        with self._lock:
            self._thread = threading.current_thread()
        return not self.cancelled.is_set()

    def end(self) -> None:
        """The thread goes on to others: it is not left when this is stopped."""
        with self._lock:
            self._thread = None


class Tasks:
    """The jobs under way, the newest of each key. All methods belong to the one thread that ``post`` delivers to."""

    def __init__(
        self, post: Post | None = None, *, workers: int = 2, changed: Callable[[], None] | None = None
    ) -> None:
        self._post = post
        self._changed = changed
        self._jobs: dict[str, _Job] = {}
        self._timers: list[threading.Timer] = []
        self._asked: dict[str, float] = {}
        self._pool = Workers(workers, "irviewer") if post is not None else None
        self._fast = Workers(1, "irviewer urgent") if post is not None else None
        self._lasting = Workers(workers, "irviewer lasting") if post is not None else None
        self._reading = Workers(workers, "irviewer reading") if post is not None else None
        self._writing = Workers(1, "irviewer writing") if post is not None else None  # in the order of asking
        self._looking = Workers(1, "irviewer looking") if post is not None else None
        self._closed = False
        self.left: tuple[threading.Thread, ...] = ()
        """Threads that still read when everything else had ended: who ends the process need not wait for them."""

    @property
    def threaded(self) -> bool:
        """False where work runs at once, because nobody can be posted to."""
        return self._pool is not None

    @property
    def busy(self) -> Busy | None:
        """The job that has run longest, None where nothing is under way; quiet ones are nobody's concern."""
        seen = (one for one in self._jobs.values() if not one.quiet)
        job = min(seen, key=lambda one: one.started, default=None)
        if job is None:
            return None
        return Busy(job.title, job.fraction, job.started, Canceller(self, job.key))

    def submit(
        self,
        key: str,
        work: Callable[[Progress, Callable[[], bool]], T],
        done: Callable[[T], None],
        failed: Callable[[BaseException], None],
        *,
        title: str = "",
        quiet: bool = False,
        after: float = 0.0,
        urgent: bool = False,
        lasting: bool = False,
        reads: bool = False,
        writes: bool = False,
    ) -> None:
        """Run ``work(progress, cancelled)`` and deliver its result to ``done`` or its exception to ``failed``. Work of
        the same key that is still under way is cancelled, and its result dropped. ``quiet`` work is not announced and
        never busy: nobody waits for it. ``after`` seconds it begins, unless it is cancelled before; where it was asked
        for just before, longer; at once where there are no threads. ``urgent`` work queues behind nothing that merely
        adds to what is shown; ``lasting`` work goes on while a person is elsewhere, and nothing but its like queues
        behind it. ``reads``: it reads files and writes none, so that nobody waits for it once it is cancelled.
        ``writes``: it writes a file that the user asked for, queues behind nothing else, and is finished before all
        ends."""
        if self._closed:
            return
        self.cancel(key)
        job = self._jobs[key] = _Job(key, title, quiet, urgent, lasting, reads, writes)
        if self._pool is None:
            self._run(job, work, done, failed)
        else:
            if not quiet:
                self._announce()
            if after > 0:
                former, self._asked[key] = self._asked.get(key, -AGAIN), job.started
                after *= LONGER if job.started - former < AGAIN else 1
                job.timer = threading.Timer(after, self._begin, (job, work, done, failed))
                job.timer.daemon = True
                job.timer.start()
                self._timers = [*(one for one in self._timers if one.is_alive()), job.timer]
            else:
                self._begin(job, work, done, failed)

    def cancel(self, key: str) -> None:
        """Ask a job to stop; its result will not be delivered."""
        job = self._jobs.pop(key, None)
        if job is not None:
            job.stop()
            if not job.quiet:
                self._announce()

    def under_way(self, key: str) -> bool:
        """Whether work of this key is under way."""
        return key in self._jobs

    def finish_writing(self, patience: float) -> tuple[str, ...]:
        """Wait until every file is written that is to be, so many seconds at most; a line for each that is not, or
        could not be: ``Saving table.csv: not finished``."""
        end = time.monotonic() + patience
        writing = [job for job in self._jobs.values() if job.writes]
        for job in writing:
            job.ended.wait(max(0.0, end - time.monotonic()))
        whys = [(job.title, job.trouble if job.ended.is_set() else "not finished") for job in writing]
        return tuple(f"{title}: {why}" for title, why in whys if why)

    def close(self) -> None:
        """Cancel everything but what writes files, and wait for the threads to end: for those that write
        ``WRITING`` seconds at most, for those that read ``PATIENCE``; nothing is delivered after this."""
        self._closed = True
        self.finish_writing(WRITING)
        for job in self._jobs.values():
            job.stop()
        self._jobs.clear()
        left: list[threading.Thread] = []
        for pool in (self._fast, self._lasting, self._pool, self._reading, self._looking, self._writing):
            if pool is not None:
                left += pool.close(PATIENCE)
        self.left = tuple(left)
        for timer in self._timers:
            timer.join()  # all are cancelled, by now or by a newer job of their key
        self._timers.clear()

    def _begin(
        self,
        job: _Job,
        work: Callable[[Progress, Callable[[], bool]], Any],
        done: Callable[[Any], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        # What reads may wait for a disk: what computes queues behind none of it, and opening behind no look.
        reading = self._looking if job.quiet else self._reading
        reading = self._writing if job.writes else reading
        pool = (
            reading
            if job.reads or job.writes
            else self._fast
            if job.urgent
            else self._lasting
            if job.lasting
            else self._pool
        )
        if pool is not None and not job.cancelled.is_set():
            job.workers = pool
            pool.put(lambda: self._run(job, work, done, failed))

    def _run(
        self,
        job: _Job,
        work: Callable[[Progress, Callable[[], bool]], Any],
        done: Callable[[Any], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        try:
            if not job.begin():
                return
            delivery = _Delivery(self, job, done, work(Progress(job, self), job.cancelled.is_set))
        except Cancelled:
            return
        except Exception as error:
            # Whatever the work raises is the receiver's to explain; a worker thread has nobody to tell.
            job.trouble = str(error) or type(error).__name__
            delivery = _Delivery(self, job, failed, error)
        finally:
            job.end()
            job.ended.set()
        if self._post is None:
            delivery()
        elif not job.cancelled.is_set():
            self._post(delivery)

    def _finish(self, job: _Job) -> bool:
        """True where the job is still the newest of its key, so that its result counts."""
        if self._closed or job.cancelled.is_set() or self._jobs.get(job.key) is not job:
            return False
        del self._jobs[job.key]
        return True

    def _announce(self) -> None:
        if self._changed is not None and not self._closed:
            self._changed()

    def _announce_from_worker(self) -> None:
        if self._post is not None and not self._closed:
            self._post(self._announce)


class Canceller:
    """What Busy carries to stop its job."""

    def __init__(self, tasks: Tasks, key: str) -> None:
        self._tasks = tasks
        self._key = key

    def __call__(self) -> None:
        self._tasks.cancel(self._key)


class _Delivery:
    """A result on its way to the main thread."""

    def __init__(self, tasks: Tasks, job: _Job, receive: Callable[[Any], None], value: Any) -> None:
        self._tasks = tasks
        self._job = job
        self._receive = receive
        self._value = value

    def __call__(self) -> None:
        if self._tasks._finish(self._job):
            try:
                self._receive(self._value)
            finally:
                # Last: whoever hears that nothing is under way finds the result in place.
                if not self._job.quiet:
                    self._tasks._announce()
