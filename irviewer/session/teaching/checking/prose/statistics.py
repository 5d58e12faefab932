"""What a lesson says of tests, against those of Compare: "t = 2.3, p = .04", "B is significantly better than A".

Texts are not understood. A claim of significance is false only where all tests that Compare shows contradict it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import Lesson, Question, Step
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.teaching.answers import is_value
from irviewer.session.teaching.checking.wording.number_words import COUNT_OF, TEN_OF
from irviewer.session.teaching.checking.wording.sentences import claims_here, prose_of, sentences_here
from irviewer.session.view_models.pair import PairViewModel
from irviewer.translation import tr

_STATISTIC = re.compile(r"(?<!\w)([tpdg])\s*=\s*(\d*\.\d+)(?![\w/%])")
"""A statistic and the value that a text says it has."""
CUSTOMARY = (0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 0.8)
"""Levels of significance and sizes of effects that are named as such."""
LEVEL = 0.05
"""The level of a claim of significance that names none."""
_CLAIM = re.compile(
    r"\b(?:(?:is|are|differs?|es|son|difieren?)\s+(?P<not>not\s+)?(?:(?:a|una)\s+)?(?:statistically\s+|estadísticamente\s+|"
    r"(?:differences?|diferencias?)\s+)?(?:significant(?:ly)?|significativa?(?:mente|s)?|significativos?)\b|"
    r"(?P<none>(?:no\s+(?:es|son|difieren?)|does\s+not\s+differ|do\s+not\s+differ)\s+(?:statistically\s+|estadísticamente\s+)?"
    r"(?:significant(?:ly)?|significativa?(?:mente|s)?|significativos?)\b))",
    re.I,
)
_OTHER = re.compile(
    r"[?“”\"«»]|\b(?:levels?|nivel(?:es)?|whether|called|can|may|just|nearly|almost|not\s+yet|too|other|query|quer(?:y|ies)|"
    r"consultas?|corrected|correc\w+|se\s+llama|puede|casi|también|otr[oa]s?)\b|(?<!\d)0?\.\d|\d\s?%",
    re.I,
)
"""Words of a sentence that is about another level, another comparison, or significance as such."""


def speaks_of_tests(part: Lesson | Step | Question) -> bool:
    """Return whether a text says something of tests, so that they have to be computed."""
    said = () if isinstance(part, Question) else claims_here(prose_of(part.text))
    return any(form.search(sentence) for sentence in said for form in (_STATISTIC, _CLAIM))


def false_statistics(
    part: Lesson | Step, pair: PairViewModel | None, context: EvaluationContext | None
) -> Iterator[tuple[str, str]]:
    """Yield (reason, text) for each t, p, d and g in a text that Compare shows nowhere, and each claim of significance
    that all tests of Compare contradict. ``pair`` is what Compare shows after the step, None for nothing."""
    if pair is None or not pair.tests or not speaks_of_tests(part):
        return
    said = claims_here(prose_of(part.text))
    if isinstance(part, Step):
        yield from _other_values(said, pair)
        yield from _exchanged_tests(said, pair)
    names = frozenset() if context is None else frozenset(entry.name for entry in context.collection.runs)
    yield from _other_claims(said, pair, names)


def _other_values(sentences: Sequence[str], pair: PairViewModel) -> Iterator[tuple[str, str]]:
    values = [float(number) for row in pair.tests for number in re.findall(r"\d*[.,]?\d+", row.value.replace(",", " "))]
    chances = [chance for row in pair.tests for chance in (row.p, row.corrected) if chance is not None]
    for name, number in (each for sentence in sentences for each in _STATISTIC.findall(sentence)):
        if float(number) not in CUSTOMARY and not is_value(number, np.array(chances if name == "p" else values)):
            yield tr("Compare shows no {name} of {number} here", name=name, number=number), f"{name} = {number}"


_TESTS = (
    ("t", r"(?:paired\s+)?t-test|prueba\s+t(?:\s+pareada)?"),
    ("sign", r"sign\s+test|(?:prueba|la)\s+de\s+los\s+signos"),
    ("wilcoxon", r"Wilcoxon(?:['’]s)?(?:\s+(?:signed-rank\s+)?test)?|prueba\s+de\s+Wilcoxon"),
    (
        "randomisation",
        r"Fisher(?:['’]s)?(?:\s+(?:randomi[sz]ation\s+)?test)?|prueba\s+de\s+(?:aleatorización|Fisher)",
    ),
)
"""Key of a test -> what it is called, and its p stands close behind."""


def _exchanged_tests(sentences: Sequence[str], pair: PairViewModel) -> Iterator[tuple[str, str]]:
    """Yield each p of a test that is named before it, if that one has another p and a test beside it has this one."""
    by_name = {row.name: [each for each in (row.p, row.corrected) if each is not None] for row in pair.tests}
    for sentence, (key, called) in product(sentences, _TESTS):
        name = TESTS[key].title
        own = by_name.get(name, [])
        others = np.array([each for test, values in by_name.items() if test != name for each in values])
        form = rf"\b(?:{called})\*?\W{{0,3}}\s*(?:gives|has|says|da|tiene)?\s*p\s*=\s*(\d*\.\d+)"
        for match in re.finditer(form, sentence, re.I):
            if own and not is_value(match[1], np.array(own)) and others.size and is_value(match[1], others):
                yield (tr("the p of this test is {p:.4f} here, not {number}", p=HalfUp(own[0]), number=match[1]),
                       " ".join(match[0].split()))  # fmt: skip


_P_GIVEN = re.compile(r"\b(?:p\s*=\s*|(?:p-value|valor\s+p)\s+(?:of|de)\s+)(\d*\.\d+)", re.I)
_TIMES = re.compile(
    r"\b(?:in\s+)?(?:about\s+|unos\s+|en\s+)*(\d+)\s+(?:of|out\s+of|in|de(?:\s+cada)?)\s+(10+)\s+(?:\w+\s+)?"
    r"(?:experiments|samples|cases|times|experimentos|muestras|casos|veces)\b",
    re.I,
)
_LEVEL_SHARE = re.compile(
    r"\b(?:level|nivel)\s+(?:of\s+|de\s+)?(?P<level>0?\.\d+)\b[^.;]{0,80}?\b(?:one|un[oa]?)\s+(?:of|in|out\s+of|de(?:\s+cada)?)\s+"
    rf"(?:a\s+)?(?P<n>\d+|{'|'.join(TEN_OF)})\b(?!-|\s+y\b)",
    re.I,
)
_OF_ERROR = re.compile(
    r"\b(?:wrong(?:ly)?|errs?|errors?|mistaken?|mistakes?|false|chance|yerra|errores|error|equivoca|fals[oa]s?|azar)\b",
    re.I,
)
"""Words of a sentence about how often a test errs."""


def false_chances(part: Lesson | Step | Question) -> Iterator[tuple[str, str]]:
    """Yield (reason, text) for a level that is said to be another share of comparisons, and for how often a marked
    choice says that chance alone does what the p of its question says."""
    texts = [part.text]
    if isinstance(part, Question):
        texts += [part.because, *(each.text for each in part.choices if each.right)]
        texts += [each.reason for each in part.choices]
    sentences = [each for text in texts for each in sentences_here(prose_of(text)) if _OF_ERROR.search(each)]
    for match in (match for each in sentences for match in _LEVEL_SHARE.finditer(each)):
        n = TEN_OF.get(match["n"].lower()) or int(match["n"])
        if abs(float(match["level"]) * n - 1) > 0.05:
            yield (
                tr("{level} is one of {n:g}", level=match["level"], n=1 / float(match["level"])),
                " ".join(match[0].split()),
            )
    for text in texts:
        yield from _false_decisions(text)
    given = {*_P_GIVEN.findall(part.title)} if isinstance(part, Question) else set()
    for choice in part.choices if isinstance(part, Question) and len(given) == 1 else ():
        for match in _TIMES.finditer(choice.text) if choice.right else ():
            p, said = float(next(iter(given))), int(match[1]) / int(match[2])
            if abs(said - p) > 0.5000001 / int(match[2]):
                yield (
                    tr(
                        "p = {p} is {n} of {of}", p=next(iter(given)), n=f"{HalfUp(p * int(match[2])):.0f}", of=match[2]
                    ),
                    match[0],
                )


_P_SAID = re.compile(
    r"(?:\bp[-\s]?value|\bvalor[-\s]p|(?<!\w)p)\s*(?:=|\bis\b|\bof\b"
        r"|\bes\b|\bde\b)\s*(?P<p>0?\.\d+)(?![\w%]|\.\d|\s+(?:is|es)\s+the\b)", re.I
)  # fmt: skip
_AT_LEVEL = re.compile(
    r"(?P<percent>\d+(?:\.\d+)?)\s?%(?:\s+(?:significance\s+)?level)?|\b(?:level|nivel)\s+(?:of\s+|de\s+|del\s+)?(?P<level>0?\.\d+)|"
    r"(?:α|alpha|alfa)\s*(?:=|of|de|is|es)\s*(?P<alpha>0?\.\d+)",
    re.I,
)
_DECIDES = re.compile(
    r"(?P<not>\b(?:cannot|can\s+not|do\s+not|does\s+not|may\s+not|must\s+not|fail(?:s|ed)?\s+to|did\s+not|don[’']t|can[’']t|no\s+(?:se\s+)?(?:podemos\s+|puede\s+)?)\s*)?"
    r"\b(?:reject(?:s|ed)?|rechaza(?:mos|r|n)?)\s+(?:the\s+|la\s+)?(?:null|H0|hipótesis\s+nula|it\b)|"
    r"(?P<no>\b(?:not|no\s+(?:es|sería|resulta))\s+(?:be\s+)?)?(?:statistically\s+|estadísticamente\s+)?\b(?:significant|significativ[oa])\b(?!\s+(?:level|digit|test))",
    re.I,
)
_COMPARED = re.compile(
    r"\bp(?:[-\s]?value)?\s+(?:is|lies|es)?\s*(?:(?P<above>larger|greater|higher|above|bigger|mayor)|(?P<below>smaller|lower|less|below|menor))\s+(?:than\s+|que\s+)?(?P<level>0?\.\d+|\d+\s?%)|"
    r"\bp\s*(?:(?P<over>>)|(?P<under><))\s*(?P<limit>0?\.\d+)",
    re.I,
)
_CORRECTED = re.compile(
    r"\b(?:bonferroni|holm|correct\w+|adjust\w+|divid\w+|several|corregid\w+|ajustad\w+|one-sided|unilateral|whether|if|si)\b",
    re.I,
)
_FREEDOM = re.compile(
    r"\b(?P<n>\d+|[a-zñáéíóú]+)\s+(?:queries|topics|pairs|differences|consultas|temas|pares)\b[^.;?]{0,80}?\b(?P<df>\d+|[a-zñáéíóú]+)\s+"
    r"(?:degrees\s+of\s+freedom|grados\s+de\s+libertad)|"
    r"\b(?P<its_df>\d+|[a-zñáéíóú]+)\s+(?:degrees\s+of\s+freedom|grados\s+de\s+libertad)\b[^.;?]{0,60}?\b(?P<its_n>\d+|[a-zñáéíóú]+)\s+"
    r"(?:queries|topics|pairs|consultas|temas|pares)\b",
    re.I,
)
_OTHER_FREEDOM = re.compile(
    r"\b(?:two-sample|unpaired|welch|independent|anova|chi|regression|less|minus|menos|no\s+apareada)\b", re.I
)


def _false_decisions(text: str) -> Iterator[tuple[str, str]]:
    """Yield (reason, text) for a decision that the p which a sentence, or the one before, says contradicts, and for
    degrees of freedom that are not one fewer than the queries."""
    former: list[str] = []
    for sentence in (each for each in re.split(r"(?<=[.?!])\s+|\n\s*\n", prose_of(text)) if not each.endswith("?")):
        said = [match["p"] for match in _P_SAID.finditer(sentence)] or former
        former = said
        is_plain = not _CORRECTED.search(sentence)
        levels = [
            float(each["percent"]) / 100 if each["percent"] else float(each["level"] or each["alpha"])
            for each in _AT_LEVEL.finditer(sentence)
        ]
        decided = [*_DECIDES.finditer(sentence)] if is_plain and len({*levels}) < 2 else []
        compared = [*_COMPARED.finditer(sentence)]
        for match in decided if len({*said}) == 1 and not compared else ():
            level, p = levels[0] if levels else LEVEL, float(said[0])
            is_negated = match["not"] is not None or match["no"] is not None
            if (p < level) == is_negated and abs(p - level) > 1e-9:
                sign = "<" if p < level else ">"
                yield tr("p = {p} is {sign} {level:g}", p=said[0], sign=sign, level=level), " ".join(match[0].split())
        for match in decided if len(compared) == 1 and len(decided) == 1 else ():
            is_above = compared[0]["above"] or compared[0]["over"]
            is_negated = match["not"] is not None or match["no"] is not None
            if bool(is_above) != is_negated:
                yield tr("a difference is significant where p is below the level"), " ".join(match[0].split())
        for match in () if _OTHER_FREEDOM.search(sentence) else _FREEDOM.finditer(sentence):
            n, df = (
                int(word) if word.isdigit() else COUNT_OF.get(word.lower(), TEN_OF.get(word.lower(), 0))
                for word in (match["n"] or match["its_n"], match["df"] or match["its_df"])
            )
            if n > 1 and df and df != n - 1:
                yield (
                    tr("of {n} differences there are {df} degrees of freedom", n=n, df=n - 1),
                    " ".join(match[0].split()),
                )


def _other_claims(sentences: Sequence[str], pair: PairViewModel, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    chances = [
        each for row in pair.tests for each in (row.p, row.corrected) if each is not None and not math.isnan(each)
    ]
    compared = {each.name for each in (pair.run, pair.baseline) if each is not None}
    for sentence in sentences:
        others = [name for name in names - compared if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence)]
        if others or not chances or _OTHER.search(sentence):
            continue
        for match in _CLAIM.finditer(sentence):
            is_negated = match["not"] is not None or match["none"] is not None
            if all((chance < LEVEL) == is_negated for chance in chances):
                low, high = f"{min(chances):.4f}", f"{max(chances):.4f}"
                reason = tr("the tests of Compare have p from {low} to {high} here", low=low, high=high)
                yield reason, " ".join(match[0].split())
