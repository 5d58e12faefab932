"""One parser for expressions with operators, prefixes and brackets: that of measures (``(P@5 + R@20) / 2``) and that of
filters (``heat and not (Δ > 0 or tag:hard)``). A language gives its tokens, operators and operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

MOST_NESTED = 60
"""The greatest depth of brackets and prefixes within each other; a deeper one is unexpected."""
SIGN = "sign"
"""The kind of tokens that are operators, prefixes, brackets and commas."""
Kind = Literal["unexpected", "incomplete", "unclosed"]
Node = TypeVar("Node")


@dataclass(frozen=True)
class Token:
    """A token: its kind, SIGN or one of the language's kinds of operands, its text, and where it begins."""

    kind: str
    text: str
    start: int = 0


@dataclass(frozen=True)
class Grammar(Generic[Node]):
    """A language of operators.

    levels    the operators by precedence, the loosest first; those of one level are read from left to right
    prefixes  the operators before an operand, which bind closer than every level
    implied   the operator between two operands without one, of ``levels``; "" where that is a fault
    operand   reads an operand, one token or more; brackets are read by the grammar
    binary    makes a node of an operator and its two operands; ``prefix`` one of a prefix and its operand
    fault     makes the error of an unexpected token, an incomplete expression or a missing bracket; the token is that
              where it was noticed, None at the end
    """

    levels: tuple[frozenset[str], ...]
    prefixes: frozenset[str]
    operand: Callable[[Reader[Node]], Node]
    binary: Callable[[str, Node, Node], Node]
    prefix: Callable[[str, Node], Node]
    fault: Callable[[Kind, Token | None], Exception]
    implied: str = ""


class Reader(Generic[Node]):
    """Reads tokens from left to right, as a grammar has it. Raises what the grammar's ``fault`` makes."""

    def __init__(self, tokens: Sequence[Token], grammar: Grammar[Node]) -> None:
        self._tokens, self._grammar = tokens, grammar
        self._place = self._depth = 0
        self._signs = frozenset().union(*grammar.levels) | {")", ","}

    def read(self) -> Node:
        """Return the node of all tokens."""
        node = self.expression()
        left = self.peek()
        if left is not None:
            raise self.unexpected(left)
        return node

    def expression(self) -> Node:
        """Return the node of the longest expression that begins here."""
        return self._level(0)

    def peek(self) -> Token | None:
        """Return the next token, None behind the end."""
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def take(self) -> Token:
        """Consume and return the next token."""
        token = self.peek()
        if token is None:
            raise self._grammar.fault("incomplete", None)
        self._place += 1
        return token

    def take_sign(self, signs: frozenset[str]) -> str:
        """Consume and return the next token if it is one of the signs; else return ""."""
        token = self.peek()
        if token is None or token.kind != SIGN or token.text not in signs:
            return ""
        self._place += 1
        return token.text

    def close(self) -> None:
        """Consume a closing bracket."""
        if not self.take_sign(_CLOSING):
            raise self._grammar.fault("unclosed", self.peek())

    def unexpected(self, token: Token) -> Exception:
        """Return the error of a token that cannot follow here."""
        return self._grammar.fault("unexpected", token)

    def _level(self, level: int) -> Node:
        grammar = self._grammar
        if level == len(grammar.levels):
            return self._prefixed()
        node = self._level(level + 1)
        signs = grammar.levels[level]
        while operator := self.take_sign(signs) or (grammar.implied if self._is_implied(signs) else ""):
            node = grammar.binary(operator, node, self._level(level + 1))
        return node

    def _is_implied(self, signs: frozenset[str]) -> bool:
        """Whether an operand follows without an operator, and this level has the implied one."""
        token = self.peek()
        if self._grammar.implied not in signs or token is None:
            return False
        return token.kind != SIGN or token.text not in self._signs

    def _prefixed(self) -> Node:
        token = self.peek()
        if token is None:
            raise self._grammar.fault("incomplete", None)
        if token.kind != SIGN:
            return self._grammar.operand(self)
        if self._depth == MOST_NESTED:
            raise self.unexpected(token)
        self._depth += 1
        if prefix := self.take_sign(self._grammar.prefixes):
            node = self._grammar.prefix(prefix, self._prefixed())
        elif self.take_sign(_OPENING):
            node = self.expression()
            self.close()
        else:
            raise self.unexpected(token)
        self._depth -= 1
        return node


_OPENING, _CLOSING = frozenset("("), frozenset(")")
