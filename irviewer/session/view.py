"""Read-only access to what is in view: collection, query, runs, judgments."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import fields, replace

import numpy as np

from irviewer.evaluation.bind import BoundProtocol
from irviewer.measures.base import Measure
from irviewer.model.same import Same
from irviewer.model.workspace import Collection, JudgmentSet, RunEntry, Workspace
from irviewer.rendering.palette import PALETTES, Palette, with_runs
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.caveats import find_caveats
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.default_measures import COMMON, further_measures
from irviewer.session.evaluation.unmatched import UnmatchedRun, unmatched_runs_in
from irviewer.session.judging.judgment_mark import Changes, mark_of
from irviewer.session.messages import Message
from irviewer.session.protocol.in_view import bound_protocol
from irviewer.session.state import TABS, State
from irviewer.session.store import Store
from irviewer.session.view_models.list_fields import chosen_fields, offered_fields
from irviewer.session.view_models.queries import Order, build_order
from irviewer.translation import tr


class View:
    """What is in view. Values are None or empty if nothing is open."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cache = store.cache
        self._changes = Changes()

    @property
    def workspace(self) -> Workspace:
        """All open collections."""
        return self._store.state.workspace

    @property
    def collection(self) -> Collection | None:
        return self._store.state.collection

    @property
    def context(self) -> EvaluationContext | None:
        """The input of the view models; None if nothing is open."""
        return self._store.context

    @property
    def protocol(self) -> BoundProtocol | None:
        """What the answers in view assume; None if nothing is open."""
        context, state = self._store.context, self._store.state
        if context is None:
            return None
        key = Same(context), Same(state.protocol)
        return self._cache.get("protocol", key, lambda: bound_protocol(context, state.protocol))

    @property
    def place(self) -> str:
        """One of ``state.PLACES``."""
        return self._store.state.place

    def tab(self, place: str) -> str:
        """The tab of a place that is shown; "" if the place has no tabs."""
        names = TABS.get(place, ("",))
        name = self._store.state.tabs.get(place, "")
        return name if name in names else names[0]

    @property
    def query_id(self) -> str:
        """The selected query; "" for none."""
        return self._store.state.chosen.query_id

    @property
    def document_id(self) -> str | None:
        """The selected document; None for none."""
        return self._store.state.chosen.document_id

    @property
    def measure(self) -> Measure:
        """The selected measure."""
        return self._store.state.measure

    @property
    def cutoff(self) -> int:
        """The rank at which the cutoff line is drawn."""
        return self._store.state.cutoff

    @property
    def baseline(self) -> int | None:
        """The key of the baseline run."""
        context = self._store.context
        return None if context is None else context.baseline

    @property
    def focus(self) -> int | None:
        """The key of the run that is compared with the baseline."""
        context = self._store.context
        return None if context is None else context.focus

    @property
    def shown(self) -> tuple[int, ...]:
        """Keys of the shown runs, in display order."""
        context = self._store.context
        return () if context is None else context.shown

    @property
    def level(self) -> float:
        """The relevance level: the lowest grade that is relevant."""
        return self._store.state.options.level

    @property
    def judged_only(self) -> bool:
        """Whether unjudged documents are left out of the rankings."""
        return self._store.state.options.judged_only

    @property
    def dialect(self) -> str:
        """The name of the dialect in force."""
        return self._store.state.options.rules.name

    @property
    def levels(self) -> tuple[float, ...]:
        """The possible relevance levels, ascending; fewer than two if the qrels are binary."""
        judgments = self.judgments
        return () if judgments is None else tuple(float(grade) for grade in judgments.qrels.levels if grade > 0)

    @property
    def lists_mode(self) -> str:
        """How rankings are shown: "lists" or "strips"."""
        return self._store.state.lists_mode

    @property
    def list_ids(self) -> bool:
        """Whether ranked lists show the id of each document beside its title."""
        return bool(self._store.settings["list_ids"])

    @property
    def offered_fields(self) -> tuple[str, ...]:
        """The fields of the documents that ranked lists can show."""
        return () if self.collection is None else offered_fields(self.collection.documents)

    @property
    def list_fields(self) -> tuple[str, ...]:
        """The fields of documents that ranked lists show, of those that the documents have."""
        names = self._store.settings["list_fields"]
        return () if self.collection is None or not names else chosen_fields(self.collection.documents, names)

    @property
    def folded_panels(self) -> frozenset[str]:
        """The side panels of Query that are folded in a wide window."""
        return frozenset(self._store.settings["folded_panels"])

    @property
    def opened_panel(self) -> str:
        """The side panel of Query that is open in a window that is narrow for it, "" for none."""
        return str(self._store.settings["opened_panel"])

    @property
    def query_chart(self) -> str:
        """The chart that Query shows where there is room for one: "recall", "gain" or "cutoff"."""
        return str(self._store.settings["query_chart"])

    @property
    def theme(self) -> str:
        """The theme that was chosen, a name of THEMES."""
        return self._store.state.theme

    @property
    def palette(self) -> Palette:
        """The colours in force."""
        state, name = self._store.state, self._store.state.theme
        if name == "system" and state.system_contrast:
            name = "contrast-dark" if state.system_dark else "contrast"
        elif name == "system":
            name = "dark" if state.system_dark else "light"
        return with_runs(PALETTES[name], tuple(self._store.settings["run_colours"]))

    @property
    def judgments(self) -> JudgmentSet | None:
        """The judgment set in force."""
        context = self._store.context
        return None if context is None else context.judgments

    @property
    def differing(self) -> int:
        """How many judgments in force differ from the file, because they were changed here."""
        return self._changes.count(self.judgments)

    @property
    def judged_by(self) -> str:
        """The judge in force, as titles name it: ``judged by UMBRELA, model``; "" for a human who is the only judge."""
        collection, judgments = self.collection, self.judgments
        if collection is None or judgments is None:
            return ""
        if len(collection.judgments) < 2 and not judgments.facts.is_other:
            return ""
        return tr("judged by {judge}", judge=judgments.label)

    @property
    def judgment_mark(self) -> str:
        """The note that goes with every number: the judge where there are several or it is not human, and the number of
        changed judgments (``judged by NIST, with 1 changed judgment``); "" if there is neither."""
        return ", ".join(filter(None, (self.judged_by, mark_of(self.differing))))

    @property
    def caveats(self) -> tuple[str, ...]:
        """Short warnings about the numbers in view, for the status line."""
        context = self._store.context
        return () if context is None else find_caveats(context)

    @property
    def summary(self) -> str:
        """The collection in a line: ``225 queries · 1,837 judgments, complete · 6 runs to depth 100``."""
        return self.summaries[0]

    @property
    def summaries(self) -> tuple[str, ...]:
        """The summary, then shorter ones, for a narrow window."""
        context = self._store.context
        return ("",) if context is None else context.summaries

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages that are shown, oldest first."""
        return self._store.state.messages

    @property
    def common_measures(self) -> tuple[str, ...]:
        """The measures that a menu offers first, with those for subtopics and several judges if the qrels have them."""
        judgments = self.judgments
        return COMMON if judgments is None else (*COMMON, *further_measures(judgments.qrels))

    def labels(self) -> tuple[RunLabel, ...]:
        """The labels of all runs, in display order."""
        context = self._store.context
        return () if context is None else tuple(context.labels.values())

    def best_first(self, labels: Iterable[RunLabel]) -> list[tuple[RunLabel, float]]:
        """Return labels of runs by the means of the measure in view, best first, each with its mean, which is NaN
        without judgments."""
        context, wanted = self.context, {label.key: label for label in labels}
        if context is None:
            return []
        judged = context.judgments is not None
        entries = context.by_merit([entry for entry in context.collection.runs if entry.key in wanted])
        return [(wanted[entry.key], context.mean(entry, context.measure) if judged else math.nan) for entry in entries]

    def taking_part_labels(self) -> tuple[RunLabel, ...]:
        """Return the labels of the runs that take part in comparisons."""
        context = self.context
        return () if context is None else context.taking_part_labels

    def system_labels(self) -> tuple[RunLabel, ...]:
        """Return the labels of the runs that are systems, without edited copies."""
        context = self.context
        return () if context is None else context.system_labels

    @property
    def unmatched_runs(self) -> tuple[UnmatchedRun, ...]:
        """The runs in view of which no document id occurs in the qrels, because ids are written differently."""
        workspace, collection, context = self.workspace, self.collection, self._store.context
        return self._cache.get(
            "unmatched", (workspace, context), lambda: unmatched_runs_in(workspace, collection, context)
        )

    def order(self, context: EvaluationContext) -> Order:
        """The queries in the order of the Queries table. A judgment moves and hides no query: the order is made anew
        when something else changes, another place is shown, or judging mode begins or ends."""
        if context is not self._store.context:
            return self._cache.get("order", (context,), lambda: build_order(context))

        def make() -> Order:
            order = self._cache.get("order found", _determines_order(context), lambda: build_order(context))
            former = self._cache.last("order in view")
            same = former is not None and former.error == order.error and np.array_equal(former.rows, order.rows)
            return former if same else order

        return self._cache.get("order in view", self._order_made_of(context), make)

    def knows_order(self, context: EvaluationContext) -> bool:
        """Return whether the order for a context need not be computed."""
        return self._cache.has("order found", _determines_order(context))

    def keeps_order(self, state: State, context: EvaluationContext) -> bool:
        """Return whether the order in view need not be made anew for a state, whose context is given."""
        return self._cache.has("order in view", _order_made_of(state, context)) or self.knows_order(context)

    def keep_order(self, context: EvaluationContext, order: Order) -> None:
        """Keep the order that a task computed for a context which is about to come into view."""
        self._cache.get("order found", _determines_order(context), lambda: order)

    def _order_made_of(self, context: EvaluationContext) -> tuple[Hashable, ...]:
        state = self._store.state
        return self._cache.get(
            "order made of", (context, state.place, state.judging, state.blind), lambda: _order_made_of(state, context)
        )


def _order_made_of(state: State, context: EvaluationContext) -> tuple[Hashable, ...]:
    """Return all that the order of the queries depends on except the judgments made here."""
    collection, judgments = context.collection, context.judgments
    return (
        context.query_ids,
        None if judgments is None else Same(judgments.read.grades),
        tuple((entry.key, entry.name, Same(entry.run.scores)) for entry in context.opened_runs),
        Same(collection.queries), Same(collection.documents), Same(collection.attributes),
        Same(collection.weights), Same(collection.query_sets), Same(collection.notes),
        replace(context.choices, query_id="", document_id=None),
        str(context.measure), context.cutoff, context.options, context.judged_only,
        None if judgments is None else judgments.regime, state.place, state.judging, state.blind,
    )  # fmt: skip


def _determines_order(context: EvaluationContext) -> tuple[Hashable, ...]:
    """Return all that a context is made of but the selection, on which no order depends. A collection whose runs are
    shortened, ranked or joined is made anew for each context, of the same runs."""
    choices = replace(context.choices, query_id="", document_id=None)
    collection = context.opened or context.collection
    return (
        type(context).__name__, _parts(collection, "runs", "judgments"), tuple(map(_parts, collection.runs)),
        tuple(map(Same, collection.judgments)), choices, str(context.measure), context.cutoff, context.options,
        context.judged_only,
    )  # fmt: skip


def _parts(value: Collection | RunEntry, *but: str) -> tuple[Same, ...]:
    """Return the values of the fields of a value, but for some."""
    return tuple(Same(getattr(value, each.name)) for each in fields(value) if each.name not in but)
