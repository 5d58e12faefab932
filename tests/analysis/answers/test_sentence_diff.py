"""Two answers sentence by sentence."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irviewer.analysis.answers.sentence_diff import AlignedSentence, aligned_sentences


def test_equal_reworded_added_and_dropped() -> None:
    first = ["Air scatters blue light.", "Violet is scattered too.", "Gone for good."]
    second = ["Air  scatters blue light.", "New here.", "Violet light is scattered too."]
    assert aligned_sentences(first, second) == (
        AlignedSentence(0, 0, True), AlignedSentence(None, 1), AlignedSentence(1, 2), AlignedSentence(2, None),
    )  # fmt: skip


SENTENCES = st.lists(st.sampled_from(["a b c d", "a b c e", "x y", "z", ""]), max_size=6)


@given(first=SENTENCES, second=SENTENCES)
def test_every_sentence_has_one_row_in_its_order(first: list[str], second: list[str]) -> None:
    rows = aligned_sentences(first, second)
    assert [row.first for row in rows if row.first is not None] == list(range(len(first)))
    assert [row.second for row in rows if row.second is not None] == list(range(len(second)))
    for row in rows:
        if row.same:
            assert row.first is not None and row.second is not None and first[row.first] == second[row.second]


def test_answers_too_long_to_compare_keep_their_equal_sentences() -> None:
    first = [f"unlike {n} a" for n in range(60)] + ["same"]
    second = [f"other {n} b" for n in range(60)] + ["same"]
    rows = aligned_sentences(first, second)
    assert len(rows) == 121 and rows[-1] == AlignedSentence(60, 60, True)
