"""The window's language: Qt's own texts, decimal commas in the window, decimal points in files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from irviewer.figures.f_surface import f_figure
from irviewer.figures.precision_recall import iso_f_lines
from irviewer.gui import languages
from irviewer.gui.dialogs.preferences.appearance_page import _language_names
from irviewer.gui.languages import locale_for, set_language
from irviewer.gui.tables.model import number_text
from irviewer.session.session import Session
from irviewer.translation import decimal, use_decimal_comma


@pytest.fixture
def comma() -> Iterator[None]:
    use_decimal_comma(True)
    yield
    use_decimal_comma(False)


@pytest.mark.parametrize(
    ("language", "system", "sign"),
    [("es", "es_ES", ","), ("es", "es_MX", "."), ("es", "en_US", ","), ("es_AR", "es_MX", "."), ("en", "de_DE", "."),
     ("", "es_ES", ".")],
)  # fmt: skip
def test_the_system_knows_the_region_of_its_language(language: str, system: str, sign: str) -> None:
    assert locale_for(language, QLocale(system)).decimalPoint() == sign


def test_english_has_points_on_every_system(qapp: QApplication) -> None:
    set_language(qapp)
    assert QLocale().decimalPoint() == "."
    assert decimal(".5") == ".5"


def test_keys_have_one_name_in_the_texts_of_qt_too(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its Spanish says Control+Mayúsculas+C, and calls a folder Folder."""
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    monkeypatch.setattr(languages, "KEY_NAMES", {"Ctrl": "Ctrl", "Shift": "Mayús"})
    monkeypatch.setattr(languages, "tr", lambda text: {"Folder": "Carpeta", "&Look in:": "&Buscar en:"}.get(text, text))
    theirs, own = QTranslator(), languages.OwnTexts(qapp)
    assert theirs.load("qtbase_es", folder)
    qapp.installTranslator(theirs)
    qapp.installTranslator(own)
    try:
        shown = QKeySequence("Ctrl+Shift+C").toString(QKeySequence.SequenceFormat.NativeText)
        dialog = [qapp.translate("QFileDialog", text) for text in ("&Look in:", "Look in:")]
        kind = qapp.translate("QAbstractFileIconProvider", "Folder")
    finally:
        qapp.removeTranslator(own)
        qapp.removeTranslator(theirs)
    assert shown == "Ctrl+Mayús+C"
    assert (kind, dialog) == ("Carpeta", ["&Buscar en:", "Ver en:"]), "what is not ours is Qt's"


def test_languages_have_their_own_names() -> None:
    names = _language_names("xx")
    assert "English" in names["en"]
    assert names["xx"], "a chosen language without a catalogue is kept"


@pytest.mark.usefixtures("comma")
def test_the_window_has_commas_and_files_have_points(session: Session, tmp_path: Path) -> None:
    assert number_text(0.37674) == "0,3767"
    path = tmp_path / "numbers.txt"
    session.saving.save_file(str(path), lambda where: Path(where).write_text(number_text(0.37674)))
    assert path.read_text() == "0.3767"


@pytest.mark.usefixtures("comma")
def test_levels_of_f_have_the_decimal_sign() -> None:
    assert [line.label for line in iso_f_lines()][-2:] == ["0,8", "F1 = 0,9"]
    assert f_figure(np.zeros((1, 2)), 0, "a", 1.0, 1).curves[0].label == "F = 0,1"
    use_decimal_comma(False)
    assert [line.label for line in iso_f_lines()][-2:] == [".8", "F1 = .9"]
