"""The views that every door shows, in the window: which one is chosen, its parameters, and its result, computed in the
background.

A result is kept by the view, the data, the protocol and the parameters, so that what was computed once is not computed
again; results of a collection go when it is closed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irviewer.errors import IrviewerError
from irviewer.evaluation.bind import BoundProtocol, refuse_fields
from irviewer.evaluation.document_lengths import needs_lengths
from irviewer.model.answers.systems import topics_alone
from irviewer.model.attributes.queries import FACET
from irviewer.model.held_bytes import held_bytes
from irviewer.model.protocol import PLACES
from irviewer.model.protocol_line import ANSWERS
from irviewer.model.same import Same
from irviewer.model.texts import TEXT_COLUMNS
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.rendering.atomic import write_atomically
from irviewer.session.background import BackgroundResults
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.judging.history import HistoryService
from irviewer.session.protocol.files import to_save
from irviewer.session.protocol.in_view import bound_protocol
from irviewer.session.saving import FileSaving
from irviewer.session.state import Place
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.tables.table import Table
    from irviewer.views.inputs import Inputs, Token
    from irviewer.views.result import ViewResult
    from irviewer.views.view import ResultView, ViewParameter

MOST_KEPT, MOST_BYTES = 32, 256 << 20
"""Results that are kept: so many, and so many bytes of arrays."""
PLACE: Place = "compare"
TAB = "views"
GATE = "gate"
_IN_FILE = frozenset((PLACES["runs"], PLACES["baseline"]))
"""What a file of conditions names itself, and not its protocol."""
REPLICATES, SYSTEMS = "replicates", "systems"
"""The view whose systems of several runs are rows of the place Systems, once they are declared."""
VERDICT: Place = "verdict"
"""The place of the view of this name, which shows it in its own arrangement."""
TABS = {
    "judge": "judge",
    "nuggets": "answer-pairs",
    "lost": "answer-lost",
    "sentences": "answer-sentences",
    "versions": "answer-versions",
}
"""The tabs of Compare that show a view in their own arrangement."""
FIRST = "stability"
"""The view that is shown before one is chosen: it has something to show for any two runs, and no place of its own."""


@dataclass(frozen=True, eq=False)
class ViewAnswer:
    """What a view found in the data in view, and the protocol that it follows; or ``trouble``, why it found nothing."""

    shown: ViewResult | None
    trouble: str = ""
    protocol: BoundProtocol | None = None


@dataclass(frozen=True, eq=False)
class ViewRequest:
    """A view with the frozen inputs of its result."""

    key: tuple[Hashable, ...]
    view: ResultView
    inputs: Inputs
    parameters: Mapping[str, Any]

    def compute(self, progress: Callable[[float], None] | None = None) -> ViewAnswer:
        """Compute it; called on any thread."""
        try:
            refuse_fields(self.inputs.protocol.protocol, {"zscores"}, self.view.title)
            more = () if progress is None else (progress,)
            value = self.view.value(self.inputs, self.parameters, *more)
            followed = self.view.followed(value, self.inputs.protocol)
            return ViewAnswer(self.view.described(value, self.inputs, self.parameters), protocol=followed)
        except IrviewerError as error:
            return ViewAnswer(None, str(error))

    def tables(self) -> Sequence[Table]:
        """Compute its tables; called on any thread. Raises IrviewerError."""
        answer = self.compute()
        if answer.shown is None:
            raise IrviewerError(answer.trouble)
        return answer.shown.tables


class ResultViewService:
    """The chosen view, its parameters and its result."""

    def __init__(self, store: Store, view: View, saving: FileSaving, history: HistoryService) -> None:
        self._store = store
        self._saving = saving
        self._view = view
        self._history = history
        self._tokens: dict[tuple[str, bool], tuple[tuple[Hashable, ...], Token]] = {}
        self.results: BackgroundResults[ViewRequest, ViewAnswer] = BackgroundResults(
            store, "view", (TAB, VERDICT, REPLICATES, *TABS.values()), wanted=self._wanted, in_view=self._in_view,
            title=self._title, most=MOST_KEPT, size=lambda answer: held_bytes(answer.shown), most_bytes=MOST_BYTES,
        )  # fmt: skip

    # --- what can be chosen ---

    def listed(self) -> tuple[tuple[str, str], ...]:
        """Return the name and title of every view. Loads those of other packages."""
        from irviewer.views.manifest import VIEWS, added_views

        return (
            *((listed.name, listed.title) for listed in VIEWS),
            *((view.name, view.title) for view in added_views()),
        )

    @property
    def chosen(self) -> str:
        """The name of the view that is shown; FIRST before one is chosen."""
        names = [name for name, _ in self.listed()]
        name = self._store.state.result_view
        return name if name in names else FIRST

    def view(self, name: str = "") -> ResultView:
        """Return a view by its name, the chosen one for "". Raises OptionError."""
        from irviewer.views.manifest import view_named

        return view_named(name or self.chosen)

    def choose(self, name: str) -> None:
        """Show a view. Raises OptionError for an unknown name."""
        from irviewer.views.manifest import view_named

        view_named(name)
        state = self._store.state
        self._store.apply(replace(state, place=PLACE, tabs={**state.tabs, PLACE: TAB}, result_view=name))

    def keep_gate(self, run: str = "") -> None:
        """Show the gate about a run, for "" the focus run; its conditions stay as they were. Without any, it asks what
        the verdict asked: the primary measure, with the smallest difference that matters."""
        context = self._view.context
        focus = None if context is None or context.focus is None else context.collection.run(context.focus)
        if not run and focus is not None:
            run = focus.name
        if run and self.parameters_of(GATE)["run"] != run:
            self.set_parameter("run", run, GATE)
        self.choose(GATE)

    @property
    def replicates_declared(self) -> bool:
        """Whether an attribute of runs, or a pattern of their names, says which runs are of one system."""
        if self._view.context is None or not self._store.state.result_parameters.get(REPLICATES):
            return False
        chosen = self.parameters_of(REPLICATES)
        return bool(chosen["system"] or chosen["pattern"])

    def declare_replicates(self, attribute: str) -> None:
        """Make runs with one value of an attribute one system, in place of a pattern; "" for none, as an undo step."""
        view = self.view(REPLICATES)
        every = {**self._store.state.result_parameters,
                 REPLICATES: {**self._given(view), "system": attribute, "pattern": ""}}  # fmt: skip
        label = (
            tr("Runs of one {attribute} are one system", attribute=attribute)
            if attribute
            else (tr("Every run is a system"))
        )
        self._history.do(label, replace(self._store.state, result_parameters=every))

    @property
    def gate_command(self) -> str:
        """The command that decides the gate in view; "" where it is not computed."""
        try:
            answer = self.answer(GATE)
        except IrviewerError:
            answer = None
        remarks = () if answer is None or answer.shown is None else answer.shown.sentences
        return next((str(remark.values["command"]) for remark in remarks if remark.code == "command"), "")

    def save_gate(self, path: str) -> None:
        """Write the gate in view as a file of conditions, with the files of its judgments and runs and the protocol,
        from which ``irviewer gate --conditions`` decides the same. Raises IrviewerError where one of them is in no file
        as it is in view."""
        from irviewer.formats.gate_file import GateFile, gate_text

        context = self._view.context
        answer = None if context is None else self.answer(GATE)
        gate = None if answer is None or answer.shown is None else answer.shown.value
        if context is None or gate is None:
            raise IrviewerError(tr("There is no gate yet. Go › Comparisons › Keep as a gate makes one."))
        judgments = context.judgments
        if (
            judgments is None or not judgments.read.origin or judgments.parts or judgments.file is not None
            or judgments.file_judge
        ):  # fmt: skip
            raise IrviewerError(
                tr("The judgments in view are not those of a file; save them as qrels first, and open these.")
            )
        runs = {entry.name: entry.run.origin for entry in context.collection.runs if not entry.is_copy}
        for name in (gate.run, gate.baseline):
            if not runs.get(name):
                raise IrviewerError(tr("The run {run} is in no file; save it first.", run=name))
        by = tuple(dict.fromkeys(each.slice.partition(" = ")[0] for each in gate.results if each.slice))
        asked = to_save(context, self._store.state.protocol)
        tables = [table.origin for table in context.collection.attributes if table.origin]
        documents = context.collection.documents
        reads = any(needs_lengths(each.condition.measure) for each in gate.results)
        file = GateFile(
            path, tuple(dict.fromkeys(each.condition.text for each in gate.results)),
            replace(asked, scope=replace(asked.scope, runs=(), baseline=""), declared=asked.declared - _IN_FILE),
            runs[gate.baseline], by, tables[0] if tables and (by or asked.scope.unit) else "", not gate.unjudged,
            self.parameters_of(GATE)["history"], judgments.read.origin, (runs[gate.run],),
            documents=documents.origin if reads and documents is not None else "",
        )  # fmt: skip
        data = gate_text(file).encode("utf-8", "surrogateescape")
        self._saving.save_file(path, lambda where: write_atomically(Path(where), lambda out: out.write(data)))

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the chosen view with their values."""
        return self.parameters_of("")

    def parameters_of(self, name: str) -> dict[str, Any]:
        """Return the parameters of a view with their values. A run that the collection in view does not have is its
        default: the parameter names one of another collection. What a project of another version has given, and the
        view does not take, is left out."""
        view, context = self.view(name), self._view.context
        given = self._given(view)
        runs = set() if context is None else {entry.name for entry in context.system_runs}
        strange = {
            parameter.name
            for parameter in view.parameters
            if parameter.option.chooser == "run" and not parameter.several and given.get(parameter.name, "") not in runs
        }
        return view.chosen({key: value for key, value in given.items() if key not in strange})

    def set_parameter(self, name: str, value: Any, of: str = "") -> None:
        """Give a parameter of a view (``of``, the chosen one for "") a value, as an undo step. Raises OptionError."""
        view = self.view(of)
        given = {**self._given(view), name: value}
        view.chosen(given)
        every = {**self._store.state.result_parameters, view.name: given}
        parameter = next(each for each in view.parameters if each.name == name)
        title, called, said = view.title, parameter.called, parameter.said(value)
        label = (
            tr("{view}: {parameter} {value}", view=title, parameter=called, value=said)
            if said
            else tr("{view}: {parameter}", view=title, parameter=called)
        )
        self._history.do(label, replace(self._store.state, result_parameters=every))

    def _given(self, view: ResultView) -> dict[str, Any]:
        return view.valid(self._store.state.result_parameters.get(view.name, {}))

    @property
    def reported(self) -> bool:
        """Whether the chosen view is a section of the report."""
        return self.chosen in self._store.state.report_views

    def set_reported(self, reported: bool) -> None:
        """Make the chosen view a section of the report, or none, as an undo step."""
        state, name, title = self._store.state, self.chosen, self.view().title
        others = tuple(other for other in state.report_views if other != name)
        label = tr("{view}: in the report", view=title) if reported else tr("{view}: not in the report", view=title)
        self._history.do(label, replace(state, report_views=(*others, name) if reported else others))

    def choices(self, parameter: ViewParameter) -> tuple[str, ...]:
        """Return what a parameter can be chosen from; () for what is typed. An empty text is offered where it is the
        default."""
        context = self._view.context
        chooser = parameter.option.chooser
        names: Sequence[str] = parameter.choices
        if context is not None and chooser == "run":
            names = [entry.name for entry in context.by_merit(context.system_runs)]
        elif context is not None and chooser == "run_attribute":
            names = [attribute.name for attribute in context.run_attributes]
        elif context is not None and chooser == "query_attribute":
            documents = context.collection.documents
            fields = () if documents is None else documents.attributes
            names = [
                *(attribute.name for attribute in context.query_attributes),
                *(f"{FACET}{field}" for field in fields if field.casefold() not in TEXT_COLUMNS),
            ]
        elif context is not None and chooser == "measure":
            names = self._view.common_measures
        return tuple(dict.fromkeys((*(("",) if names and parameter.default == "" else ()), *names)))

    # --- the result ---

    def answer(self, name: str = "") -> ViewAnswer | None:
        """Return what a view (the chosen one for "") found; None while it is computed, and if nothing is open."""
        return self.results.known(self._request(name))

    def protocol(self, name: str = "") -> BoundProtocol | None:
        """Return the protocol of a view; None if nothing is open, and where it cannot be followed."""
        try:
            request = self._request(name)
            if request is None:
                return None
            answer = self.results.known(request) if request.view.follows is not None else None
            return request.inputs.protocol if answer is None or answer.protocol is None else answer.protocol
        except IrviewerError:
            return None

    def _bound(self, context: EvaluationContext, view: ResultView) -> BoundProtocol:
        judges = _judges(context) if view.judges else ()
        alone = self._alone(context, view)
        if alone is not None:
            judges = (alone,)
        declared = self._store.state.protocol
        bound = bound_protocol(context, declared, uses=view.uses, pins=view.pins, shown="", judges=judges)
        if alone is None or declared.measures:
            return bound
        # The measure in view is one of judged lists.
        return replace(bound, protocol=replace(bound.protocol, measures=()))

    def request(self, name: str, **parameters: Any) -> ViewRequest | None:
        """Return what computes a view of the data in view on any thread, for files; None if nothing is open. Raises
        OptionError."""
        from irviewer.views.manifest import view_named

        context, view = self._view.context, view_named(name)
        if context is None:
            return None
        return self._request_of(context, view, view.chosen(parameters))

    def _request(self, name: str = "") -> ViewRequest | None:
        context = self._view.context
        return None if context is None else self._request_of(context, self.view(name), self.parameters_of(name))

    def _request_of(self, context: EvaluationContext, view: ResultView, parameters: dict[str, Any]) -> ViewRequest:
        from irviewer.views.inputs import Inputs, Part, key_of

        collection = _in_order_of_keys(context.opened or context.collection)
        bound = self._bound(context, view)
        judgments = context.judgments or self._alone(context, view)
        part = Part(collection, judgments, bound, context.evaluation, self._token(context, view))
        inputs = Inputs((part,))
        return ViewRequest(key_of(view.name, view.version, inputs, parameters), view, inputs, parameters)

    @staticmethod
    def _alone(context: EvaluationContext, view: ResultView) -> JudgmentSet | None:
        """Return the topics of answers that nobody judged, as the commands take them, for a view of answers; None for
        other views, where something is judged, and without answers."""
        runs = [entry.run for entry in context.collection.runs if entry.run.answered is not None]
        if context.judgments is not None or ANSWERS not in view.uses or not runs:
            return None
        return context.evaluation.shared(
            ("topics of answers", tuple(map(Same, runs))), lambda: JudgmentSet(topics_alone(runs), Regime.UNKNOWN)
        )

    def _token(self, context: EvaluationContext, view: ResultView) -> Token:
        """Return the token of the data of a view, for keys: another one wherever they may differ."""
        from irviewer.views.inputs import Token

        collection = _in_order_of_keys(context.opened or context.collection)
        data = (
            tuple((entry.name, entry.is_copy, Same(entry.run.scores)) for entry in collection.runs),
            Same(collection.queries),
            Same(collection.documents), Same(collection.attributes), Same(collection.query_sets),
            Same(collection.weights), collection.chosen_list,
            tuple(
                (judge.name, Same(judge.qrels.grades), Same(judge.qrels.nuggets))
                for judge in _judges(context)
                if view.judges or judge is context.judgments
            ),
        )  # fmt: skip
        place = collection.identity, view.judges
        known = self._tokens.get(place)
        if known is None or known[0] != data:
            known = self._tokens[place] = (data, Token())
        return known[1]

    def follow(self) -> None:
        """Drop the results of collections that were closed."""
        open_now = {collection.identity for collection in self._store.state.workspace.collections}
        gone = {self._tokens.pop(place)[1] for place in [*self._tokens] if place[0] not in open_now}
        if gone:
            self.results.forget(lambda key: bool(gone & set(key[2])))  # type: ignore[index]

    def _in_view(self) -> tuple[str, ...]:
        if self._view.place == VERDICT:
            return (VERDICT,)
        if self._view.place == SYSTEMS:
            return (REPLICATES,) if self.replicates_declared else ()
        tab = self._view.tab(PLACE) if self._view.place == PLACE else ""
        return (TAB,) if tab == TAB else (TABS[tab],) if tab in TABS else ()

    def _wanted(self, slot: str) -> tuple[ViewRequest, ...]:
        try:
            request = self._request(self._name_in(slot))
        except IrviewerError:  # the protocol cannot be followed; the panel says why
            return ()
        return () if request is None else (request,)

    def _title(self, slot: str) -> str:
        return tr("Computing {view}", view=self.view(self._name_in(slot)).title)

    @staticmethod
    def _name_in(slot: str) -> str:
        """Return the name of the view that a slot computes, "" for the chosen one."""
        return "" if slot == TAB else slot


def _judges(context: EvaluationContext) -> tuple[JudgmentSet, ...]:
    """Return the judges of the collection in view, first the one in view."""
    own = [] if context.judgments is None else [context.judgments]
    return (*own, *(judge for judge in context.collection.judgments if judge is not context.judgments))


def _in_order_of_keys(collection: Collection) -> Collection:
    """Return the collection with its runs as they were opened, which is their order in a protocol."""
    return replace(collection, runs=tuple(sorted(collection.runs, key=lambda entry: entry.key)))
