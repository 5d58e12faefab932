"""Answers of students are marked anew: points, tries, known mistakes; files that are none are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from irviewer.cli.main import main
from irviewer.errors import ParseError
from irviewer.formats.lessons.answer_file import read_answers
from irviewer.formats.lessons.lesson_file import read_lesson
from irviewer.model.lessons.course import Course, CourseEntry
from irviewer.session.teaching.exchange.grading import graded
from irviewer.session.teaching.exchange.web_page import lesson_page
from irviewer.tables.table import Table

LESSON = """---
title: T
rankings: 1 0 1 1 0 | R=4
---
Text.

## Question: What is P@3?
ask: P@3
wrong .5: That is recall.

## Question: Which?
order: kept

- [x] one
  it is
- [ ] two
  it is not

## Question: Who?
answer: Cleverdon
"""


@pytest.fixture
def course(tmp_path: Path) -> Course:
    (tmp_path / "l.md").write_text(LESSON)
    return Course("C", (CourseEntry(str(tmp_path / "l.md"), read_lesson(tmp_path / "l.md")),))


def saved(folder: Path, name: str, answers: Any) -> Path:
    path = folder / f"{name or 'nameless'}.json"
    path.write_text(json.dumps({"irviewer answers": 1, "course": "x", "name": name, "answers": answers}))
    return path


def rows_of(table: Table) -> list[tuple[object, ...]]:
    keys = ("student", "place", "points", "tries", "first_try", "answer", "mistakes")
    return [tuple(table.column(key).values[row] for key in keys) for row in range(table.n_rows)]


def test_a_point_is_for_a_right_answer_before_it_was_shown(course: Course, tmp_path: Path) -> None:
    ana = saved(tmp_path, "Ana", {"l": {
        "1": [{"text": ".5"}, {"text": "2/3"}], "2": [{"picked": [1]}, {"shown": True}, {"picked": [0]}],
        "3": [{"text": " cleverdon "}],
    }})  # fmt: skip
    table = graded(course, [read_answers(ana)])
    assert rows_of(table) == [
        ("Ana", 1, 1, 2, False, "2/3", "That is recall."),
        ("Ana", 2, 0, 1, False, "two", "it is not"),
        ("Ana", 3, 1, 1, True, " cleverdon ", None),
    ]


HINTS = """---
title: T
rankings: 1 0 1 1 0 | R=4
---
## Question: What is P@3?
points: 3
hint: Count the relevant ones.
hint costs: .5
ask: P@3

