"""Twins of the fast paths in plain Python, which know nothing of parts, threads and arrays: reader, ranker, joiner; and
seeded tables of what is hard for the others."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """A retrieved document."""

    query: str
    document: str
    score: float


SCORES = (0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, 1.0, 2.5, -1.0, 1e-300, 5e-324, 1.7976931348623157e308)
STARTS = ("", "d", "doc", "document-", "clueweb09", "clueweb09-en0001", "clueweb09-en0001-02-", "é", "文書-", "MARCO_")
ARRANGED = ("in order", "by query", "shuffled", "interleaved", "reversed")


def table(dice: random.Random, most: int = 60, ties: Sequence[int] = (1, 1, 1, 2, 3, 5, 50)) -> list[Row]:
    """A run's rows as files have them: ids of unequal length, one often the beginning of another, not only ASCII; some
    of up to 50 neighbours with one score; scores that are no number, without end, and two sorts of 0; queries together,
    shuffled, by turns."""
    rows: list[Row] = []
    for query in dice.sample(("1", "10", "2", "q:ü", "文", "301", "Q"), dice.randint(1, 5)):
        ids = list(_ids(dice, dice.randint(1, most)))
        scores: list[float] = []
        while len(scores) < len(ids):
            drawn = dice.choice(SCORES) if dice.random() < 0.4 else round(dice.uniform(-9, 9), dice.choice((0, 1, 9)))
            scores += [drawn] * dice.choice(ties)
        scores = sorted(scores[: len(ids)], key=_falling)
        rows += [Row(query, document, score) for document, score in zip(ids, scores, strict=True)]
    return arranged(rows, dice.choice(ARRANGED), dice)


def _ids(dice: random.Random, count: int) -> Iterable[str]:
    ids: dict[str, None] = {}
    while len(ids) < count:
        new_id = dice.choice(STARTS) + "".join(dice.choices("01ab-é文", k=dice.randint(0, 12)))
        former = next(reversed(ids), "")
        ids.update(dict.fromkeys(each for each in (new_id, new_id[: dice.randint(1, 9)], former + "0") if each))
    return dice.sample(list(ids), count)


def _falling(score: float) -> tuple[bool, float]:
    return math.isnan(score), 0.0 if math.isnan(score) else -score


def arranged(rows: list[Row], how: str, dice: random.Random) -> list[Row]:
    """The rows, which stand by query with falling scores, as ``ARRANGED`` says."""
    if how == "by query":  # each query's in any order
        places = {row.query: place for place, row in enumerate(rows)}
        return sorted(dice.sample(rows, len(rows)), key=lambda row: places[row.query])
    if how == "shuffled":
        return dice.sample(rows, len(rows))
    if how == "interleaved":
        seen: dict[str, int] = {}
        turns = [(seen.setdefault(row.query, 0), seen.update({row.query: seen[row.query] + 1})) for row in rows]
        return [row for _, row in sorted(zip(turns, rows, strict=True), key=lambda turned: turned[0][0])]
    return rows[::-1] if how == "reversed" else rows


def in_rank_order(rows: Iterable[Row], ties: str = "descending") -> dict[str, list[Row]]:
    """The rows of each query, queries as they appear: score descending, NaN last; of equals by id as bytes, or as they
    stand."""
    by_query: dict[str, list[Row]] = {}
    for row in rows:
        by_query.setdefault(row.query, []).append(row)
    for own in by_query.values():
        if ties != "arrival":
            own.sort(key=lambda row: row.document.encode(), reverse=ties == "descending")
        own.sort(key=lambda row: _falling(row.score))  # Python sorts stably
    return by_query


def tied_queries(rows: Iterable[Row]) -> dict[str, bool]:
    """Whether two documents of a query share a score; two that are no number do."""
    own: dict[str, list[object]] = {}
    for row in rows:
        own.setdefault(row.query, []).append("nan" if math.isnan(row.score) else row.score + 0.0)
    return {query: len(set(scores)) < len(scores) for query, scores in own.items()}


def hits(rows: Iterable[Row], judged: Mapping[str, Mapping[str, float]]) -> dict[str, list[tuple[int, str, float]]]:
    """(rank, document, grade) of each judged document that was returned, by rank, of each judged query."""
    ranked = in_rank_order(rows)
    return {
        query: [(rank, row.document, grades[row.document]) for rank, row in enumerate(ranked.get(query, ()), 1)
                if row.document in grades]
        for query, grades in judged.items()
    }  # fmt: skip


def read_run(data: bytes) -> list[Row]:
    """The rows of a TREC run: six words a line, comments and blank lines passed over."""
    rows = []
    for line in data.decode("utf-8").split("\n"):
        words = line.encode().split()
        if line.startswith("#") or not words:
            continue
        assert len(words) >= 6, line
        rows.append(Row(words[0].decode(), words[2].decode(), float(words[4])))
    return rows


def exact(score: float) -> str:
    """A score so that 0.0 and -0.0 differ and NaN equals NaN."""
    return repr(score)
