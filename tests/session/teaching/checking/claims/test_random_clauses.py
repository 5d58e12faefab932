"""Sentences of random rankings, with their words in several orders: the test computes which are true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.session.teaching.checking.faults import faults_of

Grades = Sequence[int]
N, NAMES = 5, ("north", "south")
COUNTS = {
    "en": ("no", "one", "two", "three", "four", "five"),
    "es": ("ningún", "uno", "dos", "tres", "cuatro", "cinco"),
}
LISTS = st.lists(st.sampled_from([0, 1]), min_size=N, max_size=N).filter(any)


def precision(grades: Grades, k: int) -> Fraction:
    return Fraction(sum(grades[:k]), k)


def average_precision(grades: Grades, relevant: int) -> Fraction:
    ranks = [rank for rank, grade in enumerate(grades, start=1) if grade]
    return sum((precision(grades, rank) for rank in ranks), Fraction(0)) / relevant


def first(grades: Grades) -> int:
    return grades.index(1) + 1


def orders(*parts: str) -> Iterator[str]:
    """Sentences with parts in front, parted by commas, before the last two of them."""
    for front in permutations(parts[2:]):
        sentence = ", ".join([*front, f"{parts[0]} {parts[1]}"])
        yield sentence[0].upper() + sentence[1:] + "."
        sentence = " ".join([parts[0], parts[1], *front])
        yield sentence[0].upper() + sentence[1:] + "."


def of_one(x: str, own: Grades, relevant: int, k: int, n: int) -> Iterator[tuple[str, bool]]:
    """Sentences of a ranking, and whether they are true."""
    at, count, es_count, hits = bool(own[k - 1]), COUNTS["en"][n], COUNTS["es"][n], sum(own[:k])
    for sentence in orders("rank " + str(k), "is relevant", f"in {x}"):
        yield sentence, at
    for sentence in orders("there is", "a relevant document", f"at rank {k}", f"in {x}"):
        yield sentence, at
    for sentence in orders(x, "has no relevant document", f"at rank {k}"):
        yield sentence, not at
    for sentence in orders(f"la posición {k}", "es relevante", f"en {x}"):
        yield sentence, at
    for sentence in orders(x, "no tiene ningún documento relevante", f"en la posición {k}"):
        yield sentence, not at
    if n:
        for sentence in orders(x, f"has {count} relevant documents", f"among the first {k}"):
            yield sentence, hits == n
        for sentence in orders(f"{count} documents", "are relevant", f"among the first {k}", f"in {x}"):
            yield sentence, hits == n
        yield f"{count.title()} of the first {k} documents of {x} are relevant.", hits == n
        yield f"Of the first {k} documents of {x}, {count} are relevant.", hits == n
        yield f"{es_count.title()} de los {k} primeros documentos de {x} son relevantes.", hits == n
        for sentence in orders(x, f"tiene {es_count} documentos relevantes", f"entre los {k} primeros"):
            yield sentence, hits == n
    value = Fraction(n, k)
    for sentence in orders(f"P@{k}", f"is {n}/{k}", f"in {x}"):
        yield sentence, precision(own, k) == value
    yield f"{x.title()}'s P@{k} is {n}/{k}.", precision(own, k) == value
    yield f"The precision of {x} at rank {k} is {n}/{k}.", precision(own, k) == value
    yield f"At rank {k} the precision of {x} is {n}/{k}.", precision(own, k) == value
    yield f"La precisión de {x} en la posición {k} es {n}/{k}.", precision(own, k) == value
    yield f"R@{k} is {n}/{relevant} for {x}.", hits == n
    yield f"The first relevant document of {x} is at rank {k}.", first(own) == k
    yield f"At rank {k} {x} has its first relevant document.", first(own) == k
    yield f"En {x} el primer documento relevante está en la posición {k}.", first(own) == k


def of_two(lists: dict[str, Grades], relevant: int, k: int) -> Iterator[tuple[str, bool]]:
    """Sentences that compare two rankings, and whether they are true."""
    x, y = lists
    ap = {name: average_precision(own, relevant) for name, own in lists.items()}
    at = {name: bool(own[k - 1]) for name, own in lists.items()}
    own, other = (precision(lists[name], k) for name in (x, y))
    yield f"Both have a relevant document at rank {k}.", all(at.values())
    yield f"Neither has a relevant document at rank {k}.", not any(at.values())
    yield f"At rank {k} neither has a relevant document.", not any(at.values())
    yield f"Only {x} has a relevant document at rank {k}.", at[x] and not at[y]
    yield f"At rank {k}, only {x} has a relevant document.", at[x] and not at[y]
    yield f"Ambas tienen un documento relevante en la posición {k}.", all(at.values())
    yield f"{x.title()} has a higher P@{k} than {y}.", own > other
    yield f"P@{k} is higher in {x} than in {y}.", own > other
    yield f"By P@{k}, {x} is better than {y}.", own > other
    yield f"P@{k} de {x} es menor que el de {y}.", own < other
    yield f"Both have the same P@{k}.", own == other
    yield f"{x.title()} and {y} have the same P@{k}.", own == other
    yield f"{x.title()} y {y} tienen el mismo P@{k}.", own == other
    yield f"Among the first {k}, {x} has more relevant documents than {y}.", own > other
    yield f"{x.title()} has fewer relevant documents than {y} among the first {k}.", own < other
    yield f"The first relevant document of {x} comes before that of {y}.", first(lists[x]) < first(lists[y])
    yield f"P@{k} is {own} in {x} and {other} in {y}.", True
    yield f"P@{k} is {other} in {x} and {own} in {y}.", own == other
    if ap[x] != ap[y]:
        yield f"{x.title()} has a lower AP than {y}.", ap[x] < ap[y]
        yield f"The higher AP is that of {x}.", ap[x] > ap[y]
    if own and other:
        yield f"P@{k} of {x} is twice that of {y}.", own == 2 * other
        yield f"P@{k} de {x} es el doble que el de {y}.", own == 2 * other


@pytest.mark.random
@given(st.tuples(LISTS, LISTS), st.integers(1, N), st.integers(0, N), st.integers(0, 3), st.integers(0, 4))
def test_false_sentences_are_found_and_true_ones_pass(
    both: tuple[Grades, Grades], k: int, n: int, missed: int, part: int
) -> None:
    # The i-th document of a grade is the same in both: so many are relevant.
    relevant = max(map(sum, both)) + missed
    lists = dict(zip(NAMES, both, strict=True))
    said = [each for x, own in lists.items() for each in of_one(x, own, relevant, k, min(n, k))]
    said += [each for names in permutations(NAMES) for each in of_two({x: lists[x] for x in names}, relevant, k)]
    said = said[part::5]
    rows = "\n".join(f"  {x}: {' '.join(map(str, own))} | R={relevant}" for x, own in lists.items())
    head = f"---\ntitle: T\nmeasure: AP\nrankings:\n{rows}\n---\n"
    text = head + "".join(f"## Step: S\n\n{sentence}\n\n" for sentence, _ in said)
    lines = {fault.line for fault in faults_of(parse_lesson(text, "l.md"))}
    start = head.count("\n") + 1
    wrong = [(sentence, truth) for place, (sentence, truth) in enumerate(said) if truth == (start + 4 * place in lines)]
    assert wrong == []
