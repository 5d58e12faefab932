"""Selection of the measure, cutoff and judgments that values are computed with."""

from __future__ import annotations

from dataclasses import replace

from irviewer.errors import MeasureError
from irviewer.evaluation.document_lengths import lengths_of, needs_lengths
from irviewer.measures.base import Measure
from irviewer.measures.field_values import check_names, reads_fields
from irviewer.measures.parser import parse_measure
from irviewer.model.workspace import Collection, Regime
from irviewer.session import state_changes
from irviewer.session.evaluation.default_measures import measure_at
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import error
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.teaching.beginning import is_taught
from irviewer.session.view import View
from irviewer.translation import tr

NOT_A_MEASURE = "not a measure"
"""The topic of messages about a text that is no measure: removed once a measure is chosen."""


def _check_documents(measure: Measure, collection: Collection) -> None:
    """Raise MeasureError for a measure that needs the documents where they are not open, or lack its fields."""
    lengths = lengths_of(collection)
    if reads_fields(measure):
        check_names(measure, None if lengths is None else lengths.fields)
    if lengths is None and needs_lengths(measure):
        raise MeasureError(
            tr("{measure} needs fields of documents. Open a file of the documents first.", measure=measure)
            if reads_fields(measure)
            else tr("{measure} needs document lengths. Open a file of the documents first.", measure=measure)
        )


class EvaluationService:
    """Selects how values are computed."""

    def __init__(self, store: Store, view: View, history: HistoryService) -> None:
        self._store = store
        self._settings = store.settings
        self._view = view
        self._history = history

    def set_measure(self, text: str) -> bool:
        """Choose a measure by its text; False, with a message, if it is not valid."""
        try:
            measure = parse_measure(text, self._store.state.options.rules.names)
            if measure.is_text:
                raise MeasureError(tr("{measure} has text values. Choose a measure with numbers.", measure=measure))
            if self._view.collection is not None:
                _check_documents(measure, self._view.collection)
        except MeasureError as failure:
            self._store.forget(NOT_A_MEASURE)
            self._store.say(replace(error(str(failure)), topic=NOT_A_MEASURE))
            return False
        self._store.forget(NOT_A_MEASURE)
        if not is_taught(self._store.state):
            self._settings["measure"] = str(measure)
        self._store.apply_when_ready(
            lambda state: replace(state, measure=measure, cutoff=measure.last_rank or state.cutoff)
        )
        return True

    def set_cutoff(self, cutoff: int) -> None:
        """Move the cutoff line; a measure that is cut at a rank follows."""
        cutoff = max(1, cutoff)
        self._store.apply_when_ready(
            lambda state: replace(state, cutoff=cutoff, measure=measure_at(state.measure, cutoff))
        )

    def set_regime(self, regime: Regime) -> None:
        """Read the current judgments as complete, pooled or sparse, or as unknown."""
        self._history.do(
            tr("judgments read as {regime}", regime=Regime(regime).value),
            state_changes.with_regime(self._store.state, regime),
        )

    def set_judgments(self, number: int) -> None:
        """Evaluate with another of the collection's judgment sets, as an undo step."""
        collection = self._view.collection
        if collection is None or not 0 <= number < len(collection.judgments):
            return
        wanted = collection.judgments[number].identity

        def change(state: State) -> State:
            sets = () if state.collection is None else state.collection.judgments
            if state.collection is None or state.collection.identity != collection.identity:
                return state
            place = number
            if not (number < len(sets) and sets[number].identity == wanted):  # a judge was removed meanwhile
                place = next((position for position, judge in enumerate(sets) if judge.identity == wanted), -1)
            if place < 0:
                return state
            after = state_changes.with_judgments(state, place, self._store.plain_context_of)
            return self._history.recorded(tr("judged by {judge}", judge=sets[place].name), state, after)

        self._store.apply_when_ready(change)
