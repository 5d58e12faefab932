"""Clauses about rankings in many styles: true ones are no faults, and false ones are."""

from __future__ import annotations

import pytest

from tests.helpers.lesson_reasons import reasons

# AP of north .6042, of south .4; P@1..5 1 1/2 2/3 3/4 3/5 and 0 1/2 1/3 1/2 3/5; RR 1 and 1/2; R@5 3/4
TWO = "measure: AP\nrankings:\n  north: 1 0 1 1 0 | R=4\n  south: 0 1 0 1 1\n"
# RR 1/2; P@5 2/5; three unjudged
ONE = "measure: P@5\nrankings: 0 1 - 0 1 - 1 - | R=5\n"
# AP of red 1, blue .8333, green .4167; P@2 1, .5, 0
THREE = "measure: AP\nrankings:\n  red: 1 1 0 0\n  blue: 1 0 1 0\n  green: 0 0 1 1\n"
# DCG@3 of alta 2.6309, of baja 3.2619; grade 2 twice
GRADED = "measure: DCG@3\nrankings:\n  alta: 2 0 1 0 2 1\n  baja: 0 2 2 1 0 1\n"
# AP of old 1/3, .5833; of new 1, .5
QUERIES = "measure: AP\nrankings:\n  old: 0 0 1; new: 1 0 0\n  ---\n  old: 0 1 1; new: 1 0 0 | R=2\n"
WORDS = "measure: AP\nrankings:\n  first: 1 0 1 1 0 | R=4\n  best: 0 1 0 1 1\n  a: 0 0 0 1 1\n"
SWAP = "## Step: Swap ranks 2 and 3 of north\ndo: swap 2 3 in north\n\n"  # AP .6042 to .6875, P@2 1/2 to 1


