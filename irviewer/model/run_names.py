"""What names of runs mean: the run that a name stands for, and the baseline that names suggest. Knows only names."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Sequence

from irviewer.hidden_characters import escape_hidden

_POINT = r"(?<=\d)\.(?=\d)"
_PARTS = re.compile(rf"(?:[^_\-. /:]|{_POINT})+|(?:(?!{_POINT})[_\-. /:])+")
"""The words of a name, and the separators between them; the point of a number is none: 0.9 stays whole."""
_LEAST = 2
"""Letters that are left of every name, one of them no digit, where a shared part is cut."""


def display_names(names: Sequence[str], read_names: Sequence[str] = ()) -> tuple[str, ...]:
    """The names without the parts that all begin or end with, the same for the whole window.

    What is shared is found in ``read_names``, the names that runs of files were read under (by default ``names``), so
    that a renamed or a fused run does not lengthen the names of the others; a name without the shared part stays whole,
    and so do names that would become equal. Hidden characters are escaped."""
    names, read_names = list(map(escape_hidden, names)), list(map(escape_hidden, read_names))
    head, tail = _shared(sorted(set(read_names or names)))
    cut = [_cut(name, head, tail) for name in names]
    while clashes := {name for name, count in Counter(cut).items() if count > 1}:
        whole = [name if short in clashes else short for name, short in zip(names, cut, strict=True)]
        if whole == cut:  # names that are equal themselves
            break
        cut = whole
    return tuple(cut)


def runs_named(name: str, names: Sequence[str]) -> tuple[int, ...]:
    """Return the places of the runs that a name stands for: those of this name, else those that are shown by it
    without the parts that all names share."""
    places = tuple(place for place, each in enumerate(names) if each == name)
    return places or tuple(place for place, each in enumerate(display_names(names)) if each == name)


def similar_names(name: str, names: Sequence[str]) -> list[str]:
    """Return the names that a mistyped one is likely to mean, the most likely first."""
    return difflib.get_close_matches(name, names, 3)


def suggested_baseline(names: Sequence[str]) -> int | None:
    """Return the place of the run whose name says that it is the baseline: one with "baseline" in it, else one with
    "BM25"; None if there is none. Of several it is the one that says the least besides, so that "baseline" goes before
    "baseline+rm3"; of equal ones the first."""
    for word in ("baseline", "bm25"):
        called = [place for place, name in enumerate(names) if word in name.casefold()]
        if called:
            return min(called, key=lambda place: _words_besides(names[place].casefold(), word))
    return None


def _words_besides(name: str, word: str) -> tuple[bool, int]:
    """Return whether ``word`` is only a part of a word of a name, and how many words the name has."""
    words = [part for part in re.split(r"[\W_]+", name) if part]
    return word not in words, len(words)


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
