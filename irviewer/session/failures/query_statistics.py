"""What all runs of a scene's collection say of each query: median, mean, which queries tell runs apart. Knows a scene,
computes by ``analysis.statistics.query_statistics``."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from irviewer.analysis.statistics.query_statistics import LEAST_RUNS, QueryStatistics, query_statistics
from irviewer.model.arrays import Floats

if TYPE_CHECKING:
    from irviewer.session.evaluation.context import Scene


def field_of(scene: Scene) -> QueryStatistics | None:
    """What all runs say of each of the E queries; kept. None without judgments, or runs."""
    judgments, runs = scene.judgments, scene.collection.runs
    if judgments is None or not runs:
        return None
    held = (judgments.qrels.grades, scene.collection.documents, *(entry.run.scores for entry in runs))
    key = ("field", str(scene.measure), scene.options, scene.query_set, *map(id, held))
    return scene.evaluation.shared(key, lambda: (_computed(scene), held))[0]


def _computed(scene: Scene) -> QueryStatistics:
    """Statistics of the E queries over all runs in the chosen measure; of those outside the set in force NaN, and no
    other query is compared with them."""
    values = np.array([scene.values(entry, scene.measure) for entry in scene.collection.runs])
    never = np.array([scene.unreached[entry.key] for entry in scene.collection.runs])
    within = scene.within
    found = query_statistics(
        values if within is None else values[:, within], higher_is_better=scene.measure.higher_is_better,
        geometric=scene.geometric, unreached=never if within is None else never[:, within],
    )  # fmt: skip
    if within is None:
        return found
    whole: dict[str, Any] = {}
    for one in fields(found):
        part = getattr(found, one.name)
        if isinstance(part, np.ndarray):
            whole[one.name] = np.full(len(within), 0 if part.dtype.kind == "i" else np.nan, part.dtype)
            whole[one.name][within] = part
    return replace(found, **whole)


def has_median(scene: Scene) -> bool:
    """Whether there are runs enough for their median to be a yardstick, and one to measure."""
    return scene.judgments is not None and len(scene.collection.runs) >= LEAST_RUNS and bool(scene.shown)


def focus_from_median(scene: Scene) -> Floats:
    """float64[E]: the focus (without one, the first shown run) less the median of all runs, where the mean is geometric
    the logarithm of their ratio; NaN without a median."""
    entry = scene.collection.run(scene.shown[0] if scene.focus is None else scene.focus) if scene.shown else None
    field = field_of(scene)
    if entry is None or field is None or not has_median(scene):
        return np.full(len(scene.query_ids), np.nan)
    return np.asarray(scene.levels(scene.values(entry, scene.measure)) - scene.levels(field.median))


def median_label(scene: Scene) -> str:
    """What a difference from the median compares: ``english − median of 15 runs``."""
    key = scene.shown[0] if scene.focus is None else scene.focus
    return f"{scene.labels[key].name} {'÷' if scene.geometric else '−'} median of {len(scene.collection.runs)} runs"
