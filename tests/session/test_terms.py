"""Which words of a document are marked as the query's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.session.terms import counted, marks, query_terms, stem


def test_stop_words_are_no_terms_unless_there_is_nothing_else() -> None:
    assert query_terms("What problems of heat conduction in composite slabs, heat") == (
        "problems", "heat", "conduction", "composite", "slabs",
    )  # fmt: skip
    assert query_terms("to be or not to be") == ("to", "be", "or", "not")
    assert query_terms("") == ()


@pytest.mark.parametrize(
    "words",
    [
        ("slab", "slabs"),
        ("heat", "heated", "heating", "heats"),
        ("run", "running", "runs"),
        ("study", "studies", "studied"),
        ("conduct", "conducted", "conduction"),
        ("solve", "solved", "solving"),
        ("rate", "rates", "rated"),
        ("roll", "rolling", "rolled"),
        ("wing", "wings"),
        ("body", "bodies"),
    ],
)
def test_inflections_share_a_stem(words: tuple[str, ...]) -> None:
    assert len({stem(word) for word in words}) == 1, [stem(word) for word in words]


@pytest.mark.parametrize(
    ("one", "other"), [("gas", "gate"), ("ring", "rag"), ("mass", "mast"), ("flow", "flaw"), ("1", "11")]
)
def test_other_words_do_not(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_marks_are_whole_words_at_their_places() -> None:
    text = "Heated SLABS; a preheated slab's edge (heat)."
    assert [text[start : start + length] for start, length in marks(text, ("heat", "slab"))] == [
        "Heated", "SLABS", "slab's", "heat",
    ]  # fmt: skip
    assert marks(text, ()) == ()
    assert marks("", ("heat",)) == ()


@given(st.text(max_size=80), st.lists(st.text(max_size=8), max_size=4))
def test_marks_lie_inside_the_text_in_order_and_apart(text: str, terms: list[str]) -> None:
    end = 0
    for start, length in marks(text, terms):
        assert start >= end
        assert length > 0
        end = start + length
    assert end <= len(text)


@given(st.text(alphabet="abcdeginorsty'", min_size=1, max_size=12))
def test_a_stem_is_never_empty(word: str) -> None:
    assert stem(word) or word.strip("'s") == ""


def test_counted_by_stem() -> None:
    assert counted("Panels flutter; a panel's flutter is fluttering.", ("flutter", "panel", "wing")) == (3, 2, 0)
    assert counted("", ("a",)) == (0,)
