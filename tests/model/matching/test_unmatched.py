"""Runs that the qrels know nothing of, and how much of a top is judged."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Literal

import pytest

from irviewer.api.comparison import compare
from irviewer.api.evaluation import evaluate
from irviewer.api.sources import read_qrels, read_run
from irviewer.api.systems import measure_agreement, ranking_stability, set_means
from irviewer.errors import MissingQueriesError, UndecidedError
from irviewer.evaluation.caveats import missing_text
from irviewer.evaluation.evaluate import Joined
from irviewer.model.dialects import JoinOptions
from irviewer.model.matching.unmatched import Unmatched, judged_counts, judged_share, unmatched, unmatched_warnings
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from tests.helpers.unlike_ids import write_unlike

SAMPLES = Path(__file__).parents[3] / "resources" / "samples"
QRELS = Qrels.from_dict({"1": {"a": 1, "b": 0}, "2": {"c": 1}})


@pytest.mark.parametrize(
    ("run", "of"),
    [
        ({"1": {"a#1": 1.0}, "2": {"c#1": 1.0}}, "documents"),
        ({"1": {"c": 1.0}, "2": {"a": 1.0}}, "documents"),  # judged, but for other queries
        ({"q1": {"a": 1.0}, "q2": {"c": 1.0}}, "queries"),
        ({"q1": {"a": 1.0}}, "queries"),
        ({"1": {"a#1": 1.0}}, None),  # one query is ordinary
        ({"1": {"x": 1.0}, "2": {"c": 1.0}}, None),
        ({"1": {"b": 1.0}, "2": {"x": 1.0}}, None),  # judged, and not relevant
        ({}, None),
    ],
)
def test_who_is_unknown(run: dict[str, dict[str, float]], of: str | None) -> None:
    warning = unmatched(Run.from_dict(run, name="it"), QRELS)
    assert (None if warning is None else warning.of) == of
    assert evaluate(QRELS, Run.from_dict(run, name="it"), "AP").unmatched == (() if warning is None else (warning,))


def test_a_pooled_grade_below_zero_is_known() -> None:
    qrels = Qrels.from_dict({"1": {"a": -1, "b": 1}, "2": {"c": -1, "d": 1}})
    assert unmatched(Run.from_dict({"1": {"a": 1.0}, "2": {"c": 1.0}}), qrels) is None


def test_a_depth_that_hides_what_is_judged_is_no_stranger() -> None:
    run = Run.from_dict({"1": {"x": 2.0, "a": 1.0}, "2": {"x": 2.0, "c": 1.0}})
    assert not evaluate(QRELS, run, "AP", depth=1).unmatched


def test_what_is_said() -> None:
    warning = Unmatched("one", "documents", 2, ("a#1", "b#2"), ("a", "b"))
    assert str(warning) == (
        "run one has no judged document in any of 2 queries: its document ids (a#1, b#2 …) are not those of the "
        "qrels (a, b …), so its values mean nothing"
    )
    result = evaluate(QRELS, {"one": {"q1": {"a": 1.0}}, "two": {"q2": {"a": 1.0}}}, "AP")
    (said,) = result.warnings
    assert said.startswith("2 runs (one, two) have no query of the qrels: their query ids (q1 …) are not those")
    assert f"Note: {said}" in repr(result)


def test_nothing_is_compared_with_a_stranger(tmp_path: Path) -> None:
    qrels, docs, too, chunks = write_unlike(tmp_path, "docs", "docs_too", "chunks")
    alone = compare(qrels, [docs, too], "AP")["AP"]
    comparison = compare(qrels, [docs, chunks, too], "AP")
    assert comparison["AP"].names == ("docs", "docs_too")
    assert comparison["AP"].find("docs_too").tests[0].p == alone.find("docs_too").tests[0].p
    assert any("run chunks has no judged document" in said for said in comparison.warnings)
    assert all(row["run"] != "chunks" for row in comparison.rows)
    assert compare(qrels, [chunks, docs, too], "AP", pairs=True)["AP"].names == ("docs", "docs_too")
    assert compare(qrels, [chunks, docs, too], "AP", baseline="docs_too")["AP"].names == ("docs", "docs_too")
    for runs, baseline in (([chunks, docs, too], None), ([docs, chunks, too], "chunks"), ([docs, chunks], None)):
        with pytest.raises(UndecidedError, match="chunks has no judged document"):
            compare(qrels, runs, "AP", baseline=baseline)
    with pytest.raises(UndecidedError):
        ranking_stability(qrels, [docs, chunks, too], "AP")
    with pytest.raises(UndecidedError):
        measure_agreement(qrels, [docs, chunks, too], ["AP", "RR"])
    some = {"some": list(read_qrels(qrels).query_ids[:3])}
    with pytest.raises(UndecidedError, match="chunks has no judged document"):
        set_means(qrels, [docs, chunks, too], some, "AP")
    assert set_means(qrels, [docs, too], some, "AP").runs == ("docs", "docs_too")


@pytest.mark.parametrize("sample", ["cranfield", "fables", "trec"])
def test_the_samples_as_they_come_have_no_warning(sample: str) -> None:
    folder = SAMPLES / sample
    if sample == "trec":
        files = folder / "qrels.test", [folder / "results.test", folder / "results.trunc"]
    else:
        files = folder / "qrels.txt", sorted((folder / "runs").iterdir())
    qrels = read_qrels(files[0])
    runs = [read_run(path, name=path.name) for path in files[1]]
    assert evaluate(qrels, runs, "AP").warnings == ()


def _with(share: float, name: str) -> Run:
    """Thirty queries whose top ten holds that share of documents that are judged."""
    wanted = round(share * 300)
    flat = [f"{'d' if place < wanted else 'x'}{place}" for place in range(300)]
    order = [flat[start::30] for start in range(30)]
    return Run.from_dict(
        {
            str(query): {document: -float(rank) for rank, document in enumerate(some)}
            for query, some in enumerate(order)
        },
        name=name,
    )


@pytest.mark.parametrize(
    ("first", "other", "said"),
    [
        (0.9, 0.8, ""),
        (0.9, 0.6, "60 % are judged in other and 90 % in one"),
        (0.04, 0.1, "one: only 4.0 % of the top 10 documents are judged"),
        (0.04, 0.01, "2 runs (one, other): at most 4.0 % of the top 10 documents are judged"),
    ],
)
def test_little_or_unlike_shares_are_warned_about(first: float, other: float, said: str) -> None:
    grades = {str(query): {f"d{place}": place % 2 for place in range(query, 300, 30)} for query in range(30)}
    warnings = evaluate(Qrels.from_dict(grades), [_with(first, "one"), _with(other, "other")], "AP").warnings
    assert [said in each for each in warnings] == ([True] if said else [])
    only_relevant = Qrels.from_dict({query: dict.fromkeys(some, 1) for query, some in grades.items()})
    without_others = evaluate(only_relevant, [_with(first, "one"), _with(other, "other")], "AP").warnings
    assert bool(without_others) == ("only" in said or "at most" in said)  # else the share is precision itself


def test_shares_are_those_of_loops() -> None:
    """Counted document by document; some queries have no list, some no judgments, and grades below 0 are unjudged."""
    dice = random.Random(5)
    for top in (1, 3, 10):
        qrels = {
            f"q{q}": {f"d{d}": dice.randint(-1, 2) for d in dice.sample(range(30), dice.randint(1, 20))}
            for q in range(25)
        }
        lists = {
            f"q{q}": {f"d{d}": dice.random() for d in dice.sample(range(40), dice.randint(1, 25))}
            for q in dice.sample(range(30), 24)
        }
        joined = Joined(Run.from_dict(lists), Qrels.from_dict(qrels), EvaluationOptions()).under(JoinOptions())
        share = judged_share("r", joined, top)
        judged = returned = possible = 0
        by_query = {}
        for query, grades in qrels.items():
            ranked = sorted(lists.get(query, {}).items(), key=lambda row: -row[1])[:top]
            known = sum(grade >= 0 for grade in grades.values())
            judged += sum(grades.get(document, -1) >= 0 for document, _ in ranked)
            returned += len(ranked)
            possible += min(len(ranked), known)
            of_query = sum(grades.get(document, -1) >= 0 for document, _ in ranked)
            hit = any(document in grades for document in lists.get(query, {}))
            by_query[query] = [of_query, len(ranked), min(len(ranked), known), int(hit)]
        counts = judged_counts(joined, top)
        assert counts.T.tolist() == [by_query[query] for query in joined.query_ids]
        assert (share.judged, share.returned, share.reachable) == (judged, returned, possible)


def test_long_ids_are_short_in_sentences() -> None:
    """An id of 15,000 letters, of a run, a query or a document, does not fill the screen."""
    long = "x" * 15000
    runs = [Run.from_dict({f"q{long}": {"a": 1.0}}, name=long), Run.from_dict({"1": {long: 1.0}, "2": {long: 1.0}})]
    unlike = [each for each in (unmatched(run, QRELS) for run in runs) if each is not None]
    assert len(unlike) == 2
    sentences = [
        *unmatched_warnings(unlike),
        missing_text(long, [long], EvaluationOptions()),
        str(MissingQueriesError(long, [long])),
    ]
    assert len(sentences) == 4
    assert max(map(len, sentences)) < 500


@pytest.mark.parametrize("of", ["queries", "documents"])
def test_ids_that_only_look_the_same_are_explained(of: Literal["queries", "documents"]) -> None:
    """é as one sign, and as e with an accent: what is printed of both is alike."""
    said = "; ids that look the same differ in how Unicode writes a letter with its accent"
    for mine, theirs, explained in ((("x", "e\u03011"), ("\u00e91", "y"), True), (("q1",), ("Q1",), False),
                                    (("\u00e91",), ("\u00e92",), False)):  # fmt: skip
        assert (said in str(Unmatched("run", of, 1, mine, theirs))) == explained
