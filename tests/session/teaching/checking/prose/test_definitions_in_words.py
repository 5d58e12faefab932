"""Definitions that a lesson has in words: right ones pass, and those of another measure or a false form are faults."""

from __future__ import annotations

import pytest

from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.session.teaching.checking.faults import faults_of


def reasons(text: str) -> list[str]:
    head = "---\ntitle: T\nmeasure: P@5\nrankings: 1 0 1 0 0 | R=4\n---\n"
    return [fault.reason for fault in faults_of(parse_lesson(f"{head}{text}\n", "l.md"))]


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (
            "Recall is the share of the relevant documents that are retrieved.",
            "Precision is the share of the relevant documents that are retrieved.",
        ),
        (
            "Precision tells how much of what is shown is relevant.",
            "Recall tells how much of what is shown is relevant.",
        ),
        (
            "Precision is the share of relevant documents among those retrieved.",
            "Recall is the share of relevant documents among those retrieved.",
        ),
        (
            "Recall divides the hits by the number of relevant documents.",
            "Recall divides the hits by the number of retrieved documents.",
        ),
        (
            "The share of the relevant documents found is called recall.",
            "The share of the relevant documents found is called precision.",
        ),
        (
            "La precisión es la proporción de documentos recuperados que son relevantes.",
            "La precisión es la proporción de documentos relevantes que se recuperan.",
        ),
        (
            "La exhaustividad divide los aciertos entre el número de documentos relevantes.",
            "La exhaustividad divide los aciertos entre el número de documentos recuperados.",
        ),
        (
            "The reciprocal rank is one divided by the rank of the first relevant document, and 0 if there is none.",
            "The reciprocal rank is one divided by the rank of the last relevant document, and 0 if there is none.",
        ),
        (
            "El rango recíproco es el inverso de la posición del primer documento relevante.",
            "El rango recíproco es el inverso de la posición del último documento relevante.",
        ),
        (
            "Average precision adds up. The sum is divided by the number of relevant documents.",
            "Average precision adds up. The sum is divided by the number of retrieved documents.",
        ),
        (
            "AP is the mean of the precision at the ranks of the relevant documents.",
            "AP is the mean of the precision at all ranks.",
        ),
        ("F is the harmonic mean of precision and recall.", "F is the arithmetic mean of precision and recall."),
        ("La medida F es la media armónica de ambas.", "La medida F es la media aritmética de ambas."),
        ("The deeper a document is, the less it is worth.", "The deeper a document is, the more it is worth."),
        ("The deeper a document is, the more it is discounted.", "The higher a document is, the less it is worth."),
        ("nDCG divides the DCG by the ideal DCG.", "nDCG divides the ideal DCG by the DCG."),
        ("Recall never falls down the list.", "Precision never falls down the list."),
        ("P@5 looks at the first five documents.", "P@5 looks at the first ten documents."),
        (
            "Most measures treat an unjudged document as not relevant.",
            "Most measures treat an unjudged document as relevant.",
        ),
        ("The pool is the union of the top documents.", "The pool is the intersection of the top documents."),
        (
            "The p value is the probability of such a difference if the null hypothesis is true.",
            "The p value is the probability that the null hypothesis is true.",
        ),
        (
            "The p value is not the probability that the null hypothesis is true.",
            "El valor p es la probabilidad de que la hipótesis nula sea cierta.",
        ),
        (
            "A type I error is to reject a true null hypothesis.",
            "A type I error is to miss a difference that is there.",
        ),
        (
            "## Question: What is recall?\n- [x] The share of the relevant documents found.\n- [ ] None.",
            "## Question: What is precision?\n- [x] The share of the relevant documents found.\n- [ ] None.",
        ),
    ],
)
def test_the_definition_of_another_one_is_a_fault(true: str, false: str) -> None:
    assert reasons(true) == []
    assert len(reasons(false)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Recall is 1, as all relevant documents are retrieved, and precision is .5.",
        "A common mistake: precision is the share of the relevant documents that are retrieved.",
        "Precision may fall as recall grows.",
        "Precision is the share of what is shown that is relevant, recall that of relevant ones shown.",
        "The interval contains 0, so the difference is not significant.",
        "AP is not divided by the number of retrieved documents.",
        "## Question: Which is wrong?\n- [x] Recall is the share of what is shown that is relevant.\n- [ ] None.",
    ],
)
def test_a_right_sentence_passes(text: str) -> None:
    assert reasons(text) == []
