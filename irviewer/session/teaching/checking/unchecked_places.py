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
from irviewer.session.teaching.checking.lesson_rankings import Rankings
from irviewer.session.teaching.checking.wording.exchanged_words import others_of
from irviewer.session.teaching.checking.wording.number_words import COUNT_OF, ORDER_OF
from irviewer.session.teaching.own_session import opened
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

    kind      one of KINDS
    is_word   its changes are readings of one word, so that the check has to notice one of them; else all"""

    start: int
    said: str
    changes: tuple[Change, ...]
    kind: str = "number"
    is_word: bool = False


KINDS = ("answer", "number", "comparison", "name")
"""What a place says: a right answer or what makes it one, a number or order, a word that compares, a name. An author
reads the first kind first."""


@dataclass(frozen=True)
class ToRead:
    """A sentence with places that the check would not notice: its line and column are those of the first of them.

    kind        the first of KINDS that a place of it has
    unnoticed   what could be in each place, what it says, and its line and column: "14 in place of 13 (9:18)"
    """

    line: int
    column: int
    kind: str
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
        is_title = text.startswith("title:", start - len("title:"))
        for match in token.finditer(text, start, end):
            if is_title and (match["number"] or (match["word"] or "").lower() in COUNT_OF) and "." not in match[0]:
                continue  # what the lesson is about, as "Five queries": it claims nothing
            number = bisect_right(bounds, match.start())
            places += _at(match, names, (bounds[number - 1], bounds[number]))
    return _with_exchanged(_with_nearest(sorted(places, key=lambda place: place.start), text), text, bounds)


def _with_nearest(places: Sequence[TextPlace], text: str) -> list[TextPlace]:
    """Return places, each of a number also with the nearest other whole number or value of the text; one of a
    percentage with all others, which values of two decimals are too: the check takes any value of the lesson for it."""
    kinds = [_kind(place, text) for place in places]
    numbers: dict[str, list[tuple[int, str]]] = {}
    for place, kind in zip(places, kinds, strict=True):
        numbers.setdefault(kind, []).append((place.start, place.said))
        if kind == "value" and (share := f"{100 * float(place.said):g}").isdigit():
            numbers.setdefault("percentage", []).append((place.start, share))
    more = []
    for place, kind in zip(places, kinds, strict=True):
        tried = {float(each) for each in (place.said, *(change.other for change in place.changes))} if kind else {}
        others = [(abs(at - place.start), said) for at, said in numbers[kind] if kind and float(said) not in tried]
        nearest = [*dict.fromkeys(said for _, said in sorted(others))][: None if kind == "percentage" else 1]
        changes = (_instead(place.start, place.said, other) for other in nearest)
        more.append(replace(place, changes=(*place.changes, *changes)))
    return more


def _kind(place: TextPlace, text: str) -> str:
    """Return what kind of number is in a place, "" for none or one of thousands."""
    if re.fullmatch(r"\d*\.?\d+", place.said) is None:
        return ""
    is_share = re.match(r"\s?%", text[place.start + len(place.said) :]) is not None
    return "percentage" if is_share else "value" if "." in place.said else "whole"


def _with_exchanged(places: Sequence[TextPlace], text: str, bounds: Sequence[int]) -> list[TextPlace]:
    """Return places with a change more for each value whose sentence has another one after it: the two exchanged."""
    values = [place for place in places if re.fullmatch(r"\d*\.\d+", place.said)]
    more: dict[TextPlace, tuple[Change, ...]] = {}
    for first, second in pairwise(values):
        start, end = first.start + len(first.said), second.start + len(second.said)
        is_here = bisect_right(bounds, first.start) == bisect_right(bounds, second.start)
        if (
            is_here
            and float(first.said) != float(second.said)
            and not _IN_ANY_ORDER.fullmatch(text, start, second.start)
        ):
            edits = ((first.start, start, second.said), (second.start, end, first.said))
            more[first] = (Change(second.said, edits),)
    return [replace(place, changes=(*place.changes, *more.get(place, ()))) for place in places]


_IN_ANY_ORDER = re.compile(r"\s*(?:[+×·*,]|,?\s(?:and|y)\s)\s*")
"""What is between two values that can be exchanged."""


def unnoticed(places: Iterable[TextPlace], text: str, lesson: Lesson, check: Check) -> list[tuple[TextPlace, str]]:
    """Return the places in which something else would be no new fault, each with what that could be. A place in which
    something else would be a fault less is judged: the fault says so."""
    former = {_key(fault) for fault in check(lesson)}
    missed = []
    for place in places:
        if former and any(_is_mended(change.applied(text), lesson, check, former) for change in place.changes):
            continue
        noticed = (_is_noticed(change.applied(text), lesson, check, former) for change in place.changes)
        if place.is_word:
            other = "" if any(noticed) else place.changes[0].other
        else:
            other = next(
                (each.other for each, is_noticed in zip(place.changes, noticed, strict=True) if not is_noticed), ""
            )
        if other:
            missed.append((place, other))
    return missed


def to_read(text: str, missed: Sequence[tuple[TextPlace, str]]) -> Iterator[ToRead]:
    """Yield the sentences of some places, in order, each with what was not noticed in it."""
    bounds = _bounds(text)
    for number, group in groupby(missed, key=lambda each: bisect_right(bounds, each[0].start)):
        own = [*group]
        yield ToRead(
            *_line_and_column(text, own[0][0].start),
            min((_kind_of(place, text) for place, _ in own), key=KINDS.index),
            " ".join(text[bounds[number - 1] : bounds[number]].split()),
            tuple(_said(place, other, _line_and_column(text, place.start)) for place, other in own),
        )


def lines_of_ideas(text: str, lesson: Lesson, places: Iterable[TextPlace]) -> list[int]:
    """Return the lines of the sentences that have no place, so that nothing tries them; not that of the lesson's
    title."""
    bounds = _bounds(text)
    tried = {bisect_right(bounds, place.start) for place in places}
    lines = set()
    for start, end in _saying(text, lesson):
        for number in range(bisect_right(bounds, start), bisect_right(bounds, end) + 1):
            said = text[max(start, bounds[number - 1]) : min(end, bounds[number])]
            is_title = text.startswith("title:", start - len("title:"))
            if number not in tried and not is_title and re.search(r"[^\W\d_]{2}", said):
                lines.add(_line_and_column(text, start)[0])
    return sorted(lines)


def _kind_of(place: TextPlace, text: str) -> str:
    """Return the kind of a place: a part of a right answer, or of what computes it, is one."""
    return "answer" if _ANSWERS.match(text, text.rfind("\n", 0, place.start) + 1) else place.kind


_ANSWERS = re.compile(r"answer:|ask:|[-*]\s+\[[xX]\]")
"""The beginning of a line that says what is right."""


def _said(place: TextPlace, other: str, at: tuple[int, int]) -> str:
    line, column = at
    return tr("{other} in place of {said} ({line}:{column})", other=other, said=place.said, line=line, column=column)


def _line_and_column(text: str, start: int) -> tuple[int, int]:
    return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)


def _bounds(text: str) -> list[int]:
    """Return where the sentences of a text begin, and where the last one ends."""
    return [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text) + 1]


_SENTENCE_END = re.compile(
    r"(?<=\n---)\s*\n|(?<=[.?!])\s+|^##[^\n]*\n|\n(?=\s*\n|\s*[-*|#] ?|[a-z]+(?: [a-z]+)?:\s|wrong [^\n:]+:\s)", re.M
)
_FIELD = re.compile(r"([a-z]+)\b[^:]*:(?:\s|$)")
_SAYING = ("because", "hint", "wrong", "answer", "ask", "do")
"""The fields of a section that say something of the rankings; others choose what is shown."""
_FROM_1 = re.compile(
    r"(?:@|\b(?:ranks?|positions?|posici[oó]n(?:es)?|quer(?:y|ies)|consultas?|swap|move|insert|remove)\s+)$", re.I
)
"""What is before a number that is none below 1."""
_BEYOND_ROUNDING = 5
"""Units of the last digit of a value by which it is another one, also where values are computed of rounded ones."""
_CHOICE = re.compile(r"[-*]\s+\[([ xX])\]\s*(.*)$")
_NUMBER = r"(?<![\w.])(?P<number>\d{1,3}(?:,\d{3})+|\d*\.\d+|\d+)(?!\w|\.\d)"
_WORD = r"(?P<word>[^\W\d_]\w*(?:-\w+)*)"
_ARTICLE = re.compile(r"A (?!is\b|has\b|and\b|or\b|to\b|at\b|es\b|tiene\b|y\b)[a-z]")
"""A word that is no name at the beginning of a sentence."""
_ENGLISH = re.compile(r"\bthe\b", re.I)
_MEASURES = ("P", "R", "K", "F")
"""Letters that a text has for measures and ranks, and rarely for documents."""
_ONE = re.compile(r"one\b", re.I)
_OF_SOME = re.compile(r"one\s+(?:of|another|by|after|has|can|must|may|should|might|needs?|sees|gets)\b", re.I)
"""A "one" that is no number, by what is after it."""
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


def _is_mended(text: str, lesson: Lesson, check: Check, former: set[tuple[int, str]]) -> bool:
    """Return whether one of the former faults is gone, and none is there in its place."""
    try:
        return {_key(fault) for fault in check(parse_lesson(text, lesson.path))} < former
    except IrviewerError:
        return False


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
        if self.is_english and _OF_SOME.match(text, start):
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
        return replace(_place(start, said, absent), kind="name")
    other = kind[at - 1]
    edits = [(start, start + len(said), other)]
    edits += [(sentence[0] + each.start(), sentence[0] + each.end(), said) for each in own[other]]
    return TextPlace(start, said, (Change(other, tuple(edits)),), "name")


def _at(match: re.Match[str], names: _Names, sentence: tuple[int, int]) -> Iterator[TextPlace]:
    """Yield the places of a name, number or word; a word of several parts can have some."""
    said = match[0]
    if match["run"] is not None or (match["word"] is not None and said in names.others):
        is_article = said == "A" and _ARTICLE.match(match.string, match.start())
        kind = names.runs if match["run"] is not None else names.others[said]
        if not is_article and len(kind) > 1:
            yield _of_name(match.start(), said, kind, match.string, sentence)
    elif match["number"] is not None:
        is_rank = _FROM_1.search(match.string, max(sentence[0], match.start() - 20), match.start()) is not None
        yield _place(match.start(), said, [each for each in _other_numbers(said) if each != "0" or not is_rank])
    else:
        for part in re.finditer(r"\w+", said):
            others = [] if names.is_no_number(match.string, match.start()) else others_of(part[0])
            if others:
                others = [each.capitalize() if part[0][0].isupper() else each for each in others]
                is_word = part[0].lower() not in {**COUNT_OF, **ORDER_OF}
                yield _place(match.start() + part.start(), part[0], others, is_word=is_word)


def _place(start: int, said: str, others: Sequence[str], *, is_word: bool = False) -> TextPlace:
    changes = tuple(_instead(start, said, other) for other in others)
    return TextPlace(start, said, changes, "comparison" if is_word else "number", is_word)


def _instead(start: int, said: str, other: str) -> Change:
    return Change(other, ((start, start + len(said), other),))


def _other_numbers(said: str) -> list[str]:
    """Return the numbers beside one with its digits, none below 0; beside one of two and more decimals those that it is
    not a rounding of."""
    if "," in said:
        return [said[:-1] + ("8" if said[-1] == "9" else str(int(said[-1]) + 1))]
    whole, point, decimals = said.partition(".")
    number = int(whole + decimals)
    if not point:
        return [str(each) for each in (number + 1, number - 1) if each >= 0]
    step = 1 if len(decimals) == 1 else _BEYOND_ROUNDING
    others = [each for each in (number + step, number - step) if each > 0]
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
                yield TextPlace(start, f"[x] {said}", (Change(f"[x] {other}", edits),), "answer")
