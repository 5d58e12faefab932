"""A sweep's settings are the fusions themselves, one by one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irviewer.analysis.tuning.fusion_sweep import sweep_fusion, weight_grid
from irviewer.errors import OptionError, UndecidedError
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.fusion import Fusion, FusionCandidates, fuse
from irviewer.model.run import Run

DICE = np.random.default_rng(6)
JUDGMENTS = {f"q{number}": {f"d{document}": int(DICE.integers(0, 3)) for document in range(12)} for number in range(12)}
QRELS = Qrels.from_dict(JUDGMENTS)


def run(name: str, push: float) -> Run:
    """Some documents of each judged query and of two that are not."""
    queries = {**JUDGMENTS, "other": dict.fromkeys(map(str, range(5)), 0), "none": {"x": 0}}
    ranking = {
        query: {
            document: round(float(DICE.normal(grade * push, 2)), 1)
            for document, grade in row.items()
            if DICE.random() < 0.7
        }
        for query, row in queries.items()
    }
    return Run.from_dict({query: row for query, row in ranking.items() if row}, name=name)


RUNS = [run("a", 0.4), run("b", 1.0), run("c", 0.7)]


def test_settings_are_fusions() -> None:
    sweep = sweep_fusion(QRELS, RUNS, "nDCG@5", normalisations=("min-max", "z-score", "none"), step=0.25, folds=3)
    assert len(sweep.settings) == 3 * 15
    for setting, values in zip(sweep.settings, sweep.values, strict=True):
        values_by_query = evaluate(QRELS, fuse(RUNS, setting), ["nDCG@5"]).by_query("nDCG@5")
        assert values.tolist() == [values_by_query[query] for query in sweep.query_ids]
    assert sweep.single_means == pytest.approx(evaluate(QRELS, RUNS, ["nDCG@5"]).means[0])
    weights, means = sweep.grid("z-score")
    assert len(weights) == 15
    assert means.max() == max(sweep.nested.means[15:30])
    assert sweep.nested.means[sweep.nested.best] == sweep.nested.means.max()
    assert sweep.best == sweep.settings[sweep.nested.best]


@pytest.mark.parametrize("method", ["rrf", "combsum", "combmnz", "isr", "borda"])
def test_candidates_serve_every_method(method: str) -> None:
    fusion = Fusion(method, depth=5)  # type: ignore[arg-type]
    mine, other = fuse(RUNS, fusion, keep=4), FusionCandidates.of(RUNS, 5).fuse(fusion, keep=4)
    for query in mine.query_ids:
        assert mine.ranking(query) == other.ranking(query)
        assert mine.ranking_scores(query).tolist() == other.ranking_scores(query).tolist()


def test_options_and_depth() -> None:
    sweep = sweep_fusion(
        QRELS, RUNS[:2], "AP", EvaluationOptions(level=2, depth=6), normalisations=["sum"], step=0.5, depth=3, folds=2
    )
    for setting, values in zip(sweep.settings, sweep.values, strict=True):
        fused = fuse(RUNS[:2], Fusion("weighted", "sum", setting.weights, depth=3))
        evaluation = evaluate(QRELS, fused, ["AP"], EvaluationOptions(level=2, depth=6))
        assert values.mean() == pytest.approx(evaluation.means[0, 0])


def test_queries_that_a_run_lacks() -> None:
    short = Run.from_dict({"q1": {"d1": 1.0}, "q2": {"d3": 1.0}}, name="short")
    zero = sweep_fusion(QRELS, [RUNS[0], short], "AP", step=0.5, folds=2)
    assert len(zero.query_ids) == 12
    options = EvaluationOptions(missing="intersection")
    common = sweep_fusion(QRELS, [RUNS[0], short], "AP", options, step=0.5, folds=2)
    assert common.query_ids == ("q1", "q2")
    assert common.notes[-1] == "10 of 12 queries have no value in some setting or run: left out."


def test_weights_add_up_to_one() -> None:
    grid = weight_grid(3, 0.25)
    assert len(grid) == math.comb(6, 2)
    assert len(set(grid)) == len(grid)
    assert {sum(weights) for weights in grid} == {1.0}
    assert weight_grid(2, 1) == ((1.0, 0.0), (0.0, 1.0))
    assert weight_grid(2)[3] == (0.7, 0.3)
    for step in (0, 0.3, 1.5, -0.1):
        with pytest.raises(OptionError, match="step of the weights"):
            weight_grid(2, step)
    with pytest.raises(OptionError, match="more than 2,000"):
        weight_grid(8, 0.1)


def test_what_is_refused() -> None:
    with pytest.raises(OptionError, match="two runs"):
        sweep_fusion(QRELS, RUNS[:1])
    with pytest.raises(OptionError, match="softmax is not one"):
        sweep_fusion(QRELS, RUNS, normalisations=["softmax"])  # type: ignore[list-item]
    with pytest.raises(OptionError, match="Choose normalisations"):
        sweep_fusion(QRELS, RUNS, normalisations=[])
    short = Run.from_dict({"q1": {"d1": 1.0}}, name="short")
    with pytest.raises(OptionError, match="No query has a value"):
        sweep_fusion(QRELS, [RUNS[0], short], "RankAtRecall@1", step=0.5)
    with pytest.raises(OptionError, match="not a mean"):
        sweep_fusion(QRELS, RUNS, "num_rel")
    stranger = Run.from_dict({query: {"nowhere": 1.0} for query in JUDGMENTS}, name="stranger")
    with pytest.raises(UndecidedError):
        sweep_fusion(QRELS, [RUNS[0], stranger])
    # Nothing judged for the queries that count is a value of 0, as it is for every other command.
    some = sorted(JUDGMENTS)[:6]
    partly = Run.from_dict(
        {query: {"nowhere": 1.0} if query in some else {next(iter(JUDGMENTS[query])): 1.0} for query in JUDGMENTS},
        name="partly",
    )
    swept = sweep_fusion(QRELS, [RUNS[0], partly], "AP", step=0.5, folds=2, queries=some)
    assert swept.single_means[1] == 0
    assert set(swept.query_ids) <= set(some)
    heard: list[float] = []
    sweep_fusion(QRELS, RUNS[:2], step=0.5, folds=2, normalisations=["sum"], progress=heard.append)
    assert heard == pytest.approx([1 / 3, 2 / 3, 1])
