"""The alternative annotator test: was a model shown to agree with people as well as one of these people does, less ε?

Calderon, Reichart and Dror, The Alternative Annotator Test for LLM-as-a-Judge, ACL 2025 (arXiv 2501.10970). Each person
is left out in turn; on each instance the person and the model are scored against the others' labels. A judge is
replaced if the share of instances on which the person does at least as well exceeds the model's by less than ε
(one-sided t; Benjamini and Yekutieli 2001 over the people). ω is the share of people so replaced, ρ the mean share of
instances on which the model does at least as well.

The published form takes instances as independent. Judgments come by query, and pairs of one query are not: the decision
here takes the standard error and degrees of freedom that are robust to clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.analysis.statistics.dependence.cluster_mean import cr2_errors
from irviewer.analysis.statistics.dependence.clusters import Clusters
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Bools, Floats, Ints, frozen

Scoring = Literal["accuracy", "rmse"]
"""How a label is scored against others': the share that is equal, or minus the root of the mean squared distance."""

FEWEST_INSTANCES = 30
"""A judge with fewer instances is not tested; the authors advise more labels, or Wilcoxon's test."""
FEWEST_PEOPLE = 3
"""With two people of an instance each is compared with the other alone: there is no group that one could stand for."""
PASSES = 0.5
"""A model passes from this winning rate on."""
DISCOVERY = 0.05
"""The false discovery rate over the people."""
SWEEP = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
"""The values of ε that are shown beside the declared one."""


@dataclass(frozen=True, eq=False)
class LeftOut:
    """A judge left out: on each instance scored beside the model against the others.

    instances    how many instances the person, the model and another person labelled
    difference   int64[n]: person at least as good (1 or 0) minus model at least as good
    ties         instances on which both do equally well
    clusters     int64[n]: the cluster of each instance
    model, person   share of instances on which each does at least as well as the other
    """

    name: str
    instances: int
    difference: Ints
    ties: int
    clusters: Ints
    model: float
    person: float

    @property
    def tested(self) -> bool:
        """Whether there are enough instances."""
        return self.instances >= FEWEST_INSTANCES


@dataclass(frozen=True, eq=False)
class Decision:
    """The test of P tested people for one ε.

    t, p       float64[P]; NaN where undefined
    df         float64[P]: degrees of freedom
    replaced   bool[P]: rejected by Benjamini and Yekutieli
    """

    epsilon: float
    t: Floats
    p: Floats
    df: Floats
    replaced: Bools

    @property
    def winning_rate(self) -> float:
        """ω, the share of tested people that the model was shown to replace; NaN without any."""
        return float(self.replaced.mean()) if len(self.replaced) else math.nan

    @property
    def passes(self) -> bool:
        """Whether ω is .5 or more."""
        return bool(self.winning_rate >= PASSES)


@dataclass(frozen=True, eq=False)
class AlternativeTest:
    """The people of a test, and what a decision needs.

    people      every person in the order given; those with too few instances too
    dropped     instances without a label of the model, or with fewer than two people's
    instances   instances that were kept
    equal       how often two people gave an instance the same label, float in [0, 1]; NaN without such a pair
    most        the most people that labelled one instance
    """

    model: str
    scoring: Scoring
    people: tuple[LeftOut, ...]
    instances: int
    dropped: int
    equal: float
    most: int = 0

    @property
    def tested(self) -> tuple[LeftOut, ...]:
        """The people with enough instances."""
        return tuple(person for person in self.people if person.tested)

    @property
    def skipped(self) -> tuple[LeftOut, ...]:
        """The people with too few."""
        return tuple(person for person in self.people if not person.tested)

    @property
    def advantage(self) -> float:
        """ρ, the mean over the tested people of the model's share; NaN without any."""
        shares = [person.model for person in self.tested]
        return float(np.mean(shares)) if shares else math.nan

    def published(self, epsilon: float) -> Decision:
        """Return the decision as published: a t-test that takes instances as independent."""
        rows = [_independent(person.difference, epsilon) for person in self.tested]
        return _decided(epsilon, rows)

    def decision(self, epsilon: float) -> Decision:
        """Return the decision by standard errors that are robust to clusters, such as queries (CR2, degrees of freedom
        by Satterthwaite). A judge with one cluster is not replaced."""
        rows = [_clustered(person.difference, person.clusters, epsilon) for person in self.tested]
        return _decided(epsilon, rows)


