"""Counts in the sentences of lessons, in the number that their language has for them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.measures.parser import parse_measure
from irviewer.measures.plain_words import in_plain_words
from irviewer.model.lessons.lesson import Figure
from irviewer.session.session import Session
from irviewer.session.teaching.figures import figure_text
from irviewer.session.teaching.own_session import opened
from irviewer.translation import choose_language, current_language, trn, use_decimal_comma


def lesson(rankings: str) -> Session:
    return opened(parse_lesson(f"---\ntitle: T\nrankings: {rankings}\n---\nText\n"))


@pytest.mark.parametrize(
    ("rankings", "said"),
    [
        ("1 0 | R=10", "1 of 10 relevant documents is in the list."),
        ("1 1 | R=10", "2 of 10 relevant documents are in the list."),
        ("0 0 | R=10", "0 of 10 relevant documents are in the list."),
        ("0 0 | R=1", "The relevant document is not in the list."),
        ("0 1 | R=1", "The relevant document is found at rank 2."),
    ],
)
def test_what_a_list_holds_is_one_or_many(rankings: str, said: str) -> None:
    view_model = lesson(rankings).teaching.lesson_view_model()
    assert view_model is not None
    assert view_model.told == said


@pytest.mark.parametrize(
    ("depth", "rankings", "said"),
    [
        (2, "\n  a: 1 0\n  b: 0 1", "The relevant document in the lists is in the pool."),
        (2, "\n  a: 1 1\n  b: 1 1", "All 2 relevant documents in the lists are in the pool."),
        (
            1,
            "\n  a: 1 0 1\n  b: 1 0 1",
            "1 of 2 relevant documents in the lists is in the pool; the others stay unjudged.",
        ),
    ],
)
def test_what_a_pool_holds_is_one_or_many(depth: int, rankings: str, said: str) -> None:
    session = lesson(rankings)
    session.evaluation.set_cutoff(depth)
    pool = session.teaching.pool_building()
    assert pool is not None
    assert pool.relevant == said


@pytest.mark.parametrize("measure", ["nDCG@1", "P@1", "R@1", "RR@1", "Success@1"])
def test_the_first_result_is_one(measure: str) -> None:
    words = in_plain_words(parse_measure(measure))
    assert "first 1" not in words
    assert "1 results" not in words


@pytest.fixture
def spanish() -> Iterator[None]:
    before = current_language()
    choose_language("es")
    use_decimal_comma(True)
    yield
    choose_language(before)
    use_decimal_comma(False)


@pytest.mark.usefixtures("spanish")
def test_one_relevant_document_is_one_in_spanish() -> None:
    said = [trn("{n:,} relevant · {position}", "{n:,} relevant · {position}", n, position="") for n in (1, 2)]
    assert said == ["1 relevante · ", "2 relevantes · "]


@pytest.mark.usefixtures("spanish")
def test_why_an_author_rounded_has_the_decimal_sign_of_the_window() -> None:
    figure = Figure("nDCG@10", "0.9538", 0.9538, 4, source="Author", note="da 0.95389, cortado")
    assert figure_text(figure, 0.9541).endswith("da 0,95389, cortado")
