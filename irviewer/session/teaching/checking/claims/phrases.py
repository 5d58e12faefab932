"""A part of a sentence as a row of tokens: words of the lexicon, numbers, measures and names, then the phrases that
they make, "the first three documents", "rank 2 of", "that of south". The letters of kinds are those of the lexicon, and

A ranks, E first ranks ((from, to), of which to can be None), H the nth relevant document, h the first n of them, U of n
of something ((n, "relevant", "document" or "")), s the ranking with which others are compared, p a difference, F parts
such as "thirds", 1 from a number, 2 to a number, ? a word that is not known."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from irviewer.errors import MeasureError
from irviewer.measures.parser import parse_measure
from irviewer.session.teaching.checking.claims.lexicon import LONGEST, Word


@dataclass(frozen=True)
class Token:
    """A word or phrase: its kind, its value, and where it is in the sentence."""

    kind: str
    value: Any = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Number:
    """A number as it is written: half a unit of its last digit is what it may be off; ``is_count`` for a whole one."""

    value: float
    within: float = 1e-9
    is_count: bool = False
    is_share: bool = False
    is_word: bool = False
    more: int = 0
    """1: more than this, -1: fewer than this"""

    def is_equal(self, value: float) -> bool:
        """Return whether a value is this one, or as far above or below as it is said."""
        if self.more:
            return (value - self.value) * self.more > 1e-9
        is_of_tenths = abs(self.within - 0.05) < 1e-6 and abs(value - self.value) > 1e-9
        if is_of_tenths and abs(value - round(value, 2)) < 1e-9:
            return False  # nobody writes .8 for .75
        return abs(value - self.value) <= self.within


@dataclass(frozen=True)
class Names:
    """What a lesson calls by names: rankings, queries and documents; ``rules`` says whose names measures have."""

    runs: tuple[str, ...]
    queries: tuple[str, ...]
    documents: frozenset[str]
    rules: str
    words: frozenset[str] = field(default=frozenset())

    @cached_property
    def by_words(self) -> dict[str, list[Token]]:
        """Words of names -> what they name: also as they begin a sentence."""
        named: dict[str, list[Token]] = {}
        for kind, names in (("r", self.runs), ("Q", self.queries)):
            for name in (each for each in names if not each.isdigit()):
                value = (name,)
                for spelling in {name, name[:1].upper() + name[1:]} if len(name) > 1 else {name}:
                    named.setdefault(" ".join(_WORD.findall(spelling)), []).append(Token(kind, value))
        return named


_WORD = re.compile(
    r"[A-Za-z]+(?:\([^()\s]*\))?@(?:\d+(?:\.\d+)?)|\d+/\d+(?![\d/])|\d*\.\d+|\d+|[^\W\d_](?:[\w-]*\w)?|[^\s\w*_]"
)
_PER_CENT = re.compile(r"\s?(?:%|per\s?cent\b|por\s+ciento\b)")
_POSSESSIVE = re.compile(r"['’]s?(?!\w)")


def tokens_of(sentence: str, table: dict[str, list[Word]], names: Names) -> list[Token]:
    """Return the tokens of a sentence in a language, without phrases."""
    words = [*_WORD.finditer(sentence)]
    tokens: list[Token] = []
    at = 0
    while at < len(words):
        own, n = _at(words, at, table, names, sentence)
        last = words[at + n - 1]
        end = last.end()
        if own and own[0].kind == "N" and (cent := _PER_CENT.match(sentence, end)):
            value = own[0].value
            end = cent.end()
            within = max(value.within, 0.5000001 if value.is_count else 0) / 100
            own = [Token("N", Number(value.value / 100, within, is_share=True))]
        if possessed := _POSSESSIVE.match(sentence, end) if own and own[0].kind in "rBd" else None:
            end = possessed.end()
        tokens += [replace(each, start=words[at].start(), end=end) for each in own]
        at += n
        while at < len(words) and words[at].start() < end:
            at += 1
    return tokens


def _at(
    words: Sequence[re.Match[str]], at: int, table: dict[str, list[Word]], names: Names, sentence: str
) -> tuple[list[Token], int]:
    """Return what the words at a place are, and how many they are."""
    for n in range(min(LONGEST + 2, len(words) - at), 0, -1):
        own = words[at : at + n]
        phrase = " ".join(each[0] for each in own)
        named = names.by_words.get(phrase, [])
        known = table.get(phrase.lower(), [])
        if named and known:
            return [Token("?")], n  # a name that is also a common word
        if named:
            return (named[:1] if len(named) == 1 else [Token("?")]), n
        if phrase in ("P", "R", "F") and _is_measure(words, at):
            return [Token("M", phrase)], 1
        if n == 1 and phrase in names.documents and not _is_article(phrase, at, words, table):
            return [Token("d", phrase)], 1
        if known:
            return [Token(kind, _in_words(value) if kind == "N" else value) for kind, value in known], n
    word = words[at][0]
    is_letter_of_formula = word in ("P", "R", "F") and at + 1 < len(words) and words[at + 1][0] == "="
    return [Token("?") if is_letter_of_formula else _single(word, names)], 1


def _is_measure(words: Sequence[re.Match[str]], at: int) -> bool:
    """Return whether a letter is that of a measure, where documents can have it too: "the F", "F is 10/18"."""
    after = " ".join(each[0] for each in words[at + 1 : at + 3])
    return (at > 0 and words[at - 1][0].lower() in ("the", "its", "la", "su")) or (
        re.fullmatch(r"(?:is|es) (?:\d+/\d+|\d*\.\d+)", after) is not None
    )


def _in_words(value: Any) -> Number:
    return Number(value, is_count=value >= 1 or not value, is_share=0 < value < 1, is_word=True)


def _is_article(word: str, at: int, words: Sequence[re.Match[str]], table: dict[str, list[Word]]) -> bool:
    """Return whether a capital letter at the beginning of a sentence is a word, not a document."""
    if at or word.lower() not in table or len(word) > 1:
        return False
    after = table.get(words[1][0].lower(), [("?", "")])[0][0] if len(words) > 1 else "?"
    return after not in "v&n" and not (len(words) > 1 and words[1][0] == ",")


def _single(word: str, names: Names) -> Token:
    if re.fullmatch(r"\d+/\d+", word):
        above, below = map(int, word.split("/"))
        return Token("N", Number(above / below)) if below else Token("?")
    if re.fullmatch(r"\d*\.\d+", word):
        return Token("N", Number(float(word), 0.5000001 * 10.0 ** -len(word.partition(".")[2])))
    if of_grade := re.fullmatch(r"(?:grade|grado)-(\d+)", word, re.I):
        return Token("R", ("grade", int(of_grade[1]), False))
    if word.isdigit():
        return Token("N", Number(float(word), is_count=True))
    if word in ",;:—–":
        return Token("," if word == "," else ";")
    if word in ".!":
        return Token("z")
    if word in ("P", "R", "F"):
        return Token("?") if word in names.documents else Token("M", word)
    measure = measure_of(word, names.rules) if re.search("@|[A-Z]", word) else ""
    return Token("M", measure) if measure else Token("?")


@lru_cache(4096)
def measure_of(word: str, rules: str) -> str:
    """Return a word if it is a measure; "" for none."""
    try:
        return word if parse_measure(word, rules).text else ""
    except (MeasureError, ValueError):
        return ""


Made = Callable[[Sequence[Token], str], Sequence[Token] | None]
"""What makes tokens of tokens, given the kinds before them; None leaves them."""


def _one(kind: str, value: Callable[[Sequence[Token]], Any]) -> Made:
    """Return what makes one token of several; None of its value leaves them."""

    def made(tokens: Sequence[Token], before: str) -> list[Token] | None:
        own = value(tokens)
        return None if own is None else [Token(kind, own, tokens[0].start, tokens[-1].end)]

    return made


def _of(tokens: Sequence[Token], kinds: str) -> Any:
    """Return the value of the first token of some kinds; None without one."""
    return next((each.value for each in tokens if each.kind in kinds), None)


def _numbers(tokens: Sequence[Token]) -> tuple[int, ...] | None:
    """Return the whole numbers of some tokens."""
    numbers = [each.value for each in tokens if each.kind == "N"]
    if not all(each.is_count and each.value >= 1 for each in numbers):
        return None
    return tuple(int(each.value) for each in numbers) or None


def _listed(kind: str, value: Callable[[tuple[int, ...]], Any] = lambda numbers: numbers) -> Made:
    """Return what makes one token of "ranks 1, 3 and 5": a number in words, or of another kind, is none of them."""

    def made(tokens: Sequence[Token], before: str) -> list[Token] | None:
        n = 2
        while n + 1 < len(tokens):
            after = next(place for place in range(n, len(tokens)) if tokens[place].kind == "N")
            if not tokens[after].value.is_count or tokens[after].value.is_word:
                break
            n = after + 1
        numbers = _numbers(tokens[:n])
        if numbers is None:
            return None
        return [Token(kind, value(numbers), tokens[0].start, tokens[n - 1].end), *tokens[n:]]

    return made


def _count(tokens: Sequence[Token]) -> int | None:
    numbers = _numbers(tokens)
    return numbers[0] if numbers and len(numbers) == 1 else None


def _first(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return the first ranks, of "the first three"."""
    n = _count(tokens)
    return None if n is None or _of(tokens, "O") not in (1, None) else (1, n)


