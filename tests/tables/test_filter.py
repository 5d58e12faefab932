"""The filter language: what it means, and that whatever a person types is a filter or a clear error."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.model.attributes.queries import QueryAttribute
from irviewer.model.unicode_folding import holds
from irviewer.tables import filter as filters
from irviewer.tables.filter import (
    QUERY_GRAMMAR,
    Both,
    Columns,
    Comparison,
    Either,
    FilterError,
    Without,
    Word,
    matches,
    parse_filter,
    with_attributes,
)
from irviewer.translation import decimal_points, use_decimal_comma

COLUMNS = Columns(
    ids=("1", "3", "13", "q30"),
    texts=("Heat flow in slabs", "boundary layer", "static deflection > 3", ""),
    relevant=np.array([9, 0, 4, 5]),
    delta=np.array([0.2, -0.05, 0.1, np.nan]),
    spread=np.array([0.2, 0.3, np.nan, 0.0]),
    values={
        "bm25": np.array([0.1, 0.3, 0.30004, 0.9]),
        "bm25 tuned": np.array([0.5, 0.5, 0.0, 0.0]),
        "dense": np.array([0.0, 1.0, 0.0, 0.0]),
    },
    attributes=(
        QueryAttribute("length", "number", {"1": 4.0, "3": 2.0, "13": 4.0}),
        QueryAttribute("language", "category", {"1": "de", "3": "en", "13": "en GB"}),
        QueryAttribute("dense", "number", {"1": 7.0}),
    ),
)


def kept(text: str) -> list[str] | None:
    try:
        keep = matches(parse_filter(text), COLUMNS)
    except FilterError:
        return None
    return [query_id for query_id, good in zip(COLUMNS.ids, keep, strict=True) if good]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", ["1", "3", "13", "q30"]),
        ("   ", ["1", "3", "13", "q30"]),
        ("3", ["3", "13", "q30"]),
        ("id:3", ["3"]),
        ("ID:3", ["3"]),
        ("HEAT", ["1"]),
        ("heat slabs", ["1"]),
        ("heat boundary", []),
        ('"boundary layer"', ["3"]),
        ('"layer boundary"', []),
        ('"bound', ["3"]),
        ('""', ["1", "3", "13", "q30"]),
        ("Δ > 0.1", ["1"]),
        ("Δ>=.1", ["1", "13"]),
        ("delta<-.04", ["3"]),
        ("DELTA < −.04", ["3"]),
        ("Δ != 0.1", ["1", "3"]),
        ("spread>=.2", ["1", "3"]),
        ("spread ≤ 0.2", ["1", "q30"]),
        ("relevant<5", ["3", "13"]),
        ("relevant=5", ["q30"]),
        ("rel==5", ["q30"]),
        ("bm25 = .3", ["3", "13"]),
        ('"bm25 tuned" >= .5', ["1", "3"]),
        ("tuned >= .5", ["1", "3"]),
        ("dense>0 layer", ["3"]),
        ("Δ>0 relevant>5 flow", ["1"]),
        ("heat or boundary", ["1", "3"]),
        ("HEAT OR layer and id:3", ["1", "3"]),
        ("(heat or layer) id:3", ["3"]),
        ("(heat or layer) and relevant > 5", ["1"]),
        ("not id:3", ["1", "13", "q30"]),
        ("not heat not id:3", ["13", "q30"]),
        ("not (heat or id:3)", ["13", "q30"]),
        ("not not heat", ["1"]),
        ("not Δ > 0", ["3", "q30"]),
        ("3 or", None),
        ('"or" or "and"', []),
        (".1 < Δ", ["1"]),
        ("5 >= relevant", ["3", "13", "q30"]),
        ("length = 4", ["1", "13"]),
        ("Length > 3 language = DE", ["1"]),
        ("language != de", ["3", "13"]),
        ("language:en", ["3"]),
        ('language = "en GB"', ["13"]),
        ('language:"en gb"', ["13"]),
        ("language:*", ["1", "3", "13"]),
        ("not language:*", ["q30"]),
        ("length:4", ["1", "13"]),
        ("dense > .5", ["3"]),
        ("colour:red", []),
    ],
)
def test_what_a_filter_keeps(text: str, ids: list[str] | None) -> None:
    assert kept(text) == ids


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Δ >", "needs a number"),
        ("Δ > abc", "“abc” in “Δ > abc” is not a number"),
        ("Δ > 0,1", "write a decimal point"),
        ("Δ > nan", "finite"),
        ("Δ > inf", "finite"),
        ("> 0.1", "needs a column before it"),
        ("Δ > > 1", "not a number"),
        ("id:", "id:3"),
        ("nonsense > 1", "unknown column “nonsense”; choose one of Δ, spread, relevant, bm25"),
        ("d = 1", "bm25 tuned, dense"),
        ("b > 1", "bm25, bm25 tuned"),
        ("x > 1", "dense, length, language"),
        ("language > 3", "not numeric; write language = de"),
        ("length = long", "“long” in “length = long” is not a number"),
        ("heat or", "the filter is incomplete at its end"),
        ("or heat", "“or” has nothing before it"),
        ("heat or and layer", "“and” has nothing before it"),
        ("(heat or layer", "closing bracket"),
        ("heat)", "“)” closes no bracket"),
        ("()", "“)” closes no bracket"),
        ("Δ > (1)", "needs a number"),
        ("(" * 5000, "“(”"),
    ],
)
def test_errors_name_the_part_and_the_remedy(text: str, says: str) -> None:
    with pytest.raises(FilterError) as caught:
        matches(parse_filter(text), COLUMNS)
    assert says in str(caught.value)


def test_terms_are_values() -> None:
    assert parse_filter("heat Δ≥.5 id:x") == Both((Word("heat"), Comparison("Δ", ">=", 0.5), Word("x", exact=True)))
    assert parse_filter("a b or not c") == Either((Both((Word("a"), Word("b"))), Without(Word("c"))))


@given(st.text(alphabet="ab3Δ <>=!≥\"'.-,:idonrt()", max_size=30))
def test_anything_typed_is_a_filter_or_a_filter_error(text: str) -> None:
    try:
        keep = matches(parse_filter(text), COLUMNS)
    except FilterError as error:
        assert str(error)
    else:
        assert keep.shape == (4,)
        assert keep.dtype == np.bool_


@given(st.sampled_from(["<", ">", "<=", ">=", "=", "!="]), st.floats(-2, 2))
def test_comparisons_agree_with_python_up_to_the_printed_digit(operator: str, number: float) -> None:
    keep = matches(Comparison("delta", operator, number), COLUMNS)
    for value, good in zip(COLUMNS.delta.tolist(), keep.tolist(), strict=True):
        if np.isnan(value):
            assert not good
        elif abs(value - number) > 1e-4:
            assert good == {"<": value < number, ">": value > number, "<=": value < number, ">=": value > number}.get(
                operator, operator == "!="
            )


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("naive", "12"),
        ("naïve", "1"),
        ("nai\u0308ve", "1"),
        ("STRASSE", "3"),
        ("हिन्", "4"),
        ("हन", ""),
        ("Ｎａｉｖｅ", "12"),
    ],
)
def test_words_are_found_however_they_were_typed(text: str, ids: str) -> None:
    none = np.zeros(4)
    texts = ("NAÏVE bayes", "naive bayes", "Straße", "हिन्दी")
    columns = Columns(("1", "2", "3", "4"), texts, np.zeros(4, np.int64), none, none, {})
    keep = matches(parse_filter(text), columns)
    assert [query_id for query_id, good in zip(columns.ids, keep, strict=True) if good] == list(ids)


@given(
    st.recursive(
        st.sampled_from(["heat", "id:3", "relevant > 4", "Δ > 0"]),
        lambda inner: st.one_of(
            inner.map(lambda condition: f"not ({condition})"),
            st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda three: f"({' '.join(three)})"),
        ),
        max_leaves=8,
    )
)
def test_operators_agree_with_python(text: str) -> None:
    truths = {"heat": "first == 0", "id:3": "first == 1", "relevant > 4": "first in (0, 3)", "Δ > 0": "first in (0, 2)"}
    python = text
    for words, condition in truths.items():
        python = python.replace(words, f"({condition})")
    assert kept(text) == [query_id for first, query_id in enumerate(COLUMNS.ids) if eval(python, {"first": first})]


def test_the_grammar_names_attributes_and_its_examples_are_filters() -> None:
    rows = with_attributes(QUERY_GRAMMAR, (*COLUMNS.attributes, QueryAttribute("asked by", "category", {"1": "a b"})))
    assert ("length >= 4 · language = de", "attributes: length, language, dense, asked by") in rows
    for example in ["length >= 4", "language = de"]:
        assert kept(example) is not None
    for example, _ in rows:
        for part in example.split(" · "):
            assert kept(part) is not None, part


@given(
    st.text(max_size=4),
    st.lists(st.text(max_size=8), max_size=12),
    st.text(alphabet="aB\u00adé1İﬁ", max_size=3),
    st.lists(st.text(alphabet="abAB\u00adéE1iİﬁ ", max_size=5), max_size=9),
)
def test_a_word_is_found_in_many_texts_as_in_each(
    any_word: str, any_texts: list[str], word: str, near: list[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filters, "_MANY", 0)
        for wanted, texts in ((any_word, any_texts), (word, near), (word, any_texts)):
            assert filters._holding(wanted, texts).tolist() == [holds(wanted, text) for text in texts]


@pytest.mark.parametrize(
    ("text", "number"), [("Δ > 0,1", 0.1), ("Δ > 0.1", 0.1), ("−,25 < Δ", -0.25), ("p < ,05", 0.05)]
)
def test_a_window_with_decimal_commas_takes_both_signs(text: str, number: float) -> None:
    use_decimal_comma(True)
    try:
        node = parse_filter(text)
        with decimal_points():
            assert parse_filter(text) == node, "a table that is saved is filtered as it is shown"
        with pytest.raises(FilterError) as fault:
            parse_filter("Δ >")
        with pytest.raises(FilterError):
            parse_filter("Δ > 1.234,5")
    finally:
        use_decimal_comma(False)
    assert isinstance(node, Comparison) and node.number == number
    assert "Δ > 0,1" in str(fault.value)
    assert parse_filter("0,1") == Word("0,1"), "without a comparison it is a word"
