"""The page of the bundled course in a real browser: every question is answered and marked as in the window, values of
rankings that a reader reorders equal the program's, and nothing fails, loads or runs off the screen."""

from __future__ import annotations

import json
import random
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from patience import LONG
from PIL import Image

from irviewer.formats.lessons.answer_file import read_answers
from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.formats.lessons.lesson_file import parse_lesson, read_lesson
from irviewer.model.lessons.course import Course, CourseEntry, course_of
from irviewer.model.lessons.lesson import Lesson, Question
from irviewer.rendering.lesson_text import html_of
from irviewer.session.curves.rules import averaged
from irviewer.session.lecture_table.columns import COLUMNS, cell_text
from irviewer.session.session import Session
from irviewer.session.teaching.answers import answered, right_text
from irviewer.session.teaching.exchange.grading import graded
from irviewer.session.teaching.exchange.keys import Keys
from irviewer.session.teaching.exchange.printing import MOST_QUERIES, in_number_order
from irviewer.session.teaching.exchange.web_page import LessonPages, lesson_page
from irviewer.session.teaching.own_session import opened
from irviewer.session.view_models.lecture_table import table_ranking
from tests.browser.firefox import Firefox

webdriver = pytest.importorskip("selenium.webdriver")

pytestmark = pytest.mark.browser
COURSE = bundled_course("en")
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")


def chromium() -> Any:
    """A browser of Chromium, which keeps what its console says."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    # A container's root has no sandbox, and little shared memory. A script that is quicker than people would be held up
    # after 200 places in ten seconds.
    for argument in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--disable-ipc-flooding-protection",
    ):  # fmt: skip
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


MISSING = {
    "chromium": not (shutil.which("chromium") and shutil.which("chromedriver")),
    "firefox": FIREFOX is None,
}


@pytest.fixture(scope="module")
def course_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the course, the same for all browsers."""
    path = tmp_path_factory.mktemp("page") / "course.html"
    path.write_text(lesson_page(COURSE), encoding="utf-8")
    return path


@contextmanager
def started(name: str, folder: Path) -> Iterator[Any]:
    """A browser, which may put its files into the folder."""
    if MISSING[name]:
        pytest.skip("needs chromium and its driver" if name == "chromium" else "needs firefox")
    browser = chromium() if name == "chromium" else Firefox(str(FIREFOX), folder)
    try:
        yield browser
    finally:
        browser.quit()


@pytest.fixture(scope="module", params=list(MISSING))
def page(request: pytest.FixtureRequest, course_page: Path) -> Iterator[Any]:
    """Each browser with the page of the course open."""
    with started(request.param, course_page.parent) as browser:
        browser.set_window_size(1200, 900)
        browser.get(course_page.as_uri())
        yield browser
        assert faults(browser) == []  # no error, and nothing that the policy refused


def faults(page: Any) -> list[Any]:
    """What the console says of the pages so far."""
    return page.faults() if page.capabilities["browserName"] == "firefox" else page.get_log("browser")


@contextmanager
def phone(page: Any, course_page: Path) -> Iterator[None]:
    """The page of the course on a screen of 360 × 740: Firefox cannot be told a size that small, a frame can."""
    if page.capabilities["browserName"] != "firefox":
        metrics = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        try:
            yield
        finally:
            page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
            page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        return
    frame = course_page.with_name("frame.html")
    frame.write_text(f'<!DOCTYPE html><iframe style="width: 360px; height: 740px; border: 0" src="{course_page.name}">')
    page.get(frame.as_uri())
    page.switch_to.frame(0)
    try:
        yield
    finally:
        page.switch_to.default_content()
        page.get(course_page.as_uri())


LEAVE = """
if (location.hash !== arguments[0]) {
  for (const shown of document.querySelector("main").children) shown.dataset.left = "";
  location.hash = arguments[0];
}
"""
PLACE = "return document.querySelector('main > :not([data-left]) .place')?.textContent || ''"


def go(page: Any, lesson: str, place: int) -> None:
    """Show a place of a lesson. The page follows its address by and by: what it showed before does not count, since
    another lesson has a place of that number, too."""
    page.execute_script(LEAVE, f"#{lesson}/{place}")
    end = time.monotonic() + LONG
    while not page.execute_script(PLACE).startswith(f"{place + 1} of "):
        assert time.monotonic() < end, f"{lesson} has no place {place} on the page"
        time.sleep(0.01)


def questions() -> Iterator[tuple[Session, str, int, Question]]:
    for lesson in COURSE.lessons:
        session = opened(lesson)
        for place, item in enumerate(lesson.items, start=1):
            if isinstance(item, Question):
                session.lessons.show_place(place)
                yield session, lesson.id, place, item


