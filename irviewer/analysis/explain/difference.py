"""The difference of two runs for a query, split over documents; of scores of answers over nuggets, sentences or
citations.

The parts sum to Δ exactly. The worth of a document in a run is the contribution of its row, or the ledger's ``credits``
where a contribution depends on other rows (average precision: pairs split evenly). Different normalisers or offsets of
the two ledgers are parts of their own. Nothing depends on an order of changes."""

from __future__ import annotations

import itertools
import math
from collections import Counter
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
from irviewer.translation import tr

Move = Literal["gained", "lost", "up", "down", "more", "less", "same", "normaliser", "offset", "whole"]
MOVES: dict[str, str] = {
    "gained": tr("only in the run"),
    "lost": tr("only in the baseline"),
    "up": tr("higher than in the baseline"),
    "down": tr("lower than in the baseline"),
    "more": tr("counts more than in the baseline"),
    "less": tr("counts less than in the baseline"),
    "same": tr("at the same rank"),
    "normaliser": tr("the sums are divided by different numbers"),
    "offset": tr("documents that are not in the lists"),
    "whole": tr("not attributable to single documents"),
}
ITEMS = ("nugget", "sentence", "citation")
"""The columns that name the rows of ledgers whose rows are not documents."""
MOST_PARTS = 7
"""Expressions with more measures are changed one measure after the other instead of in every order."""


@dataclass(frozen=True)
class Part:
    """One part of a difference.

    document    its id; "" for a part that belongs to no document (see ``item`` and ``move``)
    grade       float; NaN where unjudged
    rank, base  its rank in the run and in the baseline; None if it is not among the rows
    delta       what it adds to the difference
    item        the text of the nugget, sentence or citation that it belongs to, where rows are not documents
    kind        which of ITEMS it is; "" for a document
    label       what the assigner says of the nugget in the run, ``base_label`` in the baseline, as in the files
    """

    document: str
    grade: float
    move: Move
    rank: int | None
    base: int | None
    delta: float
    item: str = ""
    kind: str = ""
    label: str = ""
    base_label: str = ""

    @property
    def name(self) -> str:
        """The document or the text of the item; "" for a part without either."""
        return self.document or self.item


