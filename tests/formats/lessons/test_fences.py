"""Which lines of a lesson are fenced code: the Markdown parser is asked."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from irviewer.errors import ParseError
from irviewer.formats.lessons.fences import with_fences
from irviewer.formats.lessons.fields import Line
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.rendering.lesson_text import html_of, plain_of

HEADER = "---\ntitle: T\nrankings: 1 0 1 | R=2\n---\n"


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "```\na\n```\nb",
        "```\n~~~\n```\nb",
        "~~~ x\n```\na\n~~~\nb",
        "````\n```\na\n````\nb",
        "```\na\n````\nb",
        "```\n``` x\na\n```\nb",
        "```a```\nb",
        "~~~a~~~\nb\n~~~\nc",
        "``\na\n``",
        "  ```\na\n  ```\nb",
        "```\na",
        "```\na\n```  \nb\n```\nc\n```",
    ],
)
def test_fences_are_those_of_commonmark(text: str) -> None:
    lines = [Line(number, each) for number, each in enumerate(text.split("\n"), start=1)]
    numbers = [line.number - 1 for line, fenced in with_fences(lines) if fenced]
    tokens = [token.map for token in MarkdownIt("commonmark").parse(text) if token.type == "fence"]
    assert numbers == [number for place in tokens if place is not None for number in range(*place)]


@pytest.mark.parametrize("before", ["```\n~~~\n```\n", "```x``` and\n"])
def test_a_formula_after_code_is_read(before: str) -> None:
    with pytest.raises(ParseError, match="no group in braces"):
        parse_lesson(f"{HEADER}{before}$\\frac$\n", "l.md")


@pytest.mark.parametrize("text", [r"\` $\frac$ `", "    ```\n\n$\\frac$ and $a_$"])
def test_a_formula_that_cannot_be_read_is_shown_as_it_is_written(text: str) -> None:
    lesson = parse_lesson(f"{HEADER}{text}\n", "l.md")
    assert r"\frac" in plain_of(lesson.text)
    assert r"<code>\frac</code>" in html_of(lesson.text)