FAULTY = """<!DOCTYPE html>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'">
<img src="data:image/png;base64,iVBORw0KGgo="><script>setTimeout(() => { missing(); window.done = true; });</script>"""


@pytest.mark.parametrize("browser", MISSING)
def test_a_fault_of_a_page_and_what_its_policy_refuses_are_seen(browser: str, tmp_path: Path) -> None:
    with started(browser, tmp_path) as page:
        (tmp_path / "faulty.html").write_text(FAULTY)
        page.get((tmp_path / "faulty.html").as_uri())
        settled(page)
        said = "\n".join(str(each) for each in faults(page))
    assert "missing is not defined" in said
    assert "img-src" in said


def test_every_question_is_answered_on_the_page_and_found_right(page: Any, tmp_path: Path) -> None:
    asked = 0
    for session, lesson, place, question in questions():
        go(page, lesson, place)
        fields = page.find_elements("css selector", "main form input")
        if question.choices:
            for choice, field in zip(question.choices, fields, strict=True):
                assert field.find_element("xpath", "..").text.strip()
                if choice.right:
                    field.click()
        else:
            [field] = fields
            field.send_keys(right_text(question, session.teaching.computed(question)))
        [main_button] = page.find_elements("css selector", "main button.main")  # nothing else asks to go on
        main_button.click()
        [feedback] = page.find_elements("css selector", "main .feedback")
        assert "right" in feedback.get_attribute("class").split(), (lesson, place)
        asked += 1
    assert asked >= 100
    (tmp_path / "answers.json").write_text(page.execute_script("return irviewer.payload()"))
    points = graded(COURSE, [read_answers(tmp_path / "answers.json")]).column("points").values
    assert list(points) == [1] * asked


def test_answers_are_marked_as_in_the_window(page: Any) -> None:
    draw = random.Random(1)
    for session, lesson, place, question in questions():
        if question.choices:
            continue
        computed = session.teaching.computed(question)
        right = right_text(question, computed)
        texts = [each.answer for each in question.wrong]
        texts += [
            *question.spellings,
            right,
            right.upper(),
            f"  {right} ",
            "many",
            "1/3",
            "60 %",
            "−1",
            ",5",
            "1e3",
            "315 000",
            "315.000",
            "148,000,000",
            "1 5",
            "é",
            "",
        ]
        texts += [f"{draw.random():.{digits}f}" for digits in (1, 2, 3)]
        value = computed if computed is not None else None
        texts += [] if value is None or not np.isfinite(value) else [f"{value:.{digits}f}" for digits in (1, 2, 3, 6)]
        marks = page.execute_script(
            "const [id, place, texts] = arguments;"
            "const question = irviewer.data.lessons.find((each) => each.id === id).places[place];"
            "return texts.map((text) => irviewer.mark(question, text));",
            lesson, place, [text for text in texts if text.strip()],
        )  # fmt: skip
        for text, mark in zip([text for text in texts if text.strip()], marks, strict=True):
            expected = answered(question, text, computed, 1)
            assert (mark["right"], mark.get("rounded", False)) == (expected.right, expected.rounded), (lesson, text)
            if not expected.right and expected.reason in {each.reason for each in question.wrong}:
                assert mark["reason"] == html_of(expected.reason)


def test_values_of_a_reordered_ranking_equal_the_programs(page: Any) -> None:
    draw, compared = random.Random(2), 0
    every = [column.id for column in COLUMNS]
    for lesson in COURSE.lessons:
        session = opened(lesson)
        context = session.view.context
        assert context is not None
        if context.n_queries > MOST_QUERIES:
            continue  # it has their values in place of the lists
        at = 0
        for query in in_number_order(context.query_ids):
            for entry in context.collection.runs:
                ranking = table_ranking(context, entry, query)
                if ranking is None:
                    continue
                order = list(range(ranking.n))
                draw.shuffle(order)
                shuffled = type(ranking)(
                    tuple(ranking.documents[n] for n in order), ranking.grades[order], ranking.judged, ranking.level,
                    ranking.rule,
                )  # fmt: skip
                cells = page.execute_script(
                    "const [id, at, order, columns] = arguments;"
                    "const table = irviewer.data.lessons.find((each) => each.id === id).places[0].tables[at];"
                    "const v = irviewer.values(table, order);"
                    "return order.map((_, k) => columns.map((column) => irviewer.cell(v, column, k)));",
                    lesson.id, at, order, every,
                )  # fmt: skip
                assert cells == [
                    [list(cell_text(shuffled, column, rank)) for column in every] for rank in range(1, ranking.n + 1)
                ]
                at, compared = at + 1, compared + ranking.n * len(every)
    assert compared > 5_000


