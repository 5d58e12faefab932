"""What the values, ranks and order of runs would be, had a run, or a family of runs, not contributed to the pool.

Zobel, How reliable are the results of large-scale information retrieval experiments?, SIGIR 1998; by family Buckley,
Dimmick, Soboroff and Voorhees, Bias and the limits of pooling, Information Retrieval 10, 2007. The judged documents
among the first ``depth`` of no other contribution are removed, and every run is scored again: what is removed is
unjudged then, and norms are those of the judgments left.

Runs that found the same judged documents are one contribution: without one of them the others would still have it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from irviewer.analysis.pooling.contributions import contributions, means_without, ranks_of_means, same_contributions
from irviewer.analysis.pooling.judged_without import reduced_qrels
from irviewer.analysis.similarity.rank_correlation import tau_b
from irviewer.analysis.statistics.significance.resampling import without_rounding
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints, distinct, frozen, group_of_each
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

Judgments = Literal["all", "pool"]
JUDGMENTS: tuple[Judgments, ...] = get_args(Judgments)


@dataclass(frozen=True, eq=False)
class Contribution:
    """What is left out together.

    kind      "run" or "family"
    name      of the family, or of its runs
    runs      the places of its runs
    pairs     the documents in the lists of its runs down to the depth, each counted once a query
    judged    of these
    unique    of these, in no other contribution
    relevant  of these, relevant
    emptied   queries without a relevant document, once the unique ones are removed
    """

    kind: Literal["run", "family"]
    name: str
    runs: tuple[int, ...]
    pairs: int
    judged: int
    unique: int
    relevant: int
    emptied: int


@dataclass(frozen=True, eq=False)
class Reuse:
    """What leaving out does to N runs: M measures, U contributions.

    depth, judgments  the ranks that a run contributes; None: all. Of which judgments: all, or those of the pool that
                      the runs make at this depth
    means             float64[M, N], with all contributions; ``ranks`` int64[M, N], 1 the best, equal means share one
    without           float64[M, U, N], without each; ``ranks_without`` int64[M, U, N]
    tau_all           float64[M, U]: tau-b of the order of all runs with and without; ``tau_others`` of the runs that
                      stay; NaN where a side has no order
    own_tau           by kind, float64[M]: tau-b of the means with all contributions and those of every run without its
                      own
    """

    measures: tuple[Measure, ...]
    names: tuple[str, ...]
    depth: int | None
    judgments: Judgments
    contributions: tuple[Contribution, ...]
    means: Floats
    ranks: Ints
    without: Floats
    ranks_without: Ints
    tau_all: Floats
    tau_others: Floats
    own_tau: Mapping[str, Floats]

    def of(self, run: int, kind: str) -> int:
        """Return the place of the contribution of a run."""
        return next(n for n, each in enumerate(self.contributions) if each.kind == kind and run in each.runs)


def _tau(before: Floats, after: Floats) -> float:
    """Return the correlation of the orders of the runs that have means, of those that have what a measure reads."""
    known = ~np.isnan(before)
    return tau_b(without_rounding(before[known]), without_rounding(after[known]))


def reuse(
    qrels: Qrels,
    runs: Sequence[Run],
    measures: Sequence[str | Measure],
    options: EvaluationOptions | None = None,
    *,
    depth: int | None = None,
    families: Sequence[str] | None = None,
    judgments: Judgments = "all",
    progress: Callable[[float], None] | None = None,
) -> Reuse:
    """Leave out each run, and each family of runs, and score all runs again.

    depth      the ranks that each run contributes; None: all
    families   the family of each run, as it was declared; None: none are left out. "" is a run without one, which
               is a family of its own
    judgments  "pool" takes only the judgments of documents that a run returned down to the depth

    Raises OptionError, MeasureError."""
    options = options or EvaluationOptions()
    returned = contributions(qrels, runs, options, depth).found
    if judgments == "pool":
        pooled = np.asarray(returned.any(axis=0))
        qrels, returned = reduced_qrels(qrels, pooled), returned[:, pooled]
    grouped = [("run", group) for group in same_contributions(returned)]
    if families is not None:
        grouped += [("family", group) for group in _families(families)]
    by_unit = np.array([returned[list(group)].any(axis=0) for _, group in grouped]).reshape(len(grouped), len(qrels))
    unique = np.zeros_like(by_unit)
    for kind in ("run", "family"):
        of_kind = np.array([each == kind for each, _ in grouped], dtype=np.bool_)
        unique[of_kind] = by_unit[of_kind] & (by_unit[of_kind].sum(axis=0) == 1)
    scored = means_without(qrels, runs, measures, unique, options, progress=progress)
    judged = np.asarray(qrels.grades >= 0)  # documents that a sample left out are in the pool, and not judged
    relevant = np.asarray((qrels.grades >= options.level) & judged)
    units = tuple(
        Contribution(
            "run" if kind == "run" else "family",
            _name(kind, group, runs, families), group, _pairs([runs[place] for place in group], qrels, depth),
            int((by_unit[n] & judged).sum()), int((unique[n] & judged).sum()), int((unique[n] & relevant).sum()),
            _emptied(qrels, relevant & ~unique[n]),
        )
        for n, (kind, group) in enumerate(grouped)
    )  # fmt: skip
    ranks = ranks_of_means(scored.measures, scored.means)
    ranks_without = np.stack([ranks_of_means(scored.measures, scored.without[:, n]) for n in range(len(units))], axis=1)
    tau_all, tau_others = np.full((2, len(scored.measures), len(units)), np.nan)
    for m in range(len(scored.measures)):
        for n, unit in enumerate(units):
            others = np.array([place not in unit.runs for place in range(len(runs))], dtype=np.bool_)
            before, after = scored.means[m], scored.without[m, n]
            tau_all[m, n], tau_others[m, n] = _tau(before, after), _tau(before[others], after[others])
    own_tau = {}
    for kind in dict.fromkeys(kind for kind, _ in grouped):
        own = np.zeros_like(scored.means)
        for n, (each, group) in enumerate(grouped):
            if each == kind:
                own[:, list(group)] = scored.without[:, n, list(group)]
        own_tau[kind] = np.array([_tau(before, after) for before, after in zip(scored.means, own, strict=True)])
    return Reuse(
        scored.measures, tuple(run.name for run in runs), depth, judgments, units, scored.means, frozen(ranks),
        scored.without, frozen(ranks_without), frozen(tau_all), frozen(tau_others), own_tau,
    )  # fmt: skip


def _families(families: Sequence[str]) -> list[tuple[int, ...]]:
    groups: dict[tuple[str, int], list[int]] = {}
    for place, family in enumerate(families):
        groups.setdefault((family, -1 if family else place), []).append(place)
    return [tuple(group) for group in groups.values()]


def _name(kind: str, group: Sequence[int], runs: Sequence[Run], families: Sequence[str] | None) -> str:
    if kind == "family" and families is not None and families[group[0]]:
        return families[group[0]]
    return ", ".join(sorted(runs[place].name for place in group))


def _pairs(runs: Sequence[Run], qrels: Qrels, depth: int | None) -> int:
    """Return how many documents of judged queries the runs return, each once a query."""
    return sum(
        len({document for run in runs if query in run.query_index for document in run.ranking(query, depth)})
        for query in qrels.query_ids
    )


def _emptied(qrels: Qrels, relevant: Bools) -> int:
    """Return the number of queries without a relevant judgment."""
    return len(qrels.query_ids) - len(distinct(group_of_each(qrels.offsets)[relevant]))