TRUE = {
    TWO: """Rank 2 of north is not relevant.
Rank 2 of south is relevant.
The document at rank 3 of north is relevant.
At rank 1 north has a relevant document.
At rank 1, south has no relevant document.
South has no relevant document at rank 3.
Ranks 1, 3 and 4 of north are relevant.
North has its relevant documents at ranks 1, 3 and 4.
The relevant documents of south are at ranks 2, 4 and 5.
North's third document is relevant.
In south the third document is not relevant.
Both have a relevant document at rank 4.
Both lists have a relevant document at rank 4.
Only north has a relevant document at rank 3.
Only south finds a relevant document at rank 5.
The first relevant document of south is at rank 2.
South has its first relevant document at rank 2.
South's first hit is at rank 2, north's at rank 1.
South's first hit is at rank 2, that of north is at rank 1.
The last relevant document of north comes at rank 4.
Two of the first three documents of north are relevant.
Of the first three documents of north, two are relevant.
Among its first three documents, south has one relevant document.
North has two relevant documents among the first three.
Among the first three, north finds two and south one.
Among the first three, north finds two relevant documents and south finds only one.
One of the first three documents of north is not relevant.
Down to rank 3, south has one relevant document.
By rank 4 north has three relevant documents and south two.
In its top 3 south has one hit.
None of the first two documents of north is missing.
North finds three of the four relevant documents.
South finds three relevant documents too.
Of the four relevant documents both find three.
Each of them finds three relevant documents.
North misses one relevant document.
Both miss one.
Half of the first four documents of south are relevant.
Three quarters of the first four documents of north are relevant.
North finds 75 % of the relevant documents.
P@3 of north is 2/3.
P@3 of north is .67.
P@3 of north is 67 %.
P@3 is 2/3 for north and 1/3 for south.
P@3 is 2/3 in north, 1/3 in south.
In north, P@5 is 3/5, and in south it is 3/5 too.
North has a P@3 of 2/3, south of 1/3.
South has a precision at 3 of one third.
The precision of north at rank 3 is two thirds.
Precision at rank 3 is 2/3 for north.
Recall at 5 is 3/4 for both.
Both have a recall at rank 5 of .75.
Both have P@5 = .6.
South's AP is .4, north's .6.
AP of north is .604 and AP of south is .4.
AP is .6 for north, .4 for south.
The average precision of south is .4.
North's reciprocal rank is 1, south's is one half.
RR is 1 for north and .5 for south.
North has a higher AP than south.
North has the higher AP.
The higher AP is that of north.
AP is higher for north than for south.
South has a lower AP than north, and a lower RR.
At rank 3, precision is higher in north than in south.
By AP, north is better than south.
By AP north is ahead of south.
By AP, south is behind.
By P@5 they are equal.
North and south have the same P@5.
Both have the same P@5.
P@5 is the same for both.
P@2 does not differ.
AP of north exceeds that of south by .2.
North beats south by AP.
North's AP is .2 higher than south's.
P@3 of north is twice that of south.
P@3 of south is half that of north.
North has twice the P@3 of south.
P@3 is twice as high for north as for south.
North finds more relevant documents among the first three than south.
North has one more relevant document among the first three than south.
South finds as many relevant documents as north.
Among the first two both have one relevant document.
The first relevant document of north comes before that of south.
North has its first relevant document earlier than south.
North finds its first relevant document at rank 1; south finds it at rank 2.
North begins well. Its first relevant document is at rank 1.
South begins badly. Its P@3 is 1/3.
South begins badly. Rank 1 is not relevant.
AP of north is .6. AP of the other is .4.
The other list, south, begins with a document that is not relevant.
P@3 of north is not 1/3.
A perfect list of four relevant documents would have an AP of 1.
If rank 2 of north were relevant, AP would be higher.
At rank 2 precision is the same for both: one half.
In the list of the editors, two of the first three documents are relevant at ranks 1 and 2.
North is preferred by impatient readers, and three of its first four documents are relevant.
Somebody might say that rank 2 of north is relevant.
In general P@3 is 1/3.
Does north have a relevant document at rank 2? No.
P@K rises where a relevant document comes.
Whoever reads three documents of north sees two relevant ones; of south only one.
North has a relevant document more among the first three.
Recall of north at rank 3 is half, that of south a quarter.
R@3 is .5 in north and .25 in south.
Four relevant documents are known.
There are four relevant documents, and one of them is found by neither.
At the end both have found three.
At no rank above 4 does south have a higher precision than north.
North has more than one relevant document among the first three.
South has fewer than two hits among the first three.
North ranks its hits at 1, 3 and 4.
Among the first three, north finds two relevant documents, and in all it finds three.
Among the first three, north finds two, south one, and both find three in all.
At rank 1 only north has a relevant document, and its P@5 is .6.
At rank 3, north has a relevant document and a precision of 2/3.
By AP north leads, .60 against .40.
North has the higher AP, .60 against .40.
North's AP, .60, exceeds that of south, which is .40.
Within the first four ranks, north collects three relevant documents, whereas south collects only two.
South's first hit comes one rank later than north's.
After rank 4 south has one more hit.
At least two of the first three documents of north are relevant.
No more than two of the first three documents of north are relevant.
The difference in AP is .2.
North has an AP of .6. South has .4.
North has an AP of .6. South is behind.
Either list finds three relevant documents.
North opens with a hit, south with a miss.
North found two of its hits among the first three.
Over the whole list the precision of both is .6.
North wins at rank 1.
One of the first two documents of north is relevant; it finds three of four.
Rank 3 of north is relevant, and it finds three relevant documents.
At rank 4, north has found three of the four relevant documents, south two.
Recall at depth 3 is .5 for north.
South's AP is less than .5.
South's P@3 is half of north's.
The hits of north are at ranks 1, 3 and 4, those of south at 2, 4 and 5.
Precision at rank 4 is 3/4 for north; for south it is 1/2.
At rank 4 it is 3/4 for north.
North is first by AP and south second.
In north rank 2 is not relevant, but rank 3 is.
In north rank 2 is not relevant; rank 3 is relevant.
Rank 2 is relevant in south and not relevant in north.
Documents 1 and 3 of north are relevant.
North's second relevant document is at rank 3, south's at rank 4.
P@1 is 1 for north and 0 for south.
MAP is .6 for north.
AP never reaches 1.
North's AP is about .6.
P@5 is .6, so it does not tell north and south apart.
Three of five documents are relevant in both.
Both lists return five documents.
North finds relevant documents at ranks 1, 3 and 4, south at ranks 2, 4 and 5.
La posición 2 de north no es relevante.
La posición 2 de south es relevante.
En la posición 1 north tiene un documento relevante.
South no tiene ningún documento relevante en la posición 3.
Las posiciones 1, 3 y 4 de north son relevantes.
El primer documento relevante de south está en la posición 2.
En south, el primer documento relevante está en la posición 2.
South tiene su primer documento relevante en la posición 2.
Dos de los tres primeros documentos de north son relevantes.
De los tres primeros documentos de south, uno es relevante.
Entre los tres primeros, north tiene dos relevantes y south uno.
North tiene dos documentos relevantes entre los tres primeros.
North encuentra tres de los cuatro documentos relevantes.
Ambas listas encuentran tres documentos relevantes.
Las dos encuentran tres documentos relevantes.
Ambas tienen un documento relevante en la posición 4.
Solo north tiene un documento relevante en la posición 3.
P@3 de north es 2/3.
P@3 es 2/3 en north y 1/3 en south.
La precisión en la posición 3 es 2/3 en north y 1/3 en south.
En north P@5 es 3/5, y en south es 3/5 también.
La precisión media de south es 0.4.
AP es 0.6 para north y 0.4 para south.
El AP de north es mayor que el de south.
North tiene un AP mayor que south.
North tiene mayor AP que south.
South tiene un AP menor que el de north.
El AP de north supera al de south.
North y south tienen el mismo P@5.
P@5 es igual en ambas.
P@3 de north es el doble que el de south.
North tiene el doble de P@3 que south.
La exhaustividad en la posición 5 es 0.75 en ambas.
El rango recíproco de north es 1, el de south un medio.
La mitad de los cuatro primeros documentos de south son relevantes.
North encuentra más documentos relevantes entre los tres primeros que south.
South encuentra tantos documentos relevantes como north.
Hay cuatro documentos relevantes.
El primer documento relevante de north está antes que el de south.
En la posición 1 north tiene un documento relevante, y su P@5 es 0.6.
Entre los tres primeros north tiene dos, y en total tiene tres.
North gana según AP, 0.60 frente a 0.40.
Al menos dos de los tres primeros documentos de north son relevantes.
La diferencia de AP es 0.2.
El primer documento relevante está en la posición 1 en north y en la 2 en south.
La posición 5 no es relevante en north, pero sí en south.
Ninguna de las dos listas encuentra los cuatro documentos relevantes.
A north le falta un documento relevante.""",
    ONE: """The first relevant document is at rank 2.
Two of the first five documents are relevant.
P@5 is 2/5.
P@5 = .4.
Precision at 5 is 40 %.
Recall at rank 8 is three fifths.
It finds three of five relevant documents.
Three of the eight documents are relevant.
Three of the eight documents are unjudged.
C is unjudged.
C, at rank 3, is not judged.
B is relevant.
B and E are relevant, A is not relevant.
Rank 4 is not relevant.
Two relevant documents are not in the list.
Two relevant documents were not retrieved.
The second relevant document is E.
A has rank 1 and B has rank 2.
Five relevant documents are known, and three of them are in the list.
There is a hit at rank 2.
There is no hit at rank 1.
Dos de los cinco primeros documentos son relevantes.
El segundo documento relevante es E.
Tres de los ocho documentos son relevantes.
C no está juzgado.
Dos documentos relevantes no están en la lista.""",
    THREE: """Red has the highest AP.
The highest AP is that of red.
Green has the lowest AP.
Only green has no relevant document among the first two.
Red and blue have a relevant document at rank 1.
Red and blue have a higher AP than green.
P@2 is 1 for red, .5 for blue and 0 for green.
P@2 of red is 1, that of blue .5, and that of green 0.
All three have P@4 = .5.
All find two relevant documents.
The third list has its first relevant document at rank 3.
AP of blue is higher than that of green, and lower than that of red.
Blue has the second highest AP.
El AP más alto es el de red.
Red tiene el mayor AP.
Las tres listas encuentran dos documentos relevantes.
Red tiene mayor AP que blue y green.""",
    GRADED: """DCG@3 of alta is 2.63, and of baja 3.26.
Baja has the higher DCG@3.
Rank 1 of alta has grade 2.
In alta the document at rank 3 has grade 1.
Baja has two documents of grade 2 among the first three.
Two documents have grade 2.
Rank 1 of baja is not relevant.
Alta begins with a document of grade 2.
La posición 1 de alta tiene grado 2.
Alta tiene un documento de grado 2 entre los tres primeros.
DCG@3 es mayor en baja que en alta.""",
    QUERIES: """On query 1 AP of new is 1.
On query 1, AP of old is 1/3.
AP of old is .33 on query 1 and .58 on query 2.
On query 1 the first relevant document of old is at rank 3.
Query 2 has two relevant documents.
Query 1 has one relevant document, query 2 two.
New has a higher AP than old on query 1.
On query 2, old has a higher AP than new.
The mean AP of new is .75, that of old .46.
MAP is .75 for new.
New has the higher MAP.
AP of new is higher on query 1 than on query 2.
On query 2 old finds two relevant documents, new finds one.
En la consulta 1 el AP de new es 1.
La consulta 2 tiene dos documentos relevantes.
On query 1 AP of new is 1, and its mean AP is .75.
On query 2, new finds one relevant document, and old finds two.
On query 1 new has a hit at rank 1, and on query 2 old has one at rank 2.
El AP medio de new es 0.75.
En la consulta 2, old tiene un AP mayor que new.""",
    WORDS: """The first relevant document is at rank 1 there, and a hit is at rank 3 too.
Best of all is a list that begins with a relevant document.
A relevant document at rank 1 is best.
A perfect list has the best AP.
At first a reader sees a relevant document.
Two of the first three documents are relevant in one list.""",
}
STEP_TRUE = """AP of north rises.
AP of north rises from .60 to .69.
AP of north rises by .08.
AP rises from .60 to .69.
AP rises to .69.
P@3 of north stays 2/3.
P@3 does not change.
P@2 of north doubles.
P@2 rises from 1/2 to 1.
AP of south does not change.
AP of south stays .4.
Now rank 2 of north is relevant.
Rank 3 was relevant before.
Two of the first two documents are now relevant.
North now has two relevant documents at ranks 1 and 2.
AP of north is .69 now.
AP of north was .60.
Before, AP of north was .60; now it is .69.
AP is higher than before.
P@3 is the same as before.
AP de north sube de 0.60 a 0.69.
AP de north sube.
P@3 no cambia.
P@2 de north sube de 1/2 a 1.
Ahora la posición 2 de north es relevante."""

