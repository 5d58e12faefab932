"""The filter of the tables of queries and of systems: words, comparisons and attributes, joined by and, or, not and
brackets. Two terms beside each other must both hold.

    static deflection            words, in the id or the text; naive finds naïve, too
    "boundary layer"             a phrase
    id:3                         this id and no other
    tag:hard                     bears the tag, or has a document that does; tag:* any
    note:typo                    the word in its note; note:* any note
    Δ > 0.1   delta<-.05         focus minus baseline
    spread >= .2   relevant<5    columns
    bm25 > .3   "my run" >= .5   a run's value
    length > 5   language = en   attributes; language:* any value
    Δ > 0,1                      where the window has decimal commas
    heat and not (Δ > 0 or tag:hard)

Knows the language, columns of arrays and how texts are folded; nothing of sessions, runs or widgets."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Literal, Protocol

import numpy as np
import pyarrow.compute as pc

from irviewer.errors import IrviewerError
from irviewer.model.arrays import Bools, Floats, Ints, strings, values_of
from irviewer.model.notes import Note
from irviewer.model.operator_grammar import SIGN, Grammar, Reader, Token
from irviewer.model.unicode_folding import fold, holds
from irviewer.translation import takes_decimal_commas, tr

PRECISION = 5e-5
"""Two numbers are "=" where their four printed decimals are."""

DELTA_NAMES = ("Δ", "∆", "δ", "delta", "diff", "ratio")
SPREAD_NAMES = ("spread",)
RELEVANT_NAMES = ("relevant", "rel", "r")
HELP = tr(
    'words, "a phrase", id:3, tag:hard, note:word, Δ > 0.1, spread >= .2, relevant < 5, a run\'s name > .3, joined by '
    "and, or, not and brackets"
)

_JOINED = (tr("a and b · a or b · not a"), tr("joined; ( ) group, and a b means both"))
QUERY_GRAMMAR: tuple[tuple[str, str], ...] = (
    (tr("heat flow"), tr("words in the text or the id")),
    (tr('"boundary layer"'), tr("a phrase")),
    ("id:3 · tag:hard · note:*", tr("this id, a tag, any note")),
    ("Δ > 0.1 · spread >= .2", tr("a column and a number: < <= > >= = !=")),
    ("bm25 > .3", tr("the value of a run; a part of its name is enough")),
    _JOINED,
)
"""What a filter of queries can be: (example, meaning) of each row."""
FAILURES_GRAMMAR: tuple[tuple[str, str], ...] = (
    (tr("heat flow"), tr("words in the text or the id")),
    ("cause:late · cause:order", tr("a kind of failure or the largest part of the loss")),
    ('tag:2 · tag:"wrong term"', tr("an own tag, by its key or its name")),
    ("untagged · not examined", tr("what is still to do")),
    ("loss > .5 · relevant < 5", tr("a column and a number: < <= > >= = !=")),
    _JOINED,
)
"""What a filter of failures can be."""
SYSTEMS_GRAMMAR: tuple[tuple[str, str], ...] = (
    ("bm25", tr("a part of the run's name")),
    ("Δ > 0 · p < .05", tr("a column and a number: < <= > >= = !=")),
    ("nDCG@10 > .4", tr("the value of a measure of the table")),
    _JOINED,
)
"""What a filter of systems can be."""

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<quoted>"[^"]*")
      | (?P<open>"[^"]*$)
      | (?P<operator><=|>=|==|!=|≤|≥|≠|<|>|=)
      | (?P<bracket>[()])
      | (?P<word>[^\s"<>=≤≥≠!()]+(?:\([^\s()"]*\)[^\s"<>=≤≥≠!()]*)*|!)
    )""",
    re.VERBOSE,
)
_WITH_COMMA = re.compile(r"[+−-]?\d*,\d+")
_JOINING = ("and", "or", "not")
_COMPARE: dict[str, Callable[[Floats, float], Bools]] = {
    "<": lambda values, number: values < number,
    ">": lambda values, number: values > number,
    "<=": lambda values, number: values <= number + PRECISION / 1000,
    ">=": lambda values, number: values >= number - PRECISION / 1000,
    "=": lambda values, number: np.abs(values - number) < PRECISION,
    "!=": lambda values, number: ~(np.abs(values - number) < PRECISION) & ~np.isnan(values),
}
_OPERATORS = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!="}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "≤": "≥", "≥": "≤"}