def _span(tokens: Sequence[Token]) -> tuple[int, int | None] | None:
    """Return the ranks above, below, or down to one."""
    ranks, side = _of(tokens, "A"), _of(tokens, "a")
    if len(ranks) != 1 or ranks[0] < 1 or (side == "up" and ranks[0] == 1):
        return None
    return (1, ranks[0]) if side is None else (1, ranks[0] - 1) if side == "up" else (ranks[0] + 1, None)


def _from_to(tokens: Sequence[Token]) -> tuple[int, int] | None:
    numbers = _numbers(tokens)
    return (numbers[0], numbers[1]) if numbers and len(numbers) == 2 and numbers[0] <= numbers[1] else None


def _of_grade(tokens: Sequence[Token]) -> tuple[str, int, bool] | None:
    number = _of(tokens, "N")
    return ("grade", int(number.value), tokens[-1].kind == "C") if number.is_count or not number.value else None


def _with_cutoff(tokens: Sequence[Token], before: str) -> list[Token] | None:
    ranks, measure = _of(tokens, "AO"), str(tokens[0].value)
    rank = ranks if isinstance(ranks, int) else ranks[0] if len(ranks) == 1 else 0
    return (
        [replace(tokens[0], value=f"{measure}@{rank}", end=tokens[-1].end)] if "@" not in measure and rank > 0 else None
    )