FALSE = {
    TWO: """Rank 2 of north is relevant.
Two of the first three documents of south are relevant.
In north, P@5 is 3/5, and in south it is 4/5.
Both have a relevant document at rank 1.
Neither has a relevant document at rank 3.
Only north finds a relevant document at rank 4.
At rank 1, south has a relevant document.
South has no relevant document at rank 2.
North has its relevant documents at ranks 1, 2 and 4.
Ranks 1, 2 and 4 of north are relevant.
South's first hit is at rank 2, north's at rank 2.
Among the first three, north finds two and south two.
Of the first three documents of north, one is relevant.
By rank 4 north has two relevant documents and south three.
North finds three of the five relevant documents.
North misses two relevant documents.
North finds half of the relevant documents.
A third of the first four documents of south are relevant.
P@3 is 1/3 for north and 2/3 for south.
South has a precision at 3 of two thirds.
The average precision of south is .6.
North's reciprocal rank is 1, south's is one third.
South has a higher AP than north.
North has a higher AP than south, and a lower RR.
The lower AP is that of north.
By P@5 north is ahead of south.
North and south have the same P@3.
AP of north exceeds that of south by .3.
P@3 of south is twice that of north.
North has three times the P@3 of south.
By AP north leads, .40 against .60.
North has the higher AP, .60 against .50.
North has an AP of .6. South has .5.
North has an AP of .6. South is ahead.
Within the first four ranks, north collects two relevant documents, whereas south collects only two.
Among the first three, north finds two relevant documents, and south finds three.
South's first hit comes two ranks later than north's.
At least three of the first three documents of north are relevant.
No more than one of the first three documents of north are relevant.
The difference in AP is .4.
Either list finds four relevant documents.
At rank 4, north has found three of the four relevant documents, south three.
Over the whole list the precision of both is .5.
Recall at depth 3 is .75 for north.
Entre los tres primeros north tiene dos, y south tiene tres.
North gana según AP, 0.40 frente a 0.60.
La diferencia de AP es 0.4.
El primer documento relevante está en la posición 1 en north y en la 3 en south.
South finds more relevant documents than north.
The first relevant document of south comes before that of north.
North begins well. Its first relevant document is at rank 2.
South begins badly. Its P@3 is 2/3.
In north rank 2 is not relevant; rank 3 is not relevant.
Rank 2 is relevant in south and relevant in north.
La posición 2 de north es relevante.
South tiene su primer documento relevante en la posición 3.
De los tres primeros documentos de south, dos son relevantes.
Entre los tres primeros, north tiene dos relevantes y south dos.
Ambas tienen un documento relevante en la posición 1.
Solo north tiene un documento relevante en la posición 4.
P@3 es 1/3 en north y 2/3 en south.
El AP de north es menor que el de south.
North y south tienen el mismo P@3.
North tiene el doble de P@2 que south.
La exhaustividad en la posición 5 es 0.5 en ambas.""",
    ONE: """The first relevant document is at rank 3.
Precision at 5 is 60 %.
B and D are relevant.
C, at rank 3, is judged.
One relevant document was not retrieved.
There is a hit at rank 1.
D no está juzgado.""",
    THREE: """Blue has the highest AP.
Red and blue have a relevant document at rank 2.
P@2 is 1 for red, 0 for blue and .5 for green.
All three have P@2 = .5.
El AP más alto es el de blue.
AP of blue is higher than that of red.""",
    GRADED: """Alta has the higher DCG@3.
Rank 1 of alta has grade 1.
Baja has one document of grade 2 among the first three.
Alta begins with a document of grade 1.
La posición 3 de alta tiene grado 2.""",
    QUERIES: """On query 1 AP of new is .5.
AP of old is .58 on query 1 and .33 on query 2.
Query 1 has two relevant documents.
On query 2, new has a higher AP than old.
AP of new is lower on query 1 than on query 2.
MAP is .46 for new.
On query 2, P@1 of new is 1 and P@1 of old is 1.
En la consulta 1 el AP de old es 1.""",
}
STEP_FALSE = """AP of north falls.
AP of north rises from .60 to .75.
AP of north rises by .2.
P@3 of north rises.
P@2 of north triples.
AP of south changes.
Now rank 2 of north is not relevant.
Before, rank 2 of north was relevant.
AP de north baja.
Ahora la posición 3 de north es relevante."""


