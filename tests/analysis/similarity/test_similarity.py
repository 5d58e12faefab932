"""Similarity of runs: every kind against its definition, the stored values of other programs, and scipy."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable
from pathlib import Path

import brute_similarity as brute
import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from irviewer.analysis.similarity.rank_biased_overlap import Lists
from irviewer.analysis.similarity.similarity import KINDS, Kind, similarity
from irviewer.errors import OptionError
from irviewer.formats.load import load
from irviewer.model.run import Run

FAR = 1e-9


def _runs(*rankings: dict[str, dict[str, float]]) -> list[Run]:
    return [Run.from_dict(ranking, name=f"run {number}") for number, ranking in enumerate(rankings)]


def _brute(kind: str, run: Run, other: Run, query: str, p: float, depth: int) -> float:
    a, b = run.ranking(query, depth), other.ranking(query, depth)
    if not a or not b:
        return math.nan
    common = len(set(a) & set(b))
    if kind == "overlap":
        return common / max(len(a), len(b))
    if kind == "jaccard":
        return common / len(set(a) | set(b))
    if kind == "rbo":
        return brute.rbo_ext(a, b, p)
    if kind == "rbo-seen":
        return brute.rbo_sum(a, b, p, min(len(a), len(b)))
    if kind in ("rbo-min", "rbo-max", "rbo-residual"):
        least, most = brute.rbo_least_and_most(a, b, p)
        return {"rbo-min": least, "rbo-max": most, "rbo-residual": most - least}[kind]
    both = [document for document in a if document in b]
    if len(both) < 2:
        return math.nan
    if kind == "tau":
        first, second = (
            dict(zip(r.ranking(query), r.ranking_scores(query).tolist(), strict=True)) for r in (run, other)
        )
        return brute.tau_b([first[d] for d in both], [second[d] for d in both])
    again = [document for document in b if document in a]
    return (brute.tau_ap(both, again) + brute.tau_ap(again, both)) / 2


def _scores(run: Run, query: str) -> dict[str, float]:
    return dict(zip(run.ranking(query), run.ranking_scores(query).tolist(), strict=True))


@pytest.mark.parametrize("kind", KINDS)
@given(
    rankings=st.lists(strategies.runs(st.integers(-3, 3).map(float)), min_size=1, max_size=4),
    p=st.sampled_from([0.5, 0.8, 0.9]),
    depth=st.sampled_from([1, 3, 8, 1000]),
)
def test_every_kind_is_its_definition(
    kind: Kind, rankings: list[dict[str, dict[str, float]]], p: float, depth: int
) -> None:
    runs = _runs(*rankings)
    similarities = similarity(runs, kind, p=p, depth=depth, ties="broken", by_query=True)
    assert similarities.by_query is not None
    assert similarities.runs == tuple(run.name for run in runs)
    for number in range(len(runs)):
        for other in range(len(runs)):
            wanted = [_brute(kind, runs[number], runs[other], query, p, depth) for query in similarities.query_ids]
            np.testing.assert_allclose(similarities.by_query[number, other], wanted, atol=FAR)
            known = [value for value in wanted if not math.isnan(value)]
            assert similarities.compared[number, other] == len(known)
            np.testing.assert_allclose(
                similarities.means[number, other], np.mean(known) if known else math.nan, atol=FAR
            )


@given(
    first=st.permutations(range(90)), second=st.permutations(range(90)), kept=st.integers(30, 90),
    coarse=st.sampled_from([1, 2, 7]),
)  # fmt: skip
def test_orders_of_long_lists(first: list[int], second: list[int], kept: int, coarse: int) -> None:
    """Lists longer than a block, so that halves are merged; scipy where it has the correlation."""
    from scipy.stats import kendalltau

    first_lists = {"q": {f"d{document}": float((100 - place) // coarse) for place, document in enumerate(first[:kept])}}
    other = {"q": {f"d{document}": float((100 - place) // 2) for place, document in enumerate(second)}}
    runs = _runs(first_lists, other)
    scores = [_scores(run, "q") for run in runs]
    shared = [document for document in runs[0].ranking("q") if document in scores[1]]
    wanted = kendalltau([scores[0][d] for d in shared], [scores[1][d] for d in shared]).statistic
    assert similarity(runs, "tau").means[0, 1] == pytest.approx(wanted, abs=FAR)
    assert similarity(runs, "tau-ap").means[0, 1] == pytest.approx(_brute("tau-ap", *runs, "q", 0.9, 1000), abs=FAR)


def test_queries_in_parts_are_the_same_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    runs = _runs(
        *(
            {str(q): {f"d{d}": float(random.random()) for d in random.choice(40, 20)} for q in range(9)}
            for _ in range(3)
        )
    )
    whole = [similarity(runs, kind, by_query=True).by_query for kind in KINDS]  # type: ignore[arg-type]
    monkeypatch.setattr("irviewer.analysis.similarity.rank_biased_overlap.CELLS", 150)
    assert len(list(Lists.of(runs, 100).parts())) > 3
    for before, kind in zip(whole, KINDS, strict=True):
        np.testing.assert_array_equal(similarity(runs, kind, by_query=True).by_query, before)  # type: ignore[arg-type]


def test_progress_rises_to_the_end_and_may_stop_the_work() -> None:
    runs = _runs(*({"1": {"a": 1.0, "b": float(n)}} for n in range(5)))
    progress: list[float] = []
    similarity(runs, "rbo", progress=progress.append)
    assert progress == sorted(progress)
    assert progress[-1] == pytest.approx(1)

    def stop(fraction: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        similarity(runs, "tau", progress=stop)


@pytest.mark.parametrize("kind", KINDS)
def test_the_depth_where_nothing_is_said(kind: Kind) -> None:
    """Two lists of 150, alike below rank 10 only to rank 100, beside what is said of it."""
    ids = [f"d{n:03}" for n in range(150)]
    other = [*reversed(ids[:10]), *ids[10:100], *reversed(ids[100:])]
    runs = _runs(*({"1": {document: -float(place) for place, document in enumerate(names)}} for names in (ids, other)))
    depth = 10 if kind in ("overlap", "jaccard") else 100
    similarities = similarity(runs, kind, p=0.9)
    assert similarities.means[0, 1] == pytest.approx(_brute(kind, runs[0], runs[1], "1", 0.9, depth), abs=1e-10, rel=0)
    assert similarities.title.endswith(f"depth {depth}")


def test_order_and_names() -> None:
    runs = _runs({"1": {"a": 3.0, "b": 2.0}}, {"1": {"c": 3.0, "b": 2.0}}, {"1": {"b": 3.0, "a": 2.0}})
    similarities = similarity(runs, "overlap", depth=2, by_query=True)
    assert similarities.title == "Overlap, depth 2"
    assert similarity(runs).title == "RBO, p = .9, ties a, depth 100"
    turned = similarities.ordered([2, 0, 1])
    assert turned.runs == ("run 2", "run 0", "run 1")
    assert (turned.means[0, 1], turned.means[0, 2]) == (1.0, 0.5)
    assert turned.by_query is not None
    assert turned.by_query[0, 2, 0] == 0.5


def test_nothing_to_compare() -> None:
    similarities = similarity(_runs({"1": {"a": 1.0}}, {"2": {"a": 1.0}}, {}))
    assert np.isnan(similarities.means[0, 1])
    assert np.isnan(similarities.means[2, 2])
    assert similarities.means[0, 0] == pytest.approx(1)
    assert similarities.compared.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert similarity([]).means.shape == (0, 0)


@pytest.mark.parametrize(
    ("kind", "p", "depth", "said"),
    [
        ("rbo", 1.0, 10, "p is 1"),
        ("rbo", 0.0, 10, "p is 0"),
        ("tau", 0.9, 0, "depth is 0"),
        ("same", 0.9, 1, "unknown similarity"),
    ],
)
def test_what_is_refused(kind: Kind, p: float, depth: int, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        similarity([], kind, p=p, depth=depth)


@pytest.mark.parametrize("collection", ["adi", "cranfield", "trec-covid-r1"])
def test_stored_values(collection: str, data: Path, record_property: Callable[[str, object], None]) -> None:
    """RBO and overlap as another program found them, eight decimals; its least is the sum of what is seen."""
    stored = json.loads(gzip.decompress((data / collection / "goldens/python/stats_rbo.json.gz").read_bytes()))
    names: list[str] = stored["runs"]
    runs = []
    for name in names:
        path = data / collection / name.replace("runs_helper/", "runs_made/")
        run = load(path if path.is_file() else path.with_name(path.name + ".gz"), kind="run", duplicates="best").value
        assert isinstance(run, Run)
        runs.append(run.renamed(name))
    kinds: dict[str, Kind] = {"rbo_ext_p0.9": "rbo", "rbo_min_p0.9": "rbo-seen"}
    tables = {key: similarity(runs, kind, depth=100, ties="broken", by_query=True) for key, kind in kinds.items()}
    top = Lists.of(runs, 10).lengths
    overlaps = similarity(runs, "overlap", by_query=True)
    assert overlaps.by_query is not None
    compared = 0
    for pair, queries in stored["rbo_top100_first20_topics"].items():
        first_place, other = (names.index(name) for name in pair.split(" || "))
        for query, values in queries.items():
            place = overlaps.query_ids.index(query)
            for key, table in tables.items():
                assert table.by_query is not None
                assert table.by_query[first_place, other, place] == pytest.approx(values[key], abs=6e-9), (
                    pair,
                    query,
                    key,
                )
            longer = max(top[first_place, place], top[other, place])
            assert round(overlaps.by_query[first_place, other, place] * longer) == values["overlap10"]
            compared += 3
    assert compared >= 180
    record_property("values equal", compared)


@pytest.mark.parametrize("length", [1, 2, 10, 50, 300, 1000])
@pytest.mark.parametrize("p", [0.0001, 0.01, 0.3, 0.8, 0.9, 0.95, 0.99, 0.999, 0.999999])
def test_no_similarity_leaves_its_range_however_long_the_lists(p: float, length: int) -> None:
    dice = np.random.default_rng(length)
    ids = [f"d{number}" for number in range(length)]
    orders = [ids, ids, [ids[place] for place in dice.permutation(length)], ids[: length // 2 + 1], ids[::-1], ["x"]]
    runs = _runs(*({"1": {doc: -float(rank) for rank, doc in enumerate(order)}} for order in orders))
    means = {kind: similarity(runs, kind, p=p, depth=1000).means for kind in KINDS}
    for kind, values in means.items():
        least = -1 if kind.startswith("tau") else 0
        known = values[~np.isnan(values)]
        assert known.min(initial=0) >= least, kind
        assert known.max(initial=0) <= 1, kind
    assert means["rbo"][0, 1] == pytest.approx(1, rel=0, abs=1e-14)
    assert np.all(means["rbo-min"] <= means["rbo"] + 1e-14)
    assert np.all(means["rbo"] <= means["rbo-min"] + means["rbo-residual"] + 1e-14)