def _of_total(tokens: Sequence[Token]) -> tuple[int, str] | None:
    n = _count(tokens)
    what = "relevant" if _of(tokens, "R") == "relevant" else "" if _of(tokens, "R") is None else None
    return None if n is None or what is None else (n, what or ("" if _of(tokens, "D") is None else "document"))


def _share_of_relevant(tokens: Sequence[Token], before: str) -> list[Token] | None:
    share = tokens[0].value if tokens[0].kind == "N" else Number(float(tokens[0].value), is_share=True)
    if _of(tokens[1:], "R") != "relevant" or (share.is_count and not share.is_share):
        return None
    return [replace(tokens[0], kind="N", value=share), Token("U", (0, "relevant"), tokens[1].start, tokens[-1].end)]


def _all_relevant(tokens: Sequence[Token], before: str) -> list[Token] | None:
    """Return "all four relevant documents" as a share of them."""
    n = _count(tokens) or 0
    if _of(tokens, "R") != "relevant":
        return None
    share = Token("N", Number(1.0, is_share=True), tokens[0].start, tokens[0].end)
    return [share, Token("U", (n, "relevant"), tokens[0].end, tokens[-1].end)]


def _compared(tokens: Sequence[Token], before: str) -> list[Token] | None:
    """Return tokens of which the last, a ranking, is what others are compared with."""
    last = tokens[-1]
    if last.kind == "B" and last.value != "other":
        return None
    kept = [each for each in tokens[:-1] if each.kind in "XMRD"]
    return [*kept, replace(last, kind="u" if last.kind == "Q" else "s", value=last.value)]


def _share(tokens: Sequence[Token]) -> Number | None:
    """Return the share of "two thirds", or "a third"."""
    part, above = _of(tokens, "FO"), _of(tokens, "N")
    return Number((above.value if above else 1.0) / part, is_share=True) if part >= 3 else None


def _joined(tokens: Sequence[Token]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(value for each in tokens if each.kind in "rAQ" for value in each.value))


