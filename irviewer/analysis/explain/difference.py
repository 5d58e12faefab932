"""A difference taken apart: Δ between two runs for a query, split over documents.

The parts sum to Δ exactly. What a document is worth in a run is what its ledger's row adds, or the ledger's ``credits``
where a row's contribution depends on others (average precision: pairs split evenly). Where two ledgers divide by
different numbers, or start from different ones, that has a part of its own. Nothing depends on an order of changes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from irviewer.analysis.explain.ledger import bound_measure_of, ledger_of
from irviewer.analysis.explain.ledger_types import Ledger
from irviewer.analysis.explain.query_slice import OneQuery
from irviewer.errors import MeasureError
from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.model.arrays import Floats
from irviewer.model.exported import Exported
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

Move = Literal["gained", "lost", "up", "down", "same", "normaliser", "offset", "whole"]
MOVES: dict[str, str] = {
    "gained": "only the one run has it",
    "lost": "only the baseline has it",
    "up": "stands higher than in the baseline",
    "down": "stands lower than in the baseline",
    "same": "stands at the same rank",
    "normaliser": "the runs are divided by different numbers",
    "offset": "what is not in the lists",
    "whole": "what cannot be laid to single documents",
}
MOST_PARTS = 7
"""Expressions of more measures than this are changed one measure after the other instead of in every order."""


@dataclass(frozen=True)
class Part:
    """One part of a difference.

    document    its id; empty for a part that is no document's (``move`` says which)
    grade       float; NaN where unjudged
    rank, base  its rank in the run and in the baseline; None where it is not among the rows
    delta       what it adds to the difference
    """

    document: str
    grade: float
    move: Move
    rank: int | None
    base: int | None
    delta: float


@dataclass(frozen=True, eq=False, repr=False)
class Difference(Exported):
    """Δ of one query and measure: ``run`` less ``baseline``.

    parts        every document whose part is not 0, and the parts that are no document's; the largest gains first,
                 the largest losses last: the order of a waterfall
    value, base  the two values; ``delta`` their difference
    attribution  how parts are made, a sentence
    unchanged    how many documents of the two lists make no difference
    """

    measure: Measure
    query: str
    run: str
    baseline: str
    value: float
    base: float
    delta: float
    parts: tuple[Part, ...]
    attribution: str
    unchanged: int
    ledgers: tuple[Ledger, Ledger]

    @property
    def sum(self) -> float:
        """The parts added up, compensated: Δ."""
        return math.fsum(one.delta for one in self.parts)

    def totals(self) -> dict[str, float]:
        """Move -> what its parts add up to."""
        kinds = dict.fromkeys(one.move for one in self.parts)
        return {kind: math.fsum(one.delta for one in self.parts if one.move == kind) for kind in kinds}

    def steps(self) -> Floats:
        """float64[p + 1]: where a waterfall stands before each part and after the last: from 0 to Δ."""
        return np.concatenate(([0.0], np.cumsum([one.delta for one in self.parts])))


def difference(
    run: Run,
    baseline: Run,
    qrels: Qrels,
    measure: str | Measure,
    query: str,
    options: EvaluationOptions | None = None,
) -> Difference:
    """Δ of a query taken apart. Raises MeasureError where the measure has no number or is another package's."""
    options = options or EvaluationOptions()
    bound_measure = bound_measure_of(measure, qrels, options)
    return between(
        ledger_of(OneQuery.of(run, qrels, query, options), bound_measure),
        ledger_of(OneQuery.of(baseline, qrels, query, options), bound_measure),
    )


def between(ledger: Ledger, base: Ledger) -> Difference:
    """Δ of two ledgers of one query and measure. Raises MeasureError as :func:`difference`."""
    delta = ledger.value - base.value
    shares = _split(ledger, base)
    documents = {key: value for key, value in shares.items() if key[0] == "document"}
    here, there = _ranks(ledger), _ranks(base)
    grades = {**_grades(base), **_grades(ledger)}
    parts = []
    unchanged = 0
    for name in dict.fromkeys((*here, *there, *(key[1] for key in documents))):
        rank, before = here.get(name), there.get(name)
        value = documents.get(("document", name), 0.0)
        if value == 0:
            unchanged += 1
            continue
        parts.append(Part(name, grades.get(name, math.nan), _move(rank, before), rank, before, value))
    for (kind, _), value in shares.items():
        if kind != "document" and value:
            parts.append(Part("", math.nan, kind, None, None, value))  # type: ignore[arg-type]
    exact = exactly([one.delta for one in parts], delta)
    parts = [replace(one, delta=value) for one, value in zip(parts, exact, strict=True)]
    parts.sort(key=lambda one: -one.delta)
    return Difference(
        ledger.measure, ledger.query, ledger.run, base.run, ledger.value, base.value, math.fsum(exact), tuple(parts),
        ledger.attribution, unchanged, (ledger, base),
    )  # fmt: skip


def exactly(deltas: list[float], delta: float) -> list[float]:
    """The rounding that is left, some 1e-16, goes to the smallest part that can take it (its digits are the finest), so
    that the sum is Δ to the last digit."""
    found = list(deltas)
    for place in sorted(range(len(found)), key=lambda place: abs(found[place])):
        left = math.fsum([delta, *(-one for one in found)])
        if not left or math.isnan(left):
            break
        if abs(found[place]) > 1e-9:
            found[place] += left
    return found


def _move(rank: int | None, base: int | None) -> Move:
    if base is None:
        return "gained" if rank is not None else "same"
    if rank is None:
        return "lost"
    return "same" if rank == base else "up" if rank < base else "down"


