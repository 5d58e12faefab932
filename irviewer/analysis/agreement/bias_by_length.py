"""A judge's bias by the length of the document: its grade minus the reference's in parts of the pairs by length.

Long documents may be relevant more often, and any error draws extreme grades to the middle: beside the bias of a part
stands what is left of it when each pair's mean bias at its grade of the reference is taken away. Pairs of one query are
not independent: intervals have the CR2 error by query (:mod:`irviewer.analysis.statistics.dependence`)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.dependence.cluster_mean import cr2_errors
from irviewer.analysis.statistics.dependence.clusters import Clusters
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats, Ints

PARTS = 4
"""Parts of about as many pairs."""


@dataclass(frozen=True)
class LengthPart:
    """The pairs of documents of ``shortest`` to ``longest`` words.

    bias, low, high   the judge's grade minus the reference's, the mean with its interval; NaN ends with one query,
                      and where all queries have one bias, which tells nothing of how far others may differ
    beyond            the mean of what is left when the mean bias at the reference's grade is taken away
    """

    shortest: float
    longest: float
    pairs: int
    bias: float
    low: float
    high: float
    beyond: float


def bias_by_length(
    reference: Floats, judge: Floats, lengths: Floats, queries: Ints, *, confidence: float = 0.95
) -> tuple[LengthPart, ...]:
    """Return the bias in parts of n pairs by length, the shortest documents first; documents of one length are in one
    part, so that there can be fewer parts.

    reference, judge   float64[n]: grades on one scale
    lengths            float64[n]: NaN where it is not known
    queries            int64[n]: the query of each pair
    """
    known = ~np.isnan(lengths)
    reference, judge, lengths, queries = reference[known], judge[known], lengths[known], queries[known]
    if not len(lengths):
        return ()
    difference = judge - reference
    _, grade = np.unique(reference, return_inverse=True)
    by_grade = np.bincount(grade, weights=difference) / np.bincount(grade)
    beyond = difference - by_grade[grade]
    edges = np.unique(np.quantile(lengths, np.arange(1, PARTS) / PARTS, method="lower"))
    part_of = np.searchsorted(edges, lengths, side="left")
    return tuple(
        _part(difference[rows], beyond[rows], lengths[rows], queries[rows], confidence)
        for rows in (np.flatnonzero(part_of == place) for place in range(len(edges) + 1))
        if len(rows)
    )


def _part(difference: Floats, beyond: Floats, lengths: Floats, queries: Ints, confidence: float) -> LengthPart:
    mean = float(difference.mean())
    errors, df = cr2_errors(difference[None], Clusters.of(queries.tolist()))
    half = math.nan
    if errors[0] > 0:
        half = float(special().stdtrit(df, (1 + confidence) / 2)) * float(errors[0])
    return LengthPart(
        float(lengths.min()), float(lengths.max()), len(lengths), mean, mean - half, mean + half, float(beyond.mean())
    )