_WRITTEN: tuple[Literal["tag", "note"], ...] = ("tag", "note")


class FilterError(IrviewerError):
    """A filter that is not valid; the message names the part and what is valid."""


@dataclass(frozen=True)
class Word:
    """A word or phrase that must occur in the id or the text; with ``exact`` it must be the id."""

    text: str
    exact: bool = False


@dataclass(frozen=True)
class Comparison:
    """A column, an operator (< > <= >= = !=) and a number, NaN where ``text`` is none: the category of an attribute."""

    name: str
    operator: str
    number: float
    text: str = field(default="", compare=False)


@dataclass(frozen=True)
class Labelled:
    """``name:value``: the value of an attribute ("*" is any), or a word with a colon where there is none."""

    name: str
    value: str


class Attribute(Protocol):
    """What a filter reads of an attribute of queries or runs: see :class:`irviewer.model.attributes.queries`."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> Literal["number", "category"]: ...
    @property
    def values(self) -> Mapping[str, float] | Mapping[str, str]: ...


@dataclass(frozen=True, eq=False)
class Columns:
    """What a filter reads: N queries (or, of the table of systems, N runs). ``ids`` and ``texts`` as they are,
    ``values`` of each run (or measure) by its name; ``relevant`` and ``spread`` are None where there is no such column.
    ``attributes`` of the queries (or runs); ``of_documents`` which queries have a document whose note holds what is
    asked; ``whole_names`` has the name in ``values`` of each run by its name in files."""

    ids: Sequence[str]
    texts: Sequence[str]
    relevant: Ints | Floats | None
    delta: Floats
    spread: Floats | None
    values: Mapping[str, Floats]
    notes: Mapping[str, Note] = field(default_factory=dict)
    of_documents: Callable[[Callable[[Note], bool]], Collection[str]] = lambda holds: ()
    attributes: Sequence[Attribute] = ()
    whole_names: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, Bools] = field(default_factory=dict)
    """What single words stand for in this table, such as "untagged": bool[N] each."""
    labels: Mapping[str, Callable[[str], Bools]] = field(default_factory=dict)
    """What ``name:value`` stands for in this table, such as "cause": value -> bool[N]; raises FilterError."""

    def attribute(self, name: str) -> Attribute | None:
        """Return the attribute of a name, unless a run has this name."""
        lowered = name.casefold()
        if any(run.casefold() == lowered for run in (*self.values, *self.whole_names)):
            return None
        return next((attribute for attribute in self.attributes if attribute.name.casefold() == lowered), None)

    def column(self, name: str) -> Floats | tuple[str | None, ...]:
        """Return the values of a column: numbers, or of a categorical attribute texts. A run's name may be that in the
        window or that of its file; a part of either is enough if it is unique. Raises FilterError."""
        lowered = name.casefold()
        called = self._called(name, lambda run: run == name)
        called = called or self._called(name, lambda run: run.casefold() == lowered)
        if called:
            return self.values[called]
        attribute = self.attribute(name)
        if attribute is not None and attribute.kind == "number":
            return np.array([attribute.values.get(row_id, np.nan) for row_id in self.ids], dtype=np.float64)
        if attribute is not None:
            return tuple([None if value is None else str(value) for value in map(attribute.values.get, self.ids)])
        if lowered in map(str.casefold, DELTA_NAMES):
            return self.delta
        if self.spread is not None and lowered in SPREAD_NAMES:
            return self.spread
        if self.relevant is not None and lowered in RELEVANT_NAMES:
            return np.asarray(self.relevant, dtype=np.float64)
        close = self._called(name, lambda run: lowered in run.casefold())
        if close:
            return self.values[close]
        own = (("spread", self.spread), ("relevant", self.relevant))
        titles = [title for title, value in own if value is not None]
        names = ["Δ", *titles, *self.values, *(attribute.name for attribute in self.attributes)]
        known = ", ".join(dict.fromkeys(names))
        raise FilterError(tr("unknown column “{name}”; choose one of {names}", name=name, names=known))

    def _called(self, name: str, fits: Callable[[str], bool]) -> str:
        """Return the run whose name fits, first of those in ``values``; "" for none. Raises FilterError for several."""
        runs = [run for run in self.values if fits(run)]
        runs = runs or list(dict.fromkeys(run for whole, run in self.whole_names.items() if fits(whole)))
        if len(runs) > 1:
            raise FilterError(tr("“{name}” is ambiguous: {names}", name=name, names=", ".join(runs)))
        return "".join(runs)


@dataclass(frozen=True)
class Written:
    """A tag that a query must have, or a word that must be in its note; "*" is any."""

    what: Literal["tag", "note"]
    text: str

    def holds(self, note: Note) -> bool:
        """True for a query of which this was written."""
        if self.what == "tag":
            return bool(note.tags) if self.text == "*" else note.has_tag(self.text)
        return bool(note.text) if self.text == "*" else holds(self.text, note.text)


@dataclass(frozen=True)
class Both:
    """All parts must hold; without parts everything does."""

    parts: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Either:
    """One of the parts must hold."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Without:
    """The part must not hold."""

    part: Node


