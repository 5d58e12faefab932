"""The names that runs have in the window, and the natural order of ids. Knows only names of runs and queries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from irviewer.model.arrays import Ints, frozen
from irviewer.rendering.elision import distinct_forms

SHORT = 12
"""Letters that a short name may have: about what two lines over a column of numbers hold."""

LENGTHS = (40, 28, 20, 16, 10, 9, 8, 7, 6, 5)
"""Letters of the further forms of a name: for wider columns, and where not even the short one has room."""

_POINT = r"(?<=\d)\.(?=\d)"
_PARTS = re.compile(rf"(?:[^_\-. /:]|{_POINT})+|(?:(?!{_POINT})[_\-. /:])+")
"""The words of a name, and the separators between them; the point of a number is none: 0.9 stays whole."""
_DIGITS = re.compile(r"(\d+)")
_LEAST = 2
"""Letters that are left of every name, one of them no digit, where a shared part is cut."""


def display_names(names: Sequence[str], read_names: Sequence[str] = ()) -> tuple[str, ...]:
    """The names without the parts that all begin or end with, the same for the whole window.

    What is shared is found in ``read_names``, the names that runs of files were read under (by default ``names``), so
    that a renamed or a fused run does not lengthen the names of the others; a name without the shared part stays whole,
    and so do names that would become equal."""
    head, tail = _shared(sorted(set(read_names or names)))
    cut = [_cut(name, head, tail) for name in names]
    while clashes := {name for name, count in Counter(cut).items() if count > 1}:
        whole = [name if short in clashes else short for name, short in zip(names, cut, strict=True)]
        if whole == cut:  # names that are equal themselves
            break
        cut = whole
    return tuple(cut)


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names elided to ``SHORT`` letters, all different; a name that can only be told apart by more has more."""
    return distinct_forms(names, SHORT)


def shorter_forms(names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The forms of each name elided to each number of letters in ``LENGTHS``; those of one number are all different."""
    return tuple(zip(*(distinct_forms(names, letters) for letters in LENGTHS), strict=True))


def _shared(names: Sequence[str]) -> tuple[str, str]:
    """The parts, with the separators behind and before them, that all names begin and end with; fewer where too little
    would be left of a name to be one."""
    parts = [_PARTS.findall(name) for name in names]
    if len(parts) < 2:
        return "", ""
    head = _common(parts) // 2 * 2  # a part is dropped together with the separator behind it
    tail = _common([words[::-1] for words in parts]) // 2 * 2
    while head or tail:
        rests = ["".join(words[head : len(words) - tail]) for words in parts]
        if len(set(rests)) == len(rests) and all(map(_is_name, rests)):
            break
        head, tail = (max(0, head - 2), tail) if head else (head, tail - 2)
    return "".join(parts[0][:head]), "".join(parts[0][len(parts[0]) - tail :])


def _is_name(text: str) -> bool:
    """Whether a text can be a name of its own: numbers and single letters cannot."""
    return len(text) >= _LEAST and any(map(str.isalpha, text))


def _cut(name: str, head: str, tail: str) -> str:
    """The name without what all begin and end with; whole where nothing would be left."""
    rest = name.removeprefix(head).removesuffix(tail)
    return rest if _is_name(rest) else name


def _common(lists: Sequence[Sequence[str]]) -> int:
    """How many first parts all lists share."""
    return next((n for n, parts in enumerate(zip(*lists, strict=False)) if len(set(parts)) > 1), min(map(len, lists)))


def natural_order(ids: Sequence[str]) -> Ints:
    """Return int64[n]: the natural order of ids, 2 before 10, q2 before q10."""
    if all(map(str.isascii, ids)) and all(map(str.isdigit, ids)):
        numbers = [(int(query_id), query_id) for query_id in ids]
        return frozen(np.array(sorted(range(len(ids)), key=numbers.__getitem__), dtype=np.int64))
    keys = [
        tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _DIGITS.split(query_id) if part)
        for query_id in ids
    ]
    return frozen(np.array(sorted(range(len(ids)), key=keys.__getitem__), dtype=np.int64))
