"""The join of a run with qrels against a dictionary: judged documents by rank, wherever they stand."""

from __future__ import annotations

import random
from collections.abc import Callable

import careful
import numpy as np
from careful import Row

from irviewer.model.judgments.judged import judge
from irviewer.model.options import EvaluationOptions
from irviewer.model.parts import PART
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

CASES = 300


def run_of(rows: list[Row]) -> Run:
    by_query: dict[str, dict[str, float]] = {}
    for row in rows:
        by_query.setdefault(row.query, {})[row.document] = row.score
    return Run.from_dict(by_query)


def judgments(rows: list[Row], dice: random.Random) -> dict[str, dict[str, float]]:
    """Some documents of some queries, others of another query's list, and some that nobody returned."""
    by_query: dict[str, dict[str, float]] = {}
    for row in dice.sample(rows, dice.randint(1, len(rows))):
        query = row.query if dice.random() < 0.8 else dice.choice(("1", "10", "nobody", "文"))
        document = row.document + dice.choice(("", "", "", "0", "é"))
        by_query.setdefault(query, {})[document] = float(dice.randint(-2, 4))
    return by_query


def check(rows: list[Row], judged: dict[str, dict[str, float]]) -> int:
    judged_run = judge(run_of(rows), Qrels.from_dict(judged), EvaluationOptions())
    wanted = careful.hits(rows, judged)
    assert list(judged_run.query_ids) == sorted(judged, key=str.encode)
    ids = judged_run.qrels.doc_ids
    own: dict[str, list[tuple[int, str, float]]] = {query: [] for query in judged}
    parts = (judged_run.hit_query, judged_run.hit_rank, judged_run.hit_row, judged_run.hit_grade)
    for query, rank, row, grade in zip(*map(np.ndarray.tolist, parts), strict=True):
        own[judged_run.query_ids[query]].append((rank, ids[row].as_py(), grade))
    assert own == wanted
    returned = {query: sum(row.query == query for row in rows) for query in judged} if len(rows) < 1000 else None
    assert returned is None or dict(zip(judged_run.query_ids, judged_run.returned.tolist(), strict=True)) == returned
    return sum(map(len, wanted.values()))


def test_against_a_dictionary(record_property: Callable[[str, object], None]) -> None:
    dice, values = random.Random(9), 0
    for _ in range(CASES):
        rows = careful.table(dice, 40)
        values += check(rows, judgments(rows, dice))
    record_property("values joined as a dictionary joins them", values)


def test_at_its_own_size(record_property: Callable[[str, object], None]) -> None:
    """A run of more rows than two parts hold."""
    dice = random.Random(4)
    count = PART // 8 + 5
    rows = [Row(f"q{query}", f"d{query * 7 + n}", -float(n)) for query in range(20) for n in range(count)]
    judged = {f"q{query}": {f"d{dice.randrange(2 * count)}": 1.0 for _ in range(300)} for query in range(0, 25, 2)}
    record_property("values joined as a dictionary joins them", check(rows, judged))
