"""Two texts in one language, one written after the other: what was exchanged of what is no matter of style, a number, a
name, a measure, a sign, or a word for its opposite.

Sentences are not understood. Those of the two that have most words in common are compared; where more of a sentence
was changed than such words, it is taken for another sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import product, takewhile
from typing import NamedTuple

from irviewer.session.teaching.checking.wording.number_words import COUNT_OF, MULTIPLE_OF, ORDERS, TEN_OF, TENS
from irviewer.session.teaching.checking.wording.sentences import LONGEST, readable

_TOKEN = re.compile(
    r"\d*\.\d+|\d+|[^\W\d_]+\d*@\d+|[^\W\d_]+\d+|[^\W\d_]+(?:-[^\W\d_]+)*|[-+\N{MINUS SIGN}/÷=<>≤≥×·√^]"
)
_ENDS = re.compile(r"(?<=[.?!:;])\s+|\n\s*\n|\n(?=\s*[-*|]\s?)")
_NUMBERS: dict[str, float] = {**TEN_OF, **COUNT_OF, **MULTIPLE_OF}
_NUMBERS |= {"half": 0.5, "halves": 0.5, "halved": 0.5, "mitad": 0.5, "quarter": 0.25}
_ORDERS = (*ORDERS, ("last", "último", "última", "últimos", "últimas"))
_ORDER_OF = {word: place for place, words in enumerate(_ORDERS) for word in words}
_SAME_MEASURE = {"map": "ap", "mrr": "rr"}
_OPPOSITES = """
higher high highest larger large largest greater greatest more most more most better best ahead above bigger much mejor
  mejores mayor mayores más alto alta altos altas delante encima superior | lower low lowest smaller small smallest
  smaller smallest less least fewer fewest worse worst behind below smaller less peor peores menor menores menos bajo
  baja bajos bajas detrás debajo inferior;
rises rise rose raises raise raised increases increase increased increases increase grows grow improves improve gains up
  sube suben subió aumenta aumentan sube crece crecen mejora mejoran | falls fall fell lowers drop lowered decreases
  decrease decreased drops drop shrinks fall worsens fall loses down baja bajan cae disminuye disminuyen desciende
  disminuye caen empeora empeoran;
before antes before | after después tras;
always all every each siempre todo toda todos todas cada | never none no nobody nothing neither nunca ningún ninguno
  ninguna nada | often usually mostly frecuentemente normalmente | rarely seldom hardly raramente apenas;
true cierto cierta verdadero verdadera verdaderos verdaderas | false falso falsa falsos falsas;
positive positives positivo positivos positiva | negative negatives negativo negativos negativa;
right correct correcto correcta | wrong incorrect incorrecto incorrecta;
numerator numerador | denominator denominador;
multiplied multiply multiplies times multiplica multiplicado | divided divide divides divide dividido dividida;
added adds add suma sumado añade | subtracted subtracts subtract resta restado;
precision precisión | recall exhaustividad;
arithmetic aritmética aritmético | harmonic armónica armónico | geometric geométrica geométrico;
retrieved found returned recuperados recuperado recuperadas encontrados devueltos | missed missing perdidos
  faltantes;
early earlier top | late later bottom;
left izquierda | right derecha;
sum suma | difference diferencia | product producto | ratio quotient cociente razón | mean average media promedio |
  median mediana | variance varianza;
