import numpy as np
import pytest

from irviewer.figures.figure import Role
from irviewer.figures.gain import gain_figure
from irviewer.figures.readout import read_out


def dcg(gains: list[int]) -> tuple[np.ndarray, np.ndarray]:
    ranks = np.arange(1.0, len(gains) + 1)
    return ranks, np.cumsum(np.array(gains) / np.log2(ranks + 1))


def test_ranks_from_1_ideal_dashed_and_a_round_bound_above_the_ideal() -> None:
    run = dcg([2, 2, 0, 2, 5] + [0] * 45)
    figure = gain_figure([(Role("run", 4), "a", *run)], dcg([5, 2, 2, 2]), cutoff=10, depth=20)
    assert (figure.x.low, figure.x.high, figure.cursor) == (1, 20, 10)
    assert [curve.role.kind for curve in figure.curves] == ["run", "ideal"]
    ideal = figure.curves[1]
    assert ideal.x[-1] == 20 and ideal.y[-1] == pytest.approx(dcg([5, 2, 2, 2])[1][-1])
    assert figure.y.low == 0 and figure.y.high > ideal.y.max()
    assert figure.y.high in [place for place, _ in figure.y.ticks or ()]
    assert not figure.curves[0].ends_open and figure.curves[0].x[-1] == 20
    assert read_out(figure, 5.2).text.startswith("rank 5: ideal DCG 8.1232; a DCG ")


def test_a_short_run_ends_with_a_ring_and_a_cutoff_below_is_not_shown() -> None:
    figure = gain_figure([(Role("run", 0), "a", *dcg([1, 0, 1]))], dcg([1, 1]), cutoff=30, depth=20)
    assert figure.curves[0].ends_open
    assert figure.cursor is None
    assert "○ end of run" in figure.note


def test_nothing_relevant_and_nothing_returned() -> None:
    empty = np.empty(0)
    figure = gain_figure([(Role("run", 0), "a", empty, empty)], (empty, empty), cutoff=10, depth=0)
    assert figure.y.high == 1.0
    assert figure.x.high > figure.x.low
