"""The numbers of the table: every measure of a lecture at every rank of one ranking.

Sources: Arguello, INLS 509 (2013), "precision and recall", "average precision" and "discounted cumulative gain";
Järvelin and Kekäläinen, TOIS 2002."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.measures.gains import LOG2, GainRule
from irviewer.model.arrays import Floats, Ints, frozen


@dataclass(frozen=True, eq=False)
class TableRanking:
    """A ranking of one query, with its judgments and the textbook setting.

    documents   from rank 1 down, the whole list
    grades      float64[n], of the documents; NaN where unjudged, which counts as not relevant and without gain
    judged      float64[m], all grades of the query
    level       the relevance level
    rule        gain, discount and ideal ranking

    Values are float64[n], at index K − 1 the value at rank K.
    """

    documents: tuple[str, ...]
    grades: Floats
    judged: Floats
    level: float = 1.0
    rule: GainRule = LOG2

    @property
    def n(self) -> int:
        """The number of documents."""
        return len(self.documents)

    @cached_property
    def relevant(self) -> int:
        """R, the number of relevant documents of the query, retrieved or not."""
        return int(np.count_nonzero(self.judged >= self.level))

    @cached_property
    def is_relevant(self) -> Floats:
        """1 where the document is relevant, else 0."""
        return frozen((self.grades >= self.level).astype(np.float64))

    @cached_property
    def ranks(self) -> Ints:
        """1 to n."""
        return frozen(np.arange(1, self.n + 1))

    @cached_property
    def hits(self) -> Ints:
        """How many relevant documents there are down to each rank."""
        return frozen(np.cumsum(self.is_relevant).astype(np.int64))

    @cached_property
    def precision(self) -> Floats:
        """P@K: relevant documents down to rank K, divided by K."""
        return frozen(self.hits / self.ranks)

    @cached_property
    def recall(self) -> Floats:
        """R@K: relevant documents down to rank K, divided by R; 0 without relevant documents."""
        return frozen(self.hits / max(1, self.relevant))

    @cached_property
    def f(self) -> Floats:
        """F@K: the harmonic mean of both, 0 where both are 0."""
        return frozen(2.0 * self.hits / np.maximum(1, self.ranks + self.relevant))

    @cached_property
    def precision_sum(self) -> Floats:
        """The sum of P@i over the relevant ranks i down to K; divided by R it is AP."""
        return frozen(np.cumsum(self.precision * self.is_relevant))

    @cached_property
    def average_precision(self) -> Floats:
        """AP of the list down to K: the sum divided by R; 0 without relevant documents."""
        return frozen(self.precision_sum / max(1, self.relevant))

    @cached_property
    def first_relevant(self) -> int:
        """The rank of the first relevant document, 0 if there is none."""
        return int(np.argmax(self.is_relevant)) + 1 if self.is_relevant.any() else 0

    @cached_property
    def reciprocal_rank(self) -> Floats:
        """RR down to rank K: 1 divided by the rank of the first relevant document, 0 before it."""
        first = self.first_relevant
        return frozen(np.where((self.ranks >= first) & (first > 0), 1.0 / max(1, first), 0.0))

    @cached_property
    def gain(self) -> Floats:
        """The gain of each document."""
        return frozen(self.rule.gain(np.nan_to_num(self.grades)))

    @cached_property
    def discount(self) -> Floats:
        """The factor of each rank: 1 divided by the logarithm."""
        return frozen(self.rule.share(self.ranks))

    @cached_property
    def discounted(self) -> Floats:
        """Gain times discount."""
        return frozen(self.gain * self.discount)

    @cached_property
    def cumulated(self) -> Floats:
        """CG@K: the sum of the gains."""
        return frozen(np.cumsum(self.gain))

    @cached_property
    def dcg(self) -> Floats:
        """DCG@K: the sum of the discounted gains."""
        return frozen(np.cumsum(self.discounted))

    @cached_property
    def ideal_gain(self) -> Floats:
        """The gains of the ideal ranking, by the rule of all judged documents or of those retrieved; 0 at its end."""
        return self.ideal_gain_of(self.rule.ideal)

    def ideal_gain_of(self, ideal: str) -> Floats:
        """Return the gains of the ideal ranking of "judged" or "retrieved" documents, cut or filled to n."""
        grades = self.judged if ideal == "judged" else self.grades[~np.isnan(self.grades)]
        gains = np.sort(self.rule.gain(np.array(grades, dtype=np.float64)))[::-1]
        gains = gains[gains > 0][: self.n]
        return frozen(np.concatenate((gains, np.zeros(self.n - len(gains)))))

    @cached_property
    def ideal(self) -> Floats:
        """The DCG of the ideal ranking."""
        return frozen(np.cumsum(self.ideal_gain * self.discount))

    @cached_property
    def normalised(self) -> Floats:
        """nDCG@K: DCG divided by that of the ideal ranking, 0 where there is none."""
        return frozen(np.divide(self.dcg, self.ideal, out=np.zeros(self.n), where=self.ideal > 0))

    def at(self, column: str, rank: int) -> float:
        """Return the value of a column at a rank, from 1; NaN outside the list."""
        if not 1 <= rank <= self.n:
            return math.nan
        return float(getattr(self, ATTRIBUTES[column])[rank - 1])

    def grade(self, rank: int) -> float:
        """Return the grade at a rank; NaN where unjudged."""
        return float(self.grades[rank - 1])


ATTRIBUTES = {
    "P": "precision",
    "R": "recall",
    "F": "f",
    "AP": "precision_sum",
    "AP@K": "average_precision",
    "RR": "reciprocal_rank",
    "gain": "gain",
    "discount": "discount",
    "discounted": "discounted",
    "CG": "cumulated",
    "DCG": "dcg",
    "ideal": "ideal",
    "nDCG": "normalised",
}
"""Column -> the values that it shows."""
