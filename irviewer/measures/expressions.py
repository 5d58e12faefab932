"""Expressions over measures, such as ``(P@5 + R@20) / 2``: a measure defined by the user.

An expression is computed for each query and then averaged. This module reads, writes and computes expressions; the
measures come from the registry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.base import ENDLESS, Cutoff, Family, Measure, with_level
from irviewer.measures.parameters import number_text
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.model.operator_grammar import SIGN, Grammar, Reader, Token
from irviewer.translation import tr

FLOOR = 0.00001
"""The lowest argument of log(x), as in geometric means."""

FUNCTIONS: dict[str, Callable[..., Floats]] = {
    "min": np.minimum,
    "max": np.maximum,
    "sqrt": lambda x: np.sqrt(np.maximum(x, 0.0)),
    "abs": np.abs,
    "log": lambda x: np.log(np.maximum(x, FLOOR)),
}
_SEVERAL = ("min", "max")


@dataclass(frozen=True)
class Node:
    """A node of an expression's tree: a number, a measure, or an operator or function of other nodes."""

    sign: str
    value: float = 0.0
    measure: Measure | None = None
    nodes: tuple[Node, ...] = ()

    def measures(self) -> Iterator[Measure]:
        """Iterate over the measures of the expression from left to right, with duplicates."""
        if self.measure is not None:
            yield self.measure
        for node in self.nodes:
            yield from node.measures()

    def replaced(self, change: Callable[[Measure], Measure]) -> Node:
        """Return the tree with each measure changed."""
        measure = None if self.measure is None else change(self.measure)
        return Node(self.sign, self.value, measure, tuple(node.replaced(change) for node in self.nodes))


@dataclass(frozen=True)
class Expression(Measure):
    """A measure computed from other measures."""

    tree: Node = field(default=Node("number"), compare=False, repr=False)

    @property
    def parts(self) -> tuple[Measure, ...]:
        """The measures of the expression, without duplicates."""
        return tuple(dict.fromkeys(self.tree.measures()))

    @cached_property
    def leaves_out(self) -> bool:
        """True if one of its measures leaves queries out: these have no value of the expression either."""
        return any(part.leaves_out for part in self.parts)

    def bind(self, *, level: float = 1, max_grade: float = 0) -> Measure:
        """Return the expression with its measures bound."""
        tree = self.tree.replaced(lambda measure: measure.bind(level=level, max_grade=max_grade))
        return self if _text(tree) == self.text else _expression(tree, asked=self.text)

    def with_parts(self, change: Callable[[Measure], Measure]) -> Measure:
        """Return the expression with each measure changed; ``asked`` is the text before."""
        tree = self.tree.replaced(change)
        return self if _text(tree) == self.text else _expression(tree, asked=self.asked or self.text)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of each evaluated query, float64[E]; a division by 0 gives 0."""
        return self.combine({measure.text: measure.compute(judged) for measure in self.parts})

    def combine(self, values: Mapping[str, Floats]) -> Floats:
        """Return the value of each evaluated query, float64[E], from the values of its measures by text."""
        n = len(next(iter(values.values())))
        combined: Floats = np.broadcast_to(_value(self.tree, dict(values)), (n,)).astype(np.float64)
        return combined

    def label(self, graded: bool = False, level: float = 1, *, short: bool = False) -> str:
        """Return the text, with the relevance level if the qrels are graded and a measure depends on the level."""
        depends_on_level = any(
            parameter.name == "rel" and parameter.level and "rel" not in dict(measure.given)
            for measure in self.parts
            for parameter in measure.family.parameters
        )
        return with_level(self.text, level, short=short) if graded and depends_on_level else self.text


def parse(text: str, parse_one: Callable[[str], Measure]) -> Measure | None:
    """Return the measure of an expression; None if the text is not an expression: a single measure or anything else.

    ``parse_one`` parses the text of a single measure.

    Raises MeasureError for a faulty expression: an unknown measure (with similar names), an extra bracket, a measure
    without values of single queries."""
    tokens = _tokens(text)
    if tokens is None or not any(token.kind in (SIGN, "function") for token in tokens):
        return None
    try:
        tree = Reader(tokens, _grammar(text, parse_one)).read()
    except MeasureError:
        if re.fullmatch(r"[\w.@-]+", text.strip()):
            return None  # hit-rate@10 is a misspelt name, not a difference
        raise
    if tree.measure is not None:
        return tree.measure
    if not any(tree.measures()):
        raise MeasureError(tr("{expression}: an expression needs at least one measure", expression=text))
    return _expression(tree)


def join_words(words: list[str]) -> list[str]:
    """Join words that belong to one expression: those that begin or end with an operator, or with the @ of a cutoff."""
    joined: list[str] = []
    for word in words:
        if joined and (joined[-1][-1] in "+-*/@" or word[0] in "+-*/@"):
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    return joined


_NUMBER = r"(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.@(])"
_NAME = r"(?P<name>r-precision\b|\d*[^\W\d]\w*)"
_TAIL = re.compile(r"\.(?:p=\.?)?\d[\d.=]*(?:,-?\d[\d.=]*)*")
_END = re.compile(r"(?:\s*@\s*\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)?(?:-l\d+\b)?")
_TOKEN = re.compile(rf"\s*(?:{_NUMBER}|{_NAME}|(?P<sign>[-+*/(),]))")


def _tokens(text: str) -> list[Token] | None:
    """Return the tokens: numbers, measures, functions and signs; None if the text has anything else."""
    tokens: list[Token] = []
    position = 0
    while text[position:].strip():
        match = _TOKEN.match(text, position)
        if match is None:
            return None
        position = match.end()
        if match["number"]:
            tokens.append(Token("number", match["number"]))
        elif match["sign"]:
            tokens.append(Token(SIGN, match["sign"]))
        elif match["name"] in FUNCTIONS and text[position:].lstrip().startswith("("):
            tokens.append(Token("function", match["name"]))
        else:
            end = _end_of_measure(text, position)
            tokens.append(Token("measure", text[match.start("name") : end]))
            position = end
    return tokens


def _end_of_measure(text: str, position: int) -> int:
    """Return where a measure ends whose name ends at ``position``: after trec_eval's numbers, brackets, @ and ranx's
    -l."""
    tail = _TAIL.match(text, position)
    if tail:
        position = tail.end()
    if text[position : position + 1] == "(":
        position = next((place + 1 for place, depth in depths(text, position) if depth == 0), len(text))
    end = _END.match(text, position)
    return end.end() if end else position


def depths(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield each place of a text from ``start`` on, and how many brackets are open after it; those within quotation
    marks inside of brackets are characters of a text, whose marks a backslash takes away."""
    depth, quote, escaped = 0, "", False
    for place in range(start, len(text)):
        character = text[place]
        if quote:
            quote = "" if character == quote and not escaped else quote
            escaped = character == "\\" and not escaped
            yield place, max(depth, 1)
            continue
        depth += (character in "({") - (character in ")}")
        if depth > 0 and character in "\"'":
            quote = character
        yield place, depth


