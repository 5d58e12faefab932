"""What a sentence of a lesson says of the ranking that it named last, against that ranking: what is relevant at a rank,
on which queries it is better, where a step brings a document.

Texts are not understood. The ranking that is named last before a word or number is taken for its subject, "both" and
"neither" too. A claim is false only where no state of its part, no query and no cutoff that may be meant is as it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Lesson, Question, Step
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import plain
from irviewer.session.lecture_table.values import TableRanking
from irviewer.session.teaching.checking.claims.phrases import Names
from irviewer.session.teaching.checking.claims.understood import clause_of, is_understood
from irviewer.session.teaching.checking.lesson_rankings import either_case
from irviewer.session.teaching.checking.wording.named_measures import measures_said
from irviewer.session.teaching.checking.wording.number_words import (
    A_COUNT,
    AN_ORDINAL,
    COUNT_OF,
    count_of,
    numbers_in,
    order_of,
)
from irviewer.session.teaching.checking.wording.sentences import claims_here, question_before
from irviewer.session.teaching.step_actions import copied_names, ranking_name
from irviewer.session.view_models.lecture_table import table_ranking
from irviewer.translation import tr

Said = tuple[str, str]
"""What a text says, and what is so."""
_MOST_RUNS = 12
_COUNT = A_COUNT[1:-1]
_ALL = (
    r"both(?!\s+others?)|all\s+(?:the\s+)?(?:two|three|four|five|systems"
    r"|engines|rankings|lists|runs)|amb[oa]s|l[oa]s\s+(?:dos|tres)(?!\s+primer)"
)
_NONE = r"neither|none(?:\s+of\s+(?:the|them|these))?|no\s+(?:ranking|engine|system|list|run)|ningun[oa]"
_OTHERS = r"(?:the|both|all)\s+others?(?:\s+(?:one|two))?|l[oa]s?\s+otr[oa]s?"
_OBJECT = re.compile(
    r"\b(?:than|over|against|like|as|to|beats?|overtakes?|behind|ahead\s+of|above|below|with|from|by|que|a|contra|como|supera|"
    r"alcanza|con|de\s+la\s+de)\s+(?:the\s+|that\s+of\s+|la\s+|el\s+|las\s+)?$",
    re.I,
)
"""Words before a ranking with which another one is compared."""


class _Subject(NamedTuple):
    """What a part of a sentence is about: where it is named, the rankings, and whether the part is said of each of them
    ("all"), of none of them, or of some ("any")."""

    start: int
    end: int
    runs: tuple[str, ...]
    how: str


class _Part(NamedTuple):
    """The rankings that a text is about, by state: (state, run, query, its numbers). A copy has the name of what it was
    copied from; what was copied is in the states before."""

    lists: tuple[tuple[int, str, str, TableRanking], ...]
    runs: tuple[str, ...]
    queries: tuple[str, ...]

    def of(self, runs: Sequence[str], query: str) -> list[tuple[int, str, str, TableRanking]]:
        """Return the lists of some rankings, of one query or all."""
        return [each for each in self.lists if each[1] in runs and query in ("", each[2])]

    def names(self, rules: str) -> Names:
        """Return the names of rankings, queries and documents, for those who read sentences."""
        documents = {document for *_, ranking in self.lists for document in ranking.documents}
        return Names(self.runs, self.queries, frozenset(documents - {*self.runs}), rules)


def _part(states: Sequence[EvaluationContext]) -> _Part:
    lists = []
    for place, state in enumerate(states):
        copied = copied_names(state) if place else frozenset()
        for entry, query in product(state.collection.runs, state.query_ids):
            ranking = table_ranking(state, entry, query)
            if ranking is not None and entry.name not in copied:
                lists.append((place, ranking_name(entry), query, ranking))
    runs = dict.fromkeys(entry.name for state in states for entry in state.collection.runs if entry.edited is None)
    queries = dict.fromkeys(query for state in states for query in state.query_ids)
    return _Part(tuple(lists), tuple(runs), tuple(queries))


class KeptParts:
    """The rankings of states, kept for lessons that differ in a sentence."""

    def __init__(self) -> None:
        self._known: dict[tuple[EvaluationContext, ...], _Part] = {}

    def of(self, states: tuple[EvaluationContext, ...]) -> _Part:
        """Return the rankings of some states, the same ones each time."""
        if states not in self._known:
            self._known[states] = _part(states)
        return self._known[states]


def false_of_subjects(
    lesson: Lesson,
    part: Lesson | Step | Question,
    text: str,
    states: Sequence[EvaluationContext],
    seen: Sequence[EvaluationContext],
    parts: KeptParts,
    run: str = "",
) -> Iterator[Said]:
    """Yield what a text says of rankings that is so of none that is meant, and what is so. ``states`` are those of its
    part, of a step before and after it, ``seen`` all of the lesson; ``run`` is what the text is about if it names no
    ranking, "" for all."""
    here = parts.of(tuple(states))
    if not 0 < len(here.runs) <= _MOST_RUNS:
        return
    former = part.title if isinstance(part, Question) else ""
    names = here.names(DIALECTS[lesson.rules].names)
    for sentence in (each for each in claims_here(text) if not each.rstrip().endswith("?")):
        asked = question_before(sentence, text)
        about = run or _meant_by_it(sentence, asked or former, here.runs)
        false = _false_in(sentence, part, here, states, seen, about, former)
        yield from (each for each in false if is_understood(clause_of(sentence, each[0]), names))
        former = sentence


def _false_in(
    sentence: str,
    part: Lesson | Step | Question,
    here: _Part,
    states: Sequence[EvaluationContext],
    seen: Sequence[EvaluationContext],
    about: str,
    former: str,
) -> Iterator[Said]:
    """Yield what a sentence says that is not so, whatever words it has beside it."""
    query = _query_of(sentence, here.queries)
    for subject, clause in _clauses(sentence, here.runs, about):
        yield from _false_at_ranks(clause, subject, query, here)
    yield from _false_directions(sentence)
    yield from _false_everywhere(sentence, states[:1], seen)
    yield from _false_lists(sentence, here)
    yield from _false_wins(sentence, former, states[:1] if isinstance(part, Question) else states, seen)
    yield from _false_query_lists(sentence, states[:1], seen)
    if isinstance(part, Step) and len(part.actions) == 1 and len(states) > 1:
        yield from _false_moves(sentence, here)
        yield from _false_passing(sentence, states)


_QUERY = re.compile(
    rf"\b(?:query|consulta|topic|tema)\s+(?P<name>\w*\d\w*)|\b(?:the|la)\s+(?:(?P<nth>{AN_ORDINAL})|(?P<last>last|última))\s+"
    rf"(?:query|consulta)\b|\bla\s+consulta\s+(?P<other>\w*\d\w*)",
    re.I,
)


def _query_of(sentence: str, queries: Sequence[str]) -> str:
    """Return the one query that a sentence names; "" for none or several."""
    named = set()
    for match in _QUERY.finditer(sentence):
        name = match["name"] or match["other"]
        place = len(queries) if match["last"] else order_of(match["nth"]) if match["nth"] else 0
        named.add(name or (queries[place - 1] if 0 < place <= len(queries) else "?"))
    return next(iter(named)) if len(named) == 1 and named <= {*queries} else ""


def _subjects(sentence: str, runs: Sequence[str]) -> list[_Subject]:
    """Return the subjects that a sentence names, in its order; rankings with "and" between them are one."""
    names = "|".join(either_case(name) for name in sorted(runs, key=len, reverse=True))
    form = re.compile(
        rf"(?<![\w@-])(?:(?P<run>{names})(?!\s+(?:documents?|quer|documentos?|consulta|grades?|value))|(?P<others>(?i:{_OTHERS}))|"
        rf"(?P<all>(?i:{_ALL}))|(?P<none>(?i:{_NONE})))(?![\w@])"
    )
    known: list[_Subject] = []
    for match in form.finditer(sentence):
        if match["run"] and match["run"].lower() in COUNT_OF:
            continue
        if (
            match["run"]
            and len(match["run"]) == 1
            and re.search(r"\b(?:[Dd]ocument\w*|and|y|,)\s*$", sentence[: match.start()])
        ):
            continue
        own = tuple(run for run in runs if match["run"] and re.fullmatch(either_case(run), match["run"]))[:1]
        if match["others"]:
            first = next((each.runs for each in reversed(known) if len(each.runs) == 1), ())
            own = tuple(run for run in runs if run not in first) if first else ()
            if not own or (len(own) > 1 and re.search(r"\b(?:other|otr[oa])\b", match["others"])):
                own = tuple(runs)
                known.append(_Subject(match.start(), match.end(), own, "any"))
                continue
        how = "none" if match["none"] else "all"
        own = own or tuple(runs)
        former = known[-1] if known else None
        if former is not None and re.fullmatch(r"(?:,|\s+and|\s+y|\s+e)\s+", sentence[former.end : match.start()]):
            known[-1] = _Subject(former.start, match.end(), tuple(dict.fromkeys((*former.runs, *own))), how)
        elif former is not None and match["run"] and _OBJECT.search(sentence[: match.start()]):
            known.append(_Subject(match.start(), match.end(), tuple(dict.fromkeys((*former.runs, *own))), "any"))
        else:
            known.append(_Subject(match.start(), match.end(), own, how))
    return known


_IT = re.compile(r"^\W*(?:and\s+|but\s+|so\s+|y\s+)?(?:it|its|su)\b", re.I)


def _meant_by_it(sentence: str, former: str, runs: Sequence[str]) -> str:
    """Return the ranking that "it" at the beginning of a sentence means: the only one that the sentence before names;
    "" for none."""
    named = {run for each in _subjects(former, runs) for run in each.runs} if _IT.match(sentence) else set()
    return next(iter(named)) if len(named) == 1 else ""


def _clauses(sentence: str, runs: Sequence[str], run: str) -> Iterator[tuple[_Subject, str]]:
    """Yield each subject with what follows it, to the next subject; where none is named, what is so of any."""
    subjects = _subjects(sentence, runs)
    if not subjects:
        yield _Subject(0, 0, (run,) if run in runs else tuple(runs), "any"), sentence
    for place, subject in enumerate(subjects):
        end = subjects[place + 1].start if place + 1 < len(subjects) else len(sentence)
        yield subject, sentence[subject.end : end]


_NON = r"non-?relevant|not\s+relevant|irrelevant|no\s+relevantes?|irrelevantes?"
_KIND = rf"(?:(?P<non>{_NON})|(?P<unjudged>unjudged|sin\s+juzgar|no\s+juzgad[oa]s?)|(?P<relevant>relevant(?:es?)?))\b"
_DOCUMENT = r"(?:documents?|ones?|results?|hits?|pages?|documentos?|resultados?)"
_RANKS = r"\d+(?:(?:,\s+|,?\s+(?:and|or|y|o|ni|nor)\s+(?:at\s+)?(?:rank\s+)?)\d+)*(?![\w/]|[.,]\d|\s*%)"
_AT_RANK = (
    rf"(?:at|in|on|en)\s+(?:(?:ranks?|positions?|la\s+posición"
    rf"|las\s+posiciones|el\s+puesto|los\s+puestos)\s+)(?P<ranks>{_RANKS})"
)
_HAS_AT = re.compile(
    rf"(?:^|\s)(?P<its>(?:its|their|the|all|sus?|los|el)\s+)?(?P<some>(?:an?|one|any|un|otro|another)\s+)?(?:(?P<n>{_COUNT})\s+)?"
    rf"(?:(?P<nth>{AN_ORDINAL}|last|último|only|single"
    rf"|único)\s+)?(?:{_KIND}\s+(?:and\s+\w+\s+)?{_DOCUMENT}|{_DOCUMENT}\s+{_KIND.replace('P<', 'P<s_')})"
    rf"(?:\s+(?:is|are|comes?|appears?|sits?|está|están|aparecen?))?(?:\s+(?:only|already|just|right|as\s+(?:low|early|late)\s+as|solo|ya))?\s+{_AT_RANK}",
    re.I,
)
"""A document of a kind, and the ranks at which a subject is said to have it."""


def _is_kind(ranking: TableRanking, rank: int, kind: str) -> bool:
    if rank > ranking.n:
        return False
    grade = ranking.grades[rank - 1]
    if kind == "unjudged":
        return bool(np.isnan(grade))
    return bool(ranking.is_relevant[rank - 1]) == (kind == "relevant")


def _ranks_of_kind(ranking: TableRanking, kind: str) -> list[int]:
    return [rank for rank in range(1, ranking.n + 1) if _is_kind(ranking, rank, kind)]


def _kind_of(match: re.Match[str]) -> str:
    groups = match.groupdict()
    for kind in ("non", "unjudged", "relevant"):
        if groups.get(kind) or groups.get(f"s_{kind}"):
            return kind
    return ""


def _holds(subject: _Subject, own: Sequence[tuple[int, str, str, TableRanking]], is_so: Sequence[bool]) -> bool:
    """Return whether something is so of a subject in some state and query: of each of its rankings, of none, or of
    one."""
    groups: dict[tuple[int, str], list[bool]] = {}
    for (place, _, query, _), each in zip(own, is_so, strict=True):
        groups.setdefault((place, query), []).append(each)
    if subject.how == "all":
        return any(all(each) for each in groups.values())
    if subject.how == "none":
        return any(not any(each) for each in groups.values())
    return any(is_so)


def _false_at_ranks(clause: str, subject: _Subject, query: str, here: _Part) -> Iterator[Said]:
    """Yield that a subject has documents of a kind at ranks where it has none, with the ranks where it has them."""
    for match in _HAS_AT.finditer(clause):
        ranks, kind, nth = numbers_in(match["ranks"]), _kind_of(match), (match["nth"] or "").lower()
        own = here.of(subject.runs, query)
        before = clause[: match.start()]
        if not own or re.search(
            r"\b(?:no|not|without|never|sin|no\s+tiene)\s*$|\bnot?\s+(?:have|put|show)\s*$", before, re.I
        ):
            continue
        if nth and nth not in ("only", "single", "único", "last", "último"):
            place = order_of(nth)
            is_so = [_ranks_of_kind(each[3], kind)[place - 1 : place] == ranks for each in own]
        elif nth in ("last", "último"):
            is_so = [_ranks_of_kind(each[3], kind)[-1:] == ranks for each in own]
        elif len(ranks) > 1 and (match["its"] or match["n"]) and not re.search(r"\bof\s*$|\bde\s*$", before):
            wanted = count_of(match["n"]) if match["n"] else len(ranks)
            is_so = [
                wanted == len(ranks) and all(_is_kind(each[3], rank, kind) for rank in ranks)
                and (not match["its"] or match["n"] is not None or set(ranks) <= {*_ranks_of_kind(each[3], kind)})
                for each in own
            ]  # fmt: skip
        else:
            is_so = [all(_is_kind(each[3], rank, kind) for rank in ranks) for each in own]
        if not _holds(subject, own, is_so):
            yield " ".join(match[0].split()), _stated(own, kind)


def _stated(own: Sequence[tuple[int, str, str, TableRanking]], kind: str) -> str:
    """Return the ranks at which some lists have documents of a kind."""
    name = {"non": tr("not relevant"), "unjudged": tr("unjudged"), "relevant": tr("relevant")}[kind]
    lists = {(run, query): _ranks_of_kind(ranking, kind) for _, run, query, ranking in own}
    several = len({query for _, query in lists}) > 1
    parts = [
        f"{run}{f' ({query})' if several else ''} {', '.join(map(str, ranks)) or '–'}"
        for (run, query), ranks in [*lists.items()][:4]
    ]
    return f"{name}: " + "; ".join(parts)


_NEVER = re.compile(
    r"\b(?:is|es)\s+(?:(?P<never>never|nunca(?:\s+es)?)\s+)?(?P<word>worse|better|peor|mejor)\s+(?:than|que)\s+(?:the\s+)?(?P<other>[\w-]+)(?![\w-])"
    r"(?:\s+(?:on|in|en)\s+(?:(?P<all>every|each|all|cada|todas)|any|ninguna)\b)?(?!\s+(?:on|in|for|at|by|en|para|con|por)\b)|"
    r"\bnunca\s+es\s+(?P<s_word>peor|mejor)\s+que\s+(?P<s_other>[\w-]+)(?![\w-])(?!\s+(?:en|para|con|por)\b)",
    re.I,
)
"""That a ranking is never worse than another one, or better on every query; not on some of them, or by a measure."""


def _false_everywhere(
    sentence: str, states: Sequence[EvaluationContext], seen: Sequence[EvaluationContext]
) -> Iterator[Said]:
    """Yield that a ranking is never worse than another one, or better on every query, where on some query it is not so,
    by any measure in view."""
    if not states or states[0].n_queries < 2:
        return
    state, runs = states[0], tuple(each.name for each in states[0].collection.runs)
    for match in _NEVER.finditer(sentence):
        other = next((each for each in runs if re.fullmatch(either_case(each), match["other"] or match["s_other"])), "")
        before = [each for each in _subjects(sentence, runs) if each.end <= match.start() and len(each.runs) == 1]
        if (
            not other
            or not before
            or before[-1].runs[0] == other
            or not (match["never"] or match["all"] or match["s_word"])
        ):
            continue
        is_better = (match["word"] or match["s_word"]).lower() in ("better", "mejor")
        is_never = match["never"] is not None or match["s_word"] is not None
        meant = []
        for measure in dict.fromkeys(each.measure for each in seen):
            values = {each.name: plain(state).values(each, measure) for each in state.collection.runs}
            difference = (values[before[-1].runs[0]] - values[other]) * (1 if is_better else -1)
            meant.append(bool(np.all(difference < 1e-9)) if is_never else bool(np.all(difference > 1e-9)))
        if meant and not any(meant):
            yield " ".join(match[0].split()), ""


_THOSE_AT = re.compile(
    rf"\b(?:those|these|the\s+ones|namely|the\s+(?:documents|others)|los|documentos|ones)\s+(?:are\s+)?(?:at|of|in|de|en)\s+(?:ranks|positions|las\s+posiciones|los\s+puestos)\s+(?P<ranks>{_RANKS})",
    re.I,
)
_OF_KIND = re.compile(
    r"\b(?:relevant(?:es?)?|unjudged|judg\w+|looked\s+at|seen|hits|misses|juzg\w+|sin\s+juzgar|aciertos)\b", re.I
)
_UNJUDGED = re.compile(
    r"\b(?:unjudged|(?:never|not)\s+(?:been\s+)?(?:judged"
    r"|looked\s+at)|sin\s+juzgar|no\s+juzgad)",
    re.I,
)
_OF_CHANGE = re.compile(
    r"\b(?:swap\w*|exchang\w*|mov\w+|chang\w+|differ\w*|between|compar\w+|intercambi\w+|muev\w+|cambi\w+|entre)\b", re.I
)


def _false_lists(sentence: str, here: _Part) -> Iterator[Said]:
    """Yield ranks that are listed as those of one kind, where no ranking has documents of one kind there."""
    if not _OF_KIND.search(sentence) or _OF_CHANGE.search(sentence):
        return
    for match in _THOSE_AT.finditer(sentence):
        ranks = numbers_in(match["ranks"])
        named = {run for each in _subjects(sentence, here.runs) for run in each.runs} or {*here.runs}
        own = here.of([*named], "")
        is_unjudged = _UNJUDGED.search(sentence) and not re.search(r"\brelevant", sentence)
        kinds = ("unjudged",) if is_unjudged else ("relevant", "non", "unjudged")
        if len(ranks) > 1 and own and not any(
            all(_is_kind(each[3], rank, kind) for rank in ranks) for each, kind in product(own, kinds)
        ):  # fmt: skip
            yield " ".join(match[0].split()), _stated(own, "unjudged" if "judg" in sentence else "relevant")


_WAY = re.compile(
    r"\b(?:(?P<up>rises?|climbs?|grows?|increases?|jumps?|improves?|goes\s+up|sube|aumenta|crece|mejora)|(?P<down>falls?|drops?|sinks?|decreases?|declines?|shrinks?|goes\s+down|baja|cae|"
    r"disminuye|desciende|empeora))\s+(?:only\s+|solo\s+|again\s+)?(?:from|de)\s+(?P<first>\d*\.\d+|\d+(?:/[1-9]\d*)?)(?P<share>\s?%)?(?:\s+(?:at|en)\s+(?:rank|la\s+posición)\s+\d+|\s+on\s+average)?\s+"
    r"(?:to|a|hasta)\s+(?P<second>\d*\.\d+|\d+(?:/[1-9]\d*)?)(?![\w/]|\.\d)(?(share)\s?%|(?!\s?%))",
    re.I,
)
"""A way up or down between two numbers."""


def _false_directions(sentence: str) -> Iterator[Said]:
    """Yield a way up to a lower number, or down to a higher one."""
    for match in _WAY.finditer(sentence):
        ends = (match[end].partition("/") for end in ("first", "second"))
        first, second = (float(n) / float(of or 1) for n, _, of in ends)
        if first != second and (first < second) != bool(match["up"]):
            yield " ".join(match[0].split()), f"{match['first']} {'<' if first < second else '>'} {match['second']}"


_FROM_TO = re.compile(
    r"\b(?:from|de(?:sde)?)\s+(?:rank|position|la\s+posición)\s+(?P<from>\d+)\s+(?:up\s+|down\s+)?(?:to|a|hasta)\s+(?:(?:rank|position|la\s+posición)\s+)?(?P<to>\d+)(?![\w/]|[.,]\d|\s+and\b|\s+y\b)",
    re.I,
)
_MOVES_TO = re.compile(
    r"\b(?:moves?|comes?|goes|climbs?|sinks?|drops?|falls?|rises?|slips?|jumps?|slides?|lands?|is\s+now|pasa|sube|baja|cae|queda|llega)\s+(?:(?:up|down|now|right|back|ahora)\s+)?"
    r"(?:to|at|a|en|hasta)\s+(?:rank|position|la\s+posición)\s+(?P<to>\d+)(?![\w/]|[.,]\d|\s+and\b|\s+y\b|,\s+\d)",
    re.I,
)
_GRADE = re.compile(r"\b(?:of|de)\s+(?:grade|grado)\s+(?P<grade>\d+)\s*$", re.I)


def _false_moves(sentence: str, here: _Part) -> Iterator[Said]:
    """Yield from and to which rank a step is said to bring a document, where it brings none so, nor the nth relevant
    one; and those that it moves."""
    last = max(place for place, *_ in here.lists)
    moved: set[tuple[int, int, float]] = set()
    nths: set[tuple[int, int]] = set()
    for place, run, query, ranking in here.lists:
        former = next((each[3] for each in here.lists if each[:3] == (0, run, query)), None)
        if place != last or former is None or former.documents == ranking.documents:
            continue
        for rank, document in enumerate(ranking.documents, start=1):
            at = former.documents.index(document) + 1 if document in former.documents else 0
            if at != rank:
                moved.add((at, rank, float(ranking.grades[rank - 1])))
        nths |= {*zip(_ranks_of_kind(former, "relevant"), _ranks_of_kind(ranking, "relevant"), strict=False)}
        nths |= {*zip(_ranks_of_kind(former, "relevant")[-1:], _ranks_of_kind(ranking, "relevant")[-1:], strict=False)}
    pairs = {(start, end) for start, end, _ in moved}
    nths = {each for each in nths if each[0] != each[1]}
    said = ", ".join(f"{start} → {end}" for start, end in sorted(pairs)[:6])
    for match in _FROM_TO.finditer(sentence) if moved else ():
        if (int(match["from"]), int(match["to"])) not in pairs | nths:
            yield " ".join(match[0].split()), said
    for match in _MOVES_TO.finditer(sentence) if moved else ():
        graded = _GRADE.search(sentence[: match.start()])
        ends = {end for _, end, grade in moved if graded is None or grade == float(graded["grade"])}
        ends |= {end for _, end in nths if graded is None}
        if int(match["to"]) not in ends:
            yield " ".join(match[0].split()), said


def _measures_named(text: str, state: EvaluationContext) -> list[Measure]:
    names = state.options.rules.names
    return [parse_measure(each, names) for each in measures_said(text, names)]


_PASSES = re.compile(
    r"\b(?:(?P<over>overtakes?|passes|moves?\s+past|gets?\s+ahead\s+of|moves?\s+ahead\s+of|adelanta\s+a|supera\s+a)|(?P<level>draws?\s+level\s+with|catches\s+up\s+with|"
    r"equals|ties\s+with|alcanza\s+a|iguala\s+a|empata\s+con)|(?P<under>falls?\s+behind|drops?\s+behind|is\s+overtaken\s+by|queda\s+por\s+detrás\s+de))\s+(?:the\s+)?",
    re.I,
)


def _false_passing(sentence: str, states: Sequence[EvaluationContext]) -> Iterator[Said]:
    """Yield which ranking the changed one is said to overtake, to draw level with or to fall behind in a step, where it
    does so by no measure in view or named."""
    before, after = states[0], states[-1]
    copied = copied_names(after)
    for match in _PASSES.finditer(sentence):
        others = [
            each
            for each in before.collection.runs
            if re.match(either_case(each.name) + r"(?!\w)", sentence[match.end() :])
        ]
        changed = [each for each in after.collection.runs if ranking_name(each) in copied]
        measures = [(before.measure, after.measure), (after.measure, after.measure)]
        measures += [(each, each) for each in _measures_named(sentence, before)]
        meant = []
        for other, entry, (first, second) in product(others[:1], changed, measures):
            source = next((each for each in before.collection.runs if each.name == ranking_name(entry)), None)
            its = next((each for each in after.collection.runs if each.name == other.name), None)
            if source is None or its is None or source.name == other.name or entry.edited is None:
                continue
            was = before.mean(source, first) - before.mean(other, first)
            now = after.mean(entry, second) - after.mean(its, second)
            own = (
                abs(now) < 1e-9
                if match["level"]
                else (now > 1e-9 and was < 1e-9)
                if match["over"]
                else (now < -1e-9 and was > -1e-9)
            )
            meant.append(
                (
                    bool(own),
                    f"{second}: {source.name} {HalfUp(after.mean(entry, second)):.4f}, "
                    f"{other.name} {HalfUp(after.mean(its, second)):.4f}",
                )
            )
        if meant and not any(own for own, _ in meant):
            yield sentence[match.start() : match.end()] + others[0].name, meant[0][1]


_TIMES_OR_QUERIES = r"(?![.,]\d)(?=\s*[.,;:]|\s+(?:and|but|y|pero|of|de|quer\w+|topics?|times|consultas?|veces)\b|$)"
_BETTER = r"wins?|is\s+better|helps?|is\s+ahead|improves?|gains?|gana|es\s+mejor|ayuda|mejora"
_WORSE = (
    r"loses?|is\s+worse|hurts?|harms?|does\s+harm|is\s+behind|falls\s+behind"
    r"|gets\s+worse|worsens?|pierde|es\s+peor|perjudica|empeora|daña"
)
_SIGN = rf"(?:(?P<better>{_BETTER})|(?P<worse>{_WORSE}))"
_ON_SOME = re.compile(
    rf"\b{_SIGN}\s+(?:(?:on|in|for|en)\s+)?(?:(?:only|just|solo)\s+)?(?P<n>twice|{_COUNT})(?!,\s+\d|,?\s+(?:and|y)\s+\d)"
    rf"(?:\s+(?:of|de)\s+(?:(?:the|those|its|las|sus)\s+)?(?P<of>{_COUNT}))?{_TIMES_OR_QUERIES}",
    re.I,
)
"""On how many queries something is better, or worse."""
_AND_SOME = re.compile(
    rf"\b(?:and|but|y|pero)\s+{_SIGN}\s+(?:(?:on|in|en)\s+)?(?P<n>twice|{_COUNT})(?!,\s+\d|,?\s+(?:and|y)\s+\d){_TIMES_OR_QUERIES}",
    re.I,
)
_ON_ONE = re.compile(
    rf"(?:\b(?:on|in|for|en)\s+(?:la\s+)?(?P<query>{_QUERY.pattern})[^,;.:]{{0,30}}?\s{_SIGN}(?!\s+(?:on|in|en|than|que|by)\b)"
    rf"|\b{_SIGN.replace('P<', 'P<s_')}\s+(?:(?:only|just|solo)\s+)?(?:on|in"
    rf"|en)\s+(?:la\s+)?(?P<s_query>{re.sub(r'P<(name|nth|last|other)>', r'P<s_' + chr(92) + '1>', _QUERY.pattern)}))",
    re.I,
)
"""A query on which something is better, or worse."""


_ON_LIST = re.compile(
    rf"\b(?:(?P<better>{_BETTER})|(?P<worse>{_WORSE})|(?P<tie>ties?|is\s+tied|empata))\s+(?:only\s+|solo\s+)?(?:on|in|en)\s+(?:las?\s+)?(?:(?:queries|query|consultas?)\s+|(?=\d+,\s\d))"
    r"(?P<queries>\w*\d\w*(?:(?:,\s+|,?\s+(?:and|y)\s+)\w*\d\w*)+)",
    re.I,
)
"""The queries on which a ranking is said to be better, worse, or equal."""


def _false_query_lists(
    sentence: str, states: Sequence[EvaluationContext], seen: Sequence[EvaluationContext]
) -> Iterator[Said]:
    if not states or len(states[0].collection.runs) < 2:
        return
    state, runs = states[0], tuple(each.name for each in states[0].collection.runs)
    subjects = _subjects(sentence, runs)
    for match in _ON_LIST.finditer(sentence):
        wanted = {*re.findall(r"\w*\d\w*", match["queries"])}
        subject = next((each for each in reversed(subjects) if each.end <= match.start()), None)
        named = subject.runs[0] if subject is not None and len(subject.runs) == 1 else ""
        measures = [*(each.measure for each in seen), *_measures_named(sentence, state)]
        meant = []
        for measure, first, second in product(dict.fromkeys(measures), state.collection.runs, state.collection.runs):
            if first is second or named not in ("", first.name) or not wanted <= {*state.query_ids}:
                continue
            difference = plain(state).values(first, measure) - plain(state).values(second, measure)
            signed = difference > 1e-9 if match["better"] else difference < -1e-9
            signed = np.abs(difference) < 1e-9 if match["tie"] else signed
            meant.append({query for query, each in zip(state.query_ids, signed, strict=True) if each})
        if meant and wanted not in meant:
            yield (
                " ".join(match[0].split()),
                "; ".join(", ".join(q for q in state.query_ids if q in each) or "–" for each in meant[:2]),
            )


def _false_wins(
    sentence: str, former: str, states: Sequence[EvaluationContext], seen: Sequence[EvaluationContext]
) -> Iterator[Said]:
    """Yield on how many queries, and on which, one of two rankings is said to be better or worse, where no two are so
    by a measure in view or named. What the sentence before says of the same two is taken together with it."""
    if not states or states[0].n_queries < 2 or len(states[0].collection.runs) < 2:
        return
    runs = tuple(each.name for each in states[0].collection.runs)
    own = [*_signs_said(sentence, runs, states[0].query_ids)]
    if not own or _ROUGHLY_SO.search(sentence):
        return
    before = [] if any(each[0] for each in own) or _ROUGHLY_SO.search(former) else [
        each for each in _signs_said(former, runs, states[0].query_ids) if not each[0]
    ]  # fmt: skip
    measures = [*(state.measure for state in seen), *_measures_named(f"{former} {sentence}", states[0])]
    known: list[tuple[str, str, np.ndarray]] = []
    for state, measure in product(states, dict.fromkeys(measures)):
        values = {each.name: plain(state).values(each, measure) for each in state.collection.runs}
        known += [(a, b, values[a] - values[b]) for a, b in product(values, values) if a != b]
    fits = [each for each in known if all(_fits(said, each, states[0].query_ids) for said in (*before, *own))]
    if known and not fits:
        counts = dict.fromkeys(
            f"{a} – {b}: {int(np.sum(each > 1e-9))} + {int(np.sum(each < -1e-9))}"
            for a, b, each in known[: 2 * len(runs)]
        )
        yield own[0][4], "; ".join([*counts][:4])


_OF_QUERIES = re.compile(r"\s+(?:of|quer\w+|topics?|de|consultas?)\b", re.I)
_OFTEN = {"once": 1, "twice": 2}
_ROUGHLY_SO = re.compile(
    r"\b(?:about|almost|at\s+least|at\s+most|more\s+than|most|casi"
        r"|al\s+menos|más\s+de|como\s+mucho|rank|posición|by|points?)\b", re.I
)  # fmt: skip


def _signs_said(
    sentence: str, runs: Sequence[str], queries: Sequence[str]
) -> Iterator[tuple[str, bool, int, str, str]]:
    """Yield (the ranking, whether it is better, on how many queries or 0, on which query, the text) of each claim."""
    subjects = _subjects(sentence, runs)
    for match in (each for form in (_ON_SOME, _AND_SOME) for each in form.finditer(sentence)):
        if re.search(r"\b(?:on|in|en)\s+\d+$", match[0]) and not _OF_QUERIES.match(sentence, match.end()):
            continue  # the name of a query
        subject = next((each for each in reversed(subjects) if each.end <= match.start()), None)
        run = subject.runs[0] if subject is not None and len(subject.runs) == 1 else ""
        yield (
            run,
            match["better"] is not None,
            _OFTEN.get(match["n"].lower()) or count_of(match["n"]),
            "",
            " ".join(match[0].split()),
        )
    for match in _ON_ONE.finditer(sentence):
        query = _query_of(match[0], queries)
        subject = next((each for each in reversed(subjects) if each.end <= match.end()), None)
        run = subject.runs[0] if subject is not None and len(subject.runs) == 1 else ""
        if query:
            yield run, bool(match["better"] or match["s_better"]), 0, query, " ".join(match[0].split())


def _fits(said: tuple[str, bool, int, str, str], known: tuple[str, str, np.ndarray], queries: Sequence[str]) -> bool:
    """Return whether the differences of two rankings are as is said."""
    run, is_better, n, query, _ = said
    first, _, differences = known
    signed = differences if is_better else -differences
    if run and run != first:
        return False
    return bool(signed[list(queries).index(query)] > 1e-9) if query else int(np.sum(signed > 1e-9)) == n
