"""A person's own measure: an expression over named measures, such as ``(P@5 + R@20) / 2``.

It is computed query by query and then averaged. Knows how to read, write and compute expressions; which measures there
are is the registry's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.base import ENDLESS, Cutoff, Family, Measure
from irviewer.measures.parameters import number_text
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged

FLOOR = 0.00001
"""log(x) takes the logarithm of at least this, as geometric means do."""

FUNCTIONS: dict[str, Callable[..., Floats]] = {
    "min": np.minimum,
    "max": np.maximum,
    "sqrt": lambda x: np.sqrt(np.maximum(x, 0.0)),
    "abs": np.abs,
    "log": lambda x: np.log(np.maximum(x, FLOOR)),
}
_TWO = ("min", "max")


@dataclass(frozen=True)
class Node:
    """A place in an expression's tree: a number, a measure, or an operator (or function) over other nodes."""

    sign: str
    value: float = 0.0
    measure: Measure | None = None
    nodes: tuple[Node, ...] = ()

    def measures(self) -> Iterator[Measure]:
        """The measures of the expression from left to right, doubles included."""
        if self.measure is not None:
            yield self.measure
        for one in self.nodes:
            yield from one.measures()

    def replaced(self, change: Callable[[Measure], Measure]) -> Node:
        """The same tree with every measure changed."""
        measure = None if self.measure is None else change(self.measure)
        return Node(self.sign, self.value, measure, tuple(one.replaced(change) for one in self.nodes))


@dataclass(frozen=True)
class Expression(Measure):
    """A measure that is computed from others; usable wherever a built-in one is."""

    tree: Node = field(default=Node("number"), compare=False, repr=False)

    @property
    def parts(self) -> tuple[Measure, ...]:
        """The measures that it is made of, once each."""
        return tuple(dict.fromkeys(self.tree.measures()))

    def bind(self, *, level: float = 1, max_grade: float = 0) -> Measure:
        """The expression with its measures bound."""
        tree = self.tree.replaced(lambda one: one.bind(level=level, max_grade=max_grade))
        return self if _text(tree) == self.text else _expression(tree, asked=self.text)

    def with_parts(self, change: Callable[[Measure], Measure]) -> Measure:
        """The expression with each of its measures changed; ``asked`` is the text before."""
        tree = self.tree.replaced(change)
        return self if _text(tree) == self.text else _expression(tree, asked=self.asked or self.text)

    def compute(self, judged: Judged) -> Floats:
        """The value of every evaluated query, float64[E]; a division by 0 gives 0."""
        return self.put_together({one.text: one.compute(judged) for one in self.parts})

    def put_together(self, values: Mapping[str, Floats]) -> Floats:
        """The value of every evaluated query, float64[E], from those of its parts by text."""
        n = len(next(iter(values.values())))
        result: Floats = np.broadcast_to(_value(self.tree, dict(values)), (n,)).astype(np.float64)
        return result

    def label(self, graded: bool = False, level: float = 1, *, short: bool = False) -> str:
        """The text, with the relevance level where the qrels are graded and some part depends on it."""
        open_level = any(
            one.name == "rel" and one.level and "rel" not in dict(part.given)
            for part in self.parts
            for one in part.family.parameters
        )
        if not (graded and open_level):
            return self.text
        return f"{self.text} ≥{number_text(level)}" if short else f"{self.text}, grade ≥ {number_text(level)}"


def parse(text: str, parse_one: Callable[[str], Measure]) -> Measure | None:
    """The measure that an expression is; None where the text is none: a measure's name alone, or something else.

    ``parse_one`` reads the text of a single measure.

    Raises MeasureError where it is an expression with a fault: an unknown measure (with the nearest names), a bracket
    too many, a measure that is made of all queries at once."""
    tokens = _tokens(text)
    if tokens is None or not any(kind == "sign" or kind == "function" for kind, _ in tokens):
        return None
    try:
        tree = _Reader(text, tokens, parse_one).read()
    except MeasureError:
        if re.fullmatch(r"[\w.@-]+", text.strip()):
            return None  # hit-rate@10 is a name misspelt, not a difference
        raise
    if tree.measure is not None:
        return tree.measure
    if not any(tree.measures()):
        raise MeasureError(f"{text}: an expression is made of measures, and this has none")
    return _expression(tree)