Term = Word | Comparison | Labelled | Written
Node = Term | Both | Either | Without


def with_attributes(
    grammar: tuple[tuple[str, str], ...], attributes: Sequence[Attribute]
) -> tuple[tuple[str, str], ...]:
    """Return a grammar with a row for the attributes of the queries or runs, which names the first of them."""
    if not attributes:
        return grammar
    examples = []
    for attribute in attributes:
        value = next(iter(attribute.values.values()), "")
        name = f'"{attribute.name}"' if not re.fullmatch(r"[\w.-]+", attribute.name) else attribute.name
        text = f"{value:g}" if isinstance(value, float) else str(value)
        text = text if re.fullmatch(r"[\w.-]{1,16}", text) else f'"{text[:16]}"'
        examples.append(f"{name} {'>=' if attribute.kind == 'number' else '='} {text}")
    names = ", ".join(attribute.name for attribute in attributes[:6])
    meaning = tr("attributes: {names}", names=names if len(attributes) <= 6 else f"{names} …")
    return (*grammar[:-1], (" · ".join(examples[:2]), meaning), grammar[-1])


def parse_filter(text: str) -> Node:
    """The tree of a filter. Raises FilterError."""
    tokens = _tokens(text)
    return Reader(tokens, _GRAMMAR).read() if tokens else Both()


def matches(node: Node, columns: Columns) -> Bools:
    """bool[N]: the queries for which the filter holds. A value that is NaN holds in no comparison. Raises FilterError
    where a name is unknown."""
    everything = np.ones(len(columns.ids), dtype=np.bool_)
    if isinstance(node, Both):
        return reduce(operator.and_, (matches(part, columns) for part in node.parts), everything)
    if isinstance(node, Either):
        return reduce(operator.or_, (matches(part, columns) for part in node.parts), ~everything)
    if isinstance(node, Without):
        return ~matches(node.part, columns)
    return _term_matches(node, columns)


_MANY = 10_000
"""From so many texts a word is searched in all of them at once."""


