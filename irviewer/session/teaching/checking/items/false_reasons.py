"""The reason of an answer, against the answer: its equations, sums, counts and ranks."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from irviewer.errors import ParseError
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Lesson, Question
from irviewer.session.teaching.answers import CLOSE, is_value
from irviewer.session.teaching.checking.fault import fault_at
from irviewer.session.teaching.checking.wording.equations import false_equations, results_of
from irviewer.session.teaching.checking.wording.number_words import A_COUNT, count_of
from irviewer.session.teaching.checking.wording.reasons import counts_said, ranks_of_documents, share_said, shares_said
from irviewer.translation import decimal, tr, trn

_SO_FAR = re.compile(
    r"\b(?:sum|suma)\s+(?:so\s+far|up\s+to\s+here|until\s+here|hasta\s+(?:aquí|ahora|ahí))\s+(?:is|es)\s+(\d*\.\d+)(?![\w/]|\.\d)",
    re.I,
)


def other_sum_so_far(above: float | None, lesson: Lesson, question: Question) -> Iterator[ParseError]:
    """Yield a fault if a reason says what a sum of the table is so far, and it is not that of the rank above."""
    asked, said = question.asked, _SO_FAR.search(question.because)
    if asked is None or not asked.column or asked.rank < 2 or said is None:
        return
    if above is not None and not is_value(said[1], np.array([above])):
        reason = tr(
            "{measure} is {value:.4f} here, not {text}", measure=asked.column, value=HalfUp(above), text=said[1]
        )
        yield fault_at(lesson, question.at, reason, " ".join(said[0].split()), tr("correct the text"))


_ASKS_RANK = re.compile(
    r"\b(?:which|what) rank\b|\bqué (?:posición|puesto)\b|\bhow many documents must\b|\bcuántos documentos debe", re.I
)
"""Words of a question whose answer is a rank."""


def other_rank(lesson: Lesson, question: Question, right: float | None) -> Iterator[ParseError]:
    """Yield a fault if a question asks for a rank, and its reason says at which other one a document is."""
    ranks = ranks_of_documents(question.because)
    names_it = right is not None and re.search(rf"(?<![\w./]){right:g}(?![\w/]|\.\d)", question.because) is not None
    if right is not None and ranks and _ASKS_RANK.search(question.title) and right not in ranks and not names_it:
        yield fault_at(
            lesson, question.at,
            tr("the answer is {answer}, and because: names rank {rank}", answer=f"{right:g}", rank=ranks[0]),
            question.because, tr("correct answer: or because:"),
        )  # fmt: skip


def false_reasons(lesson: Lesson, question: Question, right: float | None) -> Iterator[ParseError]:
    """Yield a fault for each equation of a question's reasons that is false, and if the only value that the question
    has in print is not its answer."""
    texts = (question.because, *(wrong.reason for wrong in question.wrong), *(each.reason for each in question.choices))
    for equation in (false for text in texts for false in false_equations(text)):
        yield fault_at(lesson, question.at, tr("this equation is false"), equation, tr("correct the text"))
    figures = question.figures
    within = CLOSE if question.within is None else question.within
    if right is None:
        return
    results = results_of(question.because)
    if not results and (share := share_said(question.title, question.because)) is not None:
        results = [share]
    if results and "=" in question.because:
        results += shares_said(question.because)
    if results and not any(abs(result - right) <= within for result in [*results, *counts_said(question.because)]):
        stated = question.answer or decimal(f"{HalfUp(right):.4f}")
        yield fault_at(
            lesson, question.at, tr("the answer is {answer}, and because: computes another one", answer=stated),
            question.because, tr("correct answer: or because:"),
        )  # fmt: skip
    if not question.answer:
        return
    if len(figures) != 1 or figures[0].note or figures[0].agrees(right):
        return
    if abs(figures[0].value - right) > within:
        yield fault_at(
            lesson, question.at,
            tr("the answer is {answer}, and {measure} = {text} is beside it",
               answer=question.answer, measure=figures[0].measure, text=figures[0].text),
            question.title, tr("correct answer:, or leave the value out"),
        )  # fmt: skip


_LISTS_RANKS = re.compile(
    r"\s*(?:(?:the|those|they\s+are|los|son)\s+)?(?:the\s+|los\s+)?(?:(?:documents?|ones|documentos?)\s+)?(?:are\s+|están\s+)?"
    r"(?:at|of|de|en)\s+(?:ranks?|las?\s+posici[oó]n(?:es)?)\s+(?P<ranks>\d+(?:(?:,\s+|,?\s+(?:and|y)\s+)\d+)*)\s*\.?\s*",
    re.I,
)
"""A reason that lists ranks and says nothing else."""


def other_count(lesson: Lesson, question: Question, right: float | None) -> Iterator[ParseError]:
    """Yield a fault if a question asks how many there are, and its reason lists another number of ranks."""
    said = _LISTS_RANKS.fullmatch(question.because)
    if said is None or right is None or not re.match(r"\W*(?:how\s+many|cuánt[oa]s)\b", question.title, re.I):
        return
    n = len(re.findall(r"\d+", said["ranks"]))
    if n != right:
        reason = trn("the reason lists {n} rank", "the reason lists {n} ranks", n)
        yield fault_at(lesson, question.at, reason, f"answer: {question.answer}", tr("correct answer: or because:"))


_ASKS_COUNT = re.compile(r"\W*(?:(?:on|in|for|en|para)\s+)?(?:how\s+many|cuánt[oa]s)\b", re.I)


_NO_COUNT = re.compile(
    r"\b(?:ranks?|quer(?:y|ies)|posici[oó]n(?:es)?|consultas?|grades?|grados?|level|nivel|first|top)\s+\d+(?:(?:,\s+|,?\s+(?:and|y|to|a)\s+)\d+)*|"
    r"@\d+|\d*[.,]\d+|\d+\s?%|\d+/\d+|\bno\s+one\b|\b(?:the|that|this|which|each|every|other|last|only|first|second)\s+one\b|\bone\s+of\b",
    re.I,
)
"""Numbers that count nothing."""


def other_count_said(lesson: Lesson, question: Question, right: float | None) -> Iterator[ParseError]:
    """Yield a fault if a question asks how many there are, and its reason has counts that do not give the answer:
    neither one of them, nor the sum, difference or product of two, of the reason and the question."""
    if right is None or right != int(right) or question.asked is not None or not _ASKS_COUNT.match(question.title):
        return
    if re.search(
        r"[=+×/÷−-]\s*\d|\b(?:all|none|nothing|every|both|neither|tod[oa]s|ningun[oa]|amb[oa]s|no|not)\b",
        question.because,
        re.I,
    ):
        return
    counted = re.compile(rf"(?<![\w.@])(?:{A_COUNT[1:-1]})(?![\w@]|[.,]\d)", re.I)
    said = {count_of(each) for each in counted.findall(_NO_COUNT.sub(" ", question.because))}
    given = said | {count_of(each) for each in counted.findall(f"{question.title} {question.text}")}
    results = {each for a in said for b in given for each in (a, a + b, abs(a - b), a * b)}
    listed = {len(re.findall(r"\d+", each[0])) for each in _NO_COUNT.finditer(question.because)}
    if said and int(right) not in results | (listed - {1}):
        reason = tr(
            "the answer is {answer}, and because: counts {n}", answer=f"{right:g}", n=", ".join(map(str, sorted(said)))
        )
        yield fault_at(lesson, question.at, reason, f"answer: {question.answer}", tr("correct answer: or because:"))
