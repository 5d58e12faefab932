"""What a sentence of a lesson says of the ranking that it named last, against that ranking: what is relevant at a rank,
how many documents it has, values of the measure that is named, where a step brings a document.

Texts are not understood. The ranking that is named last before a word or number is taken for its subject, "both" and
"neither" too. A claim is false only where no state of its part, no query and no cutoff that may be meant is as it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Lesson, Question, Step
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import plain
from irviewer.session.lecture_table.values import TableRanking
from irviewer.session.teaching.answers_of_one_order import NAMES_IN_WORDS
from irviewer.session.teaching.claims.phrases import Names
from irviewer.session.teaching.claims.understood import clause_of, is_understood
from irviewer.session.teaching.number_words import A_COUNT, AN_ORDINAL, COUNT_OF, count_of, order_of
from irviewer.session.teaching.sentences import claims_here, question_before
from irviewer.session.teaching.stated_facts import either_case
from irviewer.session.teaching.stated_values import OF_IDEAL, OF_SEVERAL, OF_SOME_QUERIES
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
    valued = seen if isinstance(part, Question) else states
    everywhere = parts.of(tuple(valued))
    views = list(dict.fromkeys((state.measure.name, None) for state in seen))
    former = part.title if isinstance(part, Question) else ""
    names = here.names(DIALECTS[lesson.rules].names)
    for sentence in (each for each in claims_here(text) if not each.rstrip().endswith("?")):
        asked = question_before(sentence, text)
        about = run or _meant_by_it(sentence, asked or former, here.runs)
        false = _false_in(sentence, lesson, part, here, everywhere, states, seen, about, former, views)
        yield from (each for each in false if is_understood(clause_of(sentence, each[0]), names))
        former = sentence


def _false_in(
    sentence: str,
    lesson: Lesson,
    part: Lesson | Step | Question,
    here: _Part,
    everywhere: _Part,
    states: Sequence[EvaluationContext],
    seen: Sequence[EvaluationContext],
    about: str,
    former: str,
    views: Sequence[tuple[str, int | None]],
) -> Iterator[Said]:
    """Yield what a sentence says that is not so, whatever words it has beside it."""
    part_query = "" if isinstance(part, Lesson) else part.view.query
    valued = seen if isinstance(part, Question) else states
    query = _query_of(sentence, here.queries)
    for subject, clause in _clauses(sentence, here.runs, about):
        yield from _false_at_ranks(clause, subject, query, here)
        yield from _false_firsts(clause, subject, query, here)
        if not _CUT.search(sentence[: subject.start]):
            yield from _false_nothing(clause, subject, query, here)
    yield from _false_directions(sentence)
    yield from _false_everywhere(sentence, states[:1], seen)
    yield from _false_lists(sentence, here)
    yield from _false_wins(sentence, former, states[:1] if isinstance(part, Question) else states, seen)
    yield from _false_query_lists(sentence, states[:1], seen)
    yield from _false_values(sentence, former, query, everywhere, valued, about, views)
    yield from _false_ratios(sentence, query or part_query, everywhere, views)
    if isinstance(part, Step) and len(part.actions) == 1 and len(states) > 1:
        yield from _false_moves(sentence, here)
        yield from _false_passing(lesson, sentence, states)


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


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


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
        ranks, kind, nth = _numbers(match["ranks"]), _kind_of(match), (match["nth"] or "").lower()
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


_WAITS = re.compile(
    r"\b(?:waits?|has\s+to\s+wait|have\s+to\s+wait|espera[rn]?)\s+(?:until|to|till|hasta)\s+(?:rank|position|la\s+posición)\s+"
    r"(?P<rank>\d+)(?![\w/]|\.\d)",
    re.I,
)
_OPENS = re.compile(
    rf"\b(?:starts?|begins?|opens?|empieza|comienza|abre)\s+(?:with|con)\s+(?:an?|(?P<n>{_COUNT}))\s+"
    r"(?:(?P<non>(?:miss(?:es)?|fallos?)|(?:non-?relevant|irrelevant|useless|bad)(?:\s+(?:one|document|result)s?)?|documentos?\s+no\s+relevantes?)|"
    r"(?P<relevant>hits?|aciertos?|(?:relevant|good|useful)(?:\s+(?:one|document|result)s?)?|documentos?\s+relevantes?))\b",
    re.I,
)
_ANSWER_AT = re.compile(
    r"\b(?:puts?|has|have|finds?|shows?|places?|ranks?|tiene|pone|encuentra|muestra)\s+(?:the|its|their|su|la|el)\s+(?:right\s+|correct\s+|only\s+)?"
    r"(?:answer|home\s+page|page|target|respuesta|página)\s+(?:only\s+|already\s+|solo\s+|ya\s+)?(?:at|en)\s+(?:rank|la\s+posición)\s+(?P<rank>\d+)(?![\w/]|\.\d)",
    re.I,
)
_NEEDS = re.compile(
    rf"\b(?:needs?|necesita)\s+(?:only\s+|solo\s+)?(?P<n>{_COUNT})\s+(?:documents?|results?|documentos?|resultados?)\s+(?:to\s+(?:get\s+there|find|reach)|before|until|for|para)\b",
    re.I,
)


def _false_firsts(clause: str, subject: _Subject, query: str, here: _Part) -> Iterator[Said]:
    """Yield what is said of the first documents of a subject, or of how far its first relevant one is down, and is not
    so."""
    own = here.of(subject.runs, query)
    for match in _WAITS.finditer(clause) if own and subject.how != "none" else ():
        firsts = [each[3].first_relevant == int(match["rank"]) for each in own]
        if any(each[3].hits[-1] for each in own) and not _holds(subject, own, firsts):
            yield " ".join(match[0].split()), _stated(own, "relevant")
    for form in (_ANSWER_AT, _NEEDS) if own and subject.how != "none" else ():
        for match in form.finditer(clause):
            rank = count_of(match["rank"] if form is _ANSWER_AT else match["n"])
            if not _holds(subject, own, [each[3].first_relevant == rank for each in own]):
                yield " ".join(match[0].split()), _stated(own, "relevant")
    for match in _OPENS.finditer(clause) if own else ():
        kind = "non" if match["non"] else "relevant"
        first = range(1, 1 + (count_of(match["n"]) if match["n"] else 1))
        if not _holds(subject, own, [all(_is_kind(each[3], rank, kind) for rank in first) for each in own]):
            yield " ".join(match[0].split()), _stated(own, kind)


_CUT = re.compile(
    rf"(?:@|\b(?:rank|position|posición|cutoff|first|top|primer[oa]s"
        rf"|after)\s+)(?P<k>{_COUNT})\b|\b(?P<m>{_COUNT})\s+(?:primer[oa]s|documents|documentos)\b", re.I
)  # fmt: skip


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


_NOTHING = re.compile(
    r"\b(?:fails?(?:\s+(?:altogether|completely|entirely))(?:\s+(?:and|to))?|(?:finds?|retrieves?|returns?)\s+(?:nothing|no\s+relevant\s+documents?)(?:\s+(?:relevant|at\s+all|useful))?|"
    r"comes?\s+(?:away|back)\s+empty|no\s+encuentra\s+(?:nada|ningún\s+documento\s+relevante)|fracasa|falla\s+por\s+completo)(?!\s+(?:among|in|within|at|until|before|below|after|more|else|new|further|entre|en|hasta|antes|más|nuevo))\b",
    re.I,
)


def _false_nothing(clause: str, subject: _Subject, query: str, here: _Part) -> Iterator[Said]:
    for match in _NOTHING.finditer(clause):
        own = here.of(subject.runs, query)
        if own and subject.how != "none" and not _holds(subject, own, [not each[3].hits[-1] for each in own]):
            yield " ".join(match[0].split()), _stated(own, "relevant")


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
        ranks = _numbers(match["ranks"])
        named = {run for each in _subjects(sentence, here.runs) for run in each.runs} or {*here.runs}
        own = here.of([*named], "")
        is_unjudged = _UNJUDGED.search(sentence) and not re.search(r"\brelevant", sentence)
        kinds = ("unjudged",) if is_unjudged else ("relevant", "non", "unjudged")
        if len(ranks) > 1 and own and not any(
            all(_is_kind(each[3], rank, kind) for rank in ranks) for each, kind in product(own, kinds)
        ):  # fmt: skip
            yield " ".join(match[0].split()), _stated(own, "unjudged" if "judg" in sentence else "relevant")


_MEASURE = re.compile(
    r"(?<![\w@-])(?:(?P<sign>(?-i:[A-Z][A-Za-z]*@\d+|n?DCG|NDCG|M?AP|M?RR|F1?|CG|P|R)(?![\w@]))|(?P<words>average\s+precision|reciprocal\s+ranks?|precisión\s+media|"
    r"rango\s+recíproco)|(?<!biased\s)(?<!interpolated\s)(?<!R-)(?P<precision>precision(?!\w)|precisión)|(?P<recall>(?:recall|exhaustividad)(?!\w)))"
    rf"(?:\s+(?:(?:at|after|in|over|within|en|tras)\s+(?:(?:the|rank|la|posición|los|its|first|top|primer[oa]s)\s+){{0,3}}(?P<k>{_COUNT})(?:\s+(?:documents|documentos|primeros))?|(?P<end>(?:at\s+the\s+end|al\s+final)(?:\s+(?:of|de)\s+(?:the|its|both|la|ambas|su)\s+(?:lists?|rankings?|listas?))?)))?",
    re.I,
)
_VALUE = re.compile(
    r"(?<![\w.,@/^=+×*·(−–-])(?P<value>\d*\.\d+|\d+/[1-9]\d*|\d+(?:\.\d+)?(?=\s?%))(?P<percent>\s?%)?(?![\w^/%]|\.\d|\s*[-+*/×·÷−=][\s\d.(]|-)"
)
_NOT_VALUE = re.compile(
    r"(?:\b(?:against|versus|vs\.?|compared\s+(?:with|to)|frente\s+a|contra|not|instead\s+of|by|than|about|almost|nearly|roughly|over|under|above|below|least|most|approximately|around|some|times|plus|minus|up|"
    r"casi|unos|por|más\s+de|menos\s+de|que|hasta|en|un|sube|baja|crece|cae|aumenta|disminuye|rises|falls|recall|exhaustividad)\s+|[=<>≥≤±]\s*|\b[tpdgα]\s+(?:=|of|is)\s+)$",
    re.I,
)
_NO_VALUE_AFTER = re.compile(
    r"^\s*(?:higher|lower|more|less|better|worse|points?|above|below|ahead|to\s+the|más|menos|puntos?|of\s+the|de\s+los|of\s+an?\b)",
    re.I,
)
_AT_RANK_AFTER = re.compile(r"\s+(?:at|en)\s+(?:rank|la\s+posición)\s+(?P<rank>\d+)(?![\w/]|\.\d)")
_LISTED_AFTER = re.compile(r"(?:,|\s+and|\s+y)\s+\.?\d(?![^.,;]*\b(?:for|in|of|by|is|de|para|en|es)\b)")
_LISTED_BEFORE = re.compile(r"\d(?:,|,?\s+and|\s+y)\s+$")
"""A number in a list of numbers, of as many rankings or queries."""
_IS = re.compile(
    r"\b(?:is|are|reaches|stays|drops?|climbs?|rises?|falls?|jumps?|grows?|goes|equals|es|son|queda|llega|sube|baja|vale)\b|="
)
_OF_OTHER = re.compile(
    r"\b(?:sum|difference|differs?|gain(?!s?\s+of\s+the)|improve\w*|contribut\w*|discount\w*|share|weights?|levels?|threshold|persistence|adds?|"
    r"loses|loss|average\s+of|halfway|interval|ratio|divided?|factor|suma|diferencia|aporta|descuento|nivel|peso|umbral|mejora|cociente|"
    r"significan\w*|test|p-value|error|ideal|maximum|possible|largest|best|perfect|without|other|every|posible|máxim[oa]|perfect[oa]|"
    r"beta|alpha|kappa|interpolat\w*|expected|random\w*|student|mean\s+of|worth|term|third|second|stop|note|changes?|rises?\s+(?:in|of|by)|drops?\s+(?:in|of|by)|increase|decrease|cambio|subida|bajada|caída|rare|half)\b",
    re.I,
)
"""Words of a clause whose number is no value of a measure of a ranking."""
_OF_BOTH = re.compile(
    r"\b(?:differences?|advantages?|leads?|gaps?|distances?|margins?|diferencias?|ventajas?|brechas?|distancias?|margen)\b"
    r"(?!.*\b(?:from|to|desde|hasta)\b)[^,;:]*$|"
    r"\b(?:means?|averages?|sums?|products?|medias?|promedios?|sumas?|productos?)(?:\s+\w+)?\s+(?:of|de)\b[^,;:]*"
    r"\b(?:precision|precisión|recall|exhaustividad|[A-Z]\w*)\s+(?:and|y|e)\s+(?:la\s+)?(?:precision|precisión|recall|exhaustividad|[A-Z]\w*)\b[^,;:]*$"
)
"""The beginning of a clause whose number is what two values give."""
_BINDS = re.compile(
    r"\s*(?:,\s*)?(?:\b(?:is|are|was|of|=|at|there|then|now|here|only|just|exactly|reaches|stays|drops?|climbs?|rises?|falls?|jumps?|grows?|to|goes|equals|still|a|it|has|"
    r"es|son|de|queda|llega|sube|baja|a|hasta|en|vale|solo|ahora|rank|position|la|posición|for|in|un|una|from|both|the|its|list|down|up|first|top|documents?)\s+|"
    r"\d+\s+){0,6}\s*$",
    re.I,
)
"""What may be between a measure and its value."""
_COLUMN = {
    "P": "precision", "R": "recall", "F": "f", "F1": "f", "AP": "average_precision", "MAP": "average_precision",
    "RR": "reciprocal_rank", "MRR": "reciprocal_rank", "CG": "cumulated", "DCG": "dcg", "nDCG": "normalised",
    "NDCG": "normalised",
}  # fmt: skip
_COLUMNS = (*dict.fromkeys(_COLUMN.values()), "precision_sum", "gain", "discounted", "ideal", "discount", "grades")


def _named(match: re.Match[str]) -> tuple[str, int | None]:
    """Return the measure that is named, without its cutoff, and the cutoff."""
    if match["sign"]:
        name, _, k = match["sign"].partition("@")
        return name, int(k) if k else count_of(match["k"]) if match["k"] else None
    name = "P" if match["precision"] else "R" if match["recall"] else ""
    words = " ".join((match["words"] or "").lower().split())
    name = name or next((own for own, form in NAMES_IN_WORDS if form.search(words)), "RR")
    return name, count_of(match["k"]) if match["k"] else _TO_THE_END if match["end"] else None


def _values(
    name: str, k: int | None, runs: Sequence[str], query: str, part: _Part, states: Sequence[EvaluationContext]
) -> list[float]:
    """Return the values that a measure has for some rankings: of a query, or of each and the mean; at a cutoff, or at
    every rank. Of measures that have no column in the table, such as Judged@5, they are those of the states."""
    column = _COLUMN.get(name, "")
    own = part.of(runs, query) if column else ()
    values: list[float] = []
    rows: dict[tuple[int, str], list[np.ndarray]] = {}
    for place, run, _, ranking in own:
        row = np.asarray(getattr(ranking, column), dtype=np.float64)
        values += [float(row[min(k, ranking.n) - 1])] if k else [*map(float, row)]
        if k and _TO_THE_END > k > ranking.n and name == "P":
            values.append(float(ranking.hits[-1] / k))
        rows.setdefault((place, run), []).append(row)
    for group in rows.values() if not query else ():
        length = min(map(len, group))
        mean = np.mean([row[:length] for row in group], axis=0)
        values += [float(mean[min(k, length) - 1])] if k else [*map(float, mean)]
    for state in states if k != _TO_THE_END else ():
        try:
            measures = [parse_measure(f"{name}@{k}" if k else name, state.options.rules.names)]
        except MeasureError:
            measures = []
        measures += [state.measure] if state.measure.name == name and k is None else []
        for entry in state.collection.runs:
            if ranking_name(entry) in runs:
                for measure in measures:
                    each = plain(state).values(entry, measure)
                    values += [float(v) for q, v in zip(state.query_ids, each, strict=True) if query in ("", q)]
                    values += [] if query else [float(plain(state).mean(entry, measure))]
    return [value for value in values if value == value]


_TO_THE_END = 1_000_000
_AT_ANY_RANK = frozenset({"P", "R", "F", "F1", "CG", "DCG", "nDCG", "NDCG"})
"""Measures of which a sentence tells the cutoff before them."""
_CUTOFF_BEFORE = re.compile(
    rf"^\W*(?:at|after|in|among|down\s+to|within|en|tras|entre)\s+(?:(?:the|los|la)\s+)?(?:(?:rank|first|top|position|posición|primer[oa]s)\s+)?(?P<k>{_COUNT})\b"
    rf"(?!\s+(?:of|quer|systems|engines|cases|de))|(?P<all>\b(?:over|in|at\s+the\s+end\s+of)\s+the\s+(?:whole|entire|full)\s+(?:list|ranking)|\ben\s+toda\s+la\s+lista)",
    re.I,
)


def _cutoff_before(sentence: str) -> int | None:
    """Return the cutoff of which a sentence is from its beginning: "At rank 3", "over the whole list"; None for none,
    or where it names others too."""
    match = _CUTOFF_BEFORE.search(sentence)
    if match is None or _CUTOFF_AFTER.search(sentence[match.end() :]):
        return None
    return _TO_THE_END if match["all"] else count_of(match["k"])


_CUTOFF_AFTER = re.compile(
    rf"@\d|\b(?:rank|ranks|position|posición|first|top|primer[oa]s"
        rf"|after)\s+(?:{_COUNT})\b|\b(?:then|later|end|begins?|luego|final)\b", re.I
)  # fmt: skip


def _is_one_of(match: re.Match[str], values: Sequence[float]) -> bool:
    """Return whether a number, a fraction or a percentage is one of some values, rounded to its digits."""
    above, _, below = match["value"].partition("/")
    decimals = len(above.partition(".")[2])
    unit = 0.5000001 * 10.0**-decimals if "." in above or match["percent"] else 1e-6
    number = float(above) / float(below or 1)
    scale = 100.0 if match["percent"] else 1.0
    near = [scale * value for value in values if abs(scale * value - number) <= unit]
    if decimals == 1 and not match["percent"]:  # nobody writes .8 for .75
        near = [value for value in near if abs(value - number) < 1e-9 or abs(value - round(value, 2)) > 1e-9]
    return bool(near)


def _false_values(
    sentence: str,
    former: str,
    query: str,
    part: _Part,
    states: Sequence[EvaluationContext],
    run: str,
    views: Sequence[tuple[str, int | None]],
) -> Iterator[Said]:
    """Yield the value of a measure that a sentence says of a ranking, where it has it nowhere: behind a measure
    that is named, or as that of another ranking."""
    if OF_SOME_QUERIES.search(sentence):
        return
    subjects = _subjects(sentence, part.runs)
    measures = [*_MEASURE.finditer(sentence)]
    for value in _VALUE.finditer(sentence):
        start = value.start()
        is_listed = _LISTED_AFTER.match(sentence, value.end()) or _LISTED_BEFORE.search(sentence[:start])
        clause_start = max(map(sentence.rfind, (";", ":"), (0, 0), (start, start))) + 1
        clause = sentence[clause_start:start]
        if (
            value[0].startswith("100")
            or _NOT_VALUE.search(sentence[:start])
            or _NO_VALUE_AFTER.search(sentence[value.end() :])
        ):
            continue
        after = re.match(
            r"\s+(?:for|in|by|with|of|at|para|en|de|con)\s+(?:the\s+|la\s+|el\s+)?", sentence[value.end() :]
        )
        owner = None
        if after is not None:
            owner = next((each for each in subjects if each.start == value.end() + after.end()), None)
        owner = owner or next(
            (each for each in reversed(subjects) if clause_start <= each.start < each.end <= start), None
        )
        if owner is None and run in part.runs:
            owner = _Subject(0, 0, (run,), "all")
        runs = owner.runs if owner is not None else part.runs
        if is_listed and (named_runs := tuple(dict.fromkeys(each for own in subjects for each in own.runs))):
            runs, owner = named_runs, None
        own_measure = next((each for each in reversed(measures) if each.end() <= start), None)
        if own_measure is not None and own_measure["sign"] and OF_IDEAL.search(former):
            continue  # of an order that no list has
        if own_measure is not None and OF_SEVERAL.search(sentence[: own_measure.start()]):
            continue
        if _OF_BOTH.search(clause):
            continue  # "the advantage of vectors in AP is"
        if _OF_OTHER.search(sentence[own_measure.end() if own_measure else clause_start : start]) or _OF_OTHER.search(
            clause[-45:]
        ):
            continue
        if own_measure is not None:
            name, k = _named(own_measure)
            k = k if k is not None or name not in _AT_ANY_RANK else _cutoff_before(sentence)
            if (at := _AT_RANK_AFTER.match(sentence, value.end())) is not None and own_measure["k"] is None:
                k = int(at["rank"])
            between = sentence[own_measure.end() : start]
            for each in subjects:  # names may be between a measure and its value
                if own_measure.end() <= each.start and each.end <= start:
                    between = between.replace(sentence[each.start : each.end], "of ", 1)
            values = _values(name, k, runs, query, part, states)
            is_bound = _BINDS.fullmatch(between + " ") and (owner is not None or run or _IS.search(between))
            if values and is_bound and not _is_one_of(value, values):
                yield sentence[own_measure.start() : value.end()].strip(), _listed(name, k, runs, values)
                continue
        if owner is None or owner.how == "any" or len(owner.runs) > 1 or len(part.runs) < 2 or "/" in value["value"]:
            continue
        named = dict.fromkeys(_named(each) for each in (*measures, *_MEASURE.finditer(former)))
        alone = {_named(each) for each in measures if each.end() <= start}
        is_behind = after is not None and owner.start == value.end() + after.end()
        is_behind = is_behind and len({*map(_named, measures)}) == 1
        if len(alone) == 1 and (is_behind or (owner.end <= start and _SCORES.fullmatch(sentence[owner.end : start]))):
            name, k = next(iter(alone))
            k = k if k is not None or name not in _AT_ANY_RANK else _cutoff_before(sentence)
            values = _values(name, k, owner.runs, query, part, states)
            if values and not _is_one_of(value, values):
                said = sentence[min(owner.start, start) : max(owner.end, value.end())]
                yield " ".join(said.split()), _listed(name, k, owner.runs, values)
                continue
        if _JUDGED.search(sentence):
            continue  # a share of documents that are judged
        named |= dict.fromkeys(views)
        if _is_one_of(value, _of_any(owner.runs, query, part, states, named)):
            continue
        others = [each for each in part.runs if each not in owner.runs]
        for name, k in named:
            values = _values(name, k, owner.runs, query, part, states)
            if values and _is_one_of(value, _values(name, k, others, query, part, states)):
                said = sentence[owner.start : value.end()] if owner.start < start else sentence[start : owner.end]
                yield " ".join(said.split()), _listed(name, k, owner.runs, values)
                break


_JUDGED = re.compile(r"\b(?:(?:un)?judged|juzgad[oa]s?|sin\s+juzgar)\b(?!@)", re.I)
_SCORES = re.compile(
    r"(?:['’]s)?\s*(?:systems?|engines?|retrievers?|rankings?|lists?|ones?)?,?\s*(?:scores?|gets?|reaches|has|earns?|is\s+given|receives?|obtains?|achieves?|comes?\s+(?:last|first|second)\s+with|"
    r"is|are|with|at|have|tiene|obtiene|alcanza|consigue|es|con|saca)?\s*(?:at\s+)?(?:(?:only|just|even|exactly|solo|apenas)\s+)?(?:an?\s+|un\s+)?",
    re.I,
)
"""What is between a ranking and its value of a measure that the sentence names before."""
_TIMES_AS = {
    "twice": 2.0, "double": 2.0, "half": 0.5, "a third": 1 / 3, "three times": 3.0, "triple": 3.0, "four times": 4.0,
    "five times": 5.0, "el doble": 2.0, "la mitad": 0.5, "el triple": 3.0, "tres veces": 3.0, "cuatro veces": 4.0,
}  # fmt: skip
_RATIO = re.compile(
    rf"\b(?P<ratio>{'|'.join(each.replace(' ', chr(92) + 's+') for each in _TIMES_AS)})\s+"
    r"(?:as\s+(?:good|high|large|big|much|well)\s+as|that\s+of|(?:de\s+)?(?:la|el)\s+de|(?:de\s+)?(?:buena?|alt[oa])\s+que|que)\s+(?:that\s+of\s+|those\s+of\s+|(?:la|el)\s+de\s+)?(?:the\s+|la\s+|el\s+)?",
    re.I,
)


def _false_ratios(sentence: str, query: str, part: _Part, views: Sequence[tuple[str, int | None]]) -> Iterator[Said]:
    """Yield how many times the value of another ranking the value of one is said to be, where it is so at no rank, of
    no query, by no measure that is named or in view."""
    subjects = _subjects(sentence, part.runs)
    for match in _RATIO.finditer(sentence):
        other = next((each for each in subjects if each.start == match.end()), None)
        if other is None or _ROUGHLY.search(sentence[: match.start()]):
            continue
        name = next((run for run in part.runs if re.match(either_case(run), sentence[match.end() :])), "")
        own = next((each for each in reversed(subjects) if each.end <= match.start() and len(each.runs) == 1), None)
        runs = own.runs if own is not None and own.runs != (name,) else tuple(run for run in part.runs if run != name)
        if len(runs) != 1 or not name:
            continue
        named = [_named(each) for each in _MEASURE.finditer(sentence)] or [*views, ("P", None)]
        ratio = _TIMES_AS[" ".join(match["ratio"].lower().split())]
        pairs = []
        for measure, k in named:
            for place, _, its, ranking in part.of([name], query):
                mine = next((each[3] for each in part.lists if each[:3] == (place, runs[0], its)), None)
                if mine is not None and measure in _COLUMN:
                    rows = (np.asarray(getattr(each, _COLUMN[measure])) for each in (mine, ranking))
                    pairs += [*zip(*(row[k - 1 : k] if k else row for row in rows), strict=False)]
            if not query:
                both = [_values(measure, k, [each], "", part, ()) for each in (runs[0], name)]
                pairs += [*zip(*both, strict=False)]
        known = [(float(first), float(second)) for first, second in pairs if second > 0]
        if known and not any(abs(first - ratio * second) <= 0.1 * ratio * second for first, second in known):
            meant = ", ".join(
                f"{HalfUp(first):.4f} / {HalfUp(second):.4f}" for first, second in [*dict.fromkeys(known)][:3]
            )
            yield " ".join(sentence[match.start() : other.end].split()), f"{runs[0]} / {name}: {meant}"


_ROUGHLY = re.compile(
    r"\b(?:about|almost|nearly|roughly|around|over|more\s+than|less\s+than"
        r"|at\s+least|not|casi|alrededor\s+de|más\s+de|menos\s+de|no)\s+$", re.I
)  # fmt: skip


def _of_any(
    runs: Sequence[str],
    query: str,
    part: _Part,
    states: Sequence[EvaluationContext],
    named: Iterable[tuple[str, int | None]],
) -> list[float]:
    """Return all values that some rankings have in the columns of the table, and of the measures that are named."""
    cuts = ((name, None if name in _COLUMN else k) for name, k in named)
    values = [value for name, k in cuts for value in _values(name, k, runs, query, part, states)]
    for name in _COLUMN:
        values += _values(name, None, runs, query, part, ())
    for *_, ranking in part.of(runs, query):
        for column in _COLUMNS:
            values += map(float, np.nan_to_num(getattr(ranking, column)))
    return values


def _listed(name: str, k: int | None, runs: Sequence[str], values: Sequence[float]) -> str:
    shown = [f"{HalfUp(value):.4f}" for value in dict.fromkeys(round(value, 9) for value in values)]
    of = f" ({', '.join(runs)})" if len(runs) < 3 else ""
    return (
        f"{name}{f'@{k}' if k and k < _TO_THE_END else ''}{of}: "
        + ", ".join(shown[:6])
        + (" …" if len(shown) > 6 else "")
    )


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


_PASSES = re.compile(
    r"\b(?:(?P<over>overtakes?|passes|moves?\s+past|gets?\s+ahead\s+of|moves?\s+ahead\s+of|adelanta\s+a|supera\s+a)|(?P<level>draws?\s+level\s+with|catches\s+up\s+with|"
    r"equals|ties\s+with|alcanza\s+a|iguala\s+a|empata\s+con)|(?P<under>falls?\s+behind|drops?\s+behind|is\s+overtaken\s+by|queda\s+por\s+detrás\s+de))\s+(?:the\s+)?",
    re.I,
)


def _false_passing(lesson: Lesson, sentence: str, states: Sequence[EvaluationContext]) -> Iterator[Said]:
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
        names = [f"{name}@{k}" if k else name for name, k in map(_named, _MEASURE.finditer(sentence))]
        measures = [(before.measure, after.measure), (after.measure, after.measure)]
        for name in names:
            try:
                measures.append((parse_measure(name, DIALECTS[lesson.rules].names),) * 2)
            except MeasureError:
                continue
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
    rf"\b(?:(?P<better>{_BETTER})|(?P<worse>{_WORSE})|(?P<tie>ties?|is\s+tied|empata))\s+(?:only\s+|solo\s+)?(?:on|in|en)\s+(?:las?\s+)?(?:queries|query|consultas?)\s+"
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
        measures = [each.measure for each in seen]
        for name, k in map(_named, _MEASURE.finditer(sentence)):
            try:
                measures.append(parse_measure(f"{name}@{k}" if k else name, state.options.rules.names))
            except MeasureError:
                continue
        meant = []
        for measure, first, second in product(dict.fromkeys(measures), state.collection.runs, state.collection.runs):
            if first is second or named not in ("", first.name) or not wanted <= {*state.query_ids}:
                continue
            difference = plain(state).values(first, measure) - plain(state).values(second, measure)
            signed = difference > 1e-9 if match["better"] else difference < -1e-9
            signed = np.abs(difference) < 1e-9 if match["tie"] else signed
            meant.append({query for query, each in zip(state.query_ids, signed, strict=True) if each})
        if meant and wanted not in meant:
            yield " ".join(match[0].split()), "; ".join(", ".join(sorted(each, key=len)) or "–" for each in meant[:2])


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
    measures = [state.measure for state in seen]
    for name, k in map(_named, _MEASURE.finditer(f"{former} {sentence}")):
        try:
            measures.append(parse_measure(f"{name}@{k}" if k else name, states[0].options.rules.names))
        except MeasureError:
            continue
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
