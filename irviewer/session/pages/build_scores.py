"""The score of a document in each run and the parts that the run's file gives of it, by name: for the document card and
for what stands under the pointer. Look-ups of one document; draws nothing."""

from __future__ import annotations

import math

from irviewer.model.run import Run
from irviewer.session.pages.query import ScoreRow
from irviewer.session.scene import Scene


def score_rows(scene: Scene, ranks: dict[int, int], query_id: str) -> tuple[ScoreRow, ...]:
    """A row for each shown run that returned the document at its rank in ``ranks`` (by the run's key, 0: not), in the
    person's order; none where no run's file says more than a score."""
    entries = [entry for entry in scene.shown_runs if ranks.get(entry.key)]
    if not any(entry.run.components for entry in entries):
        return ()
    return tuple(ScoreRow(scene.labels[entry.key], *_score(entry.run, query_id, ranks[entry.key])) for entry in entries)


def score_words(run: Run, query_id: str, rank: int) -> str:
    """``score 7.31 · bm25 5.2 · recency 0.4`` of the document at a rank, "" where there is none."""
    if not 1 <= rank <= run.returned(query_id):
        return ""
    score, parts = _score(run, query_id, rank)
    return " · ".join(f"{name} {number(value)}" for name, value in (("score", score), *parts))


def number(value: float) -> str:
    """A score as a person reads it: six digits, "–" for none."""
    return "–" if math.isnan(value) else f"{value:.6g}"


def _score(run: Run, query_id: str, rank: int) -> tuple[float, tuple[tuple[str, float], ...]]:
    row = int(run.offsets[run.query_index[query_id]]) + rank - 1
    return float(run.scores[row]), tuple((name, float(values[row])) for name, values in run.components.items())
