"""Recall by documents read as a figure: the perfect and the random order, where lists end, where the line stands."""

from __future__ import annotations

import numpy as np

from irviewer.figures.figure import Role
from irviewer.figures.recall_effort import recall_effort_figure


def test_runs_are_between_the_perfect_and_the_random_order() -> None:
    short = (Role("run", 1), "short", np.array([0.0, 2, 2, 50]), np.array([0.0, 0, 0.25, 0.25]))
    figure = recall_effort_figure([short], 4, 1000, 100, 30, subject="query 7")
    run, best, chance = figure.curves
    assert run.ends_open
    assert (best.x.tolist(), best.y.tolist()) == ([0.0, 4.0, 100.0], [0.0, 1.0, 1.0])
    assert (chance.x.tolist(), chance.y.tolist()) == ([0.0, 100.0], [0.0, 0.1])
    assert figure.cursor == 30.0
    assert figure.full_title == "Recall by documents read · query 7"


def test_more_relevant_documents_than_are_read() -> None:
    best = recall_effort_figure([], 400, None, 100, 500).curves[-1]
    assert best.y[-1] == 0.25
    assert recall_effort_figure([], 400, None, 100, 500).cursor == 100.0


def test_without_a_size_there_is_no_random_order() -> None:
    figure = recall_effort_figure([], 4, None, 100, 30)
    assert [curve.label for curve in figure.curves] == ["perfect order"]
    assert "random" not in figure.note


def test_nothing_relevant_has_no_perfect_order() -> None:
    assert recall_effort_figure([], 0, 10, 10, 1).curves == ()
