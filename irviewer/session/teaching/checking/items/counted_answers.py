"""Typed answers that the data of a lesson decides: how many documents are relevant, missed or unjudged, at which rank
one is, and which ranking is better.

Titles are not understood. A title of such a form, whole, in English or Spanish, is about the rankings and queries that
it names; its answer is false where none of them has it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from irviewer.model.lessons.lesson import Choice, Lesson, Question
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.lecture_table.values import TableRanking
from irviewer.session.teaching.answers import number_in
from irviewer.session.teaching.checking.items.decided_choices import decided_otherwise
from irviewer.session.teaching.checking.lesson_rankings import either_case
from irviewer.session.teaching.checking.wording.number_words import A_COUNT, AN_ORDINAL, COUNT_OF, count_of, order_of
from irviewer.session.teaching.checking.wording.sentences import SUPPOSING, is_elsewhere
from irviewer.session.teaching.step_actions import ranking_name
from irviewer.session.view_models.lecture_table import table_ranking
from irviewer.translation import tr

Counts = Callable[[re.Match[str], TableRanking, int], Iterator[int]]
"""Yields what a list has of what is asked; more than one where a title has several meanings, as about a whole list or
the documents above the cutoff line."""

_KIND = r"(?:rankings?|lists?|systems?|engines?|runs?|listas?|sistemas?|buscador(?:es)?|ejecuci[oó]n(?:es)?)"
_THIS = rf"(?:(?:this|the|este|esta|el|la)\s+{_KIND}(?:\s+(?:above|below|de\s+(?:arriba|abajo)))?)"
_FIRST = (
    rf"(?:(?:the|its)\s+first\s+(?:{A_COUNT})|(?:l[oa]s|sus)\s+(?:primer[oa]s\s+(?:{A_COUNT})|(?:{A_COUNT})\s+primer[oa]s))"
    r"(?:\s+(?:documents|results|ranks|documentos|resultados|posiciones))?"
)
_AMONG = rf" (?:among|in|within|entre|en) {_FIRST}"
_BY = r"(?: (?:by|por) RUN)?"
_FINDS = r"(?:find|retrieve|return|encuentra|recupera|devuelve)"
_FOUND = r"(?:found|retrieved|returned|listed)"
_DOES = r"(?:does|do|did) RUN"
_ARE = r"(?:are|were)"
_HOW_MANY = r"(?:how many|cuántos)"
_RELEVANT = rf"{_HOW_MANY} (?:relevant documents|documentos relevantes)"
_RANK = r"(?:posición|puesto|rango)"
_ORDINAL = rf"(?P<order>{AN_ORDINAL}|last|último)"
_DOCUMENT = r"(?-i:(?P<document>[A-Z]+\d*))"


def _depth(match: re.Match[str]) -> int:
    """Return the count of "the first five", 0 without one."""
    return next((count_of(each) for each in match.groups() if each and re.fullmatch(A_COUNT, each, re.I)), 0)


def _among_first(match: re.Match[str], ranking: TableRanking, cutoff: int) -> Iterator[int]:
    depth = _depth(match)
    if 0 < depth <= ranking.n:
        hits = int(ranking.hits[depth - 1])
        if match.groupdict().get("not"):
            unjudged = int(np.isnan(ranking.grades[:depth]).sum())
            yield from dict.fromkeys((depth - hits, depth - hits - unjudged))
        else:
            yield hits


def _relevant(match: re.Match[str], ranking: TableRanking, cutoff: int) -> Iterator[int]:
    yield from dict.fromkeys((ranking.relevant, int(ranking.hits[-1])))


def _of_query(match: re.Match[str], ranking: TableRanking, cutoff: int) -> Iterator[int]:
    yield ranking.relevant


def _found(match: re.Match[str], ranking: TableRanking, cutoff: int) -> Iterator[int]:
    yield from (int(ranking.hits[-1]), int(ranking.hits[min(cutoff, ranking.n) - 1]))


def _missed(match: re.Match[str], ranking: TableRanking, cutoff: int) -> Iterator[int]:
    yield from (ranking.relevant - n for n in _found(match, ranking, cutoff))


def _unjudged(match: re.Match[str], ranking: TableRanking, cutoff: int) -> Iterator[int]:
    depth = _depth(match) or ranking.n
    if depth <= ranking.n:
        yield int(np.isnan(ranking.grades[:depth]).sum())


def _length(match: re.Match[str], ranking: TableRanking, cutoff: int) -> Iterator[int]:
    yield from (ranking.n, min(cutoff, ranking.n))


def _rank_of_relevant(match: re.Match[str], ranking: TableRanking, cutoff: int) -> Iterator[int]:
    ranks, order = np.flatnonzero(ranking.is_relevant) + 1, match["order"].lower()
    n = len(ranks) if order in ("last", "último") else order_of(order)
    if 0 < n <= len(ranks):
        yield int(ranks[n - 1])


def _rank_of_document(match: re.Match[str], ranking: TableRanking, cutoff: int) -> Iterator[int]:
    if match["document"] in ranking.documents:
        yield ranking.documents.index(match["document"]) + 1


_FORMS: tuple[tuple[str, Counts], ...] = (
    (rf"how many (?:documents )?of {_FIRST} are (?P<not>not |non-)?relevant", _among_first),
    (rf"cuántos (?:documentos )?de {_FIRST} (?P<not>no )?son relevantes", _among_first),
    (rf"{_RELEVANT} (?:{_ARE}(?: there)?|hay|están|has RUN|tiene(?: RUN)?){_AMONG}", _among_first),
    (rf"{_RELEVANT} (?:{_DOES} (?:{_FINDS}|have)|{_FINDS}(?: RUN)?){_AMONG}", _among_first),
    (rf"{_RELEVANT} (?:(?:has|does) QUERY(?: have)?|tiene QUERY)", _of_query),
    (rf"{_RELEVANT} (?:are there|hay|tiene)|{_HOW_MANY} (?:documents are|documentos son) relevant(?:es)?", _relevant),
    (rf"{_RELEVANT} (?:{_DOES} (?:{_FINDS}|have|contain)|(?:has|tiene) RUN|{_FINDS}(?: RUN)?)", _found),
    (rf"{_RELEVANT} (?:{_ARE} {_FOUND}{_BY}|se (?:recuperan|encuentran){_BY})", _found),
    (rf"{_RELEVANT} {_ARE} (?:missed|missing|lacking|(?:not|never) (?:{_FOUND}|in RUN)){_BY}", _missed),
    (rf"{_RELEVANT} {_DOES} (?:miss|not {_FINDS})", _missed),
    (rf"{_RELEVANT} (?:faltan|no (?:se (?:recuperan|encuentran|recuperaron|encontraron)|{_FINDS}(?: RUN)?|están))",
     _missed),
    (r"how many false negatives (?:does RUN have|has RUN|are there)|cuántos falsos negativos (?:tiene(?: RUN)?|hay)",
     _missed),
    (rf"how many (?:documents )?(?:of {_FIRST} )?are (?:unjudged|not judged)", _unjudged),
    (rf"cuántos (?:documentos )?(?:de {_FIRST} )?(?:están sin juzgar|no están juzgados|no se han juzgado)", _unjudged),
    (r"how many unjudged documents (?:are there|does RUN have|has RUN|are)", _unjudged),
    (r"cuántos documentos sin juzgar (?:hay|tiene(?: RUN)?)", _unjudged),
    (rf"how many documents (?:{_DOES} (?:{_FINDS}|have)|has RUN|are {_FOUND}{_BY})", _length),
    (rf"cuántos documentos (?:{_FINDS}(?: RUN)?|tiene RUN|se recuperan)", _length),
    (rf"(?:at (?:which|what) rank|where) is the {_ORDINAL} relevant (?:document|one)", _rank_of_relevant),
    (rf"(?:which|what) rank (?:has|is) the {_ORDINAL} relevant document(?: at)?", _rank_of_relevant),
    (rf"what is the rank of the {_ORDINAL} relevant document", _rank_of_relevant),
    (rf"(?:en qué {_RANK}|dónde) está el {_ORDINAL} documento relevante", _rank_of_relevant),
    (rf"cuál es (?:la|el) {_RANK} del {_ORDINAL} documento relevante", _rank_of_relevant),
    (rf"at (?:which|what) rank is (?:document )?{_DOCUMENT}", _rank_of_document),
    (rf"en qué {_RANK} está (?:el documento )?{_DOCUMENT}", _rank_of_document),
)  # fmt: skip
_BOTH = re.compile(
    rf"{_HOW_MANY} (?P<relevant>relevant )?(?:documents|documentos)(?P<relevantes> relevantes)? "
    rf"(?:{_ARE} {_FOUND} by (?:both|RUN and RUN)|do (?:both|RUN and RUN) (?:{_FINDS}|share|have in common)|"
    r"(?:recuperan|encuentran|devuelven|comparten|tienen en común) (?:amb[oa]s|l[oa]s dos|RUN y RUN))"
    rf"(?: (?:of them|{_KIND}))?(?:{_AMONG})?",
    re.I,
)


@lru_cache(maxsize=1)
def _compiled() -> tuple[tuple[re.Pattern[str], Counts], ...]:
    return tuple((re.compile(form, re.I), counts) for form, counts in _FORMS)


def counted_otherwise(
    lesson: Lesson, question: Question, contexts: Sequence[EvaluationContext], view: tuple[str, str]
) -> Iterator[str]:
    """Yield why the typed answer of a question is not the right one, by the data of the states that it can be about;
    ``view`` is the ranking and the query that it shows, "" for none."""
    if question.asked is not None or question.choices or not question.spellings or not contexts:
        return
    title = question.title.replace(" in common", "")  # which is not what is commonly so
    if SUPPOSING.search(title) or is_elsewhere(title) or _OF_ANOTHER.search(question.text):
        return
    spelling = question.spellings[0]
    stated = number_in(spelling)
    said = float(COUNT_OF[spelling.lower()]) if spelling.lower() in COUNT_OF else stated
    if said is None:
        yield from _other_name(lesson, question, contexts)
        return
    counted = _counted(question.title, contexts, view)
    if counted and not any(said in numbers for _, numbers in counted):
        of_each = list(dict.fromkeys((name, numbers[0]) for name, numbers in counted))
        values = {n for _, n in of_each}
        meant = str(values.pop()) if len(values) == 1 else "; ".join(f"{name}: {n}" for name, n in of_each[:_MOST])
        yield tr("counted here: {meant}, not {answer}", meant=meant, answer=spelling)


_MOST = 6
"""Counts that a message has."""
_OF_ANOTHER = re.compile(r"[\d`]|\b(?:other|another|otr[oa]s?|imagin\w+)\b", re.I)
"""Words of a text below the title that can be about another list."""


def _counted(
    title: str, contexts: Sequence[EvaluationContext], view: tuple[str, str]
) -> list[tuple[str, tuple[int, ...]]]:
    """Return what is counted for a title: (which list, the counts that it can mean); [] where it has none of the
    forms."""
    asked = " ".join(title.split()).strip(" ¿?.")
    runs, queries = _names(contexts), {query for context in contexts for query in context.query_ids}
    named = [match[1] for match in _QUERY.finditer(asked)]
    if len(named) > 1 or not queries.issuperset(named):
        return []
    asked = _QUERY.sub(lambda match: "" if _PLACED.match(match[0]) else " QUERY", asked)
    known = "|".join(either_case(name) for name in sorted(runs, key=len, reverse=True))
    called = re.compile(rf"(?:\b(?:(?:the|el|la)\s+)?{_KIND}\s+)?(?<![\w@-])(?P<name>{known})(?![\w@-])|\b{_THIS}")
    of_runs = [
        name
        for match in called.finditer(asked)
        for name in runs
        if match["name"] and re.fullmatch(either_case(name), match["name"])
    ]
    asked = called.sub("RUN", asked)
    both = _BOTH.fullmatch(" ".join(asked.split()).strip(" ,"))
    if both is not None:
        return _by_both(both, contexts, of_runs, view[1] if not named else named[0])
    asked = re.sub(r",?\s*(?<!\bnot\s)(?<!\bnever\s)\b(?i:of|in|for|to|del?|en|para)\s+RUN\b", "", asked)
    asked = " ".join(asked.split()).strip(" ,")
    if len({*of_runs}) > 1:
        return []
    run = of_runs[0] if of_runs else view[0] if view[0] in runs else ""
    query = named[0] if named else view[1] if view[1] in queries else ""
    for form, counts in _compiled():
        match = form.fullmatch(asked)
        if match is not None:
            several = (not run and len(runs) > 1) or (not query and len(queries) > 1)
            if several and counts not in (_of_query, _among_first, _rank_of_relevant, _rank_of_document):
                return []  # it may be about all of them together
            of_each = [
                (_list_name(name, of, runs, queries), tuple(counts(match, each, contexts[0].cutoff)))
                for name, of, each in _lists(contexts, run, query)
            ]
            return [(name, numbers) for name, numbers in of_each if numbers]
    return []


_QUERY = re.compile(
    r",?\s*(?:\b(?:of|for|on|in|to|de|para|en)\s+)?(?:\b(?:the|la)\s+)?\b(?:query|consulta)\s+(\w+)", re.I
)
_PLACED = re.compile(r",?\s*(?:of|for|on|in|to|de|para|en)\s", re.I)


def _names(contexts: Sequence[EvaluationContext]) -> list[str]:
    """Return the names of the rankings of the file."""
    return list(dict.fromkeys(run.name for each in contexts for run in each.collection.runs if run.edited is None))


def _lists(contexts: Sequence[EvaluationContext], run: str, query: str) -> Iterator[tuple[str, str, TableRanking]]:
    """Yield the ranking, the query and the list of each state, of a ranking also the copy that a step changed; all for
    ""."""
    for context in contexts:
        for entry in context.collection.runs:
            for of in context.query_ids if run in ("", ranking_name(entry)) else ():
                if query in ("", of) and (ranking := table_ranking(context, entry, of)) is not None:
                    yield ranking_name(entry), of, ranking


def _list_name(run: str, query: str, runs: Sequence[str], queries: set[str]) -> str:
    of_query = tr("query {query}", query=query)
    return of_query if len(runs) < 2 else run if len(queries) < 2 else f"{run}, {of_query}"


def _by_both(
    match: re.Match[str], contexts: Sequence[EvaluationContext], named: Sequence[str], query: str
) -> list[tuple[str, tuple[int, ...]]]:
    """Return how many documents two rankings share, by query: the two that are named, or the only ones."""
    pair = [*dict.fromkeys(named)] or _names(contexts)
    counted = []
    for of in dict.fromkeys(each for context in contexts for each in context.query_ids if query in ("", each)):
        lists = [[own for _, _, own in _lists(contexts[:1], name, of)] for name in pair]
        depth = _depth(match)
        if len(pair) == 2 and all(each and depth <= each[0].n for each in lists):
            first, other = (each[0] for each in lists)
            meant = {each for each, is_one in zip(first.documents, first.is_relevant, strict=True) if is_one}
            if not match["relevant"] and not match["relevantes"]:
                meant = {*first.documents}
            depths = [depth] if depth else [max(first.n, other.n), contexts[0].cutoff]
            numbers = (len({*first.documents[:n]} & {*other.documents[:n]} & meant) for n in depths)
            counted.append((tr("query {query}", query=of), tuple(numbers)))
    return counted


def _other_name(lesson: Lesson, question: Question, contexts: Sequence[EvaluationContext]) -> Iterator[str]:
    """Yield why another ranking than the typed one is the right answer."""
    runs, spelling = _names(contexts), question.spellings[0]
    typed = [name for name in runs if re.fullmatch(either_case(name), spelling)]
    if len(typed) == 1 and len(runs) > 1:
        choices = tuple(Choice(name, name in typed) for name in runs)
        yield from decided_otherwise(lesson, Question(question.title, choices=choices), contexts[0])
