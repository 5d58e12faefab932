"""Clusters: what is alike stands together, the same way every time."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.analysis.similarity.clusters import clusters


def _blocks(order: list[int]) -> np.ndarray:  # type: ignore[type-arg]
    """Things 0–2 are alike (.9), 3–4 are alike (.8), others hardly (.1), in another order."""
    similarity = np.full((5, 5), 0.1)
    similarity[:3, :3], similarity[3:, 3:] = 0.9, 0.8
    np.fill_diagonal(similarity, 1.0)
    return similarity[np.ix_(order, order)]


def test_average_linkage_by_hand() -> None:
    clustering = clusters(_blocks([0, 3, 1, 4, 2]))
    np.testing.assert_allclose(clustering.merges[:, 2], [0.1, 0.1, 0.2, 0.9])
    np.testing.assert_array_equal(clustering.merges[:, 3], [2, 3, 2, 5])
    sides = [
        "".join(map(str, sorted(part)))
        for part in (clustering.order[:2], clustering.order[2:], clustering.order[:3], clustering.order[3:])
    ]
    assert ("13" in sides[0] and "024" in sides[1]) or ("024" in sides[2] and "13" in sides[3])
    assert clustering.groups(0.5).tolist() == [0, 1, 0, 1, 0]
    assert clustering.groups(0.85).tolist() == [0, 1, 0, 2, 0]
    assert clustering.split(1).tolist() == [0] * 5
    assert clustering.split(2).tolist() == [0, 1, 0, 1, 0]


def test_the_same_every_time_and_neighbours_are_alike() -> None:
    random = np.random.default_rng(5)
    place = random.random(40)
    similarity = 1 - np.abs(place[:, None] - place)
    first, again = clusters(similarity), clusters(similarity.copy())
    np.testing.assert_array_equal(first.order, again.order)
    shuffled = np.abs(np.diff(place)).sum()
    assert np.abs(np.diff(place[first.order])).sum() < shuffled / 5


@pytest.mark.parametrize("size", [0, 1])
def test_too_few(size: int) -> None:
    clustering = clusters(np.ones((size, size)))
    assert clustering.order.tolist() == list(range(size))
    assert clustering.groups(0.5).tolist() == [0] * size


def test_pairs_without_a_value_are_the_least_alike() -> None:
    similarity = _blocks([0, 1, 2, 3, 4])
    similarity[0, 4] = similarity[4, 0] = np.nan
    clustering = clusters(similarity)
    assert np.isfinite(clustering.merges).all()
    assert clustering.groups(0.5).tolist() == [0, 0, 0, 1, 1]