@dataclass(frozen=True, eq=False, repr=False)
class Difference(Exported):
    """Δ of one query and measure: ``run`` less ``baseline``.

    parts        every document, or nugget, whose part is not 0, and the parts without one; the largest gains first, the
                 largest losses last
    value, base  the two values; ``delta`` their difference
    attribution  how parts are computed, a sentence
    unchanged    the number of documents of the two lists, or of nuggets, that make no difference
    items        what the rows are: one of ITEMS, "" for documents
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
    items: str = ""

    @property
    def sum(self) -> float:
        """The exact sum of the parts, Δ."""
        return math.fsum(part.delta for part in self.parts)

    def totals(self) -> dict[str, float]:
        """Return the sum of the parts of each move."""
        kinds = dict.fromkeys(part.move for part in self.parts)
        return {kind: math.fsum(part.delta for part in self.parts if part.move == kind) for kind in kinds}

    def steps(self) -> Floats:
        """Return the running sums before each part and after the last, from 0 to Δ, float64[p + 1]."""
        return np.concatenate(([0.0], np.cumsum([part.delta for part in self.parts])))


def difference(
    run: Run,
    baseline: Run,
    qrels: Qrels,
    measure: str | Measure,
    query: str,
    options: EvaluationOptions | None = None,
) -> Difference:
    """Return the difference of a query. Raises MeasureError where the measure is a text or of another package."""
    options = options or EvaluationOptions()
    bound_measure = bound_measure_of(measure, qrels, options)
    return between(
        ledger_of(OneQuery.of(run, qrels, query, options), bound_measure),
        ledger_of(OneQuery.of(baseline, qrels, query, options), bound_measure),
    )


def between(ledger: Ledger, base: Ledger) -> Difference:
    """Return the difference of two ledgers of one query and measure. Raises MeasureError like :func:`difference`."""
    delta = ledger.value - base.value
    shares = _split(ledger, base)
    documents = {key: value for key, value in shares.items() if key[0] == "document"}
    run_ranks, base_ranks = _ranks(ledger), _ranks(base)
    grades = {**_grades(base), **_grades(ledger)}
    parts = []
    unchanged = 0
    for name in dict.fromkeys((*run_ranks, *base_ranks, *(key[1] for key in documents))):
        rank, before = run_ranks.get(name), base_ranks.get(name)
        value = documents.get(("document", name), 0.0)
        if value == 0:
            unchanged += 1
            continue
        parts.append(Part(name, grades.get(name, math.nan), _move(rank, before), rank, before, value))
    run_items, base_items = _items(ledger), _items(base)
    for key in dict.fromkeys((*run_items, *base_items)):
        value = shares.get(key, 0.0)
        if value:
            parts.append(_part_of_item(key, run_items.get(key), base_items.get(key), value))
        else:
            unchanged += 1
    for (kind, *_), value in shares.items():
        if kind not in ("document", *ITEMS) and value:
            parts.append(Part("", math.nan, kind, None, None, value))  # type: ignore[arg-type]
    exact = exactly([part.delta for part in parts], delta)
    parts = [replace(part, delta=value) for part, value in zip(parts, exact, strict=True)]
    parts.sort(key=lambda part: -part.delta)
    return Difference(
        ledger.measure, ledger.query, ledger.run, base.run, ledger.value, base.value, math.fsum(exact), tuple(parts),
        ledger.attribution, unchanged, (ledger, base), next((key[0] for key in (*run_items, *base_items)), ""),
    )  # fmt: skip


def exactly(deltas: list[float], delta: float) -> list[float]:
    """Add the remaining rounding error, some 1e-16, to the smallest part that can take it, so that the sum is Δ to the
    last digit. The error is correctly rounded."""
    results = list(deltas)
    if not math.isfinite(delta) or not all(map(math.isfinite, results)):
        return results
    rest = _exact([delta, *(-result for result in results)])
    for index in sorted(range(len(results)), key=lambda index: abs(results[index])):
        error = math.fsum(rest)
        if not error:
            break
        if abs(results[index]) > 1e-9:
            former = results[index]
            results[index] += error
            rest = _exact([*rest, former, -results[index]])
    return results


def _exact(numbers: list[float]) -> list[float]:
    """Return a few numbers whose exact sum is that of ``numbers``; none if it is 0."""
    terms: list[float] = []
    while term := math.fsum([*numbers, *(-term for term in terms)]):
        terms.append(term)
    return terms


def _move(rank: int | None, base: int | None) -> Move:
    if base is None:
        return "gained" if rank is not None else "same"
    if rank is None:
        return "lost"
    return "same" if rank == base else "up" if rank < base else "down"


def _first(ledger: Ledger) -> Ledger:
    """The ledger whose rows are the list: itself, or the longest of its parts."""
    if not ledger.parts:
        return ledger
    return max((_first(part) for part in ledger.parts), key=lambda part: part.n_rows)


def _of_documents(ledger: Ledger) -> bool:
    return any(column.key == "document" for column in ledger.columns)


def _ranks(ledger: Ledger) -> dict[str, int]:
    rows = _first(ledger)
    if not _of_documents(rows):
        return {}
    return {str(document): position + 1 for position, document in enumerate(rows.column("document")) if document}


def _grades(ledger: Ledger) -> dict[str, float]:
    rows = _first(ledger)
    if not _of_documents(rows):
        return {}
    return dict(zip(map(str, rows.column("document")), map(float, rows.column("grade")), strict=True))


Key = tuple[str, str] | tuple[str, str, int]
"""("document", id), (one of ITEMS, text, number among the rows of the same text), or (kind, "") for a part without
either."""


@dataclass(frozen=True)
class _Row:
    """A row that is not a document: what it is worth in its value, and its label."""

    worth: float
    label: str


def _items(ledger: Ledger) -> dict[Key, _Row]:
    """Return the rows that are not documents: those of the ledger, or of all its parts, in which a row has the sum of
    its worths: it may be worth nothing to one of them."""
    if ledger.parts:
        rows: dict[Key, _Row] = {}
        for part in ledger.parts:
            for key, row in _items(part).items():
                rows[key] = replace(row, worth=row.worth + rows[key].worth) if key in rows else row
        return rows
    keys = _item_keys(ledger)
    known = {column.key for column in ledger.columns}
    labels = ledger.column("assignment") if "assignment" in known else ("",) * len(keys)
    worth = (ledger.credits * _factor(ledger)).tolist()
    return {key: _Row(worth[row], str(labels[row])) for row, key in enumerate(keys)}


def _item_keys(ledger: Ledger) -> list[Key]:
    """Return the keys of the rows of a ledger without parts, none if they are documents or something else."""
    kind = next((column.key for column in ledger.columns if column.key in ITEMS), None)
    if kind is None:
        return []
    taken: Counter[str] = Counter()
    keys: list[Key] = []
    for text in map(str, ledger.column(kind)):
        keys.append((kind, text, taken[text]))
        taken[text] += 1
    return keys


def _part_of_item(key: Key, own: _Row | None, base: _Row | None, delta: float) -> Part:
    kind, text = key[:2]
    move: Move = "gained" if base is None else "lost" if own is None else "same"
    if own is not None and base is not None and own.worth != base.worth:
        move = "more" if own.worth > base.worth else "less"
    labels = ("" if each is None else each.label for each in (own, base))
    return Part("", math.nan, move, None, None, delta, text, kind, *labels)


def _split(ledger: Ledger, base: Ledger) -> dict[Key, float]:
    """Δ by document, and by part without a document."""
    if ledger.operation in ("text", "opaque"):
        raise MeasureError(
            tr("a difference of {measure} cannot be split: what a document adds is not known", measure=ledger.measure)
        )
    if ledger.operation == "Z-score":
        return _scaled(_split(ledger.parts[0], base.parts[0]), ledger.parts[0].value - base.parts[0].value,
                       ledger.value - base.value)  # fmt: skip
    if isinstance(ledger.measure, Expression):
        return _split_expression(ledger, base)
    if math.isnan(ledger.value) or math.isnan(base.value):
        raise MeasureError(
            tr("{measure} has no value for one of the runs, so there is no difference", measure=ledger.measure)
        )
    if ledger.operation == "log odds":
        return _scaled(_by_document(ledger, base, 1.0, 1.0), ledger.sum - base.sum, ledger.value - base.value)
    factor, base_factor = _factor(ledger), _factor(base)
    parts = _by_document(ledger, base, 0.5 * (factor + base_factor), 0.5 * (factor + base_factor))
    if factor != base_factor:
        parts["normaliser", ""] = 0.5 * (ledger.sum + base.sum) * (factor - base_factor)
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
    """The worth of each document, or of each other row, in the first ledger less that in the second."""
    worth: dict[Key, float] = {}
    for side, scale in ((ledger, factor), (base, -base_factor)):
        if items := _item_keys(side):
            for item, credit in zip(items, side.credits.tolist(), strict=True):
                worth[item] = worth.get(item, 0.0) + scale * credit
            continue
        if not _of_documents(side):
            whole = scale * side.sum
            worth["whole", ""] = worth.get(("whole", ""), 0.0) + whole
            continue
        names = side.column("document")
        for row in np.flatnonzero(side.credits).tolist():
            # A row without a document is a rank of the ideal ranking below the list.
            key: Key = ("document", str(names[row])) if names[row] else ("whole", "")
            worth[key] = worth.get(key, 0.0) + scale * float(side.credits[row])
    return worth


def _scaled(parts: dict[Key, float], whole: float, target: float) -> dict[Key, float]:
    """Scale parts of ``whole`` to parts of ``wanted``, a function of the whole: along the straight line between the two
    runs each keeps its share (Aumann and Shapley 1974). Where the whole does not differ, neither does the value."""
    if not target:
        return {}
    if abs(whole) < 1e-15:
        return {("whole", ""): target}
    return {key: value * (target / whole) for key, value in parts.items()}


def _split_expression(ledger: Ledger, base: Ledger) -> dict[Key, float]:
    """The effect of each measure's change on the expression, averaged over all orders of changing them (Shapley), split
    like the difference of that measure."""
    measure = ledger.measure
    assert isinstance(measure, Expression)
    names = [term.measure.text for term in ledger.parts]
    new = {term.measure.text: term.value for term in ledger.parts}
    old = {base_term.measure.text: base_term.value for base_term in base.parts}

    def value(changed: frozenset[str]) -> float:
        mixed = {name: np.array([new[name] if name in changed else old[name]]) for name in names}
        return float(measure.combine(mixed)[0])

    shares: dict[Key, float] = {}
    for part, base_part, share in zip(ledger.parts, base.parts, _shapley(names, value), strict=True):
        if share:
            for key, amount in _scaled(_split(part, base_part), part.value - base_part.value, share).items():
                shares[key] = shares.get(key, 0.0) + amount
    return shares


def _shapley(names: Sequence[str], value: Callable[[frozenset[str]], float]) -> list[float]:
    """The contribution of each name, averaged over all orders, or in the given order if there are too many orders."""
    n = len(names)
    if n > MOST_PARTS:
        steps = [value(frozenset(names[:size])) for size in range(n + 1)]
        return [after - before for before, after in itertools.pairwise(steps)]
    values = {
        chosen: value(chosen) for size in range(n + 1) for chosen in map(frozenset, itertools.combinations(names, size))
    }
    shares = []
    for name in names:
        total = []
        for chosen, before in values.items():
            if name not in chosen:
                weight = math.factorial(len(chosen)) * math.factorial(n - len(chosen) - 1) / math.factorial(n)
                total.append(weight * (values[chosen | {name}] - before))
        shares.append(math.fsum(total))
    return shares


__all__ = ["ITEMS", "MOVES", "Difference", "Part", "between", "difference", "exactly"]
