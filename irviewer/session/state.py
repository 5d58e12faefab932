"""The session's state as frozen values: what is open, what is chosen in each collection, and how it is shown.

Knows nothing of files, numbers or widgets; a change is a new state."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from irviewer.model.measure import Measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.workspace import Collection, Workspace
from irviewer.session.messages import Message

Place = Literal["start", "systems", "queries", "query"]
ListsMode = Literal["lists", "strips"]
ThemeName = Literal["system", "light", "dark"]
PLACES: tuple[Place, ...] = get_args(Place)
LISTS_MODES: tuple[ListsMode, ...] = get_args(ListsMode)
THEMES: tuple[ThemeName, ...] = get_args(ThemeName)

ASPECTS = frozenset(
    {
        "workspace",
        "collection",
        "runs",
        "measure",
        "query",
        "document",
        "place",
        "order",
        "theme",
        "messages",
        "busy",
        "mode",
    }
)
"""What an announcement may say has changed."""


@dataclass(frozen=True)
class Choices:
    """What a person chose in one collection; it is found again when they come back to it.

    focus           the run that deltas and the map speak of, None: the best shown run beside the baseline
    shown           keys of the runs shown, in no order (the collection's order is the person's)
    queries_sort    (column, descending); systems_sort None: the chosen measure, best first
    """

    query_id: str = ""
    document_id: str | None = None
    baseline: int | None = None
    focus: int | None = None
    shown: frozenset[int] = frozenset()
    judgments: int = 0
    queries_sort: tuple[str, bool] = ("query", False)
    queries_filter: str = ""
    systems_sort: tuple[str, bool] | None = None


@dataclass(frozen=True, eq=False)
class State:
    """All of it. ``choices`` stand beside the workspace's collections; ``current`` is -1 where nothing is open."""

    measure: Measure
    cutoff: int
    workspace: Workspace = field(default_factory=Workspace)
    choices: tuple[Choices, ...] = ()
    current: int = -1
    place: Place = "start"
    lists_mode: ListsMode = "lists"
    theme: ThemeName = "system"
    system_dark: bool = False
    options: EvaluationOptions = field(default_factory=EvaluationOptions)
    messages: tuple[Message, ...] = ()

    @property
    def collection(self) -> Collection | None:
        """The collection in view."""
        return self.workspace.collections[self.current] if self.current >= 0 else None

    @property
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
