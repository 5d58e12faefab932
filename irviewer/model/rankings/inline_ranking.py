"""Rankings as one types them on a blackboard, made qrels and runs: ``1 0 1 1 0 | R=10``, no file needed.

A line is a ranking: grades from rank 1 down, parted by spaces, commas, semicolons or bars (``10110`` is five of them);
``-`` is a document that nobody judged. Last stands what was never retrieved: ``R=10`` (that many relevant documents in
all) or ``ideal 4 4 3 3 2`` (all grades above 0 that there are). ``name:`` before it names the run. Further lines, or
rankings behind a semicolon, are further runs of the same query, among whose documents the i-th of a grade is the same
one; a line of dashes begins the next query. Knows no file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from irviewer.errors import IrviewerError
from irviewer.model.number_text import counted
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

MOST_GRADES = 10_000
_NAMED = re.compile(r"^\s*([^:|\d-][^:|]*?)\s*:(.*)$", re.S)
_RULE = re.compile(r"^\s*-{3,}\s*$")
_BETWEEN = " \t\r\u00a0,;|"
"""What may stand between two grades."""
_CELL = re.compile(r"[^\s,;|]+")
_TAIL = re.compile(r"(?<![^\s,;|])(?:R\s*=|ideal\b)", re.I)
"""Where what was never retrieved begins."""
_UNJUDGED = ("-", "?", "\N{EN DASH}", "\N{EM DASH}", "\N{MINUS SIGN}")


@dataclass(frozen=True, eq=False)
class Typed:
    """What was typed: judgments of queries "1", "2" …, and the runs in order of appearance."""

    qrels: Qrels
    runs: tuple[Run, ...]


@dataclass(frozen=True)
class _Text:
    """A piece of what was typed: its line, from 1 (0 where there is only one), and where in that it begins."""

    text: str
    number: int
    start: int

    def error(self, place: int, reason: str) -> IrviewerError:
        """What is wrong at a place of the piece."""
        line = f"line {self.number}, " if self.number else ""
        return IrviewerError(f"{line}character {self.start + place + 1}: {reason}")


@dataclass(frozen=True)
class _Line:
    name: str
    grades: tuple[float | None, ...]
    ideal: tuple[float, ...] | None
    relevant: int | None


def typed(text: str, *, name: str = "typed") -> Typed:
    """Qrels and runs of a text. Raises IrviewerError that says what cannot be read, and how it is written."""
    queries: list[list[_Line]] = [[]]
    typed_lines = text.split("\n")
    several = len([one for one in typed_lines if one.strip()]) > 1
    for number, line in enumerate(typed_lines, start=1):
        if _RULE.match(line):
            queries.append([])
        elif line.strip(_BETWEEN) or line.strip():
            for ranking in _lines(line, number, several):
                queries[-1].append(_line(ranking, len(queries[-1])))
    queries = [lines for lines in queries if lines]
    if not queries:
        raise IrviewerError("type grades by rank, such as: 1 0 1 1 0 | R=10")
    qrels: dict[str, dict[str, float]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for number, lines in enumerate(queries, start=1):
        query = str(number)
        qrels[query] = _judgments(lines)
        for one in lines:
            answered = runs.setdefault(one.name, {})
            if query in answered:
                raise IrviewerError(f"two rankings of query {query} are called {one.name!r}")
            answered[query] = {doc: float(-rank) for rank, doc in enumerate(_documents(one.grades))}
    return Typed(
        Qrels.from_dict(qrels, name=name), tuple(Run.from_dict(lists, name=run) for run, lists in runs.items())
    )


def document_id(grade: float | None, number: int) -> str:
    """How the number-th document of a grade is called: ``rel-1``, ``non-2``, ``unjudged-1``, ``grade3-1``."""
    if grade is None:
        return f"unjudged-{number}"
    return f"{'non' if grade == 0 else 'rel' if grade == 1 else f'grade{grade:g}'}-{number}"


def _documents(grades: Sequence[float | None]) -> list[str]:
    seen: Counter[float | None] = Counter()
    found = []
    for grade in grades:
        seen[grade] += 1
        found.append(document_id(grade, seen[grade]))
    return found


def _judgments(lines: Sequence[_Line]) -> dict[str, float]:
    """The query's judgments: of each grade as many as the ranking that has most of them, or as was said."""
    most: Counter[float] = Counter()
    for one in lines:
        for grade, number in Counter(grade for grade in one.grades if grade is not None).items():
            most[grade] = max(most[grade], number)
    for one in lines:
        if one.ideal is not None:
            wanted = Counter(one.ideal)
            short = [grade for grade, number in most.items() if grade > 0 and wanted[grade] < number]
            if short:
                raise IrviewerError(
                    f"{one.name}: the ideal list has {wanted[short[0]]} of grade {short[0]:g}, a ranking "
                    f"{most[short[0]]}: the ideal holds every document above grade 0"
                )
            most.update({grade: number - most[grade] for grade, number in wanted.items()})
    for one in lines:
        if one.relevant is not None:
            missing = one.relevant - sum(number for grade, number in most.items() if grade > 0)
            if missing < 0:
                raise IrviewerError(f"{one.name}: R={one.relevant}, and more relevant documents are in the rankings")
            most[1.0] += missing
    return {
        document_id(grade, number): grade
        for grade in sorted(most, reverse=True)
        for number in range(1, most[grade] + 1)
    }


