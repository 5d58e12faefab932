"""Sessions on collections built in memory."""

from __future__ import annotations

import random

from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime, Workspace
from irviewer.session.placing import Placed
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.transitions import Opening, with_placed

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")


def collection(runs: int = 3, queries: int = 8, name: str = "made", seed: int = 1) -> Collection:
    """Runs of rising quality: run n finds the relevant document at about rank 10 - 2n."""
    dice = random.Random(seed)
    qrels = {str(q): {f"d{q}": 1, f"e{q}": 2, f"n{q}": 0} for q in range(1, queries + 1)}
    made = []
    for number in range(runs):
        ranking = {}
        for query in qrels:
            rank = max(1, 10 - 2 * number + dice.randint(-1, 1))
            documents = [f"x{query}-{place}" for place in range(25)]
            documents[rank - 1] = f"d{query}"
            ranking[query] = {document: -float(place) for place, document in enumerate(documents)}
        made.append(Run.from_dict(ranking, name=NAMES[number]))
    judgments = JudgmentSet(Qrels.from_dict(qrels), Regime.POOLED)
    return Collection(name, judgments=(judgments,)).with_runs(made)


def session_with(*collections: Collection, settings: Settings | None = None) -> Session:
    """A session in which these collections are open, as if their files had just been read; work runs at once."""
    session = Session(settings)
    places = list(range(len(collections)))
    placed = Placed(Workspace(collections), new=places, touched=places)
    session._apply(with_placed(session.state, placed, Opening(), session._scene_of, hints=True))
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
        return [set(one) for one in heard]
