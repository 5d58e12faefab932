"""Sheets of lessons: blanks without the answers, or the answers; nothing in them runs or is loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.model.lessons.course import course_of
from irviewer.session.teaching.exchange.printing import lesson_sheet
from irviewer.session.teaching.exchange.web_page import lesson_page
from irviewer.translation import choose_language, current_language

LESSON = """---
title: Mine <b>&</b>
rankings: 1 0 1 1 0 | R=4
columns: P@K, AP sum
computed: P@3 = 2/3
---
A *text* <script>alert(1)</script> \\![p](http://x/y.png) [l](http://x)

## Question: What is AP?
ask: AP
wrong .8: It divides by three.
because: Divide by four.

## Question: Which?

- [ ] one
  no one
- [x] two
  yes two
"""


class Reader(HTMLParser):
    """The tags, attributes and cells of a document."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.cells: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag == "td":
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "td" and self.cells:
            self.cells[-1] += data.strip()


def test_a_sheet_has_blanks_and_the_one_with_answers_has_them_filled_in() -> None:
    lesson = parse_lesson(LESSON, "l.md")
    blank, filled = lesson_sheet([lesson], answers=False), lesson_sheet([lesson], answers=True)
    assert Reader(blank).cells == [
        part for rank, (name, grade) in enumerate(zip("ABCDE", "10110", strict=True), start=1)
        for part in (str(rank), name, grade, "", "")
    ]  # fmt: skip
    cells = Reader(filled).cells
    # 1/1, 1/2, 2/3, 3/4, 3/5; the sum grows at ranks 1, 3 and 4.
    assert cells[3::5] == ["1/1 = 1", "1/2 = .50", "2/3 = .67", "3/4 = .75", "3/5 = .60"]
    assert cells[4::5] == ["1.00", "1.00", "1.67", "2.42", "2.42"]
    for answer in ("<b>.6042<", "Divide by four.", "It divides by three.", "☒", "yes two", "By definition: P@3 = 2/3"):
        assert answer in filled
        assert answer not in blank
    assert blank.count("☐") == 2


@pytest.mark.parametrize("answers", [False, True])
def test_nothing_in_a_sheet_runs_or_is_loaded(answers: bool) -> None:
    text = lesson_sheet([parse_lesson(LESSON, "l.md")], answers=answers)
    reader = Reader(text)
    assert not {"script", "img", "a", "link", "iframe", "object", "b2"} & set(reader.tags)
    assert reader.attributes <= {"lang", "charset", "class"}
    assert "Mine &lt;b&gt;&amp;&lt;/b&gt;" in text
    assert not re.search(r"url\(|@import", text)


def test_every_bundled_lesson_is_printed() -> None:
    lessons = bundled_course("").lessons
    text = lesson_sheet(lessons, answers=True)
    assert text.count("<section class=lesson>") == len(lessons)
    assert "nan" not in {cell.lower() for cell in Reader(text).cells}


def test_names_of_documents_are_texts_beside_numbers() -> None:
    """They stood at the right of their column, as numbers do."""
    sheet = lesson_sheet([parse_lesson(LESSON, "l.md")], answers=False)
    rules = sheet[: sheet.index("<body")]
    assert rules.index("caption + tbody td { text-align: right }") < rules.index("tbody .text { text-align: left }")
    assert '<td>1</td><td class="text">A</td><td>1</td>' in sheet


def test_only_what_a_lesson_teaches_is_blank() -> None:
    for lesson in bundled_course("en").lessons:
        sheet = lesson_sheet([lesson], answers=False)
        # The first table of a lesson is whole: at most 20 ranks of 7 columns.
        assert sheet.count("<td class=blank>") <= 20 * 7, lesson.id
        assert sheet.count("<table>") <= 12, lesson.id
    sets = lesson_sheet([bundled_course("en").lesson("sets")], answers=False)  # type: ignore[list-item]
    assert "<td class=blank>" not in sets


def test_a_lesson_about_many_queries_has_their_values_in_place_of_lists() -> None:
    rows = "\n  ---\n".join(f"  a: {n % 2} 1\n  b: 1 0" for n in range(7))
    lesson = parse_lesson(f"---\ntitle: T\nmeasure: P@1\nrankings:\n{rows}\n---\nText\n")
    assert Reader(lesson_sheet([lesson], answers=False)).cells == [
        cell for n in range(7) for cell in (str(n + 1), str(n % 2), "1")
    ]


def test_a_sheet_has_room_for_a_name_and_does_not_say_what_a_step_does() -> None:
    lesson = parse_lesson(
        "---\ntitle: T\nrankings: 0 1\n---\n## Step: Swap them\ndo: swap 1 2\n\nAP is 1 now.\n\n"
        "## Step: A page\nA text.\n\n## Question: Why?\nanswer: so\n"
    )
    blank, filled = lesson_sheet([lesson], answers=False), lesson_sheet([lesson], answers=True)
    for text in ("Name:", "Points: ____ of 1"):
        assert text in blank
        assert text not in filled
    assert "AP is 1 now." in filled
    assert "AP is 1 now." not in blank
    assert "A text." in blank


def test_a_step_that_shows_another_view_is_on_the_sheet_with_answers_only() -> None:
    """Its text has the values of that view, which questions ask for."""
    lesson = parse_lesson(
        "---\ntitle: T\nrankings:\n  a: 0 1; b: 1 0\n---\n## Question: Which p?\nanswer: .3\n\n"
        "## Step: The program\nshow: compare\n\nIt says p = .317.\n"
    )
    blank, filled = lesson_sheet([lesson], answers=False), lesson_sheet([lesson], answers=True)
    assert "p\xa0=\xa0.317" in filled
    assert "p\xa0=\xa0.317" not in blank
    assert "The program" not in blank


def test_what_a_step_does_is_asked() -> None:
    lesson = parse_lesson("---\ntitle: T\nrankings: 0 1\n---\n## Step: Swap them\ndo: swap 1 2\n\nAP is 1 now.\n")
    assert "<h2>Swap them</h2><p>What changes?</p><div class=line>" in lesson_sheet([lesson], answers=False)
    assert "What changes?" not in lesson_sheet([lesson], answers=True)


def test_queries_come_by_number() -> None:
    rows = "\n  ---\n".join(f"  a: {int(n == 9)} 1" for n in range(10))
    lesson = parse_lesson(f"---\ntitle: T\nmeasure: P@1\nrankings:\n{rows}\n---\nText\n")
    cells = Reader(lesson_sheet([lesson], answers=False)).cells
    assert cells[::2] == [str(n) for n in range(1, 11)]
    assert cells[1::2] == ["0"] * 9 + ["1"]
    asked = parse_lesson(f"---\ntitle: T\nrankings:\n{rows}\n---\n## Question: Q\nask: AP\n")
    page = lesson_page(course_of(asked))  # with their lists
    assert page.index("query 2:") < page.index("query 10:")


@pytest.mark.parametrize(("ranks", "rows"), [(30, 30), (31, 12), (100, 12)])
def test_a_long_list_with_nothing_to_fill_in_is_shortened(ranks: int, rows: int) -> None:
    lesson = parse_lesson(f"---\ntitle: T\nshow: sets\nrankings: {'0 ' * (ranks - 1)}1\n---\nText\n")
    cells = Reader(lesson_sheet([lesson], answers=False)).cells
    assert len(cells) == 3 * rows
    assert cells[::3] == [*map(str, range(1, 31))] if ranks == 30 else [*map(str, range(1, 11)), "…", str(ranks)]
    assert cells[-1] == "1"


def test_rankings_that_are_compared_have_the_same_columns() -> None:
    assert heads_of("ideal") == [["gain", "DCG", "ideal DCG", "nDCG"]] * 4
    assert heads_of("cutoff") == [["P@K", "R@K"]] * 2


def test_a_question_after_a_step_is_about_the_lesson_as_it_is_in_the_file() -> None:
    lesson = parse_lesson(
        "---\ntitle: T\nrankings: 0 1 0 1\n---\n## Step: Judge rank 1\ndo: judge 1 1\n\n"
        "## Question: What is P@1?\nask: P@1\n\n## Question: And P@2?\nask: P@2\n"
    )
    sheet = lesson_sheet([lesson], answers=True)
    assert [float(text) for text in re.findall(r"<p class=answer><b>([^<]*)</b>", sheet)] == [0.0, 0.5]


def test_a_single_relevant_document_is_one() -> None:
    lesson = parse_lesson("---\ntitle: T\nrankings: 0 1\n---\nText\n")
    assert "ranking 1: 1 relevant document<" in lesson_sheet([lesson], answers=False)


def heads_of(name: str) -> list[list[str]]:
    """The titles of the columns of each table of a bundled lesson's sheet, without rank, document and grade."""
    lesson = bundled_course().lesson(name)
    assert lesson is not None
    tables = re.findall(r"<table><caption>.*?</table>", lesson_sheet([lesson], answers=False))
    return [re.findall(r"<th[^>]*>(.*?)</th>", table)[3:] for table in tables]


def test_each_of_two_rankings_has_the_columns_that_it_is_taught_with() -> None:
    assert heads_of("table") == [["P@K", "R@K", "AP sum"], ["gain", "discount", "DCG", "ideal DCG"]]


def test_what_a_lesson_does_not_teach_is_not_blank() -> None:
    assert heads_of("pooling") == [[], [], []]
    assert heads_of("answers") == [[]]
    assert heads_of("mrr") == [["RR"]] * 4


@pytest.fixture
def spanish() -> Iterator[None]:
    before = current_language()
    choose_language("es")
    yield
    choose_language(before)


@pytest.mark.usefixtures("spanish")
def test_numbers_have_their_zero_in_spanish() -> None:
    filled = lesson_sheet([parse_lesson(LESSON, "l.md")], answers=True)
    assert "2/3 = 0.67" in filled
    assert "<b>0.6042</b>" in filled
    assert "0.8 no es correcto" in filled
    assert not re.search(r"[> ]\.\d", filled.partition("<body>")[2])
    assert "2/3 = .67" not in lesson_page(course_of(parse_lesson(LESSON, "l.md")))


@pytest.mark.usefixtures("spanish")
def test_what_compare_says_has_its_zeros_in_spanish() -> None:
    """An interval was [0; .3000]."""
    lesson = bundled_course("es").lesson("effect")
    assert lesson is not None
    compared = lesson_sheet([lesson], answers=True).split("<caption>cuatro frente a uno")[1].partition("</table>")[0]
    assert re.search(r"\[0;\s0\.\d{4}\]", compared)
    assert not re.search(r"(?<!\d)\.\d", compared)
    page = lesson_page(course_of(lesson))
    assert not re.search(r"[>; ]\.\d", page.partition('id="lessons"')[2].partition("<script>")[0])
