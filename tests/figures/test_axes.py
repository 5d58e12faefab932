import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.figures.axes import (
    TENTH_TICKS,
    UNIT_TICKS,
    decimals_of,
    ended_at_one,
    nice_step,
    rank_ticks,
    ticks_between,
)


@pytest.mark.parametrize(
    ("span", "most", "step"),
    [(1.0, 5, 0.2), (11.51, 4, 3.0), (0.59, 3, 0.2), (0.0, 4, 1.0), (7, 7, 1.0), (1e-4, 1, 1e-4)],
)
def test_nice_step(span: float, most: int, step: float) -> None:
    assert nice_step(span, most) == pytest.approx(step)


@given(st.floats(1e-9, 1e9), st.integers(1, 12))
def test_a_nice_step_covers_the_span_and_is_not_far_too_large(span: float, most: int) -> None:
    step = nice_step(span, most)
    assert step * most >= span * (1 - 1e-6)
    assert step <= 2.0 * span / most * (1 + 1e-6)


def test_ticks_are_written_with_the_decimals_they_need() -> None:
    assert ticks_between(-0.4, 0.4, 0.2, signed=True) == (
        (-0.4, "−0.4"),
        (-0.2, "−0.2"),
        (0.0, "0"),
        (0.2, "+0.2"),
        (0.4, "+0.4"),
    )
    assert [text for _, text in ticks_between(0.48, 0.6, 0.02)] == [
        "0.48",
        "0.50",
        "0.52",
        "0.54",
        "0.56",
        "0.58",
        "0.60",
    ]
    assert [text for _, text in ticks_between(0, 2000, 1000)] == ["0", "1,000", "2,000"]
    assert decimals_of(0.25) == 2
    assert [place for place, _ in UNIT_TICKS] == pytest.approx(np.linspace(0, 1, 6))
    assert len(TENTH_TICKS) == 11


@pytest.mark.parametrize(
    ("depth", "places"),
    [
        (1, [1]),
        (3, [1, 2, 3]),
        (20, [1, 5, 10, 15, 20]),
        (50, [1, 10, 20, 30, 40, 50]),
        (1000, [1, 200, 400, 600, 800, 1000]),
    ],
)
def test_rank_ticks_begin_at_1(depth: int, places: list[int]) -> None:
    assert [place for place, _ in rank_ticks(depth)] == places


@given(st.integers(1, 10_000_000))
def test_rank_ticks_are_few(depth: int) -> None:
    assert 1 <= len(rank_ticks(depth)) <= 7


@pytest.mark.parametrize(
    ("ends", "values", "wanted"),
    [
        ((-0.6, 1.2), (-0.5, 1.0), (-0.6, 1.0)),
        ((-1.2, 1.2), (-1.0, 1.0), (-1.0, 1.0)),
        ((-1.2, 1.5), (-1.0, 1.01), (-1.2, 1.5)),
        ((-1.5, 0.5), (-1.01, 0.2), (-1.5, 0.5)),
    ],
)
def test_axes_end_at_1_where_no_value_lies_beyond(
    ends: tuple[float, float], values: tuple[float, float], wanted: tuple[float, float]
) -> None:
    assert ended_at_one(*ends, *values) == wanted
