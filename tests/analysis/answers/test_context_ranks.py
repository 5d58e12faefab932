"""Bounds of ranks from references, against every order of the list that fits."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

from irviewer.analysis.answers import context_ranks
from irviewer.analysis.answers.context_ranks import ContextRanks
from irviewer.analysis.answers.topic_answers import AnsweredTopics
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.answers import Answers
from irviewer.model.answers.systems import run_of_answers
from irviewer.model.arrays import offsets_of, strings
from irviewer.model.run import Run


def system(name: str, references: Sequence[Sequence[str]]) -> Run:
    """A system whose answers have references and no sentences."""
    count = len(references)
    none = np.zeros(0, dtype=np.int64)
    answers = Answers(
        tuple(f"t{place}" for place in range(count)), ("",) * count, np.zeros(count + 1, dtype=np.int64), strings([]),
        np.zeros(1, dtype=np.int64), strings([]), none, none.astype(bool), none.astype(float),
        offsets_of(np.array([len(each) for each in references], dtype=np.int64)),
        strings([document for each in references for document in each]), np.full(count, -1, dtype=np.int64),
        ("{}",) * count,
    )  # fmt: skip
    return run_of_answers(Answered(name, answers=answers), name=name)


@pytest.mark.parametrize("seed", range(8))
def test_every_order_that_fits(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context_ranks, "LEAST_PAIRS", 1)
    dice = random.Random(seed)
    context = dice.sample("abcdef", 6)
    chains = [[each for each in context if dice.random() < 0.6] for _ in range(3)]
    named = sorted({each for chain in chains for each in chain})
    ranks = ContextRanks([system(str(place), [chain]) for place, chain in enumerate(chains)], 6)
    if not ranks.ordered:
        assert not any(set(a[:2]) == set(b[:2]) and len(a) > 1 for a in chains for b in chains if a is not b)
        return
    seen: dict[str, set[int]] = {each: set() for each in named}
    others = [f"?{place}" for place in range(6 - len(named))]
    for order in permutations([*named, *others]):
        at = {each: place for place, each in enumerate(order, 1)}
        if all(at[first] < at[second] for chain in chains for first, second in pairwise(chain)):
            for each in named:
                seen[each].add(at[each])
    for each in named:
        assert ranks.of("t0", each) == (min(seen[each]), max(seen[each]))
    assert ContextRanks([system("a", [chains[0]]), system("b", [chains[1]])]).of("t0", "nowhere") == (0, 0)


@pytest.mark.parametrize("seed", range(40))
def test_the_order_of_pairs_against_sets_of_pairs(seed: int) -> None:
    dice = random.Random(seed)
    every = [f"d{place}" for place in range(9)]
    systems: list[list[list[str]]] = []
    for _ in range(3):
        chains = [[each for each in every if dice.random() < 0.6] for _ in range(2)]
        if dice.random() < 0.3 and len(chains[1]) > 1:
            at = dice.randrange(len(chains[1]) - 1)
            chains[1][at : at + 2] = chains[1][at : at + 2][::-1]
        if chains[0] and dice.random() < 0.3:
            chains[0].append(chains[0][0])  # the same document twice: the first counts
        systems.append(chains)
    pairs, turned = 0, False
    for topic in range(2):
        seen: set[tuple[str, str]] = set()
        for chains in systems:
            own = set(combinations(dict.fromkeys(chains[topic]), 2))
            turned = turned or any((second, first) in seen for first, second in own)
            pairs += len(own & seen)
            seen |= own
    ranks = ContextRanks([system(str(place), chains) for place, chains in enumerate(systems)])
    assert ranks.ordered == (not turned and pairs >= context_ranks.LEAST_PAIRS)


def test_nothing_is_said_where_two_differ_or_few_agree() -> None:
    long = [f"d{place}" for place in range(8)]
    assert ContextRanks([system("a", [long]), system("b", [long])], 20).of("t0", "d2") == (3, 15)
    assert ContextRanks([system("a", [long]), system("b", [long])]).of("t0", "d2") == (3, 0), "no upper bound"
    turned = [*long[:6], "d7", "d6"]
    assert ContextRanks([system("a", [long]), system("b", [turned])], 20).of("t0", "d2") == (0, 0)
    assert ContextRanks([system("a", [long])], 20).of("t0", "d2") == (0, 0), "one system shows no order"
    assert ContextRanks([system("a", [long[:3]]), system("b", [long[:3]])], 20).of("t0", "d2") == (0, 0)


def test_lists_that_go_round() -> None:
    many = [[f"x{place}" for place in range(9)]] * 2
    chains = [["a", "b"], ["b", "c"], ["c", "a"]]
    systems = [system(str(place), [many[0], chain]) for place, chain in enumerate(chains)]
    assert ContextRanks(systems, 20).of("t0", "x8") == (9, 20)
    assert ContextRanks(systems, 20).of("t1", "a") == (0, 0)


def test_segments_of_a_topic_have_bounds_where_no_list_is_open() -> None:
    long = [f"d{place}" for place in range(8)]
    systems = [system("a", [long]), system("b", [long[1:]])]
    segments = AnsweredTopics(systems, context=20).topic("t0").segments
    assert [(each.rank, each.low, each.high) for each in segments[:2]] == [(0, 1, 13), (0, 2, 14)]
    listed = Run.from_dict({"t0": {document: -place for place, document in enumerate(long)}})
    known = AnsweredTopics(systems, context=20, listed=listed).topic("t0").segments
    assert [(each.rank, each.low, each.high) for each in known[:2]] == [(1, 0, 0), (2, 0, 0)]
