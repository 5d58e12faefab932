"""Translation of the texts that users see, with gettext catalogues, and the decimal sign of numbers.

English is the source: a text is its own key, and where no catalogue has it, it is shown as it is. The language is
chosen once, when the process starts, before any other module is imported, since modules translate their constants while
they are imported: the window's is ``IRVIEWER_LANGUAGE``, or the language chosen in Preferences, or the system's. The
command line and the Python API speak English unless ``IRVIEWER_LANGUAGE`` names another language, so that what a script
reads does not depend on the machine.

``python packaging/catalogues.py extract`` collects the texts; the first argument of each function must be a literal."""

from __future__ import annotations

import gettext
import json
import os
import re
import string
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Real
from pathlib import Path
from typing import Any

from irviewer.paths import resource, settings_path

LANGUAGE_VARIABLE = "IRVIEWER_LANGUAGE"
FOLDER_VARIABLE = "IRVIEWER_CATALOGUES"
DOMAIN = "irviewer"
SOURCE = "en"
NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
"""Between the thousands of a number with a decimal comma, where a comma or a point would be misread."""


def catalogue_folder() -> Path:
    """Return the folder of the catalogues, laid out as gettext's; ``IRVIEWER_CATALOGUES`` names another one."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else resource() / "locale"


def languages(folder: Path | None = None) -> list[str]:
    """Return the languages that can be chosen: English, then those that have a catalogue, in the order of their
    codes."""
    where = catalogue_folder() if folder is None else folder
    return [SOURCE, *sorted(path.parent.parent.name for path in where.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))]


def read_catalogue(language: str, folder: Path) -> gettext.NullTranslations:
    """The catalogue of a language (``"es"``, ``"pt_BR"``) in a folder laid out as gettext's; an empty one, which
    returns every text unchanged, where the folder has none."""
    return gettext.translation(DOMAIN, folder, languages=[language], fallback=True)


def named_languages() -> list[str]:
    """Return the languages that the environment names (``LANGUAGE``, ``LC_ALL``, ``LC_MESSAGES``, ``LANG``), the
    preferred one first."""
    variables = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    return [name for variable in variables for name in os.environ.get(variable, "").split(":") if name]


def chosen_in_settings() -> str:
    """Return the language chosen in Preferences; "" for the system's, or where the settings cannot be read."""
    try:
        settings = json.loads(settings_path().read_text("utf-8"))
    except (OSError, ValueError):
        return ""
    chosen = settings.get("language") if isinstance(settings, dict) else None
    return chosen if isinstance(chosen, str) else ""


def window_language(preferred: Iterable[str]) -> str:
    """Return the language of the window: that of ``IRVIEWER_LANGUAGE``, that of Preferences, or the first of the
    ``preferred`` ones, as the system names them (``"es_MX.UTF-8"``, ``"es-MX"``), that has a catalogue; else "en"."""
    known = languages()
    for name in (os.environ.get(LANGUAGE_VARIABLE, ""), chosen_in_settings()):
        if name:
            return name
    for name in preferred:
        full = name.split(".")[0].split("@")[0].replace("-", "_")
        for code in (full, full.split("_")[0]):
            if code in known:
                return code
    return SOURCE


class _Chosen:
    """What is chosen once for the process: the language, its catalogue, and the decimal sign."""

    def __init__(self, language: str) -> None:
        self.language = language
        english = language in ("", SOURCE)
        self.catalogue = gettext.NullTranslations() if english else read_catalogue(language, catalogue_folder())
        self.decimal_comma = False
        self.lecture = False


_chosen = _Chosen(os.environ.get(LANGUAGE_VARIABLE, ""))


def current_language() -> str:
    """Return the language of this process, as gettext names it; "" and "en" are English."""
    return _chosen.language


def language_tag() -> str:
    """Return the language of this process as pages of HTML name it: ``es-MX``, ``en``."""
    return (current_language() or SOURCE).replace("_", "-")


def with_region(language: str) -> tuple[str, ...]:
    """Return the names that texts in a language can have: ``es_MX`` and ``es``."""
    return tuple(dict.fromkeys((language, language.partition("_")[0])))


def is_known(language: str) -> bool:
    """Return whether there are texts in a language, whatever its region."""
    return any(name in languages() for name in with_region(language))


def choose_language(language: str) -> None:
    """Choose the language of this process. Texts that exist already stay as they are."""
    vars(_chosen).update(vars(_Chosen(language)))


_for_files: ContextVar[bool] = ContextVar("for_files", default=False)
_in_lesson: ContextVar[bool] = ContextVar("in_lesson", default=False)
_NO_ZERO = re.compile(r"(?<!\d)\.(?=\d)")
_ZERO, _ONE = re.compile(r"(?<![\d.,×])0(?=\.\d\d)"), re.compile(r"(?<![\d.,×])1\.0000(?!\d)")
"""The zero of a value below 1, which lectures leave out, and a value of 1; not those of ratios and of 0.5 %."""
_SIGNS = str.maketrans({".": ",", ",": NARROW_SPACE})


def use_decimal_comma(on: bool) -> None:
    """Write the numbers of this process with a decimal comma or a decimal point. Only the window does, at its start."""
    _chosen.decimal_comma = on


def write_as_lectures(on: bool) -> None:
    """Write the values of this process as lectures do, .7555 and 1, or as trec_eval does, 0.7555 and 1.0000. Only the
    window does, while a lesson is open; :func:`as_lectures` is for the files that are made of lessons."""
    _chosen.lecture = on


