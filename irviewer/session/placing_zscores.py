"""Where a file of means for Z-scores belongs: the collection whose queries it names. Frozen workspace in and out."""

from __future__ import annotations

from dataclasses import replace

from irviewer.errors import name_some
from irviewer.model.workspace import Collection
from irviewer.model.zscores import ZScores
from irviewer.session.loading import ReadFile
from irviewer.session.messages import info, warning
from irviewer.session.placed import Placed, same_file


def place_zscores(placed: Placed, current: int, file: ReadFile) -> None:
    """Put means and deviations where most of their queries are judged, the nearest collection first; a message says so,
    or that there is none."""
    zscores = file.loaded.value
    assert isinstance(zscores, ZScores)
    order = placed.order(current)
    shared = {place: _shared(placed.workspace.collections[place], zscores) for place in order}
    again = [place for place in order if _is_there(placed.workspace.collections[place], zscores)]
    best = again[0] if again else max(order, key=shared.__getitem__, default=-1)  # of equals the first: the nearest
    if best < 0 or not (again or shared[best]):
        told = f"{zscores.name} has means for Z-scores of queries that no open judgments have: it was left out"
        placed.messages.append(warning(told, f"its queries: {name_some(sorted(zscores.query_ids))}"))
        return
    placed.put(best, replace(placed.workspace.collections[best], zscores=zscores))
    if not again and file.request.kind is None:
        count = f"{len(zscores.measures):,} measure{'' if len(zscores.measures) == 1 else 's'}"
        message = info(f"{zscores.name}: means and deviations of {count}, by which values can be Z-scores")
        placed.messages.append(replace(message, action="as_zscores"))


def _shared(collection: Collection, zscores: ZScores) -> int:
    return max((len(zscores.query_ids & one.qrels.query_index.keys()) for one in collection.judgments), default=0)


def _is_there(collection: Collection, zscores: ZScores) -> bool:
    return collection.zscores is not None and same_file(collection.zscores.origin, zscores.origin)