def _term_matches(term: Term, columns: Columns) -> Bools:
    count = len(columns.ids)
    if isinstance(term, Comparison):
        return _compared(term, columns.column(term.name))
    if isinstance(term, Word) and not term.exact and term.text.casefold() in columns.words:
        return columns.words[term.text.casefold()]
    if isinstance(term, Labelled) and term.name.casefold() in columns.labels:
        return columns.labels[term.name.casefold()](term.value)
    if isinstance(term, Labelled):
        attribute = columns.attribute(term.name)
        if attribute is None:
            return _term_matches(Word(f"{term.name}:{term.value}"), columns)
        if term.value == "*":
            return np.fromiter((row_id in attribute.values for row_id in columns.ids), np.bool_, count)
        return _compared(_comparison(term.name, "=", term.value), columns.column(term.name))
    if isinstance(term, Written):
        by_document = columns.of_documents(term.holds) if term.what == "tag" else ()
        return np.fromiter(
            (row_id in by_document or term.holds(columns.notes.get(row_id, Note())) for row_id in columns.ids),
            np.bool_,
            count,
        )
    if term.exact:
        return np.fromiter((row_id == term.text for row_id in columns.ids), np.bool_, count)
    in_ids = _holding(term.text, columns.ids)
    return in_ids | _holding(term.text, columns.texts) if any(columns.texts) else in_ids


def _holding(wanted: str, texts: Sequence[str]) -> Bools:
    """Return where a word stands in texts, bool[N], as ``holds`` does; texts of plain ASCII are searched in one
    step."""
    if len(texts) < _MANY:
        return np.fromiter((holds(wanted, text) for text in texts), np.bool_, len(texts))
    column, folded = strings(texts), fold(wanted)
    if folded.isascii():
        holding = np.array(values_of(pc.match_substring(column, folded, ignore_case=True)))
    else:  # no plain text has such letters
        holding = np.zeros(len(texts), dtype=np.bool_)
    for row in np.flatnonzero(~values_of(pc.string_is_ascii(column))).tolist():
        holding[row] = holds(wanted, texts[row])
    return holding


def _compared(term: Comparison, values: Floats | tuple[str | None, ...]) -> Bools:
    """Return where a comparison holds; categories are equal whatever their case."""
    if not isinstance(values, tuple):
        if np.isnan(term.number):
            raise _no_number(term.name, term.operator, term.text)
        return _COMPARE[term.operator](values, term.number)
    if term.operator not in ("=", "!="):
        raise FilterError(
            tr(
                "“{name}” is not numeric; write {name} = {value} or {name} != {value}",
                name=term.name,
                value=next(filter(None, values), "…"),
            )
        )
    wanted, same = term.text.casefold(), term.operator == "="
    return np.fromiter(
        (value is not None and (value.casefold() == wanted) is same for value in values), np.bool_, len(values)
    )


def terms_of(node: Node) -> Iterator[Term]:
    """Iterate over the terms of a filter, from left to right."""
    if isinstance(node, Without):
        yield from terms_of(node.part)
    elif isinstance(node, Both | Either):
        for part in node.parts:
            yield from terms_of(part)
    else:
        yield node


def reads_values(text: str, runs: Sequence[str], attributes: Collection[str] = ()) -> bool:
    """Return True if a filter compares values of runs, so that it depends on results; the number of relevant documents
    and attributes do not, unless a run has that name. An invalid filter compares nothing."""
    try:
        node = parse_filter(text)
    except FilterError:
        return False
    called = {run.casefold() for run in runs}
    harmless = {*RELEVANT_NAMES, *map(str.casefold, attributes)}
    names = [term.name.casefold() for term in terms_of(node) if isinstance(term, Comparison)]
    return any(name in called or name not in harmless for name in names)


# --- reading ---


def _tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    place, text = 0, text.rstrip()
    while place < len(text):
        match: Any = _TOKEN.match(text, place)
        if match is None:
            raise FilterError(tr("cannot read “{text}”; a filter is {help}", text=text[place:], help=HELP))
        kind, start = match.lastgroup, match.start(match.lastgroup)
        token = match[kind]
        if kind in ("quoted", "open"):  # an open quote is a phrase that is still being typed
            kind, token = "quoted", token.strip('"')
            before = tokens[-1] if tokens else None
            if before is not None and before.kind == "word" and before.text[-1] == ":" and start == place:
                tokens[-1] = Token("word", before.text + token, before.start)  # tag:"hard to read"
                token = ""
        elif kind == "bracket" or (kind == "word" and token.casefold() in _JOINING):
            kind, token = SIGN, token.casefold()
        if token or kind != "quoted":
            tokens.append(Token(kind, token, start))
        place = match.end()
    return tokens


