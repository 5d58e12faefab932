"""Places in the texts of a lesson that its check would not notice if they said something else, which are left to
read: numbers, words of numbers, orders, shares and comparisons, names, and marks of right choices.

Nothing is guessed of what the check can do. Each place is changed in memory, and the changed lesson is checked."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from irviewer.errors import IrviewerError, ParseError
from irviewer.formats.lessons.fences import with_fences
from irviewer.formats.lessons.lesson_file import parse_lesson, split_header
from irviewer.model.lessons.lesson import Lesson
from irviewer.session.teaching.exchanged_words import others_of
from irviewer.session.teaching.printing import opened
from irviewer.session.teaching.stated_facts import Rankings
from irviewer.translation import tr

Check = Callable[[Lesson], Iterable[IrviewerError]]
"""What finds the faults of a lesson."""


@dataclass(frozen=True)
class Change:
    """Another text in the place of what is there: ``edits`` are (start, end, text) in the lesson's text."""

    other: str
    edits: tuple[tuple[int, int, str], ...]

    def applied(self, text: str) -> str:
        """Return the text of the lesson as it is with the change."""
        for start, end, other in sorted(self.edits, reverse=True):
            text = text[:start] + other + text[end:]
        return text


@dataclass(frozen=True)
class TextPlace:
    """A place of a lesson's text, from ``start``, that says ``said``; ``changes`` are what it could say instead.

    is_word   its changes are readings of one word, so that the check has to notice one of them; else all"""

    start: int
    said: str
    changes: tuple[Change, ...]
    is_word: bool = False


@dataclass(frozen=True)
class ToRead:
    """A sentence with places that the check would not notice: its line and column are those of the first of them."""

    line: int
    column: int
    sentence: str
    unnoticed: tuple[str, ...]


def places_of(text: str, lesson: Lesson) -> list[TextPlace]:
    """Return the places of a lesson's text, in its order. Raises IrviewerError if its files cannot be read."""
    names = _names(lesson)
    runs = sorted(names.runs, key=len, reverse=True)
    called = "|".join(rf"(?<![\w@]){re.escape(name)}(?![\w@])" for name in runs) or "(?!)"
    token = re.compile(rf"(?P<run>{called})|{_NUMBER}|{_WORD}")
    places = [*_marks(text, lesson)]
    bounds = _bounds(text)
    for start, end in _saying(text, lesson):
        for match in token.finditer(text, start, end):
            number = bisect_right(bounds, match.start())
            places += _at(match, names, (bounds[number - 1], bounds[number]))
    return _with_exchanged(sorted(places, key=lambda place: place.start), text, bounds)


def _with_exchanged(places: Sequence[TextPlace], text: str, bounds: Sequence[int]) -> list[TextPlace]:
    """Return places with a change more for each value whose sentence has another one after it: the two exchanged."""
    values = [place for place in places if re.fullmatch(r"\d*\.\d+", place.said)]
    more: dict[TextPlace, tuple[Change, ...]] = {}
    for first, second in pairwise(values):
        start, end = first.start + len(first.said), second.start + len(second.said)
        is_here = bisect_right(bounds, first.start) == bisect_right(bounds, second.start)
        if is_here and first.said != second.said and not _IN_ANY_ORDER.fullmatch(text, start, second.start):
            edits = ((first.start, start, second.said), (second.start, end, first.said))
            more[first] = (Change(second.said, edits),)
    return [replace(place, changes=(*place.changes, *more.get(place, ()))) for place in places]


_IN_ANY_ORDER = re.compile(r"\s*(?:[+×·*,]|,?\s(?:and|y)\s)\s*")
"""What is between two values that can be exchanged."""


def unnoticed(place: TextPlace, text: str, lesson: Lesson, check: Check, known: Iterable[IrviewerError]) -> str:
    """Return what could be in a place without a new fault, "" if the check notices it; ``known`` are the faults of the
    lesson as it is."""
    former = {_key(fault) for fault in known}
    missed = ""
    for change in place.changes:
        is_noticed = _is_noticed(change.applied(text), lesson, check, former)
        if is_noticed == place.is_word:
            return "" if is_noticed else change.other
        missed = "" if is_noticed else missed or change.other
    return missed