def test_the_mean_curves_are_drawn_and_equal_the_programs(page: Any) -> None:
    go(page, "pr-mean", 2)
    drawn = page.execute_script(
        "const mean = document.querySelector('main figure.mean'); return [mean.querySelectorAll('polyline').length,"
        " [...mean.querySelectorAll('.key')].map((each) => each.textContent)]"
    )
    assert drawn == [2, ["first", "second"]]
    draw, lesson = random.Random(3), COURSE.lesson("pr-mean")
    assert lesson is not None
    lesson = replace(lesson, rankings="\n".join((lesson.rankings, "---", "first: 0 0 | R=3", "second: 0 1")))
    documents = opened(lesson)
    context = documents.view.context
    assert context is not None
    tables = content_of_place(lesson)["tables"]
    for shuffled in (False, True):
        orders = [list(range(len(table["documents"]))) for table in tables]
        wanted: dict[str, list[float]] = {}
        for table, order in zip(tables, orders, strict=True):
            draw.shuffle(order) if shuffled else None
            relevant = [table["is_relevant"][document] for document in order]
            precision = [sum(relevant[: k + 1]) / (k + 1) for k, each in enumerate(relevant) if each]
            row = [
                max((p for n, p in enumerate(precision, 1) if 100 * n >= level * table["relevant"]), default=0)
                for level in range(101)
            ]
            sums = wanted.setdefault(table["run"], [0.0] * 101)
            wanted[table["run"]] = [a + b / 3 for a, b in zip(sums, row, strict=True)]
        means = page.execute_script("return irviewer.means(arguments[0], arguments[1])", tables, orders)
        assert [name for name, _ in means] == ["first", "second"]
        for name, mean in means:
            assert mean == pytest.approx(wanted[name], abs=1e-12)
            if not shuffled:
                [entry] = [each for each in context.collection.runs if each.name == name]
                curve = averaged(context, entry)
                assert curve is not None
                levels = np.interp(np.arange(101) / 100, *curve)  # a curve has its corners only
                assert mean == pytest.approx(levels.tolist(), abs=1e-12)


def content_of_place(lesson: Lesson) -> dict[str, Any]:
    """The beginning of a lesson, as its page has it."""
    data = re.search(r'id="lessons">(.*?)</script>', lesson_page(course_of(lesson)), re.S)
    assert data is not None
    return dict(json.loads(data[1])["lessons"][0]["places"][0])


def test_a_document_is_moved_by_a_finger_and_nothing_scrolls(page: Any, course_page: Path) -> None:
    with phone(page, course_page):
        go(page, "b2", 0)
        before, sizes = page.execute_script(
            "const arrow = document.querySelector('[data-move$=\"/2/1\"]');"
            "arrow.scrollIntoView({ block: 'center' });"
            "document.querySelector('main .scroll').scrollLeft = 10;"
            "const box = arrow.getBoundingClientRect();"
            "return [[scrollY, document.querySelector('main .scroll').scrollLeft],"
            " [box.width, box.height, box.right, document.documentElement.clientWidth,"
            " matchMedia('(pointer: coarse)').matches]]"
        )
        width, height, right, wide, coarse = sizes
        assert right <= wide
        assert width >= (36 if coarse else 24)
        assert height >= (44 if coarse else 24)
        page.execute_script("document.querySelector('[data-move$=\"/2/1\"]').click()")
        settled(page)
        after = "return [scrollY, document.querySelector('main .scroll').scrollLeft]"
        assert page.execute_script(after) == before
        page.execute_script("document.querySelector('[data-move$=\"/0/1\"]').click()")
        page.find_element("xpath", "//button[text()='Order of the lesson']").click()


def test_documents_are_moved_by_the_keyboard_and_back(page: Any) -> None:
    go(page, "b2", 0)
    rows = "return [...document.querySelectorAll('main td.document')].map((each) => each.textContent)"
    before = page.execute_script(rows)
    page.execute_script('document.querySelector(\'[data-move="0/0/0/1/-1"], [data-move$="/1/-1"]\').focus()')
    page.switch_to.active_element.send_keys(" ")
    assert page.execute_script(rows) == [before[1], before[0], *before[2:]]
    assert page.execute_script("return document.activeElement.dataset.move").endswith("/0/1")  # it goes along
    page.find_element("xpath", "//button[text()='Order of the lesson']").click()
    assert page.execute_script(rows) == before


