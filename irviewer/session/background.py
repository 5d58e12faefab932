"""Results that are computed in the background and cached, for all parts of the session.

A result is a function of frozen inputs, and is cached by their key. It is computed when it comes into view, cancelled
when it leaves the view, and announced when it is ready. Without threads (``tasks.threaded`` is False) nothing starts
by itself: ``compute_now`` computes what is in view, for example for a screenshot; ``known`` returns None unless
``at_once`` allows it; ``now`` computes."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from irviewer.session.changes import Change
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress

R_co = TypeVar("R_co", covariant=True)


class Request(Protocol[R_co]):
    """The frozen inputs of a result, and how it is computed from them."""

    @property
    def key(self) -> Hashable:
        """Identifies the result: equal keys mean equal results."""

    def compute(self, progress: Callable[[float], None] | None = None) -> R_co:
        """Compute the result, on any thread. ``progress`` takes fractions of 1; it raises if cancelled."""


_UNKNOWN: Any = object()
R = TypeVar("R")
I = TypeVar("I", bound=Request[Any])  # noqa: E741 - the usual letter


class BackgroundResults(Generic[I, R]):
    """Results of one kind. ``name`` is the prefix of their task names; ``slots`` are independent lines of work, in each
    of which the newest request replaces the older.

    wanted     the inputs that a slot would compute now, most urgent first; () for none
    in_view    the slots whose results are visible
    title      the title shown while a slot is computed
    most       how many results are cached, the last used ones
    size       the bytes that a result takes, and ``most_bytes`` those of all together; those in view and the newest are
               always kept
    announce   the change announced when a result arrives
    after      seconds to wait before the work starts, in which a newer request replaces it
    rest       seconds to sleep on the thread before the work starts, in which it may be cancelled
    quiet      whether progress is not shown
    lasting    whether running work is finished after it leaves the view, as long as its inputs are still wanted
    at_once    whether a result is so cheap that it is computed synchronously when asked for
    arrived    called with every result before it is announced; must not change the state, because a view model may be
               being built
    """

    def __init__(
        self,
        store: Store,
        name: str,
        slots: Sequence[str],
        *,
        wanted: Callable[[str], Sequence[I]],
        in_view: Callable[[], Collection[str]],
        title: Callable[[str], str],
        most: int,
        size: Callable[[R], int] = lambda _: 0,
        most_bytes: int = 0,
        announce: Change = Change.STATISTICS,
        after: float = 0.0,
        rest: float = 0.0,
        quiet: Callable[[], bool] = lambda: False,
        lasting: bool = False,
        at_once: Callable[[I], bool] = lambda _: False,
        arrived: Callable[[I, R], object] = lambda *_: None,
    ) -> None:
        self._store = store
        self._tasks = store.tasks
        self._name = name
        self._slots = tuple(slots)
        self._wanted = wanted
        self._in_view = in_view
        self._title = title
        self._most = most
        self._size = size
        self._most_bytes = most_bytes
        self._sizes: dict[Hashable, int] = {}
        self._announce = frozenset({announce})
        self._after = after
        self._rest = rest
        self._quiet = quiet
        self._lasting = lasting
        self._at_once = at_once
        self._arrived = arrived
        self._kept: dict[Hashable, R] = {}
        self._under_way: dict[str, tuple[Hashable, ...]] = {}
        self._failed: dict[str, tuple[Hashable, ...]] = {}
        store.background.append(self)

    def has(self, inputs: I) -> bool:
        """Whether the result is cached."""
        return inputs.key in self._kept

    def known(self, inputs: I | None) -> R | None:
        """Return the result if it is cached or cheap; None otherwise."""
        if inputs is None:
            return None
        result: R = self._kept.pop(inputs.key, _UNKNOWN)
        if result is not _UNKNOWN:
            self._kept[inputs.key] = result  # now the last used
            return result
        return self.now(inputs) if self._is_cheap(inputs) else None

    def _is_cheap(self, inputs: I) -> bool:
        """Return whether it is computed when it is asked for. What is under way is not, though little of it may be
        left."""
        under_way = (slot for slot, keys in self._under_way.items() if inputs.key in keys)
        return not any(self._tasks.under_way(self._task(slot)) for slot in under_way) and self._at_once(inputs)

    def now(self, inputs: I) -> R:
        """Return the result, computing it synchronously if necessary."""
        if inputs.key not in self._kept:
            result = inputs.compute()
            self._keep(inputs, result, self._size(result))
        return self._kept[inputs.key]

    def forget(self, gone: Callable[[Hashable], bool] = lambda _: True) -> None:
        """Drop the results whose keys are gone, or all."""
        for key in [key for key in self._kept if gone(key)]:
            self._drop(key)

    def _drop(self, key: Hashable) -> None:
        self._kept.pop(key)
        self._sizes.pop(key, None)

    def compute_now(self) -> None:
        """Compute what is in view synchronously."""
        for slot in self._slots:
            if slot in self._in_view():
                for inputs in self._wanted(slot):
                    self.now(inputs)

    def follow(self) -> None:
        """Start what is in view and not cached; cancel what is no longer in view."""
        if not self._tasks.threaded:
            return
        seen = self._in_view()
        for slot in self._slots:
            if slot not in seen:
                self._failed.pop(slot, None)
                if slot in self._under_way and not (self._lasting and self._is_wanted(slot)):
                    self._stop(slot)
                continue
            lacking = [
                inputs for inputs in self._wanted(slot) if inputs.key not in self._kept and not self._is_cheap(inputs)
            ]
            keys = tuple(inputs.key for inputs in lacking)
            if not lacking:
                self._stop(slot)
            elif keys not in (self._under_way.get(slot), self._failed.get(slot)):
                self._start(slot, lacking, keys)

    def _is_wanted(self, slot: str) -> bool:
        keys = tuple(inputs.key for inputs in self._wanted(slot))
        return self._under_way[slot] == keys and self._tasks.under_way(self._task(slot))

    def _task(self, slot: str) -> str:
        return f"{self._name} {slot}".rstrip()

    def _stop(self, slot: str) -> None:
        if self._under_way.pop(slot, None) is not None:
            self._tasks.cancel(self._task(slot))

    def _start(self, slot: str, lacking: Sequence[I], keys: tuple[Hashable, ...]) -> None:
        self._under_way[slot] = keys

        def work(progress: Progress) -> list[tuple[R, int]]:
            if self._rest:
                time.sleep(self._rest)
            results: list[tuple[R, int]] = []
            for number, inputs in enumerate(lacking):

                def step(share: float, number: int = number) -> None:
                    progress((number + share) / len(lacking))

                step(0.0)
                result = inputs.compute(step)
                results.append((result, self._size(result)))
            return results

        def done(results: list[tuple[R, int]]) -> None:
            self._under_way.pop(slot, None)
            for inputs, (result, size) in zip(lacking, results, strict=True):
                self._keep(inputs, result, size)
            self._store.changed.emit(self._announce)

        def failed(failure: BaseException) -> None:
            self._under_way.pop(slot, None)
            self._failed[slot] = keys  # do not retry until it left the view or the inputs changed
            self._store.on_failure(failure)

        self._tasks.run(Operation(
            self._task(slot), work, done, failed,
            title=self._title(slot), quiet=self._quiet(), after=self._after, lasting=self._lasting,
        ))  # fmt: skip

    def _keep(self, inputs: I, result: R, size: int) -> None:
        self._kept[inputs.key] = result
        self._sizes[inputs.key] = size
        while len(self._kept) > self._most:
            self._drop(next(iter(self._kept)))
        if self._most_bytes and sum(self._sizes.values()) > self._most_bytes:
            # What is in view is wanted again at once: dropping one of two would compute them in turn, for ever.
            spared = {wanted.key for slot in self._in_view() for wanted in self._wanted(slot)} | {inputs.key}
            for oldest in [key for key in self._kept if key not in spared]:
                self._drop(oldest)
                if sum(self._sizes.values()) <= self._most_bytes:
                    break
        self._arrived(inputs, result)
