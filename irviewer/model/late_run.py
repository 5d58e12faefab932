"""A run whose documents are put in rank order once they are asked for, as of a block that is evaluated and given up:
the join with qrels asks for the ranks of few."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irviewer.model.arrays import Floats, Ints, Strings, frozen, ids_in_order, numbers_in_order
from irviewer.model.cut_texts import CutTexts, whole
from irviewer.model.matching.id_lookup import IdLookup
from irviewer.model.rankings.duplicates import Hashes
from irviewer.model.rankings.tie_breaking import Ranking
from irviewer.model.run import Run
from irviewer.model.shapes import check_groups


@dataclass(frozen=True, eq=False)
class _Listed:
    """Documents in the order of the file, their ``tails``, and their ranking."""

    doc_ids: Strings | CutTexts
    tails: Hashes
    ranking: Ranking


class LateRun(Run):
    """A run with documents in the order of the file; in rank order, as other runs, if it is made of another run, as by
    ``reordered``."""

    _listed: _Listed | None

    def __init__(self, *arguments: Any, listed: _Listed | None = None, **options: Any) -> None:
        vars(self)["_listed"] = listed
        super().__init__(*arguments, **options)

    @classmethod
    def of_listed(
        cls, ranking: Ranking, query_ids: tuple[str, ...], doc_ids: Strings | CutTexts, scores: Floats,
        tails: Hashes, *, name: str, tag: str, origin: str, attributes: Mapping[str, Any] | None = None,
    ) -> LateRun:  # fmt: skip
        """Return a run as ``from_ranking`` does, of read-only scores; ``tails`` are hashes of the ids, as from the
        function of this name."""
        return cls(
            name, query_ids, ranking.offsets, doc_ids,
            numbers_in_order(scores, ranking.changes) if ranking.moved else scores, ranking.tied, tag, origin,
            attributes, arrival=ranking.arrival, listed=_Listed(doc_ids, tails, ranking),
        )  # fmt: skip

    def __post_init__(self) -> None:
        if self._listed is None:
            super().__post_init__()
            return
        doc_ids = vars(self).pop("doc_ids")
        for column in (self.offsets, self.scores, self.tied):
            frozen(column)
        check_groups(f"run {self.name}", self.query_ids, self.offsets, doc_ids, {"score": self.scores})

    @cached_property
    def doc_ids(self) -> Strings:
        """The documents in rank order."""
        assert self._listed is not None
        doc_ids, ranking = whole(self._listed.doc_ids), self._listed.ranking
        return ids_in_order(doc_ids, ranking.parts) if ranking.moved else doc_ids

    def rows_in(self, lookup: IdLookup) -> tuple[Ints, Ints]:
        """Return the same as of other runs, without the documents in rank order if nothing else needs them."""
        listed = self._listed
        if listed is None:
            return super().rows_in(lookup)
        rows, documents = lookup.rows_in(listed.doc_ids, listed.tails)
        if not listed.ranking.moved:
            return rows, documents
        rank = np.arange(len(self))
        for places, moved in listed.ranking.changes:
            rank[moved] = np.arange(places.start, places.stop) if isinstance(places, slice) else places
        ranks = rank[rows]
        order = ranks.argsort()
        return ranks[order], documents[order]
