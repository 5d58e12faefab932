"""The session's state as frozen values: what is open, what is chosen in each collection, and how it is shown.

Knows nothing of files, numbers or widgets; a change is a new state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, get_args

from irviewer.measures.base import Measure
from irviewer.model.history import History
from irviewer.model.options import EvaluationOptions
from irviewer.model.workspace import Collection, Workspace
from irviewer.session.comparison.options import StatisticsOptions
from irviewer.session.failures.options import FindingOptions
from irviewer.session.messages import Message
from irviewer.session.teaching.lesson import Lesson, LessonBefore

Place = Literal["start", "systems", "queries", "query", "compare"]
ListsMode = Literal["lists", "strips"]
ThemeName = Literal["system", "light", "dark"]
PLACES: tuple[Place, ...] = get_args(Place)
LISTS_MODES: tuple[ListsMode, ...] = get_args(ListsMode)
THEMES: tuple[ThemeName, ...] = get_args(ThemeName)
TABS: Mapping[str, tuple[str, ...]] = {
    "queries": ("table", "failures", "relevant", "vector", "hubs", "recall", "worklist"),
    "compare": ("pair", "matrices", "pool", "sets"),
}
"""The views that share a place, one of which is seen; the first one at first."""


@dataclass(frozen=True)
class Choices:
    """What a person chose in one collection; it is found again when they come back to it.

    focus           the run that deltas and the map speak of, None: the best shown run beside the baseline
    shown           keys of the runs shown, in no order (the collection's order is the person's)
    pinned          (query, document) that stays beside the selected one, ("", "") for none
    zscores         values are shown as Z-scores, where the collection has means for them
    query_set       the name of the query set that numbers are of, "" all queries
    queries_sort    (column, descending); systems_sort None: the chosen measure, best first
    left            how it was left for another collection, None while it is in view or was never seen
    """

    query_id: str = ""
    document_id: str | None = None
    baseline: int | None = None
    focus: int | None = None
    shown: frozenset[int] = frozenset()
    judgments: int = 0
    query_set: str = ""
    queries_sort: tuple[str, bool] = ("query", False)
    queries_filter: str = ""
    systems_sort: tuple[str, bool] | None = None
    systems_filter: str = ""
    pool_sort: tuple[str, bool] = ("", False)
    brushed: frozenset[str] = frozenset()
    pinned: tuple[str, str] = ("", "")
    zscores: bool = False
    left: LessonBefore | None = None


@dataclass(frozen=True, eq=False)
class State:
    """All of it. ``choices`` stand beside the workspace's collections; ``current`` is -1 where nothing is open;
    ``columns`` counts the changes of a table's columns, which are settings; ``history`` are the steps of what the user
    did to data, of all collections (``session.edits.Change``)."""

    measure: Measure
    cutoff: int
    workspace: Workspace = field(default_factory=Workspace)
    choices: tuple[Choices, ...] = ()
    current: int = -1
    place: Place = "start"
    lists_mode: ListsMode = "lists"
    theme: ThemeName = "system"
    system_dark: bool = False
    tabs: Mapping[str, str] = field(default_factory=dict)
    columns: int = 0
    explaining: bool = False
    explained: tuple[int | None, str] = (None, "")
    matrix: str = "difference"
    finding: FindingOptions = field(default_factory=FindingOptions)
    options: EvaluationOptions = field(default_factory=EvaluationOptions)
    statistics: StatisticsOptions = field(default_factory=StatisticsOptions)
    messages: tuple[Message, ...] = ()
    judging: bool = False
    blind: bool = False
    lesson: Lesson = field(default_factory=Lesson)
    thresholds: tuple[Measure, int, EvaluationOptions] | None = None
    history: History[Any] = field(default_factory=History)

    @cached_property
    def collection(self) -> Collection | None:
        """The collection in view."""
        return self.workspace.collections[self.current] if self.current >= 0 else None

    @cached_property
    def chosen(self) -> Choices:
        """The choices of the collection in view; the defaults where nothing is open."""
        return self.choices[self.current] if self.current >= 0 else Choices()

    def with_chosen(self, choices: Choices) -> State:
        """The state with other choices in the collection in view."""
        every = list(self.choices)
        every[self.current] = choices
        return replace(self, choices=tuple(every))

    def with_collection(self, collection: Collection) -> State:
        """The state with the collection in view replaced."""
        return replace(self, workspace=self.workspace.with_collection(self.current, collection))