def _joined_runs(tokens: Sequence[Token], before: str) -> list[Token] | None:
    return [replace(tokens[0], value=_joined(tokens), end=tokens[-1].end)]


def _joined_subjects(tokens: Sequence[Token], before: str) -> list[Token] | None:
    """Return rankings before a verb as one, if no verb is before them: else the last begins a clause of its own."""
    return None if "v" in before.rpartition(";")[2] else _joined_runs(tokens, before)


def _changed(tokens: Sequence[Token], before: str) -> list[Token] | None:
    """Return a change for "higher than before"."""
    if tokens[0].value not in ("up", "down", "same") or tokens[-1].value != "before":
        return None
    return [replace(tokens[0], kind="c"), *tokens[1:-2]]


def _more_or_fewer(tokens: Sequence[Token]) -> Number | None:
    side = {"up": 1, "down": -1}.get(tokens[0].value, 0)
    return replace(tokens[-1].value, more=side) if side else None


def _of_first_ones(tokens: Sequence[Token], before: str) -> list[Token] | None:
    """Return "begins with two" as the first two ranks, of "begins with two relevant documents"."""
    n = _count(tokens[-1:])
    is_first = tokens[1].value == (1,) and tokens[1].end == tokens[0].end  # one phrase
    return [tokens[0], replace(tokens[1], value=tuple(range(1, n + 1)))] if n and is_first else None


def _no_more(tokens: Sequence[Token], before: str) -> list[Token] | None:
    """Return "no more than two", "no fewer than two" as one number."""
    side = {"up": -1, "down": 1}.get(tokens[1].value, 0)
    number = tokens[-1].value
    own = replace(number, value=number.value - 0.5 * side, more=side)
    return [replace(tokens[-1], value=own, start=tokens[0].start)] if side and number.is_count else None


def _elliptic_place(tokens: Sequence[Token], before: str) -> list[Token] | None:
    """Return the rank, or query, of "en la posición 1 … y en la 2"."""
    number = tokens[-1].value
    is_rank, is_query = "K" in before, "q" in before
    if not number.is_count or number.is_word or number.is_share or len(tokens) < 3 or is_rank == is_query:
        return None
    return [replace(tokens[1], kind="K" if is_rank else "q", value=""), tokens[-1]]


def _nth_run(tokens: Sequence[Token], before: str) -> list[Token] | None:
    """Return the ranking of "than the second", where queries are not compared."""
    return None if {*"qQ"} & {*before} else [replace(tokens[-1], kind="r", value=("place", tokens[-1].value))]


def _ranks_apart(tokens: Sequence[Token], before: str) -> list[Token]:
    """Return "two ranks above" as a difference and a comparison."""
    way = "early" if tokens[-1].value == "up" else "late"
    return [replace(tokens[0], kind="p"), replace(tokens[-1], kind="C", value=way), replace(tokens[-1], kind=">")]


def _of_runs(tokens: Sequence[Token], before: str) -> list[Token] | None:
    """Return "both lists", "the two engines", "the rankings"; of one list what is meant by "it"."""
    quantity, kind = _of(tokens, "B"), tokens[-1].value
    value = quantity or ("all" if kind == "all" else "")
    meant = Token("B", value) if value else Token("P")
    return [replace(meant, start=tokens[0].start, end=tokens[-1].end)]


def _both(tokens: Sequence[Token], before: str) -> list[Token] | None:
    return [Token("B", "all", tokens[0].start, tokens[-1].end)] if tokens[1].value.value == 2 else None


def _difference(tokens: Sequence[Token], before: str) -> list[Token] | None:
    """Return "two more", "two documents fewer" with the number as a difference; "two different ones" are counted."""
    return None if tokens[-1].value in ("same", "differ") else [replace(tokens[0], kind="p"), *tokens[1:]]


def _only(tokens: Sequence[Token], before: str) -> list[Token]:
    return [tokens[-1], replace(tokens[0], kind="Y")]