def to_read(text: str, missed: Sequence[tuple[TextPlace, str]]) -> Iterator[ToRead]:
    """Yield the sentences of some places, in order, each with what was not noticed in it."""
    bounds = _bounds(text)
    for number, group in groupby(missed, key=lambda each: bisect_right(bounds, each[0].start)):
        own = [*group]
        start = own[0][0].start
        yield ToRead(
            text.count("\n", 0, start) + 1,
            start - text.rfind("\n", 0, start),
            " ".join(text[bounds[number - 1] : bounds[number]].split()),
            tuple(tr("{other} in place of {said}", other=other, said=place.said) for place, other in own),
        )


def _bounds(text: str) -> list[int]:
    """Return where the sentences of a text begin, and where the last one ends."""
    return [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text) + 1]


_SENTENCE_END = re.compile(r"(?<=\n---)\s*\n|(?<=[.?!])\s+|\n(?=\s*\n|\s*[-*|#] ?|[a-z][\w. ]*:\s)")
_FIELD = re.compile(r"([a-z]+)\b[^:]*:(?:\s|$)")
_SAYING = ("because", "hint", "wrong", "answer", "ask", "do")
"""The fields of a section that say something of the rankings; others choose what is shown."""
_CHOICE = re.compile(r"[-*]\s+\[([ xX])\]\s*(.*)$")
_NUMBER = r"(?<![\w.])(?P<number>\d{1,3}(?:,\d{3})+|\d*\.\d+|\d+)(?!\w|\.\d)"
_WORD = r"(?P<word>[^\W\d_]\w*(?:-\w+)*)"
_ARTICLE = re.compile(r"A (?!is\b|has\b|and\b|or\b|to\b|at\b|es\b|tiene\b|y\b)[a-z]")
"""A word that is no name at the beginning of a sentence."""
_ENGLISH = re.compile(r"\bthe\b", re.I)
_MEASURES = ("P", "R", "K", "F")
"""Letters that a text has for measures and ranks, and rarely for documents."""
_ONE = re.compile(r"one\b", re.I)
_PRONOUN = re.compile(
    r"\b(?:the|this|that|each|every|which|no|any|another|other|same|right|wrong|next|last|first|second|third|best|"
    r"better|worse|good|only)\s+$",
    re.I,
)
"""What is before a "one" that is no number."""


def _key(fault: IrviewerError) -> tuple[int, str]:
    return (fault.line, fault.reason) if isinstance(fault, ParseError) else (0, str(fault))


def _is_noticed(text: str, lesson: Lesson, check: Check, former: set[tuple[int, str]]) -> bool:
    try:
        return any(_key(fault) not in former for fault in check(parse_lesson(text, lesson.path)))
    except IrviewerError:
        return True


@dataclass(frozen=True)
class _Names:
    """What rankings are called, and documents and queries by kind."""

    runs: tuple[str, ...]
    others: Mapping[str, tuple[str, ...]]
    is_english: bool = False

    def is_no_number(self, text: str, start: int) -> bool:
        """Return whether a word only looks like a number: "the one", "once" in English."""
        if self.is_english and text[start : start + 4].lower() == "once":
            return True
        return bool(_ONE.match(text, start)) and _PRONOUN.search(text[max(0, start - 20) : start]) is not None


def _names(lesson: Lesson) -> _Names:
    context = opened(lesson).view.context
    is_english = _ENGLISH.search(" ".join([lesson.text, *(item.text for item in lesson.items)])) is not None
    if context is None:
        return _Names((), {}, is_english)
    runs = tuple(entry.name for entry in context.collection.runs)
    listed = (each for ranking in Rankings([context]).lists for each in ranking.documents)
    documents = tuple(dict.fromkeys(each for each in listed if each not in _MEASURES))
    others = {name: kind for kind in (tuple(context.query_ids), documents) for name in kind}
    return _Names(runs, others, is_english)


