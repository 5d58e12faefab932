"""Bounds and ticks of axes: round steps, with the ends on a step."""

from __future__ import annotations

import math

from irviewer.translation import tr, trn

Ticks = tuple[tuple[float, str], ...]

STEPS = (1.0, 2.0, 3.0, 4.0, 5.0, 10.0)
RANK_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500)


def nice_step(span: float, most: int) -> float:
    """Return the smallest round step (1, 2, 3, 4, 5 times a power of ten) of which at most ``most`` cover ``span``."""
    if not (span > 0 and math.isfinite(span)):
        return 1.0
    rough = span / most
    power = 10.0 ** math.floor(math.log10(rough))
    for step in STEPS:
        if power * step >= rough * (1 - 1e-9):
            break
    return power * step


def decimals_of(step: float) -> int:
    """Return the decimals that the multiples of ``step`` need."""
    return next((n for n in range(12) if abs(round(step, n) - step) < step * 1e-6), 12)


def ticks_between(low: float, high: float, step: float, *, signed: bool = False) -> Ticks:
    """Return the multiples of ``step`` from ``low`` to ``high``, written with the decimals that the step needs.

    ``signed`` writes a plus before what is above 0; 0 is "0", never "+0.0"."""
    decimals = decimals_of(step)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple([(round(n * step, 12), _written(n * step, decimals, signed)) for n in range(first, last + 1)])


def ended_at_one(low: float, high: float, least: float, greatest: float) -> tuple[float, float]:
    """Return the ends of an axis, at most -1 and 1 where no value, of which the least and the greatest are given, lies
    beyond: shares, coefficients, and their differences have none there."""
    return (max(low, -1.0), min(high, 1.0)) if least >= -1 and greatest <= 1 else (low, high)


def zoomed_ticks(ticks: Ticks | None, low: float, high: float, integer: bool, ratios: bool = False) -> Ticks:
    """Return the ticks of a part of an axis: finer ones, or the given ones within the part where they are not plain
    numbers (``ratios``, or none)."""
    if not ticks or ratios:
        return tuple(tick for tick in ticks or () if low <= tick[0] <= high)
    step = nice_step(high - low, 5)
    signed = any(text.startswith("+") for _, text in ticks)
    return ticks_between(low, high, max(1.0, math.ceil(step)) if integer else step, signed=signed)


def rank_ticks(depth: int, most: int = 6) -> Ticks:
    """1 and the multiples of a round step up to ``depth``: 1, 5, 10, 15, 20."""
    scale = 10 ** max(0, len(str(max(depth, 1))) - 3)
    step = next((rank * scale for rank in RANK_STEPS if depth <= rank * scale * most), RANK_STEPS[-1] * scale)
    positions = [1, *range(step, depth + 1, step)] if step > 1 else list(range(1, depth + 1))
    return tuple((float(rank), f"{rank:,}") for rank in positions)


def mean_of(queries: int | tuple[int, int]) -> str:
    """Return the number of queries of a mean in words, or (fewest, most) where runs have different ones."""
    fewest, most = (queries, queries) if isinstance(queries, int) else queries
    if fewest != most:
        return tr("mean of {fewest:,} to {most:,} queries", fewest=fewest, most=most)
    return trn("mean of {n:,} query", "mean of {n:,} queries", most)


RATIOS: tuple[tuple[float, tuple[float, ...]], ...] = (
    (1.01, ()), (1.02, (1.01,)), (1.05, (1.02,)), (1.1, (1.05,)), (1.2, (1.1,)), (1.5, (1.2,)), (2, (1.5,)), (3, (2,)),
    (5, (2,)), (10, (3,)), (30, (5,)), (100, (10,)), (1000, (10, 100)), (10_000, (100,)), (100_000, (10, 1000)),
    (10**7, (1000,)),
)  # fmt: skip
"""Ratios at which an axis of ratios may end, with the ticks in between."""


def ratio_end(largest: float) -> float:
    """Return the natural logarithm of the round ratio that holds those up to ``largest``, a logarithm too."""
    return math.log(next((end for end, _ in RATIOS if math.log(end) >= largest - 1e-9), RATIOS[-1][0]))


def ratio_ticks(bound: float) -> Ticks:
    """Ticks on an axis of logarithms from ``-bound`` to ``bound``, a :func:`ratio_end`, written as ratios: ÷10 … ×1 …
    ×10."""
    end, between = min(RATIOS, key=lambda end: abs(math.log(end[0]) - bound))
    ticks = [(0.0, "×1")]
    for ratio in (*between, end):
        ticks += [(math.log(ratio), f"×{ratio:,g}"), (-math.log(ratio), f"÷{ratio:,g}")]
    return tuple(sorted(ticks))


def _written(value: float, decimals: int, signed: bool) -> str:
    if round(value, decimals) == 0:
        return "0"
    text = f"{value:,.{decimals}f}".replace("-", "\N{MINUS SIGN}")
    return f"+{text}" if signed and value > 0 else text


UNIT_TICKS = ticks_between(0.0, 1.0, 0.2)
TENTH_TICKS = ticks_between(0.0, 1.0, 0.1)