def _first(ledger: Ledger) -> Ledger:
    """The ledger whose rows are the list: itself, or the longest of those it is put together from."""
    if not ledger.parts:
        return ledger
    return max((_first(one) for one in ledger.parts), key=lambda one: one.n_rows)


def _of_documents(ledger: Ledger) -> bool:
    return any(one.key == "document" for one in ledger.columns)


def _ranks(ledger: Ledger) -> dict[str, int]:
    rows = _first(ledger)
    if not _of_documents(rows):
        return {}
    return {str(one): place + 1 for place, one in enumerate(rows.column("document")) if one}


def _grades(ledger: Ledger) -> dict[str, float]:
    rows = _first(ledger)
    if not _of_documents(rows):
        return {}
    return dict(zip(map(str, rows.column("document")), map(float, rows.column("grade")), strict=True))


Key = tuple[str, str]
"""("document", id), or the kind of a part that is no document's and nothing."""


def _split(ledger: Ledger, base: Ledger) -> dict[Key, float]:
    """Δ by document and by what is none's."""
    if ledger.operation in ("text", "opaque"):
        raise MeasureError(f"a difference of {ledger.measure} cannot be taken apart: what a document adds is not known")
    if ledger.operation == "Z-score":
        return _scaled(_split(ledger.parts[0], base.parts[0]), ledger.parts[0].value - base.parts[0].value,
                       ledger.value - base.value)  # fmt: skip
    if isinstance(ledger.measure, Expression):
        return _split_expression(ledger, base)
    if math.isnan(ledger.value) or math.isnan(base.value):
        raise MeasureError(f"{ledger.measure} has no value for one of the runs: there is no difference")
    if ledger.operation == "log odds":
        return _scaled(_by_document(ledger, base, 1.0, 1.0), ledger.sum - base.sum, ledger.value - base.value)
    one, two = _factor(ledger), _factor(base)
    parts = _by_document(ledger, base, 0.5 * (one + two), 0.5 * (one + two))
    if one != two:
        parts["normaliser", ""] = 0.5 * (ledger.sum + base.sum) * (one - two)
    offset = _offset(ledger) - _offset(base)
    if offset:
        parts["offset", ""] = offset
    if ledger.least is not None and (ledger.value == ledger.least or base.value == ledger.least):
        return _scaled(parts, math.fsum(parts.values()), ledger.value - base.value)
    return parts


def _factor(ledger: Ledger) -> float:
    below = 1.0 if ledger.normaliser is None else ledger.normaliser.value
    return 1.0 / below if below else 0.0


def _offset(ledger: Ledger) -> float:
    return 0.0 if ledger.offset is None else ledger.offset.value


def _by_document(ledger: Ledger, base: Ledger, factor: float, base_factor: float) -> dict[Key, float]:
    """What each document is worth in the one less what in the other."""
    found: dict[Key, float] = {}
    for one, scale in ((ledger, factor), (base, -base_factor)):
        if not _of_documents(one):
            whole = scale * one.sum
            found["whole", ""] = found.get(("whole", ""), 0.0) + whole
            continue
        names = one.column("document")
        for row in np.flatnonzero(one.credits).tolist():
            # A row without a document (an ideal's place below the list) is no document's.
            key = ("document", str(names[row])) if names[row] else ("whole", "")
            found[key] = found.get(key, 0.0) + scale * float(one.credits[row])
    return found


def _scaled(parts: dict[Key, float], whole: float, wanted: float) -> dict[Key, float]:
    """Parts of ``whole`` made parts of ``wanted``, which is a function of the whole: along the straight way between the
    two runs each keeps its share (Aumann and Shapley 1974). Where the whole does not differ, neither does the value."""
    if not wanted:
        return {}
    if abs(whole) < 1e-15:
        return {("whole", ""): wanted}
    return {key: value * (wanted / whole) for key, value in parts.items()}


def _split_expression(ledger: Ledger, base: Ledger) -> dict[Key, float]:
    """What each measure's change does to the expression, the mean over all orders of changing them (Shapley), split as
    that measure's own difference is."""
    measure = ledger.measure
    assert isinstance(measure, Expression)
    names = [one.measure.text for one in ledger.parts]
    new = {one.measure.text: one.value for one in ledger.parts}
    old = {one.measure.text: one.value for one in base.parts}

    def value(changed: frozenset[str]) -> float:
        mixed = {name: np.array([new[name] if name in changed else old[name]]) for name in names}
        return float(measure.combine(mixed)[0])

    found: dict[Key, float] = {}
    for part, other, share in zip(ledger.parts, base.parts, _shapley(names, value), strict=True):
        if share:
            for key, one in _scaled(_split(part, other), part.value - other.value, share).items():
                found[key] = found.get(key, 0.0) + one
    return found


def _shapley(names: Sequence[str], value: Callable[[frozenset[str]], float]) -> list[float]:
    """What each name adds, averaged over all orders; in the order given where there are too many."""
    n = len(names)
    if n > MOST_PARTS:
        steps = [value(frozenset(names[:place])) for place in range(n + 1)]
        return [after - before for before, after in itertools.pairwise(steps)]
    known = {
        chosen: value(chosen) for size in range(n + 1) for chosen in map(frozenset, itertools.combinations(names, size))
    }
    found = []
    for name in names:
        total = []
        for chosen, before in known.items():
            if name not in chosen:
                weight = math.factorial(len(chosen)) * math.factorial(n - len(chosen) - 1) / math.factorial(n)
                total.append(weight * (known[chosen | {name}] - before))
        found.append(math.fsum(total))
    return found


__all__ = ["MOVES", "Difference", "Part", "between", "difference", "exactly"]