minimum min mínimo mínima | maximum max máximo máxima;
strict estricta estricto | lenient weighted ponderada laxa;
vital vitales | okay;
equal same igual iguales mismo misma | different differs distinto distinta distintos distintas diferente diferentes;
easier easy fácil | harder hard difícil;
with con | without sin;
wide wider ancho | narrow narrower estrecho;
longer long largo larga | shorter short corto corta
"""
"""Words by their kinds, each with a semicolon after it; a bar stands between those that are opposites. Those of the
first kinds, _COMPARING, stand in the order of their opposites."""
_COMPARING = 3
_GROUPS: dict[str, dict[int, int]] = {}
for _kind, _groups in enumerate(_OPPOSITES.split(";")):
    for _group, _words in enumerate(_groups.split("|")):
        for _word in _words.split():
            _GROUPS.setdefault(_word, {})[_kind] = _group
_OTHER_SHARES = {
    "half": "quarter", "halves": "quarters", "halved": "doubled", "mitad": "cuarta parte", "quarter": "half",
    "quarters": "halves", "third": "fourth", "thirds": "quarters", "tercio": "cuarto", "tercios": "cuartos",
    "twice": "three times", "double": "triple", "doubled": "halved", "doubles": "halves", "doble": "triple",
    "triple": "double",
}  # fmt: skip
"""Words of shares and multiples, and what a text could say in their place."""
_NEGATIONS = frozenset({"not", "no", "never", "nunca", "non", "tampoco", "without", "sin"})
_BEFORE_A_WORD = re.compile(r"(?:un|non-?|in|ir|im|dis|no-|des)")
_IN_ANY_ORDER = re.compile(
    r"\b(?:equal|same|both|either|igual(?:es)?|mism[oa]s?|amb[oa]s|differ|apart|between|entre)\b", re.I
)
_AND = frozenset({"and", "or", "y", "o", "e", "u", "x", "×", "+", "=", "·", "to", "a"})
_SMALL = frozenset(
    [
        "of",
        "than",
        "the",
        "an",
        "to",
        "at",
        "in",
        "on",
        "is",
        "by",
        "de",
        "del",
        "al",
        "que",
        "la",
        "el",
        "los",
        "las",
        "en",
        "es",
        "por",
    ]
)
"""Words that go with others: "ahead of" is the opposite of "behind"."""
_LIKE = 0.6
"""The share of the words that two sentences have in common if one was written after the other."""


MOST_PAIRS = 40_000
"""Of texts with more pairs of sentences that are not the same, none is compared: one was written anew."""


class Exchanged(NamedTuple):
    """A sentence in which something was exchanged, what it has, and what the other text has in its place; "" where
    a negation is on one side alone."""

    sentence: str
    here: str
    theirs: str


class _Sentence(NamedTuple):
    text: str
    tokens: tuple[str, ...]


def exchanged(text: str, other: str, names: Collection[str] = ()) -> Iterator[Exchanged]:
    """Yield what the sentences of a text have in the place of something else in those of the other text. ``names`` are
    those of rankings, in one word."""
    sentences, others = _sentences(text), _sentences(other)
    known, kept = {each.tokens for each in others}, {each.tokens for each in sentences}
    theirs = [each for each in others if each.tokens not in kept]
    places = [place for place, sentence in enumerate(sentences) if sentence.tokens not in known]
    if len(places) * len(theirs) > MOST_PAIRS:
        return
    pairs = [
        (_likeness(sentences[place].tokens, each.tokens), place, at)
        for place, (at, each) in product(places, enumerate(theirs))
    ]
    used: set[int] = set()
    seen: set[int] = set()
    for likeness, place, at in sorted(pairs, key=lambda pair: (-pair[0], pair[1:])):
        is_alone = len(sentences) == len(others) == 1
        if (likeness or is_alone) and place not in seen and at not in used:
            seen.add(place)
            used.add(at)
            change = _change(sentences[place].tokens, theirs[at].tokens, {name.lower() for name in names}, likeness)
            if change is not None:
                yield Exchanged(sentences[place].text, *change)


def is_like(text: str, other: str) -> bool:
    """Return whether two texts have most of their words in common, as if one was written after the other."""
    return _likeness(_tokens(text), _tokens(other)) >= _LIKE


def names_others(text: str, other: str, names: Collection[str] = ()) -> bool:
    """Return whether two texts do not have the same numbers, names, orders, measures and signs."""
    known = {name.lower() for name in names}
    first, second = (Counter(_value(token, known) for token in _tokens(each)) for each in (text, other))
    return {each for each in (first - second) + (second - first) if each[0]} != set()


def others_of(word: str) -> list[str]:
    """Return what a text could say in the place of a word, in its language: the numbers, the orders or the share next
    to it, the opposites of a word that compares; [] for other words."""
    own, words = word.lower(), [*COUNT_OF]
    if own in _OTHER_SHARES:
        return [_OTHER_SHARES[own]]
    if own in COUNT_OF and COUNT_OF[own] < 20:
        at = words.index(own)
        nearest = (words[each] for each in (at + 1, at - 1) if 0 <= each < len(words))
        return [each for each in nearest if abs(COUNT_OF[each] - COUNT_OF[own]) == 1]
    for tens in TENS:
        if own in tens[1:]:
            return [tens[tens.index(own) - 1] if own == tens[-1] else tens[tens.index(own) + 1]]
    if own in _ORDER_OF:
        at, is_english = _ORDER_OF[own], own == _ORDERS[_ORDER_OF[own]][0]
        beside = (at + 1, at - 1) if 0 < at < len(_ORDERS) - 2 else ((at + 1) % len(_ORDERS),)
        near = (_ORDERS[each] for each in beside)
        return [its[0] if is_english else max(its[1:], key=lambda each: _common_end(own, each)) for its in near]
    return [other for here, other in _COMPARED if here == own]


def _common_end(word: str, other: str) -> int:
    pairs = zip(reversed(word), reversed(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _compared() -> Iterator[tuple[str, str]]:
    """Yield each word that compares with its opposite, one of each kind."""
    for kind in _OPPOSITES.split(";")[:_COMPARING]:
        higher, lower = (group.split() for group in kind.split("|"))
        opposites: dict[str, str] = {}
        for first, second in zip(higher, lower, strict=True):
            opposites.setdefault(first, second)
            opposites.setdefault(second, first)
        yield from opposites.items()


_COMPARED = (*_compared(),)


def _sentences(text: str) -> list[_Sentence]:
    parts = (" ".join(each.split()).lstrip("-*| ") for each in _ENDS.split(readable(text)))
    return [_Sentence(each, _tokens(each)) for each in parts if each and len(each) < LONGEST and _tokens(each)]


def _tokens(text: str) -> tuple[str, ...]:
    """Return the words, numbers and signs of a text, as they are written."""
    text = re.sub(r"(?<=\w)n[’']t\b", " not", text.replace("cannot", "can not"))
    return tuple(_TOKEN.findall(text))


def _plain(tokens: Sequence[str]) -> list[str]:
    return [token.lower() if len(token) > 1 else token for token in tokens]


def _likeness(tokens: Sequence[str], others: Sequence[str]) -> float:
    """Return the share of the words that two sentences have in common, in any order."""
    common = Counter(_plain(tokens)) & Counter(_plain(others))
    return 2 * common.total() / (len(tokens) + len(others)) if tokens or others else 1.0


def _change(
    tokens: Sequence[str], others: Sequence[str], names: Collection[str], likeness: float
) -> tuple[str, str] | None:
    """Return what is exchanged between two sentences, if that is all that says something else in them."""
    changes: list[tuple[int, str, str]] = []
    rest: list[str] = []
    for start, own, its in _spans(tokens, others, names):
        if len(own) != len(its):
            own, its = (tuple(word for word in words if word.lower() not in _SMALL) for words in (own, its))
        if len(own) == len(its):
            for place, (here, theirs) in enumerate(zip(own, its, strict=True), start=start):
                if _are_exchanged(here, theirs, names):
                    changes.append((place, here, theirs))
                elif not _say_the_same(here, theirs, names):
                    rest += [here, theirs]
        else:
            rest += [*own, *its]
    words = [word for word in rest if _is_closed(word, names)]
    if not changes and len(rest) == 1 and rest[0].lower() in _NEGATIONS:
        return (rest[0], "") if len(tokens) > len(others) else ("", rest[0])
    if not changes or words or (likeness < _LIKE and (rest or len(changes) == len(tokens) > 1)):
        return None
    if _is_said_otherwise(tokens, changes, names):
        return None
    return _quoted(tokens, changes)


def _quoted(tokens: Sequence[str], changes: Sequence[tuple[int, str, str]]) -> tuple[str, str]:
    """Return what is exchanged, in both sentences; of a fraction both of its numbers: "7/9"."""
    exchanged = {place: theirs for place, _, theirs in changes}
    own, its = {}, {}
    for place, here, theirs in changes:
        above = place if tuple(tokens[place + 1 : place + 2]) == ("/",) else place - 2
        if tuple(tokens[above + 1 : above + 2]) == ("/",) and above >= 0 and above + 2 < len(tokens):
            own[above] = f"{tokens[above]}/{tokens[above + 2]}"
            its[above] = "/".join(exchanged.get(each, tokens[each]) for each in (above, above + 2))
        else:
            own[place], its[place] = here, theirs
    return " ".join(own.values()), " ".join(its.values())


def _spans(
    tokens: Sequence[str], others: Sequence[str], names: Collection[str]
) -> Iterator[tuple[int, Sequence[str], Sequence[str]]]:
    """Yield where two sentences differ, and what each has: word by word where all that differs is exchanged."""
    if len(tokens) == len(others):
        pairs = [*enumerate(zip(tokens, others, strict=True))]
        if all(_say_the_same(*pair, names) or _are_exchanged(*pair, names) for _, pair in pairs):
            yield from ((place, [here], [theirs]) for place, (here, theirs) in pairs)
            return
    for operation, start, end, its_start, its_end in SequenceMatcher(
        None, _plain(tokens), _plain(others), autojunk=False
    ).get_opcodes():
        if operation != "equal":
            yield start, tokens[start:end], others[its_start:its_end]


def _is_said_otherwise(tokens: Sequence[str], changes: Sequence[tuple[int, str, str]], names: Collection[str]) -> bool:
    """Return whether exchanges leave what a sentence says: "B is worse than A", "3 and 2", two opposites."""
    turned = [change for change in changes if _turns(change[1], change[2], names)]
    others = [change for change in changes if change not in turned]
    if not others:
        return len(turned) % 2 == 0
    moved = sorted(_value(here, names) for _, here, _ in others) == sorted(
        _value(theirs, names) for _, _, theirs in others
    )
    if not moved:
        return bool(turned)
    kinds = {_value(here, names)[0] for _, here, _ in others}
    if turned or len(kinds) > 1:
        return True
    first, last = others[0][0], others[-1][0]
    between = [token.lower() for token in tokens[first + 1 : last] if token.lower() not in _AND]
    is_list = all(_value(token, names)[0] in kinds for token in between)
    return is_list or _IN_ANY_ORDER.search(" ".join(tokens)) is not None


def _value(token: str, names: Collection[str]) -> tuple[str, str]:
    """Return the kind and the value of a number, name, order, measure or sign; ("", "") for another word."""
    word = token.lower()
    if re.fullmatch(r"\d*\.?\d+", token):
        return "number", f"{float(token):g}"
    if word in _NUMBERS:
        return "number", f"{float(_NUMBERS[word]):g}"
    if word in _ORDER_OF:
        return "order", str(_ORDER_OF[word])
    if word in names or re.fullmatch(r"[A-Z]|[^\W\d_]{1,4}\d+", token):
        return "name", word
    if "@" in token or re.fullmatch(r"[A-Za-z]*[A-Z][A-Z]+|I?Prec|Set[PRF]", token):
        base, _, cutoff = word.partition("@")
        return "measure", f"{_SAME_MEASURE.get(base, base)}@{cutoff}"
    if re.fullmatch(r"\W", token):
        return "sign", {"\N{MINUS SIGN}": "-", "÷": "/", "·": "×"}.get(token, token)
    return "", ""


def _turns(here: str, theirs: str, names: Collection[str]) -> bool:
    return not _value(here, names)[0] or not _value(theirs, names)[0]


def _are_exchanged(here: str, theirs: str, names: Collection[str]) -> bool:
    """Return whether a word stands for another of its kind, or for its opposite."""
    (kind, value), (its_kind, its_value) = _value(here, names), _value(theirs, names)
    if kind and its_kind:
        return (
            kind == its_kind
            and value != its_value
            and not (kind == "number" and _is_written_otherwise(value, its_value))
        )
    own, its = _GROUPS.get(here.lower(), {}), _GROUPS.get(theirs.lower(), {})
    common = own.keys() & its.keys()
    if common:
        return all(own[each] != its[each] for each in common)
    longer, shorter = sorted((here.lower(), theirs.lower()), key=len, reverse=True)
    return (
        len(shorter) > 3 and longer.endswith(shorter) and _BEFORE_A_WORD.fullmatch(longer[: -len(shorter)]) is not None
    )


def _is_written_otherwise(value: str, other: str) -> bool:
    """Return whether two numbers are one, as a percentage or with fewer decimals."""
    first, second = sorted((float(value), float(other)))
    decimals = min(len(value.partition(".")[2]), len(other.partition(".")[2]))
    return abs(100 * first - second) < 1e-9 or (decimals > 0 and abs(first - second) <= 0.5000001 * 10.0**-decimals)


def _say_the_same(here: str, theirs: str, names: Collection[str]) -> bool:
    kind, value = _value(here, names)
    return _plain([here]) == _plain([theirs]) or (bool(kind) and (kind, value) == _value(theirs, names))


def _is_closed(word: str, names: Collection[str]) -> bool:
    return bool(_value(word, names)[0]) or word.lower() in _GROUPS or word.lower() in _NEGATIONS
