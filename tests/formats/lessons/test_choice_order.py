"""The order of choices: drawn from the lesson and the question, the same in every language and session."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.formats.lessons.lesson_file import parse_lesson, read_lesson
from irviewer.model.lessons.lesson import Question

HEAD = "---\ntitle: T\nrankings: 1 0\n---\n"


def question(body: str, path: str = "l.md") -> Question:
    [item] = parse_lesson(f"{HEAD}\n## Question: Which?\n{body}", path).items
    assert isinstance(item, Question)
    return item


def texts(item: Question) -> list[str]:
    return [choice.text for choice in item.choices]


CHOICES = "\n".join(["", "- [x] first", *(f"- [ ] number {n}" for n in range(5)), ""])


def test_choices_are_drawn_by_lesson_and_number_and_lose_nothing() -> None:
    orders = {tuple(texts(question(CHOICES, f"{name}.md"))) for name in "abcdefgh"}
    assert len(orders) > 4
    assert {tuple(sorted(order)) for order in orders} == {("first", *(f"number {n}" for n in range(5)))}
    assert len({order.index("first") for order in orders}) > 2
    assert texts(question(CHOICES)) == texts(question(CHOICES))


def test_the_right_choice_goes_along_with_its_text_and_reason() -> None:
    body = "\n- [x] first\n  it is\n- [ ] second one\n  it is not\n- [ ] third one\n"
    for name in "abcd":
        [right] = [choice for choice in question(body, name).choices if choice.right]
        assert (right.text, right.reason) == ("first", "it is")


@pytest.mark.parametrize("labels", [("A", "B", "C"), ("1", "2", "10"), ("a",)])
def test_labels_keep_their_order(labels: tuple[str, ...]) -> None:
    body = "\n" + "\n".join(f"- [x] {label}" for label in labels)
    assert {tuple(texts(question(body, name))) for name in "abcdefgh"} == {labels}


def test_an_order_is_kept_where_the_lesson_says_so() -> None:
    written = ["first", *(f"number {n}" for n in range(5))]
    assert all(texts(question(f"order: kept\n{CHOICES}", name)) == written for name in "abcd")
    with pytest.raises(ParseError, match="this is no order"):
        question(f"order: drawn\n{CHOICES}")


def test_the_right_choice_of_bundled_lessons_has_any_place() -> None:
    questions = [item for lesson in bundled_course("en").lessons for item in lesson.items if isinstance(item, Question)]
    places = [item.choices.index(right) for item in questions if item.choices and not item.several
              for right in item.choices if right.right]  # fmt: skip
    assert len(places) > 30
    assert 0.15 < sum(place == 0 for place in places) / len(places) < 0.5


def test_a_translated_lesson_has_its_choices_in_the_same_order() -> None:
    for lesson in bundled_course("en").lessons:
        twin = read_lesson(Path(lesson.path).parent.parent / "es" / Path(lesson.path).name)
        for item, other in zip(lesson.items, twin.items, strict=True):
            if isinstance(item, Question) and isinstance(other, Question):
                assert [each.right for each in item.choices] == [each.right for each in other.choices]
