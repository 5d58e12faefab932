"""Where a qrels patch belongs: over the judgments that it was made of. Frozen workspace in, frozen workspace out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from irviewer.model.overlay import Overlay, PatchRow
from irviewer.model.qrels import Qrels
from irviewer.session.loading import ReadPatch
from irviewer.session.messages import error, info
from irviewer.session.placed import Placed


def place_patch(placed: Placed, current: int, patch: ReadPatch) -> None:
    """Lay the judgments of a patch over those of the nearest collection that has its queries: over the set whose grades
    are those that the patch says were there before. A message says so, or that there is none."""
    name = Path(patch.request.path).name
    queries = {row.judgment.query_id for row in patch.rows}
    for place in placed.order(current):
        collection = placed.workspace.collections[place]
        sets = list(collection.judgments)
        fits = [(_agreement(one.read, patch.rows), len(queries & one.read.query_index.keys())) for one in sets]
        if not sets or not max(fits)[1]:
            continue
        number = fits.index(max(fits))
        merged = Overlay.of([*sets[number].overlay, *(row.judgment for row in patch.rows)])
        sets[number] = sets[number].with_overlay(merged)
        placed.put(place, replace(collection, judgments=tuple(sets)))
        count = "1 judgment" if len(patch.rows) == 1 else f"{len(patch.rows):,} judgments"
        placed.messages.append(info(f"{name} is a qrels patch: {count} of it lie over {sets[number].name}"))
        return
    told = f"{name} is a qrels patch, judgments to be laid over qrels: open those first, then {name} again"
    placed.messages.append(error(told, f"no open qrels have one of its {len(queries):,} queries"))


def _agreement(qrels: Qrels, rows: tuple[PatchRow, ...]) -> float:
    """The share of the patch's rows of which the qrels say what it says was there."""
    same = sum(qrels.judgments(row.judgment.query_id).get(row.judgment.doc_id) == row.former for row in rows[:1000])
    return same / max(1, min(1000, len(rows)))