_COMMA = frozenset(",")


def _grammar(text: str, parse_one: Callable[[str], Measure]) -> Grammar[Node]:
    """Return the grammar of an expression, from low to high: + and -, * and /, signs, brackets and functions. Its
    errors name the text."""

    def fault(kind: str, token: Token | None) -> MeasureError:
        if kind == "unexpected" and token is not None:
            return MeasureError(tr("{expression}: unexpected {token!r}", expression=text, token=token.text))
        if kind == "unclosed":
            return MeasureError(tr('{expression}: ")" is missing', expression=text))
        return MeasureError(
            tr("{expression}: the expression is incomplete; add a measure or a number", expression=text)
        )

    def operand(reader: Reader[Node]) -> Node:
        token = reader.take()
        if token.kind == "number":
            if not float(token.text) < float("inf"):
                raise MeasureError(tr("{expression}: a number is too large", expression=text[:60]))
            return Node("number", float(token.text))
        if token.kind == "function":
            return _function(reader, token.text, text)
        return Node("measure", measure=parse_one(token.text))

    return Grammar(
        levels=(frozenset("+-"), frozenset("*/")),
        prefixes=frozenset("-"),
        operand=operand,
        binary=lambda sign, first, second: Node(sign, nodes=(first, second)),
        prefix=lambda _, node: Node("negative", nodes=(node,)),
        fault=fault,
    )


