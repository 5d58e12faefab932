"""The dialogs about runs: baseline, name, colour, order, fusion, saving."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from irviewer.gui.dialogs.choice import Answer as Choosing
from irviewer.gui.dialogs.choice import ChoosingDialog
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.info import TextDialog
from irviewer.gui.dialogs.picker.sources import CommandSource, RunSource
from irviewer.gui.dialogs.runs.fields import KINDS, ColourDialog, RenameDialog, file_name
from irviewer.gui.dialogs.runs.fusion import FusionDialog
from irviewer.gui.dialogs.runs.match_systems import MatchDialog
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.theme import Theme
from irviewer.model.answers.labels import MERGED
from irviewer.rendering.run_label import RunLabel
from irviewer.session.messages import info
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session


SHOWN, HIDDEN = tr("shown"), tr("hidden")


class RunDialogs:
    """Opens the dialogs about runs. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def baseline(self) -> None:
        """Ask for the baseline."""
        self._pick_run(tr("Baseline ★: the run that differences are computed against"), self._session.runs.set_baseline)

    def choose(self) -> None:
        """Ask for runs to show or hide. The list stays open."""
        source = RunSource(
            self._session, self._theme, tr("Show or hide runs"), self._switch_run, detail=_shown_or_hidden, stays=True
        )
        self._host.picker.pick_from(source)

    def rename(self) -> None:
        """Ask for a run and its new name."""
        self._pick_run(tr("Rename which run?"), self._ask_name)

    def recolour(self) -> None:
        """Ask for a run and its new colour."""
        self._pick_run(tr("Change the colour of which run?"), self._ask_colour)

    def colour_by(self) -> None:
        """Ask for the attribute that runs are coloured and grouped by."""
        source = CommandSource(self._session, "runcolour ", tr("Colour and group runs by which attribute?"))
        self._host.picker.pick_from(source)

    def answer_list(self) -> None:
        """Ask for the run that answers were made from."""
        self._host.picker.pick_from(CommandSource(self._session, "answer_list ", tr("The list of the answers")))

    def answer_versions(self) -> None:
        """Ask what files are that have different answers of one system."""
        service = self._session.answer_versions
        differing = service.differing
        if not differing:
            self._session.say(info(tr("No two files have different answers of one system.")))
            return
        choose = service.choose
        self._host.show_dialog(ChoosingDialog(
            self._theme, self._host.window(), tr("Different answers of a system"),
            trn("A file has other answers of a system than another one", "Files have other answers of a system than "
                "others", len(differing)),
            tr("Versions are runs of their own, and can be compared. Else both are one run, and of the topics below "
               "the answers of one file count; topics that only one of them has are in the run in any case. Undo takes "
               "it back."),
            (
                Choosing(tr("Keep both as versions"), partial(choose, "versions"),
                         tr("Each file is a run of its own"), safe=True),
                Choosing(tr("The first file counts"), partial(choose, "first"), tr("One run, with its answers")),
                Choosing(tr("The last file counts"), partial(choose, "last"), tr("One run, with its answers")),
            ), lines=[each.text for each in differing], left=partial(choose, None),
        ))  # fmt: skip

    def assigner(self) -> None:
        """Ask whose labels of nuggets count."""
        self._host.picker.pick_from(CommandSource(self._session, "assigner ", tr("The assigner that counts")))

    def merged_labels(self) -> None:
        """Ask for a file to save merged labels in."""
        service = self._session.label_merging
        merged = service.merged
        name = "merged" if merged is None else f"{MERGED}{merged.rule}"
        dialog = SaveDialog(
            self._host.window(), tr("Save merged labels"), self._session.saving.file_folder(), name,
            ((tr("JSON lines"), ".jsonl"),), service.save,
        )  # fmt: skip
        self._host.show_dialog(dialog)

    def family(self) -> None:
        """Ask for a run and the family of its model."""
        self._pick_run(tr("Name the model family of which run?"), self._ask_family)

    def move(self) -> None:
        """Ask for a run and its new position."""
        self._pick_run(tr("Move which run?"), self._ask_where)

    def remove(self) -> None:
        """Ask for a run to remove from the collection."""
        self._pick_run(tr("Remove which run? Its file is not deleted"), self._session.runs.remove_run)

    def match(self) -> None:
        """Ask which run of each collection is which system."""
        self._host.show_dialog(MatchDialog(self._session, self._theme, self._host.window()))

    def fuse(self) -> None:
        """Ask for runs to fuse."""
        self._host.show_dialog(FusionDialog(self._session, self._theme, self._host.window()))

    def save(self) -> None:
        """Ask for a run to save, and its file."""
        self._pick_run(tr("Save which run?"), self.ask_file)

    def versions(self) -> None:
        """Show the versions of the runs whose files changed."""
        lines: list[str] = []
        for message in self._session.versions.histories():
            lines += [message.text, *(f"  {line}" for line in message.details), ""]
        dialog = TextDialog(
            self._theme, self._host.window(), tr("Versions of runs"),
            tr("Means over all queries, of each version that was read"), lines,
        )  # fmt: skip
        self._host.show_dialog(dialog)

    def ask_file(self, key: int) -> None:
        name = next((label.whole_name for label in self._session.view.labels() if label.key == key), "run")
        dialog = SaveDialog(
            self._host.window(), tr("Save run"), self._session.saving.file_folder(), file_name(name), KINDS,
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

    def _ask_family(self, key: int) -> None:
        collection = self._session.view.collection
        entry = None if collection is None else collection.run(key)
        if entry is None:
            return
        dialog = LineDialog(
            self._theme, self._host.window(), tr("Model family"),
            tr("Family of the model that {run} uses, as judges name it; empty for none:", run=entry.name),
            ", ".join(entry.families), _any_text, partial(self._session.runs.set_family, key),
        )  # fmt: skip
        self._host.show_dialog(dialog)

    def _ask_where(self, key: int) -> None:
        self._pick_run(tr("Move to the position of which run?"), partial(self._move_to_place_of, key))

    def _move_to_place_of(self, key: int, other: int) -> None:
        keys = [label.key for label in self._session.view.labels()]
        self._session.runs.move_run(key, keys.index(other))


def _any_text(text: str) -> str:
    return ""


def _shown_or_hidden(label: RunLabel) -> str:
    return SHOWN if label.shown else HIDDEN
