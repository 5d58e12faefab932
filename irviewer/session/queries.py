"""What the session shows: the present state as properties, and the pages of the three places, each kept until what it
depends on changes. Reads only; what a person can do is in ``session.py``."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from irviewer.measures.base import Measure
from irviewer.model.workspace import Collection, JudgmentSet, Workspace
from irviewer.rendering.palette import DARK, LIGHT, Palette
from irviewer.rendering.run_label import RunLabel
from irviewer.reports.judgment_mark import Changes, mark_of
from irviewer.session.context import Scene, make_scene
from irviewer.session.curves.choice import CurveChoice
from irviewer.session.default_measures import COMMON, further_measures, query_measures
from irviewer.session.evaluation_cache import Evaluation
from irviewer.session.files.changed_files import DiskWatch
from irviewer.session.files.doctor import DoctorInputs, account
from irviewer.session.files.import_result import origins
from irviewer.session.files.opening import Recent
from irviewer.session.files.samples import Sample, samples
from irviewer.session.messages import Message
from irviewer.session.settings import Settings
from irviewer.session.state import ASPECTS, TABS, State
from irviewer.session.text.card_template import parse_template
from irviewer.session.unmatched import Stranger, strangers_in
from irviewer.session.view_models.queries import Order, QueriesPage, build_order, build_queries
from irviewer.session.view_models.query import (
    DocumentCard,
    QueryPage,
    aspect_words,
    aspects_of,
    build_document,
    build_query,
    score_words,
    with_document,
)
from irviewer.session.zscores import zscored

if TYPE_CHECKING:
    from irviewer.formats.doctor import Diagnosis
    from irviewer.formats.load_report import LoadReport
    from irviewer.session.files.loading import Trouble

T = TypeVar("T")


class SessionView:
    """The reading half of a session. Pages are None where there is nothing to show."""

    aspects = ASPECTS

    def __init__(self, settings: Settings, state: State) -> None:
        self.settings = settings
        self._state = state
        self._evaluation = Evaluation()
        self._hovered = ""
        self._reports: dict[str, LoadReport] = {}
        self._refused: dict[str, Trouble] = {}
        self._diagnosed: dict[str, tuple[object, ...]] = {}
        self._disk = DiskWatch()
        self._changes = Changes()
        self._samples: tuple[Sample, ...] | None = None
        self._scene: tuple[tuple[object, ...], Scene] | None = None
        self._scene_state: State | None = None
        self._pages: dict[str, tuple[tuple[Hashable, ...], Any]] = {}
        self._by_state: dict[str, tuple[State, Any]] = {}

    # --- what there is ---

    @property
    def state(self) -> State:
        """The frozen state."""
        return self._state

    @property
    def workspace(self) -> Workspace:
        """All that is open."""
        return self._state.workspace

    @property
    def collection(self) -> Collection | None:
        """The collection in view."""
        return self._state.collection

    @property
    def place(self) -> str:
        """ "start", "systems", "queries" or "query"."""
        return self._state.place

    def tab(self, place: str) -> str:
        """The view of a place that is seen, "" where a place is one view."""
        names = TABS.get(place, ("",))
        name = self._state.tabs.get(place, "")
        return name if name in names else names[0]

    @property
    def query_id(self) -> str:
        """The selected query, "" where there is none."""
        return self._state.chosen.query_id

    @property
    def document_id(self) -> str | None:
        """The selected document."""
        return self._state.chosen.document_id

    @property
    def hovered_document(self) -> str:
        """The document under the pointer, "" where there is none."""
        return self._hovered

    @property
    def measure(self) -> Measure:
        """The chosen measure."""
        return self._state.measure

    @property
    def cutoff(self) -> int:
        """The rank of the cutoff line."""
        return self._state.cutoff

    @property
    def baseline(self) -> int | None:
        """The baseline's key."""
        scene = self.scene
        return None if scene is None else scene.baseline

    @property
    def focus(self) -> int | None:
        """The key of the run that deltas speak of."""
        scene = self.scene
        return None if scene is None else scene.focus

    @property
    def shown(self) -> tuple[int, ...]:
        """Keys of the shown runs in the person's order."""
        scene = self.scene
        return () if scene is None else scene.shown

    @property
    def level(self) -> float:
        """The least grade that counts as relevant."""
        return self._state.options.level

    @property
    def judged_only(self) -> bool:
        """True where documents that nobody judged are left out."""
        return self._state.options.judged_only

    @property
    def dialect(self) -> str:
        """The name of the tool by whose rules numbers are made."""
        return self._state.options.rules.name

    @property
    def levels(self) -> tuple[float, ...]:
        """The grades that relevance can begin at, ascending; fewer than two where the qrels are not graded."""
        judgments = self.judgments
        return () if judgments is None else tuple(float(one) for one in judgments.qrels.levels if one > 0)

    @property
    def lists_mode(self) -> str:
        """ "lists" or "strips"."""
        return self._state.lists_mode

    @property
    def theme(self) -> str:
        """ "system", "light" or "dark", as the person chose."""
        return self._state.theme

    @property
    def palette(self) -> Palette:
        """The colours in force."""
        dark = self._state.theme == "dark" or (self._state.theme == "system" and self._state.system_dark)
        return DARK if dark else LIGHT

    @property
    def judgments(self) -> JudgmentSet | None:
        """The judgment set in force."""
        scene = self.scene
        return None if scene is None else scene.judgments

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
        scene = self.scene
        return () if scene is None else scene.caveats

    @property
    def summary(self) -> str:
        """The collection in a line: ``225 queries · 1,837 judgments, complete · 6 runs to depth 100``."""
        scene = self.scene
        return "" if scene is None else scene.summary

    @property
    def messages(self) -> tuple[Message, ...]:
        """What has been said and not dismissed, oldest first."""
        return self._state.messages

    @property
    def common_measures(self) -> tuple[str, ...]:
        """Measures that a menu offers at once; those for subtopics or several judges where qrels have them."""
        judgments = self.judgments
        return COMMON if judgments is None else (*COMMON, *further_measures(judgments.qrels))

    @property
    def recent(self) -> tuple[Recent, ...]:
        """The last openings, the newest first."""
        return tuple(Recent.of(paths) for paths in self.settings["recent"])

    @property
    def samples(self) -> tuple[Sample, ...]:
        """The collections that come with the program."""
        if self._samples is None:
            self._samples = samples()
        return self._samples

    @property
    def strangers(self) -> tuple[Stranger, ...]:
        """The runs in view that the qrels know nothing of, for their ids are written otherwise."""
        workspace, collection, scene = self.workspace, self.collection, self.scene
        return self._page("strangers", (workspace, scene), lambda: strangers_in(workspace, collection, scene))

    def report_lines(self) -> list[str]:
        """The load reports of the collection in view, each file's followed by an empty line."""
        return [line for one in self.diagnoses() for line in (*one.lines(), "")]

    @property
    def has_refused(self) -> bool:
        """True where a file was not read for a reason that the file doctor knows a way out of."""
        return bool(self._refused)

    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """What the file doctor tells of each file of the collection in view, and of files that were refused; of large
        runs it takes seconds, so that a window asks ``find_diagnoses``."""
        return account(*self._doctor_inputs())

    def _doctor_inputs(self) -> DoctorInputs:
        collection, judgments = self._state.collection, self.judgments
        qrels = None if judgments is None else judgments.qrels
        others = [one.qrels for each in self.workspace.collections if each is not collection for one in each.judgments]
        # The dicts are copied: a worker reads them while files are opened.
        reports, refused = dict(self._reports), dict(self._refused)
        return collection, qrels, origins(collection), reports, refused, others, self._diagnosed

    def labels(self) -> tuple[RunLabel, ...]:
        """All runs in the person's order."""
        scene = self.scene
        return () if scene is None else tuple(scene.labels.values())

    @property
    def scene(self) -> Scene | None:
        """What the pages read; None where nothing is open."""
        return None if self._state.collection is None else self._scene_of(self._state)

    def _scene_of(self, state: State) -> Scene:
        if self._scene is not None and self._scene_state is state:
            return self._scene[1]
        collection = state.collection
        assert collection is not None
        choices = replace(state.chosen, query_id="", document_id=None, pinned=("", ""), brushed=frozenset())
        key = (collection, choices, str(state.measure), state.cutoff, state.options)
        if self._scene is None or self._scene[0] != key:
            scene = make_scene(collection, choices, state.measure, state.cutoff, state.options, self._evaluation)
            scene = zscored(scene)
            self._scene = (key, scene)
        self._scene_state = state
        return self._scene[1]

    # --- pages ---

    def _page(self, name: str, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        kept = self._pages.get(name)
        if kept is None or kept[0] != key:
            kept = self._pages[name] = (key, make())
        return kept[1]

    def _order(self, scene: Scene) -> Order:
        return self._page("order", (scene,), lambda: build_order(scene))

    def _once(self, name: str, make: Callable[[], T]) -> T:
        """What the present state alone decides: views ask for it several times a refresh, and it is looked up once."""
        kept = self._by_state.get(name)
        if kept is None or kept[0] is not self._state:
            kept = self._by_state[name] = (self._state, make())
        return kept[1]

    def query_page(self) -> QueryPage | None:
        """The Query place's page; None without a query."""
        return self._once("query", self._find_query_page)

    def _find_query_page(self) -> QueryPage | None:
        scene, query, document = self.scene, self.query_id, self.document_id
        if scene is None or not query:
            return None
        order = self._order(scene)
        place = order.row_of(scene.query_index.get(query, -1))
        measures = query_measures(scene.depth, scene.measure)
        choice = CurveChoice(self.settings["pr_raw"], self.settings["query_gain"] == "dcg")
        base = self._page(
            "query", (scene, query, choice),
            lambda: build_query(scene, query, (place + 1, len(order.rows)), measures, choice),
        )  # fmt: skip
        return self._page("query with document", (base, document), lambda: with_document(base, scene, document))

    def document_card(self) -> DocumentCard | None:
        """The selected document's card; None without one."""
        scene, query, document = self.scene, self.query_id, self.document_id
        if scene is None or document is None:
            return None
        template = parse_template(self.settings["card_fields"])
        return self._page(
            "document", (scene, query, document, template), lambda: build_document(scene, query, document, template)
        )

    def score_words(self, key: int, rank: int) -> str:
        """The score of what a run has at a rank of the selected query and its parts; "" where there is none."""
        entry = None if self.scene is None else self.scene.collection.run(key)
        return "" if entry is None else score_words(entry.run, self.query_id, rank)

    def aspect_words(self, doc_id: str) -> str:
        """The subtopics of the query that a document covers, or who judged it how; "" where nothing is said."""
        judgments = self.judgments
        return "" if judgments is None else aspect_words(aspects_of(judgments.qrels, self.query_id, doc_id))

    def queries_page(self) -> QueriesPage | None:
        """The Queries place's page; None where nothing is open."""
        return self._once("queries", self._find_queries_page)

    def _find_queries_page(self) -> QueriesPage | None:
        scene, query = self.scene, self.query_id
        if scene is None:
            return None
        order = self._order(scene)
        columns, against = tuple(self.settings["query_columns"]), self.settings["bars_against"]
        brushed = self._state.chosen.brushed
        return self._page(
            "queries",
            (scene, query, columns, against, brushed),
            lambda: build_queries(scene, order, query, columns, against, brushed),
        )