@contextmanager
def as_lectures() -> Iterator[None]:
    """Within this context of this thread values are written as :func:`write_as_lectures` says, in files too."""
    token = _in_lesson.set(True)
    try:
        yield
    finally:
        _in_lesson.reset(token)


def has_decimal_commas() -> bool:
    """Return whether :func:`decimal` changes numbers."""
    return _chosen.decimal_comma and not _for_files.get()


def takes_decimal_commas() -> bool:
    """Return whether numbers are typed with decimal commas, also while a file is written."""
    return _chosen.decimal_comma


def decimal(number: str) -> str:
    """Return a formatted number with the decimal sign of the window.

    ``1,234.5`` and ``.5`` stay as they are or, where the locale has decimal commas, are ``1 234,5`` and ``0,5``; with
    points ``.5`` is ``0.5`` in all languages but English; :func:`write_as_lectures` tells of lessons. The text has no
    other points and commas. Texts for files keep the point: :func:`decimal_points`."""
    is_of_lesson = _in_lesson.get()
    if _for_files.get() and not is_of_lesson:
        return number
    if is_of_lesson or _chosen.lecture:
        number = _ONE.sub("1", _ZERO.sub("", number))
    if not has_decimal_commas():
        return with_zero(number)
    return _NO_ZERO.sub("0.", number).translate(_SIGNS)


def typed_number(text: str) -> str:
    """Return a number that was typed as ``float`` reads it: with a hyphen for a minus sign and, where the window has
    decimal commas, with a decimal point, 0.05 for 0,05."""
    text = text.replace("\N{MINUS SIGN}", "-")
    return text.replace(NARROW_SPACE, "").replace(",", ".") if has_decimal_commas() else text


def typed_numbers(text: str) -> list[str]:
    """Return the numbers of a list that was typed, each with a decimal point. Semicolons separate them, and commas; in
    a window with decimal commas only those before a blank: 0,05; 0,1 are two numbers, and 3, 6, 12 are three."""
    parts = re.split(r";|,\s" if has_decimal_commas() else "[;,]", text)
    return [typed_number(part.strip()) for part in parts if part.strip()]


def number_list(numbers: Iterable[str]) -> str:
    """Return numbers of the window as one types them in a list: ``.05, .1`` or ``0,05; 0,1``."""
    return ("; " if has_decimal_commas() else ", ").join(numbers)


def with_zero(number: str) -> str:
    """Return a number with the zero that it has before its decimal sign in all languages but English: 0.5 for .5."""
    return number if current_language() in ("", "en") else _NO_ZERO.sub("0.", number)


def interval(low: str, high: str) -> str:
    """Return the text of an interval, ``[.2, .5]``, by those of its ends."""
    return trc("the ends of an interval", "[{low}, {high}]", low=low, high=high)


@contextmanager
def decimal_points() -> Iterator[None]:
    """Within this context of this thread numbers have decimal points, as in all files."""
    token = _for_files.set(True)
    try:
        yield
    finally:
        _for_files.reset(token)


class _DecimalFormatter(string.Formatter):
    """Formats the numbers of a text with the decimal sign of the window."""

    def format_field(self, value: Any, format_spec: str) -> str:
        text: str = super().format_field(value, format_spec)
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        return decimal(text) if is_number and format_spec and format_spec[-1] in ",fg%e" else text


_formatter = _DecimalFormatter()
_said: dict[str, Callable[[Any], object]] = {}


def say_as(placeholder: str, said: Callable[[Any], object]) -> None:
    """Let the values of a placeholder be said in another way in every text, such as measures by their usual names: what
    a user reads is made here, and what is stored has the values themselves."""
    _said[placeholder] = said


def filled(text: str, /, **values: object) -> str:
    """Return a translated template with its values, as :func:`tr` does: for templates that are kept in records."""
    for name in _said.keys() & values.keys():
        values[name] = _said[name](values[name])
    changed = _chosen.decimal_comma or _chosen.lecture or _in_lesson.get()
    return _formatter.vformat(text, (), values) if changed else text.format(**values)


def tr(message: str, /, **values: object) -> str:
    """Return a text in the user's language, with the values in its named placeholders.

    ``tr("{run} has no {measure}: {value:.4f}", run="bm25", measure="AP", value=0.5)``. Placeholders may have a format
    and a conversion; numbers with a format have the decimal sign of the window. Without values braces are left as they
    are."""
    text = _chosen.catalogue.gettext(message)
    return filled(text, **values) if values else text


def trn(singular: str, plural: str, n: int, /, **values: object) -> str:
    """Return the form of a text for the number ``n``, which is also the placeholder ``{n}``.

    ``trn("{n} query", "{n} queries", 3)``."""
    return filled(_chosen.catalogue.ngettext(singular, plural, n), n=n, **values)


def listed(texts: Iterable[str]) -> str:
    """Return texts as a list, ``a, b, c``; empty texts are left out."""
    return trc("between the items of a list", ", ").join(filter(None, texts))


def listed_clauses(texts: Iterable[str]) -> str:
    """Return texts that may contain commas as a list, ``a; b; c``; empty texts are left out."""
    return trc("between the clauses of a list", "; ").join(filter(None, texts))


def trc(context: str, message: str, /, **values: object) -> str:
    """Return a text whose English has several meanings: ``trc("verb", "Run")``. The context is never shown."""
    text = _chosen.catalogue.pgettext(context, message)
    return filled(text, **values) if values else text
