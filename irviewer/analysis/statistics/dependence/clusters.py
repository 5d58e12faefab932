"""The clusters of values: which values belong together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.model.arrays import Floats, Ints, frozen


@dataclass(frozen=True, eq=False)
class Clusters:
    """N values in G clusters.

    code   int64[N]: the cluster of each value, 0 … G - 1, each of which occurs
    names  the names of the clusters, in the order in which they first occur: what is drawn does not depend on names
    """

    code: Ints
    names: tuple[str, ...]

    @classmethod
    def of(cls, labels: Sequence[Hashable]) -> Clusters:
        """Return the clusters of N labels, equal labels (as texts) being one cluster."""
        texts = [str(label) for label in labels]
        names = list(dict.fromkeys(texts))
        places = {name: place for place, name in enumerate(names)}
        return cls(frozen(np.array([places[text] for text in texts], dtype=np.int64)), tuple(names))

    def at(self, places: Ints) -> Clusters:
        """Return the clusters of the values at some places, without those that have none there."""
        kept, code = np.unique(self.code[places], return_inverse=True)
        return Clusters(
            frozen(code.reshape(-1).astype(np.int64)), tuple(self.names[number] for number in kept.tolist())
        )

    def __len__(self) -> int:
        """G."""
        return len(self.names)

    @cached_property
    def sizes(self) -> Ints:
        """int64[G]: the values of each cluster."""
        return frozen(np.bincount(self.code, minlength=len(self.names)).astype(np.int64))

    @property
    def single(self) -> bool:
        """Whether each value is a cluster of its own."""
        return len(self.names) == len(self.code)

    def sums(self, rows: Floats) -> Floats:
        """Return the sums float64[P, G] of rows float64[P, N] by cluster. A row has the same sums alone and among
        others."""
        return np.array([np.bincount(self.code, row, len(self.names)) for row in rows]).reshape(len(rows), len(self))
