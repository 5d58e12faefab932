"""The engines that are installed, each started once for the tests of a module."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from irviewer.engines.engine import ENGINES, Engine, engine_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session", autouse=True)
def _workers_find_the_tests() -> Iterator[None]:
    """Workers are other processes, which import what the tests let them do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
        yield


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """An engine with two workers on this machine."""
    pytest.importorskip(ENGINES[request.param], reason=f"needs irviewer[{request.param}]")
    with engine_of(request.param, jobs=2) as started:
        yield started
