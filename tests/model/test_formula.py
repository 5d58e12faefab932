"""Formulas of texts: what is one, how it is read; all that is read can be drawn, written as MathML and said."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from irviewer.measures.formula_text import formula_text
from irviewer.model.formula import (
    KNOWN,
    MOST_LETTERS,
    FormulaError,
    formulas_in,
    parse_formula,
    plain_latex,
    without_code,
)
from irviewer.rendering.formula import outline
from irviewer.rendering.mathml import mathml

SAMPLES = [
    (r"\frac{1}{R}\sum_{i=1}^{n}P(i)\cdot rel(i)", "1/R Σ(i = 1…n) P(i) · rel(i)"),
    (r"x^2_i", "x_i²"),
    (r"{x^2}^3", "(x²)³"),
    (r"x\ ^2", "x ²"),
    (r"\frac{1}{2}^2", "(1/2)²"),
    (r"{a=b}_i + \sqrt{x}^2", "(a = b)_i + (√x)²"),
    (r"{x}^2 + {\left(x\right)}^2 + {}_2x", "x² + (x)² + ₂x"),
    (r"\log_2 3", "log₂ 3"),
    (r"a\times b-c", "a × b - c"),
    (r"-1", "-1"),
    (r"\left(\frac{1}{2}\right)", "(1/2)"),
    (r"\text{recall at } k", "recall at k"),
    (r"\sqrt{x+1}", "√(x + 1)"),
    (r".63\le 0.5", ".63 ≤ 0.5"),
    (r"\{1,2\}", "{1,2}"),
    (r"x^12", "x¹2"),
]


@pytest.mark.parametrize(("formula", "text"), SAMPLES)
def test_a_formula_is_drawn_said_and_written_as_mathml(formula: str, text: str) -> None:
    latex = plain_latex(parse_formula(formula))
    assert formula_text(latex) == text
    assert outline(latex) is not None
    ElementTree.fromstring(mathml(formula))


@pytest.mark.parametrize(
    "name", [name for name in KNOWN if name not in ("frac", "sqrt", "mathrm", "text", "left", "right")]
)
def test_each_command_can_be_drawn_and_said(name: str) -> None:
    latex = plain_latex(parse_formula(rf"a \{name} b"))
    assert outline(latex) is not None
    assert "\\" not in formula_text(latex)
    assert "\\" not in mathml(rf"a \{name} b")


def test_mathml_has_the_parts_of_the_formula() -> None:
    math = ElementTree.fromstring(mathml(r"\frac{1}{R}\sum_{i=1}^{n}x_i^2"))
    assert [each.tag for each in math] == ["mfrac", "munderover", "msubsup"]
    assert [each.text for each in math[0]] == ["1", "R"]
    assert "".join(math[1].itertext()) == "∑i=1n"
    assert [each.text for each in math[2]] == ["x", "i", "2"]
    assert mathml("a<b>&amp") == "<code>a&lt;b&gt;&amp;amp</code>"


@pytest.mark.parametrize(
    ("formula", "at", "reason"),
    [
        (r"\frac12", 5, r"no group in braces after \frac"),
        (r"a \foo", 2, r"\foo is not known"),
        ("{", 0, "{ has no end"),
        ("a}", 1, "nothing that } closes"),
        ("x_", 2, "nothing after _"),
        ("x^1^2", 3, "^ comes twice"),
        ("", 0, "the formula is empty"),
        (r"\left( x", 0, r"\left has no end"),
        (r"\right)", 0, r"nothing that \right closes"),
        (r"\left x\right", 6, r"no bracket after \left"),
        (r"\text{}", 5, "no plain text"),
        (r"\text{a\b}", 5, "no plain text"),
        (r"\text{a%b}", 5, "no plain text"),
        (r"\text{a&b}", 5, "no plain text"),
        ("a & b", 2, "& is not known"),
        ("{" * 99, 30, "nested too deeply"),
        ("x" * (MOST_LETTERS + 1), 0, "too long"),
    ],
)
def test_what_cannot_be_read_is_refused_where_it_is(formula: str, at: int, reason: str) -> None:
    with pytest.raises(FormulaError) as refused:
        parse_formula(formula)
    assert (refused.value.at, reason in refused.value.reason) == (at, True)


@pytest.mark.parametrize(
    ("line", "formulas"),
    [
        ("a $x$, $y$.", ["x", "y"]),
        ("$5 and $6", []),
        ("$ x$ and $x $", []),
        (r"\$x$", []),
        (r"\\$x$", ["x"]),
        ("`$x$` ``a`$y$`` $z$", ["z"]),
        (r"$50\$$", [r"50\$"]),
        ("$$x$$", ["x"]),
    ],
)
def test_formulas_are_between_dollar_signs_without_spaces(line: str, formulas: list[str]) -> None:
    read = list(formulas_in(line))
    assert [formula for formula, _ in read] == formulas
    assert all(line[at:].startswith(formula) for formula, at in read)


@given(st.text("`a$x", max_size=14))
def test_code_is_that_of_commonmark(line: str) -> None:
    parser = MarkdownIt("commonmark", {"html": False}).disable(["link", "emphasis", "escape"])
    tokens = parser.parseInline(line)[0].children or []
    assert without_code(line).replace(" ", "") == "".join(each.content for each in tokens if each.type == "text")


def test_a_line_of_a_million_backticks_has_no_code() -> None:
    line = "`" * 1_000_000
    assert without_code(line) == line  # at once: a search from each of them would take hours
