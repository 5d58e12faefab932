"""Patterns that are compiled when they are first used do the same as others."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from irviewer.cli import quick_patterns
from irviewer.cli.quick_patterns import WaitingPattern, compile_when_used

SOURCE = """
import re
WORD = re.compile(r"(?P<first>[a-z])[a-z]*", re.IGNORECASE)
BYTES = re.compile(rb"\\d+")
AGAIN = re.compile(WORD)
class Holder:
    INSIDE = re.compile("x")
def made():
    return re.compile("y")
"""


@pytest.fixture
def quick() -> Iterator[None]:
    compile_when_used()
    yield
    re.compile = quick_patterns._compile


def module_named(name: str) -> Any:
    module = ModuleType(name)
    exec(compile(SOURCE, name, "exec"), module.__dict__)
    return module


def test_constants_of_our_own_modules_wait(quick: None) -> None:
    own, other = module_named("irviewer.some.module"), module_named("other")
    assert [type(each) for each in (own.WORD, own.BYTES, own.Holder.INSIDE, own.made(), other.WORD)] == [
        WaitingPattern, WaitingPattern, re.Pattern, re.Pattern, re.Pattern
    ]  # fmt: skip


def test_they_do_what_compiled_ones_do(quick: None) -> None:
    waiting: Any = module_named("irviewer.some.module").WORD
    plain: Any = quick_patterns._compile(r"(?P<first>[a-z])[a-z]*", re.IGNORECASE)
    assert isinstance(waiting, plain.__class__)
    for ask in (
        lambda word: word.fullmatch("Ab")["first"],
        lambda word: word.sub("-", "ab 1 C"),
        lambda word: re.sub(word, "-", "ab 1 C"),
        lambda word: [match.span() for match in re.finditer(word, "ab 1 C")],
        lambda word: re.compile(word).findall("ab 1 C"),
        lambda word: (word.pattern, word.flags, word.groups, dict(word.groupindex), repr(word), hash(word)),
    ):
        assert ask(waiting) == ask(plain) == ask(waiting)
    assert waiting == plain
    assert plain == waiting
    assert {waiting: 1}[plain] == 1
    for other in (copy.copy(waiting), copy.deepcopy(waiting), pickle.loads(pickle.dumps(waiting))):
        assert type(other) is type(plain)
        assert other == plain
    with pytest.raises(AttributeError, match="no attribute 'matches'"):
        waiting.matches  # noqa: B018
