"""Lessons as a page for a browser: whole, safe, with the program's values. What its script does: tests/browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import escape
from pathlib import Path
from typing import Any

import pytest

from irviewer.errors import IrviewerError
from irviewer.formats.lessons.course_folder import bundled_course, read_course
from irviewer.formats.lessons.lesson_file import parse_lesson, read_lesson
from irviewer.model.dialects import DIALECTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.course import course_of
from irviewer.model.lessons.lesson import Step
from irviewer.paths import resource
from irviewer.session.teaching.exchange.printing import lesson_sheet
from irviewer.session.teaching.exchange.web_page import lesson_page, save_page
from irviewer.session.teaching.own_session import opened
from irviewer.translation import use_decimal_comma

LESSON = """---
title: T</script><b>x
measure: nDCG
columns: gain, DCG, nDCG
rankings: 3 0 - 1 | ideal 3 2 1
---
Text <script>alert(1)</script> and </script>.

## Step: Swap
do: swap 1 2

## Question: What is nDCG?
ask: nDCG
wrong .1: <img src=x onerror=alert(1)>
"""


def content_of(page: str) -> dict[str, Any]:
    data = re.search(r'<script type="application/json" id="lessons">(.*?)</script>', page, re.S)
    assert data is not None
    read: dict[str, Any] = json.loads(data[1])
    return read


def test_the_policy_allows_the_script_and_the_style_of_the_page_and_nothing_else() -> None:
    page = lesson_page(course_of(parse_lesson(LESSON, "l.md")))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert "default-src 'none'" in policy[1]
    for name, kind in (("script", r"<script>(.*?)</script>"), ("style", r"<style>(.*?)</style>")):
        [text] = re.findall(kind, page, re.S)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy[1]
    assert not re.findall(r"<(?:link|img|iframe)\b|\bsrc=|@import|url\(", page.partition("<script type")[0])


def test_texts_of_a_lesson_are_text() -> None:
    page = lesson_page(course_of(parse_lesson(LESSON, "l.md")))
    assert page.count("</script>") == 2
    assert "<b>x" not in page
    [lesson] = content_of(page)["lessons"]
    assert lesson["title"] == "T</script><b>x"
    assert "&lt;script&gt;" in lesson["places"][0]["text"]
    assert "<img" not in lesson["places"][2]["wrong"][0]["reason"]


def test_a_place_has_the_tables_before_and_after_its_step() -> None:
    [lesson] = content_of(lesson_page(course_of(parse_lesson(LESSON, "l.md"))))["lessons"]
    beginning, step, question = lesson["places"]
    [table], [after] = step["tables"], step["after"]
    assert beginning["tables"] == [table] == question["tables"]
    assert (table["documents"], table["grades"]) == (["A", "B", "-1", "C"], [3, 0, None, 1]) or table["grades"] == [
        3,
        0,
        None,
        1,
    ]
    assert after["documents"] == [table["documents"][n] for n in (1, 0, 2, 3)]
    assert after["cells"][0] == [["", "0"], ["", "0"], ["", "0.00".removeprefix("0")]]
    assert "→" in step["change"]
    session = opened(parse_lesson(LESSON, "l.md"))
    session.lessons.show_place(2)
    value = session.teaching.computed(session.teaching.question)  # type: ignore[arg-type]
    assert question["value"] == value


POOLED = """---
title: T
rankings:
  one: 1 0 1 0
  two: 0 1 1 0 0
---
## Step: Deeper
do: cutoff 2
show: pooling
cutoff: 1

