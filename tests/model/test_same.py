"""Keys by identity: equal for one object only, also when another has its address later."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from irviewer.model.same import Same


def test_one_object_has_one_key_and_equal_ones_have_others() -> None:
    values, others = np.zeros(3), np.zeros(3)
    assert Same(values) == Same(values)
    assert hash(Same(values)) == hash(Same(values))
    assert Same(values) != Same(others)
    assert {Same(values): 1}.get(Same(values)) == 1
    assert Same(None) == Same(None)


def test_a_key_keeps_its_object_so_that_no_other_takes_its_address() -> None:
    keys = [Same(np.full(3, number)) for number in range(500)]
    gc.collect()
    assert len(set(keys)) == 500


def test_an_address_that_is_used_again_has_a_new_key() -> None:
    known = {}
    for number in range(2000):  # the arrays are gone at once, and their addresses come again
        key = Same(np.full(3, number))
        assert key not in known
        known.clear()
        known[key] = number


def test_threads_get_the_same_key() -> None:
    arrays = [np.zeros(2) for _ in range(50)]
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda number: Same(arrays[number % 50]), range(4000)))
    assert all(keys[number] is keys[number % 50] for number in range(4000))
