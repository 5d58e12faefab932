"""No measure leaves what it says its values lie between, whatever the data, edits of judgments and lists included."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from every import computed, every_measure
from random_collections import KINDS, RandomCollection, random_collection

from irviewer.evaluation.evaluate import Joined
from irviewer.measures.base import ENDLESS, Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.document_lengths import Lengths
from irviewer.model.judgments.judged import Judged
from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay
from irviewer.model.options import EvaluationOptions
from irviewer.model.rankings.edited_run import relisted

Record = Callable[[str, object], None]

GREEDY = {"alpha_nDCG", "nERR_IA", "nNRBP"}
"""Their ideal ranking is a greedy one, which is not always the best: a run may pass 1."""

LAST_DIGITS = 1e-12
MEASURES = every_measure(30)


def test_measures_with_a_greedy_ideal_say_so() -> None:
    assert {measure.name for measure in MEASURES if "greedy" in measure.ignores} == GREEDY


@pytest.mark.parametrize("text", ["alpha_nDCG@2", "nERR_IA@2", "nNRBP(beta=0.8)"])
def test_a_greedy_ideal_can_be_passed(text: str) -> None:
    """Of three documents on two subtopics each the greedy order takes d first, which leaves b and c one each; the best
    order is c, b."""
    topics = {"a": "4", "b": "12", "c": "36", "d": "13"}
    rows = tuple(("1", topic, doc, 1.0) for doc, them in topics.items() for topic in them)
    example = RandomCollection("subtopics", rows, ({"1": {"c": 4.0, "b": 3.0, "a": 2.0, "d": 1.0}},))
    judged = Joined(example.runs[0], example.qrels, EvaluationOptions()).under(EvaluationOptions().rules.join_options)
    assert parse_measure(text).compute(judged)[0] > 1.01


def edited(example: RandomCollection, dice: random.Random) -> tuple[list[Judged], int]:
    """The collection's runs joined with its qrels, as read and after edits of both; and how many values those hold."""
    qrels, runs = example.qrels, example.runs
    lengths = Lengths({f"d{number}": float(number % 5 + 1) for number in range(200)})
    options = EvaluationOptions(
        judged_only=dice.random() < 0.3, depth=dice.choice((None, None, 3, 8)), lengths=lengths,
        dialect=dice.choice(("trec_eval", "trec_eval-9", "ir_measures", "ranx", "gdeval", "textbook")),
    )  # fmt: skip
    overlay = JudgmentOverlay()
    for _ in range(dice.choice((0, 20))):
        query = dice.choice([*qrels.query_ids, "a new query"])
        grade = dice.choice((None, -1.0, 0.0, 1.0, 2.0, 9.0))
        overlay = overlay.with_judgment(Judgment(query, f"d{dice.randint(0, 25)}", grade))
    qrels = overlay.applied(qrels)
    joins = []
    for run in runs:
        lists = {}
        for query in dice.sample(qrels.query_ids, min(len(qrels.query_ids), dice.choice((0, 3)))):
            order = [*run.ranking(query), "put in", "d0"][: dice.randint(0, 30)]
            order = list(dict.fromkeys(order))
            lists[query] = tuple(dice.sample(order, len(order)))
        joined = Joined(relisted(run, run, lists), qrels, options)
        joins.append(joined.under(options.rules.join_options))
    return joins, sum(judged.n_queries for judged in joins)


def left(measure: Measure, values: np.ndarray) -> bool:
    """Whether a value is outside the span; NaN, where there is none, is not."""
    low, high = measure.span
    known = values[~np.isnan(values)]
    return bool(np.any(known < low - LAST_DIGITS) or np.any(known > high + LAST_DIGITS) or np.any(np.isinf(known)))


def walk(seeds: range, queries: int, record: Record) -> None:
    number = 0
    for seed in seeds:
        for kind in KINDS:
            dice = random.Random(f"{seed} {kind}")
            example = random_collection(
                seed, kind, queries=queries, judged=dice.choice((3, 12, 30)), deep=dice.choice((4, 15, 40))
            )
            joins, count = edited(example, dice)
            for judged in joins:
                for measure in MEASURES:
                    if measure.span == ENDLESS or measure.name in GREEDY:
                        continue
                    values = computed(measure, judged)
                    assert values is None or not left(measure, values), (measure.text, kind, seed, values)
            number += count * len(MEASURES)
    record("values within their bounds", number)


def test_no_measure_leaves_its_span(record_property: Record) -> None:
    walk(range(1), 25, record_property)


@pytest.mark.fuzz
@pytest.mark.parametrize("block", range(2))
def test_no_measure_leaves_its_span_in_bulk(block: int, record_property: Record) -> None:
    walk(range(100 * (block + 1), 100 * (block + 1) + 4), 120, record_property)
