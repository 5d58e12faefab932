"""An answer that is one text: cut into sentences by a stated rule, with the citations that stand in it.

A sentence ends after . ! ? (and after 。！？ without a space) and at a line break; not after a known abbreviation or a
single letter, and not within a number. "No." and other words before a number are abbreviations where a digit follows,
"etc." where no capital does. Marks such as [1], [1, 2], [^1], 【1】 and 【1†source】 are citations of the sentence that
they stand in or follow; they count from 1, or from 0 where a 0 stands in any answer of the system. [1-3] is [1, 2, 3]
where there are so many references. Marks such as [d1], (d1) and {d1, d2} are citations by id where all that they have
are references; a number in square brackets is an id where no reference has that place, and one has that id.

【4:0†source】 is a mark of OpenAI's assistants: the first of what their search number 4 found. It is the first
reference where all such marks of an answer are of one search, since references have one order; the name of a reference
in place of "source" counts before the numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

ABBREVIATIONS = frozenset({
    "dr", "mr", "mrs", "ms", "prof", "st", "vs", "e.g", "i.e", "cf", "al", "inc", "ltd", "co",
    "corp", "jr", "sr", "approx", "dept", "est", "gen", "gov", "sen", "rep", "u.s", "u.k", "u.n",
    "sra", "dra", "p.ej", "ej", "ee.uu", "z.b", "d.h", "u.a", "bzw",
})  # fmt: skip
BEFORE_NUMBERS = frozenset({"no", "fig", "vol", "p", "pp", "nr", "núm", "pág", "págs"})
MARK = re.compile(r"\[\s*\^?(\d+(?:\s*[,;]\s*\^?\d+)*)\s*\]|【\s*\^?(\d+(?:\s*[,;]\s*\d+)*)\s*(?:†[^【】\n]{0,200})?】")
_END = re.compile(r"[.!?]+[\"'”’)]*(?=\s|$)|[。！？]+|\n+")
SEARCHED = re.compile(r"【\s*(\d{1,9}):(\d{1,9})\s*†([^【】\n]{0,200})】")
"""A mark by the number of a search, the place of what it found, from 0, and its name or "source"."""
_NAMED = re.compile(r"[\[({【]([^\[\](){}【】\n]{1,999})[\])}】]")
_NUMBER, _NUMBERS, _RANGE = re.compile(r"\d{1,9}"), re.compile(r"\d+"), re.compile(r"\d{1,9}\s*[-–]\s*\d{1,9}")
_MARKS_AFTER = re.compile(rf"(?:\s*(?:{MARK.pattern}))+")


def marks_in(text: str) -> list[int]:
    """Return the numbers of the marks in a text, in order."""
    numbers = []
    for match in MARK.finditer(text):
        numbers += [int(number) for number in re.findall(r"\d+", match[1] or match[2]) if len(number) < 10]
    return numbers


def first_number(texts: Iterable[str]) -> int:
    """Return the number of the first document in the marks of a system's answers: 0 where a mark has a 0, else 1."""
    return 0 if any(0 in marks_in(text) for text in texts if "0" in text) else 1


def _numbered(name: str, places: range) -> list[int]:
    """Return the places of a number or a range, [] for other words and where there are no such places."""
    if not (_NUMBER.fullmatch(name) or _RANGE.fullmatch(name)):
        return []
    ends = [int(end) for end in _NUMBERS.findall(name)]
    return [*range(ends[0], ends[-1] + 1)] if ends[0] in places and ends[-1] in places else []


def searches_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the searches that marks of one answer are of, such as "4" of 【4:0†source】."""
    return frozenset(match[1] for text in texts if "†" in text for match in SEARCHED.finditer(text))


def with_places(text: str, references: Sequence[str], base: int, *, one_search: bool = False) -> str:
    """Return a text whose marks by the ids of references, such as [d1], (d1; d2) or {d1}, ranges such as [1-3], and
    those of ``one_search`` are marks by places, of which the first is ``base``. A number is a place, if there is such a
    one."""
    index: dict[str, int] = {}
    for place, reference in enumerate(references):
        index.setdefault(reference, place)
    places = range(base, base + len(references))

    def of_search(match: re.Match[str]) -> str:
        place = index.get(match[3].strip(), int(match[2]) if one_search else -1)
        return f"[{place + base}]" if 0 <= place < len(references) else match[0]

    def by_place(match: re.Match[str]) -> str:
        whole = (match[1].partition("†")[0] if match[0][0] == "【" else match[1]).strip()  # as in 【d1†source】
        names = [whole] if whole in index else re.split(r"\s*[,;]\s*", whole)
        is_square = match[0][0] in "[【"
        numbered = [_numbered(name, places) if is_square else [] for name in names]
        if not any(numbered) and all(name in index and (is_square or not name.isdigit()) for name in names):
            numbered = [[index[name] + base] for name in names]
        if not all(numbered) or (all(map(_NUMBER.fullmatch, names)) and numbered == [[int(name)] for name in names]):
            return match[0]
        return "[" + ", ".join(str(number) for each in numbered for number in each) + "]"

    return _NAMED.sub(by_place, SEARCHED.sub(of_search, text))


def sentences_of(text: str) -> list[tuple[str, list[int]]]:
    """Return the sentences of a text without their marks, and the numbers of the marks of each."""
    pieces: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if end.start() < start or _goes_on(text, end):
            continue
        stop = end.end()
        after = _MARKS_AFTER.match(text, stop)
        if after is not None:
            stop = after.end()
        pieces.append(text[start:stop])
        start = stop
    pieces.append(text[start:])
    sentences: list[tuple[str, list[int]]] = []
    for piece in pieces:
        plain, marks = without_marks(piece)
        if plain and plain not in ".,;:!?":
            sentences.append((plain, marks))
        elif marks and sentences:
            sentences[-1][1].extend(marks)
    return sentences


def without_marks(sentence: str) -> tuple[str, list[int]]:
    """Return a sentence without its marks, and their numbers."""
    plain = " ".join(MARK.sub("", sentence).split())
    return re.sub(r"\s+([.,;:!?])", r"\1", plain), marks_in(sentence)


def sentences_in(text: str) -> list[str]:
    """Return the sentences of a text without their marks."""
    return [sentence for sentence, _ in sentences_of(text)]


def _goes_on(text: str, end: re.Match[str]) -> bool:
    """Return whether the sentence goes on after a full stop: after an abbreviation or a single letter."""
    if end[0][0] != ".":
        return False
    word = re.search(r"[\w.]+$", text[: end.start()])
    if word is None:
        return False
    plain = word[0].lower()
    rest = text[end.end() :].lstrip()
    if plain in BEFORE_NUMBERS and (rest[:1].isdigit() or (plain == "p" and rest.startswith("ej."))):
        return True
    if plain == "etc":
        return rest[:1].islower()
    return plain in ABBREVIATIONS or (len(plain) == 1 and plain.isalpha() and word[0].isupper())