def _operand(reader: Reader[Node]) -> Node:
    first = reader.take()
    if first.kind == "operator":
        raise FilterError(
            tr(
                "“{operator}” needs a column before it, such as Δ {operator} {number:g}",
                operator=first.text,
                number=0.1,
            )
        )
    follows = reader.peek()
    if follows is None or follows.kind != "operator":
        return _word(first)
    reader.take()
    operator, second = follows.text, reader.peek()
    if second is None or second.kind == SIGN:
        raise FilterError(
            tr(
                "“{name} {operator}” needs a number, such as {name} {operator} {number:g}",
                name=first.text,
                operator=operator,
                number=0.1,
            )
        )
    reader.take()
    if _number(first.text) is not None and _number(second.text) is None and second.kind != "operator":
        return _comparison(second.text, _MIRRORED.get(operator, operator), first.text)  # .2 < Δ
    return _comparison(first.text, operator, second.text)


def _comparison(name: str, operator: str, text: str) -> Comparison:
    """Return a comparison with a number or, where the operator allows a category, any text. Raises FilterError."""
    number, plain = _number(text), _OPERATORS.get(operator, operator)
    if number is not None and not np.isfinite(number):
        whole = f"{name} {operator} {text}"
        raise FilterError(tr("“{text}” in “{comparison}” is not a finite number", text=text, comparison=whole))
    if number is None and plain not in ("=", "!="):
        raise _no_number(name, operator, text)
    return Comparison(name, plain, np.nan if number is None else number, text)


def _number(text: str) -> float | None:
    """Return a number with a decimal point or, in a window that has them, a decimal comma; None for another text."""
    if takes_decimal_commas() and _WITH_COMMA.fullmatch(text):
        text = text.replace(",", ".")
    try:
        return float(text.replace("−", "-"))
    except ValueError:
        return None


def _no_number(name: str, operator: str, text: str) -> FilterError:
    whole = f"{name} {operator} {text}"
    if _WITH_COMMA.fullmatch(text):
        return FilterError(
            tr("“{text}” in “{comparison}” is not a number; write a decimal point", text=text, comparison=whole)
        )
    return FilterError(tr("“{text}” in “{comparison}” is not a number", text=text, comparison=whole))


def _word(token: Token) -> Term:
    name, colon, value = token.text.partition(":")
    if token.kind != "word" or not colon or not name:
        return Word(token.text)
    prefix = name.casefold()
    if prefix == "id":
        if not value:
            raise FilterError(tr("id: needs an id after it, such as id:3"))
        return Word(value, exact=True)
    for what in _WRITTEN:
        if prefix == what:
            if value:
                return Written(what, value)
            if what == "tag":
                raise FilterError(tr("tag: needs a tag after it, such as tag:hard"))
            raise FilterError(tr("note: needs a word after it, such as note:typo"))
    return Labelled(name, value) if value else Word(token.text)


def _joined(operator: str, first: Node, second: Node) -> Node:
    """Return two nodes as one, those of the same operator side by side."""
    if operator == "or":
        return Either((*(first.parts if isinstance(first, Either) else (first,)), second))
    return Both((*(first.parts if isinstance(first, Both) else (first,)), second))


def _fault(kind: str, token: Token | None) -> FilterError:
    if kind == "unclosed":
        return FilterError(tr("a closing bracket “)” is missing"))
    if kind == "incomplete" or token is None:
        return FilterError(
            tr("the filter is incomplete at its end; put and, or, not in quotes to search for these words")
        )
    if token.text == ")":
        return FilterError(tr("“)” closes no bracket, or nothing is before it"))
    return FilterError(
        tr(
            "“{word}” has nothing before it; put it in quotes to search for it",
            word=token.text,
        )
    )


_GRAMMAR: Grammar[Node] = Grammar(
    levels=(frozenset({"or"}), frozenset({"and"})),
    prefixes=frozenset({"not"}),
    operand=_operand,
    binary=_joined,
    prefix=lambda _, part: Without(part),
    fault=_fault,
    implied="and",
)
