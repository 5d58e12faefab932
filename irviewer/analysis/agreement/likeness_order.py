"""The display order of judges: a tree of similarity, at each fork the side nearer to the reference first."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.similarity.clusters import clusters
from irviewer.model.arrays import Floats, Ints, frozen


def likeness_order(similarity: Floats, reference: int) -> Ints:
    """Return int64[J]: the reference, then the others by average linkage of 1 - similarity float64[J, J]. At a fork the
    side with the higher mean similarity to the reference is first; equal sides keep the given order."""
    others = np.delete(np.arange(len(similarity)), reference)
    if len(others) < 2:
        return np.asarray(frozen(np.concatenate([[reference], others]).astype(np.int64)))
    near = np.nan_to_num(similarity[reference, others], nan=-np.inf)
    members: list[list[int]] = [[place] for place in range(len(others))]
    for left, right in clusters(similarity[np.ix_(others, others)]).merges[:, :2].astype(np.int64).tolist():
        sides = sorted((members[left], members[right]), key=lambda side: (-float(np.mean(near[side])), min(side)))
        members.append(sides[0] + sides[1])
    return np.asarray(frozen(np.concatenate([[reference], others[members[-1]]]).astype(np.int64)))
