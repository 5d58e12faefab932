"""Clauses with words that no rule reads are not judged, and the same forms without them are."""

from __future__ import annotations

import pytest

from tests.helpers.lesson_reasons import reasons

THREE = (
    "measure: P@5\nrankings:\n  alfa: 1 1 0 1 0 0 0 0 1 0\n  beta: 0 1 1 0 1 1 0 0 1 0\n  gamma: 1 0 0 1 1 0 1 1 0 0\n"
)
NORTH = "measure: P@5\nrankings:\n  north: 1 0 0 1 1 0 0 0 1 0\n  south: 0 1 1 0 0 0 0 1 0 0\n"
POOLED = "measure: Judged@5\nrankings:\n  azul: 1 - 0 - 1 0 | R=4\n  rojo: 1 1 0 - 1 0 | R=4\n"

# P@5 of query 1 is .8 and .4, the means are .5 and .3
QUERIES = (
    "measure: P@5\nrankings:\n  nuevo: 1 1 1 1 0\n  base: 1 0 1 0 0\n  ---\n  nuevo: 1 0 0 0 0\n  base: 0 1 0 0 0\n"
)
GRADED = "measure: nDCG\nrankings:\n  brook: 2 0 3 1 0 | R=4\n  creek: 0 2 3 0 1\n"
LAMP = "measure: P@5\nrankings:\n  lamp: 1 1 0 1 0 | R=8\n  torch: 1 0 0 1 0 | R=8\n"
IN_ONE = "## Question: ¿Cuál es mejor en la consulta 1?\n- [ ] base\n- [x] nuevo\n  "


@pytest.mark.parametrize(
    ("head", "true", "false"),
    [
        (THREE, "Ninguna de las tres tiene un documento relevante en cada una de las tres primeras posiciones.",
         "Ninguna tiene un documento relevante en la posición 9."),
        (THREE, "Después de la posición 9 alfa ya no encuentra nada.", "Alfa no encuentra nada."),
        (NORTH, "The second half of north contains one relevant document, that of south likewise.",
         "North contains one relevant document, south three."),
        (NORTH, "Each of the two halves of north has one relevant document or more.",
         "North has one relevant document."),
        (QUERIES, IN_ONE + "Nuevo tiene cuatro documentos relevantes y base solo dos. P@5 es el doble.",
         IN_ONE + "P@5 de nuevo es el triple que la de base."),
        (GRADED, "One document with grade 2 was retrieved by neither ranking.",
         "Brook has two documents with grade 2."),
        (GRADED, "The ideal ranking has two of them, and creek retrieved only one.",
         "Creek retrieved only one relevant document."),
        (LAMP, "Precision is not recall: lamp has .6 of the one and .375 of the other.", "Lamp has a P@5 of .8."),
        (LAMP, "There are eight relevant documents. Lamp finds three of them, hardly more than a third.",
         "There are eight relevant documents. Lamp finds two of them."),
        (GRADED, "Brook gets more than half of its DCG at rank 2.", "Brook has two documents of grade 2."),
        (THREE, "La mitad de los documentos de beta y de gamma son relevantes.",
         "Cuatro documentos de beta son relevantes."),
        (POOLED, "Por tanto, Judged@5 de azul es 3/5, es decir, el 60 %.", "Judged@5 de azul es 4/5."),
    ],
)  # fmt: skip
def test_a_clause_with_other_words_is_not_judged(head: str, true: str, false: str) -> None:
    assert reasons(head, true) == []
    assert len(reasons(head, false)) > 0


def test_an_amount_is_not_carried_over_to_another_measure() -> None:
    # DCG is 5.6309 and 4.8928, of 6.1309: nDCG .9184 and .7981
    head = "measure: nDCG\nrankings: 1 3 1 2\n"
    step = "## Step: Swap ranks 2 and 3\ndo: swap 2 3\n\n"
    assert reasons(head, step + "DCG falls by .74 and nDCG from .918 to .798.") == []
    assert len(reasons(head, step + "DCG falls by .74 and nDCG from .918 to .768.")) > 0
