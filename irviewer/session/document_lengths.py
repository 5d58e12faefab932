"""Measures that ask how long documents are, and the collection's documents that say it. Knows no run."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.model.document_lengths import Lengths
from irviewer.model.workspace import Collection, RunEntry
from irviewer.session.evaluation_cache import Pair

if TYPE_CHECKING:
    from irviewer.session.context import Scene


def needs_lengths(measure: Measure) -> bool:
    """Whether a measure, or a part of an expression, counts what is read."""
    parts = measure.parts if isinstance(measure, Expression) else (measure,)
    return any(one.family.parameter("budget") is not None for one in parts)


def lengths_of(collection: Collection) -> Lengths | None:
    """How long the collection's documents are: one value for one table, so that numbers made with it are found again;
    None where it has no documents."""
    return None if collection.documents is None else collection.documents.lengths


def pairs_of(
    scene: Scene, measures: Iterable[Measure], runs: Iterable[RunEntry] | None = None
) -> list[tuple[Pair, tuple[Measure, ...]]]:
    """What is to be computed of runs of a scene (None: all): pairs, each with those of the measures computed on it."""
    found: dict[tuple[Hashable, ...], tuple[Pair, list[Measure]]] = {}
    every = tuple(dict.fromkeys(measures))
    for entry in scene.collection.runs if runs is None else runs:
        for one in every:
            pair = scene.pair(entry, one)
            if pair is not None:
                found.setdefault(pair.key, (pair, []))[1].append(one)
    return [(pair, tuple(several)) for pair, several in found.values()]
