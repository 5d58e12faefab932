"""Rankings as one types them on a blackboard, made qrels and runs: ``1 0 1 1 0 | R=10``, no file needed.

A line is a ranking: grades from rank 1 down, parted by spaces or commas (``10110`` is five of them); ``-`` is a
document that nobody judged. After a bar stands what was never retrieved: ``R=10`` (that many relevant documents in all)
or ``ideal 4 4 3 3 2`` (all grades above 0 that there are). ``name:`` before it names the run. Further lines are further
runs of the same query, among whose documents the i-th of a grade is the same one; a line of dashes begins the next
query. Knows no file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from irviewer.errors import IrviewerError
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

MOST_GRADES = 10_000
_NAMED = re.compile(r"^\s*([^:|\d-][^:|]*?)\s*:(.*)$", re.S)
_RULE = re.compile(r"^\s*-{3,}\s*$")
_RELEVANT = re.compile(r"^R\s*=\s*(\d{1,6})$", re.I)


@dataclass(frozen=True, eq=False)
class Typed:
    """What was typed: judgments of queries "1", "2" …, and the runs in order of appearance."""

    qrels: Qrels
    runs: tuple[Run, ...]


@dataclass(frozen=True)
class _Line:
    name: str
    grades: tuple[float | None, ...]
    ideal: tuple[float, ...] | None
    relevant: int | None


def typed(text: str, *, name: str = "typed") -> Typed:
    """Qrels and runs of a text. Raises IrviewerError that says what cannot be read, and how it is written."""
    queries: list[list[_Line]] = [[]]
    for line in re.split(r"[\n;]", text):
        if _RULE.match(line):
            queries.append([])
        elif line.strip():
            queries[-1].append(_line(line, len(queries[-1])))
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


def _line(text: str, place: int) -> _Line:
    named = _NAMED.match(text)
    name = named[1] if named else f"ranking {place + 1}"
    ranking, _, rest = (named[2] if named else text).partition("|")
    grades = _grades(ranking, text)
    if not grades:
        raise IrviewerError(f"{text.strip()!r}: there are no grades before the bar")
    rest = rest.strip()
    relevant = _RELEVANT.match(rest)
    if relevant:
        return _Line(name, grades, None, int(relevant[1]))
    if rest.lower().startswith("ideal"):
        ideal = _grades(rest[len("ideal") :], text)
        if any(one is None for one in ideal):
            raise IrviewerError(f"{text.strip()!r}: an ideal list has no unjudged documents")
        return _Line(name, grades, tuple(float(one) for one in ideal if one), None)
    if rest:
        raise IrviewerError(f"{rest!r}: after the bar stands R=10, or ideal 4 4 3 2")
    return _Line(name, grades, None, None)


def _grades(text: str, line: str) -> tuple[float | None, ...]:
    cells = text.replace(",", " ").split()
    if len(cells) == 1 and re.fullmatch(r"[01]{3,}", cells[0]):
        cells = list(cells[0])  # a grade of 10,110 is nothing that one types
    if len(cells) > MOST_GRADES:
        raise IrviewerError(f"{len(cells):,} grades are more than one types: open a file")
    found: list[float | None] = []
    for cell in cells:
        if cell in ("-", "?"):
            found.append(None)
            continue
        if not re.fullmatch(r"[+-]?\d{1,9}(\.\d{1,9})?", cell):
            raise IrviewerError(
                f"{line.strip()!r}: {cell!r} is no grade; write numbers, and - for an unjudged document"
            )
        found.append(float(cell))
    return tuple(found)
