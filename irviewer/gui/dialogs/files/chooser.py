"""File dialogs: which files to open, where to save a figure or a table. They ask, hand on the answer, and are gone.

Knows file names, no session state but the folder of the last time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

OPEN_FILTERS = (
    "All files (*)",
    "irviewer projects (*.irviewer)",
    "Runs and qrels (*.run *.txt *.trec *.res *.qrel *.qrels *.gz *.bz2 *.xz *.zst)",
    "Queries and documents (*.tsv *.jsonl *.json *.csv *.gz *.bz2 *.xz *.zst)",
)


class OpenFilesDialog(QFileDialog):
    """Any number of files of any kind, or a ``single`` one: what they hold is found out by reading them."""

    def __init__(
        self,
        window: QWidget,
        folder: str,
        chosen: Callable[[list[str]], object],
        *,
        title: str = "Open qrels, runs, queries, documents",
        single: bool = False,
    ) -> None:
        super().__init__(window, title, folder)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFileMode(QFileDialog.FileMode.ExistingFile if single else QFileDialog.FileMode.ExistingFiles)
        self.setNameFilters(OPEN_FILTERS)
        self._chosen = chosen
        self.filesSelected.connect(self._on_files_selected)

    def accept(self) -> None:
        paths = self.selectedFiles()
        if paths and not all(Path(path).exists() for path in paths):
            # Qt would stop the program with a box of its own; the session says it in the window, like any bad file.
            self.reject()
            self._chosen(paths)
            return
        super().accept()

    def _on_files_selected(self, paths: Sequence[str]) -> None:
        self._chosen(list(paths))


class SaveDialog(QFileDialog):
    """One place to save to; a name without a suffix gets that of the chosen kind."""

    def __init__(
        self,
        window: QWidget,
        title: str,
        folder: str,
        name: str,
        kinds: Sequence[tuple[str, str]],
        chosen: Callable[[str], object],
    ) -> None:
        """``kinds`` are (what it is called, suffix with the point); the first is the one proposed."""
        super().__init__(window, title, folder)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self._kinds = {f"{text} (*{suffix})": suffix for text, suffix in kinds}
        self._chosen = chosen
        self.setNameFilters(list(self._kinds))
        self.setDefaultSuffix(kinds[0][1].removeprefix("."))
        self.selectFile(file_name(name) + kinds[0][1])
        self.filterSelected.connect(self._on_filter_selected)
        self.fileSelected.connect(self._on_file_selected)

    def _on_filter_selected(self, chosen: str) -> None:
        suffix = self._kinds.get(chosen)
        if suffix is None:
            return
        self.setDefaultSuffix(suffix.removeprefix("."))
        present = self.selectedFiles()
        if present and Path(present[0]).suffix.lower() in self._kinds.values():
            self.selectFile(Path(present[0]).with_suffix(suffix).name)

    def _on_file_selected(self, path: str) -> None:
        self._chosen(path)


def file_name(text: str) -> str:
    """A title as a file's name: letters, figures, and a few signs that every system takes."""
    kept = "".join(one if one.isalnum() or one in "-_@.=" else " " for one in text)
    return "_".join(kept.split())[:80] or "irviewer"
