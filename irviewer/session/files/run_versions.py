"""Versions of a run whose file changed: what its mean was, and which queries moved.

Knows runs and qrels, no file and no session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import format_value
from irviewer.measures.base import Measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection
from irviewer.translation import decimal, tr, trn

VERSIONS = "versions"
"""The key of the versions in a collection's notes: key of a run -> its versions, the oldest first."""
MOST_VERSIONS = 50
"""The number of versions that are kept of a run; the oldest are left out."""
SEEN = 5e-5
"""Values that are the same in four decimals did not move, as in the tables."""


@dataclass(frozen=True)
class RunVersion:
    """One version of a run.

    when     the time of the file, ISO 8601 in UTC; "" if unknown
    measure  the measure that was selected when the next version was read
    mean     its mean over all queries, NaN without values
    queries  the number of these queries
    """

    when: str
    measure: str
    mean: float
    queries: int


@dataclass(frozen=True)
class RunChange:
    """The difference between two versions of a run, in one measure.

    moved   (query, value before, value after), the largest change first; queries that one version lacks count as in
            the mean
    """

    run: str
    measure: Measure
    before: RunVersion
    after: RunVersion
    moved: tuple[tuple[str, float, float], ...]

    @property
    def fallen(self) -> tuple[str, ...]:
        """The queries whose value became worse, the largest change first."""
        return tuple(query for query, before, after in self.moved if self._is_worse(before, after))

    @property
    def risen(self) -> tuple[str, ...]:
        """The queries whose value became better, the largest change first."""
        return tuple(query for query, before, after in self.moved if not self._is_worse(before, after))

    def _is_worse(self, before: float, after: float) -> bool:
        return after < before if self.measure.higher_is_better else after > before

    @property
    def text(self) -> str:
        """The change in one line: ``bm25: AP .3767 → .3577; 12 queries fell, 3 rose.``"""
        before, after = (format_value(self.measure, version.mean) for version in (self.before, self.after))
        return trn(
            "{run} was read again: {measure} {before} → {after}; {n:,} query fell, {risen:,} rose.",
            "{run} was read again: {measure} {before} → {after}; {n:,} queries fell, {risen:,} rose.",
            len(self.fallen), run=self.run, measure=self.before.measure, before=before, after=after,
            risen=len(self.risen),
        )  # fmt: skip

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each query that moved."""
        rows = []
        for query, before, after in self.moved:
            old, new = format_value(self.measure, before), format_value(self.measure, after)
            rows.append(f"{query}: {old} → {new}")
        return tuple(rows)


def run_change(
    name: str, before: tuple[Run, str], after: tuple[Run, str], qrels: Qrels, measure: Measure,
    options: EvaluationOptions,
) -> RunChange:  # fmt: skip
    """Return the change between two versions of a run, each with the time of its file."""
    runs = [before[0].renamed("before"), after[0].renamed("after")]
    table = evaluate(qrels, runs, [measure], options).having([measure], 2)
    values = table.values[0]
    old, new = values
    both = np.isfinite(old) & np.isfinite(new)
    size = np.where(both, np.abs(np.where(both, new, 0) - np.where(both, old, 0)), 0)
    rows = [int(row) for row in np.argsort(-size, kind="stable") if size[row] >= SEEN]
    former, present = (
        RunVersion(when, str(measure), float(table.means[0, number]), int(np.isfinite(values[number]).sum()))
        for number, (_, when) in enumerate((before, after))
    )
    return RunChange(
        name,
        table.measures[0],
        former,
        present,
        tuple((table.query_ids[row], float(old[row]), float(new[row])) for row in rows),
    )


def versions_of(collection: Collection, key: int) -> tuple[RunVersion, ...]:
    """Return the versions of a run, the oldest first; empty if its file never changed."""
    versions: Mapping[int, tuple[RunVersion, ...]] = collection.notes.get(VERSIONS, {})
    return versions.get(key, ())


def with_change(collection: Collection, key: int, change: RunChange) -> Collection:
    """Return the collection with the versions of a change added to those of a run."""
    former = versions_of(collection, key)
    if former and former[-1].when == change.before.when:
        former = former[:-1]  # the same version, in the measure of now
    versions = (*former, change.before, change.after)[-MOST_VERSIONS:]
    return replace(
        collection, notes={**collection.notes, VERSIONS: {**collection.notes.get(VERSIONS, {}), key: versions}}
    )


def version_lines(versions: Sequence[RunVersion]) -> tuple[str, ...]:
    """Return a line for each version, the newest first: time, measure, mean, queries."""
    return tuple(
        trn(
            "{when}: {measure} {mean}, {n:,} query", "{when}: {measure} {mean}, {n:,} queries", version.queries,
            when=version.when[:19].replace("T", " ") or tr("time unknown"), measure=version.measure,
            mean="–" if np.isnan(version.mean) else decimal(f"{version.mean:.4f}"),
        )
        for version in reversed(versions)
    )  # fmt: skip


def versions_data(collection: Collection) -> dict[str, list[list[Any]]]:
    """Return the versions as JSON values: key of the run -> [time, measure, mean or None, queries] …"""
    return {
        str(key): [
            [version.when, version.measure, None if np.isnan(version.mean) else version.mean, version.queries]
            for version in versions
        ]
        for key, versions in collection.notes.get(VERSIONS, {}).items()
        if collection.run(key) is not None
    }


def with_versions(collection: Collection, data: Mapping[str, Sequence[Sequence[Any]]]) -> Collection:
    """Return the collection with the versions of such values."""
    versions = {
        int(key): tuple(
            RunVersion(when, measure, float("nan") if mean is None else float(mean), int(queries))
            for when, measure, mean, queries in rows
        )
        for key, rows in data.items()
    }
    return replace(collection, notes={**collection.notes, VERSIONS: versions})
