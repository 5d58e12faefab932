"""How many examples of random data a property gets: a fifth in an ordinary run, a third where a thorough one is asked
for, which has to end in time.

``HYPOTHESIS_PROFILE``: ``quick`` (ordinary runs), ``thorough`` (``.ci/run``), ``explore`` (new examples every time).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "quick")
SHARES = {"quick": 1 / 5, "thorough": 1 / 3, "explore": 15.0}


def count(examples: int) -> int:
    """As many of these examples as the profile of this run takes."""
    return max(1, round(examples * SHARES[PROFILE]))


def examples(thorough: int) -> settings:
    """Settings of a property that is to have another number of examples than most."""
    return settings(max_examples=count(thorough))


def a_part(cases: Iterable[Any], step: int) -> list[Any]:
    """The parameters of a test of every case: each ``step``-th, the first included, is tried in an ordinary run, and
    the others are slow. A case of several parameters is a tuple."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow if place % step else ())
        for place, case in enumerate(cases)
    ]


def load() -> None:
    """Make the profile that is asked for the one in force. No deadline: the first example pays for late imports. No
    database: runs are alike everywhere. derandomize: a run that fails once fails again, except when exploring."""
    settings.register_profile(
        PROFILE,
        deadline=None,
        database=None,
        derandomize=PROFILE != "explore",
        max_examples=count(60),
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile(PROFILE)
