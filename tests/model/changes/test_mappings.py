"""Changes of ordered mappings: exact both ways, and careful with what was added meanwhile."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irviewer.model.changes.mappings import change_between

keys = st.sampled_from("abcdefgh")
mappings = st.lists(st.tuples(keys, st.integers(0, 3)), max_size=8).map(dict)


@given(mappings, mappings)
def test_a_change_is_exact_both_ways(before: dict[str, int], after: dict[str, int]) -> None:
    change = change_between(before, after)
    assert list(change.applied(before).items()) == list(after.items())
    assert list(change.applied(after, back=True).items()) == list(before.items())
    assert bool(change) == (list(before.items()) != list(after.items()))


@given(mappings, mappings, st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 3)), max_size=3).map(dict))
def test_what_was_added_meanwhile_stays(before: dict[str, int], after: dict[str, int], new: dict[str, int]) -> None:
    change = change_between(before, after)
    mapping = change.applied({**after, **new}, back=True)
    assert {key: mapping[key] for key in mapping if key not in new} == before
    assert {key: mapping[key] for key in new} == new


def test_a_change_is_as_small_as_the_difference() -> None:
    many = {number: str(number) for number in range(1000)}
    change = change_between(many, {**many, 500: "other"})
    assert [entry.key for entry in change.entries] == [500]
    assert change.order is None
    assert not change_between(many, dict(many))
