"""Translation of the texts that users see, with gettext catalogues.

English is the source: a text is its own key, and where no catalogue has it, it is shown as it is. The language is
chosen once, when the process starts (``IRVIEWER_LANGUAGE``), before any text is made: modules may translate their
constants while they are imported.

``python packaging/catalogues.py extract`` collects the texts; the first argument of each function must be a literal."""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterable
from pathlib import Path

from irviewer.paths import resource

LANGUAGE_VARIABLE = "IRVIEWER_LANGUAGE"
FOLDER_VARIABLE = "IRVIEWER_CATALOGUES"
DOMAIN = "irviewer"


def read_catalogue(language: str, folder: Path) -> gettext.NullTranslations:
    """The catalogue of a language (``"es"``, ``"pt_BR"``) in a folder laid out as gettext's; an empty one, which
    returns every text unchanged, where the folder has none."""
    return gettext.translation(DOMAIN, folder, languages=[language], fallback=True)


def _chosen() -> gettext.NullTranslations:
    if LANGUAGE in ("", "en"):
        return gettext.NullTranslations()
    named = os.environ.get(FOLDER_VARIABLE)
    return read_catalogue(LANGUAGE, Path(named) if named else resource("locale"))


LANGUAGE = os.environ.get(LANGUAGE_VARIABLE, "")
"""The language of this process, as gettext names it; "" and "en" are English."""
_catalogue = _chosen() if LANGUAGE else gettext.NullTranslations()


def tr(message: str, /, **values: object) -> str:
    """Return a text in the user's language, with the values in its named placeholders.

    ``tr("{run} has no {measure}: {value:.4f}", run="bm25", measure="AP", value=0.5)``. Placeholders may have a format
    and a conversion. Without values braces are left as they are."""
    text = _catalogue.gettext(message)
    return text.format(**values) if values else text


def trn(singular: str, plural: str, n: int, /, **values: object) -> str:
    """Return the form of a text for the number ``n``, which is also the placeholder ``{n}``.

    ``trn("{n} query", "{n} queries", 3)``."""
    return _catalogue.ngettext(singular, plural, n).format(n=n, **values)


def listed(texts: Iterable[str]) -> str:
    """Return texts as a list, ``a, b, c``; empty texts are left out."""
    return trc("between the items of a list", ", ").join(filter(None, texts))


def listed_clauses(texts: Iterable[str]) -> str:
    """Return texts that may contain commas as a list, ``a; b; c``; empty texts are left out."""
    return trc("between the clauses of a list", "; ").join(filter(None, texts))


def trc(context: str, message: str, /, **values: object) -> str:
    """Return a text whose English has several meanings: ``trc("verb", "Run")``. The context is never shown."""
    text = _catalogue.pgettext(context, message)
    return text.format(**values) if values else text
