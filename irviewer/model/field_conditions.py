"""Conditions on the fields of documents, such as ``in_stock = false and price > 100``.

A field is a name, in double quotes where it has other characters than letters, digits, ``_ . -``; a value is a word, in
single quotes where it has spaces. A document without a value fulfils no comparison with one, neither ``=`` nor ``!=``:
``price is missing`` and ``price is known`` ask for that. There is no "not", which would count it among the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from irviewer.errors import MeasureError
from irviewer.model.operator_grammar import SIGN, Grammar, Reader, Token
from irviewer.translation import tr

MISSING, KNOWN = "is missing", "is known"
COMPARISONS = ("=", "!=", "<=", ">=", "<", ">")
_BARE = r"[^\W_][\w.:+\-]*|_[\w.:+\-]*|[-+]?\.?\d[\w.:+\-]*"
_TOKEN = re.compile(
    r"""\s*(?:(?P<sign>!=|<=|>=|[=<>()])"""
    r'''|"(?P<double>(?:[^"\\]|\\.)*)"'''
    r"""|'(?P<single>(?:[^'\\]|\\.)*)'"""
    rf"""|(?P<bare>{_BARE}))""",
    re.DOTALL,
)
_JOINS = ("and", "or")


@dataclass(frozen=True)
class Condition:
    """A comparison of a field with a value, or conditions joined by "and" or "or".

    sign    one of COMPARISONS, MISSING, KNOWN, "and", "or"
    value   what is compared with, as written; the field's type decides what it means
    """

    sign: str
    field: str = ""
    value: str = ""
    parts: tuple[Condition, ...] = ()

    def fields(self) -> Iterator[str]:
        """Iterate over the names of its fields, with repetitions."""
        if self.field:
            yield self.field
        for part in self.parts:
            yield from part.fields()

    @property
    def text(self) -> str:
        """The condition with single spaces and no needless brackets, which reads as the same condition."""
        if self.sign in (MISSING, KNOWN):
            return f"{_name(self.field)} {self.sign}"
        if self.sign in COMPARISONS:
            return f"{_name(self.field)} {self.sign} {_value(self.value)}"
        inner = [f"({part.text})" if self.sign == "and" and part.sign == "or" else part.text for part in self.parts]
        return f" {self.sign} ".join(inner)


@lru_cache(maxsize=256)
def parse_condition(text: str) -> Condition:
    """Return the condition of a text. Raises MeasureError, which says how conditions are written."""

    def fault(kind: str, token: Token | None) -> MeasureError:
        problem = (
            tr("unexpected {token!r}", token=token.text) if token is not None
            else tr('")" is missing') if kind == "unclosed"
            else tr("it is incomplete")
        )  # fmt: skip
        return MeasureError(
            tr(
                "the condition {condition!r}: {problem}; write one such as {example}",
                condition=text, problem=problem, example="in_stock = false and price > 100",
            )
        )  # fmt: skip

    def operand(reader: Reader[Condition]) -> Condition:
        field = reader.take()
        sign = reader.take()
        if field.kind == "value" or not field.text.strip():  # single quotes are for values
            raise fault("unexpected", field)
        if sign.kind == "bare" and sign.text == "is":
            state = reader.take()
            if state.kind == "bare" and state.text in ("missing", "known"):
                return Condition(f"is {state.text}", field.text)
            raise fault("unexpected", state)
        if sign.kind != SIGN or sign.text not in COMPARISONS:
            raise fault("unexpected", sign)
        value = reader.take()
        if value.kind == SIGN:
            raise fault("unexpected", value)
        return Condition(sign.text, field.text, value.text)

    grammar = Grammar(
        levels=(frozenset({"or"}), frozenset({"and"})), prefixes=frozenset(), operand=operand, binary=_joined,
        prefix=lambda _, node: node, fault=fault,
    )  # fmt: skip
    return Reader(_tokens(text, fault), grammar).read()


def _joined(sign: str, first: Condition, second: Condition) -> Condition:
    parts = [*(first.parts if first.sign == sign else (first,)), *(second.parts if second.sign == sign else (second,))]
    return Condition(sign, parts=tuple(parts))


def _tokens(text: str, fault: object) -> list[Token]:
    tokens: list[Token] = []
    position = 0
    while text[position:].strip():
        match = _TOKEN.match(text, position)
        if match is None:
            raise fault("unexpected", Token("bare", text[position:].strip()[:20]))  # type: ignore[operator]
        position = match.end()
        if match["sign"]:
            tokens.append(Token(SIGN, match["sign"]))
        elif match["bare"] is not None:
            tokens.append(Token(SIGN if match["bare"] in _JOINS else "bare", match["bare"]))
        elif match["double"] is not None:
            tokens.append(Token("quoted", _unescaped(match["double"])))
        else:
            tokens.append(Token("value", _unescaped(match["single"])))
    return tokens


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def _is_bare(text: str) -> bool:
    return re.fullmatch(_BARE, text) is not None and text not in (*_JOINS, "is")


def _name(text: str) -> str:
    return text if _is_bare(text) else _quoted(text, '"')


def _value(text: str) -> str:
    return text if _is_bare(text) else _quoted(text, "'")


def _quoted(text: str, mark: str) -> str:
    escaped = text.replace("\\", "\\\\").replace(mark, f"\\{mark}")
    return f"{mark}{escaped}{mark}"