def test_a_step_is_done_and_undone(page: Any) -> None:
    go(page, "b2", 1)
    button = page.find_element("id", "step")
    assert ".7888" not in page.find_element("css selector", "main").text
    assert "from .76 to .79" not in page.find_element("css selector", "main").text  # it can be predicted
    following = "return document.getElementById('next').className"
    assert page.execute_script(following) == ""  # the step comes first
    button.click()
    assert page.execute_script(following) == "main"
    assert "from .76 to .79" in page.find_element("css selector", "main").text
    assert "AP .7555 → .7888" in page.find_element("css selector", "main").text
    documents = [each.text for each in page.find_elements("css selector", "main td.document")]
    assert documents[:3] == ["A", "C", "B"]
    page.find_element("id", "step").click()
    assert ".7888" not in page.find_element("css selector", "main").text


def test_at_the_end_of_a_lesson_its_step_comes_before_the_next_lesson(page: Any) -> None:
    go(page, "sets", 4)
    main_buttons = "return [...document.querySelectorAll('main button.main')].map((each) => each.id)"
    assert page.execute_script(main_buttons) == ["step"]
    page.find_element("id", "step").click()
    assert page.execute_script(main_buttons) == ["next"]


def test_nothing_runs_off_a_phone(page: Any, course_page: Path) -> None:
    with phone(page, course_page):
        for lesson in COURSE.lessons:
            go(page, lesson.id, 0)
            wide, seen, whole, named = page.execute_script(
                "const root = document.documentElement, said = document.createRange(); let right = 0;"
                "for (const each of document.querySelectorAll('main caption')) {"
                "said.selectNodeContents(each); right = Math.max(right, said.getBoundingClientRect().right) }"
                "return [innerWidth, root.clientWidth, root.scrollWidth, right]"
            )
            assert (wide, whole) == (360, seen), lesson.id  # a scroll bar takes its share
            assert named <= seen, lesson.id  # the name of a table that scrolls is whole


def test_words_in_a_table_of_the_text_are_whole_on_a_phone(page: Any, course_page: Path) -> None:
    """“nad” and “a” stood below each other; the table scrolls where it has no room."""
    with phone(page, course_page):
        go(page, "answers", 0)
        heights = page.execute_script(
            "return [...document.querySelectorAll('.text td')].filter(cell => /^\\w+$/.test(cell.textContent.trim()))"
            ".map(cell => { const range = document.createRange(); range.selectNodeContents(cell);"
            " return range.getClientRects().length })"
        )
        assert len(heights) > 10
        assert set(heights) == {1}


def test_every_control_has_a_name(page: Any) -> None:
    for lesson, place in (("b2", 0), ("b2", 2), ("pr-raw", 1)):
        go(page, lesson, place)
        names = page.execute_script(
            "return [...document.querySelectorAll('button, input')].map((each) => each.getAttribute('aria-label') ||"
            " each.textContent.trim() || each.labels?.[0]?.textContent.trim() ||"
            " document.getElementById(each.getAttribute('aria-labelledby'))?.textContent)"
        )
        assert all(names)


def test_a_printed_page_has_the_whole_lesson(page: Any, tmp_path: Path) -> None:
    go(page, "b2", 0)
    page.execute_script("dispatchEvent(new Event('beforeprint'))")
    sections = page.find_elements("css selector", "main section.printed")
    assert len(sections) == 3
    titles = page.execute_script("return [...document.querySelectorAll('main h2, main h3')].map((e) => e.textContent)")
    assert len(titles) == len(set(titles)) == 3  # that of the lesson once
    assert page.find_elements("css selector", "main ul.boxes > li")
    page.execute_script("dispatchEvent(new Event('afterprint'))")
    assert page.find_elements("css selector", "main section.printed") == []


COMPARED = """---
title: T
measure: P@1
rankings:
  one: 1 0; two: 0 1
  ---
  one: 1 0; two: 1 0
---
| word | meaning |
|---|---|
| one | first |

## Step: Both
show: compare
run: two

Compare shows two against one.

## Step: The pool
show: pooling
cutoff: 1
do: cutoff 2

The line is below the pool.
"""