_RULES: tuple[tuple[str, Made], ...] = (
    ("z", lambda tokens, _: []),
    ("NF", _one("N", _share)),
    ("#N", _one("N", lambda tokens: replace(tokens[1].value, value=tokens[1].value.value - 0.5, more=1))),
    ("0C>N", _no_more),
    (
        "[v]0(?=$|[,;]|iE|[iLt]*A)",
        lambda tokens, _: [tokens[0], replace(tokens[1], kind="N", value=Number(0.0, is_count=True))],
    ),
    (
        "[rCO]N(?![RDKk])",
        lambda tokens, _: tokens[:1] if tokens[1].value.is_word and tokens[1].value.value == 1 else None,
    ),
    ("No(?=N)", lambda tokens, before: [] if tokens[0].value.value == 1 and tokens[0].value.is_word else None),
    ("it?N(?=$|[i,;&])", _elliptic_place),
    ("[eN]O(?![DRKNkq])", _one("N", _share)),
    (
        "RD?vR(?![D])",
        lambda tokens, _: (
            [tokens[-1], *tokens[1:-1]] if tokens[0].value == "relevant" and tokens[-1].value == "missed" else None
        ),
    ),
    ("n[te]?R", _one("R", lambda tokens: {"relevant": "other", "judged": "unjudged"}.get(tokens[-1].value))),
    (
        "0t?k|lo?t?k",
        lambda tokens, _: [replace(tokens[0], kind="B", value="all" if tokens[0].kind == "l" else "neither")],
    ),
    (r"\+(?=r)", lambda tokens, _: []),
    ("XC", lambda tokens, _: tokens[:1] if tokens[1].value == "same" else None),
    ("lN?(?=[vc])", lambda tokens, _: [replace(tokens[0], kind="B", value=_count(tokens) or "all")]),
    ("Go?N~C", _one("R", _of_grade)),
    ("Go?N", _one("R", _of_grade)),
    ("0(?=[teo]*[RDH])", _one("N", lambda _: Number(0.0, is_count=True))),
    ("0(?=oE)", _one("N", lambda _: Number(0.0, is_count=True))),
    (r"KN\+N|fKN\+N", _one("E", _from_to)),
    ("KN(?:(?:,&?|&)N)*", _listed("A")),
    ("M[Li]?t?OK", _with_cutoff),
    ("OK", _one("A", lambda tokens: (tokens[0].value,))),
    ("LN", _one("A", _numbers)),
    ("A(?:(?:,&?|&)[iLt]*A)+", _one("A", _joined)),
    ("M[iLt]*A", _with_cutoff),
    ("Mo[te]*N", lambda tokens, _: [tokens[0], tokens[-1]]),
    ("ONRD|NORD|ONDR|NODR", _one("h", lambda tokens: _count(tokens) if _of(tokens, "O") == 1 else None)),
    ("ONK|ON(?:D(?!R))|NO(?:D(?!R))|ON(?!D|R)|NO(?!D|R|K|k)", _one("E", _first)),
    ("TND?", _one("E", _first)),
    ("[Jb]t?E", _one("E", lambda tokens: _of(tokens, "E"))),
    ("[Jb]t?N[KD]", _one("E", _first)),
    (
        "J(?=[jt]*r)",
        lambda tokens, _: (
            [replace(tokens[0], kind="C", value="late"), replace(tokens[0], kind=">")]
            if tokens[0].value == "after"
            else None
        ),
    ),
    ("[Jb]t?A|aA", _one("E", lambda tokens: None if tokens[0].value == "after" else _span(tokens))),
    ("ORD|ODR", _one("H", lambda tokens: _of(tokens, "O") if _of(tokens, "R") == "relevant" else None)),
    ("vAN(?=RD|DR)", _of_first_ones),
    ("HND(?!R)", lambda tokens, _: [tokens[0], replace(tokens[1], kind="A", value=_numbers(tokens))]),
    ("OD", _one("A", lambda tokens: (tokens[0].value,))),
    ("Ok", _one("r", lambda tokens: ("place", tokens[0].value))),
    ("(?<=[>=])t?O(?![DRKNkq])|(?<=[>=]j)O(?![DRKNkq])", _nth_run),
    ("Oq", _one("Q", lambda tokens: ("place", tokens[0].value))),
    ("qN(?:(?:,&?|&)N)*", _listed("Q", lambda numbers: tuple(map(str, numbers)))),
    ("mit?N?q", _one("m", lambda _: "")),
    ("qQ", _one("Q", lambda tokens: tokens[1].value)),
    ("Q(?:(?:,&?|&)[it]*Q)+", _one("Q", _joined)),
    ("lo?t?E", lambda tokens, _: [replace(tokens[0], kind="N", value=Number(1.0, is_share=True)), tokens[-1]]),
    ("lo?t?N?(?:RD|DR)", _all_relevant),
    ("[XN]ot*(?:RD|DR)", _share_of_relevant),
    ("Xot?N(?![DR])", _one("N", lambda tokens: Number(float(tokens[0].value) * tokens[-1].value.value, is_count=True))),
    ("ot?NRD|ot?NDR", _one("U", _of_total)),
    ("ot?ND(?!R)", _one("U", _of_total)),
    ("B[ot]*N?k|t?B[ot]*k|ot?Nk|tNk|[tP]k", _of_runs),
    ("tN(?=v|$|;|,)", _both),
    ("ot?N(?![DRkqC])", _one("U", _of_total)),
    ("t?rk|t?kr|t?kor", _one("r", lambda tokens: _of(tokens, "r"))),
    ("NK(?=C)", lambda tokens, _: [replace(tokens[0], kind="p")]),
    ("NKa", _ranks_apart),
    (
        "C>X",
        lambda tokens, _: (
            [replace(tokens[2], value=(tokens[2].value, tokens[0].value))]
            if tokens[0].value in ("up", "down")
            else None
        ),
    ),
    ("C>N", _one("N", _more_or_fewer)),
    ("N(?:RD|DR)C|NC", _difference),
    ("bN", _one("p", lambda tokens: tokens[1].value)),
    ("fN", _one("1", lambda tokens: tokens[1].value)),
    (r"oN\+N", lambda tokens, _: [replace(tokens[1], kind="1"), replace(tokens[3], kind="2")]),
    (r"\+N", _one("2", lambda tokens: tokens[1].value)),
    ("a(?=[jtoi]*r)", lambda tokens, _: [replace(tokens[0], kind="C"), replace(tokens[0], kind=">")]),
    ("a", lambda tokens, _: [replace(tokens[0], kind="C")]),
    ("C[^>=;,]*[>=]w", _changed),
    (
        "w(?=[jt]*r)",
        lambda tokens, _: [
            replace(tokens[0], kind="C", value="early" if tokens[0].value == "before" else "late"),
            replace(tokens[0], kind=">"),
        ],
    ),
    ("r(?:/[it]*r)+", _joined_runs),
    ("r(?:,[it]*r)*,?&[it]*r(?=v)", _joined_subjects),
    ("r(?:,[it]*r)*,?&[it]*r(?!v)", _joined_runs),
    ("y[itoL]*r", _only),
    ("y(?=[te]*N)", lambda tokens, _: []),
    ("[>=][jtoiMLezRD]*[rQB]", _compared),
    ("X(?!.*s)[jtoiMLeRDA]*r|XjQ", _compared),
)
_COMPILED = tuple((re.compile(pattern), make) for pattern, make in _RULES)


