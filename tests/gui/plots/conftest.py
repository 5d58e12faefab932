"""A tiny session and figures for the plots' tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from irviewer.figures.figure import Figure, Role
from irviewer.figures.gain import gain_figure
from irviewer.figures.precision_recall import precision_recall_figure
from irviewer.gui.theme import Theme
from irviewer.rendering.palette import LIGHT
from irviewer.rendering.run_label import RunLabel
from irviewer.session.settings import Settings


class FakeSession:
    """What plots need of a session, remembering what was asked of it."""

    def __init__(self, runs: int = 4) -> None:
        self.runs = [RunLabel(i, f"run_{i}", f"r{i}", i, None, True, i == 0, i == 1) for i in range(runs)]
        self.judgment_mark = ""
        self.settings = Settings()
        self.queries: list[str] = []
        self.brushes: list[list[str]] = []
        self.places: list[str] = []

    @property
    def view(self) -> FakeSession:
        """Every part that a plot asks."""
        return self

    saving = navigation = query_sets = view

    def labels(self) -> tuple[RunLabel, ...]:
        return tuple(self.runs)

    def file_folder(self) -> str:
        return ""

    def save_file(self, path: str, write: Callable[[str], object]) -> None:
        write(path)

    @property
    def brushed(self) -> frozenset[str]:
        return frozenset(self.brushes[-1] if self.brushes else ())

    def set_place(self, place: str) -> None:
        self.places.append(place)

    def set_query(self, query_id: str) -> None:
        self.queries.append(query_id)

    def brush(self, query_ids: Iterable[str]) -> None:
        self.brushes.append(list(query_ids))


@pytest.fixture
def session() -> FakeSession:
    return FakeSession()


@pytest.fixture
def theme(qtbot: QtBot) -> Theme:
    return Theme(LIGHT)


@pytest.fixture
def pr() -> Figure:
    """Runs 0 and 1 the same to recall 0.5, then apart; both end at 0.8 of 10 relevant documents."""
    curves = [
        (Role("run", 0), "run_0", np.array([0, 0.5, 0.5, 0.8]), np.array([1, 1, 0.5, 0.5])),
        (Role("run", 1), "run_1", np.array([0, 0.5, 0.5, 0.8]), np.array([1, 1, 0.25, 0.25])),
    ]
    return precision_recall_figure(
        curves, 10, [np.array([1, 2, 3, 4, 5, 12, 14, 16]), np.array([1, 2, 3, 4, 5, 24, 28, 32])]
    )


@pytest.fixture
def gain() -> Figure:
    ranks = np.arange(1.0, 21)
    return gain_figure([(Role("run", 2), "run_2", ranks, np.sqrt(ranks))], (ranks, ranks**0.6), 10, 20)