@pytest.mark.parametrize(
    ("head", "text"), [(head, text) for head, texts in FALSE.items() for text in texts.split("\n")]
)
def test_a_false_sentence_is_a_fault(head: str, text: str) -> None:
    own = reasons(head, text)
    assert own
    assert sum(reason.startswith("no ranking here is as this says") for reason in own) <= 2  # its clauses may be two


@pytest.mark.parametrize("text", STEP_FALSE.split("\n"))
def test_a_false_sentence_of_a_step_is_a_fault(text: str) -> None:
    assert reasons(TWO, SWAP + text) != []


@pytest.mark.parametrize(("head", "text"), [(head, text) for head, texts in TRUE.items() for text in texts.split("\n")])
def test_a_true_sentence_is_no_fault(head: str, text: str) -> None:
    assert reasons(head, text) == []


@pytest.mark.parametrize("text", STEP_TRUE.split("\n"))
def test_a_true_sentence_of_a_step_is_no_fault(text: str) -> None:
    assert reasons(TWO, SWAP + text) == []


def test_a_message_says_what_is_computed() -> None:
    assert reasons(TWO, "In north rank 2 is relevant.") == [
        "no ranking here is as this says; computed is: north has relevant documents at 1, 3, 4"
    ]
    assert reasons(TWO, "Among the first three, south has two hits.") == [
        "no ranking here is as this says; computed is: relevant documents: south 1"
    ]
    assert reasons(QUERIES, "For query 2 the average precision of new is two fifths.") == [
        "no ranking here is as this says; computed is: AP: new 0.5000 (query 2)"
    ]