def _of_name(start: int, said: str, kind: Sequence[str], text: str, sentence: tuple[int, int]) -> TextPlace:
    """Return the place of a name: the nearest two of its kind that its sentence does not have could be there, or where
    it has all of them, two exchanged."""
    at = kind.index(said)
    others = [*kind[at + 1 :], *kind[:at]]
    nearest = [*others[:1], *others[:0:-1]]  # the next, then those before it
    own = {each: [*re.finditer(rf"(?<![\w@]){re.escape(each)}(?![\w@])", text[slice(*sentence)])] for each in nearest}
    absent = [each for each in nearest if not own[each]][:2]
    if absent or len(kind) < 2:
        return _place(start, said, absent)
    other = kind[at - 1]
    edits = [(start, start + len(said), other)]
    edits += [(sentence[0] + each.start(), sentence[0] + each.end(), said) for each in own[other]]
    return TextPlace(start, said, (Change(other, tuple(edits)),))


def _at(match: re.Match[str], names: _Names, sentence: tuple[int, int]) -> Iterator[TextPlace]:
    """Yield the places of a name, number or word; a word of several parts can have some."""
    said = match[0]
    if match["run"] is not None or (match["word"] is not None and said in names.others):
        is_article = said == "A" and _ARTICLE.match(match.string, match.start())
        kind = names.runs if match["run"] is not None else names.others[said]
        if not is_article and len(kind) > 1:
            yield _of_name(match.start(), said, kind, match.string, sentence)
    elif match["number"] is not None:
        yield _place(match.start(), said, _other_numbers(said))
    else:
        for part in re.finditer(r"\w+", said):
            others = [] if names.is_no_number(match.string, match.start()) else others_of(part[0])
            if others:
                others = [each.capitalize() if part[0][0].isupper() else each for each in others]
                yield _place(match.start() + part.start(), part[0], others, is_word=True)


def _place(start: int, said: str, others: Sequence[str], *, is_word: bool = False) -> TextPlace:
    changes = tuple(Change(other, ((start, start + len(said), other),)) for other in others)
    return TextPlace(start, said, changes, is_word)


def _other_numbers(said: str) -> list[str]:
    """Return the numbers beside one with its digits, none below 0."""
    if "," in said:
        return [said[:-1] + ("8" if said[-1] == "9" else str(int(said[-1]) + 1))]
    whole, point, decimals = said.partition(".")
    number = int(whole + decimals)
    others = [each for each in (number + 1, number - 1) if each > 0]
    if not point:
        return [*map(str, others)]
    written = [f"{each / 10 ** len(decimals):.{len(decimals)}f}" for each in others]
    return [each if whole else each.removeprefix("0") for each in written]


def _saying(text: str, lesson: Lesson) -> Iterator[tuple[int, int]]:
    """Yield the parts of a lesson's text that say something: the title, and what follows the header but for fields that
    choose what is shown."""
    starts = _starts(text)
    header, body = split_header(text, lesson.path)
    yield from (
        (starts[line.number] + len("title:"), starts[line.number] + len(line.text))
        for line in header
        if line.text.startswith("title:")
    )
    in_fields, says = False, True
    for line, fenced in with_fences(body):
        if not fenced and line.text.startswith("## "):
            in_fields, says = True, True
        elif in_fields and not line.is_indented:
            field = _FIELD.match(line.text)
            in_fields = field is not None
            says = field is None or (field[1] in _SAYING and not line.text.startswith("hint costs"))
        if says:
            yield starts[line.number], starts[line.number] + len(line.text)


def _starts(text: str) -> dict[int, int]:
    """Return where each line begins, by its number."""
    return {number: match.start() for number, match in enumerate(re.finditer(r"^", text, re.M), start=1)}


def _marks(text: str, lesson: Lesson) -> Iterator[TextPlace]:
    """Yield the marks of right choices: with each change the next wrong one is right in its place."""
    starts = _starts(text)
    sections: list[list[tuple[int, bool, str]]] = [[]]
    for line, fenced in with_fences(split_header(text, lesson.path)[1]):
        if not fenced and line.text.startswith("## "):
            sections.append([])
        elif not fenced and (match := _CHOICE.match(line.text)):
            sections[-1].append((starts[line.number] + match.start(1), match[1] != " ", match[2].strip()))
    for choices in sections:
        for number, (start, is_right, said) in enumerate(choices):
            wrong = [each for each in (*choices[number + 1 :], *choices[:number]) if not each[1]]
            if is_right and wrong:
                at, _, other = wrong[0]
                edits = ((start, start + 1, " "), (at, at + 1, "x"))
                yield TextPlace(start, f"[x] {said}", (Change(f"[x] {other}", edits),))