def _lines(text: str, number: int, several: bool) -> list[_Text]:
    """The rankings of one line. A semicolon parts rankings, or stands before what was never retrieved; where nowhere
    more than one grade stands between two of them, it parts grades as a comma does."""
    parts, start = [], 0
    for piece in text.split(";"):
        if piece.strip():
            parts.append(_Text(piece, number if several else 0, start))
        start += len(piece) + 1
    named = _NAMED.match(parts[0].text) if parts else None
    if all(_is_single(one.text) for one in parts[1:]) and (
        not parts or _is_single(named[2] if named else parts[0].text)
    ):
        return [_Text(text.replace(";", " "), number if several else 0, 0)] if parts else []
    found: list[_Text] = []
    for part in parts:
        tail = _TAIL.search(part.text)
        if found and tail and not part.text[: tail.start()].strip(_BETWEEN):
            gap = " " * (part.start - found[-1].start - len(found[-1].text))
            found[-1] = replace(found[-1], text=found[-1].text + gap + part.text)
        else:
            found.append(part)
    return found


def _line(line: _Text, place: int) -> _Line:
    named = _NAMED.match(line.text)
    name = named[1] if named else f"ranking {place + 1}"
    begin = named.start(2) if named else 0
    tail = _TAIL.search(line.text, begin)
    end = tail.start() if tail else len(line.text)
    _check_bars(line, begin, end)
    grades = _grades(line, begin, end)
    if not grades:
        raise line.error(end, f"{line.text.strip()!r}: there are no grades before {tail[0] if tail else 'the bar'}")
    if tail is None:
        return _Line(name, grades, None, None)
    rest = line.text[tail.end() :]
    if tail[0].lower() != "ideal":
        said = rest.strip(_BETWEEN)
        if not re.fullmatch(r"\d{1,6}", said):
            raise line.error(tail.start(), f"{line.text[tail.start() :].strip()!r}: R= takes one number, as R=10")
        return _Line(name, grades, None, int(said))
    begin = tail.end() + (len(rest) - len(rest.lstrip(": =")))
    ideal = _grades(line, begin, len(line.text))
    if any(one is None for one in ideal):
        raise line.error(tail.start(), "an ideal list has no unjudged documents")
    return _Line(name, grades, tuple(float(one) for one in ideal if one), None)


def _check_bars(line: _Text, begin: int, end: int) -> None:
    """Raises IrviewerError where a bar parts more than single grades: what stands behind it has to say what it is."""
    parts = line.text[begin:end].split("|")
    if len([part for part in parts if part.strip()]) > 1 and any(len(_cells(part)) > 1 for part in parts):
        at = line.text.index("|", begin) + 1
        at += len(line.text[at:]) - len(line.text[at:].lstrip())
        raise line.error(at, f"{line.text[at:].strip()!r}: after the bar stands R=10, or ideal 4 4 3 2")


def _cells(text: str) -> list[re.Match[str]]:
    return list(_CELL.finditer(text))


def _is_single(text: str) -> bool:
    """Whether a piece between semicolons is one grade, or one of what was never retrieved, and no ranking."""
    tail = _TAIL.search(text)
    grades, rest = (text, "") if tail is None else (text[: tail.start()], text[tail.end() :].lstrip(": ="))
    return len(_cells(grades)) <= 1 and len(_cells(rest)) <= 1 and not _together(grades) and ":" not in grades


def _together(text: str) -> bool:
    """Whether it is ones and zeros without anything between: a ranking by itself."""
    return re.fullmatch(r"[01]{3,}", text.strip(_BETWEEN)) is not None


def _grades(line: _Text, begin: int, end: int) -> tuple[float | None, ...]:
    """The grades between two places of a line."""
    text = line.text[begin:end]
    if _together(text):
        return tuple(float(one) for one in text.strip(_BETWEEN))  # a grade of 10,110 is nothing that one types
    cells = _cells(text)
    if len(cells) > MOST_GRADES:
        raise IrviewerError(f"{counted(len(cells), 'grade is', 'grades are')} more than one types: open a file")
    found: list[float | None] = []
    for cell in cells:
        if cell[0] in _UNJUDGED:
            found.append(None)
            continue
        number = cell[0].replace("\N{MINUS SIGN}", "-")
        if not re.fullmatch(r"[+-]?\d{1,9}(\.\d{1,9})?", number):
            raise line.error(
                begin + cell.start(),
                f"{cell[0]!r} is no grade; write numbers with spaces or commas between, and - for an unjudged document",
            )
        found.append(float(number))
    return tuple(found)
