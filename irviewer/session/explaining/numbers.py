"""Why a number of the view has its value: the numbers of the view that is shown, and their ledgers, computed in the
background."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from irviewer.errors import IrviewerError
from irviewer.session.collections.actions import CollectionService
from irviewer.session.collections.numbers import CollectionNumbers
from irviewer.session.comparison.slice_numbers import SliceNumbers
from irviewer.session.comparison.slices import SliceService
from irviewer.session.judges.comparison import JudgeComparisonService
from irviewer.session.judges.numbers import JudgeNumbers
from irviewer.session.stages.actions import StageService
from irviewer.session.stages.numbers import StageNumbers
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view import View
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel, nothing
from irviewer.translation import tr


@dataclass(frozen=True)
class Number:
    """A number that can be explained: its key and its name for users."""

    key: str
    title: str


class NumberSource(Protocol):
    """The numbers of one kind of view."""

    def titles(self) -> dict[str, str]:
        """Return the names of the numbers of the view that is shown, by their keys; the one that the view shows first
        comes first. Empty where another view is shown, and until the numbers are computed."""
        ...

    def work(self, key: str) -> Callable[[], LedgerViewModel]:
        """Return what computes the ledger of one of these numbers; any thread may call it. It may raise
        IrviewerError."""
        ...


class NumberService:
    """The numbers of the view that is shown, and why each has its value."""

    def __init__(
        self,
        store: Store,
        view: View,
        judge_comparison: JudgeComparisonService,
        slices: SliceService,
        collections: CollectionService,
        stages: StageService,
    ) -> None:
        self._store = store
        self._view = view
        self._sources: tuple[NumberSource, ...] = (
            JudgeNumbers(store, view, judge_comparison),
            SliceNumbers(view, slices),
            CollectionNumbers(store, view, collections),
            StageNumbers(view, stages),
        )

    @property
    def is_here(self) -> bool:
        """True if a view with such numbers is shown, and has them."""
        return any(source.titles() for source in self._sources)

    def numbers(self) -> tuple[Number, ...]:
        """Return the numbers of the view that is shown; the one that the view shows first comes first."""
        return tuple(Number(key, title) for source in self._sources for key, title in source.titles().items())

    def ask(self) -> None:
        """Ask which number to explain."""
        self._store.asked.emit("explain_number")

    def explain(self, key: str, deliver: Callable[[LedgerViewModel], object]) -> None:
        """Compute the ledger of a number in the background and ``deliver`` it."""
        source = next((source for source in self._sources if key in source.titles()), None)
        if source is None:
            return
        work, measure = source.work(key), self._view.measure

        def compute(progress: Progress) -> LedgerViewModel:
            progress(None)
            try:
                return work()
            except IrviewerError as failure:
                return nothing(measure, str(failure))

        self._store.tasks.run(Operation("number", compute, deliver, title=tr("Explaining the number")))
