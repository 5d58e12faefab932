"""What follows from an edit equals what is computed from scratch: every family, all options, edit after edit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
import strategies as some
from alike import assert_close
from every import NEEDS_MORE
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import MeasureError
from irviewer.evaluation.curves import precision_recall_rows
from irviewer.evaluation.evaluation_cache import Evaluation, EvaluationInput
from irviewer.evaluation.kept_parts import KeptParts
from irviewer.formats.load import load
from irviewer.measures.base import Cutoff, Measure, make
from irviewer.measures.parser import parse_measures
from irviewer.measures.registry import families
from irviewer.model.arrays import strings
from irviewer.model.changes.replace_queries import with_lists
from irviewer.model.dialects import DIALECTS
from irviewer.model.judgments.judged import Judged
from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay
from irviewer.model.matching.unmatched import judged_counts
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

CUTOFFS = {Cutoff.OPTIONAL: 3, Cutoff.REQUIRED: 3, Cutoff.RECALL: 0.6, Cutoff.FACTOR: 0.5}
RUNNING_SUMS = 1e-11
"""Some measures take a query's sum from a sum over all: the last digits follow the queries before it."""


def every_measure() -> list[Measure]:
    """Each family without and, where it takes one, with a cutoff."""
    measures = []
    for name, family in families().items():
        if family.strings is not None or name in NEEDS_MORE:
            continue
        if family.cutoff in (Cutoff.NONE, Cutoff.OPTIONAL):
            measures.append(make(family))
        if family.cutoff is not Cutoff.NONE:
            measures.append(make(family, None, CUTOFFS[family.cutoff]))
    return [*measures, *parse_measures(["nDCG(dcg='exp-log2')@2", "ERR(max_rel=2)@3", "AP(rel=2)", "AP - P@2"])]


MEASURES = every_measure()
options = st.builds(
    EvaluationOptions,
    level=st.sampled_from((1, 2)),
    judged_only=st.booleans(),
    depth=st.sampled_from((None, 2, 5)),
    missing=st.sampled_from((None, "zero", "intersection")),
    dialect=st.sampled_from(tuple(DIALECTS)),
)
judgments = st.tuples(some.queries, some.documents, st.one_of(st.none(), st.integers(-1, 5).map(float)))
orders = st.tuples(st.integers(0, 1), some.queries, st.lists(some.documents, unique=True, min_size=1, max_size=8))
edits = st.lists(st.one_of(judgments, orders), min_size=1, max_size=5)


def part_of(query: str, order: list[str]) -> Run:
    return Run.from_dict({query: {document: -float(place) for place, document in enumerate(order)}})


