"""Words, numbers and names of texts, and what one text has of another."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from irviewer.analysis.answers.words import has_negation, lacking, numbers_of, quoted_names, share_of_words, words_of


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


def test_shares_and_negations() -> None:
    assert share_of_words("blue light air", "Blue air") == pytest.approx(2 / 3)
    assert share_of_words("", "x") == 0
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