def test_a_printed_step_has_the_table_that_its_text_is_about(page: Any, tmp_path: Path) -> None:
    opened_page(page, course_of(parse_lesson(COMPARED, "compared.md")), tmp_path / "compared.html")
    captions = "return [...document.querySelectorAll('main .text caption')].map((each) => each.textContent)"

    def printed() -> list[str]:
        page.execute_script("dispatchEvent(new Event('beforeprint'))")
        try:
            word = page.find_element("xpath", "//main//td[text()='first']")
            assert page.execute_script("return getComputedStyle(arguments[0]).textAlign", word) == "left"
            return list(page.execute_script(captions))
        finally:
            page.execute_script("dispatchEvent(new Event('afterprint'))")

    [compared] = printed()
    assert compared.startswith("two against one")
    go(page, "compared", 2)
    settled(page)
    page.find_element("id", "step").click()
    assert printed() == [compared, "Depth 2: 2 documents, of at most 2 × 2 = 4."]


HOSTILE = """---
title: T $& <b>
id: {id}
rankings: 1 0 1 | R=2
---
Text.

## Question: Which?
answer: {right}
"""


def opened_page(page: Any, course: Course, path: Path) -> None:
    path.write_text(lesson_page(course), encoding="utf-8")
    page.get(path.as_uri())


def reload(page: Any) -> None:
    """Load the page again: the driver may come back while the former one is still there."""
    page.execute_script("window.former = true")
    page.refresh()
    end = time.monotonic() + 30
    while page.execute_script("return Boolean(window.former) || document.readyState !== 'complete'"):
        assert time.monotonic() < end
    settled(page)


def settled(page: Any) -> None:
    """Wait until a change of the address has been told, and what it leads to is painted."""
    script = "const done = arguments[0]; setTimeout(() => requestAnimationFrame(() => setTimeout(done)))"
    page.execute_async_script(script)


def test_any_id_is_an_address_and_any_answer_is_said(page: Any, tmp_path: Path) -> None:
    ids = ("a/b", "50%", "a#b", "?x&y", "ñ é", '"<i>')
    lessons = [parse_lesson(HOSTILE.format(id=name, right="$& and $1"), f"{n}.md") for n, name in enumerate(ids)]
    entries = tuple(CourseEntry(lesson.path, lesson) for lesson in lessons)
    opened_page(page, Course("Ids", entries), tmp_path / "ids.html")
    for n in range(len(ids)):
        page.find_elements("css selector", "nav.contents a")[n].click()
        settled(page)
        assert page.find_element("css selector", "main h2").text == "T $& <b>"
        page.find_element("id", "next").click()
        settled(page)
        reload(page)  # its address leads here again
        page.find_element("xpath", "//button[text()='Show answer']").click()
        settled(page)
        assert "The answer is: $& and $1." in page.find_element("css selector", "main .feedback").text
        page.find_element("xpath", "//button[text()='Contents']").click()
        settled(page)
        assert page.execute_script("return document.activeElement.tagName") == "H2"
    assert set(page.execute_script("return JSON.parse(irviewer.payload()).answers")) == set(ids)


def test_a_page_of_one_lesson_saves_answers_and_keeps_none_to_a_question_that_changed(
    page: Any, tmp_path: Path
) -> None:
    def wanted() -> Any:
        return page.execute_script("return JSON.parse(irviewer.payload())")

    lesson = parse_lesson(HOSTILE.format(id="l", right="one"), "l.md")
    opened_page(page, course_of(lesson), tmp_path / "one.html")
    go(page, "l", 1)
    assert page.find_elements("xpath", "//button[text()='Save my answers']")
    page.find_element("css selector", "main form input").send_keys("one")
    page.find_element("css selector", "main form button.main").click()
    (tmp_path / "answers.json").write_text(page.execute_script("return irviewer.payload()"))
    table = graded(course_of(lesson), [read_answers(tmp_path / "answers.json")])
    assert list(table.column("points").values) == [1]
    assert table.notes == ()
    reload(page)
    assert wanted()["answers"] == {"l": {"1": [{"text": "one"}]}}
    opened_page(page, course_of(parse_lesson(HOSTILE.format(id="l", right="two"), "l.md")), tmp_path / "one.html")
    assert wanted()["answers"] == {}


HINTED = """---
title: T
rankings: 1 0 1 1 0 | R=4
---
## Question: What is P@3?
points: 2
hint: Count *those* that are relevant, $\\frac{n}{k}$.
hint costs: .5
ask: P@3
"""


