"""Short names tell runs apart; ids are counted as a person counts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irviewer.session.runs.display_names import LEAST, SHORT, least_names, natural_order, short_names


def test_short_names_of_the_sample_and_the_picture() -> None:
    assert short_names(["standard_bm25", "english_bm25", "english_classic"]) == ("st_bm25", "en_bm25", "en_classic")
    assert short_names(["bm25_plain", "bm25_english"]) == ("plain", "english")
    assert short_names(["a", "b"]) == ("a", "b")
    assert short_names(["run"]) == ("run",)
    assert short_names([]) == ()


def test_what_all_share_is_dropped() -> None:
    assert short_names(["input.alpha.run", "input.beta.run"]) == ("alpha", "beta")
    assert short_names(["2024-01-one", "2024-01-two", "2024-02-one"]) == ("01-one", "01-two", "02-one")


def test_names_that_would_coincide_stay_longer() -> None:
    names = ["standardised_bm25_a", "standard_bm25_a", "stemmed_lm_a"]
    assert len(set(short_names(names))) == 3


@given(st.lists(st.text(alphabet="ab1_-. ", min_size=1, max_size=24), unique=True, max_size=12))
def test_short_names_are_as_different_as_the_names(names: list[str]) -> None:
    short = short_names(names)
    assert len(set(short)) == len(names)
    assert all(one and len(one) <= max(SHORT, len(name)) for one, name in zip(short, names, strict=True))


def test_numbers_in_ids_are_counted() -> None:
    def ordered(*ids: str) -> list[str]:
        return [ids[place] for place in natural_order(ids)]

    assert ordered("10", "9", "1") == ["1", "9", "10"]
    assert ordered("q10", "q9", "p1", "q9a") == ["p1", "q9", "q9a", "q10"]
    assert ordered("01", "1", "002") == ["01", "1", "002"]
    assert ordered("b", "1", "a") == ["1", "a", "b"]
    assert ordered("²", "3") == ["3", "²"]


@given(st.lists(st.text(max_size=8), max_size=20))
def test_every_id_is_counted_once(ids: list[str]) -> None:
    assert sorted(natural_order(ids).tolist()) == list(range(len(ids)))


def test_a_few_letters_tell_runs_apart() -> None:
    names = ("bm25_plain", "bm25_english", "fusion_rrf", "tfidf_cosine", "lm_dirichlet")
    assert least_names(names) == ("plain", "engl.", "rrf", "tfidf", "lm")
    assert least_names(("run1", "run2")) == ("run1", "run2")
    assert all(0 < len(one) <= LEAST for one in least_names(["a_b", "b_a", "_", "", "2024", "x" * 40]) if one)


def test_what_begins_alike_is_told_apart_by_its_end() -> None:
    first, second = least_names(("BBGhelani1", "BBGhelani2"))
    assert (first, second) == ("BB…i1", "BB…i2")
    assert least_names(("system_01_variant", "system_29_variant")) == ("01", "29")


def test_names_that_combine_the_same_parts_get_the_beginnings_of_both() -> None:
    names = [
        f"results_{one}_{two}" for one in ("custom", "english", "simple", "standard") for two in ("bm25", "boolean")
    ]
    assert least_names(names) == ("cbm", "cbo", "ebm", "ebo", "sibm", "sibo", "stbm", "stbo")
    # One that has a part of its own keeps it, and nobody gets the same letters twice.
    mixed = ["a_one", "a_two", "b_one", "b_two", "at"]
    assert len(set(least_names(mixed))) == len(mixed)
    assert least_names([*names, "one_that_is_quite_other"])[:8] == least_names(names)


def test_a_run_and_its_edited_copy() -> None:
    names = ("bm25_plain", "bm25_english", "fusion_rrf", "fusion_rrf (edited)")
    assert least_names(names) == ("plain", "engl.", "rrf", "edit.")
