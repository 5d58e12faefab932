import numpy as np
import pytest

from irviewer.figures.differences import differences_figure


def test_order_kept_gaps_kept_axis_fits() -> None:
    delta = np.array([0.59, 0.1, np.nan, 0.0, -0.32])
    figure = differences_figure(delta, ("64", "3", "7", "9", "1"), 1, "nDCG@10", "b − a")
    assert figure.bars is not None
    np.testing.assert_array_equal(figure.bars.heights, delta)
    assert figure.bars.keys == ("64", "3", "7", "9", "1") and figure.bars.selected == 1
    assert (figure.y.low, figure.y.high) == pytest.approx((-0.4, 0.6))
    assert [text for _, text in figure.y.ticks or ()] == ["−0.4", "−0.2", "0", "+0.2", "+0.4", "+0.6"]
    assert figure.title == "Δ nDCG@10 by query, in the order of the table · b − a"
    assert not figure.bars.heights.flags.writeable


@pytest.mark.parametrize("delta", [[], [np.nan], [0.0, 0.0]])
def test_no_differences(delta: list[float]) -> None:
    figure = differences_figure(np.array(delta), [str(i) for i in range(len(delta))], 5, "AP", "")
    assert figure.y.high > 0
    assert figure.bars is not None and figure.bars.selected == -1


def test_ids_must_match() -> None:
    with pytest.raises(ValueError, match="2 differences for 1"):
        differences_figure(np.zeros(2), ["1"], 0, "AP", "")


def test_the_axis_wastes_little() -> None:
    for largest, high in ((1.0, 1.0), (0.83, 0.9), (12.0, 12.0), (0.59, 0.6)):
        figure = differences_figure(np.array([largest, -0.1]), ("1", "2"), 0, "AP", "")
        assert figure.y.high == pytest.approx(high)


@pytest.mark.parametrize(
    ("delta", "low", "high"),
    [
        ([0.6, 0.2], 0.0, 0.6),  # none is worse
        ([-0.6, -0.2], -0.6, 0.0),
        ([0.63, -0.11], -0.2, 0.8),  # two quarters of a step, not a whole one
        ([0.59, -0.2], -0.2, 0.6),
        ([0.0], 0.0, 0.1),
    ],
)
def test_a_side_of_small_bars_takes_little_room(delta: list[float], low: float, high: float) -> None:
    figure = differences_figure(np.array(delta), [str(place) for place in range(len(delta))], 0, "AP", "")
    assert figure.y.low == pytest.approx(low)
    assert figure.y.high == pytest.approx(high)
    assert any(place == 0 for place, _ in figure.y.ticks or ())
