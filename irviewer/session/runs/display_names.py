"""Short names, and the natural order of ids. Knows only names of runs and queries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from irviewer.model.arrays import Ints, frozen

SHORT = 10
"""Letters that a short name may have: four of them stand side by side in the metric table."""

LEAST = 5
"""Letters that a name may have over a column of numbers, beside the run's swatch."""

_PARTS = re.compile(r"[^_\-. /:]+|[_\-. /:]+")
_DIGITS = re.compile(r"(\d+)")


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """The shortest names that tell these apart and can still be read: what all share is dropped, parts are cut
    (``standard_bm25`` -> ``st_bm25``); a name that would coincide with another stays longer."""
    bare = _without_common(names) if len(names) > 1 else list(names)
    ladders = [_ladder(short, full) for short, full in zip(bare, names, strict=True)]
    places = [0] * len(names)
    while True:
        chosen = [ladder[place] for ladder, place in zip(ladders, places, strict=True)]
        clashes = {name for name in chosen if chosen.count(name) > 1}
        moved = False
        for number, name in enumerate(chosen):
            if name in clashes and places[number] + 1 < len(ladders[number]):
                places[number] += 1
                moved = True
        if not moved:
            return tuple(chosen)


def least_names(names: Sequence[str]) -> tuple[str, ...]:
    """A few letters for each name: a part that no other name has, best one that is short enough to stand whole
    (``bm25_plain`` beside ``bm25_english``: ``plain``, ``engl.``). Names that combine parts which others have too get
    the beginnings of their parts (``custom_bm25`` among others: ``cbm``); what is left is cut in the middle, and may
    then coincide: the swatch tells them apart."""
    parts = [[part for part in _PARTS.findall(name)[::2] if part] for name in names]
    used = Counter(part for name_parts in parts for part in set(name_parts))
    chosen = []
    for name, mine in zip(names, parts, strict=True):
        own = sorted((part for part in mine if used[part] == 1), key=str.isdigit)  # words before numbers
        whole = [part for part in own if len(part) <= LEAST and not (len(part) == 1 and len(own) > 1)]
        if len(name) <= LEAST:
            chosen.append(name)
        elif whole or own:
            part = (whole or own)[0].strip("()[]") or (whole or own)[0]
            chosen.append(part if len(part) <= LEAST else f"{part[: LEAST - 1]}.")
        else:
            chosen.append(name)
    same = Counter(chosen)
    clear = [same[short] == 1 and len(short) <= LEAST for short in chosen]
    taken = {short for short, good in zip(chosen, clear, strict=True) if good}
    left = [name for name, good in zip(names, clear, strict=True) if not good]
    combined = iter(_beginnings(left) if len(left) > 1 else [_shortest(left, taken)])
    shortened = []
    for name, first_choice, good in zip(names, chosen, clear, strict=True):
        short = first_choice if good else next(combined)
        if not good and (not short or len(short) > LEAST or short in taken):
            short = f"{name[:2]}…{name[2 - LEAST + 1 :]}"  # what many begin alike is told apart by its end
        shortened.append(short)
    return tuple(shortened)


def _shortest(names: Sequence[str], taken: set[str]) -> str:
    """The shortest part of the only name that is left, where nothing else is called so; "" where there is none."""
    parts = [part for name in names for part in _PARTS.findall(name)[::2] if 1 < len(part) <= LEAST]
    return min((part for part in parts if part not in taken), key=len, default="")


def _beginnings(names: Sequence[str]) -> list[str]:
    """Of each name the fewest first letters of its parts by which all are told apart; "" where names do not consist of
    equally many parts, two or more."""
    if not names:
        return []
    bare = _without_common(names) if len(names) > 1 else list(names)
    parts = [_PARTS.findall(name)[::2] for name in bare]
    if len({len(part) for part in parts}) != 1 or len(parts[0]) < 2:
        return [""] * len(names)
    columns = []
    for values in zip(*parts, strict=True):
        differing = set(values)
        columns.append([_beginning(value, differing) for value in values])
    made = ["".join(columns_of_name) for columns_of_name in zip(*columns, strict=True)]
    return made if len(set(made)) == len(names) else [""] * len(names)


def _beginning(word: str, among: set[str]) -> str:
    """The fewest first letters that no other of the words begins with; the word where there are none."""
    others = among - {word}
    lengths = range(1, len(word) + 1)
    return next((word[:n] for n in lengths if not any(other.startswith(word[:n]) for other in others)), word)


def _without_common(names: Sequence[str]) -> list[str]:
    """The names without the parts that all begin or end with, where something is left of each."""
    parts = [_PARTS.findall(name) for name in names]
    head = _common(parts)
    tail = _common([part[::-1] for part in parts])
    head -= head % 2  # a part is dropped together with the separator behind it
    tail -= tail % 2
    cut = ["".join(part[head : len(part) - tail]) for part in parts]
    return cut if all(cut) and len(set(cut)) == len(set(names)) else list(names)


def _common(lists: Sequence[Sequence[str]]) -> int:
    """How many first parts all lists share."""
    return next((n for n, parts in enumerate(zip(*lists, strict=False)) if len(set(parts)) > 1), min(map(len, lists)))


def _ladder(name: str, full: str) -> list[str]:
    """Ever longer forms of a name; the first that is no other's is taken."""
    if len(name) <= SHORT:
        return [name, full]
    parts = _PARTS.findall(name)
    words = [place for place in range(0, len(parts), 2) if parts[place].isalpha() and len(parts[place]) > 3]
    forms = []
    if len(parts) > 1 and words:
        for cut in ((0,), (words[-1],), (0, words[-1])):
            tried = list(parts)
            for place in cut:
                if place in words:
                    tried[place] = parts[place][:2] if place == 0 else parts[place][:3] + "."
            forms.append("".join(tried))
    fitting = [form for form in dict.fromkeys(forms) if len(form) <= SHORT and form != name]
    return [*fitting, f"{name[: SHORT // 2 - 1]}…{name[-SHORT // 2 :]}", name, full]


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
