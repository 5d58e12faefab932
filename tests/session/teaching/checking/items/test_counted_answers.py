"""Typed answers are compared with what the rankings and judgments of a lesson give, where a title asks for a count, a
rank or a ranking in a form that is known."""

from __future__ import annotations

import pytest

from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.session.teaching.checking.faults import faults_of

ONE = "rankings: 1 0 1 ? 0 1 | R=5"
TWO = "rankings:\n  early: 1 0 1 0 0 | R=4\n  late: 0 1 1 0 1"
QUERIES = "rankings:\n  1 0 1 0 | R=3\n  ---\n  0 0 1 1 | R=2"


def said_of(rankings: str, title: str, answer: object, before: str = "", more: str = "") -> list[str]:
    head = f"---\ntitle: T\nmeasure: AP\n{rankings}\n---\nA text.\n\n{before}"
    text = f"{head}## Question: {title}\nanswer: {answer}\n{more}"
    return [f"{fault.reason} [{fault.text}]" for fault in faults_of(parse_lesson(text, "l.md"))]


@pytest.mark.parametrize(
    ("rankings", "title", "right"),
    [
        (ONE, "How many of the first five documents are relevant?", 2),
        (ONE, "How many of the first 3 documents are not relevant?", 1),
        (ONE, "How many relevant documents are there among the first five?", 2),
        (ONE, "How many relevant documents are missed?", 2),
        (ONE, "How many relevant documents are not retrieved?", 2),
        (ONE, "How many documents are unjudged?", 1),
        (ONE, "How many false negatives does this system have?", 2),
        (ONE, "At which rank is the second relevant document?", 3),
        (ONE, "What is the rank of the last relevant document in the list?", 6),
        (ONE, "At which rank is document C?", 3),
        (ONE, "¿En qué posición está el segundo documento relevante?", 3),
        (ONE, "¿Cuántos de los cinco primeros documentos son relevantes?", 2),
        (ONE, "¿Cuántos de los primeros tres documentos no son relevantes?", 1),
        (ONE, "¿Cuántos documentos relevantes faltan?", 2),
        (ONE, "¿Cuántos documentos relevantes no se recuperan?", 2),
        (ONE, "¿Cuántos documentos no están juzgados?", 1),
        (TWO, "How many relevant documents does early find?", 2),
        (TWO, "How many relevant documents does late find among the first two?", 1),
        (TWO, "At which rank is the first relevant document of late?", 2),
        (TWO, "In the ranking late, at which rank is the first relevant document?", 2),
        (TWO, "¿En qué posición está el primer documento relevante de la lista late?", 2),
        (TWO, "How many relevant documents has query 1?", 4),
        (QUERIES, "How many relevant documents has query 2?", 2),
        (QUERIES, "How many relevant documents does query 1 have?", 3),
        (QUERIES, "¿Cuántos documentos relevantes tiene la consulta 2?", 2),
        (QUERIES, "At which rank is the first relevant document of query 2?", 3),
        (QUERIES, "How many relevant documents are missed for query 1?", 1),
    ],
)
def test_a_typed_count_is_counted(rankings: str, title: str, right: int) -> None:
    assert said_of(rankings, title, right) == []
    for wrong in (right + 1, right - 1, right + 4):
        assert f"counted here: {right}, not {wrong} [answer: {wrong}]" in said_of(rankings, title, wrong)


def test_a_count_in_words_is_counted_too() -> None:
    assert said_of(ONE, "How many relevant documents are missed?", "two") == []
    assert said_of(ONE, "How many relevant documents are missed?", "three") == [
        "counted here: 2, not three [answer: three]"
    ]


@pytest.mark.parametrize(
    ("title", "right"),
    [
        ("How many documents are retrieved by both?", 4),  # two of grade 1, two of grade 0
        ("How many relevant documents do early and late have in common?", 2),
        ("How many documents are found by both lists among the first two?", 2),  # grades 1 0, and 0 1
        ("¿Cuántos documentos recuperan ambos sistemas?", 4),
        ("¿Cuántos documentos relevantes recuperan los dos?", 2),
        ("¿Cuántos documentos tienen en común early y late?", 4),
    ],
)
def test_what_two_rankings_share_is_counted(title: str, right: int) -> None:
    assert said_of(TWO, title, right) == []
    assert said_of(TWO, title, right + 1)[-1].startswith(f"counted here: {right}, not {right + 1}")


def test_a_question_that_names_no_list_is_about_each() -> None:
    title = "At which rank is the first relevant document?"
    assert said_of(QUERIES, title, 1) == said_of(QUERIES, title, 3) == []
    assert said_of(QUERIES, title, 2) == ["counted here: query 1: 1; query 2: 3, not 2 [answer: 2]"]
    assert said_of(QUERIES, title, 1, more="query: 2\n") == ["counted here: 3, not 1 [answer: 1]"]


def test_a_typed_name_is_that_of_the_better_ranking() -> None:
    assert said_of(TWO, "Which ranking has the higher P@1?", "early") == []
    assert "P@1 of early is 1.0000" in said_of(TWO, "Which ranking has the higher P@1?", "late")[0]
    assert "P@1 of early is 1.0000" in said_of(TWO, "¿Qué lista tiene el mayor P@1?", "late")[0]


@pytest.mark.parametrize(
    "title",
    [
        "How many of the first five documents could be relevant?",
        "How many of the first ten documents are relevant?",  # no list is so long
        "If one more is judged, how many documents are unjudged?",
        "After the swap, at which rank is the first relevant document?",
        "How many relevant documents does a typical query have?",
        "How many relevant documents has the other list?",
        "How many users stop at the first relevant document?",
        "How many relevant documents has query 7?",
    ],
)
def test_what_may_be_about_something_else_is_passed_over(title: str) -> None:
    assert not [each for each in said_of(ONE, title, 8) if "counted" in each]


@pytest.mark.parametrize(
    "title",
    ["How many relevant documents are found?", "How many documents are unjudged?", "How many documents are relevant?"],
)
def test_a_count_that_names_no_list_of_several_can_be_of_all_together(title: str) -> None:
    assert said_of(TWO, title, 7) == said_of(QUERIES, title, 7) == []


def test_a_question_can_be_about_the_step_above_it_another_list_or_the_cutoff() -> None:
    title = "At which rank is the first relevant document?"
    assert said_of(ONE, title, 2, before="## Step: Swap ranks 1 and 2\ndo: swap 1 2\n\nLook.\n\n") == []
    of_late, swap = "At which rank is the first relevant document of late?", "do: swap 1 2 in late\n\nLook.\n\n"
    assert said_of(TWO, of_late, 1, before=f"## Step: Swap ranks 1 and 2\n{swap}") == []
    assert said_of(ONE, title, 4, more="\nThe list is `0 0 0 1`.\n") == []
    assert said_of(ONE, "How many relevant documents are missed?", 3, more="cutoff: 3\n") == []