def _function(reader: Reader[Node], name: str, text: str) -> Node:
    reader.take()  # the bracket, which made the name a function
    nodes = [reader.expression()]
    while reader.take_sign(_COMMA):
        nodes.append(reader.expression())
    reader.close()
    if name in _SEVERAL and len(nodes) < 2:
        raise MeasureError(tr("{expression}: {function}() takes two or more values", expression=text, function=name))
    if name not in _SEVERAL and len(nodes) != 1:
        raise MeasureError(tr("{expression}: {function}() takes one value", expression=text, function=name))
    return Node(name, nodes=tuple(nodes))


def _expression(tree: Node, asked: str = "") -> Expression:
    text = _text(tree)
    return Expression(_family(text, _latex(tree), _direction(tree) >= 0), text, asked=asked, tree=tree)


@lru_cache(maxsize=256)
def _family(text: str, formula: str, higher_is_better: bool) -> Family:
    """Return the description of an expression."""
    return Family(
        "expression",
        tr("Custom expression"),
        _not_by_family,
        (),
        Cutoff.NONE,
        "mean",
        tr("what its measures reward, combined as {expression}", expression=text),
        tr("what its measures ignore"),
        formula,
        tr("defined by you"),
        higher_is_better=higher_is_better,
        span=ENDLESS,
    )


def _not_by_family(judged: Judged) -> Floats:
    raise AssertionError("expressions compute themselves")  # pragma: no cover


def _value(node: Node, values: dict[str, Floats]) -> Floats:
    if node.measure is not None:
        return values[node.measure.text]
    if node.sign == "number":
        return np.asarray(node.value)
    operands = [_value(operand, values) for operand in node.nodes]
    if node.sign == "negative":
        return -operands[0]
    if node.sign == "/":
        return safe_divide(operands[0], operands[1])
    if node.sign in FUNCTIONS:
        result = operands[0] if len(operands) > 1 else FUNCTIONS[node.sign](operands[0])
        for operand in operands[1:]:
            result = FUNCTIONS[node.sign](result, operand)
        return result
    operation = {"+": np.add, "-": np.subtract, "*": np.multiply}[node.sign]
    return np.asarray(operation(operands[0], operands[1]))


_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "negative": 3}


def _text(node: Node, within: int = 0) -> str:
    """Return the expression with single spaces and no needless brackets.

    within   the precedence of the surrounding operator"""
    if node.measure is not None:
        return node.measure.text
    if node.sign == "number":
        return number_text(node.value)
    if node.sign in FUNCTIONS:
        return f"{node.sign}({', '.join(_text(operand) for operand in node.nodes)})"
    precedence = _PRECEDENCE[node.sign]
    if node.sign == "negative":
        text = f"-{_text(node.nodes[0], precedence)}"
    else:
        text = f"{_text(node.nodes[0], precedence)} {node.sign} {_text(node.nodes[1], precedence + 1)}"
    return f"({text})" if precedence < within else text


_ESCAPED = re.compile(r"[_#%&{} ]")


def _escape(match: re.Match[str]) -> str:
    return "\\" + match[0]


def _latex(node: Node, within: int = 0) -> str:
    """Return the expression as LaTeX, measures upright."""
    if node.measure is not None:
        return rf"\mathrm{{{_ESCAPED.sub(_escape, node.measure.text)}}}"
    if node.sign == "number":
        return number_text(node.value)
    if node.sign in FUNCTIONS:
        inside = ", ".join(_latex(operand) for operand in node.nodes)
        return rf"\sqrt{{{inside}}}" if node.sign == "sqrt" else rf"\mathrm{{{node.sign}}}({inside})"
    if node.sign == "/":
        return rf"\frac{{{_latex(node.nodes[0])}}}{{{_latex(node.nodes[1])}}}"
    precedence = _PRECEDENCE[node.sign]
    if node.sign == "negative":
        text = f"-{_latex(node.nodes[0], precedence)}"
    else:
        sign = r"\cdot" if node.sign == "*" else node.sign
        text = f"{_latex(node.nodes[0], precedence)} {sign} {_latex(node.nodes[1], precedence + 1)}"
    return f"({text})" if precedence < within else text


def _direction(node: Node) -> int:
    """Return 1 if higher values are better, -1 if lower ones are, 0 for a number or if the operands disagree."""
    if node.measure is not None:
        return 1 if node.measure.higher_is_better else -1
    directions = [_direction(operand) for operand in node.nodes]
    if node.sign == "negative":
        return -directions[0]
    if node.sign in ("-", "/"):
        directions[1] = -directions[1]
    distinct = {direction for direction in directions if direction}
    return distinct.pop() if len(distinct) == 1 else 0
