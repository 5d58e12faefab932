"""What two values at hand give, as a text speaks of differences, means and sums: "the gap is .217", "on average they
have .55", "the sum, not divided by four yet"."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import numpy as np

from irviewer.session.teaching.checking.prose.values import FEW_VALUES, MOST_LISTS, OF_IDEAL, Values

AMOUNT = re.compile(
    r"\b(?:differ(?:s|ence|ences)?|gaps?|advantages?|leads?|leading|distances?|ahead|behind|separat\w+|subtract\w*|changes?|gains?|adds?|rises?|falls?|drops?|improve\w*|increases?|decreases?|by|more|less|fewer|higher|lower|above|below|better|worse|apart|interval|margin|"
    r"deviation|variance|spread|error|loss|costs?|loses?|shrinks?|brings?|buys?|pays?|worth|left|remains?|remaining|away|mejoras?|aument\w+|subidas?|cambi[ao]s?|difieren?|diferencias?|sube|baja|cae|suma|añade|más|menos|mayor|menor|mejor|peor|"
    r"intervalo|margen|ventajas?|brechas?|distancias?|delante|detrás|separan?|saca|resta[nr]?|desviación|varianza|dispersión|pérdida|cuesta|pierde|por|trae|aporta|supone|queda[n]?|vale)\b",
    re.I,
)
"""Words of a sentence that may be about differences."""
_OF_MEANS = re.compile(
    r"\b(?:averages?|averaged|means?|halfway|midway|middle|medians?|medianas?|medias?|promedios?|promediad[oa]s?|mitad\s+de\s+camino)\b",
    re.I,
)
"""Words of a sentence that may be about means of two values."""
_OF_SUMS = re.compile(
    r"\b(?:sums?|totals?|total[lt]?ing|together|altogether|add(?:s|ed|ing)?\s+up|sumas?|sumad[oa]s|suman|juntos?|juntas?|totales|en\s+total)\b",
    re.I,
)
"""Words of a sentence that may be about sums of two values, or of one measure over all queries."""


def of_two(said: str, values: Values, of_named: Sequence[float]) -> Iterator[float]:
    """Yield what two values in view, of a measure that is named, or of the answers give, as a text speaks of a
    difference, a mean or a sum; and sums over all queries."""
    words = [form.search(said) is not None for form in (AMOUNT, _OF_MEANS, _OF_SUMS)]
    yield from _of_ranks(said)
    if _RECIPROCAL.search(said):
        numbers = [float(each) for each in re.findall(r"(?<![\w.,@/])\d*\.?\d+(?![\w/%]|\.\d)", said)]
        yield from (1 / each for each in numbers if each)
    if OF_IDEAL.search(said):
        gains, ideal = (np.array(values.tables.rank_by_rank([column])) for column in ("DCG", "ideal"))
        yield from ideal - gains
    if _OF_DIFFERENCES.search(said):
        yield from _over_queries(values)
    if _WITHOUT_ONE.search(said):
        yield from _without_one(values)
    if not any(words):
        return
    likely = np.array([*values.likely, *of_named], dtype=float)
    likely = np.unique(likely[np.isfinite(likely)].round(9))[:MOST_LISTS]
    is_difference, is_mean, is_sum = words
    sums = np.array(values.tables.sums)
    if is_difference or is_sum:
        yield from np.abs(np.subtract.outer(sums, sums)).ravel() if sums.size <= FEW_VALUES else ()
    if is_difference:
        yield from np.abs(np.subtract.outer(likely, likely)).ravel()
    if is_mean and likely.size <= FEW_VALUES:
        yield from np.add.outer(likely, likely).ravel() / 2
    if is_mean:
        yield from np.add(*(np.array(values.tables.rank_by_rank([column])) for column in ("P", "R"))) / 2
    if is_sum:
        yield from np.add.outer(likely, likely).ravel() if likely.size <= FEW_VALUES else ()
        yield from sums


_RECIPROCAL = re.compile(r"\b(?:reciprocals?|inverses?|recíproc[oa]s?|invers[oa]s?)\b", re.I)
_OF_DIFFERENCES = re.compile(r"\b(?:differences|changes|gains|deltas|diferencias|cambios|mejoras)\b", re.I)
"""Words of a sentence about the differences of two rankings over all queries."""


def _over_queries(values: Values) -> Iterator[float]:
    """Yield means, medians and sums of the differences of two rankings over all queries, with their signs and
    without."""
    for context in values.tables.contexts:
        runs = context.collection.runs
        if context.n_queries > 1 and len(runs) <= _FEW_RUNS:
            own = [np.asarray(context.values(entry, context.measure), dtype=float) for entry in runs]
            for first, second in combinations(own, 2):
                for each in (first - second, np.abs(first - second)):
                    yield from map(float, (abs(np.mean(each)), abs(np.median(each)), abs(np.sum(each))))


_FEW_RUNS = 12
_WITHOUT_ONE = re.compile(
    r"\b(?:without|take|taking|drop|dropping|remove|leave|leaving\s+out|leaves?\s+out|left\s+out|except|excluding|apart\s+from|removing|ignoring|sin|salvo|excepto|quitando|dejando\s+fuera)\b"
    r".{0,40}?\b(?:query|topic|one|outlier|consulta|tema)\b",
    re.I | re.S,
)
"""Words of a sentence about all queries but one."""


def _without_one(values: Values) -> Iterator[float]:
    """Yield the mean of the measure in view over all queries but one, of each ranking, and the differences."""
    for context in values.tables.contexts:
        if context.n_queries > 1 and len(context.collection.runs) <= FEW_VALUES:
            own = np.array([context.values(entry, context.measure) for entry in context.collection.runs])
            means = (own.sum(axis=1, keepdims=True) - own) / (context.n_queries - 1)
            for column in means.T:
                yield from column
                yield from np.abs(np.subtract.outer(column, column)).ravel()


_LAST_RANK = 50
_RANKS = re.compile(r"\b(?:ranks?|posici[oó]n(?:es)?|puestos?)\b", re.I)


def _of_ranks(said: str) -> Iterator[float]:
    """Yield what the reciprocals and the discounts of two ranks that a sentence names give."""
    if not _RANKS.search(said):
        return
    named = {int(number) for number in re.findall(r"(?<![\w.,/@])\d+(?![\w/%]|[.,]\d)", said)}
    ranks = np.array(sorted(rank for rank in named if 0 < rank <= _LAST_RANK), dtype=float)
    for factors in (1 / ranks, 1 / np.log2(np.maximum(ranks, 2)), 1 / np.log2(ranks + 1)):
        yield from np.abs(np.subtract.outer(factors, factors)).ravel()


def combined(numbers: set[float]) -> Iterator[float]:
    """Yield the numbers, and what two of them give."""
    yield from numbers
    for first, second in permutations(sorted(numbers)[:24], 2):
        yield from (first + second, first - second, first * second, (first + second) / 2)
        if second > 0:
            yield first / math.log2(second + 1)
        if first + second:
            yield 2 * first * second / (first + second)
        if second:
            yield first / second
            if first / second >= 0:
                yield math.sqrt(first / second)
