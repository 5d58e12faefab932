"""Fusion: one run out of several, as a what-if. Runs in, a run out; knows no files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import OptionError
from irviewer.model.arrays import Floats, Ints, group_of_each, offsets_of, places_of, safe_divide, strings, values_of
from irviewer.model.run import Run

Method = Literal["combsum", "combmnz", "weighted", "rrf", "isr", "borda"]
Normalisation = Literal["min-max", "z-score", "sum", "none"]


MADE = ("made from", "fusion")
"""The attributes of a fused run that say what it is made from, and how."""


@dataclass(frozen=True)
class MethodOfFusion:
    """A method in words; ``scores`` says whether it reads scores (normalised first) or ranks."""

    title: str
    meaning: str
    source: str
    scores: bool = False


METHODS: Mapping[str, MethodOfFusion] = {
    "combsum": MethodOfFusion("CombSUM", "the sum of the scores", "Fox and Shaw, TREC-2, 1994", True),
    "combmnz": MethodOfFusion(
        "CombMNZ", "the sum of the scores, times how many runs return the document", "Fox and Shaw, TREC-2, 1994", True
    ),
    "weighted": MethodOfFusion("Weighted sum", "the sum of the scores, each run's times its weight", "", True),
    "rrf": MethodOfFusion(
        "RRF", "the sum of 1 / (k + rank)", "Cormack, Clarke and Büttcher, Reciprocal rank fusion, SIGIR 2009"
    ),
    "isr": MethodOfFusion(
        "ISR", "the sum of 1 / rank², times how many runs return the document", "Mourão and others, CMIG 2015"
    ),
    "borda": MethodOfFusion(
        "Borda", "points by rank among all candidates; a run gives those it lacks the mean of the points left over",
        "Aslam and Montague, Models for metasearch, SIGIR 2001",
    ),
}  # fmt: skip

NORMALISATIONS: Mapping[str, str] = {
    "min-max": "each list's scores from 0 to 1 (all 0 where they are equal)",
    "z-score": "each list's scores less their mean, over their standard deviation",
    "sum": "each list's scores less the least one, over their sum",
    "none": "the scores as they are",
}


@dataclass(frozen=True)
class Fusion:
    """What to do: a method with what it needs. Its text says all of it.

    method         a key of METHODS
    normalisation  a key of NORMALISATIONS; for methods that read scores
    weights        for "weighted", one a run
    k              RRF's constant
    depth          documents of each run's list that count; None: all
    """

    method: Method = "rrf"
    normalisation: Normalisation = "min-max"
    weights: tuple[float, ...] | None = None
    k: float = 60
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise OptionError(f"{self.method!r} is no fusion; there are {', '.join(METHODS)}")
        if self.normalisation not in NORMALISATIONS:
            raise OptionError(f"{self.normalisation!r} is no normalisation; there are {', '.join(NORMALISATIONS)}")
        if (self.weights is None) == (self.method == "weighted"):
            raise OptionError("a weighted sum needs a weight for each run, and no other fusion takes weights")
        if not self.k > -1:
            raise OptionError(f"k is {self.k:g}; it must be greater than -1, or 1 / (k + rank) has no sense")
        if self.depth is not None and self.depth < 1:
            raise OptionError(f"the depth is {self.depth}; it must be 1 or more")

    def __str__(self) -> str:
        words = [METHODS[self.method].title]
        if self.method == "rrf":
            words.append(f"k = {self.k:g}")
        if METHODS[self.method].scores:
            words.append(f"scores {self.normalisation}" if self.normalisation != "none" else "scores as they are")
        if self.weights is not None:
            words.append("weights " + ", ".join(f"{weight:g}" for weight in self.weights))
        if self.depth is not None:
            words.append(f"the first {self.depth}")
        return words[0] + (f" ({'; '.join(words[1:])})" if words[1:] else "")


def fuse(runs: Sequence[Run], fusion: Fusion | None = None, *, name: str | None = None, keep: int | None = None) -> Run:
    """The run that a fusion makes of several, over all queries that any of them has, in the order in which they come.

    A document that a run does not return gets nothing from it (Borda: the mean of the points left over). Ranks are
    those of the runs, ties broken as they have them; of the result, equal scores are ranked by id as always. The first
    ``keep`` documents of a query stay; None: all. ``attributes`` say what it was "made from" and by which "fusion".

    Raises OptionError for fewer than two runs, nothing to keep, a wrong number of weights, or scores without an end."""
    fusion = fusion or Fusion()
    if len(runs) < 2:
        raise OptionError("a fusion needs at least two runs")
    if keep is not None and keep < 1:
        raise OptionError(f"{keep} documents are to be kept; it must be 1 or more")
    if fusion.weights is not None and len(fusion.weights) != len(runs):
        raise OptionError(f"{len(fusion.weights)} weights for {len(runs)} runs: give one for each")
    query_ids = tuple(dict.fromkeys(query for run in runs for query in run.query_ids))
    place = {query: number for number, query in enumerate(query_ids)}
    lists = [_List.of(run, place, fusion.depth) for run in runs]
    ids = pa.concat_arrays(
        [strings(run.doc_ids.take(places_of(one.rows))) for run, one in zip(runs, lists, strict=True)]
    )
    encoded = pc.dictionary_encode(ids)
    query = np.concatenate([one.query for one in lists])
    vocabulary = max(len(encoded.dictionary), 1)
    keys, number = np.unique(query * vocabulary + values_of(encoded.indices).astype(np.int64), return_inverse=True)
    number = number.reshape(-1)
    codes = keys // vocabulary
    values = np.concatenate([_points(one, fusion, which) for which, one in enumerate(lists)])
    scores = np.bincount(number, weights=values, minlength=len(keys)).astype(np.float64, copy=False)
    if fusion.method in ("combmnz", "isr"):
        scores *= np.bincount(number, minlength=len(keys))
    if fusion.method == "borda":
        scores = _borda(lists, number, codes, len(query_ids))
    given = name if name is not None else METHODS[fusion.method].title.lower().replace(" ", "_")
    attributes = {"made from": [run.name for run in runs], "fusion": str(fusion)}
    documents = strings(encoded.dictionary.take(places_of(keys % vocabulary)))
    made = Run.from_columns(query_ids, codes, documents, scores, name=given, tag=given, attributes=attributes)
    return made if keep is None else _cut(made, keep)


def _cut(run: Run, keep: int) -> Run:
    group = group_of_each(run.offsets)
    rows = np.flatnonzero(np.arange(len(run)) - run.offsets[group] < keep)
    return Run.from_columns(
        run.query_ids, group[rows], run.doc_ids.take(places_of(rows)), run.scores[rows], name=run.name, tag=run.tag,
        attributes=run.attributes,
    )  # fmt: skip


def made_from(run: Run) -> str:
    """How a run was made, in words: "RRF (k = 60) of bm25 and dense"; "" for one that was read."""
    said = run.attributes or {}
    names = said.get("made from")
    if not isinstance(names, list) or "fusion" not in said:
        return ""
    return f"{said['fusion']} of {', '.join(names[:-1])} and {names[-1]}"


@dataclass(frozen=True, eq=False)
class _List:
    """A run's rows down to the depth: ``query`` by the fusion's numbers, ``group`` by the run's own, rank from 1."""

    run: Run
    rows: Ints
    query: Ints
    group: Ints
    rank: Ints

    @classmethod
    def of(cls, run: Run, place: Mapping[str, int], depth: int | None) -> _List:
        group = group_of_each(run.offsets)
        rank = np.arange(1, len(run) + 1) - run.offsets[group]
        rows = np.arange(len(run)) if depth is None else np.flatnonzero(rank <= depth)
        number = np.array([place[query] for query in run.query_ids], dtype=np.int64)
        return cls(run, rows, number[group[rows]] if len(rows) else group[rows], group[rows], rank[rows])

    @property
    def counts(self) -> Ints:
        return np.bincount(self.group, minlength=len(self.run.query_ids)).astype(np.int64)