def test_a_hint_is_shown_on_request_and_saved(page: Any, tmp_path: Path) -> None:
    lesson = parse_lesson(HINTED, "l.md")
    opened_page(page, course_of(lesson), tmp_path / "hint.html")
    go(page, "l", 1)
    assert "2 points" in page.find_element("css selector", "main form").text
    assert "Count" not in page.find_element("css selector", "main").text
    page.find_element("xpath", "//button[text()='Hint (costs 0.5 points)']").click()
    assert page.find_element("css selector", "main .hint em").text == "those"
    fraction = page.find_element("css selector", "main .hint math mfrac")
    assert [each.text for each in fraction.find_elements("css selector", "mi")] == ["n", "k"]
    n, k = (each.rect for each in fraction.find_elements("css selector", "mi"))
    assert n["y"] + n["height"] <= k["y"] + 1  # one above the other
    assert page.execute_script("return document.activeElement.name") == "answer"
    assert not page.find_elements("xpath", "//button[starts-with(text(), 'Hint')]")
    page.find_element("css selector", "main form input").send_keys("2/3")
    page.find_element("css selector", "main form button.main").click()
    assert "✓ Right." in page.find_element("css selector", "main .feedback").text
    (tmp_path / "answers.json").write_text(page.execute_script("return irviewer.payload()"))
    table = graded(course_of(lesson), [read_answers(tmp_path / "answers.json")])
    assert (list(table.column("points").values), list(table.column("tries").values)) == ([1.5], [1])


UNDER_WAY = f"{HINTED}\n## Question: Which?\n- [x] one\n- [ ] two\n"


def test_what_is_typed_or_chosen_stays_until_it_is_given(page: Any, tmp_path: Path) -> None:
    """It was gone once a document was moved, a hint asked for, the page printed or another place shown."""
    opened_page(page, course_of(parse_lesson(UNDER_WAY, "typed.md")), tmp_path / "under-way.html")
    do = page.execute_script
    move, hint = "document.querySelector('[data-move$=\"/1/-1\"]').click()", "//button[starts-with(text(), 'Hint')]"
    paper = "dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'))"
    text = "return document.querySelector('main form input').value"
    go(page, "typed", 1)
    settled(page)
    page.find_element("css selector", "main form input").send_keys("2/")
    for action in (move, paper):
        do(action)
        assert do(text) == "2/"
    page.find_element("xpath", hint).click()
    assert do(text) == "2/"
    go(page, "typed", 2)
    settled(page)
    checked = "return [...document.querySelectorAll('main form input')].map((each) => each.checked)"
    page.find_elements("css selector", "main form input")[1].click()
    before = do(checked)
    assert sum(before) == 1
    for action in (move, paper):
        do(action)
        assert do(checked) == before
    go(page, "typed", 1)
    settled(page)
    assert do(text) == "2/"
    page.find_element("css selector", "main form input").send_keys("4")
    page.find_element("css selector", "main form button.main").click()
    assert kept(page) == {"1": [{"hint": True}, {"text": "2/4"}]}
    assert do(text) == "2/4"  # not right: it is selected, and changed
    do("window.confirm = () => true")
    page.find_element("xpath", "//button[text()='Forget my answers']").click()
    assert do(text) == ""


def test_a_lesson_that_covers_its_values_shows_none_until_all_is_answered(page: Any, tmp_path: Path) -> None:
    [lesson] = [lesson for lesson in COURSE.lessons if lesson.id == "engines"]
    opened_page(page, course_of(replace(lesson, id="covered")), tmp_path / "covered.html")
    cells = "return [...document.querySelectorAll('main .tables td.covered')].length"
    go(page, "covered", 0)
    assert page.execute_script(cells) == 3 * 10 * 3  # P@K, R@K and the AP sum of three rankings
    assert ".375" not in page.find_element("css selector", "main").text
    for place in (1, 2, 3):
        go(page, "covered", place)
        assert page.execute_script(cells) == 3 * 10 * 3
        page.execute_script("[...document.querySelectorAll('main form button')].at(-1).click()")
        settled(page)
    go(page, "covered", 0)
    assert page.execute_script(cells) == 0
    assert ".375" in page.find_element("css selector", "main").text


def test_a_picture_is_shown_and_fits_a_phone(page: Any, tmp_path: Path) -> None:
    Image.new("RGB", (1500, 300), (200, 30, 30)).save(tmp_path / "a.png")
    (tmp_path / "l.md").write_text("---\ntitle: T\nrankings: 1 0\n---\n![two sets](a.png)\n")
    opened_page(page, course_of(read_lesson(tmp_path / "l.md")), tmp_path / "picture.html")
    page.set_window_size(500, 900)
    try:
        image = page.find_element("css selector", "main .text img")
        assert image.get_attribute("alt") == "two sets"
        assert page.execute_script("return arguments[0].naturalWidth", image) == 1500
        assert 0 < image.rect["width"] <= page.execute_script("return document.documentElement.clientWidth")
        assert abs(image.rect["width"] - 5 * image.rect["height"]) < 5
    finally:
        page.set_window_size(1200, 900)


