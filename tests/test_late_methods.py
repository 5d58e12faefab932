"""Data classes whose methods are compiled late behave as Python's own; those are the oracle."""

from __future__ import annotations

import dataclasses
import pickle
import sys
from collections.abc import Iterator
from dataclasses import InitVar, dataclass, field, fields, replace
from typing import Any

import pytest

from irviewer.late_methods import compile_late

pytestmark = pytest.mark.skipif(not hasattr(dataclasses, "_create_fn"), reason="Python compiles them all at once")


def _define() -> dict[str, Any]:
    @dataclass(frozen=True)
    class Frozen:
        number: int
        self_: str = "s"
        several: tuple[int, ...] = ()

    @dataclass
    class Open:
        number: int
        given: InitVar[int] = 2
        made: list[int] = field(default_factory=list)
        hidden: int = field(default=5, repr=False, compare=False)

        def __post_init__(self, given: int) -> None:
            self.made.append(given)

    @dataclass(frozen=True)
    class Below(Frozen):
        more: float = 0.5

        def __repr__(self) -> str:
            return "below"

    @dataclass(frozen=True, slots=True, order=True)
    class Slots:
        number: int
        text: str = "t"

    @dataclass(frozen=True, eq=False)
    class Same:
        number: int

    return {kind.__name__: kind for kind in (Frozen, Open, Below, Slots, Same)}


PLAIN = _define()
"""As Python makes them: this module is imported before a test lets methods be compiled late."""


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """The classes with methods that are compiled late; the interpreter is afterwards as it was."""
    monkeypatch.setattr(dataclasses, "_create_fn", dataclasses._create_fn)  # type: ignore[attr-defined]
    compile_late()
    yield _define()


def _answers(kinds: dict[str, Any]) -> list[Any]:
    """What the classes answer to all that a data class does."""
    frozen, free, below, slots, same = kinds.values()
    first, second = frozen(1, several=(2, 3)), frozen(number=1, several=(2, 3))
    answers = [
        repr(first),
        first == second,
        hash(first) == hash(second),
        first == frozen(2),
        first == 1,
        first != second,
    ]
    answers += [repr(replace(first, self_="x")), {first: 1}[second], [row.name for row in fields(frozen)]]
    answers += [dataclasses.asdict(first), dataclasses.astuple(first), frozen.__init__.__name__]
    for change in (
        lambda: setattr(first, "number", 3),
        lambda: delattr(first, "number"),
        lambda: setattr(first, "new", 3),
        frozen,
        lambda: frozen(1, 2, 3, 4),
        lambda: frozen(1, wrong=2),
        lambda: slots(1) < 2,
        lambda: hash(free(1)),
    ):
        with pytest.raises(Exception) as refused:
            change()
        answers.append((type(refused.value).__name__, str(refused.value).replace("<locals>.create_late.", "")))
    answers += [repr(free(1, given=9)), free(1) == free(1, hidden=6), free(1) == free(1, 3), free(4).number]
    answers += [repr(below(1)), below(1) == below(1, more=0.5), below(1) == first, below(1, more=2).more]
    answers += [repr(slots(1)), slots(1) < slots(2), slots(2, "a") >= slots(1), hash(slots(1)) == hash(slots(1))]
    answers += [same(1) == same(1), repr(same(1)).split(".")[-1], len({same(1), same(1)})]
    return answers


def test_late_methods_behave_as_those_of_python(late: dict[str, Any]) -> None:
    plain = _answers(PLAIN)
    assert _answers(late) == plain
    assert _answers(late) == plain, "and when they have been compiled"


def test_a_method_is_compiled_once_and_takes_its_own_place(late: dict[str, Any]) -> None:
    frozen = late["Frozen"]
    stands_in = frozen.__init__
    frozen(1)
    compiled = frozen.__init__
    assert compiled is not stands_in
    assert compiled.__qualname__ == stands_in.__qualname__
    frozen(2)
    assert frozen.__init__ is compiled
    stands_in(frozen.__new__(frozen), 3)
    assert frozen.__init__ is compiled


def test_a_subclass_leaves_the_method_to_the_class_it_comes_from(late: dict[str, Any]) -> None:
    @dataclass(frozen=True)
    class Above:
        number: int

    class Below(Above):
        pass

    assert Below(3).number == 3
    assert "__init__" not in vars(Below)
    assert Above(4).number == 4


def test_it_can_be_asked_twice(late: dict[str, Any]) -> None:
    now = dataclasses._create_fn  # type: ignore[attr-defined]
    compile_late()
    assert dataclasses._create_fn is now  # type: ignore[attr-defined]


def test_instances_are_pickled(late: dict[str, Any]) -> None:
    module = sys.modules[__name__]
    for name in ("Frozen", "Slots"):
        kind = late[name]
        kind.__qualname__ = name
        setattr(module, name, kind)
        try:
            assert pickle.loads(pickle.dumps(kind(7))) == kind(7)
        finally:
            delattr(module, name)
