"""True sentences of lessons as lecturers write them, which are no faults, and false ones of their forms, which are."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.session.teaching.checking.fault_lines import at_their_lines
from irviewer.session.teaching.checking.faults import faults_of
from irviewer.session.teaching.checking.prose.not_as_said import has_values
from tests.helpers.lesson_reasons import reasons

# P@5 is .6; A, C, D and H are relevant of A to H
SWAPPED = "measure: P@5\nrankings: 1 0 1 1 0 0 0 1 | R=4\n"
# The sums of AP are 2.75 and 1.6667, AP is .6875 and .4167
TWO = "measure: AP\nrankings:\n  early: 1 1 0 1 0 0 0 0 | R=4\n  late: 0 1 1 0 0 1 0 0\n"
# The ideal order is 3, 2, 2, 1: 3 + 2 + 2 / log2(3) + 1 / 2 = 6.7619; 3 + 2 = 5 for two
GRADED = (
    "measure: nDCG\ncolumns: K, document, grade, gain, DCG, ideal DCG, nDCG\nrankings:\n"
    "  brook: 2 0 3 1 0 2\n  creek: 0 2 2 3 0 1\n"
)
# Precision .5 and .4, recall .6667 and .3333
SETS = "measure: SetF\nshow: sets\nrankings:\n  archive: 1 1 0 1 0 0 1 0 | R=6\n  museum: 1 0 1 0 0\n"
# The sums of precisions are 2.5667 and 2.4167, AP is .5133 and .4833
LONGER = "measure: AP\nrankings:\n  harbour: 1 0 1 0 0 1 0 0 0 1 | R=5\n  meadow: 0 1 1 1 0 0 0 1 0 0\n"
# RR of old 1/2, 1, 1/4, 0, of new 1, 1/3, 1/2, 1: without query 4 .5833 and .6111
FOUR = (
    "measure: RR\nrankings:\n  old: 0 1 0 0\n  new: 1 0 0 0\n  ---\n  old: 1 0 0 0\n  new: 0 0 1 0\n  ---\n"
    "  old: 0 0 0 1\n  new: 0 1 0 0\n  ---\n  old: 0 0 0 0\n  new: 1 0 1 0\n"
)
POOL = (
    "measure: P@4\nshow: pooling\ncutoff: 3\nrankings:\n"
    "  alpha: 1 - 1 0 - 1\n  beta: 0 1 1 - 1 -\n  gamma: - 1 0 1 0 1\n"
)
# P@5 is .6 of both; the sums of the gains are 6
PLACED = "measure: P@5\nrankings:\n  rojo: 1 0 1 1 0 0\n  verde: 0 1 1 0 1 0\n"
GAINS = "measure: nDCG\ncolumns: K, gain, DCG\nrankings:\n  brook: 3 0 2 1 0\n  creek: 0 3 1 2 0\n"
THREE = "measure: P@10\nrankings:\n  lamp: 1 1 0 1 0 | R=8\n  torch: 1 0 1 1 0 1 0 1 0 0\n  candle: 1 1\n"
# Judged@5 is .6 of azul, .8 of rojo; P@5 .4 and .6
POOLED = "measure: P@5\nshow: pooling\ncutoff: 3\nrankings:\n  azul: 1 - 0 - 1 0\n  rojo: 1 1 0 - 1 0\n"
# With level 1 AP is .6875 and .2917, with level 2 .5 and .3333
LEVELS = "measure: AP\nrankings:\n  alta: 1 2 0 1 | R=4\n  baja: 0 1 2 0\n"
# P@5 is .4 and .6; AP of viejo is 1, .5 and .25, of nuevo .5 and 0
BOTH = "measure: P@5\nrankings:\n  norte: 1 0 0 1 0 0\n  sur: 1 1 1 0 0 0\n"
ONES = (
    "measure: AP\nrankings:\n  viejo: 1 0 | R=1\n  nuevo: 0 1\n  ---\n  viejo: 0 1 | R=1\n  ---\n"
    "  viejo: 0 0 0 1 | R=1\n"
)
STEP = "## Step: Swap ranks 6 and 7\ndo: swap 6 7\n\n"
FIRST = "## Step: Swap ranks 1 and 2\ndo: swap 1 2\n\n"
QUESTION = "## Question: By how much is AP of early higher?\nanswer: .2708\nbecause: .6875 - .4167 = .2708.\n"


@pytest.mark.parametrize(
    ("head", "true", "false"),
    [
        (SWAPPED, STEP + "Neither F nor G is relevant, so nothing changes.",
         STEP + "Neither A nor G is relevant, so nothing changes."),
        (SWAPPED, STEP + "Ni F ni G son relevantes, así que nada cambia.",
         STEP + "Ni F ni H son relevantes, así que nada cambia."),
        (SWAPPED, "None of B, E and F is relevant.", "None of B, C and F is relevant."),
        (SWAPPED, "One of G and H is relevant.", "G and H are relevant."),
        (TWO, QUESTION + "wrong 1.0833: This is the difference of the two sums. It remains to divide by four.",
         QUESTION + "wrong 1.0933: This is the difference of the two sums. It remains to divide by four."),
        (TWO, "## Question: How much higher is AP of early?\nanswer: .2708",
         "## Question: How much higher is AP of early?\nanswer: .2908"),
        (TWO, "## Question: By how much does early beat late in AP?\nanswer: .2708",
         "## Question: By how much does early beat late in AP?\nanswer: .2908"),
        (LONGER, "## Step: Swap ranks 9 and 10\ndo: swap 9 10\n\nThe last relevant document moves up by one.",
         "## Step: Swap ranks 9 and 10\ndo: swap 9 10\n\nThe last relevant document moves up by two."),
        (FOUR, "The reciprocal rank of new on query 2 is one third, that of old three times as much.",
         "The reciprocal rank of new on query 2 is one half, that of old three times as much."),
        (GRADED, "The ideal DCG is 6.76.", "The ideal DCG is 6.72."),
        (GRADED, "The best possible order is 3, 2, 2, 1. Its DCG is 6.7619.",
         "The best possible order is 3, 2, 2, 1. Its DCG is 6.7219."),
        (GRADED, "El mejor orden es 3, 2, 2, 1. Su DCG es 6.76.", "El mejor orden es 3, 2, 2, 1. Su DCG es 6.72."),
        (GRADED, "With log2(K + 1) it would be otherwise.", "Each gain is divided by log2(K + 1)."),
        (GRADED, "Con log2(K + 1) sería distinto.", "Cada ganancia se divide por log2(K + 1)."),
        (TWO, "All in all the gap between the two is .271.", "All in all the gap between the two is .273."),
        (TWO, "On average the two have .5521.", "On average the two have .5581."),
        (TWO, "La ventaja de early es de .2708.", "La ventaja de early es de .2738."),
        (SWAPPED, FIRST + "Precision cannot rise, as it was at its maximum already.",
         FIRST + "Precision cannot rise as we go down the list."),
        (SWAPPED, FIRST + "La precisión no puede subir, pues ya estaba en su máximo.",
         FIRST + "La precisión no puede subir al bajar por la lista."),
        (GRADED, "A document with grade 2 at rank 4 is worth as much as one with grade 1 at rank 2.",
         "Brook has grade 2 at rank 4."),
        (GRADED, "Un documento de grado 2 en la posición 4 vale tanto como uno de grado 1 en la posición 2.",
         "En brook el grado 2 está en la posición 4."),
        (SETS, "The arithmetic mean of precision and recall of archive is .5833.",
         "The arithmetic mean of precision and recall of archive is .5873."),
        (LONGER, "The two sums of precisions are 2.5667 and 2.4167, and they differ by .15.",
         "The two sums of precisions are 2.5667 and 2.4167, and they differ by .18."),
        (LONGER, "After rank 8 meadow finds nothing more.", "Meadow finds nothing."),
        (LONGER, "The lead of harbour in AP is .03.", "AP of harbour is .03."),
        (FOUR, "A step from rank 3 to rank 4 costs .0833.", "A step from rank 3 to rank 4 costs .0838."),
        (FOUR, "Without the fourth query the gap shrinks to .0278.",
         "Without the fourth query the gap shrinks to .0478."),
        (FOUR, "The mean of the differences is .2708, not divided 1.0833.", "The mean of the differences is .2508."),
        (SETS, "La media aritmética de precisión y exhaustividad de archive es .5833.",
         "La exhaustividad de archive es .5833."),
        (SETS, "Entre los dos encuentran cuatro documentos relevantes.",
         "Los dos encuentran cuatro documentos relevantes."),
        (SETS, "Between them the two find four relevant documents.", "Both find four relevant documents."),
        (LONGER, "Las dos sumas de precisiones son 2.5667 y 2.4167.", "La precisión de harbour en 3 es .5667."),
        (LONGER, "Con cuatro en el divisor, harbour tendría .6417.", "La AP de harbour es .6417."),
        (FOUR, "La MRR de old es .4375 y la de new .7083; la ventaja de new es .27.",
         "La MRR de old es .4375 y la de new .7083; la ventaja de new es .22."),
        (FOUR, "Solo en la consulta 2 gana old, por .6667.", "Solo en la consulta 2 gana old, por .6867."),
        (SETS, "The archive returns eight documents, and half of them are relevant.",
         "The archive returns eight documents, and five of them are relevant."),
        (SETS, "Museum is shorter, and it misses four of the six.",
         "Museum is shorter, and it misses three of the six."),
        (SETS, "Two relevant documents are in neither list.", "Museum has three relevant documents."),
        (SETS, "Together the two engines find four different relevant documents.",
         "Both find four relevant documents."),
        (SETS, "Museum returns three documents less than archive.", "Museum returns three documents."),
        (FOUR, "The mean rank of the answers of new is 1.75, and its reciprocal .571.",
         "The mean rank of the answers of new is 1.75, and its reciprocal .561."),
        (GRADED, "A 3 at rank 8 is worth as much as a 1 at rank 2.", "A 3 comes at rank 8."),
        (FOUR, "Take query 4 away, and only .0278 is left.", "Take query 4 away, and only .0478 is left."),
        (FOUR, "The mean of the absolute differences is .6042.", "The mean of the absolute differences is .6242."),
        (LONGER, "The average of 1, .667, .5 and .4 is .6417.", "The average of 1, .667, .5 and .4 is .6157."),
        (GRADED, "The gap to the ideal list is 1.595 for brook.", "The gap to the ideal list is 1.655 for brook."),
        (POOL, "Two of the seven documents are unjudged.", "Three of the six documents of alpha are unjudged."),
        (POOL, "Dos de los siete documentos están sin juzgar.",
         "Tres de los seis documentos de alpha están sin juzgar."),
        (FOUR, "Averaged over queries 1 and 2 MRR of new is .6667.", "MRR of new is .6667 on query 2."),
        (PLACED, "P@5 vale lo mismo para rojo y para verde, tres quintos, aunque rojo los coloca mejor.",
         "P@5 vale lo mismo para rojo y para verde, aunque la de rojo es mejor."),
        (PLACED, "P@5 is the same for both, three fifths, but rojo puts the documents better.",
         "P@5 is the same for both, but that of rojo is better."),
        (THREE, "Torch is greedy and brings ten, half of them relevant. And candle? It brings only two, both relevant.",
         "Torch is greedy and brings ten, half of them relevant. And torch? It brings only two, both relevant."),
        (THREE, "And candle? It brings only two, both relevant.", "And lamp? It brings only two, both relevant."),
        (THREE, "¿Y candle? Trae solo dos, ambos relevantes.", "¿Y torch? Trae solo dos, ambos relevantes."),
        (THREE, "Lamp is short. And candle? It retrieves two relevant documents.",
         "Lamp is short. And candle? It retrieves three relevant documents."),
        (GAINS, "The grade of a document, from 0 to 3 (perfect). In total brook collects 6, and so does creek.",
         "The grade of a document, from 0 to 3 (perfect). In total brook finds 6, and so does creek."),
        (GAINS, "Un documento tiene un grado de 0 a 3. En total brook acumula 6.",
         "Un documento tiene un grado de 0 a 3. En total brook encuentra 6."),
        (GAINS, "Gains are added up. In total brook collects 6.", "In total brook collects 6 relevant documents."),
        (THREE, "In total lamp collects 3.", "In total lamp collects 4."),
        (POOLED, "Por tanto, Judged@5 de azul es 3/5, es decir, el 60 %.",
         "Por tanto, Judged@5 de azul es 4/5, es decir, el 80 %."),
        (POOLED, "Judged@5 of azul is 3/5, that is 60 %.", "Judged@5 of azul is 4/5."),
        (LEVELS, "With level 2, AP of alta is .5.", "With level 2, AP of alta is .6."),
        (LEVELS, "At relevance level 2 AP of baja is .3333.", "At relevance level 2 AP of baja is .2917."),
        (LEVELS, "Con nivel 2, AP de alta es .5.", "Con nivel 1, AP de alta es .5."),
        (LEVELS, "With level 2 alta finds one relevant document; baja finds one.",
         "With level 1 alta finds one relevant document; baja finds one."),
        (LEVELS, "With level 2 P@3 of alta is .3333 and P@3 of baja is .3333.", "P@3 of alta is .3333."),
        (BOTH, "The mean of the two values of P@5 is .5.", "The mean of the two values of P@5 is .7."),
        (BOTH, "La media de los dos valores de P@5 es .5.", "La media de los dos valores de P@5 es .7."),
        (BOTH, "The mean of both values of P@5 is .5.", "The mean of both values of P@5 is .4."),
        (ONES, "La suma de las tres AP de viejo es 1.75.", "La suma de las tres AP de viejo es 1.65."),
        (ONES, "The sum of the three values of AP of viejo is 1.75.",
         "The sum of the three values of AP of viejo is 1.25."),
        (ONES, "The mean of the three values of AP of viejo is .5833.",
         "The mean of the three values of AP of viejo is .5383."),
        (PLACED, "P@5 es igual en rojo y verde, pero rojo coloca mejor los documentos relevantes.",
         "P@5 es igual en rojo y verde, pero rojo coloca más documentos relevantes."),
        (BOTH, "Half the sum of the two values of P@5 is .5.", "The sum of the two values of P@5 is .5."),
        (LEVELS, "With grade 2 or higher as relevant, AP of alta is .5.",
         "With grade 2 or higher as relevant, AP of alta is .6."),
        (LEVELS, "AP of alta is .5 with level 2.", "AP of alta is .4 with level 2."),
        (LEVELS, "When the level is 2, AP of alta is .5.", "We speak of the level 2."),
        (POOLED, "Azul has 60 % of its first five documents judged, rojo 80 %.",
         "Judged@5: 80 % for azul and 60 % for rojo."),
        (FOUR, "All five relevant documents of the four queries are listed.",
         "All six relevant documents of the four queries are listed."),
    ],
)  # fmt: skip
def test_a_true_sentence_is_no_fault_and_a_false_one_is(head: str, true: str, false: str) -> None:
    assert reasons(head, true) == []
    assert len(reasons(head, false)) > 0


@pytest.mark.parametrize(
    "computed", ["Judged (azul): ", "AP: ; P: .5", "AP: A nan, B .5000", "AP: A .5 →", "AP: .5, , .3"]
)
def test_an_absent_value_is_known(computed: str) -> None:
    assert not has_values(computed)


@pytest.mark.parametrize("computed", ["", "P: .5000, .4000 …", "relevant: A –; B 1, 2", "A 1 → 2", "2 + 1", ".3 < .4"])
def test_values_are_known(computed: str) -> None:
    assert has_values(computed)


@pytest.mark.parametrize(
    "text",
    ["South has the higher AP.", "South tiene la mayor AP.", "South has the higher AP, and north the lower one."],
)
def test_a_false_clause_has_one_message(text: str) -> None:
    assert len(reasons("measure: AP\nrankings:\n  north: 1 1 0 1\n  south: 0 1 1 1\n", text)) == 1


def test_two_clauses_that_are_false_have_a_message_each() -> None:
    head = "measure: AP\nrankings:\n  north: 1 1 0 1\n  south: 0 1 1 1\n"
    assert len(reasons(head, "South has the higher AP. The third document of north is relevant.")) == 2


def test_a_message_quotes_a_ranking_that_is_behind_its_value() -> None:
    faults = faults_of(
        parse_lesson(f"---\ntitle: T\n{POOLED}---\nJudged@5: 80 % for azul and 60 % for rojo.\n", "l.md")
    )
    assert [fault.text for fault in faults] == ["80 % for azul", "60 % for rojo"]


def test_another_discount_is_named_where_it_is_written() -> None:
    text = f"---\ntitle: T\n{GRADED}---\nA text.\n\n## Step: Gains\n\nEach is divided by log2(K + 1).\n"
    (fault,) = faults_of(parse_lesson(text, "l.md"))
    assert fault.line == 1 + text[: text.index("## Step")].count("\n")


def test_what_the_opening_text_says_twice_has_the_line_of_the_first_place(tmp_path: Path) -> None:
    path = tmp_path / "l.md"
    path.write_text("---\ntitle: On DCG\nmeasure: DCG\n---\nFirst.\n\nOn DCG.\nMore on DCG.\n\n## Step: On DCG\n")
    (fault,) = at_their_lines([ParseError(str(path), "false", line=1, column=1, text="DCG")])
    assert isinstance(fault, ParseError)
    assert fault.line == 7
