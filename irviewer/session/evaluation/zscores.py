"""A scene whose numbers are Z-scores: deviations from the means of reference runs, where a person wants to see those.

Knows scenes and what a file of means says; no page, no file."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from irviewer.evaluation.zscores import has_zscore, reference_of
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, frozen
from irviewer.model.workspace import RunEntry
from irviewer.model.zscores import ZScores
from irviewer.session.evaluation.context import Scene


class ZScene(Scene):
    """The same choices; values of queries are Z-scores, and so is what is averaged of them. Counts of queries stay."""

    @property
    def zscores(self) -> ZScores:
        """The means and deviations of reference runs."""
        assert self.collection.zscores is not None
        return self.collection.zscores

    def values(self, entry: RunEntry, measure: Measure) -> Floats:
        """float64[E]; NaN as well for queries without a mean, and for geometric means, which have no value by query."""
        values, pair = super().values(entry, measure), self.pair(entry, measure)
        if pair is None or not has_zscore(measure):
            return values
        key = ("z-scores", self.zscores, measure.text, measure.asked)
        return self.evaluation.kept(pair, key, lambda: frozen(self.scored(measure, values)))

    def mean(self, entry: RunEntry, measure: Measure) -> float:
        """Over the queries of the set in force that have a Z-score."""
        return self.mean_over(entry, measure, self.within) if has_zscore(measure) else super().mean(entry, measure)

    def mean_over(self, entry: RunEntry, measure: Measure, within: Bools | None) -> float:
        """NaN where no query has a Z-score, of sums of them too."""
        found = super().mean_over(entry, measure, within)
        if not has_zscore(measure):
            return found
        counted = self.counted(entry, measure)
        return found if counted is not None and (counted if within is None else counted & within).any() else np.nan

    def counted(self, entry: RunEntry, measure: Measure) -> Bools | None:
        """The queries that have a Z-score: a query that reference runs say nothing of has none."""
        counted = super().counted(entry, measure)
        if counted is None or not has_zscore(measure):
            return counted
        return counted & ~np.isnan(self.values(entry, measure))

    def scored(self, measure: Measure, values: Floats) -> Floats:
        """float64[E]: values of a measure as Z-scores."""
        if not has_zscore(measure):
            return values
        if measure.aggregate == "geometric":
            return np.full(len(values), np.nan)
        said, ids, level = self.zscores, self.query_ids, self.options.level
        reference, _ = self.evaluation.shared(
            ("means for Z-scores", id(said), id(ids), measure.text, measure.asked, level),
            lambda: (reference_of(said, measure, ids, level), (said, ids)),
        )
        return said.scored(values, *reference)

    @property
    def values_caveat(self) -> str:
        """That these are Z-scores, and of how many there are none."""
        text = f"values are Z-scores: deviations from the means in {self.zscores.name}"
        mean, _ = reference_of(self.zscores, self.measure, self.query_ids, self.options.level)
        lacking = int(np.count_nonzero(np.isnan(mean)))
        if not lacking or not has_zscore(self.measure):
            return text
        if lacking == len(mean):
            return f"{text}, which has none of {self.measure}"
        return f"{text}, which lacks {lacking:,} {'query' if lacking == 1 else 'queries'} of {self.measure}"


def zscored(scene: Scene) -> Scene:
    """The scene with Z-scores for values where the choices want them and there are means; else as it is."""
    if not scene.choices.zscores or scene.collection.zscores is None or scene.judgments is None:
        return scene
    return ZScene(**{one.name: getattr(scene, one.name) for one in fields(scene)})


def plain(scene: Scene) -> Scene:
    """The scene with the values that the measures give, for what explains those."""
    if not isinstance(scene, ZScene):
        return scene
    return Scene(**{one.name: getattr(scene, one.name) for one in fields(scene)})


def told_zscore(scene: Scene, key: int | None, measure: Measure, query: str = "") -> tuple[str, ...]:
    """How the Z-score of a query, or with "" a mean, that tables show follows from what is explained; nothing where
    they show that itself."""
    entry = None if key is None else scene.collection.run(key)
    if not isinstance(scene, ZScene) or entry is None or not has_zscore(measure):
        return ()
    shown = scene.mean(entry, measure) if not query else float("nan")
    if not query:
        said = "none" if np.isnan(shown) else f"{shown:.4f}"
        return (f"Tables show the mean of Z-scores, {said}; explained is that of the values themselves.",)
    place = scene.query_index.get(query)
    if place is None:
        return ()
    means, deviations = reference_of(scene.zscores, measure, (query,), scene.options.level)
    mean, deviation, shown = float(means[0]), float(deviations[0]), float(scene.values(entry, measure)[place])
    if np.isnan(shown):
        return (f"Tables show no Z-score: {scene.zscores.name} has none for this value.",)
    own = float(plain(scene).values(entry, measure)[place])
    return (f"As a Z-score: ({own:.4f} − {mean:.4f}) ÷ {deviation:.4f} = {shown:.4f}.",)


def zscores_of(scene: Scene) -> ZScores | None:
    """What its values are Z-scores by; None where they are none."""
    return scene.zscores if isinstance(scene, ZScene) else None


def is_zscored(scene: Scene, measure: Measure) -> bool:
    """True where a scene's values of a measure are Z-scores."""
    return isinstance(scene, ZScene) and has_zscore(measure)


def called(scene: Scene, measure: Measure, text: str = "") -> str:
    """What a measure's values are called in a scene: its text, or another name for it; ``Z(…)`` for Z-scores."""
    text = text or str(measure)
    return f"Z({text})" if is_zscored(scene, measure) else text
