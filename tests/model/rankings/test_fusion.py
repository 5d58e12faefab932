"""Fusion: ranx' values, every method by its words, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import OptionError
from irviewer.model.rankings.fusion import METHODS, NORMALISATIONS, Fusion, Method, Normalisation, fuse, made_from
from irviewer.model.run import Run

Rankings = dict[str, dict[str, float]]


def _values(run: Run) -> Rankings:
    return {
        query: dict(zip(run.ranking(query), run.ranking_scores(query).tolist(), strict=True)) for query in run.query_ids
    }


def _scaled(scores: dict[str, float], how: str) -> dict[str, float]:
    values = list(scores.values())
    if how == "none" or not values:
        return scores
    low, high, mean = min(values), max(values), sum(values) / len(values)
    if how == "z-score":
        spread = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
        return {key: (value - mean) / spread if spread > 1e-12 else 0 for key, value in scores.items()}
    size = high - low if how == "min-max" else sum(value - low for value in values)
    return {key: (value - low) / size if size else 0 for key, value in scores.items()}


def _brute(runs: list[Run], fusion: Fusion) -> Rankings:
    fused: Rankings = {}
    for query in dict.fromkeys(query for run in runs for query in run.query_ids):
        lists = [run.ranking(query, fusion.depth) for run in runs]
        scores = [
            _scaled(
                dict(zip(documents, run.ranking_scores(query, fusion.depth).tolist(), strict=True)),
                fusion.normalisation,
            )
            for run, documents in zip(runs, lists, strict=True)
        ]
        every = {document for documents in lists for document in documents}
        fused[query] = {}
        for document in every:
            inside = [n for n, documents in enumerate(lists) if document in documents]
            rank = {n: lists[n].index(document) + 1 for n in inside}
            weights = fusion.weights or [1.0] * len(runs)
            total = sum(scores[n][document] * weights[n] for n in inside)
            left = [(len(every) - len(documents) + 1) / 2 for documents in lists]
            fused[query][document] = {
                "combsum": total,
                "weighted": total,
                "combmnz": total * len(inside),
                "rrf": sum(1 / (fusion.k + rank[n]) for n in inside),
                "isr": sum(1 / rank[n] ** 2 for n in inside) * len(inside),
                "borda": sum(len(every) - rank[n] + 1 if n in rank else left[n] for n in range(len(runs))),
            }[fusion.method]
    return fused


@given(
    rankings=st.lists(strategies.runs(st.integers(-3, 3).map(float)), min_size=2, max_size=4),
    method=st.sampled_from(sorted(METHODS)), normalisation=st.sampled_from(sorted(NORMALISATIONS)),
    depth=st.sampled_from([None, 1, 3]), k=st.sampled_from([0.0, 1.5, 60.0]),
)  # fmt: skip
def test_every_method_is_its_words(
    rankings: list[Rankings], method: Method, normalisation: Normalisation, depth: int | None, k: float
) -> None:
    runs = [Run.from_dict(ranking, name=f"run {n}") for n, ranking in enumerate(rankings)]
    weights = tuple(0.5 + n for n in range(len(runs))) if method == "weighted" else None
    fusion = Fusion(method, normalisation, weights, k, depth)
    fused_values, wanted = _values(fuse(runs, fusion)), _brute(runs, fusion)
    assert fused_values.keys() == wanted.keys()
    for query, scores in wanted.items():
        assert fused_values[query] == pytest.approx(scores, abs=1e-9)


def _random(seed: int) -> list[Rankings]:
    random = np.random.default_rng(seed)
    return [
        {
            f"q{q}": {
                f"d{d}": float(score)
                for d, score in zip(random.choice(60, 25, replace=False), random.normal(0, 4, 25), strict=True)
            }
            for q in range(6)
        }
        for _ in range(3)
    ]


@pytest.mark.slow  # numba compiles ranx in each process anew
@pytest.mark.filterwarnings("ignore:.*unsafe cast")  # numba's word about its own compiling of ranx
@pytest.mark.parametrize(
    ("method", "theirs", "options", "parameters"),
    [
        ("combsum", "sum", {}, None),
        ("combmnz", "mnz", {}, None),
        ("weighted", "wsum", {"weights": (0.2, 0.5, 1.3)}, {"weights": (0.2, 0.5, 1.3)}),
        ("rrf", "rrf", {}, None),
        ("rrf", "rrf", {"k": 10}, {"k": 10}),
        ("isr", "isr", {}, None),
        ("borda", "bordafuse", {}, None),
    ],
)
@pytest.mark.parametrize("normalisation", ["min-max", "z-score", "sum", "none"])
def test_ranx(
    method: Method, theirs: str, options: dict[str, Any], parameters: Any, normalisation: Normalisation
) -> None:
    ranx = pytest.importorskip("ranx", reason="ranx is not installed (pip install irviewer[oracles])")
    rankings = _random(7)
    norm = {"z-score": "zmuv", "none": None}.get(normalisation, normalisation)
    extra = {} if parameters is None else {"params": parameters}
    wanted = ranx.fuse([ranx.Run(ranking) for ranking in rankings], norm=norm, method=theirs, **extra).to_dict()
    runs = [Run.from_dict(ranking, name=f"run {n}") for n, ranking in enumerate(rankings)]
    fused_values = _values(fuse(runs, Fusion(method, normalisation, **options)))
    assert fused_values.keys() == wanted.keys()
    for query, scores in wanted.items():
        assert fused_values[query] == pytest.approx(scores, abs=1e-9)


def test_by_hand() -> None:
    first_run = Run.from_dict({"1": {"a": 3.0, "b": 2.0, "c": 1.0}}, name="one")
    two = Run.from_dict({"1": {"c": 9.0, "d": 8.0}, "2": {"x": 1.0}}, name="two")
    fused = fuse([first_run, two], name="both")
    assert (fused.name, fused.tag, fused.query_ids) == ("both", "both", ("1", "2"))
    assert fused.ranking("1") == ["c", "a", "d", "b"]  # d and b have 1/62, the greater id first
    assert fused.ranking_scores("1")[0] == pytest.approx(1 / 63 + 1 / 61)
    assert made_from(fused) == "RRF (k = 60) of one and two"
    assert fuse([first_run, two]).name == "rrf"
    assert made_from(first_run) == ""
    short = fuse([first_run, two], keep=2)
    assert (short.ranking("1"), short.ranking("2")) == (["c", "a"], ["x"])
    assert short.tied.tolist() == [False, False]
    assert made_from(short) == made_from(fused)


@pytest.mark.parametrize("score", [0.1, 0.3, 1 / 3, 1e-200, 1.7e308])
@pytest.mark.parametrize("normalisation", ["min-max", "z-score", "sum"])
def test_equal_scores_add_nothing(score: float, normalisation: Normalisation) -> None:
    """The mean of equal scores differs from them by rounding, which is no spread."""
    first = {"a": 3.0, "b": 2.0, "h": 1.0}
    same = {str(n): dict.fromkeys("abcdefg"[:n], score) for n in range(1, 8)}
    fused = _values(
        fuse([Run.from_dict(same), Run.from_dict(dict.fromkeys(same, first))], Fusion("combsum", normalisation))
    )
    assert fused == {
        query: pytest.approx(dict.fromkeys(documents, 0.0) | _scaled(first, normalisation))
        for query, documents in same.items()
    }


@pytest.mark.parametrize("size", [5e-324, 1e-170, 1e-3, 1e170, 8e307])
@pytest.mark.parametrize("normalisation", ["min-max", "z-score", "sum"])
def test_scores_of_any_size(size: float, normalisation: Normalisation) -> None:
    """Squares, differences and sums of scores beyond what a float holds do not change their normalised values."""
    run = Run.from_dict({"1": {"a": 2 * size, "b": 0.0, "c": -2 * size, "d": size}}, name="run")
    wanted = _scaled({"a": 2.0, "b": 0.0, "c": -2.0, "d": 1.0}, normalisation)
    fused = _values(fuse([run, run], Fusion("combsum", normalisation)))["1"]
    assert fused == pytest.approx({document: 2 * value for document, value in wanted.items()})


def test_a_fusion_says_itself() -> None:
    assert str(Fusion("combmnz")) == "CombMNZ (scores min-max)"
    assert str(Fusion("combsum", "none", depth=100)) == "CombSUM (scores unchanged; depth 100)"
    assert str(Fusion("weighted", "sum", (0.25, 2))) == "Weighted sum (scores sum; weights 0.25, 2)"
    assert str(Fusion("borda")) == "Borda"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        ({"method": "mean"}, "not a fusion method"),
        ({"normalisation": "max"}, "not a normalisation"),
        ({"method": "weighted"}, "needs a weight"),
        ({"weights": (1.0,)}, "weights are only for"),
        ({"k": -1}, "k is -1"),
        ({"k": float("nan")}, "k is nan"),
        ({"k": math.inf}, "k is inf"),
        ({"method": "weighted", "weights": (1.0, math.nan)}, "weights are 1, nan; each"),
        ({"method": "weighted", "weights": (-math.inf, 1.0)}, "weights are -inf, 1; each"),
        ({"depth": 0}, "depth is 0"),
    ],
)
def test_what_is_refused(make: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        Fusion(**make)


def test_runs_that_cannot_be_fused() -> None:
    run = Run.from_dict({"1": {"a": 1.0}}, name="one")
    endless = Run.from_dict({"1": {"a": math.inf, "b": 1.0}}, name="endless")
    with pytest.raises(OptionError, match="two runs"):
        fuse([run])
    with pytest.raises(OptionError, match=r"number of weights .1. differs"):
        fuse([run, run], Fusion("weighted", weights=(1.0,)))
    with pytest.raises(OptionError, match="run endless has infinite scores"):
        fuse([run, endless], Fusion("combsum"))
    huge = Run.from_dict({"1": {"a": 1.7e308}}, name="huge")
    with pytest.raises(OptionError, match="fused scores are beyond the largest number"), np.errstate(over="ignore"):
        fuse([huge, huge], Fusion("combsum", "none"))
    with pytest.raises(OptionError, match="number of documents to keep is 0"):
        fuse([run, endless], keep=0)
    assert fuse([run, endless]).ranking("1") == ["a", "b"]
