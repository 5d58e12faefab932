"""Collections with the same systems, made from a seed: their numbers are known by a plain loop."""

from __future__ import annotations

import random

from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime

SKILLS = {"bm25": 0.5, "dense": 0.7, "weak": 0.15}


def collections(count: int = 7, lacking: dict[int, tuple[str, ...]] | None = None) -> list[Collection]:
    """Collections of 12 queries; each system puts the relevant document first with the chance of its skill.
    ``lacking`` are systems without a run, by collection."""
    collections_so_far = []
    for number in range(count):
        dice = random.Random(number)
        qrels = {f"q{query}": {f"c{number}r{query}": 1, f"c{number}n{query}": 0} for query in range(12)}
        runs = []
        for system, skill in SKILLS.items():
            if system in (lacking or {}).get(number, ()):
                continue
            rankings = {}
            for query in range(12):
                relevant, other = f"c{number}r{query}", f"c{number}n{query}"
                order = (relevant, other) if dice.random() < skill else (other, relevant)
                rankings[f"q{query}"] = {document: -float(rank) for rank, document in enumerate(order)}
            runs.append(Run.from_dict(rankings, name=system.upper() if number == 1 else system))
        judgments = JudgmentSet(Qrels.from_dict(qrels), Regime.POOLED)
        collections_so_far.append(Collection(f"set{number}", judgments=(judgments,)).with_runs(runs))
    return collections_so_far
