"""What the Systems table says of statistics: intervals, corrected p-values, groups. From comparisons; draws nothing."""

from __future__ import annotations

import numpy as np

from irviewer.figures.axes import ratio_end
from irviewer.model.arrays import Floats, frozen
from irviewer.session.compared import Compared
from irviewer.session.pages.systems import SystemsStatistics

WIDER = 3.0
"""The scale grows past half of the runs as long as the next one is at most so much wider."""


def build_statistics(baseline: Compared, pairs: Compared | None, order: list[int]) -> SystemsStatistics:
    """The runs in the table's order, ``order`` their keys. The baseline's own cells are NaN and empty."""
    from irviewer.model.statistics.corrections import CORRECTIONS
    from irviewer.model.statistics.intervals import INTERVALS
    from irviewer.model.statistics.records import TESTS
    from irviewer.model.statistics.verdicts import AS_ZERO, OF_SET
    from irviewer.model.statistics.wording import percent

    found = baseline.comparison
    at = {int(run): place for place, run in enumerate(found.first.tolist())}
    places = [at.get(baseline.keys.index(key), -1) for key in order]
    runs = [baseline.keys.index(key) for key in order]
    column, shown = found.column(), found.shown()
    what = "the ratio to" if found.geometric else "the mean difference from"
    outcomes = [(found.wins[place], found.ties[place], found.losses[place]) if place >= 0 else None for place in places]
    title = CORRECTIONS[found.correction]
    family = (
        "all pairs" if TESTS[column.test].family else title and f"{title} of {len(found)}" if len(found) > 1 else ""
    )
    low, high = _column(found.difference_low, places), _column(found.difference_high, places)
    return SystemsStatistics(
        low=low,
        high=high,
        scale=scale_of(low, high, found.geometric),
        p=_column(column.corrected, places),
        shown=frozen(np.array([place >= 0 and bool(shown[place]) for place in places], dtype=np.bool_)),
        p_title=f"p, {family}" if family else "p",
        p_tip=f"of {found.measure}: {found.decided_by()}; bold where it shows a difference",
        interval_title=f"{percent(found.level)} interval of {'the ratio' if found.geometric else 'Δ'}",
        interval_tip=f"{INTERVALS[found.interval]} of {what} the baseline ★",
        outcomes=tuple("" if one is None else " · ".join(f"{part:,}" for part in one) for one in outcomes),
        verdicts=tuple("" if place < 0 else found.pair(place).verdict for place in places),
        mean_low=frozen(found.low[runs]),
        mean_high=frozen(found.high[runs]),
        letters=None if pairs is None else _letters(pairs, order),
        letters_tip="" if pairs is None else pairs.comparison.grouping,
        looked_at=(*found.looked_at, *(() if pairs is None else _of_pairs(pairs))),
        # The query set stands in the note, what runs lack among the caveats.
        warnings=tuple(said for said in found.warnings if not said.startswith(OF_SET) and AS_ZERO not in said),
        notes=found.warnings,
        first=None if pairs is None else _first(pairs, order),
    )


def _of_pairs(pairs: Compared) -> tuple[str, ...]:
    """What the columns of groups and of first places are of."""
    from irviewer.model.statistics.wording import limit

    comparison = pairs.comparison
    found = (f"group: {comparison.decided_by()}, p < {limit(comparison.alpha)}",)
    stable = pairs.stability
    if stable is None:
        return found
    drawn = f"{stable.samples:,} bootstrap samples of the {stable.queries:,} queries that every run has"
    return (*found, f"1st: {drawn}, seed {stable.seed}")


def scale_of(low: Floats, high: Floats, geometric: bool = False) -> float:
    """How far the axis of the intervals goes to both sides: it holds half of the runs, and the next ones as long as
    they are not much wider: where the contest is. 0 where there is none. With ``geometric`` the ends are logarithms of
    ratios, and the axis ends at a round one."""
    reach = np.sort(np.fmax(np.abs(low), np.abs(high)))
    reach = reach[np.isfinite(reach)]
    if not len(reach) or reach[-1] <= 0:
        return 0.0
    place = (len(reach) - 1) // 2
    while place + 1 < len(reach) and reach[place + 1] <= WIDER * max(float(reach[place]), 1e-12):
        place += 1
    wanted = float(reach[place]) or float(reach[-1])
    if geometric:
        return ratio_end(wanted)
    power = 10.0 ** np.floor(np.log10(wanted))
    steps = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
    return float(next(step * power for step in steps if step * power >= wanted * (1 - 1e-9)))


def _column(values: Floats, places: list[int]) -> Floats:
    return frozen(np.array([values[place] if place >= 0 else np.nan for place in places], dtype=np.float64))


def _first(pairs: Compared, order: list[int]) -> Floats | None:
    stability = pairs.stability
    return None if stability is None else frozen(stability.first[[pairs.keys.index(key) for key in order]])


def _letters(pairs: Compared, order: list[int]) -> tuple[str, ...] | None:
    letters = pairs.letters
    return None if letters is None else tuple(letters[pairs.keys.index(key)] for key in order)
