"""Stored values under the protocol in view: what they were computed by, and the offer to declare it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from irviewer.evaluation.evaluate import stored_rules
from irviewer.session.messages import warning
from irviewer.session.protocol.actions import ProtocolService
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.view import View

TOPIC = "stored values"
"""The topic of the message about values that are not shown under the protocol in view."""


class StoredValueService:
    """Says why stored values are not shown, and declares the rules that they were computed by."""

    def __init__(self, store: Store, view: View, protocol: ProtocolService) -> None:
        self._store = store
        self._view = view
        self._protocol = protocol
        self._told: tuple[str, ...] = ()

    @property
    def rules(self) -> dict[str, Any]:
        """The rules of the first values that are refused, where they differ from those in view; {} if none do."""
        context = self._view.context
        if context is None:
            return {}
        in_view = stored_rules(context.asked_options)
        for entry in context.opened_runs:
            if entry.run.stored is not None and entry.key in context.refusals:
                theirs = entry.run.stored.rules
                return {name: theirs[name] for name, value in in_view.items() if theirs.get(name, value) != value}
        return {}

    def _action(self) -> str:
        """Return the command that shows values again: a run that is there is evaluated under the rules in view."""
        context = self._view.context
        opened = () if context is None else context.opened_runs
        refused = [entry.run.stored for entry in opened if context is not None and entry.key in context.refusals]
        if any(stored is not None and stored.lists is not None for stored in refused):
            return "evaluate_in_blocks"
        return "use_stored_rules" if self.rules else ""

    def use_rules(self) -> None:
        """Declare the rules that the values were computed by, as one undo step."""
        rules = self.rules
        if rules:
            self._protocol.set(**rules)

    def after_update(self, former: State) -> None:
        """Say why values are not shown, as long as they are not."""
        context = self._view.context
        reasons = () if context is None else tuple(dict.fromkeys(context.refusals.values()))
        if reasons == self._told:
            return
        self._told = reasons
        self._store.forget(TOPIC)
        if reasons:
            action = self._action()
            self._store.say(replace(warning(*reasons), action=action, topic=TOPIC))
