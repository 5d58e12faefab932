"""Qt's part of the window's language: the texts of its own dialogs, and the signs of numbers."""

from __future__ import annotations

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QTranslator
from PySide6.QtWidgets import QApplication

from irviewer import translation
from irviewer.gui.guard import guarded
from irviewer.session.shortcuts import KEY_NAMES
from irviewer.translation import tr


def locale_for(language: str, system: QLocale) -> QLocale:
    """Return the locale of numbers and dates: the system's, which knows the region, where its language is that of the
    window; else that of the language itself. English is written with a decimal point everywhere."""
    if language in ("", translation.SOURCE):
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
    wanted = QLocale(language)
    return system if system.language() == wanted.language() else wanted


def desktop_languages() -> list[str]:
    """Return the languages of the user of Windows or macOS, the preferred one first: a program that was started by a
    click finds them in no variable."""
    return list(QLocale.system().uiLanguages())


@guarded
class OwnTexts(QTranslator):
    """Texts of Qt that it has in another form than irviewer, or in English only: keys, which have one name everywhere
    (Control+C beside Ctrl+C), and parts of the file dialog."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._texts = {("QShortcut", key): name for key, name in KEY_NAMES.items()}
        self._texts |= {("QAbstractFileIconProvider", kind): tr("Folder") for kind in ("Folder", "File Folder")}
        self._texts |= {
            ("QAbstractFileIconProvider", "Drive"): tr("Drive"),
            ("QFileDialog", "&Look in:"): tr("&Look in:"),
            ("QFileDialog", "Files of &type:"): tr("Files of &type:"),
        }

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        """Return the text, or None where Qt's own is used."""
        return self._texts.get((context, source))


def set_language(application: QApplication) -> None:
    """Give Qt the language of this process: the texts of its own dialogs, the decimal sign of its fields and of
    irviewer's numbers. May be called again."""
    numbers = locale_for(translation.current_language(), QLocale.system())
    numbers.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
    QLocale.setDefault(numbers)
    translation.use_decimal_comma(numbers.decimalPoint() == ",")
    language = translation.current_language()
    if language in ("", translation.SOURCE):
        return
    texts = QTranslator(application)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if texts.load(f"qtbase_{language}", folder):
        application.installTranslator(texts)
        application.installTranslator(OwnTexts(application))  # the last one is asked first