def check(
    qrels: Qrels, runs: list[Run], chosen: EvaluationOptions, said: list[tuple[object, ...]], seed: int,
    scratch: Mapping[str, Mapping[str, float]] | None,
) -> None:  # fmt: skip
    """Edit after edit through one cache; then everything against a cache that knows nothing."""
    dice = np.random.default_rng(seed)
    followed = Evaluation(int(dice.choice([0, 500, 5_000, 1 << 30])))
    overlay, now = JudgmentOverlay(), qrels
    evaluation_inputs = [EvaluationInput(run, now, chosen) for run in runs]
    expected = {query: dict(documents) for query, documents in (scratch or {}).items()}
    for number in range(len(said) + 1):
        for evaluation_input in evaluation_inputs:
            if dice.random() < 0.7:
                followed.judged(evaluation_input)
            for measure in dice.choice(np.array(MEASURES, dtype=object), 12):
                ask(followed, evaluation_input, measure)
            if dice.random() < 0.7:
                followed.counts(evaluation_input, judged_counts)
            if dice.random() < 0.7:
                followed.rows(evaluation_input, "precision", precision_recall_rows)
        if number == len(said):
            break
        step = said[number]
        if isinstance(step[0], str):
            query, document, grade = str(step[0]), str(step[1]), step[2]
            assert grade is None or isinstance(grade, float)
            overlay = overlay.with_judgment(Judgment(query, document, grade))
            now = overlay.reapplied(qrels, now, (query,))
            expected.setdefault(query, {}).pop(document, None)
            if grade is not None:
                expected[query][document] = grade
            present = [EvaluationInput(evaluation_input.run, now, chosen) for evaluation_input in evaluation_inputs]
        else:
            place, query, order = step
            assert isinstance(place, int)
            assert isinstance(order, list)
            query = str(query)
            edited = with_lists(evaluation_inputs[place].run, [part_of(query, order)])
            present = [
                EvaluationInput(edited, now, chosen) if at == place else evaluation_input
                for at, evaluation_input in enumerate(evaluation_inputs)
            ]
        followed.follow(list(zip(evaluation_inputs, present, strict=True)), (query,))
        followed.drop(evaluation_inputs, present)
        assert len(followed) <= len(evaluation_inputs)
        evaluation_inputs = present
    fresh = Evaluation()
    for evaluation_input in evaluation_inputs:
        other = evaluation_input
        if scratch is not None:
            expected = {query: documents for query, documents in expected.items() if documents or query in scratch}
            other = EvaluationInput(rebuilt(evaluation_input.run), Qrels.from_dict(expected), chosen)
        counted = followed.counts(evaluation_input, judged_counts)  # before it is joined
        rows_now = followed.rows(evaluation_input, "precision", precision_recall_rows)
        for place in range(len(evaluation_input.qrels.query_ids)):
            for mine_of, its in zip(
                followed.hits(evaluation_input, place), fresh.judged(other).hits_of(place), strict=True
            ):
                assert mine_of.tolist() == its.tolist()
        same_join(followed.judged(evaluation_input), fresh.judged(other))
        assert np.array_equal(counted, judged_counts(fresh.judged(other)))
        assert np.array_equal(rows_now, precision_recall_rows(fresh.judged(other)))  # to the last digit
        for measure in MEASURES:
            mine, theirs = ask(followed, evaluation_input, measure), ask(fresh, other, measure)
            assert (mine is None) == (theirs is None), measure
            if mine is None or theirs is None:
                continue
            assert_close(mine, theirs, rtol=RUNNING_SUMS, atol=1e-12, what=measure)
            means = followed.mean(evaluation_input, measure), fresh.mean(other, measure)
            assert_close(*means, rtol=RUNNING_SUMS, atol=1e-12, what=measure)


def rebuilt(run: Run) -> Run:
    """The run from its lists alone."""
    codes = np.repeat(np.arange(len(run.query_ids)), np.diff(run.offsets))
    scores = np.array(run.scores)
    ordered = Run.from_columns(run.query_ids, codes, run.doc_ids, scores)
    return Run(
        ordered.name,
        ordered.query_ids,
        ordered.offsets,
        ordered.doc_ids,
        ordered.scores,
        ordered.tied,
        arrival=run.arrival,
    )


def ask(evaluation: Evaluation, evaluation_input: EvaluationInput, measure: Measure) -> np.ndarray | None:
    """The values; None where the measure is refused."""
    try:
        return evaluation.values(evaluation_input, measure)
    except MeasureError:
        return None


def same_join(judged: Judged, other: Judged) -> None:
    for field in fields(Judged):
        if field.name in ("qrels", "hit_row", "lengths"):
            continue
        mine, theirs = getattr(judged, field.name), getattr(other, field.name)
        if isinstance(mine, np.ndarray):
            np.testing.assert_array_equal(mine, theirs, err_msg=field.name)
        else:
            assert mine == theirs, field.name
    documents = [judged.qrels.doc_ids[int(row)].as_py() for row in judged.hit_row]
    assert documents == [other.qrels.doc_ids[int(row)].as_py() for row in other.hit_row]


@examples(120)
@given(some.qrels(some.whole_grades), st.tuples(some.runs(), some.runs()), options, edits, st.integers(0, 99))
def test_edits_followed_equal_everything_from_scratch(
    qrels: dict[str, dict[str, float]], runs: tuple[dict[str, dict[str, float]], ...], chosen: EvaluationOptions,
    said: list[tuple[object, ...]], seed: int,
) -> None:  # fmt: skip
    new_runs = [Run.from_dict(run, name=f"run {number}") for number, run in enumerate(runs)]
    check(Qrels.from_dict(qrels), new_runs, chosen, said, seed, qrels)


