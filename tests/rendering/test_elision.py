"""Texts are shortened only as far as they stay different."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irviewer.rendering.elision import distinct_forms, start_of_all, without_start

some_texts = st.lists(st.text(alphabet="ab1_- ", min_size=1, max_size=30), unique=True, max_size=20)


@given(some_texts, st.integers(5, 16), st.booleans())
def test_different_texts_have_different_forms(texts: list[str], letters: int, at_separators: bool) -> None:
    forms = distinct_forms(texts, letters, at_separators=at_separators)
    assert len(set(forms)) == len(texts)
    for text, form in zip(texts, forms, strict=True):
        assert len(form) <= max(letters, len(text))
        assert form == text or "…" in form
        assert len(text) > letters or form == text


@given(some_texts, st.randoms(use_true_random=False))
def test_the_order_does_not_matter(texts: list[str], random) -> None:  # type: ignore[no-untyped-def]
    forms = dict(zip(texts, distinct_forms(texts, 8), strict=True))
    random.shuffle(texts)
    assert dict(zip(texts, distinct_forms(texts, 8), strict=True)) == forms


def test_what_differs_in_the_middle_stays() -> None:
    first, second = "WAPO_b2e89334-33f9-11e1-4QNU", "WAPO_b2e89334-55f9-11e1-4QNU"
    assert distinct_forms([first], 9, at_separators=False) == ("WAPO…4QNU",)
    shown = distinct_forms([first, second], 9)
    assert shown[0] != shown[1]
    assert all(len(form) == 9 for form in shown)


def test_a_cut_is_best_at_separators() -> None:
    assert distinct_forms(["bm25_baseline"], 12) == ("bm25_…seline",)
    assert distinct_forms(["TU_Vienna_TKL_1", "TU_Vienna_TKL_2"], 12) == ("TU_Vi…_TKL_1", "TU_Vi…_TKL_2")


def test_no_letter_is_cut_from_its_accent_and_no_emoji_taken_apart() -> None:
    accents = ["e\u0301" * 9 + end for end in "ab"]
    families = ["run_of_\U0001f468\u200d\U0001f469\u200d" + end for end in ("\U0001f467", "\U0001f466")]
    flags = ["\U0001f1eb\U0001f1f7" * 6 + end for end in ("\U0001f1e9\U0001f1ea", "\U0001f1eb\U0001f1ee")]
    for texts in (accents, families, flags):
        for letters in range(5, 12):
            forms = distinct_forms(texts, letters)
            assert len(set(forms)) == 2
            for form in forms:
                pieces = form.split("…")
                assert not any(piece.startswith(("\u0301", "\u200d")) or piece.endswith("\u200d") for piece in pieces)
                assert all(sum(0x1F1E6 <= ord(letter) < 0x1F200 for letter in piece) % 2 == 0 for piece in pieces)
                assert form.endswith(("a", "b", families[0][7:], families[1][7:], flags[0][-2:], flags[1][-2:]))


@given(some_texts, st.sampled_from(["", "a_", "run_2024-", "x" * 9]))
def test_what_all_begin_with_is_a_start_of_each(texts: list[str], start: str) -> None:
    texts = [start + text for text in texts]
    shared = start_of_all(texts)
    assert all(text.startswith(shared) and len(text) > len(shared) for text in texts) or not shared
    assert len(texts) < 2 or not start.endswith(("_", "-")) or len(start) < 4 or len(shared) >= len(start)
    forms = [without_start(text, shared) for text in texts]
    assert len(set(forms)) == len(texts)
    assert not shared or [shared + form.removeprefix("…") for form in forms] == texts
