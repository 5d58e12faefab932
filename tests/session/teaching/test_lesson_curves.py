"""Precision-recall curves of lessons, against loops over the ranking; questions beside views that show values."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.session.session import Session

RANKING = [1, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1]


def opened(name: str) -> Session:
    session = Session()
    assert session.teaching.open_example(name)
    return session


def points(session: Session) -> list[list[tuple[float, float]]]:
    figure = session.teaching.lesson_curve()
    assert figure is not None
    return [list(zip(curve.x.tolist(), curve.y.tolist(), strict=True)) for curve in figure.curves]


def test_the_raw_curve_has_a_point_at_every_rank() -> None:
    session = opened("pr-raw")
    assert session.teaching.lesson.view == "curves"
    assert session.teaching.curve == "raw"
    (raw,) = points(session)
    hits = [sum(RANKING[: rank + 1]) for rank in range(20)]
    by_hand = [(hit / 10, hit / rank) for rank, hit in enumerate(hits, start=1)]
    corners = [
        point
        for before, point, after in zip([None, *by_hand], by_hand, [*by_hand[1:], None], strict=False)
        if before is None or after is None or not before[0] == point[0] == after[0]  # on a straight line down
    ]
    assert np.array(raw) == pytest.approx(np.array(corners))


def test_the_interpolated_curve_is_the_highest_precision_to_the_right() -> None:
    session = opened("pr-interpolated")
    assert session.teaching.curve == "interpolated"
    (steps,) = points(session)
    hits = [sum(RANKING[: rank + 1]) for rank in range(20)]
    raw = [(hit / 10, hit / rank) for rank, hit in enumerate(hits, start=1)]
    for recall, precision in steps[1:]:
        assert any(
            precision == pytest.approx(max(p for r, p in raw if r >= level - 1e-9))
            for level in (recall, recall + 0.05)  # a corner has the value of its own recall and that of the next
            if level <= 1
        )
    session.teaching.set_curve("raw")
    assert points(session) == points(opened("pr-raw"))


def test_the_mean_curve_is_the_mean_of_the_queries_at_every_hundredth() -> None:
    session = opened("pr-mean")
    assert session.teaching.curve == "mean"
    lists = {"first": ([1, 0, 1, 0, 0, 1, 0, 0, 1, 1], [0, 1, 0, 0, 1, 0, 1, 0, 0, 0]),
             "second": ([1, 1, 0, 0, 0, 0, 0, 1, 1, 1], [1, 0, 0, 0, 0, 0, 1, 0, 0, 1])}  # fmt: skip

    def interpolated(ranking: list[int], hundredths: int) -> float:
        total = sum(ranking)
        values = [sum(ranking[:k]) / k for k in range(1, 11) if sum(ranking[:k]) * 100 >= hundredths * total]
        return max(values, default=0.0)

    drawn = points(session)
    for rankings, curve in zip(lists.values(), drawn, strict=True):
        recall, precision = np.array(curve).T  # without the points between equal values
        by_hand = [sum(interpolated(each, level) for each in rankings) / 2 for level in range(101)]
        assert np.interp(np.arange(101) / 100, recall, precision) == pytest.approx(np.array(by_hand))


@pytest.mark.parametrize("name", ["effect", "significance", "mrr", "bounded", "collection", "judges"])
def test_a_question_is_asked_where_values_are_covered(name: str) -> None:
    session = opened(name)
    assert session.view.place in (("query",) if name in ("mrr", "judges", "significance") else ("compare", "queries"))
    lesson = session.lessons.lesson
    assert lesson is not None
    for place in range(1, len(lesson.items) + 1):
        session.lessons.show_place(place)
        if session.teaching.is_asking:
            assert session.view.place == "query"
        session.teaching.show_answer()
    session.lessons.show_place(0)  # all is answered: what a lesson covered is shown
    assert session.view.place in ("compare", "queries")


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", ["cutoff", "graded", "significance"])
def test_values_that_decide_a_choice_are_covered_before_it(name: str, language: str) -> None:
    """“Which is better by P@10?” was asked after both values were shown, and “Is it significant?” after its test."""
    lesson = bundled_course(language).lesson(name)
    assert lesson is not None
    session = Session()
    assert session.teaching.open(lesson)
    assert session.teaching.covers_values
    assert session.view.place == "query"


def test_an_unjudged_document_is_not_shown_as_non_relevant() -> None:
    view_model = opened("unjudged").teaching.lesson_view_model()
    assert view_model is not None
    assert [step.grade for step in view_model.steps] == pytest.approx([1, np.nan, 0, 1, np.nan], nan_ok=True)
    view_model = opened("b1").teaching.lesson_view_model()
    assert view_model is not None
    assert view_model.steps[1].grade == 0