rows = st.lists(
    st.tuples(some.queries, st.sampled_from(("0", "1", "b")), some.documents, st.integers(-1, 3).map(float)),
    min_size=1, max_size=40, unique_by=lambda row: row[:3],
)  # fmt: skip


@examples(60)
@given(rows, st.tuples(some.runs(), some.runs()), options, edits, st.integers(0, 99))
def test_edits_of_judgments_by_subtopic_or_judge_too(
    rows: list[tuple[str, str, str, float]], runs: tuple[dict[str, dict[str, float]], ...], chosen: EvaluationOptions,
    said: list[tuple[object, ...]], seed: int,
) -> None:  # fmt: skip
    queries = list(dict.fromkeys(row[0] for row in rows))
    qrels = Qrels.from_columns(
        tuple(queries),
        np.array([queries.index(row[0]) for row in rows]),
        strings([row[2] for row in rows]),
        np.array([row[3] for row in rows]),
        subtopics=strings([row[1] for row in rows]),
    )
    new_runs = [Run.from_dict(run, name=f"run {number}") for number, run in enumerate(runs)]
    check(qrels, new_runs, chosen, said, seed, None)


def test_what_a_measure_refuses_for_all_is_refused_after_an_edit_of_one() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1.0}, "2": {"b": 5.0}})
    run = Run.from_dict({"1": {"a": 1.0}, "2": {"b": 1.0}})
    measure = parse_measures(["ERR(max_rel=4)"])[0]
    for dialect in ("trec_eval", "gdeval"):
        evaluation, chosen = Evaluation(), EvaluationOptions(dialect=dialect)
        before = EvaluationInput(run, qrels, chosen)
        overlay = JudgmentOverlay.of([Judgment("2", "b", 4.0)])
        after = EvaluationInput(run, overlay.applied(qrels), chosen)
        if dialect == "trec_eval":
            with pytest.raises(MeasureError):
                evaluation.values(before, measure)
        else:
            assert np.isnan(evaluation.values(before, measure)).all()
        evaluation.judged(before)
        evaluation.follow([(before, after)], ("2",))
        assert not np.isnan(evaluation.values(after, measure)).any()
        evaluation.follow([(after, before)], ("2",))  # known already: nothing to do
        assert len(evaluation) == 2


@pytest.mark.parametrize("edits", [400, pytest.param(1000, marks=pytest.mark.slow)])
def test_thousands_of_edits_keep_one_entry_a_run_and_forget_by_columns(edits: int) -> None:
    qrels = Qrels.from_dict({str(q): {f"d{n}": float(n % 2) for n in range(5)} for q in range(20)})
    run = Run.from_dict({str(q): {f"d{n}": -float(n) for n in range(8)} for q in range(20)})
    evaluation, overlay, now = Evaluation(), JudgmentOverlay(), qrels
    measure = parse_measures(["AP"])[0]
    evaluation_input = EvaluationInput(run, now)
    evaluation.mean(evaluation_input, measure)
    for number in range(edits):
        overlay = overlay.with_judgment(Judgment(str(number % 20), f"d{number % 7}", float(number % 3)))
        now = overlay.reapplied(qrels, now, (str(number % 20),))
        present = EvaluationInput(run, now)
        evaluation.follow([(evaluation_input, present)], (str(number % 20),))
        evaluation.forget([evaluation_input.qrels], [])
        evaluation_input = present
        if number % 3 == 0:
            evaluation.mean(evaluation_input, measure)
        assert len(evaluation) == 1
    assert evaluation.mean(evaluation_input, measure) == pytest.approx(
        Evaluation().mean(EvaluationInput(run, now), measure), abs=1e-12
    )
    evaluation.forget([], [run])
    assert len(evaluation) == 0


