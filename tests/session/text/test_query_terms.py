"""Which words of a document are marked as the query's."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.session.text.query_terms import counted, marks, query_terms, stem


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
    ("first", "other"), [("gas", "gate"), ("ring", "rag"), ("mass", "mast"), ("flow", "flaw"), ("1", "11")]
)
def test_other_words_do_not(first: str, other: str) -> None:
    assert stem(first) != stem(other)


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


def _marked(query: str, text: str) -> list[str]:
    return [text[start : start + length] for start, length in marks(text, query_terms(query))]


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("हिन्दी भाषा", "यह हिन्दी भाषा का कोश, हिन्दू नहीं", ["हिन्दी", "भाषा"]),
        ("বাংলা ভাষা", "আমি বাংলা ভাষায় নয়, বাংলা বলি", ["বাংলা", "বাংলা"]),
        ("流体力学", "日本の流体力学の研究", ["流体力学"]),
        ("日本の流体力学の研究", "研究は日本", ["研究", "日本"]),
        ("中国经济发展", "发展中的中国，经济", ["发展", "中国", "经济"]),
        ("ภาษาไทยได้", "ผมพูดภาษาไทยได้ดี", ["ภาษาไทยได้"]),
        ("ได", "ได้", []),  # without its tone it is another syllable
        ("ខ្មែរ", "ភាសាខ្មែរ", ["ខ្មែរ"]),
        ("မြန်မာ", "မြန်မာစာ", ["မြန်မာ"]),
        ("ガス", "ｶﾞｽとカス", ["ｶﾞｽ"]),
        ("STRASSE", "Die straße", ["straße"]),
        ("straße", "DIE STRASSE", ["STRASSE"]),
        ("naive", "A naïve, nai\u0308ve NAIVE", ["naïve", "nai\u0308ve", "NAIVE"]),
        ("naïve", "A naïve, nai\u0308ve NAIVE", ["naïve", "nai\u0308ve"]),
        ("Python言語", "python3 pythonの言語", ["python", "言語"]),
        ("שלום", "שָׁלוֹם", ["שָׁלוֹם"]),
        ("می‌خواهم", "من می‌خواهم", ["می‌خواهم"]),
    ],
)  # fmt: skip
def test_words_of_other_scripts(query: str, text: str, expected: list[str]) -> None:
    assert _marked(query, text) == expected
    if expected:
        assert sum(counted(text, query_terms(query))) == len(expected)


def test_terms_are_shown_as_they_were_written() -> None:
    assert query_terms("Die Straße, STRASSE und हिन्दी") == ("die", "straße", "und", "हिन्दी")
    assert query_terms("日本の流体力学の研究") == ("日本", "流体力学", "研究")
    assert query_terms("のはから") == ("のはから",)


def _slow(text: str, term: str) -> list[tuple[int, int]]:
    """Every stretch of the text tried, from the left: those that are the term when they stand alone."""
    slow_parts, start = [], 0
    while start < len(text):
        for end in range(start + 1, len(text) + 1):
            alone = normalize("NFKC", text[start:end]) == term
            if alone and text[start] not in "ﾞ\u3099" and not (end < len(text) and text[end] in "ﾞ\u3099"):
                slow_parts.append((start, end - start))
                start = end - 1
                break
        start += 1
    return slow_parts


@given(st.text("カガｶﾞ力学\u3099 a", max_size=12), st.sampled_from(["カ", "ガ", "力学", "学力", "ガ力", "力力", "カカ"]))
def test_places_without_spaces_are_those_of_the_text_as_it_is_written(text: str, term: str) -> None:
    assert list(marks(text, (term,))) == _slow(text, term)
