"""Fusion of several runs into one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import OptionError
from irviewer.model.answers.systems import refuse_labels_alone
from irviewer.model.arrays import (
    Floats,
    Ints,
    Strings,
    group_of_each,
    offsets_of,
    places_of,
    safe_divide,
    strings,
    values_of,
)
from irviewer.model.run import Run
from irviewer.translation import tr

Method = Literal["combsum", "combmnz", "weighted", "rrf", "isr", "borda"]
Normalisation = Literal["min-max", "z-score", "sum", "none"]


MADE = ("made from", "fusion")
"""The attributes of a fused run: the names of its runs, and the fusion."""


@dataclass(frozen=True)
class MethodOfFusion:
    """The description of a method; ``scores``: it uses normalised scores, not ranks."""

    title: str
    meaning: str
    source: str
    scores: bool = False


METHODS: Mapping[str, MethodOfFusion] = {
    "combsum": MethodOfFusion("CombSUM", tr("sum of the scores"), "Fox and Shaw, TREC-2, 1994", True),
    "combmnz": MethodOfFusion(
        "CombMNZ", tr("sum of the scores, times the number of runs that return the document"),
        "Fox and Shaw, TREC-2, 1994", True,
    ),
    "weighted": MethodOfFusion(tr("Weighted sum"), tr("sum of the scores, each times the weight of its run"), "", True),
    "rrf": MethodOfFusion(
        "RRF", tr("sum of 1 / (k + rank)"), "Cormack, Clarke and Büttcher, Reciprocal rank fusion, SIGIR 2009"
    ),
    "isr": MethodOfFusion(
        "ISR", tr("sum of 1 / rank², times the number of runs that return the document"),
        "Mourão and others, CMIG 2015",
    ),
    "borda": MethodOfFusion(
        "Borda", tr("points by rank among all candidates; documents that a run lacks share its remaining points"),
        "Aslam and Montague, Models for metasearch, SIGIR 2001",
    ),
}  # fmt: skip

NORMALISATIONS: Mapping[str, str] = {
    "min-max": tr("scores of each ranking scaled to 0 … 1 (all 0 if they are equal)"),
    "z-score": tr("scores of each ranking minus their mean, divided by their standard deviation"),
    "sum": tr("scores of each ranking minus the lowest, divided by their sum"),
    "none": tr("scores unchanged"),
}


@dataclass(frozen=True)
class Fusion:
    """A fusion method with its parameters.

    method         a key of METHODS
    normalisation  a key of NORMALISATIONS; for methods that use scores
    weights        for "weighted", one per run
    k              RRF's constant
    depth          the number of documents used from each ranking; None: all
    """

    method: Method = "rrf"
    normalisation: Normalisation = "min-max"
    weights: tuple[float, ...] | None = None
    k: float = 60
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise OptionError(
                tr(
                    "{method!r} is not a fusion method; use one of: {known}",
                    method=self.method,
                    known=", ".join(METHODS),
                )
            )
        if self.normalisation not in NORMALISATIONS:
            raise OptionError(
                tr(
                    "{normalisation!r} is not a normalisation; use one of: {known}",
                    normalisation=self.normalisation,
                    known=", ".join(NORMALISATIONS),
                )
            )
        if self.weights is None and self.method == "weighted":
            raise OptionError(tr("a weighted sum needs a weight for each run"))
        if self.weights is not None and self.method != "weighted":
            raise OptionError(tr("weights are only for the fusion method “weighted”; remove them"))
        if self.weights is not None and not all(map(math.isfinite, self.weights)):
            weights = ", ".join(f"{weight:g}" for weight in self.weights)
            raise OptionError(tr("the weights are {weights}; each must be a finite number", weights=weights))
        if not -1 < self.k < math.inf:
            raise OptionError(tr("k is {k:g}; it must be a finite number greater than -1", k=self.k))
        if self.depth is not None and self.depth < 1:
            raise OptionError(tr("the depth is {depth}; it must be 1 or more", depth=self.depth))

    def __str__(self) -> str:
        details = []
        if self.method == "rrf":
            details.append(f"k = {self.k:g}")
        if METHODS[self.method].scores:
            if self.normalisation == "none":
                details.append(tr("scores unchanged"))
            else:
                details.append(tr("scores {normalisation}", normalisation=self.normalisation))
        if self.weights is not None:
            weights = ", ".join(f"{weight:g}" for weight in self.weights)
            details.append(tr("weights {weights}", weights=weights))
        if self.depth is not None:
            details.append(tr("depth {depth}", depth=self.depth))
        title = METHODS[self.method].title
        return f"{title} ({'; '.join(details)})" if details else title


def fuse(runs: Sequence[Run], fusion: Fusion | None = None, *, name: str | None = None, keep: int | None = None) -> Run:
    """Return the fusion of several runs, over all queries of any of them, in order of appearance.

    A document that a run does not return gets no points from it (Borda: the mean of the remaining points). Ranks, and
    the order of ties, are those of the runs; equal scores of the result are ranked by id. The attributes "made from"
    and "fusion" describe the fused run.

    keep   the number of documents kept for each query; None: all

    Raises OptionError for fewer than two runs, labels alone, no documents to keep, a wrong number of weights, or
    infinite scores, of a run or of the fusion."""
    fusion = fusion or Fusion()
    for run in runs:
        if run.stored is not None:
            raise run.stored.refuse(run.name)
        refuse_labels_alone(run)
    if len(runs) < 2:
        raise OptionError(tr("a fusion needs at least two runs"))
    if keep is not None and keep < 1:
        raise OptionError(tr("the number of documents to keep is {keep}; it must be 1 or more", keep=keep))
    if fusion.weights is not None and len(fusion.weights) != len(runs):
        raise OptionError(
            tr(
                "the number of weights ({weights}) differs from the number of runs ({runs}); give one weight per run",
                weights=len(fusion.weights),
                runs=len(runs),
            )
        )
    return FusionCandidates.of(runs, fusion.depth).fuse(fusion, name=name, keep=keep)


@dataclass(frozen=True, eq=False)
class FusionCandidates:
    """The documents of several runs joined by query, which can be fused in several ways.

    query_ids    the queries of any run, in order of appearance
    lists        each run's rows down to the depth
    number       int64[rows of all lists]: the candidate that a row is
    codes        int64[c]: the query of each candidate
    documents    Arrow string array [c]: its id
    """

    runs: tuple[Run, ...]
    query_ids: tuple[str, ...]
    lists: tuple[_List, ...]
    number: Ints
    codes: Ints
    documents: Strings

    @classmethod
    def of(cls, runs: Sequence[Run], depth: int | None = None) -> FusionCandidates:
        """Join runs, down to a depth."""
        query_ids = tuple(dict.fromkeys(query for run in runs for query in run.query_ids))
        query_number = {query: number for number, query in enumerate(query_ids)}
        lists = tuple(_List.of(run, query_number, depth) for run in runs)
        ids = pa.concat_arrays(
            [strings(run.doc_ids.take(places_of(ranking.rows))) for run, ranking in zip(runs, lists, strict=True)]
        )
        encoded = pc.dictionary_encode(ids)
        query = np.concatenate([ranking.query for ranking in lists])
        vocabulary = max(len(encoded.dictionary), 1)
        keys, number = np.unique(query * vocabulary + values_of(encoded.indices).astype(np.int64), return_inverse=True)
        documents = strings(encoded.dictionary.take(places_of(keys % vocabulary)))
        return cls(tuple(runs), query_ids, lists, number.reshape(-1), keys // vocabulary, documents)

    def fuse(self, fusion: Fusion, *, name: str | None = None, keep: int | None = None) -> Run:
        """Return one fusion of the candidates; its depth is the one that they were joined by."""
        values = np.concatenate([_points(ranking, fusion, index) for index, ranking in enumerate(self.lists)])
        size = len(self.codes)
        scores = np.bincount(self.number, weights=values, minlength=size).astype(np.float64, copy=False)
        if fusion.method in ("combmnz", "isr"):
            scores *= np.bincount(self.number, minlength=size)
        if fusion.method == "borda":
            scores = _borda(self.lists, self.number, self.codes, len(self.query_ids))
        if not np.isfinite(scores).all():
            raise OptionError(
                tr("the fused scores are beyond the largest number; normalise scores, or fuse by rank (rrf)")
            )
        fused_name = name or ("weighted_sum" if fusion.method == "weighted" else fusion.method)
        attributes = {"made from": [run.name for run in self.runs], "fusion": str(fusion)}
        fused = Run.from_columns(
            self.query_ids, self.codes, self.documents, scores, name=fused_name, tag=fused_name, attributes=attributes,
            distinct=True,
        )  # fmt: skip
        return fused if keep is None else _cut(fused, keep)


def _cut(run: Run, keep: int) -> Run:
    group = group_of_each(run.offsets)
    rows = np.flatnonzero(np.arange(len(run)) - run.offsets[group] < keep)
    return Run.from_columns(
        run.query_ids, group[rows], run.doc_ids.take(places_of(rows)), run.scores[rows], name=run.name, tag=run.tag,
        attributes=run.attributes,
    )  # fmt: skip


def made_from(run: Run) -> str:
    """Return how a run was fused, "RRF (k = 60) of bm25 and dense"; "" for any other run."""
    attributes = run.attributes or {}
    names = attributes.get("made from")
    if not isinstance(names, list) or "fusion" not in attributes:
        return ""
    return tr("{fusion} of {runs} and {last}", fusion=attributes["fusion"], runs=", ".join(names[:-1]), last=names[-1])


@dataclass(frozen=True, eq=False)
class _List:
    """A run's rows down to the depth: ``query`` is the index in the fusion, ``group`` that in the run, rank from 1."""

    run: Run
    rows: Ints
    query: Ints
    group: Ints
    rank: Ints

    @classmethod
    def of(cls, run: Run, query_number: Mapping[str, int], depth: int | None) -> _List:
        group = group_of_each(run.offsets)
        rank = np.arange(1, len(run) + 1) - run.offsets[group]
        rows = np.arange(len(run)) if depth is None else np.flatnonzero(rank <= depth)
        number = np.array([query_number[query] for query in run.query_ids], dtype=np.int64)
        return cls(run, rows, number[group[rows]] if len(rows) else group[rows], group[rows], rank[rows])

    @property
    def counts(self) -> Ints:
        return np.bincount(self.group, minlength=len(self.run.query_ids)).astype(np.int64)


