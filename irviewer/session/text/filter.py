"""The filter of the Queries table: words and comparisons, all of which must hold.

    static deflection            words, in the id or the text; naive finds naïve, too
    "boundary layer"             a phrase
    id:3                         this id and no other
    tag:hard                     bears the tag, or has a document that does; tag:* any
    note:typo                    the word in its note; note:* any note
    Δ > 0.1   delta<-.05         focus minus baseline
    spread >= .2   relevant<5    columns
    bm25 > .3   "my run" >= .5   a run's value

Knows the language, columns of arrays and how texts are folded; nothing of sessions, runs or widgets."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from irviewer.errors import IrviewerError
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.notes import Note
from irviewer.session.text.unicode_folding import holds
from irviewer.translation import tr

PRECISION = 5e-5
"""Two numbers are "=" where their four printed decimals are."""

DELTA_NAMES = ("Δ", "∆", "δ", "delta", "diff", "ratio")
SPREAD_NAMES = ("spread",)
RELEVANT_NAMES = ("relevant", "rel", "r")
HELP = tr('words, "a phrase", id:3, tag:hard, note:word, Δ > 0.1, spread >= .2, relevant < 5, or a run\'s name > .3')

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<quoted>"[^"]*")
      | (?P<open>"[^"]*$)
      | (?P<operator><=|>=|==|!=|≤|≥|≠|<|>|=)
      | (?P<word>[^\s"<>=≤≥≠!]+|!)
    )""",
    re.VERBOSE,
)
_COMPARE: dict[str, Callable[[Floats, float], Bools]] = {
    "<": lambda values, number: values < number,
    ">": lambda values, number: values > number,
    "<=": lambda values, number: values <= number + PRECISION / 1000,
    ">=": lambda values, number: values >= number - PRECISION / 1000,
    "=": lambda values, number: np.abs(values - number) < PRECISION,
    "!=": lambda values, number: ~(np.abs(values - number) < PRECISION) & ~np.isnan(values),
}
_OPERATORS = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!="}


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
    """A column, an operator (< > <= >= = !=) and a number."""

    name: str
    operator: str
    number: float


@dataclass(frozen=True, eq=False)
class Columns:
    """What a filter reads: N queries (or, of the table of systems, N runs). ``ids`` and ``texts`` as they are,
    ``values`` of each run (or measure) by its name; ``relevant`` and ``spread`` are None where there is no such column.
    ``of_documents`` which queries have a document whose note holds what is asked."""

    ids: Sequence[str]
    texts: Sequence[str]
    relevant: Ints | None
    delta: Floats
    spread: Floats | None
    values: Mapping[str, Floats]
    notes: Mapping[str, Note] = field(default_factory=dict)
    of_documents: Callable[[Callable[[Note], bool]], Collection[str]] = lambda holds: ()

    def column(self, name: str) -> Floats:
        """Return the values of a column. A part of a run's name is enough if it is unique. Raises FilterError."""
        lowered = name.casefold()
        exact = next((run for run in self.values if run.casefold() == lowered), None)
        if exact is not None:
            return self.values[exact]
        if lowered in map(str.casefold, DELTA_NAMES):
            return self.delta
        if self.spread is not None and lowered in SPREAD_NAMES:
            return self.spread
        if self.relevant is not None and lowered in RELEVANT_NAMES:
            return np.asarray(self.relevant, dtype=np.float64)
        close = [run for run in self.values if lowered in run.casefold()]
        if len(close) == 1:
            return self.values[close[0]]
        own = (("spread", self.spread), ("relevant", self.relevant))
        known = ", ".join(["Δ", *(title for title, there in own if there is not None), *self.values])
        if close:
            raise FilterError(tr("“{name}” is ambiguous: {names}", name=name, names=", ".join(close)))
        raise FilterError(tr("unknown column “{name}”; choose one of {names}", name=name, names=known))


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


Term = Word | Comparison | Written


