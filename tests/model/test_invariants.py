"""What holds of every run and all qrels is asked where they are made; the tests' own hook asks for all of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from irviewer.model.arrays import strings
from irviewer.model.invariants import check_tie_order, check_whole_qrels, check_whole_run
from irviewer.model.qrels import Qrels, check_qrels
from irviewer.model.run import Run, check_run
from irviewer.model.shapes import BrokenError

RUN = Run.from_dict({"1": {"a": 2.0, "b": 2.0, "c": 1.0}, "2": {}, "3": {"a": float("nan"), "d": float("nan")}})
QRELS = Qrels.from_dict({"1": {"a": 1.0, "b": 0.0}, "2": {"a": 2.0}})
TWO = np.zeros(2, np.bool_)
CUT = pa.StringArray.from_buffers(5, pa.py_buffer(np.array([0, 2, 1, 3, 4, 5], np.int32)), pa.py_buffer(b"abcde"))

SHAPES: dict[str, Callable[[], Any]] = {
    "an offset too few": lambda: replace(RUN, offsets=np.array([0, 3, 5])),
    "offsets that end early": lambda: replace(RUN, offsets=np.array([0, 3, 3, 4])),
    "offsets that begin late": lambda: replace(RUN, offsets=np.array([1, 3, 3, 5])),
    "offsets that fall": lambda: replace(RUN, offsets=np.array([0, 4, 3, 5])),
    "offsets of another kind": lambda: replace(RUN, offsets=np.array([0, 3, 3, 5], np.int32)),
    "two queries of one id": lambda: replace(RUN, query_ids=("1", "2", "1")),
    "a score too few": lambda: replace(RUN, scores=RUN.scores[:-1]),
    "a component too short": lambda: replace(RUN, components={"x": np.zeros(4)}),
    "ids of another kind": lambda: replace(RUN, doc_ids=RUN.doc_ids.cast(pa.large_string())),
    "an id that is missing": lambda: replace(RUN, doc_ids=pa.array(["a", "b", None, "a", "d"])),
    "a mark of ties too few": lambda: replace(RUN, tied=TWO),
    "more places than documents": lambda: replace(RUN, arrival=np.arange(6)),
}  # fmt: skip
VALUES: dict[str, Callable[[], Any]] = {
    "scores that rise": lambda: replace(RUN, scores=np.array([1.0, 2.0, 2.0, np.nan, np.nan])),
    "a number after NaN": lambda: replace(RUN, scores=np.array([2.0, 2.0, 1.0, np.nan, 1.0])),
    "a tie that is not said": lambda: replace(RUN, tied=np.array([False, False, True])),
    "a tie that is none": lambda: replace(RUN, tied=np.array([True, True, True])),
    "a document twice": lambda: replace(RUN, doc_ids=strings(["b", "a", "b", "d", "a"])),
    "ids that are cut": lambda: replace(RUN, doc_ids=CUT),
    "places of other documents": lambda: replace(RUN, arrival=np.arange(3)),
    "ties in another order": lambda: replace(RUN, doc_ids=strings(["a", "b", "c", "d", "a"])),
}


def outcome_of(make: Callable[[], Any]) -> Any:
    """The value, which nobody looks at when it is made."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "__post_init__", lambda self: None)
        patch.setattr(Qrels, "__post_init__", lambda self: None)
        return make()


@pytest.mark.parametrize("what", SHAPES)
def test_shapes_are_checked_always(what: str) -> None:
    with pytest.raises(BrokenError, match="run run: "):
        check_run(outcome_of(SHAPES[what]))


@pytest.mark.parametrize("what", VALUES)
def test_values_are_checked_in_every_test(what: str) -> None:
    broken = outcome_of(VALUES[what])
    check_run(broken)
    with pytest.raises(BrokenError, match="run run: "):
        check_whole_run(broken)
        check_tie_order(broken)
    with pytest.raises(BrokenError, match="run run: "):
        VALUES[what]()  # by the hook


def test_qrels_too() -> None:
    for broken in (
        lambda: replace(QRELS, offsets=np.array([0, 1, 2])),
        lambda: replace(QRELS, grades=np.zeros(2)),
        lambda: replace(QRELS, query_ids=("1", "1")),
    ):
        with pytest.raises(BrokenError, match="qrels qrels: "):
            check_qrels(outcome_of(broken))
    twice = outcome_of(lambda: replace(QRELS, doc_ids=strings(["a", "a", "b"])))
    check_qrels(twice)
    with pytest.raises(BrokenError, match="listed twice"):
        check_whole_qrels(twice)


def test_what_is_made_in_the_ordinary_way_is_whole() -> None:
    for run in (RUN, RUN.reordered("ascending"), RUN.reordered("arrival"), RUN.reordered("descending", 32)):
        check_whole_run(run)
        check_tie_order(run)
    check_whole_qrels(QRELS)


def test_some_rows_know_which_of_them_are_tied() -> None:
    """Of a pair one alone is in no tie any more."""
    some = RUN.only(np.array([0, 2, 3, 4]))
    assert some.tied.tolist() == [False, False, True]
    assert RUN.only(np.empty(0, np.int64)).tied.tolist() == [False] * 3
    arrived = Run.from_dict({"1": {"a": 1.0, "b": 1.0, "c": 0.0, "d": 0.0}})
    assert arrived.arrival is not None
    assert arrived.only(np.array([0, 2, 3])).reordered("arrival").ranking("1") == ["b", "c", "d"]
    assert len(arrived.only(np.empty(0, np.int64))) == 0


def test_values_cannot_be_written_to() -> None:
    scores = np.array([2.0, 1.0])
    run = Run("x", ("1",), np.array([0, 2]), strings(["a", "b"]), scores, np.zeros(1, np.bool_))
    for array in (run.offsets, run.scores, run.tied, QRELS.offsets, QRELS.grades):
        assert not array.flags.writeable
