"""Watches the one way to a new state: what the user made changes by steps of the history, or where a file is read."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

READING = {
    "place": "a file is read, for the first time or again: what files say is not undone",
    "_on_project_opened": "another project is opened in the place of what is open",
    "_open_collection": "a typed ranking or a lesson is a collection of its own; undo opens it again when closed",
    "open_data": "data that Python sent are a collection, as files that are opened",
    "drop_collection": "a worked example begins anew, as nothing had been tried",
    "close_collection": "nothing was made in it, or it is the last and its project closes",
}
"""What may change what the user made without a new step, by the method that does it, and why."""

TESTS = Path(__file__).parents[1]


def watch(patch: pytest.MonkeyPatch) -> None:
    """From now on every session raises AssertionError where it changes data in another way."""
    from irviewer.session.judging.edits import step_between
    from irviewer.session.state import State
    from irviewer.session.store import Store

    plain = Store.apply

    def applied(self: Store, state: State) -> None:
        old = self.state
        if old.workspace is not state.workspace and old.history is state.history and not _is_reading():
            change = step_between(old, state)
            assert not change, f"data changed without a step: {change}"
        plain(self, state)

    patch.setattr(Store, "apply", applied)


def _is_reading() -> bool:
    """True where the state is changed by one of those methods, or by a test itself."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_name in ("apply", "applied"):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is not None and Path(frame.f_code.co_filename).is_relative_to(TESTS):
        return True
    while frame is not None:
        if frame.f_code.co_name in READING:
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False
