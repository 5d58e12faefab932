"""Seeded files to measure on: runs and qrels of any size, alike on every machine. Knows nothing of irviewer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

WORDS = 4000


@dataclass(frozen=True)
class Shape:
    """How much is made: ``depth`` lines a query and run, ``judged`` lines a query of qrels, ``texts`` documents with a
    text (0: none; then ids are drawn from nine million)."""

    queries: int
    depth: int
    runs: int = 1
    judged: int = 50
    texts: int = 0


@dataclass(frozen=True)
class GeneratedFiles:
    """Where the files are."""

    qrels: Path
    runs: tuple[Path, ...]
    documents: Path | None = None
    queries: Path | None = None

    @property
    def paths(self) -> list[str]:
        """All of them, as the program is given them."""
        return [str(path) for path in (self.qrels, *self.runs, self.documents, self.queries) if path is not None]


def make(folder: Path, shape: Shape, seed: int = 20) -> GeneratedFiles:
    """Write the files of a shape into ``folder``.

    Each query has a pool of half as many more documents as are ranked; every run ranks the pool with noise of its own,
    so that runs share most documents. Half of the judged are from the pool, more of them from its top."""
    random = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    pool = shape.depth + shape.depth // 2
    runs = [folder / f"system_{number}.run" for number in range(1, shape.runs + 1)]
    files = [path.open("w", encoding="ascii") for path in runs]
    with (folder / "qrels.txt").open("w", encoding="ascii") as qrels:
        for query in range(1, shape.queries + 1):
            documents = random.choice(shape.texts or 9_000_000, pool, replace=False)
            worth = np.sort(random.gumbel(size=pool))[::-1]
            for number, file in enumerate(files):
                scores = worth + random.normal(0, 0.15 + 0.1 * number, pool)
                order = np.argsort(-scores)[: shape.depth]
                file.writelines(
                    f"{query} Q0 {document} {rank} {score:.6f} system_{number + 1}\n"
                    for rank, (document, score) in enumerate(
                        zip(documents[order].tolist(), scores[order].tolist(), strict=True), 1
                    )
                )
            inside = np.unique((pool * random.random(shape.judged - shape.judged // 2) ** 2).astype(int))
            grades = random.integers(0, 4, len(inside)) * (random.random(len(inside)) < 0.7)
            qrels.writelines(
                f"{query} 0 {documents[place]} {grade}\n"
                for place, grade in zip(inside.tolist(), grades.tolist(), strict=True)
            )
            beyond = np.setdiff1d(random.integers(0, shape.texts or 9_000_000, shape.judged // 2), documents)
            qrels.writelines(f"{query} 0 {document} {int(document) % 2}\n" for document in beyond.tolist())
    for file in files:
        file.close()
    generated = GeneratedFiles(folder / "qrels.txt", tuple(runs))
    return generated if not shape.texts else _with_texts(folder, generated, shape, random)


def _with_texts(folder: Path, generated: GeneratedFiles, shape: Shape, random: np.random.Generator) -> GeneratedFiles:
    words = np.array(["".join(random.choice(list("abcdefghiklmnoprstuvw"), 3 + n % 7)) for n in range(WORDS)])
    documents, queries = folder / "documents.jsonl", folder / "queries.tsv"
    with documents.open("w", encoding="ascii") as file:
        for number in range(shape.texts):
            said = words[(WORDS * random.random(120) ** 2).astype(int)]
            row = {"id": str(number), "title": " ".join(said[:9]), "text": " ".join(said)}
            file.write(json.dumps(row) + "\n")
    with queries.open("w", encoding="ascii") as file:
        for query in range(1, shape.queries + 1):
            file.write(f"{query}\t{' '.join(words[(WORDS * random.random(9) ** 2).astype(int)])}\n")
    return GeneratedFiles(generated.qrels, generated.runs, documents, queries)
