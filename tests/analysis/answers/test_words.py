"""Words, numbers and names of texts, and what one text has of another."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from irviewer.analysis.answers.words import (
    _WHOLE_SCRIPTS,
    _WORD,
    FUNCTION_WORDS,
    alike_sentences,
    has_negation,
    lacking,
    most_alike,
    nearest_sentence,
    normal,
    numbers_of,
    quoted_names,
    words_by_letters,
    words_of,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Russia's gas, and the GAS", {"russia", "gas"}),
        ("of the", {"of", "the"}),  # nothing but function words
        ("", set()),
        ("…!", set()),
        ("ﬁnd Ｎａｍｅ", {"find", "name"}),  # NFKC
        ("天空は青い", {"天空", "空は", "は青", "青い"}),
        ("السماء زرقاء", {"السماء", "زرقاء"}),
    ],
)
def test_words(text: str, words: set[str]) -> None:
    assert words_of(text) == words


def test_numbers_are_compared_by_value() -> None:
    assert numbers_of("In 1990, 15,000 of 15000 and 2.50 or 2.5") == {"1990": "1990", "15000": "15,000", "2.5": "2.50"}
    assert lacking("37% of 15,000 in 2019", "15000 in 2019") == ("37",)
    assert lacking("no number", "none") == ()


def test_quoted_names_may_differ_in_case_and_blanks() -> None:
    assert quoted_names('“Nord  Stream” and "B 52" and «x y»') == ("Nord  Stream", "B 52", "x y")
    assert lacking("“Nord  Stream”", "the nord stream pipeline") == ()
    assert lacking("“Nord Stream”", "a pipeline") == ("Nord Stream",)


@pytest.mark.parametrize("seed", range(5))
def test_words_of_texts_without_scripts_that_write_no_blanks(seed: int) -> None:
    """Those are read at once; word by word the result is the same."""
    dice = random.Random(seed)
    parts = ["The", "gas's", "of", "Ｎａｍｅ", "天空", "青", "ไทย", "it’s", "x", "...", "don't", "السماء"]
    for _ in range(200):
        text = " ".join(dice.choices(parts if dice.random() < 0.5 else parts[:4] + parts[7:], k=dice.randint(0, 6)))
        every: set[str] = set()
        for word in _WORD.findall(normal(text)):
            if not _WHOLE_SCRIPTS.search(word):
                every.add(word.removesuffix("'s"))
            else:
                every |= {word[at : at + 2] for at in range(len(word) - 1)} if len(word) > 1 else {word}
        assert words_of(text) == ((every - FUNCTION_WORDS) or every), text


def test_sentences_like_a_nugget() -> None:
    said = [words_of(text) for text in ("Green air", "Blue air", "x", "light and blue air")]
    assert alike_sentences("blue light air", said) == (2, 4)
    assert most_alike("blue light air", said) == 3
    assert most_alike("blue light air", said[:3]) == 1
    assert most_alike("blue light air sea", said[:1]) is None and most_alike("blue", []) is None
    assert alike_sentences("", said) == () and most_alike("", [frozenset()]) is None
    assert alike_sentences("air", [frozenset({"x"})] * 400 + [frozenset({"air"})]) == (), "beyond the first 400"


@pytest.mark.parametrize("seed", range(5))
def test_the_nearest_sentence(seed: int) -> None:
    """The first that has most of a nugget's words, however few."""
    draw = random.Random(seed)
    nugget = " ".join(draw.sample(["alpha", "beta", "gamma", "delta", "epsilon"], 4))
    texts = [" ".join(draw.sample(["alpha", "beta", "eta", "theta", "iota", "kappa"], 3)) for _ in range(6)]
    shared = [len({*text.split()} & {*nugget.split()}) for text in texts]
    number, most, count = nearest_sentence(nugget, [words_of(text) for text in texts])
    assert (most, count) == (max(shared), 4)
    assert number == (1 + shared.index(most) if most else 0)
    assert nearest_sentence("zeta", [words_of("eta")]) == (0, 0, 1) and nearest_sentence("zeta", []) == (0, 0, 1)


def test_negations() -> None:
    assert has_negation("It isn’t so") and has_negation("No.") and not has_negation("knot")


def test_as_many_credited_numbers_are_nowhere_as_the_data_say(data: Path) -> None:
    """SOURCE.md of the data: 59 of the 105 nuggets with a number that are assigned “support”."""
    folder = data / "trec-rag-2024" / "assignments"
    if not folder.is_dir():
        pytest.skip("the data of the track are not here")
    credited = doubted = 0
    for path in sorted(folder.iterdir()):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                for nugget in record["nuggets"]:
                    if nugget["assignment"] == "support" and numbers_of(nugget["text"]):
                        credited += 1
                        doubted += bool(set(lacking(nugget["text"], record["answer_text"])) - set(
                            quoted_names(nugget["text"])))  # fmt: skip
    assert (doubted, credited) == (59, 105)


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=80))
def test_ascii_has_the_words_of_any_script(text: str) -> None:
    assert words_of(text) == words_by_letters(text)


@given(st.text(max_size=60))
def test_other_scripts_take_the_general_way(text: str) -> None:
    assert words_of(text) == words_by_letters(text)