def _points(one: _List, fusion: Fusion, which: int) -> Floats:
    """What a run gives each of its documents."""
    if fusion.method == "rrf":
        return np.asarray(1.0 / (fusion.k + one.rank))
    if fusion.method == "isr":
        return 1.0 / one.rank.astype(np.float64) ** 2
    if fusion.method == "borda":
        return np.zeros(len(one.rows))
    scores = one.run.scores[one.rows]
    if not np.isfinite(scores).all():
        raise OptionError(f"run {one.run.name} has scores that are no numbers or without an end: fuse by rank (rrf)")
    points = _normalised(scores, one, fusion.normalisation)
    return points if fusion.weights is None else points * fusion.weights[which]


def _normalised(scores: Floats, one: _List, how: Normalisation) -> Floats:
    """The scores of each list on a common scale, float64."""
    if how == "none" or not len(scores):
        return scores
    counts, group = one.counts, one.group
    has = np.flatnonzero(counts)
    starts = offsets_of(counts)[has]
    if how == "z-score":
        mean = safe_divide(np.bincount(group, weights=scores, minlength=len(counts)), counts)
        off = scores - mean[group]
        deviation = np.sqrt(safe_divide(np.bincount(group, weights=off * off, minlength=len(counts)), counts))
        return safe_divide(off, deviation[group])
    least = np.zeros(len(counts))
    least[has] = np.minimum.reduceat(scores, starts)
    above = scores - least[group]
    scale = np.zeros(len(counts))
    scale[has] = np.maximum.reduceat(above, starts) if how == "min-max" else np.add.reduceat(above, starts)
    return safe_divide(above, scale[group])


def _borda(lists: Sequence[_List], number: Ints, codes: Ints, n_queries: int) -> Floats:
    candidates = np.bincount(codes, minlength=n_queries)
    scores, start = np.zeros(len(codes)), 0
    for one in lists:
        returned = np.bincount(one.query, minlength=n_queries)
        left_over = (candidates - returned + 1) / 2
        own = number[start : start + len(one.rows)]
        start += len(one.rows)
        scores += left_over[codes]
        scores[own] += candidates[one.query] - one.rank + 1 - left_over[one.query]
    return scores