def test_the_page_of_a_student_is_saved_under_that_name(page: Any, tmp_path: Path) -> None:
    lesson = parse_lesson(HINTED.replace("title: T", "title: T\nvary: order"), "l.md")
    (tmp_path / "ana.html").write_text(LessonPages(course_of(lesson)).page("Ana M."), encoding="utf-8")
    page.get((tmp_path / "ana.html").as_uri())
    go(page, "l", 1)
    name = page.find_element("id", "name")
    assert (name.get_attribute("value"), name.is_enabled()) == ("Ana M.", False)
    [key] = Keys().of(lesson, "Ana M.")
    page.find_element("css selector", "main form input").send_keys(f"{key.computed:.4f}")
    page.find_element("css selector", "main form button.main").click()
    (tmp_path / "answers.json").write_text(page.execute_script("return irviewer.payload()"))
    table = graded(course_of(lesson), [read_answers(tmp_path / "answers.json")])
    assert (list(table.column("student").values), list(table.column("points").values)) == (["Ana M."], [2])
    assert table.notes == ()


def answer(page: Any, lesson: str, place: int, text: str) -> None:
    """Go to a question and answer it."""
    go(page, lesson, place)
    settled(page)
    field = page.find_element("css selector", "main form input")
    field.clear()
    field.send_keys(text)
    page.find_element("css selector", "main form button.main").click()
    settled(page)


def kept(page: Any) -> dict[str, list[Any]]:
    """The answers that the page of one lesson would save."""
    return dict(page.execute_script("return Object.values(JSON.parse(irviewer.payload()).answers)[0] || {}"))


def wait_until_kept(page: Any, wanted: dict[str, list[Any]]) -> None:
    """Wait until the page has these answers: what another tab wrote comes a moment later."""
    end = time.monotonic() + 20
    while (now := kept(page)) != wanted:
        assert time.monotonic() < end, now


def test_two_tabs_of_a_page_keep_the_answers_of_both(page: Any, tmp_path: Path) -> None:
    lesson = parse_lesson(HOSTILE.format(id="tabs", right="one") + "\n## Question: And?\nanswer: two\n", "l.md")
    opened_page(page, course_of(lesson), tmp_path / "tabs.html")
    first = page.current_window_handle
    page.switch_to.new_window("tab")
    try:
        page.get((tmp_path / "tabs.html").as_uri())
        second = page.current_window_handle
        page.switch_to.window(first)
        answer(page, "tabs", 1, "zero")
        answer(page, "tabs", 1, "one")
        page.switch_to.window(second)
        answer(page, "tabs", 2, "two")
        both = {"1": [{"text": "zero"}, {"text": "one"}], "2": [{"text": "two"}]}
        wait_until_kept(page, both)
        page.switch_to.window(first)
        wait_until_kept(page, both)
        # The history has it, too: a browser may load the page again before its storage is written.
        assert "two" in page.execute_script("return history.state.text")
        reload(page)
        assert kept(page) == both
        page.switch_to.window(second)
        page.execute_script("window.confirm = () => true")
        page.find_element("xpath", "//button[text()='Forget my answers']").click()
        page.switch_to.window(first)
        wait_until_kept(page, {})
        reload(page)  # what was forgotten does not come back from the history
        assert kept(page) == {}
        answer(page, "tabs", 2, "later")
        assert kept(page) == {"2": [{"text": "later"}]}
    finally:
        page.switch_to.window(second)
        page.close()
        page.switch_to.window(first)


def test_an_older_entry_of_the_history_and_the_former_storage_take_nothing_away(page: Any, tmp_path: Path) -> None:
    lesson = parse_lesson(HOSTILE.format(id="older", right="one") + "\n## Question: And?\nanswer: two\n", "l.md")
    path = tmp_path / "older.html"
    opened_page(page, course_of(lesson), path)
    version = page.execute_script("return irviewer.data.lessons[0].places[1].version")
    page.execute_script(
        "localStorage.setItem('irviewer ' + irviewer.data.digest, JSON.stringify({ answers: {"
        " [`older/1/${arguments[0]}`]: [{ text: 'zero', right: false, reason: '' }] }, seen: {}, name: 'Ana' }));"
        " history.replaceState(null, '')",
        version,
    )
    for _ in range(20):  # the browser writes its storage a moment later
        reload(page)
        if kept(page):
            break
    assert kept(page) == {"1": [{"text": "zero"}]}
    assert page.find_element("id", "name").get_attribute("value") == "Ana"
    answer(page, "older", 2, "two")
    go(page, "older", 0)
    answer(page, "older", 1, "one")
    both = {"1": [{"text": "zero"}, {"text": "one"}], "2": [{"text": "two"}]}
    assert kept(page) == both
    page.execute_script("history.go(-3)")
    settled(page)
    reload(page)
    assert kept(page) == both


