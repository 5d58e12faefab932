"""The measures that a text names, by their signs or in words."""

from __future__ import annotations

import re
from functools import lru_cache

from irviewer.errors import MeasureError
from irviewer.measures.parser import parse_measure

_NAME = re.compile(r"(?<![\w@])[A-Za-z]\w+(?:\([^()]*\))?(?:@[\d.]*\d)?|(?<![\w@])[PRF]@\d+")


def measure_in(text: str, names: str) -> str:
    """Return the measure that a text names; "" if it names none, or several."""
    measures = measures_in(text, names)
    return measures[0] if len(measures) == 1 else ""


def measures_in(text: str, names: str) -> list[str]:
    """Return the measures that a text names, each once, as it writes them."""
    named = [name for name in _NAME.findall(text) if "@" in name or not name.islower()]
    return list({measure: name for name in named if (measure := _measure_of(name, names))}.values())


@lru_cache(maxsize=10_000)
def _measure_of(name: str, names: str) -> str:
    """Return the whole text of a measure; "" for a word that is none, of which a text has many."""
    try:
        return parse_measure(name, names).text
    except MeasureError:
        return ""


NAMES_IN_WORDS = (
    ("AP", re.compile(r"\baverage precision\b|\bprecisión media\b", re.I)),
    ("RR", re.compile(r"\breciprocal rank\b|\brango recíproco\b", re.I)),
    ("RBP", re.compile(r"\brank-biased precision\b|\bprecisión sesgada por (?:el )?rango\b", re.I)),
)


_PERSISTENCE = re.compile(r"\b(?:persistence|persistencia|p)\s+(?:(?:of|is|=|de|es)\s+)?(0?\.\d+)", re.I)


_COLUMNS_IN_WORDS = (
    ("P", re.compile(r"\bprecision\b|\bprecisión\b(?! media)", re.I)),
    ("R", re.compile(r"\b(?:recall|exhaustividad)\b", re.I)),
    ("F", re.compile(r"(?<![\w@])F(?![\w@])")),
)


def measures_down_the_list(text: str, names: str) -> list[str]:
    """Return the measures without their cutoffs, of which a text says something at ranks."""
    named = [name.partition("@")[0] for name in measures_said(text, names)]
    return list(dict.fromkeys(named)) or [name for name, words in _COLUMNS_IN_WORDS if words.search(text)]


def measures_said(text: str, names: str) -> list[str]:
    """Return the measures that a text names, or where it names none by its sign, those that it says in words."""
    named = measures_in(text, names) or [name for name, words in NAMES_IN_WORDS if words.search(text)]
    with_persistence = [f"RBP(p={each})" for each in _PERSISTENCE.findall(text)] if "RBP" in named else []
    return named + with_persistence
