"""Small made worlds: qrels of three judges, five runs, texts, attributes, sets and weights of queries, written as files
under other names and in another order.

No id has a digit, so that every number in an output is a number of the program."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

Grades = Mapping[str, Mapping[str, int]]
Lists = Mapping[str, tuple[str, ...]]

JUDGES = ("human", "modela", "modelb")
"""The human's are the qrels; each model judged the same pairs, ``modela`` some more. ``modelb`` alone has a grade 2."""
MORE = 3
"""The queries that the models judged and the human did not."""
RUNS = ("alpha", "beta", "gamma", "delta", "epsilon")
"""``gamma`` re-ranks ``beta``; ``epsilon`` lacks queries where a world says so."""
_UP, _DOWN = "abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba"


def same(identifier: str) -> str:
    """The id itself."""
    return identifier


def kept_order(identifier: str) -> str:
    """Another id; the order of ids stays."""
    return f"k{identifier}"


def turned_order(identifier: str) -> str:
    """Another id of the same length; the order of ids is reversed."""
    return identifier.translate(str.maketrans(_UP, _DOWN))


RENAMINGS = {"the same order": kept_order, "another order": turned_order}


@dataclass(frozen=True)
class World:
    """A collection: ``judges`` by name, ``runs`` by name as lists of documents from rank 1 down, ``attributes`` by
    query (a category and a number), two overlapping sets of queries, and weights."""

    name: str
    queries: tuple[str, ...]
    documents: tuple[str, ...]
    judges: Mapping[str, Grades]
    runs: Mapping[str, Lists]
    attributes: Mapping[str, tuple[str, int]]
    sets: Mapping[str, tuple[str, ...]]
    weights: Mapping[str, float]

    @property
    def ids(self) -> frozenset[str]:
        """All ids of queries and documents."""
        return frozenset((*self.queries, *self.documents))

    def renamed(self, new: object) -> World:
        """The world with other ids of queries and documents."""
        assert callable(new)
        return replace(
            self,
            queries=tuple(map(new, self.queries)),
            documents=tuple(map(new, self.documents)),
            judges={
                judge: {
                    new(query): {new(doc): grade for doc, grade in judged.items()} for query, judged in qrels.items()
                }
                for judge, qrels in self.judges.items()
            },
            runs={
                name: {new(query): tuple(map(new, listed)) for query, listed in lists.items()}
                for name, lists in self.runs.items()
            },
            attributes={new(query): values for query, values in self.attributes.items()},
            sets={name: tuple(map(new, members)) for name, members in self.sets.items()},
            weights={new(query): weight for query, weight in self.weights.items()},
        )

    def without(self, run: str) -> World:
        """The world without one run."""
        return replace(self, runs={name: lists for name, lists in self.runs.items() if name != run})

    def write(self, folder: Path) -> Files:
        """Write the files of the world."""
        folder.mkdir(parents=True, exist_ok=True)
        for judge, qrels in self.judges.items():
            lines = [f"{query} Q {doc} {grade}\n" for query, judged in qrels.items() for doc, grade in judged.items()]
            (folder / f"{judge}.qrels").write_text("".join(lines))
        for name, lists in self.runs.items():
            rows = [
                f"{query} Q0 {doc} {rank} {100 - rank}.5 {name}\n"
                for query, listed in lists.items()
                for rank, doc in enumerate(listed, start=1)
            ]
            (folder / f"{name}.run").write_text("".join(rows))
        (folder / "queries.tsv").write_text("".join(f"{query}\twhich words of a query\n" for query in self.queries))
        documents = "".join(f"{doc}\ttitle of it\ttext of a document\n" for doc in self.documents)
        (folder / "documents.tsv").write_text(f"id\ttitle\ttext\n{documents}")
        rows = [f"{query}\t{kind}\t{size}\n" for query, (kind, size) in self.attributes.items()]
        (folder / "attributes.tsv").write_text("query\tkind\tsize\n" + "".join(rows))
        rows = [f"{query}\t{name}\n" for name, members in self.sets.items() for query in members]
        (folder / "sets.tsv").write_text("".join(rows))
        (folder / "weights.tsv").write_text("".join(f"{query}\t{weight}\n" for query, weight in self.weights.items()))
        costs = "".join(f"{name}\t{10 + 3 * n + len(lists)}\n" for n, (name, lists) in enumerate(self.runs.items()))
        (folder / "costs.tsv").write_text(f"run\tms\n{costs}")
        return Files(folder, tuple(self.judges), tuple(self.runs), self)


