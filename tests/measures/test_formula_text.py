"""Formulas as one line of text: some by hand, and none of any measure with a sign of LaTeX left."""

from __future__ import annotations

import re

import pytest

from irviewer.cli.commands.measures import example
from irviewer.measures.base import Family
from irviewer.measures.formula_text import formula_text
from irviewer.measures.parser import parse_measure
from irviewer.measures.registry import families

WRITTEN = {
    r"\frac{1}{R} \sum_{i=1}^{n} P(i)\,rel(i)": "1/R Σ(i=1…n) P(i) · rel(i)",
    r"\frac{a + b}{c}": "(a + b) / c",
    r"\frac{1}{\min(k, R)}": "1/min(k, R)",
    r"\frac{|rel \cap ret|}{|ret|}": "|rel ∩ ret|/|ret|",
    r"\frac{\frac{1}{2}}{x}": "(1/2) / x",
    r"2^{grade(i)} - 1": "2^grade(i) - 1",
    r"p^{i-1}": "pⁱ⁻¹",
    r"x^{a + b}": "x^(a + b)",
    r"\beta^2 P": "β² P",
    r"\log_2(i+1)": "log₂(i+1)",
    r"\log_b \max(i, b)": "log_b max(i, b)",
    r"g^{*}(i) \geq g_{max}": "g*(i) ≥ g_max",
    r"\left[x \leq y\right], \quad k = 10": "[x ≤ y], k = 10",
    r"\max_{i :\, c(i) \geq \lfloor r R + .5 \rfloor} P(i)": "max(i : c(i) ≥ ⌊ r R + .5 ⌋) P(i)",
    r"|\{(a, b) : a \succ_g b\}|": "|{(a, b) : a ≻_g b}|",
    r"\mathrm{words\ of\ the\ answer}": "words of the answer",
    r"grade(1)\,\ldots\,grade(10)": "grade(1) … grade(10)",
    r"\unknown x": "unknown x",
    "": "",
}


@pytest.mark.parametrize("formula", WRITTEN)
def test_written_by_hand(formula: str) -> None:
    assert formula_text(formula) == WRITTEN[formula]


@pytest.mark.parametrize("family", families().values(), ids=lambda family: family.name)
def test_no_formula_keeps_a_sign_of_latex(family: Family) -> None:
    name, at, cutoff = example(family).partition("@")
    choices = [f"({each.name}={choice!r})" for each in family.parameters for choice in each.choices or ()]
    for chosen in ("", *choices):
        measure = parse_measure(f"{name}{chosen}{at}{cutoff}")
        text = formula_text(measure.formula)
        assert text
        assert not re.search(r"\\|[\^_]\{|\s\s|\( | \)", text), text
        for opening, closing in ("()", "[]", "{}", "⌊⌋"):
            assert text.count(opening) == text.count(closing), text
        words = re.findall(r"[A-Za-z]{2,}", re.sub(r"\\[A-Za-z]+", " ", measure.formula))
        assert all(word in text for word in words), text
