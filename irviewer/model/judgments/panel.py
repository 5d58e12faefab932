"""The judgments of several judges aligned: one row per query and document, one column per judge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import OptionError
from irviewer.model.arrays import (
    Bools,
    Floats,
    Ints,
    Strings,
    bytewise_order,
    distinct,
    frozen,
    group_of_each,
    places_of,
    values_of,
)
from irviewer.model.judgments.judgment_set import JudgmentSet, check_names, judge_named
from irviewer.translation import decimal, tr

MOST_GRADES = 50
"""The most grades of a scale: agreement is counted grade by grade."""


@dataclass(frozen=True, eq=False)
class Panel:
    """The judgments of J judges on U pairs of query and document, each judged by at least one of them.

    sets         the judges
    query_ids    the Q queries of all judges, in bytewise order
    query        int64[U]: the query of each pair, ascending
    doc_ids      Arrow string array [U]
    grades       float64[U, J]; NaN for a missing or negative grade, which means unjudged
    negative     int64[J]: the number of negative grades left out
    """

    sets: tuple[JudgmentSet, ...]
    query_ids: tuple[str, ...]
    query: Ints
    doc_ids: Strings
    grades: Floats
    negative: Ints

    @property
    def names(self) -> tuple[str, ...]:
        """The judges' names."""
        return tuple(judge.name for judge in self.sets)

    def place(self, judge: str | int) -> int:
        """Return the column of a judge. Raises OptionError for an unknown name."""
        return judge if isinstance(judge, int) else judge_named(self.sets, judge)

    def __len__(self) -> int:
        """The number of pairs."""
        return len(self.query)

    @cached_property
    def judged(self) -> Bools:
        """bool[U, J]: whether the judge has judged the pair."""
        return np.asarray(frozen(~np.isnan(self.grades)))

    @cached_property
    def scale(self) -> Floats:
        """float64[K]: the grades in use, ascending. Raises OptionError for more than ``MOST_GRADES``."""
        grades = np.unique(self.grades[self.judged])
        if len(grades) > MOST_GRADES:
            numbers = [len(np.unique(column[~np.isnan(column)])) for column in self.grades.T]
            raise OptionError(
                tr(
                    "The judges use {n} different grades ({judge} alone {own}); agreement is counted for {most} at "
                    "most. Round the grades to a scale first.",
                    n=decimal(f"{len(grades):,}"),
                    judge=self.names[int(np.argmax(numbers))], own=decimal(f"{max(numbers):,}"),
                    most=MOST_GRADES,
                )
            )  # fmt: skip
        return np.asarray(frozen(grades))

    @cached_property
    def codes(self) -> Ints:
        """int64[U, J]: the index of each grade in the scale, -1 if there is none."""
        places = np.searchsorted(self.scale, np.nan_to_num(self.grades))
        return frozen(np.where(self.judged, places, -1))

    def queries_of(self, judge: int) -> Ints:
        """Return the queries with a document judged by a judge, ascending."""
        return distinct(self.query[self.judged[:, judge]])

    def of_queries(self, query_ids: Iterable[str]) -> Panel:
        """Return the panel limited to some queries, for agreement, systems by judge and merging; ids that no judge has
        are ignored."""
        wanted = set(query_ids)
        inside = np.array([query in wanted for query in self.query_ids], dtype=np.bool_)
        rows = np.flatnonzero(inside[self.query])
        place = np.cumsum(inside) - 1
        return replace(
            self,
            query_ids=tuple(query for query, keep in zip(self.query_ids, inside.tolist(), strict=True) if keep),
            query=frozen(place[self.query[rows]]),
            doc_ids=self.doc_ids.take(places_of(rows)),
            grades=frozen(self.grades[rows]),
        )

    def shares(self, judge: int) -> Floats:
        """Return float64[K]: the share of each grade of the scale among a judge's grades; NaN for a judge without
        grades."""
        counts = np.bincount(self.codes[self.judged[:, judge], judge], minlength=len(self.scale))
        return counts / counts.sum() if counts.sum() else np.full(len(self.scale), np.nan)


def panel_of(sets: Sequence[JudgmentSet]) -> Panel:
    """Align judgment sets. Raises OptionError if two have the same name."""
    check_names(sets)
    ids = list(dict.fromkeys(query for judge in sets for query in judge.qrels.query_ids))
    query_ids = tuple(ids[position] for position in bytewise_order(ids).tolist())
    place_of = {query: position for position, query in enumerate(query_ids)}
    columns = [pa.chunked_array([judge.qrels.vocabulary for judge in sets])] if sets else []
    vocabulary = pc.unique(columns[0]) if columns else pa.array([], pa.string())
    size = max(len(vocabulary), 1)
    keys = []
    for judge in sets:
        own = np.array([place_of[query] for query in judge.qrels.query_ids], dtype=np.int64)
        documents = values_of(pc.index_in(judge.qrels.doc_ids, value_set=vocabulary)).astype(np.int64)
        keys.append(own[group_of_each(judge.qrels.offsets)] * size + documents)
    pairs = distinct(np.concatenate([np.empty(0, np.int64), *keys]))
    grades = np.full((len(pairs), len(sets)), np.nan)
    negative = np.zeros(len(sets), dtype=np.int64)
    for position, (judge, own) in enumerate(zip(sets, keys, strict=True)):
        below = judge.qrels.grades < 0
        negative[position] = below.sum()
        grades[np.searchsorted(pairs, own), position] = np.where(below, np.nan, judge.qrels.grades)
    judged = ~np.isnan(grades).all(axis=1)
    return Panel(
        tuple(sets),
        query_ids,
        frozen(pairs[judged] // size),
        vocabulary.take(places_of(pairs[judged] % size)),
        frozen(grades[judged]),
        frozen(negative),
    )
