"""High-recall measures on a list small enough to count by hand, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.errors import MeasureError
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

QRELS = Qrels.from_dict({"1": {"a": 1, "b": 1, "c": 1, "d": 1, "x": 0}})
RUN = Run.from_dict({"1": {name: -place for place, name in enumerate("axbyczdvw")}})
"""Relevant at ranks 1, 3, 5 and 7 of 9."""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("RankAtRecall@0.75", 5),
        ("RankAtRecall@0.8", 7),
        ("Effort@1", 7 / 9),
        ("WSS@1", 2 / 9),
        ("WSS@0.75", 4 / 9 - 0.25),
        ("WSS(N=20)@0.75", 15 / 20 - 0.25),
        ("TNR@0.75", 3 / 5),  # of x, y, z, v, w two were read: x and y
        ("TNR@1", 2 / 5),
        ("LastRel", 7),
        ("NAURC", (8.5 + 6.5 + 4.5 + 2.5) / (4 * 9 - 8)),
    ],
)
def test_counted_by_hand(text: str, value: float) -> None:
    assert evaluate(QRELS, RUN, [text]).mean(text) == pytest.approx(value)


def test_the_true_negative_rate_is_work_saved_on_its_own_scale() -> None:
    """Kusa and others: WSS, put between its least and greatest value, is TNR, for any N."""
    for size in (9, 30, 1000):
        evaluation = evaluate(QRELS, RUN, [f"WSS(N={size})@0.75", f"TNR(N={size})@0.75"])
        wss, tnr = evaluation.values[:, 0, 0]
        best = (size - 3) / size - 0.25  # the three that are wanted, and nothing else, are read
        worst = (size - (size - 4 + 3)) / size - 0.25  # every non-relevant document is read before
        assert tnr == pytest.approx((wss - worst) / (best - worst))


def test_what_is_never_reached_costs_everything() -> None:
    run = Run.from_dict({"1": {"a": 1.0}})
    evaluation = evaluate(
        QRELS, run, ["RankAtRecall(N=100)@0.5", "WSS(N=100)@0.5", "TNR(N=100)@0.5", "Effort(N=100)@0.5"]
    )
    assert evaluation.means[:, 0].tolist() == [100, -0.5, 0, 1]


def test_finding_nothing_is_never_the_best() -> None:
    """A run without the relevant document, one without the query, one that stops before, and a query without any."""
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 1, "x": 0}, "2": {"x": 0}})
    runs = [
        Run.from_dict({"1": {"x": 3.0, "y": 2.0, "a": 1.0}, "2": {"x": 1.0}}, name="half"),
        Run.from_dict({"1": {"x": 3.0, "y": 2.0, "z": 1.0}}, name="nothing"),
        Run.from_dict({"2": {"x": 1.0}}, name="lacking"),
    ]
    for text, half, worst in (("RankAtRecall", 3, 100), ("Effort", 0.03, 1), ("LastRel", 3, 100)):
        at = "" if text == "LastRel" else "@0.5"
        evaluation = evaluate(qrels, runs, [f"{text}(N=100){at}", text + at])
        assert evaluation.values[0].T.tolist() == [[half, worst, worst], [worst, worst, worst]]
        assert np.isnan(evaluation.values[1]).T.tolist() == [[False, True, True], [True, True, True]]
        assert np.isnan(evaluation.means[1]).all()
        assert [lacking[1:] for lacking in evaluation.without_mean] == [
            ("half", ("2",)),
            ("nothing", ("1", "2")),
            ("lacking", ("1", "2")),
        ]


def test_a_collection_smaller_than_what_is_known_is_refused() -> None:
    with pytest.raises(MeasureError, match="N=5 is too small: the run and the qrels have 9 documents for query 1"):
        evaluate(QRELS, RUN, ["WSS(N=5)@0.95"])
