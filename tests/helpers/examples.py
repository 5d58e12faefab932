"""How many examples of random data a property gets: a third in an ordinary run, all where a thorough one is asked for.

``HYPOTHESIS_PROFILE``: ``quick`` (ordinary runs), ``thorough`` (``.ci/run``), ``explore`` (new examples every time).
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "quick")
SHARES = {"quick": 1 / 3, "thorough": 1.0, "explore": 15.0}


def count(thorough: int) -> int:
    """So many examples in a thorough run; in this one, as many as its profile takes of them."""
    return max(1, round(thorough * SHARES[PROFILE]))


def examples(thorough: int) -> settings:
    """Settings of a property that is to have another number of examples than most."""
    return settings(max_examples=count(thorough))


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
