"""The texts in source files: docstrings, comments, and the strings that look like texts for users.

Each file is parsed once in a process, whatever is asked of it."""

from __future__ import annotations

import ast
import gc
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TRANSLATING = {"tr", "trn", "trc"}
IMPORTING = {"import_module", "__import__"}
NO_TEXTS = {"compile", "setStyleSheet", "setObjectName", "getLogger", "match", "search", "sub", "fullmatch", "split"}
"""Calls whose strings are patterns, style sheets and names."""
FOR_PROGRAMMERS = {"ValueError", "TypeError", "AssertionError", "KeyError", "NotImplementedError", "RuntimeError"} | {
    "BrokenError"
}
"""Errors that only a mistake in the program raises."""
IDS = {"Command"}
"""Calls whose first argument is an id."""


@dataclass(frozen=True, slots=True)
class Source:
    """What tests ask of a file of Python; its tree, of which there are too many to keep, is dropped."""

    docstrings: list[tuple[int, str]]
    """Line and text of each string that is a statement: docstrings, and descriptions below constants."""
    variables: list[tuple[int, str]]
    """Line and name of each variable and parameter that the file binds; the fields of classes are none."""
    functions: list[tuple[int, str]]
    """Line and name of each function and class."""
    translated: list[ast.Call]
    """The calls of ``tr``, ``trn`` and ``trc``, in the order of the lines."""
    untranslated: list[tuple[int, str]]
    """Line and text of each string that looks like a text for users and is no argument of such a call."""
    imports: list[tuple[ast.Import | ast.ImportFrom | ast.Call, bool]]
    """Imports, and calls that may be of ``import_module``; and whether each is in a function."""


@cache
def source(path: Path) -> Source:
    """Parse a file."""
    collects = gc.isenabled()
    gc.disable()  # it would look through the growing tree again and again
    try:
        return _parsed(ast.parse(path.read_text("utf-8")))
    finally:
        if collects:
            gc.enable()


def _parsed(tree: ast.Module) -> Source:
    docstrings: list[tuple[int, str]] = []
    fields: set[int] = set()
    skipped: set[int] = set()
    bound: list[tuple[int, int, str]] = []
    functions: list[tuple[int, str]] = []
    calls: list[ast.Call] = []
    imports: list[tuple[ast.Import | ast.ImportFrom | ast.Call, bool]] = []
    untranslated: list[tuple[int, str]] = []
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    for node, late in waiting:
        match node:
            case ast.Expr(value=ast.Constant() as value):
                skipped.add(id(value))
                if isinstance(value.value, str):
                    docstrings.append((node.lineno, value.value))
            case ast.ClassDef():
                fields.update(id(statement.target) for statement in node.body if isinstance(statement, ast.AnnAssign))
            case ast.Name(ctx=ast.Store()):
                bound.append((id(node), node.lineno, node.id))
            case ast.arg():
                bound.append((id(node), node.lineno, node.arg))
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
                bound.append((id(node), node.lineno, name))
            case ast.Import() | ast.ImportFrom():
                imports.append((node, late))
            case ast.Call():
                if _name(node.func) in IMPORTING:
                    imports.append((node, late))
                if isinstance(node.func, ast.Name) and node.func.id in TRANSLATING:
                    calls.append(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            functions.append((node.lineno, node.name))
        late = late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        waiting += [(child, late) for child in ast.iter_child_nodes(node)]
    _collect(tree, skipped, untranslated)
    variables = [(line, name) for key, line, name in bound if key not in fields]
    return Source(docstrings, variables, functions, calls, untranslated, imports)


def comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each comment."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")


def notes_of(path: Path) -> list[tuple[int, str]]:
    """Return the docstrings and comments of a file."""
    return [*source(path).docstrings, *comments(path.read_text("utf-8"))]


def variables(path: Path) -> list[tuple[int, str]]:
    """Return line and name of each variable and parameter that a file binds; the fields of classes are none."""
    return source(path).variables


def untranslated(path: Path) -> list[tuple[int, str]]:
    """Return the strings that look like texts for users and are not arguments of ``tr``, ``trn`` or ``trc``.

    A text has a word of three letters and a space, and is no docstring, key, subscript, id, pattern, style sheet,
    markup, formula or source of the literature."""
    return source(path).untranslated


def texts_of(call: ast.Call) -> list[str]:
    """Return the texts of a call of ``tr``, ``trn`` or ``trc``: not the context of the last, but both forms of a
    plural."""
    places = {"tr": slice(1), "trn": slice(2), "trc": slice(1, 2)}[_name(call.func)]
    return [text.value for text in call.args[places] if isinstance(text, ast.Constant) and isinstance(text.value, str)]


def _collect(node: ast.AST, skipped: set[int], texts: list[tuple[int, str]]) -> None:
    if id(node) in skipped:
        return
    match node:
        case ast.Call(func=function) if _name(function) in TRANSLATING:
            for keyword in node.keywords:
                _collect(keyword.value, skipped, texts)
            return
        case ast.Call(func=function) if _name(function) in NO_TEXTS | FOR_PROGRAMMERS:
            return
        case ast.Call(func=function, args=[first, *_]) if _name(function) in IDS:
            skipped = skipped | {id(first)}
        case ast.JoinedStr() | ast.Constant(value=str()):
            text = _text(node)
            if _is_text(text):
                texts.append((node.lineno, text))
            if isinstance(node, ast.Constant):
                return
            for part in node.values:
                if isinstance(part, ast.FormattedValue):
                    _collect(part.value, skipped, texts)
            return
        case ast.Subscript():
            _collect(node.value, skipped, texts)
            return
        case ast.Dict():
            for value in node.values:
                _collect(value, skipped, texts)
            return
        case ast.AnnAssign():
            if node.value is not None:
                _collect(node.value, skipped, texts)
            return
        case ast.FunctionDef(name="__repr__"):
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            for child in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults), *node.body):
                _collect(child, skipped, texts)
            return
    for child in ast.iter_child_nodes(node):
        _collect(child, skipped, texts)


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
