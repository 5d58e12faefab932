import numpy as np

from irviewer.figures.figure import IDEAL, Curve, Role
from irviewer.figures.overlapping_curves import shared_stretches


def curve(key: int, x: list[float], y: list[float]) -> Curve:
    return Curve(Role("run", key), str(key), np.array(x), np.array(y))


def test_two_curves_that_part_after_a_step() -> None:
    a = curve(0, [0, 0.5, 0.5, 1], [1, 1, 0.2, 0.2])
    b = curve(1, [0, 0.8, 0.8, 1], [1, 1, 0.2, 0.2])
    stretches = shared_stretches([a, b], 0.004)
    assert [(s.places, s.x.tolist(), np.round(s.y, 9).tolist()) for s in stretches] == [
        ((0, 1), [0, 0.5], [1, 1]),
        ((0, 1), [0.8, 1], [0.2, 0.2]),
    ]


def test_a_step_that_is_shared_is_part_of_the_stretch() -> None:
    a = curve(0, [0, 0.5, 0.5, 1], [1, 1, 0.2, 0.2])
    (stretch,) = shared_stretches([a, a, a], 0.004)
    assert stretch.places == (0, 1, 2)
    assert stretch.x.tolist() == [0, 0.5, 0.5, 1]
    np.testing.assert_allclose(stretch.y, [1, 1, 0.2, 0.2])


def test_what_crosses_or_ends_is_not_shared() -> None:
    a, b = curve(0, [0, 1], [0, 1]), curve(1, [0, 1], [1, 0])
    short, empty = curve(2, [0.25, 0.5], [0.25, 0.5]), curve(3, [], [])
    (stretch,) = shared_stretches([a, b, empty, short], 0.01)
    assert stretch.places == (0, 3) and stretch.x[[0, -1]].tolist() == [0.25, 0.5]
    assert shared_stretches([a], 0.01) == () and shared_stretches([], 0.01) == ()
    (perfect,) = shared_stretches([a, Curve(IDEAL, "ideal", a.x, a.y)], 0.01)
    assert perfect.places == (0, 1)


def test_a_step_of_two_where_a_third_leaves_belongs_to_the_two() -> None:
    a = curve(0, [0, 0.5, 0.5, 1], [1, 1, 0.2, 0.2])
    stays = curve(1, [0, 1], [1, 1])
    three, two = shared_stretches([a, stays, a], 0.004)
    assert (three.places, three.x.tolist()) == ((0, 1, 2), [0, 0.5])
    assert (two.places, two.x.tolist()) == ((0, 2), [0.5, 0.5, 1])
    np.testing.assert_allclose(two.y, [1, 0.2, 0.2])
    up = [Curve(c.role, c.label, c.x, 1 - c.y) for c in (a, stays, a)]
    assert [s.x.tolist() for s in shared_stretches(up, 0.004)] == [[0, 0.5], [0.5, 0.5, 1]]
