"""The mean over queries is said in lessons about means, of every shown run, and never while a question asks."""

from __future__ import annotations

import pytest

from irviewer.session.session import Session


def opened(name: str) -> Session:
    session = Session()
    assert session.teaching.open_example(name)
    return session


def average_precision(ranking: list[int], relevant: int) -> float:
    hits, total = 0, 0.0
    for rank, grade in enumerate(ranking, start=1):
        hits += grade
        total += grade * hits / rank
    return total / relevant


def test_map_is_the_mean_of_ap() -> None:
    first, second = [1, 0, 1, 0, 0, 1, 0, 0, 1, 1], [0, 1, 0, 0, 1, 0, 1, 0, 0, 0]
    mean = (average_precision(first, 5) + average_precision(second, 3)) / 2
    session = opened("b7")
    assert session.teaching.mean_text() == ""  # a question asks for it
    session.lessons.show_place(2)
    session.teaching.show_answer()
    assert session.teaching.mean_text() == f"Mean of 2 queries: MAP = {mean:.4f}."


def test_mrr_is_said_once_the_question_that_asks_for_it_is_answered() -> None:
    session = opened("mrr")
    assert session.teaching.mean_text() == ""
    session.lessons.show_place(2)
    session.teaching.answer(".458")
    assert session.teaching.given is not None
    assert session.teaching.given.right
    assert session.teaching.mean_text() == f"Mean of 4 queries: MRR = {(1 / 3 + 1 + 1 / 2 + 0) / 4:.4f}."


def test_several_runs_have_their_names() -> None:
    session = opened("pr-mean")
    context = session.view.context
    assert context is not None
    first, second = (context.mean(entry, context.measure) for entry in context.shown_runs)
    assert session.teaching.mean_text() == f"Mean of 2 queries, 11pt_avg: first {first:.4f}; second {second:.4f}."


@pytest.mark.parametrize("name", ["b2", "effect", "judges"])
def test_a_single_query_two_judges_and_compare_have_no_mean(name: str) -> None:
    assert opened(name).teaching.mean_text() == ""
