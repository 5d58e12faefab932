"""The verdict, at the door of Python."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.analysis.statistics.simultaneous import simultaneous_intervals
from irviewer.model.attributes.queries import MOST_SLICES, QueryAttribute
from irviewer.model.protocol import EvaluationProtocol
from irviewer.views.registered import view_of


def test_an_attribute_without_slices_is_left_out() -> None:
    """A text with a value of its own for every query, such as the question of a topic."""
    queries = [str(number) for number in range(MOST_SLICES + 6)]
    qrels = {query: {"a": 1} for query in queries}
    better = {query: {"a": 2.0, "b": 1.0} for query in queries}
    worse = {query: {"b": 2.0, "a": 1.0} for query in queries[:20]} | {query: {"a": 1.0} for query in queries[20:]}
    own = {query: f"what is {query}?" for query in queries}
    halves = QueryAttribute("half", "category", {query: "odd" if int(query) % 2 else "even" for query in queries})
    shown = irviewer.show(
        "verdict", qrels, {"better": better, "worse": worse}, measures=["RR"], run="better", against="worse",
        query_attributes=[QueryAttribute("question", "category", own), halves],
    )  # fmt: skip
    change = next(change for change in shown.value.verdict.changes if change.kind == "slices")
    names = [tried.name for tried in change.tried]
    assert {"half: even", "half: odd"} <= set(names) and not any(name.startswith("question:") for name in names)


def _sentences(runs: int, **parameters: str) -> dict[str, str]:
    """What is said, by its code, of runs of which none is shown to be better than ``run0``."""
    dice = np.random.default_rng(4)
    qrels = {str(query): {"rel": 1} for query in range(30)}
    given = {}
    for number in range(runs):
        ranks = dice.integers(1, 8, 30).tolist()
        given[f"run{number}"] = {
            str(query): {"rel": 9.5 - rank} | {f"d{place}": 9.0 - place for place in range(8)}
            for query, rank in enumerate(ranks)
        }
    shown = irviewer.show("verdict", qrels, given, measures=["RR"], baseline="run0", **parameters)
    return {remark.code: remark.text for remark in shown.shown.sentences}


@pytest.mark.parametrize("form", ["json", "html", "md", "txt"])
def test_words_of_a_view_are_in_its_files(form: str, tmp_path: Path) -> None:
    dice = np.random.default_rng(4)
    qrels = {str(query): {"a": 1} for query in range(30)}
    bm25, dense = ({query: {"a": dice.random(), "b": 0.5} for query in qrels} for _ in range(2))
    result = irviewer.verdict(qrels, {"bm25": bm25, "dense": dense}, measures=["RR"], baseline="bm25")
    view = view_of(result)
    assert view is not None and len(view.sentences) > 1
    result.save(tmp_path / f"verdict.{form}")
    written = (tmp_path / f"verdict.{form}").read_text("utf-8")
    for remark in view.sentences:
        assert unescape(written.split("</title>")[-1]).replace("\\", "").count(remark.text) == 1, remark


def test_a_difference_is_said_with_one_interval() -> None:
    """Of a run that was chosen the one that holds for runs so chosen; of one that was named its own, and what remains
    possible after the correction stands in a sentence by itself."""
    chosen = _sentences(5)
    assert "[" not in chosen["conclusion"] and chosen["simultaneous"].count("[") == 1
    named = _sentences(5, run="run2")
    assert "the test shows no difference (paired" in named["conclusion"]
    assert named["conclusion"].count("[") == 1 and "simultaneous" not in named
    assert named["remains"].endswith("remains possible at the corrected level (98.75 % t interval).")
    assert "remains" not in _sentences(2)  # there is no correction: it is the interval of the conclusion


def test_a_chosen_run_has_the_interval_of_its_choice_also_by_a_geometric_mean() -> None:
    """The report says it too: the ends of the interval of the largest difference of all, of logarithms."""
    dice = np.random.default_rng(8)
    qrels = {str(query): {"rel": 1} for query in range(30)}
    runs = {
        f"run{number}": {
            str(query): {"rel": 9.5 - rank} | {f"d{place}": 9.0 - place for place in range(8)}
            for query, rank in enumerate(dice.integers(1, 8, 30).tolist())
        }
        for number in range(4)
    }
    protocol = irviewer.EvaluationProtocol().but(measures=["gm_map"], baseline="run0", samples=300)
    shown = irviewer.show("verdict", qrels, runs, protocol=protocol)
    said = next(remark.text for remark in shown.shown.sentences if remark.code == "simultaneous")
    values = np.log(irviewer.evaluate(qrels, runs, "AP").values[0])
    together = simultaneous_intervals(values[1:] - values[0], samples=300)
    best = int(np.argmax((values[1:] - values[0]).mean(axis=1)))
    low, high = np.exp(together.low[best]), np.exp(together.high[best])
    ends = shown["verdict"].column("simultaneous").parts
    assert np.exp([ends["low"][0], ends["high"][0]]) == pytest.approx([low, high])
    assert f"the interval of the ratio is [×{low:.3f}, ×{high:.3f}] (simultaneous" in said
    assert f"[×{low:.3f}, ×{high:.3f}] (simultaneous" in irviewer.report(qrels, runs, protocol=protocol).html


def _next_steps(gains: np.ndarray, **parameters: object) -> dict[str, str]:
    """What to do next, by its code, with runs whose grades at rank 1 differ by the gains of the queries."""
    qrels = {str(query): {"best": 10, **{f"g{grade}": grade for grade in range(11)}} for query in range(len(gains))}
    runs = {
        "base": {str(query): {"g4": 1.0} for query in range(len(gains))},
        "new": {str(query): {f"g{4 + gain}": 1.0} for query, gain in enumerate(gains.tolist())},
    }
    protocol = EvaluationProtocol().but(**{"measures": ["nDCG@1"], "baseline": "base", **parameters})
    table = irviewer.show("verdict", qrels, runs, protocol=protocol)["next"]
    step = table.column("step")
    assert ("looks" in [note.code for note in table.notes]) == ("queries" in step.values)
    return dict(zip(step.values, step.show.texts, strict=True))


DICE = np.random.default_rng(7)


@pytest.mark.parametrize(("gains", "smallest", "wanted"), [
    (np.zeros(30, dtype=int), 0.05, {"queries": False, "gate": False}),  # equal on every query: no spread to plan with
    (np.arange(40) % 2 * 2 - 1, 0.3, {"queries": False, "gate": False}),  # equivalent within .3
    (DICE.integers(-4, 5, 30), 0.05, {"queries": True, "gate": False}),  # not known
    (np.arange(40) % 3 % 2 + np.arange(40) % 2, 0.3, {"queries": False, "gate": False}),  # better by less than .3
    (np.arange(40) % 2 + 3, 0.05, {"queries": False, "gate": True}),
    (-(np.arange(40) % 2 + 3), 0.05, {"queries": False, "gate": False}),
    (DICE.integers(-1, 2, 5), 0.05, {"queries": True, "gate": False}),  # too few
])  # fmt: skip
def test_what_is_left_to_be_found_is_what_to_do_next(
    gains: np.ndarray, smallest: float, wanted: dict[str, bool]
) -> None:
    """More queries are planned only where they can decide something, with the warning that testing again is a look; a
    verdict is kept as a gate only where the run is better by what matters, as far as is known."""
    steps = _next_steps(gains, smallest=smallest)
    assert {code: code in steps for code in wanted} == wanted
    assert "test on them alone" in steps.get("queries", "test on them alone")


def test_whether_the_other_judge_can_stand_for_this_one_is_asked_of_the_view_of_judges() -> None:
    """The step led to the agreement of judges, not to the view that answers what it asks."""
    qrels = {str(query): {"a": 1, "b": 0} for query in range(12)}
    other = {str(query): {"a": query % 2, "b": 1 - query % 2} for query in range(12)}
    runs = {name: {str(query): {top: 2.0, last: 1.0} for query in range(12)}
            for name, top, last in (("base", "b", "a"), ("new", "a", "b"))}  # fmt: skip
    protocol = EvaluationProtocol().but(measures=["nDCG@2"], baseline="base")
    table = irviewer.show("verdict", qrels, runs, judges=[other], protocol=protocol)["next"]
    views = dict(zip(table.column("step").values, table.column("view").values, strict=True))
    assert views["trust"] == "judge"


@pytest.mark.parametrize(("ranks", "wanted"), [
    ((2, 3), "order"),  # in the top, below others
    ((12, 14), "too_low"),
    ((), "retrieve"),
])  # fmt: skip
def test_the_next_step_is_about_the_largest_part_of_the_loss(ranks: tuple[int, ...], wanted: str) -> None:
    """The verdict said that most of the loss comes from a wrong order, and led to documents retrieved too low."""
    qrels = {str(query): {"rel0": 1, "rel1": 1, "d1": 0} for query in range(12)}
    ranking = {rank: f"rel{place}" for place, rank in enumerate(ranks)}
    new = {str(query): {ranking.get(rank, f"d{rank}"): 20.0 - rank for rank in range(1, 16)} for query in range(12)}
    base = {str(query): {f"d{rank}": 20.0 - rank for rank in range(1, 16)} for query in range(12)}
    protocol = EvaluationProtocol().but(measures=["nDCG@10"], baseline="base")
    shown = irviewer.show("verdict", qrels, {"base": base, "new": new}, protocol=protocol, run="new")
    steps = list(shown["next"].column("step").values)
    assert [step for step in steps if step in ("order", "too_low", "retrieve")] == [wanted]
    parts = dict(zip(("retrieve", "too_low", "order"), shown.shown.value.verdict.losses[0].means, strict=True))
    assert max(parts, key=lambda part: parts[part]) == wanted


def test_a_row_that_shows_what_the_verdict_does_not_is_not_too_small_to_tell() -> None:
    """Many small gains and few large losses: the sign test shows what the declared t-test does not."""
    gains = [1] * 34 + [-4] * 6
    qrels = {str(query): {"best": 10, **{f"g{grade}": grade for grade in range(11)}} for query in range(len(gains))}
    base = {query: {"g4": 1.0} for query in qrels}
    new = {str(query): {f"g{4 + gain}": 1.0} for query, gain in enumerate(gains)}
    rows = irviewer.show("verdict", qrels, {"base": base, "new": new}, measures=["nDCG@1"], baseline="base")["changes"]
    kinds, words = rows.column("change").values, rows.column("status").show.texts
    assert words is not None
    shown = dict(zip(kinds, words, strict=True))
    assert shown["test"] == "◐ could decide it" and rows.column("status").values[kinds.index("test")] == "open"
    assert shown["judgments"] == "◐ too small to tell"


def test_what_could_not_be_tried_is_not_known_and_not_too_small() -> None:
    qrels = {str(query): {"a": 1, "b": 0} for query in range(12)}
    runs = {name: {query: {doc: 1.0, "c": 0.5} for query in qrels} for name, doc in (("base", "b"), ("new", "a"))}
    for regime in ("sparse", "pooled"):
        changes = irviewer.show("verdict", qrels, runs, measures=["P@1"], baseline="base", unjudged=regime)["changes"]
        words = changes.column("status").show.texts
        assert words is not None
        shown = dict(zip(changes.column("change").values, words, strict=True))
        assert (shown["judgments"] == "– not known") == (regime == "sparse")
