"""Faults in the prose that lecturers write themselves: shares, exchanged values, ranks and queries, pages, readers."""

from __future__ import annotations

import pytest

from irviewer.session.teaching.checking.wording.exchanged_words import exchanged
from tests.helpers.lesson_reasons import reasons

# P@2: red 1, blue .5, green 0; P@4 .5 each
POOL = "measure: P@2\nrun: red\nrankings:\n  red: 1 1 0 0\n  blue: 1 0 1 0\n  green: 0 0 1 1\n"
# P@2 of old: .5, .5, 1, 0; of new: 1, 1, .5, 0
WINS = """measure: P@2
run: new
rankings:
  old: 1 0 1; new: 1 1 0
  ---
  old: 0 1 0; new: 1 1 0
  ---
  old: 1 1 0; new: 1 0 1
  ---
  old: 0 0 1; new: 0 0 1
"""
# relevant at ranks 2 and 4 of four; AP .25
ONE = "measure: AP\nrankings: 0 1 0 1 | R=4\n"
GRADED = "rules: textbook\nmeasure: DCG@4\nrankings: 3 0 0 1 0 0 0 3\n"
TREC = "rules: trec_eval\nmeasure: nDCG@4\nrankings: 1 3 0 2 | ideal 3 2 2 1\n"  # nDCG .6595
# F: .571 at rank 2, .5 at rank 3, .667 at rank 4, .615 at rank 8
TRADE = "measure: F@3\nrankings: 1 1 0 1 0 0 0 1 | R=5\n"
READERS = "measure: P@6\nrankings: 0 1 1 0 1 1 | R=8\n"
# RR: 1, 1/4, 1/2, 0, 1/2
FIRST = (
    "measure: RR\nrankings:\n  1 0 0 0\n  ---\n  0 0 0 1\n  ---\n  0 1 0 0\n  ---\n  0 0 0 0 | R=1\n  ---\n  0 1 0 0\n"
)
PAGES = "measure: P@5\nrankings:\n  norte: 1 0 0 1 1 0 0 1 0 0 | R=5\n  sur: 0 0 1 0 1 1 1 0 0 1\n"
JUDGES = "measure: P@10\nrankings:\n  Ann: 1 1 0 1 0 0 0 0 1 0\n  Bob: 1 0 0 1 0 1 0 0 1 0\n"
NONE = "no ranking here is as this says"
MOVE = "## Step: {}\ndo: {}\n\n{}"


