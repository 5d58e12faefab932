"""Two circles whose areas and whose common area are as asked: the Venn picture of retrieved and relevant.

Geometry only; knows no toolkit."""

from __future__ import annotations

import math
from dataclasses import dataclass

STEPS = 60
APART = 1.08
"""The distance of circles with nothing in common, as a multiple of the sum of their radii."""


@dataclass(frozen=True)
class Circles:
    """Radii of the left and the right circle, and how far their middles are from each other, in one unit."""

    left: float
    right: float
    distance: float

    @property
    def box(self) -> tuple[float, float, float]:
        """Where the picture begins and ends across, from the left middle, and half its height."""
        begins = min(-self.left, self.distance - self.right)
        ends = max(self.left, self.distance + self.right)
        return begins, ends, max(self.left, self.right)

    def areas_at(self, x: float, y: float) -> tuple[bool, bool]:
        """Return whether a point lies in the left and in the right circle."""
        return math.hypot(x, y) <= self.left, math.hypot(x - self.distance, y) <= self.right


def common_area(left: float, right: float, distance: float) -> float:
    """Return the area that two circles share: Weisstein, "Circle-Circle Intersection", MathWorld, (14)."""
    if distance >= left + right:
        return 0.0
    if distance <= abs(left - right):
        return math.pi * min(left, right) ** 2
    first = math.acos(_cosine(left, right, distance)) * left**2
    second = math.acos(_cosine(right, left, distance)) * right**2
    product = (left + right - distance) * (distance + left - right) * (distance - left + right)
    return first + second - math.sqrt(max(0.0, product * (distance + left + right))) / 2


def circles(left: int, right: int, both: int) -> Circles:
    """Circles for sets of ``left`` and ``right`` elements that share ``both``: every area as large as its count."""
    left_radius, right_radius = math.sqrt(left / math.pi), math.sqrt(right / math.pi)
    if both <= 0:
        return Circles(left_radius, right_radius, (left_radius + right_radius) * APART)
    low, high = abs(left_radius - right_radius), left_radius + right_radius
    if both >= min(left, right):
        return Circles(left_radius, right_radius, low)
    for _ in range(STEPS):
        middle = (low + high) / 2
        if common_area(left_radius, right_radius, middle) > both:
            low = middle
        else:
            high = middle
    return Circles(left_radius, right_radius, (low + high) / 2)


def _cosine(radius: float, other_radius: float, distance: float) -> float:
    return max(-1.0, min(1.0, (distance**2 + radius**2 - other_radius**2) / (2 * distance * radius)))
