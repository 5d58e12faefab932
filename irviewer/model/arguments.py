"""Arguments of the public functions: what is of another type than a function's annotations say is an error of one line,
and what can be read only once becomes a list where a list is expected."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, wraps
from numbers import Integral, Real
from os import PathLike
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

import numpy as np

from irviewer.errors import OptionError, printable
from irviewer.translation import tr

P = ParamSpec("P")
R = TypeVar("R")
LONGEST = 40
"""Letters of a value that an error shows."""
NUMBERS = {int, float, bool}
RAW = (TypeError, AttributeError, ValueError, LookupError, AssertionError, ArithmeticError)
"""Errors that say nothing to a user."""
LISTS = (Sequence, Collection, Iterable, list, tuple)
WORDS: dict[Any, str] = {
    bool: tr("True or False"), int: tr("a whole number"), float: tr("a number"), str: tr("a text"),
    PathLike: tr("a path"), Callable: tr("a function"), Mapping: tr("a dictionary"), types.NoneType: "None",
}  # fmt: skip
MANY: dict[Any, str] = {int: tr("whole numbers"), float: tr("numbers"), str: tr("texts")}
"""What lists have."""


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return a public function that refuses arguments of another type than its annotations say, as OptionError, and
    receives a list in place of an iterator where it takes a list. Numbers and switches are checked before, others
    where the function fails, whose own errors say more. Types that are imported for type checkers only, and those that
    take whatever one can iterate over, are left to the function."""

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        signature, kinds = _kinds(function)
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError:  # Python's own error names the argument
            return function(*args, **kwargs)
        given = bound.arguments
        for name, kind in kinds.items():
            if isinstance(given.get(name), Iterator | np.ndarray) and _lists(kind):
                given[name] = _listed(given[name])
            if name in given and not NUMBERS.isdisjoint(_parts(kind)):
                _refuse(function.__name__, name, given[name], kind)
        try:
            return function(*bound.args, **bound.kwargs)
        except RAW:
            for name in [each for each in kinds if each in given]:
                _refuse(function.__name__, name, given[name], kinds[name])
            raise

    return called


def _refuse(function: str, name: str, value: Any, kind: Any) -> None:
    if not fits(value, kind):
        raise OptionError(_refusal(function, name, value, kind))


@cache
def _kinds(function: Callable[..., Any]) -> tuple[inspect.Signature, dict[str, Any]]:
    """Return the signature, and the types of the parameters that are known when the program runs."""
    signature, kinds = inspect.signature(function), {}
    for name, parameter in signature.parameters.items():
        if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            try:
                kinds[name] = eval(parameter.annotation, function.__globals__)  # its own source, of this package
            except NameError:  # imported for type checkers only
                continue
    return signature, kinds


def _parts(kind: Any) -> tuple[Any, ...]:
    """Return the types of a union, those of a type alone."""
    if get_origin(kind) in (Union, types.UnionType):
        return tuple(part for each in get_args(kind) for part in _parts(each))
    return (kind,)


def _lists(kind: Any) -> bool:
    """Return whether a type has a list among others. What takes an iterable alone goes through it one by one."""
    return get_origin(kind) is not Iterable and any(get_origin(part) in LISTS for part in _parts(kind))


def _listed(value: Any) -> Any:
    """Return the list of an iterator or an array; fields of an array keep their names, as their order is free."""
    if not isinstance(value, np.ndarray):
        return list(value)
    names = value.dtype.names
    return value.tolist() if names is None else [dict(zip(names, row, strict=True)) for row in value.ravel().tolist()]


def fits(value: Any, kind: Any) -> bool:
    """Return whether a value is of a type, such as ``dict[str, list[int]] | None``."""
    return any(_is(value, part) for part in _parts(kind))


def _is(value: Any, kind: Any) -> bool:
    """Return whether a value is of a type that is no union. True for types that nothing is known of."""
    origin, inside = get_origin(kind) or kind, get_args(kind)
    if origin is Literal:
        return any(type(value) is type(each) for each in inside)  # the function names those that it knows
    if origin is bool:
        return isinstance(value, bool | np.bool_)
    if origin in (int, float):
        return isinstance(value, Integral if origin is int else Real) and not isinstance(value, bool | np.bool_)
    if origin is Mapping or origin is dict:
        return isinstance(value, Mapping) and (len(inside) < 2 or all(fits(each, inside[1]) for each in value.values()))
    if origin in LISTS:
        if isinstance(value, str | bytes) or not isinstance(value, Iterable):
            return False
        if origin is not Iterable and isinstance(value, Mapping):
            return False
        if origin is tuple and Ellipsis not in inside:
            return isinstance(value, tuple | list) and len(value) == len(inside) and all(map(fits, value, inside))
        return not inside or inside[0] is Any or all(fits(each, inside[0]) for each in value)
    if origin is Callable:
        return callable(value)
    if origin is Any or not isinstance(origin, type) or getattr(origin, "_is_protocol", False):
        return True
    return isinstance(value, origin)


def _refusal(function: str, name: str, value: Any, kind: Any) -> str:
    """Return what an argument is, and what it has to be."""
    words = dict.fromkeys(_word(part) for part in _parts(kind))
    shown = printable(repr(value))
    return tr(
        "{function}: {name} is {value}; it takes {types}",
        function=function, name=name, value=shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…",
        types=", ".join(words),
    )  # fmt: skip


def _word(kind: Any) -> str:
    """Return a type in words."""
    origin = get_origin(kind) or kind
    if origin is Literal:
        return ", ".join(map(repr, get_args(kind)))
    if origin in LISTS:
        inside = [MANY[each] for part in get_args(kind)[:1] for each in _parts(part) if each in MANY]
        return tr("a list of {items}", items=" / ".join(inside)) if inside else tr("a list")
    return WORDS.get(origin, WORDS[Mapping] if origin is dict else getattr(origin, "__name__", str(origin)))