@pytest.mark.parametrize(
    ("head", "true", "false"),
    [
        (GRADED, "The rest adds 1 to a DCG of 3.5, which is 28.6 % more.",
         "The rest adds 1 to a DCG of 3.5, which is 26.8 % more."),
        (POOL, "P@2 is .5 for blue and 1 for red, 100 % more.", "P@2 is .5 for blue and 1 for red, 80 % more."),
        (POOL, "P@2 de blue es 0.5, un 50 % menos que 1.", "P@2 de blue es 0.5, un 40 % menos que 1."),
        (PAGES, "P@5 is .6 for the one and .4 for the other: a third less.",
         "P@5 is .6 for the one and .4 for the other: a quarter less."),
        (PAGES, "P@5 es 0.6 y 0.4: un tercio menos.", "P@5 es 0.6 y 0.4: un cuarto menos."),
        (WINS, "The mean of P@2 rises from one half to five eighths.",
         "The mean of P@2 rises from one half to three eighths."),
        (WINS, "P@2 rises from one half to five eighths.", "P@2 rises from one half to three eighths."),
        (WINS, "P@2 sube de un medio a cinco octavos.", "P@2 sube de un medio a tres octavos."),
        (READERS, "Three among five: 60 %.", "Three among five: 75 %."),
        (READERS, "Ve tres de cinco, es decir 60 %.", "Ve tres de cinco, es decir 50 %."),
        (TREC, "So nDCG@4 is about two thirds, or 66 %.", "So nDCG@4 is about two thirds, or 56 %."),
        (TREC, "The third document counts half.", "The third document counts a third."),
        (TREC, "El tercer documento cuenta la mitad.", "El tercer documento cuenta un tercio."),
        (POOL, "P@2 is 1 for the red system, .5 for the blue one and 0 for the green one.",
         "P@2 is 1 for the red system, .5 for the green one and 0 for the blue one."),
        (POOL, "P@2 es 0.5 para blue y 0 para green.", "P@2 es 0.5 para green y 0 para blue."),
        (WINS, "P@2 of the old one is .5 on query 2 and 1 on query 3.",
         "P@2 of the old one is 0 on query 3 and 1 on query 4."),
        (TRADE, "F: .571 at rank 2, .5 at rank 3.", "F: .5 at rank 2, .571 at rank 3."),
        (TRADE, "F weighs both. So it is highest at rank 4.", "F weighs both. So it is highest at rank 3."),
        (TRADE, "F es máxima en la posición 4.", "F es máxima en la posición 3."),
        (WINS, "The new index is tested. new wins twice, loses once.",
         "The new index is tested. new wins once, loses twice."),
        (WINS, "new gana dos veces y pierde una vez.", "new gana una vez y pierde dos veces."),
        (WINS, "A new index is tested. It wins twice, loses once.",
         "A new index is tested. It wins once, loses twice."),
        (WINS, "On query 4 neither of them has a relevant document among the first two.",
         "On query 3 neither of them has a relevant document among the first two."),
        (WINS, "En la consulta 4 ninguna tiene un documento relevante entre los dos primeros.",
         "En la consulta 3 ninguna tiene un documento relevante entre los dos primeros."),
        (READERS, "Ann reads until she has one relevant document, Ben until he has three. "
         "Ann stops at rank 2, Ben at rank 5.",
         "Ann reads until she has one relevant document, Ben until he has three. "
         "Ann stops at rank 2, Ben at rank 6."),
        (READERS, "Ana lee hasta que tiene tres documentos relevantes. Ana para en la posición 5.",
         "Ana lee hasta que tiene tres documentos relevantes. Ana para en la posición 6."),
        (FIRST, "For one of them it is the first, for two of them the second.",
         "For one of them it is the first, for three of them the second."),
        (FIRST, "Para dos de ellas, la segunda.", "Para tres de ellas, la segunda."),
        (PAGES, "A page shows five results. On the second page norte has one relevant document and sur three.",
         "A page shows five results. On the second page norte has one relevant document and sur two."),
        (PAGES, "Cada página muestra cinco resultados. En la primera página, norte tiene tres; "
         "en la segunda, norte tiene uno y sur tres.",
         "Cada página muestra cinco resultados. En la primera página, norte tiene tres; "
         "en la segunda, norte tiene uno y sur dos."),
        (PAGES, "By P@10 sur wins.", "By P@10 norte wins."),
        (PAGES, "Con P@10 gana sur.", "Con P@10 gana norte."),
        (PAGES, "The search by norte finds four, that by sur five.",
         "The search by norte finds four, that by sur six."),
        (JUDGES, "Three that both call relevant, and five that both call non-relevant.",
         "Three that both call relevant, and four that both call non-relevant."),
        (JUDGES, "Cinco que ambos consideran no relevantes.", "Cuatro que ambos consideran no relevantes."),
        (ONE, MOVE.format("Insert one", "insert missed 1", "AP more than doubles."),
         MOVE.format("Insert one", "insert missed 1", "AP more than triples.")),
        (ONE, MOVE.format("Poner uno", "insert missed 1", "AP sube a 0.567."),
         MOVE.format("Poner uno", "insert missed 1", "AP sube a 0.667.")),
        (FIRST, "## Step: It comes first\nquery: 2\ndo: move 4 1\n\nThe mean goes up from .45 to .6.",
         "## Step: It comes first\nquery: 2\ndo: move 3 1\n\nThe mean goes up from .45 to .6."),
    ],
)  # fmt: skip
def test_what_the_data_decide_is_found(head: str, true: str, false: str) -> None:
    assert reasons(head, true) == []
    assert [reason for reason in reasons(head, false) if reason.startswith(NONE)]


@pytest.mark.parametrize(
    ("title", "right", "wrong", "text"),
    [
        ("Insert it at the end", "insert missed 5", "insert missed 3", ""),
        ("Insertarlo al final", "insert missed 5", "insert missed 3", ""),
        ("Move it to the top", "move 4 1", "move 4 3", ""),
        ("Moverlo al principio", "move 4 1", "move 4 3", ""),
        ("Insert another one", "insert missed 5", "insert missed 3", "At rank 5 it adds 3/5."),
        ("Insertar otro", "insert missed 5", "insert missed 3", "En la posición 5 suma 3/5."),
    ],
)
def test_a_step_brings_a_document_where_it_says(title: str, right: str, wrong: str, text: str) -> None:
    assert reasons(ONE, MOVE.format(title, right, text)) == []
    assert any(reason.startswith("the step names") for reason in reasons(ONE, MOVE.format(title, wrong, text)))


