"""The texts in source files: docstrings, comments, and the strings that look like texts for users.

Each file is parsed once in a process, whatever is asked of it."""

from __future__ import annotations

import ast
import gc
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
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
    """Walk the tree once. With each node goes whether it is in a function, and whether its strings may be texts."""
    docstrings: list[tuple[int, str]] = []
    variables: list[tuple[int, str]] = []
    functions: list[tuple[int, str]] = []
    calls: list[ast.Call] = []
    imports: list[tuple[ast.Import | ast.ImportFrom | ast.Call, bool]] = []
    texts: list[tuple[int, int, str]] = []
    waiting: list[tuple[ast.AST, bool, bool]] = [(tree, False, True)]
    for node, late, shown in waiting:
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                variables.append((node.lineno, node.id))
            continue
        if isinstance(node, ast.Constant):
            if shown and isinstance(node.value, str) and _is_text(node.value):
                texts.append((node.lineno, node.col_offset, node.value))
            continue
        children = _children(node)
        without_texts: Sequence[ast.AST | None] = ()
        match node:
            case ast.Expr(value=ast.Constant(value=value)):
                if isinstance(value, str):
                    docstrings.append((node.lineno, value))
                continue
            case ast.Import() | ast.ImportFrom():
                imports.append((node, late))
            case ast.Call(func=function, args=arguments):
                name = _name(function)
                if name in IMPORTING:
                    imports.append((node, late))
                if name in TRANSLATING:
                    without_texts = [function, *arguments]
                    if isinstance(function, ast.Name):
                        calls.append(node)
                elif name in IDS:
                    without_texts = arguments[:1]
                elif name in NO_TEXTS or name in FOR_PROGRAMMERS:
                    shown = False
            case ast.JoinedStr():
                text = _text(node)
                if shown and _is_text(text):
                    texts.append((node.lineno, node.col_offset, text))
                children = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
            case ast.Subscript():
                without_texts = [node.slice]
            case ast.Dict():
                without_texts = node.keys
            case ast.AnnAssign():
                without_texts = [node.target, node.annotation]
            case ast.arg():
                variables.append((node.lineno, node.arg))
                shown = False
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
                variables.append((node.lineno, name))
            case ast.ClassDef():
                functions.append((node.lineno, node.name))
                fields = [statement for statement in node.body if isinstance(statement, ast.AnnAssign)]
                children = [child for child in children if child not in fields]
                children += [field.value for field in fields if field.value is not None]
                waiting += [(field.annotation, late, False) for field in fields]
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                functions.append((node.lineno, node.name))
                late = True
                shown = shown and node.name != "__repr__"
                without_texts = [node.returns]
            case ast.Lambda():
                late = True
        if without_texts and shown:
            waiting += [(child, late, child not in without_texts) for child in children]
        else:
            waiting += [(child, late, shown) for child in children]
    return Source(docstrings, variables, functions, calls, [(line, text) for line, _, text in sorted(texts)], imports)


@cache
def _fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that hold nodes with something in them."""
    return tuple(name for name in kind._fields if name not in {"ctx", "op", "ops"})


def _children(node: ast.AST) -> list[ast.AST]:
    children: list[ast.AST] = []
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, ast.AST):
            children.append(value)
        elif isinstance(value, list):
            children += [member for member in value if isinstance(member, ast.AST)]
    return children


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


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    assert isinstance(node, ast.JoinedStr)
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


def _is_text(text: str) -> bool:
    if " " not in text:
        return False
    if re.search(r"\\[a-zA-Z,\\]", text) or re.search(r", [^,]*\b(19|20)\d\d$|^[A-Z]\w+ (19|20)\d\d$", text):
        return False  # a formula; a source
    if re.search(r"^@media|[a-z]:[\w.#(][^;{}]*;", text):
        return False  # a style sheet
    words = text.replace("irviewer", "")
    return " " in text.strip() and not text.strip().startswith("<") and re.search(r"[A-Za-z]{3}", words) is not None
