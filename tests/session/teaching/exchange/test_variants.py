"""Each student has the rankings of a lesson in an order of their own; keys and points are those of that order."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from irviewer.cli.main import main
from irviewer.errors import ParseError
from irviewer.formats.lessons.lesson_file import parse_lesson, read_lesson
from irviewer.formats.lessons.students import read_students
from irviewer.model.lessons.course import course_of
from irviewer.model.lessons.variants import variant_of
from irviewer.model.rankings.inline_ranking import parse_inline_ranking
from irviewer.session.teaching.checking.faults import faults_of
from irviewer.session.teaching.exchange.variant_pages import page_names
from irviewer.session.teaching.exchange.web_page import LessonPages

LESSON = """---
title: T
id: x
vary: order
rankings: 1 0 1 1 0 0 1 0 | R=6
---
## Question: What is AP?
ask: AP
within: .001

## Question: P@3?
ask: P@3
points: 2

## Question: The same for all?
answer: yes
"""
NAMES = ["Ana", "Bo Ek", "12345", "Ñandú"]


def average_precision(grades: list[int], relevant: int) -> float:
    return sum(sum(grades[:k]) / k for k in range(1, len(grades) + 1) if grades[k - 1]) / relevant


def grades_of(text: str) -> list[int]:
    return [int(each) for each in text.partition(":")[2].partition("|")[0].split()]


def test_the_order_is_drawn_and_nothing_else_changes() -> None:
    text = "a: 3 0 - 1 2 0\nb: 0 1 2 3 0 0\n---\na: 1 0 1 | R=5\nb: 0 0 0"
    lesson = parse_lesson(f"---\ntitle: T\nvary: order\nrankings:\n  {text.replace(chr(10), chr(10) + '  ')}\n---\n")
    before, after = parse_inline_ranking(lesson.rankings), parse_inline_ranking(variant_of(lesson, "Ana").rankings)
    assert [run.name for run in after.runs] == [run.name for run in before.runs] == ["a", "b"]
    for query in before.qrels.query_ids:
        judged, other = before.qrels.judgments(query), after.qrels.judgments(query)
        assert Counter(judged.values()) == Counter(other.values())
        for first, second in zip(before.runs, after.runs, strict=True):
            grades = [Counter(known.get(each) for each in run.ranking(query)) for known, run in
                      ((judged, first), (other, second))]  # fmt: skip
            assert grades[0] == grades[1]


def test_a_name_is_one_whatever_its_case_and_spaces_and_others_have_other_orders() -> None:
    lesson = parse_lesson(LESSON)
    orders = {variant_of(lesson, f"student {n}").rankings for n in range(40)}
    assert len(orders) > 20  # of 70
    assert variant_of(lesson, " ANA  maría") == variant_of(lesson, "ana María ")
    assert variant_of(lesson, "") is lesson
    assert variant_of(parse_lesson(LESSON.replace("vary: order\n", "")), "Ana").rankings == lesson.rankings
    # Pages that students have stay theirs: the order must not change between versions of the program.
    assert variant_of(lesson, "Ana").rankings == "ranking 1: 1 0 0 1 1 0 1 0 | ideal 1 1 1 1 1 1"


@pytest.fixture
def pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder with the pages of all students."""
    (tmp_path / "l.md").write_text(LESSON)
    (tmp_path / "students.txt").write_text("# group 1\n\n" + "\n".join(NAMES) + "\n", encoding="utf-8")
    options = ["--variants", str(tmp_path / "students.txt"), "-o", str(tmp_path / "pages")]
    assert main(["lesson", str(tmp_path / "l.md"), *options]) == 0
    assert "4 pages, and the right answers in keys.csv" in capsys.readouterr().out
    return tmp_path / "pages"


def content(page: Path) -> Any:
    [data] = re.findall(
        r'<script type="application/json" id="lessons">(.*?)</script>', page.read_text(encoding="utf-8")
    )
    return json.loads(data)


def test_pages_and_keys_have_the_values_of_each_order(pages: Path) -> None:
    with (pages / "keys.csv").open(encoding="utf-8", newline="") as file:
        keys = list(csv.DictReader(file))
    assert [(key["student"], key["place"]) for key in keys] == [(name, str(n)) for name in NAMES for n in (1, 2, 3)]
    assert {each.name for each in pages.iterdir()} == {"keys.csv", *(key["page"] for key in keys)}
    for name, first, second, third in zip(NAMES, keys[::3], keys[1::3], keys[2::3], strict=True):
        grades = grades_of(variant_of(parse_lesson(LESSON), name).rankings)
        assert float(first["answer"]) == pytest.approx(average_precision(grades, 6), abs=6e-5)
        assert float(second["answer"]) == pytest.approx(sum(grades[:3]) / 3, abs=6e-5)
        assert third["answer"] == "yes"
        page = content(pages / first["page"])
        assert page["student"] == name
        assert page["lessons"][0]["places"][0]["tables"][0]["grades"] == grades
        assert page["lessons"][0]["places"][1]["value"] == pytest.approx(average_precision(grades, 6))


