"""The session: everything a person can do to what is open and chosen. Qt-free, used from one thread.

Each action makes a new frozen state and announces once what has changed; views pull their pages (``queries.py``).
Nothing that hears an announcement may change the session."""

from __future__ import annotations

from dataclasses import replace

from irviewer.errors import IrviewerError, MeasureError
from irviewer.measures.parser import parse_measure
from irviewer.model.workspace import Regime
from irviewer.session import state_changes
from irviewer.session.comparison.actions import ComparisonSaving
from irviewer.session.comparison.fusion import Fusing
from irviewer.session.comparison.matrices import Matrices
from irviewer.session.comparison.pooling import Pooling
from irviewer.session.curves.actions import CurveLooks
from irviewer.session.default_measures import cutoff_of, measure_at
from irviewer.session.dialects import DialectActions
from irviewer.session.document_lengths import needs_lengths
from irviewer.session.explaining.actions import Explaining
from irviewer.session.explaining.document_actions import DocumentActions
from irviewer.session.explaining.ties import TieActions
from irviewer.session.files.disk_actions import DiskActions
from irviewer.session.judging.actions import JudgingActions
from irviewer.session.judging.in_lists import ListJudging
from irviewer.session.judging.run_editing import RerankingActions
from irviewer.session.messages import error, warning, without_topic
from irviewer.session.notes import NoteActions
from irviewer.session.projects.actions import ProjectActions
from irviewer.session.query_sets import SetActions
from irviewer.session.runs import RunActions
from irviewer.session.state import LISTS_MODES, PLACES, TABS, THEMES, State
from irviewer.session.teaching.actions import LessonActions
from irviewer.session.teaching.examples import is_taught
from irviewer.session.teaching.sliders import ThresholdActions
from irviewer.session.text.columns import QueryColumns
from irviewer.session.zscore_actions import ZScoreActions

NOT_A_MEASURE = "not a measure"
"""The topic of what was said of a text that names no measure: taken back once one is chosen."""