@pytest.mark.parametrize("most", [0, 20_000, 40_000])
def test_kept_bytes_are_bounded_whatever_is_tried(most: int) -> None:
    qrels = Qrels.from_dict({str(q): {f"d{n}": float(n % 3 - 1) for n in range(5)} for q in range(20)})
    runs = [Run.from_dict({str(q): {f"d{n}": float(n % m) for n in range(8)} for q in range(20)}) for m in (2, 5)]
    evaluation = Evaluation(most)
    largest, tried, seen = 0, 0, set()
    for _ in range(2):
        for dialect in DIALECTS:
            for level in (1, 2):
                chosen = EvaluationOptions(level=level, dialect=dialect)
                for measure in parse_measures(["AP", "nDCG@3", "P@2", "RR", "Judged@5"]):
                    for run in runs:
                        here, fresh = EvaluationInput(run, qrels, chosen), Evaluation()
                        np.testing.assert_array_equal(evaluation.values(here, measure), fresh.values(here, measure))
                        key = evaluation.derived(here, "copy", lambda judged: judged.hit_rank.copy())
                        np.testing.assert_array_equal(key, fresh.judged(here).hit_rank)
                        np.testing.assert_equal(evaluation.mean(here, measure), fresh.mean(here, measure))
                        largest, tried = max(largest, fresh.held_bytes), tried + 1
                        assert evaluation.held_bytes <= max(most, largest)
                        seen.add(evaluation.held_bytes)
    assert max(seen) >= most / 2, "the bound is used"
    unbounded = Evaluation()
    for dialect in DIALECTS:
        for run in runs:
            for measure in parse_measures(["AP", "nDCG@3", "P@2", "RR", "Judged@5"]):
                unbounded.values(EvaluationInput(run, qrels, EvaluationOptions(dialect=dialect)), measure)
    assert unbounded.held_bytes > most, "without the bound more would be kept"
    evaluation.forget([qrels], [])
    assert evaluation.held_bytes == 0


def test_many_inputs_are_dropped_in_linear_time() -> None:
    """A judgment drops the former inputs of all runs: with 500, each was compared with all others."""

    class Counting(dict):  # type: ignore[type-arg]
        looks = 0

        def values(self):  # type: ignore[no-untyped-def]
            Counting.looks += len(self)
            return super().values()

    evaluation, measure = Evaluation(), parse_measures(["AP"])[0]
    qrels, other = (Qrels.from_dict({"1": {"a": 1.0, "b": grade}}) for grade in (0.0, 1.0))
    runs = [Run.from_dict({"1": {"a": 1.0, "b": float(number)}}) for number in range(40)]
    for run in runs:
        for judged in (qrels, other):
            evaluation.values(EvaluationInput(run, judged), measure)
    held = evaluation.held_bytes
    evaluation._entries = Counting(evaluation._entries)
    evaluation.drop([EvaluationInput(run, qrels) for run in runs], [EvaluationInput(run, other) for run in runs])
    assert len(evaluation) == 40
    assert 0.3 * held < evaluation.held_bytes < 0.7 * held
    assert Counting.looks <= 80
    evaluation.forget([other], [])
    assert (len(evaluation), evaluation.held_bytes) == (0, 0)
    assert Counting.looks <= 80


def test_what_was_used_last_stays() -> None:
    parts = KeptParts(10)
    assert parts.keep("a", 4) == ()
    assert parts.keep("b", 4) == ()
    parts.use("a")
    parts.use("unknown")
    assert parts.keep("c", 4) == ("b",)
    assert parts.keep("a", 7) == ("c",)
    assert parts.keep("large", 100) == ("a",)
    assert (parts.total, len(parts)) == (100, 1)
    parts.forget(["large", "unknown"])
    parts.forget(["large"])
    assert (parts.total, len(parts)) == (0, 0)


@pytest.mark.parametrize("text", ["RBP", "ERR", "INST", "SDCG@3"])
def test_a_new_highest_grade_moves_the_values_of_other_queries(text: str) -> None:
    qrels = Qrels.from_dict({"1": {"a": 1.0}, "2": {"b": 2.0, "c": 1.0}})
    run = Run.from_dict({"1": {"a": 2.0}, "2": {"c": 2.0, "b": 1.0}})
    measure = parse_measures([text])[0]
    evaluation, before = Evaluation(), EvaluationInput(run, qrels)
    former = evaluation.values(before, measure)
    after = EvaluationInput(run, JudgmentOverlay.of([Judgment("1", "a", 7.0)]).applied(qrels))
    evaluation.follow([(before, after)], ("1",))
    assert evaluation.values(after, measure)[1] < former[1]
    np.testing.assert_allclose(evaluation.values(after, measure), Evaluation().values(after, measure), rtol=1e-12)