def answers(folder: Path, student: str, values: list[str], *, name: str = "") -> str:
    lesson = {str(place): [{"text": value}] for place, value in enumerate(values, start=1)}
    saved = {"irviewer answers": 1, "name": name or student, "answers": {"x": lesson}}
    path = folder / f"answers {len(list(folder.iterdir()))}.json"
    path.write_text(json.dumps(saved | ({"student": student} if student else {})))
    return str(path)


def test_points_are_for_the_order_of_the_student(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    orders = [grades_of(variant_of(parse_lesson(LESSON), name).rankings) for name in ("Ana", "Bo Ek")]
    ana, bo = ([f"{average_precision(order, 6):.4f}", f"{sum(order[:3])}/3", "yes"] for order in orders)
    assert ana[0] != bo[0]
    files = [
        answers(tmp_path, "Ana", ana),
        answers(tmp_path, "Bo Ek", ana),
        answers(tmp_path, "Eve", ana, name="Bo Ek"),
    ]
    options = ["--grade", *files, "--variants", str(tmp_path / "students.txt")]
    assert main(["lesson", str(tmp_path / "l.md"), *options]) == 0
    said = capsys.readouterr()
    rows = list(csv.DictReader(said.out.splitlines()))
    assert [row["points"] for row in rows[:3]] == ["1", "2", "1"]
    assert rows[3]["points"] == "0"
    assert [row["student"] for row in rows[::3]] == ["Ana", "Bo Ek", "Eve"]  # not the name that was typed
    assert "Eve is not among the students of the file." in said.err
    assert said.err.count("not among") == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"Ana\nbo\n ANA\n", "students.txt:3:1: ANA comes twice"),
        (b"# nobody\n", "the file names no students"),
        (b"\xff\xfe", "the file is not UTF-8"),
        (b"a\tb\x1b[0m\n", "students.txt:1:1: this is no name of a student"),
        (b"x" * 300, "this is no name of a student"),
    ],
)
def test_students_that_cannot_be_meant_are_refused(text: bytes, reason: str, tmp_path: Path) -> None:
    (tmp_path / "students.txt").write_bytes(text)
    with pytest.raises(ParseError, match=re.escape(reason)):
        read_students(tmp_path / "students.txt")


def test_pages_have_names_of_files_and_no_two_the_same() -> None:
    assert page_names(["Ana", "ana!", "../x", "<b>", "?", "//", "Ñandú 1"]) == [
        "Ana.html", "ana-2.html", "x.html", "b.html", "student.html", "student-2.html", "Ñandú-1.html",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("vary: grades\nrankings: 1 0", "3:7: this cannot vary [grades]"),
        ("vary: order\nrankings: 1 0\ncomputed: AP = 1", "5:11: a lesson whose rankings vary has no printed and"),
    ],
)
def test_what_cannot_vary_is_refused(header: str, reason: str) -> None:
    with pytest.raises(ParseError, match=re.escape(reason)):
        parse_lesson(f"---\ntitle: T\n{header}\n---\n")


def test_a_lesson_that_varies_is_checked_for_several_students() -> None:
    text = "---\ntitle: T\nvary: order\nrankings: 0 0 0 0 0 0 0 1\n---\n## Step: S\ndo: fewest swaps .2\n"
    assert faults_of(parse_lesson(text.replace("vary: order\n", ""), "l.md")) == ()
    lesson = parse_lesson(text, "l.md")
    assert "this changes nothing" in str(faults_of(lesson)[0])  # where the order has that value already


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is P@3?\nanswer: 2/3\n", "l.md:6:1: for student 1: P@3 is 0.0000 here, not 2/3 [2/3]; write ask:"),
        ("How high is AP here?\nanswer: .498\nwithin: .001\n", "for student 1: AP is"),
        ("What is AP?\nask: AP\nwrong .6667: That is P@3.\n", "8:1: for student 1: P@3 is 0.0000 here, not .6667"),
        ("What is P@3?\nask: P@3\nanswer: 2/3\n", "for student 1: P@3 is 0.0000 here, not 2/3"),
        # What holds for every order, and what need not be about the order.
        ("What is R@8?\nanswer: 2/3\n", ""),
        ("What is the highest P@3 of all orders?\nanswer: 1\n", ""),
        ("How many relevant documents are missing?\nanswer: 2\n", ""),
        ("Is P@3 or AP higher?\nanswer: 2/3\n", ""),
        ("P@3 of another system is half as high as .9. What is it?\nanswer: .45\n", ""),
        ("What is P@3?\nask: P@3\n", ""),
    ],
)
def test_a_typed_answer_that_holds_for_the_order_of_the_file_alone_is_a_fault(question: str, said: str) -> None:
    text = f"---\ntitle: T\nvary: order\nrankings: 1 0 1 1 0 0 1 0 | R=6\n---\n## Question: {question}"
    assert grades_of(variant_of(parse_lesson(text, "l.md"), "1").rankings)[:3] == [0, 0, 0]
    faults = faults_of(parse_lesson(text, "l.md"))
    assert [said in str(fault) for fault in faults] == ([True] if said else [])


