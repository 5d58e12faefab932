"""What is in view, read from the state: collection, query, runs, judgments. Changes nothing."""

from __future__ import annotations

from irviewer.measures.base import Measure
from irviewer.model.workspace import Collection, JudgmentSet, Workspace
from irviewer.rendering.palette import DARK, LIGHT, Palette
from irviewer.rendering.run_label import RunLabel
from irviewer.reports.judgment_mark import Changes, mark_of
from irviewer.session.evaluation.caveats import find_caveats
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.default_measures import COMMON, further_measures
from irviewer.session.evaluation.unmatched import Stranger, strangers_in
from irviewer.session.messages import Message
from irviewer.session.state import TABS
from irviewer.session.store import Store
from irviewer.session.view_models.queries import Order, build_order


class View:
    """Read-only; values are None or empty where nothing is open."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cache = store.cache
        self._changes = Changes()

    @property
    def workspace(self) -> Workspace:
        """All that is open."""
        return self._store.state.workspace

    @property
    def collection(self) -> Collection | None:
        """The collection in view."""
        return self._store.state.collection

    @property
    def context(self) -> EvaluationContext | None:
        """What the view models read; None where nothing is open."""
        return self._store.context

    @property
    def place(self) -> str:
        """One of ``state.PLACES``."""
        return self._store.state.place

    def tab(self, place: str) -> str:
        """The view of a place that is seen, "" where a place is one view."""
        names = TABS.get(place, ("",))
        name = self._store.state.tabs.get(place, "")
        return name if name in names else names[0]

    @property
    def query_id(self) -> str:
        """The selected query, "" where there is none."""
        return self._store.state.chosen.query_id

    @property
    def document_id(self) -> str | None:
        """The selected document."""
        return self._store.state.chosen.document_id

    @property
    def measure(self) -> Measure:
        """The chosen measure."""
        return self._store.state.measure

    @property
    def cutoff(self) -> int:
        """The rank of the cutoff line."""
        return self._store.state.cutoff

    @property
    def baseline(self) -> int | None:
        """The baseline's key."""
        context = self.context
        return None if context is None else context.baseline

    @property
    def focus(self) -> int | None:
        """The key of the run that deltas speak of."""
        context = self.context
        return None if context is None else context.focus

    @property
    def shown(self) -> tuple[int, ...]:
        """Keys of the shown runs in the person's order."""
        context = self.context
        return () if context is None else context.shown

    @property
    def level(self) -> float:
        """The least grade that counts as relevant."""
        return self._store.state.options.level

    @property
    def judged_only(self) -> bool:
        """True where documents that nobody judged are left out."""
        return self._store.state.options.judged_only

    @property
    def dialect(self) -> str:
        """The name of the tool by whose rules numbers are made."""
        return self._store.state.options.rules.name

    @property
    def levels(self) -> tuple[float, ...]:
        """The grades that relevance can begin at, ascending; fewer than two where the qrels are not graded."""
        judgments = self.judgments
        return () if judgments is None else tuple(float(one) for one in judgments.qrels.levels if one > 0)

    @property
    def lists_mode(self) -> str:
        """ "lists" or "strips"."""
        return self._store.state.lists_mode

    @property
    def theme(self) -> str:
        """ "system", "light" or "dark", as the person chose."""
        return self._store.state.theme

    @property
    def palette(self) -> Palette:
        """The colours in force."""
        dark = self._store.state.theme == "dark" or (
            self._store.state.theme == "system" and self._store.state.system_dark
        )
        return DARK if dark else LIGHT

    @property
    def judgments(self) -> JudgmentSet | None:
        """The judgment set in force."""
        context = self.context
        return None if context is None else context.judgments

    @property
    def differing(self) -> int:
        """How many judgments in force were given here another grade than the file has."""
        return self._changes.count(self.judgments)

    @property
    def judgment_mark(self) -> str:
        """What every number that judgments changed by hand went into is told with, wherever it leaves the program:
        ``with 1 changed judgment``; "" where all are as they were read."""
        return mark_of(self.differing)

    @property
    def caveats(self) -> tuple[str, ...]:
        """Short sentences for the status line."""
        context = self.context
        return () if context is None else find_caveats(context)

    @property
    def summary(self) -> str:
        """The collection in a line: ``225 queries · 1,837 judgments, complete · 6 runs to depth 100``."""
        context = self.context
        return "" if context is None else context.summary

    @property
    def messages(self) -> tuple[Message, ...]:
        """What has been said and not dismissed, oldest first."""
        return self._store.state.messages

    @property
    def common_measures(self) -> tuple[str, ...]:
        """Measures that a menu offers at once; those for subtopics or several judges where qrels have them."""
        judgments = self.judgments
        return COMMON if judgments is None else (*COMMON, *further_measures(judgments.qrels))

    def labels(self) -> tuple[RunLabel, ...]:
        """All runs in the person's order."""
        context = self.context
        return () if context is None else tuple(context.labels.values())

    @property
    def strangers(self) -> tuple[Stranger, ...]:
        """The runs in view that the qrels know nothing of, for their ids are written otherwise."""
        workspace, collection, context = self.workspace, self.collection, self.context
        return self._cache.get("strangers", (workspace, context), lambda: strangers_in(workspace, collection, context))

    def order(self, context: EvaluationContext) -> Order:
        """The queries in the order of their table."""
        return self._cache.get("order", (context,), lambda: build_order(context))
