"""Bounds by trying: every way to judge what is open, each a query of its own of one evaluation.

Measures are evaluated as everywhere (their own oracles are elsewhere); which ways there are is said here alone."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.base import Measure
from irviewer.model.document_lengths import Lengths
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

LENGTHS = Lengths({"t": 1.0, **{f"d{number}": float(number % 4 + 1) for number in range(30)}})


@dataclass(frozen=True)
class Case:
    """One query: what is judged, two lists, and the highest grade that what is open may have."""

    judged: dict[str, float]
    lists: tuple[tuple[str, ...], ...]
    highest: float

    def qrels(self) -> Qrels:
        """The judgments, and a query that holds the highest grade, so that scales do not move."""
        return Qrels.from_dict({"q": self.judged, "top": {"t": self.highest}})

    def runs(self) -> list[Run]:
        """The two runs."""
        return [
            Run.from_dict(
                {"q": {doc: 9.0 - rank for rank, doc in enumerate(ranking)}, "top": {"t": 1.0}}, name=f"run {place}"
            )
            for place, ranking in enumerate(self.lists)
        ]

    def opened(self, place: int, limit: int | None) -> list[str]:
        """The documents of a list without a grade of 0 or more, down to a rank."""
        return [doc for doc in self.lists[place][:limit] if self.judged.get(doc, -1) < 0]


def case(seed: int, *, binary: bool = False, most_open: int = 4, grades: Sequence[float] = ()) -> Case:
    """A random case: up to seven documents a list, some shared, some judged, few open."""
    dice = random.Random(seed)
    highest = 1.0 if binary else float(dice.choice((1, 2, 3)))
    choices = grades or tuple(float(grade) for grade in range(int(highest) + 1))
    pool = [f"d{number}" for number in range(9)]
    while True:
        judged = {doc: dice.choice((*choices, -1.0)) for doc in dice.sample(pool, dice.randint(1, 6))}
        lists = tuple(tuple(dice.sample(pool, dice.randint(0, 7))) for _ in range(2))
        example = Case(judged, lists, highest)
        every = dict.fromkeys(example.opened(0, None) + example.opened(1, None))
        if len(every) <= most_open:
            return example


def tried(
    example: Case,
    documents: Sequence[str],
    measures: Sequence[Measure],
    options: EvaluationOptions,
    scale: Sequence[float],
) -> np.ndarray:
    """float64[M, 2, A]: each measure of both runs in all ways to give the documents a grade of the scale; the first way
    gives all 0, the last the highest."""
    ways = list(itertools.product(scale, repeat=len(documents)))
    qrels, rankings = {"top": {"t": example.highest}}, [dict[str, dict[str, float]]() for _ in example.lists]
    for number, grades in enumerate(ways):
        query = f"{number:06d}"
        qrels[query] = {**example.judged, **dict(zip(documents, grades, strict=True))}
        for place, ids in enumerate(example.lists):
            rankings[place][query] = {doc: 9.0 - rank for rank, doc in enumerate(ids)}
    runs = [Run.from_dict(ranking, name=f"run {place}") for place, ranking in enumerate(rankings)]
    table = evaluate(Qrels.from_dict(qrels), runs, list(measures), options)
    places = [table.query_ids.index(f"{number:06d}") for number in range(len(ways))]
    return table.values[:, :, places]
