"""A lesson that was made of a bundled one: what was exchanged is named, other wording and the author's own is not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from irviewer.cli.main import main
from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.session.teaching.checking.bundled_lessons import bundled_like, differences_from_bundled
from irviewer.session.teaching.checking.wording.exchanged_words import exchanged


def said_of(lesson_id: str, *changes: tuple[str, str], language: str = "en") -> list[str] | None:
    """The faults of a copy of a bundled lesson with some changes; None if it is not compared."""
    lesson = bundled_course(language).lesson(lesson_id)
    assert lesson is not None
    text = Path(lesson.path).read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    copy = parse_lesson(text, "mine.md")
    bundled = bundled_like(copy)
    return None if bundled is None else [fault.reason for fault in differences_from_bundled(copy, bundled)]


WRITTEN = "Of ten documents, C is at rank 3; by P@5 the second list is better than the first, .70 against .45."


@pytest.mark.parametrize(
    ("text", "here", "theirs"),
    [
        (WRITTEN.replace("ten", "eleven"), "eleven", "ten"),
        (WRITTEN.replace("C is", "D is"), "D", "C"),
        (WRITTEN.replace("better", "worse"), "worse", "better"),
        (WRITTEN.replace("P@5", "P@10"), "P@10", "P@5"),
        (WRITTEN.replace(".70 against .45", ".45 against .70"), ".45 .70", ".70 .45"),
        (WRITTEN.replace("Of ten documents, C is", "Among ten documents, C stands").replace("3", "4"), "4", "3"),
        (WRITTEN.replace("is better", "is not better"), "not", ""),
    ],
)
def test_what_is_exchanged_in_a_sentence_is_found(text: str, here: str, theirs: str) -> None:
    assert [each[1:] for each in exchanged(text, WRITTEN)] == [(here, theirs)]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        (WRITTEN, WRITTEN),
        ("Among 10 documents C stands at rank three.", "Of ten documents, C is at rank 3."),
        ("A is worse than B.", "B is better than A."),
        ("A has 4, and B has 3.", "B has 3, and A has 4."),
        ("Ranks 3 and 2 are swapped.", "Ranks 2 and 3 are swapped."),
        ("By P@5, B and A are equal.", "By P@5, A and B are equal."),
        ("The MAP of this list is 70 %.", "The AP of this list is .70."),
        ("AP is about .7 there.", "AP is about .71 there."),
        ("Fewer false positives raise precision.", "More false positives lower precision."),
        ("Five of eight were never found, which lowers it.", "It finds 3 of 8."),
        ("B no es mejor; A lo es.", "A es mejor que B."),
        ("En la consulta 2, la exhaustividad es 1/2.", "En la consulta 2 el recall es 1/2."),
    ],
)
def test_other_wording_is_no_exchange(text: str, other: str) -> None:
    assert list(exchanged(text, other)) == []


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("do: up 4", "do: up 5", "has do: up 4 where this one has do: up 5"),
        ("answer: .25", "answer: .2", "has answer: .25 where this one has answer: .2"),
        ("wrong 4:", "wrong 5:", "has wrong 4 where this one has wrong 5"),
        ("measure: RR", "measure: AP", "has measure: RR where this one has measure: AP"),
        ("is at rank 4.", "is at rank 5.", "has 4 where this one has 5"),
        ("further up raises", "further up lowers", "has raises where this one has lowers"),
    ],
)
def test_a_number_key_or_action_of_a_copy_is_compared(old: str, new: str, reason: str) -> None:
    assert said_of("b12", (old, new)) == [f"the bundled lesson b12 {reason}"]


def test_the_right_choice_is_compared_at_any_place() -> None:
    best = "- [x] B\n  It finds 7 of 8 among the first ten."
    other = "- [ ] C\n  It finds 5 of 8."
    marked = (best.replace("x", " "), other.replace("[ ]", "[x]"))
    assert said_of("engines", (best, marked[0]), (other, marked[1])) == [
        "the bundled lesson engines has [x] B where this one has [x] C"
    ]
    assert said_of("engines", (f"{best}\n{other}", f"{other}\n{best}")) == []
    spanish = said_of("engines", ("Encuentra 7 de 8", "Encuentra 6 de 8"), language="es")
    assert spanish == ["the bundled lesson engines has 7 where this one has 6"]


def test_what_is_the_authors_own_is_not_compared() -> None:
    own = ("## Step: Move it up one rank\ndo: up 4", "## Step: Move it to rank 2\ndo: move 4 2")
    assert said_of("b12", own) == []
    question = "## Question: The right document is at rank 4. What is the reciprocal rank?\nanswer: .25"
    assert said_of("b12", (question, "## Question: At which rank is it?\nanswer: 4\nwithin: 0")) == []
    assert (
        said_of("b12", ("wrong 4: This is the search length.", "wrong .2: Count again."), ("cover: values\n", "")) == []
    )
    assert said_of("b12", ("id: b12", "id: mine"), ("do: up 4", "do: up 5")) is None
    assert said_of("b12", ("rankings: 0 0 0 1 0", "rankings: 0 0 1 0 0"), ("do: up 4", "do: up 5")) is None
    assert said_of("b12", ("do: up 4", "do: up 5\n\n## Step: Again\ndo: up 4")) is None
    titles = (
        ("title: One relevant document", "title: Known items"),
        ("Move it up one rank", "Subir el documento relevante"),
    )
    assert said_of("b12", *titles, ("measure: RR", "measure: AP")) is None


def test_a_copy_of_the_course_has_no_fault_and_the_course_is_not_compared_with_itself() -> None:
    for lesson in bundled_course("en").lessons:
        assert bundled_like(lesson) is None
        assert said_of(lesson.id) == []


def test_the_command_says_what_it_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lesson = bundled_course("en").lesson("b12")
    assert lesson is not None
    copy = Path(shutil.copy(lesson.path, tmp_path / "mine.md"))
    assert main(["lesson", str(tmp_path), "--check"]) == 0
    assert "compared with the bundled lessons of the same id, rankings and items: b12" in capsys.readouterr().out
    copy.write_text(copy.read_text(encoding="utf-8").replace("answer: .25", "answer: .2"), encoding="utf-8")
    assert main(["lesson", str(tmp_path), "--check"]) == 2
    assert "mine.md:16:1: the bundled lesson b12 has answer: .25 where" in capsys.readouterr().err
