"""The texts in source files: docstrings, comments, and the strings that look like texts for users."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TRANSLATING = {"tr", "trn", "trc"}
NO_TEXTS = {"compile", "setStyleSheet", "setObjectName", "getLogger", "match", "search", "sub", "fullmatch", "split"}
"""Calls whose strings are patterns, style sheets and names."""
FOR_PROGRAMMERS = {"ValueError", "TypeError", "AssertionError", "KeyError", "NotImplementedError", "RuntimeError"} | {
    "BrokenError"
}
"""Errors that only a mistake in the program raises."""
IDS = {"Command"}
"""Calls whose first argument is an id."""


def docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and text of each string that is a statement: docstrings, and descriptions below constants."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each comment."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")


def notes_of(path: Path) -> list[tuple[int, str]]:
    """Return the docstrings and comments of a file."""
    source = path.read_text("utf-8")
    return [*docstrings(ast.parse(source)), *comments(source)]


def variables(path: Path) -> list[tuple[int, str]]:
    """Return line and name of each variable and parameter that a file binds; the fields of classes are none."""
    tree = ast.parse(path.read_text("utf-8"))
    fields = {
        id(statement.target)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for statement in node.body
        if isinstance(statement, ast.AnnAssign)
    }
    bound: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) if id(node) not in fields:
                bound.append((node.lineno, name))
            case ast.arg(arg=name):
                bound.append((node.lineno, name))
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
                bound.append((node.lineno, name))
    return bound


@cache
def untranslated(path: Path) -> list[tuple[int, str]]:
    """Return the strings that look like texts for users and are not arguments of ``tr``, ``trn`` or ``trc``.

    A text has a word of three letters and a space, and is no docstring, key, subscript, id, pattern, style sheet,
    markup, formula or source of the literature."""
    tree = ast.parse(path.read_text("utf-8"))
    skipped = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    found: list[tuple[int, str]] = []
    _collect(tree, skipped, found)
    return found


def _collect(node: ast.AST, skipped: set[int], found: list[tuple[int, str]]) -> None:
    if id(node) in skipped:
        return
    match node:
        case ast.Call(func=function) if _name(function) in TRANSLATING:
            for keyword in node.keywords:
                _collect(keyword.value, skipped, found)
            return
        case ast.Call(func=function) if _name(function) in NO_TEXTS | FOR_PROGRAMMERS:
            return
        case ast.Call(func=function, args=[first, *_]) if _name(function) in IDS:
            skipped = skipped | {id(first)}
        case ast.JoinedStr() | ast.Constant(value=str()):
            text = _text(node)
            if _is_text(text):
                found.append((node.lineno, text))
            if isinstance(node, ast.Constant):
                return
            for part in node.values:
                if isinstance(part, ast.FormattedValue):
                    _collect(part.value, skipped, found)
            return
        case ast.Subscript():
            _collect(node.value, skipped, found)
            return
        case ast.Dict():
            for value in node.values:
                _collect(value, skipped, found)
            return
        case ast.AnnAssign():
            if node.value is not None:
                _collect(node.value, skipped, found)
            return
        case ast.FunctionDef(name="__repr__"):
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            for child in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults), *node.body):
                _collect(child, skipped, found)
            return
    for child in ast.iter_child_nodes(node):
        _collect(child, skipped, found)


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    assert isinstance(node, ast.JoinedStr)
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


def _is_text(text: str) -> bool:
    if re.search(r"\\[a-zA-Z,\\]", text) or re.search(r", [^,]*\b(19|20)\d\d$|^[A-Z]\w+ (19|20)\d\d$", text):
        return False  # a formula; a source
    if re.search(r"^@media|[a-z]:[\w.#(][^;{}]*;", text):
        return False  # a style sheet
    words = text.replace("irviewer", "")
    return " " in text.strip() and not text.strip().startswith("<") and re.search(r"[A-Za-z]{3}", words) is not None