def choices(right: str, *others: str) -> str:
    return "".join(f"- [{'x' if each == right else ' '}] {each}\n" for each in others)


@pytest.mark.parametrize(
    ("head", "title", "texts", "right", "wrong"),
    [
        (WINS, "On which query does the new index lose?", ("Query 1", "Query 2", "Query 3", "Query 4"),
         "Query 3", "Query 2"),
        (WINS, "¿En qué consulta pierde new?", ("Consulta 2", "Consulta 3"), "Consulta 3", "Consulta 2"),
        (GRADED, "At which of these ranks would it still add half of its gain?", ("3", "4", "8"), "4", "8"),
        (GRADED, "¿En qué posición queda un tercio de su ganancia?", ("3", "4", "8"), "8", "4"),
        (TRADE, "Where should one stop who wants the highest F?", ("At rank 2", "At rank 4", "At rank 8"),
         "At rank 4", "At rank 8"),
    ],
)  # fmt: skip
def test_choices_that_are_ranks_or_queries_are_decided(
    head: str, title: str, texts: tuple[str, ...], right: str, wrong: str
) -> None:
    assert reasons(head, f"## Question: {title}\n{choices(right, *texts)}") == []
    assert len(reasons(head, f"## Question: {title}\n{choices(wrong, *texts)}")) == 1


@pytest.mark.parametrize(
    ("title", "because"),
    [
        ("How many documents that are not relevant does Ben read?", "The documents at ranks 1 and 4."),
        ("¿Cuántos documentos no relevantes lee Ben?", "Los documentos de las posiciones 1 y 4."),
    ],
)
def test_a_typed_count_is_that_of_the_ranks_in_its_reason(title: str, because: str) -> None:
    question = f"## Question: {title}\nanswer: {{}}\nbecause: {because}\n"
    assert reasons(READERS, question.format(2)) == []
    assert reasons(READERS, question.format(4)) == ["the reason lists 2 ranks"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("So P@5 could be .8 at best.", "How high could P@5 be, if somebody judged A and D?"),
        ("P@5 podría llegar a 0.8.", "¿Cuánto podría valer P@5 como mucho?"),
    ],
)
def test_bounds_that_a_text_tells_are_found(text: str, title: str) -> None:
    head = "measure: AP\nrankings: - 1 0 - 1 0 | R=4\n"
    question = f"## Question: {title}\nanswer: .8\n"
    assert reasons(head, f"Two were not judged.\n{question}") == []
    assert reasons(head, f"{text}\n{question}") == ["this tells the answer of the question in line 7"]


def test_a_message_names_what_is_meant() -> None:
    (count,) = reasons(POOL.replace("green: 0 0 1 1", "green: 0 0 1 0"), "green finds two.")
    assert count == f"{NONE}; computed is: green finds 1 (green)"
    (fact,) = reasons(WINS, "The second relevant document is at rank 4.")
    assert fact == f"{NONE}; computed is: second relevant document is at rank 3 (old, query 1)"
    (discount,) = reasons(GRADED, "Rank 1 is discounted.")
    assert discount == NONE


def test_an_exchanged_fraction_is_quoted_as_one() -> None:
    ((_, own, its),) = exchanged("Its precision is 7/9 at the end.", "Its precision is 7/8 at the end.")
    assert (own, its) == ("7/9", "7/8")


@pytest.mark.parametrize(
    ("head", "true"),
    [
        (POOL, "A 5 % better P@2 is hardly noticed."),
        (POOL, "By P@4 red wins nothing."),
        (POOL, "With P@4 it is .5 for red and .5 for green."),
        (WINS, "P@2 of old is 20 % lower than that of new: .5 against .625."),
        (WINS, "P@2 is .625 for new and .5 for old, about 30 % more."),
        (WINS, "P@2 is .5 on query 1 and on query 2 for old, 1 on query 3 and 0 on query 4."),
        (ONE, MOVE.format("Insert one at the end of the first half", "insert missed 3", "AP goes up to .442.")),
        (TREC, "nDCG is .66, a third less than the ideal DCG has."),
        (TREC, "By trec_eval the third document counts half; with the other rule it counts 63 %."),
        (TRADE, "Precision is highest at rank 1, and recall is highest at rank 8."),
        (READERS, "Ann reads until she has one; somebody who reads until he has two stops at rank 3."),
        (READERS, "Half of the six, or 50 %, would be three."),
        (PAGES, "A page shows five results. On the first page norte has three, on both pages four."),
    ],
)
def test_what_is_so_is_no_fault(head: str, true: str) -> None:
    assert reasons(head, true) == []
