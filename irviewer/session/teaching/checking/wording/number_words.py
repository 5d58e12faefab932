"""Words of numbers in English and Spanish: counts, "three", orders, "third", shares, "two thirds", and multiples,
"twice"."""

from __future__ import annotations

import re

_COUNTS = (
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    ("uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce"),
    ("un",), ("una",),
)  # fmt: skip
TENS = (
    ("ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"),
    ("diez", "veinte", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa", "cien"),
)
ORDERS = (
    ("first", "primer", "primero", "primera", "primeros", "primeras"),
    ("second", "segundo", "segunda", "segundos", "segundas"), ("third", "tercer", "tercero", "tercera"),
    ("fourth", "cuarto", "cuarta"), ("fifth", "quinto", "quinta"), ("sixth", "sexto", "sexta"),
    ("seventh", "séptimo", "séptima"), ("eighth", "octavo", "octava"), ("ninth", "noveno", "novena"),
    ("tenth", "décimo", "décima"),
)  # fmt: skip
"""Words of each order, the English one first, then the Spanish ones as they stand before "documento", and others."""
_PARTS = (
    ("half", "third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    ("medio", "tercio", "cuarto", "quinto", "sexto", "séptimo", "octavo", "noveno", "décimo"),
)
COUNT_OF = {word: n for words in _COUNTS for n, word in enumerate(words, start=1)} | {"twenty": 20, "veinte": 20}
TEN_OF = {word: 10 * n for words in TENS for n, word in enumerate(words, start=1)}
ORDINALS = tuple(zip(*(words[:2] for words in ORDERS), strict=True))
"""The orders from the first on, as they stand before a noun, in each language."""
ORDER_OF = {word: n for words in ORDINALS for n, word in enumerate(words, start=1)}
_ORDER_OF_ANY = {word: n for n, words in enumerate(ORDERS, start=1) for word in words}
MULTIPLE_OF = {
    "twice": 2, "double": 2, "doubled": 2, "doubles": 2, "doble": 2, "triple": 3, "triples": 3, "triplica": 3,
    "cuádruple": 4,
}  # fmt: skip
ARTICLES = ("un", "una")
"""Spanish words for one that only say that there is one: "un documento de grado 2"."""
PLACES = (r"first|primer[oa]?", r"second|segund[oa]", r"third|tercer[oa]?", r"fourth|cuart[oa]")
"""Expressions for the places that one of a few rankings can be called by."""
A_COUNT = rf"(\d+|{'|'.join(COUNT_OF)})"
AN_ORDER = rf"({'|'.join(ORDER_OF)})"
AN_ORDINAL = rf"(?:{'|'.join(sorted((word for word in _ORDER_OF_ANY if word[-1] != 's'), key=len, reverse=True))})"
"""An ordinal, in Spanish of either gender."""
_PART_OF = {word: n for words in _PARTS for n, word in enumerate(words, start=2)} | {"halve": 2, "fourth": 4}
_A_PART = rf"(?:an?|{'|'.join(COUNT_OF)})\s+(?:{'|'.join(_PART_OF)})s?"
A_SHARE = rf"(?<!\w)(?:{_A_PART}|half|la\s+mitad)(?!\w)"
"""A share in words: "five eighths", "un tercio"."""


def count_of(word: str) -> int:
    """Return the number that a word or digits say."""
    return int(word) if word.isdigit() else COUNT_OF[word.lower()]


def numbers_in(text: str) -> list[int]:
    """Return the numbers that a text has in digits: of "ranks 1, 3 and 4" those three."""
    return [int(number) for number in re.findall(r"\d+", text)]


def order_of(word: str) -> int:
    """Return the place that an ordinal says, in Spanish of either gender."""
    return _ORDER_OF_ANY[word.lower()]


def share_of(words: str) -> float:
    """Return the share that words of :data:`A_SHARE` say."""
    count, _, part = " ".join(words.lower().split()).rpartition(" ")
    if part in ("half", "mitad"):
        return 0.5
    part = part if part in _PART_OF else part.removesuffix("s")
    return (1 if count in ("a", "an") else COUNT_OF[count]) / _PART_OF[part]
