"""Choices whose marks the values of a lesson decide: the names of rankings, to "Which ranking has the higher P@5?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from irviewer.model.dialects import DIALECTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Choice, Lesson, Question
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.teaching.checking.lesson_rankings import Rankings, either_case, means_of, values_stated
from irviewer.session.teaching.checking.prose.comparisons import called_by
from irviewer.session.teaching.checking.prose.ranks import down_the_list
from irviewer.session.teaching.checking.wording.named_measures import measures_down_the_list, measures_said
from irviewer.session.teaching.checking.wording.number_words import A_COUNT, A_SHARE, PLACES, count_of, share_of
from irviewer.session.teaching.checking.wording.sentences import SUPPOSING
from irviewer.translation import tr

_ASKS = re.compile(r"^(?:¿\s*)?(?:which|what|qué|cuál)\b", re.I)
_HIGH = re.compile(r"\b(?:high(?:er|est)|better|best|mejor(?:es)?|mayor(?:es)?|más alt[oa])\b", re.I)
_LOW = re.compile(r"\b(?:low(?:er|est)|worse|worst|peor|menor|más baj[oa]|not|no)\b", re.I)
_OF_OTHERS = re.compile(r"\b(?:quer(?:y|ies)|consultas?|after|once|tras|después)\b", re.I)
"""Words of a question that is not about the means of the rankings as they are."""
_QUERY = re.compile(r"\b(?:query|consulta)\s+([\w-]+)", re.I)
_READS = re.compile(
    rf"\b(?:reads?|looks?\s+at|lee|mira)\s+(?:only\s+|solo\s+)?(?:the\s+first\s+|los\s+)?{A_COUNT}\s+(?:primeros\s+)?"
    r"(?:documents|documentos)\b",
    re.I,
)
_NEEDS_ALL = re.compile(
    r"\bas\s+many\s+relevant\s+documents\s+as\s+possible\b|\bmayor\s+número\s+posible\s+de\s+documentos\s+relevantes\b",
    re.I,
)
_AT_K = re.compile(r"\bK = (\d+)\b")
_NEITHER = re.compile(
    r"^(?:neither|none|both|they are equal|they are the same|equal|ningun[oa]|amb[oa]s|son iguales|l[oa]s dos)\b", re.I
)


def query_in(title: str, contexts: Sequence[EvaluationContext]) -> str:
    """Return the query of some states that the title of a question names; "" for none."""
    named = _QUERY.search(title)
    return named[1] if named and any(named[1] in context.query_ids for context in contexts) else ""


def decided_otherwise(lesson: Lesson, question: Question, context: EvaluationContext | None) -> Iterator[str]:
    """Yield why the choice that is marked is not the right one, by the values of each measure that the title names."""
    marked = [choice for choice in question.choices if choice.right]
    title = question.title
    if context is not None and len(marked) == question.n_right == 1:
        yield from _other_query(lesson, question, marked[0], context)
        yield from _other_rank(lesson, question, marked[0], context)
    if context is None or not marked or question.n_right != len(marked) or SUPPOSING.search(title):
        return
    if not _ASKS.search(title) or not _HIGH.search(title) or _LOW.search(title):
        return
    query = query_in(title, [context])
    if _OF_OTHERS.search(_QUERY.sub("", title) if query else title):
        return
    measures = measures_said(title, DIALECTS[lesson.rules].names)
    if not measures and (cut := _AT_K.search(title)) and context.measure.cutoff is not None:
        measures = [f"{context.measure.name}@{cut[1]}"]
    measures = measures or _for_user(title) or _in_words(title)
    measures = [each for each in measures if means_of(each, context, lesson, query)]
    if len(marked) == 1:
        reasons = [_against(marked[0], question.choices, measure, lesson, context, query) for measure in measures]
    else:
        reasons = [
            _against_several(question.choices, means_of(each, context, lesson, query), each) for each in measures
        ]
    if reasons and all(reasons):
        yield reasons[0]


_IN_WORDS = re.compile(
    rf"(?<!average )\b(?:(?P<precision>precision|precisión(?! media))|(?P<recall>recall|exhaustividad))\s+"
    rf"(?:(?:at|in|after|en|tras)\s+)"
    rf"(?:(?:the|rank|first|la|los|posición)\s+){{0,3}}{A_COUNT}(?!\w)",
    re.I,
)
"""Precision or recall at a rank, in words."""


def _in_words(title: str) -> list[str]:
    return [f"{'P' if match['precision'] else 'R'}@{count_of(match[3])}" for match in _IN_WORDS.finditer(title)]


_WHICH_QUERY = re.compile(r"\b(?:on|for|in|en|para)\s+(?:which|what|qué|cuál)\s+(?:query|consulta)\b", re.I)
_WINS = re.compile(r"\b(?:wins?|better|ahead|gana|mejor|por delante)\b", re.I)
_LOSES = re.compile(r"\b(?:loses?|worse|behind|pierde|peor|por detrás)\b", re.I)


def _other_query(lesson: Lesson, question: Question, marked: Choice, context: EvaluationContext) -> Iterator[str]:
    """Yield why the marked query is none on which the ranking that the title names is better, or worse, than the other
    one, by all measures that the title names or the lesson shows, if another choice is one by all of them."""
    title, names, entries = question.title, DIALECTS[lesson.rules].names, context.collection.runs
    is_better, queries = _WINS.search(title) is not None, list(context.query_ids)
    if not _WHICH_QUERY.search(title) or is_better == bool(_LOSES.search(title)) or len(entries) != 2:
        return
    if SUPPOSING.search(title) or re.search(r"\b(?:not|no)\b", title, re.I):
        return
    places = {each.name: named.start() for at, each in enumerate(entries)
              if (named := re.search(called_by(each.name, at, 2), title))}  # fmt: skip
    of = {choice.text: match[1] for choice in question.choices if (match := _QUERY.fullmatch(choice.text.strip(" .")))}
    if not places or len(of) != len(question.choices) or not {*of.values()} <= {*queries}:
        return
    own = min(places, key=places.__getitem__)
    shown = [figure.measure for figure in lesson.figures] + [context.measure.text]
    against = []
    for name in measures_said(title, names) or dict.fromkeys(shown):
        values = {query: means_of(name, context, lesson, query) for query in of.values()}
        other = next(each.name for each in entries if each.name != own)
        ahead = {query: (each[own] - each[other]) * (1 if is_better else -1) > 1e-9 for query, each in values.items()}
        right = next((query for query in ahead if ahead[query]), "")
        if ahead[of[marked.text]] or not right:
            return
        against.append(values_stated(name, values[of[marked.text]]))
    yield from against[:1]


_RANK_CHOICE = re.compile(r"(?:(?:at|en)\s+)?(?:(?:la\s+)?(?:rank|posición)\s+)?(\d+)", re.I)
_SHARE_OF_GAIN = re.compile(
    rf"\b(?:rank|ranks|posición|posiciones)\b[^.?!]{{0,80}}?(?P<share>{A_SHARE})\s+(?:of|de)\s+(?:its|the|su|la)\s+(?:gain|ganancia)\b",
    re.I,
)
"""A title that asks at which rank a share of the gain is left."""


def _other_rank(lesson: Lesson, question: Question, marked: Choice, context: EvaluationContext) -> Iterator[str]:
    """Yield why the marked rank is not the one at which a share of the gain is left, or a measure highest or lowest,
    if another choice is."""
    ranks = {choice.text: int(match[1]) for choice in question.choices
             if (match := _RANK_CHOICE.fullmatch(choice.text.strip(" .")))}  # fmt: skip
    if len(ranks) != len(question.choices) or min(ranks.values()) < 1:
        return
    seen, said = Rankings([context]), _SHARE_OF_GAIN.search(question.title)
    if said is not None:
        rules = {each.rule for each in seen.lists}
        shares = {rank: float(rule.share(np.array([rank]))[0]) for rule in rules for rank in ranks.values()}
        right = [rank for rank, share in shares.items() if abs(share - share_of(said["share"])) < 1e-6]
        if len(rules) == 1 and len(right) == 1 and right[0] != ranks[marked.text]:
            share = HalfUp(shares[ranks[marked.text]])
            yield tr("the discount at rank {rank} is {share:.4f}", rank=ranks[marked.text], share=share)
        return
    named = measures_down_the_list(question.title, DIALECTS[lesson.rules].names)
    is_high = re.search(r"\b(?:highest|máxim[oa]|más\s+alt[oa])\b", question.title, re.I)
    is_low = re.search(r"\b(?:lowest|mínim[oa]|más\s+baj[oa])\b", question.title, re.I)
    if len(named) != 1 or bool(is_high) == bool(is_low) or re.search(r"\b(?:if|si|not|no)\b", question.title, re.I):
        return
    rows = [*down_the_list(named[0], max(ranks.values()), seen)]
    best = max if is_high else min
    if rows and not any(
        abs(row[ranks[marked.text] - 1] - best(row[k - 1] for k in ranks.values())) < 1e-9 for row in rows
    ):
        values = ", ".join(f"{rank}: {HalfUp(float(rows[0][rank - 1])):.4f}" for rank in ranks.values())
        yield f"{named[0]}: {values}"


def _for_user(title: str) -> list[str]:
    """Return the measures of which one is that of a user whom a title describes: a reader of a few documents, or one
    who needs all of them."""
    if reads := _READS.search(title):
        return [f"{name}@{count_of(reads[1])}" for name in ("P", "DCG", "nDCG")]
    return ["SetR", "R"] if _NEEDS_ALL.search(title) else []


def _against_several(choices: Sequence[Choice], values: Mapping[str, float], measure: str) -> str:
    """Return why a measure speaks against the choices that are marked as the best ones; "" if it does not."""
    runs = [(choice, run) for choice in choices if (run := _run_of(choice.text, [*values]))]
    if len(runs) != len(choices) or len(runs) < 2:
        return ""
    best = max(runs, key=lambda each: values[each[1]])[1]
    for choice, run in runs:
        if choice.right and values[best] - values[run] > 1e-9:
            return tr("{measure} of {run} is {value:.4f}, and of {other} {low:.4f}", measure=measure, run=best,
                      value=HalfUp(values[best]), other=run, low=HalfUp(values[run]))  # fmt: skip
        if not choice.right and values[best] - values[run] <= 1e-9:
            return tr("{measure} of {run} and of {other} are equal", measure=measure, run=best, other=run)
    return ""


def _against(
    marked: Choice,
    choices: Sequence[Choice],
    measure: str,
    lesson: Lesson,
    context: EvaluationContext,
    query: str,
) -> str:
    """Return why a measure speaks against the choice that is marked; "" if it does not."""
    values = means_of(measure, context, lesson, query)
    runs = list(values)
    named = [run for run in runs if any(_run_of(choice.text, runs) == run for choice in choices)]
    if len(named) < 2:
        return ""
    best = max(named, key=values.__getitem__)
    own, equal = _run_of(marked.text, runs), bool(_NEITHER.search(marked.text))
    ahead = [run for run in named if values[best] - values[run] <= 1e-9]
    low = own if own else min(named, key=values.__getitem__)
    if values[best] - values[low] > 1e-9:
        if own or (equal and len(ahead) == 1):
            return tr("{measure} of {run} is {value:.4f}, and of {other} {low:.4f}", measure=measure, run=best,
                      value=HalfUp(values[best]), other=low, low=HalfUp(values[low]))  # fmt: skip
        return ""
    tied = [run for run in ahead if run != own]
    if own and tied:
        return tr("{measure} of {run} and of {other} are equal", measure=measure, run=own, other=tied[0])
    return ""


def _run_of(text: str, runs: Sequence[str]) -> str:
    """Return the ranking that a choice begins with the name or the place of; "" for none, or several."""
    beginning = re.split(r"[:;.,]", text)[0]
    named = [run for run in runs if re.search(rf"(?<!\w){either_case(run)}(?!\w)", beginning)]
    if not named:
        placed = zip(PLACES, runs, strict=False)
        named = [run for words, run in placed if re.search(rf"\b(?:{words})\b", beginning, re.I)]
    return named[0] if len(named) == 1 and not _NEITHER.search(text) else ""
