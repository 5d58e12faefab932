"""The causes of a run's loss: parts of the loss, kinds of failure and tags of one's own, each with its queries and its
share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.analysis.failures.kinds import KINDS
from irviewer.analysis.failures.losses import PART_TITLES, PARTS, RunLosses
from irviewer.analysis.failures.shares import random_sample, share_interval
from irviewer.model.arrays import Bools
from irviewer.model.failure_tags import FailureTag, Look
from irviewer.translation import tr

Group = Literal["part", "kind", "tag", "rest"]
UNTAGGED, UNSEEN = "untagged", "not_examined"
REST_TITLES = {UNTAGGED: tr("no tag"), UNSEEN: tr("not examined yet")}


@dataclass(frozen=True)
class Cause:
    """A cause with its queries and its share of the loss.

    group    "part": the parts add up to the whole, and a query counts where the part is the largest; "kind": one query
             can have several, and the share is the whole loss of these queries; "tag": likewise, of the queries looked
             at; "rest": queries examined that have no tag, and those that were not examined
    queries  how many
    share    of the loss of all queries; of tags and of queries without a tag, of the loss of the queries examined. NaN
             where nothing is lost
    low, high   the interval for the share of all queries, from those examined in a random order; NaN where these are
             too few
    """

    group: Group
    name: str
    title: str
    queries: int
    share: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True)
class RunCauses:
    """The causes of a run's loss over ``queries`` queries that have a value.

    loss, mean     the sum of the losses, and their mean
    looked         how many queries were examined, ``looked_share`` their share of the loss
    sample         how many of them are a random sample of all: the first ones of the random order of ``seed``
    texts          whether texts were there for near-duplicates
    """

    run: str
    queries: int
    loss: float
    mean: float
    looked: int
    looked_share: float
    sample: int
    seed: int
    causes: tuple[Cause, ...]
    texts: bool = True

    def cause(self, group: Group, name: str) -> Cause | None:
        """Return a cause; None where there is none of this name."""
        return next((each for each in self.causes if (each.group, each.name) == (group, name)), None)


def causes_of_run(
    losses: RunLosses,
    kinds: Bools,
    *,
    tags: Sequence[FailureTag] = (),
    looks: Mapping[str, Look] | None = None,
    seed: int = 42,
    within: Bools | None = None,
    cutoff: bool = True,
    baseline: bool = True,
    texts: bool = True,
) -> RunCauses:
    """Return the causes of a run's loss, without those kinds of failure that cannot be: of a baseline where there is
    none, of near-duplicates without texts.

    kinds    bool[K, Q] in the order of ``KINDS``
    within   bool[Q]: the queries that count; None: all
    cutoff   whether the measure has one: without, nothing is retrieved too low
    """
    looks = looks or {}
    counted = ~np.isnan(losses.total) if within is None else ~np.isnan(losses.total) & within
    total = np.where(counted, losses.total, 0.0)
    whole = float(total.sum())
    looked = np.array([query in looks for query in losses.query_ids], dtype=np.bool_) & counted
    looked_loss = float(total[looked].sum())

    def share(value: float, of: float) -> float:
        return value / of if of > 0 else math.nan

    causes: list[Cause] = []
    if losses.parts is not None:
        largest = losses.largest
        causes += [
            Cause("part", name, PART_TITLES[name], int(((largest == place) & counted).sum()),
                  share(float(losses.parts[place][counted].sum()), whole))
            for place, name in enumerate(PARTS)
            if cutoff or name != "too_low"
        ]  # fmt: skip
    for place, kind in enumerate(KINDS):
        if (kind.name == "baseline" and not baseline) or (kind.name == "duplicates" and not texts):
            continue
        has = kinds[place] & counted
        causes.append(Cause("kind", kind.name, kind.title, int(has.sum()), share(float(total[has].sum()), whole)))
    sample = np.empty(0, dtype=np.int64)
    if looks:
        inside = np.flatnonzero(counted)
        ids = [losses.query_ids[place] for place in inside.tolist()]
        sample = inside if looked[inside].all() else inside[random_sample(ids, looks, seed)]

    def of_looked(group: Group, name: str, title: str, has: Bools) -> Cause:
        low, high = share_interval(total[sample], has[sample], whole, int(counted.sum()))
        return Cause(group, name, title, int(has.sum()), share(float(total[has].sum()), looked_loss), low, high)

    for tag in tags:
        has = looked & np.array([tag.name in looks.get(query, Look()).tags for query in losses.query_ids], np.bool_)
        causes.append(of_looked("tag", tag.name, tag.name, has))
    if looked.any():
        has = looked & np.array([not looks.get(query, Look()).tags for query in losses.query_ids], np.bool_)
        causes.append(of_looked("rest", UNTAGGED, REST_TITLES[UNTAGGED], has))
    if tags or looked.any():
        unseen = counted & ~looked
        causes.append(Cause("rest", UNSEEN, REST_TITLES[UNSEEN], int(unseen.sum()),
                            share(float(total[unseen].sum()), whole)))  # fmt: skip
    n = int(counted.sum())
    return RunCauses(
        losses.run, n, whole, whole / n if n else math.nan, int(looked.sum()), share(looked_loss, whole),
        len(sample), seed, tuple(causes), texts,
    )  # fmt: skip