def test_a_lesson_that_varies_is_checked_for_the_students_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "---\ntitle: T\nvary: order\nrankings: 0 0 0 0 0 0 0 1\n---\n## Step: S\ndo: fewest swaps .2\n"
    lesson, file, names = parse_lesson(text, "l.md"), tmp_path / "l.md", [f"s{number}" for number in range(40)]
    done = {name for name in names if "1" in variant_of(lesson, name).rankings.split(": ")[1].split()[:5]}
    assert done  # the relevant document is drawn to the first five, where RR and AP are .2 already
    assert done != set(names)
    file.write_text(text)
    (tmp_path / "all.txt").write_text("\n".join(names))
    (tmp_path / "good.txt").write_text("\n".join(name for name in names if name not in done))
    check = ["lesson", str(file), "--check", "--variants"]
    assert main([*check, str(tmp_path / "all.txt")]) == 2
    first = next(name for name in names if name in done)
    assert f"l.md:7:5: for student {first}: this changes nothing" in capsys.readouterr().err
    assert main([*check, str(tmp_path / "good.txt")]) == 0
    said = capsys.readouterr().out
    assert f"tried as {len(names) - len(done)} students have them" in said
    assert main([*check, str(tmp_path / "good.txt"), "-o", str(tmp_path)]) == 2
    assert "writes nothing" in capsys.readouterr().err


def test_options_that_do_not_go_together_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.txt").write_text("Ana\n")
    assert main(["lesson", "b2", "--variants", str(tmp_path / "s.txt")]) == 2
    assert "--variants needs -o FOLDER" in capsys.readouterr().err
    assert main(["lesson", "b2", "--variants", str(tmp_path / "s.txt"), "-o", str(tmp_path / "p")]) == 2
    assert "No lesson here varies" in capsys.readouterr().err
    assert not (tmp_path / "p").exists()


def test_names_that_are_no_unicode_draw_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The id of a lesson is that of its file, whose name may be any bytes; a student's file may say any name."""
    lesson = parse_lesson(LESSON.replace("id: x", "id: \udcff"))
    drawn = variant_of(lesson, "\ud800")
    assert sorted(grades_of(drawn.rankings)) == sorted([1, 0, 1, 1, 0, 0, 1, 0])
    assert LessonPages(course_of(lesson)).page("Ana").startswith("<!DOCTYPE html>")
    (tmp_path / "l.md").write_text(LESSON)
    answers = {"irviewer answers": 1, "name": "", "student": "\ud800", "answers": {"x": {"3": [{"text": "yes"}]}}}
    (tmp_path / "a.json").write_text(json.dumps(answers))
    assert main(["lesson", str(tmp_path / "l.md"), "--grade", str(tmp_path / "a.json")]) == 0
    assert ",x,3,The same for all?,1,1,0,1,true,yes," in capsys.readouterr().out


VALUES = """---
title: P at a rank
id: x
vary: k = 1, 3, 4
  q = q1, q2
qrels: a.qrels
runs: a.run
---
At rank {{k}}, of {{ q }}.

## Question: What is P@{{k}} of {{q}}?
ask: P@{{k}}, query {{q}}
within: .001
wrong 7: Not {{k}}.

## Question: How many documents are that?
answer: {{k}}
"""
JUDGED = {"q1": {"d1": 1, "d2": 0, "d3": 1}, "q2": {"d2": 1, "d4": 1}}
RETRIEVED = {"q1": ["d2", "d1", "d3", "d9"], "q2": ["d2", "d1", "d4", "d3"]}