class Session(
    ProjectActions,
    NoteActions,
    DialectActions,
    DiskActions,
    RunActions,
    SetActions,
    JudgingActions,
    RerankingActions,
    LessonActions,
    ThresholdActions,
    Matrices,
    Pooling,
    Fusing,
    ComparisonSaving,
    CurveLooks,
    QueryColumns,
    Explaining,
    ListJudging,
    TieActions,
    DocumentActions,
    ZScoreActions,
):
    """How it is made and what it announces is said at :class:`SessionCore`. What can be done to files and to runs
    is a class each, made of ``SessionCore``; here stands what is left."""

    # --- where one is ---

    def set_place(self, place: str) -> None:
        """Go to a place; where nothing is open there is only the start."""
        if place not in PLACES:
            raise IrviewerError(f"there is no place {place!r}; there are {', '.join(PLACES)}")
        if self.collection is not None or place == "start":
            self._apply(replace(self._state, place=place))

    def set_tab(self, place: str, name: str) -> None:
        """See another view of a place. Raises IrviewerError where the place has none of that name."""
        if name not in TABS.get(place, ()):
            raise IrviewerError(f"{place} has no view {name!r}; there are {', '.join(TABS.get(place, ()))}")
        self._apply(replace(self._state, tabs={**self._state.tabs, place: name}))

    def step_tab(self, step: int) -> None:
        """The next view of the place in view, or one before."""
        names = TABS.get(self.place, ())
        if names:
            self.set_tab(self.place, names[(names.index(self.tab(self.place)) + step) % len(names)])

    def set_query(self, query_id: str) -> bool:
        """Select a query; False (and a message) where the collection has none of that id."""
        scene = self.scene
        if scene is None or query_id == self.query_id:
            return scene is not None
        if query_id not in scene.query_index:
            why = "is not in the qrels" if scene.judgments is not None else "is in none of the runs"
            self.say(warning(f"query {query_id} {why}"))
            return False
        self.hover("")  # what stood under the pointer was another query's
        chosen = replace(self._state.chosen, query_id=query_id, document_id=None)
        self._apply(state_changes.without_hints(self._state.with_chosen(chosen)))
        return True

    def step_query(self, step: int) -> None:
        """Walk the queries in the table's order; the ends hold."""
        scene = self.scene
        if scene is None:
            return
        order = self._order(scene)
        if not len(order.rows):
            return
        row = order.row_of(scene.query_index.get(self.query_id, -1))
        wanted = row + step if row >= 0 else (0 if step > 0 else len(order.rows) - 1)
        self.set_query(scene.query_ids[int(order.rows[max(0, min(len(order.rows) - 1, wanted))])])

    def go_to_widest(self) -> None:
        """Select the query in which focus and baseline differ most."""
        scene = self.scene
        place = None if scene is None else state_changes.widest(scene)
        if scene is not None and place is not None:
            self.set_query(scene.query_ids[place])

    def set_document(self, doc_id: str | None) -> None:
        """Select a document, or none."""
        self._choose(document_id=doc_id)

    def hover(self, doc_id: str) -> None:
        """The pointer stands over a document ("" none): announced apart, no page changes."""
        if doc_id != self._hovered:
            self._hovered = doc_id
            self.hovered.emit(doc_id)

    # --- measure and cutoff ---

    def set_measure(self, text: str) -> bool:
        """Choose a measure by its text; False (and a message) where it cannot be understood."""
        try:
            measure = parse_measure(text, self._state.options.rules.names)
            if measure.is_text:
                raise MeasureError(f"{measure} is text and no number")
            if needs_lengths(measure) and self.collection is not None and self.collection.documents is None:
                raise MeasureError(f"{measure} asks how long documents are: open a file of the documents")
        except MeasureError as failure:
            self._forget(NOT_A_MEASURE)
            self.say(replace(error(str(failure)), topic=NOT_A_MEASURE))
            return False
        self._forget(NOT_A_MEASURE)
        if not is_taught(self._state):
            self.settings["measure"] = str(measure)
        self._apply_when_ready(lambda state: replace(state, measure=measure, cutoff=cutoff_of(measure) or state.cutoff))
        return True

    def set_cutoff(self, cutoff: int) -> None:
        """Move the cutoff line; a measure that is cut at a rank follows."""
        cutoff = max(1, cutoff)
        self._apply_when_ready(lambda state: replace(state, cutoff=cutoff, measure=measure_at(state.measure, cutoff)))

    # --- how numbers are made ---

    def set_level(self, level: float) -> None:
        """Count documents of this grade and higher as relevant, in binary measures and wherever documents are
        counted."""
        self._apply_when_ready(lambda state: replace(state, options=replace(state.options, level=level)))

    def set_judged_only(self, judged_only: bool) -> None:
        """Leave documents that nobody judged out of lists and numbers, or take them in again."""
        self._apply_when_ready(lambda state: replace(state, options=replace(state.options, judged_only=judged_only)))

    # --- judgments ---

    def set_regime(self, regime: Regime) -> None:
        """Read the judgments in force as complete, pooled or sparse."""
        self._do(f"judgments read as {Regime(regime).value}", state_changes.with_regime(self._state, regime))

    def set_judgments(self, number: int) -> None:
        """Judge by another of the collection's judgment sets."""
        if self.collection is None or not 0 <= number < len(self.collection.judgments):
            return

        def change(state: State) -> State:
            return state_changes.with_judgments(state, number, self._plain_scene_of)

        self._apply_when_ready(change)

    # --- order and look ---

    def sort_queries(self, column: str, descending: bool) -> None:
        """Sort the Queries table: "query", "text", "relevant", "delta", "spread" or a run's key as text."""
        self._choose(queries_sort=(column, descending))

    def filter_queries(self, text: str) -> None:
        """Filter the Queries table; see :mod:`irviewer.session.text.filter`."""
        self._choose(queries_filter=text)

    def sort_systems(self, column: str, descending: bool) -> None:
        """Sort the Systems table: a measure, "run", "delta", or "" for the person's own order."""
        self._choose(systems_sort=(column, descending))

    def set_lists_mode(self, mode: str) -> None:
        """Show rankings as "lists" or "strips"."""
        if mode not in LISTS_MODES:
            raise IrviewerError(f"there is no mode {mode!r}; there are {', '.join(LISTS_MODES)}")
        self.settings["lists_mode"] = mode
        self._apply(replace(self._state, lists_mode=mode))

    def set_card_fields(self, line: str) -> None:
        """Which columns a document card shows; see :mod:`irviewer.session.text.card_template`. Raises SettingError."""
        self.settings["card_fields"] = line
        self.changed.emit(frozenset({"document"}))

    def set_theme(self, theme: str) -> None:
        """Choose "system", "light" or "dark"."""
        if theme not in THEMES:
            raise IrviewerError(f"there is no theme {theme!r}; there are {', '.join(THEMES)}")
        self.settings["theme"] = theme
        self._apply(replace(self._state, theme=theme))

    def set_system_dark(self, dark: bool) -> None:
        """What the system's own colours are."""
        self._apply(replace(self._state, system_dark=dark))

    # --- messages and commands ---

    def dismiss_message(self, number: int) -> None:
        """Take a message away."""
        messages = tuple(one for place, one in enumerate(self.messages) if place != number)
        self._apply(replace(self._state, messages=messages))

    def _forget(self, topic: str) -> None:
        """Take back what holds no longer."""
        kept = without_topic(self.messages, topic)
        if len(kept) < len(self.messages):
            self._apply(replace(self._state, messages=kept))
