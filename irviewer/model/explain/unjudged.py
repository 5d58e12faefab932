"""A worklist for assessors: which unjudged document, judged relevant, would change a measure the most.

Every document is tried on its own, with all others as they are; the values are the measure's own, many at once. The
interval that all unjudged documents together leave open is another question, and another module's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.model.arrays import Floats, Ints, frozen, places_of, strings
from irviewer.model.dialects import Treatment
from irviewer.model.evaluate import Joined
from irviewer.model.explain.ledger import treatment_of
from irviewer.model.explain.one_query import OneQuery, values_under
from irviewer.model.measure import Cutoff, Measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

DEPTH = 20


@dataclass(frozen=True)
class Change:
    """What a judgment would do to one run: its value before and after, and the document's rank there."""

    run: str
    rank: int
    value: float
    after: float

    @property
    def delta(self) -> float:
        """After less before."""
        return self.after - self.value


@dataclass(frozen=True)
class Candidate:
    """An unjudged document, and what it would do were it judged ``grade``.

    changes  one a run that has it within the depth looked at, the largest first
    most     the largest change of any run's value, its amount
    """

    query: str
    document: str
    grade: float
    changes: tuple[Change, ...]

    @property
    def most(self) -> float:
        """The largest change there, whichever way."""
        return max(abs(one.delta) for one in self.changes)


def worklist(
    runs: Sequence[Run],
    qrels: Qrels,
    measure: str | Measure,
    options: EvaluationOptions | None = None,
    *,
    grade: float | None = None,
    depth: int | None = None,
    queries: Sequence[str] | None = None,
    progress: Callable[[float], None] | None = None,
) -> tuple[Candidate, ...]:
    """The unjudged documents of the runs, the one that would change a value the most first.

    grade    what they are judged as; None: the qrels' highest grade (the relevance level where nothing is relevant)
    depth    ranks looked at; None: the measure's cutoff, or 20
    queries  of the qrels; None: all
    progress called with the share done; may raise to end the work

    A document that would change nothing is left out. Of equals those found by more runs come first, then by query and
    document. Raises MeasureError where the measure is unknown or several."""
    options = options or EvaluationOptions()
    treatment = treatment_of(measure, qrels, options)
    top = grade if grade is not None else max(qrels.max_grade, options.level)
    one = treatment.measure
    if depth is None:
        ranks = one.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED) and one.cutoff is not None
        depth = int(one.cutoff) if ranks and one.cutoff is not None else DEPTH
    found: dict[tuple[str, str], list[Change]] = {}
    wanted = [query for query in (queries if queries is not None else qrels.query_ids) if query in qrels.query_index]
    for number, query in enumerate(wanted):
        for run in runs:
            if query not in run.query_index:
                continue
            for document, change in _tried(run, qrels, query, treatment, options, top, depth):
                found.setdefault((query, document), []).append(change)
        if progress is not None:
            progress((number + 1) / len(wanted))
    candidates = [
        Candidate(query, document, top, tuple(sorted(changes, key=lambda one: -abs(one.delta))))
        for (query, document), changes in found.items()
    ]
    candidates = [one for one in candidates if one.most > 1e-12]
    candidates.sort(key=lambda one: (-one.most, -len(one.changes), one.query, one.document))
    return tuple(candidates)


def _tried(
    run: Run, qrels: Qrels, query: str, treatment: Treatment, options: EvaluationOptions, grade: float, depth: int
) -> list[tuple[str, Change]]:
    """Each unjudged document of a list down to a depth, and what it would do."""
    whole = replace(options, missing="zero")
    rules = whole.rules
    if rules.unanswerable == "drop":  # a query that has nothing relevant yet may have then
        whole = replace(whole, dialect=replace(rules, unanswerable="zero"))
    one = OneQuery.of(run, qrels, query, whole)
    ranked = one.ranked(treatment.reading)
    n = len(ranked)
    listed = set(one.asked.doc_ids.to_pylist())
    first = ranked.doc_ids[: min(depth, n)].to_pylist()
    places = np.array([place for place, document in enumerate(first) if document not in listed], dtype=np.int64)
    if not len(places):
        return []
    before, after = _values(one, treatment, ranked, places, grade, whole)
    return [
        (first[place], Change(run.name, place + 1, before, value))
        for place, value in zip(places.tolist(), after.tolist(), strict=True)
    ]


def _values(
    one: OneQuery, treatment: Treatment, ranked: Run, places: Ints, grade: float, options: EvaluationOptions
) -> tuple[float, Floats]:
    """(the value as it is, float64[candidates] with each judged), evaluated as queries of one run."""
    count, n, m = len(places) + 1, len(ranked), len(one.asked)
    names = tuple(f"{number:08d}" for number in range(count))
    run = Run(
        ranked.name, names, frozen(np.arange(count + 1, dtype=np.int64) * n),
        ranked.doc_ids.take(places_of(np.tile(np.arange(n), count))),
        frozen(np.tile(np.arange(float(n), 0.0, -1.0), count)), frozen(np.zeros(count, dtype=np.bool_)),
    )  # fmt: skip
    known, grades = one.asked.doc_ids.to_pylist(), one.asked.grades
    added = ranked.doc_ids.take(places_of(places)).to_pylist()
    ids: list[str] = list(known)
    for document in added:
        ids += [*known, document]
    codes = np.repeat(np.arange(count), [m, *[m + 1] * (count - 1)])
    every = np.concatenate([grades, *[np.append(grades, grade)] * (count - 1)])
    judgments = Qrels.from_columns(names, codes, strings(ids), every)
    highest = max(one.qrels.max_grade, grade)
    values = values_under(treatment, Joined(run, judgments, options), highest)
    return float(values[0]), values[1:]


def pool_of(candidates: Sequence[Candidate]) -> list[tuple[str, str]]:
    """(query, document) of each candidate, in order: what is handed to assessors."""
    return [(one.query, one.document) for one in candidates]