def join_words(words: list[str]) -> list[str]:
    """Words that were parted by white space, with the parts of an expression together again: a word that begins or
    ends with an operator, or with the @ of a cutoff, belongs to its neighbour."""
    found: list[str] = []
    for word in words:
        if found and (found[-1][-1] in "+-*/@" or word[0] in "+-*/@"):
            found[-1] += f" {word}"
        else:
            found.append(word)
    return found


_NUMBER = r"(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.@(])"
_NAME = r"(?P<name>r-precision\b|\d*[^\W\d]\w*)"
_TAIL = re.compile(r"\.(?:p=\.?)?\d[\d.=]*(?:,-?\d[\d.=]*)*")
_END = re.compile(r"(?:\s*@\s*\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)?(?:-l\d+\b)?")
_TOKEN = re.compile(rf"\s*(?:{_NUMBER}|{_NAME}|(?P<sign>[-+*/(),]))")


def _tokens(text: str) -> list[tuple[str, str]] | None:
    """(kind, text) of each token: number, measure, function, sign; None where something else stands in the text."""
    found: list[tuple[str, str]] = []
    place = 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        if match is None:
            return None
        place = match.end()
        if match["number"]:
            found.append(("number", match["number"]))
        elif match["sign"]:
            found.append(("sign", match["sign"]))
        elif match["name"] in FUNCTIONS and text[place:].lstrip().startswith("("):
            found.append(("function", match["name"]))
        else:
            end = _end_of_measure(text, place)
            found.append(("measure", text[match.start("name") : end]))
            place = end
    return found


def _end_of_measure(text: str, place: int) -> int:
    """Where a measure ends whose name ends at ``place``: after trec_eval's numbers, brackets, @ and ranx's -l."""
    tail = _TAIL.match(text, place)
    if tail:
        place = tail.end()
    if text[place : place + 1] == "(":
        depth = 0
        while place < len(text):
            depth += (text[place] in "({") - (text[place] in ")}")
            place += 1
            if depth == 0:
                break
    end = _END.match(text, place)
    return end.end() if end else place


class _Reader:
    """Reads tokens into a tree: + and - bind least, then * and /, then a sign, then brackets and functions."""

    def __init__(self, text: str, tokens: list[tuple[str, str]], parse_one: Callable[[str], Measure]) -> None:
        self._text, self._tokens, self._place = text, tokens, 0
        self._parse_one = parse_one

    def read(self) -> Node:
        tree = self._sum()
        if self._place < len(self._tokens):
            raise MeasureError(f"{self._text}: {self._tokens[self._place][1]!r} has no place here")
        return tree

    def _next_is(self, signs: str) -> str:
        """The next token where it is one of the signs, taken; empty where it is not."""
        if self._place < len(self._tokens):
            kind, text = self._tokens[self._place]
            if kind == "sign" and text in signs:
                self._place += 1
                return text
        return ""

    def _sum(self) -> Node:
        node = self._product()
        while sign := self._next_is("+-"):
            node = Node(sign, nodes=(node, self._product()))
        return node

    def _product(self) -> Node:
        node = self._signed()
        while sign := self._next_is("*/"):
            node = Node(sign, nodes=(node, self._signed()))
        return node

    def _signed(self) -> Node:
        if self._next_is("-"):
            return Node("negative", nodes=(self._signed(),))
        return self._atom()

    def _atom(self) -> Node:
        if self._next_is("("):
            node = self._sum()
            self._close()
            return node
        if self._place == len(self._tokens):
            raise MeasureError(f"{self._text}: something is missing at the end")
        kind, text = self._tokens[self._place]
        self._place += 1
        if kind == "number":
            if not float(text) < float("inf"):
                raise MeasureError(f"{self._text[:60]}: a number in it is beyond any float")
            return Node("number", float(text))
        if kind == "function":
            return self._function(text)
        if kind == "sign":
            raise MeasureError(f"{self._text}: {text!r} has no place here")
        return Node("measure", measure=self._parse_one(text))

    def _function(self, name: str) -> Node:
        self._next_is("(")
        nodes = [self._sum()]
        while self._next_is(","):
            nodes.append(self._sum())
        self._close()
        if (len(nodes) < 2) if name in _TWO else (len(nodes) != 1):
            raise MeasureError(f"{self._text}: {name}() takes {'two or more values' if name in _TWO else 'one value'}")
        return Node(name, nodes=tuple(nodes))

    def _close(self) -> None:
        if not self._next_is(")"):
            raise MeasureError(f"{self._text}: a bracket is not closed")