@pytest.fixture
def varied(tmp_path: Path) -> Path:
    """A lesson about files, of which a student has one of three ranks and one of two queries."""
    lines = [f"{query} 0 {document} {grade}\n" for query, each in JUDGED.items() for document, grade in each.items()]
    (tmp_path / "a.qrels").write_text("".join(lines))
    lines = [
        f"{query} Q0 {document} {rank} {9 - rank} a\n"
        for query, each in RETRIEVED.items()
        for rank, document in enumerate(each, start=1)
    ]
    (tmp_path / "a.run").write_text("".join(lines))
    (tmp_path / "l.md").write_text(VALUES)
    return tmp_path / "l.md"


def precision(query: str, k: int) -> float:
    """By a loop over the first k documents."""
    return sum(JUDGED[query].get(document, 0) for document in RETRIEVED[query][:k]) / k


def test_a_student_has_one_of_the_values_and_what_is_asked_is_computed_from_them(
    varied: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"s{n}" for n in range(40)]
    (tmp_path / "students.txt").write_text("\n".join(names))
    assert main(["lesson", str(varied), "--variants", str(tmp_path / "students.txt"), "-o", str(tmp_path / "out")]) == 0
    with (tmp_path / "out" / "keys.csv").open(encoding="utf-8", newline="") as file:
        keys = list(csv.DictReader(file))
    drawn, right = Counter(), {}
    for name, first, second in zip(names, keys[::2], keys[1::2], strict=True):
        k, query = re.fullmatch(r"What is P@(\d) of (q\d)\?", first["question"]).groups()
        drawn[k, query] += 1
        assert float(first["answer"]) == pytest.approx(precision(query, int(k)), abs=6e-5)
        assert second["answer"] == k
        page = content(tmp_path / "out" / first["page"])["lessons"][0]["places"]
        assert f"At rank {k}, of {query}." in page[0]["text"]
        assert page[1]["value"] == pytest.approx(precision(query, int(k)))
        right[name] = [repr(precision(query, int(k))), k]
    assert len(drawn) == 6  # each of them comes to someone
    other = next(name for name in names if right[name][0] != right["s0"][0] and right[name][1] != right["s0"][1])
    capsys.readouterr()
    files = [answers(tmp_path, "s0", right["s0"]), answers(tmp_path, other, right["s0"])]
    assert main(["lesson", str(varied), "--grade", *files]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [row["points"] for row in rows] == ["1", "1", "0", "0"]


def test_every_set_of_values_is_checked(varied: Path) -> None:
    assert faults_of(read_lesson(varied)) == ()
    varied.write_text(VALUES.replace("wrong 7", f"wrong {precision('q2', 3):.4f}"))  # right of one of the six
    assert "is the right answer" in str(faults_of(read_lesson(varied))[0])


@pytest.mark.parametrize(
    ("header", "text", "reason"),
    [
        ("vary: k = 3", "{{k}}", "3:7: these are not two values or more [k = 3]"),
        ("vary: k = 3, 3", "{{k}}", "3:7: these are not two values or more [k = 3, 3]"),
        ("vary: k = 3, 5", "none", "the values of k are not used; write {{k}} where they belong"),
        ("vary: k = 3, 5", "{{k}} {{n}}", "6:7: n has no values [{{k}} {{n}}]"),
        ("vary: k = 3, 5\n  k = 1, 2", "{{k}}", "4:3: k comes twice [k = 1, 2]"),
        ("vary: k = " + ", ".join(map(str, range(61))), "{{k}}", "the values go together in more than 60 ways"),
        ("vary: a = 1, 2", "{{a}}\n\n## Question: Q\nask: P@x{{a}}", "P@x1"),
        ("vary:", "", "this cannot vary"),
    ],
)
def test_values_that_cannot_be_meant_are_refused(header: str, text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=re.escape(reason)):
        parse_lesson(f"---\ntitle: T\n{header}\nrankings: 1 0\n---\n{text}\n")


def test_order_and_values_vary_together_and_braces_without_values_are_text() -> None:
    lesson = parse_lesson(LESSON.replace("vary: order", "vary: order\n  k = 2, 3").replace("P@3", "P@{{k}}"), "l.md")
    seen = {variant_of(lesson, name).items[1].title for name in [*NAMES, "a", "b", "c", "d"]}
    assert seen == {"P@2?", "P@3?"}
    assert variant_of(lesson, "Ana").rankings == variant_of(parse_lesson(LESSON, "l.md"), "Ana").rankings
    assert variant_of(lesson, "") is lesson
    assert parse_lesson("---\ntitle: T\nrankings: 1 0\n---\n{{k}}\n").text == "{{k}}"
