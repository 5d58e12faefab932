"""Paths into JSON values: parsed and written, their values and places, and where a value stands."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import OptionError
from irviewer.formats.json_paths import JsonPath, Step, aligned, found, is_path, offset_of, parse_path, paths_in

RESPONSE = {
    "results": [
        {"query": {"id": "q1"}, "hits": [{"id": "a", "score": 2.5}, {"id": "b", "score": 1}]},
        {"query": {"id": "q2"}, "hits": []},
        {"query": {"id": "q3"}, "hits": [{"id": "c"}]},
    ],
    "a.b": {"*": 7},
}


def values(path, value=RESPONSE):
    return [(each.places, each.value) for each in found(value, parse_path(path))]


def test_members_and_items_have_places():
    assert values("results[].query.id") == [((0,), "q1"), ((1,), "q2"), ((2,), "q3")]
    assert values("results[].hits[].id") == [((0, 0), "a"), ((0, 1), "b"), ((2, 0), "c")]
    assert values("results[2].hits[].id") == [((0,), "c")]
    assert values("$.results[0].query.id") == [((), "q1")]
    assert values("results[].hits[].score") == [((0, 0), 2.5), ((0, 1), 1)]
    assert values("results.hits") == values("nothing[].id") == values("results[9]") == []


def test_keys_with_signs_are_quoted():
    assert values('"a.b"."*"') == values('["a.b"]["*"]') == [((), 7)]
    assert values("[].id", [{"id": 1}, {"id": 2}]) == [((0,), 1), ((1,), 2)]
    assert values("", 5) == [((), 5)]


def test_stars_are_members_and_their_keys():
    maps = {"q2": {"d9": 1.0, "d1": 2.0}, "q1": {"d2": 3.0}}
    assert values("*~", maps) == [((0,), "q2"), ((1,), "q1")]
    assert values("*.*~", maps) == [((0, 0), "d9"), ((0, 1), "d1"), ((1, 0), "d2")]
    assert values("*.*", maps) == [((0, 0), 1.0), ((0, 1), 2.0), ((1, 0), 3.0)]


def test_numbered_members_are_in_the_order_of_their_numbers():
    wide = {"q": "1", "rank10": "j", "rank2": "b", "rank1": "a"}
    assert [value for _, value in values("rank*", wide)] == ["a", "b", "j"]


def test_values_belong_together_by_their_places():
    chroma = {"queries": ["x", "y"], "ids": [["a", "b"], ["c"]], "distances": [[0.1, 0.2], [0.3]]}
    queries = {each.places: each.value for each in found(chroma, parse_path("queries[]"))}
    distances = {each.places: each.value for each in found(chroma, parse_path("distances[][]"))}
    rows = [(aligned(queries, each.places), each.value, aligned(distances, each.places))
            for each in found(chroma, parse_path("ids[][]"))]  # fmt: skip
    assert rows == [("x", "a", 0.1), ("x", "b", 0.2), ("y", "c", 0.3)]
    assert aligned({(): "q"}, (3, 1)) == "q"
    assert aligned({(1,): "q"}, (0, 1)) is None


@pytest.mark.parametrize(
    ("text", "column"),
    [(".a", 1), ("a.", 2), ("a..b", 3), ("a[", 2), ("a[x]", 2), ("a.[]", 3), ("a]", 2), ('a"b"', 2), ("[]a", 3),
     ("$a", 2), ("a[-1]", 2), ('"a', 1)],
)  # fmt: skip
def test_a_text_that_is_no_path_is_refused_where_it_breaks(text, column):
    with pytest.raises(OptionError, match=f"breaks at character {column};"):
        parse_path(text)


def test_nothing_follows_keys():
    with pytest.raises(OptionError, match="nothing can follow"):
        parse_path("*~.id")


keys = st.text(min_size=1, max_size=6).filter(lambda key: max(key) < "\ud800" or max(key) > "\udfff")
steps = st.one_of(
    keys.map(Step), st.just(Step(each=True)), st.integers(0, 999).map(lambda item: Step(item=item)),
    st.sampled_from(["*", "rank*"]).map(lambda key: Step(key, each=True)),
)  # fmt: skip


@given(st.lists(steps, max_size=6), st.booleans())
def test_a_written_path_is_the_path(listed, from_top):
    path = JsonPath(tuple(listed), from_top)
    assert parse_path(str(path)) == path


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(json_values, st.sampled_from([None, 1]))
def test_every_value_is_found_at_its_offset(value, indent):
    text = json.dumps(value, indent=indent, ensure_ascii=False)

    def walk(inner, keys):
        assert json.JSONDecoder().raw_decode(text, offset_of(text, keys))[0] == inner
        pairs = inner.items() if isinstance(inner, dict) else enumerate(inner) if isinstance(inner, list) else ()
        for key, item in pairs:
            walk(item, (*keys, key))

    walk(value, ())


@given(json_values)
def test_listed_paths_have_values(value):
    for path in paths_in(value):
        assert any(True for _ in found(value, parse_path(path))), path


def test_paths_of_a_file_are_listed_once():
    assert paths_in(RESPONSE["results"]) == ["[].query.id", "[].hits[].id", "[].hits[].score"]
    by_id = {"q1": {"ctxs": [{"id": "a"}]}, "q2": {"ctxs": [{"id": "b"}]}}
    assert paths_in(by_id) == ["*~", "*.ctxs[].id"]


def test_a_plain_name_is_no_path():
    assert [name for name in ("doc_id", "a.b", "hits[]", "rank*", "doc id") if is_path(name)] == [
        "a.b", "hits[]", "rank*",
    ]  # fmt: skip