The line is below the pool.
"""


def pools_of(html: str) -> list[tuple[str, list[list[str]], int]]:
    """The captions of the pools in a document, their rows, and the number of rows down to the line."""
    pools = []
    for caption, body in re.findall(r"<table><caption>(Depth [^<]*)</caption>(.*?)</table>", html, re.S):
        rows = re.findall(r"<tr(.*?)</tr>", body, re.S)[1:]
        lines = [place for place, row in enumerate(rows, start=1) if row.startswith(" class=last")]
        pools.append((caption, [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in rows], *lines))
    return pools


def test_a_pool_is_a_table_of_the_page_and_of_the_sheet_with_answers() -> None:
    """The text of a step spoke of a line below the pool, and there was none."""
    lesson = parse_lesson(POOLED, "l.md")
    [data] = content_of(lesson_page(course_of(lesson)))["lessons"]
    beginning, step = data["places"]
    # one: A B C D; two: B A C D E, as the first relevant document is A and the first other one B in both.
    ranks = [["A", "1", "2"], ["B", "2", "1"], ["C", "3", "3"], ["D", "4", "4"], ["E", "–", "5"]]
    in_pool = [["1", "grade 1"], ["1", "grade 0"]] + 3 * [["0", "not judged"]]
    deeper = [["2", "grade 1"], ["2", "grade 0"]] + 3 * [["0", "not judged"]]
    first = ("Depth 1: 2 documents, of at most 1 × 2 = 2.", [a + b for a, b in zip(ranks, in_pool, strict=True)], 2)
    second = ("Depth 2: 2 documents, of at most 2 × 2 = 4.", [a + b for a, b in zip(ranks, deeper, strict=True)], 2)
    assert pools_of(step["view"]) == [first]
    assert pools_of(step["view_after"]) == [second]
    assert beginning["view"] == ""
    assert pools_of(lesson_sheet([lesson], answers=True)) == [second]
    assert pools_of(lesson_sheet([lesson], answers=False)) == []
    assert step["change"] == ""  # the line moves, and AP is as before


def test_the_whole_course_is_on_one_page_with_its_chapters() -> None:
    course = bundled_course("en")
    lessons = content_of(lesson_page(course))["lessons"]
    assert [each["id"] for each in lessons] == [each.id for each in course.lessons]
    assert [each["chapter"] for each in lessons] == [each.chapter for each in course.entries]
    assert [len(each["places"]) for each in lessons] == [len(each.items) + 1 for each in course.lessons]


def test_the_right_choice_is_said_without_its_marks() -> None:
    text = "---\ntitle: T\nrankings: 1 0\n---\n\n## Question: Q?\n- [x] the `a` *b*\n- [ ] other\n"
    [lesson] = content_of(lesson_page(course_of(parse_lesson(text, "l.md"))))["lessons"]
    assert lesson["places"][1]["right"] == "the a b"


@pytest.mark.parametrize("rules", DIALECTS)
def test_a_page_can_be_read_where_a_question_has_no_value(rules: str) -> None:
    text = f"---\ntitle: T\nrules: {rules}\nrankings: 0 0 0 | R=0\n---\n\n## Question: Q?\nask: AP\n"

    def refused(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    page = lesson_page(course_of(parse_lesson(text, "l.md")))
    json.loads(page.partition('id="lessons">')[2].partition("</script>")[0], parse_constant=refused)


@pytest.mark.parametrize(("columns", "shown"), [
    ("K, document, grade", []), ("K, document, grade, DCG", ["DCG"]), ("", ["gain", "discount", "DCG", "ideal DCG"]),
])  # fmt: skip
def test_a_table_has_the_columns_that_the_lesson_names(columns: str, shown: list[str]) -> None:
    """Rank, document and grade alone stood for the columns of the measure."""
    text = LESSON.replace("columns: gain, DCG, nDCG\n", f"columns: {columns}\n" if columns else "")
    page = lesson_page(course_of(parse_lesson(text, "l.md")))
    course = json.loads(page.partition('id="lessons">')[2].partition("</script>")[0])
    titles = [table["titles"] for each in course["lessons"] for place in each["places"] for table in place["tables"]]
    assert titles and all(each == shown for each in titles)


def luminance(colour: str) -> float:
    digits = colour * 2 if len(colour) == 3 else colour
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_texts_have_the_contrast_of_wcag_aa_in_both_themes() -> None:
    """Contrast: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio, 4.5 for text."""
    style = (resource("lesson_page") / "page.css").read_text(encoding="utf-8")
    light, dark = (dict(re.findall(r"--(\w+): #(\w+)", block)) for block in re.findall(r":root {(.*?)}", style, re.S))
    assert light.keys() == dark.keys()
    assert re.search(r":root {\s*color-scheme: light dark", style), "a browser's own controls stay light"
    pairs = [("ink", ground) for ground in ("paper", "panel", "zero", "g1", "g2", "g3", "g4")]
    pairs += [(ink, ground) for ink in ("muted", "accent") for ground in ("paper", "panel")] + [("right", "paper")]
    for theme in (light, dark):
        for ink, ground in pairs:
            above, below = sorted((luminance(theme[ink]), luminance(theme[ground])), reverse=True)
            assert (above + 0.05) / (below + 0.05) >= 4.5, (ink, ground)


def test_what_only_the_page_can_focus_has_no_frame_and_all_else_has() -> None:
    folder = resource("lesson_page")
    style, script = ((folder / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    tags = set(re.findall(r'element\("(\w+)", { tabindex: "-1"', script))
    assert tags == {"h2"}
    frames = re.findall(r"(\w*):focus-visible { outline: (\w+)", style)
    assert frames == [("", "3px"), *((tag, "none") for tag in tags)]


def test_tables_in_texts_are_aligned_as_they_are_written() -> None:
    """Words in them were put to the right, as numbers of rankings are."""
    page = lesson_page(course_of(parse_lesson(LESSON, "l.md")))
    for place in (".text", ".feedback"):
        for cell in ("td", "th"):
            assert re.search(rf"{re.escape(place)} {cell}:not\(\[align\]\)[^}}]*{{ text-align: left }}", page)


def test_a_page_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(LESSON)
    save_page(str(tmp_path / "page.html"), course_of(read_lesson(tmp_path / "good.md")))
    before = (tmp_path / "page.html").read_bytes()
    assert before.startswith(b"<!DOCTYPE html>")
    for name in ("q.txt", "r.txt"):
        (tmp_path / name).write_text("nothing that can be read")
    (tmp_path / "good.md").write_text("---\ntitle: T\nqrels: q.txt\nruns: r.txt\n---\n")
    with pytest.raises(IrviewerError):
        save_page(str(tmp_path / "page.html"), course_of(read_lesson(tmp_path / "good.md")))
    assert (tmp_path / "page.html").read_bytes() == before
    assert read_course(tmp_path).title == tmp_path.name


NUMBER = re.compile(r"(?<![\d.,])(\d*\.\d+)(?!\d|\.\d)")


def shown_early(lesson: dict[str, Any]) -> list[tuple[int, int, str]]:
    """The values that the page of a lesson shows before the question that asks for them: (place, question, value)."""
    asking = {n: place for n, place in enumerate(lesson["places"]) if place["kind"] == "question"}
    numbers = {n: place for n, place in asking.items() if place["value"] is not None}
    early_values = []
    for at, place in enumerate(lesson["places"]):
        covers = lesson["covers"] and place["kind"] != "step"
        seen: list[str] = []
        later = [n for n in numbers if n > at]
        if not covers and place["kind"] != "question":
            seen += [figure["text"] for figure in place["figures"] if not set(later) & set(figure["awaited"])]
        for table in (*place["tables"], *place.get("after", ())) if not covers else ():
            for rank, cells in enumerate(table["cells"], start=1):
                for (_, value), awaited in zip(cells, table["awaited"], strict=True):
                    if not any(n in later and rank >= first for n, first in awaited):
                        seen.append(value)
        for n in later:
            value, within = numbers[n]["value"], numbers[n]["within"]
            texts = (text for text in seen if any(abs(float(each) - value) <= within for each in NUMBER.findall(text)))
            early_values += [(at, n, text) for text in texts]
    return early_values


@pytest.mark.parametrize("name", [lesson.id for lesson in bundled_course().lessons])
def test_no_value_is_shown_before_the_question_that_asks_for_it(name: str) -> None:
    lesson = bundled_course().lesson(name)
    assert lesson is not None
    [shown] = content_of(lesson_page(course_of(lesson)))["lessons"]
    assert shown_early(shown) == []


def test_a_lesson_about_many_queries_has_their_values_in_place_of_thirty_lists() -> None:
    lines = "\n  ---\n".join(f"  a: {'1 ' * n}{'0 ' * (8 - n)}; b: 0 1 0 0 0 0 0 0" for n in range(1, 8))
    text = f"---\ntitle: T\nmeasure: P@8\nrankings:\n{lines}\n---\n## Question: Q\nanswer: 1\n## Step: S\n"
    text += "do: measure P@2\n"
    beginning, question, step = content_of(lesson_page(course_of(parse_lesson(text))))["lessons"][0]["places"]
    rows = [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall("<tr>(.*?)</tr>", beginning["values"])]
    assert [row[0] for row in rows] == ["query", *map(str, range(1, 8))]
    assert [float(row[1]) for row in rows[1:]] == pytest.approx([n / 8 for n in range(1, 8)], abs=0.00501)
    assert [place["tables"] for place in (beginning, question, step)] == [[], [], []]
    assert question["values"] == beginning["values"]
    after = [re.findall("<td[^>]*>(.*?)</td>", row) for row in re.findall("<tr>(.*?)</tr>", step["values_after"])][1:]
    assert [float(row[1]) for row in after] == pytest.approx([min(n, 2) / 2 for n in range(1, 8)])
    # Where one of the values is asked, the lists are there, without it.
    asked = content_of(lesson_page(course_of(parse_lesson(text.replace("answer: 1", "ask: P@8 of a, query 3")))))
    assert [len(place["tables"]) for place in asked["lessons"][0]["places"]] == [14, 14, 14]
    assert not any(place["values"] for place in asked["lessons"][0]["places"])


def test_a_step_that_compares_has_the_tests_that_the_window_shows() -> None:
    lesson = bundled_course("en").lesson("significance")
    assert lesson is not None
    [content] = content_of(lesson_page(course_of(lesson)))["lessons"]
    steps = [place for place in content["places"] if place["kind"] == "step"]
    session = opened(lesson)
    for place, run in zip(steps, "BC", strict=True):
        session.lessons.show_place(content["places"].index(place))
        session.compute_now()
        pair = session.comparison.pair_view_model()
        assert pair is not None
        table = place["view"].partition("</table>")[0]
        assert f"{run} against A" in table
        for row in pair.tests:
            assert f">{escape(row.name)}</td>" in table
            assert f">{escape(row.value)}</td>" in table.replace("\N{NO-BREAK SPACE}", " ")
    assert "sign test" not in "".join(
        place["view"] + place["values"] for place in content["places"] if place not in steps
    )
    sheet = lesson_sheet([lesson], answers=True)
    assert sheet.count("<caption>B against A") == sheet.count("<caption>C against A") == 1
    assert "<caption>B against" not in lesson_sheet([lesson], answers=False)


@pytest.mark.parametrize("name", ["b2", "means", "g4"])
def test_values_are_written_as_in_the_window_of_the_lesson(name: str) -> None:
    """A change was 0.5000 where the window has .5000, and the answer 0.4 beside .40 in the table."""
    lesson = bundled_course("en").lesson(name)
    assert lesson is not None
    [content] = content_of(lesson_page(course_of(lesson)))["lessons"]
    session = opened(lesson)
    ours = [place["change"] for place in content["places"] if place.get("change")]
    for number, item in enumerate(lesson.items, start=1):
        if isinstance(item, Step) and item.actions:
            session.lessons.show_place(number)
            session.teaching.do_example_step()
            change = session.teaching.step_change()
            assert change is not None
            assert f"{HalfUp(change.after):.4f}".removeprefix("0") in ours.pop(0).replace(" 1", " 1.0000")
            session.teaching.restart_example()
    assert not ours
    said = [place["right"] for place in content["places"] if place.get("right")]
    said += [figure["text"].partition("·")[2] for place in content["places"] for figure in place["figures"]]
    sheet = lesson_sheet([lesson], answers=True)
    said += re.findall(r"<p class=answer><b>(.*?)</b>", sheet) + re.findall(r"more exactly ([\d. ]+)", sheet)
    assert any(re.search(r"(?<!\d)\.\d", text) for text in said)
    assert [text for text in said if re.search(r"(?<!\d)0\.\d", text)] == []


def test_the_answer_has_the_decimal_sign_of_the_page() -> None:
    text = "---\ntitle: T\nrankings: 1 0\n---\n\n## Question: Q?\nanswer: .95\n"
    use_decimal_comma(True)
    try:
        [lesson] = content_of(lesson_page(course_of(parse_lesson(text, "l.md"))))["lessons"]
    finally:
        use_decimal_comma(False)
    assert lesson["places"][1]["right"] == "0,95"


def test_a_lesson_about_the_mean_curve_says_so() -> None:
    for name, mean in (("pr-mean", True), ("pr-raw", False), ("b7", False)):
        lesson = bundled_course("en").lesson(name)
        assert lesson is not None
        [content] = content_of(lesson_page(course_of(lesson)))["lessons"]
        assert any(place["mean"] for place in content["places"]) == mean