## Question: What is P@2?
hint: Free of *cost*.
points: .25
ask: P@2
"""


@pytest.mark.parametrize(
    ("tries", "points", "lost"),
    [
        ([{"text": "2/3"}], 3, 0),
        ([{"hint": True}, {"text": "2/3"}], 2.5, 0.5),
        ([{"text": "9"}, {"hint": True}, {"text": "2/3"}], 2.5, 0.5),
        ([{"text": "2/3"}, {"hint": True}], 3, 0),
        ([{"hint": True}, {"shown": True}], 0, 0.5),
        ([{"hint": True}], 0, 0.5),
        ([{"hint": 1}, {"text": "2/3"}], 3, 0),
        ([], 0, 0),
    ],
)
def test_a_hint_costs_what_the_lesson_says(tries: Any, points: float, lost: float, tmp_path: Path) -> None:
    (tmp_path / "l.md").write_text(HINTS)
    course = Course("C", (CourseEntry(str(tmp_path / "l.md"), read_lesson(tmp_path / "l.md")),))
    file = saved(tmp_path, "Ana", {"l": {"1": tries, "2": [{"hint": True}, {"text": ".5"}]}})
    table = graded(course, [read_answers(file)])
    assert list(table.column("points").values) == [points, 0.25]
    assert list(table.column("hint_cost").values) == [lost, 0]
    assert list(table.column("worth").values) == [3, 0.25]
    assert table.column("tries").values[0] == sum(
        each.get("hint") is not True and "shown" not in each for each in tries
    )


def test_what_a_file_says_of_its_answers_does_not_count(course: Course, tmp_path: Path) -> None:
    path = saved(tmp_path, "", {"l": {"1": [{"text": "9", "right": True}], "7": [], "x": {}}, "other": {"1": []}})
    path.write_text(path.read_text().replace('"x": {}', '"8": [null, 5, {"picked": "a"}]'))
    table = graded(course, [read_answers(path)])
    assert [row[2] for row in rows_of(table)] == [0, 0, 0]
    assert rows_of(table)[0][0] == "nameless.json"
    [note] = table.notes
    assert note.text == "nameless.json: 3 answers are to questions that the course does not have."


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "is not JSON"), ("[]", "no answers to lessons"), ('{"irviewer answers": 2}', "no answers to lessons"),
     ('{"irviewer answers": 1}', "no answers to lessons"), ('{"irviewer answers": 1, "answers": [1]}', "no answers to"),
     ('{"irviewer answers": 1, "answers": {"l": [1]}}', "lesson l: these are no answers"),
     ('{"irviewer answers": 1, "answers": {"l": {"one": []}}}', "one is no question"),
     (f'{{"irviewer answers": 1, "answers": {{"l": {{"{"9" * 5000}": []}}}}}}', "9 is no question"),
     ("[" * 100_000, "is not JSON")],
)  # fmt: skip
def test_files_that_are_no_answers_are_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(ParseError, match=said):
        read_answers(tmp_path / "a.json")
    with pytest.raises(ParseError):
        read_answers(tmp_path)


@pytest.mark.parametrize(
    ("place", "answer"),
    [("1", {"text": 5}), ("1", {"picked": [0]}), ("1", {"text": " "}), ("1", None),
     ("2", {"picked": [99]}), ("2", {"picked": [-1]}), ("2", {"picked": [0, 99]}), ("2", {"picked": [True]}),
     ("2", {"text": "one"}), ("2", {"picked": []}), ("2", [0])],
)  # fmt: skip
def test_an_answer_that_cannot_be_read_is_in_a_note_and_no_mistake(
    place: str, answer: object, course: Course, tmp_path: Path
) -> None:
    """It was "right so far, but not complete", or “'' is not a number”, and nothing said that the file was damaged."""
    table = graded(course, [read_answers(saved(tmp_path, "Ana", {"l": {place: [answer]}}))])
    row = rows_of(table)[int(place) - 1]
    assert (row[2], row[3], row[6]) == (0, 1, None)
    [note] = table.notes
    assert note.text == "Ana: 1 answer cannot be read and counts as wrong: the file is damaged."


def test_students_of_one_name_are_kept_apart_by_their_files(course: Course, tmp_path: Path) -> None:
    paths = []
    for folder, text in (("one", "2/3"), ("two", ".5")):
        (tmp_path / folder).mkdir()
        paths.append(saved(tmp_path / folder, "", {"l": {"1": [{"text": text}]}}))
    eva = saved(tmp_path, "Eva", {})
    rows = rows_of(graded(course, [read_answers(path) for path in (*paths, eva)]))
    names = [f"nameless.json ({path})" for path in paths]
    assert [row[:3] for row in rows if row[1] == 1] == [(names[0], 1, 1), (names[1], 1, 0), ("Eva", 1, 0)]
    assert [row[0] for row in rows] == [names[0]] * 3 + [names[1]] * 3 + ["Eva"] * 3


def test_answers_to_another_version_of_a_question_are_named(course: Course, tmp_path: Path) -> None:
    page = lesson_page(course)
    places = json.loads(page.partition('id="lessons">')[2].partition("</script>")[0])["lessons"][0]["places"]
    versions = {"l": {str(place): places[place]["version"] for place in (1, 2, 3)}, "other": 5}
    answers = {"l": {"1": [{"text": "2/3"}], "2": [{"picked": [0]}]}}
    path = saved(tmp_path, "Ana", answers)
    path.write_text(json.dumps({**json.loads(path.read_text()), "versions": versions}))
    assert graded(course, [read_answers(path)]).notes == ()
    for old, new in (("one", "eins"), ("- [x] one\n  it is\n- [ ] two\n  it is not", "- [ ] two\n- [x] one")):
        (tmp_path / "l.md").write_text(LESSON.replace(old, new))
        edited = Course("C", (CourseEntry(str(tmp_path / "l.md"), read_lesson(tmp_path / "l.md")),))
        [note] = graded(edited, [read_answers(path)]).notes
        assert note.text == "Ana: 1 question was answered in another version or language; its points may be wrong."
    (tmp_path / "l.md").write_text(LESSON.replace("it is not", "no: it is not"))  # the reason was not asked
    edited = Course("C", (CourseEntry(str(tmp_path / "l.md"), read_lesson(tmp_path / "l.md")),))
    assert graded(edited, [read_answers(path)]).notes == ()


def test_lessons_of_one_id_are_not_graded_and_make_no_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.md").write_text(LESSON.replace("title: T", "title: T\nid: x"))
    answers = saved(tmp_path, "Ana", {})
    for options in (["--check"], ["--web", str(tmp_path / "page.html")], ["--grade", str(answers)]):
        assert main(["lesson", str(tmp_path), *options]) == 2
        assert "b.md: the id x is also that of a.md; write another id:" in capsys.readouterr().err
    assert not (tmp_path / "page.html").exists()


def test_students_are_graded_to_csv_at_the_command_line(
    course: Course, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(saved(tmp_path, name, {"l": {"1": [{"text": "2/3"}]}})) for name in ("Ana", '=cmd("x")')]
    assert main(["lesson", str(tmp_path / "l.md"), "--grade", *files]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "student,lesson,place,question,points,worth,hint_cost,tries,first_try,answer,mistakes"
    assert lines[1].startswith("Ana,l,1,What is P@3?,1,1,0,1,true,2/3")
    assert len(lines) == 7
    output = tmp_path / "grades.csv"
    assert main(["lesson", str(tmp_path / "l.md"), "--grade", *files, "-o", str(output), "--spreadsheet"]) == 0
    assert "'=cmd(" in output.read_text()
    assert main(["lesson", str(tmp_path / "l.md"), "--grade", str(tmp_path / "none.json")]) == 2
    assert capsys.readouterr().out == ""
    (tmp_path / "cut.json").write_text('{"irviewer answers": 1, "name": ')
    (tmp_path / "other.json").write_text("[1, 2]")
    more = [files[0], str(tmp_path / "cut.json"), str(tmp_path / "other.json"), files[1]]
    assert main(["lesson", str(tmp_path / "l.md"), "--grade", *more]) == 2
    said = capsys.readouterr()
    assert said.out.splitlines() == lines  # those that can be read are marked
    assert "cut.json:1: the file is not JSON" in said.err
    assert "other.json: these are no answers to lessons" in said.err