def phrases_of(tokens: Sequence[Token], names: Names) -> list[Token]:
    """Return tokens with phrases in the place of the words that make them."""
    row = list(tokens)
    kinds = kinds_of(row)
    for pattern, make in _COMPILED:
        at = 0
        while match := pattern.search(kinds, at):
            new = make(row[match.start() : match.end()], kinds[: match.start()])
            if new is None:
                at = match.start() + 1
            else:
                row[match.start() : match.end()] = [_placed(each, names) for each in new]
                at = match.start() + len(new)
                kinds = kinds_of(row)
    return [each for each in row if each.kind != ">" or each.value != "implied"]


def kinds_of(row: Sequence[Token]) -> str:
    """Return the kinds of tokens, a letter each."""
    return "".join(each.kind for each in row)


_MOST_PLACED = 4
"""Of more rankings than these none is called by its place."""


def _placed(token: Token, names: Names) -> Token:
    """Return the ranking or query of "the second list"."""
    if token.kind not in "rQ" or not isinstance(token.value[-1], int):
        return token
    own, place = names.runs if token.kind == "r" else names.queries, token.value[1]
    place = len(own) if place == -1 else place
    if not 1 <= place <= len(own) or (token.kind == "r" and len(own) > _MOST_PLACED):
        return replace(token, kind="?", value="")
    return replace(token, value=(own[place - 1],))
