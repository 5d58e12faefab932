"""What the texts of a lesson say of several rankings, queries and documents, against its files: "B finds seven", "the
false positives: B, D and E", "better on six of ten queries", "two for the second query", "D3 is at rank 2"; and tables
of grades.

Texts are not understood. A sentence of such a form, in English or Spanish, is false only where no ranking in view,
before or after a step, is as it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from irviewer.session.evaluation.zscores import plain
from irviewer.session.teaching.checking.lesson_rankings import Rankings, either_case
from irviewer.session.teaching.checking.prose.facts import FURTHER_UP, of_grade
from irviewer.session.teaching.checking.prose.sentence_forms import compiled, false_forms
from irviewer.session.teaching.checking.wording.number_words import (
    A_COUNT,
    AN_ORDER,
    AN_ORDINAL,
    ORDER_OF,
    count_of,
    order_of,
)
from irviewer.session.teaching.checking.wording.sentences import claims_here

_NAME = r"(?:[A-Za-z][\w-]*\d[\w-]*|[A-Z])"
"""A document: D3, doc-17, or a letter."""
_NAMES = rf"(?<![\w@-]){_NAME}(?![\w@-])(?:(?:,\s+|,?\s+(?:and|y|e)\s+){_NAME}(?![\w@-])){{0,50}}"
_AT = r"(?:at\s+rank|en\s+la\s+posición)"
_QUERIES = r"(?:queries|consultas)\b"


def _names(text: str) -> list[str]:
    return re.findall(rf"(?<![\w@-]){_NAME}(?![\w@-])", text)


def _relevant_documents(match: re.Match[str], seen: Rankings) -> bool:
    n = count_of(match[1])
    return n in seen.totals or any(n in (each.relevant, each.hits[-1]) for each in seen.lists)


_BY_RANK = re.compile(r"\b(?:by|at|down\s+to|up\s+to|hasta|en)\s+(?:la\s+)?(?:rank|posición)\s+(\d+),?\s+$", re.I)
"""The rank down to which the ranking that is named next is said to find documents."""


def _finds(match: re.Match[str], seen: Rankings) -> bool:
    named = seen.called(match["run"])
    own = [each for run, _, each in seen.by_query if run == named]
    n = count_of(match[2])
    if re.search(r"\b(?:level|nivel|grades?|grados?)\b", match.string, re.I) or re.search(
        r"\bthere\b.*\b(?:has|tiene)\b", match.string[: match.end()], re.I
    ):
        return True  # maybe by another level
    if (down_to := _BY_RANK.search(match.string[: match.start()])) is not None:
        own = [each for each in own if each.n >= int(down_to[1])]
        return not own or any(each.hits[int(down_to[1]) - 1] == n for each in own)
    for context in seen.contexts:  # of several queries it may be what all have together
        if n == sum(int(each.hits[-1]) for run, _, each in Rankings([context]).by_query if named and run == named):
            return True
    clause = match.string[: match.end()] + re.split("[:;]", match.string[match.end() :])[0]
    return not own or any(n == each.hits[-1] or (n in each.hits and FURTHER_UP.search(clause)) for each in own)


def _kind_of(match: re.Match[str], seen: Rankings) -> bool:
    """Whether the documents of a kind are those of some list down to some rank."""
    named, is_true = {*_names(match["names"])}, match["kind"].lower().startswith(("true", "verdader"))
    if not _are_documents(named, seen):
        return True
    for each in seen.lists:
        hits = np.asarray(each.is_relevant, dtype=bool)
        for rank in range(1, each.n + 1):
            if {each.documents[place] for place in np.flatnonzero(hits[:rank] == is_true)} == named:
                return True
    return False


def _listed_as_relevant(match: re.Match[str], seen: Rankings) -> bool:
    named = {*_names(match["names"])}
    if not _are_documents(named, seen) or re.search(r"\b(?:not|non|no|neither|nor|ni)\b", match.string, re.I):
        return True
    return any(all(grades.get(name, -1.0) >= level for name in named) for grades, level in seen.grades)


def _are_documents(named: set[str], seen: Rankings) -> bool:
    known = {document for grades, _ in seen.grades for document in grades}
    known |= {document for each in seen.lists for document in each.documents}
    return known.issuperset(named) and not seen.names() & named


def _at_rank(match: re.Match[str], seen: Rankings) -> bool:
    rank, document = int(match[2]), match[1]
    if not _are_documents({document}, seen):
        return True
    is_now = re.search(r"\b(?:now|ahora)\b", match.string, re.I) is not None
    lists = seen.counted if is_now else seen.lists
    return any(each.documents[rank - 1 : rank] == (document,) for each in lists)


def _begins_with(match: re.Match[str], seen: Rankings) -> bool:
    subject = match.string[: match.start()].rstrip()
    own = [each for run, _, each in seen.by_query if re.search(rf"(?<!\w){either_case(run)}$", subject)] or seen.lists
    return not _are_documents({match[1]}, seen) or any(each.documents[:1] == (match[1],) for each in own)


def _returns(match: re.Match[str], seen: Rankings) -> bool:
    return not seen.lists or any(each.n == count_of(match[1]) for each in seen.lists)


def _agree(match: re.Match[str], seen: Rankings) -> bool:
    """Whether two queries, which stand for two judges, have the same for the documents named, or another one."""
    named = {*_names(match["names"])}
    if len(seen.grades) < 2 or not _are_documents(named, seen):
        return True
    is_same = match["how"].lower() in ("agree", "coinciden")
    return any(
        all(((grades.get(name, -1.0) >= level) == (other.get(name, -1.0) >= level)) == is_same for name in named)
        for (grades, level), (other, _) in combinations(seen.grades, 2)
        if grades.keys() & other.keys()
    )


def _over_queries(match: re.Match[str], seen: Rankings) -> bool:
    numbers = {context.n_queries for context in seen.contexts}
    is_diagnosis = re.match(r"(?:this|that|est[aeo]|es[aeo]?)\b", match.string, re.I) is not None
    return is_diagnosis or numbers == {1} or count_of(match[1]) in numbers


def _better_on(match: re.Match[str], seen: Rankings) -> bool:
    n, of = count_of(match["n"]), count_of(match["of"])
    for context in seen.contexts:
        runs = {entry.name: entry for entry in context.collection.runs}
        named = [seen.called(match[name]) for name in ("first", "second")]
        if not {*named} <= runs.keys() or of != context.n_queries:
            return True
        first, second = (plain(context).values(runs[name], context.measure) for name in named)
        is_better = match["word"].lower() in ("better", "mejor")
        if int(np.sum((first - second if is_better else second - first) > 1e-9)) == n:
            return True
    return not seen.contexts


def _for_nth_query(match: re.Match[str], seen: Rankings) -> bool:
    if not re.search(r"\brelevant", match.string, re.I) or not re.search(r"\b(?:query|consulta)\b", match.string, re.I):
        return True
    n, place = count_of(match[1]), ORDER_OF[match[2].lower()] - 1
    queries = list(dict.fromkeys(query for context in seen.contexts for query in context.query_ids))
    own = [each for _, query, each in seen.by_query if place < len(queries) and query == queries[place]]
    return not own or any(n in (each.relevant, each.hits[-1]) for each in own)


def _that_by(match: re.Match[str], seen: Rankings) -> bool:
    n = count_of(match["n"])
    named = seen.called(match["run"])
    own = [each for run, _, each in seen.by_query if run == named]
    return not own or any(n in each.hits for each in own)


def _both_call(match: re.Match[str], seen: Rankings) -> bool:
    """Whether two lists, which stand for two judges of the same documents, are alike at so many ranks."""
    n, is_not = count_of(match["n"]), match["not"] is not None
    for context in seen.contexts:
        for query in context.query_ids:
            lists = [each for _, its, each in Rankings([context]).by_query if its == query]
            for first, second in combinations(lists, 2):
                if first.n != second.n:
                    return True
                hits, others = first.is_relevant > 0, second.is_relevant > 0
                if int(np.sum((hits == others) & (hits != is_not))) == n:
                    return True
    return len(seen.lists) < 2 or len(seen.grades) > len(seen.contexts)


def _for_some_nth(match: re.Match[str], seen: Rankings) -> bool:
    """Whether as many queries as are said have their first relevant document at a rank."""
    n, rank = count_of(match["n"]), order_of(match["nth"])
    for context in seen.contexts:
        lists = Rankings([context]).lists
        if len(context.collection.runs) > 1 or len(lists) < 2 or n > len(lists) or context.measure.name != "RR":
            return True
        if sum(each.hits[-1] > 0 and int(np.argmax(each.is_relevant)) + 1 == rank for each in lists) == n:
            return True
    return not seen.contexts


_VERBS = r"(?:finds|found|retrieves|retrieved|encuentra|encontró|recupera|recuperó)"
_FORMS: tuple[tuple[str, Callable[[re.Match[str], Rankings], bool]], ...] = (
    (rf"\bof\s+(?:the|its)\s+{A_COUNT}\s+relevant\s+documents\b", _relevant_documents),
    (rf"\b(?:finds|encuentra)\b[^.;]*?,\s+(?:(?:and|y)\s+)?(?:that|the\s+one|el|la)\s+(?:by|of|with|for|de|por|con)\s+(?P<run>[\w-]+)\s+"
     rf"(?P<n>{A_COUNT[1:-1]})(?=\s*[.,;:])", _that_by),
    (rf"\b(?P<n>{A_COUNT[1:-1]})\s+(?:that\s+)?both\s+(?:call|judge|think)\s+(?P<not>non-|not\s+)?relevant\b",
     _both_call),
    (rf"\b(?P<n>{A_COUNT[1:-1]})\s+que\s+(?:ambos|los\s+dos)\s+(?:llaman|consideran|juzgan)\s+(?P<not>no\s+)?relevantes\b",
     _both_call),
    (rf"\bfor\s+(?P<n>{A_COUNT[1:-1]})\s+of\s+them,?\s+(?:it\s+is\s+)?the\s+(?P<nth>{AN_ORDINAL})(?=\s*[.,;])",
     _for_some_nth),
    (rf"\bpara\s+(?P<n>{A_COUNT[1:-1]})\s+de\s+ell[oa]s,?\s+(?:es\s+)?(?:el|la)\s+(?P<nth>{AN_ORDINAL})(?=\s*[.,;])",
     _for_some_nth),
    (rf"\b(?:all|los)\s+{A_COUNT}\s+(?:relevant\s+documents|documentos\s+relevantes)\b", _relevant_documents),
    (rf"(?<=[\s,])(?:and|y)\s+{A_COUNT}\s+(?:of|with|de|con)\s+(?:grade|grado)\s+(\d+)\b", of_grade),
    (rf"\b(?:begins|starts|empieza|comienza)\s+(?:with|con|por)\s+(?-i:({_NAME}))(?![\w@-])", _begins_with),
    (rf"\b(?:returns?|devuelven?)\s+{A_COUNT}\s+(?:documents|documentos)\b", _returns),
    (rf"\b(?P<how>agree|differ|disagree|coinciden|discrepan|difieren)\s+(?:on|en)\s+(?P<names>(?-i:{_NAMES}))(?=\s*(?:[.;:]|$))",
     _agree),
    (rf"(?<![\w@-])(?P<run>[\w-]+)\s+{_VERBS}\s+{A_COUNT}(?=\s*[.,;:]|\s+(?:relevant|documentos\s+relevantes|but|and|pero|y)\b|$)",
     _finds),
    (rf"\b(?P<kind>(?:true|false)\s+positives|(?:verdaderos|falsos)\s+positivos)\W*:\s+(?P<names>(?-i:{_NAMES}))(?=\s*(?:[.;]|$))",
     _kind_of),
    (rf"\b(?:relevant(?:es)?|retrieved|recuperados)\b[^.:;]*:\s+(?P<names>(?-i:{_NAMES}))(?=\s*(?:[.;]|$))",
     lambda match, seen: not re.search(r"\brelevant", match.string, re.I) or _listed_as_relevant(match, seen)),
    (rf"(?:(?<=[,;]\s)|(?<=\sand\s)|(?<=\sy\s))(?-i:({_NAME}))\s+{_AT}\s+(\d+)(?=\s*(?:[.,;]|and\b|y\b|$))", _at_rank),
    (rf"\b(?:average|mean|media|promedio)\s+(?:over|of|on|de|sobre|en)\s+(?:the\s+|las\s+|all\s+)?{A_COUNT}\s+{_QUERIES}",
     _over_queries),
    (rf"\b(?:the\s+same|las\s+mismas)\s+{A_COUNT}\s+{_QUERIES}", _over_queries),
    (rf"(?<![\w@])(?P<first>[\w-]+)\s+(?:is|es)\s+(?P<word>better|worse|mejor|peor)\s+(?:than|que)\s+(?P<second>[\w-]+)\s+(?:on|en)\s+"
     rf"(?P<n>{A_COUNT[1:-1]})\s+(?:of|de)\s+(?:the\s+|las\s+)?(?P<of>{A_COUNT[1:-1]})\b", _better_on),
    (rf"\b{A_COUNT}\s+(?:relevant\s+)?(?:for|of|para|de)\s+(?:the\s+|la\s+){AN_ORDER}a?(?=[\s.,;]|$)(?!\s+(?!query|consulta|and\b|y\b)[a-z])",
     _for_nth_query),
)  # fmt: skip
_CHECKS = compiled(_FORMS)


def false_lists(text: str, seen: Rankings) -> Iterator[tuple[str, str]]:
    """Yield what a text says of rankings, queries and documents that no ranking is like, and rows of grades; and as it
    would be true, "" for unknown."""
    yield from false_forms(text, seen, _CHECKS)
    yield from _false_rows(text, seen)
    yield from _false_pages(text, seen)


_PAGE_HOLDS = re.compile(
    rf"\b(?:page|screen|página|pantalla)\s+(?:shows?|has|holds|muestra|tiene)\s+{A_COUNT}\s+(?:results|documents|resultados|documentos)\b",
    re.I,
)
_ON_PAGE = re.compile(
    rf"\b(?:on|in|en)\s+(?:the|its|la)\s+(?P<nth>{AN_ORDINAL})(?:\s+(?:page|screen|página|pantalla))?(?=[\s,])", re.I
)


def _false_pages(text: str, seen: Rankings) -> Iterator[tuple[str, str]]:
    """Yield how many relevant documents rankings are said to have on a page, of the size that the text tells, where
    they have another number; and that number."""
    size = {count_of(match[1]) for match in _PAGE_HOLDS.finditer(text)}
    names = "|".join(map(re.escape, sorted(seen.names(), key=len, reverse=True)))
    counts = re.compile(
        rf"(?<![\w@])(?P<run>{names})\s+(?:(?:has|finds|tiene|encuentra)\s+)?(?P<n>{A_COUNT[1:-1]})"
        r"(?=(?:\s+(?:relevant(?:\s+documents?)?|documentos?\s+relevantes?))?(?:\s*[.,;]|\s+(?:and|y)\b|$))", re.I
    )  # fmt: skip
    for sentence in claims_here(text) if len(size) == 1 and names else ():
        for clause in re.split(r"[;:]", sentence):
            pages = [order_of(match["nth"]) for match in _ON_PAGE.finditer(clause)]
            for match in counts.finditer(clause) if len(pages) == 1 else ():
                first, last = (pages[0] - 1) * min(size), pages[0] * min(size)
                named = seen.called(match["run"])
                own = [each for run, _, each in seen.by_query if run == named and each.n >= last]
                counts_there = {int(each.hits[last - 1]) - (int(each.hits[first - 1]) if first else 0) for each in own}
                if own and count_of(match["n"]) not in counts_there:
                    yield " ".join(match[0].split()), f"{match['run']}: " + ", ".join(map(str, sorted(counts_there)))


_OF_RANK = re.compile(r"(?:(?:rank|posición)\s+)?(\d+)", re.I)


def _false_rows(text: str, seen: Rankings) -> Iterator[tuple[str, str]]:
    """Yield the rows of a table of grades, by documents or ranks, that no ranking has where another row is one's, or
    that begin with the name of a ranking; and the row that is nearest."""
    for table in re.findall(r"(?:^\|.*\n?){3,}", text, re.M):
        head, _, *rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table.splitlines()]
        columns = head[1:]
        ranks = [int(match[1]) for cell in columns if (match := _OF_RANK.fullmatch(cell))]
        if ranks != list(range(1, len(columns) + 1)) and not _are_documents({*columns}, seen):
            continue
        nearest = {}
        for label, *cells in rows:
            if len(cells) == len(columns) and all(re.fullmatch(r"\d+", cell) for cell in cells):
                nearest[label, *cells] = _nearest_row(label, columns, ranks, cells, seen)
        known = seen.names()
        is_true = {row: row[1:] == own for row, own in nearest.items()}
        for row, own in nearest.items():
            if not is_true[row] and (row[0] in known or any(is_true.values())):
                yield " | ".join(row), " | ".join([row[0], *own])


def _nearest_row(label: str, columns: list[str], ranks: list[int], cells: list[str], seen: Rankings) -> tuple[str, ...]:
    """Return the cells of a ranking, or of the judgments of a query, that differ least from those of a row."""
    rows = [[grades.get(name, 0.0) for name in columns] for grades, _ in seen.grades]
    if ranks:
        lists = [each for run, _, each in seen.by_query if label not in seen.names() or run == label]
        rows = [list(map(float, each.grades[: len(ranks)])) for each in lists]
    texts = [tuple(f"{max(0.0, grade):g}" for grade in row) for row in rows if len(row) == len(columns)]
    wanted = tuple(f"{float(cell):g}" for cell in cells)
    best = min(texts, key=lambda row: sum(a != b for a, b in zip(row, wanted, strict=True)), default=())
    return tuple(cells) if best == wanted else best
