"""Data classes whose methods are compiled when they are first used do the same as others."""

from __future__ import annotations

import dataclasses
import pickle
import subprocess
import sys
import threading
from types import ModuleType
from typing import Any

import pytest
from patience import LONG_PROCESS

from irviewer.cli.quick_classes import build_when_used

SOURCE = """
from __future__ import annotations
from dataclasses import dataclass, field
from functools import cached_property

@dataclass(frozen=True)
class Point:
    "A place."
    x: float
    y: float = 2.0
    names: tuple[str, ...] = field(default=(), repr=False, compare=False)

    @cached_property
    def total(self):
        return self.x + self.y

@dataclass(frozen=True)
class Named(Point):
    "A place with a name."
    name: str = "here"

    def __post_init__(self):
        object.__setattr__(self, "name", self.name.upper())

@dataclass(frozen=True, slots=True)
class Slim:
    "Two numbers."
    a: int
    b: int

@dataclass
class Loose:
    "What may change."
    items: list[int] = field(default_factory=list)

class Derived(Named):
    def __init__(self, x):
        super().__init__(x, name="derived")

    def __eq__(self, other):
        return super().__eq__(other) is True

    __hash__ = Point.__hash__
"""


def module(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a module of this name, made of SOURCE."""
    of_source = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, of_source)
    exec(compile(SOURCE, name, "exec"), vars(of_source))
    return of_source


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """The module as one of ours, whose classes wait, and as one of another program."""
    monkeypatch.setattr(dataclasses, "_create_fn", getattr(dataclasses, "_create_fn", None), raising=False)
    build_when_used()
    return module("irviewer.of_test", monkeypatch), module("another.of_test", monkeypatch)


def outcome_of(act: Any) -> str:
    """Return what a call returns, or fails with, as text."""
    try:
        return repr(act())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def answers(own: Any) -> list[str]:
    """Return what the classes of a module do."""
    point, slim = own.Point(1.0), own.Slim(1, b=2)
    return [
        outcome_of(act)
        for act in (
            lambda: point,
            lambda: own.Named(1, 2, name="n"),
            lambda: slim,
            lambda: own.Loose([1]),
            lambda: own.Derived(3),
            lambda: point == own.Point(1.0, names=("a",)),
            lambda: point == own.Point(1.5),
            lambda: point == own.Named(1.0),
            lambda: point == 1,
            lambda: own.Derived(3) == own.Derived(3),
            lambda: own.Loose() == own.Loose(),
            lambda: hash(point) == hash(own.Point(1.0)) == hash((1.0, 2.0)),
            lambda: hash(own.Loose()),
            lambda: hash(own.Derived(3)),
            lambda: setattr(point, "x", 2.0),
            lambda: setattr(point, "other", 2.0),
            lambda: delattr(point, "x"),
            lambda: setattr(slim, "a", 2),
            lambda: setattr(own.Loose(), "items", 2),
            own.Point,
            lambda: own.Point(1, 2, (), 4),
            lambda: own.Point(1, z=2),
            lambda: point.total,
            lambda: dataclasses.replace(point, y=5),
            lambda: dataclasses.astuple(own.Named(1)),
            lambda: own.Point.__match_args__,
            lambda: own.Point.__doc__,
        )
    ]


def test_they_do_the_same_as_others(both: tuple[Any, Any]) -> None:
    own, other = both
    assert answers(own) == answers(other)
    assert answers(own) == answers(other), "again, with their methods built"


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="Python compiles them all at once")
def test_a_method_is_made_once_and_takes_its_place(both: tuple[Any, Any]) -> None:
    own, other = both
    before = dict(vars(own.Point))
    points = [own.Point(1.0), own.Point(1.0)]
    assert points[0] == points[1]
    for name in ("__init__", "__eq__"):
        assert vars(own.Point)[name] is not before[name]
        assert vars(own.Point)[name].__code__.co_argcount == vars(other.Point)[name].__code__.co_argcount
        assert vars(own.Point)[name].__qualname__ == f"Point.{name}"
    assert vars(own.Point)["__hash__"] is before["__hash__"], "nobody asked for it"
    assert vars(other.Point)["__hash__"].__code__.co_filename == "<string>", "another program's are made at once"


def test_they_are_pickled_and_used_by_threads(both: tuple[Any, Any]) -> None:
    own, _ = both
    values: list[Any] = []
    start = threading.Barrier(4)

    def work() -> None:
        start.wait()
        values.append((own.Named(1.0, 2.0), hash(own.Named(1.0, 2.0))))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(values) == 4
    assert len(set(values)) == 1
    assert pickle.loads(pickle.dumps(values[0][0])) == values[0][0]


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="Python compiles them all at once")
def test_the_program_makes_few_of_them_and_a_program_that_imports_it_all() -> None:
    code = (
        "import dataclasses, sys\n"
        "build, made = dataclasses._create_fn, []\n"
        "def count(name, *rest, **more):\n"
        "    made.append(name)\n"
        "    return build(name, *rest, **more)\n"
        "dataclasses._create_fn = count\n"
        "{start}\n"
        "import irviewer.session.session\n"
        "print(len(made))\n"
    )
    counts = []
    for start in ("from irviewer.__main__ import main; assert main(['--version']) == 0", "import irviewer"):
        done = subprocess.run(
            [sys.executable, "-c", code.replace("{start}", start)], capture_output=True, text=True,
            timeout=LONG_PROCESS, check=True,
        )  # fmt: skip
        counts.append(int(done.stdout.split()[-1]))
    assert counts[0] < counts[1] / 2