def _points(ranking: _List, fusion: Fusion, index: int) -> Floats:
    """Return the points that the run of this index gives its documents."""
    if fusion.method == "rrf":
        return np.asarray(1.0 / (fusion.k + ranking.rank))
    if fusion.method == "isr":
        return 1.0 / ranking.rank.astype(np.float64) ** 2
    if fusion.method == "borda":
        return np.zeros(len(ranking.rows))
    scores = ranking.run.scores[ranking.rows]
    if not np.isfinite(scores).all():
        raise OptionError(
            tr("run {run} has infinite scores or scores that are not numbers; fuse by rank (rrf)", run=ranking.run.name)
        )
    points = _normalised(scores, ranking, fusion.normalisation)
    return points if fusion.weights is None else points * fusion.weights[index]


def _normalised(scores: Floats, ranking: _List, how: Normalisation) -> Floats:
    """Return the normalised scores of each query's ranking, float64."""
    if how == "none" or not len(scores):
        return scores
    counts, group = ranking.counts, ranking.group
    has = np.flatnonzero(counts)
    starts = offsets_of(counts)[has]
    least, size = np.zeros((2, len(counts)))
    # Powers of two change no digit of the result, and keep squares and sums of all scores within the range of floats.
    power = np.zeros(len(counts), np.int64)
    power[has] = -np.frexp(np.maximum.reduceat(np.abs(scores), starts))[1] - 2
    scores = np.ldexp(scores, power[group])
    least[has] = np.minimum.reduceat(scores, starts)
    above = scores - least[group]
    size[has] = np.maximum.reduceat(above, starts) if how != "sum" else np.add.reduceat(above, starts)
    if how != "z-score":
        return safe_divide(above, size[group])
    mean = safe_divide(np.bincount(group, weights=scores, minlength=len(counts)), counts)
    off = scores - mean[group]
    deviation = np.sqrt(safe_divide(np.bincount(group, weights=off * off, minlength=len(counts)), counts))
    deviation[size == 0] = 0  # the mean of equal scores may differ from them by rounding
    return safe_divide(off, deviation[group])


def _borda(lists: Sequence[_List], number: Ints, codes: Ints, n_queries: int) -> Floats:
    candidates = np.bincount(codes, minlength=n_queries)
    scores, start = np.zeros(len(codes)), 0
    for ranking in lists:
        returned = np.bincount(ranking.query, minlength=n_queries)
        remaining = (candidates - returned + 1) / 2
        own = number[start : start + len(ranking.rows)]
        start += len(ranking.rows)
        scores += remaining[codes]
        scores[own] += candidates[ranking.query] - ranking.rank + 1 - remaining[ranking.query]
    return scores