TWO = {
    "en": ("T", "What is P@3?", "You forgot rank 3.", "Two of three."),
    "es": ("Título", "¿Cuánto vale P@3?", "Falta la posición 3.", "Dos de tres."),
}


def lesson_in(language: str) -> Course:
    title, question, wrong, because = TWO[language]
    text = f"---\ntitle: {title}\nid: two\nrankings: 1 0 1 | R=4\n---\n## Question: {question}\nask: P@3\n"
    return course_of(parse_lesson(f"{text}wrong 1/2: {wrong}\nbecause: {because}\n", "two.md"))


def test_a_switch_of_the_language_keeps_what_was_answered(page: Any, tmp_path: Path) -> None:
    (tmp_path / "es.html").write_text(lesson_page(lesson_in("es")).replace('"language":"en"', '"language":"es"'))
    (tmp_path / "en.html").write_text(lesson_page(lesson_in("en"), str(tmp_path / "es.html")), encoding="utf-8")
    page.get((tmp_path / "en.html").as_uri())

    def shown() -> list[str]:
        return [
            page.find_element("css selector", selector).text for selector in ("main h2", "main h3", "main .feedback")
        ]

    answer(page, "two", 1, "1/2")
    assert shown()[:2] == list(TWO["en"][:2])
    assert TWO["en"][2] in shown()[2]
    before = page.execute_script("return irviewer.payload()")
    page.find_element("css selector", "header button").send_keys(" ")
    settled(page)
    assert shown()[:2] == list(TWO["es"][:2])
    assert TWO["es"][2] in shown()[2]  # what was said is said in the other language
    assert page.execute_script("return [document.title, document.documentElement.lang]") == ["Título", "es"]
    assert page.execute_script("return document.activeElement.parentElement.localName") == "header"
    assert page.execute_script("return irviewer.payload()") == before
    reload(page)
    assert shown()[0] == "Título"  # the language is kept
    field = page.find_element("css selector", "main form input")
    field.clear()
    field.send_keys("2/3")
    page.find_element("css selector", "main form button.main").click()
    settled(page)
    page.find_element("css selector", "header button").click()
    settled(page)
    assert TWO["en"][3] in shown()[2]
    (tmp_path / "answers.json").write_text(page.execute_script("return irviewer.payload()"))
    table = graded(lesson_in("en"), [read_answers(tmp_path / "answers.json")])
    assert (list(table.column("points").values), list(table.column("tries").values)) == ([1], [2])
    assert table.notes == ()


def test_a_value_that_is_asked_later_is_covered_until_then(page: Any, tmp_path: Path) -> None:
    [lesson] = [lesson for lesson in COURSE.lessons if lesson.id == "b7"]
    opened_page(page, course_of(replace(lesson, id="later")), tmp_path / "later.html")
    main = "return document.querySelector('main').textContent"
    go(page, "later", 0)
    assert "AP, query 1 = 0.62" in page.execute_script(main)
    assert "AP = 0.53" not in page.execute_script(main)
    page.execute_script("dispatchEvent(new Event('beforeprint'))")
    printed = page.execute_script(main)
    assert "AP = 0.53" not in printed
    assert lesson.items[0].text.strip()[:20] not in printed  # what a step does is predicted on paper
    page.execute_script("dispatchEvent(new Event('afterprint'))")
    for place in (2, 3):
        go(page, "later", place)
        page.execute_script("[...document.querySelectorAll('main form button')].at(-1).click()")
        settled(page)
    go(page, "later", 0)
    assert "AP = 0.53" in page.execute_script(main)


def test_the_cells_from_the_answer_on_are_covered_on_screen_and_on_paper(page: Any, tmp_path: Path) -> None:
    [lesson] = [lesson for lesson in COURSE.lessons if lesson.id == "b1"]
    opened_page(page, course_of(replace(lesson, id="cells")), tmp_path / "cells.html")
    cells = "return [...document.querySelectorAll('main .tables td.covered')].length"
    go(page, "cells", 0)
    assert page.execute_script(cells) == 7  # .75 is P@4 and P@8, so P@4 to P@10
    page.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert page.execute_script(cells) == 7
    page.execute_script("dispatchEvent(new Event('afterprint'))")
    go(page, "cells", 2)
    page.execute_script("[...document.querySelectorAll('main form button')].at(-1).click()")
    settled(page)
    go(page, "cells", 0)
    assert page.execute_script(cells) == 0
