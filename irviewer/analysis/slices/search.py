"""Search for the slices on which a run loses most against another. One half of the queries is searched, and the slices
found are tested on the other half, which did not influence the search (Cox, A note on data-splitting for the evaluation
of significance levels, Biometrika 1975). The results are exploratory nevertheless."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.analysis.slices.interaction import Interaction, interaction
from irviewer.analysis.slices.slices import LEAST_QUERIES, SliceRow, compare_at, of_slices, row_of, with_correction
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS, corrected
from irviewer.analysis.statistics.significance.resampling import SEED
from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Ints
from irviewer.model.attributes.queries import Slicing
from irviewer.translation import tr, trn

MOST_FOUND = 5
ALIKE = 0.5
"""Of two slices that share more than this of their queries (Jaccard) only the better one is kept."""


@dataclass(frozen=True, eq=False)
class FoundSlice:
    """A slice that the search found.

    parts     (attribute, slice) pairs, one or two
    searched  the mean difference on the searched half, and its number of queries
    tested    the slice's row on the other half; p corrected over the slices found
    elsewhere whether the difference is not the same as on the other queries of this half (corrected over the slices
    found): a run may be better in the slice and yet gain least there
    """

    parts: tuple[tuple[str, str], ...]
    name: str
    searched: float
    searched_n: int
    tested: SliceRow
    elsewhere: Interaction


@dataclass(frozen=True, eq=False)
class SliceSearch:
    """The slices found, the largest loss first. ``candidates`` is the number of slices searched; ``searched`` and
    ``held_out`` are the two halves of the queries."""

    run: str
    baseline: str
    found: tuple[FoundSlice, ...]
    candidates: int
    searched: tuple[str, ...]
    held_out: tuple[str, ...]
    seed: int

    @property
    def note(self) -> str:
        """The note to show with these slices."""
        return tr(
            "Exploratory: {candidates:,} slices were searched on {searched:,} queries, the tests are on the other "
            "{held:,} (seed {seed}).",
            candidates=self.candidates, searched=len(self.searched), held=len(self.held_out), seed=self.seed,
        )  # fmt: skip


def search_slices(
    runs: RunValues,
    run: int | str,
    baseline: int | str,
    slicings: Sequence[Slicing],
    options: ComparisonOptions | None = None,
    *,
    most: int = MOST_FOUND,
    seed: int = SEED,
) -> SliceSearch:
    """Search slices, and pairs of crossed slices, where ``run`` loses most against ``baseline``.

    Both halves must have at least LEAST_QUERIES queries of a slice. Raises OptionError if the two runs are the same, if
    some value is not reached (there are no differences), and for too few queries."""
    options = of_slices(options or ComparisonOptions())
    if options.units is not None:
        raise OptionError(
            tr("A search of slices cannot count by a unit of several queries ({unit}): its halves would share units. "
               "Leave unit out, or search nothing.", unit=options.units.attribute)
        )  # fmt: skip
    run_index, baseline_index = runs.place(run), runs.place(baseline)
    if run_index == baseline_index:
        raise OptionError(tr("{run} is not compared with itself; choose another run.", run=runs.names[run_index]))
    pair = runs.only([run_index, baseline_index])
    if pair.unreached.any():
        raise OptionError(
            tr(
                "{measure} is not reached on every query, so there are no differences to search by. Choose another "
                "measure.",
                measure=runs.measure,
            )
        )  # fmt: skip
    difference = pair.difference(0, 1)
    known = np.flatnonzero(~np.isnan(difference))
    if len(known) < 4 * LEAST_QUERIES:
        raise OptionError(
            trn(
                "{n} query is too few to search one half and test on the other; {least} or more are needed.",
                "{n} queries are too few to search one half and test on the other; {least} or more are "
                "needed.",
                len(known), least=4 * LEAST_QUERIES,
            )
        )  # fmt: skip
    mask = np.zeros(len(pair.query_ids), dtype=np.bool_)
    mask[np.random.default_rng(seed).permutation(known)[: len(known) // 2]] = True
    held = np.zeros_like(mask)
    held[known] = ~mask[known]
    sign = 1 if pair.higher_is_better else -1
    candidates = []
    for parts, places in _candidates(slicings):
        inside = np.zeros_like(mask)
        inside[places] = True
        if min((inside & mask).sum(), (inside & held).sum()) >= LEAST_QUERIES:
            candidates.append((sign * float(difference[inside & mask].mean()), parts, inside))
    candidates.sort(key=lambda candidate: (candidate[0], len(candidate[1]), candidate[1]))
    chosen: list[tuple[float, tuple[tuple[str, str], ...], Bools]] = []
    for candidate in candidates:
        if len(chosen) < most and not any(_alike(candidate[2], former[2]) for former in chosen):
            chosen.append(candidate)
    slices = []
    for loss, parts, inside in chosen:
        places = np.flatnonzero(inside & held)
        name = " × ".join(part for _, part in parts)
        row = row_of(pair, name, places, compare_at(pair, places, options, 1), 0)
        codes = np.where(held, inside.astype(np.int64), -1)
        elsewhere = interaction(difference, codes, samples=options.samples, seed=options.seed)
        slices.append(FoundSlice(parts, name, sign * loss, int((inside & mask).sum()), row, elsewhere))
    return SliceSearch(
        runs.names[run_index], runs.names[baseline_index], tuple(_corrected(slices, options.correction)),
        len(candidates), _ids(pair, mask), _ids(pair, held), seed,
    )  # fmt: skip


def _candidates(slicings: Sequence[Slicing]) -> Iterator[tuple[tuple[tuple[str, str], ...], Ints]]:
    """Return every slice, and every two slices of different attributes; a slice of all queries is none."""
    every = [
        ((slicing.attribute.name, part.name), part.places)
        for slicing in slicings
        for part in slicing.slices
        if len(part.places) < len(slicing.query_ids)
    ]
    for part, places in every:
        yield (part,), places
    for (first, mine), (second, its) in itertools.combinations(every, 2):
        if first[0] != second[0]:
            yield (first, second), np.intersect1d(mine, its, assume_unique=True)


def _alike(first: Bools, second: Bools) -> bool:
    return float((first & second).sum()) > ALIKE * float((first | second).sum())


def _corrected(slices: Sequence[FoundSlice], correction: str) -> list[FoundSlice]:
    rows, _ = with_correction([[found_slice.tested for found_slice in slices]], correction)
    tests = corrected([found_slice.elsewhere.p for found_slice in slices], correction).tolist()
    title = CORRECTIONS[correction]
    family = sum(not math.isnan(found_slice.elsewhere.p) for found_slice in slices)
    return [
        replace(
            found_slice,
            tested=row,
            elsewhere=replace(found_slice.elsewhere, corrected=p, family=family, correction=title),
        )
        for found_slice, row, p in zip(slices, rows[0], tests, strict=True)
    ]


def _ids(runs: RunValues, mask: Bools) -> tuple[str, ...]:
    return tuple(runs.query_ids[position] for position in np.flatnonzero(mask).tolist())
