"""What the title and the text of a step name, against what its ``do:`` does: ranks, a grade, a level, a cutoff, a
document.

Titles are not understood: what is compared stands behind a word such as "rank" in English or Spanish."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irviewer.errors import MeasureError
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.lessons.lesson import VERBS, Lesson, Step
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.teaching.checking.wording.named_measures import measures_in
from irviewer.translation import tr

_RANKS = re.compile(
    r"\b(?:ranks?|positions?|posici[oó]n(?:es)?|puestos?)\s+(\d+)(?:\s+(?:and|y|to|a)\s+(?:(?:rank|la|posición)\s+)*(\d+))?",
    re.I,
)
_TO = r"(?:\s+(?:to|a|al)\s+(\d+))?"
_COMES_TO = re.compile(
    r"\b(?:(?:missed|inserted)\s+(?:relevant\s+)?document|documento\s+(?:que\s+faltaba|no\s+recuperado|insertado))\s+(?:comes?|is|goes|"
    r"gets|pasa|está|va|entra)\s+(?:now\s+|ahora\s+)?(?:to|at|a|en)\s+(?:la\s+)?(?:rank|posición|puesto)\s+(\d+)",
    re.I,
)
"""The rank to which a text says that a missed document comes."""
_BY = re.compile(r"^\s*(?:By|Según)\s+([A-Za-z]+@\d+)(?!\w)")
"""The measure by which a text compares first."""
_AT_K = re.compile(r"\bK = (\d+)(?![\w/]|\.\d)")
_GRADE = re.compile(rf"\b(?:grade|grado)\s+(\d+){_TO}", re.I)
_LEVEL = re.compile(rf"\b(?:level|nivel)\b[^\d]*?\b(\d+){_TO}", re.I)
_DOCUMENT = re.compile(r"\b(?:[Jj]udge|[Jj]uzgar|[Mm]ove|[Mm]over|[Dd]ocument|[Dd]ocumento)\s+([A-Z])\b")


def contradicted_by_step(lesson: Lesson, step: Step, before: EvaluationContext | None) -> Iterator[tuple[str, str]]:
    """Yield what a step names and what it does in its place, ("rank 6", "rank 5"). ``before`` is the state before."""
    said = {int(rank) for match in _RANKS.findall(step.title) for rank in match if rank}
    done = [{int(rank) for rank in _of_kind(each.verb, each.numbers, "rank")} for each in step.actions]
    done = [
        ranks | {rank - 1 for rank in ranks if each.verb == "up"}
        for ranks, each in zip(done, step.actions, strict=True)
    ]
    if not any(done):
        done = [{_cutoff(each.text, lesson)} - {0} for each in step.actions if each.verb == "measure"]
    yield from _other_kind(step)
    # "Move E to rank 4" names one of two ranks.
    others = [ranks - said for ranks in done if said and ranks - said and (len(ranks) <= len(said) or not ranks & said)]
    yield from ((_ranks(said), _ranks(ranks)) for ranks in others)
    if not others:
        yield from _other_pair(step)
    for pattern, kind, verb, name in (
        (_GRADE, "grade", "judge", tr("grade {grade}")), (_LEVEL, "grade", "level", tr("level {grade}")),
    ):  # fmt: skip
        named = {int(number) for numbers in pattern.findall(step.title) for number in numbers if number}
        meant = {int(n) for each in step.actions if each.verb == verb for n in _of_kind(verb, each.numbers, kind)}
        if len(named) == 1 and meant and not named & meant:
            yield name.format(grade=min(named)), name.format(grade=min(meant))
    inserted = {int(each.numbers[0]) for each in step.actions if each.verb == "insert missed"}
    comes_to = {int(rank) for rank in _COMES_TO.findall(step.text)}
    if inserted and comes_to and not inserted & comes_to:
        yield _ranks(comes_to), _ranks(inserted)
    yield from _other_target(step, before)
    yield from _other_gains(step)
    yield from _other_measures(lesson, step)
    yield from _other_cutoff(lesson, step)
    yield from _other_documents(step, before)


_AT_ITS = re.compile(
    r"^\s*(?:At\s+rank|En\s+la\s+posición)\s+(\d+),?\s+(?:it|the\s+(?:new|inserted|moved)\s+\w+)?\s*(?:adds|has|counts|gets|suma|añade|aporta|"
    r"cuenta|tiene)\b"
)
"""How a text begins that tells what a document adds where a step brings it."""
_TOP = re.compile(r"\b(?:(?:to|at)\s+the\s+(?:very\s+)?top|al\s+(?:principio|comienzo))(?=\s*(?:[.,;:]|$))", re.I)
_END = re.compile(
    r"\b(?:(?:to|at)\s+the\s+(?:very\s+)?(?:end|bottom)|al\s+final)\b(?!\s+(?:of|del?)\s+(?!the\s+(?:list|ranking)|la\s+lista))",
    re.I,
)
_NEARER = re.compile(r"\b(?:close\w*|near\w*|towards?|not|cerca\w*|acerca\w*|próxim\w+|hacia|no)\b", re.I)
"""Words of a title that says of a document which way it goes, not how far."""


def _other_target(step: Step, before: EvaluationContext | None) -> Iterator[tuple[str, str]]:
    """Yield the rank to which the title or the text of a step says that it brings a document, and the other one to
    which its one action does."""
    action = step.actions[0] if len(step.actions) == 1 else None
    if action is None or action.verb not in ("insert missed", "move") or before is None:
        return
    source, target, at = int(action.numbers[0]), int(action.numbers[-1]), _AT_ITS.match(step.text)
    top, end = (None if _NEARER.search(step.title) else form.search(step.title) for form in (_TOP, _END))
    if at is not None and int(at[1]) not in map(int, action.numbers):
        yield tr("rank {rank}", rank=at[1]), tr("rank {rank}", rank=target)
    elif top is not None and 1 not in (source, target):
        yield " ".join(top[0].split()), tr("rank {rank}", rank=target)
    lengths = [len(entry.run.ranking(query)) for entry in before.collection.runs for query in before.query_ids]
    if end is not None and lengths and max(source, target) < min(lengths):
        yield " ".join(end[0].split()), tr("rank {rank}", rank=target)


_GAINS = re.compile(r"gains=\{([^{}]*)\}")


def _other_gains(step: Step) -> Iterator[tuple[str, str]]:
    """Yield the grade of a title whose gain is chosen, and the grades whose gains the step chooses in its place."""
    named = {*re.findall(r"\b(?:grade|grado)\s+(\d+)(?![\w/]|\.\d)", step.title, re.I)}
    chosen = {
        grade.strip()
        for action in step.actions
        for gains in _GAINS.findall(action.text)
        for grade in re.findall(r"(?:^|,)\s*(\d+)\s*:", gains)
    }
    if len(named) == 1 and chosen and not named & chosen:
        yield tr("grade {grade}", grade=min(named)), tr("grade {grade}", grade=", ".join(sorted(chosen)))


_KINDS = (
    (r"(?:swap|exchange|intercambiar|intercambie)\b", {"swap"}),
    (r"(?:move|mover|mueva|bajar|subir)\b", {"move", "up", "swap"}),
    (r"(?:insert|insertar|inserte)\b", {"insert missed", "move"}),
    (r"(?:judge|grade|juzgar|juzgue|(?:give|dar|dé)\b(?=.*\b(?:grade|grado)))\b", {"judge"}),
    (r"(?:normali[sz]e|discount|show|normalizar|descontar|mostrar)\b", {"measure", "rules", "cutoff", "level"}),
    (r"(?:set\s+the\s+relevance\s+level|poner\s+el\s+nivel)\b", {"level", "measure"}),
    (r"cut\b|cortar\b|corte\b", {"cut", "cutoff", "measure"}),
)
"""How a title begins, after a query -> the verbs that do it."""


_CHOSEN = (
    (r"\b(?:levels?|nivel(?:es)?)\b", {"level", "measure"}),
    (r"\b(?:cutoffs?|K|cortes?|umbral(?:es)?)\b", {"cutoff", "cut", "measure"}),
    (r"\b(?:measures?|medidas?|parameters?|parámetros?|beta|p)\b", {"measure"}),
    (r"\b(?:discounts?|rules?|logarithms?|descuentos?|reglas?|logaritmos?)\b", {"rules", "measure"}),
)
"""What a title can say is moved, lowered or exchanged that is no document -> the verbs that do it."""


def _other_kind(step: Step) -> Iterator[tuple[str, str]]:
    """Yield the words of a title that say what to do, and what is done, if that is of another kind."""
    verbs = {action.verb for action in step.actions}
    title = re.sub(r"^[^:]{1,30}:\s+", "", step.title)
    for words, allowed in _KINDS:
        match = re.match(words, title, re.I)
        chosen = {verb for noun, its in _CHOSEN if re.search(noun, title, re.I) for verb in its}
        if match is not None and verbs and not verbs & (allowed | chosen):
            yield match[0], step.actions[0].verb


_PAIR = re.compile(
    r"\b(?:ranks?|posici[oó]n(?:es)?|puestos?)\s+(\d+)\s+(?P<of>and|y|with|con|to|a)\s+"
    r"(?:(?:rank|la|el|posición|puesto)\s+)*(\d+)",
    re.I,
)


def _other_pair(step: Step) -> Iterator[tuple[str, str]]:
    """Yield the two ranks of a title where the one action of a step swaps or moves others, or the other way round."""
    match = _PAIR.search(step.title)
    pairs = [action for action in step.actions if action.verb in ("swap", "move")]
    if match is None or len(pairs) != 1 or len(step.actions) != 1:
        return
    said, done = (int(match[1]), int(match[3])), tuple(int(number) for number in pairs[0].numbers)
    is_swap = pairs[0].verb == "swap"
    if (sorted(said) != sorted(done)) if is_swap else (match["of"].lower() in ("to", "a") and said != done):
        yield ", ".join(map(str, said)), f"{pairs[0].verb} {done[0]} {done[1]}"


def _of_kind(verb: str, numbers: tuple[float, ...], kind: str) -> tuple[float, ...]:
    return tuple(number for number, each in zip(numbers, VERBS[verb], strict=False) if each == kind)


def _ranks(ranks: set[int]) -> str:
    return ", ".join(tr("rank {rank}", rank=rank) for rank in sorted(ranks))


def _cutoff(measure: str, lesson: Lesson) -> int:
    try:
        cutoff = parse_measure(measure, DIALECTS[lesson.rules].names).cutoff
    except MeasureError:
        return 0
    return 0 if cutoff is None else int(cutoff)


_WITH_K = re.compile(r"^\s*(?:With|At|Con|En)\s+(?P<said>(?:K\s*=\s*|[A-Za-z]+@)(?P<cutoff>\d+))(?![\w.])")
"""How a text begins that is about a cutoff."""


def _other_cutoff(lesson: Lesson, step: Step) -> Iterator[tuple[str, str]]:
    """Yield the cutoff with which the text of a step begins where all that the step chooses have another one."""
    done = {int(action.numbers[0]) for action in step.actions if action.verb in ("cutoff", "cut")}
    done |= {_cutoff(action.text, lesson) for action in step.actions if action.verb == "measure"}
    match = _WITH_K.match(step.text)
    if match is not None and len(done) == 1 and not {0, int(match["cutoff"])} & done:
        yield match["said"], f"K = {min(done)}"


def _other_measures(lesson: Lesson, step: Step) -> Iterator[tuple[str, str]]:
    """Yield the measure of a title and the other one that the step shows, and a cutoff of it where the title, or else
    the text, names others alone."""
    names = DIALECTS[lesson.rules].names
    titled = [name for name in measures_in(step.title, names) if "@" in name]
    for action in step.actions:
        if action.verb != "measure":
            continue
        meant = parse_measure(action.text, names)
        if (by := _BY.search(step.text)) and len(step.actions) == 1 and not titled:
            titled = measures_in(by[1], names)
        if len(titled) == 1 and parse_measure(titled[0], names).name != meant.name:
            yield titled[0], action.text
            continue
        for text in (step.title, step.text):
            named = [name for name in measures_in(text, names) if parse_measure(name, names).name == meant.name]
            cutoffs = {parse_measure(name, names).cutoff for name in named}
            if named and None not in cutoffs and meant.cutoff is not None:
                agreed = {float(rank) for pair in _RANKS.findall(step.title) for rank in pair if rank}
                agreed |= {float(rank) for rank in _AT_K.findall(f"{step.title} {step.text}")}
                if meant.cutoff not in cutoffs | (agreed if text is step.text else set()):
                    yield named[0], action.text
                break


def _other_documents(step: Step, before: EvaluationContext | None) -> Iterator[tuple[str, str]]:
    """Yield the document of a title and the one at the rank that the first action of the step is about."""
    match = _DOCUMENT.search(step.title)
    action = next((each for each in step.actions if each.verb in ("judge", "move", "up")), None)
    if match is None or action is None or before is None or before.n_queries != 1:
        return
    runs = before.collection.runs
    if any(each.name == match[1] for each in runs):
        return
    entry = next((each for each in runs if each.name == action.run), runs[0])
    documents, rank = entry.run.ranking(before.query_ids[0]), int(action.numbers[0])
    if match[1] in documents and documents[rank - 1 : rank] != [match[1]]:
        yield match[1], ", ".join(documents[rank - 1 : rank])
