"""File dialogs for opening and saving.

They know file names and the last folder, no other state of the session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from irviewer.gui.guard import guarded
from irviewer.translation import tr

OPEN_FILTERS = (
    tr("All files (*)"),
    tr("irviewer projects (*.irviewer)"),
    tr("Runs and qrels (*.run *.txt *.trec *.res *.qrel *.qrels *.xlsx *.gz *.bz2 *.xz *.zst)"),
    tr("Queries and documents (*.tsv *.jsonl *.json *.csv *.xlsx *.gz *.bz2 *.xz *.zst)"),
)


LESSON_FILTERS = (tr("Lessons (*.md)"), tr("All files (*)"))
OPEN_TITLE = tr("Open qrels, runs, queries, documents")


@guarded
class OpenFilesDialog(QFileDialog):
    """Asks for files of any kind, or of the kinds of ``filters``; for a ``single`` one, or several. Their formats are
    detected when they are read."""

    def __init__(
        self,
        window: QWidget,
        folder: str,
        chosen: Callable[[list[str]], object],
        *,
        title: str = OPEN_TITLE,
        single: bool = False,
        filters: Sequence[str] = OPEN_FILTERS,
    ) -> None:
        super().__init__(window, title, folder)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFileMode(QFileDialog.FileMode.ExistingFile if single else QFileDialog.FileMode.ExistingFiles)
        self.setNameFilters(filters)
        self._chosen = chosen
        self.filesSelected.connect(self._on_files_selected)

    def accept(self) -> None:
        paths = self.selectedFiles()
        if paths and not all(Path(path).exists() for path in paths):
            # Qt would show a modal message box; the session reports it in the window, as for any invalid file.
            self.reject()
            self._chosen(paths)
            return
        super().accept()

    def _on_files_selected(self, paths: Sequence[str]) -> None:
        self._chosen(list(paths))


class OpenFolderDialog(QFileDialog):
    """Asks for a folder; begins in the nearest one that has others to choose from, since files are not listed."""

    def __init__(self, window: QWidget, folder: str, chosen: Callable[[str], object], *, title: str) -> None:
        super().__init__(window, title, _with_folders(folder))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFileMode(QFileDialog.FileMode.Directory)
        self.setOption(QFileDialog.Option.ShowDirsOnly)
        self._chosen = chosen
        self.fileSelected.connect(self._on_file_selected)

    def _on_file_selected(self, path: str) -> None:
        self._chosen(path)


def _with_folders(folder: str) -> str:
    """Return a folder, or the one above it if it has no folders; what cannot be read as it is."""
    try:
        path = Path(folder).absolute()
        has_folders = any(each.is_dir() for each in path.iterdir())
    except OSError:
        return folder
    return folder if has_folders else str(path.parent)


class SaveDialog(QFileDialog):
    """Asks for a file to save. A name without a suffix gets that of the chosen kind."""

    def __init__(
        self,
        window: QWidget,
        title: str,
        folder: str,
        name: str,
        kinds: Sequence[tuple[str, str]],
        chosen: Callable[[str], object],
    ) -> None:
        """``kinds`` are (title, suffix with its point); the first is the default."""
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
    """Return a title as a file name: letters, digits and characters that all systems allow."""
    kept = "".join(character if character.isalnum() or character in "-_@.=" else " " for character in text)
    return "_".join(kept.split())[:80] or "irviewer"
