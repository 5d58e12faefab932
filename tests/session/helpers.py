"""Sessions on collections built in memory."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from irviewer.model.arrays import Floats
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime, Workspace
from irviewer.session.files.import_result import ImportResult
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.state_changes import Opening, with_import_result
from irviewer.session.tasks import Post
from irviewer.tables.table import Table

QUERIES = 9
"""Those of the files of ``unlike_tools``: 1 to 9."""

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")


def collection(runs: int = 3, queries: int = 8, name: str = "made", seed: int = 1) -> Collection:
    """Runs of rising quality: run n finds the relevant document at about rank 10 - 2n."""
    qrels, runs_made = _qrels_and_runs(runs, queries, seed)
    return Collection(name, judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs(runs_made)


def named_collection(name: str, runs: int, queries: int) -> Collection:
    """A collection whose runs share a part of their names, such as ``results_{}_run``."""
    qrels, unnamed = _qrels_and_runs(runs, queries, 1)
    called = [replace(run, name=name.format(run.name)) for run in unnamed]
    return Collection("made", judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs(called)


@lru_cache(maxsize=32)
def _qrels_and_runs(runs: int, queries: int, seed: int) -> tuple[Qrels, Sequence[Run]]:
    """What a collection is made of. It never changes, and hundreds of tests want the same."""
    dice = random.Random(seed)
    qrels = {str(q): {f"d{q}": 1, f"e{q}": 2, f"n{q}": 0} for q in range(1, queries + 1)}
    runs_so_far = []
    for number in range(runs):
        ranking = {}
        for query in qrels:
            rank = max(1, 10 - 2 * number + dice.randint(-1, 1))
            documents = [f"x{query}-{place}" for place in range(25)]
            documents[rank - 1] = f"d{query}"
            ranking[query] = {document: -float(place) for place, document in enumerate(documents)}
        runs_so_far.append(Run.from_dict(ranking, name=NAMES[number]))
    return Qrels.from_dict(qrels), tuple(runs_so_far)


def session_with(*collections: Collection, settings: Settings | None = None, post: Post | None = None) -> Session:
    """A session in which these collections are open, as if their files had just been read; without ``post``, work runs
    at once."""
    session = Session(settings, post=post)
    places = list(range(len(collections)))
    import_result = ImportResult(Workspace(collections), new=places, touched=places)
    session.store.apply(
        with_import_result(session.state, import_result, Opening(), session.store.context_of, hints=True)
    )
    return session


class Announcements:
    """Collects what a session announces."""

    def __init__(self, session: Session) -> None:
        self.heard: list[frozenset[str]] = []
        session.changed.connect(self.hear)

    def hear(self, aspects: frozenset[str]) -> None:
        """One announcement."""
        self.heard.append(aspects)

    def take(self) -> list[set[str]]:
        """What was heard since the last time."""
        heard, self.heard = self.heard, []
        return [set(changes) for changes in heard]


def unlike_tools(folder: Path) -> list[str]:
    """Files on which every tool has its own numbers: graded qrels with negatives and queries without a relevant
    document, and two runs with ties, of equal scores and of scores that differ in the ninth digit, and without some
    queries."""
    dice = random.Random(5)
    judged, runs = [], {"one": [], "two": []}
    for query in range(1, QUERIES + 1):
        grades = (0, 0, -1) if query == 3 else (-1, 0, 0, 1, 2, 3)
        documents = [f"d{number}" for number in range(20)]
        judged += [f"{query} 0 {document} {dice.choice(grades)}" for document in dice.sample(documents, 12)]
        for name, lines in runs.items():
            if (query, name) in ((5, "one"), (7, "two"), (8, "two")):
                continue
            dice.shuffle(documents)
            scores = [dice.choice((3.0, 2.0, 2.0 + 1e-9, 1.0)) for _ in range(15)]
            lines += [
                f"{query} Q0 {document} 0 {score!r} {name}"
                for document, score in zip(documents[:15], scores, strict=True)
            ]
    paths = {"some.qrels": judged, **{f"{name}.run": lines for name, lines in runs.items()}}
    for name, lines in paths.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return [str(folder / name) for name in paths]


def run_values(table: Table) -> Floats:
    """The values of a table's columns of runs, float64[rows, runs]."""
    return np.stack([column.numbers[""] for column in table.columns if column.names == "run"], axis=1)


def cells(table: Table | None, key: str) -> Floats:
    """The numbers of a column of a table that there is, float64[rows]."""
    assert table is not None
    return table.column(key).numbers[""]