def alternative_test(
    labels: Floats, model: Floats, clusters: Ints, people: Sequence[str], *, name: str = "",
    scoring: Scoring = "accuracy",
) -> AlternativeTest:  # fmt: skip
    """Return the test of a model against J people.

    labels     float64[U, J]: a judge's label of each instance, NaN for none; for "accuracy" any number stands for a
               label
    model      float64[U]: the model's labels, NaN for none
    clusters   int64[U]: the cluster of each instance, such as its query
    """
    has = ~np.isnan(labels)
    some = has.any(axis=1) & ~np.isnan(model)
    kept = (has.sum(axis=1) >= 2) & some
    dropped = int((has.any(axis=1) & ~kept).sum())
    labels, model, clusters, has = labels[kept], model[kept], clusters[kept], has[kept]
    left_out = tuple(
        _left_out(person, place, labels, has, model, clusters, scoring) for place, person in enumerate(people)
    )
    most = int(has.sum(axis=1).max(initial=0))
    return AlternativeTest(name, scoring, left_out, int(kept.sum()), dropped, _equal_share(labels, has), most)


def _left_out(
    name: str, place: int, labels: Floats, has: Bools, model: Floats, clusters: Ints, scoring: Scoring
) -> LeftOut:
    """Return the comparison of one person with the model."""
    rows = has[:, place]
    others = np.delete(labels[rows], place, axis=1)
    own, machine = labels[rows, place], model[rows]
    # Counts and sums are compared, not their means: the number of others is the same for both, and ties stay exact.
    if scoring == "accuracy":
        of_person, of_model = ((others == label[:, None]).sum(axis=1) for label in (own, machine))
    else:
        of_person, of_model = (-np.nansum((others - label[:, None]) ** 2, axis=1) for label in (own, machine))
    model_wins, person_wins = of_model >= of_person, of_person >= of_model
    n = int(rows.sum())
    return LeftOut(
        name, n, frozen(person_wins.astype(np.int64) - model_wins), int((model_wins & person_wins).sum()),
        frozen(clusters[rows]), float(model_wins.mean()) if n else math.nan,
        float(person_wins.mean()) if n else math.nan,
    )  # fmt: skip


def _equal_share(labels: Floats, has: Bools) -> float:
    """Return how often two people who labelled an instance gave the same label."""
    same = pairs = 0
    for second in range(1, labels.shape[1]):
        both = has[:, :second] & has[:, second : second + 1]
        pairs += int(both.sum())
        same += int((both & (labels[:, :second] == labels[:, second : second + 1])).sum())
    return same / pairs if pairs else math.nan


def _independent(difference: Ints, epsilon: float) -> tuple[float, float, float]:
    """Return t, p and df of the hypothesis that the mean is ε or more, of independent instances."""
    n = len(difference)
    error = float(difference.std(ddof=1)) / math.sqrt(n)
    return one_sided(float(difference.mean()) - epsilon, error, float(n - 1))


def _clustered(difference: Ints, clusters: Ints, epsilon: float) -> tuple[float, float, float]:
    """Return the same of instances in clusters."""
    errors, df = cr2_errors(difference.astype(np.float64)[None], Clusters.of(clusters.tolist()))
    if errors[0] == 0 and np.ptp(difference) > 0:  # a few clusters whose means are equal by chance tell no spread
        return math.nan, math.nan, df
    return one_sided(float(difference.mean()) - epsilon, float(errors[0]), df)


def one_sided(above: float, error: float, df: float) -> tuple[float, float, float]:
    """Return t, p and df of the hypothesis that a value is 0 or more, by its estimate and standard error. Without any
    spread p is 0 or 1 by its sign, and NaN for 0."""
    if math.isnan(error):
        return math.nan, math.nan, df
    if error == 0:
        return (math.nan, math.nan, df) if above == 0 else (math.copysign(math.inf, above), float(above > 0), df)
    t = above / error
    return t, float(special().stdtr(df, t)), df


def _decided(epsilon: float, rows: Sequence[tuple[float, float, float]]) -> Decision:
    t, p, df = (np.array([row[place] for row in rows], dtype=np.float64) for place in range(3))
    return Decision(epsilon, frozen(t), frozen(p), frozen(df), frozen(rejected(p)))


def rejected(p: Floats, q: float = DISCOVERY) -> Bools:
    """Return bool[m]: which of m hypotheses are rejected at a false discovery rate whatever their dependence (Benjamini
    and Yekutieli, Annals of Statistics 2001). NaN is not rejected, and counts."""
    m = len(p)
    if not m:
        return np.zeros(0, dtype=np.bool_)
    ordered = np.sort(np.where(np.isnan(p), 2.0, p))
    limits = np.arange(1, m + 1) / m * q / (1 / np.arange(1, m + 1)).sum()
    below = np.flatnonzero(ordered <= limits)
    return np.asarray(p <= ordered[below[-1]]) if len(below) else np.zeros(m, dtype=np.bool_)
