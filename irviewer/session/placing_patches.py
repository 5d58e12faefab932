"""Where a qrels patch belongs: over the judgments that it was made of. Frozen workspace in, frozen workspace out."""

from __future__ import annotations

from pathlib import Path

from irviewer.model.overlay import PatchRow
from irviewer.model.qrels import Qrels
from irviewer.session.loading import ReadPatch
from irviewer.session.messages import error
from irviewer.session.placed import Placed, PlacedPatch


def place_patch(placed: Placed, current: int, patch: ReadPatch) -> None:
    """Find the nearest collection that has the queries of a patch, and in it the set whose grades are those that the
    patch says were there before: it is to be laid over that. A message says where there is none."""
    name = Path(patch.request.path).name
    queries = {row.judgment.query_id for row in patch.rows}
    for place in placed.order(current):
        collection = placed.workspace.collections[place]
        sets = collection.judgments
        fits = [(_agreement(one.read, patch.rows), len(queries & one.read.query_index.keys())) for one in sets]
        if not sets or not max(fits)[1]:
            continue
        number = fits.index(max(fits))
        placed.patches.append(PlacedPatch(patch, collection.identity, sets[number].identity))
        return
    told = f"{name} is a qrels patch, judgments to be laid over qrels: open those first, then {name} again"
    placed.messages.append(error(told, f"no open qrels have one of its {len(queries):,} queries"))


def _agreement(qrels: Qrels, rows: tuple[PatchRow, ...]) -> float:
    """The share of the patch's rows of which the qrels say what it says was there."""
    same = sum(qrels.judgments(row.judgment.query_id).get(row.judgment.doc_id) == row.former for row in rows[:1000])
    return same / max(1, min(1000, len(rows)))