@pytest.mark.parametrize(
    ("title", "right", "wrong"),
    [
        ("Which ranking has the higher P@3?", "North.", "South."),
        ("At rank 2, which list has a relevant document?", "south", "north"),
        ("How many relevant documents does south find among the first three?", "one", "two"),
        ("At which rank is the first relevant document of south?", "Rank 2", "Rank 1"),
        ("What is P@3 of south?", "1/3", "2/3"),
        ("Which of these is true?", "North has a higher AP than south.", "South has a higher AP than north."),
        ("Which ranking is better by P@5?", "Neither: both have .6.", "North."),
        ("¿Qué lista tiene mayor P@3?", "North", "South"),
        ("¿Cuántos documentos relevantes hay entre los tres primeros de south?", "Uno", "Dos"),
        ("¿En qué posición está el primer documento relevante de south?", "2", "1"),
        (
            "¿Cuál de estas afirmaciones es cierta?",
            "La posición 1 de north es relevante.",
            "La posición 1 de south es relevante.",
        ),
    ],
)
def test_choices_that_are_understood_are_decided(title: str, right: str, wrong: str) -> None:
    question = f"## Question: {title}\n- [{{}}] {right}\n- [{{}}] {wrong}"
    assert reasons(TWO, question.format("x", " ")) == []
    assert reasons(TWO, question.format(" ", "x")) != []


@pytest.mark.parametrize("title", ["Which of these is false?", "Which would be true if rank 2 were relevant?"])
def test_choices_of_other_questions_are_not_judged(title: str) -> None:
    choices = "- [x] South has a higher AP than north.\n- [ ] North has a higher AP than south."
    assert reasons(TWO, f"## Question: {title}\n{choices}") == []
    assert reasons(TWO, f"## Question: Which of these is true?\n{choices}") != []


def test_a_choice_that_is_so_can_be_none_that_students_forget() -> None:
    question = "## Question: Which of these do students forget?\n- [x] South has a higher AP than north.\n"
    own = reasons(TWO, f"{question}- [ ] North has a higher AP than south.")
    assert not [each for each in own if each.startswith("this is so")]


def test_a_typed_answer_is_compared() -> None:
    question = "## Question: How many of the first three documents of north are relevant?\nanswer: {}"
    assert reasons(TWO, question.format(2)) == []
    assert reasons(TWO, question.format(1)) != []
