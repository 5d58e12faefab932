"""How the shown runs build the pool of a query: who contributed which document at which rank, and what is outside."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.pooling.depth_k import DepthPool, depth_pool
from irviewer.model.arrays import Floats, frozen
from irviewer.rendering.run_label import RunLabel
from irviewer.tables.table import Table
from irviewer.translation import tr, trn
from irviewer.views.pool_building import pool_table

if TYPE_CHECKING:
    from irviewer.session.evaluation.context import EvaluationContext

DEEPEST = 10
"""Sizes of the pool are listed down to this depth."""


@dataclass(frozen=True, eq=False)
class PoolBuilding:
    """The pool of a query from the shown runs, down to the cutoff.

    grades    float64[D] of ``pool.documents``; NaN where nobody judged the document
    level     the lowest relevant grade
    longest   the number of documents of the longest list
    """

    query_id: str
    runs: tuple[RunLabel, ...]
    pool: DepthPool
    grades: Floats
    level: float
    longest: int

    @property
    def summary(self) -> str:
        """Return the size of the pool and its limit, as a sentence."""
        return trn(
            "Depth {depth:,}: {n:,} document, of at most {depth:,} × {runs:,} = {most:,}.",
            "Depth {depth:,}: {n:,} documents, of at most {depth:,} × {runs:,} = {most:,}.",
            self.pool.size,
            depth=self.pool.depth,
            runs=len(self.runs),
            most=self.pool.most,
        )

    @property
    def relevant(self) -> str:
        """Return how many of the relevant documents in these lists are in the pool, as a sentence; "" without any."""
        is_relevant = np.asarray(self.grades >= self.level)
        count = int(is_relevant.sum())
        if not count:
            return ""
        pooled = int((is_relevant & self.pool.pooled).sum())
        if pooled == count:
            return trn("The relevant document in the lists is in the pool.",
                       "All {n:,} relevant documents in the lists are in the pool.", count)  # fmt: skip
        return trn(
            "{n:,} of {count:,} relevant documents in the lists is in the pool; the others stay unjudged.",
            "{n:,} of {count:,} relevant documents in the lists are in the pool; the others stay unjudged.",
            pooled,
            count=count,
        )

    @property
    def sizes(self) -> str:
        """Return the size of the pool at each depth, as text: ``1: 2 · 2: 3``."""
        deepest = max(1, min(self.longest, DEEPEST))
        sizes = self.pool.sizes(deepest)
        pairs = " · ".join(f"{depth}: {size}" for depth, size in enumerate(sizes.tolist(), start=1))
        return tr("Documents in the pool by depth: {pairs}", pairs=pairs)

    @property
    def table(self) -> Table:
        """The documents with their ranks."""
        return pool_table(self.pool, [label.whole_name for label in self.runs], self.grades)


def build_pool_building(context: EvaluationContext, query: str) -> PoolBuilding | None:
    """Return how the shown runs build the pool of a query; None if none of them returned documents for it."""
    lists = [tuple(entry.run.ranking(query)) for entry in context.shown_runs]
    if not any(lists):
        return None
    judged = {} if context.judgments is None else context.judgments.qrels.judgments(query)
    pool = depth_pool(lists, context.cutoff)
    return PoolBuilding(
        query,
        tuple(context.labels[entry.key] for entry in context.shown_runs),
        pool,
        frozen(np.array([judged.get(document, math.nan) for document in pool.documents], dtype=np.float64)),
        context.options.level,
        max(len(documents) for documents in lists),
    )
