"""What the texts of a lesson say of ranks, documents and counts, against its rankings: "the fifth relevant document is
at rank 15", "two of the first three documents are relevant", "A, C and D are judged".

Texts are not understood. A sentence of such a form, in English or Spanish, is false only where no ranking in view,
before or after a step, is as it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from irviewer.model.dialects import DIALECTS
from irviewer.model.lessons.lesson import Lesson
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.teaching.answers import is_value
from irviewer.session.teaching.checking.lesson_rankings import Rankings, means_of, values_stated
from irviewer.session.teaching.checking.prose.sentence_forms import compiled, false_forms
from irviewer.session.teaching.checking.wording.named_measures import measure_in
from irviewer.session.teaching.checking.wording.number_words import (
    A_COUNT,
    AN_ORDER,
    ARTICLES,
    ORDER_OF,
    count_of,
    numbers_in,
)
from irviewer.session.teaching.checking.wording.sentences import sentences_here

_OF = r"(?:of|de)\s+(?:(?:the|its|their|los|las|sus)\s+)?"
_LETTERS = r"(?<!\w)([A-Z](?:(?:,\s+|,?\s+(?:and|y|e)\s+)[A-Z]){0,25})"
_DOCUMENTS = r"(?:documentos?|documents?)"


def _nth_at(match: re.Match[str], seen: Rankings) -> bool:
    nth, rank = ORDER_OF[match[1].lower()], int(match[2])
    return any(each.n >= rank and each.is_relevant[rank - 1] and each.hits[rank - 1] == nth for each in seen.lists)


def _document_at(match: re.Match[str], seen: Rankings) -> bool:
    document, rank = match[1], int(match[2])
    known = document not in seen.names() and any(document in each.documents for each in seen.lists)
    place = _IN_NTH.match(match.string, match.end())
    nth = ORDER_OF[place[1].lower()] if place else 0
    runs = list(dict.fromkeys(run for run, _, _ in seen.by_query))
    lists = [each for run, _, each in seen.by_query if not 0 < nth <= len(runs) or run == runs[nth - 1]]
    return not known or any(each.documents[rank - 1 : rank] == (document,) for each in lists)


_IN_NTH = re.compile(
    rf"\s+(?:of\s+the|del|de\s+la)\s+{AN_ORDER}a?\s+(?:system|engine|ranking|list|sistema|buscador|lista)\b", re.I
)


def _relevant_of(match: re.Match[str], seen: Rankings) -> bool:
    n, of, none = count_of(match[1]), count_of(match[2]), match.groupdict().get("not")
    lists = [each for each in seen.counted if each.n >= of]  # none: other lists are meant
    if not none:
        return not lists or any(each.hits[of - 1] == n for each in lists)
    judged = (np.count_nonzero(each.grades[:of] < each.level) for each in lists)  # an unjudged one may count, or not
    return not lists or any(each.hits[of - 1] == of - n for each in lists) or any(int(count) == n for count in judged)


def _found_of(match: re.Match[str], seen: Rankings) -> bool:
    n, of = count_of(match[1]), count_of(match[2])
    lists = [each for each in seen.lists if each.relevant == of]  # none: another query is meant
    if FURTHER_UP.search(match.string):
        return not lists or any(n in each.hits for each in lists)
    return not lists or any(each.hits[-1] == n for each in lists)


def _answered_queries(match: re.Match[str], seen: Rankings) -> bool:
    queries = {query for context in seen.contexts for query in context.query_ids}
    return len(queries) < 2 or count_of(match[1]) == len(queries)


def _ranks_are(match: re.Match[str], seen: Rankings) -> bool:
    ranks = numbers_in(match["ranks"])
    wanted = match["relevant"] is not None and match["not"] is None
    lists = [each for each in seen.lists if each.n >= max(ranks)]
    if match["relevant"] is None:  # a gain may be that of a grade below the level
        return not lists or any(all(float(each.grades[rank - 1]) <= 0 for rank in ranks) for each in lists)
    return not lists or any(all(bool(each.is_relevant[rank - 1]) == wanted for rank in ranks) for each in lists)


def _listed_ranks(match: re.Match[str], seen: Rankings) -> bool:
    ranks = numbers_in(match["ranks"])
    if ranks != sorted({*ranks}) or not any(each.n >= ranks[-1] for each in seen.lists):
        return True
    return any(list(np.flatnonzero(each.is_relevant) + 1)[: len(ranks)] == ranks for each in seen.lists)


FURTHER_UP = re.compile(
    r"\b(?:ranks?|first|top|depth|page|reads?|reading|posici[oó]n(?:es)?|puestos?|primer\w*|hasta|página|lee\w*)\b",
    re.I,
)
"""Words of a sentence about what is found above some rank."""


def _precision_at(match: re.Match[str], seen: Rankings) -> bool:
    n, of, rank = int(match[1]), int(match[2]), int(match[3])
    shares = ((each.precision[rank - 1], each.recall[rank - 1]) for each in seen.lists if each.n >= rank > 0)
    return any(abs(share - n / max(1, of)) < 1e-9 for both in shares for share in both)  # also reduced: 2/4 is 1/2


def _never_judged(match: re.Match[str], seen: Rankings) -> bool:
    documents = re.findall("[A-Z]", match[1])
    known = {document for each in seen.lists for document in each.documents}
    return not known.issuperset(documents) or any(not grades.keys() & set(documents) for grades, _ in seen.grades)


def _relevant_of_query(match: re.Match[str], seen: Rankings) -> bool:
    own = [each for _, query, each in seen.by_query if query == match[1]]
    return not own or any(each.relevant == count_of(match[2]) for each in own)


def _missed(match: re.Match[str], seen: Rankings) -> bool:
    n = count_of(match[match.lastindex or 1])
    is_total = n in seen.totals and not re.search(r"\b(?:the|la)\s+list", match.string, re.I)
    return is_total or any(each.relevant - each.hits[-1] == n for each in seen.lists)


_NAME = r"(?-i:[A-Z][\w-]*)"
_NONE_OF = re.compile(
    r"(?:\bneither\s+(?:(?:of|document)\s+)?|\bnone\s+of\s+|\bni\s+(?:el\s+)?|\bning[uú]n[oa]?\s+de\s+(?:entre\s+)?)"
    rf"(?:the\s+)?(?:documents?\s+)?(?P<first>{_NAME}(?:,\s+(?:(?:nor|ni)\s+)?{_NAME})*),?\s+(?:nor|ni|or|o)\s+$|"
    r"\b(?:neither\s+of|none\s+of|ning[uú]n[oa]?\s+de)\s+(?:the\s+)?(?:documents?\s+)?$",
    re.I,
)
"""What is before the last of some documents of which a sentence says that none is so: "neither F nor", "none of"."""
_SOME_OF = re.compile(
    r"(?:\b(?:or|o|nor|ni|one\s+of|any\s+of|some\s+of|least|only\s+some\s+of|not\s+(?:all|both)(?:\s+of)?|"
    r"un[oa]\s+de|alguno\s+de)\s+|[^\W\d_]['’]s\s+)$",
    re.I,
)
"""What is before documents of which a sentence does not say that each is so."""


def _none_before(before: str) -> list[str] | None:
    """Return the first of the documents of which a sentence says that none is so, from what is before the last of
    them; None if it says nothing of the kind."""
    match = _NONE_OF.search(before)
    return None if match is None else re.findall(r"[A-Z][\w-]*", match["first"] or "")


def _is_of_some(before: str) -> bool:
    """Return whether a sentence does not say of each of the documents that follow that it is so: "A or B"."""
    return _SOME_OF.search(before) is not None


def _with_grades(match: re.Match[str], seen: Rankings) -> bool:
    documents, is_judged = re.findall("[A-Z]", match[1]), match["what"].startswith(("judged", "juzgad"))
    is_not, before = bool(match["not"]), match.string[: match.start()]
    none = _none_before(before)
    if none is not None:
        documents, is_not = [*none, *documents], True
    elif _is_of_some(before):
        return True
    known = {document for grades, _ in seen.grades for document in grades}
    known |= {document for each in seen.lists for document in each.documents}
    if not known.issuperset(documents) or seen.names() & set(documents) or (is_judged and is_not):
        return True  # not judged may be said of a pool
    for grades, level in seen.grades:
        holds = [d in grades if is_judged else (grades.get(d, -1.0) >= level) != is_not for d in documents]
        if all(holds):
            return True
    return False


def _divides(match: re.Match[str], seen: Rankings) -> bool:
    return match[1] == match[2]


def _share(match: re.Match[str], seen: Rankings) -> bool:
    is_recall = match[1].lower() in ("recall", "exhaustividad")
    parts = [(int(match[2]), int(match[3]))] + ([(int(match[4]), int(match[5]))] if match[4] else [])
    known: float | None = None
    for n, of in parts:
        # With another denominator another list or query is meant.
        lists = [each for each in seen.lists if (each.relevant == of if is_recall else 0 < of <= each.n)]
        values = [each.recall if is_recall else each.precision for each in lists]
        if values and not any(np.any(np.abs(each - n / of) < 1e-9) for each in values):
            return False
        if not values and known is not None:  # "from 2/4 to 3/5": the first is of a list here
            return False
        known = n / of if values else known
    return True


def _possible(match: re.Match[str], seen: Rankings) -> bool:
    return int(match[1]) <= int(match[2])


def _recall_at(match: re.Match[str], seen: Rankings) -> bool:
    recall, rank = float(match[1]), int(match[2])
    return any(
        each.n >= rank and abs(each.recall[rank - 1] - recall) < 0.0051 and each.is_relevant[rank - 1]
        for each in seen.lists
    )


def _discount(match: re.Match[str], seen: Rankings) -> bool:
    rank = int(match["rank"] or 0)
    factors = (each.rule.share(np.array([rank])) if rank else each.discount for each in seen.lists)
    return any(is_value(match["value"], each) for each in factors)


def _precision_is(match: re.Match[str], seen: Rankings) -> bool:
    if re.search(r"\b(?:mean|media|interpolat\w*|interpolad\w*|at\s+recall|con\s+exhaustividad)\b", match.string, re.I):
        return True  # that is no precision at a rank
    if re.match(r"(?:an?\s+|una\s+)?\w+\s+(?:of|de)\b", match.string, re.I) and match.start() < len("una "):
        return True  # "Recall of .9 is rare" is about any
    is_recall = match["what"].lower()[0] in "re"
    columns = [each.recall if is_recall else each.precision for each in seen.lists]
    return not columns or any(is_value(match["value"], each) for each in columns)


def _ranks_of_relevant(match: re.Match[str], seen: Rankings) -> bool:
    ranks = numbers_in(match[1])
    return any(list(np.flatnonzero(each.is_relevant) + 1)[: len(ranks)] == ranks for each in seen.lists)


_ANY_DOCUMENT = re.compile(
    r"\b(?:an?|one|any|each|every|the\s+same|un[oa]?|cualquier|cada)\s+(?:(?:relevant\s+)?document|result|one|documento(?:\s+relevante)?|resultado)?"
    r"\s*(?:of|with|that\s+has|de|con|que\s+tiene)\s+(?:an?\s+|el\s+|un\s+)?$",
    re.I,
)
"""What is before the grade of any document, of which a sentence tells what it is worth."""
_IS_WORTH = re.compile(
    r"\b(?:worth|counts?|contributes?|adds?|gains?|brings?|equals?|discount\w*|vale[n]?|cuentan?|aportan?|suman?|añaden?|ganancia|equivalen?|descuent\w*)\b",
    re.I,
)


def _grade_at(match: re.Match[str], seen: Rankings) -> bool:
    is_any = _IS_WORTH.search(match.string) and _ANY_DOCUMENT.search(match.string[: match.start()])
    if is_any and not re.search(r"\b(?:is|está|\()", match[0]):
        return True
    rank, grade = int(match["rank"]), float(match["grade"])
    return any(each.n >= rank and each.grades[rank - 1] == grade for each in seen.lists)


def _among_first(match: re.Match[str], seen: Rankings) -> bool:
    n, first = count_of(match[1]), count_of(match[2])
    lists = [each for each in seen.lists if each.n >= first]
    is_article = match[1].lower() in ARTICLES
    return not lists or any(each.hits[first - 1] == n or (is_article and each.hits[first - 1] > n) for each in lists)


def _lists(match: re.Match[str], seen: Rankings) -> bool:
    runs = [entry for context in seen.contexts for entry in context.collection.runs if entry.edited is None]
    names = {entry.name for entry in runs}
    queries = {query for context in seen.contexts for query in context.query_ids}
    return count_of(match[1]) in (len(names), len(names) * len(queries))


def _queries(match: re.Match[str], seen: Rankings) -> bool:
    queries = {query for context in seen.contexts for query in context.query_ids}
    return len(queries) == 1 or count_of(match[1]) > count_of(match[2]) or count_of(match[2]) == len(queries)


def of_grade(match: re.Match[str], seen: Rankings) -> bool:
    """Return whether some query has as many documents, group 1, of a grade, group 2."""
    n, grade = count_of(match[1]), float(match[2])
    counts = [sum(1 for each in grades.values() if each == grade) for grades, _ in seen.grades]
    counts += [int(np.sum(each.grades == grade)) for each in seen.lists]
    if match[1].lower() in ARTICLES:
        return not grade or any(counts)
    return not grade or n in counts  # those that are not relevant may be anywhere


def _of_grades_in_list(match: re.Match[str], seen: Rankings) -> bool:
    n, of, grade = count_of(match[1]), count_of(match[2]), float(match["grade"])
    lists = [each for each in seen.lists if each.n == of]
    if match["more"]:
        return not lists or any(int(np.sum(each.grades >= grade)) == n for each in lists)
    wanted = [grade, float(match["other"] or grade)]
    return not lists or any(int(np.sum(np.isin(each.grades, wanted))) == n for each in lists)


def _second_query(match: re.Match[str], seen: Rankings) -> bool:
    own = [each for _, query, each in seen.by_query if query == match[2]]
    return not own or any(each.relevant == count_of(match[3]) for each in own)


_NOT_COMPUTED: dict[Callable[[re.Match[str], Rankings], bool], tuple[int, ...]] = {
    _nth_at: (1,),
    _queries: (1,),
    _possible: (1, 2),
}
_NO_OTHER = r"(?<!biased\s)(?<!weighted\s)(?<!interpolated\s)(?<!expected\s)(?<!graded\s)(?<!R-)"
"""What is not before precision: that would be another measure, such as rank-biased precision."""
_RELEVANT = r"(?:are|is|son|es)\s+relevant(?:es?)?\b"
_MAYBE_NOT = r"(?:(?P<not>are\s+not|is\s+not|no\s+son|no\s+es)|are|is|son|es)\s+relevant(?:es?)?\b(?!\s+(?:nor|ni)\b)"
_FORMS: tuple[tuple[str, Callable[[re.Match[str], Rankings], bool]], ...] = (
    (rf"\b{AN_ORDER}\s+(?:relevant\s+document|documento\s+relevante)\s+(?:is|está)\s+(?:at\s+rank|en\s+la\s+posición)\s+(\d+)",
     _nth_at),
    (r"(?<!\w)(?-i:([A-Z]))\s+(?:is|está)\s+(?:at\s+rank|en\s+la\s+posición)\s+(\d+)", _document_at),
    (rf"\b{A_COUNT}\s+{_OF}(?:(?:first|primer[oa]s)\s+)?{A_COUNT}\s+(?:primer[oa]s\s+)?{_DOCUMENTS}\s+"
     rf"(?:(?:read|leídos)\s+)?{_MAYBE_NOT}", _relevant_of),
    (rf"\bson\s+relevantes\s+{A_COUNT}\s+{_OF}{A_COUNT}\s+(?:primer[oa]s\s+)?{_DOCUMENTS}", _relevant_of),
    (rf"\b(?:query|consulta)\s+(\w+)\s+(?:has|tiene)\s+{A_COUNT}\s+(?:relevant\s+documents?|documentos?\s+relevantes?)\b",
     _relevant_of_query),
    (rf"(?-i:{_LETTERS})\s+(?:is|are|son|es|está|están)\s+(?P<not>not\s+)?(?P<what>relevant(?:es?)?|judged|juzgad[oa]s?)\b",
     _with_grades),
    (rf"\b{A_COUNT}\s+are\s+missing(?=\s*[.,;:)]|\s+and\b|$)|\bfaltan\s+{A_COUNT}(?=\s*[.,;:)]|\s+(?:y|documentos(?!\s+no))\b|$)",
     _missed),
    (rf"{_NO_OTHER}\b(?P<what>precision|recall|precisión|exhaustividad)\s+(?:(?:is|of|es|de|=|goes\s+from|va\s+de)\s+)?(?P<value>\d?\.\d+)"
     r"(?![\w/%]|\s*[/%×·*])", _precision_is),
    (r"\b(?:(?:relevant\s+documents|documentos\s+relevantes)\s+(?:are|están)?|(?:are|son)\s+relevant(?:es)?,)\s*(?:at\s+ranks|en\s+las\s+posiciones)\s+"
     r"(\d+(?:(?:,\s+|,?\s+(?:and|y)\s+)\d+)+)", _ranks_of_relevant),
    (r"\b(?:rank|posición)\s+(?P<rank>\d+)\s+\((?:grade|grado)\s+(?P<grade>\d+)\)", _grade_at),
    (r"\b(?:grade|grado)\s+(?P<grade>\d+)\s+(?:is\s+|está\s+)?(?:at\s+rank|en\s+la\s+posición)\s+(?P<rank>\d+)",
     _grade_at),
    (rf"\b{A_COUNT}\s+(?:relevant\s+documents?\s+among\s+(?:the|its)\s+first|documentos?\s+relevantes?\s+entre\s+(?:los|sus))"
     rf"\s+{A_COUNT}\b", _among_first),
    (rf"\b{A_COUNT}\s+(?:systems?|engines?|rankings?|lists?|runs?|sistemas|buscadores|listas|salidas)\s+(?:answer|search|responden|contestan|buscan)\b",
     _lists),
    (rf"(?<!\w){A_COUNT}\s+(?:of|de)\s+(?:the\s+|las\s+)?{A_COUNT}\s+(?:queries|consultas)\b", _queries),
    (rf"(?<!of\s)(?<!the\s)(?<!de\s)(?<!los\s)\b{A_COUNT}\s+{_DOCUMENTS}\s+(?:of|with|have|has|de|con|tienen?)\s+(?:a\s+)?"
     r"(?:grade|grado)\s+(\d+)\b(?!\s+(?:or|o|and|y)\b)", of_grade),
    (rf"\b{A_COUNT}\s+{_OF}{A_COUNT}\s+{_DOCUMENTS}\s+(?:have|has|are\s+of|tienen?|son\s+de)\s+(?:a\s+|el\s+)?(?:grades?|grados?)\s+"
     r"(?P<grade>\d+)(?:\s+(?:or|o)\s+(?:(?P<other>\d+)|(?P<more>higher|more|above|más|superior|mayor)))?(?![\w/%]|\.\d)",
     _of_grades_in_list),
    (rf"\b(?:query|consulta)\s+\d+\s+(?:has|tiene)\s+{A_COUNT}\s+(?:relevant|documentos\s+relevantes)\b[^.;]*?,\s+(?:and\s+|y\s+)?"
     rf"(?:query|consulta|la\s+consulta|la)\s+(\d+),?\s+{A_COUNT}(?=[.;,]|$)", _second_query),
    (rf"(?-i:{_LETTERS})\s+(?:were\s+never\s+judged|no\s+se\s+han\s+juzgado)", _never_judged),
    (rf"\b(?:finds|found|retrieves|encuentra|encontró|recupera)\s+{A_COUNT}\s+{_OF}{A_COUNT}\b", _found_of),
    (rf"\b(?:systems?|engines?|rankings?|runs?|sistemas?|buscador(?:es)?|ejecución(?:es)?)\s+(?:answers?|search(?:es)?|responden?|contestan?)\s+"
     rf"(?:to\s+|a\s+)?(?:the\s+|las\s+)?{A_COUNT}\s+(?:queries|consultas)\b", _answered_queries),
    (rf"\b{A_COUNT}\s+missed\s+(?:ones|documents|relevant\s+documents)\b|\b(?:los|las)\s+{A_COUNT}\s+(?:que\s+faltan|no\s+recuperad[oa]s)\b",
     _missed),
    (r"\b(?:ranks|(?:posiciones|puestos))\s+(?P<ranks>\d+(?:,\s+\d+)*,?\s+(?:and|y)\s+\d+)\s+"
     r"(?:(?:are|son)\s+(?P<not>not\s+)?(?P<relevant>relevant(?:es)?)\b|(?:add|have|no\s+(?:añaden|suman))\s+(?:no\s+gain|nothing|ganancia|nada)\b)",
     _ranks_are),
    (r"\b(?:documents|documentos)(?:\s+(?:at|of|on|de)\s+(?:the\s+)?ranks)?:\s+(?P<ranks>\d+(?:,\s+\d+){3,})(?!\s*(?:…|\.\.|\d))",
     _listed_ranks),
    (r"\b(?:documents|documentos)(?:\s+(?:at|of|on|de)\s+(?:the\s+)?ranks)?:\s+\d+(?:,\s+\d+){3,}\s+(?:against|frente\s+a|contra)\s+"
     r"(?P<ranks>\d+(?:,\s+\d+){3,})(?!\s*(?:…|\.\.|\d))", _listed_ranks),
    (r"(?<![\w./])(\d+)/(\d+)\s+(?:at\s+rank|en\s+la\s+posición)\s+(\d+)", _precision_at),
    (r"(?<!\w)P@(\d+)\s+(?:divides\s+by|divide\s+(?:por|entre))\s+(\d+)", _divides),
    (rf"{_NO_OTHER}\b(precision|recall|precisión|exhaustividad)\s+(?:(?:is|goes|es|va|from|de|of)\s+){{0,2}}(\d+)/(\d+)"
     r"(?:\s+(?:to|a)\s+(\d+)/(\d+))?(?![/\d])", _share),
    (r"(?:recall|exhaustividad)\s+(?:of\s+|de\s+)?(\d*\.\d+)\s+(?:is\s+reached|se\s+alcanza)\s+"
     r"(?:at\s+rank|en\s+la\s+posición)\s+(\d+)", _recall_at),
    (r"(?:(?:at\s+rank|en\s+la\s+posición)\s+(?P<rank>\d+),?\s+)?(?:the|el|by\s+the|por\s+el)\s+"
     r"(?:discount|factor(?:\s+de\s+descuento)?|descuento)\s+(?:(?:is|es)\s+)?(?P<value>\d?\.\d+)(?![\w/%])",
     _discount),
    (rf"(?<![\w.,])(?<!top )(?<!first )(?<!depth )(?<!primeros )"
     rf"(\d+)\s+{_OF}(\d+)\s+(?:queries|consultas|documents|documentos)\b", _possible),
)  # fmt: skip
_CHECKS = compiled(_FORMS)


def false_facts(text: str, seen: Rankings) -> Iterator[tuple[str, str]]:
    """Yield what a text says of ranks, documents and counts and what no ranking is like, and as it would be true."""
    yield from false_forms(text, seen, _CHECKS, _NOT_COMPUTED)


_OF_QUERY = re.compile(r"\b(?:query|consulta)\s+\w", re.I)
_ORDER = re.compile(r"\b(?:order|orden)\b[^.:;]*?\s(?:is|es)\s+([^.:;]+)")


def false_orders(lesson: Lesson, text: str, contexts: Sequence[EvaluationContext]) -> Iterator[tuple[str, str]]:
    """Yield the orders of rankings that a sentence states by a measure and that their values do not have, and the
    values."""
    for sentence in sentences_here(text):
        match = _ORDER.search(sentence)
        measure = measure_in(sentence[: match.start()], DIALECTS[lesson.rules].names) if match else ""
        if match is None or not measure or not contexts or _OF_QUERY.search(sentence):
            continue
        values = means_of(measure, contexts[-1], lesson)
        names = [name.strip() for name in match[1].split(",")]
        known = [values[name] for name in names if name in values]
        if len(known) == len(names) > 1 and any(np.diff(known) > 1e-9):
            yield match[1].strip(), values_stated(measure, {name: values[name] for name in names})