@dataclass(frozen=True)
class Files:
    """The files of a world; ``judges`` and ``runs`` in the order in which they are named and opened."""

    folder: Path
    judges: tuple[str, ...]
    runs: tuple[str, ...]
    world: World

    def qrels(self, judge: str = JUDGES[0]) -> str:
        """The file of a judge."""
        return str(self.folder / f"{judge}.qrels")

    def run(self, name: str) -> str:
        """The file of a run."""
        return str(self.folder / f"{name}.run")

    def other(self, name: str) -> str:
        """Another file."""
        return str(self.folder / name)

    @property
    def every_run(self) -> list[str]:
        """The files of all runs, in their order."""
        return [self.run(name) for name in self.runs]

    @property
    def every_judge(self) -> list[str]:
        """The files of all judges, in their order."""
        return [self.qrels(judge) for judge in self.judges]

    def turned(self) -> Files:
        """The same files in another order."""
        return replace(self, judges=self.judges[1:] + self.judges[:1], runs=self.runs[::-1])


def world(
    seed: int = 1, *, queries: int = 15, documents: int = 40, lacking: bool = False, name: str = "first"
) -> World:
    """A made world. ``lacking``: one run lacks a third of the queries, on which the others are bad. No two documents
    of a list have the same score, so that no value depends on the order of ids."""
    dice = random.Random(seed)
    words: set[str] = set()
    while len(words) < queries + documents:
        words.add("".join(dice.choice(_UP) for _ in range(6)))
    ids = sorted(words)
    dice.shuffle(ids)
    query_ids, document_ids = tuple(ids[:queries]), tuple(ids[queries:])
    hard = set(query_ids[: queries // 3])
    judges: dict[str, dict[str, dict[str, int]]] = {judge: {} for judge in JUDGES}
    grades_of: dict[str, dict[str, int]] = {}
    for place, query in enumerate(query_ids):
        pool = dice.sample(document_ids, documents // 2)
        grades = {doc: dice.choice((0, 0, 0, 1, 1, 1, 3)) for doc in pool[: documents // 3]}
        grades[pool[0]] = dice.choice((1, 3))
        noisy = {doc: dice.choice((0, 1, 3)) if dice.random() < 0.3 else grade for doc, grade in grades.items()}
        grades_of[query] = grades
        if place < queries - MORE:
            judges["human"][query] = grades
        judges["modela"][query] = noisy | {doc: dice.choice((0, 1)) for doc in pool[documents // 3 :][:4]}
        judges["modelb"][query] = {doc: dice.choice((0, 1, 2)) if grade else 0 for doc, grade in noisy.items()}
    runs: dict[str, dict[str, tuple[str, ...]]] = {name: {} for name in RUNS}
    for query in query_ids:
        for number, run in enumerate(RUNS):
            skill = 0.2 + 0.15 * number - (0.6 if query in hard else 0.0)
            grades = grades_of[query]
            scores = {doc: skill * grades.get(doc, 0) + dice.random() for doc in document_ids}
            runs[run][query] = tuple(sorted(document_ids, key=lambda doc: -scores[doc])[: documents // 2])
        again = list(runs["beta"][query])
        dice.shuffle(again)
        runs["gamma"][query] = tuple(again)
    if lacking:
        runs["epsilon"] = {query: listed for query, listed in runs["epsilon"].items() if query not in hard}
    attributes = {query: (dice.choice(("red", "blue")), dice.randint(1, 9)) for query in query_ids}
    half = queries // 2
    sets = {"front": query_ids[: half + 2], "back": query_ids[half:]}
    weights = {query: float(dice.randint(1, 4)) for query in query_ids}
    return World(name, query_ids, document_ids, judges, runs, attributes, sets, weights)
