"""Runs evaluated in blocks: the values of the whole run to the last bit, however it is divided."""

from __future__ import annotations

import pickle
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
import strategies as some
from every import OF_FIELDS
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import OptionError
from irviewer.evaluation.blocks import Finder, RepeatedQueryError, evaluate_blocks
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.part_tables import joined_tables, part_table
from irviewer.evaluation.results import ResultTable
from irviewer.measures.parameters import Cutoff
from irviewer.measures.registry import families
from irviewer.model.document_lengths import Lengths
from irviewer.model.options import EvaluationOptions
from irviewer.model.protocol import MissingPolicy
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable

Nested = Mapping[str, Mapping[str, float]]
MEASURES = ["all_trec", "ERR@5", "RBP", "Judged@3", "infAP", "nDCG@3 - 2 * AP", "alpha_nDCG@5"]


@dataclass(frozen=True)
class Part:
    """A block of plain values; the lists of its queries are in the order of the mapping."""

    rankings: Nested
    number: int = 0

    share = 0.5

    def read(self) -> Run:
        return Run.from_dict(self.rankings, name="run")

    def finder(self) -> Finder:
        return lambda query: f"part {self.number}"


def divided(rankings: Nested, cuts: Sequence[int], seed: int, *, rows: bool = True) -> list[Part]:
    """The run in parts, cut between any two queries, in any order of parts, queries and, with ``rows``, documents."""
    shuffle = random.Random(seed)
    queries = list(rankings)
    shuffle.shuffle(queries)
    places = sorted({min(cut, len(queries)) for cut in cuts} | {0, len(queries)})
    parts = []
    for start, stop in pairwise(places):
        own = {}
        for query in queries[start:stop]:
            documents = list(rankings[query].items())
            if rows:
                shuffle.shuffle(documents)
            own[query] = dict(documents)
        parts.append(Part(own, len(parts)))
    shuffle.shuffle(parts)
    return parts


def assert_same(ours: ResultTable, whole: ResultTable) -> None:
    """Every number is the same to the last bit, and so is what is said of them."""
    assert ours.runs == whole.runs
    assert ours.query_ids == whole.query_ids
    assert [measure.text for measure in ours.measures] == [measure.text for measure in whole.measures]
    assert ours.values.tobytes() == whole.values.tobytes()
    assert ours.means.tobytes() == whole.means.tobytes()
    assert ours.missing == whole.missing
    assert ours.cautions == whole.cautions
    assert [(each.of, each.queries, each.theirs) for each in ours.unmatched] == [
        (each.of, each.queries, each.theirs) for each in whole.unmatched
    ]


@given(
    qrels=some.qrels(), rankings=some.runs(some.any_scores, least=1), cuts=st.lists(st.integers(0, 7)),
    seed=st.integers(0, 99), options=st.sampled_from([
        EvaluationOptions(), EvaluationOptions(level=2, depth=2), EvaluationOptions(judged_only=True),
        EvaluationOptions(missing="intersection"), EvaluationOptions(dialect="ir_measures"),
        EvaluationOptions(dialect="ranx"), EvaluationOptions(dialect="trec_eval-9", missing="zero"),
    ]), workers=st.sampled_from([1, 3]),
)  # fmt: skip
def test_the_values_of_the_whole_run(
    qrels: Nested, rankings: Nested, cuts: list[int], seed: int, options: EvaluationOptions, workers: int
) -> None:
    judgments = Qrels.from_dict(qrels)
    whole = evaluate(judgments, Run.from_dict(rankings, name="run"), MEASURES, options)
    by_file = options.dialect != "trec_eval"  # some tools rank tied documents in the order of the file
    parts = divided(rankings, cuts, seed, rows=not by_file)
    assert_same(evaluate_blocks(judgments, parts, MEASURES, options, name="run", workers=workers), whole)


FIELDS = [
    "FieldMean(field='price',better='lower')@2", "FieldShare(where='in_stock = false',better='lower')@3", "nDCG@3",
    "FieldDistinct(field='brand',better='higher')", "FieldRank(where='price > 2',better='higher',empty=9) - 2 * RR",
]  # fmt: skip
ROW = st.fixed_dictionaries({
    "price": st.sampled_from((None, 1.5, 2.0, 7.0)), "in_stock": st.sampled_from((None, True, False)),
    "brand": st.sampled_from((None, "x", "ü y")), "text": st.just("never read"),
})  # fmt: skip
WHOLE = {"nowhere": {"price": 1.0, "in_stock": True, "brand": "x", "text": "so that each field has its type"}}


