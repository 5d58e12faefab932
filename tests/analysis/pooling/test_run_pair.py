"""The unjudged documents of runs: the newest two are kept, and all go with what holds them."""

from __future__ import annotations

import gc
import weakref

from irviewer.analysis.pooling.run_pair import OpenRuns
from irviewer.evaluation.evaluate import Joined
from irviewer.model.dialects import JoinOptions
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


def test_the_newest_two_are_kept_and_nothing_waits_for_a_collection() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1}})
    runs = [Run.from_dict({"1": {"a": 3.0, f"b{number}": 2.0, "c": 1.0}}) for number in range(3)]
    opened = OpenRuns([Joined(run, qrels, EvaluationOptions()) for run in runs], JoinOptions(), None, ("1",))
    first, second = opened[0], opened[1]
    assert opened[0] is first
    third = opened[2]  # in place of the second, which was asked for before the first
    assert opened[0] is first and opened[2] is third
    assert opened[1] is not second
    assert [each.keys.tolist() for each in opened] == [opened[number].keys.tolist() for number in range(3)]
    seen = weakref.ref(opened[1])
    collects = gc.isenabled()
    gc.disable()
    try:
        del opened, first, second, third
        assert seen() is None
    finally:
        if collects:
            gc.enable()