def _expression(tree: Node, asked: str = "") -> Expression:
    text = _text(tree)
    return Expression(_family(text, _latex(tree), _direction(tree) >= 0), text, asked=asked, tree=tree)


@lru_cache(maxsize=256)
def _family(text: str, formula: str, higher_is_better: bool) -> Family:
    """The record of an expression: what a person is told about it."""
    return Family(
        "expression", "Own expression", _not_by_family, (), Cutoff.NONE, "mean",
        f"what its measures reward, put together as {text}", "what its measures ignore", formula, "your own",
        higher_is_better=higher_is_better, span=ENDLESS,
    )  # fmt: skip


def _not_by_family(judged: Judged) -> Floats:
    raise AssertionError("an expression computes itself")  # pragma: no cover


def _value(node: Node, values: dict[str, Floats]) -> Floats:
    if node.measure is not None:
        return values[node.measure.text]
    if node.sign == "number":
        return np.asarray(node.value)
    found = [_value(one, values) for one in node.nodes]
    if node.sign == "negative":
        return -found[0]
    if node.sign == "/":
        return safe_divide(found[0], found[1])
    if node.sign in FUNCTIONS:
        result = found[0] if len(found) > 1 else FUNCTIONS[node.sign](found[0])
        for one in found[1:]:
            result = FUNCTIONS[node.sign](result, one)
        return result
    operation = {"+": np.add, "-": np.subtract, "*": np.multiply}[node.sign]
    return np.asarray(operation(found[0], found[1]))


_BINDS = {"+": 1, "-": 1, "*": 2, "/": 2, "negative": 3}


def _text(node: Node, within: int = 0) -> str:
    """The expression with single spaces and no needless brackets; ``within`` is how strongly the place binds."""
    if node.measure is not None:
        return node.measure.text
    if node.sign == "number":
        return number_text(node.value)
    if node.sign in FUNCTIONS:
        return f"{node.sign}({', '.join(_text(one) for one in node.nodes)})"
    binds = _BINDS[node.sign]
    if node.sign == "negative":
        text = f"-{_text(node.nodes[0], binds)}"
    else:
        text = f"{_text(node.nodes[0], binds)} {node.sign} {_text(node.nodes[1], binds + 1)}"
    return f"({text})" if binds < within else text


_ESCAPED = re.compile(r"[_#%&{} ]")


def _escape(match: re.Match[str]) -> str:
    return "\\" + match[0]


def _latex(node: Node, within: int = 0) -> str:
    """The expression as LaTeX, measures upright."""
    if node.measure is not None:
        return rf"\mathrm{{{_ESCAPED.sub(_escape, node.measure.text)}}}"
    if node.sign == "number":
        return number_text(node.value)
    if node.sign in FUNCTIONS:
        inside = ", ".join(_latex(one) for one in node.nodes)
        return rf"\sqrt{{{inside}}}" if node.sign == "sqrt" else rf"\mathrm{{{node.sign}}}({inside})"
    if node.sign == "/":
        return rf"\frac{{{_latex(node.nodes[0])}}}{{{_latex(node.nodes[1])}}}"
    binds = _BINDS[node.sign]
    if node.sign == "negative":
        text = f"-{_latex(node.nodes[0], binds)}"
    else:
        sign = r"\cdot" if node.sign == "*" else node.sign
        text = f"{_latex(node.nodes[0], binds)} {sign} {_latex(node.nodes[1], binds + 1)}"
    return f"({text})" if binds < within else text


def _direction(node: Node) -> int:
    """1 where more is better, -1 where less is, 0 for a number or where the parts disagree."""
    if node.measure is not None:
        return 1 if node.measure.higher_is_better else -1
    found = [_direction(one) for one in node.nodes]
    if node.sign == "negative":
        return -found[0]
    if node.sign in ("-", "/"):
        found[1] = -found[1]
    said = {one for one in found if one}
    return said.pop() if len(said) == 1 else 0