def parse_filter(text: str) -> tuple[Term, ...]:
    """The terms of a filter, all of which must hold. Raises FilterError."""
    tokens = _tokens(text)
    terms: list[Term] = []
    place = 0
    while place < len(tokens):
        kind, token = tokens[place]
        if kind == "operator":
            raise FilterError(tr("“{operator}” needs a column before it, such as Δ {operator} 0.1", operator=token))
        if place + 1 < len(tokens) and tokens[place + 1][0] == "operator":
            operator = tokens[place + 1][1]
            number = tokens[place + 2] if place + 2 < len(tokens) else ("", "")
            terms.append(Comparison(token, _OPERATORS.get(operator, operator), _number(token, operator, number[1])))
            place += 3
        else:
            terms.append(_word(kind, token))
            place += 1
    return tuple(terms)


def matches(terms: Sequence[Term], columns: Columns) -> Bools:
    """bool[N]: the queries for which all terms hold. A value that is NaN holds in no comparison. Raises FilterError
    where a name is unknown."""
    keep = np.ones(len(columns.ids), dtype=np.bool_)
    for term in terms:
        if isinstance(term, Comparison):
            keep &= _COMPARE[term.operator](columns.column(term.name), term.number)
        elif isinstance(term, Written):
            by_document = columns.of_documents(term.holds) if term.what == "tag" else ()
            keep &= np.fromiter(
                (query in by_document or term.holds(columns.notes.get(query, Note())) for query in columns.ids),
                np.bool_, len(keep),
            )  # fmt: skip
        elif term.exact:
            keep &= np.fromiter((query_id == term.text for query_id in columns.ids), np.bool_, len(keep))
        else:
            pairs = zip(columns.ids, columns.texts, strict=True)
            holding = (holds(term.text, query_id) or holds(term.text, text) for query_id, text in pairs)
            keep &= np.fromiter(holding, np.bool_, len(keep))
    return keep


def reads_values(text: str, runs: Sequence[str]) -> bool:
    """Return True if a filter compares values of runs, so that it depends on results; the number of relevant documents
    does not, unless a run has that name. An invalid filter compares nothing."""
    try:
        terms = parse_filter(text)
    except FilterError:
        return False
    called = {run.casefold() for run in runs}
    names = [term.name.casefold() for term in terms if isinstance(term, Comparison)]
    return any(name in called or name not in RELEVANT_NAMES for name in names)


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    place, text = 0, text.rstrip()
    while place < len(text):
        match: Any = _TOKEN.match(text, place)
        if match is None:
            raise FilterError(tr("cannot read “{text}”; a filter is {help}", text=text[place:], help=HELP))
        kind = match.lastgroup
        token = match[kind]
        if kind in ("quoted", "open"):  # an open quote is a phrase that is still being typed
            kind, token = "quoted", token.strip('"')
        if token or kind != "quoted":
            tokens.append((kind, token))
        place = match.end()
    return tokens


def _word(kind: str, token: str) -> Word | Written:
    for what in _WRITTEN:
        if kind == "word" and token.casefold().startswith(f"{what}:"):
            if len(token) == len(what) + 1:
                if what == "tag":
                    raise FilterError(tr("tag: needs a tag after it, such as tag:hard"))
                raise FilterError(tr("note: needs a word after it, such as note:typo"))
            return Written(what, token[len(what) + 1 :])
    if kind == "word" and token.casefold().startswith("id:"):
        if len(token) == 3:
            raise FilterError(tr("id: needs an id after it, such as id:3"))
        return Word(token[3:], exact=True)
    return Word(token)


def _number(name: str, operator: str, text: str) -> float:
    if not text:
        raise FilterError(
            tr("“{name} {operator}” needs a number, such as {name} {operator} 0.1", name=name, operator=operator)
        )
    try:
        number = float(text.replace("−", "-"))
    except ValueError:
        whole = f"{name} {operator} {text}"
        if re.fullmatch(r"[+−-]?\d*,\d+", text):
            message = tr(
                "“{text}” in “{comparison}” is not a number; write a decimal point", text=text, comparison=whole
            )
        else:
            message = tr("“{text}” in “{comparison}” is not a number", text=text, comparison=whole)
        raise FilterError(message) from None
    if not np.isfinite(number):
        whole = f"{name} {operator} {text}"
        raise FilterError(tr("“{text}” in “{comparison}” is not a finite number", text=text, comparison=whole))
    return number
