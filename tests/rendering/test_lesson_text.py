"""Numbers in the texts of lessons have the decimal sign of the window; code, names and files keep the point."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from irviewer import translation
from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.model.lessons.lesson import Lesson, Question
from irviewer.rendering.lesson_text import first_paragraph, html_of, inline_html_of, plain_of, with_signs
from irviewer.translation import decimal_points, use_decimal_comma


@pytest.fixture
def commas() -> Iterator[None]:
    use_decimal_comma(True)
    yield
    use_decimal_comma(False)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("AP goes from .76 to .79.", "AP goes from 0,76 to 0,79."),
        ("(.62222 + .44286 + 0) / 3 = .355.", "(0,62222 + 0,44286 + 0) / 3 = 0,355."),
        ("1.00, 1.00, .63 and so on", "1,00; 1,00; 0,63 and so on"),
        ("0, .1, .2 … 1", "0; 0,1; 0,2 … 1"),
        ("the ranks 1, 3, 4 of 10 000", "the ranks 1, 3, 4 of 10 000"),
        ("IPrec@0.2, RBP(p=.8), version 1.2.3, Fig. 2", "IPrec@0.2, RBP(p=.8), version 1.2.3, Fig. 2"),
    ],
)
def test_prose_has_the_decimal_sign_of_the_window(commas: None, written: str, shown: str) -> None:
    assert with_signs(written) == shown
    assert plain_of(written) == shown
    assert inline_html_of(written).replace("\N{NO-BREAK SPACE}", " ") == shown
    with decimal_points():
        assert plain_of(written) == written
    use_decimal_comma(False)
    assert plain_of(written) == first_paragraph(written) == written


def test_with_a_decimal_point_too_only_english_has_no_zero_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "current_language", lambda: "es_MX")
    assert with_signs("de .76 a −.79, IPrec@.2, p=.8") == "de 0.76 a −0.79, IPrec@.2, p=.8"
    assert plain_of(".5") == "0.5"
    monkeypatch.setattr(translation, "current_language", lambda: "en")
    assert plain_of(".5 and 0.5") == ".5 and 0.5"


def test_a_list_of_numbers_goes_on_in_the_next_line(commas: None) -> None:
    """It was 0,05, 0,10 and 0,20 where a line ends."""
    assert html_of("P is .05,\n.10 and .20; of 1,\n2: `c`\n.5") == (
        "<p>P is 0,05;\n0,10 and 0,20; of 1,\n2: <code>c</code>\n0,5</p>\n"
    )
    assert html_of("`c`\n\n*.1,*\n.2\\\n.3, .4") == (
        "<p><code>c</code></p>\n<p><em>0,1,</em>\n0,2<br />\n0,3; 0,4</p>\n"
    )


def test_code_keeps_the_point(commas: None) -> None:
    assert html_of("write `p = .8` for .8") == "<p>write <code>p = .8</code> for 0,8</p>\n"
    assert html_of("| P |\n|---|\n| .25 |").count("0,25") == 1


def texts(lesson: Lesson) -> list[str]:
    result = [lesson.text]
    for item in lesson.items:
        result += [item.title, item.text]
        if isinstance(item, Question):
            result += [item.because, *(wrong.reason for wrong in item.wrong)]
            result += [text for choice in item.choices for text in (choice.text, choice.reason)]
    return result


@pytest.mark.parametrize("lesson", bundled_course("es").lessons, ids=lambda lesson: lesson.id)
def test_no_spanish_lesson_shows_a_decimal_point_where_spain_has_a_comma(commas: None, lesson: Lesson) -> None:
    for text in texts(lesson):
        shown = plain_of(text)
        assert not re.search(r"(?<![\w@])\d*\.\d", shown), shown
        with decimal_points():
            plain = plain_of(text)
        assert re.findall(r"\d+", shown.replace(" ", "")) == re.findall(
            r"\d+", re.sub(r"(?<!\d)\.(?=\d)", "0.", plain).replace(" ", "")
        )


def test_no_text_has_a_style_of_its_own() -> None:
    """The policy of a page refuses styles in its elements."""
    html = html_of("| a | b |\n|--:|:-:|\n| 1 | 2 |\n")
    assert html.count('align="right"') == html.count('align="center"') == 2
    assert "style" not in html


def test_no_line_ends_between_a_name_and_its_value_or_before_a_percent_sign() -> None:
    text = "So d = .41, t(9) = −1.6 and 60 % of `a = 1`, a = b, x == 2"
    assert inline_html_of(text) == (
        "So d\xa0=\xa0.41, t(9)\xa0=\xa0−1.6 and 60\xa0% of <code>a = 1</code>, a = b, x == 2"
    )
    assert html_of("p = .3") == "<p>p\xa0=\xa0.3</p>\n"
    assert plain_of(text) == text.replace("`", "")
