"""Near-duplicates among the first documents of a list, against plain loops over the words."""

from __future__ import annotations

import random

import numpy as np
import pytest

from irviewer.analysis.failures import near_duplicates as module
from irviewer.analysis.failures.near_duplicates import count_near_duplicates, near_duplicates
from tests.helpers.failing import judged_of


def repeated(first: str, second: str) -> bool:
    """The rule in plain loops: 80 per cent of the four-word sequences of the text with fewer, five or more."""
    both = []
    for text in (first, second):
        words = text.lower().split()
        both.append({" ".join(words[start : start + 4]) for start in range(len(words) - 3)})
    shorter, longer = sorted(both, key=len)
    return len(shorter) >= 5 and sum(each in longer for each in shorter) / len(shorter) >= 0.8


def test_a_plain_loop() -> None:
    draw = random.Random(5)
    words = [f"w{number}" for number in range(30)]
    base = [draw.choice(words) for _ in range(20)]
    texts = []
    for _ in range(60):
        text = list(base[: draw.randrange(6, 21)])
        for _ in range(draw.randrange(3)):
            text[draw.randrange(len(text))] = draw.choice(words)
        texts.append(" ".join(text))
    above = near_duplicates(texts).tolist()
    expected = [
        next((above for above in range(row) if repeated(texts[above], texts[row])), -1) for row in range(len(texts))
    ]
    assert above == expected
    assert -1 in above[1:]
    assert max(above) > 0


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        ([], []),
        (["", ""], [-1, -1]),
        (["a b c d e f g", "a b c d e f g"], [-1, -1]),  # four sequences are too few
        (["a b c d e f g h", "A, b; c! d (e) f g h."], [-1, 0]),
        (["x y z", "a b c d e f g h", "a b c d e f g h i j k l m n o p q"], [-1, -1, 1]),
        (["神经病变的常见症状包括刺痛", "神经病变的常见症状包括刺痛和麻木"], [-1, 0]),
    ],
)
def test_short_texts_case_and_scripts(texts: list[str], wanted: list[int]) -> None:
    assert near_duplicates(texts).tolist() == wanted


def test_they_are_counted_in_the_top_of_each_list(monkeypatch: pytest.MonkeyPatch) -> None:
    long = " ".join(f"w{number}" for number in range(12))
    texts = {"a": long, "b": long + " more", "c": "another text of no great length here", "d": ""}
    qrels = {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}}
    rankings = [{"1": ["a", "b", "c"], "2": ["c", "d"], "3": ["d"]}, {"1": ["c", "a", "b"], "2": ["b", "x", "a"]}]
    runs, judged = judged_of(qrels, rankings)
    counts = count_near_duplicates(runs, judged, lambda document: texts.get(document, ""), 2)
    np.testing.assert_array_equal(counts, [[1, 0], [0, 0], [np.nan, np.nan]])
    deeper = count_near_duplicates(runs, judged, lambda document: texts.get(document, ""), 3)
    np.testing.assert_array_equal(deeper, [[1, 1], [0, 1], [np.nan, np.nan]])
    assert np.isnan(count_near_duplicates(runs, judged, None, 3)).all()
    monkeypatch.setattr(module, "MOST_LISTS", 5)
    assert np.isnan(count_near_duplicates(runs, judged, lambda document: texts.get(document, ""), 3)).all()
