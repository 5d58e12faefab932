"""Changes of the protocol: each declares what the user chose, and is an undo step."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from irviewer.analysis.statistics.dependence.tests_by_unit import refuse_tests
from irviewer.errors import IrviewerError, OptionError
from irviewer.formats.data_files import data_files
from irviewer.formats.reading.opener import refuse_pipe
from irviewer.model.protocol import EvaluationProtocol, ProtocolFields
from irviewer.model.protocol_line import line_parts, line_text
from irviewer.model.workspace import Regime
from irviewer.rendering.atomic import write_atomically
from irviewer.session.evaluation.context import baseline_of
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import error, info
from irviewer.session.protocol.fields import LOOKS, NUMBERS, part_text, written
from irviewer.session.protocol.files import ReadProtocol, read, to_save, with_protocol
from irviewer.session.protocol.in_view import files_of
from irviewer.session.protocol.units import unit_attributes, units_in_view
from irviewer.session.saving import FileSaving
from irviewer.session.state import State
from irviewer.session.state_changes import with_regime, within
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view import View
from irviewer.translation import tr

SCOPE = ("queries", "baseline", "runs", "unit")
OFFER = "offered protocol"
"""The topic of the message that offers a protocol."""


class ProtocolService:
    """Declares rules, inference and measures; results that depend on them are computed again when they are shown."""

    def __init__(self, store: Store, view: View, saving: FileSaving, history: HistoryService) -> None:
        self._store = store
        self._view = view
        self._saving = saving
        self._history = history
        self._offered: tuple[ReadProtocol, str] | None = None

    @property
    def declared(self) -> EvaluationProtocol:
        """The rules, inference and measures of the project; the scope of each collection is among its choices."""
        return self._store.state.protocol

    def set(self, *, about: Hashable = None, **fields: Unpack[ProtocolFields]) -> None:
        """Declare fields of rules and inference, and measures, as an undo step. Steps ``about`` the same that follow
        each other are one. Raises FieldError."""
        wanted = self.declared.but(**fields)
        unit = self._store.state.chosen.scope.unit
        if unit and "test" in fields:
            refuse_tests((wanted.inference.decides,), unit)
        label = tr("protocol: {parts}", parts=", ".join(part_text(wanted, name) for name in fields))
        self._change(label, lambda protocol: protocol.but(**fields), about)

    def declare_as_is(self, name: str) -> None:
        """Declare a field with the value that it has in view, as an undo step: the default, or the measure in view."""
        bound, context = self._view.protocol, self._view.context
        if bound is None or context is None:
            return
        label = tr("declared: {parts}", parts=part_text(bound.protocol, name))
        if name == "unjudged":
            regime = Regime.UNKNOWN if context.judgments is None else context.judgments.regime
            self._history.do(label, with_regime(self._store.state, regime))
        elif name in SCOPE:
            value: dict[str, Any] = {
                "queries": context.choices.scope.queries, "baseline": context.baseline,
                "runs": context.choices.scope.runs, "unit": context.choices.scope.unit,
            }  # fmt: skip

            def declared(state: State) -> State:
                scope = state.chosen.scope.but(**{name: value[name]})
                return state.with_chosen(replace(state.chosen, scope=scope))

            self._history.do_when_ready(label, declared)
        else:
            fields: dict[str, Any] = {name: bound.protocol[name]}
            self._change(label, lambda protocol: protocol.but(**fields))

    def undeclare(self, *names: str) -> None:
        """Give fields their defaults, which nobody declares, as an undo step; of the scope those of the collection in
        view, and how judging was done of the judgments in force."""
        if names == ("unjudged",):
            self._history.do(tr("how judging was done, not declared"), with_regime(self._store.state, None))
            return
        scope = tuple(name for name in names if name in SCOPE)
        if scope:

            def without(state: State) -> State:
                chosen = state.chosen
                return state.with_chosen(replace(chosen, scope=chosen.scope.without(*scope)))

            label = tr("protocol: {parts}, not declared", parts=", ".join(scope))
            self._history.do_when_ready(label, without)
            return
        default = self.declared.without(*names)
        parts = ", ".join(part_text(default, name) for name in names)
        label = tr("protocol: {parts}, not declared", parts=parts)
        self._change(label, lambda protocol: protocol.without(*names))

    def number(self, name: str) -> str:
        """Return a number of NUMBERS, or the looks, as text."""
        return written(self.declared[name])

    def set_number(self, name: str, text: str) -> None:
        """Declare a number of NUMBERS or the looks from text; an empty text of an optional one removes it.
        Raises OptionError, which says what is valid."""
        known = {**NUMBERS, LOOKS.name: LOOKS}
        if name not in known:
            raise OptionError(tr("Unknown option {name!r}; choose one of {names}.", name=name, names=", ".join(known)))
        fields: dict[str, Any] = {name: known[name].read(text)}
        if fields[name] is None:
            self.undeclare(name)
        else:
            self.set(**fields)

    # --- the unit of dependence ---

    @property
    def units(self) -> tuple[tuple[str, int], ...]:
        """The attributes that may be the unit, each with the number of its values among the queries that count;
        without those that some query lacks."""
        context = self._view.context
        if context is None:
            return ()
        known: list[tuple[str, int]] = []
        for attribute in unit_attributes(context):
            scope = context.choices.scope.but(unit=attribute.name)
            of_unit, _ = units_in_view(replace(context, choices=replace(context.choices, scope=scope)))
            if of_unit is not None and attribute.name not in dict(known):
                known.append((attribute.name, len(set(of_unit.units))))
        return tuple(known)

    def set_unit(self, name: str) -> None:
        """Let the queries with one value of an attribute count together, as an undo step; "": each query is a unit.
        Raises OptionError for an attribute that there is not or that queries lack, and where the declared test has no
        form for units."""
        context = self._view.context
        if context is None:
            return
        if name:
            refuse_tests((self.declared.inference.decides,), name)
            chosen = replace(context.choices, scope=context.choices.scope.but(unit=name))
            _, trouble = units_in_view(replace(context, choices=chosen))
            if trouble:
                raise OptionError(trouble)
        label = tr("unit: {attribute}", attribute=name) if name else tr("unit: each query")

        def changed(state: State) -> State:
            scope = state.chosen.scope.but(unit=name) if name else state.chosen.scope.without("unit")
            return state.with_chosen(replace(state.chosen, scope=scope))

        self._history.do_when_ready(label, changed)

    # --- runs that take part ---

    def set_taking_part(self, key: int, takes_part: bool) -> None:
        """Let a run take part in comparisons or not, as an undo step; showing or hiding it changes nothing of this. The
        baseline always takes part. Raises OptionError."""
        context = self._view.context
        if context is None:
            return
        keys = {entry.key for entry in context.taking_part}
        every = {entry.key for entry in context.system_runs}
        if key not in every or (key in keys) == takes_part:
            return
        awaited = self._store.awaited or self._store.state  # another baseline may wait
        if awaited.collection is not None and key == baseline_of(awaited.collection, awaited.chosen.scope):
            raise OptionError(tr("The baseline takes part in every comparison. Choose another baseline first."))
        identity = context.collection.identity

        def declared(state: State) -> State:
            # Other runs may have been removed, or declared, meanwhile.
            present = set() if state.collection is None else {entry.key for entry in state.collection.runs} & every
            scope = state.chosen.scope
            now = (scope.runs & present) or present
            kept = (now | {key} if takes_part else now - {key}) & present
            scope = scope.without("runs") if kept in (set(), present) else scope.but(runs=frozenset(kept))
            return state.with_chosen(replace(state.chosen, scope=scope))

        name = context.labels[key].name
        label = tr("{run} takes part", run=name) if takes_part else tr("{run} takes no part", run=name)
        self._history.do_when_ready(label, lambda state: within(state, identity, declared))

    # --- files ---

    def open_file(self, path: str, *, offered: bool = False) -> None:
        """Read a protocol and declare it for the project and the collection in view, as one undo step. ``offered``:
        only offer it in a message, as a project that is open has a protocol of its own."""

        def work(progress: Progress) -> ReadProtocol:
            refuse_pipe(path)
            return read(path)

        def done(given: ReadProtocol) -> None:
            try:
                self.offer(given, name) if offered else self.declare(given, name)
            except IrviewerError as failure:
                self._store.say(error(f"{name}: {failure}"))

        name = Path(path).name
        title = tr("Reading {file}", file=name)
        self._store.tasks.run(Operation(f"protocol {path}", work, done, title=title, reads=True))

    def declare(self, given: ReadProtocol, name: str) -> None:
        """Declare a whole protocol, of a file or a value called ``name``, as one undo step: what it does not name has
        its default. Raises OptionError for what the collection does not have; then nothing changes."""
        with_protocol(self._store.state, given)
        self._store.forget(OFFER)
        self._history.do_when_ready(tr("protocol of {file}", file=name), lambda state: with_protocol(state, given))

    def offer(self, given: ReadProtocol, name: str) -> None:
        """Offer a protocol in a message. Raises OptionError."""
        if with_protocol(self._store.state, given).protocol == self.declared:
            self.declare(given, name)
            return
        self._offered = given, name
        text = tr("The project has its own protocol, and {file} declares another one.", file=name)
        line = line_text(line_parts(given.protocol))
        self._store.say(replace(info(text, line), action="use_protocol", topic=OFFER))

    @property
    def has_offer(self) -> bool:
        return any(message.topic == OFFER for message in self._store.state.messages)

    def use_offered(self) -> None:
        """Declare the protocol that is offered. Raises OptionError."""
        if self._offered is not None:
            self.declare(*self._offered)

    def save_file(self, path: str) -> None:
        """Write the protocol in view as a file that every command and function reads. Raises IrviewerError."""
        from irviewer.formats.protocol_file import protocol_text

        context = self._view.context
        if context is None:
            raise IrviewerError(tr("No collection is open."))
        text = protocol_text(to_save(context, self._store.state.protocol), folder=Path(path).parent)
        data = text.encode("utf-8", "surrogateescape")
        self._saving.save_file(path, lambda where: write_atomically(Path(where), lambda file: file.write(data)))

    def register_file(self, path: str) -> None:
        """Register the protocol in view with the inputs of all collections that are open. Raises IrviewerError."""
        from irviewer.formats.registration import SHOWN, register

        context = self._view.context
        if context is None:
            raise IrviewerError(tr("No collection is open."))
        opened = data_files([
            (role, path) for collection in self._view.workspace.collections for role, path in files_of(collection)
        ])  # fmt: skip
        data = register(to_save(context, self._store.state.protocol), opened).encode("ascii")

        def write(where: str) -> None:
            write_atomically(Path(where), lambda file: file.write(data))

        digest = json.loads(data)["digest"][:SHOWN]
        said = tr("Registered in {path}. Publish its digest, {digest}…, before the results are known.", path=path,
                  digest=digest)  # fmt: skip
        self._saving.save_file(path, write, said)

    @property
    def line(self) -> str:
        """The line of the protocol in view; "" if nothing is open."""
        bound = self._view.protocol
        return "" if bound is None else bound.line()

    # --- internal ---

    def _change(
        self, label: str, change: Callable[[EvaluationProtocol], EvaluationProtocol], about: Hashable = None
    ) -> None:  # fmt: skip
        self._history.do_when_ready(label, lambda state: state.with_protocol(change(state.protocol)), about)