@given(
    st.lists(st.sampled_from(("run", "run", "run", "qrels", "name", "options", "nothing")), min_size=12, max_size=20)
)
def test_a_key_is_never_that_of_another_input(changes: list[str]) -> None:
    """Keys are kept alone, without their inputs: new arrays often have the addresses of arrays that are gone."""
    run, qrels = Run.from_dict({"1": {"a": 1.0}}), Qrels.from_dict({"1": {"a": 1.0}})
    options, version = EvaluationOptions(), 0
    versions = [(EvaluationInput(run, qrels, options).key, version)]
    for change in changes:
        version += change in ("run", "qrels", "options")
        if change == "run":
            del run
            run = Run.from_dict({"1": {"a": float(version)}})
        elif change == "qrels":
            del qrels
            qrels = Qrels.from_dict({"1": {"a": float(version)}})
        elif change == "options":
            options = EvaluationOptions(depth=version)
        elif change == "name":
            run = run.renamed(f"{run.name}x")
        versions.append((EvaluationInput(run, qrels, options).key, version))
    for key, of_version in versions:
        for other, of_other in versions:
            assert (key == other) == (of_version == of_other)
            assert key != other or hash(key) == hash(other)


def test_texts_of_answers_are_not_what_a_join_holds(tmp_path: Path) -> None:
    """They are the run's: counted with each join, a few systems seemed to fill the cache."""
    qrels, held = Qrels.from_dict({"1": {"a": 1.0}}), []
    for length in (10, 100_000):
        path = tmp_path / "a.jsonl"
        record = {"run_id": "s", "topic_id": "1", "references": ["a"],
                  "answer": [{"text": "x" * length, "citations": [0]}]}  # fmt: skip
        path.write_text(json.dumps(record) + "\n")
        run = load(path, kind="run", cached="no").value
        assert isinstance(run, Run)
        evaluation = Evaluation()
        evaluation.values(EvaluationInput(run, qrels), parse_measures(["CitedRel"])[0])
        held.append(evaluation.held_bytes)
    assert held[0] == held[1] > 0


@pytest.mark.parametrize(
    "edits", [(("1", "2"),), (("1",), ("2",)), (("2", "new"), ("1",)), (("3",), ("3",), ("1", "3"))]
)
def test_the_hits_of_a_query_after_edits_are_those_of_the_join(edits: tuple[tuple[str, ...], ...]) -> None:
    """Edits of several queries at once, and one after the other without a join between them."""
    qrels = Qrels.from_dict({query: {"a": float(query), "b": 0.0, "c": 2.0} for query in "123"})
    runs = [Run.from_dict({query: {"c": 3.0, "b": 2.0, "a": at} for query in (*"123", "new")}) for at in (1.0, 5.0)]
    followed, overlay, now = Evaluation(), JudgmentOverlay(), qrels
    inputs = [EvaluationInput(run, now) for run in runs]
    for evaluation_input in inputs:
        followed.judged(evaluation_input)
    for number, queries in enumerate(edits):
        for query in queries:
            overlay = overlay.with_judgment(Judgment(query, "b", 3.0 + number))
        now = overlay.reapplied(qrels, now, queries)
        present = [EvaluationInput(run, now) for run in runs]
        followed.follow(list(zip(inputs, present, strict=True)), queries)
        inputs = present
    for evaluation_input in inputs:
        whole = Evaluation().judged(evaluation_input)
        for place in reversed(range(len(whole.query_ids))):
            ranks, grades = followed.hits(evaluation_input, place)
            assert (ranks.tolist(), grades.tolist()) == tuple(each.tolist() for each in whole.hits_of(place))
