"""Inline rankings: text such as ``1 0 1 1 0 | R=10``, parsed into qrels and runs.

A line is a ranking: grades from rank 1 down, separated by spaces, commas, semicolons or bars (``10110`` is five
grades); ``-`` is an unjudged document. At the end of the line, ``R=10`` is the total number of relevant documents, or
``ideal 4 4 3 3 2`` are all grades above 0. ``name:`` at the beginning names the run. Rankings after a semicolon, and
further lines if any has a name, are further runs of the same query; the i-th document of a grade is the same in all of
them. A line of dashes begins the next query; without such a line and without names, each line is a query. Documents are
named A, B, C … in the order of the query's lines, then those that no line has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from irviewer.errors import IrviewerError
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

MOST_GRADES = 10_000
"""The largest number of grades in a line."""
MOST_DOCUMENTS = 1_000_000
"""The largest number of judged documents of all queries: ``R=`` can name them in a few characters."""
_NAMED = re.compile(r"^\s*([^:|\d-][^:|]*?)\s*:(.*)$", re.S)
_RULE = re.compile(r"^\s*-{3,}\s*$")
_BETWEEN = " \t\r\u00a0,;|"
"""The separators of grades."""
_CELL = re.compile(r"[^\s,;|]+")
_TAIL = re.compile(r"(?<![^\s,;|])(?:R\s*=|ideal\b)", re.I)
"""The beginning of ``R=`` or ``ideal``."""
_UNJUDGED = ("-", "?", "\N{EN DASH}", "\N{EM DASH}", "\N{MINUS SIGN}")


@dataclass(frozen=True, eq=False)
class InlineRanking:
    """The qrels of queries "1", "2" …, and the runs in order of appearance."""

    qrels: Qrels
    runs: tuple[Run, ...]


class RankingError(IrviewerError):
    """A fault at a place of the text: ``line`` from 1, 0 if there is one line only; ``character`` from 1."""

    def __init__(self, reason: str, line: int, character: int) -> None:
        self.reason, self.line, self.character = reason, line, character
        super().__init__(
            tr("line {line}, character {character}: {reason}", line=line, character=character, reason=reason)
            if line
            else tr("character {character}: {reason}", character=character, reason=reason)
        )

    def __reduce__(self) -> tuple[object, ...]:
        return (RankingError, (self.reason, self.line, self.character))


@dataclass(frozen=True)
class _Text:
    """A piece of the text: its line number from 1 (0 in a single line) and its offset in the line."""

    text: str
    number: int
    start: int

    def error(self, position: int, reason: str) -> RankingError:
        """Return the error for a fault at a position of the piece."""
        return RankingError(reason, self.number, self.start + position + 1)


@dataclass(frozen=True)
class _Line:
    name: str
    grades: tuple[float | None, ...]
    ideal: tuple[float, ...] | None
    relevant: int | None


@lru_cache(maxsize=8)  # a lesson is read, opened and checked with the same ones
def parse_inline_ranking(text: str, *, name: str = "typed") -> InlineRanking:
    """Return the qrels and runs of a text. Raises IrviewerError with the position and the right notation."""
    queries: list[list[_Line]] = [[]]
    text_lines = text.split("\n")
    several = len([line for line in text_lines if line.strip()]) > 1
    by_line = not any(_RULE.match(line) or _NAMED.match(line) for line in text_lines)
    for number, line in enumerate(text_lines, start=1):
        if _RULE.match(line):
            queries.append([])
        elif line.strip(_BETWEEN) or line.strip():
            if by_line:
                queries.append([])
            for piece in _lines(line, number, several):
                queries[-1].append(_line(piece, len(queries[-1])))
    queries = [lines for lines in queries if lines]
    if not queries:
        raise IrviewerError(tr("enter grades by rank, such as: 1 0 1 1 0 | R=10"))
    qrels: dict[str, dict[str, float]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {}
    room = MOST_DOCUMENTS
    for number, lines in enumerate(queries, start=1):
        query = str(number)
        judged = _judgments(lines, room)
        room -= len(judged)
        names = _names(lines, judged)
        qrels[query] = {names[document]: grade for document, grade in judged.items()}
        for ranking in lines:
            rankings = runs.setdefault(ranking.name, {})
            if query in rankings:
                raise IrviewerError(
                    tr(
                        "two rankings of query {query} have the name {name!r}; rename one",
                        query=query,
                        name=ranking.name,
                    )
                )
            rankings[query] = {names[doc]: float(-rank) for rank, doc in enumerate(_documents(ranking.grades))}
    return InlineRanking(
        Qrels.from_dict(qrels, name=name), tuple(Run.from_dict(lists, name=run) for run, lists in runs.items())
    )


_Document = tuple[float | None, int]
"""The number-th document of a grade; None: unjudged."""


def document_name(number: int) -> str:
    """Return the name of a document by its number, from 0: A, B … Z, AA, AB … Names say nothing about grades."""
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def _documents(grades: Sequence[float | None]) -> list[_Document]:
    counts: Counter[float | None] = Counter()
    documents = []
    for grade in grades:
        counts[grade] += 1
        documents.append((grade, counts[grade]))
    return documents


def _names(lines: Sequence[_Line], judged: Iterable[_Document]) -> dict[_Document, str]:
    """Return the names of the documents of a query, in the order in which they appear, the others last."""
    ranked = (document for line in lines for document in _documents(line.grades))
    return {document: document_name(number) for number, document in enumerate(dict.fromkeys((*ranked, *judged)))}


def _judgments(lines: Sequence[_Line], room: int) -> dict[_Document, float]:
    """Return the query's judgments: of each grade as many as in the ranking with most of them, or as stated. Raises
    IrviewerError for more than ``room`` of them, before they are made."""
    most: Counter[float] = Counter()
    for ranking in lines:
        for grade, number in Counter(grade for grade in ranking.grades if grade is not None).items():
            most[grade] = max(most[grade], number)
    for ranking in lines:
        if ranking.ideal is not None:
            ideal = Counter(ranking.ideal)
            short = [grade for grade, number in most.items() if grade > 0 and ideal[grade] < number]
            if short:
                raise IrviewerError(
                    tr(
                        "{name}: the ideal ranking has {ideal} documents of grade {grade:g}, but a ranking has "
                        "{count}; list all grades above 0 in the ideal ranking",
                        name=ranking.name,
                        ideal=ideal[short[0]],
                        grade=short[0],
                        count=most[short[0]],
                    )
                )
            most.update({grade: number - most[grade] for grade, number in ideal.items()})
    for ranking in lines:
        if ranking.relevant is not None:
            missing = ranking.relevant - sum(number for grade, number in most.items() if grade > 0)
            if missing < 0:
                raise IrviewerError(
                    tr(
                        "{name}: the rankings have more relevant documents than R={relevant}; write R={count} or more",
                        name=ranking.name,
                        relevant=ranking.relevant,
                        count=ranking.relevant - missing,
                    )
                )
            most[1.0] += missing
    if most.total() > room:
        raise IrviewerError(
            tr(
                "the queries have more than {most:,} judged documents, which is too many for inline rankings; write a "
                "smaller R=, or open a file instead",
                most=MOST_DOCUMENTS,
            )
        )
    return {(grade, number): grade for grade in sorted(most, reverse=True) for number in range(1, most[grade] + 1)}


def _lines(text: str, number: int, several: bool) -> list[_Text]:
    """Return the rankings of one line. A semicolon separates rankings, or precedes ``R=`` or ``ideal``; if there is
    never more than one grade between two semicolons, it separates grades as a comma does."""
    parts, start = [], 0
    for piece in text.split(";"):
        if piece.strip():
            parts.append(_Text(piece, number if several else 0, start))
        start += len(piece) + 1
    named = _NAMED.match(parts[0].text) if parts else None
    if all(_is_single(part.text) for part in parts[1:]) and (
        not parts or _is_single(named[2] if named else parts[0].text)
    ):
        return [_Text(text.replace(";", " "), number if several else 0, 0)] if parts else []
    rankings: list[_Text] = []
    for part in parts:
        tail = _TAIL.search(part.text)
        if rankings and tail and not part.text[: tail.start()].strip(_BETWEEN):
            gap = " " * (part.start - rankings[-1].start - len(rankings[-1].text))
            rankings[-1] = replace(rankings[-1], text=rankings[-1].text + gap + part.text)
        else:
            rankings.append(part)
    return rankings


def _line(line: _Text, index: int) -> _Line:
    named = _NAMED.match(line.text)
    name = named[1] if named else tr("ranking {number}", number=index + 1)
    begin = named.start(2) if named else 0
    tail = _TAIL.search(line.text, begin)
    end = tail.start() if tail else len(line.text)
    _check_bars(line, begin, end)
    grades = _grades(line, begin, end)
    if not grades:
        shown = line.text.strip()
        if tail is None:
            raise line.error(end, tr("{text!r}: there are no grades", text=shown))
        raise line.error(end, tr("{text!r}: there are no grades before {tail}", text=shown, tail=tail[0]))
    if tail is None:
        return _Line(name, grades, None, None)
    rest = line.text[tail.end() :]
    if tail[0].lower() != "ideal":
        relevant = rest.strip(_BETWEEN)
        if not re.fullmatch(r"\d{1,6}", relevant):
            shown = line.text[tail.start() :].strip()
            raise line.error(tail.start(), tr("{text!r}: write one number after R=, such as R=10", text=shown))
        return _Line(name, grades, None, int(relevant))
    begin = tail.end() + (len(rest) - len(rest.lstrip(": =")))
    ideal = _grades(line, begin, len(line.text))
    if any(grade is None for grade in ideal):
        raise line.error(tail.start(), tr("an ideal ranking has no unjudged documents; remove “-” from it"))
    return _Line(name, grades, tuple(float(grade) for grade in ideal if grade), None)


def _check_bars(line: _Text, begin: int, end: int) -> None:
    """Raise IrviewerError if a bar separates more than single grades: ``R=`` or ``ideal`` must follow it."""
    parts = line.text[begin:end].split("|")
    if len([part for part in parts if part.strip()]) > 1 and any(len(_cells(part)) > 1 for part in parts):
        start = line.text.index("|", begin) + 1
        start += len(line.text[start:]) - len(line.text[start:].lstrip())
        shown = line.text[start:].strip()
        raise line.error(start, tr("{text!r}: write R=10 or ideal 4 4 3 2 after the bar", text=shown))


def _cells(text: str) -> list[re.Match[str]]:
    return list(_CELL.finditer(text))


def _is_single(text: str) -> bool:
    """Return whether a piece between semicolons is at most one grade, before and after ``R=`` or ``ideal``."""
    tail = _TAIL.search(text)
    grades, rest = (text, "") if tail is None else (text[: tail.start()], text[tail.end() :].lstrip(": ="))
    return len(_cells(grades)) <= 1 and len(_cells(rest)) <= 1 and not _unseparated(grades) and ":" not in grades


def _unseparated(text: str) -> bool:
    """Return whether a text is ones and zeros without separators: a whole ranking."""
    return re.fullmatch(r"[01]{3,}", text.strip(_BETWEEN)) is not None


def _grades(line: _Text, begin: int, end: int) -> tuple[float | None, ...]:
    """Return the grades between two positions of a line."""
    text = line.text[begin:end]
    if _unseparated(text):
        return tuple(float(digit) for digit in text.strip(_BETWEEN))  # nobody means a grade of 10,110
    cells = _cells(text)
    if len(cells) > MOST_GRADES:
        raise IrviewerError(
            tr(
                "{count:,} grades are too many for an inline ranking (at most {most:,}); open a file instead",
                count=len(cells),
                most=MOST_GRADES,
            )
        )
    grades: list[float | None] = []
    for cell in cells:
        if cell[0] in _UNJUDGED:
            grades.append(None)
            continue
        number = cell[0].replace("\N{MINUS SIGN}", "-")
        if not re.fullmatch(r"[+-]?\d{1,9}(\.\d{1,9})?", number):
            raise line.error(
                begin + cell.start(),
                tr(
                    "{text!r} is not a grade; write numbers separated by spaces or commas, and - for an unjudged "
                    "document",
                    text=cell[0],
                ),
            )
        grades.append(float(number))
    return tuple(grades)
