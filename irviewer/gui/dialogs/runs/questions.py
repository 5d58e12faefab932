"""What the window asks about runs: which one, and then its name, colour, place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.picker.sources import RunSource
from irviewer.gui.dialogs.runs.fields import KINDS, ColourDialog, RenameDialog, file_name
from irviewer.gui.dialogs.runs.fusion import FusionDialog
from irviewer.gui.theme import Theme
from irviewer.rendering.run_label import RunLabel

if TYPE_CHECKING:
    from irviewer.session.session import Session


class RunDialogs:
    """Made with the window; each method asks one thing."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def baseline(self) -> None:
        """What every difference is against."""
        self._pick_run("Baseline ★: what every difference is against", self._session.runs.set_baseline)

    def choose(self) -> None:
        """Show or hide runs, one after the other."""
        source = RunSource(
            self._session, self._theme, "Show or hide runs", self._switch_run, detail=_shown_or_hidden, stays=True
        )
        self._host.picker.pick_from(source)

    def rename(self) -> None:
        """Another name for a run."""
        self._pick_run("Rename which run?", self._ask_name)

    def recolour(self) -> None:
        """Another colour for a run."""
        self._pick_run("Change the colour of which run?", self._ask_colour)

    def move(self) -> None:
        """Another place for a run: which one, then before which."""
        self._pick_run("Move which run?", self._ask_where)

    def remove(self) -> None:
        """Take a run out of the collection."""
        self._pick_run("Remove which run? Its file stays, and undo brings it back", self._session.runs.remove_run)

    def fuse(self) -> None:
        """Which runs become one, and how."""
        self._host.show_dialog(FusionDialog(self._session, self._theme, self._host.window()))

    def save(self) -> None:
        """Which run is saved, then where."""
        self._pick_run("Save which run as a file?", self.ask_file)

    def ask_file(self, key: int) -> None:
        """Where a run goes."""
        name = next((label.name for label in self._session.view.labels() if label.key == key), "run")
        dialog = SaveDialog(
            self._host.window(), "Save run", self._session.saving.file_folder(), file_name(name), KINDS,
            partial(self._session.run_editing.save_run, key),
        )  # fmt: skip
        self._host.show_dialog(dialog)

    def _pick_run(self, question: str, act: Callable[[int], object]) -> None:
        self._host.picker.pick_from(RunSource(self._session, self._theme, question, act))

    def _switch_run(self, key: int) -> None:
        self._session.runs.show_run(key, key not in self._session.view.shown)

    def _ask_name(self, key: int) -> None:
        self._host.show_dialog(RenameDialog(self._session, self._theme, key, self._host.window()))

    def _ask_colour(self, key: int) -> None:
        self._host.show_dialog(ColourDialog(self._session, self._theme, key, self._host.window()))

    def _ask_where(self, key: int) -> None:
        self._pick_run("To the place of which run?", partial(self._move_to_place_of, key))

    def _move_to_place_of(self, key: int, other: int) -> None:
        keys = [label.key for label in self._session.view.labels()]
        self._session.runs.move_run(key, keys.index(other))


def _shown_or_hidden(label: RunLabel) -> str:
    return "shown" if label.shown else "hidden"
