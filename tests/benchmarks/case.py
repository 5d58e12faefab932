"""What a benchmark is: a row with its sides, measured in turn, and what they must reach."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

Side = Callable[[], float | None]
"""Does the work once. Gives the seconds it took where it knows better than a clock around it, else None."""

PEAKS: dict[str, float] = {}
"""Megabytes that a side, or what it says of itself, took at most; of sides that are processes."""

SPENT: dict[str, list[float]] = {}
"""Seconds of processor time of every time a side was a process, or told them: what counts where others use the machine
too."""


class Prepare(Protocol):
    """Makes what is needed in a folder, ``small`` for a run that only asks whether it works; gives the sides."""

    def __call__(self, folder: Path, small: bool) -> AbstractContextManager[dict[str, Side]]: ...


@dataclass(frozen=True)
class Target:
    """``of`` is "median", "p95" or "least" of a side at most ``limit`` seconds, "peak" at most ``limit`` megabytes,
    "times" at most ``limit`` times the first side's median, or "ratio": the second side's median is at least ``limit``
    times the first's."""

    side: str
    of: str
    limit: float

    def value(self, times: dict[str, list[float]]) -> float:
        """What was reached."""
        if self.of == "peak":
            return PEAKS.get(self.side, 0.0)
        own = times[self.side]
        if self.of == "times":
            return statistics.median(own) / statistics.median(next(iter(times.values())))
        if self.of == "ratio":
            (other,) = (name for name in times if name != self.side)
            return statistics.median(times[other]) / statistics.median(own)
        if self.of == "least":
            return min(own)
        return quantile(own, 0.95 if self.of == "p95" else 0.5)

    def reached(self, times: dict[str, list[float]]) -> bool:
        """Whether that is enough."""
        value = self.value(times)
        return value >= self.limit if self.of == "ratio" else value <= self.limit

    def summary(self, times: dict[str, list[float]]) -> str:
        """One line of a report."""
        value = self.value(times)
        word = "reached" if self.reached(times) else "MISSED"
        if self.of == "ratio":
            return f"{value:.2f} times faster, at least {self.limit:g} wanted: {word}"
        if self.of == "times":
            return f"{self.side}: {value:.1f} times, at most {self.limit:g} wanted: {word}"
        if self.of == "peak":
            return f"{self.side}: {value:.0f} MB, at most {self.limit:g} MB wanted: {word}"
        return f"{self.side}: {self.of} {value * 1000:.1f} ms, at most {self.limit * 1000:g} ms wanted: {word}"


@dataclass(frozen=True)
class Case:
    """A row of the table of benchmarks; ``rounds`` measured rounds follow one that is not counted."""

    name: str
    title: str
    prepare: Prepare
    rounds: int
    targets: tuple[Target, ...] = ()


def measure(case: Case, folder: Path, rounds: int | None = None) -> dict[str, list[float]]:
    """Seconds of every round by side, the sides in turn."""
    with case.prepare(folder, False) as sides:
        times: dict[str, list[float]] = {name: [] for name in sides}
        for number in range((rounds or case.rounds) + 1):
            for name, side in sides.items():
                seconds = once(side)
                if number:
                    times[name].append(seconds)
    return times


def once(side: Side) -> float:
    """Seconds that the side takes."""
    begun = time.perf_counter()
    known = side()
    return time.perf_counter() - begun if known is None else known


def quantile(values: list[float], share: float) -> float:
    """The value below which that share of the values lies (the median for an even number: the mean of two)."""
    if share == 0.5:
        return statistics.median(values)
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def cycle(names: list[str]) -> Iterator[str]:
    """The names over and over."""
    while True:
        yield from names