@given(
    qrels=some.qrels(), rankings=some.runs(some.any_scores, least=1), cuts=st.lists(st.integers(0, 7)),
    seed=st.integers(0, 99), table=st.dictionaries(st.sampled_from(some.DOCUMENTS), ROW),
    workers=st.sampled_from([1, 3]),
    options=st.sampled_from([EvaluationOptions(), EvaluationOptions(judged_only=True, missing="intersection")]),
)  # fmt: skip
def test_fields_of_documents(
    qrels: Nested, rankings: Nested, cuts: list[int], seed: int, table: Mapping[str, Mapping[str, object]],
    workers: int, options: EvaluationOptions,
) -> None:  # fmt: skip
    """In blocks and as partitions, with what is said of documents without a value."""
    rows = [{"id": each, **row} for each, row in {**WHOLE, **table}.items()]
    options = replace(options, lengths=Lengths(TextTable.from_rows(rows)))
    judgments = Qrels.from_dict(qrels)
    whole = evaluate(judgments, Run.from_dict(rankings, name="run"), FIELDS, options)
    parts = divided(rankings, cuts, seed) or [Part({})]
    blocks = evaluate_blocks(judgments, parts, FIELDS, options, name="run", workers=workers)
    assert_same(blocks, whole)
    kept = blocks.options.lengths
    assert kept is not None
    assert isinstance(kept.texts, TextTable)
    assert set(kept.texts.attributes) == {"price", "in_stock", "brand"}
    tables = [pickle.loads(pickle.dumps(part_table(part.read(), judgments, FIELDS, options))) for part in parts]
    shuffled = replace(options, lengths=Lengths(TextTable.from_rows(rows[::-1])))
    assert_same(joined_tables(tables, judgments, FIELDS, shuffled), whole)
    other = replace(options, lengths=Lengths(TextTable.from_rows([{**row, "price": 3.0} for row in rows])))
    with pytest.raises(OptionError, match="partition 1 was computed with other fields of documents"):
        joined_tables(tables, judgments, FIELDS, other)


def test_judgments_by_subtopic() -> None:
    queries = tuple(f"q{number}" for number in range(8))
    rows = [(q, f"d{n}", (n + q) % 3, str(n % (2 if q < 4 else 1))) for q in range(8) for n in range(6)]
    rows += [(q, "d1", 1, "7") for q in (5, 6)]  # a document in two groups, of some queries only
    rows.sort(key=lambda row: row[0])
    codes, documents, grades, subtopics = zip(*rows, strict=True)
    qrels = Qrels.from_columns(
        queries, np.array(codes), pa.array(documents), np.array(grades, dtype=np.float64), subtopics=pa.array(subtopics)
    )
    rankings = {query: {f"d{n}": (n * 7 + place) % 5 for n in range(5)} for place, query in enumerate(queries)}
    measures = ["alpha_nDCG@5", "ERR_IA@5", "StRecall@5", "AP"]
    whole = evaluate(qrels, Run.from_dict(rankings, name="run"), measures)
    assert_same(evaluate_blocks(qrels, divided(rankings, [1, 3, 5], 2), measures, name="run"), whole)


@given(
    qrels=some.qrels(), rankings=some.runs(some.any_scores, least=1), cuts=st.lists(st.integers(0, 7)),
    seed=st.integers(0, 99), level=st.sampled_from([1, 2]), missing=st.sampled_from(["zero", "intersection"]),
)  # fmt: skip
def test_partitions_are_merged(
    qrels: Nested, rankings: Nested, cuts: list[int], seed: int, level: int, missing: MissingPolicy
) -> None:
    judgments, options = Qrels.from_dict(qrels), EvaluationOptions(level=level, missing=missing)
    whole = evaluate(judgments, Run.from_dict(rankings, name="run"), MEASURES, options)
    parts = divided(rankings, cuts, seed) or [Part({})]
    tables = [pickle.loads(pickle.dumps(part_table(part.read(), judgments, MEASURES, options))) for part in parts]
    assert sorted(query for table in tables for query in table["query"].to_pylist()) == sorted(rankings)
    assert_same(joined_tables(tables, judgments, MEASURES, options), whole)


def test_partitions_of_another_evaluation() -> None:
    judgments = Qrels.from_dict({"1": {"a": 1}, "2": {"a": 2, "b": 0}})
    table = part_table(Run.from_dict({"1": {"a": 1.0}}), judgments, ["AP"])
    shuffled = Qrels.from_dict({"2": {"b": 0, "a": 2}, "1": {"a": 1}})
    assert joined_tables([table], shuffled, ["AP"]).by_query("AP") == {"1": 1.0, "2": 0.0}
    with pytest.raises(OptionError, match="partition 1 was computed with other measures"):
        joined_tables([table], judgments, ["nDCG"])
    with pytest.raises(OptionError, match="partition 2 was computed with other rules"):
        other = part_table(Run.from_dict({"2": {"a": 1.0}}), judgments, ["AP"], EvaluationOptions(depth=3))
        joined_tables([table, other], judgments, ["AP"])
    for changed in ({"1": {"a": 1}, "2": {"a": 2, "b": 1}}, {"1": {"ab": 1}, "2": {"a": 2, "": 0}}):
        with pytest.raises(OptionError, match="other judgments"):
            joined_tables([table], Qrels.from_dict(changed), ["AP"])
    with pytest.raises(OptionError, match="partition 1 is no table of irviewer"):
        joined_tables([pa.table({"query": ["1"]})], judgments, ["AP"])
    with pytest.raises(RepeatedQueryError, match="partition 1, and partition 2"):
        joined_tables([table, table], judgments, ["AP"])


