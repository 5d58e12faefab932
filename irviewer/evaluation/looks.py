"""Bounds of a pair that is tested again with more queries each time, and the inference of a protocol at its look.

All looks together err as often as one test of the same alpha. The bounds are of the normal process with independent
increments, found by recursive integration (Armitage, McPherson and Rowe, JRSS A 132, 1969). Their shape is that of
Pocock (Biometrika 64, 1977): the same at each look; or that of O'Brien and Fleming (Biometrics 35, 1979): they fall as
1/√fraction. By spending (Lan and DeMets, Biometrika 70, 1983) a bound depends on the looks so far alone. A test whose
p is exact or of another distribution uses the p of a bound (Jennison and Turnbull, Group Sequential Methods, 2000,
ch. 4.4); an interval with the level 1 − p is a repeated one: at all looks together it covers as often as it says
(the same, JRSS B 51, 1989)."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from irviewer.errors import OptionError
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats
from irviewer.model.number_text import alpha_text, level_text
from irviewer.model.protocol import Inference, Looks
from irviewer.translation import tr

_NODES = 160
_STEPS = 80


@lru_cache(maxsize=1)
def _nodes() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return nodes, weights


class Process:
    """The normal process up to a look, where no bound was crossed before.

    ``sides`` is 2 for bounds of |z|, 1 for upper bounds of z."""

    def __init__(self, sides: int = 2) -> None:
        self._sides = sides
        self._at: Floats = np.zeros(1)
        self._mass: Floats = np.ones(1)
        self._before = 0.0
        self._nodes, self._weights = _nodes()

    def crossing(self, fraction: float, bound: float) -> float:
        """Return the probability that the bound is crossed at this fraction, and none was before."""
        ndtr, edge = special().ndtr, bound * math.sqrt(fraction)
        step = math.sqrt(fraction - self._before)
        over = ndtr((self._at - edge) / step)
        if self._sides == 2:
            over = over + ndtr((-edge - self._at) / step)
        return float(self._mass @ over)

    def go_on(self, fraction: float, bound: float) -> None:
        """Take the process to this fraction, without what crossed the bound there."""
        edge, step = bound * math.sqrt(fraction), math.sqrt(fraction - self._before)
        far = float(np.abs(self._at).max()) + 9 * step
        high = min(edge, far)
        low = -high if self._sides == 2 else -far
        place = (high + low) / 2 + (high - low) / 2 * self._nodes
        density = np.exp(-0.5 * ((place[:, None] - self._at) / step) ** 2) @ self._mass
        self._at = place
        self._mass = density * self._weights * (high - low) / (2 * step * math.sqrt(2 * math.pi))
        self._before = fraction

    def bound(self, fraction: float, probability: float) -> float:
        """Return the bound that is crossed at this fraction with a probability."""
        low, high = 0.0, 40.0
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.crossing(fraction, middle) > probability else (low, middle)
        return high


def spent(fraction: float, alpha: float, spending: str = "obrien-fleming", sides: int = 2) -> float:
    """Return how much of alpha is spent at a share of the information; of a two-sided one each side spends half."""
    if fraction >= 1:
        return alpha
    if spending == "pocock":
        return alpha * math.log1p((math.e - 1) * fraction)
    functions = special()
    side = alpha / sides
    return min(alpha, float(2 * sides * functions.ndtr(-float(functions.ndtri(1 - side / 2)) / math.sqrt(fraction))))


def spending_bounds(fractions: Sequence[float], alpha: float, spending: str, sides: int = 2) -> tuple[float, ...]:
    """Return the bound of z at each share of the information, by a spending function."""
    process, gone, bounds = Process(sides), 0.0, []
    for fraction in fractions:
        now = spent(fraction, alpha, spending, sides)
        bounds.append(process.bound(fraction, now - gone))
        process.go_on(fraction, bounds[-1])
        gone = now
    return tuple(bounds)


def shaped_bounds(fractions: Sequence[float], alpha: float, shape: str, sides: int = 2) -> tuple[float, ...]:
    """Return the bound of z at each share of the information, of the shape of O'Brien and Fleming, or of Pocock."""

    def bounds(size: float) -> tuple[float, ...]:
        return tuple(size if shape == "pocock" else size / math.sqrt(each) for each in fractions)

    def errs(size: float) -> float:
        process, total = Process(sides), 0.0
        for fraction, bound in zip(fractions, bounds(size), strict=True):
            total += process.crossing(fraction, bound)
            process.go_on(fraction, bound)
        return total

    quantile = special().ndtri  # not less than one test alone, not more than a share of alpha at each look
    low, high = (-float(quantile(alpha / sides / parts)) for parts in (1, len(fractions)))
    above, below = errs(low) - alpha, errs(high) - alpha
    while high - low > 1e-11 and above > 0 > below:  # the method of false position, as Illinois has it
        middle = (low * below - high * above) / (below - above)
        off = errs(middle) - alpha
        if abs(off) < 1e-13:
            return bounds(middle)
        if off > 0:
            low, above, below = middle, off, below / 2
        else:
            high, below, above = middle, off, above / 2
    return bounds(high)


