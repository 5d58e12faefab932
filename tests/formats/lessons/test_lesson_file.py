"""Lesson files: what is read, and what is said, with line and column, of files that are no lessons."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.lessons.lesson_file import parse_lesson, read_lesson
from irviewer.model.lessons.lesson import Asked, Choice, Figure, LessonView, Question, Step, StepAction

TEXT = """---
title: Average precision
after: Author (2013), “heading”
measure: AP
columns: K, P@K, AP sum
rankings:
  early: 1 0 1 1 | R=10
  late: 0 1 1 0
  ---
  early: 1 0
printed:
  AP of early, query 1 = .24 (Author (2013), “heading”) the author adds rounded sums
  P@1..3 of early, query 1 = 1.0 0.5 2/3 (Author)
---
The **text** of the lesson.

### A heading within it

## Step: Swap ranks 2 and 3
do: swap 2 3
  judge 1 3 in late
measure: P@3

It goes up.

## Question: What is the sum?
ask: AP sum at 3 of early, query 1
answer: 1.67
wrong 2.17: adds P@2 too
because: 1 + 2/3

## Question: Which?

- [ ] one
  not this
- [x] the other
"""


def test_everything_is_read() -> None:
    lesson = parse_lesson(TEXT, "ap.md")
    assert (lesson.id, lesson.title, lesson.rules) == ("ap", "Average precision", "textbook")
    assert lesson.source == "Author (2013), “heading”"
    assert lesson.text == "The **text** of the lesson.\n\n### A heading within it"
    assert lesson.rankings == "early: 1 0 1 1 | R=10\nlate: 0 1 1 0\n---\nearly: 1 0"
    assert lesson.view == LessonView("AP", None, 1.0, "lists", ("K", "P@K", "AP sum"))
    author, note = "Author (2013), “heading”", "the author adds rounded sums"
    assert lesson.figures[0] == Figure("AP", ".24", 0.24, 2, "early", "1", author, note)
    assert [(figure.measure, figure.text, figure.decimals) for figure in lesson.figures[1:]] == [
        ("P@1", "1.0", 1), ("P@2", "0.5", 1), ("P@3", "2/3", 0),
    ]  # fmt: skip
    step, question, choice = lesson.items
    actions = (StepAction("swap", (2, 3)), StepAction("judge", (1, 3), run="late"))
    assert step == Step("Swap ranks 2 and 3", "It goes up.", actions, LessonView("P@3"))
    assert isinstance(question, Question)
    assert question.asked == Asked(column="AP sum", rank=3, run="early", query="1")
    assert (question.answer, question.because) == ("1.67", "1 + 2/3")
    assert [(answer.answer, answer.reason) for answer in question.wrong] == [("2.17", "adds P@2 too")]
    assert isinstance(choice, Question)
    assert choice.choices == (Choice("one", False, "not this"), Choice("the other", True))


def test_a_step_shows_what_the_lesson_shows_but_for_what_it_says() -> None:
    lesson = parse_lesson(TEXT)
    assert lesson.view_at(0) == lesson.view
    assert lesson.view_at(1) == LessonView("P@3", None, 1.0, "lists", ("K", "P@K", "AP sum"))
    assert lesson.view_at(2).measure == "AP"


@pytest.mark.parametrize(
    ("change", "place", "words"),
    [
        (("---\ntitle", "title"), "1:1", "does not begin with a header"),
        (("title: A", "tilte: A"), "2:1", "tilte is not known here; did you mean title?"),
        (("title: Average precision", "level: 1"), "1:1", "the header has no title"),
        (("measure: AP\n", "measure: APP\n"), "4:10", "unknown measure 'APP'"),
        (("measure: AP\n", "rules: dreams\n"), "4:8", "unknown dialect 'dreams'"),
        (("measure: AP\n", "level: high\n"), "4:8", "'high' is not a grade"),
        (("measure: AP\n", "show: pictures\n"), "4:7", "pictures is not known here"),
        (("K, P@K", "K, P@k"), "5:13", "did you mean P@K?"),
        (("1 0 1 1 |", "1 0 x 1 |"), "7:14", "'x' is not a grade"),
        (("late: 0 1 1 0", "late: 0 1 y 0"), "8:13", "'y' is not a grade"),
        (("AP of early", "AP of erly"), "12:9", "there is no ranking erly"),
        (("of early, query 1 = .24", "of early, query 9 = .24"), "12:16", "there is no query 9"),
        (("= 1.0 0.5 2/3", "= 1.0 0.5"), "13:3", "2 values for 3 measures"),
        (("P@1..3", "P@1..2147483648"), "13:3", "'2147483648' is not a rank"),
        (("P@1..3", "P@1.." + "9" * 5000), "13:3", "is not a rank"),
        (("at 3 of early", "at " + "9" * 5000 + " of early"), "27:6", "is not a rank"),
        (("P@1..3 of early, query 1 = 1.0 0.5 2/3", "P@1..10001 = " + ".5 " * 10_001), "13:3", "10,001 values are too"),
        (("2/3 (Author)", "2/3"), "13:3", "the source of the value is missing"),
        (("2/3 (Author)", "2/3 (Author (1999)"), "13:56", "the bracket of the source is not closed"),
        (("## Step: S", "## Steps: S"), "19:1", "a section is a step or a question"),
        (("swap 2 3", "swop 2 3"), "20:5", "did you mean swap?"),
        (("swap 2 3", "swap 2"), "20:5", "swap needs a rank and a rank"),
        (("swap 2 3", "swap 2 0"), "20:5", "'0' is not a rank"),
        (("swap 2 3", "swap 2 2147483648"), "20:5", "'2147483648' is not a rank"),
        (("in late", "in lat"), "21:16", "there is no ranking lat"),
        (("ask: AP sum", "ask: AP total"), "27:6", "the table has no column AP total"),
        (("ask: AP sum at 3 of early, query 1\nanswer: 1.67\n", ""), "26:1", "the question has no answer"),
        (("answer: 1.67", "answer: | |"), "26:1", "the question has no answer"),
        (("because: 1", "becuase: 1"), "30:1", "did you mean because?"),
        (("[x]", "[ ]"), "32:1", "no choice is marked as right"),
        (("- [ ] one", "- [y] one"), "34:1", "this mark of a choice is not known"),
        (("- [ ] one", "- [] one"), "34:1", "this mark of a choice is not known"),
        (("the other", "one"), "32:1", "two choices are the same"),
        (("measure: AP\n", "measure: AP\nbeside: lat\n"), "5:9", "there is no ranking lat"),
        (("measure: AP\n", "measure: AP\nbeside: query 3\n"), "5:9", "there is no query 3"),
        (("answer: 1.67", "answer: 1.67\nanswer: 2"), "29:1", "answer comes twice"),
    ],
)
def test_a_fault_is_reported_with_its_line_and_column(change: tuple[str, str], place: str, words: str) -> None:
    assert change[0] in TEXT
    with pytest.raises(ParseError) as caught:
        parse_lesson(TEXT.replace(*change, 1), "ap.md")
    assert f"{caught.value.line}:{caught.value.column}" == place, caught.value.message
    assert words in caught.value.message
    assert caught.value.message.startswith(f"ap.md:{place}: ")


def test_a_range_of_ranks_is_counted_before_it_is_made() -> None:
    text = "---\ntitle: T\nrankings: 1 0 1\nprinted: P@1..1000000 = 1 2 3 (A, “b”)\n---\n"
    tracemalloc.start()
    try:
        with pytest.raises(ParseError, match="3 values for 1000000 measures"):
            parse_lesson(text, "ap.md")
        assert tracemalloc.get_traced_memory()[1] < 5_000_000  # the names of a million measures take 60 MB
    finally:
        tracemalloc.stop()


def test_the_files_of_a_lesson_are_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "outside.qrels").write_text("1 0 a 1\n")
    folder = tmp_path / "course"
    folder.mkdir()
    (folder / "q.qrels").write_text("1 0 a 1\n")
    (folder / "link.qrels").symlink_to(tmp_path / "outside.qrels")
    (folder / "a.run").write_text("1 Q0 a 1 1 t\n")

    def lesson(qrels: str, runs: str = "a.run") -> str:
        return f"---\ntitle: T\nqrels: {qrels}\nruns: {runs}\n---\n"

    path = folder / "lesson.md"
    path.write_text(lesson("q.qrels"))
    assert read_lesson(path).files.runs == ("a.run",)
    for name in ("../outside.qrels", str(tmp_path / "outside.qrels"), "link.qrels"):
        path.write_text(lesson(name))
        with pytest.raises(ParseError, match="is not in the lesson's folder") as caught:
            read_lesson(path)
        assert caught.value.line == 3
    path.write_text(lesson("q.qrels", "a.run, b.run"))
    with pytest.raises(ParseError, match=r"there is no file b\.run"):
        read_lesson(path)


def test_files_that_are_no_text_and_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "l.md"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert read_lesson(path).items == parse_lesson(TEXT, path).items
    path.write_bytes(b"---\ntitle: \xff\n---\n")
    with pytest.raises(ParseError, match="not UTF-8") as caught:
        read_lesson(path)
    assert caught.value.line == 2
    path.write_bytes(b"")
    with pytest.raises(ParseError, match="does not begin with a header"):
        read_lesson(path)
    with pytest.raises(ParseError, match="No such file"):
        read_lesson(tmp_path / "none.md")


@pytest.mark.parametrize(
    ("ask", "hint"),
    [("ask: AP sum at 30", "the ranking has 3 ranks"), ("ask: P@K at 3 of b", "the ranking has 2 ranks"),
     ("query: 2\nask: P@K at 2", "the ranking has 1 rank")],
)  # fmt: skip
def test_a_cell_below_the_end_of_its_ranking_is_a_fault_with_its_line(ask: str, hint: str) -> None:
    rankings = "  a: 1 0 1\n  b: 0 1\n  ---\n  a: 1\n  b: 1 0\n"
    text = f"---\ntitle: T\nrankings:\n{rankings}---\nText.\n\n## Question: Q\n{ask}\n"
    with pytest.raises(ParseError) as caught:
        parse_lesson(text, "l.md")
    fault = caught.value
    assert text.split("\n")[fault.line - 1].startswith("ask:")
    assert fault.reason.startswith("there is no rank")
    assert fault.hint == hint
    assert text.split("\n")[fault.line - 1][fault.column - 1 :].startswith(fault.reason.split()[-1])
    parse_lesson(
        text.replace("at 30", "at 3").replace("at 3 of b", "at 2 of b").replace("K at 2\n", "K at 1\n"), "l.md"
    )


def test_a_lesson_can_cover_its_values_and_nothing_else() -> None:
    text = "---\ntitle: T\nrankings: 1 0 1\ncover: {}\n---\nText.\n"
    assert parse_lesson(text.format("values"), "l.md").covers
    assert not parse_lesson(text.replace("cover: {}\n", ""), "l.md").covers
    with pytest.raises(ParseError, match="no such thing to cover"):
        parse_lesson(text.format("grades"), "l.md")
