"""The session's state as frozen values: what is open, what is chosen in each collection, and how it is shown.

Does not depend on files, computed numbers or widgets. A change makes a new state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, get_args

from irviewer.analysis.similarity.ties import TieVariant
from irviewer.measures.base import Measure
from irviewer.model.changes.history import History
from irviewer.model.options import EvaluationOptions, evaluation_options
from irviewer.model.protocol import EvaluationProtocol, Rules
from irviewer.model.workspace import Collection, Workspace
from irviewer.session.failures.options import FindingOptions
from irviewer.session.lecture_table.progress import LectureTable
from irviewer.session.messages import Message
from irviewer.session.teaching.lesson import LessonBefore, LessonState

Place = Literal["start", "verdict", "systems", "queries", "query", "compare", "collections"]
ListsMode = Literal["lists", "strips"]
ThemeName = Literal["system", "light", "dark", "contrast", "contrast-dark"]
PLACES: tuple[Place, ...] = get_args(Place)
LISTS_MODES: tuple[ListsMode, ...] = get_args(ListsMode)
THEMES: tuple[ThemeName, ...] = get_args(ThemeName)
TABS: Mapping[str, tuple[str, ...]] = {
    "queries": ("table", "attributes", "failures", "hubs", "relevant", "vector", "recall", "worklist"),
    "query": ("rankings", "stages", "answer", "label"),
    "compare": (
        "pair",
        "slices",
        "matrices",
        "pool",
        "sets",
        "judge",
        "agreement",
        "confusion",
        "judges",
        "corrected",
        "nuggets",
        "lost",
        "sentences",
        "versions",
        "views",
    ),
}
"""The tabs of each place; the first is shown initially."""


@dataclass(frozen=True)
class ChosenScope:
    """What of a collection takes part, by keys of runs.

    queries   name of the query set that values are computed over; "" for all queries
    baseline  the run that others are compared with; None: the one that its name suggests, else the first
    runs      the runs that take part; empty: all but edited copies
    unit      the attribute of queries whose values are the independent units; "": each query is one
    declared  names of the fields that a user or a file named; fields that differ from their defaults are always among
              them
    """

    queries: str = ""
    baseline: int | None = None
    runs: frozenset[int] = frozenset()
    declared: frozenset[str] = frozenset()
    unit: str = ""

    def __post_init__(self) -> None:
        differing = {"queries": self.queries != "", "baseline": self.baseline is not None, "runs": bool(self.runs),
                     "unit": self.unit != ""}  # fmt: skip
        declared = self.declared.union(name for name, differs in differing.items() if differs)
        object.__setattr__(self, "declared", declared)

    def but(self, **fields: Any) -> ChosenScope:
        """Return the scope with other values of some fields, which are declared by that; None, a baseline that nobody
        names, is not."""
        named = {name for name, value in fields.items() if value is not None}
        return replace(self, **fields, declared=(self.declared - fields.keys()) | named)

    def without(self, *names: str) -> ChosenScope:
        """Return the scope with the defaults of some fields, which are declared no longer."""
        defaults = {name: getattr(ChosenScope(), name) for name in names}
        return replace(self, **defaults, declared=self.declared - set(names))


@dataclass(frozen=True)
class Choices:
    """The user's choices in one collection, kept while another collection is in view.

    scope           what of the collection takes part, which is a part of the protocol
    focus           key of the run that differences and the relevance map are about; None: the best shown run but
                    the baseline
    shown           keys of the shown runs, unordered (the collection holds their order)
    pinned          (query, document) shown beside the selected document; ("", "") for none
    zscores         whether values are shown as Z-scores, where the collection has the means for them
    queries_sort    (column, descending)
    systems_sort    (column, descending); None: the selected measure, best first
    systems_outcome "better", "same" or "worse": which runs Systems shows, by what the test shows; "" for all
    stages_filter   which part of the funnel filters the queries of Stages, such as "lost-2"; "" for none
    stages_sort     (column, descending) of the queries of Stages
    stages_missed   whether Stages lists documents that the first stage does not return
    judge_reference the judge that the others are compared with, by its identity; "" for the first human
    judge_pair      the two judges that are compared grade by grade, by their identities; "" for the first two
    attribute_columns   attributes that are columns of the Queries table; None for the preset ones
    attribute_plot      what the plot of attributes shows: (attribute, "delta" or a run's key, attribute of colours)
    run_columns     attributes that are columns of the Systems table; None for all, up to a few
    run_colour      the attribute that runs are grouped and coloured by; "" for their own colours
    run_plot        the attribute that runs are plotted by, and a second one of a heat map; "" for the first ones
    slice_chosen    (attribute, slice) of the slice whose queries are listed, two of a crossed cell; () for none
    slices_searched whether slices where the run loses most are searched
    slice_crossed   the two attributes that are crossed; "" for the first ones
    answer_run      the key of the system whose answer is shown first; None for the baseline
    answer_columns  how many answers are shown side by side
    answer_part     (query, "sentence" or "nugget", which) that is selected in an answer; "" for none
    answer_hints    whether sentences that have words of a nugget are marked
    left            the view to return to; None while the collection is in view or was never shown
    """

    query_id: str = ""
    document_id: str | None = None
    scope: ChosenScope = field(default_factory=ChosenScope)
    focus: int | None = None
    shown: frozenset[int] = frozenset()
    judgments: int = 0
    queries_sort: tuple[str, bool] = ("query", False)
    queries_filter: str = ""
    systems_sort: tuple[str, bool] | None = None
    systems_filter: str = ""
    systems_outcome: str = ""
    pool_sort: tuple[str, bool] = ("", False)
    brushed: frozenset[str] = frozenset()
    attribute_columns: tuple[str, ...] | None = None
    attribute_plot: tuple[str, str, str] = ("", "delta", "")
    run_columns: tuple[str, ...] | None = None
    run_colour: str = ""
    run_plot: tuple[str, str] = ("", "")
    slice_chosen: tuple[tuple[str, str], ...] = ()
    slice_crossed: tuple[str, str] = ("", "")
    slices_searched: bool = False
    pinned: tuple[str, str] = ("", "")
    zscores: bool = False
    stages_filter: str = ""
    stages_sort: tuple[str, bool] = ("value", True)
    stages_missed: bool = False
    judge_reference: str = ""
    judge_pair: tuple[str, str] = ("", "")
    answer_run: int | None = None
    answer_columns: int = 1
    answer_part: tuple[str, str, str] = ("", "", "")
    answer_hints: bool = True
    left: LessonBefore | None = None


@dataclass(frozen=True, eq=False)
class State:
    """The whole state of the application.

    choices   one entry per collection of the workspace, in its order
    current   index of the collection in view; -1 if nothing is open
    protocol  rules, inference and measures of all collections. The scope is among the choices of each collection, and
              how judging was done belongs to each judgment set: ``session.view.protocol`` puts them together
    rbo_p, rbo_depth, rbo_ties  persistence of rank-biased overlap, what lists are cut at for it, and how it counts ties
    agreement the statistic in the matrix of judges
    result_view        the view of the registry that is shown; "" for the first
    report_views       the views that are sections of the report
    result_parameters  its parameters that differ from their defaults, by the name of the view
    cells     the cells of the confusion table that are chosen, as ``row>column`` grades
    slopes    whether systems by judge are drawn as slopes
    columns   how often a table's columns were changed (the columns themselves are settings)
    label_system      the system whose answers are labelled by hand; "" for the first
    label_support     whether citations are labelled, not nuggets; ``label_blind`` whether systems and the labels of
                      others are hidden, in an order drawn by ``label_seed``
    label_at          the item of the answer that keys label
    history   the undo steps of all collections
    systems_hidden    names of the systems that Collections does not draw
    systems_pair      the two systems compared over collections, the second as the baseline; "" to choose them
    collections_sort  (column, descending) of the systems on collections; "" for their own order
    """

    measure: Measure
    cutoff: int
    workspace: Workspace = field(default_factory=Workspace)
    choices: tuple[Choices, ...] = ()
    current: int = -1
    place: Place = "start"
    lists_mode: ListsMode = "lists"
    theme: ThemeName = "system"
    system_dark: bool = False
    system_contrast: bool = False
    tabs: Mapping[str, str] = field(default_factory=dict)
    columns: int = 0
    explaining: bool = False
    explained: tuple[int | None, str] = (None, "")
    systems_hidden: frozenset[str] = frozenset()
    systems_pair: tuple[str, str] = ("", "")
    collections_sort: tuple[str, bool] = ("", False)
    matrix: str = "difference"
    agreement: str = "kappa_quadratic"
    result_view: str = ""
    result_parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    report_views: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    slopes: bool = False
    finding: FindingOptions = field(default_factory=FindingOptions)
    protocol: EvaluationProtocol = field(default_factory=EvaluationProtocol)
    rbo_p: float = 0.9
    rbo_depth: int = 100
    rbo_ties: TieVariant = "a"
    messages: tuple[Message, ...] = ()
    judging: bool = False
    blind: bool = False
    label_system: str = ""
    label_support: bool = False
    label_blind: bool = False
    label_seed: int = 42
    label_at: int = 0
    lesson: LessonState = field(default_factory=LessonState)
    lecture_table: LectureTable = field(default_factory=LectureTable)
    thresholds: tuple[Measure, int, EvaluationProtocol] | None = None
    history: History[Any] = field(default_factory=History)

    @cached_property
    def options(self) -> EvaluationOptions:
        """The rules of the protocol as options of an evaluation."""
        return _options(self.protocol.rules)

    @cached_property
    def collection(self) -> Collection | None:
        """The collection in view."""
        return self.workspace.collections[self.current] if self.current >= 0 else None

    @cached_property
    def chosen(self) -> Choices:
        """The choices of the collection in view; the defaults if nothing is open."""
        return self.choices[self.current] if self.current >= 0 else Choices()

    def with_protocol(self, protocol: EvaluationProtocol) -> State:
        """Return the state with another protocol."""
        return replace(self, protocol=protocol)

    def with_chosen(self, choices: Choices) -> State:
        """Return the state with these choices in the collection in view. Labels begin anew with another query."""
        all_choices = list(self.choices)
        label_at = self.label_at if choices.query_id == all_choices[self.current].query_id else 0
        all_choices[self.current] = choices
        return replace(self, choices=tuple(all_choices), label_at=label_at)

    def with_collection(self, collection: Collection) -> State:
        """Return the state with the collection in view replaced."""
        return replace(self, workspace=self.workspace.with_collection(self.current, collection))


@lru_cache(maxsize=64)
def _options(rules: Rules) -> EvaluationOptions:
    return evaluation_options(rules)
