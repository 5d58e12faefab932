"""Names tell runs apart, without what all share; ids are counted as a person counts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irviewer.model.natural_order import natural_order
from irviewer.model.run_names import display_names, start_of_most
from irviewer.rendering.run_label import RunLabel
from irviewer.session.runs.display_names import SHORT, short_names, shorter_forms

some_names = st.lists(st.text(alphabet="ab1_-. ", min_size=1, max_size=24), unique=True, max_size=12)


def test_what_all_names_share_is_cut() -> None:
    assert display_names(["bm25_plain", "bm25_english"]) == ("plain", "english")
    assert display_names(["input.alpha.run", "input.beta.run"]) == ("alpha", "beta")
    assert display_names(["standard_bm25", "english_bm25", "english_classic"]) == (
        "standard_bm25", "english_bm25", "english_classic",
    )  # fmt: skip
    assert display_names(["run"]) == ("run",)
    assert display_names([]) == ()


def test_what_is_left_is_a_name() -> None:
    assert display_names(["run_1", "run_2"]) == ("run_1", "run_2")
    assert display_names(["bm25_k1_0.9", "bm25_k1_0.8"]) == ("k1_0.9", "k1_0.8")
    assert display_names(["a", "a_b"]) == ("a", "a_b")


def test_numbers_stay_whole() -> None:
    assert display_names(["bm25_0.9", "bm25_1.9"]) == ("bm25_0.9", "bm25_1.9")
    assert display_names(["lm_k1=0.9,b=0.4", "lm_k1=0.9,b=0.5"]) == ("k1=0.9,b=0.4", "k1=0.9,b=0.5")
    assert display_names(["run-v1.2", "run-v2.2"]) == ("v1.2", "v2.2")
    assert display_names(["splade.x2.5.run", "dense.x3.5.run"]) == ("splade.x2.5", "dense.x3.5")


def test_a_renamed_or_fused_run_leaves_the_other_names() -> None:
    read = ["results_custom_bm25", "results_english_bm25", "results_simple_lm"]
    before = display_names(read)
    assert before == ("custom_bm25", "english_bm25", "simple_lm")
    assert display_names([*read[:2], "my best", "rrf"], read) == (*before[:2], "my best", "rrf")


def test_names_that_would_become_equal_stay_whole() -> None:
    read = ["results_one", "results_two"]
    assert display_names(["results_one", "one"], read) == ("results_one", "one")


@given(some_names, some_names)
def test_names_are_as_different_as_before(names: list[str], read: list[str]) -> None:
    shown = display_names(names, read)
    assert len(set(shown)) == len(names)
    assert all(short and short in name for short, name in zip(shown, names, strict=True))


@given(some_names)
def test_short_names_are_as_different_as_the_names(names: list[str]) -> None:
    short = short_names(names)
    assert len(set(short)) == len(names)
    assert all(len(name) > SHORT or form == name for form, name in zip(short, names, strict=True))


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


def test_a_long_name_takes_the_room_that_there_is() -> None:
    names = [f"a_name_of_many_words_that_describe_a_run_number_{number}" for number in range(3)]
    forms = zip(names, short_names(names), shorter_forms(names), strict=True)
    labels = [
        RunLabel(key, name, short, key, None, True, False, False, name, forms=further)
        for key, (name, short, further) in enumerate(forms)
    ]
    for label in labels:
        lengths = [len(form) for form in label.shorter_names]
        assert lengths == sorted(lengths, reverse=True)
        assert lengths[0] == 40
        assert label.short in label.shorter_names
        assert all(form.endswith(str(label.key)) for form in label.shorter_names)


def test_a_short_name_keeps_the_words_that_differ() -> None:
    analysers, models = ("custom", "english", "whitespace"), ("bm25", "classic", "boolean")
    names = [*(f"results_{analyser}_{model}" for analyser in analysers for model in models), "cran_top50"]
    short = dict(zip(names, short_names(names), strict=True))
    assert short["results_custom_bm25"] == "…custom_bm25"
    assert short["results_english_classic"] == "eng…classic"
    assert short["cran_top50"] == "cran_top50"
    sixteen = dict(
        zip(names, ([form for form in forms if len(form) <= 16] for forms in shorter_forms(names)), strict=True)
    )
    assert sixteen["results_english_bm25"][0] == "…english_bm25"
    assert sixteen["results_whitespace_bm25"][0] == "…whitespace_bm25"


def test_the_start_of_most_names_is_words_of_more_than_half() -> None:
    assert start_of_most(["results_a1_x", "results_b1_x", "other"]) == "results_"
    assert start_of_most(["results_a1_x", "results_b1_x", "other", "more"]) == ""
    assert start_of_most(["results_a1_x", "results_b1_x"]) == "", "what all share is cut already"
    assert start_of_most(["p_a1", "p_b1", "other"]) == "", "two letters cost no room"
    assert start_of_most(["runs_1", "runs_2", "other"]) == "", "numbers are no names"
    assert start_of_most([]) == ""


@given(some_names)
def test_the_start_of_most_leaves_names(names: list[str]) -> None:
    start = start_of_most(names)
    assert sum(name.startswith(start) for name in names) > len(names) / 2 or not start
    for forms in zip(*shorter_forms(names), strict=True):
        assert len(set(forms)) == len(names)
