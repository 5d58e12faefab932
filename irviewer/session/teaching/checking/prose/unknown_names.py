"""Names in the texts of a lesson that nothing has: documents, queries, ranks below all lists, pictures, other lessons;
and points that its questions do not add up to.

Texts are not understood: what is compared stands behind a word such as "document", in English or Spanish."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.lessons.lesson import Lesson, Place, Question, Step
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.teaching.checking.kept_results import KeptResults, Part
from irviewer.session.teaching.checking.wording.number_words import COUNT_OF
from irviewer.session.teaching.checking.wording.sentences import SUPPOSING, prose_of, sentences_here
from irviewer.session.teaching.points import amount
from irviewer.translation import tr, trn

Said = tuple[str, str, str, Place]
"""What is wrong, the text, what to do, and where."""
_DOCUMENT = re.compile(r"\b[Dd]ocument(?:o)?s?\s+([A-Z])(?![\w@])")
_QUERY = re.compile(
    r"\b(?:quer(?:y|ies)|consultas?)\s+(\d+)(?:\s+(?:and|y|to|a)\s+(\d+)(?!\d|\s+(?:on|for|in|of|en|para|de)\b))?(?!\s*(?:%|\w*ments))",
    re.I,
)
_RUN = re.compile(
    r"\b(?:[Ss]ystem|[Ee]ngine|[Rr]anking|[Rr]un|[Ll]ist|[Ss]istema|[Bb]uscador|[Ll]ista|[Ee]jecución)\s+([A-Z])(?![\w@’'])"
)
_RANK = re.compile(r"\b(?:rank|posición|puesto)\s+(\d+)(?!\.?\d)", re.I)
_AT_CUTOFF = re.compile(r"(?<!\w)([A-Za-z]+)@(\d+)(?!\w)")
_OF_RULE = re.compile(
    r"\b(?:discount(?:ed)?|log2|descuento|factor|worth|vale[n]?|aporta[n]?|contributes?|counts?\s+as|counts?\s+less)\b",
    re.I,
)
"""Words of a sentence about ranks that a list need not have."""
_OF_READERS = re.compile(
    r"\b(?:users?|readers?|searchers?|nobody|people|everyone|page|beyond|even|usuari[oa]s?|lector(?:es)?|nadie|gente|página|incluso)\b",
    re.I,
)
"""Words of a sentence about how far users read."""
_NOT_HERE = re.compile(
    r"\b(?:not\s+(?:in|part)|no\s+longer|removed|added|missing|left\s+out|former|earlier|previous|last\s+\w+|no\s+está|fuera|anterior|"
    r"añadi\w+|quit\w+|retir\w+|falta\w*)\b",
    re.I,
)
"""Words of a sentence about what is not in the files."""
_OTHER_POINTS = re.compile(
    r"\b(?:exam|course|homework|semester|week|grade|examen|curso|tarea|semestre|semana|nota)\b", re.I
)
"""Words of a sentence about other points than those of the questions."""
_PICTURE = re.compile(
    r"\b(?:the\s+(?:picture|drawing|photo)|la\s+(?:imagen|fotografía)|el\s+dibujo)\s+(?:shows|above|below|on|muestra|de\s+arriba|"
    r"de\s+abajo|anterior|siguiente)\b",
    re.I,
)
_AMOUNT = rf"(?<![\w.])(\d+(?:\.\d+)?|{'|'.join(COUNT_OF)})\s+(?:points?|puntos?)"
_TOTAL = re.compile(
    r"\b(?:in\s+total|altogether|en\s+total|this\s+lesson|the\s+(?:\w+\s+)?questions|esta\s+lección|las\s+(?:\w+\s+)?preguntas)"
    rf"\b(?!\s+(?:is|are|es|son)\b)[^.]*?{_AMOUNT}\b(?!\s+each|\s+cada)|"
    rf"{_AMOUNT}\s+(?:in\s+total|altogether|together|en\s+total|juntas)\b",
    re.I,
)
_OF_EACH = re.compile(
    r"\b(?:each|every)\s+(?:question|one)\s+(?:is\s+worth|has|gives|counts)\s+"
    rf"{_AMOUNT}|\bcada\s+pregunta\s+(?:vale|tiene|da|cuenta)\s+{_AMOUNT}",
    re.I,
)
_OWN_POINTS = re.compile(r"\((\d+(?:\.\d+)?)\s+(?:points?|puntos?)\)", re.I)
_LETTERS = re.compile(r"(?<!\w)[A-Z](?:,\s+[A-Z]){0,25},?\s+(?:and|y|e)\s+[A-Z](?!\w)")
_QUOTED = r"“([^”]+)”|\"([^\"]+)\"|«([^»]+)»|`([^`]+)`"
_LESSON = re.compile(
    rf"\b(?:lesson|lección)\s+(?:(?:called|named|llamada|titulada)\s+)?(?:{_QUOTED}|\*([^*]+)\*)",
    re.I,
)
_SEE = re.compile(
    rf"\b(?:see|read|vea|véase|lea)\s+(?:also\s+|también\s+)?(?:{_QUOTED}|\*((?-i:[^\Wa-z\d_]|[¿“])[^*]*)\*)(?!\s+(?:by|de|por)\s+(?-i:[A-Z]))",
    re.I,
)
"""A title that a sentence about another lesson tells to see; a book has an author behind it."""
_OF_LESSONS = re.compile(
    r"\b(?:the|an|another|other|next|previous|later|earlier|la|otra|siguiente|anterior)\s+(?:lessons?|lecci[oó]n(?:es)?)\b",
    re.I,
)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+\.md)(?:#[^)]*)?\)")


def unknown_names(lesson: Lesson, contexts: tuple[EvaluationContext, ...], kept: KeptResults) -> Iterator[Said]:
    """Yield a fault for each name in a text that nothing in the lesson has, and for points that are not those of its
    questions. ``contexts`` are the states of the lesson."""
    known = kept.of(_known, lesson, lesson, contexts)
    for part in (lesson, *lesson.items):
        yield from kept.of(_unknown, lesson, part, *known)
    yield from _points(lesson)


def _unknown(lesson: Lesson, part: Part, known: _Known) -> Iterator[Said]:
    documents, queries, runs, longest = known
    shown = parse_measure(lesson.view.measure, DIALECTS[lesson.rules].names)
    hint = tr("correct the text, or put it between ` and ` where it is about another one")
    for text, at in _texts(part):
        if _PICTURE.search(text) and not lesson.pictures:
            yield tr("the lesson has no picture"), _PICTURE.search(text)[0], tr("add one, or correct the text"), at  # type: ignore[index]
        for sentence in sentences_here(prose_of(text)):
            if SUPPOSING.search(sentence):
                continue
            is_gone = _NOT_HERE.search(sentence) is not None
            for name in () if is_gone else _DOCUMENT.findall(sentence):
                if documents and name not in documents | runs:
                    yield tr("there is no document {name}", name=name), name, hint, at
            for name in _RUN.findall(sentence):
                if any(len(run) == 1 for run in runs) and name not in runs | documents:
                    yield tr("there is no ranking {name}", name=name), name, hint, at
            queries_named = () if is_gone else _QUERY.findall(sentence)
            for name in (each for names in queries_named for each in names if each):
                if queries and all(query.isdigit() for query in queries) and name not in queries:
                    yield tr("there is no query {name}", name=name), name, hint, at
            is_general = _OF_RULE.search(sentence) or _OF_READERS.search(sentence)
            for rank in () if is_general else _RANK.findall(sentence):
                if longest and int(rank) > longest:
                    reason = trn("the longest list has {n} rank", "the longest list has {n} ranks", longest)
                    yield reason, tr("rank {rank}", rank=rank), hint, at
            for name, cutoff in _AT_CUTOFF.findall(sentence):
                if name == shown.name and shown.cutoff and shown.cutoff <= longest < int(cutoff):
                    reason = trn("the longest list has {n} rank", "the longest list has {n} ranks", longest)
                    yield reason, f"{name}@{cutoff}", hint, at
            for match in _LETTERS.finditer(sentence):
                letters = re.findall(r"\b[A-Z]\b", match[0])
                if len({*letters}) < len(letters):
                    yield tr("a name is there twice"), match[0], tr("correct the text"), at


def _points(lesson: Lesson) -> Iterator[Said]:
    questions = [item for item in lesson.items if isinstance(item, Question)]
    total = sum(question.points for question in questions)
    for text, at in _all_texts(lesson):
        sentences = (each for each in sentences_here(prose_of(text)) if not _OTHER_POINTS.search(each))
        for match in (match for each in sentences for match in _TOTAL.finditer(each)):
            number = (match[1] or match[2]).lower()
            said = float(COUNT_OF.get(number, number))
            if questions and said != total:
                reason = tr("the questions of the lesson are worth {n} points", n=amount(total))
                yield reason, match[0], tr("correct the text, or points:"), at
        for match in (match for each in sentences_here(prose_of(text)) for match in _OF_EACH.finditer(each)):
            said = float(COUNT_OF.get(number := (match[1] or match[2]).lower(), number))
            other = next((question for question in questions if question.points != said), None)
            if other is not None and not _OTHER_POINTS.search(match.string):
                reason = tr("the question in line {line} has points: {n}", line=other.at.line, n=amount(other.points))
                yield reason, match[0], tr("correct the text, or points:"), at
    for question in questions:
        for number in _OWN_POINTS.findall(f"{question.title}\n{question.text}"):
            if float(number) != question.points:
                yield (tr("the question is worth {n} points", n=amount(question.points)), f"({number})",
                       tr("correct the text, or points:"), question.at)  # fmt: skip


def unknown_lessons(lesson: Lesson, known: Collection[str]) -> Iterator[Said]:
    """Yield a fault for each other lesson that a text names, by title, id or file, and that is not among the known."""
    names = {name.casefold() for name in known}
    for text, at in _all_texts(lesson):
        seen = [
            match
            for each in re.split(r"(?<=[.?!])\s+", text)
            if _OF_LESSONS.search(each)
            for match in _SEE.findall(each)
        ]
        said = [next(filter(None, match)) for match in dict.fromkeys([*_LESSON.findall(text), *seen])]
        said += _LINK.findall(text)
        for name in said:
            if name.strip().rstrip(".,").casefold() not in names:
                yield tr("there is no lesson {name}", name=repr(name)), name, tr("write its title, id or file"), at


def _all_texts(lesson: Lesson) -> list[tuple[str, Place]]:
    return [each for part in (lesson, *lesson.items) for each in _texts(part)]


def _texts(part: Part) -> Iterator[tuple[str, Place]]:
    """Yield the texts of a part that state something, with their places."""
    yield part.text, Place() if isinstance(part, Lesson) else part.at
    if isinstance(part, Step):
        yield part.title, part.at
    if isinstance(part, Question):
        for text in (part.because, part.hint, *(each.reason for each in part.choices)):
            yield text, part.at
        yield from ((each.reason, each.at) for each in part.wrong)


_Known = tuple[frozenset[str], frozenset[str], frozenset[str], int]


def _known(_: Lesson, __: Part, contexts: Sequence[EvaluationContext]) -> Iterator[_Known]:
    """Yield the documents, queries and rankings of the states, and the length of the longest list."""
    documents: set[str] = set()
    queries: set[str] = set()
    runs: set[str] = set()
    longest = 0
    for context in contexts:
        queries |= {*context.query_ids}
        for query in context.query_ids:
            if context.judgments is not None:
                documents |= {*context.judgments.qrels.judgments(query)}
            for entry in context.collection.runs:
                if query in entry.run.query_ids:
                    documents |= {*entry.run.ranking(query)}
        for entry in context.collection.runs:
            runs.add(entry.name)
            longest = max(longest, int(np.diff(entry.run.offsets).max(initial=0)))
    yield frozenset(documents), frozenset(queries), frozenset(runs), longest
