"""What names of runs mean: the run that a name stands for, and the baseline that names suggest."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.errors import OptionError, name_some
from irviewer.hidden_characters import escape_hidden
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.model.run import Run

_POINT = r"(?<=\d)\.(?=\d)"
_PARTS = re.compile(rf"(?:[^_\-. /:]|{_POINT})+|(?:(?!{_POINT})[_\-. /:])+")
"""The words of a name, and the separators between them; the point of a number is none: 0.9 stays whole."""
_SEPARATORS = "_-. /:"
_BLANK = re.compile(r"\s")
_SHARED_LEAST = 4
"""The least number of letters of a beginning that most names share."""
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


def names_of_run(run: Run) -> tuple[str, ...]:
    """Return what a table may call a run: its name, its file's, and its file's without endings."""
    file = Path(run.origin).name
    return (run.name, *((file, file.partition(".")[0], Path(file).stem) if file and file != "-" else ()))


def further_names(runs: Sequence[Run]) -> tuple[frozenset[str], ...]:
    """Return what else each run may be called, for :func:`run_place`: its file, with and without folder and endings,
    its tag, and the name it was read under."""
    return tuple(frozenset((*names_of_run(run)[1:], run.origin, run.tag, run.read_name)) - {""} for run in runs)


def runs_named(name: str, names: Sequence[str], further: Sequence[Collection[str]] = ()) -> tuple[int, ...]:
    """Return the places of the runs that a name stands for: those of this name; else those that are shown by it,
    without the parts that all names share; else those that have it without a beginning that another name shares, or
    among their ``further`` names."""
    for called in (names, display_names(names)):
        if places := tuple(place for place, each in enumerate(called) if each == name):
            return places
    also = {place for place, others in enumerate(further) if name in others}
    return tuple(sorted(also | {place for place, each in enumerate(names) if _is_rest(name, each, names)}))


def whole_name(name: str, names: Sequence[str], further: Sequence[Collection[str]] = ()) -> str:
    """Return the whole name of the run that a name stands for, as of :func:`runs_named`; a name of none as it is.
    Raises OptionError for a name of several."""
    if name in names or not runs_named(name, names, further):
        return name
    return names[run_place(name, names, (), further)]


def run_place(
    name: str, names: Sequence[str], copies: Collection[int] = (), further: Sequence[Collection[str]] = ()
) -> int:
    """Return the place of the run that a name stands for, as of :func:`runs_named`. Raises OptionError for a name of
    none, of several, or of an edited copy; ``copies`` are the places of these."""
    places = runs_named(name, names, further)
    own = [place for place in places if place not in copies]
    if len(own) == 1:
        return own[0]
    if not places:
        similar = similar_names(name, names)
        if similar:
            raise OptionError(
                tr("there is no run {run}; did you mean {names}?", run=name, names=tr(" or ").join(similar))
            )
        raise OptionError(tr("there is no run {run}; the runs are {names}", run=name, names=name_some(names)))
    if not own:
        raise OptionError(tr("run {run} is an edited copy, which takes part in no test; name another run", run=name))
    whole = [names[place] for place in own]
    if len(set(whole)) > 1:
        raise OptionError(
            tr("{run} may be one of the runs {names}; give the whole name", run=name, names=name_some(whole))
        )
    raise OptionError(tr("{count} runs have the name {run}; rename all but one", count=len(own), run=name))


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


def start_of_most(names: Sequence[str]) -> str:
    """Return the words that more than half of the names begin with, but not all of them, from which
    :func:`display_names` would have cut it; "" for none of four letters, and where what is left could be no name."""
    counts: Counter[str] = Counter()
    parts = [_PARTS.findall(name) for name in dict.fromkeys(names)]
    for words in parts:
        counts.update(accumulate(words[: len(words) - 1]))
    often = (
        start for start, count in counts.items()
        if len(parts) / 2 < count < len(parts) and len(start) >= _SHARED_LEAST and start[-1] in _SEPARATORS
        and all(_is_name(name.removeprefix(start)) for name in names if name.startswith(start))
    )  # fmt: skip
    return max(often, key=len, default="")


def _is_rest(name: str, whole: str, names: Sequence[str]) -> bool:
    """Whether a name is what is left of a whole one without a beginning that another name has too."""
    head = whole.removesuffix(name)
    ends = "".join(_PARTS.findall(whole)[: len(_PARTS.findall(head))]) == head and head[-1:] in _SEPARATORS
    return 0 < len(head) < len(whole) and ends and any(each.startswith(head) for each in names if each != whole)


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


def look(name: str) -> str:
    """Return what is seen of a name: spaces at its ends are not, nor how many stand between words or of which kind, nor
    whether an accent is a character of its own. Hidden characters are seen as their escapes."""
    return " ".join(unicodedata.normalize("NFC", escape_hidden(name)).split())


def looks_taken(name: str, taken: Collection[str]) -> bool:
    """Whether a name is one of those taken, or looks like one of them."""
    if name in taken:
        return True
    together = "".join(taken)
    if together.isascii() and name.isascii() and not _BLANK.search(together) and not _BLANK.search(name):
        return False
    seen = look(name)
    return any(look(other) == seen for other in taken)


def free_name(name: str, taken: Iterable[str]) -> str:
    """Return ``name``, or ``name (2)`` and so on if it is taken, or looks like one that is."""
    used = set(taken)
    if not looks_taken(name, used):
        return name
    return next(
        candidate for n in range(2, len(used) + 3) if not looks_taken(candidate := f"{name.strip()} ({n})", used)
    )


def free_run_name(name: str, origin: str, taken: Mapping[str, str]) -> str:
    """Return the name of a further run, at every door: its own one; where another has it, or one that looks the same,
    with the shortest end of its folder that tells it from that one, ``new/bm25``; in the same folder, without a file,
    and where it only looks the same, with a number, ``bm25 (2)``.

    origin  the file of the run, "" for none
    taken   name -> file of the runs before it"""
    if not looks_taken(name, taken):
        return name
    if name not in taken:  # in the same folder, mostly: its name has spaces at an end
        return free_name(name, taken)
    rivals = [file for other, file in taken.items() if other == name or other.endswith(f"/{name}")]
    folders = [_folder(file) for file in rivals]
    own = _folder(origin)
    for depth in range(1, len(own) + 1 if all(folders) else 0):
        candidate = f"{'/'.join(own[-depth:])}/{name}"
        if candidate not in taken and all(own[-depth:] != folder[-depth:] for folder in folders):
            return candidate
    return free_name(name, taken)


def _folder(file: str) -> tuple[str, ...]:
    """Return the folders of a file from the root, without it; () for none."""
    return Path(file).absolute().parts[1:-1] if file and file != "-" else ()
