"""Results that are computed in the background and kept: one machine for every part of the session that has some.

A result is made of frozen inputs. Its key says which inputs; it is computed when it comes into view, given up when it
leaves it, kept by its key, and announced when it is there. Where there is no background (``tasks.threaded`` is False)
nothing is begun: ``compute_now`` computes what is in view, as for a picture of the window; ``known`` stays None unless
``at_once`` allows it; ``now`` computes."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from irviewer.session.changes import Change
from irviewer.session.store import Store
from irviewer.session.tasks import Progress

R_co = TypeVar("R_co", covariant=True)


class Inputs(Protocol[R_co]):
    """The frozen inputs of a result, and how it is computed of them."""

    @property
    def key(self) -> Hashable:
        """Equal keys, equal results."""

    def compute(self, progress: Callable[[float], None] | None = None) -> R_co:
        """Compute it, on any thread; ``progress`` takes shares of 1, and raises where nobody wants it any more."""


R = TypeVar("R")
I = TypeVar("I", bound=Inputs[Any])  # noqa: E741 - the usual letter


class BackgroundResults(Generic[I, R]):
    """``name`` begins the names of its tasks. ``slots`` are the lines of work, in each of which the newest wins.

    wanted     what a slot would compute for what is open now, most urgent first; () nothing
    in_view    the slots that somebody looks at now
    title      what is said of a slot that is under way
    most       how many results are kept, the newest
    announce   what is said to have changed when a result arrives
    after      seconds before it is given to a thread, in which a newer wish replaces it
    rest       seconds it sleeps on its thread first, and may still be cancelled
    quiet      whether nobody waits for it now
    lasting    work that is under way is finished when it leaves the view, as long as it is still what was wanted
    at_once    whether a result takes so little time that it is computed when it is asked for
    arrived    called with every result before it is announced; changes no state, for a view model may be asking for it
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
        """Whether the result is there."""
        return inputs.key in self._kept

    def known(self, inputs: I | None) -> R | None:
        """The result where it is there, or takes no time to speak of; None otherwise."""
        if inputs is None:
            return None
        if inputs.key not in self._kept and self._at_once(inputs):
            return self.now(inputs)
        return self._kept.get(inputs.key)

    def now(self, inputs: I) -> R:
        """The result, computed at once where it is not there."""
        if inputs.key not in self._kept:
            self._keep(inputs, inputs.compute())
        return self._kept[inputs.key]

    def compute_now(self) -> None:
        """Compute at once what is in view."""
        for slot in self._slots:
            if slot in self._in_view():
                for inputs in self._wanted(slot):
                    self.now(inputs)

    def follow(self) -> None:
        """Begin what is in view and is not there, give up what nobody looks at any more."""
        if not self._tasks.threaded:
            return
        seen = self._in_view()
        for slot in self._slots:
            if slot not in seen:
                self._failed.pop(slot, None)
                if slot in self._under_way and not (self._lasting and self._is_wanted(slot)):
                    self._stop(slot)
                continue
            lacking = [one for one in self._wanted(slot) if one.key not in self._kept and not self._at_once(one)]
            keys = tuple(one.key for one in lacking)
            if not lacking:
                self._stop(slot)
            elif keys not in (self._under_way.get(slot), self._failed.get(slot)):
                self._start(slot, lacking, keys)

    def _is_wanted(self, slot: str) -> bool:
        keys = tuple(one.key for one in self._wanted(slot))
        return self._under_way[slot] == keys and self._tasks.under_way(self._task(slot))

    def _task(self, slot: str) -> str:
        return f"{self._name} {slot}".rstrip()

    def _stop(self, slot: str) -> None:
        if self._under_way.pop(slot, None) is not None:
            self._tasks.cancel(self._task(slot))

    def _start(self, slot: str, lacking: Sequence[I], keys: tuple[Hashable, ...]) -> None:
        self._under_way[slot] = keys

        def work(progress: Progress, cancelled: Callable[[], bool]) -> list[R]:
            if self._rest:
                time.sleep(self._rest)
            found = []
            for number, inputs in enumerate(lacking):

                def step(share: float, number: int = number) -> None:
                    progress((number + share) / len(lacking))

                step(0.0)
                found.append(inputs.compute(step))
            return found

        def done(found: list[R]) -> None:
            self._under_way.pop(slot, None)
            for inputs, one in zip(lacking, found, strict=True):
                self._keep(inputs, one)
            self._store.changed.emit(self._announce)

        def failed(failure: BaseException) -> None:
            self._under_way.pop(slot, None)
            self._failed[slot] = keys  # not again, before it left the view or something else was wanted
            self._store.on_failure(failure)

        self._tasks.submit(
            self._task(slot), work, done, failed,
            title=self._title(slot), quiet=self._quiet(), after=self._after, lasting=self._lasting,
        )  # fmt: skip

    def _keep(self, inputs: I, found: R) -> None:
        self._kept[inputs.key] = found
        while len(self._kept) > self._most:
            self._kept.pop(next(iter(self._kept)))
        self._arrived(inputs, found)