def test_every_measure_by_query() -> None:
    shuffle = random.Random(4)
    documents = [f"d{number}" for number in range(30)]
    qrels = {f"q{q}": {d: shuffle.choice([-1, 0, 0, 1, 2]) for d in shuffle.sample(documents, 12)} for q in range(40)}
    rankings = {f"q{q}": {d: shuffle.random() for d in shuffle.sample(documents, 15)} for q in range(5, 45)}
    every = [
        name if family.cutoff in (Cutoff.OPTIONAL, Cutoff.NONE) else f"{name}@1"
        for name, family in families().items()
        if family.compute.__module__.rpartition(".")[2] not in ("citations", "nuggets", "support")  # of answers, no run
        and name not in OF_FIELDS
    ]
    every += ["FieldMean(field='tokens',better='lower')@3", "FieldRank(where='tokens > 20',better='higher')"]
    assert len(every) > 40
    table = TextTable.from_rows([{"id": document, "tokens": 3 + place} for place, document in enumerate(documents)])
    options = EvaluationOptions(lengths=Lengths(table))
    judgments = Qrels.from_dict(qrels)
    whole = evaluate(judgments, Run.from_dict(rankings, name="run"), every, options)
    parts = divided(rankings, [3, 4, 11, 30], 8)
    assert_same(evaluate_blocks(judgments, parts, every, options, name="run"), whole)


@pytest.mark.parametrize(
    ("qrels", "rankings"),
    [
        ({"1": {"a": 1}, "2": {"a": 1}}, {"x": {"a": 1.0}, "y": {"a": 1.0}}),
        ({"2": {"a": 1}, "1": {"b": 1}}, {"1": {"x": 1.0}, "2": {"y": 1.0}, "3": {"a": 1.0}}),
        ({"1": {"a": 1}, "2": {"b": 1}}, {"1": {"x": 1.0}, "7": {"y": 1.0}}),
        ({"1": {"a": 1}}, {}),
    ],
)
def test_a_run_that_matches_nothing(qrels: Nested, rankings: Nested) -> None:
    judgments = Qrels.from_dict(qrels)
    whole = evaluate(judgments, Run.from_dict(rankings, name="run"), ["AP"])
    parts = [Part({query: own}, number) for number, (query, own) in enumerate(rankings.items())]
    ours = evaluate_blocks(judgments, parts, ["AP"], name="run")
    assert_same(ours, whole)
    assert ours.warnings == whole.warnings


@pytest.mark.parametrize("judged", [True, False])
def test_a_query_in_two_blocks(judged: bool) -> None:
    parts = [Part({"1": {"a": 1.0}, "2": {"a": 1.0}}, 0), Part({"3": {"a": 1.0}}, 1), Part({"2": {"b": 1.0}}, 2)]
    judgments = Qrels.from_dict({"2" if judged else "9": {"a": 1}})
    with pytest.raises(RepeatedQueryError, match="query 2 is in two places: part 0, and part 2") as caught:
        evaluate_blocks(judgments, parts, ["AP"])
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_block_that_fails_ends_the_evaluation(workers: int) -> None:
    class Broken(Part):
        def read(self) -> Run:
            raise OptionError("broken here")

    parts = [Part({"1": {"a": 1.0}}), Broken({}), Part({"2": {"a": 1.0}})]
    with pytest.raises(OptionError, match="broken here"):
        evaluate_blocks(Qrels.from_dict({"1": {"a": 1}}), parts, ["AP"], workers=workers)


def test_progress_can_end_it() -> None:
    read: list[float] = []

    def stop(share: float) -> None:
        read.append(share)
        raise KeyboardInterrupt

    parts = (Part({str(number): {"a": 1.0}}) for number in range(1000))
    with pytest.raises(KeyboardInterrupt):
        evaluate_blocks(Qrels.from_dict({"1": {"a": 1}}), parts, ["AP"], progress=stop, workers=2)
    assert read == [0.5]
    assert next(parts).rankings != {"999": {"a": 1.0}}  # the others were not asked for


def test_a_result_can_be_sent_to_another_process() -> None:
    judgments = Qrels.from_dict({"1": {"a": 3, "b": 1}, "2": {"a": 1}})
    run = Run.from_dict({"1": {"b": 2.0, "a": 1.0}}, name="run")
    result = evaluate(
        judgments, run, ["AP", "ERR@5", "nDCG@3 / 2", "num_ret", "P(rel=1)@5"], EvaluationOptions(level=2)
    )
    again = pickle.loads(pickle.dumps(result))
    assert_same(again, result)
    assert [measure.asked for measure in again.measures] == [measure.asked for measure in result.measures]
    assert [measure.given for measure in again.measures] == [measure.given for measure in result.measures]
    assert again.options == result.options
    assert np.array_equal(again.of("AP")[1], result.of("AP")[1])