@lru_cache(maxsize=64)
def bounds_of(looks: Looks, alpha: float, sides: int = 2) -> tuple[float, ...]:
    """Return the bound of z at each look: of |z| for ``sides`` 2, the upper one for 1."""
    kind, _, name = looks.bounds.partition("spending-")
    if name:
        return spending_bounds(looks.fractions, alpha, name, sides)
    return shaped_bounds(looks.fractions, alpha, kind, sides)


def p_at(looks: Looks, alpha: float, sides: int = 2) -> float:
    """Return the p below which the look that is now shows a difference, all looks together erring as often as one test
    of this alpha."""
    return float(sides * special().ndtr(-bounds_of(looks, alpha, sides)[looks.at - 1]))


def at_look(inference: Inference, *, one_sided: bool = False) -> Inference:
    """Return the inference as it decides at its look: alpha is the p of the bound there, and intervals are repeated
    ones, by the same bounds; without looks as it is. ``one_sided``: the confidence is of one-sided limits.

    Raises OptionError for a test or draws that cannot decide there."""
    looks = inference.looks
    if looks is None:
        return inference
    if inference.test == "tukey":
        raise OptionError(tr("looks are for one pair, and Tukey’s test is of all pairs; choose another test"))
    alpha = p_at(looks, inference.alpha)
    outside = p_at(looks, 1 - inference.confidence, 1 if one_sided else 2)
    if not alpha > 0 or not 1 - outside < 1:
        raise OptionError(tr(
            "look {at} is at {percent:g} % of the information, so early that its bound is never reached; plan the "
            "first look later", at=looks.at, percent=float(f"{100 * looks.fractions[looks.at - 1]:.4g}"),
        ))  # fmt: skip
    fewest = 1 / (inference.samples + 1)
    if inference.test == "randomisation" and alpha <= fewest:
        raise OptionError(tr(
            "look {at} decides below p = {p}, and {samples:,} samples give no p that small; give more samples, or "
            "another test", at=looks.at, p=alpha_text(alpha), samples=inference.samples,
        ))  # fmt: skip
    if inference.interval != "t" and outside / (1 if one_sided else 2) <= fewest:
        raise OptionError(tr(
            "at look {at} intervals have the level {level}, and {samples:,} samples have no such percentiles; give "
            "more samples, or interval = t", at=looks.at, level=level_text(1 - outside), samples=inference.samples,
        ))  # fmt: skip
    return replace(inference, alpha=alpha, confidence=1 - outside, looks=None)


def decides_at_looks(uses: Collection[str]) -> bool | None:
    """Return whether an answer that depends on these parts of a protocol decides at looks; None for one that tests
    nothing."""
    if "looks" in uses:
        return True
    return False if {"inference", "test", "alpha", "correction"} & {*uses} else None


def refuse_looks(inference: Inference) -> None:
    """Raise OptionError for looks, where what is tested has no bounds for them."""
    if inference.looks is not None:
        raise OptionError(tr(
            "the protocol declares looks, which are bounds for the test of one pair; what is tested here has none, "
            "leave looks out here"
        ))  # fmt: skip


def looks_trouble(inference: Inference, comparisons: int) -> str:
    """Return why looks cannot decide so many comparisons; "" where they can, and without looks."""
    try:
        refuse_several(inference, comparisons)
        at_look(inference)
    except OptionError as error:
        return str(error)
    return ""


def refuse_several(inference: Inference, comparisons: int) -> None:
    """Raise OptionError for looks of several comparisons."""
    if inference.looks is not None and comparisons != 1:
        raise OptionError(tr(
            "looks are bounds for one pair that is tested again, and {n:,} pairs are compared here; name two runs, or "
            "leave looks out", n=comparisons,
        ))  # fmt: skip
